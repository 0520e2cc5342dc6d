"""`battlesim fair`: the designer's first question in one command, on any scenario, under every rulebook."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from battlesim import play
from battlesim.core.events import Scored
from battlesim.engine.course import UNITS, Course, course_of
from battlesim.tournament.course import Courses, course_summary
from tests.tournament.runs import battlesim, digest_of

ROOT = Path(__file__).parents[2]


@pytest.fixture(autouse=True)
def _elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


@pytest.mark.slow
def test_one_command_answers_in_words_with_an_interval_and_what_decided(tmp_path: Path) -> None:
    said = battlesim("fair", "skirmish", "--games", "12", "--quiet", "--workers", "1", "--out", "run").stdout
    assert "skirmish: not settled: no bias was shown, but one of " in said or "not fair" in said
    assert "greedy against itself: South took" in said
    assert "95% interval" in said
    assert "the farm" in said
    assert "rifle_section" in said
    assert "led for good" in said
    page = (tmp_path / "run" / "report.html").read_text()
    assert "What decided the games" in page
    assert "Who is better?" not in page
    again = battlesim("runs", "run", "--folder", ".").stdout
    assert again.splitlines()[2:6] == said.splitlines()[2:6]


@pytest.mark.slow
@pytest.mark.parametrize("summary", ['{"games": 5}', '{"games": {"played": 8}, "state": []}'])
def test_a_damaged_summary_does_not_end_the_list_of_runs(summary: str) -> None:
    battlesim("fair", "skirmish", "--games", "4", "--quiet", "--workers", "1", "--out", "run")
    assert Path("run", "summary.json").exists()
    Path("run", "summary.json").write_text(summary)
    _, row = battlesim("runs", "--folder", ".").stdout.splitlines()
    assert row.split()[0] == "run"
    assert row.split()[2] in ("finished", "interrupted")


@pytest.mark.slow
def test_agents_are_judged_one_by_one_and_json_has_every_number() -> None:
    words = ("--agent", "greedy", "--agent", "rush", "--games", "6", "--quiet", "--json", "--out", "run")
    found = json.loads(battlesim("fair", "skirmish", *words).stdout)
    (side,) = found["sides"]
    assert [(arm["agent"], arm["games"]) for arm in side["agents"]] == [("greedy", 6), ("rush", 6)]
    assert side["kind"] == "unknown"
    assert side["unseen"] > 0.6
    assert found["games"]["played"] == 12
    assert [row["agent"] for row in found["courses"]] == ["greedy", "rush"]
    assert found["courses"][0]["games"] == 6
    assert digest_of(Path("run"))
    assert "gives nothing" not in battlesim("fair", "--resume", "run", "--quiet").stdout


@pytest.mark.slow
def test_an_own_scenario_file_of_any_name(tmp_path: Path) -> None:
    text = (ROOT / "maps" / "scenarios" / "skirmish.yaml").read_text()
    (tmp_path / "mine.yaml").write_text(text.replace("../", f"{ROOT}/maps/"))
    said = battlesim("fair", "mine.yaml", "--games", "2", "--quiet", "--out", "run").stdout
    assert "mine" in said


@pytest.mark.parametrize(
    ("words", "says"),
    [
        ((), "no scenario is given"),
        (("nowhere",), "nowhere"),
        (("skirmish", "--agent", "nobody"), "nobody"),
        (("skirmish", "--bound", "0.4"), "0.4"),
        (("skirmish", "--bound", "1.4"), "1.4"),
        (("skirmish", "--bound", "60"), "for a bias of 60:40 give 0.6"),
        (("skirmish", "skirmish"), "twice"),
        (("skirmish", "--resume", "x"), "--resume"),
    ],
)
def test_bad_input_gets_one_message_and_leaves_nothing(
    tmp_path: Path, words: tuple[str, ...], says: str
) -> None:
    course_summary = battlesim("fair", *words, code=2)
    assert says in course_summary.stderr
    assert "Traceback" not in course_summary.stderr
    assert not (tmp_path / "runs").exists()


# ---- what decided a game


@pytest.mark.slow
@pytest.mark.parametrize("scenario", ["skirmish", "silo", "bastion", "village-regiments"])
def test_the_course_adds_up_under_every_rulebook(scenario: str) -> None:
    game = play(scenario, ("rush", "greedy"), seed=5)
    course = course_of(game)
    totals = [sum(points for side, _, points in course.points if side == one) for one in (0, 1)]
    assert tuple(totals) == game.outcome.points
    lost = game.row()["losses"]
    for side, name in enumerate(game.header.sides):
        rows = [row for row in course.losses if row[0] == side]
        assert sum(row[3] for row in rows) == lost[name]["units"]
        assert sum(row[5] for row in rows) == lost[name]["models"]
        assert sum(row[2] for row in rows) == sum(unit.side == side for unit in game.state.units.values())
    goals = {goal.name for goal in game.scenario.objectives}
    others = {event.what for event in game.log if isinstance(event, Scored)} - goals
    assert (UNITS in {what for _, what, _ in course.points}) == bool(others)
    turns = game.row()["turns"]
    if game.outcome.winner is not None and course.lead is not None:
        assert 0 <= course.lead <= turns


def test_sums_do_not_depend_on_the_order_of_games() -> None:
    games = [
        (Course(((0, "mill", 3),), ((0, "guard", 2, 1, 10, 6),), 2), 0),
        (Course(((1, "mill", 3), (0, "mill", 0)), ((0, "guard", 2, 2, 10, 10),), 0), 1),
        (Course((), ((0, "guard", 2, 0, 10, 0),), None), None),
    ]
    found, back = Courses(), Courses()
    for course, winner in games:
        found.add(course, winner)
    for course, winner in reversed(games):
        back.add(course, winner)
    rows = course_summary("farm", "ann", ("Blue", "Red"), found)
    assert rows == course_summary("farm", "ann", ("Blue", "Red"), back)
    mill = next(row for row in rows["points"] if row["side"] == "Red")
    assert (mill["points"], mill["scored"], mill["won"]) == (1.0, 0.3333, 1.0)
    assert rows["losses"][0] == {
        "side": "Blue", "type": "guard", "units": 2.0, "units_lost": 1.0, "models": 10.0, "models_lost": 5.33,
    }  # fmt: skip
    assert rows["lead"][1] == {"side": "Red", "won": 1, "turns": [[0, 1]], "not_ahead": 0}
