"""Upsets: odds against battles solved exactly, ways that replay, verify and hang on what they say they hang on."""

from __future__ import annotations

from fractions import Fraction
from math import log10
from pathlib import Path
from random import Random
from statistics import fmean

import pytest
from hypothesis import given
from hypothesis import strategies as st
from icepool import d
from msgspec.structs import replace

from battlesim.core.dice import KeyedDice, LoadedDice, LoadedRoll, dice_of
from battlesim.core.errors import InputError
from battlesim.core.events import Rolled
from battlesim.core.state import State
from battlesim.engine.game import entrants_of, play, seeds_of
from battlesim.engine.record import Record, parse_record, read_record, record_bytes
from battlesim.engine.verify import verify
from battlesim.rules.scenario import Scenario
from battlesim.rulesets.finder import find_ruleset
from battlesim.scenario.load import first_state, load_scenario
from battlesim.search.expectimax import Expectimax, uniform
from battlesim.stress import upset_paths as paths
from battlesim.stress.upset import asked_for, by_workers, find_upset
from battlesim.stress.upset_splitting import Split, StretchedDice, Trial, estimate_of, split
from battlesim.stress.upset_targets import find_target
from tests.shipped import load

FIGHTS = Path(__file__).parents[1] / "ceilings"
RANDOM = ("random", "random")


# ---- dice that are set beforehand


def test_loaded_dice_change_the_rolls_that_they_name_and_nothing_else() -> None:
    base = KeyedDice(3)
    key, other = (1, 2, "hit", 3, 0), (1, 2, "hit", 3, 1)
    dice = LoadedDice(base, {key: (6, 6)})
    assert dice.faces(key, 2, 6) == (6, 6)
    assert dice.faces(key, 3, 6) == base.faces(key, 3, 6)  # another number of dice: the seed's
    assert LoadedDice(base, {key: (6, 6)}).faces(key, 2, 4) == base.faces(key, 2, 4)  # no such faces
    assert dice.faces(other, 2, 6) == base.faces(other, 2, 6)
    assert dice.ranking(1, 0, "draw", 5) == base.ranking(1, 0, "draw", 5)
    assert isinstance(dice_of(3), KeyedDice)


def loaded_record() -> tuple[Record, LoadedRoll]:
    """A game with one roll set to sixes, which the seed did not roll."""
    scenario = load("skirmish")
    first = next(
        e
        for e in play(scenario, seed=1).log
        if isinstance(e, Rolled) and set(e.faces) != {6} and e.sides == 6
    )
    sixes = tuple(6 for _ in first.faces)
    roll = LoadedRoll(first.turn, first.actor, first.purpose, first.object, first.attempt, sixes)
    game = play(scenario, seed=1, loaded=(roll,))
    return parse_record(game.record(), "loaded"), roll


def test_a_record_says_which_rolls_were_set_and_verifies_with_them() -> None:
    record, roll = loaded_record()
    assert record.header.format == 4
    assert record.header.loaded_rolls == (roll,)
    rolled = next(e for e in record.events if isinstance(e, Rolled) and paths.key_of(e) == roll.key)
    assert rolled.faces == roll.faces
    verdict = verify(record, agents=True)
    assert verdict.same, str(verdict)
    assert (
        "one roll was set beforehand, as the record says; every other die follows from the seed"
        in verdict.notes
    )


def test_a_record_with_a_set_roll_that_it_does_not_list_is_found_out() -> None:
    record, _ = loaded_record()
    honest = replace(record.header, format=3, loaded=play("skirmish", seed=1).header.loaded)
    told = parse_record(record_bytes(honest, record.events, record.outcome), "x")
    assert not verify(told).same
    with pytest.raises(InputError, match="a record of format 4, and no other, lists loaded rolls"):
        parse_record(record_bytes(replace(record.header, format=3), record.events, record.outcome), "x")


def test_a_game_without_set_rolls_is_written_as_before() -> None:
    assert b"loaded" not in play("skirmish", RANDOM, seed=1).record().split(b"\n")[0]


# ---- how likely a roll was


def rolled(faces: tuple[int, ...], need: int = 0, sides: int = 6) -> Rolled:
    return Rolled(1, 0, "hit", 1, 0, sides, need, faces)


@pytest.mark.parametrize(("n", "sides", "need"), [(1, 6, 4), (5, 6, 3), (7, 6, 7), (3, 6, 1), (2, 10, 8)])
def test_the_chances_of_counts_are_those_of_an_independent_library(n: int, sides: int, need: int) -> None:
    die = n @ (d(sides) >= need)
    exact = {int(k): float(Fraction(die.quantity(k), die.denominator())) for k in die}
    assert paths.chances(n, sides, need) == pytest.approx({k: p for k, p in exact.items() if p})


@pytest.mark.parametrize(("n", "sides"), [(1, 6), (2, 6), (4, 6), (3, 3)])
def test_the_chances_of_sums_are_those_of_an_independent_library(n: int, sides: int) -> None:
    die = n @ d(sides)
    assert paths.chances(n, sides, 0) == pytest.approx({int(k): float(die.probability(k)) for k in die})


