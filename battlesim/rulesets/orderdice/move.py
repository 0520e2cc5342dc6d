"""Movement by Advance or Run (OD-HOUSE-TERRAIN, OD-ENTER, OD-LEAVE-1, OD-ORDER-2..4, OD-LARGE).

Read `legal_where_to`, which lists all ends of a move, and `destinations`. Assaults, rams and the like are answers to the same
question, listed by their own chapters.
"""

from __future__ import annotations

from collections.abc import Sequence

from battlesim.board.board import Board
from battlesim.board.model import Section
from battlesim.core.answers import Answer, MoveTo, Pass, TargetSpace, TargetUnit, all_numbered
from battlesim.core.geometry import INCH
from battlesim.core.items import Ask, Step
from battlesim.core.state import State, Unit, fallen
from battlesim.rules.contract import Chapter
from battlesim.rules.resolution import Clauses, Resolution
from battlesim.rulesets.orderdice import (
    assault,
    contact,
    facts_vehicles,
    ground,
    guns,
    shoot,
    tankfight,
    tanks,
    transports,
    vehicles,
    victory,
)
from battlesim.rulesets.orderdice.model import ADVANCE, RUN, type_of, unit_state
from battlesim.rulesets.orderdice.walk import Walk, walk

STANDARD_MOVE = 6 * INCH
"""A section longer than this is not run through (OD-LARGE-2)."""
LONGEST = 100 * STANDARD_MOVE


class WhereTo(Ask, frozen=True):
    """Where does the unit go? Pass stays. By Run, `TargetUnit` boards a friendly transport or charges an enemy, and `TargetSpace`
    drives into a building."""

    unit: int
    order: str


class Arrived(Step, frozen=True):
    """The move is over; its goal was the space `goal` (-1: where the unit stood). After an Advance the unit shoots."""

    unit: int
    goal: int = -1


def legal_where_to(state: State, board: Board, ask: WhereTo) -> Sequence[Answer]:
    """Stay; then spaces by number of the mode, length and id; then, by Run, friendly transports to board, enemies to charge and
    buildings to drive into, each by id. Passengers are measured from their transport and only get out."""
    here = state.units[ask.unit]
    unit = transports.standing(state, here)
    answers: list[Answer] = [Pass()]
    answers += all_numbered(MoveTo, destinations(state, board, unit, ask.order))
    if ask.order == RUN and ground.on_foot(unit) and here.place >= 0:
        answers += [TargetUnit(carrier) for carrier in transports.boardable(state, board, unit)]
        answers += all_numbered(TargetUnit, contact.targets(state, board, unit))
    elif ask.order == RUN and type_of(unit).vehicle:
        answers += all_numbered(TargetUnit, tankfight.targets(state, board, unit))
        answers += [TargetSpace(place) for place in tanks.targets(state, board, unit)]
    return answers


def can_move(unit: Unit) -> bool:
    """Whether a unit moves at all."""
    kind, mine = type_of(unit), unit_state(unit)
    return not (mine.immobile or mine.emplaced or (kind.artillery and kind.size != "light"))


def destinations(state: State, board: Board, unit: Unit, order: str) -> list[int]:
    """Free spaces where a move by this order can end, the own one left out."""
    kind = type_of(unit)
    if not can_move(unit):
        return []
    shut = ground.enemy_places(state, unit.side)
    enters = order == RUN and kind.infantry
    spaces, at = board.spaces, state.at
    found: list[int] = []
    for mode in ground.modes(kind, order):
        reached = ground.reach(state, board, unit, mode, shut)
        before = {p for p in at if p in reached and len(at[p]) >= ground.ROOM}.union(found)
        found += [p for p in reached if p not in before and (enters or spaces[p].kind != "floor")]
    if kind.infantry:
        ends = [route[-1] for route in inside_routes(state, board, unit, order)]
        found += [end for end in ends if end not in found] if ends else []
    return found


