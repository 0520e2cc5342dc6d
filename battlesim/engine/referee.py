"""The referee: puts every question to its agent, and keeps the battle going whatever the agent does.

An agent that raises, answers illegally, returns nonsense or is late (if a limit is set) loses that question: the ruleset's
safe answer is taken, and the fault is noted in the record. After `Limits.faults` of them its side forfeits. Read `play_out`.
"""

from __future__ import annotations

import re
import signal
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from math import inf
from pathlib import PurePath
from traceback import walk_tb
from types import FrameType

from msgspec import Struct

from battlesim.core.answers import Answer, parse_answer
from battlesim.core.events import Answered, Ended
from battlesim.core.state import Outcome
from battlesim.engine.agent import START, Agent, Chance
from battlesim.engine.agent_sources import is_loaded, is_shipped
from battlesim.engine.battle import Battle, Question
from battlesim.engine.brief import brief_of, start_agent
from battlesim.engine.budget import THINKING
from battlesim.engine.header import Limits
from battlesim.rules.scenario import Scenario


class AgentFault(Struct, frozen=True):
    """One question that an agent lost. `number`: the question's, -1 if the agent could not start. `what`: why, in words."""

    side: int
    number: int
    what: str


class _LateError(BaseException):
    """The time for an answer is over. Not an `Exception`, so that an agent's own `except Exception` does not catch it."""


@contextmanager
def _time_limit(seconds: float) -> Iterator[None]:
    """Interrupt the body after `seconds` if the platform can (the main thread of a POSIX process), repeatedly if the body
    swallows it; otherwise a late answer is detected afterwards."""
    if seconds <= 0:
        yield
        return
    begun = time.monotonic()
    if hasattr(signal, "setitimer") and threading.current_thread() is threading.main_thread():
        armed = True

        def late(_number: int, _frame: FrameType | None) -> None:
            if armed:
                raise _LateError

        # The caller may have a timer that runs: of its own, or of an agent that imagines battles with a limit.
        left, again = signal.setitimer(signal.ITIMER_REAL, 0)
        before = signal.signal(signal.SIGALRM, late)
        try:
            # Inside, since the alarm may go off before the call returns.
            signal.setitimer(signal.ITIMER_REAL, seconds, 0.1)
            yield
        finally:
            armed = False
            signal.setitimer(signal.ITIMER_REAL, 0)
            signal.signal(signal.SIGALRM, before)
            if left:
                signal.setitimer(signal.ITIMER_REAL, max(left - (time.monotonic() - begun), 0.001), again)
    else:
        yield
    if time.monotonic() - begun > seconds:
        raise _LateError


_ADDRESS = re.compile(r" at 0x[0-9a-fA-F]+")


def _words(show: Callable[[], str]) -> str:
    """A text of an agent for the record: one line of at most 200 characters without memory addresses, even where `show`
    raises."""
    try:
        text = show()[:1_000]
    except (KeyboardInterrupt, GeneratorExit):
        raise
    except BaseException:
        return "(something that cannot be shown)"
    text = " ".join(_ADDRESS.sub("", text).split())[:200]
    return text.encode("utf-8", "replace").decode()


def _describe(error: BaseException) -> str:
    """What an agent raised and where: the file's name and line, the same on every machine."""
    text = _words(lambda: str(error))
    file, line = _place_of(error)
    where = f" ({PurePath(file).name}:{line})" if file else ""
    return f"raised {_words(lambda: type(error).__name__)}" + (f": {text}" if text else "") + where


def _place_of(error: BaseException) -> tuple[str, int]:
    """The innermost line of an agent's file that an error passed; ("", 0) if it passed none.

    Players may play by others, and may be wrapped in observers. Agents' files are those loaded by path, the first one that does
    not belong to battlesim, and all others whose `choose` or `start` was called. Files that they import are not named: those
    may be anything. If a shipped player plays by one of the user's, the user's file is the useful one.
    """
    passed = [(frame, line) for frame, line in walk_tb(error.__traceback__) if not _is_own(frame)]
    agents = {frame.f_code.co_filename for frame, _ in passed[:1]}
    agents.update(
        frame.f_code.co_filename
        for frame, _ in passed
        if frame.f_code.co_name in ("choose", "start") or is_loaded(_module(frame))
    )
    lines = [(frame, line) for frame, line in passed if frame.f_code.co_filename in agents]
    users = [(frame, line) for frame, line in lines if not is_shipped(_module(frame))]
    for frame, line in (users or lines)[-1:]:
        return frame.f_code.co_filename, line
    return "", 0


