"""Estimates held to the rules, whatever the rulebook: situations, what is expected of an act in them, what it truly
comes to.

A rulebook's tests give `cases()`, a list of `Case`: what its estimates say of an act, and the exact means of the rules' own
outcomes (`battlesim.search.outcomes`), both as numbers by name. `wrong` says where they part. `python -m tests.measure_estimates`
prints how far off they are. Read `Case`.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import NamedTuple

RELATIVE = 0.05
"""An estimate may be off by this share of the exact mean ..."""
FLOORS = {"models": 0.1, "pins": 0.05, "chance": 0.01}
"""... or by so much: models (worth is counted in models, too), pins, and chances."""

SURE = 4.0
"""Standard errors that a sampled mean may be off besides."""

Numbers = dict[str, float]
"""What an act comes to, by name: `models ...`, `worth ...`, `pins ...`; all else is a chance."""


class Exact(NamedTuple):
    """What an act truly comes to: `means`, and the standard errors of those that were sampled, not enumerated (else none)."""

    means: Numbers
    errors: Numbers


@dataclass(frozen=True)
class Case:
    """One act in one situation. `group` is what it is an example of; `each`: points of one model, by which worth is counted."""

    group: str
    name: str
    expected: Callable[[], Numbers]
    exact: Callable[[], Exact]
    each: float = 1.0

    def __str__(self) -> str:
        return f"{self.group}: {self.name}"


def allowed(case: Case, number: str, exact: Exact) -> float:
    """How far an estimate of a number may be off."""
    what = number.split()[0]
    floor = FLOORS["models"] * case.each if what == "worth" else FLOORS.get(what, FLOORS["chance"])
    return max(RELATIVE * abs(exact.means[number]), floor) + SURE * exact.errors.get(number, 0.0)


def wrong(case: Case) -> list[str]:
    """The numbers of a case that are off by more than is allowed, in words."""
    expected, exact = case.expected(), case.exact()
    assert expected.keys() == exact.means.keys(), (str(case), expected, exact)
    return [
        f"{case}: {number} expected {expected[number]:.4f}, exactly {mean:.4f}"
        for number, mean in exact.means.items()
        if not abs(expected[number] - mean) <= allowed(case, number, exact)
    ]


def few(cases: Iterable[Case], most: int) -> list[Case]:
    """A few cases of each kind, evenly, at most so many: those that are looked at every time."""
    kinds = defaultdict(list)
    for case in cases:
        kinds[case.group].append(case)
    return [case for kind in kinds.values() for case in kind[:: -(-len(kind) // most)]]
