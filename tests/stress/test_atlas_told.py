"""What an atlas tells and draws, and its command."""

from __future__ import annotations

import json
import re
from html import escape
from pathlib import Path
from xml.etree import ElementTree

import pytest
from msgspec.structs import replace

from battlesim.batch.lists import plan_of
from battlesim.cli.main import main
from battlesim.jobs.folder import RunFolder
from battlesim.stress import atlas
from battlesim.stress.atlas_confirm import FOLDER
from battlesim.stress.atlas_page import floor_plan, page_of
from battlesim.stress.atlas_places import Change, Grounds
from battlesim.stress.atlas_words import amount_words, change_words, lead_words, lines, seen_words
from tests.shipped import load
from tests.stress.made_up import made_up_atlas, made_up_atlas_rows

# ---- words and pictures ----------------------------------------------------------------------------------------------


def test_words_of_an_atlas_are_grammar() -> None:
    nothing = atlas.Effect(0.0, -0.31, 0.31, 1.0)
    change = atlas.ChangeFound(Change(0, "closed"), 8, 0, nothing, atlas.Effect(-0.0, -1.2, 1.2, 1.0))
    told = amount_words(made_up_atlas(1, 8), change)
    assert told == "One won as many games [-31, 31], points +0.00 [-1.20, +1.20]"
    assert lead_words(-2.5) == "trailed by 2.50 points"


@pytest.mark.parametrize(
    ("otherwise", "told"), [(0, "no game came out otherwise"), (4, "no difference on average")]
)
def test_an_effect_of_exactly_0_is_not_called_luck(otherwise: int, told: str) -> None:
    nothing = atlas.Effect(0.0, -0.31, 0.31, 1.0)
    change = atlas.ChangeFound(Change(0, "closed"), 8, otherwise, nothing, nothing)
    assert seen_words(change) == told
    little = replace(change, points=atlas.Effect(0.5, -0.1, 1.1, 0.3))
    assert seen_words(replace(little, otherwise=4)) == "may be luck, among so many changes"


def test_a_place_has_the_colour_of_the_side_for_which_an_effect_is_shown() -> None:
    """A change in wins that may be luck says nothing about a shown change in points."""
    luck, shown = atlas.Effect(-0.03, -0.2, 0.15, 0.8, 0.9), atlas.Effect(2.0, 1.0, 3.0, 0.001, 0.01)
    change = atlas.ChangeFound(Change(0, "closed"), 40, 12, luck, shown)
    found = atlas.AtlasFound(80, 0, 0.5, 0.0, (atlas.PlaceFound(0, (change,)),), ())
    design = made_up_atlas(1, 40)
    page = page_of(design, found, [])
    assert ", 40 games of each with the same dice" in page
    assert ", 1 game of each with the same dice" in page_of(replace(design, games=1), found, [])
    assert '<td class="n first">+2.00</td>' in page
    assert '<td class="n second">' not in page


def test_without_games_of_the_unchanged_scenario_that_is_said() -> None:
    rows = [replace(row, points=None, winner=None) for row in made_up_atlas_rows(4, [0.5], 3)]
    design = made_up_atlas(1, 4)
    found = atlas.analyse(design, rows)
    text = "\n".join([*lines(design, found), page_of(design, found, [])])
    assert "no game of the unchanged scenario has a result" in text
    assert "nan" not in text


@pytest.mark.slow
def test_plans_and_page_show_every_place_and_keep_names_as_text() -> None:
    design, _ = atlas.plan_atlas(load("stairwell"), games=2)
    design = replace(design, sides=("<b>One", "Two"))
    rows = []
    for row in made_up_atlas_rows(2, [0.9] * len(design.changes), 1):
        sides = {"One": "<b>One", "Two": "Two"}
        rows.append(
            replace(
                row,
                winner=sides[row.winner or ""],
                points={sides[side]: points for side, points in (row.points or {}).items()},
            )
        )
    found = atlas.analyse(design, rows)
    board = Grounds(load("stairwell")).board
    plans = [floor_plan(board, design, found, floor) for floor in range(4)]
    for floor, plan in enumerate(plans):
        root = ElementTree.fromstring(plan)
        marks = [g for g in root.iter("{http://www.w3.org/2000/svg}g") if g.get("class") == "mark"]
        assert len(marks) == sum(design.places[one.place].floor == floor for one in found.places)
    page = page_of(design, found, plans)
    assert "<b>One" not in page
    assert "&lt;b&gt;One" in page
    assert "<script" not in page
    assert page.count("<svg") == 4
    ids = re.findall(r'id="([^"]+)"', page)
    assert len(ids) == len(set(ids))
    assert all(escape(change_words(design, one.first.change)) in page for one in found.places)


# ---- the command -----------------------------------------------------------------------------------------------------


