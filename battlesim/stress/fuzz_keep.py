"""What a session of fuzzing finds is written while it is played: one that is stopped loses nothing. Read `Keeper`."""

from __future__ import annotations

import json
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import msgspec
from msgspec import Struct

from battlesim.core.files import write_file
from battlesim.jobs.job import JobOutput, Watch
from battlesim.stress.fuzz import Failure, Session, SessionAsked, fuzz_ruleset

FUNCTION = "battlesim.stress.fuzz_keep:do_session"
SECONDS = 1.0
"""How often a session writes how far it is."""


class SessionKept(Struct, frozen=True):
    """A session for a worker. `folder`: where its failures go; `state`: the file that says how far it is."""

    asked: SessionAsked
    folder: str
    state: str


class Keeper:
    """Writes each failure of a session as soon as it is found, and again when it is smaller. `folder`: where failures go.
    `state`: the file that says how far the session is, None for none. `clock`: counts the seconds."""

    def __init__(
        self, folder: Path, state: Path | None = None, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._folder, self._state, self._clock = folder, state, clock
        self._written: tuple[Failure, ...] = ()
        self._last = float("-inf")

    def __call__(self, session: Session) -> None:
        """Takes the session so far. Raises InputError if a file cannot be written."""
        is_new = session.failures != self._written
        for path, failure in zip(failure_paths(self._folder, session), session.failures, strict=True):
            if failure not in self._written:
                data = json.dumps(msgspec.to_builtins(failure), indent=1) + "\n"
                write_file(path, data.encode(), "the failure")
        self._written = session.failures
        if self._state is not None and (is_new or self._clock() - self._last >= SECONDS):
            write_file(self._state, msgspec.json.encode(session), "the progress of the session")
            self._last = self._clock()


def failure_paths(folder: Path, session: Session) -> list[Path]:
    """The files of a session's failures, which `fuzz --repeat` takes."""
    return [folder / f"{session.ruleset}-{number}.json" for number in range(1, len(session.failures) + 1)]


def do_session(kept: SessionKept, watch: Watch) -> JobOutput:
    """One session, as a worker does it; the row is a `Session` as JSON."""
    keeper = Keeper(Path(kept.folder), Path(kept.state))
    return JobOutput(msgspec.json.encode(fuzz_ruleset(kept.asked, progress=keeper)))


def session_so_far(state: Path) -> Session | None:
    """How far a session that did not end has come; None if it had not begun."""
    with suppress(FileNotFoundError):
        return msgspec.json.decode(state.read_bytes(), type=Session)
    return None
