"""The value of every place of a scenario, measured by play, beside what the graph of the map says about it. Read `analyse`.

Each place is changed alone (`atlas_places.py`), and the changed scenario is played with the same seeds as the scenario as it is.
The effect of a change is the mean difference over the seeds, of wins and of points, with Student's interval over the seeds. So
what both share, the dice that a change does not touch, cancels out.

Among many places some seem to matter by luck. `q` is the p-value after Benjamini and Hochberg's correction over all changes: of
those with q below 0.05, one in twenty is expected to be luck.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path

import msgspec
import numpy as np
from msgspec import Struct
from numpy.typing import NDArray
from scipy import stats

from battlesim.batch.blame import Blame, Failures
from battlesim.batch.lists import GameRequest, ResolvedList, resolve_games
from battlesim.batch.rows import GameRow
from battlesim.core.errors import Fault, InputError
from battlesim.core.files import write_file
from battlesim.jobs.folder import RunFolder
from battlesim.rules.scenario import Scenario
from battlesim.stress.atlas_graph import MEASURES, Graph, Measures
from battlesim.stress.atlas_places import KINDS, Change, Grounds, Place
from battlesim.stress.intervals import MOST_PERMUTED, Estimate, exact_rank_p, within

DESIGN = "atlas-design.json"
"""The file of a run's folder that says which change each game belongs to."""
EXACT = 12
"""With at most this many games with a different result, p-values are exact (all combinations of signs)."""
FEW = 8
"""The fewest places for a rank correlation."""
TOP = 10
"""The most places that are described in words."""
SEEN = 0.05
"""An effect is called seen if its q is below this."""

Values = NDArray[np.float64]


# ---- the games


class Untried(Struct, frozen=True):
    """A change that makes no valid scenario, and why."""

    change: Change
    why: str


class AtlasDesign(Struct, frozen=True):
    """The design of a run. Game n belongs to `changes[n // games - 1]`, the first `games` of them to the scenario as it is; its
    seed is `seed` + n % games."""

    scenario: str
    sides: tuple[str, str]
    agents: tuple[str, str]
    seed: int
    games: int
    places: tuple[Place, ...]
    measures: tuple[Measures, ...]
    changes: tuple[Change, ...]
    untried: tuple[Untried, ...]
    map: str
    """The map, written out part by part, as canonical JSON."""
    confirm: int = 0
    """Games on fresh dice of each of the first places, see `atlas_confirm.py`."""


def plan_atlas(
    scenario: Scenario,
    agents: tuple[str, str] = ("greedy", "greedy"),
    *,
    games: int = 40,
    seed: int = 1,
    kinds: Sequence[str] = (),
    match: str = "",
    confirm: int = 0,
    measured: bool = True,
    trying: Callable[[int, int], None] = lambda done, of: None,
) -> tuple[AtlasDesign, ResolvedList]:
    """Plan an atlas: all places and changes, without those that make no valid scenario, and the list of games.

    `kinds`: only places of these kinds; `match`: only places whose name has this text in it. `confirm`: games on fresh dice of
    each of the first places, 0 for none. `measured`: with what the graph says about each place, which takes long on a large map.
    `trying` is told how many of how many changes have been tried out on the map. Raises InputError if nothing is left.
    """
    unknown = [kind for kind in kinds if kind not in KINDS]
    if unknown:
        raise InputError(Fault(f"there is no kind of place {unknown[0]!r}", f"known: {', '.join(KINDS)}"))
    grounds = Grounds(scenario, kinds, match)
    changes: list[Change] = []
    untried: list[Untried] = []
    requests = [_request(grounds.scenario, agents, seed + n, f"{scenario.name}.0", n) for n in range(games)]
    possible = grounds.changes()
    for number, change in enumerate(possible):
        trying(number, len(possible))
        try:
            changed = grounds.changed(change)
        except InputError as error:
            untried.append(Untried(change, error.faults[0].what))
            continue
        changes.append(change)
        name = f"{scenario.name}.{len(changes)}"
        requests += [_request(changed, agents, seed + n, name, n) for n in range(games)]
    trying(len(possible), len(possible))
    if not changes:
        why = untried[0].why if untried else "no place is of the kinds and the name that were asked for"
        remedy = "the same command with --dry-run, and without --kind and --match, lists what can"
        raise InputError(Fault(f"no place of {scenario.name} can be changed: {why}", remedy))
    measures: tuple[Measures, ...] = ()
    if measured:
        graph = Graph(grounds.scenario)
        measures = tuple(graph.of(place) for place in grounds.places)
    one, two = scenario.sides
    design = AtlasDesign(
        scenario.name,
        (one.name, two.name),
        agents,
        seed,
        games,
        grounds.places,
        measures,
        tuple(changes),
        tuple(untried),
        grounds.board.source.decode(),
        confirm,
    )
    return design, resolve_games(f"atlas-{scenario.name}"[:60], requests)


