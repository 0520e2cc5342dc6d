"""`battlesim agents`: the agents that can play."""

from __future__ import annotations

import argparse

from battlesim.cli.common import add_json, print_json, table


def add(parser: argparse.ArgumentParser) -> None:
    add_json(parser)


def run(args: argparse.Namespace) -> int:
    from battlesim.engine.roster import entry_points, shipped_agents, shipped_file

    rows = [
        (name, "shipped", _about(shipped_file(name).read_text(encoding="utf-8"))) for name in shipped_agents()
    ]
    rows += [(name, "installed", home) for name, home in sorted(entry_points().items())]
    if args.json:
        print_json([{"name": name, "source": source, "about": about} for name, source, about in rows])
        return 0
    for line in table([(name, about) for name, _, about in rows]):
        print(line)
    print("also: file.py, file.py:Class, module:Class; parameters after commas, as in greedy,exposure=0.8")
    return 0


def _about(source: str) -> str:
    """The first line of a file's docstring."""
    import ast

    words = ast.get_docstring(ast.parse(source)) or ""
    return words.partition("\n")[0]
