"""A stress test from its file to its table: played, gone on with, exported, told."""

from __future__ import annotations

import csv
import json
import shutil
from pathlib import Path
from typing import Any

import pytest

from battlesim.batch.lists import plan_of, rows_of
from battlesim.cli.main import main
from battlesim.core.errors import InputError
from battlesim.jobs.folder import RunFolder
from battlesim.stress.plan import DESIGN, design_of
from tests.stress.stairs import FILE


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("stress")
    (folder / "stairs.toml").write_text(FILE)
    assert (
        main(
            ["stress", str(folder / "stairs.toml"), "--out", str(folder / "run"), "--workers", "1", "--quiet"]
        )
        == 0
    )
    return folder / "run"


@pytest.mark.slow
def test_every_point_is_played_with_the_same_dice_and_its_own_scenario(played: Path) -> None:
    run = RunFolder(played)
    design, rows = design_of(run), list(rows_of(run, plan_of(run)))
    assert len(design.points) == 8
    assert len(rows) == 24
    seeds: dict[int, list[int]] = {}
    for row in rows:
        turns, blue, _ = design.points[design.point_of(row.number)]
        seeds.setdefault(design.point_of(row.number), []).append(row.seed)
        assert row.agents == {"Red": "rush", "Blue": blue}
        assert row.measures is not None
        assert row.measures.turns <= turns
    assert set(map(tuple, seeds.values())) == {(1, 2, 3)}
    assert len({row.scenario for row in rows}) == 4, "agents alone make no other scenario"


def test_the_table_has_a_column_for_every_factor_and_measure(played: Path, tmp_path: Path) -> None:
    assert main(["export", str(played), "--to", str(tmp_path / "g.csv")]) == 0
    with (tmp_path / "g.csv").open() as file:
        rows = list(csv.DictReader(file))
    assert len(rows) == 24
    assert {row["factor.turns"] for row in rows} == {"2", "3"}
    assert {row["factor.who plays Blue"] for row in rows} == {"random", "rush"}
    assert all(int(row["unit_turns"]) > 0 for row in rows)
    assert len(set(rows[0])) == len(rows[0])


def test_a_run_is_shown_and_gone_on_with(played: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["runs", str(played), "--json"]) == 0
    found: Any = json.loads(capsys.readouterr().out)["found"]
    assert found["games"] == 24
    assert {effect["factor"] for effect in found["responses"][0]["effects"]} == {
        "turns",
        "who plays Blue",
        "a house",
    }
    assert main(["stress", "--resume", str(played), "--quiet"]) == 0
    assert "stairwell: 8 points, 24 games; the first side is Red" in capsys.readouterr().out


