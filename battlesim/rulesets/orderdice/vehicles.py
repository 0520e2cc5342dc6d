"""Armour: where a hit strikes a vehicle, its effects, and how a vehicle turns.

OD-HOUSE-VEHICLE, OD-HOUSE-FACING, OD-HOUSE-MOUNT, OD-FROM-7, and the armour half of OD-HOUSE-DAMAGE and OD-HOUSE-TRAITS.
Read `pierce` and `suffer`; `hit` is both. A natural 1 always fails against men; against armour only the total counts.
"""

from __future__ import annotations

from collections.abc import Sequence

from battlesim.board.board import Board
from battlesim.core.answers import Answer, Face
from battlesim.core.events import Placed
from battlesim.core.geometry import Point, in_arc
from battlesim.core.items import Ask
from battlesim.core.state import State, Unit
from battlesim.rules.contract import Chapter
from battlesim.rules.resolution import Clauses, Resolution
from battlesim.rulesets.orderdice import casualties, facts_vehicles, fire, ground, morale
from battlesim.rulesets.orderdice.armament import ARMOURED
from battlesim.rulesets.orderdice.data import Weapon
from battlesim.rulesets.orderdice.model import ADVANCE, RUN, type_of, unit_state

FRONT, SIDE, REAR, TOP = "front", "side", "rear", "top"
BONUS: dict[str, int] = {FRONT: 0, SIDE: 1, REAR: 2, TOP: 1}
"""The bonus of the face struck to the damage roll (OD-HOUSE-DAMAGE); a top hit gives its own instead (OD-HOUSE-FACING)."""
BEST = 6
"""The best roll of a die against armour (OD-HOUSE-DAMAGE)."""
TWO_ROLLS = 3
"""A margin of this or more above the armour gives two rolls on the damage table."""
SUPERFICIAL = -3
"""What superficial damage adds to the roll on the damage table (OD-HOUSE-VEHICLE)."""

STUNNED, IMMOBILISED, ON_FIRE, KNOCKED_OUT = "stunned", "immobilised", "on fire", "knocked out"
CLAUSES: Clauses = ("OD-HOUSE-VEHICLE",)

# The purposes of rolls on the damage table, which separate their dice.
SHOT, RAMS, RAMMED, CRASH = "damage table", "ram damage", "rammed damage", "crash damage"
PURPOSES: tuple[str, ...] = (SHOT, RAMS, RAMMED, CRASH)


# ---- tables ----------------------------------------------------------------------------------------------------------


def margin(face: int, penetration: int, struck: str, far: bool, armour: int) -> int:
    """By how much a damage roll of `face` beats the armour: 0 equals it, below 0 fails. `far`: the weapon loses 1 by range
    (`is_far`)."""
    return face + penetration + BONUS[struck] - far - armour


def severity(beaten_by: int) -> tuple[int, bool]:
    """The number of rolls on the damage table for a margin, and whether they are superficial."""
    if beaten_by < 0:
        return 0, False
    return (2 if beaten_by >= TWO_ROLLS else 1), beaten_by == 0


def result(face: int, superficial: bool) -> str:
    """The result of a roll on the damage table."""
    face += SUPERFICIAL if superficial else 0
    if face <= 1:
        return STUNNED
    return {2: IMMOBILISED, 3: ON_FIRE}.get(face, KNOCKED_OUT)


def can_hurt(weapon: Weapon, armour: int) -> bool:
    """Whether a weapon can harm armour: small arms neither hurt nor pin armour 7 and more (OD-HOUSE-DAMAGE, OD-HOUSE-TRAITS)."""
    return not weapon.small or armour < ARMOURED


def is_far(weapon: Weapon, distance: int) -> bool:
    """Whether a shot loses 1 of penetration by its range; shaped charges never do (OD-HOUSE-TRAITS)."""
    return not weapon.shaped and 2 * distance > weapon.range


def aspect(board: Board, target: Unit, origin: Point) -> str:
    """Which face a vehicle shows to a point: front and rear are 90 degree arcs, the rest side."""
    here = board.spaces[target.place].point
    if in_arc(here, target.facing, origin):
        return FRONT
    return REAR if in_arc(here, (target.facing + 4) % 8, origin) else SIDE


def plunges(board: Board, place: int, target: Unit, weapon: Weapon, distance: int) -> bool:
    """Whether a heavy weapon on an upper floor strikes the top of an armoured target within 12 inches (OD-FROM-7)."""
    space = board.spaces[place]
    upper = space.kind == "floor" and space.floor > 0
    armoured = type_of(target).armour >= ARMOURED
    return upper and armoured and not weapon.small and distance <= fire.TOP_RANGE


def struck_by(board: Board, place: int, opening: int, target: Unit, weapon: Weapon, distance: int) -> str:
    """The face of a vehicle that a direct shot strikes, fired from `opening` of the floor `place` (-1: from its point)."""
    if plunges(board, place, target, weapon, distance):
        return TOP
    origin = board.openings[opening].point if opening >= 0 else board.spaces[place].point
    return aspect(board, target, origin)


# ---- a hit -----------------------------------------------------------------------------------------------------------


def pierce(
    r: Resolution,
    source: int,
    target: int,
    hits: int,
    penetration: int,
    struck: str,
    far: bool,
    number: int,
    clauses: Clauses = (),
) -> list[int]:
    """Roll damage for hits; returns the margins of those that equal or beat the armour. `source` (a unit), `target` and `number`
    key the dice."""
    armour = type_of(r.state.units[target]).armour
    clauses = ("OD-HOUSE-DAMAGE", *(("OD-FROM-7",) if "OD-FROM-7" in clauses else ()))
    need = max(armour - margin(0, penetration, struck, far, 0), 1)
    faces = r.roll(hits, 6, "armour", source, target, number, need, clauses)
    margins = [margin(face, penetration, struck, far, armour) for face in faces]
    return [beaten_by for beaten_by in margins if beaten_by >= 0]


