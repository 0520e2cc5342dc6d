"""The shipped scenarios as battles: sound files, units with something to do, games that end without a fault.

The quick tests play a game of every scenario between agents (random games, with every invariant looked at, are played by
`tests/contract/test_conformance.py`); the slow ones play a thousand random and two hundred greedy ones, cut into chunks so that
workers can share them.
"""

from __future__ import annotations

from collections import Counter
from types import ModuleType

import pytest

from battlesim.core.answers import MoveTo, Order
from battlesim.core.events import Rolled
from battlesim.engine.battle import Battle, Question
from battlesim.engine.game import Game, play
from battlesim.rules.scenario import Scenario
from battlesim.rulesets.armorclass import data as armorclass
from battlesim.rulesets.armorclass import works
from battlesim.rulesets.armorclass.options import FIELDWORKS, scenario_options
from battlesim.rulesets.finder import RULESETS, find_ruleset
from battlesim.rulesets.orderdice import data as orderdice
from battlesim.rulesets.orderdice.data import TYPES
from battlesim.rulesets.regiment import data as regiment
from battlesim.rulesets.squadhex import data as squadhex
from battlesim.scenario.load import check_scenario
from tests.shipped import SHIPPED, SMALL, is_big, load, marked, of_ruleset

CHUNKS = 5
ORDERS = ("fire", "advance", "run")
"""What rulebooks call orders to shoot or move."""


def played(name: str, agents: tuple[str, str], seed: int, check: bool = True) -> Game:
    """A whole game, its invariants looked at before every question, its dice keys and agents at its end."""
    scenario = load(name)
    ruleset = find_ruleset(scenario.ruleset)

    def before(battle: Battle, question: Question) -> None:
        found = ruleset.faults(battle.state, scenario.board)
        assert found == [], f"{name}, {agents}, seed {seed}, turn {battle.state.turn}: {question.ask}"

    game = play(scenario, agents, seed=seed, listener=before if check else None)
    where = f"{name}, {agents}, seed {seed}"
    assert ruleset.faults(game.state, scenario.board) == [], where
    assert game.faults == (), where
    keys = Counter(
        (e.turn, e.actor, e.purpose, e.object, e.attempt) for e in game.log if isinstance(e, Rolled)
    )
    assert [key for key, times in keys.items() if times > 1] == [], where
    for taken, most in zip(game.outcome.points, game.reach, strict=True):
        assert 0 <= taken <= most, f"{where}: {taken} points, {most} in reach"
    assert game.outcome.termination in ("length", "massacre", "annihilation", "exit"), where
    return game


# ---- the files


@pytest.mark.parametrize("name", SHIPPED)
def test_nothing_is_wrong_or_odd(name: str) -> None:
    assert check_scenario(name) == ()


@pytest.mark.parametrize("name", SHIPPED)
def test_it_says_what_it_is(name: str) -> None:
    scenario = load(name)
    assert scenario.title
    assert scenario.title != name
    assert len(scenario.briefing) > 150
    assert 5 <= scenario.turns <= 8
    assert all(goal.name for goal in scenario.objectives)


def test_objectives_of_every_kind_are_fought_for() -> None:
    kinds = {goal.kind for name in SHIPPED for goal in load(name).objectives}
    assert kinds == {"hold", "destroy", "exit", "survive"}
    assert any(goal.sections for name in SHIPPED for goal in load(name).objectives if goal.kind == "destroy")


@pytest.mark.parametrize(
    "types", [armorclass, orderdice, regiment, squadhex], ids=lambda types: types.__name__
)
def test_every_unit_type_is_fielded(types: ModuleType) -> None:
    ruleset = types.__name__.split(".")[-2]
    fielded = {force.type for name in SHIPPED if load(name).ruleset == ruleset for force in load(name).forces}
    assert sorted(types.TYPES.keys() - fielded) == []


def test_every_wall_and_roof_stands_somewhere() -> None:
    """Materials of the armour classes: of sections, or of field works."""
    scenarios = [load(name) for name in SHIPPED if load(name).ruleset == "armorclass"]
    sections = {make for scenario in scenarios for make in works.makes(scenario.board)}
    field_works = [work for scenario in scenarios for work in scenario_options(scenario)[0].fieldworks]
    named = {
        material for work in field_works for material in (work.wall or FIELDWORKS[work.kind], work.cover)
    }
    named |= {spec.wall for scenario in scenarios for spec in map(works.spec_of, scenario.board.sections)}
    classes = {make.wall for make in sections}
    assert [
        name for name, wall in armorclass.WALLS.items() if name not in named and wall not in classes
    ] == []
    roofs = {make.roof for make in sections}
    assert [name for name, roof in armorclass.ROOFS.items() if roof not in roofs] == []


def test_fire_types_without_a_weapon() -> None:
    """The page on scenarios says why: the source gives these no profile."""
    carried = {weapon.type for weapon in armorclass.WEAPONS.values()}
    assert sorted(armorclass.FIRE.keys() - carried) == [
        "blazer",
        "conversion_beam",
        "hellburner",
        "hellfire",
        "vaporshock",
    ]


