"""Planted effects are found, and where nothing was planted nothing is found more often than stated."""

from __future__ import annotations

from itertools import product
from typing import Any

import msgspec
import numpy as np
import pytest
from numpy.typing import NDArray

from battlesim.batch.measures import Measures
from battlesim.batch.rows import GameRow
from battlesim.stress.analysis import analyse, analyse_values, lines
from battlesim.stress.effects import effects_of, model_of
from battlesim.stress.intervals import within
from battlesim.stress.page import render
from battlesim.stress.plan import Design
from battlesim.stress.responses import RESPONSES


def design(kind: str, points: list[tuple[Any, ...]], games: int) -> Design:
    factors = tuple(f"f{n}" for n in range(len(points[0])))
    return Design(
        "made",
        ("A", "B"),
        kind,
        factors,
        tuple((f,) for f in factors),
        (None,) * len(factors),
        tuple(points),
        games,
    )


def row(number: int, winner: int, idle: int) -> GameRow:
    measures = Measures(
        winner, "length", "length", (0, 0), (1, 1), 6, unit_turns=100, idle=idle, began=(1, 1)
    )
    return msgspec.structs.replace(BLANK, number=number, measures=measures)


BLANK = GameRow(
    4, 0, 0, 0, "made", "orderdice", 1, ("A", "B"), {}, None, None, None, "", "", None, [], None, ""
)


def values(of: Design, effect: float, seed: int, luck: float = 0.5) -> NDArray[np.float64]:
    """Wins by point and seed. The first factor moves the first side's chance by `effect` between its least and its most; in
    a share `luck` of games all points meet the same die."""
    chance = np.random.default_rng(seed)
    first = np.array([float(point[0]) for point in of.points])
    moved = 0.5 + effect * ((first - first.min()) / (first.max() - first.min()) - 0.5)
    shape = (len(of.points), of.games)
    drawn = np.where(chance.random(shape) < luck, chance.random(of.games)[None, :], chance.random(shape))
    return (drawn < moved[:, None]).astype(float)


FACTORIAL = design("factorial", list(product((0, 1), (0, 1), (0, 1))), 20)
SPREAD = design("sobol", [tuple(row) for row in np.random.default_rng(5).random((64, 3))], 12)
TWO = design("factorial", [(0,), (1,)], 400)


@pytest.mark.parametrize("of", [FACTORIAL, SPREAD], ids=["factorial", "sobol"])
def test_a_planted_effect_is_found_and_its_interval_holds_it(of: Design) -> None:
    held = told = 0
    for seed in range(100):
        found, _ = effects_of(of, values(of, 0.4, seed), model_of(of))
        (effect,) = [effect for effect in found if effect.factor == "f0" and not effect.other]
        held += effect.low <= 0.4 <= effect.high
        told += effect.holm < 0.05
    assert held >= 88, "of 95 wanted: below 88 would come by chance once in 200"
    assert told >= 80


@pytest.mark.slow
@pytest.mark.parametrize("of", [FACTORIAL, SPREAD], ids=["factorial", "sobol"])
def test_where_nothing_is_planted_little_is_found(of: Design) -> None:
    false = sum(
        any(effect.is_shown for effect in effects_of(of, values(of, 0.0, seed), model_of(of))[0])
        for seed in range(200)
    )
    assert false <= 20, "of 10 wanted at most: more than 20 would come by chance once in 500"


def test_dice_that_both_points_share_save_games() -> None:
    fresh, shared = (
        effects_of(TWO, values(TWO, 0.2, 3, luck), model_of(TWO))[0][0].saved for luck in (0.0, 1.0)
    )
    assert 0.8 < fresh < 1.25
    assert 2 < shared < 4, "of 2.9 wanted"


def test_a_difference_is_that_of_points_that_differ_in_one_factor_alone() -> None:
    of = design("list", [(0, 0), (1, 0), (1, 1)], 1)
    rows = [row(0, 1, 10), row(1, 0, 20), row(2, 0, 50)]
    (idle,) = analyse(of, rows, {"idle": RESPONSES["idle"]}).responses
    changes = {effect.factor: effect.change for effect in idle.effects}
    assert changes == {"f0": pytest.approx(0.1), "f1": pytest.approx(0.3)}


def test_a_list_tells_what_it_can_tell_apart_and_names_what_it_cannot() -> None:
    of = design("list", [(2, None), (4, "veteran"), (8, None)], 20)
    won = np.array([0.1, 0.5, 0.8])[:, None] + np.random.default_rng(1).normal(0, 0.05, (3, 20))
    found = analyse_values(of, {"share": won}, RESPONSES, 60)
    (effect,) = found.responses[0].effects
    assert (effect.factor, effect.level) == ("f0", 8)
    assert effect.change == pytest.approx(0.7, abs=0.05)
    text = "\n".join(lines(of, found))
    assert "f0 = 8 instead of 2 " in text
    assert "confounded" in text
    assert "f0 = 4 and f1 = veteran" in text
    assert "f0 = 4 and f1 = veteran" in render(of, found, "list")


