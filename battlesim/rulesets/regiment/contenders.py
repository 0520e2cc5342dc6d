"""The scores of the answers that may be the best (contract: `scores`), for players that only want that one.

Most moves cannot be: nearness to objectives and the best shot and charge from anywhere are an upper bound of what a place is
worth, which costs little. What a bound rules out is not judged and scores -inf. The others score what their features weigh.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import inf
from typing import Any

from battlesim.core.answers import Answer, Order
from battlesim.core.items import Ask
from battlesim.evaluation.judge import Judge
from battlesim.rules.contract import scored_ends, weigh
from battlesim.rulesets.regiment import features, maneuver, move
from battlesim.rulesets.regiment.appraisal import Appraisal
from battlesim.rulesets.regiment.judgement import USUAL
from battlesim.rulesets.regiment.model import unit_state


def score_which_order(s: Appraisal, ask: move.WhichOrder, answers: Sequence[Answer]) -> list[float]:
    """Orders that stay in place first. What the best of them weighs is wanted of the places that the others lead to."""
    unit, weights = s.state.units[ask.unit], s.weights
    # For a character with a unit nearness does not count, and the bounds are about nearness.
    if unit_state(unit).joined >= 0:
        return [weigh(found, weights) for found in features.value_which_order(s, ask, answers)]
    stays, values, most = maneuver.value_of_halt(s, unit), [-inf] * len(answers), -inf
    orders = [(n, answer.name) for n, answer in enumerate(answers) if isinstance(answer, Order)]
    for number, order in sorted(orders, key=lambda one: one[1] in maneuver.MOVES):
        found = maneuver.better_order(s, unit, order, stays, most - maneuver.ROUNDING)
        if found is not None:
            values[number] = weigh(found, weights)
            most = max(most, values[number])
    return values


def score_where_to(s: Appraisal, ask: move.WhereTo, answers: Sequence[Answer]) -> list[float]:
    """Staying first, then places in order of their bounds."""
    unit = s.state.units[ask.unit]
    stays = weigh(maneuver.value_of_rest(s, unit, ask.order), s.weights)

    def top(places: Sequence[int], wanted: float) -> list[float]:
        found = maneuver.race(s, unit, [place for place in places if place != unit.place], ask.order, wanted)
        values = {place: weigh(one, s.weights) for place, one in found.items()} | {unit.place: stays}
        return [values.get(place, -inf) for place in places]

    return scored_ends(answers, lambda _: stays, top)


_BOUNDED: dict[type[Ask], Callable[[Appraisal, Any, Sequence[Answer]], list[float]]] = {
    move.WhichOrder: score_which_order,
    move.WhereTo: score_where_to,
}

JUDGE = Judge(features.positions, USUAL, features.WORK, _BOUNDED)
"""What players ask: the features of answers, and their scores."""
