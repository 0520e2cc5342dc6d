"""Playing a record again under the rules, and comparing every event. Read `verify`."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

from msgspec import UNSET, Struct
from msgspec.structs import replace

from battlesim.core.answers import parse_answer
from battlesim.core.codec import dump_state
from battlesim.core.dice import dice_of
from battlesim.core.errors import BattlesimError
from battlesim.core.events import Answered, Event
from battlesim.engine.agent_sources import HUMAN
from battlesim.engine.battle import Battle, Question
from battlesim.engine.game import agents_made, header_of, seeds_of
from battlesim.engine.header import Header
from battlesim.engine.origin import entrant_of, person_of, scenario_of
from battlesim.engine.record import Record, encode, event_lines
from battlesim.engine.referee import Referee, forfeit_if_due
from battlesim.engine.roster import Entrant, find_agent
from battlesim.engine.source import code, ruleset_code
from battlesim.rules.scenario import Scenario
from battlesim.rulesets.finder import find_ruleset
from battlesim.scenario.load import first_state


class Verification(Struct, frozen=True):
    """The result of `verify`.

    `same`: everything agrees. Else `what` is the first thing that differs (scenario, map, ruleset, sides, places, sections,
    seeds, start, agent, event), `number` is the event's number (-1: before the first), and `recorded` and `rebuilt` are both
    versions as text. `events`: how many were compared. `notes`: differences that need not matter, such as another version of
    the program. `unchecked`: parts of the record that could not be checked.
    """

    same: bool
    events: int
    what: str = ""
    number: int = -1
    recorded: str = ""
    rebuilt: str = ""
    notes: tuple[str, ...] = ()
    unchecked: tuple[str, ...] = ()

    def __str__(self) -> str:
        if self.same:
            return f"the record is correct: all {self.events} events agree"
        where = f"event {self.number}" if self.number >= 0 else f"the {self.what}"
        return f"{where} differs\n  recorded: {self.recorded}\n  rebuilt:  {self.rebuilt}"


AGENTS = "which agents played, whether they could start, and which answers were the referee's"
"""What is taken from the record if the agents are not asked again."""
LIMITS = "the limits set for agents, where no agent reached them"
"""What no record can prove."""


class _Difference(Exception):
    def __init__(self, what: str, number: int, recorded: str, rebuilt: str) -> None:
        super().__init__(what)
        self.what, self.number, self.recorded, self.rebuilt = what, number, recorded, rebuilt


def verify(
    record: Record,
    agents: bool = False,
    scenario: str | Path | Scenario | None = None,
    entrants: Sequence[str | Entrant | None] = (None, None),
    clock: bool = True,
) -> Verification:
    """Give the recorded answers to the rules, or ask the agents again (`agents`), and compare every event.

    The scenario is the one given, else the one in the record. The agents are those given (`entrants`), else they are found by
    their names in the header; a file may lie beside the record. A person's recorded answers are given again.
    `clock`: whether agents have no more time for an answer than they had; without it they are only told of the limit.
    Raises InputError if one of them cannot be found.
    """
    header = record.header
    comparison = _Comparison(record)
    people = [
        f"the answers of {name}, whom a person played"
        for side, name in enumerate(header.sides)
        if agents and _is_repeated(header, entrants, side)
    ]
    unchecked = (*people, LIMITS) if agents else (AGENTS, LIMITS)

    def verdict(found: _Difference | None = None) -> Verification:
        notes = _notes(header, entrants if agents else (None, None))
        same = comparison.same
        if found is None:
            return Verification(True, same, notes=notes, unchecked=unchecked)
        what, number = found.what, found.number
        return Verification(False, same, what, number, found.recorded, found.rebuilt, notes, unchecked)

    try:
        loaded = scenario_of(record, scenario)
        state = first_state(loaded, header.seeds.battle)
        _same_header(header, loaded, dump_state(state))
        dice = dice_of(header.seeds.dice, header.loaded_rolls)
        battle = Battle(find_ruleset(loaded.ruleset), loaded.board, state, dice)
        if agents:
            _ask_again(record, battle, loaded, entrants, comparison, clock)
        else:
            _give_again(record, battle, comparison)
        comparison.end()
    except _Difference as found:
        return verdict(found)
    return verdict()


def _same_header(header: Header, scenario: Scenario, start: bytes) -> None:
    """Compare all fields of the header but those of `NOT_DETERMINED`."""
    rebuilt = header_of(scenario, seeds_of(header.seeds.battle), header.agents, header.options, start)
    rebuilt = replace(rebuilt, format=header.format)
    if header.format == 1:
        names = {what: replace(getattr(rebuilt, what), says=UNSET) for what in ("scenario", "map")}
        rebuilt = replace(rebuilt, **names)
    if header.ruleset.digest:  # a difference is only noted, as for the program
        rebuilt = replace(rebuilt, ruleset=replace(rebuilt.ruleset, digest=header.ruleset.digest))
    for field in Header.__struct_fields__:
        if field in NOT_DETERMINED:
            continue
        one, two = (encode(getattr(which, field)) for which in (header, rebuilt))
        if one != two:
            raise _Difference(field, -1, *_apart(one, two))


NOT_DETERMINED = ("code", "agents", "options", "loaded")
"""Fields of a header that do not follow from scenario and seed: the program (a difference is noted), the agents (compared where
they are asked again), the limits (free to choose), loaded rolls (noted)."""


def _apart(recorded: bytes, rebuilt: bytes) -> tuple[str, str]:
    """Both texts around the place where they first differ."""
    pairs = zip(recorded, rebuilt, strict=False)
    at = next((n for n, (a, b) in enumerate(pairs) if a != b), min(len(recorded), len(rebuilt)))
    one, two = (text[max(0, at - 60) : at + 60].decode("utf-8", "replace") for text in (recorded, rebuilt))
    return one, two


def _notes(header: Header, entrants: Sequence[str | Entrant | None]) -> tuple[str, ...]:
    notes = []
    for player, given in zip(header.agents, entrants, strict=True):
        if given is not None:
            name = given.name if isinstance(given, Entrant) else find_agent(given).name
            if name != player.name:
                notes.append(f"the agent {player.name!r} of the record was asked again as {name!r}")
    if header.format == 1:
        notes.append(
            "a record of format 1, which does not hold its map and scenario: they were found by name"
        )
    if header.format < 3:
        notes.append(
            f"a record of format {header.format}, which writes a whole list where one number leaves it: under "
            "rulebooks that keep such lists its events differ from those written now"
        )
    if count := len(header.loaded_rolls):
        rolls = "one roll was" if count == 1 else f"{count} rolls were"
        notes.append(f"{rolls} set beforehand, as the record says; every other die follows from the seed")
    if header.code != code():
        notes.append(
            f"recorded by version {header.code.version} ({header.code.digest}), this is {code().version} ({code().digest})"
        )
    book = ruleset_code(header.ruleset.name)
    if header.ruleset.digest != book.digest:
        notes.append(
            f"recorded by ruleset {book.name} with source files {header.ruleset.digest}, these are {book.digest}"
        )
    if not header.options.repeatable:
        notes.append("answers were limited by a clock, so asking again may come out otherwise")
    return tuple(notes)


_OVER = "nothing: the battle is over"


class _Comparison:
    """Compares a battle's events with those of a record as the battle goes on. `same`: how many have agreed so far."""

    def __init__(self, record: Record) -> None:
        self._lines = record.lines
        self.same = 0

    def take(self, log: Sequence[Event]) -> None:
        """Compare the events that are new in a battle's log; `log` is the whole log."""
        for line in event_lines(log[self.same :]):
            if self.same >= len(self._lines) or line != self._lines[self.same]:
                raise self.difference(self.same, line.decode())
            self.same += 1

    def end(self) -> None:
        """The battle is over: the record must hold no further event."""
        if self.same < len(self._lines):
            raise self.difference(self.same, _OVER)

    def difference(self, number: int, rebuilt: str) -> _Difference:
        """A difference at an event. `rebuilt`: what stands in its place when the battle is played again."""
        recorded = self._lines[number].decode() if number < len(self._lines) else _OVER
        return _Difference("event", number, recorded, rebuilt)


