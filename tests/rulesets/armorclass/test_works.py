"""What sections are made of by their map, and what has become of them (AC-TYPE, AC-TABLE, AC-HOUSE-STRUCT)."""

from __future__ import annotations

from typing import Any

import pytest

from battlesim.board.board import Board
from battlesim.core.events import Happened
from battlesim.core.geometry import INCH
from battlesim.core.state import Structure
from battlesim.rulesets.armorclass import check, deployment, ground, works
from battlesim.rulesets.armorclass.model import Fieldwork
from tests.rulesets.armorclass.kit import Table, house, unit
from tests.rulesets.armorclass.kit import ground as field


def shed(material: str) -> Board:
    return field(f"""
buildings:
  - name: shed
    kind: shed
    material: {material}
    rect: [27, 12, 33, 18]
    openings: [{{kind: door, side: south, at: 0.5}}]
""")


def dugout(*kinds: str) -> Board:
    """A section of kind bunker, of which the map says no more, with these openings."""
    openings = ", ".join(
        f"{{kind: {kind}, side: {side}, at: 0.5}}" for kind, side in zip(kinds, SIDES, strict=False)
    )
    return field(f"""
buildings:
  - name: dugout
    kind: bunker
    material: concrete
    rect: [27, 12, 33, 18]
    openings: [{openings}]
""")


SIDES = ("south", "north", "east")


# ---- materials


@pytest.mark.clause("AC-TYPE-10", "AC-TABLE-1", "AC-TABLE-2")
@pytest.mark.parametrize(
    ("material", "wall", "roof", "burns", "roof_burns"),
    [
        ("wood", 4, 3, True, True),
        ("brick", 3, 4, False, False),
        ("stone", 3, 4, False, False),
        ("concrete", 3, 4, False, False),
    ],
)
def test_sheds_are_of_sheet_metal_unless_they_are_of_wood(
    material: str, wall: int, roof: int, burns: bool, roof_burns: bool
) -> None:
    make = works.make_of(shed(material), 0)
    assert (make.wall, make.roof, make.burns, make.roof_burns) == (wall, roof, burns, roof_burns)


@pytest.mark.clause("AC-TABLE-2", "AC-FIRE-1")
@pytest.mark.parametrize("roof", ["thatch", "wood_and_shingle", "wood_and_tile", "metal_sheeting"])
def test_a_roof_burns_by_what_it_is_made_of_itself(roof: str) -> None:
    make = works.make_of(house(f"roof: {roof}"), 0)
    assert (make.burns, make.roof_burns) == (False, roof != "metal_sheeting")


@pytest.mark.clause("AC-TABLE-1", "AC-FIRE-1", "AC-TYPE-2")
@pytest.mark.parametrize(
    ("own", "burns", "named"),
    [
        ("type: pillbox, wall: logs", True, "AC-TABLE-1"),
        ("type: pillbox, wall: sandbags", False, "AC-TABLE-1"),
        ("type: pillbox, wall: logs, roof: metal_sheeting", False, "AC-TABLE-2"),
        ("type: pillbox, wall: logs, roof: thatch", True, "AC-TABLE-2"),
        ("type: pillbox", False, "AC-TABLE-3"),
    ],
)
def test_a_military_work_without_a_roof_of_its_own_has_one_like_its_walls(
    own: str, burns: bool, named: str
) -> None:
    make = works.make_of(house(own), 0)
    assert make.roof_burns is burns
    assert named in make.roof_clauses


@pytest.mark.clause("AC-TABLE-3", "AC-TABLE-2")
@pytest.mark.parametrize("material", ["wood", "brick"])
def test_a_flat_roof_is_reinforced_concrete_whatever_the_walls(material: str) -> None:
    make = works.make_of(house(material=material, flat=True), 0)
    assert make.roof == 9
    assert {"AC-TABLE-2", "AC-TABLE-3"} <= set(make.roof_clauses)
    plain = works.make_of(house(material=material), 0)
    assert "AC-TABLE-3" not in plain.roof_clauses


