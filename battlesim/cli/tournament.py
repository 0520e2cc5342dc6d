"""`battlesim tournament`: agents play one another on scenarios; which is better, by how much, and are the scenarios fair?"""

from __future__ import annotations

import argparse
import json
import secrets
from pathlib import Path
from typing import Any

from battlesim.cli.common import at_least_one, flags_named, seed
from battlesim.cli.extras import check_extra
from battlesim.cli.running import add_running, go_on, start
from battlesim.core.errors import Fault, InputError
from battlesim.core.toml import read_toml


def add(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("file", nargs="?", metavar="FILE", help="what to play, as TOML; flags override it")
    parser.add_argument(
        "--agents", nargs="+", metavar="NAME", help="as `battlesim play` takes them: greedy,exposure=0.8"
    )
    parser.add_argument("--scenarios", nargs="+", metavar="NAME", help="shipped scenarios, or files")
    parser.add_argument(
        "--format",
        choices=("round-robin", "gauntlet", "ladder", "match", "control"),
        help="which agents meet (round-robin)",
    )
    parser.add_argument(
        "--baseline", metavar="NAME", help="gauntlet: the agent that meets all others (the first)"
    )
    parser.add_argument(
        "--games",
        type=at_least_one,
        metavar="N",
        help="games of each pairing on each scenario, an even number (100)",
    )
    parser.add_argument(
        "--control",
        type=_count,
        metavar="N",
        help="games of each agent against itself on each scenario (half of --games, at most 30)",
    )
    parser.add_argument("--seed", type=seed, metavar="N", help="the tournament's seed (1)")
    parser.add_argument(
        "--salt",
        nargs="?",
        const="",
        metavar="TEXT",
        help="a secret for the games' seeds, so that no agent can guess the dice; without TEXT one is drawn and kept in the run",
    )
    parser.add_argument("--name", metavar="NAME", help="the tournament's name")
    parser.add_argument(
        "--records",
        choices=("notable", "all", "none", "faults", "sample"),
        help="which games' records to keep (notable)",
    )
    parser.add_argument("--part", metavar="N/OF", help="play one part; `battlesim merge` merges the parts")
    add_running(parser)


def _count(text: str) -> int:
    if not text.isdecimal():
        raise argparse.ArgumentTypeError(f"{text!r} is not a whole number from 0 on")
    return int(text)


def run(args: argparse.Namespace) -> int:
    check_extra("tournament")
    from battlesim.tournament.config import parse_config, read_config

    given: dict[str, Any] = {
        key: value
        for key in ("agents", "scenarios", "format", "baseline", "games", "control", "seed", "name")
        if (value := getattr(args, key)) is not None
    }
    if args.salt is not None:
        given["salt"] = args.salt or secrets.token_hex(16)
    if args.records:
        given["keep"] = {"records": args.records}
    if args.resume:
        return go_on(args, add)
    if args.file and not given:
        path = Path(args.file)
        asked, data = read_config(path)
        return start(args, asked, data, ".toml", path.parent)
    if args.file:
        written, text = read_toml(Path(args.file), "the tournament's file")
        with flags_named(add, given):  # flags also give what the file leaves out
            asked = parse_config({**given, **written}, args.file, text)
        value = {**asked.model_dump(mode="json", exclude_unset=True), **given}
        if "keep" in given:
            value["keep"] = {**asked.keep.model_dump(), **given["keep"]}
        folder: Path | None = Path(args.file).parent
    else:
        swallowed = [
            name for name in [*(args.agents or ()), *(args.scenarios or ())] if name.endswith(".toml")
        ]
        if swallowed:
            what = f"{swallowed[0]!r} is a tournament's file, not an agent or a scenario"
            raise InputError(Fault(what, f"put it first: battlesim tournament {swallowed[0]} --agents ..."))
        if not args.agents or not args.scenarios:
            missing = "--scenarios" if args.agents else "--agents" if args.scenarios else ""
            what = f"a tournament needs agents and scenarios{missing and f', but {missing} is not given'}"
            remedy = "give a FILE, or --agents greedy rush --scenarios skirmish stairwell"
            raise InputError(Fault(what, remedy))
        value, folder = given, None
    with flags_named(add, given):
        asked = parse_config(value, args.file or "")
    return start(args, asked, (json.dumps(value, indent=1) + "\n").encode(), ".json", folder, given)
