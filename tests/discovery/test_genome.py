"""Ways of fighting are always within their ranges, and their text is the player."""

from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from battlesim.core.errors import InputError
from battlesim.discovery.genome import Gene, Genome, SearchSpace
from battlesim.engine.roster import find_agent
from battlesim.rulesets.finder import RULESETS

SPACES = [SearchSpace.of(ruleset) for ruleset in RULESETS]
spaces = st.sampled_from(SPACES)
randoms = st.integers(0, 2**32).map(Random)


def within(space: SearchSpace, genome: Genome) -> bool:
    return len(genome.values) == len(space.genes) and all(
        gene.low <= value <= gene.high for gene, value in zip(space.genes, genome.values, strict=True)
    )


@given(spaces, randoms, st.floats(0.01, 5))
def test_whatever_is_made_is_within_its_ranges(space: SearchSpace, random: Random, sigma: float) -> None:
    one, other = space.sample(random), space.sample(random)
    moved = space.mutate(one, random, sigma)
    mixed = space.cross(moved, other, random)
    assert all(within(space, genome) for genome in (space.usual, one, other, moved, mixed))
    pairs = zip(moved.values, other.values, strict=True)
    assert all(value in pair for value, pair in zip(mixed.values, pairs, strict=True))
    assert space.clip(moved) == moved


@given(spaces, randoms)
def test_text_is_read_back(space: SearchSpace, random: Random) -> None:
    genome = space.mutate(space.sample(random), random)
    assert space.parse(space.text(genome)) == genome


@pytest.mark.parametrize("ruleset", RULESETS)
def test_text_is_an_agent_even_at_the_ends_of_all_ranges(ruleset: str) -> None:
    space = SearchSpace.of(ruleset)
    for genome in (
        Genome(tuple(gene.low for gene in space.genes)),
        Genome(tuple(gene.high for gene in space.genes)),
        space.sample(Random(1)),
    ):
        text = space.text(genome)
        agent = find_agent(text).make()
        said = dict(zip([gene.name for gene in space.genes], genome.values, strict=True))
        settings = agent.settings_for(ruleset)  # type: ignore[attr-defined]
        usual = dict(zip([gene.name for gene in space.genes], space.usual.values, strict=True))
        assert {**usual, **settings} == said


@given(st.sampled_from([gene for space in SPACES for gene in space.genes]), st.floats(0, 1))
def test_the_scale_goes_there_and_back(gene: Gene, place: float) -> None:
    assert gene.value(0) == gene.low
    assert gene.value(1) == gene.high
    assert gene.scaled(gene.value(place)) == pytest.approx(place, abs=1e-3)


def test_a_positive_range_is_scaled_by_factors() -> None:
    gene = Gene("reach", 0.1, 10.0, 1.0)
    assert gene.value(0.5) == 1.0
    assert gene.scaled(1.0) == pytest.approx(0.5)


def test_values_outside_are_moved_in() -> None:
    space = SearchSpace([Gene("dealt", 0.0, 10.0, 1.0)])
    assert space.clip(Genome((11.0,))) == Genome((10.0,))
    assert space.clip(Genome((-1.0,))) == Genome((0.0,))


def test_a_mutation_changes_something() -> None:
    space = SPACES[0]
    moved = [space.mutate(space.usual, Random(number)) for number in range(20)]
    assert all(genome != space.usual for genome in moved)


@pytest.mark.parametrize(
    "text",
    ["greedy", "doctrine,courage=1", "doctrine,dealt=1000", "doctrine,dealt=much", "doctrine,dealt=nan"],
)
def test_a_text_that_is_none_is_refused(text: str) -> None:
    with pytest.raises(InputError):
        SPACES[0].parse(text)
