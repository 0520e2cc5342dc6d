"""Runs made up from what is true: their summary and their page, for tests that read the sentences."""

from __future__ import annotations

import re
from collections.abc import Mapping
from html.parser import HTMLParser
from typing import Any

import numpy as np

from battlesim.batch.inputs import PinnedInput, PinnedScenario
from battlesim.tournament.aggregator import Aggregator
from battlesim.tournament.config import parse_config
from battlesim.tournament.resolve import ResolvedTournament, ScenarioEntry, TournamentPlan
from battlesim.tournament.shares import ELO
from battlesim.tournament.summary import summarise
from battlesim.tournament.tally import Tally
from battlesim.viewer.report import render
from tests.tournament.simulated import chances, joint, outcomes

RULESETS = ("orderdice", "squadhex", "armorclass", "regiment")


def plan(
    agents: list[str], scenarios: Mapping[str, str], pairs: int, controls: int, **more: Any
) -> TournamentPlan:
    """A plan of made-up agents and scenarios (name -> ruleset)."""
    value = {"agents": agents, "scenarios": list(scenarios), "games": 2 * pairs, "control": controls, **more}
    asked = parse_config(value).model_dump(mode="json")
    entries = tuple(
        ScenarioEntry(PinnedScenario(name, name, "0"), ruleset, "1", "map", "0", ("Blue", "Red"), 6, (5, 5))
        for name, ruleset in scenarios.items()
    )
    return TournamentPlan(
        ResolvedTournament(
            1, asked, tuple(PinnedInput(name, name, "0") for name in agents), entries, "0", "0"
        )
    )


def play(
    rng: np.random.Generator,
    made: TournamentPlan,
    strengths: Mapping[str, Mapping[str, float]],
    sides: Mapping[str, Mapping[str, float]],
    pairs: int,
    controls: int,
    nu: float = 0.2,
    cycle: float = 0.0,
) -> Aggregator:
    """The run of a plan. `strengths`: scenario -> agent -> Elo; `sides`: scenario -> agent -> what side 0 is worth to it, in Elo;
    `cycle`: Elo by which each agent beats the next beside that, the last one the first."""
    aggregator = Aggregator(made)
    names = [agent.name for agent in made.resolved.agents]
    tally = Tally()
    for scenario in made.entries:
        side = sides.get(scenario, {})
        for i, a in enumerate(names):
            for j, b in enumerate(names[i + 1 :], i + 1):
                ring = cycle if j == i + 1 else -cycle if (i, j) == (0, len(names) - 1) else 0.0
                d = strengths[scenario][a] - strengths[scenario][b] + ring
                one, two = joint(rng, pairs, 0.0)
                first = outcomes(chances((d + (side.get(a, 0) + side.get(b, 0)) / 2) / ELO, nu), one)
                second = outcomes(chances((-d + (side.get(a, 0) + side.get(b, 0)) / 2) / ELO, nu), -two)
                for x, y in zip(first.tolist(), (2 - second).tolist(), strict=True):
                    tally.pair(scenario, a, b, x, y)
        for agent in names:
            luck = rng.standard_normal(controls)
            for won in outcomes(chances(side.get(agent, 0) / ELO, nu), luck).tolist():
                tally.control(scenario, agent, (1, None, 0)[won])
    aggregator.tally = tally
    aggregator.counted = aggregator.played = tally.game_count
    return aggregator


def told(aggregator: Aggregator) -> dict[str, Any]:
    return summarise(aggregator, "planted", [])


class _Text(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.words: list[str] = []
        self._skip = 0

    def handle_starttag(self, tag: str, attrs: object) -> None:
        self._skip += tag in ("script", "style")

    def handle_endtag(self, tag: str) -> None:
        self._skip -= tag in ("script", "style")

    def handle_data(self, data: str) -> None:
        if not self._skip:
            self.words.append(data)


def page(summary: Mapping[str, Any]) -> str:
    """What a reader reads on the page."""
    reader = _Text()
    reader.feed(render(summary))
    return re.sub(r"\s+", " ", " ".join(reader.words))
