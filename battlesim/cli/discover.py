"""`battlesim discover`: ways of fighting that work on a scenario, searched for and confirmed."""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from shlex import quote
from typing import TYPE_CHECKING, Any

from battlesim.cli.common import add_json, at_least_one, print_json, seed
from battlesim.cli.progress import duration, reporting
from battlesim.cli.running import RUNS, needs_extra, parse_part, workers_of
from battlesim.core.errors import Fault, InputError

if TYPE_CHECKING:
    from battlesim.discovery.settings import DiscoverySettings
    from battlesim.jobs.executor import Executor

ASKED = "discover-asked.json"
FOUND = "discover.json"
LISTS = ("axes", "emitters")
SEVERAL = ("select_on", "confirm_on", "against")
ONE = ("rules", "games", "select", "confirm", "best", "bins", "seed", "begin", "aim", "league")


def add(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "what",
        nargs="*",
        metavar="SCENARIO",
        help="shipped scenarios, or files, of one rulebook; or FILE.toml",
    )
    parser.add_argument(
        "--axes",
        metavar="NAMES",
        help="two to four measures of behaviour that elites differ in: movement, inside, height, fire, walls, assault, breach, "
        "demolition, wait, tempo, spread, distance, floors, reserve, and order-NAME, the share of an order, such as order-run "
        "(inside,movement)",
    )
    parser.add_argument("--bins", type=at_least_one, metavar="N", help="of each axis (6)")
    parser.add_argument(
        "--rules", type=int, metavar="N", help="tactics that a player may keep to besides, at most (2)"
    )
    parser.add_argument("--games", type=at_least_one, metavar="N", help="of the training (4000)")
    parser.add_argument(
        "--select", type=at_least_one, metavar="N", help="fresh pairs of games of each elite (40)"
    )
    parser.add_argument(
        "--confirm", type=at_least_one, metavar="N", help="pairs of games that confirm an elite (100)"
    )
    parser.add_argument("--best", type=at_least_one, metavar="N", help="elites that are confirmed (3)")
    parser.add_argument(
        "--select-on",
        action="append",
        metavar="SCENARIO",
        help="choose the best on this scenario; several times (those of the training)",
    )
    parser.add_argument(
        "--confirm-on",
        action="append",
        metavar="SCENARIO",
        help="confirm on this scenario, by which nothing is chosen; several times (those of the training)",
    )
    parser.add_argument(
        "--against",
        action="append",
        metavar="AGENT",
        help="an opponent, in place of the usual ones; several times",
    )
    parser.add_argument(
        "--aim",
        choices=("map", "win"),
        help="map: the best of every behaviour; win: the best, whatever it does (map)",
    )
    parser.add_argument(
        "--league",
        type=at_least_one,
        metavar="N",
        help="find, N times, what does best against the mix of all players so far; each with --games games",
    )
    parser.add_argument(
        "--begin",
        metavar="AGENT",
        help="begin from doctrine,name=value,..., character=... among them, or from a card:RUN/N of such a player (doctrine)",
    )
    parser.add_argument("--emitters", metavar="NAMES", help="who proposes: mutation, cma, cma-mae (mutation)")
    parser.add_argument(
        "--shuffled",
        action="store_true",
        default=None,
        help="let a coin decide who won each game, to see what a search makes of luck",
    )
    parser.add_argument("--seed", type=seed, metavar="N", help="of the search and its dice (1)")
    parser.add_argument("--out", metavar="FOLDER", help="the search's folder (runs/discover-SCENARIO)")
    parser.add_argument(
        "--workers", type=at_least_one, metavar="N", help="processes on this machine (its cores)"
    )
    parser.add_argument(
        "--cluster", metavar="ADDRESS", help="play on the cluster of a Dask scheduler, tcp://host:8786"
    )
    parser.add_argument(
        "--part",
        metavar="N/OF",
        help="play this part, while others on machines that share --out play theirs; each waits for the others",
    )
    parser.add_argument("--resume", metavar="FOLDER", help="go on with a search that was stopped")
    parser.add_argument("--quiet", action="store_true", help="no line a minute")
    add_json(parser)


