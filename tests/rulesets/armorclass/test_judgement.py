"""What players of armour classes make of buildings: walls opened, houses set alight or worn down, orders that are followed."""

from __future__ import annotations

from itertools import product
from typing import Any

import pytest

from battlesim import KeyedDice, find_ruleset, first_state, play
from battlesim.core.answers import Answer, Order, Pass, Pick
from battlesim.core.events import Answered
from battlesim.core.items import Ask
from battlesim.core.state import Structure
from battlesim.engine.battle import Battle
from battlesim.evaluation.parameters import judgement_with, parameters_of, weights_of
from battlesim.rules.contract import Features, weigh
from battlesim.rules.scenario import Objective
from battlesim.rulesets.armorclass import estimates_above
from battlesim.rulesets.armorclass.appraisal import Appraisal
from battlesim.rulesets.armorclass.contenders import JUDGE
from battlesim.rulesets.armorclass.facts import Acts
from battlesim.rulesets.armorclass.facts_fire import Lobbed, Volley
from battlesim.rulesets.armorclass.judgement import USUAL, Judgement
from battlesim.rulesets.armorclass.model import RUN, STAND, Breach, Into, Search
from battlesim.rulesets.armorclass.move import WhereTo
from battlesim.rulesets.armorclass.outcomes import Outcome
from battlesim.rulesets.armorclass.shoot import AtWhom
from battlesim.rulesets.armorclass.turn import WhichOrder, WhichUnit
from tests.rulesets.armorclass.kit import NORTH, SOUTH, WEST, Table, house, unit
from tests.shipped import load


def promised(table: Table, ask: Ask, judgement: Judgement = USUAL) -> dict[Answer, Features]:
    table.do(ask)
    return dict(
        zip(
            table.legal,
            JUDGE.features(table.view(0), table.board, ask, table.legal, judgement),
            strict=True,
        )
    )


def best(found: dict[Answer, Features], judgement: Judgement = USUAL) -> Answer:
    weights = weights_of(judgement)
    return max(found, key=lambda answer: weigh(found[answer], weights))


def held(table: Table) -> Table:
    """The house is an objective of three points."""
    places = table.board.sections[0].spaces
    table.r.set_extra(objectives=(Objective("hold", "the house", 3, places=places),), turns=6)
    return table


def test_every_parameter_says_what_it_means_and_how_far_it_goes() -> None:
    for one in parameters_of(Judgement):
        assert one.meaning
        assert one.low <= one.default <= one.high


@pytest.mark.parametrize("first", [0, 1])
def test_of_teams_alike_the_one_in_danger_acts_first(first: int) -> None:
    """One stands out of sight behind the house. Neither has a shot that can harm the tank, which can harm the other."""
    behind, seen = "g11.4", "g3.4"
    places = (seen, behind) if first == 0 else (behind, seen)
    teams = [unit("rifle_team", place, detected=True) for place in places]
    table = Table(house(), *teams, unit("tank", "g3.8", side=1, detected=True, facing=4), turns=6)
    found = promised(table, WhichUnit(side=0))
    assert not any(one.dealt for one in found.values())
    assert best(found) == Pick(first)
    assert found[Pick(1 - first)].ready < found[Pick(first)].ready
    careless = judgement_with(Judgement, {"urgency": 0.0})
    assert not any(one.ready for one in promised(table, WhichUnit(side=0), careless).values())


def test_engineers_before_a_blank_wall_of_what_is_wanted_breach_it() -> None:
    """Nobody is in sight: they work on the wall, unless a way in is worth nothing."""
    for opened, breaches in ((0.5, True), (0.0, False)):
        judgement = judgement_with(Judgement, {"opened": opened})
        table = held(Table(house(floors=1), unit("engineers", "g9.6")))
        found = promised(table, AtWhom(0, True, side=0), judgement)
        breach = Breach(table.place("house.1:0"), NORTH)
        assert (best(found, judgement) == breach) is breaches
        assert (found[breach].dealt > 0) is breaches


def test_engineers_do_not_cut_at_a_wall_with_a_door_within_one_move() -> None:
    table = held(Table(house(floors=1), unit("engineers", "g8.4")))
    found = promised(table, AtWhom(0, True, side=0))
    assert found[Breach(table.place("house.1:0"), WEST)].dealt == 0


