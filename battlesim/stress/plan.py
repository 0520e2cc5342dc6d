"""From a stress test as asked for to a run: every point made a scenario, checked, and given its games. Read `resolve_stress`.

A point of the design is the scenario with its factors set. Points that are no sound scenario are told before any game is
played. All points meet the same dice: game n of each is played under the same seed, so that what a factor does not touch
rolls alike, and a difference between two points is not lost in the luck of both.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import msgspec
from msgspec import Struct

from battlesim.batch.export import More
from battlesim.batch.lists import KIND, GameRequest, ResolvedList, resolve_games
from battlesim.core.errors import Fault, InputError
from battlesim.core.files import write_file
from battlesim.jobs.folder import RunFolder
from battlesim.rules.scenario import Scenario
from battlesim.scenario.changes import with_changes, with_map_changes
from battlesim.scenario.load import load_scenario, scenario_path, shipped_scenarios
from battlesim.stress.config import StressConfig
from battlesim.stress.designs import Point, points_of
from battlesim.stress.paths import Place, find_places

DESIGN = "design.json"
"""The file of a run's folder that says which point each game belongs to."""
TOLD = 10
"""Unsound points that are told."""


class Design(Struct, frozen=True):
    """The design of a run. Game number n belongs to point n // games; its seed is that of game n % games of every point."""

    scenario: str
    sides: tuple[str, str]
    design: str
    factors: tuple[str, ...]
    paths: tuple[tuple[str, ...], ...]
    usual: tuple[Any, ...]
    """What each factor's first place has in the scenario as it is."""
    points: tuple[Point, ...]
    games: int

    def point_of(self, number: int) -> int:
        """The point that a game belongs to."""
        return number // self.games


def resolve_stress(asked: StressConfig, folder: Path | None = None) -> tuple[Design, ResolvedList]:
    """Settle a stress test: its design and its list of games. Files count from `folder`. Raises InputError with every fault:
    paths that name nothing, points that are no sound scenario, designs that are too large."""
    scenario = _load(asked.scenario, folder)
    places: list[list[Place]] = []
    faults: list[Fault] = []
    for factor in asked.factors:
        try:
            places.append([place for path in factor.paths for place in find_places(scenario, path)])
        except InputError as error:
            faults += error.faults
    if faults:
        raise InputError(faults)
    points = points_of(asked)
    requests = list(_requests(asked, scenario, places, points))
    design = Design(
        scenario.name,
        (scenario.sides[0].name, scenario.sides[1].name),
        asked.design,
        tuple(factor.title for factor in asked.factors),
        tuple(factor.paths for factor in asked.factors),
        tuple(_usual(asked, scenario, found[0]) for found in places),
        tuple(points),
        asked.games,
    )
    return design, resolve_games(asked.name, requests, asked.limits, folder=folder, measures=True)


def begin(path: Path, design: Design, resolved: ResolvedList, asked: bytes, suffix: str) -> RunFolder:
    """A new run's folder, with nothing played yet. Raises InputError where it exists or cannot be made."""
    run = RunFolder.create(path, msgspec.to_builtins(resolved), asked, suffix)
    write_file(run.path / DESIGN, msgspec.json.encode(design), "the design")
    return run


def design_of(run: RunFolder) -> Design:
    """The design of a run. Raises InputError where it has none, or it is damaged."""
    file = run.path / DESIGN
    try:
        return msgspec.json.decode(file.read_bytes(), type=Design)
    except FileNotFoundError:
        what = "this run is no stress test"
        raise InputError(Fault(what, "name a run that `battlesim stress` began", str(run.path))) from None
    except (OSError, msgspec.DecodeError, msgspec.ValidationError) as error:
        what = f"the design cannot be read: {error}"
        raise InputError(Fault(what, "restore it from a copy, or begin a new run", str(file))) from None


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


def _load(name: str, folder: Path | None) -> Scenario:
    if name in shipped_scenarios() or folder is None:
        return load_scenario(name)
    path = Path(scenario_path(name))
    return load_scenario(str(path if path.is_absolute() else folder / path))


def _requests(
    asked: StressConfig, scenario: Scenario, places: Sequence[Sequence[Place]], points: Sequence[Point]
) -> Iterator[GameRequest]:
    """The games, point by point. A scenario that several points share is pinned once."""
    faults: list[Fault] = []
    known: dict[str, str] = {}
    made: dict[tuple[tuple[int, Any], ...], Scenario | None] = {}
    grounds = [number for number, found in enumerate(places) if found[0].target != "agent"]
    for point in points:
        key = tuple((number, point[number]) for number in grounds)
        if key not in made:
            try:
                made[key] = _changed(scenario, places, point)
            except InputError as error:
                made[key] = None
                told = ", ".join(f"{asked.factors[number].title} = {level!r}" for number, level in key)
                faults += [
                    msgspec.structs.replace(fault, what=f"at {told}: {fault.what}") for fault in error.faults
                ]
        ground = made[key]
        if ground is None or faults:
            continue
        name = known.setdefault(ground.digest, f"{scenario.name}.{len(known) + 1}")
        agents = _agents(asked, scenario, places, point)
        for number in range(asked.games):
            yield GameRequest(ground, agents, asked.seed + number, name, round=number)
    if len(faults) > TOLD:
        more = Fault(f"and {len(faults) - TOLD} more points or faults like these", "mend the first ones")
        faults = [*faults[:TOLD], more]
    if faults:
        raise InputError(faults)


def _changed(scenario: Scenario, places: Sequence[Sequence[Place]], point: Point) -> Scenario:
    """The scenario at a point. Raises InputError where it is unsound."""
    of_map: dict[Any, Any] = {}
    of_scenario: dict[Any, Any] = {}
    for found, level in zip(places, point, strict=True):
        for place in found:
            if level is not None and place.target == "map":
                of_map[place.steps] = level
            elif level is not None and place.target == "scenario":
                of_scenario[place.steps] = level
    changed = with_map_changes(scenario, of_map) if of_map else scenario
    return with_changes(changed, of_scenario)


def _agents(
    asked: StressConfig, scenario: Scenario, places: Sequence[Sequence[Place]], point: Point
) -> tuple[str, str]:
    """Who plays at a point, parameters set."""
    names = {side.name: agent for side, agent in zip(scenario.sides, asked.agents, strict=True)}
    settings: dict[str, list[str]] = {side: [] for side in names}
    for found, level in zip(places, point, strict=True):
        for place in found:
            if place.target != "agent" or level is None:
                continue
            side = str(place.steps[0])
            if len(place.steps) == 1:
                names[side] = str(level)
            else:
                settings[side].append(f"{place.steps[1]}={level}")
    one, two = (",".join([name, *settings[side]]) for side, name in names.items())
    return one, two


def _usual(asked: StressConfig, scenario: Scenario, place: Place) -> Any:
    """What stands at a place in the scenario as it is; None where nothing does."""
    if place.target == "agent":
        sides = [side.name for side in scenario.sides]
        return asked.agents[sides.index(str(place.steps[0]))] if len(place.steps) == 1 else None
    here: Any = msgspec.json.decode(scenario.board.source if place.target == "map" else scenario.source)
    for step in place.steps:
        here = here.get(step) if isinstance(here, dict) else here[step]
        if here is None:
            return None
    return here
