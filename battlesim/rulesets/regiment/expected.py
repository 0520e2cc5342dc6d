"""What shots, blows, engines and tests of nerve come to on average, in closed form from the tables of the rules.

Wounds are a distribution: hits thinned by the rolls to wound and to save, capped at what the unit has left. `toll` adds what the
loss of a quarter and the shaking of walls do to its nerve; a round of close combat is `expected_close.py`'s. Nothing here decides
a rule. Read `Mark`, then `toll`.
"""

from __future__ import annotations

from typing import NamedTuple

from battlesim.core.memo import memo
from battlesim.evaluation.distributions import (
    NOTHING,
    Distribution,
    binomial,
    capped,
    convolve,
    dice,
    mixture,
    two_dice_at_most,
)
from battlesim.rulesets.regiment.data import TYPES
from battlesim.rulesets.regiment.tables import (
    hit_chance,
    tells,
)

QUARTER = 4
D3: Distribution = (0.0, 1 / 3, 1 / 3, 1 / 3)


class Toll(NamedTuple):
    """What an act costs a unit, on average. `wounds`: all that are left where it is lost; `gone`: the chance that it is lost;
    `flees`: that it flees and is still on the table; `taken`: that it is lost with all who are with it."""

    wounds: float = 0.0
    gone: float = 0.0
    flees: float = 0.0
    taken: float = 0.0


def plus(total: Toll, more: Toll, share: float) -> Toll:
    """A toll, and with some chance another."""
    return Toll(*(a + share * b for a, b in zip(total, more, strict=True)))


class Mark(NamedTuple):
    """A unit as shots reach it.

    `hurt`: wounds of the model that is hurt. `shot`: models lost to shooting in this phase (-1: it has tested for them). `ld`:
    what it tests against. `calm`: it never panics. `engaged`: it does not test for its losses. `inside`: in a building, `shaky`:
    in one that is unstable. `doomed`: the chance that it is lost at once as it flees."""

    kind: str
    models: int
    hurt: int
    shot: int
    ld: int
    calm: bool
    engaged: bool
    inside: bool
    shaky: bool
    doomed: float

    @property
    def left(self) -> int:
        """Wounds that it can take."""
        return self.models * TYPES[self.kind].w - self.hurt


# ---- wounds ------------------------------------------------------------------------------------------------------------


@memo(bound=1 << 12)
def hit_tells(strength: int, kind: str) -> float:
    """The chance that a hit at a strength wounds a model of a kind and is not saved."""
    foe = TYPES[kind]
    return tells(strength, foe.t, foe.save, foe.ward)


@memo(bound=1 << 13)
def volley(shots: int, need: int, strength: int, kind: str, left: int) -> Distribution:
    """The wounds of so many shots that need so much to hit."""
    return binomial(shots, hit_chance(need) * hit_tells(strength, kind), left)


@memo(bound=1 << 12)
def struck(models: int, strength: int, kind: str, left: int, many: bool = False) -> Distribution:
    """The wounds of hits on so many models. `many`: D3 wounds each, no model losing more than it has."""
    wounds = binomial(models, hit_tells(strength, kind), models)
    return multiplied(wounds, TYPES[kind].w, left) if many else capped(wounds, left)


@memo(bound=1 << 10)
def multiplied(wounds: Distribution, most: int, cap: int) -> Distribution:
    """D3 for each of a random number of wounds, `most` at most."""
    each = capped(D3, most)
    row, parts = NOTHING, []
    for share in wounds:
        parts.append((share, row))
        row = convolve(row, each, cap)
    return mixture(parts)


@memo(bound=1 << 10)
def bolt(hit: float, strength: int, kind: str, ranks: int, hurt: int, left: int) -> Distribution:
    """The wounds of a bolt that hits with a chance: rank after rank at one less strength, as long as each wound kills."""
    w = TYPES[kind].w
    found, going = [1.0 - hit], hit
    for rank in range(min(ranks, strength)):
        through = hit_tells(strength - rank, kind)
        found[-1] += going * (1.0 - through)
        going *= through
        found.append(0.0)
        if (hurt + rank + 1) % w:
            break  # it sticks in a model that is only wounded
    found[-1] += going
    return capped(found, left)


# ---- nerve -------------------------------------------------------------------------------------------------------------


@memo(bound=64)
def fails(ld: int) -> float:
    """The chance that 2D6 come to more than `ld`."""
    return 1.0 - two_dice_at_most(ld)


@memo(bound=64)
def breaks(goal: int, again: bool) -> float:
    """The chance that a unit that lost a combat breaks: a double 1 always holds; `again`: by the army standard it tries twice."""
    chance = 1.0 - two_dice_at_most(max(goal, 2))
    return chance * chance if again else chance


@memo(bound=1 << 13)
def toll(mark: Mark, wounds: Distribution, walls: float = 0.0) -> Toll:
    """What wounds by shooting cost a unit: those who lose a quarter of their models test, once a phase, but not in a sound
    building. `walls`: the chance that the building becomes unstable by the shot, for which a garrison tests first."""
    kind = TYPES[mark.kind]
    fail = 0.0 if mark.calm else fails(mark.ld)
    lost = gone = flees = of_fleeing = 0.0
    for number, share in enumerate(wounds):
        if not share:
            continue
        dead = (mark.hurt + number) // kind.w
        if dead >= mark.models:
            gone += share
            lost += share * mark.left
            continue
        total, tests = mark.shot + dead, 0.0
        if mark.shot >= 0 and total > 0 and total * QUARTER >= mark.models + mark.shot and not mark.engaged:
            tests = fail
        if not mark.inside:
            chance = tests
        else:
            stands = tests if mark.shaky else 0.0
            chance = walls * (fail + (1.0 - fail) * tests) + (1.0 - walls) * stands
        lost += share * number
        flees += share * chance
        of_fleeing += share * chance * number
    taken = flees * mark.doomed
    lost += mark.doomed * (flees * mark.left - of_fleeing)
    return Toll(lost, gone + taken, flees - taken, taken)


# ---- flight and pursuit ------------------------------------------------------------------------------------------------


@memo(bound=1 << 12)
def escape(fleeing: int, pursuing: tuple[int, ...], first_off: int) -> tuple[float, float]:
    """Flight with so many dice from pursuers with theirs: the chances of being caught, and of fleeing off the table otherwise.
    `first_off`: the length from which on, in inches, the flight leaves the table (0: none does)."""
    caught = off = 0.0
    for length, share in enumerate(dice(fleeing, 6)):
        if not share:
            continue
        free = 1.0
        for number in pursuing:
            free *= sum(dice(number, 6)[:length])
        caught += share * (1.0 - free)
        if first_off and length >= first_off:
            off += share * free
    return caught, off
