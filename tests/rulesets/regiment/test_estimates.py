"""What the estimates expect of an act is what the rules make of it, on a grid of situations."""

from __future__ import annotations

import pytest

from tests.expectations import Case, few, wrong
from tests.rulesets.regiment.expectations import cases

CASES = cases()


def test_the_grid_is_as_wide_as_it_says() -> None:
    assert len(CASES) > 750
    assert len({str(case) for case in CASES}) == len(CASES)


@pytest.mark.parametrize("case", few(CASES, 4), ids=str)
def test_what_is_expected_is_what_comes(case: Case) -> None:
    assert wrong(case) == []


@pytest.mark.slow
@pytest.mark.parametrize("part", range(10))
def test_what_is_expected_is_what_comes_on_the_whole_grid(part: int) -> None:
    assert [fault for case in CASES[part::10] for fault in wrong(case)] == []
