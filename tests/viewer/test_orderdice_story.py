"""A whole battle of the order-dice rules is told without a fact that has no words."""

from __future__ import annotations

import pytest

from battlesim import play
from battlesim.rulesets.orderdice.data import WEAPONS
from battlesim.viewer.story import Story
from battlesim.viewer.wording import find_wording
from tests.shipped import is_big, load, of_ruleset


@pytest.mark.parametrize("name", [name for name in of_ruleset("orderdice") if not is_big(name)])
def test_a_battle_reads_as_a_story(name: str) -> None:
    game = play(load(name), ("random", "rush"), 1)
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
