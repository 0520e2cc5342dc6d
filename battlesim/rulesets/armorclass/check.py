"""What the rules forbid of a map and a scenario (AC-TYPE, AC-HOUSE-DATA). Read `check`; each fault says where it stands and what
would do.
"""

from __future__ import annotations

import msgspec

from battlesim.board.board import Board
from battlesim.board.model import Section
from battlesim.core.errors import Fault, did_you_mean
from battlesim.rules.forces import Force, Scenario, needs_inches
from battlesim.rulesets.armorclass import deploy, works
from battlesim.rulesets.armorclass.data import QUALITIES, ROOFS, TYPES, WALLS, WEAPONS, WEATHER, UnitType
from battlesim.rulesets.armorclass.fire import penetrates_on
from battlesim.rulesets.armorclass.options import (
    DAMAGE,
    FIELDWORKS,
    FieldworkSpec,
    OptionsSpec,
    read_options,
    sections_named,
)


def check(scenario: Scenario, board: Board) -> list[Fault]:
    """Everything the rules have against a scenario, every fault at once; `place` says where in its file."""
    faults = needs_inches(board) + check_map(board)
    faults += _check_options(scenario, board)
    for number, force in enumerate(scenario.forces):
        kind = TYPES.get(force.type)
        first = number == 0 or scenario.forces[number - 1].entry != force.entry
        if kind is None:
            if first:
                what = f"armorclass has no unit type {force.type!r}"
                faults.append(_at(force, "type", what, did_you_mean(force.type, TYPES)))
            continue
        if first:
            faults += _check_force(scenario, force, kind)
        faults += _check_place(scenario, force, kind)
    faults += _check_room(scenario)
    for number, goal in enumerate(scenario.objectives):
        if goal.kind == "destroy" and goal.sections and goal.side < 0:
            faults.append(
                _fault(f"objectives[{number}]", "nobody is named to score for the buildings", "add side")
            )
        if goal.kind == "exit" and not any(goal.edge in space.edge for space in board.spaces):
            what = "no place of the map lies on that edge"
            faults.append(_fault(f"objectives[{number}].edge", what, "name another"))
    return faults + _check_arms(scenario)


def _fault(place: str, what: str, remedy: str = "", level: str = "error") -> Fault:
    return Fault(what, remedy, place=place, level=level)


def _at(force: Force, key: str, what: str, remedy: str = "") -> Fault:
    return _fault(f"forces[{force.entry}].{key}", what, remedy)


def check_map(board: Board) -> list[Fault]:
    """The `armour` tables of the map: known keys and materials, bunkers without slits, tunnels that lead somewhere."""
    faults = []
    for section in board.sections:
        table = section.own.get("armour", {})
        try:
            spec = works.read_spec(table)
        except msgspec.ValidationError as error:
            faults.append(
                _fault("map", f"section {section.name!r}: own.armour is wrong: {error}", "mend the map")
            )
            continue
        said = [("type", spec.type, works.TYPES), ("wall", spec.wall, WALLS), ("roof", spec.roof, ROOFS)]
        for key, value, known in said:
            if value and value not in known:
                what = f"section {section.name!r}: own.armour.{key} {value!r} is unknown"
                faults.append(_fault("map", what, did_you_mean(value, known)))
                return faults
        slits = [
            n for floor in section.openings for n in floor if board.openings[n].kind in ("slit", "window")
        ]
        if spec.type == "bunker" and slits:
            what = f"section {section.name!r}: a bunker has no firing slits or windows"
            faults.append(_fault("map", what, "make it a pillbox"))
        if works.make_of(board, section.id).type == "bunker":
            faults += _check_bunker(board, section, spec)
        if spec.type == "pillbox" and not slits:
            what = f"section {section.name!r}: a pillbox has firing slits"
            faults.append(_fault("map", what, "give it slits, or make it a bunker"))
        if len(works.make_of(board, section.id).tunnels) < len(spec.tunnels):
            what = f"section {section.name!r}: a tunnel leads nowhere: {', '.join(spec.tunnels)}"
            faults.append(_fault("map", what, "name sections of the map"))
    return faults


BUNKER_WALLS = (
    "concrete",
    "reinforced_concrete",
    "earthen_embankment",
    "sandbags",
    "logs",
    "timber_heavy",
)
"""What a bunker may be built of, unless it is armour: permanent of concrete, in the field of earth, sandbags and timber."""
BUNKER_ROOFS = ("reinforced_concrete",)


