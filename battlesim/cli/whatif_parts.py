"""The work of `whatif` divided among processes of this machine, with the same result for any number of them. Read `Workers`."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import groupby
from typing import Any, NamedTuple

import msgspec
from msgspec.structs import replace

from battlesim.core.errors import Fault, InputError
from battlesim.engine.record import Record, decode_event
from battlesim.jobs.executor import LocalExecutor
from battlesim.jobs.job import Job, JobFailure, JobLimits, JobOutput, Watch
from battlesim.search.continuation import Continuation, PlayedOn
from battlesim.search.turning_points import QuestionValues, Span, question_values
from battlesim.search.whatif import Better, Piece, better_answer, play_pieces

FUNCTION = "battlesim.cli.whatif_parts:do_part"
PARTS = 8
"""Parts for each worker, so that none is idle while another does the long ones."""


class Ask(NamedTuple):
    """What to continue: a record, the agents that continue it (None: the record's own), and the scenario of an old record."""

    record: Record
    entrants: tuple[str | None, str | None]
    scenario: str | None


class Positions(NamedTuple):
    """The values of a span of questions."""

    ask: Ask
    span: Span
    games: int
    seed: int
    horizon: int


class Pieces(NamedTuple):
    """Games that continue from a question."""

    ask: Ask
    question: int
    pieces: tuple[Piece, ...]
    seed: int


class Betters(NamedTuple):
    """The search for a better answer to a question."""

    ask: Ask
    question: int
    games: int
    most: int
    seed: int


Part = Positions | Pieces | Betters


def do_part(part: Part, watch: Watch) -> JobOutput:
    """Do one part; the row is a list of `QuestionValues`, a list of `PlayedOn`, or a `Better` or null, as JSON."""
    going = _going(part.ask)
    found: Any
    match part:
        case Positions(span=span, games=games, seed=seed, horizon=horizon):
            found = list(question_values(going, span, games, seed, horizon))
        case Pieces(question=question, pieces=pieces, seed=seed):
            found = [came for _, came in play_pieces(going, question, pieces, seed)]
        case Betters(question=question, games=games, most=most, seed=seed):
            found = better_answer(going, question, games, most, seed)
    return JobOutput(msgspec.json.encode(found))


_made: dict[Any, Continuation] = {}
"""The continuation of the latest record, since making one loads its scenario and board."""


def _going(ask: Ask) -> Continuation:
    key = (ask.record.digest, ask.entrants, ask.scenario)
    if key not in _made:
        _made.clear()
        # Events are read anew: in a pickled one, defaults are different objects, and would be written out.
        record = replace(ask.record, events=tuple(map(decode_event, ask.record.lines)))
        _made[key] = Continuation(record, ask.entrants, ask.scenario)
    return _made[key]


class Workers:
    """Processes that continue one record. `done`: called after each question or game of the work."""

    def __init__(self, ask: Ask, workers: int, done: Callable[[], None]) -> None:
        self._ask = ask._replace(record=replace(ask.record, events=()))  # half as much to send
        self._workers, self._done = workers, done

    def divide_spans(
        self, spans: Sequence[Span], games: int, seed: int, horizon: int
    ) -> Iterator[list[QuestionValues]]:
        """The values at the questions of all spans."""
        parts = [
            Positions(self._ask, (group[0][0], group[-1][1]), games, seed, horizon)
            for group in _even(spans, self._workers * PARTS)
        ]
        for _, row in self._work(parts):
            found = msgspec.json.decode(row, type=list[QuestionValues])
            for _ in found:
                self._done()
            yield found

    def divide_pieces(
        self, pieces: Sequence[Piece], question: int, seed: int
    ) -> Iterator[tuple[int, PlayedOn]]:
        """The results of pieces of `what_if`."""
        groups = list(_even(list(enumerate(pieces)), self._workers * PARTS))
        parts = [Pieces(self._ask, question, tuple(piece for _, piece in group), seed) for group in groups]
        for number, row in self._work(parts):
            came = msgspec.json.decode(row, type=list[PlayedOn])
            yield from ((which, one) for (which, _), one in zip(groups[number], came, strict=True))

    def better(self, questions: Sequence[int], games: int, most: int, seed: int) -> dict[int, Better | None]:
        """Better answers, by question."""
        found: dict[int, Better | None] = {}
        for number, row in self._work([Betters(self._ask, q, games, most, seed) for q in questions]):
            found[questions[number]] = msgspec.json.decode(row, type=Better | None)
            self._done()
        return found

    def _work(self, parts: Sequence[Part]) -> Iterator[tuple[int, bytes]]:
        """Do the parts: (number of the part, its row), in any order."""
        if self._workers == 1:
            yield from ((number, do_part(part, lambda actor: None).row) for number, part in enumerate(parts))
            return
        executor = LocalExecutor(FUNCTION, min(self._workers, len(parts)), JobLimits(seconds=0, megabytes=0))
        try:
            for batch in executor.run(Job(n, type(part).__name__, part) for n, part in enumerate(parts)):
                for done in batch:
                    if isinstance(done.result, JobFailure):
                        remedy = "look for what its agents do, or use --workers 1"
                        raise InputError(Fault(f"a part of the work broke off: {done.result.what}", remedy))
                    yield done.number, done.result.row
        finally:
            executor.close()


def _even(rows: Sequence[Any], parts: int) -> Iterator[list[Any]]:
    """The rows in order, in at most `parts` groups of about the same size."""
    count = len(rows)
    for _, group in groupby(range(count), key=lambda n: n * parts // max(parts, count)):
        yield [rows[n] for n in group]
