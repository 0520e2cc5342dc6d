"""One game of a run, as a worker plays it. Read `play_game`.

A worker keeps the maps, scenarios and agents that it has loaded. Each must have the digest that was pinned when the run was
begun; a file that has changed since ends the run with a message.
"""

from __future__ import annotations

import gzip
from time import perf_counter

import msgspec
from msgspec import Struct

from battlesim.batch.inputs import PinnedInput, PinnedScenario, check_code, pinned_agent, pinned_scenario
from battlesim.batch.measures import measure
from battlesim.batch.own import PinnedOwn, own_numbers
from battlesim.batch.rows import GameRow, encode, mask_of
from battlesim.engine.course import course_of
from battlesim.engine.game import FORMAT, play
from battlesim.engine.header import Limits
from battlesim.jobs.job import JobFailure, JobOutput, Watch

FUNCTION = "battlesim.batch.games:play_game"
"""`play_game`, as executors take it."""
NEVER, FAULTS, ALWAYS = 0, 1, 2
"""When to keep the record of a game: never, if an agent lost a question in it, always."""


class GameSpec(Struct, frozen=True):
    """One game to be played.

    `number`: its place in the run, unique. `round`: which repetition it is. `leg`: 0 or 1, which game of a pair with the sides
    swapped. Both only go into its row. `ruleset`: the rulebook's name. `sides`: names of the scenario's first and second side;
    `agents`: their agents. `seed`: of the battle. `code`: the digest that the program must have. Limits, as in
    `engine.header.Limits`: `seconds` for one answer (0: no limit), lost questions (`faults`) that forfeit the game, imagined
    `questions` for one answer (0: no limit). `record`: when to keep its record: NEVER, FAULTS or ALWAYS. `course`: put into its
    row what decided it; `measures`: what happened in it; `own`: the numbers of these functions, None for none.
    """

    number: int
    round: int
    leg: int
    scenario: PinnedScenario
    ruleset: str
    sides: tuple[str, str]
    agents: tuple[PinnedInput, PinnedInput]
    seed: int
    code: str
    seconds: float
    faults: int
    record: int
    course: bool = False
    questions: int = 0
    measures: bool = False
    own: PinnedOwn | None = None


def play_game(spec: GameSpec, watch: Watch) -> JobOutput:
    """Play one game; returns its row, and its record where one is wanted. Raises InputError if an input has changed."""
    check_code(spec.code)
    scenario = pinned_scenario(spec.scenario)
    entrants = (pinned_agent(spec.agents[0]), pinned_agent(spec.agents[1]))
    clock = _Thinking(watch)
    game = play(scenario, entrants, spec.seed, limits_of(spec), watch=clock)
    row = game.row()
    row.update(number=spec.number, round=spec.round, leg=spec.leg, clauses=mask_of(spec.ruleset, game.used()))
    row["scenario"] = spec.scenario.name
    if spec.course:
        row["course"] = course_of(game)
    if spec.measures:
        row["measures"] = measure(game)
    if spec.own is not None:
        row["own"] = own_numbers(spec.own, game)
    wanted = spec.record == ALWAYS or (spec.record == FAULTS and bool(game.faults))
    record = gzip.compress(game.record(), 6, mtime=0) if wanted else None
    return JobOutput(encode(msgspec.convert(row, GameRow)), record, (clock.seconds[0], clock.seconds[1]))


class _Thinking:
    """Measures how long each side's agent thinks: the referee reports whose code runs to the watcher of the process."""

    def __init__(self, watch: Watch) -> None:
        self._watch = watch
        self._side, self._begun = -1, 0.0
        self.seconds = [0.0, 0.0]

    def __call__(self, side: int) -> None:
        now = perf_counter()
        if self._side >= 0:
            self.seconds[self._side] += now - self._begun
        self._side, self._begun = side, now
        self._watch(side)


def limits_of(spec: GameSpec) -> Limits:
    """The limits of both agents of a game."""
    return Limits(spec.seconds, spec.faults, spec.questions or msgspec.UNSET)


def prepare_game(spec: GameSpec, watch: Watch) -> None:
    """Load what a game needs, outside its time limit. Raises InputError if an input has changed."""
    check_code(spec.code)
    pinned_scenario(spec.scenario)
    for side, agent in enumerate(spec.agents):
        watch(side)
        pinned_agent(agent)
        watch(-1)


play_game.prepare = prepare_game  # type: ignore[attr-defined]


def failed(spec: GameSpec, failure: JobFailure) -> bytes:
    """The row of a game that broke off. The agent whose code was running has lost; if none was, nobody has, and the `side` of its
    one fault is ""."""
    agents = failure.actor >= 0 and failure.kind != "fault"
    verdict = "crash" if agents else "fault"
    row = GameRow(
        format=FORMAT,
        number=spec.number,
        round=spec.round,
        leg=spec.leg,
        scenario=spec.scenario.name,
        ruleset=spec.ruleset,
        seed=spec.seed,
        sides=spec.sides,
        agents={side: agent.name for side, agent in zip(spec.sides, spec.agents, strict=True)},
        winner=spec.sides[1 - failure.actor] if agents else None,
        points=None,
        turns=None,
        termination=verdict,
        verdict=verdict,
        losses=None,
        faults=[
            {"side": spec.sides[failure.actor] if agents else "", "question": -1, "what": _short(failure)}
        ],
        record_hash=None,
        clauses="",
    )
    return encode(row)


def _short(failure: JobFailure) -> str:
    """The text of a failure without the part that differs between machines: where a hanging job was."""
    return failure.what.partition(", last in ")[0]
