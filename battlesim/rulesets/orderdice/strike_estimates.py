"""The expected outcomes of barrages, air strikes and single shells in a position, for friend and foe.

Like `estimates.py` for fire: this finds the units in reach, and `expected_strikes.py` computes the result. Nothing here decides
a rule. Read `barrage`.
"""

from __future__ import annotations

from battlesim.board.board import Board
from battlesim.core.geometry import INCH
from battlesim.core.state import State, Unit
from battlesim.evaluation.distributions import face_at_least
from battlesim.rulesets.orderdice import (
    expected,
    expected_strikes,
    fire,
    ground,
    he,
    morale,
    strikes,
    structures,
    vehicles,
)
from battlesim.rulesets.orderdice.armament import ARMOURED
from battlesim.rulesets.orderdice.estimates import Outcome, fall_hits
from battlesim.rulesets.orderdice.expected import NO_HARM, Toll
from battlesim.rulesets.orderdice.expected_strikes import Struck
from battlesim.rulesets.orderdice.model import DOWN, type_of, unit_state


def struck_by(state: State, board: Board, unit: Unit, shell: int) -> Struck:
    """A unit as the target of a shell of a class from above."""
    kind, mine, power = type_of(unit), unit_state(unit), he.SHELLS[shell].penetration
    if kind.vehicle:
        harm = vehicles.margin(0, power, vehicles.TOP, False, kind.armour)
    elif ground.in_bunker(board, unit):
        harm = NO_HARM
    else:
        harm = fire.damage_need(mine.quality, power, False)
    bonus = morale.officer_bonus(state, board, unit)
    down = mine.order == DOWN
    soft = kind.armour < ARMOURED
    return Struck(unit.models, mine.quality, mine.pins, bonus, down, harm, soft, kind.vehicle)


def burst_on(state: State, board: Board, unit: Unit, shell: int) -> Toll:
    """The toll of one shell that has hit a unit (OD-HE)."""
    section = ground.section_of(board, unit.place)
    falls = fall_hits(board, section.id, shell) if section is not None else 0
    return expected_strikes.shelled(struck_by(state, board, unit, shell), shell, falls)


def barrage(state: State, board: Board, place: int) -> tuple[Outcome, ...]:
    """The expected outcomes of a barrage on an aiming point: one for the open, one for each building in reach (OD-BARR-2)."""
    longest = strikes.REACH + 6 * INCH
    outdoors, indoors = strikes.in_reach(state, board, place, longest)
    point = board.spaces[place].point
    aimed = ground.section_of(board, place)
    found: list[Outcome] = []
    tolls: list[tuple[Unit, Toll]] = []
    for number in outdoors:
        unit = state.units[number]
        toll = expected_strikes.under_barrage(struck_by(state, board, unit, strikes.HOWITZER), 0)
        tolls.append((unit, _perhaps(toll, _reached(board.distance(place, unit.place)))))
    found.append(Outcome(tuple(tolls)))
    if aimed is not None and aimed.id not in indoors and structures.is_standing(state, aimed.id):
        indoors[aimed.id] = []
    for section in sorted(indoors):
        chance = _reached(board.gap_to_section(point, section))
        enough = fall_hits(board, section, strikes.HOWITZER)
        falls = expected_strikes.barrage_falls(max(1, len(indoors[section])), enough)
        tolls = []
        for number in indoors[section]:
            unit = state.units[number]
            mine = struck_by(state, board, unit, strikes.HOWITZER)
            toll = expected_strikes.under_barrage(mine, enough)
            # The additional chance that the building falls by hits on the other units.
            more = (falls - toll.falls) / (1.0 - toll.falls)
            tolls.append((unit, _perhaps(expected_strikes.buried(toll, more, unit.models), chance)))
        found.append(Outcome(tuple(tolls), section, chance * falls))
    return tuple(found)


def _reached(gap: int) -> float:
    """The chance that a barrage reaches across a gap: its reach is 6 inches plus a D6."""
    need = -(-(gap - strikes.REACH) // INCH)
    return face_at_least(max(need, 1))


def _perhaps(toll: Toll, chance: float) -> Toll:
    """A toll that applies with some chance."""
    return Toll(chance * toll.lost, chance * toll.pins, chance * toll.gone, chance * toll.falls)


def air_strike(state: State, board: Board, target: int, place: int) -> tuple[Outcome, ...]:
    """The expected outcome of an air strike on a unit, or (-1) on an empty building (OD-AIR)."""
    section = ground.section_of(board, place)
    caught = () if section is not None else he.caught(state, board, place, strikes.BOMB)
    falls = 0
    floors: tuple[float, ...] = ()
    if section is not None:
        falls, floors = (
            fall_hits(board, section.id, strikes.BOMB),
            expected.floor_chances(len(section.spaces)),
        )
    tolls: list[tuple[Unit, Toll]] = []
    for unit in state.units.values():
        if not unit.alive or unit.place < 0:
            continue
        aimed = unit.id == target
        if not aimed and strikes.gap(board, place, unit.place) > strikes.AIR_PINS:
            continue
        space = board.spaces[unit.place]
        inside = section is not None and space.kind == "floor" and space.section == section.id
        lands = floors[space.floor] if inside else float(unit.id in caught)
        mine = struck_by(state, board, unit, strikes.BOMB)
        pins = (1, 3) if aimed else (1, 1)
        tolls.append((unit, expected_strikes.bombed(mine, *pins, lands, falls if inside else 0)))
    if section is None:
        return (Outcome(tuple(tolls)),)
    return (Outcome(tuple(tolls), section.id, expected.fall_chance(strikes.BOMB, falls)),)
