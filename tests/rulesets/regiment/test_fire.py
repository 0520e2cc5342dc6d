"""Shooting (RG-HOUSE-SHOOT, RG-SHOOT-1, RG-SHOOT-2, RG-ATT-5, RG-PART-2, RG-HOUSE-FORM)."""

from __future__ import annotations

from typing import Any

import pytest

from battlesim.board.board import Board
from battlesim.rulesets.regiment import form, line_of_sight
from battlesim.rulesets.regiment.facts_fire import Shot
from battlesim.rulesets.regiment.fire import Volley
from battlesim.rulesets.regiment.model import RAN
from battlesim.rulesets.regiment.targets import (
    can_shoot,
    can_stand_and_shoot,
    clauses_of,
    shooting_targets,
)
from tests.rulesets.regiment.grounds import (
    EAST,
    FIELD,
    HOUSE,
    HUT,
    NORTH,
    SOUTH,
    TALL,
    WEST,
    field,
    house,
    row,
)
from tests.rulesets.regiment.kit import Table, shot, unit

MISS = 1


def need(board: Board, *units: dict[str, Any]) -> int:
    """What the first unit's shots at the second need."""
    table = Table(board, *units)
    shooters = form.shooters(board, table.unit(0))
    table = shot(board, *units, dice=[[MISS] * shooters])
    (event,) = table.events(Shot)
    table.done()
    return event.need


# ---- who shoots at whom ----------------------------------------------------------------------------------------------


@pytest.mark.clause("RG-HOUSE-FORM")
def test_the_front_rank_shoots_two_on_hills() -> None:
    hill = field("terrain: [{kind: hill, height: 2, rect: [0, 0, 12, 12]}]")
    for board, shots in ((FIELD, 6), (hill, 12)):
        table = Table(board, unit("archers", at="g2.2"))
        assert form.shooters(board, table.unit(0)) == shots
    few = Table(hill, unit("archers", at="g2.2", models=8))
    assert form.shooters(hill, few.unit(0)) == 8


@pytest.mark.clause("RG-SHOOT-1")
def test_a_garrison_shoots_five_wide_and_sees_all_round() -> None:
    """Whatever its files and facing; monstrous infantry shoots two wide; an upper floor two ranks deep (RG-PART-2)."""
    for at, facing in (("g4.8", EAST), ("g4.0", EAST), ("g0.4", EAST), ("g9.4", WEST)):
        table = Table(HOUSE, unit("archers", at="house.1:0", facing=facing), unit("levy", at=at, side=1))
        assert shooting_targets(table.state, HOUSE, table.unit(0)) == [1]
        assert form.shooters(HOUSE, table.unit(0)) == 5
    roomy = house(own="{garrison: {roomy: true}}")
    table = Table(roomy, unit("ogres", at="house.1:0"))
    assert form.shooters(roomy, table.unit(0)) == 2


@pytest.mark.clause("RG-PART-2")
def test_an_upper_floor_shoots_in_two_ranks_and_over_others() -> None:
    table = Table(
        TALL,
        unit("archers", at="house.1:3"),
        unit("levy", at="g4.8", side=1),
        unit("spearmen", at="g4.7", side=1),
    )
    assert form.shooters(TALL, table.unit(0)) == 10
    assert shooting_targets(table.state, TALL, table.unit(0)) == [1, 2]
    below = Table(
        TALL,
        unit("archers", at="house.1:0"),
        unit("levy", at="g4.8", side=1),
        unit("spearmen", at="g4.7", side=1),
    )
    assert shooting_targets(below.state, TALL, below.unit(0)) == [2]


@pytest.mark.clause("RG-HOUSE-FORM")
def test_out_of_doors_sight_is_the_front() -> None:
    found = {
        facing: shooting_targets(table.state, FIELD, table.unit(0))
        for facing in range(8)
        for table in [
            Table(FIELD, unit("archers", at="g4.4", facing=facing), unit("levy", at="g4.7", side=1))
        ]
    }
    assert {facing for facing, seen in found.items() if seen} == {1, 2, 3}


