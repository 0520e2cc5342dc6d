"""The expected results of one attack, from the rules' tables: soldiers lost, machines damaged, floors and walls destroyed.

Nothing here decides a rule, and no table is written twice: needs, effect areas, damage and points come from the chapters.
The means are those of the rules' own dice; `tests/rulesets/armorclass` checks them against `battlesim.search.outcomes`. An attack
is a sequence of `Blow`s in the order in which they strike; `estimates.py` builds it from a position. Read `attack`.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from battlesim.core.memo import memo
from battlesim.core.sums import summed
from battlesim.evaluation.distributions import Distribution, binomial, face_at_least
from battlesim.rulesets.armorclass import casualties, fire
from battlesim.rulesets.armorclass.data import D10, TYPES

MOST_ATTACKS = 1 << 14
"""Results of attacks that are kept."""


class Target(NamedTuple):
    """A unit as the target of attacks: type, models left, models at the start; for a machine, the number of weapons that still
    work (`armed`) and whether it can still move."""

    kind: str
    models: int
    full: int
    armed: int = 0
    mobile: bool = False


class Blow(NamedTuple):
    """Weapons of one kind that strike together.

    `shots`: the number of dice to hit. `hit`: the chance of each to hit its aim: a unit, a wall, an opening, a roof.
    `wall`: the chance of each hit to penetrate what the target is behind. `inside`: the chance that a hit which penetrates
    also hits the target. `pierce`: the chance of each hit on a model to penetrate its armour. `caught`: how many models one hit
    affects, by models left (empty: one hit affects one model). `points`: structure points that a hit costs the building
    (if it is stopped, if it penetrates). `fells`: a hit that penetrates destroys the floor. `picked`: the chance that all these
    weapons together strike this unit, of several. `exposed`: the target has no wall or roof before it, so that hits which are
    stopped strike it as well.
    """

    shots: int
    hit: float
    wall: float
    inside: float
    pierce: float
    caught: tuple[int, ...] = ()
    points: tuple[int, int] = (0, 0)
    fells: bool = False
    picked: float = 1.0
    exposed: bool = False


class Toll(NamedTuple):
    """The expected cost of an attack to a unit. `lost`: mean models lost. `worth`: mean loss of worth by lost models, weapons or
    engine, as a share of its worth at full strength. `gone`: the chance that it is destroyed. `shaken`: the chance that it
    survives with losses (a machine: of a weapon), so that it tests morale if it has cohesion. `halved`: the chance that it
    survives with less than half its soldiers."""

    lost: float = 0.0
    worth: float = 0.0
    gone: float = 0.0
    shaken: float = 0.0
    halved: float = 0.0


class Fate(NamedTuple):
    """The chances of a unit's conditions (see `condition_of`) after an attack: with its floor standing, and with its floor
    destroyed (`fallen`)."""

    standing: Distribution
    fallen: Distribution


def at_most(need: int) -> float:
    """The chance of a D10 of at most `need`."""
    return min(max(need, 0), D10) / D10


def goes_through(factor: int, armour: int) -> float:
    """The chance that an attack factor penetrates an armour class (AC-HOUSE-PEN)."""
    return face_at_least(fire.penetrates_on(factor, armour), D10)


# ---- conditions: soldiers by models left, machines by what still works ---------------------------------------------------


def condition_of(target: Target) -> int:
    """A unit's condition as one number. Soldiers and drones: the models left. Machines: 1, plus 2 for every working weapon,
    plus 1 if it can move. 0: destroyed."""
    if TYPES[target.kind].tough:
        return 1 + 2 * target.armed + target.mobile
    return target.models


@memo(bound=256)
def _damaged(kind: str, condition: int) -> tuple[tuple[int, float], ...]:
    """A machine's possible conditions after one penetrating hit, with their chances (AC-HOUSE-PEN, AC-HOUSE-AIM)."""
    fixed = TYPES[kind].fixed
    armed, mobile = (condition - 1) // 2, (condition - 1) % 2
    found: dict[int, float] = {}
    for rolled in range(1, D10 + 1):
        result = casualties.result_of(armed > 0, bool(mobile), fixed, rolled)
        after = 0
        if result == casualties.MOBILITY:
            after = condition - 1
        elif result == casualties.WEAPON and not (
            fixed and armed == 1
        ):  # a fixed work without weapons is out of the fight
            after = condition - 2
        found[after] = found.get(after, 0.0) + 1 / D10
    return tuple(found.items())


