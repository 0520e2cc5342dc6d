"""`battlesim stress`: varies a scenario, and shows what decides it."""

from __future__ import annotations

import argparse
import json
import time
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

from battlesim.cli.common import add_json, at_least_one, flags_named, print_json, processes, seed, table
from battlesim.cli.extras import check_extra
from battlesim.cli.progress import counted, reporting
from battlesim.cli.running import RUNS, add_cluster, check_resume_alone, parse_part, workers_of
from battlesim.cli.stopping import kept, resumable
from battlesim.core.errors import Fault, InputError

if TYPE_CHECKING:
    from battlesim.batch.lists import GameList
    from battlesim.jobs.executor import Executor
    from battlesim.jobs.folder import RunFolder
    from battlesim.stress.config import StressConfig

FLAGS = ("agents", "games", "design", "points", "responses", "seed", "name")
"""Flags that correspond to settings of a file."""


def add(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "what", nargs="?", metavar="FILE|SCENARIO", help="a TOML file; or a scenario, with --vary"
    )
    parser.add_argument(
        "--vary",
        action="append",
        metavar="FACTOR[=VALUES]",
        help="what to vary in SCENARIO: turns=4,6,8 or turns=4..10 or 'forces.Red.units[0].present'; several times",
    )
    parser.add_argument(
        "--agents", nargs=2, metavar="NAME", help="of the first and of the second side (greedy)"
    )
    parser.add_argument("--games", type=at_least_one, metavar="N", help="games at each point (20)")
    parser.add_argument(
        "--design",
        metavar="KIND",
        help="which points are played (factorial; latin-hypercube where a factor has a range)",
    )
    parser.add_argument(
        "--points", type=at_least_one, metavar="N", help="how many, of designs that sample (64)"
    )
    parser.add_argument("--responses", metavar="FILE", help="a Python file with responses of your own")
    parser.add_argument("--seed", type=seed, metavar="N", help="of the first game of each point (1)")
    parser.add_argument("--name", metavar="NAME", help="the run's name")
    parser.add_argument(
        "--factors",
        nargs="+",
        metavar=("SCENARIO", "PATTERN"),
        help="list what can be varied in a scenario, with present values, and play nothing",
    )
    parser.add_argument("--out", metavar="FOLDER", help="the run's folder (runs/NAME)")
    parser.add_argument(
        "--workers", type=processes, metavar="N", help="processes on this machine (its cores)"
    )
    add_cluster(parser)
    parser.add_argument("--part", metavar="N/OF", help="play one part; `battlesim merge` merges the parts")
    parser.add_argument("--resume", metavar="RUN", help="go on with a run that was stopped, and nothing else")
    parser.add_argument(
        "--dry-run",
        action="store_true",
        help="check every point, say how many games there are, and play none",
    )
    parser.add_argument(
        "--quiet", action="store_true", help="no bar, and no line a minute where there is none"
    )
    add_json(parser)


def run(args: argparse.Namespace) -> int:
    if not args.factors:
        check_extra("stress")
    asked_for = {args.what: args.what, "--resume": args.resume, "--factors": args.factors}
    given = [str(word) for word, value in asked_for.items() if value]
    if len(given) != 1:
        remedy = "battlesim stress FILE, SCENARIO --vary FACTOR, --resume RUN, or --factors SCENARIO"
        if given:
            what = f"{' and '.join(given)} are given together; each asks for something else"
            raise InputError(Fault(what, f"give one: {remedy}"))
        raise InputError(
            Fault("a stress test needs a file, a run to go on with, or a scenario to list", remedy)
        )
    if args.factors:
        return _list(args)
    from battlesim.batch.lists import GameList
    from battlesim.jobs.folder import find_run, free_name
    from battlesim.stress.config import written
    from battlesim.stress.designs import drawn_of
    from battlesim.stress.plan import begin, resolve_stress
    from battlesim.viewer.report_words import plural

    if args.resume:
        check_resume_alone(args, add)
        return _keeping(args, find_run(args.resume, RUNS))
    asked, data, suffix, folder = _asked(args)
    with written(args.what, data.decode(), args.vary or ()):
        design, resolved = resolve_stress(asked, folder, parse_part(args.part))
    if args.dry_run:
        found = {
            "points": len(design.points),
            "drawn": drawn_of(asked),
            "games": len(resolved.games),
            "scenarios": len(resolved.scenarios),
            "factors": list(design.factors),
        }
        alike = f" ({found['drawn']} drawn, some alike)" if found["drawn"] != found["points"] else ""
        points, each = plural(found["points"], "point"), plural(design.games, "game")
        words = f"{points}{alike} of {each}: {plural(found['games'], 'game')}; every point is sound"
        print_json(found) if args.json else print(words)
        return 0
    out = Path(args.out) if args.out else free_name(RUNS, asked.name)
    executor = executor_of(
        args, GameList(resolved)
    )  # before anything is written, since a cluster may not answer
    return _keeping(args, begin(out, design, resolved, data, suffix), executor)


def _given(args: argparse.Namespace) -> dict[str, Any]:
    """The settings from flags that a file could also give."""
    return {name: value for name in FLAGS if (value := getattr(args, name)) is not None}


