"""Correcting p-values for the number of tests. Read `holm`.

If 22 fair scenarios are each tested at 5%, at least one is flagged in two tournaments of three. Holm's correction (1979) keeps
the chance of any false alarm at 5%, even if the tests depend on one another.
"""

from __future__ import annotations

from collections.abc import Sequence

ALPHA = 0.05
"""The chance of any false alarm in a whole tournament."""


def holm(p_values: Sequence[float]) -> list[float]:
    """The corrected p-values, in the order given. One below `ALPHA` is significant with all tests taken into account."""
    order = sorted(range(len(p_values)), key=lambda index: p_values[index])
    adjusted = [0.0] * len(p_values)
    worst = 0.0
    for place, index in enumerate(order):
        worst = max(worst, min(1.0, (len(order) - place) * p_values[index]))
        adjusted[index] = worst
    return adjusted
