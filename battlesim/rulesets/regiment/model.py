"""What a battle of regiments keeps: the state of each unit and of the battle.

Questions and steps are in the chapter that owns them. Read `UnitState` first.
"""

from __future__ import annotations

from collections.abc import Callable
from operator import attrgetter

from msgspec import Struct

from battlesim.core.state import State, Unit
from battlesim.rules.activation import PhaseOrder
from battlesim.rules.scenario import Objective
from battlesim.rulesets.regiment.data import TYPES, UnitType

CHARGE, COMPULSORY, MOVE, SHOOT, FIGHT = range(5)
PHASES = 5
"""The phases of a side in the order in which they are played, and how many there are."""
FRONT, FLANK, REAR = range(3)
"""The arcs of a unit (RG-HOUSE-FORM)."""
MOVED, RAN, CHARGED = "moved", "ran", "charged"


class UnitState(Struct, frozen=True, gc=False):
    """What the regiment rules keep of a unit.

    `full`: models it began with. `files`: models in a full rank (RG-HOUSE-FORM). `wounds`: taken by the model that is hurt,
    below W. `foes`: enemies in contact, as (unit, where it stands to this one: front, flank or rear), by unit. `charged`:
    came into contact by a charge that has not been fought yet. `charges`: the enemies that it charged so. `fleeing`; `rallied`:
    this turn. `moved`: "", moved, ran or charged, this turn. `joined`: the unit a character is with (-1 none); it shares that
    unit's space and foes. `against`: the enemy unit a garrison's character fights (RG-ATT-4). `silent`: last turn in which an
    engine cannot shoot. `shot`: models lost to shooting in this phase; -1 once it has tested panic for them. `fell`, `dealt`:
    models lost and wounds dealt in this round of close combat.
    """

    full: int = 1
    files: int = 5
    wounds: int = 0
    foes: tuple[tuple[int, int], ...] = ()
    charged: bool = False
    charges: tuple[int, ...] = ()
    fleeing: bool = False
    rallied: bool = False
    moved: str = ""
    joined: int = -1
    against: int = -1
    silent: int = 0
    shot: int = 0
    fell: int = 0
    dealt: int = 0


class BattleState(Struct, frozen=True):
    """What the regiment rules keep of the battle. `sides`: whose turn, which phase. `done`: units that have had their part in it.
    `by_unit`: sides alternate unit by unit instead of side after side. `turns`: length; `margin`: the lead in points needed to
    win; `massacre`: for a massacre (0: there is none). `losses`: worth lost so far, by side.
    """

    sides: PhaseOrder = PhaseOrder(0)
    done: tuple[int, ...] = ()
    by_unit: bool = False
    turns: int = 6
    margin: int = 1
    massacre: int = 0
    objectives: tuple[Objective, ...] = ()
    losses: tuple[int, int] = (0, 0)


unit_state: Callable[[Unit], UnitState] = attrgetter("own")
"""A unit's own record, typed."""
battle_state: Callable[[State], BattleState] = attrgetter("extra")
"""The state's extra record, typed."""


def type_of(unit: Unit) -> UnitType:
    """The type of a unit."""
    return TYPES[unit.kind]


def leads(unit: Unit) -> bool:
    """Whether a unit acts on its own: it is alive, on the table, and not a character with another unit."""
    return unit.alive and unit.place >= 0 and unit.own.joined < 0


def flees(state: State, unit: Unit) -> bool:
    """Whether a unit flees, or the unit that a character is with."""
    mine = unit_state(unit)
    return mine.fleeing or (mine.joined >= 0 and unit_state(state.units[mine.joined]).fleeing)


def company(state: State, unit: Unit) -> list[Unit]:
    """The characters that are with a unit, by id."""
    return [
        state.units[number]
        for number in state.at.get(unit.place, ())
        if state.units[number].own.joined == unit.id
    ]


def attempt(state: State) -> int:
    """The attempt number of dice rolled now, so that the same roll in another phase of the turn has another key."""
    sides = battle_state(state).sides
    return sides.phase + PHASES * sides.side
