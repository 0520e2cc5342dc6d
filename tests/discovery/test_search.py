"""The search is held to made-up games: where nothing decides it believes nothing, and what decides it finds."""

from __future__ import annotations

from collections.abc import Sequence
from hashlib import blake2b
from math import sqrt
from pathlib import Path
from statistics import fmean
from types import SimpleNamespace
from typing import Any

import msgspec
import pytest

from battlesim.batch.lists import GameRequest
from battlesim.batch.side_measures import SideMeasures
from battlesim.core.errors import InputError
from battlesim.discovery.archive import FIRST, Archive, Member
from battlesim.discovery.field import BattleField, Ground
from battlesim.discovery.genome import Genome
from battlesim.discovery.run import candidates
from battlesim.discovery.search import Search
from battlesim.discovery.search_cases import Played, Wanted
from battlesim.discovery.search_judge import SELECTION, SHORTLIST, Candidate, Jury, gates_of, judge
from battlesim.discovery.search_keep import FILE, Keeper
from battlesim.discovery.search_win import Climb
from battlesim.stress.intervals import Estimate
from tests.discovery.made_up import SPACE, MadeUp, found_in


@pytest.mark.slow
def test_where_the_genome_does_not_matter_the_best_value_stays_within_noise() -> None:
    # A case of two even games has a variance of an eighth.
    noise = sqrt(0.125 / SELECTION)
    raw, corrected, claims, far = [], [], 0, 0
    for seed in range(7_000, 7_010):
        found, _, search = found_in(seed, 0.0, 3000)
        raw.append(max(one.value.value for one in found.elites) - 0.5)
        corrected.append(max(one.corrected for one in found.elites) - 0.5)
        far += corrected[-1] > noise
        assert max(one.value for one in search.archive.corrected().values()) < 0.5 + 2.5 * sqrt(0.125 / FIRST)
        confirmed = [one.confirmed for one in found.elites if one.confirmed is not None]
        claims += any(one.low > 0.5 for one in confirmed)
    assert fmean(corrected) < 0.5 * fmean(raw)
    # At the declared rates (5% and 2.5%) more than this happens in fewer than one of a thousand such tests.
    assert far <= 4
    assert claims <= 2


def test_what_decides_is_found() -> None:
    for seed in range(3):
        found, field, _ = found_in(seed, 0.8)
        best = found.elites[0]
        truth = field.chance(SPACE.parse(best.agent))
        assert truth > 0.75
        assert best.confirmed is not None
        assert 0.5 < best.confirmed.low <= truth <= best.confirmed.high


def test_training_selection_and_confirmation_are_apart_and_the_last_is_touched_once() -> None:
    found, field, search = found_in(1, 0.5, games=2000)
    parts = [asked.part for asked in field.asked]
    assert parts == sorted(parts, key=["training", "selection", "confirmation", "duel"].index)
    assert 1 <= parts.count("confirmation") == parts.count("duel") <= 3
    assert search.played + sum(found.games) == 2 * sum(asked.count for asked in field.asked)


def test_the_same_search_finds_the_same() -> None:
    assert found_in(5, 0.4, games=1500)[0] == found_in(5, 0.4, games=1500)[0]


@pytest.mark.parametrize("stop", [1, 4])
def test_a_search_that_was_stopped_finds_what_it_would_have(tmp_path: Path, stop: int) -> None:
    whole = Search(SPACE, MadeUp(3, 0.4), 2, 4000, seed=3, bins=4)
    whole.run()
    begun = Search(SPACE, MadeUp(3, 0.4), 2, 4000, seed=3, bins=4)
    for _ in range(stop):
        begun.generation()
    Keeper(tmp_path, "mine").keep(begun.save(), rounds=stop)
    keeper = Keeper(tmp_path, "mine")
    again = Search(SPACE, MadeUp(3, 0.4), 2, 4000, seed=3, bins=4, saved=keeper.load())
    assert keeper.rounds == stop
    again.run()
    assert again.progress == whole.progress
    assert again.archive.corrected() == whole.archive.corrected()
    assert again.played == whole.played


