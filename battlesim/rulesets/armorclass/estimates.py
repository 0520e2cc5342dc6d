"""What acts may be expected to do, in a position: fire of every kind, breaches, charges, assaults, fires (law 12).

This puts together what an act consists of, asking the chapters of the rules, and has it worked out by `expected.py` and
`expected_close.py`. Everybody who is in the way counts, friends as well. Nothing here decides a rule. Read `outcome_of`.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import prod

from battlesim.board.board import Board
from battlesim.board.model import SightLine
from battlesim.core.answers import Answer, TargetUnit
from battlesim.core.state import State, Unit
from battlesim.evaluation.distributions import any_of
from battlesim.rulesets.armorclass import (
    estimates_above,
    estimates_close,
    expected,
    fire,
    flames,
    shoot,
    targets,
    works,
)
from battlesim.rulesets.armorclass.expected import Blow, Toll, at_most, goes_through
from battlesim.rulesets.armorclass.fire import Group
from battlesim.rulesets.armorclass.line_of_sight import LineOfSight
from battlesim.rulesets.armorclass.model import (
    Breach,
    Demolish,
    Into,
    IntoHole,
    Lob,
    Search,
    Through,
    battle_state,
    unit_state,
)
from battlesim.rulesets.armorclass.outcomes import (
    NO_OUTCOME,
    Outcome,
    come_down,
    foes_at,
    on_unit,
    points_cost,
    points_left,
    sparing,
    starts_on,
    target_of,
    work_struck,
)


def outcome_of(
    look: LineOfSight, unit: Unit, answer: Answer, standing: bool, ghost: Unit | None = None
) -> Outcome:
    """What it comes to that a unit fires at something or works on it; `standing`: it neither moved nor will. `ghost`:
    an enemy that may be at the place of the answer though nobody has found it."""
    state = look.state
    if isinstance(answer, TargetUnit):
        return aimed(look, unit, state.units[answer.unit], standing)
    if isinstance(answer, Through):
        target = state.units[answer.unit]
        return through_wall(look, unit, target.place, answer.side, target)
    if isinstance(answer, Search):
        return through_wall(look, unit, answer.place, answer.side, None, ghost)
    if isinstance(answer, Into | IntoHole):
        return into_opening(look, unit, answer, standing, ghost)
    if isinstance(answer, Lob):
        return estimates_above.lobbed(state, look.board, unit, answer.place, ghost)
    if isinstance(answer, Breach):
        return estimates_close.breach(state, look.board, unit, answer.place, answer.side)
    if isinstance(answer, Demolish):
        return estimates_close.demolish(look.board, unit, state.units[answer.unit])
    return NO_OUTCOME


# ---- at somebody in sight --------------------------------------------------------------------------------------------


def aimed(look: LineOfSight, unit: Unit, target: Unit, standing: bool) -> Outcome:
    """Every weapon that reaches and could hurt fires at a unit in sight; others on its space lie in the same effect areas."""
    state, board = look.state, look.board
    line = targets.aim(look, unit, target)
    if line is None:
        return NO_OUTCOME
    groups = targets.hurting(board, targets.direct_groups(unit, line.distance), target)
    room = shoot.room_of(board, target.place)
    blows = [
        Blow(
            group.shots,
            at_most(shoot.hit_need(state, board, unit, target, line, group.weapon.range, standing)),
            1.0,
            1.0,
            0.0,
        )
        for group in groups
    ]
    tolls = [(target, expected.toll(on_unit(target, blows, board, groups, room, False), target_of(target)))]
    for other in foes_at(state, target.place, unit.side):
        if other.id != target.id:
            areas = [(b, g) for b, g in zip(blows, groups, strict=True) if g.weapon.radius]
            if areas:
                struck = on_unit(other, [b for b, _ in areas], board, [g for _, g in areas], room, False)
                tolls.append((other, expected.toll(struck, target_of(other))))
    return Outcome(tuple(tolls), target.place, burns=_burns_about(state, board, target, blows, groups))


def _burns_about(
    state: State, board: Board, target: Unit, blows: Sequence[Blow], groups: Sequence[Group]
) -> float:
    """The chance that fire breaks out where a unit in sight is fired at: plants by all that is fired, cover by what misses."""
    place = target.place
    if not battle_state(state).options.fires or flames.is_burning(state, board, place):
        return 0.0
    if flames.has_plants(state, board, place):
        strikes = [1.0] * len(groups)
    elif _cover_burns(state, board, target):
        strikes = [
            1.0 if group.weapon.radius else 1.0 - blow.hit**group.shots
            for blow, group in zip(blows, groups, strict=True)
        ]
    else:
        return 0.0
    struck = on_unit(target, blows, board, groups, shoot.room_of(board, place), False)
    gone = [expected.toll(struck[: n + 1], target_of(target)).gone for n in range(len(struck))]
    return _fieriest(blows, strikes, gone, [starts_on(state, group) for group in groups])


def _cover_burns(state: State, board: Board, target: Unit) -> bool:
    """Whether a unit is sheltered by something that what misses it may set alight."""
    space = board.spaces[target.place]
    if space.kind == "floor":
        return not space.roof and _wall_burns(state, board, target.place)
    work = works.fieldwork(state, target.place)
    return work is not None and work.burns and works.shelters(state, work, target)


def _fieriest(
    blows: Sequence[Blow], strikes: Sequence[float], gone: Sequence[float], needs: Sequence[int]
) -> float:
    """The chance that the fieriest of the weapons that strike what is about a target sets it alight. `strikes`: the chance of
    each to strike it; `gone`: that the target is dead after it, so that those that are left hold their fire."""
    alive, found, dead = {0: 1.0}, 0.0, 0.0
    for blow, struck, lost, need in zip(blows, strikes, gone, needs, strict=True):
        dies = (lost - dead) / (1.0 - dead) if dead < 1.0 else 0.0
        both = 0.0 if blow.shots == 1 and struck < 1.0 else struck * dies  # one shot cannot miss and kill
        after: dict[int, float] = {}
        for best, share in alive.items():
            more = max(best, need)
            found += share * (both * at_most(more) + (dies - both) * at_most(best))
            after[more] = after.get(more, 0.0) + share * (struck - both)
            after[best] = after.get(best, 0.0) + share * (1.0 - struck - dies + both)
        alive, dead = after, lost
    return found + sum(share * at_most(best) for best, share in alive.items())


def _wall_burns(state: State, board: Board, place: int) -> bool:
    """Whether what strikes the walls of a floor, or bursts in it, may set it alight."""
    return flames.has_fuel(state, board, place) and works.make_of(board, board.spaces[place].section).burns


# ---- through walls ---------------------------------------------------------------------------------------------------


def through_wall(
    look: LineOfSight, unit: Unit, place: int, side: int, target: Unit | None, ghost: Unit | None = None
) -> Outcome:
    """Fire at a wall or (side -1) the bank of a field work: at an enemy known to be behind it, or on suspicion."""
    state, board = look.state, look.board
    attack = targets.wall_attack(look, unit, place, side)
    if attack is None:
        return NO_OUTCOME
    _, wall, groups = attack
    inside = foes_at(state, place, unit.side, ghost)
    room, blows = (
        shoot.room_of(board, place),
        wall_blows(look, unit, place, side, wall, groups, target is not None),
    )
    found: list[tuple[Unit, Toll]] = []
    stands, section = 0, board.spaces[place].section if side >= 0 else -1
    if section >= 0:
        stands = points_left(state, board, section)
    for foe in inside:
        struck = on_unit(foe, blows, board, groups, room, True)
        if target is None:  # a shot without an effect area finds one of them
            struck = tuple(b if b.caught else b._replace(picked=1 / len(inside)) for b in struck)
        elif foe.id != target.id:
            struck = tuple(b if b.caught else b._replace(inside=0.0) for b in struck)
        found.append((foe, expected.toll(struck, target_of(foe), stands)))
    falls = breaches = points = 0.0
    bare = tuple(blows)
    if section >= 0:
        falls = expected.falls(bare, stands)
        points = expected.points_lost(bare, stands) if stands else 0.0
        if falls:
            found += come_down(state, board, place, sparing(blows), stands, [foe.id for foe in inside])
        if battle_state(state).options.damage == "guidelines" and side not in works.breached_sides(
            state, section, board.spaces[place].floor
        ):
            breaches = 1.0
            for blow, group in zip(blows, groups, strict=True):
                if group.weapon.radius:
                    breaches *= 1.0 - any_of(blow.shots, blow.hit * blow.wall)
            breaches = 1.0 - breaches
    else:
        falls, points = work_struck(state, place, blows, groups, half=True)
    return Outcome(
        tuple(found),
        place,
        falls,
        breaches,
        _burns_behind(state, board, place, side, blows, groups, falls),
        points,
    )


def wall_blows(
    look: LineOfSight, unit: Unit, place: int, side: int, wall: int, groups: Sequence[Group], known: bool
) -> list[Blow]:
    """Weapons as they strike a wall of some class: whether they come through, and what they do to it."""
    state, board = look.state, look.board
    options = battle_state(state).options
    hit = at_most(fire.structure_on(fire.is_suppressed(state, unit)))
    chances = fire.KNOWN if known else fire.POSSIBLE
    area = shoot.room_of(board, place)
    found = []
    for group in groups:
        weapon = group.weapon
        fells = (
            side >= 0
            and options.damage == "guidelines"
            and weapon.radius > 0
            and fire.covers_half(weapon.radius, area, half=True)
        )
        points = points_cost(state, weapon) if side >= 0 else (0, 0)
        through, inside = goes_through(weapon.factor, wall), at_most(chances[weapon.cls])
        found.append(Blow(group.shots, hit, through, inside, 0.0, (), points, fells))
    return found


def _burns_behind(
    state: State,
    board: Board,
    place: int,
    side: int,
    blows: Sequence[Blow],
    groups: Sequence[Group],
    falls: float,
) -> float:
    """The chance that fire at a wall or bank sets alight what it strikes; what it brings down does not burn."""
    if not battle_state(state).options.fires or flames.is_burning(state, board, place):
        return 0.0
    if side < 0 and flames.has_plants(state, board, place):
        return expected.takes_fire([(1.0, starts_on(state, group)) for group in groups])
    work = works.fieldwork(state, place) if side < 0 else None
    if not (_wall_burns(state, board, place) if side >= 0 else work is not None and work.burns):
        return 0.0
    struck = [any_of(blow.shots, blow.hit) for blow in blows]
    hit = 1.0 - prod(1.0 - chance for chance in struck)
    starts = expected.takes_fire(
        [(chance, starts_on(state, group)) for chance, group in zip(struck, groups, strict=True)]
    )
    return starts * (hit - falls) / hit if hit else 0.0


# ---- into openings ---------------------------------------------------------------------------------------------------


def into_opening(
    look: LineOfSight, unit: Unit, at: Into | IntoHole, standing: bool, ghost: Unit | None = None
) -> Outcome:
    """Effect areas through an opening, which burst on the floor behind it."""
    state, board = look.state, look.board
    line = targets.opening_line(look, unit, at)
    if line is None:
        return NO_OUTCOME
    groups = targets.area_groups(unit, line.distance)
    blows = opening_blows(state, unit, line, fire.SIZES[targets.kind_of(state, board, at)], groups, standing)
    room = shoot.room_of(board, at.place)
    tolls = tuple(
        (foe, expected.toll(on_unit(foe, blows, board, groups, room, False), target_of(foe)))
        for foe in foes_at(state, at.place, unit.side, ghost)
    )
    burns = 0.0
    if (
        battle_state(state).options.fires
        and not flames.is_burning(state, board, at.place)
        and _wall_burns(state, board, at.place)
    ):
        burns = expected.takes_fire([(1.0, starts_on(state, group)) for group in groups])
    return Outcome(tolls, at.place, burns=burns)


def opening_blows(
    state: State, unit: Unit, line: SightLine, size: int, groups: Sequence[Group], standing: bool
) -> list[Blow]:
    """Weapons with effect areas as they are fired into an opening of some size."""
    shaky, far = fire.is_suppressed(state, unit), unit_state(unit).moved == 2
    steady = shoot.stationary(unit, standing)
    return [
        Blow(
            group.shots,
            at_most(fire.hit_on(fire.third(line.distance, group.weapon.range), 0, steady, far, shaky, size)),
            1.0,
            1.0,
            0.0,
        )
        for group in groups
    ]
