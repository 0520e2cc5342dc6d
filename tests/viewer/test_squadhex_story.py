"""A whole battle of the squad-and-hex rules is told without a fact that has no words."""

from __future__ import annotations

import pytest

from battlesim import play
from battlesim.rulesets.squadhex.model import ACTIONS
from battlesim.viewer.story import Story
from battlesim.viewer.wording import find_wording
from tests.shipped import load, of_ruleset


@pytest.mark.parametrize("agents", [("random", "rush"), ("greedy", "greedy")])
@pytest.mark.parametrize("name", of_ruleset("squadhex"))
def test_a_battle_reads_as_a_story(name: str, agents: tuple[str, str]) -> None:
    game = play(load(name), agents, 1)
    story = Story(game.header)
    lines = [*story.heading(), *story.tell(game.log), *story.rest()]
    text = "\n".join(lines)
    for odd in ("?", "{", "\n\n\n", "nowhere", "Happened", "Attacked", "takes an action ("):
        assert odd not in text
    assert text.count("dice") > 20
    assert all(len(line) < 400 for line in lines)


def test_every_action_has_a_sentence() -> None:
    assert set(ACTIONS) <= set(find_wording("squadhex").say["Acts"])
