"""Comparing two runs by the games that both have. Read `compare_runs`.

A game of one run is paired with the game of the other that has the same scenario, seed, and agents on the same sides, by name.
They share their dice. So the difference comes from what changed between the runs: an agent, a scenario, the program.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from contextlib import closing
from typing import Any

from msgspec import Struct

from battlesim.batch.blame import BROKEN
from battlesim.batch.lists import GameList
from battlesim.core.errors import Fault, InputError
from battlesim.jobs.folder import RunFolder
from battlesim.tournament.margins import MeanMargin, interval_of_means
from battlesim.tournament.resolve import TournamentPlan
from battlesim.tournament.shares import ELO, Interval, elo

Plan = TournamentPlan | GameList
Game = tuple[str, int, str, str]
"""Scenario, seed, agent on side 0, agent on side 1."""
Cell = tuple[str, str]
"""Scenario and opponent."""
Shares = tuple[float, float]
"""A share of the points before and after."""


class Compared(Struct, frozen=True):
    """What changed for one agent.

    `scenario`: "" for all. `side`: in games of the agent against itself, the first side, whose share is given; else "". `games`:
    those that both runs have. `changed`: how many of these have another result. `before`, `after`: shares of the points, 0 to 1;
    each scenario and opponent has the same weight. `difference`: of the shares, -1 to 1. `interval`: of the difference, 95%; None
    where all pairs changed alike. `elo`: the difference in Elo with its 95% interval; None if a share is 0 or 1, or without an
    interval.
    """

    agent: str
    scenario: str
    side: str
    games: int
    changed: int
    before: float
    after: float
    difference: float
    interval: Interval | None
    elo: Interval | None


class RunsCompared(Struct, frozen=True):
    """`games`: how many results the first run has, the second, and both. `differs`: what is not alike in the two runs. `stopped`:
    one of them has a sequential test. `agents`: each agent against others. `sides`: each agent against itself."""

    games: tuple[int, int, int]
    differs: tuple[str, ...]
    stopped: bool
    agents: tuple[Compared, ...]
    sides: tuple[Compared, ...]


def compare_runs(runs: Sequence[RunFolder], plans: Sequence[Plan]) -> RunsCompared:
    """Compare two runs. Raises InputError if they have no game in common."""
    before, after = (_results(run, plan) for run, plan in zip(runs, plans, strict=True))
    common = sorted(before.keys() & after.keys())
    if not common:
        remedy = "play the second with the seed, the salt and the names of the first, or all agents in one tournament"
        what = "no game of one run has the same scenario, seed and agents as a game of the other"
        raise InputError(Fault(what, remedy, str(runs[1].path)))
    found: dict[tuple[str, bool], dict[Cell, dict[int, list[Shares]]]] = {}
    for game in common:
        scenario, seed, one, two = game
        shares = before[game], after[game]
        mirrored = 1 - shares[0], 1 - shares[1]
        played = [(one, two, shares)] if one == two else [(one, two, shares), (two, one, mirrored)]
        for agent, opponent, taken in played:
            cells = found.setdefault((agent, one == two), {})
            cells.setdefault((scenario, opponent), {}).setdefault(seed, []).append(taken)
    first_sides = _sides(plans[0])
    agents: list[Compared] = []
    sides: list[Compared] = []
    for (agent, alone), cells in sorted(found.items()):
        scenarios = sorted({scenario for scenario, _ in cells})
        if not alone and len(scenarios) > 1:
            agents.append(_compared(agent, "", "", list(cells.values())))
        for name in scenarios:
            chosen = [pairs for (scenario, _), pairs in cells.items() if scenario == name]
            row = _compared(agent, name, first_sides[name] if alone else "", chosen)
            (sides if alone else agents).append(row)
    stopped = any(isinstance(plan, TournamentPlan) and plan.asked.stop is not None for plan in plans)
    games = len(before), len(after), len(common)
    return RunsCompared(games, tuple(_differs(*plans)), stopped, tuple(agents), tuple(sides))


def _results(run: RunFolder, plan: Plan) -> dict[Game, float]:
    """The first side's points in each game, a draw counting half. As in the tables, a game that a defect of battlesim ended has
    no result, nor has one of an agent against itself that it lost by its own failure."""
    found: dict[Game, float] = {}
    with closing(run.store(read_only=True)) as store:
        for stored in store.rows():
            row = plan.row(stored.row)
            one, two = row.sides
            alone = row.agents[one] == row.agents[two]
            if row.verdict != "fault" and not (alone and row.verdict in BROKEN):
                points = 0.5 if row.winner is None else float(row.winner == one)
                found[row.scenario, row.seed, row.agents[one], row.agents[two]] = points
    return found


def _sides(plan: Plan) -> dict[str, str]:
    """The first side of each scenario."""
    return {entry.source.name: entry.sides[0] for entry in plan.resolved.scenarios}


def _compared(
    agent: str, scenario: str, side: str, cells: Sequence[Mapping[int, Sequence[Shares]]]
) -> Compared:
    """One row. `cells`: of each scenario and opponent, the games by seed. The games of one seed share their dice and are one
    unit."""
    units = [[tuple(map(_mean, zip(*games, strict=True))) for games in cell.values()] for cell in cells]
    before, after = (_mean(_mean(unit[n] for unit in cell) for cell in units) for n in (0, 1))
    every = [shares for cell in cells for games in cell.values() for shares in games]
    interval = _interval([[unit[1] - unit[0] for unit in cell] for cell in units])
    ratio = None
    if interval is not None and 0 < before < 1 and 0 < after < 1:
        # Near its mean, Elo is nearly linear in the share, and rises by this much.
        rises = [ELO / (share * (1 - share)) for share in (before, after)]
        bent = _interval([[unit[1] * rises[1] - unit[0] * rises[0] for unit in cell] for cell in units])
        value = elo(after) - elo(before)
        ratio = bent and Interval(value, value + bent.low - bent.value, value + bent.high - bent.value)
    return Compared(
        agent,
        scenario,
        side,
        len(every),
        sum(one != two for one, two in every),
        before,
        after,
        after - before,
        interval,
        ratio,
    )


def _interval(cells: Iterable[Sequence[float]]) -> Interval | None:
    """The mean of cells that weigh the same, by Student's t; None where no cell shows a spread. A cell without spread has the
    error that it would have if one of its units were wrong by 100%."""
    found = []
    for values in cells:
        number, mean = len(values), _mean(values)
        spread = math.fsum((value - mean) ** 2 for value in values)
        alike = len(set(values)) == 1
        variance = 0.0 if alike else spread / number / (number - 1)
        found.append(MeanMargin(mean, variance, number - 1))
    if not any(one.variance for one in found):
        return None
    return interval_of_means(
        [
            one if one.variance else MeanMargin(one.mean, 1 / len(values) ** 2)
            for one, values in zip(found, cells, strict=True)
        ]
    )


def _mean(values: Iterable[float]) -> float:
    given = list(values)
    return math.fsum(given) / len(given)


def _differs(one: Plan, two: Plan) -> Iterable[str]:
    """What both runs have under the same name, but not alike."""
    a, b = one.resolved, two.resolved
    if a.code != b.code:
        yield "the program"
    if _limits(one) != _limits(two):
        yield "the limits"
    pins: list[tuple[str, Mapping[str, str], Mapping[str, str]]] = [
        ("agent", {pin.name: pin.digest for pin in a.agents}, {pin.name: pin.digest for pin in b.agents}),
        ("scenario", _scenarios(one), _scenarios(two)),
    ]
    for kind, old, new in pins:
        yield from (f"the {kind} {name}" for name in old if name in new and old[name] != new[name])


def _limits(plan: Plan) -> Any:
    return plan.limits if isinstance(plan, GameList) else plan.asked.limits


def _scenarios(plan: Plan) -> dict[str, str]:
    return {entry.source.name: entry.source.digest for entry in plan.resolved.scenarios}
