"""What order-dice players make of houses, shells, storms and strikes; and that looking less closely changes no answer."""

from __future__ import annotations

from math import inf
from typing import Any

import pytest
from msgspec.structs import replace

from battlesim import KeyedDice, find_ruleset, first_state, weigh
from battlesim.board.board import Board
from battlesim.core.answers import Confirm, Order, Pass, TargetSpace, TargetUnit
from battlesim.engine.battle import Battle
from battlesim.rules.contract import Features
from battlesim.rules.scenario import Objective
from battlesim.rulesets.orderdice import (
    estimates,
    morale,
    move,
    observation,
    quick_look,
    support,
    transports,
    turn,
)
from battlesim.rulesets.orderdice.appraisal import Appraisal
from battlesim.rulesets.orderdice.assault import TakePlace
from battlesim.rulesets.orderdice.contenders import JUDGE
from battlesim.rulesets.orderdice.features import value_of_charge
from battlesim.rulesets.orderdice.he import Burst
from battlesim.rulesets.orderdice.judgement import USUAL, Judgement
from battlesim.rulesets.orderdice.model import ADVANCE, AMBUSH, FIRE, RUN
from battlesim.rulesets.orderdice.react import GoDown
from battlesim.rulesets.orderdice.shoot import AtWhom
from tests.rulesets.orderdice.grounds import house, plain
from tests.rulesets.orderdice.kit import Table, unit
from tests.rulesets.orderdice.test_estimates import appraisal
from tests.shipped import load

HOUSE, PLAIN = house(), plain()


def dealt(board: Board, *units: dict[str, Any], judgement: Judgement = USUAL) -> float:
    """What the fire of unit 0 at unit 1 is worth to its side."""
    table = Table(board, *units)
    return appraisal(table, judgement).value_of_fire(table.unit(0), table.unit(1), False)


# ---- houses ----------------------------------------------------------------------------------------------------------------


def test_flame_counts_who_is_driven_out_of_the_house() -> None:
    units = (
        unit("flamethrower_team", at="g16.10"),
        unit("rifle_section", at="house.1:0", side=1, order="fire"),
    )
    values = [dealt(HOUSE, *units, judgement=Judgement(driven_out=share)) for share in (0.0, 0.25, 0.5)]
    assert values[1] - values[0] == pytest.approx(0.25 * 0.5 * 100)
    assert values[2] - values[1] == pytest.approx(values[1] - values[0])


def test_flame_counts_the_gun_in_the_house_and_who_is_upstairs() -> None:
    thrower = unit("flamethrower_team", at="g16.10")
    gun = unit("light_at_gun", at="house.1:0", side=1, order="fire")
    upstairs = unit("rifle_section", at="house.1:2", side=1, order="fire")
    friends = unit("rifle_section", at="house.1:2", side=0, order="fire")
    alone, both, mixed = (dealt(HOUSE, thrower, gun, *more) for more in ((), (upstairs,), (friends,)))
    assert alone > 0.5 * 50  # the fire takes the gun, if nothing else does
    assert both > alone > mixed


def test_a_shell_at_a_house_counts_everybody_it_would_bury() -> None:
    howitzer = unit("heavy_howitzer", at="g2.10", facing=0)
    target = unit("officer", at="house.1:0", side=1, order="fire")
    other = unit("rifle_section", at="house.1:3", side=1, order="fire")
    one, two = dealt(HOUSE, howitzer, target), dealt(HOUSE, howitzer, target, other)
    table = Table(HOUSE, howitzer, target, other)
    outcome = estimates.volley(table.state, HOUSE, table.unit(0), table.unit(1), False)
    assert outcome.falls > 0.1
    assert two - one == pytest.approx(outcome.falls * 100)


def test_fire_at_a_house_at_a_glance_is_worth_what_driving_out_is() -> None:
    table = Table(
        HOUSE,
        unit("flamethrower_team", at="g16.10"),
        unit("rifle_section", at="house.1:0", side=1, order="fire"),
    )
    place = table.place("g16.10")
    values = [
        appraisal(table, Judgement(driven_out=share)).value_of_place(table.unit(0), place, True, False).dealt
        for share in (0.0, 0.5)
    ]
    assert values[1] > values[0] + 10


