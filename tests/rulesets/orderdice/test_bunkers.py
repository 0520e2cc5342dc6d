"""Bunkers (OD-BUNK): slits, doors, cover, and what shells do to them."""

from __future__ import annotations

import pytest

from battlesim.core.answers import MoveTo, TargetUnit
from battlesim.core.events import Happened, Rolled
from battlesim.rulesets.orderdice import bunkers, contact, empty_buildings, fire, he, move
from battlesim.rulesets.orderdice.assault import Regroup
from battlesim.rulesets.orderdice.collapse import brings_down
from battlesim.rulesets.orderdice.facts_fire import Blasted, Shelled, Shot
from battlesim.rulesets.orderdice.model import unit_state
from battlesim.rulesets.orderdice.shoot import AtWhom, NextWall, Volley
from tests.rulesets.orderdice.grounds import ground
from tests.rulesets.orderdice.kit import Table, unit

SITE = ground(
    (60, 20),
    """
buildings:
  - name: bunker
    kind: bunker
    rect: [20, 7, 26, 13]
    openings: [{kind: slit, side: west, at: 0.5, men: 5}, {kind: door, side: east, at: 0.5}]
""",
)
"""A bunker with a slit to the west (20, 10) and a door to the east (26, 10); north and south are solid."""
WEST, EAST, NORTH = "g12.9", "g33.9", "g22.19"
HIT = 6


def modes(shooter: str, place: str, target: str = "rifle_section") -> list[str]:
    """How a unit outside can shoot at one in the bunker."""
    facing = {WEST: 0, EAST: 4, NORTH: 6}[place]
    table = Table(SITE, unit(shooter, at=place, facing=facing), unit(target, at="bunker.1:0", side=1))
    return [g.mode for g in fire.volley(table.state, SITE, table.unit(0), table.unit(1), False)]


# ---- slits and doors -----------------------------------------------------------------------------------------------------


@pytest.mark.clause("OD-BUNK-1")
@pytest.mark.parametrize(
    ("shooter", "west", "east", "north"),
    [
        ("small_rifle_section", ["small"], [], []),
        ("bazooka_team", ["ap"], [], []),  # heavy weapons included
        ("at_rifle_team", ["ap"], [], []),
        ("medium_at_gun", ["he"], [], []),  # shells over open sights included
    ],
)
def test_fire_comes_in_through_slits_alone(
    shooter: str, west: list[str], east: list[str], north: list[str]
) -> None:
    assert [sorted(set(modes(shooter, place))) for place in (WEST, EAST, NORTH)] == [west, east, north]


@pytest.mark.clause("OD-BUNK-1", "OD-IND-1")
@pytest.mark.parametrize(
    ("shooter", "near", "far"),
    [
        ("medium_howitzer", [], ["indirect"]),  # 24 inches at least
        ("heavy_mortar_team", ["indirect"], ["indirect"]),
        ("medium_at_gun", [], []),
    ],
)
def test_indirect_fire_at_a_bunker_needs_no_slit_in_view(
    shooter: str, near: list[str], far: list[str]
) -> None:
    """From the east, where the door is: 15 inches from the wall, and 29."""
    for at, found in (("g41.9", near), ("g55.9", far)):
        table = Table(SITE, unit(shooter, at=at, facing=4), unit("officer", at="bunker.1:0", side=1))
        groups = fire.volley(table.state, SITE, table.unit(0), table.unit(1), False)
        assert [group.mode for group in groups if group.mode != "small"] == found


@pytest.mark.clause("OD-BUNK-1", "OD-IND-1", "OD-FROM-1")
def test_a_mortar_in_a_house_lobs_at_any_bunker_it_sees() -> None:
    board = ground(
        (60, 20),
        """
buildings:
  - name: bunker
    kind: bunker
    rect: [20, 7, 26, 13]
    openings: [{kind: slit, side: west}, {kind: door, side: east}]
  - {name: house, rect: [42, 7, 48, 13], openings: [{kind: window, side: west}, {kind: door, side: east}]}
""",
    )
    for kind, found in (("heavy_mortar_team", ["indirect"]), ("bazooka_team", []), ("sniper_rifles", [])):
        table = Table(board, unit(kind, at="house.1:0"), unit("officer", at="bunker.1:0", side=1))
        groups = [
            group.mode
            for wall in fire.walls_of(board, table.unit(0))
            for group in fire.volley(table.state, board, table.unit(0), table.unit(1), False, wall)
        ]
        assert groups == found


@pytest.mark.clause("OD-BUNK-1", "OD-EMPTY-1")
def test_an_empty_bunker_is_shelled_through_its_slit_alone() -> None:
    bunker = SITE.space("bunker.1:0")
    for at, facing, found in ((WEST, 0, [bunker]), (EAST, 4, []), (NORTH, 6, [])):
        table = Table(SITE, unit("medium_howitzer", at=at, facing=facing))
        assert empty_buildings.targets(table.state, SITE, table.unit(0), False, -1) == found


