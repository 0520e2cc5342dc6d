"""Events to search for in battles: a side loses, a house falls, a unit dies, a clause is used. Read `Target`.

A target knows whether a battle has met it, and how near a position is to it. The nearness only guides the search: a poor one
makes it slow, never wrong.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import exp
from typing import Protocol

from battlesim.core.errors import Fault, InputError, did_you_mean
from battlesim.core.events import Event, StructureSet
from battlesim.engine.battle import Battle
from battlesim.evaluation.position import position_value
from battlesim.rules.registry import read_clauses
from battlesim.rules.scenario import Scenario
from battlesim.rulesets.finder import find_ruleset
from battlesim.scenario.load import first_state


class Target(Protocol):
    """Something that may happen in a battle."""

    words: str
    """In words, to follow "the odds of"."""

    def met(self, battle: Battle, news: Sequence[Event]) -> bool:
        """Whether it has happened. `news`: the events since the last time it was asked of this battle."""

    def nearness(self, battle: Battle) -> float:
        """How near a battle is to it, from 0 to 1; a position from which it is likelier should have a higher value."""


class Loses:
    """A side loses: the other one wins. A draw is neither."""

    def __init__(self, side: int, name: str) -> None:
        self._side, self.words = side, f"a defeat of {name}"

    def met(self, battle: Battle, news: Sequence[Event]) -> bool:
        """Whether the other side has won."""
        outcome = battle.outcome
        return outcome is not None and outcome.winner == 1 - self._side

    def nearness(self, battle: Battle) -> float:
        """What the position is worth to the other side, as a chance to win."""
        return position_value(battle.state, battle.board, battle.ruleset, 1 - self._side)


class Falls:
    """A section of a building falls, or every section of a building."""

    def __init__(self, sections: frozenset[int], name: str) -> None:
        self._sections, self.words = sections, f"the fall of {name}"

    def met(self, battle: Battle, news: Sequence[Event]) -> bool:
        """Whether all the sections have fallen."""
        return self._sections <= battle.state.down

    def nearness(self, battle: Battle) -> float:
        """From how many have fallen, and how often the state of the others was changed."""
        share = len(self._sections & battle.state.down) / len(self._sections)
        struck = sum(
            isinstance(event, StructureSet) and event.section in self._sections for event in battle.log
        )
        return share + (1 - share) * (1 - exp(-struck / 4)) / 2


class Dies:
    """A unit dies."""

    def __init__(self, unit: int, name: str, models: int) -> None:
        self._unit, self._models, self.words = unit, max(1, models), f"the end of {name}"

    def met(self, battle: Battle, news: Sequence[Event]) -> bool:
        """Whether the unit is dead."""
        return not battle.state.units[self._unit].alive

    def nearness(self, battle: Battle) -> float:
        """From the models it has lost, and a little from how its side is doing."""
        unit = battle.state.units[self._unit]
        lost = 1 - unit.models / self._models
        lead = position_value(battle.state, battle.board, battle.ruleset, 1 - unit.side)
        return min(1.0, 0.8 * lost + 0.2 * lead)


class Uses:
    """A clause of the rulebook applies to an event."""

    def __init__(self, clause: str) -> None:
        self._clause, self.words = clause, f"{clause} being used"

    def met(self, battle: Battle, news: Sequence[Event]) -> bool:
        """Whether one of the new events names the clause."""
        return any(self._clause in event.clauses for event in news)

    def nearness(self, battle: Battle) -> float:
        """Nothing is known about it: the later, the nearer."""
        return battle.state.now / (battle.state.now + 10_000)


FORMS = "loses:SIDE, falls:BUILDING, dies:UNIT or uses:CLAUSE"


def find_target(scenario: Scenario, words: str) -> Target:
    """The target that words name: `loses:SIDE`, `falls:BUILDING` (or one section of it), `dies:UNIT`, `uses:CLAUSE`.

    Raises InputError if they name nothing in the scenario, with the nearest names.
    """
    kind, colon, name = words.partition(":")
    if not colon or kind not in ("loses", "falls", "dies", "uses"):
        raise InputError(Fault(f"--event {words!r} is no event", f"write {FORMS}"))
    if kind == "loses":
        names = [side.name for side in scenario.sides]
        number = _one(words, name, names)
        return Loses(number, names[number])
    if kind == "falls":
        board = scenario.board
        known = {**{section.name: (section.id,) for section in board.sections}, **board.buildings}
        if name not in known:
            raise _unknown(words, name, list(known))
        return Falls(frozenset(known[name]), name)
    if kind == "dies":
        units = first_state(scenario, 0).units
        number = _one(words, name, [unit.name for unit in units.values()])
        unit = list(units.values())[number]
        return Dies(unit.id, unit.name, unit.models)
    clauses = [clause.id for clause in read_clauses(find_ruleset(scenario.ruleset).folder)]
    return Uses(clauses[_one(words, name, clauses)])


def _one(words: str, name: str, known: Sequence[str]) -> int:
    lowered = [one.lower() for one in known]
    if name.lower() not in lowered:
        raise _unknown(words, name, known)
    return lowered.index(name.lower())


def _unknown(words: str, name: str, known: Sequence[str]) -> InputError:
    return InputError(Fault(f"--event {words}: there is no {name!r}", did_you_mean(name, known)))
