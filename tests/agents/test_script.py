"""Orders from a file: played as written, checked line by line."""

from __future__ import annotations

from pathlib import Path

import pytest

from battlesim import InputError, find_agent, play
from battlesim.cli.main import main
from battlesim.core.events import Answered
from battlesim.engine.game import Game
from battlesim.engine.record import parse_record
from battlesim.engine.verify import verify
from tests.shipped import load


def orders(tmp_path: Path, text: str) -> str:
    """An agent that plays a script."""
    file = tmp_path / "orders.txt"
    file.write_text(text, encoding="utf-8")
    return f"script,file={file}"


def said(game: Game, side: int) -> list[str]:
    return [event.answer for event in game.log if isinstance(event, Answered) and event.side == side]


def test_a_whole_game_is_repeated_from_its_answers(tmp_path: Path) -> None:
    game = play("stairwell", ("random", "greedy"), seed=5)
    lines = [f"question {n}: {answer}" for n, answer in enumerate(said(game, 0))]
    again = play("stairwell", (orders(tmp_path, "\n".join(lines)), "greedy"), seed=5)
    assert not again.faults
    assert again.log == game.log
    assert verify(parse_record(again.record(), "x"), True, load("stairwell")).same


def test_lines_wait_for_their_conditions_and_are_used_once(tmp_path: Path) -> None:
    text = """
    # Red's yard section goes to ground in the second turn; the officer always does
    turn 2 unit Red yard WhichOrder: order down
    unit Red officer WhichOrder again: order down
    unit 4 WhichOrder turn 1: order no-such-order
    otherwise: first
    """
    game = play("stairwell", (orders(tmp_path, text), "greedy"), seed=8)
    assert not game.faults
    given: dict[tuple[int, int], str] = {}
    turn = 1
    asked = None
    for event in game.log:
        kind = type(event).__name__
        turn += kind == "TurnEnded"
        if kind == "Asked":
            asked = event.ask  # type: ignore[attr-defined]
        if isinstance(event, Answered) and event.side == 0 and type(asked).__name__ == "WhichOrder":
            given[turn, asked.unit] = event.answer  # type: ignore[union-attr]
    officer = {answer for (_, unit), answer in given.items() if unit == 2}
    yard = {turn: answer for (turn, unit), answer in given.items() if unit == 3}
    assert officer == {"order down"}
    assert yard[2] == "order down"
    assert [answer for turn, answer in yard.items() if turn != 2].count("order down") == 0


def test_a_line_about_a_unit_that_does_not_exist_is_passed_over(tmp_path: Path) -> None:
    """At questions about no unit, too, such as which unit acts."""
    plain = play("stairwell", (orders(tmp_path, "otherwise: first"), "greedy"), seed=5)
    picked = [answer for answer in said(plain, 0) if answer.startswith("pick")]
    other = next(answer for answer in picked if answer != picked[0])
    named = play("stairwell", (orders(tmp_path, f"WhichUnit: {other}\notherwise: first"), "greedy"), seed=5)
    assert said(named, 0) != said(plain, 0), "it is legal at the first question"
    ghost = orders(tmp_path, f"unit Ghost: {other}\notherwise: first")
    assert play("stairwell", (ghost, "greedy"), seed=5).log == plain.log


def test_places_and_units_go_by_name(tmp_path: Path) -> None:
    board = load("stairwell").board
    place = next(space for space in board.spaces if space.name == "g2.4")
    text = "unit Red yard WhichOrder: order run\nunit Red yard: go g2.4\notherwise: first\n"
    game = play("stairwell", (orders(tmp_path, text), "greedy"), seed=5)
    assert f"go {place.id}" in said(game, 0)


