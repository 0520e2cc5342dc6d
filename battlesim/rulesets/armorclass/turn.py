"""The turn: initiative, alternating activations of single units, the turn's end (AC-HOUSE-TURN).

Read `next_unit`, where an activation begins, and `resolve_which_order`, which says what a unit does in it.
"""

from __future__ import annotations

from collections.abc import Sequence

from battlesim.board.board import Board
from battlesim.core.answers import Answer, Confirm, Order, Pick, numbered
from battlesim.core.items import TURN, Ask, Step
from battlesim.core.state import State
from battlesim.rules import turns
from battlesim.rules.activation import Alternate
from battlesim.rules.contract import Chapter
from battlesim.rules.resolution import Resolution
from battlesim.rulesets.armorclass import concealment, damage, flames, morale, move, shoot, targets, victory
from battlesim.rulesets.armorclass.data import D10
from battlesim.rulesets.armorclass.facts import Acts, Rolls
from battlesim.rulesets.armorclass.model import FIRE, MOVE, RUN, STAND, battle_state, unit_state

TURN_PRIORITY, NEXT_PRIORITY = 5, 10
"""The order of entries in one tick: arrivals, fires, the turn itself, activations."""
TICKS = 2
"""Ticks from one activation to the next. If more units act than fit into a turn (500), the last share its last tick."""
MOST_TIES = 50
"""After so many equal rolls for initiative the first side counts as the higher one, so that a turn always begins."""
_SAYS: dict[str, Answer] = {name: Order(name) for name in (STAND, FIRE, MOVE, RUN)}


class TurnStart(Step, frozen=True):
    """A turn begins: collapse checks, initiative."""


class Next(Step, frozen=True):
    """The next unit acts, or the turn ends."""


class EndTurn(Step, frozen=True):
    """Fires burn, morale is tested, the turn is closed."""


class Initiative(Ask, frozen=True):
    """Does the side that rolled higher act first?"""


class WhichUnit(Ask, frozen=True):
    """Which unit acts?"""


class WhichOrder(Ask, frozen=True):
    """What does it do: stay and fire, fire and move, move and fire, or run?"""

    unit: int


def begin_turn(r: Resolution, step: TurnStart) -> None:
    """Damaged structures are checked, then both sides roll; the higher one chooses who begins."""
    if victory.end_if_wiped(r):
        return
    damage.collapse_checks(r)
    concealment.lose_sight(r)
    if victory.end_if_wiped(r):
        return
    rolled = (0, 0)
    for attempt in range(MOST_TIES):
        one = r.total(1, D10, "initiative", -1, 0, attempt)
        other = r.total(1, D10, "initiative", -1, 1, attempt)
        rolled = (one, other)
        if one != other:
            break
    r.because(Rolls(*rolled, clauses=("AC-HOUSE-TURN",)))
    r.then(Initiative(side=0 if rolled[0] >= rolled[1] else 1))


def legal_initiative(state: State, board: Board, ask: Initiative) -> Sequence[Answer]:
    """Yes, no."""
    return (Confirm(True), Confirm(False))


def resolve_initiative(r: Resolution, ask: Initiative, said: Confirm) -> None:
    """The side that won the roll, or on "no" the other one, acts first."""
    first = ask.side if said.yes else 1 - ask.side
    r.set_extra(("AC-HOUSE-TURN",), to_act=Alternate(first))
    _schedule(r)


def _schedule(r: Resolution) -> None:
    """The next activation comes TICKS later, however many units are left: the clock must not reveal their number."""
    state = r.state
    r.schedule(min(state.now + TICKS, state.turn * TURN - 1), Next(), NEXT_PRIORITY)


def next_unit(r: Resolution, step: Next) -> None:
    """The side to act chooses a unit. A side with none left is skipped; if neither has one, the turn ends. Units that were seen
    only by somebody who is dead or gone are hidden again."""
    if victory.end_if_wiped(r):
        return
    concealment.lose_sight(r)
    counts = [0, 0]
    for unit in r.state.units.values():
        if unit.place >= 0 and not unit.own.acted:
            counts[unit.side] += 1
    to_act = battle_state(r.state).to_act.next((counts[0], counts[1]))
    if to_act is None:
        r.then(EndTurn())
        return
    r.set_extra(to_act=to_act)
    _schedule(r)
    r.then(WhichUnit(side=to_act.side))


def legal_which_unit(state: State, board: Board, ask: WhichUnit) -> Sequence[Answer]:
    """Units of the side that have not acted, by id."""
    side = ask.side
    return [
        numbered(Pick, u.id)
        for u in state.units.values()
        if u.side == side and u.place >= 0 and not u.own.acted
    ]


def resolve_which_unit(r: Resolution, ask: WhichUnit, said: Pick) -> None:
    """The unit begins its activation: it has neither fired nor moved. It looks for hidden enemies, then gets an order."""
    r.set_extra(to_act=battle_state(r.state).to_act.acted())
    r.set(said.unit, ("AC-HOUSE-TURN",), acted=True, fired=-1, moved=0)
    r.then(concealment.Detect(said.unit), WhichOrder(said.unit, side=ask.side))


def legal_which_order(state: State, board: Board, ask: WhichOrder) -> Sequence[Answer]:
    """Stand; fire (if it has a target and can move); move and run (if it can get anywhere by them)."""
    unit = state.units[ask.unit]
    names = [STAND]
    gaits = move.gaits(state, board, unit)
    if gaits:
        if targets.has_target(state, board, unit):
            names.append(FIRE)
        names += gaits
    return [_SAYS[name] for name in names]


def resolve_which_order(r: Resolution, ask: WhichOrder, said: Order) -> None:
    """Each activation may move and fire once, in either order."""
    unit, side = ask.unit, ask.side
    r.because(Acts(unit, said.name, clauses=("AC-HOUSE-TURN",)))
    walks, fires = move.WhereTo(unit, said.name, side=side), shoot.AtWhom(unit, said.name == STAND, side=side)
    if said.name == STAND:
        r.then(fires)
    elif said.name == FIRE:
        r.then(fires, walks)
    elif said.name == MOVE:
        r.then(walks, fires)
    else:
        r.then(walks)


def end_turn(r: Resolution, step: EndTurn) -> None:
    """Fire attacks all units in it, teams that lost soldiers test, then the next turn begins or the battle ends. Records of
    actions and losses are cleared here, not at the turn's start, so that losses by fire and collapse in between count for the
    new turn."""
    flames.burn_all(r)
    # A side to which the fires leave no able unit has lost at once: nobody tests any more.
    if victory.end_if_wiped(r):
        return
    morale.test_all(r)
    concealment.lose_sight(r)
    state = r.state
    for unit in list(state.units.values()):
        if unit_state(unit).acted or unit_state(unit).lost:
            r.set(unit.id, acted=False, lost=0)
    turns.end_turn(r, victory.turn_over, TurnStart(), TURN_PRIORITY, ("AC-HOUSE-TURN",))


CHAPTER = Chapter(
    owns=("AC-HOUSE-TURN",),
    asks={
        Initiative: (legal_initiative, resolve_initiative),
        WhichUnit: (legal_which_unit, resolve_which_unit),
        WhichOrder: (legal_which_order, resolve_which_order),
    },
    steps={TurnStart: begin_turn, Next: next_unit, EndTurn: end_turn},
)
