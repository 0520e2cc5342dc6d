"""`battlesim why`: explains why something happened in a recorded battle."""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from battlesim.cli.common import add_json, print_json

if TYPE_CHECKING:
    from battlesim.rules.registry import Clause
    from battlesim.viewer.causes import Explanation

LINE = 110
"""Characters in a line."""


def add(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("record", metavar="RECORD", help="a record, as play --record writes it")
    parser.add_argument(
        "about",
        metavar="EVENT|SECTION|UNIT",
        nargs="+",
        help="an event's number, or the name of a section or unit: how it came to its end, or the last that was done to it; "
        "a number is always an event's: 'unit 7' or 'section 7' is what is called 7",
    )
    parser.add_argument("--clauses", action="store_true", help="give the text of each clause that is named")
    add_json(parser)


def run(args: argparse.Namespace) -> int:
    from msgspec import to_builtins

    from battlesim.engine.record import read_record
    from battlesim.engine.replay import check
    from battlesim.viewer.causes import Causes

    record = read_record(args.record)
    check(record)
    found = Causes(record).explain(" ".join(args.about))
    named = list(dict.fromkeys(clause for link in found.chain for clause in link.clauses))
    texts = clause_texts(record.header.ruleset.name, named) if args.clauses or args.json else []
    if args.json:
        clauses = {clause.id: clause.text for clause in texts}
        print_json({"record": record.path, **to_builtins(found), "clauses": clauses})
        return 0
    for line in lines_of(found, record.header.sides, texts):
        print(line)
    return 0


def clause_texts(ruleset: str, named: Sequence[str]) -> list[Clause]:
    """The clauses of a ruleset that have these ids; none if the ruleset is not installed."""
    from battlesim.core.errors import InputError
    from battlesim.rules.registry import read_clauses
    from battlesim.rulesets.finder import find_ruleset

    try:
        known = {clause.id: clause for clause in read_clauses(find_ruleset(ruleset).folder)}
    except InputError:
        return []
    return [known[name] for name in named if name in known]


def lines_of(found: Explanation, sides: Sequence[str], clauses: Sequence[Clause]) -> Iterator[str]:
    """An explanation as lines of text."""
    from textwrap import wrap

    from battlesim.viewer.wording import printable

    yield from wrap(found.summary, LINE)
    turn = 0
    for link in found.chain:
        if link.turn != turn:
            turn = link.turn
            yield ""
            yield f"Turn {turn}"
        for said in link.said:
            asked = printable(f"{sides[said.side]}, question {said.number}: {said.question} {said.words}")
            yield from wrap(asked, LINE, initial_indent="    ", subsequent_indent="      ")
        dice = f"  [{link.dice}]" if link.dice else ""
        text = f"{link.text}{dice}"
        yield from wrap(text, LINE, initial_indent="  ", subsequent_indent="    ", break_on_hyphens=False)
        named = f": {', '.join(link.clauses)}" if link.clauses else ""
        yield from wrap(
            f"(event {link.event}{named})",
            LINE,
            initial_indent="    ",
            subsequent_indent="      ",
            break_on_hyphens=False,
        )
    if not found.began:
        yield ""
        yield "The record names no order that led to this."
    if found.before:
        yield ""
        yield f"Before that, {found.about}:" if found.about else "Before that:"
        if found.more:
            yield f"  ({found.more} earlier)"
        for blow in found.before:
            text = f"turn {blow.turn}: {blow.text} (event {blow.events[-1]})"
            yield from wrap(text, LINE, initial_indent="  ", subsequent_indent="    ", break_on_hyphens=False)
    for clause in clauses:
        yield ""
        yield clause.id
        yield from wrap(clause.text, LINE, initial_indent="  ", subsequent_indent="  ")
