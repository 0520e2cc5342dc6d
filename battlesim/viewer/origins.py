"""How a chain of causes that ends without an order continues: to the event that put it on the agenda, the charge that began a
fight, the start of a flight, or the shot that lit a fire. Read `Origins.before`.

The rulebook's `story.toml` says which facts begin a fight or a fire (`[story] contacts`, `flights`, `lights`, `burns`).
"""

from __future__ import annotations

import json
from bisect import bisect_right
from collections.abc import Collection, Iterable, Iterator
from typing import Any

from battlesim.core.events import Answered, Event, Scheduled, Taken, UnitSet
from battlesim.engine.record import PlainFact, Record
from battlesim.viewer.event_fields import fields_of, step_of, units_of
from battlesim.viewer.told import Subject, ToldRecord

_TURN_TAKING = frozenset(("type", "side", "phase"))
"""Fields of steps on the agenda that only say whose turn comes next. A step with any other field is an action under way."""


class Origins:
    """How the chains of a record continue."""

    def __init__(self, record: Record, index: ToldRecord) -> None:
        self.record, self.index = record, index
        self._hosts = self._joined()

    def before(self, chain: Collection[int]) -> int:
        """The event that continues a chain which began without an order, or ends in a fire; -1 for none. `chain`: all events from
        effect to cause."""
        events = self.record.events
        # A unit that goes into a fire is burnt because of its own order, and because of the shot that lit it.
        if (fire := self._burning(chain)) >= 0:
            return fire
        lit = min((n for n in chain if self.is_fire(n)), default=len(events))
        chain = [n for n in chain if n <= lit]
        order = min((n for n in chain if isinstance(events[n], Answered)), default=len(events))
        unordered = [n for n in chain if n < order]
        if order < len(events):
            return self.contact(unordered)
        first = min(chain)
        root = events[first]
        if isinstance(root, Taken):
            put = self.index.scheduled.get(root.serial, -1)
            entry = events[put] if put >= 0 else None
            if isinstance(entry, Scheduled) and set(step_of(entry)) > _TURN_TAKING & set(step_of(entry)):
                return put
        found = (find(unordered) for find in (self.contact, self._fled))
        return next((number for number in found if number >= 0), -1)

    def told_cause(self, number: int) -> int:
        """The nearest cause of an event with a sentence; -1 for none, or for a mere order."""
        events = self.record.events
        at = events[number].cause
        while at >= 0 and at not in self.index.told:
            at = events[at].cause
        given = events[events[at].cause] if at >= 0 and events[at].cause >= 0 else None
        ordered = isinstance(given, Answered) and given.answer.startswith("order ")
        return -1 if ordered else at

    def telling(self, change: int, subject: Subject) -> int:
        """The fact that tells the change of a section: its cause, or the last one about the section that has the same cause; -1
        for none."""
        events, cause = self.record.events, self.record.events[change].cause
        for number in (cause, *(n for n in range(change - 1, cause, -1) if events[n].cause == cause)):
            if number in self.index.told and self.index.concerns(events[number], subject):
                return number
        return -1

    def struck_by(self, number: int) -> int:
        """The shot that harmed a section, if the sentence about the harm has no dice of its own: the last sentence before it with
        dice and the same cause; -1 for none."""
        events, told = self.record.events, self.index.told
        if any(sentence.shown for sentence in told[number]):
            return -1
        cause = events[number].cause
        beside = (n for n in range(number - 1, cause, -1) if events[n].cause == cause and n in told)
        return next((n for n in beside if any(sentence.shown for sentence in told[n])), -1)

    # ---- losses that are told after their fight

    def leader(self, number: int) -> int:
        """The later event after which an event is told (`[hold]`): the fight, for its losses; -1 for none."""
        events = self.record.events
        name = self.index.wording.led_by(type(events[number]).__name__, fields_of(events[number]))
        for later in range(number + 1, len(events)) if name else ():
            event = events[later]
            if isinstance(event, Taken):
                break
            if isinstance(event, PlainFact) and event.name == name:
                return later
        return -1

    def told_order(self, numbers: Iterable[int]) -> list[int]:
        """Events without repetition, in the order in which they are told."""

        def place(number: int) -> tuple[int, int]:
            leader = self.leader(number)
            return (leader, number) if leader >= 0 else (number, -1)

        return sorted(set(numbers), key=place)

    # ---- fights

    def contact(self, chain: Collection[int]) -> int:
        """The latest contact between two units that a fact of the chain names; -1 for none, or if one is in the chain."""
        if not self.index.wording.contacts or any(self.is_contact(number) for number in chain):
            return -1
        for number in sorted(chain):
            event = self.record.events[number]
            pair = self._fighting(event, number)
            if not isinstance(event, PlainFact) or len(pair) < 2:
                continue
            for before in range(min(chain) - 1, -1, -1):
                if self.is_contact(before) and pair <= self._fighting(self.record.events[before], before):
                    return before
        return -1

    def is_contact(self, number: int) -> bool:
        """Whether an event begins a fight between two units."""
        return self._is_one_of(number, self.index.wording.contacts)

    def _fighting(self, event: Event, number: int) -> set[int]:
        """The units that a fact names; a character is replaced by the unit that it has joined, since it fights with that unit."""
        return {self._host(unit, number) for unit in units_of(event)}

    def _host(self, unit: int, number: int) -> int:
        changes = self._hosts.get(unit, [])
        at = bisect_right(changes, number, key=lambda change: change[0])
        host = changes[at - 1][1] if at else -1
        return host if host >= 0 else unit

    def _joined(self) -> dict[int, list[tuple[int, int]]]:
        """By unit: (event, the unit that it is with from then on), -1 for none and at the start."""
        found: dict[int, list[tuple[int, int]]] = {}
        field = self.index.wording.joined
        for row in json.loads(bytes(self.record.header.start))["units"] if field else ():
            found.setdefault(row["id"], []).append((-1, row["own"].get(field, -1)))
        for number, event in enumerate(self.record.events):
            own: Any = event.own if isinstance(event, UnitSet) else {}
            if isinstance(event, UnitSet) and field in own:
                found.setdefault(event.unit, []).append((number, own[field]))
        return found

    def _fled(self, chain: Collection[int]) -> int:
        """The flight that a unit of the chain continues; -1 for none."""
        flights = self.index.wording.flights
        for number in sorted(n for n in chain if self._is_one_of(n, flights)):
            unit = fields_of(self.record.events[number]).get("unit")
            for before in range(min(chain) - 1, -1, -1):
                if (
                    self._is_one_of(before, flights)
                    and fields_of(self.record.events[before]).get("unit") == unit
                ):
                    return before
        return -1

    # ---- fires

    def is_fire(self, number: int) -> bool:
        """Whether an event starts a fire or brings it to a place."""
        return self._is_one_of(number, self.index.wording.lights)

    def fires(self, chain: Collection[int]) -> Iterator[int]:
        """The events behind the fires in a chain: each outbreak that put something on the agenda, and the shot that caused it."""
        events = self.record.events
        outbreaks = {n for n in chain if self.is_fire(n)}
        for number in chain:
            put = events[number]
            if not isinstance(put, Scheduled):
                continue
            place = step_of(put).get("place", -1)
            for before in self._siblings(number):
                if self.is_fire(before) and place in (-1, fields_of(events[before]).get("place", -1)):
                    outbreaks.add(before)
                    break
        for number in outbreaks:
            yield number
            if (shot := self.shot(number)) >= 0:
                yield shot

    def shot(self, fire: int) -> int:
        """The shot that caused a fire; -1 for none."""
        # A shot is a fact that names its weapon; a fire that spreads has none.
        shots = (n for n in self._siblings(fire) if fields_of(self.record.events[n]).get("weapon"))
        return next(shots, -1)

    def _burning(self, chain: Collection[int]) -> int:
        """The event that brought fire to the place where the last unit of a chain was caught in it; -1 for none."""
        events, end = self.record.events, max(chain)
        if any(self.is_fire(number) for number in chain):
            return -1
        unit = fields_of(events[end]).get("unit")
        for number in (end, *self._siblings(end)):
            fields = fields_of(events[number])
            if self._is_one_of(number, self.index.wording.burns) and fields.get("unit") == unit:
                for before in range(number - 1, -1, -1):
                    if self.is_fire(before) and fields_of(events[before]).get("place") == fields.get("place"):
                        return before
        return -1

    def _siblings(self, number: int) -> Iterator[int]:
        """The events before one that have its cause, the nearest first."""
        events, cause = self.record.events, self.record.events[number].cause
        for before in range(number - 1, cause, -1):
            if events[before].cause == cause:
                yield before

    def _is_one_of(self, number: int, names: frozenset[str]) -> bool:
        event = self.record.events[number]
        if not isinstance(event, PlainFact):
            return False
        return not names.isdisjoint((event.name, str(event.fields.get("what", ""))))