def inside_routes(
    state: State, board: Board, unit: Unit, order: str, most: int = STANDARD_MOVE
) -> list[tuple[int, ...]]:
    """Moves within a building: floors up or down, or adjoining sections, one by Advance, two by Run, never mixed (OD-ORDER-2,
    OD-ORDER-3, OD-HOUSE-INSIDE). Enemies are not passed, friends are; no run through a section longer than `most`
    (OD-LARGE-2)."""
    section = ground.section_of(board, unit.place)
    if section is None:
        return []
    floor = board.spaces[unit.place].floor
    steps = 2 if order == RUN else 1
    routes: list[tuple[int, ...]] = []
    for way in (1, -1):
        route = [unit.place]
        for number in range(1, steps + 1):
            to = floor + way * number
            if not 0 <= to <= section.top or _enemy_at(state, unit.side, section.spaces[to]):
                break
            route.append(section.spaces[to])
            if ground.holds(state, route[-1]):
                routes.append(tuple(route))
    down, shut = fallen(state), ground.barred(state, board)

    def open_to(side_section: int) -> bool:
        place = _floor_of(board.sections[side_section], floor)
        return (
            side_section not in down
            and side_section not in shut
            and place >= 0
            and not _enemy_at(state, unit.side, place)
        )

    near = [s for s in section.adjoining[floor] if open_to(s)]
    ends: dict[int, tuple[int, ...]] = {}
    for first in near:
        ends[first] = (unit.place, board.sections[first].spaces[floor])
    if steps == 2:
        for first in near:
            middle = board.sections[first]
            for second in middle.adjoining[floor]:
                long = middle.size > most or board.sections[second].size > most
                if second != section.id and second not in ends and not long and open_to(second):
                    ends[second] = (unit.place, middle.spaces[floor], board.sections[second].spaces[floor])
    routes += [ends[s] for s in sorted(ends) if ground.holds(state, ends[s][-1])]
    return routes


def _floor_of(section: Section, floor: int) -> int:
    return section.spaces[floor] if floor <= section.top else -1


def _enemy_at(state: State, side: int, place: int) -> bool:
    return any(state.units[u].side != side for u in state.at.get(place, ()))


def resolve_where_to(r: Resolution, ask: WhereTo, said: Answer) -> None:
    """Carry out the choice."""
    unit = transports.standing(r.state, r.state.units[ask.unit])
    if isinstance(said, TargetUnit):
        other = r.state.units[said.unit]
        if other.side == unit.side:
            path = transports.route(r.state, r.board, unit, other)
            r.set(unit.id, transports.CLAUSES, moved=True, opening=-1, aboard=-1)  # as any move sets it
            stop = transports.approach(r.state, r.board, unit, path)
            r.then(Walk(unit.id, stop), transports.GetIn(unit.id, other.id, path))
        elif type_of(unit).vehicle or type_of(other).vehicle:
            arrived = Arrived(unit.id, cause=r.cause) if type_of(unit).vehicle else None
            tankfight.begin(r, unit, other)
            r.then(arrived)
        else:
            assault.begin(r, unit, other)
    elif isinstance(said, TargetSpace):
        arrived = Arrived(unit.id, cause=r.cause)
        tanks.begin(r, unit, said.place)
        r.then(arrived)
    elif isinstance(said, MoveTo):
        route, clauses = route_to(r.state, r.board, unit, ask.order, said.place)
        if unit_state(unit).aboard >= 0:
            clauses += transports.CLAUSES
            carrier = unit_state(unit).aboard
            # The enemy hears where it gets out, and sees where it goes only as it goes there.
            r.emit(
                facts_vehicles.GotOut(
                    unit=unit.id, other=carrier, place=unit.place, clauses=transports.CLAUSES
                )
            )
        r.set(unit.id, clauses, moved=True, opening=-1, aboard=-1)
        r.then(Walk(unit.id, route), Arrived(unit.id, said.place))
    else:
        r.then(Arrived(unit.id))


def route_to(
    state: State, board: Board, unit: Unit, order: str, goal: int
) -> tuple[tuple[int, ...], Clauses]:
    """The spaces a move passes, both ends included, and the clauses that allow it."""
    for route in inside_routes(state, board, unit, order):
        if route[-1] == goal:
            clause = "OD-ORDER-2" if order == ADVANCE else "OD-ORDER-3"
            roof: Clauses = ("OD-ORDER-4",) if board.spaces[goal].roof else ()
            across = board.spaces[goal].section != board.spaces[unit.place].section
            return route, (clause, *roof, *(("OD-LARGE-1",) if across else ()))
    shut = ground.enemy_places(state, unit.side)
    for mode in ground.modes(type_of(unit), order):
        if goal in ground.reach(state, board, unit, mode, shut):
            clauses: Clauses = ("OD-HOUSE-TERRAIN",)
            if board.spaces[goal].kind == "floor":
                clauses = ("OD-ENTER-2", "OD-ENTER-3")
            if board.spaces[unit.place].kind == "floor":
                clauses += ("OD-LEAVE-1",)
            path = ground.path(state, board, unit, mode, goal, shut)
            # Ruins are difficult ground (OD-SCEN-1).
            if any(board.spaces[place].kind == "ruin" for place in path):
                clauses += ("OD-SCEN-1",)
            return path, clauses
    raise AssertionError(f"no route for unit {unit.id} to {goal}")  # destinations() offered it


