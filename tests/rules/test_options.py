"""A scenario's options as a record (rules/options.py)."""

from __future__ import annotations

from typing import Annotated, Any, Literal

import pytest
from msgspec import Meta, Struct

from battlesim.board.load import load_map
from battlesim.rules.options import fitting, read_options, sections_named


class Work(Struct, frozen=True, forbid_unknown_fields=True):
    kind: str


class Options(Struct, frozen=True):
    order: Literal["side", "unit"] = "side"
    points: Annotated[int, Meta(ge=1)] = 5
    rounds: Annotated[int, Meta(ge=1, le=6)] = 3
    fires: bool = False
    falls: bool | tuple[str, ...] = False
    first: str = ""
    works: tuple[Work, ...] = ()


class Nothing(Struct, frozen=True):
    pass


def test_options_become_a_record() -> None:
    said = {"order": "unit", "points": 9, "falls": ["hall"], "works": [{"kind": "trench"}]}
    assert read_options(said, Options, "toy") == (
        Options("unit", 9, falls=("hall",), works=(Work("trench"),)),
        [],
    )
    assert read_options({}, Options, "toy") == (Options(), [])


@pytest.mark.parametrize(
    ("said", "told"),
    [
        ({"order": "card"}, "options.order: order is 'card'; give side or unit"),
        ({"points": 0}, "options.points: points is 0; give a whole number, 1 or more"),
        ({"points": True}, "options.points: points is true; give a whole number, 1 or more"),
        ({"rounds": 7}, "options.rounds: rounds is 7; give 1 to 6"),
        ({"fires": 1}, "options.fires: fires is 1; give true or false"),
        ({"falls": "hall"}, "options.falls: falls is 'hall'; give true or false or a list"),
        ({"first": None}, "options.first: first is None; give a text"),
        ({"works": [{"kind": 3}]}, "options.works[0].kind: kind is 3; give a text"),
        (
            {"works": [{"kind": "x"}, {"kind": "y", "kin": 1}]},
            "options.works[1].kin: works[1] has no 'kin'; did you mean 'kind'?",
        ),
        ({"works": [{}]}, "options.works[0]: works[0] lacks 'kind'; give a text"),
        ({"works": ["trench"]}, "options.works[0]: works[0] is 'trench'; give a table"),
        ({"works": {"kind": "x"}}, "options.works: works is {'kind': 'x'}; give a list"),
        (
            {"works": {"kind": "trench", "at": ["g7.7", "g8.7"], "cover": "sandbags"}},
            "options.works: works is {'kind': 'trench', 'at': ['g7.7', 'g8.7'], 'cover': 'sand...; give a list",
        ),
        ({"falls": ["hall", 3]}, "options.falls[1]: falls[1] is 3; give a text"),
        ({"fire": True}, "options.fire: toy has no option 'fire'; did you mean 'fires' or 'first'?"),
    ],
)
def test_what_is_wrong_is_said_and_left_as_usual(said: dict[str, Any], told: str) -> None:
    options, faults = read_options(said, Options, "toy")
    assert [str(fault) for fault in faults] == [told]
    assert options == Options()


@pytest.mark.parametrize(
    ("kind", "words"),
    [
        (Annotated[int, Meta(le=6)], "a whole number, 6 or less"),
        (Annotated[float, Meta(gt=0, lt=1)], "a number, more than 0, less than 1"),
        (Annotated[str, Meta(description="a name")], "a text"),
        (float | None, "a number"),
    ],
)
def test_what_an_option_may_be_is_told_by_its_type(kind: Any, words: str) -> None:
    assert fitting(kind) == words


def test_every_fault_comes_at_once_and_the_rest_is_read() -> None:
    said = {"fires": 1, "rounds": 0, "points": 2, "works": [{"kind": 1}, {"kind": 2}]}
    options, faults = read_options(said, Options, "toy")
    assert (len(faults), options.points) == (4, 2)


def test_a_rulebook_without_options_says_so() -> None:
    _, faults = read_options({"fires": 1}, Nothing, "toy")
    assert [str(fault) for fault in faults] == ["options.fires: toy has no option 'fires'; leave it out"]


def test_buildings_and_sections_by_name() -> None:
    board = load_map("village")
    (building, sections) = next((n, s) for n, s in board.buildings.items() if n not in board.section_by_name)
    assert sections_named(board, building) == sections
    name = board.sections[sections[0]].name
    assert sections_named(board, name) == (sections[0],)
    assert sections_named(board, "nowhere") == ()
