"""Movement (AC-HOUSE-MOVE, AC-DEST-3, AC-TYPE-3, AC-FIRE-4). Read `legal_where_to` and `walk`."""

from __future__ import annotations

import itertools
from collections.abc import Sequence

from battlesim.board.board import Board
from battlesim.core.answers import Answer, MoveTo, Pass, TargetUnit, all_numbered
from battlesim.core.geometry import distance, facing_towards
from battlesim.core.items import Ask, Step
from battlesim.core.state import State, Unit
from battlesim.rules.contract import Chapter
from battlesim.rules.resolution import Clauses, Resolution
from battlesim.rulesets.armorclass import assault, concealment, fire, flames, ground, victory, works
from battlesim.rulesets.armorclass.model import MOVE, MOVED, MOVED_FAR, RUN, UNMOVED, type_of, unit_state


class WhereTo(Ask, frozen=True):
    """Where does the unit go? Pass stays; a target unit is an enemy to assault."""

    unit: int
    order: str


class Walk(Step, frozen=True):
    """The unit continues along a path from its `at`-th space. `half`: the number on the path of the last space that is within
    half a move."""

    unit: int
    path: tuple[int, ...]
    at: int = 0
    clauses: Clauses = ()
    half: int = 0


class Arrived(Step, frozen=True):
    """The move is over."""

    unit: int


def can_move(unit: Unit) -> bool:
    """Whether a unit moves at all."""
    return not unit_state(unit).immobile and not type_of(unit).fixed and unit.place >= 0


def gaits(state: State, board: Board, unit: Unit) -> tuple[str, ...]:
    """The orders to go that a unit may get: to move and to run if a run gets it anywhere, only to move if it can only assault,
    or none. A free space next to it is enough, else `legal_where_to` must list something."""
    if not unit.alive or not can_move(unit):
        return ()
    if not fire.is_suppressed(state, unit) and ground.has_way_out(state, board, unit):
        return (MOVE, RUN)
    if len(legal_where_to(state, board, WhereTo(unit.id, RUN, side=unit.side))) > 1:
        return (MOVE, RUN)
    # A unit without a free space in reach may still assault, which it cannot do at a run.
    return (MOVE,) if len(legal_where_to(state, board, WhereTo(unit.id, MOVE, side=unit.side))) > 1 else ()


def legal_where_to(state: State, board: Board, ask: WhereTo) -> Sequence[Answer]:
    """Stay; then spaces with room, by cost and number; then enemies to assault, by cost, place and id. A unit that runs cannot
    assault."""
    places, foes = ways(state, board, state.units[ask.unit], ask.order == RUN)
    return [Pass(), *all_numbered(MoveTo, places), *[TargetUnit(foe) for foe in foes]]


def ways(state: State, board: Board, unit: Unit, run: bool) -> tuple[list[int], list[int]]:
    """The spaces and the enemies of `legal_where_to`."""
    if not unit.alive or not can_move(unit):
        return [], []
    return ways_within(state, board, unit, run, *reach_of(state, board, unit, run))


def ways_within(
    state: State, board: Board, unit: Unit, run: bool, found: ground.Ways, foes: list[Unit]
) -> tuple[list[int], list[int]]:
    """`ways` of a unit that can move, given the results of `reach_of`."""
    free = destinations(state, board, unit, found, {foe.place for foe in foes}, foes)
    if not type_of(unit).foot or run or fire.is_suppressed(state, unit):
        return free, []
    return free, [foe.id for foe in charges(foes, found)]


def reach_of(state: State, board: Board, unit: Unit, run: bool) -> tuple[ground.Ways, list[Unit]]:
    """The ways a unit can go, and the enemies its side knows. It goes round a fire if that way reaches the goal."""
    foes = concealment.known_foes(state, unit.side)
    shut = frozenset(foe.place for foe in foes)
    return ways_round(state, board, unit, run, shut, frozenset(flames.burning_places(state, board))), foes


def ways_round(
    state: State, board: Board, unit: Unit, run: bool, shut: frozenset[int], burning: frozenset[int]
) -> ground.Ways:
    """The ways of `reach_of`, given the places of the enemies its side knows (`shut`) and the burning spaces."""
    return ground.ways(state, board, unit, ground.pace(type_of(unit), run), shut, burning)


def destinations(
    state: State, board: Board, unit: Unit, found: ground.Ways, held: set[int], foes: list[Unit]
) -> list[int]:
    """Free spaces that a move can end on. A suppressed unit does not move nearer to known enemies (AC-HOUSE-MORALE)."""
    full = {p for p in state.at if p in held or not ground.has_room(state, p, unit.side)}
    free = [p for p in found.cost if p not in full]
    if not fire.is_suppressed(state, unit):
        return free
    points = [board.spaces[foe.place].point for foe in foes]
    if not points:
        return []
    here = board.spaces[unit.place].point
    now = min(distance(here, p) for p in points)
    return [p for p in free if min(distance(board.spaces[p].point, q) for q in points) >= now]


def charges(foes: list[Unit], found: ground.Ways) -> list[Unit]:
    """Enemies on foot that a unit can assault: no vehicle, strongpoint or turret is in the same space."""
    tough = {foe.place for foe in foes if type_of(foe).tough}
    reached = [foe for foe in foes if foe.place in found.cost and foe.place not in tough]
    return sorted(reached, key=lambda foe: (found.cost[foe.place], foe.place, foe.id))


