"""Exact odds: the rules' own code is run over all outcomes of the dice, with chances as fractions.

Nothing here repeats a rule as a formula. `Branching` gives the rules each outcome of a roll (`count`, `total`, `pick`) in turn,
and equal positions are merged after every step. One volley, one shell at a house or one assault takes milliseconds; a barrage
on two units in a house takes seconds, and each further unit multiplies the number of results by some tens. Begin with
`outcomes`, for steps and questions; `odds_of` is for a single function of the rules.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from fractions import Fraction
from heapq import heappop, heappush
from typing import Any, NamedTuple, TypeVar

from battlesim.board.board import Board
from battlesim.core.answers import Answer
from battlesim.core.apply import apply
from battlesim.core.codec import dump_state
from battlesim.core.dice import Key
from battlesim.core.errors import IllegalAnswer, RuleError
from battlesim.core.events import Event
from battlesim.core.items import Ask, Item, Step
from battlesim.core.state import State
from battlesim.engine.budget import THINKING
from battlesim.rules.contract import Ruleset
from battlesim.rules.resolution import Clauses, Resolution
from battlesim.search.roll_odds import OddsError, binomial, sums, tuples

MOST = 50_000
"""The most branches that are evaluated."""

T = TypeVar("T", bound=Hashable)
B = TypeVar("B", bound="Branching")
_Name = tuple[bytes, tuple[Hashable, ...]]
"""What tells results apart: the state as bytes, and what was kept of the events."""
Policy = Callable[[State, Board, Ask, Sequence[Answer]], Answer | None]
"""(state, board, ask, answers) -> one of the answers, or None to end the branch at the question. `Ruleset.safe_answer` is one. It
sees the whole state; the policies of playouts see a view, which `ruleset.observe(state, board, ask.side, ())` makes."""
Watch = Callable[[Event], Hashable | None]
"""(event) -> what to keep of it, None for nothing."""


class WeightedState(NamedTuple):
    """One possible result: its chance, its state (a copy of its own, in which events are not counted), and what `watch` kept."""

    chance: Fraction
    state: State
    seen: tuple[Hashable, ...] = ()


# ---- one branch ----------------------------------------------------------------------------------------------------------


class NoDice:
    """Takes the place of dice, and raises OddsError for any roll that does not go through `Branching`."""

    def faces(self, key: Key, n: int, sides: int) -> tuple[int, ...]:
        """Raises OddsError."""
        raise OddsError(f"a roll that does not go through the resolution: {key}")

    def ranking(self, turn: int, side: int, purpose: str, n: int) -> Sequence[tuple[int, int]]:
        """Raises OddsError."""
        raise OddsError(f"lots are drawn ({purpose}): odds begin after the draw and end before the next")


class Branching(Resolution):
    """The rules in one branch. The first rolls have the outcomes that `script` gives by index; further rolls have their first
    outcome and are added to `script`. `widths`: how many outcomes each roll had. Events are neither logged nor counted."""

    __slots__ = ("chance", "made", "script", "seen", "watch", "widths")

    def __init__(self, state: State, board: Board, script: list[int], watch: Watch | None = None) -> None:
        super().__init__(state, board, NoDice())
        self.script, self.watch = script, watch
        self.widths: list[int] = []
        self.made = 0
        self.chance = Fraction(1)
        self.seen: tuple[Hashable, ...] = ()

    def emit(self, event: Event) -> int:
        """Apply an event without counting it, so that branches that differ only in their rolls have equal states."""
        state = self.state
        events = state.events
        apply(state, event)
        state.events = events
        if self.watch is not None:
            kept = self.watch(event)
            if kept is not None:
                self.seen += (kept,)
        return -1

    def branch(self, outcomes: Sequence[tuple[T, Fraction]]) -> T:
        """The outcome of the next roll in this branch. `outcomes`: all that it can have, with their chances."""
        if len(outcomes) == 1:
            return outcomes[0][0]
        if self.made == len(self.script):
            self.script.append(0)
        came, chance = outcomes[self.script[self.made]]
        self.widths.append(len(outcomes))
        self.made += 1
        self.chance *= chance
        return came

    def roll(
        self,
        n: int,
        sides: int,
        purpose: str,
        actor: int,
        obj: int = -1,
        attempt: int = 0,
        need: int = 0,
        clauses: Clauses = (),
    ) -> tuple[int, ...]:
        """As `Resolution.roll`; branches on the faces in order."""
        return self.branch(tuples(n, sides, need)) if n > 0 else ()

    def count(
        self,
        n: int,
        at_least: int,
        purpose: str,
        actor: int,
        obj: int = -1,
        attempt: int = 0,
        sides: int = 6,
        clauses: Clauses = (),
        enough: int = -1,
    ) -> int:
        """As `Resolution.count`; branches on the count."""
        good = max(0, min(sides, sides + 1 - at_least))
        return self.branch(binomial(n, good, sides, enough)) if n > 0 else 0

    def total(
        self,
        n: int,
        sides: int,
        purpose: str,
        actor: int,
        obj: int = -1,
        attempt: int = 0,
        clauses: Clauses = (),
        cuts: tuple[int, ...] = (),
    ) -> int:
        """As `Resolution.total`; branches on the sum."""
        return self.branch(sums(n, sides, cuts)) if n > 0 else 0

    def pick(
        self,
        n: int,
        purpose: str,
        actor: int,
        obj: int = -1,
        attempt: int = 0,
        clauses: Clauses = (),
    ) -> int:
        """As `Resolution.pick`; branches on the number."""
        return self.branch(sums(1, n)) - 1 if n > 1 else 0


class _Budget:
    """How many branches may still be evaluated."""

    def __init__(self, most: int) -> None:
        self.most = self.left = most

    def spend(self, what: object) -> None:
        """Count one branch; `what` is being done, for the message. Raises OddsError if too many were counted, BudgetSpent for an
        agent that may imagine no more."""
        if (thinking := THINKING.get()) is not None:
            thinking.spend()
        self.left -= 1
        if self.left < 0:
            raise OddsError(
                f"more than {self.most:,} branches, at {what!r}; ask for less at a time, or allow more (most=)"
            )


def _branches(
    state: State,
    board: Board,
    act: Callable[[Resolution], T],
    watch: Watch | None,
    budget: _Budget,
    what: object,
) -> Iterator[tuple[Branching, T]]:
    """Runs `act` in each of its branches; yields the branch and the result of `act`. `state` stays as it is."""

    def begin(script: list[int]) -> Branching:
        budget.spend(what)
        return Branching(state.clone(), board, script, watch)

    return each_branch(begin, act)


def each_branch(begin: Callable[[list[int]], B], act: Callable[[B], T]) -> Iterator[tuple[B, T]]:
    """Every branch of a function of the rules with its result, depth first: the outcomes of the last roll change fastest.
    `begin(script)` makes the resolution in which `act` runs."""
    script: list[int] = []
    while True:
        r = begin(script)
        yield r, act(r)
        # The next branch differs in the last roll that has a further outcome; rolls after it begin anew.
        script, widths = r.script[: r.made], r.widths
        while script and script[-1] + 1 == widths[len(script) - 1]:
            script.pop()
        if not script:
            return
        script[-1] += 1


# ---- all of them -----------------------------------------------------------------------------------------------------------


def outcomes(
    state: State,
    board: Board,
    ruleset: Ruleset,
    *work: Item,
    answer: Policy | None = None,
    watch: Watch | None = None,
    most: int = MOST,
) -> list[WeightedState]:
    """All possible results of some work, with their exact chances, which add up to 1.

    Args:
        work: steps and asks, the first done first. What is on the state's stack stays there; without `work` the stack is worked
            off. The clock does not move.
        answer: answers for both sides, given the state, the board, the question and its legal answers. A question that it leaves
            open (None) ends the branch, as does the end of the battle.
        watch: keeps something of the events, in order, in `WeightedState.seen`.
        most: the most branches that are evaluated.

    Results with equal states and equal kept values are merged. If several outcomes of a roll are the same to the rules
    (`enough` and `cuts` of `Resolution`), its events show the lowest. The order of results is always the same. `state` stays as
    it is.

    Each branch counts as one imagined question of an agent that thinks on a budget.

    Raises OddsError if more than `most` branches would have to be evaluated or lots are drawn; IllegalAnswer if the policy gives
    an answer that is not legal.
    """
    first = state.clone()
    floor = len(first.stack) if work else 0
    first.stack += tuple(reversed(work))
    budget = _Budget(most)
    waiting: dict[_Name, WeightedState] = {}
    order: list[tuple[int, int, _Name]] = []  # a heap
    done: dict[_Name, WeightedState] = {}
    number = 0

    def put(chance: Fraction, state: State, seen: tuple[Hashable, ...]) -> None:
        nonlocal number
        if state.outcome is not None:
            state.stack = ()
        name = (dump_state(state), seen)
        met = waiting.get(name)
        if met is not None:
            waiting[name] = WeightedState(met.chance + chance, met.state, seen)
            return
        waiting[name] = WeightedState(chance, state, seen)
        # The longest stack first, so that branches can be merged when their stacks are equally short again.
        number += 1
        heappush(order, (-len(state.stack), number, name))

    put(Fraction(1), first, ())
    while order:
        name = heappop(order)[2]
        here = waiting.pop(name)
        act = _next(here.state, board, ruleset, floor, answer)
        if act is None:
            met = done.get(name)
            done[name] = (
                here if met is None else WeightedState(here.chance + met.chance, here.state, here.seen)
            )
            continue
        rest = here.state.clone()
        rest.stack = rest.stack[:-1]
        for r, _ in _branches(rest, board, act, watch, budget, here.state.stack[-1]):
            put(here.chance * r.chance, r.state, here.seen + r.seen)
    return list(done.values())


def _next(
    state: State, board: Board, ruleset: Ruleset, floor: int, answer: Policy | None
) -> Callable[[Resolution], None] | None:
    """The function that does the item on top of the stack; None if the branch ends."""
    if len(state.stack) <= floor or state.outcome is not None:
        return None
    top = state.stack[-1]
    if isinstance(top, Step):
        step = top
        return lambda r: ruleset.step(r, step)
    if not isinstance(top, Ask):
        raise RuleError(f"{top!r} is neither a step nor a question")
    ask = top
    legal = ruleset.legal(state, board, ask)
    said = legal[0] if len(legal) == 1 else answer(state, board, ask, legal) if answer else None
    if said is None:
        return None
    if said not in legal:
        raise IllegalAnswer(f"{said!r} is not legal for {ask!r}")
    return lambda r: ruleset.answer(r, ask, said)


def odds_of(
    state: State, board: Board, act: Callable[[Resolution], T], most: int = MOST
) -> dict[T, Fraction]:
    """The distribution of the result of a function of the rules. Steps that it puts on the stack are not done; `state` stays as
    it is. Raises OddsError as `outcomes` does.

    >>> from battlesim import first_state, load_scenario
    >>> scenario = load_scenario("stairwell")
    >>> odds_of(first_state(scenario, 1), scenario.board, lambda r: r.count(2, 4, "to hit", 0))
    {0: Fraction(1, 4), 1: Fraction(1, 2), 2: Fraction(1, 4)}
    """
    found: dict[T, Fraction] = {}
    for r, result in _branches(state, board, act, None, _Budget(most), act):
        found[result] = found.get(result, Fraction(0)) + r.chance
    return found


# ---- reading them ----------------------------------------------------------------------------------------------------------


def distribution(endings: Iterable[WeightedState], measure: Callable[[State], T]) -> dict[T, Fraction]:
    """The distribution of a measure of the state: value -> its chance."""
    found: dict[T, Fraction] = {}
    for ending in endings:
        value = measure(ending.state)
        found[value] = found.get(value, Fraction(0)) + ending.chance
    return found


def chance_of(endings: Iterable[WeightedState], test: Callable[[State], Any]) -> Fraction:
    """The chance that a test of the state holds."""
    return sum((ending.chance for ending in endings if test(ending.state)), Fraction(0))


def mean(endings: Iterable[WeightedState], measure: Callable[[State], int]) -> Fraction:
    """The mean (expected value) of a measure of the state."""
    return sum((ending.chance * measure(ending.state) for ending in endings), Fraction(0))
