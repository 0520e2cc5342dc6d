"""Fire in the open and into buildings (AC-COVER-1, AC-ATTACK-2, AC-OPEN-1, AC-KNOWN-1, AC-EXPL-1, AC-HOUSE-INSIDE,
AC-HOUSE-AREA).

The question is `AtWhom`; its answers are in `targets.py`. Read `resolve_at_whom`, then `aimed`, `through_wall` and
`into_opening`. Indirect fire and tools have their own chapters.
"""

from __future__ import annotations

from collections.abc import Sequence

from battlesim.board.board import Board
from battlesim.board.model import SightLine
from battlesim.core.answers import Answer, Pass, TargetUnit
from battlesim.core.items import Ask
from battlesim.core.state import State, Unit
from battlesim.rules.contract import Chapter
from battlesim.rules.resolution import Clauses, Resolution
from battlesim.rulesets.armorclass import (
    blaze,
    casualties,
    concealment,
    damage,
    engineer,
    fire,
    indirect,
    targets,
    works,
)
from battlesim.rulesets.armorclass.casualties import Wound
from battlesim.rulesets.armorclass.data import D10, Weapon
from battlesim.rulesets.armorclass.facts_fire import Volley
from battlesim.rulesets.armorclass.fire import Group
from battlesim.rulesets.armorclass.line_of_sight import LineOfSight
from battlesim.rulesets.armorclass.model import (
    MOVED_FAR,
    UNMOVED,
    Breach,
    Demolish,
    Into,
    IntoHole,
    Lob,
    Search,
    Through,
    type_of,
    unit_state,
)


class AtWhom(Ask, frozen=True):
    """What does the unit fire at, if anything?"""

    unit: int
    standing: bool = False
    """Whether its order is to stand and fire."""


def legal_at_whom(state: State, board: Board, ask: AtWhom) -> Sequence[Answer]:
    """Pass; then everything `targets` lists."""
    return [Pass(), *targets.targets(state, board, state.units[ask.unit])]


def resolve_at_whom(r: Resolution, ask: AtWhom, said: Answer) -> None:
    """Carry the choice out."""
    unit = r.state.units[ask.unit]
    if isinstance(said, TargetUnit):
        aimed(r, unit, r.state.units[said.unit], ask.standing)
    elif isinstance(said, Through):
        target = r.state.units[said.unit]
        through_wall(r, unit, target.place, said.side, target)
    elif isinstance(said, Search):
        through_wall(r, unit, said.place, said.side, None)
    elif isinstance(said, Into | IntoHole):
        into_opening(r, unit, said, ask.standing)
    elif isinstance(said, Lob):
        indirect.lob(r, unit, said.place)
    elif isinstance(said, Breach):
        engineer.breach(r, unit, said.place, said.side)
    elif isinstance(said, Demolish):
        engineer.demolish(r, unit, r.state.units[said.unit])


# ---- the firer -------------------------------------------------------------------------------------------------------


def stationary(unit: Unit, standing: bool) -> bool:
    """Whether the firer neither moved nor will (AC-HOUSE-AIM)."""
    return standing and unit_state(unit).moved == UNMOVED


def misses(
    r: Resolution, unit: Unit, group: Group, need: int, obj: int, attempt: int, clauses: Clauses
) -> int:
    """How many shots of a group miss: dice above the number needed."""
    return r.count(group.shots, need + 1, "miss", unit.id, obj, attempt, D10, clauses)


# ---- at somebody in sight ----------------------------------------------------------------------------------------------


def hit_need(
    state: State, board: Board, unit: Unit, target: Unit, line: SightLine, reach: int, standing: bool
) -> int:
    """The highest D10 roll on which a weapon with range `reach` hits a target along a line."""
    level = concealment.level_of(state, board, target, line.cover)
    return fire.hit_on(
        fire.third(line.distance, reach),
        level,
        stationary(unit, standing),
        unit_state(unit).moved == MOVED_FAR,
        fire.is_suppressed(state, unit),
    )


def room_of(board: Board, place: int) -> int:
    """The area over which a unit on a space is spread."""
    space = board.spaces[place]
    return works.make_of(board, space.section).area if space.kind == "floor" else fire.OPEN_AREA


