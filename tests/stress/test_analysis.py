"""What was planted is told: effects, pairs, parts of the space, sensitivity; and nothing is told of what was not."""

from __future__ import annotations

from itertools import product
from typing import Any
from xml.etree import ElementTree

import numpy as np
import pytest

from battlesim.stress.analysis import analyse_values, lines, variance_parts
from battlesim.stress.boxes import boxes_of, halves, limit_words, parts_of
from battlesim.stress.curves import curve_of, grid_of
from battlesim.stress.effects import effects_of, model_of
from battlesim.stress.intervals import Values
from battlesim.stress.page import panels, render
from battlesim.stress.page_answers import answers
from battlesim.stress.picture import picture
from battlesim.stress.plan import Design
from battlesim.stress.responses import RESPONSES, Response
from battlesim.stress.sensitivity import sensitivity_of
from tests.stress.made_up import made_up_design, wins

WALLS = made_up_design(
    "factorial",
    list(product(("wood", "brick", "stone"), (True, False), (4, 6, 8))),
    40,
    ("walls", "flame", "turns"),
)
CUBE = made_up_design(
    "latin-hypercube", [tuple(map(float, row)) for row in np.random.default_rng(3).random((256, 4))], 10
)


def walls(seed: int, effect: float = 0.5) -> Values:
    """Wood without a flamethrower favours the first side by `effect`; nothing else matters."""
    chances = [0.3 + effect * (wall == "wood" and not flame) for wall, flame, _ in WALLS.points]
    return wins(WALLS, np.array(chances), seed)


def cube(seed: int) -> Values:
    """The first factor matters, the second where the first is high."""
    return wins(CUBE, cube_chances(), seed)


def cube_chances() -> Values:
    """The first side's chance at each point of the cube."""
    return np.array(
        [0.2 + 0.3 * float(a or 0) + 0.4 * float(a or 0) * float(b or 0) for a, b, *_ in CUBE.points]
    )


def test_two_factors_together_are_told_apart_from_each_alone() -> None:
    effects, untried = effects_of(WALLS, walls(1), model_of(WALLS))
    assert not untried
    pairs = {(e.level, e.other_level): e for e in effects if e.factor == "walls" and e.other == "flame"}
    # The first levels are wood and a flamethrower: without one, brick loses what wood gains.
    assert pairs["brick", False].change == pytest.approx(-0.5, abs=0.2)
    assert pairs["brick", False].is_shown
    assert pairs["stone", False].is_shown
    others = [e for e in effects if "turns" in (e.factor, e.other)]
    assert others
    assert not any(e.is_shown for e in others)


def test_boxes_are_what_was_planted_in_words() -> None:
    best, *rest = boxes_of(WALLS, walls(2))
    assert best.words == "walls wood and without flame"
    assert best.space == pytest.approx(1 / 6)
    assert best.low <= 0.8 <= best.high
    assert sum(box.space for box in rest) == pytest.approx(5 / 6)
    assert all(box.low <= 0.3 <= box.high for box in rest)


@pytest.mark.slow
def test_where_nothing_is_planted_there_is_one_box() -> None:
    found = sum(len(boxes_of(WALLS, walls(seed, 0.0))) > 1 for seed in range(20))
    assert found <= 6


@pytest.mark.slow
def test_boxes_hold_what_they_say_on_dice_they_were_not_found_by() -> None:
    """Their intervals hold the truth as often as stated, though the parts were chosen for being extreme."""
    truth = cube_chances()
    held = told = 0
    for seed in range(60):
        values = cube(seed)
        at, words = parts_of(CUBE, halves(values)[0])
        true = {text: truth[at == leaf].mean() for leaf, text in words.items()}
        for box in boxes_of(CUBE, values):
            told += 1
            held += box.low <= true[box.words] <= box.high
    assert told > 120
    assert held / told > 0.85, (
        "of 0.95 wanted; the parts of one run share their dice, so their faults come together"
    )


@pytest.mark.parametrize(
    ("kept", "levels", "words"),
    [
        ([4, 6], [4, 6, 8], "turns at most 6"),
        ([6, 8], [4, 6, 8], "turns 6 or more"),
        ([6], [4, 6, 8], "turns 6"),
        ([6, 8], [4, 6, 8, 10], "turns 6 to 8"),
        (["a", "b", "c"], ["a", "b", "c", "d"], "turns a or b or c"),
        (["a", "b", "c", "d"], ["a", "b", "c", "d", "e"], "turns not e"),
        ([True], [True, False], "with turns"),
    ],
)
def test_limits_in_words(kept: list[Any], levels: list[Any], words: str) -> None:
    assert limit_words("turns", kept, levels) == words


