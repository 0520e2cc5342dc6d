"""Writing files: every file that a user asks for is written here. Read `write_file`.

A plain file is replaced in one step by a draft written beside it, so it is there whole or not at all. Into a device or a pipe the
bytes are written. A link stays; the file that it leads to is replaced.
"""

from __future__ import annotations

import errno
import os
import shutil
import stat
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from itertools import count
from pathlib import Path

from battlesim.core.errors import Fault, InputError
from battlesim.core.kinds import kind_of

_FULL = (errno.ENOSPC, getattr(errno, "EDQUOT", errno.ENOSPC))
_REMEDY = "name a file in a folder that exists and can be written to"
_drafts = count()
"""Numbers the drafts of this process: threads may write files at once whose names begin alike."""


def write_file(path: str | Path, data: bytes, what: str = "it") -> None:
    """Write bytes, whole or not at all. `what` names them in the error message. Raises InputError if they cannot be
    written."""
    with drafted(path, what) as draft:
        draft.write_bytes(data)


@contextmanager
def drafted(path: str | Path, what: str = "it") -> Iterator[Path]:
    """A draft to write to, for code that writes a file itself. When the block ends, the draft replaces `path`. Where the block
    raises, the draft is removed and `path` stays as it was. Raises InputError as `write_file` does."""
    _check_name(path, what)
    try:
        if is_stream(path):
            with tempfile.TemporaryDirectory() as folder:
                draft = Path(folder, "draft")
                yield draft
                _pour(draft, Path(path))
            return
        target = Path(os.path.realpath(path))
        draft = target.with_name(f".{target.name[:40]}.{os.getpid()}-{next(_drafts)}.tmp")
        try:
            yield draft
            with suppress(FileNotFoundError):
                draft.chmod(stat.S_IMODE(target.stat().st_mode))  # who may read it does not change
            os.replace(draft, target)
        finally:
            with suppress(OSError):
                draft.unlink()
    except OSError as error:
        raise _refused(path, what, error) from None


def check_place(path: str | Path, what: str = "it") -> None:
    """Raises InputError, as `write_file` would, where it can be told beforehand that a file cannot be written: for work that
    takes long, and must not be lost at its end. Writes nothing."""
    _check_name(path, what)
    if is_stream(path):
        return
    try:
        target = Path(os.path.realpath(path))
        with suppress(FileNotFoundError):
            if stat.S_ISDIR(os.stat(target).st_mode):
                raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR))
        with tempfile.TemporaryFile(dir=target.parent):
            pass
    except OSError as error:
        raise _refused(path, what, error) from None


def check_replaced(path: str | Path, what: str, kind: str, is_ours: Callable[[Path], bool]) -> None:
    """`check_place`, for a file that a user names. Raises InputError if another kind of file is there, which may be the only copy
    of what it holds. `kind`: what may be replaced, in words; `is_ours`: whether a file is that. An empty file holds nothing."""
    check_place(path, what)
    file = Path(path)
    if not file.is_file() or is_stream(file) or not file.stat().st_size or is_ours(file):
        return
    found = kind_of(file)
    said = f"; {found.what}" if found is not None else ""
    told = f"{what} would replace a file that is not {kind}{said}"
    raise InputError(Fault(told, "give it a name of its own, or remove that file first", str(path)))


def _check_name(path: str | Path, what: str) -> None:
    if "\0" in str(path):
        raise InputError(Fault(f"{what} cannot be written: the name {str(path)!r} has a NUL in it", _REMEDY))


def _refused(path: str | Path, what: str, error: OSError) -> InputError:
    """The message for a file that cannot be written."""
    remedy = "make room" if error.errno in _FULL else _REMEDY
    return InputError(Fault(f"{what} cannot be written: {error.strerror or error}", remedy, str(path)))


def is_same_file(one: str | Path, other: str | Path) -> bool:
    """Whether both paths lead to the same existing plain file."""
    try:
        return os.path.samefile(one, other) and not is_stream(one)
    except (OSError, ValueError):
        return False


def is_stream(path: str | Path) -> bool:
    """Whether a path leads to something that is written into, never replaced: a device, a pipe, or this process's own output."""
    try:
        found = os.stat(path)
    except (OSError, ValueError):
        return False
    return not (stat.S_ISREG(found.st_mode) or stat.S_ISDIR(found.st_mode)) or _printed(found) is not None


def is_standard_output(path: str | Path) -> bool:
    """Whether a path leads to this process's standard output, as `/dev/stdout` does."""
    try:
        return _printed(os.stat(path)) == 1
    except (OSError, ValueError):
        return False


def _printed(found: os.stat_result) -> int | None:
    """The file descriptor, 1 or 2, by which this process prints to a file, None if it does not. Standard output can be a plain
    file that the shell has opened."""
    for number in (1, 2):
        with suppress(OSError):
            if os.path.samestat(os.fstat(number), found):
                return number
    return None


def _pour(draft: Path, target: Path) -> None:
    number = _printed(target.stat())
    # Output that was redirected to a file continues behind what was printed before; opened anew it would be overwritten.
    if number is not None:
        (sys.stdout if number == 1 else sys.stderr).flush()
    with draft.open("rb") as source, open(target if number is None else os.dup(number), "wb") as stream:
        shutil.copyfileobj(source, stream)
