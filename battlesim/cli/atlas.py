"""`battlesim atlas`: the value of every section, floor, stair, door, window, wall and piece of ground of a scenario."""

from __future__ import annotations

import argparse
import time
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

from battlesim.cli.common import (
    add_json,
    at_least_one,
    by_side,
    none_or_more,
    print_json,
    processes,
    seed,
    some,
)
from battlesim.cli.extras import check_extra
from battlesim.cli.progress import counted, reporting
from battlesim.cli.running import RUNS, add_cluster, check_resume_alone
from battlesim.cli.stopping import kept, resumable
from battlesim.core.errors import Fault, InputError

if TYPE_CHECKING:
    from battlesim.jobs.executor import Executor
    from battlesim.jobs.folder import RunFolder


def add(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("scenario", nargs="?", metavar="SCENARIO", help="a shipped scenario, or a file")
    parser.add_argument(
        "--agent",
        action="append",
        default=[],
        metavar="SIDE=NAME",
        help="who plays a side, or both where no side is named (greedy)",
    )
    parser.add_argument(
        "--games", type=at_least_one, default=40, metavar="N", help="games of each change (40)"
    )
    parser.add_argument(
        "--confirm",
        type=none_or_more,
        metavar="N",
        help="games on fresh dice of each of the ten places that matter most (as --games); 0: none",
    )
    parser.add_argument("--seed", type=seed, default=1, metavar="N", help="of the first game (1)")
    parser.add_argument(
        "--kind",
        action="append",
        default=[],
        dest="kinds",
        metavar="KIND",
        help="only such places: building, section, floor, stairs, door, window, wall, 'inner wall', ground",
    )
    parser.add_argument("--match", default="", metavar="TEXT", help="only places whose name has this in it")
    parser.add_argument("--out", metavar="FOLDER", help="the run's folder (runs/atlas-SCENARIO)")
    parser.add_argument(
        "--workers", type=processes, metavar="N", help="processes on this machine (its cores)"
    )
    add_cluster(parser)
    parser.add_argument("--resume", metavar="RUN", help="go on with a run that was stopped, and nothing else")
    parser.add_argument(
        "--dry-run", action="store_true", help="say what would be changed and played, and play nothing"
    )
    parser.add_argument("--quiet", action="store_true", help="no progress bar")
    add_json(parser)


def run(args: argparse.Namespace) -> int:
    check_extra("stress")
    from battlesim.batch.lists import GameList
    from battlesim.cli.stress import executor_of
    from battlesim.jobs.folder import find_run, free_name
    from battlesim.scenario.load import load_scenario
    from battlesim.stress.atlas import begin, plan_atlas
    from battlesim.stress.atlas_words import change_words

    if args.resume:
        check_resume_alone(args, add)
        return _keeping(args, find_run(args.resume, RUNS))
    if not args.scenario:
        remedy = "battlesim atlas SCENARIO, or --resume RUN"
        raise InputError(Fault("an atlas needs a scenario, or a run to go on with", remedy))
    scenario = load_scenario(args.scenario)
    one, two = by_side(args.agent, [side.name for side in scenario.sides], ("greedy", "greedy"))
    # On a large map this takes minutes or hours: every change is tried out on the map first.
    tried = _Tried()
    with reporting(tried.words, args.quiet, always=True):
        design, resolved = plan_atlas(
            scenario,
            (one, two),
            games=args.games,
            seed=args.seed,
            kinds=args.kinds,
            match=args.match,
            confirm=args.games if args.confirm is None else args.confirm,
            measured=not args.dry_run,
            trying=tried.of,
        )
    if args.dry_run:
        changes = [change_words(design, change) for change in design.changes]
        untried = [f"{change_words(design, missed.change)}: {missed.why}" for missed in design.untried]
        if args.json:
            print_json({"games": len(resolved.games), "changes": changes, "untried": untried})
            return 0
        total = f"{some(len(changes), 'change')}, {some(len(resolved.games), 'game')}"
        print(f"{total}; {len(untried)} not tried\n")
        print("\n".join(changes))
        if untried:
            print("\nnot tried:")
            print("\n".join(untried))
        return 0
    executor = executor_of(
        args, GameList(resolved)
    )  # before anything is written, since a cluster may not answer
    out = Path(args.out) if args.out else free_name(RUNS, resolved.name)
    return _keeping(args, begin(out, design, resolved), executor)


class _Tried:
    """How far the work before the first game is."""

    def __init__(self) -> None:
        self._done = self._all = 0
        self._begun = time.monotonic()

    def of(self, done: int, of: int) -> None:
        """So many of the possible changes have been tried out on the map."""
        self._done, self._all = done, of

    def words(self) -> str:
        """What is being done now."""
        if self._done == self._all:
            return "measuring the graph of the map" if self._all else "reading the map"
        tried = counted(self._done, self._all, "changes", time.monotonic() - self._begun)
        return f"finding the changes that make a sound scenario: {tried}"


def _keeping(args: argparse.Namespace, run: RunFolder, executor: Executor | None = None) -> int:
    """Play a run and show it; where it is stopped, say how to go on."""
    with kept(resumable("atlas", run.path)):
        _play(args, run, executor)
        return show(run, args.json)


def _play(args: argparse.Namespace, run: RunFolder, executor: Executor | None) -> None:
    from battlesim.batch.lists import plan_of, rows_of
    from battlesim.cli.stress import executor_of
    from battlesim.stress.atlas import analyse, design_of
    from battlesim.stress.atlas_confirm import begin_confirming

    design = design_of(run)
    plan = plan_of(run)
    executor = executor or executor_of(args, plan)
    try:
        _drive(run, executor, args.quiet)
        if design.confirm:
            found = analyse(design, rows_of(run, plan))
            _drive(begin_confirming(run, design, found, plan), executor, args.quiet)
    finally:
        executor.close()


def _drive(run: RunFolder, executor: Executor, quiet: bool) -> None:
    """Play the games that a run lacks, with a progress bar."""
    from tqdm import tqdm

    from battlesim.batch.driver import drive
    from battlesim.batch.lists import plan_of

    plan = plan_of(run)
    with tqdm(total=plan.games, unit="game", desc=plan.resolved.name, disable=True if quiet else None) as bar:

        def shown(there: int, new: int) -> None:
            bar.initial = there - new
            bar.n = there
            bar.update(0)

        drive(run, plan, executor, shown=shown)


def show(run: RunFolder, as_json: bool) -> int:
    """Print the results of an atlas so far; keep every figure, the page and its pictures in its folder."""
    from battlesim.batch.lists import plan_of, rows_of
    from battlesim.jobs.folder import write_json
    from battlesim.stress.atlas import analyse, design_of
    from battlesim.stress.atlas_confirm import figures, fresh_of
    from battlesim.stress.atlas_page import write_page
    from battlesim.stress.atlas_words import lines
    from battlesim.viewer.wording import printable

    design = design_of(run)
    found, fresh = analyse(design, rows_of(run, plan_of(run))), fresh_of(run)
    with suppress(InputError):  # a read-only run is shown, too
        write_json(run.path / "atlas.json", figures(design, found, fresh))
        write_page(run.path, design, found, fresh)
    if as_json:
        print_json(figures(design, found, fresh))
        return 0
    for line in lines(design, found, fresh):
        print(printable(line))
    print(f"\nplans and all places: {run.path / 'atlas.html'}; every figure: {run.path / 'atlas.json'}")
    return 0
