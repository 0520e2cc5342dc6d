"""What a squad-and-hex battle keeps: the state of each unit and of the battle.

Questions and steps are in the chapter that owns them, facts in `facts.py`. Read `UnitState`, then `BattleState`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from operator import attrgetter
from typing import Any

from msgspec import Struct

from battlesim.core.frozen import EMPTY
from battlesim.core.state import State, Structure, Unit
from battlesim.rules.activation import Alternate
from battlesim.rules.scenario import Objective
from battlesim.rulesets.squadhex.data import TYPES, UnitType

# Actions (SH-HOUSE-ACTIONS). Bombard is Fire with an area weapon; hold is for units that cannot wait with a weapon.
ADVANCE, FIRE, ADVANCE_FIRE, CONCENTRATED = "advance", "fire", "advance_fire", "concentrated"
BOMBARD, OPPORTUNITY, ASSAULT, HOLD = "bombard", "opportunity", "assault", "hold"
ACTIONS: tuple[str, ...] = (
    ADVANCE,
    FIRE,
    ADVANCE_FIRE,
    CONCENTRATED,
    BOMBARD,
    OPPORTUNITY,
    ASSAULT,
    HOLD,
)
NORMAL, SUPPRESSIVE = "normal", "suppressive"


class UnitState(Struct, frozen=True, gc=False):
    """What the squad-and-hex rules keep of a unit.

    `full`: figures at full strength (2 for a vehicle). `fresh`: it has not acted this round. `waits`: it is on opportunity fire.
    `pinned`, `disrupted`: by suppressive fire or a fall. `shots`: area attacks left (-1: no limit). `left`: it has left the map
    by an edge, alive and for good. A vehicle with one of its two models left is heavily damaged.
    """

    full: int = 1
    fresh: bool = True
    waits: bool = False
    pinned: bool = False
    disrupted: bool = False
    shots: int = -1
    left: bool = False


class BattleState(Struct, frozen=True):
    """What the squad-and-hex rules keep of the battle.

    `play`: whose action is next. `first`: the side that begins odd rounds. `turns`: rounds; `margin`: the lead in points needed
    to win. `objectives`, and for each the side that was last alone in it (`held`, -1 none). `each_round`: held objectives score
    in every command phase, not only at the end. `destructible`: sections that may be destroyed (SH-SCEN-1). `fall_cover`: cover
    helps in a fall (an option of SH-FALL-1).
    """

    play: Alternate = Alternate(0, 3)
    first: int = 0
    turns: int = 8
    margin: int = 1
    objectives: tuple[Objective, ...] = ()
    held: tuple[int, ...] = ()
    each_round: bool = False
    destructible: tuple[int, ...] = ()
    fall_cover: bool = False


unit_state: Callable[[Unit], UnitState] = attrgetter("own")
"""A unit's own record, typed."""
battle_state: Callable[[State], BattleState] = attrgetter("extra")
"""The state's extra record, typed."""


def type_of(unit: Unit) -> UnitType:
    """The type of a unit."""
    return TYPES[unit.kind]


def is_damaged(unit: Unit) -> bool:
    """Whether a vehicle is heavily damaged (SH-HOUSE-NORMAL)."""
    return unit.models == 1 and type_of(unit).vehicle


def can_act(unit: Unit) -> bool:
    """Whether a unit is fresh and able to act: on the board and not disrupted."""
    mine: UnitState = unit.own
    return unit.alive and mine.fresh and not mine.disrupted and unit.place >= 0


def structure(state: State, section: int) -> Mapping[str, Any]:
    """The rules' own fields of a section: `weakened`, `closed`."""
    found: Structure | None = state.structures.get(section)
    return found.own if found else EMPTY


def is_weakened(state: State, section: int) -> bool:
    """Whether a standing building hex is weakened (SH-DEST-2)."""
    return bool(structure(state, section).get("weakened"))


def closed(state: State) -> frozenset[int]:
    """The standing sections that no unit may enter. Once such a building has fallen, its ruin is one like any other
    (SH-FALL-5)."""
    if not state.structures:
        return frozenset()
    return frozenset([s.section for s in state.structures.values() if s.own.get("closed") and not s.fallen])
