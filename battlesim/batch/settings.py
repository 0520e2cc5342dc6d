"""Settings of a run, from a TOML file or from flags, with faults that have place and line. Read `parse_settings`.

Other packages declare their settings as subclasses of `Settings`, and read them with `core.toml.read_toml` and `parse_settings`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, TypeVar, get_args

from pydantic import BaseModel, ConfigDict, Field, ValidationError

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
        raise InputError([_fault(found, model, file, text) for found in error.errors()]) from None
    faults = [
        Fault(what, remedy, file, _line(text, place), place) for place, what, remedy in contradictions(asked)
    ]
    if faults:
        raise InputError(faults)
    return asked


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
}
"""Remedies by pydantic's names of errors, where its own messages are about Python."""


def _fault(error: Any, model: type[BaseModel], file: str, text: str) -> Fault:
    loc: Sequence[str | int] = error["loc"]
    place = "".join(f"[{part}]" if isinstance(part, int) else f".{part}" for part in loc).lstrip(".")
    kind, given, line = error["type"], error["input"], _line(text, place)
    if kind == "extra_forbidden":
        known = _fields_at(model, loc[:-1])
        return Fault(f"there is no setting {loc[-1]!r}", did_you_mean(str(loc[-1]), known), file, line, place)
    if kind == "missing":
        return Fault("the setting is missing", f"give {loc[-1]} = [...]", file, 0, place)
    if kind == "literal_error":
        known_words = error.get("ctx", {})["expected"]
        return Fault(f"{given!r} is unknown", f"known: {known_words}", file, line, place)
    message = str(error["msg"])
    # Messages of pydantic's own may hold braces, those of patterns do.
    plain = _PLAIN.get(kind)
    remedy = message[0].lower() + message[1:] if plain is None else plain.format(name=loc[-1])
    return Fault(f"{given!r:.60} is not valid", remedy, file, line, place)


def _fields_at(model: type[BaseModel], loc: Sequence[str | int]) -> list[str]:
    """The settings of the table at a place."""
    for step in loc:
        field = model.model_fields.get(str(step))
        kinds = [] if field is None else [field.annotation, *get_args(field.annotation)]
        tables = [kind for kind in kinds if isinstance(kind, type) and issubclass(kind, BaseModel)]
        if not tables:
            break
        model = tables[0]
    return list(model.model_fields)


def _line(text: str, place: str) -> int:
    """The line of a setting in a TOML text, of an entry of a list that of the list; 0 where it is not found."""
    steps = [step for step in re.split(r"[.\[\]]", place) if step]
    names = steps[: next((n for n, step in enumerate(steps) if step.isdecimal()), len(steps))]
    return line_of(text, names) if names else 0
