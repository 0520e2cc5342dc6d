"""Set-up and reserves (AC-HOUSE-RESERVE, AC-TYPE-11): what the table is told before the first turn, and who comes on later.

Read `set_up` and `arrive`; `setup.py` puts both on the agenda. Placing by zones is here too, for `check` and `setup` alike.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from battlesim.board.board import Board
from battlesim.core.answers import Answer, Go, Pass
from battlesim.core.events import Placed
from battlesim.core.geometry import Point, facing_towards
from battlesim.core.items import TURN, Ask, Step
from battlesim.core.state import State, Unit
from battlesim.rules.contract import Chapter
from battlesim.rules.forces import Force, Scenario
from battlesim.rules.resolution import Resolution
from battlesim.rulesets.armorclass import blaze, flames, ground, works
from battlesim.rulesets.armorclass.data import TYPES, UnitType
from battlesim.rulesets.armorclass.hide import WORK_CLAUSES
from battlesim.rulesets.armorclass.model import Happened, extra, type_of

SETUP_PRIORITY, ARRIVE_PRIORITY = 0, 0
MOST_PLACES = 400
CREW = 3
"""A team of so many or fewer is a crew-served weapon (AC-TYPE-11)."""
Lots = Callable[[str, int, int], Sequence[int]]
"""(purpose, side, n) -> the numbers 0 to n - 1 in drawn order."""


class SetUp(Step, frozen=True):
    """Before the first turn: works are named, what burns is lit."""


class Arrive(Step, frozen=True):
    """A reserve comes on, by an edge of the map or on one of these places."""

    unit: int
    edge: str
    places: tuple[int, ...]


class ArriveAt(Ask, frozen=True):
    """Where does the reserve come on?"""

    unit: int
    edge: str = ""
    places: tuple[int, ...] = ()


# ---- where units can begin


def in_order(purpose: str, side: int, n: int) -> Sequence[int]:
    """Lots for a check: no chance at all."""
    return range(n)


def can_begin_at(scenario: Scenario, kind: UnitType, place: int) -> bool:
    """Whether a type of unit can be set up on a space, whoever stands there: strongpoints in sections of their type, turrets on
    ground or roofs, vehicles on ground, nobody in water."""
    space = scenario.board.spaces[place]
    closed = space.kind == "floor" and scenario.is_closed(space.section)
    return fits(scenario.board, kind, place, closed)


def fits(board: Board, kind: UnitType, place: int, closed: bool) -> bool:
    """Whether a type of unit can be on a space at all. `closed`: nobody enters its section by the doors."""
    space = board.spaces[place]
    if space.kind == "ruin" or space.terrain == "water":
        return False
    if space.kind == "ground":
        return kind.kind != "strongpoint"
    make = works.make_of(board, space.section)
    if closed and not make.tunnels:
        return False
    if kind.kind == "strongpoint":
        return make.type == "strongpoint"
    if kind.kind == "turret":
        return space.roof
    return kind.foot


def fill_zones(scenario: Scenario, lots: Lots) -> dict[int, int]:
    """Where the forces that begin in a zone are put: each on the first free space of its zone in the order of the lots, what fits
    on fewest first. A force for which none is free is left out."""
    forces = scenario.forces
    taken: dict[int, int] = {}
    for force in forces:
        if force.place >= 0:
            taken[force.place] = taken.get(force.place, 0) + 1
    where: dict[int, int] = {}
    waiting = [n for n, f in enumerate(forces) if f.zone and not f.reserve and f.type in TYPES]
    orders: dict[tuple[int, str], Sequence[int]] = {}
    for number in sorted(waiting, key=lambda n: (TYPES[forces[n].type].foot, n)):
        force = forces[number]
        zone = scenario.sides[force.side].zone(force.zone)
        if zone is None:
            continue
        key = (force.side, force.zone)
        if key not in orders:
            orders[key] = lots(f"zone {force.zone}", force.side, len(zone.spaces))
        kind = TYPES[force.type]
        for i in orders[key]:
            place = zone.spaces[i]
            if taken.get(place, 0) == 0 and can_begin_at(scenario, kind, place):
                taken[place] = 1
                where[number] = place
                break
    return where


# ---- set-up


def set_up(r: Resolution, step: SetUp) -> None:
    """Fortifications are named for what they are; sections on fire from the start burn."""
    board, state = r.board, r.state
    for section in board.sections:
        make = works.make_of(board, section.id)
        if make.type != "building":
            clauses = (*make.clauses, *(("AC-HOUSE-DATA",) if make.screen else ()))
            r.emit(Happened(f"work {make.type}", section=section.id, number=make.wall, clauses=clauses))
    for work in extra(state).fieldworks:
        clauses = ("AC-TYPE-2", WORK_CLAUSES[work.kind], "AC-HOUSE-STRUCT")
        r.emit(Happened(f"work {work.kind}", place=work.place, number=work.wall, clauses=clauses))
    for unit in state.units.values():
        if unit.place >= 0 and _crew_served(state, board, unit):
            r.emit(Happened("crew", unit.id, place=unit.place, clauses=("AC-TYPE-11",)))
    for number in [s for s in sorted(state.structures) if state.structures[s].burning]:
        blaze.start(r, board.sections[number].spaces[0], ("AC-HOUSE-FIRE",))


def _crew_served(state: State, board: Board, unit: Unit) -> bool:
    """Whether a crew serves its weapon from a pillbox or an emplacement (AC-TYPE-11)."""
    if not type_of(unit).soldiers or unit.models > CREW:
        return False
    space = board.spaces[unit.place]
    if space.kind == "floor":
        return works.make_of(board, space.section).type == "pillbox"
    work = works.fieldwork(state, unit.place)
    return work is not None and work.kind == "emplacement"


# ---- reserves


def arrive(r: Resolution, step: Arrive) -> None:
    unit = r.state.units[step.unit]
    if unit.alive:
        r.then(ArriveAt(unit.id, step.edge, step.places, side=unit.side))


def arrive_at(state: State, board: Board, ask: ArriveAt) -> Sequence[Answer]:
    """Free ground, by number, MOST_PLACES at most; Pass where there is none."""
    unit = state.units[ask.unit]
    places = ask.places or [space.id for space in board.spaces if ask.edge and ask.edge in space.edge]
    free = [
        place
        for place in places
        if board.spaces[place].kind == "ground"
        and board.spaces[place].terrain != "water"
        and ground.has_room(state, place, unit.side)
    ]
    if len(free) > MOST_PLACES:
        free = [free[i * len(free) // MOST_PLACES] for i in range(MOST_PLACES)]
    return [Go(place) for place in free] or [Pass()]


def arrived(r: Resolution, ask: ArriveAt, said: Answer) -> None:
    """The reserve is on the board, or tries again next turn: where no place is left, or a hidden enemy holds the one named."""
    clauses = ("AC-HOUSE-RESERVE",)
    unit = r.state.units[ask.unit]
    if not isinstance(said, Go) or ground.foes_at(r.state, said.place, unit.side):
        turn = r.state.turn + 1
        r.set(unit.id, clauses, arrives=turn)
        r.schedule((turn - 1) * TURN, Arrive(unit.id, ask.edge, ask.places), ARRIVE_PRIORITY, clauses)
        return
    r.set(unit.id, clauses, arrives=0)
    r.because(Happened("arrived", unit.id, place=said.place, clauses=clauses))
    middle = (r.board.size[0] // 2, r.board.size[1] // 2)
    facing = facing_towards(r.board.spaces[said.place].point, middle)
    r.emit(Placed(unit.id, said.place, facing, (said.place,), clauses=clauses))
    flames.enter(r, unit.id, flames.ON_ARRIVAL)


def middle_of(board: Board, places: Sequence[int]) -> Point:
    """The middle of some spaces; that of the board for none."""
    if not places:
        return (board.size[0] // 2, board.size[1] // 2)
    points = [board.spaces[place].point for place in places]
    return (sum(p[0] for p in points) // len(points), sum(p[1] for p in points) // len(points))


def arrival(scenario: Scenario, number: int, force: Force) -> Arrive:
    """The entry of the agenda for a reserve."""
    zone = scenario.sides[force.side].zone(force.zone) if force.zone else None
    return Arrive(number, force.edge, zone.spaces if zone else ())


CHAPTER = Chapter(
    owns=("AC-HOUSE-RESERVE", "AC-TYPE-11"),
    asks={ArriveAt: (arrive_at, arrived)},
    steps={SetUp: set_up, Arrive: arrive},
)