def _check_bunker(board: Board, section: Section, spec: works.Spec) -> list[Fault]:
    """A bunker is a shelter of one floor, heavily built, under complete overhead cover, usually with one entrance (AC-TYPE-3)."""
    faults = []
    where = f"section {section.name!r}: a bunker"
    if len(section.spaces) > 1:
        faults.append(_fault("map", f"{where} has one floor and no flat roof", "make it a pillbox"))
    for key, value, fit in (("wall", spec.wall, BUNKER_WALLS), ("roof", spec.roof, BUNKER_ROOFS)):
        if value and value not in fit:
            remedy = f"leave {key} out, or give {' or '.join(fit)}"
            faults.append(_fault("map", f"{where} has no {key} of {value}", remedy))
    doors = sum(board.openings[n].kind in ("door", "gap") for floor in section.openings for n in floor)
    if doors > 1:
        what = f"{where} usually has one entrance, this has {doors}"
        faults.append(_fault("map", what, "leave some out, or let it be so", "warning"))
    return faults


def _check_options(scenario: Scenario, board: Board) -> list[Fault]:
    try:
        options = read_options(scenario)
    except msgspec.ValidationError as error:
        known = ", ".join(OptionsSpec.__struct_fields__)
        return [_fault("options", f"{error}", f"armorclass knows {known}")]
    faults = []
    damage = options.damage
    if damage not in DAMAGE:
        faults.append(_fault("options.damage", f"damage {damage!r} is unknown", did_you_mean(damage, DAMAGE)))
    if options.collapse and damage not in ("1", "2", "3"):
        what = "the collapse check needs structure points"
        faults.append(_fault("options.collapse", what, "give damage: 1, 2 or 3"))
    if not 0 <= options.points <= 1000 or (options.points and damage not in ("1", "2", "3")):
        what = f"points {options.points} are of no use"
        faults.append(_fault("options.points", what, "give 1 to 1000, and damage: 1, 2 or 3"))
    if options.weather not in WEATHER:
        what = f"weather {options.weather!r} is unknown"
        faults.append(_fault("options.weather", what, did_you_mean(options.weather, WEATHER)))
    if not (2 <= options.spread <= 10 and 2 <= options.wind_spread <= 10 and 1 <= options.every <= 10):
        faults.append(_fault("options", "a fire grows to 2 to 10 times its size every 1 to 10 turns"))
    if not options.fires and any(scenario.is_burning(s.id) for s in board.sections):
        faults.append(
            _fault("options.fires", "a building burns, but the battle has no fires", "add fires: true")
        )
    seen: list[int] = []
    for number, work in enumerate(options.fieldworks):
        faults += _check_work(board, number, work, seen)
    for number, keep in enumerate(options.keep):
        names = [side.name for side in scenario.sides]
        if keep.side not in names:
            what = f"there is no side {keep.side!r}"
            faults.append(_fault(f"options.keep[{number}].side", what, did_you_mean(keep.side, names)))
        for name in keep.buildings:
            if not sections_named(board, name):
                remedy = did_you_mean(name, [*board.buildings, *board.section_by_name])
                faults.append(
                    _fault(f"options.keep[{number}].buildings", f"there is no building {name!r}", remedy)
                )
    return faults


def _check_work(board: Board, number: int, work: FieldworkSpec, seen: list[int]) -> list[Fault]:
    where = f"options.fieldworks[{number}]"
    faults = []
    if work.kind not in FIELDWORKS:
        what = f"field work {work.kind!r} is unknown"
        faults.append(_fault(f"{where}.kind", what, did_you_mean(work.kind, FIELDWORKS)))
    for key, value in (("cover", work.cover), ("wall", work.wall)):
        if value and value not in WALLS:
            faults.append(
                _fault(f"{where}.{key}", f"material {value!r} is unknown", did_you_mean(value, WALLS))
            )
    if not 0 <= work.points <= 1000:
        what = f"points {work.points} are of no use"
        faults.append(_fault(f"{where}.points", what, "give 1 to 1000"))
    for name in work.at:
        place = board.by_name.get(name, -1)
        if place < 0 or board.spaces[place].kind != "ground":
            ground = [s.name for s in board.spaces if s.kind == "ground"]
            faults.append(_fault(f"{where}.at", f"{name!r} is no open ground", did_you_mean(name, ground)))
        elif place in seen:
            faults.append(_fault(f"{where}.at", f"{name!r} has a field work already", "leave one out"))
        seen.append(place)
    return faults