@pytest.mark.clause("AC-TABLE-3", "AC-HOUSE-STRUCT")
@pytest.mark.parametrize(("kind", "armour"), [("pillbox", 9), ("strongpoint", 11), ("bunker", 12)])
def test_military_works_have_one_class_walls_and_roof_alike(kind: str, armour: int) -> None:
    """Complete overhead cover is part of them; a defence screen adds two to both."""
    for screen, more in (("", 0), (", screen: true", 2)):
        make = works.make_of(house(f"type: {kind}{screen}"), 0)
        assert (make.wall, make.roof, make.screen) == (armour + more, armour + more, bool(more))
        for clauses in (make.clauses, make.roof_clauses):
            assert {"AC-TABLE-3", "AC-HOUSE-STRUCT", "AC-TYPE-1"} <= set(clauses)
            assert not {"AC-TABLE-1", "AC-TABLE-2", "AC-TYPE-2"} & set(clauses)


@pytest.mark.clause("AC-HOUSE-STRUCT")
def test_a_screen_before_a_house_covers_its_roof_as_well() -> None:
    bare, screened = (works.make_of(house(own), 0) for own in ("points: 1", "screen: true"))
    assert (screened.wall - bare.wall, screened.roof - bare.roof) == (2, 2)


@pytest.mark.clause("AC-TYPE-1", "AC-TYPE-2", "AC-TABLE-1")
@pytest.mark.parametrize(
    ("wall", "armour", "dug"),
    [
        ("logs", 6, True),
        ("sandbags", 4, True),
        ("earthen_embankment", 7, True),
        ("concrete", 7, False),
        ("reinforced_concrete", 9, False),
    ],
)
def test_works_of_earth_and_logs_are_field_fortifications_those_of_concrete_permanent(
    wall: str, armour: int, dug: bool
) -> None:
    """Their overhead cover is what their walls are, unless the map says otherwise."""
    make = works.make_of(house(f"type: pillbox, wall: {wall}"), 0)
    assert (make.wall, make.roof, make.field) == (armour, armour, dug)
    for clauses in (make.clauses, make.roof_clauses):
        assert ("AC-TYPE-2" in clauses, "AC-TYPE-1" in clauses) == (dug, not dug)
    assert "AC-TABLE-1" in make.clauses
    assert works.make_of(house(f"type: pillbox, wall: {wall}, roof: thatch"), 0).roof == 1
    assert not works.make_of(house(f"wall: {wall}"), 0).field


# ---- types


@pytest.mark.clause("AC-TYPE-3", "AC-TYPE-5")
@pytest.mark.parametrize(
    ("openings", "kind"),
    [
        (("door",), "bunker"),
        (("door", "slit"), "pillbox"),
        (("door", "window"), "pillbox"),
        (("door", "slit", "slit"), "pillbox"),
        (("door", "gap"), "bunker"),
    ],
)
def test_firing_slits_make_a_dugout_a_pillbox(openings: tuple[str, ...], kind: str) -> None:
    make = works.make_of(dugout(*openings), 0)
    assert (make.type, make.fighting) == (kind, kind == "pillbox")


@pytest.mark.clause("AC-TYPE-3", "AC-TYPE-5", "AC-TYPE-6", "AC-TYPE-10")
@pytest.mark.parametrize("kind", ["building", "pillbox", "strongpoint"])
def test_the_map_may_name_any_type(kind: str) -> None:
    """And nothing is wrong with it; but a bunker has no windows, and a pillbox must have slits."""
    assert check.check_map(house(f"type: {kind}")) == []
    assert works.make_of(house(f"type: {kind}"), 0).type == kind
    told = [str(fault) for fault in check.check_map(house("type: bunker"))]
    assert ["no firing slits" in text for text in told] == [True, False]


SHELTER = """
buildings:
  - name: shelter
    kind: bunker
    material: {material}
    rect: [27, 12, 33, 18]
    floors: {floors}
    own: {{armour: {{{own}}}}}
    openings: [{doors}]
"""


