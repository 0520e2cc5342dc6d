"""What agents lost by their own failure is told in one sentence by every command that plays many games."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

from battlesim.batch.blame import MOST, Blame, Failures, blame_lines, blame_words
from battlesim.cli.main import main

BAD = """
class Agent:
    def start(self, board, side, chance):
        self.asked = 0

    def choose(self, view, ask, answers):
        self.asked += 1
        if self.asked > 2:
            raise ValueError("lost for words")
        return answers[0]
"""
FIRST = "first: raised ValueError: lost for words (bad.py:9)"


@pytest.fixture
def bad(tmp_path: Path) -> str:
    file = tmp_path / "bad.py"
    file.write_text(BAD)
    return str(file)


def told(capsys: pytest.CaptureFixture[str], *words: str) -> str:
    assert main([*words, "--quiet", "--workers", "1"]) == 0
    return capsys.readouterr().out


def test_a_forfeit_without_a_winner_is_counted_for_both_agents_and_once_a_game() -> None:
    failures = Failures()
    faults = [{"side": side, "question": -1, "what": "no fuel"} for side in ("red", "blue")]
    failures.count({"red": "a", "blue": "b"}, faults, "forfeit", None)
    failures.count({"red": "a", "blue": "a"}, faults, "forfeit", None)
    assert failures.found() == (
        Blame("a", forfeit=2, faults=3, what="no fuel"),
        Blame("b", forfeit=1, faults=1, what="no fuel"),
    )


def test_the_sentence_names_games_and_questions() -> None:
    assert (
        blame_words("bad", forfeit=1, faults=10, what="why")
        == "bad: 1 game forfeited, 10 questions lost; first: why"
    )
    assert (
        blame_words("bad", crash=2, faults=1, what="a\x1bb")
        == "bad: 2 games crashed, 1 question lost; first: a�b"
    )


def test_those_who_lost_most_come_first_and_the_rest_are_counted() -> None:
    lines = blame_lines([Blame(f"agent{n}", forfeit=n, faults=10 * n, what="why") for n in range(MOST + 2)])
    assert lines[0].startswith(f"agent{MOST + 1}: ")
    assert len(lines) == MOST + 1
    assert lines[-1] == "2 more agents failed, too"


def test_counts_of_parts_add_up_and_the_first_failure_stays() -> None:
    whole = Failures()
    whole.add([Blame("bad", 1, 0, 10, "first")])
    whole.add([Blame("bad", 0, 2, 3, "second"), Blame("worse", 1, 0, 1, "third")])
    assert whole.found() == (Blame("bad", 1, 2, 13, "first"), Blame("worse", 1, 0, 1, "third"))


@pytest.mark.slow
def test_a_stress_test_says_so_in_words_page_and_figures(
    bad: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "run"
    words = ("stress", "stairwell", "--vary", "turns=4,6", "--games", "2", "--agents", bad, "greedy")
    lines = told(capsys, *words, "--out", str(out)).splitlines()
    (said,) = [line for line in lines if line.startswith("bad.py: ")]
    assert re.fullmatch(r"bad.py: \d+ games? forfeited, \d+ questions lost; " + re.escape(FIRST), said)
    assert lines.index(said) == 1, "before any figure"
    assert said in (out / "stress.html").read_text()
    (found,) = json.loads((out / "stress.json").read_text())["found"]["blame"]
    assert found["agent"] == "bad.py"
    assert blame_words(**found) == said


@pytest.mark.slow
def test_a_study_of_tactics_says_so_in_words_page_and_figures(
    bad: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "run"
    words = ["tactics", "stairwell", "--tactic", "never order:wait", "--base", bad, "--confirmed", "12"]
    said = told(capsys, *words, "--answered", "0", "--moved", "0", "--out", str(out))
    assert FIRST in said
    assert FIRST in (out / "tactics.html").read_text()
    assert FIRST in (out / "tactics.md").read_text()
    cards: Any = json.loads((out / "cards.json").read_text())
    assert [one["agent"] for one in cards["blame"]]
    assert sum(one["forfeit"] for one in cards["blame"]) > 0


def test_an_upset_says_so_in_words_and_figures(
    bad: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "run"
    words = [
        "upset",
        "stairwell",
        "--agent",
        f"Red={bad}",
        "--loser",
        "Red",
        "--battles",
        "4",
        "--repeats",
        "2",
    ]
    lines = told(capsys, *words, "--ways", "0", "--out", str(out)).splitlines()
    (said,) = [line.strip() for line in lines if line.strip().startswith("bad.py: ")]
    assert said.endswith(FIRST)
    (found,) = json.loads((out / "upset.json").read_text())["blame"]
    assert blame_words(**found) == said
    assert found["forfeit"] > 0


@pytest.mark.slow
def test_a_search_for_balance_and_an_atlas_say_so(
    bad: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    words = ["balance", "stairwell", "--tune", "turns=4..6", "--agents", bad, "greedy", "--games", "30"]
    assert FIRST in told(capsys, *words, "--confirm", "2", "--out", str(tmp_path / "balance"))
    (found,) = json.loads((tmp_path / "balance/balance.json").read_text())["found"]["blame"]
    assert found["agent"] == "bad.py"
    words = [
        "atlas",
        "stairwell",
        "--agent",
        f"Red={bad}",
        "--games",
        "2",
        "--kind",
        "door",
        "--confirm",
        "0",
    ]
    assert FIRST in told(capsys, *words, "--out", str(tmp_path / "atlas"))
    assert FIRST in (tmp_path / "atlas/atlas.html").read_text()
    (found,) = json.loads((tmp_path / "atlas/atlas.json").read_text())["found"]["blame"]
    assert found["agent"] == "bad.py"
