"""`battlesim exam`: positions with known good play; which agents find it?"""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING, Any

from battlesim.cli.common import add_json, at_least_one, print_json, processes, seed, table
from battlesim.cli.extras import check_extra

if TYPE_CHECKING:
    from battlesim.exams.grades import Grade
    from battlesim.exams.load import Exam


def add(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "agents", nargs="*", metavar="AGENT", help="who sits the exams; without one they are listed"
    )
    parser.add_argument(
        "--on",
        action="append",
        metavar="EXAM",
        help="an exam by name or file, or a rulebook, for all of its exams; several times for several (every exam)",
    )
    parser.add_argument(
        "--tries", type=at_least_one, default=5, metavar="N", help="of each agent at each exam (5)"
    )
    parser.add_argument("--enemy", default="greedy", metavar="NAME", help="who plays the other side (greedy)")
    parser.add_argument(
        "--seed", type=seed, default=0, metavar="N", help="of the first try; the others count up (0)"
    )
    parser.add_argument(
        "--workers",
        type=processes,
        default=1,
        metavar="N",
        help="processes on this machine; the results do not depend on it (1)",
    )
    parser.add_argument(
        "--why", action="store_true", help="say what was answered where an agent failed, and why that is bad"
    )
    add_json(parser)


def run(args: argparse.Namespace) -> int:
    if args.workers > 1:
        check_extra("tournament")
    from battlesim.engine.card_agents import PREFIX
    from battlesim.engine.roster import find_agent
    from battlesim.exams.grading import grade_all
    from battlesim.exams.load import exam_paths, load_exam, shipped_exams

    given = list(dict.fromkeys(args.agents))
    entrants = [find_agent(name) for name in given]
    find_agent(args.enemy)  # a wrong name is told before an exam is loaded
    paths = dict.fromkeys(path for name in args.on or shipped_exams() for path in exam_paths(name))
    exams = [load_exam(path) for path in paths]
    if not entrants:
        _list(exams, args.json)
        return 0
    grades = grade_all(exams, given, args.enemy, args.tries, args.seed, args.workers)
    # A card keeps the name that was given: the name of its player may be as long as its tactics.
    names = [
        name if name.startswith(PREFIX) else entrant.name
        for name, entrant in zip(given, entrants, strict=True)
    ]
    if args.json:
        print_json(
            [_row(exam) | {"agents": _agents(names, row)} for exam, row in zip(exams, grades, strict=True)]
        )
        return 0
    _print(exams, names, grades)
    if args.why:
        for exam, row in zip(exams, grades, strict=True):
            _tell(exam, names, row)
    return 0


def _list(exams: list[Exam], as_json: bool) -> None:
    if as_json:
        print_json([_row(exam) for exam in exams])
        return
    for line in table([(exam.ruleset, exam.name, exam.title) for exam in exams]):
        print(line)


def _row(exam: Exam) -> dict[str, Any]:
    return {
        "exam": exam.name,
        "title": exam.title,
        "ruleset": exam.ruleset,
        "side": exam.scenario.sides[exam.side].name,
        "why": exam.why,
        "clauses": list(exam.clauses),
    }


def _agents(names: list[str], row: list[Grade]) -> dict[str, Any]:
    return {
        name: {
            "passed": grade.passed,
            "tries": len(grade.tries),
            "said": [list(one.said) for one in grade.tries],
            "missed": [one.missed for one in grade.tries],
            "faults": sum(one.faults for one in grade.tries),
        }
        for name, grade in zip(names, row, strict=True)
    }


def _print(exams: list[Exam], names: list[str], grades: list[list[Grade]]) -> None:
    """One line for each exam and a total for each rulebook. A total adds shares of passes, so it may be a fraction."""
    rows: list[tuple[str, ...]] = [("", *names)]
    for ruleset in dict.fromkeys(exam.ruleset for exam in exams):
        here = [row for exam, row in zip(exams, grades, strict=True) if exam.ruleset == ruleset]
        rows += [
            (exam.name, *(grade.word for grade in row))
            for exam, row in zip(exams, grades, strict=True)
            if exam.ruleset == ruleset
        ]
        sums = [sum(row[n].share for row in here) for n in range(len(names))]
        rows.append((f"{ruleset}: of {len(here)}", *(f"{total:.1f}" for total in sums)))
    if len(rows) > len(exams) + 2:
        sums = [sum(row[n].share for row in grades) for n in range(len(names))]
        rows.append((f"all: of {len(exams)}", *(f"{total:.1f}" for total in sums)))
    for line in table(rows):
        print(line.rstrip())
    print(f"pass: in every try ({len(grades[0][0].tries)}); -: in none; a total adds up the shares passed")
    lost = [sum(one.faults for row in grades for one in row[n].tries) for n in range(len(names))]
    if any(lost):
        told = ", ".join(f"{name} {count}" for name, count in zip(names, lost, strict=True) if count)
        print(f"questions lost (a try with one is failed): {told}")


def _tell(exam: Exam, names: list[str], row: list[Grade]) -> None:
    failed = [
        (name, grade) for name, grade in zip(names, row, strict=True) if grade.passed < len(grade.tries)
    ]
    if failed:
        print(f"\n{exam.name}: {exam.title}\n  {exam.why}")
    for name, grade in failed:
        one = next(one for one in grade.tries if not one.passed)
        print(f"  {name}: {', '.join(one.said) or 'nothing was asked'}; {one.missed}")
