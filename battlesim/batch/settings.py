"""Settings of a run, from a TOML file or from flags; faults have a place and a line. Read `parse_settings`.

Other packages declare their settings as subclasses of `Settings`, and read them with `core.toml.read_toml` and `parse_settings`.
"""

from __future__ import annotations

import re
import textwrap
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, Literal, TypeVar, get_args, get_origin

from pydantic import BaseModel, ConfigDict, Field, ValidationError, ValidationInfo, field_validator
from pydantic_core import PydanticCustomError

from battlesim.core.errors import Fault, InputError, did_you_mean
from battlesim.core.toml import line_of

LEAST = 128
"""Megabytes that a worker needs for itself."""

S = TypeVar("S", bound="Settings")
Contradiction = tuple[str, str, str]
"""(place, what, remedy) of settings that are valid alone but not together; a place is written like `limits.faults`."""


class Settings(BaseModel):
    """A table of settings. Unknown keys are faults; the values cannot be changed."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    @field_validator("*", mode="before")
    @classmethod
    def _no_text_for_numbers(cls, value: Any, info: ValidationInfo) -> Any:
        """Refuse text and true or false for numbers, although they could be converted."""
        field = cls.model_fields.get(str(info.field_name))
        kinds = set() if field is None else _scalars(field.annotation)
        if kinds & {int, float} and str not in kinds:
            for one in value if isinstance(value, (list, tuple)) else [value]:
                if isinstance(one, str) or (isinstance(one, bool) and bool not in kinds):
                    whole = "" if float in kinds else "whole "
                    raise PydanticCustomError("no_number", "give a {whole}number", {"whole": whole})
        return value


def _scalars(annotation: Any) -> set[Any]:
    """The plain types that a setting may have, in lists or alone; none for tables."""
    if origin := get_origin(annotation):
        if origin is Literal:
            return {type(word) for word in get_args(annotation)}
        return set() if origin is dict else set[Any]().union(*map(_scalars, get_args(annotation)))
    return {annotation}


class Bounds(Settings):
    """What one game may cost before it is stopped and counted against the agent that was thinking."""

    answer_seconds: float = Field(default=0.0, ge=0, le=86_400, description="for one answer; 0: no limit")
    imagine: int = Field(
        default=0,
        ge=0,
        le=1_000_000_000,
        description="imagined questions that an agent may answer before each of its answers; 0: no limit",
    )
    game_seconds: float = Field(default=600.0, ge=0, le=864_000, description="for one game; 0: no limit")
    megabytes: int = Field(default=1024, ge=0, le=1_048_576, description="memory of a worker; 0: no limit")
    faults: int = Field(default=10, ge=1, le=10_000, description="lost questions that forfeit a game")


def bounds_contradictions(limits: Bounds, place: str = "limits") -> list[Contradiction]:
    """Faults of limits whose values are valid one by one."""
    if 0 < limits.megabytes < LEAST:
        what = f"{limits.megabytes} MB are too few for a worker"
        return [(f"{place}.megabytes", what, f"give {LEAST} or more, or 0 for no limit")]
    return []


def parse_settings(
    model: type[S],
    value: Mapping[str, Any],
    contradictions: Callable[[S], Iterable[Contradiction]] = lambda _: (),
    file: str = "",
    text: str = "",
) -> S:
    """The settings in plain data, checked by `model` and then by `contradictions`. `file` and its `text` give faults their file
    name and line. Raises InputError with every fault."""
    try:
        asked = model.model_validate(value)
    except ValidationError as error:
        raise InputError([_fault(found, model, file, text) for found in _own(error.errors())]) from None
    faults = [
        Fault(what, remedy, file, line_at(text, place), place)
        for place, what, remedy in contradictions(asked)
    ]
    if faults:
        raise InputError(faults)
    return asked


def _own(errors: Sequence[Any]) -> list[Any]:
    """Errors without those that only follow from others: a list with wrong entries is also reported as too short."""
    return [
        one
        for one in errors
        if one["type"] != "too_short"
        or not any(
            other is not one and other["loc"][: len(one["loc"])] == one["loc"] and other["loc"] != one["loc"]
            for other in errors
        )
    ]


_PLAIN = {
    "tuple_type": 'give a list: {name} = ["...", "..."]',
    "string_type": 'give text in quotes: {name} = "..."',
    "int_type": "give a whole number",
    "int_parsing": "give a whole number",
    "int_from_float": "give a whole number",
    "int_parsing_size": "give a smaller number",
    "float_type": "give a number",
    "float_parsing": "give a number",
    "model_type": "give a table: [{name}] with its settings below",
    "too_short": "name one at least",
    "string_pattern_mismatch": "use small letters, digits and '-', beginning with a letter or digit",
}
"""Remedies by pydantic's names of errors, for those whose own messages are about Python."""


