"""New players by CMA-ES, the evolution strategy that learns in which directions steps help. Read `CmaMe`, then `CmaMae`.

As an emitter of an archive it is CMA-ME (Fontaine and others 2020): players of a batch are ranked by what they did for the
archive, new cells first, then by how far they lead in their cell. The optimiser is that of pyribs (extra `discovery`). Leads are
over cases that both have played, so it shares the archive's care with noise. CMA-MAE (Fontaine and Nikolaidis 2023) ranks by how
far a player is above a threshold of its cell, which follows the players that pass it slowly.

The optimiser works in the scaled range of each parameter. Steps beyond an end are mirrored at it. A plan is not a number: players
keep the plan of the elite from which the optimiser began.
"""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import Any

from battlesim.core.dice import derive_seed
from battlesim.discovery.archive import Archive, Member
from battlesim.discovery.behaviour import Cell
from battlesim.discovery.genome import SIGMA, Genome, SearchSpace
from battlesim.discovery.plans import Plan
from battlesim.discovery.search import GENERATION, EmitterStep

LONGEST = 50
"""Batches after which it restarts from another elite, if it has not before."""
LEARNT = 0.1
"""How far a threshold follows a player that passes it: 1 is to take its value, 0 is to stay."""


class CmaMe:
    """`seed`: of its steps. `batch`: players of a generation."""

    def __init__(self, space: SearchSpace, seed: int, batch: int = GENERATION) -> None:
        self._space, self._seed, self._batch = space, seed, batch
        self._steps: list[EmitterStep] = []
        self._strategy: Any = None

    def ask(self, count: int, archive: Archive, random: Random, generation: int) -> list[Genome]:
        """A batch near where the last ones did well; or near another elite, if that search has ended."""
        if self._strategy is None or len(self._steps) > LONGEST:
            elites = [archive.elites[cell].genome for cell in sorted(archive.elites)]
            start = random.choice(elites) if elites else self._space.usual
            self._begin(EmitterStep(start=start, generation=generation))
        return [self._genome(row) for row in self._strategy.ask(count)]

    def tell(self, members: Sequence[Member], archive: Archive) -> None:
        """Rank a batch by what it did for the archive, and follow the players that improved it."""
        fared = [archive.standing(member) for member in members]
        ranked = sorted(range(len(members)), key=lambda n: (-fared[n][0], -fared[n][1], n))
        parents = sum(status > 0 for status, _ in fared)
        values = tuple((float(fared[n][0]), fared[n][1]) for n in ranked)
        if parents == 0:
            self._strategy = None  # nothing more is found here
            self._steps = []
            return
        self._follow(EmitterStep(ranked=tuple(ranked), values=values, parents=parents))

    def save(self) -> list[EmitterStep]:
        """The genome from which it began, and all results since."""
        return [*self._before(), *self._steps]

    def _before(self) -> list[EmitterStep]:
        """What it remembers from before it began."""
        return []

    def restore(self, steps: Sequence[EmitterStep]) -> None:
        """Begin as before, and repeat all results."""
        for step in steps:
            if step.start.values:
                self._begin(step)
            else:
                self._strategy.ask(len(step.ranked))
                self._follow(step)

    def _begin(self, step: EmitterStep) -> None:
        self._strategy = strategy(
            len(self._space.genes), self._batch, derive_seed(self._seed, "cma", step.generation)
        )
        self._strategy.reset(scaled_values(self._space, step.start))
        self._steps = [step]

    def _follow(self, step: EmitterStep) -> None:
        import numpy as np

        self._steps.append(step)
        values = np.array(step.values)
        # A few parents, at least two, so that a mean can be learnt from.
        self._strategy.tell(np.array(step.ranked), values, max(2, step.parents))
        if self._strategy.check_stop(values):
            self._strategy, self._steps = None, []

    def _genome(self, row: Sequence[float]) -> Genome:
        return genome_at(self._space, row, self._steps[0].start.plan)


class CmaMae(CmaMe):
    """A found cell is not new again, and its elite is hard to beat: CMA-ME soon leaves it for another. Here each cell has a
    threshold, 0 at first. A player is worth its excess over the threshold of its cell; the threshold then rises by `learnt` of
    that excess. So the search stays longer where players are good, and leaves as the thresholds rise."""

    def __init__(
        self, space: SearchSpace, seed: int, batch: int = GENERATION, learnt: float = LEARNT
    ) -> None:
        super().__init__(space, seed, batch)
        self._learnt = learnt
        self._thresholds: dict[Cell, float] = {}

    def tell(self, members: Sequence[Member], archive: Archive) -> None:
        """Rank a batch by how far each is above the threshold of its cell; the better half is followed."""
        cells = [member.cell(archive.bins) for member in members]
        above = [
            member.value.value - self._thresholds.get(cell, 0.0)
            for member, cell in zip(members, cells, strict=True)
        ]
        ranked = sorted(range(len(members)), key=lambda n: (-above[n], n))
        for n in reversed(ranked):  # the best of a cell last
            at = self._thresholds.get(cells[n], 0.0)
            self._thresholds[cells[n]] = at + self._learnt * max(0.0, members[n].value.value - at)
        if above[ranked[0]] <= 0:
            self._strategy, self._steps = None, []  # nothing more is found here
            return
        values = tuple((1.0, above[n]) for n in ranked)
        self._follow(EmitterStep(ranked=tuple(ranked), values=values, parents=len(members) // 2))

    def restore(self, steps: Sequence[EmitterStep]) -> None:
        """Begin as before, with its thresholds, and repeat all results."""
        self._thresholds = {cell: at for step in steps for cell, at in step.thresholds}
        super().restore([step for step in steps if not step.thresholds])

    def _before(self) -> list[EmitterStep]:
        thresholds = tuple(sorted(self._thresholds.items()))
        return [EmitterStep(thresholds=thresholds)] if thresholds else []


def strategy(dimensions: int, batch: int, seed: int, step: float = SIGMA) -> Any:
    """An optimiser of pyribs; `step`: its first standard deviation. Raises ImportError if pyribs is missing."""
    from ribs.emitters.opt import SeparableCMAEvolutionStrategy

    return SeparableCMAEvolutionStrategy(
        sigma0=step, batch_size=batch, solution_dim=dimensions, seed=seed % 2**32
    )


def scaled_values(space: SearchSpace, genome: Genome) -> list[float]:
    """The scaled values of a genome's parameters."""
    return [gene.scaled(value) for gene, value in zip(space.genes, genome.values, strict=True)]


def genome_at(space: SearchSpace, row: Sequence[float], plan: Plan = ()) -> Genome:
    """The genome at some scaled values, with a plan; values beyond an end are mirrored at it."""
    return Genome(
        tuple(gene.value(mirrored(float(at))) for gene, at in zip(space.genes, row, strict=True)), plan
    )


def mirrored(at: float) -> float:
    """A value moved into 0 to 1 by mirrors at both ends.

    >>> mirrored(1.25), mirrored(-0.25), mirrored(2.25)
    (0.75, 0.25, 0.25)
    """
    at = abs(at) % 2.0
    return 2.0 - at if at > 1.0 else at
