"""Barrages and air strikes as they arrive (OD-AIR-2..4, OD-BARR-2, OD-BARR-3, OD-BUNK-5, OD-HOUSE-SUPPORT).

A barrage is a step for each place in reach, unit by unit; an air strike is pins, then one bomb. Their shells are those of
`he.py`. Read `barrage` and `air_strike`.
"""

from __future__ import annotations

from msgspec.structs import replace

from battlesim.board.board import Board
from battlesim.core.geometry import INCH
from battlesim.core.items import Item, Step
from battlesim.core.state import State
from battlesim.rules.contract import Chapter
from battlesim.rules.resolution import Clauses, Resolution
from battlesim.rulesets.orderdice import facts_fire, ground, he, indirect, morale, react, vehicles
from battlesim.rulesets.orderdice.armament import ARMOURED
from battlesim.rulesets.orderdice.model import type_of
from battlesim.rulesets.orderdice.structures import is_standing

REACH = 6 * INCH
"""The base reach of a barrage, to which it adds D6 inches."""
AIR_PINS = 6 * INCH
HOWITZER, BOMB = 4, 3
"""Classes of the shells of a heavy-howitzer result and of an air strike."""
KEY = 500
"""A key that separates the dice of a strike from those of its observer's own weapons."""
SUPPORT: Clauses = ("OD-HOUSE-SUPPORT",)


class UnderBarrage(Step, frozen=True):
    """The barrage of `unit` continues: `targets` still roll (-1: an empty building), all of them in `section` (-1: in the open).
    `hits`: heavy-howitzer hits on that section so far (OD-BARR-3)."""

    unit: int
    section: int
    targets: tuple[int, ...]
    hits: int = 0


class BarrageShell(Step, frozen=True):
    """A heavy-howitzer result on the first of `targets`; the rest as in `UnderBarrage`."""

    unit: int
    section: int
    targets: tuple[int, ...]
    hits: int


class Falls(Step, frozen=True):
    """An air strike's bomb falls on a section."""

    unit: int
    section: int


class Bombed(Step, frozen=True):
    """An air strike's bomb bursts on a floor (a space)."""

    unit: int
    place: int


# ---- barrage ---------------------------------------------------------------------------------------------------------


def barrage_pins(face: int) -> str:
    """The result of a unit's die under a barrage: nothing, one pin, D3 pins, or a heavy-howitzer hit."""
    return {1: "nothing", 2: "one", 3: "one", 4: "D3", 5: "D3"}.get(face, "hit")


def in_reach(state: State, board: Board, place: int, reach: int) -> tuple[list[int], dict[int, list[int]]]:
    """The units within reach of an aiming point: those outdoors by id, and section -> units in it by id. For units in a building
    the distance to the building itself counts (OD-BARR-2)."""
    point = board.spaces[place].point
    outdoors: list[int] = []
    indoors: dict[int, list[int]] = {}
    for unit in state.units.values():
        if unit.place < 0:
            continue
        section = ground.section_of(board, unit.place)
        if section is None:
            if board.distance(place, unit.place) <= reach:
                outdoors.append(unit.id)
        elif board.gap_to_section(point, section.id) <= reach:
            indoors.setdefault(section.id, []).append(unit.id)
    return outdoors, indoors


def barrage(r: Resolution, observer: int, place: int) -> None:
    """Reach 6 + D6 inches; every unit in it, friend or foe, rolls: those outdoors first, then building by building. If the
    building aimed at is empty, one die is rolled for it (OD-HOUSE-EMPTY)."""
    reach = REACH + r.total(1, 6, "barrage reach", observer, clauses=SUPPORT) * INCH
    r.because(facts_fire.Barrage(unit=observer, place=place, number=reach, clauses=SUPPORT))
    outdoors, indoors = in_reach(r.state, r.board, place, reach)
    aimed = ground.section_of(r.board, place)
    if aimed is not None and aimed.id not in indoors and is_standing(r.state, aimed.id):
        indoors[aimed.id] = [-1]
    todo: list[Item] = [UnderBarrage(observer, -1, tuple(outdoors))]
    todo += [UnderBarrage(observer, section, tuple(indoors[section])) for section in sorted(indoors)]
    r.then(*todo)


