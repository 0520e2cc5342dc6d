"""Breaching and demolitions (AC-ENG-1, AC-ENG-2, AC-HOUSE-POINTS, AC-HOUSE-ASSAULT)."""

from __future__ import annotations

from typing import Any

import pytest

from battlesim.core.answers import MoveTo, Pass
from battlesim.core.events import Happened, Rolled
from battlesim.core.geometry import INCH
from battlesim.core.state import Structure
from battlesim.rulesets.armorclass import estimates_close, ground, targets, works
from battlesim.rulesets.armorclass.model import Breach, Demolish
from battlesim.rulesets.armorclass.move import WhereTo
from battlesim.rulesets.armorclass.ruleset import RULESET
from battlesim.rulesets.armorclass.shoot import AtWhom
from battlesim.viewer.wording import find_wording
from tests.rulesets.armorclass.kit import EAST, NORTH, Table, house, unit
from tests.rulesets.armorclass.kit import ground as field


def work(table: Table, number: int = 0) -> None:
    """The unit works on the northern wall once."""
    table.do(AtWhom(number, side=0))
    table.say(Breach(table.place("house.1:0"), NORTH))


@pytest.mark.clause("AC-ENG-1", "AC-ENG-2", "AC-HOUSE-POINTS")
def test_the_brick_wall_of_three_points() -> None:
    """The worked example: a wardrone with a chainsaw hits and penetrates in turns 1, 2 and 4 and fails to
    penetrate in turn 3; chainsaw
    6 against brick 6 goes through on 6."""
    table = Table(house(), unit("wardrone", "g9.6"), dice=[9, 6, 1, 10, 5, 5, 9, 6])
    seen = []
    for turn in range(1, 5):
        table.state.turn = turn
        work(table)
        seen.append((works.record(table.state, 0).get("dents"), works.is_breached(table.state, 0, 0, NORTH)))
    once, twice, thrice = (((0, NORTH, n),) for n in (1, 2, 3))
    assert seen == [(once, False), (twice, False), (twice, False), (thrice, True)]
    assert table.happened() == ["dent", "dent", "wall holds", "dent", "breached"]
    assert {"AC-ENG-1", "AC-ENG-2", "AC-TABLE-1"} <= table.clauses()
    told = [e for e in table.events(Happened) if e.what in ("dent", "breached")]
    assert all({"AC-ENG-1", "AC-ENG-2", "AC-HOUSE-POINTS"} <= set(e.clauses) for e in told)
    table.done()


@pytest.mark.clause("AC-ENG-1")
def test_a_miss_takes_nothing() -> None:
    table = Table(house(), unit("wardrone", "g9.6"), dice=[10])
    work(table)
    assert not table.state.structures
    table.done()


@pytest.mark.clause("AC-ENG-1")
def test_each_tool_attacks_once() -> None:
    """Engineers have demolitions (8) and a buzzsaw (7)."""
    table = Table(house(), unit("engineers", "g9.6"), dice=[9, 4, 9, 5])
    work(table)
    assert works.record(table.state, 0)["dents"] == ((0, NORTH, 2),)
    named = ("AC-ENG-1", "AC-HOUSE-HIT", "AC-HOUSE-PEN", "AC-TYPE-10", "AC-TABLE-1")
    assert [e.clauses for e in table.events(Rolled)] == [named] * 4  # soldiers: no vehicle of AC-ENG-2
    table.done()


@pytest.mark.clause("AC-ENG-2")
def test_an_engineering_vehicle_breaches_as_well() -> None:
    table = Table(house(), unit("engineering_vehicle", "g9.6"), dice=[9, 5, 9, 4])
    work(table)
    assert works.record(table.state, 0)["dents"] == ((0, NORTH, 2),)
    assert "AC-ENG-2" in table.clauses()
    table.done()


@pytest.mark.clause("AC-ENG-1", "AC-HOUSE-MOVE")
def test_through_the_breach_one_goes_in_free() -> None:
    table = Table(house(), unit("wardrone", "g9.6"), unit("militia", "g10.6"), dice=[9, 6, 9, 6, 9, 6])
    for turn in range(1, 4):
        table.state.turn = turn
        work(table)
    place = table.place("house.1:0")
    found = ground.reach(table.state, table.board, table.unit(1), 6 * INCH, frozenset())
    assert found.cost[place] == 150  # as far as the wall is from the middle of the square
    table.do(WhereTo(1, "move", side=0))
    table.say(MoveTo(place))
    assert table.unit(1).place == place
    table.done()


@pytest.mark.clause("AC-ENG-1")
def test_only_in_contact_and_only_with_tools() -> None:
    for kind, at, can in (
        ("sappers", "g9.6", True),
        ("sappers", "g9.7", False),
        ("rifle_team", "g9.6", False),
    ):
        table = Table(house(), unit(kind, at))
        table.do(AtWhom(0, side=0))
        assert any(isinstance(a, Breach) for a in (table.legal if table.ask else [])) is can


