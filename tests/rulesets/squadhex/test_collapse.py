"""A building hex falls: those inside, the overlay, what stays (SH-FALL-1..5, SH-RUIN-1)."""

from __future__ import annotations

import pytest

from battlesim.core.answers import MoveTo
from battlesim.core.events import Happened, Rolled
from battlesim.rules.scenario import Objective
from battlesim.rulesets.squadhex import ground, model, move, victory
from battlesim.rulesets.squadhex.collapse import Fall
from battlesim.rulesets.squadhex.model import ADVANCE
from battlesim.rulesets.squadhex.ruleset import RULESET
from tests.rulesets.squadhex.kit import Table, unit


def hall(name: str) -> str:
    return f"hall.{name}"


@pytest.mark.clause("SH-FALL-1")
@pytest.mark.parametrize(("house", "dice"), [("hut.only", 4), ("hall.high", 8), ("hall.tower", 12)])
def test_four_dice_a_floor_for_each_squad(house: str, dice: int) -> None:
    table = Table(unit("rifle_squad", at=f"{house}:0"), dice=[[3] * (dice - 2) + [4, 6]])
    table.do(Fall(table.section(house)))
    table.done()
    (roll,) = table.events(Rolled)
    assert (roll.need, len(roll.faces)) == (4, dice)
    assert table.unit(0).models == 2


@pytest.mark.clause("SH-FALL-1")
def test_every_squad_rolls_for_itself_whatever_floor_it_is_on() -> None:
    table = Table(
        unit("rifle_squad", at="hall.high:0"),
        unit("rifle_squad", at="hall.high:1", side=1),
        dice=[[5] * 4 + [1] * 4, [4] + [1] * 7],
    )
    table.do(Fall(table.section("hall.high")))
    table.done()
    assert (table.unit(0).alive, table.unit(1).models) == (False, 3)


@pytest.mark.clause("SH-FALL-1")
def test_cover_helps_only_by_option() -> None:
    table = Table(unit("rifle_squad", at="hut.only:0"), dice=[[6, 6, 1, 1], [5, 4]], fall_cover=True)
    table.do(Fall(table.section("hut.only")))
    table.done()
    assert table.unit(0).models == 3  # two hits, the light house's two dice cancel one
    table = Table(unit("rifle_squad", at="hut.only:0"), dice=[[6, 6, 1, 1]])
    table.do(Fall(table.section("hut.only")))
    table.done()
    assert table.unit(0).models == 2


@pytest.mark.clause("SH-FALL-2", "SH-HOUSE-STACK")
def test_survivors_are_pinned_on_the_hex_with_all_tokens() -> None:
    """Friend and foe share the hex after its collapse; who waits still waits, who is disrupted stays so."""
    table = Table(
        unit("rifle_squad", at="hall.tower:0", fresh=False, waits=True),
        unit("rifle_squad", at="hall.tower:1", side=1, disrupted=True),
        unit("elite_squad", at="hall.tower:2", side=1),
        dice=[[1] * 12, [1] * 12, [1] * 12],
    )
    table.do(Fall(table.section("hall.tower")))
    table.done()
    assert [table.where(n) for n in range(3)] == ["hall.tower:ruin"] * 3
    assert all(table.unit(n).own.pinned for n in range(3))
    assert table.unit(0).own.waits
    assert table.unit(1).own.disrupted
    assert "SH-FALL-2" in table.clauses()


@pytest.mark.clause("SH-FALL-3")
@pytest.mark.parametrize(("house", "token"), [("hut.only", 1), ("hall.high", 2), ("hall.tower", 3)])
def test_the_overlay_costs_by_former_elevation(house: str, token: int) -> None:
    table = Table()
    ruin = table.board.sections[table.section(house)].ruin
    assert ground.token(table.board, table.section(house)) == token
    assert ground.enter_cost(table.board, ruin, vehicle=False) == 2 * (1 + token)
    assert ground.enter_cost(table.board, ruin, vehicle=True) == -1
    table.do(Fall(table.section(house)))
    (overlay,) = [event for event in table.events(Happened) if event.what == "overlay"]
    assert overlay.number == token


