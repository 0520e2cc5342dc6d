"""Grades of several agents at several exams, in this process or in several. Read `grade_all`."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache

import msgspec
from msgspec import Struct

from battlesim.core.errors import Fault, InputError
from battlesim.engine.roster import find_agent
from battlesim.exams.grades import Grade, grade
from battlesim.exams.load import Exam, load_exam
from battlesim.exams.sitting import Sitting, sit
from battlesim.jobs.job import Job, JobFailure, JobLimits, JobOutput, Watch

FUNCTION = "battlesim.exams.grading:do_try"


class Try(Struct, frozen=True):
    """One try, for a worker. `exam`: its path. `agent`, `enemy`: names as `find_agent` takes them; `digests`: of both."""

    exam: str
    agent: str
    enemy: str
    digests: tuple[str, str]
    seed: int


def grade_all(
    exams: Sequence[Exam], agents: Sequence[str], enemy: str, tries: int = 5, seed: int = 0, workers: int = 1
) -> list[list[Grade]]:
    """The grade of every agent at every exam: a row for each exam, in it one grade for each agent.

    `agents`, `enemy`: names as `find_agent` takes them. `tries`: of each agent at each exam, 1 or more, with the seeds from
    `seed` on. `workers`: processes, 1 or more; the grades do not depend on it. Raises InputError if there is no such agent, or a
    process ends before its try does.
    """
    entrants, other = [find_agent(name) for name in agents], find_agent(enemy)
    if workers == 1:
        return [[grade(exam, entrant, other, tries, seed) for entrant in entrants] for exam in exams]
    parts = [
        Try(exam.path, name, enemy, (entrant.digest, other.digest), seed + count)
        for exam in exams
        for name, entrant in zip(agents, entrants, strict=True)
        for count in range(tries)
    ]
    said = iter(_said(parts, workers))
    return [[Grade(tuple(next(said) for _ in range(tries))) for _ in agents] for _ in exams]


def do_try(part: Try, watch: Watch) -> JobOutput:
    """Play one try; the row is a `Sitting` as JSON. Raises InputError if an agent's file has changed."""
    agent, enemy = _agent(part.agent), _agent(part.enemy)
    if (agent.digest, enemy.digest) != part.digests:
        what = f"the file of {part.agent!r} or of {part.enemy!r} was changed while the exams were played"
        raise InputError(Fault(what, "give the command again"))
    exam = _exam(part.exam)
    watch(0)  # an end of the process from here on is the agents' own
    return JobOutput(msgspec.json.encode(sit(exam, agent, enemy, part.seed)))


_agent = lru_cache(maxsize=64)(find_agent)
_exam = lru_cache(maxsize=64)(load_exam)


def _said(parts: Sequence[Try], workers: int) -> list[Sitting]:
    """The tries, in the order of their parts."""
    from battlesim.jobs.executor import LocalExecutor

    found: dict[int, Sitting] = {}
    executor = LocalExecutor(FUNCTION, workers, JobLimits(seconds=0, megabytes=0))
    try:
        for batch in executor.run(_jobs(parts)):
            for done in batch:
                if isinstance(done.result, JobFailure):
                    part = parts[done.number]
                    what = f"{part.agent!r} against {part.enemy!r} at {part.exam}: {done.result.what}"
                    raise InputError(Fault(what, "look for what these agents do"))
                found[done.number] = msgspec.json.decode(done.result.row, type=Sitting)
    finally:
        executor.close()
    return [found[number] for number in range(len(parts))]


def _jobs(parts: Sequence[Try]) -> Iterator[Job]:
    for number, part in enumerate(parts):
        yield Job(number, f"{part.exam} {part.agent}", part)
