"""Upsets: what the command prints and leaves behind, and in what words."""

from __future__ import annotations

from pathlib import Path

import pytest

from battlesim.cli.main import main
from battlesim.stress.upset import FirstBattles, Upset, UpsetAsked, WayTold
from battlesim.stress.upset_splitting import Estimate
from battlesim.stress.upset_words import lines, ratio_words


def test_the_first_battles_are_told_and_whether_they_may_be_luck() -> None:
    def told(*wins: int) -> str:
        first = FirstBattles(("Red", "Blue"), (wins[0], wins[1]), 40)
        estimate = Estimate(0.1, 0.05, 0.2, (0.1,), 80, 1, 40, 4)
        names = ("greedy", "greedy")
        found = Upset("stairwell", names, "loses:Red", "a defeat of Red", 1, estimate, (), first=first)
        return next(iter(lines(found)))

    assert told(30, 8) == "The favourite is Red: of 40 first battles Red won 30 and Blue won 8, 2 were drawn"
    assert "favourite is Blue" in told(12, 25)
    assert told(20, 18).endswith("2 were drawn; that may be luck: name the side by --loser")
    assert "favourite is Red" in told(20, 20)
    assert "favourite is Red" in told(0, 0)


@pytest.mark.slow
def test_the_command_tells_odds_and_ways(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    words = (
        "upset stairwell --agent random --loser Red --battles 8 --repeats 2 --ways 1 --effort 10 --workers 1"
    )
    assert main([*words.split(), "--quiet", "--out", str(tmp_path / "run")]) == 0
    told = capsys.readouterr().out
    assert told.startswith("The odds of a defeat of Red in stairwell, played by random: ")
    assert (tmp_path / "run" / "upset.json").is_file()
    assert (tmp_path / "run" / "way-1.jsonl.gz").is_file()
    assert main(["runs", str(tmp_path / "run")]) == 0
    assert capsys.readouterr().out == told
    assert main(["runs", "--folder", str(tmp_path)]) == 0
    assert " finished  upset  1       1          -" in capsys.readouterr().out
    assert main([*words.split(), "--quiet", "--out", str(tmp_path / "run")]) == 2
    assert main(["upset", "stairwell", "--loser", "Red", "--event", "falls:house"]) == 2


def test_a_search_that_was_stopped_leaves_no_folder_and_says_what_to_do(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "run"
    words = f"upset stairwell --agent random --loser Red --battles 4 --repeats 1 --ways 0 --workers 1 --quiet --out {out}"

    def stopped(asked: UpsetAsked, folder: Path, *more: object) -> Upset:
        assert folder.is_dir(), "one that cannot be made is told before anything is played"
        (folder / "way-1.jsonl.gz").touch()
        raise KeyboardInterrupt

    with monkeypatch.context() as patched:
        patched.setattr("battlesim.stress.upset.find_upset", stopped)
        assert main(words.split()) == 130
        assert "stopped; nothing is kept. The same command begins the search anew" in capsys.readouterr().err
        assert not out.exists()
        assert main([*words.split()[:-1], str(out / "deep" / "down")]) == 130
        capsys.readouterr()
        assert not out.exists(), "nor the folders above it"
        out.mkdir()
        assert main(words.split()) == 130
        assert list(out.iterdir()) == [], "a folder of the user's own stays"
    assert main(words.split()) == 0, "an empty folder will do"
    capsys.readouterr()
    assert main(words.split()) == 2
    assert "the folder is not empty; name another one: --out FOLDER" in capsys.readouterr().err
    assert main([*words.split()[:-1], str(out / "upset.json")]) == 2
    assert "the folder cannot be used: " in capsys.readouterr().err


def test_what_usually_happens_is_called_no_upset() -> None:
    def told(odds: float, repeats: int = 2) -> str:
        estimate = Estimate(odds, odds / 2, min(1.0, odds * 1.2), (odds,) * repeats, 80, 1, 40, 20)
        way = WayTold(1, 0, 60, 0.0, 1.0, 1.0, (), "Red", "", "hash")
        names = ("greedy", "greedy")
        return "\n".join(
            lines(Upset("stairwell", names, "loses:Blue", "a defeat of Blue", 1, estimate, (way,)))
        )

    assert "this is no upset: it is what usually happens" in told(0.66)
    assert "no single roll decides it" not in told(0.66)
    assert "no upset" not in told(0.03)
    assert "that says little: more --battles and --repeats" in told(0.9)
    assert "that says little" not in told(0.03)
    assert "no single roll decides it" in told(0.03)
    alone = told(0.03, repeats=1)  # it printed [0%, 100%]
    assert "3% (one repeat tells no interval)\n" in alone
    assert "that says little: --repeats 2 or more tell an interval" in alone
    assert "the odds are below" in told(0.0, repeats=1), "the first battles bound odds of 0"


@pytest.mark.parametrize(
    ("cost", "told"),
    [
        (0.0, "just"),
        (0.1, "79%"),
        (0.3, "50%"),
        (0.5, "1/3"),
        (1.5, "1/32"),
        (6.0, "1/1,000,000"),
        (400.0, "1/10^400"),
    ],
)
def test_how_likely_rolls_are_is_told_for_any_cost(cost: float, told: str) -> None:
    assert ratio_words(cost) == told
