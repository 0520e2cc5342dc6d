"""Designs hold the points they say, and what contradicts itself is refused."""

from __future__ import annotations

from collections import Counter
from itertools import pairwise
from typing import Any

import pytest

from battlesim.core.errors import InputError
from battlesim.stress.config import StressConfig, parse_config
from battlesim.stress.designs import MOST_POINTS, points_of, sample_of, size_of

FRACTION = "fractional-factorial"


def asked(**said: Any) -> StressConfig:
    factors = said.pop(
        "factors", [{"path": "turns", "levels": [4, 5]}, {"path": "margin", "levels": [1, 2, 3]}]
    )
    return parse_config({"scenario": "stairwell", "factors": factors, **said})


def test_a_factorial_design_is_every_combination_once() -> None:
    points = points_of(asked())
    assert sorted(points) == [(a, b) for a in (4, 5) for b in (1, 2, 3)]


def test_one_at_a_time_starts_from_the_first_levels() -> None:
    assert points_of(asked(design="one-at-a-time")) == [(4, 1), (5, 1), (4, 2), (4, 3)]


def test_a_list_is_what_is_given_and_none_is_as_the_scenario_has_it() -> None:
    points = [{"turns": 4}, {"margin": 2, "turns": 5}, {"turns": 4}]
    assert points_of(asked(design="list", points=points)) == [(4, None), (5, 2)]


@pytest.mark.parametrize("design", ["latin-hypercube", "sobol"])
def test_samples_spread_each_factor_evenly(design: str) -> None:
    factors = [
        {"path": "agents.Red.exposure", "range": [0.5, 1.5]},
        {"path": "turns", "range": [3, 6], "integer": True},
        {"path": "extra_turn", "levels": [True, False]},
    ]
    points = points_of(asked(design=design, points=64, factors=factors))
    assert len(points) == 64
    eighths = Counter(int((float(point[0] or 0) - 0.5) * 8) for point in points)
    assert set(eighths.values()) == {8}
    assert Counter(point[1] for point in points) == {3: 16, 4: 16, 5: 16, 6: 16}
    assert Counter(point[2] for point in points) == {True: 32, False: 32}
    assert points == points_of(asked(design=design, points=64, factors=factors)), (
        "the same seed, the same points"
    )
    assert points != points_of(asked(design=design, points=64, factors=factors, seed=2))


def test_a_design_that_is_too_large_says_how_large() -> None:
    factors = [{"path": f"options.o{n}", "levels": list(range(40))} for n in range(6)]
    large = asked(factors=factors)
    assert size_of(large) == 40**6 > MOST_POINTS
    with pytest.raises(InputError, match=r"4,096,000,000 points"):
        points_of(large)


@pytest.mark.parametrize(
    ("said", "words"),
    [
        ({"factors": []}, "factors"),
        ({"factors": [{"path": "turns", "levels": [4]}]}, "two levels or a range"),
        ({"factors": [{"path": "turns", "levels": [4, 4]}]}, "stands there twice"),
        ({"factors": [{"path": "turns", "levels": [4, 5], "range": [1, 2]}]}, "levels and a range"),
        ({"factors": [{"path": "turns", "range": [5, 5]}], "design": "sobol"}, "holds nothing"),
        (
            {"factors": [{"path": "turns", "range": [1.2, 1.8], "integer": True}], "design": "sobol"},
            "no whole number",
        ),
        (
            {"factors": [{"path": "turns", "range": [-0.9, -0.1], "integer": True}], "design": "sobol"},
            "no whole number",
        ),
        (
            {"factors": [{"path": "turns", "levels": [4, 5], "range": [1, 2]}], "design": FRACTION},
            "levels and a range",
        ),
        ({"factors": [{"path": "turns", "range": [5, 5]}], "design": FRACTION}, "the range 5 to 5 holds"),
        ({"factors": [{"path": "turns", "range": [1, 5]}], "design": "factorial"}, "needs levels"),
        ({"factors": [{"path": "turns", "levels": [4, 5]}] * 2}, "two factors contradict: both set turns"),
        (
            {"factors": [{"name": "x", "path": path, "levels": [4, 5]} for path in ("turns", "margin")]},
            "two factors are called 'x'",
        ),
        ({"design": "list"}, "needs the points"),
        ({"points": [{"turns": 4}]}, "makes its own points"),
        ({"design": "list", "points": [{"trns": 4}]}, "is no factor"),
        ({"design": "sobol", "points": 1}, "no sample"),
        ({"game": 3}, "did you mean 'games'"),
    ],
)
def test_what_makes_no_sense_is_refused(said: dict[str, Any], words: str) -> None:
    with pytest.raises(InputError) as caught:
        asked(**said)
    assert words in str(caught.value)


def test_a_fractional_factorial_keeps_main_effects_clear_of_pairs() -> None:
    factors = [{"path": f"options.o{number}", "levels": [0, 1]} for number in range(8)]
    of = asked(factors=factors, design="fractional-factorial")
    points = points_of(of)
    assert len(points) == 16 < 2**8
    signs = [[2 * int(level or 0) - 1 for level in point] for point in points]
    columns = list(zip(*signs, strict=True))
    for one in range(8):
        assert sum(columns[one]) == 0
        for two in range(one):
            assert sum(a * b for a, b in zip(columns[one], columns[two], strict=True)) == 0
            for three in range(8):
                together = zip(columns[one], columns[two], columns[three], strict=True)
                if three not in (one, two):
                    assert sum(a * b * c for a, b, c in together) == 0
    few = asked(factors=factors[:3], design="fractional-factorial")
    assert len(points_of(few)) == 8, "of three factors every combination is played"


def test_walks_of_morris_change_one_factor_at_a_time() -> None:
    factors = [{"path": f"options.o{number}", "range": [0, 1]} for number in range(5)]
    of = asked(factors=factors, design="morris", points=60)
    sample = sample_of(of)
    assert len(sample.unit) == len(sample.rows) == size_of(of) == 60
    for walk in range(10):
        rows = sample.unit[6 * walk : 6 * walk + 6]
        changed = [[at for at in range(5) if one[at] != two[at]] for one, two in pairwise(rows)]
        assert sorted(changed) == [[0], [1], [2], [3], [4]]
    for row, number in zip(sample.unit, sample.rows, strict=True):
        assert sample.points[number] == pytest.approx(row, abs=1e-6)


def test_a_sample_for_sobol_indices_has_every_row_once_as_a_point() -> None:
    factors = [{"path": f"options.o{number}", "levels": [0, 1]} for number in range(3)]
    of = asked(factors=factors, design="saltelli", points=160)
    sample = sample_of(of)
    assert len(sample.unit) == size_of(of) == 160
    assert len(sample.points) == 8, "points that come out alike are played once"
    assert {sample.points[number] for number in sample.rows} == set(sample.points)
