"""`battlesim discover`: finds and confirms ways of fighting that work on a scenario."""

from __future__ import annotations

import argparse
import json
import time
from contextlib import suppress
from pathlib import Path
from shlex import quote
from typing import TYPE_CHECKING, Any

from battlesim.cli.common import add_json, at_least_one, check_path, flags_named, print_json, processes, seed
from battlesim.cli.extras import check_extra
from battlesim.cli.progress import duration, reporting
from battlesim.cli.running import RUNS, add_cluster, check_resume_alone, parse_part, search_named, workers_of
from battlesim.cli.stopping import kept, resumable
from battlesim.core.errors import Fault, InputError

if TYPE_CHECKING:
    from battlesim.discovery.league import League
    from battlesim.discovery.run import Discovery, Told
    from battlesim.discovery.settings import DiscoverySettings
    from battlesim.jobs.executor import Executor

LISTS = ("axes", "emitters")
SEVERAL = ("select_on", "confirm_on", "against")
ONE = ("rules", "games", "select", "confirm", "best", "bins", "seed", "begin", "aim", "league")


def add(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "what",
        nargs="*",
        metavar="SCENARIO|RUN",
        help="shipped scenarios, or files, of one rulebook; or FILE.toml; or one run, to show it",
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
        "--workers", type=processes, metavar="N", help="processes on this machine (its cores)"
    )
    add_cluster(parser)
    parser.add_argument(
        "--part",
        metavar="N/OF",
        help="play this part, while others on machines that share --out play theirs; each waits for the others",
    )
    parser.add_argument("--resume", metavar="FOLDER", help="go on with a search that was stopped")
    parser.add_argument("--quiet", action="store_true", help="no line a minute")
    add_json(parser)


def run(args: argparse.Namespace) -> int:
    # A search that needs two extras names the one that holds both.
    check_extra("tournament", "discovery" if _needs_ribs(args) else "")
    from battlesim.batch.rounds import part_name
    from battlesim.discovery.run import check
    from battlesim.discovery.search_folder import ASKED, asked_of, found_of, is_search
    from battlesim.jobs.folder import free_name, write_json

    given = _flags(args)
    if args.resume:
        check_resume_alone(args, add, "search")
        folder = find_search(args.resume, RUNS)
        asked = asked_of(folder)
        if (found := found_of(folder)) is not None and found[0] == asked:
            return show(folder, args.json)
        with kept(resumable("discover", folder)):
            check(asked)  # before anything is written, since a package may be missing
            return _search(args, asked, folder)
    if not args.what:
        remedy = "battlesim discover stairwell, or battlesim discover RUN"
        raise InputError(Fault("a scenario is needed", remedy))
    if len(args.what) == 1 and (shown := _run_named(args.what[0])) is not None:
        if given or args.out or args.part or args.cluster or args.workers:
            raise InputError(Fault("a search is shown as it is", f"battlesim discover {quote(args.what[0])}"))
        return show(shown, args.json)
    for name in args.what:  # a word that is neither is reported as an unknown scenario
        check_path(name, "search or scenario")
        if is_search(Path(name)):
            raise InputError(Fault("one search is shown at a time", f"battlesim discover {quote(name)}"))
    asked, name = _asked(args.what, given)
    check(asked)
    executor = _executor(args)  # before anything is written, since a cluster may not answer
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
    with kept(resumable("discover", folder)):
        return _search(args, asked, folder, executor)


def _needs_ribs(args: argparse.Namespace) -> bool:
    """Whether the flags, the search's file, or the search to be resumed ask for what only the extra `discovery` can play."""
    from battlesim.core.toml import read_toml

    aim, emitters = args.aim, args.emitters
    if args.resume:
        for folder in (Path(args.resume), RUNS / args.resume):
            with suppress(OSError, ValueError, AttributeError):  # reported where the search is read in full
                asked = json.loads((folder / "discover-asked.json").read_bytes())
                aim, emitters = asked.get("aim"), asked.get("emitters")
                break
    if len(args.what) == 1 and args.what[0].endswith(".toml"):
        with suppress(InputError):  # reported where the file is read in full
            value, _ = read_toml(Path(args.what[0]))
            aim, emitters = value.get("aim"), value.get("emitters")
    return aim == "win" or "cma" in str(emitters)


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
        with flags_named(add, given):
            return placed(parse_settings(DiscoverySettings, values, wanted), Path()), file.stem
    if len(what) > 1 or given:
        remedy = "put the settings into the file, or give flags alone"
        raise InputError(Fault("a file of settings and flags contradict", remedy, what[0]))
    value, text = read_toml(file, "the search's file")
    return placed(parse_settings(DiscoverySettings, value, wanted, what[0], text), file.parent), file.stem