def aimed(r: Resolution, unit: Unit, target: Unit, standing: bool = False) -> None:
    """Every weapon in range that could harm a unit in sight fires at it; the target has the full benefit of its concealment."""
    state, board = r.state, r.board
    line = targets.aim(LineOfSight(state, board), unit, target)
    if line is None:
        return
    volley = targets.hurting(board, targets.direct_groups(unit, line.distance), target)
    place = target.place
    inside = board.spaces[place].kind == "floor"
    clauses: Clauses = ("AC-HOUSE-HIT", "AC-HOUSE-AIM")
    if inside:
        clauses += ("AC-COVER-1", "AC-ATTACK-2")
    clauses += tuple(
        c for c in concealment.clauses_of(state, board, target) if c.startswith("AC-TYPE") or c == "AC-CONC-1"
    )
    if type_of(unit).kind in _CREWED:
        clauses += _CREWED[type_of(unit).kind]
    if not type_of(unit).tough and board.spaces[unit.place].kind == "floor":
        clauses += works.make_of(board, board.spaces[unit.place].section).clauses[:1]
    concealment.reveal_firer(r, unit, volley[:1])
    work = works.fieldwork(state, place)
    sheltered = inside or (work is not None and works.shelters(state, work, target))
    # The target's concealment is that before the volley, whose losses make no room in a foxhole.
    needs = [hit_need(state, board, unit, target, line, group.weapon.range, standing) for group in volley]
    fired: list[Group] = []
    astray: list[Group] = []
    for number, group in enumerate(volley):
        target = state.units[target.id]
        if not target.alive:
            break
        fired.append(group)
        weapon = group.weapon
        # A louder weapon than the first shows the firer more, but only if it fires.
        if number and (weapon.once or weapon.signature > volley[0].weapon.signature):
            concealment.reveal_firer(r, state.units[unit.id], [group])
        need = needs[number]
        hits = group.shots - misses(r, unit, group, need, target.id, number, clauses)
        # Shots that miss a unit under cover strike the cover, and so does every effect area.
        if sheltered and (hits < group.shots or weapon.radius):
            astray.append(group)
        struck = hits
        more: Clauses = clauses
        if weapon.radius:
            more += ("AC-HOUSE-AREA",)
            struck = hits * fire.caught(target.models, weapon.radius, room_of(board, place), half=False)
        found = [casualties.pierce(r, unit.id, target.id, weapon.factor, struck, number, more)]
        if weapon.radius and hits:
            found += _bystanders(r, unit, weapon, hits, place, target.id, number, more)
        _report(r, unit, target.id, place, "aimed", group, need, (hits, 0), found, line.distance, more)
    if not inside:
        blaze.ground_struck(r, unit, fired, astray, place)
    else:
        blaze.wall_struck(r, unit, astray, place)


_CREWED: dict[str, Clauses] = {"strongpoint": ("AC-TYPE-6",), "turret": ("AC-TYPE-9",)}


def _bystanders(
    r: Resolution,
    unit: Unit,
    weapon: Weapon,
    hits: int,
    place: int,
    target: int,
    attempt: int,
    clauses: Clauses,
) -> list[Wound]:
    """Other enemies on the same space lie in the effect areas of all hits."""
    area = room_of(r.board, place)
    found = []
    for other in _foes(r, unit, place):
        if other.id != target:
            struck = hits * fire.caught(other.models, weapon.radius, area, half=False)
            found.append(casualties.pierce(r, unit.id, other.id, weapon.factor, struck, attempt, clauses))
    return found


def _report(
    r: Resolution,
    unit: Unit,
    target: int,
    place: int,
    how: str,
    group: Group,
    need: int,
    result: tuple[int, int],
    wounds: Sequence[Wound],
    distance: int,
    clauses: Clauses,
) -> None:
    """Report the fire of a group of weapons, then apply its wounds. `result`: (hits, hits that penetrated a wall)."""
    hits, through = result
    on_target = [wound for wound in wounds if wound.penetrations and target in (-1, wound.target)]
    volley = Volley(
        unit.id,
        target,
        place,
        how,
        group.weapon.name,
        group.shots,
        need,
        hits,
        through,
        sum(wound.penetrations for wound in on_target),
        distance,
        bool(on_target) and all(wound.sure for wound in on_target),
        clauses=clauses,
    )
    before = r.cause
    r.because(volley)
    for wound in wounds:
        casualties.suffer(r, wound)
    r.cause = before


# ---- through a wall ----------------------------------------------------------------------------------------------------


def through_wall(r: Resolution, unit: Unit, place: int, side: int, target: Unit | None) -> None:
    """Fire at a wall or bank to hit a known enemy (`target`) or, on suspicion, any enemy behind it."""
    state, board = r.state, r.board
    space = board.spaces[place]
    attack = targets.wall_attack(LineOfSight(state, board), unit, place, side)
    if attack is None:
        return
    line, wall, volley = attack
    work = works.fieldwork(state, place) if side < 0 else None
    walls: Clauses = (
        (concealment.WORK_CLAUSES[work.kind], "AC-TYPE-2", "AC-TABLE-1") if work is not None else ()
    )
    if side >= 0:
        walls = works.make_of(board, space.section).clauses
    how = "search" if target is None else "through"
    book = "AC-EXPL-1" if target is None else "AC-KNOWN-1"
    clauses: Clauses = ("AC-HOUSE-HIT", "AC-HOUSE-PEN", "AC-COVER-1", book, *walls, "AC-HOUSE-INSIDE")
    concealment.reveal_firer(r, unit, volley)
    need = fire.structure_on(fire.is_suppressed(state, unit))
    struck: list[Group] = []
    for number, group in enumerate(volley):
        weapon = group.weapon
        # Once the enemy behind it is dead or out of the house, the rest of the volley is fire at the wall.
        at = -1 if target is None or r.state.units[target.id].place != place else target.id
        aim = "wall" if target is not None and at < 0 else how
        hits = group.shots - misses(r, unit, group, need, place, number, clauses)
        pen = fire.penetrates_on(weapon.factor, wall)
        # No die is rolled if every hit penetrates, or none can: such a hit still costs points or sets the wall on fire.
        if 1 < pen <= 10:
            through = r.count(hits, pen, "wall", unit.id, place, number, D10, clauses)
        else:
            through = hits if pen <= 1 else 0
        found = _inside(r, unit, group, place, side, target, through, number, clauses)
        if hits:
            struck.append(group)
        _report(
            r,
            unit,
            at,
            place,
            aim,
            group,
            need,
            (hits, through),
            found,
            line.distance,
            clauses,
        )
        if side >= 0:
            damage.damage_wall(r, unit, weapon, space.section, space.floor, side, hits, through)
        else:
            damage.damage_work(r, weapon, place, hits, through, half=True)
    if side < 0:
        blaze.ground_struck(r, unit, volley, struck, place)
    elif struck:
        blaze.wall_struck(r, unit, struck, place)


