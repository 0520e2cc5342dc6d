"""Many looks at one tournament: p-values corrected for how many were taken. Read `holm`.

Of 22 fair scenarios tested at 5% each, one is flagged in two tournaments of three. Holm's correction (1979) keeps the chance of
any false alarm at the level, whatever the tests have in common.
"""

from __future__ import annotations

from collections.abc import Sequence

ALPHA = 0.05
"""The chance of a false alarm in a whole tournament that a verdict allows."""


def holm(p_values: Sequence[float]) -> list[float]:
    """The p-values corrected, in the order given: what is below a level is shown at that level, all looks taken together."""
    order = sorted(range(len(p_values)), key=lambda index: p_values[index])
    adjusted = [0.0] * len(p_values)
    worst = 0.0
    for place, index in enumerate(order):
        worst = max(worst, min(1.0, (len(order) - place) * p_values[index]))
        adjusted[index] = worst
    return adjusted
