"""Answers: the typed replies that a side can give to a question, each with a stable text form.

The text form is one word for the kind and then its fields, such as `go 17` or `order advance`. Records keep it and people type
it. `parse_answer(format_answer(a), kinds) == a` for every answer. Read `format_answer` and `parse_answer`.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import msgspec
from msgspec import Struct

from battlesim.core.errors import IllegalAnswer


class Answer(Struct, frozen=True, tag=str.lower, gc=False):
    """Base of all answers."""


def _word(kind: type[Answer]) -> str:
    """The first word of the text form of a kind of answer."""
    return str(kind.__struct_config__.tag)


class Pick(Answer, frozen=True):
    """Choose a unit to act."""

    unit: int


class Order(Answer, frozen=True):
    """Give an order by name."""

    name: str


class MoveTo(Answer, frozen=True, tag="go"):
    """Move to a space."""

    place: int


class TargetUnit(Answer, frozen=True, tag="at"):
    """Name an enemy unit: as a target, or to charge."""

    unit: int


class TargetSpace(Answer, frozen=True, tag="atplace"):
    """Name a space (an empty building, an aiming point) as a target."""

    place: int


class Confirm(Answer, frozen=True, tag="say"):
    """Yes or no."""

    yes: bool


class Pass(Answer, frozen=True):
    """Decline: hold fire, stay."""


class Face(Answer, frozen=True):
    """Turn to a facing, 0 (east) to 7 (south-east), counter-clockwise."""

    facing: int


class UseOpening(Answer, frozen=True, tag="use"):
    """Choose an opening of the floor a unit is on."""

    opening: int


_INTERNED: dict[type[Answer], list[Answer]] = {Pick: [], MoveTo: [], TargetUnit: []}

_AHEAD = 64
"""How many answers more than are asked for the pool makes at once."""


def numbered(kind: type[Answer], number: int) -> Answer:
    """`kind(number)` from a pool: each is made only once, since long lists of them are needed often.

    `kind` is Pick, MoveTo or TargetUnit; `number`, of a unit or space, is 0 or more.
    """
    pool = _INTERNED[kind]
    if number >= len(pool):
        pool.extend(kind(n) for n in range(len(pool), number + _AHEAD))
    return pool[number]


def all_numbered(kind: type[Answer], numbers: Sequence[int]) -> list[Answer]:
    """`numbered(kind, n)` for each of `numbers`, in their order."""
    if not numbers:
        return []
    numbered(kind, max(numbers))
    return list(map(_INTERNED[kind].__getitem__, numbers))


CORE_ANSWERS: tuple[type[Answer], ...] = (
    Pick,
    Order,
    MoveTo,
    TargetUnit,
    TargetSpace,
    Confirm,
    Pass,
    Face,
    UseOpening,
)


def format_answer(answer: Answer) -> str:
    """The stable text form.

    >>> format_answer(MoveTo(17)), format_answer(Confirm(True)), format_answer(Pass())
    ('go 17', 'say yes', 'pass')
    """
    # Not a memo: `MoveTo(17.0)` equals `MoveTo(17)`, and records would get the form of whichever came first.
    values = msgspec.structs.astuple(answer)
    words = [("yes" if value else "no") if isinstance(value, bool) else str(value) for value in values]
    return " ".join([_word(type(answer)), *words])


def parse_answer(text: str, kinds: Iterable[type[Answer]] = CORE_ANSWERS) -> Answer:
    """The answer that a text form stands for.

    >>> parse_answer("go 17")
    MoveTo(place=17)

    `kinds`: by default those that several rulebooks share. A rulebook may have more (`search 138 2`):
    `find_ruleset(view.ruleset).answers` are all of its kinds.

    Raises IllegalAnswer, with the kinds that are known, if none of `kinds` fits.
    """
    kinds = tuple(kinds)
    name, *words = text.split() or [""]
    for kind in kinds:
        if _word(kind) != name:
            continue
        fields = msgspec.structs.fields(kind)
        if len(fields) != len(words):
            form = " ".join([name, *(field.name.upper() for field in fields)])
            raise IllegalAnswer(f"{text!r} is not an answer; write {form}")
        values: list[Any] = []
        for field, word in zip(fields, words, strict=True):
            if field.type is bool:
                if word not in ("yes", "no"):
                    raise IllegalAnswer(f"{text!r} is not an answer: {field.name} must be yes or no")
                values.append(word == "yes")
            elif field.type is int:
                try:
                    values.append(int(word))
                except ValueError:
                    what = f"{text!r} is not an answer: {field.name} must be a whole number"
                    raise IllegalAnswer(what) from None
            else:
                values.append(word)
        return kind(*values)
    known = ", ".join(_word(kind) for kind in kinds)
    raise IllegalAnswer(f"{text!r} is not an answer; answers begin with one of {known}")
