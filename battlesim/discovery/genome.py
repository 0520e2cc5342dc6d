"""Ways of fighting as points of a space: the parameters of `doctrine` under one rulebook, and small plans. Read `SearchSpace`.

Each parameter is scaled to 0..1 over its range by its logarithm: a step is small at the low end, large at the high end. Ranges
that begin at 0 are scaled by the logarithm of 1 + value / usual value, which is nearly linear below the usual value and
logarithmic above it. Values are kept with four digits, so that the text of a genome is exactly the player that was tried.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import exp, expm1, log, log1p
from random import Random
from typing import NamedTuple

from msgspec import Struct

from battlesim.core.errors import Fault, InputError
from battlesim.discovery import plans
from battlesim.discovery.contrasts import parted, plan_of, with_tactics
from battlesim.discovery.plans import Plan
from battlesim.discovery.tactic import Tactic
from battlesim.evaluation.parameters import Parameter
from battlesim.rulesets.finder import RULESETS
from battlesim.search.outlook import parameters

PLAYER = "doctrine"
DRAWN = 0.3
"""Share of the parameters that a random way of fighting sets; the others are as usual."""
CHANGED = 0.15
"""Share of the parameters that a mutation changes."""
SIGMA = 0.15
"""Standard deviation of a mutation, of the scaled range."""


class Genome(NamedTuple):
    """A way of fighting: one value for each parameter of the space, in its order, and the tactics that it keeps to."""

    values: tuple[float, ...] = ()
    plan: Plan = ()


class Gene(Struct, frozen=True):
    """A parameter as it is varied: its name, its range, and the value that it usually has."""

    name: str
    low: float
    high: float
    usual: float

    def scaled(self, value: float) -> float:
        """The scaled value: 0 at the low end of the range, 1 at its high end.

        >>> Gene("dealt", 0.0, 10.0, 1.0).scaled(10.0)
        1.0
        """
        if self.low > 0:
            return log(value / self.low) / log(self.high / self.low)
        return log1p((value - self.low) / self._unit) / log1p((self.high - self.low) / self._unit)

    def value(self, scaled: float) -> float:
        """The value at a scaled place, with four digits; places outside 0 to 1 are moved to the ends."""
        place = min(max(scaled, 0.0), 1.0)
        if self.low > 0:
            found = self.low * exp(place * log(self.high / self.low))
        else:
            found = self.low + self._unit * expm1(place * log1p((self.high - self.low) / self._unit))
        return self.clipped(found)

    def clipped(self, value: float) -> float:
        """A value with four digits, moved into the range."""
        return min(max(float(f"{value:.4g}"), self.low), self.high)

    @property
    def _unit(self) -> float:
        """The distance from the low end above which the scale is logarithmic."""
        return self.usual - self.low if self.usual > self.low else (self.high - self.low) / 10


class SearchSpace:
    """All ways of fighting that `doctrine` can be set to under a rulebook, with small plans. `atoms`: tactics that plans may
    consist of; `rules`: the most tactics in a plan.

    >>> space = SearchSpace.of("orderdice")
    >>> space.text(space.usual)
    'doctrine'
    >>> space.parse("doctrine,dealt=2") == space.clip(space.parse("doctrine,dealt=2"))
    True
    """

    def __init__(self, genes: Sequence[Gene], atoms: Sequence[Tactic] = (), rules: int = 0) -> None:
        if not genes:
            raise InputError(Fault("the rulebook declares no parameters", "declare a judgement"))
        self.genes, self.atoms, self.rules = tuple(genes), tuple(atoms), rules
        self.usual = Genome(tuple(gene.usual for gene in self.genes))
        """Where searches begin; also the values that a random genome does not set."""

    def around(self, usual: Genome) -> SearchSpace:
        """The same space, for searches that begin elsewhere."""
        made = SearchSpace(self.genes, self.atoms, self.rules)
        made.usual = usual
        return made

    def with_plans(self, atoms: Sequence[Tactic], rules: int) -> SearchSpace:
        """The same space with plans of at most `rules` of these tactics."""
        made = SearchSpace(self.genes, atoms, rules)
        made.usual = self.usual
        return made

    @classmethod
    def of(cls, ruleset: str) -> SearchSpace:
        """The space of a rulebook. A parameter of several rulebooks has the range that all of them allow, since one player plays
        them all. Raises InputError for an unknown rulebook."""
        others = [one for known in RULESETS for one in parameters(known)]
        return cls([_gene(one, [o for o in others if o.name == one.name]) for one in parameters(ruleset)])

    def clip(self, genome: Genome) -> Genome:
        """The genome with every value in its range."""
        values = zip(self.genes, genome.values, strict=True)
        return Genome(tuple(gene.clipped(value) for gene, value in values), genome.plan)

    def sample(self, random: Random) -> Genome:
        """A random genome: some parameters anywhere in their ranges, the others as usual; and perhaps a plan."""
        values = tuple(
            gene.value(random.random()) if random.random() < DRAWN else usual
            for gene, usual in zip(self.genes, self.usual.values, strict=True)
        )
        return Genome(values, plans.drawn(self.atoms, random, self.rules))

    def mutate(self, genome: Genome, random: Random, sigma: float = SIGMA) -> Genome:
        """A genome near another: some parameters, at least one, are moved by a normal step in the scaled range; if there are
        plans, some mutations also change the plan."""
        always = random.randrange(len(self.genes))
        values = tuple(
            gene.value(gene.scaled(value) + random.gauss(0.0, sigma))
            if number == always or random.random() < CHANGED
            else value
            for number, (gene, value) in enumerate(zip(self.genes, genome.values, strict=True))
        )
        if not self.rules or random.random() >= plans.CHANGED:
            return Genome(values, genome.plan)
        plan = plans.changed(genome.plan, self.atoms, random, self.rules)
        return Genome(values, plan)

    def cross(self, one: Genome, other: Genome, random: Random) -> Genome:
        """A genome that takes each parameter from one of two, and tactics from both."""
        values = tuple(random.choice(pair) for pair in zip(one.values, other.values, strict=True))
        if not one.plan and not other.plan:
            return Genome(values)
        return Genome(values, plans.crossed(one.plan, other.plan, random, self.rules))

    def text(self, genome: Genome) -> str:
        """The genome as the name of an agent, as `--agent` takes it. Usual values are left out."""
        changed = [
            f"{gene.name}={value!r}"
            for gene, value in zip(self.genes, genome.values, strict=True)
            if value != gene.usual
        ]
        return with_tactics(",".join([PLAYER, *changed]), genome.plan)

    def parse(self, text: str) -> Genome:
        """The genome of an agent's name as `text` writes it. Raises InputError if it is not in this space."""
        return Genome(self._values(parted(text)[0]), plan_of(text))

    def _values(self, text: str) -> tuple[float, ...]:
        """The values of a `doctrine` by its name."""
        player, *words = text.split(",")
        found = {gene.name: gene.usual for gene in self.genes}
        ranges = {gene.name: gene for gene in self.genes}
        if player != PLAYER:
            raise InputError(Fault(f"{text!r} is no {PLAYER}", f"give {PLAYER},name=value,..."))
        for word in words:
            name, _, number = word.partition("=")
            if name not in ranges:
                known = ", ".join(ranges)
                raise InputError(Fault(f"{text!r}: no parameter {name!r}", f"give one of {known}"))
            low, high = ranges[name].low, ranges[name].high
            try:
                found[name] = float(number)
            except ValueError:
                found[name] = float("nan")
            if not low <= found[name] <= high:
                raise InputError(
                    Fault(f"{word!r} is out of range", f"give a number from {low:g} to {high:g}")
                )
        return tuple(found.values())


def _gene(one: Parameter, others: Sequence[Parameter]) -> Gene:
    low = max([one.low, *(other.low for other in others)])
    high = min([one.high, *(other.high for other in others)])
    return Gene(one.name, low, high, one.default)
