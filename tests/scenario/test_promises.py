"""Briefings are true of their scenarios: what they say of points, and that what they promise is measured."""

from __future__ import annotations

import pytest

from battlesim import play
from tests.measure_promises import PROMISES, Tale, rows
from tests.shipped import SHIPPED, load


@pytest.mark.parametrize("name", SHIPPED)
def test_a_briefing_says_what_is_measured_as_its_promises(name: str) -> None:
    briefing = " ".join(load(name).briefing.split())
    assert PROMISES[name]
    assert [promise.words for promise in PROMISES[name] if promise.words not in briefing] == []


def test_a_tale_tells_who_did_what_to_whom_and_where() -> None:
    tale = Tale(play("stairwell", seed=1))
    assert tale.did("Shot", by="Red *", whom="Blue *", at="house.east:*")
    assert not tale.did("Shot", by="Red *", whom="Red *")
    assert not tale.did("Barrage")
    assert "house.east:0" in tale.entered
    assert tale.fallen == set()
    assert {what for _, what in tale.points} <= {goal.name for goal in load("stairwell").objectives}


def test_a_promise_that_occurs_too_seldom_is_marked() -> None:
    assert rows("drones", [[True, False], [True, False], [True, True], [True, False]]) == [
        "| drones | whom it runs into | 4 | 100% |",
        "| drones | damage to them is ignored | 4 | 25% (no) |",
    ]


def points(name: str) -> dict[str, int]:
    """What each objective of a scenario counts."""
    return {goal.name: goal.points for goal in load(name).objectives}


def says(name: str, words: str) -> bool:
    """Whether a briefing says this."""
    return words in " ".join(load(name).briefing.split())


def test_what_briefings_say_of_points_is_so() -> None:
    assert says("helsinki-platoons", "The eastern gallery is worth most")
    assert max(points("helsinki-platoons").items(), key=lambda row: row[1])[0] == "the eastern gallery"
    assert says("bunker-line", "worth three times as much to one side alive as the gun is to the other dead")
    line = points("bunker-line")
    assert line["Colonel Falk lives"] == 3 * line["Berta's gun"]
    assert says("village", "leaves by the western edge counts a third of it more")
    assert points("village")["the bridge"] == 3 * points("village")["over the bridge and away"]
    assert says("square", "to bring down the enemy's is worth more than any house for a round")
    square = points("square")
    wings = [square.pop(wing) for wing in ("the eastern wing", "the western wing")]
    assert min(wings) > max(square.values())
    assert says("stairwell", "a side's officer is worth a stairwell")
    assert points("stairwell")["the red officer"] == points("stairwell")["the western stairwell"]
    assert says("heavy-armour", "Every tank that burns counts three, and every one that is through")
    armour = points("heavy-armour")
    assert (armour["the heavy tanks"], armour["through the village"]) == (3, 3)


def test_a_besieger_brings_what_the_briefing_lists() -> None:
    assert says("tobacco-factory-regiments", "come with a cannon, a stone thrower and a chest of fire")
    assert {"cannon", "stone_thrower", "flame_cannon"} <= {
        force.type for force in load("tobacco-factory-regiments").forces
    }
