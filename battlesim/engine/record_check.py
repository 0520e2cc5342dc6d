"""Whether the numbers in a record are those of something: causes, units, places, sections and sides.

A record whose digest fits may still be forged. Readers look units and places up by number, so each number is checked once, when
a record is read. Whether the changes fit one another is for `replay`. Read `check_start` and `misfit`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from battlesim.core.events import (
    Answered,
    Asked,
    Ended,
    Event,
    ModelsLost,
    Placed,
    Rolled,
    Scored,
    StructureSet,
    UnitSet,
)
from battlesim.core.state import State

UNIT, PLACE, SECTION, SIDE, NUMBER = "unit", "place", "section", "side", "number"
NAMED: dict[str, str] = {
    **dict.fromkeys(("unit", "target", "other", "aboard", "enemy"), UNIT),
    "place": PLACE,
    "section": SECTION,
    "side": SIDE,
}
"""Fields of facts that hold the number of something, -1 for none, in every rulebook. The field `number` holds any number."""

SIDES = frozenset((0, 1))
"""The numbers of sides."""


class Numbers:
    """The numbers that are given in a battle."""

    def __init__(self, units: Iterable[int], places: int, sections: int) -> None:
        self.known: dict[str, frozenset[int]] = {
            UNIT: frozenset(units),
            PLACE: frozenset(range(places)),
            SECTION: frozenset(range(sections)),
            SIDE: SIDES,
        }
        self.or_none = {kind: known | {-1} for kind, known in self.known.items()}

    def fault(self, kind: str, number: object, none: bool = False) -> str:
        """What is wrong with a number; "" if it is known, or -1 where `none` may be."""
        known = (self.or_none if none else self.known)[kind]
        if type(number) is int and number in known:
            return ""
        if not (given := self.known[kind]):
            return f"there is no {kind} {number!r}: the battle has none"
        span = f"{min(given)} to {max(given)}" + (", or -1 for none" if none else "")
        return f"there is no {kind} {number!r}: {kind}s are numbered {span}"


def check_start(state: State, numbers: Numbers) -> None:
    """Raises ValueError if a battle's first state has a unit in a place, or a section, that is not there, or a count that is no
    number."""
    for name in ("turn", "now", "serial", "events"):
        if type(value := getattr(state, name)) is not int:
            raise ValueError(f"{name} is {value!r}, which is not a whole number")
    for unit in state.units.values():
        if told := numbers.fault(PLACE, unit.place, none=True):
            raise ValueError(f"unit {unit.id}: {told}")
    for section in state.structures:
        if told := numbers.fault(SECTION, section):
            raise ValueError(told)


def misfit(events: Sequence[Event], numbers: Numbers) -> tuple[int, str] | None:
    """The number of the first event that names a cause, unit, place, section or side that is not there, and what is wrong with
    it; None if there is none."""
    checks, named = _CHECKS, [(name, kind, numbers.or_none[kind]) for name, kind in NAMED.items()]
    for number, event in enumerate(events):
        if not -1 <= event.cause < number:
            return number, f"its cause is {event.cause}, which is not an earlier event"
        fields: Mapping[str, Any] | None = getattr(event, "fields", None)
        if fields is None:
            check = checks.get(type(event))
            if check is not None and (told := check(numbers, event)):
                return number, told
            continue
        for name, kind, known in named:
            if name in fields and ((value := fields[name]).__class__ is not int or value not in known):
                return number, f"{name}: {numbers.fault(kind, value, none=True)}"
        if fields.get(NUMBER, 0).__class__ is not int:
            return number, f"{NUMBER}: {fields[NUMBER]!r} is not a whole number"
    return None


def _placed(numbers: Numbers, event: Placed) -> str:
    told = numbers.fault(UNIT, event.unit) or numbers.fault(PLACE, event.place, none=True)
    return told or next((wrong for at in event.path if (wrong := numbers.fault(PLACE, at, none=True))), "")


def _of_unit(numbers: Numbers, event: UnitSet | ModelsLost) -> str:
    return numbers.fault(UNIT, event.unit)


def _structure_set(numbers: Numbers, event: StructureSet) -> str:
    return numbers.fault(SECTION, event.section)


def _of_side(numbers: Numbers, event: Answered | Scored) -> str:
    return numbers.fault(SIDE, event.side)


def _asked(numbers: Numbers, event: Asked) -> str:
    if not isinstance(event.ask, Mapping):
        return f"what it asks is {event.ask!r}, which is not a question"
    return numbers.fault(SIDE, event.side)


def _rolled(numbers: Numbers, event: Rolled) -> str:
    return "" if event.faces else "it rolled no dice"


def _ended(numbers: Numbers, event: Ended) -> str:
    return "" if event.outcome.winner is None else numbers.fault(SIDE, event.outcome.winner)


_CHECKS: dict[type[Event], Callable[[Numbers, Any], str]] = {
    Placed: _placed,
    ModelsLost: _of_unit,
    UnitSet: _of_unit,
    StructureSet: _structure_set,
    Answered: _of_side,
    Scored: _of_side,
    Asked: _asked,
    Rolled: _rolled,
    Ended: _ended,
}