def resolve_where_to(r: Resolution, ask: WhereTo, said: Answer) -> None:
    """Carry out the choice."""
    unit = r.state.units[ask.unit]
    if isinstance(said, Pass) or not isinstance(said, MoveTo | TargetUnit):
        return
    goal = said.place if isinstance(said, MoveTo) else r.state.units[said.unit].place
    found, _ = reach_of(r.state, r.board, unit, ask.order == RUN)
    path = found.path(unit.place, goal)
    cost = (found.safe if goal in found.safe.cost else found.quick).cost
    half = sum(2 * cost[place] <= ground.pace(type_of(unit)) for place in path[1:])
    clauses = route_clauses(r.board, path)
    r.set(unit.id, clauses, moved=MOVED_FAR if half < len(path) - 1 else MOVED)
    r.then(Walk(unit.id, path, 0, clauses, half), Arrived(unit.id))


def route_clauses(board: Board, path: tuple[int, ...]) -> Clauses:
    """The clauses of a route: that of movement, and those of sections joined by tunnels."""
    clauses: Clauses = ("AC-HOUSE-MOVE",)
    for a, b in itertools.pairwise(path):
        one, other = board.spaces[a], board.spaces[b]
        if one.kind == other.kind == "floor" and one.section != other.section:
            make = works.make_of(board, one.section)
            if other.section in make.tunnels or one.section in works.make_of(board, other.section).tunnels:
                clauses += tuple(
                    c
                    for s in (one.section, other.section)
                    for c in works.make_of(board, s).clauses
                    if c in ("AC-TYPE-3", "AC-TYPE-5")
                )
    return tuple(dict.fromkeys(clauses))


def walk(r: Resolution, step: Walk) -> None:
    """Continue to the end, to the next fire, or until an enemy blocks the way; units on foot then assault it."""
    unit = r.state.units[step.unit]
    path, last = step.path, len(step.path) - 1
    if not unit.alive or unit.place != path[step.at]:
        return
    if unit_state(unit).immobile:
        _cut_short(r, unit, step, _stop(r, unit, step, step.at))
        return
    for at in range(step.at + 1, last + 1):
        foes = ground.foes_at(r.state, path[at], unit.side)
        if foes:
            _met(r, unit, step, at, foes)
            return
        if flames.is_burning(r.state, r.board, path[at]):
            _go(r, unit, path[step.at : at + 1], step.clauses)
            flames.burn(r, unit.id, at)
            r.then(Walk(unit.id, path, at, step.clauses, step.half) if at < last else None)
            return
    _go(r, unit, path[step.at :], step.clauses)


def _go(r: Resolution, unit: Unit, path: tuple[int, ...], clauses: Clauses) -> None:
    if len(path) > 1:
        spaces = r.board.spaces
        facing = facing_towards(spaces[path[-2]].point, spaces[path[-1]].point)
        r.move(unit, path, clauses, facing)


def _stop(r: Resolution, unit: Unit, step: Walk, at: int) -> int:
    """The unit goes as far as the `at`-th space of its path. It may pass a full space, but not stop there: then it stops on the
    last space before it with room, which may lie behind it if fire stopped it on a full one. Returns the number on the path of
    the farthest space that it reached."""
    path, stop = step.path, at
    while stop > 0 and not ground.has_room(r.state, path[stop], unit.side, unit.id):
        stop -= 1
    if stop >= step.at:
        _go(r, unit, path[step.at : stop + 1], step.clauses)
    else:
        r.move(unit, tuple(reversed(path[stop : step.at + 1])), step.clauses)
    return max(stop, step.at)


def _cut_short(r: Resolution, unit: Unit, step: Walk, at: int) -> None:
    """A unit that got no farther than the `at`-th space of its path counts as having moved only that far (AC-HOUSE-HIT). One that
    was stopped before its first step has not moved, so it does not look for enemies again (AC-HOUSE-DETECT)."""
    if at == 0:
        r.set(unit.id, step.clauses, moved=UNMOVED)
    elif at <= step.half and unit_state(unit).moved == MOVED_FAR:
        r.set(unit.id, step.clauses, moved=MOVED)


def _met(r: Resolution, unit: Unit, step: Walk, at: int, foes: list[Unit]) -> None:
    """Enemies hold the next space. Hidden ones are found. The unit stops before them and, if both sides are on foot, assaults
    them."""
    path = step.path
    reached = _stop(r, unit, step, at - 1)
    concealment.run_into(r, unit.id, foes, path[at])
    assaults = type_of(unit).foot and not any(type_of(foe).tough for foe in foes)
    _cut_short(r, unit, step, at if assaults else reached)
    if assaults:
        assault.begin(r, unit, path[at])


def arrived(r: Resolution, step: Arrived) -> None:
    """After a move: units out of sight are hidden again, a unit at its exit edge leaves, and the unit looks for enemies."""
    unit = r.state.units[step.unit]
    if not unit.alive or unit.place < 0:
        return
    concealment.lose_sight(r, (unit.id,))
    # A unit that was stopped before its first step has not moved: it neither leaves nor looks again.
    if not unit_state(unit).moved:
        return
    if victory.can_exit(r.state, r.board, unit, unit.place):
        victory.exit_unit(r, unit)
        return
    r.then(concealment.Detect(unit.id, again=True))


CHAPTER = Chapter(
    owns=("AC-HOUSE-MOVE",),
    asks={WhereTo: (legal_where_to, resolve_where_to)},
    steps={Walk: walk, Arrived: arrived},
)
