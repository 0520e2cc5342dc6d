"""The value of a position: the chance to win, on the same scale in all rulebooks.

It is a logistic function of five measures, each from -1 (all is the enemy's) to 1 (all is one's own):

- the lead in points if everything stayed as it is, as a share of what can still be won;
- the material (the worth of the units) left;
- the number of units left;
- how near each side's material is to objectives to hold;
- how near units are to edges that they may leave by.

Their weights depend on how much of the battle is left: a lead in the last turn wins, one in the first turn may not last. The
weights are fitted to played games by logistic regression. `python -m tests.fit_position` does this, and reports how well the
fit predicts games that were not used. Read `position_value`, then `position_features`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import exp, sqrt
from pathlib import Path
from typing import Any

import msgspec
from msgspec import Struct

from battlesim.board.board import Board
from battlesim.core.errors import Fault, InputError
from battlesim.core.items import TURN
from battlesim.core.memo import memo, owned_memo
from battlesim.core.state import State, Unit
from battlesim.core.sums import summed
from battlesim.core.view import View
from battlesim.evaluation.objectives import edge_places
from battlesim.rules.contract import Ruleset
from battlesim.rules.scenario import Objective
from battlesim.rules.victory import alone_in, in_reach

LATE = 0.05
"""Added to the share of the battle that is left, so that the weight of a lead stays bounded at the end."""
MOST_LOGIT = 30.0
"""Logits are cut off here, so that `exp` cannot overflow."""
NEAR = 1 / 8
"""As a share of the longest distance to an objective: a unit that far away counts a quarter of one on it."""


class PositionWeights(Struct, frozen=True):
    """The weight of each feature of a position, in logits (log odds of a win); none is below 0.

    - `lead`: the lead in points, at any time.
    - `late_lead`: the extra weight of the lead as the battle goes on, 0 at its start.
    - `early_material`, `late_material`: the material at the start and at the end, a mixture of both in between.
    - `units`: how many units are left, whatever their worth: each acts once a turn and holds a place.
    - `early_near`, `late_near`: being near to objectives to hold, at the start and at the end.
    - `exits`: being near to edges to leave by.
    """

    lead: float = 1.0
    late_lead: float = 2.0
    early_material: float = 4.0
    late_material: float = 2.0
    units: float = 1.0
    early_near: float = 0.5
    late_near: float = 0.5
    exits: float = 0.5


NAMES: tuple[str, ...] = PositionWeights.__struct_fields__


@memo(bound=1)
def fitted() -> dict[str, PositionWeights]:
    """The fitted weights by rulebook; "" holds those fitted to all of them together."""
    file = Path(__file__).with_suffix(".json")
    return msgspec.json.decode(file.read_bytes(), type=dict[str, PositionWeights])


def weights_for(ruleset: str) -> PositionWeights:
    """The fitted weights of a rulebook, or those fitted to all rulebooks if it has none."""
    known = fitted()
    return known.get(ruleset) or known[""]


def position_value(
    state: State, board: Board, ruleset: Ruleset, side: int, weights: PositionWeights | None = None
) -> float:
    """The chance that a side wins from here, from 0 to 1; a draw counts as half a win. For a finished battle: its result.

    An agent knows only its view, so it has to value a state imagined from that.

    Args:
        side: 0 or 1.
        weights: by default those fitted for the rulebook.

    Raises InputError for another side, for a view, and for weights of another type.

        >>> from battlesim import find_ruleset, first_state, load_scenario
        >>> scenario = load_scenario("stairwell")
        >>> ruleset, state = find_ruleset(scenario.ruleset), first_state(scenario, 1)
        >>> one, two = (position_value(state, scenario.board, ruleset, side) for side in (0, 1))
        >>> round(one + two, 9)
        1.0
    """
    if side not in (0, 1):
        raise InputError(
            Fault(f"there is no side {side!r:.60}", "give 0 for the first side or 1 for the second")
        )
    if isinstance(state, View):
        raise InputError(
            Fault("a view has no value", "imagine a state of it: ruleset.imagine(view, board, dice)")
        )
    if state.outcome is not None:
        winner = state.outcome.winner
        return 0.5 if winner is None else float(winner == side)
    weights = weights_for(ruleset.name) if weights is None else weights
    given: object = weights
    if not isinstance(given, PositionWeights):
        what = f"{weights!r:.60} are not weights of positions"
        raise InputError(Fault(what, "make them: battlesim.evaluation.position.PositionWeights(lead=1.5)"))
    logit = summed(
        getattr(weights, name) * feature
        for name, feature in zip(NAMES, position_features(state, board, ruleset), strict=True)
    )
    if side == 1:
        logit = -logit
    return 1.0 / (1.0 + exp(-max(-MOST_LOGIT, min(MOST_LOGIT, logit))))


def position_features(state: State, board: Board, ruleset: Ruleset) -> tuple[float, ...]:
    """The eight features of a position in the order of `PositionWeights`, as the first side sees it; those of the second side are
    their negatives. Each is from -1 to 1, except `late_lead`, which grows to 3.5 either way by the end of the battle."""
    known: Any = state.extra
    turns = max(1, getattr(known, "turns", ruleset.turns))
    left = min(1.0, max(0.0, 1.0 - state.now / (TURN * turns)))
    lead = _lead(state, ruleset, turns)
    worth = ruleset.worth
    mine, theirs = ([(u, worth(u)) for u in state.living(side) if not _has_left(u)] for side in (0, 1))
    material = _balance(summed(w for _, w in mine), summed(w for _, w in theirs))
    goals: Sequence[Objective] = getattr(known, "objectives", ())
    near, exits = _near(goals, board, mine, theirs), _exits(goals, state, board)
    return (
        lead,
        lead * (1 / sqrt(left + LATE) - 1 / sqrt(1 + LATE)),
        material * left,
        material * (1 - left),
        _balance(len(mine), len(theirs)),
        near * left,
        near * (1 - left),
        exits,
    )


def _has_left(unit: Unit) -> bool:
    """Whether a unit has left the board by an edge: alive but out of the battle."""
    return bool(getattr(unit.own, "left", False))


def _balance(mine: float, theirs: float) -> float:
    """The difference as a share of the sum, from -1 to 1; 0 if the sum is 0."""
    whole = mine + theirs
    return (mine - theirs) / whole if whole > 0 else 0.0


def _lead(state: State, ruleset: Ruleset, turns: int) -> float:
    """The lead in points if everything stayed as it is, as a share of what can still be won. In scenarios that pay every turn for
    what is held, the lead includes what would be paid until the end, and turns that are over cannot be won any more."""
    one, two = ruleset.standing(state)
    scale = summed(ruleset.reach(state)) / 2
    if getattr(state.extra, "each_round", False):
        mine, theirs = _held(state)
        to_come = max(0, turns - state.turn + 1)  # this turn is paid when it ends
        one, two = one + mine * to_come, two + theirs * to_come
        paid = summed(in_reach(state, goal)[side] for goal in _goals_to_hold(state) for side in (0, 1)) / 2
        scale -= paid * (turns - to_come)
    return max(-1.0, min(1.0, (one - two) / max(1.0, scale)))


def _goals_to_hold(state: State) -> list[Objective]:
    """The objectives to hold that the state's record of the battle names."""
    return [goal for goal in getattr(state.extra, "objectives", ()) if goal.kind == "hold"]


