"""Fire out of a building: by which walls, by how many men, at how many targets (OD-FROM-1..4, OD-HOUSE-INSIDE, OD-HOUSE-PINS)."""

from __future__ import annotations

import pytest

from battlesim.core.answers import Pass, TargetUnit
from battlesim.core.dice import Key
from battlesim.rulesets.orderdice import facts
from battlesim.rulesets.orderdice.facts_fire import Shot
from battlesim.rulesets.orderdice.fire import Group, volley
from battlesim.rulesets.orderdice.model import unit_state
from battlesim.rulesets.orderdice.shoot import AtWhom
from tests.rulesets.orderdice.grounds import ground, house
from tests.rulesets.orderdice.kit import Table, can_see, fire, foe, officer, unit

HOUSE = house()
SOUTH, EAST, NORTH, WEST = range(4)
EAST_OF_IT, WEST_OF_IT = foe("officer", "g40.10", order="run"), foe("officer", "g6.10", order="run")
SIDES = {SOUTH: "g23.0", EAST: "g40.10", NORTH: "g23.19", WEST: "g6.10"}
"""A place before each side of the house."""


class Showing:
    """Dice that always show the same face."""

    def __init__(self, face: int) -> None:
        self.face = face

    def faces(self, key: Key, n: int, sides: int) -> tuple[int, ...]:
        return (self.face,) * n

    def ranking(self, turn: int, side: int, purpose: str, n: int) -> list[tuple[int, int]]:
        return [(number, number) for number in range(n)]


def inside(table: Table, wall: int, target: int = 1) -> list[Group]:
    """What unit 0, inside, can do to a target from one wall."""
    return volley(table.state, table.board, table.unit(0), table.unit(target), False, wall)


def men(groups: list[Group]) -> int:
    return sum(len(group.arms) for group in groups)


# ---- from where, and how many ----------------------------------------------------------------------------------------


@pytest.mark.clause("OD-FROM-1")
def test_range_is_measured_from_the_opening() -> None:
    """The middle of the east door is at 26.05, 10; the man at 36.5, 10.5."""
    table = Table(HOUSE, officer("house.1:0"), officer("g36.10", side=1, order="run"), dice=[[1]])
    fire(table)
    table.say(TargetUnit(1))
    assert [shot.range for shot in table.events(Shot)] == [1046]
    assert [shot.need for shot in table.events(Shot)] == [3]


@pytest.mark.clause("OD-FROM-1")
@pytest.mark.parametrize(
    ("at", "target", "seen"),
    [
        pytest.param("house.1:0", "g36.10", False, id="no opening in the east wall below"),
        pytest.param("house.1:0", "g10.10", True, id="a door in the west wall"),
        pytest.param("house.1:1", "g36.10", True, id="windows all round above"),
    ],
)
def test_from_a_wall_without_opening_nobody_shoots(at: str, target: str, seen: bool) -> None:
    board = ground(
        (46, 20),
        """
buildings:
  - name: house
    rect: [20, 7, 26, 13]
    floors: 2
    flat_roof: true
    openings: [{kind: door, side: west}, {kind: window, floors: upper, side: all}]
""",
    )
    assert can_see(board, at, target) is seen


@pytest.mark.clause("OD-FROM-2")
@pytest.mark.parametrize(("floor", "number"), [(0, 2), (1, 4)])
def test_two_men_fire_from_each_window_or_door(floor: int, number: int) -> None:
    table = Table(HOUSE, unit("rifle_section", at=f"house.1:{floor}"), foe("officer", SIDES[EAST]))
    assert men(inside(table, EAST)) == number
    assert inside(table, WEST) == inside(table, NORTH) == []


@pytest.mark.clause("OD-FROM-4")
@pytest.mark.parametrize("wall", SIDES)
def test_five_models_fire_from_each_side_of_a_flat_roof(wall: int) -> None:
    table = Table(HOUSE, unit("rifle_section", at="house.1:3"), foe("officer", SIDES[wall]))
    assert men(inside(table, wall)) == 5


