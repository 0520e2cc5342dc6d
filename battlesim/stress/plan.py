"""From the settings of a stress test to a run: every point becomes a scenario, is checked, and gets its games. Read
`resolve_stress`.

A point of the design is the scenario with its factors set. Points that do not make a valid scenario are reported before any
game is played. All points use the same dice: game n of each has the same seed. So rolls that a factor does not touch are equal,
and a difference between two points is not lost in the luck of both.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import msgspec
from msgspec import Struct

from battlesim.batch.export import More
from battlesim.batch.lists import KIND, GameRequest, ResolvedList, merge, resolve_games
from battlesim.batch.own import pin_own
from battlesim.core.errors import Fault, InputError
from battlesim.core.files import write_file
from battlesim.jobs.folder import RunFolder
from battlesim.rules.scenario import Scenario
from battlesim.scenario.load import load_scenario, scenario_path, shipped_scenarios
from battlesim.stress.config import StressConfig
from battlesim.stress.designs import Point, sample_of
from battlesim.stress.leaves import not_varied
from battlesim.stress.points import Varied
from battlesim.stress.responses import RESPONSES

DESIGN = "design.json"
"""The file of a run's folder that says which point each game belongs to."""
TOLD = 10
"""The most invalid points that are reported."""


class Design(Struct, frozen=True):
    """The design of a run. Game number n belongs to point n // games; its seed is that of game n % games of every point."""

    scenario: str
    sides: tuple[str, str]
    design: str
    factors: tuple[str, ...]
    paths: tuple[tuple[str, ...], ...]
    usual: tuple[Any, ...]
    """The value of each factor's first place in the unchanged scenario."""
    points: tuple[Point, ...]
    games: int
    unit: tuple[tuple[float, ...], ...] = ()
    rows: tuple[int, ...] = ()
    """As in `designs.Sample`."""
    agents: tuple[str, str] = ("", "")
    fixed: tuple[str, ...] = ()
    """The parts of the scenario that were not varied, in words."""
    levels: tuple[tuple[Any, ...], ...] = ()
    """The levels of each factor in the order given; for ranges, none."""

    def levels_of(self, factor: int) -> list[Any]:
        """The levels that a factor takes: numbers by size, all others in the order given."""
        taken = list(dict.fromkeys(point[factor] for point in self.points))
        if all(isinstance(level, (int, float)) and not isinstance(level, bool) for level in taken):
            return sorted(taken, key=float)
        asked = list(self.levels[factor]) if self.levels else []
        return sorted(taken, key=lambda level: asked.index(level) if level in asked else len(asked))

    def point_of(self, number: int) -> int:
        """The point that a game belongs to."""
        return number // self.games


def resolve_stress(
    asked: StressConfig, folder: Path | None = None, part: tuple[int, int] = (1, 1)
) -> tuple[Design, ResolvedList]:
    """Plan a stress test: its design and its list of games. Paths are relative to `folder`. `part`: (n, of), to play every of-th
    game from the n-th on. Raises InputError with every fault: paths that name nothing, points that do not make a valid scenario,
    designs that are too large."""
    scenario = load_for(asked.scenario, folder)
    varied = Varied(scenario, asked.agents, asked.factors)
    sample = sample_of(asked)
    own = pin_own(asked.responses, folder) if asked.responses else None
    taken = [name for name, _ in own.names if name in RESPONSES] if own is not None else []
    if own is not None and taken:
        what = f"{', '.join(taken)}: every stress test has a response of that name"
        raise InputError(Fault(what, "give the function another name", own.load))
    requests = list(_requests(asked, varied, sample.points))
    design = Design(
        scenario.name,
        (scenario.sides[0].name, scenario.sides[1].name),
        asked.design,
        tuple(factor.title for factor in asked.factors),
        tuple(factor.paths for factor in asked.factors),
        tuple(varied.usual(number) for number in range(len(asked.factors))),
        tuple(sample.points),
        asked.games,
        sample.unit,
        sample.rows,
        asked.agents,
        tuple(not_varied(scenario, varied.places)),
        tuple(factor.levels for factor in asked.factors),
    )
    resolved = resolve_games(
        asked.name, requests, asked.limits, part=part, folder=folder, measures=True, own=own
    )
    return design, resolved


def begin(path: Path, design: Design, resolved: ResolvedList, asked: bytes, suffix: str) -> RunFolder:
    """A new run's folder, with nothing played yet. Raises InputError if it exists or cannot be made."""
    run = RunFolder.create(path, msgspec.to_builtins(resolved), asked, suffix)
    write_file(run.path / DESIGN, msgspec.json.encode(design), "the design")
    return run


