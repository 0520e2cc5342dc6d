"""Why something happened in a battle: its chain of causes in words, back to the order that began it.

It works on a record alone and knows no rules; sentences come from `story.toml`. Each event of a record names the event that
caused it, so a chain is a walk up those numbers. It goes on in three places where they end:

- What was put on the agenda for later (a barrage, a fire that grows) goes back to the event that put it there.
- A fight that lasts several turns goes back to the contact that began it (`[story] contacts`).
- What a unit or section had suffered before is listed beside the chain.

Read `Causes.explain`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from msgspec import Struct

from battlesim.core.events import Answered, ModelsLost, Scheduled, Taken
from battlesim.engine.record import PlainFact, Record
from battlesim.viewer.told import NEAR, Said, Subject, ToldRecord, step_of, units_of
from battlesim.viewer.wording import agree, printable

LATEST = 6
"""The most earlier blows that are told of; the rest are counted."""
_TURN_TAKING = frozenset(("type", "side", "phase"))
"""Fields of steps on the agenda that only say whose turn comes next. A step with any other field is something on its way."""


class Link(Struct, frozen=True):
    """One event in a chain. `text`: its sentences. `dice`: in words. `clauses`: that the event and its dice name. `said`: the
    answers that led to it from the link before."""

    event: int
    turn: int
    text: str
    dice: str = ""
    clauses: tuple[str, ...] = ()
    said: tuple[Said, ...] = ()


class Blow(Struct, frozen=True):
    """What had happened before to the unit or section: the `events` of one act, their sentences in `text`."""

    turn: int
    events: tuple[int, ...]
    text: str


class Explanation(Struct, frozen=True):
    """Why an event happened. `about`: the unit or section, "" for none. `summary`: in a sentence or two. `chain`: from the first
    order to the event itself. `before`: earlier blows, the latest last; `more`: how many still earlier ones are left out.
    `began`: whether the chain goes back to an order of a player."""

    event: int
    turn: int
    about: str
    summary: str
    chain: tuple[Link, ...]
    before: tuple[Blow, ...] = ()
    more: int = 0
    began: bool = True


class Causes:
    """The causes of everything in a record."""

    def __init__(self, record: Record) -> None:
        self.record = record
        self.index = ToldRecord(record)

    # ---- the explanation

    def explain(self, text: str) -> Explanation:
        """Why an event happened, or why a unit or section came to its end.

        >>> Causes(read_record("battle.jsonl.gz")).explain("the stables").summary
        """
        event, subject = self.index.find(text)
        numbers = self._chain(event)
        first = numbers[0]
        numbers = sorted({*numbers, *self._beside(numbers, subject)})
        chain = tuple(self._links(numbers, event))
        blows = list(self._blows(subject, first, numbers))
        began = any(link.said for link in chain)
        opening = "" if text.isdecimal() else self._opening(subject, event)
        return Explanation(
            event,
            self.index.turns[event],
            self.index.called(subject),
            self._summary(event, chain, opening),
            chain,
            tuple(blows[-LATEST:]),
            max(0, len(blows) - LATEST),
            began,
        )

    def chain_of(self, event: int) -> tuple[int, ...]:
        """The numbers of the events that led to one, itself last."""
        return tuple(self._chain(event))

    def _chain(self, event: int) -> list[int]:
        """The chain of causes; without an order in it, it goes on to what was scheduled, or to the contact that began a fight."""
        events, chain, at = self.record.events, [event], event
        while True:
            while (cause := events[at].cause) >= 0:
                chain.append(cause)
                at = cause
            at = self._earlier(chain)
            if at < 0:
                break
            chain.append(at)
        return sorted(set(chain))

    def _earlier(self, chain: Sequence[int]) -> int:
        """Where a chain goes on that began without an order; -1 for nowhere."""
        events = self.record.events
        order = min((n for n in chain if isinstance(events[n], Answered)), default=len(events))
        unordered = [n for n in chain if n < order]
        if order < len(events):
            return self._contact(unordered)
        root = events[chain[-1]]
        if isinstance(root, Taken):
            put = self.index.scheduled.get(root.serial, -1)
            entry = events[put] if put >= 0 else None
            if isinstance(entry, Scheduled) and set(step_of(entry)) > _TURN_TAKING & set(step_of(entry)):
                return put
        return self._contact(unordered)

    def _contact(self, chain: Sequence[int]) -> int:
        """The latest contact between two units that a fact of the chain names; -1 for none, and where one is in the chain."""
        if not self.index.wording.contacts or any(self._is_contact(number) for number in chain):
            return -1
        for number in sorted(chain):
            event = self.record.events[number]
            pair = units_of(event)
            if not isinstance(event, PlainFact) or len(pair) < 2:
                continue
            for before in range(min(chain) - 1, -1, -1):
                if self._is_contact(before) and pair <= units_of(self.record.events[before]):
                    return before
        return -1

    def _is_contact(self, number: int) -> bool:
        event = self.record.events[number]
        if not isinstance(event, PlainFact):
            return False
        return not self.index.wording.contacts.isdisjoint((event.name, str(event.fields.get("what", ""))))

    def _beside(self, chain: Sequence[int], subject: Subject) -> Iterator[int]:
        """Events of the same acts as the chain's, told of the subject, before the end: what it lost, how it took cover."""
        if not subject:
            return
        events = self.record.events
        for root in {self.index.roots[number] for number in chain}:
            own = [number for number in chain if self.index.roots[number] == root]
            for number in range(own[0] + 1, own[-1]):
                if (
                    number in self.index.told
                    and self.index.roots[number] == root
                    and self.index.concerns(events[number], subject)
                ):
                    yield number

    def _links(self, numbers: Sequence[int], end: int) -> Iterator[Link]:
        said: list[Said] = []
        for number in numbers:
            event = self.record.events[number]
            if isinstance(event, Answered):
                said.append(self.index.said(number, event))
            told = self.index.told.get(number, ())
            if not told and number != end:
                continue
            text = " ".join(sentence.text for sentence in told) or self.index.plain(event)
            dice = [sentence.shown for sentence in told if sentence.shown]
            clauses = dict.fromkeys(event.clauses)
            for sentence in told:
                for rolled in sentence.dice:
                    clauses.update(dict.fromkeys(rolled.clauses))
            yield Link(number, self.index.turns[number], text, "; ".join(dice), tuple(clauses), tuple(said))
            said = []

    # ---- what came before

    def _blows(self, subject: Subject, before: int, chain: Sequence[int]) -> Iterator[Blow]:
        """What hurt the subject before the chain began, act by act, and again between its parts."""
        if not subject:
            return
        events = self.record.events
        acts: dict[int, list[int]] = {}
        roots = {self.index.roots[number] for number in chain}
        for number in range(max(chain)):
            event = events[number]
            root = self.index.roots[number]
            if root in roots or number not in self.index.told:
                continue
            if self.index.hurts(event, subject) or (self._is_blow(number, subject)):
                acts.setdefault(root, []).append(number)
        for numbers in acts.values():
            text = " ".join(sentence.text for n in numbers for sentence in self.index.told[n])
            yield Blow(self.index.turns[numbers[0]], tuple(numbers), text)

    def _is_blow(self, number: int, subject: Subject) -> bool:
        """Whether a fact tells of a hit on a unit or of a test that it failed, or of what changed a section."""
        events = self.record.events
        event = events[number]
        if not isinstance(event, PlainFact):
            return False
        fields = event.fields
        if subject.unit >= 0:
            aimed = fields.get("target", fields.get("unit", -1))
            failed = "needed" in fields and not fields.get("passed")
            return bool(aimed == subject.unit and (fields.get("hits") or failed))
        return self.index.concerns(event, subject) and any(
            self.index.hurts(other, subject) and other.cause == number
            for other in events[number + 1 : number + 9]
        )

    # ---- the summary

    def _opening(self, subject: Subject, event: int) -> str:
        """What became of a unit or section that came to no end; "" for one that did."""
        if not subject or not self.index.stands(subject):
            return ""
        name = self.index.called(subject)
        unit = self.index.names.find_unit(subject.unit)
        is_, stands, it = (agree(name if unit else False, form) for form in ("is", "stands", "it them"))
        opening = (
            f"{name} {is_} off the table at the end"
            if unit and unit.place < 0
            else f"{name} {stands} to the end"
        )
        opening = opening[:1].upper() + opening[1:]
        taken = any(self.index.hurts(self.record.events[n], subject) for n in self._around(event))
        return f"{opening}. " if taken else f"{opening}; nothing was taken from {it}. The last that is told: "

    def _around(self, event: int) -> range:
        return range(max(0, event - NEAR), min(len(self.record.events), event + NEAR))

    def _summary(self, event: int, chain: Sequence[Link], opening: str = "") -> str:
        """In a sentence or two: what happened, because of what, and the order that it goes back to."""
        end = next(link for link in chain if link.event == event)
        told = [link for link in chain if link.event < event and link.event in self.index.told]
        when = f"{opening}{'i' if opening.endswith(': ') else 'I'}n turn {end.turn} "
        if not told or opening.endswith(": "):
            return f"{when}{self._inner(end.text)}."
        begun = self._is_contact(told[0].event)
        order = told[0] if begun else next((link for link in told if link.said), None)
        near = self._nearest(event, told, order)
        if order is not None and near is order and _is_announcement(order):
            return f"{when}{self._inner(end.text)}. It began{_at(order, end)} when {_short(self._inner(order.text))}."
        if near is None:
            return f"{when}{self._inner(end.text)}."
        summary = f"{when}{_short(self._inner(end.text))} because {self._inner(near.text)}."
        if order is None or near is order:
            return summary
        return f"{summary} It began{_at(order, end)} when {_short(self._inner(order.text))}."

    def _nearest(self, event: int, told: Sequence[Link], order: Link | None) -> Link | None:
        """The nearest cause that is told: up the chain; where that is the order itself, the latest of the same act, for a section
        the latest with dice. None where no cause is told."""
        known = {link.event: link for link in told}
        at = self.record.events[event].cause
        while at >= 0 and at not in known:
            at = self.record.events[at].cause
        nearest = known.get(at)
        lost = isinstance(self.record.events[event], ModelsLost)
        if lost and (nearest is None or (nearest is order and _is_announcement(nearest))):
            return told[-1]
        if (
            nearest is order
            and order is not None
            and self.index.subject_of(self.record.events[event]).section >= 0
        ):
            thrown = [link for link in told if link.dice and link.event > order.event]
            return thrown[-1] if thrown else nearest
        return nearest

    def _inner(self, text: str) -> str:
        """A sentence as it stands inside another: without its full stop, its heading ("Red: ", "Close quarters: ") and the
        capital of a word that is no name."""
        text = text.split(". ")[0].rstrip(".")
        head, colon, rest = text.partition(": ")
        if colon and len(head.split()) <= 4 and rest[:1].isalnum() and self._is_heading(head):
            text = rest[:1].upper() + rest[1:]
        names = [u.name for u in self.index.names.state.units.values()]
        names += [self.index.names.section(name) for name in self.record.header.sections]
        names += self.record.header.sides
        for name in sorted(names, key=len, reverse=True):
            if name and text.casefold().startswith(name.casefold()):
                return printable(name) + text[len(name) :]
        return text[:1].lower() + text[1:]

    def _is_heading(self, head: str) -> bool:
        """Whether the words before a colon are a side's name, or speak of nobody and nothing by name."""
        names = [unit.name for unit in self.index.names.state.units.values()]
        names += [self.index.names.section(name) for name in self.record.header.sections]
        named = any(name.casefold() in head.casefold() for name in names)
        return head in self.record.header.sides or not named


def _is_announcement(link: Link) -> bool:
    """Whether a link only tells that an order was given."""
    return bool(link.said) and link.said[-1].answer.startswith("order ")


def _at(order: Link, end: Link) -> str:
    return "" if order.turn == end.turn else f" in turn {order.turn},"


def _short(text: str) -> str:
    """A sentence without the counts of dice that follow its first part."""
    return re.split(r": (?=\d)|; ", text)[0]
