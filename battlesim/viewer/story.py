"""A battle as a story: what happened, in a person's words, from events alone (law 3).

It works on a record or on a battle being played, knows no rules, and takes its sentences from the ruleset's `story.toml`.
Sentences are grouped by turn, set in by what caused them, and followed by the dice that decided them. Read `Story.tell`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from textwrap import wrap
from typing import Any

import msgspec

from battlesim.core.apply import apply
from battlesim.core.events import Event, Rolled, Taken
from battlesim.core.state import State, Unit
from battlesim.engine.record import Header, PlainFact, Record, decode_event, event_lines, first_state
from battlesim.viewer.wording import agree, count, fill, find_wording, length, printable
from battlesim.viewer.wording import word as words_for

INDENT = "  "
DEEPEST = 4
"""Sentences are set in no further than this."""
NOTHING: Mapping[str, Any] = {}
NAMED = 16
"""Units named a side at the head of the story; of larger forces the rest is counted."""
LINE = 110
"""Characters in a line of the head."""


class Story:
    """Tells one battle. Feed it every event in order, from the first."""

    def __init__(self, header: Header) -> None:
        self.header = header
        self.state: State = first_state(header)
        self._sections = _called(header.sections)
        self._wording = find_wording(header.ruleset.name)
        self._number = 0
        self._depth: dict[int, int] = {}  # of events, told or not: how far what they cause is set in
        self._root: dict[int, int] = {}  # of events: the first link of the chain of causes
        self._told_root = -2
        self._dice: list[Rolled] = []
        self._dice_root = -1
        self._turn = self._clock_turn = 0

    def heading(self) -> Iterator[str]:
        """What is about to be fought, and by whom."""
        header = self.header
        yield printable(f"{header.scenario.name} on {header.map.name}, seed {header.seeds.battle}")
        for side, name in enumerate(header.sides):
            units = [self._start(unit) for unit in self.state.units.values() if unit.side == side]
            more = [f"and {len(units) - NAMED} more"] if len(units) > NAMED else []
            yield ""
            yield printable(f"{name}, played by {header.agents[side].name}:")
            shown = "; ".join([*units[:NAMED], *more])
            yield from wrap(
                printable(shown),
                LINE,
                initial_indent=INDENT,
                subsequent_indent=INDENT,
                break_on_hyphens=False,
            )

    def _start(self, unit: Unit) -> str:
        """A unit and where it begins."""
        if unit.place >= 0:
            place = self.place(self.header.places[unit.place])
            return f"{unit.name} {'in' if ':' in self.header.places[unit.place] else 'at'} {place}"
        for name, text in self._wording.start.items():
            value = unit.own.get(name, 0) if isinstance(unit.own, dict) else 0
            if isinstance(value, int) and value > 0 - (name in self._wording.names):
                context = _Context(self, {"unit": unit.id, name: value})
                return f"{unit.name} {fill(text, context.show)}"
        return f"{unit.name} off the map"

    def place(self, name: str) -> str:
        """A space as people say it: `house:1` is the first floor of house."""
        section, _, floor = name.rpartition(":")
        if section not in self._sections:
            return name
        section = self._sections[section]
        if floor == "ruin":
            return f"the ruins of {section}"
        return f"{section}, {'ground floor' if floor == '0' else f'floor {floor}'}"

    def section(self, name: str) -> str:
        """A section as people say it: `house.1` is the house where it is all of it."""
        return self._sections.get(name, name)

    def tell(self, events: Iterable[Event]) -> Iterator[str]:
        """The lines that the next events come to; some events come to none."""
        for event in events:
            plain = event if isinstance(event, PlainFact) else _plain(event)
            yield from self._tell(plain)
            apply(self.state, plain)
            self._number += 1

    def rest(self) -> Iterator[str]:
        """Dice that nothing was told of, at the end."""
        yield from self._loose_dice(0, self._told_root)

    def _tell(self, event: Event) -> Iterator[str]:
        kind, fields = _parts(event)
        depth = self._depth.get(event.cause, 0)
        if isinstance(event, Taken):
            self._clock_turn = self.state.turn
        root = self._number if isinstance(event, Taken) else self._root.get(event.cause, -1)
        self._depth[self._number], self._root[self._number] = depth, root
        if isinstance(event, Rolled):
            if root != self._dice_root:  # what was rolled before belongs to something else
                yield from self._loose_dice(1, self._told_root)
            self._dice.append(event)
            self._dice_root = root
            return
        context = _Context(self, fields, self._wording.say.get(kind, NOTHING).get("missing", NOTHING))
        text = self._sentence(kind, fields, context)
        told = [_capital(fill(text, context.show))] if text else []
        if kind == "UnitSet":
            told += self._changes(fields)
        if told and root != self._dice_root:
            yield from self._loose_dice(
                1, self._told_root
            )  # nothing was told of them: they stay where they fell
        if kind == "TurnEnded":
            yield from self._loose_dice(depth, root)
        for number, line in enumerate(told):
            dice = self._dice_words() if number == 0 else ""
            yield from self._head(root)
            yield INDENT * min(depth, DEEPEST) + line + dice
        if told:
            self._depth[self._number] = depth + 1

    def _head(self, root: int) -> Iterator[str]:
        """The heading of a turn, or the blank line before a paragraph: sentences that one event led to stand together."""
        if self._turn != self._clock_turn:
            self._turn = self._clock_turn
            yield ""
            yield f"Turn {self._turn}"
        elif root != self._told_root:
            yield ""
        self._told_root = root

    def _sentence(self, kind: str, fields: Mapping[str, Any], context: _Context) -> str:
        text = self._wording.sentence(kind, context.all)
        if text is None:  # a fact nobody has words for yet
            shown = ", ".join(f"{name} {value}" for name, value in fields.items())
            return printable(f"{kind}: {shown}".replace("{", "(").replace("}", ")"))
        return text

    def _changes(self, fields: Mapping[str, Any]) -> list[str]:
        """Sentences for fields of a unit's own record that changed."""
        told: list[str] = []
        before = self.state.units[fields["unit"]].own
        for name, value in fields["own"].items():
            table = self._wording.set.get(name)
            was = before.get(name) if isinstance(before, dict) else None
            if table is None or value == was:
                continue
            text = table.get(str(value))
            if text is None and isinstance(value, int) and isinstance(was, int):
                text = table.get("up" if value > was else "down")
            if text:
                change = abs(value - was) if isinstance(value, int) and isinstance(was, int) else 0
                context = _Context(self, {**fields, "value": value, "before": was, "change": change})
                told.append(_capital(fill(text, context.show)))
        return told

    # ---- dice

    def _dice_words(self) -> str:
        rolls, self._dice = self._dice, []
        return f"  [{'; '.join(map(self._roll, rolls))}]" if rolls else ""

    def _roll(self, rolled: Rolled) -> str:
        purpose = self._wording.purpose(rolled.purpose)
        need = f" {rolled.need}+" if rolled.need else ""
        sides = "" if rolled.sides == 6 else f" d{rolled.sides}"
        return printable(f"{purpose}{need}{sides}: {' '.join(map(str, rolled.faces))}")

    def _loose_dice(self, depth: int, root: int) -> Iterator[str]:
        if self._dice:
            yield from self._head(root)
            yield INDENT * min(depth, DEEPEST) + self._dice_words().strip()