@pytest.mark.parametrize(
    ("text", "line", "words"),
    [
        ("pass", 1, "no order"),
        ("# fine\nturn x: pass", 2, "turn 'x'"),
        ("turn 1-: pass", 1, "turn '1-'"),
        ("turn 0: order fire", 1, "turn '0'"),
        ("question 1-2: pass", 1, "question '1-2'"),
        ("unit WhichOrder: order fire", 1, "unit without a name"),
        ("WhichOder: order fire", 1, "no condition 'WhichOder'"),
        ("turn 1: shout loud", 1, "no answer 'shout loud'"),
        ("otherwise: panic", 1, "otherwise 'panic'"),
        ("turn 1 turn 2: pass", 1, "turn is given twice"),
        ('unit "A" WhichOrder unit "B": order fire', 1, "unit is given twice"),
        ("WhichUnit WhichOrder: pass", 1, "question's name is given twice"),
        (f"turn {'9' * 5000}: pass", 1, "turn '999"),
        (f"question {'9' * 5000}: pass", 1, "question '999"),
    ],
)
def test_a_wrong_line_is_named(tmp_path: Path, text: str, line: int, words: str) -> None:
    with pytest.raises(InputError) as caught:
        find_agent(orders(tmp_path, text))
    fault = caught.value.faults[0]
    assert (fault.line, Path(fault.file).name) == (line, "orders.txt")
    assert words in fault.what
    assert fault.remedy


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("turn 1 WhichUnit: pick 44", "there is no unit '44' of its own"),
        (f"unit {'9' * 5000} WhichOrder: order fire", "there is no unit '999"),
        (
            "turn 1 WhichUnit: pick Blue officer",
            "there is no unit 'Blue officer' of its own; did you mean 'Red officer'",
        ),
        ("unit Nobody: order fire", "there is no unit 'Nobody' of its own"),
        ("turn 99: order fire", "there is no turn 99; the battle has 6 at most"),
        ("turn 3-2: order fire", "turns 3-2 never come"),
        ("turn 1: go abc", "the map has no place 'abc'"),
        ("turn 1: go 4000", "the map has no place 4000"),
        ("turn 1: say maybe", "'say maybe' is not an answer: yes must be yes or no"),
        ("Pursue: order fire", "orderdice never asks 'Pursue'"),
        ("turn 1: demolish 3", "orderdice has no answer 'demolish'"),
        ("turn 1 WhichOrder: order fyre", "orderdice has no order 'fyre'; did you mean 'fire'"),
    ],
)
def test_what_can_never_be_carried_out_is_told_with_its_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], text: str, words: str
) -> None:
    fine = "turn 1 WhichUnit: pick 4\nturn 1-9 unit Red yard AtWhom: at somebody hidden\nturn 2: go g2.4\n"
    game = play("stairwell", (orders(tmp_path, f"{fine}{text}"), "rush"), seed=5)
    assert not game.faults
    (told,) = capsys.readouterr().err.splitlines()
    assert told.startswith(f"{tmp_path / 'orders.txt'}, line 4: {words}")
    play("stairwell", (orders(tmp_path, f"{fine}{text}"), "rush"), seed=6)
    assert not capsys.readouterr().err, "once is enough"


def test_a_file_may_begin_with_a_byte_order_mark(tmp_path: Path) -> None:
    """As some editors write it, and as maps and scenarios may."""
    agent = orders(tmp_path, "\ufeffWhichUnit again: pick 4\notherwise: first")
    assert [line.ask for line in find_agent(agent).make().lines] == ["WhichUnit"]  # type: ignore[attr-defined]


def test_a_file_without_an_order_is_refused(tmp_path: Path) -> None:
    for text in ("", "# later\n"):
        with pytest.raises(InputError, match=r"orders\.txt: it holds no order"):
            find_agent(orders(tmp_path, text))
    assert find_agent(orders(tmp_path, "otherwise: random"))


def test_all_faults_come_at_once_and_the_command_exits_with_2(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    agent = orders(tmp_path, "pass\nturn: pass\n")
    assert main(["play", "stairwell", "--agent", f"Red={agent}"]) == 2
    told = capsys.readouterr().err
    assert "orders.txt:1: no order" in told
    assert "orders.txt:2: turn ''" in told
    assert main(["play", "stairwell", "--agent", f"Red=script,file={tmp_path / 'none.txt'}"]) == 2
    assert "none.txt: cannot be read" in capsys.readouterr().err


def test_it_goes_on_where_a_battle_was_left(tmp_path: Path) -> None:
    agent = find_agent(orders(tmp_path, "turn 1: pass\nturn 2: pass")).make()
    agent.used = {2}  # type: ignore[attr-defined]
    memory = agent.save()  # type: ignore[attr-defined]
    other = find_agent(orders(tmp_path, "turn 1: pass\nturn 2: pass")).make()
    other.load(memory)  # type: ignore[attr-defined]
    assert other.used == {2}  # type: ignore[attr-defined]


NAMES = {"Red yard": "Red:  yard #2", "Red officer": "7"}


def renamed(tmp_path: Path) -> str:
    """The stairwell with units whose names hold marks of a script and two spaces, or are numbers."""
    folder = Path(__file__).parents[2] / "maps"
    text = (folder / "scenarios" / "stairwell.yaml").read_text(encoding="utf-8")
    for old, new in NAMES.items():
        assert f"name: {old}" in text
        text = text.replace(old, f'"{new}"')
    (tmp_path / "renamed.yaml").write_text(
        text.replace("../stairwell.yaml", "stairwell.yaml"), encoding="utf-8"
    )
    (tmp_path / "stairwell.yaml").write_bytes((folder / "stairwell.yaml").read_bytes())
    return str(tmp_path / "renamed.yaml")


def test_quoted_names_may_hold_anything(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    plain = """
    turn 1 WhichUnit: pick   Red yard
    turn 1-9 unit Red yard WhichOrder again: order down
    turn 1-9 unit Red officer WhichOrder again: order down
    otherwise: first
    """
    quoted = plain
    for old, new in NAMES.items():
        quoted = quoted.replace(old, f'"{new}"')
    one = play("stairwell", (orders(tmp_path, plain), "greedy"), seed=8)
    two = play(renamed(tmp_path), (orders(tmp_path, quoted), "greedy"), seed=8)
    assert not two.faults
    assert said(two, 0) == said(one, 0)
    assert said(one, 0).count("order down") > 2
    assert "there is no unit" not in capsys.readouterr().err
