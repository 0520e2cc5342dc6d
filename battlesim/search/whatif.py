"""What would have happened: a recorded battle played on from one question with each of several answers.

All answers meet the same dice: the battle's own (what would have happened), and the same series of fresh ones (what each answer
was worth). Dice are keyed by what they are rolled for, so whatever an answer does not affect rolls alike, and the paired
differences are much more certain than the values. Read `what_if`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from math import inf, sqrt

from msgspec import Struct

from battlesim.core.answers import Answer, format_answer, parse_answer
from battlesim.core.dice import derive_seed
from battlesim.core.sums import summed
from battlesim.engine.battle import Battle
from battlesim.search.continuation import Continuation, PlayedOn
from battlesim.search.playouts import feature_scores


class Option(Struct, frozen=True):
    """One answer and its results. `answer`: in text form. `played`: whether it is the recorded one. `same`: under the battle's
    own dice. `fresh`: under fresh dice, game by game; game n met the same dice for every answer."""

    answer: str
    played: bool
    same: PlayedOn
    fresh: tuple[PlayedOn, ...]

    def values(self, side: int) -> list[float]:
        """1 for a won game, 0.5 for a draw, 0 for a lost one, by game, as `side` sees it."""
        return [game.value if side == 0 else 1.0 - game.value for game in self.fresh]

    def margins(self, side: int) -> list[int]:
        """How many points a side was ahead at the end, by game."""
        return [game.points[side] - game.points[1 - side] for game in self.fresh]


Piece = tuple[str, int]
"""An answer in text form, and the number of a game with fresh dice, -1 for the battle's own."""
Divide = Callable[[Sequence[Piece]], Iterable[tuple[int, PlayedOn]]]
"""(pieces) -> (index of a piece, its result) for each, in any order. It hands them to workers: `cli/whatif_parts.py` uses
processes."""


def what_if(
    continuation: Continuation,
    number: int,
    answers: Sequence[Answer],
    games: int,
    seed: int = 0,
    done: Callable[[], None] = lambda: None,
    divide: Divide | None = None,
) -> list[Option]:
    """Play on from question `number` with each of `answers`: once under the battle's own dice, `games` times under fresh ones
    that follow from `seed`. `done` is called after each game. `divide`: distributes the work; the result does not depend on it.
    Raises InputError if there is no such question, IllegalAnswer for an answer that is not legal there."""
    recorded = continuation.recorded(number)
    names = [format_answer(answer) for answer in answers]
    pieces = [(name, game) for name in names for game in range(-1, games)]
    played = divide(pieces) if divide is not None else play_pieces(continuation, number, pieces, seed)
    found: dict[int, PlayedOn] = {}
    for which, came in played:
        found[which] = came
        done()
    rows = [[found[row * (games + 1) + game] for game in range(games + 1)] for row in range(len(answers))]
    return [
        Option(name, answer == recorded, same, tuple(fresh))
        for name, answer, (same, *fresh) in zip(names, answers, rows, strict=True)
    ]


def play_pieces(
    continuation: Continuation, number: int, pieces: Sequence[Piece], seed: int
) -> Iterator[tuple[int, PlayedOn]]:
    """Play pieces of `what_if` one after the other."""
    battle = continuation.at(number)
    for which, (text, game) in enumerate(pieces):
        dice = derive_seed(seed, "what if", game) if game >= 0 else None
        yield which, continuation.play_on(battle, dice, parse_answer(text, continuation.ruleset.answers))


class Better(Struct, frozen=True):
    """An answer that would have been better than the recorded one: its `gain`, in chances to win of the side that was asked, with
    its standard error."""

    question: int
    answer: str
    gain: float
    error: float


def better_answer(
    continuation: Continuation,
    number: int,
    games: int,
    most: int,
    seed: int = 0,
) -> Better | None:
    """The answer to question `number` that beats the recorded one by most, among the `most` others with the highest scores by
    features; None if none is ahead by two standard errors. It is chosen by the first half of the games, and its gain is measured
    on the other half, so that the luck of being chosen is excluded."""
    battle = continuation.at(number)
    answers = candidates(battle, continuation.recorded(number), most)
    side = continuation.answers[number].side
    half = max(2, games // 2)
    played, *others = what_if(continuation, number, answers, 2 * half, seed)
    base = played.values(side)
    leads = [[a - b for a, b in zip(option.values(side), base, strict=True)] for option in others]
    if not leads:
        return None
    best = max(range(len(leads)), key=lambda n: summed(leads[n][:half]))
    gain, error = mean_and_error(leads[best][half:])
    if summed(leads[best][:half]) <= 0 or gain <= 2 * error:
        return None
    return Better(number, others[best].answer, gain, error)


def candidates(battle: Battle, recorded: Answer, most: int) -> list[Answer]:
    """The recorded answer, and the `most` others with the highest scores by features, the best first."""
    question = battle.question
    assert question is not None
    view = battle.view(question.side)
    scores = feature_scores(view, battle.board, view.ask, question.answers)
    order = sorted(range(len(scores)), key=lambda n: -scores[n])
    others = [question.answers[n] for n in order if question.answers[n] != recorded]
    return [recorded, *others[:most]]


def mean_and_error(values: Sequence[float]) -> tuple[float, float]:
    """The mean of independent values and its standard error; inf for fewer than two."""
    n = len(values)
    mean = summed(values) / n
    if n < 2:
        return mean, inf
    return mean, sqrt(summed((value - mean) ** 2 for value in values) / (n - 1) / n)
