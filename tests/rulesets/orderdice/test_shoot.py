"""Who is shot at, what must be rolled, what comes of it (OD-HOUSE-SHOOT, OD-HOUSE-DAMAGE, OD-HOUSE-SIGHT, OD-FROM-1..4, OD-AT-3,
OD-HOUSE-TRAITS, OD-HOUSE-REACT)."""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from typing import Any

import pytest
from icepool import d6

from battlesim.board.board import Board
from battlesim.core.answers import Confirm, Order, Pass, TargetUnit
from battlesim.core.dice import Key
from battlesim.core.events import Rolled
from battlesim.rulesets.orderdice import facts
from battlesim.rulesets.orderdice.facts_fire import Shot
from battlesim.rulesets.orderdice.fire import Group, damage_need, roll_hits, volley
from battlesim.rulesets.orderdice.model import unit_state
from battlesim.rulesets.orderdice.react import GoDown
from battlesim.rulesets.orderdice.shoot import AtWhom
from battlesim.rulesets.orderdice.targets import can_shoot_at
from battlesim.rulesets.orderdice.turn import WhichOrder
from tests.rulesets.orderdice.grounds import ground, house, plain
from tests.rulesets.orderdice.kit import Table, unit

PLAIN, HOUSE = plain(), house()
SOUTH, EAST, NORTH, WEST = range(4)


def groups(
    shooter: dict[str, Any], target: dict[str, Any], moved: bool = False, board: Board = PLAIN
) -> list[Group]:
    """What unit 0 can do to unit 1 out of doors."""
    table = Table(board, shooter, {**target, "side": 1})
    return volley(table.state, board, table.unit(0), table.unit(1), moved)


def need(shooter: dict[str, Any], target: dict[str, Any], moved: bool = False, board: Board = PLAIN) -> int:
    """What the one rifle of an officer's runner (24 inches) needs to hit."""
    (rifle,) = [g for g in groups(shooter, target, moved, board) if g.weapon.name == "rifle"]
    return rifle.need


def officer(at: str, **more: Any) -> dict[str, Any]:
    return unit("officer", at=at, **more)


def can_see(board: Board, one: str, two: str) -> bool:
    table = Table(board, officer(one), unit("rifle_section", at=two, side=1))
    return can_shoot_at(table.state, board, table.unit(0), table.unit(1), False)


class Showing:
    """Dice that always show the same face."""

    def __init__(self, face: int) -> None:
        self.face = face

    def faces(self, key: Key, n: int, sides: int) -> tuple[int, ...]:
        return (self.face,) * n

    def ranking(self, turn: int, side: int, purpose: str, n: int) -> list[tuple[int, int]]:
        return [(number, number) for number in range(n)]


def fire(table: Table, number: int = 0) -> object:
    table.do(WhichOrder(number, side=table.unit(number).side))
    return table.say(Order("fire"))


# ---- to hit ----------------------------------------------------------------------------------------------------------


@pytest.mark.clause("OD-HOUSE-SHOOT")
@pytest.mark.parametrize(
    ("needed", "shooter", "target"),
    [
        (3, {}, {}),
        (4, {"pins": 1}, {}),
        (6, {"pins": 3}, {}),
        (4, {"quality": "inexperienced"}, {}),
        (3, {"quality": "veteran"}, {}),
        (5, {}, {"order": "down"}),
        (3, {}, {"order": "run"}),
        (4, {}, {"models": 1}),
        (3, {}, {"pins": 4}),  # the target's pins do not matter
        (3, {}, {"quality": "veteran"}),
        (6, {}, {"order": "down", "models": 1}),
        (7, {"pins": 2}, {"order": "down"}),
        (7, {"pins": 7, "quality": "inexperienced"}, {"order": "down", "models": 1}),
    ],
)
def test_modifiers_of_shooter_and_target(
    needed: int, shooter: dict[str, Any], target: dict[str, Any]
) -> None:
    assert need(officer("g2.2", **shooter), officer("g12.2", **target)) == needed


@pytest.mark.clause("OD-HOUSE-SHOOT")
@pytest.mark.parametrize(("inches", "needed"), [(1, 2), (6, 2), (7, 3), (12, 3), (13, 4), (24, 4)])
def test_point_blank_is_up_to_6_inches_and_long_range_over_half(inches: int, needed: int) -> None:
    assert need(officer("g2.2"), officer(f"g{2 + inches}.2")) == needed


