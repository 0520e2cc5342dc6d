"""The artillery die, misfires, cannon, walls that give (RG-SHOOT-3, RG-SHOOT-4, RG-HOUSE-ENGINES, -AIM, -CREW, -WALLS)."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest

from battlesim.board.board import Board
from battlesim.core.events import ModelsLost, Rolled, StructureSet
from battlesim.core.state import Structure
from battlesim.rulesets.regiment import battery, casualties, facts, rooms, targets, templates
from battlesim.rulesets.regiment.battery import artillery_length
from battlesim.rulesets.regiment.data import TYPES, WEAPONS
from battlesim.rulesets.regiment.engines import Fire
from battlesim.rulesets.regiment.move import can_act
from battlesim.rulesets.regiment.ruleset import RULESET
from battlesim.search.odds import mean, outcomes
from tests.rulesets.regiment.grounds import FIELD, HOUSE, HUT, NORTH, TALL, WEST, house
from tests.rulesets.regiment.kit import Table, unit

SHORT = 1
TWO, FOUR, SIX, EIGHT, TEN = 2, 3, 4, 5, 6
"""Faces of the artillery die, named by the inches they stand for."""


def fired(board: Board, *units: dict[str, Any], dice: list[Any], **more: Any) -> Table:
    table = Table(board, *units, dice=dice, **more)
    table.do(Fire(0, 1))
    return table


def purposes(table: Table) -> list[str]:
    return [event.purpose for event in table.events(Rolled)]


def lost(table: Table, number: int) -> int:
    return sum(event.lost for event in table.events(ModelsLost) if event.unit == number)


# ---- the dice --------------------------------------------------------------------------------------------------------


@pytest.mark.clause("RG-HOUSE-AIM", "RG-HOUSE-ENGINES")
def test_the_artillery_die() -> None:
    assert [artillery_length(face) for face in range(1, 7)] == [0, 200, 400, 600, 800, 1000]


@pytest.mark.clause("RG-HOUSE-ENGINES")
def test_what_the_engines_are() -> None:
    rows = {name: (w.way, w.minimum, w.range, w.strength) for name, w in WEAPONS.items() if w.way != "shot"}
    assert rows == {
        "cannon": ("cannon", 0, 4800, 10),
        "stone": ("stone", 1200, 6000, 4),
        "bolt": ("bolt", 0, 4800, 6),
        "flame": ("flame", 0, 1200, 5),
        "breath": ("breath", 0, 800, 4),
    }
    assert templates.HOLE_STRENGTH == 8


@pytest.mark.clause("RG-HOUSE-CREW")
@pytest.mark.parametrize(
    ("face", "alive", "silent"),
    [(1, False, 0), (2, False, 0), (3, True, 3), (4, True, 3), (5, True, 0), (6, True, 0)],
)
def test_misfires(face: int, alive: bool, silent: int) -> None:
    table = fired(FIELD, unit("cannon", at="g1.4"), unit("levy", at="g8.4", side=1), dice=[1, face], turn=2)
    assert table.unit(0).alive == alive
    assert table.unit(0).own.silent == silent
    assert lost(table, 1) == 0
    if alive:
        assert targets.can_shoot(table.state, table.unit(0)) == (silent < 2)
    table.done()


@pytest.mark.clause("RG-HOUSE-CREW")
def test_crews_of_three_never_move_and_shoot_nor_garrison() -> None:
    for kind in TYPES.values():
        if kind.engine:
            assert kind.models == 3
            assert WEAPONS[kind.weapon].steady
            assert not rooms.may_hold(kind, table_room(house(own="{garrison: {roomy: true}}")))
    assert {name for name, w in WEAPONS.items() if w.blind} == {"stone"}


def table_room(board: Board, name: str = "house.1:0") -> rooms.Room:
    room = rooms.room_at(board, board.space(name))
    assert room is not None
    return room


# ---- cannon ----------------------------------------------------------------------------------------------------------


@pytest.mark.clause("RG-HOUSE-AIM", "RG-HOUSE-ENGINES")
@pytest.mark.parametrize(
    ("first", "bounce", "hits"),
    [
        (EIGHT, SHORT, True),  # eight short and eight on: right on it
        (TWO, FOUR, False),  # six short, bounces four
        (TWO, SIX, True),
        (SIX, SHORT, False),  # it sticks
        (SIX, TWO, True),
        (TEN, TEN, False),  # over it
    ],
)
def test_a_ball_comes_down_and_bounces(first: int, bounce: int, hits: bool) -> None:
    dice: list[Any] = [first, bounce]
    if hits:
        dice += [[2, 2, 2, 1]]
    table = fired(FIELD, unit("cannon", at="g1.4"), unit("levy", at="g8.4", side=1, facing=WEST), dice=dice)
    assert lost(table, 1) == (3 if hits else 0)  # one model a rank of four
    table.done()


@pytest.mark.clause("RG-HOUSE-AIM")
def test_a_ball_meets_a_file_of_who_stands_with_his_flank_to_it() -> None:
    table = fired(
        FIELD,
        unit("cannon", at="g1.4"),
        unit("levy", at="g8.4", side=1, facing=NORTH),
        dice=[EIGHT, SHORT, [2, 2, 2, 1, 1]],
    )
    assert lost(table, 1) == 3
    table.done()


@pytest.mark.clause("RG-HOUSE-ENGINES")
def test_a_ball_takes_d3_wounds_and_no_armour_helps() -> None:
    table = fired(
        FIELD,
        unit("cannon", at="g1.4"),
        unit("ogres", at="g8.4", side=1, facing=WEST),
        dice=[EIGHT, SHORT, [2, 2], [3, 2]],
    )
    assert table.unit(1).models == 5
    assert table.unit(1).own.wounds == 2
    table.done()


@pytest.mark.clause("RG-HOUSE-ENGINES")
def test_no_model_loses_more_wounds_than_it_has() -> None:
    """D3 each: of two wounds no more than two, of one no die at all."""
    table = Table(FIELD, unit("captain", at="g4.4"), unit("levy", at="g6.4", side=1), dice=[[3, 1]])
    assert casualties.multiple_wounds(table.r, 2, table.unit(0), "ball", 1) == 2 + 1
    assert casualties.multiple_wounds(table.r, 3, table.unit(1), "ball", 0) == 3
    table.done()


@pytest.mark.clause("RG-HOUSE-ENGINES")
def test_a_ball_bounces_through_friend_and_foe_alike() -> None:
    table = fired(
        FIELD,
        unit("cannon", at="g1.4"),
        unit("levy", at="g8.4", side=1, facing=WEST),
        unit("levy", at="g10.4", side=1, facing=WEST),
        unit("levy", at="g9.6", side=1, facing=WEST),
        dice=[EIGHT, SIX, [2, 1, 1, 1], [2, 2, 1, 1]],
    )
    assert [lost(table, n) for n in (1, 2, 3)] == [1, 2, 0]
    table.done()


@pytest.mark.clause("RG-HOUSE-AIM")
def test_what_is_nearer_than_that_is_aimed_at_from_the_muzzle() -> None:
    """Six inches off: four on and two more reach it, as they would not from two inches behind the cannon."""
    table = fired(
        FIELD,
        unit("cannon", at="g1.4"),
        unit("levy", at="g3.4", side=1, facing=WEST),
        dice=[FOUR, TWO, [2, 2, 2, 2]],
    )
    assert lost(table, 1) == 4
    table.done()


@pytest.mark.clause("RG-HOUSE-AIM")
def test_a_ball_meets_who_stands_within_an_inch_of_where_it_comes_down() -> None:
    """It comes down 19 inches off: the levy at 18 is struck, the one at 21 not."""
    table = fired(
        FIELD,
        unit("cannon", at="g1.4"),
        unit("levy", at="g8.4", side=1, facing=WEST),
        unit("levy", at="g7.4", side=1, facing=WEST),
        dice=[SIX, SHORT, [2, 1, 1, 1]],
    )
    assert [lost(table, n) for n in (1, 2)] == [0, 1]
    table.done()


@pytest.mark.clause("RG-HOUSE-AIM", "RG-SHOOT-3")
def test_a_building_stops_the_ball() -> None:
    """It comes down on the levy before the house and bounces in; it would go on to those behind it."""
    table = fired(
        HOUSE,
        unit("cannon", at="g0.4"),
        unit("levy", at="g3.4", side=1, facing=WEST),
        unit("levy", at="house.1:0", side=1),
        unit("levy", at="g6.4", side=1, facing=WEST),
        dice=[EIGHT, TEN, [2, 1, 1, 1], 3, [2, 2, 1]],
    )
    assert [lost(table, n) for n in (1, 2, 3)] == [1, 2, 0]
    table.done()


@pytest.mark.clause("RG-SHOOT-3")
@pytest.mark.parametrize(("face", "hit"), [(1, 1), (2, 2), (3, 3)])
def test_a_ball_hits_d3_of_a_garrison(face: int, hit: int) -> None:
    """From g0.4 the west wall is 10.5 inches away: aimed four short, six inches on lie in the house."""
    table = fired(
        HOUSE,
        unit("cannon", at="g0.4"),
        unit("levy", at="house.1:0", side=1),
        dice=[SIX, face, [2] * hit, 1],
    )
    assert lost(table, 1) == hit
    assert {"RG-SHOOT-3"} <= table.clauses()
    table.done()


@pytest.mark.clause("RG-SHOOT-3")
def test_d3_of_a_garrison_are_no_more_than_are_left_of_it() -> None:
    """One ogre is hit once, and takes D3 wounds once."""
    table = fired(
        house(own="{garrison: {roomy: true}}"),
        unit("cannon", at="g0.4"),
        unit("ogres", at="house.1:0", side=1, models=1),
        dice=[SIX, 3, [2], [2], 1],
    )
    assert (table.unit(1).models, table.unit(1).own.wounds) == (1, 2)
    table.done()


@pytest.mark.clause("RG-SHOOT-3")
def test_a_ball_that_bounces_in_hits_d3_but_does_not_shake_the_walls() -> None:
    """The point of impact lies before the house (RG-SHOOT-4)."""
    table = fired(
        HOUSE,
        unit("cannon", at="g0.4"),
        unit("levy", at="house.1:0", side=1),
        dice=[TWO, TWO, 2, [2, 2]],
    )
    assert lost(table, 1) == 2
    assert "walls" not in purposes(table)
    table.done()


@pytest.mark.clause("RG-SHOOT-4")
@pytest.mark.parametrize(
    ("board", "wounds", "gives"),
    [(HUT, 1, True), (HUT, 3, True), (HOUSE, 1, False), (HOUSE, 2, True), (HOUSE, 3, True)],
)
def test_more_wounds_than_the_level_make_a_building_unstable(board: Board, wounds: int, gives: bool) -> None:
    dice: list[Any] = [SIX, 1, [1], wounds]
    if gives:
        dice += [[3, 3]]
    table = fired(board, unit("cannon", at="g0.4"), unit("levy", at="house.1:0", side=1), dice=dice)
    assert rooms.is_unstable(table.state, table.room("house.1:0")) == gives
    assert len(table.events(StructureSet)) == gives
    tests = table.events(facts.Tested)
    assert [(t.unit, t.why, t.passed) for t in tests] == ([(1, "walls", True)] if gives else [])
    table.done()


@pytest.mark.clause("RG-SHOOT-4")
def test_a_garrison_that_panics_flees_out() -> None:
    table = fired(
        HUT,
        unit("cannon", at="g0.4"),
        unit("levy", at="house.1:0", side=1),
        dice=[SIX, 1, [1], 2, [6, 6], [1, 1]],
    )
    assert table.unit(1).own.fleeing
    assert table.board.spaces[table.unit(1).place].kind == "ground"
    table.done()


@pytest.mark.clause("RG-SHOOT-4")
def test_an_empty_building_is_shaken_too() -> None:
    table = Table(HUT, unit("cannon", at="g0.4"), dice=[2])
    battery.shake_walls(table.r, table.unit(0), table.room("house.1:0"))
    assert rooms.is_unstable(table.state, table.room("house.1:0"))
    table.done()


@pytest.mark.clause("RG-SHOOT-4", "RG-PART-3")
def test_a_room_that_gives_leaves_the_house_else_as_it_was() -> None:
    """The other room stays unstable, what burns burns on; a room gives once."""
    ground, upper = TALL.space("house.1:0"), TALL.space("house.1:3")
    table = Table(
        TALL,
        unit("cannon", at="g0.4"),
        structures=[Structure(0, burning=True, own={"unstable": [ground]})],
        dice=[3, 3],
    )
    for _ in range(2):
        battery.shake_walls(table.r, table.unit(0), table.room("house.1:3"))
    found = table.state.structures[0]
    assert (found.burning, found.fallen, found.own) == (True, False, {"unstable": (ground, upper)})
    assert len(table.events(StructureSet)) == 1
    table.done()


@pytest.mark.clause("RG-HOUSE-WALLS")
def test_every_roll_above_the_level_forces_the_test_unstable_already_or_not() -> None:
    brittle = house(own="{garrison: {unstable: true}}", material="wood")
    table = fired(
        brittle,
        unit("cannon", at="g0.4"),
        unit("levy", at="house.1:0", side=1),
        dice=[SIX, 1, [1], 1, [3, 3]],
    )
    assert [t.why for t in table.events(facts.Tested)] == ["walls"]
    table.done()


@pytest.mark.clause("RG-SHOOT-4")
def test_a_bolt_shakes_no_walls() -> None:
    """S 6 and single wounds."""
    table = fired(
        HOUSE,
        unit("bolt_thrower", at="g0.4"),
        unit("levy", at="house.1:0", side=1),
        dice=[[6], [6], [6], [1]],
    )
    assert "walls" not in purposes(table)


# ---- what it leads to ------------------------------------------------------------------------------------------------


@pytest.mark.clause("RG-PSY-1")
def test_a_sound_house_shields_from_panic_whatever_the_losses() -> None:
    levy = unit("levy", at="house.1:0", side=1, models=8)
    drake = unit("drake", at="g2.4")
    table = fired(HOUSE, drake, levy, dice=[[4] * 6 + [1, 1]])
    assert lost(table, 1) == 6
    assert table.events(facts.Tested) == []
    assert "RG-PSY-1" in table.clauses()
    table.done()
    shaken = fired(
        HOUSE,
        drake,
        levy,
        dice=[[4] * 6 + [1, 1], [3, 3]],
        structures=[Structure(0, own={"unstable": [HOUSE.space("house.1:0")]})],
    )
    assert [t.why for t in shaken.events(facts.Tested)] == ["panic"]
    shaken.done()


@pytest.mark.clause("RG-SHOOT-4", "RG-SHOOT-3")
def test_a_cannons_toll_of_a_garrison_by_enumeration() -> None:
    """Impact on the house with 4, 6 and 8 of the artillery die (10 goes over it, the line is aslant), or 2 and a bounce of 2 and
    more: 23 in 36 come in; D3 hits, five in six wound."""
    table = Table(HOUSE, unit("cannon", at="g0.4"), unit("levy", at="house.1:0", side=1))
    endings = outcomes(table.state, HOUSE, RULESET, Fire(0, 1), answer=RULESET.safe_answer)
    toll = mean(endings, lambda s: 0 if not s.units[1].alive else 20 - s.units[1].models)
    inside = Fraction(3, 6) + Fraction(1, 6) * Fraction(5, 6)
    assert toll == inside * 2 * Fraction(5, 6)


@pytest.mark.clause("RG-HOUSE-SHOOT")
def test_friends_who_lose_a_quarter_to_a_stray_ball_test_as_the_enemy_does() -> None:
    table = fired(
        FIELD,
        unit("cannon", at="g1.4"),
        unit("levy", at="g10.4", side=1, facing=WEST),
        unit("levy", at="g8.4", models=4),
        dice=[TWO, SHORT, [2], [1, 1]],
    )
    assert [(t.unit, t.why) for t in table.events(facts.Tested)] == [(2, "panic")]
    table.done()


@pytest.mark.clause("RG-HOUSE-FLEE")
def test_friends_who_panic_at_it_flee_from_the_enemy_not_from_the_gun() -> None:
    table = fired(
        FIELD,
        unit("cannon", at="g1.4"),
        unit("levy", at="g10.4", side=1, facing=WEST),
        unit("levy", at="g8.4", models=4),
        dice=[TWO, SHORT, [2], [6, 6], [1, 2]],
    )
    assert table.unit(2).own.fleeing
    assert table.where(2) == "g7.4"
    table.done()


def test_engines_act_in_the_movement_phase_but_not_after_it() -> None:
    table = Table(FIELD, unit("cannon", at="g1.4"))
    assert can_act(table.state, FIELD, table.unit(0))
