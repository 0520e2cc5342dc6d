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
from fractions import Fraction
from typing import NamedTuple

from battlesim.board.board import Board
from battlesim.core.dice import KeyedDice
from battlesim.core.items import Ask, Item, Step
from battlesim.core.state import State
from battlesim.rules.contract import Ruleset
from battlesim.rules.resolution import Resolution
from battlesim.search.odds import MOST, Policy, WeightedState, outcomes
from battlesim.search.roll_odds import OddsError

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


def sampled(
    state: State, board: Board, ruleset: Ruleset, *work: Item, answer: Policy, samples: int
) -> list[WeightedState]:
    """So many results of some work as the battle's own dice make them, each with an equal share of the chance."""
    found: list[WeightedState] = []
    for seed in range(samples):
        r = Resolution(state.clone(), board, KeyedDice(seed))
        r.then(*work)
        while r.state.stack:
            top = r.state.stack[-1]
            r.state.stack = r.state.stack[:-1]
            if isinstance(top, Ask):
                legal = ruleset.legal(r.state, r.board, top)
                said = legal[0] if len(legal) == 1 else answer(r.state, r.board, top, legal)
                assert said is not None
                ruleset.answer(r, top, said)
            elif isinstance(top, Step):
                ruleset.step(r, top)
        found.append(WeightedState(Fraction(1, samples), r.state))
    return found


def endings(
    state: State, board: Board, ruleset: Ruleset, *work: Item, answer: Policy, samples: int, most: int = MOST
) -> tuple[list[WeightedState], int]:
    """All results of some work, and 0; or, where they are too many to enumerate, some of them, and how many."""
    try:
        return outcomes(state, board, ruleset, *work, answer=answer, most=most), 0
    except OddsError:
        return sampled(state, board, ruleset, *work, answer=answer, samples=samples), samples
