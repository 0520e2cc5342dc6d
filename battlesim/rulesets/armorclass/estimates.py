"""The expected outcomes of acts in a position: fire of every kind, breaches, demolition, fires.

This finds the parts of an act by the rules chapters, and `expected.py` computes the result. All units that may be hit count.
Nothing here decides a rule. Read `outcome_of`.
"""

from __future__ import annotations

from collections.abc import Sequence

from battlesim.board.board import Board
from battlesim.core.answers import Answer, TargetUnit
from battlesim.core.state import State, Unit
from battlesim.core.sums import summed
from battlesim.rulesets.armorclass import (
    concealment,
    estimates_above,
    estimates_close,
    expected,
    fire,
    flames,
    shoot,
    targets,
    volleys,
    works,
)
from battlesim.rulesets.armorclass.expected import Blow, Toll, at_most
from battlesim.rulesets.armorclass.line_of_sight import LineOfSight
from battlesim.rulesets.armorclass.model import (
    MOVED_FAR,
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
    points_left,
    sparing,
    starts_on,
    target_of,
    work_struck,
)
from battlesim.rulesets.armorclass.volleys import AimedVolley, WallVolley


def outcome_of(
    look: LineOfSight, unit: Unit, answer: Answer, standing: bool, ghost: Unit | None = None
) -> Outcome:
    """The expected outcome of a unit's fire or work by hand. `standing`: it has not moved and will not move. `ghost`: a suspected
    enemy at the place of the answer that nobody has found."""
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
    """Every weapon in range that could harm the target fires at it. Other enemies on its space lie in the same effect areas."""
    state, board = look.state, look.board
    line = targets.aim(look, unit, target)
    if line is None:
        return NO_OUTCOME
    firer, room = volleys.firer_of(unit), shoot.room_of(board, target.place)
    volley = volleys.aimed(
        firer,
        fire.as_far(firer, line.distance),
        concealment.level_of(state, board, target, line.cover),
        shoot.stationary(unit, standing),
        unit_state(unit).moved == MOVED_FAR,
        fire.is_suppressed(state, unit),
        target_of(target),
        works.armour_of(board, target),
        room,
    )
    tolls = [(target, volley.toll)]
    for other in foes_at(state, target.place, unit.side):
        if other.id != target.id:
            areas = [(b, g) for b, g in zip(volley.blows, volley.groups, strict=True) if g.weapon.radius]
            if areas:
                struck = on_unit(other, [b for b, _ in areas], board, [g for _, g in areas], room, False)
                tolls.append((other, expected.toll(struck, target_of(other))))
    return Outcome(tuple(tolls), target.place, burns=_burns_about(state, board, target, volley))


def _burns_about(state: State, board: Board, target: Unit, volley: AimedVolley) -> float:
    """The chance of a fire where a unit in sight is fired at: any shot may ignite plants; misses and effect areas, its cover."""
    place, options = target.place, battle_state(state).options
    if not options.fires or flames.is_burning(state, board, place):
        return 0.0
    if flames.has_plants(state, board, place):
        strikes = [1.0] * len(volley.groups)
    elif _cover_burns(state, board, target):
        strikes = [
            1.0 if group.weapon.radius else 1.0 - blow.hit**group.shots
            for blow, group in zip(volley.blows, volley.groups, strict=True)
        ]
    else:
        return 0.0
    struck = volley.struck
    gone = [expected.toll(struck[: n + 1], target_of(target)).gone for n in range(len(struck))]
    return _fieriest(volley.blows, strikes, gone, [starts_on(options, group) for group in volley.groups])


def _cover_burns(state: State, board: Board, target: Unit) -> bool:
    """Whether a unit is in cover that shots which miss it may set alight."""
    space = board.spaces[target.place]
    if space.kind == "floor":
        return flames.walls_burn(state, board, target.place)
    work = works.fieldwork(state, target.place)
    return work is not None and work.burns and works.shelters(state, work, target)


def _fieriest(
    blows: Sequence[Blow], strikes: Sequence[float], gone: Sequence[float], needs: Sequence[int]
) -> float:
    """The chance that weapons set a target's surroundings alight: only the one likeliest to, of those that strike, counts.
    `strikes`: each weapon's chance to strike; `gone`: the chance that the target is dead after it, so that the rest do not
    fire."""
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
    return found + summed(share * at_most(best) for best, share in alive.items())