def test_a_flamer_is_turned_on_the_timber_house_that_the_enemy_holds() -> None:
    """The same shot is worth more where the house burns with whoever is in it, and less where it is to be held by us."""
    values = {}
    for material, wanted in (("wood", False), ("brick", False), ("wood", True)):
        table = Table(
            house(material=material, floors=1),
            unit("assault_team", "g9.3"),
            unit("rifle_team", "house.1:0", side=1, detected=True),
            options={"fires": True},
        )
        if wanted:
            held(table)
        ask = AtWhom(0, True, side=0)
        found = promised(table, ask)
        answer = next(a for a in found if isinstance(a, Into))
        values[material, wanted] = found[answer].dealt
    assert values["wood", False] > values["brick", False] > 0
    assert values["wood", True] < values["wood", False]


def test_a_house_that_is_to_be_destroyed_is_worn_down_when_nobody_is_in_sight() -> None:
    table = Table(house(floors=1), unit("tank", "g9.1"), options={"damage": "2", "points": 30})
    raze = Objective("destroy", "the house", 3, side=0, sections=(0,))
    table.r.set_extra(objectives=(raze,), turns=6)
    ask = AtWhom(0, True, side=0)
    found = promised(table, ask)
    assert isinstance(best(found), Search)
    assert found[Search(table.place("house.1:0"), SOUTH)].dealt > 0
    assert best({a: f for a, f in found.items() if isinstance(a, Pass)}) == Pass()


def test_wearing_a_house_down_is_worth_less_as_the_battle_ends() -> None:
    """A house that stands after the last turn was worn down for nothing."""

    def worth(turns: int, worn: float = USUAL.worn) -> float:
        table = Table(house(floors=1), unit("tank", "g9.1"), options={"damage": "2", "points": 30})
        raze = Objective("destroy", "the house", 3, side=0, sections=(0,))
        table.r.set_extra(objectives=(raze,), turns=turns)
        found = promised(table, AtWhom(0, True, side=0), judgement_with(Judgement, {"worn": worn}))
        return found[Search(table.place("house.1:0"), SOUTH)].dealt

    assert worth(6) > worth(3) > worth(1) == worth(1, worn=0.0)


@pytest.mark.slow
@pytest.mark.parametrize("name", ["tobacco-armour", "village-armour"])
def test_who_chooses_to_fire_and_then_move_fires(name: str) -> None:
    """An order is chosen for what follows: nine of ten teams that are told to fire first do, or work with their tools."""
    fires = tools = orders = 0
    for seed in (0, 18, 21):
        waiting = False
        for event in play(load(name), ("greedy", "greedy"), seed).log:
            if isinstance(event, Acts):
                waiting = event.order == "fire"
                orders += waiting
            elif waiting and isinstance(event, Volley | Lobbed):
                waiting = False
                fires += 1
            elif waiting and isinstance(event, Answered) and event.answer.startswith("breach "):
                waiting = False
                tools += 1
    assert orders > 10
    assert fires + tools >= 0.9 * orders


@pytest.mark.slow
@pytest.mark.parametrize("seed", [10, 11, 12])
def test_who_has_nothing_to_gain_by_fire_or_tools_does_nothing(seed: int) -> None:
    """No shot, shell or charge is spent where holding fire promises as much."""
    scenario, weights = load("bastion"), weights_of(USUAL)
    battle = Battle(
        find_ruleset(scenario.ruleset), scenario.board, first_state(scenario, seed), KeyedDice(seed)
    )
    held = 0
    while (question := battle.question) is not None:
        view = battle.ruleset.observe(battle.state, battle.board, question.side, ())
        found = JUDGE.features(view, battle.board, question.ask, question.answers)
        values = [weigh(one, weights) for one in found]
        most = max(values)
        best = [answer for answer, value in zip(question.answers, values, strict=True) if value == most]
        if isinstance(question.ask, AtWhom) and Pass() in best:
            assert best == [Pass()]
            held += 1
        battle.answer(best[0])
    assert held > 3


# ---- what falls


def tower(*goals: Objective, gone: int = -1, **options: Any) -> Appraisal:
    """What South makes of a wooden tower of four floors, `gone` from a floor on, that objectives are about."""
    board = house(floors=4, material="wood")
    ruin = [Structure(0, own={"gone": gone})] if gone >= 0 else []
    table = Table(
        board,
        unit("self_propelled_howitzer", "g2.2"),
        unit("militia", "house.1:0", side=1, detected=True),
        structures=ruin,
        options=options,
        objectives=goals,
        turns=8,
    )
    return Appraisal(table.view(0), board, USUAL, weights_of(USUAL))


def about(kind: str, side: int) -> Objective:
    return Objective(kind, "the tower", 3, side=side, sections=(0,))


POINTS = 3 * USUAL.named


