"""The records of a battle under armour classes: a unit's own record, the state's extra, and the answers of this rulebook.

Questions and steps are in the chapters that own them. Read `UnitState` and `BattleState` first.
"""

from __future__ import annotations

from collections.abc import Callable
from operator import attrgetter
from typing import Annotated, Literal

from msgspec import Meta, Struct

from battlesim.core.answers import CORE_ANSWERS, Answer
from battlesim.core.memo import memo
from battlesim.core.state import State, Unit
from battlesim.rules.activation import Alternate
from battlesim.rules.scenario import Objective
from battlesim.rulesets.armorclass.data import TYPES, UnitType

# The orders of an activation (AC-HOUSE-TURN): stay and fire, fire and then move, move and then fire, run without firing
STAND, FIRE, MOVE, RUN = "stand", "fire", "move", "run"
ORDERS: tuple[str, ...] = (STAND, FIRE, MOVE, RUN)
UNMOVED, MOVED, MOVED_FAR = 0, 1, 2
"""How far a unit has moved in its activation: not at all, up to half its move, farther (AC-HOUSE-HIT)."""


class UnitState(Struct, frozen=True, gc=False):
    """The rules' record of a unit.

    `full`: models at the start. `cohesion` 6 to 9, 0: does not test. `detected`: the enemy has found it. `fired`: signature
    bonus of the weapons fired since its last activation, -1 none. `acted`: it was activated this turn. `moved`: in this
    activation, UNMOVED, MOVED or MOVED_FAR. `lost`: soldiers (of a machine: weapons) lost this turn.
    `suppressed`: the last turn in which it is suppressed. `spent`: mounts or slots (by index) lost or used up. `immobile`: it
    cannot move any more. `arrives`: turn a reserve comes on (0: on the board). `left`: it left by an edge: alive, off the board
    for good.
    """

    full: int = 1
    cohesion: int = 0
    detected: bool = False
    fired: int = -1
    acted: bool = False
    moved: int = UNMOVED
    lost: int = 0
    suppressed: int = 0
    spent: tuple[int, ...] = ()
    immobile: bool = False
    arrives: int = 0
    left: bool = False


class Fieldwork(Struct, frozen=True):
    """A foxhole, trench or emplacement on a ground space. `roof`: armour class of its overhead cover, 0 none. `burns`,
    `roof_burns`: its bank or cover is flammable. `points`: structure points from the scenario, 0 none; `lost`: points lost."""

    kind: str
    place: int
    wall: int
    roof: int = 0
    burns: bool = False
    roof_burns: bool = False
    points: int = 0
    lost: int = 0


class Fire(Struct, frozen=True):
    """One fire: its spaces and the turn each caught fire, in order (AC-HOUSE-FIRE)."""

    number: int
    taken: tuple[tuple[int, int], ...]


class Options(Struct, frozen=True):
    """The scenario's options. `damage`: guidelines, ignored, or the variant 1, 2, 3. `wind`: very strong. `spread` and
    `wind_spread`: how many times its size a fire grows to, every `every` turns. `points`: of sections without points on the map;
    0: the variant's default."""

    damage: Literal["guidelines", "ignored", "1", "2", "3"] = "guidelines"
    collapse: bool = False
    fires: bool = False
    weather: Literal["clear", "mist", "rain"] = "clear"
    wind: bool = False
    spread: Annotated[int, Meta(ge=2, le=10)] = 2
    wind_spread: Annotated[int, Meta(ge=2, le=10)] = 3
    every: Annotated[int, Meta(ge=1, le=10)] = 2
    points: Annotated[int, Meta(ge=0, le=1000)] = 0

    @property
    def variant(self) -> int:
        """The structure-point variant, 0 none."""
        return _VARIANTS.get(self.damage, 0)


_VARIANTS = {"1": 1, "2": 2, "3": 3}


class BattleState(Struct, frozen=True):
    """The rules' record of the battle. `to_act`: whose activation it is. `fieldworks`: by ascending place. `burnt`: spaces with
    nothing left to burn. `fires`: those that burn. `begun`: number of fires so far."""

    turns: int = 8
    margin: int = 1
    options: Options = Options()
    objectives: tuple[Objective, ...] = ()
    to_act: Alternate = Alternate(0)
    fieldworks: tuple[Fieldwork, ...] = ()
    burnt: tuple[int, ...] = ()
    fires: tuple[Fire, ...] = ()
    begun: int = 0


unit_state: Callable[[Unit], UnitState] = attrgetter("own")
"""A unit's own record, typed."""
battle_state: Callable[[State], BattleState] = attrgetter("extra")
"""The state's extra record, typed."""


def type_of(unit: Unit) -> UnitType:
    """The type of a unit."""
    return TYPES[unit.kind]


@memo(bound=8_192)
def working(kind: str, models: int, spent: tuple[int, ...]) -> tuple[int, ...]:
    """The mounts (or soldiers' slots) with working weapons, by index, by the facts that decide them."""
    one = TYPES[kind]
    return tuple(n for n in range(models if one.soldiers else len(one.mounts)) if n not in spent)


def armed_mounts(unit: Unit) -> tuple[int, ...]:
    """A unit's mounts (or soldiers' slots) with working weapons, by index."""
    return working(unit.kind, unit.models, unit.own.spent)


def able(unit: Unit) -> bool:
    """Whether a unit still counts as fighting: alive, not left by an edge, and not a machine without weapons and engine."""
    mine = unit.own
    if not unit.alive or mine.left:
        return False
    return not (TYPES[unit.kind].tough and mine.immobile and not armed_mounts(unit))


# ---- answers of this rulebook --------------------------------------------------------------------------------------


class Through(Answer, frozen=True):
    """Fire through a wall (or bank: side -1) at a detected enemy behind it (AC-KNOWN-1)."""

    unit: int
    side: int


class Search(Answer, frozen=True):
    """Fire through one side of a floor (or the bank of a field work: side -1) where an enemy may be (AC-EXPL-1)."""

    place: int
    side: int


class Into(Answer, frozen=True):
    """Fire an effect area through an opening (AC-OPEN-1)."""

    place: int
    opening: int


class IntoHole(Answer, frozen=True):
    """Fire an effect area through a hole or breach in one wall of a floor (AC-OPEN-1)."""

    place: int
    side: int


class Lob(Answer, frozen=True):
    """Fire indirectly at a space (AC-HOUSE-INDIRECT)."""

    place: int


class Breach(Answer, frozen=True):
    """Work on one wall of a floor with tools (AC-ENG-1)."""

    place: int
    side: int


class Demolish(Answer, frozen=True):
    """Set a demolition charge against a vehicle or strongpoint in contact (AC-HOUSE-ASSAULT)."""

    unit: int


ANSWERS: tuple[type[Answer], ...] = (*CORE_ANSWERS, Through, Search, Into, IntoHole, Lob, Breach, Demolish)
