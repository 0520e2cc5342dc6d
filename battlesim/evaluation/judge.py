"""How a rulebook judges answers: `Ruleset.features` and `Ruleset.scores`, made of the rulebook's own parts. Read `Judge`."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Generic, Protocol, TypeVar

from battlesim.board.board import Board
from battlesim.core.answers import Answer
from battlesim.core.items import Ask
from battlesim.core.view import View
from battlesim.rules.contract import Features, weigh
from battlesim.rules.view_cache import Position, ViewCache

NOTHING = Features()
"""What an answer is worth that nobody judges: zero in everything."""


class Judged(Position, Protocol):
    """A position that answers are judged in. `weights`: what its features weigh."""

    weights: Features


AnyJudged = TypeVar("AnyJudged", bound=Judged)
AnyJudgement = TypeVar("AnyJudgement")


class Judge(Generic[AnyJudged, AnyJudgement]):
    """The judgement of one rulebook.

    - `positions`: the last position under a judgement, a memo over judgements.
    - `usual`: the rulebook's default judgement.
    - `work`: by class of question, the features of its answers. Answers to other questions have features of zero.
    - `bounded`: by class of question, the scores of its answers, -inf where a bound shows that another is better. The answers to
      other questions score what their features weigh.
    """

    def __init__(
        self,
        positions: Callable[[AnyJudgement], ViewCache[AnyJudged]],
        usual: AnyJudgement,
        work: Mapping[type[Ask], Callable[[AnyJudged, Any, Sequence[Answer]], list[Features]]],
        bounded: Mapping[type[Ask], Callable[[AnyJudged, Any, Sequence[Answer]], list[float]]],
    ) -> None:
        self._positions, self._usual, self._work, self._bounded = positions, usual, work, bounded

    def features(
        self,
        view: View,
        board: Board,
        ask: Ask,
        answers: Sequence[Answer],
        judgement: AnyJudgement | None = None,
    ) -> list[Features]:
        """One record for each answer, in their order, under a judgement; None for the usual one."""
        if (work := self._work.get(type(ask))) is None:
            return [NOTHING for _ in answers]
        positions = self._positions(judgement or self._usual)
        return positions.ask(view, board, lambda position: work(position, ask, answers))

    def scores(
        self,
        view: View,
        board: Board,
        ask: Ask,
        answers: Sequence[Answer],
        judgement: AnyJudgement | None = None,
    ) -> list[float]:
        """What the features of each answer weigh, or -inf where a bound shows that another is better."""
        positions = self._positions(judgement or self._usual)
        if (score := self._bounded.get(type(ask))) is not None:
            return positions.ask(view, board, lambda position: score(position, ask, answers))
        if (work := self._work.get(type(ask))) is None:
            return [0.0 for _ in answers]
        return positions.ask(
            view,
            board,
            lambda position: [weigh(found, position.weights) for found in work(position, ask, answers)],
        )
