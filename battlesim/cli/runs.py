"""`battlesim runs`: lists the runs in a folder, shows the results of one, or compares two."""

from __future__ import annotations

import argparse
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING, Any

from battlesim.cli.common import add_json, print_json, table
from battlesim.cli.extras import check_extra
from battlesim.cli.running import RUNS, plan_in, search_named
from battlesim.core.kinds import is_run

if TYPE_CHECKING:
    from battlesim.jobs.folder import RunFolder


HEAD = ("run", "games", "state", "kind", "agents", "scenarios", "started")
"""The columns of the list."""
PLAYING = "playing"
"""The state of a run that is being played now."""
DAMAGED, UNREADABLE = "damaged", "unreadable"
"""States of a run whose files are damaged, or cannot be read for another reason. In JSON `why` says which."""


def add(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "which",
        nargs="?",
        metavar="RUN",
        help="a run's folder, or its name inside --folder: show its table; a folder of runs, or a search in parts: list them",
    )
    parser.add_argument(
        "other",
        nargs="?",
        metavar="OTHER",
        help="a second run: compare both by the games that they have in common",
    )
    parser.add_argument("--folder", default=str(RUNS), metavar="FOLDER", help="where the runs are (runs)")
    add_json(parser)


def run(args: argparse.Namespace) -> int:
    check_extra("tournament")
    if args.other:
        return _two(args)
    if args.which and _holds_runs(Path(args.which)):
        args.folder, args.which = args.which, None
    return _one(args) if args.which else _all(args)


def _holds_runs(folder: Path) -> bool:
    """Whether a folder holds runs, searches, or the parts of a search, and is not a run itself."""
    from battlesim.jobs.folder import runs_in

    return folder.is_dir() and not is_run(folder) and bool(runs_in(folder) or _searches(folder))


def _one(args: argparse.Namespace) -> int:
    from battlesim.batch.lists import is_list
    from battlesim.cli import atlas, discover, list_shown, search_shown, stress, tactics
    from battlesim.discovery.study_folder import is_study
    from battlesim.jobs.folder import find_run
    from battlesim.stress.atlas import is_atlas
    from battlesim.stress.plan import is_stress
    from battlesim.tournament.driver import aggregate
    from battlesim.tournament.summary import summarise
    from battlesim.tournament.table import lines

    if (search := search_named(args.which, Path(args.folder))) is not None:
        return discover.show(search, args.json)
    if (found := search_shown.found_named(args.which, Path(args.folder))) is not None:
        return search_shown.show(found, args.json)
    folder = find_run(args.which, Path(args.folder), _searches)
    if is_study(folder):
        return tactics.show(folder, args.json)
    if is_stress(folder):
        check_extra("stress")
        return stress.show(folder, args.json)
    if is_atlas(folder):
        check_extra("stress")
        return atlas.show(folder, args.json)
    if is_list(folder):
        return list_shown.show(folder, args.json)
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


def _two(args: argparse.Namespace) -> int:
    from battlesim.cli import runs_compared
    from battlesim.jobs.folder import find_run

    runs = [find_run(name, Path(args.folder), _searches) for name in (args.which, args.other)]
    return runs_compared.show(runs, [_kind(run) for run in runs], args.json)


def _searches(folder: Path) -> list[Path]:
    """The searches in a folder, of every kind."""
    from battlesim.discovery.search_folder import searches_in
    from battlesim.stress.search_folder import searches_in as found_in

    return [*searches_in(folder), *found_in(folder)]


def _all(args: argparse.Namespace) -> int:
    from battlesim.discovery.search_folder import searches_in
    from battlesim.jobs.folder import runs_in
    from battlesim.stress.search_folder import searches_in as found_in

    folder = Path(args.folder)
    rows = [_row(run) for run in runs_in(folder)]
    rows += [_search_row(search, folder) for search in searches_in(folder)]
    rows += [_found_row(path) for path in found_in(folder)]
    rows.sort(key=lambda row: row["run"])
    if args.json:
        print_json(rows)
    elif not rows:
        print(f"no runs in {args.folder}; `battlesim tournament` makes one")
    else:
        for line in table([HEAD, *([str(row[key]) for key in HEAD] for row in rows)]):
            print(line)
        for row in rows:
            if "why" in row:
                print(f"{row['state']}: battlesim runs {Path(args.folder) / row['run']} says what is wrong")
    return 0


