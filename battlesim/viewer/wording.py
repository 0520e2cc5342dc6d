"""Sentences for events, from `story.toml` files: the shared one in this folder, overridden by the ruleset's own.

The format is described at the head of `viewer/story.toml`. Read `Wording.sentence`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any

from battlesim.core.events import Rolled
from battlesim.core.plugins import RULESETS, folder_of, offers
from battlesim.core.toml import read_toml

_HERE = Path(__file__).resolve().parent
UNSEEN = "somebody unseen"
"""The name, in a side's story, of a unit that the side does not know."""
_UNTOLD = re.compile(r',? (?:(?:over|at) )?-1(?:\.99)?(?:"| \w+)')
_SLOT = re.compile(r"\{(\w+)(?::([^}]*))?\}")


class Wording:
    """The tables of a ruleset's story.

    `say`: sentences by event type. `set`: by field of a unit's record that changed. `dice`: words by purpose. `words`: by value.
    `names`: what kind of thing the number in a field is. `start`: by field, for units that begin off the map. `alone`, `loose`:
    sentences for dice without an event. `low`: purposes for which low faces are good. `hold`: events that are told after another.
    `owed`: sentences used if something does not follow. `asks`, `answers`, `acts`: words for questions, answers and acts
    (`viewer/questions.py`). `contacts`: facts after which two units keep fighting. `flights`: facts with which a unit flees, and
    continues to flee. `lights`, `burns`: facts with which fire comes to a place, and catches a unit there. `joined`: the field of
    a unit that names the one it is with. `lowest_gone`: the field of a section for its lowest destroyed floor.
    `drawn`: by fact, the words for a lot. `decides`: facts that are the outcome of an act.
    `machines`: symbols and kinds of units that are machines.
    `terms`: names of features. `symbols`: by kind of unit. `badges`: signs on units. `walls`: by field of a section's record, the
    kind of openings that it lists.
    """

    def __init__(self, tables: Mapping[str, Any]) -> None:
        story = tables.get("story", {})
        self.names: dict[str, str] = story.get("names", {})
        self.low: frozenset[str] = frozenset(story.get("low", ()))
        self.contacts: frozenset[str] = frozenset(story.get("contacts", ()))
        self.flights: frozenset[str] = frozenset(story.get("flights", ()))
        self.lights: frozenset[str] = frozenset(story.get("lights", ()))
        self.burns: frozenset[str] = frozenset(story.get("burns", ()))
        self.joined: str = story.get("joined", "")
        self.lowest_gone: str = story.get("lowest_gone", "")
        self.machines: frozenset[str] = frozenset(story.get("machines", ()))
        self.decides: frozenset[str] = frozenset(story.get("decides", ()))
        self.dice: dict[str, str] = tables.get("dice", {})
        self.alone: dict[str, str] = tables.get("alone", {})
        self.loose: dict[str, str] = tables.get("loose", {})
        self.hold: dict[str, dict[str, Any]] = tables.get("hold", {})
        self.owed: dict[str, dict[str, Any]] = tables.get("owed", {})
        self.say: dict[str, dict[str, Any]] = tables.get("say", {})
        self.set: dict[str, dict[str, str]] = tables.get("set", {})
        self.words: dict[str, str] = tables.get("words", {})
        self.start: dict[str, str] = tables.get("start", {})
        self.asks: dict[str, str] = tables.get("ask", {})
        self.answers: dict[str, str] = tables.get("answer", {})
        self.acts: dict[str, str] = tables.get("act", {})
        self.terms: dict[str, str] = tables.get("term", {})
        self.symbols: dict[str, str] = tables.get("symbols", {})
        self.drawn: dict[str, str] = tables.get("drawn", {})
        self.walls: dict[str, str] = tables.get("walls", {})
        self.badges: tuple[dict[str, str], ...] = tuple(tables.get("badges", ()))

    def sentence(self, event: str, fields: Mapping[str, Any]) -> str | None:
        """The most specific sentence for an event and its values; None if there is none."""
        table = self.say.get(event)
        return None if table is None else chosen(table, fields, table.get("else"))

    def led_by(self, event: str, fields: Mapping[str, Any]) -> str:
        """The type of event after which an event is told, though it comes before that in the record; "" for most events."""
        return chosen(self.hold.get(event, {}), fields) or ""

    def purpose(self, purpose: str) -> str:
        """The words for a purpose of dice."""
        found = _longest(self.dice, purpose)
        return found if isinstance(found, str) else purpose

    def answer(self, ask: str, answer: str) -> str | None:
        """The most specific words for an answer to a question; None if there are none."""
        return _fitting(self.answers, ask, answer)

    def act(self, ask: str, answer: str) -> str | None:
        """The same for an answer as an act; None if the words of the answer fit."""
        return _fitting(self.acts, ask, answer)

    def for_dice(self, table: Mapping[str, str], rolled: Rolled) -> str:
        """A table's sentence for dice, by purpose and, if they have a need, by whether one of them succeeds; "" for none."""
        success = "" if not rolled.need else " yes" if max(rolled.faces) >= rolled.need else " no"
        return table.get(rolled.purpose + success, "")


