"""Sentences for events, from `story.toml` files: the shared one beside this module and a ruleset's own over it.

The format stands at the head of `viewer/story.toml`. Read `Wording.sentence`.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Callable, Mapping
from functools import lru_cache
from pathlib import Path
from typing import Any

from battlesim.core.errors import Fault, InputError

_HERE = Path(__file__).resolve().parent
_SLOT = re.compile(r"\{(\w+)(?::([^}]*))?\}")


class Wording:
    """What a ruleset's events are called: `say` by event type, `set` by field of a unit's own record, `dice` by purpose,
    `words` by value, `names` what kind of thing a field numbers, `start` by field of a unit that begins off the map."""

    def __init__(self, tables: Mapping[str, Any]) -> None:
        story = tables.get("story", {})
        self.names: dict[str, str] = story.get("names", {})
        self.dice: dict[str, str] = tables.get("dice", {})
        self.say: dict[str, dict[str, Any]] = tables.get("say", {})
        self.set: dict[str, dict[str, str]] = tables.get("set", {})
        self.words: dict[str, str] = tables.get("words", {})
        self.start: dict[str, str] = tables.get("start", {})

    def _by(self, event: str) -> list[str]:
        by: list[str] = self.say.get(event, {}).get("by", [])
        return by

    def sentence(self, event: str, fields: Mapping[str, Any]) -> str | None:
        """The sentence for an event, the one that fits most of its deciding values; None where there is none."""
        table = self.say.get(event)
        if table is None:
            return None
        fields = {**table.get("missing", {}), **fields}
        found = _longest(table, " ".join(_word(fields.get(name, "")) for name in self._by(event)))
        return found if isinstance(found, str) else table.get("else")

    def purpose(self, purpose: str) -> str:
        """What dice were rolled for."""
        found = _longest(self.dice, purpose)
        return found if isinstance(found, str) else purpose


def _longest(table: Mapping[str, Any], text: str) -> Any:
    """What a table has for a text, or for as many of its first words as it knows; None where it knows none."""
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
    """Text without control characters, which a terminal would obey."""
    return text if text.isprintable() else "".join(c if c.isprintable() else "�" for c in text)


def length(hundredths: int) -> str:
    """Hundredths of an inch as inches: `14"`, `7.25"`."""
    whole, rest = divmod(hundredths, 100)
    return f"{whole}.{rest:02d}".rstrip("0") + '"' if rest else f'{whole}"'


def count(number: int, form: str) -> str:
    """`count man men`: a number with its noun."""
    one, _, many = form.partition(" ")
    return f"{number or 'no'} {one if number == 1 else many}"


_PEOPLE = ("men", "people")
_ONE = ("ss", "us", "is")
_PLURAL_VERBS = {"is": "are", "has": "have", "does": "do", "was": "were"}


def is_plural(name: str) -> bool:
    """Whether a verb after a name is in the plural: `the hill axes`, `Rangers marksmen`, not `Captain Hayes` or `Anton's gun`."""
    last = name.split(" ")[-1]
    if last[:1].isupper() and " " in name:
        return False
    return last.lower().endswith(_PEOPLE) or (last.endswith("s") and not last.endswith((*_ONE, "'s")))


def agree(name: str, form: str) -> str:
    """`agree fires`, `agree its their`: a word as a name in the singular or the plural wants it; of one word, a verb in the third
    person, the plural is made."""
    one, _, many = form.partition(" ")
    if not is_plural(name):
        return one
    if many or one in _PLURAL_VERBS:
        return many or _PLURAL_VERBS[one]
    if one.endswith("ies"):
        return one[:-3] + "y"
    return one[: -2 if one.endswith(("sses", "shes", "ches", "xes", "oes")) else -1]


@lru_cache
def find_wording(ruleset: str) -> Wording:
    """The wording of a ruleset's events; the shared one alone where it brings none. Reads no rules."""
    tables = _read(_HERE / "story.toml")
    own = _HERE.parent / "rulesets" / ruleset / "story.toml"
    if ruleset.isidentifier() and own.is_file():
        tables = _merged(tables, _read(own))
    return Wording(tables)


def _read(path: Path) -> dict[str, Any]:
    try:
        return tomllib.loads(path.read_text(encoding="utf-8"))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise InputError(Fault(f"not a story file: {error}", "mend its TOML", path.name)) from None


def _merged(base: dict[str, Any], over: dict[str, Any]) -> dict[str, Any]:
    """Tables of `over` replace those of `base`, save that `story.names` and the kinds of tables are joined."""
    merged = dict(base)
    for name in ("say", "set", "dice", "words", "start"):
        merged[name] = {**base.get(name, {}), **over.get(name, {})}
    story, own = base.get("story", {}), over.get("story", {})
    merged["story"] = {**story, **own, "names": {**story.get("names", {}), **own.get("names", {})}}
    return merged