def _inside(
    r: Resolution,
    unit: Unit,
    group: Group,
    place: int,
    side: int,
    target: Unit | None,
    through: int,
    attempt: int,
    clauses: Clauses,
) -> list[Wound]:
    """The effects of shots that penetrated a wall on the enemies behind it (AC-KNOWN-1, AC-EXPL-1). Half an effect area counts
    against all of them; any other shot has a chance to hit one of them."""
    foes = [foe for foe in _foes(r, unit, place) if targets.can_be_behind(foe, side)]
    if not through or not foes:
        return []
    weapon = group.weapon
    if weapon.radius:
        area = room_of(r.board, place)
        clauses = (*clauses, "AC-HOUSE-AREA")
        return [
            casualties.pierce(
                r,
                unit.id,
                foe.id,
                weapon.factor,
                through * fire.caught(foe.models, weapon.radius, area, half=True),
                attempt,
                clauses,
            )
            for foe in foes
        ]
    chance = (fire.POSSIBLE if target is None else fire.KNOWN)[weapon.cls]
    if target is None:
        victim = foes[r.pick(len(foes), "whom", unit.id, place, attempt, clauses)]
    elif r.state.units[target.id].place == place:
        victim = target
    else:
        return []
    found = through - r.count(through, chance + 1, "inside", unit.id, victim.id, attempt, D10, clauses)
    return [casualties.pierce(r, unit.id, victim.id, weapon.factor, found, attempt, clauses)]


def _foes(r: Resolution, unit: Unit, place: int) -> list[Unit]:
    return [r.state.units[n] for n in r.state.at.get(place, ()) if r.state.units[n].side != unit.side]


# ---- into an opening ---------------------------------------------------------------------------------------------------


def into_opening(r: Resolution, unit: Unit, at: Into | IntoHole, standing: bool = False) -> None:
    """Effect areas through an embrasure, window, door, hole or breach, centred on the floor behind it. The shot must hit the
    opening."""
    state, board, place = r.state, r.board, at.place
    line = targets.opening_line(LineOfSight(state, board), unit, at)
    if line is None:
        return
    size = fire.SIZES[targets.kind_of(state, board, at)]
    volley = targets.area_groups(unit, line.distance)
    clauses: Clauses = ("AC-OPEN-1", "AC-HOUSE-HIT", "AC-HOUSE-DATA", "AC-HOUSE-AREA")
    if isinstance(at, IntoHole):
        clauses += ("AC-HOUSE-STRUCT",)
    concealment.reveal_firer(r, unit, volley)
    area = room_of(board, place)
    for number, group in enumerate(volley):
        weapon = group.weapon
        need = fire.hit_on(
            fire.third(line.distance, weapon.range),
            0,
            stationary(unit, standing),
            unit_state(unit).moved == MOVED_FAR,
            fire.is_suppressed(state, unit),
            size,
        )
        hits = group.shots - misses(r, unit, group, need, place, number, clauses)
        found = []
        for foe in _foes(r, unit, place) if hits else ():
            struck = hits * fire.caught(foe.models, weapon.radius, area, half=False)
            found.append(casualties.pierce(r, unit.id, foe.id, weapon.factor, struck, number, clauses))
        _report(r, unit, -1, place, "into", group, need, (hits, 0), found, line.distance, clauses)
    # Bursts inside strike the walls from within; misses strike the wall around the opening.
    blaze.wall_struck(r, unit, volley, place)


CHAPTER = Chapter(
    owns=(
        "AC-COVER-1",
        "AC-ATTACK-2",
        "AC-OPEN-1",
        "AC-KNOWN-1",
        "AC-EXPL-1",
        "AC-HOUSE-HIT",
        "AC-HOUSE-INSIDE",
        "AC-HOUSE-AREA",
        "AC-HOUSE-DATA",
    ),
    asks={AtWhom: (legal_at_whom, resolve_at_whom)},
)