class _Context:
    """The fields of an event, with those that follow from what was before, and how they are worded."""

    def __init__(self, story: Story, fields: Mapping[str, Any], missing: Mapping[str, Any] = NOTHING) -> None:
        self._story = story
        self.all = {**missing, **fields, **_derived(story, fields)}

    def show(self, name: str, form: str) -> str:
        value = self.all.get(name)
        word, _, rest = form.partition(" ")
        if word == "count":
            return count(value if isinstance(value, int) else 0, rest)
        if word == "agree":
            return agree(self.show(name, ""), rest)
        if word == "length":
            return length(value if isinstance(value, int) else 0)
        if word == "if":
            yes, _, no = rest.partition("|")
            return yes if value else no
        if word == "word":
            return words_for(value, self._story._wording.words)
        if word == "side":
            unit = self._story.state.units.get(value) if isinstance(value, int) else None
            return self._story.header.sides[unit.side] if unit else "nobody"
        return self._named(self._story._wording.names.get(name, ""), value)

    def _named(self, kind: str, value: Any) -> str:
        header = self._story.header
        if kind == "unit":
            unit = self._story.state.units.get(value) if isinstance(value, int) else None
            return unit.name if unit else "nobody"
        if kind == "place":
            known = isinstance(value, int) and 0 <= value < len(header.places)
            return self._story.place(header.places[value]) if known else "nowhere"
        names = {"section": header.sections, "side": header.sides}.get(kind)
        if names is not None:
            known = isinstance(value, int) and 0 <= value < len(names)
            name = names[value] if known else "nothing"
            return self._story.section(name) if kind == "section" else name
        return "?" if value is None else str(value)


