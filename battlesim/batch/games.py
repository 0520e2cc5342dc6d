"""One game of a run, as a worker plays it. Read `play_game`.

A worker keeps what it has loaded: maps with their tables, scenarios, agents. What it loads must be what the run was resolved
with; a file that has changed meanwhile ends the run with a message, since its games would be of another run.
"""

from __future__ import annotations

import gzip

import msgspec
from msgspec import Struct

from battlesim.batch.inputs import PinnedInput, PinnedScenario, check_code, pinned_agent, pinned_scenario
from battlesim.batch.measures import measure
from battlesim.batch.rows import GameRow, encode, mask_of
from battlesim.engine.course import course_of
from battlesim.engine.game import FORMAT, play
from battlesim.engine.record import Limits
from battlesim.jobs.job import JobFailure, JobOutput, Watch

FUNCTION = "battlesim.batch.games:play_game"
NEVER, FAULTS, ALWAYS = 0, 1, 2


class GameSpec(Struct, frozen=True):
    """One game to be played.

    `number`: its place in the run, unique. `round`, `leg`: which repetition it is and, of games played in pairs with the sides
    swapped, which half (0 or 1); both only go into its row. `sides`: names of the scenario's first and second side. `seconds`,
    `faults`: limits of one answer and of lost questions, as `engine.record.Limits` has them. `record`: keep its record never,
    where an agent lost a question, or always. `course`: tell in its row what decided it; `measures`: what happened in it.
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
    measures: bool = False


def play_game(spec: GameSpec, watch: Watch) -> JobOutput:
    """Play one game: its row, and its record where one is wanted. Raises InputError where what it loads has changed."""
    check_code(spec.code)
    scenario = pinned_scenario(spec.scenario)
    entrants = (pinned_agent(spec.agents[0]), pinned_agent(spec.agents[1]))
    limits = Limits(spec.seconds, spec.faults)
    game = play(scenario, entrants, spec.seed, limits, watch=watch)
    row = game.row()
    row.update(number=spec.number, round=spec.round, leg=spec.leg, clauses=mask_of(spec.ruleset, game.used()))
    row["scenario"] = spec.scenario.name
    if spec.course:
        row["course"] = course_of(game)
    if spec.measures:
        row["measures"] = measure(game)
    wanted = spec.record == ALWAYS or (spec.record == FAULTS and bool(game.faults))
    record = gzip.compress(game.record(), 6, mtime=0) if wanted else None
    return JobOutput(encode(msgspec.convert(row, GameRow)), record)


def _prepare(spec: GameSpec, watch: Watch) -> None:
    """Load what a game needs, outside its time limit."""
    check_code(spec.code)
    pinned_scenario(spec.scenario)
    for side, agent in enumerate(spec.agents):
        watch(side)
        pinned_agent(agent)
        watch(-1)


play_game.prepare = _prepare  # type: ignore[attr-defined]


def failed(spec: GameSpec, failure: JobFailure) -> bytes:
    """The row of a game that broke off: the agent whose code ran then has lost it; where none did, nobody has, and the side
    of its one fault is empty."""
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
    """What of a failure is the same on every machine: not where a hang stood."""
    return failure.what.partition(", last in ")[0]
