"""The worked examples of fire at buildings, and fire at them on the move and together (SH-EX-1, SH-EX-3, SH-HOUSE-ACTIONS)."""

from __future__ import annotations

import pytest

from battlesim.core.answers import MoveTo, Order, Pass, Pick, TargetSpace, TargetUnit
from battlesim.core.events import Happened, ModelsLost, Rolled
from battlesim.core.state import Structure
from battlesim.rulesets.squadhex import fire, targets
from battlesim.rulesets.squadhex.area import Bombard
from battlesim.rulesets.squadhex.attack import Attack
from battlesim.rulesets.squadhex.declare import AtWhom
from battlesim.rulesets.squadhex.facts import BuildingAttacked
from tests.rulesets.squadhex.kit import Table, unit

NO, YES = 1, 6


def dice(hits: int, of: int) -> list[int]:
    return [YES] * hits + [NO] * (of - hits)


@pytest.mark.clause("SH-EX-1", "SH-FALL-1", "SH-FALL-3", "SH-HOUSE-ACTIONS")
def test_example_the_gun_and_the_tank() -> None:
    """8 against vehicles and 6 for the ability, 5 of the tank's 7 + 3: 19 dice against 3; 9 hits; 8 dice inside; overlay +2."""
    table = Table(
        unit("heavy_infantry_gun", at="g4.1"),
        unit("medium_tank", at="g5.1"),
        unit("rifle_squad", at="hall.high:0", side=1),
        dice=[dice(10, 19), [5, NO, NO], dice(3, 8)],
    )
    table.act(0, "concentrated")
    table.say(TargetSpace(table.place("hall.high:0")))  # the one tank that can support does
    table.done()
    (event,) = table.events(BuildingAttacked)
    assert (event.dice, event.required, event.net, event.comes) == (19, 9, 9, "falls")
    fall = [roll for roll in table.events(Rolled) if roll.purpose == "fall"]
    assert [(len(roll.faces), roll.need) for roll in fall] == [(8, 4)]
    (overlay,) = [event for event in table.events(Happened) if event.what == "overlay"]
    assert overlay.number == 2
    assert table.unit(2).models == 1
    assert not table.unit(1).own.fresh
    assert "SH-EX-1" in table.clauses()


@pytest.mark.clause("SH-EX-1")
def test_example_eight_hits_do_not_bring_it_down() -> None:
    table = Table(
        unit("heavy_infantry_gun", at="g4.1"),
        unit("medium_tank", at="g5.1"),
        unit("rifle_squad", at="hall.high:0", side=1),
        dice=[dice(9, 19), [5, NO, NO]],
    )
    table.act(0, "concentrated")
    table.say(TargetSpace(table.place("hall.high:0")))
    table.done()
    assert table.events(BuildingAttacked)[0].comes == "weakens"
    assert not table.events(ModelsLost)


@pytest.mark.clause("SH-EX-1")
def test_example_is_not_that_of_two_tanks() -> None:
    """Neither has an ability that already contains its concussive fire: both bonuses count."""
    table = Table(unit("medium_tank", at="g8.3"), unit("medium_tank", at="g9.3"), dice=[[NO] * 15])
    table.act(0, "concentrated")
    table.say(TargetSpace(table.place("hut.only:0")))
    table.done()
    assert "SH-EX-1" not in table.clauses()


@pytest.mark.clause("SH-EX-3")
def test_example_is_about_the_top_level() -> None:
    table = Table(
        unit("mortar_team", at="g4.2"), unit("rifle_squad", at="hall.high:0", side=1), dice=[[NO] * 4]
    )
    table.do(Attack(0, 1, "normal", "fire"))
    assert "SH-EX-3" not in table.clauses()


@pytest.mark.clause("SH-EX-3")
@pytest.mark.parametrize("mode", ["normal", "suppressive"])
def test_example_the_mortar_still_fires_at_the_squad_on_top(mode: str) -> None:
    """Four dice never make the nine hits of the house, but the squad upstairs may be attacked either way."""
    table = Table(
        unit("mortar_team", at="g4.2"),
        unit("rifle_squad", at="hall.high:1", side=1),
        dice=[dice(2, 4), [NO] * 3],
    )
    gun = table.unit(0)
    assert fire.strength_at_building(gun, 2) == 4 < fire.required(1, True)
    table.act(0, "fire")
    table.say(TargetUnit(1), Order(mode))
    table.done()
    assert "SH-EX-3" in table.clauses()
    assert (table.unit(1).models, table.unit(1).own.pinned) == ((2, False) if mode == "normal" else (4, True))


