"""Searches that propose by CMA-ES: what decides is found, and they go on where they were stopped."""

from __future__ import annotations

import sys
from pathlib import Path
from random import Random

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from battlesim.cli.main import main
from battlesim.discovery.archive import Archive, Member
from battlesim.discovery.genome import Genome
from battlesim.discovery.page import render
from battlesim.discovery.run import Discovery
from battlesim.discovery.search import Emitter, Mutation, Saved, Search
from battlesim.discovery.search_cases import Played, Wanted
from battlesim.discovery.search_cma import CmaMae, CmaMe, genome_at, mirrored, scaled_values
from battlesim.discovery.search_judge import NO_BETTER, Jury, judge
from battlesim.discovery.search_win import Climb, numbered
from battlesim.discovery.settings import DiscoverySettings
from battlesim.discovery.words import lines
from tests.discovery.made_up import SPACE, MadeUp


def search_of(games: int = 4000, kind: type[CmaMe] = CmaMe, **more: object) -> Search:
    emitters: list[Emitter] = [Mutation(SPACE), kind(SPACE, 3)]
    return Search(SPACE, MadeUp(3, 0.8), 2, games, seed=3, bins=4, emitters=emitters, **more)  # type: ignore[arg-type]


@given(st.floats(-20, 20))
def test_places_beyond_an_end_are_mirrored(at: float) -> None:
    assert 0.0 <= mirrored(at) <= 1.0
    assert mirrored(at) == pytest.approx(mirrored(-at))
    assert mirrored(at) == pytest.approx(mirrored(at + 2), abs=1e-9)


def test_a_genome_is_where_it_says() -> None:
    genome = Genome((0.0, 10.0, 1.0, 2.5))
    assert genome_at(SPACE, scaled_values(SPACE, genome)) == genome


@pytest.mark.slow
@pytest.mark.parametrize("kind", [CmaMe, CmaMae])
def test_with_its_proposals_what_decides_is_found(kind: type[CmaMe]) -> None:
    search = search_of(kind=kind)
    archive = search.run()
    field = MadeUp(3, 0.8)
    assert max(field.chance(elite.genome) for elite in archive.elites.values()) > 0.8


@pytest.mark.slow
@pytest.mark.parametrize("stop", [3, 8])
@pytest.mark.parametrize("kind", [CmaMe, CmaMae])
def test_stopped_and_gone_on_with_it_finds_the_same(stop: int, kind: type[CmaMe]) -> None:
    whole = search_of(kind=kind)
    whole.run()
    begun = search_of(kind=kind)
    for _ in range(stop):
        begun.generation()
    again = search_of(
        kind=kind, saved=msgspec.msgpack.decode(msgspec.msgpack.encode(begun.save()), type=Saved)
    )
    again.run()
    assert again.progress == whole.progress
    assert again.archive.corrected() == whole.archive.corrected()


def test_a_threshold_follows_slowly_and_a_batch_that_passes_none_is_left() -> None:
    """Two players of one cell, 0.5 and 0.9: the threshold goes a tenth of the way to each. Players below it are worth nothing."""
    archive, emitter = Archive(2, 4), CmaMae(SPACE, 1, batch=2, learnt=0.1)
    emitter.ask(2, archive, Random(1), 1)

    def told(*scores: float) -> None:
        members = [Member(n, SPACE.usual) for n in range(len(scores))]
        for member, score in zip(members, scores, strict=True):
            member.add(score, (0.1, 0.1))
        emitter.tell(members, archive)

    told(0.5, 0.9)
    begun, step = emitter.save()[1:]
    assert begun.start.values
    assert step.ranked == (1, 0)
    assert [above for _, above in step.values] == pytest.approx([0.9, 0.5])
    ((cell, at),) = emitter.save()[0].thresholds
    assert cell == (0, 0)
    assert at == pytest.approx(0.05 + 0.1 * 0.85)
    told(at / 2, at / 2)
    assert len(emitter.save()) == 1, "it begins anew, and keeps its thresholds"


