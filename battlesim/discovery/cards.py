"""Cards: what is known of each confirmed tactic, for the terminal, the page and the book. Read `Card`, then `cards_of`.

Only a confirmed tactic has a card. Tactics that were tried and not confirmed are listed beside them with their results.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from shlex import quote

import msgspec
from msgspec import Struct

from battlesim.batch.blame import Blame, Failures
from battlesim.batch.games import GameSpec
from battlesim.batch.inputs import pinned_agent, pinned_scenario
from battlesim.batch.lists import plan_of
from battlesim.core.files import write_file
from battlesim.discovery.card_facts import Bears, Spot, Why, clauses_that_bear, reasons, spots_of
from battlesim.discovery.contrasts import Contrast, with_tactics
from battlesim.discovery.intervention import FEWEST_TRIED, RATE, Effect
from battlesim.discovery.study import (
    asked_of,
    confirmed,
    effects,
    is_played,
    pairs_of,
    phase_folder,
    retried,
    subjects,
    tried,
    turned,
    unplayed,
)
from battlesim.discovery.study_asked import Asked, Candidate, phases
from battlesim.discovery.watching import WatchedRow, watched_rows
from battlesim.engine.card_agents import CARDS
from battlesim.engine.game import play
from battlesim.engine.record import read_record
from battlesim.engine.record_file import write_bytes
from battlesim.jobs.folder import RunFolder
from battlesim.scenario.load import load_scenario

FORMAT = 2
"""Version of the figures in a page of cards. Pages of other versions are not read."""
HOLDS, LIKELY, UNSEEN, DOUBTFUL, HARMS = "holds", "perhaps holds", "not seen", "perhaps harms", "harms"
ABSENT = "does not come up"
VERDICTS = (HOLDS, LIKELY, UNSEEN, DOUBTFUL, HARMS, ABSENT)


class Counter(Struct, frozen=True):
    """The response that did best at first, played again. `effect`: its gain over the base player against a side that keeps to the
    tactic. `seen`: whether that is confirmed."""

    player: str
    effect: Effect
    seen: bool


class Moved(Struct, frozen=True):
    """The tactic in another scenario. `verdict`: one of VERDICTS."""

    scenario: str
    ruleset: str
    effect: Effect | None
    verdict: str


class Game(Struct, frozen=True):
    """A game to watch: the one with the median result of all in which the tactic applied. `side`: the one that keeps to it.
    `record`: its file in the run's folder; "" if there is none, and then `points` is None."""

    side: str
    seed: int
    agents: tuple[str, str]
    record: str
    command: str
    points: tuple[int, int] | None


class Card(Struct, frozen=True):
    """A confirmed tactic. `agent`: the player that keeps to it. `found`: how it was found and the result of each step. `spots`:
    for a tactic about buildings, the floors on which it applied, most frequent first; cards with older figures have none."""

    number: int
    tactic: str
    words: str
    agent: str
    scenario: str
    ruleset: str
    sides: tuple[str, str]
    found: Candidate
    effect: Effect
    why: tuple[Why, ...]
    clauses: tuple[Bears, ...]
    game: Game | None
    repeat: str
    counter: Counter | None = None
    transfer: tuple[Moved, ...] = ()
    spots: tuple[Spot, ...] = ()


class Book(Struct, frozen=True):
    """The results of a study. `looked`: patterns examined; `tried`: candidates; `again`: those that were tried again; `rest`:
    those of them that are not confirmed. `done`: phases that are played. `games`: games played; `broken`: those of them that
    broke off or were forfeited. `program`: the digest of the program that played them. `blame`: what agents lost by
    their own failure. `missing`: for a study that was stopped, how far it came and how to continue."""

    format: int
    asked: Asked
    looked: int
    tried: int
    again: int
    cards: tuple[Card, ...]
    rest: tuple[Candidate, ...]
    done: tuple[str, ...]
    games: int
    broken: int
    program: str = ""
    blame: tuple[Blame, ...] = ()
    missing: str = ""


def cards_of(run: RunFolder, records: bool = True) -> Book:
    """The book of a run as far as it is played. `records`: write the record of each card's game if it is missing."""
    asked = asked_of(run)
    played = {phase: folder for phase in phases(asked) if (folder := phase_folder(run, phase)) is not None}
    found = confirmed(run)
    last = played.get("transfer")
    width = len(asked.places) + 1  # the last subject of each card is the response, the others are scenarios
    moved = {}
    if last is not None and is_played(last):
        moved = effects(last, FEWEST_TRIED, lambda subject: subject % width == width - 1)
    players = pairs_of(last).players if last is not None else ()
    cards = [_card(run, asked, number, one, records, players, moved) for number, one in enumerate(found)]
    rows = [row for folder in played.values() for row in watched_rows(folder).values()]
    failures = Failures()
    for row in rows:
        failures.add(row.blame)
    every = retried(run)
    trials = played.get("trials")
    return Book(
        FORMAT,
        asked,
        pairs_of(trials).looked if trials else 0,
        len(every) if asked.tactics else len(tried(run)),
        len(every),
        tuple(cards),
        tuple(one for one in every if one not in found),
        tuple(phase for phase, folder in played.items() if is_played(folder)),
        len(rows),
        sum(bool(row.failed) for row in rows),
        plan_of(run).resolved.code,
        failures.found(),
        unplayed(run),
    )


