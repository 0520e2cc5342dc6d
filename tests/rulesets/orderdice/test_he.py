"""Shells over open sights (OD-HE, OD-HOUSE-HE, OD-EMPTY-1, OD-HOUSE-EMPTY) and what small arms do beside them."""

from __future__ import annotations

import pytest

from battlesim.core.answers import Confirm, Pass, TargetSpace, TargetUnit
from battlesim.core.codec import dump_state
from battlesim.core.events import Happened, ModelsLost, Rolled, StructureSet
from battlesim.core.state import Structure
from battlesim.rulesets.orderdice import empty_buildings, fire, shoot
from battlesim.rulesets.orderdice.facts import Ordered
from battlesim.rulesets.orderdice.facts_fire import Blasted, Shelled, Shot
from battlesim.rulesets.orderdice.he import SHELLS, Burst, caught
from battlesim.rulesets.orderdice.model import unit_state
from battlesim.rulesets.orderdice.react import GoDown
from battlesim.rulesets.orderdice.ruleset import RULESET
from battlesim.rulesets.orderdice.shoot import AtWhom, NextWall
from tests.rulesets.orderdice.grounds import ground, house
from tests.rulesets.orderdice.kit import Table, unit

HOUSE = house()
BLIND = ground(
    (46, 20),
    """
buildings:
  - name: blind
    rect: [20, 7, 26, 13]
    floors: 2
    openings: [{kind: door, side: east, at: 0.5}, {kind: window, floor: 1, side: east, count: 1}]
""",
)
PAIR = ground(
    (46, 20),
    """
buildings:
  - name: pair
    sections:
      - name: west
        rect: [20, 7, 26, 13]
        floors: 2
        openings: [{kind: door, side: west, at: 0.5}, {kind: window, floor: 1, side: west, count: 1}]
      - name: east
        rect: [26, 7, 32, 13]
        floors: 2
        openings: [{kind: door, side: east, at: 0.5}, {kind: window, floor: 1, side: east, count: 1}]
""",
)
BARE = ground((46, 20))
GUNS = {1: "medium_at_gun", 2: "light_howitzer", 3: "medium_howitzer", 4: "heavy_howitzer"}
HIT = 6


def fired(he: int, *more: dict[str, object], dice: object, board: object = HOUSE, **target: object) -> Table:
    """A gun of a class fires at unit 1, by default a rifle section that has acted, on the ground floor of the house."""
    row = {"kind": "rifle_section", "at": "house.1:0", "order": "fire", **target}
    table = Table(
        board,  # type: ignore[arg-type]
        unit(GUNS[he], at="g2.9"),
        unit(side=1, **row),  # type: ignore[arg-type]
        *more,
        dice=dice,  # type: ignore[arg-type]
    )
    if isinstance(table.do(NextWall(0, False, -1)), AtWhom):
        table.say(TargetUnit(1))
    return table


def rolls(table: Table, purpose: str) -> list[Rolled]:
    return [roll for roll in table.events(Rolled) if roll.purpose == purpose]


# ---- to hit --------------------------------------------------------------------------------------------------------


@pytest.mark.clause("OD-HE-1")
def test_a_shell_aimed_at_a_building_ignores_cover() -> None:
    table = fired(2, dice=[1])
    (shot,) = table.events(Shelled)
    assert shot.need == 3  # 18 inches of 48: no modifier at all; hard cover would make it 5
    assert shot.hits == 0
    assert "OD-HE-1" in shot.clauses
    table.done()


@pytest.mark.clause("OD-HE-1")
def test_in_the_open_a_shell_minds_cover_but_not_a_man_lying_down() -> None:
    rubble = ground((46, 20), "terrain: [{kind: rubble, polygon: [[30, 5], [40, 5], [40, 15], [30, 15]]}]")
    up = Table(rubble, unit("light_howitzer", at="g15.9"), unit("rifle_section", at="g35.9", side=1))
    low = Table(
        rubble, unit("light_howitzer", at="g15.9"), unit("rifle_section", at="g35.9", side=1, order="down")
    )
    needs = [fire.volley(t.state, t.board, t.unit(0), t.unit(1), False)[0].need for t in (up, low)]
    assert needs == [5, 5]


