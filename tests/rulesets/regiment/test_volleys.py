"""What shooting does: losses, panic, and that cover and shooters count the right way (RG-HOUSE-SHOOT, RG-SHOOT-2)."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest

from battlesim.board.board import Board
from battlesim.core.answers import Pass, TargetUnit
from battlesim.core.events import ModelsLost
from battlesim.rulesets.regiment import facts
from battlesim.rulesets.regiment.fire import AtWhom, Volley
from battlesim.rulesets.regiment.ruleset import RULESET
from battlesim.search.odds import mean, outcomes
from tests.rulesets.regiment.grounds import (
    FIELD,
    HOUSE,
    HUT,
    NORTH,
)
from tests.rulesets.regiment.kit import Table, shot, unit

MISS = 1


# ---- what it does ----------------------------------------------------------------------------------------------------


@pytest.mark.clause("RG-HOUSE-SHOOT")
def test_a_quarter_of_the_models_lost_to_shooting_is_a_panic_test() -> None:
    units = (unit("archers", at="g4.4", facing=NORTH), unit("levy", at="g4.7", side=1, models=12))
    hits = [4, 4, 4, MISS, MISS, MISS]
    table = shot(FIELD, *units, dice=[hits, [4, 4, 4], [3, 3]])
    assert [(e.lost, e.left) for e in table.events(ModelsLost)] == [(3, 9)]
    (tested,) = table.events(facts.Tested)
    assert (tested.rolled, tested.needed, tested.passed) == (6, 6, True)
    table.done()
    table = shot(FIELD, *units, dice=[hits, [4, 4, 3]])
    assert table.events(facts.Tested) == []
    table.done()


@pytest.mark.clause("RG-HOUSE-SHOOT")
def test_losses_of_a_phase_add_up_and_are_tested_for_once() -> None:
    table = Table(
        FIELD,
        unit("archers", at="g4.4", facing=NORTH),
        unit("levy", at="g4.7", side=1, models=10, shot=2),
        dice=[[4, MISS, MISS, MISS, MISS, MISS], [4], [1, 1]],
    )
    table.do(Volley(0, 1))  # three of twelve
    assert len(table.events(facts.Tested)) == 1
    assert table.unit(1).own.shot == -1
    table.done()
    again = Table(
        FIELD,
        unit("archers", at="g4.4", facing=NORTH),
        unit("levy", at="g4.7", side=1, models=9, shot=-1),
        dice=[[4, 4, 4, MISS, MISS, MISS], [4, 4, 4]],
    )
    again.do(Volley(0, 1))
    assert again.events(facts.Tested) == []
    again.done()


@pytest.mark.clause("RG-HOUSE-SHOOT")
def test_who_panics_flees() -> None:
    table = shot(
        FIELD,
        unit("archers", at="g4.4", facing=NORTH),
        unit("levy", at="g4.7", side=1, models=12),
        dice=[[4, 4, 4, MISS, MISS, MISS], [4, 4, 4], [4, 3], [2, 2]],
    )
    assert table.unit(1).own.fleeing
    assert table.where(1) == "g4.8"  # four inches, away
    table.done()


def test_to_hold_fire_is_an_answer() -> None:
    table = Table(FIELD, unit("archers", at="g4.4", facing=NORTH), unit("levy", at="g4.7", side=1))
    table.do(AtWhom(0, side=0))
    assert table.legal == [Pass(), TargetUnit(1)]
    table.say(Pass())
    table.done()


# ---- monotony, by enumeration through the rules' own code ------------------------------------------------------------


def loss(board: Board, *units: dict[str, Any]) -> Fraction:
    """Models the second unit loses to one volley of the first, by expectation."""
    table = Table(board, *units)
    before = table.unit(1).models
    endings = outcomes(table.state, board, RULESET, Volley(0, 1), answer=RULESET.safe_answer)
    return mean(endings, lambda state: before - state.units[1].models)


@pytest.mark.clause("RG-SHOOT-2", "RG-HOUSE-SHOOT")
def test_better_cover_never_raises_losses() -> None:
    archers = unit("archers", at="g4.1", facing=NORTH, models=4)
    inside = [
        loss(board, archers, unit("levy", at=at, side=1, models=4))
        for board, at in ((FIELD, "g4.4"), (HUT, "house.1:0"), (HOUSE, "house.1:0"))
    ]
    assert inside[0] > inside[1] > inside[2] > 0


@pytest.mark.clause("RG-HOUSE-SHOOT")
def test_one_more_shooter_never_lowers_losses() -> None:
    found = [
        loss(
            FIELD,
            unit("archers", at="g4.1", facing=NORTH, models=n),
            unit("levy", at="g4.4", side=1, models=4),
        )
        for n in range(1, 6)
    ]
    assert found == sorted(found)
    assert found[0] < found[-1]
