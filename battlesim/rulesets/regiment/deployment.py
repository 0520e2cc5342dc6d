"""Where units begin: on dry ground, or in a room that holds them (RG-CAP-1). Read `DEPLOYMENT`."""

from __future__ import annotations

from collections.abc import Sequence

from battlesim.rules.deployment import Deployment, Refusal
from battlesim.rules.scenario import Scenario
from battlesim.rulesets.regiment import rooms
from battlesim.rulesets.regiment.data import TYPES


def strength(scenario: Scenario, number: int) -> int:
    """Unit strength of a force with the characters that begin with it."""
    force = scenario.forces[number]
    joined = [one for one in scenario.forces if one.aboard == number and one.type in TYPES]
    return (force.models or TYPES[force.type].models) * TYPES[force.type].us + sum(
        TYPES[one.type].us for one in joined
    )


def refuse(scenario: Scenario, number: int, place: int) -> Refusal:
    """Outdoors a unit cannot stand in water; indoors there must be a room that is open and holds the unit with its characters."""
    board, kind = scenario.board, TYPES[scenario.forces[number].type]
    space, remedy = board.spaces[place], "place it elsewhere"
    if space.kind != "floor":
        wet = space.terrain == "water"
        return (f"nobody can stand on {space.name!r}: water", remedy) if wet else None
    section = board.sections[space.section]
    room = rooms.room_at(board, place)
    if room is None:
        known = [board.spaces[p].name for p in rooms.rooms_of(board).by_section[section.id]]
        told = f"name {' or '.join(known)}" if known else "it is an open ruin; place it outdoors"
        return f"{space.name!r} is not a room of its own", told
    if not rooms.may_hold(kind, room):
        return f"{kind.title} cannot be in {space.name!r}", remedy
    if scenario.is_closed(section.id) or scenario.is_burning(section.id):
        return f"{section.name!r} is closed: nobody may enter", remedy
    if strength(scenario, number) > room.capacity:
        return f"{space.name!r} holds unit strength {room.capacity}, not {strength(scenario, number)}", remedy
    return None


def has_room(scenario: Scenario, place: int, here: Sequence[int], number: int) -> bool:
    """A space holds one unit, and the characters with it."""
    return False


DEPLOYMENT = Deployment(
    types=TYPES,
    refuse=refuse,
    room=has_room,
    holds="a space holds one unit",
    indoors=lambda kind: "by lot" if kind.infantry else "either",
)
