"""The durable store of a run: one row a job in SQLite, append-only. Read `Store`.

An added row survives any death of the process (write-ahead log, one transaction a batch, synchronised to disk). A row is never
changed: adding the same one again does nothing, adding a different one in its place is refused.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from hashlib import blake2b
from pathlib import Path
from typing import Any, TypeVar

from msgspec import DecodeError, Struct
from msgspec.json import Decoder, encode

from battlesim.core.errors import BattlesimError, Fault, InputError

VERSION = 2
"""Version of the tables. Stores of version 1 have no clocks; they can be read and continued as they are."""
_TABLES = """
CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE rows (
    number INTEGER PRIMARY KEY, -- the job's place in the run
    row BLOB NOT NULL,          -- one line of JSON, the same wherever the job was done
    seconds REAL NOT NULL,      -- what it took, by the clock
    tries INTEGER NOT NULL,     -- how often it was begun
    clocks TEXT NOT NULL        -- what the code of each actor took of the seconds, as a list in JSON
);
"""
_ADD = "INSERT INTO rows VALUES (?, ?, ?, ?, ?) ON CONFLICT (number) DO NOTHING"
_ADD_OLD = "INSERT INTO rows VALUES (?, ?, ?, ?) ON CONFLICT (number) DO NOTHING"
_MEND = "restore it from a copy, or begin a new run; no command reads a part of it"

_clocks = Decoder(tuple[float, ...]).decode

T = TypeVar("T")


class StoreError(BattlesimError):
    """The store cannot be written or read now: no space, no permission, a damaged file. Recorded rows are kept."""


class StoredRow(Struct, frozen=True):
    """The row of one job, as in the table: `number` of the job, `row` as one line of JSON, `seconds` and `tries` as in
    `jobs.job.JobResult`, `clocks` as in `jobs.job.JobOutput`."""

    number: int
    row: bytes
    seconds: float
    tries: int
    clocks: tuple[float, ...] = ()


class Store:
    """The results of a run in an SQLite file. `Store.create` makes one, `Store(path)` opens one, which raises InputError where
    the file is not a store. `len(store)`: how many rows it has. All but `close` raise StoreError if the file cannot be read or
    written now, InputError if it is damaged."""

    def __init__(self, path: Path, read_only: bool = False) -> None:
        self.path = path
        if not path.is_file():
            raise InputError(Fault("the run has no store", "give the folder of a run", str(path)))
        self._db = self._connected(path, read_only)
        version = self.meta("version")
        self._has_clocks = version == str(VERSION)
        if version not in ("1", str(VERSION)):
            self.close()
            what = f"the store is of version {version or 'unknown'}, this program reads 1 and {VERSION}"
            raise InputError(Fault(what, "use the program that wrote it, or begin a new run", str(path)))

    def __repr__(self) -> str:
        return f"Store({str(self.path)!r})"

    @staticmethod
    def _connected(path: Path, read_only: bool) -> sqlite3.Connection:
        with _readable_errors(path):
            mode = "ro" if read_only else "rw"
            uri = f"{path.resolve().as_uri()}?mode={mode}"
            db = sqlite3.connect(uri, uri=True, timeout=30, isolation_level=None, check_same_thread=False)
            try:
                db.execute("SELECT count(*) FROM meta").fetchone()
                if not read_only:
                    db.execute("PRAGMA synchronous = FULL")
                    db.execute("PRAGMA journal_mode = WAL")
            except sqlite3.Error:
                db.close()
                raise
            return db

    @classmethod
    def create(cls, path: Path) -> Store:
        """A new, empty store, opened. Raises StoreError if it cannot be made."""
        with _readable_errors(path):
            db = sqlite3.connect(path, isolation_level=None)
            db.execute("PRAGMA journal_mode = WAL")
            db.executescript("BEGIN;" + _TABLES + f"INSERT INTO meta VALUES ('version', '{VERSION}');COMMIT;")
            db.close()
        return cls(path)

    def close(self) -> None:
        """Close the file. No other method may be called afterwards."""
        with suppress(sqlite3.Error):
            self._db.close()

    def check(self) -> None:
        """Read the whole file once. Raises InputError if it is damaged."""
        found = self._do(lambda db: db.execute("PRAGMA quick_check(1)").fetchone())
        if found is None or found[0] != "ok":
            raise InputError(Fault(f"the store is damaged: {found and found[0]}", _MEND, str(self.path)))

    # ---- meta

    def meta(self, key: str) -> str | None:
        """A text kept with the rows under a key; None if there is none."""
        found = self._do(lambda db: db.execute("SELECT value FROM meta WHERE key = ?", (key,)).fetchone())
        return None if found is None else str(found[0])

    def set_meta(self, key: str, value: str) -> None:
        """Keep a text under a key, in place of an earlier one."""
        self._do(lambda db: db.execute("INSERT OR REPLACE INTO meta VALUES (?, ?)", (key, value)))

    def remarks(self, prefix: str) -> list[tuple[str, str]]:
        """The (key, text) pairs whose key begins with `prefix`, by key."""
        query = "SELECT key, value FROM meta WHERE substr(key, 1, ?) = ? ORDER BY key"
        return self._do(lambda db: list(db.execute(query, (len(prefix), prefix))))

    # ---- rows

    def add(self, rows: Iterable[StoredRow]) -> int:
        """Add rows in one transaction; returns how many were new. Raises StoreError, with nothing added, where that fails or if a
        row differs from the stored one of that number."""
        given = list(rows)

        def put(db: sqlite3.Connection) -> int:
            db.execute("BEGIN IMMEDIATE")
            new = 0
            try:
                for row in given:
                    values: tuple[Any, ...] = (row.number, row.row, row.seconds, row.tries)
                    if self._has_clocks:
                        values = (*values, encode(row.clocks).decode())
                    if db.execute(_ADD if self._has_clocks else _ADD_OLD, values).rowcount:
                        new += 1
                        continue
                    self._check_same(db, row)
                db.execute("COMMIT")
            except BaseException:
                with suppress(sqlite3.Error):
                    db.execute("ROLLBACK")
                raise
            return new

        return self._do(put)

    def check_same(self, rows: Iterable[StoredRow]) -> None:
        """Raises StoreError if a row differs from the stored one of that number. Writes nothing."""
        for row in rows:
            self._do(lambda db, row=row: self._check_same(db, row))  # type: ignore[misc]

    def _check_same(self, db: sqlite3.Connection, row: StoredRow) -> None:
        there = db.execute("SELECT row FROM rows WHERE number = ?", (row.number,)).fetchone()
        if there is not None and there[0] != row.row:
            what = f"game {row.number} is recorded with another result"
            raise StoreError(f"{self.path}: {what}; the two are not parts of one run")

    def __len__(self) -> int:
        return int(self._do(lambda db: db.execute("SELECT count(*) FROM rows").fetchone())[0])

    def rows(self) -> Iterator[StoredRow]:
        """Every row, by number; read lazily."""
        for found in self._each("SELECT * FROM rows ORDER BY number"):
            yield self._row(found)

    def get(self, number: int) -> StoredRow | None:
        """The row of a job; None if there is none."""
        found = self._do(lambda db: db.execute("SELECT * FROM rows WHERE number = ?", (number,)).fetchone())
        return None if found is None else self._row(found)

    def _row(self, found: tuple[Any, ...]) -> StoredRow:
        """A row of the table as a value. Its types are checked, since SQLite accepts any type in any column."""
        number, row, seconds, tries, *more = found
        try:
            clocks = _clocks(more[0]) if more else ()
        except (DecodeError, TypeError):
            clocks = None
        types = isinstance(row, bytes) and isinstance(seconds, float) and isinstance(tries, int)
        if clocks is None or not types:
            what = f"the store is damaged: row {number} holds {row!r:.40}, {seconds!r:.20}, {tries!r:.20}"
            raise InputError(Fault(what, _MEND, str(self.path)))
        return StoredRow(number, row, seconds, tries, clocks)

    def digest(self) -> str:
        """Digest of all rows in order, without seconds, clocks and tries: equal for runs with the same results. BLAKE2b of 16
        bytes, in hexadecimal."""
        digest = blake2b(digest_size=16)
        for row in self.rows():
            digest.update(b"%d %s\n" % (row.number, row.row))
        return digest.hexdigest()

    def _each(self, query: str) -> Iterator[tuple[Any, ...]]:
        with _readable_errors(self.path):
            cursor = self._db.cursor()
            cursor.execute(query)
            while found := cursor.fetchmany(1000):
                yield from found

    def _do(self, work: Callable[[sqlite3.Connection], T]) -> T:
        with _readable_errors(self.path):
            return work(self._db)


@contextmanager
def _readable_errors(path: Path) -> Iterator[None]:
    """Turn errors of the database into errors with a message for users."""
    try:
        yield
    except sqlite3.OperationalError as error:
        text = str(error)
        if "no such table" in text:
            raise InputError(
                Fault("this is not the store of a run", "give a run's folder", str(path))
            ) from None
        if "full" in text:
            remedy = "make room and resume; what was recorded is kept"
            raise StoreError(
                str(Fault("there is no space left for the run's results", remedy, str(path)))
            ) from None
        remedy = (
            "check that the folder is writable and that no other program uses it; what was recorded is kept"
        )
        raise StoreError(str(Fault(f"the run's store cannot be used: {text}", remedy, str(path)))) from None
    except sqlite3.DatabaseError as error:
        raise InputError(Fault(f"the store is damaged: {error}", _MEND, str(path))) from None
