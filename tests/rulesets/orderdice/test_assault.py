"""Assaults: who may charge whom, who fires first, how it ends (OD-HOUSE-CLOSE, OD-ASSAULT, OD-LEAVE-2..4, OD-ENTER-7)."""

from __future__ import annotations

from contextlib import suppress
from fractions import Fraction
from math import comb
from typing import Any

import pytest
from icepool import Die, d6

from battlesim.board.board import Board
from battlesim.core.answers import Confirm, MoveTo, Order, Pass, TargetUnit
from battlesim.core.errors import RuleError
from battlesim.core.events import Happened, Placed, Rolled
from battlesim.rulesets.orderdice.assault import Melee, ReactFire, Regroup, TakePlace, attacks, melee
from battlesim.rulesets.orderdice.facts import Fought
from battlesim.rulesets.orderdice.facts_fire import Shot
from battlesim.rulesets.orderdice.model import unit_state
from battlesim.rulesets.orderdice.move import WhereTo
from battlesim.rulesets.orderdice.turn import WhichOrder
from tests.rulesets.orderdice.grounds import ground, house, plain, terrace
from tests.rulesets.orderdice.kit import Table, unit

PLAIN, HOUSE = plain(), house()


def foe(kind: str, at: str, **more: Any) -> dict[str, Any]:
    return unit(kind, at=at, side=1, **more)


def charges(table: Table) -> list[int]:
    """Whom unit 0 may assault by a Run."""
    table.state.stack = ()
    table.do(WhereTo(0, "run", side=0))
    return [a.unit for a in table.legal if isinstance(a, TargetUnit)] if table.ask else []


def assault(table: Table, target: int = 1) -> object:
    """Unit 0 runs into unit 1; the next question."""
    table.do(WhichOrder(0, side=0))
    table.say(Order("run"))
    return table.say(TargetUnit(target))


def can_charge(board: Board, one: str, two: str) -> bool:
    return charges(Table(board, unit("officer", at=one), foe("officer", at=two))) == [1]


def faces(hits: int, of: int) -> list[int]:
    """So many dice with so many 6s."""
    return [6] * hits + [1] * (of - hits)


def crew(men: int, at: str, side: int = 0, **more: Any) -> dict[str, Any]:
    """Men with nothing to fight with but themselves: one attack each."""
    return unit("heavy_mortar_team", at=at, side=side, models=men, **more)


# ---- how far ---------------------------------------------------------------------------------------------------------


@pytest.mark.clause("OD-HOUSE-CLOSE")
def test_an_assault_is_a_run_of_up_to_12_inches_into_contact() -> None:
    assert can_charge(PLAIN, "g1.2", "g13.2")
    assert not can_charge(PLAIN, "g1.2", "g14.2")


@pytest.mark.clause("OD-HOUSE-TERRAIN", "OD-HOUSE-CLOSE")
def test_rough_ground_limits_a_charge_to_6_inches() -> None:
    board = plain("terrain: [{kind: rough, polygon: [[10, 0], [14, 0], [14, 5], [10, 5]]}]")
    assert can_charge(board, "g5.2", "g11.2")  # into it
    assert not can_charge(board, "g5.2", "g12.2")
    assert not can_charge(board, "g5.2", "g15.2")  # through it
    assert can_charge(board, "g13.2", "g19.2")  # out of it
    assert not can_charge(board, "g13.2", "g20.2")


@pytest.mark.clause("OD-HOUSE-TERRAIN", "OD-HOUSE-CLOSE")
def test_an_obstacle_on_the_way_counts_double() -> None:
    board = plain("terrain: [{kind: wall, line: [[10, 0], [10, 5]]}]")
    assert can_charge(board, "g1.2", "g12.2")
    assert not can_charge(board, "g1.2", "g13.2")


@pytest.mark.clause("OD-HOUSE-CLOSE")
def test_a_charge_passes_friends_but_needs_room_to_end() -> None:
    lane = ground((20, 1))
    table = Table(lane, unit("officer", at="g1.0"), foe("officer", "g8.0"), unit("officer", at="g4.0"))
    assert charges(table) == [1]
    table = Table(lane, unit("officer", at="g1.0"), foe("officer", "g8.0"), unit("officer", at="g7.0"))
    assert charges(table) == []


