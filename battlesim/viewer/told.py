"""A record with its story, event by event, which `why` and `whatif` use.

Read `ToldRecord`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import takewhile
from typing import Any

from msgspec import Struct

from battlesim.core.errors import Fault, InputError, did_you_mean
from battlesim.core.events import (
    Answered,
    Asked,
    Event,
    ModelsLost,
    Placed,
    Rolled,
    Scheduled,
    StructureSet,
    Taken,
    TurnEnded,
)
from battlesim.core.state import Unit
from battlesim.engine.record import PlainFact, Record
from battlesim.viewer.context import Names
from battlesim.viewer.event_fields import ROLES, fields_of, step_of
from battlesim.viewer.questions import Phrases
from battlesim.viewer.story import Sentence, Story
from battlesim.viewer.wording import find_wording, printable

NEAR = 6
"""Events within this distance of a change may report it."""


class Said(Struct, frozen=True):
    """An answer in the chain. `number`: its question's, counting both sides' from 0. `question`, `words`: in words, `answer`: its
    text form, `of`: how many answers were legal."""

    number: int
    side: int
    question: str
    words: str
    answer: str
    of: int


class Subject(Struct, frozen=True):
    """The subject of a question: a unit or a section by number, -1 for none."""

    unit: int = -1
    section: int = -1

    def __bool__(self) -> bool:
        return self.unit >= 0 or self.section >= 0


class ToldRecord:
    """A record, the sentences of its story by event, and its units and sections by name. Making one takes as long as making the
    story.

    `told`: sentences by event. `turns`: the turn of each event. `roots`: the first event in the chain of causes of each.
    `questions`: the event `Answered` of each question, by the question's number (both sides' count, from 0). `scheduled`: the
    event that put each entry on the agenda, by serial number.
    """

    def __init__(self, record: Record) -> None:
        self.record = record
        story = Story(record.header)
        self.names = Names(record.header, story.state)
        self.wording = find_wording(record.header.ruleset.name)
        self.phrases = Phrases(self.names, self.wording)
        self.told: dict[int, list[Sentence]] = {}
        self.turns: list[int] = []
        self.questions: list[int] = []
        self.scheduled: dict[int, int] = {}
        self.roots: list[int] = []
        sentences: list[Sentence] = []
        for number, event in enumerate(record.events):
            sentences += story.read(event)
            self.turns.append(
                story.clock_turn or story.state.turn
            )  # what is scored for a turn comes after its end
            self.roots.append(self.roots[event.cause] if event.cause >= 0 else number)
            if isinstance(event, Answered):
                self.questions.append(number)
            elif isinstance(event, Scheduled):
                self.scheduled[event.entry.serial] = number
        for told in sentences:
            self.told.setdefault(told.event, []).append(told)
        self._number = {event: number for number, event in enumerate(self.questions)}
        self._sections = [_section_of(name, record.header.sections) for name in record.header.places]

    # ---- what is asked about

    def find(self, text: str) -> tuple[int, Subject]:
        """The event that a text asks about: by its number, or the end of a unit or section by name (the last thing done to it, if
        it still stands). A number is an event's; `unit 7` and `section 7` are things that are called "7". Raises InputError for
        an unknown name."""
        if text.removeprefix("-").isdecimal():
            last = len(self.record.events) - 1
            event = int(text) if len(text) < 100 else -1  # Python reads no number of thousands of digits
            if not 0 <= event <= last:
                called = any(unit.name == text for unit in self.names.state.units.values())
                unit = f"; for the unit say 'unit {text}'" if called else ""
                raise self.fault(f"there is no event {text}", f"events are numbered from 0 to {last}{unit}")
            return event, self.subject_of(self.record.events[event])
        subject = self._named(text)
        event = self.end_of(subject)
        if event < 0:
            structure = self.names.state.structures.get(subject.section)
            burned = structure is not None and structure.burning
            changed = any(self.hurts(one, subject) for one in self.record.events)
            burns = "; it burned from the start" if burned and not changed else ""
            raise self.fault(f"nothing was done to {self.called(subject)}{burns}", "ask about another one")
        return event, subject

    def _named(self, text: str) -> Subject:
        wanted = text.strip().casefold()
        for name in dict.fromkeys((wanted, wanted.removeprefix("the "))):  # a name may begin with "The"
            if subject := self._called(name, text):
                return subject
        known = [u.name for u in self.names.state.units.values()]
        known += [self.names.section(name) for name in self.record.header.sections]
        parts = [name.rpartition(".")[2] for name in self.record.header.sections]
        known += [part for part in parts if not part.isdecimal()]
        raise self.fault(f"there is no unit or section {text!r}", did_you_mean(text, known))

    def _called(self, wanted: str, text: str) -> Subject | None:
        """The unit or section with a name in lower case; `text`: the name as it was asked."""
        kind, _, rest = (part.strip() for part in wanted.partition(" "))
        units = self._units_named(wanted) or (self._units_named(rest) if kind == "unit" else [])
        if len(units) > 1:
            ends = ", ".join(str(self.end_of(Subject(unit=u.id))) for u in units)
            what = f"{len(units)} units are called {text!r}"
            raise self.fault(what, f"give an event: the last of each are {ends}")
        if units:
            return Subject(unit=units[0].id)
        found = self._section_named(wanted) or (kind == "section" and self._section_named(rest))
        return found or None

    def _units_named(self, wanted: str) -> list[Unit]:
        return [unit for unit in self.names.state.units.values() if unit.name.casefold() == wanted]

    def _section_named(self, wanted: str) -> Subject:
        """The section with a name in lower case: its own or that of its place, else the last part of it, else its building's, of
        which the section that was harmed last is meant; an empty subject for none."""
        header = self.record.header
        for number, name in enumerate(header.sections):
            if wanted in (name.casefold(), self.names.section(name).casefold()):
                return Subject(section=number)
        for place, name in enumerate(header.places):
            if wanted == name.casefold() and self._sections[place] >= 0:
                return Subject(section=self._sections[place])
        parts = [(number, *name.rpartition(".")[::2]) for number, name in enumerate(header.sections)]
        last = [number for number, _, part in parts if part.casefold() == wanted]
        if len(last) > 1:
            called = " or ".join(repr(self.names.section(header.sections[number])) for number in last)
            raise self.fault(f"{len(last)} sections are called {wanted!r}", f"ask about {called}")
        houses = [number for number, building, _ in parts if building and building.casefold() == wanted]
        if last or houses:
            return Subject(section=(last or [max(houses, key=self._harmed)])[0])
        return Subject()

    def _harmed(self, section: int) -> tuple[bool, int]:
        """Whether a section fell, and the last event that harmed it."""
        end = self.end_of(Subject(section=section))
        return section in self.names.state.down, end

    def fault(self, what: str, remedy: str) -> InputError:
        """An error about this record."""
        return InputError(Fault(what, remedy, self.record.path))

    def end_of(self, subject: Subject) -> int:
        """The event that ended a unit or section; else the last that took something from it; else the last with a sentence about
        it; -1 for none."""
        ended = hurt = told = -1
        for number, event in enumerate(self.record.events):
            if self.hurts(event, subject):
                hurt = number
                if (isinstance(event, ModelsLost) and event.left == 0) or (
                    isinstance(event, StructureSet) and event.fallen and ended < 0
                ):
                    ended = number
            if number in self.told and self.concerns(event, subject):
                if subject.unit >= 0 or self._is_of(number, subject):
                    told = number
                if isinstance(event, Placed) and event.place < 0:
                    hurt = number
        if ended >= 0:
            return self._worded(ended, subject)
        if hurt < 0:
            return told
        worded = self._worded(hurt, subject)
        fits = worded in self.told and self.concerns(self.record.events[worded], subject)
        return worded if fits else told

    def stands(self, subject: Subject) -> bool:
        """Whether a unit lives, or a section stands, at the end of the battle."""
        state = self.names.state
        if subject.unit >= 0:
            return state.units[subject.unit].alive
        return subject.section not in state.down

    def _worded(self, number: int, subject: Subject) -> int:
        """The event whose sentence reports a change: itself, else an event about the subject beside it (a tank is knocked out),
        else the nearest up the chain that has a sentence; itself if none has."""
        if number in self.told:
            return number
        near: list[int] = [*range(number - 1, number - NEAR, -1), *range(number + 1, number + NEAR)]
        for beside in near:
            same = beside in self.told and self.roots[beside] == self.roots[number]
            if same and self._is_of(beside, subject):
                return beside
        at = number
        while at >= 0:
            if at in self.told:
                return at
            at = self.record.events[at].cause
        return number

    def _is_of(self, number: int, subject: Subject) -> bool:
        """Whether a fact says what happens to a subject, not what it does to another."""
        fields = fields_of(self.record.events[number])
        if subject.unit >= 0:
            return fields.get("unit") == subject.unit and "target" not in fields
        if fields.get("section") == subject.section:
            return True
        # A fire at a place of it, say. What units do there is not done to it.
        return (
            "section" not in fields
            and "unit" not in fields
            and self.concerns(self.record.events[number], subject)
        )

    @staticmethod
    def hurts(event: Event, subject: Subject) -> bool:
        """Whether an event takes models from a unit, or changes a section."""
        if isinstance(event, ModelsLost):
            return event.unit == subject.unit
        return isinstance(event, StructureSet) and event.section == subject.section

    def concerns(self, event: Event, subject: Subject) -> bool:
        """Whether an event names a unit in any role, or a section or one of its spaces."""
        fields = fields_of(event)
        if subject.unit >= 0:
            return subject.unit in [fields.get(role) for role in ROLES]
        if subject.section < 0:
            return False
        if fields.get("section") == subject.section:
            return True
        place = fields.get("place", -1)
        fact = isinstance(event, PlainFact)
        return fact and isinstance(place, int) and place >= 0 and self._sections[place] == subject.section

    def subject_of(self, event: Event) -> Subject:
        """The section or unit that an event is about; of a fact, first whoever it is done to."""
        fields = fields_of(event)
        if "section" in fields and not isinstance(event, ModelsLost) and fields["section"] in range(1 << 20):
            return Subject(section=fields["section"])
        names = ("unit",) if not isinstance(event, PlainFact) else ("target", "other", "unit")
        for name in names:
            if self.names.find_unit(fields.get(name)):
                return Subject(unit=fields[name])
        return Subject()

    def called(self, subject: Subject) -> str:
        """The name of a subject as it is printed; "" for none."""
        if subject.unit >= 0:
            return printable(self.names.unit(subject.unit))
        if subject.section >= 0:
            return printable(self.names.named("section", subject.section))
        return ""

    def said(self, number: int, event: Answered) -> Said:
        """An answer with its question, both in words."""
        asked = self.record.events[event.cause]
        fields: Mapping[str, Any] = asked.ask if isinstance(asked, Asked) else {}
        kind = str(fields.get("type", ""))
        return Said(
            self._number[number],
            event.side,
            self.phrases.question(kind, fields),
            self.phrases.answer(kind, fields, event.answer),
            event.answer,
            asked.legal if isinstance(asked, Asked) else 0,
        )

    def answer_words(self, number: int, answer: str) -> str:
        """What another answer to question `number` would have said, in words."""
        asked = self.record.events[self.record.events[self.questions[number]].cause]
        fields: Mapping[str, Any] = asked.ask if isinstance(asked, Asked) else {}
        return self.phrases.answer(str(fields.get("type", "")), fields, answer)

    def act_text(self, act: int) -> str:
        """The act that began with an event, in a sentence or two; see `act_told`."""
        return self.act_told(act)[0]

    def act_told(self, act: int) -> tuple[str, int]:
        """The act that began with an event, in a sentence or two: its first sentence, and its outcome, else the first with dice.
        An act without an order begins with what decided it. If it has no sentences: what dice and lots decided before the next
        question, else the answers that were given. Also returns the event of the last sentence."""
        numbers = [number for number in range(act, len(self.roots)) if self.roots[number] == act]
        found = [sentence for number in numbers for sentence in self.told.get(number, ())]
        if found:
            decided = [n for n in numbers if n in self.told and self._decides(self.record.events[n])]
            ordered = any(isinstance(self.record.events[number], Answered) for number in numbers)
            first = found[0] if ordered or not decided else self.told[decided[0]][0]
            came = self._came_out(numbers)
            second = self.told[came][0] if came >= 0 else self.told[decided[-1]][0] if decided else None
            if second in (None, first):
                second = next((one for one in found if one.dice and one.event > first.event), None)
                second = None if first.dice else second
            return first.text + (f" {second.text}" if second else ""), (second or first).event
        if found_between := self._between(numbers):
            return found_between
        said = [self.question(self._number[number]) for number in numbers if number in self._number]
        told = [f"{self._side(one.side)}: {one.question} {one.words}." for one in said]
        return " ".join(told) or self.plain(self.record.events[act]), act

    def _between(self, numbers: Sequence[int]) -> tuple[str, int] | None:
        """What dice and lots decided from the last answer of an act to the next question, and its event; None for nothing."""
        events = self.record.events
        first = max((number for number in numbers if number in self._number), default=len(events))
        stretch = list(takewhile(lambda n: not isinstance(events[n], Asked), range(first + 1, len(events))))
        told = [sentence for number in stretch for sentence in self.told.get(number, ())]
        rolled = [sentence for sentence in told if sentence.dice]
        if rolled or (told and stretch[-1] == len(events) - 1):
            chosen = rolled[:2] or told[-1:]
            return " ".join(sentence.text for sentence in chosen), chosen[-1].event
        for number in stretch:
            event = events[number]
            if isinstance(event, PlainFact) and event.name in self.wording.drawn:
                later = f"Turn {self.turns[number]}: " if self.turns[number] != self.turns[first] else ""
                return later + self.phrases.filled(self.wording.drawn[event.name], event.fields), number
        return None

    def _decides(self, event: Event) -> bool:
        """Whether a fact is the outcome of an act, by `[story] decides`."""
        if not isinstance(event, PlainFact):
            return False
        return not self.wording.decides.isdisjoint((event.name, str(event.fields.get("what", ""))))

    def _came_out(self, numbers: Sequence[int]) -> int:
        """The last event of an act that reports the end of a unit or section; -1 for none."""
        for number in reversed(numbers):
            event = self.record.events[number]
            if isinstance(event, ModelsLost) and event.left == 0:
                subject = Subject(unit=event.unit)
            elif isinstance(event, StructureSet) and event.fallen:
                subject = Subject(section=event.section)
            else:
                continue
            told = self._worded(number, subject)
            if told in self.told and self.roots[told] == self.roots[number]:
                return told
        return -1

    def question(self, number: int) -> Said:
        """The question with a number, and its answer. Raises InputError if there is none."""
        if not 0 <= number < len(self.questions):
            last = len(self.questions) - 1
            raise self.fault(f"there is no question {number}", f"questions are numbered from 0 to {last}")
        at = self.questions[number]
        event = self.record.events[at]
        assert isinstance(event, Answered)
        return self.said(at, event)

    def plain(self, event: Event) -> str:
        """An event without a sentence, in words for readers of records."""
        if isinstance(event, Asked):
            fields = event.ask
            return (
                f"{self._side(event.side)} is asked: {self.phrases.question(str(fields.get('type')), fields)}"
            )
        if isinstance(event, Answered):
            return f"{self._side(event.side)} answers."
        if isinstance(event, Rolled):
            return f"Dice are rolled: {' '.join(map(str, event.faces))}."
        if isinstance(event, Taken):
            return "The clock moves on."
        if isinstance(event, Scheduled):
            return printable(f"A step ({step_of(event).get('type', 'of no type')}) is put on the agenda.")
        if isinstance(event, TurnEnded):
            return f"Turn {event.turn} ends."
        about = self.called(self.subject_of(event))
        if isinstance(event, PlainFact):
            return printable(f"{event.name} is recorded{f' for {about}' if about else ''}.")
        return f"The state of {about or 'the battle'} changes."

    def _side(self, side: int) -> str:
        return printable(self.record.header.sides[side])


def _section_of(place: str, sections: Sequence[str]) -> int:
    section = place.rpartition(":")[0]
    return sections.index(section) if section and section in sections else -1
