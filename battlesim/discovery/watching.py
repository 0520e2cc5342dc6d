"""Games of a study of tactics, as a worker plays them: the acts in each situation, and the result. Read `play_watched`.

The row of such a game is a `WatchedRow`. Players are watched from outside: a game is played as it would be unwatched.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import msgspec
from msgspec import Struct

from battlesim.batch.blame import Blame, Failures
from battlesim.batch.games import GameSpec, limits_of, prepare_game
from battlesim.batch.inputs import check_code, pinned_agent, pinned_scenario
from battlesim.batch.measures import measure
from battlesim.batch.rows import encode, mask_of
from battlesim.batch.side_measures import SideMeasures
from battlesim.board.board import Board
from battlesim.core.answers import Answer
from battlesim.core.errors import Fault, InputError
from battlesim.core.events import Scored
from battlesim.core.items import Ask
from battlesim.core.view import View
from battlesim.discovery.acts import acts_of
from battlesim.discovery.history import History
from battlesim.discovery.situations import situation_of, unit_asked
from battlesim.engine.agent import Agent, Chance
from battlesim.engine.brief import Brief, start_agent
from battlesim.engine.game import Game, play
from battlesim.engine.roster import Entrant
from battlesim.jobs.folder import RunFolder
from battlesim.jobs.job import JobOutput, Watch
from battlesim.tournament.margins import margin_share

FUNCTION = "battlesim.discovery.watching:play_watched"
FORMAT = "watched 1"
SEPARATOR = "|"

Counts = dict[str, dict[str, tuple[int, int]]]
"""By situation (its values joined by `SEPARATOR`) and act: how often it was offered, and how often done. An act is offered if
some legal answers are of its kind and some are not."""


class WatchedRow(Struct, frozen=True, omit_defaults=True):
    """One game. Sides are 0 and 1; `score`, `margin`: of side 0.

    `score`: 1 for a win, 0.5 for a draw, 0 for a loss. `margin`: its points as a share of those in reach, less the other's.
    `dose`: for each side whose player keeps to tactics, at how many questions the first of them left some answers and removed
    others, and at how many of these it changed the answer; further tactics are of the base player. `done`: what each side did,
    if that is noted. `lost`: models, of each side. `falls`, `fires`: sections. `scored`: points of side 0 less those of side 1,
    by what they were for. `clauses`: as in a game's row. `sides`: what each side did, in numbers. `failed`: why the game broke
    off or was forfeited; it then does not count. `bore_at`: where the first tactic of each side applied. `blame`: what its
    agents lost by their own failure.
    """

    format: str
    number: int
    score: float
    margin: float
    dose: tuple[tuple[int, int], tuple[int, int]] = ((0, 0), (0, 0))
    done: tuple[Counts, Counts] = ({}, {})
    lost: tuple[int, int] = (0, 0)
    falls: int = 0
    fires: int = 0
    scored: dict[str, int] = {}
    clauses: str = ""
    sides: tuple[SideMeasures, SideMeasures] | None = None
    failed: str = ""
    bore_at: tuple[dict[str, int], dict[str, int]] = ({}, {})
    blame: tuple[Blame, ...] = ()


class Watched:
    """An agent under watch. `done`: counts of what it did."""

    def __init__(self, agent: Agent) -> None:
        self.agent: Any = agent
        self.done: Counts = {}
        self._history = History()

    def start(self, board: Board, side: int, chance: Chance, brief: Brief) -> None:
        """As `Agent.start`."""
        self._board = board
        start_agent(self.agent, board, side, chance, brief)

    def choose(self, view: View, ask: Ask, answers: Sequence[Answer]) -> Answer:
        """As `Agent.choose`; counts what the answer does, of what was offered."""
        said: Answer = self.agent.choose(view, ask, answers)
        unit = unit_asked(view, ask)
        if unit is not None and said in answers:
            last = self._history.last(unit.id)
            self._history.note(view, self._board, ask, said)
            acts = acts_of(view, self._board, ask, answers)
            of_all, of_any = frozenset.intersection(*acts), frozenset.union(*acts)
            offered = of_any - of_all
            if offered:
                chosen = acts[list(answers).index(said)]
                here = self.done.setdefault(SEPARATOR.join(situation_of(view, self._board, unit, last)), {})
                for act in sorted(offered):
                    times, done = here.get(act, (0, 0))
                    here[act] = (times + 1, done + (act in chosen))
        return said


def play_watched(spec: GameSpec, watch: Watch) -> JobOutput:
    """Play one game; returns its `WatchedRow`. `spec.measures`: note what each side did in which situation. Raises InputError
    if an input has changed."""
    check_code(spec.code)
    scenario = pinned_scenario(spec.scenario)
    made: list[Any] = []

    def watched(entrant: Entrant) -> Entrant:
        def make() -> Agent:
            agent: Any = Watched(entrant.make()) if spec.measures else entrant.make()
            made.append(agent)
            return agent  # type: ignore[no-any-return]

        return Entrant(entrant.name, entrant.digest, make)

    entrants = [watched(pinned_agent(agent)) for agent in spec.agents]
    game = play(scenario, entrants, spec.seed, limits_of(spec), watch=watch)
    agents = [agent.agent if isinstance(agent, Watched) else agent for agent in made]
    done = tuple(agent.done if isinstance(agent, Watched) else {} for agent in made)
    dose = tuple((getattr(agent, "first_offered", 0), getattr(agent, "first_changed", 0)) for agent in agents)
    bore_at = tuple(_by_name(getattr(agent, "bore_at", {}), scenario.board) for agent in agents)
    return JobOutput(encode(_row(spec, game, dose, done, bore_at)))


play_watched.prepare = prepare_game  # type: ignore[attr-defined]


def _by_name(counts: dict[int, int], board: Board) -> dict[str, int]:
    """Counts of places by their names, without those of no place."""
    return {board.spaces[place].name: count for place, count in sorted(counts.items()) if place >= 0}


def _row(spec: GameSpec, game: Game, dose: Any, done: Any, bore_at: Any) -> WatchedRow:
    found = measure(game)
    scored: dict[str, int] = {}
    for event in game.log:
        if isinstance(event, Scored):
            gain = event.points if event.side == 0 else -event.points
            scored[event.what] = scored.get(event.what, 0) + gain
    winner = game.outcome.winner
    failures, failed = Failures(), ""
    if game.faults:
        row = game.row()
        failures.count(row["agents"], row["faults"], row["verdict"], row["winner"])
        failed = str(row["faults"][0]["what"]) if row["verdict"] == "forfeit" else ""
    return WatchedRow(
        FORMAT,
        spec.number,
        0.5 if winner is None else 1.0 - winner,
        margin_share(game.outcome.points, game.reach),
        dose,
        done,
        found.lost,
        found.falls,
        found.fires,
        scored,
        mask_of(spec.ruleset, game.used()),
        found.sides,
        failed,
        bore_at,
        failures.found(),
    )


def watched_rows(folder: RunFolder) -> dict[int, WatchedRow]:
    """The games of a folder by number. Those that broke off, or were forfeited, have `failed` set. Raises InputError if
    a row is damaged."""
    from contextlib import closing

    found: dict[int, WatchedRow] = {}
    with closing(folder.store(read_only=True)) as store:
        for stored in store.rows():
            found[stored.number] = _read(stored.row, stored.number, str(store.path))
    return found


def _read(data: bytes, number: int, file: str) -> WatchedRow:
    try:
        fields = msgspec.json.decode(data)
        if fields.get("format") == FORMAT:
            return msgspec.convert(fields, WatchedRow)
        failures = Failures()
        failures.count(fields["agents"], fields["faults"], fields["verdict"], fields["winner"])
        what = str(fields["faults"][0]["what"])
        return WatchedRow(FORMAT, number, 0.5, 0.0, failed=what, blame=failures.found())
    except (ValueError, KeyError, IndexError, TypeError, AttributeError) as error:
        what = f"the row of game {number} is damaged: {error}"
        raise InputError(
            Fault(what, "restore the run's results from a copy, or begin a new run", file)
        ) from None