@pytest.mark.clause("OD-BUNK-1", "OD-HE-1")
def test_the_range_of_shells_at_a_bunker_is_to_the_slit() -> None:
    """From the south-west the south wall is nearer than the slit in the west."""
    table = Table(
        SITE, unit("medium_howitzer", at="g18.0", facing=1), unit("officer", at="bunker.1:0", side=1)
    )
    (group,) = fire.volley(table.state, SITE, table.unit(0), table.unit(1), False)
    assert SITE.openings[group.line.to_opening].kind == "slit"
    wall = SITE.sight.best(table.unit(0).place, table.unit(1).place)
    assert wall is not None
    assert group.distance == group.line.distance > wall.distance


@pytest.mark.clause("OD-BUNK-1")
def test_fire_goes_out_through_slits_alone() -> None:
    for place, seen in ((WEST, {3}), (EAST, set()), (NORTH, set())):
        table = Table(SITE, unit("mmg_team", at="bunker.1:0"), unit("rifle_section", at=place, side=1))
        walls = range(4)
        found = {w for w in walls if fire.volley(table.state, SITE, table.unit(0), table.unit(1), False, w)}
        assert found == seen


@pytest.mark.clause("OD-BUNK-1")
def test_a_flamethrower_needs_a_slit() -> None:
    for place, modes_there in (("g15.9", ["flame"]), ("g30.9", [])):
        table = Table(
            SITE, unit("flamethrower_team", at=place, models=1), unit("officer", at="bunker.1:0", side=1)
        )
        groups = fire.volley(table.state, SITE, table.unit(0), table.unit(1), False)
        assert [group.mode for group in groups] == modes_there


@pytest.mark.clause("OD-BUNK-1")
@pytest.mark.clause("OD-BUNK-6")
def test_people_pass_through_doors_alone() -> None:
    bunker = SITE.space("bunker.1:0")
    ways = [SITE.ways[number] for _, number in SITE.exits[bunker]]
    assert ways
    assert {SITE.openings[way.opening].kind for way in ways} == {"door"}
    slit, door = (
        SITE.openings[n] for n in sorted(SITE.sections[0].openings[0], key=lambda n: SITE.openings[n].x)
    )
    house = SITE.sections[0]
    assert (slit.kind, door.kind) == ("slit", "door")
    assert [bunkers.lets_people_through(house, o) for o in (slit, door)] == [False, True]
    assert [bunkers.lets_fire_through(house, o) for o in (slit, door)] == [True, False]


@pytest.mark.clause("OD-BUNK-1")
@pytest.mark.clause("OD-ENTER-2")
def test_a_bunker_is_entered_by_its_door() -> None:
    for place, enters in (("g19.9", False), ("g27.9", True)):
        # from before the slit it is 12 inches and more round to the door
        table = Table(SITE, unit("rifle_section", at=place))
        goals = move.destinations(table.state, SITE, table.unit(0), "run")
        assert (table.place("bunker.1:0") in goals) is enters


@pytest.mark.clause("OD-BUNK-6")
@pytest.mark.clause("OD-LEAVE-1")
def test_leaving_and_assault_go_by_doors_only() -> None:
    table = Table(SITE, unit("rifle_section", at="bunker.1:0"))
    goals = move.destinations(table.state, SITE, table.unit(0), "advance")
    # six inches from the door: nothing west of 20 + a way round the corner
    assert goals
    assert all(SITE.spaces[goal].x > 2300 for goal in goals)
    for place, reached in (("g19.9", False), ("g28.9", True)):
        outward = Table(SITE, unit("rifle_section", at="bunker.1:0"), unit("officer", at=place, side=1))
        assert (contact.charge(outward.state, SITE, outward.unit(0), outward.unit(1)) is not None) is reached
        inward = Table(SITE, unit("rifle_section", at=place), unit("officer", at="bunker.1:0", side=1))
        charge = contact.charge(inward.state, SITE, inward.unit(0), inward.unit(1))
        assert (charge is not None) is reached


# ---- cover ---------------------------------------------------------------------------------------------------------------


@pytest.mark.clause("OD-BUNK-2")
def test_a_bunker_is_cover_of_four() -> None:
    table = Table(
        SITE,
        unit("bazooka_team", at=WEST),
        unit("rifle_section", at="bunker.1:0", side=1, order="fire"),
        dice=[6, 5],
    )
    table.do(NextWall(0, False, -1))
    (shot,) = table.events(Shot)
    assert shot.need == 7  # 3 + 4: a six, then another
    assert {"OD-BUNK-1", "OD-BUNK-2"} <= set(shot.clauses)
    near = Table(SITE, unit("bazooka_team", at="g15.9"), unit("rifle_section", at="bunker.1:0", side=1))
    assert fire.volley(near.state, SITE, near.unit(0), near.unit(1), False)[0].need == 6
    table.done()


