"""Tune a judgement by play: `python -m tests.tune_judgement orderdice --against greedy --games 600`.

Games of `greedy` with parameters drawn at random about a centre (each multiplied or divided by up to `--spread`) against a fixed
opponent, with sides and seeds in turn, on scenarios for tuning only (`tests/tuning/RULESET-*.yaml`), or on those that are named.
A linear regression of the results on the logarithms of the parameters says which way each should go.

`--measure` plays the centre itself and prints its share with a 95% interval for each scenario. Give it other scenarios and seeds
(`--scenario`, `--first-seed`) than those that the parameters were tuned on. A draw counts half."""

from __future__ import annotations

import argparse
import math
import sys
from collections.abc import Collection, Sequence
from pathlib import Path
from random import Random

import numpy as np
from tqdm import tqdm

from battlesim import load_scenario, parameters, play
from battlesim.core.errors import InputError, did_you_mean
from battlesim.tournament.shares import wilson

HERE = Path(__file__).parent / "tuning"
SHAPED = 0.3
"""Weight of the points in a result; the win has the rest. Points vary less by chance than wins do."""
DECISIVE = 6
"""A lead of this many times the scenario's margin makes the points' part of the result 0.88; it is 0.5 where they are even."""


def result(scenario: str, ours: str, other: str, seed: int, swapped: bool) -> tuple[float, float]:
    """One game: our share of the win, and the result that is fitted."""
    game = play(scenario, (other, ours) if swapped else (ours, other), seed=seed)
    winner, points = game.outcome.winner, game.outcome.points
    share = 0.5 if winner is None else float((winner == 0) != swapped)
    ahead = points[0] - points[1] if not swapped else points[1] - points[0]
    enough = DECISIVE * max(1, load_scenario(scenario).margin)
    return share, (1 - SHAPED) * share + SHAPED * (0.5 + 0.5 * math.tanh(ahead / enough))


def named(settings: dict[str, float]) -> str:
    return ",".join(["greedy", *(f"{name}={value:.4g}" for name, value in settings.items())])


