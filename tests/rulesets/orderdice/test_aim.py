"""The quick questions of aiming agree with the volleys they stand for, in positions of real play."""

from __future__ import annotations

import pytest

from battlesim import Battle, Question, play
from battlesim.rulesets.orderdice import aim, fire


@pytest.mark.parametrize("scenario", ["skirmish", "stairwell", "tobacco-factory", "village"])
def test_walls_that_bear_are_those_of_a_volley(scenario: str) -> None:
    asked = 0

    def compare(battle: Battle, question: Question) -> None:
        nonlocal asked
        if question.number % 23:
            return
        state, board = battle.state, battle.board
        units = [unit for unit in state.units.values() if unit.place >= 0]
        for unit in units:
            for target in units:
                if unit.side == target.side:
                    continue
                for moved in (False, True):
                    found = list(aim.walls_bearing(state, board, unit, target, moved))
                    assert found == [
                        wall
                        for wall in fire.walls_of(board, unit)
                        if fire.volley(state, board, unit, target, moved, wall)
                    ]
                    asked += 1

    play(scenario, ("random", "random"), seed=3, listener=compare)
    assert asked > 50
