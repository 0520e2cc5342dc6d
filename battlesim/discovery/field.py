"""Cases played in battles: a way of fighting against a pool of opponents on some scenarios. Read `BattleField.play`."""

from __future__ import annotations

from bisect import bisect
from collections.abc import Mapping, Sequence
from itertools import accumulate

from msgspec import Struct

from battlesim.batch.lists import GameRequest
from battlesim.batch.rounds import Rounds
from battlesim.batch.rows import GameRow
from battlesim.core.dice import derive_seed
from battlesim.core.sums import summed
from battlesim.discovery.behaviour import behaviour_of
from battlesim.discovery.genome import SearchSpace
from battlesim.discovery.search_cases import Part, Played, Wanted

CHARACTERS = ("assault", "defence", "firebase", "infiltration", "demolition")
"""Characters of `doctrine` that are written by hand."""
TRAINING = ("greedy", "rush", "doctrine,character=assault", "doctrine,character=defence")
SELECTION = ("greedy", "rush", "doctrine,character=assault", "doctrine,character=firebase")
CONFIRMATION = ("greedy", "doctrine,character=infiltration", "doctrine,character=demolition")
"""Opponents of the parts, unless others are named: firebase is met first in the selection, infiltration and demolition in the
confirmation."""
GOLDEN = 0.6180339887498949
"""Multiples of the golden ratio fill 0 to 1 evenly, however many are taken."""


class Ground(Struct, frozen=True):
    """The scenarios and opponents of one part. Case n is against opponent n on scenario n, both cyclic, so a number of cases that
    is a multiple of both counts meets all equally often. `weights`: of the opponents, if they are not met equally often; then any
    run of cases meets each about in proportion to its weight (the golden ratio's sequence)."""

    scenarios: tuple[str, ...]
    opponents: tuple[str, ...]
    weights: tuple[float, ...] = ()

    def case(self, number: int) -> tuple[str, str]:
        """The scenario and the opponent of a case."""
        scenario = self.scenarios[number // len(self.opponents) % len(self.scenarios)]
        if not self.weights:
            return scenario, self.opponents[number % len(self.opponents)]
        ends = list(accumulate(self.weights))
        at = bisect(ends, number * GOLDEN % 1.0 * ends[-1])
        return scenario, self.opponents[min(at, len(ends) - 1)]


class BattleField:
    """Plays cases in battles. `grounds`: of the parts; duels take the confirmation's scenarios. `is_shuffled`: a coin decides who
    won each game, so no way of fighting is better than another: a null model, to see what a search makes of luck."""

    def __init__(
        self,
        space: SearchSpace,
        axes: Sequence[str],
        grounds: Mapping[Part, Ground],
        rounds: Rounds,
        seed: int,
        is_shuffled: bool = False,
    ) -> None:
        self._space, self._axes, self._rounds, self._seed = space, tuple(axes), rounds, seed
        self._grounds = {**grounds, "duel": grounds["confirmation"], "league": grounds["training"]}
        self._is_shuffled = is_shuffled

    def play(self, wanted: Sequence[Wanted]) -> list[list[Played]]:
        """The cases of each entry, all in one round. A case in which a game broke off is even, with the behaviour of its other
        game; if both broke off, it has none."""
        games: list[GameRequest] = []
        for each in wanted:
            player = each.player or self._space.text(each.genome)
            for number in range(each.first, each.first + each.count):
                scenario, opponent = self._grounds[each.part].case(number)
                opponent = each.opponent or opponent
                dice = derive_seed(self._seed, each.part, number)
                for leg, agents in enumerate(((player, opponent), (opponent, player))):
                    games.append(GameRequest(scenario, agents, dice, round=number, leg=leg, records="none"))
        rows = iter(self._rounds.play(games))
        return [[self._case(next(rows), next(rows)) for _ in range(each.count)] for each in wanted]

    def _case(self, *rows: GameRow) -> Played:
        opponent = rows[0].agents[rows[0].sides[1]]
        stalls = faults = 0.0
        scores, behaviours, leads = [], [], []
        for side, row in enumerate(rows):
            if row.measures is None or row.measures.sides is None:
                continue
            gain = self._gain(side, row)
            scores.append(0.5 + gain)
            stalls += gain if row.verdict == "stalled" else 0.0
            faults += gain if row.faults or row.verdict == "forfeit" else 0.0
            behaviours.append(behaviour_of(self._axes, row.measures.sides[side]))
            leads.append(self._lead(side, row.measures.points))
        if len(scores) < len(rows):
            behaviour = behaviours[0] if behaviours else (0.0,) * len(self._axes)
            broke = len(rows) - len(scores)
            return Played(0.5, behaviour, rows[0].scenario, opponent, games=(0.5, 0.5), broke=broke)
        behaviour = tuple(summed(axis) / 2 for axis in zip(*behaviours, strict=True))
        first, second = scores
        return Played(
            (first + second) / 2,
            behaviour,
            rows[0].scenario,
            opponent,
            stalls / 2,
            faults / 2,
            (first, second),
            summed(leads) / 2,
        )

    def _lead(self, side: int, points: tuple[int, int]) -> float:
        """The side's share of the points of both sides; 0.5 if there are no points, or if a coin decides."""
        won = [max(0, one) for one in points]
        return won[side] / sum(won) if sum(won) and not self._is_shuffled else 0.5

    def _gain(self, side: int, row: GameRow) -> float:
        """Plus one half for a win, minus one half for a loss."""
        if row.measures is None or row.measures.winner < 0:
            return 0.0
        gain = 0.5 if row.measures.winner == side else -0.5
        if not self._is_shuffled:
            return gain
        coin = derive_seed(self._seed, "coin", row.seed, side, row.agents[row.sides[side]])
        return gain if coin & 1 else -gain
