"""Data files of rulebooks and lists of clauses: every fault is answered, each with its line."""

from pathlib import Path
from typing import Any, Literal

import pytest
from msgspec import Struct, field

from battlesim.core.errors import InputError
from battlesim.rules.data_file import read_rows, read_table
from battlesim.rules.registry import Clause, read_clauses


class Gun(Struct, frozen=True, forbid_unknown_fields=True):
    name: str
    title: str
    range: int = 0
    make: Literal["bolt", "beam"] = field(name="class", default="bolt")
    crew: tuple[str, ...] = ()
    heavy: bool = False


class Table(Struct, frozen=True, forbid_unknown_fields=True):
    walls: dict[str, int]


def half(row: dict[str, Any]) -> dict[str, Any]:
    if row.get("range", 0) > 9_999:
        raise ValueError("nothing reaches so far")
    return row


def read(folder: Path, text: str) -> dict[str, Gun]:
    path = folder / "guns.toml"
    path.write_text(text)
    known = {"crew": ("gunner", "loader")}
    return read_rows(path, Gun, inches=("range",), lists=("crew",), flags="traits", known=known, change=half)


def test_rows_become_records(tmp_path: Path) -> None:
    guns = read(
        tmp_path,
        """
        [rifle]
        title = "a rifle"
        range = 12.5
        [cannon]
        title = "a cannon"
        class = "beam"
        crew = ["gunner", "-", "loader*2"]
        traits = ["heavy"]
        """,
    )
    assert guns == {
        "rifle": Gun("rifle", "a rifle", 1250),
        "cannon": Gun("cannon", "a cannon", 0, "beam", ("gunner", "", "loader", "loader"), True),
    }
    assert list(guns) == ["rifle", "cannon"]


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("range = true", "gun.range: True is not a length; give inches, 0 or more"),
        ("range = inf", "gun.range: inf is not a length; give inches, 0 or more"),
        ("range = nan", "gun.range: nan is not a length; give inches, 0 or more"),
        ("range = 100", "gun: nothing reaches so far"),
        ("rage = 12", "gun.rage: there is no field 'rage'; did you mean 'range'?"),
        ('class = "bow"', "gun.class: invalid enum value 'bow'"),
        ("crew = 3", "gun.crew: 3 is not a list of words"),
        ('crew = ["gunner*many"]', "gun.crew: 'gunner*many' does not say how many; give \"gunner*2\""),
        ('crew = ["gunman"]', "gun.crew: 'gunman' is unknown; did you mean 'gunner'?"),
        ('traits = ["havy"]', "gun.traits: 'havy' is unknown; did you mean 'heavy'?"),
        ("heavy = 2", "gun.heavy: expected `bool`, got `int`"),
    ],
)
def test_a_wrong_field_is_answered_with_its_line(tmp_path: Path, line: str, said: str) -> None:
    with pytest.raises(InputError) as raised:
        read(tmp_path, f"[gun]\n\ntitle = 'a gun'\n{line}\n")
    (fault,) = raised.value.faults
    number = 4 if "gun." in said else 1
    assert str(fault).startswith(f"{tmp_path / 'guns.toml'}:{number}: {said}")


def test_every_fault_comes_at_once(tmp_path: Path) -> None:
    with pytest.raises(InputError) as raised:
        read(tmp_path, "stray = 1\n[one]\nrange = 2\n[two]\ntitle = 'two'\nrange = -1\n")
    assert [(fault.line, fault.place) for fault in raised.value.faults] == [
        (1, "stray"),
        (2, "one"),
        (6, "two.range"),
    ]


def test_a_record_of_a_whole_file(tmp_path: Path) -> None:
    path = tmp_path / "tables.toml"
    path.write_text("[walls]\nbrick = 6\n")
    assert read_table(path, Table) == Table({"brick": 6})
    path.write_text("[walls]\nbrick = 'six'\n")
    with pytest.raises(InputError, match=r"tables\.toml:1: walls: expected `int`, got `str`"):
        read_table(path, Table)


def clauses(folder: Path, text: str) -> list[Clause]:
    (folder / "clauses.toml").write_text(text)
    return read_clauses(folder)


GOOD = "[[clause]]\nid = 'X-1'\nsource = 'book'\ntext = 'One.'\n"


def test_clauses_are_read_in_order(tmp_path: Path) -> None:
    second = GOOD.replace("X-1", "X-2").replace("book", "house")
    assert clauses(tmp_path, GOOD + second) == [Clause("X-1", "book", "One."), Clause("X-2", "house", "One.")]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "clauses.toml: no clauses are listed"),
        ("clause = 3", "clauses.toml: no clauses are listed"),
        (GOOD + GOOD, "clauses.toml:6: there are two clauses X-1"),
        (GOOD.replace("book", "film"), "clauses.toml:2: clause X-1: source 'film' is unknown"),
        (GOOD.replace("text", "txet"), "clauses.toml:2: clause 'X-1' lacks an id, source or text"),
    ],
)
def test_a_wrong_list_of_clauses_is_answered(tmp_path: Path, text: str, said: str) -> None:
    with pytest.raises(InputError) as raised:
        clauses(tmp_path, text)
    assert said in str(raised.value)
