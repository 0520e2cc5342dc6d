"""The results of a stress test: every figure, and its text. Read `analyse`, then `lines`."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from math import isfinite
from typing import Any

import numpy as np
from msgspec import Struct
from msgspec.structs import replace

from battlesim.batch.blame import Blame, Failures, blame_lines
from battlesim.batch.rows import GameRow
from battlesim.stress.boxes import Box, boxes_of
from battlesim.stress.course import Course, ObjectiveFound, TurnFound
from battlesim.stress.curves import CurvePoint, Grid, at_words, curve_of, grid_of, level_words
from battlesim.stress.effects import Effect, effects_of, model_of, strongest, with_false_discoveries
from battlesim.stress.intervals import UNBOUNDED, Values, mean_of, within
from battlesim.stress.plan import Design
from battlesim.stress.responses import CLOCKS, FAMILIES, RESPONSES, Response, bounds_of, meaning_of
from battlesim.stress.sensitivity import Sensitivity, sensitivity_of
from battlesim.viewer.report_words import names, plural

MAIN = ("share", "margin")
"""Responses that are always reported; the others only if an effect on them is shown."""
GRIDS = 3  # grids of two factors that are told at most
NOT_APART = "confounded: these points do not tell apart, and so nothing is told of"


class ResponseFound(Struct, frozen=True):
    """The results for one response.

    `mean` over all games with its interval. `points_part`: the share of a game's variance that comes from the factors; the rest
    is from the dice and the players' chance. `dice_part`: the share from dice that all points have in common. `curves`: along
    each factor. `is_share`: whether the response is a share, or a difference of two shares.
    """

    response: str
    meaning: str
    mean: float
    low: float
    high: float
    points_part: float
    dice_part: float
    effects: tuple[Effect, ...]
    curves: tuple[CurvePoint, ...]
    is_share: bool = False


class StressFound(Struct, frozen=True):
    """The results of a run.

    `broken`: games that broke off and are left out. `saved`: how many times more games the same intervals would have needed if
    every point had its own dice, the median over the effects on the share; nan if not known. `untried`: why effects of two
    factors together are not given; empty if they are. `boxes` and `grids` are of the first side's share. `turns`, `objectives`:
    how games go, over all points together. `confounded`: effects that the points cannot separate, in words. `blame`: what agents
    lost by their own failure. `planned`: games of the whole run, 0 if not known; `missing`: a message about missing games; empty
    if none are.
    """

    games: int
    broken: int
    saved: float
    untried: str
    responses: tuple[ResponseFound, ...]
    sensitivity: tuple[Sensitivity, ...]
    boxes: tuple[Box, ...]
    grids: tuple[Grid, ...]
    turns: tuple[TurnFound, ...] = ()
    objectives: tuple[ObjectiveFound, ...] = ()
    confounded: tuple[str, ...] = ()
    blame: tuple[Blame, ...] = ()
    planned: int = 0
    missing: str = ""


def analyse(
    design: Design,
    rows: Iterable[GameRow],
    responses: Mapping[str, Response] = RESPONSES,
    clocks: Iterable[tuple[int, Sequence[float]]] = (),
) -> StressFound:
    """Every figure of a run, from its rows. `clocks`: number and clocks of its games, if known."""
    course, failures = Course(), Failures()
    values, games, broken = read_values(design, course.watch(failures.watch(rows)), responses)
    values.update(read_clocks(design, clocks))
    found = analyse_values(design, values, responses, games, broken)
    return replace(found, turns=course.turns(), objectives=course.objectives(), blame=failures.found())


def read_values(
    design: Design, rows: Iterable[GameRow], responses: Mapping[str, Response] = RESPONSES
) -> tuple[dict[str, Values], int, int]:
    """The responses by point and seed, how many games there are, and how many broke off."""
    shape = (len(design.points), design.games)
    values = {name: np.full(shape, np.nan) for name in responses}
    tables = [(values[name], response.of) for name, response in responses.items()]
    more: dict[str, Values] = {}
    games = broken = 0
    for row in rows:
        games += 1
        if row.measures is None:
            broken += 1
            continue
        place = divmod(row.number, design.games)
        for table, of in tables:
            table[place] = of(row, row.measures)
        for family in FAMILIES:
            for rest, value in family.of(row.measures):
                name = family.prefix + rest
                if name not in more:
                    more[name] = np.full(shape, np.nan)
                more[name][place] = value
    return {**values, **dict(sorted(more.items()))}, games, broken


def read_clocks(design: Design, clocks: Iterable[tuple[int, Sequence[float]]]) -> dict[str, Values]:
    """The responses of the clock by point and seed; none where no game has any."""
    values = {name: np.full((len(design.points), design.games), np.nan) for name in CLOCKS}
    for number, seconds in clocks:
        for name, value in zip(CLOCKS, seconds, strict=False):
            values[name][divmod(number, design.games)] = value
    return {name: table for name, table in values.items() if np.isfinite(table).any()}


def analyse_values(
    design: Design,
    values: Mapping[str, Values],
    responses: Mapping[str, Response] = RESPONSES,
    games: int = 0,
    broken: int = 0,
) -> StressFound:
    """The same from the responses by point and seed."""
    raw: dict[str, list[Effect]] = {}
    untried = ""
    model = model_of(design)
    for name in values:
        raw[name], untried = effects_of(design, values[name], model, _bounds(name, values[name], responses))
    # Clock times differ when a run is played again. They are a family by themselves, so that no other figure differs.
    families = [[name for name in raw if (name in CLOCKS) == by_clock] for by_clock in (False, True)]
    judged = {
        name: effects
        for family in families
        for name, effects in zip(family, with_false_discoveries([raw[name] for name in family]), strict=True)
    }
    found = []
    for name in values:
        of = judged[name]
        found.append(
            _response(
                design,
                name,
                meaning_of(name, responses),
                values[name],
                of,
                _bounds(name, values[name], responses),
            )
        )
    share = values.get("share")
    sensitivity = [
        index for name in MAIN if name in values for index in sensitivity_of(design, name, values[name])
    ]
    known = share is not None and bool(np.isfinite(share).any())
    return StressFound(
        games,
        broken,
        _saved(found),
        untried,
        tuple(found),
        tuple(sensitivity),
        tuple(boxes_of(design, share)) if share is not None and known else (),
        tuple(_grids(design, share, found[0].effects)) if share is not None and known else (),
        confounded=tuple(
            names([_to(design.factors[term.factor], term.level) for term in group])
            for group in model.confounded
        )
        if model is not None
        else (),
    )


def _response(
    design: Design,
    name: str,
    meaning: str,
    values: Values,
    effects: tuple[Effect, ...],
    bounds: tuple[float, float],
) -> ResponseFound:
    mean = mean_of(values, bounds)
    low, high = within(mean.interval, *bounds)
    widest = bounds[1] - bounds[0]  # a change of a mean is at most the distance between possible means
    effects = tuple(_possible(effect, 2 * widest if effect.other else widest) for effect in effects)
    curves = tuple(
        point for factor in range(len(design.factors)) for point in curve_of(design, factor, values, bounds)
    )
    by_point, by_dice = variance_parts(values)
    return ResponseFound(
        name, meaning, mean.value, low, high, by_point, by_dice, effects, curves, bounds != UNBOUNDED
    )


def _bounds(name: str, values: Values, responses: Mapping[str, Response]) -> tuple[float, float]:
    """The bounds of a response. A user's own response that is 0 or 1 in every game is taken as a share of the games."""
    known = values[np.isfinite(values)]
    own = name in responses and name not in RESPONSES
    return (0.0, 1.0) if own and len(known) and np.isin(known, (0.0, 1.0)).all() else bounds_of(name)


