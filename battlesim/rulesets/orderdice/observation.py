"""What a side may know, states that fit it, and the invariants of every state (OD-HOUSE-RESERVE).

Almost everything is open. Hidden are the enemy's reserves until they come on, with their agenda entries and all events about
them; the enemy's questions and answers (their effects are seen); where an enemy's move will end; and the numbers of the
dice in the bag. No visible number counts hidden things. Read
`observe`; `faults` lists the invariants.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from msgspec.structs import replace

from battlesim.board.board import Board
from battlesim.core.dice import Dice
from battlesim.core.events import (
    Cancelled,
    Event,
    ExtraSet,
    ListChanged,
    ModelsLost,
    Observer,
    Placed,
    Scheduled,
    Taken,
    TurnEnded,
    UnitSet,
)
from battlesim.core.items import TURN, Entry
from battlesim.core.memo import memo
from battlesim.core.state import NONE, State, Unit, burning
from battlesim.core.view import Rule, View, Visibility, state_of, unseen, visible_events
from battlesim.rules.activation import Bag
from battlesim.rules.hidden import NOTHING, Known, drawn_order, likely_types
from battlesim.rules.invariants import (
    common_faults,
    crowd_faults,
    mixed_faults,
    ruin_faults,
    whereabouts_faults,
)
from battlesim.rules.views import Seen, view_of, with_imagined
from battlesim.rulesets.orderdice.data import TYPES
from battlesim.rulesets.orderdice.facts import if_known
from battlesim.rulesets.orderdice.ground import ROOM
from battlesim.rulesets.orderdice.model import (
    ORDERS,
    BattleState,
    UnitState,
    battle_state,
    type_of,
    unit_state,
)
from battlesim.rulesets.orderdice.morale import MORALE
from battlesim.rulesets.orderdice.move import Arrived
from battlesim.rulesets.orderdice.reserves import ARRIVE_PRIORITY, Arrive, ArriveAt
from battlesim.rulesets.orderdice.structures import is_closed
from battlesim.rulesets.orderdice.transports import GetIn
from battlesim.rulesets.orderdice.turn import WhichUnit, waiting
from battlesim.rulesets.orderdice.walk import Walk

NAME = "orderdice"


# ---- what a side sees ------------------------------------------------------------------------------------------------


def hidden_units(state: State, side: int) -> frozenset[int]:
    """The enemy reserves that have not come on, passengers included: a side does not know of them."""
    found: list[int] = []
    for entry in state.agenda:
        step = entry.step
        if type(step) is Arrive and state.units[step.unit].side != side:
            found += (step.unit, *step.cargo)
    if ArriveAt in map(type, state.stack):
        for item in state.stack:
            if type(item) is ArriveAt and item.side != side:
                found += (item.unit, *item.cargo)
    return frozenset(found) if found else NONE


OF_ENEMIES: Seen = {
    # An enemy's move so far is seen; whether and where it continues is not.
    Walk: lambda step: None,
    # Nor whether it will end in a transport.
    GetIn: lambda step: Arrived(step.unit),
    Arrived: lambda step: Arrived(step.unit),
}


def observe(state: State, board: Board, side: int, news: Sequence[Event]) -> View:
    """The battle as a side knows it; `news` are the events since it was last asked."""
    hidden = hidden_units(state, side)
    known: BattleState = state.extra
    return view_of(
        NAME,
        state,
        side,
        visible_events(news, Observer(side, state.units, hidden), _HEARING if hidden else _HEARING_OF_ALL),
        hidden,
        replace(known, bag=counted(known.bag)),
        OF_ENEMIES,
    )


def counted(bag: Bag) -> Bag:
    """A bag as the players see it: the dice of each side, numbered from 0."""
    return _bag_of(len(bag.dice[0]), len(bag.dice[1]))


@memo(bound=4_096)
def _bag_of(first: int, second: int) -> Bag:
    """A bag with given numbers of dice of each side."""
    return Bag((tuple(range(first)), tuple(range(second))))


def _nothing(event: Event, by: Observer) -> None:
    """Hide an entry of the agenda: its effects are seen anyway. Hide the number of a die that leaves the bag, too: the view has
    the number of dice left."""


def _turn(event: TurnEnded, by: Observer) -> TurnEnded:
    """Hide the position: it is a hash that includes hidden facts."""
    return replace(event, position="")


def _extra(event: ExtraSet, by: Observer) -> ExtraSet:
    """The dice of a bag have no numbers."""
    bag = event.extra.get("bag")
    return event if bag is None else replace(event, extra={**event.extra, "bag": counted(bag)})


def _scheduled(event: Scheduled, by: Observer) -> Scheduled | None:
    """Hide the enemy's reserves, and serial numbers, which would count them."""
    entry, step = event.entry, event.entry.step
    if isinstance(step, Arrive) and by.units[step.unit].side != by.side:
        return None
    return replace(event, entry=Entry(entry.time, entry.priority, -1, step))


def _unit_set(event: UnitSet, by: Observer) -> UnitSet | None:
    """Hide when an enemy will arrive."""
    if event.unit in by.hidden:
        return None
    if by.units[event.unit].side == by.side:
        return event
    return None if event.own.get("arrives") else replace(event, clauses=())


def _placed(event: Placed, by: Observer) -> Placed | None:
    """Hide the clauses of an enemy's step: they reveal where its move will end."""
    if event.unit in by.hidden:
        return None
    return event if by.units[event.unit].side == by.side else replace(event, clauses=())


