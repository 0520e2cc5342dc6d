"""Battles solved whole: against arithmetic by hand, symmetry, and players that are known to be perfect or not."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

import icepool
import pytest
from msgspec.structs import replace

from battlesim.core.answers import Answer, Confirm, Order, Pick
from battlesim.core.state import State
from battlesim.rules.activation import Bag
from battlesim.rules.resolution import Resolution
from battlesim.rulesets.finder import find_ruleset
from battlesim.scenario.load import first_state, load_scenario
from battlesim.search.expectimax import Expectimax, branches, uniform
from battlesim.search.roll_odds import OddsError
from tests.measure_ceilings import BLUES, DEPTH, fights, loss, solver, wins

FIGHTS = Path(__file__).parents[1] / "ceilings"


@pytest.fixture(autouse=True)
def depth() -> Iterator[None]:
    """Room for the recursion of whole fights, and Python's limit as it was afterwards: others rely on it."""
    before = sys.getrecursionlimit()
    sys.setrecursionlimit(DEPTH)
    yield
    sys.setrecursionlimit(before)


def solved(path: Path, own: object = None, most: int = 50_000) -> tuple[Expectimax, State]:
    scenario = load_scenario(path)
    found = Expectimax(
        find_ruleset(scenario.ruleset),
        scenario.board,
        0,
        uniform,
        wins,
        own,
        most,  # type: ignore[arg-type]
    )
    return found, first_state(scenario, 1)


def written(tmp_path: Path, name: str, text: str) -> Path:
    file = tmp_path / f"{name}.yaml"
    file.write_text(f"name: {name}\n{text}")
    return file


@pytest.fixture
def one_shot(tmp_path: Path) -> tuple[Expectimax, State]:
    """Four riflemen two hexes from one man in a house who cannot act: the last round, and one action."""
    file = written(
        tmp_path,
        "shot",
        f"""
ruleset: squadhex
map: {FIGHTS}/hexes.yaml
turns: 1
sides: [{{name: Red}}, {{name: Blue}}]
forces:
  - {{side: Red, type: rifle_squad, name: squad, at: g0.0}}
  - {{side: Blue, type: rifle_squad, name: man, models: 1, at: "house.only:0"}}
options: {{destructible: false, actions: 1}}
""",
    )
    found, start = solved(file)
    man = start.units[1]
    start.units[1] = replace(man, own=replace(man.own, disrupted=True))
    return found, start


def test_one_volley_is_worth_what_arithmetic_by_hand_says(one_shot: tuple[Expectimax, State]) -> None:
    """Four dice hit on 5 and 6, three of cover cancel on 5 and 6; the man's loss wins, else it is a draw."""
    found, start = one_shot
    hits = 4 @ (icepool.d6 >= 5)
    net = hits - 3 @ (icepool.d6 >= 5)
    chance = float((net >= 1).probability(True))
    # From the next hex two dice hit on 4 and more, which is worse: one fires from where one stands.
    near = float((2 @ (icepool.d6 >= 4) - 3 @ (icepool.d6 >= 5) >= 1).probability(True))
    assert near < chance
    assert found.value(start) == pytest.approx(0.5 + chance / 2, abs=1e-12)


def test_the_best_answer_is_the_one_that_is_worth_the_most(one_shot: tuple[Expectimax, State]) -> None:
    found, start = one_shot
    best = found.value(start)
    battle = start
    assert best == pytest.approx(found.value(battle))
    scenario_state = _at_question(found, start)
    values = dict(found.values(scenario_state))
    assert max(values.values()) == pytest.approx(best)
    assert max(values, key=lambda said: values[said]) == Order("fire")
    assert values[Order("opportunity")] == 0.5


def _at_question(found: Expectimax, start: State) -> State:
    from battlesim.core.dice import KeyedDice
    from battlesim.engine.battle import Battle

    battle = Battle(found.ruleset, found.board, start.clone(), KeyedDice(1))
    assert battle.question is not None
    return battle.state


SYMMETRIC = {
    "orderdice": "sniper_rifles, models: 1",
    "armorclass": "gun_drone",
}


