"""The folders of searches for balance and for upsets, read without the packages that the searches need. Read `read_search`."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import closing, suppress
from pathlib import Path
from typing import Any

from msgspec import Struct

from battlesim.batch.rounds import ROUNDS
from battlesim.core.errors import Fault, InputError
from battlesim.jobs.folder import runs_in

BALANCE_ASKED, BALANCE, UPSET = "balance-asked.json", "balance.json", "upset.json"
TOLD = "told.txt"
"""The results of a search in words, as its command printed them."""


class SearchState(Struct, frozen=True):
    """A search so far. `kind`: balance or upset. `games`: played. `state`: finished, playing or interrupted. `agents`: how many
    different ones. `started`: the first session, ISO 8601; "" if not known."""

    kind: str
    games: int
    state: str
    agents: int
    started: str


def kind_of(folder: Path) -> str:
    """balance or upset for the folder of such a search, "" for any other. A search for upsets has no files before it ends."""
    if (folder / BALANCE_ASKED).is_file():
        return "balance"
    return "upset" if (folder / UPSET).is_file() else ""


def searches_in(folder: Path) -> Iterator[Path]:
    """The searches for balance and for upsets in a folder, by name. What this user may not look into is skipped."""
    for path in sorted(folder.iterdir()) if folder.is_dir() else ():
        with suppress(PermissionError):
            if kind_of(path):
                yield path


def read_search(folder: Path) -> SearchState:
    """How far a search is. Raises InputError if its files are damaged."""
    if kind_of(folder) == "upset":
        found = read_found(folder / UPSET, ("agents", "estimate"))
        return SearchState("upset", found["estimate"]["battles"], "finished", len(set(found["agents"])), "")
    asked = read_asked(folder / BALANCE_ASKED)
    rounds = runs_in(folder / ROUNDS)
    games = 0
    for run in rounds:
        with closing(run.store(read_only=True)) as store:
            games += len(store)
    sessions = rounds[0].environment() if rounds else []
    if (folder / BALANCE).is_file():
        state = "finished"
    else:
        state = "playing" if any(run.is_driven() for run in rounds) else "interrupted"
    agents = len(set(asked.get("agents") or ("greedy",)))
    return SearchState("balance", games, state, agents, sessions[0]["started"] if sessions else "")


def read_asked(file: Path) -> dict[str, Any]:
    """The settings of a search for balance. Raises InputError if there are none, or they are damaged."""
    try:
        asked = json.loads(file.read_text(encoding="utf-8"))
    except (FileNotFoundError, NotADirectoryError):
        there = "this is not the folder of a search" if file.parent.exists() else "there is no such folder"
        raise InputError(
            Fault(there, "name a folder that `battlesim balance` made", str(file.parent))
        ) from None
    except OSError as error:
        what = f"what the search was asked for cannot be read: {error.strerror}"
        raise InputError(Fault(what, "make the file readable", str(file))) from None
    except ValueError as error:
        raise _damaged_asked(str(error), file) from None
    if not isinstance(asked, dict) or not {"scenario", "tune"} <= set(asked):
        raise _damaged_asked(f"it holds {asked!r:.40}", file)
    return asked


def read_found(file: Path, keys: tuple[str, ...]) -> dict[str, Any]:
    """The figures of a finished search, which have these keys. Raises InputError if they are damaged."""
    try:
        found = json.loads(file.read_text(encoding="utf-8"))
        if not isinstance(found, dict) or not set(keys) <= set(found):
            raise ValueError(f"it holds {found!r:.40}")
    except (OSError, ValueError) as error:
        what = f"what the search found is damaged: {error}"
        raise InputError(Fault(what, "restore it from a copy, or begin a new search", str(file))) from None
    return found


def _damaged_asked(why: str, file: Path) -> InputError:
    what = f"what the search was asked for is damaged: {why}"
    return InputError(Fault(what, "restore it from a copy, or begin a new search", str(file)))
