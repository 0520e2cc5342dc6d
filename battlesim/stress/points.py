"""The scenario and the agents at a point of a design. Read `Varied`."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from typing import Any

import msgspec
from msgspec.structs import replace
from pydantic import BaseModel, ValidationError

from battlesim.board.board import Board
from battlesim.board.mapfile import Feature, OpeningSpec
from battlesim.core.errors import Fault, InputError
from battlesim.engine.roster import agent_keywords, find_agent
from battlesim.rules.scenario import Scenario
from battlesim.rulesets.finder import find_ruleset
from battlesim.scenario.changes import APPEND, changed_board, with_changes
from battlesim.scenario.load import first_state
from battlesim.search.outlook import parameters
from battlesim.stress.config import Factor, Level
from battlesim.stress.designs import Point
from battlesim.stress.map_paths import joined_sections, section_of, stairs_of
from battlesim.stress.path_steps import Place
from battlesim.stress.paths import find_places

Change = tuple[tuple[str | int, ...], Any]
DEFAULTS = {"margin": 1, "points": 1, "count": 1, "extra_turn": False, "closed": False, "burning": False}
"""The defaults of a scenario."""
MAP_DEFAULTS = {
    "floors": 1,
    "flat_roof": False,
    "closed": False,
    "burning": False,
    "material": "brick",
    "kind": "house",
}
"""The defaults of a building of a map, or of its sections."""
STOREY = 300
"""The default height of a storey, in hundredths."""
STOREYS = ("floors", "flat_roof")
"""What says how many floors a section has."""
QUALITY = "regular"
"""The default quality of a unit, under the rulebooks that have qualities."""
BOARDS = 64
"""How many changed maps are kept."""


class Varied:
    """A scenario with factors. Raises InputError with every factor that names nothing, or whose new entry is wrong."""

    def __init__(self, scenario: Scenario, agents: tuple[str, str], factors: Sequence[Factor]) -> None:
        self.scenario, self.agents, self.factors = scenario, agents, tuple(factors)
        self.places: list[list[Place]] = []
        self._entries: list[dict[str, Any]] = []
        self._boards: dict[tuple[Any, ...], Board] = {}
        faults: list[Fault] = []
        for number, factor in enumerate(factors):
            try:
                found = [place for path in factor.paths for place in find_places(scenario, path)]
                self._entries.append(_entry(factor, found))
                self.places.append(found)
            except InputError as error:
                faults += [replace(fault, place=f"factors[{number}].path") for fault in error.faults]
        faults += self._contradictions() if not faults else []
        if faults:
            raise InputError(faults)

    def _contradictions(self) -> list[Fault]:
        """Places that two factors set: only one of them could take effect."""
        taken: dict[tuple[Any, ...], Factor] = {}
        faults = []
        for number, (factor, places) in enumerate(zip(self.factors, self.places, strict=True)):
            for place in places:
                if place.action == "add":
                    continue  # two factors may each add their own
                key = (place.target, place.action, place.steps)
                other = taken.setdefault(key, factor)
                if other is not factor:
                    what = f"the factors {other.title!r} and {factor.title!r} contradict: both set {_path(place)}"
                    remedy = "leave one of them out, or give paths that do not overlap"
                    faults.append(Fault(what, remedy, place=f"factors[{number}].path"))
                    break
        return faults

    def is_ground(self, factor: int) -> bool:
        """Whether a factor changes the scenario; else it changes agents alone."""
        return self.places[factor][0].target != "agent"

    def scenario_at(self, point: Point) -> Scenario:
        """The scenario at a point. Raises InputError if it is invalid."""
        of_map, of_scenario = self._changes(point, "map"), self._changes(point, "scenario")
        base = self.scenario
        if of_map:
            key = tuple((steps, repr(value)) for steps, value in of_map)
            board = self._boards.get(key)
            if board is None:
                if len(self._boards) >= BOARDS:
                    self._boards.pop(next(iter(self._boards)))
                board = self._boards[key] = changed_board(base.board, of_map)
            base = replace(base, board=board)
        return with_changes(base, of_scenario)

    def _changes(self, point: Point, target: str) -> list[Change]:
        """The changes to the map or to the scenario, in an order in which none moves the place of another."""
        sets: list[Change] = []
        adds: list[Change] = []
        gone: list[tuple[str | int, ...]] = []
        joined: dict[tuple[str, str], bool] = {}
        climbs: dict[tuple[str | int, ...], dict[int, bool]] = {}
        built: dict[tuple[str | int, ...], dict[str, Level | None]] = {}
        for places, entry, level in zip(self.places, self._entries, point, strict=True):
            for place in places if level is not None else ():
                if place.target != target:
                    continue
                if place.action == "add":
                    adds += [((*place.steps, APPEND), {**dict(place.fixed), **entry})] * int(level or 0)
                elif place.action == "keep" and not level:
                    gone.append(place.steps)
                elif place.action == "join":
                    joined[(str(place.steps[0]), str(place.steps[1]))] = bool(level)
                elif place.action == "climb":
                    climbs.setdefault(place.steps[:-2], {})[int(place.steps[-1])] = bool(level)
                elif place.action == "set":
                    sets.append((place.steps, _hundredths(level) if place.length else level))
                    if target == "map" and place.steps[-1] in STOREYS and "openings" not in place.steps:
                        built.setdefault(place.steps[:-1], {})[str(place.steps[-1])] = level
        last_first = sorted(
            set(gone), key=lambda steps: [s for s in steps if isinstance(s, int)], reverse=True
        )
        sets += self._flights(climbs, built)
        return [*sets, *_connections(self.scenario, joined), *adds, *((steps, None) for steps in last_first)]

    def _flights(
        self,
        climbs: Mapping[tuple[str | int, ...], Mapping[int, bool]],
        built: Mapping[tuple[str | int, ...], Mapping[str, Level | None]],
    ) -> Iterable[Change]:
        """The stairs of sections in which stairs (`climbs`, by floor) or floors (`built`) are varied. Stairs go with floors:
        those to a floor that is gone are gone, and they lead up to a new one."""
        for at in dict.fromkeys([*climbs, *built]):
            table: Any = json.loads(self.scenario.board.source)
            names = []
            for step in at:
                table = table[step]
                names += [table["name"]] if isinstance(step, int) else []
            if at not in climbs and "stairs" not in table:
                continue  # every floor but the top one has stairs, however many there are
            section = section_of(self.scenario, ".".join(names))
            floors, roof = ({**table, **built.get(at, {})}.get(name, MAP_DEFAULTS[name]) for name in STOREYS)
            if not isinstance(floors, int):
                continue  # the map's check says so
            top, top_now = floors - (not roof), len(self.scenario.board.sections[section].spaces) - 1
            there = {floor for floor in stairs_of(self.scenario, section) if floor < top}
            there |= set(range(top_now, top))
            for floor, leads_up in climbs.get(at, {}).items():
                (there.add if leads_up else there.discard)(floor)
            yield (*at, "stairs"), sorted(there)

    def agents_at(self, point: Point) -> tuple[str, str]:
        """The agents at a point, with parameters set."""
        names = {side.name: agent for side, agent in zip(self.scenario.sides, self.agents, strict=True)}
        settings: dict[str, dict[str, Level]] = {side: {} for side in names}
        for found, level in zip(self.places, point, strict=True):
            for place in found:
                if place.target != "agent" or level is None:
                    continue
                side = str(place.steps[0])
                if len(place.steps) == 1:
                    names[side] = str(level)
                else:
                    settings[side][str(place.steps[1])] = level
        one, two = (_with_settings(name, settings[side]) for side, name in names.items())
        return one, two

    def usual(self, factor: int) -> Any:
        """The value at a factor's places in the unchanged scenario: its default where none is written. None if there is none, or
        if the places differ."""
        first, *others = [self._usual_at(place) for place in self.places[factor]]
        return first if all(other == first for other in others) else None

    def _usual_at(self, place: Place) -> Any:
        if place.target == "agent":
            return self._usual_of_agent(*map(str, place.steps))
        if place.action != "set":
            if place.action == "join":
                return (place.steps[0], place.steps[1]) in joined_sections(self.scenario)
            if place.action == "climb":
                return place.steps[-1] in stairs_of(self.scenario, int(dict(place.fixed)["section"]))
            return place.action == "keep" or 0
        source = self.scenario.board.source if place.target == "map" else self.scenario.source
        here: Any = json.loads(source)
        if place.steps == ("turns",):
            return self.scenario.turns
        for step in place.steps:
            here = here.get(step) if isinstance(here, dict) else here[step]
            if here is None:
                return (self._default if place.target == "scenario" else self._default_of_map)(place.steps)
        return here / 100 if place.length else here

    def _default(self, steps: Sequence[str | int]) -> Any:
        """What a key of the scenario means where it is not written; None if that depends on more than the key."""
        name = steps[-1]
        if steps[0] == "options":
            return option_defaults(self.scenario).get(str(steps[1])) if len(steps) == 2 else None
        if name == "quality" and QUALITY in find_ruleset(self.scenario.ruleset).qualities:
            return QUALITY
        # Units begin at full strength.
        if steps[0] == "forces" and name == "models":
            begun = first_state(self.scenario, 1).units
            return next(
                (
                    begun[at].models
                    for at, force in enumerate(self.scenario.forces)
                    if force.entry == steps[1]
                ),
                None,
            )
        return DEFAULTS.get(str(name))

    def _default_of_map(self, steps: Sequence[str | int]) -> Any:
        """What a key of a building or section of the map means where it is not written: what its building says, or the default.
        None for a key of anything else."""
        *above, name = steps
        if (
            above[0] != "buildings"
            or len(above) not in (2, 4)
            or isinstance(name, int)
            or "openings" in above
        ):
            return None
        table = json.loads(self.scenario.board.source)
        if name == "storey":
            return table.get(name, STOREY) / 100
        return table["buildings"][steps[1]].get(name, MAP_DEFAULTS.get(name))

    def _usual_of_agent(self, side: str, parameter: str = "") -> Any:
        """The agent of a side, or the value of its parameter: as given, or its default. None if it has no such parameter, or no
        default for it."""
        agent = self.agents[[one.name for one in self.scenario.sides].index(side)]
        if not parameter:
            return agent
        name, _, words = agent.partition(",")
        given = dict(word.partition("=")[::2] for word in words.split(","))
        if parameter in given:
            return _number(given[parameter])
        keyword = agent_keywords(name)[1].get(parameter)
        if keyword is not None:
            return None if keyword.default is keyword.empty else keyword.default
        # Greedy judges by the rulebook's defaults, and so does doctrine in all that its character does not set.
        if name not in ("greedy", "doctrine"):
            return None
        of_character: Any = getattr(find_agent(agent).make(), "settings_for", None)
        default = {one.name: one.default for one in parameters(self.scenario.ruleset)}
        return {**default, **(of_character(self.scenario.ruleset) if of_character else {})}.get(parameter)


def option_defaults(scenario: Scenario) -> dict[str, Any]:
    """The options of a scenario's rulebook with their defaults, by name; None for one without."""
    record = find_ruleset(scenario.ruleset).options
    return {
        field.encode_name: None if field.default is msgspec.NODEFAULT else field.default
        for field in (() if record is None else msgspec.structs.fields(record))
    }


