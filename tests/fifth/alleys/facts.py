"""What the story of a battle in the alleys tells. All of it lies open."""

from __future__ import annotations

from battlesim.core.events import Fact


class Acts(Fact, frozen=True):
    """A gang does something: throw, run or hold."""

    unit: int
    order: str


class Threw(Fact, frozen=True):
    """A gang threw at a gang."""

    unit: int
    target: int
    hits: int


class Nerve(Fact, frozen=True):
    """A gang was tested."""

    unit: int
    held: bool


class Left(Fact, frozen=True):
    """A gang got away by the edge that a place lies on."""

    unit: int
    place: int
