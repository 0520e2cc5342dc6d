"""The expected results of one attack, from the rules' tables: men lost, pins, morale, houses.

Nothing here decides a rule, and no table is written twice: needs, shells, pins and results come from `fire.py`, `he.py`,
`flame.py` and `morale.py`. The means are those of the rules' own dice; `tests/rulesets/orderdice` checks them against
`battlesim.search.outcomes`. An attack is a sequence of `Blow`s in the order in which they strike; `estimates.py` builds it from a
position. Vehicles are in `expected_armour.py`. Read `on_men`.
"""

from __future__ import annotations

from typing import NamedTuple

from msgspec import Struct

from battlesim.core.memo import memo
from battlesim.core.sums import summed
from battlesim.evaluation.distributions import (
    NOTHING,
    Distribution,
    any_of,
    binomial,
    convolve,
    dice,
    face_at_least,
    thin,
    two_dice_at_most,
)
from battlesim.rulesets.orderdice import flame
from battlesim.rulesets.orderdice.data import TYPES
from battlesim.rulesets.orderdice.he import SHELLS
from battlesim.rulesets.orderdice.indirect import BURSTS
from battlesim.rulesets.orderdice.morale import BLUNDER, MORALE, needed

SHOTS, FLAME, SHELL, FIRE = "shots", "flame", "shell", "fire"
NO_HARM = 7
"""A roll that is impossible on a D6."""
MOST_ATTACKS = 1 << 15
"""Results of attacks that are kept."""


class Blow(NamedTuple):
    """Weapons of one group that strike together.

    `kind`: SHOTS, FLAME, SHELL, or FIRE in the target's house. `shots`: the number of dice to hit (FLAME: of throwers, each with
    a D6 of dice). `need`: to hit, 2 to 7. `harm`: against men, the damage roll that removes a man (7: impossible); against a
    vehicle, penetration less armour before the die. `he`: class of a SHELL. `lands`: the chance that a shell that hits bursts
    where the target is, on its floor; for FIRE, that it starts. `falls`: how many hits of one shell bring the target's building
    down (0: it never falls).
    """

    kind: str
    shots: int
    need: int
    harm: int
    he: int = 0
    lands: float = 1.0
    falls: int = 0


class Toll(Struct, frozen=True, gc=False):
    """The expected result of an attack. `lost`: mean models lost. `pins`: mean pins gained; a destroyed unit counts as none.
    `gone`: the chance that the unit is destroyed. `falls`: the chance that the building collapses."""

    lost: float = 0.0
    pins: float = 0.0
    gone: float = 0.0
    falls: float = 0.0


class Spread(NamedTuple):
    """All possible results of an attack on men before morale tests. `rows[pins gained][men lost]`: the chances while the unit
    survives. `dead`: the chance that it does not. `falls`: the chance that its building falls."""

    rows: tuple[tuple[float, ...], ...]
    dead: float
    falls: float


def hit_chance(need: int) -> float:
    """The chance of one shot to hit; a need of 7 means a 6 followed by another 6 (OD-HOUSE-SHOOT)."""
    return face_at_least(need) if need < 7 else 1 / 36


def passes(quality: int, pins: int, bonus: int) -> float:
    """The chance to pass a morale test outside orders; 2 always passes."""
    return two_dice_at_most(max(needed(quality, pins, bonus), 2))


def obeys(quality: int, pins: int, bonus: int) -> float:
    """The chance that a unit passes its order test: 2 always passes, 12 is always a blunder. Without pins there is no test."""
    if pins <= 0:
        return 1.0
    return two_dice_at_most(min(max(needed(quality, pins, bonus), 2), BLUNDER - 1))


# ---- men ---------------------------------------------------------------------------------------------------------------


