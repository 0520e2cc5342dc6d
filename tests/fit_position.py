"""Fits the value of a position (`battlesim/evaluation/position.py`) to played games, and says how well it foretells others.

    python -m tests.fit_position                 # how well the kept weights foretell games they were not fitted to
    python -m tests.fit_position --write         # fit them anew first, to games with other seeds
    python -m tests.fit_position --write --scenario square --scenario silo   # only those of the rulebook of these

Games are played by `greedy` and `rush` in all pairings on the shipped scenarios (but for the one of a hundred units a side).
Every so many questions the position is noted, and how the game ended. Weights are fitted by logistic regression with a small
ridge; the positions of one game count as one game. What is told: the Brier score (mean squared error of the chance that was
told; less is better, always saying a half has 0.25 less a quarter of the draws) of the weights, of points alone (their
lead and how late it is, fitted likewise) and of material alone; the gain over points with its standard error over games;
and of ten classes of told chances how many were won.

Some three minutes on two cores with 16 seeds, twice that with `--write`.
"""

from __future__ import annotations

import argparse
import sys
from collections import defaultdict
from collections.abc import Sequence
from multiprocessing import get_context
from pathlib import Path
from typing import NamedTuple

import msgspec
import numpy as np

from battlesim import find_ruleset, load_scenario, play, shipped_scenarios
from battlesim.evaluation import position
from battlesim.evaluation.position import NAMES, PositionWeights, position_features

KEPT = Path(position.__file__).with_suffix(".json")
LARGE = 60
"""Scenarios with more units are left out: their games take as long as all others."""
PAIRINGS = (("greedy", "greedy"), ("greedy", "rush"), ("rush", "greedy"))
EVERY = 9
"""A position is noted every so many questions."""
FIT, JUDGE = 1_000, 2_000
"""First seeds of the games that weights are fitted to, and of those that they are judged by."""
RIDGE = 0.3
"""With 1.0 chances were told too cautiously."""
POINTS, MATERIAL = ("lead", "late_lead"), ("early_material", "late_material")


class Noted(NamedTuple):
    """What was noted of one game: its rulebook, the share of the first side (1, 0.5 or 0), and the features of each position."""

    ruleset: str
    scenario: str
    won: float
    rows: list[tuple[float, ...]]


def noted(job: tuple[str, tuple[str, str], int]) -> Noted:
    """Play a game and note its positions."""
    name, agents, seed = job
    scenario = load_scenario(name)
    ruleset = find_ruleset(scenario.ruleset)
    rows: list[tuple[float, ...]] = []

    def listener(battle: object, question: object) -> None:
        if question.number % EVERY == seed % EVERY:  # type: ignore[attr-defined]
            rows.append(position_features(battle.state, battle.board, ruleset))  # type: ignore[attr-defined]

    game = play(scenario, agents, seed=seed, listener=listener)
    winner = game.outcome.winner
    return Noted(ruleset.name, name, 0.5 if winner is None else float(winner == 0), rows)


def games(first: int, seeds: int, processes: int, names: Sequence[str]) -> list[Noted]:
    """All pairings on all scenarios with so many seeds."""
    jobs = [(name, agents, first + n) for name in names for agents in PAIRINGS for n in range(seeds)]
    with get_context("spawn").Pool(processes) as pool:
        return [game for game in pool.imap(noted, jobs, chunksize=4) if game.rows]


