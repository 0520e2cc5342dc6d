"""The command line: what it prints, how it exits, what it refuses."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

import battlesim
from battlesim.cli.common import by_side
from battlesim.cli.main import VERBS, main
from battlesim.core.errors import InputError
from battlesim.engine.record import read_record

ROOT = Path(__file__).parents[2]
ROW = [
    "format",
    "scenario",
    "ruleset",
    "seed",
    "sides",
    "agents",
    "winner",
    "points",
    "reach",
    "turns",
    "termination",
    "verdict",
    "losses",
    "faults",
    "record_hash",
]


def refused(capsys: pytest.CaptureFixture[str], *words: str) -> str:
    try:
        code = main(words)
    except SystemExit as stop:  # argparse's own
        code = int(str(stop.code))
    caught = capsys.readouterr()
    assert code == 2
    assert caught.out == ""
    assert "Traceback" not in caught.err
    return caught.err


# ---- play ----------------------------------------------------------------------------------------------------------


def test_play_tells_a_battle(run: Any) -> None:
    out = run("play", "stairwell", "--agent", "random", "--seed", "3").splitlines()
    assert out[0] == "stairwell on stairwell, seed 3"
    assert out[2] == "Red, played by random:"
    assert "Red ground floor in house.west, ground floor;" in out[3]
    assert "Turn 1" in out
    assert "points: Red " in out[-1]
    assert out == run("play", "stairwell", "--agent", "random", "--seed", "3").splitlines()


def test_play_json_is_one_object_a_game(run: Any) -> None:
    row = json.loads(run("play", "stairwell", "--agent", "Red=random", "--agent", "blue=random", "--json"))
    assert list(row) == ROW
    assert row["agents"] == {"Red": "random", "Blue": "random"}
    assert row["winner"] in ("Red", "Blue", None)
    assert set(row["points"]) == set(row["losses"]) == {"Red", "Blue"}
    assert 1 <= row["turns"] <= 7
    many = run(
        "play", "stairwell", "--agent", "random", "--json", "--games", "3", "--seed", "-1"
    ).splitlines()
    rows = [json.loads(line) for line in many]
    assert [r["seed"] for r in rows] == [-1, 0, 1]
    assert rows[1] == row


def test_play_many_games_counts_them(run: Any) -> None:
    out = run("play", "stairwell", "--agent", "random", "--games", "3").splitlines()
    assert [line.split(":")[0] for line in out[:3]] == ["seed 0", "seed 1", "seed 2"]
    assert out[3].startswith("3 games: Red (random) won ")
    assert run("play", "stairwell", "--agent", "random", "--games", "3", "--quiet").splitlines() == out[3:]


def test_records_of_one_and_of_many(run: Any, tmp_path: Path) -> None:
    one = tmp_path / "one.jsonl"
    row = json.loads(run("play", "stairwell", "--agent", "random", "--record", str(one), "--json"))
    assert read_record(one).digest == row["record_hash"]
    run(
        "play",
        "stairwell",
        "--agent",
        "random",
        "--quiet",
        "--games",
        "2",
        "--record",
        str(tmp_path / "m.jsonl.gz"),
    )
    assert sorted(p.name for p in tmp_path.iterdir()) == ["m-0.jsonl.gz", "m-1.jsonl.gz", "one.jsonl"]
    assert read_record(tmp_path / "m-0.jsonl.gz").digest == row["record_hash"]


CHATTY = """
class Agent:
    def start(self, board, side, chance):
        print("hello")
        self.chance = chance
    def choose(self, view, ask, answers):
        print("thinking")
        return self.chance.choice(answers)
    def explain(self, view, ask, answers):
        self.chance.below(7)
        if view.number % 2:
            raise ValueError("no words")
        return [(answer, float(n), f"reason {n}") for n, answer in enumerate(answers)]
