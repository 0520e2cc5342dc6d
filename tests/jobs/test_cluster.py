"""A scheduler may go away at any question that is put to it: one message, whichever question it was."""

from __future__ import annotations

from typing import Any

import pytest
from distributed import CancelledError
from distributed.comm import CommClosedError

from battlesim.core.errors import BattlesimError
from battlesim.jobs import cluster
from battlesim.jobs.cluster import ClusterExecutor
from battlesim.jobs.job import Job, JobOutput, JobResult

QUESTIONS = ("nthreads", "submit", "wait", "result")


class Ended:
    """A future that is done: its jobs' results, or what asking for them raises."""

    status = "finished"

    def __init__(self, jobs: list[Job], error: BaseException | None) -> None:
        self.jobs, self.error = jobs, error

    def result(self) -> list[JobResult]:
        if self.error is not None:
            raise self.error
        return [JobResult(job.number, JobOutput(b"{}"), 0.1) for job in self.jobs]


class Scheduler:
    """A client whose scheduler no longer answers `silent`, from the `after`-th time that it is asked."""

    def __init__(self, silent: str, after: int, error: BaseException) -> None:
        self.silent, self.left, self.error = silent, after, error

    def asked(self, question: str) -> BaseException | None:
        if question == self.silent:
            self.left -= 1
        return self.error if self.left < 0 else None

    def answer(self, question: str) -> None:
        if (error := self.asked(question)) is not None:
            raise error

    def nthreads(self) -> dict[str, int]:
        self.answer("nthreads")
        return {"tcp://worker": 1}

    def submit(self, do: Any, function: str, jobs: list[Job], limits: Any, pure: bool) -> Ended:
        self.answer("submit")
        return Ended(jobs, self.asked("result"))

    def wait(self, futures: list[Ended], return_when: str) -> Any:
        self.answer("wait")
        return type("Waited", (), {"done": set(futures[:1])})

    def cancel(self, futures: list[Ended]) -> None:
        self.answer("cancel")

    def close(self) -> None:
        self.answer("close")


def jobs(count: int) -> list[Job]:
    return [Job(number, "g", None) for number in range(count)]


def executor_of(scheduler: Scheduler, monkeypatch: pytest.MonkeyPatch) -> ClusterExecutor:
    monkeypatch.setattr(cluster, "Client", lambda address, timeout: scheduler)
    monkeypatch.setattr(cluster, "wait", scheduler.wait)
    return ClusterExecutor("work:do", "tcp://there:8786")


@pytest.mark.parametrize("error", [CommClosedError("reset by peer"), CancelledError("lost"), TimeoutError()])
@pytest.mark.parametrize("question", QUESTIONS)
def test_a_scheduler_gone_at_any_question_is_told_in_one_message(
    question: str, error: BaseException, monkeypatch: pytest.MonkeyPatch
) -> None:
    executor = executor_of(Scheduler(question, 2, error), monkeypatch)
    taken: list[int] = []
    with pytest.raises(
        BattlesimError, match=r"the scheduler at 'tcp://there:8786' is gone: .*resume the run"
    ):
        taken.extend(found.number for batch in executor.run(jobs(9)) for found in batch)
    executor.close()
    assert 0 < len(taken) < 9, "some was done before it went"


def test_a_scheduler_that_stays_does_every_job(monkeypatch: pytest.MonkeyPatch) -> None:
    executor = executor_of(Scheduler("nothing", 0, OSError()), monkeypatch)
    numbers = [found.number for batch in executor.run(jobs(9)) for found in batch]
    assert sorted(numbers) == list(range(9))