@pytest.mark.clause("OD-HE-1")
@pytest.mark.clause("OD-AT-2")
@pytest.mark.clause("OD-AT-1")
@pytest.mark.clause("OD-FLAME-1")
def test_a_blank_wall_stops_small_arms_and_flame_but_neither_shells_nor_other_heavy_weapons() -> None:
    for floor in (0, 1):
        for kind, modes in (
            ("rifle_section", []),
            ("flamethrower_team", []),
            ("bazooka_team", ["ap"]),
            ("light_howitzer", ["he"]),
            ("medium_at_gun", ["he"]),
        ):
            table = Table(BLIND, unit(kind, at="g15.9"), unit("rifle_section", at=f"blind.1:{floor}", side=1))
            groups = fire.volley(table.state, table.board, table.unit(0), table.unit(1), False)
            assert [group.mode for group in groups] == modes, (kind, floor)
            if groups:
                # from (15.5, 9.5) to the middle of the west wall (20, 10), not to a man in the middle of the house
                assert 440 <= groups[0].distance <= 455


@pytest.mark.clause("OD-HOUSE-HE")
def test_guns_use_shells_against_men_and_shot_against_armour() -> None:
    table = Table(
        BARE,
        unit("medium_at_gun", at="g5.9"),
        unit("rifle_section", at="g25.9", side=1),
        unit("medium_tank", at="g25.12", side=1),
        unit("truck", at="g25.6", side=1),
    )
    state, gun = table.state, table.unit(0)
    modes = [fire.volley(state, BARE, gun, table.unit(n), False)[0].mode for n in (1, 2, 3)]
    assert modes == ["he", "ap", "ap"]


# ---- hits ----------------------------------------------------------------------------------------------------------


@pytest.mark.clause("OD-HE-2")
@pytest.mark.clause("OD-HOUSE-HE")
@pytest.mark.clause("OD-HOUSE-PINS")
@pytest.mark.parametrize(
    ("he", "hits", "pins", "need"),
    [(1, (2,), None, 3), (2, (3,), 2, 2), (3, (2, 1), 3, 2), (4, (1, 1, 2), 5, 2)],
)
def test_the_size_of_the_shell_says_how_many_hits_pins_and_how_hard(
    he: int, hits: tuple[int, ...], pins: int | None, need: int
) -> None:
    damage = (1,) * sum(hits)
    table = fired(he, dice=[HIT, hits, *([pins] if pins else []), damage])
    (roll,) = rolls(table, "shell hits")
    assert (len(roll.faces), roll.sides) == {1: (1, 3), 2: (1, 6), 3: (2, 6), 4: (3, 6)}[he]
    for die in rolls(table, "shell pins"):
        assert die.sides == {2: 2, 3: 3, 4: 6}[he]
    (blow,) = rolls(table, "shell damage")
    assert blow.need == need == max(2, 4 - he)
    assert unit_state(table.unit(1)).pins == (pins or 1)
    (blast,) = table.events(Blasted)
    assert (blast.hits, blast.taken, blast.damage) == (sum(hits), sum(hits), 0)
    assert {"OD-HE-2", "OD-HOUSE-HE"} <= set(blast.clauses)
    table.done()


def test_a_miss_does_nothing_at_all() -> None:
    table = fired(3, dice=[2], order="")
    assert unit_state(table.unit(1)).pins == 0
    assert table.unit(1).models == 10
    assert not table.events(Blasted)
    table.done()


@pytest.mark.clause("OD-HE-2")
@pytest.mark.clause("OD-LARGE-3")
def test_only_the_floor_aimed_at_is_hit() -> None:
    others = [unit("small_rifle_section", at=f"house.1:{floor}", side=1, order="fire") for floor in (1, 2, 3)]
    table = fired(2, *others, dice=[HIT, 4, 1, (6, 6, 6, 1)])
    assert table.unit(1).models == 7
    assert all(table.unit(n).models == 6 and unit_state(table.unit(n)).pins == 0 for n in (2, 3, 4))
    table.done()


# ---- going down ------------------------------------------------------------------------------------------------------


