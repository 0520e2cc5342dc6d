"""The average results of a round of close combat: blows in order, the result, break tests, flight and pursuit.

It goes through all numbers of wounds that the sides may deal, and computes the result of each as `result.py` does
(RG-HOUSE-RESULT). Each side is one unit with its characters; champions fight champions (RG-HOUSE-FIGHT). Nothing here decides a
rule. Read `Side`, then `fight`.
"""

from __future__ import annotations

from typing import NamedTuple

from battlesim.core.memo import memo
from battlesim.core.sums import summed
from battlesim.evaluation.distributions import (
    NOTHING,
    Distribution,
    binomial,
    convolve,
    dice,
    face_at_least,
    thin,
)
from battlesim.rulesets.regiment.data import TYPES
from battlesim.rulesets.regiment.expected import Toll, breaks, hit_tells, plus
from battlesim.rulesets.regiment.form import MOST_RANKS
from battlesim.rulesets.regiment.tables import close_need

RARE = 2e-5
"""Anything less likely than this is ignored."""
FIRST = -100
"""The time at which chargers strike: before any initiative."""


class Side(NamedTuple):
    """One unit in a round of close combat.

    `files`: models in a full rank, for counting ranks (0: it has none). `touch`: its models in contact. `worse`: it needs one
    more to hit, having charged an entrenched enemy. `first`: it strikes before all initiatives. `impact`: its charge makes
    impact hits. `points`: for standards, high ground, flank and rear. `numbers`: more unit strength gives it a point.
    `champions`: the types of the characters with it, `others`: their unit strength. `ld`: the leadership it tests against,
    `steady`: whatever the difference. `room`: it is in a room, where enemies in contact that could enter it, with `pressing`
    unit strength per model, make it unsteady if they are stronger. `again`: thanks to the army standard it tests twice."""

    kind: str
    models: int
    hurt: int
    files: int
    touch: int
    worse: bool
    first: bool
    impact: bool
    points: int
    numbers: bool
    champions: tuple[str, ...]
    others: int
    ld: int
    steady: bool
    room: bool
    pressing: int
    again: bool


class Losses(NamedTuple):
    """What a round costs one side: the mean of its wounds, the chances that it is wiped out and that it breaks, and the part of
    the mean from rounds in which it breaks."""

    wounds: float
    gone: float
    broken: float
    of_broken: float

    def toll(self, left: int, doomed: float) -> Toll:
        """The toll on a unit with so many wounds `left`, which is lost with the chance `doomed` once it breaks."""
        more = doomed * (self.broken * left - self.of_broken)
        taken = self.broken * doomed
        return Toll(self.wounds + more, self.gone + taken, self.broken - taken, taken)


class Fight(NamedTuple):
    """The result of a round: the losses of both sides, and by how much the first is ahead if neither is wiped out. `alone`: what
    comes to the first champion of each side whose unit falls: (wounds, the chance that he falls, that he breaks)."""

    ours: Losses
    theirs: Losses
    ahead: float
    alone: tuple[Toll, Toll]


def left_of(side: Side) -> int:
    """Wounds that a side can still take."""
    return side.models * TYPES[side.kind].w - side.hurt