@memo(bound=1 << 12)
def _pierced(kind: str, condition: int, hits: int) -> Distribution:
    """The chances of the conditions after a number of penetrating hits."""
    row = [0.0] * (condition + 1)
    row[condition] = 1.0
    if not TYPES[kind].tough:
        return (
            (*row[hits:], *([0.0] * hits))[: condition + 1]
            if hits <= condition
            else (1.0, *([0.0] * condition))
        )
    for _ in range(min(hits, 2 * D10)):
        after = [row[0], *([0.0] * condition)]
        for before, share in enumerate(row[1:], 1):
            if share:
                for to, chance in _damaged(kind, before):
                    after[to] += share * chance
        row = after
    return tuple(row)


@memo(bound=1 << 13)
def _struck(
    kind: str, condition: int, hits: int, inside: float, pierce: float, caught: tuple[int, ...]
) -> Distribution:
    """The chances of the conditions after a number of hits that reached a unit's place."""
    if not hits or not condition:
        return _pierced(kind, condition, 0)
    if caught:
        on_it = hits * caught[min(condition, len(caught) - 1)]
        through = binomial(on_it, pierce, on_it)
    else:
        through = binomial(hits, inside * pierce, hits)
    found = [0.0] * (condition + 1)
    for number, chance in enumerate(through):
        if chance:
            for after, share in enumerate(_pierced(kind, condition, number)):
                found[after] += chance * share
    return tuple(found)


# ---- attacks -------------------------------------------------------------------------------------------------------------


@memo(bound=MOST_ATTACKS)
def attack(blows: tuple[Blow, ...], target: Target, stands: int = 0) -> Fate:
    """A unit's fate after an attack; each blow strikes what the one before it left. `stands`: structure points left of the
    building it is in; 0 if those are not used."""
    first = condition_of(target)
    rows: dict[int, list[float]] = {0: [0.0] * first + [1.0]}
    """By structure points lost: the chances of each condition while the floor stands."""
    fallen = [0.0] * (first + 1)
    for blow in blows:
        if not (blow.fells or (stands and any(blow.points))):
            through = binomial(blow.shots, blow.hit * (1.0 if blow.exposed else blow.wall), blow.shots)
            for lost, row in rows.items():
                rows[lost] = _after(blow, target.kind, row, through)
            continue
        found: dict[int, list[float]] = {}
        for lost, row in rows.items():
            for stopped, through_, chance in _hits(blow.shots, blow.hit, blow.wall):
                alone = (*([0.0] * (through_ + stopped * blow.exposed)), chance)
                after = _after(blow, target.kind, row, alone)
                now = lost + stopped * blow.points[0] + through_ * blow.points[1]
                if (blow.fells and through_) or (stands and now >= stands):
                    for condition, share in enumerate(_buried(target.kind, after)):
                        fallen[condition] += share
                elif now in found:
                    found[now] = [a + b for a, b in zip(found[now], after, strict=True)]
                else:
                    found[now] = after
        rows = found
    standing = [summed(parts) for parts in zip(*rows.values(), strict=True)] or [0.0] * (first + 1)
    return Fate(tuple(standing), tuple(fallen))


@memo(bound=1 << 10)
def _hits(shots: int, hit: float, wall: float) -> tuple[tuple[int, int, float], ...]:
    """Possible results of shots at a wall: (hits stopped, hits that penetrate, chance)."""
    found = []
    for hits, share in enumerate(binomial(shots, hit, shots)):
        for through, chance in enumerate(binomial(hits, wall, hits)):
            if share * chance:
                found.append((hits - through, through, share * chance))
    return tuple(found)


def _after(blow: Blow, kind: str, row: Sequence[float], through: Sequence[float]) -> list[float]:
    """Chances by condition after hits that penetrate; `through`: chances by number of hits, which need not add up to 1."""
    found = [0.0] * len(row)
    spared = (1.0 - blow.picked) * summed(through)
    for condition, share in enumerate(row):
        if share:
            found[condition] += share * spared
            for hits, chance in enumerate(through):
                if chance:
                    part = share * chance * blow.picked
                    struck = _struck(kind, condition, hits, blow.inside, blow.pierce, blow.caught)
                    for after, x in enumerate(struck):
                        found[after] += part * x
    return found


def _buried(kind: str, row: Sequence[float]) -> list[float]:
    """Conditions after a fall with the floor: each soldier is lost on 1 to 7, a fixed unit always (AC-HOUSE-STRUCT)."""
    if TYPES[kind].fixed:
        return [summed(row), *([0.0] * (len(row) - 1))]
    found = [0.0] * len(row)
    lives = 1.0 - at_most(fire.DEADLY)
    for models, share in enumerate(row):
        if share:
            for left, chance in enumerate(binomial(models, lives, models)):
                found[left] += share * chance
    return found


