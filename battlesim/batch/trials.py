"""How long games will take, estimated from short trials. Read `estimate`.

No game need be played to its end. Each agent plays against itself on each scenario until its trial's seconds are over. The share
of the game that was played is the number of questions so far over that of games on the scenario that ended in time. A game
between two agents is taken to last as long as half a game of each.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from time import monotonic

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from battlesim.batch.games import GameSpec, limits_of, prepare_game
from battlesim.batch.inputs import pinned_agent, pinned_scenario
from battlesim.engine.battle import Battle, Question
from battlesim.engine.game import play
from battlesim.jobs.executor import Executor
from battlesim.jobs.job import Job, JobOutput, Watch

FUNCTION = "battlesim.batch.trials:try_game"
"""`try_game`, as executors take it."""
SECONDS = 3.0
"""A trial ends at the first question after this many seconds."""
LEAST = 0.02
"""The least share of its battle that a trial is taken to have played, if no game of its scenario ended in time."""


class Trial(Struct, frozen=True):
    """The result of one trial. `seconds`: how long it took; if it did not end, without its first answer, which fills tables for
    later ones. `questions`: answered in that time. `share`: the part of the battle's length that its clock showed, from 0 to 1.
    `ended`: whether the game ended."""

    scenario: str
    agent: str
    seconds: float
    questions: int
    share: float
    ended: bool


class _Enough(Exception):
    """The trial's time is over."""


def try_game(spec: GameSpec, watch: Watch) -> JobOutput:
    """Play a game for `SECONDS`. The row is a `Trial`. Raises InputError if an input has changed."""
    scenario = pinned_scenario(spec.scenario)
    entrants = (pinned_agent(spec.agents[0]), pinned_agent(spec.agents[1]))
    put: list[float] = []  # when each question was put
    share = 0.0
    begun = monotonic()

    def listener(battle: Battle, question: Question) -> None:
        nonlocal share
        share = battle.state.now / (1_000 * scenario.turns)
        put.append(monotonic())
        if put[-1] - begun > SECONDS:
            raise _Enough

    ended = True
    try:
        play(scenario, entrants, spec.seed, limits_of(spec), listener, watch)
        seconds, questions = monotonic() - begun, len(put)
    except _Enough:
        ended = False
        first = 1 if len(put) > 2 else 0
        seconds, questions = put[-1] - put[first], len(put) - 1 - first
    found = Trial(spec.scenario.name, spec.agents[0].name, seconds, questions, min(1.0, share), ended)
    return JobOutput(msgspec.json.encode(found))


try_game.prepare = prepare_game  # type: ignore[attr-defined]


def run_trials(specs: Iterable[GameSpec], executor: Executor) -> list[Trial]:
    """The trials of some games, each of an agent against itself; those that failed are left out. `executor`: of `FUNCTION`."""
    jobs = (
        Job(n, f"{spec.scenario.name} {spec.agents[0].name}", replace(spec, number=n))
        for n, spec in enumerate(specs)
    )
    return [
        msgspec.json.decode(done.result.row, type=Trial)
        for batch in executor.run(jobs)
        for done in batch
        if isinstance(done.result, JobOutput)
    ]


def estimate(trials: Sequence[Trial]) -> Mapping[tuple[str, str], float]:
    """Seconds that a game of an agent against itself takes, by scenario and agent.

    >>> quick = Trial("hill", "quick", 0.5, 100, 1.0, True)
    >>> slow = Trial("hill", "slow", 1.0, 10, 0.05, False)
    >>> estimate([quick, slow])[("hill", "slow")]
    10.0
    """
    found: dict[tuple[str, str], float] = {}
    for trial in trials:
        whole = [other.questions for other in trials if other.ended and other.scenario == trial.scenario]
        if trial.ended:
            times = 1.0
        elif whole and trial.questions:
            # A game may be longer than those that ended; then its clock shows how much of it was played.
            times = max(sum(whole) / len(whole) / trial.questions, 1.0)
        else:
            times = 1.0 / max(trial.share, LEAST)
        found[trial.scenario, trial.agent] = trial.seconds * times
    return found