def test_what_a_roll_costs_is_how_much_less_likely_it_was_than_the_likeliest() -> None:
    assert paths.cost_of(rolled((6, 6))) == pytest.approx(log10(6))  # 1 in 36 against 6 in 36
    assert paths.cost_of(rolled((1,), need=5)) == 0.0
    assert paths.cost_of(rolled((5,), need=5)) == pytest.approx(log10(2))
    assert paths.cost_of(rolled((4,))) == 0.0  # a single face is as likely as any other


@given(
    st.lists(st.integers(1, 6), min_size=1, max_size=12).map(tuple),
    st.integers(0, 7),
)
def test_usual_faces_make_the_likeliest_outcome(faces: tuple[int, ...], need: int) -> None:
    roll = rolled(faces, need)
    usual = replace(roll, faces=paths.usual_faces(roll))
    assert len(usual.faces) == len(faces)
    assert all(1 <= face <= 6 for face in usual.faces)
    assert paths.cost_of(usual) == pytest.approx(0.0)
    if paths.cost_of(roll) == pytest.approx(0.0):
        assert usual == roll


# ---- odds


def exact_odds(scenario: Scenario, winner: int) -> float:
    """The chance that a side wins where both answer at random, with every die and draw accounted for."""

    def wins(state: State) -> float:
        assert state.outcome is not None
        return float(state.outcome.winner == winner)

    solved = Expectimax(find_ruleset(scenario.ruleset), scenario.board, 0, uniform, wins, uniform)
    return solved.value(first_state(scenario, 1))


def rare_fight(folder: Path) -> Scenario:
    """A rifle against two men in a house, with one action each: it seldom wins."""
    file = folder / "rare.yaml"
    file.write_text(
        f"""
name: rare
ruleset: squadhex
map: {FIGHTS}/hexes.yaml
turns: 1
sides: [{{name: Red}}, {{name: Blue}}]
forces:
  - {{side: Red, type: rifle_squad, models: 1, name: Red rifle, at: g1.0}}
  - {{side: Blue, type: rifle_squad, models: 2, name: Blue rifles, at: "house.only:0"}}
options: {{destructible: false, actions: 1}}
"""
    )
    return load_scenario(file)


def runs_of(scenario: Scenario, event: str, repeats: int, size: int) -> tuple[list[Split], Trial]:
    trial = Trial(scenario, entrants_of(RANDOM), find_target(scenario, event))
    return [split(trial, seed, size) for seed in range(repeats)], trial


@pytest.mark.slow
@pytest.mark.parametrize("loser", [0, pytest.param(1, marks=pytest.mark.slow)])
def test_odds_by_splitting_are_those_of_a_fight_solved_exactly(loser: int) -> None:
    """Within four standard errors of 60 repeats of 20 battles; the fight has dice, answers at random and two turns."""
    scenario = load_scenario(FIGHTS / "squadhex-2-1.yaml")
    exact = exact_odds(scenario, 1 - loser)
    runs, trial = runs_of(scenario, f"loses:{scenario.sides[loser].name}", 60, 20)
    found = estimate_of(runs, 20, trial.played)
    error = (found.high - found.low) / 4
    assert found.rounds > 30  # battles were given up and branched, it was not plain counting
    assert abs(found.odds - exact) < 4 * error
    assert error < 0.03


@pytest.mark.slow
def test_rare_odds_by_splitting_are_exact_too(tmp_path: Path) -> None:
    scenario = rare_fight(tmp_path)
    exact = exact_odds(scenario, 0)
    assert exact < 0.1
    runs, trial = runs_of(scenario, "loses:Blue", 60, 25)
    found = estimate_of(runs, 25, trial.played)
    assert abs(found.odds - exact) < 2 * (found.high - found.low)
    assert found.odds == pytest.approx(fmean(run.odds for run in runs))


def test_where_it_never_happens_the_odds_have_a_bound() -> None:
    found = estimate_of([Split(0.0, (), 3, 0)] * 4, 25, 100)
    assert (found.odds, found.low) == (0.0, 0.0)
    assert found.high == pytest.approx(1 - 0.05 ** (1 / 100))


def test_where_it_always_happens_the_odds_have_a_bound_too() -> None:
    """Equal repeats have no spread, but a hundred battles do not show that it is certain."""
    found = estimate_of([Split(1.0, (), 0, 25)] * 4, 25, 100)
    assert (found.odds, found.high) == (1.0, 1.0)
    assert found.low == pytest.approx(0.05 ** (1 / 100))


def test_the_interval_of_rare_odds_holds_them_as_often_as_it_says() -> None:
    """Eight repeats of 40 battles, odds of 1 in 100. An interval symmetric about the estimate misses one in seven."""
    rng, odds, times = Random(7), 0.01, 500
    missed = 0
    for _ in range(times):
        met = [sum(rng.random() < odds for _ in range(40)) for _ in range(8)]
        found = estimate_of([Split(plain / 40, (), 1, plain) for plain in met], 40, 320)
        missed += not found.low <= odds <= found.high
        assert not any(met) or 0 < found.low < found.odds < found.high < 1
    assert missed / times < 0.08