def _run_named(name: str) -> Path | None:
    """The search of that name; None if it may be a scenario. A folder without a search does not hide a scenario of its name.
    Raises InputError for a folder of something else."""
    from battlesim.discovery.search_folder import is_search, parts_of
    from battlesim.scenario.load import shipped_scenarios

    places = [path for path in (Path(name), RUNS / name) if path.is_dir()]
    is_known = any(is_search(path) or parts_of(path) for path in places)
    if not places or (name in shipped_scenarios() and not is_known):
        return None
    return find_search(name, RUNS)


def find_search(name: str, folder: Path) -> Path:
    """A search by its path, or by its name inside `folder`. Raises InputError if there is none, and says what there is."""
    from battlesim.jobs.folder import RESOLVED

    if (search := search_named(name, folder)) is not None:
        return search
    path = folder / name if not Path(name).exists() and (folder / name).is_dir() else Path(name)
    what = "this is not a search for ways of fighting"
    if (path / RESOLVED).is_file():
        raise InputError(Fault(what, f"battlesim runs {quote(name)} shows this run", str(path)))
    remedy = "give the folder of a `battlesim discover`; `battlesim runs` lists them"
    raise InputError(Fault(what, remedy, str(path)))


def _executor(args: argparse.Namespace) -> Executor:
    from battlesim.jobs.job import JobLimits

    return workers_of(args, JobLimits(600.0, 1024))


def _search(
    args: argparse.Namespace, asked: DiscoverySettings, folder: Path, executor: Executor | None = None
) -> int:
    from battlesim.discovery.run import Expected, expected_games

    begun = time.monotonic()
    what, games, expected = "beginning", 0, expected_games(asked)
    first: int | None = None  # games of earlier sessions do not count for this one's speed

    def told(doing: str, played: int, of: Expected) -> None:
        nonlocal what, games, expected, first
        first = played if first is None else first
        what, games, expected = doing, played, of

    def where() -> str:
        rate = (games - (first or 0)) / max(time.monotonic() - begun, 1e-9)
        words = f"{what}: {games:,} {expected.of()}"
        if rate <= 0:
            return words
        return f"{words}, {rate:.1f} a second, about {duration((expected.games - games) / rate)} left"

    executor = executor or _executor(args)
    try:
        with reporting(where, args.quiet, always=True):
            figures = _played(asked, folder, executor, told)
    finally:
        executor.close()
    return _tell(asked, figures, folder, args.json)


def show(folder: Path, as_json: bool) -> int:
    """Print the results of a search, whatever program played it, or its progress. Pages and cards are written anew."""
    from battlesim.discovery.run import expected_in
    from battlesim.discovery.search_folder import asked_of, found_of, games_in
    from battlesim.jobs.folder import is_held

    if (kept := found_of(folder)) is not None:
        return _tell(*kept, folder, as_json)
    asked, playing = asked_of(folder), is_held(folder)
    games, expected = games_in(folder), None if asked.league else expected_in(folder, asked)
    if as_json:
        state = "playing" if playing else "interrupted"
        about = None if expected is None else expected.games
        print_json({"asked": asked.model_dump(mode="json"), "state": state, "games": games, "about": about})
        return 0
    of = "games" if expected is None else expected.of()
    state = "it is played now" if playing else "it was stopped before its end"
    print(f"A search on {', '.join(asked.scenarios)}: {games:,} {of}; {state}")
    if not playing:
        print(f"Go on with: battlesim discover --resume {quote(str(folder))}")
    return 0


