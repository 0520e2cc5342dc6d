"""Whether dice are fair: every face comes as often as any other. Read `unfair_dice`.

Faces are drawn as battles draw them, a few under each of many keys, and compared with exact odds by Pearson's chi-squared test.
"""

from __future__ import annotations

import numpy as np
from scipy import stats

from battlesim.core.dice import Dice

SIDES = (3, 6, 10, 12, 20, 100)
"""Dice that rulebooks use, and some whose number of faces does not divide 256."""
FACES = 1_000_000
"""Faces of each die. If four faces of six have a chance of 43/256 and two 42/256, 999 samples of 1,000 show it."""
LEVEL = 1e-6
"""Fair dice fail with this chance, over all kinds of dice together."""
AT_ONCE = 60
"""Dice in one roll."""


def unfair_dice(dice: Dice, faces: int = FACES) -> str:
    """What is wrong with dice, in words; "" if nothing is found."""
    keys = faces // AT_ONCE
    for sides in SIDES:
        counts = np.zeros(sides + 1, dtype=np.int64)
        for number in range(keys):
            shown = dice.faces((number, sides, "fairness", -1, 0), AT_ONCE, sides)
            counts += np.bincount(shown, minlength=sides + 1)[: sides + 1]
        p = float(stats.chisquare(counts[1:]).pvalue) if counts[1:].all() else 0.0
        if p < LEVEL / len(SIDES):
            often = int(counts[1:].argmax()) + 1
            seldom = int(counts[1:].argmin()) + 1
            return (
                f"of {counts.sum():,} dice of {sides} sides {counts[often]:,} showed {often} and {counts[seldom]:,} "
                f"{seldom} (p {p:.1g})"
            )
    return ""
