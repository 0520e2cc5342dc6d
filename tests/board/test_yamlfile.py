"""YAML read with care: 1.2 scalars, every fault with its line."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Annotated, Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import Field

from battlesim.board.yamlfile import FileModel, parse_yaml, read_bytes
from battlesim.core.errors import InputError


class Anything(FileModel):
    values: Any = None
    other: Annotated[int, Field(strict=True)] = 0


def read(text: str) -> Any:
    return parse_yaml(text.encode(), Anything, "test.yaml").values


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("no", "no"),
        ("Yes", "Yes"),
        ("on", "on"),
        ("true", True),
        ("False", False),
        ("010", "010"),
        ("0o17", "0o17"),
        ("0x1F", "0x1F"),
        ("12:30", "12:30"),
        ("1_000", "1_000"),
        ("2024-05-01", "2024-05-01"),
        ("12", 12),
        ("-3", -3),
        ("+3", 3),
        ("0", 0),
        ("1.5", 1.5),
        (".5", 0.5),
        ("-.5", -0.5),
        ("1e3", 1000.0),
        ("2.", 2.0),
        (".", "."),
        ("-", None),  # an empty item of a list
        ("~", None),
        ("null", None),
        ("", None),
        ("'12'", "12"),
        ("=", "="),
        ("<<", "<<"),
        ("-.inf", float("-inf")),
    ],
)
def test_scalars(text: str, value: object) -> None:
    found = read(f"values: {text}") if text != "-" else read("values:\n  -")[0]
    assert found == value
    assert type(found) is type(value)


@pytest.mark.slow
@given(st.text(alphabet=st.characters(codec="utf-8"), max_size=60))
def test_any_text_is_answered(text: str) -> None:
    try:
        parse_yaml(text.encode(), Anything, "test.yaml")
    except InputError as error:
        faults = error.faults
    else:
        return
    assert faults
    assert all(fault.file == "test.yaml" for fault in faults)


@given(st.binary(max_size=60))
def test_any_bytes_are_answered(data: bytes) -> None:
    try:
        parse_yaml(data, Anything, "test.yaml")
    except InputError as error:
        faults = error.faults
    else:
        return
    assert faults


def test_every_fault_at_once_in_file_order() -> None:
    text = "other: x\nvalues: [1, &a 2, *a]\nvalues: 3\nothr: 4\n"
    with pytest.raises(InputError) as raised:
        parse_yaml(text.encode(), Anything, "test.yaml")
    assert [(fault.line, fault.place) for fault in raised.value.faults] == [
        (1, "other"),
        (3, "values"),
        (4, "othr"),
    ]


def test_scalar_aliases_are_harmless_but_collections_are_refused() -> None:
    assert read("values: [&a 1, *a]") == [1, 1]
    with pytest.raises(InputError, match=r"test.yaml:1: values\[1\]: an alias"):
        read("values: [&a [1], *a]")


def test_an_alias_is_reported_where_it_stands() -> None:
    with pytest.raises(InputError, match=r"test.yaml:3: other: an alias"):
        read("values: &a\n  - 1\nother: *a")


def test_merge_keys_are_not_merged() -> None:
    assert read("values: {<<: {a: 1}}") == {"<<": {"a": 1}}


def test_a_large_file_is_refused_unread(tmp_path: Path) -> None:
    file = tmp_path / "large.yaml"
    with file.open("wb") as stream:
        stream.truncate(20_000_000)
    with pytest.raises(InputError, match="larger than 16,000,000 bytes"):
        read_bytes(file)


def test_byte_order_mark_and_windows_lines() -> None:
    assert parse_yaml(b"\xef\xbb\xbfvalues: 1\r\nother: 2\r\n", Anything, "t").other == 2


def test_deep_indentation_does_not_reach_the_c_stack() -> None:
    text = "".join(" " * i + "a:\n" for i in range(2000))
    with pytest.raises(InputError, match="nested too deeply"):
        read(text)
    with pytest.raises(InputError, match="nested too deeply"):
        read("values:\n  " + "- " * 2000 + "1")
    with pytest.raises(InputError, match="nested too deeply"):
        read("values: " + "[" * 200_000)


def test_very_many_faults_are_cut_short() -> None:
    text = "".join(f"key{i}: 1\n" for i in range(5000))
    with pytest.raises(InputError) as raised:
        parse_yaml(text.encode(), Anything, "test.yaml")
    assert len(raised.value.faults) == 101
    assert "more faults; correct these first" in str(raised.value.faults[-1])


@pytest.mark.parametrize(
    ("text", "told"),
    [
        (
            "values: [1\nother: 2\n",
            "2: not YAML: the list that begins with [ on line 1 is not closed; close it with ]",
        ),
        (
            "other: 1\nvalues: {b: 1\nc: 2\n",
            "3: not YAML: the table that begins with { on line 2 is not closed",
        ),
        ("other: 1\nvalues: 'x\n", "3: not YAML: the quote that begins on line 2 is not closed"),
        ("values: a\n\tother: 1\n", "2: not YAML: a tab stands where blanks indent; indent with blanks"),
        (
            "values: a: b\n",
            "1: not YAML: a colon stands where no key can be; put text with a colon in quotes",
        ),
        ("values: *x\n", "1: not YAML: a value begins with *, which makes a reference; put text"),
        ("values: *\n", "1: not YAML: a value begins with * or &, which make references; put text"),
        ("values: @x\n", "1: not YAML: a value begins with a special character or a tab; indent with blanks"),
        ('values: "\\q"\n', "1: not YAML: a backslash in double quotes stands before an unknown sign"),
        ("values: 1\nother\n", "3: not YAML: the key that begins on line 2 has no colon; write 'key: value'"),
        (
            "values:\n  b: 1\n other: 2\n",
            "3: not YAML: a line does not continue the table that begins on line 1",
        ),
        (
            "- 1\nother: 2\n",
            "2: not YAML: a line does not continue the list that begins on line 1",
        ),
        (
            "values: ]\n",
            "1: not YAML: a value is missing, or begins with a bracket that closes; write the value",
        ),
        ("%YAML 3\n", "1: not YAML: did not find expected digit"),
    ],
)
def test_syntax_faults_are_told_in_plain_words(text: str, told: str) -> None:
    """With the line where the thing begins that is not closed; what is not known in the parser's words."""
    with pytest.raises(InputError, match="test.yaml:" + re.escape(told)):
        read(text)


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("!!bool yes", "'yes' is neither true nor false; write true or false"),
        ("!!null 5", "'5' is not null; "),
    ],
)
def test_a_tag_does_not_turn_a_value_into_another(text: str, told: str) -> None:
    with pytest.raises(InputError, match=f"test.yaml:1: values: {told}"):
        read(f"values: {text}")


def test_a_folder_that_may_not_be_listed_is_not_told_as_missing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refused(path: Path) -> Any:
        raise PermissionError

    monkeypatch.setattr(Path, "iterdir", refused)
    with pytest.raises(InputError, match="there is no such map file; name an existing map file"):
        read_bytes(tmp_path / "a.yaml")
