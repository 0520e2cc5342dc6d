"""`battlesim rules`: lists the rulebooks, or the clauses of one."""

from __future__ import annotations

import argparse
import sys
from typing import TYPE_CHECKING, Any

from battlesim.cli.common import add_json, print_json, some, table

if TYPE_CHECKING:
    from battlesim.rules.registry import Clause


def add(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "ruleset", nargs="?", metavar="RULESET", help="a ruleset's name; without it, list the rulesets"
    )
    add_json(parser)


def run(args: argparse.Namespace) -> int:
    if args.ruleset is None:
        return _list(args.json)
    from textwrap import fill

    from msgspec import to_builtins

    from battlesim.rules.registry import RARE, clause_table
    from battlesim.rulesets.finder import find_ruleset

    ruleset = find_ruleset(args.ruleset)
    clauses = clause_table(ruleset.folder)
    if args.json:
        print_json([to_builtins(clause) for clause in clauses])
        return 0
    print(f"{ruleset.title} ({ruleset.name}, version {ruleset.version})")
    counted = any(
        clause.module for clause in clauses
    )  # a package of its own need not count its tests and uses
    for clause in clauses:
        home = clause.module or "no chapter"
        more = f", {home}, {some(len(clause.tests), 'test')}, {_used(clause)}" if counted else ""
        print(f"\n{clause.id}  [{clause.source}{more}]")
        print(fill(clause.text, 100, initial_indent="  ", subsequent_indent="  "))
    if not counted:
        print(f"\n{len(clauses)} clauses")
        return 0
    used = sum(clause.uses > 0 for clause in clauses)
    tested = sum(bool(clause.tests) for clause in clauses)
    players = sum(clause.players > 0 for clause in clauses)
    told = (
        "A clause is used where it applies in one of the standard games, some of which random plays. By players: in the games of "
        "other agents. The share is of the games of the scenario in which they use the clause most."
    )
    print(f"\n{fill(told, 100)}")
    print(
        f"\n{len(clauses)} clauses, {tested} with tests, {used} used in play, {players} by players other than random"
    )
    if rare := [clause.id for clause in clauses if clause.rare]:
        print(
            fill(
                f"Book clauses that do more than forbid and that players use in less than {RARE:.0%} of the games of every "
                f"scenario: {', '.join(rare)}",
                100,
            )
        )
    return 0


def _used(clause: Clause) -> str:
    """How often a clause was used in the standard games, and how often by players: "used 12 times; by players 3, in up to
    40% of the games of village"."""
    used = f"used {some(clause.uses, 'time')}"
    if clause.forbids:
        return f"{used} to forbid"
    if not clause.players:
        return f"{used}, never by players"
    return f"{used}; by players {clause.players:,}, in up to {clause.share:.0%} of the games of {clause.scenario}"


def _list(as_json: bool) -> int:
    """The rulesets that ship and those of installed packages; faults of a ruleset are reported beside the list."""
    from battlesim.core.errors import InputError
    from battlesim.rules.registry import read_clauses
    from battlesim.rulesets.finder import RULESETS, find_ruleset, installed_rulesets, taken_names

    rows: list[dict[str, Any]] = []
    for name, source in {**dict.fromkeys(RULESETS, "shipped"), **installed_rulesets()}.items():
        row = {"name": name, "source": source, "version": "", "title": "", "clauses": 0, "fault": ""}
        try:
            ruleset = find_ruleset(name)
            row |= {"version": ruleset.version, "title": ruleset.title}
            row["clauses"] = len(read_clauses(ruleset.folder))
        except InputError as error:
            row["fault"] = str(error)
        rows.append(row)
    for name, source in taken_names().items():
        fault = (
            f"package {source} offers a ruleset {name!r}, but that is the name of one that ships; rename it"
        )
        rows.append(
            {"name": name, "source": source, "version": "", "title": "", "clauses": 0, "fault": fault}
        )
    if as_json:
        print_json(rows)
        return 0
    fit = [row for row in rows if not row["fault"]]
    for line in table(
        [
            (r["name"], f"version {r['version']}", f"{r['clauses']} clauses", r["source"], r["title"])
            for r in fit
        ]
    ):
        print(line)
    for row in rows:
        if row["fault"]:
            print(f"warning: {row['fault']}", file=sys.stderr)
    return 0
