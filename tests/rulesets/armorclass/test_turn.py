"""The turn, victory, reserves, and what a scenario may say (AC-HOUSE-TURN, AC-HOUSE-VICTORY, AC-HOUSE-RESERVE, AC-TYPE)."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from battlesim import first_state, load_scenario, play
from battlesim.board.load import maps_folder
from battlesim.core.answers import Confirm, MoveTo, Order, Pick, TargetUnit
from battlesim.core.events import Happened, Scored, TurnEnded
from battlesim.core.items import TURN
from battlesim.core.state import Outcome, Structure
from battlesim.rules.scenario import Objective
from battlesim.rulesets.armorclass import check, damage, deployment, facts, shoot, victory, works
from battlesim.rulesets.armorclass.blaze import BurnOut
from battlesim.rulesets.armorclass.deployment import ArriveAt, SetUp
from battlesim.rulesets.armorclass.facts import Acts
from battlesim.rulesets.armorclass.model import Fire, able
from battlesim.rulesets.armorclass.move import WhereTo
from battlesim.rulesets.armorclass.ruleset import RULESET
from battlesim.rulesets.armorclass.turn import EndTurn, Initiative, Next, TurnStart, WhichUnit
from battlesim.scenario.load import check_scenario
from tests.rulesets.armorclass.kit import Table, ground, house, unit

# ---- the turn


@pytest.mark.clause("AC-HOUSE-TURN")
def test_the_higher_roll_chooses_and_ties_are_rolled_again() -> None:
    table = Table(ground(), unit("militia", "g1.1"), unit("militia", "g9.1", side=1), dice=[4, 4, 3, 9])
    ask = table.do(TurnStart())
    assert isinstance(ask, Initiative)
    assert ask.side == 1
    table.say(Confirm(False))
    assert table.state.extra.to_act.side == 0


@pytest.mark.clause("AC-HOUSE-TURN")
def test_sides_alternate_one_unit_at_a_time() -> None:
    """Four units a side: each acts once a turn, and as long as both sides have one left no side acts twice running."""
    game = play("outpost", ("random", "random"), 1)
    sides = [(e.unit, game.state.units[e.unit].side) for e in game.log if isinstance(e, Acts)]
    first = sides[:8]
    assert sorted(unit for unit, _ in first) == list(range(8))
    assert all(one[1] != other[1] for one, other in pairwise(first))


@pytest.mark.clause("AC-HOUSE-TURN")
def test_a_side_with_none_left_is_passed_over() -> None:
    table = Table(
        ground(),
        unit("militia", "g1.1", acted=True),
        unit("militia", "g9.1", side=1),
        unit("militia", "g9.3", side=1),
    )
    ask = table.do(Next())
    assert isinstance(ask, WhichUnit)
    assert ask.side == 1


@pytest.mark.clause("AC-HOUSE-TURN")
@pytest.mark.parametrize(
    ("order", "asked"),
    [
        ("stand", ["AtWhom"]),
        ("fire", ["AtWhom", "WhereTo"]),
        ("move", ["WhereTo", "AtWhom"]),
        ("run", ["WhereTo"]),
    ],
)
def test_each_activation_moves_and_fires_once_in_either_order(order: str, asked: list[str]) -> None:
    from battlesim.rulesets.armorclass.turn import WhichOrder

    table = Table(
        ground(),
        unit("militia", "g1.1"),
        unit("tank", "g9.1"),
        unit("militia", "g19.9", side=1, detected=True),
    )
    table.do(WhichOrder(1, side=0))
    table.say(Order(order))
    met = [type(item).__name__ for item in reversed(table.state.stack)]
    assert met == asked
    if asked[0] == "AtWhom":
        ask = table.ask
        assert isinstance(ask, shoot.AtWhom)
        assert ask.standing is (order == "stand")


@pytest.mark.clause("AC-HOUSE-TURN", "AC-HOUSE-VICTORY")
def test_a_set_number_of_turns() -> None:
    table = Table(ground(), unit("militia", "g1.1"), unit("militia", "g9.1", side=1), turns=1)
    table.do(EndTurn())
    assert table.events(TurnEnded)
    assert table.state.outcome is not None
    assert table.state.outcome.termination == "length"
    assert load_scenario("bastion").turns == 8


# ---- morale at the turn's end


@pytest.mark.clause("AC-HOUSE-MORALE", "AC-HOUSE-FIRE")
@pytest.mark.parametrize(("face", "suppressed"), [(6, 0), (7, 3)])
def test_whoever_burns_out_at_a_turns_start_is_tested_at_its_end(face: int, suppressed: int) -> None:
    """A floor burns out as turn 2 begins; the survivors test when it ends, once, and not again a turn later."""
    table = Table(
        house(material="wood"),
        unit("militia", "house.1:1"),
        unit("militia", "g1.1", side=1),
        dice=[[8, 8, 8, 1], 9, 1, face],
        options={"fires": True},
    )
    table.state.turn = 2
    table.r.set_extra(fires=(Fire(0, ((table.place("house.1:1"), 1),)),))
    table.do(BurnOut(table.place("house.1:1")))
    assert (table.unit(0).models, table.unit(0).own.lost) == (3, 1)
    table.do(TurnStart())
    assert table.unit(0).own.lost == 1
    table.state.stack = ()
    table.do(EndTurn())
    assert [t.rolled for t in table.events(facts.Tested)] == [face]
    assert max(table.unit(0).own.suppressed, 2) == max(suppressed, 2)
    assert table.unit(0).own.lost == 0
    table.do(EndTurn())
    assert len(table.events(facts.Tested)) == 1
    table.dice.done()


@pytest.mark.clause("AC-HOUSE-MORALE", "AC-HOUSE-STRUCT")
@pytest.mark.parametrize("when", ["burnt out", "collapse", "early", "late"])
def test_whoever_crawls_out_is_suppressed_for_one_activation(when: str) -> None:
    """At a turn's start or before it has acted: in this turn; after it has acted: in the next."""
    table = Table(
        house(material="wood"),
        unit("militia", "house.1:1", acted=when == "late"),
        unit("militia", "g1.1", side=1),
        dice=[*([7] if when == "collapse" else []), [8] * 4, *([4, 1] if when == "collapse" else [])],
        structures=[
            Structure(0, burning=when == "burnt out", own={"lost": 10} if when == "collapse" else {})
        ],
        options={"fires": True} if when != "collapse" else {"damage": "3", "collapse": True},
    )
    table.state.turn = 3
    if when == "burnt out":
        table.state.turn = 2
        table.do(EndTurn())  # as it was left by the turn before
        table.do(BurnOut(table.place("house.1:1")))
    elif when == "collapse":
        table.do(TurnStart())
    else:
        damage.destroy_floor(table.r, 0, 1, ())
    assert "crawls out" in table.happened()
    assert table.unit(0).own.suppressed == (4 if when == "late" else 3)


