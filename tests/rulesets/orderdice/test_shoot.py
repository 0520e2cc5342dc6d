"""What must be rolled and what comes of it; what some weapons cannot do (OD-HOUSE-SHOOT, OD-HOUSE-DAMAGE, OD-AT-3, OD-AT-4,
OD-HOUSE-TRAITS, OD-HOUSE-REACT).

Who sees whom is in `test_seeing.py`, fire out of buildings in `test_firing_out.py`.
"""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from typing import Any

import pytest
from icepool import d6

from battlesim.board.board import Board
from battlesim.core.answers import Confirm
from battlesim.rulesets.orderdice.facts_fire import Shot
from battlesim.rulesets.orderdice.fire import Group, damage_need, roll_hits, volley
from battlesim.rulesets.orderdice.model import unit_state
from battlesim.rulesets.orderdice.react import GoDown
from tests.rulesets.orderdice.grounds import house, plain
from tests.rulesets.orderdice.kit import Table, fire, foe, officer, rolls, unit

PLAIN, HOUSE = plain(), house()


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


def patch(kind: str) -> Board:
    """The strip with a patch of some terrain from 10 to 14 inches."""
    return plain(f"terrain: [{{kind: {kind}, polygon: [[10, 0], [14, 0], [14, 5], [10, 5]]}}]")


# ---- to hit ----------------------------------------------------------------------------------------------------------