def _fault(error: Any, model: type[BaseModel], file: str, text: str) -> Fault:
    loc: Sequence[str | int] = error["loc"]
    place = "".join(f"[{part}]" if isinstance(part, int) else f".{part}" for part in loc).lstrip(".")
    kind, given, line = error["type"], error["input"], line_at(text, place)
    if kind == "extra_forbidden":
        known = _fields_at(model, loc[:-1])
        return Fault(f"there is no setting {loc[-1]!r}", did_you_mean(str(loc[-1]), known), file, line, place)
    if kind == "missing":
        remedy = _remedy(model, loc)
        return Fault("the setting is missing", remedy, file, line, place)
    if kind == "no_number":
        example = given if isinstance(given, str) and _NUMBER.fullmatch(given.strip()) else ""
        remedy = f"give it without quotes: {loc[-1]} = {example.strip()}" if example else str(error["msg"])
        return Fault(f"{_short(given)} is not valid", remedy, file, line, place)
    if kind == "literal_error":
        known_words = error.get("ctx", {})["expected"]
        return Fault(f"{given!r} is unknown", f"known: {known_words}", file, line, place)
    message = str(error["msg"])
    # Pydantic's own messages may contain braces.
    plain = _PLAIN.get(kind)
    remedy = message[0].lower() + message[1:] if plain is None else plain.format(name=loc[-1])
    return Fault(f"{_short(given)} is not valid", remedy, file, line, place)


_NUMBER = re.compile(r"[-+]?\d+(\.\d+)?")


def _short(given: Any) -> str:
    """A value as shown in a message; a long one is cut between two words."""
    return textwrap.shorten(repr(given), 60, placeholder=" ...") if len(repr(given)) > 60 else repr(given)


def _remedy(model: type[BaseModel], loc: Sequence[str | int]) -> str:
    """The remedy for a missing setting."""
    name = loc[-1]
    field = _model_at(model, loc[:-1]).model_fields.get(str(name))
    annotation = None if field is None else field.annotation
    if get_origin(annotation) is tuple:
        tables = any(isinstance(one, type) and issubclass(one, BaseModel) for one in get_args(annotation))
        return f"give a table [[{name}]] with its settings below" if tables else f"give {name} = [...]"
    kinds = _scalars(annotation)
    if str in kinds:
        return f'give {name} = "..."'
    return f"give {name} = a number" if kinds & {int, float} else f"give {name}"


def _fields_at(model: type[BaseModel], loc: Sequence[str | int]) -> list[str]:
    """The settings of the table at a place."""
    return list(_model_at(model, loc).model_fields)


def _model_at(model: type[BaseModel], loc: Sequence[str | int]) -> type[BaseModel]:
    """The table at a place."""
    for step in loc:
        field = model.model_fields.get(str(step))
        kinds = [] if field is None else [field.annotation, *get_args(field.annotation)]
        tables = [kind for kind in kinds if isinstance(kind, type) and issubclass(kind, BaseModel)]
        if not tables:
            break
        model = tables[0]
    return model


def line_at(text: str, place: str) -> int:
    """The line of a setting in a TOML text, from 1, or that of its table; 0 where neither is found.

    >>> line_at("[limits]\\nfaults = 3\\n", "limits.faults")
    2
    """
    steps = [int(step) if step.isdecimal() else step for step in re.split(r"[.\[\]]", place) if step]
    return line_of(text, steps) if steps else 0
