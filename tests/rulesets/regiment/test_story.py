"""What single events of a battle of regiments are told as."""

from __future__ import annotations

import pytest

from battlesim import play
from battlesim.core.events import Event, ModelsLost, UnitSet
from battlesim.rulesets.regiment.facts import Charged
from battlesim.rulesets.regiment.facts_fire import Pierced, Shot
from battlesim.rulesets.regiment.model import FLANK, FRONT, REAR
from battlesim.viewer.story import Story
from tests.shipped import load

HEADER = play(load("watch-house"), ("random", "random"), 1).header


def told(*events: Event) -> list[str]:
    """The sentences for some events of the watch house: unit 0 is the red spears, unit 5 the blue spears."""
    return [line.strip() for line in Story(HEADER).tell(events) if line.strip()]


@pytest.mark.parametrize(("lost", "words"), [(1, "1 man who does"), (4, "4 men who do")])
def test_men_for_whom_a_house_has_no_room_are_told_as_lost(lost: int, words: str) -> None:
    (line,) = told(ModelsLost(0, lost, 20 - lost, "no room"))
    assert line == f"Red spears lose {words} not fit in, {20 - lost} left."


def test_a_wound_that_fells_nobody_is_told() -> None:
    """Beasts and heroes bear several: who struck "1 wound" is not the last word on it."""
    struck, wounded, healed = (UnitSet(5, {"wounds": number}) for number in (1, 2, 0))
    assert told(struck, wounded, healed) == [
        "Blue spears now bear 1 wound.",
        "Blue spears now bear 2 wounds.",
    ]


def test_a_bolt_that_only_wounds_is_not_without_effect() -> None:
    pierced, wounded = told(Pierced(unit=0, other=5, number=0), UnitSet(5, {"wounds": 1}))
    assert pierced == "The bolt of red spears strikes blue spears, without a death."
    assert wounded == "Blue spears now bear 1 wound."


@pytest.mark.parametrize(("arc", "where"), [(FRONT, ""), (FLANK, " in the flank"), (REAR, " in the rear")])
def test_one_distance_is_told_of_a_charge_that_is_shot_at(arc: int, where: str) -> None:
    """The way to go is not the range that the shots have: only the range is told."""
    charge, shot = told(Charged(0, 5, arc), Shot(5, 0, "bow", 6, 4, 0, 0, 790))
    assert charge == f"Red: red spears charge blue spears{where}."
    assert shot.count('"') == 1
    assert 'at 7.9"' in shot
