"""A game left unfinished, to be resumed: its header, and the answers given so far.

The file is the beginning of a record without its events: the header, one line for each answer, and a last line with what the
agents remember and a digest of that and of every byte before it. Resuming gives the answers to the rules again, so the game ends
in the same record as one that was never left. Read `SavedGame`.
"""

from __future__ import annotations

from collections.abc import Sequence
from hashlib import blake2b
from pathlib import Path
from typing import Any

import msgspec
from msgspec import Struct

from battlesim.core.errors import Fault, InputError
from battlesim.core.events import Answered
from battlesim.engine.header import Header
from battlesim.engine.record import encode, read_header
from battlesim.engine.record_file import read_bytes, write_bytes

REMEDY = "name a file that `battlesim play` wrote when a player left"


class SavedGame(Struct, frozen=True):
    """A game left at a question. `answers`: those given, of both sides, in order. `memories`: what each agent's `save` returned,
    None for one without. `path` is for messages."""

    header: Header
    answers: tuple[Answered, ...]
    memories: tuple[bytes | None, bytes | None] = (None, None)
    path: str = ""

    def save(self, path: str | Path) -> None:
        """Write it, compressed where the name ends in `.gz`. Raises InputError if it cannot be written."""
        lines = [encode(self.header), *(encode(answer) for answer in self.answers)]
        body = b"".join(line + b"\n" for line in lines)
        last = encode(_LastLine(_Saved(self.memories, _digest(body, self.memories))))
        write_bytes(path, body + last + b"\n")


class Leave(KeyboardInterrupt):
    """Raised by an agent that leaves the game: a person who stops for today. `play` raises it again with the game, to be saved.

    It is not an Exception, so that a referee does not treat it as an agent's fault. `forgotten`: as the referee has it.
    """

    def __init__(self, game: SavedGame | None = None, forgotten: Sequence[str] = ("", "")) -> None:
        super().__init__()
        self.game = game
        self.forgotten = tuple(forgotten)


class _Saved(Struct, frozen=True, forbid_unknown_fields=True):
    memories: tuple[bytes | None, bytes | None]
    digest: str


class _LastLine(Struct, frozen=True, forbid_unknown_fields=True):
    saved: _Saved


def read_saved(path: str | Path) -> SavedGame:
    """Read a game that was left. Raises InputError, with file and line, if the file is missing, something else, cut or
    altered."""
    name = str(path)
    data = read_bytes(path, "saved game", REMEDY)
    lines = data.split(b"\n")

    def fault(what: str, line: int) -> InputError:
        return InputError(Fault(what, REMEDY, name, line))

    header = read_header(lines[0], name, "saved game", REMEDY)
    if len(lines) < 3 or lines.pop():
        raise fault("the saved game is cut", len(lines))
    try:
        saved = msgspec.json.decode(lines[-1], type=_LastLine).saved
    except msgspec.DecodeError:
        raise fault("not a saved game: its last line does not say so", len(lines)) from None
    body = data[: len(data) - len(lines[-1]) - 1]
    # Once the digest did not cover the memories; such games can still be resumed.
    if saved.digest not in (_digest(body, saved.memories), _digest(body)):
        raise fault(
            "the saved game was altered: its bytes have another digest than its last line says", len(lines)
        )
    answers: list[Answered] = []
    for number, line in enumerate(lines[1:-1], 2):
        try:
            answers.append(_answers.decode(line))
        except msgspec.DecodeError as error:
            raise fault(f"not an answer: {error}", number) from None
    return SavedGame(header, tuple(answers), saved.memories, name)


_answers: msgspec.json.Decoder[Any] = msgspec.json.Decoder(Answered)


def _digest(body: bytes, memories: tuple[bytes | None, bytes | None] = (None, None)) -> str:
    """The digest of the lines before the last one, and of what the agents remember, if any does."""
    remembered = b"" if memories == (None, None) else encode(memories)
    return blake2b(body + remembered, digest_size=16).hexdigest()
