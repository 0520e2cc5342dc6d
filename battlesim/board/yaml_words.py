"""Syntax faults of YAML in plain words. Read `syntax_fault`.

>>> syntax_fault("did not find expected ',' or ']'", 2, 1)
('not YAML: the list that begins with [ on line 1 is not closed', 'close it with ], and put commas between its entries')
"""

from __future__ import annotations

from typing import NamedTuple


class _Words(NamedTuple):
    """For a fault of the parser: a part of what it says, our words for it and what would do. `{line}` is where the thing begins
    that the fault is in."""

    said: str
    what: str
    remedy: str


QUOTES = "put text that begins with a special character, such as @ or %, in quotes"
BLANKS = "indent with blanks, not with tabs"
ALIGN = "indent what belongs together alike, and give every line a key and a colon"
"""Remedies that several faults share."""

_WORDS = (
    _Words(
        "',' or ']'",
        "the list that begins with [ on line {line} is not closed",
        "close it with ], and put commas between its entries",
    ),
    _Words(
        "',' or '}'",
        "the table that begins with {{ on line {line} is not closed",
        "close it with }, and put commas between its entries",
    ),
    _Words(
        "unexpected end of stream",
        "the quote that begins on line {line} is not closed",
        "close it with the same sign",
    ),
    _Words("a tab character", "a tab stands where blanks indent", BLANKS),
    _Words(
        "character that cannot start any token",
        "a value begins with a special character or a tab",
        f"{BLANKS}; {QUOTES}",
    ),
    _Words(
        "unknown escape character",
        "a backslash in double quotes stands before an unknown sign",
        "use 'single quotes'",
    ),
    _Words("undefined alias", "a value begins with *, which makes a reference", QUOTES),
    _Words("second occurrence", "the anchor of line {line} is given again", "write the value out"),
    _Words("alphabetic or numeric", "a value begins with * or &, which make references", QUOTES),
    _Words(
        "another document", "a second document begins", "one file holds one document: remove the '---' lines"
    ),
    _Words("<document start>", "text stands where a file of keys begins", "begin with 'key: value' lines"),
    _Words(
        "mapping values are not allowed",
        "a colon stands where no key can be",
        "put text with a colon in quotes, and check the indentation there",
    ),
    _Words(
        "could not find expected ':'", "the key that begins on line {line} has no colon", "write 'key: value'"
    ),
    _Words(
        "'-' indicator",
        "a line does not continue the list that begins on line {line}",
        "begin entries with '-', indented alike",
    ),
    _Words("expected key", "a line does not continue the table that begins on line {line}", ALIGN),
    _Words(
        "node content",
        "a value is missing, or begins with a bracket that closes",
        "write the value, or put it in quotes",
    ),
)


def syntax_fault(said: str, line: int, begins: int = 0) -> tuple[str, str]:
    """What is wrong, and what would do, for what the parser said of a `line`. `begins`: the line where the thing begins that the
    fault is in, 0 for the same line. What is not known here is told in the parser's words."""
    for words in _WORDS:
        if words.said in said:
            return f"not YAML: {words.what.format(line=begins or line)}", words.remedy
    return f"not YAML: {said}", "check indentation, colons and brackets there"