# ---- what that costs -----------------------------------------------------------------------------------------------------


def share_left(kind: str, armed: int, immobile: bool) -> float:
    """The share of its worth that a machine keeps with `armed` working weapons, immobile or not."""
    one = TYPES[kind]
    return (0.4 + 0.6 * armed / max(len(one.mounts), 1)) * (0.85 if immobile and not one.fixed else 1.0)


def worth_at(target: Target, condition: int) -> float:
    """The share of its full worth that a unit has in a condition."""
    if not condition:
        return 0.0
    if TYPES[target.kind].tough:
        return share_left(target.kind, (condition - 1) // 2, not (condition - 1) % 2)
    return condition / max(target.full, 1)


@memo(bound=MOST_ATTACKS)
def toll_of(fate: Distribution, target: Target, fallen: Distribution = ()) -> Toll:
    """The toll of a unit, from the chances of its conditions; `fallen`: the chances after a fall with its floor."""
    first = condition_of(target)
    row = [a + b for a, b in zip(fate, fallen, strict=True)] if fallen else fate
    had, tough = worth_at(target, first), TYPES[target.kind].tough
    lost = worth = shaken = halved = 0.0
    for condition, share in enumerate(row):
        if not share or condition == first:
            continue
        worth += share * (had - worth_at(target, condition))
        if tough:
            lost += share * (condition == 0)
            shaken += share * (condition > 0 and (condition - 1) // 2 < target.armed)
        else:
            lost += share * (first - condition)
            if condition:
                shaken += share
                halved += share * (2 * condition < target.full)
    return Toll(lost, worth, row[0] if first else 0.0, shaken, halved)


@memo(bound=MOST_ATTACKS)
def toll(blows: tuple[Blow, ...], target: Target, stands: int = 0) -> Toll:
    """The toll of an attack on a unit, including the fall of its floor."""
    fate = attack(blows, target, stands)
    return toll_of(fate.standing, target, fate.fallen)


@memo(bound=1 << 12)
def falls(blows: tuple[Blow, ...], stands: int) -> float:
    """The chance that an attack destroys the floor (under structure points: the section) that it strikes."""
    rows: dict[int, float] = {0: 1.0}
    fallen = 0.0
    for blow in blows:
        found: dict[int, float] = {}
        for lost, share in rows.items():
            for stopped, through, chance in _hits(blow.shots, blow.hit, blow.wall):
                now = lost + stopped * blow.points[0] + through * blow.points[1]
                if (blow.fells and through) or (stands and now >= stands):
                    fallen += share * chance
                else:
                    found[now] = found.get(now, 0.0) + share * chance
        rows = found
    return fallen


@memo(bound=1 << 12)
def points_lost(blows: tuple[Blow, ...], stands: int) -> float:
    """The mean of structure points lost to an attack, at most `stands`."""
    rows: dict[int, float] = {0: 1.0}
    for blow in blows:
        found: dict[int, float] = {}
        for lost, share in rows.items():
            for stopped, through, chance in _hits(blow.shots, blow.hit, blow.wall):
                now = min(stands, lost + stopped * blow.points[0] + through * blow.points[1])
                found[now] = found.get(now, 0.0) + share * chance
        rows = found
    return summed(lost * share for lost, share in rows.items())


def takes_fire(struck: Iterable[tuple[float, int]]) -> float:
    """The chance that a fire starts where weapons strike: one die, for the weapon that struck with the highest need. `struck`:
    (chance to strike, highest D10 roll that starts a fire) of each (AC-FIRE-1)."""
    nothing_fierier, found = 1.0, 0.0
    for chance, need in sorted(struck, key=lambda one: -one[1]):
        found += nothing_fierier * chance * at_most(need)
        nothing_fierier *= 1.0 - chance
    return found


# ---- morale --------------------------------------------------------------------------------------------------------------


class Nerve(NamedTuple):
    """The chances that a unit is suppressed, and that it withdraws, by its morale test at the turn's end."""

    suppressed: float
    withdraws: float


def nerve(toll: Toll, cohesion: int, has_way: bool) -> Nerve:
    """The test of a unit after an attack (AC-HOUSE-MORALE). `cohesion` 0: it does not test; `has_way`: it can withdraw."""
    if not cohesion:
        return Nerve(0.0, 0.0)
    fails = 1.0 - at_most(cohesion)
    flees = fails * toll.halved if has_way else 0.0
    return Nerve(fails * toll.shaken - flees, flees)
