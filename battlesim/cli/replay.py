"""`battlesim replay`: tells the story of a record, or draws a position."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from battlesim.engine.record import Record
    from battlesim.rules.scenario import Scenario
    from battlesim.viewer.picture import ScenarioMarks

from battlesim.cli.common import add_json, at_least_one, print_json, whole_number
from battlesim.cli.pictures import check_picture, write_picture


def add(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("record", metavar="RECORD", help="a record, as play --record writes it")
    parser.add_argument(
        "--picture",
        metavar="FILE.svg",
        help="draw a position instead of telling the story: SVG, or PNG by the name (extra: pictures)",
    )
    parser.add_argument(
        "--turn", type=at_least_one, metavar="N", help="the position at the end of turn N (the last one)"
    )
    parser.add_argument("--map", metavar="MAP", help="the map, for an old record that does not hold it")
    parser.add_argument(
        "--scenario",
        metavar="SCENARIO",
        help="for zones, where an old record does not hold it",
    )
    parser.add_argument(
        "--floor",
        type=whole_number,
        metavar="N",
        help="of the upper floors only this one, 0 for none (all that are held)",
    )
    add_json(parser)


def run(args: argparse.Namespace) -> int:
    from msgspec import to_builtins

    from battlesim.core.codec import position
    from battlesim.core.errors import Fault, InputError
    from battlesim.core.files import is_same_file
    from battlesim.engine.record import read_record
    from battlesim.engine.replay import replay
    from battlesim.viewer.story import tell_record

    if not args.picture and (args.turn is not None or args.floor is not None):
        what = "--turn and --floor say what a picture shows; the story is told whole"
        raise InputError(Fault(what, "add --picture FILE.svg, or leave them out"))
    if not args.picture and (args.map or args.scenario):
        what = f"{'--map' if args.map else '--scenario'} is for a picture; the story needs none"
        raise InputError(Fault(what, "add --picture FILE.svg, or leave it out"))
    if args.picture:
        if is_same_file(args.picture, args.record):
            what = "the picture would replace the record"
            raise InputError(Fault(what, "give it a name of its own", args.picture))
        check_picture(args.picture, "--picture")
        return _picture(read_record(args.record), args)
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


def _picture(record: Record, args: argparse.Namespace) -> int:
    """Draw the position at the end of a turn, on the map that the record names."""
    from battlesim.board.draw import count_floors
    from battlesim.core.errors import Fault, InputError
    from battlesim.engine.origin import board_of
    from battlesim.engine.replay import replay
    from battlesim.viewer.film import film_of
    from battlesim.viewer.picture import draw_picture

    header = record.header
    board = board_of(record, args.map)
    last = sum(1 for _ in replay(record)) - 1  # the record is valid
    if args.turn is not None and args.turn > last + 1:
        raise InputError(Fault(f"--turn {args.turn}: the battle ended before", f"1 to {last}", record.path))
    if args.floor is not None and not 0 <= args.floor < count_floors(board):
        what = f"--floor {args.floor}: {board.name} has no such floor"
        raise InputError(Fault(what, f"0 to {count_floors(board) - 1}"))
    scenario = fought_scenario(record, args.scenario)
    when = "at the end" if args.turn is None else f"after turn {args.turn}"
    first, second = header.sides
    caption = f"{header.scenario.name} {when}: {first} in red boxes, {second} in blue pointed ones"
    setting = setting_of(scenario) if scenario is not None else None
    svg = draw_picture(board, header, film_of(record, board), args.turn, args.floor, caption, setting=setting)
    write_picture(args.picture, svg, "--picture")
    if args.json:
        print_json({"picture": args.picture, "turn": args.turn, "floor": args.floor})
    else:
        print(f"{args.picture}: {caption}")
    return 0


def setting_of(scenario: Scenario) -> ScenarioMarks:
    """A scenario's zones, as pictures show them."""
    from battlesim.viewer.picture import ScenarioMarks

    zones = [
        (side, zone.name, zone.spaces) for side, info in enumerate(scenario.sides) for zone in info.zones
    ]
    return ScenarioMarks(tuple(zones))


def fought_scenario(record: Record, given: str | None) -> Scenario | None:
    """The scenario that was fought, for drawing; None if an old record does not contain it and none of its name is found."""
    from battlesim.core.errors import Fault, InputError
    from battlesim.engine.origin import scenario_of

    named = record.header.scenario
    try:
        scenario = scenario_of(record, given)
    except InputError:
        if given is None and named.said is None:
            return None
        raise
    if scenario.digest == named.digest:
        return scenario
    if given is None:
        return None
    what = f"scenario {scenario.name!r} is not the one this battle was fought by"
    raise InputError(Fault(what, "give its file with --scenario", record.path))
