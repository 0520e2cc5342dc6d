"""`battlesim tactics`: find tactics, and try them in fresh games."""

from __future__ import annotations

import argparse
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

from battlesim.cli.common import (
    add_json,
    at_least_one,
    check_path,
    flags_named,
    print_json,
    processes,
    seed,
    whole_number,
)
from battlesim.cli.extras import check_extra
from battlesim.cli.progress import reporting
from battlesim.cli.running import RUNS, add_cluster, check_resume_alone, workers_of
from battlesim.cli.stopping import kept, resumable
from battlesim.core.errors import Fault, InputError

if TYPE_CHECKING:
    from battlesim.batch.lists import GameList
    from battlesim.discovery.cards import Book
    from battlesim.discovery.study import Players
    from battlesim.jobs.executor import Executor
    from battlesim.jobs.folder import RunFolder

COUNTS = ("pairs", "candidates", "buildings", "tried", "keep", "confirmed", "answered", "moved")
PAGE, BOOK = "tactics.html", "tactics.md"


def add(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("what", nargs="*", metavar="SCENARIO|RUN", help="scenarios; or one run, to show it")
    parser.add_argument(
        "--tactic",
        action="append",
        metavar="TEXT",
        help="try this tactic instead of mining for some; several times",
    )
    parser.add_argument(
        "--elsewhere",
        action="append",
        metavar="SCENARIO",
        help="play there what is confirmed, but look for nothing there; several times",
    )
    parser.add_argument("--base", metavar="AGENT", help="the player that tactics are added to (greedy)")
    parser.add_argument("--seed", type=seed, metavar="N", help="of the whole study (1)")
    parser.add_argument("--pairs", type=at_least_one, metavar="N", help="of varied players, a scenario (120)")
    parser.add_argument(
        "--candidates", type=at_least_one, metavar="N", help="tactics that are tried, a scenario (12)"
    )
    parser.add_argument(
        "--buildings",
        type=whole_number,
        metavar="N",
        help="of these, how many about attacks on buildings, where there are (3)",
    )
    parser.add_argument(
        "--tried", type=at_least_one, metavar="N", help="seeds of each candidate's trials (16)"
    )
    parser.add_argument(
        "--keep",
        type=at_least_one,
        metavar="N",
        help="candidates that are tried again, a scenario at most (5)",
    )
    parser.add_argument("--confirmed", type=at_least_one, metavar="N", help="seeds of each confirmation (60)")
    parser.add_argument(
        "--answered", type=whole_number, metavar="N", help="seeds of each possible response (8)"
    )
    parser.add_argument("--moved", type=whole_number, metavar="N", help="seeds in each other scenario (12)")
    parser.add_argument(
        "--book",
        metavar="FILE.toml",
        help="play what the pages of a book lack, write them beside the file, and their index; --out holds the runs (runs/FILE)",
    )
    parser.add_argument("--name", metavar="NAME", help="the run's name")
    parser.add_argument("--out", metavar="FOLDER", help="the run's folder (runs/NAME)")
    parser.add_argument(
        "--workers", type=processes, metavar="N", help="processes on this machine (its cores)"
    )
    add_cluster(parser)
    parser.add_argument("--resume", metavar="RUN", help="go on with a run that was stopped, and nothing else")
    parser.add_argument("--quiet", action="store_true", help="no line a minute")
    add_json(parser)


def run(args: argparse.Namespace) -> int:
    check_extra("tournament")
    from battlesim.discovery.study import begin_study
    from battlesim.discovery.study_asked import Asked, check
    from battlesim.jobs.folder import RunFolder, find_run, free_name
    from battlesim.jobs.job import JobLimits

    given: dict[str, Any] = {
        name: value for name in (*COUNTS, "seed", "base") if (value := getattr(args, name)) is not None
    }
    if args.elsewhere:
        given["elsewhere"] = tuple(args.elsewhere)
    if args.cluster and args.workers:
        raise InputError(Fault("--workers and --cluster contradict", "a cluster has the workers that it has"))
    if args.book:
        if args.what or args.tactic or args.name or args.resume or args.json or given:
            remedy = "give nothing else but --out, --workers or --cluster"
            raise InputError(Fault("--book plays what its file asks for", remedy))
        return _book(args)
    if args.resume:
        check_resume_alone(args, add)
        _refuse_search(args.resume, "battlesim discover --resume")
        return _play(args, find_run(args.resume, RUNS))
    if not args.what:
        remedy = "battlesim tactics SCENARIO ..., or battlesim tactics RUN"
        raise InputError(Fault("there is nothing to study", remedy))
    if len(args.what) == 1 and (found := _run_named(args.what[0])) is not None:
        if args.tactic or args.out or args.name or given:
            raise InputError(Fault("a run is shown as it is", f"battlesim tactics {args.what[0]}"))
        return show(found, args.json)
    for name in args.what:  # a word that is neither is reported as an unknown scenario
        check_path(name, "run or scenario")
        if (Path(name) / "resolved.json").is_file():
            RunFolder(Path(name))
            raise InputError(Fault("one run is shown at a time", f"battlesim tactics {name}"))
    asked = Asked(tuple(args.what), tuple(args.tactic or ()), **given)
    with flags_named(add, given):
        check(asked)
    name = args.name or "tactics-" + "-".join(Path(one).stem for one in args.what)
    out = Path(args.out) if args.out else free_name(RUNS, name[:60])
    if args.cluster:  # before anything is written, since it may not answer
        workers_of(args, JobLimits()).close()
    return _play(args, begin_study(out, asked))


def _run_named(name: str) -> RunFolder | None:
    """The run of that name; None if there is none. A folder without a run does not hide a scenario of its name."""
    from battlesim.jobs.folder import find_run
    from battlesim.scenario.load import shipped_scenarios

    if name not in shipped_scenarios():
        _refuse_search(name, "battlesim discover")
    known = any((path / "resolved.json").is_file() for path in (Path(name), RUNS / name))
    is_scenario = name in shipped_scenarios()
    if not known and (is_scenario or not (Path(name).is_dir() or (RUNS / name).is_dir())):
        return None
    return find_run(name, RUNS)


def _refuse_search(name: str, instead: str) -> None:
    """Raises InputError if the run is a search for ways of fighting. `instead`: the command that takes it."""
    from battlesim.cli.running import search_named

    if (search := search_named(name, RUNS)) is not None:
        said = "this is a search for ways of fighting, not a study of tactics"
        raise InputError(Fault(said, f"{instead} {search}", str(search)))


def _book(args: argparse.Namespace) -> int:
    """Play the games that the pages of a book lack, and write the pages."""
    from battlesim.cli.targets import check_book
    from battlesim.discovery.book_file import INDEX, old_pages, play_book, read_book
    from battlesim.discovery.study import Shown

    file = Path(args.book)
    check_book(file.parent, [entry.name for entry in read_book(file).page])
    runs = Path(args.out) if args.out else RUNS / file.stem
    state = "beginning"

    def shown(page: str) -> Shown:
        def told(phase: str, games: int, whole: int, new: int) -> None:
            nonlocal state
            state = f"{page}: {phase}, {games:,} of {whole:,} games"

        return told

    words = f"stopped; what was played is kept in {runs}. Go on with the same command"
    with kept(words), reporting(lambda: state, args.quiet):
        played = play_book(file, runs, _players(args), shown, lambda page: print(f"played: {page}"))
    if not played:
        print("every page is there; to have one played anew, remove its .json")
    if old := old_pages(file):
        print(f"played by another version of the program: {', '.join(old)}")
    print(f"index: {file.parent / INDEX}")
    return 0


def _players(args: argparse.Namespace) -> Players:
    """The executors of phases, as the flags say."""
    from battlesim.discovery.watching import FUNCTION
    from battlesim.jobs.job import JobLimits

    def players(plan: GameList) -> Executor:
        return workers_of(args, JobLimits(plan.limits.game_seconds, plan.limits.megabytes), FUNCTION)

    return players


def _play(args: argparse.Namespace, run: RunFolder) -> int:
    from battlesim.discovery.study import advance, asked_of

    asked_of(run)
    state = f"{run.path.name}: beginning"

    def shown(phase: str, games: int, whole: int, new: int) -> None:
        nonlocal state
        state = f"{run.path.name}: {phase}, {games:,} of {whole:,} games"

    with kept(resumable("tactics", run.path)):
        with reporting(lambda: state, args.quiet):
            advance(run, _players(args), shown)
        return show(run, args.json)


def show(run: RunFolder, as_json: bool) -> int:
    """Print the results of a study so far, and keep its cards and pages in its folder."""
    from msgspec import json as encoded

    from battlesim.core.files import write_file
    from battlesim.discovery.cards import cards_of, write_cards
    from battlesim.discovery.cards_page import page
    from battlesim.discovery.telling import lines, markdown

    book = cards_of(run)
    with suppress(InputError):  # a read-only run is shown, too
        write_cards(run, book)
        write_file(run.path / PAGE, page(book, run.path.name).encode(), "the page")
        write_file(run.path / BOOK, markdown(book, _title(book)).encode(), "the book")
    if as_json:
        print_json(encoded.decode(encoded.encode(book)))
        return 0
    for line in lines(book, str(run.path)):
        print(line)
    print(f"\npage: {run.path / PAGE}; text: {run.path / BOOK}")
    return 0


def _title(book: Book) -> str:
    return f"Tactics of {book.asked.base}: {', '.join(book.asked.scenarios)}"
