"""Finding the scenario, map and agents of a record: as given, in the record itself, among those that ship, or beside the
record."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from msgspec import json, structs

from battlesim.board.board import Board
from battlesim.board.load import decode_map, load_map
from battlesim.core.answers import Answer, format_answer
from battlesim.core.errors import Fault, InputError
from battlesim.core.events import Answered
from battlesim.core.items import Ask
from battlesim.core.view import View
from battlesim.engine.agent import Chance
from battlesim.engine.agent_sources import HUMAN
from battlesim.engine.record import Record
from battlesim.engine.record_file import REMEDY
from battlesim.engine.roster import Entrant, find_agent, with_files
from battlesim.engine.saved import SavedGame
from battlesim.rules.scenario import Scenario
from battlesim.rulesets.finder import find_ruleset
from battlesim.scenario.load import decode_scenario, load_scenario, shipped_scenarios


def scenario_of(record: Record | SavedGame, given: str | Path | Scenario | None = None) -> Scenario:
    """The scenario of a record: the one given, else the one in the record. A record of format 1 holds none; then its name is
    looked for among the shipped scenarios, beside the record and in the working folder. Raises InputError if none is found,
    or the one in the record is broken."""
    if isinstance(given, Scenario):
        return given
    if given is not None:
        return load_scenario(given)
    header = record.header
    if (says := header.scenario.said) is not None:
        return decode_scenario(says, board_of(record), record.path)
    name = header.scenario.name
    if name in shipped_scenarios():
        return load_scenario(name)
    for folder in (Path(record.path).parent, Path()):
        if (folder / f"{name}.yaml").is_file():
            return load_scenario(folder / f"{name}.yaml")
    what = f"the record does not hold its scenario {name!r}, and there is none of that name"
    raise InputError(Fault(what, "name its file: --scenario FILE", record.path, 1))


def board_of(record: Record | SavedGame, given: str | Path | None = None) -> Board:
    """The board of a record: of the map given, else of the one in the record, else (format 1) of the shipped map of that name.
    Raises InputError if the map is not the record's."""
    named = record.header.map
    if given is None and (says := named.said) is not None:
        return decode_map(says, record.path)
    board = load_map(given or named.name)
    if board.digest != named.digest:
        what = f"map {board.name!r} is not the one of this record"
        raise InputError(Fault(what, "give the right file with --map", record.path))
    return board


def check_ruleset(record: Record) -> None:
    """Raises InputError if the ruleset that a record names is not installed, or is not the one of its scenario."""
    header = record.header
    name = header.ruleset.name
    try:
        find_ruleset(name)
    except InputError as error:
        raise InputError(
            [structs.replace(fault, file=record.path, line=1) for fault in error.faults]
        ) from None
    says = header.scenario.said
    if says is not None and (other := json.decode(says).get("ruleset")) != name:
        what = f"the record names the ruleset {name!r}, and its scenario {other!r}"
        raise InputError(Fault(what, REMEDY, record.path, 1))


def entrant_of(record: Record | SavedGame, side: int, given: str | Entrant | None = None) -> Entrant:
    """The agent of a side: the one given, else the one of the recorded name. Its files, and those that its parameters name, are
    looked for beside the record, then in their original places."""
    if isinstance(given, Entrant):
        return given
    if given is not None:
        return find_agent(given)
    if record.header.agents[side].name == HUMAN:
        what = f"{HUMAN!r} is a person, who cannot be asked again"
        remedy = f"name an agent for that side: --agent {record.header.sides[side]}=NAME"
        raise InputError(Fault(what, remedy, record.path))
    name, beside = record.header.agents[side].name, Path(record.path).parent

    def find(path: str) -> str:
        places = (beside / path, Path(path), beside / Path(path).name)
        return str(next((place for place in places if place.is_file()), path))

    return replace(find_agent(with_files(name, find)), name=name)


def person_of(record: Record, side: int) -> Entrant:
    """A person who played, as an agent that repeats the recorded answers."""
    said = [event.answer for event in record.events if isinstance(event, Answered) and event.side == side]
    return Entrant(HUMAN, "", lambda: _Repeating(said))


class _Repeating:
    """Gives recorded answers. `said`: their text forms."""

    def __init__(self, said: Sequence[str]) -> None:
        self._said = said

    def start(self, board: Board, side: int, chance: Chance) -> None:
        """It needs no knowledge."""

    def choose(self, view: View, ask: Ask, answers: Sequence[Answer]) -> Answer:
        """The recorded answer to the question of this number. Raises ValueError where it is not legal."""
        forms = [format_answer(answer) for answer in answers]
        return answers[forms.index(self._said[view.number])]
