"""`battlesim watch`: a record as a page to watch the battle on."""

from __future__ import annotations

import argparse
from pathlib import Path

from battlesim.cli.common import add_json, print_json


def add(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("record", metavar="RECORD", help="a record, as play --record writes it")
    parser.add_argument("--out", metavar="FILE.html", help="the page (the record's name with .html)")
    parser.add_argument("--map", metavar="MAP", help="the map, for an old record that does not hold it")
    parser.add_argument(
        "--scenario", metavar="SCENARIO", help="for set-up zones, where an old record does not hold it"
    )
    add_json(parser)


def run(args: argparse.Namespace) -> int:
    from battlesim.cli.replay import fought_scenario, setting_of
    from battlesim.core.errors import Fault, InputError
    from battlesim.core.files import is_same_file, write_file
    from battlesim.engine.origin import board_of
    from battlesim.engine.record import read_record
    from battlesim.engine.replay import replay
    from battlesim.viewer.page import watch_page

    record = read_record(args.record)
    out = args.out or f"{_stem(args.record)}.html"
    if is_same_file(out, args.record):
        raise InputError(Fault("the page would replace the record", "give it a name of its own: --out", out))
    for _ in replay(record):  # it is sound
        pass
    board = board_of(record, args.map)
    scenario = fought_scenario(record, args.scenario)
    setting = setting_of(scenario) if scenario is not None else None
    page = watch_page(record, board, setting).encode("utf-8", "replace")
    write_file(out, page, "the page")
    if args.json:
        print_json({"page": out, "bytes": len(page), "events": len(record.events)})
    else:
        print(f"{out}: {len(page) / 1e6:.1f} MB; open it in a browser")
    return 0


def _stem(record: str) -> Path:
    """The record's name without `.jsonl` and `.gz`."""
    path = Path(record)
    for suffix in (".gz", ".jsonl"):
        if path.suffix == suffix:
            path = path.with_suffix("")
    return path