def test_a_thing_that_may_be_added_is_with_or_without() -> None:
    of = made_up_design("factorial", list(product((0, 1), (4, 6))), 40, ("a section more", "turns"))
    of = Design(
        *[getattr(of, name) for name in of.__struct_fields__[:4]],
        (("forces.Red.units[+]",), ("turns",)),
        *[getattr(of, name) for name in of.__struct_fields__[5:]],
    )
    chances = np.array([0.1 + 0.8 * float(point[0] or 0) for point in of.points])
    told = found_on(of, wins(of, chances, 1))
    assert "  with a section more " in "\n".join(lines(of, told))
    assert "Red did best with a section more" in render(of, told, "added")
    assert [box.words for box in boxes_of(of, wins(of, chances, 1))] == [
        "with a section more",
        "without a section more",
    ]


def test_a_unit_that_may_be_missing_is_with_or_without() -> None:
    assert limit_words("the tank.present", [False], [True, False]) == "without the tank"


@pytest.mark.slow
def test_sensitivity_ranks_what_was_planted() -> None:
    indices = sensitivity_of(CUBE, "share", cube(4))
    by_factor = {index.factor: index for index in indices}
    assert by_factor["f0"].pawn is not None
    assert by_factor["f0"].none is not None
    order = sorted(indices, key=lambda index: -(index.pawn or 0))
    assert [index.factor for index in order[:2]] == ["f0", "f1"]
    assert by_factor["f0"].pawn > by_factor["f0"].none
    assert (by_factor["f0"].first or 0) > 3 * max(by_factor[name].first or 0 for name in ("f1", "f2", "f3"))


@pytest.mark.parametrize("kind", ["morris", "saltelli"])
def test_indices_of_designs_that_are_made_for_them(kind: str) -> None:
    from battlesim.stress.config import parse_config
    from battlesim.stress.designs import sample_of

    factors = [{"path": f"options.o{number}", "range": [0, 1]} for number in range(4)]
    asked = parse_config({"scenario": "stairwell", "design": kind, "points": 600, "factors": factors})
    sample = sample_of(asked)
    base = made_up_design(kind, sample.points, 8)
    design = Design(*[getattr(base, name) for name in base.__struct_fields__[:8]], sample.unit, sample.rows)
    chances = np.array([0.2 + 0.6 * float(point[0] or 0) for point in design.points])
    indices = sensitivity_of(design, "share", wins(design, chances, 1))
    large = [index.mu_star if kind == "morris" else index.total for index in indices]
    assert large[0] == max(value for value in large if value is not None)
    assert (large[0] or 0) > 2 * max(value or 0 for value in large[1:])


def test_curves_and_grids_count_every_game_once() -> None:
    values = cube(5)
    for factor in range(4):
        assert sum(point.games for point in curve_of(CUBE, factor, values)) == values.size
    grid = grid_of(CUBE, 0, 1, values)
    assert sum(map(sum, grid.games)) == values.size
    first, last = grid.means[0][0], grid.means[-1][-1]
    assert first is not None
    assert last is not None
    assert last > first + 0.3


def test_no_level_is_left_out_of_curves_and_grids() -> None:
    """Of the levels that are not numbers only the first sixteen were shown, and of a grid the first twelve."""
    levels = [f"agent {number}" for number in range(20)]
    design = made_up_design("factorial", tuple((level, on) for level in levels for on in (False, True)), 8)
    values = np.ones((40, 8))
    assert [point.level for point in curve_of(design, 0, values)] == levels
    grid = grid_of(design, 0, 1, values)
    assert (list(grid.rows), sum(map(sum, grid.games))) == (levels, values.size)
    (panel, _) = panels(found_on(design, values).responses[0])
    assert len(panel.marks) == 20
    assert [tick.label for tick in panel.across] == ["age…"] * 10, "every second one is labelled"