@pytest.mark.clause("OD-HE-3")
@pytest.mark.parametrize(("low", "dice"), [(True, (1, 1, 1)), (False, (1, 1, 1, 1, 1))])
def test_a_target_that_has_not_acted_may_go_down_before_the_hits_are_rolled(
    low: bool, dice: tuple[int, ...]
) -> None:
    table = fired(2, dice=[HIT, 5, 1, dice], order="")
    assert isinstance(table.ask, GoDown)
    assert table.ask.unit == 1
    assert [roll.purpose for roll in table.events(Rolled)] == ["hit"]
    table.say(Confirm(low))
    (blast,) = table.events(Blasted)
    assert (blast.hits, blast.taken) == (5, 3 if low else 5)  # half, rounded up
    assert unit_state(table.unit(1)).order == ("down" if low else "")
    assert ("OD-HE-3" in blast.clauses) is low
    table.done()


@pytest.mark.clause("OD-HE-3")
def test_nobody_is_asked_before_a_shell_has_hit() -> None:
    table = fired(2, dice=[1], order="")
    assert table.ask is None
    table.done()


@pytest.mark.clause("OD-HE-3")
@pytest.mark.parametrize("order", ["fire", "advance", "run", "rally"])
def test_whoever_has_acted_stands_up_to_it(order: str) -> None:
    table = fired(2, dice=[HIT, 3, 1, (1, 1, 1)], order=order)
    assert not table.events(Ordered)
    table.done()


@pytest.mark.clause("OD-HE-3")
def test_a_unit_already_down_takes_half() -> None:
    table = fired(2, dice=[HIT, 6, 1, (1, 1, 1)], order="down")
    table.done()


# ---- protection ------------------------------------------------------------------------------------------------------


@pytest.mark.clause("OD-HE-4")
@pytest.mark.clause("OD-AT-5")
@pytest.mark.parametrize(("quality", "need"), [("inexperienced", 2), ("regular", 3), ("veteran", 4)])
def test_walls_do_not_help_against_shells(quality: str, need: int) -> None:
    table = fired(1, dice=[HIT, 1, 1], quality=quality)
    (blow,) = rolls(table, "shell damage")
    assert blow.need == need
    assert "OD-HE-4" in table.events(Blasted)[0].clauses
    table.done()


@pytest.mark.clause("OD-HE-4")
def test_gun_shields_do_not_help_against_shells_inside_or_out() -> None:
    for place, facing in (("house.1:0", 4), ("g30.9", 4)):
        board = HOUSE if place.startswith("house") else BARE
        table = fired(1, dice=[HIT, 1, 1], kind="medium_at_gun", at=place, facing=facing, board=board)
        assert rolls(table, "shell damage")[0].need == 3
        table.done()


# ---- falling houses --------------------------------------------------------------------------------------------------


@pytest.mark.clause("OD-HE-5")
@pytest.mark.parametrize(("he", "hits"), [(3, (4, 6)), (4, (2, 2, 6)), (4, (6, 6, 6))])
@pytest.mark.parametrize("order", ["fire", "down"])
def test_ten_hits_of_a_heavy_shell_bring_the_house_down_on_everybody(
    he: int, hits: tuple[int, ...], order: str
) -> None:
    others = [
        unit("mmg_team", at="house.1:1", side=1, order="ambush"),
        unit("light_at_gun", at="house.1:2", side=1),
        unit("officer", at="house.1:3", side=0),
        unit("officer", at="g19.9", side=1),
    ]
    table = fired(he, *others, dice=[HIT, hits], order=order)
    assert [table.unit(n).alive for n in (1, 2, 3, 4, 5)] == [False, False, False, False, True]
    (fall,) = [e for e in table.events(Happened) if e.what == "collapsed"]
    assert fall.number == sum(hits)
    assert "OD-HE-5" in fall.clauses
    (change,) = table.events(StructureSet)
    assert change.fallen
    assert change.section == 0
    assert table.state.structures[0].fallen
    table.done()


@pytest.mark.clause("OD-HE-5")
def test_nine_hits_are_not_enough() -> None:
    table = fired(3, dice=[HIT, (4, 5), 1, (1,) * 9])
    assert not table.state.structures
    assert table.unit(1).alive
    table.done()


