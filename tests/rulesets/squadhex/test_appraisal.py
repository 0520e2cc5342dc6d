"""What players under the squad-and-hex rules make of a position: time left, consequences, the enemy's reply."""

from __future__ import annotations

from typing import Any

import pytest

from battlesim.core.answers import MoveTo
from battlesim.core.state import Structure
from battlesim.evaluation.objectives import edge_places
from battlesim.evaluation.parameters import weights_of
from battlesim.rules.scenario import Objective
from battlesim.rulesets.squadhex import estimates, observation
from battlesim.rulesets.squadhex.appraisal import Appraisal
from battlesim.rulesets.squadhex.contenders import JUDGE
from battlesim.rulesets.squadhex.expected import UNHURT
from battlesim.rulesets.squadhex.judgement import USUAL, Judgement
from battlesim.rulesets.squadhex.maneuver import value_of_assault, value_of_move
from battlesim.rulesets.squadhex.model import ADVANCE, NORMAL, SUPPRESSIVE
from battlesim.rulesets.squadhex.morale import WhereBack
from tests.rulesets.squadhex.kit import Table, unit


def appraisal(table: Table, **settings: Any) -> Appraisal:
    judgement = Judgement(**settings) if settings else USUAL
    view = observation.observe(table.state, table.board, 0, ())
    return Appraisal(view, table.board, judgement, weights_of(judgement))


def late(table: Table, turn: int, turns: int = 6) -> Appraisal:
    """The position in a turn."""
    table.r.set_extra(turns=turns)
    table.state.turn = turn
    return appraisal(table)


def test_what_has_acted_in_the_last_round_threatens_nobody() -> None:
    def exposure(turn: int, fresh: bool) -> float:
        table = Table(unit("rifle_squad", at="g5.2"), unit("elite_squad", at="g5.3", side=1, fresh=fresh))
        return late(table, turn).value_of_place(table.unit(0), table.place("g5.2")).exposure

    assert exposure(6, False) == 0
    assert exposure(5, True) > exposure(5, False) > 0
    assert exposure(6, True) > 0


def test_an_objective_draws_only_who_can_still_get_there() -> None:
    hut = Objective("hold", "the hut", 3, places=(Table().place("hut.only:0"),))
    gains = []
    for turn in (1, 5, 6):
        table = Table(unit("rifle_squad", at="g3.2"), unit("rifle_squad", at="g0.9", side=1), goals=(hut,))
        ahead = late(table, turn).prospects
        gains.append(ahead.progress(table.unit(0), table.place("g4.2")))
    assert gains[0] > 0
    assert (
        gains[1] == gains[2] == 0
    )  # five hexes and a door are more than one round, and none is left after the last


def test_crewed_weapons_vehicles_and_officers_feel_a_share_of_what_draws_squads() -> None:
    hut = Objective("hold", "the hut", 3, places=(Table().place("hut.only:0"),))

    def progress(kind: str, *, others: str = "rifle_squad", **settings: float) -> float:
        foe, friend = unit("rifle_squad", at="g0.9", side=1), unit(others, at="g0.0")
        table = Table(unit(kind, at="g3.2"), foe, friend, goals=(hut,))
        return appraisal(table, **settings).prospects.progress(table.unit(0), table.place("g4.2"))

    whole = progress("rifle_squad")
    assert progress("rifle_squad", crews=0.0, vehicles=0.0) == whole > 0
    assert progress("machine_gun_team") == pytest.approx(USUAL.crews * whole)
    assert progress("machine_gun_team", crews=0.0, vehicles=1.0) == 0
    tank = progress("medium_tank", vehicles=1.0)
    assert tank > 0
    assert progress("medium_tank") == pytest.approx(USUAL.vehicles * tank)
    assert progress("medium_tank", crews=0.0, vehicles=1.0) == tank
    assert progress("officer_squad") == pytest.approx(USUAL.leaders * whole)
    assert progress("officer_squad", leaders=1.0) == whole
    # Where no other squad is left to go, they go themselves.
    assert progress("machine_gun_team", others="machine_gun_team", crews=0.0) == whole
    assert progress("officer_squad", others="medium_tank") == whole


@pytest.mark.clause("SH-HOUSE-SUPPRESS")
def test_suppression_is_worth_the_actions_that_it_takes() -> None:
    """A disrupted squad loses what it would do until it recovers: in the last round nothing, if it has acted."""
    worth = {}
    for turn in (1, 6):
        for fresh in (True, False):
            table = Table(
                unit("machine_gun_team", at="g5.1"), unit("rifle_squad", at="g5.2", side=1, fresh=fresh)
            )
            s = late(table, turn)
            worth[turn, fresh] = s.value_of_fire(table.unit(0), table.unit(1), SUPPRESSIVE, False)
    assert worth[1, True] > worth[1, False] > 0
    assert worth[6, True] > worth[1, True]
    assert worth[6, False] < worth[6, True] / 2


