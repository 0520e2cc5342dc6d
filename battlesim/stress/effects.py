"""What each factor does to a response: effects with intervals. Read `effects_of`.

- One factor at a time: the effect of a level is the mean difference to the factor's first level, over all pairs of
  points that differ in that factor alone.
- All other designs: the coefficients of a linear model over all points (`model.py`), with products of two factors if the points
  can separate these. What they cannot separate (`Model.confounded`) is named and not estimated.

Among many effects, some seem real by luck. `holm` is the p-value after Holm's correction over all effects on one response: if no
factor matters, it is below 0.05 for any of them in at most one run of twenty. `q` is that of Benjamini and Hochberg over all
responses of the run, those of the clock by themselves: about one in twenty of the effects with q below 0.05 is not real.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np
from msgspec import Struct
from msgspec.structs import replace
from scipy import stats

from battlesim.stress.intervals import UNBOUNDED, Estimate, Values, estimate, means
from battlesim.stress.model import Model, levels_against
from battlesim.stress.plan import Design

PAIRLESS = ("one-at-a-time", "list", "morris")
"""Designs that cannot show effects of two factors together."""
MANY = 6
"""With this many games of each point, their spread shows the range of a response."""


class Effect(Struct, frozen=True):
    """What a factor does to a response.

    `level`: compared with `base`, the factor's first; None: from the least to the most of its range. With `other`: how much
    larger the effect is if that factor is at `other_level` instead of its first, or at the most instead of the least of its
    range. `change` with its 95% interval. `p`: of no change; `holm`, `q`: the same corrected (see above). `unseen`: a change of
    this size would be shown by four of five samples like this one; infinite if no possible one would. `saved`: how many times
    more games the same interval would have needed if every point had its own dice; nan if not known. `is_added`: the levels say
    how many of a thing with a name of its own are added.
    """

    factor: str
    level: Any
    change: float
    low: float
    high: float
    p: float
    holm: float
    q: float
    unseen: float
    saved: float
    other: str = ""
    other_level: Any = None
    base: Any = None
    is_added: bool = False

    @property
    def is_shown(self) -> bool:
        """Whether it is significant among all effects on its response."""
        return self.holm < 0.05


def model_of(design: Design) -> Model | None:
    """The linear model of a design; None if effects are differences of points."""
    if design.design == "one-at-a-time":
        return None
    return Model(design, design.design not in PAIRLESS)


def effects_of(
    design: Design, values: Values, model: Model | None, bounds: tuple[float, float] = UNBOUNDED
) -> tuple[list[Effect], str]:
    """The effects on a response, whose values are given by point and seed; and why there are none of two factors together, empty
    if there are. `model`: as `model_of` makes it; `bounds`: what the response can be."""
    widest = widest_of(values, bounds)
    if model is None:
        return corrected(_differences(design, values, widest)), "this design is not made for them"
    found = []
    for term, estimated in zip(model.terms, model.fit(values, widest), strict=True):
        other = design.factors[term.other] if term.other >= 0 else ""
        saved = _saved(design, values, term.factor, term.level, estimated) if term.other < 0 else float("nan")
        factor = design.factors[term.factor]
        effect = _effect(factor, term.level, estimated, saved, other, term.other_level)
        base = None if term.level is None else levels_against(design, term.factor)[0]
        found.append((replace(effect, base=base, is_added=_is_added(design, term.factor)), estimated))
    return corrected(found), model.missing


def _is_added(design: Design, factor: int) -> bool:
    """Whether a factor says how many of a thing with a name of its own are added."""
    path = design.paths[factor][0]
    return path.endswith("[+]") and path != design.factors[factor]


def widest_of(values: Values, bounds: tuple[float, float]) -> float:
    """The largest distance between two values of a response, as far as known: the largest seen if there are many games, else from
    its bounds."""
    known = values[np.isfinite(values)]
    seen = float(np.ptp(known)) if values.shape[1] >= MANY and len(known) else 0.0
    return min(seen or float("inf"), bounds[1] - bounds[0])


def _effect(
    factor: str, level: Any, found: Estimate, saved: float, other: str = "", other_level: Any = None
) -> Effect:
    low, high = found.interval
    p, none = found.p, float("nan")
    return Effect(factor, level, found.value, low, high, p, p, p, none, saved, other, other_level)


def _differences(design: Design, values: Values, widest: float) -> list[tuple[Effect, Estimate]]:
    """Mean differences between points that differ in one factor alone."""
    found = []
    for number, factor in enumerate(design.factors):
        groups: dict[Any, dict[Any, int]] = defaultdict(dict)
        for place, point in enumerate(design.points):
            groups[(*point[:number], *point[number + 1 :])][point[number]] = place
        levels = list(dict.fromkeys(point[number] for point in design.points))
        first = levels[0]  # the first point is the base
        for level in levels[1:]:
            pairs = [
                (group[first], group[level]) for group in groups.values() if first in group and level in group
            ]
            if pairs:
                change = values[[b for _, b in pairs]] - values[[a for a, _ in pairs]]
                by_seed = estimate(means(change, 0), (-widest, widest))
                effect = _effect(factor, level, by_seed, _saved_by(values, pairs))
                found.append((replace(effect, base=first, is_added=_is_added(design, number)), by_seed))
    return found


def _saved(design: Design, values: Values, factor: int, level: Any, found: Estimate) -> float:
    """How many times more games separate dice would have cost, for a level of a design in which every combination of the other
    factors occurs with it and with the first level."""
    if level is None or design.design not in ("factorial", "fractional-factorial"):
        return float("nan")
    first = design.levels_of(factor)[0]
    here = {
        point[:factor] + point[factor + 1 :]: place
        for place, point in enumerate(design.points)
        if point[factor] == level
    }
    pairs = [
        (place, here[point[:factor] + point[factor + 1 :]])
        for place, point in enumerate(design.points)
        if point[factor] == first and point[:factor] + point[factor + 1 :] in here
    ]
    return _saved_by(values, pairs) if pairs else float("nan")


def _saved_by(values: Values, pairs: Sequence[tuple[int, int]]) -> float:
    before, after = values[[a for a, _ in pairs]], values[[b for _, b in pairs]]
    change = after - before
    if not np.isfinite(change).all() or change.shape[1] < 2:
        return float("nan")
    together = float(np.var(np.mean(change, axis=0))) * len(pairs)
    return float(np.mean(np.var(before, 1) + np.var(after, 1))) / together if together > 0 else float("nan")


def corrected(found: Sequence[tuple[Effect, Estimate]]) -> list[Effect]:
    """The effects on one response with p-values after Holm's correction, and the size that could go unseen among so many."""
    order = sorted(range(len(found)), key=lambda number: found[number][0].p)
    most, holm = 0.0, [0.0] * len(found)
    for rank, number in enumerate(order):
        most = max(most, min(1.0, found[number][0].p * (len(found) - rank)))
        holm[number] = most
    return [
        replace(effect, holm=p, unseen=estimated.unseen(len(found)))
        for (effect, estimated), p in zip(found, holm, strict=True)
    ]


def with_false_discoveries(by_response: Sequence[Sequence[Effect]]) -> list[tuple[Effect, ...]]:
    """The effects on some responses with p-values after Benjamini and Hochberg's correction over all of them."""
    every = [effect.p for effects in by_response for effect in effects]
    q = iter(stats.false_discovery_control(every) if every else ())
    return [tuple(replace(effect, q=float(next(q))) for effect in effects) for effects in by_response]


def strongest(effects: Iterable[Effect]) -> list[Effect]:
    """The significant effects, the largest first."""
    return sorted((effect for effect in effects if effect.is_shown), key=lambda effect: -abs(effect.change))
