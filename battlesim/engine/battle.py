"""One battle being played.

`Battle` does the steps on the stack until a question is on top, and moves the clock when the stack is empty. It asks no agent:
its driver reads `question` and calls `answer`. The referee does so with agents. Read `_work_off` first.

>>> from battlesim import first_state, load_scenario
>>> scenario = load_scenario("stairwell")
>>> battle = Battle(find_ruleset(scenario.ruleset), scenario.board, first_state(scenario, 7), KeyedDice(7))
>>> while (question := battle.question) is not None:
...     battle.answer(question.answers[0])
>>> battle.over
True
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from battlesim.board.board import Board
from battlesim.core.answers import Answer, format_answer
from battlesim.core.codec import dump_state
from battlesim.core.dice import Dice, KeyedDice
from battlesim.core.errors import Fault, IllegalAnswer, InputError, RuleError
from battlesim.core.events import Answered, Asked, Ended, Event, Taken
from battlesim.core.items import Ask, Entry
from battlesim.core.state import Outcome, State
from battlesim.core.view import View
from battlesim.engine.budget import THINKING
from battlesim.engine.clock import Clock
from battlesim.rules.contract import Ruleset
from battlesim.rules.resolution import Resolution
from battlesim.rulesets.finder import find_ruleset

STEPS_A_TICK = 100_000
"""More steps than this without a question or a move of the clock count as an endless loop in the rules."""


KEPT_NEWS = 256
"""Events without causes that both sides have received are dropped when there are more of them than this."""


class Question(Struct, frozen=True):
    """A question that waits for an answer: the side that is asked, the ask on top of the stack, and every legal answer. `number`
    counts the questions of both sides from 0. Agents get `view.ask` and `view.number` instead, which hide what their side has not
    heard of."""

    number: int
    side: int
    ask: Ask
    answers: tuple[Answer, ...]


class Battle:
    """A battle at a question, or over. Build one from a first state or from any state saved at a question.

    `state` belongs to the battle: read it, never write it. `log` holds the events since this object was made; a fork's log begins
    with those that a side had not yet heard.
    """

    __slots__ = ("_clock", "_forgotten", "_plain", "_r", "_seen", "board", "question", "ruleset")

    def __init__(self, ruleset: Ruleset, board: Board, state: State, dice: Dice) -> None:
        self.ruleset = ruleset
        # The board of the map with this rulebook's rules of sight.
        self.board = board = board.under(ruleset.sight)
        self._r = Resolution(state, board, dice)
        self._clock: Clock | None = None
        """Made when it first has to move."""
        self._seen = (0, 0)
        """How many events of the log each side has received."""
        self._plain: list[Event] = []
        """The latest events of the log, without causes: at least those that a side has not received."""
        self._forgotten = 0
        """How many events of the log come before the first of `_plain`."""
        self.question: Question | None = None
        if state.stack and isinstance(state.stack[-1], Ask):
            ask = state.stack[-1]
            self._put(ask, ruleset.legal(state, board, ask))
        else:
            self._advance()

    def __repr__(self) -> str:
        where = f"turn {self.state.turn}, question {sum(self.state.questions)}"
        return f"<Battle {self.ruleset.name}: {'over' if self.over else where}>"

    @property
    def state(self) -> State:
        """The state; only to be read."""
        return self._r.state

    @property
    def dice(self) -> Dice:
        """The dice that the battle rolls."""
        return self._r.dice

    @property
    def log(self) -> list[Event]:
        """The events since this object was made, the oldest first; only to be read."""
        return self._r.log

    @property
    def over(self) -> bool:
        """Whether the battle has ended; then `question` is None."""
        return self._r.state.outcome is not None

    @property
    def outcome(self) -> Outcome | None:
        """How the battle ended; None while it goes on."""
        return self._r.state.outcome

    def view(self, side: int) -> View:
        """What a side (0 or 1) may know now; its news are the events since it last answered. Raises InputError for another
        side."""
        if side not in (0, 1):
            raise InputError(Fault(f"there is no side {side!r:.60}", "give 0 or 1"))
        log, plain = self._r.log, self._plain
        # Both sides hear most events: their causes are taken off once.
        new = log[self._forgotten + len(plain) :]
        plain += [event if event.cause < 0 else replace(event, cause=-1) for event in new]
        news = plain[self._seen[side] - self._forgotten :]
        return self.ruleset.observe(self._r.state, self.board, side, news)

    def _hear(self, side: int) -> None:
        """A side has answered: its next news begin here."""
        heard = len(self._r.log)
        self._seen = (heard, self._seen[1]) if side == 0 else (self._seen[0], heard)
        old = min(self._seen) - self._forgotten
        if old > KEPT_NEWS:
            del self._plain[:old]
            self._forgotten += old

    def answer(self, said: Answer, by: str = "agent", note: str = "") -> None:
        """Answer the question and play on to the next. `by`, `note`: as in `Answered`. Raises, with nothing changed,
        IllegalAnswer if the answer is not legal, and BudgetSpent if a thinking agent may imagine no more."""
        question = self.question
        if question is None:
            raise IllegalAnswer(f"{said!r} answers nothing: the battle is over")
        try:
            # The question's own value, not one of the agent's that equals it (1 == True).
            said = question.answers[question.answers.index(said)]
        except ValueError:
            shown = ", ".join(format_answer(a) for a in list(question.answers)[:12])
            raise IllegalAnswer(f"{said!r} is not legal for {question.ask!r}; legal: {shown}") from None
        if (thinking := THINKING.get()) is not None:
            thinking.spend()
        r = self._r
        state = r.state
        self._hear(question.side)
        asked = state.events - 1  # the question was the last event
        r.because(Answered(question.side, format_answer(said), by, note, cause=asked))
        self.question = None
        ask: Any = state.stack[-1]
        state.stack = state.stack[:-1]
        r.depth = len(state.stack)
        _, carry = self.ruleset.asks[type(ask)]
        carry(r, ask, said)
        self._advance()

    def __reduce__(self) -> tuple[Any, ...]:
        """A battle is pickled as its state, dice and log. The copy goes on from there, with the same news."""
        kept = (self.ruleset.name, self.board, self.save(), self.dice, self.log, self._seen)
        return _unpickled, kept

    def fork(self, dice: Dice | None = None) -> Battle:
        """An independent copy of the battle, with the same dice or with others; this one stays as it is. A side's unheard news
        are in the fork too. Costs little more than a clone of the state: the legal answers are not listed again, and a clock is
        made only when it has to move."""
        r = self._r
        fork = object.__new__(Battle)
        fork.ruleset = self.ruleset
        fork.board = self.board
        fork.question = self.question
        fork._clock = None
        fork._r = its = Resolution(r.state.clone(), self.board, dice or r.dice)
        one, two = self._seen
        unheard = one if one < two else two
        its.log = r.log[unheard:]
        fork._seen = (one - unheard, two - unheard)
        fork._plain = []
        fork._forgotten = 0
        return fork

    def fresh(self, seed: int) -> Battle:
        """A fork with new dice: the past stays as it was, what follows is rolled from `seed`."""
        return self.fork(KeyedDice(seed))

    def save(self) -> bytes:
        """The state as bytes: `Battle(ruleset, board, ruleset.codec.load(saved), dice)` goes on from it. News that a side has not
        heard are not in it; a pickled battle keeps them."""
        return dump_state(self.state)

    def end(self, event: Ended) -> None:
        """Stop the battle from outside the rules: a forfeit."""
        self.question = None
        self._r.cause = -1
        self._r.emit(event)
        self.state.stack = ()

    # ---- the loop

    def _advance(self) -> None:
        """Play on to the next question or the end of the battle."""
        state = self._r.state
        while self._work_off():
            if not state.agenda:
                raise RuleError("the agenda is empty and the battle has no outcome")
            if self._clock is None:
                self._clock = Clock(state.now, self._hand)
            self._clock.move_to(state.agenda[0])

    def _work_off(self) -> bool:
        """Do what is on the stack. True if it is empty and the clock may move, False at a question or the battle's end.

        A question with one legal answer is not asked: that answer is carried out at once.
        """
        r, board = self._r, self.board
        runs, asks = self.ruleset.runs, self.ruleset.asks
        state = r.state
        for _ in range(STEPS_A_TICK):
            if state.outcome is not None:
                state.stack = ()
                return False
            stack = state.stack
            if not stack:
                return True
            top = stack[-1]
            run = runs.get(type(top))
            if run is not None:
                state.stack = stack[:-1]
                r.depth = len(stack) - 1
                r.cause = top.cause
                run(r, top)
                continue
            if not isinstance(top, Ask):
                raise RuleError(f"no chapter of {self.ruleset.name} does {top!r}")
            listed, carry = asks[type(top)]
            legal = listed(state, board, top)
            if len(legal) > 1:
                r.emit(Asked(top.side, top, len(legal), cause=top.cause))
                self._put(top, legal)
                return False
            if not legal:
                raise RuleError(f"no legal answer to {top!r}")
            state.stack = stack[:-1]
            r.depth = len(stack) - 1
            r.cause = top.cause
            carry(r, top, legal[0])
        raise RuleError(f"the rules are in an endless loop at {state.stack[-3:]}")

    def _put(self, ask: Ask, legal: Sequence[Answer]) -> None:
        """Make an ask the question that waits for an answer."""
        self.question = Question(sum(self.state.questions), ask.side, ask, tuple(legal))

    def _hand(self, entry: Entry) -> None:
        """Take the head of the agenda off, and put its step on the stack; the clock calls this when the entry is due."""
        r = self._r
        r.cause = -1
        r.depth = 0
        r.because(Taken(entry.serial, entry.time))
        r.then(entry.step)


def _unpickled(
    ruleset: str, board: Board, saved: bytes, dice: Dice, log: list[Event], seen: tuple[int, int]
) -> Battle:
    found = find_ruleset(ruleset)
    battle = Battle(found, board, found.codec.load(saved), dice)
    battle._r.log[:] = log
    battle._seen = seen
    return battle
