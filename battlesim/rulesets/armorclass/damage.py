"""Damage to structures by hits: holes, breaches, floors destroyed, or points lost (AC-DEST, AC-POINT, AC-HOUSE-STRUCT).

Read `damage_wall` for an attack on a wall, `damage_roof` for one from above, and `destroy_floor` for the effects on units there.
`collapse_checks` begin each turn if the scenario has them (AC-POINT-5).
"""

from __future__ import annotations

from msgspec.structs import replace

from battlesim.core.geometry import Point
from battlesim.core.state import State, Unit
from battlesim.rules.contract import Chapter
from battlesim.rules.resolution import Clauses, Resolution
from battlesim.rulesets.armorclass import concealment, facts_buildings, fire, flames, ground, works
from battlesim.rulesets.armorclass.data import D10, Weapon
from battlesim.rulesets.armorclass.model import Fieldwork, battle_state, type_of

SLIT = 25
"""Fire passes a hole that is wider than this; a light cannon's hole is not (AC-DEST-5, AC-HOUSE-STRUCT)."""
NUCLEAR = "nuclear"


def points_lost(variant: int, factor: int, area: bool, penetrated: bool) -> int:
    """The structure points that one hit costs (AC-POINT-1 to 3)."""
    if variant == 1:
        return int(penetrated)
    return (factor if penetrated else 1) * (2 if area and variant == 3 else 1)


def hit_points(variant: int, weapon: Weapon, hits: int, through: int) -> int:
    """The structure points that a weapon's hits cost; `through`: how many of them penetrated."""
    area = weapon.radius > 0
    lost = (hits - through) * points_lost(variant, weapon.factor, area, False)
    return lost + through * points_lost(variant, weapon.factor, area, True)


def stands_on(lost: int, points: int) -> int:
    """The highest D10 roll on which a damaged structure still stands: 10 less the full tenths lost (AC-POINT-5)."""
    return 10 - lost * 10 // max(points, 1)


_VARIANT: dict[int, Clauses] = {
    1: ("AC-POINT-1", "AC-POINT-6", "AC-ATTACK-1"),
    2: ("AC-POINT-2", "AC-POINT-6", "AC-ATTACK-1"),
    3: ("AC-POINT-3", "AC-POINT-6", "AC-ATTACK-1"),
}


def take_points(
    r: Resolution, section: int, hits: int, through: int, weapon: Weapon, clauses: Clauses = ()
) -> None:
    """A section loses the points of a weapon's hits (see `hit_points`); with none left it is destroyed."""
    variant = battle_state(r.state).options.variant
    lost = hit_points(variant, weapon, hits, through)
    if lost <= 0 or works.floors_left(r.state, r.board, section) == 0:
        return
    clauses = (*_VARIANT[variant], *clauses)
    if not works.make_of(r.board, section).points and not battle_state(r.state).options.points:
        clauses += ("AC-POINT-4", "AC-HOUSE-POINTS")
    whole = works.points_of(r.state, r.board, section)
    total = min(whole, works.record(r.state, section).get("lost", 0) + lost)
    r.emit(facts_buildings.PointsLost(section=section, number=lost, clauses=clauses, cause=r.cause))
    works.change(r, section, clauses, lost=total)
    if total >= whole:
        destroy_floor(r, section, 0, (*clauses, "AC-DEST-3"))


def _goes_by_option(r: Resolution, unit: Unit, weapon: Weapon, section: int, hits: int, through: int) -> bool:
    """Whether an option of the scenario says what hits do to a structure, and that is done: nothing where damage is ignored
    (AC-DEST-4), or points lost under a variant (AC-POINT)."""
    options = battle_state(r.state).options
    if options.damage == "ignored":
        if through:
            clauses: Clauses = ("AC-DEST-4",)
            r.emit(facts_buildings.Ignored(unit=unit.id, section=section, clauses=clauses, cause=r.cause))
        return True
    if options.variant:
        take_points(r, section, hits, through, weapon)
        return True
    return False


def damage_wall(
    r: Resolution, unit: Unit, weapon: Weapon, section: int, floor: int, side: int, hits: int, through: int
) -> None:
    """The effect on the structure of an attack that struck a wall, after its effects on units inside."""
    if _goes_by_option(r, unit, weapon, section, hits, through):
        return
    if not through or works.floors_left(r.state, r.board, section) <= floor:
        return
    area = works.make_of(r.board, section).area
    if weapon.radius:
        breach_wall(
            r, unit.id, section, floor, side, ("AC-DEST-1", "AC-DEST-2", "AC-HOUSE-STRUCT", "AC-ATTACK-1")
        )
        if fire.covers_half(weapon.radius, area, half=True):
            destroy_floor(r, section, floor, ("AC-DEST-2", "AC-DEST-3", "AC-HOUSE-STRUCT"))
    elif weapon.vehicle:
        _hole(r, unit.id, section, floor, side, weapon)


