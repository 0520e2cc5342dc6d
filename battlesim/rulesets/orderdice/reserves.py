"""Reserves: units that come on in a later turn, with their passengers (OD-HOUSE-RESERVE).

`set_up.py` puts `Arrive` on the agenda of the turn. Read `arrive`.
"""

from __future__ import annotations

from collections.abc import Sequence

from battlesim.board.board import Board
from battlesim.core.answers import Answer, MoveTo
from battlesim.core.items import Ask, Step
from battlesim.core.state import State
from battlesim.rules.contract import Chapter
from battlesim.rules.reserves import come_on, places_to_arrive, try_next_turn
from battlesim.rules.resolution import Clauses, Resolution
from battlesim.rulesets.orderdice import facts
from battlesim.rulesets.orderdice.ground import can_stand, holds
from battlesim.rulesets.orderdice.model import type_of

ARRIVE_PRIORITY = 0
"""Before the turn begins and the dice go into the bag."""


class Arrive(Step, frozen=True):
    """A reserve comes on with its passengers, by an edge of the map or on one of `places`."""

    unit: int
    cargo: tuple[int, ...]
    edge: str
    places: tuple[int, ...]


class ArriveAt(Ask, frozen=True):
    """Where does the reserve come on?"""

    unit: int
    cargo: tuple[int, ...] = ()
    edge: str = ""
    places: tuple[int, ...] = ()


def arrive(r: Resolution, step: Arrive) -> None:
    """Ask a side where its reserve comes on."""
    unit = r.state.units[step.unit]
    if unit.alive:
        r.then(ArriveAt(unit.id, step.cargo, step.edge, step.places, side=unit.side))


def legal_arrive_at(state: State, board: Board, ask: ArriveAt) -> Sequence[Answer]:
    """Free ground the unit can stand on, by number, MOST_PLACES at most; Pass if there is none."""
    kind = type_of(state.units[ask.unit])

    def is_free(place: int) -> bool:
        return can_stand(board, kind, place) and holds(state, place)

    return places_to_arrive(board, ask.edge, ask.places, is_free)


def resolve_arrive_at(r: Resolution, ask: ArriveAt, said: Answer) -> None:
    """The reserve is on the board, or tries again next turn."""
    clauses: Clauses = ("OD-HOUSE-RESERVE",)
    unit = r.state.units[ask.unit]
    if not isinstance(said, MoveTo):
        again = Arrive(unit.id, ask.cargo, ask.edge, ask.places)
        try_next_turn(r, (unit.id, *ask.cargo), again, ARRIVE_PRIORITY, clauses)
        return
    # First they stop being reserves, so that the enemy sees the events that follow.
    r.set(unit.id, clauses, arrives=0)
    for number in ask.cargo:
        r.set(number, clauses, arrives=0, aboard=unit.id)
    r.because(facts.Arrived(unit=unit.id, place=said.place, clauses=clauses))
    come_on(r, unit, said.place, clauses)


CHAPTER = Chapter(
    owns=("OD-HOUSE-RESERVE",),
    asks={ArriveAt: (legal_arrive_at, resolve_arrive_at)},
    steps={Arrive: arrive},
)
