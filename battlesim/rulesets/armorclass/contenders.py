"""The scores of the answers that may be the best (contract: `scores`), for players that only want that one.

Most moves cannot be: nearness to objectives and the best shot from anywhere are an upper bound of what a place is worth, which
costs little. What a bound rules out is not judged and scores -inf. The others score what their features weigh.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import inf
from typing import Any

from battlesim.core.answers import Answer, Order
from battlesim.core.items import Ask
from battlesim.evaluation.judge import Judge
from battlesim.rules.contract import scored_ends, weigh
from battlesim.rulesets.armorclass import features, move, turn
from battlesim.rulesets.armorclass.appraisal import Appraisal
from battlesim.rulesets.armorclass.features_move import ROUNDING, end_of, top_ends
from battlesim.rulesets.armorclass.judgement import USUAL
from battlesim.rulesets.armorclass.model import MOVE, RUN, unit_state

LAST = (Order(MOVE), Order(RUN))
"""Orders that are judged last: a bound may rule them out."""


def score_which_order(s: Appraisal, ask: turn.WhichOrder, answers: Sequence[Answer]) -> list[float]:
    """Orders to fire first. What the best of them weighs is wanted of the places that the others lead to."""
    unit, values, most = s.state.units[ask.unit], [-inf] * len(answers), -inf
    for number in sorted(range(len(answers)), key=lambda one: answers[one] in LAST):
        found = features.better_order(s, unit, answers[number], most - ROUNDING)
        if found is not None:
            values[number] = weigh(found, s.weights)
            most = max(most, values[number])
    return values


def score_where_to(s: Appraisal, ask: move.WhereTo, answers: Sequence[Answer]) -> list[float]:
    """Assaults and staying first, then places in order of their bounds."""
    unit = s.state.units[ask.unit]
    fired = unit_state(unit).fired >= 0
    return scored_ends(
        answers,
        lambda answer: weigh(end_of(s, unit, ask.order, answer, fired), s.weights),
        lambda places, wanted: top_ends(s, unit, ask.order, places, fired, wanted),
    )


_BOUNDED: dict[type[Ask], Callable[[Appraisal, Any, Sequence[Answer]], list[float]]] = {
    turn.WhichOrder: score_which_order,
    move.WhereTo: score_where_to,
}

JUDGE = Judge(features.positions, USUAL, features.WORK, _BOUNDED)
"""What players ask: the features of answers, and their scores."""
