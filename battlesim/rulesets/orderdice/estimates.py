"""What fire and close quarters may be expected to cost: plain estimates in points of worth, for agents that weigh.

Nothing here decides a rule. Every chance comes from the tables of the chapters that do (`fire.to_hit`, `fire.damage_need`,
`he.SHELLS`, `vehicles`). Read `loss` (one volley, exactly) and `rough_loss` (a quick look over many places).
"""

from __future__ import annotations

from battlesim.board.board import Board
from battlesim.core.geometry import INCH
from battlesim.core.memo import memo
from battlesim.core.state import State, Unit
from battlesim.rulesets.orderdice import aim, fire, ground
from battlesim.rulesets.orderdice.armament import armament
from battlesim.rulesets.orderdice.assault import attacks
from battlesim.rulesets.orderdice.data import TYPES
from battlesim.rulesets.orderdice.fire import Group
from battlesim.rulesets.orderdice.model import DOWN, Own, own, type_of

BAND = 3 * INCH
"""Quick looks tell distances apart by this much."""
ROLL_HITS: dict[int, float] = {1: 2.0, 2: 3.5, 3: 7.0, 4: 10.5}
"""Mean of the hits die by HE class (OD-HOUSE-HE)."""
COLLAPSE: dict[int, float] = {3: 1 / 6, 4: 0.625}
"""Chance that a hit by a shell of the class brings the house down: 2D6 or 3D6 come to ten (OD-HE-5)."""
PIN_WORTH = 0.05
"""What one pin costs, as a share of the unit."""


def at_least(need: int) -> float:
    """Chance that a die shows `need` or more; 7 stands for two sixes in a row."""
    return 1 / 36 if need >= 7 else (7 - max(need, 2)) / 6


def worth(unit: Unit) -> float:
    """Points that what is left of a unit is worth."""
    return type_of(unit).worth * unit.models / max(own(unit).full, 1)


def knocked_out(armour: int, penetration: int, bonus: int) -> float:
    """Chance that one hit takes a vehicle out of the fight, roughly: a full result of 4+ on its table."""
    chance = 0.0
    for die in range(1, 7):
        over = die + penetration + bonus - armour
        if over > 0:
            chance += (0.75 if over >= 3 else 0.5) / 6
    return chance


def group_loss(board: Board, target: Unit, group: Group) -> float:
    """Expected points that one group of a volley costs its target."""
    kind, theirs = type_of(target), own(target)
    shots = (group.weapon.shots or 3.5) * len(group.arms)
    hits = shots * at_least(group.need)
    if kind.vehicle:
        penetration = group.weapon.penetration or (group.weapon.he if group.mode == "he" else 0)
        if group.weapon.small and kind.armour >= 7:
            return 0.0
        return min(1.0, hits * knocked_out(kind.armour, penetration, 0)) * worth(target)
    sheltered = ground.inside(board, target)
    models = float(target.models)
    if group.mode in ("he", "indirect"):
        each = ROLL_HITS[group.weapon.he] * (0.5 if theirs.order == DOWN else 1.0)
        lost = 0.0
        if not ground.in_bunker(board, target):
            need = fire.damage_need(theirs.quality, group.weapon.he, False)
            lost = at_least(group.need) * min(models, each * at_least(need))
        pins = at_least(group.need) * (1.0, 1.5, 2.0, 3.5)[group.weapon.he - 1]
    else:
        shielded = sheltered and group.mode != "flame"
        need = fire.damage_need(theirs.quality, group.weapon.penetration, shielded)
        lost = min(models, hits * (at_least(need) if need < 7 else 0.0))
        pins = min(1.0, hits) * (2.0 if group.mode == "flame" else 1.0)
    each_worth = kind.worth / max(theirs.full, 1)
    if group.mode in ("he", "indirect") and sheltered and not ground.in_bunker(board, target):
        falls = at_least(group.need) * COLLAPSE.get(group.weapon.he, 0.0)
        return (1 - falls) * (lost * each_worth + pins * PIN_WORTH * worth(target)) + falls * worth(target)
    rout = 0.35 * worth(target) if 2 * lost >= models else 0.0
    return lost * each_worth + rout + pins * PIN_WORTH * worth(target)


def loss(
    state: State,
    board: Board,
    unit: Unit,
    target: Unit,
    moved: bool,
    wall: int = -2,
    used: tuple[int, ...] = (),
) -> float:
    """Expected points that a unit's volley costs a target, from one wall or (-2) from all of them."""
    walls = aim.walls_bearing(state, board, unit, target, moved, used) if wall == -2 else (wall,)
    return sum(
        group_loss(board, target, group)
        for side in walls
        for group in fire.volley(state, board, unit, target, moved, side, used)
    )


# ---- the quick look


@memo(bound=16_384)
def power(kind: str, models: int, spent: tuple[int, ...], band: int, armour: int, moved: bool) -> float:
    """Expected models of regular infantry in the open (or, with armour, share of a vehicle) that a fresh regular unit takes at
    a distance of `band` times 3 inches."""
    distance = band * BAND + BAND // 2
    total = 0.0
    for arm in armament(kind, models, spent).arms:
        weapon = arm.weapon
        if weapon.range < distance or (weapon.fixed and moved) or weapon.one_shot:
            continue
        if weapon.indirect and not weapon.direct:
            if distance < weapon.minimum or moved:
                continue
            total += 0.3 * (ROLL_HITS[weapon.he] * 0.6 if not armour else 0.1)
            continue
        need = fire.to_hit(0, 1, moved, distance, 2 * distance > weapon.range, False, False, 0, arm.alone)
        hits = (weapon.shots or 3.5) * at_least(need)
        if armour:
            if not (weapon.small and armour >= 7):
                total += hits * knocked_out(armour, weapon.penetration or weapon.he, 0)
        elif weapon.he:
            total += at_least(need) * ROLL_HITS[weapon.he] * at_least(fire.damage_need(1, weapon.he, False))
        else:
            total += hits * at_least(fire.damage_need(1, weapon.penetration, False))
    return min(total, 1.0) if armour else total


