"""Puts the package of this folder where Python finds installed packages, as an installer would. Read `installed`."""

from __future__ import annotations

import atexit
import shutil
import sys
import tempfile
import tomllib
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path

from battlesim.rulesets import finder

PROJECT = Path(__file__).parent


def install(folder: Path) -> None:
    """Copy the package into a folder, and beside it what says which entry points it has."""
    project = tomllib.loads((PROJECT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    shutil.copytree(PROJECT / "alleys", folder / "alleys", ignore=shutil.ignore_patterns("__pycache__"))
    points = project["entry-points"]["battlesim.rulesets"]
    offer(folder, project["name"], project["version"], points)


def offer(folder: Path, package: str, version: str, points: dict[str, str]) -> None:
    """Say in a folder of the path that a package is installed there and has these rulesets."""
    info = folder / f"{package.replace('-', '_')}-{version}.dist-info"
    info.mkdir()
    (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {package}\nVersion: {version}\n")
    lines = [f"{name} = {value}\n" for name, value in points.items()]
    (info / "entry_points.txt").write_text("[battlesim.rulesets]\n" + "".join(lines))


@cache
def site() -> Path:
    """A folder that holds the installed package, for this process."""
    folder = Path(tempfile.mkdtemp(prefix="battlesim-fifth-"))
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    install(folder)
    return folder


@contextmanager
def installed() -> Iterator[Path]:
    """The package among the installed ones of this process, for as long as it lasts; gives the folder it is in."""
    folder = site()
    sys.path.append(str(folder))
    try:
        yield folder
    finally:
        sys.path.remove(str(folder))
        finder._FOUND.pop("alleys", None)
