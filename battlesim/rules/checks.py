"""Checks of a scenario that all rulebooks share. Read `check_forces`, then the `check` of any rulebook.

Each function returns faults, whose `place` is the path inside the scenario's file.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Protocol, TypeVar

from battlesim.board.board import Board
from battlesim.core.errors import Fault, did_you_mean
from battlesim.rules.scenario import Force, Scenario


class UnitKind(Protocol):
    """A type of unit, as far as the rulebooks share one."""

    @property
    def title(self) -> str:
        """Its name for people, as messages write it."""
        ...


Kind = TypeVar("Kind", bound=UnitKind)
Unused = Mapping[str, tuple[str, str]]
"""Keys of a force that a rulebook does not use -> (what, remedy)."""


def fault(place: str, what: str, remedy: str = "", level: str = "error") -> Fault:
    """A fault at a place of the scenario's file, such as `options.first`. `level`: "error", or "warning" for what can be played
    all the same."""
    return Fault(what, remedy, place=place, level=level)


def force_fault(force: Force, key: str, what: str, remedy: str = "") -> Fault:
    """A fault of one key of a force, such as `reserve.turn`."""
    return fault(f"forces[{force.entry}].{key}", what, remedy)


def needs_inches(board: Board) -> list[Fault]:
    """The fault of a map that does not measure in inches, for rulebooks that do."""
    if board.unit == "inch":
        return []
    return [fault("map", f"map {board.name!r} is in {board.unit}", "give a map in inches")]


def no_extra_turn(scenario: Scenario, ruleset: str) -> list[Fault]:
    """The fault of a scenario that has an extra turn, for rulebooks that have none."""
    return (
        [fault("extra_turn", f"{ruleset} has no extra turn", "leave it out")] if scenario.extra_turn else []
    )


# ---- forces


def check_forces(
    scenario: Scenario,
    ruleset: str,
    types: Mapping[str, Kind],
    of_entry: Callable[[Force, Kind], list[Fault]],
    of_unit: Callable[[int, Force, Kind], list[Fault]],
) -> list[Fault]:
    """Faults of the forces. An unknown type is one fault for its entry in the file. Else `of_entry(force, kind)` is called once
    for an entry, and `of_unit(number, force, kind)` for each of its units. `ruleset`: what messages call the rulebook. `types`:
    its unit types by name. `number`: index in `scenario.forces`."""
    faults: list[Fault] = []
    for number, force in enumerate(scenario.forces):
        first = number == 0 or scenario.forces[number - 1].entry != force.entry
        kind = types.get(force.type)
        if kind is None:
            if first:
                what = f"{ruleset} has no unit type {force.type!r}"
                faults.append(force_fault(force, "type", what, did_you_mean(force.type, types)))
            continue
        if first:
            faults += of_entry(force, kind)
        faults += of_unit(number, force, kind)
    return faults


def check_unused(force: Force, unused: Unused) -> list[Fault]:
    """Faults for keys that this rulebook does not use. Of `unused` these are looked at: quality, officer, reserve, aboard,
    opening."""
    given = {
        "quality": bool(force.quality),
        "officer": force.officer > 0,
        "reserve": force.reserve > 0,
        "aboard": force.aboard >= 0,
        "opening": force.opening >= 0,
    }
    return [force_fault(force, key, *said) for key, said in unused.items() if given[key]]


def check_quality(force: Force, ruleset: str, qualities: Collection[str]) -> list[Fault]:
    """The fault of a quality that the rulebook does not know."""
    if not force.quality or force.quality in qualities:
        return []
    what = f"{ruleset} has no quality {force.quality!r}"
    return [force_fault(force, "quality", what, did_you_mean(force.quality, qualities))]


def check_models(force: Force, kind: UnitKind, most: int, models: str = "models") -> list[Fault]:
    """The fault of more models than a unit of the type can have. `models`: the rulebook's word for them."""
    if force.models <= most:
        return []
    what = f"{force.models} {models} are too many for the {kind.title}"
    return [force_fault(force, "models", what, f"give 1 to {most}")]