def chosen(table: Mapping[str, Any], fields: Mapping[str, Any], other: str | None = None) -> str | None:
    """A table's text for the values of the fields named in its `by`; `other` if it has none."""
    fields = {**table.get("missing", {}), **fields}
    found = _longest(table, " ".join(_deciding(fields, name) for name in table.get("by", ())))
    return found if isinstance(found, str) else other


def _deciding(fields: Mapping[str, Any], name: str) -> str:
    """A value as a word of a table's key; for `hits?` only "0", "+" for more or "-" for less."""
    if not name.endswith("?"):
        return _word(fields.get(name, ""))
    value = fields.get(name[:-1], 0)
    number = value if isinstance(value, int) else 0
    return "+" if number > 0 else "-" if number < 0 else "0"


def _fitting(table: Mapping[str, str], ask: str, answer: str) -> str | None:
    """A table's words for an answer to a question, else for such an answer to any."""
    found = _longest(table, f"{ask} {answer}") or _longest(table, answer)
    return found if isinstance(found, str) else None


def _longest(table: Mapping[str, Any], text: str) -> Any:
    """A table's value for a text, or for the longest beginning of it that is a key; None if there is none."""
    words = text.split(" ")
    for number in range(len(words), 0, -1):
        found = table.get(" ".join(words[:number]))
        if found is not None:
            return found
    return None


def _word(value: object) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    return str(value)


def fill(text: str, show: Callable[[str, str], str]) -> str:
    """A sentence with its slots filled; `show(name, form)` words one. The result is plain text on one line."""
    return printable(_SLOT.sub(lambda slot: show(slot[1], slot[2] or ""), text))


def word(value: object, words: Mapping[str, str]) -> str:
    """A value of the rules' data as a word."""
    return words.get(str(value), str(value).replace("_", " "))


def slots(text: str) -> list[tuple[str, str]]:
    """The (name, form) of every slot of a sentence."""
    return [(slot[1], slot[2] or "") for slot in _SLOT.finditer(text)]


def printable(text: str) -> str:
    """Text without control characters, which a terminal would act on."""
    return text if text.isprintable() else "".join(c if c.isprintable() else "�" for c in text)


def mentions(text: str, name: str) -> bool:
    """Whether a text has a name in it as a whole, in any case: "Rifles 12 fire" does not mention "Rifles 1"."""
    return bool(re.search(rf"(?<!\w){re.escape(printable(name))}(?!\w)", text, re.IGNORECASE))


def length(hundredths: int) -> str:
    """Hundredths of an inch as inches: `14"`, `7.25"`."""
    whole, rest = divmod(hundredths, 100)
    return f"{whole}.{rest:02d}".rstrip("0") + '"' if rest else f'{whole}"'


def without_untold(text: str) -> str:
    """A sentence without the numbers that its side does not know, which are -1 in it."""
    return _UNTOLD.sub("", text)


def count(number: int, form: str) -> str:
    """`count man men`: a number with its noun."""
    one, _, many = form.partition(" ")
    return f"{number or 'no'} {one if number == 1 else many}"


def some(number: int, form: str) -> str:
    """`some , # lost`, `some , # die|, # dice`: a phrase with a number in it, nothing if the number is 0 or less."""
    one, bar, many = form.partition("|")
    return (one if number == 1 or not bar else many).replace("#", str(number)) if number > 0 else ""


def goal(number: int, dice: Sequence[Rolled], highest: int = 0) -> str:
    """The highest total of these dice that succeeds: `8 or less needed`. `highest`: a total above it always fails (0: no such
    limit). A goal that no roll misses is described as such; the lowest total meets every goal."""
    lowest = sum(len(rolled.faces) for rolled in dice)
    number = min(number, highest) if highest else number
    if dice and number >= sum(len(rolled.faces) * rolled.sides for rolled in dice):
        return "any roll will do"
    return f"{lowest} needed" if number <= lowest else f"{number} or less needed"


def possessive(name: str) -> str:
    """`Captain Hayes's`, `the guns'`."""
    return f"{name}'" if name.endswith("s") and is_plural(name) else f"{name}'s"


