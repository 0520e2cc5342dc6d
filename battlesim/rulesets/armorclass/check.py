"""Checks of maps and scenarios against the rules (AC-TYPE, AC-HOUSE-DATA). Read `check`. Each fault says where it is and how to
mend it.
"""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from battlesim.board.board import Board
from battlesim.board.model import Section
from battlesim.core.errors import Fault, did_you_mean
from battlesim.rules.checks import (
    check_forces,
    check_models,
    check_objectives,
    check_quality,
    check_reserve,
    check_unused,
    fault,
    force_fault,
    is_dry,
    needs_inches,
    no_extra_turn,
    warn_unhurt,
)
from battlesim.rules.deployment import check_place, check_room
from battlesim.rules.options import sections_named
from battlesim.rules.scenario import Force, Scenario
from battlesim.rulesets.armorclass import works
from battlesim.rulesets.armorclass.data import QUALITIES, ROOFS, TYPES, WALLS, WEAPONS, UnitType
from battlesim.rulesets.armorclass.deployment import DEPLOYMENT, comes_on
from battlesim.rulesets.armorclass.fire import penetrates_on
from battlesim.rulesets.armorclass.options import FIELDWORKS, FieldworkSpec, KeepSpec, scenario_options

MOST_POINTS = 1_000
"""The most structure points of a section or field work."""
UNUSED = {
    "officer": ("armorclass has no officers", "leave it out"),
    "aboard": ("nobody is carried in armorclass", "give it a place of its own"),
    "opening": ("weapons are not tied to openings in armorclass", "leave it out"),
}


def check(scenario: Scenario, board: Board) -> list[Fault]:
    """All faults of a scenario under the rules; `place` says where in its file."""

    def of_entry(force: Force, kind: UnitType) -> list[Fault]:
        return [
            *check_quality(force, "armorclass", QUALITIES),
            *check_models(force, kind, kind.models),
            *check_unused(force, UNUSED),
            *check_reserve(scenario, force, scenario.turns, lambda place: comes_on(board, place)),
            *_check_fixed(force, kind),
        ]

    return [
        *needs_inches(board),
        *no_extra_turn(scenario, "armorclass"),
        *check_map(board),
        *_check_options(scenario, board),
        *check_forces(
            scenario,
            "armorclass",
            TYPES,
            of_entry,
            lambda number, force, kind: check_place(scenario, number, DEPLOYMENT),
        ),
        *check_room(scenario, DEPLOYMENT),
        *check_objectives(scenario, board, lambda place: is_dry(board, place)),
        *warn_unhurt(scenario, TYPES, _can_any_hurt),
    ]


def _check_fixed(force: Force, kind: UnitType) -> list[Fault]:
    if not (force.reserve and kind.fixed):
        return []
    return [force_fault(force, "reserve", f"units of type {kind.name!r} do not come on", "give it a place")]


def _can_any_hurt(enemies: Sequence[UnitType], kind: UnitType) -> bool:
    """Whether the best attack factor of any of them penetrates the type's armour."""
    best = max(
        (WEAPONS[name].factor for one in enemies for name in (*one.slots, *one.mounts, *one.tools)), default=0
    )
    return penetrates_on(best, kind.armour) <= 10


def check_map(board: Board) -> list[Fault]:
    """The `armour` tables of the map: known keys and materials, bunkers without slits, tunnels that lead somewhere."""
    faults = []
    for section in board.sections:
        table = section.own.get("armour", {})
        try:
            spec = works.read_spec(table)
        except msgspec.ValidationError as error:
            faults.append(
                fault("map", f"section {section.name!r}: own.armour is wrong: {error}", "mend the map")
            )
            continue
        unknown = [
            fault(
                "map",
                f"section {section.name!r}: own.armour.{key} {value!r} is unknown",
                did_you_mean(value, known),
            )
            for key, value, known in (
                ("type", spec.type, works.TYPES),
                ("wall", spec.wall, WALLS),
                ("roof", spec.roof, ROOFS),
            )
            if value and value not in known
        ]
        if not 0 <= spec.points <= MOST_POINTS:
            what = f"section {section.name!r}: own.armour.points is {spec.points}"
            unknown.append(fault("map", what, f"give 1 to {MOST_POINTS}, or leave it out"))
        if unknown:
            faults += unknown
            continue
        slits = [
            n for floor in section.openings for n in floor if board.openings[n].kind in ("slit", "window")
        ]
        if spec.type == "bunker" and slits:
            what = f"section {section.name!r}: a bunker has no firing slits or windows"
            faults.append(fault("map", what, "make it a pillbox"))
        if works.make_of(board, section.id).type == "bunker":
            faults += _check_bunker(board, section, spec)
        if spec.type == "pillbox" and not slits:
            what = f"section {section.name!r}: a pillbox has firing slits"
            faults.append(fault("map", what, "give it slits, or make it a bunker"))
        if len(works.make_of(board, section.id).tunnels) < len(spec.tunnels):
            what = f"section {section.name!r}: a tunnel leads nowhere: {', '.join(spec.tunnels)}"
            faults.append(fault("map", what, "name sections of the map"))
    return faults


