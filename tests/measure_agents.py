"""Agents against agents on every shipped scenario, sides swapped: win shares with intervals, as a Markdown table.

    python -m tests.measure_agents                        # greedy against random and rush, 200 games each
    python -m tests.measure_agents --games 40 --scenario skirmish --against rush
    python -m tests.measure_agents --agent rush --against rush   # does a scenario favour a side?

A pairing of N games is N / 2 pairs: the same seed with the sides swapped. A draw counts half. The 95% interval is Wilson's, as if
all games were independent. Scenarios with more than 100 units are played a tenth as often.
"""

from __future__ import annotations

import argparse
import json
import sys
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path

from tqdm import tqdm

from battlesim import load_scenario, play, shipped_scenarios
from battlesim.tournament.shares import wilson

BIG = 100
"""Scenarios with more units than this are played a tenth as often: their games take that much longer."""


def one(job: tuple[str, str, str, int, bool]) -> tuple[float, int, int]:
    """One game: (1 if the first agent won, 0.5 for a draw, else 0; the side that won or -1; faults of both agents)."""
    scenario, first, second, seed, swapped = job
    game = play(scenario, (second, first) if swapped else (first, second), seed=seed)
    winner = game.outcome.winner
    share = 0.5 if winner is None else float((winner == 0) != swapped)
    return share, -1 if winner is None else winner, len(game.faults)


def games_on(scenario: str, games: int) -> int:
    """How many games are played on a scenario where so many are wanted: a tenth on big ones, and one pair at least."""
    return max(2, games // 10) if len(load_scenario(scenario).forces) > BIG else games


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--games", type=int, default=200, help="of each pairing, an even number (200)")
    parser.add_argument("--scenario", action="append", help="only this one (may be repeated)")
    parser.add_argument("--agent", default="greedy", help="who is measured")
    parser.add_argument("--against", action="append", help="against this one only (may be repeated)")
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--json", type=Path, help="write the figures here, too")
    args = parser.parse_args()
    if args.games < 2:
        parser.error("give --games of 2 or more: a pair is two games")
    rows = []
    with ProcessPoolExecutor(args.workers, mp_context=get_context("spawn")) as pool:
        for name in args.scenario or shipped_scenarios():
            games = games_on(name, args.games)
            for second in args.against or ("random", "rush"):
                jobs = [
                    (name, args.agent, second, seed, swap)
                    for seed in range(games // 2)
                    for swap in (False, True)
                ]
                found = list(
                    tqdm(pool.map(one, jobs), total=len(jobs), desc=f"{name} {second}", disable=None)
                )
                share = sum(row[0] for row in found) / len(found)
                interval = wilson(share, len(found))
                first_side = sum(row[1] == 0 for row in found) / len(found)
                rows.append(
                    {
                        "scenario": name,
                        "agents": f"{args.agent} : {second}",
                        "games": len(found),
                        "share": round(share, 3),
                        "low": round(interval.low, 3),
                        "high": round(interval.high, 3),
                        "first_side_won": round(first_side, 3),
                        "faults": sum(row[2] for row in found),
                    }
                )
                if args.json:
                    args.json.write_text(json.dumps(rows, indent=1) + "\n", encoding="utf-8")
    print("| scenario | agents | games | win share (draw = half) | 95% interval | first side won | faults |")
    print("| --- | --- | --: | --: | --- | --: | --: |")
    for row in rows:
        print(
            f"| {row['scenario']} | {row['agents']} | {row['games']} | {row['share']:.1%} "
            f"| {row['low']:.1%} to {row['high']:.1%} | {row['first_side_won']:.0%} | {row['faults']} |"
        )
    return 0


if __name__ == "__main__":
    sys.exit(main())
