"""Entry points: agents and rulebooks that other installed packages offer. Read `offers`."""

from __future__ import annotations

from importlib.util import find_spec
from pathlib import Path

from msgspec import Struct

AGENTS, RULESETS = "battlesim.agents", "battlesim.rulesets"
"""The groups of entry points that battlesim reads."""


class Offer(Struct, frozen=True):
    """One entry point: its name, its value (`module:attribute`), and the installed package that declares it."""

    name: str
    value: str
    package: str

    @property
    def module(self) -> str:
        """The module in its value, before the colon."""
        return self.value.partition(":")[0].strip()

    @property
    def attribute(self) -> str:
        """The name in the module, after the colon; extras in brackets are left out."""
        return self.value.partition(":")[2].partition("[")[0].strip()


def offers(group: str) -> dict[str, tuple[Offer, ...]]:
    """The entry points of a group by name, sorted; several where packages use the same name. Takes some milliseconds."""
    from importlib import metadata

    found: dict[str, dict[str, Offer]] = {}
    for point in metadata.entry_points(group=group):
        package = f"{point.dist.name} {point.dist.version}" if point.dist is not None else "unknown"
        # A package that is found twice on the path is one package.
        found.setdefault(point.name, {}).setdefault(package, Offer(point.name, point.value, package))
    return {name: tuple(by_package.values()) for name, by_package in sorted(found.items())}


def folder_of(offer: Offer) -> Path | None:
    """The folder of the module that an entry point names; None if there is none. The module itself is not imported, but the
    packages above it are."""
    try:
        spec = find_spec(offer.module)
    except BaseException as error:  # a package may raise anything, SystemExit too
        if isinstance(error, KeyboardInterrupt):
            raise
        return None
    return Path(spec.origin).parent if spec is not None and spec.origin is not None else None
