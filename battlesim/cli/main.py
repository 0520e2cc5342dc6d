"""The command `battlesim`. Each verb is a module with `add(parser)` and `run(args)`; read `main`.

Exit codes: 0 done, 1 a check found something (a record that differs, a map with faults), 2 an input that cannot be used,
70 a defect of battlesim, 130 interrupted, 141 when nobody reads the output any more.
"""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Sequence
from contextlib import suppress
from importlib import import_module

from battlesim import __version__

VERBS: tuple[tuple[str, str], ...] = (
    ("play", "play a battle, or many, and tell it"),
    ("replay", "tell a recorded battle again, without rules or dice"),
    ("verify", "play a record again under the rules and compare every event"),
    ("tournament", "play agents against one another on scenarios, and rate them"),
    ("fair", "find out whether a scenario is fair, and what decides it"),
    ("compare", "find out whether one agent is better than another, with as few games as it takes"),
    ("runs", "list the runs, or show what one came to"),
    ("export", "write a run's games as CSV or Parquet"),
    ("merge", "put parts of one tournament together"),
    ("scenarios", "list the scenarios, or brief on one"),
    ("agents", "list the AI players"),
    ("maps", "list the maps"),
    ("map", "check, draw or import a map"),
    ("rules", "list the clauses of a rulebook, where they live and how they are tested"),
    ("bench", "measure speed and memory"),
)


def parser(wanted: str | None = None) -> argparse.ArgumentParser:
    """The parser of the whole command. Only the wanted verb's module is imported, so that the command starts fast."""
    whole = argparse.ArgumentParser(
        prog="battlesim", description="A battle simulator with AI players, repeatable to the last die."
    )
    whole.add_argument("--version", action="version", version=f"battlesim {__version__}")
    verbs = whole.add_subparsers(title="verbs", metavar="VERB", dest="verb")
    for name, words in VERBS:
        verb = verbs.add_parser(name, help=words, description=f"{words[0].upper()}{words[1:]}.")
        if name == wanted:
            module = import_module(f"battlesim.cli.{name}")
            module.add(verb)
            verb.set_defaults(run=module.run)
    return whole


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command; its exit code."""
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="replace")  # names may hold letters that this terminal has not
    words = sys.argv[1:] if argv is None else list(argv)
    whole = parser(next((word for word in words if not word.startswith("-")), None))
    args = whole.parse_args(words)
    if args.verb is None:
        whole.print_help()
        return 0
    from battlesim.core.errors import BattlesimError, RuleError

    try:
        code: int = args.run(args)
        sys.stdout.flush()
    except RuleError as error:
        print(f"battlesim: {error}\nThis is a defect of battlesim; please report it.", file=sys.stderr)
        return 70
    except BattlesimError as error:
        print(f"battlesim: {error}", file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        return 130
    except BrokenPipeError:
        # Whoever read us has gone; keep the interpreter from complaining about it when it flushes at exit.
        with suppress(OSError):
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 141
    return code