@pytest.mark.clause("AC-TYPE-6", "AC-HOUSE-MORALE", "AC-HOUSE-AIM")
@pytest.mark.parametrize(("kind", "tests"), [("strongpoint", True), ("automated_strongpoint", False)])
def test_a_crew_that_loses_a_weapon_tests_an_automatic_battery_does_not(kind: str, tests: bool) -> None:
    """One penetrating hit, one weapon, one test: cohesion 8."""
    table = Table(
        house("type: strongpoint"),
        unit("piercer_team", "g9.1", models=1),
        unit(kind, "house.1:0", side=1, detected=True, fired=2),
        dice=[1, 10, 1, 1, *([9] if tests else [])],
    )
    table.do(shoot.AtWhom(0, side=0))
    table.say(TargetUnit(1))
    assert table.unit(1).own.lost == 1
    table.do(EndTurn())
    assert [(t.unit, t.what) for t in table.events(facts.Tested)] == ([(1, "suppressed")] if tests else [])
    assert table.unit(1).own.suppressed == (2 if tests else 0)


@pytest.mark.clause("AC-HOUSE-TURN")
def test_a_turn_leaves_nobody_acted_and_nothing_lost() -> None:
    table = Table(
        ground(),
        unit("militia", "g1.1", acted=True, lost=1),
        unit("tank", "g9.1", side=1, acted=True, lost=1),
        dice=[1],
    )
    table.do(EndTurn())
    assert [(u.own.acted, u.own.lost) for u in table.state.units.values()] == [(False, 0)] * 2
    assert [t.unit for t in table.events(facts.Tested)] == [0]