"""


def test_what_agents_print_stays_off_stdout(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "chatty.py"
    file.write_text(CHATTY)
    assert main(["play", "stairwell", "--agent", str(file), "--json"]) == 0
    caught = capsys.readouterr()
    assert list(json.loads(caught.out)) == ROW
    assert "thinking" in caught.err


def test_explain_shows_five_answers_and_changes_nothing(run: Any, tmp_path: Path) -> None:
    file = tmp_path / "chatty.py"
    file.write_text(CHATTY)
    plain = run("play", "stairwell", "--agent", str(file)).splitlines()
    told = run("play", "stairwell", "--agent", str(file), "--explain").splitlines()
    assert run("play", "stairwell", "--agent", str(file), "--explain=terms").splitlines() == told
    assert told[-1] == plain[-1]
    thoughts = [line for line in told if "reason " in line or "answers" in line or "cannot say why" in line]
    assert [line for line in told if line not in thoughts] == plain
    assert any("reason 4" in line for line in thoughts)
    counts = [0]
    for line in (
        thoughts
    ):  # a line with the question, then its rows: the answer that was given, and the best of the others
        if "reason " not in line:
            counts.append(0)
        else:
            assert counts[-1] == 0 or int(line.rsplit("reason ", 1)[1]) < 5
            counts[-1] += 1
    assert max(counts) == 5
    assert any("it cannot say why: ValueError: no words" in line for line in thoughts)


def test_explained_terms_add_up_to_the_score(run: Any) -> None:
    """Under greedy the terms of an answer are what each feature adds to its score, in hundredths."""
    shown = run("play", "stairwell", "--seed", "3", "--explain=terms").splitlines()
    rows = [
        (float(row[1]), [float(term) for term in re.findall(r"[a-z]+ ([+-]\d+\.\d\d)(?:,|$)", row[2])])
        for line in shown
        if (row := re.match(r" +(-?\d+\.\d\d)  (.+)$", line))
    ]
    assert len(rows) > 100
    assert any(min(terms, default=0) < 0 for _, terms in rows), "costs count against an answer"
    for score, terms in rows:
        assert sum(terms) == pytest.approx(score, abs=0.01 * (len(terms) + 2))


# ---- replay, verify ------------------------------------------------------------------------------------------------


@pytest.fixture
def record(run: Any, tmp_path: Path) -> Path:
    path = tmp_path / "battle.jsonl"
    run("play", "stairwell", "--agent", "random", "--seed", "2", "--quiet", "--record", str(path))
    return path


def test_replay_tells_what_play_told(run: Any, record: Path) -> None:
    told = run("play", "stairwell", "--agent", "random", "--seed", "2").splitlines()
    assert run("replay", str(record)).splitlines() == told[:-2]
    data = json.loads(run("replay", str(record), "--json"))
    assert data["story"] == told[:-2]
    assert data["record_hash"] == read_record(record).digest
    assert data["outcome"]["termination"]


def test_verify(run: Any, record: Path) -> None:
    assert run("verify", str(record)).startswith("the record is correct: ")
    assert json.loads(run("verify", str(record), "--agents", "--json"))["same"] is True
    other = run("verify", str(record), "--agent", "Red=rush", code=1)
    assert other.startswith("the agent differs")
    assert json.loads(run("verify", str(record), "--agent", "Red=rush", "--json", code=1))["what"] == "agent"


def test_damaged_records_are_refused(record: Path, capsys: pytest.CaptureFixture[str]) -> None:
    data = record.read_bytes()
    record.write_bytes(data[: len(data) // 2])
    for verb in ("replay", "verify"):
        assert "is cut" in refused(capsys, verb, str(record))
    record.write_bytes(data.replace(b"Placed", b"Plaved", 1))
    assert "was altered" in refused(capsys, "replay", str(record))
    assert "not a record" in refused(capsys, "replay", str(ROOT / "pyproject.toml"))


# ---- refusals ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["play", "stairwel"], "did you mean 'stairwell'?"),
        (["play", "nowhere.yaml"], "nowhere.yaml"),
        (["play", "stairwell", "--agent", "randon"], "did you mean 'random'? or give file.py"),
        (["play", "stairwell", "--agent", "nobody"], "tactician; or give file.py"),
        (["play", "stairwell", "--agent", "red"], "names a side and no agent; --agent red=greedy"),
        (["play", "stairwell", "--agent", "Rad=random"], "did you mean 'Red'?"),
        (["play", "stairwell", "--agent", "random", "--agent", "Red=random"], "side 'Red' has two agents"),
        (
            ["play", "stairwell", "--explain", "--limit", "5"],
            "--explain would take from the time that --limit gives",
        ),
        (["play", "stairwell", "--seed", "x"], "'x' is not a whole number"),
        (["play", "stairwell", "--seed", str(2**63)], "more than 64 bits"),
        (["play", "stairwell", "--seed", str(2**63 - 1), "--games", "2"], "no room for 2 games"),
        (["play", "stairwell", "--games", "0"], "'0' is less than 1"),
        (["play", "stairwell", "--limit", "nan"], "not a number of seconds"),
        (["play", "stairwell", "--agent", "random", "--record", "/no/such/folder/x"], "cannot be written"),
        (["play"], "required: SCENARIO"),
        (["verify", "nowhere.jsonl"], "no such record"),
        (["replay", "nowhere.jsonl"], "no such record"),
        (["replay", "nowhere.jsonl", "--turn", "2"], "add --picture FILE.svg, or leave them out"),
        (["replay", "nowhere.jsonl", "--floor", "x"], "'x' is not a whole number"),
        (["whatif", "nowhere.jsonl", "--at", "x"], "'x' is not a whole number"),
        (["play", "--resume", os.devnull], "the first line is empty"),
        (["fair", "stairwell", "--bound", "nan"], "'nan' is not a number"),
        (["fuzz", "--minutes", "x"], "'x' is not a number"),
        (["rules", "orderdoce"], "did you mean 'orderdice'?"),
        (["map", "check"], "required: MAP"),
        (["map", "draw", "stairwell", "--floor", "99"], "no such floor"),
        (["map", "draw", "stairwel"], "did you mean 'stairwell'?"),
        (["map", "draw", "stairwell", "--out", "end.GIF"], "SVG or PNG, not GIF"),
        (["scenarios", "--picture", "end.svg"], "--picture draws one scenario"),
        (
            ["replay", "nowhere.jsonl", "--picture", "end.pdf"],
            "pictures are SVG or PNG, not PDF; name it end.svg",
        ),
        (["dance"], "there is no verb 'dance'"),
    ],
)
def test_bad_words_get_one_message(
    words: list[str], message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert message in refused(capsys, *words)


def test_agents_by_side() -> None:
    assert by_side([], ("A", "B"), (1, 2)) == [1, 2]
    assert by_side(["b=x,depth=2"], ("A", "B"), (1, 2)) == [1, "x,depth=2"]
    assert by_side(["x,depth=2"], ("A", "B"), (1, 2)) == ["x,depth=2", "x,depth=2"]
    with pytest.raises(InputError, match="no side 'C'"):
        by_side(["C=x"], ("A", "B"), (1, 2))


# ---- the process ---------------------------------------------------------------------------------------------------


def process(*words: str, **options: Any) -> subprocess.Popen[bytes]:
    command = [sys.executable, "-m", "battlesim", *words]
    return subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE, **options)


@pytest.mark.slow
def test_a_reader_that_leaves_is_no_error() -> None:
    playing = process("play", "stairwell", "--agent", "random", "--games", "50")
    assert playing.stdout
    assert playing.stderr
    playing.stdout.readline()
    playing.stdout.close()
    errors = playing.stderr.read()
    assert playing.wait(timeout=600) in (141, -signal.SIGPIPE)
    assert errors == b""
    playing.stderr.close()


@pytest.mark.slow
@pytest.mark.skipif(os.name != "posix", reason="sends a POSIX signal")
def test_an_interrupt_ends_quietly_with_130() -> None:
    playing = process("play", "stairwell", "--agent", "random", "--games", "100000")
    assert playing.stdout
    playing.stdout.readline()
    playing.send_signal(signal.SIGINT)
    _, errors = playing.communicate(timeout=600)
    assert playing.returncode == 130
    assert b"Traceback" not in errors


def test_help_is_quick_and_names_every_verb(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as stop:
        main(["--help"])
    assert stop.value.code == 0
    text = capsys.readouterr().out
    assert all(name in text for name, _ in VERBS)
    assert main([]) == 0
    heavy = ["msgspec", "pydantic", "networkx", "simpy", "yaml", "tqdm"]
    code = f"import sys; from battlesim.cli.main import parser; parser(); print([m for m in {heavy} if m in sys.modules])"
    code += (
        "; print(sum(m.startswith('battlesim') for m in sys.modules) <= 12)"  # the bench holds it to 0.25 s
    )
    made = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, check=True)
    assert made.stdout.split() == [b"[]", b"True"]
    subprocess.run([sys.executable, "-m", "battlesim", "--help"], cwd=ROOT, capture_output=True, check=True)


def test_public_names_resolve_and_all_is_in_order() -> None:
    assert battlesim.__all__ == list(battlesim._HOMES)
    for name in battlesim.__all__:
        assert getattr(battlesim, name) is not None
    with pytest.raises(AttributeError, match="no attribute 'nothing'"):
        _ = battlesim.nothing


def test_the_line_of_a_result_says_how_the_battle_ended_and_what_its_hash_is(
    run: Any,
) -> None:
    told = run("play", "stairwell", "--agent", "random", "--seed", "1", "--quiet")
    assert re.search(r"\(turn \d+: (after the last turn|the enemy is destroyed)\); points: ", told)
    assert re.search(r"; hash of the record [0-9a-f]{32}$", told.strip())
