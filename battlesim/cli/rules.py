"""`battlesim rules`: the clauses of a rulebook."""

from __future__ import annotations

import argparse

from battlesim.cli.common import add_json, print_json


def add(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("ruleset", metavar="RULESET", help="a ruleset's name")
    add_json(parser)


def run(args: argparse.Namespace) -> int:
    from textwrap import fill

    from msgspec import to_builtins

    from battlesim.rules.registry import clause_table
    from battlesim.rulesets.finder import find_ruleset

    ruleset = find_ruleset(args.ruleset)
    clauses = clause_table(ruleset.folder)
    if args.json:
        print_json([to_builtins(clause) for clause in clauses])
        return 0
    print(f"{ruleset.title} ({ruleset.name}, version {ruleset.version})")
    for clause in clauses:
        home = clause.module or "no chapter"
        print(
            f"\n{clause.id}  [{clause.source}, {home}, {len(clause.tests)} tests, used {clause.uses} times]"
        )
        print(fill(clause.text, 100, initial_indent="  ", subsequent_indent="  "))
    used = sum(clause.uses > 0 for clause in clauses)
    tested = sum(bool(clause.tests) for clause in clauses)
    print(f"\n{len(clauses)} clauses, {tested} with tests, {used} used in play")
    return 0
