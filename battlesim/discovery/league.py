"""A league: what beats the present players, what beats that, and so on. Read `play_league`.

It is the double oracle (McMahan, Gordon and Blum 2003), as in policy-space response oracles (Lanctot and others 2017):

1. All members meet. The *mix* is how often to play each of them, so that none of them gains on it.
2. A search looks for the best player against the mix. Its answer is the *response*.
3. Its score above even against the mix, on games that chose nothing, is the *exploitability* that was shown, with its interval. A
longer search may find more.
4. The response joins the league. If it is no better than even, the league ends.

    league/rounds/        the games in which members meet
    league-01/            the search for the first response, a folder as any search has
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations
from pathlib import Path

from msgspec import Struct

from battlesim.batch.rounds import Rounds
from battlesim.core.dice import derive_seed
from battlesim.core.errors import InputError
from battlesim.core.sums import summed
from battlesim.discovery.field import CHARACTERS, BattleField, Ground
from battlesim.discovery.genome import Genome
from battlesim.discovery.run import Expected, Quest, Told, space_to_search
from battlesim.discovery.search_cases import GAMES, Part, Wanted
from battlesim.discovery.search_judge import Share
from battlesim.discovery.settings import DiscoverySettings, genome_of, written_by_hand
from battlesim.jobs.executor import Executor
from battlesim.jobs.folder import hold
from battlesim.scenario.load import load_scenario
from battlesim.tournament.matrix import WinMatrix, cycles, maximin, win_matrix
from battlesim.tournament.tally import Tally

FOUNDERS = ("greedy", "rush", *(f"doctrine,character={character}" for character in CHARACTERS))
"""Members that a league begins with, unless others are named."""
LEAST = 0.02
"""Members with a smaller weight in the mix are left out of it."""


class Response(Struct, frozen=True):
    """The best response that was found to a mix. `mix`: members with their weights. `share`: its score against the mix, on games
    that chose nothing. `games`: of its search and its judgement; `broken`: those of them that broke off."""

    agent: str
    mix: tuple[tuple[str, float], ...]
    share: Share
    games: int
    broken: int = 0


class League(Struct, frozen=True):
    """The results of a league. `members`: in the order in which they joined; `founders`: how many there were at first. `shares`:
    of the row member against the column member, None on the diagonal. `mix`: of all members at the end. `cycles`: each beats the
    next, and the last the first. `pairs`: pairs of games between each two members. `broken`: games that broke off."""

    ruleset: str
    side: str
    members: tuple[str, ...]
    founders: int
    shares: tuple[tuple[Share | None, ...], ...]
    mix: tuple[tuple[str, float], ...]
    responses: tuple[Response, ...]
    cycles: tuple[tuple[str, str, str], ...]
    pairs: int
    broken: int = 0

    @property
    def games(self) -> int:
        """All games."""
        met = len(self.members) * (len(self.members) - 1) // 2 * self.pairs * GAMES
        return met + sum(response.games for response in self.responses)


def play_league(
    asked: DiscoverySettings,
    folder: Path,
    executor: Executor,
    told: Told = lambda what, games, of: None,
) -> League:
    """Play a league of `asked.league` responses, or continue the one in the folder. Raises InputError if it was begun with other
    inputs."""
    with hold(folder):
        return _League(asked, folder, executor, told).play()


class _League:
    """A league while it is played."""

    def __init__(self, asked: DiscoverySettings, folder: Path, executor: Executor, told: Told) -> None:
        self.asked, self.folder, self.executor, self.told = asked, folder, executor, told
        self.space, self.ruleset = space_to_search(asked)
        self.members = list(asked.against or FOUNDERS)
        self.founders = len(self.members)
        self.tally = Tally()
        self.responses: list[Response] = []
        self.games = self.broken = 0
        self._rounds = Rounds(executor, folder / "league", told=self._meeting)
        self._field = BattleField(self.space, asked.axes, self._grounds(()), self._rounds, asked.seed)

    def play(self) -> League:
        """All responses, then the last meeting."""
        new = self.members
        for number in range(1, self.asked.league + 1):
            mix = self._mix(self._meet(new))
            response = self._response(number, mix)
            self.responses.append(response)
            self.games += response.games
            self.broken += response.broken
            if response.share.value <= 0.5 or response.agent in self.members:
                new = []
                break
            self.members.append(response.agent)
            new = [response.agent]
        matrix = self._meet(new)
        side = load_scenario(self.asked.scenarios[0]).sides[0].name
        return League(
            self.ruleset,
            side,
            tuple(self.members),
            self.founders,
            tuple(
                tuple(None if cell is None else Share(cell.value, cell.low, cell.high) for cell in row)
                for row in matrix.cells
            ),
            self._mix(matrix),
            tuple(self.responses),
            cycles(matrix),
            self.asked.select,
            self.broken,
        )

    def _meet(self, new: Sequence[str]) -> WinMatrix:
        """Let members meet that have not met, and return the results of all against all."""
        wanted = [
            Wanted(Genome(), "league", 0, self.asked.select, opponent=b, player=a)
            for a, b in combinations(self.members, 2)
            if a in new or b in new
        ]
        for each, cases in zip(wanted, self._field.play(wanted) if wanted else [], strict=True):
            for case in cases:
                first, second = (round(2 * game) for game in case.games)
                self.tally.pair(case.scenario, each.player, each.opponent, first, second)
                self.broken += case.broke
            self.games += GAMES * each.count
        return win_matrix(self.tally, self.members)

    def _mix(self, matrix: WinMatrix) -> tuple[tuple[str, float], ...]:
        """The members of the mix that nobody gains on, and their weights."""
        if len(self.members) == 1:
            return ((self.members[0], 1.0),)
        weights = maximin(matrix).weights or tuple(1.0 for _ in self.members)
        kept = [(name, weight) for name, weight in zip(self.members, weights, strict=True) if weight >= LEAST]
        total = summed(weight for _, weight in kept)
        return tuple((name, round(weight / total, 4)) for name, weight in kept)

    def _response(self, number: int, mix: Sequence[tuple[str, float]]) -> Response:
        """Search for the best player against a mix."""
        seed = derive_seed(self.asked.seed, "league", number)
        asked = self.asked.model_copy(update={"seed": seed, "best": 1})
        folder = self.folder / f"league-{number:02d}"
        folder.mkdir(exist_ok=True)
        heaviest = sorted(mix, key=lambda pair: (-pair[1], pair[0]))
        members = [genome for name, _ in heaviest if (genome := self._genome(name)) is not None]
        # The first search begins where it was asked to; its response is a member for those that follow.
        first = [self.space.usual, *members] if number == 1 and self.asked.begin != "doctrine" else members
        before = self.games

        def told(what: str, games: int, of: Expected) -> None:
            words = f"response {number} of {self.asked.league}: {what}"
            self.told(words, before + games, of._replace(before=before))

        quest = Quest(
            asked, self._grounds(mix), folder, self.executor, told, self.space, first, is_response=True
        )
        # Members are tried first, and may hold a cell. They do not count as responses, under any name. A climb measures the one
        # that it began from, which the others must beat.
        known = [self.space.text(genome) for genome in members]
        found = quest.searched()
        new = [one for one in found if one.is_begin or self.space.text(one.genome) not in known]
        judged = quest.judged(new or found, {})
        games = quest.search.played + sum(judged.games)
        broken = quest.search.broken + judged.broken
        best = next((one for one in judged.elites if one.confirmed is not None), None)
        # A search that found nothing better than the members has no response.
        if best is None or best.confirmed is None or best.agent in known:
            return Response("", tuple(mix), Share(0.5, 0.0, 1.0), games, broken)
        return Response(best.agent, tuple(mix), best.confirmed, games, broken)

    def _grounds(self, mix: Sequence[tuple[str, float]]) -> dict[Part, Ground]:
        """The settings' scenarios, with the members of a mix as opponents by their weights."""
        names = tuple(name for name, _ in mix) or ("greedy",)
        weights = tuple(weight for _, weight in mix)
        return {part: Ground(ground.scenarios, names, weights) for part, ground in self.asked.grounds.items()}

    def _genome(self, name: str) -> Genome | None:
        """The genome of a member; None if it is not in the space (`rush`, for example)."""
        known = written_by_hand(self.space, self.ruleset)
        if name in known or name == "greedy":
            return known.get(name, known["doctrine"])
        try:
            return genome_of(self.space, self.ruleset, name)
        except InputError:
            return None

    def _meeting(self, games: int) -> None:
        before = sum(response.games for response in self.responses)
        self.told("members meet", before + games, Expected(0, 0, 0, before + self._rounds.begun))
