"""What a run of a list of games came to, for `battlesim runs`. Read `show`."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any

from battlesim.cli.common import print_json, table

if TYPE_CHECKING:
    from battlesim.jobs.folder import RunFolder

COLUMNS = (
    "scenario",
    "first side",
    "its agent",
    "second side",
    "its agent",
    "games",
    "won",
    "drawn",
    "lost",
    "broke off",
)
"""The columns of the table. Games are won and lost by the first side; those that broke off count for neither."""


def show(folder: RunFolder, as_json: bool) -> int:
    """Print who won how many games of each scenario and pair of agents; return the exit code."""
    from battlesim.batch.lists import plan_of, rows_of

    plan = plan_of(folder)
    results: dict[tuple[str, ...], Counter[str]] = {}
    played = 0
    for row in rows_of(folder, plan):
        one, two = row.sides
        key = (row.scenario, one, row.agents[one], two, row.agents[two])
        played += 1
        results.setdefault(key, Counter())[_result(row)] += 1
    rows = [
        dict(zip(("scenario", "side0", "agent0", "side1", "agent1"), key, strict=True))
        | {"games": found.total()}
        | {name: found[name] for name in ("won", "drawn", "lost", "broken")}
        for key, found in results.items()
    ]
    if as_json:
        print_json(
            {"run": folder.path.name, "kind": "list", "played": played, "games": plan.games, "results": rows}
        )
        return 0
    print(f"{folder.path.name}: {played} of {plan.games} games of a list")
    if rows:
        print()
        for line in table([COLUMNS, *([str(value) for value in row.values()] for row in rows)]):
            print(line)
    print("Won and lost by the first side. Every game: battlesim export " + str(folder.path))
    return 0


def _result(row: Any) -> str:
    """How a game ended for the first side. One that broke off by an agent's fault has a winner all the same."""
    if row.winner is not None:
        return "won" if row.winner == row.sides[0] else "lost"
    return "drawn" if row.points is not None else "broken"
