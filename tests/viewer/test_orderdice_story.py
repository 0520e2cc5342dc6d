"""A whole battle of the order-dice rules is told without a fact that has no words."""

from __future__ import annotations

import pytest

from battlesim import load_scenario, play
from battlesim.viewer.story import Story


@pytest.mark.parametrize("seed", range(3))
def test_a_battle_reads_as_a_story(seed: int) -> None:
    game = play(load_scenario("stairwell"), ("random", "random"), seed)
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
