"""Openings made and chosen as battles begin (OD-FROM-5, OD-FROM-6, OD-GUN-1, OD-GUN-2)."""

from __future__ import annotations

import pytest

from battlesim.core.answers import Pass, UseOpening
from battlesim.core.dice import KeyedDice
from battlesim.core.events import Placed
from battlesim.core.state import State, Structure
from battlesim.rules.scenario import Scenario
from battlesim.rulesets.orderdice.openings import DeployAt, MadeOpening, SetUp, made_code, view_of
from battlesim.rulesets.orderdice.ruleset import RULESET
from battlesim.rulesets.orderdice.set_up import setup
from battlesim.rulesets.orderdice.structures import made
from tests.rulesets.orderdice.kit import Table, unit
from tests.scenario.making import errors, make


def begin(scenario: Scenario, seed: int = 1) -> State:
    assert errors(scenario) == []
    return setup(scenario, scenario.board, KeyedDice(seed))


# ---- openings --------------------------------------------------------------------------------------------------------


@pytest.mark.clause("OD-FROM-5")
def test_a_unit_inside_may_make_one_opening_where_its_floor_has_none() -> None:
    table = Table("village", unit("rifle_section", at="barn.1:0"), unit("rifle_section", at="barn.1:1"))
    RULESET.step(table.r, SetUp())
    assert table.run() == MadeOpening(0, side=0)
    assert table.legal == [Pass(), UseOpening(0), UseOpening(1)]  # north has the door, west the gap
    assert table.say(UseOpening(1)) is None  # upstairs every wall has a window: nothing to ask
    section = table.board.section("barn.1")
    assert made(table.state, section, 0) == (1,)
    assert made(table.state, section, 1) == ()
    assert table.state.structures[section] == Structure(section, own={"made": [[0, 1]]})
    assert "OD-FROM-5" in table.clauses()


@pytest.mark.clause("OD-FROM-5")
def test_two_floors_of_one_house_keep_their_openings_and_other_marks() -> None:
    board = Table("village").board
    toolshed, barn = board.section("toolshed.1"), board.section("barn.1")
    table = Table(
        board,
        unit("officer", at="toolshed.1:0"),
        unit("officer", at="barn.1:0"),
        structures=[Structure(barn, own={"made": [[1, 0]], "closed": True})],
    )
    assert table.do(MadeOpening(0, side=0), MadeOpening(1, side=0)) == MadeOpening(0, side=0)
    table.say(UseOpening(0))
    table.say(UseOpening(1))
    assert table.state.structures[barn].own == {"made": ((0, 1), (1, 0)), "closed": True}
    assert table.state.structures[toolshed].own == {"made": ((0, 0),)}


@pytest.mark.clause("OD-FROM-5")
def test_a_wall_behind_which_a_neighbour_stands_takes_no_opening() -> None:
    table = Table("village", unit("officer", at="church.tower:0"))
    table.do(MadeOpening(0, side=0))
    assert table.legal == [
        Pass(),
        UseOpening(0),
        UseOpening(2),
    ]  # the nave is to the east, the door to the west
    table.say(Pass())
    assert table.state.structures == {}


@pytest.mark.clause("OD-FROM-5")
def test_no_opening_is_made_outdoors_or_in_a_bunker() -> None:
    blank = Table("bunker-line").board
    section = blank.sections[blank.section("berta.quarters")]
    assert len({blank.openings[o].side for o in section.openings[0]}) < len(section.sides)
    table = Table(blank, unit("officer", at="berta.quarters:0"), unit("officer", at="g1.0"))
    RULESET.step(table.r, SetUp())
    assert table.run() is None


@pytest.mark.clause("OD-FROM-6")
@pytest.mark.clause("OD-GUN-1")
def test_guns_and_fixed_weapons_inside_are_deployed_at_an_opening() -> None:
    table = Table(
        "village",
        unit("medium_at_gun", at="smithy.1:0", emplaced=True),
        unit("mmg_team", at="mill.1:1", side=1),
        unit("rifle_section", at="mill.1:2", side=1),
        unit("mmg_team", at="g5.0"),
    )
    RULESET.step(table.r, SetUp())
    assert table.run() == DeployAt(0, side=0)
    assert sorted(answer.opening for answer in table.legal) == [82, 83, 84, 85]  # type: ignore[attr-defined]
    views = [view_of(table.board, table.unit(0).place, a.opening) for a in table.legal]  # type: ignore[attr-defined]
    assert views == sorted(views, reverse=True)
    assert table.say(UseOpening(83)) == DeployAt(1, side=1)
    assert (table.unit(0).own.opening, table.unit(0).facing) == (83, 0)
    assert table.say(UseOpening(92)) is None
    assert (table.unit(1).own.opening, table.unit(1).facing) == (92, 2)
    deployed = [e.clauses for e in table.events(Placed)]
    assert deployed == [("OD-GUN-1", "OD-GUN-2"), ("OD-FROM-6",)]


@pytest.mark.clause("OD-GUN-1")
def test_a_gun_may_be_deployed_at_the_opening_made_for_it() -> None:
    table = Table("village", unit("light_at_gun", at="barn.1:0", emplaced=True))
    RULESET.step(table.r, SetUp())
    assert table.run() == MadeOpening(0, side=0)
    assert table.say(UseOpening(0)) == DeployAt(0, side=0)
    assert table.legal[-1] == UseOpening(made_code(0))
    table.say(UseOpening(made_code(0)))
    assert (table.unit(0).own.opening, table.unit(0).facing) == (-2, 6)


@pytest.mark.clause("OD-GUN-1")
def test_a_scenario_may_choose_the_opening() -> None:
    scenario = make(
        """
        forces:
          - {side: Red, type: light_at_gun, at: "smithy.1:0", opening: north}
          - {side: Blue, type: mmg_team, at: "canteen.1:0", opening: 0}
        """.replace("canteen.1:0", "mill.1:1"),
        map="village",
    )
    state = begin(scenario)
    assert (state.units[0].own.opening, state.units[0].facing) == (84, 2)
    assert state.units[1].own.opening == 90
    table = Table(scenario.board)
    table.r.state = State(state.units, {}, table.state.extra, at=state.at.copy())
    RULESET.step(table.r, SetUp())
    assert table.run() is None  # nothing is left to ask


@pytest.mark.clause("OD-GUN-1")
def test_in_a_bunker_a_gun_looks_out_of_slits_only() -> None:
    table = Table("bunker-line", unit("light_at_gun", at="pillbox.1:0", emplaced=True))
    table.do(DeployAt(0, side=0))
    kinds = [table.board.openings[answer.opening].kind for answer in table.legal]  # type: ignore[attr-defined]
    assert kinds == ["slit", "slit", "slit"]


@pytest.mark.clause("OD-GUN-1")
@pytest.mark.clause("OD-GUN-2")
def test_a_gun_inside_never_moves_or_turns() -> None:
    from battlesim.core.answers import Order
    from battlesim.rulesets.orderdice.turn import WhichOrder

    table = Table(
        "village",
        unit("light_at_gun", at="smithy.1:0", emplaced=True, opening=83, pins=1),
        unit("light_at_gun", at="g5.0", pins=1),
    )
    table.do(WhichOrder(0, side=0))
    assert Order("advance") not in table.legal
    assert Order("run") not in table.legal
    table.state.stack = ()
    table.do(WhichOrder(1, side=0))
    assert Order("advance") in table.legal  # outdoors a light gun moves
