"""The referee: puts every question to its agent, and keeps the battle going whatever the agent does.

An agent that raises, answers illegally, returns nonsense or is late (where a limit is set) loses that question to the
ruleset's safe answer; the fault is noted in the record; after `Limits.faults` of them its side forfeits. Read `play_out`.
"""

from __future__ import annotations

import signal
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from types import FrameType

from msgspec import Struct

from battlesim.core.answers import Answer
from battlesim.core.events import Ended
from battlesim.core.state import Outcome
from battlesim.engine.agent import Agent, Chance
from battlesim.engine.battle import Battle, Question


class Limits(Struct, frozen=True):
    """What an agent may cost. `seconds`: for one answer, 0 for no limit (the default: law 8). `faults`: so many lost
    questions forfeit the battle.
    """

    seconds: float = 0.0
    faults: int = 10


class AgentFault(Struct, frozen=True):
    """One question an agent lost."""

    side: int
    number: int
    what: str


class _LateError(Exception):
    pass


@contextmanager
def _time_limit(seconds: float) -> Iterator[None]:
    """Interrupt the body after `seconds`, where the platform can (the main thread of a POSIX process); elsewhere a late
    answer is found out afterwards."""
    if seconds <= 0:
        yield
        return
    begun = time.monotonic()
    if hasattr(signal, "setitimer") and threading.current_thread() is threading.main_thread():

        def late(_number: int, _frame: FrameType | None) -> None:
            raise _LateError

        before = signal.signal(signal.SIGALRM, late)
        signal.setitimer(signal.ITIMER_REAL, seconds)
        try:
            yield
        finally:
            signal.setitimer(signal.ITIMER_REAL, 0)
            signal.signal(signal.SIGALRM, before)
    else:
        yield
    if time.monotonic() - begun > seconds:
        raise _LateError


def _describe(error: BaseException) -> str:
    text = " ".join(str(error).split())[:200]
    return f"raised {type(error).__name__}" + (f": {text}" if text else "")


class Referee:
    """Drives one battle with two agents. `seeds` are the agents' own, one a side."""

    def __init__(
        self,
        battle: Battle,
        agents: Sequence[Agent],
        seeds: Sequence[int],
        limits: Limits | None = None,
        listener: Callable[[Battle, Question], None] | None = None,
    ) -> None:
        self.battle = battle
        self.agents = tuple(agents)
        self.limits = limits or Limits()
        self.faults: list[AgentFault] = []
        self._chance = tuple(Chance(seed) for seed in seeds)
        self._counts = [0, 0]
        self._listener = listener
        for side in (0, 1):
            try:
                with _time_limit(self.limits.seconds):
                    self.agents[side].start(battle.board, side, self._chance[side])
            except _LateError:
                self._note(side, "was late to start")
            except Exception as error:
                self._note(side, f"could not start: {_describe(error)}")

    def _note(self, side: int, what: str) -> None:
        self.faults.append(AgentFault(side, self.battle.state.questions, what))
        self._counts[side] += 1

    def play_out(self) -> Outcome:
        """Play to the end; how it ended."""
        battle = self.battle
        while (question := battle.question) is not None:
            if self._listener is not None:
                self._listener(battle, question)
            self._put(question)
            for side in (0, 1):
                if self._counts[side] >= self.limits.faults and not battle.over:
                    self._forfeit(side)
        outcome = battle.outcome
        assert outcome is not None
        return outcome

    def _put(self, question: Question) -> None:
        battle, side = self.battle, question.side
        chance = self._chance[side]
        chance.at(question.number)
        note = ""
        said: object = None
        try:
            view = battle.view(side)
            with _time_limit(self.limits.seconds):
                said = self.agents[side].choose(view, question.ask, question.answers)
        except _LateError:
            note = "was late"
        except (KeyboardInterrupt, GeneratorExit):
            raise
        except BaseException as error:  # an agent may even raise SystemExit
            note = _describe(error)
        if not note:
            if isinstance(said, Answer) and said in question.answers:
                battle.answer(said)
                return
            note = f"answered {said!r:.200}, which is not legal"
        self._note(side, note)
        safe = battle.ruleset.safe_answer(battle.state, battle.board, question.ask, question.answers)
        battle.answer(safe, by="referee", note=note)

    def _forfeit(self, side: int) -> None:
        state = self.battle.state
        self.battle.end(Ended(Outcome(1 - side, state.points, "forfeit")))
