"""Mortars and howitzers that lob (OD-IND, the ranging of OD-HOUSE-HE, who sees for them: OD-HOUSE-SIGHT)."""

from __future__ import annotations

import pytest

from battlesim.board.board import Board
from battlesim.core.answers import Confirm, TargetSpace, TargetUnit
from battlesim.core.events import Happened, Rolled
from battlesim.core.state import Structure
from battlesim.rulesets.orderdice import fire
from battlesim.rulesets.orderdice.facts_fire import Blasted, Shelled
from battlesim.rulesets.orderdice.indirect import Fall, floor_hit
from battlesim.rulesets.orderdice.model import unit_state
from battlesim.rulesets.orderdice.react import GoDown
from battlesim.rulesets.orderdice.shoot import AtWhom, NextWall, Volley
from tests.rulesets.orderdice.grounds import ground, house
from tests.rulesets.orderdice.kit import Table, unit

HOUSE = house()
BARE = ground((75, 5))
SCREEN = ground(
    (75, 20),
    """
buildings:
  - name: screen
    rect: [20, 7, 26, 13]
    floors: 3
    openings: [{kind: door, side: south}, {kind: window, floor: 1, side: east, count: 2}]
""",
)
"""A building that hides the two halves of row 9 from one another; from upstairs one sees what lies east of it."""


def modes(table: Table, target: int = 1, shooter: int = 0, moved: bool = False, wall: int = -1) -> list[str]:
    groups = fire.volley(table.state, table.board, table.unit(shooter), table.unit(target), moved, wall)
    return [group.mode for group in groups]


def lobbed(
    place: str, *more: dict[str, object], dice: object, board: Board = HOUSE, by: str = "heavy_mortar_team"
) -> Table:
    """A mortar fires at a rifle section (unit 1, it has acted) in a place."""
    table = Table(
        board,
        unit(by, at="g2.9"),
        unit("rifle_section", at=place, side=1, order="fire"),
        *more,
        dice=dice,  # type: ignore[arg-type]
    )
    if isinstance(table.do(NextWall(0, False, -1)), AtWhom):
        table.say(TargetUnit(1))
    return table


# ---- range and sight ---------------------------------------------------------------------------------------------------


@pytest.mark.clause("OD-IND-1")
@pytest.mark.parametrize(("x", "legal"), [(7, True), (8, False), (-5, False)])
def test_the_minimum_range_is_measured_to_the_building(x: int, legal: bool) -> None:
    # the west wall lies at 20: from 7.5 that is 12.5 inches, from 8.5 11.5, though the middle of the house is farther
    table = Table(
        HOUSE,
        unit("light_mortar_team", at=f"g{max(x, 15)}.9" if x < 0 else f"g{x}.9"),
        unit("officer", at="house.1:0", side=1),
    )
    assert modes(table) == (["indirect"] if legal else [])


@pytest.mark.clause("OD-IND-1")
@pytest.mark.parametrize(
    ("kind", "near", "far"),
    [("light_mortar_team", 12, 24), ("medium_mortar_team", 12, 60), ("heavy_mortar_team", 12, 72)],
)
def test_mortars_reach_from_twelve_inches_to_their_range(kind: str, near: int, far: int) -> None:
    for distance in (near - 1, near, far, far + 1):
        table = Table(BARE, unit(kind, at="g0.2"), unit("officer", at=f"g{distance}.2", side=1))
        assert modes(table) == (["indirect"] if near <= distance <= far else []), distance


@pytest.mark.clause("OD-HOUSE-SIGHT")
def test_somebody_must_see_the_target_the_shooter_an_observer_or_an_officer() -> None:
    mortar = unit("medium_mortar_team", at="g2.9")
    enemy = unit("rifle_section", at="g40.9", side=1)
    for spotter, legal in (
        (None, False),
        (unit("rifle_section", at="g30.5"), False),  # sees it, but is nobody to report
        (unit("officer", at="g30.5"), True),
        (unit("artillery_observer", at="g30.5"), True),
        (unit("air_observer", at="g30.5"), True),
        (unit("officer", at="g10.5"), False),  # does not see it either
        (unit("officer", at="g30.5", side=1), False),  # the enemy's
        (unit("officer", aboard=3), False),  # nobody sees out of a transport
        (unit("officer", at="screen.1:1"), True),  # from the windows above
        (unit("officer", at="screen.1:0"), False),  # no window on the ground floor
    ):
        table = Table(SCREEN, mortar, enemy, *([spotter] if spotter else []))
        assert modes(table) == (["indirect"] if legal else []), spotter
    table = Table(SCREEN, unit("medium_mortar_team", at="g28.9"), enemy)
    assert modes(table) == ["indirect"]


