"""The expected results of barrages and air strikes on all units within reach, friend and foe (OD-BARR, OD-AIR,
OD-HOUSE-SUPPORT).

Units count where they stand now; the caller allows for moves before the strike. Nothing here decides a rule. Read
`under_barrage`.
"""

from __future__ import annotations

from typing import NamedTuple

from battlesim.core.memo import memo
from battlesim.core.sums import summed
from battlesim.evaluation.distributions import Distribution, convolve, dice, mixture
from battlesim.rulesets.orderdice import expected, expected_armour, strikes
from battlesim.rulesets.orderdice.expected import SHELL, Blow, Toll
from battlesim.rulesets.orderdice.he import SHELLS
from battlesim.rulesets.orderdice.morale import MORALE


class Struck(NamedTuple):
    """A unit as the target of a strike. `harm`: the damage roll that removes a man (for a vehicle: penetration less armour before
    the die); `soft`: a shell rolls its number of hits; `armoured`: any vehicle."""

    models: int
    quality: int
    pins: int
    bonus: int
    down: bool
    harm: int
    soft: bool
    armoured: bool


@memo(bound=1 << 12)
def pinned(unit: Struck, least: int, most: int) -> Toll:
    """The toll of pins alone, a die from `least` to `most`: too many break a unit."""
    broken = gained = 0.0
    for pins in range(least, most + 1):
        if unit.pins + pins >= MORALE[unit.quality]:
            broken += 1.0
        else:
            gained += pins
    faces = most - least + 1
    return Toll(unit.models * broken / faces, gained / faces, broken / faces)


@memo(bound=1 << 12)
def shelled(unit: Struck, he: int, falls: int) -> Toll:
    """The toll of a shell that certainly bursts where a unit is; `falls`: hits that bring its building down (0: none)."""
    blow = (Blow(SHELL, 1, 1, unit.harm, he, 1.0, falls),)
    if unit.armoured:
        return expected_armour.on_vehicle(blow, unit.quality, unit.pins, unit.bonus, unit.soft)
    return expected.on_men(blow, unit.models, unit.quality, unit.pins, unit.bonus, unit.down)


def mixed(parts: tuple[tuple[float, Toll], ...]) -> Toll:
    """The mean of several tolls, each with its chance."""
    return Toll(
        summed(share * toll.lost for share, toll in parts),
        summed(share * toll.pins for share, toll in parts),
        summed(share * toll.gone for share, toll in parts),
        summed(share * toll.falls for share, toll in parts),
    )


@memo(bound=1 << 12)
def under_barrage(unit: Struck, falls: int) -> Toll:
    """The toll of a unit's die under a barrage; `falls`: hits of its shell that bring its building down (0: none)."""
    parts: list[tuple[float, Toll]] = []
    for face in range(1, 7):
        what = strikes.barrage_pins(face)
        if what == "hit":
            parts.append((1 / 6, shelled(unit, strikes.HOWITZER, falls)))
        elif what != "nothing":
            parts.append((1 / 6, pinned(unit, 1, 3 if what == "D3" else 1)))
    return mixed(tuple(parts))


@memo(bound=1 << 12)
def bombed(unit: Struck, least: int, most: int, lands: float, falls: int) -> Toll:
    """The toll of pins (a die from `least` to `most`) and then a bomb. `lands`: the chance that it bursts where the unit is;
    `falls`: hits that bring its building down, wherever the bomb bursts (0: none)."""
    blow = (Blow(SHELL, 1, 1, unit.harm, strikes.BOMB, lands, falls),)
    parts: list[tuple[float, Toll]] = []
    for more in range(least, most + 1):
        pins = unit.pins + more
        if pins >= MORALE[unit.quality]:
            toll = Toll(unit.models, 0.0, 1.0)
        elif unit.armoured:
            toll = expected_armour.on_vehicle(blow, unit.quality, pins, unit.bonus, unit.soft)
        else:
            toll = expected.on_men(blow, unit.models, unit.quality, pins, unit.bonus, unit.down)
        kept = toll.pins + more * (1.0 - toll.gone)
        parts.append((1 / (most - least + 1), Toll(toll.lost, kept, toll.gone, toll.falls)))
    return mixed(tuple(parts))


@memo(bound=64)
def barrage_falls(targets: int, enough: int) -> float:
    """The chance that a barrage brings down a building. `targets`: units in it, each with a die (an empty building has one);
    `enough`: hits that do it (OD-BARR-3)."""
    shell = SHELLS[strikes.HOWITZER]
    hit = sum(strikes.barrage_pins(face) == "hit" for face in range(1, 7)) / 6
    one: Distribution = mixture([(1.0 - hit, (1.0,)), (hit, dice(shell.dice, shell.sides))])
    total: Distribution = (1.0,)
    for _ in range(targets):
        total = convolve(total, one, enough)
    return total[enough] if len(total) > enough else 0.0


def buried(toll: Toll, falls: float, models: int) -> Toll:
    """A unit's toll if its building also falls, with the chance `falls`: then all models are lost."""
    stands = 1.0 - falls
    return Toll(stands * toll.lost + falls * models, stands * toll.pins, stands * toll.gone + falls, falls)
