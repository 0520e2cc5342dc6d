"""What tests of records share."""

from __future__ import annotations

import pytest

from battlesim import play
from battlesim.engine.game import Game
from battlesim.rules.scenario import Scenario


@pytest.fixture
def game(toy_scenario: Scenario) -> Game:
    """A toy battle between two players who answer at random."""
    return play(toy_scenario, ("random", "random"), seed=5)
