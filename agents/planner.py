"""Thinks ahead: takes the answers that greedy likes best, plays each on in its imagination, and takes the one that came out best.

What it does not know it imagines anew for each sample, by its own dice; all answers meet the same dice. Both sides are played by
greedy's judgement over the enemy's reply, and the position that comes of it is valued as a chance to win. It leaves greedy's
choice only where the samples outweigh what speaks for that beforehand (`best_candidate`). `explain` shows what it found.
"""

from __future__ import annotations

from collections.abc import Sequence

from battlesim import (
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

TURN = 1_000
"""Ticks of the clock a turn."""


class Planner:
    """`width`: answers that are looked at. `samples`: imagined battles for each, at most. `turns`: how far they are played, and
    `longest`: how many questions far, at most. `head_start`: by how much greedy's answer is taken to be better beforehand, in
    chance to win, and `trust`: how much more for each point of what it promises more, as a share of the side's own force.
    `differ`: by how much answers are taken to differ, a standard deviation. `doubt`: a deviation that is taken to have been seen
    in two samples besides, so that few which agree do not count as proof. `questions`: imagined questions that it answers at
    most before it answers one, 0 for no limit but the referee's. `playout`: who plays on in its imagination, `greedy` or
    `quick`."""

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
        self.board, self.chance = board, chance
        self.sightings = Sightings(brief)

    def choose(self, view: View, ask: Ask, answers: Sequence[Answer]) -> Answer:
        self.sightings.note(view)
        return self._weighed(view, ask, answers)[0].answer

    def explain(self, view: View, ask: Ask, answers: Sequence[Answer]) -> list[Reason]:
        """The answers that were tried, the chosen one first, each with the chance to win in per cent."""
        self.sightings.note(view)
        return self._weighed(view, ask, answers)

    def save(self) -> bytes:
        """The enemies it has seen."""
        return self.sightings.save()

    def load(self, memory: bytes) -> None:
        """Restore what `save` returned."""
        self.sightings.load(memory)

    def _weighed(self, view: View, ask: Ask, answers: Sequence[Answer]) -> list[Reason]:
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
            budget=Budget(self.questions),
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