@pytest.mark.clause("OD-ASSAULT-1")
def test_the_ground_floor_is_assaulted_from_outside_measured_to_an_opening() -> None:
    assert can_charge(HOUSE, "g8.10", "house.1:0")  # 11.7 inches to the west door
    assert not can_charge(HOUSE, "g7.10", "house.1:0")
    assert can_charge(HOUSE, "g37.10", "house.1:0")  # to the east door
    assert can_charge(HOUSE, "g22.19", "house.1:0")  # to the north window


@pytest.mark.clause("OD-ASSAULT-1")
@pytest.mark.parametrize("floor", [1, 2, 3])
def test_upper_floors_are_not_assaulted_from_outside(floor: int) -> None:
    assert not can_charge(HOUSE, "g19.10", f"house.1:{floor}")


@pytest.mark.clause("OD-BUNK-6", "OD-ASSAULT-1")
def test_a_bunker_is_assaulted_by_its_door_only() -> None:
    board = ground(
        (26, 34),
        """
buildings:
  - {name: bunker, kind: bunker, rect: [10, 10, 16, 16],
     openings: [{kind: door, side: south}, {kind: slit, side: north}]}
""",
    )
    assert can_charge(board, "g13.5", "bunker.1:0")
    assert not can_charge(board, "g13.17", "bunker.1:0")


@pytest.mark.clause("OD-ASSAULT-5", "OD-ASSAULT-1")
def test_assaulters_from_outside_end_against_the_building_by_an_opening() -> None:
    table = Table(
        HOUSE, crew(3, "g12.10"), foe("officer", "house.1:0", order="run"), dice=[faces(0, 3), faces(1, 2)]
    )
    assault(table)
    ended = table.board.spaces[table.events(Placed)[0].place].name
    assert ended in ("g19.9", "g19.10")
    assert {"OD-ASSAULT-1", "OD-ASSAULT-5"} <= table.clauses()


# ---- from inside -----------------------------------------------------------------------------------------------------


@pytest.mark.clause("OD-ASSAULT-4", "OD-LEAVE-2")
def test_inside_one_assaults_the_floor_directly_above_or_below() -> None:
    at = {"g19.10": 9, "house.1:0": 0, "house.1:1": 1, "house.1:2": 2, "house.1:3": 3}
    reached = [place for place in at if place != "house.1:2" and can_charge(HOUSE, "house.1:2", place)]
    assert reached == ["house.1:1", "house.1:3"]


@pytest.mark.clause("OD-ASSAULT-4", "OD-LEAVE-2")
def test_inside_one_assaults_the_same_floor_of_a_connected_section() -> None:
    board = terrace(6, 6, 6)
    reached = [
        place for place in ("t.t2:1", "t.t2:0", "t.t3:1", "t.t1:0") if can_charge(board, "t.t1:1", place)
    ]
    assert reached == ["t.t2:1", "t.t1:0"]


APART = """
buildings:
  - {name: a, rect: [5, 5, 11, 11], floors: 2, openings: [{kind: door, side: east}]}
  - {name: b, rect: [DISTANCE, 5, FAR, 11], floors: 2, openings: [{kind: door, side: west}]}
"""


def two_houses(gap: int) -> Board:
    """Two houses, their doors opposite, so far apart."""
    text = APART.replace("DISTANCE", str(11 + gap)).replace("FAR", str(17 + gap))
    return ground((30 + gap, 16), text)


@pytest.mark.clause("OD-LEAVE-2", "OD-HOUSE-INSIDE")
def test_from_the_ground_floor_one_assaults_whoever_is_outside() -> None:
    board = two_houses(8)
    for place in ("g15.8", "b.1:0"):
        assert can_charge(board, "a.1:0", place)
        assert not can_charge(board, "a.1:1", place)  # leaving takes the ground floor
    assert not can_charge(board, "a.1:0", "b.1:1")