@pytest.mark.slow
def test_the_command_plays_tells_draws_and_goes_on(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    run = tmp_path / "run"
    words = ["atlas", "stairwell", "--agent", "random", "--games", "2", "--kind", "stairs", "--quiet"]
    assert main([*words, "--workers", "1", "--out", str(run)]) == 0
    told = capsys.readouterr().out
    assert told.startswith("stairwell: 6 places, 6 changes, 14 games; as it is, Red won ")
    assert "stairs up from floor 0 of house.west, closed" in told
    figures = json.loads((run / "atlas.json").read_text())
    assert len(figures["found"]["places"]) == 6
    assert (run / "atlas.html").is_file()
    assert (run / "atlas-floor-3.svg").is_file()
    assert "on 2 fresh games " in told
    assert re.search(r"^[0-6] of these 6 are confirmed on fresh dice", told, re.MULTILINE)
    before = (run / "atlas.json").read_bytes()
    assert main(["atlas", "--resume", str(run), "--workers", "1", "--quiet"]) == 0
    assert (run / "atlas.json").read_bytes() == before
    capsys.readouterr()
    assert main(["runs", str(run)]) == 0
    assert capsys.readouterr().out == told, "shown as other runs are"
    assert main(["watch", str(run)]) == 2
    assert "the run has no records; tournaments keep some" in capsys.readouterr().err


@pytest.mark.slow
def test_the_first_places_are_played_again_with_fresh_dice_and_nothing_else_differs(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    run = tmp_path / "run"
    words = [
        "atlas",
        "stairwell",
        "--agent",
        "random",
        "--games",
        "2",
        "--confirm",
        "3",
        "--seed",
        "5",
        "--quiet",
    ]
    assert (
        main([*words, "--match", "house.west", "--kind", "window", "--workers", "1", "--out", str(run)]) == 0
    )
    figures = json.loads((run / "atlas.json").read_text())
    first = [place["changes"][0]["change"] for place in figures["found"]["places"]]
    again = figures["confirmed"]
    assert len(first) > len(again) == atlas.TOP
    assert [row["change"] for row in again] == first[: atlas.TOP]
    assert {row["fresh"]["games"] for row in again} == {3}
    whole, fresh = plan_of(RunFolder(run)), plan_of(RunFolder(run / FOLDER))
    assert [fresh.game(n).seed for n in range(6)] == [7, 8, 9, 7, 8, 9]
    assert max(whole.game(n).seed for n in range(whole.games)) == 6
    changes = figures["design"]["changes"]
    assert fresh.game(0).scenario == whole.game(0).scenario
    for number, row in enumerate(again, 1):
        same = whole.game((changes.index(row["change"]) + 1) * 2)
        assert fresh.game(number * 3).scenario == same.scenario != whole.game(0).scenario
    page = (run / "atlas.html").read_text()
    assert page.count("on 3 fresh games") == atlas.TOP
    capsys.readouterr()
    words[words.index("3")] = "0"
    assert main([*words, "--kind", "stairs", "--workers", "1", "--out", str(tmp_path / "none")]) == 0
    assert "fresh" not in capsys.readouterr().out
    assert not (tmp_path / "none" / FOLDER).exists()


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["atlas"], "an atlas needs a scenario"),
        (["atlas", "stairwell", "--kind", "roofs"], "there is no kind of place 'roofs'"),
        (
            ["atlas", "stairwell", "--match", "nowhere"],
            "no place is of the kinds and the name that were asked for",
        ),
    ],
)
def test_bad_words_are_told(words: list[str], told: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(words) == 2
    assert told in capsys.readouterr().err


def test_a_dry_run_in_which_all_is_tried_ends_without_an_empty_list(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert main(["atlas", "stairwell", "--match", "stairs up from floor 0", "--dry-run", "--games", "5"]) == 0
    told = capsys.readouterr().out
    assert told.startswith("2 changes, 15 games; 0 not tried\n\n")
    assert told.endswith("house.east, closed\n")


def test_a_dry_run_measures_no_graph(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(atlas, "Graph", None)
    assert main(["atlas", "stairwell", "--match", "stairs up from floor 0", "--dry-run"]) == 0


def test_only_places_that_fit_are_built_and_measured() -> None:
    told: list[tuple[int, int]] = []
    design, _ = atlas.plan_atlas(
        load("stairwell"), games=1, match="STAIRS up", trying=lambda done, of: told.append((done, of))
    )
    assert {place.kind for place in design.places} == {"stairs"}
    assert len(design.measures) == len(design.places) == len(told) - 1
    assert told[-1] == (len(told) - 1, len(told) - 1)


def test_a_dry_run_says_what_would_be_changed(capsys: pytest.CaptureFixture[str]) -> None:
    assert (
        main(["atlas", "stairwell", "--games", "5", "--kind", "section", "--kind", "stairs", "--dry-run"])
        == 0
    )
    told = capsys.readouterr().out
    assert told.startswith("6 changes, 35 games; 4 not tried\n"), "the total comes first"
    assert "\nnot tried:\n" in told
    assert "house.west, closed: 'house.west' is closed: nobody may enter" in told
