"""Lengths in map and scenario files: numbers with two decimals there, whole hundredths here. Read `Length`."""

from __future__ import annotations

from math import isfinite
from typing import Any

from pydantic_core import CoreSchema
from pydantic_core.core_schema import ValidationInfo, with_info_plain_validator_function

from battlesim.board.yamlfaults import shown
from battlesim.board.yamlfile import refuse

MAX_COORDINATE = 1000
"""The most units that a map may be wide or high."""

CANONICAL: dict[str, Any] = {"lengths": "whole hundredths"}
"""The context for validating a map or scenario written by `canonical_bytes`: there lengths are whole hundredths."""


class Length:
    """Marks a field of a file's model as a length: a number with at most two decimals in the file, kept as whole hundredths.
    `low` and `high`, in hundredths, are its bounds.

        height: Annotated[int, Length(50, 2000, "height of one floor")]
    """

    def __init__(
        self, low: int = -MAX_COORDINATE * 100, high: int = MAX_COORDINATE * 100, description: str = ""
    ) -> None:
        self.low, self.high, self.description = low, high, description

    def check(self, value: object, info: ValidationInfo) -> int:
        """The length in hundredths, from `low` to `high`. Raises what `refuse` makes, which becomes a fault of the file."""
        if info.context is CANONICAL:
            if type(value) is int and self.low <= value <= self.high:
                return value
            raise refuse(f"{shown(value)} is not a length in hundredths", f"give {self.low} to {self.high}")
        if isinstance(value, bool) or not isinstance(value, int | float):
            raise refuse(f"{shown(value)} is not a length", "give a number with at most two decimals")
        if not isfinite(value):
            raise refuse(f"{value} is not a length", "give an ordinary number")
        if not self.low <= value * 100 <= self.high:
            raise refuse(f"{shown(value)} is out of range", f"give {self.low / 100:g} to {self.high / 100:g}")
        whole = round(value * 100)
        if abs(value * 100 - whole) > 1e-6:
            raise refuse(f"{value} is too fine", f"round it to hundredths: {whole / 100:g}")
        return whole

    def __get_pydantic_core_schema__(self, source: Any, handler: Any) -> CoreSchema:
        return with_info_plain_validator_function(self.check)

    def __get_pydantic_json_schema__(self, schema: CoreSchema, handler: Any) -> dict[str, Any]:
        limits = {"type": "number", "minimum": self.low / 100, "maximum": self.high / 100}
        return {**limits, "description": self.description} if self.description else limits
