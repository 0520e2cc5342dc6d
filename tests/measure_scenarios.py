"""What happens in every shipped scenario, an agent against itself: is it fair, and do its buildings matter? A Markdown table.

    python -m tests.measure_scenarios                       # greedy, 40 games a scenario: some 10 minutes on two cores
    python -m tests.measure_scenarios --games 400 --scenario bastion --json found.json

`battlesim.batch.measures` says what each number counts.

- Shares of unit-turns: inside buildings, above their ground floor, idle.
- A game: assaults (of these into buildings), breaches, sections set alight, sections that fell; the share of games with a fall.
- Shots: the share fired from buildings, and the share aimed at buildings or those inside.
- Waits a game: orders to wait for an enemy (ambush, opportunity), and how often somebody fired at one who came.
- First side: its share, a draw half, with Wilson's 95% interval.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections import Counter
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from multiprocessing import get_context
from pathlib import Path
from typing import Any

from msgspec.structs import asdict
from tqdm import tqdm

from battlesim import play, shipped_scenarios
from battlesim.batch.measures import Measures, measure
from battlesim.tournament.shares import wilson
from tests.measure_agents import games_on

COLUMNS = (
    "scenario",
    "games",
    "first side",
    "inside",
    "above",
    "idle",
    "assaults (into)",
    "breaches",
    "fires",
    "falls (games)",
    "shots from",
    "shots at",
    "waits (fire)",
    "lead changes",
    "ends",
)


def one(scenario: str, agent: str, seed: int) -> Measures:
    """The measures of one game."""
    return measure(play(scenario, (agent, agent), seed=seed))


def summed(scenario: str, games: Sequence[Measures]) -> dict[str, Any]:
    """The row of a scenario, as numbers."""
    count = len(games)
    whole = Counter[str]()
    for game in games:
        whole.update({name: value for name, value in asdict(game).items() if type(value) is int})
    share = sum(0.5 if game.winner < 0 else game.winner == 0 for game in games) / count
    interval = wilson(share, count)
    turns, shots = max(1, whole["unit_turns"]), max(1, whole["shots"])
    return {
        "scenario": scenario,
        "games": count,
        "first_side": share,
        "interval": (interval.low, interval.high),
        **{name: whole[name] / turns for name in ("inside", "above", "idle")},
        **{
            name: whole[name] / count
            for name in (
                "assaults",
                "assaults_into",
                "breaches",
                "fires",
                "falls",
                "waits",
                "reactions",
                "lead_changes",
            )
        },
        "games_with_falls": sum(game.falls > 0 for game in games) / count,
        "shots_from": whole["shots_from"] / shots,
        "shots_at": whole["shots_at"] / shots,
        "ends": dict(Counter(game.termination for game in games).most_common()),
        "stalled": sum(game.verdict == "stalled" for game in games) / count,
    }


def line(row: dict[str, Any]) -> str:
    """A row as Markdown."""
    low, high = row["interval"]
    ends = ", ".join(f"{name} {count / row['games']:.0%}" for name, count in row["ends"].items())
    cells = (
        row["scenario"],
        row["games"],
        f"{row['first_side']:.0%} [{low:.0%}, {high:.0%}]",
        *(f"{row[name]:.0%}" for name in ("inside", "above", "idle")),
        f"{row['assaults']:.1f} ({row['assaults_into']:.1f})",
        f"{row['breaches']:.1f}",
        f"{row['fires']:.1f}",
        f"{row['falls']:.1f} ({row['games_with_falls']:.0%})",
        f"{row['shots_from']:.0%}",
        f"{row['shots_at']:.0%}",
        f"{row['waits']:.1f} ({row['reactions']:.1f})",
        f"{row['lead_changes']:.1f}",
        ends,
    )
    return f"| {' | '.join(map(str, cells))} |"


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--games", type=int, default=40)
    parser.add_argument("--scenario", action="append", help="only this one (may be repeated)")
    parser.add_argument("--agent", default="greedy")
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--json", type=Path, help="write the figures here, too")
    args = parser.parse_args()
    if args.games < 1:
        parser.error("give --games of 1 or more")
    rows = []
    print(f"| {' | '.join(COLUMNS)} |\n| --- | --: | --- |{' --: |' * (len(COLUMNS) - 4)} --- |", flush=True)
    with ProcessPoolExecutor(args.workers, mp_context=get_context("spawn")) as pool:
        for name in args.scenario or shipped_scenarios():
            count = games_on(name, args.games)
            games = tqdm(
                pool.map(partial(one, name, args.agent), range(count)), total=count, desc=name, disable=None
            )
            rows.append(summed(name, list(games)))
            print(line(rows[-1]), flush=True)
            if args.json:
                args.json.write_text(json.dumps(rows, indent=1) + "\n", encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
