"""Playing a tournament to its end, or until it is stopped. Read `drive`; `batch/driver.py` does the work."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import closing

from battlesim.batch import driver
from battlesim.jobs.executor import Executor
from battlesim.jobs.folder import RESOLVED, STORE, RunFolder
from battlesim.tournament.aggregator import Aggregator
from battlesim.tournament.resolve import TournamentPlan, parse_resolved

OnProgress = Callable[[Aggregator, int], None]
"""Called after each batch of games, with the aggregator and how many games are new."""


def plan_of(folder: RunFolder) -> TournamentPlan:
    """The plan of a run's folder."""
    resolved = parse_resolved(folder.resolved(), str(folder.path / RESOLVED))
    return TournamentPlan(resolved, str(folder.path / STORE))


def aggregate(folder: RunFolder, plan: TournamentPlan | None = None) -> Aggregator:
    """The results of all rows that are now in a run's store."""
    aggregator = Aggregator(plan or plan_of(folder))
    with closing(folder.store(read_only=True)) as store:
        aggregator.read(store.rows())
    return aggregator


def drive(folder: RunFolder, executor: Executor, shown: OnProgress | None = None) -> Aggregator:
    """Play the games that the run lacks and keep each as it ends. Returns the results of the whole store. Raises InputError if
    another driver holds the run, it was begun with another program, or an input has changed; KeyboardInterrupt passes through.
    Recorded games are kept, whatever is raised."""
    plan = plan_of(folder)
    aggregator = Aggregator(plan)

    def told(_: int, new: int) -> None:
        if shown is not None:
            shown(aggregator, new)

    driver.drive(folder, plan, executor, aggregator, told)
    return aggregate(folder, plan)
