"""Searches for balance, on made-up battles whose truth is known, and on small real ones."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from msgspec.structs import replace

from battlesim.cli.main import main
from battlesim.core.errors import InputError
from battlesim.stress.balance import FRESH, Search, _divided
from battlesim.stress.change import Balance, Knob
from battlesim.stress.designs import Point
from battlesim.stress.logistic import chance, crossing, fit
from battlesim.stress.tuning import tuning_of
from battlesim.stress.tuning_words import balance_lines
from tests.stress.fields import TURNS, Breaking, MadeUp

UNIT = Knob("unit", 0, (0, 1, 2), True)
WALLS = Knob("walls", "brick", ("wood", "brick", "stone"), False)
NOTHING = Knob("nothing", 1, (1, 2, 3, 4, 5), True)


def test_a_share_at_either_edge_of_the_margin_holds() -> None:
    search = Search(MadeUp(lambda point: 0.0), [TURNS], 0.5, 0.05)
    assert [search.holds(share) for share in (0.449, 0.45, 0.55, 0.551)] == [False, True, True, False]


def level(point: Point, place: int, usual: Any) -> Any:
    return usual if point[place] is None else point[place]


def odds(point: Point) -> float:
    """The first side is behind by one in log odds; four turns more, a unit more or wooden walls would each make it even."""
    turns, unit, walls = level(point, 0, 6), level(point, 1, 0), level(point, 2, "brick")
    return -1.0 + 0.25 * (turns - 6) + 1.0 * unit + {"wood": 1.0, "brick": 0.0, "stone": -0.5}[walls]


def searched(knobs: Sequence[Knob], of: Callable[[Point], float], seed: int = 1, **more: Any) -> Balance:
    return Search(MadeUp(of), knobs, seed=seed, **more).run(400)


def test_each_of_three_ways_to_make_it_even_is_proposed() -> None:
    right = 0
    for seed in (1, 5001, 9001):
        found = searched([TURNS, UNIT, WALLS, NOTHING], odds, seed)
        assert not found.is_fair
        assert all(p.low <= 0.5 + 0.05 and p.high >= 0.5 - 0.05 and p.is_confirmed for p in found.proposals)
        names = {tuple(name for name, _, _ in proposal.changes) for proposal in found.proposals}
        right += len(names & {("turns",), ("unit",), ("walls",)})
        assert ("nothing",) not in names
    assert right >= 7, "of 9 wanted"


@pytest.mark.slow
def test_a_change_that_is_right_is_not_refused_by_the_luck_of_a_few_games(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A unit more makes it even; 100 fresh games say 43% or less, or 57% or more, in one case of six."""

    def found(seed: int) -> int:
        search = Search(MadeUp(odds_of_a_unit), [UNIT, NOTHING], margin=0.07, seed=seed)
        return sum(p.changes[0][0] == "unit" for p in search.run(100).proposals)

    assert sum(found(seed) for seed in range(1, 40_001, 2_000)) >= 19
    monkeypatch.setattr("battlesim.stress.balance.FURTHER", 0)
    assert sum(found(seed) for seed in range(1, 40_001, 2_000)) < 19, "without further games more are lost"


def odds_of_a_unit(point: Point) -> float:
    return -1.3 + 1.3 * level(point, 1 if len(point) > 2 else 0, 0)


def test_a_stated_cost_decides_the_order() -> None:
    cheap = Knob("turns", 6, TURNS.levels, True, 0.1)
    dear = Knob("unit", 0, (0, 1, 2), True, 5.0)
    found = searched([cheap, dear, NOTHING], odds_of_two)
    assert found.proposals[0].changes[0][0] == "turns"
    assert [proposal.cost for proposal in found.proposals] == sorted(p.cost for p in found.proposals)


def test_a_change_costs_something_where_the_places_of_a_factor_differ_now() -> None:
    """Units of 5 and of 10 models that are all to have as many: no number is the present one, and none is free."""
    models = Knob("models", None, (5, 6, 7), True)
    assert {models.price(level) for level in models.levels} == {1.01}
    assert {Knob("models", None, (5, 6, 7), True, 2.0).price(level) for level in (5, 6, 7)} == {2.0}
    assert models.price(None) == 0


