"""`battlesim stress`: vary a scenario, and find out what decides it."""

from __future__ import annotations

import argparse
import os
import sys
import time
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

from battlesim.cli.common import add_json, at_least_one, print_json, table
from battlesim.cli.progress import counted, reporting
from battlesim.cli.running import RUNS, needs_extra
from battlesim.core.errors import Fault, InputError

if TYPE_CHECKING:
    from battlesim.jobs.executor import Executor
    from battlesim.jobs.folder import RunFolder


def add(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("file", nargs="?", metavar="FILE", help="what to vary, as TOML")
    parser.add_argument(
        "--factors",
        nargs="+",
        metavar=("SCENARIO", "PATTERN"),
        help="list what can be varied in a scenario, with present values, and play nothing",
    )
    parser.add_argument("--out", metavar="FOLDER", help="the run's folder (runs/NAME)")
    parser.add_argument(
        "--workers", type=at_least_one, metavar="N", help="processes on this machine (its cores)"
    )
    parser.add_argument("--resume", metavar="RUN", help="go on with a run that was stopped, and nothing else")
    parser.add_argument(
        "--dry-run",
        action="store_true",
        help="check every point, say how many games there are, and play none",
    )
    parser.add_argument(
        "--quiet", action="store_true", help="no bar, and no line a minute where there is none"
    )
    add_json(parser)


def run(args: argparse.Namespace) -> int:
    try:
        return _run(args)
    except ImportError as error:
        raise needs_extra(error, "stress") from None


def _run(args: argparse.Namespace) -> int:
    if sum(map(bool, (args.file, args.factors, args.resume))) != 1:
        remedy = "battlesim stress FILE, --resume RUN, or --factors SCENARIO"
        raise InputError(
            Fault("a stress test needs a file, a run to go on with, or a scenario to list", remedy)
        )
    if args.factors:
        return _list(args)
    from battlesim.jobs.folder import find_run, free_name
    from battlesim.stress.config import read_config
    from battlesim.stress.plan import begin, resolve_stress

    if args.resume:
        return _play(args, find_run(args.resume, RUNS))
    path = Path(args.file)
    asked, data = read_config(path)
    design, resolved = resolve_stress(asked, path.parent)
    if args.dry_run:
        found = {
            "points": len(design.points),
            "games": len(resolved.games),
            "scenarios": len(resolved.scenarios),
            "factors": list(design.factors),
        }
        words = (
            f"{found['points']} points of {design.games} games: {found['games']} games; every point is sound"
        )
        print_json(found) if args.json else print(words)
        return 0
    out = Path(args.out) if args.out else free_name(RUNS, asked.name)
    return _play(args, begin(out, design, resolved, data, ".toml"))


def _list(args: argparse.Namespace) -> int:
    from fnmatch import fnmatchcase

    from battlesim.scenario.load import load_scenario
    from battlesim.stress.paths import leaves

    name, *patterns = args.factors
    found = [
        leaf
        for leaf in leaves(load_scenario(name))
        if not patterns
        or any(pattern in leaf.path or fnmatchcase(leaf.path, pattern) for pattern in patterns)
    ]
    if not found:
        what = f"no path of {name} fits {' '.join(patterns)!r}"
        raise InputError(Fault(what, f"battlesim stress --factors {name} lists all"))
    if args.json:
        print_json([leaf._asdict() for leaf in found])
        return 0
    rows = [[leaf.path, "-" if leaf.value is None else str(leaf.value), leaf.may_be] for leaf in found]
    for line in table([("path", "now", "may be"), *rows]):
        print(line)
    return 0


def _play(args: argparse.Namespace, run: RunFolder) -> int:
    from tqdm import tqdm

    from battlesim.batch.driver import drive
    from battlesim.batch.lists import plan_of
    from battlesim.stress.plan import design_of

    design_of(run)
    plan = plan_of(run)
    bar = tqdm(total=plan.games, unit="game", desc=plan.resolved.name, disable=True if args.quiet else None)
    begun, there = time.monotonic(), [0, 0]

    def shown(games: int, new: int) -> None:
        there[:] = games, new
        bar.n = games
        bar.update(0)

    def where() -> str:
        left = counted(there[1], plan.games - there[0] + there[1], "games", time.monotonic() - begun)
        return f"{plan.resolved.name}: {left}"

    executor = _executor(args, plan)
    try:
        with bar, reporting(where, args.quiet):
            drive(run, plan, executor, shown=shown)
    except KeyboardInterrupt:
        words = f"battlesim stress --resume {run.path}"
        print(f"\nstopped; what was played is kept. Go on with: {words}", file=sys.stderr)
        raise
    finally:
        executor.close()
    return show(run, args.json)


def _executor(args: argparse.Namespace, plan: Any) -> Executor:
    from battlesim.batch.lists import local_executor

    return local_executor(plan, args.workers or os.cpu_count() or 1)


def show(run: RunFolder, as_json: bool) -> int:
    """Print what a stress test has come to so far, and keep every figure in its folder."""
    from msgspec import json

    from battlesim.batch.lists import plan_of, rows_of
    from battlesim.jobs.folder import write_json
    from battlesim.stress.effects import analyse, lines
    from battlesim.stress.plan import design_of

    design = design_of(run)
    found = analyse(design, rows_of(run, plan_of(run)))
    # Limits that are not known (of one game, say) are null: JSON has no infinity.
    figures = json.decode(json.encode({"design": design, "found": found}))
    with suppress(InputError):  # a run that may only be read is shown all the same
        write_json(run.path / "stress.json", figures)
    if as_json:
        print_json(figures)
        return 0
    for line in lines(design, found):
        print(line)
    print(f"\nevery figure: {run.path / 'stress.json'}; every game: battlesim export {run.path}")
    return 0
