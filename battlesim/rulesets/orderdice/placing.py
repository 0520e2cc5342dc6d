"""Where units begin: what fits on which space, and how zones are filled (OD-ENTER-6, OD-SCEN-1).

`check` and `setup` place by the same code, so that a scenario that passes the one never fails in the other. Read
`fill_zones`; where it draws lots they come from the scenario's variation seed.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from battlesim.rules.forces import Force, Scenario
from battlesim.rulesets.orderdice.data import TYPES, UnitType
from battlesim.rulesets.orderdice.deploy import can_stand, gun_openings

Lots = Callable[[str, int, int], Sequence[int]]
"""(purpose, side, n) -> the numbers 0 to n - 1 in drawn order."""


def in_order(purpose: str, side: int, n: int) -> Sequence[int]:
    """Lots for a check: no chance at all."""
    return range(n)


def can_begin_at(scenario: Scenario, kind: UnitType, place: int) -> bool:
    """Whether a type of unit could be set up on a space of its zone, whoever stands there."""
    board = scenario.board
    space = board.spaces[place]
    if space.kind != "floor":
        return can_stand(board, kind, place)
    if kind.vehicle or scenario.is_closed(space.section) or scenario.is_burning(space.section):
        return False
    return not kind.artillery or bool(gun_openings(board, place))


def eligible(scenario: Scenario, force: Force, order: Sequence[int], inside_first: bool | None) -> list[int]:
    """The spaces of its zone that a force can be put on, in the order of the lots. Guns and vehicles begin outdoors;
    infantry goes inside first where told to, outdoors first where not."""
    zone = scenario.sides[force.side].zone(force.zone)
    kind = TYPES.get(force.type)
    if zone is None or kind is None:
        return []
    spaces = scenario.board.spaces
    fitting = [
        zone.spaces[i]
        for i in order
        if (kind.infantry or spaces[zone.spaces[i]].kind == "ground")
        and can_begin_at(scenario, kind, zone.spaces[i])
    ]
    if kind.infantry and inside_first is not None:
        fitting.sort(key=lambda place: (spaces[place].kind == "floor") != inside_first)
    return fitting


def fill_zones(scenario: Scenario, lots: Lots) -> dict[int, int]:
    """Where the forces that begin in a zone are put: number in `scenario.forces` -> space.

    Each takes the first free space of its zone in the order of the lots; where none is free another of them makes room,
    so that whoever can be placed is. A force for which that fails is left out.
    """
    forces, spaces = scenario.forces, scenario.board.spaces
    taken: dict[int, int] = {}  # by forces with a place of their own
    for force in forces:
        if force.place >= 0:
            taken[force.place] = taken.get(force.place, 0) + 1
    orders: dict[tuple[int, str], Sequence[int]] = {}
    lists: dict[int, list[int]] = {}
    for side in (0, 1):
        moods = lots("inside", side, len(forces))
        for number, force in enumerate(forces):
            if force.side != side or not force.zone or force.reserve or force.type not in TYPES:
                continue
            zone = scenario.sides[side].zone(force.zone)
            if zone is None:
                continue
            key = (side, force.zone)
            if key not in orders:
                orders[key] = lots(f"zone {force.zone}", side, len(zone.spaces))
            lists[number] = eligible(scenario, force, orders[key], moods[number] % 2 == 0)
    holding: dict[int, list[int]] = {}
    where: dict[int, int] = {}

    def room(place: int) -> int:
        return spaces[place].capacity - taken.get(place, 0) - len(holding.get(place, ()))

    def put(number: int, tried: dict[int, None]) -> bool:
        for place in lists[number]:
            if room(place) > 0:
                holding.setdefault(place, []).append(number)
                where[number] = place
                return True
        for place in lists[number]:
            if place in tried:
                continue
            tried[place] = None
            for other in holding.get(place, ()):
                before = where[other]
                if put(other, tried):
                    holding[before].remove(other)
                    holding[before].append(number)
                    where[number] = before
                    return True
        return False

    for number in sorted(lists, key=lambda n: (TYPES[forces[n].type].infantry, n)):
        put(number, {})
    return where
