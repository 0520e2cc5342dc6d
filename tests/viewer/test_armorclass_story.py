"""What is told of battles under armour classes: volleys by what became of them, orders by what they allow."""

from __future__ import annotations

import re
from typing import Any

import pytest

from battlesim import play
from battlesim.core.events import ModelsLost
from battlesim.rulesets.armorclass.facts_fire import Volley
from battlesim.viewer.story import Story
from battlesim.viewer.wording import find_wording
from tests.shipped import load, of_ruleset


@pytest.mark.parametrize("name", of_ruleset("armorclass"))
@pytest.mark.parametrize("agents", [("random", "rush"), ("greedy", "greedy")])
def test_a_battle_reads_as_a_story(name: str, agents: tuple[str, str]) -> None:
    """No slot is left open, a penetration has its die or says that it needs none, and nobody is told to fire who may not."""
    game = play(load(name), agents, 1)
    story = Story(game.header)
    lines = [*story.heading(), *story.tell(game.log)]
    text = "\n".join(lines)
    for word in ("?", "nobody", "nowhere", "{", "Happened", "\n\n\n", "to fire, then"):
        assert word not in text
    for line in lines:
        if re.search(r"\d penetrations?", line):
            assert ("penetration " in line.partition("[")[2]) != ("without a roll" in line), line
    assert all(len(line) < 400 for line in lines)


@pytest.mark.slow
@pytest.mark.parametrize("name", of_ruleset("armorclass"))
def test_no_shot_is_told_at_a_team_that_the_same_fire_has_wiped_out(name: str) -> None:
    lost = volleys = 0
    for seed in range(3):
        dead: set[int] = set()
        for event in play(load(name), ("greedy", "greedy"), seed).log:
            if isinstance(event, ModelsLost) and event.left == 0:
                dead.add(event.unit)
            volleys += isinstance(event, Volley)
            assert not (isinstance(event, Volley) and event.target in dead), event
        lost += len(dead)
    assert lost
    assert volleys


def test_a_unit_that_comes_on_later_is_in_reserve_at_the_start() -> None:
    heading = " ".join(
        " ".join(Story(play(load("village-armour"), ("random", "random"), 1).header).heading()).split()
    )
    assert "West reserve in reserve" in heading
    assert "off the map" not in heading


def told(**fields: Any) -> str:
    """The sentence for a volley."""
    usual = {"how": "aimed", "shots": 2, "hits": 2, "through": 0, "penetrations": 1}
    return find_wording("armorclass").sentence("Volley", usual | fields) or ""


@pytest.mark.parametrize("how", ["aimed", "through", "into", "search", "wall"])
def test_where_no_die_was_needed_the_sentence_says_so(how: str) -> None:
    assert "{sure:if  (without a roll)|}" in told(how=how, through=1, sure=True)


def test_the_rest_of_a_volley_at_a_dead_team_is_fire_at_the_wall() -> None:
    for fields in ({"hits": 0}, {"through": 0}, {"through": 1}):
        assert "at the wall of {place}" in told(how="wall", **fields)
        assert "{target}" not in told(how="wall", **fields)