# ---- victory


@pytest.mark.clause("AC-HOUSE-VICTORY")
@pytest.mark.parametrize(("points", "winner"), [((3, 1), 0), ((2, 1), None), ((2, 3), None), ((1, 4), 1)])
def test_more_than_the_margin_wins_else_it_is_a_draw(points: tuple[int, int], winner: int | None) -> None:
    table = Table(ground(), unit("militia", "g1.1"), unit("militia", "g9.1", side=1))
    table.state.points = points
    table.r.set_extra(margin=1)
    victory.ENDING.final(table.r)
    assert table.state.outcome == Outcome(winner, points, "length")


@pytest.mark.clause("AC-HOUSE-VICTORY")
def test_what_is_scored() -> None:
    board = house()
    hall = board.space("house.1:0")
    goals = (
        Objective("hold", "hold", 3, places=(hall,)),
        Objective("destroy", "enemies", 2, 0, units=(1, 2)),
        Objective("destroy", "house", 1, 1, sections=(0,)),
        Objective("keep", "kept", 4, 0, sections=(0,)),
        Objective("survive", "lives", 1, 1, units=(3,)),
    )
    units = [
        unit("militia", "house.1:0"),
        unit("militia", "g1.1", side=1),
        unit("militia", "g1.2", side=1),
        unit("militia", "g1.3", side=1),
    ]
    table = Table(board, *units, objectives=goals)
    table.r.lose(table.unit(1), 4, "test")
    assert [victory.earned(table.state, g) for g in goals] == [(3, 0), (2, 0), (0, 0), (4, 0), (0, 1)]
    fallen = Table(board, *units, objectives=goals, structures=[Structure(0, fallen=True, own={"gone": 0})])
    assert [victory.earned(fallen.state, g) for g in goals[2:4]] == [(0, 1), (0, 0)]


@pytest.mark.clause("AC-HOUSE-VICTORY")
def test_a_house_that_lost_its_upper_floor_is_neither_kept_nor_destroyed() -> None:
    goals = (
        Objective("destroy", "house", 1, 1, sections=(0,)),
        Objective("keep", "kept", 4, 0, sections=(0,)),
    )
    units = [unit("militia", "g1.1"), unit("militia", "g1.2", side=1)]
    holed = Structure(0, own={"breaches": [[0, 2]]})
    for changed, earned in ((holed, [(0, 0), (4, 0)]), (Structure(0, own={"gone": 1}), [(0, 0), (0, 0)])):
        table = Table(house(), *units, objectives=goals, structures=[changed])
        assert [victory.earned(table.state, g) for g in goals] == earned


@pytest.mark.clause("AC-HOUSE-VICTORY")
def test_a_side_without_able_units_loses_at_once() -> None:
    table = Table(ground(), unit("turret", "g1.1"), unit("tank", "g9.1", side=1, spent=(0, 1), immobile=True))
    assert not able(table.unit(1))
    table.do(Next())
    assert table.state.outcome is not None
    assert (table.state.outcome.winner, table.state.outcome.termination) == (0, "annihilation")
    still = Table(ground(), unit("turret", "g1.1"), unit("tank", "g9.1", side=1, spent=(0, 1)))
    assert not victory.end_if_wiped(still.r)


