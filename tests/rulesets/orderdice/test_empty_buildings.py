"""Shells at empty buildings (OD-EMPTY-1, OD-HOUSE-EMPTY). Strikes at them: `test_support.py`, `test_barrages.py`."""

from __future__ import annotations

import pytest

from battlesim.core.answers import Pass, TargetSpace, TargetUnit
from battlesim.core.state import Structure
from battlesim.rulesets.orderdice import empty_buildings, shoot
from battlesim.rulesets.orderdice.facts_fire import Blasted, Shelled
from battlesim.rulesets.orderdice.shoot import AtWhom, NextWall
from tests.rulesets.orderdice.grounds import ground, house
from tests.rulesets.orderdice.kit import Table, foe, unit

HOUSE = house()
STREET = ground(
    (75, 20),
    "buildings:\n"
    + "".join(
        f"  - {{name: h{n}, rect: [{10 + 6 * n}, {4 if n % 2 else 13}, {13 + 6 * n}, {7 if n % 2 else 16}],"
        " openings: [{kind: door, side: all, count: 1}]}\n"
        for n in range(10)
    ),
)


@pytest.mark.clause("OD-EMPTY-1")
def test_an_empty_house_seen_by_its_upper_floors_alone_is_a_target_there() -> None:
    """A hall of one floor stands before a house of three."""
    board = ground(
        (60, 20),
        """
buildings:
  - {name: hall, rect: [40, 4, 46, 16], openings: [{kind: door, side: north}]}
  - name: house
    rect: [50, 7, 56, 13]
    floors: 3
    openings: [{kind: door, side: east}, {kind: window, floors: upper, side: west, count: 1}]
""",
    )
    floors = [board.space(f"house.1:{floor}") for floor in range(3)]
    howitzer = Table(board, unit("medium_howitzer", at="g2.9"), foe("officer", "hall.1:0"))
    seen = [board.sight.sees(howitzer.unit(0).place, floor) for floor in floors]
    assert seen == [False, True, True]
    found = empty_buildings.targets(howitzer.state, board, howitzer.unit(0), False, -1)
    assert [place for place in found if place in floors] == [floors[1]]  # the lowest one in view
    assert board.space("hall.1:0") not in found
    assert shoot.has_empty(howitzer.state, board, howitzer.unit(0), False, -1, ())
    fired_at = Table(board, unit("medium_howitzer", at="g2.9"), dice=[[6], [6, 6]])
    fired_at.do(shoot.Volley(0, -1, False, -1, place=floors[1]))
    assert fired_at.state.down == frozenset({board.section("house.1")})
    assert [event.place for event in fired_at.events(Blasted)] == [floors[1]]
    near = Table(board, unit("medium_howitzer", at="g48.10"), foe("officer", "hall.1:0"))
    assert floors[0] in empty_buildings.targets(near.state, board, near.unit(0), False, -1)


@pytest.mark.clause("OD-EMPTY-1")
@pytest.mark.parametrize(
    ("kind", "offered"),
    [
        ("heavy_howitzer", 8),
        ("medium_howitzer", 8),
        ("light_howitzer", 0),
        ("medium_at_gun", 0),
        ("mmg_team", 0),
    ],
)
def test_empty_buildings_are_offered_to_what_can_destroy_them(kind: str, offered: int) -> None:
    table = Table(STREET, unit(kind, at="g2.10"), foe("rifle_section", "g72.10"))
    places = empty_buildings.targets(table.state, STREET, table.unit(0), False, -1)
    assert len(places) == offered
    assert all(STREET.spaces[p].kind == "floor" and STREET.spaces[p].floor == 0 for p in places)
    gaps = [
        STREET.gap_to_section(STREET.spaces[table.unit(0).place].point, STREET.spaces[p].section)
        for p in places
    ]
    assert gaps == sorted(gaps)
    assert shoot.can_fire(table.state, STREET, table.unit(0)) == (offered > 0)


@pytest.mark.clause("OD-EMPTY-1")
def test_buildings_that_hold_somebody_or_have_fallen_are_no_empty_buildings() -> None:
    table = Table(
        STREET,
        unit("heavy_howitzer", at="g2.10"),
        foe("rifle_section", "h0.1:0"),
        unit("rifle_section", at="h1.1:0", side=0),
        structures=[Structure(STREET.section("h2.1"), fallen=True)],
    )
    table.do(NextWall(0, False, -1))
    assert isinstance(table.ask, AtWhom)
    named = [STREET.spaces[a.place].name for a in table.legal if isinstance(a, TargetSpace)]
    assert table.legal[0] == TargetUnit(1)
    assert len(named) == 7
    assert not {"h0.1:0", "h1.1:0", "h2.1:0"} & set(named)
    assert Pass() not in table.legal  # nothing has moved: a Fire order fires


@pytest.mark.clause("OD-EMPTY-1")
@pytest.mark.parametrize(("side", "floor"), [(0, 3), (1, 2), (0, 0)])
def test_a_building_with_somebody_on_any_floor_is_not_empty(side: int, floor: int) -> None:
    table = Table(HOUSE, unit("heavy_howitzer", at="g2.9"), unit("officer", at=f"house.1:{floor}", side=side))
    assert empty_buildings.targets(table.state, HOUSE, table.unit(0), False, -1) == []


@pytest.mark.clause("OD-EMPTY-1")
@pytest.mark.clause("OD-HOUSE-EMPTY")
@pytest.mark.parametrize(
    ("hits", "falls"),
    [pytest.param((4, 6), True, id="ten hits"), pytest.param((4, 5), False, id="nine hits")],
)
def test_an_empty_building_is_hit_as_if_one_unit_stood_on_the_floor(
    hits: tuple[int, int], falls: bool
) -> None:
    table = Table(HOUSE, unit("medium_howitzer", at="g2.9"), foe("officer", "g45.0"), dice=[3, hits])
    table.do(NextWall(0, False, -1))
    table.say(TargetSpace(table.place("house.1:0")))
    (shot,) = table.events(Shelled)
    assert (shot.target, shot.need, shot.hits) == (-1, 3, 1)
    assert {"OD-EMPTY-1", "OD-HOUSE-EMPTY"} <= set(shot.clauses)
    (blast,) = table.events(Blasted)
    assert (blast.unit, blast.hits) == (-1, sum(hits))
    assert (0 in table.state.structures) is falls
    table.done()
