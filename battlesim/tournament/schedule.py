"""Who meets whom, on what, under which seed: fixed from the start and the same whoever plays it. Read `Schedule.units`.

A *unit* is what results are judged by: a pair (two games: same scenario, same dice, sides swapped) or one control game of an
agent with itself. Units go round by round, one pair of every pairing on every scenario in each, so that a run that stops early
has still seen everything alike. A unit's seed is derived from the tournament's seed and the unit's identity, never from its
place or from who plays it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations

from msgspec import Struct

from battlesim.batch.seeds import game_seed
from battlesim.tournament.config import TournamentConfig

USUAL_CONTROL = 30


class Encounter(Struct, frozen=True):
    """One pair or control game. `first`: number of its first game; `a` plays side 0 there, and side 1 in the second. `b`
    equals `a` in a control game. `round` counts the units of its kind."""

    first: int
    scenario: str
    a: str
    b: str
    round: int
    seed: int

    @property
    def games(self) -> int:
        return 1 if self.a == self.b else 2

    def sides(self, leg: int) -> tuple[str, str]:
        """The agents by side in a game of the unit."""
        return (self.a, self.b) if leg == 0 else (self.b, self.a)


class Schedule:
    """Every unit of a tournament. `agents` and `scenarios` are the names they go by in it."""

    def __init__(self, asked: TournamentConfig, agents: Sequence[str], scenarios: Sequence[str]) -> None:
        self.seed, self.salt = asked.seed, asked.salt
        self.agents = tuple(agents)
        self.scenarios = tuple(scenarios)
        self.pairings = _pairings(asked, self.agents)
        self.pairs = asked.games // 2 if self.pairings else 0
        self.control = _usual_control(asked) if asked.control is None else asked.control

    @property
    def rounds(self) -> int:
        return self.pairs or self.control

    @property
    def games(self) -> int:
        """Games in all."""
        each = 2 * self.pairs * len(self.pairings) + self.control * len(self.agents)
        return each * len(self.scenarios)

    def units(self) -> Iterator[Encounter]:
        """Every unit in canonical order."""
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
    """Control games of an agent on a scenario, where nothing is asked for: as many as guard the standings.

    Thirty games tell a side that has 80% of the points from an even one, which is what leaves a scenario out of the standings.
    Ratings gain little from more, since pairs cancel the sides out. Whether a scenario is fair to 60:40 takes some 200, which
    is a question of its own (the format `control`).
    """
    return asked.games if asked.format == "control" else min(USUAL_CONTROL, asked.games // 2)


def _pairings(asked: TournamentConfig, agents: Sequence[str]) -> tuple[tuple[str, str], ...]:
    """Who meets whom, in the order of the agents."""
    if asked.format == "control":
        return ()
    if asked.format == "gauntlet":
        names = dict(zip(asked.agents, agents, strict=True))
        base = names[asked.baseline] if asked.baseline else agents[0]
        return tuple((agent, base) for agent in agents if agent != base)
    return tuple(combinations(agents, 2))
