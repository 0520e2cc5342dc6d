"""Pairs of games that differ in one player only, and lists of them. Read `Contrast`, then `Listed`.

The two games of a pair have the same scenario, seed, side and opponent: where the players do the same, they meet the same dice.
Pairs share games where they can: one game of the base player against itself serves all tactics.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from msgspec import Struct

from battlesim.batch.lists import GameRequest
from battlesim.discovery.tactic import Tactic, parse_tactics

TACTICIAN = "tactician"


class Contrast(Struct, frozen=True):
    """A pair: `subject` says what it is about (its number in some list); `side`: the one whose player differs; `seed`: of the
    dice; `one` and `other` are numbers of games, and `base` that of a third, in which that side is played as usual (-1: none)."""

    subject: int
    scenario: str
    side: int
    seed: int
    one: int
    other: int
    base: int = -1


class Listed:
    """A growing list of games; asking for a game again gives the same game."""

    def __init__(self) -> None:
        self.requests: list[GameRequest] = []
        self.contrasts: list[Contrast] = []
        self._known: dict[tuple[str, tuple[str, str], int], int] = {}

    def game(self, scenario: str, agents: Sequence[str], seed: int) -> int:
        """The number of a game."""
        one, two = agents
        key = (scenario, (one, two), seed)
        if key not in self._known:
            self._known[key] = len(self.requests)
            self.requests.append(GameRequest(scenario, (one, two), seed, records="none"))
        return self._known[key]

    def contrast(
        self,
        subject: int,
        scenario: str,
        side: int,
        seed: int,
        players: tuple[str, str],
        opponent: str,
        base: str = "",
    ) -> None:
        """Add a pair: `players` on a side, one after the other, against an opponent; and `base` in their place, unless ""."""

        def played(player: str) -> int:
            agents = (player, opponent) if side == 0 else (opponent, player)
            return self.game(scenario, agents, seed)

        one, other = played(players[0]), played(players[1])
        third = played(base) if base else -1
        self.contrasts.append(Contrast(subject, scenario, side, seed, one, other, third))


def with_tactics(agent: str, tactics: Sequence[Any]) -> str:
    """The name of a player that keeps to tactics. If it already kept to some, the new ones apply first.

    >>> with_tactics("doctrine,character=assault", ["never order:wait"])
    'tactician,base=doctrine+character=assault,tactics=never order:wait'
    """
    if not tactics:
        return agent
    words = "; ".join(map(str, tactics))
    base, before = parted(agent)
    if before:
        words = f"{words}; {before}"
    return f"{TACTICIAN},base={base.replace(',', '+')},tactics={words}"


def parted(agent: str) -> tuple[str, str]:
    """The base of a player that keeps to tactics, and its tactics; without tactics, the player itself and "".

    >>> parted("tactician,base=doctrine+exposure=0.2,tactics=never order:wait")
    ('doctrine,exposure=0.2', 'never order:wait')
    """
    if agent.partition(",")[0] != TACTICIAN:
        return agent, ""
    given = dict(word.partition("=")[::2] for word in agent.split(",")[1:])
    return given.get("base", "greedy").replace("+", ","), given.get("tactics", "")


def plan_of(agent: str) -> tuple[Tactic, ...]:
    """The tactics in a player's name. Raises InputError if they are invalid."""
    tactics = parted(agent)[1]
    return parse_tactics(tactics) if tactics else ()
