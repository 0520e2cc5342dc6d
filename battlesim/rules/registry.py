"""The clauses of a ruleset, with the module, the tests and the uses of each.

`clauses.toml` lists the clauses. `coverage.json` beside it is generated (`python -m tests.clause_coverage --write`), so that
`battlesim rules` works in an installed package, too. Read `clause_table`.
"""

from __future__ import annotations

import json
from pathlib import Path

from msgspec import Struct
from msgspec.structs import replace

from battlesim.core.errors import Fault, InputError
from battlesim.core.toml import line_of, read_toml

RARE = 0.02
"""A clause is rare if players use it in a smaller share (0 to 1) of the games of every scenario."""


class Clause(Struct, frozen=True):
    """One numbered rule. `source` is book (restates the rulebook) or house (ours). `module` owns it, `tests` would fail if it
    were wrong, `uses` counts events of the standard set of games that name it.

    `players` counts the incidents of that set in which players other than `random` used it; `share` is the largest share of a
    scenario's games in which they did (0 to 1), `scenario` which that is. `forbids`: it only forbids, a use is an answer it
    removed. All but the first three have their defaults where `coverage.json` does not list the clause.
    """

    id: str
    source: str
    text: str
    module: str = ""
    tests: tuple[str, ...] = ()
    uses: int = 0
    players: int = 0
    share: float = 0.0
    scenario: str = ""
    forbids: bool = False

    @property
    def rare(self) -> bool:
        """Whether it is a book clause that does more than forbid, and that players hardly use in any scenario."""
        return self.source == "book" and not self.forbids and self.share < RARE


def read_clauses(folder: Path) -> list[Clause]:
    """The clauses of a ruleset package, in the file's order. Raises InputError with every fault of the file and its line."""
    path = folder / "clauses.toml"
    tables, text = read_toml(path, "the list of clauses")
    rows = tables.get("clause")
    if not isinstance(rows, list) or not all(isinstance(row, dict) for row in rows):
        raise InputError(
            Fault("no clauses are listed", "give each as [[clause]] with id, source and text", str(path))
        )
    clauses: list[Clause] = []
    faults: list[Fault] = []
    seen: set[str] = set()
    for number, row in enumerate(rows):
        words = [row.get(key) for key in ("id", "source", "text")]
        id, source, wording = words
        what, remedy = "", ""
        if not all(isinstance(word, str) and word for word in words):
            what, remedy = f"clause {id!r} lacks an id, source or text", "give all three"
        elif source not in ("book", "house"):
            what, remedy = f"clause {id}: source {source!r} is unknown", "give book or house"
        elif id in seen:
            what, remedy = f"there are two clauses {id}", "give each its own id"
        if what:
            faults.append(Fault(what, remedy, str(path), line_of(text, ("clause", number, "id"))))
        seen.add(str(id))
        clauses.append(Clause(str(id), str(source), str(wording)))
    if faults:
        raise InputError(faults)
    return clauses


def clause_table(folder: Path) -> list[Clause]:
    """The clauses with the module, tests and uses that `coverage.json` gives; without that file, the clauses alone. Raises
    InputError as `read_clauses` does."""
    path = folder / "coverage.json"
    known = json.loads(path.read_text(encoding="utf-8"))["clauses"] if path.is_file() else {}
    return [
        replace(
            clause,
            module=row.get("module", ""),
            tests=tuple(row.get("tests", ())),
            uses=row.get("uses", 0),
            players=row.get("players", 0),
            share=row.get("share", 0.0),
            scenario=row.get("scenario", ""),
            forbids=row.get("forbids", False),
        )
        for clause in read_clauses(folder)
        for row in (known.get(clause.id, {}),)
    ]
