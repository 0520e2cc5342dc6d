"""Whether there is another turn: in a battle's last turn, what would come after it counts for nothing.

>>> another_turn(3, 6), another_turn(6, 6), another_turn(6, 6, one_more=True)
(1.0, 0.0, 0.5)
"""

from __future__ import annotations

ARRIVED = 1
"""The distance within which objectives attract when nothing moves again: ending the last turn near one gains nothing."""


def another_turn(turn: int, turns: int, one_more: bool = False) -> float:
    """The chance that a turn follows this one. `one_more`: after the last turn, another is played half of the time."""
    if turn < turns:
        return 1.0
    return 0.5 if one_more else 0.0
