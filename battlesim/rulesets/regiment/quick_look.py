"""Expected losses in closed form, from the tables of the rules: for agents, never for a rule. Read `clash` and `volley_loss`."""

from __future__ import annotations

from math import erf, sqrt

from msgspec import Struct

from battlesim.core.memo import memo
from battlesim.core.state import Unit
from battlesim.rulesets.regiment.data import TYPES, WEAPONS
from battlesim.rulesets.regiment.model import type_of, unit_state
from battlesim.rulesets.regiment.tables import at_least, close_need, hit_chance, tells, two_dice


class Clash(Struct, frozen=True):
    """What a round of close combat comes to, by expectation: wounds each way, the chance that each breaks."""

    dealt: float
    taken: float
    breaks: float
    broken: float


class Party(Struct, frozen=True):
    """One side of a clash. `touch`: models in contact; `extra`: points of the result that are no wounds; `ld`: what it tests
    against; `stubborn`: whatever the difference."""

    kind: str
    models: int
    wounds: int
    touch: int
    extra: int
    ld: int
    stubborn: bool


def model_worth(unit: Unit) -> float:
    """Points of one wound of a unit."""
    kind = type_of(unit)
    return kind.worth / max(1, kind.models * kind.w)


def wounds(unit: Unit) -> int:
    """Wounds a unit can still take."""
    return unit.models * type_of(unit).w - unit_state(unit).wounds


def worth_left(unit: Unit) -> float:
    """Points of what is left of a unit; half of its worth hangs on its being there at all."""
    kind = type_of(unit)
    return kind.worth * (0.5 + 0.5 * wounds(unit) / max(1, kind.models * kind.w))


@memo(bound=16_384)
def blow(a: str, b: str, harder: bool) -> float:
    """Wounds of one model's attacks by expectation; `harder`: it charged the entrenched."""
    ours, theirs = TYPES[a], TYPES[b]
    need = close_need(ours.ws, theirs.ws) + harder
    return (ours.a + ours.frenzy) * at_least(need) * tells(ours.s, theirs.t, theirs.save, theirs.ward)


@memo(bound=32_768)
def clash(ours: Party, theirs: Party, charge: bool, entrenched: bool) -> Clash:
    """A round in which our party may have charged, theirs may be entrenched."""
    a, b = TYPES[ours.kind], TYPES[theirs.kind]
    each = blow(ours.kind, theirs.kind, charge and entrenched)
    back = blow(theirs.kind, ours.kind, False)
    impact = 3.5 * tells(a.s, b.t, b.save, b.ward) if charge and a.impact and not entrenched else 0.0
    first = 1 if charge and not entrenched else (a.i > b.i) - (a.i < b.i)
    dealt = min(theirs.wounds, ours.touch * each)
    taken = min(ours.wounds, theirs.touch * back)
    if first > 0:
        taken = min(ours.wounds, max(0.0, theirs.touch - (dealt + impact) / b.w) * back)
    elif first < 0:
        dealt = min(theirs.wounds, max(0.0, ours.touch - taken / a.w) * each)
    dealt = min(float(theirs.wounds), dealt + impact)
    ahead = dealt + ours.extra - taken - theirs.extra
    spread = sqrt(max(0.5, dealt + taken))
    win = 0.5 * (1 + erf((ahead - 0.5) / spread / 1.4142))
    lose = 0.5 * (1 + erf((-ahead - 0.5) / spread / 1.4142))
    by = max(1.0, abs(ahead) + 0.4 * spread)
    small = max(1.0, 0.6 * spread)
    breaks = win * _fails(theirs, by if ahead > 0 else small)
    broken = lose * _fails(ours, by if ahead < 0 else small)
    if dealt >= theirs.wounds * 0.95:
        breaks = max(breaks, 0.8)
    return Clash(dealt, taken, breaks, broken)


def _fails(party: Party, by: float) -> float:
    return 1.0 - two_dice(party.ld if party.stubborn else max(2, round(party.ld - by)))


@memo(bound=32_768)
def volley_loss(kind: str, target: str, shots: int, need: int) -> float:
    """Wounds of so many shots by expectation."""
    weapon, foe = WEAPONS[TYPES[kind].weapon], TYPES[target]
    return shots * hit_chance(need) * tells(weapon.strength, foe.t, foe.save, foe.ward)


@memo(bound=8_192)
def engine_loss(way: str, target: str, models: int, ranks: int, inside: bool, level: int) -> float:
    """Wounds of one shot of an engine by expectation; walls shaken are left to the caller."""
    foe = TYPES[target]
    if way == "cannon":
        chance = 0.8 if inside else 0.5
        hits = min(models, 2 if inside else ranks)
        wound = at_least(max(2, 4 + foe.t - 10)) * min(2, foe.w)
        return chance * hits * wound
    if way == "bolt":
        return 0.4 * (min(models, 2.2) if foe.w == 1 else 0.8)
    if way == "stone":
        under = 5 if inside else max(1, 9 * 80 // foe.base)
        return 0.4 * min(models, under) * tells(4, foe.t, foe.save, foe.ward)
    strength = 5 if way == "flame" else 4
    under = 8 if inside else max(1, 8 * 80 // foe.base)
    chance = 0.6 if way == "flame" else 1.0
    return chance * min(models, under) * tells(strength, foe.t, foe.save, foe.ward)
