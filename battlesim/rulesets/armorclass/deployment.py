"""Set-up and reserves (AC-HOUSE-RESERVE, AC-TYPE-11): what happens before the first turn, and units that come on later.

Read `set_up` and `arrive`; `set_up.py` puts both on the agenda. Placing by zones is here too, for `check.py` and `set_up.py`.
"""

from __future__ import annotations

import itertools
from collections.abc import Sequence

from battlesim.board.board import Board
from battlesim.core.answers import Answer, MoveTo
from battlesim.core.items import Ask, Step
from battlesim.core.state import State, Unit
from battlesim.rules.contract import Chapter
from battlesim.rules.deployment import Deployment, Refusal
from battlesim.rules.reserves import come_on, places_to_arrive, try_next_turn
from battlesim.rules.resolution import Resolution
from battlesim.rules.scenario import Scenario
from battlesim.rulesets.armorclass import blaze, concealment, facts, facts_buildings, flames, ground, works
from battlesim.rulesets.armorclass.concealment import WORK_CLAUSES
from battlesim.rulesets.armorclass.data import TYPES, UnitType
from battlesim.rulesets.armorclass.model import battle_state, type_of

SETUP_PRIORITY, ARRIVE_PRIORITY = 0, 0
"""Set-up and arrivals come before everything else of their tick."""
CREW = 3
"""A team of at most this many is a crew-served weapon (AC-TYPE-11)."""


class SetUp(Step, frozen=True):
    """Before the first turn: fortifications are announced, sections that burn from the start are lit."""


class Arrive(Step, frozen=True):
    """A reserve comes on, by an edge of the map or on one of `places`."""

    unit: int
    edge: str
    places: tuple[int, ...]


class ArriveAt(Ask, frozen=True):
    """Where does the reserve come on?"""

    unit: int
    edge: str = ""
    places: tuple[int, ...] = ()


# ---- where units can begin


def can_begin_at(scenario: Scenario, kind: UnitType, place: int) -> bool:
    """Whether a type of unit can be set up on a space, other units aside: strongpoints in sections of their type, turrets on
    ground or roofs, vehicles on ground, none in water."""
    space = scenario.board.spaces[place]
    closed = space.kind == "floor" and scenario.is_closed(space.section)
    return fits(scenario.board, kind, place, closed)


def fits(board: Board, kind: UnitType, place: int, closed: bool) -> bool:
    """Whether a type of unit can be on a space at all. `closed`: no unit enters its section by the doors."""
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


def refuse(scenario: Scenario, number: int, place: int) -> Refusal:
    """Why a force cannot begin on a place, other units aside."""
    kind = TYPES[scenario.forces[number].type]
    if can_begin_at(scenario, kind, place):
        return None
    where = {
        "strongpoint": "put it into a section of type strongpoint",
        "turret": "put it on open ground or a flat roof",
        "vehicle": "put it outdoors",
    }
    what = f"units of type {kind.name!r} cannot begin at {scenario.board.spaces[place].name!r}"
    return what, where.get(kind.kind, "place it elsewhere")


def room(scenario: Scenario, place: int, here: Sequence[int], number: int) -> bool:
    """Whether there is room: two units of one side can share a space."""
    forces = scenario.forces
    return len(here) < ground.ROOM and forces[here[0]].side == forces[number].side


DEPLOYMENT = Deployment(
    types=TYPES,
    refuse=refuse,
    room=room,
    holds="a space holds two units of one side",
    makes_way=lambda kind: kind.foot,
)


# ---- set-up


def set_up(r: Resolution, step: SetUp) -> None:
    """Fortifications are announced by type; sections on fire from the start burn."""
    board, state = r.board, r.state
    for section in board.sections:
        make = works.make_of(board, section.id)
        if make.type != "building":
            clauses = (*make.clauses, *(("AC-HOUSE-DATA",) if make.screen else ()))
            r.emit(facts_buildings.SECTIONS[make.type](section=section.id, number=make.wall, clauses=clauses))
    for work in battle_state(state).fieldworks:
        clauses = ("AC-TYPE-2", WORK_CLAUSES[work.kind], "AC-HOUSE-STRUCT")
        r.emit(facts_buildings.WORKS[work.kind](place=work.place, number=work.wall, clauses=clauses))
    for unit in state.units.values():
        if unit.place >= 0 and _crew_served(state, board, unit):
            r.emit(facts_buildings.Crew(unit=unit.id, place=unit.place, clauses=("AC-TYPE-11",)))
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
    """Ask a side where its reserve comes on."""
    unit = r.state.units[step.unit]
    if unit.alive:
        r.then(ArriveAt(unit.id, step.edge, step.places, side=unit.side))


def comes_on(board: Board, place: int) -> bool:
    """Whether a reserve can come on at a place: dry ground."""
    space = board.spaces[place]
    return space.kind == "ground" and space.terrain != "water"


def legal_arrive_at(state: State, board: Board, ask: ArriveAt) -> Sequence[Answer]:
    """Free ground, by number, MOST_PLACES at most; Pass if there is none."""
    unit = state.units[ask.unit]

    def is_free(place: int) -> bool:
        return comes_on(board, place) and ground.has_room(state, place, unit.side)

    return places_to_arrive(board, ask.edge, ask.places, is_free)


def resolve_arrive_at(r: Resolution, ask: ArriveAt, said: Answer) -> None:
    """The reserve comes on, or tries again next turn if no place is left. If a hidden enemy holds the place that it chose, each
    finds the other, and it comes on at the nearest other place where nobody is in its way."""
    clauses = ("AC-HOUSE-RESERVE",)
    unit = r.state.units[ask.unit]
    near = _nearest(r, ask, said.place) if isinstance(said, MoveTo) else []
    held = list(itertools.takewhile(lambda place: ground.foes_at(r.state, place, unit.side), near))
    if len(held) == len(near):
        again = Arrive(unit.id, ask.edge, ask.places)
        try_next_turn(r, (unit.id,), again, ARRIVE_PRIORITY, clauses)
        return
    place = near[len(held)]
    r.set(unit.id, clauses, arrives=0)
    r.because(facts.Arrived(unit=unit.id, place=place, clauses=clauses))
    come_on(r, unit, place, clauses)
    for taken in held:
        concealment.run_into(r, unit.id, ground.foes_at(r.state, taken, unit.side), taken)
    if held:
        # Who cannot see the other from where it stands does not know it any longer.
        concealment.lose_sight(r, (unit.id,))
    flames.enter(r, unit.id, flames.ON_ARRIVAL)


def _nearest(r: Resolution, ask: ArriveAt, chosen: int) -> list[int]:
    """The places that a reserve may come on at, the chosen one first, then by their distance from it."""
    offered = [one.place for one in legal_arrive_at(r.state, r.board, ask) if isinstance(one, MoveTo)]
    return sorted(offered, key=lambda place: (r.board.distance(chosen, place), place))


CHAPTER = Chapter(
    owns=("AC-HOUSE-RESERVE", "AC-TYPE-11"),
    asks={ArriveAt: (legal_arrive_at, resolve_arrive_at)},
    steps={SetUp: set_up, Arrive: arrive},
)