@pytest.mark.clause("SH-HOUSE-AREA")
def test_friends_beside_the_target_count_against_shells() -> None:
    """One attack in three scatters to one of the six hexes around the one aimed at."""
    values = []
    for at in ("g0.0", "g5.3"):
        table = Table(
            unit("heavy_mortar_team", at="g3.1"), unit("elite_squad", at=at), unit("rifle_squad", "g5.2", 1)
        )
        s = appraisal(table)
        values.append(s.value_of_bombardment(table.unit(0), table.place("g5.2"), NORMAL))
    assert values[0] > values[1] > 0


@pytest.mark.clause("SH-DEST-3", "SH-FALL-1")
def test_a_house_that_the_enemy_can_fell_is_worse_to_be_in() -> None:
    """The more so once it is weakened, and not where the scenario lets it stand."""
    number = Table().section("hut.only")
    found = []
    for weakened, may_fall in ((False, False), (False, True), (True, True)):
        before = [Structure(number, own={"weakened": True})] if weakened else []
        table = Table(
            unit("rifle_squad", at="hut.only:0"),
            unit("heavy_infantry_gun", at="g8.3", side=1),
            structures=before,
            destructible=(number,) if may_fall else (),
        )
        found.append(appraisal(table).value_of_place(table.unit(0), table.place("hut.only:0")).exposure)
    assert found[0] < found[1] < found[2]


def test_who_is_inside_and_what_objectives_name_make_a_fall_worth_it() -> None:
    number = Table().section("hut.only")
    foe, friend = unit("rifle_squad", at="hut.only:0", side=1), unit("rifle_squad", at="hut.only:0")
    raze = Objective("destroy", "the hut", 2, 0, sections=(number,))
    keep = Objective("keep", "the hut", 2, 0, sections=(number,))

    def value(*others: dict[str, Any], goals: tuple[Objective, ...] = ()) -> float:
        table = Table(unit("heavy_infantry_gun", at="g8.3"), *others, goals=goals)
        return appraisal(table).value_at_building(table.unit(0), number, False)

    assert value() == 0
    assert value(foe) > 0 > value(friend)
    assert value(goals=(raze,)) > 0 > value(goals=(keep,))
    assert value(foe, goals=(raze,)) > value(foe)


def test_a_held_objective_draws_less_and_one_with_an_enemy_in_it_as_much_as_ever() -> None:
    hut = Objective("hold", "the hut", 3, places=(Table().place("hut.only:0"),))
    found = []
    for held, foes in (((-1,), ()), ((0,), ()), ((0,), (unit("rifle_squad", at="hut.only:0", side=1),))):
        table = Table(unit("rifle_squad", at="g8.3"), *foes, goals=(hut,), held=held)
        found.append(appraisal(table).prospects.progress(table.unit(0), table.place("g8.4")))
    assert found[0] == found[2] > found[1] > 0


def test_a_held_objective_that_an_enemy_can_soon_be_in_is_worth_all_that_it_ever_was_to_its_guard() -> None:
    """Who leaves it hands it over: the enemy need only be alone in it once (SH-HOUSE-VICTORY)."""
    hut = Objective("hold", "the hut", 3, places=(Table().place("hut.only:0"),))

    def hold(held: int, at: str, fresh: bool = True, turn: int = 1) -> float:
        foe = unit("rifle_squad", at=at, side=1, fresh=fresh)
        table = Table(unit("rifle_squad", at="hut.only:0"), foe, goals=(hut,), held=(held,))
        return late(table, turn).prospects.held(table.unit(0), table.place("hut.only:0"))

    assert hold(0, "g8.3") == hold(-1, "g8.3") > hold(0, "g0.0") > 0
    assert hold(0, "g8.3", fresh=False) == hold(-1, "g8.3")
    assert hold(0, "g8.3", fresh=False, turn=6) < hold(-1, "g8.3", turn=6)


@pytest.mark.clause("SH-ELIG-1")
def test_a_building_to_bring_down_draws_only_who_can_do_something_about_it() -> None:
    hut = Objective("destroy", "the hut", 4, 0, sections=(Table().section("hut.only"),))

    def drawn(kind: str) -> bool:
        table = Table(unit(kind, at="g8.2"), unit("rifle_squad", at="g0.9", side=1), goals=(hut,))
        return appraisal(table).prospects.progress(table.unit(0), table.place("g8.3")) > 0

    assert drawn("engineers")
    assert drawn("assault_gun")
    assert not drawn("rifle_squad")
    assert not drawn("machine_gun_team")


def test_opportunity_fire_on_the_way_counts_hex_by_hex() -> None:
    """A machine gun that waits fires at the first hex it sees, even if the last one is out of its sight."""
    table = Table(
        unit("rifle_squad", at="g7.3"), unit("machine_gun_team", "g8.4", 1, waits=True, fresh=False)
    )
    s = appraisal(table)
    assert s.opportunity_fire(table.unit(0), table.place("g7.2"), ADVANCE).lost > 0
    table.set_own(1, waits=False)
    s = appraisal(table)
    assert s.opportunity_fire(table.unit(0), table.place("g7.2"), ADVANCE) == UNHURT