def test_a_building_is_destroyed_with_its_ground_floor() -> None:
    """As the rules count it: upper floors that fall earn nothing, neither the first nor the next."""
    for gone in (-1, 3):
        s = tower(about("destroy", 0), gone=gone)
        assert [s.value_of_fall(0, floor) for floor in range(4)] == [POINTS, 0, 0, 0]
    assert tower(about("destroy", 1)).value_of_fall(0, 0) == -POINTS


def test_a_building_is_kept_while_all_of_it_stands() -> None:
    for side, points in ((0, -POINTS), (1, POINTS)):
        assert [tower(about("keep", side)).value_of_fall(0, floor) for floor in range(4)] == [points] * 4
        assert [tower(about("keep", side), gone=3).value_of_fall(0, n) for n in range(3)] == [0, 0, 0]


def test_an_upper_floor_that_burns_out_does_not_destroy_the_building() -> None:
    alight = [Outcome(place=house(floors=4).space(f"house.1:{floor}"), burns=1.0) for floor in (0, 2)]
    below, above = (
        [s.value_of_outcome(outcome) for outcome in alight]
        for s in (tower(about("destroy", 0), fires=True), tower(fires=True))
    )
    assert below[0] - above[0] == pytest.approx(POINTS)
    assert below[1] == above[1]


def test_a_shell_aimed_at_whoever_is_downstairs_strikes_the_top() -> None:
    """It promises what becomes of the floor under the roof: no building is destroyed by it."""
    s = tower(about("destroy", 0))
    for floor in (0, 3):
        place = s.board.space(f"house.1:{floor}")
        found = estimates_above.lobbed(s.state, s.board, s.state.units[0], place)
        assert found.falls > 0
        assert found.place == s.board.space("house.1:3")


def test_under_structure_points_all_of_a_building_falls() -> None:
    s = tower(about("destroy", 0), damage="1")
    falls = Outcome(place=s.board.space("house.1:2"), falls=0.5)
    assert s.value_of_outcome(falls) == pytest.approx(POINTS / 2)


def test_the_fall_of_what_only_the_enemy_may_hold_is_a_gain() -> None:
    """It denies him the points for good; where one may score oneself they are lost to both."""
    places = house(floors=4).sections[0].spaces
    for side, sign in ((-1, -1), (0, -1), (1, 1)):
        s = tower(Objective("hold", "the tower", 3, side=side, places=places))
        assert sign * s.value_of_fall(0, 0) > 0


def test_who_has_nothing_to_gain_rather_stays() -> None:
    """One floor of the house that is held is as good as the other: nobody walks up and down its stairs."""
    board = house(floors=2)
    places = (board.space("house.1:0"), board.space("house.1:1"))
    goal = (Objective("hold", "the house", 3, places=places),)
    for at, (ask, stays) in product(
        ("house.1:0", "house.1:1"),
        ((WhereTo(0, RUN, side=0), Pass()), (WhichOrder(0, side=0), Order(STAND))),
    ):
        found = promised(Table(board, unit("rifle_team", at), turns=8, objectives=goal), ask)
        worth = {answer: weigh(one, weights_of(USUAL)) for answer, one in found.items()}
        assert all(worth[stays] > value for answer, value in worth.items() if answer != stays)


@pytest.mark.parametrize(
    ("kind", "hunts"), [("rifle_team", False), ("piercer_team", True), ("sappers", True), ("tank", True)]
)
def test_a_tank_that_is_named_draws_whoever_can_harm_it(kind: str, hunts: bool) -> None:
    """By fire or with a charge: nobody runs after a heavy tank with a rifle in his hand."""
    table = Table(
        house(),
        unit(kind, "g1.1"),
        unit("heavy_tank", "g19.1", side=1, detected=True),
        objectives=(Objective("destroy", "the tank", 3, side=0, units=(1,)),),
        turns=6,
    )
    s = Appraisal(table.view(0), table.board, USUAL, weights_of(USUAL))
    drawn = s.progress(s.state.units[0], table.place("g19.1"))
    assert (drawn > 0) is hunts


@pytest.mark.parametrize("armed", [True, False])
def test_a_tank_without_a_working_gun_is_not_drawn_to_a_house_to_support_others(armed: bool) -> None:
    tank = unit("tank", "g1.1", spent=() if armed else tuple(range(9)))
    table = held(Table(house(), tank))
    s = Appraisal(table.view(0), table.board, USUAL, weights_of(USUAL))
    one = s.state.units[0]
    assert (s.progress(one, table.place("g8.4")) > s.progress(one, table.place("g1.1"))) is armed
