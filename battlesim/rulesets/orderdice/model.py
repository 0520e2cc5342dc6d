"""What an order-dice battle keeps: a unit's own record and the state's extra.

Questions and steps stand in the chapter that owns them. Read `UnitState` first.
"""

from __future__ import annotations

from collections.abc import Callable
from operator import attrgetter

from msgspec import Struct

from battlesim.core.state import State, Unit
from battlesim.rules.activation import Bag
from battlesim.rules.scenario import Objective
from battlesim.rulesets.orderdice.data import TYPES, UnitType

# Orders, as a unit's die shows them; "" is a unit that holds no die.
FIRE, ADVANCE, RUN, AMBUSH, RALLY, DOWN = "fire", "advance", "run", "ambush", "rally", "down"
ORDERS: tuple[str, ...] = (FIRE, ADVANCE, RUN, AMBUSH, RALLY, DOWN)


class UnitState(Struct, frozen=True, gc=False):
    """What the order-dice rules keep of a unit.

    `quality`: 0 inexperienced, 1 regular, 2 veteran. `order`: what its die shows, "" while it holds none. `pins`.
    `full`: models it began with. `officer`: rank bonus (from its type unless the scenario says otherwise).
    `opening`: the opening a fixed weapon or a gun inside is deployed at (-1 none). `emplaced`: artillery set up inside,
    never to move (OD-ENTER-6). `aboard`: id of the transport it rides (-1 none). `moved`: it moved this turn.
    `immobile`: a vehicle that cannot move any more. `spent`: slots or mounts (by index) whose weapon is used up or
    empty. `aim`: indirect fire's ranging: (target unit, own space, target space, shots already fired at it), all -1
    when none. `called`: an observer's strike is used. `arrives`: turn a reserve comes on (0: on the board). `left`: it
    left by an edge (OD-HOUSE-EXIT): alive, off the board for good, neither lost nor living.
    """

    quality: int = 1
    order: str = ""
    pins: int = 0
    full: int = 1
    officer: int = 0
    opening: int = -1
    emplaced: bool = False
    aboard: int = -1
    moved: bool = False
    immobile: bool = False
    spent: tuple[int, ...] = ()
    aim: tuple[int, int, int, int] = (-1, -1, -1, 0)
    called: bool = False
    arrives: int = 0
    left: bool = False


class BattleState(Struct, frozen=True):
    """What the order-dice rules keep of the battle. `turns`: length; `extra_turn`: one more on 4+ is still to be rolled
    for. `margin`: points a side must be ahead to win. `objectives`: as the scenario gives them. `losses`: worth lost so far
    by side.
    """

    bag: Bag = Bag()
    turns: int = 6
    extra_turn: bool = False
    margin: int = 1
    objectives: tuple[Objective, ...] = ()
    losses: tuple[int, int] = (0, 0)


unit_state: Callable[[Unit], UnitState] = attrgetter("own")
"""A unit's own record, typed."""
battle_state: Callable[[State], BattleState] = attrgetter("extra")
"""The state's extra record, typed."""


def type_of(unit: Unit) -> UnitType:
    """The type of a unit."""
    return TYPES[unit.kind]
