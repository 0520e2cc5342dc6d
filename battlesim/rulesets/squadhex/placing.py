"""Where units begin: what fits on which space, and how zones are filled (SH-HOUSE-STACK).

`check` and `setup` place by the same code, so that a scenario that passes the one never fails in the other. Read `fill_zones`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from battlesim.board.board import Board
from battlesim.rules.forces import Force, Scenario
from battlesim.rulesets.squadhex.data import TYPES, UnitType
from battlesim.rulesets.squadhex.ground import SQUADS, enter_cost

Lots = Callable[[str, int, int], Sequence[int]]
"""(purpose, side, n) -> the numbers 0 to n - 1 in drawn order."""


def in_order(purpose: str, side: int, n: int) -> Sequence[int]:
    """Lots for a check: no chance at all."""
    return range(n)


def can_stand(scenario: Scenario, kind: UnitType, place: int) -> bool:
    """Whether a type of unit could be on a space, whoever stands there."""
    space = scenario.board.spaces[place]
    if space.kind == "floor":
        return not kind.vehicle and not space.roof and not scenario.is_closed(space.section)
    return enter_cost(scenario.board, place, kind.vehicle) >= 0


def holds(board: Board, place: int, here: Sequence[tuple[int, UnitType]], side: int, kind: UnitType) -> bool:
    """Whether one more unit may stand with those (side, type) that are on a space already."""
    if not here:
        return True
    if board.spaces[place].kind == "floor" or any(other != side for other, _ in here):
        return False
    vehicles = sum(one.vehicle for _, one in here)
    squads = len(here) - vehicles
    if kind.vehicle:
        return not vehicles and squads <= 1
    return squads < (1 if vehicles else SQUADS)


def fill_zones(scenario: Scenario, lots: Lots) -> dict[int, int]:
    """Where the forces that begin in a zone are put: number in `scenario.forces` -> space. Each takes the first space of its zone
    with room, in the order of the lots; vehicles first. A force without room is left out."""
    board, forces = scenario.board, scenario.forces
    standing: dict[int, list[tuple[int, UnitType]]] = {}
    for force in forces:
        if force.place >= 0 and force.type in TYPES:
            standing.setdefault(force.place, []).append((force.side, TYPES[force.type]))
    orders: dict[tuple[int, str], Sequence[int]] = {}
    where: dict[int, int] = {}
    waiting = [
        n for n, force in enumerate(forces) if force.zone and not force.reserve and force.type in TYPES
    ]
    for number in sorted(waiting, key=lambda n: (not TYPES[forces[n].type].vehicle, n)):
        force, kind = forces[number], TYPES[forces[number].type]
        zone = scenario.sides[force.side].zone(force.zone)
        if zone is None:
            continue
        key = (force.side, force.zone)
        if key not in orders:
            orders[key] = lots(f"zone {force.zone}", force.side, len(zone.spaces))
        for i in orders[key]:
            place = zone.spaces[i]
            here = standing.get(place, ())
            if can_stand(scenario, kind, place) and holds(board, place, here, force.side, kind):
                standing.setdefault(place, []).append((force.side, kind))
                where[number] = place
                break
    return where


def placed(scenario: Scenario, lots: Lots) -> dict[int, int]:
    """`fill_zones` by lots, or in order where the lots leave a force without room that has some in order."""
    wanted = fill_zones(scenario, in_order)
    found: dict[int, int] = fill_zones(scenario, lots)
    return found if len(found) == len(wanted) else wanted


def unplaced(scenario: Scenario) -> list[Force]:
    """The forces for which their zone has no room."""
    where = fill_zones(scenario, in_order)
    return [
        force
        for number, force in enumerate(scenario.forces)
        if force.zone and not force.reserve and force.type in TYPES and number not in where
    ]