def _request(scenario: Scenario, agents: tuple[str, str], seed: int, name: str, number: int) -> GameRequest:
    return GameRequest(scenario, agents, seed, name, round=number)


def begin(path: Path, design: AtlasDesign, resolved: ResolvedList) -> RunFolder:
    """A new run's folder, with nothing played yet. Raises InputError if it exists or cannot be made."""
    asked = {"kind": "atlas", "scenario": design.scenario, "games": design.games, "seed": design.seed}
    run = RunFolder.create(path, msgspec.to_builtins(resolved), msgspec.json.encode(asked), ".json")
    write_file(run.path / DESIGN, msgspec.json.encode(design), "the design")
    return run


def is_atlas(run: RunFolder) -> bool:
    """Whether a run's folder holds an atlas."""
    return (run.path / DESIGN).is_file()


def design_of(run: RunFolder) -> AtlasDesign:
    """The design of a run. Raises InputError if it is not an atlas, or damaged."""
    return run.kept(DESIGN, AtlasDesign, "an atlas", "battlesim atlas")


# ---- what was found


class Effect(Struct, frozen=True):
    """What a change does to a number of the first side: the mean difference with its 95% interval, its p-value, and `q`, the
    p-value corrected for all changes. If no game has a different result, or all differ by the same, the interval is what this
    number of games can rule out; infinite if that is not known."""

    change: float
    low: float
    high: float
    p: float
    q: float = 1.0

    @property
    def at_least(self) -> float:
        """The least size that its interval allows."""
        return max(0.0, self.low, -self.high)


class ChangeFound(Struct, frozen=True):
    """What a change of a place does. `games`: that were compared; `otherwise`: of these, those with another winner or other
    points. `wins`: of the first side, a draw half; `points`: its lead."""

    change: Change
    games: int
    otherwise: int
    wins: Effect
    points: Effect


class PlaceFound(Struct, frozen=True):
    """A place with its changes, the strongest first."""

    place: int
    changes: tuple[ChangeFound, ...]

    @property
    def first(self) -> ChangeFound:
        """The change with the strongest effect."""
        return self.changes[0]


class Foretold(Struct, frozen=True):
    """How well a measure of the graph predicts play: Spearman's rank correlation with the size of the effect on points, over the
    `places` of a group, with its 95% interval, p and q."""

    group: str
    measure: str
    places: int
    rho: float
    low: float
    high: float
    p: float
    q: float = 1.0


class AtlasFound(Struct, frozen=True):
    """The results of a run. `wins`, `points`: of the first side in the unchanged scenario. `places`: what matters most comes
    first. `blame`: what agents lost by their own failure."""

    games: int
    broken: int
    wins: float
    points: float
    places: tuple[PlaceFound, ...]
    foretold: tuple[Foretold, ...]
    blame: tuple[Blame, ...] = ()


def analyse(design: AtlasDesign, rows: Iterable[GameRow]) -> AtlasFound:
    """What every change does, and how well the graph predicts it. Missing games are left out in pairs."""
    shape = (len(design.changes) + 1, design.games)
    wins, points = np.full(shape, np.nan), np.full(shape, np.nan)
    first, second = design.sides
    games = broken = 0
    failures = Failures()
    for row in failures.watch(rows):
        games += 1
        if row.points is None:
            broken += 1
            continue
        at = divmod(row.number, design.games)
        wins[at] = 0.5 if row.winner is None else float(row.winner == first)
        points[at] = row.points[first] - row.points[second]
    known = points[np.isfinite(points)]
    far = float(np.ptp(known)) if len(known) else 0.0
    found = [
        _compared(change, wins[number] - wins[0], points[number] - points[0], far)
        for number, change in enumerate(design.changes, 1)
    ]
    found = _corrected([one for one in found if one.games])
    by_place: dict[int, list[ChangeFound]] = {}
    for one in found:
        by_place.setdefault(one.change.place, []).append(one)
    places = [PlaceFound(place, tuple(sorted(each, key=_order))) for place, each in by_place.items()]
    places.sort(key=lambda one: _order(one.first))
    return AtlasFound(
        games,
        broken,
        _mean(wins[0]),
        _mean(points[0]),
        tuple(places),
        tuple(_foretold(design, found)),
        failures.found(),
    )


def _mean(values: Values) -> float:
    return float(np.nanmean(values)) if np.isfinite(values).any() else float("nan")


def _order(one: ChangeFound) -> tuple[float, ...]:
    """Sorts the strongest first: by the least size that the intervals allow, wins before points, then by the means."""
    return (
        -one.wins.at_least,
        -one.points.at_least,
        -abs(one.wins.change),
        -abs(one.points.change),
        one.change.place,
    )


def _compared(change: Change, wins: Values, points: Values, far: float) -> ChangeFound:
    there = np.isfinite(wins) & np.isfinite(points)
    wins, points = wins[there], points[there]
    otherwise = int(((wins != 0) | (points != 0)).sum())
    return ChangeFound(
        change, int(there.sum()), otherwise, effect_of(wins, 1.0), effect_of(points, None, far)
    )


