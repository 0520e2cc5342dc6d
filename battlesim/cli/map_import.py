"""`battlesim map import`: makes a map file from real building footprints (extra `geo`)."""

from __future__ import annotations

import argparse
from typing import Any

from battlesim.cli.common import add_json, print_json
from battlesim.cli.progress import reporting

_LENGTHS = (
    ("scale", "metres of the world to an inch of the map"),
    ("pitch", "inches between nodes of the ground"),
    ("storey", "inches a floor is high"),
    ("storey_metres", "metres to a floor where only a height is tagged"),
    ("windows", "inches of outer wall to a window"),
    ("detail", "inches below which outlines are smoothed"),
    ("smallest", "square inches below which houses and courts are left out"),
)
_COUNTS = (
    ("default_levels", "floors of a house without a tag"),
    ("max_levels", "floors no house has more of"),
    ("flat_roofs", "of a hundred houses without a tag, so many get a flat roof"),
    ("seed", "for what chance decides"),
)
_TEXTS = (
    ("material", "of houses without a tag: wood, brick, stone or concrete"),
    ("name", "the map's name (that of the file)"),
    ("title", "the map's title"),
    ("attribution", "whose data they are"),
    ("license", "terms of the data"),
)


def add(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("file", metavar="FILE", help=".osm.pbf, .osm or .geojson")
    parser.add_argument("--out", required=True, metavar="FILE", help="the map file to write")
    where = parser.add_mutually_exclusive_group()
    degrees = ("WEST", "SOUTH", "EAST", "NORTH")
    where.add_argument("--window", nargs=4, type=float, metavar=degrees, help="in degrees")
    where.add_argument(
        "--centre", nargs=2, type=float, metavar=("LON", "LAT"), help="in degrees; with --size"
    )
    parser.add_argument(
        "--size", nargs=2, type=float, metavar=("WIDTH", "HEIGHT"), help="in inches of the map"
    )
    parser.add_argument(
        "--turn", type=_turn, metavar="DEGREES", help="clockwise, or auto: most walls along the map"
    )
    # No defaults here: those of `import_map` apply.
    for kind, options in ((float, _LENGTHS), (int, _COUNTS), (str, _TEXTS)):
        for name, words in options:
            parser.add_argument(_flag(name), type=kind, metavar=kind.__name__.upper(), help=words)
    parser.add_argument(
        "--connect-party-walls", action="store_true", help="doors between houses that share a wall"
    )
    parser.add_argument("--overwrite", action="store_true", help="replace the map file")
    parser.add_argument("--every", action="store_true", help="name everything that was repaired or left out")
    add_json(parser)


def _flag(name: str) -> str:
    return "--" + name.replace("_", "-")


def _turn(text: str) -> Any:
    if text == "auto":
        return text
    try:
        return float(text)
    except ValueError:
        raise argparse.ArgumentTypeError(f"{text!r} is neither a number of degrees nor auto") from None


def run(args: argparse.Namespace) -> int:
    from msgspec import to_builtins

    from battlesim.core.errors import Fault, InputError
    from battlesim.mapmaking.importer import import_map
    from battlesim.mapmaking.importlog import format_report

    if bool(args.centre) != bool(args.size):
        raise InputError(Fault("--centre and --size go together", "give both, or --window"))
    names = ("window", "centre", "size", "turn", *(n for n, _ in (*_LENGTHS, *_COUNTS, *_TEXTS)))
    given = {name: getattr(args, name) for name in names if getattr(args, name) is not None}
    given |= {name: tuple(value) for name, value in given.items() if isinstance(value, list)}
    options: dict[str, Any] = given
    with reporting(lambda: f"{args.file} is still being imported", always=True):
        report = import_map(
            args.file,
            args.out,
            connect_party_walls=args.connect_party_walls,
            overwrite=args.overwrite,
            **options,
        )
    if args.json:
        print_json(to_builtins(report))
        return 0
    print(format_report(report, args.every))
    return 0