@pytest.mark.slow
@pytest.mark.parametrize("ruleset", SYMMETRIC)
def test_equal_sides_that_answer_alike_win_equally_often(ruleset: str, tmp_path: Path) -> None:
    """The draw from the bag and the roll for initiative favour nobody; the best answers do better than random ones."""
    (tmp_path / "field.yaml").write_text("name: field\nsize: [9, 3]\nground: {kind: lattice, pitch: 3}\n")
    file = written(
        tmp_path,
        "duel",
        f"""
ruleset: {ruleset}
map: ./field.yaml
turns: 1
sides: [{{name: Red}}, {{name: Blue}}]
forces:
  - {{side: Red, type: {SYMMETRIC[ruleset]}, name: one, at: g0.0}}
  - {{side: Blue, type: {SYMMETRIC[ruleset]}, name: other, at: g2.0}}
""",
    )
    random, start = solved(file, uniform)
    assert random.value(start) == pytest.approx(0.5, abs=1e-9)
    best, start = solved(file)
    assert best.value(start) > 0.55
    # Where both give their best answers it is even again.
    both = Expectimax(best.ruleset, best.board, 0, None, wins)
    assert both.value(start) == pytest.approx(0.5, abs=1e-9)


@pytest.mark.parametrize("dice", [((0,), (1,)), ((1,), (0,)), ((3,), (0, 1, 2)), ((0, 2), (4,)), ((), (5,))])
def test_every_die_in_the_bag_is_as_likely_to_be_drawn(dice: tuple[tuple[int, ...], tuple[int, ...]]) -> None:
    found, start = solved(FIGHTS / "orderdice-2-1.yaml")
    start.extra = replace(start.extra, bag=Bag(dice))
    drawn: list[int] = []

    def draw(r: Resolution) -> None:
        drawn.append(Bag(dice).first(lambda side, n: r.dice.ranking(1, side, "draw", n))[0])

    chances = [chance for chance, _ in branches(start, found.board, draw)]
    assert dict(zip(drawn, chances, strict=True)) == pytest.approx(
        {side: len(dice[side]) / sum(map(len, dice)) for side in (0, 1) if dice[side]}
    )


def test_too_large_a_battle_is_refused_in_words() -> None:
    found, start = solved(FIGHTS / "orderdice-2-1.yaml", most=200)
    with pytest.raises(OddsError, match="more than 200 positions"):
        found.value(start)


def test_a_side_plays_as_it_is_told(one_shot: tuple[Expectimax, State]) -> None:
    found, start = one_shot

    def waits(state: State, board: object, ask: object, answers: list[Answer]) -> list[tuple[Answer, float]]:
        wanted = (Order("opportunity"), Confirm(False), Pick(0))
        return [(next((one for one in wanted if one in answers), answers[0]), 1.0)]

    idle = Expectimax(found.ruleset, found.board, 0, uniform, wins, waits)  # type: ignore[arg-type]
    assert idle.value(start) == 0.5
    other = Expectimax(found.ruleset, found.board, 1, uniform, lambda state: 1 - wins(state))
    assert other.value(start) <= 0.5  # the man can do nothing about it


@pytest.mark.slow
@pytest.mark.parametrize("blue", BLUES)
def test_what_players_lose_is_the_optimum_less_their_own_value(blue: str, tmp_path: Path) -> None:
    """Random players lose what the exact value of random answers says, within four standard errors; greedy loses less."""
    file = written(
        tmp_path,
        "house",
        f"""
ruleset: squadhex
map: {FIGHTS}/hexes.yaml
turns: 1
sides: [{{name: Red}}, {{name: Blue}}]
forces:
  - {{side: Red, type: rifle_squad, name: squad, models: 2, at: g1.0}}
  - {{side: Blue, type: rifle_squad, name: man, models: 1, at: "house.only:0"}}
options: {{destructible: false, actions: 1}}
""",
    )
    scenario = load_scenario(file)
    best, start = solver(scenario, blue), first_state(scenario, 1)

    def perfect(state: State, board: object, ask: object, answers: object) -> list[tuple[Answer, float]]:
        values = dict(best.values(state))
        return [(min(values, key=lambda said: values[said]), 1.0)]

    opponent = best.opponent or perfect
    random = Expectimax(best.ruleset, best.board, 0, opponent, wins, uniform)
    exact = best.value(start) - random.value(start)
    found = loss(scenario, best, "random", 150, blue)
    assert exact > 0.05
    assert abs(found.mean - exact) < 4 * found.error
    assert loss(scenario, best, "greedy", 20, blue).mean < found.mean


@pytest.mark.slow
def test_a_blue_that_answers_better_leaves_red_less() -> None:
    scenario = load_scenario(FIGHTS / "squadhex-2-2.yaml")
    start = first_state(scenario, 1)
    best, greedy, random = (solver(scenario, blue).value(start) for blue in BLUES)
    assert best < greedy < random


def test_there_is_a_fight_for_each_rulebook() -> None:
    assert {name.partition("-")[0] for name in fights()} == {
        "orderdice",
        "squadhex",
        "armorclass",
        "regiment",
    }
    for name in fights():
        load_scenario(FIGHTS / f"{name}.yaml")
