"""What the story says of single events: hits that are cancelled, attacks on buildings, where shells come down."""

from __future__ import annotations

from functools import lru_cache

import pytest

from battlesim import play
from battlesim.core.answers import Pass
from battlesim.core.events import Answered, Event
from battlesim.engine.header import Header
from battlesim.rulesets.squadhex.area import Bombard
from battlesim.rulesets.squadhex.attack import Attack
from battlesim.rulesets.squadhex.buildings import AttackBuilding
from battlesim.rulesets.squadhex.facts import Acts, Attacked, Bombards, BuildingAttacked, Scattered, Stays
from battlesim.viewer.story import Story
from tests.rulesets.squadhex.kit import Table, unit
from tests.shipped import load


@lru_cache
def header() -> Header:
    """A battle at the silo, whose units, spaces and sections the events here name."""
    return play(load("silo"), ("random", "random"), 1).header


def told(event: Event) -> str:
    """The sentence for one event at the silo, without its dice."""
    (line,) = Story(header()).read(event)
    return line.text


def named(name: str) -> int:
    """A unit of the silo by name."""
    return next(unit.id for unit in Story(header()).state.units.values() if unit.name == name)


def fire(how: str = "fire", hits: int = 1, cancelled: int = 0) -> str:
    """What is told of an attack of eight dice."""
    shooter, target = named("Sailors 1st squad"), named("the heavy gun")
    return told(Attacked(shooter, target, "normal", how, 8, 5, 3, hits, cancelled, hits - cancelled))


@pytest.mark.clause("SH-HOUSE-ATTACK")
def test_no_more_hits_are_cancelled_than_were_made() -> None:
    """Two of three defence dice cancel a hit, and there was but one; so at a building and under shells."""
    table = Table(
        unit("rifle_squad", at="g4.2"),
        unit("rifle_squad", at="hall.high:0", side=1),
        dice=[[5, 1, 1, 1], [6, 5, 1]],
    )
    table.do(Attack(0, 1, "normal", "fire"))
    (attacked,) = table.events(Attacked)
    assert (attacked.hits, attacked.cancelled, attacked.net) == (1, 1, 0)
    table = Table(unit("medium_tank", at="g4.2"), dice=[[5, *[1] * 9], [6, 5, 1]])
    table.do(AttackBuilding(0, table.section("hall.high"), "fire"))
    (building,) = table.events(BuildingAttacked)
    assert (building.hits, building.cancelled, building.net) == (1, 1, 0)
    table = Table(
        unit("mortar_team", at="g0.0"),
        unit("rifle_squad", at="hall.high:1", side=1),
        dice=[1, [5, 1, 1, 1, 1], [6, 5, 1], [1] * 5],
    )
    table.do(Bombard(0, table.place("hall.high:0"), "normal"))
    (attacked,) = table.events(Attacked)
    assert (attacked.hits, attacked.cancelled, attacked.net) == (1, 1, 0)
    assert fire(hits=2, cancelled=1).endswith("3 hexes away, 8 dice: 2 hits, 1 cancelled.")


def test_half_the_dice_after_an_advance_and_whoever_stays_is_said_to() -> None:
    text = fire("advance_fire")
    assert text == "Sailors 1st squad fires at the heavy gun with half its dice, 3 hexes away, 8 dice: 1 hit."
    table = Table(unit("rifle_squad", at="g4.2"), unit("rifle_squad", at="g6.3", side=1))
    table.act(0, "advance_fire")
    table.say(Pass())
    assert [event.unit for event in table.events(Stays)] == [0]
    assert told(Stays(unit=named("the heavy gun"))) == "The heavy gun stays where it is."


def test_fire_at_the_next_floor_is_said_to_stay_in_the_hex() -> None:
    shooter, target = named("Sailors 1st squad"), named("the heavy gun")
    text = told(Attacked(shooter, target, "normal", "fire", 8, 5, 0, 1, 0, 1))
    assert text == "Sailors 1st squad fires at the heavy gun, in the same hex, 8 dice: 1 hit."