def _with_settings(agent: str, settings: Mapping[str, Level]) -> str:
    """An agent with some parameters set, in place of those given in its name."""
    name, *words = agent.split(",")
    kept = [word for word in words if word.partition("=")[0] not in settings]
    return ",".join([name, *kept, *(f"{parameter}={level}" for parameter, level in settings.items())])


def _number(text: str) -> Any:
    """A parameter as it stands in an agent's name: a number if it is one."""
    for kind in (int, float):
        with suppress(ValueError):
            return kind(text)
    return text


def _path(place: Place) -> str:
    """A place as in the file: `forces[0].quality`."""
    return "".join(f"[{step}]" if isinstance(step, int) else f".{step}" for step in place.steps)[1:]


def _hundredths(level: Level | None) -> Level | None:
    """A length in the map's unit as whole hundredths; words are unchanged."""
    return round(level * 100) if isinstance(level, (int, float)) and not isinstance(level, bool) else level


_ENTRIES: Mapping[str, type[BaseModel]] = {"openings": OpeningSpec, "terrain": Feature}
"""Entries of a map whose lengths are in the map's unit, while the changed map has hundredths."""


def _entry(factor: Factor, places: Sequence[Place]) -> dict[str, Any]:
    """The new entry of a factor that adds one. Raises InputError if it is missing, out of place or wrong."""
    adds = [place for place in places if place.action == "add"]
    if not adds:
        if factor.entry is not None:
            remedy = "end its path in [+], or leave entry out"
            raise InputError(Fault(f"the factor {factor.title!r} has an entry and adds nothing", remedy))
        return {}
    if factor.entry is None:
        remedy = "give entry = {...}, as it would stand in the file"
        raise InputError(Fault(f"the factor {factor.title!r} adds something and does not say what", remedy))
    model = _ENTRIES.get(str(adds[0].steps[-1]))
    if model is None:
        return dict(factor.entry)
    try:
        return model.model_validate(factor.entry).model_dump(mode="json", exclude_defaults=True)
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        what = f"the factor {factor.title!r}: entry {'.'.join(map(str, first['loc']))}: {first['msg']}"
        raise InputError(Fault(what, "write it as in a map's file")) from None