def test_variance_is_divided_between_points_dice_and_chance() -> None:
    chance = np.random.default_rng(1)
    points, seeds = chance.normal(0, 2, (300, 1)), chance.normal(0, 1, (1, 300))
    of_points, of_seeds = variance_parts(points + seeds + chance.normal(0, 1, (300, 300)))
    assert of_points == pytest.approx(4 / 6, abs=0.08)
    assert of_seeds == pytest.approx(1 / 6, abs=0.05)
    assert np.isnan(variance_parts(np.ones((1, 5)))[0])


def found_on(design: Design, values: Values) -> Any:
    return analyse_values(design, {"share": values}, RESPONSES, values.size)


def test_the_text_names_effects_parts_and_what_was_not_varied() -> None:
    text = "\n".join(lines(WALLS, found_on(WALLS, walls(3))))
    assert "walls = brick and without flame together" in text
    assert "walls wood and without flame" in text
    assert "would probably have been seen" in text


def test_the_page_shows_the_same_and_names_are_text() -> None:
    odd = made_up_design("factorial", WALLS.points, WALLS.games, ("<b>walls</b>", "flame", "turns"))
    page = render(odd, found_on(odd, walls(3)), "a <script> of a name")
    assert "<b>walls</b>" not in page
    assert "&lt;b&gt;walls&lt;/b&gt;" in page
    assert "a &lt;script&gt; of a name" in page
    assert page.count("<section") == 7
    assert render(odd, found_on(odd, walls(3)), "x") == render(odd, found_on(odd, walls(3)), "x")


def test_the_picture_is_sound_and_names_are_text() -> None:
    odd = made_up_design("factorial", WALLS.points, WALLS.games, ("<b>walls</b>", "flame", "turns"))
    drawn = picture(odd, found_on(odd, walls(3)))
    root = ElementTree.fromstring(drawn)
    assert "<b>" not in drawn
    assert sum(node.tag.endswith("circle") for node in root.iter()) >= 5


def test_the_picture_claims_no_interval_and_no_effect_that_is_not_known() -> None:
    small = made_up_design("one-at-a-time", [(4, "a"), (5, "a"), (4, "b")], 1)
    drawn = picture(small, found_on(small, np.array([[1.0], [0.0], [np.nan]])))
    assert "nan" not in drawn
    assert "[" not in drawn.split("</style>")[1], "one game has no interval"
    assert [node.text for node in ElementTree.fromstring(drawn).iter() if node.text == "-100"]


@pytest.mark.parametrize("games", [1, 2])
def test_few_games_have_a_page_too(games: int) -> None:
    small = made_up_design("one-at-a-time", [(4, "a"), (5, "a"), (4, "b")], games)
    page = render(small, found_on(small, np.ones((3, games))), "few")
    assert "nan" not in page
    assert "inf" not in page.replace("information", "")


def morris_design(games: int) -> Design:
    from battlesim.stress.config import parse_config
    from battlesim.stress.designs import sample_of

    factors = [{"path": f"options.o{number}", "range": [0, 1]} for number in range(3)]
    asked = parse_config({"scenario": "stairwell", "design": "morris", "points": 40, "factors": factors})
    sample = sample_of(asked)
    base = made_up_design("morris", sample.points, games)
    return Design(*[getattr(base, name) for name in base.__struct_fields__[:8]], sample.unit, sample.rows)


@pytest.mark.parametrize("games", [1, 8])
def test_of_walks_morris_figures_are_told_first(games: int) -> None:
    design = morris_design(games)
    won = np.array([[float(float(point[1] or 0) > 0.5)] * games for point in design.points])
    found = found_on(design, won)
    text = "\n".join(lines(design, found))
    assert "too few games for an interval" not in text
    assert "f1: mu*" in text
    assert "mu* is the mean size" in text
    page = render(design, found, "walks")
    assert "Most of all f1, by Morris" in page
    assert "Nothing" not in page.split("</section>")[0]


