"""Whether there is a later: in a battle's last turn, what would come after it counts for nothing.

>>> another_turn(3, 6), another_turn(6, 6), another_turn(6, 6, one_more=True)
(1.0, 0.0, 0.5)
"""

from __future__ import annotations

ARRIVED = 1
"""How far objectives draw where nobody moves again: who ends the last turn near one has gained nothing by that."""


def another_turn(turn: int, turns: int, one_more: bool = False) -> float:
    """The chance that a turn follows this one. `one_more`: after the last, one more is played as often as not."""
    if turn < turns:
        return 1.0
    return 0.5 if one_more else 0.0
