"""Questions and answers in words: "which order does Red corner get?", "go down".

The words are in the tables `[ask]` and `[answer]` of `story.toml`. Read `Phrases`.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from battlesim.viewer.context import NOTHING, Context, Names
from battlesim.viewer.wording import Wording, fill, printable, word

_UNITS = ("pick", "at", "through", "demolish")
"""First words of answers whose number is a unit's. In any other answer it is a space's, if the words of the answer use one."""
_BARE = ("face", "use", "say", "order")
"""First words of answers whose number or word is neither."""
_CAPITAL = re.compile(r"(?<!^)(?=[A-Z])")


class Phrases:
    """Words for the questions of one battle. A question is given by its type and its fields as plain data, an answer by its text
    form, as in records.

    >>> phrases.question("WhichOrder", {"unit": 4}), phrases.answer("WhichOrder", {"unit": 4}, "order fire")
    ('which order does Red corner get?', 'fire')
    """

    def __init__(self, names: Names, wording: Wording) -> None:
        self._names, self._wording = names, wording

    def question(self, ask: str, fields: Mapping[str, Any]) -> str:
        """What a question asks. One without words says its type: "Which order: Red corner?"."""
        text = self._wording.asks.get(ask)
        if text is None:
            plain = _CAPITAL.sub(" ", ask).capitalize()
            unit = self._names.find_unit(fields.get("unit"))
            return printable(f"{plain}: {unit.name}?" if unit else f"{plain}?")
        return fill(text, self._context(fields).show)

    def answer(self, ask: str, fields: Mapping[str, Any], answer: str) -> str:
        """What an answer says. One without words says its text form."""
        text = self._wording.answer(ask, answer)
        return printable(answer) if text is None else self._filled(text, fields, answer)

    def act(self, ask: str, fields: Mapping[str, Any], answer: str) -> str:
        """What an answer does, as part of a plan: "fire at Red corner". Without such words, what the answer says."""
        text, said = self._wording.act(ask, answer), self.answer(ask, fields, answer)
        return said if text is None else self._filled(text, fields, answer, said)

    def filled(self, text: str, fields: Mapping[str, Any]) -> str:
        """Words with their slots filled with fields."""
        return fill(text, self._context(fields).show)

    def _filled(self, text: str, fields: Mapping[str, Any], answer: str, said: str = "") -> str:
        """Words with their slots filled: {it} with the thing that the answer names, {wall} and {opening} with the one of that
        number, {said} with what the answer says, others with fields."""
        kind, *rest = answer.split(" ")
        context, own = self._context(fields), {"it": self._named(kind, rest), "said": said}
        if "{wall}" in text or "{opening}" in text:
            place, number = self._floor(kind, rest, fields), int(rest[-1])
            own |= {"wall": self._names.wall(place, number)} if "{wall}" in text else {}
            own |= {"opening": self._names.opening(place, number)} if "{opening}" in text else {}
        return fill(text, lambda name, form: own[name] if name in own else context.show(name, form))

    def _named(self, kind: str, rest: list[str]) -> str:
        """The thing that the number or word of an answer means."""
        first = rest[0] if rest else ""
        if kind in _BARE or not first.isdecimal():
            return word(first, self._wording.words)
        return self._names.named("unit" if kind in _UNITS else "place", int(first))

    def _floor(self, kind: str, rest: list[str], fields: Mapping[str, Any]) -> int:
        """The floor whose wall an answer names: the floor in the answer, or that of its unit, else that of the unit asked."""
        if len(rest) > 1 and kind not in _UNITS:
            return int(rest[0])
        unit = self._names.find_unit(int(rest[0]) if len(rest) > 1 else fields.get("unit"))
        return -1 if unit is None else unit.place

    def _context(self, fields: Mapping[str, Any]) -> Context:
        return Context(self._names, self._wording, {k: v for k, v in fields.items() if k != "type"}, NOTHING)
