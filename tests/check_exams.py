"""Are the right answers of the exams right? `python -m tests.check_exams [EXAM...]` plays each exam on to the end of its battle.

From the position the right line and each wrong line are played on many times, all with the same two players and the same
dice, and what comes of them is compared in pairs: the right one must be worth more by over twice the standard error of the
difference. The same is asked of what the shipped players answer where they fail: an exam may not fail a good answer that its
author did not think of. `--write` puts the table in docs/exams.md. All exams take some three minutes on one core.
"""

from __future__ import annotations

import argparse
import re
import subprocess
import sys
import time
from pathlib import Path
from statistics import fmean, stdev
from typing import NamedTuple

from battlesim.core.state import Outcome
from battlesim.engine.roster import find_agent
from battlesim.exams.grades import grade
from battlesim.exams.load import Exam, exam_paths, load_exam, shipped_exams
from battlesim.exams.sitting import Scripted, play_on, sit_with

PAGE = Path(__file__).parents[1] / "docs" / "exams.md"
PLAYS = 120
FEWEST = 10
"""Plays of a line that say enough to compare it."""
PLAYER = "greedy"
FAILING = ("searcher", "planner", "greedy", "rush")
"""Players whose failing answers are looked at, too."""
WORTH = "<!-- worth: python -m tests.check_exams --write -->", "<!-- end of worth -->"
GRADES = "<!-- grades: battlesim exam searcher planner greedy rush random -->", "<!-- end of grades -->"
SITTING = ("searcher", "planner", "greedy", "rush", "random")


class Finding(NamedTuple):
    """A wrong line against the right one: means, and the mean difference with its standard error."""

    exam: Exam
    wrong: str
    right_worth: float
    wrong_worth: float
    difference: float
    error: float
    faults: tuple[str, ...] = ()

    @property
    def sound(self) -> bool:
        """Whether the right line is better beyond doubt, and passes where the wrong one fails."""
        return not self.faults and self.difference > 2 * self.error and self.difference > 0


def worth(exam: Exam, outcome: Outcome) -> float:
    """What an end is worth to the examined side: 1 a win, a half a draw, 0 a loss; or its points less the enemy's."""
    if exam.worth == "points":
        return float(outcome.points[exam.side] - outcome.points[1 - exam.side])
    return 0.5 if outcome.winner is None else float(outcome.winner == exam.side)


def play_line(exam: Exam, line: tuple[str, ...], seed: int, player: str) -> float | None:
    """What a line is worth when it is played on to the end under the dice of a seed; None where not all of it could be said."""
    make = find_agent(player).make
    scripted = Scripted(exam, line, make())
    found = worth(exam, play_on(exam, scripted, make(), seed))
    return None if scripted.left else found


def faults_of(exam: Exam, line: tuple[str, ...], passes: bool, player: str) -> list[str]:
    """What is wrong with a line within the window of the exam: answers never legal, or judged otherwise than meant."""
    found = []
    for seed in range(3):
        make = find_agent(player).make
        scripted = Scripted(exam, line, make())
        sitting = sit_with(exam, scripted, make(), seed)
        if scripted.left:
            found.append(f"never asked for {scripted.left[0]!r} after {', '.join(sitting.said)}")
        elif sitting.passed is not passes:
            found.append(f"{'fails: ' + sitting.missed if passes else 'passes'}, {', '.join(sitting.said)}")
    return found


def failing_lines(exam: Exam) -> dict[str, tuple[str, ...]]:
    """What shipped players answer where they fail, by words for the table; without what an exam lists itself."""
    found: dict[tuple[str, ...], str] = {}
    for name in FAILING:
        one = grade(exam, find_agent(name), find_agent(PLAYER))
        for sitting in one.tries:
            if sitting.said and not sitting.passed and sitting.said not in exam.wrong.values():
                found.setdefault(sitting.said, f"{name}: {', '.join(sitting.said)}")
    return {words: line for line, words in found.items()}


def check(exam: Exam, plays: int, player: str) -> list[Finding]:
    """Every wrong line of an exam against its right one."""
    faults = faults_of(exam, exam.right, True, player)
    lines = exam.wrong | failing_lines(exam)
    good = [play_line(exam, exam.right, seed, player) for seed in range(plays)]
    found = []
    for name, line in lines.items():
        bad = [play_line(exam, line, seed, player) for seed in range(plays)]
        # Dice may take an answer away (a target that died): such plays say nothing about it.
        pairs = [(a, b) for a, b in zip(good, bad, strict=True) if a is not None and b is not None]
        if len(pairs) < FEWEST:
            if name in exam.wrong:
                told = f"could be said in {len(pairs)} plays of {plays} only"
                found.append(Finding(exam, name, 0.0, 0.0, 0.0, 0.0, (told,)))
            continue
        apart = [a - b for a, b in pairs]
        error = stdev(apart) / len(apart) ** 0.5
        own = [f"the right line {fault}" for fault in faults]
        own += [f"the line '{name}' {fault}" for fault in faults_of(exam, line, False, player)]
        rights, wrongs = zip(*pairs, strict=True)
        found.append(Finding(exam, name, fmean(rights), fmean(wrongs), fmean(apart), error, tuple(own)))
    return found


def row_of(found: Finding) -> str:
    """One row of the page's table."""
    exam = found.exam
    return (
        f"| `{exam.name}` | {found.wrong} | {exam.worth} | {found.right_worth:.2f} | {found.wrong_worth:.2f} "
        f"| {found.difference:+.2f} ± {found.error:.2f} |"
    )


def write(rows: list[str]) -> None:
    """Put the tables of grades and of worth in the page."""
    head = [
        "| exam | instead of the good answer | by | good | this | difference |",
        "| --- | --- | --- | --: | --: | --: |",
    ]
    done = subprocess.run(
        [sys.executable, "-m", "battlesim", "exam", *SITTING], check=True, capture_output=True, text=True
    )
    text = PAGE.read_text(encoding="utf-8")
    for (begin, end), lines in ((GRADES, ["```", done.stdout.rstrip(), "```"]), (WORTH, [*head, *rows])):
        table = "\n".join([begin, *lines, end])
        text = re.sub(f"{begin}.*?{end}", lambda _, table=table: table, text, flags=re.DOTALL)
    PAGE.write_text(text, encoding="utf-8")


def main() -> int:
    parser = argparse.ArgumentParser(description="Play exams on from their right and their wrong answers.")
    parser.add_argument("exams", nargs="*", metavar="EXAM")
    parser.add_argument("--plays", type=int, default=PLAYS, metavar="N")
    parser.add_argument("--player", default=PLAYER, metavar="NAME")
    parser.add_argument("--write", action="store_true", help="put the table in docs/exams.md")
    args = parser.parse_args()
    begun = time.monotonic()
    names = args.exams or list(shipped_exams())
    rows, bad, compared = [], 0, 0
    for path in [path for name in names for path in exam_paths(name)]:
        for found in check(load_exam(path), args.plays, args.player):
            print(row_of(found), "" if found.sound else "  <-- NOT SHOWN", flush=True)
            for fault in found.faults:
                print(f"    {fault}")
            bad += not found.sound
            compared += 1
            if found.wrong in found.exam.wrong:
                rows.append(row_of(found))
    print(f"{compared} comparisons of {args.plays} plays, {time.monotonic() - begun:.0f} s, {bad} not shown")
    if args.write and not args.exams:
        write(rows)
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
