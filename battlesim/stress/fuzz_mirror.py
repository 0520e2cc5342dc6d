"""Whether mirrored battles go like the originals: the same scenario with west and east exchanged, played often. Read
`differences_in_mirror`.

Single games differ, since dice are keyed by places that have other numbers; their distribution must not.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np
from msgspec.structs import replace
from numpy.typing import NDArray
from scipy import stats

from battlesim.core.errors import InputError
from battlesim.core.state import State
from battlesim.engine.game import play
from battlesim.rules.scenario import Force, Objective, Scenario, SideInfo
from battlesim.stress.fuzz_choices import Choices
from battlesim.stress.fuzz_maps import images_of, mirrored, mirrored_differences
from battlesim.stress.fuzz_scenarios import Vocabulary, random_scenario

EDGES = {"e": "w", "w": "e"}


class Mirrored(NamedTuple):
    """The results of mirrored games. `p`: the chance of differences as large as these if there are none, by the sum of squared
    t-statistics over the scenarios. `worst`: (number of the scenario, mean of its games, mean of its mirrored games)."""

    scenarios: int
    games: int
    p: float
    worst: tuple[int, float, float]


def scenario_in_mirror(scenario: Scenario) -> Scenario | None:
    """The same scenario on the map with west and east exchanged; None if its map or a starting place has no such image."""
    board = scenario.board
    if board.name != "fuzz" or board.unit != "inch":
        return None
    try:
        other = mirrored(board)
    except InputError:
        return None
    if mirrored_differences(board) or len(other.spaces) != len(board.spaces):
        return None
    pairs: dict[int, int] = {}
    for space, near in images_of(board, other, True):
        if len(near) != 1:
            return None
        pairs[space.id] = near[0]
    if any(force.facing >= 0 or force.opening >= 0 for force in scenario.forces):
        return None
    if any(name in board.by_name for name in _words(scenario.options)):
        return None  # only the rulebook can read options that name places

    def places(given: Sequence[int]) -> tuple[int, ...]:
        return tuple(sorted(pairs[place] for place in given))

    def of_side(side: SideInfo) -> SideInfo:
        return replace(side, zones=tuple(replace(zone, spaces=places(zone.spaces)) for zone in side.zones))

    def of_force(force: Force) -> Force:
        place = pairs[force.place] if force.place >= 0 else force.place
        return replace(force, place=place, edge=EDGES.get(force.edge, force.edge))

    def of_goal(goal: Objective) -> Objective:
        return replace(goal, places=places(goal.places), edge=EDGES.get(goal.edge, goal.edge))

    one, two = scenario.sides
    return replace(
        scenario,
        board=other,
        sides=(of_side(one), of_side(two)),
        forces=tuple(map(of_force, scenario.forces)),
        objectives=tuple(map(of_goal, scenario.objectives)),
    )


def differences_in_mirror(
    pairs: Sequence[tuple[Scenario, Scenario]], games: int, agent: str = "rush"
) -> Mirrored:
    """Play each scenario of some pairs `games` times, and compare in the two which side lost more of its models."""
    found: list[tuple[float, float, float]] = []
    for one, two in pairs:
        mine, other = _losses(one, games, agent), _losses(two, games, agent)
        spread = float(np.sqrt((mine.var(ddof=1) + other.var(ddof=1)) / games))
        gap = float(mine.mean() - other.mean())
        squared = 0.0 if gap == 0 else (gap / spread) ** 2 if spread > 0 else float("inf")
        found.append((squared, float(mine.mean()), float(other.mean())))
    # The square of Student's t with n degrees of freedom has the mean n / (n - 2), not 1.
    free = 2 * (games - 1)
    whole = sum(squared for squared, _, _ in found) * (free - 2) / free
    worst = max(range(len(found)), key=lambda number: found[number][0])
    p = float(stats.chi2.sf(whole, len(found)))
    return Mirrored(len(found), games, p, (worst, found[worst][1], found[worst][2]))


def random_pairs(words: Vocabulary, wanted: int, seed: int) -> list[tuple[Scenario, Scenario]]:
    """`wanted` random scenarios under a rulebook, each with its mirror image."""
    found: list[tuple[Scenario, Scenario]] = []
    for number in range(40 * wanted):
        if len(found) == wanted:
            break
        scenario = random_scenario(Choices((), seed * 100_003 + number), words)
        image = scenario_in_mirror(scenario)
        if image is not None:
            found.append((scenario, image))
    return found


def _words(value: object) -> Iterator[str]:
    """Every text inside a table of options."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for each in value.values():
            yield from _words(each)
    elif isinstance(value, list | tuple):
        for each in value:
            yield from _words(each)


def _losses(scenario: Scenario, games: int, agent: str) -> NDArray[np.float64]:
    """For each game, the share of its models that the first side lost, less that of the second."""
    values = []
    for seed in range(games):
        game = play(scenario, (agent, agent), seed)
        row = game.row()
        began = _models(game.state, row["losses"], [side.name for side in scenario.sides])
        lost = [row["losses"][side.name]["models"] for side in scenario.sides]
        values.append(lost[0] / max(1, began[0]) - lost[1] / max(1, began[1]))
    return np.array(values)


def _models(state: State, losses: dict[str, dict[str, int]], sides: Sequence[str]) -> list[int]:
    """Models that each side had at first."""
    return [
        sum(unit.models for unit in state.units.values() if unit.side == number) + losses[name]["models"]
        for number, name in enumerate(sides)
    ]