def _possible(effect: Effect, widest: float) -> Effect:
    """An effect cut to its possible range. A straight line may be so steep that it exceeds it."""
    change = min(max(effect.change, -widest), widest)
    low, high = within((effect.low, effect.high), -widest, widest)
    return replace(effect, change=change, low=low, high=high)


def variance_parts(values: Values) -> tuple[float, float]:
    """The shares of the variance of single games that lie between points and between seeds, by the mean squares of the two-way
    table; nan where it has one row or column, or holes."""
    points, seeds = values.shape
    if points < 2 or seeds < 2 or not np.isfinite(values).all():
        return float("nan"), float("nan")
    whole = values.mean()
    of_points, of_seeds = values.mean(1) - whole, values.mean(0) - whole
    rest = values - whole - of_points[:, None] - of_seeds[None, :]
    inside = float((rest**2).sum()) / ((points - 1) * (seeds - 1))
    between = max(0.0, (seeds * float((of_points**2).sum()) / (points - 1) - inside) / seeds)
    dice = max(0.0, (points * float((of_seeds**2).sum()) / (seeds - 1) - inside) / points)
    every = between + dice + inside
    return (between / every, dice / every) if every > 0 else (float("nan"), float("nan"))


def _saved(found: Iterable[ResponseFound]) -> float:
    known = [
        effect.saved
        for response in found
        if response.response == "share"
        for effect in response.effects
        if isfinite(effect.saved)
    ]
    return float(np.median(known)) if known else float("nan")


