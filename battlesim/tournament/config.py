"""What a tournament is asked for: a TOML file, or the same as flags. Read `Asked`.

    name = "first"
    agents = ["greedy", "rush", "mine.py,bold=0.8"]
    scenarios = ["skirmish", "stairwell"]
    format = "round-robin"      # or "gauntlet" (everybody against `baseline`), "match" (two agents), "control" (nobody
                                # meets another: are the scenarios fair?)
    games = 100                 # of each pairing on each scenario: pairs of games with the sides swapped
    seed = 1

Names of files count from the folder the TOML file is in.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from battlesim.core.errors import Fault, InputError, did_you_mean

LEAST = 128
"""Megabytes that a worker needs for itself."""


class _Part(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class Sequential(_Part):
    """The sequential test of a match: stop once the pairs tell `elo1` from `elo0`."""

    elo0: float = Field(
        default=0.0, ge=-1000, le=1000, description="H0: the first agent is at most this much better, in Elo"
    )
    elo1: float = Field(
        default=10.0, ge=-1000, le=1000, description="H1: it is at least this much better, in Elo"
    )
    alpha: float = Field(default=0.05, gt=0, lt=0.5, description="chance to accept H1 where H0 is true")
    beta: float = Field(default=0.05, gt=0, lt=0.5, description="chance to accept H0 where H1 is true")


class Bounds(_Part):
    """What one game may cost before it is stopped and counted against the agent that was thinking."""

    answer_seconds: float = Field(default=0.0, ge=0, le=86_400, description="for one answer; 0: no limit")
    game_seconds: float = Field(default=600.0, ge=0, le=864_000, description="for one game; 0: no limit")
    megabytes: int = Field(default=1024, ge=0, le=1_048_576, description="memory of a worker; 0: no limit")
    faults: int = Field(default=10, ge=1, le=10_000, description="lost questions that forfeit a game")


class Trust(_Part):
    """When a rating is withheld."""

    degenerate: float = Field(
        default=0.2, ge=0, le=1, description="share of games stalled, forfeited or crashed, at most"
    )
    bias: float = Field(
        default=0.8, ge=0.5, le=1, description="share of one side in the control arm, at most"
    )
    fair: float = Field(
        default=0.6,
        gt=0.5,
        lt=1,
        description="a scenario is called fair where a bias of this share is ruled out for every agent",
    )


class Keep(_Part):
    """Which games' records are kept."""

    records: Literal["notable", "all", "none", "faults", "sample"] = Field(
        default="notable", description="notable: the median game of each pairing and games with faults"
    )
    sample: int = Field(
        default=20, ge=1, description="with records = 'sample': about so many games, spread evenly"
    )


class Asked(_Part):
    """A tournament as asked for."""

    name: str = Field(default="tournament", min_length=1, max_length=60)
    agents: tuple[str, ...] = Field(min_length=1, max_length=200)
    scenarios: tuple[str, ...] = Field(min_length=1, max_length=500)
    format: Literal["round-robin", "gauntlet", "match", "control"] = "round-robin"
    baseline: str = Field(
        default="", description="gauntlet: the agent that meets everybody else; usual: the first"
    )
    games: int = Field(
        default=100, ge=2, le=10_000_000, description="of each pairing on each scenario, an even number"
    )
    control: int | None = Field(
        default=None,
        ge=0,
        le=10_000_000,
        description="games of each agent with itself on each scenario; usual: half of games, at most 30",
    )
    seed: int = Field(default=1, ge=-(2**63), lt=2**63)
    salt: str = Field(
        default="",
        max_length=200,
        description="a secret that goes into every game's seed: no dice can be guessed",
    )
    stop: Sequential | None = Field(
        default=None, description="the sequential test of a match; usual: play every game"
    )
    limits: Bounds = Bounds()
    trust: Trust = Trust()
    keep: Keep = Keep()


def read_config(path: Path) -> tuple[Asked, bytes]:
    """What a TOML file asks for, and its bytes. Raises InputError with every fault of the file."""
    try:
        data = path.read_bytes()
    except OSError as error:
        what = f"the tournament's file cannot be read: {error.strerror or error}"
        raise InputError(Fault(what, "give a TOML file, or --agents and --scenarios", str(path))) from None
    try:
        value = tomllib.loads(data.decode())
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        line = int(text.split()[0].rstrip(",")) if (text := str(error).partition("(at line ")[2]) else 0
        raise InputError(Fault(f"this is no TOML: {error}", "correct the line", str(path), line)) from None
    return parse_config(value, str(path), data.decode()), data


def parse_config(value: Mapping[str, Any], file: str = "", text: str = "") -> Asked:
    """What plain data ask for. Raises InputError with every fault; `text` of the file gives them lines."""
    try:
        asked = Asked.model_validate(value)
    except ValidationError as error:
        raise InputError([_fault(found, file, text) for found in error.errors()]) from None
    faults = [
        Fault(what, remedy, file, _line(text, place), place) for place, what, remedy in _contradictions(asked)
    ]
    if faults:
        raise InputError(faults)
    return asked


