"""Situations: the state of a unit when it is asked, in a few words that mean the same under every rulebook. Read `situation_of`.

A situation is one value for each of FEATURES, read from what the side may know: its view, the board and the question.
"""

from __future__ import annotations

from typing import Any

from msgspec.structs import replace

from battlesim.board.board import Board
from battlesim.core.items import Ask
from battlesim.core.state import Unit
from battlesim.core.view import View
from battlesim.rules.tactical import ROLES
from battlesim.rulesets.finder import find_ruleset

Situation = tuple[str, ...]
"""One value for each feature, in the order of FEATURES."""

FEATURES: dict[str, dict[str, str]] = {
    "role": ROLES,
    "where": {
        "outdoors": "out of doors",
        "ground": "on a ground floor",
        "upper": "above a ground floor",
        "ruin": "in a ruin",
        "off": "off the board",
    },
    "enemy": {
        "outdoors": "the nearest known enemy is out of doors",
        "inside": "the nearest known enemy is in a building",
        "none": "no enemy is known",
    },
    "range": {
        "near": "the nearest known enemy is within 12 inches or 3 hexes",
        "middle": "the nearest known enemy is within 24 inches or 6 hexes, but not near",
        "far": "the nearest known enemy is farther off",
        "none": "no enemy is known",
    },
    "goal": {
        "ours": "we hold the nearest objective",
        "theirs": "the enemy holds the nearest objective",
        "open": "nobody alone holds the nearest objective",
        "none": "there is no place to hold",
    },
    "way": {
        "on": "on the nearest objective",
        "near": "within 12 inches or 3 hexes of the nearest objective",
        "far": "farther from the nearest objective",
        "none": "there is no place to hold",
    },
    "building": {
        "sound": "the building around it is sound",
        "hit": "the building around it is damaged",
        "burning": "the building around it burns",
        "none": "there is no building around it",
    },
    "time": {
        "early": "in the first third of the battle",
        "middle": "in the second third of the battle",
        "late": "in the last third of the battle",
    },
    "last": {
        "none": "it has had no order yet",
        "fire": "its last order was to stay and fire",
        "move": "its last order was to move and fire",
        "run": "its last order was to move without firing",
        "wait": "its last order was to wait for an enemy",
        "other": "its last order was another",
    },
    "state": {"fresh": "free to act", "hindered": "pinned, suppressed or otherwise hindered"},
}
"""The features of a situation: for each its values, in words."""

NO_ORDER = "none"
"""The value of `last` of a unit that has had no order."""
_NEAR = {"hex": 300}
_MIDDLE = {"hex": 600}
NEAR, MIDDLE = 1_200, 2_400
"""The limits of "near" and "middle" on maps in inches, in hundredths; on maps in hexes 300 and 600."""
MADE = "made"
"""The only field of a structure that is not damage: openings that men made to shoot from."""


def unit_asked(view: View, ask: Ask) -> Unit | None:
    """The side's own unit that a question is about; None if it is about none. A passenger is where its transport is: the unit
    that `aboard` of its record numbers, if the rulebook has that."""
    unit = view.units.get(getattr(ask, "unit", -1))
    if unit is None or unit.side != view.side:
        return None
    carrier = view.units.get(getattr(unit.own, "aboard", -1)) if unit.place < 0 else None
    return unit if carrier is None else replace(unit, place=carrier.place)


def situation_of(view: View, board: Board, unit: Unit, last: str = NO_ORDER) -> Situation:
    """The situation of one of the side's own units. `last`: its last order, as `history.History` remembers it."""
    place = unit.place
    foe = nearest_enemy(view, board, place)
    goal, way = _goal(view, board, place)
    tactical = find_ruleset(view.ruleset)
    return (
        tactical.tactical.role(unit),
        _where(board, place),
        "none" if foe is None else "inside" if is_inside(board, foe.place) else "outdoors",
        "none" if foe is None else _band(board, place, foe.place),
        goal,
        way,
        _building(view, board, place),
        _time(view),
        last,
        "hindered" if tactical.incidents.hindered(unit, view.turn) else "fresh",
    )


def is_inside(board: Board, place: int) -> bool:
    """Whether a place is a floor of a building."""
    return place >= 0 and board.spaces[place].kind == "floor"


def nearest_enemy(view: View, board: Board, place: int) -> Unit | None:
    """The nearest enemy on the board that the side knows of; of several, the one with the lowest number; None if there is none,
    or the place is off the board."""
    foes = [unit for unit in view.units.values() if unit.side != view.side and unit.alive and unit.place >= 0]
    if place < 0 or not foes:
        return None
    return min(foes, key=lambda foe: (board.distance(place, foe.place), foe.id))


def goal_places(view: View) -> list[tuple[int, ...]]:
    """The places of every objective that can be held."""
    return [places for _, places in _goals_to_hold(view)]


def _goals_to_hold(view: View) -> list[tuple[int, tuple[int, ...]]]:
    """The number and the places of each of them."""
    goals: Any = getattr(view.extra, "objectives", ())
    return [(n, goal.places) for n, goal in enumerate(goals) if goal.kind == "hold" and goal.places]


def sections_to_destroy(view: View) -> frozenset[int]:
    """The sections that an objective tells the side to destroy."""
    goals: Any = getattr(view.extra, "objectives", ())
    return frozenset(
        section
        for goal in goals
        if goal.kind == "destroy" and goal.side in (-1, view.side)
        for section in goal.sections
    )


def _where(board: Board, place: int) -> str:
    if place < 0:
        return "off"
    space = board.spaces[place]
    if space.kind == "floor":
        return "upper" if space.floor > 0 else "ground"
    return "ruin" if space.kind == "ruin" else "outdoors"


def _band(board: Board, one: int, other: int) -> str:
    far = board.distance(one, other)
    if far <= _NEAR.get(board.unit, NEAR):
        return "near"
    return "middle" if far <= _MIDDLE.get(board.unit, MIDDLE) else "far"


def _goal(view: View, board: Board, place: int) -> tuple[str, str]:
    """Which side holds the nearest objective, and how near it is."""
    goals = _goals_to_hold(view)
    if place < 0 or not goals:
        return "none", "none"
    far, goal, number = min(
        (min(board.distance(place, at) for at in places), places, number) for number, places in goals
    )
    if place in goal:
        way = "on"
    else:
        way = "near" if far <= _NEAR.get(board.unit, NEAR) else "far"
    holder = _holder(view, number, goal)
    return ("open" if holder < 0 else "ours" if holder == view.side else "theirs"), way


def _holder(view: View, number: int, places: tuple[int, ...]) -> int:
    """The side that holds an objective, -1 for none: the one that the rulebook records, else the side that is alone there."""
    said = getattr(view.extra, "held", ())
    if number < len(said):
        return int(said[number])
    sides = {unit.side for unit in view.units.values() if unit.alive and unit.place in places}
    return sides.pop() if len(sides) == 1 else -1


def _building(view: View, board: Board, place: int) -> str:
    if not is_inside(board, place):
        return "none"
    structure = view.structures.get(board.spaces[place].section)
    if structure is None:
        return "sound"
    if structure.burning:
        return "burning"
    return "hit" if any(value for name, value in structure.own.items() if name != MADE) else "sound"


def _time(view: View) -> str:
    turns = max(int(getattr(view.extra, "turns", 0)), 1)
    third = 3 * (view.turn - 1) // turns
    return ("early", "middle", "late")[min(max(third, 0), 2)]