def test_repeats_that_agree_do_not_make_the_odds_certain() -> None:
    found = estimate_of([Split(0.1, (), 3, 2)] * 2, 20, 100)
    assert found.low < 0.05
    assert found.high > 0.2


def test_dice_change_at_the_questions_of_their_stretches_and_lots_never() -> None:
    dice = StretchedDice(1, ((0, 10), (4, 20)))
    key = (1, 0, "hit", 0, 0)
    assert dice.faces(key, 9, 6) == KeyedDice(10).faces(key, 9, 6)
    dice.at(3)
    assert dice.faces(key, 9, 6) == KeyedDice(10).faces(key, 9, 6)
    dice.at(5)
    assert dice.faces(key, 9, 6) == KeyedDice(20).faces(key, 9, 6)
    assert dice.ranking(1, 0, "draw", 6) == KeyedDice(1).ranking(1, 0, "draw", 6)


# ---- ways


@pytest.mark.slow
def test_ways_replay_verify_and_hang_on_their_rolls(tmp_path: Path) -> None:
    asked = asked_for("stairwell", RANDOM, "loses:Red", size=8, repeats=2, ways=1, effort=30)
    found = find_upset(asked, tmp_path)
    assert found.ways
    trial = Trial(load("stairwell"), entrants_of(RANDOM), find_target(load("stairwell"), "loses:Red"))
    for way in found.ways:
        record = read_record(way.record)
        verdict = verify(record, agents=True)
        assert verdict.same, str(verdict)
        assert record.outcome.winner == 1
        assert way.cost <= way.cost_before
        rolls = [e for e in record.events if isinstance(e, Rolled)]
        assert way.cost == pytest.approx(sum(map(paths.cost_of, rolls)))
        own = KeyedDice(seeds_of(way.seed).dice)
        changed = [r for r in rolls if own.faces(paths.key_of(r), len(r.faces), r.sides) != r.faces]
        assert len(changed) == way.set == len(record.header.loaded_rolls)
        kept = {paths.key_of(roll): roll.faces for roll in rolls}
        hinges = 0
        for roll in rolls:
            if paths.cost_of(roll) > paths.SLACK:
                back = {**kept, paths.key_of(roll): paths.usual_faces(roll)}
                met, _ = trial.play_loaded(way.seed, paths.as_loaded(back))
                hinges += not met
        assert hinges == len(way.hangs_on)


@pytest.mark.slow
def test_the_search_comes_out_alike_whoever_does_it(tmp_path: Path) -> None:
    asked = asked_for("stairwell", RANDOM, "loses:Red", size=6, repeats=2, ways=1, effort=4)
    assert find_upset(asked) == find_upset(asked, None, by_workers(2))


def test_without_a_side_it_is_the_favourite_who_is_to_lose() -> None:
    told: list[tuple[str, int, int]] = []
    asked = asked_for("skirmish", ("greedy", "random"), size=6, shown=lambda *where: told.append(where))
    assert asked.event == "loses:South"
    assert told == [("first battles, to find the favourite", number, 6) for number in range(6)]
    assert asked.first is not None
    assert (asked.first.sides, asked.first.favourite, asked.first.battles) == (("South", "North"), 0, 6)


def test_ways_that_hang_on_the_same_rolls_are_one() -> None:
    def way(*purposes: str) -> paths.Way:
        rolls = tuple(paths.KeyRoll(replace(rolled((6,), 6), purpose=p), 0.2, 0.8) for p in purposes)
        return paths.Way(1, (), rolls, 1.0, 2.0, 9)

    assert paths.are_alike(way("hit", "save"), way("save", "hit"))
    assert not paths.are_alike(way("hit", "save"), way("hit", "morale"))
    assert paths.are_alike(way(), way())


# ---- other events


@pytest.mark.parametrize(
    ("event", "told"),
    [
        (
            "sinks:Red",
            "--event 'sinks:Red' is no event; write loses:SIDE, falls:BUILDING, dies:UNIT or uses:CLAUSE",
        ),
        ("loses:Rde", "--event loses:Rde: there is no 'Rde'; did you mean 'Red'"),
        ("falls:hous", "there is no 'hous'; did you mean 'house'"),
        ("uses:OD-HE-99", "there is no 'OD-HE-99'"),
    ],
)
def test_events_that_name_nothing_are_told(event: str, told: str) -> None:
    with pytest.raises(InputError) as raised:
        find_target(load("stairwell"), event)
    assert told in str(raised.value)


def test_any_event_can_be_looked_for() -> None:
    scenario = load("skirmish")
    for event in ("dies:South officer", "falls:farm", "uses:OD-HE-1"):
        trial = Trial(scenario, entrants_of(RANDOM), find_target(scenario, event))
        met, battle = trial.play(5, KeyedDice(5))
        if event.startswith("dies"):
            unit = next(u for u in battle.state.units.values() if u.name == "South officer")
            assert met == (not unit.alive)
        assert 0.0 <= trial.target.nearness(battle) <= 1.0