def write_cards(run: RunFolder, book: Book) -> None:
    """Keep the book in the run's folder, for `card:RUN/N` too."""
    write_file(run.path / CARDS, msgspec.json.format(msgspec.json.encode(book), indent=1), "the cards")


def _card(
    run: RunFolder,
    asked: Asked,
    number: int,
    one: Candidate,
    records: bool,
    players: Sequence[str],
    moved: Mapping[int, Effect | None],
) -> Card:
    folder = phase_folder(run, "confirmation")
    assert folder is not None
    assert one.confirmed is not None
    rows, pairs = watched_rows(folder), subjects(folder)[one.subject]
    pairs = turned(pairs) if one.turned else pairs
    scenario = load_scenario(one.scenario)
    sides = (scenario.sides[0].name, scenario.sides[1].name)
    agent = with_tactics(asked.base, [one.tactic])
    return Card(
        number + 1,
        str(one.tactic),
        one.tactic.words(),
        agent,
        one.scenario,
        scenario.ruleset,
        sides,
        one,
        one.confirmed,
        tuple(reasons(rows, pairs)),
        tuple(clauses_that_bear(rows, pairs, scenario.ruleset)),
        _median(run, folder, number + 1, rows, pairs, sides, records),
        _command(asked, one),
        _counter(asked, number, players, moved),
        tuple(_moved(asked, number, moved)),
        spots_of(rows, pairs, one.tactic, scenario.board) if one.tactic.about_buildings else (),
    )


def _command(asked: Asked, one: Candidate) -> str:
    """The command that plays the card's confirmation again, under the same dice."""
    base = "" if asked.base == "greedy" else f" --base {quote(asked.base)}"
    counts = f" --seed {asked.seed} --confirmed {asked.confirmed}"
    return f'battlesim tactics {quote(one.scenario)} --tactic "{one.tactic}"{base}{counts}'


# ---- the game to watch


def _median(
    run: RunFolder,
    folder: RunFolder,
    number: int,
    rows: Mapping[int, WatchedRow],
    pairs: Sequence[Contrast],
    sides: tuple[str, str],
    records: bool,
) -> Game | None:
    """The median game of those in which the tactic applied, by points and then by seed."""
    bore = [one for one in pairs if not rows[one.one].failed and rows[one.one].dose[one.side][0]]
    if not bore:
        return None
    bore.sort(key=lambda one: ((1 - 2 * one.side) * rows[one.one].margin, one.seed, one.side))
    middle = bore[len(bore) // 2]
    spec: GameSpec = plan_of(folder).game(middle.one)
    names = (spec.agents[0].load, spec.agents[1].load)
    flags = " ".join(f"--agent {quote(f'{side}={name}')}" for side, name in zip(sides, names, strict=True))
    record = run.records / f"card-{number}.jsonl.gz"
    name = str(record.relative_to(run.path))
    points = None
    if record.is_file():  # it stays, even if the agents have changed since
        points = read_record(record).outcome.points
    elif records:
        one, two = (pinned_agent(agent) for agent in spec.agents)
        game = play(pinned_scenario(spec.scenario), (one, two), spec.seed)
        points = game.outcome.points
        write_bytes(record, game.record())
    command = f"battlesim play {quote(middle.scenario)} {flags} --seed {spec.seed}"
    return Game(sides[middle.side], spec.seed, names, name if points else "", command, points)


# ---- counter and transfer


def _counter(
    asked: Asked, number: int, players: Sequence[str], every: Mapping[int, Effect | None]
) -> Counter | None:
    """The best response to a card. `every`: effects of the transfer phase by subject."""
    width = len(asked.places) + 1
    effect = every.get(number * width + width - 1)
    if effect is None:
        return None
    return Counter(players[number], effect, effect.q <= RATE and effect.score.value > 0)


def counter_cycles(cards: Sequence[Card]) -> list[tuple[int, ...]]:
    """Cycles like rock, paper and scissors, by the numbers of their cards: each is countered by the next, the last by the first.
    A counter counts where it is confirmed and is another card of the same scenario. The least number of a cycle comes first."""
    number = {(card.scenario, card.agent): card.number for card in cards}
    countered = {
        card.number: number.get((card.scenario, card.counter.player))
        for card in cards
        if card.counter is not None and card.counter.seen
    }
    found = set()
    for start in countered:
        path = [start]
        while (after := countered.get(path[-1])) is not None and after not in path:
            path.append(after)
        if after is not None:
            cycle = path[path.index(after) :]
            least = cycle.index(min(cycle))
            found.add((*cycle[least:], *cycle[:least]))
    return sorted(found)


def _moved(asked: Asked, number: int, every: Mapping[int, Effect | None]) -> list[Moved]:
    """A card in the other scenarios."""
    width = len(asked.places) + 1
    found = []
    for place, scenario in enumerate(asked.places):
        subject = number * width + place
        if subject in every:
            effect = every[subject]
            found.append(Moved(scenario, load_scenario(scenario).ruleset, effect, verdict_of(effect)))
    return found


def verdict_of(effect: Effect | None) -> str:
    """What the tactic does in another scenario: surely (after correction), or perhaps (if only its interval says so)."""
    if effect is None or effect.dosed == 0:
        return ABSENT
    if effect.score.low is None or effect.score.high is None or effect.score.low <= 0 <= effect.score.high:
        return UNSEEN
    if effect.score.value > 0:
        return HOLDS if effect.q <= RATE else LIKELY
    return HARMS if effect.q <= RATE else DOUBTFUL
