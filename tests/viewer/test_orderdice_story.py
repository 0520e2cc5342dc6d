"""A whole battle of the order-dice rules is told without a fact that has no words."""

from __future__ import annotations

import pytest

from battlesim import load_scenario, play, shipped_scenarios
from battlesim.rulesets.orderdice.data import WEAPONS
from battlesim.viewer.story import Story
from battlesim.viewer.wording import find_wording

SMALL = [
    name
    for name in shipped_scenarios()
    if load_scenario(name).ruleset == "orderdice" and len(load_scenario(name).forces) < 60
]


@pytest.mark.parametrize("name", SMALL)
def test_a_battle_reads_as_a_story(name: str) -> None:
    game = play(load_scenario(name), ("random", "rush"), 1)
    story = Story(game.header)
    lines = [*story.heading(), *story.tell(game.log)]
    text = "\n".join(lines)
    assert "?" not in text
    assert "nobody" not in text
    assert "nowhere" not in text
    assert "{" not in text
    assert "\n\n\n" not in text
    assert text.count("is ordered") + text.count("goes into ambush") > 20
    assert all(len(line) < 400 for line in lines)


def test_every_weapon_has_a_word() -> None:
    assert sorted(find_wording("orderdice").words) == sorted(WEAPONS)