def sides(name: str) -> tuple[list[str], list[str]]:
    """The unit types of both sides, sorted."""
    found: tuple[list[str], list[str]] = ([], [])
    for force in load(name).forces:
        found[force.side].append(force.type)
    return sorted(found[0]), sorted(found[1])


@pytest.mark.parametrize(
    ("name", "each"),
    [("skirmish", 4), ("tobacco-factory", 12), ("helsinki-platoons", 12), ("helsinki-quarter", 100)],
)
def test_strengths(name: str, each: int) -> None:
    one, two = sides(name)
    assert (len(one), len(two)) == (each, each)


@pytest.mark.parametrize("name", ["skirmish", "stairwell", "helsinki-platoons", "helsinki-quarter"])
def test_even_scenarios_have_even_forces(name: str) -> None:
    one, two = sides(name)
    assert one == two


def test_armour_on_both_sides_and_support_from_afar_are_somewhere() -> None:
    one, two = sides("village")
    assert any(TYPES[kind].armour >= 9 for kind in one)
    assert any(TYPES[kind].armour >= 9 for kind in two)
    strikes = {TYPES[force.type].strike for force in load("bunker-line").forces}
    assert {"barrage", "air"} <= strikes


# ---- quick games


@pytest.mark.slow
@pytest.mark.parametrize("seed", [1, 2])
@pytest.mark.parametrize("name", SHIPPED)
def test_random_games_end_without_a_fault(name: str, seed: int) -> None:
    played(name, ("random", "random"), seed)


@pytest.mark.slow
@pytest.mark.parametrize("name", SMALL)
def test_greedy_and_rush_play_it(name: str) -> None:
    played(name, ("greedy", "rush"), 3, check=False)


def active(scenario: Scenario, seeds: range) -> tuple[set[int], set[int]]:
    """Units that were offered an order to shoot or move, and those that were offered places to go."""
    acting: set[int] = set()
    moving: set[int] = set()

    def look(battle: Battle, question: Question) -> None:
        unit = getattr(question.ask, "unit", -1)
        if any(isinstance(answer, Order) and answer.name in ORDERS for answer in question.answers):
            acting.add(unit)
        if sum(isinstance(answer, MoveTo) for answer in question.answers) > 1:
            moving.add(unit)

    for seed in seeds:
        play(scenario, ("random", "random"), seed=seed, listener=look)
    return acting, moving


@pytest.mark.slow
@pytest.mark.parametrize("name", marked(of_ruleset("orderdice")))
def test_every_unit_has_something_to_do(name: str) -> None:
    scenario = load(name)
    acting, moving = active(scenario, range(1, 3) if is_big(name) else range(1, 7))
    for number, force in enumerate(scenario.forces):
        assert number in acting, f"{force.name} never had an order to give"
        if force.type in TYPES and scenario.ruleset == "orderdice" and TYPES[force.type].vehicle:
            assert number in moving, f"{force.name} never had a place to go"


# ---- long games


def shares(total: int, weights: dict[str, int]) -> list[tuple[str, int, int]]:
    """`total` games dealt to the scenarios by weight, each scenario's cut into chunks: (name, first seed, games)."""
    whole = sum(weights.values())
    dealt = {name: max(1, total * weight // whole) for name, weight in weights.items()}
    first = max(dealt, key=lambda name: (weights[name], name))
    dealt[first] += max(0, total - sum(dealt.values()))
    made = []
    for name, games in dealt.items():
        for chunk in range(CHUNKS):
            begin, end = chunk * games // CHUNKS, (chunk + 1) * games // CHUNKS
            if end > begin:
                made.append((name, 1000 + begin, end - begin))
    return made


def weight(name: str) -> int:
    """How many games a scenario gets beside the others: the more units, the fewer."""
    return 2 if is_big(name) else 12 if len(load(name).forces) > 18 else 30


def each(total: int) -> list[tuple[str, int, int]]:
    """`total` games of every rulebook, dealt to its scenarios."""
    made = []
    for ruleset in RULESETS:
        made += shares(total, {name: weight(name) for name in SHIPPED if load(name).ruleset == ruleset})
    return made


@pytest.mark.slow
@pytest.mark.parametrize(("name", "first", "games"), each(1000))
def test_a_thousand_random_games(name: str, first: int, games: int) -> None:
    for seed in range(first, first + games):
        played(name, ("random", "random"), seed)


@pytest.mark.slow
@pytest.mark.parametrize(("name", "first", "games"), each(200))
def test_two_hundred_greedy_games(name: str, first: int, games: int) -> None:
    for seed in range(first, first + games):
        played(name, ("greedy", "greedy"), seed)


def test_the_long_games_are_as_many_as_they_say() -> None:
    for total in (1000, 200):
        for ruleset in RULESETS:
            games = [games for name, _, games in each(total) if load(name).ruleset == ruleset]
            assert sum(games) >= total