@pytest.mark.clause("OD-HE-5")
@pytest.mark.clause("OD-LARGE-3")
def test_the_section_next_door_stands() -> None:
    table = Table(
        PAIR,
        unit("medium_howitzer", at="g2.9"),
        unit("rifle_section", at="pair.west:0", side=1, order="fire"),
        unit("rifle_section", at="pair.east:0", side=1, order="fire"),
        unit("officer", at="pair.west:1", side=1, order="fire"),
        dice=[HIT, (5, 5)],
    )
    table.do(NextWall(0, False, -1))
    table.say(TargetUnit(1))
    assert [table.unit(n).alive for n in (1, 2, 3)] == [False, True, False]
    assert PAIR.section("pair.east") not in table.state.structures
    table.done()


@pytest.mark.clause("OD-HE-5")
def test_hits_of_two_shells_are_not_added_up() -> None:
    table = Table(
        HOUSE,
        unit("medium_howitzer", at="g2.9"),
        unit("rifle_section", at="house.1:0", side=1, order="fire"),
        dice=[(4, 5), 1, (1,) * 9, (4, 5), 1, (1,) * 9],
    )
    table.do(Burst(0, table.place("house.1:0"), 3, 1, 1), Burst(0, table.place("house.1:0"), 3, 2, 1))
    assert table.unit(1).alive
    assert not table.state.structures
    table.done()


# ---- in the open -----------------------------------------------------------------------------------------------------


@pytest.mark.clause("OD-HE-6")
def test_a_burst_beside_a_house_does_not_hit_those_inside() -> None:
    table = fired(
        3,
        unit("rifle_section", at="house.1:0", side=1, order="fire"),
        dice=[HIT, (1, 1), 1, (1, 1)],
        at="g19.9",  # half an inch from the door, its burst reaches three times as far
    )
    assert [e.unit for e in table.events(Blasted)] == [1]
    assert "OD-HE-6" in table.events(Blasted)[0].clauses
    assert unit_state(table.unit(2)).pins == 0
    table.done()


@pytest.mark.clause("OD-HE-6")
def test_not_even_in_a_hut_whose_middle_the_burst_reaches() -> None:
    hut = ground(
        (46, 20), "buildings: [{name: hut, rect: [20, 9, 22, 11], openings: [{kind: door, side: west}]}]"
    )
    table = Table(hut, unit("officer", at="g19.9"), unit("officer", at="hut.1:0", side=1))
    inside, outside = table.place("hut.1:0"), table.place("g19.9")
    assert hut.distance(inside, outside) < 200
    assert caught(table.state, hut, outside, 4) == [0]
    assert caught(table.state, hut, inside, 4) == [1]


@pytest.mark.clause("OD-HOUSE-HE")
@pytest.mark.parametrize(("he", "reach"), [(1, 0), (2, 100), (3, 150), (4, 200)])
def test_the_burst_reaches_half_its_diameter(he: int, reach: int) -> None:
    row = [unit("officer", at=f"g{20 + x}.9", side=x % 2) for x in range(4)]
    table = Table(BARE, *row, unit("officer", at="g21.10"))
    near = {0: [0], 100: [0, 1], 150: [0, 1, 4], 200: [0, 1, 2, 4]}[reach]
    assert caught(table.state, BARE, table.place("g20.9"), he) == near
    assert SHELLS[he].diameter == 100 * he


@pytest.mark.clause("OD-HOUSE-SIGHT")
@pytest.mark.clause("OD-HOUSE-HE")
def test_everybody_a_burst_catches_rolls_hits_of_their_own_friend_or_foe() -> None:
    table = Table(
        BARE,
        unit("heavy_howitzer", at="g2.9"),
        unit("rifle_section", at="g25.9", side=1, order="fire"),
        unit("officer", at="g27.9", side=0, order="fire"),
        unit("medium_tank", at="g25.10", side=1, order="fire", facing=4),
        unit("truck", at="g25.8", side=1, order="fire", facing=4),
        dice=[
            HIT,
            *((1, 1, 1), 1, (1, 1, 1)),  # the target: hits, pins, damage
            *((1, 1, 2), 2, (1, 1, 1, 1)),  # the officer, two inches off
            *(3, (1,)),  # an armoured vehicle: one hit, so no roll for them; pins, one damage roll
            *((1, 1, 1), 1, (1, 1, 1)),  # a truck is not armoured
        ],
    )
    table.do(NextWall(0, False, -1))
    table.say(TargetUnit(1))
    assert [(e.unit, e.hits) for e in table.events(Blasted)] == [(1, 3), (2, 4), (3, 1), (4, 3)]
    assert [unit_state(table.unit(n)).pins for n in (1, 2, 3, 4)] == [1, 2, 3, 1]
    table.done()