def test_a_kept_search_that_is_damaged_or_of_another_is_refused(tmp_path: Path) -> None:
    search = Search(SPACE, MadeUp(3, 0.4), 2, 4000, seed=3, bins=4)
    search.generation()
    Keeper(tmp_path, "mine").keep(search.save())
    with pytest.raises(InputError, match="kept with other settings, or by another program"):
        Keeper(tmp_path, "yours").load()
    data = bytearray((tmp_path / FILE).read_bytes())
    for broken in (data[:100], data[:-1] + bytes([data[-1] ^ 1]), b""):
        (tmp_path / FILE).write_bytes(broken)
        with pytest.raises(InputError, match="damaged"):
            Keeper(tmp_path, "mine").load()


def cases(*scores: float, opponents: str = "ab", scenario: str = "plain", **more: float) -> list[Played]:
    return [
        Played(score, (0.5,), scenario, opponents[n % len(opponents)], **more)
        for n, score in enumerate(scores)
    ]


def test_an_elite_that_wins_by_one_opponent_by_stalling_or_by_faults_alone_is_kept_out() -> None:
    assert gates_of(cases(1.0, 0.75, 0.5, 1.0)) == ()
    assert gates_of(cases(0.0, 0.5, 0.25, 0.5)) == ()
    assert gates_of(cases(1.0, 0.5, 1.0, 0.5)) == ("not above even without the opponent a",)
    assert gates_of(cases(1.0, 0.75, 0.5, 1.0, stalls=0.5)) == ("wins by games that stall",)
    assert gates_of(cases(1.0, 0.75, 0.5, 1.0, faults=0.5)) == ("wins by lost questions",)
    two = cases(1.0, 1.0) + cases(0.5, 0.25, scenario="steep")
    assert gates_of(two) == ("not above even without the scenario plain",)


class Breaking(MadeUp):
    """Games in whose selection the patient win; but `share` of ten break off. So does the first of the confirmation."""

    share = 6

    def _case(self, wanted: Wanted, number: int) -> Played:
        made = super()._case(wanted, number)
        patient = wanted.genome.values[1] > 1 and wanted.part == "selection"
        if (patient and number % 10 < self.share) or (wanted.part == "confirmation" and number == 0):
            return msgspec.structs.replace(made, score=0.5, games=(0.5, 0.5), broke=2)
        return msgspec.structs.replace(made, score=1.0, games=(1.0, 1.0)) if patient else made


def test_an_elite_most_of_whose_selection_games_broke_off_is_kept_out() -> None:
    field = Breaking(1, 0.8)
    search = Search(SPACE, field, 2, 2000, seed=1, bins=4)
    found = judge(SPACE, field, candidates(search.run()), {"doctrine": SPACE.usual}, Jury())
    patient = [SPACE.parse(one.agent).values[1] > 1 for one in found.elites]
    assert True in patient
    assert False in patient
    assert [one.gates[:1] == ("too many games broke off",) for one in found.elites] == patient
    sure = [one for one in found.elites if one.confirmed is not None]
    assert sure
    assert not any(one.gates for one in sure)
    assert all(one.middle % 10 >= field.share for one in found.elites if SPACE.parse(one.agent).values[1] > 1)
    cases = field.share * Jury().select // 10
    assert found.broken == 2 * (cases * sum(patient) + len(sure))
    assert search.broken == 0


def test_few_games_that_broke_off_keep_no_clear_winner_out() -> None:
    won, broken = Played(1.0, (0.5,)), Played(0.5, (0.5,), broke=1)
    assert gates_of([won] * 39 + [broken]) == ()
    assert gates_of([won] * 11 + [broken] * 10) == ()
    assert gates_of([won] * 10 + [broken] * 10) == ("too many games broke off",)
    assert gates_of([broken] * 20) == (), "it is not above even, so that nothing has to be explained"


def test_a_game_that_breaks_off_makes_its_case_even() -> None:
    did = SideMeasures(unit_turns=10, moved=5, inside=10)
    played = SimpleNamespace(winner=0, points=(3, 1), sides=(did, did))

    def row(measures: object) -> SimpleNamespace:
        agents = {"Red": "greedy", "Blue": "rush"}
        return SimpleNamespace(
            measures=measures,
            agents=agents,
            sides=("Red", "Blue"),
            scenario="plain",
            verdict="decided",
            faults=[],
            seed=1,
        )

    class Given:
        def play(self, games: Sequence[GameRequest]) -> list[Any]:
            assert len(games) == 6
            return [row(played), row(None), row(None), row(None), row(played), row(played)]

    rounds: Any = Given()
    grounds: Any = dict.fromkeys(("training", "selection", "confirmation"), Ground(("plain",), ("rush",)))
    field = BattleField(SPACE, ("inside", "movement"), grounds, rounds, 1)
    one, both, whole = field.play([Wanted(SPACE.usual, "training", 0, 3)])[0]
    assert one == Played(0.5, (1.0, 0.5), "plain", "rush", games=(0.5, 0.5), broke=1)
    assert both == Played(0.5, (0.0, 0.0), "plain", "rush", games=(0.5, 0.5), broke=2)
    assert (whole.games, whole.broke) == ((1.0, 0.0), 0)