def odds_of_two(point: Point) -> float:
    return -1.0 + 0.25 * (level(point, 0, 6) - 6) + 1.0 * level(point, 1, 0)


def test_where_no_factor_reaches_alone_two_do_together() -> None:
    def both(point: Point) -> float:
        return -1.6 + 0.8 * level(point, 0, 0) + (0.8 if level(point, 1, False) else 0.0)

    one, two = Knob("one", 0, (0, 1), True), Knob("two", False, (False, True), False)
    found = searched([one, two, NOTHING], both)
    assert [tuple(name for name, _, _ in p.changes) for p in found.proposals][:1] == [("one", "two")]


def test_a_fair_scenario_needs_nothing() -> None:
    found = searched([TURNS, UNIT], lambda _: 0.0)
    assert found.is_fair
    assert not found.proposals
    assert found.games < 800
    assert "nothing needs to be changed" in "\n".join(balance_lines(found, "Red"))


@pytest.mark.parametrize("seed", [27001, 54001, 99001])
def test_nothing_is_proposed_where_fresh_dice_show_that_nothing_needs_to_be_changed(seed: int) -> None:
    """A true share of 43%, which the first games put off the margin and the fresh ones within it."""
    found = searched([TURNS], lambda point: -0.28 + 0.15 * (level(point, 0, 6) - 6), seed)
    assert found.is_fair
    assert not found.proposals
    assert not found.refused


def test_what_cannot_be_reached_is_said() -> None:
    found = searched([NOTHING], lambda _: -3.0)
    assert not found.proposals
    assert "no change was found" in "\n".join(balance_lines(found, "Red"))


def test_proposals_come_from_fresh_dice_and_searches_end() -> None:
    field = MadeUp(odds)
    found = Search(field, [TURNS, UNIT, WALLS], seed=7, most=1500).run(200)
    fresh = [first for first in field.first if first >= FRESH]
    assert {(first - 7 - FRESH) % 200 for first in fresh} == {0}, "further games go on where the first ended"
    assert fresh.count(7 + FRESH) == 1 + len(found.proposals) + len(found.refused)
    assert field.played < 1500 + 10 * 200 + 1000


@pytest.mark.parametrize("most", [3, 60, 300])
def test_a_search_plays_no_more_than_it_is_given(most: int) -> None:
    field = MadeUp(odds)
    search = Search(field, [TURNS, UNIT, WALLS], seed=7, most=most)
    search.run(40)
    assert sum(len(shares) for shares in search.seen.values()) == search.looked <= most


@pytest.mark.parametrize("most", [8, 30, 60, 100, 200])
@pytest.mark.parametrize("of", [odds, lambda _: 0.1])
def test_few_games_try_every_factor_before_any_twice(most: int, of: Callable[[Point], float]) -> None:
    search = Search(MadeUp(of), [TURNS, UNIT, WALLS, NOTHING], margin=0.02, most=most)
    search._alone()
    played = [
        sum(len(shares) for point, shares in search.seen.items() if point[place] is not None)
        for place in range(4)
    ]
    assert min(played) >= most // 8, "two levels of each"
    search = Search(MadeUp(of), [TURNS, UNIT, WALLS, NOTHING], margin=0.02, most=most)
    found = search.run(40)
    assert found.is_fair or all(looks for _, looks in found.alone)
    assert search.looked <= most


def test_games_are_divided_evenly_among_those_that_want_them() -> None:
    assert _divided(100, [24, 24, 2]) == [24, 24, 2]
    assert _divided(20, [24, 24, 2]) == [9, 9, 2]
    assert _divided(7, [3, 3, 3]) == [3, 2, 2]
    assert _divided(2, [3, 3, 3]) == [1, 1, 0]
    assert _divided(0, [3]) == [0]