# ---- what the enemy can do -------------------------------------------------------------------------------------------------


def exposure(judgement: Judgement, enemy: str, at: str, floor: str) -> float:
    table = Table(HOUSE, unit("hmg_team", at=floor), unit(enemy, at=at, side=1))
    return (
        appraisal(table, judgement).value_of_place(table.unit(0), table.place(floor), False, False).exposure
    )


def test_who_can_be_stormed_is_in_danger_and_upstairs_is_not() -> None:
    near, far = "g16.10", "g1.10"
    fire_only, all_of_it = Judgement(storm=0.0), Judgement(storm=0.5)
    more = exposure(all_of_it, "assault_section", near, "house.1:0") - exposure(
        fire_only, "assault_section", near, "house.1:0"
    )
    assert more > 5
    for enemy, at, floor in (
        ("assault_section", far, "house.1:0"),
        ("assault_section", near, "house.1:1"),
        ("hmg_team", near, "house.1:0"),  # it would get the worst of it
    ):
        assert exposure(all_of_it, enemy, at, floor) == pytest.approx(exposure(fire_only, enemy, at, floor))


def told(
    table: Table, ask: Any, answers: list[Any], side: int, judgement: Judgement = USUAL
) -> list[Features]:
    view = observation.observe(table.state, table.board, side, ())
    view.stack = (*table.state.stack, ask)
    return JUDGE.features(view, table.board, ask, answers, judgement)


def test_a_shell_that_has_hit_is_worth_going_down_for() -> None:
    """Before the roll to hit it is one chance in six; once it has hit it is sure."""
    table = Table(PLAIN, unit("medium_mortar_team", at="g2.2"), unit("rifle_section", at="g22.2", side=1))
    ask = GoDown(1, 0, side=1)
    before = told(table, ask, [Confirm(False), Confirm(True)], 1)
    table.state.stack = (Burst(0, table.place("g22.2"), 2, 0, 1),)
    after = told(table, ask, [Confirm(False), Confirm(True)], 1)
    assert after[0].taken > 3 * before[0].taken
    assert after[0].taken > 1.5 * after[1].taken


def test_a_barrage_is_called_where_it_costs_the_enemy_more_than_ourselves() -> None:
    table = Table(
        PLAIN,
        unit("artillery_observer", at="g2.2"),
        unit("rifle_section", at="g30.2", side=1, order="fire"),
        unit("rifle_section", at="g60.2", side=1, order="fire"),
        unit("rifle_section", at="g61.4", side=1, order="fire"),
        unit("rifle_section", at="g32.2", order="fire"),
    )
    ask = support.CallStrike(0, side=0)
    near_ours, on_two = told(
        table, ask, [TargetSpace(table.place("g30.2")), TargetSpace(table.place("g60.2"))], 0
    )
    assert on_two.dealt > 0
    assert on_two.dealt > 4 * abs(near_ours.dealt)


def test_weapons_left_for_another_wall_count_where_fire_is_held() -> None:
    """Four men of a section inside can shoot at what stands before one wall; who holds fire there keeps them for the next."""
    table = Table(
        HOUSE,
        unit("assault_section", at="house.1:1", order="fire"),
        unit("officer", at="g32.10", side=1, order="fire"),
        unit("rifle_section", at="g12.10", side=1, order="fire"),
    )
    s = appraisal(table)
    walls = [
        w for w in range(4) if estimates.groups_of(s.state, HOUSE, table.unit(0), table.unit(1), False, w)
    ]
    found = told(table, AtWhom(0, False, walls[0], side=0), [TargetUnit(1)], 0)[0]
    alone = s.value_of_fire(table.unit(0), table.unit(1), False, walls[0])
    other = max(s.value_of_fire(table.unit(0), table.unit(2), False, w) for w in range(walls[0] + 1, 4))
    assert found.dealt == pytest.approx(alone + other, rel=0.05)