def _check_force(scenario: Scenario, force: Force, kind: UnitType) -> list[Fault]:
    faults = []
    if force.quality and force.quality not in QUALITIES:
        what = f"armorclass has no quality {force.quality!r}"
        faults.append(_at(force, "quality", what, did_you_mean(force.quality, QUALITIES)))
    if force.models > kind.models:
        what = f"a {kind.title} has {kind.models} models, not {force.models}"
        faults.append(_at(force, "models", what, f"give 1 to {kind.models}"))
    if force.officer > 0:
        faults.append(_at(force, "officer", "armorclass has no officers", "leave it out"))
    if force.aboard >= 0:
        faults.append(_at(force, "aboard", "nobody is carried in armorclass", "give it a place of its own"))
    if force.opening >= 0:
        faults.append(_at(force, "opening", "weapons are not tied to openings in armorclass", "leave it out"))
    if force.reserve > scenario.turns:
        what = f"turn {force.reserve} is never played"
        faults.append(_at(force, "reserve.turn", what, f"the battle has {scenario.turns} turns"))
    if force.reserve and kind.fixed:
        faults.append(_at(force, "reserve", f"a {kind.title} does not come on", "give it a place"))
    return faults


def _check_place(scenario: Scenario, force: Force, kind: UnitType) -> list[Fault]:
    """A place of its own: in a zone of its side, and one where such a unit can be."""
    if force.place < 0:
        return []
    info, space = scenario.sides[force.side], scenario.board.spaces[force.place]
    faults = []
    drawn = [zone for zone in info.zones if zone.spaces]
    if drawn and not any(force.place in zone.spaces for zone in drawn):
        what = f"{space.name!r} is in no zone of side {info.name!r}"
        faults.append(_at(force, "at", what, "enlarge the zone or move the unit"))
    if not deploy.can_begin_at(scenario, kind, force.place):
        what = f"a {kind.title} cannot begin at {space.name!r}"
        remedy = {
            "strongpoint": "put it into a section of type strongpoint",
            "turret": "put it on open ground or a flat roof",
            "vehicle": "put it outdoors",
        }.get(kind.kind, "place it elsewhere")
        faults.append(_at(force, "at", what, remedy))
    return faults


def _check_room(scenario: Scenario) -> list[Fault]:
    faults = []
    taken: dict[int, list[Force]] = {}
    for force in scenario.forces:
        if force.place >= 0:
            here = taken.setdefault(force.place, [])
            name = scenario.board.spaces[force.place].name
            if len(here) >= 2:
                faults.append(_at(force, "at", f"{name!r} is full", "a space holds two units"))
            elif here and here[0].side != force.side:
                faults.append(
                    _at(force, "at", f"{name!r} is taken by {here[0].name!r}", "place it elsewhere")
                )
            here.append(force)
    where = deploy.fill_zones(scenario, deploy.in_order)
    lost: dict[int, list[Force]] = {}
    for number, force in enumerate(scenario.forces):
        if force.zone and not force.reserve and force.type in TYPES and number not in where:
            lost.setdefault(force.entry, []).append(force)
    for units in lost.values():
        what = f"zone {units[0].zone!r} has no room for {len(units)} of the units"
        faults.append(_at(units[0], "zone", what, "enlarge the zone, or use fewer units"))
    return faults


def _check_arms(scenario: Scenario) -> list[Fault]:
    """A warning where a side has nothing that can hurt what the other has."""
    faults = []
    told: list[tuple[int, str]] = []
    for force in scenario.forces:
        kind = TYPES.get(force.type)
        if kind is None or (force.side, force.type) in told:
            continue
        enemies = [TYPES[f.type] for f in scenario.forces if f.side != force.side and f.type in TYPES]
        best = max((WEAPONS[w].factor for e in enemies for w in (*e.slots, *e.mounts, *e.tools)), default=0)
        if enemies and penetrates_on(best, kind.armour) > 10:
            told.append((force.side, force.type))
            what = f"nothing of side {scenario.sides[1 - force.side].name!r} can hurt a {kind.title}"
            remedy = "give it something that can, or let it be so"
            faults.append(_fault(f"forces[{force.entry}].type", what, remedy, "warning"))
    return faults
