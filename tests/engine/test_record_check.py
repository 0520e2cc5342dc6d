"""Records whose digest fits but whose numbers are those of nothing are refused in one message."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import msgspec
import pytest

from battlesim import load_scenario, play
from battlesim.cli.main import main
from battlesim.core.errors import InputError
from battlesim.engine.record import parse_record
from tests.engine.test_alterations import TESTS, as_bytes

FORGED = [
    ("Placed", {"cause": 10**6}, "its cause is 1000000, which is not an earlier event"),
    ("Placed", {"cause": -2}, "its cause is -2"),
    ("Placed", {"unit": 99}, "there is no unit 99: units are numbered 0 to"),
    ("Placed", {"place": 10**30}, "there is no place 1000"),
    ("Placed", {"path": [10**6]}, "there is no place 1000000: places are numbered 0 to"),
    ("UnitSet", {"unit": 99}, "there is no unit 99"),
    ("Asked", {"side": 2}, "there is no side 2: sides are numbered 0 to 1"),
    ("Asked", {"ask": "x"}, "what it asks is 'x'"),
    ("Answered", {"side": -1}, "there is no side -1"),
    ("Rolled", {"faces": []}, "it rolled no dice"),
    ("Volley", {"unit": 99}, "unit: there is no unit 99"),
    ("Volley", {"target": "x"}, "target: there is no unit 'x'"),
    ("Volley", {"place": 10**6}, "place: there is no place 1000000: places are numbered 0 to"),
    ("Acts", {"number": "x"}, "number: 'x' is not a whole number"),
    ("Acts", {"unit": None}, "unit: there is no unit None: units are numbered 0 to"),
]


@pytest.fixture(scope="module")
def lines() -> list[Any]:
    scenario = load_scenario(TESTS / "golden" / "armorclass-points.yaml")
    record = play(scenario, ("random", "random"), seed=11).record()
    return [msgspec.json.decode(line) for line in record.splitlines()]


def forged(lines: list[Any], kind: str, fields: dict[str, Any]) -> tuple[int, bytes]:
    """The last event of a kind with some fields changed: its number, and the record."""
    at = max(n for n, line in enumerate(lines) if line.get("event") == kind)
    return at - 1, as_bytes(lines, at, {**lines[at], **fields})


@pytest.mark.parametrize(("kind", "fields", "told"), FORGED)
def test_an_event_about_nothing_is_refused(
    lines: list[Any], kind: str, fields: dict[str, Any], told: str
) -> None:
    number, data = forged(lines, kind, fields)
    with pytest.raises(InputError) as caught:
        parse_record(data, "r.jsonl")
    (fault,) = caught.value.faults
    assert str(fault).startswith(f"r.jsonl:{number + 2}: event {number} cannot be: {told}")
    assert "write it again" in fault.remedy


@pytest.mark.parametrize(
    ("field", "value", "told"),
    [("place", 10**6, "there is no place 1000000"), ("side", 7, "there is no side 7")],
)
def test_a_unit_that_starts_nowhere_is_refused(lines: list[Any], field: str, value: int, told: str) -> None:
    units = [dict(unit) for unit in lines[0]["start"]["units"]]
    units[0][field] = value
    data = as_bytes(lines, 0, {**lines[0], "start": {**lines[0]["start"], "units": units}})
    with pytest.raises(InputError, match=rf"r\.jsonl:1: the header is damaged: unit \d+: {told}"):
        parse_record(data, "r.jsonl")


@pytest.mark.parametrize("verb", [("why", "3"), ("whatif",), ("replay",), ("watch", "--json")])
def test_changes_that_do_not_fit_one_another_are_refused(
    lines: list[Any], verb: tuple[str, ...], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    number, data = forged(lines, "Taken", {"serial": 10**6})
    (tmp_path / "r.jsonl").write_bytes(data)
    assert main([verb[0], str(tmp_path / "r.jsonl"), *verb[1:]]) == 2
    assert f"event {number} does not fit the events before it: agenda entry" in capsys.readouterr().err


@pytest.mark.parametrize("verb", [("replay",), ("verify",), ("whatif",), ("why", "3"), ("watch", "--json")])
def test_every_verb_gives_one_message(
    lines: list[Any],
    verb: tuple[str, ...],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "r.jsonl").write_bytes(forged(lines, "Acts", {"unit": 99})[1])
    assert main([verb[0], "r.jsonl", *verb[1:]]) == 2
    told = capsys.readouterr()
    assert told.out == ""
    assert told.err.count("\n") == 1
    assert "there is no unit 99" in told.err
    assert [path.name for path in tmp_path.iterdir()] == ["r.jsonl"]


@pytest.mark.parametrize(
    "kind", ["Asked", "Answered", "Rolled", "Placed", "UnitSet", "TurnEnded", "Ended", "Scheduled"]
)
def test_a_key_that_an_event_does_not_have_is_refused(lines: list[Any], kind: str) -> None:
    number, data = forged(lines, kind, {"more": 1})
    with pytest.raises(InputError, match=rf"r\.jsonl:{number + 2}: not an event: .*more"):
        parse_record(data, "r.jsonl")


def test_facts_of_a_rulebook_may_have_any_keys(lines: list[Any]) -> None:
    """They are no part of the format."""
    parse_record(forged(lines, "Acts", {"more": 1})[1], "r.jsonl")


@pytest.mark.parametrize(
    ("name", "told"),
    [
        ("armourclass", "unknown ruleset 'armourclass'; did you mean 'armorclass'?"),
        ("regiment", "the record names the ruleset 'regiment', and its scenario 'armorclass'"),
    ],
)
def test_whatif_refuses_another_ruleset_than_the_scenario_s(
    lines: list[Any], name: str, told: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    header = {**lines[0], "ruleset": {**lines[0]["ruleset"], "name": name}}
    (tmp_path / "r.jsonl").write_bytes(as_bytes(lines, 0, header))
    assert main(["whatif", str(tmp_path / "r.jsonl")]) == 2
    shown = capsys.readouterr()
    assert (shown.out, shown.err.count("\n")) == ("", 1)
    assert f"r.jsonl:1: {told}" in shown.err
