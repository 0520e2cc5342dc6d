"""The average results of shots, blows, engines and nerve tests, in closed form from the tables of the rules.

Wounds are a distribution: hits thinned by the rolls to wound and to save, capped at the wounds left. `toll` adds the nerve tests
for losing a quarter and for shaken walls; a round of close combat is in `expected_close.py`. Nothing here decides a rule. Read
`Mark`, then `toll`.
"""

from __future__ import annotations

from typing import NamedTuple

from battlesim.core.memo import memo
from battlesim.core.sums import summed
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
from battlesim.rulesets.regiment.morale import QUARTER
from battlesim.rulesets.regiment.tables import (
    hit_chance,
    tells,
)

D3: Distribution = (0.0, 1 / 3, 1 / 3, 1 / 3)
"""The distribution of a D3."""


class Toll(NamedTuple):
    """The average cost of an act to a unit. `wounds`: wounds lost, all that are left if the unit is lost; `gone`: the chance that
    it is lost; `flees`: that it flees and is still on the table; `taken`: that it is lost with all units with it."""

    wounds: float = 0.0
    gone: float = 0.0
    flees: float = 0.0
    taken: float = 0.0


def plus(total: Toll, more: Toll, share: float) -> Toll:
    """A toll plus another that happens with a chance."""
    return Toll(*(a + share * b for a, b in zip(total, more, strict=True)))


class Mark(NamedTuple):
    """A unit as a target of shots.

    `hurt`: wounds on its wounded model. `shot`: models lost to shooting this phase (-1: already tested for them). `ld`: the
    leadership it tests against. `calm`: it never panics. `engaged`: it does not test for its losses. `inside`: in a building,
    `shaky`: an unstable one. `doomed`: the chance that it is lost at once if it flees."""

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
        """Wounds that it can still take."""
        return self.models * TYPES[self.kind].w - self.hurt


# ---- wounds ------------------------------------------------------------------------------------------------------------


@memo(bound=1 << 12)
def hit_tells(strength: int, kind: str) -> float:
    """The chance that a hit at a strength wounds a model of a unit type and is not saved."""
    foe = TYPES[kind]
    return tells(strength, foe.t, foe.save, foe.ward)


@memo(bound=1 << 13)
def volley(shots: int, need: int, strength: int, kind: str, left: int) -> Distribution:
    """The wounds of `shots` that each need `need` to hit."""
    return binomial(shots, hit_chance(need) * hit_tells(strength, kind), left)


@memo(bound=1 << 12)
def struck(models: int, strength: int, kind: str, left: int, many: bool = False) -> Distribution:
    """The wounds of one hit on each of `models`. `many`: D3 wounds each, at most what a model has."""
    wounds = binomial(models, hit_tells(strength, kind), models)
    return multiplied(wounds, TYPES[kind].w, left) if many else capped(wounds, left)


@memo(bound=1 << 10)
def multiplied(wounds: Distribution, most: int, cap: int) -> Distribution:
    """D3, at most `most`, for each of a random number of wounds."""
    each = capped(D3, most)
    row, parts = NOTHING, []
    for share in wounds:
        parts.append((share, row))
        row = convolve(row, each, cap)
    return mixture(parts)


@memo(bound=1 << 10)
def bolt(hit: float, strength: int, kind: str, ranks: int, hurt: int, left: int) -> Distribution:
    """The wounds of a bolt that hits with a chance: it goes through rank after rank, at one less strength each, as long as each
    wound kills."""
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
    """The chance that 2D6 exceed `ld`."""
    return 1.0 - two_dice_at_most(ld)


@memo(bound=64)
def breaks(goal: int, again: bool) -> float:
    """The chance that a unit that lost a combat breaks: a double 1 always holds; `again`: thanks to the army standard it tests
    twice."""
    chance = 1.0 - two_dice_at_most(max(goal, 2))
    return chance * chance if again else chance


@memo(bound=1 << 13)
def toll(mark: Mark, wounds: Distribution, walls: float = 0.0) -> Toll:
    """What wounds from shooting cost a unit: losing a quarter of its models forces a test, once a phase, but not in a sound
    building. `walls`: the chance that the shot makes the building unstable, for which a garrison tests first."""
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
    """Flight with so many dice from pursuers with theirs: the chances of being caught, and otherwise of leaving the table.
    `first_off`: the flight length in inches that leaves the table (0: none does)."""
    caught = off = 0.0
    for length, share in enumerate(dice(fleeing, 6)):
        if not share:
            continue
        free = 1.0
        for number in pursuing:
            free *= summed(dice(number, 6)[:length])
        caught += share * (1.0 - free)
        if first_off and length >= first_off:
            off += share * free
    return caught, off
