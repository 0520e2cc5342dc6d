"""What the story says, line after line: nothing is told before it happens, nothing that has an effect is said to have none."""

from __future__ import annotations

from functools import lru_cache

from battlesim import play
from battlesim.core.events import Event, Rolled
from battlesim.engine.header import Header
from battlesim.rulesets.orderdice import facts
from battlesim.rulesets.orderdice.facts import Ordered, Won
from battlesim.rulesets.orderdice.facts_buildings import BeginsInside
from battlesim.rulesets.orderdice.facts_fire import Shot
from battlesim.viewer.story import Story
from tests.rulesets.orderdice.grounds import house
from tests.rulesets.orderdice.kit import Table, unit
from tests.rulesets.orderdice.test_flame import EMPTY, sprayed
from tests.shipped import load


@lru_cache
def header() -> Header:
    """A battle of the stairwell, whose units and floors the events here name."""
    return play(load("stairwell"), ("random", "random"), 1).header


def told(*events: Event) -> list[str]:
    """The sentences for some events at the stairwell, without their dice."""
    story = Story(header())
    return [line.text for event in events for line in story.read(event)]


def named(name: str) -> int:
    """A unit of the stairwell by name."""
    return next(one.id for one in Story(header()).state.units.values() if one.name == name)


def test_a_hit_that_takes_nobody_is_not_said_to_have_no_effect() -> None:
    """It pins whoever is hit, in the next line."""
    shot = Shot(named("Red yard"), named("Blue corner"), "rifle", 7, 5, 2, 0, 600)
    (line,) = told(shot)
    assert line == 'Red yard fires at Blue corner with rifles at 6": 7 shots, 2 hits, without loss.'


def test_shots_out_of_two_openings_are_told_apart() -> None:
    """A section at two windows shoots twice with rifles at one target; out of doors there is no other opening."""
    inside, outside, target = named("Red ground floor"), named("Red yard"), named("Blue corner")

    def volleys(unit: int) -> list[str]:
        near, far = (Shot(unit, target, "rifle", 2, 5, 0, 0, inches) for inches in (600, 700))
        return told(near, near, far)

    first, same, other = volleys(inside)
    assert first == same == 'Red ground floor fires at Blue corner with rifles at 6": 2 shots, all miss.'
    assert other == (
        'Red ground floor fires at Blue corner with rifles from another opening at 7": 2 shots, all miss.'
    )
    assert "opening" not in "".join(volleys(outside))


def test_a_charge_says_into_which_room() -> None:
    charge = facts.Assault(unit=named("Red yard"), other=named("Blue officer"), number=300)
    assert told(charge) == ['Red yard charges Blue officer in house.east, floor 2, over 3".']
    charge = facts.Assault(unit=named("Red yard"), other=named("Blue corner"), number=300)
    assert told(charge) == ['Red yard charges Blue corner over 3".']


def test_who_goes_down_before_the_shots_is_not_yet_under_fire() -> None:
    table = Table(house(), unit("officer", at="g10.10"), unit("officer", at="g16.10", side=1))
    order = Ordered(table.unit(1).id, "down", "under fire")
    (line,) = told(order)
    assert line.endswith("sees it coming and goes down.")


def test_obeying_says_that_a_pin_is_lost() -> None:
    (line,) = told(facts.Tested(named("Red yard"), 7, 8, True, "order"))
    assert line.startswith("Red yard obeys and shakes off a pin: 7 rolled")


def test_who_wins_a_fight_and_who_holds_a_house_is_told() -> None:
    red, blue = named("Red yard"), named("Blue corner")
    inside = BeginsInside(unit=named("Red ground floor"), place=0, section=0)
    lines = told(Won(unit=red, other=blue), inside)
    assert lines[0] == "Red yard wins the fight."
    assert lines[1].startswith("Red ground floor holds ")


def test_the_dice_for_fuel_fall_before_those_for_fire() -> None:
    """So that what is said of each stands beside its own dice."""
    table = sprayed("house.1:0", [1, 1, EMPTY, 5])
    assert [roll.purpose for roll in table.events(Rolled)][-2:] == ["fuel", "catch fire"]
