"""Answers in words that people read and write: `go house.west:0`, which records write as `go 17`. Read `in_words`."""

from __future__ import annotations

from fnmatch import fnmatchcase

from msgspec.structs import fields

from battlesim.board.board import Board
from battlesim.core.answers import Answer, Face, format_answer
from battlesim.core.geometry import FACING_NAMES
from battlesim.core.state import State


def in_words(answer: Answer, state: State, board: Board) -> str:
    """An answer's text form, with units and places by their names and facings as compass directions: `at Red squad`,
    `go farm.1:0`, `face north`, `breach bank.1:0 2`. Things without a name keep their number."""
    words = [format_answer(answer).split()[0]]
    for field in fields(answer):
        value = getattr(answer, field.name)
        if field.name == "unit" and value in state.units:
            words.append(state.units[value].name)
        elif field.name == "place":
            words.append(board.spaces[value].name)
        elif isinstance(answer, Face):
            words.append(FACING_NAMES[value])
        elif isinstance(value, bool):
            words.append("yes" if value else "no")
        else:
            words.append(str(value))
    return " ".join(words)


def fits(text: str, pattern: str) -> bool:
    """Whether a text matches a pattern; `*` stands for anything, upper and lower case differ."""
    return fnmatchcase(text, pattern.replace("[", "[[]"))
