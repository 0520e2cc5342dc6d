"""How battles begin: where units may be, zones, openings, reserves (OD-SCEN-1, OD-ENTER-6, OD-FROM-5, OD-GUN, reserves)."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from battlesim.core.answers import MoveTo
from battlesim.core.dice import KeyedDice
from battlesim.core.events import Happened, Scheduled
from battlesim.core.items import TURN
from battlesim.core.state import State, Structure
from battlesim.rules.scenario import Scenario
from battlesim.rulesets.orderdice import observation
from battlesim.rulesets.orderdice.check import can_hurt
from battlesim.rulesets.orderdice.data import TYPES
from battlesim.rulesets.orderdice.openings import SetUp
from battlesim.rulesets.orderdice.reserves import Arrive, ArriveAt
from battlesim.rulesets.orderdice.ruleset import RULESET
from battlesim.rulesets.orderdice.set_up import setup
from battlesim.rulesets.orderdice.turn import TurnStart
from tests.rulesets.orderdice.kit import Table, unit
from tests.scenario.making import HALVES, errors, make, warnings


def begin(scenario: Scenario, seed: int = 1) -> State:
    assert errors(scenario) == []
    return setup(scenario, scenario.board, KeyedDice(seed))


def spot(scenario: Scenario, state: State, number: int) -> str:
    place = state.units[number].place
    return scenario.board.spaces[place].name if place >= 0 else ""


# ---- who may be where ----------------------------------------------------------------------------------------------


@pytest.mark.clause("OD-SCEN-1")
def test_closed_buildings_are_entered_by_nobody_others_are_open() -> None:
    forces = """
        forces:
          - {{side: Red, type: officer, at: "house.west:0"}}
          - {{side: Blue, type: officer, at: "house.east:0"}}
        buildings: {{ {what}: {{closed: true}} }}
        """
    assert len(errors(make(forces.format(what="house")))) == 2
    scenario = make(forces.format(what="house.east"))
    assert errors(scenario) == ["forces[1].at: 'house.east' is closed: nobody may enter"]
    state = setup(scenario, scenario.board, KeyedDice(1))
    assert state.structures == {1: Structure(1, own={"closed": True})}
    table = Table(scenario.board, structures=state.structures.values())
    table.do()
    RULESET.step(table.r, SetUp())
    assert [(e.section, e.clauses) for e in table.events(Happened)] == [(1, ("OD-SCEN-1",))]


@pytest.mark.clause("OD-SCEN-1")
def test_ruins_are_ground_not_buildings() -> None:
    scenario = make('forces: [{side: Red, type: officer, at: "house.west:ruin"}]')
    assert any("only there when its building has fallen" in error for error in errors(scenario))


@pytest.mark.clause("OD-ENTER-6")
@pytest.mark.parametrize(
    ("kind", "place", "fault"),
    [
        ("rifle_section", "house.west:1", False),
        ("light_at_gun", "house.west:1", False),
        ("truck", "house.west:0", True),
        ("rifle_section", "house.east:0", True),  # half of it lies outside the zone
        ("rifle_section", "g6.1", False),
    ],
)
def test_infantry_and_artillery_begin_inside_buildings_wholly_in_their_zone(
    kind: str, place: str, fault: bool
) -> None:
    scenario = make(
        f'forces: [{{side: Red, type: {kind}, at: "{place}"}}, {{side: Blue, type: officer, at: g9.1}}]',
        zones=("{west: {rect: [0, 0, 20, 24]}}", "{}"),
    )
    assert bool(errors(scenario)) == fault
    if not fault:
        inside = "house" in place
        assert begin(scenario).units[0].own.emplaced == (inside and kind == "light_at_gun")


@pytest.mark.clause("OD-ENTER-6")
def test_artillery_inside_is_told_and_emplaced() -> None:
    table = Table(
        "village",
        unit("light_at_gun", at="smithy.1:0", emplaced=True, opening=84),
        unit("officer", at="mill.1:0"),
        unit("officer", at="g5.0"),
    )
    RULESET.step(table.r, SetUp())
    told = [(e.unit, e.clauses) for e in table.events(Happened) if e.what == "begins inside"]
    assert told == [(0, ("OD-ENTER-6", "OD-GUN-1")), (1, ("OD-ENTER-6",))]
    assert table.run() is None  # every wall has its opening, and the gun has been given one


# ---- zones -----------------------------------------------------------------------------------------------------------

ZONED = """
forces:
  - {side: Red, type: rifle_section, zone: west, count: 9}
  - {side: Red, type: truck, zone: west, count: 2}
  - {side: Red, type: light_at_gun, zone: west, count: 2}
  - {side: Red, type: mmg_team, at: g2.2}
  - {side: Blue, type: rifle_section, zone: east, count: 6}
  - {side: Blue, type: medium_tank, zone: east}
