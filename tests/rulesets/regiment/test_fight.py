"""Close combat: order of blows, who reaches whom, traits (RG-HOUSE-FIGHT, RG-ATT-2..4, RG-HOUSE-TRAITS, RG-HOUSE-FORM)."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest
from icepool import d6

from battlesim.board.board import Board
from battlesim.core.answers import At, Say
from battlesim.core.events import ModelsLost, Rolled, Scored
from battlesim.rulesets.regiment import form, ground, losses
from battlesim.rulesets.regiment.fight import (
    AgainstWhom,
    Fight,
    Impact,
    Strike,
    Tier,
    host_of,
    order_of_blows,
)
from battlesim.rulesets.regiment.model import FLANK, Result, Struck
from battlesim.rulesets.regiment.rout import FollowIn
from battlesim.rulesets.regiment.ruleset import RULESET
from battlesim.search.odds import distribution, mean, outcomes
from tests.rulesets.regiment.grounds import EAST, FIELD, HOUSE, NORTH, ROW, WEST, field, house, row
from tests.rulesets.regiment.kit import Table, unit


def duel(
    one: str, two: str, board: Board = FIELD, at: tuple[str, str] = ("g4.4", "g5.4"), **more: Any
) -> Table:
    """Two units front to front; keywords of the first by name, of the second with `foe_` before them."""
    theirs = {key[4:]: value for key, value in more.items() if key.startswith("foe_")}
    ours = {key: value for key, value in more.items() if not key.startswith("foe_") and key != "dice"}
    return Table(
        board,
        unit(one, at=at[0], foes={1: 0}, **ours),
        unit(two, at=at[1], side=1, facing=WEST, foes={0: 0}, **theirs),
        dice=more.get("dice", ()),
        phase=4,
    )


def strike(table: Table, one: int, other: int, blows: int, first: bool) -> Strike:
    """Blows of a unit, or of a character with its unit, from where it stands."""
    host = host_of(table.state, table.unit(one))
    return Strike(one, other, blows, first, host.id, host.place)


def blows(table: Table) -> list[tuple[int, int, int]]:
    """(who, at whom, how many)."""
    return [(e.unit, e.target, e.blows) for e in table.events(Struck)]


# ---- order of blows --------------------------------------------------------------------------------------------------


@pytest.mark.clause("RG-HOUSE-FIGHT")
def test_chargers_strike_first_then_by_initiative() -> None:
    slow = duel("axemen", "swordsmen")  # initiative 2 against 4
    assert order_of_blows(slow.state, FIELD, (0, 1)) == [(False, ((1, 0),)), (False, ((0, 1),))]
    charge = duel("axemen", "swordsmen", charged=True)
    assert order_of_blows(charge.state, FIELD, (0, 1)) == [(True, ((0, 1),)), (False, ((1, 0),))]
    alike = duel("levy", "spearmen")
    assert order_of_blows(alike.state, FIELD, (0, 1)) == [(False, ((0, 1), (1, 0)))]


@pytest.mark.clause("RG-HOUSE-FIGHT", "RG-ATT-2")
def test_the_entrenched_deny_the_first_strike() -> None:
    inside = duel("axemen", "swordsmen", HOUSE, ("g3.4", "house.1:0"), charged=True)
    assert order_of_blows(inside.state, HOUSE, (0, 1)) == [(False, ((1, 0),)), (False, ((0, 1),))]
    wall = field("terrain: [{kind: wall, line: [[15, 12], [15, 15]]}]")
    behind = duel("axemen", "swordsmen", wall, charged=True)
    assert order_of_blows(behind.state, wall, (0, 1))[0] == (False, ((1, 0),))


@pytest.mark.clause("RG-HOUSE-FORM")
def test_dead_models_strike_no_blows() -> None:
    """Five against five; three of the second fall before they strike."""
    table = duel("swordsmen", "levy", dice=[[4] * 5, [4, 4, 4, 1, 1], [4, 4], [1, 1]])
    table.do(Tier(((0, 1),), False), Tier(((1, 0),), False))
    assert blows(table) == [(0, 1, 5), (1, 0, 2)]
    assert table.unit(1).own.fell == 3
    table.done()


@pytest.mark.clause("RG-HOUSE-FORM")
def test_who_strikes_at_the_same_time_strikes_though_it_falls() -> None:
    table = duel("levy", "levy", models=1, foe_models=1, dice=[[4], [4], [4], [4]])
    table.do(Tier(((0, 1), (1, 0)), False))
    assert (table.unit(0).alive, table.unit(1).alive) == (False, False)
    table.done()


@pytest.mark.clause("RG-HOUSE-FORM", "RG-HOUSE-FIGHT", "RG-HOUSE-TERRAIN")
def test_who_falls_at_the_same_time_strikes_from_where_he_stood() -> None:
    """A charger over a wall falls before his blow is rolled: it is still a blow over the wall."""
    wall = field("terrain: [{kind: wall, line: [[15, 12], [15, 15]]}]")
    table = duel("levy", "levy", wall, models=1, foe_models=1, foe_charged=True, dice=[[4], [4], [4]])
    table.do(Tier(((0, 1), (1, 0)), False))
    assert [(e.object, e.need) for e in table.events(Rolled) if e.purpose == "blow hit"] == [(1, 4), (0, 5)]
    assert "RG-ATT-3" not in table.clauses()
    assert table.unit(0).alive
    table.done()


@pytest.mark.clause("RG-HOUSE-ROOMS")
def test_who_falls_in_a_room_struck_from_that_room() -> None:
    table = duel(
        "levy", "levy", ROW, ("row.r1:0", "row.r2:0"), models=1, foe_models=1, dice=[[4], [4], [4], [4]]
    )
    table.do(Tier(((0, 1), (1, 0)), False))
    assert (table.unit(0).alive, table.unit(1).alive) == (False, False)
    assert all({"RG-ATT-3", "RG-HOUSE-ROOMS"} <= set(e.clauses) for e in table.events(Struck))
    table.done()


@pytest.mark.clause("RG-HOUSE-FIGHT", "RG-HOUSE-AURA")
def test_so_does_a_character_who_falls_with_his_blows_to_come() -> None:
    """Captain against captain at a house; the attackers charged."""
    table = Table(
        HOUSE,
        unit("levy", at="house.1:0", foes={1: 0}),
        unit("levy", at="g3.4", side=1, facing=EAST, foes={0: 0}, charged=True),
        unit("captain", at="house.1:0", joined=0),
        unit("captain", at="g3.4", side=1, joined=1),
        dice=[[4, 4, 1], [4, 4], [1, 1], [4, 4, 4]],
    )
    table.do(Tier(((2, 1), (3, 0)), False))
    assert not table.unit(3).alive
    hits = [(e.actor, e.object, e.need) for e in table.events(Rolled) if e.purpose == "blow hit"]
    assert hits == [(2, 3, 4), (3, 2, 5)]
    assert all("RG-HOUSE-AURA" in e.clauses for e in table.events(Struck))
    table.done()


@pytest.mark.clause("RG-HOUSE-RESULT", "RG-HOUSE-VICTORY")
@pytest.mark.parametrize(
    ("models", "dealt", "scored"), [(1, 1, ["the standard of spearmen 1", "spearmen 1"]), (6, 5, [])]
)
def test_wounds_count_as_far_as_there_is_anybody_and_standards_are_taken_of_the_destroyed(
    models: int, dealt: int, scored: list[str]
) -> None:
    table = duel("levy", "spearmen", foe_models=models, dice=[[4] * 5, [4] * 5, [1] * 5])
    table.do(strike(table, 0, 1, 5, False))
    assert [event.wounds for event in table.events(Struck)] == [dealt]
    assert table.unit(0).own.dealt == dealt
    assert [event.what for event in table.events(Scored)] == scored
    table.done()


@pytest.mark.clause("RG-HOUSE-VICTORY")
def test_the_standard_of_a_character_is_taken_as_he_falls_not_as_his_unit_does() -> None:
    """He fights on for himself as his unit is gone; each standard is taken once."""
    table = Table(
        FIELD,
        unit("levy", at="g4.4", foes={1: 0}),
        unit("spearmen", at="g5.4", side=1, facing=WEST, models=1, foes={0: 0}),
        unit("standard_bearer", at="g5.4", side=1, joined=1),
        unit("captain", at="g4.4", joined=0),
        dice=[[4], [4], [1], [4, 4, 1], [4, 4], [1, 1]],
        phase=4,
    )
    table.do(strike(table, 0, 1, 1, False))
    assert [event.what for event in table.events(Scored)] == ["the standard of spearmen 1", "spearmen 1"]
    assert table.unit(2).own.joined == -1
    table.do(strike(table, 3, 2, 3, False))
    assert [event.what for event in table.events(Scored)][2:] == [
        "the standard of bearer of the army standard 2",
        "bearer of the army standard 2",
    ]
    table.done()
    beside = Table(
        FIELD,
        unit("levy", at="g4.4", foes={1: 0}),
        unit("spearmen", at="g5.4", side=1, facing=WEST, foes={0: 0}),
        unit("standard_bearer", at="g5.4", side=1, joined=1),
        unit("captain", at="g4.4", joined=0),
        dice=[[4, 4, 1], [4, 4], [1, 1]],
    )
    beside.do(strike(beside, 3, 1, 3, False))
    assert [event.what for event in beside.events(Scored)] == [
        "the standard of bearer of the army standard 2",
        "bearer of the army standard 2",
    ]
    beside.done()


@pytest.mark.clause("RG-HOUSE-ROOMS")
def test_each_enemy_of_a_garrison_that_falls_to_blows_may_overrun() -> None:
    table = Table(
        HOUSE,
        unit("swordsmen", at="g3.4", facing=EAST, foes={2: 0}),
        unit("swordsmen", at="g6.4", facing=WEST, foes={2: 0}),
        unit("levy", at="house.1:0", side=1, models=1, foes={0: 0, 1: 0}),
        dice=[[4] * 5, [4] * 5],
        phase=4,
    )
    table.do(Fight((0, 1, 2)))
    assert isinstance(table.ask, FollowIn)
    assert table.ask.unit == 0
    table.say(Say(False))
    assert isinstance(table.ask, FollowIn)
    assert table.ask.unit == 1
    table.say(Say(True))
    assert (table.where(0), table.where(1)) == ("g3.4", "house.1:0")
    table.done()


@pytest.mark.clause("RG-HOUSE-TRAITS")
def test_nobody_is_run_into_who_is_no_more() -> None:
    table = duel("chariot", "levy", charged=True)
    losses.destroy(table.r, table.unit(1), "gone")
    table.do(Impact(0, 1))
    assert table.events(Rolled) == []
    table.done()


# ---- who reaches whom ------------------------------------------------------------------------------------------------


@pytest.mark.clause("RG-HOUSE-FIGHT")
def test_models_in_contact_are_limited_by_both_fronts() -> None:
    """Five files of 0.8 inches are four inches; monstrous infantry of 1.6 fills them with three; ten files meet five."""
    table = duel("levy", "ogres", foe_files=4)
    assert form.in_contact(table.state, FIELD, table.unit(0), table.unit(1)) == 5
    assert form.in_contact(table.state, FIELD, table.unit(1), table.unit(0)) == 3
    wide = duel("levy", "levy", files=10)
    assert form.in_contact(wide.state, FIELD, wide.unit(0), wide.unit(1)) == 5
    few = duel("levy", "levy", foe_models=3)
    assert form.in_contact(few.state, FIELD, few.unit(0), few.unit(1)) == 3


@pytest.mark.clause("RG-HOUSE-FORM")
def test_a_flank_is_as_long_as_the_ranks_are_deep() -> None:
    table = Table(
        FIELD,
        unit("levy", at="g5.3", facing=NORTH, files=10, foes={1: 0}),
        unit("levy", at="g5.4", side=1, facing=WEST, models=20, foes={0: FLANK}),
    )
    assert form.in_contact(table.state, FIELD, table.unit(1), table.unit(0)) == 4
    assert form.in_contact(table.state, FIELD, table.unit(0), table.unit(1)) == 4


@pytest.mark.clause("RG-HOUSE-FIGHT")
def test_several_enemies_share_one_front() -> None:
    table = Table(
        FIELD,
        unit("levy", at="g4.4", foes={2: 0}),
        unit("levy", at="g4.5", facing=7, foes={2: 0}),
        unit("levy", at="g5.4", side=1, facing=WEST, foes={0: 0, 1: 0}),
    )
    each = [form.in_contact(table.state, FIELD, table.unit(n), table.unit(2)) for n in (0, 1)]
    assert each == [3, 3]  # two inches of the enemy's four


@pytest.mark.clause("RG-ATT-3")
def test_as_much_of_the_garrison_fights_as_touches_its_house_in_unit_strength() -> None:
    """Knights of unit strength 2 in five files of an inch: ten of strength, so ten of the garrison; levy: five."""
    for kind, touching, answered in (("knights", 5, 10), ("levy", 5, 5), ("ogres", 4, 12), ("giant", 1, 6)):
        table = duel(kind, "levy", HOUSE, ("g3.4", "house.1:0"))
        assert form.in_contact(table.state, HOUSE, table.unit(0), table.unit(1)) == touching
        assert form.in_contact(table.state, HOUSE, table.unit(1), table.unit(0)) == answered
    few = duel("knights", "levy", HOUSE, ("g3.4", "house.1:0"), foe_models=7)
    assert form.in_contact(few.state, HOUSE, few.unit(1), few.unit(0)) == 7


@pytest.mark.clause("RG-ATT-3")
def test_a_wall_is_shared_by_all_who_stand_before_it() -> None:
    """Six inches of wall: two units of ten files have three inches each, four models; one alone has eight."""
    two = Table(
        HOUSE,
        unit("levy", at="g3.4", files=10, foes={2: 0}),
        unit("levy", at="g3.5", files=10, foes={2: 0}),
        unit("levy", at="house.1:0", side=1, foes={0: 0, 1: 0}),
    )
    assert [form.in_contact(two.state, HOUSE, two.unit(n), two.unit(2)) for n in (0, 1)] == [4, 4]
    assert form.strikers(two.state, HOUSE, two.unit(2)) == {0: 4, 1: 4}
    one = duel("levy", "levy", HOUSE, ("g3.4", "house.1:0"), files=10)
    assert form.in_contact(one.state, HOUSE, one.unit(0), one.unit(1)) == 8


@pytest.mark.clause("RG-ATT-3")
@pytest.mark.parametrize(("side", "foes"), [(0, {}), (1, {3: 0})])
def test_but_by_nobody_else(side: int, foes: dict[int, int]) -> None:
    """Neither by a friend who fights nobody nor by an enemy who does."""
    table = Table(
        HOUSE,
        unit("levy", at="g3.4", files=10, foes={1: 0}),
        unit("levy", at="house.1:0", side=1, foes={0: 0}),
        unit("levy", at="g3.5", files=10, side=side, foes=foes),
        unit("levy", at="g2.5", foes={2: 0} if foes else None),
    )
    assert form.in_contact(table.state, HOUSE, table.unit(0), table.unit(1)) == 8


@pytest.mark.clause("RG-ATT-3")
def test_a_monster_counts_its_wounds_left() -> None:
    table = duel("giant", "levy", HOUSE, ("g3.4", "house.1:0"), wounds=2)
    assert form.in_contact(table.state, HOUSE, table.unit(1), table.unit(0)) == 4
    assert form.strength(table.state, table.unit(0)) == 4


@pytest.mark.clause("RG-HOUSE-FIGHT", "RG-ATT-3")
def test_a_garrison_takes_nothing_of_a_front_that_meets_others_in_the_open() -> None:
    table = Table(
        HOUSE,
        unit("levy", at="g3.6", foes={1: 0, 2: 0}),
        unit("levy", at="house.1:0", side=1, foes={0: 0}),
        unit("levy", at="g3.7", side=1, foes={0: 0}),
    )
    assert form.in_contact(table.state, HOUSE, table.unit(0), table.unit(2)) == 5


@pytest.mark.clause("RG-HOUSE-FORM")
def test_the_dead_of_a_round_strike_once_less_not_once_for_each_enemy() -> None:
    """And who stood before them as the round began is still before the living."""
    table = Table(
        FIELD,
        unit("levy", at="g4.4", foes={1: 0, 2: 0}, fell=2),
        unit("levy", at="g5.4", side=1, facing=WEST, foes={0: 0}),
        unit("levy", at="g5.5", side=1, facing=WEST, foes={0: 0}),
    )
    assert form.strikers(table.state, FIELD, table.unit(0)) == {1: 1, 2: 3}
    thinned = duel("levy", "levy", foe_models=2, foe_fell=3)
    assert form.strikers(thinned.state, FIELD, thinned.unit(0)) == {1: 5}


@pytest.mark.clause("RG-HOUSE-FORM")
def test_all_who_fell_in_a_round_are_counted_blow_upon_blow() -> None:
    table = duel("levy", "ogres", foe_files=4)
    for wounds in (4, 3, 2):
        losses.hurt(table.r, table.unit(1), wounds, "blows", melee=True)
    assert (table.unit(1).models, table.unit(1).own.wounds, table.unit(1).own.fell) == (3, 0, 3)
    losses.hurt(table.r, table.unit(1), 3, "shot")
    assert table.unit(1).own.fell == 3


@pytest.mark.clause("RG-ATT-3")
def test_no_model_of_a_garrison_strikes_twice() -> None:
    table = Table(
        HOUSE,
        unit("levy", at="g3.4", foes={2: 0}),
        unit("levy", at="g6.4", facing=WEST, foes={2: 0}),
        unit("levy", at="house.1:0", side=1, models=7, foes={0: 0, 1: 0}),
    )
    assert form.strikers(table.state, HOUSE, table.unit(2)) == {0: 5, 1: 2}


@pytest.mark.clause("RG-ATT-3")
def test_through_inner_walls_five_models_fight_two_of_monstrous_infantry() -> None:
    roomy = row("{garrison: {roomy: true}}", "{garrison: {roomy: true}}")
    for one, two, expected in (
        ("levy", "levy", (5, 5)),
        ("ogres", "levy", (2, 5)),
        ("trolls", "ogres", (2, 2)),
    ):
        table = duel(one, two, roomy, ("row.r1:0", "row.r2:0"))
        assert form.in_contact(table.state, roomy, table.unit(0), table.unit(1)) == expected[0]
        assert form.in_contact(table.state, roomy, table.unit(1), table.unit(0)) == expected[1]
    tall = house(floors=4)
    floors = duel("levy", "levy", tall, ("house.1:0", "house.1:3"))
    assert form.in_contact(floors.state, tall, floors.unit(0), floors.unit(1)) == 5


@pytest.mark.clause("RG-ATT-3")
def test_an_attackers_character_counts_with_its_unit_strength() -> None:
    """Five of the levy and the captain touch the house: six of the garrison answer them."""
    table = Table(
        HOUSE,
        unit("levy", at="g3.4", foes={1: 0}),
        unit("levy", at="house.1:0", side=1, foes={0: 0}),
        unit("captain", at="g3.4", joined=0),
    )
    assert form.strikers(table.state, HOUSE, table.unit(0)) == {1: 5}
    assert form.strikers(table.state, HOUSE, table.unit(1)) == {0: 6}


@pytest.mark.clause("RG-ATT-3", "RG-ATT-4")
@pytest.mark.parametrize(("against", "blows"), [(-1, {0: 4, 1: 5}), (0, {0: 4, 1: 5}), (1, {0: 5, 1: 4})])
def test_a_garrisons_character_takes_a_place_against_the_enemy_it_chose(
    against: int, blows: dict[int, int]
) -> None:
    """Five of strength touch the house on each side: as much answers, the captain being one of them."""
    table = Table(
        HOUSE,
        unit("levy", at="g3.4", foes={2: 0}),
        unit("levy", at="g6.4", facing=WEST, foes={2: 0}),
        unit("levy", at="house.1:0", side=1, foes={0: 0, 1: 0}),
        unit("captain", at="house.1:0", side=1, joined=2, against=against),
    )
    assert form.strikers(table.state, HOUSE, table.unit(2)) == blows


@pytest.mark.clause("RG-ATT-3")
def test_characters_are_among_the_five_who_fight_through_an_inner_wall() -> None:
    table = Table(
        ROW,
        unit("levy", at="row.r1:0", foes={1: 0}),
        unit("levy", at="row.r2:0", side=1, foes={0: 0}),
        unit("captain", at="row.r1:0", joined=0),
        unit("general", at="row.r1:0", joined=0),
    )
    assert form.strikers(table.state, ROW, table.unit(0)) == {1: 3}
    assert form.strikers(table.state, ROW, table.unit(1)) == {0: 5}


# ---- entrenched ------------------------------------------------------------------------------------------------------


@pytest.mark.clause("RG-HOUSE-FIGHT", "RG-ATT-2")
@pytest.mark.parametrize(("charged", "need"), [(True, 5), (False, 4)])
def test_who_charges_the_entrenched_hits_less_in_the_first_round(charged: bool, need: int) -> None:
    table = duel("levy", "levy", HOUSE, ("g3.4", "house.1:0"), charged=charged, dice=[[1] * 5])
    table.do(strike(table, 0, 1, 5, False))
    assert table.events(Rolled)[0].need == need
    assert ("RG-ATT-2" in table.clauses()) == charged
    table.done()


@pytest.mark.clause("RG-HOUSE-ROOMS")
def test_both_garrisons_are_entrenched_against_one_another() -> None:
    table = duel("levy", "swordsmen", ROW, ("row.r1:0", "row.r2:0"), charged=True, dice=[[1] * 5])
    assert order_of_blows(table.state, ROW, (0, 1))[0] == (False, ((1, 0),))
    table.do(strike(table, 0, 1, 5, False))
    assert table.events(Rolled)[0].need == 5
    assert "RG-HOUSE-ROOMS" in table.clauses()
    table.done()


@pytest.mark.clause("RG-HOUSE-TERRAIN")
@pytest.mark.parametrize(("kind", "need"), [("wall", 5), ("hedge", 5), ("fence", 4)])
def test_walls_and_hedges_entrench_fences_do_not(kind: str, need: int) -> None:
    board = field(f"terrain: [{{kind: {kind}, line: [[15, 12], [15, 15]]}}]")
    table = duel("levy", "levy", board, charged=True, dice=[[1] * 5])
    table.do(strike(table, 0, 1, 5, True))
    assert table.events(Rolled)[0].need == need
    table.done()


@pytest.mark.clause("RG-ATT-2")
def test_every_side_of_a_house_is_the_front_of_its_garrison() -> None:
    """Whatever it faces, nobody takes it in flank or rear."""
    for facing in range(8):
        table = Table(
            HOUSE,
            unit("levy", at="g3.4", facing=EAST, foes={1: 0}),
            unit("levy", at="house.1:0", side=1, facing=facing, foes={0: 0}),
            dice=[[1] * 5, [1] * 5],
        )
        assert ground.arc_of(HOUSE, table.unit(1), HOUSE.space("g3.4")) == 0
        table.do(Fight(tuple(u for u in table.state.units if table.unit(u).own.joined < 0)))
        (result,) = table.events(Result)
        assert "flank" not in result.first
        table.done()


# ---- traits ----------------------------------------------------------------------------------------------------------


@pytest.mark.clause("RG-HOUSE-TRAITS")
def test_impact_is_d6_hits_at_s_on_a_charge() -> None:
    table = duel("chariot", "levy", charged=True, dice=[4, [2, 2, 2, 1]])
    table.do(Impact(0, 1))
    assert [e.lost for e in table.events(ModelsLost)] == [3]  # S 5 against T 3: 2 and more
    table.done()


@pytest.mark.clause("RG-ATT-2")
def test_a_garrison_ignores_impact_hits() -> None:
    table = duel("ogres", "levy", HOUSE, ("g3.4", "house.1:0"), charged=True)
    table.do(Impact(0, 1))
    assert table.events(Rolled) == []
    assert "RG-ATT-2" in table.clauses()
    table.done()


@pytest.mark.clause("RG-HOUSE-TRAITS")
def test_there_is_no_impact_without_a_charge() -> None:
    table = duel("chariot", "levy", dice=[[1] * 4, [1] * 3, [1, 1]])
    table.do(Fight(tuple(u for u in table.state.units if table.unit(u).own.joined < 0)))
    assert "impact" not in [e.purpose for e in table.events(Rolled)]
    table.done()


@pytest.mark.clause("RG-HOUSE-TRAITS")
def test_frenzy_is_one_more_attack() -> None:
    table = duel("zealots", "levy", dice=[[1] * 10])
    table.do(Tier(((0, 1),), False))
    assert blows(table) == [(0, 1, 10)]
    table.done()


# ---- characters ------------------------------------------------------------------------------------------------------


@pytest.mark.clause("RG-HOUSE-AURA")
def test_characters_fight_with_their_own_profile_beside_their_unit() -> None:
    table = Table(
        FIELD,
        unit("levy", at="g4.4", foes={1: 0}),
        unit("levy", at="g5.4", side=1, facing=WEST, foes={0: 0}),
        unit("captain", at="g4.4", joined=0),
        dice=[[3, 3, 2], [3, 1], [1] * 5, [1] * 4],
        phase=4,
    )
    order = order_of_blows(table.state, FIELD, (0, 1))
    assert order == [(False, ((2, 1),)), (False, ((0, 1), (1, 0)))]  # initiative 5 before 3
    for first, pairs in order:
        table.do(Tier(pairs, first))
    assert blows(table) == [(2, 1, 3), (0, 1, 5), (1, 0, 4)]
    assert table.unit(1).models == 19
    table.done()


@pytest.mark.clause("RG-HOUSE-AURA")
def test_characters_meet_characters() -> None:
    table = Table(
        FIELD,
        unit("levy", at="g4.4", foes={1: 0}),
        unit("levy", at="g5.4", side=1, facing=WEST, foes={0: 0}),
        unit("captain", at="g4.4", joined=0),
        unit("captain", at="g5.4", side=1, joined=1),
        dice=[[4, 4, 1], [4, 4], [1, 1]],
    )
    table.do(strike(table, 2, 1, 3, False))
    assert not table.unit(3).alive
    assert table.unit(1).models == 20
    table.done()


def three(*more: dict[str, Any], dice: Any = ()) -> Table:
    """A garrison with a captain between two attackers."""
    return Table(
        HOUSE,
        unit("levy", at="g3.4", facing=EAST, foes={2: 0}),
        unit("swordsmen", at="g6.4", facing=WEST, foes={2: 0}),
        unit("levy", at="house.1:0", side=1, foes={0: 0, 1: 0}),
        unit("captain", at="house.1:0", side=1, joined=2),
        *more,
        dice=dice,
        phase=4,
    )


@pytest.mark.clause("RG-ATT-4")
def test_a_garrison_chooses_with_whom_its_characters_are_in_contact() -> None:
    for chosen in (0, 1):
        table = three()
        table.do(AgainstWhom(3, side=1))
        assert table.legal == [At(0), At(1)]
        table.say(At(chosen))
        pairs = [pair for _, tier in order_of_blows(table.state, HOUSE, (0, 1, 2)) for pair in tier]
        assert [foe for who, foe in pairs if who == 3] == [chosen]
        assert "RG-ATT-4" in table.clauses()
        table.done()


@pytest.mark.clause("RG-ATT-4")
def test_the_garrisons_side_is_asked_before_the_blows_and_may_change_its_mind() -> None:
    table = three(dice=[[1, 1, 1], [1] * 5, [1] * 5, [1] * 5, [1] * 4, [1, 1]])
    ask = table.do(Fight(tuple(u for u in table.state.units if table.unit(u).own.joined < 0)))
    assert isinstance(ask, AgainstWhom)
    assert ask.side == 1
    table.say(At(1))
    assert table.unit(3).own.against == 1
    again = Table(
        HOUSE,
        unit("levy", at="g3.4", foes={1: 0}),
        unit("levy", at="house.1:0", side=1, foes={0: 0}),
        unit("captain", at="house.1:0", side=1, joined=1),
        dice=[[1, 1, 1], [1] * 5, [1] * 4, [1, 1]],
    )
    again.do(Fight((0, 1)))  # one enemy: nothing to choose
    assert again.ask is None


@pytest.mark.clause("RG-ATT-4")
def test_out_of_doors_nobody_is_asked_against_whom() -> None:
    table = Table(
        FIELD,
        unit("levy", at="g4.4", foes={1: 0, 2: 0}),
        unit("levy", at="g5.4", side=1, facing=WEST, foes={0: 0}),
        unit("levy", at="g5.5", side=1, facing=WEST, foes={0: 0}),
        unit("captain", at="g4.4", joined=0),
        dice=[[1] * 3, [1] * 3, [1] * 3, [1] * 3, [1] * 3, [1, 1]],
        phase=4,
    )
    table.do(Fight((0, 1, 2)))
    assert table.ask is None
    assert [(who, foe) for who, foe, _ in blows(table) if who == 3] == [(3, 1)]
    table.done()


@pytest.mark.clause("RG-ATT-4")
def test_a_character_that_holds_a_house_alone_is_asked_too() -> None:
    table = Table(
        HOUSE,
        unit("levy", at="g3.4", facing=EAST, foes={2: 0}),
        unit("levy", at="g6.4", facing=WEST, foes={2: 0}),
        unit("captain", at="house.1:0", side=1, foes={0: 0, 1: 0}),
        phase=4,
    )
    table.do(Fight((0, 1, 2)))
    assert table.ask == AgainstWhom(2, side=1)
    assert table.legal == [At(0), At(1)]


@pytest.mark.clause("RG-HOUSE-FORM", "RG-HOUSE-RESULT")
def test_who_fell_and_what_was_dealt_in_the_last_round_is_past() -> None:
    """Five strike on each side; the draw says that no old wound counts, of the unit's or of its character's."""
    table = Table(
        FIELD,
        unit("levy", at="g4.4", foes={1: 0}, fell=3, dealt=2),
        unit("levy", at="g5.4", side=1, facing=WEST, foes={0: 0}, fell=1),
        unit("captain", at="g4.4", joined=0, dealt=4),
        dice=[[1] * 3, [1] * 5, [1] * 5, [1, 1]],
        phase=4,
    )
    table.do(Fight((0, 1)))
    assert sorted(blows(table)) == [(0, 1, 5), (1, 0, 5), (2, 1, 3)]
    assert [event.points for event in table.events(Result)] == [(4, 3)]  # numbers: the captain
    table.done()


# ---- exact odds ------------------------------------------------------------------------------------------------------


def wounds_of(table: Table, number: int, *strikes: Strike) -> dict[int, Fraction]:
    endings = outcomes(table.state, table.board, RULESET, *strikes)
    before = table.unit(number).models
    return distribution(endings, lambda state: before - state.units[number].models)


@pytest.mark.clause("RG-HOUSE-FIGHT")
def test_blows_against_exact_arithmetic() -> None:
    table = duel("swordsmen", "spearmen")
    found = wounds_of(table, 1, strike(table, 0, 1, 5, False))
    one = d6.map(lambda hit: 0 if hit < 3 else d6.map(lambda w: 0 if w < 4 else d6.map(lambda s: int(s < 5))))
    whole = 5 @ one
    assert found == {int(n): Fraction(whole.quantity(n), whole.denominator()) for n in whole.outcomes()}


@pytest.mark.clause("RG-HOUSE-FIGHT")
def test_one_more_blow_never_lowers_losses_and_walls_never_raise_them() -> None:
    open_, inside = [], []
    for blows in range(1, 6):
        for board, at, found in ((FIELD, ("g4.4", "g5.4"), open_), (HOUSE, ("g3.4", "house.1:0"), inside)):
            table = duel("levy", "levy", board, at, charged=True)
            endings = outcomes(table.state, board, RULESET, strike(table, 0, 1, blows, True))
            found.append(mean(endings, lambda state: 20 - state.units[1].models))
    assert open_ == sorted(open_)
    assert inside == sorted(inside)
    assert all(a > b for a, b in zip(open_, inside, strict=True))
