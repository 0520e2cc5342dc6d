"""Several tries of an agent at an exam. Read `grade`."""

from __future__ import annotations

from msgspec import Struct

from battlesim.engine.roster import Entrant
from battlesim.exams.load import Exam
from battlesim.exams.sitting import Sitting, sit


class Grade(Struct, frozen=True):
    """The tries of one agent at one exam."""

    tries: tuple[Sitting, ...]

    @property
    def passed(self) -> int:
        """How many tries passed."""
        return sum(one.passed for one in self.tries)

    @property
    def share(self) -> float:
        """The share of tries that passed, 0 to 1."""
        return self.passed / len(self.tries)

    @property
    def word(self) -> str:
        """`pass` if all tries passed, `-` if none did, else how many did: `3/5`."""
        if self.passed in (0, len(self.tries)):
            return "pass" if self.passed else "-"
        return f"{self.passed}/{len(self.tries)}"


def grade(exam: Exam, entrant: Entrant, enemy: Entrant, tries: int = 5, seed: int = 0) -> Grade:
    """`tries` tries of an agent against `enemy`, with the seeds from `seed` on."""
    return Grade(tuple(sit(exam, entrant, enemy, seed + n) for n in range(tries)))
