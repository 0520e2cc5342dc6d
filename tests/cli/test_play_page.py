"""A person on a page: `play --page`, driven over HTTP as the page does it."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from html import unescape
from pathlib import Path
from typing import Any

import pytest

from battlesim.cli.loopback import LARGEST, Loopback
from battlesim.cli.main import main
from battlesim.core.events import Answered, ModelsLost, Placed
from battlesim.engine.record import read_record
from tests.cli.talking import Noting, Talk, pattern, table
from tests.cli.test_human import SMALL
from tests.shipped import load

ROOT = Path(__file__).parents[2]


@pytest.mark.parametrize("book", SMALL)
def test_a_whole_game_is_played_in_every_rulebook(book: str, tmp_path: Path) -> None:
    with table(SMALL[book]) as (talk, _, games):
        state = talk.asked()
        for number in pattern():
            if state["phase"] != "asked":
                break
            state = talk.give(state, number)
        assert (state["phase"], state["result"]) == ("over", "over")
    (game,) = games
    assert not game.faults
    file = tmp_path / "mine.jsonl"
    game.save(file)
    record = read_record(file)
    assert record.header.agents[0].name == "human"
    assert main(["verify", str(file)]) == 0
    told = [text for _, _, text in state["story"]]
    assert len(told) > 20
    assert state["points"] == list(game.outcome.points)


@pytest.mark.slow
def test_nothing_hidden_reaches_the_page() -> None:
    """At the customs outpost both sides begin hidden. No byte that is sent names a unit before it was found, or says where one is
    that is not seen now."""
    scenario = load("outpost")
    found_late = 0
    for side in (0, 1):
        with table("outpost", side) as (talk, player, games):
            state = talk.asked()
            begin = len(player.known)
            names = {unit: row for unit, row in _names(scenario.forces).items() if unit not in player.known}
            assert names
            page = talk.ask("")[1]
            for name in _names(scenario.forces).values():
                assert name.encode() not in page
            for number in pattern():
                if state["phase"] != "asked":
                    break
                talk.bodies.clear()
                talk.ask("odds", {"question": state["question"]["number"]})
                state = talk.give(state, number)
                for body in talk.bodies:
                    for unit, name in names.items():
                        if unit not in player.known:
                            assert not re.search(rb"\b" + re.escape(name.encode()) + rb"\b", body), name
                told = [text for _, _, text in state["story"]]
                assert not [text for text in told if "obody" in text or "-1" in text]
                shown = {int(key[1:]) for key in state["values"] if key[0] in "umb"}
                assert shown <= set(map(int, state["units"])) <= player.known
            found_late += len(player.known) - begin
            assert games or state["phase"] != "asked"
    assert found_late  # some were found, so the test saw names come


def _names(forces: Any) -> dict[int, str]:
    return {number: force.name for number, force in enumerate(forces)}


def test_a_unit_that_is_lost_from_sight_leaves_the_board() -> None:
    """What the page is told of the board is what the view shows, and no more."""
    with table("outpost") as (talk, player, _):
        state = talk.asked()
        for number in pattern():
            if state["phase"] != "asked":
                break
            asked = player._asked
            assert asked is not None
            shown = {int(key[1:]) for key in state["values"] if key[0] == "m"}
            assert shown == set(asked.view.units)
            placed = {u for u in asked.view.units.values() if u.alive and u.place >= 0}
            for unit in placed:
                space = load("outpost").board.spaces[unit.place]
                assert state["values"][f"u{unit.id}"][:2] == [space.x, space.y]
            state = talk.give(state, number)


def test_objectives_about_enemies_that_are_found_are_shown_like_at_the_terminal() -> None:
    """The garrison of the bastion does not know at first which armour it has to stop."""
    with table("bastion", 1) as (talk, player, _):
        state, found = talk.asked(), set()
        page = unescape(talk.ask("")[1].decode())
        assert "the western pillbox" in page
        assert "the tanks" not in page
        for _ in range(12):
            asked = player._asked
            assert asked is not None
            known = {goal.name for goal in getattr(asked.view.extra, "objectives", ())}
            told = {says.partition(" (")[0] for says in state["goals"]}
            assert told == {name for name in known if name not in page}
            found |= told
            state = talk.give(state)
        assert "the tanks" in found


# ---- what is refused


@pytest.fixture(scope="module")
def seat() -> Iterator[tuple[Talk, Noting]]:
    with table("stairwell") as (talk, player, _):
        talk.asked()
        yield talk, player


BODY = {"question": 0, "answer": "pick 4"}


@pytest.mark.parametrize(
    ("what", "body", "headers", "status"),
    [
        ("answer", {"question": 0, "answer": "pick 99"}, {}, 400),
        ("answer", {"question": 0, "answer": "no answer at all"}, {}, 400),
        ("answer", {"question": 0}, {}, 400),
        ("answer", {"question": "0", "answer": "pick 4"}, {}, 400),
        ("answer", {**BODY, "more": 1}, {}, 400),
        ("answer", b"{", {}, 400),
        ("answer", b"\xff\xfe", {}, 400),
        ("answer", b"[" * 4000, {}, 400),
        ("answer", {**BODY, "question": 7}, {}, 409),
        ("answer", {**BODY, "question": -1}, {}, 409),
        ("odds", {"question": 3, "answer": None}, {}, 409),
        ("odds", {"question": 0, "answer": "pick 99"}, {}, 400),
        ("answer", BODY, {"Content-Type": "text/plain"}, 415),
        ("answer", BODY, {"Content-Type": "application/x-www-form-urlencoded"}, 415),
        ("answer", BODY, {"Origin": "http://evil.example"}, 403),
        ("answer", BODY, {"Sec-Fetch-Site": "cross-site"}, 403),
        ("answer", BODY, {"Host": "evil.example"}, 421),
        ("answer", b" " * (LARGEST + 1), {}, 413),
        ("answer", b" " * 3_000_000, {}, 413),
        ("answer", BODY, {"Transfer-Encoding": "chunked"}, 411),
        ("state.json", BODY, {}, 405),
        ("nothing", BODY, {}, 404),
        ("../answer", BODY, {}, 404),
    ],
)
def test_a_bad_request_is_refused_and_changes_nothing(
    seat: tuple[Talk, Noting], what: str, body: Any, headers: dict[str, str], status: int
) -> None:
    talk, _ = seat
    before = talk.get("state.json")
    assert before["question"]["number"] == 0
    assert "pick 4" in [row["form"] for row in before["question"]["answers"]]
    try:
        given, said = talk.ask(what, body, "POST", headers)
    except (ConnectionResetError, BrokenPipeError):  # it stopped reading three megabytes
        assert status == 413
    else:
        assert given == status
        if status in (400, 409):
            assert json.loads(said)["error"]
    assert talk.get("state.json") == before


def test_the_wrong_token_and_the_wrong_way_to_ask_are_refused(seat: tuple[Talk, Noting]) -> None:
    talk, _ = seat
    assert Talk(talk.port, "x" * len(talk.token)).ask("answer", BODY)[0] == 404
    assert talk.ask("answer")[0] == 405  # it is not read, but sent to
    assert talk.ask("answer", None, "PUT")[0] == 501


def test_the_page_may_run_its_own_script_alone(seat: tuple[Talk, Noting]) -> None:
    text = seat[0].ask("")[1].decode()
    policy = re.search(r'Content-Security-Policy" content="([^"]+)"', text)
    assert policy is not None
    assert policy[1].startswith("default-src 'none'; style-src 'sha256-")
    assert "unsafe" not in policy[1]
    assert "connect-src 'self'" in policy[1]
    assert not re.search(r"\son\w+=", text)
    assert not re.search(r"\s(src|style)=", text)


def test_an_answer_that_comes_twice_is_given_once() -> None:
    """Two pages are open: the second one's answer to the same question is told so, and shown what is asked now."""
    with table("stairwell") as (talk, _, _):
        first = talk.asked()
        body = {"question": first["question"]["number"], "answer": first["question"]["answers"][0]["form"]}
        assert talk.ask("answer", body)[0] == 200
        status, said = talk.ask("answer", body)
        told = json.loads(said)
        assert status == 409
        assert "no longer asked" in told["error"]
        assert told["state"]["question"] != first["question"]


