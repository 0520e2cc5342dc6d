"""The schedule of a tournament: which agents meet on which scenario, with which seed. Read `Schedule.encounters`.

An *encounter* is either a pair (two games with the same scenario, the same dice and the sides swapped) or one control game of an
agent against itself. Each round has one pair of every pairing on every scenario, so that a run that stops early has played all of
them equally often. The seed of an encounter follows from the tournament's seed and from what is played, not from its place.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations, pairwise

from msgspec import Struct

from battlesim.batch.seeds import game_seed
from battlesim.tournament.config import TournamentConfig

USUAL_CONTROL = 30
"""Control games of each agent on each scenario, or half as many as games of a pairing if that is less."""


class Encounter(Struct, frozen=True):
    """A pair or a control game. `first`: number of its first game, in which `a` plays side 0; in the second game it plays side
    1. In a control game `b` equals `a`. `round`: how many encounters of the same agents on the same scenario came before."""

    first: int
    scenario: str
    a: str
    b: str
    round: int
    seed: int

    @property
    def games(self) -> int:
        """Games that it takes: two of a pair, one of a control game."""
        return 1 if self.a == self.b else 2

    def sides(self, leg: int) -> tuple[str, str]:
        """The agents of side 0 and side 1 in the first (`leg` 0) or second (1) game."""
        return (self.a, self.b) if leg == 0 else (self.b, self.a)


class Schedule:
    """All encounters of a tournament. `agents` and `scenarios`: their names in it. `baseline`: the agent that all others meet in
    a gauntlet, "" in other formats."""

    def __init__(self, asked: TournamentConfig, agents: Sequence[str], scenarios: Sequence[str]) -> None:
        self.seed, self.salt = asked.seed, asked.salt
        self.agents = tuple(agents)
        self.scenarios = tuple(scenarios)
        self.baseline = _baseline(asked, self.agents)
        self.pairings = _pairings(asked, self.agents, self.baseline)
        self.pairs = asked.games // 2 if self.pairings else 0
        self.control = _usual_control(asked) if asked.control is None else asked.control

    @property
    def rounds(self) -> int:
        """How often the same agents meet on the same scenario; without pairs, control games of each agent."""
        return self.pairs or self.control

    @property
    def games(self) -> int:
        """How many games there are in all."""
        each = 2 * self.pairs * len(self.pairings) + self.control * len(self.agents)
        return each * len(self.scenarios)

    def encounters(self) -> Iterator[Encounter]:
        """Every encounter in canonical order."""
        number = 0
        for turn in range(self.rounds):
            # The control games are spread evenly over the rounds.
            controls = range(self.control * turn // self.rounds, self.control * (turn + 1) // self.rounds)
            for scenario in self.scenarios:
                for a, b in self.pairings if self.pairs else ():
                    yield Encounter(number, scenario, a, b, turn, self._seed(scenario, a, b, turn))
                    number += 2
                for count in controls:
                    for agent in self.agents:
                        yield Encounter(
                            number, scenario, agent, agent, count, self._seed(scenario, agent, agent, count)
                        )
                        number += 1

    def _seed(self, scenario: str, a: str, b: str, count: int) -> int:
        first, second = sorted((a, b))
        return game_seed(self.seed, self.salt, "pair", scenario, first, second, count)


def _usual_control(asked: TournamentConfig) -> int:
    """The default number of control games of each agent on each scenario.

    Thirty games distinguish a side that takes 80% of the points from an even one; such a scenario is left out of the standings.
    More would help ratings little, since pairs cancel the advantage of a side. To rule out a bias of 60:40 takes about 200 games;
    that is what the format `control` is for.
    """
    return asked.games if asked.format == "control" else min(USUAL_CONTROL, asked.games // 2)


def _baseline(asked: TournamentConfig, agents: Sequence[str]) -> str:
    """The agent that all others meet in a gauntlet: the one that is named, or the first."""
    if asked.format != "gauntlet":
        return ""
    return dict(zip(asked.agents, agents, strict=True))[asked.baseline] if asked.baseline else agents[0]


def _pairings(asked: TournamentConfig, agents: Sequence[str], baseline: str) -> tuple[tuple[str, str], ...]:
    """The pairings, in the order of the agents."""
    if asked.format == "control":
        return ()
    if asked.format == "gauntlet":
        return tuple((agent, baseline) for agent in agents if agent != baseline)
    if asked.format == "ladder":
        return tuple(pairwise(agents))
    return tuple(combinations(agents, 2))