@pytest.mark.clause("OD-HOUSE-INSIDE")
@pytest.mark.parametrize("wall", SIDES)
def test_each_side_of_a_flat_roof_is_an_opening_to_small_arms(wall: int) -> None:
    assert can_see(HOUSE, SIDES[wall], "house.1:3")


# ---- at several targets ----------------------------------------------------------------------------------------------


# Men who fired at one side's target have none left for the next side's; who holds fire there has them all.
# On the roof eight fire: the submachine gun does not reach, the loader has nothing to fire. From a door fire two.
@pytest.mark.clause("OD-FROM-3", "OD-FROM-4")
@pytest.mark.parametrize(
    ("floor", "east", "dice", "shots"),
    [
        pytest.param(
            3,
            TargetUnit(1),
            [[1] * 4, [1] * 4, [1] * 3],
            {(1, "lmg"): 4, (1, "rifle"): 4, (2, "rifle"): 3},
            id="a roof has five men for one side and three for the next",
        ),
        pytest.param(
            0,
            TargetUnit(1),
            [[1], [1] * 4, [1] * 2],
            {(1, "lmg"): 4, (1, "rifle"): 1, (2, "rifle"): 2},
            id="two men from each door",
        ),
        pytest.param(
            0,
            Pass(),
            [[1], [1] * 4],
            {(2, "lmg"): 4, (2, "rifle"): 1},
            id="the best men hold fire in the east and fire west",
        ),
    ],
)
def test_fire_is_divided_between_targets_on_different_sides(
    floor: int, east: TargetUnit | Pass, dice: list[list[int]], shots: dict[tuple[int, str], int]
) -> None:
    table = Table(HOUSE, unit("rifle_section", at=f"house.1:{floor}"), EAST_OF_IT, WEST_OF_IT, dice=dice)
    ask = fire(table)
    assert isinstance(ask, AtWhom)
    assert (ask.wall, table.legal) == (EAST, [TargetUnit(1), Pass()])
    ask = table.say(east)
    assert isinstance(ask, AtWhom)
    assert (ask.wall, table.legal) == (WEST, [TargetUnit(2), Pass()])
    table.say(TargetUnit(2))
    assert {(shot.target, shot.weapon): shot.shots for shot in table.events(Shot)} == shots
    assert "OD-FROM-3" in table.clauses()
    table.done()


@pytest.mark.clause("OD-FROM-3")
def test_all_fire_from_one_side_goes_at_one_target() -> None:
    table = Table(
        HOUSE,
        unit("rifle_section", at="house.1:1"),
        officer("g40.10", side=1, order="run"),
        officer("g40.8", side=1, order="run"),
    )
    table.r.dice = Showing(1)
    ask = fire(table)
    assert isinstance(ask, AtWhom)
    assert table.legal == [TargetUnit(1), TargetUnit(2), Pass()]
    assert table.say(TargetUnit(2)) is None
    assert {shot.target for shot in table.events(Shot)} == {2}


@pytest.mark.clause("OD-HOUSE-PINS", "OD-FROM-3")
def test_fire_from_two_sides_at_one_unit_is_one_attack() -> None:
    """North-east of the house: in view from the east door and the north window. Two men fall to each; one pin, one test."""
    table = Table(
        HOUSE,
        unit("assault_section", at="house.1:0"),
        unit("rifle_section", at="g31.17", side=1, order="run"),
        # each side: two submachine guns, two shots each
        dice=[[6] * 4, [6, 6, 6, 1], [6] * 4, [6, 6, 1, 1], [1, 2]],
    )
    fire(table)
    table.say(TargetUnit(1))
    assert isinstance(table.ask, AtWhom)
    assert table.ask.wall == NORTH
    table.say(TargetUnit(1))
    assert table.unit(1).models == 5
    assert unit_state(table.unit(1)).pins == 1
    assert len(table.events(facts.Tested)) == 1
    table.done()
