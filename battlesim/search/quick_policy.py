"""A quick policy for imagined battles: rules of thumb, with estimates only for shooting. Read `quick_answer`.

Most of the cost of a question is weighing what orders lead to. This policy uses quick estimates of volleys (`Ruleset.glance`),
and asks the rulebook for full estimates only of charges and rare questions. It examines only a few places, those near objectives.
The same for all rulebooks: it takes the meaning of an order from the rulebook's `tactical`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from math import inf
from typing import Any, NamedTuple

from battlesim.board.board import Board
from battlesim.core.answers import Answer, Confirm, Face, Order, Pick, TargetUnit
from battlesim.core.errors import Fault, InputError
from battlesim.core.geometry import FACINGS, facing_towards
from battlesim.core.items import Ask
from battlesim.core.memo import owned_memo
from battlesim.core.state import Unit
from battlesim.core.view import View
from battlesim.evaluation.objectives import edge_places
from battlesim.evaluation.position import distances_to
from battlesim.rules.contract import Features, weigh
from battlesim.rules.scenario import Objective
from battlesim.rules.tactical import order_of
from battlesim.rulesets.finder import find_ruleset
from battlesim.search.playouts import Policy, best_by_features

WEIGHTS = Features(dealt=10.0, progress=1.0, hold=1.0)
"""The weights for the rulebook's estimates: mainly losses of the enemy."""
STAND, STEP = 0.2, 0.05
"""Expected losses of the enemy, as a share of the unit's own worth, above which it stands to fire, and above which it fires on
the move."""
CHARGE = 0.4
"""The same for charges offered during a move."""
PLACES = 6
"""How many places are examined closely, those nearest to what attracts a unit."""
PULL, CROWD = 0.6, 0.1
"""Shares of a unit's worth: for being at its strongest attraction, and against standing where a friend does."""
SHOT, LATER = 1.4, 0.3
"""The weight of the best volley from a place if the unit may fire at once, and if only later."""
STAKE = 2.0
"""The factor for an enemy that an objective names, or that stands on one."""
NEAREST = 3
"""How many of the nearest enemies decide, by a unit's fire at them, whether it acts first."""
CROWDED = 0.3
"""The factor for an objective with one friend on it; divided among more."""
LEAST = 0.02
"""The share of its own worth above which a crew, or a unit on an objective, fires."""
PATIENT = frozenset({"crew", "works"})
"""Roles of units that fire at the least chance of a loss."""
STANDING: Sequence[str] = ("fire", "hold", "move", "run")
MOVING: Sequence[str] = ("move", "fire-move", "run")
RUNNING: Sequence[str] = ("run", "move", "hold")
"""Orders by the names that all rulebooks share (`rules.tactical.ORDERS`), the most wanted first: for a unit on an objective, for
one that fires on the move, and for all others."""


def quick_answer(view: View, board: Board, ask: Ask, answers: Sequence[Answer]) -> Answer:
    """What a unit does by rules of thumb. A policy for `compare` and `play_on`, several times as fast as `best_by_features`.

    The unit whose fire may cost a near enemy most acts first. It fires if that may cost the enemy much; a crew, or a unit on an
    objective, even if it costs the enemy little. Otherwise a unit on an objective stays; others go for the nearest objective, to
    where they fire best, and fire on the way if that costs the enemy something. It keeps an ambush, does not go Down or stay
    Down, and faces the nearest enemy. Ties are broken by the number of the question.
    """
    if len(answers) == 1:
        return answers[0]
    if isinstance(answers[0], Pick) and not hasattr(ask, "unit"):
        return _choose_unit(view, board, answers)
    unit = view.units.get(getattr(ask, "unit", -1))
    if unit is None or unit.place < 0:
        return _best_by_estimates(view, board, ask, answers)
    kind = type(ask).__name__
    if kind in ("WhichOrder", "WhichAction"):
        return _choose_order(view, board, unit, answers)
    if kind == "WhereTo":
        return _choose_place(view, board, ask, unit, answers)
    if kind == "HowFired":  # to kill, as the first answer has it
        return answers[0]
    if isinstance(answers[0], Face):
        return _choose_facing(view, board, unit, answers)
    if kind == "AtWhom":
        known = [answer for answer in answers if getattr(answer, "unit", -1) in view.units]
        if known:
            return _choose_target(view, board, ask, unit, known)
    if kind in ("KeepOrder", "GoDown"):
        wanted = Confirm(kind == "KeepOrder" and _lies_in_wait(view, unit))
        return wanted if wanted in answers else answers[0]
    return _best_by_estimates(view, board, ask, answers)


