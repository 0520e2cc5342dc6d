"""Shells over open sights (OD-HE, OD-HOUSE-HE) and what small arms do beside them. At empty buildings:
`test_empty_buildings.py`."""

from __future__ import annotations

from typing import Any

import pytest

from battlesim.board.board import Board
from battlesim.core.answers import Confirm, TargetUnit
from battlesim.core.codec import dump_state
from battlesim.core.events import Happened, ModelsLost, Rolled, StructureSet
from battlesim.rulesets.orderdice import fire
from battlesim.rulesets.orderdice.facts import Ordered
from battlesim.rulesets.orderdice.facts_fire import Blasted, Shelled, Shot
from battlesim.rulesets.orderdice.he import SHELLS, Burst, caught
from battlesim.rulesets.orderdice.model import unit_state
from battlesim.rulesets.orderdice.react import GoDown
from battlesim.rulesets.orderdice.ruleset import RULESET
from battlesim.rulesets.orderdice.shoot import AtWhom, NextWall
from tests.rulesets.orderdice.grounds import ground, house, terrace
from tests.rulesets.orderdice.kit import Table, acted, foe, pins, rolls, unit

HOUSE, PAIR, BARE = house(), terrace(6, 6), ground((46, 20))
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
GUNS = {1: "medium_at_gun", 2: "light_howitzer", 3: "medium_howitzer", 4: "heavy_howitzer"}
"""A gun of each class of shell."""
HIT = 6


def fired(he: int, *more: dict[str, Any], dice: list[Any], board: Board = HOUSE, **target: Any) -> Table:
    """A gun of a class fires at unit 1, by default a rifle section that has acted, on the ground floor of the house."""
    shot_at = acted(**{"at": "house.1:0", **target})
    table = Table(board, unit(GUNS[he], at="g2.9"), shot_at, *more, dice=dice)
    if isinstance(table.do(NextWall(0, False, -1)), AtWhom):
        table.say(TargetUnit(1))
    return table


# ---- to hit ----------------------------------------------------------------------------------------------------------


@pytest.mark.clause("OD-HE-1")
def test_a_shell_aimed_at_a_building_ignores_cover() -> None:
    table = fired(2, dice=[1])
    (shot,) = table.events(Shelled)
    assert shot.need == 3  # 18 inches of 48: no modifier at all; hard cover would make it 5
    assert shot.hits == 0
    assert "OD-HE-1" in shot.clauses
    table.done()


@pytest.mark.clause("OD-HE-1")
@pytest.mark.parametrize("order", ["", "down"])
def test_in_the_open_a_shell_minds_cover_but_not_a_man_lying_down(order: str) -> None:
    rubble = ground((46, 20), "terrain: [{kind: rubble, polygon: [[30, 5], [40, 5], [40, 15], [30, 15]]}]")
    table = Table(rubble, unit("light_howitzer", at="g15.9"), foe("rifle_section", "g35.9", order=order))
    assert fire.volley(table.state, rubble, table.unit(0), table.unit(1), False)[0].need == 5


# A blank wall stops small arms and flame, but neither shells nor other heavy weapons.
@pytest.mark.clause("OD-HE-1")
@pytest.mark.clause("OD-AT-2")
@pytest.mark.clause("OD-AT-1")
@pytest.mark.clause("OD-FLAME-1")
@pytest.mark.parametrize("floor", [0, 1])
@pytest.mark.parametrize(
    ("kind", "modes"),
    [
        ("rifle_section", []),
        ("flamethrower_team", []),
        ("bazooka_team", ["ap"]),
        ("light_howitzer", ["he"]),
        ("medium_at_gun", ["he"]),
    ],
)
def test_what_a_blank_wall_stops(kind: str, modes: list[str], floor: int) -> None:
    table = Table(BLIND, unit(kind, at="g15.9"), foe("rifle_section", f"blind.1:{floor}"))
    groups = fire.volley(table.state, table.board, table.unit(0), table.unit(1), False)
    assert [group.mode for group in groups] == modes
    # from (15.5, 9.5) to the middle of the west wall (20, 10), not to a man in the middle of the house
    assert all(440 <= group.distance <= 455 for group in groups[:1])


@pytest.mark.clause("OD-HOUSE-HE")
@pytest.mark.parametrize(
    ("target", "mode"), [("rifle_section", "he"), ("medium_tank", "ap"), ("truck", "ap")]
)
def test_guns_use_shells_against_men_and_shot_against_armour(target: str, mode: str) -> None:
    table = Table(BARE, unit("medium_at_gun", at="g5.9"), foe(target, "g25.9"))
    assert fire.volley(table.state, BARE, table.unit(0), table.unit(1), False)[0].mode == mode