"""


@settings(max_examples=40, deadline=None)
@given(st.integers(0, 2**40))
def test_zones_are_filled_with_units_that_fit(seed: int) -> None:
    scenario = make(ZONED, zones=HALVES)
    state = begin(scenario, seed)
    assert observation.faults(state, scenario.board) == []
    for number, force in enumerate(scenario.forces):
        zone = scenario.sides[force.side].zone(force.zone or ("west", "east")[force.side])
        assert zone is not None
        place = state.units[number].place
        assert place in zone.spaces
        space = scenario.board.spaces[place]
        if not TYPES[force.type].infantry:
            assert space.kind == "ground"
        if force.type == "truck":
            assert space.terrain in ("open", "road")
    assert spot(scenario, state, 13) == "g2.2"


def test_infantry_is_found_inside_and_outside() -> None:
    scenario = make(ZONED, zones=HALVES)
    inside = [
        sum("house" in spot(scenario, begin(scenario, seed), number) for number in range(9))
        for seed in range(6)
    ]
    assert all(0 < count < 9 for count in inside)


def test_units_face_the_enemy_unless_told_otherwise() -> None:
    scenario = make(
        """
        forces:
          - {side: Red, type: officer, at: g2.3}
          - {side: Red, type: officer, name: other, at: g2.4, facing: north}
          - {side: Blue, type: officer, at: g7.3}
        """,
        zones=HALVES,
    )
    assert [one.facing for one in begin(scenario).units.values()] == [0, 2, 4]


def test_a_full_zone_is_filled_to_the_last_place_and_no_further() -> None:
    zone = "{yard: {places: [g2.1, g3.1, g1.1, 'house.west:0']}}"
    forces = """
        forces:
          - {{side: Red, type: rifle_section, zone: yard, count: {men}}}
          - {{side: Red, type: truck, zone: yard, count: {trucks}}}
          - {{side: Blue, type: officer, at: g9.1}}
        """
    # g1.1 is rubble and the house has no room for trucks: infantry makes way for them whatever the lots say
    for seed in range(5):
        begin(make(forces.format(men=2, trucks=2), zones=(zone, "{}")), seed)
    over = make(forces.format(men=1, trucks=3), zones=(zone, "{}"))
    assert errors(over) == ["forces[1].zone: zone 'yard' has no room for 1 of the units"]


def test_overlapping_zones_make_room_for_each_other() -> None:
    scenario = make(
        """
        forces:
          - {side: Red, type: officer, zone: both}
          - {side: Red, type: truck, zone: one}
          - {side: Blue, type: officer, at: g9.1}
        """,
        zones=("{both: {places: [g2.1, g3.1]}, one: {places: [g2.1]}}", "{}"),
    )
    for seed in range(4):
        state = begin(scenario, seed)
        assert (spot(scenario, state, 0), spot(scenario, state, 1)) == ("g3.1", "g2.1")


# ---- the first state -------------------------------------------------------------------------------------------------


def test_strength_quality_and_options_reach_the_state() -> None:
    scenario = make(
        """
        forces:
          - {side: Red, type: rifle_section, at: g2.1, models: 7, quality: veteran, officer: 2}
          - {side: Blue, type: captain, at: g9.1}
        objectives: [{kind: exit, side: Red, edge: east, points: 3, name: through}]
        turns: 4
        extra_turn: true
        margin: 2
        buildings: {house.west: {burning: true}}
        """
    )
    state = begin(scenario)
    red, blue = state.units[0], state.units[1]
    assert (red.models, red.own.full, red.own.quality, red.own.officer) == (7, 7, 2, 2)
    assert (blue.models, blue.own.quality, blue.own.officer) == (3, 1, 3)
    extra = state.extra
    assert (extra.turns, extra.extra_turn, extra.margin, extra.objectives[0].edge) == (4, True, 2, "e")
    assert state.structures == {0: Structure(0, burning=True)}
    assert [(e.time, type(e.step)) for e in state.agenda] == [(0, SetUp), (0, TurnStart)]


def test_armour_nobody_can_hurt_is_warned_of() -> None:
    forces = """
        forces:
          - {{side: Red, type: super_heavy_tank, at: g2.3}}
          - {{side: Blue, type: {enemy}, at: g9.1}}
        """
    for enemy, hurts in [("rifle_section", False), ("bazooka_team", True), ("artillery_observer", True)]:
        scenario = make(forces.format(enemy=enemy))
        assert errors(scenario) == []
        assert bool(warnings(scenario)) != hurts, enemy
    assert not can_hurt(TYPES["at_rifle_team"], 13)
    assert can_hurt(TYPES["rifle_section"], 7)  # by assault: D6 + 1
    assert not can_hurt(TYPES["rifle_section"], 8)
    assert not can_hurt(TYPES["half_track"], 7)  # small arms never hurt armour 7
    assert can_hurt(TYPES["half_track"], 6)


@pytest.mark.clause("OD-HOUSE-HE", "OD-HOUSE-DAMAGE")
@pytest.mark.parametrize(
    ("kind", "most"),
    [
        ("light_howitzer", 10),  # D6 + 2 for the shell, + 2 from behind
        ("heavy_howitzer", 12),
        ("light_mortar_team", 8),  # D6 + 1 for the shell, + 1 on the top
        ("heavy_mortar_team", 10),
    ],
)
def test_shells_hurt_armour_too(kind: str, most: int) -> None:
    """The warning counts them by their class, as bursts do."""
    assert [can_hurt(TYPES[kind], armour) for armour in (most, most + 1)] == [True, False]


# ---- reserves --------------------------------------------------------------------------------------------------------

RESERVES = """
forces:
  - {side: Red, type: officer, at: g3.1}
  - {side: Red, type: truck, name: Bus, reserve: {turn: 2, edge: west}}
  - {side: Red, type: rifle_section, name: riders, aboard: Bus}
  - {side: Blue, type: officer, name: late, reserve: {turn: 3, zone: east}}
  - {side: Blue, type: officer, at: g9.1}
  - {side: Blue, type: truck, name: Van, at: g8.1}
  - {side: Blue, type: bazooka_team, name: crew, aboard: Van}
