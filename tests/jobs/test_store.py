"""What was recorded stays, whatever happens; what is no store is told so."""

from __future__ import annotations

import os
import signal
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from battlesim.core.errors import InputError
from battlesim.jobs.store import Store, StoredRow, StoreError


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    made = Store.create(tmp_path / "s.sqlite")
    yield made
    made.close()


def row(number: int, text: str = "{}", seconds: float = 0.5) -> StoredRow:
    return StoredRow(number, text.encode(), seconds, 1)


def test_rows_are_there_once(store: Store) -> None:
    assert store.add([row(3), row(1)]) == 2
    assert store.add([row(3, seconds=9.0), row(2)]) == 1, "the same result again is nothing new"
    assert [(found.number, found.seconds) for found in store.rows()] == [(1, 0.5), (2, 0.5), (3, 0.5)]
    assert len(store) == 3
    assert store.get(2) == row(2)
    assert store.get(4) is None


def test_another_result_in_a_rows_place_is_refused(store: Store) -> None:
    store.add([row(1, "a")])
    with pytest.raises(StoreError, match="game 1 is recorded with another result"):
        store.add([row(0, "b"), row(1, "b")])
    assert [found.number for found in store.rows()] == [1], "and nothing of the batch was added"


def test_the_digest_is_of_results_alone(tmp_path: Path) -> None:
    one, two = Store.create(tmp_path / "1"), Store.create(tmp_path / "2")
    with closing(one), closing(two):
        one.add([row(1, "a"), row(2, "b")])
        two.add([row(2, "b", seconds=3.0)])
        assert one.digest() != two.digest()
        two.add([row(1, "a", seconds=2.0)])
        assert one.digest() == two.digest()


def test_clocks_are_kept_and_in_no_digest(tmp_path: Path) -> None:
    one, two = Store.create(tmp_path / "1"), Store.create(tmp_path / "2")
    with closing(one), closing(two):
        one.add([StoredRow(1, b"a", 2.0, 1, (0.5, 1.25))])
        two.add([StoredRow(1, b"a", 2.0, 1)])
        assert [found.clocks for found in (*one.rows(), *two.rows())] == [(0.5, 1.25), ()]
        assert one.digest() == two.digest()


def test_a_store_of_the_first_version_is_read_and_gone_on_with(tmp_path: Path) -> None:
    path = tmp_path / "old"
    with closing(sqlite3.connect(path)) as db:
        db.executescript(
            "CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;"
            "CREATE TABLE rows (number INTEGER PRIMARY KEY, row BLOB NOT NULL, seconds REAL NOT NULL,"
            " tries INTEGER NOT NULL);"
            "INSERT INTO meta VALUES ('version', '1'); INSERT INTO rows VALUES (1, x'61', 0.5, 1);"
        )
    with closing(Store(path)) as store:
        assert store.add([StoredRow(2, b"b", 0.25, 1, (1.0,))]) == 1
        assert list(store.rows()) == [StoredRow(1, b"a", 0.5, 1), StoredRow(2, b"b", 0.25, 1)]


BATCHES = st.lists(st.dictionaries(st.integers(0, 30), st.sampled_from(["a", "b"]), max_size=8), max_size=8)


@settings(max_examples=30)
@given(BATCHES)
def test_a_store_is_a_dict_that_never_changes_its_mind(batches: list[dict[int, str]]) -> None:
    import tempfile

    with tempfile.TemporaryDirectory() as folder, closing(Store.create(Path(folder, "s"))) as store:
        known: dict[int, str] = {}
        for batch in batches:
            rows = [row(number, text) for number, text in batch.items()]
            if any(known.get(number, text) != text for number, text in batch.items()):
                with pytest.raises(StoreError):
                    store.add(rows)
            else:
                assert store.add(rows) == len(batch.keys() - known.keys())
                known.update(batch)
        assert {found.number: found.row.decode() for found in store.rows()} == known


def test_no_space_left_costs_nothing_that_was_recorded(store: Store) -> None:
    store.add([row(1)])
    pages = store._db.execute("PRAGMA page_count").fetchone()[0]
    store._db.execute(f"PRAGMA max_page_count = {pages + 2}")
    with pytest.raises(StoreError, match=r"no space left.*make room and resume"):
        store.add([row(number, "x" * 5000) for number in range(2, 60)])
    assert [found.number for found in store.rows()] == [1]
    store._db.execute("PRAGMA max_page_count = 100000")
    assert store.add([row(2)]) == 1, "and with room it goes on"


def test_what_is_no_store_is_told_so(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="the run has no store"):
        Store(tmp_path / "nothing")
    text = tmp_path / "text"
    text.write_text("this is no database at all, however long it may be" * 40)
    with pytest.raises(InputError, match="the store is damaged: file is not a database"):
        Store(text)
    other = tmp_path / "other"
    with closing(sqlite3.connect(other)) as db:
        db.execute("CREATE TABLE t (x)")
    with pytest.raises(InputError, match="not the store of a run"):
        Store(other)
    Store.create(tmp_path / "old").close()
    with closing(sqlite3.connect(tmp_path / "old")) as db:
        db.execute("UPDATE meta SET value = '99' WHERE key = 'version'")
        db.commit()
    with pytest.raises(InputError, match="version 99, this program reads 1 and 2"):
        Store(tmp_path / "old")


def test_a_damaged_store_is_found_out(tmp_path: Path) -> None:
    path = tmp_path / "s"
    with closing(Store.create(path)) as store:
        store.add([row(number, "x" * 2000) for number in range(50)])
    data = bytearray(path.read_bytes())
    data[3 * 4096 : 9 * 4096] = b"\xff" * (6 * 4096)
    path.write_bytes(data)
    with pytest.raises(InputError, match="the store is damaged"), closing(Store(path)) as store:
        store.check()


WRITER = """
import sys
from pathlib import Path
from battlesim.jobs.store import Store, StoredRow
store = Store(Path(sys.argv[1]))
for number in range(int(sys.argv[2]), 10**9):
    store.add([StoredRow(number, b"%d" % number, 0.0, 1)])
    print(number, flush=True)
"""


def killed_while_writing(path: Path, first: int, lines: int) -> int:
    """Kill a writer after so many acknowledgements; the last it gave."""
    writer = subprocess.Popen(
        [sys.executable, "-c", WRITER, str(path), str(first)], stdout=subprocess.PIPE, text=True
    )
    assert writer.stdout is not None
    for _ in range(lines):
        said = writer.stdout.readline()
    os.kill(writer.pid, signal.SIGKILL)
    rest = writer.stdout.read().split()
    writer.wait()
    return int(rest[-1] if rest else said)


def test_what_was_acknowledged_survives_a_kill(tmp_path: Path) -> None:
    path = tmp_path / "s"
    Store.create(path).close()
    first = 0
    for lines in (1, 7, 40):
        last = killed_while_writing(path, first, lines)
        with closing(Store(path)) as store:
            store.check()
            numbers = [found.number for found in store.rows()]
        assert numbers == list(range(len(numbers)))
        assert numbers[-1] >= last
        first = len(numbers)