@pytest.mark.clause("OD-LEAVE-2")
def test_the_charge_out_is_measured_from_the_door() -> None:
    """The door is 0.6 from the first node; the enemy 11.6, 12.6 from the door."""
    board = ground((40, 16), APART.split("  - {name: b")[0])
    assert can_charge(board, "a.1:0", "g22.8")
    assert not can_charge(board, "a.1:0", "g23.8")


@pytest.mark.clause("OD-LEAVE-2")
def test_enemies_in_a_transport_are_assaulted_with_it() -> None:
    board = two_houses(8)
    table = Table(
        board, unit("rifle_section", at="a.1:0"), foe("half_track", "g15.8"), foe("officer", "", aboard=1)
    )
    assert charges(table) == [1]


@pytest.mark.clause("OD-LEAVE-2")
def test_who_charges_out_ends_outside() -> None:
    table = Table(HOUSE, crew(3, "house.1:0"), foe("officer", "g12.10", order="run"), dice=[faces(2, 3), [3]])
    assault(table)
    assert not table.unit(1).alive
    assert table.board.spaces[table.unit(0).place].kind == "ground"
    assert "OD-LEAVE-2" in table.clauses()


# ---- reaction fire ---------------------------------------------------------------------------------------------------


def reacts(board: Board, one: str, two: str, **unit_state: Any) -> bool:
    """Whether a rifle section, charged, is asked to fire first."""
    table = Table(board, crew(3, one), foe("rifle_section", two, **unit_state))
    table.do(WhereTo(0, "run", side=0))
    with suppress(RuleError):  # it has come to blows, for which there are no dice: nobody was asked
        table.say(TargetUnit(1))
    return isinstance(table.ask, ReactFire)


@pytest.mark.clause("OD-HOUSE-CLOSE")
@pytest.mark.parametrize(("inches", "asked"), [(5, False), (6, False), (7, True), (12, True)])
def test_a_target_more_than_6_inches_away_may_fire_first(inches: int, asked: bool) -> None:
    assert reacts(PLAIN, "g1.2", f"g{1 + inches}.2") is asked


@pytest.mark.clause("OD-HOUSE-CLOSE")
@pytest.mark.parametrize("order", ["fire", "advance", "run", "rally", "ambush", "down"])
def test_a_target_that_has_acted_may_not(order: str) -> None:
    assert not reacts(PLAIN, "g1.2", "g11.2", order=order)


@pytest.mark.clause("OD-HOUSE-CLOSE", "OD-HOUSE-REACT")
def test_reaction_fire_comes_before_contact_at_the_range_the_charge_began() -> None:
    table = Table(
        PLAIN,
        crew(6, "g1.2"),
        foe("sniper_rifles", "g11.2"),
        # four shots, two hit, both wound; a third of six need not test; then 4 against 2
        dice=[[6, 6, 1, 1], [6, 6], faces(2, 4), [3]],
    )
    ask = assault(table)
    assert isinstance(ask, ReactFire)
    assert (ask.unit, ask.side) == (1, 1)
    table.say(Confirm(True))
    assert [(shot.range, shot.need) for shot in table.events(Shot)] == [(1000, 3)]
    assert unit_state(table.unit(1)).order == "fire"
    assert [(f.inflicted, f.lost) for f in table.events(Fought)] == [(2, 0)]
    assert table.unit(0).models == 4


@pytest.mark.clause("OD-HOUSE-CLOSE")
def test_assaulters_shot_down_on_the_way_never_arrive() -> None:
    table = Table(PLAIN, crew(1, "g1.2"), foe("sniper_rifles", "g11.2"), dice=[[6, 6, 1, 1], [6, 6]])
    assault(table)
    table.say(Confirm(True))
    assert not table.unit(0).alive
    assert table.events(Fought) == []
    assert table.unit(1).models == 2
    table.done()


@pytest.mark.clause("OD-LEAVE-3")
@pytest.mark.parametrize(("x", "asked"), [(13, True), (14, False)])
def test_reaction_to_a_charge_out_of_a_building_needs_more_than_6_inches_from_it(x: int, asked: bool) -> None:
    """The west wall is at 20; the nodes at 13.5 and 14.5."""
    assert reacts(HOUSE, "house.1:0", f"g{x}.10") is asked