def test_of_many_elites_the_most_promising_are_measured_anew() -> None:
    field = MadeUp(1, 0.8)
    places = [
        Candidate((n,), SPACE.clip(Genome((n / 30, 1, 1, 1))), Estimate(n / 300, 0.01, 9), (0.1, 0.1))
        for n in range(300)
    ]
    found = judge(SPACE, field, places, {}, Jury(select=4, confirm=4))
    measured = {asked.genome.values[0] for asked in field.asked if asked.part == "selection"}
    assert measured == {SPACE.clip(Genome((n / 30, 1, 1, 1))).values[0] for n in range(200, 300)}
    assert len(found.elites) == 300
    assert [one.gates != () for one in found.elites[SHORTLIST:]] == [True] * 200
    assert all("not measured anew" in one.gates[0] for one in found.elites[SHORTLIST:])
    assert found.elites[SHORTLIST].cell == (199,)
    assert not any(one.confirmed for one in found.elites[SHORTLIST:])


@pytest.mark.parametrize("kind", [Search, pytest.param(Climb, marks=pytest.mark.slow)])
def test_a_first_generation_takes_as_many_games_as_it_says(kind: Any) -> None:
    if kind is Climb:
        pytest.importorskip("ribs")
    search = kind(SPACE, MadeUp(1, 0.4), 2, 1)
    search.run()
    assert search.played == search.least > 1


def member(number: int, scores: Sequence[float], at: float = 0.1) -> Member:
    made = Member(number, SPACE.usual)
    play(made, scores, at)
    return made


def play(one: Member, scores: Sequence[float], at: float) -> None:
    for score in scores:
        one.add(score, (at, at))


def test_a_challenger_has_to_be_better_by_more_than_noise() -> None:
    archive = Archive(2, 4)
    elite, lucky, better = member(1, [0.5] * 16), member(2, [0.5] * 14 + [1, 1]), member(3, [1.0] * 16)
    archive.tell(elite)
    archive.tell(lucky)
    assert archive.elites[0, 0] is elite
    assert archive.doubtful(4)[0] in (elite, lucky)
    archive.tell(better)
    assert archive.elites[0, 0] is better


def test_an_elite_that_was_luck_leaves() -> None:
    archive = Archive(2, 4)
    lucky, steady = member(1, [1.0] * 8), member(2, [0.5] * 8)
    archive.tell(lucky)
    archive.tell(steady)
    for one, score in ((lucky, 0.0), (steady, 0.5)):
        play(one, [score] * 40, 0.1)
        archive.tell(one)
    assert archive.elites[0, 0] is steady


def test_an_elite_whose_behaviour_was_another_moves_and_its_rival_takes_the_cell() -> None:
    archive = Archive(2, 4)
    one, rival = member(1, [0.5] * 8), member(2, [0.5] * 8)
    archive.tell(one)
    archive.tell(rival)
    play(one, [0.5] * 24, 0.9)
    archive.tell(one)
    assert archive.elites == {(0, 0): rival, (2, 2): one}
    assert archive.coverage == 2 / 16


def test_a_search_that_an_earlier_version_kept_is_refused(tmp_path: Path) -> None:
    """Its ways of fighting were numbers without a plan."""
    search = Search(SPACE, MadeUp(3, 0.4), 2, 4000, seed=3, bins=4)
    search.generation()
    Keeper(tmp_path, "mine").keep(search.save())
    kept = msgspec.msgpack.decode((tmp_path / FILE).read_bytes()[16:])
    assert kept["saved"]["elites"]
    for _, member in kept["saved"]["elites"]:
        member["genome"] = member["genome"][0]
    data = msgspec.msgpack.encode(kept)
    (tmp_path / FILE).write_bytes(blake2b(data, digest_size=16).digest() + data)
    with pytest.raises(InputError, match="kept with other settings, or by another program"):
        Keeper(tmp_path, "mine").load()
