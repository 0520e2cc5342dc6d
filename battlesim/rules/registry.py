"""The clauses of a ruleset, and what covers each: its chapter, its tests, how often play has used it.

`clauses.toml` lists the clauses; `coverage.json` beside it is generated (`python -m tests.clause_coverage --write`), so that an
installed package answers too. Read `clause_table`.
"""

from __future__ import annotations

import json
import tomllib
from pathlib import Path

from msgspec import Struct

from battlesim.core.errors import Fault, InputError


class Clause(Struct, frozen=True):
    """One numbered rule. `source` is book (restates the rulebook) or house (ours). `module` owns it, `tests` would fail if it
    were wrong, `uses` counts events of the standard set of games that name it."""

    id: str
    source: str
    text: str
    module: str = ""
    tests: tuple[str, ...] = ()
    uses: int = 0


def read_clauses(folder: Path) -> list[Clause]:
    """The clauses of a ruleset package, in the file's order. Raises InputError for a doubled id."""
    rows = tomllib.loads((folder / "clauses.toml").read_text(encoding="utf-8"))["clause"]
    clauses = [Clause(row["id"], row["source"], row["text"]) for row in rows]
    seen: set[str] = set()
    for clause in clauses:
        if clause.id in seen:
            raise InputError(Fault(f"clause {clause.id} stands twice", file=str(folder / "clauses.toml")))
        seen.add(clause.id)
    return clauses


def clause_table(folder: Path) -> list[Clause]:
    """The clauses with what the generated coverage says of them; without the file only the clauses."""
    path = folder / "coverage.json"
    known = json.loads(path.read_text(encoding="utf-8"))["clauses"] if path.is_file() else {}
    table = []
    for clause in read_clauses(folder):
        row = known.get(clause.id, {})
        table.append(
            Clause(
                clause.id,
                clause.source,
                clause.text,
                row.get("module", ""),
                tuple(row.get("tests", ())),
                row.get("uses", 0),
            )
        )
    return table