@pytest.mark.clause("AC-TYPE-3", "AC-TYPE-1", "AC-TYPE-2")
@pytest.mark.parametrize(
    ("own", "floors", "doors", "words", "level"),
    [
        ("", 1, 1, "", ""),
        ("type: bunker, wall: logs", 1, 1, "", ""),  # dug in the night before
        ("wall: concrete, roof: reinforced_concrete", 1, 1, "", ""),
        ("", 2, 1, "one floor", "error"),
        ("type: bunker", 2, 1, "one floor", "error"),
        ("roof: thatch", 1, 1, "no roof of thatch", "error"),
        ("roof: wood_and_tile", 1, 1, "no roof of wood_and_tile", "error"),
        ("wall: timber_light", 1, 1, "no wall of timber_light", "error"),
        ("wall: brick", 1, 1, "no wall of brick", "error"),
        ("", 1, 2, "usually has one entrance, this has 2", "warning"),
    ],
)
def test_a_bunker_is_low_strong_and_covered(
    own: str, floors: int, doors: int, words: str, level: str
) -> None:
    sides = ", ".join(f"{{kind: door, side: {side}, at: 0.5}}" for side in SIDES[:doors])
    board = field(SHELTER.format(own=own, floors=floors, doors=sides, material="concrete"))
    found = [(fault.level, fault.what) for fault in check.check_map(board)]
    assert [(told, words in what) for told, what in found] == ([(level, True)] if words else [])


@pytest.mark.clause("AC-TYPE-3")
def test_everything_wrong_with_a_bunker_is_said_at_once() -> None:
    sides = ", ".join(f"{{kind: door, side: {side}, at: 0.5}}" for side in SIDES)
    own = "type: bunker, wall: timber_light, roof: thatch"
    board = field(SHELTER.format(own=own, floors=2, doors=sides, material="wood"))
    assert len(check.check_map(board)) == 4


@pytest.mark.clause("AC-TYPE-11")
@pytest.mark.parametrize(
    ("kind", "models", "at", "crew"),
    [
        ("gun_team", 2, "pillbox", True),
        ("mortar_team", 3, "emplacement", True),
        ("gun_team", 2, "emplacement", True),
        ("militia", 4, "pillbox", False),
        ("militia", 4, "emplacement", False),
        ("gun_team", 2, "trench", False),
        ("gun_team", 2, "building", False),
        ("gun_team", 2, "nothing", False),
        ("wardrone", 1, "pillbox", False),
        ("turret", 1, "emplacement", False),
    ],
)
def test_pillboxes_and_emplacements_serve_crews(kind: str, models: int, at: str, crew: bool) -> None:
    """A team of three or fewer, at a weapon that it serves."""
    indoors = at in ("pillbox", "building")
    board = house(f"type: {at}") if indoors else field()
    table = Table(board, unit(kind, "house.1:0" if indoors else "g0.0", models=models), unit(kind, ""))
    if at in ("emplacement", "trench"):
        table.r.set_extra(fieldworks=(Fieldwork(at, 0, 8),))
    deployment.set_up(table.r, deployment.SetUp())
    told = [(e.unit, e.place, e.clauses) for e in table.events(Happened) if e.what == "crew"]
    assert told == ([(0, table.unit(0).place, ("AC-TYPE-11",))] if crew else [])


# ---- tunnels


PILL = """
  - name: {name}
    kind: bunker
    material: concrete
    closed: {closed}
    rect: [{x}, 12, {right}, 18]
    own: {{armour: {{tunnels: [{to}]}}}}
    openings: [{{kind: slit, side: south, at: 0.5}}, {{kind: door, side: north, at: 0.5}}]
"""


def pills(*tunnels: tuple[str, str], closed: bool = False) -> Board:
    """Pillboxes in a row, six inches apart, each with the tunnels it names: (name, to)."""
    rows = [
        PILL.format(name=name, to=to, x=3 + 12 * n, right=9 + 12 * n, closed=str(closed).lower())
        for n, (name, to) in enumerate(tunnels)
    ]
    return field("buildings:" + "".join(rows))


def joined(board: Board, a: str, b: str) -> bool:
    """Whether there is a way from one pillbox into the other that leads over no ground, and back."""
    table = Table(board, unit("militia", a), unit("militia", b))
    found = []
    for number, goal in ((0, b), (1, a)):
        reach = ground.reach(table.state, board, table.unit(number), 30 * INCH, frozenset())
        start, end = table.unit(number).place, board.space(goal)
        found.append(end in reach.cost and ground.path_to(reach, start, end) == (start, end))
    assert found[0] == found[1]
    return found[0]


