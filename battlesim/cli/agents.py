"""`battlesim agents`: the agents that can play, and the parameters that one of them takes."""

from __future__ import annotations

import argparse
import re
from collections.abc import Iterator, Mapping, Sequence
from math import isfinite
from textwrap import wrap
from typing import TYPE_CHECKING, Any

from battlesim.cli.common import add_json, print_json, table

if TYPE_CHECKING:
    from battlesim.evaluation.parameters import Parameter


def add(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("agent", nargs="?", metavar="NAME", help="list the parameters of this agent")
    parser.add_argument(
        "--rules", metavar="RULEBOOK", help="of its parameters of judgement only those of this rulebook"
    )
    add_json(parser)


def run(args: argparse.Namespace) -> int:
    from battlesim.core.errors import Fault, InputError

    if args.agent is not None:
        return _one(args.agent, args.rules, args.json)
    if args.rules is not None:
        raise InputError(Fault("--rules is of no use without an agent", "name one: battlesim agents greedy"))
    from battlesim.engine.agent_sources import entry_points, shipped_agents, shipped_file

    rows = [
        (name, "shipped", _about(shipped_file(name).read_text(encoding="utf-8"))) for name in shipped_agents()
    ]
    rows += [(name, "installed", home) for name, home in sorted(entry_points().items())]
    if args.json:
        print_json([{"name": name, "source": source, "about": about} for name, source, about in rows])
        return 0
    for line in table([(name, about) for name, _, about in rows]):
        print(line)
    print("battlesim agents NAME lists what an agent takes")
    print("also: file.py, file.py:Class, module:Class; parameters after commas, as in greedy,exposure=0.8")
    return 0


JUDGING = ("greedy", "doctrine")
"""The shipped agents that take all parameters of judgement."""


def _one(name: str, rules: str | None, as_json: bool) -> int:
    """Print the parameters of an agent."""
    from inspect import Parameter as Keyword

    from battlesim.core.errors import Fault, InputError
    from battlesim.engine.card_agents import PREFIX, agent_of_card
    from battlesim.engine.roster import agent_keywords
    from battlesim.rulesets.finder import RULESETS
    from battlesim.search.outlook import parameters

    about, known = agent_keywords(name)
    judging = agent_of_card(name).partition(",")[0] in JUDGING
    if rules is not None and not judging:
        what = f"{name} takes no parameters of judgement"
        raise InputError(Fault(what, f"leave out --rules, or name {' or '.join(JUDGING)}"))
    keywords = [
        one for one in known.values() if one.kind not in (Keyword.VAR_POSITIONAL, Keyword.VAR_KEYWORD)
    ]
    own: list[dict[str, Any]] = [
        {
            "name": one.name,
            "required": one.default is one.empty,
            "default": None if one.default is one.empty else _plain(one.default),
        }
        for one in keywords
    ]
    books = [rules] if rules is not None else list(RULESETS) if judging else []
    judgements = {book: parameters(book) for book in books}
    if as_json:
        fields = ("name", "meaning", "low", "high", "default")
        rows = {
            book: [{field: getattr(one, field) for field in fields} for one in every]
            for book, every in judgements.items()
        }
        card = {"card": _card(name)} if name.startswith(PREFIX) else {}
        told = {"name": name, **card, "about": " ".join(about.split()), "parameters": own, "judgement": rows}
        print_json(told)
        return 0
    if name.startswith(PREFIX):
        for line in _told_card(name):
            print(line)
    for line in _laid_out(about):
        print(line)
    _print_parameters(own, judgements, more=len(keywords) < len(known))
    return 0


def _print_parameters(
    own: Sequence[dict[str, Any]], judgements: Mapping[str, Sequence[Parameter]], more: bool
) -> None:
    """Print the parameters of an agent's own class, then those of judgement by rulebook. `more`: it takes any keyword."""
    for line in table(
        [
            (one["name"], "must be given" if one["required"] else f"{_shown(one['default'])} unless given")
            for one in own
        ]
    ):
        print(f"  {line}")
    for book, every in judgements.items():
        print(f"\nparameters of judgement under {book}; default, range, meaning:")
        for line in table([(p.name, f"{p.default:g}", f"{p.low:g} to {p.high:g}", p.meaning) for p in every]):
            print(f"  {line}")
    if not judgements and more:
        print("It takes further keywords.")
    elif not own and not judgements:
        print("It takes no parameters.")
    if judgements:
        print("\nA parameter that the rulebook played does not have has no effect.")


def _card(name: str) -> dict[str, Any]:
    """The contents of a card: its agent, its words, and the parameters of its player, those of a base player separately."""
    from battlesim.engine.card_agents import card_named

    agent, words = card_named(name)
    player, *given = agent.split(",")
    values = dict(word.partition("=")[::2] for word in given)
    tactics = [one.strip() for one in values.pop("tactics", "").split(";") if one.strip()]
    if base := values.pop("base", ""):
        player, *given = base.split("+")
        values |= dict(word.partition("=")[::2] for word in given)
    return {"agent": agent, "words": words, "tactics": tactics, "player": player, "values": values}


def _told_card(name: str) -> Iterator[str]:
    """The contents of a card, and how its player differs from the usual one."""
    from battlesim.discovery.tactic import parse_tactic
    from battlesim.viewer.wording import printable

    card = _card(name)
    yield printable(f"{name}: {card['words'] or card['agent']}")
    for text in card["tactics"]:
        words = parse_tactic(text).words()
        yield printable(f"  {text}" + (f": {words}" if words != card["words"] else ""))
    yield printable(f"  all else as {card['player']}" + (", with" if card["values"] else ""))
    rows = [(key, value, _usual(key)) for key, value in card["values"].items()]
    for line in table(rows) if rows else ():
        yield printable(f"    {line}".rstrip())
    yield ""


def _usual(parameter: str) -> str:
    """The usual value of a parameter of judgement: one number, or the least and the most of the rulebooks; "" for any other
    parameter."""
    from battlesim.rulesets.finder import RULESETS
    from battlesim.search.outlook import parameters

    found = sorted({one.default for book in RULESETS for one in parameters(book) if one.name == parameter})
    return (
        f"usually {' to '.join(f'{value:g}' for value in dict.fromkeys((found[0], found[-1])))}"
        if found
        else ""
    )


def _laid_out(about: str) -> Iterator[str]:
    """A docstring as lines: paragraphs and entries of lists are wrapped, indented examples are unchanged."""
    for part in about.split("\n\n"):
        lines = part.strip("\n").splitlines()
        if all(line.startswith(" ") for line in lines):
            yield from lines
            continue
        for paragraph in re.split(r"\n(?=- )", part):
            indent = "  " if paragraph.startswith("- ") else ""
            yield from wrap(" ".join(paragraph.split()), 100, subsequent_indent=indent)


def _plain(value: object) -> object:
    """A default for JSON: the value if it can be written after a parameter's name, else its type."""
    if value is None or isinstance(value, bool | int | str) or (isinstance(value, float) and isfinite(value)):
        return value
    return str(value) if isinstance(value, float) else f"of type {type(value).__name__}"


def _shown(value: object) -> str:
    """A default as written after a parameter's name."""
    return str(value).lower() if isinstance(value, bool) else str(value)


def _about(source: str) -> str:
    """The first line of a file's docstring."""
    import ast

    words = ast.get_docstring(ast.parse(source)) or ""
    return words.partition("\n")[0]