def _called(sections: Sequence[str]) -> dict[str, str]:
    """Sections as people say them: by the name of the building where it has but one."""
    buildings = Counter(name.rpartition(".")[0] for name in sections)
    called: dict[str, str] = {}
    for name in sections:
        building = name.rpartition(".")[0]
        called[name] = building if building and buildings[building] == 1 else name
    return called


def _capital(sentence: str) -> str:
    """A sentence begins with a capital, whatever the name it begins with."""
    return sentence[:1].upper() + sentence[1:]


def _derived(story: Story, fields: Mapping[str, Any]) -> dict[str, Any]:
    """What wordings may use beside an event's own fields; see the head of `story.toml`."""
    derived: dict[str, Any] = {}
    unit = story.state.units.get(fields.get("unit", -1)) if isinstance(fields.get("unit"), int) else None
    if unit is not None:
        derived["from"], derived["men"] = unit.place, unit.models
        if "place" in fields:
            to = fields["place"]
            derived["moves"] = (
                "stays" if to == unit.place else "on" if unit.place < 0 else "off" if to < 0 else "moves"
            )
    if "what" in fields:
        number = fields.get("number", 0)  # left out where it is 0
        derived["sign"] = "+" if number > 0 else "-" if number < 0 else "0"
    if "fallen" in fields:
        before = story.state.structures.get(fields["section"])
        was_fallen, was_burning = (before.fallen, before.burning) if before else (False, False)
        if fields["fallen"] and not was_fallen:
            derived["becomes"] = "fallen"
        elif fields["burning"] != was_burning:
            derived["becomes"] = "burning" if fields["burning"] else "out"
    outcome = fields.get("outcome")
    if isinstance(outcome, dict):
        winner, points = outcome["winner"], outcome["points"]
        derived["result"] = "draw" if winner is None else "won"
        derived["winner"] = "nobody" if winner is None else story.header.sides[winner]
        derived["score"] = (
            f"{max(points)} to {min(points)}"
            if winner is None or points[winner] == max(points)
            else (f"{points[winner]} to {points[1 - winner]}")
        )
        derived["termination"] = outcome["termination"]
    return derived


def _plain(event: Event) -> Event:
    """An event as a reader of its record meets it: what a ruleset adds as plain data."""
    (line,) = event_lines((event,))
    return decode_event(line)


def _parts(event: Event) -> tuple[str, dict[str, Any]]:
    """The type of an event and its fields as plain data, defaults of facts left out as records leave them out."""
    if isinstance(event, PlainFact):
        return event.name, event.fields
    fields: dict[str, Any] = {name: getattr(event, name) for name in event.__struct_fields__}
    del fields["clauses"], fields["cause"]
    if "outcome" in fields:
        fields["outcome"] = msgspec.to_builtins(fields["outcome"])
    return type(event).__name__, fields


def tell_record(record: Record) -> Iterator[str]:
    """The whole story of a record, line by line."""
    story = Story(record.header)
    yield from story.heading()
    yield from story.tell(record.events)
    yield from story.rest()
