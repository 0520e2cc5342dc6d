"""What `whatif` found, on the replay page: turning points on the timeline, what answers were worth at their question."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from battlesim.cli.main import main
from battlesim.core.errors import InputError
from battlesim.engine.origin import board_of
from battlesim.engine.record import Record, read_record
from battlesim.viewer.asked import Asked, SameDice, by_order, read_asked
from battlesim.viewer.page import watch_page
from battlesim.viewer.turning import what_if_data
from tests.viewer.browser import Opened, chromium_browser
from tests.viewer.test_page import Elements, data_of

RECORD = Path(__file__).parents[1] / "golden" / "records" / "barrage-fells.jsonl"


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """The two kinds of files, as the command writes them."""
    folder = tmp_path_factory.mktemp("asked")
    found = {"turning": folder / "turning.json", "if": folder / "if.json"}
    words = ("whatif", str(RECORD), "--workers", "1", "--games", "4", "--json")
    assert main([*words, str(found["turning"]), "--turning-points"]) == 0
    assert main([*words, str(found["if"]), "--at", "2", "--agent", "greedy"]) == 0
    return found


@cache
def record() -> Record:
    return read_record(RECORD)


def page_with(*files: Path) -> str:
    return watch_page(record(), board_of(record()), asked=read_asked(files, record()))


@pytest.mark.slow
def test_turning_points_are_links_to_their_moments(files: dict[str, Path]) -> None:
    said = json.loads(files["turning"].read_text())
    text = page_with(files["turning"])
    marks = re.findall(r'<a href="#event=(\d+)" class="swing s(\d)" aria-label="([^"]+)"', text)
    assert len(marks) == len(said["turning_points"]) > 1
    moments = [row[0] for row in data_of(text)["moments"]]
    for (event, side, says), act in zip(marks, said["turning_points"], strict=True):
        assert int(event) == next(n for n in moments if n >= act["act"])
        assert int(side) == int(act["then"] < act["before"])
        assert f"{act['before']:.0%} to {act['then']:.0%}" in says
        moved = act["order"][0]["value"] + act["order"][1]["value"]
        assert ("an order" in says) == (abs(moved) >= abs(act["dice"]["value"]))
    words = " ".join(Elements(text).text)
    for act in said["turning_points"]:
        assert act["text"] in words
        assert f"dice {100 * act['dice']['value']:+.0f} ± {100 * act['dice']['error']:.0f}" in words


def test_the_timeline_shows_the_chances_that_were_played_on(files: dict[str, Path]) -> None:
    asked = read_asked([files["turning"]], record())
    moves = json.loads(files["turning"].read_text())["moves"]
    chances = asked.chances(record())
    assert chances[0] == (-1, moves[0]["before"])
    assert dict(chances)[moves[3]["event"]] == moves[3]["after"]
    assert chances[-1] == (len(record().events) - 1, moves[-1]["then"])
    assert [event for event, _ in chances] == sorted(event for event, _ in chances)
    assert "Chance to win (played on)" in page_with(files["turning"])
    assert "Chance to win" not in page_with()


def test_a_question_shows_what_its_answers_were_worth(files: dict[str, Path]) -> None:
    said = json.loads(files["if"].read_text())
    text = page_with(files["if"])
    words = " ".join(Elements(text).text)
    heads, rows = data_of(text)["worth"]["2"]  # type: ignore[call-overload]
    assert len(rows) == len(said["answers"]) > 1
    for row, answer in zip(rows, said["answers"], strict=True):
        assert row[0] == answer["words"]
        assert row[1] == f"{answer['chance']:.0%} ({answer['low']:.0%} to {answer['high']:.0%})"
        assert row[1] in words
    assert rows[0][2] == "as played"
    assert heads[1] == f"{said['side']} wins"


def test_worths_are_told_with_the_winners_points_first_and_names_as_they_are(files: dict[str, Path]) -> None:
    one = read_asked([files["if"]], record()).questions[2]
    same = SameDice(
        0.0, (7, 2), "length"
    )  # the side that was asked has more points and loses, if it is the first
    worse = replace(one, side="Rock & Rollers", answers=(replace(one.answers[0], same_dice=same),))
    heads, rows = what_if_data(Asked(questions={2: worse}), ("Rock & Rollers", "Blue"))[2]
    assert heads[1] == "Rock & Rollers win"
    assert rows[0][3] == "lost, 2 to 7"
    assert what_if_data(Asked(questions={2: worse}), ("Blue", "Rock & Rollers"))[2][1][0][3] == "lost, 7 to 2"


def test_both_files_go_on_one_page_and_without_them_it_is_as_before(files: dict[str, Path]) -> None:
    both = page_with(files["turning"], files["if"])
    assert 'id="tab-turning"' in both
    assert 'id="tab-whatif"' in both
    plain = watch_page(record(), board_of(record()))
    assert plain == watch_page(record(), board_of(record()), asked=Asked())
    assert "tab-whatif" not in plain
    assert 'class="swings"' not in plain


def test_names_in_the_file_stay_text(files: dict[str, Path], tmp_path: Path) -> None:
    hostile = "</script><img src=x onerror=alert(1)>"
    for kind in ("turning", "if"):
        said = json.loads(files[kind].read_text())
        for row in said.get("turning_points", []):
            row["text"] = hostile
        for row in said.get("answers", []):
            row["words"] = hostile
        said["asked"] = said["side"] = hostile
        bad = tmp_path / "bad.json"
        bad.write_text(json.dumps(said))
        text = page_with(bad)
        assert "<img" not in text
        assert text.count("<script") == 2


@pytest.mark.parametrize(
    ("change", "told"),
    [
        (lambda said: said | {"record_hash": "0" * 32}, "it is about another record (0000"),
        (lambda said: [said], "this is not an answer of `whatif`"),
        (lambda said: {"record": "x", "questions": []}, "this is not an answer of `whatif` about a question"),
        (lambda said: said | {"moves": []}, "it is not as `whatif` writes it"),
        (lambda said: said | {"moves": said["moves"][::-1]}, "not events of the record in their order"),
        (lambda said: said | {"result": said["result"] - 0.5}, "its shares do not add up to the result"),
        (lambda said: said | {"luck": 3}, "it is not as `whatif` writes it"),
        (lambda said: said | {"turning_points": [said["acts"][0] | {"act": 10**9}]}, "no order at event"),
    ],
)
def test_a_file_of_something_else_is_refused(
    change: Callable[[Any], Any], told: str, files: dict[str, Path], tmp_path: Path
) -> None:
    bad = tmp_path / "bad.json"
    bad.write_text(json.dumps(change(json.loads(files["turning"].read_text()))))
    with pytest.raises(InputError) as caught:
        read_asked([bad], record())
    assert told in str(caught.value)
    assert len(caught.value.faults) == 1


def test_the_command_takes_the_files_and_refuses_with_one_message(
    files: dict[str, Path], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "page.html"
    words = ["watch", str(RECORD), "--plain", "--out", str(out), "--asked", str(files["turning"])]
    assert main([*words, "--asked", str(files["if"])]) == 0
    assert 'id="tab-whatif"' in out.read_text(encoding="utf-8")
    out.unlink()
    other = RECORD.with_name("length-won.jsonl")
    assert main(["watch", str(other), "--out", str(out), "--asked", str(files["if"])]) == 2
    told = capsys.readouterr().err
    assert told.count("\n") == 1
    assert "it is about another record" in told
    assert not out.exists()
    assert main(["watch", str(RECORD), "--asked", str(tmp_path / "none.json"), "--out", str(out)]) == 2
    assert "cannot be read" in capsys.readouterr().err


def test_orders_and_dice_are_told_apart(files: dict[str, Path]) -> None:
    acts = read_asked([files["turning"]], record()).acts
    assert acts
    for act in acts:
        assert act.moved == pytest.approx(sum(one.value for one in act.order) + act.dice.value)
        assert by_order(act) == (abs(act.order[0].value + act.order[1].value) >= abs(act.dice.value))


@pytest.fixture
def opened(files: dict[str, Path], tmp_path: Path) -> Iterator[Opened]:
    with chromium_browser() as browser:
        file = tmp_path / "page.html"
        file.write_text(page_with(files["turning"], files["if"]), encoding="utf-8")
        seen = Opened(browser, file)
        yield seen
        seen.close()


@pytest.mark.slow
def test_in_the_browser_marks_lead_to_their_moment_and_questions_show_their_answers(opened: Opened) -> None:
    from axe_playwright_python.sync_playwright import Axe
    from playwright.sync_api import expect

    page = opened.page
    data = data_of(opened.file.read_text(encoding="utf-8"))
    moments, telling = [row[0] for row in data["moments"]], {row[1] for row in data["told"]}
    for mark in page.locator(".swing").all():
        mark.click()
        event = int(str(mark.get_attribute("href")).partition("=")[2])
        # What the moment brings about is shown with it, but nothing that another line tells.
        first, shown = moments.index(event), int(page.locator("#scrub").input_value()) - 1
        assert first <= shown
        assert data["moments"][first][1] == data["moments"][shown][1]
        assert not telling & set(range(first + 1, shown + 1))
    page.locator(".swing").first.focus()
    page.keyboard.press("Enter")
    assert page.url.endswith(str(page.locator(".swing").first.get_attribute("href")))
    page.get_by_role("tab", name="What if").click()
    page.locator("#pane-whatif a").first.click()
    expect(page.locator("#why details table").first).to_be_visible()
    expect(page.locator("#why details").first).to_contain_text("as played")
    for name in ("Turning points", "What if"):
        page.get_by_role("tab", name=name).click()
        found = Axe().run(page)
        assert found.violations_count == 0, found.generate_report()
