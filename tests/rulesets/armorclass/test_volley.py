"""What a volley leaves behind: who is shown by it, what is used up, whom an effect area catches, and the clauses it names
(AC-CONC-1, AC-HOUSE-CONCEAL, AC-HOUSE-DATA, AC-HOUSE-AREA)."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace

from battlesim.core.answers import Answer, TargetUnit
from battlesim.core.events import UnitSet
from battlesim.rulesets.armorclass.data import TYPES
from battlesim.rulesets.armorclass.facts_fire import Volley
from battlesim.rulesets.armorclass.model import Fieldwork, Into, Search, Through
from battlesim.rulesets.armorclass.shoot import AtWhom
from tests.rulesets.armorclass.kit import SOUTH, Table, ground, house, unit


def fire_at(table: Table, target: int = 1) -> Table:
    """Unit 0 fires at a unit in sight."""
    table.do(AtWhom(0, side=0))
    table.say(TargetUnit(target))
    table.done()
    return table


@pytest.mark.clause("AC-HOUSE-CONCEAL", "AC-HOUSE-DATA")
@pytest.mark.parametrize(
    ("kind", "before", "after"),
    [("marksmen", -1, 0), ("marksmen", 2, 2), ("gun_team", -1, 2), ("gun_team", 1, 2), ("gun_team", 3, 3)],
)
def test_the_loudest_shot_since_the_last_activation_is_what_shows_a_unit(
    kind: str, before: int, after: int
) -> None:
    """A marksman's laser adds nothing, a rotary gun 2; firing softly later hides nobody again. Nothing is used up by it."""
    table = fire_at(
        Table(
            ground(),
            unit(kind, "g1.1", models=1, fired=before),
            unit("militia", "g4.1", side=1, detected=True),
            dice=[[10] * (3 if kind == "gun_team" else 1)],
        )
    )
    assert table.unit(0).own.fired == after
    assert table.unit(0).own.spent == ()


@pytest.mark.clause("AC-CONC-1")
@pytest.mark.parametrize(
    ("at", "fired", "named"), [("house.1:0", -1, True), ("house.1:0", 0, False), ("g9.4", -1, False)]
)
def test_only_the_first_shot_from_total_concealment_gives_it_away(at: str, fired: int, named: bool) -> None:
    board = house("type: pillbox") if at != "g9.4" else ground()
    table = fire_at(
        Table(
            board,
            unit("marksmen", at, models=1, fired=fired),
            unit("militia", "g9.1", side=1, detected=True),
            dice=[10],
        )
    )
    shown = next(event for event in table.events(UnitSet) if "fired" in event.own)
    assert ("AC-CONC-1" in shown.clauses) is named
    assert "AC-HOUSE-CONCEAL" in shown.clauses


@pytest.mark.clause(
    "AC-ATTACK-2", "AC-COVER-1", "AC-CONC-1", "AC-TYPE-4", "AC-TYPE-6", "AC-TYPE-8", "AC-TYPE-9"
)
@pytest.mark.parametrize(
    ("firer", "target", "at", "own", "work", "named"),
    [
        ("marksmen", "militia", "g9.4", {}, "", ()),
        ("marksmen", "militia", "g9.4", {}, "emplacement", ("AC-TYPE-8",)),
        ("marksmen", "marksmen", "g9.4", {}, "foxhole", ("AC-TYPE-4",)),
        ("marksmen", "militia", "house.1:0", {"fired": 0}, "", ("AC-COVER-1", "AC-ATTACK-2", "AC-CONC-1")),
        ("piercer_team", "turret", "g9.4", {}, "", ("AC-TYPE-9",)),
    ],
)
def test_a_volley_names_what_bears_on_who_is_fired_at(
    firer: str, target: str, at: str, own: dict[str, Any], work: str, named: tuple[str, ...]
) -> None:
    table = Table(
        house() if at != "g9.4" else ground(),
        unit(firer, "g9.1", models=1),
        unit(target, at, side=1, detected=True, **own),
        dice=[10],
    )
    if work:
        table.r.set_extra(fieldworks=(Fieldwork(work, table.place(at), 8),))
    fire_at(table)
    (volley,) = table.events(Volley)
    assert volley.clauses == ("AC-HOUSE-HIT", "AC-HOUSE-AIM", *named)