def run(args: argparse.Namespace) -> int:
    try:
        return _run(args)
    except ImportError as error:
        raise needs_extra(error, "discovery" if str(error.name).startswith("ribs") else "stress") from None


def _run(args: argparse.Namespace) -> int:
    from battlesim.batch.rounds import part_name
    from battlesim.discovery.run import check
    from battlesim.jobs.folder import free_name, write_json

    given = _flags(args)
    if args.resume:
        if args.what or args.out or args.part or given:
            remedy = "give nothing else but --workers or --cluster"
            raise InputError(Fault("--resume goes on with what the search was asked for", remedy))
        folder = Path(args.resume)
        return _search(args, _read(folder / ASKED), folder)
    if not args.what:
        raise InputError(Fault("a scenario is needed", "battlesim discover stairwell"))
    asked, name = _asked(args.what, given)
    check(asked)
    executor = _executor(args)  # before anything is written: a cluster may not answer
    if args.part and not args.out:
        raise InputError(Fault("--part needs --out", "give all parts the same folder"))
    folder = Path(args.out) if args.out else free_name(RUNS, f"discover-{name}")
    if args.part:
        folder /= part_name(*parse_part(args.part))
    if folder.exists():
        raise InputError(Fault("the folder exists", "give another --out, or --resume it", str(folder)))
    try:
        folder.mkdir(parents=True)
    except OSError as error:
        what = f"the search's folder cannot be made: {error.strerror or error}"
        raise InputError(Fault(what, "give a folder that is writable: --out FOLDER", str(folder))) from None
    write_json(folder / ASKED, asked.model_dump(mode="json"))
    return _search(args, asked, folder, executor)


def _flags(args: argparse.Namespace) -> dict[str, Any]:
    """The settings that flags give."""
    found: dict[str, Any] = {name: getattr(args, name, None) for name in (*ONE, "shuffled")}
    for name in SEVERAL:
        found[name] = getattr(args, name) and tuple(getattr(args, name))
    for name in LISTS:
        found[name] = getattr(args, name) and tuple(getattr(args, name).split(","))
    return {name: value for name, value in found.items() if value is not None}


def _asked(what: list[str], given: dict[str, Any]) -> tuple[DiscoverySettings, str]:
    """The settings of a file, or of scenarios and flags; and a name for the folder."""
    from battlesim.batch.settings import parse_settings
    from battlesim.core.toml import read_toml
    from battlesim.discovery.settings import DiscoverySettings, placed, wanted

    file = Path(what[0])
    if not what[0].endswith(".toml"):
        values = {"scenarios": tuple(what), **given}
        return placed(parse_settings(DiscoverySettings, values, wanted), Path()), file.stem
    if len(what) > 1 or given:
        remedy = "put the settings into the file, or give flags alone"
        raise InputError(Fault("a file of settings and flags contradict", remedy, what[0]))
    value, text = read_toml(file, "the search's file")
    return placed(parse_settings(DiscoverySettings, value, wanted, what[0], text), file.parent), file.stem


def _read(path: Path) -> DiscoverySettings:
    """What a search was asked for. Raises InputError where the folder holds none, or a damaged one."""
    import json

    from battlesim.batch.settings import parse_settings
    from battlesim.discovery.settings import DiscoverySettings, contradictions

    try:
        value = json.loads(path.read_text(encoding="utf-8"))
        if not isinstance(value, dict):
            raise ValueError
        return parse_settings(DiscoverySettings, value, contradictions)
    except (OSError, ValueError, InputError):
        remedy = "give the folder of a `battlesim discover`"
        raise InputError(Fault("this is no search for ways of fighting", remedy, str(path))) from None


def _executor(args: argparse.Namespace) -> Executor:
    from battlesim.jobs.job import JobLimits

    return workers_of(args, JobLimits(600.0, 1024))