@pytest.mark.clause("OD-HOUSE-PINS")
def test_a_bystander_that_loses_half_tests_once() -> None:
    table = Table(
        BARE,
        unit("light_howitzer", at="g2.9"),
        unit("rifle_section", at="g25.9", side=1, order="fire"),
        unit("officer", at="g26.9", side=1, order="fire"),
        dice=[HIT, 1, 1, 1, 1, 1, 6, (1, 1)],
    )
    table.do(NextWall(0, False, -1))
    table.say(TargetUnit(1))
    assert [roll.actor for roll in rolls(table, "morale losses")] == [2]
    table.done()


@pytest.mark.clause("OD-HOUSE-PINS")
def test_so_does_the_target() -> None:
    table = fired(2, dice=[HIT, 5, 1, (6,) * 5, (1, 1)], board=BARE, at="g25.9")
    assert table.unit(1).models == 5
    assert [roll.actor for roll in rolls(table, "morale losses")] == [1]
    table.done()


@pytest.mark.clause("OD-HOUSE-PINS")
def test_a_shells_pins_stand_in_for_those_of_small_arms() -> None:
    table = Table(
        BARE,
        unit("medium_tank", at="g2.9", facing=0),
        unit("rifle_section", at="g20.9", side=1, order="fire"),
        # the gun, then the turret's and the hull's machine guns together
        dice=[HIT, 1, 1, (6,) * 10, (1,) * 10],
    )
    table.do(NextWall(0, False, -1))
    assert unit_state(table.unit(1)).pins == 1
    assert len(table.events(Shot)) == 1
    table.done()


# ---- empty buildings -------------------------------------------------------------------------------------------------


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
    howitzer = Table(board, unit("medium_howitzer", at="g2.9"), unit("officer", at="hall.1:0", side=1))
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
    near = Table(board, unit("medium_howitzer", at="g48.10"), unit("officer", at="hall.1:0", side=1))
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
    table = Table(STREET, unit(kind, at="g2.10"), unit("rifle_section", at="g72.10", side=1))
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
        unit("rifle_section", at="h0.1:0", side=1),
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
@pytest.mark.parametrize(("hits", "falls"), [((4, 6), True), ((4, 5), False)])
def test_an_empty_building_is_hit_as_if_one_unit_stood_on_the_floor(
    hits: tuple[int, int], falls: bool
) -> None:
    table = Table(
        HOUSE, unit("medium_howitzer", at="g2.9"), unit("officer", at="g45.0", side=1), dice=[3, hits]
    )
    table.do(NextWall(0, False, -1))
    table.say(TargetSpace(table.place("house.1:0")))
    (shot,) = table.events(Shelled)
    assert (shot.target, shot.need, shot.hits) == (-1, 3, 1)
    assert {"OD-EMPTY-1", "OD-HOUSE-EMPTY"} <= set(shot.clauses)
    (blast,) = table.events(Blasted)
    assert (blast.unit, blast.hits) == (-1, sum(hits))
    assert (0 in table.state.structures) is falls
    table.done()


def test_losses_name_the_shell() -> None:
    table = fired(2, dice=[HIT, 2, 1, (6, 6)])
    assert [(e.unit, e.lost, e.how) for e in table.events(ModelsLost)] == [(1, 2, "shelled")]
    table.done()


def test_a_shell_in_the_air_is_saved_and_loaded() -> None:
    table = fired(4, dice=[HIT, (1, 1, 1), 1, (1, 1)], order="")
    assert isinstance(table.ask, GoDown)
    table.r.state = RULESET.codec.load(dump_state(table.state))
    table.say(Confirm(True))
    assert unit_state(table.unit(1)).pins == 1
    table.done()
