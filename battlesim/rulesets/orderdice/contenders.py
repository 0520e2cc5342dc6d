"""The scores of the answers that may be the best (contract: `scores`), for players that only want that one.

Most orders and places cannot be: nearness to objectives and the best shot from anywhere are an upper bound of what a place is
worth, which costs little. What a bound rules out is not judged and scores -inf. The others score what their features weigh.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import inf
from typing import Any

from battlesim.core.answers import Answer
from battlesim.core.items import Ask
from battlesim.evaluation.judge import Judge
from battlesim.rules.contract import mix, scored_ends, weigh
from battlesim.rulesets.orderdice import features, move, transports, turn
from battlesim.rulesets.orderdice.appraisal import ROUNDING, Appraisal
from battlesim.rulesets.orderdice.judgement import USUAL
from battlesim.rulesets.orderdice.model import ADVANCE, RUN

LAST = (ADVANCE, RUN)
"""Orders that are judged last: a bound may rule them out."""


def score_which_order(s: Appraisal, ask: turn.WhichOrder, answers: Sequence[Answer]) -> list[float]:
    """Orders that stay in place first. What the best of them weighs is wanted of the places that an Advance or a Run leads to."""
    unit, weights = s.state.units[ask.unit], s.weights
    if unit.place < 0:
        return [weigh(found, weights) for found in features.value_which_order(s, ask, answers)]
    down, values, most = s.lying(unit), [-inf] * len(answers), -inf
    orders = list(enumerate(features.obeyed(s, unit, answers)))
    for number, (name, share) in sorted(orders, key=lambda one: one[1][0] in LAST):
        wanted = -inf
        if share > 0.0 and most > -inf:
            wanted = (most - (1.0 - share) * weigh(down, weights)) / share - ROUNDING
        found = features.better_order(s, unit, name, down, wanted)
        if found is not None:
            values[number] = weigh(found if share >= 1.0 else mix(found, share, down), weights)
            most = max(most, values[number])
    return values


def score_where_to(s: Appraisal, ask: move.WhereTo, answers: Sequence[Answer]) -> list[float]:
    """Fights and staying first, then places in order of their bounds."""
    unit = transports.standing(s.state, s.state.units[ask.unit])
    return scored_ends(
        answers,
        lambda answer: weigh(features.value_of_end(s, unit, ask.order, answer), s.weights),
        lambda places, wanted: s.top_places(unit, places, ask.order == ADVANCE, wanted),
    )


_BOUNDED: dict[type[Ask], Callable[[Appraisal, Any, Sequence[Answer]], list[float]]] = {
    turn.WhichOrder: score_which_order,
    move.WhereTo: score_where_to,
}

JUDGE = Judge(features.positions, USUAL, features.WORK, _BOUNDED)
"""What players ask: the features of answers, and their scores."""
