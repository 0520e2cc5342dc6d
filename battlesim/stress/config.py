"""What a stress test is asked for: a TOML file, or the same as flags. Read `StressConfig`.

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

Names of files count from the folder the TOML file is in. `paths.py` says how paths are written.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any, Literal

from pydantic import Field

from battlesim.batch.settings import Bounds, Contradiction, Settings, bounds_contradictions, parse_settings
from battlesim.core.toml import read_toml

Level = bool | int | float | str
Kind = Literal["factorial", "one-at-a-time", "latin-hypercube", "sobol", "list"]
SAMPLED = ("latin-hypercube", "sobol")


class Factor(Settings):
    """Something that is varied. Several paths are set to the same value together."""

    name: str = Field(default="", max_length=80, description="what it is called; its path unless stated")
    path: str | tuple[str, ...] = Field(description="what it sets; a list: all of them together")
    levels: tuple[Level, ...] = Field(default=(), max_length=1000, description="the values it takes")
    range: tuple[float, float] | None = Field(
        default=None, description="instead of levels, for designs that sample: the least and the most"
    )
    integer: bool = Field(default=False, description="with range: whole numbers only")

    @property
    def paths(self) -> tuple[str, ...]:
        """What it sets."""
        return (self.path,) if isinstance(self.path, str) else self.path

    @property
    def title(self) -> str:
        """What it is called."""
        return self.name or self.paths[0]


class StressConfig(Settings):
    """A stress test as asked for."""

    name: str = Field(default="stress", min_length=1, max_length=60)
    scenario: str = Field(min_length=1)
    agents: tuple[str, str] = Field(
        default=("greedy", "greedy"), description="of the first and of the second side"
    )
    factors: tuple[Factor, ...] = Field(min_length=1, max_length=200)
    design: Kind = "factorial"
    points: int | tuple[dict[str, Level], ...] = Field(
        default=64,
        description="of a design that samples: how many; of design = 'list': the points themselves",
    )
    games: int = Field(default=20, ge=1, le=1_000_000, description="at each point")
    seed: int = Field(default=1, ge=-(2**62), lt=2**62)
    limits: Bounds = Bounds()


def read_config(path: Path) -> tuple[StressConfig, bytes]:
    """What a TOML file asks for, and its bytes. Raises InputError with every fault of the file."""
    value, text = read_toml(path, "the stress test's file")
    return parse_config(value, str(path), text), text.encode()


def parse_config(value: Mapping[str, Any], file: str = "", text: str = "") -> StressConfig:
    """What plain data ask for. Raises InputError with every fault; `text` of the file gives them lines."""
    return parse_settings(StressConfig, value, _contradictions, file, text)


def _contradictions(asked: StressConfig) -> list[Contradiction]:
    """What is well formed each by itself and makes no sense together."""
    found = bounds_contradictions(asked.limits)
    titles = [factor.title for factor in asked.factors]
    for number, factor in enumerate(asked.factors):
        place = f"factors[{number}]"
        if titles.count(factor.title) > 1:
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
        if factor.integer and int(high) < low:
            return [(f"no whole number lies in {low:g} to {high:g}", "widen the range")]
        if design not in SAMPLED and design != "list":
            return [(f"a {design} design needs levels", f"give levels = [{low:g}, {high:g}], or sample")]
        return []
    if design == "list":
        return []
    if len(factor.levels) < 2:
        return [("a factor needs two levels or a range", "give levels = [.., ..]")]
    if len({(type(level), level) for level in factor.levels}) < len(factor.levels):
        return [("a level stands there twice", "give each once")]
    return []
