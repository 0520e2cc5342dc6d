"""Searches for balance and for upsets in `battlesim runs`. Read `show`."""

from __future__ import annotations

from pathlib import Path
from shlex import quote

from battlesim.cli.common import print_json


def found_named(name: str, folder: Path) -> Path | None:
    """The search for balance or for an upset with that path, or that name inside `folder`; None if it is something else."""
    from battlesim.stress.search_folder import kind_of

    path = Path(name) if Path(name).exists() else folder / name
    return path if kind_of(path) else None


def show(folder: Path, as_json: bool) -> int:
    """Print the results of a search as its command did, or its progress."""
    from battlesim.stress.search_folder import BALANCE, TOLD, UPSET, read_found, read_search

    search = read_search(folder)
    if search.state != "finished":
        if as_json:
            print_json({"kind": search.kind, "state": search.state, "games": search.games})
            return 0
        now = "it is played now" if search.state == "playing" else "it was stopped before its end"
        print(f"A search for balance: {search.games:,} games; {now}")
        if search.state == "interrupted":
            print(f"Go on with: battlesim balance --resume {quote(str(folder))}")
        return 0
    file = folder / (UPSET if search.kind == "upset" else BALANCE)
    if as_json:
        print_json(read_found(file, ()))
        return 0
    # A search of an older version has no text.
    if (folder / TOLD).is_file():
        print((folder / TOLD).read_text(encoding="utf-8"))
    print(f"every figure: {file}")
    return 0
