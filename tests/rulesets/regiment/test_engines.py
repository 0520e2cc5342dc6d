"""Cannon, stones, flames and bolts, and what they do to buildings (RG-SHOOT-3..6, RG-HOUSE-ENGINES, -AIM, -CREW)."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest

from battlesim.board.board import Board
from battlesim.core.events import ModelsLost, Rolled, StructureSet
from battlesim.core.state import Structure
from battlesim.rulesets.regiment import battery, harm, model, rooms, shoot, templates
from battlesim.rulesets.regiment.battery import artillery
from battlesim.rulesets.regiment.data import TYPES, WEAPONS
from battlesim.rulesets.regiment.engines import Fire
from battlesim.rulesets.regiment.move import can_act
from battlesim.rulesets.regiment.ruleset import RULESET
from battlesim.rulesets.regiment.templates import flame_models
from battlesim.search.odds import mean, outcomes
from tests.rulesets.regiment.grounds import FIELD, HOUSE, HUT, NORTH, SOUTH, TALL, WEST, house
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
    assert [artillery(face) for face in range(1, 7)] == [0, 200, 400, 600, 800, 1000]


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
        assert shoot.can_shoot(table.state, table.unit(0)) == (silent < 2)
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
    assert harm.multiple(table.r, 2, table.unit(0), "ball", 1) == 2 + 1
    assert harm.multiple(table.r, 3, table.unit(1), "ball", 0) == 3
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
    tests = table.events(model.Tested)
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
    battery.shake(table.r, table.unit(0), table.room("house.1:0"))
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
        battery.shake(table.r, table.unit(0), table.room("house.1:3"))
    found = table.state.structures[0]
    assert (found.burning, found.fallen, found.own) == (True, False, {"unstable": [ground, upper]})
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
    assert [t.why for t in table.events(model.Tested)] == ["walls"]
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


# ---- tall buildings --------------------------------------------------------------------------------------------------


@pytest.mark.clause("RG-SHOOT-5")
def test_a_balls_impact_on_a_tall_building_hits_the_upper_floor_else_the_ground_floor() -> None:
    units = (
        unit("cannon", at="g0.4"),
        unit("levy", at="house.1:0", side=1),
        unit("spearmen", at="house.1:3", side=1),
    )
    on_it = fired(TALL, *units, dice=[SIX, 2, [2, 2], 1])
    assert (lost(on_it, 1), lost(on_it, 2)) == (0, 2)
    on_it.done()
    before_it = fired(TALL, *units, dice=[TWO, TWO, 2, [2, 2]])
    assert (lost(before_it, 1), lost(before_it, 2)) == (2, 0)
    before_it.done()


@pytest.mark.clause("RG-SHOOT-5", "RG-PART-3")
def test_only_the_room_that_is_struck_becomes_unstable() -> None:
    table = fired(
        TALL,
        unit("cannon", at="g0.4"),
        unit("levy", at="house.1:0", side=1),
        unit("spearmen", at="house.1:3", side=1),
        dice=[SIX, 1, [1], 3, [3, 4]],
    )
    assert rooms.is_unstable(table.state, table.room("house.1:3"))
    assert not rooms.is_unstable(table.state, table.room("house.1:0"))
    assert [t.unit for t in table.events(model.Tested)] == [2]
    table.done()


@pytest.mark.clause("RG-SHOOT-5")
@pytest.mark.parametrize("floor", ["house.1:0", "house.1:3"])
def test_a_stone_needs_no_sight_and_chooses_its_floor(floor: str) -> None:
    """Scatter 1-2: it comes down where it was aimed."""
    other = "house.1:3" if floor == "house.1:0" else "house.1:0"
    table = fired(
        TALL,
        unit("stone_thrower", at="g0.0"),
        unit("levy", at=floor, side=1),
        unit("levy", at=other, side=1),
        dice=[FOUR, 1, [4, 4, 4, 4, 2], 1],
    )
    assert (lost(table, 1), lost(table, 2)) == (4, 0)
    assert "RG-SHOOT-5" in table.clauses()
    table.done()


@pytest.mark.clause("RG-SHOOT-5")
def test_a_stone_that_drifts_on_to_a_tall_building_hits_the_upper_floor_its_rim_the_lower() -> None:
    units = (
        unit("stone_thrower", at="g4.9", facing=SOUTH),
        unit("levy", at="g4.4", side=1),
        unit("levy", at="house.1:0", side=1),
        unit("levy", at="house.1:3", side=1),
    )
    board = house(floors=4)
    assert board.by_name.get("g4.4") is None  # the house stands there: aim at a place beside it
    beside = (units[0], unit("levy", at="g2.4", side=1), *units[2:])
    table = fired(board, *beside, dice=[SIX, 3, 1, [4, 4, 4, 4, 4], 1])  # six inches east: hole on the house
    assert (lost(table, 2), lost(table, 3)) == (0, 5)
    table.done()
    table = fired(board, *beside, dice=[FOUR, 3, 1, [4, 4, 4, 4, 4]])  # four: half an inch before its wall
    assert (lost(table, 2), lost(table, 3)) == (5, 0)
    assert "walls" not in purposes(table)
    table.done()


@pytest.mark.clause("RG-SHOOT-5")
def test_only_what_flies_aims_flames_at_an_upper_floor() -> None:
    table = Table(
        TALL,
        unit("flame_cannon", at="g2.4"),
        unit("drake", at="g2.5"),
        unit("levy", at="house.1:0", side=1),
        unit("levy", at="house.1:3", side=1),
    )
    assert shoot.targets(table.state, TALL, table.unit(0)) == [2]
    assert shoot.targets(table.state, TALL, table.unit(1)) == [2, 3]
    table = fired(TALL, unit("drake", at="g2.4"), unit("levy", at="house.1:3", side=1), dice=[[4] * 10])
    assert lost(table, 1) == 10
    table.done()


# ---- templates -------------------------------------------------------------------------------------------------------


@pytest.mark.clause("RG-SHOOT-3")
def test_a_round_template_counts_five_of_a_garrison_and_none_under_the_hole() -> None:
    table = fired(
        HOUSE,
        unit("stone_thrower", at="g0.0"),
        unit("levy", at="house.1:0", side=1),
        dice=[FOUR, 2, [4] * 5, 1],
    )
    assert lost(table, 1) == 5
    assert purposes(table) == ["artillery", "scatter", "template wound", "walls"]
    table.done()
    roomy = house(own="{garrison: {roomy: true}}")
    table = fired(
        roomy,
        unit("stone_thrower", at="g0.0"),
        unit("ogres", at="house.1:0", side=1),
        dice=[FOUR, 2, [4, 4], 1],
    )
    assert (table.unit(1).models, table.unit(1).own.wounds) == (6, 2)
    table.done()


@pytest.mark.clause("RG-HOUSE-AIM")
def test_a_stone_in_the_open_has_one_under_its_hole_and_eight_about_it() -> None:
    table = fired(
        FIELD,
        unit("stone_thrower", at="g1.4"),
        unit("spearmen", at="g8.4", side=1),
        dice=[FOUR, 1, [2], [4, 4, 4, 4, 1, 1, 1, 1], [5, 5, 4, 4], [3, 3]],
    )
    assert lost(table, 1) == 1 + 4  # armour of 5 is 6 against S 4
    table.done()


@pytest.mark.clause("RG-HOUSE-AIM")
def test_a_stone_that_drifts_two_inches_touches_with_its_rim() -> None:
    table = fired(
        FIELD,
        unit("stone_thrower", at="g1.4"),
        unit("levy", at="g8.4", side=1),
        dice=[TWO, 3, 3, [4, 4, 4, 1]],
    )
    assert lost(table, 1) == 3
    table.done()
    far = fired(FIELD, unit("stone_thrower", at="g1.4"), unit("levy", at="g8.4", side=1), dice=[FOUR, 3, 3])
    assert lost(far, 1) == 0
    far.done()


@pytest.mark.clause("RG-HOUSE-AIM")
@pytest.mark.parametrize(
    ("at", "face", "direction", "dice"),
    [
        ("g9.4", TWO, 1, [[4, 1, 1, 1], [2], [1] * 8]),  # an inch short of those, two from these
        ("g9.5", FOUR, 2, [[2], [1] * 8]),  # four inches aslant are under three each way
    ],
)
def test_a_stone_drifts_so_many_inches_whichever_way(
    at: str, face: int, direction: int, dice: list[Any]
) -> None:
    """On friend and foe alike."""
    for side in (0, 1):
        table = fired(
            FIELD,
            unit("stone_thrower", at="g1.4"),
            unit("levy", at="g8.4", side=1),
            unit("levy", at=at, side=side),
            dice=[face, 3, direction, *dice],
        )
        assert lost(table, 2) == 1
        table.done()


@pytest.mark.clause("RG-HOUSE-AIM")
@pytest.mark.parametrize(
    ("kind", "models", "under"),
    [("levy", 3, 2), ("levy", 9, 8), ("levy", 12, 8), ("ogres", 6, 3), ("levy", 1, 0)],
)
@pytest.mark.parametrize("dies", [True, False])
def test_nine_infantry_lie_under_a_stone_with_the_one_under_its_hole_dead_or_not(
    kind: str, models: int, under: int, dies: bool
) -> None:
    """Fewer on broader bases; who is hit by the middle is one of them."""
    dice: list[Any] = [FOUR, 1, [2 if dies else 1]]
    if dies and kind == "ogres":
        dice.append([3])
    if under:
        dice.append([1] * under)
    if dies and 4 > models > 1:
        dice.append([1, 1])  # a quarter lost
    table = fired(
        FIELD, unit("stone_thrower", at="g1.4"), unit(kind, at="g8.4", side=1, models=models), dice=dice
    )
    assert lost(table, 1) == dies
    table.done()


@pytest.mark.clause("RG-SHOOT-5")
def test_a_stone_that_drifts_about_on_a_tall_building_hits_its_upper_floor() -> None:
    """Aimed at the ground floor; two inches on it is over the roof still, but came down where it would."""
    table = fired(
        TALL,
        unit("stone_thrower", at="g0.0"),
        unit("levy", at="house.1:0", side=1),
        unit("levy", at="house.1:3", side=1),
        dice=[TWO, 3, 1, [4] * 5, 1],
    )
    assert (lost(table, 1), lost(table, 2)) == (0, 5)
    table.done()


@pytest.mark.clause("RG-HOUSE-AIM")
@pytest.mark.parametrize(("face", "models"), [(TWO, 5), (FOUR, 10), (SIX, 5), (EIGHT, 0)])
def test_a_flame_in_the_open_counts_ten_within_an_inch_five_within_two_and_a_half(
    face: int, models: int
) -> None:
    """Nine inches off, aimed four short: two too short, upon it, two and four too far."""
    dice: list[Any] = [face] + ([[1] * models] if models else [])
    table = fired(FIELD, unit("flame_cannon", at="g1.4"), unit("levy", at="g4.4", side=1), dice=dice)
    assert [struck.number for struck in table.happened("struck")] == ([models] if models else [])
    table.done()


@pytest.mark.clause("RG-SHOOT-3", "RG-SHOOT-6")
def test_a_flame_wholly_on_the_building_counts_ten_partly_five() -> None:
    polygon = HOUSE.sections[0].polygon
    found = {
        x: flame_models(polygon, (x, 1500))
        for x in (1000, 1074, 1075, 1200, 1324, 1325, 1500, 1675, 1676, 1900, 1926)
    }
    assert found == {
        1000: 0, 1074: 0, 1075: 5, 1200: 5, 1324: 5, 1325: 10, 1500: 10, 1675: 10, 1676: 5, 1900: 5, 1926: 0,
    }  # fmt: skip


@pytest.mark.clause("RG-SHOOT-3", "RG-SHOOT-6")
@pytest.mark.parametrize(("face", "models"), [(TWO, 0), (FOUR, 5), (SIX, 10), (EIGHT, 10), (TEN, 5)])
def test_a_flame_cannon_leaps_as_its_die_shows(face: int, models: int) -> None:
    """From g2.4 the wall is 4.5 inches away; it is aimed four short."""
    dice: list[Any] = [face] + ([[4] * models] if models else [])
    if models:
        dice[1] = [4] * models
    table = fired(HOUSE, unit("flame_cannon", at="g2.4"), unit("levy", at="house.1:0", side=1), dice=dice)
    assert lost(table, 1) == models
    assert ("RG-SHOOT-6" in table.clauses()) == (models == 5)
    table.done()


@pytest.mark.clause("RG-SHOOT-3", "RG-SHOOT-6")
def test_of_monstrous_infantry_a_flame_counts_two_where_it_lies_partly_but_ten_wholly_on_the_building() -> (
    None
):
    """The two of RG-SHOOT-6 stand beside its five; wholly on the building the clause knows only one number."""
    roomy = house(own="{garrison: {roomy: true}}")
    for face, hit in ((FOUR, 2), (SIX, 8)):
        table = fired(
            roomy,
            unit("flame_cannon", at="g2.4"),
            unit("ogres", at="house.1:0", side=1, models=8),
            dice=[face, [1] * hit],
        )
        (struck,) = table.happened("struck")
        assert struck.number == hit
        table.done()
    breathed = fired(
        roomy,
        unit("drake", at="g2.4"),
        unit("ogres", at="house.1:0", side=1, models=12),
        dice=[[1] * 10],
    )
    assert [struck.number for struck in breathed.happened("struck")] == [10]


@pytest.mark.clause("RG-HOUSE-AIM")
def test_breath_needs_no_die_and_ten_lie_under_it_where_it_is_near() -> None:
    for at, models in (("g4.5", 10), ("g5.5", 10), ("g4.4", 5)):
        table = fired(
            FIELD,
            unit("drake", at="g4.6", facing=SOUTH),
            unit("levy", at=at, side=1),
            dice=[[1] * models],
        )
        (struck,) = table.happened("struck")
        assert struck.number == models
        table.done()


# ---- bolts -----------------------------------------------------------------------------------------------------------


@pytest.mark.clause("RG-HOUSE-ENGINES")
def test_a_bolt_goes_through_rank_after_rank_at_one_less() -> None:
    """S 6, 5, 4, 3 against T 3: needs 2, 2, 3, 4; it stops where it does not wound."""
    bolt = unit("bolt_thrower", at="g1.4")
    levy = unit("levy", at="g6.4", side=1, models=30)
    table = fired(FIELD, bolt, levy, dice=[[3], [2], [2], [3], [3]])
    assert lost(table, 1) == 3
    assert [e.need for e in table.events(Rolled)][1:] == [2, 2, 3, 4]
    table.done()
    missed = fired(FIELD, bolt, levy, dice=[[2]])
    assert lost(missed, 1) == 0
    missed.done()


@pytest.mark.clause("RG-HOUSE-SHOOT", "RG-HOUSE-ENGINES")
@pytest.mark.parametrize(
    ("at", "foe", "goal"),
    [("g8.4", "levy", 3), ("g9.4", "levy", 4), ("g8.4", "giant", 2), ("g9.4", "giant", 3)],
)
def test_a_bolt_is_shot_by_bs(at: str, foe: str, goal: int) -> None:
    """BS 4; far is more than 24 of its 48 inches."""
    table = fired(FIELD, unit("bolt_thrower", at="g0.4"), unit(foe, at=at, side=1), dice=[[1]])
    assert [e.need for e in table.events(Rolled)] == [goal]
    table.done()


@pytest.mark.clause("RG-HOUSE-SHOOT")
@pytest.mark.parametrize(("ward", "killed"), [(5, 0), (4, 1)])
def test_wards_help_against_bolts(ward: int, killed: int) -> None:
    """S 6 leaves the general's armour of 4 nothing."""
    table = fired(
        FIELD,
        unit("bolt_thrower", at="g1.4"),
        unit("general", at="g6.4", side=1, wounds=2),
        dice=[[3], [2], [ward]],
    )
    assert lost(table, 1) == killed
    table.done()


