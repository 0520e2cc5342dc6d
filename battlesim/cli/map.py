"""`battlesim map`: check, draw or import a map."""

from __future__ import annotations

import argparse
from pathlib import Path

from battlesim.cli import map_import
from battlesim.cli.common import add_json, print_json, some, whole_number


def add(parser: argparse.ArgumentParser) -> None:
    parser.set_defaults(map_run=lambda _: _help(parser))
    verbs = parser.add_subparsers(title="verbs", metavar="VERB", dest="map_verb")
    check = verbs.add_parser("check", help="report every fault of a map")
    check.add_argument("map", metavar="MAP", help="a shipped map's name, or a file")
    add_json(check)
    check.set_defaults(map_run=_check)
    draw = verbs.add_parser("draw", help="draw it: an SVG of each floor, or one picture of all")
    draw.add_argument("map", metavar="MAP", help="a shipped map's name, or a file")
    draw.add_argument(
        "--out",
        metavar="FOLDER|FILE",
        default=".",
        help="the folder for a drawing of each floor (this one), or a .svg or .png file for one with all floors side by side",
    )
    draw.add_argument(
        "--floor", type=whole_number, metavar="N", help="this floor only, 0 for the ground floor"
    )
    add_json(draw)
    draw.set_defaults(map_run=_draw)
    taken = verbs.add_parser("import", help="make a map from real building footprints (extra: geo)")
    map_import.add(taken)
    taken.set_defaults(map_run=map_import.run)


def _help(parser: argparse.ArgumentParser) -> int:
    """What `battlesim map` alone prints: its verbs."""
    parser.print_help()
    return 0


def run(args: argparse.Namespace) -> int:
    code: int = args.map_run(args)
    return code


def _check(args: argparse.Namespace) -> int:
    from battlesim.board.check import check_map, format_faults
    from battlesim.board.load import map_path

    path = map_path(args.map)
    faults = check_map(path)
    errors = sum(fault.level == "error" for fault in faults)
    if args.json:
        print_json({"map": str(path), "faults": [_plain(fault) for fault in faults]})
    else:
        if faults:
            print(format_faults(faults))
        told = f"{some(errors, 'error')}, {some(len(faults) - errors, 'warning')}"
        print(f"{path}: {told}")
    return 2 if errors else 0


def _plain(fault: object) -> object:
    from msgspec import to_builtins

    return to_builtins(fault)


def _draw(args: argparse.Namespace) -> int:
    from battlesim.board.draw import count_floors, draw_map
    from battlesim.board.load import load_map
    from battlesim.cli.pictures import check_picture, is_picture, write_picture
    from battlesim.cli.targets import check_drawing
    from battlesim.core.errors import Fault, InputError
    from battlesim.viewer.picture import draw_board

    one = is_picture(args.out) and not Path(args.out).is_dir()
    if one:
        check_picture(args.out, "--out")
    board = load_map(args.map)
    floors = range(count_floors(board))
    if args.floor is not None:
        if args.floor not in floors:
            raise InputError(
                Fault(f"--floor {args.floor}: no such floor", f"0 to {floors[-1]}", str(args.map))
            )
        floors = range(args.floor, args.floor + 1)
    paths = {floor: Path(args.out) / f"{board.name}-{floor}.svg" for floor in ([] if one else floors)}
    for path in paths.values():
        if path.exists():
            check_drawing(path)
    made: list[str] = []
    if one:
        svg = draw_board(board) if args.floor is None else draw_map(board, args.floor)
        write_picture(args.out, svg, "--out")
        made.append(args.out)
    for floor, path in paths.items():
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            what = f"the folder cannot be made: {error.strerror}"
            remedy = "name a folder that can be written to: --out FOLDER"
            raise InputError(Fault(what, remedy, str(path.parent))) from None
        write_picture(str(path), draw_map(board, floor), "--out")
        made.append(str(path))
    if args.json:
        print_json({"map": board.name, "drawings": made})
    else:
        for name in made:
            print(name)
    return 0
