"""What a tactic does: the same game with it, with its opposite and as the base player plays. Read `effect_of`, then `judged`.

In one game of a pair a side always keeps to a tactic, in the other to its opposite, in a third to neither; all else is the same,
dice and opponent included. The differences are the effect of the tactic. Seeds are independent, so the mean and interval are of
the differences of seeds, both sides of a seed together. Its p-value is exact: if the tactic did nothing, the difference of each
seed would be as likely to have the other sign; all combinations of signs are counted.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from math import isfinite

from msgspec import Struct
from msgspec.structs import replace
from scipy import stats

from battlesim.core.sums import summed
from battlesim.discovery.contrasts import Contrast
from battlesim.discovery.watching import WatchedRow
from battlesim.stress.intervals import estimate, within

RATE = 0.05
"""The share of false finds that is allowed among confirmed tactics."""
WHOLE, HALF, POINTS = (-1.0, 1.0), (-0.5, 0.5), (-2.0, 2.0)
"""Bounds of a difference of chances; of one to the base player over both sides; of one of points, as a share of those in
reach."""
FEWEST, FEWEST_TRIED = 10, 5
"""A tactic is judged only if games with and without it end differently under at least this many seeds: in a confirmation, and in
the trials before it."""


class Figure(Struct, frozen=True):
    """A mean with its 95% interval; None at an end that is not known."""

    value: float
    low: float | None
    high: float | None


class Effect(Struct, frozen=True):
    """What a tactic does, from the view of the side that keeps to it: against its opposite, and both against the base player.

    `score`: the chance to win of a side that keeps to it, less that of a side that does the opposite, draws half. `margin`: the
    difference in points, as a share of those in reach. `kept`: what keeping to it adds to the base player's chance to win;
    `opposite`: what the opposite adds, negative if it costs. `seeds`, `games`: seeds and pairs. `dosed`: share of pairs in which
    the tactic applied in either game. `bore`: the mean number of questions that it applied to, in games that kept to it;
    `changed`: at how many of these it changed the answer; `opposite_changed`: the same for the opposite. `p`: of the score; `q`:
    after correction, 1 until `judged`. `sides`: `score` by side, None if the side was not played. `p_kept`, `q_kept` and
    `p_opposite`, `q_opposite`: the same of `kept` and `opposite`, each corrected over all tactics by itself.
    """

    score: Figure
    margin: Figure
    kept: Figure
    opposite: Figure
    seeds: int
    games: int
    dosed: float
    bore: float
    changed: float
    opposite_changed: float
    p: float
    q: float = 1.0
    p_margin: float = 1.0
    told: int = 0
    """Seeds in which the two games of a side ended differently, in score or in points."""
    sides: tuple[Figure | None, Figure | None] = (None, None)
    p_kept: float = 1.0
    q_kept: float = 1.0
    p_opposite: float = 1.0
    q_opposite: float = 1.0


def exact_p(differences: Iterable[float]) -> float:
    """The two-sided p-value that the mean of some differences, in quarters, is 0: of all ways to assign signs, the share with a
    sum at least as far from 0.

    >>> exact_p([0.5, 0.5, 0.5])
    0.25
    """
    quarters = [abs(round(4 * one)) for one in differences if round(4 * one)]
    seen = abs(sum(round(4 * one) for one in differences))
    ways: dict[int, float] = {0: 1.0}
    for step in quarters:
        more: dict[int, float] = {}
        for total, share in ways.items():
            more[total + step] = more.get(total + step, 0.0) + share / 2
            more[total - step] = more.get(total - step, 0.0) + share / 2
        ways = more
    return min(1.0, summed(share for total, share in ways.items() if abs(total) >= seen))


def by_seed(pairs: Sequence[Contrast], values: Sequence[float]) -> list[float]:
    """The mean of some pairs' values in each seed, the seeds in order."""
    gathered: dict[tuple[str, int], list[float]] = {}
    for pair, value in zip(pairs, values, strict=True):
        gathered.setdefault((pair.scenario, pair.seed), []).append(value)
    return [summed(found) / len(found) for _, found in sorted(gathered.items())]