@pytest.mark.slow
def test_figures_are_plain_json_even_where_one_game_gives_no_interval(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "one.toml"
    file.write_text(FILE.replace("games = 3", "games = 1"))
    assert (
        main(["stress", str(file), "--out", str(tmp_path / "run"), "--workers", "1", "--quiet", "--json"])
        == 0
    )

    def refuse(word: str) -> None:
        raise AssertionError(f"{word} is no JSON")

    found = json.loads(capsys.readouterr().out, parse_constant=refuse)["found"]
    assert found["responses"][0]["effects"][0]["low"] is None
    json.loads((tmp_path / "run" / "stress.json").read_text(), parse_constant=refuse)


def test_a_run_of_another_kind_is_no_stress_test(played: Path, tmp_path: Path) -> None:
    shutil.copytree(played, tmp_path / "copy")
    (tmp_path / "copy" / DESIGN).unlink()
    with pytest.raises(InputError, match="not a stress test"):
        design_of(RunFolder(tmp_path / "copy"))
    (tmp_path / "copy" / DESIGN).write_text("{}")
    with pytest.raises(InputError, match="cannot be read"):
        design_of(RunFolder(tmp_path / "copy"))


MINE = '''
def shots(game):
    """how often somebody shot"""
    return sum(type(event).__name__ == "Shot" for event in game.log)

def none(game):
    return None

def _hidden(game):
    raise ValueError
'''


@pytest.mark.slow
def test_responses_of_your_own(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "mine.py").write_text(MINE)
    (tmp_path / "stairs.toml").write_text(FILE.replace("games = 3", 'games = 1\nresponses = "mine.py"'))
    out = tmp_path / "run"
    assert (
        main(["stress", str(tmp_path / "stairs.toml"), "--out", str(out), "--workers", "1", "--quiet"]) == 0
    )
    capsys.readouterr()
    assert main(["runs", str(out), "--json"]) == 0
    found = json.loads(capsys.readouterr().out)["found"]["responses"]
    (shots,) = [response for response in found if response["response"] == "shots"]
    assert shots["meaning"] == "how often somebody shot"
    run = RunFolder(out)
    own = [row.own for row in rows_of(run, plan_of(run))]
    assert all(row is not None and set(row) == {"shots", "none"} and row["none"] is None for row in own)
    assert shots["mean"] == pytest.approx(sum(row["shots"] or 0 for row in own if row) / len(own))
    assert main(["export", str(out), "--to", str(tmp_path / "g.csv")]) == 0
    with (tmp_path / "g.csv").open() as file:
        assert [float(row["own.shots"]) for row in csv.DictReader(file)] == [
            row["shots"] for row in own if row
        ]


def test_what_happened_in_the_games_is_written_as_tidy_tables(
    played: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    design = design_of(RunFolder(played))
    tables: dict[str, list[dict[str, str]]] = {}
    for name in ("games", "turns", "types", "objectives"):
        to = tmp_path / f"{name}.csv"
        assert main(["export", str(played), "--table", name, "--to", str(to)]) == 0
        with to.open() as file:
            tables[name] = list(csv.DictReader(file))
        assert f"{len(tables[name])} {'games' if name == 'games' else 'lines'}: " in capsys.readouterr().out
    for side in ("0", "1"):
        whole = sum(int(row[f"models_lost{side}"]) for row in tables["games"])
        for name in ("turns", "types"):
            assert sum(int(row["models_lost"]) for row in tables[name] if row["side"] == side) == whole
    assert {row["number"] for row in tables["objectives"]} == {row["number"] for row in tables["games"]}
    for row in tables["turns"]:
        point = design.points[int(row["point"])]
        assert row["factor.turns"] == str(point[0]), "every line names its factors"
    for row in tables["games"]:
        thought = float(row["thinking0"]) + float(row["thinking1"])
        assert 0 < thought < float(row["seconds"])


def test_the_course_of_the_games_is_in_figures_and_page(played: Path) -> None:
    found = json.loads((played / "stress.json").read_text())["found"]
    names = {response["response"] for response in found["responses"]}
    assert {"ground", "led_from", "lost_early", "thinking0", "lost1.rifle_section"} <= names
    run = RunFolder(played)
    rows = [row.measures for row in rows_of(run, plan_of(run)) if row.measures is not None]
    first = found["turns"][0]
    assert first["games"] == len(rows)
    assert first["lost"][0] == pytest.approx(
        sum(row.turns_of[0].lost[0] / row.began[0] for row in rows) / len(rows)
    )
    for goal in found["objectives"]:
        assert 0 <= sum(goal["held"]) <= 1
    page = (played / "stress.html").read_text()
    assert 'id="course"' in page
    assert all(goal["name"] in page for goal in found["objectives"])


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("def f(game):\n    return 'x'\n", "f(game) failed with ValueError"),
        ("x = 1\n", "has no public function"),
        ("def share(game):\n    return 1\n", "share: every stress test has a response of that name"),
        ("def f(:\n", "does not run: SyntaxError"),
    ],
)
def test_responses_that_fail_are_told(
    text: str, said: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "mine.py").write_text(text)
    (tmp_path / "stairs.toml").write_text(FILE.replace("games = 3", 'games = 1\nresponses = "mine.py"'))
    words = [
        "stress",
        str(tmp_path / "stairs.toml"),
        "--out",
        str(tmp_path / "run"),
        "--workers",
        "1",
        "--quiet",
    ]
    assert main(words) == 2
    assert said in capsys.readouterr().err


def not_whole(how: str) -> str:
    there = "not whole: 12 of 24 games (50%) are there, and what is told may change with the rest"
    return f"{there}. Go on: {how}"


@pytest.mark.slow
def test_parts_make_the_whole(played: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "stairs.toml").write_text(FILE)
    parts = [tmp_path / f"part{number}" for number in (1, 2)]
    for number, part in enumerate(parts):
        words = ["stress", str(tmp_path / "stairs.toml"), "--part", f"{number + 1}/2", "--out", str(part)]
        assert main([*words, "--workers", "1", "--quiet"]) == 0
        said = capsys.readouterr().out.splitlines()[0]
        assert said == not_whole(
            f"play the others (--part {2 - number}/2), then battlesim merge {part} OTHERS --out FOLDER"
        )
        assert said in (part / "stress.html").read_text()
        assert json.loads((part / "stress.json").read_text())["found"]["missing"] == said
    alone = tmp_path / "alone"
    assert main(["merge", str(parts[0]), "--out", str(alone)]) == 0
    assert capsys.readouterr().out.splitlines()[1] == not_whole(
        f"battlesim stress --resume {alone}; or, where other parts were played, battlesim merge PARTS --out {alone}"
    )
    assert main(["merge", *map(str, parts), "--out", str(tmp_path / "whole")]) == 0
    said = capsys.readouterr().out
    assert "not whole" not in said
    assert "24 games were new" in said
    assert json.loads((tmp_path / "whole/stress.json").read_text())["found"]["missing"] == ""
    whole, once = RunFolder(tmp_path / "whole"), RunFolder(played)
    assert list(rows_of(whole, plan_of(whole))) == list(rows_of(once, plan_of(once)))
    assert design_of(whole) == design_of(once)


def test_what_is_not_varied_is_named(played: Path) -> None:
    fixed = design_of(RunFolder(played)).fixed
    assert "margin (1)" in fixed
    assert "quality of the 5 units of Red" in fixed
    assert "who plays Red" in fixed
    assert not any(words.startswith(("turns", "who plays Blue")) for words in fixed)