def measure(scenarios: Sequence[str], ours: str, other: str, games: int, first: int) -> None:
    """Play one player against another and print its share, on each scenario and on all."""
    shares = []
    for scenario in scenarios:
        found = [
            result(scenario, ours, other, first + n // 2, n % 2 == 1)[0]
            for n in tqdm(range(games), disable=None)
        ]
        shares += found
        print(_share_words(Path(scenario).stem, found), flush=True)
    print(_share_words("all", shares), flush=True)


def _share_words(label: str, shares: Sequence[float]) -> str:
    found = wilson(sum(shares) / len(shares), len(shares))
    return f"{label:24} {len(shares):5} games {found.value:6.1%} [{found.low:.1%}, {found.high:.1%}]"


def search(
    scenarios: Sequence[str],
    centre: dict[str, float],
    fixed: dict[str, float],
    bounds: dict[str, tuple[float, float]],
    other: str,
    games: int,
    first: int,
    spread: float,
) -> None:
    """Play games with parameters drawn about `centre`, those in `fixed` as they are, and print the regression: for each drawn
    parameter the change of the mean result (0 to 1) when it is multiplied by `spread`, its standard error and their ratio."""
    chance, names = Random(first), list(centre)
    rows, results = [], []
    for n in tqdm(range(games), disable=None):
        settings, step = {}, []
        for name in names:
            low, high = bounds[name]
            drawn = centre[name] * spread ** chance.uniform(-1.0, 1.0)
            settings[name] = min(max(drawn, low), high)
            step.append(
                math.log(settings[name] / centre[name]) / math.log(spread)
            )  # of the value that was played
        settings = fixed | settings
        scenario = scenarios[n % len(scenarios)]
        seed = first + n // (2 * len(scenarios))
        _, found = result(scenario, named(settings), other, seed, (n // len(scenarios)) % 2 == 1)
        where = [float(scenario == one) for one in scenarios]
        rows.append([*step, *where])
        results.append(found)
    x, y = np.array(rows), np.array(results)
    fitted, *_ = np.linalg.lstsq(x, y, rcond=None)
    noise = ((y - x @ fitted) ** 2).sum() / max(1, len(y) - x.shape[1])
    errors = np.sqrt(np.diag(noise * np.linalg.pinv(x.T @ x)))
    print(f"mean result {y.mean():.3f}")
    slopes = zip(names, fitted[: len(names)], errors[: len(names)], strict=True)
    for name, slope, error in sorted(slopes, key=lambda row: -abs(_in_errors(row[1], row[2]))):
        print(
            f"{name:12} at {centre[name]:8.3f}: {slope:+.4f} +- {error:.4f} if multiplied by {spread:g}  "
            f"({_in_errors(slope, error):+.1f})"
        )


def _in_errors(slope: float, error: float) -> float:
    """A slope in standard errors; 0 where nothing varied."""
    return float(slope / error) if error > 0 else 0.0


def _values(pairs: Sequence[str], known: Collection[str]) -> dict[str, float]:
    """The values of `--set`, by parameter. Raises ValueError with what is wrong."""
    given: dict[str, float] = {}
    for pair in pairs:
        name, _, value = pair.partition("=")
        if name not in known:
            raise ValueError(f"--set {pair}: there is no parameter {name!r}; {did_you_mean(name, known)}")
        try:
            given[name] = float(value)
        except ValueError:
            raise ValueError(f"--set {pair}: write {name}=NUMBER") from None
    return given


def main(words: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.tune_judgement", description=__doc__)
    parser.add_argument("ruleset")
    parser.add_argument("--against", default="greedy", help="the opponent, as `battlesim play` takes it")
    parser.add_argument("--games", type=int, default=600, help="in all; with --measure, for each scenario")
    parser.add_argument("--first-seed", type=int, default=1_000)
    parser.add_argument("--spread", type=float, default=1.6, help="the largest factor, above 1 (1.6)")
    parser.add_argument("--scenario", action="append", help="these instead (may be repeated)")
    parser.add_argument(
        "--set",
        action="append",
        default=[],
        metavar="NAME=VALUE",
        help="the value of a parameter, if not its default (may be repeated)",
    )
    parser.add_argument(
        "--only", action="append", help="draw this parameter (may be repeated); all others keep their values"
    )
    parser.add_argument("--measure", action="store_true", help="play the centre itself, and draw nothing")
    asked = parser.parse_args(words)
    if asked.games < 1 or asked.spread <= 1:
        parser.error("give --games of 1 or more, and a --spread above 1")
    try:
        declared = {one.name: one for one in parameters(asked.ruleset)}
    except InputError as error:
        parser.error(str(error))
    for name in asked.only or ():
        if name not in declared:
            parser.error(f"--only {name}: there is no such parameter; {did_you_mean(name, declared)}")
    try:
        given = _values(asked.set, declared)
    except ValueError as error:
        parser.error(str(error))
    scenarios = asked.scenario or [str(path) for path in sorted(HERE.glob(f"{asked.ruleset}-*.yaml"))]
    if not scenarios:
        parser.error(f"there are no scenarios for tuning {asked.ruleset}; give --scenario")
    if asked.measure:
        measure(scenarios, named(given), asked.against, asked.games, asked.first_seed)
        return 0
    values = {name: given.get(name, one.default) for name, one in declared.items()}
    # A parameter of 0 stays 0, whatever the factor.
    centre = {name: value for name, value in values.items() if value and name in (asked.only or values)}
    if not centre:
        parser.error("every parameter to be drawn is 0; give it another value by --set")
    fixed = {name: value for name, value in given.items() if name not in centre}
    bounds = {name: (one.low, one.high) for name, one in declared.items()}
    search(scenarios, centre, fixed, bounds, asked.against, asked.games, asked.first_seed, asked.spread)
    return 0


if __name__ == "__main__":
    sys.exit(main())
