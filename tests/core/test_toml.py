"""TOML files: messages name the line."""

from pathlib import Path

import pytest

from battlesim.core.errors import InputError
from battlesim.core.toml import line_of, read_toml

TEXT = """# a comment
title = "x"

[rifle]  # a table
range = 24
words = [
    "one",
]

[[clause]]
id = "A-1"

[[clause]]
id = "A-2"
["quoted name".inner]
deep = 1
"""


@pytest.mark.parametrize(
    ("place", "line"),
    [
        (("title",), 2),
        (("rifle",), 4),
        (("rifle", "range"), 5),
        (("rifle", "words", 0), 6),
        (("rifle", "missing"), 4),
        (("clause", 0, "id"), 11),
        (("clause", 1, "id"), 14),
        (("clause", 1, "missing"), 13),
        (("quoted name", "inner", "deep"), 16),
        (("nowhere", "range"), 0),
    ],
)
def test_the_line_of_a_key(place: tuple[str | int, ...], line: int) -> None:
    assert line_of(TEXT, place) == line


@pytest.mark.parametrize(
    ("data", "line", "what"),
    [
        (b"a = 1\nb = = 2\n", 2, "not TOML"),
        (b"a = 1\n\nb = [1,\n2,\n", 4, "not TOML"),
        (b'a = 1\n\nb = "\xff"\n', 3, "not UTF-8"),
    ],
)
def test_a_broken_file_is_answered_with_its_line(tmp_path: Path, data: bytes, line: int, what: str) -> None:
    path = tmp_path / "broken.toml"
    path.write_bytes(data)
    with pytest.raises(InputError) as raised:
        read_toml(path)
    (fault,) = raised.value.faults
    assert (fault.file, fault.line) == (str(path), line)
    assert what in fault.what


def test_a_missing_file_is_answered(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="the list of clauses cannot be read: No such file"):
        read_toml(tmp_path / "missing.toml", "the list of clauses")


def test_a_byte_order_mark_is_no_fault(tmp_path: Path) -> None:
    path = tmp_path / "marked.toml"
    path.write_bytes(b"\xef\xbb\xbfname = 1\n")
    assert read_toml(path) == ({"name": 1}, "name = 1\n")