@pytest.mark.slow
def test_odds_are_those_of_the_terminal_and_do_not_move_the_battle() -> None:
    games = []
    for nosy in (False, True):
        with table("stairwell") as (talk, player, found):
            state = talk.asked()
            for number in pattern():
                if state["phase"] != "asked":
                    break
                if nosy:
                    asked = player._asked
                    assert asked is not None
                    body = {"question": asked.number, "answer": asked.forms[-1]}
                    ((which, text),) = json.loads(talk.ask("odds", body)[1])["odds"]
                    assert which == len(asked.forms) - 1
                    assert text == player._seat.odds(asked.view, asked.answers[-1])
                    best = json.loads(talk.ask("odds", {"question": asked.number})[1])["odds"]
                    assert len(best) == min(5, len(asked.forms))
                state = talk.give(state, number)
        games += found
    assert games[0].record_hash == games[1].record_hash


# ---- the command


@contextmanager
def command(*words: str, cwd: Path) -> Iterator[tuple[subprocess.Popen[str], Talk]]:
    run = "import sys; from battlesim.cli.main import main; sys.exit(main(sys.argv[1:]))"
    process = subprocess.Popen(
        [sys.executable, "-c", run, "play", *words, "--page"],
        cwd=cwd,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
    )
    try:
        assert process.stderr is not None
        line = process.stderr.readline()
        found = re.search(r"http://127\.0\.0\.1:(\d+)/([\w-]+)/", line)
        assert found is not None, line + process.stderr.read()
        yield process, Talk(int(found[1]), found[2])
    finally:
        process.kill()
        process.communicate()


