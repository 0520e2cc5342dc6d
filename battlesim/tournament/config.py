"""The config of a tournament: a TOML file, or the same settings as flags. Read `TournamentConfig`.

    name = "first"
    agents = ["greedy", "rush", "mine.py,bold=0.8"]
    scenarios = ["skirmish", "stairwell"]
    format = "round-robin"      # or "gauntlet" (everybody against `baseline`), "ladder" (each agent against the next),
                                # "match" (two agents), "control" (each agent against itself: are the scenarios fair?)
    games = 100                 # of each pairing on each scenario: pairs of games with the sides swapped
    seed = 1

Names of files are relative to the folder of the TOML file.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any, Literal

from pydantic import Field

from battlesim.batch.settings import Bounds, Settings, bounds_contradictions, parse_settings
from battlesim.core.errors import did_you_mean
from battlesim.core.toml import read_toml


class Sequential(Settings):
    """The sequential test of a match: it stops when the pairs decide between `elo0` and `elo1`."""

    elo0: float = Field(
        default=0.0, ge=-1000, le=1000, description="H0: the first agent is at most this much better, in Elo"
    )
    elo1: float = Field(
        default=10.0, ge=-1000, le=1000, description="H1: it is at least this much better, in Elo"
    )
    alpha: float = Field(default=0.05, gt=0, lt=0.5, description="chance to accept H1 where H0 is true")
    beta: float = Field(default=0.05, gt=0, lt=0.5, description="chance to accept H0 where H1 is true")


class Trust(Settings):
    """When a rating is withheld."""

    degenerate: float = Field(
        default=0.2, ge=0, le=1, description="share of games stalled, forfeited or crashed, at most"
    )
    bias: float = Field(
        default=0.8, ge=0.5, le=1, description="share of one side in the control arm, at most"
    )
    fair: float = Field(
        default=0.6,
        gt=0.5,
        lt=1,
        description="a scenario is called fair where a bias of this share is ruled out for every agent",
    )


class Keep(Settings):
    """Which games' records are kept."""

    records: Literal["notable", "all", "none", "faults", "sample"] = Field(
        default="notable", description="notable: the median game of each pairing and games with faults"
    )
    sample: int = Field(
        default=20, ge=1, description="with records = 'sample': about so many games, spread evenly"
    )


class TournamentConfig(Settings):
    """The settings of a tournament."""

    name: str = Field(default="tournament", min_length=1, max_length=60)
    agents: tuple[str, ...] = Field(min_length=1, max_length=200)
    scenarios: tuple[str, ...] = Field(min_length=1, max_length=500)
    format: Literal["round-robin", "gauntlet", "ladder", "match", "control"] = "round-robin"
    baseline: str = Field(
        default="", description="gauntlet: the agent that meets everybody else; usual: the first"
    )
    games: int = Field(
        default=100, ge=2, le=10_000_000, description="of each pairing on each scenario, an even number"
    )
    control: int | None = Field(
        default=None,
        ge=0,
        le=10_000_000,
        description="games of each agent with itself on each scenario; usual: half of games, at most 30",
    )
    seed: int = Field(default=1, ge=-(2**63), lt=2**63)
    salt: str = Field(
        default="",
        max_length=200,
        description="a secret that goes into every game's seed: no dice can be guessed",
    )
    stop: Sequential | None = Field(
        default=None, description="the sequential test of a match; usual: play every game"
    )
    limits: Bounds = Bounds()
    trust: Trust = Trust()
    keep: Keep = Keep()


def read_config(path: Path) -> tuple[TournamentConfig, bytes]:
    """The settings in a TOML file, and the file's bytes. Raises InputError with every fault of the file."""
    value, text = read_toml(path, "the tournament's file")
    return parse_config(value, str(path), text), text.encode()


def parse_config(value: Mapping[str, Any], file: str = "", text: str = "") -> TournamentConfig:
    """The settings in plain data. `text`: the file's, to find lines of faults. Raises InputError with every fault."""
    return parse_settings(TournamentConfig, value, _contradictions, file, text)


def _contradictions(asked: TournamentConfig) -> list[tuple[str, str, str]]:
    """(place, what, remedy) of settings that are valid alone but not together."""
    found = []
    if asked.games % 2 and asked.format != "control":
        found.append(("games", f"{asked.games} games do not make whole pairs", f"give {asked.games + 1}"))
    for place, names in (("agents", asked.agents), ("scenarios", asked.scenarios)):
        twice = sorted({name for name in names if names.count(name) > 1})
        if twice:
            found.append((place, f"{twice[0]!r} is named twice", "name each once"))
    if asked.format == "match" and len(asked.agents) != 2:
        found.append(
            ("agents", f"a match has two agents, not {len(asked.agents)}", "name two, or play a round robin")
        )
    if asked.format != "match" and asked.stop is not None:
        what = f"a sequential test compares two agents, and this is a {asked.format}"
        found.append(("stop", what, "format = 'match', or leave the test out"))
    if asked.baseline and asked.format != "gauntlet":
        found.append(
            ("baseline", f"a {asked.format} has no baseline", "format = 'gauntlet', or leave it out")
        )
    if asked.baseline and asked.baseline not in asked.agents:
        found.append(
            (
                "baseline",
                f"{asked.baseline!r} is none of the agents",
                did_you_mean(asked.baseline, asked.agents),
            )
        )
    if (len(asked.agents) == 1 or asked.format == "control") and asked.control == 0:
        found.append(
            ("control", "one agent and no control games leave nothing to play", "add agents or control games")
        )
    if asked.format == "gauntlet" and len(asked.agents) == 1:
        found.append(("agents", "a gauntlet needs an agent to meet the baseline", "name two agents or more"))
    if asked.format == "ladder" and len(asked.agents) == 1:
        found.append(("agents", "a ladder needs two rungs", "name two agents or more, the weakest first"))
    found += bounds_contradictions(asked.limits)
    if asked.stop is not None and asked.stop.elo0 >= asked.stop.elo1:
        what = f"elo0 {asked.stop.elo0:g} is not below elo1 {asked.stop.elo1:g}"
        found.append(("stop.elo1", what, "give an elo1 above elo0"))
    return found
