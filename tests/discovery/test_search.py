"""The search is held to made-up games: where nothing decides it believes nothing, and what decides it finds."""

from collections.abc import Sequence
from math import sqrt
from random import Random
from statistics import fmean

from battlesim.core.dice import derive_seed
from battlesim.discovery.archive import FIRST, Archive, Member
from battlesim.discovery.genome import Gene, Genome, Space
from battlesim.discovery.search import SELECTION, Discovery, Played, Search, Wanted

SPACE = Space([Gene(name, 0.0, 10.0, 1.0) for name in ("boldness", "patience", "colour", "shade")])


class MadeUp:
    """Games whose chance to win hangs on the boldness by so much; behaviour is the colour and the shade."""

    def __init__(self, seed: int, effect: float) -> None:
        self.seed, self.effect = seed, effect
        self.asked: list[Wanted] = []

    def chance(self, genome: Genome) -> float:
        return 0.5 + self.effect * (SPACE.genes[0].scaled(genome[0]) - 0.5)

    def play(self, wanted: Sequence[Wanted]) -> list[list[Played]]:
        self.asked += wanted
        return [[self._case(each, each.first + n) for n in range(each.count)] for each in wanted]

    def _case(self, wanted: Wanted, number: int) -> Played:
        dice = Random(derive_seed(self.seed, wanted.part, number, *wanted.genome))
        wins = [dice.random() < self.chance(wanted.genome) for _ in range(2)]
        behaviour = tuple(g.scaled(v) for g, v in zip(SPACE.genes[2:], wanted.genome[2:], strict=True))
        return Played(sum(wins) / 2, behaviour)


def found_in(seed: int, effect: float, games: int = 4000) -> tuple[Discovery, MadeUp, Search]:
    field = MadeUp(seed, effect)
    search = Search(SPACE, field, 2, games, seed=seed, bins=4)
    return search.run(), field, search


def test_where_the_genome_does_not_matter_the_best_value_stays_within_noise() -> None:
    noise = sqrt(
        0.125 / SELECTION
    )  # standard error of a value: a case of two even games has a variance of an eighth
    raw, corrected, claims = [], [], 0
    for seed in range(6):
        found, _, search = found_in(seed, 0.0, 3000)
        raw.append(max(one.value for one in found.elites) - 0.5)
        corrected.append(max(one.corrected for one in found.elites) - 0.5)
        assert corrected[-1] < noise
        assert max(one.value for one in search.archive.corrected().values()) < 0.5 + 2 * sqrt(0.125 / FIRST)
        confirmed = [one.confirmed for one in found.elites if one.confirmed is not None]
        assert len(confirmed) == 3
        claims += any(low > 0.5 for _, low, _ in confirmed)
    assert fmean(corrected) < 0.3 * fmean(raw)
    assert claims <= 1


def test_what_decides_is_found() -> None:
    for seed in range(3):
        found, field, _ = found_in(seed, 0.8)
        best = found.elites[0]
        truth = field.chance(SPACE.parse(best.agent))
        assert truth > 0.75
        assert best.confirmed is not None
        assert 0.5 < best.confirmed[1] <= truth <= best.confirmed[2]


def test_training_selection_and_confirmation_are_apart_and_the_last_is_touched_once() -> None:
    found, field, _ = found_in(1, 0.5, games=2000)
    parts = [asked.part for asked in field.asked]
    assert parts == sorted(parts, key=["training", "selection", "confirmation"].index)
    assert parts.count("confirmation") == 3
    assert sum(found.games) == 2 * sum(asked.count for asked in field.asked)


def test_the_same_search_finds_the_same() -> None:
    assert found_in(5, 0.4, games=1500)[0] == found_in(5, 0.4, games=1500)[0]


def member(number: int, scores: Sequence[float], at: float = 0.1) -> Member:
    return Member(number, SPACE.usual, list(scores), [(at, at)] * len(scores))


def test_a_challenger_has_to_be_better_by_more_than_noise() -> None:
    archive = Archive(2, 4)
    elite, lucky, better = member(1, [0.5] * 16), member(2, [0.5] * 14 + [1, 1]), member(3, [1.0] * 16)
    archive.tell(elite)
    archive.tell(lucky)
    assert archive.elites[0, 0] is elite
    assert archive.doubtful()[0] in (elite, lucky)
    archive.tell(better)
    assert archive.elites[0, 0] is better


def test_an_elite_that_was_luck_leaves() -> None:
    archive = Archive(2, 4)
    lucky, steady = member(1, [1.0] * 8), member(2, [0.5] * 8)
    archive.tell(lucky)
    archive.tell(steady)
    for one, score in ((lucky, 0.0), (steady, 0.5)):
        one.scores += [score] * 40
        one.behaviours += [(0.1, 0.1)] * 40
        archive.tell(one)
    assert archive.elites[0, 0] is steady


def test_an_elite_whose_behaviour_was_another_moves_and_its_rival_takes_the_cell() -> None:
    archive = Archive(2, 4)
    one, rival = member(1, [0.5] * 8), member(2, [0.5] * 8)
    archive.tell(one)
    archive.tell(rival)
    one.scores += [0.5] * 24
    one.behaviours += [(0.9, 0.9)] * 24
    archive.tell(one)
    assert archive.elites == {(0, 0): rival, (2, 2): one}
    assert archive.coverage == 2 / 16