_PEOPLE = ("men", "people")
_ONE = ("ss", "us", "is")
_PLURAL_VERBS = {"is": "are", "has": "have", "does": "do", "was": "were"}


_TITLES = frozenset(
    (
        "baron",
        "brother",
        "captain",
        "colonel",
        "corporal",
        "count",
        "doctor",
        "duke",
        "earl",
        "father",
        "general",
        "king",
        "lady",
        "lieutenant",
        "lord",
        "major",
        "prince",
        "princess",
        "private",
        "queen",
        "saint",
        "sergeant",
        "sir",
        "sister",
    )
)
_REST = re.compile(r",| (?:by|of|in|at|from|on|with|behind|near|under) ")
"""Where the head of a name ends: `tank hunters` of `tank hunters by the road`."""


def is_plural(name: str) -> bool:
    """Whether a verb after a name is in the plural: `the hill axes`, `Rangers marksmen`, `Red rifles 4`, not `Captain Hayes` or
    `Anton's gun`."""
    words = _REST.split(name)[0].split()
    while len(words) > 1 and (words[-1].isdigit() or len(words[-1]) == 1):  # `engineers N 2`
        words.pop()
    if not words:
        return False
    first, last = words[0], words[-1]
    # A person or machine with its own name: `Captain Hayes`, `tank Atlas`.
    if (
        len(words) > 1
        and last[0].isupper()
        and first != "the"
        and (first[0].islower() or first.lower() in _TITLES)
    ):
        return False
    return last.lower().endswith(_PEOPLE) or (last.endswith("s") and not last.endswith((*_ONE, "'s")))


def agree(name: str | bool, form: str) -> str:
    """`agree fires`, `agree its their`: a word in the form that a singular or plural name requires; from one word, a verb in the
    third person, the plural is made. A bool in place of the name says whether it is plural."""
    one, _, many = form.partition(" ")
    if not (name if isinstance(name, bool) else is_plural(name)):
        return one
    if many or one in _PLURAL_VERBS:
        return many or _PLURAL_VERBS[one]
    if one.endswith("ies") and len(one) > 4:  # `dies` and `lies` only lose the s
        return one[:-3] + "y"
    return one[: -2 if one.endswith(("sses", "shes", "ches", "xes", "oes")) else -1]


@lru_cache
def find_wording(ruleset: str) -> Wording:
    """The wording of a ruleset's events; only the shared one if it brings none. Reads no rules."""
    tables = read_toml(_HERE / "story.toml", "the story file")[0]
    own = _story_of(ruleset)
    if own is not None and own.is_file():
        tables = _merged(tables, read_toml(own, "the story file")[0])
    return Wording(tables)


def _story_of(ruleset: str) -> Path | None:
    """The story file of a ruleset, shipped or from an installed package."""
    shipped = _HERE.parent / "rulesets" / ruleset
    if ruleset.isidentifier() and shipped.is_dir():
        return shipped / "story.toml"
    offered = offers(RULESETS).get(ruleset)
    folder = folder_of(offered[0]) if offered else None
    return None if folder is None else folder / "story.toml"


def _merged(base: dict[str, Any], over: dict[str, Any]) -> dict[str, Any]:
    """Tables of `over` replace those of `base`, but `story.names` and the kinds of tables are merged."""
    merged = dict(base)
    for name in (
        "say",
        "set",
        "dice",
        "alone",
        "loose",
        "hold",
        "owed",
        "words",
        "start",
        "ask",
        "answer",
        "act",
        "term",
    ):
        merged[name] = {**base.get(name, {}), **over.get(name, {})}
    merged.update((name, over[name]) for name in ("symbols", "badges", "walls", "drawn") if name in over)
    story, own = base.get("story", {}), over.get("story", {})
    merged["story"] = {**story, **own, "names": {**story.get("names", {}), **own.get("names", {})}}
    return merged


def first_sentence(text: str, names: Sequence[str]) -> str:
    """The first of several sentences, without its full stop. A full stop inside a name ends none.

    >>> first_sentence("Sgt. Fox fires. The gun is hit.", ["Sgt. Fox"])
    'Sgt. Fox fires'
    """
    ends = (at.start() for at in re.finditer(r"\. ", text))
    inside = {
        at
        for name in names
        for found in re.finditer(re.escape(name), text, re.IGNORECASE)
        for at in range(*found.span())
    }
    return text[: next((at for at in ends if at not in inside), len(text))].rstrip(".")


def without_counts(text: str) -> str:
    """A sentence without the counts of dice that follow its first part."""
    return re.split(r": (?=\d)|; ", text)[0]
