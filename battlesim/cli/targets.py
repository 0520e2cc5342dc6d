"""Which existing files a command may replace: those of the same kind that battlesim wrote. Read `check_page`.

Records and saved games have theirs in `engine.record_file`.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from battlesim.core.files import check_replaced

_START = 1 << 16
"""So many bytes of a file tell what it is."""
PNG = b"\x89PNG\r\n\x1a\n"
"""How each PNG begins."""
MADE = b"Software\0battlesim"
"""Says in a PNG what made it."""


def check_page(path: str | Path) -> None:
    """Raises InputError if the page of a record cannot be written there, or would replace another kind of file."""
    check_replaced(path, "the page", "the page of a record", _is_page)


def check_answer(path: str | Path) -> None:
    """`check_page`, of what `whatif --json FILE` writes."""
    check_replaced(path, "the JSON", "an answer of `whatif`", _is_answer)


def check_drawing(path: str | Path) -> None:
    """`check_page`, of a picture."""
    check_replaced(path, "the picture", "a picture that battlesim made", _is_drawing)


def check_table(path: str | Path) -> None:
    """`check_page`, of a run's table."""
    check_replaced(path, "the table", "a table that `export` wrote", _is_table)


def check_book(folder: Path, pages: list[str]) -> None:
    """`check_page`, of the pages of a book of tactics, their plans and their index."""
    from battlesim.discovery.book_file import INDEX

    check_replaced(folder / INDEX, "the index", "the index of a book of tactics", _is_index)
    for name in pages:
        check_replaced(folder / f"{name}.md", "the page", "a page of a book of tactics", _is_book_page)
        for plan in folder.glob(f"{name}-[0-9]*-[0-9]*.svg"):
            check_drawing(plan)


def check_failures(folder: Path, rulesets: list[str]) -> None:
    """`check_page`, of the files that `fuzz` writes into a folder."""
    for file in [
        folder / "fuzz.json",
        *(one for name in rulesets for one in folder.glob(f"{name}-[0-9]*.json")),
    ]:
        if file.exists():
            check_replaced(file, "the failures", "one that `fuzz` wrote", _is_failure)


def _start(file: Path) -> bytes:
    with file.open("rb") as stream:
        return stream.read(_START)


def _is_page(file: Path) -> bool:
    start = _start(file)
    return start.startswith(b"<!DOCTYPE html>") and b" battlesim replay</title>" in start


def _json(file: Path) -> Any:
    try:
        return json.loads(file.read_bytes())
    except (ValueError, RecursionError):
        return None


def _is_answer(file: Path) -> bool:
    said = _json(file)
    return (
        isinstance(said, dict)
        and "record" in said
        and bool({"questions", "answers", "turning_points"} & {*said})
    )


def _is_drawing(file: Path) -> bool:
    from battlesim.board.svg import FONT

    start = _start(file)
    if start.startswith(PNG):
        return MADE in start
    return start.startswith(b"<svg ") and FONT.encode() in start.partition(b"\n")[0]


def _is_table(file: Path) -> bool:
    from battlesim.batch.export import COLUMNS, COMMON

    if file.suffix == ".parquet":
        try:
            import pyarrow.parquet as parquet

            names = parquet.read_schema(file).names
        except (ImportError, OSError, ValueError):
            return False
    else:
        names = _start(file).partition(b"\r\n")[0].decode("utf-8", "replace").split(",")
    known = [[name for name, _ in columns] for columns in (COLUMNS, COMMON)]
    return any(names[: len(one)] == one for one in known)


def _is_index(file: Path) -> bool:
    return b"\n| page | confirmed | tried | scenarios | program |\n" in file.read_bytes()


def _is_book_page(file: Path) -> bool:
    return b"\n## How it was found\n\n```sh\nbattlesim tactics " in file.read_bytes()


def _is_failure(file: Path) -> bool:
    said = _json(file)
    rows = said if isinstance(said, list) else [said]
    return all(
        isinstance(row, dict) and {"ruleset"} | ({"cases"} if said is rows else {"law"}) <= {*row}
        for row in rows
    )