@pytest.mark.clause("RG-HOUSE-MOVE")
def test_who_ran_or_charged_holds_fire_and_heavy_weapons_do_not_move() -> None:
    def may(kind: str, moved: str) -> bool:
        table = Table(FIELD, unit(kind, at="g4.4", moved=moved), unit("levy", at="g6.4", side=1))
        return can_shoot(table.state, table.unit(0))

    assert [may("archers", moved) for moved in ("", "moved", "ran", "charged")] == [True, True, False, False]
    assert [may("crossbowmen", moved) for moved in ("", "moved", RAN)] == [True, False, False]
    assert [may("cannon", moved) for moved in ("", "moved")] == [True, False]


@pytest.mark.clause("RG-HOUSE-SHOOT")
def test_what_a_shot_needs_on_the_table() -> None:
    levy = unit("levy", at="g4.7", side=1)
    near, far = unit("archers", at="g4.4", facing=NORTH), unit("archers", at="g4.2", facing=NORTH)
    assert need(FIELD, near, levy) == 4
    assert need(FIELD, far, levy) == 5  # 15 of 24 inches
    assert need(FIELD, unit("archers", at="g4.4", facing=NORTH, moved="moved"), levy) == 5
    assert need(FIELD, near, unit("giant", at="g4.7", side=1)) == 3


@pytest.mark.clause("RG-PART-3", "RG-FORT-1")
def test_each_room_is_as_hard_to_hit_as_its_own_walls_make_it() -> None:
    """Of two rooms of one building the one is light, the other hard cover; where both are alike, that they are apart tells
    nothing."""
    for levels, needs, told in (((0, 1), (5, 6), True), ((1, 1), (6, 6), False)):
        board = row(*(f"{{garrison: {{level: {level}}}}}" for level in levels))
        for number, wanted in enumerate(needs, 1):
            units = (
                unit("archers", at=f"g{2 + 2 * number}.2", facing=NORTH),
                unit("levy", at=f"row.r{number}:0", side=1),
            )
            assert need(board, *units) == wanted
            table = Table(board, *units)
            assert ("RG-PART-3" in clauses_of(table.r, table.unit(0), table.unit(1))) == told


@pytest.mark.clause("RG-HOUSE-SHOOT")
@pytest.mark.parametrize("moved", ["", "moved", "ran", "charged"])
def test_to_stand_and_shoot_is_no_shot_after_a_move(moved: str) -> None:
    """What a unit did in its own turn is over as the enemy charges it; what else bears on a shot bears on this one."""
    for foe, goal in ((unit("levy", at="g4.7", side=1), 4), (unit("giant", at="g4.7", side=1), 3)):
        table = Table(FIELD, unit("archers", at="g4.4", facing=NORTH, moved=moved), foe, dice=[[MISS] * 6])
        table.do(Volley(0, 1, True))
        assert [event.need for event in table.events(Shot)] == [goal]
        table.done()


@pytest.mark.clause("RG-HOUSE-TERRAIN")
@pytest.mark.parametrize(
    ("terrain", "goal"),
    [
        ("{kind: hedge, line: [[9, 21], [18, 21]]}", 5),
        ("{kind: wall, line: [[9, 21], [18, 21]]}", 6),
        ("{kind: fence, line: [[9, 21], [18, 21]]}", 4),
        ("{kind: woods, rect: [9, 21, 18, 24]}", 5),
        ("{kind: rough, rect: [9, 21, 18, 24]}", 4),
    ],
)
def test_hedges_are_light_walls_hard_cover(terrain: str, goal: int) -> None:
    board = field(f"terrain: [{terrain}]")
    assert need(board, unit("archers", at="g4.4", facing=NORTH), unit("levy", at="g4.7", side=1)) == goal


@pytest.mark.clause("RG-SHOOT-2")
def test_a_garrison_has_the_cover_of_its_building() -> None:
    archers, levy = unit("archers", at="g4.2", facing=NORTH), unit("levy", at="house.1:0", side=1)
    assert need(HOUSE, archers, levy) == 6
    assert need(HUT, archers, levy) == 5
    assert need(house(own="{garrison: {level: 0}}"), archers, levy) == 5
    upper = house(own="{garrison: {upper: {level: 0}}}", floors=4)
    assert need(upper, archers, unit("levy", at="house.1:0", side=1)) == 6
    assert need(upper, archers, unit("levy", at="house.1:3", side=1)) == 5


