"""The program `battlesim`. Each command is a module with `add(parser)` and `run(args)`. Read `main`.

Exit codes: 0 done, 1 a check found something (a record that differs, a failure of `fuzz`), 2 an input that cannot be used,
70 a defect of battlesim, 130 interrupted, 143 ended by a signal, 141 when nobody reads the output any more.

A command replaces a file that a user names only by one of the same kind, and only if battlesim wrote it (`targets`).
"""

from __future__ import annotations

import argparse
import errno
import os
import re
import sys
from collections.abc import Sequence
from contextlib import suppress
from importlib import import_module
from typing import NoReturn

from battlesim import __version__

VERBS: tuple[tuple[str, str], ...] = (
    ("play", "play a battle, or many, and tell it"),
    ("replay", "tell a recorded battle again, without rules or dice"),
    ("watch", "make a page of a record, to watch the battle on; or tell a battle while it is played"),
    ("why", "tell why something happened in a recorded battle, back to the order that began it"),
    ("whatif", "play a recorded battle on from a question with other answers, or find its turning points"),
    ("verify", "play a record again under the rules and compare every event"),
    ("tournament", "play agents against one another on scenarios, and rate them"),
    ("fair", "find out whether a scenario is fair, and what decides it"),
    ("stress", "vary a scenario, its map, its options or its agents, and find out what decides it"),
    ("atlas", "find out what every section, floor, door, window, wall and piece of ground is worth"),
    ("upset", "find the likeliest way that the favourite loses, and its odds"),
    ("balance", "find the smallest changes that make a scenario fair, or where the balance tips"),
    ("discover", "search for ways of fighting that work on a scenario, and confirm the best"),
    ("tactics", "find tactics, try them in fresh games, and tell what is known of each"),
    ("fuzz", "play random battles under a rulebook, to find what breaks"),
    ("compare", "find out whether one agent is better than another, with as few games as it takes"),
    ("exam", "put agents to positions in which it is known what a good player does"),
    ("runs", "list the runs, or show what one came to"),
    ("serve", "show a run on a page of this machine while it is played"),
    ("export", "write a run's games as CSV or Parquet"),
    ("merge", "put parts of one tournament or stress test together"),
    ("scenarios", "list the scenarios, or brief on one"),
    ("agents", "list the AI players"),
    ("maps", "list the maps"),
    ("map", "check, draw or import a map"),
    ("rules", "list the rulebooks, or the clauses of one, where they live and how they are tested"),
    ("bench", "measure speed and memory"),
)

_OUT_OF_REACH = (errno.EACCES, errno.EPERM, errno.EROFS, errno.ENAMETOOLONG, errno.ELOOP)
"""Errors of paths that anything asked of them may raise, even whether they exist."""


