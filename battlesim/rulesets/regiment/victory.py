"""Who wins: units lost or fleeing, standards, objectives, margins (RG-HOUSE-VICTORY). Read `turn_over`.

A battle ends in one of these words: length, massacre (at its end, by so many points), annihilation; the referee adds forfeit.
"""

from __future__ import annotations

from msgspec.structs import replace

from battlesim.core.events import Ended, Scored
from battlesim.core.state import Outcome, State
from battlesim.rules import victory
from battlesim.rules.contract import Chapter
from battlesim.rules.forces import Goal
from battlesim.rules.resolution import Clauses, Resolution
from battlesim.rules.victory import LENGTH
from battlesim.rulesets.regiment.model import extra, flees, type_of

MASSACRE = "massacre"
CLAUSES: Clauses = ("RG-HOUSE-VICTORY",)
STANDARD_WORTH = 50
"""Points for a standard that is captured."""


def holder(state: State, goal: Goal) -> int:
    """The side that alone has units that do not flee on an objective's places, -1 where none has."""
    return victory.alone_in(state, goal.places, lambda unit: not flees(state, unit))


def earned(state: State, goal: Goal) -> victory.Points:
    """Points of each side for an objective as things stand."""
    return victory.earned(state, goal, holder(state, goal))


def fleeing_worth(state: State, side: int) -> int:
    """Worth of a side's units that flee."""
    return sum(type_of(u).worth for u in state.living(side) if flees(state, u))


def reach(state: State) -> victory.Points:
    """The most points that each side can take in a battle that begins at this state: the worth of all enemies, their standards,
    and its objectives."""
    lost = [0, 0]
    for unit in state.units.values():
        lost[1 - unit.side] += type_of(unit).worth + (STANDARD_WORTH if type_of(unit).standard else 0)
    goals = [victory.in_reach(state, goal) for goal in extra(state).objectives]
    return victory.total((lost[0], lost[1]), goals)


def standing(state: State) -> victory.Points:
    """The points of both sides were the battle to end now."""
    goals = [earned(state, goal) for goal in extra(state).objectives]
    return victory.total(state.points, [*goals, (fleeing_worth(state, 1), fleeing_worth(state, 0))])


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
    winner = victory.winner_by_points(points, known.margin)
    crushed = known.massacre and abs(points[0] - points[1]) >= known.massacre
    word = MASSACRE if crushed and winner is not None else LENGTH
    r.emit(Ended(Outcome(winner, points, word), clauses=CLAUSES))
    return False


def check_wiped(state: State) -> Outcome | None:
    """How the battle ends now, where a side has no living unit left: it loses, both at once draw."""
    fights = (bool(state.alive[0]), bool(state.alive[1]))
    return victory.end_by_loss(fights, (False, False), lambda: standing(state), extra(state).margin)


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
