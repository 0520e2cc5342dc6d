"""What a battle leaves is let go of at once: circles of references have to be searched for, at a sixth of a game's time."""

from __future__ import annotations

import gc

import pytest

from battlesim import load_scenario, play

LEFT = 200
"""Objects in circles that a battle may leave: its own loop and its clock, once a game (some 90)."""


@pytest.mark.slow
@pytest.mark.parametrize("name", ["stairwell", "square", "drones", "watch-house"])
def test_a_battle_leaves_few_circles(name: str) -> None:
    scenario = load_scenario(name)
    play(scenario, ("greedy", "greedy"), seed=1)  # tables of the rulebook are filled
    gc.collect()
    gc.disable()
    try:
        game = play(scenario, ("greedy", "greedy"), seed=2)
        questions = len(game.log)
        del game
        assert questions > LEFT, "long enough to leave one at each question"
        assert gc.collect() < LEFT
    finally:
        gc.enable()
