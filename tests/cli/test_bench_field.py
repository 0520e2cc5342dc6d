"""The made fields of `battlesim bench`: what an activation costs in a record does not depend on how many units there are."""

from __future__ import annotations

import pytest

from battlesim.cli.bench_field import FORCES, _fresh, activations_of, front
from battlesim.engine.game import Game, play
from battlesim.engine.record import event_lines


def bytes_an_activation(game: Game) -> float:
    """Bytes of a record's events, by the activations of the battle."""
    return sum(len(line) + 1 for line in event_lines(game.log)) / activations_of(game.log)


@pytest.mark.slow
@pytest.mark.parametrize("ruleset", FORCES)
def test_a_record_does_not_grow_with_the_square_of_the_units(ruleset: str) -> None:
    few, many = (
        bytes_an_activation(play(front(ruleset, units, turns=1), ("random", "random"), seed=1))
        for units in (40, 200)
    )
    assert many < 1.1 * few


@pytest.mark.parametrize("ruleset", FORCES)
def test_a_field_has_the_units_that_were_asked_for(ruleset: str) -> None:
    scenario = front(ruleset, 60)
    assert [sum(force.side == side for force in scenario.forces) for side in (0, 1)] == [60, 60]
    assert len({force.type for force in scenario.forces}) == len(FORCES[ruleset])
    assert scenario.objectives


@pytest.mark.slow
@pytest.mark.parametrize("agent", ["random", "greedy"])
def test_a_thousand_units_a_side_are_played(agent: str) -> None:
    """In a process of its own: what else ran in this one is not counted."""
    found = _fresh("orderdice", 1000, agent)
    assert found["activations"] > 1900
    assert found["MB"] < 500
