"""Searches for frontiers, on made-up battles whose truth is known, and on a small real one."""

from __future__ import annotations

from pathlib import Path
from xml.etree import ElementTree

import numpy as np
import pytest

from battlesim.cli.main import main
from battlesim.core.errors import InputError
from battlesim.stress.change import Knob
from battlesim.stress.designs import Point
from battlesim.stress.frontier import Frontier
from battlesim.stress.tuning_words import frontier_lines, frontier_picture
from tests.stress.fields import TURNS, Breaking, MadeUp


@pytest.mark.slow
def test_the_band_of_a_frontier_holds_the_truth() -> None:
    held = 0
    widths = []
    for seed in range(20):
        field = MadeUp(lambda point: 0.5 * (float(point[0] or 0) - 7.3))
        found = Frontier(
            field, [Knob("turns", 6, tuple(range(3, 13)), True)], seed=1000 * seed, most=500
        ).run()
        (line,) = found.crossings
        assert line.low is not None
        assert line.high is not None
        held += line.low <= 7.3 <= line.high
        widths.append(line.high - line.low)
        assert found.games <= 500
    assert held >= 16, "of 19 wanted"
    assert np.mean(widths) < 1.6


def test_a_frontier_counts_no_seed_twice_where_games_broke_off() -> None:
    field = Breaking(lambda point: 0.5 * (float(point[0] or 0) - 7.3), every=3)
    found = Frontier(field, [TURNS], seed=1, most=500).run()
    again = [seeds for seeds in field.seeds.values() if len(seeds) > 16]
    assert again, "some levels were looked at again"
    assert all(len(seeds) == len(set(seeds)) for seeds in again)
    assert {seen.levels[0]: seen.games for seen in found.seen} == {
        point[0]: sum(seed % 3 > 0 for seed in seeds) for point, seeds in field.seeds.items()
    }
    assert found.crossings[0].value == pytest.approx(7.3, abs=1.0)
    assert "nan" not in frontier_picture(found, "Red")


@pytest.mark.parametrize(
    "field", [Breaking(lambda _: 0.0, every=1), MadeUp(lambda _: 0.0, [(3,), (8,), (12,)])]
)
def test_a_frontier_without_any_result_is_told(field: MadeUp) -> None:
    with pytest.raises(InputError, match="no game along turns has a result"):
        Frontier(field, [TURNS], most=200).run()


def test_a_frontier_of_two_factors_is_a_line_with_a_band() -> None:
    def tilted(point: Point) -> float:
        return 1.2 * (float(point[0] or 0) - 4 - float(point[1] or 0))

    knobs = [Knob("turns", 6, tuple(range(3, 13)), True), Knob("units", 0, (0, 1, 2, 3), True)]
    found = Frontier(MadeUp(tilted), knobs, most=1500).run()
    for line in found.crossings:
        assert line.value == pytest.approx(4 + line.level, abs=0.7)
    assert found.misfit > 0.001
    picture = frontier_picture(found, "<Red>")
    ElementTree.fromstring(picture)
    assert "<Red>" not in picture
    assert any("units 3" in line for line in frontier_lines(found, "Red"))


@pytest.mark.parametrize("rows", [("a", "b", "c"), (5, 7, 12)])
def test_where_nothing_could_be_played_no_crossing_is_told(rows: tuple[str | int, ...]) -> None:
    """The last level of the second factor makes no valid scenario; a crossing was told for it, that of the first."""
    field = MadeUp(
        lambda point: 0.5 * (float(point[0] or 0) - 7), [(turns, rows[2]) for turns in range(3, 13)]
    )
    other = Knob("other", rows[0], rows, isinstance(rows[0], int))
    found = Frontier(field, [TURNS, other], most=600).run()
    assert [line.value is None for line in found.crossings] == [False, False, True]
    assert any(f"other {rows[2]}: not known" in line for line in frontier_lines(found, "Red"))
    ElementTree.fromstring(frontier_picture(found, "Red"))


def test_long_names_of_levels_stay_apart_in_the_picture() -> None:
    names = ("planner,playout=quick,width=3", "greedy,exposure=0.5", "random", "rush", "quick")
    field = MadeUp(lambda point: 0.5 * (float(point[0] or 0) - 7))
    picture = frontier_picture(
        Frontier(field, [TURNS, Knob("who", "rush", names, False)], most=400).run(), "Red"
    )
    labels = [text.text or "" for text in ElementTree.fromstring(picture).iter() if text.get("class") == "m"]
    assert [label for label in labels if "…" in label] == ["planner,playout…", "greedy,exposure…"]
    assert "planner,playout=quick,width=3: " in picture  # what the point says


def test_a_share_that_rises_and_falls_is_told() -> None:
    field = MadeUp(lambda point: 2.0 - 0.5 * (float(point[0] or 0) - 7) ** 2)
    found = Frontier(field, [TURNS], most=600).run()
    assert found.crossings[0].beyond == "bent"
    assert any("rises and falls" in line for line in frontier_lines(found, "Red"))
    ElementTree.fromstring(frontier_picture(found, "Red"))


@pytest.mark.parametrize(("shift", "beyond"), [(9, "above"), (-9, "below")])
def test_a_crossing_outside_what_was_played_is_said(shift: float, beyond: str) -> None:
    field = MadeUp(lambda point: 0.2 * (float(point[0] or 0) - 7 - shift))
    found = Frontier(field, [TURNS], most=400).run()
    assert found.crossings[0].value is None
    assert found.crossings[0].beyond == beyond
    ElementTree.fromstring(frontier_picture(found, "Red"))


@pytest.mark.slow
def test_a_frontier_from_the_command_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = tmp_path / "line"
    words = [
        "balance",
        "stairwell",
        "--tune",
        "turns=2..4",
        "--agents",
        "rush",
        "random",
        "--frontier",
        "--games",
        "60",
    ]
    assert main([*words, "--out", str(out), "--workers", "1", "--quiet"]) == 0
    assert "along turns" in capsys.readouterr().out
    ElementTree.fromstring((out / "frontier.svg").read_text())
