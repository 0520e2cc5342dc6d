"""The scores of the answers that may be the best (contract: `scores`), for players that only want that one.

Most moves cannot be: nearness to objectives and the best shot from a place are an upper bound of what the place is worth, which
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
from battlesim.rulesets.squadhex import features, move, turn
from battlesim.rulesets.squadhex.appraisal import Appraisal
from battlesim.rulesets.squadhex.judgement import USUAL
from battlesim.rulesets.squadhex.maneuver import NOWHERE, ROUNDING, better_move, top_moves, value_of_move
from battlesim.rulesets.squadhex.model import ADVANCE, ADVANCE_FIRE

LAST = (ADVANCE_FIRE, ADVANCE)
"""Actions that are judged last: a bound may rule out where they lead to."""


def score_which_action(s: Appraisal, ask: turn.WhichAction, answers: Sequence[Answer]) -> list[float]:
    """Actions that stay in place first. What the best of them weighs is wanted of the places that the others lead to."""
    unit, values, most = s.state.units[ask.unit], [-inf] * len(answers), -inf
    names = [(n, answer.name) for n, answer in enumerate(answers) if isinstance(answer, Order)]
    for number, name in sorted(names, key=lambda one: one[1] in LAST):
        if name in LAST:
            found, value = better_move(s, unit, name, most - ROUNDING)
            if found is NOWHERE and value < most:
                continue  # nowhere better, or nowhere to go, which is no better
        else:
            value = weigh(features.value_of_action(s, unit, name), s.weights)
        values[number] = value
        most = max(most, value)
    return values


def score_where_to(s: Appraisal, ask: move.WhereTo, answers: Sequence[Answer]) -> list[float]:
    """Staying first, then places in order of their bounds."""
    unit = s.state.units[ask.unit]
    return scored_ends(
        answers,
        lambda _: weigh(value_of_move(s, unit, unit.place, ask.action), s.weights),
        lambda places, wanted: top_moves(s, unit, places, ask.action, wanted),
    )


_BOUNDED: dict[type[Ask], Callable[[Appraisal, Any, Sequence[Answer]], list[float]]] = {
    turn.WhichAction: score_which_action,
    move.WhereTo: score_where_to,
}

JUDGE = Judge(features.positions, USUAL, features.WORK, _BOUNDED)
"""What players ask: the features of answers, and their scores."""
