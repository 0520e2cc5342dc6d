"""The tactician and its base player: who is asked what, and how often."""

from __future__ import annotations

from typing import Any

import pytest

from battlesim import find_agent, play
from battlesim.discovery.tactic import left_by
from battlesim.engine.roster import Entrant
from tests.discovery.test_situations import Noting

FEW = "samples=2,turns=0.3"


class Asked:
    """A base player that answers as another does and keeps what it was asked and said. It shows no `policy`."""

    def __init__(self, player: str) -> None:
        self.player: Any = find_agent(player).make()
        self.start = self.player.start
        self.asked: list[tuple[Any, ...]] = []

    def choose(self, view: Any, ask: Any, answers: Any) -> Any:
        said = self.player.choose(view, ask, answers)
        self.asked.append((view.number, list(answers), said))
        return said


class Quick(Asked):
    """The same, but it tells by a `policy` that it remembers nothing."""

    def policy(self, view: Any, board: Any, ask: Any, answers: Any) -> Any:
        return self.player.policy(view, board, ask, answers)


def noted(base: Asked) -> tuple[Any, Noting]:
    """A tactician on a base, and what it was asked in a game."""
    agent: Any = find_agent("tactician,tactics=never order:run; never order:fire; always go:inside").make()
    agent.base = base
    noting = Noting()
    noting.player = agent
    assert not play("stairwell", (Entrant("one", "", lambda: noting), find_agent("greedy")), seed=5).faults
    return agent, noting


@pytest.mark.parametrize(
    "player",
    ["greedy", "random", f"planner,width=2,{FEW},questions=100", f"searcher,first=2,{FEW},questions=150"],
)
def test_a_base_player_that_may_remember_is_asked_once_about_what_is_left(player: str) -> None:
    """So it has its whole budget for that, and keeps no plan of an answer that is not given."""
    base = Asked(player)
    agent, noting = noted(base)
    assert [number for number, _, _ in base.asked] == [view.number for view, *_ in noting.seen]
    bound = 0
    for (_, offered, answer), (view, board, ask, answers, said) in zip(base.asked, noting.seen, strict=True):
        assert offered == list(left_by(agent.tactics, view, board, ask, answers))
        assert answer == said
        bound += len(offered) < len(answers)
    assert agent.offered == bound > agent.changed > 0


def test_a_base_player_with_a_policy_is_asked_freely_first() -> None:
    """So `changed` is what it would else have said; who has none is taken to have wanted what greedy wants."""
    base = Quick("greedy")
    agent, noting = noted(base)
    free = {number: (offered, said) for number, offered, said in reversed(base.asked)}
    assert all(free[view.number][0] == list(answers) for view, _, _, answers, _ in noting.seen)
    changed = sum(free[view.number][1] != said for view, _, _, _, said in noting.seen)
    assert agent.offered > agent.changed == changed > 0
    assert noted(Asked("greedy"))[0].changed == pytest.approx(changed, abs=2)  # equals are drawn among