@pytest.mark.clause("OD-HOUSE-SHOOT")
def test_out_of_range_is_out_of_reach() -> None:
    assert groups(officer("g2.2"), officer("g27.2")) == []
    assert groups(unit("rifle_section", at="g2.2"), officer("g38.2"))[0].weapon.name == "lmg"


@pytest.mark.clause("OD-HOUSE-SHOOT")
def test_a_pistol_at_5_inches_is_at_point_blank_and_at_long_range() -> None:
    by_weapon = {g.weapon.name: g.need for g in groups(officer("g2.2"), officer("g7.2"))}
    assert by_weapon == {"pistol": 3, "rifle": 2}
    by_weapon = {g.weapon.name: g.need for g in groups(officer("g2.2"), officer("g5.2"))}
    assert by_weapon == {"pistol": 2, "rifle": 2}


@pytest.mark.clause("OD-HOUSE-SHOOT")
def test_moving_costs_1() -> None:
    assert need(officer("g2.2"), officer("g12.2"), moved=True) == 4


@pytest.mark.clause("OD-HOUSE-SHOOT")
@pytest.mark.parametrize(("terrain", "needed"), [("woods", 4), ("rough", 4), ("rubble", 5)])
def test_soft_cover_costs_1_and_hard_cover_2(terrain: str, needed: int) -> None:
    board = plain(f"terrain: [{{kind: {terrain}, polygon: [[10, 0], [14, 0], [14, 5], [10, 5]]}}]")
    assert need(officer("g2.2"), officer("g12.2"), board=board) == needed


@pytest.mark.clause("OD-HOUSE-SHOOT")
def test_the_shooters_own_cover_does_not_hinder_it() -> None:
    board = plain("terrain: [{kind: rubble, polygon: [[10, 0], [14, 0], [14, 5], [10, 5]]}]")
    assert need(officer("g12.2"), officer("g22.2"), board=board) == 3


@pytest.mark.clause("OD-HOUSE-SHOOT")
@pytest.mark.parametrize("pins", [0, 1, 2, 3, 4, 6])
def test_chance_of_one_shot(pins: int) -> None:
    """All throws of one die, and of the second that follows a 6 where 7 or more is needed."""
    chance = Fraction(0)
    for first, second in product(range(1, 7), repeat=2):
        table = Table(PLAIN, officer("g2.2"), officer("g12.2", side=1), dice=[[first], [second]])
        chance += Fraction(roll_hits(table.r, 0, 1, 0, 1, min(3 + pins, 7)), 36)
    wanted = 3 + pins
    exact = d6.probability(">=", wanted) if wanted < 7 else d6.probability("==", 6) ** 2
    assert chance == exact
    assert exact == [Fraction(n, 36) for n in (24, 18, 12, 6, 1, 1, 1)][pins]


@pytest.mark.clause("OD-HOUSE-SHOOT")
def test_needing_7_each_6_must_be_followed_by_another() -> None:
    table = Table(
        PLAIN,
        unit("rifle_section", at="g2.2", pins=5),  # four are left once it obeys
        unit("rifle_section", at="g12.2", side=1, order="run"),
        # seven rifles (three 6s, two confirmed), the machine gun (no 6), the submachine gun at long range (no 6)
        dice=[[1, 1], [6, 6, 5, 1, 6, 2, 3], [6, 5, 6], [4, 3], [5, 5, 5, 5], [5, 5]],
    )
    fire(table)
    shots = {shot.weapon: (shot.need, shot.hits) for shot in table.events(Shot)}
    assert shots["rifle"] == (7, 2)
    assert shots["lmg"] == (7, 0)


@pytest.mark.clause("OD-HOUSE-TRAITS")
def test_a_1_to_hit_misses_at_any_range() -> None:
    table = Table(PLAIN, officer("g2.2"), officer("g4.2", side=1, order="run"), dice=[[1], [1]])
    fire(table)
    assert [(shot.need, shot.hits) for shot in table.events(Shot)] == [(2, 0), (2, 0)]


# ---- damage ----------------------------------------------------------------------------------------------------------