_RULES: dict[type[Event], Rule] = {
    Taken: _nothing,
    Cancelled: _nothing,
    ListChanged: _nothing,
    TurnEnded: _turn,
    ExtraSet: _extra,
    Scheduled: _scheduled,
    UnitSet: _unit_set,
    Placed: _placed,
}
_HEARING = Visibility({ModelsLost: if_known, **_RULES})
_HEARING_OF_ALL = Visibility(_RULES, idle=(if_known,))
"""The same for a side that knows of all units."""


EDGES = "nesw"
USUAL = "rifle_section"
"""The type that a side assumes if it knows of no infantry."""


def imagine(view: View, board: Board, dice: Dice, known: Known = NOTHING) -> State:
    """A state that fits a view. The number of enemies is public, so each unseen enemy is a reserve still to come, of a type on
    the enemy's list that has not been met; without a list, infantry of a known type. Dice choose its turn and edge."""
    missing = unseen(view)
    if not missing:
        return state_of(view, view.units.copy())
    kinds = likely_types(view, dice, known, lambda name: name in known.types or TYPES[name].infantry) or [
        USUAL
    ]
    last: int = view.extra.turns + view.extra.extra_turn
    made, entries = dict[int, Unit](), list(view.agenda)
    serial = max((entry.serial for entry in entries), default=-1) + 1
    for n, number in enumerate(missing):
        kind = TYPES[kinds[n % len(kinds)]]
        turn = view.turn + 1 + _drawn(view, dice, f"turn {number}", max(1, last - view.turn))
        mine = UnitState(full=kind.models, officer=kind.officer, arrives=turn)
        made[number] = Unit(number, 1 - view.side, kind.title, kind.name, -1, kind.models, True, 0, mine)
        comes = Arrive(number, (), EDGES[_drawn(view, dice, f"edge {number}", len(EDGES))], ())
        entries.append(Entry((turn - 1) * TURN, ARRIVE_PRIORITY, serial + number, comes))
    agenda = tuple(sorted(entries, key=lambda entry: entry.rank))
    return with_imagined(replace(view, agenda=agenda), made)


def _drawn(view: View, dice: Dice, what: str, n: int) -> int:
    """A number from 0 to n - 1."""
    return drawn_order(view, dice, what, n)[0]


# ---- invariants ------------------------------------------------------------------------------------------------------


def faults(state: State, board: Board) -> list[str]:
    """Broken invariants of a state at a question or a quiet point, in words; empty if there are none."""
    found = common_faults(state, board, _unit_faults) + mixed_faults(state, board)
    found += crowd_faults(state, board, ROOM)
    return found + _bag_faults(state)


def _unit_faults(state: State, board: Board, unit: Unit) -> list[str]:
    mine = unit_state(unit)
    found = []
    if not 0 <= mine.pins < MORALE[mine.quality]:
        found.append(f"alive with {mine.pins} pins")
    if mine.order and mine.order not in ORDERS:
        found.append(f"order {mine.order!r}")
    found += whereabouts_faults(unit, aboard=mine.aboard >= 0, left=mine.left, arriving=mine.arrives > 0)
    # While work is in hand passengers may be on their way out of a transport that was just lost.
    if mine.aboard >= 0 and not (state.stack and not state.units[mine.aboard].alive):
        found += _aboard_faults(state, unit, mine.aboard)
    if unit.place >= 0:
        found += _place_faults(state, board, unit)
    return found


def _aboard_faults(state: State, unit: Unit, number: int) -> list[str]:
    carrier = state.units.get(number)
    if carrier is None or not carrier.alive or carrier.side != unit.side:
        return [f"aboard {number}, which carries nobody"]
    men = sum(u.models for u in state.units.values() if u.alive and unit_state(u).aboard == number)
    capacity = type_of(carrier).capacity
    return [f"one of {men} men in a transport for {capacity}"] if men > capacity else []


def _place_faults(state: State, board: Board, unit: Unit) -> list[str]:
    space, kind = board.spaces[unit.place], type_of(unit)
    found = ruin_faults(state, board, unit)
    if space.kind == "floor":
        if kind.vehicle:
            found.append(f"a vehicle in {space.name}")
        if is_closed(state, space.section):
            found.append(f"in {space.name}, which is closed")
        if kind.artillery and not unit_state(unit).emplaced:
            found.append(f"a gun that got into {space.name}")
        # While work is in hand a unit may be on its way out of a building that has just caught fire.
        if not state.stack and space.section in burning(state):
            found.append(f"in {space.name}, which burns")
    elif unit_state(unit).emplaced:
        found.append(f"emplaced, yet on {space.name}")
    return found


def _bag_faults(state: State) -> list[str]:
    """A side has as many dice in the bag as units that wait for one, except the die just drawn. Checked only between activations
    and when a side is asked which unit gets its die."""
    bag: Bag = battle_state(state).bag
    drawn = [0, 0]
    if state.stack:
        top: Any = state.stack[-1]
        if len(state.stack) > 1 or not isinstance(top, WhichUnit):
            return []
        drawn[top.side] = 1
    elif not bag.size:
        return []  # before the turn's dice are in the bag, or after the last is drawn
    wait = [len(list(waiting(state, side))) for side in (0, 1)]
    return [
        f"side {side}: {wait[side]} units wait for a die, {len(bag.dice[side])} are in the bag"
        for side in (0, 1)
        if wait[side] != len(bag.dice[side]) + drawn[side]
    ]