def _asked(args: argparse.Namespace) -> tuple[StressConfig, bytes, str, Path | None]:
    """The request from a file or flags: settings, their text and its kind, and the folder that names are relative to."""
    from battlesim.scenario.load import load_scenario
    from battlesim.stress.config import parse_config, parse_factor, read_config, written

    if args.what.endswith(".toml"):
        if args.vary or _given(args):
            remedy = "write it into the file, or name a scenario"
            raise InputError(Fault("a file says all there is to say; flags do not change it", remedy))
        path = Path(args.what)
        asked, data = read_config(path)
        return asked, data, ".toml", path.parent
    if not args.vary:
        load_scenario(args.what)  # an unknown name is reported first
        remedy = f"--vary turns=4,6,8; `battlesim stress --factors {args.what}` lists what can be varied"
        raise InputError(Fault("nothing is varied", remedy))
    stem = args.what.replace("\\", "/").rpartition("/")[2].removesuffix(".yaml")
    value = {
        "name": f"stress-{stem}"[:60],
        "scenario": args.what,
        **_given(args),
        "factors": [parse_factor(text) for text in args.vary],
    }
    with flags_named(add, _given(args)), written(flags=args.vary):
        found = parse_config(value)
    return found, (json.dumps(value, indent=1) + "\n").encode(), ".json", None


def _list(args: argparse.Namespace) -> int:
    from fnmatch import fnmatchcase

    from battlesim.scenario.load import load_scenario
    from battlesim.stress.leaves import leaves

    name, *patterns = args.factors
    found = [
        leaf
        for leaf in leaves(load_scenario(name))
        if not patterns
        or any(pattern in leaf.path or fnmatchcase(leaf.path, pattern) for pattern in patterns)
    ]
    if not found:
        what = f"no path of {name} fits {' '.join(patterns)!r}"
        raise InputError(Fault(what, f"battlesim stress --factors {name} lists all"))
    if args.json:
        print_json([leaf._asdict() for leaf in found])
        return 0
    rows = [[leaf.path, "-" if leaf.value is None else str(leaf.value), leaf.may_be] for leaf in found]
    for line in table([("path", "now", "may be"), *rows]):
        print(line)
    return 0


def _keeping(args: argparse.Namespace, run: RunFolder, executor: Executor | None = None) -> int:
    """Play a run and show it; where it is stopped, say how to go on."""
    with kept(resumable("stress", run.path)):
        _play(args, run, executor)
        return show(run, args.json)


def _play(args: argparse.Namespace, run: RunFolder, executor: Executor | None) -> None:
    from tqdm import tqdm

    from battlesim.batch.driver import drive
    from battlesim.batch.lists import plan_of
    from battlesim.stress.plan import design_of

    design_of(run)
    plan = plan_of(run)
    bar = tqdm(total=plan.games, unit="game", desc=plan.resolved.name, disable=True if args.quiet else None)
    begun = time.monotonic()
    before, games = -1, 0

    def shown(there: int, _: int) -> None:
        nonlocal before, games
        games = there
        if before < 0:  # games of earlier sessions do not count for this one's speed
            before = bar.initial = there
        bar.n = there
        bar.update(0)

    def where() -> str:
        new, seconds = games - max(before, 0), time.monotonic() - begun
        rate = f", {new / seconds:.1f} a second" if new and seconds > 0 else ""
        left = counted(new, plan.games - games + new, "games", seconds).partition(",")[2]
        return f"{plan.resolved.name}: {games:,} of {plan.games:,} games{rate}{',' + left if left else ''}"

    executor = executor or executor_of(args, plan)
    try:
        with bar, reporting(where, args.quiet):
            drive(run, plan, executor, shown=shown)
    finally:
        executor.close()


def executor_of(args: argparse.Namespace, plan: GameList) -> Executor:
    """The executor of a list of games: this machine's workers, or a cluster."""
    from battlesim.jobs.job import JobLimits

    return workers_of(args, JobLimits(plan.limits.game_seconds, plan.limits.megabytes))


def show(run: RunFolder, as_json: bool) -> int:
    """Print the results of a stress test so far, and keep every figure and the page in its folder."""
    from msgspec import json as encoded
    from msgspec.structs import replace

    from battlesim.batch.lists import clocks_of, plan_of, rows_of
    from battlesim.batch.missing import missing_words
    from battlesim.core.files import write_file
    from battlesim.jobs.folder import write_json
    from battlesim.stress.analysis import analyse, lines
    from battlesim.stress.page import PAGE, write_page
    from battlesim.stress.picture import PICTURE, picture
    from battlesim.stress.plan import design_of
    from battlesim.stress.responses import responses_of

    design, plan = design_of(run), plan_of(run)
    found = analyse(design, rows_of(run, plan), responses_of(plan.resolved.own), clocks_of(run))
    missing = missing_words(found.games, plan.numbers, _how(run, plan, found.games))
    found = replace(found, planned=plan.numbers, missing=missing)
    # Unknown limits (of one game, for example) are null: JSON has no infinity.
    figures = encoded.decode(encoded.encode({"design": design, "found": found}))
    with suppress(InputError):  # a read-only run is shown, too
        write_json(run.path / "stress.json", figures)
        write_page(design, found, run.path / PAGE, plan.resolved.name)
        write_file(run.path / PICTURE, picture(design, found).encode(), "the picture")
    if as_json:
        print_json(figures)
        return 0
    for line in lines(design, found):
        print(line)
    print(f"\npage: {run.path / PAGE}; every game: battlesim export {run.path}")
    return 0


def _how(run: RunFolder, plan: GameList, there: int) -> str:
    """How to continue a run with missing games."""
    part, of = plan.resolved.part
    others = ", ".join(f"--part {n}/{of}" for n in range(1, of + 1) if n != part)
    merge = f"play the others ({others}), then battlesim merge {run.path} OTHERS --out FOLDER"
    resume = f"battlesim stress --resume {run.path}"
    if of == 1:
        return f"{resume}; or, where other parts were played, battlesim merge PARTS --out {run.path}"
    return merge if there >= plan.games else f"{resume}; it is part {part} of {of}, so {merge}"
