"""Counts of the question tree: how many ways there are to give N answers, and how many positions they lead to.

A count that changes says that some rule now allows more or less than before, or comes out otherwise; whoever changes a rule on
purpose makes the table again (`python -m tests.perft.make`) and looks at what moved. Read `levels`.
"""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import NamedTuple

from msgspec.structs import replace

from battlesim.core.codec import dump_state
from battlesim.core.dice import KeyedDice
from battlesim.core.state import State
from battlesim.engine.battle import Battle
from battlesim.rulesets.finder import find_ruleset
from battlesim.scenario.load import first_state, load_scenario

FOLDER = Path(__file__).parent
TABLE = FOLDER / "table.toml"


class Level(NamedTuple):
    """After N answers: `leaves`: ways to give them; `positions`: different positions they lead to, work in hand included;
    `ended`: ways that end the battle with the last answer (they have no further ones)."""

    leaves: int
    positions: int
    ended: int


class Row(NamedTuple):
    """One line of the table: a scenario of this folder, the seed of its dice, how deep the quick test goes, and the levels from
    one answer on."""

    name: str
    seed: int
    quick: int
    levels: tuple[Level, ...]


def table() -> dict[str, Row]:
    """The table, by name."""
    found = {}
    for name, row in tomllib.loads(TABLE.read_text()).items():
        found[name] = Row(name, row["seed"], row["quick"], tuple(Level(*level) for level in row["levels"]))
    return found


def start(name: str, seed: int) -> Battle:
    """A scenario of this folder at its first question."""
    scenario = load_scenario(FOLDER / f"{name}.yaml")
    return Battle(
        find_ruleset(scenario.ruleset), scenario.board, first_state(scenario, seed), KeyedDice(seed)
    )


def name_of(state: State) -> bytes:
    """What makes a position: all of the state but counters of events and questions, which nothing comes of."""
    bare = state.clone()
    bare.events, bare.questions = 0, (0, 0)
    bare.stack = tuple(replace(item, cause=-1) for item in state.stack)
    return dump_state(bare)


def levels(battle: Battle, depth: int) -> list[Level]:
    """The counts after 1 to `depth` answers under the battle's dice. Positions alike go on alike, so each is looked at once."""
    found: list[Level] = []
    here: dict[bytes, tuple[int, Battle]] = {b"": (1, battle)}
    for _ in range(depth):
        after: dict[bytes, tuple[int, Battle]] = {}
        for ways, parent in here.values():
            if parent.question is None:
                continue
            for said in parent.question.answers:
                child = parent.fork()
                child.answer(said)
                name = name_of(child.state)
                met, known = after.get(name, (0, child))
                after[name] = (met + ways, known)
        ended = sum(ways for ways, child in after.values() if child.over)
        found.append(Level(sum(ways for ways, _ in after.values()), len(after), ended))
        here = after
    return found


def leaves(battle: Battle, depth: int) -> int:
    """The ways to give `depth` answers, walked one by one: slow, and as plain as can be."""
    if depth == 0:
        return 1
    if battle.question is None:
        return 0
    total = 0
    for said in battle.question.answers:
        child = battle.fork()
        child.answer(said)
        total += leaves(child, depth - 1)
    return total