@pytest.mark.clause("AC-TYPE-5", "AC-TYPE-3")
@pytest.mark.parametrize(
    "tunnels", [("east", ""), ("east.1", ""), ("", "west"), ("", "west.1"), ("east", "west")]
)
def test_a_tunnel_is_named_at_either_end_by_building_or_section(tunnels: tuple[str, str]) -> None:
    board = pills(("west", tunnels[0]), ("east", tunnels[1]), ("far", ""))
    assert check.check_map(board) == []
    assert joined(board, "west.1:0", "east.1:0")
    assert not joined(board, "east.1:0", "far.1:0")


@pytest.mark.clause("AC-TYPE-5")
def test_a_tunnel_to_a_section_of_the_same_building_is_named_by_that_alone() -> None:
    def row(own: str) -> Board:
        return field(f"""
buildings:
  - name: fort
    material: concrete
    sections:
      - {{name: a, rect: [3, 12, 9, 18], {own}openings: [{{kind: door, side: south, at: 0.5}}]}}
      - {{name: b, rect: [9, 12, 15, 18], openings: [{{kind: door, side: south, at: 0.5}}]}}
      - {{name: c, rect: [15, 12, 21, 18], openings: [{{kind: door, side: south, at: 0.5}}]}}
""")

    board = row("own: {armour: {tunnels: [c, fort.b]}}, ")
    assert works.make_of(board, 0).tunnels == (1, 2)
    assert joined(board, "fort.a:0", "fort.c:0")
    wrong = row("own: {armour: {tunnels: [fort]}}, ")  # of three sections: which?
    assert works.make_of(wrong, 0).tunnels == ()
    assert ["leads nowhere" in str(fault) for fault in check.check_map(wrong)] == [True]


@pytest.mark.clause("AC-TYPE-3", "AC-TYPE-5", "AC-HOUSE-MOVE")
@pytest.mark.parametrize("by", ["map", "scenario"])
def test_what_is_closed_is_entered_by_its_tunnels_alone(by: str) -> None:
    board = pills(("west", "east"), ("east", ""), closed=by == "map")
    shut = [Structure(n, own={"closed": True}) for n in (0, 1)] if by == "scenario" else []
    table = Table(board, unit("militia", "west.1:0"), unit("militia", "g1.7"), structures=shut)
    inside, outside = (
        ground.reach(table.state, board, table.unit(n), 20 * INCH, frozenset()).cost for n in (0, 1)
    )
    assert board.space("east.1:0") in inside
    assert table.place("g1.7") in inside  # out by the door all the same
    assert not {board.space("west.1:0"), board.space("east.1:0")} & set(outside)
    open_ = Table(pills(("west", "east"), ("east", "")), unit("militia", "g1.7"))
    reach = ground.reach(open_.state, open_.board, open_.unit(0), 20 * INCH, frozenset())
    assert open_.place("west.1:0") in reach.cost


# ---- what has become of them


@pytest.mark.clause("AC-DEST-3")
@pytest.mark.parametrize(
    ("gone", "floors"), [(None, [True, True, False]), (1, [True, False, False]), (0, [False, False, False])]
)
def test_floors_that_stand_can_be_held_ruins_never(gone: int | None, floors: list[bool]) -> None:
    """Of two floors and the ruin that is left when the house has fallen."""
    structures = [] if gone is None else [Structure(0, fallen=gone == 0, own={"gone": gone})]
    table = Table(house(), structures=structures)
    names = ("house.1:0", "house.1:1", "house.1:ruin")
    assert [works.tenable(table.state, table.board, table.place(name)) for name in names] == floors
    assert works.tenable(table.state, table.board, table.place("g0.0"))
    assert works.floors_left(table.state, table.board, 0) == sum(floors)


@pytest.mark.clause("AC-POINT-4", "AC-POINT-6")
@pytest.mark.parametrize(
    ("damage", "points", "own", "found"),
    [
        ("guidelines", 9, "points: 5", 0),  # no variant, no points
        ("ignored", 0, "", 0),
        ("1", 0, "", 6),
        ("2", 0, "", 12),
        ("3", 0, "", 24),
        ("1", 9, "", 9),
        ("1", 9, "points: 5", 5),
    ],
)
def test_the_points_a_section_begins_with(damage: str, points: int, own: str, found: int) -> None:
    options: dict[str, Any] = {"damage": damage, "points": points}
    table = Table(house(own), options=options)
    assert works.points_of(table.state, table.board, 0) == found