def arrays(found: Sequence[Noted]) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Signs, results and weights of all positions; those of one game weigh one together."""
    x = np.array([row for game in found for row in game.rows])
    y = np.array([game.won for game in found for _ in game.rows])
    w = np.array([1 / len(game.rows) for game in found for _ in game.rows])
    return x, y, w


def fit(found: Sequence[Noted], names: Sequence[str] = NAMES) -> PositionWeights:
    """The weights that make what happened likeliest. Signs that are not named weigh nothing.

    No weight is below 0: every feature is an advantage. A free fit finds some to be harmful, since who plays badly has more of it
    (`rush` is nearer to objectives), and a player that plans by that would shun it. The feature that is most below 0 is left out,
    and the others are fitted again, until there is none."""
    x, y, w = arrays(found)
    used = [NAMES.index(name) for name in names]
    while True:
        b = _likeliest(x[:, used], y, w)
        if not used or b.min() >= 0:
            break
        del used[int(b.argmin())]
    values = dict.fromkeys(NAMES, 0.0) | {NAMES[n]: round(float(v), 3) for n, v in zip(used, b, strict=True)}
    return PositionWeights(**values)


def _likeliest(x: np.ndarray, y: np.ndarray, w: np.ndarray) -> np.ndarray:
    """Logistic regression by Newton's method, without a constant (a side is worth nothing), with a small ridge. x: features, a
    row a position; y: what was won, 0 to 1; w: what each position counts."""
    b = np.zeros(x.shape[1])
    for _ in range(50):
        p = 1 / (1 + np.exp(-np.clip(x @ b, -30, 30)))
        gradient = x.T @ (w * (y - p)) - RIDGE * b
        hessian = (x * (w * p * (1 - p))[:, None]).T @ x + RIDGE * np.eye(len(b))
        step = np.linalg.solve(hessian, gradient)
        b += step
        if not len(b) or np.abs(step).max() < 1e-9:
            break
    return b


def told(found: Sequence[Noted], weights: PositionWeights) -> np.ndarray:
    """The chances that weights tell for the first side."""
    x, _, _ = arrays(found)
    b = np.array([getattr(weights, name) for name in NAMES])
    chances: np.ndarray = 1 / (1 + np.exp(-np.clip(x @ b, -30, 30)))
    return chances


def brier_by_game(found: Sequence[Noted], weights: PositionWeights) -> np.ndarray:
    """The mean squared error of each game."""
    p, at, means = told(found, weights), 0, []
    for game in found:
        part = p[at : at + len(game.rows)]
        means.append(float(np.mean((part - game.won) ** 2)))
        at += len(game.rows)
    return np.array(means)


def by_ruleset(found: Sequence[Noted]) -> dict[str, list[Noted]]:
    """Games by rulebook, those of "" being all of them."""
    parted: dict[str, list[Noted]] = defaultdict(list)
    for game in found:
        parted[game.ruleset].append(game)
    return {"": list(found), **{name: parted[name] for name in sorted(parted)}}


def main(words: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.fit_position", description=__doc__)
    parser.add_argument("--write", action="store_true", help="fit anew and keep the weights")
    parser.add_argument("--seeds", type=int, default=12, help="games of each pairing on each scenario (12)")
    parser.add_argument("--processes", type=int, default=2, help="games at a time (2)")
    parser.add_argument("--scenario", action="append", help="only this one (may be repeated)")
    asked = parser.parse_args(words)
    names = asked.scenario or [n for n in shipped_scenarios() if len(load_scenario(n).forces) <= LARGE]
    others = by_ruleset(games(FIT, asked.seeds, asked.processes, names))
    if asked.write:
        # Of some scenarios only the weights of their rulebooks are fitted, not those for rulebooks that are unknown.
        kept = position.fitted() | {
            name: fit(part) for name, part in others.items() if name or not asked.scenario
        }
        KEPT.write_bytes(msgspec.json.format(msgspec.json.encode(kept), indent=1) + b"\n")
    else:
        kept = position.fitted()
    judged = by_ruleset(games(JUDGE, asked.seeds, asked.processes, names))
    print("| rulebook | games | Brier | points alone | material alone | gain over points | its error |")
    print("| --- | --: | --: | --: | --: | --: | --: |")
    for name, part in judged.items():
        weights = kept.get(name, kept[""])
        ours = brier_by_game(part, weights)
        points = brier_by_game(part, fit(others[name], POINTS))
        material = brier_by_game(part, fit(others[name], MATERIAL))
        gain = points - ours
        error = gain.std(ddof=1) / len(gain) ** 0.5
        print(
            f"| {name or 'all'} | {len(part)} | {ours.mean():.4f} | {points.mean():.4f} | {material.mean():.4f} "
            f"| {gain.mean():.4f} | {error:.4f} |"
        )
    every = [game for name, part in judged.items() if name for game in part]
    chances = np.concatenate([told(part, kept.get(name, kept[""])) for name, part in judged.items() if name])
    _, won, weight = arrays(every)
    print()
    print("| told chance | positions | mean told | won |")
    print("| --- | --: | --: | --: |")
    for tenth in range(10):
        inside = (chances >= tenth / 10) & (chances < (tenth + 1) / 10 + (tenth == 9))
        if inside.any():
            share = np.average(won[inside], weights=weight[inside])
            mean = np.average(chances[inside], weights=weight[inside])
            print(
                f"| {tenth / 10:.1f} to {(tenth + 1) / 10:.1f} | {inside.sum()} | {mean:.3f} | {share:.3f} |"
            )
    return 0


if __name__ == "__main__":
    sys.exit(main())