def _connections(scenario: Scenario, wanted: Mapping[tuple[str, str], bool]) -> Iterable[Change]:
    """The connections of buildings written out, with some pairs of sections joined and others parted."""
    if not wanted:
        return
    board = scenario.board
    for number, building in enumerate(json.loads(board.source).get("buildings", [])):
        start = f"{building['name']}."
        here = {
            (one.removeprefix(start), other.removeprefix(start)): join
            for (one, other), join in wanted.items()
            if board.sections[board.section_by_name[one]].building == building["name"]
        }
        if not here:
            continue
        listed = building.get("connections", "all")
        if listed == "all":
            inside = [pair for pair in joined_sections(scenario) if pair[0].startswith(start)]
            listed = [{"between": [name.removeprefix(start) for name in pair]} for pair in inside]
        kept = [entry for entry in listed if not _is_among(entry["between"], here)]
        new = [{"between": list(pair)} for pair, join in here.items() if join]
        as_it_was = [entry for entry in listed if here.get(_pair(entry["between"], here))]
        already = [_pair(entry["between"], here) for entry in as_it_was]
        new = [entry for entry in new if tuple(entry["between"]) not in already]
        yield ("buildings", number, "connections"), [*kept, *as_it_was, *new]


def _pair(between: Sequence[str], known: Mapping[tuple[str, str], bool]) -> tuple[str, str]:
    """Two sections in their known order."""
    one, other = between
    return (one, other) if (one, other) in known else (other, one)


def _is_among(between: Sequence[str], known: Mapping[tuple[str, str], bool]) -> bool:
    return _pair(between, known) in known