# ---- hits ------------------------------------------------------------------------------------------------------------


# The class of the shell says how many hits and pins are rolled for, and how hard it is: a regular takes damage on 4, less the
# class, but never on a 1. The smallest shell gives one pin without a roll.
@pytest.mark.clause("OD-HE-2")
@pytest.mark.clause("OD-HOUSE-HE")
@pytest.mark.clause("OD-HOUSE-PINS")
@pytest.mark.parametrize(
    ("he", "hits", "hit_sides", "pins_rolled", "pin_sides", "need"),
    [
        pytest.param(1, (2,), 3, [], 0, 3, id="D3 hits and 1 pin"),
        pytest.param(2, (3,), 6, [2], 2, 2, id="D6 hits and D2 pins"),
        pytest.param(3, (2, 1), 6, [3], 3, 2, id="2D6 hits and D3 pins"),
        pytest.param(4, (1, 1, 2), 6, [5], 6, 2, id="3D6 hits and D6 pins"),
    ],
)
def test_the_size_of_the_shell_says_how_many_hits_pins_and_how_hard(
    he: int, hits: tuple[int, ...], hit_sides: int, pins_rolled: list[int], pin_sides: int, need: int
) -> None:
    table = fired(he, dice=[HIT, hits, *pins_rolled, (1,) * sum(hits)])
    (roll,) = rolls(table, "shell hits")
    assert (len(roll.faces), roll.sides) == (len(hits), hit_sides)
    assert [die.sides for die in rolls(table, "shell pins")] == [pin_sides] * len(pins_rolled)
    (blow,) = rolls(table, "shell damage")
    assert blow.need == need
    assert pins(table, 1) == (pins_rolled or [1])
    (blast,) = table.events(Blasted)
    assert (blast.hits, blast.taken, blast.damage) == (sum(hits), sum(hits), 0)
    assert {"OD-HE-2", "OD-HOUSE-HE"} <= set(blast.clauses)
    table.done()


def test_a_miss_does_nothing_at_all() -> None:
    table = fired(3, dice=[2], order="")
    assert pins(table, 1) == [0]
    assert table.unit(1).models == 10
    assert not table.events(Blasted)
    table.done()


@pytest.mark.clause("OD-HE-2")
@pytest.mark.clause("OD-LARGE-3")
def test_only_the_floor_aimed_at_is_hit() -> None:
    others = [acted(f"house.1:{floor}", "small_rifle_section") for floor in (1, 2, 3)]
    table = fired(2, *others, dice=[HIT, 4, 1, (6, 6, 6, 1)])
    assert table.unit(1).models == 7
    assert [table.unit(n).models for n in (2, 3, 4)] == [6, 6, 6]
    assert pins(table, 2, 3, 4) == [0, 0, 0]
    table.done()


# ---- going down ------------------------------------------------------------------------------------------------------


# A target that has not acted may go down before the hits are rolled, and takes half of them, rounded up.
@pytest.mark.clause("OD-HE-3")
@pytest.mark.parametrize(
    ("low", "taken", "order"),
    [
        pytest.param(True, 3, "down", id="goes down"),
        pytest.param(False, 5, "", id="stands"),
    ],
)
def test_a_target_that_has_not_acted_may_go_down_before_the_hits_are_rolled(
    low: bool, taken: int, order: str
) -> None:
    table = fired(2, dice=[HIT, 5, 1, [1] * taken], order="")
    assert isinstance(table.ask, GoDown)
    assert table.ask.unit == 1
    assert [roll.purpose for roll in table.events(Rolled)] == ["hit"]
    table.say(Confirm(low))
    (blast,) = table.events(Blasted)
    assert (blast.hits, blast.taken) == (5, taken)
    assert unit_state(table.unit(1)).order == order
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
@pytest.mark.parametrize(
    ("board", "at"),
    [pytest.param(HOUSE, "house.1:0", id="inside"), pytest.param(BARE, "g30.9", id="outside")],
)
def test_gun_shields_do_not_help_against_shells_inside_or_out(board: Board, at: str) -> None:
    table = fired(1, dice=[HIT, 1, 1], kind="medium_at_gun", at=at, facing=4, board=board)
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
    others = [acted("t.t2:0"), acted("t.t1:1", "officer")]
    table = fired(3, *others, dice=[HIT, (5, 5)], board=PAIR, at="t.t1:0")
    assert [table.unit(n).alive for n in (1, 2, 3)] == [False, True, False]
    assert PAIR.section("t.t2") not in table.state.structures
    table.done()