def test_the_edge_to_leave_by_is_no_place_to_hold() -> None:
    """An enemy on it is in nobody's way; who leaves holds nothing there any more, and has no shot in the round to come."""
    edge = edge_places(Table().board, "e")
    spots = [Table().board.spaces[place].name for place in edge[:2]]
    goals = (
        Objective("exit", "out", 3, side=0, edge="e"),
        Objective("hold", "the corner", 2, places=(edge[0],)),
    )
    table = Table(unit("rifle_squad", at="g5.2"), unit("rifle_squad", at=spots[1], side=1), goals=goals)
    s, one = appraisal(table, prospect=1.0), table.unit(0)
    assert s.prospects.contested == {}
    assert s.prospects.hold(one, edge[0]) == s.prospects.leaving(one, edge[0]) > 0
    there = s.value_of_place(one, edge[0])
    assert (there.ready, there.exposure) == (0, 0)
    assert s.best_shot(one, edge[0], False) > 0


def test_who_falls_back_does_not_leave_the_board() -> None:
    edge = edge_places(Table().board, "e")
    goals = (Objective("exit", "out", 3, side=0, edge="e"),)
    table = Table(
        unit("rifle_squad", at="g5.2", disrupted=True), unit("rifle_squad", at="g2.2", side=1), goals=goals
    )
    s, one = appraisal(table), table.unit(0)
    assert s.value_of_place(one, edge[0]).hold > 0 == s.value_of_staying(one, edge[0]).hold
    view = observation.observe(table.state, table.board, 0, ())
    told = JUDGE.features(view, table.board, WhereBack(0, -1, (), side=0), [MoveTo(edge[0])])
    assert told == [s.value_of_staying(one, edge[0])]


def test_the_second_fall_counts_what_is_left_of_the_objective() -> None:
    """Points for the ruin of two hexes come with the second; points for keeping both are lost with the first."""
    one, two = (Table().section(name) for name in ("hall.low", "hut.only"))
    found: dict[str, list[float]] = {"destroy": [], "keep": []}
    for kind, worth in found.items():
        table = Table(
            unit("rifle_squad", at="g0.0"), goals=(Objective(kind, "both", 4, 0, sections=(one, two)),)
        )
        worth.append(appraisal(table, razed=1.0, point=1.0).prospects.razed(two))
        table.fell("hall.low")
        worth.append(appraisal(table, razed=1.0, point=1.0).prospects.razed(two))
    assert found == {"destroy": [2, 4], "keep": [-4, 0]}


def test_who_may_still_leave_counts_more() -> None:
    """As much of the points as there is time to get to the edge, and none for who has none left."""

    def figure(at: str = "g9.3", turn: int = 4, points: int = 3, fresh: bool = True) -> float:
        table = Table(
            unit("rifle_squad", at="g0.2"),
            unit("rifle_squad", at=at, side=1, fresh=fresh),
            goals=(Objective("exit", "out", points, 1, edge="e"),) if points else (),
        )
        s = late(table, turn)
        return s.prices.figure[1]

    assert figure(points=3) > figure(points=1) > figure(points=0)
    assert figure(at="g10.3") > figure(at="g8.3") > figure(points=0)
    assert figure(turn=5) - figure(turn=5, points=0) < figure() - figure(points=0)
    for late_one in ({"at": "g1.3", "turn": 6}, {"turn": 6, "fresh": False}):
        assert figure(**late_one) == figure(**late_one, points=0)  # type: ignore[arg-type]


def test_who_dies_on_the_way_does_not_arrive() -> None:
    """A move past a machine gun that waits is worth less than the place it leads to, for a last man most of all."""

    def shares(models: int) -> float:
        goals = (Objective("hold", "the corner", 3, places=(Table().place("g7.2"),)),)
        waits = unit("machine_gun_team", "g8.4", 1, waits=True, fresh=False)
        table = Table(unit("rifle_squad", at="g7.3", models=models), waits, goals=goals)
        s, one = appraisal(table), table.unit(0)
        toll = s.opportunity_fire(one, table.place("g7.2"), ADVANCE)
        moved, there = (
            value_of_move(s, one, table.place("g7.2"), ADVANCE),
            s.value_of_place(one, table.place("g7.2")),
        )
        assert moved.hold == pytest.approx((1 - toll.gone) * there.hold)
        return moved.hold / there.hold

    assert shares(1) < shares(4) <= 1


def test_who_kills_an_enemy_need_not_fear_him_in_his_place() -> None:
    """An assault is valued with the fire of the other enemies only, as far as it kills the one that it meets."""
    goals = (Objective("hold", "the crossing", 3, places=(Table().place("g8.3"),)),)
    table = Table(
        unit("rifle_squad", at="g7.3"), unit("observer_team", "g8.3", 1, models=1, pinned=True), goals=goals
    )
    s, one, foe = appraisal(table), table.unit(0), table.unit(1)
    alone = s.value_of_staying(one, foe.place, foe.id, 1.0)
    assert alone.exposure == 0 <= s.value_of_place(one, foe.place).exposure
    assert value_of_assault(s, one, foe).hold == pytest.approx(
        estimates.assault(s.state, s.board, one, foe).wins * alone.hold
    )
