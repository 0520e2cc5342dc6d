"""Reserves: units that come on during the battle, at an edge of the map or in a zone. Read `places_to_arrive`, then `come_on`."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from battlesim.board.board import Board
from battlesim.core.answers import Answer, MoveTo, Pass
from battlesim.core.events import Placed
from battlesim.core.geometry import facing_towards
from battlesim.core.items import TURN, Step
from battlesim.core.state import Unit
from battlesim.rules.resolution import Clauses, Resolution
from battlesim.rules.scenario import Scenario

MOST_PLACES = 400
"""A reserve is offered at most this many places, evenly spread over all free ones."""


def reserves(scenario: Scenario) -> Iterator[tuple[int, int, str, tuple[int, ...]]]:
    """The reserves of a scenario as (number of the force, tick at which it comes on, edge, places of its zone). `edge` is ""
    where the scenario names no edge; there are no places where it names no zone."""
    for number, force in enumerate(scenario.forces):
        if force.reserve:
            zone = scenario.sides[force.side].zone(force.zone) if force.zone else None
            yield number, (force.reserve - 1) * TURN, force.edge, zone.spaces if zone else ()


def places_to_arrive(
    board: Board, edge: str, places: Sequence[int], is_free: Callable[[int], bool]
) -> list[Answer]:
    """Answers for a reserve that comes on: the free ones of `places`, or of the places at `edge` (n, e, s or w) if none are
    given, in their order, at most MOST_PLACES. Only pass if none is free."""
    near = places or [space.id for space in board.spaces if edge and edge in space.edge]
    free = [place for place in near if is_free(place)]
    if len(free) > MOST_PLACES:
        free = [free[i * len(free) // MOST_PLACES] for i in range(MOST_PLACES)]
    return [MoveTo(place) for place in free] or [Pass()]


def try_next_turn(r: Resolution, units: Sequence[int], step: Step, priority: int, clauses: Clauses) -> None:
    """A reserve without a free place, and all units that come on with it, try again when the next turn begins. `units`: their
    numbers; the record of each must have `arrives`, the turn in which it comes on. `step` is then done at `priority`."""
    turn = r.state.turn + 1
    for number in units:
        r.set(number, clauses, arrives=turn)
    r.schedule((turn - 1) * TURN, step, priority, clauses)


def come_on(r: Resolution, unit: Unit, place: int, clauses: Clauses) -> None:
    """Put a reserve on the board, facing the middle of the board."""
    middle = (r.board.size[0] // 2, r.board.size[1] // 2)
    facing = facing_towards(r.board.spaces[place].point, middle)
    r.emit(Placed(unit.id, place, facing, (place,), clauses=clauses))
