"""The atlas: places and what can be done to them, what the graph says, effects with planted truths, pictures and the command."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from functools import cache
from html import escape
from pathlib import Path
from xml.etree import ElementTree

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from battlesim.batch.lists import plan_of
from battlesim.batch.rows import GameRow
from battlesim.board.board import Board
from battlesim.board.load import load_map, shipped_maps
from battlesim.cli.main import main
from battlesim.core.errors import InputError
from battlesim.jobs.folder import RunFolder
from battlesim.stress import atlas
from battlesim.stress.atlas_confirm import FOLDER, is_confirmed
from battlesim.stress.atlas_graph import Graph
from battlesim.stress.atlas_map import written_out
from battlesim.stress.atlas_page import floor_plan, page_of
from battlesim.stress.atlas_places import Change, Grounds, Place
from battlesim.stress.atlas_words import amount_words, change_words, lead_words, lines
from tests.shipped import load


@cache
def grounds(name: str) -> Grounds:
    return Grounds(load(name))


def place_called(found: Grounds, name: str) -> int:
    return next(number for number, place in enumerate(found.places) if place.name == name)


def board_after(name: str, place: str, what: str) -> tuple[Board, Board]:
    """The map of a scenario before and after a change."""
    found = grounds(name)
    return found.board, found.changed(Change(place_called(found, place), what)).board


def openings(board: Board) -> set[tuple[str, int, str, int, int]]:
    return {(board.sections[o.section].name, o.floor, o.kind, o.x, o.y) for o in board.openings}


def ways(board: Board, kind: str) -> set[tuple[str, str]]:
    return {(board.spaces[w.a].name, board.spaces[w.b].name) for w in board.ways if w.kind == kind}


# ---- places and changes


@pytest.mark.parametrize(
    "name",
    [
        pytest.param(name, marks=pytest.mark.slow) if name == "helsinki-quarter" else name
        for name in shipped_maps()
    ],
)
def test_every_shipped_map_can_be_written_out_part_by_part(name: str) -> None:
    board = load_map(name)
    made, again = written_out(board)
    assert [one.name for one in again.spaces] == [one.name for one in board.spaces]
    assert len(again.ways) == len(board.ways)
    cut = [one for one in board.openings if one.kind != "parapet"]
    assert sum(number >= 0 for number in made.openings) == len(cut)


def test_a_closed_window_is_gone_and_nothing_else() -> None:
    before, after = board_after("stairwell", "window in the north of house.east, floor 0", "closed")
    (gone,) = openings(before) - openings(after)
    assert gone[:3] == ("house.east", 0, "window")
    assert openings(after) < openings(before)
    assert ways(after, "stairs") == ways(before, "stairs")


def test_an_opened_window_is_a_door() -> None:
    before, after = board_after("stairwell", "window in the north of house.east, floor 0", "opened")
    ((_, _, kind, *where),) = openings(after) - openings(before)
    ((_, _, was, *there),) = openings(before) - openings(after)
    assert (was, kind, where) == ("window", "door", there)


def test_closed_stairs_leave_the_other_flights() -> None:
    before, after = board_after("stairwell", "stairs up from floor 1 of house.west", "closed")
    assert ways(before, "stairs") - ways(after, "stairs") == {("house.west:1", "house.west:2")}
    assert ways(after, "stairs") < ways(before, "stairs")


def test_an_inner_door_is_closed_on_its_floor_alone() -> None:
    before, after = board_after(
        "stairwell", "inner door between house.west and house.east, floor 2", "closed"
    )
    assert ways(before, "adjoining") - ways(after, "adjoining") == {("house.west:2", "house.east:2")}


@pytest.mark.parametrize("floor", [0, 2])
def test_a_wall_between_two_sections_is_opened(floor: int) -> None:
    """Closing an inner door makes a wall, opening that wall makes the door again."""
    found = grounds("stairwell")
    door = place_called(found, f"inner door between house.west and house.east, floor {floor}")
    walled = Grounds(found.changed(Change(door, "closed")))
    wall = place_called(walled, f"wall between house.west and house.east, floor {floor}")
    again = walled.changed(Change(wall, "opened")).board
    assert ways(again, "adjoining") == ways(found.board, "adjoining") > ways(walled.board, "adjoining")


def test_a_floor_removed_takes_its_windows_and_stairs_along() -> None:
    before, after = board_after("outpost", "floor 1 of customs", "removed")
    assert before.sections[0].top == after.sections[0].top + 1
    assert {floor for _, floor, *_ in openings(after)} == {0}
    assert ways(after, "stairs") == set()


def test_a_section_removed_or_closed_and_a_building_weakened() -> None:
    before, after = board_after("bunker-line", grounds("bunker-line").places[0].name, "weakened")
    assert after.sections[0].material != before.sections[0].material
    found = grounds("silo")
    tried = [c for c in found.changes() if c.what == "removed" and found.places[c.place].kind == "section"]
    for change in tried:
        try:
            left = found.changed(change).board
        except InputError:
            continue
        assert len(left.sections) == len(found.board.sections) - 1
        closed = found.changed(Change(change.place, "closed"))
        assert closed.board.sections[found.places[change.place].section].closed
        break
    else:
        pytest.fail("no section could be removed")


def test_terrain_removed_and_a_place_held_from_the_start() -> None:
    found = grounds("skirmish")
    number = next(n for n, place in enumerate(found.places) if place.kind == "ground")
    after = found.changed(Change(number, "removed")).board
    lost = len(found.board.areas) + len(found.board.obstacles) - len(after.areas) - len(after.obstacles)
    assert lost >= 1
    floor = place_called(found, "ground floor of farm")
    for side in (0, 1):
        held = found.changed(Change(floor, "held", side))
        there = [force for force in held.forces if force.place == found.places[floor].spaces[0]]
        assert [force.side for force in there] == [side]
        assert len(held.forces) == len(found.scenario.forces)


def test_every_change_of_a_scenario_is_sound_or_told_why_not() -> None:
    design, resolved = atlas.plan_atlas(load("watch-house"), ("random", "random"), games=1)
    assert len(resolved.games) == len(design.changes) + 1
    assert len(design.changes) + len(design.untried) == len(grounds("watch-house").changes())
    assert all(missed.why for missed in design.untried)
    assert {design.places[change.place].kind for change in design.changes} >= {
        "section",
        "stairs",
        "door",
        "window",
    }


# ---- the graph


def test_the_graph_says_where_the_only_way_is() -> None:
    """The roof of a house is reached by its stairs alone: they are a bridge, and lie on the ways to what is above them only."""
    found = grounds("outpost")
    graph = Graph(found.scenario)
    stairs = graph.of(found.places[place_called(found, "stairs up from floor 0 of customs")])
    upper = graph.of(found.places[place_called(found, "floor 1 of customs")])
    ground = graph.of(found.places[place_called(found, "ground floor of customs")])
    assert stairs.cut == 1.0
    assert ground.cut == 1.0  # without it nobody comes up
    assert upper.cut == 0.0
    assert ground.betweenness is not None
    assert upper.betweenness == 0.0 < ground.betweenness
    assert (upper.height or 0) - (ground.height or 0) == found.board.sections[0].storey / 100
    assert ground.faces == 4.0
    doors = [w.opening for w in found.board.ways if w.kind == "door" and w.sections == (0,)]
    assert ground.entries == len(set(doors))


def test_a_window_sees_what_the_lines_through_it_reach() -> None:
    found = grounds("stairwell")
    graph = Graph(found.scenario)
    place = found.places[place_called(found, "window 1 in the north of house.west, floor 1")]
    board = graph.board
    seen = [
        other.id
        for other in board.spaces
        if other.kind != "ruin"
        and other.id != place.spaces[0]
        and any(
            line.from_opening == place.part for line in board.sight.clear_lines(place.spaces[0], other.id)
        )
    ]
    assert graph.of(place).views == len(seen) > 0


# ---- effects


def design_of_planted(changes: int, games: int) -> atlas.AtlasDesign:
    places = tuple(Place(f"place {n}", "window", (n,), 0, 0, n, n) for n in range(changes))
    measures = tuple(atlas.Measures(betweenness=float(n), height=1.0) for n in range(changes))
    return atlas.AtlasDesign(
        "planted",
        ("One", "Two"),
        ("greedy", "greedy"),
        1,
        games,
        places,
        measures,
        tuple(Change(n, "closed") for n in range(changes)),
        (),
        "{}",
    )


def planted(games: int, helps: Sequence[float], seed: int) -> Iterator[GameRow]:
    """Rows in which change n turns a share of the games that One lost into wins (a negative one: the other way round)."""
    chance = np.random.default_rng(seed)
    base = chance.random(games) < 0.5
    for number in range((len(helps) + 1) * games):
        point, game = divmod(number, games)
        won = bool(base[game])
        if point and chance.random() < abs(helps[point - 1]):
            won = helps[point - 1] > 0
        points = {"One": 3 if won else 1, "Two": 1 if won else 3}
        yield GameRow(
            format=3,
            number=number,
            round=game,
            leg=0,
            scenario=f"planted.{point}",
            ruleset="squadhex",
            seed=game,
            sides=("One", "Two"),
            agents={"One": "greedy", "Two": "greedy"},
            winner="One" if won else "Two",
            points=points,
            turns=3,
            termination="length",
            verdict="length",
            losses=None,
            faults=[],
            record_hash="",
            clauses="0",
        )


def test_a_planted_effect_is_found_and_comes_first() -> None:
    helps = [0.0] * 30 + [0.6, -0.6]
    found = atlas.analyse(design_of_planted(32, 60), planted(60, helps, 1))
    assert {one.place for one in found.places[:2]} == {30, 31}
    by_place = {one.place: one.first for one in found.places}
    assert by_place[30].wins.change == pytest.approx(0.3, abs=0.12)
    assert by_place[30].wins.low > 0 > by_place[31].wins.high
    assert max(by_place[30].wins.q, by_place[31].points.q) < atlas.SEEN


def test_where_nothing_matters_seldom_anything_is_seen() -> None:
    """With no effect anywhere, a run tells of one in some five of a hundred times: noise turns a third of the games about."""
    design, false = design_of_planted(25, 40), 0
    for seed in range(60):
        chance = np.random.default_rng(1000 + seed)
        rows = []
        for row in planted(40, [0.0] * 25, seed):
            won = bool(chance.random() < 0.5) if row.number >= 40 else row.winner == "One"
            points = {"One": 3 if won else 1, "Two": 1 if won else 3}
            replace = atlas.msgspec.structs.replace
            rows.append(replace(row, winner="One" if won else "Two", points=points))
        found = atlas.analyse(design, rows)
        false += any(one.first.wins.q < atlas.SEEN for one in found.places)
    assert false <= 9  # 60 runs at 5%: more than 9 comes once in 600


def test_intervals_hold_what_they_say() -> None:
    held = 0
    for seed in range(150):
        differences = np.random.default_rng(seed).choice([-1.0, 0.0, 1.0], 40, p=[0.1, 0.6, 0.3])
        effect = atlas.effect_of(differences, 1.0)
        held += effect.low <= 0.2 <= effect.high
    assert 134 <= held <= 149


def test_an_exact_p_value_is_that_of_flipped_signs() -> None:
    assert atlas.effect_of(np.array([1.0] * 4 + [0.0] * 20), 1.0).p == 2 / 16
    assert atlas.effect_of(np.array([1.0, -1.0, 0.0]), 1.0).p == 1.0


def test_where_no_game_came_out_otherwise_the_interval_is_what_they_rule_out() -> None:
    effect = atlas.effect_of(np.zeros(40), 1.0)
    assert (effect.change, effect.p) == (0.0, 1.0)
    assert effect.high == pytest.approx(1 - 0.05 ** (1 / 40))
    assert (effect.low, effect.at_least) == (-effect.high, 0.0)


def test_points_are_bounded_where_no_game_came_out_otherwise() -> None:
    points = atlas.effect_of(np.zeros(10), None, 8.0)
    assert points.high == pytest.approx(8 * (1 - 0.05 ** (1 / 10)))
    assert points.low == -points.high
    assert atlas.effect_of(np.zeros(10), None).high == float("inf"), "nothing is known of it"


def test_differences_that_are_all_alike_have_an_interval_that_agrees_with_p() -> None:
    for games in (2, 5, 6, 40):
        effect = atlas.effect_of(np.ones(games), 1.0)
        assert effect.low < 1.0 == effect.high
        assert (effect.p < 0.05) == (effect.low > 0)


def test_words_of_an_atlas_are_grammar() -> None:
    nothing = atlas.Effect(0.0, -0.31, 0.31, 1.0)
    change = atlas.ChangeFound(Change(0, "closed"), 8, 0, nothing, atlas.Effect(-0.0, -1.2, 1.2, 1.0))
    told = amount_words(design_of_planted(1, 8), change)
    assert told == "One wins as many games [-31, 31], points +0.00 [-1.20, +1.20]"
    assert lead_words(-2.5) == "is 2.50 points behind"


def test_a_place_has_the_colour_of_the_side_for_which_an_effect_is_shown() -> None:
    """A change in wins that may be luck says nothing about a shown change in points."""
    luck, shown = atlas.Effect(-0.03, -0.2, 0.15, 0.8, 0.9), atlas.Effect(2.0, 1.0, 3.0, 0.001, 0.01)
    change = atlas.ChangeFound(Change(0, "closed"), 40, 12, luck, shown)
    found = atlas.AtlasFound(80, 0, 0.5, 0.0, (atlas.PlaceFound(0, (change,)),), ())
    design = design_of_planted(1, 40)
    page = page_of(design, found, [])
    assert ", 40 games of each with the same dice" in page
    assert ", 1 game of each with the same dice" in page_of(
        atlas.msgspec.structs.replace(design, games=1), found, []
    )
    assert '<td class="n first">+2.00</td>' in page
    assert '<td class="n second">' not in page


def test_without_games_of_the_unchanged_scenario_that_is_said() -> None:
    rows = [atlas.msgspec.structs.replace(row, points=None, winner=None) for row in planted(4, [0.5], 3)]
    design = design_of_planted(1, 4)
    found = atlas.analyse(design, rows)
    text = "\n".join([*lines(design, found), page_of(design, found, [])])
    assert "no game of the unchanged scenario has a result" in text
    assert "nan" not in text


def test_games_that_broke_off_are_left_out_in_pairs() -> None:
    rows = list(planted(20, [0.5], 3))
    rows[4] = atlas.msgspec.structs.replace(rows[4], points=None, winner=None)
    found = atlas.analyse(design_of_planted(1, 20), rows)
    assert (found.broken, found.places[0].first.games) == (1, 19)


def test_a_measure_that_foretells_play_is_found() -> None:
    helps = [number / 40 for number in range(30)]
    found = atlas.analyse(design_of_planted(30, 200), planted(200, helps, 2))
    row = next(row for row in found.foretold if row.group == "window closed")
    assert row.measure == "betweenness"
    assert row.low > 0.7
    assert row.q < 0.001
    assert "height" not in {row.measure for row in found.foretold}  # alike everywhere: it says nothing


@given(st.lists(st.integers(-3, 3), min_size=1, max_size=10))
@settings(max_examples=60)
def test_p_values_do_not_depend_on_which_side_is_first(differences: list[int]) -> None:
    one = atlas.effect_of(np.array(differences, dtype=float), 5.0)
    other = atlas.effect_of(-np.array(differences, dtype=float), 5.0)
    assert one.p == pytest.approx(other.p)
    assert (one.low, one.high) == pytest.approx((-other.high, -other.low))
    assert 0.0 < one.p <= 1.0


# ---- pictures and the command


def test_plans_and_page_show_every_place_and_keep_names_as_text() -> None:
    design, _ = atlas.plan_atlas(load("stairwell"), games=2)
    design = atlas.msgspec.structs.replace(design, sides=("<b>One", "Two"))
    rows = []
    for row in planted(2, [0.9] * len(design.changes), 1):
        sides = {"One": "<b>One", "Two": "Two"}
        rows.append(
            atlas.msgspec.structs.replace(
                row,
                winner=sides[row.winner or ""],
                points={sides[side]: points for side, points in (row.points or {}).items()},
            )
        )
    found = atlas.analyse(design, rows)
    board = grounds("stairwell").board
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


def test_the_command_plays_tells_draws_and_goes_on(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    run = tmp_path / "run"
    words = ["atlas", "stairwell", "--agent", "random", "--games", "2", "--kind", "stairs", "--quiet"]
    assert main([*words, "--workers", "1", "--out", str(run)]) == 0
    told = capsys.readouterr().out
    assert told.startswith("stairwell: 57 places, 6 changes, 14 games; as it is, Red wins ")
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


def test_luck_is_not_confirmed_and_what_is_there_is() -> None:
    """Of forty changes of which two do something, ten come first; on fresh dice the two stand, and of the others few."""
    helps = [0.0] * 38 + [0.6, -0.6]
    design, stand = design_of_planted(40, 60), 0
    for seed in range(1, 11):
        top = atlas.analyse(design, planted(60, helps, seed)).places[: atlas.TOP]
        fresh = {one.place: one.first for one in atlas.analyse(design, planted(60, helps, 100 + seed)).places}
        ruling = {one.place: is_confirmed(one.first, fresh[one.place]) for one in top}
        assert ruling.pop(38)
        assert ruling.pop(39)
        stand += sum(ruling.values())
    assert stand <= 6  # of eighty
    other = atlas.msgspec.structs.replace(fresh[38], wins=fresh[39].wins, points=fresh[39].points)
    assert not is_confirmed(fresh[38], other), "an effect in the other direction"


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


def test_a_dry_run_says_what_would_be_changed(capsys: pytest.CaptureFixture[str]) -> None:
    assert (
        main(["atlas", "stairwell", "--games", "5", "--kind", "section", "--kind", "stairs", "--dry-run"])
        == 0
    )
    told = capsys.readouterr().out
    assert told.startswith("6 changes, 35 games; 4 not tried\n"), "the total comes first"
    assert "\nnot tried:\n" in told
    assert "house.west, closed: 'house.west' is closed: nobody may enter" in told


def test_an_effect_on_wins_is_no_larger_than_all_of_them() -> None:
    few = atlas.effect_of(np.array([1.0, 1.0, 0.0]), 1.0)
    assert few.high == 1.0
    assert -1.0 <= few.low < 0.0
    assert atlas.effect_of(np.array([1.0, 1.0, 0.0]), None).high > 1.0