def suffer(r: Resolution, source: int, target: int, margins: Sequence[int], number: int) -> None:
    """Apply hits that equalled or beat a vehicle's armour, one after the other."""
    for i, beaten_by in enumerate(margins):
        rolls, superficial = severity(beaten_by)
        damage(r, source, target, rolls, superficial, number * 100 + i)


def hit(
    r: Resolution,
    source: int,
    target: int,
    hits: int,
    penetration: int,
    struck: str,
    far: bool = False,
    number: int = 0,
    clauses: Clauses = (),
) -> int:
    """Hits on a vehicle, from damage rolls to effects; returns how many equalled or beat its armour. The caller adds pins for
    hits."""
    margins = pierce(r, source, target, hits, penetration, struck, far, number, clauses)
    if hits and not margins:
        r.emit(facts_vehicles.Bounced(unit=source, other=target, clauses=("OD-HOUSE-DAMAGE",)))
    suffer(r, source, target, margins, number)
    return len(margins)


def damage(
    r: Resolution,
    source: int,
    target: int,
    rolls: int,
    superficial: bool,
    attempt: int,
    purpose: str = SHOT,
) -> None:
    """A number of rolls on the damage table, for one of PURPOSES; the rest are dropped when the vehicle is lost."""
    if not r.state.units[target].alive:
        return
    for i, face in enumerate(r.roll(rolls, 6, purpose, source, target, attempt, clauses=CLAUSES)):
        if r.state.units[target].alive:
            key = attempt * 2 * len(PURPOSES) + 2 * PURPOSES.index(purpose) + i
            _take(r, source, target, result(face, superficial), key)


_RESULTS = {
    STUNNED: facts_vehicles.Stunned,
    IMMOBILISED: facts_vehicles.Immobilised,
    ON_FIRE: facts_vehicles.OnFire,
    KNOCKED_OUT: facts_vehicles.KnockedOut,
}
"""The fact for each result of the damage table."""


def _take(r: Resolution, source: int, target: int, what: str, attempt: int) -> None:
    """Apply one result of the damage table to a vehicle, and a pin if it is not knocked out. If it is on fire, its crew puts the
    fire out or abandons it. `attempt` keys the test."""
    unit = r.state.units[target]
    r.emit(_RESULTS[what](unit=target, other=source, place=unit.place, clauses=CLAUSES))
    if what == KNOCKED_OUT:
        casualties.destroy(r, target, KNOCKED_OUT, CLAUSES)
        return
    if what == STUNNED:
        morale.go_down(r, unit, STUNNED, CLAUSES)
    elif what == IMMOBILISED:
        immobilise(r, unit)
    morale.add_pins(r, target, 1, CLAUSES)
    unit = r.state.units[target]
    if what == ON_FIRE and unit.alive:
        if morale.check(r, unit, "fire", source, attempt=attempt, clauses=CLAUSES):
            r.emit(facts_vehicles.FireOut(unit=target, clauses=CLAUSES))
        else:
            r.emit(facts_vehicles.Abandoned(unit=target, clauses=CLAUSES))
            casualties.destroy(r, target, "abandoned", CLAUSES)


def immobilise(r: Resolution, unit: Unit) -> None:
    """A vehicle cannot move any more; its passengers bail out (OD-HOUSE-TRANSPORT)."""
    r.set(unit.id, CLAUSES, immobile=True)
    if type_of(unit).capacity:
        r.then(casualties.CarrierLost(unit.id, unit.place, wrecked=False))


# ---- facing ----------------------------------------------------------------------------------------------------------


class FaceWhere(Ask, frozen=True):
    """Which way does a vehicle, or a gun that Advanced, face now?"""

    unit: int


def may_turn(board: Board, unit: Unit) -> bool:
    """Whether a unit may choose its facing: a vehicle after its Advance or Run, a gun after its Advance; not if it was halted,
    nor a gun inside, whose arc is fixed (OD-HOUSE-FACING, OD-HOUSE-GUN, OD-GUN-2)."""
    mine, kind = unit_state(unit), type_of(unit)
    if not unit.alive or unit.place < 0 or mine.immobile or ground.inside(board, unit):
        return False
    return (kind.vehicle and mine.order in (ADVANCE, RUN)) or (kind.artillery and mine.order == ADVANCE)


def legal_face_where(state: State, board: Board, ask: FaceWhere) -> Sequence[Answer]:
    """The present facing; then the others by number."""
    unit = state.units[ask.unit]
    first = [Face(unit.facing)]
    if not may_turn(board, unit):
        return first
    return first + [Face(facing) for facing in range(8) if facing != unit.facing]


def resolve_face_where(r: Resolution, ask: FaceWhere, said: Face) -> None:
    """The unit turns on the spot."""
    unit = r.state.units[ask.unit]
    if unit.alive and said.facing != unit.facing:
        clauses: Clauses = ("OD-HOUSE-GUN",) if type_of(unit).artillery else ("OD-HOUSE-FACING",)
        r.emit(Placed(unit.id, unit.place, said.facing, clauses=clauses))


CHAPTER = Chapter(
    owns=("OD-HOUSE-VEHICLE", "OD-HOUSE-FACING", "OD-HOUSE-MOUNT", "OD-FROM-7"),
    asks={FaceWhere: (legal_face_where, resolve_face_where)},
)
