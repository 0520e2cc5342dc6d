"""What a fork of a battle hands over, and what it costs: a search makes one for every line it looks at."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import pytest

from battlesim import Battle, load_scenario
from battlesim.board.board import Board
from battlesim.cli.bench import clones_a_fork, halfway
from battlesim.core.answers import Answer
from battlesim.core.items import Ask
from battlesim.core.state import State
from battlesim.engine import battle as engine
from battlesim.engine.clock import Clock
from tests.shipped import FIFTH

SCENARIOS = ("stairwell", "silo", "outpost", "watch-house", FIFTH)
"""One of each rulebook."""
CLONES = 5.0
"""A fork costs no more than so many clones of its state; it takes some 1.5 to 3."""


@pytest.mark.parametrize("name", SCENARIOS)
def test_a_fork_costs_little_more_than_a_clone(name: str) -> None:
    battle = halfway(load_scenario(name), 30)
    assert battle.question is not None
    assert min(clones_a_fork(battle, blocks=15, loops=200) for _ in range(3)) <= CLONES


def test_a_fork_stands_at_its_question_without_listing_it_again(monkeypatch: pytest.MonkeyPatch) -> None:
    battle = halfway(load_scenario("stairwell"), 20)
    question = battle.question
    assert question is not None

    def listed(state: State, board: Board, ask: Ask) -> Sequence[Answer]:
        raise AssertionError(f"{ask!r} is listed again")

    asks = {kind: (listed, carry) for kind, (_, carry) in battle.ruleset.asks.items()}
    battle.ruleset = replace(battle.ruleset)
    object.__setattr__(battle.ruleset, "asks", asks)
    assert battle.fork().question is question


def test_no_clock_is_made_before_it_has_to_move(monkeypatch: pytest.MonkeyPatch) -> None:
    made = []

    class Counted(Clock):
        def __init__(self, *args: object) -> None:
            made.append(self)
            super().__init__(*args)  # type: ignore[arg-type]

    battle = halfway(load_scenario("stairwell"), 20)
    monkeypatch.setattr(engine, "Clock", Counted)
    fork = battle.fork()
    Battle(battle.ruleset, battle.board, battle.state.clone(), battle.dice)
    assert not made
    now = fork.state.now
    while fork.question is not None and fork.state.now == now:
        fork.answer(fork.question.answers[-1])
    assert len(made) == 1


def test_a_fork_of_a_battle_that_is_over_is_over() -> None:
    battle = halfway(load_scenario("stairwell"), 10_000)
    fork = battle.fork()
    assert fork.over
    assert fork.question is None
    assert fork.outcome == battle.outcome
