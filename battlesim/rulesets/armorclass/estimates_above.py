"""The expected outcomes of indirect fire: shells on target and astray, on roofs and in the open, nuclear warheads.

Nothing here decides a rule. Read `lobbed`.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Mapping, Sequence
from math import prod
from typing import NamedTuple

from battlesim.board.board import Board
from battlesim.core.geometry import FACINGS, INCH, Point
from battlesim.core.memo import owned_memo
from battlesim.core.state import State, Unit
from battlesim.rulesets.armorclass import damage, expected, fire, flames, indirect, works
from battlesim.rulesets.armorclass.data import D10
from battlesim.rulesets.armorclass.expected import Blow, Toll, at_most, goes_through
from battlesim.rulesets.armorclass.fire import Group
from battlesim.rulesets.armorclass.model import battle_state
from battlesim.rulesets.armorclass.outcomes import (
    Outcome,
    caught_by,
    points_cost,
    points_left,
    starts_on,
    target_of,
    work_struck,
)

# ---- from above ------------------------------------------------------------------------------------------------------


class Landing(NamedTuple):
    """Where a shell may land: on the roof of a section (-1: none), else on ground spaces. `chance`: among shells that stray."""

    section: int
    places: tuple[int, ...]
    chance: float


Chances = tuple[Mapping[int, float], Mapping[int, float]]
"""The chances that a shell lands on each section, and meets each ground space; 0 for those left out."""


@owned_memo(bound=4_000)
def landings(board: Board, place: int, radius: int, fallen: frozenset[int]) -> tuple[Landing, ...]:
    """Where shells aimed at a space may land. The first landing is on target; the others are astray by D10 inches in one of
    eight directions."""
    x, y = board.spaces[place].point
    farthest = D10 * INCH + max(radius, indirect.NEAR)
    near = sorted(
        [
            s
            for s in board.spaces
            if s.kind == "ground" and abs(s.x - x) <= farthest and abs(s.y - y) <= farthest
        ],
        key=lambda s: s.x,
    )
    columns, reach = [s.x for s in near], max(radius, indirect.NEAR)
    over = [
        one
        for one in indirect.outlines(board)
        if one.west - farthest <= x <= one.east + farthest
        and one.south - farthest <= y <= one.north + farthest
        and one.section.id not in fallen
    ]

    def met_at(point: Point) -> tuple[int, tuple[int, ...]]:
        if not indirect.is_on_board(board, point):
            return -1, ()
        section = indirect.section_at(over, point)
        if section >= 0:
            return section, ()
        west, east = bisect_left(columns, point[0] - reach), bisect_right(columns, point[0] + reach)
        return -1, tuple(sorted(indirect.struck_ground(near[west:east], point, radius)))

    found: dict[tuple[int, tuple[int, ...]], float] = {}
    for way in range(len(FACINGS)):
        for inches in range(1, D10 + 1):
            met = met_at(indirect.off_by(board, place, way, inches))
            found[met] = found.get(met, 0.0) + 1 / (len(FACINGS) * D10)
    return (Landing(*met_at((x, y)), 1.0), *(Landing(*met, chance) for met, chance in found.items()))


@owned_memo(bound=4_000)
def met_by_shells(board: Board, place: int, radius: int, fallen: frozenset[int], hits: float) -> Chances:
    """The chances that a shell aimed at a space lands on each section, and meets each ground space. `hits`: that it is on
    target."""
    on_roof: dict[int, float] = {}
    on_ground: dict[int, float] = {}
    aimed_at, *astray = landings(board, place, radius, fallen)
    for landing, share in ((aimed_at, hits), *((one, (1.0 - hits) * one.chance) for one in astray)):
        if landing.section >= 0:
            on_roof[landing.section] = on_roof.get(landing.section, 0.0) + share
        for met in landing.places:
            on_ground[met] = on_ground.get(met, 0.0) + share
    return on_roof, on_ground


def lobbed(state: State, board: Board, unit: Unit, place: int, ghost: Unit | None = None) -> Outcome:
    """Indirect fire at a space: shells on target and astray, which may hit friend and foe."""
    far = board.distance(unit.place, place)
    groups = [g for g in fire.groups_of(unit) if g.weapon.indirect and g.weapon.range >= far]
    hits = at_most(indirect.lob_need(state, unit))
    everybody = [other for other in state.units.values() if other.alive and other.place >= 0]
    if ghost is not None:
        everybody.append(ghost)
    if any(group.weapon.type == damage.NUCLEAR for group in groups):
        return _nuclear(state, board, place, hits, groups, everybody)
    chances = [met_by_shells(board, place, group.weapon.radius, state.down, hits) for group in groups]
    tolls = []
    for other in everybody:
        blows, stands = _shells_on(state, board, other, groups, chances)
        if blows:
            tolls.append((other, expected.toll(blows, target_of(other), stands)))
    return _place_shelled(state, board, place, groups, chances, tuple(tolls))


def _roof_blow(state: State, board: Board, section: int, group: Group, hit: float) -> Blow:
    """A shell's blow on the roof over the highest floor that has one."""
    weapon, make = group.weapon, works.make_of(board, section)
    fells = battle_state(state).options.damage == "guidelines" and fire.covers_half(
        weapon.radius, make.area, half=False
    )
    through = goes_through(weapon.factor, make.roof)
    return Blow(
        group.shots, hit, through, 1.0, 0.0, (), points_cost(battle_state(state).options, weapon), fells
    )


