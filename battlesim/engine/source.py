"""Versions of the program and of rulesets, with digests of their source files, for the headers of records."""

from __future__ import annotations

from functools import lru_cache
from hashlib import blake2b
from pathlib import Path

from battlesim.core.version import VERSION
from battlesim.engine.header import Code, Version
from battlesim.rulesets.finder import find_ruleset

_PACKAGE = Path(__file__).resolve().parent.parent


@lru_cache(maxsize=1)
def code() -> Code:
    """The program's version, and the digest of every Python and TOML file of the package, read once a process."""
    return Code(VERSION, _digest(_PACKAGE))


@lru_cache
def ruleset_code(name: str) -> Version:
    """The version of a ruleset. The files of one that ships are in the program's digest; one of another package has its own."""
    ruleset = find_ruleset(name)
    shipped = ruleset.folder.resolve().is_relative_to(_PACKAGE)
    return Version(ruleset.name, ruleset.version, "" if shipped else _digest(ruleset.folder))


def _digest(folder: Path) -> str:
    """Digest of the Python and TOML files below a folder, by their names inside it; kinds of line ends do not count."""
    digest = blake2b(digest_size=16)
    files = {
        file.relative_to(folder).as_posix(): file
        for pattern in ("*.py", "*.toml")
        for file in folder.rglob(pattern)
    }
    for name in sorted(files):
        if not name.startswith("_data/"):
            data = files[name].read_bytes().replace(b"\r\n", b"\n")
            digest.update(b"%s\0%d\0" % (name.encode(), len(data)))
            digest.update(data)
    return digest.hexdigest()
