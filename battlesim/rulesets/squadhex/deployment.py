"""Deployment: the spaces on which units may begin, and how many on each (SH-HOUSE-STACK). Read `DEPLOYMENT`."""

from __future__ import annotations

from collections.abc import Sequence

from battlesim.rules.deployment import Deployment, Refusal
from battlesim.rules.scenario import Scenario
from battlesim.rulesets.squadhex.data import TYPES
from battlesim.rulesets.squadhex.ground import SQUADS, enter_cost


def refuse(scenario: Scenario, number: int, place: int) -> Refusal:
    """Vehicles begin on ground that they can enter; squads also on floors of buildings that are not closed."""
    kind, space = TYPES[scenario.forces[number].type], scenario.board.spaces[place]
    if space.kind == "floor":
        can = not kind.vehicle and not space.roof and not scenario.is_closed(space.section)
    else:
        can = enter_cost(scenario.board, place, kind.vehicle) >= 0
    return None if can else (f"units of type {kind.name!r} cannot be on {space.name!r}", "place it elsewhere")


def room(scenario: Scenario, place: int, here: Sequence[int], number: int) -> bool:
    """A floor holds one squad; a hex three squads of one side, or a vehicle and a squad."""
    forces, board = scenario.forces, scenario.board
    if board.spaces[place].kind == "floor" or any(forces[n].side != forces[number].side for n in here):
        return False
    vehicles = sum(TYPES[forces[n].type].vehicle for n in here)
    squads = len(here) - vehicles
    if TYPES[forces[number].type].vehicle:
        return not vehicles and squads <= 1
    return squads < (1 if vehicles else SQUADS)


DEPLOYMENT = Deployment(
    types=TYPES,
    refuse=refuse,
    room=room,
    holds="a floor holds one squad, a hex three, or a vehicle and a squad",
    shared=True,
    makes_way=lambda kind: not kind.vehicle,
)
