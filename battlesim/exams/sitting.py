"""An agent takes an exam: it answers for its side from the position on, until the window closes. Read `sit`."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import suppress

from msgspec import Struct

from battlesim.board.board import Board
from battlesim.core.answers import Answer, parse_answer
from battlesim.core.dice import derive_seed
from battlesim.core.events import Answered, Taken
from battlesim.core.items import Ask
from battlesim.core.state import Outcome
from battlesim.core.view import View
from battlesim.engine.agent import Agent, Chance
from battlesim.engine.battle import Battle, Question
from battlesim.engine.referee import Referee
from battlesim.engine.roster import Entrant
from battlesim.exams.load import Exam
from battlesim.exams.words import fits, in_words


class Sitting(Struct, frozen=True):
    """The result of one try. `passed`; `said`: the examined side's answers in words, in order; `missed`: what was not met, in
    words, "" if it passed; `faults`: questions the agent lost."""

    passed: bool
    said: tuple[str, ...]
    missed: str = ""
    faults: int = 0


class _WindowClosedError(Exception):
    """The referee is stopped: the window of the exam has closed."""


def sit(exam: Exam, entrant: Entrant, enemy: Entrant, seed: int = 0) -> Sitting:
    """One try of an agent; `enemy` plays the other side only. Dice and the agents' own chance come from `seed`: the same exam,
    agents and seed give the same try."""
    return sit_with(exam, entrant.make(), enemy.make(), seed)


def sit_with(exam: Exam, agent: Agent, enemy: Agent, seed: int = 0) -> Sitting:
    """`sit` for agents already made; they must be fresh, since they are started."""
    battle = exam.battle(seed)
    turn = battle.state.turn
    looked = 0

    def listen(battle: Battle, question: Question) -> None:
        nonlocal looked
        if exam.window == "activation":
            log = battle.log
            if any(isinstance(event, Taken) for event in log[looked:]):
                raise _WindowClosedError
            looked = len(log)
        elif exam.window == "turn" and battle.state.turn != turn:
            raise _WindowClosedError

    referee = _referee(exam, battle, agent, enemy, seed, listen)
    with suppress(_WindowClosedError):
        referee.play_out()
    said = _said(exam, battle)
    lost = [fault for fault in referee.faults if fault.side == exam.side]
    missed = f"lost a question: {lost[0].what}" if lost else _missed(exam, battle, said)
    return Sitting(not missed, said, missed, len(lost))


def play_on(exam: Exam, agent: Agent, enemy: Agent, seed: int = 0) -> Outcome:
    """Play from the position to the end of the battle; returns how it ended."""
    return _referee(exam, exam.battle(seed), agent, enemy, seed).play_out()


def _referee(
    exam: Exam,
    battle: Battle,
    agent: Agent,
    enemy: Agent,
    seed: int,
    listener: Callable[[Battle, Question], None] | None = None,
) -> Referee:
    agents = (agent, enemy) if exam.side == 0 else (enemy, agent)
    seeds = [derive_seed(seed, "agent", exam.name, side) for side in (0, 1)]
    return Referee(battle, agents, seeds, listener=listener, scenario=exam.scenario)


def _said(exam: Exam, battle: Battle) -> tuple[str, ...]:
    kinds = battle.ruleset.answers
    return tuple(
        in_words(parse_answer(event.answer, kinds), battle.state, battle.board)
        for event in battle.log
        if isinstance(event, Answered) and event.side == exam.side
    )


def _missed(exam: Exam, battle: Battle, said: Sequence[str]) -> str:
    """The first requirement of the exam that is not met, "" if all are."""
    wanted = exam.passes
    if wanted.said and not any(fits(text, pattern) for text in said for pattern in wanted.said):
        return f"never said {' or '.join(wanted.said)}"
    for text in said:
        if any(fits(text, pattern) for pattern in wanted.never or ()):
            return f"said {text}"
    where = {
        unit.name: battle.board.spaces[unit.place].name if unit.place >= 0 else "off the board"
        for unit in battle.state.units.values()
    }
    for name, places in wanted.at.items():
        if not any(fits(where[name], pattern) for pattern in places):
            return f"{name} ended at {where[name]}"
    for name, places in wanted.away.items():
        if any(fits(where[name], pattern) for pattern in places):
            return f"{name} ended at {where[name]}"
    return ""


class Scripted:
    """Gives the answers of a line in order, each at the first question where it is legal; another agent answers all other
    questions. `left`: the answers not given yet."""

    def __init__(self, exam: Exam, line: Sequence[str], other: Agent) -> None:
        self.exam, self.left, self.other = exam, list(line), other

    def start(self, board: Board, side: int, chance: Chance) -> None:
        """As `Agent.start`."""
        self.board = board
        self.other.start(board, side, chance)

    def choose(self, view: View, ask: Ask, answers: Sequence[Answer]) -> Answer:
        """The next answer of the line where it is legal, else that of the other agent."""
        if self.left:
            # Names of units do not change, so the exam's own position knows them all.
            for answer in answers:
                if fits(in_words(answer, self.exam.start, self.board), self.left[0]):
                    del self.left[0]
                    return answer
        return self.other.choose(view, ask, answers)