@pytest.mark.clause("OD-LEAVE-3")
def test_that_fire_meets_the_assaulters_outside_without_cover() -> None:
    """They have stepped out to 19.5, 10.5: 6 inches off, 2+ to hit; inside it would be 4+ at 6.5."""
    table = Table(
        HOUSE,
        crew(6, "house.1:0"),
        foe("sniper_rifles", "g13.10"),
        dice=[[1, 1, 1, 1], faces(2, 6), [3]],
    )
    ask = assault(table)
    assert isinstance(ask, ReactFire)
    table.say(Confirm(True))
    assert [(shot.range, shot.need) for shot in table.events(Shot)] == [(600, 2)]
    assert "OD-LEAVE-3" in table.clauses()
    out, on = table.events(Placed)
    assert on.path[0] == out.place  # from there they go on
    assert not table.unit(1).alive


@pytest.mark.clause("OD-LEAVE-3")
def test_assaulters_nobody_saw_inside_are_seen_once_they_are_out() -> None:
    """South of a house whose only door looks west."""
    board = ground(
        (46, 20),
        "buildings: [{name: house, rect: [20, 7, 26, 13], openings: [{kind: door, side: west}]}]",
    )
    assert reacts(board, "house.1:0", "g20.0")


@pytest.mark.clause("OD-LEAVE-3", "OD-ENTER-4")
def test_friends_before_the_door_are_passed_first() -> None:
    table = Table(
        HOUSE,
        crew(6, "house.1:0"),
        foe("sniper_rifles", "g12.10"),
        unit("officer", at="g19.10"),
        unit("officer", at="g19.9"),
        dice=[[1, 1, 1, 1], faces(2, 6), [3]],
    )
    assault(table)
    table.say(Confirm(True))
    assert [shot.range for shot in table.events(Shot)] == [600]
    assert table.board.spaces[table.events(Placed)[0].place].x == 1850


@pytest.mark.clause("OD-LEAVE-3")
@pytest.mark.parametrize(("gap", "asked"), [(6, False), (7, True)])
def test_between_two_houses_the_distance_is_from_wall_to_wall(gap: int, asked: bool) -> None:
    assert reacts(two_houses(gap), "a.1:0", "b.1:0") is asked


@pytest.mark.clause("OD-HOUSE-CLOSE")
@pytest.mark.parametrize(("x", "asked"), [(13, True), (14, False)])
def test_for_a_target_inside_the_distance_is_to_the_building(x: int, asked: bool) -> None:
    assert reacts(HOUSE, f"g{x}.10", "house.1:0") is asked


@pytest.mark.clause("OD-LEAVE-4", "OD-ASSAULT-4")
def test_assaults_inside_are_surprises_however_large_the_rooms() -> None:
    assert not reacts(terrace(8, 8), "t.t1:0", "t.t2:0")
    assert not reacts(HOUSE, "house.1:0", "house.1:1")
    assert not reacts(HOUSE, "house.1:2", "house.1:3")


@pytest.mark.clause("OD-HOUSE-CLOSE")
def test_who_cannot_see_the_assaulters_cannot_fire_at_them() -> None:
    board = two_houses(10)
    assert reacts(board, "g9.1", "g17.1")
    assert not reacts(board, "g9.12", "g12.4")


# ---- who strikes first -----------------------------------------------------------------------------------------------


@pytest.mark.clause("OD-HOUSE-CLOSE")
def test_assaulters_strike_first_and_survivors_back() -> None:
    table = Table(
        PLAIN,
        crew(4, "g1.2"),
        foe("heavy_mortar_team", "g5.2", order="run"),
        dice=[faces(3, 4), faces(1, 1), [3]],
    )
    assault(table)
    assert [(f.inflicted, f.lost, f.first) for f in table.events(Fought)] == [(3, 1, True)]
    assert not table.unit(1).alive
    assert table.unit(0).models == 3


@pytest.mark.clause("OD-HOUSE-CLOSE")
def test_nobody_is_left_to_strike_back() -> None:
    table = Table(PLAIN, crew(4, "g1.2"), foe("officer", "g5.2", order="run"), dice=[faces(4, 4), [3]])
    assault(table)
    assert [(f.inflicted, f.lost) for f in table.events(Fought)] == [(2, 0)]  # two men cannot lose four


