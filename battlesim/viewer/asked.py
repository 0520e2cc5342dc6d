"""The results of `battlesim whatif --json FILE` about a record, for its replay page. Read `read_asked`."""

from __future__ import annotations

import json
from collections.abc import Iterable
from math import fsum, isclose
from pathlib import Path

import msgspec
from msgspec import Struct

from battlesim.core.errors import Fault, InputError
from battlesim.engine.record import Record
from battlesim.search.turning_points import Act, Effect, Swings

REMEDY = "give a file that `battlesim whatif RECORD --json FILE` wrote, with --at or --turning-points"


class BetterAnswer(Struct, frozen=True):
    """An answer that would have been better than the one played. `gain`: by how much, with its standard error."""

    question: int
    asked: str
    words: str
    gain: float
    error: float


class ToldAct(Act, frozen=True):
    """A turning point. `text`: what happened; `better`: answers that would have been better."""

    text: str = ""
    better: tuple[BetterAnswer, ...] = ()


class SameDice(Struct, frozen=True):
    """How the battle would have ended with its own dice. `value`: 1 if the side that was asked wins, 0.5 for a draw."""

    value: float
    points: tuple[int, int]
    termination: str


class AskedAnswer(Struct, frozen=True):
    """The value of an answer: the side's chance to win with its interval, the lead in points, and the difference to the answer
    played, with its standard error."""

    answer: str
    words: str
    played: bool
    chance: float
    low: float
    high: float
    margin: float
    better: float
    better_error: float | None
    same_dice: SameDice


class AskedQuestion(Struct, frozen=True):
    """The answers to one question that were compared. `event`: of the answer that was given."""

    record_hash: str
    question: int
    event: int
    turn: int
    side: str
    asked: str
    agents: tuple[str, str]
    games: int
    answers: tuple[AskedAnswer, ...]


class _TurningPoints(Struct, frozen=True):
    record_hash: str
    turning_points: tuple[ToldAct, ...]


class Asked(Struct, frozen=True):
    """Everything that was asked about a record. `swings`: how the chance to win moved, None if no turning points were requested;
    `acts`: the turning points, in the order of the battle; `questions`: by the number of the question."""

    swings: Swings | None = None
    acts: tuple[ToldAct, ...] = ()
    questions: dict[int, AskedQuestion] = {}

    def chances(self, record: Record) -> list[tuple[int, float]]:
        """The chance of the first side to win as (event, chance after it), at each question and after each answer."""
        if self.swings is None:
            return []
        moves = self.swings.moves
        found = [(-1, moves[0].before)]
        for move, after in zip(moves, [*moves[1:], None], strict=True):
            found.append((move.event, move.after))
            found.append((after.event - 1 if after is not None else len(record.events) - 1, move.then))
        return found


def read_asked(paths: Iterable[str | Path], record: Record) -> Asked:
    """Read the files that `battlesim whatif --json` wrote about a record. Raises InputError for one that is something else, or
    about another record."""
    asked = Asked()
    for path in paths:
        asked = _with(asked, str(path), record)
    return asked


def _with(asked: Asked, path: str, record: Record) -> Asked:
    def fault(what: str, remedy: str = REMEDY) -> InputError:
        return InputError(Fault(what, remedy, path))

    try:
        data = Path(path).read_bytes()
    except OSError as error:
        raise fault(f"the file cannot be read: {error.strerror}") from None
    try:
        said = json.loads(data)
        kind = said.get("record_hash"), "turning_points" in said, "answers" in said
    except (ValueError, AttributeError, RecursionError):
        raise fault("this is not an answer of `whatif`") from None
    if kind[0] is None or kind[1] == kind[2]:
        raise fault("this is not an answer of `whatif` about a question or about turning points")
    if kind[0] != record.digest:
        what = f"it is about another record ({str(kind[0])[:40]}), not about {record.path} ({record.digest})"
        raise fault(what, "ask the record that the page is made of")
    try:
        if kind[1]:
            swings = msgspec.convert(said, Swings)
            acts = msgspec.convert(said, _TurningPoints).turning_points
            _check(swings, acts, record)
            return msgspec.structs.replace(asked, swings=swings, acts=acts)
        one = msgspec.convert(said, AskedQuestion)
    except (msgspec.ValidationError, ValueError) as error:
        raise fault(f"it is not as `whatif` writes it: {error}") from None
    if not 0 <= one.event < len(record.events):
        raise fault(f"it is not as `whatif` writes it: there is no event {one.event}")
    return msgspec.structs.replace(asked, questions={**asked.questions, one.question: one})


def _check(swings: Swings, acts: tuple[ToldAct, ...], record: Record) -> None:
    """Raise ValueError if turning points do not fit the record, or do not add up."""
    last = len(record.events) - 1
    events = [move.event for move in swings.moves]
    if not events or events != sorted(events) or events[0] < 0 or events[-1] > last:
        raise ValueError("its answers are not events of the record in their order")
    shares = [swings.start.value, *(one.value for one in swings.skill), swings.luck.value]
    if not isclose(fsum(shares), swings.result, abs_tol=1e-6):
        raise ValueError("its shares do not add up to the result")
    for act in acts:
        if not 0 <= act.act <= last or not act.questions:
            raise ValueError(f"there is no order at event {act.act}")


def by_order(act: Act) -> bool:
    """Whether a turning point is due more to orders than to dice."""
    return abs(act.order[0].value + act.order[1].value) >= abs(act.dice.value)


def points(effect: Effect) -> str:
    """A change of a chance in points of 100, with its standard error: `+24 ± 5`."""
    return f"{100 * effect.value:+.0f} ± {100 * effect.error:.0f}"
