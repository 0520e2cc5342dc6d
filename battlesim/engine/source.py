"""Which program this is: its version and the digest of its source files, as every record's header says."""

from __future__ import annotations

from functools import lru_cache
from hashlib import blake2b
from pathlib import Path

from battlesim.core.version import VERSION
from battlesim.engine.record import Code

_PACKAGE = Path(__file__).resolve().parent.parent


@lru_cache(maxsize=1)
def code() -> Code:
    """Version, and digest of every Python and TOML file of the package (rules and their data), read once a process. The
    files count by their names inside the package, and line ends do not."""
    digest = blake2b(digest_size=16)
    files = {
        file.relative_to(_PACKAGE).as_posix(): file
        for pattern in ("*.py", "*.toml")
        for file in _PACKAGE.rglob(pattern)
    }
    for name in sorted(files):
        if not name.startswith("_data/"):
            data = files[name].read_bytes().replace(b"\r\n", b"\n")
            digest.update(b"%s\0%d\0" % (name.encode(), len(data)))
            digest.update(data)
    return Code(VERSION, digest.hexdigest())
