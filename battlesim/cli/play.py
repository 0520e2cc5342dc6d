"""`battlesim play`: plays one battle and tells its story, or plays many and counts results."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, redirect_stdout
from pathlib import Path
from typing import TYPE_CHECKING, Any

from battlesim.cli.common import add_json, at_least_one, by_side, port, print_json, seed
from battlesim.cli.played import numbered, play_many, play_one, result_line

if TYPE_CHECKING:
    from battlesim.cli.seat import Telling
    from battlesim.engine.header import Limits
    from battlesim.engine.roster import Entrant
    from battlesim.engine.saved import SavedGame
    from battlesim.rules.scenario import Scenario


def add(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "scenario",
        metavar="SCENARIO",
        nargs="?",
        help="a shipped scenario's name, or a file; with --resume none",
    )
    parser.add_argument(
        "--agent",
        action="append",
        default=[],
        metavar="SIDE=NAME",
        help="the agent of a side: a shipped agent, file.py, file.py:Class or module:Class, with parameters after commas "
        "(greedy,exposure=0.8); human, for a person at this terminal; without SIDE= for both sides (greedy)",
    )
    parser.add_argument("--seed", type=seed, default=0, metavar="N", help="the battle's seed (0)")
    parser.add_argument(
        "--games", type=at_least_one, default=1, metavar="N", help="play N seeds, from --seed on (1)"
    )
    parser.add_argument(
        "--record",
        metavar="FILE",
        help="write the record, compressed where FILE ends in .gz, over an older record; with several games each record has its "
        "seed in its name",
    )
    parser.add_argument(
        "--save",
        metavar="FILE",
        help="where the game is saved when a person leaves it (SCENARIO-SEED.saved)",
    )
    parser.add_argument("--resume", metavar="FILE", help="go on with a game that was left")
    parser.add_argument(
        "--page",
        action="store_true",
        help="the person plays on a page of this machine, whose address is told",
    )
    parser.add_argument("--port", type=port, metavar="N", help="the page's port (any that is free)")
    parser.add_argument(
        "--limit",
        type=_seconds,
        default=0.0,
        metavar="SECONDS",
        help="time limit of an agent for one answer (none)",
    )
    parser.add_argument(
        "--imagine",
        type=_count,
        metavar="N",
        help="how many imagined questions an agent may answer before each of its answers (no limit)",
    )
    parser.add_argument(
        "--milliseconds",
        type=_count,
        metavar="N",
        help="how long it may imagine; with a clock the same seed need not give the same battle (no limit)",
    )
    parser.add_argument(
        "--explain",
        nargs="?",
        const="words",
        choices=("words", "terms"),
        help="say in the story what an agent expects of each act, what speaks against it and what was second; terms: show its "
        "five best answers at each question with their terms",
    )
    parser.add_argument("--quiet", action="store_true", help="print only the result")
    add_json(parser)


def _seconds(text: str) -> float:
    try:
        number = float(text)
    except ValueError:
        number = -1.0
    if not 0 <= number <= 86_400:
        raise argparse.ArgumentTypeError(f"{text!r} is not a number of seconds from 0 to 86400")
    return number


def _count(text: str) -> int:
    if not text.isdecimal() or not 1 <= int(text) <= 86_400_000:
        raise argparse.ArgumentTypeError(f"{text!r} is not a whole number from 1 to 86400000")
    return int(text)


def _limits(args: argparse.Namespace) -> Limits:
    """The limits of agents that the flags give."""
    from msgspec import UNSET

    from battlesim.engine.header import Limits

    return Limits(
        seconds=args.limit, questions=args.imagine or UNSET, milliseconds=args.milliseconds or UNSET
    )


def run(args: argparse.Namespace) -> int:
    from battlesim.core.errors import Fault, InputError
    from battlesim.core.files import is_standard_output, is_stream
    from battlesim.engine.agent_sources import HUMAN
    from battlesim.engine.roster import find_agent
    from battlesim.scenario.load import load_scenario

    if args.port is not None and not args.page:
        raise InputError(Fault("--port is for the page of a person who plays", "add --page, or leave it out"))
    if args.explain and args.limit:
        what = "--explain would take from the time that --limit gives, and so change the battle"
        raise InputError(Fault(what, "leave out one of the two, or give --imagine"))
    if args.explain and (args.quiet or args.json):
        what = f"--explain is told in the story, which {'--json' if args.json else '--quiet'} leaves out"
        raise InputError(Fault(what, "leave out one of the two"))
    if args.explain and args.games > 1:
        what = f"--explain tells the story of one game, not of {args.games}"
        raise InputError(Fault(what, "leave out --explain or --games; --seed says which game is played"))
    people: dict[int, Any]
    if args.resume or args.scenario is None:
        from battlesim.cli.human import check_save, people_of, resumed, seated
        from battlesim.engine.origin import entrant_of

        saved, scenario = resumed(args)
        people = people_of([player.name for player in saved.header.agents], scenario, args.page)
        entrants = [seated(people[s]) if s in people else entrant_of(saved, s) for s in (0, 1)]
        check_save(args, scenario, saved.header.seeds.battle)
        _check_record(args, scenario)
        _one(args, scenario, entrants, saved.header.options, people, saved)
        return 0
    scenario = load_scenario(args.scenario)
    if args.seed + args.games > 2**63:
        raise InputError(Fault(f"--seed {args.seed} leaves no room for {args.games} games", "begin lower"))
    names = by_side(args.agent, [side.name for side in scenario.sides], ("greedy", "greedy"))
    people = {}
    if HUMAN in names or args.page:
        from battlesim.cli.human import check, check_save, people_of, seated

        check(args)
        people = people_of(names, scenario, args.page)
        check_save(args, scenario, args.seed)
        entrants = [seated(people[s]) if s in people else find_agent(name) for s, name in enumerate(names)]
    else:
        if args.save:
            raise InputError(Fault("--save is for a person who plays; nobody does", "leave it out"))
        entrants = [find_agent(name) for name in names]
    if args.record and args.games > 1 and is_stream(args.record):
        what = f"--record {args.record}: {args.games} records do not go into one pipe or device"
        raise InputError(Fault(what, "name a file; each record gets its seed in the name"))
    _check_record(args, scenario)
    if not args.json:
        for fault in scenario.warnings:
            print(f"warning: {fault}", file=sys.stderr)
    if args.record and not args.json and is_standard_output(args.record):
        with redirect_stdout(sys.stderr):  # only the record goes to standard output
            _one(args, scenario, entrants, _limits(args), people)
    elif args.games == 1:
        _one(args, scenario, entrants, _limits(args), people)
    else:
        play_many(args, scenario, entrants, _limits(args))
    return 0


def _check_record(args: argparse.Namespace, scenario: Scenario) -> None:
    if args.record:
        seeds = range(args.seed, args.seed + args.games)
        files = [numbered(args.record, number) for number in seeds] if args.games > 1 else []
        check_record(args.record, scenario, args.json, files)


def check_record(record: str, scenario: Scenario, as_json: bool, files: Sequence[str | Path] = ()) -> None:
    """Check where `--record` writes, before anything is played. `files`: the file of each game, if there are several.

    Raises InputError if a record could not be written, would replace a file that is not a record, or would mix with the row that
    `--json` prints.
    """
    from battlesim.core.errors import Fault, InputError
    from battlesim.core.files import is_same_file, is_standard_output
    from battlesim.engine.record_file import check_target

    if as_json and is_standard_output(record):
        what = f"--record {record} and --json would mix the record with the row"
        raise InputError(Fault(what, "write the record to a file, or leave out --json"))
    if scenario.path and is_same_file(record, scenario.path):
        raise InputError(Fault("the record would replace the scenario", "give it a name of its own", record))
    for file in files or (record,):
        check_target(file)


def _one(
    args: argparse.Namespace,
    scenario: Scenario,
    entrants: Sequence[Entrant],
    limits: Limits,
    people: dict[int, Any],
    resume: SavedGame | None = None,
) -> None:
    """Play one game, or continue one, and tell its story; a game that a person leaves is saved. `people`: by side."""
    from battlesim.cli.explain import Explanations, told_with
    from battlesim.core.errors import Fault, InputError
    from battlesim.engine.saved import Leave

    said = Explanations(args.explain or "")
    seen = bool(people)  # a person who plays need not see the story
    if args.explain and seen:
        remedy = "leave it out; with --record, `battlesim watch RECORD --explain` shows it afterwards"
        raise InputError(Fault("--explain would tell a person who plays what the enemy thinks", remedy))
    if args.explain:
        entrants = said.entrants(entrants)
    seed = resume.header.seeds.battle if resume else args.seed
    telling = _telling(people, resume)
    with _page(args, people) as told:
        try:
            game = play_one(scenario, entrants, seed, limits, args.record, not seen, resume, telling)
        except Leave as leave:
            from battlesim.cli.human import save

            told("left", save(leave, args))
            return
        if telling is not None:
            telling.end()
        kept = f" The record is in {args.record}." if args.record else ""
        told("over", f"{result_line(game)}.{kept}")
    if args.json:
        print_json(game.row())
        return
    if not args.quiet and not seen:
        for line in told_with(game, said):
            print(line)
        print()
    print(result_line(game))


@contextmanager
def _page(args: argparse.Namespace, people: dict[int, Any]) -> Iterator[Callable[[str, str], None]]:
    """Offers the page of a person who plays on one. Yields the function that reports to the page how the game ended."""
    if not args.page:
        yield lambda phase, result: None
        return
    from battlesim.cli.page_player import offered

    (player,) = people.values()
    with offered(player, args.port or 0):
        yield player.end


def _telling(people: dict[int, Any], resume: SavedGame | None) -> Telling | None:
    """The listener that shows people what they hear between questions."""
    if not people:
        return None
    from battlesim.cli.seat import Telling

    return Telling(people, len(resume.answers) if resume else 0)
