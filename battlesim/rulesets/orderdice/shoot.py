"""Shooting: choosing targets, going down, hits, damage, pins (OD-HOUSE-SHOOT, OD-HOUSE-DAMAGE, OD-FROM, OD-AT).

Read `begin`, then `volley_fired`. Shells, flame and armour have chapters of their own.
"""

from __future__ import annotations

from collections.abc import Sequence

from battlesim.board.board import Board
from battlesim.core.answers import Answer, Pass, TargetSpace, TargetUnit, all_numbered
from battlesim.core.geometry import FACINGS
from battlesim.core.items import Ask, Item, Step
from battlesim.core.state import State, Unit
from battlesim.rules.contract import Chapter
from battlesim.rules.resolution import Clauses, Resolution
from battlesim.rulesets.orderdice import (
    casualties,
    empty_buildings,
    fire,
    flame,
    ground,
    he,
    indirect,
    line_of_sight,
    morale,
    react,
    targets,
    vehicles,
)
from battlesim.rulesets.orderdice.armament import armament_of
from battlesim.rulesets.orderdice.data import WEAPONS
from battlesim.rulesets.orderdice.facts_fire import Shot
from battlesim.rulesets.orderdice.fire import Group, volley
from battlesim.rulesets.orderdice.model import type_of, unit_state

ShotAt = tuple[int, int, int]
"""A unit shot at in one action: (id, models before, pins before). Fire from several walls is one attack."""


class AtWhom(Ask, frozen=True):
    """Which target does the unit shoot at from one wall of its floor (-1: outdoors)? Pass: it does not fire. `used`: slots that
    have fired in this action; `shot`: the units it has shot at."""

    unit: int
    moved: bool
    wall: int
    used: tuple[int, ...] = ()
    shot: tuple[ShotAt, ...] = ()


class NextWall(Step, frozen=True):
    """Ask for targets at the next wall that has any (OD-FROM-3), or outdoors; after the last, targets that lost half test
    morale."""

    unit: int
    moved: bool
    wall: int
    used: tuple[int, ...] = ()
    shot: tuple[ShotAt, ...] = ()


class Volley(Step, frozen=True):
    """The unit shoots at its target (-1: the empty floor `place`) from one wall. `pins`: the target's before the attack (-1: as
    it stands now)."""

    unit: int
    target: int
    moved: bool
    wall: int
    used: tuple[int, ...] = ()
    pins: int = -1
    place: int = -1


class Hits(Step, frozen=True):
    """One group of a volley rolls to hit and to damage. `pins`: the target's pins when the attack began, so that it takes one
    pin for any number of groups, and a shell's pins replace that one."""

    unit: int
    target: int
    mode: str
    weapon: str
    number: int
    shots: int
    need: int
    distance: int
    protected: bool
    pins: int
    opening: int = -1


def armed(unit: Unit) -> bool:
    """Whether a unit has anything left to shoot with."""
    return bool(armament_of(unit).arms)


def can_fire(state: State, board: Board, unit: Unit) -> bool:
    """Whether a Fire order has any target, empty buildings included."""
    if targets.any_target(state, board, unit, moved=False):
        return True
    if unit.place < 0 or not empty_buildings.can_harm_buildings(unit):
        return False
    return any(has_empty(state, board, unit, False, wall, ()) for wall in fire.walls_of(board, unit))


def has_empty(state: State, board: Board, unit: Unit, moved: bool, wall: int, used: tuple[int, ...]) -> bool:
    """Whether there is an empty building to shoot at from a wall (OD-EMPTY-1)."""
    return bool(empty_buildings.targets(state, board, unit, moved, wall, used, most=1))


def begin(r: Resolution, unit: Unit, moved: bool) -> None:
    """A unit shoots: outdoors at one target, inside at one from each wall."""
    r.then(NextWall(unit.id, moved, fire.walls_of(r.board, unit)[0]))


def next_wall(r: Resolution, step: NextWall) -> None:
    """Ask for the unit's target from its next wall; after the last, units that lost half their models test morale."""
    unit = r.state.units[step.unit]
    if unit.alive and unit.place >= 0:
        wall = _next_wall(r.state, r.board, unit, step)
        if wall is not None:
            r.then(AtWhom(unit.id, step.moved, wall, step.used, step.shot, side=unit.side))
            return
    r.then(*(morale.AfterAttack(unit.id, target, models) for target, models, _ in step.shot))


def _next_wall(state: State, board: Board, unit: Unit, step: NextWall) -> int | None:
    """The first wall from `step.wall` on with a target; None: none. Outdoors there is only one, which is asked about in any
    case."""
    walls = fire.walls_of(board, unit)
    if step.wall > walls[-1]:
        return None
    if walls == targets.OUTDOORS:
        return walls[0]
    found = targets.first_wall(state, board, unit, step.moved, step.wall, step.used)
    if empty_buildings.can_harm_buildings(unit):
        for wall in walls:
            if found is not None and wall >= found:
                break
            if wall >= step.wall and has_empty(state, board, unit, step.moved, wall, step.used):
                return wall
    return found


