"""Writing files: whole or not at all, and nothing but a plain file is ever replaced."""

from __future__ import annotations

import os
import stat
import subprocess
import sys
from pathlib import Path

import pytest

from battlesim.core.errors import InputError
from battlesim.core.files import check_place, drafted, write_file

posix = pytest.mark.skipif(os.name != "posix", reason="pipes and links")


def test_a_plain_file_is_replaced_and_keeps_its_rights(tmp_path: Path) -> None:
    file = tmp_path / "f"
    file.write_bytes(b"before")
    file.chmod(0o640)
    write_file(file, b"after")
    assert file.read_bytes() == b"after"
    assert stat.S_IMODE(file.stat().st_mode) == 0o640
    assert [p.name for p in tmp_path.iterdir()] == ["f"]


def test_what_fails_leaves_the_file_as_it_was(tmp_path: Path) -> None:
    file = tmp_path / "f"
    file.write_bytes(b"before")

    def broken() -> None:
        with drafted(file, "the table") as draft:
            draft.write_bytes(b"half")
            raise OSError(28, "No space left on device")

    with pytest.raises(
        InputError, match=r"f: the table cannot be written: No space left on device; make room"
    ):
        broken()
    assert file.read_bytes() == b"before"
    assert [p.name for p in tmp_path.iterdir()] == ["f"]


@pytest.mark.parametrize("name", ["no/f", ".", "f\0g", "n" * 300])
def test_what_cannot_be_written_gets_one_message(tmp_path: Path, name: str) -> None:
    with pytest.raises(InputError, match=r"it cannot be written: .*; name a file in a folder that exists"):
        write_file(tmp_path / name, b"x")
    with pytest.raises(InputError, match=r"it cannot be written: .*; name a file in a folder that exists"):
        check_place(tmp_path / name)
    assert list(tmp_path.iterdir()) == []


def test_a_place_is_checked_without_a_trace(tmp_path: Path) -> None:
    file = tmp_path / "f"
    check_place(file)
    assert list(tmp_path.iterdir()) == []
    file.write_bytes(b"before")
    check_place(file)
    assert file.read_bytes() == b"before"


def test_a_long_name_is_no_hindrance(tmp_path: Path) -> None:
    write_file(tmp_path / ("n" * 250), b"x")
    assert len(next(tmp_path.iterdir()).name) == 250


@posix
def test_a_link_stays_and_its_file_is_replaced(tmp_path: Path) -> None:
    (tmp_path / "there").mkdir()
    link = tmp_path / "link"
    link.symlink_to(Path("there", "file"))
    write_file(link, b"one")  # it led to nothing so far
    write_file(link, b"two")
    assert link.is_symlink()
    assert (tmp_path / "there" / "file").read_bytes() == b"two"
    assert [p.name for p in (tmp_path / "there").iterdir()] == ["file"]
    link.unlink()
    link.symlink_to(link)
    with pytest.raises(InputError, match="it cannot be written"):
        write_file(link, b"x")


@posix
def test_what_is_printed_to_is_written_behind_what_was_printed(tmp_path: Path) -> None:
    code = (
        "from battlesim.core.files import write_file\nprint('first')\n"
        "write_file('/dev/stdout', b'second\\n')\nprint('third')\n"
    )
    out = tmp_path / "out"
    with out.open("wb") as file:
        subprocess.run([sys.executable, "-c", code], stdout=file, check=True)
    assert out.read_text() == "first\nsecond\nthird\n"
    piped = subprocess.run([sys.executable, "-c", code], stdout=subprocess.PIPE, check=True)
    assert piped.stdout == b"first\nsecond\nthird\n"


def test_files_whose_long_names_begin_alike_are_written_at_once(tmp_path: Path) -> None:
    """As by two threads: each has a draft of its own."""
    one, two = (tmp_path / f"greedy-against-planner-on-stairwell-with-seed-{seed}.jsonl" for seed in (1, 2))
    with drafted(one) as first, drafted(two) as second, drafted(two) as third:
        for draft, text in ((first, "one"), (second, "two"), (third, "two")):
            draft.write_text(text)
    assert (one.read_text(), two.read_text()) == ("one", "two")
    assert sorted(tmp_path.iterdir()) == [one, two]