def ranks(side: Side, models: int) -> int:
    """Full ranks behind the first, at most three."""
    return min(MOST_RANKS, max(0, models // side.files - 1)) if side.files else 0


def strength(side: Side, models: int, wounds: int) -> int:
    """Unit strength of what is left; a monster counts its wounds left."""
    kind = TYPES[side.kind]
    if kind.kind == "monster":
        return max(0, kind.w - side.hurt - wounds) + side.others
    return models * kind.us + side.others


# ---- blows -------------------------------------------------------------------------------------------------------------


@memo(bound=1 << 12)
def blow_tells(ours: str, theirs: str, worse: bool) -> float:
    """The chance that one blow wounds and is not saved."""
    need = close_need(TYPES[ours].ws, TYPES[theirs].ws) + worse
    return face_at_least(need) * hit_tells(TYPES[ours].s, theirs)


@memo(bound=1 << 12)
def _impact(strength: int, kind: str, left: int) -> Distribution:
    """The wounds of D6 hits."""
    return thin(dice(1, 6), hit_tells(strength, kind), left)


def _blows(kind: str) -> int:
    return TYPES[kind].a + TYPES[kind].frenzy


def _times(side: Side) -> list[tuple[int, str, int]]:
    """When the fighters of a side strike: (time, "" for the unit or the type of a champion, blows of each)."""
    found = [(FIRST if side.first else -TYPES[side.kind].i, "", _blows(side.kind))]
    found += [(FIRST if side.first else -TYPES[name].i, name, _blows(name)) for name in side.champions]
    return found


class Wounds(NamedTuple):
    """The wounds of a round. `rows`: chances by wounds on the second side, then by wounds on the first. `heirs`: what those who
    strike later in the round deal to the first champion of each side, in place of his unit that has fallen (RG-HOUSE-FIGHT)."""

    rows: tuple[tuple[float, ...], ...]
    heirs: tuple[Toll, Toll]


@memo(bound=1 << 14)
def wounds_of(ours: Side, theirs: Side) -> Wounds:
    """The wounds of a round."""
    most_a, most_b = left_of(ours), left_of(theirs)
    begun = _impact(TYPES[ours.kind].s, theirs.kind, most_b) if ours.impact else NOTHING
    back = _impact(TYPES[theirs.kind].s, ours.kind, most_a) if theirs.impact else NOTHING
    joint = {(x, y): p * q for x, p in enumerate(begun) for y, q in enumerate(back) if p * q}
    mine, others = _times(ours), _times(theirs)
    heirs = [Toll(), Toll()]
    # champions facing champions strike at those (`_duel`)
    if ours.champions and theirs.champions:
        mine, others = mine[:1], others[:1]
    for time in sorted({one[0] for one in (*mine, *others)}):
        met: dict[tuple[int, int], float] = {}
        now, then = [one for one in mine if one[0] == time], [one for one in others if one[0] == time]
        for (x, y), share in joint.items():
            dealt = _struck(ours, theirs.kind, now, y, most_b - x) if now else NOTHING
            taken = _struck(theirs, ours.kind, then, x, most_a - y) if then else NOTHING
            if now and x == most_b and theirs.champions:
                heirs[1] = plus(heirs[1], _struck_heir(ours, theirs, now, y), share)
            if then and y == most_a and ours.champions:
                heirs[0] = plus(heirs[0], _struck_heir(theirs, ours, then, x), share)
            for i, p in enumerate(dealt):
                part = share * p
                if part > RARE:
                    for j, q in enumerate(taken):
                        key = (x + i, y + j)
                        met[key] = met.get(key, 0.0) + part * q
        joint = met
    rows = [[0.0] * (1 + max(y for _, y in joint)) for _ in range(1 + max(x for x, _ in joint))]
    for (x, y), share in joint.items():
        rows[x][y] += share
    return Wounds(tuple(map(tuple, rows)), (heirs[0], heirs[1]))


def _struck_heir(side: Side, fallen: Side, strikers: list[tuple[int, str, int]], wounds: int) -> Toll:
    """What the `strikers` of a side deal to the first champion of one that has fallen; what others dealt him in the round is
    ignored. Outdoors no more of them reach him than touch his base (`form.in_contact`)."""
    heir = fallen.champions[0]
    if not (side.room or fallen.room):
        side = side._replace(touch=min(side.touch, -(-TYPES[heir].base // TYPES[side.kind].base)))
    dealt = _struck(side, heir, strikers, wounds, TYPES[heir].w)
    mean = summed(number * chance for number, chance in enumerate(dealt))
    return Toll(mean, dealt[TYPES[heir].w] if len(dealt) > TYPES[heir].w else 0.0)


def _struck(
    side: Side, kind: str, strikers: list[tuple[int, str, int]], wounds: int, left: int
) -> Distribution:
    """The wounds that the `strikers` of a side deal now to a kind of enemy, given the wounds the side has already taken: its
    fallen models in contact do not strike. `left`: wounds that the enemy can still take."""
    found = NOTHING
    lost = min(side.models, (side.hurt + wounds) // TYPES[side.kind].w)
    for _, name, blows in strikers:
        number = blows if name else blows * max(0, side.touch - lost)
        if number and left:
            dealt = binomial(number, blow_tells(name or side.kind, kind, side.worse), left)
            found = dealt if found is NOTHING else convolve(found, dealt, left)
    return found


# ---- champions -----------------------------------------------------------------------------------------------------------


class _Duel(NamedTuple):
    """Champions against the enemy's first champion: the points by which ours are ahead (chances, from `least` up), and the tolls
    on the first champion of each side."""

    least: int
    ahead: Distribution
    ours: Toll
    theirs: Toll


NO_DUEL = _Duel(0, (1.0,), Toll(), Toll())


@memo(bound=1 << 10)
def _duel(
    ours: tuple[str, ...], theirs: tuple[str, ...], first: tuple[bool, bool], worse: tuple[bool, bool]
) -> _Duel:
    """What the champions of two sides do to each other."""
    if not ours or not theirs:
        return NO_DUEL
    most_a, most_b = TYPES[ours[0]].w, TYPES[theirs[0]].w
    times: dict[int, list[tuple[int, str]]] = {}
    for number, (names, charged) in enumerate(((ours, first[0]), (theirs, first[1]))):
        for name in names:
            times.setdefault(FIRST if charged else -TYPES[name].i, []).append((number, name))
    joint = {(0, 0): 1.0}
    for time in sorted(times):
        met: dict[tuple[int, int], float] = {}
        for (x, y), share in joint.items():
            dealt = taken = NOTHING
            for number, name in times[time]:
                # a dead first champion no longer strikes
                if number == 0 and not (name == ours[0] and y >= most_a):
                    row = binomial(_blows(name), blow_tells(name, theirs[0], worse[0]), most_b - x)
                    dealt = convolve(dealt, row, most_b - x)
                elif number == 1 and not (name == theirs[0] and x >= most_b):
                    row = binomial(_blows(name), blow_tells(name, ours[0], worse[1]), most_a - y)
                    taken = convolve(taken, row, most_a - y)
            for i, p in enumerate(dealt):
                for j, q in enumerate(taken):
                    key = (x + i, y + j)
                    met[key] = met.get(key, 0.0) + share * p * q
        joint = met
    ahead = [0.0] * (most_a + most_b + 1)
    dead, hurt = [0.0, 0.0], [0.0, 0.0]
    for (x, y), share in joint.items():
        ahead[x - y + most_a] += share
        dead[0] += share * (y >= most_a)
        dead[1] += share * (x >= most_b)
        hurt[0] += share * y
        hurt[1] += share * x
    return _Duel(-most_a, tuple(ahead), Toll(hurt[0], dead[0]), Toll(hurt[1], dead[1]))


# ---- the result ------------------------------------------------------------------------------------------------------------


@memo(bound=1 << 14)
def fight(ours: Side, theirs: Side, more: int = 0) -> Fight:
    """A round between two sides. `more`: by how many points the units fighting beside ours are ahead."""
    joint, heirs = wounds_of(ours, theirs)
    duel = _duel(ours.champions, theirs.champions, (ours.first, theirs.first), (ours.worse, theirs.worse))
    ahead = [(duel.least + n, chance) for n, chance in enumerate(duel.ahead) if chance]
    ours_at = [_after(ours, n) for n in range(len(joint[0]))]
    theirs_at = [_after(theirs, n) for n in range(len(joint))]
    musician = int(TYPES[ours.kind].musician) - int(TYPES[theirs.kind].musician)
    # wounds, gone, broken, and wounds where broken: of ours, then of theirs; points ahead, and the chance of a result
    sums = [0.0] * 10
    left = [0.0, 0.0]
    for x, row in enumerate(joint):
        foes, points, against = theirs_at[x]
        for y, share in enumerate(row):
            if not share:
                continue
            men, mine, weight = ours_at[y]
            sums[0] += share * y
            sums[4] += share * x
            if not men or not foes:
                sums[1] += share * (not men)
                sums[5] += share * (not foes)
                # a champion who is left alone is beaten like his unit
                if men and theirs.champions:
                    left[1] += share * _alone_breaks(theirs, x - y + mine, ours, men)
                elif foes and ours.champions:
                    left[0] += share * _alone_breaks(ours, y - x + points, theirs, foes)
                continue
            base = x - y + mine - points + more
            if weight > against:
                base += ours.numbers
            elif against > weight:
                base -= theirs.numbers
            for extra, chance in ahead:
                by, part = base + extra, share * chance
                sums[8] += part * by
                sums[9] += part
                by = by or musician
                if by > 0:
                    broken = part * _breaks(theirs, by, against, ours, men)
                    sums[6] += broken
                    sums[7] += broken * x
                elif by < 0:
                    broken = part * _breaks(ours, -by, weight, theirs, foes)
                    sums[2] += broken
                    sums[3] += broken * y
    alone = [
        heir._replace(flees=broken * (1.0 - heir.gone / fallen) if fallen else 0.0)
        for heir, broken, fallen in zip(heirs, left, (sums[1], sums[5]), strict=True)
    ]
    ahead_by = sums[8] / sums[9] if sums[9] else 0.0
    return Fight(Losses(*sums[:4]), Losses(*sums[4:8]), ahead_by, (alone[0], alone[1]))


def against_all(pairs: tuple[tuple[Side, Side], ...]) -> tuple[Losses, tuple[Losses, ...]]:
    """A rough estimate of a round of one unit against several at once: (its losses, theirs), from its fight with each. There is
    one result, to which a side brings all its wounds, its best ranks and points, and all its unit strength (RG-HOUSE-RESULT)."""
    alone = [fight(ours, theirs) for ours, theirs in pairs]
    if len(pairs) == 1:
        return alone[0].ours, (alone[0].theirs,)
    gains = [found.theirs.wounds - found.ours.wounds for found in alone]
    deep = [ranks(theirs, theirs.models) for _, theirs in pairs]
    best = max(deep) + max(theirs.points for _, theirs in pairs)
    mine: list[Losses] = []
    found: list[Losses] = []
    for number, (ours, theirs) in enumerate(pairs):
        beside = sum(_presence(ours, other) for n, (_, other) in enumerate(pairs) if n != number)
        more = summed(gains) - gains[number] + deep[number] + theirs.points - best
        joint = fight(ours, theirs._replace(others=theirs.others + beside), round(more))
        mine.append(joint.ours)
        found.append(joint.theirs)
    wounds = min(float(left_of(pairs[0][0])), summed(one.wounds for one in mine))
    gone = max(one.gone for one in mine)
    broken = min(max(one.broken for one in mine), 1.0 - gone)
    return Losses(wounds, gone, broken, broken * wounds), tuple(found)


def _presence(ours: Side, theirs: Side) -> int:
    """The unit strength that an enemy adds to that of others: all of it, or against a garrison only that of the models pressing
    it (RG-RES-1, RG-RES-3)."""
    return theirs.touch * theirs.pressing if ours.room else strength(theirs, theirs.models, 0)


def _after(side: Side, wounds: int) -> tuple[int, int, int]:
    """A side after some wounds: models left, its points besides wounds and numbers, and its unit strength."""
    models = side.models - min(side.models, (side.hurt + wounds) // TYPES[side.kind].w)
    return models, side.points + ranks(side, models), strength(side, models, wounds)


def _breaks(loser: Side, by: int, weight: int, winner: Side, models: int) -> float:
    """The chance that a side with unit strength `weight` that lost by `by` breaks; `models` are left of the winner (RG-RES-3)."""
    steady = loser.steady
    if steady and loser.room and winner.pressing:
        steady = min(winner.touch, models) * winner.pressing + winner.others <= weight
    return breaks(loser.ld if steady else loser.ld - by, loser.again)


def _alone_breaks(loser: Side, by: int, winner: Side, models: int) -> float:
    """The chance that the first champion of a side breaks whose unit has fallen, beaten by so many points besides numbers;
    `models` are left of the winner. Other champions with him are ignored."""
    kind = TYPES[loser.champions[0]]
    weight = strength(winner, models, 0)
    by += winner.numbers * (weight > kind.us)
    if by < 0 or (by == 0 and not TYPES[winner.kind].musician):
        return 0.0
    him = loser._replace(ld=kind.ld, steady=loser.steady and loser.room)
    return _breaks(him, max(by, 1), kind.us, winner, models)


def champions(ours: Side, theirs: Side) -> tuple[Toll, Toll]:
    """What champions do to the first champion of each side."""
    duel = _duel(ours.champions, theirs.champions, (ours.first, theirs.first), (ours.worse, theirs.worse))
    return duel.ours, duel.theirs


def alone_toll(found: Toll, side: Side, lost: float) -> Toll:
    """What comes to the first champion of a side after his unit has fallen (`Fight.alone`), if he is lost with the chance `lost`
    once he breaks."""
    if not found.wounds and not found.flees:
        return found
    # his wounds are all that he has if he is caught
    caught, most = found.flees * lost, TYPES[side.champions[0]].w
    hurt = max(0.0, found.wounds - most * found.gone)
    return Toll(found.wounds + caught * (most - hurt), found.gone + caught, found.flees - caught)