BUNKER_WALLS = (
    "concrete",
    "reinforced_concrete",
    "earthen_embankment",
    "sandbags",
    "logs",
    "timber_heavy",
)
"""The materials of a bunker other than armour: concrete if permanent; earth, sandbags or timber if a field fortification."""
BUNKER_ROOFS = ("reinforced_concrete",)


def _check_bunker(board: Board, section: Section, spec: works.Spec) -> list[Fault]:
    """A bunker is a heavily built shelter of one floor with complete overhead cover, usually with one entrance (AC-TYPE-3)."""
    faults = []
    where = f"section {section.name!r}: a bunker"
    if len(section.spaces) > 1:
        faults.append(fault("map", f"{where} has one floor and no flat roof", "make it a pillbox"))
    for key, value, fit in (("wall", spec.wall, BUNKER_WALLS), ("roof", spec.roof, BUNKER_ROOFS)):
        if value and value not in fit:
            remedy = f"leave {key} out, or give {' or '.join(fit)}"
            faults.append(fault("map", f"{where} has no {key} of {value}", remedy))
    doors = sum(board.openings[n].kind in ("door", "gap") for floor in section.openings for n in floor)
    if doors > 1:
        what = f"{where} usually has one entrance, this has {doors}"
        faults.append(fault("map", what, "leave some out, or let it be so", "warning"))
    return faults


def _check_options(scenario: Scenario, board: Board) -> list[Fault]:
    options, faults = scenario_options(scenario)
    damage = options.damage
    if options.collapse and damage not in ("1", "2", "3"):
        what = "the collapse check needs structure points"
        faults.append(fault("options.collapse", what, "give damage: 1, 2 or 3"))
    if options.points and damage not in ("1", "2", "3"):
        what = f"points {options.points} are of no use"
        faults.append(fault("options.points", what, "give damage: 1, 2 or 3"))
    if not options.fires and any(scenario.is_burning(s.id) for s in board.sections):
        faults.append(
            fault("options.fires", "a building burns, but the battle has no fires", "add fires: true")
        )
    seen: list[int] = []
    for number, work in enumerate(options.fieldworks):
        faults += _check_work(board, number, work, seen)
    return faults + _check_keep(scenario, board, options.keep)


def _check_keep(scenario: Scenario, board: Board, keeps: Sequence[KeepSpec]) -> list[Fault]:
    """Buildings to keep are objectives, and what is wrong with an objective is wrong with them."""
    faults: list[Fault] = []
    sides = [side.name for side in scenario.sides]
    named = [(goal.name, ("", *sides)[goal.side + 1]) for goal in scenario.objectives]
    for number, keep in enumerate(keeps):
        where = f"options.keep[{number}]"
        if keep.side not in sides:
            what = f"there is no side {keep.side!r}"
            faults.append(fault(f"{where}.side", what, did_you_mean(keep.side, sides)))
        if not keep.buildings:
            faults.append(
                fault(f"{where}.buildings", "nothing is named to keep", "name buildings or sections")
            )
        for name in keep.buildings:
            if not sections_named(board, name):
                remedy = did_you_mean(name, [*board.buildings, *board.section_by_name])
                faults.append(fault(f"{where}.buildings", f"there is no building {name!r}", remedy))
        if not keep.name.isprintable():
            faults.append(
                fault(f"{where}.name", f"{keep.name!r} does not fit", "use one line of printable text")
            )
        if keep.name and any((keep.name, side) in named for side in ("", keep.side)):
            what = f"two objectives are called {keep.name!r}"
            remedy = "give each a name of its own; only objectives of different sides may share a name"
            faults.append(fault(f"{where}.name", what, remedy))
        named.append((keep.name, keep.side))
    return faults


def _check_work(board: Board, number: int, work: FieldworkSpec, seen: list[int]) -> list[Fault]:
    where = f"options.fieldworks[{number}]"
    faults = []
    if work.kind not in FIELDWORKS:
        what = f"field work {work.kind!r} is unknown"
        faults.append(fault(f"{where}.kind", what, did_you_mean(work.kind, FIELDWORKS)))
    if not work.at:
        faults.append(fault(f"{where}.at", "it stands nowhere", "name open ground"))
    for key, value in (("cover", work.cover), ("wall", work.wall)):
        if value and value not in WALLS:
            faults.append(
                fault(f"{where}.{key}", f"material {value!r} is unknown", did_you_mean(value, WALLS))
            )
    if not 0 <= work.points <= MOST_POINTS:
        what = f"points {work.points} are of no use"
        faults.append(fault(f"{where}.points", what, f"give 1 to {MOST_POINTS}"))
    for name in work.at:
        place = board.by_name.get(name, -1)
        if place < 0 or board.spaces[place].kind != "ground":
            ground = [s.name for s in board.spaces if s.kind == "ground"]
            faults.append(fault(f"{where}.at", f"{name!r} is not open ground", did_you_mean(name, ground)))
        elif place in seen:
            faults.append(fault(f"{where}.at", f"{name!r} has a field work already", "leave one out"))
        seen.append(place)
    return faults