# ---- the recorded answers --------------------------------------------------------------------------------------------


def _give_again(record: Record, battle: Battle, comparison: _Comparison) -> None:
    """Give the recorded answers to the rules."""
    answers: Iterator[tuple[int, Answered]] = (
        (number, event) for number, event in enumerate(record.events) if isinstance(event, Answered)
    )
    lost = [int(bool(player.fault)) for player in record.header.agents]
    comparison.take(battle.log)
    while (question := battle.question) is not None:
        number, event = next(answers, (-1, None))
        if event is None:
            raise comparison.difference(comparison.same, f"the question {question.ask!r}")
        if event.by not in ("agent", "referee") or (event.note and event.by == "agent"):
            raise comparison.difference(number, "an answer is the agent's, or the referee's with a note")
        try:
            said = parse_answer(event.answer, battle.ruleset.answers)
            if event.by == "referee":
                said = battle.ruleset.safe_answer(battle.state, battle.board, question.ask, question.answers)
            battle.answer(said, event.by, event.note)
        except BattlesimError as error:  # it is not legal, or the rules fail on what follows
            raise comparison.difference(number, str(error)) from None
        lost[question.side] += event.by == "referee"
        forfeit_if_due(battle, lost, record.header.options.faults)
        comparison.take(battle.log)


# ---- the agents again ------------------------------------------------------------------------------------------------


def _is_repeated(header: Header, entrants: Sequence[str | Entrant | None], side: int) -> bool:
    """Whether a person played a side, whose recorded answers are given again."""
    return header.agents[side].name == HUMAN and entrants[side] is None


def _ask_again(
    record: Record,
    battle: Battle,
    scenario: Scenario,
    entrants: Sequence[str | Entrant | None],
    comparison: _Comparison,
    clock: bool,
) -> None:
    """Play the battle with the agents, asked anew, and people's recorded answers. `clock`: as for `verify`."""
    header = record.header
    players = [
        person_of(record, side)
        if _is_repeated(header, entrants, side)
        else entrant_of(record, side, entrants[side])
        for side in (0, 1)
    ]
    for player, entrant in zip(header.agents, players, strict=True):
        if player.digest != entrant.digest:
            raise _Difference(
                "agent", -1, f"{player.name} {player.digest}", f"{entrant.name} {entrant.digest}"
            )

    def listener(battle: Battle, question: Question) -> None:
        comparison.take(battle.log)

    referee = Referee(
        battle,
        agents_made(players),
        header.seeds.agents,
        header.options,
        listener,
        scenario=scenario,
    )
    why = ["", ""]
    for fault in referee.faults:
        why[fault.side] = fault.what
    for side, player in enumerate(header.agents):
        if player.fault != why[side]:
            raise _Difference("agent", -1, player.fault or "it could start", why[side] or "it could start")
    if not clock:
        referee.limits = replace(referee.limits, seconds=0.0)
    referee.play_out()
    comparison.take(battle.log)