def test_what_a_list_confounds_bends_no_other_effect() -> None:
    """f1 and f2 always go together and f0 goes with them more often than not; only f0 can be told apart from the rest."""
    points = [(0, 0, 0), (1, 1, 1), (1, 1, 1), (0, 1, 1), (1, 0, 0)]
    of = design("list", [(*point, number) for number, point in enumerate(points)], 20)
    of = msgspec.structs.replace(of, factors=of.factors[:3], points=tuple(points))
    truth = np.array([0.2 * a + 0.5 * b for a, b, _ in points])
    found, _ = effects_of(of, np.repeat(truth[:, None], 20, 1), model_of(of))
    assert {effect.factor: effect.change for effect in found} == {"f0": pytest.approx(0.2)}


def test_games_that_broke_off_are_left_out_and_counted() -> None:
    rows = [row(number, 1 - FACTORIAL.points[number // 20][0], 10) for number in range(160)]
    rows = [msgspec.structs.replace(one, measures=None) if one.number % 3 == 0 else one for one in rows]
    found = analyse(FACTORIAL, rows, {"share": RESPONSES["share"]})
    assert found.broken == 54
    assert found.responses[0].effects[0].change == pytest.approx(1)
    assert "54 games broke off" in "\n".join(lines(FACTORIAL, found))


def test_an_effect_that_is_everywhere_the_same_is_sure() -> None:
    """As sure as 20 games that agree can make it: by chance once in 2^19, and there are six effects."""
    rows = [row(number, 1, 10 + 10 * FACTORIAL.points[number // 20][1]) for number in range(160)]
    (idle,) = analyse(FACTORIAL, rows, {"idle": RESPONSES["idle"]}).responses
    by_factor = {effect.factor: effect for effect in idle.effects if not effect.other}
    assert (by_factor["f1"].change, by_factor["f1"].holm) == (
        pytest.approx(0.1),
        pytest.approx(0, abs=6 / 2**19),
    )
    assert (by_factor["f0"].change, by_factor["f0"].holm) == (0.0, 1.0)


def test_intervals_hold_nothing_that_cannot_be() -> None:
    """Of few games Student's interval would go below 0% and above 100%."""
    of = design("factorial", [(0,), (1,)], 3)
    rows = [row(number, 0 if number in (0, 1, 3) else 1, 90) for number in range(6)]
    found = analyse(of, rows, {name: RESPONSES[name] for name in ("share", "margin", "idle")})
    share, margin, _ = found.responses
    assert (share.low, share.high) == (0.0, 1.0)
    assert all(0 <= point.low <= point.mean <= point.high <= 1 for point in share.curves)
    assert all(-1 <= effect.low <= effect.high <= 1 for effect in share.effects)
    assert -1 <= margin.low <= margin.high <= 1
    assert all(0 <= box.low <= box.high <= 1 for box in found.boxes)
    assert within((-0.2, 1.3), 0.0, 1.0) == (0.0, 1.0)
    assert within((1.02, 1.3), 0.0, 1.0)[0] == float("-inf"), "nothing that can be is left of it"
    assert within((float("-inf"), float("inf")), 0.0, 1.0)[0] == float("-inf"), "what is not known stays so"


@pytest.mark.slow
def test_what_the_clock_said_changes_no_other_figure() -> None:
    """A run that is played again tells the same of all but the clock, whatever the clock said."""
    games = np.random.default_rng(4)
    rows = {name: games.normal(0.5, 0.2, (8, 20)) for name in ("share", "margin", "idle", "inside")}
    rows["idle"][4:] += 0.1

    def told(clocks: dict[str, np.ndarray]) -> dict[str, tuple[float, ...]]:
        found = analyse_values(FACTORIAL, {**rows, **clocks}, RESPONSES, 160)
        return {one.response: tuple(effect.q for effect in one.effects) for one in found.responses}

    alone = told({})
    sure = np.zeros((8, 20))
    sure[4:] = 1.0 + games.normal(0, 0.01, (4, 20))
    luck = games.normal(1, 0.2, (8, 20))
    for clocks in ({"thinking0": sure, "thinking1": sure}, {"thinking0": luck}, {"thinking1": sure}):
        found = told(clocks)
        assert {name: found[name] for name in alone} == alone
    # Their own family is corrected as any other.
    assert min(told({"thinking0": sure})["thinking0"]) < 0.001
    assert told({"thinking0": luck})["thinking0"] != told({"thinking0": luck, "thinking1": sure})["thinking0"]
