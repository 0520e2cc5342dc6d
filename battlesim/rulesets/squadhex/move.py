"""Movement: where a unit can go, and how it goes, hex by hex under opportunity fire (SH-HOUSE-MOVE).

Read `reach` for what is legal, `walk` for how a move runs.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from heapq import heappop, heappush

from battlesim.board.board import Board
from battlesim.core.answers import Answer, MoveTo, Pass, numbered
from battlesim.core.items import Ask, Step
from battlesim.core.memo import owned_memo
from battlesim.core.state import State, Unit
from battlesim.rules.contract import Chapter
from battlesim.rules.resolution import Clauses, Resolution
from battlesim.rulesets.squadhex import declare, facts, react
from battlesim.rulesets.squadhex.ground import (
    Neighbours,
    enter_clauses,
    has_room,
    neighbours,
    neighbours_of,
    next_to,
)
from battlesim.rulesets.squadhex.model import ADVANCE, ADVANCE_FIRE, is_damaged, type_of, unit_state


class WhereTo(Ask, frozen=True):
    """Where does a unit go? `action`: advance or advance_fire."""

    unit: int
    action: str


class Walk(Step, frozen=True):
    """The rest of a move along `path`; `path[at]` is where the unit is, unless something stopped it."""

    unit: int
    path: tuple[int, ...]
    at: int = 0


class FireAfter(Step, frozen=True):
    """A unit that advanced to fire does so if it still can."""

    unit: int


def points(unit: Unit, action: str) -> int:
    """Half movement points of a unit for an action: halved for advance_fire and for heavy damage, none if pinned or disrupted."""
    mine = unit_state(unit)
    if mine.pinned or mine.disrupted:
        return 0
    return type_of(unit).movement >> (is_damaged(unit) + (action == ADVANCE_FIRE))


def routes(state: State, board: Board, unit: Unit, action: str) -> dict[int, int]:
    """Where a unit can go by an action: each space, and the space before it on the cheapest way there (with ties, the way over
    lower numbers). Friends can be passed, enemies cannot. The unit's own space is left out.

    An advance may always be one permitted step, whatever its cost (SH-HOUSE-MOVE). The dict is memoized with the board: callers
    must not change it."""
    limit = points(unit, action)
    if not limit:
        return {}
    made, vehicle, advance = neighbours(state, board), type_of(unit).vehicle, action == ADVANCE
    ways = (board, unit.place, limit, vehicle, advance, made.down, made.shut)
    free = _kept_ways(*ways, frozenset())
    # Only enemies in places that the unit could reach matter.
    foes = frozenset([foe.place for foe in state.living(1 - unit.side)])
    shut = foes.intersection(free)
    return _kept_ways(*ways, shut) if shut else free


@owned_memo(bound=4_000)
def _kept_ways(
    board: Board,
    start: int,
    limit: int,
    vehicle: bool,
    advance: bool,
    fallen: frozenset[int],
    closed: frozenset[int],
    shut: frozenset[int],
) -> dict[int, int]:
    """`routes` with enemies in the spaces in `shut`."""
    return _ways(neighbours_of(board, fallen, closed), start, limit, vehicle, advance, shut)


def _ways(
    made: Neighbours, start: int, limit: int, vehicle: bool, advance: bool, shut: frozenset[int]
) -> dict[int, int]:
    """`routes` if no unit may enter the spaces in `shut`."""
    before: dict[int, int] = {}
    costs = {start: 0}
    queue = [(0, start)]
    next_from = made.by_vehicle if vehicle else made.on_foot
    while queue:
        cost, place = heappop(queue)
        if cost > costs[place]:
            continue
        for to, more in next_from[place]:
            total = cost + more
            # A single permitted step may cost more than the unit has.
            if total > limit and not (place == start and advance):
                continue
            total = min(total, limit)
            if total < costs.get(to, 1 << 30) and to not in shut:
                costs[to] = total
                before[to] = place
                if total < limit:
                    heappush(queue, (total, to))
    return before


def reach(state: State, board: Board, unit: Unit, action: str) -> list[int]:
    """The spaces that a unit can end a move on, ascending."""
    found = routes(state, board, unit, action)
    return [place for place in sorted(found) if place not in state.at or has_room(state, board, unit, place)]


def can_move(state: State, board: Board, unit: Unit, action: str) -> bool:
    """Whether a unit can go anywhere by an action."""
    limit = points(unit, action)
    if not limit:
        return False
    return any(
        (cost <= limit or action == ADVANCE) and has_room(state, board, unit, to)
        for to, cost in next_to(state, board, unit, unit.place)
    ) or bool(reach(state, board, unit, action))


def path_to(found: Mapping[int, int], start: int, place: int) -> tuple[int, ...]:
    """The way from `start` to `place`, both included; `found`: the result of `routes`."""
    way = [place]
    while way[-1] != start:
        way.append(found[way[-1]])
    return tuple(reversed(way))


def legal_where_to(state: State, board: Board, ask: WhereTo) -> Sequence[Answer]:
    """Pass to stay, then the spaces that `reach` lists."""
    unit = state.units[ask.unit]
    return [Pass(), *(numbered(MoveTo, place) for place in reach(state, board, unit, ask.action))]


def resolve_where_to(r: Resolution, ask: WhereTo, said: Answer) -> None:
    """The unit sets out, or stays; with advance_fire it then fires."""
    unit = r.state.units[ask.unit]
    after = FireAfter(unit.id) if ask.action == ADVANCE_FIRE else None
    if isinstance(said, MoveTo):
        found = routes(r.state, r.board, unit, ask.action)
        r.then(Walk(unit.id, path_to(found, unit.place, said.place)), after)
    else:
        r.emit(facts.Stays(unit=unit.id, clauses=("SH-HOUSE-ACTIONS",)))
        r.then(after)


def walk(r: Resolution, step: Walk) -> None:
    """The unit goes on to the first place that an enemy on opportunity fire can hit; each such enemy is asked whether it fires,
    and then the unit goes on from there, unless it was stopped."""
    state, board = r.state, r.board
    unit = state.units[step.unit]
    mine = unit_state(unit)
    if unit.place != step.path[step.at] or mine.pinned or mine.disrupted:
        return
    last = len(step.path) - 1
    clauses: tuple[str, ...] = ("SH-HOUSE-MOVE", "SH-HOUSE-ACTIONS")
    for at in range(step.at + 1, last + 1):
        place = step.path[at]
        clauses += enter_clauses(board, place)
        waiting = react.waiting_for(state, board, unit, place)
        # A unit cannot be stopped where there is no room, so enemies do not fire at such a place on the way.
        full = at < last and not has_room(state, board, unit, place)
        if at == last or (waiting and not full):
            if board.spaces[place].kind == "floor" or place in state.at:
                clauses += ("SH-HOUSE-STACK",)
            r.move(unit, step.path[step.at : at + 1], tuple(dict.fromkeys(clauses)))
            asks = [react.Interrupt(other, unit.id, side=1 - unit.side) for other in waiting]
            r.then(*asks, Walk(unit.id, step.path, at) if at < last else None)
            return


def fire_after(r: Resolution, step: FireAfter) -> None:
    """A unit that opportunity fire disrupted or removed does not fire; a pinned one does."""
    unit = r.state.units[step.unit]
    if unit.place >= 0 and not unit_state(unit).disrupted and not unit_state(unit).left:
        declare.begin(r, unit, ADVANCE_FIRE)


CLAUSES: Clauses = ("SH-HOUSE-MOVE",)
CHAPTER = Chapter(
    owns=CLAUSES,
    asks={WhereTo: (legal_where_to, resolve_where_to)},
    steps={Walk: walk, FireAfter: fire_after},
)