@pytest.mark.clause("RG-HOUSE-ENGINES")
def test_a_bolt_is_spent_after_six_ranks() -> None:
    """S 6 to 1; its last needs a six."""
    table = fired(
        FIELD,
        unit("bolt_thrower", at="g1.4"),
        unit("levy", at="g6.4", side=1, models=40),
        dice=[[3], *([[6]] * 6)],
    )
    assert [e.need for e in table.events(Rolled)][1:] == [2, 2, 3, 4, 5, 6]
    assert lost(table, 1) == 6
    table.done()


@pytest.mark.clause("RG-SHOOT-3", "RG-RES-2")
def test_a_bolt_meets_as_many_ranks_of_a_garrison_as_count_for_combat() -> None:
    """Twelve men are three ranks at minimum width, however wide they stood; hard cover makes the shot need 5."""
    table = fired(
        HOUSE,
        unit("bolt_thrower", at="g0.4"),
        unit("levy", at="house.1:0", side=1, models=12, files=12),
        dice=[[5], [6], [6], [6]],
    )
    assert lost(table, 1) == 3
    table.done()


@pytest.mark.clause("RG-HOUSE-ENGINES")
@pytest.mark.parametrize(
    ("hurt", "dice", "killed", "left"),
    [
        (0, [[3], [2]], 0, 1),  # one wound, no D3: the ogre stands, the bolt sticks
        (1, [[3], [2]], 0, 2),
        (2, [[3], [2], [2]], 1, 0),  # the last wound of the first; S 5 does not wound the second
        (2, [[3], [2], [3]], 1, 1),  # it does: a fresh ogre, and it sticks
    ],
)
def test_a_bolt_takes_one_wound_and_goes_no_further_than_it_kills(
    hurt: int, dice: list[Any], killed: int, left: int
) -> None:
    table = fired(
        FIELD,
        unit("bolt_thrower", at="g1.4"),
        unit("ogres", at="g6.4", side=1, models=8, wounds=hurt),
        dice=dice,
    )
    assert (lost(table, 1), table.unit(1).own.wounds) == (killed, left)
    assert [event.number for event in table.happened("pierced")] == [killed]
    table.done()


