"""What a stress test is asked for: listed, planned or refused, all before a game is played."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest

from battlesim.cli.main import main
from battlesim.stress.config import parse_config
from battlesim.stress.plan import resolve_stress
from tests.pace import calls
from tests.stress.stairs import FILE


def test_unsound_points_are_told_before_any_game(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    text = FILE.replace("levels = [2, 3]", "levels = [2, 0]")
    (tmp_path / "bad.toml").write_text(text)
    assert main(["stress", str(tmp_path / "bad.toml"), "--out", str(tmp_path / "run")]) == 2
    assert "at turns = 0, a house = True (and at 1 more point alike): " in capsys.readouterr().err
    assert not (tmp_path / "run").exists()
    assert main(["stress", "stairwell", "--vary=forces.Red.units[0].models=5,6,40,50,60", "--dry-run"]) == 2
    told = capsys.readouterr().err
    assert told.count("\n") == 1
    assert "at forces.Red.units[0].models = 40 (and at 2 more points alike): " in told


def test_a_dry_run_says_how_many_games_there_are(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "stairs.toml").write_text(FILE)
    assert main(["stress", str(tmp_path / "stairs.toml"), "--dry-run"]) == 0
    assert capsys.readouterr().out == "8 points of 3 games: 24 games; every point is sound\n"
    assert main(["stress", "stairwell", "--vary=turns=4..6", "--games", "2", "--dry-run"]) == 0
    assert (
        capsys.readouterr().out
        == "3 points (64 drawn, some alike) of 2 games: 6 games; every point is sound\n"
    )


def test_what_can_be_varied_is_listed(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["stress", "--factors", "stairwell", "turns", "map.sections*floors"]) == 0
    out = capsys.readouterr().out.splitlines()
    assert [line.split()[0] for line in out[1:]] == [
        "turns",
        'map.sections["house.west"].floors',
        'map.sections["house.east"].floors',
    ]
    assert main(["stress", "--factors", "stairwell", "trns"]) == 2


@pytest.mark.parametrize(
    "words",
    [
        ["stress"],
        ["stress", "a.toml", "--resume", "b"],
        ["stress", "no-such.toml"],
        ["stress", "--resume", "no-such"],
    ],
)
def test_what_cannot_be_done_is_one_message(words: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert main(words) == 2
    assert capsys.readouterr().err.startswith("battlesim: ")


VARY = '--vary=forces.Red.units["*"].quality=regular,veteran'


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["--vary=trns=4,5"], "'trns' names nothing that can be varied; did you mean 'turns'?"),
        (["--vary=turns=5..5", "--design=sobol"], "the range 5 to 5 holds nothing"),
        (["--vary=turns=9..4", "--design=sobol"], "the range 9 to 4 holds nothing"),
        (
            ["--vary=turns=4..9", "--design=factorial"],
            "a factorial design needs levels; give levels, such as 4 and 9, or a design that",
        ),
        (
            ["--vary=turns=4,6", "--vary=turns=5,7"],
            "two factors contradict: both set turns; leave one of them out",
        ),
        (
            [VARY, "--vary=forces.Red.units[0].quality=regular,veteran"],
            "contradict: both set forces[0].quality; leave one of them out, or give paths that do not overlap",
        ),
        (
            [f"--vary=objectives[{n}].points={','.join(map(str, range(1, 80)))}" for n in range(2)]
            + ["--vary=margin=" + ",".join(map(str, range(1, 80)))],
            "the design has 493,039 points, at most 200,000 are played; sample: design = 'latin-hypercube', points = 512",
        ),
        (["--vary=turns=4..9", "--design=sobol", "--points=900000"], "points, at most 200,000 are played"),
    ],
)
def test_what_makes_no_sense_is_told_before_anything_is_played(
    words: list[str], told: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["stress", "stairwell", *words, "--out", str(tmp_path / "run")]) == 2
    said = capsys.readouterr()
    assert said.out == ""
    assert said.err.startswith("battlesim: ")
    assert said.err.count("\n") == 1, "one message"
    assert told in said.err
    assert not (tmp_path / "run").exists()


@pytest.mark.parametrize(
    ("words", "missing"),
    [
        (["stress", "stairwell", "--vary=turns=4,6"], "sklearn"),
        (["balance", "stairwell", "--tune=turns=4..9"], "numpy"),
        (["atlas", "stairwell"], "scipy"),
        (["upset", "stairwell"], "SALib"),
    ],
)
def test_a_missing_library_is_told_with_its_extra_before_anything_is_played(
    words: list[str],
    missing: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setitem(sys.modules, missing, None)  # as where it is not installed
    assert main([*words, "--out", str(tmp_path / "run")]) == 2
    told = f"battlesim: the package {missing!r} is missing; pip install 'battlesim-arena[stress]'"
    assert capsys.readouterr().err.startswith(told)
    assert not (tmp_path / "run").exists()


def test_joint_factors_set_all_their_paths() -> None:
    asked = parse_config(
        {
            "scenario": "stairwell",
            "games": 1,
            "factors": [
                {
                    "name": "quality",
                    "path": ['forces.Red.units["*"].quality', "forces.Blue.units[0].quality"],
                    "levels": ["regular", "veteran"],
                }
            ],
        }
    )
    _, resolved = resolve_stress(asked)
    said = [json.loads(ground.source.said)["forces"] for ground in resolved.scenarios]
    assert [[force.get("quality") for force in forces].count("veteran") for forces in said] == [0, 6]


def test_flags_say_what_a_file_says(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    words = ["stress", "stairwell", "--vary", "turns=2,3", "--vary", "forces.Red.units[0].present"]
    assert main([*words, "--games", "5", "--dry-run"]) == 0
    assert capsys.readouterr().out == "4 points of 5 games: 20 games; every point is sound\n"
    assert main(["stress", "stairwell", "--dry-run"]) == 2
    assert "nothing is varied" in capsys.readouterr().err
    assert main(["stress", "stairwel"]) == 2
    assert "did you mean 'stairwell'?" in capsys.readouterr().err
    assert main(["stress", "stairwell", "--vary", "turns"]) == 2
    assert "'turns' has no values; write turns=4,6,8" in capsys.readouterr().err
    (tmp_path / "stairs.toml").write_text(FILE)
    assert main(["stress", str(tmp_path / "stairs.toml"), "--games", "5"]) == 2


@pytest.mark.slow
def test_many_points_are_planned_fast() -> None:
    """The promise is 10,000 points in 10 s, which is about 1,200 calls a point; each point costs the same."""
    asked = parse_config(
        {
            "scenario": "stairwell",
            "agents": ["rush", "rush"],
            "games": 2,
            "design": "latin-hypercube",
            "points": 400,
            "factors": [
                {"path": "turns", "range": [3, 10], "integer": True},
                {"path": 'forces.Red.units["*"].quality', "levels": ["inexperienced", "regular", "veteran"]},
                {"path": 'objectives["*"].points', "range": [1, 900], "integer": True},
                {"path": 'map.sections["house.*"].flat_roof', "levels": [True, False]},
            ],
        }
    )
    planned = []
    spent = calls(lambda: planned.append(resolve_stress(asked)))
    ((design, resolved),) = planned
    assert len(design.points) > 360
    assert len(resolved.scenarios) == len(design.points)
    assert spent < 1_600 * len(design.points)


def test_players_stand_last_in_the_list_of_what_can_be_varied(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["stress", "--factors", "stairwell"]) == 0
    players = [line.startswith("agents.") for line in capsys.readouterr().out.splitlines()[1:]]
    assert any(players)
    assert players == sorted(players)