@pytest.mark.clause("OD-HOUSE-SIGHT")
@pytest.mark.clause("OD-IND-1")
def test_indirect_fire_ignores_modifiers() -> None:
    table = Table(
        HOUSE,
        unit("light_mortar_team", at="g2.9", pins=4, quality="inexperienced", models=1),
        unit("officer", at="house.1:1", side=1, order="down", models=1),
    )
    (group,) = fire.volley(table.state, HOUSE, table.unit(0), table.unit(1), True)
    assert (group.mode, group.need, group.cover) == ("indirect", 6, 0)


@pytest.mark.clause("OD-FROM-1")
def test_out_of_a_room_a_mortar_hits_only_what_is_seen_from_an_opening() -> None:
    for place, y, wall in (("screen.1:1", 9, 1), ("screen.1:0", 9, None), ("screen.1:1", -1, None)):
        goal = "g2.9" if y < 0 else f"g50.{y}"
        table = Table(
            SCREEN,
            unit("medium_mortar_team", at=place),
            unit("officer", at=goal, side=1),
            unit("officer", at="g50.3"),
            unit("officer", at="g10.3"),
        )
        seen = [w for w in range(4) if modes(table, wall=w)]
        assert seen == ([wall] if wall is not None else [])


# ---- howitzers ---------------------------------------------------------------------------------------------------------


@pytest.mark.clause("OD-IND-1")
def test_a_howitzer_fires_directly_at_what_it_sees_and_else_from_24_inches_indirectly() -> None:
    spotter = unit("officer", at="g28.2")
    for x, target, seen in (
        (5, "g40.9", ["indirect"]),
        (17, "g40.9", []),
        (30, "g40.9", ["he"]),
        (30, "g72.9", ["he"]),
    ):
        table = Table(
            SCREEN, unit("medium_howitzer", at=f"g{x}.9"), unit("officer", at=target, side=1), spotter
        )
        assert modes(table) == seen
    turned = Table(
        SCREEN, unit("medium_howitzer", at="g5.9", facing=4), unit("officer", at="g40.9", side=1), spotter
    )
    assert modes(turned) == []  # its arc holds for indirect fire too


# ---- finding the range -------------------------------------------------------------------------------------------------


@pytest.mark.clause("OD-HOUSE-HE")
def test_indirect_fire_hits_on_six_then_better_shot_by_shot() -> None:
    table = Table(
        BARE,
        unit("light_mortar_team", at="g2.2"),
        unit("rifle_section", at="g20.2", side=1, order="fire"),
        dice=[5, 4, 3, 2, 1, 1],
    )
    for turn in range(1, 7):
        table.state.turn = turn
        table.do(Volley(0, 1, False, -1))
    assert [shot.need for shot in table.events(Shelled)] == [6, 5, 4, 3, 2, 2]
    assert [shot.hits for shot in table.events(Shelled)] == [0] * 6
    table.done()


@pytest.mark.clause("OD-HOUSE-HE")
@pytest.mark.parametrize("who", ["target", "weapon", "other target", "nobody"])
def test_the_range_is_lost_when_either_moves_or_another_target_is_taken(who: str) -> None:
    table = Table(
        BARE,
        unit("light_mortar_team", at="g2.2"),
        unit("rifle_section", at="g20.2", side=1, order="fire"),
        unit("rifle_section", at="g22.2", side=1, order="fire"),
        dice=[1, 1, 1],
    )
    table.do(Volley(0, 1, False, -1))
    table.state.turn += 1
    moves = {"target": (1, "g21.2"), "weapon": (0, "g3.2")}
    if who in moves:
        number, name = moves[who]
        table.r.move(table.unit(number), (table.unit(number).place, table.place(name)))
    table.do(Volley(0, 2 if who == "other target" else 1, False, -1))
    table.state.turn += 1
    table.do(Volley(0, 1, False, -1))
    needs = [shot.need for shot in table.events(Shelled)]
    assert needs == {"other target": [6, 6, 6], "nobody": [6, 5, 4]}.get(who, [6, 6, 5])
    table.done()


# ---- coming down -------------------------------------------------------------------------------------------------------


@pytest.mark.clause("OD-IND-2")
@pytest.mark.parametrize(
    ("falls", "floor"),
    [([4], 3), ([6], 3), ([3, 4], 2), ([1, 3, 5], 1), ([3, 3, 3], 0)],  # no die on the ground floor
)
def test_a_shell_falls_from_the_top_floor_until_it_bursts(falls: list[int], floor: int) -> None:
    row = [unit("rifle_section", at=f"house.1:{n}", side=1, order="fire") for n in (0, 2, 3)]
    table = lobbed("house.1:1", *row, dice=[6, *falls, (1, 1), 1, (1, 1)])
    (blast,) = table.events(Blasted)
    assert blast.place == table.place(f"house.1:{floor}")
    hit = {0: 2, 1: 1, 2: 3, 3: 4}[floor]
    assert [n for n in (1, 2, 3, 4) if unit_state(table.unit(n)).pins] == [hit]
    (fact,) = [e for e in table.events(Happened) if e.what == "came down"]
    assert fact.place == blast.place
    assert fact.clauses == ("OD-IND-2",)
    table.done()