"""


@pytest.mark.clause("OD-HOUSE-RESERVE")
def test_reserves_wait_off_the_board_and_are_on_the_agenda() -> None:
    scenario = make(RESERVES, zones=("{}", "{east: {places: [g8.2, g9.2, 'house.east:0']}}"))
    state = setup(scenario, scenario.board, KeyedDice(1))
    own = [state.units[number].own for number in range(7)]
    assert [(o.arrives, o.aboard) for o in own[1:4]] == [(2, -1), (2, -1), (3, -1)]
    assert (own[6].arrives, own[6].aboard, state.units[6].place) == (0, 5, -1)
    assert observation.faults(state, scenario.board) == []
    scheduled = [(e.time, e.step) for e in state.agenda[2:]]
    zone = scenario.sides[1].zones[0].spaces
    assert scheduled == [(TURN, Arrive(1, (2,), "w", ())), (2 * TURN, Arrive(3, (), "", zone))]
    # nobody off the board holds a die
    table = Table(scenario.board)
    table.r.state = State(state.units, {}, table.state.extra, at=state.at.copy())
    from battlesim.rulesets.orderdice.turn import TurnStart

    table.do(TurnStart())
    assert [len(dice) for dice in table.state.extra.bag.dice] == [1, 3]


@pytest.mark.clause("OD-HOUSE-RESERVE")
def test_a_reserve_comes_on_at_its_edge_with_its_passengers() -> None:
    table = Table(
        "stairwell",
        unit("truck", arrives=2),
        unit("rifle_section", arrives=2),
        unit("officer", at="g0.4", side=1),
    )
    RULESET.step(table.r, Arrive(0, (1,), "w", ()))
    assert table.run() == ArriveAt(0, (1,), "w", side=0)
    names = [table.board.spaces[answer.place].name for answer in table.legal]  # type: ignore[attr-defined]
    assert names == ["g0.2", "g0.3", "g0.5", "g0.6", "g0.7"]  # rubble below, an enemy on g0.4
    table.say(MoveTo(table.place("g0.3")))
    assert (table.unit(0).place, table.unit(0).facing) == (table.place("g0.3"), 0)
    assert [table.unit(n).own.arrives for n in (0, 1)] == [0, 0]
    assert (table.unit(1).own.aboard, table.unit(1).place) == (0, -1)
    assert not [fault for fault in observation.faults(table.state, table.board) if fault.startswith("unit")]
    table.done()


@pytest.mark.clause("OD-HOUSE-RESERVE")
def test_a_reserve_without_room_tries_again_next_turn() -> None:
    table = Table(
        "stairwell",
        unit("officer", arrives=3),
        unit("officer", at="g8.2", side=1),
        unit("officer", at="g9.2"),
    )
    table.state.turn, table.state.now = 3, 2 * TURN
    places = (table.place("g8.2"), table.place("g9.2"))
    RULESET.step(table.r, Arrive(0, (), "", places))
    assert table.run() is None
    assert table.unit(0).own.arrives == 4
    entry = table.events(Scheduled)[0].entry
    assert (entry.time, entry.step) == (3 * TURN, Arrive(0, (), "", places))
    table.done()


@pytest.mark.clause("OD-HOUSE-RESERVE")
def test_a_reserve_enters_no_building_by_its_zone() -> None:
    table = Table("stairwell", unit("officer", arrives=2))
    places = (table.place("g8.2"), table.place("g9.2"), table.place("house.east:0"))
    table.do(ArriveAt(0, (), "", places, side=0))
    assert table.legal == [MoveTo(places[0]), MoveTo(places[1])]