@pytest.mark.clause("AC-TYPE-5", "AC-TYPE-6")
@pytest.mark.parametrize(
    ("kind", "own", "shots", "named"),
    [
        ("marksmen", "type: pillbox", [2], "AC-TYPE-5"),
        ("automated_strongpoint", "type: strongpoint", [2, 3], "AC-TYPE-6"),
    ],
)
def test_a_volley_names_once_what_it_is_fired_from(kind: str, own: str, shots: list[int], named: str) -> None:
    """Soldiers what they are in, a strongpoint what it is; neither the wall about them."""
    table = fire_at(
        Table(
            house(own),
            unit(kind, "house.1:0"),
            unit("militia", "g9.1", side=1, models=1, detected=True),
            dice=[[10] * number for number in shots],
        )
    )
    assert [event.clauses for event in table.events(Volley)] == [
        ("AC-HOUSE-HIT", "AC-HOUSE-AIM", named)
    ] * len(shots)


# ---- at a wall or bank


@pytest.mark.clause("AC-HOUSE-CONCEAL", "AC-EXPL-1", "AC-OPEN-1")
@pytest.mark.parametrize("how", [Search, Into])
def test_who_fires_at_a_house_shows_himself_as_well(how: type[Answer]) -> None:
    """A heavy fusion rifle: 2."""
    table = Table(house(), unit("powered_team", "g9.1", models=1), dice=[10])
    table.do(AtWhom(0, side=0))
    table.say(next(answer for answer in table.legal if isinstance(answer, how)))
    assert table.unit(0).own.fired == 2
    table.done()


@pytest.mark.clause("AC-HOUSE-PEN", "AC-KNOWN-1")
@pytest.mark.parametrize("bank", [False, True])
def test_weapons_that_cannot_go_through_hold_their_fire(bank: bool) -> None:
    """A piercer of 11 against class 9; the carbine of 4 beside it takes no dice, neither at the concrete nor at the bank."""
    at = "g9.4" if bank else "house.1:0"
    table = Table(
        ground() if bank else house("type: pillbox"),
        unit("piercer_team", "g9.2"),
        unit("powered_team", at, side=1, detected=True),
        dice=[10],
    )
    if bank:
        table.r.set_extra(fieldworks=(Fieldwork("emplacement", table.place(at), 9),))
    table.do(AtWhom(0, side=0))
    table.say(Through(1, -1 if bank else SOUTH))
    assert [event.weapon for event in table.events(Volley)] == ["piercer_launcher"]
    table.done()


@pytest.mark.clause("AC-HOUSE-INSIDE", "AC-KNOWN-1")
@pytest.mark.parametrize("named", [1, 2])
def test_whoever_is_named_is_hit_and_nobody_else(named: int) -> None:
    """Of two known enemies on the floor: no die for which of them."""
    table = Table(
        house(),
        unit("marksmen", "g9.2", models=1),
        unit("militia", "house.1:0", side=1, detected=True),
        unit("militia", "house.1:0", side=1, detected=True),
        dice=[9, 7, 3, 2],
    )
    table.do(AtWhom(0, side=0))
    table.say(Through(named, SOUTH))
    assert [table.unit(n).models for n in (1, 2)] == [3 if n == named else 4 for n in (1, 2)]
    table.done()


@pytest.mark.clause("AC-HOUSE-INSIDE", "AC-KNOWN-1")
def test_once_the_named_one_is_dead_what_comes_through_finds_nobody() -> None:
    """The rotary gun kills him; the carbine still goes through the wall, and is not turned on the other."""
    table = Table(
        house(),
        unit("gun_team", "g9.2"),
        unit("militia", "house.1:0", side=1, models=1, detected=True),
        unit("militia", "house.1:0", side=1),
        dice=[[9, 10, 10], [7], [5], [2], [9, 10], [8]],
    )
    table.do(AtWhom(0, side=0))
    table.say(Through(1, SOUTH))
    shots = table.events(Volley)
    assert [(v.through, v.penetrations) for v in shots] == [(1, 1), (1, 0)]
    assert [(v.how, v.target) for v in shots] == [("through", 1), ("wall", -1)]
    assert [table.unit(n).models for n in (1, 2)] == [0, 4]
    table.done()


@pytest.mark.clause("AC-HOUSE-INSIDE", "AC-EXPL-1")
@pytest.mark.parametrize("dice", [[10], [9, 6]])
def test_what_misses_or_does_not_come_through_is_rolled_for_no_further(dice: list[int]) -> None:
    """Factor 5 against brick of 6: on 7. Two units are within: neither is picked."""
    table = Table(
        house(),
        unit("marksmen", "g9.2", models=1),
        unit("militia", "house.1:0", side=1),
        unit("militia", "house.1:0", side=1),
        dice=dice,
    )
    table.do(AtWhom(0, side=0))
    table.say(Search(table.place("house.1:0"), SOUTH))
    assert table.events(Volley)[0].through == 0
    table.done()


