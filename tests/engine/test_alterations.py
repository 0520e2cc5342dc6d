"""No alteration of a record passes in silence, though its digest be made anew: it is refused, or found, or named as unchecked.

Every field of every kind of line is altered in turn: another value, left out, one too many.
"""

from __future__ import annotations

import copy
import json
from collections.abc import Iterator
from hashlib import blake2b
from pathlib import Path
from typing import Any

import msgspec
import pytest

from battlesim import load_scenario, play
from battlesim.core.errors import InputError
from battlesim.engine.record import parse_record
from battlesim.engine.verify import AGENTS, LIMITS, verify

TESTS = Path(__file__).parents[1]
RAISES = str(TESTS / "bad_agents" / "raises.py")
encode = msgspec.json.Encoder().encode
Path_ = tuple[str | int, ...]


def places_in(value: Any, path: Path_ = ()) -> Iterator[Path_]:
    """Every field in a line, the innermost too; of long lists the first and the last item."""
    if path:
        yield path
    if isinstance(value, dict):
        for key in value:
            yield from places_in(value[key], (*path, key))
    elif isinstance(value, list):
        for number in sorted({0, len(value) - 1} if value else ()):
            yield from places_in(value[number], (*path, number))


def other(value: Any) -> Any:
    """Another value of the same type."""
    if value is None:
        return 0
    if isinstance(value, bool):
        return not value
    if isinstance(value, int | float):
        return value + 1
    if isinstance(value, str):
        return value + "x"
    return [*value, 0] if isinstance(value, list) else {**value, "more": 1}


def altered(line: Any, path: Path_, how: str) -> Any:
    line = copy.deepcopy(line)
    at = line
    for step in path[:-1]:
        at = at[step]
    if how == "left out":
        del at[path[-1]]
    else:
        at[path[-1]] = other(at[path[-1]])
    return line


def alterations(lines: list[Any], thorough: bool) -> Iterator[tuple[int, Path_, str, Any]]:
    """(line number, place, what is done, the line then), for the header and for the first event of each kind, and the last."""
    kinds: dict[str, list[int]] = {"header": [0]}
    for number, line in enumerate(lines[1:-1], 1):
        kinds.setdefault(line["event"], []).append(number)
    for numbers in kinds.values():
        for number in sorted({numbers[0], numbers[-1]}) if thorough else numbers[:1]:
            for path in places_in(lines[number]):
                for how in ("other", "left out"):
                    yield number, path, how, altered(lines[number], path, how)
            yield number, ("more",), "added", {**lines[number], "more": 1}


def written(line: Any) -> bytes:
    """A line as a battle writes it; what map and scenario say is canonical JSON of its own."""
    line = dict(line)
    for key in ("map", "scenario"):
        if isinstance(line.get(key), dict) and "says" in line[key]:
            says = json.dumps(line[key]["says"], sort_keys=True, separators=(",", ":"))
            line[key] = {**line[key], "says": msgspec.Raw(says.encode())}
    return encode(line)


def as_bytes(lines: list[Any], number: int, line: Any) -> bytes:
    """The record with one line altered and its digest made anew."""
    body = b"".join(written(line if n == number else old) + b"\n" for n, old in enumerate(lines[:-1]))
    end = copy.deepcopy(lines[-1])
    end["end"]["digest"] = blake2b(body, digest_size=16).hexdigest()
    return body + encode(end) + b"\n"


def is_named(path: Path_, line: Any, notes: tuple[str, ...], unchecked: tuple[str, ...]) -> bool:
    """Whether what was altered is named as unchecked, or noted."""
    if path[0] == "code":
        return any(note.startswith("recorded by version") for note in notes)
    if path[0] == "options":
        return LIMITS in unchecked
    if path[-1] == "name" and any("was asked again as" in note for note in notes):
        return True
    agents = path[0] == "agents" or (line.get("event") == "Answered" and path[0] == "note")
    return agents and AGENTS in unchecked


CASES = {
    "points": ("random", "random"),
    "armorclass-points": ("random", RAISES),
    "squadhex-points": ("greedy", "random"),
    "regiment-points": ("random", "greedy"),
}
"""A small scenario of each rulebook, and an agent that loses questions."""
QUICK = ("points", "armorclass-points")


@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=() if name in QUICK else pytest.mark.slow) for name in CASES]
)
@pytest.mark.parametrize("agents", [False, True])
def test_no_alteration_passes_in_silence(name: str, agents: bool) -> None:
    scenario = load_scenario(TESTS / "golden" / f"{name}.yaml")
    game = play(scenario, CASES[name], seed=11)
    given = (None, CASES[name][1])
    lines = [msgspec.json.decode(line) for line in game.record().splitlines()]
    assert verify(parse_record(as_bytes(lines, 0, lines[0]), "x"), agents, None, given).same
    tried = found = named = 0
    for number, path, how, line in alterations(lines, name not in QUICK):
        tried += 1
        try:
            record = parse_record(as_bytes(lines, number, line), "x")
            verdict = verify(record, agents, None, given)
        except InputError:
            found += 1
            continue
        if verdict.same:
            assert is_named(path, line, verdict.notes, verdict.unchecked), f"line {number + 1}: {path} {how}"
            named += 1
        else:
            found += 1
    assert tried > 250
    assert found > 0.9 * tried
    assert named
