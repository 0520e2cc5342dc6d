"""Estimates stay near what the rules do: close quarters against exact odds of a round."""

from __future__ import annotations

import pytest
from icepool import d

from battlesim.rulesets.orderdice.estimates import melee_odds


@pytest.mark.parametrize(
    ("ours", "theirs"),
    [((2, 1), (8, 7)), ((12, 6), (6, 6)), ((6, 6), (12, 6)), ((4, 4), (5, 3)), ((10, 10), (3, 3))],
)
def test_close_quarters_are_lost_with_the_last_man(ours: tuple[int, int], theirs: tuple[int, int]) -> None:
    """(blows, men) of both sides, regulars, striking at once."""
    hit = d(6) >= 4
    won = lost = gone = drawn = 0
    for kills, n in (ours[0] @ hit).items():
        for losses, m in (theirs[0] @ hit).items():
            k, x, ways = min(kills, theirs[1]), min(losses, ours[1]), n * m
            if k == theirs[1] and x == ours[1]:
                gone += ways
            elif k == theirs[1] or (x < ours[1] and k > x):
                won += ways
            elif x == ours[1] or x > k:
                lost += ways
            else:
                drawn += ways
    whole = won + lost + gone
    found = melee_odds(ours[0], ours[1], 4, theirs[0], theirs[1], 4, True)
    assert found == pytest.approx((won / whole, lost / whole, gone / whole))


def test_one_man_does_not_beat_a_section() -> None:
    assert melee_odds(2, 1, 4, 8, 7, 4, True)[0] < 0.01