def test_unsound_levels_are_left_out_and_named() -> None:
    field = MadeUp(odds, [(None, 1, None), (None, 2, None)])
    found = Search(field, [TURNS, UNIT, WALLS]).run(300)
    assert found.unsound == ("unit = 1", "unit = 2 (no room)")
    assert not any(name == "unit" for p in found.proposals for name, _, _ in p.changes)


def test_what_else_changes_is_told() -> None:
    found = searched([TURNS], lambda point: -1.0 + 0.5 * (level(point, 0, 6) - 6))
    (proposal,) = found.proposals
    (turns,) = [one for one in proposal.differences if one.response == "turns"]
    assert turns.change == proposal.changes[0][2] * -1 == turns.low
    assert "turns played" in "\n".join(balance_lines(found, "Red"))


def test_a_logistic_curve_finds_its_own_coefficients() -> None:
    x = np.linspace(0, 1, 11)
    columns = np.column_stack([np.ones(11), x])
    truth = np.array([-2.0, 5.0])
    games = np.full(11, 1e5)
    beta = fit(columns, games * chance(columns, truth), games)
    assert beta == pytest.approx(truth, abs=0.01)
    assert crossing(beta) == pytest.approx(0.4, abs=0.001)
    assert np.isfinite(fit(columns, games, games)).all(), "all games won"


def test_a_level_whose_games_all_broke_off_is_no_obstacle() -> None:
    class OneBreaks(MadeUp):
        def _games(self, point: Point, first: int, count: int) -> Mapping[str, Any]:
            found = super()._games(point, first, count)
            return {**found, "share": np.full(count, np.nan)} if point == (12,) else found

    found = Search(OneBreaks(lambda p: 0.6 * (level(p, 0, 6) - 8)), [TURNS]).run(300)
    (proposal,) = found.proposals
    assert proposal.changes[0][2] == 8


def test_a_scenario_whose_games_all_break_off_is_told() -> None:
    with pytest.raises(InputError, match="every game of the scenario as it is broke off"):
        Search(Breaking(odds, every=1), [TURNS, UNIT, WALLS]).run(40)


@pytest.mark.parametrize(
    ("more", "said"),
    [
        ({"tune": ["trns=3..9"]}, "names nothing"),
        ({"cost": ["margin=2"]}, "'margin' is not tuned"),
        ({"cost": ["turns=no"]}, "not a number"),
        ({"cost": ["turns=-1"]}, "not above 0"),
        ({"share": 0.0}, "not looked for"),
        ({"margin": 0.9}, "not usable"),
        ({"tune": ["agents.Red=rush,random"], "frontier": True}, "numbers"),
    ],
)
def test_what_makes_no_sense_is_told(more: dict[str, Any], said: str) -> None:
    asked: dict[str, Any] = {"scenario": "stairwell", "tune": ["turns=3..9"], **more}
    with pytest.raises(InputError) as caught:
        tuning_of(asked).search_on(MadeUp(lambda _: 0.0))
    assert said in str(caught.value)


