"""Sections that fall and sections that burn, and getting out of them (OD-HE-5, OD-LARGE-3, OD-FLAME-3, OD-FLAME-4,
OD-BUNK-3, the bailing out of OD-HOUSE-TRANSPORT).

Shells, strikes, barrages and tanks bring a section down by `collapse`, flamethrowers set it on fire by `burn`; transports
empty by `bail_out` as well. Read `collapse` first.
"""

from __future__ import annotations

from collections.abc import Sequence

from battlesim.board.board import Board
from battlesim.core.answers import Answer, MoveTo, Pass
from battlesim.core.events import StructureSet
from battlesim.core.geometry import INCH, Point, distance
from battlesim.core.items import Ask
from battlesim.core.state import State, Unit, fallen
from battlesim.rules.contract import Chapter
from battlesim.rules.resolution import Clauses, Resolution
from battlesim.rulesets.orderdice import bunkers, casualties, facts_buildings, ground, morale
from battlesim.rulesets.orderdice.model import type_of, unit_state
from battlesim.rulesets.orderdice.structures import can_burn, is_burning, is_standing

HITS = 10
"""Hits of one attack, before any halving, that bring a house down (OD-HE-5, OD-AIR-4, OD-BARR-3); bunkers have their own
number."""
BAIL_OUT = 6 * INCH
"""Who bails out is placed within this distance of the building (OD-HOUSE-TRANSPORT)."""


class BailOut(Ask, frozen=True):
    """Where does a unit that must get out go? `section`: the building it leaves, or `hull`: the space of the transport (the other
    is -1). Pass only if no place is free: the unit is destroyed."""

    unit: int
    section: int = -1
    hull: int = -1


# ---- falling ---------------------------------------------------------------------------------------------------------


def occupants(state: State, board: Board, section: int) -> list[Unit]:
    """The units on all floors of a section, by id."""
    found = [unit for place in board.sections[section].spaces for unit in state.at.get(place, ())]
    return [state.units[unit] for unit in sorted(found)]


def brings_down(board: Board, section: int, hits: int) -> bool:
    """Whether the hits of one attack are enough to bring a section down. The caller checks that the attack can do it at all:
    shells of 2D6 hits or more, strikes and barrages."""
    return hits >= (bunkers.HITS if bunkers.is_bunker(board.sections[section]) else HITS)


def collapse(r: Resolution, section: int, how: str, clauses: Clauses = (), hits: int = 0) -> None:
    """A section falls: all units on its floors are destroyed, and rubble takes its place. Nothing happens if it has already
    fallen. `how`: the word for the losses; `hits`: those of the attack (for the story). Its neighbours stand: each section is a
    building of its own (OD-LARGE-3)."""
    if not is_standing(r.state, section):
        return
    before = r.cause
    if len(r.board.buildings[r.board.sections[section].building]) > 1:
        clauses = (*clauses, "OD-LARGE-3")
    r.because(facts_buildings.Collapsed(section=section, number=hits, clauses=clauses))
    for unit in occupants(r.state, r.board, section):
        casualties.destroy(r, unit.id, how, clauses)
    r.emit(StructureSet(section, True, is_burning(r.state, section), clauses=clauses))
    r.cause = before  # what comes next, such as the damage to a tank, is not an effect of the fall


# ---- burning ---------------------------------------------------------------------------------------------------------


def burn(r: Resolution, section: int, clauses: Clauses = ("OD-FLAME-3",)) -> None:
    """A section catches fire: no unit enters it from now on, artillery in it is destroyed, infantry leaves at once. Nothing
    happens if it cannot burn."""
    if not can_burn(r.state, r.board, section):
        return
    r.because(facts_buildings.Burning(section=section, clauses=clauses))
    r.emit(StructureSet(section, False, True, clauses=clauses))
    leaving: list[int] = []
    for unit in occupants(r.state, r.board, section):
        if type_of(unit).infantry:
            leaving.append(unit.id)
        else:
            casualties.destroy(r, unit.id, "burnt", ("OD-FLAME-4",))
    bail_out(r, leaving, section=section)


# ---- getting out -----------------------------------------------------------------------------------------------------


def bail_out(r: Resolution, units: Sequence[int], section: int = -1, hull: int = -1) -> None:
    """Units get out of a burning section, or of a transport that is or was at `hull`. Their sides say where to, in the order
    given. Passengers may still have the transport's id in `aboard`."""
    r.then(*(BailOut(unit, section, hull, side=r.state.units[unit].side) for unit in units))


def legal_bail_out(state: State, board: Board, ask: BailOut) -> Sequence[Answer]:
    """Free outdoor spaces within 6 inches of the hull or of a ground-floor opening, by distance and id; Pass if there is none, or
    if the unit is destroyed."""
    unit = state.units[ask.unit]
    if not unit.alive:
        return (Pass(),)
    places = [MoveTo(place) for place in exits(state, board, ask) if ground.holds(state, place)]
    return places or (Pass(),)


def exits(state: State, board: Board, ask: BailOut) -> list[int]:
    """Outdoor spaces, occupied or not, where a unit that gets out can be placed, by distance and id."""
    points = [board.spaces[ask.hull].point] if ask.section < 0 else _ways_out(board, ask.section)
    west, east = min(x for x, _ in points) - BAIL_OUT, max(x for x, _ in points) + BAIL_OUT
    south, north = min(y for _, y in points) - BAIL_OUT, max(y for _, y in points) + BAIL_OUT
    down = fallen(state)
    found: list[tuple[int, int]] = []
    for space in board.spaces:
        if not (west <= space.x <= east and south <= space.y <= north):
            continue
        if space.kind == "floor" or space.terrain == "water":
            continue
        if space.kind == "ruin" and space.section not in down:
            continue
        gap = min(distance(space.point, point) for point in points)
        if gap <= BAIL_OUT:
            found.append((gap, space.id))
    return [place for _, place in sorted(found)]


def _ways_out(board: Board, section: int) -> list[Point]:
    """The ground-floor openings of a section that people can climb through; its middle if it has none."""
    house = board.sections[section]
    openings = [board.openings[number] for number in house.openings[0]]
    points = [opening.point for opening in openings if bunkers.lets_people_through(house, opening)]
    return points or [board.spaces[house.spaces[0]].point]


def resolve_bail_out(r: Resolution, ask: BailOut, said: Answer) -> None:
    """The unit is placed there, takes a pin, and goes Down if it had not acted. It is destroyed if no place is free
    (OD-HOUSE-TRANSPORT)."""
    unit = r.state.units[ask.unit]
    if not unit.alive:
        return
    clauses: Clauses = ("OD-HOUSE-TRANSPORT",) if ask.section < 0 else ("OD-FLAME-4", "OD-HOUSE-TRANSPORT")
    if not isinstance(said, MoveTo):
        casualties.destroy(r, unit.id, "no way out", clauses)
        return
    path = (unit.place, said.place) if unit.place >= 0 else (said.place,)
    r.because(facts_buildings.BailedOut(unit=unit.id, place=said.place, section=ask.section, clauses=clauses))
    r.move(unit, path, clauses)
    r.set(unit.id, clauses, opening=-1, aboard=-1)
    morale.add_pins(r, unit.id, 1, clauses)
    unit = r.state.units[unit.id]
    if unit.alive and unit_state(unit).order == "":
        morale.go_down(r, unit, "bailed out", clauses)


CHAPTER = Chapter(
    asks={BailOut: (legal_bail_out, resolve_bail_out)},
)
