"""Temporary folders of executors. A killed process cannot remove its own; the next executor does. Read `scratch_folder`."""

from __future__ import annotations

import os
import shutil
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from battlesim.core.errors import Fault, InputError
from battlesim.jobs.folder import LOCK, hold, is_held

PREFIX = "battlesim-"
"""How the names of scratch folders begin."""
OLD_SECONDS = 60.0
"""A folder that changed less than this many seconds ago may be one that is just being made and not yet locked."""


@contextmanager
def scratch_folder() -> Iterator[Path]:
    """A temporary folder, locked while it is used. First the folders that killed processes have left are removed. Raises
    InputError if none can be made."""
    try:
        remove_left(Path(tempfile.gettempdir()))
        made = tempfile.TemporaryDirectory(prefix=PREFIX)
    except OSError as error:
        what = f"no temporary folder can be made: {error.strerror or error}"
        raise InputError(Fault(what, "make room, or set TMPDIR to a folder that can be written to")) from None
    with made as name, hold(Path(name)):
        yield Path(name)


def remove_left(parent: Path) -> None:
    """Remove this user's scratch folders in `parent` that no living process holds."""
    for folder in parent.glob(f"{PREFIX}*"):
        with suppress(OSError):
            found = folder.lstat()
            mine = not hasattr(os, "getuid") or found.st_uid == os.getuid()
            old = time.time() - found.st_mtime > OLD_SECONDS
            if mine and old and (folder / LOCK).is_file() and not is_held(folder):
                shutil.rmtree(folder, ignore_errors=True)
