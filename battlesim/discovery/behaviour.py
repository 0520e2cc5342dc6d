"""How a side fights, in numbers from 0 to 1, from the events of its games. Read `AXES`.

Two to four of them are the axes of an archive. Each axis is cut into equal bins.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import NamedTuple

from battlesim.batch.side_measures import SideMeasures
from battlesim.rules.tactical import ORDERS

BINS = 6
"""Bins of each axis."""
Behaviour = tuple[float, ...]
"""The numbers of some axes, in their order."""
Cell = tuple[int, ...]
"""The bin on each axis, in their order."""


class Axis(NamedTuple):
    """A measure of behaviour: its meaning, how it is computed from what a side did, and the value that counts as 1."""

    meaning: str
    of: Callable[[SideMeasures], float]
    most: float = 1.0


def _share(part: int, whole: int) -> float:
    return part / whole if whole else 0.0


def _ordered(name: str, did: SideMeasures) -> float:
    return _share(did.orders.get(name, 0), sum(did.orders.values()))


AXES: dict[str, Axis] = {
    "movement": Axis(
        "share of its unit-turns in which a unit moved", lambda m: _share(m.moved, m.unit_turns)
    ),
    "inside": Axis("share of its unit-turns inside buildings", lambda m: _share(m.inside, m.unit_turns)),
    "height": Axis("share of its unit-turns above the ground floor", lambda m: _share(m.above, m.unit_turns)),
    "fire": Axis("shots of a unit in a turn", lambda m: _share(m.shots, m.unit_turns)),
    "walls": Axis("share of its shots at buildings and those inside", lambda m: _share(m.shots_at, m.shots)),
    "assault": Axis(
        "share of assaults among its assaults and shots (0.5 or more is one bin)",
        lambda m: _share(m.assaults, m.assaults + m.shots),
        0.5,
    ),
    "demolition": Axis(
        "share of its shots at buildings themselves (0.5 or more is one bin)",
        lambda m: _share(m.shots_walls, m.shots),
        0.5,
    ),
    "wait": Axis("orders to wait for an enemy, of a unit in a turn", lambda m: _share(m.waits, m.unit_turns)),
    "tempo": Axis(
        "share of its shots and assaults in the first half of the turns",
        lambda m: _share(m.early, m.shots + m.assaults),
    ),
    "spread": Axis(
        "how far its units are from the middle of their side, as a share of the map's diagonal (0.3 or more is one bin)",
        lambda m: _share(m.spread, 1_000 * m.unit_turns),
        0.3,
    ),
    "distance": Axis(
        "how far its units are from the nearest enemy, as a share of the map's diagonal (0.6 or more is one bin)",
        lambda m: _share(m.gap, 1_000 * m.unit_turns),
        0.6,
    ),
    "floors": Axis(
        "floors of buildings that it stood on at the end of a turn, each once (12 or more are one bin)",
        lambda m: float(m.floors),
        12.0,
    ),
    "reserve": Axis(
        "share of its living units that have not come on, over the turns",
        lambda m: _share(m.reserve, m.reserve + m.unit_turns),
    ),
    "breach": Axis("walls it breached in a game (3 or more are one bin)", lambda m: float(m.breaches), 3.0),
    **{
        f"order-{name}": Axis(f"share of its orders by which a unit {words}", partial(_ordered, name))
        for name, words in ORDERS.items()
    },
}


def behaviour_of(names: Sequence[str], did: SideMeasures) -> Behaviour:
    """The behaviour of a side on some axes, each from 0 to 1."""
    return tuple(min(AXES[name].of(did) / AXES[name].most, 1.0) for name in names)


def cell_of(behaviour: Behaviour, bins: int = BINS) -> Cell:
    """The cell of a behaviour.

    >>> cell_of((0.0, 0.5, 1.0), 6)
    (0, 3, 5)
    """
    return tuple(min(int(at * bins), bins - 1) for at in behaviour)
