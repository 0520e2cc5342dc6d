"""Orders of activation: which side acts next.

Each is a small frozen record that a ruleset keeps in the state's `extra`. `Bag`: dice of both sides are drawn from a bag.
`Alternate`: the sides take turns. `PhaseOrder`: one side acts with all its units, then the other.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from msgspec import Struct
from msgspec.structs import replace

from battlesim.core.errors import RuleError


class Bag(Struct, frozen=True):
    """The dice in the bag: for each side the numbers of its dice, ascending. Dice of one side are alike; the numbers only decide
    the draw.

    >>> Bag(((0, 1), (0,))).spare(side=0)
    (1,)
    """

    dice: tuple[tuple[int, ...], tuple[int, ...]] = ((), ())

    @property
    def size(self) -> int:
        """How many dice of both sides are in it."""
        return len(self.dice[0]) + len(self.dice[1])

    def first(self, lots: Callable[[int, int], Sequence[tuple[int, int]]]) -> tuple[int, int]:
        """The die that is drawn next, as (side, number): the one with the lowest rank. `lots(side, n)` gives the ranks of a
        side's numbers below n, as (rank, number), lowest first. Raises RuleError if the bag is empty."""
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
        """The die that leaves the bag when a side spends one for a reaction or loses one with its unit: the highest number, so
        that the draw order of the others is unchanged. () if none is left."""
        return self.dice[side][-1:]


class Alternate(Struct, frozen=True):
    """The sides, 0 and 1, take turns of `actions` activations each; a side with nothing left is skipped. It is `side`'s turn, and
    it has done `done` of them.

    >>> turn = Alternate(side=0, actions=2).acted()
    >>> turn.next(able=(3, 2)).side, turn.acted().next(able=(3, 2)).side
    (0, 1)
    """

    side: int
    actions: int = 1
    done: int = 0

    def next(self, able: tuple[int, int]) -> Alternate | None:
        """The record in which `side` is the one to act next. `able`: how many units of each side can still act. None if none
        can."""
        if able == (0, 0):
            return None
        if self.done < self.actions and able[self.side]:
            return self
        other = 1 - self.side
        return Alternate(other if able[other] else self.side, self.actions, 0)

    def acted(self) -> Alternate:
        """The record after one activation of `side`."""
        return replace(self, done=self.done + 1)


class PhaseOrder(Struct, frozen=True):
    """One side acts with all its units, phase by phase, then the other. Phases count from 0."""

    side: int
    phase: int = 0

    def next(self, phases: int) -> PhaseOrder:
        """The next phase of the side, or the other side's first after the last of `phases`."""
        if self.phase + 1 < phases:
            return replace(self, phase=self.phase + 1)
        return PhaseOrder(1 - self.side, 0)
