"""What covers each clause: generated into `coverage.json` beside `clauses.toml`, checked by CI.

    python -m tests.clause_coverage --write     # after a change of rules or tests
    python -m tests.clause_coverage --check     # exit 1 where the file is stale or a clause lacks an owner or a test

Owners are the chapters' `owns`, tests bear `@pytest.mark.clause("OD-...")`, uses are counted over a standard set of games and
the golden records: events that name the clause and, for a clause that only forbids (`Chapter.forbids`), answers it removed.

What players other than `random` use is counted apart, in incidents: whatever follows from one answer, or from one thing that was
due, is one use of a clause, and what is told before the first question is none. A clause is *reached* in a game with one such
use. Book clauses that do more than forbid and are reached in less than 2% of the players' games of every scenario are named.
The standard set takes some three minutes on two quiet cores.
"""

from __future__ import annotations

import argparse
import ast
import json
import sys
from collections import Counter
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from importlib import import_module
from multiprocessing import get_context
from pathlib import Path
from pkgutil import iter_modules
from typing import Any, NamedTuple

import msgspec

from battlesim import play, shipped_scenarios
from battlesim.core.events import Answered, Asked, Event
from battlesim.core.items import Ask
from battlesim.engine.battle import Battle, Question
from battlesim.engine.record import read_record
from battlesim.rules.contract import Chapter, Forbidden
from battlesim.rules.registry import Clause, read_clauses
from battlesim.rulesets.finder import RULESETS, find_ruleset
from battlesim.scenario import load_scenario

TESTS = Path(__file__).parent
STORMING, RAZING = "doctrine,character=assault", "doctrine,character=demolition"
GAMES: tuple[tuple[tuple[str, str], int], ...] = (
    (("random", "random"), 20),
    (("greedy", "greedy"), 20),
    ((RAZING, "greedy"), 10),
    (("greedy", RAZING), 10),
    ((STORMING, "rush"), 5),
    (("rush", STORMING), 5),
)
"""The standard set: so many games by each pair of agents on every scenario, seeds from 0. The 50 without `random` are the
players'."""
BIG = 60
"""A scenario with more units than this is played once by each of the first two pairs."""
WORKERS = 2


def owners(ruleset: str) -> dict[str, str]:
    """Clause -> the module whose chapter owns it. A clause owned twice is an error."""
    package = import_module(f"battlesim.rulesets.{ruleset}")
    found: dict[str, str] = {}
    for info in iter_modules(package.__path__):
        module = import_module(f"{package.__name__}.{info.name}")
        chapter = getattr(module, "CHAPTER", None)
        if isinstance(chapter, Chapter):
            for clause in chapter.owns:
                if clause in found:
                    raise SystemExit(f"{clause} is owned by {found[clause]} and {info.name}")
                found[clause] = info.name
    return found


def _marks(node: ast.expr) -> list[str]:
    """The clause ids of one decorator, if it is a clause mark."""
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == "clause":
        return [
            arg.value for arg in node.args if isinstance(arg, ast.Constant) and isinstance(arg.value, str)
        ]
    return []


def tests() -> dict[str, list[str]]:
    """Clause -> the tests that bear its mark, as file::name."""
    found: dict[str, list[str]] = {}
    for path in sorted(TESTS.rglob("test_*.py")):
        tree = ast.parse(path.read_text(encoding="utf-8"))
        name = path.relative_to(TESTS.parent).as_posix()
        whole = [
            clause
            for node in tree.body
            if isinstance(node, ast.Assign)
            and any(getattr(t, "id", "") == "pytestmark" for t in node.targets)
            for value in ast.walk(node.value)
            if isinstance(value, ast.expr)
            for clause in _marks(value)
        ]
        for node in ast.walk(tree):
            if isinstance(node, ast.FunctionDef) and node.name.startswith("test_"):
                for clause in [*whole, *(c for d in node.decorator_list for c in _marks(d))]:
                    found.setdefault(clause, []).append(f"{name}::{node.name}")
    return found


def forbidding(ruleset: str) -> dict[type[Ask], list[tuple[str, Forbidden]]]:
    """Question -> the clauses that only forbid there, and what counts the answers that each alone removes."""
    found: dict[type[Ask], list[tuple[str, Forbidden]]] = {}
    for chapter in find_ruleset(ruleset).chapters:
        for clause, (ask, removed) in chapter.forbids.items():
            found.setdefault(ask, []).append((clause, removed))
    return found


class Uses(NamedTuple):
    """How often clauses were used. `all`: events that name each, and answers that it removed. `players`: incidents in players'
    games. `reached`: by scenario, in how many of its players' games a clause was used; `games`: how many these were."""

    all: Counter[str]
    players: Counter[str]
    reached: dict[str, Counter[str]]
    games: Counter[str]


def incidents(log: Sequence[Event]) -> Counter[str]:
    """How often each clause was used in a battle, one for whatever has the same root: the answer, or the event without a cause,
    from which it follows. What comes before the first question only says how the battle stands."""
    roots: list[int] = []
    found: set[tuple[str, int]] = set()
    begun = False
    for number, event in enumerate(log):
        cause = event.cause
        # An answer is a root, though its question has a cause.
        roots.append(number if isinstance(event, Answered) or not 0 <= cause < number else roots[cause])
        begun = begun or isinstance(event, Asked)
        if begun and not isinstance(event, Asked | Answered):
            found.update((clause, roots[number]) for clause in event.clauses)
    return Counter(clause for clause, _ in found)