def _grids(design: Design, values: Values, effects: Iterable[Effect]) -> Iterable[Grid]:
    """Grids of the pairs of factors with the most to show: those with effects together, then those with the largest effects."""
    wanted: dict[tuple[int, int], None] = {}
    listed = list(effects)
    index = {name: number for number, name in enumerate(design.factors)}
    for effect in strongest(listed):
        if effect.other:
            wanted[(index[effect.factor], index[effect.other])] = None
    most = dict.fromkeys(
        index[effect.factor]
        for effect in sorted(listed, key=lambda effect: -abs(effect.change))
        if not effect.other
    )
    alone = sorted(list(most)[:2])
    if len(alone) == 2:
        wanted[(alone[0], alone[1])] = None
    for down, across in list(wanted)[:GRIDS]:
        grid = grid_of(design, down, across, values)
        if sum(cell is not None for row in grid.means for cell in row) > len(grid.rows):
            yield grid


# ---- in words


def effect_words(effect: Effect) -> str:
    """The subject of an effect: a level and what it is compared with, a range, or two factors together."""
    if effect.is_added and not effect.other and {effect.level, effect.base} == {0, 1}:
        return at_words(effect.factor, bool(effect.level))
    what = _to(effect.factor, effect.level)
    if effect.other:
        return f"{what} and {_to(effect.other, effect.other_level)} together"
    # `without the tank` says what it is compared with; `turns = 6` does not.
    plain = effect.level is not None and what.endswith(f" = {level_words(effect.level)}")
    return f"{what} instead of {level_words(effect.base)}" if plain else what


def _to(factor: str, level: Any) -> str:
    return f"{factor} from least to most" if level is None else at_words(factor, level)


def lines(design: Design, found: StressFound) -> Iterable[str]:
    """The results of a run, as text."""
    if found.missing:
        yield found.missing
    points, games = plural(len(design.points), "point"), plural(found.games, "game")
    yield f"{design.scenario}: {points}, {games}; the first side is {design.sides[0]}"
    if found.broken:
        yield f"{plural(found.broken, 'game')} broke off, which the figures leave out"
    yield from blame_lines(found.blame)
    for response in found.responses:
        told = [effect for effect in response.effects if not effect.other or effect.is_shown]
        # For walks, Morris' figures are given for these.
        if design.design == "morris" and response.response in MAIN:
            told = []
        if response.response not in MAIN:
            told = [effect for effect in told if effect.q < 0.05]
            if not told:
                continue
        yield ""
        interval = f"[{response.low:.3g}, {response.high:.3g}]" if isfinite(response.low) else ""
        yield f"{response.response} ({response.meaning}), {response.mean:.3g} {interval} over all games".replace(
            "  ", " "
        )
        for effect in told:
            yield f"  {_line(effect, effect.is_shown or response.response not in MAIN)}"
    still = [
        response.response
        for response in found.responses
        if response.response not in MAIN and all(effect.q >= 0.05 for effect in response.effects)
    ]
    if still:
        yield ""
        yield f"no effect is shown on: {', '.join(still)}"
    if len(found.boxes) > 1:
        yield ""
        yield f"where {design.sides[0]} won how often, on dice that the parts were not found by:"
        for box in found.boxes:
            yield f"  {box.mean:.0%} [{box.low:.0%}, {box.high:.0%}], {box.space:.0%} of the space: {box.words}"
    elif found.boxes:
        yield "no part of the space in which the first side wins more or less often was found"
    yield from _sensitivity_lines(design, found)
    yield ""
    if isfinite(found.saved):
        yield f"common dice: with dice of their own the points would have needed {found.saved:.1f} times the games"
    for group in found.confounded:
        yield f"{NOT_APART}: {group}"
    if found.untried:
        yield f"effects of two factors together are not told: {found.untried}"
    if design.fixed:
        yield f"not varied: {'; '.join(design.fixed)}"