class _Parser(argparse.ArgumentParser):
    """A parser whose messages are one line each: what was wrong, what would do, and where more is told."""

    def error(self, message: str) -> NoReturn:
        """End the program with code 2 and one line. `message`: as argparse words it."""
        told = self._mended(message)
        self.exit(2, f"{self.prog}: {told}{'' if told.endswith('?') else ';'} see {self.prog} --help\n")

    def _mended(self, message: str) -> str:
        """A message of argparse with what would do: a similar word for an unknown one, else how the argument is written."""
        found = re.match(
            r"argument (\S+): invalid choice: (['\"])(.*)\2 \(choose from (.*)\)$", message, re.DOTALL
        )
        if found:
            from battlesim.core.errors import did_you_mean

            kind, word, known = found[1], found[3], re.findall(r"[\w.-]+", found[4])
            noun = "verb" if kind.endswith("VERB") else f"choice for {kind}"
            return f"there is no {noun} {word!r}; {did_you_mean(word, known)}"
        if found := re.match(r"argument ([^:]+): (.*)$", message, re.DOTALL):
            flag, what = found[1].rpartition("/")[2], found[2]
            return f"{flag}: {what}" + (f"; write {written}" if (written := self._written(flag)) else "")
        if found := re.match(r"the following arguments are required: (.*)$", message):
            words = [self._written(name) or name for name in found[1].split(", ")]
            return f"required: {found[1]}; write {self.prog} {' '.join(words)}"
        return message

    def _written(self, flag: str) -> str:
        """How an argument is written, such as `--seed N`; "" if there is none of that name."""
        for action in self._actions:
            values = self._get_formatter()._format_args(action, action.dest.upper())
            if flag in action.option_strings:
                return f"{flag} {values}".rstrip()
            if not action.option_strings and flag in (action.metavar, action.dest):
                return values
        return ""

    def refuse(self, unknown: Sequence[str], verb: str | None) -> NoReturn:
        """Refuse words that the command does not take, and suggest similar flags."""
        from battlesim.core.errors import did_you_mean

        asked = self._verb(verb) or self
        flags = [word.partition("=")[0] for word in unknown if word.startswith("-")]
        if not flags:
            taken = [
                asked._written(str(one.metavar or one.dest))
                for one in asked._actions
                if not one.option_strings
            ]
            takes = f"it takes {' '.join(taken)}" if taken else "it takes only flags"
            asked.error(f"unexpected words: {' '.join(unknown)}; {takes}")
        every = list(self._option_string_actions) if asked is self else asked.flags()
        known = sorted({flag for flag in every if flag.startswith("--")})
        asked.error(f"there is no flag {flags[0]!r}; {did_you_mean(flags[0], known)}")

    def flags(self) -> list[str]:
        """Every flag of this command and of its subcommands."""
        found = list(self._option_string_actions)
        for action in self._actions:
            if isinstance(action, argparse._SubParsersAction):
                found += [flag for verb in action.choices.values() for flag in verb._option_string_actions]
        return found

    def _verb(self, name: str | None) -> _Parser | None:
        for action in self._actions:
            if isinstance(action, argparse._SubParsersAction) and name in action.choices:
                verb: _Parser = action.choices[name]
                return verb
        return None


def parser(wanted: str | None = None) -> _Parser:
    """The parser of the program. Only the module of the given command is imported, so that the program starts fast."""
    whole = _Parser(
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
    from battlesim.cli.stopping import heeding, stop_of, told

    try:
        with heeding():
            return _main(sys.argv[1:] if argv is None else list(argv))
    except (KeyboardInterrupt, ImportError) as error:
        if (stopped := stop_of(error)) is None:
            raise
        why, code = told(stopped)
        start = "\n" if sys.stderr.isatty() else ""  # after the ^C that the terminal shows
        print(f"{start}battlesim: {why}", file=sys.stderr)
        return code


def _open_closed() -> None:
    """Open the null device for each standard stream that was closed when the program began: Python has None for it."""
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:
            setattr(sys, name, open(os.devnull, mode, encoding="utf-8"))  # noqa: SIM115 - open to the end


def _main(words: Sequence[str]) -> int:
    _open_closed()
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="replace")  # names may contain letters that this terminal lacks
    whole = parser(next((word for word in words if not word.startswith("-")), None))
    args, unknown = whole.parse_known_args(words)
    if unknown:
        whole.refuse(unknown, args.verb)
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
    except ImportError as error:
        from battlesim.cli.extras import told_missing

        if (missing := told_missing(error)) is None:
            raise
        print(f"battlesim: {missing}", file=sys.stderr)
        return 2
    except BrokenPipeError:
        # The reader of our output has closed it. Keep the interpreter from complaining when it flushes at exit.
        with suppress(OSError):
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 141
    except OSError as error:
        if error.filename is not None and error.errno in _OUT_OF_REACH:
            remedy = "name a file or folder that this user can reach"
            print(f"battlesim: {error.filename}: {error.strerror}; {remedy}", file=sys.stderr)
            return 2
        if error.errno not in (errno.ENOSPC, errno.EIO):
            raise
        # Keep the interpreter from trying again when it flushes at exit.
        with suppress(OSError):
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        print(f"battlesim: the output cannot be written: {error.strerror}; make room", file=sys.stderr)
        return 2
    return code