@pytest.mark.clause("OD-ASSAULT-2", "OD-HOUSE-CLOSE")
@pytest.mark.parametrize(("one", "two"), [("g19.10", "house.1:0"), ("house.1:1", "house.1:2")])
def test_in_a_building_both_strike_at_the_same_time(one: str, two: str) -> None:
    table = Table(HOUSE, crew(4, one), foe("officer", two, order="run"), dice=[faces(4, 4), faces(1, 2)])
    ask = assault(table)
    assert [(f.inflicted, f.lost, f.first) for f in table.events(Fought)] == [(2, 1, False)]
    assert isinstance(ask, TakePlace)


@pytest.mark.clause("OD-ASSAULT-5")
def test_between_sections_both_strike_at_the_same_time() -> None:
    board = terrace(6, 6)
    table = Table(
        board, crew(4, "t.t1:1"), foe("officer", "t.t2:1", order="run"), dice=[faces(4, 4), faces(1, 2)]
    )
    ask = assault(table)
    assert [(f.inflicted, f.lost, f.first) for f in table.events(Fought)] == [(2, 1, False)]
    assert isinstance(ask, TakePlace)
    table.say(Confirm(True))
    assert table.unit(0).place == table.place("t.t2:1")


@pytest.mark.clause("OD-HOUSE-CLOSE")
@pytest.mark.parametrize("kind", ["wall", "hedge", "fence"])
def test_behind_an_obstacle_both_strike_at_the_same_time(kind: str) -> None:
    board = plain(f"terrain: [{{kind: {kind}, line: [[10, 0], [10, 5]]}}]")
    table = Table(
        board, crew(4, "g5.2"), foe("officer", "g10.2", order="run"), dice=[faces(4, 4), faces(1, 2), [3]]
    )
    assault(table)
    assert [(f.inflicted, f.lost) for f in table.events(Fought)] == [(2, 1)]


@pytest.mark.clause("OD-HOUSE-CLOSE")
def test_an_obstacle_crossed_earlier_on_the_way_helps_nobody() -> None:
    board = plain("terrain: [{kind: wall, line: [[10, 0], [10, 5]]}]")
    table = Table(board, crew(4, "g7.2"), foe("officer", "g12.2", order="run"), dice=[faces(4, 4), [3]])
    assault(table)
    assert table.events(Fought)[0].first


@pytest.mark.clause("OD-HOUSE-CLOSE")
def test_against_ambush_both_strike_at_the_same_time() -> None:
    table = Table(
        PLAIN, crew(4, "g5.2"), foe("officer", "g6.2", order="ambush"), dice=[faces(4, 4), faces(1, 2), [3]]
    )
    assault(table)
    assert [(f.inflicted, f.lost) for f in table.events(Fought)] == [(2, 1)]


@pytest.mark.clause("OD-HOUSE-CLOSE")
def test_in_repeat_rounds_both_strike_at_the_same_time() -> None:
    table = Table(
        PLAIN,
        crew(4, "g5.2"),
        foe("officer", "g8.2", order="run"),
        dice=[faces(1, 4), faces(1, 1), faces(3, 3), faces(0, 1), [3]],
    )
    assault(table)
    assert [(f.inflicted, f.lost, f.first) for f in table.events(Fought)] == [(1, 1, True), (1, 0, False)]


# ---- attacks and damage ----------------------------------------------------------------------------------------------


@pytest.mark.clause("OD-HOUSE-CLOSE")
@pytest.mark.parametrize(
    ("kind", "models", "dice"),
    [
        ("mmg_team", 3, 3),
        ("rifle_section", 10, 11),  # the leader has a submachine gun
        ("rifle_section", 1, 2),
        ("assault_section", 8, 16),
        ("veteran_engineers", 6, 12),  # tough fighters: two each, submachine gun or not
        ("light_at_gun", 3, 3),
    ],
)
def test_one_attack_a_model_two_with_assault_weapons_or_for_tough_fighters(
    kind: str, models: int, dice: int
) -> None:
    table = Table(PLAIN, unit(kind, at="g5.2", models=models), foe("officer", "g60.2"))
    assert attacks(table.unit(0)) == dice


