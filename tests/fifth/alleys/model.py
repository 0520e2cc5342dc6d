"""What a battle in the alleys keeps. Read `UnitState` and `BattleState`."""

from __future__ import annotations

from collections.abc import Callable
from operator import attrgetter
from pathlib import Path

from msgspec import Struct

from battlesim.core.state import State, Unit
from battlesim.rules.activation import Alternate
from battlesim.rules.data_file import read_rows
from battlesim.rules.scenario import Objective

FOLDER = Path(__file__).parent


class Gang(Struct, frozen=True, forbid_unknown_fields=True):
    """One type of gang (AL-HOUSE-GANGS). `speed`, `reach`: hundredths of an inch. `nerve`: holds on a D6 of so much or less."""

    name: str
    title: str
    men: int
    speed: int
    reach: int
    nerve: int
    worth: int


GANGS: dict[str, Gang] = read_rows(FOLDER / "gangs.toml", Gang, inches=("speed", "reach"))


class UnitState(Struct, frozen=True, gc=False):
    """What the rules keep of a gang. `full`: men it began with. `acted`: this turn. `scared`: it has to hold once. `left`: it got
    away by an edge."""

    full: int = 1
    acted: bool = False
    scared: bool = False
    left: bool = False


class BattleState(Struct, frozen=True):
    """What the rules keep of the battle. `play`: whose gang is next. `hardened`: nobody is ever scared (an option)."""

    turns: int = 6
    margin: int = 1
    objectives: tuple[Objective, ...] = ()
    play: Alternate = Alternate(0)
    hardened: bool = False


unit_state: Callable[[Unit], UnitState] = attrgetter("own")
battle_state: Callable[[State], BattleState] = attrgetter("extra")