def test_a_climb_finds_what_decides_and_goes_on_where_it_was_stopped() -> None:
    field = MadeUp(4, 0.8)
    whole = Climb(SPACE, field, 2, 4000, seed=4)
    answers = whole.run()
    assert field.chance(answers[0]) > 0.8
    begun = Climb(SPACE, MadeUp(4, 0.8), 2, 4000, seed=4)
    for _ in range(4):
        begun.generation()
    again = Climb(SPACE, MadeUp(4, 0.8), 2, 4000, seed=4, saved=begun.save())
    assert again.run() == answers
    assert again.played == whole.played


class Misleading(MadeUp):
    """The bold win, but not in the training, where the timid do."""

    def _case(self, wanted: Wanted, number: int) -> Played:
        made = super()._case(wanted, number)
        return msgspec.structs.replace(made, score=1 - made.score) if wanted.part == "training" else made


def judged_climb(field: MadeUp, begin: Genome, written: dict[str, Genome]) -> Discovery:
    """A short climb from a player, judged. The boldest player wins nine games of ten, the most timid one of ten."""
    climb = Climb(SPACE, field, 2, 1000, seed=4, begin=begin)
    judged = judge(SPACE, field, numbered(climb.run()), written, Jury())
    counts = (climb.played, *judged.games)
    return Discovery("orderdice", "Red", 6, judged.elites, judged.written, tuple(climb.progress), counts)


BOLDEST, TIMID = Genome((10.0, 1.0, 1.0, 1.0)), Genome((0.2, 1.0, 1.0, 1.0))
NOTHING_BETTER = "othing better than the player that the search began from was found"


def told_of(found: Discovery) -> str:
    asked = DiscoverySettings(scenarios=("stairwell",), aim="win")
    told = "\n".join(lines(asked, found))
    page = render(asked, found, "a run")
    assert (NOTHING_BETTER in told) == (NOTHING_BETTER in page)
    assert page.count("The search began from this player") == 1
    return told


def test_a_climb_from_the_best_player_says_that_it_found_nothing_better() -> None:
    """The middles of its cloud are worse. They are not confirmed as if they were a find."""
    found = judged_climb(Misleading(4, 0.8), BOLDEST, {"doctrine": SPACE.usual})
    begin = next(one for one in found.elites if one.is_begin)
    others = [one for one in found.elites if not one.is_begin]
    assert others
    assert all(NO_BETTER in one.gates for one in others)
    assert [one for one in found.elites if one.confirmed is not None] == [begin]
    assert NOTHING_BETTER in told_of(found)


def test_a_climb_from_the_best_player_written_by_hand_confirms_nothing() -> None:
    found = judged_climb(Misleading(4, 0.8), BOLDEST, {"doctrine,character=bold": BOLDEST})
    assert not any(one.confirmed for one in found.elites)
    told = told_of(found)
    assert NOTHING_BETTER in told
    assert "Nothing passed the gates" in told


def test_a_climb_that_found_better_players_does_not_say_otherwise() -> None:
    found = judged_climb(MadeUp(4, 0.8), TIMID, {"doctrine": SPACE.usual})
    confirmed = [one for one in found.elites if one.confirmed is not None]
    assert confirmed
    gained = [one.gain for one in confirmed if not one.is_begin]
    assert all(gain is not None and gain.low > 0 for gain in gained)
    assert "beside the player that the search began from, on the same games: +" in told_of(found)
    assert "better than the player that the search began from" not in told_of(found)


def test_players_of_a_generation_meet_the_same_cases_and_generations_others() -> None:
    field = MadeUp(4, 0.8)
    climb = Climb(SPACE, field, 2, 4000, seed=4)
    climb.generation()
    first = {(one.first, one.count) for one in field.asked}
    field.asked.clear()
    climb.generation()
    second = {(one.first, one.count) for one in field.asked}
    assert len(first) == len(second) == 2
    assert max(at + count for at, count in first) == min(at for at, _ in second)


@pytest.mark.parametrize(
    "words", [("--aim", "win"), ("--emitters", "mutation,cma"), ("--emitters", "cma-mae")]
)
def test_without_its_package_it_says_what_to_install(
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    tmp_path: Path,
    words: tuple[str, str],
) -> None:
    monkeypatch.chdir(tmp_path)
    for package in ("ribs", "ribs.emitters.opt"):
        monkeypatch.setitem(sys.modules, package, None)
    assert main(["discover", "stairwell", *words]) == 2
    assert "battlesim-arena[discovery]" in capsys.readouterr().err
    assert not list(tmp_path.iterdir())