def _contradictions(asked: Asked) -> list[tuple[str, str, str]]:
    """(place, what, remedy) of what is well formed each by itself and makes no sense together."""
    found = []
    if asked.games % 2 and asked.format != "control":
        found.append(
            ("games", f"{asked.games} games are no whole number of pairs", f"give {asked.games + 1}")
        )
    for place, names in (("agents", asked.agents), ("scenarios", asked.scenarios)):
        twice = sorted({name for name in names if names.count(name) > 1})
        if twice:
            found.append((place, f"{twice[0]!r} stands there twice", "name each once"))
    if asked.format == "match" and len(asked.agents) != 2:
        found.append(
            ("agents", f"a match has two agents, not {len(asked.agents)}", "name two, or play a round robin")
        )
    if asked.format != "match" and asked.stop is not None:
        what = f"a sequential test compares two agents, and this is a {asked.format}"
        found.append(("stop", what, "format = 'match', or leave the test out"))
    if asked.baseline and asked.format != "gauntlet":
        found.append(
            ("baseline", f"a {asked.format} has no baseline", "format = 'gauntlet', or leave it out")
        )
    if asked.baseline and asked.baseline not in asked.agents:
        found.append(
            (
                "baseline",
                f"{asked.baseline!r} is none of the agents",
                did_you_mean(asked.baseline, asked.agents),
            )
        )
    if (len(asked.agents) == 1 or asked.format == "control") and asked.control == 0:
        found.append(
            ("control", "one agent and no control games leave nothing to play", "add agents or control games")
        )
    if asked.format == "gauntlet" and len(asked.agents) == 1:
        found.append(("agents", "a gauntlet wants somebody to meet the baseline", "name two agents or more"))
    if 0 < asked.limits.megabytes < LEAST:
        what = f"{asked.limits.megabytes} MB are too few for a worker"
        found.append(("limits.megabytes", what, f"give {LEAST} or more, or 0 for no limit"))
    if asked.stop is not None and asked.stop.elo0 >= asked.stop.elo1:
        what = f"elo0 {asked.stop.elo0:g} is not below elo1 {asked.stop.elo1:g}"
        found.append(("stop.elo1", what, "give an elo1 above elo0"))
    return found


_PLAIN = {
    "tuple_type": 'give a list: {name} = ["...", "..."]',
    "string_type": 'give text in quotes: {name} = "..."',
    "int_type": "give a whole number",
    "int_parsing": "give a whole number",
    "int_from_float": "give a whole number",
    "int_parsing_size": "give a smaller number",
    "float_type": "give a number",
    "float_parsing": "give a number",
    "model_type": "give a table: [{name}] with its settings below",
    "too_short": "name one at least",
}
"""What to do, by pydantic's names of errors, where its own words are about Python."""


def _fault(error: Any, file: str, text: str) -> Fault:
    loc: Sequence[str | int] = error["loc"]
    place = "".join(f"[{part}]" if isinstance(part, int) else f".{part}" for part in loc).lstrip(".")
    kind, given = error["type"], error["input"]
    context = error.get("ctx", {})
    if kind == "extra_forbidden":
        known = _fields_at(loc[:-1])
        return Fault(
            f"there is no setting {loc[-1]!r}",
            did_you_mean(str(loc[-1]), known),
            file,
            _line(text, place),
            place,
        )
    if kind == "missing":
        return Fault("the setting is missing", f"give {loc[-1]} = [...]", file, 0, place)
    if kind == "literal_error":
        return Fault(
            f"{given!r} is unknown", f"known: {context['expected']}", file, _line(text, place), place
        )
    message = str(error["msg"])
    remedy = _PLAIN.get(kind, message[0].lower() + message[1:]).format(name=loc[-1])
    return Fault(f"{given!r:.60} will not do", remedy, file, _line(text, place), place)


def _fields_at(loc: Sequence[str | int]) -> list[str]:
    kinds: dict[str, type[BaseModel]] = {"stop": Sequential, "limits": Bounds, "trust": Trust, "keep": Keep}
    kind = kinds.get(str(loc[0]), Asked) if loc else Asked
    return list(kind.model_fields)


def _line(text: str, place: str) -> int:
    """The line of a setting in a TOML text, 0 where it is not found: the last word of its place, before an equals sign."""
    table, _, key = place.split("[")[0].rpartition(".")
    here = ""
    for number, line in enumerate(text.splitlines(), 1):
        words = line.strip()
        if words.startswith("["):
            here = words.strip("[] ")
        elif here == table and words.partition("=")[0].strip() == key:
            return number
    return 0
