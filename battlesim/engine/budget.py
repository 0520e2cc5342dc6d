"""How much an agent may imagine at one question: a number of imagined questions, or of milliseconds. Read `Budget`.

While an agent thinks, every answer to a question of an imagined battle and every branch of exact odds is counted, no matter what
made or drives that battle. A budget of imagined questions leaves battles repeatable: the same seed and budget give the same
battle on every machine. One of milliseconds does not, and records say that they were played under it.
"""

from __future__ import annotations

from contextvars import ContextVar
from math import inf
from time import monotonic
from typing import Any

from battlesim.core.errors import BattlesimError, Fault, InputError


class BudgetSpent(BattlesimError):
    """The agent has imagined as much as it may at this question. It should answer with what it has found."""


class Budget:
    """What an agent may imagine at one question. `questions`: imagined questions that may be answered, `milliseconds`: the time
    for them; 0 for no limit. `spent`: imagined questions answered at this question. `total`: in the whole battle. Raises
    InputError for a number below 0, or one that is not whole.

    The time runs from when the budget is made, or from the last `begin`. The referee calls that at each question; agents read
    `left` and `over`.

    >>> budget = Budget(questions=2)
    >>> budget.spend()
    >>> budget.left, budget.over
    (1, False)
    """

    __slots__ = ("_deadline", "milliseconds", "questions", "spent", "total")

    def __init__(self, questions: int = 0, milliseconds: int = 0) -> None:
        for name, number in (("questions", questions), ("milliseconds", milliseconds)):
            if isinstance(number, bool) or not isinstance(number, int) or number < 0:
                what = f"a budget of {name}={number!r:.60} will not do"
                raise InputError(Fault(what, "give a whole number from 0, which is no limit"))
        self.questions = questions
        self.milliseconds = milliseconds
        self.total = 0
        self.begin()

    def __repr__(self) -> str:
        return f"Budget({self.questions}, {self.milliseconds})"

    def begin(self) -> None:
        """A new question is put: nothing is spent yet."""
        self.spent = 0
        self._deadline = monotonic() + self.milliseconds / 1000 if self.milliseconds else inf

    @property
    def left(self) -> int | None:
        """Imagined questions that may still be answered; None for any number."""
        return max(self.questions - self.spent, 0) if self.questions else None

    @property
    def over(self) -> bool:
        """Whether nothing more may be imagined at this question."""
        return self.left == 0 or self._is_late()

    def _is_late(self) -> bool:
        return self._deadline < inf and monotonic() >= self._deadline

    def spend(self) -> None:
        """Count one imagined question. Raises BudgetSpent if no more may be answered."""
        self.check()
        self.spent += 1
        self.total += 1

    def check(self) -> None:
        """Raises BudgetSpent if no more may be imagined at this question."""
        if self.over:
            limit = f"{self.questions} questions" if self.left == 0 else f"{self.milliseconds} milliseconds"
            raise BudgetSpent(f"the budget of {limit} is spent")


THINKING: ContextVar[Budget | None] = ContextVar("THINKING", default=None)
"""While an agent thinks, its budget: all battles answered meanwhile are imagined, and count. Each thread has its own, so that
games in several threads do not spend each other's."""


class Allowance(Budget):
    """The budget of an agent, as its brief shows it: the agent can read it, but neither change it nor begin it anew.

    It can be given to `compare` and the like. What an agent imagines is then counted once, though the battle that it answers
    counts it, too."""

    __slots__ = ("_of",)

    _of: Budget

    def __init__(self, of: Budget) -> None:
        object.__setattr__(self, "_of", of)

    def __getattribute__(self, name: str) -> Any:
        """Numbers are those of the budget that the referee keeps, at any time."""
        if name in _NUMBERS:
            return getattr(object.__getattribute__(self, "_of"), name)
        return object.__getattribute__(self, name)

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError("an agent cannot change its own budget")

    def __reduce__(self) -> tuple[Any, ...]:
        """A copy, as of an agent with all that it holds, is of a budget of its own."""
        return Allowance, (self._of,)

    def begin(self) -> None:
        """Without effect: only the referee begins a budget anew."""

    def spend(self) -> None:
        """Raises BudgetSpent if no more may be imagined. While the agent thinks, nothing is counted here, as battles count."""
        if THINKING.get() is not self._of:
            self._of.spend()
        else:
            self._of.check()


_NUMBERS = frozenset(("_deadline", "milliseconds", "questions", "spent", "total"))
