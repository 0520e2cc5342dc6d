"""Common parts of the commands that play runs: flags, the progress bar, the end. Read `start` and `go_on`."""

from __future__ import annotations

import argparse
import os
import time
from collections.abc import Callable, Collection
from pathlib import Path
from typing import TYPE_CHECKING

from battlesim.cli.common import add_json, print_json, processes
from battlesim.cli.progress import EVERY, counted, reporting
from battlesim.cli.stopping import kept, resumable
from battlesim.core.errors import Fault, InputError

if TYPE_CHECKING:
    from battlesim.batch.lists import GameList
    from battlesim.jobs.executor import Executor
    from battlesim.jobs.folder import RunFolder
    from battlesim.jobs.job import JobLimits
    from battlesim.tournament.aggregator import Aggregator
    from battlesim.tournament.config import TournamentConfig
    from battlesim.tournament.resolve import TournamentPlan

RUNS = Path("runs")
LEADER_SECONDS = 3.0
"""The leader in the progress bar is computed at most this often."""


def add_running(parser: argparse.ArgumentParser) -> None:
    """Add the flags of every command that plays a run."""
    parser.add_argument("--out", metavar="FOLDER", help="the run's folder (runs/NAME)")
    parser.add_argument(
        "--workers", type=processes, metavar="N", help="processes on this machine (its cores)"
    )
    add_cluster(parser)
    parser.add_argument("--resume", metavar="RUN", help="go on with a run that was stopped, and nothing else")
    parser.add_argument(
        "--dry-run",
        action="store_true",
        help="print what would be played and about how long it takes; to measure this each agent plays on each scenario for "
        "three seconds, so the agents' files are run",
    )
    parser.add_argument(
        "--quiet", action="store_true", help="no bar, and no line a minute where there is none"
    )
    add_json(parser)


def add_cluster(parser: argparse.ArgumentParser) -> None:
    """Add the flag `--cluster`, for the commands that can play on one."""
    words = "play on the cluster of a Dask scheduler, tcp://host:8786"
    parser.add_argument("--cluster", type=_address, metavar="ADDRESS", help=words)


def _address(text: str) -> str:
    """The address of a scheduler. An empty text is not taken for no cluster: a script may have lost its variable."""
    if not text.strip():
        raise argparse.ArgumentTypeError(f"{text!r} is no address of a scheduler, such as tcp://host:8786")
    return text


def start(
    args: argparse.Namespace,
    asked: TournamentConfig,
    data: bytes,
    suffix: str,
    folder: Path | None,
    flags: Collection[str] = (),
) -> int:
    """Begin a run and play it. `folder`: paths are relative to it, those of the settings in `flags` to the working folder."""
    import msgspec

    from battlesim.jobs.folder import RunFolder, free_name
    from battlesim.tournament.resolve import TournamentPlan, resolve

    plan = TournamentPlan(resolve(asked, folder, parse_part(getattr(args, "part", None)), flags))
    if args.dry_run:
        from battlesim.batch import trials
        from battlesim.cli.dry_run import dry_run

        return dry_run(args, plan, executor_of(args, plan, trials.FUNCTION))
    executor = executor_of(args, plan)  # before anything is written, since a cluster may not answer
    path = Path(args.out) if args.out else free_name(RUNS, asked.name)
    run = RunFolder.create(path, msgspec.to_builtins(plan.resolved), data, suffix)
    with kept(resumable(args.verb, run.path)):
        return _play(args, run, plan, executor)


BESIDE_RESUME = ("resume", "workers", "cluster", "quiet", "json")
"""Flags that say how a run is continued, not what is played."""


def check_resume_alone(
    args: argparse.Namespace, add: Callable[[argparse.ArgumentParser], None], what: str = "run"
) -> None:
    """Raises InputError if more is given beside --resume than how to play on: it would be ignored. `add`: the function that adds
    the command's flags."""
    parser = argparse.ArgumentParser()
    add(parser)
    usual = vars(parser.parse_args([]))
    if any(getattr(args, name) != value for name, value in usual.items() if name not in BESIDE_RESUME):
        remedy = "give nothing else but --workers" + (" or --cluster" if "cluster" in usual else "")
        raise InputError(Fault(f"--resume goes on with what the {what} was asked for", remedy))


def go_on(args: argparse.Namespace, add: Callable[[argparse.ArgumentParser], None]) -> int:
    """Continue a run. `add`: as in `check_resume_alone`."""
    check_resume_alone(args, add)
    from battlesim.jobs.folder import find_run
    from battlesim.tournament.driver import plan_of

    if (search := search_named(args.resume, RUNS)) is not None:
        remedy = f"battlesim discover --resume {search}"
        raise InputError(
            Fault("this is a search for ways of fighting, not a tournament", remedy, str(search))
        )
    run = find_run(args.resume, RUNS)
    with kept(resumable(args.verb, run.path)):
        plan = plan_of(run)
        return _play(args, run, plan, executor_of(args, plan))


def plan_in(folder: RunFolder) -> TournamentPlan | GameList:
    """The plan of a run's folder, of any kind."""
    from battlesim.batch import lists
    from battlesim.tournament.driver import plan_of

    return lists.plan_of(folder) if lists.is_list(folder) else plan_of(folder)