def test_a_run_that_was_stopped_says_that_games_are_missing() -> None:
    half = walls(3)
    half[len(half) // 3 :] = np.nan
    text = "\n".join(lines(WALLS, found_on(WALLS, half)))
    assert "nan" not in text
    assert "not known yet: games are missing" in text
    assert "nan" not in render(WALLS, found_on(WALLS, half), "half")


def test_responses_of_your_own_that_are_0_or_1_are_shares_and_many_tables_are_folded() -> None:
    mine = {f"mine{number}": Response("yes or no", lambda row, measures: 0.0) for number in range(6)}
    found = analyse_values(WALLS, dict.fromkeys(["share", *mine], walls(3)), {**RESPONSES, **mine})
    page = render(WALLS, found, "mine")
    assert "%" in page.split("mine0: ")[1][:20]
    assert page.split('id="effects"')[1].split("</section>")[0].count("<details>") == 3


def test_an_added_unit_has_an_axis_of_its_numbers() -> None:
    of = made_up_design("factorial", [(0,), (1,)], 20)
    found = found_on(of, wins(of, np.array([0.3, 0.6]), 1))
    (panel,) = panels(found.responses[0])
    assert [tick.label for tick in panel.across] == ["0", "1"]


@pytest.mark.slow
def test_what_has_an_interval_off_zero_is_not_called_without_difference() -> None:
    many = made_up_design("factorial", list(product((0, 1), repeat=6)), 20)
    chances = np.array([0.4 + 0.1 * float(point[0] or 0) for point in many.points])
    unsure = 0
    for seed in range(20):
        found = found_on(many, wins(many, chances, seed))
        said = [one.answer for one in answers(many, found) if one.question == "What made no difference?"]
        off = [e for e in found.responses[0].effects if not e.other and (e.low > 0 or e.high < 0)]
        assert not any(f"{effect.factor} = 1" in said[0] for effect in off)
        unsure += sum(not effect.is_shown for effect in off)
    assert unsure, "among them are some that are not shown either"


@pytest.mark.parametrize("part", [slice(None, None, 2), slice(1, None, 2)])
def test_boxes_are_found_in_a_part_that_has_every_second_seed(part: slice) -> None:
    of_part = np.full((len(WALLS.points), WALLS.games), np.nan)
    of_part[:, part] = walls(3, 0.7)[:, part]
    best, *rest = boxes_of(WALLS, of_part)
    assert best.words == "walls wood and without flame"
    assert best.low > max(box.mean for box in rest)


def test_a_few_games_that_are_scattered_over_the_points_end_in_no_error() -> None:
    for seed in range(30):
        few = np.where(np.random.default_rng(seed).random((8, 8)) < 0.3, 1.0, np.nan)
        few[0, 0] = 0.0
        assert all(box.games for box in boxes_of(made_up_design("list", [(n,) for n in range(8)], 8), few))
    one_seed = np.full((8, 16), np.nan)  # part 1/16 of a run
    one_seed[:, 0] = np.arange(8) % 2
    boxes_of(made_up_design("list", [(n,) for n in range(8)], 16), one_seed)


def test_a_list_of_one_point_has_a_share_and_no_effects() -> None:
    one = made_up_design("list", [(4,)], 12)
    found = analyse_values(one, {"share": wins(one, np.full(1, 0.5), 1)}, games=12)
    assert 0 < found.responses[0].mean < 1
    assert not found.responses[0].effects
    assert "1 point, 12 games" in "\n".join(lines(one, found))
    ElementTree.fromstring(picture(one, found))


@pytest.mark.filterwarnings("error")
def test_indices_of_games_that_nearly_all_ended_alike_come_without_a_library_s_warnings() -> None:
    one_won = np.zeros((64, 4))
    one_won[5, 3] = 1.0
    cube = made_up_design("latin-hypercube", CUBE.points[:64], 4)
    assert len(sensitivity_of(cube, "share", one_won)) == 4


def test_no_games_at_all() -> None:
    small = made_up_design("factorial", [(4,), (5,)], 2)
    found = analyse_values(small, {"share": np.full((2, 2), np.nan)}, RESPONSES)
    assert "No game has been played yet" in render(small, found, "none")
    assert list(lines(small, found))


def test_levels_are_compared_in_the_order_in_which_they_were_asked_for() -> None:
    points = [("c", 8), ("b", 4), ("a", 8), ("c", 4), ("a", 4), ("b", 8)]
    of = made_up_design("latin-hypercube", points, 2)
    of = Design(*[getattr(of, name) for name in of.__struct_fields__[:-1]], (("b", "a", "c"), (8, 4)))
    assert of.levels_of(0) == ["b", "a", "c"]
    assert of.levels_of(1) == [4, 8], "numbers by size"
    model = model_of(of)
    assert model is not None
    assert [(term.factor, term.level) for term in model.terms if term.other < 0] == [
        (0, "a"),
        (0, "c"),
        (1, 8),
    ]
