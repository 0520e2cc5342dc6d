"""Distributions against an independent dice library, and laws that any distribution keeps."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from icepool import d

from battlesim.evaluation.distributions import (
    any_of,
    at_least,
    binomial,
    capped,
    convolve,
    dice,
    face_at_least,
    mean,
    thin,
    two_dice_at_most,
)

chances = st.floats(0.0, 1.0)


def shares(die: object, cap: int) -> list[float]:
    """A die of the library as chances of 0 to `cap`, everything above it in the last."""
    found = [0.0] * (cap + 1)
    for value, ways in die.items():  # type: ignore[attr-defined]
        found[min(value, cap)] += ways / die.denominator()  # type: ignore[attr-defined]
    return found


@pytest.mark.parametrize(("n", "need", "cap"), [(7, 4, 10), (9, 2, 4), (0, 3, 2), (3, 7, 3), (5, 5, 0)])
def test_successes_of_many_dice(n: int, need: int, cap: int) -> None:
    found = binomial(n, face_at_least(need), cap)
    exact = shares(n @ (d(6) >= need), cap) if n else [1.0, *[0.0] * cap]
    assert [*found, *[0.0] * (cap + 1 - len(found))] == pytest.approx(exact)


@pytest.mark.parametrize(("n", "sides"), [(1, 3), (2, 6), (3, 6)])
def test_sums_of_dice(n: int, sides: int) -> None:
    assert list(dice(n, sides)) == pytest.approx(shares(n @ d(sides), n * sides))


def test_a_random_number_of_hits_that_wound() -> None:
    """D6 shots that hit on 5+ at four men."""
    exact = shares(d(6).map(lambda n: n @ (d(6) >= 5)), 4)
    assert list(thin(dice(1, 6), face_at_least(5), 4)) == pytest.approx(exact)


@pytest.mark.parametrize("most", range(1, 14))
def test_two_dice(most: int) -> None:
    assert two_dice_at_most(most) == pytest.approx(float((2 @ d(6) <= most).mean()))


@given(st.integers(0, 12), chances, st.integers(0, 12), chances, st.integers(0, 30))
def test_laws_of_distributions(n: int, p: float, m: int, q: float, cap: int) -> None:
    one, other = binomial(n, p, n), binomial(m, q, m)
    both = convolve(one, other, n + m)
    assert sum(both) == pytest.approx(1.0)
    assert mean(both) == pytest.approx(n * p + m * q, abs=1e-9)
    assert mean(thin(one, q, n)) == pytest.approx(n * p * q, abs=1e-9)
    assert at_least(one, 1) == pytest.approx(any_of(n, p), abs=1e-9)
    tight = capped(both, cap)
    assert len(tight) <= cap + 1
    assert sum(tight) == pytest.approx(1.0)
    assert mean(tight) <= mean(both) + 1e-9
