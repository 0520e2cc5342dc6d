"""`battlesim balance`: the smallest changes that make a scenario fair, and where the balance tips."""

from __future__ import annotations

import argparse
import os
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

from battlesim.cli.common import add_json, at_least_one, number, print_json, processes, seed
from battlesim.cli.extras import check_extra
from battlesim.cli.progress import reporting
from battlesim.cli.running import RUNS, check_resume_alone
from battlesim.cli.stopping import kept, resumable
from battlesim.core.errors import Fault, InputError

if TYPE_CHECKING:
    from battlesim.stress.tuning import Tuning

PICTURE = "frontier.svg"


def add(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("scenario", nargs="?", metavar="SCENARIO", help="a shipped scenario, or a file")
    parser.add_argument(
        "--tune",
        action="append",
        metavar="FACTOR",
        help="what may be changed, as `battlesim stress --vary` takes it: turns=4..10; several times",
    )
    parser.add_argument(
        "--cost",
        action="append",
        default=[],
        metavar="PATH=COST",
        help="what a step of a factor costs; unless stated, each factor that is changed costs 1",
    )
    parser.add_argument(
        "--agents", nargs=2, metavar="NAME", help="of the first and of the second side (greedy)"
    )
    parser.add_argument(
        "--share",
        type=number,
        default=0.5,
        metavar="SHARE",
        help="the first side's share that is wanted (0.5)",
    )
    parser.add_argument(
        "--margin", type=number, default=0.05, metavar="SHARE", help="how far from it is near enough (0.05)"
    )
    parser.add_argument(
        "--frontier",
        action="store_true",
        help="find where the share crosses --share along the factor, or the two, and change nothing",
    )
    parser.add_argument(
        "--games",
        type=at_least_one,
        default=4000,
        metavar="N",
        help="of the search, at most (4000); those on fresh dice come on top",
    )
    parser.add_argument(
        "--confirm", type=at_least_one, metavar="N", help="fresh games of each proposal (as --margin needs)"
    )
    parser.add_argument(
        "--seed", type=seed, default=1, metavar="N", help="of the first game of each point (1)"
    )
    parser.add_argument("--out", metavar="FOLDER", help="the search's folder (runs/balance-SCENARIO)")
    parser.add_argument(
        "--workers", type=processes, metavar="N", help="processes on this machine (its cores)"
    )
    parser.add_argument("--resume", metavar="FOLDER", help="go on with a search that was stopped")
    parser.add_argument("--quiet", action="store_true", help="no line a minute")
    add_json(parser)


def run(args: argparse.Namespace) -> int:
    check_extra("stress")
    from battlesim.jobs.folder import free_name, write_json
    from battlesim.stress.search_folder import BALANCE_ASKED
    from battlesim.stress.tuning import read_tuning, tuning_of

    if args.resume:
        check_resume_alone(args, add, "search")
        folder = Path(args.resume)
        with kept(resumable("balance", folder)):
            return _search(args, read_tuning(folder / BALANCE_ASKED), folder)
    if not args.scenario or not args.tune:
        remedy = "battlesim balance stairwell --tune turns=4..10 --tune 'forces.Red.units[0].present'"
        raise InputError(Fault("a scenario and something to tune are needed", remedy))
    asked = {
        "scenario": args.scenario,
        "tune": args.tune,
        "cost": args.cost,
        "agents": args.agents or ["greedy", "greedy"],
        "share": args.share,
        "margin": args.margin,
        "frontier": args.frontier,
        "games": args.games,
        "confirm": args.confirm,
        "seed": args.seed,
    }
    tuning = tuning_of(asked)
    folder = Path(args.out) if args.out else free_name(RUNS, f"balance-{tuning.scenario.name}")
    if folder.exists():
        raise InputError(Fault("the folder exists", "give another --out, or --resume it", str(folder)))
    try:
        folder.mkdir(parents=True)
    except OSError as error:
        what = f"the search's folder cannot be made: {error.strerror or error}"
        raise InputError(Fault(what, "give a folder that is writable: --out FOLDER", str(folder))) from None
    write_json(folder / BALANCE_ASKED, asked)
    with kept(resumable("balance", folder)):
        return _search(args, tuning, folder)


def _search(args: argparse.Namespace, tuning: Tuning, folder: Path) -> int:
    from msgspec import json as encoded

    from battlesim.batch.games import FUNCTION
    from battlesim.core.files import write_file
    from battlesim.jobs.executor import LocalExecutor
    from battlesim.jobs.folder import write_json
    from battlesim.jobs.job import JobLimits
    from battlesim.stress.search_folder import BALANCE, TOLD
    from battlesim.stress.tuning_words import balance_lines, frontier_lines, frontier_picture

    begun = time.monotonic()
    now: dict[str, Any] = {"games": 0, "what": "beginning"}

    def where() -> str:
        spent = max(time.monotonic() - begun, 1e-9)
        return f"{now['what']}: {now['games']:,} games, {now['games'] / spent:.1f} a second"

    say: Callable[[str], None] = lambda what: now.update(what=what)  # noqa: E731
    executor = LocalExecutor(FUNCTION, args.workers or os.cpu_count() or 1, JobLimits(600.0, 1024))
    try:
        with reporting(where, args.quiet, always=True):
            found: Any = tuning.search(executor, folder, lambda games: now.update(games=games), say)
    finally:
        executor.close()
    figures = encoded.decode(encoded.encode({"asked": tuning.asked, "found": found}))
    lines = frontier_lines if tuning.frontier else balance_lines
    words = "\n".join(lines(found, tuning.sides[0])) + "\n"
    with suppress(InputError):
        write_json(folder / BALANCE, figures)
        write_file(folder / TOLD, words.encode(), "what was found")
    if tuning.frontier:
        write_file(folder / PICTURE, frontier_picture(found, tuning.sides[0]).encode(), "the picture")
    if args.json:
        print_json(figures)
        return 0
    print(words)
    told = [str(folder / BALANCE), *([str(folder / PICTURE)] if tuning.frontier else [])]
    print(f"every figure: {', '.join(told)}")
    return 0