def _row(folder: RunFolder) -> dict[str, Any]:
    from battlesim.core.errors import BattlesimError
    from battlesim.tournament.resolve import TournamentPlan

    row: dict[str, Any] = dict.fromkeys(HEAD, "-") | {"run": folder.path.name}
    try:
        row["kind"] = _kind(folder)
        plan = plan_in(folder)
        with closing(folder.store(read_only=True)) as store:
            played = len(store)
        sessions = folder.environment()
        games, whole, playing = played, plan.games, folder.is_driven()
        if row["kind"] == "tactics":
            games, whole, playing, over = _study(folder)
        else:
            over = games >= whole
    except BattlesimError as error:
        return row | _ill(error)
    state = "finished" if over else PLAYING if playing else "interrupted"
    if isinstance(plan, TournamentPlan) and plan.asked.stop is not None:
        state = ended_as(folder, played) or state
    return row | {
        "games": f"{games}/{whole}",
        "state": state,
        "agents": len(plan.resolved.agents),
        "scenarios": len(plan.resolved.scenarios),
        "started": sessions[0]["started"] if sessions else "-",
    }


def ended_as(folder: RunFolder, played: int) -> str:
    """The state that a run's summary reports; empty if it was written after fewer games, or is damaged."""
    kept = folder.summary()
    games, state = kept.get("games"), kept.get("state")
    fresh = isinstance(games, dict) and games.get("played") == played
    return state if fresh and isinstance(state, str) else ""


def _kind(folder: RunFolder) -> str:
    """The kind of a run, as a word."""
    from battlesim.batch.lists import is_list
    from battlesim.discovery.study_folder import is_study
    from battlesim.stress.atlas import is_atlas
    from battlesim.stress.plan import is_stress

    if is_study(folder):
        return "tactics"
    if is_stress(folder):
        return "stress"
    if is_atlas(folder):
        return "atlas"
    return "list" if is_list(folder) else "tournament"


def _study(folder: RunFolder) -> tuple[int, int, bool, bool]:
    """For a study of tactics: the games played, the games of the phases begun, whether one is being played now, and whether it is
    over. A phase may have nothing to play; then a reported study has nothing more to do."""
    from battlesim.discovery.study import asked_of, phase_folder
    from battlesim.discovery.study_asked import phases
    from battlesim.engine.card_agents import CARDS

    named = phases(asked_of(folder))
    begun = [found for phase in named if (found := phase_folder(folder, phase)) is not None]
    played = 0
    for one in begun:
        with closing(one.store(read_only=True)) as store:
            played += len(store)
    whole = sum(plan_in(one).games for one in begun)
    is_last = begun[-1].path.name == named[-1] or (folder.path / CARDS).is_file()
    return played, whole, any(one.is_driven() for one in begun), played >= whole and is_last


def _search_row(search: Path, folder: Path) -> dict[str, Any]:
    """The row of a search for ways of fighting."""
    from battlesim.core.errors import BattlesimError
    from battlesim.discovery.run import expected_in
    from battlesim.discovery.search_folder import asked_of, games_in, is_found, rounds_in
    from battlesim.jobs.folder import is_held

    row: dict[str, Any] = dict.fromkeys(HEAD, "-")
    row |= {"run": search.relative_to(folder).as_posix(), "kind": "discover"}
    try:
        asked, games = asked_of(search), games_in(search)
        expected = None if asked.league else expected_in(search, asked)
        first = next(rounds_in(search), None)
        sessions = [] if first is None else first.environment()
    except BattlesimError as error:
        return row | _ill(error)
    over = is_found(search)
    about = str(games) if over else "?" if expected is None else f"~{expected.games}"
    return row | {
        "games": f"{games}/{about}",
        "state": "finished" if over else PLAYING if is_held(search) else "interrupted",
        "scenarios": len(asked.every_scenario),
        "started": sessions[0]["started"] if sessions else "-",
    }


def _found_row(folder: Path) -> dict[str, Any]:
    """The row of a search for balance or for an upset. Nobody knows how many games it will need before it ends."""
    from battlesim.core.errors import BattlesimError
    from battlesim.stress.search_folder import kind_of, read_search

    row: dict[str, Any] = dict.fromkeys(HEAD, "-") | {"run": folder.name, "kind": kind_of(folder)}
    try:
        search = read_search(folder)
    except BattlesimError as error:
        return row | _ill(error)
    return row | {
        "games": f"{search.games}/{search.games if search.state == 'finished' else '?'}",
        "state": search.state,
        "agents": search.agents,
        "scenarios": 1,
        "started": search.started or "-",
    }


def _ill(error: Exception) -> dict[str, str]:
    """The row of a run whose files cannot be read."""
    text = str(error)
    return {"state": DAMAGED if DAMAGED in text else UNREADABLE, "why": text}