def effect_of(rows: Mapping[int, WatchedRow], contrasts: Iterable[Contrast]) -> Effect | None:
    """The effect that some pairs show; None if no pair is whole."""
    pairs = [
        one
        for one in contrasts
        if not any(rows[number].failed for number in (one.one, one.other, one.base) if number >= 0)
    ]
    if not pairs:
        return None
    with_it = [_of(rows[one.one], one.side) for one in pairs]
    without = [_of(rows[one.other], one.side) for one in pairs]
    usual = [_of(rows[one.base], one.side) if one.base >= 0 else (0.0, 0.0) for one in pairs]
    scores = by_seed(pairs, [a[0] - b[0] for a, b in zip(with_it, without, strict=True)])
    margins = by_seed(pairs, [a[1] - b[1] for a, b in zip(with_it, without, strict=True)])
    kept = by_seed(pairs, [a[0] - b[0] for a, b in zip(with_it, usual, strict=True)])
    opposite = by_seed(pairs, [a[0] - b[0] for a, b in zip(without, usual, strict=True)])
    # By pair: what the two sides of a seed gain and lose may cancel out.
    differing = {
        (one.scenario, one.seed)
        for one, a, b in zip(pairs, with_it, without, strict=True)
        if a[0] != b[0] or abs(a[1] - b[1]) > 1e-9
    }
    doses = [rows[one.one].dose[one.side] for one in pairs]
    others = [rows[one.other].dose[one.side] for one in pairs]
    has_base = all(one.base >= 0 for one in pairs)
    # What one side gains on the base player's game the other side loses: over both sides of a seed, half the range is left.
    reach = HALF if has_base and len(pairs) == 2 * len(scores) else WHOLE
    sides: list[Figure | None] = []
    for side in (0, 1):
        here = [
            (one, a[0] - b[0]) for one, a, b in zip(pairs, with_it, without, strict=True) if one.side == side
        ]
        by_side = by_seed([one for one, _ in here], [value for _, value in here])
        sides.append(_figure(by_side, WHOLE) if here else None)
    return Effect(
        score=_figure(scores, WHOLE),
        margin=_figure(margins, POINTS),
        kept=_figure(kept, reach),
        opposite=_figure(opposite, reach),
        seeds=len(scores),
        games=len(pairs),
        dosed=sum(bool(a[0] or b[0]) for a, b in zip(doses, others, strict=True)) / len(pairs),
        bore=sum(dose[0] for dose in doses) / len(pairs),
        changed=sum(dose[1] for dose in doses) / len(pairs),
        opposite_changed=sum(dose[1] for dose in others) / len(pairs),
        p=exact_p(scores),
        p_margin=estimate(margins, POINTS).p,
        told=len(differing),
        sides=(sides[0], sides[1]),
        p_kept=exact_p(kept) if has_base else 1.0,
        p_opposite=exact_p(opposite) if has_base else 1.0,
    )


def judged(effects: Sequence[Effect | None], fewest: int = FEWEST) -> list[Effect | None]:
    """Effects with `q`, the p-value after Benjamini and Hochberg's correction over all of them. One with fewer than `fewest`
    seeds whose games differ counts as tested, with a p-value of 1."""
    known = [one for one in effects if one is not None]
    qs = _corrected([one.p if one.told >= fewest else 1.0 for one in known])
    # Each by itself: nearly every opposite does harm, and would make the correction too mild for the rest.
    kept = _corrected([one.p_kept for one in known])
    opposite = _corrected([one.p_opposite for one in known])
    every = iter(
        replace(one, q=q, q_kept=kept[n], q_opposite=opposite[n])
        for n, (one, q) in enumerate(zip(known, qs, strict=True))
    )
    return [None if one is None else next(every) for one in effects]


def _corrected(ps: Sequence[float]) -> list[float]:
    return [float(q) for q in stats.false_discovery_control(ps)] if ps else []


def is_seen(effect: Effect | None, rate: float = RATE) -> bool:
    """Whether a judged effect, good or bad, survives the correction and has an interval on one side of 0."""
    if effect is None or effect.q > rate or effect.score.low is None or effect.score.high is None:
        return False
    return effect.score.low > 0 or effect.score.high < 0


def is_confirmed(effect: Effect | None, rate: float = RATE) -> bool:
    """Whether a judged effect is a find: it is seen and it helps."""
    return effect is not None and effect.score.value > 0 and is_seen(effect, rate)


def gains(effect: Effect | None, rate: float = RATE) -> bool:
    """Whether a judged tactic is seen to beat the base player's own judgement: a player that keeps to it does better."""
    return effect is not None and effect.q_kept <= rate and (effect.kept.low or 0.0) > 0


def costs(effect: Effect | None, rate: float = RATE) -> bool:
    """Whether a judged tactic is seen to be worse than the base player's own judgement, however much worse its opposite is."""
    return effect is not None and effect.q_kept <= rate and (effect.kept.high or 0.0) < 0


def opposite_costs(effect: Effect | None, rate: float = RATE) -> bool:
    """Whether the opposite of a judged tactic is seen to be worse than the base player's own judgement."""
    return effect is not None and effect.q_opposite <= rate and (effect.opposite.high or 0.0) < 0


def _of(row: WatchedRow, side: int) -> tuple[float, float]:
    """Score and margin of a game for a side."""
    return (row.score, row.margin) if side == 0 else (1.0 - row.score, -row.margin)


def _figure(numbers: Sequence[float], bounds: tuple[float, float]) -> Figure:
    """The mean of some numbers. `bounds`: of each number; the interval stays within them, and is not empty if all are equal."""
    found = estimate(numbers, bounds)
    low, high = within(found.interval, *bounds)
    return Figure(found.value, low if isfinite(low) else None, high if isfinite(high) else None)