def check_reserve(
    scenario: Scenario, force: Force, turns: int, can_stand: Callable[[int], bool]
) -> list[Fault]:
    """The faults of a reserve that can never come on: after the last turn, or where it has no place. `turns`: length of the
    battle. `can_stand(place)`: whether such a unit can come on at a place."""
    if not force.reserve:
        return []
    faults: list[Fault] = []
    if force.reserve > turns:
        what = f"turn {force.reserve} is never played"
        faults.append(force_fault(force, "reserve.turn", what, f"the battle has {turns} turns"))
    edge = [space.id for space in scenario.board.spaces if force.edge and force.edge in space.edge]
    if force.edge and not any(map(can_stand, edge)):
        what = "no place on that edge of the map lets it come on"
        faults.append(force_fault(force, "reserve.edge", what, "name another edge, or a zone"))
    zone = scenario.sides[force.side].zone(force.zone) if force.zone else None
    # A zone without any place has a fault of its own.
    if zone is not None and zone.spaces and not any(map(can_stand, zone.spaces)):
        what = f"no place of zone {zone.name!r} lets it come on: it comes on outdoors, where it can stand"
        faults.append(force_fault(force, "reserve.zone", what, "enlarge the zone, or name another"))
    return faults


def warn_unhurt(
    scenario: Scenario, types: Mapping[str, Kind], can_hurt: Callable[[Sequence[Kind], Kind], bool]
) -> list[Fault]:
    """A warning for each type of unit that nothing on the other side can hurt: `can_hurt(enemies, kind)`."""
    sides = [
        [types[force.type] for force in scenario.forces if force.side == side and force.type in types]
        for side in (0, 1)
    ]
    faults: list[Fault] = []
    told: list[tuple[int, str]] = []
    for force in scenario.forces:
        kind, enemies = types.get(force.type), sides[1 - force.side]
        if kind is None or not enemies or (force.side, force.type) in told:
            continue
        told.append((force.side, force.type))
        if not can_hurt(enemies, kind):
            what = f"nothing of side {scenario.sides[1 - force.side].name!r} can hurt units of type {force.type!r}"
            remedy = "give it something that can, or let it be so"
            faults.append(fault(f"forces[{force.entry}].type", what, remedy, "warning"))
    return faults


# ---- objectives


def check_objectives(
    scenario: Scenario, board: Board, can_stand: Callable[[int], bool] = lambda place: True
) -> list[Fault]:
    """Faults of objectives: no side is named to score for buildings, or no place lies on the edge of an exit; and `warn_shut`.
    `can_stand(place)`: whether a unit of some type can be on a place."""
    faults: list[Fault] = []
    for number, goal in enumerate(scenario.objectives):
        place = f"objectives[{number}]"
        if goal.kind == "destroy" and goal.sections and goal.side < 0:
            faults.append(fault(place, "nobody is named to score for the buildings", "add side"))
        edge = [space.id for space in board.spaces if goal.kind == "exit" and goal.edge in space.edge]
        if goal.kind == "exit" and not edge:
            faults.append(fault(f"{place}.edge", "no place of the map lies on that edge", "name another"))
        elif edge and not any(map(can_stand, edge)):
            what = "nobody can leave by this edge: no unit can stand there"
            faults.append(fault(f"{place}.edge", what, "name another", "warning"))
    return faults + warn_shut(scenario, board, can_stand)


def warn_shut(
    scenario: Scenario, board: Board, can_stand: Callable[[int], bool] = lambda place: True
) -> list[Fault]:
    """A warning for each objective to hold all of whose places are closed, or such that no unit can stand there.
    `can_stand(place)`: whether a unit of some type can be on a place, open or closed."""
    faults: list[Fault] = []
    for number, goal in enumerate(scenario.objectives):
        # Set-up refuses units inside closed sections, too. In the ruins anybody may be.
        stand = [board.spaces[place] for place in goal.places if board.spaces[place].kind != "ruin"]
        fit = [space for space in stand if can_stand(space.id)]
        what = "nobody can hold this place while it stands: all of it is closed"
        if not fit:
            what = "nobody can hold this place: no unit can stand there"
        shut = all(space.kind == "floor" and scenario.is_closed(space.section) for space in fit)
        if goal.kind == "hold" and stand and shut:
            remedy = "open a section, or name another place" if fit else "name another place"
            faults.append(fault(f"objectives[{number}]", what, remedy, "warning"))
    return faults


def is_dry(board: Board, place: int) -> bool:
    """Whether a place is not in water, for rulebooks in which nobody stands in water."""
    return board.spaces[place].terrain != "water"
