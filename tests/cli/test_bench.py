"""What `battlesim bench` measures by the clock: the best of short blocks, whatever else the machine does."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import cycle

import pytest

from battlesim.cli.bench import FLOOR_BLOCK, Workload, costs
from battlesim.cli.bench_field import activations_of
from battlesim.engine.game import play
from battlesim.scenario.load import load_scenario


def clock_of(*blocks: float) -> Callable[[], float]:
    """A clock by which the blocks measured take these times, again and again."""

    def times() -> Iterator[float]:
        now = 0.0
        for block in cycle(blocks):
            yield now
            now += block
            yield now

    return times().__next__


@pytest.mark.parametrize("busy", [(1, 1, 1, 1), (9, 1, 1, 7), (1, 5, 3, 1)])
def test_what_else_the_machine_does_is_left_out_of_games_and_floor(busy: tuple[int, ...]) -> None:
    """The loop takes 2, the game 30 where nothing disturbs them; each is disturbed in one of its two blocks at most."""
    scenario = load_scenario("stairwell")
    count = activations_of(play(scenario, ("random", "random"), seed=4).log)
    blocks = [time * slow for time, slow in zip((2.0, 30.0, 2.0, 30.0), busy, strict=True)]
    cost, base = costs([Workload(scenario, "random", [4])], 2, clock_of(*blocks))
    assert cost == 30 / count
    assert base == 2 / FLOOR_BLOCK