@pytest.mark.slow
def test_a_search_from_the_command_line_and_again_from_its_folder(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "search"
    words = [
        "balance",
        "stairwell",
        "--tune",
        "turns=2,3",
        "--tune",
        'forces.Red.units["*"].quality=veteran,regular',
    ]
    more = ["--agents", "rush", "random", "--games", "60", "--confirm", "10", "--margin", "0.3", "--quiet"]
    assert main([*words, *more, "--out", str(out), "--workers", "1"]) == 0
    first = capsys.readouterr().out
    assert "Red took" in first
    figures = json.loads((out / "balance.json").read_text())["found"]
    rounds = sorted(path.name for path in (out / "rounds").iterdir())
    assert main(["balance", "--resume", str(out), "--workers", "1", "--quiet"]) == 0
    assert capsys.readouterr().out == first
    assert sorted(path.name for path in (out / "rounds").iterdir()) == rounds
    assert json.loads((out / "balance.json").read_text())["found"] == figures
    # `runs` lists it and shows it.
    assert main(["runs", str(out)]) == 0
    assert capsys.readouterr().out == first
    assert main(["runs", "--folder", str(tmp_path), "--json"]) == 0
    (row,) = json.loads(capsys.readouterr().out)
    assert (row["run"], row["kind"], row["state"]) == ("search", "balance", "finished")
    assert (row["agents"], row["scenarios"]) == (2, 1)
    assert row["games"] == f"{figures['games']}/{figures['games']}"
    assert row["started"] != "-"
    assert main([*words, "--out", str(out)]) == 2
    capsys.readouterr()
    (tmp_path / "empty").mkdir()
    (tmp_path / "bad").mkdir()
    remedy = "name a folder that `battlesim balance` made"
    for name, told in (
        ("empty", f"this is not the folder of a search; {remedy}"),
        ("nowhere", f"there is no such folder; {remedy}"),
    ):
        assert main(["balance", "--resume", str(tmp_path / name)]) == 2
        assert capsys.readouterr().err == f"battlesim: {tmp_path / name}: {told}\n"
    for text in ("{", "[]", '{"scenario": "stairwell"}'):
        (tmp_path / "bad/balance-asked.json").write_text(text)
        assert main(["balance", "--resume", str(tmp_path / "bad")]) == 2
        told = capsys.readouterr().err
        assert told.startswith(
            f"battlesim: {tmp_path / 'bad/balance-asked.json'}: what the search was asked for is damaged: "
        )
    # What it was begun with has changed: each is told.
    asked = out / "balance-asked.json"
    asked.write_text(asked.read_text().replace('"margin": 0.3', '"margin": 0.2'))
    begun = json.loads((out / "begun.json").read_text())
    (out / "begun.json").write_text(json.dumps({**begun, "digest": "another"}))
    capsys.readouterr()
    assert main(["balance", "--resume", str(out), "--workers", "1", "--quiet"]) == 2
    told = capsys.readouterr().err
    assert "balance-asked.json: margin: the search was begun with margin = 0.3, now it is 0.2" in told
    assert "was begun with battlesim 0.1.0 (another), this is 0.1.0 (" in told


def test_runs_tell_a_search_that_was_stopped_and_a_damaged_one(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for name, text in (("bad", "{"), ("stopped", '{"scenario": "stairwell", "tune": ["turns=2,3"]}')):
        (tmp_path / name).mkdir()
        (tmp_path / name / "balance-asked.json").write_text(text)
    assert main(["runs", "--folder", str(tmp_path)]) == 0
    _, bad, stopped, why = capsys.readouterr().out.splitlines()
    assert bad.split()[:4] == ["bad", "-", "damaged", "balance"]
    assert stopped.split()[:6] == ["stopped", "0/?", "interrupted", "balance", "1", "1"]
    assert why == f"damaged: battlesim runs {tmp_path / 'bad'} says what is wrong"
    assert main(["runs", str(tmp_path / "bad")]) == 2
    assert "what the search was asked for is damaged" in capsys.readouterr().err
    assert main(["runs", "stopped", "--folder", str(tmp_path)]) == 0
    assert f"battlesim balance --resume {tmp_path / 'stopped'}" in capsys.readouterr().out


def test_a_folder_that_cannot_be_made_is_told(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "file").write_bytes(b"")
    out = str(tmp_path / "file" / "search")
    assert main(["balance", "stairwell", "--tune", "turns=4..6", "--out", out]) == 2
    assert (
        f"{out}: the search's folder cannot be made: Not a directory; give a folder"
        in capsys.readouterr().err
    )


def test_more_games_are_asked_for_where_a_factor_was_not_tried() -> None:
    found = searched([NOTHING], lambda _: -3.0)
    assert "give more to --tune, or a wider --margin" in "\n".join(balance_lines(found, "Red"))
    left_out = replace(found, alone=(*found.alone, ("untried", ())))
    assert "give more --games, more to --tune" in "\n".join(balance_lines(left_out, "Red"))
