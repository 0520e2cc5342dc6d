"""Games in rounds, for searches in which earlier results decide which games to play next. Read `Rounds.play`.

Each round is a run of its own under the search's folder, `rounds/0001` and so on. A search is deterministic, so one that was
stopped asks for the same rounds again: complete rounds are read, the interrupted one is continued.

Several machines that share a folder can play one search, each a *part*: `FOLDER/part-2-of-4`. Each goes through the whole search,
but plays only every fourth game of a round, and waits until the others have published theirs.
"""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Sequence
from contextlib import closing
from pathlib import Path

import msgspec

from battlesim.batch.driver import drive
from battlesim.batch.lists import GameRequest, begin, plan_of, resolve_games, rows_of
from battlesim.batch.rows import GameRow
from battlesim.batch.settings import Bounds
from battlesim.core.errors import Fault, InputError
from battlesim.core.files import write_file
from battlesim.jobs.executor import Executor
from battlesim.jobs.folder import RunFolder

ROUNDS = "rounds"
"""The folder of the rounds in that of a search."""
PUBLISHED = "rows.bin"
"""The file in a round's folder in which a part publishes its rows."""
LOOK_SECONDS = 0.2
"""How often a part looks for what others have published."""


class Rounds:
    """Plays rounds of games, with measures. `folder`: of the search, or of this part of it. `limits`: None for those of
    `Bounds()`. `told`: called with the number of games played so far. `done`, `played`: how many rounds the search no longer
    needs to play or read, and their games; later, those of all rounds so far. `begun`: the games of all rounds that were
    begun."""

    def __init__(
        self,
        executor: Executor,
        folder: Path,
        limits: Bounds | None = None,
        told: Callable[[int], None] = lambda _: None,
        done: int = 0,
        played: int = 0,
    ) -> None:
        self.played = self.begun = played
        self.done = done
        self._executor, self._folder, self._limits, self._told = executor, folder, limits, told

    def play(self, games: Sequence[GameRequest]) -> list[GameRow]:
        """The rows of some games, in their order. A part waits for the other parts. Raises InputError if the search, or
        another part of it, was begun with other inputs."""
        number = self.done + 1
        path = self._folder / ROUNDS / f"{number:04d}"
        root, n, of = part_of(path)
        resolved = resolve_games(f"round {number}", games, self._limits, part=(n, of), measures=True)
        if path.exists():
            run = RunFolder(path)
            if (begun := plan_of(run)).resolved.identity != resolved.identity:
                begun.check()  # says which of program, agents and scenarios has changed
                what = "the search was begun with other settings: they ask for other games than these"
                raise InputError(
                    Fault(what, "put them back, or begin a new one: give another --out", str(path))
                )
        else:
            run = begin(path, resolved)
        plan = plan_of(run)
        before = self.played
        self.begun = before + len(games)
        if n <= len(games):
            drive(run, plan, self._executor, shown=lambda there, _: self._told(before + there))
        rows = list(rows_of(run, plan))
        if of > 1:
            _publish(run, resolved.identity)
            for other in range(1, min(of, len(games)) + 1):
                if other != n:
                    theirs = root.with_name(part_name(other, of)) / path.relative_to(root)
                    rows += [plan.row(row) for row in _published(theirs / PUBLISHED, resolved.identity)]
        if len(rows) != len(games):
            what = "a round of the search is not whole"
            raise InputError(Fault(what, "go on with it: --resume", str(path)))
        self.played += len(games)
        self.done = number
        return sorted(rows, key=lambda row: row.number)


def part_name(n: int, of: int) -> str:
    """The name of the folder of a part. `n`: from 1 to `of`.

    >>> part_name(2, 4)
    'part-2-of-4'
    """
    return f"part-{n}-of-{of}"


def part_of(path: Path) -> tuple[Path, int, int]:
    """The folder of the part that a path lies in, its number, and the number of parts; (path, 1, 1) if it lies in none.

    >>> root, number, parts = part_of(Path("search/part-2-of-4/rounds/0001"))
    >>> root.name, number, parts
    ('part-2-of-4', 2, 4)
    """
    for folder in (path, *path.parents):
        found = re.fullmatch(r"part-(\d+)-of-(\d+)", folder.name)
        if found and 1 <= int(found[1]) <= int(found[2]):
            return folder, int(found[1]), int(found[2])
    return path, 1, 1


def _publish(run: RunFolder, identity: str) -> None:
    """Put the rows of a part's round into one file, whole or not at all, for the other parts to read."""
    file = run.path / PUBLISHED
    if not file.exists():
        with closing(run.store(read_only=True)) as store:
            rows = [stored.row for stored in store.rows()]
        write_file(file, msgspec.msgpack.encode((identity, rows)), "the part's round")


def _published(file: Path, identity: str) -> list[bytes]:
    """The rows that another part has published, once it has."""
    while not file.exists():
        time.sleep(LOOK_SECONDS)
    try:
        theirs, rows = msgspec.msgpack.decode(file.read_bytes(), type=tuple[str, list[bytes]])
    except (OSError, msgspec.DecodeError) as error:
        what = f"the round of another part cannot be read: {error}"
        raise InputError(Fault(what, "delete the file and resume that part", str(file))) from None
    if theirs != identity:
        what = "this part was begun with another program, scenario or settings"
        raise InputError(Fault(what, "begin all parts with the same", str(file)))
    return rows