# ---- a quick look ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "kind", ["rifle_section", "small_rifle_section", "hmg_team", "at_rifle_team", "sniper_rifles"]
)
@pytest.mark.parametrize("target", ["rifle_section", "officer", "truck"])
@pytest.mark.parametrize("band", [1, 3, 6])
def test_a_quick_look_sees_what_a_close_one_does_where_nothing_is_in_the_way(
    kind: str, target: str, band: int
) -> None:
    """On level ground, at the distance that stands for the band, at the front of the target."""
    far = band * 3 + 1
    table = Table(
        PLAIN, unit(kind, at="g2.2"), unit(target, at=f"g{2 + far}.2", side=1, order="fire", facing=4)
    )
    one, other = table.unit(0), table.unit(1)
    exact = estimates.volley(table.state, PLAIN, one, other, False).tolls[0][1]
    quick = quick_look.quick_toll(
        quick_look.shooter_of(one),
        quick_look.target_of(other, morale.officer_bonus(table.state, PLAIN, other), False),
        band,
        quick_look.OPEN,
        False,
        99,
    )
    assert (quick.lost, quick.pins, quick.gone) == pytest.approx((exact.lost, exact.pins, exact.gone))


@pytest.mark.parametrize("name", ["skirmish", "bunker-line"])
def test_the_best_place_is_that_of_looking_at_all_places(name: str) -> None:
    scenario = load(name)
    ruleset = find_ruleset(scenario.ruleset)
    battle = Battle(ruleset, scenario.board, first_state(scenario, 5), KeyedDice(5))
    looked = 0
    while battle.question is not None and looked < 40:
        question = battle.question
        view = battle.view(question.ask.side)
        found = ruleset.features(view, scenario.board, question.ask, question.answers)
        if isinstance(question.ask, turn.WhichOrder):
            s = Appraisal(view, scenario.board, USUAL, weights())
            one = s.state.units[question.ask.unit]
            for order, shoots in ((RUN, False), (ADVANCE, True)):
                places = move.destinations(s.state, s.board, one, order) if one.place >= 0 else []
                if places:
                    looked += 1
                    every = [s.value_of_place(one, place, shoots, True) for place in places]
                    best = max(weigh(each, weights()) for each in every)
                    found_best = s.better_place(one, places, shoots, -inf)
                    assert found_best is not None
                    assert weigh(found_best, weights()) == pytest.approx(best)
        values = [weigh(each, weights()) for each in found]
        battle.answer(question.answers[values.index(max(values))])
    assert looked >= 30


def test_passengers_are_expected_to_shoot_from_where_their_transport_is() -> None:
    """The bound by which places are passed over starts from there, too: it is no less than what a shot from a place is worth."""
    table = Table(
        PLAIN,
        unit("half_track", at="g1.1"),
        unit("rifle_section", at="", aboard=0),
        unit("rifle_section", at="g4.1", side=1),
    )
    s = appraisal(table)
    stands = transports.standing(s.state, s.state.units[1])
    assert table.unit(1).place < 0 <= stands.place
    place = table.place("g2.1")
    worth = weigh(s.value_of_place(stands, place, True, True), s.weights)
    assert worth > s.weights.progress * s.stakes.progress(stands, place) + 1
    assert s.top_places(stands, [place], True, worth) == [worth]


def weights() -> Features:
    return Features(**{name: getattr(USUAL, name) for name in Features.__struct_fields__})


def test_judgement_is_a_value() -> None:
    assert replace(USUAL, storm=0.5) == Judgement(storm=0.5)
    assert hash(Judgement()) == hash(USUAL)


# ---- orders ------------------------------------------------------------------------------------------------------------------


def orders(table: Table, unit: int, *names: str) -> list[float]:
    """What some orders are worth to a unit."""
    answers = [Order(name) for name in names]
    found = told(table, turn.WhichOrder(unit, side=table.unit(unit).side), answers, table.unit(unit).side)
    return [weigh(one, weights()) for one in found]