# ---- effect areas ----------------------------------------------------------------------------------------------------


@pytest.mark.clause("AC-HOUSE-AREA")
@pytest.mark.parametrize(("face", "left"), [(7, [2, 2]), (8, [4, 4])])
def test_whoever_stands_with_the_target_is_caught_when_it_is_and_as_much(face: int, left: list[int]) -> None:
    """A circle of one inch covers 3.14 of 9: two of four in either unit, the whole circle counting. A miss harms nobody."""
    table = fire_at(
        Table(
            ground(),
            unit("hunter_team", "g1.1", models=1),
            unit("militia", "g4.1", side=1, detected=True),
            unit("militia", "g4.1", side=1),
            dice=[face],
        )
    )
    assert [table.unit(n).models for n in (1, 2)] == left


@pytest.mark.clause("AC-HOUSE-AREA")
def test_of_two_that_come_down_each_catches_whoever_stands_there(monkeypatch: pytest.MonkeyPatch) -> None:
    """Two effect areas of one group: the other unit is caught alike, twice two of its four."""
    twins = replace(TYPES["hunter_team"], name="twins", slots=("hammerhead_launcher",) * 2)
    monkeypatch.setitem(TYPES, "twins", twins)
    table = fire_at(
        Table(
            ground(),
            unit("twins", "g1.1"),
            unit("militia", "g4.1", side=1, detected=True),
            unit("militia", "g4.1", side=1),
            dice=[[7, 7]],
        )
    )
    assert [table.unit(n).alive for n in (1, 2)] == [False, False]


@pytest.mark.clause("AC-HOUSE-PEN")
@pytest.mark.parametrize(
    ("kind", "dice", "sure"), [("militia", [[1, 10]], True), ("heavy_team", [[1, 10], [9]], False)]
)
def test_a_volley_says_whether_the_armour_could_stop_it(kind: str, dice: list[list[int]], sure: bool) -> None:
    """Distorters (factor 6) need no die against class 1; against class 7 they go through on 7 and more."""
    table = Table(
        ground(), unit("distorter_team", "g3.4"), unit(kind, "g5.4", side=1, detected=True), dice=dice
    )
    table.do(AtWhom(0, side=0))
    table.say(TargetUnit(1))
    (shots,) = table.events(Volley)
    assert (shots.penetrations, shots.sure) == (1, sure)
    table.done()


@pytest.mark.clause("AC-CONC-1", "AC-HOUSE-CONCEAL")
@pytest.mark.parametrize(("damage", "after"), [(10, 3), (1, 4)])
def test_a_weapon_that_holds_its_fire_shows_nobody(damage: int, after: int) -> None:
    """A heavy tank's particle beam adds 3, its blast cannon 4: but if the beam destroys the car, the cannon does not fire."""
    rest = [[10], [10, 10, 10]] if after == 4 else []
    table = fire_at(
        Table(
            ground(),
            unit("heavy_tank", "g1.1"),
            unit("carrier", "g4.1", side=1, detected=True),
            dice=[[1], [10], damage, *([1] if after == 4 else []), *rest],
        )
    )
    assert table.unit(1).alive is (after == 4)
    assert table.unit(0).own.fired == after


@pytest.mark.clause("AC-HOUSE-INSIDE", "AC-KNOWN-1", "AC-HOUSE-STRUCT")
def test_once_the_named_one_has_crawled_out_the_rest_is_fire_at_the_wall() -> None:
    """The blast cannon fells the floor and the team crawls out of it; the rotary cannon after it names nobody."""
    table = Table(
        house(size=3, floors=1),
        unit("heavy_tank", "g9.2"),
        unit("powered_team", "house.1:0", side=1, detected=True),
        dice=[10, 9, 10, [1, 1, 1], [8, 8, 8], [10, 10, 10]],
    )
    table.do(AtWhom(0, side=0))
    table.say(Through(1, SOUTH))
    assert table.where(1) != "house.1:0"
    assert [(e.weapon, e.how, e.target) for e in table.events(Volley)] == [
        ("particle_cannon", "through", 1),
        ("blast_cannon", "through", 1),
        ("vehicle_rotary", "wall", -1),
    ]
    table.done()
