"""The expected outcome of an act, and how weapons strike units and structures: shared by all estimates.

Nothing here decides a rule. Read `Outcome`.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from battlesim.board.board import Board
from battlesim.core.memo import memo
from battlesim.core.state import State, Unit
from battlesim.rulesets.armorclass import blaze, damage, expected, fire, works
from battlesim.rulesets.armorclass.data import TYPES, Weapon
from battlesim.rulesets.armorclass.expected import Blow, Target, Toll, goes_through
from battlesim.rulesets.armorclass.fire import Group
from battlesim.rulesets.armorclass.model import Options, battle_state, unit_state, working


class Outcome(NamedTuple):
    """What an act is expected to do: the toll of each unit that it may harm, and the effects on the `place` struck (-1: none).

    `falls`: the chance that the floor or field work (under structure points: the section) is destroyed. `breaches`: that the wall
    struck gets an opening as wide as a door. `burns`: that a fire starts there. `points`: mean structure points lost; for
    engineers, those of the wall.
    """

    tolls: tuple[tuple[Unit, Toll], ...] = ()
    place: int = -1
    falls: float = 0.0
    breaches: float = 0.0
    burns: float = 0.0
    points: float = 0.0


NO_OUTCOME = Outcome()


@memo(bound=8_192)
def _target(kind: str, models: int, full: int, spent: tuple[int, ...], immobile: bool) -> Target:
    """`target_of` by the facts that decide it."""
    one = TYPES[kind]
    if not one.tough:
        return Target(kind, models, full)
    return Target(kind, models, full, len(working(kind, models, spent)), not one.fixed and not immobile)


def target_of(unit: Unit) -> Target:
    """A unit as the target of attacks."""
    own = unit_state(unit)
    return _target(unit.kind, unit.models, own.full, own.spent, own.immobile)


def foes_at(state: State, place: int, side: int, ghost: Unit | None = None) -> list[Unit]:
    """The enemies of a side in a space, and a suspected one (`ghost`)."""
    units = state.units
    found = [units[number] for number in state.at.get(place, ()) if units[number].side != side]
    return found if ghost is None else [*found, ghost]


@memo(bound=1 << 10)
def caught_by(models: int, radius: int, room: int, half: bool) -> tuple[int, ...]:
    """How many models lie in one effect area, by models left up to `models`; () for a weapon without one."""
    if not radius:
        return ()
    return tuple([fire.caught(left, radius, room, half) for left in range(models + 1)])


def points_cost(options: Options, weapon: Weapon) -> tuple[int, int]:
    """The structure points that a weapon's hit costs: (if it is stopped, if it penetrates)."""
    variant = options.variant
    if not variant:
        return 0, 0
    area = weapon.radius > 0
    lost = damage.points_lost
    return lost(variant, weapon.factor, area, False), lost(variant, weapon.factor, area, True)


def points_left(state: State, board: Board, section: int) -> int:
    """The structure points that a section has left; 0 if they are not used."""
    whole = works.points_of(state, board, section)
    return whole - int(works.record(state, section).get("lost", 0)) if whole else 0


def on_unit(
    unit: Unit, blows: Iterable[Blow], board: Board, groups: Sequence[Group], room: int, half: bool
) -> tuple[Blow, ...]:
    """Blows on a unit, with its armour and how many of its models lie in an effect area."""
    return on_target(unit.models, works.armour_of(board, unit), blows, groups, room, half)


def on_target(
    models: int, armour: int, blows: Iterable[Blow], groups: Sequence[Group], room: int, half: bool
) -> tuple[Blow, ...]:
    """`on_unit` for a number of models with armour of a class."""
    return tuple(
        blow._replace(
            pierce=goes_through(group.weapon.factor, armour),
            caught=caught_by(models, group.weapon.radius, room, half),
        )
        for blow, group in zip(blows, groups, strict=True)
    )


def sparing(blows: Iterable[Blow]) -> tuple[Blow, ...]:
    """The same blows without direct harm to a unit; its floor may still fall."""
    return tuple(blow._replace(inside=0.0, pierce=0.0, caught=()) for blow in blows)


def starts_on(options: Options, group: Group) -> int:
    """The highest D10 roll on which a weapon starts a fire; 0 if the battle has no fires."""
    return max(0, blaze.starts_on(group.weapon.type, options.weather)) if options.fires else 0


def come_down(
    state: State,
    board: Board,
    place: int,
    blows: tuple[Blow, ...],
    stands: int,
    counted: Sequence[int],
) -> list[tuple[Unit, Toll]]:
    """The tolls of units that fall with a floor, except `counted`: on it and above (structure points: in the section)."""
    space = board.spaces[place]
    lowest = 0 if stands else space.floor
    falling = board.sections[space.section].spaces[lowest:]
    found = []
    for place_ in falling:
        for number in state.at.get(place_, ()):
            if number not in counted:
                other = state.units[number]
                found.append((other, expected.toll(blows, target_of(other), stands)))
    return found


def work_struck(
    state: State, place: int, blows: Sequence[Blow], groups: Sequence[Group], half: bool
) -> tuple[float, float]:
    """The effect of hits on a field work: (the chance that it is destroyed, mean points lost)."""
    work = works.fieldwork(state, place)
    if work is None:
        return 0.0, 0.0
    whole = works.points_of_work(state, work)
    stands = whole - work.lost if whole else 0
    harmful = tuple(
        blow._replace(
            points=points_cost(battle_state(state).options, group.weapon) if stands else (0, 0),
            fells=not stands,
        )
        for blow, group in zip(blows, groups, strict=True)
        if damage.harms_work(state, group.weapon, half)
    )
    if not harmful:
        return 0.0, 0.0
    return expected.falls(harmful, stands), expected.points_lost(harmful, stands) if stands else 0.0
