"""Errors that a user can meet, all under one base.

A bad file, flag or agent gets one message: where it is, what was received, what would be accepted. Read `Fault` first;
`InputError` holds one or many of them.
"""

from __future__ import annotations

from collections.abc import Iterable
from difflib import get_close_matches
from pathlib import Path

from msgspec import Struct


class BattlesimError(Exception):
    """Base of every error battlesim raises on purpose. The command line prints it and exits with 2."""


class Fault(Struct, frozen=True):
    """One thing wrong with an input.

    `what` says what is wrong and shows the value received, `remedy` says what would be accepted, `place` is the
    path inside the file (`buildings[2].sections[0].polygon`), `line` counts from 1 (0: unknown), `level` is
    "error" or "warning".

    >>> str(Fault("there is no map 'stairs'", "give another", "raid.yaml", 3))
    "raid.yaml:3: there is no map 'stairs'; give another"
    """

    what: str
    remedy: str = ""
    file: str = ""
    line: int = 0
    place: str = ""
    level: str = "error"

    def __str__(self) -> str:
        where = self.file + (f":{self.line}" if self.line else "")
        head = ": ".join(part for part in (where, self.place, self.what) if part)
        return f"{head}; {self.remedy}" if self.remedy else head


class InputError(BattlesimError):
    """An input that cannot be used; `faults` holds every fault found, in file order."""

    def __init__(self, faults: Fault | Iterable[Fault]) -> None:
        self.faults: tuple[Fault, ...] = (faults,) if isinstance(faults, Fault) else tuple(faults)
        super().__init__("\n".join(str(fault) for fault in self.faults))

    def __reduce__(self) -> tuple[type[InputError], tuple[tuple[Fault, ...]]]:
        """Errors are pickled when they come from a worker process."""
        return type(self), (self.faults,)


class IllegalAnswer(BattlesimError):
    """An answer that is not one of the legal answers of its question."""


class RuleError(BattlesimError):
    """The rules reached a position that cannot occur. This is a defect of battlesim or of a rulebook, never of an input."""


def did_you_mean_file(name: str, known: Iterable[str]) -> str:
    """A remedy for a file that is not there: at most three of `known` with a similar name, endings aside; "" if none is
    similar."""
    stems: dict[str, list[str]] = {}
    for file in known:
        stems.setdefault(file.partition(".")[0], []).append(file)
    close = get_close_matches(name.partition(".")[0], stems, n=3, cutoff=0.6)
    names = [repr(file) for stem in close for file in stems[stem]]
    return "did you mean " + " or ".join(names[:3]) + "?" if names else ""


def did_you_mean(word: str, known: Iterable[str]) -> str:
    """A remedy for an unknown name: up to three similar known names, or the first twenty of all where none is similar.

    >>> did_you_mean("gredy", ["greedy", "random"]), did_you_mean("xyz", ["greedy", "random"])
    ("did you mean 'greedy'?", 'known: greedy, random')
    """
    names = list(dict.fromkeys(known))
    close = get_close_matches(word, names, n=3, cutoff=0.6)
    if close:
        return "did you mean " + " or ".join(repr(name) for name in close) + "?"
    shown = ", ".join(sorted(names)[:20]) + (", ..." if len(names) > 20 else "")
    return f"known: {shown}" if names else "none are known here"


def did_you_mean_or_path(word: str, known: Iterable[str]) -> str:
    """A remedy for an unknown name where a path to a YAML file would do, too: the file of that name in the current folder, or
    else similar known names."""
    if Path(f"{word}.yaml").is_file():
        return f"for the file of that name, write '{word}.yaml'"
    remedy = did_you_mean(word, known)
    return f"{remedy}{'' if remedy.endswith('?') else ';'} or give a path"
