"""What boards keep has a bound over a whole process, and forgetting it changes nothing but time."""

from __future__ import annotations

import gc
import sys
from collections import deque
from weakref import WeakValueDictionary

import pytest

from battlesim.board import load as loading
from battlesim.board import memory
from battlesim.board.board import Board
from battlesim.board.load import load_map, loaded_boards, shipped_maps
from battlesim.board.memory import relieve, relieve_when_due, weight
from battlesim.core.memo import owned_memo
from battlesim.engine import game
from battlesim.engine.battle import Battle, Question
from battlesim.engine.game import play
from tests.shipped import load

NAMES = ("stairwell", "square", "outpost", "watch-house")
"""A scenario of each rulebook."""


def held(board: Board) -> float:
    return sum(size for size, _ in memory._tables([board]))


@pytest.mark.slow
@pytest.mark.parametrize("name", NAMES)
def test_forgetting_at_every_question_gives_the_same_bytes(name: str) -> None:
    """The same game with warm tables, and with tables that are emptied again and again while it is played."""
    scenario = load(name)
    agents = ("random", "rush")
    warm = play(scenario, agents, seed=7).record_hash
    assert held(scenario.board) > 0

    def forget(battle: Battle, _: Question) -> None:
        if battle.state.events % 40 == 0:
            assert relieve([battle.board], 0) == 0

    assert play(scenario, agents, seed=7, listener=forget).record_hash == warm
    relieve([scenario.board], 0)
    assert play(scenario, agents, seed=7).record_hash == warm


@pytest.mark.slow
def test_greedy_thinks_the_same_with_empty_tables() -> None:
    for name in NAMES:
        scenario = load(name)
        warm = play(scenario, ("greedy", "greedy"), seed=2).record_hash
        relieve([scenario.board], 0)
        assert play(scenario, ("greedy", "greedy"), seed=2).record_hash == warm


def test_the_largest_tables_go_first_and_no_more_than_needed() -> None:
    board = load("stairwell").board
    relieve([board], 0)

    @owned_memo(bound=100)
    def small(board: Board, number: int) -> tuple[int, ...]:
        """A thousand numbers."""
        return tuple(range(1_000, 2_000))

    @owned_memo(bound=100)
    def large(board: Board, number: int) -> tuple[int, ...]:
        """Many more."""
        return tuple(range(10_000, 60_000))

    assert small(board, 1)
    assert large(board, 1)
    both = relieve([board], 1 << 40)
    assert relieve([board], both) == both, "within the bound nothing is forgotten"
    assert {small, large} <= board.memos.keys()
    left = relieve([board], both - 1)
    assert large not in board.memos
    assert small in board.memos
    assert left < both // 2
    assert large(board, 1)[-1] == 59_999
    relieve([board], 0)
    assert not board.memos


@pytest.mark.slow
def test_tables_of_all_maps_together_keep_to_the_bound(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(memory, "_STEP", -(1 << 60))  # before every battle
    bound = 1_500_000
    monkeypatch.setattr(memory, "relieve", lambda boards: relieve(boards, bound))
    scenarios = [load(name) for name in NAMES]
    boards = [
        scenario.board for scenario in scenarios
    ]  # another test may have made the process forget that it loaded them
    monkeypatch.setattr(game, "loaded_boards", lambda: boards)
    relieve(boards, 0)
    most = 0.0
    for seed in range(2):
        for scenario in scenarios:
            play(scenario, ("random", "random"), seed=seed)
            relieve_when_due(boards)
            most = max(most, sum(map(held, boards)))
    assert 0 < most <= bound
    monkeypatch.setattr(memory, "relieve", lambda _: 0)
    for scenario in scenarios:
        play(scenario, ("random", "random"), seed=9)
    assert sum(map(held, boards)) > bound, "the bound was needed"


@pytest.mark.slow
def test_memory_is_weighed_when_the_process_holds_much_more(monkeypatch: pytest.MonkeyPatch) -> None:
    asked = []
    monkeypatch.setattr(memory, "relieve", lambda boards: asked.append(boards))
    monkeypatch.setattr(memory._last, "blocks", sys.getallocatedblocks())
    relieve_when_due(())
    assert asked == []
    ballast = [[number] for number in range(memory._STEP + 10_000)]
    relieve_when_due(())
    assert len(asked) == 1
    relieve_when_due(())
    assert len(asked) == 1
    del ballast


def test_weights_are_near_the_truth() -> None:
    rows = {n: tuple(range(1_000 * n, 1_000 * n + 10)) for n in range(300, 1_300)}
    one = sys.getsizeof(rows[300]) + 10 * sys.getsizeof(1_000_000) + sys.getsizeof(300)
    whole = sys.getsizeof(rows) + 1_000 * one
    assert weight(rows) == pytest.approx(whole, rel=0.25)
    shared = list(range(100_000, 110_000))
    many = [(shared, number) for number in range(500)]
    alone = sys.getsizeof(shared) + 10_000 * sys.getsizeof(100_000)
    assert weight(many) == pytest.approx(alone + sys.getsizeof(many) + 500 * 56, rel=0.25), (
        "what all share counts once"
    )


def test_all_boards_that_ship_are_kept_and_no_more_than_a_bound() -> None:
    assert load_map("stairwell") is load_map("stairwell")
    assert load_map("stairwell") in loaded_boards()
    assert len(shipped_maps()) < (loading._latest.maxlen or 0) <= 100


@pytest.mark.slow
def test_a_board_that_nobody_uses_is_forgotten_at_last(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(loading, "_latest", deque(maxlen=1))
    monkeypatch.setattr(loading, "_boards", WeakValueDictionary())
    monkeypatch.setattr(loading, "_by_bytes", WeakValueDictionary())
    used = load_map("stairwell")
    load_map("square")
    load_map("silo")
    gc.collect()
    assert [board.name for board in loaded_boards()] == ["stairwell", "silo"]
    assert load_map("stairwell") is used
