"""A battle as a story in plain sentences, made from its events alone.

It works on a record or on a battle in progress. It knows no rules; its sentences come from the ruleset's `story.toml`. Sentences
are grouped by turn and indented below the sentence of their cause. The dice of an event follow its sentence in brackets; dice
belong to the event with the same cause, and without such an event they get a sentence of their own. Read `Story.read`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from textwrap import wrap
from typing import Any, NamedTuple

import msgspec

from battlesim.core.apply import apply
from battlesim.core.events import Ended, Event, Rolled, Taken, TurnEnded
from battlesim.core.state import State, Unit
from battlesim.engine.header import Header
from battlesim.engine.record import PlainFact, Record, decode_event, event_lines
from battlesim.engine.replay import initial_state
from battlesim.viewer.context import NOTHING, Context, Names
from battlesim.viewer.wording import chosen, fill, find_wording, mentions, printable

INDENT = "  "
DEEPEST = 4
"""The deepest indentation of a sentence."""
NAMED = 16
"""The most units of a side that the heading of the story names; the rest are counted."""
LINE = 110
"""Characters in a line of the heading."""


class Sentence(NamedTuple):
    """One sentence of a story."""

    event: int
    """The number of its event; for dice alone, of their `Rolled`."""
    root: int
    """The number of the first event in its chain of causes, the same for a whole paragraph; -1 for none."""
    turn: int
    depth: int
    """How many of its causes have a sentence."""
    text: str
    dice: tuple[Rolled, ...] = ()
    shown: str = ""
    """The dice in words."""

    def __str__(self) -> str:
        return INDENT * min(self.depth, DEEPEST) + self.text + (f"  [{self.shown}]" if self.shown else "")


class _Owed(NamedTuple):
    """A sentence for the end of a paragraph, used only if none of the events `until` follows (types, or what happened): an order
    had no effect."""

    unit: int
    text: str
    until: tuple[str, ...]
    at: Sentence


class _Paragraph(NamedTuple):
    """What later sentences of a paragraph may refer to. `root`: the first event of its causes. `aimed`: the space that the last
    answer named, if one did. `shots`: how far each shot went, by unit, target and weapon."""

    root: int
    aimed: dict[str, int]
    shots: dict[str, str]


class Story:
    """Tells one battle. Give it every event in order, from the first."""

    def __init__(self, header: Header, nobody: str = "nobody") -> None:
        """`nobody`: the name of an unknown unit."""
        self.header = header
        self.state: State = initial_state(header)
        self.names = Names(header, self.state, nobody)
        self._wording = find_wording(header.ruleset.name)
        self._number = 0
        self._depth: dict[int, int] = {}  # by event: the depth of sentences that it causes
        self._root: dict[int, int] = {}  # by event: the first event in its chain of causes
        self._dice: list[tuple[int, Rolled]] = []  # dice without a sentence so far, with their event numbers
        self._held: list[tuple[str, Sentence]] = []  # sentences that wait for an event of a type
        self._owed: _Owed | None = None
        self._paragraph = _Paragraph(-1, {}, {})
        self._told_root = -2
        self._turn = self.clock_turn = 0
        self._failed: dict[int, list[str]] = {}  # by side: how its agent failed, time by time
        for side, player in enumerate(header.agents):
            if player.fault:
                self._failed[side] = [player.fault]

    # ---- the heading

    def heading(self) -> Iterator[str]:
        """The heading: scenario, map, seed, and the units of both sides."""
        header = self.header
        yield printable(f"{header.scenario.name} on {header.map.name}, seed {header.seeds.battle}")
        if count := len(header.loaded_rolls):
            rolls = "One of its rolls was" if count == 1 else f"{count} of its rolls were"
            yield f"{rolls} set beforehand; all other dice follow from the seed."
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
        return f"{unit.name} {self.off_map(unit)}"

    def off_map(self, unit: Unit) -> str:
        """The position of a unit that is on no space: "aboard half-track", "in reserve"."""
        for name, text in self._wording.start.items():
            value = unit.own.get(name, 0) if isinstance(unit.own, Mapping) else 0
            if isinstance(value, int) and value > 0 - (name in self._wording.names):
                return fill(text, self._context({"unit": unit.id, name: value}).show)
        return "off the map"

    def place(self, name: str) -> str:
        """A space in words; see `Names.place`."""
        return self.names.place(name)

    def section(self, name: str) -> str:
        """A section in words; see `Names.section`."""
        return self.names.section(name)

    # ---- lines

    def tell(self, events: Iterable[Event]) -> Iterator[str]:
        """The lines for the next events; some events have none."""
        for event in events:
            for told in self.read(event):
                yield from self._head(told)
                yield str(told)

    def rest(self) -> Iterator[str]:
        """The lines that still wait at the end of the battle."""
        for told in self.close():
            yield from self._head(told)
            yield str(told)

    def _head(self, told: Sentence) -> Iterator[str]:
        """The heading of a new turn, or the blank line before a new paragraph."""
        if self._turn != told.turn:
            self._turn = told.turn
            yield ""
            yield f"Turn {self._turn}"
        elif told.root != self._told_root:
            yield ""
        self._told_root = told.root

    def root_of(self, event: int) -> int:
        """The number of the first event in the chain of causes of an event that was read; -1 for none."""
        return self._root.get(event, -1)

    # ---- sentences

    def read(self, event: Event) -> Iterator[Sentence]:
        """The sentences for the next event, with those that waited for it."""
        plain = event if isinstance(event, PlainFact) else _plain(event)
        if isinstance(plain, (Taken, TurnEnded, Ended)):
            yield from self.close()
        if isinstance(plain, Taken):
            self.clock_turn = self.state.turn
        root = self._number if isinstance(plain, Taken) else self._root.get(plain.cause, -1)
        self._root[self._number] = root
        self._depth[self._number] = self._depth.get(plain.cause, 0)
        if isinstance(plain, Rolled):
            self._dice.append((self._number, plain))
            yield from self._dice_alone(plain)
        else:
            yield from self._event(plain)
        apply(self.state, plain)
        self._number += 1

    def _event(self, event: Event) -> Iterator[Sentence]:
        kind, fields = _parts(event)
        dice = [rolled for _, rolled in self._dice if rolled.cause == event.cause]
        missing = {
            **self._before(event, kind, fields),
            **self._wording.say.get(kind, NOTHING).get("missing", NOTHING),
        }
        context = self._context(fields, missing, dice)
        text = self._sentence(kind, fields, context)
        sentences = [fill(text, context.show)] if text else []
        if kind == "UnitSet":
            sentences += self._changes(fields)
        leader = self._wording.led_by(kind, context.all)
        if sentences and not leader:
            yield from self._loose_dice(event.cause)  # dice with another cause come first
        for text in sentences:
            own = () if leader else tuple(rolled for _, rolled in self._dice)
            told = self._told(self._number, text, own)
            if leader:
                self._held.append((leader, told))
                continue
            self._dice = []
            yield told
        yield from self._after(kind, context.all)
        if sentences:
            self._depth[self._number] += 1

    def _before(self, event: Event, kind: str, fields: Mapping[str, Any]) -> dict[str, Any]:
        """Values from earlier events of the same paragraph that sentences can use: see the head of `story.toml`."""
        root = self._root[self._number]
        if self._paragraph.root != root:
            self._paragraph = _Paragraph(root, {}, {})
        found: dict[str, Any] = dict(self._paragraph.aimed)
        if kind == "Answered":
            name, _, number = str(fields.get("answer")).partition(" ")
            if name == "atplace" and number.isdecimal():
                self._paragraph.aimed["aimed"] = int(number)
            if fields.get("by") == "referee":
                self._failed.setdefault(fields["side"], []).append(str(fields.get("note", "")))
        elif kind == "Ended":
            found["why"] = self._why(fields["outcome"]["winner"])
        elif kind == "Shot":
            shot = str([fields.get(name) for name in ("unit", "target", "weapon")])
            firer, far = self.names.find_unit(fields.get("unit")), str(fields.get("range"))
            indoors = firer is not None and firer.place >= 0 and ":" in self.header.places[firer.place]
            found["elsewhere"] = indoors and self._paragraph.shots.get(shot, far) != far
            self._paragraph.shots[shot] = far
        # News have no causes: in them, another fact begins another volley.
        elif root < 0 and isinstance(event, PlainFact):
            self._paragraph.shots.clear()
        return found

    def _why(self, winner: int | None) -> str | None:
        """Why the other side forfeits; None if that is not known, for example to a side that does not see the enemy's answers."""
        failed = self._failed.get(1 - winner, ()) if winner is not None else ()
        if not failed:
            return None
        last = failed[-1] or "failed"
        often = f"failed {len(failed)} times and in the end " if len(failed) > 1 else ""
        return f"its agent {often}{last}".rstrip(".")

    def _after(self, kind: str, fields: Mapping[str, Any]) -> Iterator[Sentence]:
        """The sentences that waited for an event of this type. Also notes the sentence that is due if nothing follows."""
        led = [told for leader, told in self._held if leader == kind]
        self._held = [(leader, told) for leader, told in self._held if leader != kind]
        depth = self._depth[self._number] + 1
        yield from (told._replace(depth=depth) for told in led)
        owed, unit = self._owed, fields.get("unit", -1)
        told = {kind, fields.get("what")}
        if owed and not told.isdisjoint(owed.until) and owed.unit in (unit, fields.get("target")):
            self._owed = None
        table = self._wording.owed.get(kind, NOTHING)
        text = chosen(table, fields)
        if text:
            at = self._told(self._number, text, ())
            self._owed = _Owed(unit, text, tuple(table["until"]), at._replace(depth=at.depth + 1))

    def close(self) -> Iterator[Sentence]:
        """The sentences that still wait at the end of a paragraph, or of the battle."""
        yield from self._loose_dice(None)
        held, self._held = self._held, []
        yield from (told for _, told in held)
        owed, self._owed = self._owed, None
        if owed and self.state.units[owed.unit].alive:
            text = fill(owed.text, self._context({"unit": owed.unit}).show)
            yield owed.at._replace(text=_capital(text))

    def _told(self, number: int, text: str, dice: tuple[Rolled, ...]) -> Sentence:
        shown = "; ".join(self._roll(rolled, text) for rolled in dice)
        return Sentence(
            number, self._root[number], self.clock_turn, self._depth[number], _capital(text), dice, shown
        )

    def _context(
        self,
        fields: Mapping[str, Any],
        missing: Mapping[str, Any] = NOTHING,
        dice: Iterable[Rolled] = (),
    ) -> Context:
        return Context(self.names, self._wording, fields, missing, tuple(dice))

    def _sentence(self, kind: str, fields: Mapping[str, Any], context: Context) -> str:
        text = self._wording.sentence(kind, context.all)
        if text is None:  # `story.toml` has no sentence for this fact
            shown = ", ".join(f"{name} {value}" for name, value in fields.items())
            return printable(f"{kind}: {shown}".replace("{", "(").replace("}", ")"))
        return text

    def _changes(self, fields: Mapping[str, Any]) -> list[str]:
        """Sentences for changed fields of a unit's record in its rulebook."""
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
                context = self._context({**fields, "value": value, "before": was, "change": change})
                told.append(fill(text, context.show))
        return told

    # ---- dice

    def _rolled_context(self, rolled: Rolled, text: str = "") -> Context:
        """The values that sentences about dice can use: `unit`, the one that rolled; `target`, `section`, `place` and `side`, the
        number that the dice were rolled for; `total`; `by` and `of`, " by NAME" and " of NAME" if the sentence does not name
        them."""
        about = dict.fromkeys(("target", "section", "place", "side"), rolled.object)
        owner = self.names.find_unit(rolled.actor)
        by = f" by {owner.name}" if owner and not mentions(text, owner.name) else ""
        aimed = self.names.find_unit(rolled.object)
        of = f" of {aimed.name}" if aimed and not mentions(text, aimed.name) else ""
        return self._context(
            {"unit": rolled.actor, "by": by, "of": of, **about, "total": sum(rolled.faces)}, dice=(rolled,)
        )

    def _dice_alone(self, rolled: Rolled) -> Iterator[Sentence]:
        """If `[alone]` has a sentence for these dice, it is given at once, with the earlier dice of the same cause."""
        text = self._wording.for_dice(self._wording.alone, rolled)
        if text:
            dice = tuple(other for _, other in self._dice if other.cause == rolled.cause)
            self._dice = [(number, other) for number, other in self._dice if other.cause != rolled.cause]
            yield self._told(self._number, fill(text, self._rolled_context(rolled).show), dice)

    def _loose_dice(self, cause: int | None) -> Iterator[Sentence]:
        """Sentences for dice whose cause is not `cause`; None: for all dice."""
        loose = [(number, rolled) for number, rolled in self._dice if rolled.cause != cause or cause is None]
        self._dice = [kept for kept in self._dice if kept not in loose]
        for number, rolled in loose:
            text = self._wording.for_dice(self._wording.loose, rolled)
            text = text or ("{unit} {unit:agree rolls}." if rolled.actor >= 0 else "Dice are rolled.")
            yield self._told(number, fill(text, self._rolled_context(rolled).show), (rolled,))

    def _roll(self, rolled: Rolled, text: str) -> str:
        purpose = fill(self._wording.purpose(rolled.purpose), self._rolled_context(rolled, text).show)
        need = f" {rolled.need}+" if rolled.need else ""
        if need and rolled.purpose in self._wording.low:  # the rules count misses, the story reports hits
            need = f" {rolled.need - 1} or less"
        sides = "" if rolled.sides == 6 else f" d{rolled.sides}"
        return f"{purpose}{need}{sides}: {' '.join(map(str, rolled.faces))}"


def _capital(sentence: str) -> str:
    """The sentence with a capital first letter; the name of a place (g11.2) is unchanged."""
    word = sentence.partition(" ")[0]
    return sentence if any(c.isdigit() for c in word) else sentence[:1].upper() + sentence[1:]


def _plain(event: Event) -> Event:
    """An event as read from a record: facts of a ruleset as plain data."""
    (line,) = event_lines((event,))
    return decode_event(line)


def _parts(event: Event) -> tuple[str, dict[str, Any]]:
    """The type of an event and its fields as plain data. Defaults of facts are left out, as in records."""
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
