"""Why something happened in a battle: its chain of causes in words, back to the order that began it.

It works on a record alone and knows no rules; sentences come from `story.toml`. Each event of a record names the event that
caused it, so a chain follows those numbers. Where they end, it continues (`origins.py`):

- An event that was put on the agenda for later (a barrage) goes back to the event that put it there.
- A fight that lasts several turns goes back to the contact that began it (`[story] contacts`), flight to where it began.
- A fire goes back to where it broke out, and to the shot that lit it (`[story] lights`).

Earlier damage to the unit or section is listed beside the chain.

Read `Causes.explain`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from msgspec import Struct

from battlesim.core.events import Answered, Asked, ModelsLost
from battlesim.engine.record import PlainFact, Record
from battlesim.viewer.event_fields import fields_of
from battlesim.viewer.origins import Origins
from battlesim.viewer.told import NEAR, Said, Subject, ToldRecord
from battlesim.viewer.wording import agree, first_sentence, printable, without_counts

LATEST = 6
"""The most earlier blows that are described; the rest are counted."""


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
    """Earlier harm to the unit or section: the `events` of one act, their sentences in `text`."""

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
        self.origins = Origins(record, self.index)

    # ---- the explanation

    def explain(self, text: str) -> Explanation:
        """Why an event happened, or why a unit or section was lost.

        >>> Causes(read_record("battle.jsonl.gz")).explain("the stables").summary
        """
        event, subject = self.index.find(text)
        numbers = self._chain(event)
        first = numbers[0]
        beside = list(self._beside(numbers, subject))
        numbers = self.origins.told_order([*numbers, *beside, *self._charges(beside)])
        numbers = self.origins.told_order([*numbers, *self._consequences(numbers)])
        numbers = numbers[: numbers.index(event) + 1]
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
        """The chain of causes, continued where it ends without an order."""
        events, chain, at = self.record.events, set[int](), event
        while at >= 0:
            while at >= 0:
                chain.add(at)
                at = events[at].cause
            at = self.origins.before(chain)
        leader = self.origins.leader(event)
        return self.origins.told_order({*chain, *self.origins.fires(chain), leader} - {-1})

    def _charges(self, beside: Sequence[int]) -> Iterator[int]:
        """The events that led to fights in which others struck, beside the chain. Blows need no order; fire by order is not part
        of a fight, even at an old enemy."""
        for number in beside:
            if not self._ordered(number) and (begun := self.origins.contact([number])) >= 0:
                yield from self._chain(begun)

    def _ordered(self, number: int) -> bool:
        """Whether an answer is among the causes of an event."""
        events = self.record.events
        while number >= 0 and not isinstance(events[number], Answered):
            number = events[number].cause
        return number >= 0

    def _consequences(self, numbers: Sequence[int]) -> Iterator[int]:
        """The first sentence about each answer after which the chain continues in a later turn: it is shown with its answer."""
        turns = self.index.turns
        for at, number in enumerate(numbers):
            after = next((n for n in numbers[at + 1 :] if n in self.index.told), number)
            if isinstance(self.record.events[number], Answered) and turns[after] != turns[number]:
                yield from [n for n in self._led_to(number) if n in self.index.told][:1]

    def _led_to(self, number: int) -> Iterator[int]:
        """The events that an event caused at once."""
        events = self.record.events
        return (n for n in range(number + 1, len(events)) if events[n].cause == number)

    def _beside(self, chain: Sequence[int], subject: Subject) -> Iterator[int]:
        """Events of the same acts as the chain's, about the subject, before the end: what it lost, how it took cover."""
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
        """What hurt the subject before the chain began, act by act, and between the parts of the chain."""
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
                act = acts.setdefault(root, [])
                # A loss by itself does not say what caused it (a lost assault).
                if subject.section >= 0:
                    cause = self.origins.struck_by(number)
                else:
                    cause = self.origins.told_cause(number) if self.index.hurts(event, subject) else -1
                leader = self.origins.leader(number)
                act += [n for n in (cause, leader, number) if n >= 0]
        for act in acts.values():
            numbers = self.origins.told_order(act)
            text = " ".join(sentence.text for n in numbers for sentence in self.index.told[n])
            yield Blow(self.index.turns[numbers[0]], tuple(numbers), text)

    def _is_blow(self, number: int, subject: Subject) -> bool:
        """Whether a fact describes a hit on a unit, a test that it failed, or a change of a section."""
        events = self.record.events
        event = events[number]
        if not isinstance(event, PlainFact):
            return False
        fields = event.fields
        if subject.unit >= 0:
            if "section" in fields:  # its own hits on a building
                return False
            aimed = fields.get("target", fields.get("unit", -1))
            return bool(aimed == subject.unit and (fields.get("hits") or _has_failed(fields)))
        return self.index.concerns(event, subject) and any(
            self.origins.telling(change, subject) == number
            for change in range(number + 1, min(number + 9, len(events)))
            if self.index.hurts(events[change], subject)
        )

    # ---- the summary

    def _opening(self, subject: Subject, event: int) -> str:
        """What happened to a unit or section that was not lost; "" for one that was."""
        if not subject or not self.index.stands(subject):
            return ""
        name = self.index.called(subject)
        unit = self.index.names.find_unit(subject.unit)
        is_, stands, it = (agree(name if unit else False, form) for form in ("is", "stands", "it they"))
        ends = f"{is_} off the table at the end" if unit and unit.place < 0 else f"{stands} to the end"
        opening = f"{name[:1].upper()}{name[1:]} {ends}"
        if any(self.index.hurts(self.record.events[n], subject) for n in self._around(event)):
            return f"{opening}. "
        unhurt = f"{it} lost nobody" if unit else "nothing was taken from it"
        return f"{opening}; {unhurt}. The last that is told: "

    def _around(self, event: int) -> range:
        return range(max(0, event - NEAR), min(len(self.record.events), event + NEAR))

    def _summary(self, event: int, chain: Sequence[Link], opening: str = "") -> str:
        """In a sentence or two: what happened, because of what, and the order that it goes back to."""
        end = next(link for link in chain if link.event == event)
        before = chain[: chain.index(end)]
        told = [link for link in before if link.event in self.index.told]
        when = f"{opening}{'i' if opening.endswith(': ') else 'I'}n turn {end.turn} "
        if event not in self.index.told and isinstance(self.record.events[event], Asked):
            return f"{when}{end.text}"
        happened = f"{when}{self._happened(end)}"
        if not told or opening.endswith(": "):
            return f"{happened}."
        fire = next((link for link in told if self._was_lit(link, event)), None)
        charges = [link for link in told if link.said and self.origins.is_contact(link.event)]
        begun = self.origins.is_contact(told[0].event)
        order = told[0] if begun else next((link for link in told if link.said), None)
        shot = self.origins.shot(event) if self.origins.is_fire(event) else -1
        near = next((link for link in told if link.event == shot), None)
        if near is None and (reasons := [link for link in told if self._is_reason(link, end)]):
            near = self._nearest(event, reasons, order)
        if fire is not None and (near is None or _is_announcement(near)):
            cause = self.record.events[event].cause
            near = next((link for link in told[::-1] if self.record.events[link.event].cause == cause), None)
        if near is not None and not (near is order and _is_announcement(near)):
            happened = f"{when}{without_counts(self._happened(end))} because {self._inner(near.text)}"
        if fire is not None:
            return f"{happened}. {self._lit(fire, end, told)}."
        if order is None or (near is order and not _is_announcement(order)) or (near is None and not begun):
            return f"{happened}."
        # An order to the unit that did it says nothing new.
        if near is not None and _is_announcement(order) and self._same_doer(near, order):
            return f"{happened}."
        if begun and charges:
            return f"{happened}. It began{self._began(charges, end)}."
        return f"{happened}. It began{_at(order, end)} when {without_counts(self._inner(order.text))}."

    def _is_reason(self, link: Link, end: Link) -> bool:
        """Whether a link can stand after "because": not whose turn it is, and not the round before in the same words."""
        event = self.record.events[link.event]
        if isinstance(event, PlainFact) and set(event.fields) <= {"side"}:
            return False
        return without_counts(self._inner(link.text)) != without_counts(self._happened(end))

    def _same_doer(self, near: Link, order: Link) -> bool:
        """Whether two links are about the same unit in the same act."""
        one, other = (fields_of(self.record.events[link.event]).get("unit") for link in (near, order))
        return one == other and self.index.roots[near.event] == self.index.roots[order.event]

    def _was_lit(self, link: Link, event: int) -> bool:
        """Whether fire broke out with a link, and in an act before that of the event."""
        return self.origins.is_fire(link.event) and self.index.roots[link.event] != self.index.roots[event]

    def _lit(self, fire: Link, end: Link, told: Sequence[Link]) -> str:
        """When fire broke out, and whose shot caused it."""
        shot = next((link for link in told if link.event == self.origins.shot(fire.event)), None)
        if not any(link.said for link in told if link.event <= fire.event):
            place = self.index.names.named("place", fields_of(self.record.events[fire.event]).get("place"))
            return f"The fire burned from the start of the battle, first at {printable(place)}"
        by = f"{without_counts(self._inner(shot.text))}, and " if shot else ""
        return f"It began{_at(fire, end)} when {by}{self._inner(fire.text)}"

    def _began(self, charges: Sequence[Link], end: Link) -> str:
        """When a fight began: each charge that led to it, by turn."""
        found, turn = [], end.turn
        for charge in charges:
            told = f"when {without_counts(self._inner(charge.text))}"
            found.append(told if charge.turn == turn else f"in turn {charge.turn}, {told}")
            turn = charge.turn
        return f" {', and '.join(found)}"

    def _nearest(self, event: int, told: Sequence[Link], order: Link | None) -> Link | None:
        """The nearest cause with a sentence: up the chain; if that is the order itself, the latest of the same act (for a
        section, the latest with dice). None if no cause has one."""
        known = {link.event: link for link in told}
        if (leader := self.origins.leader(event)) in known:
            return known[leader]
        at = self.record.events[event].cause
        while at >= 0 and at not in known:
            at = self.record.events[at].cause
        nearest = known.get(at)
        lost = isinstance(self.record.events[event], ModelsLost)
        # A cause about the lost unit itself (its own nerve breaks) is preferred to another one of the same moment.
        subject, cause = self.index.subject_of(self.record.events[event]), self.record.events[event].cause
        if (
            lost
            and nearest is not None
            and not self.index.concerns(self.record.events[nearest.event], subject)
        ):
            beside = [
                link
                for link in told
                if link.event > nearest.event and self.record.events[link.event].cause == cause
            ]
            own = [link for link in beside if self.index.concerns(self.record.events[link.event], subject)]
            nearest = own[-1] if own else nearest
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

    def _happened(self, end: Link) -> str:
        """What happened at the end of a chain, for use inside a sentence. An event without a sentence has no heading to drop."""
        if end.event in self.index.told:
            return self._inner(end.text)
        event, text = self.record.events[end.event], end.text.rstrip(".")
        return text if isinstance(event, PlainFact) else text[:1].lower() + text[1:]

    def _inner(self, text: str) -> str:
        """A sentence for use inside another: without its full stop, its heading ("Red: ", "Close quarters: ") and the capital of
        a word that is not a name."""
        names = self._names()
        text = first_sentence(text, names)
        head, colon, rest = text.partition(": ")
        if colon and len(head.split()) <= 4 and rest[:1].isalnum() and self._is_heading(head, text):
            text = rest[:1].upper() + rest[1:]
        for name in sorted((*names, *self.record.header.sides), key=len, reverse=True):
            follows = text[len(name) : len(name) + 1]
            if name and text.casefold().startswith(name.casefold()) and not follows.isalnum():
                return name + text[len(name) :]
        return text[:1].lower() + text[1:]

    def _names(self) -> list[str]:
        """The names of units and sections, as sentences have them."""
        found = [unit.name for unit in self.index.names.state.units.values()]
        found += [self.index.names.section(name) for name in self.record.header.sections]
        return [printable(name) for name in found]

    def _is_heading(self, head: str, text: str) -> bool:
        """Whether the words before the first colon of a text are a side's name, or neither contain a name nor are part of one."""
        names, sides = self._names(), self.record.header.sides
        named = any(name.casefold() in head.casefold() for name in (*names, *sides))
        return head in sides or not (named or text.casefold().startswith(tuple(map(str.casefold, names))))


def _has_failed(fields: Mapping[str, Any]) -> bool:
    """Whether a fact is a test that was failed. Where it does not say, the sum of the dice must be at most what is needed."""
    if "needed" not in fields:
        return False
    return not fields.get("passed", fields.get("rolled", 0) <= fields["needed"])


def _is_announcement(link: Link) -> bool:
    """Whether a link only says that an order was given."""
    return bool(link.said) and link.said[-1].answer.startswith("order ")


def _at(order: Link, end: Link) -> str:
    return "" if order.turn == end.turn else f" in turn {order.turn},"
