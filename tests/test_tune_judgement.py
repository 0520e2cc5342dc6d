"""Tuning by play: which values are played, and what the regression says of them, on made-up games."""

from __future__ import annotations

import math
import re

import pytest

from battlesim import parameters
from tests import tune_judgement

NAMES = [one.name for one in parameters("squadhex") if one.default]
ONE, TWO = NAMES[:2]
DECLARED = {one.name: one for one in parameters("squadhex")}


def settings_of(agent: str) -> dict[str, float]:
    return {name: float(value) for name, value in (word.split("=") for word in agent.split(",")[1:])}


@pytest.fixture
def played(monkeypatch: pytest.MonkeyPatch) -> list[dict[str, float]]:
    """The settings of the games that are played; a game is worth the logarithm of the first parameter over its default, a
    tenth of it."""
    found: list[dict[str, float]] = []

    def result(scenario: str, ours: str, other: str, seed: int, swapped: bool) -> tuple[float, float]:
        found.append(settings_of(ours))
        return 0.5, 0.5 + 0.1 * math.log(found[-1].get(ONE, 1.0) / DECLARED[ONE].default)

    monkeypatch.setattr(tune_judgement, "result", result)
    return found


def test_only_the_named_parameters_are_drawn_and_the_set_ones_keep_their_values(
    played: list[dict[str, float]],
) -> None:
    held = DECLARED[TWO].default * 0.9
    words = ["squadhex", "--games", "20", "--only", ONE, "--set", f"{TWO}={held}"]
    assert tune_judgement.main(words) == 0
    assert len({settings[ONE] for settings in played}) == 20
    assert {settings[TWO] for settings in played} == {float(f"{held:.4g}")}


def test_the_regression_is_on_the_values_that_were_played(
    played: list[dict[str, float]], capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Values beyond the range of a parameter are played at its end."""
    one = DECLARED[ONE]
    end = one._replace(high=one.default)
    monkeypatch.setattr(tune_judgement, "parameters", lambda _: [end])
    assert tune_judgement.main(["squadhex", "--games", "60", "--spread", "2"]) == 0
    assert max(settings[ONE] for settings in played) == pytest.approx(one.default, rel=1e-3)
    (slope,) = re.findall(rf"^{ONE} .*: ([+-][\d.]+) \+-", capsys.readouterr().out, re.MULTILINE)
    assert float(slope) == pytest.approx(0.1 * math.log(2), abs=0.002)


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["--set", "no-such=2"], "there is no parameter 'no-such'"),
        (["--set", f"{ONE}=much"], f"write {ONE}=NUMBER"),
        (["--only", "no-such"], "--only no-such: there is no such parameter"),
        (["--spread", "1"], "a --spread above 1"),
        (["--games", "0"], "--games of 1 or more"),
        (["--set", f"{ONE}=0", "--only", ONE], "every parameter to be drawn is 0"),
    ],
)
def test_what_makes_no_sense_is_told(words: list[str], told: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        tune_judgement.main(["squadhex", *words])
    assert told in capsys.readouterr().err
