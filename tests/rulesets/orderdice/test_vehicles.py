"""Hits on vehicles, the damage table, facing (OD-HOUSE-VEHICLE, OD-HOUSE-FACING, OD-FROM-7, OD-HOUSE-DAMAGE, OD-HOUSE-TRAITS)."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import icepool
import pytest

from battlesim.core.answers import Face, MoveTo, Order, Pass, TargetUnit
from battlesim.core.events import Happened
from battlesim.rulesets.orderdice import facts, fire, shoot, targets, vehicles
from battlesim.rulesets.orderdice.data import WEAPONS
from battlesim.rulesets.orderdice.facts_fire import Shot
from battlesim.rulesets.orderdice.model import unit_state
from battlesim.rulesets.orderdice.turn import Obey, WhichOrder, open_orders
from battlesim.rulesets.orderdice.vehicles import FRONT, REAR, SIDE, TOP, FaceWhere
from tests.rulesets.orderdice.grounds import ground, house, plain
from tests.rulesets.orderdice.kit import Table, rolls, unit

FIELD = ground((46, 46))
STRIP = plain()
HOUSE = house()


def shot(
    gun: str, target: str, *dice: Any, at: str = "g5.2", to: str = "g20.2", facing: int = 4, **row: Any
) -> Table:
    """A gun fires at a vehicle on an empty strip; the vehicle faces it (west) unless told otherwise."""
    table = Table(
        STRIP, unit(gun, at=at, order="fire"), unit(target, at=to, side=1, facing=facing, **row), dice=dice
    )
    table.do(Obey(0))
    return table


def happened(table: Table) -> list[str]:
    return [event.what for event in table.events(Happened)]


# ---- the tables ------------------------------------------------------------------------------------------------------


@pytest.mark.clause("OD-HOUSE-VEHICLE")
@pytest.mark.parametrize(
    ("beaten_by", "rolls", "superficial"),
    [(-1, 0, False), (0, 1, True), (1, 1, False), (2, 1, False), (3, 2, False), (6, 2, False)],
)
def test_what_a_damage_roll_is_worth(beaten_by: int, rolls: int, superficial: bool) -> None:
    assert vehicles.severity(beaten_by) == (rolls, superficial)


@pytest.mark.clause("OD-HOUSE-VEHICLE")
def test_the_damage_table() -> None:
    full = [vehicles.result(face, False) for face in range(1, 7)]
    assert full == ["stunned", "immobilised", "on fire", "knocked out", "knocked out", "knocked out"]
    superficial = [vehicles.result(face, True) for face in range(1, 7)]
    assert superficial == ["stunned"] * 4 + ["immobilised", "on fire"]


@pytest.mark.clause("OD-HOUSE-VEHICLE")
@pytest.mark.parametrize("penetration", [0, 1, 4, 5, 6])
@pytest.mark.parametrize("armour", [6, 7, 9, 10, 11])
@pytest.mark.parametrize("struck", [FRONT, SIDE, REAR])
def test_odds_of_a_hit_agree_with_exact_dice(penetration: int, armour: int, struck: str) -> None:
    ours: dict[str, Fraction] = {}
    for face in range(1, 7):
        count, superficial = vehicles.severity(vehicles.margin(face, penetration, struck, False, armour))
        for first in range(1, 7):
            for second in range(1, 7):
                found = [vehicles.result(f, superficial) for f in (first, second)[:count]]
                word = "lost" if "knocked out" in found else "hurt" if found else "none"
                ours[word] = ours.get(word, Fraction(0)) + Fraction(1, 216)

    plus = {FRONT: 0, SIDE: 1, REAR: 2}[struck]

    def outcome(total: int) -> Any:
        if total < armour:
            return "none"
        table = icepool.d6 if total > armour else icepool.d6 - 3
        if total >= armour + 3:
            table = table.highest(2)
        return (table >= 4).map({True: "lost", False: "hurt"})

    exact = (icepool.d6 + penetration + plus).map(outcome)
    for word in ("none", "hurt", "lost"):
        assert ours.get(word, Fraction(0)) == Fraction(exact.probability(word)), word


# ---- where it strikes, how far ---------------------------------------------------------------------------------------


@pytest.mark.clause("OD-HOUSE-DAMAGE")
@pytest.mark.clause("OD-HOUSE-FACING")
@pytest.mark.parametrize(
    ("facing", "face", "meets"),
    [(4, 3, False), (4, 4, True), (2, 2, False), (2, 3, True), (6, 3, True), (0, 1, False), (0, 2, True)],
)
def test_side_gives_one_and_rear_two(facing: int, face: int, meets: bool) -> None:
    """A medium anti-tank gun (+5) against a medium tank (9): 4 in front, 3 from the side, 2 from behind."""
    table = shot("medium_at_gun", "medium_tank", 3, face, *([1] if meets else []), facing=facing)
    assert table.events(Shot)[0].damage == meets
    assert bool(rolls(table, "damage table")) == meets
    table.done()


@pytest.mark.clause("OD-HOUSE-FACING")
def test_front_and_rear_are_quarters_and_the_rest_is_side() -> None:
    table = Table(FIELD, unit("medium_tank", at="g20.20", facing=0))
    seen = {
        name: vehicles.aspect(FIELD, table.unit(0), FIELD.spaces[table.place(name)].point)
        for name in ("g30.20", "g30.30", "g30.31", "g20.30", "g10.31", "g10.30", "g10.20", "g30.9", "g10.10")
    }
    assert seen == {
        "g30.20": FRONT,
        "g30.30": FRONT,  # on the edge of the arc
        "g30.31": SIDE,
        "g20.30": SIDE,
        "g10.31": SIDE,
        "g10.30": REAR,
        "g10.20": REAR,
        "g30.9": SIDE,
        "g10.10": REAR,
    }


@pytest.mark.clause("OD-HOUSE-DAMAGE")
def test_long_range_takes_one_off() -> None:
    near = shot("medium_at_gun", "medium_tank", 3, 4, 1, at="g5.2", to="g35.2")  # half of 60 inches: not long
    assert near.events(Shot)[0].damage == 1
    far = shot("medium_at_gun", "medium_tank", 4, 4, at="g5.2", to="g36.2")
    assert far.events(Shot)[0].damage == 0
    assert happened(far) == []
    for table in (near, far):
        table.done()


@pytest.mark.clause("OD-HOUSE-TRAITS")
def test_a_shaped_charge_loses_nothing_at_long_range() -> None:
    table = shot(
        "bazooka_team", "medium_tank", 5, 4, 1, at="g5.2", to="g25.2"
    )  # 20 of 24 inches, cannot go further
    assert table.events(Shot)[0].need == 4  # to hit it is long range all the same
    assert table.events(Shot)[0].damage == 1  # 5 + 4 = 9
    table.done()


@pytest.mark.clause("OD-HOUSE-DAMAGE")
def test_a_natural_one_fails_against_men_not_against_armour() -> None:
    table = shot("heavy_at_gun", "truck", 3, 1, 4)  # 6 + 1 beats 6
    assert not table.unit(1).alive
    table.done()


# ---- small arms ------------------------------------------------------------------------------------------------------


@pytest.mark.clause("OD-HOUSE-TRAITS")
@pytest.mark.clause("OD-HOUSE-DAMAGE")
def test_small_arms_have_no_target_in_armour_seven() -> None:
    table = Table(STRIP, unit("rifle_section", at="g5.2"), unit("half_track", at="g10.2", side=1))
    assert not targets.can_shoot_at(table.state, table.board, table.unit(0), table.unit(1), False)
    assert "fire" not in open_orders(table.state, table.board, table.unit(0))


@pytest.mark.clause("OD-HOUSE-TRAITS")
def test_small_arms_beside_a_heavy_weapon_do_not_shoot_at_armour() -> None:
    """Two launchers shoot and miss; the rifles and the submachine gun beside them do not even roll."""
    table = Table(
        STRIP,
        unit("tank_hunters", at="g5.2", order="fire"),
        unit("medium_tank", at="g10.2", side=1, facing=4),
        dice=[[1, 1]],
    )
    table.do(Obey(0))
    assert [event.weapon for event in table.events(Shot)] == ["one_shot_launcher"]
    assert unit_state(table.unit(1)).pins == 0
    table.done()


@pytest.mark.clause("OD-HOUSE-DAMAGE")
@pytest.mark.clause("OD-HOUSE-PINS")
def test_small_arms_hurt_a_soft_skin_on_a_six_and_pin_it_once() -> None:
    rifles = shot("sniper_rifles", "truck", [3, 3, 3, 1], [6, 5, 5], 4)
    assert rolls(rifles, "armour")[0].need == 6
    assert unit_state(rifles.unit(1)).pins == 2  # one for the hits, one for the stun
    assert unit_state(rifles.unit(1)).order == "down"
    rifles.done()


@pytest.mark.clause("OD-HOUSE-PINS")
def test_a_hit_that_bounces_still_pins_armour() -> None:
    table = shot("light_at_gun", "heavy_tank", 3, 5)  # 4 + 5 against 10
    assert unit_state(table.unit(1)).pins == 1
    assert unit_state(table.unit(1)).order == ""
    table.done()


# ---- what it does ----------------------------------------------------------------------------------------------------


@pytest.mark.clause("OD-HOUSE-VEHICLE")
def test_stunned_crews_go_down_and_lose_their_die() -> None:
    table = shot("medium_at_gun", "medium_tank", 3, 5, 1)
    tank = table.unit(1)
    assert (unit_state(tank).order, unit_state(tank).pins, tank.alive) == ("down", 2, True)
    assert table.state.extra.bag.dice[1] == ()
    table.done()


@pytest.mark.clause("OD-HOUSE-VEHICLE")
def test_an_immobilised_vehicle_neither_advances_nor_runs() -> None:
    table = shot("medium_at_gun", "medium_tank", 3, 5, 2)
    tank = table.unit(1)
    assert (unit_state(tank).immobile, unit_state(tank).pins, unit_state(tank).order) == (True, 2, "")
    assert not {"advance", "run"} & set(open_orders(table.state, table.board, tank))
    table.done()


@pytest.mark.clause("OD-HOUSE-VEHICLE")
@pytest.mark.parametrize(("dice", "lives"), [([3, 4], True), ([4, 4], False), ([1, 1], True)])
def test_on_fire_takes_a_pin_and_then_a_morale_test(dice: list[int], lives: bool) -> None:
    table = shot("medium_at_gun", "medium_tank", 3, 5, 3, dice)
    (test,) = table.events(facts.Tested)
    assert (test.why, test.needed) == ("fire", 7)  # regular 9, one pin for the hit and one for the fire
    assert table.unit(1).alive == lives
    assert happened(table)[-1] == ("fire out" if lives else "abandoned")
    table.done()


@pytest.mark.clause("OD-HOUSE-VEHICLE")
def test_three_above_the_armour_rolls_twice() -> None:
    table = shot("heavy_at_gun", "medium_tank", 3, 6, [1, 2])  # 12 against 9
    assert happened(table) == ["stunned", "immobilised"]
    assert unit_state(table.unit(1)).pins == 3
    table.done()
    lost = shot("heavy_at_gun", "medium_tank", 3, 6, [4, 2])
    assert happened(lost) == ["knocked out"]
    lost.done()


@pytest.mark.clause("OD-HOUSE-VEHICLE")
def test_superficial_damage_never_knocks_out() -> None:
    table = shot("medium_at_gun", "medium_tank", 3, 4, 6, [2, 2])
    assert happened(table) == ["on fire", "fire out"]
    table.done()


@pytest.mark.clause("OD-HOUSE-SIGHT")
def test_a_shell_hits_an_armoured_vehicle_once_and_a_soft_skin_by_its_dice() -> None:
    armoured = shot("heavy_howitzer", "medium_tank", 3, 6, 4, 1)  # pins D6, then one roll: 4 + 4 < 9
    assert len(rolls(armoured, "armour")[0].faces) == 1
    soft = shot("heavy_howitzer", "truck", 3, [1, 1, 2], 1, [1, 1, 1, 1])
    assert rolls(soft, "armour")[0].faces == (1, 1, 1, 1)
    assert unit_state(armoured.unit(1)).pins == 6


# ---- plunging fire ---------------------------------------------------------------------------------------------------


def from_floor(floor: str, target: str, at: str, facing: int, *dice: Any, gun: str = "bazooka_team") -> Table:
    table = Table(
        HOUSE,
        unit(gun, at=f"house.1:{floor}", order="fire"),
        unit(target, at=at, side=1, facing=facing),
        dice=dice,
    )
    table.do(Obey(0))
    if isinstance(table.ask, shoot.AtWhom):
        table.say(TargetUnit(1))
    return table


@pytest.mark.clause("OD-FROM-7")
@pytest.mark.parametrize(
    ("floor", "at", "facing", "need"),
    [
        ("1", "g36.9", 4, 3),  # from an upper floor, front: the top, +1
        ("0", "g36.9", 4, 4),  # from the ground floor: the front
        ("1", "g40.9", 4, 4),  # more than 12 inches off: the front
        ("1", "g36.9", 0, 3),  # from behind, too: the top instead of the rear (OD-HOUSE-FACING)
        ("0", "g36.9", 0, 2),
    ],
)
def test_plunging_fire_strikes_the_top(floor: str, at: str, facing: int, need: int) -> None:
    table = from_floor(floor, "medium_tank", at, facing, 6, 1)
    assert rolls(table, "armour")[0].need == need
    assert ("OD-FROM-7" in table.clauses()) == (floor == "1" and at == "g36.9")
    table.done()


@pytest.mark.clause("OD-FROM-7")
def test_plunging_fire_needs_an_armoured_target_and_a_heavy_weapon() -> None:
    soft = from_floor("1", "truck", "g36.9", 0, 6, 1, 1)
    assert rolls(soft, "armour")[0].need == 1  # 5 + 2 for the rear; the top would need 1 as well
    assert "OD-FROM-7" not in soft.clauses()
    rifles = WEAPONS["rifle"]
    bazooka = WEAPONS["bazooka"]
    tank = unit("medium_tank", at="g36.9", side=1)
    table = Table(HOUSE, unit("officer", at="house.1:1"), tank)
    place = table.unit(0).place
    assert vehicles.plunges(HOUSE, place, table.unit(1), bazooka, 1_200)
    assert not vehicles.plunges(HOUSE, place, table.unit(1), bazooka, 1_201)
    assert not vehicles.plunges(HOUSE, place, table.unit(1), rifles, 600)
    assert vehicles.BONUS[TOP] == 1


# ---- facing ----------------------------------------------------------------------------------------------------------


@pytest.mark.clause("OD-HOUSE-FACING")
@pytest.mark.parametrize("order", ["advance", "run"])
def test_a_vehicle_faces_any_way_after_its_order(order: str) -> None:
    table = Table(FIELD, unit("truck", at="g20.20", order=order, facing=3))
    table.do(Obey(0))
    table.say(MoveTo(table.place("g25.20")))
    assert isinstance(table.ask, FaceWhere)
    assert table.legal == [Face(0), Face(1), Face(2), Face(3), Face(4), Face(5), Face(6), Face(7)]
    table.say(Face(5))
    assert table.unit(0).facing == 5
    table.done()


@pytest.mark.clause("OD-HOUSE-FACING")
def test_it_may_turn_where_it_stands_and_keeps_its_facing_by_default() -> None:
    table = Table(FIELD, unit("truck", at="g20.20", order="advance", facing=3))
    table.do(Obey(0))
    table.say(Pass())
    assert table.legal[0] == Face(3)
    table.say(Face(3))
    assert table.unit(0).facing == 3
    table.done()


@pytest.mark.clause("OD-HOUSE-FACING")
def test_men_and_halted_vehicles_are_not_asked() -> None:
    men = Table(FIELD, unit("rifle_section", at="g20.20", order="advance"))
    men.do(Obey(0))
    men.say(MoveTo(men.place("g21.20")))
    men.done()
    for fields in ({"order": "down"}, {"order": "run", "immobile": True}, {"order": "fire"}):
        table = Table(FIELD, unit("truck", at="g20.20", **fields))
        assert not vehicles.may_turn(FIELD, table.unit(0))


@pytest.mark.clause("OD-HOUSE-FACING")
def test_turrets_fire_all_round_and_hull_guns_to_the_front() -> None:
    def weapons(facing: int) -> list[int]:
        table = Table(
            FIELD, unit("light_tank", at="g20.20", facing=facing), unit("officer", at="g30.20", side=1)
        )
        groups = fire.volley(table.state, FIELD, table.unit(0), table.unit(1), False)
        return sorted(arm for group in groups for arm in group.arms)

    assert weapons(0) == [0, 1, 2]
    assert weapons(1) == [0, 1, 2]  # on the edge of the arc
    assert weapons(2) == [0, 1]
    assert weapons(4) == [0, 1]


@pytest.mark.clause("OD-HOUSE-FACING")
def test_it_turns_before_it_shoots() -> None:
    """An assault gun on Advance brings its hull howitzer to bear by turning."""
    table = Table(
        FIELD,
        unit("assault_gun", at="g20.20", order="advance", facing=4),
        unit("truck", at="g40.20", side=1),
        dice=[1],
    )
    table.do(Obey(0))
    table.say(MoveTo(table.place("g19.20")))
    table.say(Face(0))
    assert isinstance(table.ask, shoot.AtWhom)
    table.say(TargetUnit(1))
    table.done()


@pytest.mark.clause("OD-HOUSE-MOUNT")
def test_a_mounted_weapon_shoots_on_advance_and_a_gun_does_not() -> None:
    def bears(kind: str, moved: bool) -> bool:
        table = Table(FIELD, unit(kind, at="g20.20"), unit("medium_tank", at="g30.20", side=1))
        return targets.can_shoot_at(table.state, FIELD, table.unit(0), table.unit(1), moved)

    assert bears("medium_tank", True)
    assert bears("medium_at_gun", False)
    assert not bears("medium_at_gun", True)


@pytest.mark.clause("OD-HOUSE-REACT")
def test_vehicles_never_go_down_under_fire() -> None:
    table = shot("light_at_gun", "truck", 2, order="")
    assert table.ask is None  # no question came
    table.done()


def test_an_order_menu_of_a_tank() -> None:
    table = Table(STRIP, unit("medium_tank", at="g5.2"))
    table.do(WhichOrder(0, side=0))
    assert table.legal == [Order("advance"), Order("run"), Order("ambush"), Order("down")]
