"""`battlesim maps`: the maps that ship."""

from __future__ import annotations

import argparse

from battlesim.cli.common import add_json, print_json, table


def add(parser: argparse.ArgumentParser) -> None:
    add_json(parser)


def run(args: argparse.Namespace) -> int:
    from battlesim.board.load import load_map, shipped_maps

    boards = [load_map(name) for name in shipped_maps()]
    if args.json:
        print_json(
            [
                {
                    "name": board.name,
                    "title": board.title,
                    "unit": board.unit,
                    "size": [board.size[0] / 100, board.size[1] / 100],
                    "spaces": len(board.spaces),
                    "sections": len(board.sections),
                    "attribution": board.attribution,
                    "license": board.license,
                }
                for board in boards
            ]
        )
        return 0
    for line in table(
        [
            (
                board.name,
                f"{board.size[0] / 100:g} x {board.size[1] / 100:g} {board.unit}",
                f"{len(board.spaces)} spaces",
                f"{len(board.sections)} section" + "s" * (len(board.sections) != 1),
                board.title,
            )
            for board in boards
        ]
    ):
        print(line)
    return 0
