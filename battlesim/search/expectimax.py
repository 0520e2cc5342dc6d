"""Small battles solved exactly: the best result that can be reached, accounting for every die and draw.

The side's own questions take the best answer. The opponent's questions are a lottery if its behaviour is known (the battle is
then a Markov decision process); otherwise they take the answer worst for the side (a two-player game, solved as
expectiminimax). Dice are the rules' own (`battlesim.search.odds`), and the clock moves as in a battle. Equal positions are
evaluated once. Nothing is hidden here: the solver knows what a player may not, so its value is an upper bound for any player.
Only tiny battles can be solved; `most` limits the search. Read `Expectimax.value`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from hashlib import blake2b

from msgspec.structs import replace

from battlesim.board.board import Board
from battlesim.core.answers import Answer
from battlesim.core.codec import dump_state
from battlesim.core.events import Taken
from battlesim.core.items import Ask, Entry, Step, by_rank
from battlesim.core.state import State
from battlesim.core.sums import summed
from battlesim.rules.activation import Bag
from battlesim.rules.contract import Ruleset
from battlesim.rules.resolution import Clauses
from battlesim.search.odds import Branching, NoDice, each_branch
from battlesim.search.roll_odds import OddsError

Lottery = Sequence[tuple[Answer, float]]
"""(answer, its chance) for each answer that may be given; the chances add up to 1."""
Behaviour = Callable[[State, Board, Ask, Sequence[Answer]], Lottery]
"""(state, board, ask, answers) -> how a side answers. It must depend on nothing but these (a stationary policy)."""
Worth = Callable[[State], float]
"""(state) -> what the end of a battle is worth to the side being solved for; the state has an outcome."""


def uniform(state: State, board: Board, ask: Ask, answers: Sequence[Answer]) -> Lottery:
    """Every legal answer is equally likely."""
    share = 1 / len(answers)
    return [(answer, share) for answer in answers]


CONTEST = "initiative"
"""Purpose of the rolls that both sides make until one is higher."""
LAST = 1_000_000
"""Rank of lots drawn after all of the other side's."""


class _Lots(NoDice):
    """Takes the place of dice: lots drawn from the bag become a branch like any roll."""

    def __init__(self, r: _Branch) -> None:
        self._r = r
        self._first = -1

    def ranking(self, turn: int, side: int, purpose: str, n: int) -> Sequence[tuple[int, int]]:
        """Every die in the bag is equally likely to be drawn. Dice of a side are alike, so its lowest number comes first."""
        bags = _bags(self._r.state)
        if len(bags) != 1:
            raise OddsError(f"lots are drawn ({purpose}), and not from a bag")
        if self._first < 0:
            ours, theirs = (len(numbers) for numbers in bags[0][1].dice)
            sides = [(0, Fraction(ours, ours + theirs)), (1, Fraction(theirs, ours + theirs))]
            self._first = self._r.branch([(one, chance) for one, chance in sides if chance])
        behind = 0 if side == self._first else LAST
        return [(behind + number, number) for number in range(n)]


class _Branch(Branching):
    """One branch of the rules at work; draws from the bag also branch."""

    __slots__ = ("_contest",)

    def __init__(self, state: State, board: Board, script: list[int]) -> None:
        super().__init__(state, board, script)
        self.dice = _Lots(self)
        self._contest = 0

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
        """One die each, rerolled until one is higher (AC-HOUSE-TURN), is an even chance: 1 against 2, or 2 against 1."""
        if purpose != CONTEST:
            return super().total(n, sides, purpose, actor, obj, attempt, clauses, cuts)
        if obj == 0:
            self._contest = self.branch(((1, Fraction(1, 2)), (2, Fraction(1, 2))))
            return self._contest
        return 3 - self._contest


