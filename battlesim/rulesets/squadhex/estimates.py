"""What fire, falls and assaults may be expected to cost: plain estimates in points of worth, for agents that weigh.

Nothing here decides a rule. Dice, needs and defence come from the tables of `fire.py`; the sums over outcomes are exact. Read
`nets` and `fire_value`.
"""

from __future__ import annotations

from math import comb

from battlesim.core.memo import memo
from battlesim.core.state import Unit
from battlesim.rulesets.squadhex.data import TYPES
from battlesim.rulesets.squadhex.fire import CANCEL, INFANTRY, VEHICLES, WALLS, firepower, need
from battlesim.rulesets.squadhex.model import NORMAL, type_of, unit_state
from battlesim.rulesets.squadhex.morale import DISRUPT, PIN, ROUT

PINNED, PINNED_SPENT, DISRUPTED, ROUTED = 0.2, 0.04, 0.38, 0.55
"""Shares of a unit that it loses when pinned (or pinned after it has acted), disrupted, routed."""
WAITING = 1.4
"""A unit on opportunity fire is worth more to pin, since it has fire to come."""


@memo(bound=4_096)
def _binomial(n: int, need: int) -> tuple[float, ...]:
    """Chances of 0 to `n` dice that show what they need."""
    p = max(0, 7 - need) / 6
    return tuple(comb(n, k) * p**k * (1 - p) ** (n - k) for k in range(n + 1))


@memo(bound=1 << 15)
def nets(dice: int, need: int, defence: int) -> tuple[float, ...]:
    """Chances of 0, 1, 2 ... net hits of so many dice that need so much, against so many defence dice."""
    if dice <= 0 or need > 6:
        return (1.0,)
    row = [0.0] * (dice + 1)
    shield = _binomial(defence, CANCEL)
    for hits, p in enumerate(_binomial(dice, need)):
        for cancelled, q in enumerate(shield):
            row[max(0, hits - cancelled)] += p * q
    return tuple(row)


@memo(bound=1 << 15)
def losses(dice: int, need: int, defence: int, models: int) -> float:
    """Expected figures that a normal attack removes."""
    return sum(p * min(k, models) for k, p in enumerate(nets(dice, need, defence)))


@memo(bound=1 << 15)
def chance(dice: int, need: int, defence: int, least: int, below: int = 99) -> float:
    """Chance of at least so many net hits, and fewer than `below`."""
    return sum(p for k, p in enumerate(nets(dice, need, defence)) if least <= k < below)


def worth(unit: Unit) -> float:
    """Points that what is left of a unit is worth."""
    return type_of(unit).worth * unit.models / max(unit_state(unit).full, 1)


Target = tuple[str, int, int]
"""A target as the quick looks know it: kind, figures, and how many it began with."""


def target_of(unit: Unit) -> Target:
    """All of a unit that a quick look at what it may lose asks for."""
    return unit.kind, unit.models, unit_state(unit).full


@memo(bound=1 << 15)
def threat(kind: str, models: int, target: Target, distance: int, covered: int) -> float:
    """Expected points that a normal attack of so many figures of a kind costs a target at a distance behind so much cover."""
    one = TYPES[target[0]]
    against = VEHICLES if one.vehicle else INFANTRY
    wanted = need(distance, TYPES[kind].ranges[against])
    dice = firepower(kind, models, against) if wanted <= 6 else 0
    return losses(dice, wanted, covered + one.armour, target[1]) * (one.worth / max(target[2], 1))


def suppression(target: Unit, dice: int, need: int, defence: int) -> float:
    """Expected points that a suppressive attack costs a squad."""
    mine = unit_state(target)
    if type_of(target).vehicle:
        return 0.0
    if mine.disrupted:
        return 0.2 * chance(dice, need, defence, ROUT) * worth(target)
    pin = 0.0 if mine.pinned else PINNED if mine.fresh else PINNED_SPENT
    if mine.waits:
        pin *= WAITING
    return _suppressed(pin, dice, need, defence) * worth(target)


@memo(bound=1 << 14)
def _suppressed(pin: float, dice: int, need: int, defence: int) -> float:
    """The share of a squad that a suppressive attack costs, where being pinned costs it `pin`."""
    return (
        pin * chance(dice, need, defence, PIN, DISRUPT)
        + DISRUPTED * chance(dice, need, defence, DISRUPT, ROUT)
        + ROUTED * chance(dice, need, defence, ROUT)
    )


def fire_value(target: Unit, mode: str, dice: int, need: int, defence: int) -> float:
    """Expected points that an attack costs its target."""
    if mode == NORMAL:
        each = type_of(target).worth / max(unit_state(target).full, 1)
        return losses(dice, need, defence, target.models) * each
    return suppression(target, dice, need, defence)


def building_odds(dice: int, need: int, whole: int, weakened: bool) -> tuple[float, float]:
    """Chances that a building hex falls, and that it is only weakened."""
    falls = chance(dice, need, WALLS, whole)
    return falls, 0.0 if weakened else chance(dice, need, WALLS, (whole + 1) // 2, whole)


def fall_loss(unit: Unit, floors: int) -> float:
    """Expected points that a fall costs a squad inside: figures, and being pinned."""
    each = type_of(unit).worth / max(unit_state(unit).full, 1)
    lost = losses(4 * floors, 4, 0, unit.models)
    return lost * each + PINNED * max(0.0, worth(unit) - lost * each)


@memo(bound=1 << 14)
def assault_odds(
    dice: int, models: int, armour: int, back: int, foes: int, foe_armour: int
) -> tuple[float, float, float]:
    """(chance that the assaulters win, figures they lose, figures they take) of close combat, exactly. `armour` is theirs."""
    win = lost = taken = 0.0
    for killed, p in enumerate(nets(dice, 4, foe_armour)):
        for fell, q in enumerate(nets(back, 4, armour)):
            k, f = min(killed, foes), min(fell, models)
            lost += p * q * f
            taken += p * q * k
            if models - f > foes - k:
                win += p * q
    return win, lost, taken
