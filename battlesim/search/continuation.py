"""A recorded battle restored at any of its questions, and played on from there by chosen agents.

    continuation = Continuation(read_record("battle.jsonl.gz"))
    for battle in continuation.battles():  # at question 0, 1, 2 ...
        continuation.play_on(battle, seed=7).value  # 1.0 if the first side wins under fresh dice

Read `Continuation.battles` and `Continuation.play_on`.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import inf
from pathlib import Path

from msgspec import UNSET, Struct
from msgspec.structs import replace

from battlesim.core.answers import Answer, parse_answer
from battlesim.core.dice import Dice, Key, derive_seed, dice_of
from battlesim.core.errors import BattlesimError, Fault, InputError
from battlesim.core.events import Answered
from battlesim.core.items import TURN
from battlesim.core.state import Outcome
from battlesim.engine.battle import Battle
from battlesim.engine.origin import entrant_of, scenario_of
from battlesim.engine.record import Record, event_lines
from battlesim.engine.referee import Referee, forfeit_if_due
from battlesim.engine.roster import Entrant
from battlesim.evaluation.position import position_value
from battlesim.rules.scenario import Scenario
from battlesim.rulesets.finder import find_ruleset
from battlesim.scenario.load import first_state

REMEDY = "`battlesim verify RECORD` says more; play the battle again with this version"


class PlayedOn(Struct, frozen=True):
    """How a battle that was played on ended. `value`: 1 if the first side won, 0 if the second did, 0.5 for a draw. `answers`:
    every answer on the way, in text form. If it was not played to its end, `value` is the chance of the first side to win
    (`position_value`), `points` are those of a battle that ends there, and `termination` is "".
    """

    value: float
    points: tuple[int, int]
    termination: str
    answers: tuple[str, ...]


def value_of(outcome: Outcome) -> float:
    """1 if the first side won, 0 if the second did, 0.5 for a draw."""
    return 0.5 if outcome.winner is None else 1.0 - outcome.winner


class WatchedDice:
    """Dice that note whether any were thrown or drawn since `thrown` was last set to False."""

    def __init__(self, dice: Dice) -> None:
        self._dice = dice
        self.thrown = False

    def faces(self, key: Key, n: int, sides: int) -> tuple[int, ...]:
        """As `Dice.faces`."""
        self.thrown = True
        return self._dice.faces(key, n, sides)

    def ranking(self, turn: int, side: int, purpose: str, n: int) -> Sequence[tuple[int, int]]:
        """As `Dice.ranking`."""
        self.thrown = True
        return self._dice.ranking(turn, side, purpose, n)


class Continuation:
    """A record whose battle can be played on. `entrants`: the agent that plays on, by side; None for the agent of the record.

    Agents join the battle at the question: one that remembers does not remember what came before. They play under the limits
    of the record, but without its clock, so that the same seed always gives the same battle. Raises InputError if the scenario
    or an agent cannot be found.
    """

    def __init__(
        self,
        record: Record,
        entrants: Sequence[str | Entrant | None] = (None, None),
        scenario: str | Path | Scenario | None = None,
    ) -> None:
        self.record = record
        self.scenario = scenario_of(record, scenario)
        self.ruleset = find_ruleset(self.scenario.ruleset)
        one, two = (entrant_of(record, side, entrants[side]) for side in (0, 1))
        self.entrants = (one, two)
        self.limits = replace(record.header.options, seconds=0.0, milliseconds=UNSET)
        self.answers: tuple[Answered, ...] = tuple(e for e in record.events if isinstance(e, Answered))
        """The answers of the record; number n answered question n."""

    def battles(self) -> Iterator[Battle]:
        """The battle at each of its questions in turn. It is one battle that goes on: fork it to keep it.

        Its dice are `WatchedDice` over those of the record. Raises InputError if the present rules give other results for the
        recorded answers.
        """
        header = self.record.header
        state = first_state(self.scenario, header.seeds.battle)
        dice = WatchedDice(dice_of(header.seeds.dice, header.loaded_rolls))
        battle = Battle(self.ruleset, self.scenario.board, state, dice)
        compared = self._compare(battle, 0)
        lost = [int(bool(player.fault)) for player in header.agents]
        for number, event in enumerate(self.answers):
            question = battle.question
            if question is None:
                raise self._differs(compared)
            yield battle
            dice.thrown = False
            try:
                battle.answer(self.recorded(number), event.by, event.note)
            except BattlesimError:
                raise self._differs(compared) from None
            lost[question.side] += event.by == "referee"
            forfeit_if_due(battle, lost, header.options.faults)
            compared = self._compare(battle, compared)
        if not battle.over:
            raise self._differs(compared)

    def at(self, number: int) -> Battle:
        """The battle at question `number`, counted over both sides from 0. Raises InputError if there is none."""
        self._check_number(number)
        for n, battle in enumerate(self.battles()):
            if n == number:
                return battle
        raise self._differs(0)

    def recorded(self, number: int) -> Answer:
        """The recorded answer to question `number`. Raises InputError if there is no such question."""
        self._check_number(number)
        return parse_answer(self.answers[number].answer, self.ruleset.answers)

    def _check_number(self, number: int) -> None:
        """Raises InputError if the record has no question of this number."""
        if 0 <= number < len(self.answers):
            return
        last = len(self.answers) - 1
        remedy = f"questions are numbered from 0 to {last}" if self.answers else "it has no questions at all"
        raise InputError(Fault(f"there is no question {number}", remedy, self.record.path))

    def play_on(
        self, battle: Battle, seed: int | None = None, first: Answer | None = None, horizon: int = 0
    ) -> PlayedOn:
        """Play a copy of the battle to its end. `seed`: of fresh dice and of the agents' random numbers; None for those of the
        record, so that whatever the answers do not affect rolls as it did. `first`: the answer to the waiting question.
        `horizon`: play only to the end of this many turns, including the present one; 0 for all."""
        header = self.record.header
        if seed is None:
            agents = header.seeds.agents
            dice = dice_of(header.seeds.dice, header.loaded_rolls)
        else:
            agents = (derive_seed(seed, "agent", 0), derive_seed(seed, "agent", 1))
            dice = dice_of(derive_seed(seed, "dice"))
        fork = battle.fork(dice)
        if first is not None:
            fork.answer(first)
        if not fork.over:
            made = [entrant.make() for entrant in self.entrants]
            until = (battle.state.now // TURN + horizon) * TURN if horizon else inf
            Referee(fork, made, agents, self.limits, scenario=self.scenario).play_until(until)
        outcome = fork.outcome
        asked = sum(battle.state.questions)
        answers = [event.answer for event in fork.log if isinstance(event, Answered)]
        told = answers[len(answers) - (sum(fork.state.questions) - asked) :]
        if outcome is None:
            value = position_value(fork.state, fork.board, self.ruleset, 0)
            return PlayedOn(value, self.ruleset.standing(fork.state), "", tuple(told))
        return PlayedOn(value_of(outcome), outcome.points, outcome.termination, tuple(told))

    def _compare(self, battle: Battle, compared: int) -> int:
        """Compare what is new in the battle's log with the record; returns how many events agree."""
        lines = event_lines(battle.log[compared:])
        if lines != list(self.record.lines[compared : compared + len(lines)]):
            for line, recorded in zip(lines, self.record.lines[compared:], strict=False):
                if line != recorded:
                    break
                compared += 1
            raise self._differs(compared)
        return compared + len(lines)

    def _differs(self, event: int) -> InputError:
        what = f"the rules of this version make something else of event {event}"
        return InputError(Fault(what, REMEDY, self.record.path, event + 2))