@pytest.mark.clause("AC-HOUSE-VICTORY")
def test_leaving_by_an_edge() -> None:
    goals = (Objective("exit", "out", 2, 0, edge="w"),)
    table = Table(ground(), unit("militia", "g1.1"), unit("militia", "g9.1", side=1), objectives=goals)
    table.do(WhereTo(0, "move", side=0))
    table.say(MoveTo(table.place("g0.1")))
    assert table.unit(0).own.left
    assert [s.points for s in table.events(Scored)] == [2]
    assert table.state.outcome is not None
    assert table.state.outcome.termination == "exit"


# ---- set-up and reserves


@pytest.mark.clause("AC-HOUSE-RESERVE")
def test_reserves_come_on_at_their_edge_and_nobody_knew() -> None:
    table = Table(ground(), unit("militia", "", arrives=2), unit("militia", "g9.1", side=1))
    ask = ArriveAt(0, "w", side=0)
    table.do(ask)
    assert all(table.board.spaces[a.place].edge.count("w") for a in table.legal if isinstance(a, MoveTo))
    table.say(MoveTo(table.place("g0.3")))
    assert (table.unit(0).place, table.unit(0).own.arrives) == (table.place("g0.3"), 0)
    assert 0 not in table.view(1).units
    assert not [e for e in table.view(1).news if getattr(e, "unit", -1) == 0]


@pytest.mark.clause("AC-HOUSE-RESERVE")
def test_a_reserve_without_room_tries_again() -> None:
    table = Table(ground(), unit("militia", "", arrives=2), *(unit("militia", "g0.0") for _ in range(2)))
    place = table.place("g0.0")
    table.do(ArriveAt(0, "", (place,), side=0))
    assert table.unit(0).place == -1
    assert [e.time for e in table.state.agenda] == [TURN]


@pytest.mark.clause(
    "AC-TYPE-1", "AC-TYPE-2", "AC-TYPE-3", "AC-TYPE-5", "AC-TYPE-6", "AC-TYPE-7", "AC-TYPE-8", "AC-TYPE-11"
)
def test_the_works_of_the_bastion_are_named() -> None:
    scenario = load_scenario("bastion")
    table = Table(scenario.board)
    table.r.state = first_state(scenario, 0)
    deployment.set_up(table.r, SetUp())
    said = {(e.what, getattr(e, "number", 0)): e.clauses for e in table.events(Happened)}
    assert "AC-TYPE-6" in said["work strongpoint", 13]  # 11 and its field
    assert {"AC-TYPE-5", "AC-TYPE-1"} <= set(said["work pillbox", 9])
    assert {"AC-TYPE-5", "AC-TYPE-2", "AC-TABLE-1"} <= set(said["work pillbox", 6])  # logs
    assert {"AC-TYPE-3", "AC-TYPE-11"} <= set(said["work bunker", 12])
    assert "AC-TYPE-7" in said["work trench", 7]
    assert "AC-TYPE-8" in said["work emplacement", 4]  # sandbags
    assert "AC-TYPE-8" in said["work emplacement", 8]
    crews = {table.state.units[e.unit].name for e in table.events(Happened) if e.what == "crew"}
    assert {"west gun", "east hammerhead"} <= crews


@pytest.mark.clause("AC-TYPE-10", "AC-TABLE-1", "AC-TABLE-2")
@pytest.mark.parametrize(
    ("material", "wall", "roof", "burns"),
    [("brick", 6, 4, False), ("wood", 4, 3, True), ("stone", 7, 4, False), ("concrete", 7, 9, False)],
)
def test_buildings_of_any_map(material: str, wall: int, roof: int, burns: bool) -> None:
    make = works.make_of(house(material=material), 0)
    assert (make.type, make.wall, make.roof, make.burns) == ("building", wall, roof, burns)
    assert "AC-TYPE-10" in make.clauses


SCENARIO = """
name: bad
ruleset: armorclass
map: {map}
sides: [{{name: A}}, {{name: B}}]
forces:
  - {{side: A, type: militia, at: g0.0}}
  - {{side: B, type: militia, at: g9.9}}
{more}
"""