def parse_part(text: str | None) -> tuple[int, int]:
    """`2/4` as (2, 4)."""
    if text is None:
        return 1, 1
    first, slash, second = text.partition("/")
    written = first.isdecimal() and second.isdecimal() and len(text) < 100
    if not (slash and written and 1 <= int(first) <= int(second)):
        raise InputError(
            Fault(f"--part {text!r} is not a part", "give N/OF, such as 2/4, with N from 1 to OF")
        )
    return int(first), int(second)


def executor_of(args: argparse.Namespace, plan: TournamentPlan, function: str = "") -> Executor:
    """The executor of a run, as the flags say. `function`: the one that does a job, by default the one that plays a game."""
    from battlesim.jobs.job import JobLimits

    limits = plan.asked.limits
    return workers_of(args, JobLimits(limits.game_seconds, limits.megabytes), function)


def workers_of(args: argparse.Namespace, limits: JobLimits, function: str = "") -> Executor:
    """This machine's workers or a cluster, as the flags say; `function` as in `executor_of`."""
    from battlesim.batch.games import FUNCTION

    if args.cluster:
        if args.workers:
            raise InputError(
                Fault("--workers and --cluster contradict", "a cluster has the workers that it has")
            )
        from battlesim.jobs.cluster import ClusterExecutor

        return ClusterExecutor(function or FUNCTION, args.cluster, limits)
    from battlesim.jobs.executor import LocalExecutor

    return LocalExecutor(function or FUNCTION, args.workers or os.cpu_count() or 1, limits)


def _play(args: argparse.Namespace, run: RunFolder, plan: TournamentPlan, executor: Executor) -> int:
    from battlesim.tournament.driver import drive
    from battlesim.tournament.finish import finish
    from battlesim.tournament.table import lines

    bar = _Bar(plan.games, plan.asked.name, hidden=args.quiet)
    try:
        with bar, reporting(bar.where, args.quiet):
            aggregator = drive(run, executor, bar)
            bar.say("records and report")
            summary = finish(run, aggregator, executor)
    finally:
        executor.close()
    if args.json:
        print_json(summary)
        return 0
    for line in lines(summary):
        print(line)
    print(f"\nreport: {run.path / 'report.html'}")
    return 0


class _Bar:
    """The progress bar: games, rate, time left, and the leader."""

    def __init__(self, games: int, name: str, hidden: bool) -> None:
        from tqdm import tqdm

        self._bar = tqdm(
            total=games, unit="game", desc=name, disable=True if hidden else None, smoothing=0.05
        )
        self._looked = 0.0
        self._begun = time.monotonic()
        self._name, self._games = name, games
        self._here = self._played = 0
        self._leader = ""

    def where(self) -> str:
        """The progress of the run in words."""
        spent = time.monotonic() - self._begun
        left = counted(self._played, self._games - self._here, "games", spent).partition(",")[2]
        words = f"{self._name}: {self._here + self._played:,} of {self._games:,} games" + (
            f",{left}" if left else ""
        )
        return f"{words}; {self._leader}" if self._leader else words

    def __enter__(self) -> _Bar:
        return self

    def __exit__(self, *_: object) -> None:
        self._bar.close()

    def say(self, words: str) -> None:
        self._leader = words
        self._bar.set_postfix_str(words)

    def __call__(self, aggregator: Aggregator, games: int) -> None:
        self._bar.update(games)
        if aggregator.played == games:
            self._here = games  # the games there when the session began
        else:
            self._played = aggregator.played - self._here
        now = time.monotonic()
        wait = LEADER_SECONDS if not self._bar.disable else EVERY / 2
        if now - self._looked > wait and aggregator.pairs:
            self._leader = leader(aggregator)
            self._bar.set_postfix_str(self._leader, refresh=False)
            self._looked = time.monotonic()


def leader(aggregator: Aggregator) -> str:
    """The leader with its interval, and the state of a sequential test."""
    from battlesim.tournament.ratings import fit

    agents = [agent.name for agent in aggregator.plan.resolved.agents]
    best = fit(aggregator.tally, agents, differences=False).standings()[0]
    words = []
    if best.elo is not None:
        low, high = ("" if limit is None else f"{limit:+.0f}" for limit in (best.low, best.high))
        value = f" {best.elo:+.0f}" if best.kind == "measured" else ""  # else it comes from the prior alone
        words.append(f"{best.agent}{value} [{low}..{high}]")
    if aggregator.path and aggregator.sprt is not None:
        words.append(
            f"LLR {aggregator.path[-1][1]:.2f} [{aggregator.sprt.lower:.2f}, {aggregator.sprt.upper:.2f}]"
        )
    return ", ".join(words)


def search_named(name: str, folder: Path) -> Path | None:
    """The search for ways of fighting with that path, or that name inside `folder`; None if it is something else."""
    from battlesim.discovery.search_folder import is_search, parts_of

    path = Path(name) if Path(name).exists() else folder / name
    if is_search(path):
        return path
    if parts := parts_of(path):
        remedy = f"give one of {', '.join(map(str, parts))}"
        raise InputError(Fault("the search is played in parts", remedy, str(path)))
    return None