def _played(asked: DiscoverySettings, folder: Path, executor: Executor, told: Told) -> dict[str, Any]:
    """Play a search, or a league, and keep its figures and games to watch; returns every figure."""
    from msgspec import json as encoded

    from battlesim.discovery.elite_games import write_games
    from battlesim.discovery.league import play_league
    from battlesim.discovery.run import Discovery, discover
    from battlesim.discovery.search_folder import FOUND
    from battlesim.discovery.words import SHOWN
    from battlesim.jobs.folder import write_json

    found: Discovery | League = (play_league if asked.league else discover)(asked, folder, executor, told)
    figures: dict[str, Any] = encoded.decode(
        encoded.encode({"asked": asked.model_dump(mode="json"), "found": found})
    )
    with suppress(InputError, OSError):  # a folder that may only be read is shown all the same
        if isinstance(found, Discovery):
            games = write_games(asked, found, folder)
            shown = [one for one in games if one.number <= SHOWN or found.elites[one.number - 1].confirmed]
            for one in shown:
                _write_replay(folder / one.record, folder / one.page)
        write_json(folder / FOUND, figures)
    return figures


def _tell(asked: DiscoverySettings, figures: dict[str, Any], folder: Path, as_json: bool) -> int:
    """Print the results of a search, or a league; write its cards and its page."""
    from battlesim.discovery.elite_games import RECORDS
    from battlesim.discovery.search_folder import FOUND

    found, told = _in_words(asked, figures, folder)
    with suppress(InputError, OSError):  # a folder that may only be read is shown all the same
        _write(asked, found, folder)
    if as_json:
        print_json(figures)
        return 0
    for line in told:
        print(line)
    if (folder / RECORDS).is_dir():
        print(f"The median game of each: battlesim watch {quote(f'{folder}/{RECORDS}/elite-1.jsonl.gz')}")
    print(f"\npage: {folder / 'discover.html'}; every figure: {folder / FOUND}")
    return 0


def _in_words(
    asked: DiscoverySettings, figures: dict[str, Any], folder: Path
) -> tuple[Discovery | League, list[str]]:
    """The results, and the same line by line. Raises InputError if another version of the program kept figures that this one
    cannot read."""
    import msgspec

    from battlesim.discovery.league import League
    from battlesim.discovery.league_page import league_lines
    from battlesim.discovery.run import Discovery
    from battlesim.discovery.search_folder import FOUND
    from battlesim.discovery.words import lines, play_command

    found: Discovery | League
    try:
        if asked.league:
            found = msgspec.convert(figures["found"], League)
            told = list(league_lines(asked, found))
        else:
            found = msgspec.convert(figures["found"], Discovery)
            told = list(lines(asked, found))
    except (msgspec.ValidationError, InputError) as error:
        what = f"this version does not read what was found: {error}"
        remedy = "its page, discover.html, tells it; or take the version of the program that played it"
        raise InputError(Fault(what, remedy, str(folder / FOUND))) from None
    words = play_command(asked, found.side, f"card:{folder}/1")
    return found, [*told, "", f"Each by its number, wherever an agent is named: {words}"]


def _write(asked: DiscoverySettings, found: Discovery | League, folder: Path) -> None:
    """Write the cards and the page of the results. Raises InputError if they cannot be written."""
    from battlesim.discovery.league import League
    from battlesim.discovery.league_page import write_league_page
    from battlesim.discovery.page import write_page
    from battlesim.engine.card_agents import CARDS
    from battlesim.jobs.folder import write_json

    agents = found.members if isinstance(found, League) else [one.agent for one in found.elites]
    cards = [{"number": number, "agent": agent} for number, agent in enumerate(agents, 1)]
    write_json(folder / CARDS, {"cards": cards})
    if isinstance(found, League):
        write_league_page(asked, found, folder)
    else:
        write_page(asked, found, folder)


def _write_replay(record: Path, page: Path) -> None:
    """Write the replay page of a record, if it does not exist yet. Raises InputError if it cannot be written."""
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
