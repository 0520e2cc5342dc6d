"""Answers that are kept are those that would be computed now: battles in which each is computed anew and compared."""

from __future__ import annotations

import pytest

from battlesim import play
from tests.compare_memos import AGENTS, SEED, compared
from tests.shipped import SHIPPED, load, short

SMALL = ("stairwell", "square", "outpost", "watch-house")
"""A small scenario of each rulebook."""


def check(name: str) -> None:
    games = list(compared([name]))
    assert [game["agent"] for game in games] == list(AGENTS)
    for game in games:
        assert game["stale"] == []
        assert not game["faults"]
        assert game["hash"] == play(short(name), (game["agent"],) * 2, seed=SEED).record_hash
    made = games[-1]["compared"]
    own = {
        memo: n for memo, n in made.items() if memo.startswith(f"battlesim.rulesets.{load(name).ruleset}.")
    }
    assert len(own) > 10
    assert sum(own.values()) > 1_000


@pytest.mark.slow
@pytest.mark.parametrize("name", SMALL)
def test_no_answer_is_stale_in_a_battle_of_each_rulebook(name: str) -> None:
    check(name)


@pytest.mark.slow
@pytest.mark.parametrize("name", [name for name in SHIPPED if name not in SMALL])
def test_no_answer_is_stale_in_any_scenario(name: str) -> None:
    check(name)