def test_shells_that_scatter_say_what_they_were_aimed_at() -> None:
    table = Table(unit("mortar_team", at="g0.0"), dice=[5, 3])
    place = table.place("g4.2")
    scattered = Scattered(unit=named("Sailors mortar"), place=place)
    story = Story(header())
    (unknown,) = story.read(scattered)
    assert unknown.text == f"The shells of Sailors mortar scatter to {header().places[place]}."
    assert list(story.read(Answered(0, "atplace 0"))) == []
    (known,) = story.read(scattered)
    aim = f"The shells of Sailors mortar, aimed at {header().places[0]}, scatter to"
    assert known.text.startswith(aim)


def test_who_is_ready_to_fire_and_does_not_is_told() -> None:
    story, squad = Story(header()), named("Sailors 1st squad")
    assert [line.text for line in story.read(Acts(squad, "advance_fire"))] == [
        "Sailors: Sailors 1st squad is to advance, ready to fire."
    ]
    assert [line.text for line in story.close()] == ["Sailors 1st squad holds its fire."]


@pytest.mark.parametrize(
    ("comes", "hits", "net", "words"),
    [
        ("stands", 0, 0, "fires at pump-house: 12 dice, all miss; 6 in one attack would bring it down."),
        (
            "stands",
            1,
            0,
            "fires at pump-house: 12 dice, 1 hit, stopped by the walls; 6 in one attack would bring it down.",
        ),
        (
            "stands",
            3,
            2,
            "fires at pump-house: 12 dice, 3 hits, 2 through the walls; 6 in one attack would bring it down.",
        ),
        (
            "weakens",
            5,
            4,
            "cracks the walls of pump-house: 12 dice, 5 hits, 4 through the walls, of 6 needed; from now on half as many "
            "bring it down.",
        ),
        ("falls", 7, 6, "brings pump-house down: 12 dice, 7 hits, 6 through the walls; 6 were needed."),
    ],
)
def test_hits_on_walls_count_in_one_attack(comes: str, hits: int, net: int, words: str) -> None:
    """A reader must not think that the hits of several attacks are added up (SH-DEST-1)."""
    gun, house = named("Grenadiers assault gun"), header().sections.index("pump-house.pumps")
    text = told(BuildingAttacked(gun, house, "fire", 12, 5, hits, hits - net, net, 6, comes))
    assert text == f"Grenadiers assault gun {words}"


def test_shells_come_down_on_a_building_not_on_its_ground_floor() -> None:
    """They hit its top floor; a hex without a building is told by its name."""
    mortar, house = named("Sailors mortar"), header().sections.index("silo.ramp")
    floor, street = (header().places.index(name) for name in ("silo.ramp:0", "g7.2"))
    on = told(Bombards(unit=mortar, place=floor, section=house))
    assert on == "The shells of Sailors mortar come down on silo.ramp."
    assert told(Scattered(unit=mortar, place=floor, section=house)).endswith("scatter to silo.ramp.")
    assert told(Bombards(unit=mortar, place=street)).endswith("come down at g7.2.")
    assert told(Scattered(unit=mortar, place=street)).endswith("scatter to g7.2.")


@pytest.mark.clause("SH-HOUSE-AREA")
@pytest.mark.parametrize(
    ("aimed", "dice", "house", "event"),
    [
        ("hall.high:0", [1, [1] * 8], "hall.high", Bombards),
        ("g4.3", [1], "", Bombards),
        ("g4.3", [5, 2, [1] * 8], "hall.high", Scattered),  # to the south, on to the hall
        ("hall.high:0", [5, 5], "", Scattered),  # to the north, off the hall
    ],
)
def test_the_rules_say_what_shells_come_down_on(
    aimed: str, dice: list[int | list[int]], house: str, event: type[Bombards | Scattered]
) -> None:
    table = Table(unit("observer_team", at="g0.0"), dice=dice)
    table.do(Bombard(0, table.place(aimed), "normal"))
    table.done()
    (landed,) = table.events(event)
    assert landed.section == (table.section(house) if house else -1)
