"""What units and orders are called when tactics are compared over rulebooks. Read `Tactical`, which each rulebook fills in.

A tactic such as "a crewed weapon fires at whoever is inside a building" should mean the same under every rulebook. So units
have one of a few roles, and orders of the same sense have one name.
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
"""The questions by which a unit is given its order, by the names of their classes. Other questions have answers that are written
as orders, too: how to fire, or whether to stand against a charge."""


def order_of(ask: Ask) -> str:
    """The order by which a unit goes, at a question about its move, as the rulebook calls it; "" at questions that name none.
    Some rulebooks speak of orders, others of actions."""
    order: str = getattr(ask, "order", "") or getattr(ask, "action", "")
    return order


def as_foot(unit: Unit) -> str:
    """The role of a unit where its rulebook tells none."""
    return "foot"


@dataclass(frozen=True)
class Tactical:
    """`role(unit)`: one of ROLES. `orders`: what a rulebook calls an order -> its name among ORDERS; one that is not named here
    keeps its own name. `attacks`: answers of the rulebook's own by the name of their class -> what they are among ATTACKS."""

    role: Callable[[Unit], str] = as_foot
    orders: Mapping[str, str] = field(default_factory=dict)
    attacks: Mapping[str, str] = field(default_factory=dict)