@pytest.mark.clause("SH-EX-3")
@pytest.mark.parametrize("mode", ["normal", "suppressive"])
@pytest.mark.parametrize(("at", "named"), [("hall.high:1", True), ("hall.high:0", False)])
def test_example_the_mortar_lobs_at_the_squad_on_top(mode: str, at: str, named: bool) -> None:
    """Five dice bring down neither the nine of one hex nor the six of the next; the bottom floor is not even hit."""
    normal = mode == "normal"
    rolled = [[NO] * (5 if normal else 7)] * named + [[NO] * 5] * normal
    table = Table(unit("mortar_team", at="g4.1"), unit("rifle_squad", at=at, side=1), dice=[1, *rolled])
    table.do(Bombard(0, table.place("hall.high:0"), mode))
    table.done()
    assert ("SH-EX-3" in table.clauses()) == named


@pytest.mark.clause("SH-EX-3")
@pytest.mark.parametrize(
    ("kind", "rolled", "weak", "named"),
    [
        ("rifle_squad", 4, False, True),  # nothing of it counts
        ("mortar_team", 4, False, True),
        ("mortar_team", 4, True, True),  # four dice, and five are needed where it is weakened
        ("anti_tank_gun", 4, False, False),  # eight against walls: six bring down the lower hex of the house
        ("medium_tank", 8, False, False),
    ],
)
def test_example_only_of_those_too_weak_for_any_hex_of_the_building(
    kind: str, rolled: int, weak: bool, named: bool
) -> None:
    table = Table(unit(kind, at="g4.2"), unit("rifle_squad", at="hall.high:1", side=1), dice=[[NO] * rolled])
    number = table.section("hall.high")
    table.state.structures[number] = Structure(number, own={"weakened": weak})
    table.do(Attack(0, 1, "normal", "fire"))
    table.done()
    assert ("SH-EX-3" in table.clauses()) == named


@pytest.mark.clause("SH-EX-3")
def test_example_a_weakened_hex_is_within_the_gun_s_reach() -> None:
    """Eight dice for the tower, the one hex of the house that the scenario lets fall: it needs twelve, six once weakened."""
    for weak, named in ((False, True), (True, False)):
        table = Table(
            unit("anti_tank_gun", at="g4.7"),
            unit("rifle_squad", at="hall.tower:2", side=1),
            dice=[[NO] * 4],
            destructible=(Table().section("hall.tower"),),
        )
        number = table.section("hall.tower")
        table.state.structures[number] = Structure(number, own={"weakened": weak})
        table.do(Attack(0, 1, "normal", "fire"))
        table.done()
        assert ("SH-EX-3" in table.clauses()) == named


@pytest.mark.clause("SH-EX-3")
def test_example_halved_and_joined_dice_count_as_they_are_rolled() -> None:
    """A tank's ten dice would fell the lower hex; on the move its five do not; with a friend's five ten do."""
    foe = unit("rifle_squad", at="hall.high:1", side=1)
    for action, helpers, dice_, named in (
        ("fire", (), 8, False),
        ("advance_fire", (), 4, True),
        ("concentrated", (2,), 4 + 4, False),
    ):
        damaged = action == "concentrated"  # five of its own, and half of the friend's ten
        table = Table(
            unit("medium_tank", at="g4.2", models=1 if damaged else 2),
            foe,
            unit("medium_tank", at="g5.2"),
            dice=[[NO] * dice_],
        )
        table.do(Attack(0, 1, "normal", action, helpers))
        table.done()
        assert ("SH-EX-3" in table.clauses()) == named, action


# ---- on the move, and together ----------------------------------------------------------------------------------------


@pytest.mark.clause("SH-HOUSE-ACTIONS", "SH-ROLL-2")
def test_advance_and_fire_halves_at_buildings() -> None:
    table = Table(unit("medium_tank", at="g9.2"), dice=[[NO] * 5])
    table.act(0, "advance_fire")
    table.say(MoveTo(table.place("g9.3")), TargetSpace(table.place("hut.only:0")))
    table.done()
    assert table.events(BuildingAttacked)[0].dice == 5  # of 7 + 3
    assert "SH-HOUSE-ACTIONS" in table.events(BuildingAttacked)[0].clauses


@pytest.mark.clause("SH-HOUSE-NORMAL", "SH-HOUSE-SUPPRESS", "SH-HOUSE-ATTACK")
@pytest.mark.parametrize(
    ("kind", "models", "pinned", "dice", "named"),
    [
        ("medium_tank", 1, False, 5, ["SH-HOUSE-NORMAL"]),
        ("infantry_gun", 2, True, 5, ["SH-HOUSE-FIGURES", "SH-HOUSE-SUPPRESS"]),
    ],
)
def test_what_halves_dice_at_buildings_is_named(
    kind: str, models: int, pinned: bool, dice: int, named: list[str]
) -> None:
    table = Table(unit(kind, at="g8.3", models=models, pinned=pinned), dice=[[NO] * dice])
    table.act(0, "fire")
    table.say(TargetSpace(table.place("hut.only:0")))
    table.done()
    (told,) = table.events(BuildingAttacked)
    wanted = {"SH-HOUSE-ATTACK", *named}
    known = {
        "SH-HOUSE-ACTIONS",
        "SH-HOUSE-ATTACK",
        "SH-HOUSE-FIGURES",
        "SH-HOUSE-NORMAL",
        "SH-HOUSE-SUPPRESS",
    }
    assert known & set(told.clauses) == wanted


