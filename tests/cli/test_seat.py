"""What a person who plays a side knows (`battlesim/cli/seat.py`)."""

from __future__ import annotations

from msgspec.structs import replace

from battlesim import Battle, Budget, KeyedDice, find_ruleset, first_state
from battlesim.cli.seat import Seat
from battlesim.engine.brief import brief_of
from tests.shipped import load


def test_goals_about_enemies_are_told_once_they_are_met() -> None:
    """The bastion's battery is worth most, and at first nobody has found it."""
    scenario = load("bastion")
    battle = Battle(find_ruleset(scenario.ruleset), scenario.board, first_state(scenario, 1), KeyedDice(1))
    view = battle.view(0)
    seat = Seat(scenario, scenario.board, 0, brief_of(view, scenario, 0, Budget()))
    told = list(seat.goals(view))
    later = list(seat.goals(replace(view, extra=battle.state.extra)))
    assert [line for line in later if line in told] == told
    assert [line for line in later if line not in told] == [
        "the bastion's battery: destroy, 3 points, for Legion",
        "the field battery: destroy, 2 points, for Legion",
    ]