@pytest.mark.clause("OD-HOUSE-CLOSE", "OD-AT-5")
@pytest.mark.parametrize(("quality", "needed"), [("inexperienced", 3), ("regular", 4), ("veteran", 5)])
@pytest.mark.parametrize(("one", "two"), [("g19.10", "house.1:0"), ("g5.10", "g8.10")])
def test_damage_is_by_quality_and_the_building_does_not_help(
    quality: str, needed: int, one: str, two: str
) -> None:
    table = Table(
        HOUSE, crew(1, one), foe("officer", two, order="run", quality=quality), dice=[[needed - 1], [1, 1]]
    )
    with pytest.raises(RuleError, match="no dice scripted"):
        assault(table)  # a draw, and the next round
    assert next(e.need for e in table.events(Rolled) if e.purpose == "melee") == needed
    assert table.events(Fought)[0].inflicted == 0


# ---- how it ends -----------------------------------------------------------------------------------------------------


@pytest.mark.clause("OD-HOUSE-CLOSE")
def test_the_side_that_lost_more_is_destroyed() -> None:
    table = Table(
        HOUSE,
        crew(6, "g19.10"),
        foe("rifle_section", "house.1:0", order="run"),
        dice=[faces(1, 6), faces(2, 11)],
    )
    assault(table)
    assert not table.unit(0).alive
    assert table.unit(1).models == 9
    table.done()


@pytest.mark.clause("OD-HOUSE-CLOSE")
def test_a_draw_is_fought_again_and_the_sixth_destroys_the_assaulters() -> None:
    rounds = [faces(0, 6), faces(0, 3)] * 6
    table = Table(PLAIN, crew(6, "g5.2"), crew(3, "g8.2", side=1, order="run"), dice=[*rounds, [3]])
    ask = assault(table)
    assert [f.round for f in table.events(Fought)] == [1, 2, 3, 4, 5, 6]
    assert not table.unit(0).alive
    assert table.unit(1).models == 3
    assert isinstance(ask, Regroup)  # the defenders have won
    assert ask.side == 1


@pytest.mark.clause("OD-HOUSE-CLOSE")
def test_the_sixth_round_itself_may_still_be_won() -> None:
    rounds = [faces(0, 6), faces(0, 3)] * 5 + [faces(1, 6), faces(0, 3)]
    table = Table(PLAIN, crew(6, "g5.2"), crew(3, "g8.2", side=1, order="run"), dice=[*rounds, [3]])
    assault(table)
    assert table.unit(0).models == 6
    assert not table.unit(1).alive


@pytest.mark.clause("OD-HOUSE-CLOSE")
def test_both_sides_may_be_wiped_out_and_nobody_wins() -> None:
    table = Table(
        HOUSE, crew(2, "g19.10"), foe("officer", "house.1:0", order="run"), dice=[faces(2, 2), faces(2, 2)]
    )
    assert assault(table) is None
    assert not table.unit(0).alive
    assert not table.unit(1).alive
    assert [h for h in table.events(Happened) if h.what == "won"] == []
    table.done()


@pytest.mark.clause("OD-HOUSE-CLOSE")
def test_equal_losses_that_leave_one_side_without_men_are_no_draw() -> None:
    table = Table(
        HOUSE, crew(5, "g19.10"), foe("officer", "house.1:0", order="run"), dice=[faces(2, 5), faces(2, 2)]
    )
    ask = assault(table)
    assert isinstance(ask, TakePlace)
    (won,) = [h for h in table.events(Happened) if h.what == "won"]
    assert (won.unit, won.other) == (0, 1)
    assert table.unit(0).models == 3


