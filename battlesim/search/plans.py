"""Plans for one activation: an act from its order to its last target as one candidate. Read `likely_plans`.

Questions come one by one as at the table, and the best answer to the first may depend on what follows. A plan answers several
questions in sequence; they are found by asking them in an imagined battle.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from battlesim.board.board import Board
from battlesim.core.answers import Answer
from battlesim.core.errors import Fault, InputError
from battlesim.core.items import Ask
from battlesim.core.view import View
from battlesim.engine.battle import Battle, Question
from battlesim.engine.budget import Budget
from battlesim.search.playouts import Plan, PlannedAnswer

Scores = Callable[[View, Board, Ask, Sequence[Answer]], Sequence[float]]
"""How good each answer looks at first sight: (view, board, ask, answers)."""
DEEP = 4
"""The most questions of one activation that a plan answers."""


def likely_plans(first: Battle, scores: Scores, widths: Sequence[int], budget: Budget) -> list[Plan]:
    """Plans for the activation that a question belongs to, the likeliest first.

    At the first question the best `widths[0]` answers are taken, at the one that follows from each the best `widths[1]`, and so
    on. Beyond that, and if the next question is about another unit, for another side or at another time, a plan ends. Of plans
    with the same beginning, the first takes the best-looking answer at each question. `first` is left as it is. Raises
    BudgetSpent, and InputError for an argument of the wrong type or a width below 1.
    """
    _check(first, scores, widths, budget)
    question = first.question
    if question is None:
        return []
    unit = getattr(question.ask, "unit", -1)
    return _grown(first, (), question.side, unit, scores, tuple(widths[:DEEP]), budget)


def _check(first: object, scores: object, widths: object, budget: object) -> None:
    """Refuse arguments of the wrong type. Raises InputError."""
    if not isinstance(first, Battle):
        remedy = "give Battle(ruleset, board, ruleset.imagine(view, board, dice), dice)"
        raise InputError(Fault(f"plans are found in a battle, not in a {type(first).__name__}", remedy))
    if not callable(scores):
        raise InputError(Fault(f"scores={scores!r:.60} is not a function", "give one such as top_scores"))
    whole = isinstance(widths, Sequence) and all(type(width) is int and width >= 1 for width in widths)
    if not whole or not widths:
        remedy = "give whole numbers from 1, one for each question: (3, 2)"
        raise InputError(Fault(f"widths={widths!r:.60} will not do", remedy))
    if not isinstance(budget, Budget):
        remedy = "give Budget(questions=400), or brief.budget"
        raise InputError(Fault(f"budget={budget!r:.60} is not a budget", remedy))


def _grown(
    battle: Battle, plan: Plan, side: int, unit: int, scores: Scores, widths: tuple[int, ...], budget: Budget
) -> list[Plan]:
    question = battle.question
    if not widths or not _goes_on(question, plan, side, unit):
        return [plan]
    assert question is not None
    view = battle.ruleset.observe(battle.state, battle.board, side, ())
    found = scores(view, battle.board, view.ask, question.answers)
    order = sorted(range(len(found)), key=lambda n: -found[n])
    name, about = type(question.ask).__name__, getattr(question.ask, "unit", -1)
    plans: list[Plan] = []
    for n in order[: widths[0]]:
        fork = battle.fork()
        budget.spend()
        fork.answer(question.answers[n])
        step = PlannedAnswer(name, about, question.answers[n])
        now = about if unit < 0 else unit
        if now < 0:  # the acting unit has just been chosen
            now = getattr(question.answers[n], "unit", -1)
        if fork.state.now != battle.state.now:
            plans.append((*plan, step))
        else:
            plans += _grown(fork, (*plan, step), side, now, scores, widths[1:], budget)
    return plans


def _goes_on(question: Question | None, plan: Plan, side: int, unit: int) -> bool:
    """Whether a question belongs to the activation that a plan has begun."""
    if question is None or question.side != side:
        return False
    return not plan or getattr(question.ask, "unit", -1) == unit
