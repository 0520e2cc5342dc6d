"""`battlesim fuzz`: random battles under a rulebook, to find faults."""

from __future__ import annotations

import argparse
import os
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

from battlesim.cli.common import add_json, at_least_one, number, print_json, processes, seed
from battlesim.cli.extras import check_extra
from battlesim.cli.running import RUNS
from battlesim.cli.stopping import stop_of
from battlesim.core.errors import Fault, InputError

if TYPE_CHECKING:
    from battlesim.stress.fuzz import Session, SessionAsked


def add(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("rulesets", nargs="*", metavar="RULESET", help="rulebooks (all that ship)")
    parser.add_argument("--cases", type=at_least_one, metavar="N", help="cases of each rulebook (500)")
    parser.add_argument(
        "--minutes", type=number, metavar="M", help="for so long, each rulebook a share, instead of --cases"
    )
    parser.add_argument(
        "--covered",
        action="store_true",
        help="end as soon as every clause of the book was used ten times",
    )
    parser.add_argument("--seed", type=seed, default=1, metavar="N", help="of the cases (1)")
    parser.add_argument("--repeat", metavar="FILE", help="play the case of a failure again, and nothing else")
    parser.add_argument("--out", metavar="FOLDER", help="where failures go (runs/fuzz)")
    parser.add_argument(
        "--workers", type=processes, metavar="N", help="processes on this machine (its cores)"
    )
    parser.add_argument("--quiet", action="store_true", help="no progress bar")
    add_json(parser)


def run(args: argparse.Namespace) -> int:
    check_extra("stress")
    return _repeat(args) if args.repeat else _run(args)


def _repeat(args: argparse.Namespace) -> int:
    """Play the case of a failure again, and print how it ends. Exit code 1 if it still fails."""
    import traceback

    from battlesim.rulesets.finder import find_ruleset
    from battlesim.stress.fuzz import read_failure, repeat
    from battlesim.stress.fuzz_laws import BrokenLaw

    failure = read_failure(Path(args.repeat))
    find_ruleset(failure.ruleset)
    error: Exception | None = None
    try:
        repeat(failure)
    except Exception as raised:
        error = raised
    if args.json:
        what = "" if error is None else str(error)
        row = {"ruleset": failure.ruleset, "law": failure.law, "fails": error is not None, "what": what}
        print_json(row | {"scenario": failure.scenario})
    elif error is None:
        print(f"it does not fail any more: {failure.law}")
    else:
        if isinstance(error, BrokenLaw):
            print(f"{failure.ruleset}: {error}")
        else:
            traceback.print_exception(error)
        if failure.scenario:
            print(f"scenario: {failure.scenario}")
    return 0 if error is None else 1


def _check_folder(folder: Path) -> None:
    """Raises InputError, before anything is played, if failures could not be written to a folder. It is made only for them."""
    there = next(path for path in (folder, *folder.absolute().parents) if path.exists())
    if not there.is_dir() or not os.access(there, os.W_OK | os.X_OK):
        what = "the folder of failures cannot be written to"
        raise InputError(Fault(what, "give one that can: --out FOLDER", str(folder)))


def _run(args: argparse.Namespace) -> int:
    from msgspec import to_builtins
    from tqdm import tqdm

    from battlesim.cli.targets import check_failures
    from battlesim.jobs.folder import free_name, write_json
    from battlesim.rulesets.finder import RULESETS, find_ruleset
    from battlesim.stress.fuzz import SessionAsked, lines
    from battlesim.stress.fuzz_keep import failure_paths
    from battlesim.viewer.wording import printable

    if args.minutes is not None and args.cases:
        raise InputError(Fault("--cases and --minutes exclude one another", "give one of the two"))
    if args.minutes is not None and args.minutes <= 0:
        raise InputError(Fault(f"--minutes {args.minutes:g} is not a length of time", "give more than 0"))
    # A rulebook that is named twice would play the same cases twice.
    names = list(dict.fromkeys(args.rulesets)) or list(RULESETS)
    for name in names:
        find_ruleset(name)
    _check_folder(Path(args.out) if args.out else RUNS)
    if args.out:
        check_failures(Path(args.out), names)
    workers = args.workers or os.cpu_count() or 1
    cases = 1_000_000_000 if args.minutes else args.cases or 500
    seconds = args.minutes * 60 * min(1.0, workers / len(names)) if args.minutes else 0.0
    asked = [SessionAsked(name, args.seed, cases, seconds, args.covered) for name in names]
    folder = Path(args.out) if args.out else free_name(RUNS, "fuzz")
    found: dict[int, Session] = {}
    broken: list[str] = []
    stopped: KeyboardInterrupt | None = None
    with (
        _folder_of_failures(folder),
        tqdm(total=len(asked), disable=True if args.quiet else None, unit="rulebook") as bar,
    ):
        try:
            if workers == 1:
                _here(asked, folder, found, bar)
            else:
                _by_workers(asked, folder, workers, found, broken, bar.update)
        except (KeyboardInterrupt, ImportError) as error:
            stopped = stop_of(error)
            if stopped is None:
                raise
        sessions = [found[number] for number in sorted(found)]
        paths = [path for one in sessions for path in failure_paths(folder, one)]
        if paths:
            write_json(folder / "fuzz.json", to_builtins(sessions))
    if args.json:
        print_json({"sessions": to_builtins(sessions), "files": [str(path) for path in paths]})
    elif sessions:
        for line in lines(sessions, paths):
            print(printable(line))
    if stopped is not None:
        words = "stopped; what it found so far is told above" if sessions else "stopped before its first case"
        raise type(stopped)(words)
    if broken:  # what the other sessions found is kept
        raise InputError(Fault("; ".join(broken), "see what they do with --workers 1"))
    return 1 if paths else 0


@contextmanager
def _folder_of_failures(folder: Path) -> Iterator[None]:
    """The folder is there while the block runs. What of it was made for that, and is empty at the end, is removed."""
    made = [path for path in (folder, *folder.parents) if not path.exists()]
    folder.mkdir(parents=True, exist_ok=True)
    try:
        yield
    finally:
        for path in made:
            with suppress(OSError):  # it holds failures
                path.rmdir()


def _here(asked: Sequence[SessionAsked], folder: Path, found: dict[int, Session], bar: Any) -> None:
    """Sessions in this process, into `found` by their place in `asked`, each as far as it is."""
    from battlesim.stress.fuzz import fuzz_ruleset, unreached
    from battlesim.stress.fuzz_keep import Keeper

    for place, one in enumerate(asked):
        keep = Keeper(folder)

        def progress(session: Session, place: int = place, keep: Keeper = keep) -> None:
            found[place] = session
            keep(session)
            bar.set_postfix(cases=session.cases, rare=len(unreached(session)))

        found[place] = fuzz_ruleset(one, progress=progress)
        bar.update()


def _by_workers(
    asked: Sequence[SessionAsked],
    folder: Path,
    workers: int,
    found: dict[int, Session],
    broken: list[str],
    done: Callable[[], object],
) -> None:
    """Sessions in processes of this machine, into `found` by their place in `asked`, and into `broken` what befell those that
    broke off, in words. Of a session that broke off or was stopped there is what it had kept."""
    import msgspec

    from battlesim.jobs.executor import LocalExecutor
    from battlesim.jobs.job import Job, JobFailure, JobLimits
    from battlesim.jobs.scratch import scratch_folder
    from battlesim.stress.fuzz import Session
    from battlesim.stress.fuzz_keep import FUNCTION, SessionKept, session_so_far

    executor = LocalExecutor(FUNCTION, workers, JobLimits(seconds=0, megabytes=0))
    with scratch_folder() as scratch:
        states = [scratch / f"{number}.json" for number in range(len(asked))]
        kept = [SessionKept(one, str(folder), str(state)) for one, state in zip(asked, states, strict=True)]
        try:
            for batch in executor.run([Job(place, one.asked.ruleset, one) for place, one in enumerate(kept)]):
                for result in batch:
                    if isinstance(result.result, JobFailure):
                        name = asked[result.number].ruleset
                        broken.append(f"the session of {name} broke off: {result.result.what}")
                    else:
                        found[result.number] = msgspec.json.decode(result.result.row, type=Session)
                    done()
        finally:
            executor.close()
            for place, state in enumerate(states):
                if place not in found and (session := session_so_far(state)) is not None:
                    found[place] = session