@pytest.mark.clause("AC-ENG-1")
def test_a_wall_too_strong_for_the_tools() -> None:
    table = Table(house("type: strongpoint, screen: true"), unit("wardrone", "g9.6"))
    table.do(AtWhom(0, side=0))  # chainsaw 6 against 13
    assert not any(isinstance(a, Breach) for a in (table.legal if table.ask else []))


@pytest.mark.clause("AC-ENG-1", "AC-HOUSE-PEN")
def test_a_tool_that_cannot_penetrate_is_left_in_the_bag() -> None:
    """Against a bunker's 12 demolitions of 8 still go through on a 10, a buzzsaw of 7 never."""
    table = Table(house("type: bunker"), unit("engineers", "g9.6"), dice=[9, 10])
    work(table)
    assert works.record(table.state, 0)["dents"] == ((0, NORTH, 1),)
    table.done()


@pytest.mark.clause("AC-ENG-1", "AC-HOUSE-PEN")
@pytest.mark.parametrize(("face", "dents"), [(2, 2), (1, 1)])
def test_soft_walls_take_no_die_from_the_stronger_tool(face: int, dents: int) -> None:
    """Stucco of 3: demolitions of 8 always go through, a buzzsaw of 7 on 2."""
    table = Table(house("wall: stucco"), unit("engineers", "g9.6"), dice=[9, 9, face])
    work(table)
    assert works.record(table.state, 0)["dents"] == ((0, NORTH, dents),)
    assert works.is_breached(table.state, 0, 0, NORTH) is (dents == 2)
    table.done()


@pytest.mark.clause("AC-ENG-1", "AC-HOUSE-POINTS")
def test_the_second_tool_rests_once_the_wall_is_breached() -> None:
    table = Table(
        house(),
        unit("engineers", "g9.6"),
        dice=[9, 4],
        structures=[Structure(0, own={"dents": [[0, EAST, 1], [0, NORTH, 2]]})],
    )
    work(table)
    assert works.is_breached(table.state, 0, 0, NORTH)
    assert not works.is_breached(table.state, 0, 0, EAST)
    assert works.record(table.state, 0)["dents"] == ((0, EAST, 1), (0, NORTH, 3))
    table.done()


@pytest.mark.clause("AC-POINT-6", "AC-DEST-3")
def test_the_second_tool_rests_once_the_house_is_down() -> None:
    table = Table(house("points: 1"), unit("engineers", "g9.6"), dice=[9, 4], options={"damage": "1"})
    work(table)
    assert table.state.structures[0].fallen
    table.done()


@pytest.mark.clause("AC-ENG-1", "AC-POINT-1")
def test_points_of_soft_walls_are_taken_one_by_one() -> None:
    table = Table(house("wall: stucco"), unit("engineers", "g9.6"), dice=[9, 9, 2], options={"damage": "1"})
    work(table)
    assert works.record(table.state, 0) == {"lost": 2}
    table.done()


@pytest.mark.clause("AC-HOUSE-ASSAULT")
@pytest.mark.parametrize(("face", "told"), [(4, "charge +"), (3, "charge -")])
def test_of_the_tools_only_charges_are_set_against_machines(face: int, told: str) -> None:
    """Factor 8 against a scout car's 6: on 4. The buzzsaw, of 7, would do as well: it is no charge."""
    table = Table(
        house(),
        unit("engineers", "g9.7"),
        unit("scout_car", "g9.6", side=1, detected=True),
        dice=[face, *([9] if face == 4 else [])],
    )
    table.do(AtWhom(0, side=0))
    table.say(Demolish(1))
    assert table.happened() == [told]
    assert table.unit(1).alive is (face == 3)
    table.done()


@pytest.mark.clause("AC-POINT-6", "AC-ENG-1")
@pytest.mark.parametrize(("variant", "lost"), [("1", 1), ("2", 6), ("3", 6)])
def test_with_structure_points_tools_take_those(variant: str, lost: int) -> None:
    table = Table(house(), unit("wardrone", "g9.6"), dice=[9, 6], options={"damage": variant})
    work(table)
    assert works.record(table.state, 0) == {"lost": lost}


@pytest.mark.clause("AC-DEST-4", "AC-ENG-1")
def test_ignored_damage_is_ignored_here_too() -> None:
    """No wall is ever breached, so there is nothing to work at."""
    for damage, offered in (("guidelines", True), ("1", True), ("ignored", False)):
        table = Table(house(), unit("wardrone", "g9.6"), options={"damage": damage})
        found = targets.targets(table.state, table.board, table.unit(0))
        assert any(isinstance(answer, Breach) for answer in found) is offered


