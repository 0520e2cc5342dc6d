"""Perft: the question trees of tiny positions have as many leaves as the table says, under fixed dice."""

from __future__ import annotations

import pytest

from tests.perft.make import PLAN
from tests.perft.perft import leaves, levels, start, table

AGAIN = "python -m tests.perft.make, where a rule was changed on purpose"
TABLE = table()


def test_the_table_holds_what_is_planned() -> None:
    assert {name: (row.seed, row.quick, len(row.levels)) for name, row in TABLE.items()} == PLAN


@pytest.mark.parametrize("name", PLAN)
def test_counts(name: str) -> None:
    row = TABLE[name]
    assert levels(start(name, row.seed), row.quick) == list(row.levels[: row.quick]), AGAIN


@pytest.mark.slow
@pytest.mark.parametrize("name", PLAN)
def test_deep_counts(name: str) -> None:
    row = TABLE[name]
    assert levels(start(name, row.seed), len(row.levels)) == list(row.levels), AGAIN


@pytest.mark.parametrize("name", PLAN)
def test_a_walk_branch_by_branch_finds_as_many_leaves(name: str) -> None:
    """Positions put together because they look alike do go on alike."""
    row = TABLE[name]
    depth = next(
        n for n, level in enumerate(row.levels, 1) if level.positions < level.leaves or n == row.quick
    )
    depth = min(depth + 1, row.quick)
    assert leaves(start(name, row.seed), depth) == row.levels[depth - 1].leaves


def test_other_dice_make_another_tree() -> None:
    one, other = (levels(start("siege", seed), 5) for seed in (8, 2))
    assert one[0] == other[0]
    assert one[4] != other[4]
