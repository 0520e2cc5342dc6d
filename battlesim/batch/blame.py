"""Games and questions that agents lost by their own failure, counted and put into a sentence. Read `Failures`, `blame_lines`.

Every command that plays many games reports them in these words: such games say nothing about a scenario or a tactic.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from msgspec import Struct
from msgspec.structs import asdict

from battlesim.batch.rows import GameRow
from battlesim.viewer.report_words import plural
from battlesim.viewer.wording import printable

BROKEN = ("forfeit", "crash")
"""Ends that are an agent's fault."""
MOST = 6
"""The most agents that are listed; the rest are counted."""


class AgentFaults(Struct):
    """Failures of one agent: games forfeited, games crashed, questions lost. `what`: the first one in words."""

    forfeit: int = 0
    crash: int = 0
    faults: int = 0
    what: str = ""

    def add(self, more: AgentFaults) -> None:
        """Add the failures of another part."""
        self.forfeit += more.forfeit
        self.crash += more.crash
        self.faults += more.faults
        self.what = self.what or more.what


class Blame(Struct, frozen=True):
    """What one agent lost by its own failure, as kept among the figures. The fields are those of `AgentFaults`."""

    agent: str
    forfeit: int = 0
    crash: int = 0
    faults: int = 0
    what: str = ""


class Failures:
    """Counts what agents lost by their own failure. `by_agent`: the counts of each agent that failed, by its name."""

    def __init__(self) -> None:
        self.by_agent: dict[str, AgentFaults] = {}

    def of(self, agent: str) -> AgentFaults:
        """The counts of an agent; new ones, all 0, if it has none yet."""
        return self.by_agent.setdefault(agent, AgentFaults())

    def watch(self, rows: Iterable[GameRow]) -> Iterable[GameRow]:
        """The same rows, counted as they pass."""
        for row in rows:
            self.take(row)
            yield row

    def take(self, row: GameRow) -> None:
        """Count the failures of a game."""
        self.count(row.agents, row.faults, row.verdict, row.winner)

    def count(
        self,
        agents: Mapping[str, str],
        faults: Iterable[Mapping[str, Any]],
        verdict: str,
        winner: str | None,
    ) -> None:
        """The same for a game's row as plain data: the fields of `GameRow`. Faults of battlesim itself are not counted."""
        for fault in faults:
            if fault["side"]:
                found = self.of(agents[fault["side"]])
                found.faults += verdict != "crash"
                found.what = found.what or fault["what"]
        if verdict in BROKEN:
            for agent in _losers(agents, winner):
                found = self.of(agent)
                found.forfeit += verdict == "forfeit"
                found.crash += verdict == "crash"

    def add(self, found: Iterable[Blame]) -> None:
        """Add failures that were counted elsewhere."""
        for one in found:
            self.of(one.agent).add(AgentFaults(one.forfeit, one.crash, one.faults, one.what))

    def found(self) -> tuple[Blame, ...]:
        """What each agent lost, by its name."""
        return tuple(Blame(name, **asdict(found)) for name, found in sorted(self.by_agent.items()))


def losers_of(row: GameRow) -> list[str]:
    """The agents to whose failure a game came to its end: none, one, or both if neither could start."""
    return _losers(row.agents, row.winner) if row.verdict in BROKEN else []


def _losers(agents: Mapping[str, str], winner: str | None) -> list[str]:
    """The agents of all sides but the winner's, each once and sorted."""
    return sorted({agent for side, agent in agents.items() if side != winner})


def blame_words(agent: str, forfeit: int = 0, crash: int = 0, faults: int = 0, what: str = "") -> str:
    """What an agent lost by its own failure, in words.

    >>> blame_words("bad", forfeit=4, faults=72, what="choose raised ValueError")
    'bad: 4 games forfeited, 72 questions lost; first: choose raised ValueError'
    """
    parts = [
        f"{plural(games, 'game')} {words}"
        for games, words in ((forfeit, "forfeited"), (crash, "crashed"))
        if games
    ]
    parts.append(f"{plural(faults, 'question')} lost")
    return f"{agent}: {', '.join(parts)}; first: {printable(what)}"


def blame_lines(found: Iterable[Blame | Mapping[str, Any]], most: int = MOST) -> list[str]:
    """A sentence for each agent that failed, the largest losses first; of more than `most`, the rest in one more sentence."""
    rows = [asdict(one) if isinstance(one, Blame) else one for one in found]
    rows.sort(key=lambda row: (-row["forfeit"] - row["crash"], -row["faults"], row["agent"]))
    told = [blame_words(**row) for row in rows[:most]]
    return told if len(rows) <= most else [*told, f"{plural(len(rows) - most, 'more agent')} failed, too"]