def _module(frame: FrameType) -> str:
    return str(frame.f_globals.get("__name__", ""))


def _is_own(frame: FrameType) -> bool:
    """Whether a frame runs code of battlesim, shipped agents aside."""
    return _module(frame).partition(".")[0] == "battlesim"


class Referee:
    """Drives one battle with two agents.

    Args:
        seeds: of the agents' random numbers, one for each side.
        listener: called before each question with the battle and the question.
        memories: what `save` returned when a battle was left, so that agents that remember go on as before.
        watch: called with a side before any code of that side's agent runs, and with -1 after it, so that a process guard knows
            whose code hung or died.
        scenario: what agents are told of at the start.

    `faults`: the questions that agents have lost so far. `forgotten`: why an agent's `save` failed, by side, "" if it did not.
    `budgets`: what each side may imagine at one question, and has imagined so far (`Budget.total`). Raises InputError for limits
    out of range.
    """

    def __init__(
        self,
        battle: Battle,
        agents: Sequence[Agent],
        seeds: Sequence[int],
        limits: Limits | None = None,
        listener: Callable[[Battle, Question], None] | None = None,
        memories: Sequence[bytes | None] = (None, None),
        watch: Callable[[int], None] | None = None,
        scenario: Scenario | None = None,
    ) -> None:
        self.battle = battle
        self.agents = tuple(agents)
        self.limits = limits or Limits()
        self.limits.check()
        self.faults: list[AgentFault] = []
        self.forgotten = ["", ""]
        self.budgets = (self.limits.budget(), self.limits.budget())
        self._chance = tuple(Chance(seed) for seed in seeds)
        self._lost = [0, 0]  # questions that each side has lost
        self._listener = listener
        self._watch = watch
        self._kinds = frozenset(battle.ruleset.answers)
        for side in (0, 1):
            self._start(side, memories[side], scenario)

    def _start(self, side: int, memory: bytes | None, scenario: Scenario | None) -> None:
        """Start the agent of a side, with what it remembered. An agent that fails loses a question."""
        battle, seconds = self.battle, self.limits.seconds
        if self._watch is not None:
            self._watch(side)
        seen = battle.ruleset.observe(battle.state, battle.board, side, ())
        brief = brief_of(seen, scenario, seconds, self.budgets[side])
        self._chance[side].at(START)
        try:
            with _time_limit(seconds):
                start_agent(self.agents[side], battle.board, side, self._chance[side], brief)
                if memory is not None:
                    self.agents[side].load(memory)  # type: ignore[attr-defined]
        except _LateError:
            self._note(side, -1, "was late to start")
        except (KeyboardInterrupt, GeneratorExit):
            raise
        except BaseException as error:
            if self._watch is not None and isinstance(error, MemoryError):
                raise  # the guard of the process knows whose code used up the memory
            self._note(side, -1, f"could not start: {_describe(error)}")
        if self._watch is not None:
            self._watch(-1)

    def save(self) -> tuple[bytes | None, bytes | None]:
        """What each agent remembers, None for one without `save`, and for one whose `save` fails: `forgotten` then says why."""
        return self._saved(0), self._saved(1)

    def _saved(self, side: int) -> bytes | None:
        agent: object = self.agents[side]
        try:
            if not hasattr(agent, "save"):  # a `__getattr__` of its own may raise anything
                return None
            memory = agent.save()
        except (KeyboardInterrupt, GeneratorExit):
            raise
        except BaseException as error:
            self.forgotten[side] = _describe(error)
            return None
        if isinstance(memory, bytes):
            return memory
        self.forgotten[side] = f"returned {_words(lambda: repr(memory))}, which is not bytes"
        return None

    def _note(self, side: int, number: int, what: str) -> None:
        self.faults.append(AgentFault(side, number, what))
        self._lost[side] += 1

    def play_out(self) -> Outcome:
        """Play the battle to its end and return its outcome."""
        self.play_until(inf)
        outcome = self.battle.outcome
        assert outcome is not None
        return outcome

    def play_until(self, time: float) -> None:
        """Play on until the clock stands at `time` (ticks) or later, or the battle is over."""
        battle = self.battle
        while (question := battle.question) is not None and battle.state.now < time:
            if self._listener is not None:
                self._listener(battle, question)
            self._put(question)
            if self.faults:
                forfeit_if_due(battle, self._lost, self.limits.faults)

    def repeat(self, event: Answered) -> None:
        """Give an answer that was given before, without asking. Raises LookupError if no question waits, IllegalAnswer where
        it is not legal."""
        battle, question = self.battle, self.battle.question
        if question is None or question.side != event.side:
            raise LookupError(f"no question of side {event.side} waits")
        if self._listener is not None:
            self._listener(battle, question)
        battle.answer(parse_answer(event.answer, battle.ruleset.answers), event.by, event.note)
        if event.by == "referee":
            self._note(event.side, question.number, event.note)
            forfeit_if_due(battle, self._lost, self.limits.faults)

    def _put(self, question: Question) -> None:
        """Have a question answered: by its agent, or by the rulebook's safe answer if the agent fails."""
        battle, side = self.battle, question.side
        said, note = self._ask(question)
        if not note:
            if (answer := self._legal(question, said)) is not None:
                battle.answer(answer)
                return
            note = f"answered {_words(lambda: repr(said))}, which is not legal"
        self._note(side, question.number, note)
        safe = battle.ruleset.safe_answer(battle.state, battle.board, question.ask, question.answers)
        battle.answer(safe, by="referee", note=note)

    def _legal(self, question: Question, said: object) -> Answer | None:
        """The question's own answer that equals what an agent said; None if there is none, or comparing them fails."""
        try:
            # The type is checked first: a class of the agent's own could claim to equal anything. The fields may be of any type,
            # too: two arrays, for one, do not compare to a truth value.
            if type(said) in self._kinds and isinstance(said, Answer) and said in question.answers:
                return question.answers[question.answers.index(said)]
        except (KeyboardInterrupt, GeneratorExit):
            raise
        except BaseException:
            pass
        return None

    def _ask(self, question: Question) -> tuple[object, str]:
        """What the agent returns to a question; and why it lost the question, "" if it has not yet."""
        side = question.side
        view = self.battle.view(side)
        self._chance[side].at(view.number)
        note = ""
        said: object = None
        if self._watch is not None:
            self._watch(side)
        outer, budget = THINKING.get(), self.budgets[side]
        if outer is None:  # else this battle is imagined, and its agents think on another agent's budget
            budget.begin()
            THINKING.set(budget)
        try:
            if self.limits.seconds > 0:
                with _time_limit(self.limits.seconds):
                    said = self.agents[side].choose(view, view.ask, question.answers)
            else:
                said = self.agents[side].choose(view, view.ask, question.answers)
        except _LateError:
            note = "was late"
        except (KeyboardInterrupt, GeneratorExit):
            raise
        except BaseException as error:  # an agent may even raise SystemExit
            if self._watch is not None and isinstance(error, MemoryError):
                raise
            note = _describe(error)
        finally:
            THINKING.set(outer)
        if self._watch is not None:
            self._watch(-1)
        return said, note


def forfeit_if_due(battle: Battle, lost: Sequence[int], most: int) -> None:
    """End a battle in which a side has lost `most` questions or more: the other side wins. `lost`: questions lost by each side,
    one for an agent that could not start among them."""
    failed = [side for side in (0, 1) if lost[side] >= most]
    if failed and not battle.over:
        # Both sides have lost as many only if neither agent could start; then it is a draw.
        winner = 1 - failed[0] if len(failed) == 1 else None
        battle.end(Ended(Outcome(winner, battle.state.points, "forfeit")))
