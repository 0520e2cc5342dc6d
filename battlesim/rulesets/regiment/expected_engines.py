"""Where engine shots may go and what they are expected to do: balls, stones, flames, breath and bolts (RG-HOUSE-AIM).

The courses of a shot depend on the ground alone and are memoized with the board; the units there are looked up in the state.
Nothing here decides a rule. Read `engine`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from battlesim.board.board import Board
from battlesim.core.geometry import Point, distance
from battlesim.core.memo import owned_memo
from battlesim.core.state import State, Unit
from battlesim.evaluation.distributions import Distribution, convolve, mixture
from battlesim.rulesets.regiment import (
    ballistics,
    battery,
    casualties,
    estimates,
    expected,
    form,
    ground,
    line_of_sight,
    targets,
    templates,
)
from battlesim.rulesets.regiment.data import Weapon
from battlesim.rulesets.regiment.estimates import Outcome
from battlesim.rulesets.regiment.expected import Toll
from battlesim.rulesets.regiment.model import FLANK, leads, unit_state
from battlesim.rulesets.regiment.rooms import Room
from battlesim.rulesets.regiment.tables import hit_chance

FACES = 6
"""Of the artillery die."""
FLIES = (FACES - 1) / FACES
"""The chance that an engine does not misfire."""
BURSTS = 1 / FACES * 2 / FACES
"""The chance that it misfires and is destroyed (RG-HOUSE-CREW)."""
STRAIGHT = 2 / FACES
"""The chance that a stone lands where it was aimed."""
FARTHEST = battery.artillery_length(FACES) + templates.EDGE
"""How far from its aim a stone may hit a unit."""


class Hit(NamedTuple):
    """One way a shot may hit a unit: its chance, the wounds, and the chance that the room becomes unstable."""

    chance: float
    wounds: Distribution
    walls: float = 0.0


Hits = dict[int, list[Hit]]
"""The ways a shot may hit units, by unit; those of one unit exclude each other."""


def engine(state: State, board: Board, unit: Unit, target: Unit) -> Outcome:
    """The expected outcome of a shot by an engine, a bolt thrower or a breath weapon, for every unit it may hit and for
    itself."""
    weapon = targets.weapon_of(unit)
    assert weapon is not None
    hits: Hits = {}
    place, unstable = _WAYS[weapon.way](state, board, unit, target, weapon, hits)
    tolls: list[tuple[Unit, Toll]] = []
    for number, ways in sorted(hits.items()):
        other = state.units[number]
        mark = estimates.mark_of(state, board, other, unit.place, other.side == unit.side)
        total = Toll()
        for hit in ways:
            total = expected.plus(total, expected.toll(mark, hit.wounds, hit.walls), hit.chance)
        tolls += estimates.with_company(state, other, total)
    if weapon.way in ("cannon", "stone", "flame"):
        tolls.append((unit, Toll(BURSTS * casualties.wounds_left(unit), BURSTS, 0.0, BURSTS)))
    return Outcome(tuple(tolls), place, unstable)


def _add(hits: Hits, number: int, chance: float, wounds: Distribution, walls: float = 0.0) -> None:
    hits.setdefault(number, []).append(Hit(chance, wounds, walls))


def chance_to_shake(room: Room) -> float:
    """The chance that a D3 on the walls exceeds their level."""
    return max(0.0, (3 - room.level) / 3)


# ---- cannon --------------------------------------------------------------------------------------------------------------


class Course(NamedTuple):
    """One course of a ball: its chance, the stretch of its line on which it hits units, and the section that it strikes directly
    or bounces into (-1: none)."""

    chance: float
    first: int
    last: int
    strikes: int
    enters: int


@owned_memo(bound=4_000)
def courses(board: Board, here: int, there: int) -> tuple[Course, ...]:
    """The courses of a ball from one space at a target on another."""
    found = []
    for flies in range(2, FACES + 1):
        first, section = ballistics.falls(board, here, there, battery.artillery_length(flies))
        if section is not None:
            found.append(Course(1 / FACES, first, first, section.id, -1))
            continue
        for bounce in range(1, FACES + 1):
            last, section = ballistics.bounces(board, here, there, first, battery.artillery_length(bounce))
            found.append(Course(1 / FACES**2, first, last, -1, -1 if section is None else section.id))
    return tuple(found)


def _cannon(
    state: State, board: Board, unit: Unit, target: Unit, weapon: Weapon, hits: Hits
) -> tuple[int, float]:
    a, b = board.spaces[unit.place].point, board.spaces[target.place].point
    line = ballistics.on_line(state, board, a, b)
    met: dict[int, float] = {}
    struck: dict[tuple[int, bool], float] = {}
    for course in courses(board, unit.place, target.place):
        if course.strikes >= 0:
            struck[course.strikes, True] = struck.get((course.strikes, True), 0.0) + course.chance
            continue
        for on, number in line:
            if ballistics.is_met(on, course.first, course.last):
                met[number] = met.get(number, 0.0) + course.chance
        if course.enters >= 0:
            struck[course.enters, False] = struck.get((course.enters, False), 0.0) + course.chance
    for number, chance in met.items():
        other = state.units[number]
        flank = ground.arc_of(board, other, unit.place) == FLANK
        models = form.front(other) if flank else form.ranks(other, None)
        left = casualties.wounds_left(other)
        _add(hits, number, chance, expected.struck(models, weapon.strength, other.kind, left, True))
    place, unstable = -1, 0.0
    for (section, direct), chance in struck.items():
        room = ballistics.struck_room(board, board.sections[section], direct)
        walls = chance_to_shake(room) if direct else 0.0
        if chance * walls > unstable:
            place, unstable = room.place, chance * walls
        held = ground.holder(state, room.place)
        if held is not None:
            left = casualties.wounds_left(held)
            rows = [
                (1 / 3, expected.struck(min(n, held.models), weapon.strength, held.kind, left, True))
                for n in (1, 2, 3)
            ]
            _add(hits, held.id, chance, mixture(rows), walls)
    return place, unstable


# ---- stones --------------------------------------------------------------------------------------------------------------


class Landing(NamedTuple):
    """Where a stone may land: the chance, the point, the section there (-1: none), whether it lands as aimed, and the sections
    that its splinters reach."""

    chance: float
    point: Point
    section: int
    as_aimed: bool
    rim: tuple[int, ...]


@owned_memo(bound=1_000)
def landings(board: Board, there: int) -> tuple[Landing, ...]:
    """Where a stone thrown at a space may land."""
    point = board.spaces[there].point
    found = [_landing(board, FLIES * STRAIGHT, point, True)]
    share = (1.0 - STRAIGHT) / FACES / 8
    for face in range(2, FACES + 1):
        for direction in range(8):
            drifted = templates.drifted(point, direction, battery.artillery_length(face))
            found.append(_landing(board, share, drifted, False))
    return tuple(found)


def _landing(board: Board, chance: float, point: Point, as_aimed: bool) -> Landing:
    section = ballistics.section_at(board, point)
    rim = tuple(s.id for s in templates.near_rim(board, point, section))
    return Landing(chance, point, -1 if section is None else section.id, as_aimed, rim)


def _stone(
    state: State, board: Board, unit: Unit, target: Unit, weapon: Weapon, hits: Hits
) -> tuple[int, float]:
    aimed = ground.room_of(board, target)
    fragile: dict[int, float] = {}
    outside = [
        (one, board.spaces[one.place].point)
        for one in state.units.values()
        if leads(one)
        and ground.outdoors(board, one.place)
        and board.distance(one.place, target.place) <= FARTHEST
    ]
    for landing in landings(board, target.place):
        if landing.section >= 0:
            section = board.sections[landing.section]
            room = ballistics.struck_room(board, section, True)
            if landing.as_aimed and aimed is not None and aimed.section == section.id:
                room = aimed
            fragile[room.place] = fragile.get(room.place, 0.0) + landing.chance * chance_to_shake(room)
            _on_garrison(state, weapon, room, landing.chance, chance_to_shake(room), hits)
        for other, point in outside:
            under = templates.models_under(other, distance(landing.point, point), landing.section >= 0)
            if under is None:
                continue
            holed, rest = under
            left = casualties.wounds_left(other)
            wounds = expected.struck(rest, weapon.strength, other.kind, left)
            if holed:
                hole = expected.struck(1, templates.HOLE_STRENGTH, other.kind, left, True)
                wounds = convolve(hole, wounds, left)
            _add(hits, other.id, landing.chance, wounds)
        for number in landing.rim:
            room = ballistics.struck_room(board, board.sections[number], False)
            _on_garrison(state, weapon, room, landing.chance, 0.0, hits)
    place = max(fragile, key=lambda one: (fragile[one], -one), default=-1)
    return place, fragile.get(place, 0.0)


def _on_garrison(
    state: State,
    weapon: Weapon,
    room: Room,
    chance: float,
    walls: float,
    hits: Hits,
    models: int = templates.UNDER,
) -> None:
    held = ground.holder(state, room.place)
    if held is not None:
        under = templates.garrisoned(held, models)
        left = casualties.wounds_left(held)
        _add(hits, held.id, chance, expected.struck(under, weapon.strength, held.kind, left), walls)


# ---- flames --------------------------------------------------------------------------------------------------------------


@owned_memo(bound=4_000)
def flames(board: Board, here: int, there: int) -> tuple[tuple[int, float], ...]:
    """How many infantry a flame from one space at a target on another may cover: (models, chance)."""
    found: dict[int, float] = {}
    for face in range(2, FACES + 1):
        models = templates.under_flame(board, here, there, battery.artillery_length(face))
        if models:
            found[models] = found.get(models, 0.0) + 1 / FACES
    return tuple(sorted(found.items()))


def _flame(
    state: State, board: Board, unit: Unit, target: Unit, weapon: Weapon, hits: Hits
) -> tuple[int, float]:
    for models, chance in flames(board, unit.place, target.place):
        _burn(state, board, target, weapon, models, chance, hits)
    return -1, 0.0


def _burn(
    state: State, board: Board, target: Unit, weapon: Weapon, models: int, chance: float, hits: Hits
) -> None:
    """So many models under a flame, with a chance."""
    room = ground.room_of(board, target)
    if room is not None:
        _on_garrison(state, weapon, room, chance, 0.0, hits, models)
        return
    left = casualties.wounds_left(target)
    under = templates.covered(target, models)
    _add(hits, target.id, chance, expected.struck(under, weapon.strength, target.kind, left))


def _breath(
    state: State, board: Board, unit: Unit, target: Unit, weapon: Weapon, hits: Hits
) -> tuple[int, float]:
    models = templates.under_breath(board, unit.place, target.place)
    _burn(state, board, target, weapon, models, 1.0, hits)
    return -1, 0.0


# ---- bolts ---------------------------------------------------------------------------------------------------------------


def _bolt(
    state: State, board: Board, unit: Unit, target: Unit, weapon: Weapon, hits: Hits
) -> tuple[int, float]:
    far = line_of_sight.flat_distance(board, unit, target)
    need = targets.need(board, unit, target, weapon, far)
    ranks = form.ranks(target, ground.room_of(board, target))
    left = casualties.wounds_left(target)
    wounds = expected.bolt(
        hit_chance(need), weapon.strength, target.kind, ranks, unit_state(target).wounds, left
    )
    _add(hits, target.id, 1.0, wounds)
    return -1, 0.0


_WAYS: dict[str, Callable[[State, Board, Unit, Unit, Weapon, Hits], tuple[int, float]]] = {
    "cannon": _cannon,
    "stone": _stone,
    "flame": _flame,
    "breath": _breath,
    "bolt": _bolt,
}
