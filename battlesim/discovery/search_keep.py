"""A search kept on disk between generations, so that it can continue within seconds, however long it was. Read `Keeper`.

The file holds the archive, not the games: these are rows in the rounds' folders. Games played after it was written are read from
there. It is plain data with a digest, and says what it belongs to.
"""

from __future__ import annotations

import time
from hashlib import blake2b
from pathlib import Path

import msgspec
from msgspec import Struct

from battlesim.core.errors import Fault, InputError
from battlesim.core.files import write_file
from battlesim.discovery.search import Saved

FILE = "search.bin"
FORMAT = 2
"""Of the file: since version 2, a way of fighting has a plan besides its values."""
SHARE = 0.01
"""Share of the time that may be spent on writing."""
_SIZE = 16
"""Bytes of the hash before what is kept, by which damage is noticed."""


class _Kept(Struct, frozen=True):
    format: int
    identity: str
    rounds: int
    saved: Saved


class Keeper:
    """Keeps a search in a folder. `identity`: of everything that its games depend on; a file of another search is refused."""

    def __init__(self, folder: Path, identity: str) -> None:
        self._file = folder / FILE
        self._identity = identity
        self._due = 0.0
        self.rounds = 0
        """Rounds of games that the loaded search had been through."""

    def load(self) -> Saved | None:
        """The search as it was kept, None if it was not kept yet. Raises InputError if the file is damaged or of another
        search."""
        try:
            data = self._file.read_bytes()
        except FileNotFoundError:
            return None
        except OSError as error:
            what = f"the search cannot be read: {error.strerror or error}"
            raise InputError(Fault(what, "make it readable", str(self._file))) from None
        if blake2b(data[_SIZE:], digest_size=_SIZE).digest() != data[:_SIZE]:
            remedy = "delete this file: the search is then made again from its games"
            raise InputError(Fault("the file of the search is damaged", remedy, str(self._file)))
        kept = _decoded(data[_SIZE:])
        if kept is None or kept.identity != self._identity or kept.format != FORMAT:
            what = "this file is not of this search: it was kept with other settings, or by another program"
            remedy = "put back what has changed, or begin a new search: give another --out"
            raise InputError(Fault(what, remedy, str(self._file)))
        self.rounds = kept.rounds
        return kept.saved

    def keep(self, saved: Saved, rounds: int = 0, always: bool = False) -> None:
        """Write the search, if that is due."""
        begun = time.monotonic()
        if begun < self._due and not always:
            return
        data = msgspec.msgpack.encode(_Kept(FORMAT, self._identity, rounds, saved))
        write_file(self._file, blake2b(data, digest_size=_SIZE).digest() + data, "the search")
        now = time.monotonic()
        self._due = now + (now - begun) / SHARE


def _decoded(data: bytes) -> _Kept | None:
    """What was kept; None if another version wrote it, which may use another format."""
    try:
        return msgspec.msgpack.decode(data, type=_Kept)
    except msgspec.DecodeError:
        return None
