"""The file of a record: its bytes, compressed with gzip where its name ends in `.gz`. Read `read_bytes`."""

from __future__ import annotations

import gzip
import zlib
from pathlib import Path
from typing import Any

from battlesim.core.errors import Fault, InputError
from battlesim.core.files import check_replaced, write_file
from battlesim.core.kinds import kind_of

MAX_BYTES = 64 * 1024 * 1024
"""No record is larger than this, uncompressed: some thirty times a battle of a hundred units a side."""
_PIECE = 1 << 20
"""Bytes that are read or unpacked at a time."""
_FIRST = b'{"record":"battlesim"'
"""How each record begins."""
_SAVED = b'{"saved":'
"""How the last line of a saved game begins."""
_PACKED = b"\x1f\x8b"
"""How each file of gzip begins."""
REMEDY = "write it again with 'battlesim play SCENARIO --record FILE'"


def page_beside(record: str) -> str:
    """The name of the page to watch a record on, where none is given: that of `records/7.jsonl.gz` is `records/7.html`."""
    return f"{record.removesuffix('.gz').removesuffix('.jsonl')}.html"


def write_bytes(path: str | Path, data: bytes) -> None:
    """Write a record's bytes, compressed where the name ends in `.gz`. Raises InputError if they cannot be written."""
    write_file(path, gzip.compress(data, 6, mtime=0) if Path(path).suffix == ".gz" else data)


def read_bytes(path: str | Path, what: str = "record", remedy: str = REMEDY) -> bytes:
    """The uncompressed bytes of a record, or of another kind of file (`what`), with a `remedy` if it is cut. They are read piece
    by piece, so that a file larger than any record is refused early.

    Raises InputError if the file is missing, not readable, too large or damaged.
    """
    name = str(path)
    found = bytearray()
    unpacker = zlib.decompressobj(wbits=31) if name.endswith(".gz") else None
    whole = True
    if fault := kind_of(path, "record"):
        raise InputError(fault)
    try:
        with open(path, "rb") as file:
            while piece := file.read(_PIECE):
                if unpacker is None:
                    found += piece
                elif not _unpack(unpacker, piece, found):
                    whole = False
                    break
                if len(found) > MAX_BYTES:
                    large = f"the {what} is larger than {MAX_BYTES:,} bytes"
                    raise InputError(Fault(large, "no battle is so long", name))
    except FileNotFoundError:
        raise InputError(Fault(f"there is no such {what}", "name an existing file", name)) from None
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
        raise InputError(
            Fault(f"the {what} cannot be read: {reason}", "name a readable file", name)
        ) from None
    if unpacker is None and found.startswith(_PACKED):
        told = f"the {what} is compressed, which its name does not say"
        raise InputError(Fault(told, f"name it {name}.gz", name, 1))
    if unpacker is not None and not (whole and unpacker.eof):
        if found == b"" and _begins_a_record(path):
            told = f"the {what} is not compressed, though its name says so"
            raise InputError(Fault(told, f"name it {name.removesuffix('.gz')}", name, 1))
        raise InputError(
            Fault(f"the compressed {what} is cut or damaged", remedy, name, found.count(b"\n") + 1)
        )
    return bytes(found)


def check_target(path: str | Path) -> None:
    """Raises InputError if a record cannot be written there, or would replace another kind of file. Writes nothing."""
    check_replaced(path, "the record", "a record", is_record)  # a record can be made again from its seed


def check_saved_target(path: str | Path) -> None:
    """`check_target`, of a saved game."""
    check_replaced(path, "the saved game", "a saved game", is_saved)


def is_record(path: str | Path) -> bool:
    """Whether a file is a record, compressed or not, whole or cut, by how it begins and ends. A saved game only begins like
    one."""
    return _is_last_saved(path) is False


def is_saved(path: str | Path) -> bool:
    """Whether a file is a saved game, compressed or not, by how it begins and ends."""
    return _is_last_saved(path) is True


def _is_last_saved(path: str | Path) -> bool | None:
    """Whether the last line of a file that begins as a record does is that of a saved game; None if it begins otherwise."""
    try:
        if Path(path).stat().st_size > MAX_BYTES:
            return None
        data = bytearray(Path(path).read_bytes())
    except OSError:
        return None
    if data.startswith(_PACKED):
        packed, data = bytes(data), bytearray()
        _unpack(zlib.decompressobj(wbits=31), packed, data)
    last = data.rfind(b"\n", 0, -1) + 1
    return data.startswith(_SAVED, last) if data.startswith(_FIRST) else None


def _begins_a_record(path: str | Path) -> bool:
    """Whether a file begins as records do, as text."""
    with open(path, "rb") as file:
        return file.read(1) == b"{"


def _unpack(unpacker: Any, packed: bytes, found: bytearray) -> bool:
    """Uncompress a piece of a file into `found`, up to little more than MAX_BYTES. False if the file is damaged."""
    while packed and len(found) <= MAX_BYTES:
        if unpacker.eof:
            return False  # more bytes follow the end of the compressed data
        try:
            found += unpacker.decompress(packed, _PIECE)
        except zlib.error:
            return False
        packed = unpacker.unconsumed_tail or unpacker.unused_data
    return True