@pytest.mark.clause("OD-HOUSE-DAMAGE")
@pytest.mark.parametrize(("quality", "needed"), [("inexperienced", 3), ("regular", 4), ("veteran", 5)])
def test_damage_by_quality_of_the_target(quality: str, needed: int) -> None:
    table = Table(
        PLAIN,
        officer("g2.2"),
        officer("g12.2", side=1, order="run", quality=quality),
        dice=[[6], [needed - 1]],
    )
    fire(table)
    assert table.unit(1).models == 2
    table = Table(
        PLAIN,
        officer("g2.2"),
        unit("rifle_section", at="g12.2", side=1, order="run", quality=quality),
        dice=[[6], [needed]],
    )
    fire(table)
    assert table.unit(1).models == 9


@pytest.mark.clause("OD-HOUSE-DAMAGE")
def test_penetration_adds_to_the_roll_and_a_natural_1_always_fails() -> None:
    assert [damage_need(1, pen, False) for pen in (0, 1, 2, 3, 6)] == [4, 3, 2, 2, 2]
    assert [damage_need(quality, 2, False) for quality in (0, 1, 2)] == [2, 2, 3]
    table = Table(
        PLAIN,
        unit("at_rifle_team", at="g2.2"),
        unit("rifle_section", at="g12.2", side=1, order="run", quality="inexperienced"),
        dice=[[6], [1]],
    )
    fire(table)
    assert table.unit(1).models == 10


@pytest.mark.clause("OD-HOUSE-DAMAGE", "OD-AT-4")
@pytest.mark.parametrize(("quality", "needed"), [("inexperienced", 4), ("regular", 5), ("veteran", 6)])
def test_inside_the_damage_roll_is_one_harder_before_penetration(quality: str, needed: int) -> None:
    for kind, less in (("sniper_rifles", 0), ("at_rifle_team", 2)):
        table = Table(
            HOUSE,
            unit(kind, at="g34.10"),
            unit("rifle_section", at="house.1:0", side=1, order="run", quality=quality),
            dice=[[6] * (4 if less == 0 else 1), [1] * (4 if less == 0 else 1)],
        )
        fire(table)
        (damage,) = [e for e in table.events(Rolled) if e.purpose == "damage"]
        assert damage.need == max(2, needed - less)


@pytest.mark.clause("OD-HOUSE-SIGHT")
def test_men_die_in_order_and_the_survivors_shoot() -> None:
    """Seven riflemen fall; leader, gunner and loader fire on."""
    table = Table(
        PLAIN,
        unit("rifle_section", at="g2.2"),
        unit("rifle_section", at="g12.2", side=1, order="run"),
        unit("rifle_section", at="g2.4"),
        dice=[],
    )
    table.r.lose(table.unit(1), 7, "test")
    found = volley(table.state, PLAIN, table.unit(1), table.unit(0), False)
    assert [(g.weapon.name, len(g.arms)) for g in found] == [("smg", 1), ("lmg", 1)]
    assert [g.need for g in found] == [4, 3]


# ---- sight -----------------------------------------------------------------------------------------------------------


@pytest.mark.clause("OD-HOUSE-SIGHT")
def test_a_building_blocks_sight_below_its_roof() -> None:
    low = """
  - {name: shed, rect: [32, 7, 38, 13], openings: [{kind: door, side: south}]}"""
    board = ground((60, 20), HOUSE_TEXT + low)
    assert not can_see(board, "g29.10", "g40.10")
    assert can_see(board, "g29.10", "g31.10")
    assert can_see(board, "house.1:2", "g44.10")  # from the roof over the shed


@pytest.mark.clause("OD-HOUSE-SIGHT")
def test_a_hill_blocks_sight() -> None:
    hill = "terrain: [{kind: hill, height: 5, polygon: [[8, 0], [12, 0], [12, 5], [8, 5]]}]"
    assert not can_see(plain(hill), "g5.2", "g15.2")
    assert can_see(PLAIN, "g5.2", "g15.2")


@pytest.mark.clause("OD-HOUSE-SIGHT")
@pytest.mark.parametrize(("depth", "seen"), [(6, True), (7, False)])
def test_woods_deeper_than_6_inches_block_sight(depth: int, seen: bool) -> None:
    woods = f"terrain: [{{kind: woods, polygon: [[8, 0], [{8 + depth}, 0], [{8 + depth}, 5], [8, 5]]}}]"
    assert can_see(plain(woods), "g5.2", "g18.2") is seen


