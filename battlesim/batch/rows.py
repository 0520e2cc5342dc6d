"""The row of one game, as a run's store keeps it. Read `GameRow`, then `row_of`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import msgspec
from msgspec import Struct

from battlesim.batch.measures import Measures
from battlesim.core.errors import Fault, InputError
from battlesim.core.memo import memo
from battlesim.engine.course import Course
from battlesim.engine.game import FORMAT
from battlesim.rules.registry import read_clauses
from battlesim.rulesets.finder import find_ruleset

encode = msgspec.json.Encoder(order="deterministic").encode
"""A row as the bytes that the store keeps: one line of JSON with sorted keys."""


class GameRow(Struct, frozen=True, omit_defaults=True):
    """One game in the store: the row of `play --json`, with its place in the run and its clauses.

    `format`: of the row. `number`, `round`, `leg`: as in `games.GameSpec`. `sides`: the scenario's first and second side; the
    order of keys in `agents`, `points` and `losses` means nothing, since JSON is written with sorted keys. `winner`: a side; null
    for a draw, and where the game broke off by no agent's fault. `losses`: of each side the "units" and "models" that it lost.
    `faults`: each question that an agent lost, with "side", "question" (its number, -1 if not known) and "what". `points`,
    `turns`, `losses` and `record_hash` are null if the game broke off; `termination` is then the same as `verdict`, "crash" (an
    agent's fault) or "fault" (ours). `clauses`: the clauses that applied in the game, as a hexadecimal number whose bit n is
    clause n of the ruleset's list. `reach`: the most points that each side could have scored; null in rows of formats 1 and 2,
    and if the game broke off. `course`: what decided the game, `measures`: what happened in it, `own`: numbers by the user's
    functions, each if the run asks for it.
    """

    format: int
    number: int
    round: int
    leg: int
    scenario: str
    ruleset: str
    seed: int
    sides: tuple[str, str]
    agents: dict[str, str]
    winner: str | None
    points: dict[str, int] | None
    turns: int | None
    termination: str
    verdict: str
    losses: dict[str, dict[str, int]] | None
    faults: list[dict[str, Any]]
    record_hash: str | None
    clauses: str
    reach: dict[str, int] | None = None
    course: Course | None = None
    measures: Measures | None = None
    own: dict[str, float | None] | None = None


def row_of(data: bytes, sides: Mapping[str, tuple[str, str]] | None = None, file: str = "") -> GameRow:
    """A stored row as a value.

    `sides`: the first and second side of each scenario of the run. With it, rows of format 1 can be read, which lack the order of
    sides, and rows of other scenarios are refused. `file`: where the row is from, for messages. Raises InputError if it is
    damaged.
    """
    try:
        fields = msgspec.json.decode(data)
        if not isinstance(fields, dict) or fields.get("format") not in (1, 2, FORMAT):
            raise ValueError(f"it is no game's row of format 1, 2 or {FORMAT}")
        if sides is not None and str(fields.get("scenario")) not in sides:
            raise ValueError(f"the scenario {fields.get('scenario')!r} is none of this run")
        if fields["format"] == 1 and sides is not None:
            fields["sides"] = sides[fields["scenario"]]
        row = msgspec.convert(fields, GameRow)
        _check(row, row.sides if sides is None else sides[row.scenario])
    except (ValueError, RecursionError) as error:  # msgspec raises ValueErrors, too
        what = f"the row of a game is damaged: {error}; it begins {data[:60]!r}"
        raise InputError(
            Fault(what, "restore the run's results from a copy, or begin a new run", file)
        ) from None
    return row


def _check(row: GameRow, sides: tuple[str, str]) -> None:
    """Raises ValueError if the values of a row contradict one another."""
    if tuple(row.sides) != sides or len(set(sides)) != 2:
        raise ValueError(f"its sides are {list(row.sides)}, the scenario's are {list(sides)}")
    by_side = {"agents": row.agents, "points": row.points, "reach": row.reach, "losses": row.losses}
    for name, value in by_side.items():
        if value is not None and sorted(value) != sorted(sides):
            raise ValueError(f"{name} has the sides {sorted(value)}, the scenario's are {list(sides)}")
    if row.winner is not None and row.winner not in sides:
        raise ValueError(f"the winner {row.winner!r} is no side")
    if row.losses is not None and any(sorted(lost) != ["models", "units"] for lost in row.losses.values()):
        raise ValueError("losses are not of units and models")
    for fault in row.faults:
        if fault.get("side") not in ("", *sides) or not isinstance(fault.get("what"), str):
            raise ValueError(f"{fault!r:.60} is not an agent's fault")
    if row.clauses.strip("0123456789abcdef"):
        raise ValueError(f"clauses {row.clauses!r:.40} are not a hexadecimal number")


# ---- clauses


@memo(bound=64)
def clause_ids(ruleset: str) -> tuple[str, ...]:
    """The clauses of a ruleset in the order of its list."""
    return tuple(clause.id for clause in read_clauses(find_ruleset(ruleset).folder))


@memo(bound=64)
def _bits(ruleset: str) -> dict[str, int]:
    """The digit of each clause of a ruleset in the numbers of rows."""
    return {clause: 1 << number for number, clause in enumerate(clause_ids(ruleset))}


def mask_of(ruleset: str, used: frozenset[str]) -> str:
    """The hexadecimal digits for some clauses, as in `GameRow.clauses`."""
    bits = _bits(ruleset)
    return f"{sum(bits[clause] for clause in used):x}"


def clauses_of(ruleset: str, mask: str) -> Sequence[str]:
    """The clauses of a row's hexadecimal digits, in the order of the ruleset's list; none for no digits."""
    number = int(mask or "0", 16)
    return [clause for place, clause in enumerate(clause_ids(ruleset)) if number >> place & 1]
