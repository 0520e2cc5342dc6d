"""Tune a judgement by play: `python -m tests.tune_judgement orderdice --against greedy --games 600`.

Games of `greedy` with parameters drawn at random about a centre (each times or divided by up to `--spread`) against a fixed
opponent, sides and seeds in turns, on scenarios for tuning only (`tests/tuning/RULESET-*.yaml`, and shipped ones that are named).
A linear fit of the results on the logarithms of the parameters says which way each should go. `--measure` plays the centre
itself and prints its share with a 95% interval for each scenario: with `--scenario` and `--first-seed`, on what judges. A draw
counts half."""

from __future__ import annotations

import argparse
import math
import sys
from collections.abc import Sequence
from pathlib import Path
from random import Random

import numpy as np
from tqdm import tqdm

from battlesim import load_scenario, parameters, play
from tests.measure_agents import wilson

HERE = Path(__file__).parent / "tuning"
SHAPED = 0.3
"""Share of a result that the points decide, the rest the win: less chance in it."""
DECISIVE = 6
"""Points ahead that count nearly all of that, in margins of the scenario."""


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
    shares = []
    for scenario in scenarios:
        found = [
            result(scenario, ours, other, first + n // 2, n % 2 == 1)[0]
            for n in tqdm(range(games), disable=None)
        ]
        shares += found
        share = sum(found) / games
        low, high = wilson(share, games)
        print(f"{Path(scenario).stem:24} {games:5} games {share:6.1%} [{low:.1%}, {high:.1%}]", flush=True)
    low, high = wilson(sum(shares) / len(shares), len(shares))
    print(
        f"{'all':24} {len(shares):5} games {sum(shares) / len(shares):6.1%} [{low:.1%}, {high:.1%}]",
        flush=True,
    )


def search(
    scenarios: Sequence[str],
    centre: dict[str, float],
    bounds: dict[str, tuple[float, float]],
    other: str,
    games: int,
    first: int,
    spread: float,
) -> None:
    chance, names = Random(first), list(centre)
    rows, results = [], []
    for n in tqdm(range(games), disable=None):
        step = [chance.uniform(-1.0, 1.0) for _ in names]
        settings = {
            name: min(max(centre[name] * spread**x, bounds[name][0]), bounds[name][1])
            for name, x in zip(names, step, strict=True)
        }
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
    for name, slope, error in sorted(
        zip(names, fitted, errors, strict=False), key=lambda row: -abs(row[1] / row[2])
    ):
        print(
            f"{name:12} at {centre[name]:8.3f}: {slope:+.4f} +- {error:.4f} for times {spread:g}  ({slope / error:+.1f})"
        )


def main(words: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.tune_judgement", description=__doc__)
    parser.add_argument("ruleset")
    parser.add_argument("--against", default="greedy", help="the opponent, as `battlesim play` takes it")
    parser.add_argument("--games", type=int, default=600, help="in all; with --measure, for each scenario")
    parser.add_argument("--first-seed", type=int, default=1_000)
    parser.add_argument("--spread", type=float, default=1.6)
    parser.add_argument("--scenario", action="append", help="these instead (may be repeated)")
    parser.add_argument(
        "--set", action="append", default=[], metavar="NAME=VALUE", help="the centre, where not the default"
    )
    parser.add_argument("--only", action="append", help="parameters to draw (default: all)")
    parser.add_argument("--measure", action="store_true")
    asked = parser.parse_args(words)
    declared = {one.name: one for one in parameters(asked.ruleset)}
    given = {name: float(value) for name, value in (pair.split("=") for pair in asked.set)}
    scenarios = asked.scenario or [str(path) for path in sorted(HERE.glob(f"{asked.ruleset}-*.yaml"))]
    if asked.measure:
        measure(scenarios, named(given), asked.against, asked.games, asked.first_seed)
        return 0
    centre = {name: given.get(name, one.default) for name, one in declared.items()}
    fixed = {name: x for name, x in given.items() if asked.only and name not in asked.only}
    if asked.only:
        centre = {name: centre[name] for name in asked.only} | fixed
    centre = {name: x for name, x in centre.items() if x}
    bounds = {name: (one.low, one.high) for name, one in declared.items()}
    search(scenarios, centre, bounds, asked.against, asked.games, asked.first_seed, asked.spread)
    return 0


if __name__ == "__main__":
    sys.exit(main())
