"""`battlesim whatif` on the command line."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from battlesim.cli.main import main

ROOT = Path(__file__).parents[2]
RECORD = str(ROOT / "tests" / "golden" / "records" / "barrage-fells.jsonl")
GREEDY = ("--agent", "greedy")


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str]) -> Any:
    def call(*words: str) -> str:
        assert main(["whatif", RECORD, "--workers", "1", *words]) == 0, capsys.readouterr().err
        return capsys.readouterr().out

    return call


def test_without_a_question_it_lists_them(run: Any) -> None:
    lines = run().splitlines()
    assert lines[2].split(maxsplit=3)[:3] == ["2", "turn", "1"]
    assert lines[2].endswith("Red: which order does Red observer get? fire")
    rows = json.loads(run("--json"))["questions"]
    assert [row["number"] for row in rows] == list(range(len(lines)))
    assert rows[2]["answer"] == "order fire"


def test_a_question_is_played_on_with_other_answers(run: Any, tmp_path: Path) -> None:
    file = tmp_path / "if.json"
    out = run(
        "--at",
        "2",
        "--answer",
        "GO DOWN",
        "--answer",
        "order fire",
        "--games",
        "3",
        *GREEDY,
        "--json",
        str(file),
    )
    assert out.startswith("Question 2, turn 1, Red: which order does Red observer get?")
    assert "greedy (Red) and greedy (Blue) play on: 3 games with fresh dice" in out
    found = json.loads(file.read_text())
    assert [row["answer"] for row in found["answers"]] == ["order fire", "order down"]  # the one played, once
    played, other = found["answers"]
    assert (played["played"], other["played"]) == (True, False)
    assert played["better"] == 0
    for row in (played, other):
        assert len(row["results"]) == 3
        assert 0 <= row["low"] <= row["chance"] <= row["high"] <= 1
        assert f"{row['words']} ({row['answer']})" in out
    assert other["better"] == pytest.approx(other["chance"] - played["chance"])
    assert (
        json.loads(run("--at", "2", "--games", "1", *GREEDY, "--json"))["answers"][0]["better_error"] is None
    )


def test_without_an_answer_it_tries_those_that_promise_most(run: Any) -> None:
    found = json.loads(run("--at", "2", "--games", "1", *GREEDY, "--json"))
    answers = [row["answer"] for row in found["answers"]]
    assert answers[0] == "order fire"
    assert 1 < len(answers) == len(set(answers)) <= 4


@pytest.mark.slow
def test_turning_points_say_what_was_skill_and_what_luck(run: Any, tmp_path: Path) -> None:
    file = tmp_path / "swings.json"
    out = run("--turning-points", "--games", "2", "--better", "--json", str(file))
    found = json.loads(file.read_text())
    parts = [found["start"]["value"], *(one["value"] for one in found["skill"]), found["luck"]["value"]]
    assert sum(parts) == pytest.approx(found["result"])
    assert (found["estimator"], found["games"], found["horizon"]) == ("playouts and position value", 2, 2)
    assert "played to the end of the next turn, then valued by the position" in out
    assert "\nPlus is good for Red, minus for Blue, whoever gave the orders.\n" in out
    assert out.rstrip().endswith("plus is good for the side that answers.")
    for words in ("at the first question", "orders of Red", "orders of Blue", "dice", "the result"):
        assert f"\n{words}" in out
    for act in found["turning_points"]:
        assert act["text"]
        assert act["text"] in out
        first, last = act["questions"][0], act["questions"][-1]
        given = f"questions {first} to {last}" if first < last else f"question {first}"
        assert f"\n  answered: {given}\n" in out
        assert f"\nturn {act['turn']}, Red {act['before']:.0%} to {act['then']:.0%} (" in out
    assert f"`battlesim whatif {RECORD}` lists all questions with their numbers, `--at " in out


def test_the_same_question_gives_the_same_answer(run: Any) -> None:
    words = ("--at", "3", "--games", "2", *GREEDY, "--json")
    assert run(*words) == run(*words)
    assert run(*words, "--seed", "1") != run(*words)


@pytest.mark.slow
def test_the_number_of_workers_changes_nothing(run: Any) -> None:
    """Parts are put together in the order of the questions, and each is found from the same dice."""
    for words in (("--turning-points", "--better", "--games", "2"), ("--at", "2", "--games", "3", *GREEDY)):
        assert run(*words, "--json", "--workers", "2") == run(*words, "--json")


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (("--at", "5000"), "there is no question 5000; questions are numbered from 0 to"),
        (("--at", "-1"), "there is no question -1"),
        (("--at", "2", "--answer", "order fier"), "did you mean 'order fire'"),
        (("--answer", "fire"), "add --at QUESTION"),
        (("--at", "2", "--turning-points"), "give one or the other"),
        (("--better",), "add --turning-points"),
        (("--at", "2", "--horizon", "1"), "--horizon is for turning points"),
        (("--at", "2", "--agent", "Green=greedy"), "no side 'Green'"),
        (("--at", "2", "--agent", "gredy"), "did you mean"),
        (("--at", "2", "--json", RECORD), "would replace the record"),
    ],
)
def test_what_it_cannot_do_is_said_with_exit_code_2(
    words: tuple[str, ...], told: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["whatif", RECORD, *words]) == 2
    caught = capsys.readouterr()
    assert caught.out == ""
    assert told in caught.err
