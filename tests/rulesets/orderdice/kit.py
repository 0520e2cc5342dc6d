"""A table to test rules on: place a few units on a map, script the dice, give answers, look at the events.

table = Table("open-ground", unit("rifle_section", at="g3.4"), unit("rifle_section", side=1, at="g5.4"), dice=[...])
ask = table.do(Obey(0))          # work the stack off to the next question
table.say(TargetUnit(1))         # answer it
table.done()                     # nothing pending, no dice left over
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from battlesim.board.board import Board
from battlesim.board.load import load_map
from battlesim.core.answers import MoveTo, Order, TargetUnit
from battlesim.core.events import Rolled
from battlesim.core.items import Ask
from battlesim.core.state import State, Structure, Unit, standing_at
from battlesim.rules.activation import Bag
from battlesim.rulesets.orderdice.data import QUALITIES, TYPES
from battlesim.rulesets.orderdice.model import BattleState, UnitState, unit_state
from battlesim.rulesets.orderdice.move import WhereTo
from battlesim.rulesets.orderdice.ruleset import RULESET
from battlesim.rulesets.orderdice.support import AIR, BARRAGE, StrikeDue
from battlesim.rulesets.orderdice.targets import can_shoot_at
from battlesim.rulesets.orderdice.turn import WhichOrder
from tests import kit
from tests.rulesets.orderdice.grounds import plain


def unit(
    kind: str,
    at: str = "",
    side: int = 0,
    models: int = 0,
    quality: str = "regular",
    facing: int = 0,
    **own: Any,
) -> dict[str, Any]:
    """A unit to place; ids count from 0 in the order given. `at` is a space's name, "" off the board. `own` fields may be
    given by name: pins=2, order="ambush", officer=1, opening=3."""
    return kit.placed(kind, at, side, models, own, quality=quality, facing=facing)


def foe(kind: str, at: str, **more: Any) -> dict[str, Any]:
    """A unit of side 1."""
    return unit(kind, at=at, side=1, **more)


def officer(at: str, **more: Any) -> dict[str, Any]:
    """An officer with a pistol and his runner with a rifle."""
    return unit("officer", at=at, **more)


def acted(at: str, kind: str = "rifle_section", **more: Any) -> dict[str, Any]:
    """Enemies that have acted, and so do not go down."""
    return foe(kind, at, **{"order": "fire", **more})


def crew(men: int, at: str, side: int = 0, **more: Any) -> dict[str, Any]:
    """Men with nothing to fight with but themselves: one attack each."""
    return unit("heavy_mortar_team", at=at, side=side, models=men, **more)


FAR = unit("officer", at="g70.1", side=1)
"""An enemy at the far end of the plain."""


class Table(kit.Table):
    """A position under the order-dice rules, with scripted dice."""

    ruleset = RULESET

    def __init__(
        self,
        board: str | Board,
        *units: dict[str, Any],
        dice: Iterable[Iterable[int] | int] = (),
        structures: Iterable[Structure] = (),
        **extra: Any,
    ) -> None:
        board = load_map(board) if isinstance(board, str) else board
        made: dict[int, Unit] = {}
        for number, row in enumerate(units):
            kind = TYPES[row["kind"]]
            models = row["models"] or kind.models
            fields = {"officer": kind.officer, "full": kind.models, **row["own"]}
            own = UnitState(quality=QUALITIES.index(row["quality"]), **fields)
            place = board.space(row["at"]) if row["at"] else -1
            made[number] = Unit(
                number,
                row["side"],
                f"{kind.title} {number}",
                kind.name,
                place,
                models,
                True,
                row["facing"],
                own,
            )
        counts = [0, 0]
        for one in made.values():
            if one.own.order == "" and (one.place >= 0 or one.own.aboard >= 0):
                counts[one.side] += 1
        bag = Bag((tuple(range(counts[0])), tuple(range(counts[1]))))
        state = State(
            made,
            {s.section: s for s in structures},
            BattleState(**{"bag": bag, **extra}),
            at=standing_at(made),
        )
        super().__init__(board, state, dice)


def alone(board: Board, kind: str, at: str, *others: dict[str, Any]) -> Table:
    """A unit of side 0, alone but for the others."""
    return Table(board, unit(kind, at=at), *others)


# ---- orders ----------------------------------------------------------------------------------------------------------


def give(table: Table, order: str = "advance", number: int = 0) -> Ask | None:
    """Give a unit an order; the next question."""
    table.do(WhichOrder(number, side=table.unit(number).side))
    return table.say(Order(order))


def pinned(pins: int, quality: str = "regular", dice: list[list[int]] | None = None, **own: int) -> Table:
    """A rifle section with pins, alone on the plain but for an enemy far away."""
    section = unit("rifle_section", at="g5.2", quality=quality, pins=pins, **own)
    return Table(plain(), section, FAR, dice=dice or [])


def where_to(table: Table, order: str, number: int = 0) -> None:
    """A unit has the order, and is asked where to go; nothing is asked where it can only stay."""
    table.state.stack = ()
    table.do(WhereTo(number, order, side=table.unit(number).side))


def goals(table: Table, order: str, number: int = 0) -> list[str]:
    """Where the order can take the unit, by name."""
    where_to(table, order, number)
    if table.ask is None:
        return []
    return [table.board.spaces[a.place].name for a in table.legal if isinstance(a, MoveTo)]


def floors(names: Iterable[str]) -> list[str]:
    """Those of some spaces that are inside buildings, sorted by name."""
    return sorted(name for name in names if ":" in name)


def charges(table: Table, order: str = "run") -> list[int]:
    """Whom the order lets unit 0 assault."""
    where_to(table, order)
    return [a.unit for a in table.legal if isinstance(a, TargetUnit)] if table.ask else []


def assault(table: Table, target: int = 1) -> Ask | None:
    """Unit 0 runs into a unit; the next question."""
    table.do(WhichOrder(0, side=0))
    return table.say(Order("run"), TargetUnit(target))


def fire(table: Table, number: int = 0) -> Ask | None:
    """A unit is told to fire; the next question. At one target there is nothing to choose."""
    table.do(WhichOrder(number, side=table.unit(number).side))
    return table.say(Order("fire"))


def can_see(board: Board, one: str, two: str) -> bool:
    """Whether an officer in one place may shoot at a rifle section in another."""
    table = Table(board, officer(one), foe("rifle_section", two))
    return can_shoot_at(table.state, board, table.unit(0), table.unit(1), False)


# ---- strikes ---------------------------------------------------------------------------------------------------------


CALLERS = {BARRAGE: "artillery_observer", AIR: "air_observer"}


def observer(kind: str = BARRAGE, at: str = "g2.2") -> dict[str, Any]:
    """Who has called the strike, far from where it falls."""
    return unit(CALLERS[kind], at=at, called=True, order="fire")


def comes(table: Table, kind: str, place: str, target: int = -1, observer: int = 0) -> None:
    """A strike of the observer rolls for its arrival."""
    table.do(StrikeDue(observer, kind, target, table.place(place)))


def barrage(board: Board, place: str, *units: dict[str, Any], dice: list[Any]) -> Table:
    """A barrage comes down on a place; unit 0 has called it, the others follow."""
    table = Table(board, observer(), *units, dice=dice)
    comes(table, BARRAGE, place)
    return table


def air_strike(board: Board, place: str, *units: dict[str, Any], dice: list[Any], target: int = 1) -> Table:
    """An air strike comes down on a unit, by default the first after its observer; -1 is an empty building."""
    table = Table(board, observer(AIR), *units, dice=dice)
    comes(table, AIR, place, target)
    return table


# ---- what came of it -------------------------------------------------------------------------------------------------


def faces(hits: int, of: int) -> list[int]:
    """So many dice with so many 6s."""
    return [6] * hits + [1] * (of - hits)


def rolls(table: Table, purpose: str) -> list[Rolled]:
    """The dice rolled so far for a purpose."""
    return [roll for roll in table.events(Rolled) if roll.purpose == purpose]


def pins(table: Table, *numbers: int) -> list[int]:
    """How many pins each of the units has."""
    return [unit_state(table.unit(number)).pins for number in numbers]


def fallen(table: Table, section: int = 0) -> bool:
    """Whether a section lies in ruins."""
    structures = table.state.structures
    return section in structures and structures[section].fallen
