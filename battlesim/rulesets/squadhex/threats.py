"""What the enemy's fire costs a target, quickly: figures lost, by shooter and distance.

For `appraisal.py`; nothing here decides a rule. Read `Threats`.
"""

from __future__ import annotations

from battlesim.core.memo import memo, memo_table
from battlesim.rulesets.squadhex.estimates import lost_to

Shooter = tuple[str, int]
"""A shooter by its kind and figures. A plain tuple, as it is read for every place."""
Enemy = tuple[Shooter, float]
"""An enemy, prepared for judging many places, and the share of its fire that one unit has to fear."""


class Threats:
    """What fire costs targets that are alike, by all facts of them that decide it: class and figures, whether they are in a
    building, and defence dice."""

    def __init__(self, against: int, models: int, inside: bool, guarded: int) -> None:
        self._against, self._models, self._inside, self._guarded = against, models, inside, guarded

    @memo_table(bound=20_000)
    def lost(self, shooter: Shooter, away: int) -> float:
        """The figures that fire costs on average, by the shooter and its distance."""
        return lost_to(*shooter, self._against, self._inside, away, self._guarded, self._models)


@memo(bound=4_000)
def threats(against: int, models: int, inside: bool, guarded: int) -> Threats:
    """The `Threats` to targets that are alike."""
    return Threats(against, models, inside, guarded)
