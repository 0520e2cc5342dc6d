"""The settings of a search for balance or for a frontier. Read `tuning_of`."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from math import ceil, floor, isfinite
from pathlib import Path
from typing import Any

from msgspec.structs import replace

from battlesim.batch.begun import begun_with, check_begun
from battlesim.core.errors import Fault, InputError, did_you_mean
from battlesim.jobs.executor import Executor
from battlesim.rules.scenario import Scenario
from battlesim.stress.arena import Arena, Field
from battlesim.stress.balance import Search
from battlesim.stress.change import Balance, Knob
from battlesim.stress.config import Factor, parse_config, parse_factor, written
from battlesim.stress.frontier import Frontier, FrontierFound
from battlesim.stress.plan import load_for
from battlesim.stress.points import Varied
from battlesim.stress.search_folder import BALANCE_ASKED, read_asked

VALUES = 21
"""How many values are tried in a range that is not of whole numbers."""
LEAST, MOST = 100, 2000
"""Fresh games of each proposal."""


class Tuning:
    """The resolved settings: the scenario, the factors and the costs of their steps. Raises InputError with every fault."""

    def __init__(self, scenario: Scenario, asked: Mapping[str, Any]) -> None:
        self.scenario, self.asked = scenario, dict(asked)
        self.frontier = bool(asked.get("frontier"))
        self.sides = (scenario.sides[0].name, scenario.sides[1].name)
        self.share, self.margin = float(asked.get("share", 0.5)), float(asked.get("margin", 0.05))
        if not 0.02 <= self.share <= 0.98:
            raise InputError(Fault(f"a share of {self.share:g} is not looked for", "give 0.02 to 0.98"))
        if not 0.01 <= self.margin <= 0.3:
            raise InputError(Fault(f"a margin of {self.margin:g} is not usable", "give 0.01 to 0.3"))
        one, two = asked.get("agents") or ("greedy", "greedy")
        table = {
            "scenario": scenario.name,
            "agents": (one, two),
            "design": "latin-hypercube",
            "factors": [parse_factor(text) for text in asked["tune"]],
        }
        with written(flags=asked["tune"], flag="--tune"):
            self.factors: tuple[Factor, ...] = parse_config(table).factors
            self.varied = Varied(scenario, (one, two), self.factors)
        self.knobs = _knobs(self.varied, _costs(asked.get("cost") or (), self.factors))

    @property
    def confirm(self) -> int:
        """Fresh games of each proposal: enough to make the interval about as narrow as the margin on either side."""
        return int(self.asked.get("confirm") or min(MOST, max(LEAST, ceil((0.98 / self.margin) ** 2))))

    def search(
        self,
        executor: Executor,
        folder: Path,
        told: Callable[[int], None] = lambda _: None,
        say: Callable[[str], None] = lambda _: None,
    ) -> Balance | FrontierFound:
        """Play and decide. A search in the same folder is continued. Raises InputError if it was begun with other settings."""
        scenarios = (str(self.asked["scenario"]),)
        begun = begun_with(self.asked, self.asked.get("agents") or ("greedy",), scenarios)
        check_begun(folder, begun, folder / BALANCE_ASKED)
        arena = Arena(self.varied, executor, folder, told=told)
        return replace(self.search_on(arena, say), blame=arena.failures.found())

    def search_on(self, field: Field, say: Callable[[str], None] = lambda _: None) -> Balance | FrontierFound:
        """The same on any field."""
        seed, most = int(self.asked.get("seed", 1)), int(self.asked.get("games", 4000))
        if self.frontier:
            return Frontier(field, self.knobs, self.share, seed, most, say).run()
        return Search(field, self.knobs, self.share, self.margin, seed, most, say).run(self.confirm)


def tuning_of(asked: Mapping[str, Any]) -> Tuning:
    """The search for some settings, named as in `battlesim balance`. Raises InputError with every fault."""
    return Tuning(load_for(str(asked["scenario"]), None), asked)


def read_tuning(file: Path) -> Tuning:
    """The settings of a search's folder."""
    return tuning_of(read_asked(file))


def _costs(said: Sequence[str], factors: Sequence[Factor]) -> dict[str, float]:
    """The cost of a step of each factor, by its name."""
    costs: dict[str, float] = {}
    names = [factor.title for factor in factors]
    for text in said:
        name, _, cost = text.rpartition("=")
        if name not in names:
            raise InputError(Fault(f"--cost {text}: {name!r} is not tuned", did_you_mean(name, names)))
        try:
            costs[name] = float(cost)
        except ValueError:
            raise InputError(
                Fault(f"--cost {text}: {cost!r} is not a number", "give a number above 0")
            ) from None
        if not isfinite(costs[name]) or costs[name] <= 0:
            what = "is not above 0" if isfinite(costs[name]) else "is not a finite number"
            raise InputError(Fault(f"--cost {text} {what}", "give a number above 0"))
    return costs


def _knobs(varied: Varied, costs: Mapping[str, float]) -> list[Knob]:
    knobs = []
    for number, factor in enumerate(varied.factors):
        levels = _levels(factor)
        usual = varied.usual(number)
        ordered = all(isinstance(level, (int, float)) and not isinstance(level, bool) for level in levels)
        found = sorted(levels) if ordered else levels
        knobs.append(Knob(factor.title, usual, tuple(found), ordered, costs.get(factor.title)))
    return knobs


def _levels(factor: Factor) -> list[Any]:
    if factor.range is None:
        return list(factor.levels)
    low, high = factor.range
    if factor.integer:
        return list(range(ceil(low), floor(high) + 1))
    return [round(low + step * (high - low) / (VALUES - 1), 6) for step in range(VALUES)]
