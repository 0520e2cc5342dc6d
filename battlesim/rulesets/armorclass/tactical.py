"""Roles of units and meanings of orders under the armour classes."""

from __future__ import annotations

from battlesim.core.state import Unit
from battlesim.rules.tactical import Tactical
from battlesim.rulesets.armorclass.data import WEAPONS
from battlesim.rulesets.armorclass.model import (
    FIRE,
    MOVE,
    RUN,
    STAND,
    Breach,
    Demolish,
    Into,
    IntoHole,
    Lob,
    Search,
    Through,
    type_of,
)


def _role(unit: Unit) -> str:
    kind = type_of(unit)
    if kind.fixed:
        return "works"
    if kind.kind in ("vehicle", "drone"):
        return "vehicle"
    if kind.tools:
        return "engineers"
    return "crew" if any(WEAPONS[name].lobbed for name in kind.slots) else "foot"


TACTICAL = Tactical(
    _role,
    {STAND: "fire", FIRE: "fire-move", MOVE: "move", RUN: "run"},
    {
        Through.__name__: "wall",
        Search.__name__: "search",
        Into.__name__: "opening",
        IntoHole.__name__: "opening",
        Lob.__name__: "lob",
        Breach.__name__: "breach",
        Demolish.__name__: "demolish",
    },
)
