"""Objectives and the end of a battle, as far as the rulebooks agree; what a rulebook has of its own is in its victory.py.

Read `earned` for what an objective is worth and `end_by_loss` for a side that has nothing left.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable

from msgspec.structs import replace

from battlesim.core.state import Outcome, State, Unit, fallen
from battlesim.rules.forces import Goal

LENGTH, ANNIHILATION, EXIT = "length", "annihilation", "exit"
"""How a battle ends: its turns are over; a side is lost; of a side all that is left has left by an edge."""
Points = tuple[int, int]


# ---- what objectives are worth


def alone_in(state: State, places: Iterable[int], counts: Callable[[Unit], bool] | None = None) -> int:
    """The side that alone has living units in some of the places, -1 where none or both have; `counts`: which units do."""
    here = [False, False]
    for place in places:
        for number in state.at.get(place, ()):
            unit = state.units[number]
            if counts is None or counts(unit):
                here[unit.side] = True
    if here[0] == here[1]:
        return -1
    return 0 if here[0] else 1


def earned(state: State, goal: Goal, holder: int, damaged: Container[int] = ()) -> Points:
    """Points of each side for an objective as things stand. `holder`: the side that holds its places, -1 for none. `damaged`:
    sections that stand, but have lost a floor: they are neither destroyed nor kept. Exits are worth nothing here: they score
    when a unit leaves."""
    side, points = goal.side, 0
    if goal.kind == "hold":
        side, points = (holder if goal.side in (-1, holder) else -1), goal.points
    elif goal.kind in ("destroy", "keep") and goal.sections:
        down = fallen(state)
        if goal.kind == "destroy":
            met = all(section in down for section in goal.sections)
        else:
            met = not any(section in down or section in damaged for section in goal.sections)
        points = goal.points if met else 0
    elif goal.kind == "destroy":
        points = goal.points * sum(not state.units[unit].alive for unit in goal.units)
    elif goal.kind == "survive":
        points = goal.points * sum(state.units[unit].alive for unit in goal.units)
    if side < 0:
        return (0, 0)
    return (points, 0) if side == 0 else (0, points)


def in_reach(state: State, goal: Goal, times: int = 1) -> Points:
    """Most points that each side can take by an objective. `times`: how often the holder of its places is scored."""
    counts = 1
    if goal.kind == "hold":
        counts = times
    elif goal.kind == "exit":
        counts = len(goal.units) or sum(unit.side == goal.side for unit in state.units.values())
    elif goal.kind == "survive" or (goal.kind == "destroy" and not goal.sections):
        counts = len(goal.units)
    most = goal.points * counts
    return (most if goal.side in (-1, 0) else 0, most if goal.side in (-1, 1) else 0)


def total(points: Points, more: Iterable[Points]) -> Points:
    """Points of both sides, summed."""
    a, b = points
    for one, other in more:
        a, b = a + one, b + other
    return (a, b)


def winner_by_points(points: Points, least: int) -> int | None:
    """The side ahead by `least` points or more; None for a draw."""
    ahead = points[0] - points[1]
    if ahead >= least:
        return 0
    return 1 if -ahead >= least else None


# ---- a side that has nothing left


def end_by_loss(
    fights: tuple[bool, bool], left: tuple[bool, bool], standing: Callable[[], Points], least: int
) -> Outcome | None:
    """How the battle ends now because a side has nothing that fights on; None where both have.

    `fights`, `left`: whether each side has a unit that fights on, one that left by an edge. A side with neither has lost, both
    at once draw; where one has left for good, the points of `standing` decide.
    """
    if fights[0] and fights[1]:
        return None
    lost = [not fights[side] and not left[side] for side in (0, 1)]
    if not any(lost):
        return Outcome(winner_by_points(standing(), least), standing(), EXIT)
    return Outcome(None if all(lost) else lost.index(False), standing(), ANNIHILATION)


# ---- leaving by an edge


def exits_of(goals: Iterable[Goal], unit: Unit, edge: str) -> list[Goal]:
    """The exit objectives that a unit scores by leaving over an edge (a place's edges: n, e, s, w, two at a corner)."""
    if not edge:
        return []
    return [
        goal
        for goal in goals
        if goal.kind == "exit"
        and goal.side == unit.side
        and goal.edge in edge
        and (not goal.units or unit.id in goal.units)
    ]


# ---- what a side may know of them


def known_goals(goals: tuple[Goal, ...], known: Container[int]) -> tuple[Goal, ...]:
    """Objectives without the units that a side does not know of, those left out that are about no others."""
    is_known, whole = known.__contains__, True
    shown: list[Goal] = []
    for goal in goals:
        if not goal.units or all(map(is_known, goal.units)):
            shown.append(goal)
            continue
        whole = False
        left = tuple(filter(is_known, goal.units))
        if left:
            shown.append(replace(goal, units=left))
    return goals if whole else tuple(shown)