def legal_at_whom(state: State, board: Board, ask: AtWhom) -> Sequence[Answer]:
    """Enemies by id; then empty buildings that can be brought down or set on fire, the nearest first (OD-EMPTY-1); then Pass, if
    the unit has moved, is inside, or has no target."""
    unit = state.units[ask.unit]
    answers = all_numbered(TargetUnit, targets.targets(state, board, unit, ask.moved, ask.wall, ask.used))
    answers += [
        TargetSpace(p) for p in empty_buildings.targets(state, board, unit, ask.moved, ask.wall, ask.used)
    ]
    if ask.moved or ask.wall >= 0 or not answers:
        answers.append(Pass())
    return answers


def resolve_at_whom(r: Resolution, ask: AtWhom, said: Answer) -> None:
    """The target may go Down, then the volley is fired, then the next wall is asked about. Pass uses no weapons."""
    unit = r.state.units[ask.unit]
    todo: list[Item] = []
    used, shot = ask.used, ask.shot
    if isinstance(said, TargetUnit):
        target = r.state.units[said.unit]
        mark = next((mark for mark in shot if mark[0] == target.id), None)
        if mark is None:
            mark = as_shot_at(target)
            shot = (*shot, mark)
        groups = volley(r.state, r.board, unit, target, ask.moved, ask.wall, used)
        used = with_slots(used, groups)
        todo = [*going_down(r.state, unit, target, groups)]
        todo.append(Volley(unit.id, target.id, ask.moved, ask.wall, ask.used, mark[2]))
    elif isinstance(said, TargetSpace):
        groups = fire.volley_at(r.state, r.board, unit, said.place, ask.moved, ask.wall, used)
        used = with_slots(used, groups)
        todo = [Volley(unit.id, -1, ask.moved, ask.wall, ask.used, place=said.place)]
    # What it does from the next wall is an effect of its order, not of this answer.
    r.then(*todo, NextWall(unit.id, ask.moved, ask.wall + 1, used, shot, cause=ask.cause))


def fire_at(r: Resolution, unit: Unit, target: int, moved: bool) -> None:
    """A unit shoots at one target at once with all weapons that can hit it, from all walls: a reaction, or a blunder."""
    enemy = r.state.units[target]
    used: tuple[int, ...] = ()
    bearing: list[Group] = []
    todo: list[Item] = []
    for wall in fire.walls_of(r.board, unit):
        groups = volley(r.state, r.board, unit, enemy, moved, wall, used)
        if groups:
            todo.append(Volley(unit.id, target, moved, wall, used, unit_state(enemy).pins))
            bearing += groups
            used = with_slots(used, groups)
    if todo:
        tests = morale.AfterAttack(unit.id, target, enemy.models)
        r.then(*going_down(r.state, unit, enemy, bearing), *todo, tests)


def as_shot_at(target: Unit) -> ShotAt:
    """The record of a unit before it is shot at."""
    return (target.id, target.models, unit_state(target).pins)


def with_slots(used: tuple[int, ...], groups: Sequence[Group]) -> tuple[int, ...]:
    """The slots used once these groups have fired, ascending."""
    return tuple(sorted((*used, *(slot for group in groups for slot in group.arms))))


def going_down(state: State, unit: Unit, target: Unit, groups: Sequence[Group]) -> tuple[Item, ...]:
    """The question whether a target goes Down before hits are rolled, if it may (for shells it comes later, OD-HE-3)."""
    if react.may_go_down(state, target) and any(group.mode in ("small", "ap", "flame") for group in groups):
        return (react.GoDown(target.id, unit.id, side=target.side),)
    return ()


def volley_fired(r: Resolution, step: Volley) -> None:
    """Each group of weapons rolls in turn, small arms last, so that a shell's pins replace theirs. The effect of flame on a
    building comes last of all."""
    state = r.state
    unit = state.units[step.unit]
    target = state.units[step.target] if step.target >= 0 else None
    if not unit.alive or (target is not None and not target.alive):
        return
    if target is not None:
        place = target.place
        groups = volley(state, r.board, unit, target, step.moved, step.wall, step.used)
    else:
        place = step.place
        groups = fire.volley_at(state, r.board, unit, place, step.moved, step.wall, step.used)
    todo: list[Item] = []
    after: list[Item] = []
    for number, group in enumerate(groups):
        key = (step.wall + 1) * 100 + number
        todo.append(_group_step(r.board, unit, target, place, group, key, step.pins))
        if group.mode == "flame":
            section = ground.section_of(r.board, place)
            aimed_at = section.id if section is not None else -1
            after.append(flame.Used(unit.id, aimed_at, key, group.arms, deserted=target is None))
        if group.weapon.one_shot:
            r.set(unit.id, ("OD-HOUSE-TRAITS",), spent=tuple(sorted((*unit_state(unit).spent, *group.arms))))
            unit = state.units[unit.id]
    todo.reverse()
    r.then(*todo, *after)


