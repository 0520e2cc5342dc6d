"""The measuring programs refuse what they cannot do before they play anything."""

from __future__ import annotations

import sys
from importlib import import_module

import pytest

from tests.measure_agents import games_on
from tests.measure_budget import Played, summary


@pytest.mark.parametrize(
    ("program", "words", "told"),
    [
        ("measure_agents", ["--games", "1"], "a pair is two games"),
        ("measure_characters", ["--games", "1"], "played in pairs"),
        ("measure_scenarios", ["--games", "0"], "--games of 1 or more"),
        ("measure_promises", ["--games", "0"], "--games of 1 or more"),
        ("measure_ceilings", ["--games", "1"], "one has no error"),
        ("measure_ceilings", ["--write", "some-fight"], "name no fights, Blue or players with it"),
        ("measure_ceilings", ["--write", "--blue", "best"], "name no fights, Blue or players with it"),
        ("measure_fuzz", ["--write", "low faces"], "name no faults with it"),
        (
            "measure_fuzz",
            ["no such fault"],
            "no planted fault is called so; known: the dead stay on the board",
        ),
        ("measure_choices", ["--playouts", "1"], "one half of them chooses"),
    ],
)
def test_what_cannot_be_measured_is_told(
    program: str,
    words: list[str],
    told: str,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setattr(sys, "argv", [program, *words])
    with pytest.raises(SystemExit):
        import_module(f"tests.{program}").main()
    assert told in capsys.readouterr().err


def test_a_big_scenario_is_played_a_tenth_as_often_and_in_a_pair_at_least() -> None:
    assert [games_on("helsinki-quarter", games) for games in (200, 10)] == [20, 2]
    assert games_on("skirmish", 10) == 10


def test_one_pair_has_no_error_and_two_have_that_of_their_mean() -> None:
    won, lost = Played(1.0, 0.1, 10, 20), Played(0.0, 0.1, 10, 20)
    assert summary([won, lost]) == "2 | 50.0% | - | +0 | 10 | 2"
    assert summary([won, won, lost, won]) == "4 | 75.0% | 25.0% | +191 (-182 to -) | 10 | 2"
