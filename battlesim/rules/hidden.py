"""What a side knows of enemies that its view does not show, and of their likely types. Read `Known`."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType

from msgspec import Struct

from battlesim.core.dice import Dice
from battlesim.core.state import Unit
from battlesim.core.view import View

NOBODY: Mapping[int, Unit] = MappingProxyType({})
"""No unit is known of."""
NEVER: Mapping[int, int] = MappingProxyType({})
"""No unit went out of sight."""


class Known(Struct, frozen=True):
    """What a side knows besides its view. Nothing here depends on what is hidden.

    seen: enemies that went out of its sight, as last seen, by number. since: the turn in which that was.
    types: the types on the enemy's list of forces, which is open, sorted; () if the side was not given it.
    apart: by space, how far it is from where the enemy may have set up, in a straight line, in hundredths; () if the side does
    not know.
    """

    seen: Mapping[int, Unit] = NOBODY
    since: Mapping[int, int] = NEVER
    types: tuple[str, ...] = ()
    apart: tuple[int, ...] = ()


NOTHING = Known()
"""The side knows what its view shows, and no more."""


def any_type(kind: str) -> bool:
    """Accept any type."""
    return True


def likely_types(
    view: View, dice: Dice, known: Known = NOTHING, fits: Callable[[str], bool] = any_type
) -> list[str]:
    """Likely types of the unknown enemies, in drawn order: what is left of the enemy's list after removing the known ones. If
    there is no list, or nothing is left: the types of the enemies that the side knows, else of its own. `fits(type)`:
    whether a type may be among them. [] if none fits."""
    enemies = [unit for unit in view.units.values() if unit.side != view.side]
    crossed = [unit.kind for unit in enemies] + [u.kind for n, u in known.seen.items() if n not in view.units]
    left = sorted((Counter(known.types) - Counter(crossed)).elements())
    own = [unit for unit in view.units.values() if unit.side == view.side]
    for kinds in (left, sorted({unit.kind for unit in enemies}), sorted({unit.kind for unit in own})):
        fitting = [kind for kind in kinds if fits(kind)]
        if fitting:
            return [fitting[n] for n in drawn_order(view, dice, "kinds", len(fitting))]
    return []


def drawn_order(view: View, dice: Dice, purpose: str, n: int) -> Sequence[int]:
    """The numbers from 0 to n - 1 in an order drawn by the dice, the same within a turn for one side and `purpose`."""
    return [number for _, number in dice.ranking(view.turn, view.side, purpose, n) if number < n]