@pytest.mark.clause("OD-IND-2")
def test_in_a_house_of_one_floor_it_bursts_at_once() -> None:
    hut = ground(
        (46, 20), "buildings: [{name: hut, rect: [30, 7, 36, 13], openings: [{kind: door, side: west}]}]"
    )
    table = lobbed("hut.1:0", dice=[6, (1, 1), 1, (1, 1)], board=hut)
    assert unit_state(table.unit(1)).pins == 1
    table.done()


@pytest.mark.clause("OD-IND-2")
@pytest.mark.clause("OD-HE-3")
def test_whoever_is_on_the_floor_where_it_bursts_may_go_down() -> None:
    table = lobbed(
        "house.1:0", unit("rifle_section", at="house.1:3", side=1), dice=[6, 5, (2, 3), 2, (1, 1, 1)]
    )
    assert isinstance(table.ask, GoDown)
    assert table.ask.unit == 2
    table.say(Confirm(True))
    (blast,) = table.events(Blasted)
    assert (blast.unit, blast.hits, blast.taken) == (2, 5, 3)
    table.done()


@pytest.mark.clause("OD-HOUSE-PINS")
def test_a_unit_on_another_floor_that_loses_half_tests() -> None:
    table = lobbed(
        "house.1:0",
        unit("officer", at="house.1:3", side=1, order="fire"),
        dice=[6, 5, (1, 1), 1, (6, 1), (6, 6)],
    )
    assert not table.unit(2).alive  # it lost one of two, threw 12 and ran
    assert table.unit(1).models == 10
    table.done()


@pytest.mark.clause("OD-IND-3")
@pytest.mark.parametrize(("hits", "falls"), [((4, 6), True), ((3, 6), False)])
def test_the_hits_are_rolled_on_an_empty_floor_too_and_may_bring_the_house_down(
    hits: tuple[int, int], falls: bool
) -> None:
    table = lobbed("house.1:0", dice=[6, 5, hits])
    (blast,) = table.events(Blasted)
    assert (blast.unit, blast.hits) == (-1, sum(hits))
    assert any("OD-IND-3" in e.clauses for e in table.events(Happened))
    assert (0 in table.state.structures) is falls
    assert table.unit(1).alive is not falls
    table.done()


@pytest.mark.clause("OD-HE-5")
def test_a_medium_mortar_never_brings_a_house_down() -> None:
    table = lobbed("house.1:0", dice=[6, 5, 6], by="medium_mortar_team")
    assert not table.state.structures
    table.done()


@pytest.mark.clause("OD-IND-3")
def test_the_second_shell_finds_no_house_any_more() -> None:
    table = Table(
        HOUSE,
        unit("heavy_mortar_team", at="g2.9"),
        unit("rifle_section", at="house.1:0", side=1, order="fire"),
        dice=[5, (6, 6)],
    )
    table.do(Fall(0, 0, 3, 1, 1), Fall(0, 0, 3, 2, 1))
    assert table.state.structures[0].fallen
    table.done()


@pytest.mark.clause("OD-IND-2")
def test_the_floor_hit_is_keyed_floor_by_floor_and_shell_by_shell() -> None:
    table = Table(HOUSE, unit("heavy_mortar_team", at="g2.9"), dice=[1, 1, 1, 1, 1, 1])
    floor_hit(table.r, 0, 0, 1)
    floor_hit(table.r, 0, 0, 2)
    keys = [(e.actor, e.purpose, e.object, e.attempt) for e in table.events(Rolled)]
    assert len(set(keys)) == 6


@pytest.mark.clause("OD-EMPTY-1")
@pytest.mark.clause("OD-HOUSE-EMPTY")
def test_a_mortar_may_fire_at_an_empty_house() -> None:
    table = Table(
        HOUSE, unit("heavy_mortar_team", at="g2.9"), unit("officer", at="g45.0", side=1), dice=[6, 5, (5, 5)]
    )
    table.do(NextWall(0, False, -1))
    table.say(TargetSpace(table.place("house.1:0")))
    assert table.state.structures[0] == Structure(0, fallen=True)
    assert unit_state(table.unit(0)).aim == (-1, table.unit(0).place, table.place("house.1:0"), 1)
    table.done()