def design_of(run: RunFolder) -> Design:
    """The design of a run. Raises InputError if it has none, or it is damaged."""
    return run.kept(DESIGN, Design, "a stress test", "battlesim stress")


def merge_parts(target: Path, runs: Sequence[RunFolder]) -> tuple[RunFolder, int]:
    """Merge parts of a stress test into the run at `target`, as `batch.parts.merge_runs` does."""
    design = design_of(runs[0])
    whole, new = merge(target, runs)
    write_file(whole.path / DESIGN, msgspec.json.encode(design), "the design")
    return whole, new


def factor_columns(design: Design) -> More:
    """What a stress test adds to the table of its games: the number of the point, and the level of each factor,
    under `factor.` and its name."""
    kinds = [_kind([point[number] for point in design.points]) for number in range(len(design.factors))]
    names = tuple((f"factor.{factor}", kind) for factor, kind in zip(design.factors, kinds, strict=True))

    def of(number: int) -> dict[str, Any]:
        point = design.point_of(number)
        levels = zip(names, design.points[point], strict=True)
        return {
            "point": point,
            **{
                name: str(level) if kind == "text" and level is not None else level
                for (name, kind), level in levels
            },
        }

    return More((("point", "int"), *names), of)


def _kind(levels: Sequence[Any]) -> str:
    """The kind of a column that holds some levels."""
    kinds = {type(level) for level in levels if level is not None}
    for kind, types in (("bool", {bool}), ("int", {int}), ("float", {int, float})):
        if kinds <= types:
            return kind
    return "text"


def is_stress(run: RunFolder) -> bool:
    """Whether a run's folder holds a stress test."""
    return run.resolved().get("kind") == KIND and (run.path / DESIGN).exists()


def load_for(name: str, folder: Path | None) -> Scenario:
    """A scenario by shipped name or path; paths are relative to `folder`."""
    if name in shipped_scenarios() or folder is None:
        return load_scenario(name)
    path = Path(scenario_path(name))
    return load_scenario(str(path if path.is_absolute() else folder / path))


def _requests(asked: StressConfig, varied: Varied, points: Sequence[Point]) -> Iterator[GameRequest]:
    """The games, point by point. A scenario that several points share is pinned once."""
    faults: dict[str, tuple[str, Fault, int]] = {}
    known: dict[str, str] = {}
    made: dict[tuple[tuple[int, Any], ...], Scenario | None] = {}
    grounds = [number for number in range(len(asked.factors)) if varied.is_ground(number)]
    for point in points:
        key = tuple((number, point[number]) for number in grounds)
        if key not in made:
            try:
                made[key] = varied.scenario_at(point)
            except InputError as error:
                made[key] = None
                told = ", ".join(f"{asked.factors[number].title} = {level!r}" for number, level in key)
                alone = _alone(varied, point, grounds)
                for fault in error.faults:
                    alike = f"{fault.place} {_NUMBER.sub('0', fault.what)}"
                    if alone is not None:
                        what = ": ".join(part for part in (fault.place, fault.what) if part)
                        place = f"factors[{alone}].levels"
                        fault = msgspec.structs.replace(fault, what=what, file="", line=0, place=place)
                    first, shown, points_there = faults.get(alike, (told, fault, 0))
                    faults[alike] = (first, shown, points_there + 1)
        ground = made[key]
        if ground is None or faults:
            continue
        name = known.setdefault(ground.digest, f"{varied.scenario.name}.{len(known) + 1}")
        agents = varied.agents_at(point)
        for number in range(asked.games):
            yield GameRequest(ground, agents, asked.seed + number, name, round=number)
    if faults:
        raise InputError([*_told(faults)])


def _alone(varied: Varied, point: Point, grounds: Sequence[int]) -> int | None:
    """The factor whose level alone makes the scenario invalid; None if no single one does."""
    for number in grounds:
        try:
            varied.scenario_at(tuple(level if n == number else None for n, level in enumerate(point)))
        except InputError:
            return number
    return None


_NUMBER = re.compile(r"\d+(?:\.\d+)?")


def _told(faults: Mapping[str, tuple[str, Fault, int]]) -> Iterator[Fault]:
    """Faults of points; those that differ only in their numbers are reported once. `faults`: (the first point, its fault, the
    number of points)."""
    for told, fault, count in list(faults.values())[:TOLD]:
        more = f" (and at {count - 1} more point{'s' * (count > 2)} alike)" if count > 1 else ""
        yield msgspec.structs.replace(fault, what=f"at {told}{more}: {fault.what}")
    if len(faults) > TOLD:
        yield Fault(f"and {len(faults) - TOLD} more kinds of faults", "mend the first ones")