def faults(tmp_path: Path, more: str, name: str = "bastion") -> list[str]:
    path = tmp_path / "bad.yaml"
    path.write_text(SCENARIO.format(map=maps_folder() / f"{name}.yaml", more=more))
    return [str(fault) for fault in check_scenario(path) if fault.level == "error"]


@pytest.mark.clause("AC-TYPE-6", "AC-TYPE-9", "AC-HOUSE-DATA")
@pytest.mark.parametrize(
    ("more", "words"),
    [
        ("  - {side: A, type: militai, at: g1.1}", "no unit type 'militai'"),
        ("  - {side: A, type: strongpoint, at: g1.1}", "section of type strongpoint"),
        ("  - {side: A, type: turret, at: 'barracks.west:0'}", "open ground or a flat roof"),
        ("  - {side: A, type: tank, at: 'barracks.west:0'}", "put it outdoors"),
        ("  - {side: A, type: militia, models: 5, at: g1.1}", "too many for the militia team; give 1 to 4"),
        ("  - {side: A, type: militia, quality: brave, at: g1.1}", "no quality 'brave'"),
        ("  - {side: B, type: militia, at: g0.0}", "taken by"),
        ("options: {damage: 4}", "give guidelines, ignored, 1, 2 or 3"),
        ("options: {collapse: true}", "needs structure points"),
        ("options: {points: 40}", "of no use"),
        ("options: {weather: hail}", "weather is 'hail'; give clear, mist or rain"),
        ("options: {rain: true}", "armorclass has no option 'rain'"),
        ("extra_turn: true", "armorclass has no extra turn"),
        ("options: {spread: 1}", "2 to 10"),
        ("options: {fieldworks: [{kind: moat, at: [g1.1]}]}", "'moat' is unknown"),
        ("options: {fieldworks: [{kind: trench, at: ['barracks.west:0']}]}", "not open ground"),
        ("options: {fieldworks: [{kind: trench, at: [g1.1], cover: gold}]}", "'gold' is unknown"),
        ("options: {fieldworks: [{kind: trench, at: [g1.1], points: -1}]}", "points -1 are of no use"),
        ("options: {keep: [{buildings: [palace], side: A}]}", "no building 'palace'"),
        ("options: {keep: [{buildings: [barracks], side: C}]}", "no side 'C'"),
        ("buildings: {barracks: {burning: true}}", "has no fires"),
    ],
)
def test_what_is_wrong_with_a_scenario_is_said(tmp_path: Path, more: str, words: str) -> None:
    assert any(words in fault for fault in faults(tmp_path, more)), faults(tmp_path, more)


@pytest.mark.clause("AC-TYPE-3", "AC-TYPE-5", "AC-HOUSE-DATA")
@pytest.mark.parametrize(
    ("own", "words"),
    [
        ("type: bunker", "no firing slits"),
        ("type: castle", "'castle' is unknown"),
        ("wall: paper", "'paper' is unknown"),
        ("tunnels: [nowhere]", "leads nowhere"),
        ("colour: red", "own.armour is wrong"),
    ],
)
def test_what_is_wrong_with_a_map_is_said(own: str, words: str) -> None:
    assert any(words in str(fault) for fault in check.check_map(house(own)))


@pytest.mark.clause("AC-HOUSE-DATA")
def test_maps_of_other_rulebooks_load() -> None:
    for name in ("tobacco-factory", "village", "stairwell", "bunker-line"):
        from battlesim.board.load import load_map

        assert not check.check_map(load_map(name))


def test_a_pick_is_the_side_that_is_asked() -> None:
    table = Table(ground(), unit("militia", "g1.1"), unit("militia", "g2.1"), unit("militia", "g9.1", side=1))
    legal: list[Any] = list(RULESET.legal(table.state, table.board, WhichUnit(side=0)))
    assert legal == [Pick(0), Pick(1)]
