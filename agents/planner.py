"""Thinks ahead: takes the answers that greedy scores highest, plays each on in imagined battles, and chooses by the results.

Each sample imagines anew what the side does not know, with dice of its own. All answers meet the same samples (common random
numbers). One policy plays both sides, greedy's by default, until `turns` have passed. The position reached is valued as a chance
to win. Greedy's answer is replaced only if the samples outweigh the prior belief that it is best (`best_candidate`). `explain`
shows the answers that were compared.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import ceil

from battlesim import (
    TURN,
    Answer,
    Ask,
    Board,
    Brief,
    Budget,
    Chance,
    Prior,
    Reason,
    Sightings,
    View,
    best_candidate,
    compare,
    feature_scores,
    number,
    playout_policy,
    position_value,
    shortfalls,
    whole,
)

THINKING = 500
"""Milliseconds that it imagines for each second of the time for an answer, if that is limited."""


class Planner:
    """How far it looks:

    - `width`: how many answers are compared, those with the highest scores.
    - `samples`: the most imagined battles for each answer.
    - `turns`, `longest`: each is played for this many turns, or until this many questions are answered.
    - `questions`: the most imagined questions answered before one answer; 0 for no limit but the referee's. If the time for an
      answer is limited, it imagines for half of that at most.
    - `playout`: the policy of both sides in imagined battles, `greedy` or `quick`.

    What it believes before any sample, in chance to win:

    - `head_start`: how much better greedy's answer is than any other.
    - `trust`: how much worse an answer is, in addition, for each point that greedy scores it lower; points count as shares of
      the side's own force.
    - `differ`: by how much answers differ, as a standard deviation.
    - `doubt`: a deviation assumed in two further samples, so that a few agreeing samples do not count as proof.

    Ranges: `width` and `samples` from 2, `longest` from 1, `questions`, `trust` and `doubt` from 0, `turns` from 0.001 to 1,000,
    `differ` and `head_start` from 0 to 1.
    """

    def __init__(
        self,
        width: int = 4,
        samples: int = 32,
        turns: float = 2.0,
        longest: int = 80,
        differ: float = 0.08,
        head_start: float = 0.02,
        trust: float = 0.15,
        doubt: float = 0.5,
        questions: int = 3_200,
        playout: str = "greedy",
    ) -> None:
        self.width, self.samples = whole("width", width, 2), whole("samples", samples, 2)
        self.ahead = round(TURN * number("turns", turns, 1 / TURN, 1_000))
        self.longest, self.questions = whole("longest", longest, 1), whole("questions", questions, 0)
        self.prior = Prior(
            number("differ", differ, 0, 1), number("head_start", head_start, 0, 1), number("doubt", doubt, 0)
        )
        self.trust = number("trust", trust, 0)
        self.playout = playout_policy(playout)

    def start(self, board: Board, side: int, chance: Chance, brief: Brief | None = None) -> None:
        """Begin a battle, in which it has seen no enemy yet. `brief`: what it imagines hidden enemies by, and its time for
        an answer; None: it imagines by its views alone."""
        self.board, self.chance = board, chance
        self.sightings = Sightings(brief)
        self.milliseconds = ceil(THINKING * brief.seconds) if brief else 0

    def choose(self, view: View, ask: Ask, answers: Sequence[Answer]) -> Answer:
        """Greedy's answer, or one that did better in imagined battles."""
        self.sightings.note(view)
        return self._compared(view, ask, answers)[0].answer

    def explain(self, view: View, ask: Ask, answers: Sequence[Answer]) -> list[Reason]:
        """The answers that were compared, the chosen one first, each with its chance to win in per cent."""
        self.sightings.note(view)
        return self._compared(view, ask, answers)

    def save(self) -> bytes:
        """The enemies that it has seen, as bytes for `load`."""
        return self.sightings.save()

    def load(self, memory: bytes) -> None:
        """Restore what `save` returned."""
        self.sightings.load(memory)

    def _compared(self, view: View, ask: Ask, answers: Sequence[Answer]) -> list[Reason]:
        """The answers with the highest scores, compared in imagined battles, the best first."""
        budget = Budget(self.questions, self.milliseconds)
        scores = feature_scores(view, self.board, ask, answers)
        order = sorted(range(len(answers)), key=lambda n: -scores[n])
        likely, short = order[: self.width], shortfalls(view, scores)
        found = compare(
            view,
            self.board,
            [answers[n] for n in likely],
            self.playout,
            position_value,
            self.chance.bits() >> 1,
            samples=self.samples,
            until=view.now + self.ahead,
            budget=budget,
            longest=self.longest,
            prior=self.prior,
            behind=[self.trust * short[n] for n in likely],
            imagine=self.sightings.imagine,
        )
        usual, best = found[0], best_candidate(found, self.prior)
        rows = sorted(found, key=lambda one: (one is not best, -one.mean))
        return [
            Reason(
                one.answer,
                100 * one.mean,
                f"{len(one.values)} samples" + ", greedy's" * (one is usual),
                chance=True,
                samples=len(one.values),
                usual=one is usual,
            )
            for one in rows
        ]
