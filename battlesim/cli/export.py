"""`battlesim export`: a run's games as a table for analysis."""

from __future__ import annotations

import argparse
from pathlib import Path

from battlesim.cli.common import add_json, print_json
from battlesim.cli.running import RUNS, plan_in


def add(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("which", metavar="RUN", help="a run's folder, or its name inside runs")
    parser.add_argument(
        "--to", metavar="FILE", help="the .csv or .parquet file to write (games.csv in the run's folder)"
    )
    add_json(parser)


def run(args: argparse.Namespace) -> int:
    from battlesim.batch.export import NO_MORE, export
    from battlesim.jobs.folder import find_run
    from battlesim.stress.plan import design_of, factor_columns, is_stress

    folder = find_run(args.which, RUNS)
    target = Path(args.to) if args.to else folder.path / "games.csv"
    more = factor_columns(design_of(folder)) if is_stress(folder) else NO_MORE
    games = export(folder, plan_in(folder), target, more)
    if args.json:
        print_json({"games": games, "file": str(target)})
    else:
        print(f"{games} games: {target}")
    return 0
