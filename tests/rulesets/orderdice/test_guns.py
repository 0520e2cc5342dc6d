"""Guns on their carriages; fixed weapons set up anew (OD-HOUSE-GUN, OD-FROM-6, OD-GUN-2)."""

from __future__ import annotations

import pytest

from battlesim.core.answers import Confirm, Face, MoveTo, Pass, UseOpening
from battlesim.core.events import Rolled
from battlesim.core.state import Structure
from battlesim.rulesets.orderdice import targets
from battlesim.rulesets.orderdice.assault import Melee, TakePlace
from battlesim.rulesets.orderdice.guns import Redeploy
from battlesim.rulesets.orderdice.model import unit_state
from battlesim.rulesets.orderdice.turn import Obey, open_orders
from battlesim.rulesets.orderdice.vehicles import FaceWhere
from tests.rulesets.orderdice.grounds import ground, house
from tests.rulesets.orderdice.kit import Table, unit

FIELD = ground((46, 46))
HOUSE = house()


def openings(direction: int) -> dict[int, list[int]]:
    """The openings of the house that face one way, by floor."""
    section = HOUSE.sections[0]
    return {
        floor: [
            o for o in section.openings[floor] if section.sides[HOUSE.openings[o].side].facing == direction
        ]
        for floor in (0, 1)
    }


EAST, NORTH = openings(0), openings(2)


def bears(table: Table, shooter: int = 0, target: int = 1) -> bool:
    return targets.can_shoot_at(table.state, table.board, table.unit(shooter), table.unit(target), False)


# ---- on the ground ---------------------------------------------------------------------------------------------------


@pytest.mark.clause("OD-HOUSE-GUN")
@pytest.mark.parametrize(
    ("at", "may"), [("g30.20", True), ("g30.30", True), ("g30.31", False), ("g10.20", False)]
)
def test_a_gun_fires_in_a_quarter_about_its_facing(at: str, may: bool) -> None:
    table = Table(FIELD, unit("medium_at_gun", at="g20.20", facing=0), unit("truck", at=at, side=1))
    assert bears(table) == may


@pytest.mark.clause("OD-HOUSE-GUN")
@pytest.mark.parametrize(
    ("kind", "goes"),
    [("light_at_gun", True), ("light_howitzer", True), ("medium_at_gun", False), ("heavy_howitzer", False)],
)
def test_advance_moves_light_guns_and_turns_all(kind: str, goes: bool) -> None:
    table = Table(FIELD, unit(kind, at="g20.20", order="advance", facing=0))
    table.do(Obey(0))
    if goes:
        places = [answer.place for answer in table.legal if isinstance(answer, MoveTo)]
        assert max(FIELD.distance(table.place("g20.20"), place) for place in places) == 600
        table.say(Pass())
    assert isinstance(table.ask, FaceWhere)
    table.say(Face(3))
    assert table.unit(0).facing == 3
    assert table.unit(0).place == table.place("g20.20")
    assert "OD-HOUSE-GUN" in table.clauses()
    table.done()


@pytest.mark.clause("OD-HOUSE-GUN")
def test_no_gun_runs() -> None:
    table = Table(FIELD, unit("light_at_gun", at="g20.20"))
    assert open_orders(table.state, FIELD, table.unit(0)) == ["advance", "ambush", "down"]


@pytest.mark.clause("OD-HOUSE-GUN")
@pytest.mark.parametrize(
    ("kind", "facing", "need"),
    [
        ("light_at_gun", 0, 5),  # fire from the front: one harder
        ("light_at_gun", 2, 5),  # straight from the side is still the front half
        ("light_at_gun", 3, 4),
        ("light_at_gun", 4, 4),
        ("heavy_howitzer", 0, 4),  # no shield
    ],
)
def test_a_shield_makes_damage_harder_from_the_front_half(kind: str, facing: int, need: int) -> None:
    table = Table(
        FIELD,
        unit("sniper_rifles", at="g32.20", order="fire", side=1),
        unit(kind, at="g20.20", facing=facing, order="fire"),
        dice=[[3, 1, 1, 1], [1]],
    )
    table.do(Obey(0))
    (damage,) = [roll for roll in table.events(Rolled) if roll.purpose == "damage"]
    assert damage.need == need
    table.done()


@pytest.mark.clause("OD-HOUSE-GUN")
@pytest.mark.clause("OD-AT-4")
def test_a_shield_does_not_add_to_the_walls() -> None:
    table = Table(
        HOUSE,
        unit("sniper_rifles", at="g40.9", order="fire", side=1),
        unit("light_at_gun", at="house.1:0", order="fire", emplaced=True, opening=EAST[0][0]),
        dice=[[6, 1, 1, 1], [1]],
    )
    table.do(Obey(0))
    (damage,) = [roll for roll in table.events(Rolled) if roll.purpose == "damage"]
    assert damage.need == 5


@pytest.mark.clause("OD-HOUSE-GUN")
def test_a_gun_is_lost_with_its_crew() -> None:
    table = Table(FIELD, unit("light_at_gun", at="g20.20"))
    table.r.lose(table.unit(0), 3, "test")
    assert not table.unit(0).alive
    table = Table(FIELD, unit("light_at_gun", at="g20.20", models=1), unit("truck", at="g30.20", side=1))
    assert bears(table)


