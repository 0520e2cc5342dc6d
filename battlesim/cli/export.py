"""`battlesim export`: a run's games as a table for analysis."""

from __future__ import annotations

import argparse
from pathlib import Path

from battlesim.cli.common import add_json, print_json
from battlesim.cli.extras import check_extra
from battlesim.cli.running import RUNS, plan_in, search_named
from battlesim.core.errors import Fault, InputError


def add(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("which", metavar="RUN", help="a run's folder, or its name inside runs")
    parser.add_argument(
        "--to", metavar="FILE", help="the .csv or .parquet file to write (TABLE.csv in the run's folder)"
    )
    parser.add_argument(
        "--table",
        choices=("games", "turns", "types", "objectives"),
        default="games",
        help="one line a game (games); or, of stress tests, a line for each turn and side, for each side and type of unit, "
        "or whenever an objective was taken or scored",
    )
    add_json(parser)


def run(args: argparse.Namespace) -> int:
    check_extra("tournament")
    from battlesim.batch.export import NO_MORE, export
    from battlesim.batch.tables import TABLES
    from battlesim.cli.targets import check_table
    from battlesim.discovery.study_folder import is_study
    from battlesim.jobs.folder import find_run
    from battlesim.stress.plan import design_of, factor_columns, is_stress

    if (search := search_named(args.which, RUNS)) is not None:
        remedy = (
            f"battlesim discover {search} --json gives every figure; "
            f"battlesim export {search}/rounds/0001 the games of its first round"
        )
        raise InputError(Fault("a search for ways of fighting has no table of games", remedy, str(search)))
    folder = find_run(args.which, RUNS)
    if is_study(folder):
        remedy = f"battlesim tactics {args.which} --json gives every figure"
        raise InputError(Fault("a study of tactics has no table of games", remedy, str(folder.path)))
    target = Path(args.to) if args.to else folder.path / f"{args.table}.csv"
    check_table(target)
    more = factor_columns(design_of(folder)) if is_stress(folder) else NO_MORE
    lines = export(folder, plan_in(folder), target, more, TABLES.get(args.table))
    what = "games" if args.table == "games" else "lines"
    if args.json:
        print_json({what: lines, "file": str(target)})
    else:
        print(f"{lines} {what}: {target}")
    return 0