def _lies_in_wait(view: View, unit: Unit) -> bool:
    """Whether the order that a unit has is to wait for an enemy, as in ambush."""
    order = getattr(unit.own, "order", "")
    return find_ruleset(view.ruleset).tactical.orders.get(order) == "wait"


def _best_by_estimates(view: View, board: Board, ask: Ask, answers: Sequence[Answer]) -> Answer:
    """The best answer by the rulebook's estimates."""
    found = find_ruleset(view.ruleset).features(view, board, ask, answers)
    values = [weigh(one, WEIGHTS) for one in found]
    most = max(values)
    return _break_tie(view, [a for a, value in zip(answers, values, strict=True) if value == most])


def _break_tie(view: View, equals: Sequence[Answer]) -> Answer:
    """One of equally good answers, by the number of the question."""
    return equals[view.number % len(equals)]


def _known_enemies(view: View) -> list[Unit]:
    """The living enemies on the board that the view shows."""
    return [unit for unit in view.units.values() if unit.side != view.side and unit.alive and unit.place >= 0]


def _objectives(view: View) -> Iterable[Objective]:
    goals: Iterable[Objective] = getattr(view.extra, "objectives", ())
    return goals


def _choose_unit(view: View, board: Board, answers: Sequence[Answer]) -> Answer:
    """The unit that may cost one of its nearest enemies most; on a tie the unit nearest to an enemy."""
    foes, spaces = _known_enemies(view), board.spaces
    if not foes:
        return _break_tie(view, answers)
    volley = find_ruleset(view.ruleset).glance(view, board)
    spots = [(spaces[foe.place].x, spaces[foe.place].y, foe) for foe in foes]
    best, most = answers[0], (-1.0, 0)
    for answer in answers:
        unit = view.units.get(answer.unit) if isinstance(answer, Pick) else None
        if unit is None or unit.place < 0:
            continue
        here = unit.place
        x, y = spaces[here].x, spaces[here].y
        near = sorted(((x - fx) ** 2 + (y - fy) ** 2, foe.id, foe) for fx, fy, foe in spots)
        value = (max([volley(unit, here, foe, False) for _, _, foe in near[:NEAREST]]), -near[0][0])
        if value > most:
            best, most = answer, value
    return best


def _choose_order(view: View, board: Board, unit: Unit, answers: Sequence[Answer]) -> Answer:
    """An attack if it pays; on an objective stay; otherwise go on, with fire if that pays a little."""
    ruleset = find_ruleset(view.ruleset)
    senses = ruleset.tactical.orders
    by_sense: dict[str, Answer] = {}
    for answer in answers:
        if isinstance(answer, Order):
            by_sense.setdefault(senses.get(answer.name, answer.name), answer)
    wanted = RUNNING
    crew = ruleset.tactical.role(unit) in PATIENT
    on = any(unit.place in goal.places for goal in _objectives(view) if goal.kind == "hold")
    share = _best_shot(view, board, unit) / max(ruleset.worth(unit), 1.0)
    if "fire" in by_sense and share > (LEAST if on or crew else STAND):
        return by_sense["fire"]
    if crew and "barrage" in by_sense:
        return by_sense["barrage"]
    if share > STEP:
        wanted = MOVING
    if on:
        wanted = STANDING
    for sense in wanted:
        if sense in by_sense:
            return by_sense[sense]
    return answers[0]


def _best_shot(view: View, board: Board, unit: Unit) -> float:
    """The most that a volley of a unit from where it is may cost a known enemy."""
    volley, place = find_ruleset(view.ruleset).glance(view, board), unit.place
    return max([volley(unit, place, foe, False) for foe in _known_enemies(view)], default=0.0)


def _choose_target(view: View, board: Board, ask: Ask, unit: Unit, answers: Sequence[Any]) -> Answer:
    """The enemy that a volley may cost most; an enemy that an objective names, or that stands on one, counts more. If the
    rulebook's estimates are cheap (`Ruleset.aimed`), the best by estimates, including other ways to fire at known enemies."""
    ruleset, here, goals = find_ruleset(view.ruleset), unit.place, tuple(_objectives(view))
    volley = ruleset.glance(view, board)

    def cost(answer: TargetUnit) -> float:
        foe = view.units[answer.unit]
        counts = any(foe.id in goal.units or foe.place in goal.places for goal in goals)
        return volley(unit, here, foe, False) * (STAKE if counts else 1.0)

    plain = [answer for answer in answers if isinstance(answer, TargetUnit)]
    if not ruleset.aimed and plain:
        return max(plain, key=cost)
    others = [answer for answer in answers if not isinstance(answer, TargetUnit)]
    few = [*sorted(plain, key=cost, reverse=True)[: ruleset.aimed], *others]
    return few[0] if len(few) == 1 else _best_by_estimates(view, board, ask, few)