def _shells_on(
    state: State,
    board: Board,
    unit: Unit,
    groups: Sequence[Group],
    chances: Sequence[Chances],
) -> tuple[tuple[Blow, ...], int]:
    """The blows of shells on a unit where it is, and the structure points of the section it is in (else 0)."""
    space = board.spaces[unit.place]
    if space.kind == "floor":
        if not any(space.section in on_roof for on_roof, _ in chances):
            return (), 0
    elif not any(unit.place in on_ground for _, on_ground in chances):
        return (), 0
    armour = works.armour_of(board, unit)
    found: list[Blow] = []
    if space.kind != "floor":
        work = works.fieldwork(state, unit.place)
        over = work.roof if work is not None and works.shelters(state, work, unit) else 0
        for group, (_, on_ground) in zip(groups, chances, strict=True):
            hit = on_ground.get(unit.place, 0.0)
            if hit:
                weapon = group.weapon
                caught = caught_by(unit.models, weapon.radius, fire.OPEN_AREA, False)
                through = goes_through(weapon.factor, over) if over else 1.0
                found.append(
                    Blow(group.shots, hit, through, 1.0, goes_through(weapon.factor, armour), caught)
                )
        return tuple(found), 0
    section, stands = space.section, points_left(state, board, space.section)
    met = dict(indirect.met_from_above(state, board, unit.place))
    for group, (on_roof, _) in zip(groups, chances, strict=True):
        hit = on_roof.get(section, 0.0)
        if not hit:
            continue
        blow = _roof_blow(state, board, section, group, hit)
        caught = caught_by(unit.models, group.weapon.radius, works.make_of(board, section).area, False)
        pierce = goes_through(group.weapon.factor, armour)
        if unit.place not in met:  # below the floor under the roof
            found.append(blow._replace(inside=0.0, fells=False))
        else:  # on a flat roof there is nothing over it
            found.append(blow._replace(pierce=pierce, caught=caught, exposed=space.roof))
    return tuple(found), stands