@pytest.mark.clause("AC-HOUSE-ASSAULT")
@pytest.mark.parametrize("can", [True, False])
def test_charges_against_vehicles_in_contact(can: bool) -> None:
    """Factor 8 against class 11: on 9; the damage table follows."""
    table = Table(
        house(),
        unit("sappers", "g9.7" if can else "g9.6", models=1),
        unit("tank", "g9.6" if can else "g8.2", side=1, detected=True),
        dice=[9, 8] if can else [],
    )
    table.do(AtWhom(0, side=0))
    offered = [a for a in (table.legal if table.ask else []) if isinstance(a, Demolish)]
    assert offered == ([Demolish(1)] if can else [])
    if can:
        table.say(Demolish(1))
        assert not table.unit(1).alive
        assert "AC-HOUSE-ASSAULT" in table.clauses()
        table.done()


@pytest.mark.clause("AC-HOUSE-ASSAULT", "AC-TYPE-6")
def test_charges_against_a_strongpoint_through_its_wall() -> None:
    def board() -> Any:
        return house("type: strongpoint")

    table = Table(
        board(), unit("sappers", "g9.6"), unit("strongpoint", "house.1:0", side=1, detected=True), dice=[9, 8]
    )
    table.do(AtWhom(0, side=0))
    table.say(Demolish(1))
    assert not table.unit(1).alive
    table.done()
    hidden = Table(board(), unit("sappers", "g9.6"), unit("strongpoint", "house.1:0", side=1))
    hidden.do(AtWhom(0, side=0))
    assert not any(isinstance(a, Demolish) for a in (hidden.legal if hidden.ask else [Pass()]))


@pytest.mark.clause("AC-POINT-2", "AC-POINT-3", "AC-POINT-6", "AC-ENG-1")
@pytest.mark.parametrize(("variant", "dice", "lost"), [("1", (), 0), ("2", (9,), 1), ("3", (9,), 1)])
def test_where_a_hit_costs_a_point_it_does_so_with_a_tool_that_cannot_penetrate(
    variant: str, dice: tuple[int, ...], lost: int
) -> None:
    """A chainsaw of 6 never goes through a strongpoint's 11 behind a screen, but it hits."""
    board = house("type: strongpoint, screen: true")
    table = Table(board, unit("wardrone", "g9.6"), dice=dice, options={"damage": variant})
    breach = Breach(table.place("house.1:0"), NORTH)
    table.do(AtWhom(0, side=0))
    assert (breach in (table.legal if table.ask else [])) is bool(lost)
    if lost:
        expected = estimates_close.breach(table.state, board, table.unit(0), breach.place, NORTH)
        assert expected.points == pytest.approx(0.9)
        table.say(breach)
        assert works.record(table.state, 0) == {"lost": lost}
    table.done()


@pytest.mark.clause("AC-ENG-1", "AC-POINT-1", "AC-POINT-2", "AC-POINT-6")
@pytest.mark.parametrize(
    ("variant", "dice", "told"),
    [
        ("1", (9, 6), ["cuts in", "points"]),
        ("1", (9, 5), ["wall holds"]),
        ("1", (10,), ["wall holds"]),
        ("2", (9, 5), ["cuts in", "points"]),
        ("2", (10,), ["wall holds"]),
    ],
)
def test_work_for_structure_points_is_told_whether_it_costs_any_or_not(
    variant: str, dice: tuple[int, ...], told: list[str]
) -> None:
    """Else the story would say that a unit which has worked on a wall holds its fire, and statistics would count no act."""
    table = Table(house(), unit("wardrone", "g9.6"), dice=dice, options={"damage": variant})
    work(table)
    assert table.happened() == told
    assert all("AC-ENG-1" in event.clauses for event in table.events(Happened))
    assert RULESET.incidents.of[type(table.events(Happened)[0])](table.events(Happened)[0]).unit == 0
    assert told[0] in find_wording("armorclass").owed["Acts"]["until"]
    table.done()


@pytest.mark.clause("AC-HOUSE-ASSAULT", "AC-TYPE-5")
def test_the_other_end_of_a_tunnel_is_not_in_contact() -> None:
    """A tunnel leads from a pillbox to a battery 24 inches away: no charge is set through it, but one is from outside."""
    board = field("""
buildings:
  - name: west
    material: concrete
    rect: [3, 12, 9, 18]
    own: {armour: {type: pillbox, tunnels: [east]}}
    openings: [{kind: slit, side: south, at: 0.5}, {kind: door, side: north, at: 0.5}]
  - name: east
    material: concrete
    rect: [27, 12, 33, 18]
    own: {armour: {type: strongpoint}}
    openings: [{kind: slit, side: south, at: 0.5}, {kind: door, side: north, at: 0.5}]
""")
    battery = unit("strongpoint", "east.1:0", side=1, detected=True)
    for at, offered in (("west.1:0", False), ("g9.6", True)):
        table = Table(board, unit("sappers", at), battery)
        assert (Demolish(1) in targets.targets(table.state, board, table.unit(0))) is offered
