"""Tactics as text: what a unit always or never does in a situation. Read `Tactic`, then `parse_tactics` and `left_by`.

    always at:inside when role=crew enemy=inside
    never go:outside when where=upper time=late; always order:rally when state=hindered

Tactics are separated by semicolons or line breaks; lines that begin with # are ignored.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from contextlib import suppress
from typing import Any

from msgspec import Struct

from battlesim.board.board import Board
from battlesim.core.answers import Answer
from battlesim.core.errors import Fault, InputError, did_you_mean
from battlesim.core.items import Ask
from battlesim.core.view import View
from battlesim.discovery.acts import (
    act_words,
    acts_of,
    is_about_buildings,
    known_questions,
    question_name,
    shipped_questions,
)
from battlesim.discovery.history import History
from battlesim.discovery.situations import FEATURES, NO_ORDER, Situation, situation_of, unit_asked

RULES = ("always", "never")
_PLACES = {name: place for place, name in enumerate(FEATURES)}


class Tactic(Struct, frozen=True, order=True):
    """`rule`: "always" or "never". `act`: a question and a choice, as `acts.acts_of` names them. `when`: features that a
    situation must have, each with its value, in the order of FEATURES; () for every situation.

    >>> str(parse_tactic("never go:outside when time=late role=foot"))
    'never go:outside when role=foot time=late'
    """

    rule: str
    act: str
    when: tuple[tuple[str, str], ...] = ()

    def __str__(self) -> str:
        when = " ".join(f"{name}={value}" for name, value in self.when)
        return f"{self.rule} {self.act}" + (f" when {when}" if when else "")

    @property
    def question(self) -> str:
        """The name of its question."""
        return self.act.partition(":")[0]

    def fits(self, situation: Situation) -> bool:
        """Whether the tactic applies in a situation."""
        return all(situation[_PLACES[name]] == value for name, value in self.when)

    @property
    def opposite(self) -> Tactic:
        """The same with "never" for "always", and the other way round."""
        return Tactic("never" if self.rule == "always" else "always", self.act, self.when)

    @property
    def about_buildings(self) -> bool:
        """Whether its act or its situation is about a building."""
        given = dict(self.when)
        inside = given.get("where") in ("ground", "upper") or given.get("building", "none") != "none"
        return is_about_buildings(self.act) or inside or given.get("enemy") == "inside"

    @property
    def deed(self) -> str:
        """The tactic as a sentence without "always" or "never".

        >>> parse_tactic("never go:upstairs when role=foot").deed
        'A unit of foot goes up to a higher floor.'
        """
        return self.words().replace(f" {self.rule} ", " ", 1)

    def words(self) -> str:
        """The tactic as a sentence.

        >>> parse_tactic("always go:upstairs when role=foot where=ground").words()
        'A unit of foot on a ground floor always goes up to a higher floor.'
        """
        given = dict(self.when)
        who = FEATURES["role"][given.pop("role")] if "role" in given else "a unit"
        plain = [FEATURES[name][given.pop(name)] for name in ("state", "where", "way") if name in given]
        rest = [FEATURES[name][value] for name, value in given.items()]
        subject = " ".join([who, *plain])
        subject = subject[0].upper() + subject[1:]
        end = ""
        for part in rest:
            end += (
                f" {part}"
                if part.startswith("in the")
                else f"{' and' if ' when ' in end else ' when'} {part}"
            )
        return f"{subject} {self.rule} {act_words(self.act)}{end}."


def parse_tactic(text: str, where: str = "") -> Tactic:
    """One tactic from its text form. `where`: the file, for messages. Raises InputError."""
    words = text.split()
    if len(words) < 2 or words[0] not in RULES or (len(words) > 2 and words[2] != "when") or len(words) == 3:
        what = f"{text.strip()!r:.120} is not a tactic"
        remedy = "write always ACT or never ACT, then perhaps: when FEATURE=VALUE FEATURE=VALUE"
        raise InputError(Fault(what, remedy, where))
    rule, act = words[:2]
    question, colon, choice = act.partition(":")
    known = shipped_questions()
    if choice not in known.get(question, ()):
        known = known_questions()
    if not colon or question not in known:
        what = f"{act!r} in the tactic {text.strip()!r:.120} names no question"
        raise InputError(Fault(what, f"give QUESTION:CHOICE; {did_you_mean(question, sorted(known))}", where))
    if choice not in known[question]:
        what = f"{act!r} in the tactic {text.strip()!r:.120} names no choice"
        raise InputError(Fault(what, did_you_mean(choice, sorted(known[question])), where))
    given: dict[str, str] = {}
    for word in words[3:]:
        name, _, value = word.partition("=")
        if name not in FEATURES or name in given:
            what = f"{word!r} in the tactic {text.strip()!r:.120} is not a feature" + (
                ", or it is there twice" if name in given else ""
            )
            raise InputError(Fault(what, did_you_mean(name, sorted(FEATURES)), where))
        if value not in FEATURES[name]:
            what = f"{word!r} in the tactic {text.strip()!r:.120} has no such value"
            raise InputError(Fault(what, did_you_mean(value, sorted(FEATURES[name])), where))
        given[name] = value
    return Tactic(rule, act, tuple((name, given[name]) for name in FEATURES if name in given))


def can_be_said(act: str) -> bool:
    """Whether a tactic can name an act: not every choice of a question that only an installed rulebook asks has a word."""
    with suppress(InputError):
        return parse_tactic(f"always {act}").act == act
    return False


def parse_tactics(text: str, where: str = "") -> tuple[Tactic, ...]:
    """All tactics of a text, in its order. Raises InputError if one is invalid, or there is none."""
    lines = [line for line in text.splitlines() if not line.lstrip().startswith("#")]
    parts = [part for part in re.split(r"[;\n]", "\n".join(lines)) if part.strip()]
    if not parts:
        what = "there is no tactic"
        raise InputError(Fault(what, "write one, such as: always go:upstairs when role=foot", where))
    return tuple(parse_tactic(part, where) for part in parts)


def left_by(
    tactics: Sequence[Tactic],
    view: View,
    board: Board,
    ask: Ask,
    answers: Sequence[Answer],
    history: History | None = None,
) -> list[Answer]:
    """The answers that tactics leave, in their order. Tactics apply in their order, and one that would leave nothing is skipped,
    so there is always an answer. `history`: the orders that units have had."""
    question = question_name(type(ask))
    bearing = [tactic for tactic in tactics if tactic.question == question]
    unit = unit_asked(view, ask) if bearing else None
    if unit is None:
        return list(answers)
    situation = situation_of(view, board, unit, history.last(unit.id) if history else NO_ORDER)
    bearing = [tactic for tactic in bearing if tactic.fits(situation)]
    if not bearing:
        return list(answers)
    left: list[Any] = list(zip(answers, acts_of(view, board, ask, answers), strict=True))
    for tactic in bearing:
        wanted = tactic.rule == "always"
        left = [row for row in left if (tactic.act in row[1]) is wanted] or left
    return [answer for answer, _ in left]
