"""Varied players for mining: characters, random ways of fighting and whims. Read `varied_pair`.

A whim is a tactic drawn at random for one game. Since whims are random, an act that goes along with winning among such players is
less often just a mark of good players, and more often the cause of their wins.
"""

from __future__ import annotations

import importlib
from collections.abc import Callable, Sequence
from contextlib import suppress
from random import Random

import msgspec

from battlesim.batch.lists import GameList, resolve_games
from battlesim.core.dice import derive_seed
from battlesim.core.errors import InputError
from battlesim.discovery.contrasts import Listed, with_tactics
from battlesim.discovery.genome import SearchSpace
from battlesim.discovery.situations import FEATURES
from battlesim.discovery.tactic import Tactic, can_be_said
from battlesim.discovery.watching import SEPARATOR, WatchedRow, play_watched
from battlesim.engine.roster import find_agent

SCOUTS = 4
"""Games of the base player against itself that show which acts a scenario offers."""
OFTEN = 8
"""A whim may be about an act that was offered at least this often in these games."""
WHIMS = 3
"""How many whims a random player has."""
AS_USUAL, WITH_CHARACTER = 0.4, 0.7
"""Of the players 0.4 are the base player, 0.3 a character, and the others a random way of fighting."""
OPPONENT_AS_USUAL = 0.5
"""The share of pairs in which the opponent is the base player."""


def varied_pair(
    base: str, atoms: Sequence[Tactic], draw: Callable[[Random], str], random: Random
) -> tuple[tuple[str, str], str]:
    """Two players and their opponent."""
    opponent = base if random.random() < OPPONENT_AS_USUAL else draw(random)
    return (_varied(draw(random), atoms, random), _varied(draw(random), atoms, random)), opponent


def scouted(base: str, scenario: str, seed: int) -> list[Tactic]:
    """The whims that a random player may have in a scenario: acts that come up often, in any situation or in those with one
    feature."""
    listed = Listed()
    for number in range(SCOUTS):
        listed.game(scenario, (base, base), derive_seed(seed, "scouting", scenario, number))
    offered: dict[Tactic, int] = {}
    for spec in GameList(resolve_games("scouting", listed.requests, measures=True)).specs():
        row = msgspec.json.decode(play_watched(spec, lambda actor: None).row, type=WatchedRow)
        for done in row.done:
            for joined, acts in done.items():
                values = tuple(zip(FEATURES, joined.split(SEPARATOR), strict=True))
                for when in ((), *((value,) for value in values)):
                    for act, (times, _) in acts.items():
                        one = Tactic("always", act, when)
                        offered[one] = offered.get(one, 0) + times
    return sorted(one for one, times in offered.items() if times >= OFTEN and can_be_said(one.act))


def characters() -> tuple[str, ...]:
    """The characters of `doctrine`, as players."""
    find_agent("doctrine")
    known = importlib.import_module("battlesim_agents.doctrine").CHARACTERS
    return tuple(f"doctrine,character={name}" for name in known)


def players_of(base: str, ruleset: str) -> Callable[[Random], str]:
    """Draws players: the base player, a character, or a random way of fighting if the rulebook has parameters."""
    space = None
    with suppress(InputError):  # a rulebook may declare no parameters
        space = SearchSpace.of(ruleset)

    def draw(random: Random) -> str:
        kind = random.random()
        if kind < AS_USUAL:
            return base
        if kind < WITH_CHARACTER or space is None:
            return random.choice(characters())
        return space.text(space.sample(random))

    return draw


def _varied(player: str, atoms: Sequence[Tactic], random: Random) -> str:
    """A player with some whims."""
    drawn = random.sample(atoms, min(WHIMS, len(atoms)))
    return with_tactics(player, [one if random.random() < 0.5 else one.opposite for one in drawn])
