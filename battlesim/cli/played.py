"""Games of `battlesim play`: one with its progress and its result in a line, or many with their wins counted."""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import redirect_stdout
from pathlib import Path
from typing import TYPE_CHECKING, Any

from battlesim.cli.common import ENDS, print_json, some
from battlesim.cli.progress import counted, reporting

if TYPE_CHECKING:
    from battlesim.engine.battle import Battle, Question
    from battlesim.engine.game import Game, Listener
    from battlesim.engine.roster import Entrant
    from battlesim.engine.saved import SavedGame
    from battlesim.rules.scenario import Scenario


def play_many(args: argparse.Namespace, scenario: Scenario, entrants: Sequence[Entrant], limits: Any) -> None:
    """Play `args.games` games from seed `args.seed` on; print a line for each and the wins of all."""
    from tqdm import tqdm

    tally = _WinCounts(scenario, entrants)
    seeds = range(args.seed, args.seed + args.games)
    bar = tqdm(seeds, unit="game", disable=None, delay=1, leave=False)
    begun = time.monotonic()

    def where() -> str:
        return counted(tally.games, args.games, "games", time.monotonic() - begun)

    try:
        with reporting(where, args.quiet):
            for number in bar:
                record = numbered(args.record, number) if args.record else None
                game = play_one(scenario, entrants, number, limits, record, bar=False)
                tally.take(game)
                if args.json:
                    with bar.external_write_mode(file=sys.stdout):
                        print_json(game.row())
                elif not args.quiet:
                    with bar.external_write_mode(file=sys.stdout):
                        print(f"seed {number}: {result_line(game)}")
    except KeyboardInterrupt as error:
        bar.close()
        if not args.json and tally.games:
            print(tally)
        reached = (
            f"stopped after {tally.games:,} of {args.games:,} games, before seed {args.seed + tally.games}"
        )
        raise type(error)(reached) from None
    if not args.json:
        print(tally)


class _WinCounts:
    """Counts wins over several games; as text, the line with the totals."""

    def __init__(self, scenario: Scenario, entrants: Sequence[Entrant]) -> None:
        self._players = list(_players(scenario, entrants))
        self._wins = {side: 0 for side, _ in self._players}
        self._faults = 0
        self._cause = ""
        self.games = 0

    def take(self, game: Game) -> None:
        self.games += 1
        self._faults += len(game.faults)
        self._cause = self._cause or _cause(game)
        if game.winner is not None:
            self._wins[game.winner] += 1

    def __str__(self) -> str:
        won = ", ".join(f"{side} ({name}) won {self._wins[side]}" for side, name in self._players)
        drawn = self.games - sum(self._wins.values())
        faults = f"; {some(self._faults, 'agent fault')}{self._cause}" if self._faults else ""
        return f"{some(self.games, 'game')}: {won}, {drawn} drawn{faults}"


def _players(scenario: Scenario, entrants: Sequence[Entrant]) -> Iterator[tuple[str, str]]:
    for side, entrant in zip(scenario.sides, entrants, strict=True):
        yield side.name, entrant.name


def numbered(record: str, number: int) -> Path:
    """The file of one of several records, with the seed before the suffixes."""
    path = Path(record)
    stem = path.name.split(".")[0] or path.name
    return path.with_name(f"{stem}-{number}{path.name[len(stem) :]}")


def play_one(
    scenario: Scenario,
    entrants: Sequence[Entrant],
    number: int,
    limits: Any,
    record: str | Path | None,
    bar: bool = True,
    resume: SavedGame | None = None,
    telling: Listener | None = None,
) -> Game:
    """Play one game, with a progress bar if it takes longer than a second. What agents print goes to stderr."""
    from tqdm import tqdm

    from battlesim.engine.game import play

    with tqdm(
        total=scenario.turns, unit="turn", disable=None if bar else True, delay=1, leave=False
    ) as shown:
        shown_turn = [1]

        def listener(battle: Battle, question: Question) -> None:
            shown_turn[0] = battle.state.turn
            if battle.state.turn - 1 > shown.n:
                shown.update(battle.state.turn - 1 - shown.n)

        with (
            redirect_stdout(sys.stderr),
            reporting(lambda: f"turn {shown_turn[0]} of {scenario.turns}", not bar),
        ):
            game = play(scenario, entrants, number, limits, listener if bar else telling, resume=resume)
    if record is not None:
        game.save(record)
    return game


def _cause(game: Game) -> str:
    """The first fault of a game, as the end of a sentence that counts the faults."""
    from battlesim.viewer.wording import printable

    if not game.faults:
        return ""
    first = game.faults[0]
    who = f"{game.header.sides[first.side]} ({game.header.agents[first.side].name})"
    return printable(f", the first: {who} {first.what}")


def result_line(game: Game) -> str:
    """Who won, how the game ended, its points and faults, and the hash of its record, in a line."""
    from battlesim.viewer.wording import printable

    sides, points = game.header.sides, game.outcome.points
    score = f"{sides[0]} {points[0]}, {sides[1]} {points[1]}"
    turns = game.row()["turns"]
    end = f"victory: {game.winner}" if game.winner is not None else "a draw"
    faults = f"; {some(len(game.faults), 'agent fault')}{_cause(game)}" if game.faults else ""
    how = ENDS.get(game.outcome.termination, game.outcome.termination)
    return printable(
        f"{end} (turn {turns}: {how}); points: {score}{faults}; hash of the record {game.record_hash}"
    )