def _group_step(
    board: Board, unit: Unit, target: Unit | None, place: int, group: Group, number: int, pins: int
) -> Item:
    """The step that resolves one group of a volley, by the chapter its weapons belong to."""
    weapon, need, far = group.weapon, group.need, group.distance
    aimed_at = -1 if target is None else target.id
    opening = group.line.from_opening
    if group.mode == "flame":
        return flame.Spray(unit.id, aimed_at, place, weapon.name, number, len(group.arms), need, far, opening)
    shots = weapon.shots * len(group.arms)
    if group.mode == "indirect":
        return indirect.Lob(unit.id, aimed_at, place, weapon.name, number, shots, need, far)
    if group.mode == "he":
        return he.Shell(unit.id, aimed_at, place, weapon.name, number, shots, need, far, opening)
    assert target is not None  # small arms and armour-piercing shot are aimed at somebody
    return Hits(
        unit.id,
        target.id,
        group.mode,
        weapon.name,
        number,
        shots,
        need,
        far,
        protected(board, unit, target),
        pins if pins >= 0 else unit_state(target).pins,
        opening,
    )


def protected(board: Board, unit: Unit, target: Unit) -> bool:
    """Whether a damage roll against the target is one harder: by extra protection inside (OD-AT-4) or a gun shield against fire
    from the front half, never both (OD-HOUSE-GUN)."""
    kind = type_of(target)
    # Vehicles have their armour for that.
    if kind.vehicle:
        return False
    # Men and guns in a building have extra protection.
    if ground.inside(board, target):
        return True
    # A gun outdoors has its shield against fire from the front.
    if not kind.shield:
        return False
    here, there = board.spaces[target.place].point, board.spaces[unit.place].point
    fx, fy = FACINGS[target.facing]
    return (there[0] - here[0]) * fx + (there[1] - here[1]) * fy >= 0


def hits(r: Resolution, step: Hits) -> None:
    """Roll to hit, then to damage; a unit that is hit takes one pin for any number of hits (OD-HOUSE-PINS)."""
    unit, target = r.state.units[step.unit], r.state.units[step.target]
    if not (unit.alive and target.alive):
        return
    weapon, kind = WEAPONS[step.weapon], type_of(target)
    clauses = _clauses(r.board, unit, target, weapon.small)
    scored = fire.roll_hits(r, step.unit, step.target, step.number, step.shots, step.need, clauses)
    if weapon.fixed and type_of(unit).vehicle:
        clauses += ("OD-HOUSE-MOUNT",)
    pierced: list[int] = []
    if kind.vehicle:
        struck = vehicles.struck_by(r.board, unit.place, step.opening, target, weapon, step.distance)
        if struck == vehicles.TOP:
            clauses += ("OD-FROM-7",)
        far = vehicles.is_far(weapon, step.distance)
        pierced = vehicles.pierce(
            r, unit.id, target.id, scored, weapon.penetration, struck, far, step.number, clauses
        )
        damage = len(pierced)
    else:
        damage = fire.roll_damage(r, unit.id, target, step.number, scored, weapon.penetration, step.protected)
    r.because(
        Shot(
            unit.id,
            target.id,
            weapon.name,
            step.shots,
            step.need,
            scored,
            damage,
            step.distance,
            kind.vehicle,
            clauses=clauses,
        )
    )
    if not scored:
        return
    if unit_state(target).pins <= step.pins:
        morale.add_pins(r, target.id, 1)
    if kind.vehicle:
        vehicles.suffer(r, unit.id, target.id, pierced, step.number)
    else:
        casualties.lose(r, target.id, damage, "shot", ("OD-HOUSE-DAMAGE",))


def _clauses(board: Board, unit: Unit, target: Unit, small: bool) -> Clauses:
    """The clauses that bear on a volley."""
    clauses: Clauses = ("OD-HOUSE-SHOOT", "OD-HOUSE-WEAPONS")
    clauses += line_of_sight.clauses_from(board, unit.place)
    if ground.in_bunker(board, target):
        clauses += ("OD-BUNK-1", "OD-BUNK-2", "OD-BUNK-6", "OD-AT-4")
    elif ground.inside(board, target):
        clauses += ("OD-AT-1" if small else "OD-AT-2", "OD-AT-3", "OD-AT-4")
    return clauses


CHAPTER = Chapter(
    owns=(
        "OD-HOUSE-SHOOT",
        "OD-HOUSE-DAMAGE",
        "OD-HOUSE-SIGHT",
        "OD-HOUSE-WEAPONS",
        "OD-HOUSE-TRAITS",
        "OD-FROM-1",
        "OD-FROM-2",
        "OD-FROM-3",
        "OD-FROM-4",
        "OD-AT-1",
        "OD-AT-2",
        "OD-AT-3",
        "OD-AT-4",
        "OD-AT-5",
    ),
    asks={AtWhom: (legal_at_whom, resolve_at_whom)},
    steps={NextWall: next_wall, Volley: volley_fired, Hits: hits},
)
