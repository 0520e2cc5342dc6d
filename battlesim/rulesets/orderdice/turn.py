"""The turn: dice are drawn from the bag, one unit ordered for each, until it is empty (OD-HOUSE-TURN, OD-HOUSE-ORDERS).

Read `draw_die`, where an order begins. `obey` carries out an order.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from battlesim.board.board import Board
from battlesim.core.answers import Answer, Confirm, Order, Pick, all_numbered
from battlesim.core.items import Ask, Step
from battlesim.core.state import State, Unit
from battlesim.rules import turns
from battlesim.rules.activation import Bag
from battlesim.rules.contract import Chapter
from battlesim.rules.resolution import Clauses, Resolution
from battlesim.rulesets.orderdice import ambush, blunder, morale, move, shoot, support, victory
from battlesim.rulesets.orderdice.facts import Drawn, Ordered, Tested
from battlesim.rulesets.orderdice.model import (
    ADVANCE,
    AMBUSH,
    DOWN,
    FIRE,
    ORDERS,
    RALLY,
    RUN,
    battle_state,
    type_of,
    unit_state,
)

# The order of entries in one tick: arrivals, strikes, the turn itself, the dice.
TURN_PRIORITY, DRAW_PRIORITY = 5, 10


_ORDERS: dict[str, Answer] = {name: Order(name) for name in ORDERS}


class TurnStart(Step, frozen=True):
    """A turn begins: the dice go into the bag."""


class Draw(Step, frozen=True):
    """A die is drawn and its side orders a unit; if the bag is empty, the turn ends."""


class EndTurn(Step, frozen=True):
    """Dice return, Ambush and Down may be kept, the next turn is scheduled or the battle ends."""


class WhichUnit(Ask, frozen=True):
    """Which unit without a die gets this one?"""


class WhichOrder(Ask, frozen=True):
    """Which order does the unit get?"""

    unit: int


class KeepOrder(Ask, frozen=True):
    """Does a unit keep its Ambush or Down for the next turn?"""

    unit: int


class Obey(Step, frozen=True):
    """Carry out the order that the unit's die shows."""

    unit: int


class OrderTest(Step, frozen=True):
    """A pinned unit tests whether it obeys (OD-HOUSE-MORALE)."""

    unit: int
    order: str


class NextTurn(Step, frozen=True):
    """Close the turn once every question about kept dice is answered."""


def waiting(state: State, side: int) -> Iterator[int]:
    """The units of a side that are in the battle and hold no die, by id: alive, on the board or in a transport."""
    for unit in state.living(side):
        if not unit.own.order and (unit.place >= 0 or unit.own.aboard >= 0):
            yield unit.id


def begin_turn(r: Resolution, step: TurnStart) -> None:
    """Each side puts a die into the bag for every living unit that holds none."""
    if victory.end_if_wiped(r):
        return
    # No unit has moved yet in this turn.
    for unit in r.state.units.values():
        if unit.own.moved:
            r.set(unit.id, moved=False)
    first, second = (tuple(number for number, _ in enumerate(waiting(r.state, side))) for side in (0, 1))
    r.set_extra(("OD-HOUSE-TURN",), bag=Bag((first, second)))
    _schedule_draw(r)


def _schedule_draw(r: Resolution) -> None:
    """Spread the draws of a turn evenly over the rest of it."""
    turns.spread(r, Draw(), DRAW_PRIORITY, battle_state(r.state).bag.size)


def draw_die(r: Resolution, step: Draw) -> None:
    """A die is drawn; its side orders one of its units. When the bag is empty the turn ends."""
    state = r.state
    bag = battle_state(state).bag
    if bag.size == 0:
        r.then(EndTurn())
        return
    if victory.end_if_wiped(r):
        return
    side, number = bag.first(lambda side, n: r.dice.ranking(state.turn, side, "draw", n))
    r.because(Drawn(side, bag.size - 1, clauses=("OD-HOUSE-TURN",)))
    r.change_list("bag", "dice", side, removed=(number,))
    _schedule_draw(r)
    if next(waiting(state, side), None) is not None:
        r.then(WhichUnit(side=side))


def legal_which_unit(state: State, board: Board, ask: WhichUnit) -> Sequence[Answer]:
    """Units without a die, by id."""
    return all_numbered(Pick, list(waiting(state, ask.side)))


def resolve_which_unit(r: Resolution, ask: WhichUnit, said: Pick) -> None:
    """The unit is picked; its order is asked for."""
    r.then(WhichOrder(said.unit, side=ask.side))


def legal_which_order(state: State, board: Board, ask: WhichOrder) -> Sequence[Answer]:
    """Orders the unit can carry out, in the order fire, advance, run, ambush, rally, down."""
    return [_ORDERS[name] for name in open_orders(state, board, state.units[ask.unit])]


