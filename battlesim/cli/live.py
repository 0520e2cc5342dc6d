"""A battle told while it is played: `battlesim watch SCENARIO`. Read `live_story`."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from battlesim.cli.common import by_side, print_json, seed

if TYPE_CHECKING:
    from battlesim.engine.battle import Battle, Question
    from battlesim.engine.game import Game
    from battlesim.engine.header import Limits
    from battlesim.engine.roster import Entrant
    from battlesim.rules.scenario import Scenario


def add_live(parser: argparse.ArgumentParser) -> None:
    """Add the flags of a scenario that is watched."""
    live = parser.add_argument_group("a scenario that is played")
    live.add_argument(
        "--agent",
        action="append",
        default=[],
        metavar="SIDE=NAME",
        help="the agent of a side, as in play (greedy)",
    )
    live.add_argument("--seed", type=seed, default=0, metavar="N", help="the battle's seed (0)")
    live.add_argument("--record", dest="keep", metavar="FILE", help="write the record, too")
    live.add_argument("--step", action="store_true", help="wait for Enter before each turn")


def is_scenario(name: str) -> bool:
    """Whether the name to watch is a scenario: a YAML file, or a name that is neither a file's nor a record's."""
    kind = Path(name).suffix
    return kind in (".yaml", ".yml") or (not Path(name).is_file() and kind not in (".jsonl", ".gz"))


def watch_live(args: argparse.Namespace) -> int:
    """`watch SCENARIO`: play it and tell it turn by turn."""
    from battlesim.cli.play import check_record
    from battlesim.core.errors import Fault, InputError
    from battlesim.engine.roster import find_agent
    from battlesim.scenario.load import load_scenario

    for word, value in vars(args).items():
        if word in ("out", "explain", "plain", "asked", "map", "scenario") and value:
            what = f"--{word} is for the page of a record"
            raise InputError(Fault(what, "leave it out, or play the scenario with --record and watch that"))
    scenario = load_scenario(args.record)
    names = by_side(args.agent, [side.name for side in scenario.sides], ("greedy", "greedy"))
    entrants = [find_agent(name) for name in names]
    if args.keep:
        check_record(args.keep, scenario, args.json)

    def say(line: str) -> None:
        if not args.json:
            print(line, flush=True)

    def wait(turn: int) -> None:
        if args.step:
            print(f"-- Enter for turn {turn} --", end="", file=sys.stderr, flush=True)
            sys.stdin.readline()

    game = live_story(scenario, entrants, args.seed, None, say, wait)
    if args.keep:
        game.save(args.keep)
    if args.json:
        print_json(game.row())
    return 0


def live_story(
    scenario: Scenario,
    entrants: Sequence[Entrant],
    seed: int,
    limits: Limits | None = None,
    say: Callable[[str], None] = print,
    wait: Callable[[int], None] = lambda turn: None,
) -> Game:
    """Play a battle and tell it line by line as it happens, as `replay` tells its record. `wait` is called with each turn's
    number when that turn is about to begin."""
    from battlesim.core.codec import dump_state
    from battlesim.engine.game import header_of, play, seeds_of
    from battlesim.engine.header import Limits, Player
    from battlesim.scenario.load import first_state
    from battlesim.viewer.story import Story

    limits = limits or Limits()
    one, two = (Player(entrant.name, entrant.digest) for entrant in entrants)
    start = dump_state(first_state(scenario, seed))
    story = Story(header_of(scenario, seeds_of(seed), (one, two), limits, start))
    told = turn = 0
    for line in story.heading():
        say(line)

    def listener(battle: Battle, question: Question) -> None:
        nonlocal told, turn
        events = battle.log[told:]
        told += len(events)
        for line in story.tell(events):
            say(line)
        if battle.state.turn != turn:
            turn = battle.state.turn
            wait(turn)

    game = play(scenario, entrants, seed, limits, listener)
    for line in (*story.tell(game.log[told:]), *story.rest()):
        say(line)
    return game