# At 10 inches a rifle needs 3, and more for these. The target's pins and quality do not matter.
@pytest.mark.clause("OD-HOUSE-SHOOT")
@pytest.mark.parametrize(
    ("shooter", "target", "needed"),
    [
        pytest.param({}, {}, 3, id="nothing"),
        pytest.param({"pins": 1}, {}, 4, id="one pin"),
        pytest.param({"pins": 3}, {}, 6, id="three pins"),
        pytest.param({"quality": "inexperienced"}, {}, 4, id="inexperienced"),
        pytest.param({"quality": "veteran"}, {}, 3, id="veteran"),
        pytest.param({}, {"order": "down"}, 5, id="target down"),
        pytest.param({}, {"order": "run"}, 3, id="target running"),
        pytest.param({}, {"models": 1}, 4, id="target of one man"),
        pytest.param({}, {"pins": 4}, 3, id="target pinned"),
        pytest.param({}, {"quality": "veteran"}, 3, id="veteran target"),
        pytest.param({}, {"order": "down", "models": 1}, 6, id="target of one man down"),
        pytest.param({"pins": 2}, {"order": "down"}, 7, id="two pins, target down"),
        pytest.param(
            {"pins": 7, "quality": "inexperienced"}, {"order": "down", "models": 1}, 7, id="never more than 7"
        ),
    ],
)
def test_modifiers_of_shooter_and_target(
    shooter: dict[str, Any], target: dict[str, Any], needed: int
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
@pytest.mark.parametrize(
    ("target", "needs"),
    [
        pytest.param(
            "g7.2", {"pistol": 3, "rifle": 2}, id="5 inches: point blank, and long range for a pistol"
        ),
        pytest.param("g5.2", {"pistol": 2, "rifle": 2}, id="3 inches"),
    ],
)
def test_a_pistol_may_be_at_point_blank_and_at_long_range(target: str, needs: dict[str, int]) -> None:
    assert {g.weapon.name: g.need for g in groups(officer("g2.2"), officer(target))} == needs


@pytest.mark.clause("OD-HOUSE-SHOOT")
def test_moving_costs_1() -> None:
    assert need(officer("g2.2"), officer("g12.2"), moved=True) == 4


# Soft cover costs 1 and hard cover 2; the shooter's own does not hinder it.
@pytest.mark.clause("OD-HOUSE-SHOOT")
@pytest.mark.parametrize(
    ("terrain", "at", "target", "needed"),
    [
        pytest.param("woods", "g2.2", "g12.2", 4, id="target in woods"),
        pytest.param("rough", "g2.2", "g12.2", 4, id="target in rough ground"),
        pytest.param("rubble", "g2.2", "g12.2", 5, id="target in rubble"),
        pytest.param("rubble", "g12.2", "g22.2", 3, id="shooter in rubble"),
    ],
)
def test_what_cover_costs(terrain: str, at: str, target: str, needed: int) -> None:
    assert need(officer(at), officer(target), board=patch(terrain)) == needed


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


# Damage needs 3, 4 or 5 by the quality of the target; a roll one short does nothing.
@pytest.mark.clause("OD-HOUSE-DAMAGE")
@pytest.mark.parametrize(("quality", "needed"), [("inexperienced", 3), ("regular", 4), ("veteran", 5)])
@pytest.mark.parametrize(
    ("more", "lost"), [pytest.param(-1, 0, id="one short"), pytest.param(0, 1, id="enough")]
)
def test_damage_by_quality_of_the_target(quality: str, needed: int, more: int, lost: int) -> None:
    target = foe("rifle_section", "g12.2", order="run", quality=quality)
    table = Table(PLAIN, officer("g2.2"), target, dice=[[6], [needed + more]])
    fire(table)
    assert table.unit(1).models == 10 - lost


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


# Inside, the damage roll is one harder, and no roll succeeds on a 1.
@pytest.mark.clause("OD-HOUSE-DAMAGE", "OD-AT-4")
@pytest.mark.parametrize(
    ("quality", "rifle", "at_rifle"),
    [
        pytest.param("inexperienced", 4, 2, id="inexperienced"),
        pytest.param("regular", 5, 3, id="regular"),
        pytest.param("veteran", 6, 4, id="veteran"),
    ],
)
def test_inside_the_damage_roll_is_one_harder_before_penetration(
    quality: str, rifle: int, at_rifle: int
) -> None:
    for kind, shots, needed in (("sniper_rifles", 4, rifle), ("at_rifle_team", 1, at_rifle)):
        target = foe("rifle_section", "house.1:0", order="run", quality=quality)
        table = Table(HOUSE, unit(kind, at="g34.10"), target, dice=[[6] * shots, [1] * shots])
        fire(table)
        (damage,) = rolls(table, "damage")
        assert damage.need == needed


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


# ---- into a building, and going down ---------------------------------------------------------------------------------


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
@pytest.mark.parametrize(("men", "needed"), [(3, 3), (2, 3), (1, 4)])
def test_the_last_man_of_a_team_shoots_at_minus_1(men: int, needed: int) -> None:
    assert groups(unit("mmg_team", at="g2.2", models=men), officer("g12.2"))[0].need == needed


# Fixed weapons do not shoot on Advance, others do.
@pytest.mark.clause("OD-HOUSE-TRAITS", "OD-HOUSE-WEAPONS")
@pytest.mark.parametrize(
    ("kind", "target", "moved", "shoots"),
    [
        pytest.param("mmg_team", "officer", True, False, id="a machine gun that moved"),
        pytest.param("mmg_team", "officer", False, True, id="a machine gun that did not"),
        pytest.param("light_at_gun", "light_tank", True, False, id="a gun that moved"),
        pytest.param("rifle_section", "officer", True, True, id="rifles that moved"),
        pytest.param("at_rifle_team", "officer", True, True, id="an anti-tank rifle that moved"),
        pytest.param("light_howitzer", "officer", True, True, id="a howitzer that moved"),
    ],
)
def test_what_shoots_on_advance(kind: str, target: str, moved: bool, shoots: bool) -> None:
    assert (groups(unit(kind, at="g2.2"), unit(target, at="g12.2"), moved=moved) != []) is shoots


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
@pytest.mark.parametrize(
    ("kind", "target", "weapons"),
    [
        pytest.param("rifle_section", "armoured_car", [], id="rifles at armour of 7"),
        pytest.param("rifle_section", "truck", ["smg", "lmg", "rifle"], id="rifles at a truck"),
        pytest.param("hmg_team", "armoured_car", ["hmg"], id="a heavy machine gun at armour of 7"),
    ],
)
def test_small_arms_do_nothing_to_armour_of_7_and_more(kind: str, target: str, weapons: list[str]) -> None:
    assert [g.weapon.name for g in groups(unit(kind, at="g2.2"), unit(target, at="g12.2"))] == weapons
