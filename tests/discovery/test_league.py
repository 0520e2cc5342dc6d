"""Leagues on made-up games whose truth is known, and a small one on real games."""

from __future__ import annotations

import json
import re
import shlex
from collections.abc import Mapping, Sequence
from functools import lru_cache
from html import unescape
from math import pi, sin
from pathlib import Path
from random import Random
from typing import Any

import pytest

from battlesim.cli.main import main
from battlesim.core.dice import derive_seed
from battlesim.discovery import league as leagues
from battlesim.discovery import run, search
from battlesim.discovery.field import Ground
from battlesim.discovery.genome import Genome, SearchSpace
from battlesim.discovery.league import League, play_league
from battlesim.discovery.league_page import league_lines, league_page
from battlesim.discovery.search_cases import Part, Played, Wanted
from battlesim.discovery.search_judge import Share
from battlesim.discovery.settings import DiscoverySettings, genome_of
from tests.viewer.browser import Opened, chromium_browser

SPACE = SearchSpace.of("orderdice")
DEALT = next(gene for gene in SPACE.genes if gene.name == "dealt")


def at(place: float) -> str:
    """The agent whose `dealt` is at a place of its range."""
    return f"doctrine,dealt={DEALT.value(place)!r}"


class MadeUp:
    """Games between agents that differ in `dealt` alone, as `BattleField` plays real ones."""

    @staticmethod
    def chance(mine: float, theirs: float) -> float:
        raise NotImplementedError

    def __init__(
        self,
        space: SearchSpace,
        axes: Any,
        grounds: Mapping[Part, Ground],
        rounds: Any,
        seed: int,
        _: bool = False,
    ) -> None:
        self.grounds = {**grounds, "duel": grounds["confirmation"], "league": grounds["training"]}
        self.seed = seed

    def play(self, wanted: Sequence[Wanted]) -> list[list[Played]]:
        return [[self._case(each, each.first + n) for n in range(each.count)] for each in wanted]

    def _case(self, each: Wanted, number: int) -> Played:
        player = each.player or SPACE.text(each.genome)
        opponent = each.opponent or self.grounds[each.part].case(number)[1]
        mine, theirs = (DEALT.scaled(SPACE.parse(name).values[0]) for name in (player, opponent))
        dice = Random(derive_seed(self.seed, each.part, number, player, opponent))
        games = tuple(float(dice.random() < self.chance(mine, theirs)) for _ in range(2))
        return Played(sum(games) / 2, (mine, 0.5), "plain", opponent, games=(games[0], games[1]))


class Circle(MadeUp):
    """Each place loses to those a third of the way round ahead of it: rock, paper and scissors without end."""

    @staticmethod
    def chance(mine: float, theirs: float) -> float:
        return 0.5 + 0.45 * sin(2 * pi * (mine - theirs))


class Ladder(MadeUp):
    """More is better."""

    @staticmethod
    def chance(mine: float, theirs: float) -> float:
        return min(max(0.5 + 0.6 * (mine - theirs), 0.0), 1.0)


def played(
    monkeypatch: pytest.MonkeyPatch, folder: Path, game: type[MadeUp], founders: Sequence[str], **more: Any
) -> tuple[DiscoverySettings, League]:
    assert DEALT is SPACE.genes[0]
    monkeypatch.setattr(leagues, "BattleField", game)
    monkeypatch.setattr(run, "BattleField", game)
    asked = DiscoverySettings(
        scenarios=("stairwell",), against=tuple(founders), games=1500, select=60, confirm=100, **more
    )
    return asked, play_league(asked, folder, None)  # type: ignore[arg-type]