def arrived(r: Resolution, step: Arrived) -> None:
    """A unit at its map edge may have broken through; vehicles and guns turn; an Advance shoots."""
    unit = r.state.units[step.unit]
    if not unit.alive or unit.place < 0:
        return
    # A unit that had to get out of a burning building on the way is done (OD-FLAME-4).
    if step.goal >= 0 and r.board.spaces[step.goal].kind == "floor" and not ground.inside(r.board, unit):
        return
    mine = unit_state(unit)
    # A vehicle that was halted or immobilised on its way stays on the board (OD-HOUSE-EXIT).
    ended = mine.order in (ADVANCE, RUN) and not mine.immobile
    if mine.moved and ended and victory.can_exit(r.state, r.board, unit, unit.place):
        victory.exit_unit(r, unit)
        return
    if mine.order in (ADVANCE, RUN):
        r.then(*guns.asks(r.board, unit))
    if vehicles.may_turn(r.board, unit):
        r.then(vehicles.FaceWhere(unit.id, side=unit.side))
    if mine.order == ADVANCE:
        shoot.begin(r, unit, moved=True)


# ---- what is forbidden: counts of answers that clauses remove ------------------------------------------------------------


def _kept_out(state: State, board: Board, ask: WhereTo) -> int:
    """The number of floors that a unit could enter by Run if it were infantry (OD-ENTER-1)."""
    unit = transports.standing(state, state.units[ask.unit])
    if type_of(unit).infantry:
        return 0
    return sum(ground.holds(state, place) for place in _floors_run_to(state, board, unit, ask))


def _no_room(state: State, board: Board, ask: WhereTo) -> int:
    """The number of floors that infantry could enter by Run if they were not full (OD-ENTER-4)."""
    unit = transports.standing(state, state.units[ask.unit])
    if not type_of(unit).infantry:
        return 0
    return sum(not ground.holds(state, place) for place in _floors_run_to(state, board, unit, ask))


def _floors_run_to(state: State, board: Board, unit: Unit, ask: WhereTo) -> list[int]:
    if ask.order != RUN or unit.place < 0 or unit_state(unit).immobile or unit_state(unit).emplaced:
        return []
    shut = ground.enemy_places(state, unit.side)
    found = ground.reach(state, board, unit, ground.FOOT_12, shut)
    return [place for place in found if board.spaces[place].kind == "floor"]


def _too_long(state: State, board: Board, ask: WhereTo) -> int:
    """The number of moves through two sections that only the length of one of them forbids (OD-LARGE-2)."""
    unit = transports.standing(state, state.units[ask.unit])
    if not type_of(unit).infantry or ask.order != RUN or ground.section_of(board, unit.place) is None:
        return 0
    lifted = inside_routes(state, board, unit, RUN, LONGEST)
    return len(lifted) - len(inside_routes(state, board, unit, RUN))


def _fortified(state: State, board: Board, ask: WhereTo) -> int:
    """The number of bunkers that a tank could drive into if OD-TANK-2 and OD-BUNK-4 allowed it."""
    unit = state.units[ask.unit]
    if ask.order != RUN or unit.place < 0:
        return 0
    return tanks.refused(state, board, unit)


CHAPTER = Chapter(
    owns=(
        "OD-HOUSE-TERRAIN",
        "OD-HOUSE-INSIDE",
        "OD-ENTER-1",
        "OD-ENTER-2",
        "OD-ENTER-3",
        "OD-ENTER-4",
        "OD-LEAVE-1",
        "OD-ORDER-2",
        "OD-ORDER-3",
        "OD-ORDER-4",
        "OD-LARGE-1",
        "OD-LARGE-2",
        "OD-LARGE-3",
    ),
    asks={WhereTo: (legal_where_to, resolve_where_to)},
    steps={Walk: walk, Arrived: arrived},
    forbids={
        "OD-ENTER-1": (WhereTo, _kept_out),
        "OD-ENTER-4": (WhereTo, _no_room),
        "OD-LARGE-2": (WhereTo, _too_long),
        "OD-TANK-2": (WhereTo, _fortified),
        "OD-BUNK-4": (WhereTo, _fortified),
    },
)