def played(job: tuple[str, tuple[str, str], int]) -> tuple[str, bool, Counter[str], Counter[str]]:
    """One game of the standard set: its scenario, whether players played it, events by clause and incidents by clause."""
    name, agents, seed = job
    scenario = load_scenario(name)
    counted: Counter[str] = Counter()
    watched = forbidding(scenario.ruleset)

    def look(battle: Battle, question: Question) -> None:
        for clause, removed in watched.get(type(question.ask), ()):
            counted[clause] += removed(battle.state, battle.board, question.ask)

    log = play(scenario, agents, seed=seed, listener=look).log
    for event in log:
        counted.update(event.clauses)
    players = "random" not in agents
    return name, players, counted, incidents(log) if players else Counter()


def uses(ruleset: str) -> Uses:
    """What the standard set of games, and for the count of all uses the golden records, used of each clause."""
    found = Uses(Counter(), Counter(), {}, Counter())
    for path in sorted((TESTS / "golden" / "records").glob("*.jsonl")):
        record = read_record(path)
        if record.header.ruleset.name == ruleset:
            for event in record.events:
                found.all.update(event.clauses)
    jobs = [
        (name, agents, seed)
        for name in shipped_scenarios()
        for scenario in (load_scenario(name),)
        if scenario.ruleset == ruleset
        for agents, games in (GAMES[:2] if len(scenario.forces) > BIG else GAMES)
        for seed in range(1 if len(scenario.forces) > BIG else games)
    ]
    with ProcessPoolExecutor(WORKERS, mp_context=get_context("spawn")) as pool:
        for name, players, counted, used in pool.map(played, jobs, chunksize=5):
            found.all.update(counted)
            if players:
                found.players.update(used)
                found.reached.setdefault(name, Counter()).update(used.keys())
                found.games[name] += 1
    return found


def widest(clause: str, used: Uses) -> tuple[float, str]:
    """The largest share of a scenario's players' games in which a clause is used, and that scenario; 0.0 and "" for none."""
    shares = [(used.reached[name][clause] / games, name) for name, games in sorted(used.games.items())]
    best = max(shares, key=lambda row: row[0], default=(0.0, ""))
    return (round(best[0], 2), best[1]) if best[0] else (0.0, "")


def coverage(ruleset: str) -> dict[str, Any]:
    """What `coverage.json` should hold."""
    owned, tested, used = owners(ruleset), tests(), uses(ruleset)
    only_forbid = {clause for chapter in find_ruleset(ruleset).chapters for clause in chapter.forbids}
    clauses = {
        clause.id: {
            "module": owned.get(clause.id, ""),
            "tests": sorted(set(tested.get(clause.id, []))),
            "uses": used.all[clause.id],
            "players": used.players[clause.id],
            "share": widest(clause.id, used)[0],
            "scenario": widest(clause.id, used)[1],
            "forbids": clause.id in only_forbid,
        }
        for clause in read_clauses(find_ruleset(ruleset).folder)
    }
    unknown = sorted(
        {c for c in [*owned, *used.all] if c not in clauses and c.split("-")[0] in _prefixes(ruleset)}
    )
    return {"ruleset": ruleset, "clauses": clauses, "unknown": unknown}


def _prefixes(ruleset: str) -> set[str]:
    return {clause.id.split("-")[0] for clause in read_clauses(find_ruleset(ruleset).folder)}


def _rows(ruleset: str, found: dict[str, Any]) -> list[dict[str, Any]]:
    return [
        {"id": clause.id, "source": clause.source, **found["clauses"][clause.id]}
        for clause in read_clauses(find_ruleset(ruleset).folder)
    ]


def gaps(found: dict[str, Any]) -> list[str]:
    """Clauses without owner or test, and clauses named that do not exist."""
    missing = [f"{c}: no chapter owns it" for c, row in found["clauses"].items() if not row["module"]]
    missing += [f"{c}: no test bears its mark" for c, row in found["clauses"].items() if not row["tests"]]
    return missing + [f"{c}: owned or named, but not in clauses.toml" for c in found["unknown"]]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--write", action="store_true", help="write coverage.json")
    parser.add_argument("--check", action="store_true", help="fail where it is stale or has gaps")
    args = parser.parse_args()
    bad = 0
    for ruleset in RULESETS:
        path = find_ruleset(ruleset).folder / "coverage.json"
        found = coverage(ruleset)
        text = json.dumps(found, indent=1) + "\n"
        if args.write:
            path.write_text(text, encoding="utf-8")
        elif args.check and (not path.is_file() or path.read_text(encoding="utf-8") != text):
            print(f"{path.name} of {ruleset} is stale: run python -m tests.clause_coverage --write")
            bad = 1
        for gap in gaps(found):
            print(gap)
            bad = bad or int(args.check)
        unused = [c for c, row in found["clauses"].items() if not row["uses"]]
        print(f"{ruleset}: {len(found['clauses'])} clauses, {len(unused)} not used in the standard games")
        print("  not used:", ", ".join(unused))
        clauses = [msgspec.convert({"text": "", **row}, Clause) for row in _rows(ruleset, found)]
        print("  hardly used by players:", ", ".join(clause.id for clause in clauses if clause.rare))
    return bad


if __name__ == "__main__":
    sys.exit(main())
