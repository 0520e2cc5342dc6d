"""Reading the folder of a search: its settings, its progress and its results. Read `asked_of` and `found_of`."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import closing, suppress
from pathlib import Path
from typing import Any

from battlesim.batch.rounds import ROUNDS, part_of
from battlesim.batch.settings import parse_settings
from battlesim.core.errors import Fault, InputError
from battlesim.discovery.settings import DiscoverySettings, contradictions
from battlesim.jobs.folder import RunFolder, runs_in

ASKED, FOUND = "discover-asked.json", "discover.json"
JUDGED = "judged"
_NO_SEARCH = "this is not a search for ways of fighting"
_GIVE = "give the folder of a `battlesim discover`; `battlesim runs` lists them"


def is_search(folder: Path) -> bool:
    """Whether a folder holds a search, or one part of it."""
    return (folder / ASKED).is_file()


def parts_of(folder: Path) -> list[Path]:
    """The parts of a search that several machines play, by name."""
    return [path for path in sorted(folder.glob("part-*-of-*")) if is_search(path)]


def searches_in(folder: Path) -> list[Path]:
    """The searches in a folder, by name; for one in parts, each part. What this user may not look into is skipped."""
    found: list[Path] = []
    for path in sorted(folder.iterdir()) if folder.is_dir() else ():
        with suppress(PermissionError):
            found += [path] if is_search(path) else parts_of(path)
    return found


def asked_of(folder: Path) -> DiscoverySettings:
    """The settings of a search. Raises InputError if the folder holds none, or its file is damaged."""
    file = folder / ASKED
    try:
        value = json.loads(file.read_text(encoding="utf-8"))
        if not isinstance(value, dict):
            raise ValueError(f"it holds {value!r:.40}")
        return parse_settings(DiscoverySettings, value, contradictions)
    except (FileNotFoundError, NotADirectoryError):
        raise InputError(Fault(_NO_SEARCH, _GIVE, str(folder))) from None
    except (OSError, ValueError, InputError) as error:
        remedy = "restore it from a copy, or begin a new search"
        what = f"the file of what the search was asked for is damaged: {_said(error)}"
        raise InputError(Fault(what, remedy, str(file))) from None


def _said(error: Exception) -> str:
    said = error.faults[0] if isinstance(error, InputError) else None
    return str(error) if said is None else f"{said.place}: {said.what}"


def is_found(folder: Path) -> bool:
    """Whether a search was played to its end."""
    return (folder / FOUND).is_file()


def found_of(folder: Path) -> tuple[DiscoverySettings, dict[str, Any]] | None:
    """The settings and figures of a finished search, whatever program played it; None if it is not finished. Raises InputError
    where the file is damaged."""
    file = folder / FOUND
    try:
        value = json.loads(file.read_text(encoding="utf-8"))
        if not isinstance(value, dict) or not isinstance(value.get("found"), dict):
            raise ValueError(f"it holds {value!r:.40}")
        return parse_settings(DiscoverySettings, value.get("asked", {}), contradictions), value
    except FileNotFoundError:
        return None
    except (OSError, ValueError, InputError) as error:
        what = f"the file of what was found is damaged: {_said(error)}"
        remedy = "delete it and give --resume with the folder: no game is played again"
        raise InputError(Fault(what, remedy, str(file))) from None


def rounds_in(folder: Path) -> Iterator[RunFolder]:
    """The rounds of a search, or of a league, that were begun."""
    places = (folder, folder / JUDGED, *folder.glob("league*"), *folder.glob(f"league-*/{JUDGED}"))
    for place in places:
        yield from runs_in(place / ROUNDS)


def begun_in(place: Path) -> list[int]:
    """The games of each round that was begun in a folder of rounds, whether they were played or not; for a part, its own."""
    _, part, of = part_of(place)
    begun = [len(run.resolved().get("games", ())) for run in runs_in(place / ROUNDS)]
    return [len(range(part - 1, games, of)) for games in begun]


def games_in(folder: Path) -> int:
    """The games that a search, or a league, has played so far."""
    count = 0
    for run in rounds_in(folder):
        with closing(run.store(read_only=True)) as store:
            count += len(store)
    return count