@pytest.mark.clause("RG-HOUSE-TERRAIN")
def test_woods_and_buildings_block_sight() -> None:
    woods = field("terrain: [{kind: woods, rect: [9, 15, 18, 24]}]")
    for board in (woods, HOUSE):
        table = Table(board, unit("archers", at="g4.2", facing=NORTH), unit("levy", at="g4.9", side=1))
        assert shooting_targets(table.state, board, table.unit(0)) == []


@pytest.mark.clause("RG-HOUSE-SHOOT", "RG-HOUSE-ENGINES")
@pytest.mark.parametrize(
    ("kind", "near", "far"),
    [("archers", "g8.4", "g9.4"), ("stone_thrower", "g4.4", "g3.4"), ("skirmishers", "g2.4", "g3.4")],
)
def test_ranges_to_the_hundredth(kind: str, near: str, far: str) -> None:
    """24 inches are in reach of 24; 12 are not too near for a stone thrower, nine are."""
    for at, found in ((near, [1]), (far, [])):
        table = Table(FIELD, unit(kind, at="g0.4"), unit("levy", at=at, side=1))
        assert shooting_targets(table.state, FIELD, table.unit(0)) == found


@pytest.mark.clause("RG-MOVE-2", "RG-SHOOT-1", "RG-HOUSE-SHOOT")
def test_a_garrison_shoots_from_the_outline_of_its_building() -> None:
    """Javelins reach 8 inches: an enemy 7.5 inches from the wall is in range, 10.5 from the middle of the room; one 10.5 from the
    wall is not. Both ways it is as far."""
    javelins, levy = unit("skirmishers", at="house.1:0"), unit("levy", at="g4.1", side=1, facing=NORTH)
    table = Table(HOUSE, javelins, levy)
    assert shooting_targets(table.state, HOUSE, table.unit(0)) == [1]
    assert line_of_sight.distance_to(HOUSE, table.unit(0), table.unit(1)) == 750
    assert line_of_sight.distance_to(HOUSE, table.unit(1), table.unit(0)) == 750
    table = Table(HOUSE, javelins, unit("levy", at="g4.0", side=1))
    assert shooting_targets(table.state, HOUSE, table.unit(0)) == []
    back = Table(HOUSE, unit("skirmishers", at="g4.1", facing=NORTH), unit("levy", at="house.1:0", side=1))
    assert shooting_targets(back.state, HOUSE, back.unit(0)) == [1]


@pytest.mark.clause("RG-MOVE-2", "RG-HOUSE-MOVE")
def test_a_garrison_stands_and_shoots_at_a_charger_in_range_of_its_wall() -> None:
    for at, may in (("g4.1", True), ("g4.0", False)):
        table = Table(
            HOUSE, unit("skirmishers", at="house.1:0"), unit("knights", at=at, side=1, facing=NORTH)
        )
        assert can_stand_and_shoot(table.state, HOUSE, table.unit(0), table.unit(1)) is may


@pytest.mark.clause("RG-MOVE-2", "RG-HOUSE-SHOOT")
def test_long_range_of_a_garrison_is_counted_from_the_wall() -> None:
    """Archers reach 24: at 10.5 from the wall it is short range, at 13.5 long; ground south of the house is 12 inches deep."""
    archers = unit("archers", at="house.1:0")
    for at, goal in (("g9.4", 4), ("g10.4", 5)):
        table = Table(HOUSE, archers, unit("levy", at=at, side=1))
        far = line_of_sight.distance_to(HOUSE, table.unit(0), table.unit(1))
        assert far == (1050 if goal == 4 else 1350)
        assert need(HOUSE, archers, unit("levy", at=at, side=1)) == goal


@pytest.mark.clause("RG-MOVE-2", "RG-SHOOT-1")
def test_between_two_garrisons_it_is_as_far_as_between_their_walls() -> None:
    more = """
  - name: other
    rect: [25, 12, 31, 18]
    openings: [{kind: door, side: west, at: 0.5}]
"""
    board = house(more=more)
    for near, far in (("house.1:0", "other.1:0"), ("other.1:0", "house.1:0")):
        table = Table(board, unit("skirmishers", at=near), unit("levy", at=far, side=1))
        assert shooting_targets(table.state, board, table.unit(0)) == [1]
        assert line_of_sight.distance_to(board, table.unit(0), table.unit(1)) == 700


