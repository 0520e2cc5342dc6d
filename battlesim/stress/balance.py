"""The smallest changes that make a scenario fair. Read `Search.run`.

The search is sequential: it plays a few games at a time, where they are most informative.

1. The scenario as it is, until it is clear on which side of the target its share lies.
2. Every factor alone. For numbers: both ends, then repeatedly the level nearest to where a logistic curve through all results
   crosses the target. For words: every level; those that are clearly off are dropped.
3. Two factors together, and three if nothing smaller comes close, predicted from what each does alone on the log-odds scale.
4. The cheapest changes that came close, each with a different set of factors, are played with fresh dice, longer if a share is
   so near to the edge of the margin that the games leave it open. Their reported results come from these games alone.

Costs and results of changes are in `change.py`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from itertools import combinations, product, zip_longest
from math import isfinite, sqrt
from typing import Any

import numpy as np

from battlesim.core.errors import Fault, InputError
from battlesim.core.sums import summed
from battlesim.stress.arena import ALSO, Field, Results
from battlesim.stress.change import Balance, Difference, Knob, Proposal, scale_of
from battlesim.stress.designs import Point
from battlesim.stress.intervals import estimate
from battlesim.stress.logistic import fit, logit

FIRST = 24
"""Games in the first look at a level, and in each further look."""
MOST = 160
"""The most games of a level in the search."""
LOOKS = 5
"""How often a factor of numbers is looked at again."""
PAIRS = 6
"""Combinations of factors that are looked at."""
PROPOSALS = 3
"""The most sets of changes that are proposed."""
FRESH = 1_000_000
"""The distance between the seeds of confirming games and those of the search."""
FURTHER = 3
"""How often a proposal gets as many fresh games again, if those it had leave open whether it holds."""
CLOSE = 1.5
"""A change is worth confirming if it is within the margin plus this many standard errors."""


class Search:
    """A search for balance. `field`: where points are played. `seed`: the first seed of every point. `most`: games of the whole
    search, without those that confirm."""

    def __init__(
        self,
        field: Field,
        knobs: Sequence[Knob],
        target: float = 0.5,
        margin: float = 0.05,
        seed: int = 1,
        most: int = 4000,
        say: Callable[[str], None] = lambda _: None,
    ) -> None:
        self.field, self.knobs, self.target, self.margin = field, list(knobs), target, margin
        self.seed, self.most, self.say = seed, most, say
        self.usual: Point = tuple(None for _ in knobs)
        self.seen: dict[Point, list[float]] = {}
        self._sound: dict[Point, bool] = {}
        self._fresh: Results | None = None
        self.looked = 0
        """Games of the search, without those that confirm."""

    # ---- looking

    def look(self, wanted: Iterable[tuple[Point, int]]) -> None:
        """Play points until each has the number of games given. Where the budget does not allow that, it is divided evenly."""
        short: dict[Point, int] = {}
        for point, games in dict(wanted).items():
            there = len(self.seen.get(point, ()))
            if games > there and self.is_sound(point):
                short[point] = games - there
        given = _divided(self.most - self.looked, list(short.values()))
        asked = [
            (point, self.seed + len(self.seen.get(point, ())), games)
            for point, games in zip(short, given, strict=True)
            if games
        ]
        if not asked:
            return
        self.looked += sum(games for _, _, games in asked)
        for (point, _, _), found in zip(asked, self.field.play(asked), strict=True):
            shares = found["share"]
            self.seen.setdefault(point, []).extend(float(share) for share in shares)

    def is_sound(self, point: Point) -> bool:
        """Whether a point can be played."""
        if point not in self._sound:
            self._sound[point] = self.field.is_sound(point)
        return self._sound[point]

    def share(self, point: Point) -> tuple[float, float, int]:
        """The share seen at a point, its standard error and its games."""
        seen = [share for share in self.seen.get(point, ()) if isfinite(share)]
        if not seen:
            return float("nan"), float("inf"), 0
        mean = float(np.mean(seen))
        kept = (mean * len(seen) + 1) / (len(seen) + 2)
        return mean, sqrt(kept * (1 - kept) / len(seen)), len(seen)

    def price(self, point: Point) -> float:
        """What a point costs."""
        return summed(
            knob.price(level) for knob, level in zip(self.knobs, point, strict=True) if level is not None
        )

    def may_hold(self, point: Point) -> bool:
        """Whether the share at a point may be within the margin."""
        mean, error, games = self.share(point)
        return games > 0 and abs(mean - self.target) <= self.margin + CLOSE * error

    def holds(self, share: float) -> bool:
        """Whether a share is within the margin. Rounding does not count: 0.55 is within 0.05 of 0.5, as 0.45 is."""
        return abs(share - self.target) <= self.margin + 1e-9

    # ---- the search

    def run(self, confirm: int) -> Balance:
        """Search, and confirm the results with `confirm` fresh games each. Raises InputError if all games of the scenario as it
        is break off."""
        self.say("the scenario as it is")
        games = min(2 * FIRST, max(1, self.most // 2))
        self.look([(self.usual, games)])
        if self.usual in self.seen and not self.share(self.usual)[2]:
            what = "every game of the scenario as it is broke off, so there is no share to balance"
            raise InputError(Fault(what, "look for what the agents do wrong: battlesim play shows it"))
        # Further looks leave enough games to try every factor once.
        first = FIRST * len(self._first())
        while games < 2 * MOST and self.looked + games + first <= self.most and self.may_hold(self.usual):
            games *= 2
            self.look([(self.usual, games)])
        if not (self.may_hold(self.usual) and self.holds(estimate(self._base(confirm)["share"]).value)):
            self._alone()
            self._together()
        base = self._base(confirm)
        if self.holds(estimate(base["share"]).value):  # what looked unfair at first is fair on fresh dice
            return self._told((base, [], []))
        return self._told(self._confirm(self._candidates(), confirm))

    def _alone(self) -> None:
        """Every factor alone."""
        self.say("every factor alone")
        self.look((point, FIRST) for point in self._first())
        for _ in range(LOOKS):
            wanted: dict[Point, int] = {}
            for number in range(len(self.knobs)):
                for point in self._next(number):
                    there = len(self.seen.get(point, ()))
                    if there < MOST:
                        wanted[point] = min(MOST, there + max(FIRST, there))
            if not wanted or self.looked >= self.most:
                return
            self.look(wanted.items())

    def _first(self) -> list[Point]:
        """Where every factor alone is looked at first: one level of every factor, then the second of every factor, and so on, so
        that few games tell of as many factors as they can."""
        ends = [
            [self._one(number, level) for level in self._ends(number)] for number in range(len(self.knobs))
        ]
        return [point for place in zip_longest(*ends) for point in place if point is not None]

    def _one(self, number: int, level: Any) -> Point:
        return tuple(level if place == number else None for place in range(len(self.knobs)))

    def _levels(self, number: int) -> list[Any]:
        """The levels of a knob, except its usual one, that make a valid scenario."""
        knob = self.knobs[number]
        return [
            level for level in knob.levels if level != knob.usual and self.is_sound(self._one(number, level))
        ]

    def _ends(self, number: int) -> list[Any]:
        levels = self._levels(number)
        if not self.knobs[number].is_ordered or len(levels) <= 3:
            return levels
        return [levels[0], levels[-1]]

    def _next(self, number: int) -> list[Point]:
        """Where to look next along a factor."""
        levels = self._levels(number)
        if not self.knobs[number].is_ordered or len(levels) <= 3:
            return [point for level in levels if self.may_hold(point := self._one(number, level))]
        scale = scale_of(self.knobs[number])
        points = [(self._one(number, level), scale(level)) for level in levels]
        seen = (
            [(self.usual, scale(self.knobs[number].usual))]
            if scale(self.knobs[number].usual) is not None
            else []
        )
        seen += [(point, x) for point, x in points if self.share(point)[2]]
        x = np.array([float(at or 0.0) for _, at in seen])
        shares = [self.share(point) for point, _ in seen]
        won = np.array([share * games for share, _, games in shares])
        games = np.array([float(games) for _, _, games in shares])
        beta = fit(np.column_stack([np.ones(len(x)), x]), won, games)
        goal = logit(self.target, 1e9)
        told = [(abs(beta[0] + beta[1] * float(at or 0.0) - goal), point) for point, at in points]
        best = min(told, key=lambda pair: pair[0])[1]
        nearest = min(
            (point for point, _ in points if self.share(point)[2]),
            key=lambda point: abs(self.share(point)[0] - self.target),
            default=best,
        )
        return [
            point
            for point in dict.fromkeys((best, nearest))
            if point not in self.seen or self.may_hold(point)
        ]

    def _together(self) -> None:
        """Several factors together, if factors alone do not give enough proposals."""
        if len({self._set(point) for point in self._close()}) >= PROPOSALS:
            return
        self.say("factors together")
        base = logit(*self.share(self.usual)[::2])
        shifts: dict[int, dict[Any, float]] = {}
        for number in range(len(self.knobs)):
            for level in self._levels(number):
                share, _, games = self.share(self._one(number, level))
                if games:
                    shifts.setdefault(number, {})[level] = logit(share, games) - base
        goal = logit(self.target, 1e9)
        enough = [set(self._set(point)) for point in self._close()]
        for size in (2, 3):
            told = []
            for numbers in combinations(sorted(shifts), size):
                if any(one <= set(numbers) for one in enough):
                    continue
                for levels in product(*(shifts[number].items() for number in numbers)):
                    point = tuple(
                        dict(zip(numbers, [level for level, _ in levels], strict=True)).get(place)
                        for place in range(len(self.knobs))
                    )
                    off = abs(base + summed(shift for _, shift in levels) - goal)
                    told.append((round(off, 1), self.price(point), str(point), point))
            wanted = [
                point for off, _, _, point in sorted(told)[: 3 * PAIRS] if off <= 1.0 and self.is_sound(point)
            ]
            wanted = sorted(wanted, key=self.price)[:PAIRS]
            for games in (FIRST, 2 * FIRST, MOST):
                self.look(
                    [(point, games) for point in wanted if point not in self.seen or self.may_hold(point)]
                )
            if self._close():
                return

    def _set(self, point: Point) -> tuple[int, ...]:
        """The factors that a point changes."""
        return tuple(number for number, level in enumerate(point) if level is not None)

    def _close(self) -> list[Point]:
        return [point for point in self.seen if point != self.usual and self.may_hold(point)]

    def _candidates(self) -> list[Point]:
        """Points worth confirming: for each set of factors the levels that came closest, cheaper sets first; a set that contains
        another comes after it."""
        best: dict[tuple[int, ...], list[Point]] = {}
        for point in self._close():
            best.setdefault(self._set(point), []).append(point)
        ranked = [
            sorted(
                points,
                key=lambda point: (
                    abs(self.share(point)[0] - self.target) - self.share(point)[1],
                    self.price(point),
                ),
            )
            for points in best.values()
        ]
        ranked.sort(key=lambda points: self.price(points[0]))
        return [point for points in ranked for point in points[:2]]

    # ---- confirming

    def _confirm(
        self, candidates: Sequence[Point], games: int
    ) -> tuple[Results, list[Proposal], list[Proposal]]:
        """Play candidates with fresh dice, until there are enough proposals."""
        base = self._base(games)
        first = self.seed + FRESH
        confirmed: list[Proposal] = []
        refused: list[Proposal] = []
        held: set[tuple[int, ...]] = set()
        for point in candidates:
            numbers = self._set(point)
            # A set that contains a confirmed one is not another proposal.
            if not numbers or len(confirmed) >= PROPOSALS or any(set(one) <= set(numbers) for one in held):
                continue
            found = self._fresh_games(point, first, games)
            proposal = self._proposal(point, base, found)
            if proposal.is_confirmed:
                confirmed.append(proposal)
                held.add(numbers)
            else:
                refused.append(proposal)
        return base, confirmed, refused

    def _fresh_games(self, point: Point, first: int, games: int) -> Results:
        """Fresh games of a point; and as many again, `FURTHER` times at most, while they leave open whether the share is within
        the margin."""
        found = dict(self.field.play([(point, first, games)])[0])
        for look in range(1, FURTHER + 1):
            share = estimate(found["share"], (0.0, 1.0))
            if abs(abs(share.value - self.target) - self.margin) > share.error:
                break
            more = self.field.play([(point, first + look * games, games)])[0]
            found = {name: np.concatenate([found[name], more[name]]) for name in found}
        return found

    def _base(self, games: int) -> Results:
        """The unchanged scenario, with fresh dice; played once."""
        if self._fresh is None:
            self.say("confirming with fresh dice")
            self._fresh = self.field.play([(self.usual, self.seed + FRESH, games)])[0]
        return self._fresh

    def _proposal(self, point: Point, base: Results, found: Results) -> Proposal:
        share = estimate(found["share"], (0.0, 1.0))
        low, high = share.interval
        changes = tuple(
            (knob.name, knob.usual, level)
            for knob, level in zip(self.knobs, point, strict=True)
            if level is not None
        )
        differences = []
        for name in ALSO:
            # The unchanged scenario was played with the first of these seeds.
            common = min(len(found[name]), len(base[name]))
            change = estimate(found[name][:common] - base[name][:common])
            before, after = float(np.nanmean(base[name])), float(np.nanmean(found[name]))
            differences.append(Difference(name, before, after, change.value, *change.interval))
        return Proposal(
            changes,
            self.price(point),
            share.value,
            max(0.0, low),
            min(1.0, high),
            int(np.isfinite(found["share"]).sum()),
            self.holds(share.value),
            tuple(differences),
        )

    def _told(self, found: tuple[Results, list[Proposal], list[Proposal]]) -> Balance:
        base, confirmed, refused = found
        share = estimate(base["share"], (0.0, 1.0))
        low, high = share.interval
        alone = []
        for number, knob in enumerate(self.knobs):
            looks = [
                (level, *self.share(point)[::2])
                for level in knob.levels
                if (point := self._one(number, level)) in self.seen
            ]
            alone.append((knob.name, tuple(looks)))
        unsound = tuple(
            f"{knob.name} = {level}" + (f" ({why})" if (why := self.field.why_not(point)) else "")
            for number, knob in enumerate(self.knobs)
            for level in knob.levels
            if not self._sound.get(point := self._one(number, level), True)
        )
        return Balance(
            self.target,
            self.margin,
            share.value,
            max(0.0, low),
            min(1.0, high),
            self.holds(share.value),
            tuple(sorted(confirmed, key=lambda proposal: proposal.cost)),
            tuple(refused),
            tuple(alone),
            unsound,
            self.field.played,
        )


def _divided(games: int, wanted: Sequence[int]) -> list[int]:
    """Games divided among points that want some: each has the same number, but none more than it wants. What cannot be divided
    goes to the first."""
    given = [0] * len(wanted)
    while open_ := [number for number, want in enumerate(wanted) if given[number] < want]:
        if games <= 0:
            break
        share = max(1, games // len(open_))
        for number in open_[:games]:
            more = min(share, wanted[number] - given[number])
            given[number] += more
            games -= more
    return given