def _held(state: State) -> tuple[int, int]:
    """Points of the objectives that each side holds: the holder that the rulebook records, else the side that is alone there."""
    goals: Sequence[Objective] = getattr(state.extra, "objectives", ())
    said = getattr(state.extra, "held", ())
    points = [0, 0]
    for n, goal in enumerate(goals):
        if goal.kind == "hold":
            holder = said[n] if len(said) == len(goals) else alone_in(state, goal.places)
            if holder >= 0 and goal.side in (-1, holder):
                points[holder] += goal.points
    return points[0], points[1]


Party = list[tuple[Unit, float]]
"""Units of one side with their worth."""


def _near(goals: Sequence[Objective], board: Board, mine: Party, theirs: Party) -> float:
    """Which side is nearer to objectives to hold, weighted by their points."""
    total = found = 0.0
    for goal in goals:
        if goal.kind == "hold" and goal.places and goal.points > 0:
            far = distances_to(board, goal.places)
            half = max(1.0, NEAR * max(far))
            pulls = [
                summed(
                    worth / (1.0 + far[unit.place] / half) ** 2 for unit, worth in party if unit.place >= 0
                )
                for party in (mine, theirs)
            ]
            found += goal.points * _balance(*pulls)
            total += goal.points
    return found / total if total else 0.0


def _exits(goals: Sequence[Objective], state: State, board: Board) -> float:
    """How near living units are to edges that they may leave by, averaged over the units that may; the first side's value less
    the second's. A unit that has left has come all the way: else leaving would cost the nearness, and lower the chance."""
    found = 0.0
    for goal in goals:
        if goal.kind != "exit" or not goal.edge:
            continue
        far = distances_to(board, edge_places(board, goal.edge))
        most = max(1, max(far))
        for side in (0, 1):
            if goal.side in (-1, side):
                near = [
                    1.0 - far[unit.place] / most if unit.place >= 0 else float(_has_left(unit))
                    for unit in state.living(side)
                    if not goal.units or unit.id in goal.units
                ]
                if near:
                    found += (1 - 2 * side) * summed(near) / len(near)
    return found


@owned_memo(bound=64)
def distances_to(board: Board, places: tuple[int, ...]) -> tuple[int, ...]:
    """How far each space is from the nearest of some places (one or more), in a straight line: hundredths, by space."""
    distance: Callable[[int, int], int] = board.distance
    return tuple(min(distance(space.id, place) for place in places) for space in board.spaces)
