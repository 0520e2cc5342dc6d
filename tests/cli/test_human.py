"""A person at the terminal: `play --agent SIDE=human`, driven through stdin."""

from __future__ import annotations

import io
import itertools
import json
import os
import re
import signal
import subprocess
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import pytest

from battlesim.cli.live import live_story
from battlesim.cli.main import main
from battlesim.core.events import Answered
from battlesim.engine.game import play
from battlesim.engine.record import read_record
from battlesim.engine.roster import find_agent
from battlesim.viewer.insight import insight_of
from battlesim.viewer.story import tell_record
from tests.shipped import load

SMALL = {"orderdice": "stairwell", "squadhex": "square", "armorclass": "outpost", "regiment": "watch-house"}


class Typed(io.StringIO):
    """What a person types: lines from an iterator, none after its end."""

    def __init__(self, lines: Iterable[str]) -> None:
        super().__init__()
        self._lines: Iterator[str] = iter(lines)
        self.read_lines = 0

    def readline(self, size: int | None = -1, /) -> str:
        line = next(self._lines, None)
        self.read_lines += line is not None
        return "" if line is None else line + "\n"


@pytest.fixture
def typed(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Any:
    """Runs the program with lines typed; returns what it wrote to stdout and to stderr."""

    def call(lines: Iterable[str], *words: str, code: int = 0) -> tuple[str, str]:
        monkeypatch.setattr(sys, "stdin", Typed(lines))
        assert main(words) == code, capsys.readouterr().err
        caught = capsys.readouterr()
        return caught.out, caught.err

    return call


def turns() -> Iterator[str]:
    """A person who answers something other each time, always legally."""
    return itertools.cycle(["1", "2", "1", "1", "2"])


@pytest.mark.slow
@pytest.mark.parametrize("book", SMALL)
def test_a_person_plays_every_rulebook_to_the_end(book: str, typed: Any, tmp_path: Path) -> None:
    file = tmp_path / "mine.jsonl"
    out, err = typed(
        turns(),
        "play",
        SMALL[book],
        "--agent",
        f"{load(SMALL[book]).sides[0].name}=human",
        "--record",
        str(file),
    )
    record = read_record(file)
    side = record.header.sides[0]
    assert record.header.agents[0].name == "human"
    assert not any(event.by == "referee" for event in record.events if isinstance(event, Answered))
    assert "victory" in out or "a draw" in out
    asked = sum(isinstance(event, Answered) and event.side == 0 for event in record.events)
    assert err.count(f", {side}: ") >= asked
    story = list(tell_record(record))
    news = [line for line in err.splitlines() if line in {told.strip() for told in story}]
    assert len(news) > 20  # the person was told what happened, in the words of the story
    assert "the record is correct" in typed([], "verify", str(file))[0]
    again = typed([], "verify", str(file), "--agents")[0]  # the other side's agent is asked
    assert "the record is correct" in again
    assert f"not checked: the answers of {side}, whom a person played" in again


@pytest.mark.parametrize("book", SMALL)
def test_a_person_is_told_what_the_watch_page_tells_of_their_side(
    book: str, typed: Any, tmp_path: Path
) -> None:
    """Whom they find by name, and those whom they do not know as somebody unseen: no more, no less."""
    file = tmp_path / "mine.jsonl"
    scenario = "drones" if book == "armorclass" else SMALL[book]
    side = f"{load(scenario).sides[0].name}=human"
    _, err = typed(turns(), "play", scenario, "--agent", side, "--seed", "3", "--record", str(file))
    record = read_record(file)
    told = insight_of(record).told[0]
    words = [sentence.text for group in told.values() for sentence in group]
    words += [] if told else [line.strip().split("  [")[0] for line in tell_record(record)]
    news = [line.strip().split("  [")[0] for line in _heard(err)]
    assert len(news) > 20
    assert set(news[2:]) <= set(words) | {"Type ? for help."}
    if book == "armorclass":
        assert any(re.match(r"Drone \w+ detects Blue ", line) for line in news)


@pytest.mark.slow
def test_whatif_says_that_an_agent_plays_on_for_the_person(typed: Any, tmp_path: Path) -> None:
    file = tmp_path / "mine.jsonl"
    typed(turns(), "play", "stairwell", "--agent", "Red=human", "--record", str(file))
    words = ("--at", "3", "--games", "1", "--workers", "1", "--agent", "Red=greedy")
    out, _ = typed([], "whatif", str(file), *words)
    story = list(tell_record(read_record(file)))[-1]
    assert "A person played Red; here greedy plays on for them, also as played.\n" in out
    ended = out.splitlines()[-1].removeprefix("With the person's own answers it ended: ")
    assert ended.removesuffix(".") in story


@pytest.mark.slow
def test_a_game_that_is_left_is_gone_on_with_as_if_nothing_had_been(typed: Any, tmp_path: Path) -> None:
    whole, parts, saved = tmp_path / "whole.jsonl", tmp_path / "parts.jsonl", tmp_path / "game.saved"
    words = (
        "play",
        "stairwell",
        "--agent",
        "Red=human",
        "--agent",
        "Blue=searcher,samples=2",
        "--seed",
        "9",
        "--imagine",
        "20",
    )
    typed(turns(), *words, "--record", str(whole))
    answers = turns()
    _, err = typed(itertools.islice(answers, 7), *words, "--save", str(saved))
    assert f"The game is saved. Go on with: battlesim play --resume {saved}" in err
    heard = _heard(err)
    assert len(heard) > 10
    _, err = typed([next(answers), next(answers), "quit"], "play", "--resume", str(saved))
    assert _heard(err)[: len(heard)] == heard  # the story so far is told again
    assert "The game is saved" in err
    assert not parts.exists()
    typed(answers, "play", "--resume", str(saved), "--record", str(parts))
    assert parts.read_bytes() == whole.read_bytes()


def _heard(err: str) -> list[str]:
    """The sentences of the story that a person was told: lines that stand neither in a list nor after a prompt."""
    lines = [line.removeprefix("> ") for line in err.splitlines()]
    return [line for line in lines if re.match(r" *[A-Z].*\.(?:  \[.*\])?$", line)]


def test_the_end_of_the_battle_is_told(typed: Any, tmp_path: Path) -> None:
    """What happened after the person's last question is told, too."""
    file = tmp_path / "mine.jsonl"
    _, err = typed(turns(), "play", "stairwell", "--agent", "Red=human", "--record", str(file))
    story = [line.strip() for line in tell_record(read_record(file)) if line.strip()]
    assert err.splitlines()[-1].strip() == story[-1]


def test_answers_are_numbers_words_or_their_text_form(typed: Any, tmp_path: Path) -> None:
    saved = tmp_path / "s"
    lines = ["red CORNER", "order advance", "2", "quit"]
    _, err = typed(lines, "play", "stairwell", "--agent", "Red=human", "--seed", "4", "--save", str(saved))
    assert "Red corner is ordered to advance." in err
    answers = [json.loads(line)["answer"] for line in saved.read_bytes().splitlines()[1:-1]]
    assert answers[:2] == ["pick 4", "order advance"]
    assert answers[2].startswith("go ")


def test_what_is_typed_wrongly_is_asked_again(typed: Any, tmp_path: Path) -> None:
    lines = ["", "0", "99", "Red cornre", "Red corner", "quit"]
    _, err = typed(
        lines, "play", "stairwell", "--agent", "Red=human", "--seed", "4", "--save", str(tmp_path / "s")
    )
    assert "'0' is not an answer here; give a number from 1 to 5" in err
    assert "'99' is not an answer here" in err
    assert "'Red cornre' is not an answer here; did you mean 'Red corner'?" in err
    assert "which order does Red corner get?" in err


def test_help_units_goals_and_odds_on_demand(typed: Any, tmp_path: Path) -> None:
    lines = ["?", "units", "goals", "odds 4", "odds", "odds x", "more", "quit"]
    _, err = typed(
        lines, "play", "stairwell", "--agent", "Red=human", "--seed", "4", "--save", str(tmp_path / "s")
    )
    assert "leave the game; it is saved" in err
    assert re.search(r"  Blue officer +2 left +house\.east, floor 2", err)
    assert "turn 1 of 6; points: 0 to 0" in err
    assert "  the western stairwell: hold, 2 points\n" in err
    assert "  the red officer: destroy, 2 points, for Blue\n" in err
    assert len(re.findall(r"^(?:> )?  4  Red yard: Expects .* to lose ", err, re.MULTILINE)) == 2
    assert "'x' is not an answer here" in err


def test_units_stand_in_the_states_that_pages_name(typed: Any, tmp_path: Path) -> None:
    words = ("play", "drones", "--agent", "Red=human", "--save", str(tmp_path / "s"))
    _, err = typed([*itertools.islice(turns(), 6), "units", "quit"], *words)
    assert "not found by the enemy" in err
    assert "cohesion" not in err


def test_passengers_are_told_to_be_aboard(typed: Any, tmp_path: Path) -> None:
    words = ("play", "village", "--agent", "Nolan=human", "--save", str(tmp_path / "s"))
    _, err = typed(["units", "quit"], *words)
    assert re.search(r"  1st squad +10 left +aboard half-track", err)


def test_answers_name_walls_by_where_they_face(typed: Any, tmp_path: Path) -> None:
    words = ("--seed", "3", "--save", str(tmp_path / "s"))
    _, err = typed(itertools.islice(turns(), 80), "play", "drones", "--agent", "Red=human", *words)
    assert re.search(
        r"into house\.west, floor \d, where somebody may be, through the wall facing (north|south|west)", err
    )
    assert "(search" not in err
    _, err = typed(["1"], "play", "village", "--agent", "Weiss=human", *words)
    assert re.search(r"  2  yes, in the wall facing \w+", err)


@pytest.mark.slow
def test_odds_do_not_move_the_battle(typed: Any, tmp_path: Path) -> None:
    one, two = tmp_path / "1.jsonl", tmp_path / "2.jsonl"
    words = ("play", "outpost", "--agent", "South=human", "--seed", "4")
    typed(turns(), *words, "--record", str(one))
    nosy = (line for answer in turns() for line in ("odds 1", "units", answer))
    typed(nosy, *words, "--record", str(two))
    assert one.read_bytes() == two.read_bytes()


def test_a_person_is_told_of_no_enemy_that_they_do_not_see(typed: Any, tmp_path: Path) -> None:
    """At the customs outpost the enemy is not seen at first."""
    saved = tmp_path / "s"
    _, err = typed(
        ["units", "quit"], "play", "outpost", "--agent", "South=human", "--seed", "4", "--save", str(saved)
    )
    assert "nobody that you know of" in err
    enemies = [
        unit["name"]
        for unit in json.loads(saved.read_bytes().splitlines()[0])["start"]["units"]
        if unit["side"] == 1
    ]
    assert enemies
    assert not [name for name in enemies if name in err]


RUN = "import sys; from battlesim.cli.main import main; sys.exit(main(sys.argv[1:]))"


@pytest.mark.slow
def test_ctrl_c_saves_the_game(tmp_path: Path) -> None:
    words = ["play", "stairwell", "--agent", "human", "--save", "left.saved"]
    process = subprocess.Popen(
        [sys.executable, "-c", RUN, *words],
        cwd=tmp_path,
        stdin=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env={**os.environ, "PYTHONPATH": str(Path(__file__).parents[2])},
    )
    assert process.stderr is not None
    while "Turn 1, " not in process.stderr.readline():
        pass
    process.send_signal(signal.SIGINT)
    _, err = process.communicate(timeout=600)
    assert process.returncode == 0
    assert "The game is saved" in err
    assert (tmp_path / "left.saved").is_file()


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (("play",), "required: SCENARIO; name one"),
        (("play", "stairwell", "--resume", "SAVED"), "SCENARIO and --resume contradict"),
        (("play", "--resume", "SAVED", "--agent", "greedy"), "--agent and --resume contradict"),
        (("play", "--resume", "SAVED", "--seed", "3"), "--seed and --resume contradict"),
        (("play", "--resume", "SAVED", "--limit", "3"), "--limit and --resume contradict"),
        (("play", "--resume", "SAVED", "--imagine", "3"), "--imagine and --resume contradict"),
        (("play", "--resume", "nowhere"), "nowhere: there is no such saved game; "),
        (("play", "--resume", "RECORD"), "not a saved game"),
        (("play", "--resume", "CUT"), "the saved game is cut"),
        (
            ("play", "--resume", "BEGINNING"),
            "the saved game is cut or damaged in its first line; name a file that",
        ),
        (("play", "--resume", "EMPTY"), "not a saved game: the first line is empty; name a file that"),
        (("play", "--resume", "ALTERED"), "the saved game was altered"),
        (("play", "stairwell", "--save", "x"), "--save is for a person who plays; nobody does"),
        (("play", "stairwell", "--agent", "human", "--games", "2"), "a person plays one game at a time"),
        (
            ("whatif", "RECORD", "--at", "0"),
            "'human' is a person, who cannot be asked again; name an agent for that side: --agent ",
        ),
        (("exam", "human"), "'human' is a person"),
        (("compare", "human", "greedy"), "'human' is a person"),
    ],
)
def test_what_cannot_be_is_said_with_exit_code_2(
    words: tuple[str, ...], told: str, typed: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    typed(["1", "1"], "play", "stairwell", "--agent", "Red=human", "--save", "SAVED")
    if "RECORD" in words:
        typed(turns(), "play", "stairwell", "--agent", "Red=human", "--record", "RECORD")
    saved = Path("SAVED").read_bytes()
    Path("CUT").write_bytes(saved[:-5])
    Path("BEGINNING").write_bytes(saved[:500])
    Path("EMPTY").write_bytes(b"")
    Path("ALTERED").write_bytes(saved.replace(b'"pick ', b'"pick 9', 1))
    out, err = typed(["1"], *words, code=2)
    assert out == ""
    assert told in err
    assert Path("SAVED").read_bytes() == saved


@pytest.mark.parametrize(
    "words", [("--save", "no/x"), ("--record", "no/x.jsonl"), ("--save", "."), ("--record", ".")]
)
def test_nobody_plays_a_game_that_cannot_be_kept(
    words: tuple[str, ...], typed: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    _, err = typed(["1", "1"], "play", "stairwell", "--agent", "Red=human", *words, code=2)
    assert err.startswith(f"battlesim: {words[1]}: ")
    assert "cannot be written" in err
    assert "Turn 1" not in err  # no question was put
    typed(["1", "1"], "play", "stairwell", "--agent", "Red=human", "--save", "SAVED")
    _, err = typed(["1"], "play", "--resume", "SAVED", *words, code=2)
    assert "cannot be written" in err
    assert "Turn 1" not in err
    assert [file.name for file in tmp_path.iterdir()] == ["SAVED"]


def test_a_saved_game_does_not_replace_its_scenario(typed: Any, tmp_path: Path) -> None:
    file = tmp_path / "mine.yaml"
    shipped = Path(__file__).parents[2] / "maps" / "scenarios" / "stairwell.yaml"
    file.write_text(shipped.read_text().replace("map: ../stairwell.yaml", "map: stairwell"))
    words = ("play", str(file), "--agent", "Red=human", "--save", str(file))
    before = file.read_bytes()
    assert "the saved game would replace the scenario" in typed(["1"], *words, code=2)[1]
    assert file.read_bytes() == before


def test_watch_tells_a_scenario_while_it_is_played(typed: Any, tmp_path: Path) -> None:
    file = tmp_path / "kept.jsonl"
    words = ("watch", "stairwell", "--agent", "Red=rush", "--seed", "3")
    out, err = typed(["", "", "", "", "", ""], *words, "--step", "--record", str(file))
    assert out.splitlines() == list(tell_record(read_record(file)))
    assert err.startswith("-- Enter for turn 1 ---- Enter for turn 2 --")
    row = json.loads(typed([], *words, "--json")[0])
    assert row["record_hash"] == read_record(file).digest
    assert "--out is for the page of a record" in typed([], *words, "--out", "x.html", code=2)[1]
    assert "nowhere.yaml" in typed([], "watch", "nowhere.yaml", code=2)[1]
    assert "did you mean 'stairwell'" in typed([], "watch", "stairwel", code=2)[1]
    assert "there is no such record" in typed([], "watch", "nowhere.jsonl.gz", code=2)[1]


def test_a_battle_is_told_while_it_is_played() -> None:
    scenario, greedy = load("stairwell"), find_agent("greedy")
    lines: list[str] = []
    turn_of_line: list[int] = []
    game = live_story(
        scenario, (greedy, greedy), 3, None, lines.append, lambda turn: turn_of_line.append(len(lines))
    )
    record = play(scenario, ("greedy", "greedy"), 3)
    assert game.record_hash == record.record_hash
    from battlesim.engine.record import parse_record

    assert lines == list(tell_record(parse_record(record.record(), "x")))
    assert turn_of_line == sorted(turn_of_line)
    assert 0 < turn_of_line[1] < len(lines)


def test_a_number_of_thousands_of_digits_is_no_answer(
    typed: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    _, err = typed(["9" * 5000, "quit"], "play", "stairwell", "--agent", "Red=human")
    assert "is not an answer here; give a number from 1 to" in err