def _choose_place(view: View, board: Board, ask: Ask, unit: Unit, answers: Sequence[Answer]) -> Answer:
    """A charge if it pays; otherwise, of the places nearest to what attracts it, the one where it fires best and no friend
    stands."""
    ruleset = find_ruleset(view.ruleset)
    charges = [answer for answer in answers if isinstance(answer, TargetUnit)]
    worth = ruleset.worth(unit)
    if charges:
        found = [one.dealt for one in ruleset.features(view, board, ask, charges)]
        if max(found) > CHARGE * worth:
            return charges[found.index(max(found))]
    attractions, here = _attractions(view, board, unit), unit.place
    top = max([one.worth for one in attractions], default=1.0) or 1.0
    near = [
        (
            max([pull * field[getattr(answer, "place", here)] for pull, field in attractions], default=0.0),
            number,
        )
        for number, answer in enumerate(answers)
    ]
    near.sort(reverse=True)
    crowded = {one.place for one in view.units.values() if one is not unit and one.side == view.side}
    fires = ruleset.tactical.orders.get(order_of(ask)) == "move"
    volley, foes = ruleset.glance(view, board), _known_enemies(view)
    best, most = answers[0], -inf
    for nearness, number in near[:PLACES]:
        place = getattr(answers[number], "place", here)
        shot = max([volley(unit, place, foe, place != here) for foe in foes], default=0.0)
        pull = PULL * nearness / top - (CROWD if place in crowded else 0.0)
        value = worth * pull + (SHOT if fires else LATER) * shot
        if value > most:
            best, most = answers[number], value
    return best


def _choose_facing(view: View, board: Board, unit: Unit, answers: Sequence[Answer]) -> Answer:
    """The facing nearest to the direction of the nearest known enemy."""
    foes = _known_enemies(view)
    if not foes:
        return _break_tie(view, answers)
    foe = min(foes, key=lambda other: board.distance(unit.place, other.place))
    wanted = facing_towards(board.spaces[unit.place].point, board.spaces[foe.place].point)

    def turn(answer: Answer) -> int:
        if not isinstance(answer, Face):
            return len(FACINGS)
        away = (answer.facing - wanted) % len(FACINGS)
        return min(away, len(FACINGS) - away)

    return min(answers, key=turn)


class _Attraction(NamedTuple):
    """Something that attracts units: what it is worth, and how near every space is to it (1 there, 0 farthest)."""

    worth: float
    field: Sequence[float]


@owned_memo(bound=256)
def _nearness(board: Board, places: tuple[int, ...]) -> tuple[tuple[float, ...], frozenset[int]]:
    """How near every space is to the nearest of some places, in a straight line, and the places as a set."""
    far = distances_to(board, places)
    longest = max(far) or 1
    return tuple(1.0 - one / longest for one in far), frozenset(places)


def _attractions(view: View, board: Board, unit: Unit) -> list[_Attraction]:
    """Objectives, or the known enemies if no objective attracts the unit."""
    friends = [
        one.place for one in view.units.values() if one.side == view.side and one.alive and one is not unit
    ]
    found: list[_Attraction] = []
    for goal in _objectives(view):
        found += _attractions_of(goal, view, board, unit, friends)
    return found or [_Attraction(1.0, _nearness(board, (foe.place,))[0]) for foe in _known_enemies(view)]


def _attractions_of(
    goal: Objective, view: View, board: Board, unit: Unit, friends: Sequence[int]
) -> list[_Attraction]:
    if goal.kind == "hold" and goal.places:
        field, places = _nearness(board, goal.places)
        there = sum(map(places.__contains__, friends))
        return [_Attraction(goal.points * (CROWDED / there if there else 1.0), field)]
    if goal.kind == "exit" and goal.side in (-1, view.side) and (not goal.units or unit.id in goal.units):
        return [_Attraction(goal.points, _nearness(board, edge_places(board, goal.edge))[0])]
    units: Mapping[int, Any] = view.units
    hunted = [units[number] for number in goal.units if number in units]
    return [
        _Attraction(goal.points, _nearness(board, (foe.place,))[0])
        for foe in hunted
        if foe.side != view.side and foe.alive and foe.place >= 0
    ]


PLAYOUTS: dict[str, Policy] = {"greedy": best_by_features, "quick": quick_answer}
"""Policies for imagined battles by name, as `planner,playout=quick` has them."""


def playout_policy(name: str) -> Policy:
    """The policy with a name. Raises InputError for an unknown one."""
    if name not in PLAYOUTS:
        raise InputError(Fault(f"no playout {name!r}", f"give one of {', '.join(PLAYOUTS)}"))
    return PLAYOUTS[name]
