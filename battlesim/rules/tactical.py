"""Names for units and orders when tactics are compared over rulebooks. Read `Tactical`, which each rulebook fills in.

A tactic such as "a crewed weapon fires at enemies inside a building" should mean the same under every rulebook. So units
have one of a few roles, and orders with the same meaning have one name.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from battlesim.core.items import Ask
from battlesim.core.state import Unit

ROLES: dict[str, str] = {
    "foot": "a unit of foot",
    "officer": "an officer",
    "engineers": "engineers, a flamethrower or a breaching team",
    "crew": "a crewed weapon",
    "vehicle": "a vehicle or drone",
    "mounted": "a mounted or monstrous unit",
    "works": "a strongpoint or turret",
}
"""The roles that a unit can have, in words."""

ORDERS: dict[str, str] = {
    "fire": "stays and fires",
    "fire-move": "fires and then moves",
    "move": "moves and may fire",
    "run": "moves without firing",
    "wait": "waits for an enemy",
    "hold": "stays where it is",
    "rally": "rallies",
    "down": "lies down",
    "assault": "assaults",
    "barrage": "fires over the heads of others",
    "concentrate": "joins its fire with others",
    "fly": "flies",
    "wide": "forms a wide front",
    "deep": "forms a deep column",
}
"""Orders in words, by the name that all rulebooks share."""

ATTACKS: dict[str, str] = {
    "wall": "fires through a wall at an enemy it has found",
    "search": "fires through a wall behind which an enemy may be",
    "opening": "fires through a window, a door or a hole",
    "lob": "drops shells on a place",
    "demolish": "sets a demolition charge",
    "breach": "works on a wall with tools",
}
"""A rulebook's own ways to attack a building or what is in it, in words."""

ORDER_QUESTIONS = ("WhichOrder", "WhichAction")
"""The questions by which a unit is given its order, by class name. Other questions also have answers written as orders: how to
fire, or whether to stand against a charge."""


def order_of(ask: Ask) -> str:
    """The order under which a unit moves, at a question about its move, in the rulebook's word; "" at questions that name none.
    Some rulebooks have orders, others actions."""
    order: str = getattr(ask, "order", "") or getattr(ask, "action", "")
    return order


def as_foot(unit: Unit) -> str:
    """The role of a unit if its rulebook gives none."""
    return "foot"


@dataclass(frozen=True)
class Tactical:
    """`role(unit)`: one of ROLES. `orders`: a rulebook's name for an order -> its name among ORDERS; an order not listed here
    keeps its own name. `attacks`: the rulebook's own answers, by class name -> their name among ATTACKS."""

    role: Callable[[Unit], str] = as_foot
    orders: Mapping[str, str] = field(default_factory=dict)
    attacks: Mapping[str, str] = field(default_factory=dict)
