"""`battlesim upset`: the likeliest way that the favourite loses, or that anything else happens, and its odds."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING

from battlesim.cli.common import add_json, at_least_one, by_side, print_json, processes, seed, whole_number
from battlesim.cli.extras import check_extra
from battlesim.cli.progress import duration, reporting
from battlesim.cli.running import RUNS
from battlesim.cli.stopping import kept
from battlesim.core.errors import Fault, InputError

if TYPE_CHECKING:
    from battlesim.stress.upset import Expected


def add(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("scenario", metavar="SCENARIO", help="a shipped scenario, or a file")
    parser.add_argument(
        "--loser", metavar="SIDE", help="the side that is to lose (whichever wins more often)"
    )
    parser.add_argument(
        "--event",
        metavar="EVENT",
        help="look for another event: falls:BUILDING, dies:UNIT, uses:CLAUSE, loses:SIDE",
    )
    parser.add_argument(
        "--agent",
        action="append",
        default=[],
        metavar="SIDE=NAME",
        help="who plays a side, or both where no side is named (greedy)",
    )
    parser.add_argument("--seed", type=seed, default=1, metavar="N", help="of the search (1)")
    parser.add_argument(
        "--battles",
        type=at_least_one,
        default=40,
        metavar="N",
        help="battles that each repeat begins with (40)",
    )
    parser.add_argument(
        "--repeats",
        type=at_least_one,
        default=8,
        metavar="N",
        help="independent repeats, for the interval (8)",
    )
    parser.add_argument(
        "--ways", type=whole_number, default=3, metavar="N", help="how many different ways to give (3)"
    )
    parser.add_argument(
        "--effort",
        type=at_least_one,
        default=300,
        metavar="N",
        help="battles at most to make one way more usual (300)",
    )
    parser.add_argument("--out", metavar="FOLDER", help="where the records go (runs/upset-SCENARIO)")
    parser.add_argument(
        "--workers", type=processes, metavar="N", help="processes on this machine (its cores)"
    )
    parser.add_argument(
        "--quiet", action="store_true", help="no bar, and no line a minute where there is none"
    )
    add_json(parser)


def run(args: argparse.Namespace) -> int:
    check_extra("stress")
    with kept(
        "stopped; nothing is kept. The same command begins the search anew, and comes to what it would have"
    ):
        return _search(args)


def _search(args: argparse.Namespace) -> int:
    from msgspec import to_builtins
    from tqdm import tqdm

    from battlesim.core.files import write_file
    from battlesim.jobs.folder import free_name, write_json
    from battlesim.scenario.load import load_scenario
    from battlesim.stress.search_folder import TOLD, UPSET
    from battlesim.stress.upset import asked_for, by_workers, expect, find_upset, in_turn
    from battlesim.stress.upset_words import lines
    from battlesim.viewer.wording import printable

    if args.loser and args.event:
        raise InputError(Fault("--loser and --event are both given", "keep one of them"))
    if args.ways < 0:
        raise InputError(Fault(f"--ways {args.ways} is less than 0", "give 0 or more"))
    scenario = load_scenario(args.scenario)
    agents = by_side(args.agent, [side.name for side in scenario.sides], ("greedy", "greedy"))
    folder = Path(args.out) if args.out else free_name(RUNS, f"upset-{scenario.name}")
    _check_free(folder)
    workers = args.workers or os.cpu_count() or 1
    doing = "beginning"
    with tqdm(disable=True if args.quiet else None, unit="") as bar:

        def shown(what: str, done: int, of: int) -> None:
            nonlocal doing
            doing = f"{what}: {done} of {of} done"
            bar.set_description(what)
            bar.total, bar.n = of, done
            bar.refresh()

        with reporting(lambda: doing, args.quiet), _made(folder):
            asked = asked_for(
                args.scenario,
                agents,
                args.event or (f"loses:{args.loser}" if args.loser else ""),
                seed=args.seed,
                size=args.battles,
                repeats=args.repeats,
                ways=args.ways,
                effort=args.effort,
                shown=shown,
            )
            if not args.quiet:
                bar.write(_expected(expect(asked), workers), file=sys.stderr)
            found = find_upset(asked, folder, in_turn if workers == 1 else by_workers(workers), shown)
    figures = to_builtins(found)
    words = "".join(f"{printable(line)}\n" for line in lines(found))
    write_json(folder / UPSET, figures)
    write_file(folder / TOLD, words.encode(), "what was found")
    if args.json:
        print_json(figures)
        return 0
    print(words)
    print(f"every figure: {folder / UPSET}")
    return 0


def _expected(cost: Expected, workers: int) -> str:
    """What a search will cost, in words."""
    each = cost.seconds / workers
    words = f"one battle takes {cost.seconds:.2g} s; the odds take {cost.odds:,} battles or more"
    words += f" (from {duration(each * cost.odds)} on)"
    if cost.ways:
        words += f", the ways at most about {cost.ways:,} ({duration(each * cost.ways)}; fewer with --effort or --ways)"
    return words


def _check_free(folder: Path) -> None:
    """Refuse a folder that is not empty."""
    try:
        what = "the folder is not empty" if any(folder.iterdir()) else ""
    except FileNotFoundError:
        what = ""
    except OSError as error:
        what = f"the folder cannot be used: {error.strerror}"
    if what:
        raise InputError(Fault(what, "name another one: --out FOLDER", str(folder)))


@contextmanager
def _made(folder: Path) -> Iterator[None]:
    """Make a folder before anything is played, so that a failure is reported early. If the search breaks off, it is left as it
    was before."""
    new = [path for path in (folder, *folder.parents) if not path.exists()]
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        what = f"the folder cannot be made: {error.strerror}"
        raise InputError(Fault(what, "name another one: --out FOLDER", str(folder))) from None
    try:
        yield
    except BaseException:
        with suppress(OSError):
            for record in folder.glob("way-*.jsonl.gz"):
                record.unlink()
            for path in new:
                path.rmdir()
        raise