def open_orders(state: State, board: Board, unit: Unit) -> list[str]:
    """The orders open to a unit.

    Fire needs a target, or something to call a strike on. Emplaced artillery never moves (OD-GUN-1), other guns never run, an
    immobilised vehicle does neither. Passengers only get out, rally or go Down (OD-HOUSE-TRANSPORT). Rally needs pins.
    """
    mine, kind = unit_state(unit), type_of(unit)
    names: list[str] = []
    aboard = mine.aboard >= 0
    # Fire: something to shoot at, or a strike to call. Passengers do not shoot.
    if not aboard and (shoot.can_fire(state, board, unit) or support.can_call(state, board, unit)):
        names.append(FIRE)
    # Advance and Run: units that can move. A gun Advances to turn, and never Runs.
    if not (mine.emplaced or mine.immobile):
        names.append(ADVANCE)
        if not kind.artillery:
            names.append(RUN)
    # Ambush: a weapon that is not used up.
    if not aboard and shoot.armed(unit):
        names.append(AMBUSH)
    if mine.pins:
        names.append(RALLY)
    names.append(DOWN)
    return names


def resolve_which_order(r: Resolution, ask: WhichOrder, said: Order) -> None:
    """The die is placed; a pinned unit tests before it obeys (OD-HOUSE-MORALE)."""
    unit = r.state.units[ask.unit]
    clauses: Clauses = ("OD-HOUSE-ORDERS", "OD-ORDER-1") if _inside(r, unit) else ("OD-HOUSE-ORDERS",)
    r.because(Ordered(unit.id, said.name, clauses=clauses))
    r.set(unit.id, order=said.name)
    first = OrderTest(unit.id, said.name) if unit_state(unit).pins else Obey(unit.id)
    r.then(first, ambush.ActionDone(unit.id))


def test_order(r: Resolution, step: OrderTest) -> None:
    """On 2D6 of at most morale less pins, or 2, the unit obeys and loses one pin. On more it goes Down; 12 is a blunder."""
    unit = r.state.units[step.unit]
    if not unit.alive:
        return
    mine = unit_state(unit)
    # Pins do not count against a Rally.
    pins = 0 if step.order == RALLY else mine.pins
    bonus = morale.officer_bonus(r.state, r.board, unit)
    goal = morale.needed(mine.quality, pins, bonus)
    rolled = r.total(2, 6, "order", unit.id)
    passed = rolled != morale.BLUNDER and (rolled <= goal or rolled == 2)
    clauses: Clauses = ("OD-HOUSE-MORALE", "OD-HOUSE-NERVE") if bonus else ("OD-HOUSE-MORALE",)
    r.because(Tested(unit.id, rolled, goal, passed, "order", clauses=clauses))
    if rolled == morale.BLUNDER:
        blunder.blunder(r, unit)
    elif passed:
        r.set(unit.id, pins=mine.pins - 1)
        r.then(Obey(unit.id))
    else:
        morale.go_down(r, unit, "failed", ("OD-HOUSE-MORALE",))


def _inside(r: Resolution, unit: Unit) -> bool:
    return unit.place >= 0 and r.board.spaces[unit.place].kind == "floor"


def obey(r: Resolution, step: Obey) -> None:
    """Carry out the order the die shows; Ambush and Down need nothing more."""
    unit = r.state.units[step.unit]
    if not unit.alive:
        return
    order = unit_state(unit).order
    if order == FIRE and support.can_call(r.state, r.board, unit):
        r.then(support.CallStrike(unit.id, side=unit.side))
    elif order == FIRE:
        shoot.begin(r, unit, moved=False)
    elif order in (ADVANCE, RUN):
        r.then(move.WhereTo(unit.id, order, side=unit.side))
    elif order == RALLY:
        morale.rally(r, unit)


def end_turn(r: Resolution, step: EndTurn) -> None:
    """Ask which units keep Ambush or Down; the other dice return."""
    if victory.end_if_wiped(r):
        return
    keep: list[Ask] = []
    for unit in r.state.units.values():
        if not unit.alive:
            continue
        order = unit_state(unit).order
        # A unit that has left the game keeps no order (OD-HOUSE-EXIT).
        if order in (AMBUSH, DOWN) and not unit_state(unit).left:
            keep.append(KeepOrder(unit.id, side=unit.side))
        elif order:
            r.set(unit.id, ("OD-HOUSE-TURN",), order="")
    r.then(*keep, NextTurn())


def legal_keep_order(state: State, board: Board, ask: KeepOrder) -> Sequence[Answer]:
    """No, yes."""
    return (Confirm(False), Confirm(True))


def resolve_keep_order(r: Resolution, ask: KeepOrder, said: Confirm) -> None:
    """The unit keeps its order and gets no other die in the next turn, or gives the order up."""
    if said.yes:
        r.emit(
            Ordered(ask.unit, unit_state(r.state.units[ask.unit]).order, "kept", clauses=("OD-HOUSE-TURN",))
        )
    else:
        r.set(ask.unit, ("OD-HOUSE-TURN",), order="")


def next_turn(r: Resolution, step: NextTurn) -> None:
    """The turn is over: its position is hashed, then the next begins or the battle ends."""
    turns.end_turn(r, victory.turn_over, TurnStart(), TURN_PRIORITY)


CHAPTER = Chapter(
    owns=("OD-HOUSE-TURN", "OD-HOUSE-ORDERS", "OD-ORDER-1"),
    asks={
        WhichUnit: (legal_which_unit, resolve_which_unit),
        WhichOrder: (legal_which_order, resolve_which_order),
        KeepOrder: (legal_keep_order, resolve_keep_order),
    },
    steps={
        TurnStart: begin_turn,
        Draw: draw_die,
        OrderTest: test_order,
        Obey: obey,
        EndTurn: end_turn,
        NextTurn: next_turn,
    },
)