def effect_of(differences: Values, most: float | None, far: float = 0.0) -> Effect:
    """The effect that paired differences show. `most`: the largest possible difference, None if not known. `far`: the largest
    distance between any two games; differences that were not seen are taken to be no larger than the one or the other. If both
    are unknown, nothing is said about them."""
    n = len(differences)
    widest = most or far or float("inf")
    if n == 0 or not differences.any():
        half = widest * (1 - 0.05 ** (1 / n) if n else 1.0)
        return Effect(0.0, -half, half, 1.0)
    mean = float(differences.mean())
    if n == 1:
        return Effect(mean, float("-inf"), float("inf"), 1.0)
    error = float(differences.std(ddof=1)) / n**0.5
    if error < 1e-12:
        # If all differ by the same, Student's interval has no width; the interval is what this number of games rules out.
        widest = max(widest, abs(mean))
        return Effect(
            mean, *Estimate(mean, 0.0, n - 1, -widest, widest).interval, _signs_flipped(differences[:EXACT])
        )
    middle, wide = mean, error
    if most is not None:
        # Few differences, all in one direction, show too little spread: one of the largest is added in each (Bonett and Price).
        more = np.append(differences, (most, -most))
        n, middle = n + 2, float(more.mean())
        wide = float(more.std(ddof=1)) / n**0.5
    half = float(stats.t.ppf(0.975, n - 1)) * wide
    other = differences[differences != 0]
    if len(other) <= EXACT:
        p = _signs_flipped(other)
    else:
        p = float(2 * stats.t.sf(abs(mean) / error, len(differences) - 1))
    limit = float("inf") if most is None else most
    low, high = within((middle - half, middle + half), -limit, limit)
    return Effect(mean, low, high, p)


def _signs_flipped(differences: Values) -> float:
    """The chance that the sum would be at least as far from 0 if every difference were as likely to have the other sign."""
    k = len(differences)
    signs = 1.0 - 2.0 * ((np.arange(2**k)[:, None] >> np.arange(k)) & 1)
    sums = np.abs(signs @ differences)
    return float((sums >= abs(differences.sum()) - 1e-9).mean())


def _corrected(found: Sequence[ChangeFound]) -> list[ChangeFound]:
    """The same with q for wins and for points, each over all changes."""
    if not found:
        return []
    wins = stats.false_discovery_control([one.wins.p for one in found])
    points = stats.false_discovery_control([one.points.p for one in found])
    replace = msgspec.structs.replace
    return [
        replace(one, wins=replace(one.wins, q=float(a)), points=replace(one.points, q=float(b)))
        for one, a, b in zip(found, wins, points, strict=True)
    ]


def _foretold(design: AtlasDesign, found: Sequence[ChangeFound]) -> list[Foretold]:
    """The rank correlation of every measure with the size of effects, for each change of each kind of place, and for all changes
    that close something."""
    groups: dict[str, list[ChangeFound]] = {}
    for one in found:
        kind = design.places[one.change.place].kind
        side = f" by {design.sides[one.change.side]}" if one.change.side >= 0 else ""
        groups.setdefault(f"{kind} {one.change.what}{side}", []).append(one)
        if one.change.what == "closed":
            groups.setdefault("anything closed", []).append(one)
    rows = []
    for group, members in groups.items():
        for measure in MEASURES:
            pairs = [
                (value, abs(one.points.change))
                for one in members
                if (value := getattr(design.measures[one.change.place], measure)) is not None
            ]
            if row := rank_correlation(pairs):
                rows.append(Foretold(group, measure, len(pairs), *row))
    if not rows:
        return []
    qs = stats.false_discovery_control([row.p for row in rows])
    told = [msgspec.structs.replace(row, q=float(q)) for row, q in zip(rows, qs, strict=True)]
    return sorted(told, key=lambda row: (row.p, row.group, row.measure))


def rank_correlation(pairs: Sequence[tuple[float, float]]) -> tuple[float, float, float, float] | None:
    """Spearman's rho with its 95% interval (Fisher's z, with Bonett and Wright's variance) and p, which is exact for up to
    `MOST_PERMUTED` places; None if there are too few, or all but one at most have the same value in one of the two: one place
    shows no relation."""
    n = len(pairs)
    if n < FEW or any(max(Counter(values).values()) >= n - 1 for values in zip(*pairs, strict=True)):
        return None
    rho, p = (float(value) for value in stats.spearmanr(*zip(*pairs, strict=True)))
    if n <= MOST_PERMUTED:
        p = exact_rank_p(*zip(*pairs, strict=True))
    z, error = np.arctanh(np.clip(rho, -0.999999, 0.999999)), ((1 + rho**2 / 2) / (n - 3)) ** 0.5
    return rho, float(np.tanh(z - 1.96 * error)), float(np.tanh(z + 1.96 * error)), p
