"""`battlesim compare`: is one agent better than another? It plays a match that stops as soon as the pairs decide."""

from __future__ import annotations

import argparse
import json

from battlesim.cli.common import at_least_one, flags_named, number, seed, whole_number
from battlesim.cli.extras import check_extra
from battlesim.cli.running import add_running, go_on, start
from battlesim.core.errors import Fault, InputError

MOST = 20_000
"""The most games of a comparison, unless --games is given."""


def add(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "agents", nargs="*", metavar="AGENT", help="two agents; the first is tested for being better"
    )
    parser.add_argument(
        "--scenarios", nargs="+", metavar="NAME", help="shipped scenarios, or files (skirmish)"
    )
    parser.add_argument(
        "--elo0", type=number, default=0.0, help="H0: the first is better by at most this (0)"
    )
    parser.add_argument("--elo1", type=number, default=20.0, help="H1: it is better by at least this (20)")
    parser.add_argument(
        "--alpha", type=number, default=0.05, help="chance to accept H1 where H0 is true (0.05)"
    )
    parser.add_argument(
        "--beta", type=number, default=0.05, help="chance to accept H0 where H1 is true (0.05)"
    )
    parser.add_argument(
        "--games", type=at_least_one, metavar="N", help=f"on each scenario at most ({MOST} in all)"
    )
    parser.add_argument(
        "--control",
        type=whole_number,
        metavar="N",
        help="games of each agent against itself on each scenario (a tenth of the games)",
    )
    parser.add_argument("--seed", type=seed, default=1, metavar="N", help="the comparison's seed (1)")
    add_running(parser)


def run(args: argparse.Namespace) -> int:
    check_extra("tournament")
    from battlesim.tournament.config import parse_config

    if args.resume:
        return go_on(args, add)
    if len(args.agents) != 2:
        raise InputError(Fault(f"a comparison has two agents, not {len(args.agents)}", "name two"))
    scenarios = args.scenarios or ["skirmish"]
    games = args.games or max(2, MOST // len(scenarios) // 2 * 2)
    value = {
        "name": "-".join(["compare", *(name.partition(",")[0].rpartition("/")[2] for name in args.agents)])[
            :60
        ],
        "format": "match",
        "agents": args.agents,
        "scenarios": scenarios,
        "games": games,
        "control": games // 10 if args.control is None else args.control,
        "seed": args.seed,
        "stop": {"elo0": args.elo0, "elo1": args.elo1, "alpha": args.alpha, "beta": args.beta},
    }
    with flags_named(add, vars(args)):
        asked = parse_config(value)
    return start(args, asked, (json.dumps(value, indent=1) + "\n").encode(), ".json", None)
