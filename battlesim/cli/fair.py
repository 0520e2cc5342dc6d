"""`battlesim fair`: is a scenario fair, and what decides it? An agent plays both sides, often enough to show a bias."""

from __future__ import annotations

import argparse
import json

from battlesim.cli.common import at_least_one, flags_named, number, seed
from battlesim.cli.extras import check_extra
from battlesim.cli.running import add_running, go_on, start
from battlesim.core.errors import Fault, InputError

GAMES = 200
"""Default number of games of each agent: they show a bias of 60:40 in about 80% of runs."""


def add(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("scenarios", nargs="*", metavar="SCENARIO", help="shipped scenarios, or files")
    parser.add_argument(
        "--agent",
        action="append",
        dest="agents",
        metavar="NAME",
        help="the agent that plays both sides (greedy); may be given several times",
    )
    parser.add_argument(
        "--games", type=at_least_one, metavar="N", help=f"games of each agent on each scenario ({GAMES})"
    )
    parser.add_argument(
        "--bound",
        type=number,
        default=0.6,
        metavar="SHARE",
        help="a scenario is called fair where a bias of this share is ruled out (0.6)",
    )
    parser.add_argument("--seed", type=seed, default=1, metavar="N", help="the run's seed (1)")
    add_running(parser)


def run(args: argparse.Namespace) -> int:
    check_extra("tournament")
    from battlesim.tournament.config import parse_config

    if args.resume:
        return go_on(args, add)
    if not args.scenarios:
        raise InputError(Fault("no scenario is given", "name one: battlesim fair skirmish"))
    if not 0.5 < args.bound < 1:
        what = f"--bound {args.bound:g} is not a share between 0.5 and 1"
        raise InputError(Fault(what, "for a bias of 60:40 give 0.6"))
    games = GAMES if args.games is None else args.games
    stem = args.scenarios[0].replace("\\", "/").rpartition("/")[2].removesuffix(".yaml")
    value = {
        "name": f"fair-{stem}"[:60],
        "format": "control",
        "agents": args.agents or ["greedy"],
        "scenarios": args.scenarios,
        "games": max(2, games),
        "control": games,
        "seed": args.seed,
        "trust": {"fair": args.bound},
    }
    with flags_named(add, vars(args)):
        asked = parse_config(value)
    return start(args, asked, (json.dumps(value, indent=1) + "\n").encode(), ".json", None)