# ---- through walls ---------------------------------------------------------------------------------------------------


def through_wall(
    look: LineOfSight, unit: Unit, place: int, side: int, target: Unit | None, ghost: Unit | None = None
) -> Outcome:
    """Fire at a wall or (side -1) the bank of a field work: at an enemy known to be behind it, or on suspicion."""
    state, board = look.state, look.board
    line = targets.wall_line(look, unit, place, side)
    if line is None:
        return NO_OUTCOME
    inside = [foe for foe in foes_at(state, place, unit.side, ghost) if targets.can_be_behind(foe, side)]
    section = board.spaces[place].section if side >= 0 else -1
    stands = points_left(state, board, section) if section >= 0 else 0
    firer, options = volleys.firer_of(unit), battle_state(state).options
    volley = volleys.at_wall(
        firer,
        fire.as_far(firer, line.distance),
        targets.wall_of(state, board, place, side),
        targets.wall_burns(state, board, place, side),
        section >= 0,
        fire.is_suppressed(state, unit),
        shoot.room_of(board, place),
        options,
        stands,
        tuple([(target_of(foe), works.armour_of(board, foe)) for foe in inside]),
        -1 if target is None else [foe.id for foe in inside].index(target.id),
    )
    found: list[tuple[Unit, Toll]] = list(zip(inside, volley.tolls, strict=True))
    falls, points, breaches = volley.falls, volley.points, 0.0
    if section >= 0:
        if falls:
            spared = sparing(volley.blows)
            found += come_down(state, board, place, spared, stands, [foe.id for foe in inside])
        if options.damage == "guidelines" and side not in works.breached_sides(
            state, section, board.spaces[place].floor
        ):
            breaches = volley.breaches
    else:
        falls, points = work_struck(state, place, volley.blows, volley.groups, half=True)
    burns = _burns_behind(state, board, place, side, volley, falls)
    return Outcome(tuple(found), place, falls, breaches, burns, points)


def _burns_behind(
    state: State, board: Board, place: int, side: int, volley: WallVolley, falls: float
) -> float:
    """The chance that fire at a wall or bank sets it alight; what is destroyed does not burn."""
    options = battle_state(state).options
    if not options.fires or flames.is_burning(state, board, place):
        return 0.0
    if side < 0 and flames.has_plants(state, board, place):
        return expected.takes_fire([(1.0, starts_on(options, group)) for group in volley.groups])
    if not (
        flames.walls_burn(state, board, place) if side >= 0 else targets.wall_burns(state, board, place, side)
    ):
        return 0.0
    return volley.starts * (volley.hit - falls) / volley.hit if volley.hit else 0.0


# ---- into openings ---------------------------------------------------------------------------------------------------


def into_opening(
    look: LineOfSight, unit: Unit, at: Into | IntoHole, standing: bool, ghost: Unit | None = None
) -> Outcome:
    """Effect areas fired through an opening; they burst on the floor behind it."""
    state, board = look.state, look.board
    line = targets.opening_line(look, unit, at)
    if line is None:
        return NO_OUTCOME
    firer, options = volleys.firer_of(unit), battle_state(state).options
    groups, blows = volleys.into(
        firer,
        fire.as_far(firer, line.distance),
        shoot.stationary(unit, standing),
        unit_state(unit).moved == MOVED_FAR,
        fire.is_suppressed(state, unit),
        fire.SIZES[targets.kind_of(state, board, at)],
    )
    room = shoot.room_of(board, at.place)
    tolls = tuple(
        (foe, expected.toll(on_unit(foe, blows, board, groups, room, False), target_of(foe)))
        for foe in foes_at(state, at.place, unit.side, ghost)
    )
    burns = 0.0
    if (
        options.fires
        and not flames.is_burning(state, board, at.place)
        and flames.walls_burn(state, board, at.place)
    ):
        burns = expected.takes_fire([(1.0, starts_on(options, group)) for group in groups])
    return Outcome(tolls, at.place, burns=burns)