def damage_roof(r: Resolution, unit: Unit, weapon: Weapon, section: int, hits: int, through: int) -> None:
    """`damage_wall` from above: the whole effect area counts against the top floor."""
    if _goes_by_option(r, unit, weapon, section, hits, through):
        return
    floors = works.floors_left(r.state, r.board, section)
    if floors > 1 and r.board.spaces[r.board.sections[section].spaces[floors - 1]].roof:
        floors -= 1  # an open roof falls with the floor under it
    if (
        through
        and floors
        and fire.covers_half(weapon.radius, works.make_of(r.board, section).area, half=False)
    ):
        clauses: Clauses = ("AC-DEST-1", "AC-DEST-2", "AC-DEST-3", "AC-HOUSE-STRUCT", "AC-HOUSE-INDIRECT")
        destroy_floor(r, section, floors - 1, clauses)


def harms_work(state: State, weapon: Weapon, half: bool = False) -> bool:
    """Whether a weapon that penetrates a field work damages it. Under a variant it takes points; else its effect area, or `half`
    of that, must cover half of the work (AC-DEST-2, AC-DEST-4, AC-POINT-6)."""
    options = battle_state(state).options
    if options.variant:
        return True
    return options.damage == "guidelines" and fire.covers_half(weapon.radius, fire.OPEN_AREA, half)


def damage_work(
    r: Resolution, weapon: Weapon, place: int, hits: int, through: int, half: bool = False
) -> None:
    """The effect of hits on the bank or cover of a field work; `half`: half of their effect areas count."""
    work = works.fieldwork(r.state, place)
    if work is None or not harms_work(r.state, weapon, half):
        return
    options = battle_state(r.state).options
    if not options.variant:
        if through:
            set_work(r, place, None, ("AC-DEST-1", "AC-DEST-2", "AC-HOUSE-STRUCT"))
        return
    lost = hit_points(options.variant, weapon, hits, through)
    if lost <= 0:
        return
    clauses = _VARIANT[options.variant]
    if not work.points and not options.points:
        clauses += ("AC-POINT-4", "AC-HOUSE-POINTS")
    whole = works.points_of_work(r.state, work)
    total = min(whole, work.lost + lost)
    r.emit(facts_buildings.WorkPointsLost(place=place, number=lost, clauses=clauses, cause=r.cause))
    gone = total >= whole
    set_work(r, place, None if gone else replace(work, lost=total), (*clauses, *(("AC-DEST-3",) * gone)))


def set_work(r: Resolution, place: int, work: Fieldwork | None, clauses: Clauses) -> None:
    """Replace the field work on a space; None: it is destroyed."""
    if work is None:
        r.emit(facts_buildings.WorkDestroyed(place=place, clauses=clauses, cause=r.cause))
    left = [work if old.place == place else old for old in battle_state(r.state).fieldworks]
    r.set_extra(clauses, fieldworks=tuple(w for w in left if w is not None))


def breach_wall(r: Resolution, unit: int, section: int, floor: int, side: int, clauses: Clauses) -> None:
    """A wall gets a breach as wide as a door."""
    if works.is_breached(r.state, section, floor, side):
        return
    made = tuple(sorted((*works.pairs(r.state, section, "breaches"), (floor, side))))
    place = r.board.sections[section].spaces[floor]
    r.emit(
        facts_buildings.Breached(
            unit=unit, place=place, section=section, number=side, clauses=clauses, cause=r.cause
        )
    )
    works.change(r, section, clauses, breaches=made)


def _hole(r: Resolution, unit: int, section: int, floor: int, side: int, weapon: Weapon) -> None:
    """A vehicle weapon without an effect area leaves a hole, which is a slit if it is wide enough to fire through."""
    clauses: Clauses = ("AC-DEST-1", "AC-DEST-2", "AC-DEST-5", "AC-ATTACK-1")
    place = r.board.sections[section].spaces[floor]
    hole = facts_buildings.Hole if weapon.hole > SLIT else facts_buildings.SmallHole
    # A wall that is open already gets no other hole.
    if side in works.opened_sides(r.state, section, floor):
        return
    r.emit(hole(unit=unit, place=place, section=section, number=weapon.hole, clauses=clauses, cause=r.cause))
    if weapon.hole > SLIT:
        made = tuple(sorted((*works.pairs(r.state, section, "holes"), (floor, side))))
        works.change(r, section, (*clauses, "AC-HOUSE-STRUCT"), holes=made)


# ---- floors and sections destroyed -------------------------------------------------------------------------------------


def destroy_floor(r: Resolution, section: int, floor: int, clauses: Clauses) -> None:
    """A floor is destroyed and those above fall; without its ground floor the whole section falls. Each soldier there is lost on
    1 to 7; the others are put outside, suppressed. Strongpoints and turrets are lost."""
    house = r.board.sections[section]
    left = works.floors_left(r.state, r.board, section)
    if floor >= left:
        return
    lost = facts_buildings.Collapsed if floor == 0 else facts_buildings.FloorDestroyed
    place, before = house.spaces[floor], r.cause
    r.because(lost(place=place, section=section, number=floor, clauses=clauses, cause=r.cause))
    works.change(r, section, clauses, fallen=floor == 0, gone=floor)
    flames.go_out(r, section, clauses)
    inside = [unit for number in range(floor, left) for unit in r.state.at.get(house.spaces[number], ())]
    for unit in inside:
        _fall(r, unit, clauses)
    # A unit that has crawled out of the enemy's sight is hidden again at once.
    concealment.lose_sight(r, inside)
    r.cause = before  # what comes next, such as the rest of a volley, is not an effect of the fall