def _place_shelled(
    state: State,
    board: Board,
    place: int,
    groups: Sequence[Group],
    chances: Sequence[Chances],
    tolls: tuple[tuple[Unit, Toll], ...],
) -> Outcome:
    """The effects on the building, field work or plants that shells are aimed at. In a building the floor under the roof is
    struck, whatever floor is the target."""
    space = board.spaces[place]
    if space.kind == "floor":
        place = indirect.met_from_above(state, board, place)[-1][0]
    options = battle_state(state).options
    fires = options.fires and not flames.is_burning(state, board, place)
    unlit = 1.0
    if space.kind == "floor":
        section = space.section
        stands = points_left(state, board, section)
        blows = tuple(
            _roof_blow(state, board, section, group, on_roof.get(section, 0.0))
            for group, (on_roof, _) in zip(groups, chances, strict=True)
        )
        if fires and flames.has_fuel(state, board, place) and flames.roof_burns(state, board, section):
            for blow, group in zip(blows, groups, strict=True):
                unlit *= (1.0 - blow.hit * at_most(starts_on(options, group))) ** blow.shots
        falls = expected.falls(blows, stands)
        burns = (1.0 - unlit) * _standing_share([(blow.shots, blow.hit) for blow in blows], falls)
        points = expected.points_lost(blows, stands) if stands else 0.0
        return Outcome(tolls, place, falls, burns=burns, points=points)
    work = works.fieldwork(state, place)
    falls = points = 0.0
    if work is not None:
        shells = [
            Blow(
                g.shots,
                on_ground.get(place, 0.0),
                goes_through(g.weapon.factor, work.roof or work.wall),
                1.0,
                0.0,
            )
            for g, (_, on_ground) in zip(groups, chances, strict=True)
        ]
        falls, points = work_struck(state, place, shells, groups, half=False)
    plants = flames.has_plants(state, board, place)
    burning_work = work is not None and (work.roof_burns if work.roof else work.burns)
    if fires and (plants or burning_work):
        for group, (_, on_ground) in zip(groups, chances, strict=True):
            unlit *= (1.0 - on_ground.get(place, 0.0) * at_most(starts_on(options, group))) ** group.shots
    shells_here = [
        (g.shots, on_ground.get(place, 0.0)) for g, (_, on_ground) in zip(groups, chances, strict=True)
    ]
    burns = (1.0 - unlit) * (1.0 if plants else _standing_share(shells_here, falls))
    return Outcome(tolls, place, falls, burns=burns, points=points)


def _standing_share(shells: Sequence[tuple[int, float]], falls: float) -> float:
    """The share of hits after which the target still stands: what is destroyed does not burn."""
    hit = 1.0 - prod((1.0 - chance) ** shots for shots, chance in shells)
    return (hit - falls) / hit if hit else 0.0


@owned_memo(bound=500)
def _blasts(
    board: Board, place: int, radius: int
) -> tuple[tuple[frozenset[int], frozenset[int], float], ...]:
    """What a nuclear warhead astray may destroy: (sections, spaces, chance)."""
    found: dict[tuple[frozenset[int], frozenset[int]], float] = {}
    for way in range(len(FACINGS)):
        for inches in range(1, D10 + 1):
            blast = _blast(board, indirect.off_by(board, place, way, inches), radius)
            found[blast] = found.get(blast, 0.0) + 1 / (len(FACINGS) * D10)
    return tuple((*blast, chance) for blast, chance in found.items())


def _blast(board: Board, point: tuple[int, int], radius: int) -> tuple[frozenset[int], frozenset[int]]:
    if not indirect.is_on_board(board, point):
        return frozenset(), frozenset()
    sections = [s.id for s in board.sections if board.gap_to_section(point, s.id) <= radius]
    spaces = [s.id for s in board.spaces if (s.x - point[0]) ** 2 + (s.y - point[1]) ** 2 <= radius**2]
    return frozenset(sections), frozenset(spaces)


def _nuclear(
    state: State, board: Board, place: int, hits: float, groups: Sequence[Group], everybody: Sequence[Unit]
) -> Outcome:
    """A nuclear warhead destroys everything around its impact (AC-DEST-2), a building from the ground floor up."""
    radius = max(group.weapon.radius for group in groups if group.weapon.type == damage.NUCLEAR)
    blasts = [(*_blast(board, board.spaces[place].point, radius), hits)]
    blasts += [(one, other, (1.0 - hits) * share) for one, other, share in _blasts(board, place, radius)]
    gone: dict[int, float] = {}
    razed = 0.0
    here = board.spaces[place]
    for sections, spaces, share in blasts:
        for unit in everybody:
            space = board.spaces[unit.place]
            if (space.section in sections) if space.kind == "floor" else (unit.place in spaces):
                gone[unit.id] = gone.get(unit.id, 0.0) + share
        if (here.section in sections) if here.kind == "floor" else (place in spaces):
            razed += share
    tolls = []
    for unit in everybody:
        if unit.id in gone:
            target, chance = target_of(unit), gone[unit.id]
            worth = expected.worth_at(target, expected.condition_of(target))
            tolls.append((unit, Toll(chance * unit.models, chance * worth, chance)))
    built = here.kind == "floor" or works.fieldwork(state, place) is not None
    falls = razed if built and battle_state(state).options.damage != "ignored" else 0.0
    struck = board.sections[here.section].spaces[0] if here.kind == "floor" else place
    return Outcome(tuple(tolls), struck, falls)
