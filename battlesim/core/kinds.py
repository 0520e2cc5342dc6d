"""What a file or a folder of battlesim is, by what it holds, for messages where another kind was asked for. Read `kind_of`."""

from __future__ import annotations

import gzip
import zlib
from pathlib import Path
from shlex import quote

from battlesim.core.errors import Fault

MARKS = ("resolved.json", "discover-asked.json", "balance-asked.json", "upset.json")
"""Files that tell the folder of a run or a search."""
_RECORD = b'{"record":"battlesim"'
_STORE = b"SQLite format 3\0"
_PAGES = (b"<!doctype html", b"<html")


def is_run(folder: Path) -> bool:
    """Whether a folder holds a run or a search."""
    return any((folder / mark).is_file() for mark in MARKS)


def kind_of(path: str | Path, asked: str = "") -> Fault | None:
    """What is at a path, and which command reads it: the folder of a run, its store or another file of it, a record or a saved
    game, a scenario or a map, an agent, a page. None if it is none of these, or of the kind that was `asked` for ("record",
    "scenario", "map", "agent" or "run")."""
    file = Path(path)
    try:
        found = _folder(file) if file.is_dir() else _file(file)
    except (OSError, ValueError, EOFError, zlib.error):
        return None
    return None if found is None or found[0] == asked else Fault(found[1], found[2], str(path))


def _folder(folder: Path) -> tuple[str, str, str] | None:
    if not is_run(folder):
        return None
    return "run", "this is the folder of a run", f"battlesim runs {quote(str(folder))} shows it"


def _file(file: Path) -> tuple[str, str, str] | None:
    if not file.is_file():
        return None
    named = quote(str(file))
    start = _start(file)
    if start.startswith(_RECORD):
        remedy = f"battlesim replay {named} tells it, battlesim watch {named} shows it"
        return "record", "this is the record of a battle", remedy
    run = quote(str(file.parent))
    if is_run(file.parent) and file.suffix not in (".yaml", ".yml", ".toml", ".py"):
        if start.startswith(_STORE):
            remedy = f"battlesim runs {run} shows the run, battlesim export {run} writes its games to a file"
            return "store", "this is the store of a run", remedy
        return "part", "this is a file of a run", f"battlesim runs {run} shows the run"
    if start.lstrip().lower().startswith(_PAGES):
        return "page", "this is a page", "open it in a browser"
    if file.suffix in (".yaml", ".yml"):
        if any(line.startswith(b"ruleset:") for line in start.splitlines()):
            return "scenario", "this is a scenario", f"battlesim play {named} plays it"
        if any(line.startswith(b"ground:") for line in start.splitlines()):
            return "map", "this is a map", f"battlesim map check {named} checks it"
    if file.suffix == ".py":
        remedy = f"battlesim play SCENARIO --agent {named} plays a battle with it, if it is an agent"
        return "agent", "this is a Python file", remedy
    return None


def _start(file: Path) -> bytes:
    """The first bytes of a file, uncompressed."""
    with file.open("rb") as stream:
        start = stream.read(1 << 13)
    if start.startswith(b"\x1f\x8b"):
        with gzip.open(file) as packed:
            return packed.read(1 << 10)
    return start