def _fall(r: Resolution, number: int, clauses: Clauses) -> None:
    unit = r.state.units[number]
    kind = type_of(unit)
    clauses = (*clauses, "AC-HOUSE-STRUCT") if "AC-HOUSE-STRUCT" not in clauses else clauses
    if kind.fixed:
        r.lose(unit, unit.models, "buried", clauses)
        return
    attempt = unit.place
    lived = r.count(unit.models, fire.DEADLY + 1, "buried", number, -1, attempt, D10, clauses)
    if lived < unit.models:
        r.set(number, lost=unit.own.lost + unit.models - lived)
        r.lose(unit, unit.models - lived, "buried", clauses)
    unit = r.state.units[number]
    if not unit.alive:
        return
    space = r.board.spaces[unit.place]
    goal = _way_out(r, unit, space.point)
    if goal < 0:
        r.lose(unit, unit.models, "no way out", clauses)
        return
    r.move(unit, (unit.place, goal), clauses)
    r.emit(
        facts_buildings.CrawlsOut(
            unit=number, place=goal, section=space.section, clauses=clauses, cause=r.cause
        )
    )
    # It is suppressed for one activation: that of this turn if it has not acted yet.
    r.set(number, clauses, suppressed=r.state.turn + unit.own.acted)
    flames.enter(r, number, flames.ON_FALLING + attempt)


def _way_out(r: Resolution, unit: Unit, point: Point) -> int:
    """The nearest ground where what is left of a unit can crawl out; -1: none. If hidden enemies hold nearer ground, they and the
    unit find each other."""
    while (goal := ground.free_ground(r.state, r.board, point, unit.side)) >= 0:
        foes = ground.foes_at(r.state, goal, unit.side)
        if not foes:
            break
        for foe in foes:
            concealment.meet(r, unit.id, foe.id)
    return goal


def nuclear(r: Resolution, point: Point, radius: int) -> None:
    """Everything within a nuclear warhead's effect area is destroyed: buildings, field works and units, friend or foe
    (AC-DEST-2)."""
    clauses: Clauses = ("AC-DEST-2", "AC-DEST-3")
    state, board = r.state, r.board
    spared = battle_state(state).options.damage == "ignored"  # AC-DEST-4: structures are spared, not units
    for section in board.sections:
        if board.gap_to_section(point, section.id) <= radius and works.floors_left(state, board, section.id):
            for place in section.spaces:
                for number in state.at.get(place, ()):
                    r.lose(state.units[number], state.units[number].models, "vaporised", clauses)
            if not spared:
                destroy_floor(r, section.id, 0, clauses)
    burnt = []
    for space in board.spaces:
        if space.kind != "ground" or (space.x - point[0]) ** 2 + (space.y - point[1]) ** 2 > radius**2:
            continue
        burnt.append(space.id)
        for number in state.at.get(space.id, ()):
            r.lose(state.units[number], state.units[number].models, "vaporised", clauses)
    for work in battle_state(state).fieldworks:
        if work.place in burnt and not spared:
            set_work(r, work.place, None, clauses)
    r.set_extra(clauses, burnt=tuple(sorted({*battle_state(state).burnt, *burnt})))


def collapse_checks(r: Resolution) -> None:
    """At the start of each turn a damaged structure collapses unless a D10 rolls at most `stands_on`."""
    if not battle_state(r.state).options.collapse:
        return
    clauses: Clauses = ("AC-POINT-5", "AC-HOUSE-POINTS")
    for section in sorted(r.state.structures):
        structure = r.state.structures[section]
        if structure.fallen or not structure.own.get("lost"):
            continue
        need = stands_on(structure.own["lost"], works.points_of(r.state, r.board, section))
        if need < 10 and r.count(1, need + 1, "collapse", -1, section, 0, D10, clauses):
            destroy_floor(r, section, 0, (*clauses, "AC-DEST-3"))
    for work in battle_state(r.state).fieldworks:
        need = stands_on(work.lost, works.points_of_work(r.state, work))
        if need < 10 and r.count(1, need + 1, "work collapse", -1, work.place, 0, D10, clauses):
            set_work(r, work.place, None, (*clauses, "AC-DEST-3"))


CHAPTER = Chapter(
    owns=(
        "AC-ATTACK-1",
        "AC-DEST-1",
        "AC-DEST-2",
        "AC-DEST-3",
        "AC-DEST-4",
        "AC-DEST-5",
        "AC-POINT-1",
        "AC-POINT-2",
        "AC-POINT-3",
        "AC-POINT-4",
        "AC-POINT-5",
        "AC-POINT-6",
        "AC-HOUSE-POINTS",
    )
)