def test_who_has_nowhere_to_go_does_not_run_on_the_spot() -> None:
    """To run where every place is worse than this one is worth less than to wait."""
    table = Table(PLAIN, unit("rifle_section", at="g2.2"), unit("rifle_section", at="g70.2", side=1))
    table.r.set_extra(objectives=(Objective("hold", "here", 2, places=(table.place("g2.2"),)),), turns=6)
    run, ambush = orders(table, 0, RUN, AMBUSH)
    assert ambush > run


def test_who_is_lost_in_an_assault_holds_nothing_any_more() -> None:
    """The two who hold the crossing do not run into seven; without the crossing to lose they have less to lose."""
    units = (unit("officer", at="g20.2"), unit("rifle_section", at="g26.2", side=1, order="fire"))
    costs = []
    for places in ((), ("g20.2",)):
        table = Table(PLAIN, *units)
        held = tuple(table.place(at) for at in places)
        table.r.set_extra(objectives=(Objective("hold", "the crossing", 2, places=held),), turns=6)
        s = appraisal(table)
        stay = weigh(s.value_of_place(table.unit(0), table.unit(0).place, False, False), weights())
        charge = weigh(value_of_charge(s, table.unit(0), table.unit(1)), weights())
        costs.append(stay - charge)
    assert costs[1] > costs[0] + USUAL.point


@pytest.mark.parametrize(
    ("at", "loser", "goes"), [("g19.10", "house.1:0", True), ("house.1:0", "g19.10", False)]
)
def test_who_wins_a_fight_rather_stands_in_the_better_shelter(at: str, loser: str, goes: bool) -> None:
    """Where nobody is left to fear and nothing to hold, the house is still better than the yard."""
    table = Table(HOUSE, unit("rifle_section", at=at))
    ask = TakePlace(0, 1, table.place(loser), side=0)
    go, stay = (weigh(one, weights()) for one in told(table, ask, [Confirm(True), Confirm(False)], 0))
    assert go != stay
    assert (go > stay) == goes


@pytest.mark.parametrize("order", ["", "fire"])
@pytest.mark.parametrize("target", ["rifle_section", "officer"])
def test_who_would_shoot_from_where_he_stands_is_not_told_to_advance(target: str, order: str) -> None:
    """Fire on the move hits less often, whether or not the enemy may go Down under it."""
    table = Table(PLAIN, unit("rifle_section", at="g2.2"), unit(target, at="g10.2", side=1, order=order))
    (fires,) = orders(table, 0, FIRE)
    stays = told(table, move.WhereTo(0, ADVANCE, side=0), [Pass()], 0)[0]
    assert stays.dealt > 0
    assert weigh(stays, weights()) < fires


def test_who_has_nowhere_to_go_fires_rather_than_advances() -> None:
    """An Advance of a tank that cannot move ends where it began."""
    table = Table(
        PLAIN, unit("medium_tank", at="g2.2", immobile=True), unit("rifle_section", at="g12.2", side=1)
    )
    assert not move.destinations(table.state, PLAIN, table.unit(0), ADVANCE)
    fires, advances = orders(table, 0, FIRE, ADVANCE)
    assert fires > advances


@pytest.mark.parametrize(
    ("kind", "hunts"),
    [
        ("captain", False),
        ("rifle_section", False),
        ("hmg_team", False),
        ("flamethrower_team", False),
        ("medium_mortar_team", False),
        ("heavy_mortar_team", True),
        ("light_at_gun", True),
        ("bazooka_team", True),
        ("tank_hunters", True),
        ("air_observer", True),
    ],
)
def test_a_tank_that_is_named_draws_whoever_can_harm_it(kind: str, hunts: bool) -> None:
    """Nobody runs after a heavy tank with a rifle in his hand."""
    table = Table(PLAIN, unit(kind, at="g2.2"), unit("heavy_tank", at="g60.2", side=1))
    table.r.set_extra(objectives=(Objective("destroy", "the tank", 3, side=0, units=(1,)),), turns=6)
    s = appraisal(table)
    near, far = (s.stakes.progress(table.unit(0), table.place(at)) for at in ("g30.2", "g2.2"))
    assert (near > far) is hunts
    assert (near > 0) is hunts
