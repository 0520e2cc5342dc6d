"""`battlesim replay`: the story of a record."""

from __future__ import annotations

import argparse

from battlesim.cli.common import add_json, print_json


def add(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("record", metavar="RECORD", help="a record, as play --record writes it")
    add_json(parser)


def run(args: argparse.Namespace) -> int:
    from msgspec import to_builtins

    from battlesim.core.codec import position
    from battlesim.engine.record import read_record, replay
    from battlesim.viewer.story import tell_record

    record = read_record(args.record)
    states = [(state.turn, position(state)) for state in replay(record)]
    if args.json:
        header = record.header
        print_json(
            {
                "record": record.path,
                "record_hash": record.digest,
                "scenario": header.scenario.name,
                "ruleset": header.ruleset.name,
                "map": header.map.name,
                "seed": header.seeds.battle,
                "agents": {s: a.name for s, a in zip(header.sides, header.agents, strict=True)},
                "events": len(record.events),
                "positions": [{"turn": turn, "position": digest} for turn, digest in states],
                "outcome": to_builtins(record.outcome),
                "story": list(tell_record(record)),
            }
        )
        return 0
    for line in tell_record(record):
        print(line)
    return 0
