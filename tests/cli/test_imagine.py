"""`battlesim play --imagine` and `--milliseconds`: what agents may imagine, and what the record says of it."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from battlesim.cli.main import main
from battlesim.engine.header import Limits
from battlesim.engine.record import read_record

CHEAP = "planner,width=2,samples=2,turns=0.3"


def test_the_record_says_what_could_be_imagined(tmp_path: Path) -> None:
    one, two = tmp_path / "one.jsonl", tmp_path / "two.jsonl"
    words = ["play", "stairwell", "--agent", "rush", "--quiet", "--record"]
    assert main([*words, str(one), "--imagine", "50"]) == 0
    assert main([*words, str(two), "--milliseconds", "20"]) == 0
    assert read_record(one).header.options == Limits(questions=50)
    assert read_record(two).header.options == Limits(milliseconds=20)
    assert not read_record(two).header.options.repeatable


@pytest.mark.slow
def test_explaining_costs_an_agent_nothing(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    words = ["play", "stairwell", "--agent", f"Red={CHEAP}", "--imagine", "30", "--seed", "2"]
    plain, explained = tmp_path / "plain.jsonl", tmp_path / "explained.jsonl"
    assert main([*words, "--record", str(plain)]) == 0
    assert main([*words, "--explain", "--record", str(explained)]) == 0
    assert plain.read_bytes() == explained.read_bytes()
    capsys.readouterr()
    assert main([*words, "--explain=terms"]) == 0
    assert "samples, greedy's" in capsys.readouterr().out
    assert main([*words, "--explain"]) == 0
    assert re.search(r"Wins \d+% of the battles it imagines \(\d\)", capsys.readouterr().out)


@pytest.mark.parametrize("words", [("--imagine", "0"), ("--milliseconds", "x"), ("--imagine", "1.5")])
def test_senseless_budgets_are_refused(words: tuple[str, str], capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as stop:
        main(["play", "stairwell", *words])
    assert stop.value.code == 2
    assert "is not a whole number from 1" in capsys.readouterr().err