@pytest.mark.clause("OD-HOUSE-SIGHT")
def test_units_do_not_block_sight() -> None:
    table = Table(
        PLAIN,
        officer("g2.2"),
        officer("g12.2", side=1),
        unit("rifle_section", at="g6.2"),
        unit("heavy_tank", at="g8.2", side=1),
    )
    assert can_shoot_at(table.state, PLAIN, table.unit(0), table.unit(1), False)


@pytest.mark.clause("OD-HOUSE-SIGHT")
def test_outside_buildings_a_unit_has_one_target() -> None:
    table = Table(
        PLAIN,
        officer("g20.2"),
        officer("g10.2", side=1, order="run"),
        officer("g30.2", side=1, order="run"),
        dice=[[1]],
    )
    ask = fire(table)
    assert isinstance(ask, AtWhom)
    assert table.legal == [TargetUnit(1), TargetUnit(2)]
    assert table.say(TargetUnit(2)) is None
    assert [shot.target for shot in table.events(Shot)] == [2]
    table.done()


# ---- out of a building -----------------------------------------------------------------------------------------------

HOUSE_TEXT = """
buildings:
  - name: house
    rect: [20, 7, 26, 13]
    floors: 2
    flat_roof: true
    openings: [{kind: door, side: west}, {kind: window, floors: upper, side: all}]"""


def inside(table: Table, wall: int, target: int = 1) -> list[Group]:
    return volley(table.state, table.board, table.unit(0), table.unit(target), False, wall)


@pytest.mark.clause("OD-FROM-1")
def test_range_is_measured_from_the_opening() -> None:
    """The middle of the east door is at 26.05, 10; the man at 36.5, 10.5."""
    table = Table(HOUSE, officer("house.1:0"), officer("g36.10", side=1, order="run"), dice=[[1]])
    fire(table)
    table.say(TargetUnit(1))
    assert [shot.range for shot in table.events(Shot)] == [1046]
    assert [shot.need for shot in table.events(Shot)] == [3]


@pytest.mark.clause("OD-FROM-1")
def test_from_a_wall_without_opening_nobody_shoots() -> None:
    board = ground((46, 20), HOUSE_TEXT)
    assert not can_see(board, "house.1:0", "g36.10")
    assert can_see(board, "house.1:0", "g10.10")
    assert can_see(board, "house.1:1", "g36.10")


@pytest.mark.clause("OD-FROM-2")
@pytest.mark.parametrize(("floor", "men"), [(0, 2), (1, 4)])
def test_two_men_fire_from_each_window_or_door(floor: int, men: int) -> None:
    table = Table(HOUSE, unit("rifle_section", at=f"house.1:{floor}"), officer("g40.10", side=1))
    assert sum(len(g.arms) for g in inside(table, EAST)) == men
    assert inside(table, WEST) == inside(table, NORTH) == []


@pytest.mark.clause("OD-FROM-4")
def test_five_models_fire_from_each_side_of_a_flat_roof() -> None:
    table = Table(
        HOUSE,
        unit("rifle_section", at="house.1:3"),
        officer("g40.10", side=1),
        officer("g6.10", side=1),
        officer("g23.19", side=1),
        officer("g23.0", side=1),
    )
    for wall, target in ((EAST, 1), (WEST, 2), (NORTH, 3), (SOUTH, 4)):
        assert sum(len(g.arms) for g in inside(table, wall, target)) == 5


@pytest.mark.clause("OD-FROM-4", "OD-FROM-3")
def test_a_roof_has_men_for_two_sides_and_none_for_a_third() -> None:
    """The section's submachine gun does not reach, its loader has nothing to fire: eight men, five and three."""
    table = Table(
        HOUSE,
        unit("rifle_section", at="house.1:3"),
        officer("g40.10", side=1, order="run"),
        officer("g6.10", side=1, order="run"),
        dice=[[1] * 4, [1] * 4, [1] * 3],
    )
    fire(table)
    table.say(TargetUnit(1))
    table.say(TargetUnit(2))
    by = [(shot.target, shot.weapon, shot.shots) for shot in table.events(Shot)]
    assert sorted(by) == [(1, "lmg", 4), (1, "rifle", 4), (2, "rifle", 3)]