# ---- inside ----------------------------------------------------------------------------------------------------------


@pytest.mark.clause("OD-GUN-2")
@pytest.mark.parametrize(
    ("at", "may"), [("g36.9", True), ("g36.18", True), ("g28.18", False), ("g10.9", False)]
)
def test_a_gun_inside_has_the_quarter_of_its_opening(at: str, may: bool) -> None:
    gun = unit("medium_at_gun", at="house.1:0", emplaced=True, opening=EAST[0][0], facing=0)
    table = Table(HOUSE, gun, unit("truck", at=at, side=1))
    assert bears(table) == may


@pytest.mark.clause("OD-GUN-2")
def test_a_gun_inside_never_turns_nor_redeploys() -> None:
    gun = unit("medium_at_gun", at="house.1:0", emplaced=True, opening=EAST[0][0], facing=0)
    table = Table(HOUSE, gun)
    assert open_orders(table.state, HOUSE, table.unit(0)) == ["ambush", "down"]


@pytest.mark.clause("OD-FROM-6")
def test_a_fixed_weapon_fires_from_its_opening_only() -> None:
    table = Table(
        HOUSE,
        unit("mmg_team", at="house.1:1", opening=EAST[1][0], facing=0),
        unit("officer", at="g40.9", side=1),
        unit("officer", at="g23.19", side=1),
    )
    assert bears(table, 0, 1)
    assert not bears(table, 0, 2)


@pytest.mark.clause("OD-FROM-6")
@pytest.mark.parametrize("order", ["advance", "run"])
def test_it_may_be_redeployed_after_an_advance_or_run_even_on_its_own_floor(order: str) -> None:
    table = Table(HOUSE, unit("mmg_team", at="house.1:1", opening=EAST[1][0], facing=0, order=order))
    table.do(Obey(0))
    table.say(Pass())
    assert isinstance(table.ask, Redeploy)
    assert table.legal[0] == UseOpening(EAST[1][0])
    assert set(table.legal) == {UseOpening(o) for o in HOUSE.sections[0].openings[1]}
    table.say(UseOpening(NORTH[1][0]))
    assert (unit_state(table.unit(0)).opening, table.unit(0).facing) == (NORTH[1][0], 2)
    table.done()


@pytest.mark.clause("OD-FROM-6")
def test_on_a_new_floor_it_is_set_up_anew() -> None:
    table = Table(HOUSE, unit("mmg_team", at="house.1:1", opening=EAST[1][0], facing=0, order="run"))
    table.do(Obey(0))
    table.say(MoveTo(table.place("house.1:0")))
    assert isinstance(table.ask, Redeploy)
    assert set(table.legal) == {UseOpening(o) for o in HOUSE.sections[0].openings[0]}
    table.say(UseOpening(NORTH[0][0]))
    table.done()


@pytest.mark.clause("OD-FROM-6")
@pytest.mark.parametrize("order", ["fire", "rally", "down"])
def test_no_other_order_frees_it(order: str) -> None:
    table = Table(HOUSE, unit("mmg_team", at="house.1:1", opening=EAST[1][0], facing=0, order=order))
    table.do(Obey(0))
    assert unit_state(table.unit(0)).opening == EAST[1][0]
    table.done()


@pytest.mark.clause("OD-FROM-6")
def test_rifles_are_not_asked_and_nobody_is_outdoors() -> None:
    rifles = Table(HOUSE, unit("officer", at="house.1:1", order="run"))
    rifles.do(Obey(0))
    rifles.say(Pass())
    rifles.done()
    leaving = Table(HOUSE, unit("mmg_team", at="house.1:0", opening=EAST[0][0], order="run"))
    leaving.do(Obey(0))
    leaving.say(MoveTo(leaving.place("g30.9")))
    assert unit_state(leaving.unit(0)).opening == -1
    leaving.done()


@pytest.mark.clause("OD-FROM-6")
@pytest.mark.clause("OD-FROM-5")
def test_an_opening_made_in_the_wall_serves_too() -> None:
    blind = ground(
        (46, 20),
        """
buildings:
  - name: blind
    rect: [20, 7, 26, 13]
    openings: [{kind: door, side: east, at: 0.5}]
""",
    )
    north = next(i for i, side in enumerate(blind.sections[0].sides) if side.facing == 2)
    table = Table(
        blind,
        unit("mmg_team", at="blind.1:0", order="run"),
        unit("officer", at="g23.18", side=1),
        structures=[Structure(0, own={"made": [[0, north]]})],
    )
    table.do(Obey(0))
    table.say(Pass())
    table.say(UseOpening(-2 - north))
    assert table.unit(0).facing == 2
    assert bears(table)
    table.done()


@pytest.mark.clause("OD-FROM-6")
@pytest.mark.clause("OD-ASSAULT-3")
def test_a_floor_won_by_assault_is_set_up_in_too() -> None:
    table = Table(
        HOUSE,
        unit("mmg_team", at="g26.9", order="run"),
        unit("officer", at="house.1:0", side=1, models=1, order="fire"),
        dice=[[6, 1, 1], [1]],
    )
    table.do(Melee(0, 1, True, table.place("house.1:0")))
    assert isinstance(table.ask, TakePlace)
    table.say(Confirm(True))
    assert isinstance(table.ask, Redeploy)
    table.say(UseOpening(EAST[0][0]))
    table.done()
