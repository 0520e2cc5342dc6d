"""Close combat: order of blows, the entrenched, traits (RG-HOUSE-FIGHT, RG-ATT-2, RG-HOUSE-TRAITS)."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest
from icepool import d6

from battlesim.board.board import Board
from battlesim.core.answers import Confirm
from battlesim.core.events import ModelsLost, Rolled, Scored
from battlesim.rulesets.regiment import casualties, ground
from battlesim.rulesets.regiment.facts import Result, Struck
from battlesim.rulesets.regiment.fight import (
    Fight,
    Impact,
    Strike,
    Tier,
    host_of,
    order_of_blows,
)
from battlesim.rulesets.regiment.rout import FollowIn
from battlesim.rulesets.regiment.ruleset import RULESET
from battlesim.search.odds import distribution, mean, outcomes
from tests.rulesets.regiment.grounds import EAST, FIELD, HOUSE, ROW, WEST, field
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
    table.say(Confirm(False))
    assert isinstance(table.ask, FollowIn)
    assert table.ask.unit == 1
    table.say(Confirm(True))
    assert (table.where(0), table.where(1)) == ("g3.4", "house.1:0")
    table.done()


@pytest.mark.clause("RG-HOUSE-TRAITS")
def test_nobody_is_run_into_who_is_no_more() -> None:
    table = duel("chariot", "levy", charged=True)
    casualties.destroy(table.r, table.unit(1), "gone")
    table.do(Impact(0, 1))
    assert table.events(Rolled) == []
    table.done()


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
