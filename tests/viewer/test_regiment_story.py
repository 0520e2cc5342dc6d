"""A whole battle of regiments is told without a fact that has no words."""

from __future__ import annotations

import re

import pytest

from battlesim import play
from battlesim.viewer.story import Story
from tests.shipped import load, of_ruleset


@pytest.mark.parametrize("name", of_ruleset("regiment"))
@pytest.mark.parametrize("agents", [("random", "rush"), ("greedy", "random")])
def test_a_battle_reads_as_a_story(name: str, agents: tuple[str, str]) -> None:
    game = play(load(name), agents, 1)
    story = Story(game.header)
    lines = [*story.heading(), *story.tell(game.log)]
    text = "\n".join(lines)
    assert "?" not in text
    assert "nobody" not in text
    assert "nowhere" not in text
    assert "{" not in text
    assert "Happened" not in text
    assert "\n\n\n" not in text
    assert len(re.findall(r"moves? from|charges? |shoots? at", text)) > 20
    assert all(len(line) < 400 for line in lines)