def test_those_who_advanced_may_hold_their_fire() -> None:
    table = Table(unit("medium_tank", at="g8.3"))
    table.act(0, "advance_fire")
    table.say(Pass())
    assert Pass() in table.legal
    table.say(Pass())
    table.done()


@pytest.mark.clause("SH-HOUSE-ACTIONS")
def test_supporters_are_asked_one_by_one() -> None:
    table = Table(
        unit("medium_tank", at="g8.3"),
        unit("medium_tank", at="g9.3"),
        unit("assault_gun", at="g7.3"),
        dice=[[NO] * (10 + 5 + 6)],
    )
    table.act(0, "concentrated")
    table.say(TargetSpace(table.place("hut.only:0")))
    assert table.legal == [Pick(1), Pick(2)]  # a concentrated fire has a supporter
    table.say(Pick(2))
    assert table.legal == [Pick(1), Pass()]
    table.say(Pick(1), Pass()) if len(table.legal) > 2 else table.say(Pick(1))
    table.done()
    assert table.events(BuildingAttacked)[0].dice == 21


@pytest.mark.clause("SH-HOUSE-ACTIONS", "SH-ELIG-1")
def test_supporters_at_a_building_are_within_their_own_range_and_count() -> None:
    table = Table(
        unit("medium_tank", at="g8.3"),
        unit("tank_hunters", at="g8.1"),  # 4 hexes: nothing of it counts
        unit("light_tank", at="g8.3"),  # 2, within its 5
        unit("armoured_car", at="g9.0"),  # 5, beyond its 4, though it could fire alone
        unit("tank_hunters", at="g8.2"),  # 3: counts, but beyond its range of 2
        unit("tank_hunters", at="g7.4", fresh=False),  # has acted
        unit("rifle_squad", at="g8.4"),  # never counts
        unit("assault_gun", at="g4.7", side=1),  # an enemy
    )
    hut = table.section("hut.only")
    assert targets.supporters(table.state, table.board, table.unit(0), -1, hut) == [2]
    assert hut in targets.buildings_at(table.state, table.board, table.unit(3))


@pytest.mark.clause("SH-HOUSE-ACTIONS")
def test_a_concentrated_fire_is_offered_at_what_somebody_can_support() -> None:
    """Tank hunters next to the hut have it and the squad beside it in range, and nothing to the west."""
    table = Table(
        unit("assault_gun", at="g7.3"),
        unit("tank_hunters", at="g8.4"),
        unit("rifle_squad", at="g9.4", side=1),
        unit("rifle_squad", at="g3.1", side=1),
    )
    table.act(0, "fire")
    assert {TargetUnit(2), TargetUnit(3)} <= set(table.legal)
    assert Pass() not in table.legal  # who fires fires
    houses = {TargetSpace(table.place("hut.only:0")), TargetSpace(table.place("hall.low:0"))}
    assert houses <= set(table.legal)
    table.state.stack = ()
    table.set_own(0, fresh=True)
    table.do(AtWhom(0, "concentrated", side=0))
    assert set(table.legal) == {TargetUnit(2), TargetSpace(table.place("hut.only:0"))}


@pytest.mark.clause("SH-HOUSE-ACTIONS", "SH-ATTACK-2")
def test_supporters_must_see_the_building() -> None:
    table = Table(
        unit("medium_tank", at="g6.3"), unit("medium_tank", at="g4.2"), unit("medium_tank", at="g4.7")
    )
    tower = table.section("hall.tower")
    assert targets.supporters(table.state, table.board, table.unit(0), -1, tower) == [2]


@pytest.mark.clause("SH-HOUSE-ACTIONS", "SH-ELIG-1")
def test_hunters_near_support_a_tank_far_off_by_their_own_distance() -> None:
    table = Table(unit("medium_tank", at="g9.0"), unit("tank_hunters", at="g8.3"), dice=[[NO] * 14])
    table.act(0, "concentrated")
    table.say(TargetSpace(table.place("hut.only:0")))
    table.done()
    (event,) = table.events(BuildingAttacked)
    assert (event.dice, event.need) == (7 + 3 + 4, 5)  # what they need the leader's distance says