def under_barrage(r: Resolution, step: UnderBarrage) -> None:
    """The next unit rolls a die: 1 nothing, 2 or 3 a pin, 4 or 5 D3 pins, 6 a hit by a heavy howitzer."""
    if not step.targets:
        return
    first, rest = step.targets[0], step.targets[1:]
    further = UnderBarrage(step.unit, step.section, rest, step.hits)
    if first >= 0 and (not r.state.units[first].alive or r.state.units[first].place < 0):
        r.then(further)
        return
    clauses: Clauses = SUPPORT if step.section < 0 else (*SUPPORT, "OD-BARR-2")
    if first < 0:
        clauses += ("OD-HOUSE-EMPTY",)
    what = barrage_pins(r.total(1, 6, "barrage", step.unit, first, KEY, clauses))
    if what == "hit":
        shell = BarrageShell(step.unit, step.section, step.targets, step.hits)
        r.then(*_may_go_down(r.state, step.unit, first), shell)
        return
    if first >= 0 and what != "nothing":
        pins = 1
        if what == "D3":
            pins = r.total(1, 3, "barrage pins", step.unit, first, KEY, clauses)
        morale.add_pins(r, first, pins, SUPPORT)
    r.then(further)


def _may_go_down(state: State, source: int, target: int) -> list[Item]:
    """A unit about to be hit by a shell may go down before the number of hits is rolled (OD-HE-3)."""
    if target < 0 or not react.may_go_down(state, state.units[target]):
        return []
    return [react.GoDown(target, source, side=state.units[target].side)]


def _barrage_clauses(r: Resolution, section: int) -> Clauses:
    """The clause of a barrage's effect on a building or a bunker."""
    return ("OD-BUNK-5",) if r.board.sections[section].kind == "bunker" else ("OD-BARR-3",)


def barrage_shell(r: Resolution, step: BarrageShell) -> None:
    """A heavy-howitzer hit on one unit: all its hits, before any halving, count towards the fall of its building. The building
    falls as soon as they are enough, before other units roll, since none inside survives (OD-BARR-3)."""
    target, rest = step.targets[0], step.targets[1:]
    clauses: Clauses = ("OD-HOUSE-SUPPORT", "OD-HOUSE-HE")
    if step.section >= 0:
        clauses += ("OD-BARR-2", *_barrage_clauses(r, step.section))
    hits = _hits(r, HOWITZER, step.unit, target, clauses)
    further = UnderBarrage(step.unit, step.section, rest, step.hits + hits)
    if step.section >= 0 and he.bring_down(
        r, step.section, step.hits + hits, _barrage_clauses(r, step.section)
    ):
        return
    if target < 0:
        r.because(
            facts_fire.Blasted(
                step.unit,
                -1,
                r.board.sections[step.section].spaces[0],
                HOWITZER,
                hits,
                0,
                0,
                0,
                clauses=clauses,
            )
        )
        r.then(further)
        return
    before, cause = r.state.units[target].models, r.cause
    he.suffer(r, target, HOWITZER, hits, step.unit, KEY, clauses, vehicles.TOP)
    # Its morale test is an effect of the hits; what happens to the next unit is not.
    r.then(morale.AfterAttack(step.unit, target, before, KEY), replace(further, cause=cause))


def _hits(r: Resolution, shell: int, source: int, target: int, clauses: Clauses) -> int:
    """The hits of a shell from above on a unit (-1: an empty building); an armoured vehicle takes one (OD-HOUSE-SIGHT)."""
    if target >= 0 and type_of(r.state.units[target]).armour >= ARMOURED:
        return 1
    return he.roll_hits(r, shell, source, target, KEY, clauses)


# ---- air strike ------------------------------------------------------------------------------------------------------


def gap(board: Board, a: int, b: int) -> int:
    """The distance between two spaces, measured from the building itself if one is a floor (OD-AIR-2); 0 within a section."""
    one, two = ground.section_of(board, a), ground.section_of(board, b)
    if one is not None and two is not None:
        if one.id == two.id:
            return 0
        corners = [board.gap_to_section(corner, two.id) for corner in one.polygon]
        return min(corners + [board.gap_to_section(corner, one.id) for corner in two.polygon])
    if one is not None:
        return board.gap_to_section(board.spaces[b].point, one.id)
    if two is not None:
        return board.gap_to_section(board.spaces[a].point, two.id)
    return board.distance(a, b)