@pytest.mark.clause("RG-HOUSE-SHOOT")
def test_long_range_is_more_than_half() -> None:
    archers = unit("archers", at="g4.4", facing=NORTH)
    assert need(FIELD, archers, unit("levy", at="g4.8", side=1)) == 4  # 12 of 24
    assert need(FIELD, archers, unit("levy", at="g4.9", side=1)) == 5


@pytest.mark.clause("RG-HOUSE-CREW")
def test_a_stone_thrower_needs_no_sight_nor_a_front() -> None:
    """Not through a house, not over units, not behind it; a cannon does."""
    for board, thrower, other in (
        (HOUSE, "g4.1", unit("levy", at="g4.9", side=1)),
        (FIELD, "g4.1", unit("levy", at="g4.9", side=1)),
    ):
        for kind, found in (("stone_thrower", [1]), ("cannon", [])):
            table = Table(
                board, unit(kind, at=thrower, facing=NORTH), other, unit("spearmen", at="g4.7", facing=NORTH)
            )
            assert shooting_targets(table.state, board, table.unit(0)) == found
    for kind, found in (("stone_thrower", [1]), ("cannon", [])):
        behind = Table(FIELD, unit(kind, at="g4.1", facing=SOUTH), unit("levy", at="g4.9", side=1))
        assert shooting_targets(behind.state, FIELD, behind.unit(0)) == found


@pytest.mark.clause("RG-HOUSE-FLEE", "RG-HOUSE-CREW")
def test_who_flees_or_has_just_rallied_holds_fire_and_an_engine_that_is_silent_this_turn() -> None:
    for turn, more, may in (
        (2, {}, True),
        (2, {"fleeing": True}, False),
        (2, {"rallied": True}, False),
        (2, {"silent": 2}, False),
        (3, {"silent": 2}, True),
    ):
        table = Table(FIELD, unit("cannon", at="g4.4", **more), unit("levy", at="g8.4", side=1), turn=turn)
        assert can_shoot(table.state, table.unit(0)) == may


@pytest.mark.clause("RG-HOUSE-TRAITS")
def test_units_hide_units_but_no_garrisons() -> None:
    board = house()
    between = unit("spearmen", at="g4.2", facing=NORTH)
    for foe, found in (("house.1:0", [2]), ("g4.3", [])):
        table = Table(board, unit("archers", at="g4.0", facing=NORTH), between, unit("levy", at=foe, side=1))
        assert shooting_targets(table.state, board, table.unit(0)) == found


@pytest.mark.clause("RG-HOUSE-TRAITS")
@pytest.mark.parametrize(
    ("hill", "found"), [("[0, 0, 0.5, 0.5]", []), ("[9, 0, 18, 3]", [2]), ("[9, 18, 18, 24]", [2])]
)
def test_units_are_seen_over_from_a_hill_and_on_one(hill: str, found: list[int]) -> None:
    board = field(f"terrain: [{{kind: hill, height: 2, rect: {hill}}}]")
    table = Table(
        board,
        unit("archers", at="g4.0", facing=NORTH),
        unit("spearmen", at="g4.4", facing=NORTH),
        unit("levy", at="g4.7", side=1),
    )
    assert shooting_targets(table.state, board, table.unit(0)) == found


@pytest.mark.clause("RG-HOUSE-MOVE")
def test_engines_and_breath_do_not_stand_and_shoot() -> None:
    charger = unit("levy", at="g6.4", side=1, facing=WEST)
    found = {
        kind: can_stand_and_shoot(table.state, FIELD, table.unit(0), table.unit(1))
        for kind in ("archers", "crossbowmen", "bolt_thrower", "cannon", "drake")
        for table in [Table(FIELD, unit(kind, at="g4.4"), charger)]
    }
    assert found == {
        "archers": True, "crossbowmen": True, "bolt_thrower": False, "cannon": False, "drake": False,
    }  # fmt: skip


def test_no_more_are_told_lost_than_there_were() -> None:
    table = shot(
        FIELD,
        unit("archers", at="g4.4", facing=NORTH),
        unit("levy", at="g4.7", side=1, models=2),
        dice=[[4] * 6, [4] * 6],
    )
    assert [(e.hits, e.lost) for e in table.events(Shot)] == [(6, 2)]
    assert not table.unit(1).alive
