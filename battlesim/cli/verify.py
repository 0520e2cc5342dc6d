"""`battlesim verify`: checks a record against the rules, or against rules and agents."""

from __future__ import annotations

import argparse
import sys

from battlesim.cli.common import add_json, by_side, print_json


def add(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("record", metavar="RECORD", help="a record, as play --record writes it")
    parser.add_argument("--agents", action="store_true", help="ask the agents again, too")
    parser.add_argument("--scenario", metavar="FILE", help="the scenario, for an old record without it")
    parser.add_argument(
        "--agent",
        action="append",
        default=[],
        metavar="SIDE=NAME",
        help="the file of an agent that does not ship with battlesim",
    )
    add_json(parser)


def run(args: argparse.Namespace) -> int:
    from msgspec import to_builtins

    from battlesim.engine.record import read_record
    from battlesim.engine.verify import verify
    from battlesim.viewer.wording import printable

    record = read_record(args.record)
    entrants = by_side(args.agent, record.header.sides, (None, None))
    verdict = verify(record, args.agents or bool(args.agent), args.scenario, entrants)
    if args.json:
        print_json({"record": record.path, "record_hash": record.digest} | to_builtins(verdict))
    else:
        for note in verdict.notes:
            print(f"note: {note}", file=sys.stderr)
        for line in str(verdict).split("\n"):
            print(printable(line))
        for what in verdict.unchecked:
            print(f"not checked: {what}")
    return 0 if verdict.same else 1