@pytest.mark.clause("OD-HOUSE-INSIDE")
def test_each_side_of_a_flat_roof_is_an_opening_to_small_arms() -> None:
    for at in ("g40.10", "g6.10", "g23.19", "g23.0"):
        assert can_see(HOUSE, at, "house.1:3")


@pytest.mark.clause("OD-FROM-3")
def test_fire_is_divided_between_targets_on_different_sides() -> None:
    table = Table(
        HOUSE,
        unit("rifle_section", at="house.1:0"),
        officer("g40.10", side=1, order="run"),
        officer("g6.10", side=1, order="run"),
        dice=[[1], [1] * 4, [1, 1]],
    )
    ask = fire(table)
    assert isinstance(ask, AtWhom)
    assert (ask.wall, table.legal) == (EAST, [TargetUnit(1), Pass()])
    ask = table.say(TargetUnit(1))
    assert isinstance(ask, AtWhom)
    assert (ask.wall, table.legal) == (WEST, [TargetUnit(2), Pass()])
    table.say(TargetUnit(2))
    assert {(shot.target, shot.weapon): shot.shots for shot in table.events(Shot)} == {
        (1, "lmg"): 4,
        (1, "rifle"): 1,
        (2, "rifle"): 2,
    }
    assert "OD-FROM-3" in table.clauses()
    table.done()


@pytest.mark.clause("OD-FROM-3")
def test_all_fire_from_one_side_goes_at_one_target() -> None:
    table = Table(
        HOUSE,
        unit("rifle_section", at="house.1:1"),
        officer("g40.10", side=1, order="run"),
        officer("g40.8", side=1, order="run"),
    )
    table.r.dice = Showing(1)
    ask = fire(table)
    assert isinstance(ask, AtWhom)
    assert table.legal == [TargetUnit(1), TargetUnit(2), Pass()]
    assert table.say(TargetUnit(2)) is None
    assert {shot.target for shot in table.events(Shot)} == {2}


@pytest.mark.clause("OD-FROM-3")
def test_who_holds_fire_on_one_side_has_his_men_for_the_next() -> None:
    table = Table(
        HOUSE,
        unit("rifle_section", at="house.1:0"),
        officer("g40.10", side=1, order="run"),
        officer("g6.10", side=1, order="run"),
        dice=[[1], [1] * 4],
    )
    fire(table)
    table.say(Pass())
    table.say(TargetUnit(2))
    assert {(shot.target, shot.weapon) for shot in table.events(Shot)} == {(2, "lmg"), (2, "rifle")}
    table.done()


@pytest.mark.clause("OD-HOUSE-PINS", "OD-FROM-3")
def test_fire_from_two_sides_at_one_unit_is_one_attack() -> None:
    """North-east of the house: in view from the east door and the north window. Two men fall to each; one pin, one test."""
    table = Table(
        HOUSE,
        unit("assault_section", at="house.1:0"),
        unit("rifle_section", at="g31.17", side=1, order="run"),
        # each side: two submachine guns, two shots each
        dice=[[6] * 4, [6, 6, 6, 1], [6] * 4, [6, 6, 1, 1], [1, 2]],
    )
    fire(table)
    table.say(TargetUnit(1))
    assert isinstance(table.ask, AtWhom)
    assert table.ask.wall == NORTH
    table.say(TargetUnit(1))
    assert table.unit(1).models == 5
    assert unit_state(table.unit(1)).pins == 1
    assert len(table.events(facts.Tested)) == 1
    table.done()


# ---- into a building, and going down ----------------------------------------------------------------------------------


@pytest.mark.clause("OD-AT-3")
@pytest.mark.parametrize("floor", [0, 1, 2, 3])
def test_whoever_is_inside_is_in_hard_cover(floor: int) -> None:
    assert need(officer("g36.10"), officer(f"house.1:{floor}"), board=HOUSE) == 5


@pytest.mark.clause("OD-AT-3", "OD-HOUSE-REACT")
def test_a_unit_inside_may_go_down_before_hits_are_rolled() -> None:
    table = Table(HOUSE, officer("g36.10"), officer("house.1:0", side=1), dice=[[6], [5]])
    ask = fire(table)
    assert isinstance(ask, GoDown)
    assert (ask.unit, ask.side) == (1, 1)
    table.say(Confirm(True))
    assert unit_state(table.unit(1)).order == "down"
    assert [shot.need for shot in table.events(Shot)] == [7]
    assert "OD-AT-3" in table.clauses()
    table.done()