@pytest.mark.clause("OD-HOUSE-CLOSE")
def test_a_side_without_men_has_lost_though_it_killed_more() -> None:
    table = Table(
        HOUSE,
        crew(2, "g19.10", quality="regular"),
        crew(8, "house.1:0", side=1, order="run"),
        dice=[faces(2, 2), faces(2, 8)],
    )
    assault(table)
    assert not table.unit(0).alive
    assert table.unit(1).models == 6
    table = Table(
        HOUSE,
        unit("assault_section", at="g19.10", models=2),
        crew(8, "house.1:0", side=1, order="run"),
        dice=[faces(4, 4), faces(2, 8)],
    )
    assault(table)
    assert not table.unit(0).alive
    assert table.unit(1).models == 4  # it lost four to two, and holds the place


@pytest.mark.clause("OD-HOUSE-CLOSE")
def test_close_quarters_ask_no_test_of_the_winner() -> None:
    table = Table(
        HOUSE, crew(4, "g19.10"), crew(4, "house.1:0", side=1, order="run"), dice=[faces(3, 4), faces(2, 4)]
    )
    ask = assault(table)
    assert isinstance(ask, TakePlace)
    assert table.unit(0).models == 2
    table.say(Confirm(True))
    table.done()


def one_round(both: bool) -> dict[str, Fraction]:
    """How a round of 6 regulars against 6 ends, over every number of hits of either side, by the real rule."""
    ends = {"won": Fraction(0), "lost": Fraction(0), "again": Fraction(0), "both gone": Fraction(0)}
    board, place = (HOUSE, "house.1:0") if both else (PLAIN, "g8.2")
    for a in range(7):
        back = 6 if both else 6 - a
        for b in range(back + 1):
            chance = Fraction(comb(6, a), 64) * Fraction(comb(back, b), 2**back)
            script = [faces(a, 6), *([faces(b, back)] if back else [])]
            near = "g19.10" if both else "g7.2"
            table = Table(board, crew(6, near), crew(6, place, side=1, order="run"), dice=script)
            with suppress(RuleError):  # no dice for the winner's regroup
                melee(table.r, Melee(0, 1, both, table.place(place)))
            alive = (table.unit(0).alive, table.unit(1).alive)
            name = {
                (True, True): "again",
                (True, False): "won",
                (False, True): "lost",
                (False, False): "both gone",
            }
            ends[name[alive]] += chance
    return ends


@pytest.mark.clause("OD-HOUSE-CLOSE", "OD-ASSAULT-2")
def test_odds_of_a_round_in_which_both_strike_at_once() -> None:
    mine, theirs = 6 @ (d6 >= 4), 6 @ (d6 >= 4)
    lead = mine - theirs
    gone = mine.probability("==", 6) * theirs.probability("==", 6)
    assert one_round(both=True) == {
        "won": lead.probability(">", 0),
        "lost": lead.probability("<", 0),
        "again": lead.probability("==", 0) - gone,
        "both gone": gone,
    }


@pytest.mark.clause("OD-HOUSE-CLOSE")
def test_odds_of_a_round_in_which_the_assaulters_strike_first() -> None:
    def lead(killed: int) -> Die[int]:
        return killed - (6 - killed) @ (d6 >= 4) if killed < 6 else Die([6])

    exact = (6 @ (d6 >= 4)).map(lead)
    assert one_round(both=False) == {
        "won": exact.probability(">", 0),
        "lost": exact.probability("<", 0),
        "again": exact.probability("==", 0),
        "both gone": Fraction(0),
    }


# ---- after it --------------------------------------------------------------------------------------------------------


def won(board: Board, one: str, two: str, dice: list[list[int]]) -> Table:
    """An assault in which four men beat an officer and his runner without loss."""
    table = Table(board, crew(4, one), foe("officer", two, order="run"), dice=dice)
    assault(table)
    return table


@pytest.mark.clause("OD-ASSAULT-3", "OD-ENTER-7")
def test_the_winner_may_take_the_place_of_the_defeated_without_a_roll() -> None:
    table = won(HOUSE, "g19.10", "house.1:0", [faces(2, 4), faces(0, 2)])
    assert isinstance(table.ask, TakePlace)
    table.say(Confirm(True))
    assert table.unit(0).place == table.place("house.1:0")
    assert {"OD-ASSAULT-3", "OD-ENTER-7"} <= table.clauses()
    table.done()