@pytest.mark.clause("SH-FALL-3", "SH-FALL-5", "SH-RUIN-1")
def test_ruins_are_entered_on_foot_at_their_price_and_never_by_vehicle() -> None:
    table = Table(
        unit("rifle_squad", at="g4.3"), unit("medium_tank", at="g3.3"), unit("rifle_squad", at="g4.2")
    )
    for house in ("hall.high", "hall.tower"):
        table.fell(house)
    ruins = [table.place(name) for name in ("hall.high:ruin", "hall.tower:ruin")]
    assert ruins[0] in move.reach(table.state, table.board, table.unit(0), ADVANCE)  # 3 of 4 points
    assert ruins[1] not in move.reach(table.state, table.board, table.unit(0), ADVANCE)
    assert not set(ruins) & set(move.reach(table.state, table.board, table.unit(1), ADVANCE))
    assert ruins[0] in move.reach(table.state, table.board, table.unit(2), ADVANCE)  # 1 + 3 points


@pytest.mark.clause("SH-FALL-5")
def test_a_closed_building_that_has_fallen_is_a_ruin_like_any_other() -> None:
    table = Table(unit("rifle_squad", at="g1.6"))
    table.do(Fall(table.section("vault.only")))
    table.act(0, "advance")
    table.say(MoveTo(table.place("vault.only:ruin")))
    table.done()
    assert table.where(0) == "vault.only:ruin"
    assert not model.closed(table.state)
    assert not [told for told in RULESET.faults(table.state, table.board) if "unit 0" in told]


@pytest.mark.clause("SH-FALL-3", "SH-FALL-5")
def test_the_overlay_lies_at_elevation_zero_and_covers_like_a_collapsed_building() -> None:
    table = Table()
    ruin = table.place("hall.tower:ruin")
    assert table.board.spaces[ruin].z == 0
    assert ground.cover(table.board, ruin) == 2
    assert ground.cover(table.board, table.place("hall.tower:0")) == 3
    assert ground.cover_clauses(table.board, ruin) == ("SH-RUIN-1", "SH-FALL-5")


@pytest.mark.clause("SH-FALL-4")
def test_an_objective_stays_one_when_it_falls() -> None:
    house = Table().board.sections[Table().section("hut.only")]
    goal = Objective("hold", "the hut", 3, places=(*house.spaces, house.ruin))
    table = Table(unit("rifle_squad", at="hut.only:0"), dice=[[1] * 4], goals=(goal,))
    table.do(Fall(house.id))
    assert "SH-FALL-4" in table.clauses()
    assert victory.holders(table.state, (goal,), (-1,)) == (0,)


@pytest.mark.clause("SH-FALL-4")
def test_a_house_that_is_none_is_not_said_to_stay_one() -> None:
    table = Table()
    table.do(Fall(table.section("hut.only")))
    assert "SH-FALL-4" not in table.clauses()


@pytest.mark.clause("SH-RUIN-1")
def test_a_collapsed_building_printed_on_the_map() -> None:
    table = Table(
        unit("rifle_squad", at="g7.0"), unit("light_tank", at="g9.0"), unit("machine_gun_team", at="g9.1")
    )
    rubble = table.place("g8.0")
    assert (
        ground.enter_cost(table.board, rubble, vehicle=False)
        == 4
        > ground.enter_cost(table.board, table.place("g7.1"), vehicle=False)
    )
    assert ground.enter_cost(table.board, rubble, vehicle=True) == -1
    assert rubble in move.reach(table.state, table.board, table.unit(0), ADVANCE)
    assert rubble not in move.reach(table.state, table.board, table.unit(1), ADVANCE)
    assert 0 < ground.cover(table.board, rubble) < ground.cover(table.board, table.place("hall.high:0"))


@pytest.mark.clause("SH-RUIN-1")
def test_cover_of_rubble_is_named_where_it_is_rolled() -> None:
    assert ground.cover_clauses(Table().board, Table().place("g8.0")) == ("SH-RUIN-1",)
    assert ground.enter_clauses(Table().board, Table().place("g8.0")) == ("SH-RUIN-1",)
