"""Cases: what a search plays, and where. Read `Field`.

A case is a pair of games with the same dice against one opponent, once from each side. Its score is the mean of both: 1 for a
win, 0.5 for a draw.

Cases are split from the start into parts that share no dice: `training`, `selection`, `confirmation`, `duel` (the confirmation
against one opponent that the selection has chosen) and `league` (in which the members of a league meet).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, Protocol

from msgspec import Struct

from battlesim.discovery.behaviour import Behaviour
from battlesim.discovery.genome import Genome

Part = Literal["training", "selection", "confirmation", "duel", "league"]
GAMES = 2
"""Games of a case."""


class Wanted(Struct, frozen=True):
    """Cases that a player must play: `count` of them from `first` on, of one part. `opponent`: an agent, if not one of the
    pool."""

    genome: Genome
    part: Part
    first: int
    count: int
    opponent: str = ""
    player: str = ""


class Played(Struct, frozen=True):
    """A case that was played: its score from 0 to 1, how the player behaved, the scenario, the opponent, and the scores of its
    two games. `stalls`, `faults`: by how much the score exceeds what it would be if games that stalled, or in which an agent lost
    questions, were draws. `lead`: its share of the points of both sides, 0 to 1, mean of its games; wins count, but points
    distinguish two players in fewer games. `broke`: how many of its games broke off; the case is then even."""

    score: float
    behaviour: Behaviour
    scenario: str = ""
    opponent: str = ""
    stalls: float = 0.0
    faults: float = 0.0
    games: tuple[float, float] = (0.0, 0.0)
    lead: float = 0.5
    broke: int = 0


class Field(Protocol):
    """Where cases are played."""

    def play(self, wanted: Sequence[Wanted]) -> list[list[Played]]:
        """The cases of each entry, in their order."""
        ...


class Counted:
    """A field that counts the games played in it, and those that broke off."""

    def __init__(self, field: Field) -> None:
        self.field = field
        self.played = self.broken = 0

    def play(self, wanted: Sequence[Wanted]) -> list[list[Played]]:
        """As `Field.play`."""
        found = self.field.play(wanted) if wanted else []
        self.played += GAMES * sum(case.count for case in wanted)
        self.broken += sum(case.broke for cases in found for case in cases)
        return found
