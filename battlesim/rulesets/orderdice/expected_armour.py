"""The expected results of one attack on a vehicle, from the rules' tables: damage rolls, results, pins, burning crews.

Like `expected.py` for men, with the tables of `vehicles.py`. Nothing here decides a rule. Read `on_vehicle`, then `hurt`.
"""

from __future__ import annotations

from battlesim.core.memo import memo
from battlesim.core.sums import summed
from battlesim.evaluation.distributions import Distribution, binomial, dice, mean, thin
from battlesim.rulesets.orderdice import flame, vehicles
from battlesim.rulesets.orderdice.expected import FLAME, MOST_ATTACKS, SHELL, Blow, Toll, hit_chance, passes
from battlesim.rulesets.orderdice.he import SHELLS
from battlesim.rulesets.orderdice.morale import MORALE


@memo(bound=MOST_ATTACKS)
def on_vehicle(blows: tuple[Blow, ...], quality: int, pins: int, bonus: int, soft: bool) -> Toll:
    """The toll of an attack on a vehicle (OD-HOUSE-VEHICLE); `lost` is the chance that it is lost. `soft`: a shell rolls its
    number of hits; an armoured vehicle takes one (OD-HOUSE-SIGHT)."""
    alive: tuple[float, ...] = (1.0,)
    """The chances that the vehicle survives, by pins gained."""
    most = MORALE[quality] - pins
    for blow in blows:
        hit = hit_chance(blow.need)
        if blow.kind == SHELL:
            hits = dice(SHELLS[blow.he].dice, SHELLS[blow.he].sides) if soft else (0.0, 1.0)
            each = (1.0 - hit, *(hit * share for share in hits[1:]))
            for _ in range(blow.shots):
                alive = _struck(alive, each, SHELLS[blow.he].pins, blow.harm, quality, pins, bonus, most)
        elif blow.kind == FLAME:
            hits = thin(dice(blow.shots, 6), hit, 6 * blow.shots)
            alive = _struck(alive, hits, flame.PIN_SIDES, blow.harm, quality, pins, bonus, most)
        else:
            hits = binomial(blow.shots, hit, blow.shots)
            alive = _struck(alive, hits, 0, blow.harm, quality, pins, bonus, most)
    gone = max(0.0, 1.0 - summed(alive))
    return Toll(gone, mean(alive), gone)


def _struck(
    alive: tuple[float, ...],
    hits: Distribution,
    sides: int,
    ahead: int,
    quality: int,
    pins: int,
    bonus: int,
    most: int,
) -> tuple[float, ...]:
    """Hits on a vehicle: first pins for being hit (a die with `sides` sides; 0: one pin, unless it has gained one already), then
    each hit in turn."""
    found = [share * hits[0] for share in alive] + [0.0] * most
    begun = [0.0] * most
    for gained, share in enumerate(alive):
        if not sides:
            now = gained + (gained == 0)
            if now < most:
                begun[now] += share
            continue
        for more in range(1, sides + 1):
            if gained + more < most:
                begun[gained + more] += share / sides
    row = tuple(begun)
    for n in range(1, len(hits)):
        row = hurt(row, ahead, quality, pins, bonus)
        if hits[n]:
            for gained, share in enumerate(row):
                found[gained] += hits[n] * share
    return tuple(found[:most])


def hurt(alive: tuple[float, ...], ahead: int, quality: int, pins: int, bonus: int) -> tuple[float, ...]:
    """One hit on a vehicle, by pins gained: its damage roll and the results. `ahead`: penetration less armour before the die."""
    found = [0.0] * len(alive)
    for face in range(1, 7):
        rolls, superficial = vehicles.severity(face + ahead)
        row = alive
        for _ in range(rolls):
            row = damaged(row, superficial, quality, pins, bonus)
        for gained, share in enumerate(row):
            found[gained] += share / 6
    return tuple(found)


def damaged(
    alive: tuple[float, ...], superficial: bool, quality: int, pins: int, bonus: int
) -> tuple[float, ...]:
    """One roll on the damage table: every result except a knock-out adds a pin, and a burning crew tests whether it stays."""
    found = [0.0] * len(alive)
    for face in range(1, 7):
        what = vehicles.result(face, superficial)
        if what == vehicles.KNOCKED_OUT:
            continue
        for gained, share in enumerate(alive):
            now = gained + 1
            if share and now < len(found):
                stays = passes(quality, pins + now, bonus) if what == vehicles.ON_FIRE else 1.0
                found[now] += share * stays / 6
    return tuple(found)


def damage_rolls(rolls: int, superficial: bool, quality: int, pins: int, bonus: int, after: int = 0) -> Toll:
    """The toll of a number of rolls on the damage table; a survivor takes `after` more pins (rams, crashes)."""
    most = MORALE[quality] - pins
    alive: tuple[float, ...] = (1.0, *([0.0] * (most - 1)))
    for _ in range(rolls):
        alive = damaged(alive, superficial, quality, pins, bonus)
    if after:
        alive = ((0.0,) * after + alive)[:most]
    gone = max(0.0, 1.0 - summed(alive))
    return Toll(gone, mean(alive), gone)
