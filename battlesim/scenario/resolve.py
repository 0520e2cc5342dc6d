"""Resolving the names of a scenario file on its map. Read `resolve` first.

This is the same for all rulesets. A force with a fault keeps its number, and its wrong value is left empty, so that the ruleset
can still check the rest of the file.
"""

from __future__ import annotations

from collections.abc import Sequence

from msgspec.structs import replace

from battlesim.board.board import Board
from battlesim.board.findings import Findings
from battlesim.board.yamlfaults import Loc
from battlesim.core.errors import did_you_mean
from battlesim.core.geometry import FACING_NAMES
from battlesim.rules.scenario import Force, Objective, Override, Scenario, SideInfo, Zone
from battlesim.scenario.file import (
    MAX_UNITS,
    Destroy,
    Exit,
    ForceSpec,
    Hold,
    ObjectiveSpec,
    ScenarioFile,
    Survive,
)
from battlesim.scenario.zones import spaces_in


def resolve(file: ScenarioFile, board: Board, found: Findings) -> Scenario:
    """The scenario of a file on its map; faults go into `found`. Digest, path and warnings are left to `load.py`."""
    return _Reader(file, board, found).scenario()


class _Reader:
    def __init__(self, file: ScenarioFile, board: Board, found: Findings) -> None:
        self.file, self.board, self.found = file, board, found
        self.groups: dict[str, list[int]] = {}
        self.unclear: set[str] = set()  # names of units whose side is unknown, which is fault enough
        """Units by name, and by the name that a group shares."""
        self.unit_names: set[str] = set()
        self.forces: list[Force] = []

    def scenario(self) -> Scenario:
        file = self.file
        names = [side.name for side in file.sides]
        if names[0] == names[1]:
            self.found.error(("sides", 1, "name"), f"both sides are called {names[1]!r}", "rename one")
        sides = (self._side(0), self._side(1))
        self._read_forces(names, sides)
        objectives = tuple(self._objective(i, spec, names) for i, spec in enumerate(file.objectives))
        self._check_goal_names(objectives)
        return Scenario(
            name=file.name,
            title=file.title or file.name,
            briefing=file.briefing.strip(),
            ruleset=file.ruleset,
            map=self.board.name,
            board=self.board,
            turns=file.turns,
            extra_turn=file.extra_turn,
            sides=sides,
            forces=tuple(self.forces),
            objectives=objectives,
            overrides=self._overrides(),
            margin=file.margin,
            options=file.options,
        )

    # ---- names on the map

    def _place(self, name: str, loc: Loc) -> int:
        """The number of a place that a unit can begin on or hold; -1 with a fault if there is none."""
        number = self.board.by_name.get(name, -1)
        if number < 0:
            known = [s.name for s in self.board.spaces if s.kind != "ruin"]
            what = f"map {self.board.name!r} has no place {name!r}"
            column, dot, row = name.partition(".")
            if dot and {column, row} <= {part for n in known if ":" not in n for part in n.split(".")}:
                what += ": it lies in a building or in deep water, or is cut off"
            self.found.error(loc, what, did_you_mean(name, known))
        elif self.board.spaces[number].kind == "ruin":
            self.found.error(loc, f"{name!r} is only there when its building has fallen", "name a floor")
            return -1
        return number

    def _places(self, names: Sequence[str] | None, loc: Loc) -> list[int]:
        found = [self._place(name, (*loc, i)) for i, name in enumerate(names or ())]
        return [number for number in found if number >= 0]

    def _sections(self, names: Sequence[str] | None, loc: Loc) -> list[int]:
        """The sections of buildings or single sections named, in the order named."""
        sections: dict[int, None] = {}
        for i, name in enumerate(names or ()):
            sections.update(dict.fromkeys(self._building(name, (*loc, i))))
        return list(sections)

    def _building(self, name: str, loc: Loc) -> tuple[int, ...]:
        board = self.board
        if name in board.buildings:
            return board.buildings[name]
        if name in board.section_by_name:
            return (board.section_by_name[name],)
        remedy = did_you_mean(name, [*board.buildings, *board.section_by_name])
        self.found.error(loc, f"map {board.name!r} has no building or section {name!r}", remedy)
        return ()

    def _overrides(self) -> tuple[Override, ...]:
        said: dict[int, Override] = {}
        for name, spec in self.file.buildings.items():
            for section in self._building(name, ("buildings", name)):
                before = said.get(section, Override(section))
                said[section] = Override(
                    section, before.closed or spec.closed, before.burning or spec.burning
                )
        return tuple(said[section] for section in sorted(said))

    # ---- sides and zones

    def _side(self, number: int) -> SideInfo:
        spec = self.file.sides[number]
        zones = []
        for name, zone in spec.zones.items():
            loc: Loc = ("sides", number, "zones", name)
            places = self._places(zone.places, (*loc, "places"))
            sections = self._sections(zone.buildings, (*loc, "buildings"))
            spaces = spaces_in(self.board, zone.corners, places, sections)
            if not spaces and zone.corners:
                self.found.error(loc, f"no place of the map lies in zone {name!r}", "enlarge or move it")
            zones.append(Zone(name, spaces))
        return SideInfo(spec.name, tuple(zones))

    def _side_number(self, name: str, names: Sequence[str], loc: Loc) -> int:
        if name in names:
            return names.index(name)
        self.found.error(loc, f"there is no side {name!r}", did_you_mean(name, names))
        return -1

    # ---- forces

    def _read_forces(self, names: Sequence[str], sides: tuple[SideInfo, SideInfo]) -> None:
        aboard: list[tuple[int, int, str]] = []  # force, entry, name of what carries it
        fallible = names[0] == names[1]  # then it is unclear whose units they are
        for entry, spec in enumerate(self.file.forces):
            loc: Loc = ("forces", entry)
            side = self._side_number(spec.side, names, (*loc, "side"))
            if side < 0:
                fallible = True
                numbered = (f"{spec.name} {n}" for n in range(1, min(spec.count, MAX_UNITS) + 1))
                self.unclear.update((spec.name or "", *(numbered if spec.count > 1 else ())))
                continue
            if len(self.forces) + spec.count > MAX_UNITS:
                what = f"the forces have more than {MAX_UNITS:,} units"
                self.found.error((*loc, "count"), what, "use fewer")
                return
            self._read_force(entry, spec, side, sides[side], aboard)
        self._board_transports(aboard)
        for number, name in enumerate(names):
            if not fallible and not any(force.side == number for force in self.forces):
                self.found.error(("forces",), f"side {name!r} has no units", "give it some")

    def _read_force(
        self,
        entry: int,
        spec: ForceSpec,
        side: int,
        info: SideInfo,
        aboard: list[tuple[int, int, str]],
    ) -> None:
        loc: Loc = ("forces", entry)
        place = self._place(spec.at, (*loc, "at")) if spec.at is not None else -1
        zone = spec.zone
        where: Loc = (*loc, "zone")
        if spec.reserve is not None:
            zone, where = spec.reserve.zone, (*loc, "reserve", "zone")
        if zone is not None and info.zone(zone) is None:
            known = [z.name for z in info.zones]
            what = f"side {info.name!r} has no zone {zone!r}"
            self.found.error(where, what, did_you_mean(zone, known))
            zone = None
        opening = -1
        if spec.opening is not None and place >= 0:
            opening = self._opening(place, spec.opening, (*loc, "opening"))
        for name in self._names(entry, spec, info):
            number = len(self.forces)
            self.forces.append(
                Force(
                    entry=entry,
                    side=side,
                    type=spec.type,
                    name=name,
                    quality=spec.quality or "",
                    models=spec.models or 0,
                    officer=-1 if spec.officer is None else spec.officer,
                    place=place,
                    zone=zone or "",
                    reserve=spec.reserve.turn if spec.reserve else 0,
                    edge=spec.reserve.edge[0] if spec.reserve and spec.reserve.edge else "",
                    opening=opening,
                    facing=FACING_NAMES.index(spec.facing) if spec.facing else -1,
                )
            )
            self.groups.setdefault(name, []).append(number)
            self.unit_names.add(name)
            if spec.aboard is not None:
                aboard.append((number, entry, spec.aboard))

    def _names(self, entry: int, spec: ForceSpec, info: SideInfo) -> list[str]:
        """The names of an entry's units: its own, numbered if there are several, or made of side and type."""
        start = len(self.forces)
        if spec.name is not None:
            base, names = spec.name, [f"{spec.name} {i + 1}" for i in range(spec.count)]
            if spec.count == 1:
                names = [base]
        else:
            alike = [f for f in self.file.forces if (f.side, f.type) == (spec.side, spec.type)]
            nameless = [f.count for f in alike if f.name is None]
            base = f"{info.name} {spec.type.replace('_', ' ')}"
            before = sum(
                f.count
                for f in self.file.forces[:entry]
                if (f.side, f.type, f.name) == (spec.side, spec.type, None)
            )
            names = [f"{base} {before + i + 1}" for i in range(spec.count)]
            if sum(nameless) == 1:
                names = [base]
        for name in names:
            if name in self.unit_names:
                self._same_name(entry, f"two units are called {name!r}")
            elif name in self.groups:
                self._same_name(entry, f"a unit and a group of units are both called {name!r}")
        if base not in names:
            if base in self.unit_names:
                self._same_name(entry, f"a unit and a group of units are both called {base!r}")
            self.groups.setdefault(base, []).extend(range(start, start + spec.count))
        return names

    def _same_name(self, entry: int, what: str) -> None:
        self.found.error(("forces", entry, "name"), what, "give each a name of its own")

    def _opening(self, place: int, wanted: str | int, loc: Loc) -> int:
        """The opening of a floor that a word or number means; if several are on one side, the middle one."""
        board, space = self.board, self.board.spaces[place]
        if space.kind != "floor":
            self.found.error(loc, f"{space.name!r} has no openings", "leave opening out, or begin inside")
            return -1
        section = board.sections[space.section]
        numbers = section.openings[space.floor]
        if isinstance(wanted, int):
            if wanted < len(numbers):
                return numbers[wanted]
            what = f"{space.name!r} has no opening {wanted}"
            self.found.error(loc, what, f"it has {len(numbers)}, numbered from 0")
            return -1
        facing = FACING_NAMES.index(wanted)
        fitting = [n for n in numbers if section.sides[board.openings[n].side].facing == facing]
        if fitting:
            return fitting[len(fitting) // 2]
        facings = {section.sides[board.openings[n].side].facing for n in numbers}
        there = ", ".join(FACING_NAMES[f] for f in sorted(facings))
        remedy = f"it has some to the {there}" if there else "it has none at all"
        self.found.error(loc, f"{space.name!r} has no opening to the {wanted}", remedy)
        return -1

    def _board_transports(self, aboard: Sequence[tuple[int, int, str]]) -> None:
        riding = {number for number, _, _ in aboard}
        for number, entry, name in aboard:
            loc: Loc = ("forces", entry, "aboard")
            force = self.forces[number]
            carriers = [n for n in self.groups.get(name, ()) if self.forces[n].name == name]
            if name in self.unclear:
                continue
            if not carriers:
                known = [f.name for f in self.forces if f.side == force.side]
                self.found.error(loc, f"there is no unit {name!r}", did_you_mean(name, known))
                continue
            carrier = self.forces[carriers[0]]
            if carrier.side != force.side:
                self.found.error(loc, f"{name!r} belongs to the other side", "name a unit of its own side")
            elif carriers[0] in riding:
                self.found.error(loc, f"{name!r} is itself aboard a unit", "name the unit that carries both")
            else:
                self.forces[number] = replace(force, aboard=carriers[0])

    # ---- objectives

    def _units(self, names: Sequence[str] | None, loc: Loc) -> list[int]:
        units: dict[int, None] = {}
        for i, name in enumerate(names or ()):
            if name not in self.groups and name not in self.unclear:
                remedy = did_you_mean(name, self.groups)
                self.found.error((*loc, i), f"there is no unit {name!r}", remedy)
            units.update(dict.fromkeys(self.groups.get(name, ())))
        return list(units)

    def _objective(self, number: int, spec: ObjectiveSpec, names: Sequence[str]) -> Objective:
        loc: Loc = ("objectives", number)
        side = -1 if spec.side is None else self._side_number(spec.side, names, (*loc, "side"))
        if isinstance(spec, Hold):
            places = dict.fromkeys(self._places(spec.places, (*loc, "places")))
            for section in self._sections(spec.buildings, (*loc, "buildings")):
                house = self.board.sections[section]
                places.update(dict.fromkeys((*house.spaces, house.ruin)))
            what = ", ".join((*(spec.places or ()), *(spec.buildings or ())))
            return Objective(
                "hold", spec.name or f"hold {what}", spec.points, side, places=tuple(sorted(places))
            )
        if isinstance(spec, Exit):
            units = self._units(spec.units, (*loc, "units"))
            self._own_units(units, side, spec, loc)
            title = spec.name or f"break through to the {spec.edge}"
            return Objective("exit", title, spec.points, side, units=tuple(units), edge=spec.edge[0])
        if isinstance(spec, Destroy) and spec.buildings:
            sections = sorted(self._sections(spec.buildings, (*loc, "buildings")))
            title = spec.name or f"destroy {', '.join(spec.buildings)}"
            return Objective("destroy", title, spec.points, side, sections=tuple(sections))
        units = self._units(spec.units, (*loc, "units"))
        owner = self._one_side(units, loc)
        meant = owner if isinstance(spec, Survive) else 1 - owner
        if owner >= 0 and spec.side is not None and side >= 0 and side != meant:
            what = f"side {spec.side!r} cannot score for {spec.kind} with units of side {names[owner]!r}"
            self.found.error((*loc, "side"), what, "leave side out")
        title = spec.name or f"{spec.kind} {', '.join(spec.units or ())}"
        return Objective(spec.kind, title, spec.points, meant if owner >= 0 else -1, units=tuple(units))

    def _check_goal_names(self, goals: Sequence[Objective]) -> None:
        """Two objectives that the same side can score need different names, since stories and tables tell them apart by name. One
        objective of each side may have the same name. So may objectives without a name of their own in the file."""
        wrong: set[int] = set()
        for later, goal in enumerate(goals):
            for earlier, other in enumerate(goals[:later]):
                if goal.name == other.name and (goal.side == other.side or -1 in (goal.side, other.side)):
                    given = [number for number in (later, earlier) if self.file.objectives[number].name]
                    wrong.update(given[:1])
        for number in sorted(wrong):
            what = f"two objectives are called {goals[number].name!r}"
            remedy = "give each a name of its own; only objectives of different sides may share a name"
            self.found.error(("objectives", number, "name"), what, remedy)

    def _one_side(self, units: Sequence[int], loc: Loc) -> int:
        sides = {self.forces[number].side for number in units}
        if len(sides) > 1:
            self.found.error((*loc, "units"), "the units belong to both sides", "make it two objectives")
        return self.forces[units[0]].side if len(sides) == 1 else -1

    def _own_units(self, units: Sequence[int], side: int, spec: Exit, loc: Loc) -> None:
        for number in units:
            if side >= 0 and self.forces[number].side != side:
                what = f"{self.forces[number].name!r} is not a unit of side {spec.side!r}"
                self.found.error((*loc, "units"), what, "name units of that side")
                return
