"""The likeliest way that the favourite loses, or that anything else happens, with its odds. Read `find_upset`.

The odds are found by splitting (`upset_splitting.py`). The battles that met the event are made as usual as possible
(`upset_paths.py`); the least unusual ones that depend on different rolls are kept as records, which replay and verify.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from time import monotonic
from typing import Any

import msgspec
from msgspec import Struct

from battlesim.batch.blame import Blame, Failures
from battlesim.batch.inputs import (
    PinnedInput,
    PinnedScenario,
    pin_agent,
    pin_scenario,
    pinned_agent,
    pinned_scenario,
)
from battlesim.core.dice import derive_seed
from battlesim.core.errors import Fault, InputError
from battlesim.engine.game import Game, play
from battlesim.engine.roster import Entrant
from battlesim.jobs.job import JobFailure, JobOutput, Watch
from battlesim.rules.scenario import Scenario
from battlesim.stress.upset_paths import Way, are_alike, cost_of, simplified
from battlesim.stress.upset_splitting import Estimate, Met, Split, Trial, estimate_of, split
from battlesim.stress.upset_targets import find_target
from battlesim.viewer.story import Story

FUNCTION = "battlesim.stress.upset:do_part"
TRIED = 4
"""How many battles are made more usual for each way that is wanted."""


class FirstBattles(Struct, frozen=True):
    """The battles that were played to find the favourite. `sides`: their names; `wins`: the battles won by each; `battles`: all,
    the drawn ones included."""

    sides: tuple[str, str]
    wins: tuple[int, int]
    battles: int

    @property
    def favourite(self) -> int:
        """The side that won more often; the first if both won equally often."""
        return int(self.wins[1] > self.wins[0])


class UpsetAsked(Struct, frozen=True):
    """The settings of a search. `event`: as `find_target` takes it. `size`, `repeats`: battles of one run of splitting, and such
    runs. `ways`: how many different ways are wanted, each made more usual in at most `effort` battles. `first`: the battles that
    showed who the favourite is; None if an event was named."""

    scenario: PinnedScenario
    agents: tuple[PinnedInput, PinnedInput]
    event: str
    seed: int
    size: int
    repeats: int
    ways: int
    effort: int
    first: FirstBattles | None = None


class RollTold(Struct, frozen=True):
    """A roll that a way depends on. `turn`; `during`: the sentence of the story that it belongs to; `dice`: the dice in words;
    `chance`: of the actual outcome; `usual`: of the likeliest outcome; `unit`: the one that rolled, "" for none."""

    turn: int
    during: str
    dice: str
    unit: str
    chance: float
    usual: float


class WayTold(Struct, frozen=True):
    """One way to the event. `seed`: of its battle; `set`: how many of its `rolls` were set beforehand; `cost`: by how many powers
    of ten its rolls are less likely than their likeliest outcomes, `cost_before` the same of the battle that it was made from;
    `chance`: of the rolls that it depends on, together; `record`: its file; `record_hash`; `winner`: a side or None."""

    seed: int
    set: int
    rolls: int
    cost: float
    cost_before: float
    chance: float
    hangs_on: tuple[RollTold, ...]
    winner: str | None
    record: str
    record_hash: str


class Upset(Struct, frozen=True):
    """The results. `event`: as given; `words`: in words. `blame`: what agents lost by their own failure in the battles for the
    odds. `first`: the battles that showed who the favourite is; None if an event was named."""

    scenario: str
    agents: tuple[str, str]
    event: str
    words: str
    seed: int
    estimate: Estimate
    ways: tuple[WayTold, ...]
    blame: tuple[Blame, ...] = ()
    first: FirstBattles | None = None


class Expected(Struct, frozen=True):
    """What a search will cost. `seconds`: of one battle on this machine. `odds`: the fewest battles for the odds. `ways`: about
    the most battles for the ways."""

    seconds: float
    odds: int
    ways: int


# ---- the parts of the work, done by workers


class SplitPart(Struct, frozen=True, tag=True):
    """One run of splitting, by its number."""

    asked: UpsetAsked
    number: int


class WayPart(Struct, frozen=True, tag=True):
    """One battle that met the target, to be made more usual."""

    asked: UpsetAsked
    met: Met


class SplitDone(Struct, frozen=True):
    """What one run of splitting found, and how many battles it played."""

    run: Split
    battles: int
    blame: tuple[Blame, ...] = ()


class WayDone(Struct, frozen=True):
    """The way that was found; None if the battle could not be made more usual."""

    way: Way | None


def do_part(part: SplitPart | WayPart, watch: Watch) -> JobOutput:
    """Do one part of the work; the row is a `SplitDone` or a `WayDone` as JSON."""
    trial = _trial(part.asked)
    if isinstance(part, SplitPart):
        run = split(trial, derive_seed(part.asked.seed, "split", part.number), part.asked.size)
        return JobOutput(msgspec.json.encode(SplitDone(run, trial.played, trial.failures.found())))
    return JobOutput(msgspec.json.encode(WayDone(simplified(trial, part.met, part.asked.effort))))


def _trial(asked: UpsetAsked) -> Trial:
    scenario = pinned_scenario(asked.scenario)
    agents = tuple(pinned_agent(agent) for agent in asked.agents)
    return Trial(scenario, agents, find_target(scenario, asked.event))


Work = Callable[[Sequence[SplitPart | WayPart]], Iterator[tuple[int, bytes]]]
"""Does parts, in any order: (number of the part, its row)."""


def in_turn(parts: Sequence[SplitPart | WayPart]) -> Iterator[tuple[int, bytes]]:
    """Does the parts in this process, one after the other."""
    for number, part in enumerate(parts):
        yield number, do_part(part, lambda actor: None).row


def by_workers(workers: int) -> Work:
    """Does parts in processes of this machine."""
    from battlesim.jobs.executor import LocalExecutor
    from battlesim.jobs.job import Job, JobLimits

    def work(parts: Sequence[SplitPart | WayPart]) -> Iterator[tuple[int, bytes]]:
        executor = LocalExecutor(FUNCTION, workers, JobLimits(seconds=0, megabytes=0))
        try:
            jobs = [Job(number, type(part).__name__, part) for number, part in enumerate(parts)]
            for batch in executor.run(jobs):
                for done in batch:
                    if isinstance(done.result, JobFailure):
                        remedy = "look for what its agents do, or use --workers 1"
                        raise InputError(Fault(f"a part of the search broke off: {done.result.what}", remedy))
                    yield done.number, done.result.row
        finally:
            executor.close()

    return work


# ---- the whole


def asked_for(
    scenario: str | Path | Scenario,
    agents: Sequence[str] = ("greedy", "greedy"),
    event: str = "",
    *,
    seed: int = 1,
    size: int = 40,
    repeats: int = 8,
    ways: int = 3,
    effort: int = 300,
    shown: Callable[[str, int, int], None] | None = None,
) -> UpsetAsked:
    """Resolve the settings of a search. `event` "": the side that wins more often in some first battles loses; `shown` is called
    as in `find_upset` while these are played. Raises InputError."""
    pin, loaded = pin_scenario(scenario)
    one, two = (pin_agent(name) for name in agents)
    first = None
    if not event:
        show = shown or (lambda what, done, of: None)
        first = _first_battles(loaded, (pinned_agent(one), pinned_agent(two)), seed, size, show)
        event = f"loses:{first.sides[first.favourite]}"
    find_target(loaded, event)
    return UpsetAsked(pin, (one, two), event, seed, size, repeats, ways, effort, first)


def expect(asked: UpsetAsked) -> Expected:
    """What a search will cost, from a battle that is timed."""
    scenario = pinned_scenario(asked.scenario)
    agents = tuple(pinned_agent(agent) for agent in asked.agents)
    begun = 0.0
    # The first battle fills the caches, so the second is timed.
    for number in range(2):
        begun = monotonic()
        play(scenario, agents, derive_seed(asked.seed, "timed", number))
    ways = asked.ways * TRIED * asked.effort
    return Expected(monotonic() - begun, asked.repeats * asked.size, ways)


def _first_battles(
    scenario: Scenario,
    agents: Sequence[Entrant],
    seed: int,
    games: int,
    show: Callable[[str, int, int], None],
) -> FirstBattles:
    """Some battles, which show who wins more often."""
    wins = [0, 0]
    for number in range(games):
        show("first battles, to find the favourite", number, games)
        winner = play(scenario, agents, derive_seed(seed, "favourite", number)).outcome.winner
        if winner is not None:
            wins[winner] += 1
    return FirstBattles((scenario.sides[0].name, scenario.sides[1].name), (wins[0], wins[1]), games)


def find_upset(
    asked: UpsetAsked,
    folder: Path | None = None,
    work: Work = in_turn,
    shown: Callable[[str, int, int], None] | None = None,
) -> Upset:
    """Find the odds of an event and the likeliest ways to it. Records go into `folder`; none are written if it is None. `work`:
    plays the battles (`by_workers`); the result does not depend on it. `shown`: called with what is being done, how much is done,
    and the total.
    """
    show = shown or (lambda what, done, of: None)
    runs = [
        msgspec.json.decode(row, type=SplitDone)
        for row in _done(
            [SplitPart(asked, number) for number in range(asked.repeats)],
            work,
            "repeats of the estimate of the odds",
            show,
        )
    ]
    estimate = estimate_of([one.run for one in runs], asked.size, sum(one.battles for one in runs))
    failures = Failures()
    for one in runs:
        failures.add(one.blame)
    met = _chosen([battle for one in runs for battle in one.run.met], asked.ways * TRIED if asked.ways else 0)
    rows = _done([WayPart(asked, battle) for battle in met], work, "battles to be made more usual", show)
    ways = [way for row in rows if (way := msgspec.json.decode(row, type=WayDone).way) is not None]
    scenario = pinned_scenario(asked.scenario)
    agents = tuple(pinned_agent(agent) for agent in asked.agents)
    told = [
        _told(way, play(scenario, agents, way.seed, loaded=way.loaded), number, folder)
        for number, way in enumerate(different(ways, asked.ways), 1)
    ]
    return Upset(
        asked.scenario.name,
        (asked.agents[0].name, asked.agents[1].name),
        asked.event,
        find_target(scenario, asked.event).words,
        asked.seed,
        estimate,
        tuple(told),
        failures.found(),
        asked.first,
    )


def _done(
    parts: Sequence[SplitPart | WayPart], work: Work, what: str, show: Callable[[str, int, int], None]
) -> list[bytes]:
    """The rows of all parts, in their order."""
    rows: dict[int, bytes] = {}
    show(what, 0, len(parts))
    for number, row in work(parts):
        rows[number] = row
        show(what, len(rows), len(parts))
    return [rows[number] for number in range(len(parts))]


def _chosen(met: Sequence[Met], most: int) -> list[Met]:
    """The least unusual battles that met the target, one of each seed if there are enough."""
    order = sorted(met, key=lambda one: (sum(map(cost_of, one.rolls)), one.seed))
    first: dict[int, Met] = {}
    for one in order:
        first.setdefault(one.seed, one)
    again = [one for one in order if first[one.seed] is not one]
    return [*first.values(), *again][:most]


def different(ways: Iterable[Way], most: int) -> list[Way]:
    """The least unusual ways that depend on different rolls."""
    kept: list[Way] = []
    for way in sorted(ways, key=lambda way: (way.cost, len(way.key_rolls), way.seed)):
        if len(kept) < most and not any(are_alike(way, other) for other in kept):
            kept.append(way)
    return kept


def _told(way: Way, game: Game, number: int, folder: Path | None) -> WayTold:
    path = None if folder is None else folder / f"way-{number}.jsonl.gz"
    if path is not None:
        game.save(path)
    during = _sentences(game)
    chance = 1.0
    hangs_on = []
    for each in way.key_rolls:
        roll = each.roll
        turn, sentence, dice = during.get(each.key, (roll.turn, "", ""))
        unit = game.state.units.get(roll.actor)
        name = unit.name if unit is not None else ""
        shown = dice or f"{roll.purpose}: {' '.join(map(str, roll.faces))}"
        hangs_on.append(RollTold(turn, sentence, shown, name, each.chance, each.usual))
        chance *= each.chance
    return WayTold(
        way.seed,
        len(way.loaded),
        way.rolls,
        way.cost,
        way.cost_before,
        chance,
        tuple(hangs_on),
        game.winner,
        "" if path is None else str(path),
        game.record_hash,
    )


def _sentences(game: Game) -> dict[Any, tuple[int, str, str]]:
    """By key: the turn, the sentence and the words of every roll in the story of a game."""
    story = Story(game.header)
    found: dict[Any, tuple[int, str, str]] = {}
    for event in game.log:
        for sentence in story.read(event):
            words = sentence.shown.split("; ")
            for place, roll in enumerate(sentence.dice):
                shown = words[place] if len(words) == len(sentence.dice) else sentence.shown
                found[(roll.turn, roll.actor, roll.purpose, roll.object, roll.attempt)] = (
                    sentence.turn,
                    sentence.text,
                    shown,
                )
    return found
