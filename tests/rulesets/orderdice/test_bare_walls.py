"""Walls that a fallen neighbour laid bare are targets like any other wall (OD-AT-2, OD-HE-1)."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from battlesim.board.load import load_map
from battlesim.core.state import Structure
from battlesim.rulesets.orderdice import empty_buildings, fire, targets
from battlesim.rulesets.orderdice.facts_fire import Shelled
from battlesim.rulesets.orderdice.shoot import NextWall
from tests.rulesets.orderdice.grounds import ground
from tests.rulesets.orderdice.kit import Table, unit

STAIRWELL = load_map("stairwell")
EAST = STAIRWELL.section("house.east")
DOWN = [Structure(EAST, fallen=True)]


@pytest.mark.clause("OD-AT-2", "OD-HE-1")
@pytest.mark.parametrize(("kind", "modes"), [("heavy_howitzer", ["he"]), ("bazooka_team", ["ap"])])
def test_a_party_wall_is_a_target_once_the_neighbour_has_fallen(kind: str, modes: list[str]) -> None:
    """From (25.5, 10.5), 10.5 inches from the wall between the two stairwells, which has neither door nor window outwards."""
    for floor in (0, 1, 2):
        for structures in ([], DOWN):
            table = Table(
                STAIRWELL,
                unit(kind, at="g8.3", facing=4),
                unit("officer", at=f"house.west:{floor}", side=1, order="fire"),
                structures=structures,
            )
            groups = fire.volley(table.state, table.board, table.unit(0), table.unit(1), False)
            assert [group.mode for group in groups] == (modes if structures else []), (floor, structures)
            assert targets.can_shoot_at(
                table.state, table.board, table.unit(0), table.unit(1), False
            ) is bool(groups)
            if groups:
                assert 1045 <= groups[0].distance <= 1065


@pytest.mark.clause("OD-AT-1", "OD-FLAME-1")
@pytest.mark.parametrize("kind", ["rifle_section", "flamethrower_team"])
def test_a_bared_wall_still_stops_small_arms_and_flame(kind: str) -> None:
    table = Table(
        STAIRWELL,
        unit(kind, at="house.east:ruin"),
        unit("officer", at="house.west:0", side=1),
        structures=DOWN,
    )
    assert fire.volley(table.state, table.board, table.unit(0), table.unit(1), False) == []
    table.state.units[0] = replace(table.unit(0), kind="bazooka_team", models=2)
    assert fire.volley(table.state, table.board, table.unit(0), table.unit(1), False)


@pytest.mark.clause("OD-AT-2", "OD-HE-1")
def test_a_shell_at_a_bared_wall_is_fired_hits_and_tells_its_range() -> None:
    table = Table(
        STAIRWELL,
        unit("heavy_howitzer", at="g8.3", facing=4),
        unit("officer", at="house.west:1", side=1, order="fire"),
        structures=DOWN,
        dice=[[6], [6, 6, 6]],
    )
    table.do(NextWall(0, False, -1))  # one target, and nothing to ask
    (shot,) = table.events(Shelled)
    assert (shot.target, shot.hits, 1045 <= shot.range <= 1065) == (1, 1, True)
    assert {"OD-HE-1", "OD-AT-2"} <= set(shot.clauses)
    assert STAIRWELL.section("house.west") in table.state.down
    table.done()


@pytest.mark.clause("OD-EMPTY-1")
def test_an_empty_section_is_brought_down_through_its_bared_wall() -> None:
    place = STAIRWELL.space("house.west:0")
    for structures in ([], DOWN):
        table = Table(STAIRWELL, unit("heavy_howitzer", at="g8.3", facing=4), structures=structures)
        found = empty_buildings.targets(table.state, table.board, table.unit(0), False, -1)
        assert (place in found) is bool(structures)


@pytest.mark.clause("OD-AT-2")
def test_a_bared_wall_burns_and_falls_like_any_other() -> None:
    """The neighbour burns before it falls: fire alone bares nothing."""
    for structure, bare in (
        (Structure(EAST, burning=True), False),
        (Structure(EAST, fallen=True, burning=True), True),
    ):
        table = Table(
            STAIRWELL,
            unit("bazooka_team", at="g8.3"),
            unit("officer", at="house.west:0", side=1),
            structures=[structure],
        )
        assert targets.can_shoot_at(table.state, table.board, table.unit(0), table.unit(1), False) is bare


@pytest.mark.clause("OD-FROM-5", "OD-AT-1")
def test_a_made_opening_is_where_it_was_made_not_in_a_stretch_laid_bare() -> None:
    """The east wall of `west`: free in the north, where the hole is; behind `east` in the south."""
    board = ground(
        (40, 20),
        """
buildings:
  - name: row
    sections:
      - {name: west, rect: [6, 8, 12, 14], floors: 2, openings: [{kind: door, side: west}]}
      - {name: east, rect: [12, 8, 18, 11], floors: 2, openings: [{kind: door, side: south}]}
  - {name: yard, rect: [14, 11.1, 16, 14], floors: 2, openings: [{kind: door, side: east}]}
""",
    )
    west, east, yard = (board.section(name) for name in ("row.west", "row.east", "yard.1"))
    hole = Structure(west, own={"made": [[0, 1]]})
    for fallen, modes in ((east, []), (yard, ["small"])):
        table = Table(
            board,
            unit("rifle_section", at="g19.9" if fallen == east else "g19.12"),
            unit("rifle_section", at="row.west:0", side=1),
            structures=[hole, Structure(fallen, fallen=True)],
        )
        for one, two in ((0, 1), (1, 0)):
            found = {
                group.mode
                for wall in fire.walls_of(board, table.unit(one))
                for group in fire.volley(table.state, board, table.unit(one), table.unit(two), False, wall)
            }
            assert sorted(found) == modes, (fallen, one)
