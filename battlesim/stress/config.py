"""The settings of a stress test: a TOML file, or the same as flags. Read `StressConfig`.

    name = "who-has-the-stairs"
    scenario = "stairwell"
    agents = ["greedy", "greedy"]       # of the first and of the second side
    games = 40                          # of each point of the design, with the same dice at every point
    design = "factorial"

    [[factors]]
    path = "turns"
    levels = [4, 6, 8]

    [[factors]]
    name = "quality of Red"
    path = 'forces.Red.units["*"].quality'
    levels = ["inexperienced", "regular", "veteran"]

Names of files are relative to the folder of the TOML file. `paths.py` says how paths are written.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from math import floor
from pathlib import Path
from typing import Any, Literal

from msgspec.structs import replace
from pydantic import Field, model_validator

from battlesim.batch.settings import (
    Bounds,
    Contradiction,
    Settings,
    bounds_contradictions,
    line_at,
    parse_settings,
)
from battlesim.core.errors import Fault, InputError
from battlesim.core.toml import read_toml

Level = bool | int | float | str
Kind = Literal[
    "factorial",
    "fractional-factorial",
    "one-at-a-time",
    "latin-hypercube",
    "sobol",
    "morris",
    "saltelli",
    "list",
]
SPREAD = ("latin-hypercube", "sobol")
"""Designs that spread points over the whole space."""
SAMPLED = (*SPREAD, "morris", "saltelli")
"""Designs with a given number of points; factors may have ranges."""


class Factor(Settings):
    """Something that is varied. Several paths are set to the same value together."""

    name: str = Field(default="", max_length=80, description="what it is called; its path unless stated")
    path: str | tuple[str, ...] = Field(description="what it sets; a list: all of them together")
    levels: tuple[Level, ...] = Field(default=(), max_length=1000, description="the values it takes")
    range: tuple[float, float] | None = Field(
        default=None, description="instead of levels, for designs that sample: the least and the most"
    )
    integer: bool = Field(default=False, description="with range: whole numbers only")
    entry: dict[str, Any] | None = Field(
        default=None, description="what a path that ends in [+] adds, as it would stand in the file"
    )

    @model_validator(mode="before")
    @classmethod
    def _usual_levels(cls, value: Any) -> Any:
        """A path that ends in .present or [+] has the levels true and false, 0 and 1, unless it is given others."""
        if not isinstance(value, dict) or value.get("levels") or value.get("range"):
            return value
        path = value.get("path")
        first = path if isinstance(path, str) else path[0] if isinstance(path, (list, tuple)) and path else ""
        if str(first).endswith(".present"):
            return {**value, "levels": (True, False)}
        return {**value, "levels": (0, 1)} if str(first).endswith("[+]") else value

    @property
    def paths(self) -> tuple[str, ...]:
        """The paths that it sets."""
        return (self.path,) if isinstance(self.path, str) else self.path

    @property
    def title(self) -> str:
        """Its name."""
        return self.name or self.paths[0]


class StressConfig(Settings):
    """The settings of a stress test."""

    name: str = Field(default="stress", min_length=1, max_length=60)
    scenario: str = Field(min_length=1)
    agents: tuple[str, str] = Field(
        default=("greedy", "greedy"), description="of the first and of the second side"
    )
    factors: tuple[Factor, ...] = Field(min_length=1, max_length=200)
    design: Kind = Field(
        default="factorial", description="which points are played; latin-hypercube where a factor has a range"
    )
    points: int | tuple[dict[str, Level], ...] = Field(
        default=64,
        description="of a design that samples: how many; of design = 'list': the points themselves",
    )
    resolution: int = Field(
        default=4, ge=3, le=5, description="of a fractional factorial: 4 keeps main effects clear of pairs"
    )
    games: int = Field(default=20, ge=1, le=1_000_000, description="at each point")
    seed: int = Field(default=1, ge=-(2**62), lt=2**62)
    responses: str = Field(default="", description="a Python file with responses of your own")
    limits: Bounds = Bounds()

    @model_validator(mode="before")
    @classmethod
    def _usual_design(cls, value: Any) -> Any:
        """A factor with a range needs a design that samples, so one is chosen if none is given."""
        if not isinstance(value, dict) or "design" in value:
            return value
        factors = value.get("factors")
        ranged = isinstance(factors, (list, tuple)) and any(
            isinstance(f, dict) and f.get("range") for f in factors
        )
        return {**value, "design": "latin-hypercube"} if ranged else value


def read_config(path: Path) -> tuple[StressConfig, bytes]:
    """The settings in a TOML file, and its bytes. Raises InputError with every fault of the file."""
    value, text = read_toml(path, "the stress test's file")
    return parse_config(value, str(path), text), text.encode()


_OF_FACTOR = re.compile(r"factors\[(\d+)\](?:\..*)?")


@contextmanager
def written(
    file: str = "", text: str = "", flags: Sequence[str] = (), flag: str = "--vary"
) -> Iterator[None]:
    """Faults of factors, placed where the user wrote them: in a file, whose `text` is given, or as `flags`."""
    try:
        yield
    except InputError as error:
        raise InputError([_written(fault, file, text, flags, flag) for fault in error.faults]) from None


def _written(fault: Fault, file: str, text: str, flags: Sequence[str], flag: str) -> Fault:
    found = _OF_FACTOR.fullmatch(fault.place)
    if found is None:
        return fault
    if flags:
        return replace(fault, file="", line=0, place=f"{flag} {flags[int(found[1])]}")
    return replace(fault, file=file, line=fault.line or line_at(text, fault.place))


def parse_config(value: Mapping[str, Any], file: str = "", text: str = "") -> StressConfig:
    """The settings in plain data. Raises InputError with every fault; the `text` of the file gives them line numbers."""
    return parse_settings(StressConfig, value, _contradictions, file, text)


def _contradictions(asked: StressConfig) -> list[Contradiction]:
    """Settings that are valid alone but not together."""
    found = bounds_contradictions(asked.limits)
    titles = [factor.title for factor in asked.factors]
    for number, factor in enumerate(asked.factors):
        place = f"factors[{number}]"
        same = [other for other in asked.factors[:number] if other.title == factor.title]
        if any(other.paths == factor.paths for other in same):
            found.append((place, f"two factors contradict: both set {factor.title}", "leave one of them out"))
        elif same:
            found.append((place, f"two factors are called {factor.title!r}", "give them a name each"))
        found += [(place, what, remedy) for what, remedy in _factor_faults(factor, asked.design)]
    if asked.design == "list" and not isinstance(asked.points, tuple):
        found.append(("points", "design = 'list' needs the points", "give points = [{...}, {...}]"))
    elif asked.design != "list" and isinstance(asked.points, tuple):
        found.append(
            ("points", f"a {asked.design} design makes its own points", "design = 'list', or a number")
        )
    elif asked.design == "list" and isinstance(asked.points, tuple):
        for number, point in enumerate(asked.points):
            unknown = [name for name in point if name not in titles]
            if unknown:
                what = f"point {number} sets {unknown[0]!r}, which is no factor"
                found.append(("points", what, f"known: {', '.join(titles)}"))
    elif asked.design in SAMPLED and isinstance(asked.points, int) and asked.points < 2:
        found.append(("points", f"{asked.points} points are no sample", "give 2 or more"))
    return found


def _factor_faults(factor: Factor, design: Kind) -> list[tuple[str, str]]:
    if factor.range is not None:
        low, high = factor.range
        if factor.levels:
            return [("a factor has levels and a range", "give one of the two")]
        if not low < high:
            return [
                (f"the range {low:g} to {high:g} holds nothing", "give the least first, and more than that")
            ]
        if factor.integer and floor(high) < low:
            return [(f"no whole number lies in {low:g} to {high:g}", "widen the range")]
        # A fractional factorial takes the two ends of a range.
        if design not in (*SAMPLED, "list", "fractional-factorial"):
            remedy = f"give levels, such as {low:g} and {high:g}, or a design that samples: latin-hypercube"
            return [(f"a {design} design needs levels", remedy)]
        return []
    if design == "list":
        return []
    if design == "fractional-factorial" and len(factor.levels) != 2:
        return [("a fractional factorial takes two levels of each factor", "give levels = [.., ..]")]
    if len(factor.levels) < 2:
        return [
            ("a factor needs two levels or a range", "such as turns=4,6 in a flag, levels = [4, 6] in a file")
        ]
    if len({(type(level), level) for level in factor.levels}) < len(factor.levels):
        return [("a level stands there twice", "give each once")]
    return []


# ---- factors in words

_NUMBER = re.compile(r"[-+]?\d{1,300}(\.\d+)?")
_RANGE = re.compile(r"([-+]?\d{1,300}(?:\.\d+)?)\.\.([-+]?\d{1,300}(?:\.\d+)?)")
"""Numbers with more digits are read as text, and refused as such: Python turns them into none, or into infinity."""


def parse_factor(text: str) -> dict[str, Any]:
    """A factor as flags write it, as the table that a file would have: `turns=4,6,8`, `turns=4..10` (a range; whole numbers if
    both ends are), `forces.Red.units[0].present`, `forces.Red.units[+]={type: rifle_section, zone: west}`. Raises InputError."""
    path, equals, said = _split(text)
    if not path or (equals and not said):
        remedy = "write PATH=LEVEL,LEVEL, PATH=LEAST..MOST, or a path that ends in .present"
        raise InputError(Fault(f"{text!r} is no factor", remedy))
    if not equals and not path.endswith((".present", "[+]")):
        raise InputError(Fault(f"{text!r} has no values", f"write {path}=4,6,8 or {path}=4..8"))
    if not equals:
        return {"path": path}
    if said.startswith("{"):
        return {"path": path, "entry": _table(text, said)}
    if found := _RANGE.fullmatch(said):
        low, high = float(found[1]), float(found[2])
        whole = "." not in found[1] and "." not in found[2]
        return {"path": path, "range": (low, high), "integer": whole}
    return {"path": path, "levels": [_level(word.strip()) for word in said.split(",")]}


def _split(text: str) -> tuple[str, str, str]:
    """A text at its first equals sign outside brackets."""
    depth = 0
    for at, letter in enumerate(text):
        depth += {"[": 1, "]": -1}.get(letter, 0)
        if letter == "=" and depth == 0:
            return text[:at].strip(), "=", text[at + 1 :].strip()
    return text.strip(), "", ""


def _table(text: str, said: str) -> dict[str, Any]:
    import yaml

    try:
        found = yaml.safe_load(said)
    except yaml.YAMLError:
        found = None
    if not isinstance(found, dict):
        remedy = "write it as {type: rifle_section, zone: west}"
        raise InputError(Fault(f"{text!r}: the entry is not a table", remedy))
    return found


def _level(word: str) -> Level:
    """A level in words: true, false, a number, or text."""
    if word in ("true", "false"):
        return word == "true"
    if _NUMBER.fullmatch(word):
        return float(word) if "." in word else int(word)
    return word
