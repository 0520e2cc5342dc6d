"""Golden records: one battle for each way a battle can end, and for what ordinary play hardly reaches. Read `CASES`.

A case is a scenario of this folder, two agents and what the battle must come to; its seed is the smallest that does, so that the
records can be made again after any change of the rules.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import lru_cache
from pathlib import Path
from typing import NamedTuple

import msgspec

from battlesim.core.events import Event, Rolled, TurnEnded
from battlesim.core.state import Outcome
from battlesim.engine.game import Game, play
from battlesim.engine.header import Limits
from battlesim.engine.record import Record
from battlesim.rules.scenario import Scenario
from battlesim.scenario.load import load_scenario

FOLDER = Path(__file__).parent
RECORDS = FOLDER / "records"
BAD = FOLDER.parent / "bad_agents" / "raises.py"
SEEDS = 2_000


class Made(NamedTuple):
    """What a battle came to. `turns`: those played to their end; `rolled`: whether a die was rolled for one more; `clauses`: all
    that its events name."""

    outcome: Outcome
    turns: int
    rolled: bool
    clauses: frozenset[str]


@lru_cache
def scenario_of(name: str) -> Scenario:
    """A scenario of this folder."""
    return load_scenario(FOLDER / f"{name}.yaml")


class Case(NamedTuple):
    """One golden record: how it ends (in words), the file of its scenario, its agents, what the battle must come to."""

    what: str
    scenario: str
    ends: Callable[[Made], bool]
    agents: tuple[str, str] = ("random", "random")
    limits: Limits = Limits()

    def play(self, seed: int) -> Game:
        """The battle under a seed."""
        return play(scenario_of(self.scenario), self.agents, seed, self.limits)


def _length(made: Made) -> bool:
    return made.outcome.termination == "length"


CASES: dict[str, Case] = {
    "length-won": Case(
        "the last turn is over and one side is ahead by the margin",
        "points",
        lambda m: _length(m) and m.outcome == Outcome(1, (1, 2), "length") and m.turns == 2,
    ),
    "length-draw": Case(
        "the last turn is over and nobody is ahead by the margin",
        "draw",
        lambda m: _length(m) and m.outcome.winner is None and m.outcome.points == (2, 1) and m.turns == 1,
    ),
    "extra-turn": Case(
        "one more turn was rolled for and played",
        "extra-turn",
        lambda m: _length(m) and m.outcome.winner == 0 and m.turns == 2 and m.rolled,
    ),
    "no-extra-turn": Case(
        "one more turn was rolled for in vain",
        "extra-turn",
        lambda m: _length(m) and m.outcome.winner == 0 and m.turns == 1 and m.rolled,
    ),
    "annihilation": Case(
        "a side has nobody left and loses",
        "annihilation",
        lambda m: m.outcome == Outcome(1, (0, 1), "annihilation"),
    ),
    "annihilation-draw": Case(
        "both sides lose their last men at once",
        "annihilation",
        lambda m: m.outcome == Outcome(None, (0, 0), "annihilation"),
    ),
    "exit-won": Case(
        "the last men of a side have left, and its points win",
        "exit",
        lambda m: m.outcome == Outcome(0, (2, 0), "exit"),
    ),
    "exit-lost": Case(
        "the last men of a side have left, and the other's points win",
        "exit",
        lambda m: m.outcome == Outcome(1, (2, 3), "exit"),
    ),
    "forfeit": Case(
        "an agent fails three times, and its side loses, ahead or not",
        "forfeit",
        lambda m: m.outcome.termination == "forfeit" and m.outcome.winner == 0,
        ("random", str(BAD)),
        Limits(faults=3),
    ),
    "squadhex-length": Case(
        "squads and hexes: the last round is over and one side is ahead by the margin",
        "squadhex-points",
        lambda m: _length(m) and m.outcome.winner == 0 and m.turns == 2,
    ),
    "squadhex-draw": Case(
        "squads and hexes: what was held scored in each round, and nobody is ahead by the margin",
        "squadhex-rounds",
        lambda m: _length(m) and m.outcome.winner is None and m.outcome.points[0] > 0 and m.turns == 2,
    ),
    "squadhex-annihilation": Case(
        "squads and hexes: a side has nobody left and loses",
        "squadhex-annihilation",
        lambda m: m.outcome.termination == "annihilation" and m.outcome.winner == 1,
    ),
    "squadhex-annihilation-draw": Case(
        "squads and hexes: both sides lose their last figures in one assault",
        "squadhex-annihilation",
        lambda m: m.outcome.termination == "annihilation" and m.outcome.winner is None,
    ),
    "squadhex-exit": Case(
        "squads and hexes: the last squad of a side has left, and its points win",
        "squadhex-exit",
        lambda m: m.outcome == Outcome(0, (2, 0), "exit"),
    ),
    "squadhex-exit-lost": Case(
        "squads and hexes: the last squad of a side has left, and the other's points win",
        "squadhex-exit",
        lambda m: m.outcome == Outcome(1, (1, 2), "exit"),
    ),
    "squadhex-forfeit": Case(
        "squads and hexes: an agent fails three times, and its side loses",
        "squadhex-rounds",
        lambda m: m.outcome.termination == "forfeit" and m.outcome.winner == 0,
        ("random", str(BAD)),
        Limits(faults=3),
    ),
    "squadhex-collapse": Case(
        "squads and hexes: a house comes down on those inside, and the side that lives in its ruins wins",
        "squadhex-collapse",
        lambda m: _length(m) and m.outcome == Outcome(1, (0, 3), "length") and "SH-FALL-1" in m.clauses,
    ),
    "house-holds": Case(
        "a house throws back the tank that drives into it",
        "tank",
        lambda m: "OD-TANK-3" in m.clauses,
    ),
    "barrage-fells": Case(
        "the shells of a barrage add up to the fall of a house",
        "barrage",
        lambda m: "OD-BARR-3" in m.clauses,
    ),
    "house-and-tank": Case(
        "a tank brings a house down at a price",
        "tank",
        lambda m: "OD-TANK-4" in m.clauses,
    ),
    "armorclass-length": Case(
        "armour classes: the last turn is over and one side is ahead by more than the margin",
        "armorclass-points",
        lambda m: _length(m) and m.outcome.winner is not None and m.turns == 2,
    ),
    "armorclass-annihilation": Case(
        "armour classes: a side has nobody left and loses",
        "armorclass-annihilation",
        lambda m: m.outcome == Outcome(0, (0, 0), "annihilation") and "AC-DEST-2" in m.clauses,
    ),
    "armorclass-annihilation-draw": Case(
        "armour classes: a nuclear warhead leaves nobody",
        "armorclass-annihilation",
        lambda m: m.outcome == Outcome(None, (0, 0), "annihilation"),
    ),
    "armorclass-draw": Case(
        "armour classes: the last turn is over and nobody is ahead",
        "armorclass-annihilation",
        lambda m: _length(m) and m.outcome.winner is None,
    ),
    "armorclass-exit": Case(
        "armour classes: the last of a side has left, and its points win",
        "armorclass-exit",
        lambda m: m.outcome == Outcome(0, (2, 0), "exit"),
    ),
    "armorclass-exit-lost": Case(
        "armour classes: the last of a side has left, and the other's points win",
        "armorclass-exit",
        lambda m: m.outcome == Outcome(1, (2, 4), "exit"),
    ),
    "armorclass-forfeit": Case(
        "armour classes: an agent fails three times, and its side loses",
        "armorclass-points",
        lambda m: m.outcome.termination == "forfeit" and m.outcome.winner == 0,
        ("random", str(BAD)),
        Limits(faults=3),
    ),
    "armorclass-breach": Case(
        "armour classes: engineers breach a wall and their side has the house",
        "armorclass-siege",
        lambda m: "AC-ENG-1" in m.clauses and "AC-ENG-2" in m.clauses and m.outcome.winner == 0,
    ),
    "regiment-length": Case(
        "regiments: the last turn is over and one side is ahead by the margin",
        "regiment-points",
        lambda m: _length(m) and m.outcome == Outcome(0, (80, 0), "length") and m.turns == 2,
    ),
    "regiment-draw": Case(
        "regiments: the last turn is over and nobody is ahead by the margin",
        "regiment-points",
        lambda m: _length(m) and m.outcome.winner is None and m.turns == 2,
    ),
    "regiment-massacre": Case(
        "regiments: the last turn is over and one side is ahead by enough for a massacre",
        "regiment-points",
        lambda m: m.outcome.termination == "massacre" and m.outcome.winner == 1,
    ),
    "regiment-annihilation": Case(
        "regiments: a side has nobody left and loses",
        "regiment-annihilation",
        lambda m: m.outcome.termination == "annihilation" and m.outcome.winner == 0,
    ),
    "regiment-annihilation-draw": Case(
        "regiments: two captains kill each other in one round",
        "regiment-annihilation",
        lambda m: m.outcome.termination == "annihilation" and m.outcome.winner is None,
    ),
    "regiment-forfeit": Case(
        "regiments: an agent fails three times, and its side loses",
        "regiment-points",
        lambda m: m.outcome.termination == "forfeit" and m.outcome.winner == 0,
        ("random", str(BAD)),
        Limits(faults=3),
    ),
    "regiment-siege": Case(
        "regiments: the hut is struck, its garrison is driven out, and the besiegers win",
        "regiment-siege",
        lambda m: m.outcome.winner == 0 and {"RG-SHOOT-4", "RG-HOUSE-FLEE", "RG-MOVE-4"} <= m.clauses,
    ),
}


def of_game(game: Game) -> Made:
    """What a game came to."""
    return _made(game.outcome, game.log)


def of_record(record: Record) -> Made:
    """What the battle of a record came to."""
    return _made(record.outcome, record.events)


def _made(outcome: Outcome, events: Sequence[Event]) -> Made:
    ended = sum(isinstance(event, TurnEnded) for event in events)
    rolled = any(isinstance(event, Rolled) and event.purpose == "extra turn" for event in events)
    return Made(outcome, ended, rolled, frozenset(clause for event in events for clause in event.clauses))


def path_of(name: str) -> Path:
    """The file of a golden record."""
    return RECORDS / f"{name}.jsonl"


def without_code(data: bytes) -> list[bytes]:
    """The lines of a record without what names the code that made it: the header's field, and the digest of the last line."""
    head, *events, last, rest = data.split(b"\n")
    header, end = msgspec.json.decode(head), msgspec.json.decode(last)
    del header["code"], end["end"]["digest"]
    return [msgspec.json.encode(header), *events, msgspec.json.encode(end), rest]