class Expectimax:
    """The values of positions for one side.

    `opponent`: how the other side answers; None: as badly for this side as it can. `own`: how the side itself answers; None: as
    well as it can. `most`: positions evaluated before OddsError is raised. `positions` counts those evaluated. A battle is
    followed by recursion, a level or two for each piece of work: longer ones need a higher `sys.setrecursionlimit`.
    """

    def __init__(
        self,
        ruleset: Ruleset,
        board: Board,
        side: int,
        opponent: Behaviour | None,
        worth: Worth,
        own: Behaviour | None = None,
        most: int = 1_000_000,
    ) -> None:
        self.ruleset = ruleset
        self.board = board.under(ruleset.sight)
        self.side = side
        self.opponent, self.own, self.worth = opponent, own, worth
        self.most = most
        self._known: dict[bytes, float] = {}

    @property
    def positions(self) -> int:
        """How many different positions have been evaluated."""
        return len(self._known)

    def value(self, state: State) -> float:
        """What a position is worth: the mean of `worth` over all that may follow, with the answers of `own` and `opponent`, or
        the best for the side that gives them. `state` stays as it is. Raises OddsError if more than `most` positions would have
        to be evaluated."""
        if state.outcome is not None:
            return self.worth(state)
        name = _name(state)
        known = self._known.get(name)
        if known is not None:
            return known
        if len(self._known) >= self.most:
            raise OddsError(
                f"more than {self.most:,} positions; solve a smaller battle, or allow more (most=)"
            )
        found = self._value(state)
        self._known[name] = found
        return found

    def values(self, state: State) -> list[tuple[Answer, float]]:
        """What every legal answer to the question on top of the stack is worth, in their order. Raises OddsError as `value`
        does."""
        ask = state.stack[-1]
        assert isinstance(ask, Ask), "no question is on top of the stack"
        return [(said, self._after(state, ask, said)) for said in self.ruleset.legal(state, self.board, ask)]

    def _value(self, state: State) -> float:
        if not state.stack:
            return self._mean(state, _wake(state.agenda[0]))
        top = state.stack[-1]
        if isinstance(top, Step):
            step = top
            return self._mean(_popped(state), lambda r: self.ruleset.step(r, step))
        assert isinstance(top, Ask)
        legal = self.ruleset.legal(state, self.board, top)
        if len(legal) == 1:
            return self._after(state, top, legal[0])
        ours = top.side == self.side
        behaviour = self.own if ours else self.opponent
        if behaviour is None:
            best = max if ours else min
            return best(self._after(state, top, said) for said in legal)
        lottery = behaviour(state, self.board, top, legal)
        return summed(chance * self._after(state, top, said) for said, chance in lottery if chance)

    def _after(self, state: State, ask: Ask, said: Answer) -> float:
        """The value after an answer is carried out."""
        return self._mean(_popped(state), lambda r: self.ruleset.answer(r, ask, said))

    def _mean(self, state: State, act: Callable[[_Branch], None]) -> float:
        """The mean over all branches of an act of the rules."""
        return summed(chance * self.value(after) for chance, after in branches(state, self.board, act))


def _popped(state: State) -> State:
    rest = state.clone()
    rest.stack = rest.stack[:-1]
    return rest


def _wake(entry: Entry) -> Callable[[_Branch], None]:
    """The clock moves to the head of the agenda and its work is started, as the battle does it."""

    def wake(r: _Branch) -> None:
        r.because(Taken(entry.serial, entry.time))
        r.then(entry.step)

    return wake


def branches(state: State, board: Board, act: Callable[[_Branch], None]) -> Iterator[tuple[float, State]]:
    """Each possible result of an act of the rules, with its chance; `state` stays as it is."""
    for r, _ in each_branch(lambda script: _Branch(state.clone(), board, script), act):
        if r.state.outcome is not None:
            r.state.stack = ()
        yield float(r.chance), r.state


def _name(state: State) -> bytes:
    """The identity of a position. It leaves out its history: counters of events and questions, causes, and the arbitrary numbers
    of agenda entries and of a side's dice in the bag."""
    bare = state.clone()
    bare.events, bare.questions = 0, (0, 0)
    bare.stack = tuple(replace(item, cause=-1) for item in state.stack)
    bare.agenda = tuple(replace(entry, serial=n) for n, entry in enumerate(sorted(state.agenda, key=by_rank)))
    bare.serial = len(bare.agenda)
    for field, bag in _bags(state):
        one, two = (tuple(range(len(numbers))) for numbers in bag.dice)
        bare.extra = replace(bare.extra, **{field: Bag((one, two))})
    return blake2b(dump_state(bare), digest_size=16).digest()


def _bags(state: State) -> list[tuple[str, Bag]]:
    """The bags in the rules' record of the battle, by field."""
    extra = state.extra
    values = ((field, getattr(extra, field)) for field in extra.__struct_fields__)
    return [(field, value) for field, value in values if isinstance(value, Bag)]
