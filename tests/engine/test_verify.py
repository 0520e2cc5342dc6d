"""Verifying a record: a true one stands, a false one falls at its first false event."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import msgspec
import pytest

from battlesim import play
from battlesim.core.errors import InputError
from battlesim.core.events import Ended
from battlesim.engine.game import Game
from battlesim.engine.record import parse_record, record_bytes
from battlesim.engine.verify import verify
from battlesim.rules.scenario import Scenario
from tests import toy


@pytest.mark.parametrize("agents", [False, True])
def test_a_true_record_stands(game: Game, toy_scenario: Scenario, agents: bool) -> None:
    verdict = verify(parse_record(game.record(), "x"), agents, toy_scenario)
    assert verdict.same, str(verdict)
    assert verdict.events == len(game.log)
    assert verdict.notes == ()


def altered(game: Game, **changes: Any) -> bytes:
    """The record with one field of one event of each kind given changed."""
    log = list(game.log)
    for kind, fields in changes.items():
        at = [n for n, e in enumerate(log) if type(e).__name__ == kind][1]
        log[at] = msgspec.structs.replace(log[at], **fields)
    return record_bytes(game.header, log, game.outcome)


@pytest.mark.parametrize(
    ("kind", "fields"),
    [
        ("Rolled", {"faces": (6, 6, 6)}),
        ("UnitSet", {"own": {"pins": 7}}),
        ("Answered", {"answer": "at 99"}),
        ("Answered", {"answer": "dance 3"}),
        ("Asked", {"legal": 77}),
        ("Fired", {"hits": 5}),
        ("Fired", {"cause": 0}),
        ("ModelsLost", {"left": 4}),
    ],
)
def test_a_false_record_falls_at_its_first_false_event(
    game: Game, toy_scenario: Scenario, kind: str, fields: dict[str, Any]
) -> None:
    record = parse_record(altered(game, **{kind: fields}), "x")
    verdict = verify(record, scenario=toy_scenario)
    assert not verdict.same
    assert verdict.what == "event"
    assert kind == msgspec.json.decode(record.lines[verdict.number])["event"]
    assert verdict.recorded != verdict.rebuilt
    assert f"event {verdict.number} differs" in str(verdict)


def test_other_dice_another_scenario_and_another_start_are_found(game: Game, toy_scenario: Scenario) -> None:
    record = parse_record(game.record(), "x")
    header = record.header

    def what(**changes: Any) -> str:
        changed = msgspec.structs.replace(record, header=msgspec.structs.replace(header, **changes))
        return verify(changed, scenario=toy_scenario).what

    assert what(seeds=msgspec.structs.replace(header.seeds, dice=1)) == "seeds"
    assert what(scenario=msgspec.structs.replace(header.scenario, digest="0")) == "scenario"
    assert what(map=msgspec.structs.replace(header.map, digest="0")) == "map"
    start = bytes(header.start).replace(b'"models":5', b'"models":4', 1)
    assert what(start=msgspec.Raw(start)) == "start"
    assert verify(record, scenario=toy.scenario(turns=3)).what == "scenario"


def test_a_record_that_lacks_its_end_or_goes_on_is_found(game: Game, toy_scenario: Scenario) -> None:
    ended = game.log[-1]
    assert isinstance(ended, Ended)
    short = record_bytes(game.header, [*game.log[:-9], ended], game.outcome)
    assert not verify(parse_record(short, "x"), scenario=toy_scenario).same
    long = record_bytes(game.header, [*game.log, ended], game.outcome)
    verdict = verify(parse_record(long, "x"), scenario=toy_scenario)
    assert verdict.number == len(game.log)
    assert verdict.rebuilt == "nothing: the battle is over"


def test_other_agents_are_found(toy_scenario: Scenario) -> None:
    game = play(toy_scenario, ("random", "random"), 5)
    record = parse_record(game.record(), "x")
    file = Path(__file__).parents[1] / "bad_agents" / "raises.py"
    verdict = verify(record, True, toy_scenario, (str(file), None))
    assert verdict.what == "agent"


def test_another_version_of_the_program_is_noted_only(game: Game, toy_scenario: Scenario) -> None:
    record = parse_record(game.record(), "x")
    old = msgspec.structs.replace(record.header.code, digest="0" * 32)
    changed = msgspec.structs.replace(record, header=msgspec.structs.replace(record.header, code=old))
    verdict = verify(changed, scenario=toy_scenario)
    assert verdict.same
    assert "recorded by version" in verdict.notes[0]


def test_an_unknown_scenario_is_asked_for(game: Game) -> None:
    with pytest.raises(InputError, match="--scenario FILE"):
        verify(parse_record(game.record(), "x"))
