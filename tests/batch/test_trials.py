"""How long a run will take is told from short trials, whoever plays."""

from __future__ import annotations

from itertools import count
from pathlib import Path

import msgspec
import pytest

from battlesim.batch import trials
from battlesim.batch.games import limits_of
from battlesim.batch.trials import Trial, estimate, run_trials
from battlesim.engine.header import Limits
from battlesim.jobs.executor import LocalExecutor
from battlesim.jobs.job import JobLimits
from battlesim.tournament.config import parse_config
from battlesim.tournament.resolve import TournamentPlan, resolve

SLOW = """
from time import sleep
class Slow:
    def start(self, board, side, chance): ...
    def choose(self, view, ask, answers):
        sleep(0.4)
        return answers[0]
"""


def test_a_game_that_ended_tells_its_time() -> None:
    assert estimate([Trial("hill", "quick", 0.25, 40, 0.4, True)]) == {("hill", "quick"): 0.25}


def test_a_game_that_did_not_end_is_told_by_the_questions_of_those_that_did() -> None:
    ended = [Trial("hill", "quick", 0.2, 80, 1.0, True), Trial("hill", "brisk", 0.2, 120, 1.0, True)]
    other = Trial("wood", "quick", 0.2, 900, 1.0, True)
    found = estimate([*ended, other, Trial("hill", "slow", 1.5, 20, 0.01, False)])
    assert found["hill", "slow"] == pytest.approx(1.5 * 100 / 20)


def test_where_none_ended_the_clock_of_the_battle_tells() -> None:
    found = estimate(
        [Trial("hill", "slow", 1.0, 9, 0.25, False), Trial("hill", "slower", 1.0, 1, 0.0, False)]
    )
    assert found["hill", "slow"] == pytest.approx(4.0)
    assert found["hill", "slower"] == pytest.approx(1.0 / trials.LEAST)


@pytest.mark.slow
def test_slow_agents_are_tried_for_seconds_only(tmp_path: Path) -> None:
    (tmp_path / "slow.py").write_text(SLOW)
    asked = parse_config({"agents": ["slow.py"], "scenarios": ["stairwell"]})
    plan = TournamentPlan(resolve(asked, tmp_path))
    executor = LocalExecutor(trials.FUNCTION, 1, JobLimits(60.0))
    (found,) = run_trials(plan.trials(), executor)
    executor.close()
    assert not found.ended
    assert found.questions < 10
    assert estimate([found])["stairwell", "slow.py"] > 5


@pytest.mark.parametrize(("seconds", "ended"), [(0.01, True), (1.0, False)])
def test_a_quick_game_is_tried_to_its_end(
    seconds: float, ended: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """By a clock that each question moves on, so that how fast this machine is does not matter."""
    ticks = count()
    monkeypatch.setattr(trials, "monotonic", lambda: seconds * next(ticks))
    plan = TournamentPlan(resolve(parse_config({"agents": ["rush"], "scenarios": ["stairwell"]})))
    (spec,) = plan.trials()
    found = msgspec.json.decode(trials.try_game(spec, lambda actor: None).row, type=Trial)
    assert found.ended == ended
    assert (found.questions > 20) == ended


def test_a_tournament_may_bound_what_is_imagined() -> None:
    data = {"agents": ["rush", "planner"], "scenarios": ["stairwell"], "limits": {"imagine": 30}}
    specs = list(TournamentPlan(resolve(parse_config(data))).specs())
    assert {limits_of(spec).questions for spec in specs} == {30}
    data["limits"] = {}
    (spec, *_) = TournamentPlan(resolve(parse_config(data))).specs()
    assert limits_of(spec) == Limits(faults=10)