@pytest.mark.clause("OD-BUNK-6")
@pytest.mark.clause("OD-AT-4")
def test_else_a_bunker_is_a_building() -> None:
    table = Table(
        SITE,
        unit("bazooka_team", at="g15.9"),
        unit("rifle_section", at="bunker.1:0", side=1, order="fire", quality="veteran"),
        dice=[6, 1],
    )
    table.do(NextWall(0, False, -1))
    assert [roll.need for roll in table.events(Rolled) if roll.purpose == "damage"] == [2]  # 5 + 1 - 5
    assert unit_state(table.unit(1)).pins == 1
    table.done()


# ---- shells --------------------------------------------------------------------------------------------------------------


def shelled(dice: object, kind: str = "medium_howitzer", **target: object) -> Table:
    row = {"order": "fire", **target}
    table = Table(
        SITE,
        unit(kind, at="g2.9"),
        unit("rifle_section", at="bunker.1:0", side=1, **row),  # type: ignore[arg-type]
        dice=dice,  # type: ignore[arg-type]
    )
    if isinstance(table.do(NextWall(0, False, -1)), AtWhom):
        table.say(TargetUnit(1))
    return table


@pytest.mark.clause("OD-BUNK-3")
@pytest.mark.parametrize("kind", ["medium_howitzer", "heavy_mortar_team"])
@pytest.mark.parametrize("hits", [(4, 6), (5, 6)])
def test_shells_pin_those_in_a_bunker_and_hurt_nobody(kind: str, hits: tuple[int, int]) -> None:
    table = shelled([HIT, hits, 3], kind)  # no damage dice; ten and eleven hits are not enough
    assert table.unit(1).models == 10
    assert unit_state(table.unit(1)).pins == 3
    (blast,) = table.events(Blasted)
    assert (blast.hits, blast.taken, blast.damage) == (sum(hits), 0, 0)
    assert "OD-BUNK-3" in blast.clauses
    assert table.events(Shelled)[0].need == (3 if kind == "medium_howitzer" else 6)  # no cover against shells
    assert not table.state.structures
    table.done()


@pytest.mark.clause("OD-BUNK-3")
@pytest.mark.parametrize("order", ["fire", "down"])
@pytest.mark.parametrize(
    ("kind", "hits"),
    [("medium_howitzer", (6, 6)), ("heavy_howitzer", (3, 3, 6)), ("heavy_mortar_team", (6, 6))],
)
def test_twelve_hits_of_one_shell_destroy_bunker_and_unit(
    kind: str, hits: tuple[int, ...], order: str
) -> None:
    table = shelled([HIT, hits], kind, order=order)
    assert not table.unit(1).alive
    assert table.state.structures[0].fallen
    (fall,) = [e for e in table.events(Happened) if e.what == "collapsed"]
    assert "OD-BUNK-3" in fall.clauses
    assert "OD-HE-5" not in fall.clauses  # that is the clause of other buildings, which fall by ten
    table.done()


@pytest.mark.clause("OD-BUNK-3")
@pytest.mark.clause("OD-HOUSE-EMPTY")
@pytest.mark.parametrize(("hits", "falls"), [((5, 6), False), ((6, 6), True)])
def test_an_empty_bunker_takes_twelve_as_well(hits: tuple[int, int], falls: bool) -> None:
    table = Table(SITE, unit("medium_howitzer", at="g2.9"), dice=[HIT, hits])
    table.do(Volley(0, -1, False, -1, place=table.place("bunker.1:0")))
    assert (0 in table.state.structures) is falls
    table.done()


@pytest.mark.clause("OD-BUNK-5")
def test_strikes_pin_and_never_hurt_and_twelve_hits_bring_it_down() -> None:
    assert [brings_down(SITE, 0, hits) for hits in (10, 11, 12, 18)] == [False, False, True, True]
    table = Table(
        SITE, unit("artillery_observer", at="g2.9"), unit("rifle_section", at="bunker.1:0", side=1), dice=[4]
    )
    assert he.suffer(table.r, 1, 4, 11, 0) == 0
    assert (table.unit(1).models, unit_state(table.unit(1)).pins) == (10, 4)
    assert not he.bring_down(table.r, 0, 11)
    assert he.bring_down(table.r, 0, 12)
    assert not table.unit(1).alive
    table.done()


@pytest.mark.clause("OD-BUNK-6")
def test_no_regroup_or_bail_out_leads_through_a_wall() -> None:
    winner = Table(SITE, unit("rifle_section", at="g19.9"), unit("officer", at="g45.0", side=1))
    winner.do(Regroup(0, 600, side=0))
    assert MoveTo(winner.place("bunker.1:0")) not in winner.legal
