"""Where units can begin (OD-ENTER-6, OD-SCEN-1). Read `DEPLOYMENT`."""

from __future__ import annotations

from collections.abc import Sequence

from battlesim.rules.deployment import Deployment, Refusal
from battlesim.rules.scenario import Scenario
from battlesim.rulesets.orderdice.data import TYPES
from battlesim.rulesets.orderdice.ground import ROOM, can_stand


def refuse(scenario: Scenario, number: int, place: int) -> Refusal:
    """Why a force cannot begin on a place. Infantry and artillery can begin in open buildings that do not burn; outdoors, all
    units on ground that they can stand on."""
    board, kind = scenario.board, TYPES[scenario.forces[number].type]
    space = board.spaces[place]
    if space.kind != "floor":
        if can_stand(board, kind, place):
            return None
        return (
            f"units of type {kind.name!r} cannot stand on {space.name!r}: {space.terrain}",
            "place it elsewhere",
        )
    if kind.vehicle:
        return f"units of type {kind.name!r} cannot be in a building", "place it outdoors"
    house = board.sections[space.section].name
    if scenario.is_closed(space.section):
        return f"{house!r} is closed: nobody may enter", "place it elsewhere"
    if scenario.is_burning(space.section):
        return f"{house!r} is on fire", "place it elsewhere"
    return None


def room(scenario: Scenario, place: int, here: Sequence[int], number: int) -> bool:
    """Whether one more unit can stand where the units `here` do."""
    return len(here) < ROOM


DEPLOYMENT = Deployment(
    types=TYPES,
    refuse=refuse,
    room=room,
    holds="a space holds one unit, or as many as the map says",
    shared=True,
    makes_way=lambda kind: kind.infantry,
    # Guns and vehicles begin outdoors: a gun begins inside only if the scenario says so.
    indoors=lambda kind: "by lot" if kind.infantry else "never",
)