@pytest.mark.slow
def test_rock_paper_and_scissors_are_a_cycle_and_their_mix_is_hardly_exploited(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    three = [at(place) for place in (0.0, 1 / 3, 2 / 3)]
    asked, found = played(monkeypatch, tmp_path, Circle, three, league=2)
    assert len(found.cycles) >= 1
    assert set(found.cycles[0]) <= set(found.members)
    first = found.responses[0]
    assert len(first.mix) == 3
    assert first.share.low < 0.55
    told = "\n".join(league_lines(asked, found))
    assert re.search(r"Cycles: \d beats \d beats \d beats \d", told)
    assert "of 1" in told


def test_a_pool_of_one_is_exploited_and_grows(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    asked, found = played(monkeypatch, tmp_path, Circle, [at(0.2)], league=1)
    response = found.responses[0]
    assert response.share.low > 0.6
    assert found.members == (at(0.2), response.agent)
    assert found.mix == ((response.agent, 1.0),)
    assert re.search(r"exploitable by \d+% \[", "\n".join(league_lines(asked, found)))


@pytest.mark.slow
def test_where_more_is_better_the_league_climbs_and_has_no_cycle(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    asked, found = played(monkeypatch, tmp_path, Ladder, [at(0.1), at(0.2)], league=2)
    places = [DEALT.scaled(SPACE.parse(name).values[0]) for name in found.members]
    assert places[2] > 0.5
    assert found.cycles == ()
    assert "Cycles: None" in "\n".join(league_lines(asked, found))
    assert found.mix[0][0] in found.members[2:]


class Counting(Ladder):
    """Tells the games as rounds do: those that were begun at the beginning of a round, half of them, and all."""

    def __init__(
        self, space: SearchSpace, axes: Any, grounds: Mapping[Part, Ground], rounds: Any, *more: Any
    ) -> None:
        super().__init__(space, axes, grounds, rounds, *more[:1])
        self.rounds = rounds

    def play(self, wanted: Sequence[Wanted]) -> list[list[Played]]:
        rounds, games = self.rounds, 2 * sum(each.count for each in wanted)
        rounds.begun = rounds.played + games
        rounds._told(rounds.played + games // 2)
        rounds.played = rounds.begun
        rounds._told(rounds.played)
        return super().play(wanted)


class Peak(MadeUp):
    """Only the player at the top of the range is any good."""

    @staticmethod
    def chance(mine: float, theirs: float) -> float:
        return 0.5 if mine == theirs else 0.1 if mine < theirs else 0.9


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_a_climb_that_finds_nothing_better_than_a_member_has_no_response(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, seed: int
) -> None:
    asked, found = played(monkeypatch, tmp_path, Peak, [at(1.0)], league=2, aim="win", seed=seed)
    assert found.members == (at(1.0),)
    assert [response.agent for response in found.responses] == [""]
    told = "\n".join(league_lines(asked, found))
    assert "Response 1, to 100% of 1: nothing that was found stood the selection" in told
    page = league_page(asked, found, "league")
    assert "stood the selection" in page
    assert "0–100" not in page, "nobody measured a share"
    assert "0 to 100" not in page


class Needle(MadeUp):
    """The player at the top of the range beats all others, which are equal."""

    @staticmethod
    def chance(mine: float, theirs: float) -> float:
        return 0.5 + 0.4 * ((mine == 1.0) - (theirs == 1.0))


def test_a_climb_begins_from_the_player_that_was_named_and_that_may_be_the_response(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    more: dict[str, Any] = {"league": 2, "aim": "win", "begin": at(1.0)}
    asked, found = played(monkeypatch, tmp_path, Needle, [at(0.2)], **more)
    assert found.members == (at(0.2), at(1.0))
    assert [response.agent for response in found.responses] == [at(1.0), ""]
    assert found.responses[0].share.low > 0.7
    assert "exploitable by 40%" in "\n".join(league_lines(asked, found))


@lru_cache
def genome(name: str) -> Genome:
    """The genome of an agent."""
    return genome_of(SPACE, "orderdice", name)


class Assault(MadeUp):
    """The founder that is written by hand beats all others, which are equal."""

    def _case(self, each: Wanted, number: int) -> Played:
        player = each.player or SPACE.text(each.genome)
        opponent = each.opponent or self.grounds[each.part].case(number)[1]
        mine, theirs, founder = map(genome, (player, opponent, "doctrine,character=assault"))
        dice = Random(derive_seed(self.seed, each.part, number, player, opponent))
        chance = 0.5 + 0.4 * ((mine == founder) - (theirs == founder))
        games = tuple(float(dice.random() < chance) for _ in range(2))
        return Played(sum(games) / 2, (mine.values[1], 0.5), "plain", opponent, games=(games[0], games[1]))


@pytest.mark.parametrize("seed", [1, 4])
def test_a_founder_is_no_response_whatever_its_name(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, seed: int
) -> None:
    """Against itself it takes half of the games, more or less."""
    founders = ["doctrine,character=assault"]
    _, found = played(monkeypatch, tmp_path, Assault, founders, league=1, rules=0, seed=seed)
    assert found.members == tuple(founders)
    assert found.responses[0].share.value < 0.3


def test_the_games_told_never_exceed_the_whole_and_end_at_it(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    told: list[tuple[str, int, run.Expected]] = []
    monkeypatch.setattr(leagues, "BattleField", Counting)
    monkeypatch.setattr(run, "BattleField", Counting)
    asked = DiscoverySettings(
        scenarios=("stairwell",),
        rules=0,
        games=600,
        league=2,
        select=10,
        confirm=20,
        against=(at(0.1), at(0.3)),
    )
    found = play_league(asked, tmp_path, None, lambda *words: told.append(words))  # type: ignore[arg-type]
    assert all(games <= of.games for _, games, of in told)
    games = [count for _, count, _ in told]
    assert games == sorted(games)
    what, last, whole = told[-1]
    assert (what, last, whole.games) == ("members meet", found.games, found.games)
    assert told[1][2].of() == "of 20 games"  # nothing but meetings so far
    searching = [of for what, _, of in told if "searching" in what]
    assert searching[0].search == 600
    assert searching[-1].search > 600  # the last generation is played whole


@pytest.mark.slow
def test_the_same_league_is_found_again(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    (tmp_path / "one").mkdir()
    (tmp_path / "two").mkdir()
    _, one = played(monkeypatch, tmp_path / "one", Circle, [at(0.2)], league=2)
    _, two = played(monkeypatch, tmp_path / "two", Circle, [at(0.2)], league=2)
    _, again = played(monkeypatch, tmp_path / "one", Circle, [at(0.2)], league=2)
    assert one == two == again


@pytest.mark.slow
def test_its_page_opens(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    asked, found = played(
        monkeypatch, tmp_path, Circle, [at(place) for place in (0.0, 1 / 3, 2 / 3)], league=1
    )
    file = tmp_path / "discover.html"
    file.write_text(league_page(asked, found, "<b>a league</b>"), encoding="utf-8")
    assert "<b>a league" not in file.read_text()
    with chromium_browser() as chromium:
        opened = Opened(chromium, file)
        assert opened.page.locator("table.heat td.none").count() == len(found.members)
        opened.close()


def test_the_command_of_a_member_with_a_plan_is_one_that_a_shell_takes() -> None:
    plan = "tactician,base=doctrine+exposure=1.2,tactics=always order:run when range=middle; never go:back"
    even = Share(0.5, 0.4, 0.6)
    found = League(
        "orderdice", "Red", ("greedy", plan), 1, ((None, even), (even, None)), ((plan, 1.0),), (), (), 2
    )
    asked = DiscoverySettings(scenarios=("my maps/stairs.yaml",), league=1)
    words = ["battlesim", "play", "my maps/stairs.yaml", "--agent", f"Red={plan}"]
    told = next(line for line in league_lines(asked, found) if line.startswith("To play"))
    assert shlex.split(told.partition(": ")[2]) == words
    on_page = re.findall("<code>(.*?)</code>", league_page(asked, found, "a league"))
    assert shlex.split(unescape(on_page[1].replace("<wbr>", ""))) == words


@pytest.mark.slow
def test_a_small_league_is_played_and_gone_on_with(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(search, "GENERATION", 2)
    monkeypatch.setattr(search, "FIRST", 2)
    words = (
        "--league",
        "1",
        "--games",
        "20",
        "--select",
        "2",
        "--confirm",
        "2",
        "--against",
        "rush",
        "--quiet",
    )
    assert main(["discover", "stairwell", *words, "--out", "my run"]) == 0
    told = capsys.readouterr().out
    assert "A league of" in told
    assert "Response 1, to 100% of 1" in told
    last = next(line for line in told.splitlines() if line.startswith("Each by its number"))
    assert shlex.split(last.partition(": ")[2])[-1].endswith("=card:my run/1")
    kept = json.loads(Path("my run/discover.json").read_text())
    assert main(["discover", "--resume", "my run", "--quiet", "--json"]) == 0
    assert json.loads(capsys.readouterr().out) == kept
    assert Path("my run/discover.html").exists()
