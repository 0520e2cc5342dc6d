"""A search in a folder, from its settings to its results. Read `discover`.

discover-asked.json   the settings
begun.json            the same with the digests of program, scenarios and agents
search.bin            the archive between two generations (`search_keep`)
rounds/               every game of the training, a run of its own for each generation
judged/rounds/        games of the selection and the confirmation
discover.json         every figure of what was found
discover.html         the map of behaviours; discover.svg is its picture alone
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from hashlib import blake2b
from pathlib import Path
from typing import NamedTuple

import msgspec
from msgspec import Struct

from battlesim.batch.begun import Begun, begun_with, check_begun
from battlesim.batch.rounds import Rounds, part_of
from battlesim.core.sums import summed
from battlesim.discovery.archive import Archive
from battlesim.discovery.contrasts import with_tactics
from battlesim.discovery.field import CHARACTERS, BattleField, Ground
from battlesim.discovery.genome import Genome, SearchSpace
from battlesim.discovery.search import Emitter, Mutation, Progress, Saved, Search, least_games
from battlesim.discovery.search_cases import GAMES, Part
from battlesim.discovery.search_cma import CmaMae, CmaMe, strategy
from battlesim.discovery.search_folder import ASKED, JUDGED, begun_in
from battlesim.discovery.search_judge import SHORTLIST, Candidate, Found, Judged, Jury, Share, judge
from battlesim.discovery.search_keep import Keeper
from battlesim.discovery.search_win import ANSWERS, LEAST, Climb, numbered
from battlesim.discovery.settings import DiscoverySettings, space_of, written_by_hand
from battlesim.discovery.varied import scouted
from battlesim.jobs.executor import Executor
from battlesim.jobs.folder import hold
from battlesim.scenario.load import load_scenario

WITH_PLAN = with_tactics("doctrine", ["never go:back"])
"""Any player with a plan: its program is part of what the results of a search depend on."""


class Expected(NamedTuple):
    """About how many games a search will play, by part. `before`: games of a league before its search, or while members meet."""

    search: int
    selection: int
    confirmation: int
    before: int = 0

    @property
    def games(self) -> int:
        """All of them."""
        return sum(self)

    def words(self) -> str:
        """The parts in words."""
        before = f"before {self.before:,}, " if self.before else ""
        return f"{before}search {self.search:,}, selection {self.selection:,}, confirmation {self.confirmation:,}"

    def of(self) -> str:
        """The whole number in words, with its parts if there is a search."""
        return (
            f"of about {self.games:,} games ({self.words()})" if self.search else f"of {self.games:,} games"
        )


Told = Callable[[str, int, Expected], None]
"""Called with what is being done, the games so far, and the expected number of games."""


class Discovery(Struct, frozen=True):
    """The results of a search. `side`: the first of the first scenario. `elites`: best corrected value first. `written`: ways of
    fighting written by hand, with their scores on the same selection cases, best first. `progress`: of the training. `games`: of
    training, selection and confirmation; `broken`: those of them that broke off."""

    ruleset: str
    side: str
    bins: int
    elites: tuple[Found, ...]
    written: tuple[tuple[str, Share], ...]
    progress: tuple[Progress, ...]
    games: tuple[int, int, int]
    broken: int = 0

    @property
    def coverage(self) -> float:
        """Share of the cells that have an elite."""
        return self.progress[-1].coverage if self.progress else 0.0

    @property
    def qd_score(self) -> float:
        """Sum over the cells of the corrected values of the selection; that of the training is in `progress`."""
        return summed(one.corrected for one in self.elites)

    @property
    def held(self) -> tuple[int, int]:
        """How many elites behaved in the selection as their cells say, and how many were measured in it."""
        measured = [one for one in self.elites if one.middle >= 0]
        return sum(one.moved(self.bins) is None for one in measured), len(measured)


def discover(
    asked: DiscoverySettings,
    folder: Path,
    executor: Executor,
    told: Told = lambda what, games, of: None,
) -> Discovery:
    """Search, or continue the stopped search in the folder. Raises InputError if it was begun with other inputs."""
    space, ruleset = space_to_search(asked)
    written = written_by_hand(space, ruleset)
    first = () if asked.begin != "doctrine" else tuple(written.values())
    with hold(folder):
        quest = Quest(asked, asked.grounds, folder, executor, told, space, first)
        found = quest.judged(quest.searched(), written)
        search = quest.search
        side = load_scenario(asked.scenarios[0]).sides[0].name
        return Discovery(
            ruleset,
            side,
            asked.bins,
            found.elites,
            found.written,
            tuple(search.progress),
            (search.played, *found.games),
            search.broken + found.broken,
        )


def space_to_search(asked: DiscoverySettings) -> tuple[SearchSpace, str]:
    """The space of a search, with the plans that its scenarios offer, and the rulebook. A few games of each scenario say which
    acts come up. Raises InputError as `space_of` does."""
    space, ruleset = space_of(asked)
    if not asked.rules or asked.aim == "win":
        return space, ruleset
    atoms = {one for name in asked.scenarios for one in scouted("doctrine", name, asked.seed)}
    return space.with_plans(sorted(atoms), asked.rules), ruleset


class Quest:
    """One search in a folder: its training, then its judgement. `grounds`: of the parts. `first`: genomes that are tried first; a
    climb begins from the first of them. `is_response`: it looks for what beats the mix of its opponents."""

    def __init__(
        self,
        asked: DiscoverySettings,
        grounds: Mapping[Part, Ground],
        folder: Path,
        executor: Executor,
        told: Told,
        space: SearchSpace,
        first: Sequence[Genome],
        is_response: bool = False,
    ) -> None:
        self.asked, self.grounds, self.folder, self.executor = asked, grounds, folder, executor
        self.told, self.space, self.is_response = told, space, is_response
        begun = what_begins(asked, grounds)
        check_begun(folder, begun, folder / ASKED)
        keeper = Keeper(folder, identity_of(begun))
        saved = keeper.load()
        before = 0 if saved is None else saved.played
        self._expected = expected_games(asked, is_response=is_response)
        self._what = "beginning"
        self._rounds = Rounds(executor, folder, told=self._searched, done=keeper.rounds, played=before)
        self._keeper = keeper
        self.search = self._search(first, saved)
        games = max(asked.games, self.search.least)
        self._expected = self._expected._replace(search=games)

    def _search(self, first: Sequence[Genome], saved: Saved | None) -> Search | Climb:
        asked, space = self.asked, self.space
        field = BattleField(space, asked.axes, self.grounds, self._rounds, asked.seed, asked.shuffled)
        axes, games = len(asked.axes), asked.games
        if asked.aim == "win":
            begin = first[0] if first else space.usual
            return Climb(
                space, field, axes, games, seed=asked.seed, begin=begin, told=self._searching, saved=saved
            )
        return Search(
            space,
            field,
            axes,
            games,
            seed=asked.seed,
            bins=asked.bins,
            first=first,
            emitters=emitters_of(asked, space),
            told=self._searching,
            saved=saved,
        )

    def searched(self) -> list[Candidate]:
        """The training, played to its end: the candidates that it found, with cells."""
        search = self.search
        while not search.is_over:
            search.generation()
            self._keeper.keep(search.save(), self._rounds.done)
        self._keeper.keep(search.save(), self._rounds.done, always=True)
        if isinstance(search, Climb):
            return numbered(search.answers())
        return candidates(search.archive)

    def judged(self, elites: Sequence[Candidate], written: Mapping[str, Genome]) -> Judged:
        """The elites measured on cases that the search has not seen, beside ways of fighting written by hand."""
        asked, before = self.asked, self.search.played
        expected = expected_games(asked, len(elites), self.is_response)
        self._expected = expected._replace(search=before)
        selection = expected.selection

        def games(played: int) -> None:
            if rounds.begun > selection:  # now it is known how many are confirmed
                self._expected = self._expected._replace(confirmation=rounds.begun - selection)
            self._games(before + played)

        rounds = Rounds(self.executor, self.folder / JUDGED, told=games)
        field = BattleField(self.space, asked.axes, self.grounds, rounds, asked.seed, asked.shuffled)
        jury = Jury(asked.select, asked.confirm, asked.best, self.is_response)
        return judge(self.space, field, elites, written, jury, lambda what, games: self._doing(what))

    def _searching(self, what: str, archive: Archive, games: int) -> None:
        self._doing(f"{what}, {len(archive.elites)} elites" if archive.elites else what)

    def _doing(self, what: str) -> None:
        self._what = what

    def _searched(self, games: int) -> None:
        # The last generation is played whole.
        most = max(self._expected.search, self._rounds.begun)
        self._expected = self._expected._replace(search=most)
        self._games(games)

    def _games(self, games: int) -> None:
        self.told(self._what, games, self._expected)


def expected_games(
    asked: DiscoverySettings, elites: int | None = None, is_response: bool = False
) -> Expected:
    """About how many games a search, or one of a league, will play. `elites`: the number it has found, if known."""
    if elites is None:
        elites = ANSWERS + 1 if asked.aim == "win" else asked.bins ** len(asked.axes) // 2
    measured = min(elites, SHORTLIST)
    by_hand = len(CHARACTERS) + 1
    least = LEAST if asked.aim == "win" else least_games(by_hand if asked.begin == "doctrine" else 1)
    search = max(asked.games, least)
    if is_response:
        return Expected(search, GAMES * measured * asked.select, GAMES * asked.confirm)
    # A search for one strong player confirms the player that it began from, too.
    confirmed = 2 * min(asked.best + (asked.aim == "win"), measured) * asked.confirm
    return Expected(search, GAMES * (measured + by_hand) * asked.select, GAMES * confirmed)


def expected_in(folder: Path, asked: DiscoverySettings) -> Expected:
    """About how many games the search in a folder, or the part of one, will play in all; never fewer than it has begun."""
    _, _, of = part_of(folder)
    search, selection, confirmation, _ = (-(-games // of) for games in expected_games(asked))
    trained, judged = begun_in(folder), begun_in(folder / JUDGED)
    if not judged:
        # The last generation is played whole.
        return Expected(max(search, sum(trained)), selection, confirmation)
    return Expected(sum(trained), judged[0], sum(judged[1:]) if judged[1:] else confirmation)


def candidates(archive: Archive) -> list[Candidate]:
    """The elites of an archive, as the judge takes them."""
    return [
        Candidate(cell, elite.genome, elite.value, elite.behaviour)
        for cell, elite in sorted(archive.elites.items())
    ]


def check(asked: DiscoverySettings) -> None:
    """Raises InputError if a search cannot be begun, ImportError if a package that it needs is missing."""
    space, _ = space_of(asked)
    emitters_of(asked, space)
    if asked.aim == "win":
        strategy(2, 4, 1)


def emitters_of(asked: DiscoverySettings, space: SearchSpace) -> list[Emitter]:
    """The emitters by their names. Raises ImportError if the package of one is missing."""
    found: list[Emitter] = []
    for name in asked.emitters:
        if name == "mutation":
            found.append(Mutation(space))
        else:
            strategy(2, 4, 1)
            found.append((CmaMae if name == "cma-mae" else CmaMe)(space, asked.seed))
    return found


def what_begins(asked: DiscoverySettings, grounds: Mapping[Part, Ground]) -> Begun:
    """Everything that the games of a search depend on: settings, program, scenarios, agents."""
    agents = sorted({opponent for ground in grounds.values() for opponent in ground.opponents})
    settings = asked.model_dump(mode="json")
    if grounds != asked.grounds:  # those of a league follow from its games
        settings["opponents"] = {part: msgspec.to_builtins(ground) for part, ground in grounds.items()}
    return begun_with(settings, ("doctrine", WITH_PLAN, *agents), asked.every_scenario)


def identity_of(begun: Begun) -> str:
    """A digest of what a search was begun with."""
    return blake2b(msgspec.json.encode(begun, order="deterministic"), digest_size=16).hexdigest()