@pytest.mark.slow
def test_a_game_is_left_and_gone_on_with_and_its_record_is_as_good_as_any(tmp_path: Path) -> None:
    words = ("stairwell", "--agent", "Red=human", "--seed", "9")
    numbers = pattern()
    with command(*words, "--record", "whole.jsonl", cwd=tmp_path) as (process, talk):
        state = talk.asked()
        while state["phase"] == "asked":
            state = talk.give(state, next(numbers))
        out, _ = process.communicate(timeout=600)
        assert state["result"].startswith(out.strip())
        assert "whole.jsonl" in state["result"]
    numbers = pattern()
    with command(*words, "--save", "left.saved", cwd=tmp_path) as (process, talk):
        state = talk.asked()
        for _ in range(7):
            state = talk.give(state, next(numbers))
        status, said = talk.ask("leave", {})
        left = json.loads(said)["state"]
        assert (status, left["phase"], left["question"]) == (200, "left", None)
        assert "battlesim play --resume left.saved --page" in left["result"]
        assert process.wait(60) == 0
    with command("--resume", "left.saved", "--record", "parts.jsonl", cwd=tmp_path) as (process, talk):
        again = talk.asked()
        assert again["story"] == state["story"]  # the story so far
        assert again["question"] == state["question"]
        assert again["values"] == state["values"]
        while again["phase"] == "asked":
            again = talk.give(again, next(numbers))
        process.wait(60)
    assert (tmp_path / "parts.jsonl").read_bytes() == (tmp_path / "whole.jsonl").read_bytes()
    record = read_record(tmp_path / "parts.jsonl")
    assert not any(event.by == "referee" for event in record.events if isinstance(event, Answered))
    assert main(["verify", str(tmp_path / "parts.jsonl")]) == 0


@pytest.mark.slow
def test_ctrl_c_saves_the_game_and_tells_the_page(tmp_path: Path) -> None:
    with command("stairwell", "--agent", "Red=human", "--save", "left.saved", cwd=tmp_path) as (
        process,
        talk,
    ):
        talk.asked()
        process.send_signal(signal.SIGINT)
        state = talk.get("state.json")
        while state["phase"] == "asked":
            state = talk.get("state.json")
        assert "The game is saved" in state["result"]
        assert process.wait(60) == 0
    assert (tmp_path / "left.saved").is_file()


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (
            ("stairwell", "--page"),
            "--page is for one person who plays; nobody does; name one side: --agent Red=human",
        ),
        (("stairwell", "--page", "--agent", "human"), "both sides are people"),
        (("stairwell", "--port", "80"), "--port is for the page of a person who plays"),
        (("stairwell", "--page", "--agent", "Red=human", "--port", "99999"), "'99999' is not a port"),
        (
            ("stairwell", "--page", "--agent", "Red=human", "--games", "2"),
            "a person plays one game at a time",
        ),
    ],
)
def test_what_cannot_be_is_said_with_exit_code_2(
    words: tuple[str, ...], told: str, capsys: pytest.CaptureFixture[str]
) -> None:
    try:
        code = main(["play", *words])
    except SystemExit as left:
        code = int(str(left.code))
    caught = capsys.readouterr()
    assert code == 2
    assert told in caught.err


def test_a_port_that_is_taken_is_said(capsys: pytest.CaptureFixture[str]) -> None:
    with Loopback({}) as server:
        words = ["play", "stairwell", "--agent", "Red=human", "--page", "--port", str(server.port)]
        assert main(words) == 2
    assert f"--port {server.port}: Address already in use; give another one" in capsys.readouterr().err


def test_what_is_told_has_its_turn_and_the_fallen_lie_where_they_fell() -> None:
    """Points for the last turn are scored after its end; a unit may flee before it is destroyed, between two questions."""
    with table("watch-house") as (talk, _, games):
        state, number = talk.asked(), 0
        while state["phase"] == "asked":
            forms = [row["form"] for row in state["question"]["answers"]]
            talk.give(state, next((n for n, form in enumerate(forms) if form.startswith("at")), 7 * number))
            state, number = talk.asked(), number + 1
    (game,) = games
    turns = [row[0] for row in state["story"]]
    assert turns == sorted(turns)
    assert turns[-1] <= 6
    places = {unit["id"]: unit["place"] for unit in json.loads(bytes(game.header.start))["units"]}
    fallen = []
    for event in game.log:
        if isinstance(event, Placed):
            places[event.unit] = event.place
        elif isinstance(event, ModelsLost) and event.left == 0 and places[event.unit] >= 0:
            fallen.append((event.unit, game.scenario.board.spaces[places[event.unit]]))
    own = [(unit, space) for unit, space in fallen if game.state.units[unit].side == 0]
    assert own
    for unit, space in own:
        assert state["values"][f"u{unit}"][:2] == [space.x, space.y]