@pytest.mark.clause("OD-HE-5")
def test_hits_of_two_shells_are_not_added_up() -> None:
    dice = [(4, 5), 1, (1,) * 9, (4, 5), 1, (1,) * 9]
    table = Table(HOUSE, unit("medium_howitzer", at="g2.9"), acted("house.1:0"), dice=dice)
    table.do(Burst(0, table.place("house.1:0"), 3, 1, 1), Burst(0, table.place("house.1:0"), 3, 2, 1))
    assert table.unit(1).alive
    assert not table.state.structures
    table.done()


# ---- in the open -----------------------------------------------------------------------------------------------------


@pytest.mark.clause("OD-HE-6")
def test_a_burst_beside_a_house_does_not_hit_those_inside() -> None:
    table = fired(
        3,
        acted("house.1:0"),
        dice=[HIT, (1, 1), 1, (1, 1)],
        at="g19.9",  # half an inch from the door, its burst reaches three times as far
    )
    assert [e.unit for e in table.events(Blasted)] == [1]
    assert "OD-HE-6" in table.events(Blasted)[0].clauses
    assert pins(table, 2) == [0]
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


# A burst reaches half its diameter from the middle: friend or foe stand 0, 1, 2 and 3 inches east of it, the last 1.4 inches.
@pytest.mark.clause("OD-HOUSE-HE")
@pytest.mark.parametrize(
    ("he", "diameter", "units"),
    [(1, 100, [0]), (2, 200, [0, 1]), (3, 300, [0, 1, 4]), (4, 400, [0, 1, 2, 4])],
)
def test_the_burst_reaches_half_its_diameter(he: int, diameter: int, units: list[int]) -> None:
    row = [unit("officer", at=f"g{20 + x}.9", side=x % 2) for x in range(4)]
    table = Table(BARE, *row, unit("officer", at="g21.10"))
    assert SHELLS[he].diameter == diameter
    assert caught(table.state, BARE, table.place("g20.9"), he) == units


@pytest.mark.clause("OD-HOUSE-SIGHT")
@pytest.mark.clause("OD-HOUSE-HE")
def test_everybody_a_burst_catches_rolls_hits_of_their_own_friend_or_foe() -> None:
    table = fired(
        4,
        unit("officer", at="g27.9", order="fire"),
        acted("g25.10", "medium_tank", facing=4),
        acted("g25.8", "truck", facing=4),
        dice=[
            HIT,
            *((1, 1, 1), 1, (1, 1, 1)),  # the target: hits, pins, damage
            *((1, 1, 2), 2, (1, 1, 1, 1)),  # the officer, two inches off
            *(3, (1,)),  # an armoured vehicle: one hit, so no roll for them; pins, one damage roll
            *((1, 1, 1), 1, (1, 1, 1)),  # a truck is not armoured
        ],
        board=BARE,
        at="g25.9",
    )
    assert [(e.unit, e.hits) for e in table.events(Blasted)] == [(1, 3), (2, 4), (3, 1), (4, 3)]
    assert pins(table, 1, 2, 3, 4) == [1, 2, 3, 1]
    table.done()


# Whoever loses half to a burst tests once, the target or a bystander.
@pytest.mark.clause("OD-HOUSE-PINS")
@pytest.mark.parametrize(
    ("others", "dice", "tester", "left"),
    [
        pytest.param([], [HIT, 5, 1, (6,) * 5, (1, 1)], 1, 5, id="the target"),
        pytest.param([acted("g26.9", "officer")], [HIT, 1, 1, 1, 1, 1, 6, (1, 1)], 2, 1, id="a bystander"),
    ],
)
def test_who_loses_half_tests_once(
    others: list[dict[str, Any]], dice: list[Any], tester: int, left: int
) -> None:
    table = fired(2, *others, dice=dice, board=BARE, at="g25.9")
    assert table.unit(tester).models == left
    assert [roll.actor for roll in rolls(table, "morale losses")] == [tester]
    table.done()


@pytest.mark.clause("OD-HOUSE-PINS")
def test_a_shells_pins_stand_in_for_those_of_small_arms() -> None:
    table = Table(
        BARE,
        unit("medium_tank", at="g2.9", facing=0),
        acted("g20.9"),
        # the gun, then the turret's and the hull's machine guns together
        dice=[HIT, 1, 1, (6,) * 10, (1,) * 10],
    )
    table.do(NextWall(0, False, -1))
    assert pins(table, 1) == [1]
    assert len(table.events(Shot)) == 1
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
    assert pins(table, 1) == [1]
    table.done()
