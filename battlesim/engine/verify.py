"""Play a record again and compare (section 7 of the house plan). Read `verify`."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

from msgspec import Struct

from battlesim.core.answers import parse_answer
from battlesim.core.codec import dump_state
from battlesim.core.dice import KeyedDice
from battlesim.core.errors import BattlesimError, Fault, IllegalAnswer, InputError
from battlesim.core.events import Answered, Event
from battlesim.engine.battle import Battle, Question
from battlesim.engine.game import seeds_of
from battlesim.engine.record import Header, Record, event_lines
from battlesim.engine.referee import Limits, Referee, forfeit
from battlesim.engine.roster import Entrant, find_agent
from battlesim.engine.source import code
from battlesim.rules.forces import Scenario
from battlesim.rulesets.finder import find_ruleset
from battlesim.scenario.load import first_state, load_scenario, shipped_scenarios


class Verdict(Struct, frozen=True):
    """What came of it. `same`: everything met. Else `what` is the first thing that did not (scenario, map, seeds, start,
    agent, event), `number` the event's number (-1: before the first), and the two sides of the difference as text.
    `events` counts those compared; `notes` are differences that need not matter, such as another version of the program.
    """

    same: bool
    events: int
    what: str = ""
    number: int = -1
    recorded: str = ""
    rebuilt: str = ""
    notes: tuple[str, ...] = ()

    def __str__(self) -> str:
        if self.same:
            return f"the record stands: {self.events} events met"
        where = f"event {self.number}" if self.number >= 0 else f"the {self.what}"
        return f"{where} differs\n  recorded: {self.recorded}\n  rebuilt:  {self.rebuilt}"


class _Difference(Exception):
    def __init__(self, what: str, number: int, recorded: str, rebuilt: str) -> None:
        super().__init__(what)
        self.what, self.number, self.recorded, self.rebuilt = what, number, recorded, rebuilt


def verify(
    record: Record,
    agents: bool = False,
    scenario: str | Path | Scenario | None = None,
    entrants: Sequence[str | Entrant | None] = (None, None),
) -> Verdict:
    """Feed the recorded answers to the rules, or ask the agents again, and compare every event.

    The scenario and the agents are found by the names in the header (a file's also beside the record and in the working
    folder), or are as given. Raises InputError where they cannot be found.
    """
    header = record.header
    done = [0]
    try:
        loaded = _scenario(record, scenario)
        _same("scenario", header.scenario.digest, loaded.digest)
        _same("map", header.map.digest, loaded.board.digest)
        _same("seeds", repr(header.seeds), repr(seeds_of(header.seeds.battle)))
        state = first_state(loaded, header.seeds.battle)
        start = dump_state(state)
        if start != bytes(header.start):
            at = _first_apart(bytes(header.start), start)
            _same(
                "start",
                *(
                    text[max(0, at - 60) : at + 60].decode("utf-8", "replace")
                    for text in (bytes(header.start), start)
                ),
            )
        ruleset = find_ruleset(loaded.ruleset)
        battle = Battle(ruleset, loaded.board, state, KeyedDice(header.seeds.dice))
        if agents:
            _ask_again(record, battle, entrants, done)
        else:
            _feed(record, battle, done)
        if done[0] < len(record.lines):
            raise _Difference("event", done[0], record.lines[done[0]].decode(), "nothing: the battle is over")
    except _Difference as found:
        return Verdict(
            False, done[0], found.what, found.number, found.recorded, found.rebuilt, _notes(header)
        )
    return Verdict(True, done[0], notes=_notes(header))


def _first_apart(one: bytes, two: bytes) -> int:
    return next(
        (n for n, (a, b) in enumerate(zip(one, two, strict=False)) if a != b), min(len(one), len(two))
    )


def _same(what: str, recorded: str, rebuilt: str) -> None:
    if recorded != rebuilt:
        raise _Difference(what, -1, recorded, rebuilt)


def _notes(header: Header) -> tuple[str, ...]:
    notes = []
    if header.code != code():
        notes.append(
            f"recorded by version {header.code.version} ({header.code.digest}), this is {code().version} ({code().digest})"
        )
    if header.options.get("seconds"):
        notes.append("answers were limited by a clock, which need not come out the same")
    return tuple(notes)


def _compare(record: Record, log: Sequence[Event], done: list[int]) -> None:
    for line in event_lines(log[done[0] :]):
        number = done[0]
        if number >= len(record.lines):
            raise _Difference("event", number, "nothing: the battle is over", line.decode())
        if line != record.lines[number]:
            raise _Difference("event", number, record.lines[number].decode(), line.decode())
        done[0] += 1


# ---- the recorded answers --------------------------------------------------------------------------------------------


def _feed(record: Record, battle: Battle, done: list[int]) -> None:
    answers: Iterator[tuple[int, Answered]] = (
        (number, event) for number, event in enumerate(record.events) if isinstance(event, Answered)
    )
    lost = [int(bool(player.fault)) for player in record.header.agents]
    limit = record.header.options.get("faults", Limits().faults)
    _compare(record, battle.log, done)
    while (question := battle.question) is not None:
        number, event = next(answers, (-1, None))
        if event is None:
            raise _Difference("event", done[0], _line(record, done[0]), f"the question {question.ask!r}")
        try:
            said = parse_answer(event.answer, battle.ruleset.answers)
            if event.by == "referee":
                said = battle.ruleset.safe_answer(battle.state, battle.board, question.ask, question.answers)
            battle.answer(said, event.by, event.note)
        except IllegalAnswer as error:
            raise _Difference("event", number, _line(record, number), str(error)) from None
        except BattlesimError as error:  # the rules stumble over what follows
            raise _Difference("event", number, _line(record, number), str(error)) from None
        lost[question.side] += event.by == "referee"
        for side in (0, 1):
            if lost[side] >= limit and not battle.over:
                forfeit(battle, side)
        _compare(record, battle.log, done)


def _line(record: Record, number: int) -> str:
    return record.lines[number].decode() if number < len(record.lines) else "nothing: the battle is over"


# ---- the agents again ------------------------------------------------------------------------------------------------


def _ask_again(
    record: Record, battle: Battle, entrants: Sequence[str | Entrant | None], done: list[int]
) -> None:
    header = record.header
    players = [_entrant(record, side, entrants[side]) for side in (0, 1)]
    for player, entrant in zip(header.agents, players, strict=True):
        if player.digest != entrant.digest:
            raise _Difference(
                "agent", -1, f"{player.name} {player.digest}", f"{entrant.name} {entrant.digest}"
            )
    limits = Limits(header.options.get("seconds", 0.0), header.options.get("faults", Limits().faults))

    def listener(battle: Battle, question: Question) -> None:
        _compare(record, battle.log, done)

    referee = Referee(battle, [p.make() for p in players], header.seeds.agents, limits, listener)
    why = ["", ""]
    for fault in referee.faults:
        why[fault.side] = fault.what
    for side, player in enumerate(header.agents):
        if player.fault != why[side]:
            raise _Difference("agent", -1, player.fault or "it could start", why[side] or "it could start")
    referee.play_out()
    _compare(record, battle.log, done)


def _entrant(record: Record, side: int, given: str | Entrant | None) -> Entrant:
    if isinstance(given, Entrant):
        return given
    name = record.header.agents[side].name
    if given is not None:
        return find_agent(given)
    base, comma, words = name.partition(",")
    file, colon, attribute = base.partition(":")
    if file.endswith(".py"):
        near = Path(record.path).parent / file
        if near.is_file():
            return find_agent(f"{near}{colon}{attribute}{comma}{words}")
    return find_agent(name)


def _scenario(record: Record, given: str | Path | Scenario | None) -> Scenario:
    if isinstance(given, Scenario):
        return given
    if given is not None:
        return load_scenario(given)
    name = record.header.scenario.name
    if name in shipped_scenarios():
        return load_scenario(name)
    for folder in (Path(record.path).parent, Path()):
        if (folder / f"{name}.yaml").is_file():
            return load_scenario(folder / f"{name}.yaml")
    what = f"the record's scenario {name!r} is not among the shipped ones, nor beside the record"
    raise InputError(Fault(what, "say which file it is: --scenario FILE", record.path, 1))
