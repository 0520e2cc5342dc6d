"""Who wins: units lost or fleeing, standards, objectives, margins (RG-HOUSE-VICTORY). Read `turn_over`.

A battle ends in one of these words: length, massacre (at its end, by so many points), annihilation; the referee adds forfeit.
"""

from __future__ import annotations

from msgspec.structs import replace

from battlesim.core.events import Ended, Scored
from battlesim.core.state import Outcome, State, Unit
from battlesim.rules.contract import Chapter
from battlesim.rules.resolution import Clauses, Resolution
from battlesim.rulesets.regiment.model import Objective, extra, own, type_of

LENGTH, MASSACRE, ANNIHILATION = "length", "massacre", "annihilation"
CLAUSES: Clauses = ("RG-HOUSE-VICTORY",)


def holder(state: State, goal: Objective) -> int:
    """The side that alone has units that do not flee on an objective's places, -1 where none has."""
    here = [False, False]
    for place in goal.places:
        for number in state.at.get(place, ()):
            unit = state.units[number]
            if not flees(state, unit):
                here[unit.side] = True
    if here[0] == here[1]:
        return -1
    return 0 if here[0] else 1


def flees(state: State, unit: Unit) -> bool:
    """Whether a unit flees, or the unit a character is with."""
    mine = own(unit)
    return mine.fleeing or (mine.joined >= 0 and own(state.units[mine.joined]).fleeing)


def earned(state: State, goal: Objective) -> tuple[int, int]:
    """Points of each side for an objective as things stand."""
    side, points = goal.side, 0
    if goal.kind == "hold":
        side, points = holder(state, goal), goal.points
        if goal.side not in (-1, side):
            side = -1
    elif goal.kind == "destroy":
        points = goal.points * sum(not state.units[unit].alive for unit in goal.units)
    else:
        points = goal.points * sum(state.units[unit].alive for unit in goal.units)
    if side < 0:
        return (0, 0)
    return (points, 0) if side == 0 else (0, points)


def fleeing_worth(state: State, side: int) -> int:
    """Worth of a side's units that flee."""
    return sum(
        type_of(u).worth for u in state.units.values() if u.side == side and u.alive and flees(state, u)
    )


def standing(state: State) -> tuple[int, int]:
    """The points of both sides were the battle to end now."""
    a, b = state.points
    for goal in extra(state).objectives:
        more = earned(state, goal)
        a, b = a + more[0], b + more[1]
    return (a + fleeing_worth(state, 1), b + fleeing_worth(state, 0))


def winner_by_points(points: tuple[int, int], margin: int) -> int | None:
    """The side ahead by the margin at least; None for a draw."""
    ahead = points[0] - points[1]
    if ahead >= margin:
        return 0
    return 1 if -ahead >= margin else None


def score(r: Resolution) -> None:
    """Score every objective and whoever flees. Only at the end; units lost and standards are scored as they are lost."""
    for goal in extra(r.state).objectives:
        for side, points in enumerate(earned(r.state, goal)):
            if points:
                r.emit(Scored(side, points, goal.name, clauses=CLAUSES))
    for unit in list(r.state.units.values()):
        if unit.alive and flees(r.state, unit):
            r.emit(Scored(1 - unit.side, type_of(unit).worth, f"{unit.name}, in flight", clauses=CLAUSES))


def turn_over(r: Resolution) -> bool:
    """After a turn's end, with `state.turn` the turn to come: True where the battle goes on, False where it is over."""
    known = extra(r.state)
    if r.state.turn <= known.turns:
        return True
    score(r)
    points = r.state.points
    winner = winner_by_points(points, known.margin)
    crushed = known.massacre and abs(points[0] - points[1]) >= known.massacre
    word = MASSACRE if crushed and winner is not None else LENGTH
    r.emit(Ended(Outcome(winner, points, word), clauses=CLAUSES))
    return False


def check_wiped(state: State) -> Outcome | None:
    """How the battle ends now, where a side has no living unit left: it loses, both at once draw."""
    living = [False, False]
    for unit in state.units.values():
        if unit.alive:
            living[unit.side] = True
            if living[0] and living[1]:
                return None
    winner = 0 if living[0] else 1 if living[1] else None
    return Outcome(winner, standing(state), ANNIHILATION)


def end_if_wiped(r: Resolution) -> bool:
    """End the battle where a side has nothing left; whether it is over."""
    if r.state.outcome is not None:
        return True
    outcome = check_wiped(r.state)
    if outcome is None:
        return False
    score(r)
    r.emit(Ended(replace(outcome, points=r.state.points), clauses=CLAUSES))
    return True


CHAPTER = Chapter(owns=("RG-HOUSE-VICTORY",))
