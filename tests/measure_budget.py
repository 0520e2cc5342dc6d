"""What thinking gains and costs: players against one opponent, as a Markdown table with Elo, time and imagined questions.

    python -m tests.measure_budget                 # planner and searcher by budget, against greedy: some half an hour
    python -m tests.measure_budget --agent planner,questions=200 --against greedy --games 20 --scenario stairwell

Every game is played twice with the same seed, sides swapped; a draw counts half. The error is the standard error of the mean over
such pairs. Times are of the processor, of all decisions that the player thought about (questions put to it). Elo is that of the
share, with its 95% interval from the error of the share; "-" where a share of 0 or 1 gives none.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from math import log10, sqrt
from multiprocessing import get_context
from time import monotonic, process_time
from typing import Any, NamedTuple

from tqdm import tqdm

from battlesim import find_agent, play
from battlesim.engine.brief import start_agent

SCENARIOS = ("stairwell", "square", "drones", "watch-house")
"""One a rulebook."""
BUDGETS = (50, 100, 200, 400, 800)
CURVE = tuple(f"{name},questions={n}" for name in ("planner", "searcher") for n in BUDGETS)


Job = tuple[str, str, str, int, bool]
"""A scenario, the measured player, its opponent, the seed, and whether the measured one has the second side."""


class Played(NamedTuple):
    """One game: the measured player's share, the processor's seconds in its decisions, how many these were, and how many
    questions it imagined."""

    share: float
    seconds: float
    decisions: int
    imagined: int


class _Timed:
    """An agent whose decisions are timed."""

    def __init__(self, name: str) -> None:
        self.inner: Any = find_agent(name).make()
        self.seconds, self.decisions = 0.0, 0

    def start(self, board: Any, side: int, chance: Any, brief: Any) -> None:
        start_agent(self.inner, board, side, chance, brief)

    def choose(self, view: Any, ask: Any, answers: Any) -> Any:
        begun = process_time()
        said = self.inner.choose(view, ask, answers)
        self.seconds += process_time() - begun
        self.decisions += 1
        return said


def one(job: Job) -> Played:
    """One game."""
    scenario, first, second, seed, swapped = job
    timed = _Timed(first)

    def measured() -> _Timed:
        return timed

    sides = (second, measured) if swapped else (measured, second)
    game = play(scenario, sides, seed=seed)
    if game.faults:
        raise SystemExit(f"{scenario}, seed {seed}: {game.faults[0]}")
    winner = game.outcome.winner
    share = 0.5 if winner is None else float(winner == swapped)
    return Played(share, timed.seconds, timed.decisions, game.imagined[int(swapped)])


def elo(share: float) -> str:
    """The difference in Elo that a share of the points stands for."""
    return f"{400 * log10(share / (1 - share)):+.0f}" if 0 < share < 1 else "-"


def summary(games: list[Played]) -> str:
    """Cells of a row: games, share, its error, Elo with interval, milliseconds and imagined questions a decision. Games of a pair
    stand side by side."""
    pairs = [(a.share + b.share) / 2 for a, b in zip(games[::2], games[1::2], strict=True)]
    if not pairs:
        return "0 | | | | |"
    mean = sum(pairs) / len(pairs)
    spread, interval = "-", ""  # one pair has no error
    if len(pairs) > 1:
        error = sqrt(sum((p - mean) ** 2 for p in pairs) / (len(pairs) - 1) / len(pairs))
        spread, interval = f"{error:.1%}", f" ({elo(mean - 1.96 * error)} to {elo(mean + 1.96 * error)})"
    decisions = max(1, sum(game.decisions for game in games))
    return (
        f"{len(games)} | {mean:.1%} | {spread} | {elo(mean)}{interval} "
        f"| {1000 * sum(game.seconds for game in games) / decisions:.0f} "
        f"| {sum(game.imagined for game in games) / decisions:.0f}"
    )


def _games(pool: ProcessPoolExecutor, jobs: Sequence[Job], minutes: float, what: str) -> list[Played]:
    """The games of whole pairs, in their order; those that were played in so many minutes."""
    begun = monotonic()
    waiting = [pool.submit(one, job) for job in jobs]
    found: list[Played] = []
    for game in tqdm(waiting, desc=what, disable=None):
        found.append(game.result())
        if minutes and monotonic() - begun > 60 * minutes:
            break
    for game in waiting[len(found) :]:
        game.cancel()
    return found[: len(found) // 2 * 2]


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--games", type=int, default=20, help="of each player on each scenario (20)")
    parser.add_argument("--scenario", action="append", help="only this one (may be repeated)")
    parser.add_argument("--agent", action="append", help="who is measured (may be repeated)")
    parser.add_argument("--against", default="greedy", help="the opponent (greedy)")
    parser.add_argument("--seed", type=int, default=1000, help="of the first pair (1000)")
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument(
        "--minutes", type=float, default=0.0, help="end each row after so long, with the pairs played by then"
    )
    args = parser.parse_args()
    names = args.scenario or list(SCENARIOS)
    print("| player | scenario | games | share | error | Elo | ms a decision | imagined a decision |")
    print("| --- | --- | --: | --: | --: | --- | --: | --: |")
    with ProcessPoolExecutor(args.workers, mp_context=get_context("spawn")) as pool:
        for agent in args.agent or CURVE:
            every: list[Played] = []
            for name in names:
                seeds = range(args.seed, args.seed + max(1, args.games // 2))
                jobs = [(name, agent, args.against, seed, swap) for seed in seeds for swap in (False, True)]
                found = _games(pool, jobs, args.minutes, f"{agent} {name}")
                every += found
                print(f"| {agent} | {name} | {summary(found)} |", flush=True)
            if len(names) > 1:
                print(f"| {agent} | all | {summary(every)} |", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