@pytest.mark.clause("RG-HOUSE-ENGINES", "RG-HOUSE-SHOOT")
@pytest.mark.parametrize(
    ("kind", "dice", "needs", "killed"),
    [
        ("knights", [[3], [2], [5]], [2, 5], 0),  # a save of 2 is 5 against S 6
        ("knights", [[3], [2], [4], [2], [4]], [2, 5, 2, 4], 1),  # and 4 against the S 5 of the next rank
        ("axemen", [[3], [2], [3], [6]], [2, 3, 6], 1),  # a save of 4 is none against S 6, 6 against S 5
    ],
)
def test_armour_helps_against_bolts_as_against_other_shots(
    kind: str, dice: list[Any], needs: list[int], killed: int
) -> None:
    table = fired(
        FIELD,
        unit("bolt_thrower", at="g1.4"),
        unit(kind, at="g6.4", side=1, models=20, files=5),
        dice=dice,
    )
    assert [e.need for e in table.events(Rolled)][1:] == needs
    assert lost(table, 1) == killed
    table.done()


# ---- what it leads to ------------------------------------------------------------------------------------------------


@pytest.mark.clause("RG-PSY-1")
def test_a_sound_house_shields_from_panic_whatever_the_losses() -> None:
    levy = unit("levy", at="house.1:0", side=1, models=8)
    drake = unit("drake", at="g2.4")
    table = fired(HOUSE, drake, levy, dice=[[4] * 6 + [1, 1]])
    assert lost(table, 1) == 6
    assert table.events(model.Tested) == []
    assert "RG-PSY-1" in table.clauses()
    table.done()
    shaken = fired(
        HOUSE,
        drake,
        levy,
        dice=[[4] * 6 + [1, 1], [3, 3]],
        structures=[Structure(0, own={"unstable": [HOUSE.space("house.1:0")]})],
    )
    assert [t.why for t in shaken.events(model.Tested)] == ["panic"]
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
    assert [(t.unit, t.why) for t in table.events(model.Tested)] == [(2, "panic")]
    table.done()


def test_engines_act_in_the_movement_phase_but_not_after_it() -> None:
    table = Table(FIELD, unit("cannon", at="g1.4"))
    assert can_act(table.state, FIELD, table.unit(0))
