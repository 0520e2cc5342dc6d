"""Activation policies as data: whose unit is next (bag, alternate, sides).

Each is a pure function of a small frozen record, so that a ruleset can keep it in its extra and a fork draws alike.
`Bag` is the one the order dice use: dice of both sides in a bag, drawn by keyed rank of each die.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from msgspec import Struct
from msgspec.structs import replace

from battlesim.core.errors import RuleError


class Bag(Struct, frozen=True):
    """Dice left in the bag: for each side the numbers of its dice, ascending. Dice of a side are alike to the players,
    their numbers only key the draw.
    """

    dice: tuple[tuple[int, ...], tuple[int, ...]] = ((), ())

    @property
    def size(self) -> int:
        return len(self.dice[0]) + len(self.dice[1])

    def first(self, lots: Callable[[int, int], Sequence[tuple[int, int]]]) -> tuple[int, int]:
        """The die drawn next, as (side, number): the one of lowest rank. `lots(side, n)` ranks a side's numbers below n, as
        (rank, number), lowest first. The bag is not empty."""
        best: tuple[int, int, int] | None = None
        for side, numbers in enumerate(self.dice):
            if not numbers:
                continue
            left = numbers if len(numbers) < 20 else frozenset(numbers)
            for rank, number in lots(side, numbers[-1] + 1):
                if number in left:
                    if best is None or rank < best[0]:
                        best = (rank, side, number)
                    break
        if best is None:
            raise RuleError("a die is drawn from an empty bag")
        return best[1], best[2]

    def spare(self, side: int) -> tuple[int, ...]:
        """The die that goes where one of a side is spent by a reaction or lost with its unit, () where none is left: the highest
        number, a choice that no rank has a hand in, so that the order of the others stays as it was."""
        return self.dice[side][-1:]


class Alternate(Struct, frozen=True):
    """Sides take turns of `actions` activations each; a side with nothing left is passed over."""

    side: int
    actions: int = 1
    done: int = 0

    def next(self, able: tuple[int, int]) -> Alternate | None:
        """Whose activation is next, given how many units of each side are able; None where none is."""
        if able == (0, 0):
            return None
        if self.done < self.actions and able[self.side]:
            return self
        other = 1 - self.side
        return Alternate(other if able[other] else self.side, self.actions, 0)

    def acted(self) -> Alternate:
        """After one activation."""
        return replace(self, done=self.done + 1)


class PhaseOrder(Struct, frozen=True):
    """One side acts with all its units, phase by phase, then the other."""

    side: int
    phase: int = 0

    def next(self, phases: int) -> PhaseOrder:
        """The next phase, or the other side's first."""
        if self.phase + 1 < phases:
            return replace(self, phase=self.phase + 1)
        return PhaseOrder(1 - self.side, 0)