def air_strike(r: Resolution, observer: int, called_on: int, place: int) -> None:
    """D3 pins on the target, one on every other unit within 6 inches of it, then a bomb on the target. `called_on`: the unit it
    was called on (-1: none). If that is gone, `place`, where it was called, is struck (OD-HOUSE-EMPTY)."""
    state, board = r.state, r.board
    target = called_on
    if target >= 0:
        unit = state.units[target]
        if unit.alive and unit.place >= 0:
            place = unit.place
        else:
            target = -1
    section = ground.section_of(board, place)
    if section is not None and not is_standing(state, section.id):
        place, section = section.ruin, None
    clauses: Clauses = SUPPORT if section is None else (*SUPPORT, "OD-AIR-2")
    if called_on >= 0 and target < 0:
        clauses += ("OD-HOUSE-EMPTY",)
    r.because(facts_fire.AirStrike(unit=observer, other=target, place=place, clauses=clauses))
    near = [
        unit.id
        for unit in state.units.values()
        if unit.place >= 0 and unit.id != target and gap(board, place, unit.place) <= AIR_PINS
    ]
    if section is None:
        bomb = _outdoors(r, observer, place)
    else:
        bomb = [Falls(observer, section.id)]
    if target >= 0:
        morale.add_pins(r, target, r.total(1, 3, "strike pins", observer, target, KEY, clauses), clauses)
    for number in near:
        morale.add_pins(r, number, 1, clauses)
    r.then(*bomb)


def falls(r: Resolution, step: Falls) -> None:
    """The floor of the burst is found as for indirect fire; a unit there may go Down."""
    if not is_standing(r.state, step.section):
        return
    place = indirect.floor_hit(r, step.section, step.unit, KEY, ("OD-AIR-3", "OD-IND-2", "OD-IND-3"))
    todo: list[Item] = []
    for number in r.state.at.get(place, ()):
        todo += _may_go_down(r.state, step.unit, number)
    r.then(*todo, Bombed(step.unit, place))


def _outdoors(r: Resolution, source: int, place: int) -> list[Item]:
    """A bomb in the open bursts like any shell of its class, from above."""
    return he.burst_steps(r.state, source, place, BOMB, KEY, struck=vehicles.TOP)


def bombed(r: Resolution, step: Bombed) -> None:
    """Hits on each unit on the floor, or on an imaginary one if it is empty; ten or more bring the building down, twelve a
    bunker."""
    section = ground.section_of(r.board, step.place)
    if section is None or not is_standing(r.state, section.id):
        return
    units = r.state.at.get(step.place, ())
    clauses: Clauses = ("OD-HOUSE-SUPPORT", "OD-AIR-3", *(() if units else ("OD-HOUSE-EMPTY",)))
    fall: Clauses = ("OD-BUNK-5",) if section.kind == "bunker" else ("OD-AIR-4",)
    if section.kind == "bunker":
        clauses += ("OD-BUNK-5",)
    if not units:
        hits = _hits(r, BOMB, step.unit, -1, clauses)
        r.because(facts_fire.Blasted(step.unit, -1, step.place, BOMB, hits, 0, 0, 0, clauses=clauses))
        he.bring_down(r, section.id, hits, fall)
    bomb = r.cause
    for number in units:
        r.cause = bomb  # what happens to one unit is not the cause of what happens to the next
        hits = _hits(r, BOMB, step.unit, number, clauses)
        if he.bring_down(r, section.id, hits, fall):
            return
        before = r.state.units[number].models
        he.suffer(r, number, BOMB, hits, step.unit, KEY, clauses)
        r.then(morale.AfterAttack(step.unit, number, before, KEY))


CHAPTER = Chapter(
    owns=("OD-AIR-2", "OD-AIR-3", "OD-AIR-4", "OD-BARR-2", "OD-BARR-3"),
    steps={UnderBarrage: under_barrage, BarrageShell: barrage_shell, Falls: falls, Bombed: bombed},
)
