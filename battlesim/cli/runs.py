"""`battlesim runs`: lists the runs in a folder, or shows the results of one."""

from __future__ import annotations

import argparse
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING, Any

from battlesim.cli.common import add_json, print_json, table
from battlesim.cli.running import RUNS, needs_extra, plan_in

if TYPE_CHECKING:
    from battlesim.jobs.folder import RunFolder


PLAYING = "playing"
"""The state of a run that is being played now."""
DAMAGED, UNREADABLE = "damaged", "unreadable"
"""States of a run whose files are damaged, or cannot be read for another reason. In JSON `why` says which."""


def add(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "which", nargs="?", metavar="RUN", help="a run's folder, or its name inside --folder: show its table"
    )
    parser.add_argument("--folder", default=str(RUNS), metavar="FOLDER", help="where the runs are (runs)")
    add_json(parser)


def run(args: argparse.Namespace) -> int:
    try:
        return _one(args) if args.which else _all(args)
    except ImportError as error:
        raise needs_extra(error) from None


def _one(args: argparse.Namespace) -> int:
    from battlesim.cli import stress, tactics
    from battlesim.discovery.study_folder import is_study
    from battlesim.jobs.folder import find_run
    from battlesim.stress.plan import is_stress
    from battlesim.tournament.driver import aggregate
    from battlesim.tournament.summary import summarise
    from battlesim.tournament.table import lines

    folder = find_run(args.which, Path(args.folder))
    if is_study(folder):
        return tactics.show(folder, args.json)
    if is_stress(folder):
        return stress.show(folder, args.json)
    kept = folder.summary()
    records, warnings = kept.get("records", ()), kept.get("warnings", ())
    summary = summarise(aggregate(folder), folder.path.name, folder.environment(), records, warnings)
    if summary["state"] == "interrupted" and folder.is_driven():
        summary["state"] = PLAYING
    if args.json:
        print_json(summary)
    else:
        for line in lines(summary):
            print(line)
    return 0


def _all(args: argparse.Namespace) -> int:
    from battlesim.jobs.folder import runs_in

    rows = [_row(folder) for folder in runs_in(Path(args.folder))]
    if args.json:
        print_json(rows)
    elif not rows:
        print(f"no runs in {args.folder}; `battlesim tournament` makes one")
    else:
        head = ("run", "games", "state", "agents", "scenarios", "started")
        for line in table([head, *([str(row[key]) for key in head] for row in rows)]):
            print(line)
        for row in rows:
            if "why" in row:
                print(f"{row['state']}: battlesim runs {Path(args.folder) / row['run']} says what is wrong")
    return 0


def _row(folder: RunFolder) -> dict[str, Any]:
    from battlesim.core.errors import BattlesimError
    from battlesim.tournament.resolve import TournamentPlan

    try:
        plan = plan_in(folder)
        with closing(folder.store(read_only=True)) as store:
            played = len(store)
        sessions = folder.environment()
    except BattlesimError as error:
        text = str(error)
        return {
            "run": folder.path.name,
            "games": "-",
            "state": DAMAGED if DAMAGED in text else UNREADABLE,
            "why": text,
            "agents": "-",
            "scenarios": "-",
            "started": "-",
        }
    state = "finished" if played >= plan.games else PLAYING if folder.is_driven() else "interrupted"
    if (
        isinstance(plan, TournamentPlan)
        and plan.asked.stop is not None
        and (kept := folder.summary()).get("games", {}).get("played") == played
    ):
        state = kept["state"]
    return {
        "run": folder.path.name,
        "games": f"{played}/{plan.games}",
        "state": state,
        "agents": len(plan.resolved.agents),
        "scenarios": len(plan.resolved.scenarios),
        "started": sessions[0]["started"] if sessions else "-",
    }