@pytest.mark.clause("OD-HOUSE-REACT")
def test_a_unit_that_declines_keeps_its_die() -> None:
    table = Table(PLAIN, officer("g2.2"), officer("g12.2", side=1), dice=[[2]])
    fire(table)
    table.say(Confirm(False))
    assert unit_state(table.unit(1)).order == ""
    assert [shot.need for shot in table.events(Shot)] == [3]


@pytest.mark.clause("OD-HOUSE-REACT")
@pytest.mark.parametrize("order", ["fire", "advance", "run", "rally", "ambush", "down"])
def test_a_unit_that_has_acted_cannot_go_down(order: str) -> None:
    table = Table(PLAIN, officer("g2.2"), officer("g12.2", side=1, order=order), dice=[[1]])
    assert not isinstance(fire(table), GoDown)
    assert len(table.events(Shot)) == 1


@pytest.mark.clause("OD-HOUSE-REACT")
def test_vehicles_never_go_down_under_fire() -> None:
    table = Table(PLAIN, unit("hmg_team", at="g2.2"), unit("truck", at="g12.2", side=1), dice=[[1, 1, 1]])
    assert fire(table) is None


@pytest.mark.clause("OD-HOUSE-REACT")
def test_it_is_asked_whether_or_not_the_shots_will_hit() -> None:
    """The question comes before the dice, so an answer cannot depend on them."""
    table = Table(PLAIN, officer("g2.2"), officer("g12.2", side=1))
    assert isinstance(fire(table), GoDown)
    assert table.dice.keys == []


# ---- traits ----------------------------------------------------------------------------------------------------------


@pytest.mark.clause("OD-HOUSE-TRAITS")
def test_the_last_man_of_a_team_shoots_at_minus_1() -> None:
    for men, needed in ((3, 3), (2, 3), (1, 4)):
        assert groups(unit("mmg_team", at="g2.2", models=men), officer("g12.2"))[0].need == needed


@pytest.mark.clause("OD-HOUSE-TRAITS")
def test_fixed_weapons_do_not_shoot_on_advance() -> None:
    assert groups(unit("mmg_team", at="g2.2"), officer("g12.2"), moved=True) == []
    assert groups(unit("mmg_team", at="g2.2"), officer("g12.2"), moved=False) != []
    assert groups(unit("light_at_gun", at="g2.2"), unit("light_tank", at="g12.2"), moved=True) == []


@pytest.mark.clause("OD-HOUSE-TRAITS", "OD-HOUSE-WEAPONS")
def test_other_weapons_do() -> None:
    for kind in ("rifle_section", "at_rifle_team", "light_howitzer"):
        assert groups(unit(kind, at="g2.2"), officer("g12.2"), moved=True) != []


@pytest.mark.clause("OD-HOUSE-TRAITS")
def test_a_one_shot_weapon_shoots_once() -> None:
    table = Table(
        PLAIN,
        unit("tank_hunters", at="g2.2", models=3),
        officer("g14.2", side=1, order="run"),
        dice=[[1, 1], [1, 1]],  # two launchers, the submachine gun
    )
    fire(table)
    assert unit_state(table.unit(0)).spent == (1, 2)
    assert [g.weapon.name for g in volley(table.state, PLAIN, table.unit(0), table.unit(1), False)] == ["smg"]
    table.done()


@pytest.mark.clause("OD-HOUSE-TRAITS")
def test_a_one_shot_weapon_that_did_not_reach_is_kept() -> None:
    table = Table(
        PLAIN,
        unit("tank_hunters", at="g2.2"),
        officer("g16.2", side=1, order="run"),
        dice=[[1, 1]],  # the two rifles
    )
    fire(table)
    assert unit_state(table.unit(0)).spent == ()
    table.done()


@pytest.mark.clause("OD-HOUSE-TRAITS", "OD-HOUSE-DAMAGE")
def test_small_arms_do_nothing_to_armour_of_7_and_more() -> None:
    assert groups(unit("rifle_section", at="g2.2"), unit("armoured_car", at="g12.2")) == []
    assert groups(unit("rifle_section", at="g2.2"), unit("truck", at="g12.2")) != []
    assert [g.weapon.name for g in groups(unit("hmg_team", at="g2.2"), unit("armoured_car", at="g12.2"))] == [
        "hmg"
    ]
