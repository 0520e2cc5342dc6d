"""Packages that come with an extra: which extra it is, and what is said where one is missing. Read `check_extra`."""

from __future__ import annotations

from importlib.util import find_spec

from battlesim.core.errors import Fault, InputError

EXTRAS: dict[str, tuple[str, ...]] = {
    "tournament": ("numpy", "scipy", "jinja2", "pebble"),
    "stress": ("numpy", "scipy", "sklearn", "SALib", "pydoe", "jinja2", "pebble"),
    "cluster": ("distributed", "dask"),
    "discovery": ("ribs",),
    "export": ("pyarrow",),
    "fuzz": ("hypothesis",),
    "geo": ("osmium", "shapely"),
    "pictures": ("resvg_py",),
}
"""The packages of each extra, as they are imported. A package of several extras belongs to the first of them."""


def check_extra(extra: str, named: str = "") -> None:
    """Raise InputError if a package of an extra is missing. A command calls this first, so that packages which only its end needs
    are reported before anything is played. `named`: a larger extra that holds this one, to be named in its place."""
    for package in EXTRAS[extra]:
        if not _is_there(package):
            raise _missing(package, named or extra)


def told_missing(error: ImportError) -> InputError | None:
    """The error to report for an import that failed because a package of an extra is missing; None if it failed otherwise."""
    package = (error.name or "").partition(".")[0]
    for extra, packages in EXTRAS.items():
        if package in packages and not _is_there(package):
            return _missing(package, extra)
    return None


def _is_there(package: str) -> bool:
    try:
        return find_spec(package) is not None
    except ValueError:  # it is imported, and has no spec
        return True


def _missing(package: str, extra: str) -> InputError:
    remedy = f"pip install 'battlesim-arena[{extra}]' (in a checkout: -e '.[{extra}]')"
    return InputError(Fault(f"the package {package!r} is missing", remedy))
