"""Plays a tournament to its end, or until somebody stops it. Read `drive`; `batch/driver.py` does the work."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import closing

from battlesim.batch import driver
from battlesim.jobs.executor import Executor
from battlesim.jobs.folder import RESOLVED, STORE, RunFolder
from battlesim.tournament.aggregator import Aggregator
from battlesim.tournament.resolve import TournamentPlan, parse_resolved

Shown = Callable[[Aggregator, int], None]
"""Called after each batch of games, with the judge and how many games it brought."""


def plan_of(folder: RunFolder) -> TournamentPlan:
    """The plan of a run's folder."""
    resolved = parse_resolved(folder.resolved(), str(folder.path / RESOLVED))
    return TournamentPlan(resolved, str(folder.path / STORE))


def judged(folder: RunFolder, plan: TournamentPlan | None = None) -> Aggregator:
    """What a run's store comes to now, read anew from its first row."""
    judge = Aggregator(plan or plan_of(folder))
    with closing(folder.store(read_only=True)) as store:
        judge.read(store.rows())
    return judge


def drive(folder: RunFolder, executor: Executor, shown: Shown | None = None) -> Aggregator:
    """Play what the run lacks and keep each game as it ends. Returns what the whole store came to. Raises InputError where
    another driver holds the run, it was begun with another program, or an input has changed; KeyboardInterrupt passes
    through. What was recorded stays, whatever is raised."""
    plan = plan_of(folder)
    judge = Aggregator(plan)

    def told(_: int, new: int) -> None:
        if shown is not None:
            shown(judge, new)

    driver.drive(folder, plan, executor, judge, told)
    return judged(folder, plan)