def _line(effect: Effect, is_shown: bool) -> str:
    if not isfinite(effect.change):
        return f"{effect_words(effect):<38} not known yet: games are missing"
    what = f"{effect_words(effect):<38} {effect.change:+.3f}"
    if not isfinite(effect.low):
        return f"{what}   too few games for an interval"
    return f"{what} [{effect.low:+.3f}, {effect.high:+.3f}]{'' if is_shown else doubt_words(effect)}"


def doubt_words(effect: Effect) -> str:
    """Why an effect is not shown, and how large a one would have been."""
    if effect.low > 0 or effect.high < 0:
        sure = "   may be luck: of so many effects that were looked at, some seem to be there"
    else:
        sure = "   may be none"
    if effect.unseen == float("inf"):
        return f"{sure}; too few games to see any"
    return f"{sure}; {effect.unseen:.2f} would probably have been seen" if isfinite(effect.unseen) else sure


SENSITIVITY = {
    "morris": "how far each factor moves the {response}, from many places (Morris): mu* is the mean size of a step of two thirds "
    "of its range, times one and a half, with its 95% interval; sigma, how much that differs from place to place; what does "
    "nothing has the mu* of luck",
    "saltelli": "how much of the differences in the {response} each factor makes (Sobol): first, alone; total, together with the "
    "others; each with its 95% interval",
    "": "how much each factor matters to the {response}: PAWN is how far the results move when it is held, from 0 to 1; first "
    "order is the part of the differences that it makes alone",
}
"""The meaning of indices, by design."""


def sensitivity_heading(design: str, response: str) -> str:
    """What the indices of a design mean, in words."""
    return SENSITIVITY.get(design, SENSITIVITY[""]).format(response=response)


def _sensitivity_lines(design: Design, found: StressFound) -> Iterable[str]:
    told = MAIN if design.design == "morris" else MAIN[:1]
    if design.design in ("morris", "saltelli") and not found.sensitivity:
        yield ""
        yield "no indices are told: games are missing, or none came out otherwise than the rest"
    for response in told:
        of = [index for index in found.sensitivity if index.response == response]
        if of:
            yield ""
            yield f"{sensitivity_heading(design.design, response)}:"
        yield from (f"  {_index_line(index)}" for index in of)


def _index_line(index: Sensitivity) -> str:
    if index.mu_star is not None:
        return (
            f"{index.factor}: mu* {index.mu_star:.3f} +/- {index.mu_star_error:.3f}, sigma {index.sigma:.3f}"
        )
    if index.total is not None:
        return (
            f"{index.factor}: first {index.first:.2f} +/- {index.first_error:.2f}, "
            f"total {index.total:.2f} +/- {index.total_error:.2f}"
        )
    nothing = index.pawn is not None and index.none is not None and index.pawn <= index.none
    beside = f" (no more than a factor that does nothing, {index.none:.2f})" if nothing else ""
    return f"{index.factor}: PAWN {index.pawn:.2f}{beside}, first order {index.first:.2f}"
