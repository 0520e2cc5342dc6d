"""Ten scenarios made unfair on purpose: is the cause among the changes that `battlesim balance` proposes?

    python -m tests.stress.planted                  # all ten, about ten minutes of a processor
    python -m tests.stress.planted --case 3 4       # some of them
    python -m tests.stress.planted --list

Each case takes a small shipped scenario, evens it out where it is not even between the players of these cases (`even`), then
changes one thing (`plant`), and tunes that thing among others that were not touched.
"""

from __future__ import annotations

import argparse
import json
import os
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple

from battlesim import load_scenario
from battlesim.batch.games import FUNCTION
from battlesim.jobs.executor import LocalExecutor
from battlesim.jobs.job import JobLimits
from battlesim.stress.change import Balance
from battlesim.stress.config import Factor
from battlesim.stress.points import Varied
from battlesim.stress.tuning import Tuning
from battlesim.stress.tuning_words import balance_lines

AGENTS = ("rush", "rush")


class Case(NamedTuple):
    """A case: the scenario, what evens it out, what is planted (paths to levels), and the factors that are tuned, the planted one
    first."""

    name: str
    scenario: str
    even: Mapping[str, Any]
    plant: Mapping[str, Any]
    tune: tuple[str, ...]


STAIRS = ("turns=4..9", "objectives[0].points=1..6", "forces.Blue.units[4].present", "margin=1..3")
"""What is tuned on the stairwell beside what was planted."""
FARM = ("margin=1..3", "objectives[0].points=1..6", 'map.terrain["wall"].present', "turns=4..9")
CUSTOMS = ("turns=4..9", "objectives[0].points=1..6", "forces.North.units[0].present")
CASES: tuple[Case, ...] = (
    Case(
        "a unit more",
        "stairwell",
        {},
        {"forces.Red.units[+]": {"type": "rifle_section", "at": "g2.3", "name": "Red extra"}},
        ('forces.Red.units["Red extra"].present', *STAIRS),
    ),
    Case(
        "a unit less",
        "stairwell",
        {},
        {'forces.Red.units["Red yard"].present': False},
        ("forces.Red.units[+]={type: rifle_section, at: g1.4}", *STAIRS),
    ),
    Case(
        "a unit more, set up in a zone",
        "outpost",
        {},
        {"forces.South.units[+]": {"type": "rifle_team", "zone": "south", "name": "South extra"}},
        ('forces.South.units["South extra"].present', *CUSTOMS),
    ),
    Case(
        "veterans",
        "stairwell",
        {},
        {'forces.Red.units["*"].quality': "veteran"},
        ('forces.Red.units["*"].quality=inexperienced,regular,veteran', *STAIRS),
    ),
    Case(
        "sections below strength",
        "skirmish",
        {},
        {'forces.South.units["South * section"].models': 7},
        ('forces.South.units["South * section"].models=5..10', *FARM),
    ),
    Case(
        "points of one side's losses",
        "skirmish",
        {},
        {"objectives[1].points": 4},
        ("objectives[1].points=1..4", *FARM),
    ),
    Case(
        "points of the drones",
        "drones",
        {},
        {"objectives[2].points": 6},
        (
            "objectives[2].points=1..6",
            "turns=4..9",
            "objectives[0].points=1..6",
            "forces.Blue.units[4].present",
        ),
    ),
    Case(
        "windows of the ground floor walled up",
        "stairwell",
        {},
        {
            'map.sections["house.east"].openings[1].present': False,
            'map.sections["house.east"].openings[2].present': False,
        },
        (
            "map.sections['house.east'].openings[+]={kind: window, floor: 0, side: all, count: 2}",
            *STAIRS,
        ),
    ),
    Case(
        "a zone that reaches far forward, in a short battle",
        "outpost",
        {"turns": 3},
        {'sides.South.zones["south"].rect[3]': 20},
        ('sides.South.zones["south"].rect[3]=5..20', "turns=3..9", *CUSTOMS[1:]),
    ),
    Case(
        "too many turns for those who hold the farm",
        "skirmish",
        {
            'sides.North.zones["north"].rect[1]': 10,
            "forces.North.units[0].at": "farm.1:0",
            "forces.North.units[2].at": "farm.1:1",
            "forces.South.units[+]": {"type": "rifle_section", "at": "g8.2"},
        },
        {"turns": 9},
        ("turns=2..9", *FARM[:3]),
    ),
)


def run_case(case: Case, workers: int, folder: Path) -> tuple[Balance, bool]:
    """What the search proposes, and whether the planted cause is among it. A search that was stopped in the folder goes on."""
    scenario = load_scenario(case.scenario)
    changes = {**case.even, **case.plant}
    factors = [_factor(path, value) for path, value in changes.items()]
    levels = tuple(value if not isinstance(value, dict) else 1 for value in changes.values())
    unfair = Varied(scenario, AGENTS, factors).scenario_at(levels)
    asked = {
        "scenario": case.scenario,
        "agents": AGENTS,
        "tune": case.tune,
        "margin": 0.07,
        "games": 1600,
        "confirm": 200,
        "seed": 1,
    }
    tuning = Tuning(unfair, asked)
    executor = LocalExecutor(FUNCTION, workers, JobLimits(600.0, 1024))
    try:
        found = tuning.search(executor, folder)
    finally:
        executor.close()
    assert isinstance(found, Balance)
    planted = tuning.factors[0].title
    return found, any(name == planted for proposal in found.proposals for name, _, _ in proposal.changes)


def _factor(path: str, value: Any) -> Factor:
    table: dict[str, Any] = {"path": path, "levels": (0, 1)}
    if isinstance(value, dict):
        table["entry"] = value
    return Factor(**table)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--case", nargs="+", type=int, metavar="N", help="only these, counted from 1")
    parser.add_argument("--list", action="store_true", help="list the cases and play nothing")
    parser.add_argument("--workers", type=int, default=os.cpu_count() or 1, metavar="N")
    parser.add_argument(
        "--folder", type=Path, default=Path("runs/planted"), help="where searches are kept and gone on with"
    )
    parser.add_argument("--verbose", action="store_true", help="print what each search came to")
    args = parser.parse_args()
    chosen = args.case or range(1, len(CASES) + 1)
    hits = 0
    for number in chosen:
        case = CASES[number - 1]
        if args.list:
            print(f"{number}. {case.name} ({case.scenario}): {json.dumps(dict(case.plant))}")
            continue
        begun = time.monotonic()
        found, hit = run_case(case, args.workers, args.folder / str(number))
        hits += hit
        proposals = "; ".join(
            " and ".join(f"{name} {level}" for name, _, level in proposal.changes)
            for proposal in found.proposals
        )
        print(
            f"{number}. {case.name} ({case.scenario}): {found.share:.0%} as it is; "
            f"{'found' if hit else 'NOT found'} among: {proposals or 'none'}; "
            f"{found.games} games, {time.monotonic() - begun:.0f} s",
            flush=True,
        )
        if args.verbose:
            print("\n".join(f"   {line}" for line in balance_lines(found, "the first side")), flush=True)
    if not args.list:
        print(f"the planted cause is among the proposals in {hits} of {len(list(chosen))} cases")


if __name__ == "__main__":
    main()