@pytest.mark.clause("OD-ASSAULT-3", "OD-ENTER-7")
def test_a_winner_that_declines_regroups_outside() -> None:
    table = won(HOUSE, "g19.10", "house.1:0", [faces(2, 4), faces(0, 2), [6]])
    ask = table.say(Confirm(False))
    assert isinstance(ask, Regroup)
    assert ask.reach == 600
    assert all(table.board.spaces[a.place].kind != "floor" for a in table.legal if isinstance(a, MoveTo))


@pytest.mark.clause("OD-ASSAULT-3", "OD-ASSAULT-5")
def test_inside_the_winner_takes_the_place_or_stays() -> None:
    table = won(HOUSE, "house.1:1", "house.1:2", [faces(2, 4), faces(0, 2)])
    table.say(Confirm(True))
    assert table.unit(0).place == table.place("house.1:2")
    table = won(HOUSE, "house.1:0", "house.1:1", [faces(2, 4), faces(0, 2)])
    table.say(Confirm(False))
    assert table.unit(0).place == table.place("house.1:0")
    table.done()


@pytest.mark.clause("OD-ASSAULT-3")
def test_defenders_who_win_stay_where_they_are() -> None:
    """Only who assaulted takes a place; and nobody leaves a building by a regroup move (OD-LEAVE-1)."""
    table = Table(
        HOUSE, crew(2, "g19.10"), crew(4, "house.1:0", side=1, order="run"), dice=[faces(0, 2), faces(2, 4)]
    )
    assert assault(table) is None
    assert table.unit(1).place == table.place("house.1:0")
    table.done()


@pytest.mark.clause("OD-HOUSE-CLOSE")
@pytest.mark.parametrize("inches", [1, 3, 6])
def test_the_winner_may_regroup_d6_inches(inches: int) -> None:
    table = won(PLAIN, "g20.2", "g22.2", [faces(2, 4), [inches]])
    ask = table.ask
    assert isinstance(ask, Regroup)
    assert table.legal[0] == Pass()
    reached = [table.board.spaces[a.place].x for a in table.legal if isinstance(a, MoveTo)]
    at = table.board.spaces[table.unit(0).place].x
    assert (min(reached), max(reached)) == (at - 100 * inches, at + 100 * inches)


@pytest.mark.clause("OD-HOUSE-CLOSE")
def test_the_winner_may_stay() -> None:
    table = won(PLAIN, "g20.2", "g22.2", [faces(2, 4), [4]])
    before = table.unit(0).place
    table.say(Pass())
    assert table.unit(0).place == before
    table.done()


@pytest.mark.clause("OD-ENTER-7")
def test_a_regroup_move_enters_no_building() -> None:
    table = won(HOUSE, "g17.10", "g18.10", [faces(2, 4), [6]])
    assert isinstance(table.ask, Regroup)
    reached = [table.board.spaces[a.place] for a in table.legal if isinstance(a, MoveTo)]
    assert reached
    assert {space.kind for space in reached} == {"ground"}


@pytest.mark.clause("OD-HOUSE-CLOSE")
def test_a_unit_that_wins_twice_in_a_turn_regroups_twice_under_dice_of_their_own() -> None:
    table = Table(
        PLAIN,
        crew(2, "g5.2"),
        crew(9, "g8.2", side=1, order="run"),
        crew(2, "g11.2"),
        dice=[faces(0, 2), faces(2, 9), [3], faces(0, 2), faces(2, 9), [4]],
    )
    assault(table)
    table.say(Pass())
    table.do(WhichOrder(2, side=0))
    table.say(Order("run"))
    table.say(TargetUnit(1))
    assert len(set(table.dice.keys)) == len(table.dice.keys) == 6


@pytest.mark.clause("OD-HOUSE-TURN")
def test_the_die_of_a_unit_destroyed_in_close_quarters_leaves_the_bag() -> None:
    table = Table(
        PLAIN, crew(4, "g5.2"), foe("officer", "g6.2"), foe("officer", "g60.2"), dice=[faces(2, 4), [3]]
    )
    assault(table)
    assert [len(dice) for dice in table.state.extra.bag.dice] == [1, 1]
