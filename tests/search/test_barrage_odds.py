"""Exact odds of a barrage on a house with several units, against an independent reading of the clauses."""

from __future__ import annotations

from fractions import Fraction
from itertools import product

import pytest
from icepool import d6

from battlesim.rulesets.orderdice.strikes import UnderBarrage
from battlesim.search.odds import MOST, chance_of, distribution
from battlesim.search.roll_odds import OddsError, binomial, sums
from tests.search.positions import HOUSE, acted, fails, falls, shares, successes, works

FALLS = 10
NEED = 2  # regulars are hurt on 4+, a heavy howitzer's shell has penetration 4, and a 1 always fails


def one_unit(men: int) -> dict[tuple[int, int, int], Fraction]:
    """What a barrage does to one regular unit in a house: (hits, pins, men left), none where ten hits come at once."""
    found: dict[tuple[int, int, int], Fraction] = {}

    def put(what: tuple[int, int, int], chance: Fraction) -> None:
        found[what] = found.get(what, Fraction(0)) + chance

    put((0, 0, men), Fraction(1, 6))
    put((0, 1, men), Fraction(2, 6))
    for pins in (1, 2, 3):
        put((0, pins, men), Fraction(2, 6) / 3)
    for hits, share in shares(3 @ d6).items():
        if hits >= FALLS:
            put((hits, 0, 0), share / 6)
            continue
        for pins, (hurt, part) in product(range(1, 7), shares(successes(hits, NEED)).items()):
            lost = min(hurt, men)
            chance = share / 6 * part / 6
            rout = fails(9 - pins) if 2 * lost >= men > lost else Fraction(0)
            put((hits, pins, men - lost), chance * (1 - rout))
            put((hits, pins, 0), chance * rout)
    assert sum(found.values()) == 1
    return found


def both(first: int, second: int) -> tuple[Fraction, dict[tuple[int, int], Fraction]]:
    """The chance that the house falls, and the men left on both floors (none where it does)."""
    falling, left = Fraction(0), dict[tuple[int, int], Fraction]()
    for (a, x), (b, y) in product(one_unit(first).items(), one_unit(second).items()):
        down = a[0] + b[0] >= FALLS
        falling += x * y * down
        key = (0, 0) if down else (a[2], b[2])
        left[key] = left.get(key, Fraction(0)) + x * y
    return falling, left


@pytest.mark.clause("OD-BARR-3", "OD-BARR-2", "OD-HE-4", "OD-HOUSE-SUPPORT")
@pytest.mark.parametrize(("first", "second"), [(4, 2), pytest.param(10, 3, marks=pytest.mark.slow)])
def test_odds_of_a_barrage_on_two_units_in_a_house(first: int, second: int) -> None:
    """Within the usual bound on branches."""
    work = works(
        HOUSE,
        acted("artillery_observer", "g45.19", 0),
        acted("rifle_section", "house.1:0", models=first),
        acted("heavy_mortar_team", "house.1:1", models=second),
    )
    endings = work(UnderBarrage(0, 0, (1, 2)))
    falling, left = both(first, second)
    assert chance_of(endings, falls) == falling
    assert distribution(endings, lambda s: (s.units[1].models, s.units[2].models)) == left


def test_too_many_units_at_once_are_refused() -> None:
    work = works(
        HOUSE,
        acted("artillery_observer", "g45.19", 0),
        *(acted("rifle_section", f"house.1:{floor}") for floor in range(3)),
    )
    with pytest.raises(OddsError, match=f"more than {MOST // 50:,} branches"):
        work(UnderBarrage(0, 0, (1, 2, 3)), most=MOST // 50)


def test_results_put_together_keep_their_chances() -> None:
    """`enough` and `cuts` of a roll: the lowest result stands for all that come to the same thing."""
    for dice, enough in ((5, 2), (5, 0), (3, 7), (4, -1)):
        exact = shares(successes(dice, 4).map(lambda n, top=enough: n if top < 0 else min(n, top)))
        assert dict(binomial(dice, 3, 6, enough)) == exact
    assert dict(sums(2, 6, (2, 7))) == {2: Fraction(1, 36), 3: Fraction(20, 36), 8: Fraction(15, 36)}
    assert dict(sums(2, 6, (2, 2))) == {2: Fraction(1, 36), 3: Fraction(35, 36)}
    assert dict(sums(2, 6, (2, 12))) == {2: Fraction(1, 36), 3: Fraction(35, 36)}
    assert sums(2, 6, (2, 7, 12)) == sums(2, 6, (2, 7))
