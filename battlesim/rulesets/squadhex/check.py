"""What the rules forbid in a map and a scenario (SH-SCEN-1, SH-HOUSE-UNITS, SH-HOUSE-STACK). Read `check`."""

from __future__ import annotations

from battlesim.board.board import Board
from battlesim.core.errors import Fault, did_you_mean
from battlesim.rules.checks import (
    check_forces,
    check_models,
    check_objectives,
    check_unused,
    fault,
    is_dry,
    no_extra_turn,
)
from battlesim.rules.deployment import check_place, check_room
from battlesim.rules.options import read_options, sections_named
from battlesim.rules.scenario import Force, Scenario
from battlesim.rulesets.squadhex.data import TYPES, UnitType
from battlesim.rulesets.squadhex.deployment import DEPLOYMENT
from battlesim.rulesets.squadhex.ground import TABLE, is_dense
from battlesim.rulesets.squadhex.hexes import misfits
from battlesim.rulesets.squadhex.set_up import Options, destructible

BUILT = ("heavy", "light")
MOST_FLOORS = 3
"""The most floors of a building."""
MOST_HEXES = 3_000
"""The most hexes of a map."""
PLAYED = ("open", "road", "woods", "rubble", "water")
UNUSED = {
    "quality": ("squadhex has no qualities", "leave it out; elite figures are types of their own"),
    "officer": ("officers are figures in squadhex", "leave it out, or use an officer's squad"),
    "reserve": ("squadhex has no reserves", "begin on the board"),
    "aboard": ("squadhex has no transports", "begin on the board"),
    "opening": ("squadhex asks for no openings", "leave it out"),
}


def check(scenario: Scenario, board: Board) -> list[Fault]:
    """Every fault of a scenario under these rules; the `place` of a fault says where in the file it is."""
    faults = _check_map(board)
    if any(one.level == "error" for one in faults):
        return faults  # all other checks need a hex map
    return [
        *faults,
        *_check_options(scenario, board),
        *no_extra_turn(scenario, "squadhex"),
        *check_forces(
            scenario,
            "squadhex",
            TYPES,
            _check_entry,
            lambda number, force, kind: check_place(scenario, number, DEPLOYMENT),
        ),
        *check_room(scenario, DEPLOYMENT),
        *_check_fires(scenario),
        *check_objectives(scenario, board, lambda place: is_dry(board, place)),
        *_check_destroyed(scenario),
    ]


def _check_entry(force: Force, kind: UnitType) -> list[Fault]:
    return check_unused(force, UNUSED) + check_models(force, kind, kind.strength, "figures")


def _check_map(board: Board) -> list[Fault]:
    """It must be a hex map; each building section is one of its hexes, with one to three floors."""
    if board.unit != "hex" or any(way.kind == "ground" and way.length != 100 for way in board.ways):
        what = f"map {board.name!r} is not a hex map"
        return [fault("map", what, "give one with unit hex and ground of kind hex")]
    faults = []
    hexes = sum(space.kind == "ground" for space in board.spaces) + len(board.sections)
    if hexes > MOST_HEXES:
        what = f"map {board.name!r} has {hexes:,} hexes"
        faults.append(fault("map", what, f"{MOST_HEXES:,} are played"))
    for number in dict.fromkeys(misfits(board)):
        what = f"section {board.sections[number].name!r} of map {board.name!r} does not fit one hex"
        faults.append(fault("map", what, "give it hex: [column, row]"))
    for section in board.sections:
        floors = len(section.spaces) - section.flat_roof
        if section.flat_roof:
            what = f"section {section.name!r} has a flat roof, which squadhex does not play"
            faults.append(fault("map", what, "leave flat_roof out"))
        if floors > MOST_FLOORS:
            what = f"section {section.name!r} has {floors} floors"
            faults.append(fault("map", what, f"levels 0 to 2 are played: {MOST_FLOORS} floors at most"))
        table = section.own.get(TABLE)
        if table is not None and not (
            isinstance(table, dict) and set(table) <= {"built"} and table.get("built", "heavy") in BUILT
        ):
            what = f"section {section.name!r}: {TABLE} {table!r} means nothing"
            faults.append(fault("map", what, f"give {TABLE}: {{built: heavy}} or {{built: light}}"))
    odd = sorted({space.terrain for space in board.spaces if space.kind == "ground"} - set(PLAYED))
    for terrain in odd:
        what = f"map {board.name!r} has {terrain} ground, which squadhex does not know"
        faults.append(fault("map", what, "use open, road, woods, rubble or water"))
    if board.obstacles:
        what = f"squadhex does not mind the {board.obstacles[0].kind} of map {board.name!r}"
        faults.append(fault("map", what, "leave it out, or let it be", "warning"))
    return faults


def _check_options(scenario: Scenario, board: Board) -> list[Fault]:
    options, faults = read_options(scenario.options, Options, "squadhex")
    wanted = options.destructible
    known = [*board.buildings, *board.section_by_name]
    for i, name in enumerate(() if isinstance(wanted, bool) else wanted):
        place = f"options.destructible[{i}]"
        if name not in known:
            what = f"map {board.name!r} has no building or section {name!r}"
            faults.append(fault(place, what, did_you_mean(name, known)))
        elif not all(is_dense(board, section) for section in sections_named(board, name)):
            what = f"{name!r} is not a building of a dense-urban board"
            faults.append(fault(place, what, f"give it own: {{{TABLE}: {{built: heavy}}}} on the map"))
    if wanted is True and not any(is_dense(board, section.id) for section in board.sections):
        what = f"map {board.name!r} has no dense-urban building"
        remedy = f"give one own: {{{TABLE}: {{built: heavy}}}} on the map"
        faults.append(fault("options.destructible", what, remedy))
    sides = [side.name for side in scenario.sides]
    if options.first and options.first not in sides:
        what = f"there is no side {options.first!r}"
        faults.append(fault("options.first", what, did_you_mean(options.first, sides)))
    return faults


def _check_fires(scenario: Scenario) -> list[Fault]:
    return [
        fault("buildings", f"{section.name!r} burns, and squadhex has no fire", "leave burning out")
        for section in scenario.board.sections
        if scenario.is_burning(section.id)
    ]


def _check_destroyed(scenario: Scenario) -> list[Fault]:
    """Only sections that the scenario makes destructible can be objectives to destroy."""
    faults, falls = [], destructible(scenario)
    for number, goal in enumerate(scenario.objectives):
        standing = [scenario.board.sections[n].name for n in goal.sections if n not in falls]
        if goal.kind == "destroy" and standing:
            what = f"{standing[0]!r} cannot be destroyed in this scenario"
            faults.append(fault(f"objectives[{number}]", what, "see options: {destructible: ...}"))
    return faults