@memo(bound=1 << 10)
def _shell_hits(he: int, down: bool, falls: int) -> tuple[Distribution, float]:
    """The distribution of a shell's hits on men if they do not bring the house down, and the chance that they do (OD-HE-3,
    OD-HE-5). Both together add up to 1."""
    rolled = dice(SHELLS[he].dice, SHELLS[he].sides)
    fall = summed(rolled[falls:]) if falls else 0.0
    stands = rolled[:falls] if falls else rolled
    if not down:
        return stands, fall
    halved = [0.0] * (len(stands) // 2 + 1)
    for hits, share in enumerate(stands):
        halved[(hits + 1) // 2] += share
    return tuple(halved), fall


@memo(bound=MOST_ATTACKS)
def attack_on_men(blows: tuple[Blow, ...], models: int, quality: int, pins: int, down: bool) -> Spread:
    """All possible results of an attack on infantry or artillery; each group strikes what the one before it left. `pins`: those
    the unit already has."""
    most = MORALE[quality] - pins - 1
    """The pins it can still take; one more breaks it."""
    rows: list[list[float]] = [[0.0] * models for _ in range(max(most, 0) + 1)]
    rows[0][0] = 1.0
    falls = 0.0
    for blow in blows:
        if blow.kind == SHELL:
            for _ in range(blow.shots):
                rows, falls = _shelled(rows, falls, blow, models, down)
        elif blow.kind == FLAME:
            shots = dice(blow.shots, 6)
            hits = thin(shots, hit_chance(blow.need), models + 6 * blow.shots)
            rows = _burnt(rows, hits, face_at_least(blow.harm), models)
        elif blow.kind == FIRE:
            rows = _driven_out(rows, blow)
        else:
            rows = _shot(rows, blow, models)
    tight = tuple(tuple(row) for row in rows)
    return Spread(tight, max(0.0, 1.0 - summed(map(summed, tight))), falls)


def _shot(rows: list[list[float]], blow: Blow, models: int) -> list[list[float]]:
    """One pin for any number of hits, unless the attack has already caused one (OD-HOUSE-PINS)."""
    hit, wound = hit_chance(blow.need), face_at_least(blow.harm)
    lost = binomial(blow.shots, hit * wound, models)
    missed = (1.0 - hit) ** blow.shots
    found = [_without(row, lost, models) for row in rows]
    first = rows[0]
    if summed(first):
        found[0] = [share * missed for share in first]
        if len(rows) > 1:
            pinned = _without(first, (lost[0] - missed, *lost[1:]), models)
            found[1] = [a + b for a, b in zip(found[1], pinned, strict=True)]
    return found


def _burnt(rows: list[list[float]], hits: Distribution, wound: float, models: int) -> list[list[float]]:
    """D3 pins for a unit that is hit (OD-HOUSE-TRAITS)."""
    lost = thin((0.0, *hits[1:]), wound, models)
    found = [[share * hits[0] for share in row] for row in rows]
    _pinned(found, rows, lost, flame.PIN_SIDES, models)
    return found


def _driven_out(rows: list[list[float]], blow: Blow) -> list[list[float]]:
    """A unit that leaves a burning house takes a pin; a gun is lost (OD-FLAME-4)."""
    found = [[share * (1.0 - blow.lands) for share in row] for row in rows]
    if blow.harm == NO_HARM:
        for gained, row in enumerate(rows[:-1]):
            found[gained + 1] = [a + blow.lands * b for a, b in zip(found[gained + 1], row, strict=True)]
    return found


def _shelled(
    rows: list[list[float]], falls: float, blow: Blow, models: int, down: bool
) -> tuple[list[list[float]], float]:
    """One shell: it misses, brings the house down, bursts on another floor, or bursts where the target is."""
    hit = hit_chance(blow.need)
    hits, fall = _shell_hits(blow.he, down, blow.falls)
    lost = thin(hits, face_at_least(blow.harm), models)
    away = 1.0 - hit + hit * (1.0 - fall) * (1.0 - blow.lands)
    found = [[share * away for share in row] for row in rows]
    here = tuple(hit * blow.lands * share for share in lost)
    _pinned(found, rows, here, SHELLS[blow.he].pins, models)
    return found, falls + (1.0 - falls) * hit * fall


def _pinned(
    found: list[list[float]], rows: list[list[float]], lost: Distribution, sides: int, models: int
) -> None:
    """Add to `found` the `rows` after losses and a pin die with `sides` sides; pins beyond the last row break a unit."""
    for gained, row in enumerate(rows):
        if not summed(row):
            continue
        after = _without(row, lost, models)
        for pins in range(1, sides + 1):
            if gained + pins < len(found):
                to = found[gained + pins]
                for k, share in enumerate(after):
                    to[k] += share / sides


def _without(row: list[float], lost: tuple[float, ...], models: int) -> list[float]:
    """A row after more losses; results that leave no man drop out."""
    found = [0.0] * models
    for i, x in enumerate(row):
        if x:
            for j, y in enumerate(lost):
                if i + j >= models:
                    break
                found[i + j] += x * y
    return found


@memo(bound=MOST_ATTACKS)
def on_men(blows: tuple[Blow, ...], models: int, quality: int, pins: int, bonus: int, down: bool) -> Toll:
    """The toll of an attack on infantry or artillery, with the test of a unit that lost half (OD-HOUSE-PINS). `bonus`: from
    officers near it; `down`: it is Down when the shells burst."""
    simple = _volley(blows, models, quality, pins, bonus) if all(b.kind == SHOTS for b in blows) else None
    if simple is not None:
        return simple
    spread = attack_on_men(blows, models, quality, pins, down)
    lost, gone, gained = spread.dead * models, spread.dead, 0.0
    for more, row in enumerate(spread.rows):
        fails = 1.0 - passes(quality, pins + more, bonus)
        for k, share in enumerate(row):
            out = share * fails if k and 2 * k >= models else 0.0
            lost += k * (share - out) + models * out
            gone += out
            gained += more * (share - out)
    return Toll(lost, gained, gone, spread.falls)


MOST_MEN = max(kind.models for kind in TYPES.values())


@memo(bound=1 << 14)
def _shots(blows: tuple[Blow, ...]) -> tuple[Distribution, float]:
    """The distribution of men lost to shots, if there are enough of them, and the chance that no shot hits."""
    spread: Distribution = NOTHING
    missed = 1.0
    for blow in blows:
        hit = hit_chance(blow.need)
        missed *= (1.0 - hit) ** blow.shots
        lost = binomial(blow.shots, hit * face_at_least(blow.harm), MOST_MEN)
        spread = convolve(spread, lost, MOST_MEN)
    return spread, missed


def _volley(blows: tuple[Blow, ...], models: int, quality: int, pins: int, bonus: int) -> Toll | None:
    """`on_men` for shots alone. Any loss means exactly one pin more, so one distribution is enough. None if one pin breaks it."""
    if pins + 1 >= MORALE[quality]:
        return None
    spread, missed = _shots(blows)
    fails = 1.0 - passes(quality, pins + 1, bonus)
    lost = gone = 0.0
    for k in range(1, len(spread)):
        share = spread[k]
        if k >= models:
            gone += share
            lost += share * models
        elif 2 * k >= models:
            gone += share * fails
            lost += share * (k + (models - k) * fails)
        else:
            lost += share * k
    return Toll(lost, 1.0 - missed - gone, gone)


def survivors(
    spread: Spread, models: int, quality: int, pins: int, bonus: int
) -> tuple[Distribution, Distribution]:
    """The distributions of men left after an attack and its morale test, and of pins gained by a unit that survives (the second
    adds up to the chance that it survives)."""
    left, gained = [0.0] * (models + 1), [0.0] * len(spread.rows)
    left[0] = spread.dead
    for more, row in enumerate(spread.rows):
        fails = 1.0 - passes(quality, pins + more, bonus)
        for k, share in enumerate(row):
            out = share * fails if k and 2 * k >= models else 0.0
            left[0] += out
            left[models - k] += share - out
            gained[more] += share - out
    return tuple(left), tuple(gained)


# ---- houses ------------------------------------------------------------------------------------------------------------


@memo(bound=1 << 10)
def fall_chance(he: int, hits: int) -> float:
    """The chance that a shell that hits a house brings it down, if that takes `hits` (OD-HE-5, OD-BUNK-3)."""
    return _shell_hits(he, False, hits)[1] if hits else 0.0


def catches_fire(throwers: int) -> float:
    """The chance that a number of flamethrowers set a house alight (OD-FLAME-3)."""
    return any_of(throwers, face_at_least(flame.CATCHES))


@memo(bound=16)
def floor_chances(floors: int) -> tuple[float, ...]:
    """The chance of each floor, from the ground floor up, that an indirect shell on a house bursts there (OD-IND-2)."""
    found, left = [0.0] * floors, 1.0
    stops = face_at_least(BURSTS)
    for floor in range(floors - 1, 0, -1):
        found[floor] = left * stops
        left *= 1.0 - stops
    found[0] = left
    return tuple(found)