COVER_SHARE: dict[int, float] = {0: 1.0, 1: 0.72, 2: 0.33, 4: 0.12}
"""What is left of fire by cover, extra protection counted in with hard cover; rough."""
QUALITY_SHARE: tuple[float, float, float] = (1.35, 1.0, 0.7)


def rough_loss(unit: Unit, target: Unit, distance: int, cover: int, moved: bool) -> float:
    """Roughly what a unit's fire costs a target at a distance, in points; sight is the caller's business."""
    return rough(shooter_of(unit), target_of(target), distance // BAND, cover, moved)


Shooter = tuple[str, int, tuple[int, ...], int, int]
Target = tuple[str, int, int, int]


def shooter_of(unit: Unit) -> Shooter:
    """All of a shooter that a rough estimate asks for."""
    mine: Own = unit.own
    return (unit.kind, unit.models, mine.spent, mine.pins, mine.quality)


def target_of(unit: Unit) -> Target:
    """All of a target that a rough estimate asks for."""
    theirs: Own = unit.own
    return (unit.kind, unit.models, theirs.full, theirs.quality)


@memo(bound=1 << 14)
def rough(
    shooter: Shooter,
    target: Target,
    band: int,
    cover: int,
    moved: bool,
) -> float:
    """`rough_loss` by what it depends on: a shooter's type, models, spent weapons, pins and quality; a target's type, models,
    models at first and quality."""
    unit_kind, unit_models, spent, pins, quality = shooter
    target_kind, models, full, target_quality = target
    kind = TYPES[target_kind]
    force = power(unit_kind, unit_models, spent, band, kind.armour, moved)
    if not force:
        return 0.0
    nerve = 0.67**pins * (0.75 if quality == 0 else 1.0)
    if kind.vehicle:
        return force * nerve * kind.worth
    lost = min(force * nerve * COVER_SHARE.get(cover, 0.33) * QUALITY_SHARE[target_quality], float(models))
    return (lost / max(full, 1) + PIN_WORTH * min(1.0, lost * 2)) * kind.worth


def shelter(board: Board, place: int) -> int:
    """The cover a place gives against most fire: 0, 1, 2, or 4 in a bunker."""
    section = ground.section_of(board, place)
    if section is not None:
        return fire.BUNKER if section.kind == "bunker" else fire.HARD
    return fire.terrain_cover(board, place)


# ---- close quarters


@memo(bound=16_384)
def _binomial(n: int, p: float, cap: int) -> tuple[float, ...]:
    """Chances of 0 to `cap` successes, everything above counted in with the cap."""
    row = [1.0]
    for _ in range(n):
        row = [
            (row[k] * (1 - p) if k < len(row) else 0.0) + (row[k - 1] * p if k else 0.0)
            for k in range(len(row) + 1)
        ]
    if len(row) > cap + 1:
        row = [*row[:cap], sum(row[cap:])]
    return tuple(row)


@memo(bound=16_384)
def melee_odds(
    a_attacks: int, a_models: int, a_need: int, d_attacks: int, d_models: int, d_need: int, both: bool
) -> tuple[float, float, float]:
    """(assaulters win, defenders win, both are wiped out) of close quarters: one round exactly, a drawn one shared out as the
    others went. A side with no men left has lost whatever it took with it. `a_need`: what the assaulters' dice must show."""
    win = lose = gone = draw = 0.0
    for kills, p in enumerate(_binomial(a_attacks, at_least(a_need), d_models)):
        left = d_models if both else d_models - kills
        back = d_attacks if both else (d_attacks * left) // max(d_models, 1)
        for lost, q in enumerate(_binomial(back, at_least(d_need), a_models)):
            if kills >= d_models and lost >= a_models:
                gone += p * q
            elif kills >= d_models or (lost < a_models and kills > lost):
                win += p * q
            elif lost >= a_models or lost > kills:
                lose += p * q
            else:
                draw += p * q
    share = win + lose + gone
    if share <= 0:
        return 0.0, 0.0, 0.0
    return win / share, lose / share, gone / share


def assault_odds(unit: Unit, target: Unit, both: bool) -> tuple[float, float, float]:
    """Chances that the assaulters win, that the defenders win, and that nobody is left."""
    a_need = fire.damage_need(own(target).quality, 0, False)
    d_need = fire.damage_need(own(unit).quality, 0, False)
    return melee_odds(attacks(unit), unit.models, a_need, attacks(target), target.models, d_need, both)


def blows(unit: Unit, target: Unit) -> float:
    """Share of its models that a target loses to one round of a unit's attacks, on average."""
    need = fire.damage_need(own(target).quality, 0, False)
    return min(1.0, attacks(unit) * at_least(need) / max(target.models, 1))


def obeys(quality: int, pins: int, bonus: int) -> float:
    """Chance that a unit with pins passes its order test."""
    if pins <= 0:
        return 1.0
    from battlesim.rulesets.orderdice.morale import needed

    goal = max(2, min(needed(quality, pins, bonus), 11))
    return sum(6 - abs(7 - total) for total in range(2, goal + 1)) / 36