def _search(
    args: argparse.Namespace, asked: DiscoverySettings, folder: Path, executor: Executor | None = None
) -> int:
    begun = time.monotonic()
    now: dict[str, Any] = {"what": "beginning", "games": 0, "of": 0, "before": None}

    def told(what: str, games: int, of: int) -> None:
        if now["before"] is None:  # what earlier sessions played does not count as this one's speed
            now["before"] = games
        now.update(what=what, games=games, of=of)

    def where() -> str:
        rate = (now["games"] - (now["before"] or 0)) / max(time.monotonic() - begun, 1e-9)
        words = f"{now['what']}: {now['games']} of about {now['of']} games"
        if rate <= 0:
            return words
        return f"{words}, {rate:.1f} a second, about {duration((now['of'] - now['games']) / rate)} left"

    executor = executor or _executor(args)
    try:
        with reporting(where, args.quiet, always=True):
            told_lines, figures = _played(asked, folder, executor, told)
    except KeyboardInterrupt:
        words = f"battlesim discover --resume {quote(str(folder))}"
        print(f"\nstopped; what was played is kept. Go on with: {words}", file=sys.stderr)
        raise
    finally:
        executor.close()
    if args.json:
        print_json(figures)
        return 0
    for line in told_lines:
        print(line)
    print(f"\npage: {folder / 'discover.html'}; every figure: {folder / FOUND}")
    return 0


def _played(
    asked: DiscoverySettings, folder: Path, executor: Executor, told: Callable[[str, int, int], None]
) -> tuple[list[str], Any]:
    """Play a search, or a league; what it came to in words, and every figure. The page and the figures are written."""
    from msgspec import json as encoded

    from battlesim.discovery.elite_games import RECORDS, write_games
    from battlesim.discovery.league import League, play_league
    from battlesim.discovery.league_page import league_lines, write_league_page
    from battlesim.discovery.page import write_page
    from battlesim.discovery.run import Discovery, discover
    from battlesim.discovery.words import SHOWN, lines, play_command
    from battlesim.engine.card_agents import CARDS
    from battlesim.jobs.folder import write_json

    found: Discovery | League = (play_league if asked.league else discover)(asked, folder, executor, told)
    figures = encoded.decode(encoded.encode({"asked": asked.model_dump(mode="json"), "found": found}))
    with suppress(InputError, OSError):  # a folder that may only be read is shown all the same
        write_json(folder / FOUND, figures)
        agents = found.members if isinstance(found, League) else [one.agent for one in found.elites]
        cards = [{"number": number, "agent": agent} for number, agent in enumerate(agents, 1)]
        write_json(folder / CARDS, {"cards": cards})
        if isinstance(found, League):
            write_league_page(asked, found, folder)
        else:
            games = write_games(asked, found, folder)
            shown = [one for one in games if one.number <= SHOWN or found.elites[one.number - 1].confirmed]
            for one in shown:
                _write_replay(folder / one.record, folder / one.page)
            write_page(asked, found, folder, games)
    told_lines = list(league_lines(asked, found) if isinstance(found, League) else lines(asked, found))
    words = play_command(asked, found.side, f"card:{folder}/1")
    told_lines += ["", f"Each by its number, wherever an agent is named: {words}"]
    if isinstance(found, Discovery) and (folder / RECORDS).is_dir():
        told_lines.append(
            f"The median game of each: battlesim watch {quote(f'{folder}/{RECORDS}/elite-1.jsonl.gz')}"
        )
    return told_lines, figures


def _write_replay(record: Path, page: Path) -> None:
    """The replay page of a record, where it is not there yet. Raises InputError where it cannot be written."""
    from battlesim.core.files import write_file
    from battlesim.engine.origin import board_of
    from battlesim.engine.record import read_record
    from battlesim.viewer.insight import insight_of
    from battlesim.viewer.page import watch_page

    if page.is_file():
        return
    read = read_record(record)
    made = watch_page(read, board_of(read, None), insight=insight_of(read, None))
    page.parent.mkdir(exist_ok=True)
    write_file(page, made.encode("utf-8", "replace"), "the page")
