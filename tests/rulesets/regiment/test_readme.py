"""The rulebook's page says what the package holds: chapters with their clauses, questions, units, fields."""

from __future__ import annotations

import re
from importlib import import_module
from pathlib import Path

from battlesim.rules.registry import read_clauses
from battlesim.rulesets.regiment.data import FOLDER, TYPES
from battlesim.rulesets.regiment.model import Extra, Own
from battlesim.rulesets.regiment.ruleset import RULESET

PAGE = (FOLDER / "README.md").read_text(encoding="utf-8")


def expanded(text: str) -> list[str]:
    """The clauses that a list such as `RG-SHOOT-3..6, RG-SCEN-1` names."""
    found: list[str] = []
    for stem, first, last in re.findall(r"\b(RG-[A-Z]+-)(\d+)(?:\.\.(\d+))?", text):
        found += [f"{stem}{n}" for n in range(int(first), int(last or first) + 1)]
    return found + re.findall(r"\bRG-HOUSE-[A-Z]+\b", text)


def test_each_chapter_is_listed_with_the_clauses_it_owns() -> None:
    rows = re.findall(r"^\| [^|]+ \| `(\w+)\.py`[^|]*\| (RG-[^|]+) \|$", PAGE, re.M)
    told = {module: sorted(expanded(clauses)) for module, clauses in rows}
    owned = {}
    for path in sorted(FOLDER.glob("*.py")):
        chapter = getattr(import_module(f"battlesim.rulesets.regiment.{path.stem}"), "CHAPTER", None)
        if chapter is not None:
            owned[path.stem] = sorted(chapter.owns)
    assert told == owned
    clauses = read_clauses(FOLDER)
    assert sorted(c for row in told.values() for c in row) == sorted(c.id for c in clauses)
    book, house = (sum(c.source == source for c in clauses) for source in ("book", "house"))
    assert f"lists {len(clauses)} clauses. The {book} of" in PAGE
    assert f"The {house} of source\n`house`" in PAGE or f"The {house} of source `house`" in PAGE


def test_every_module_question_unit_and_field_is_named() -> None:
    for path in FOLDER.glob("*.py"):
        assert path.stem == "__init__" or f"`{path.name}`" in PAGE, path.name
    asks = [ask.__name__ for chapter in RULESET.chapters for ask in chapter.asks]
    for name in (*asks, *TYPES, *Own.__struct_fields__, *Extra.__struct_fields__):
        assert f"`{name}`" in PAGE, name


def test_only_clauses_that_exist_are_named_here_and_in_the_code() -> None:
    known = [clause.id for clause in read_clauses(FOLDER)]
    texts = [PAGE, *(path.read_text(encoding="utf-8") for path in sorted(Path(FOLDER).glob("*.py")))]
    assert [c for text in texts for c in expanded(text) if c not in known] == []


def test_every_clause_is_named_by_an_event_somewhere() -> None:
    code = "\n".join(path.read_text(encoding="utf-8") for path in sorted(FOLDER.glob("*.py")))
    for clause in read_clauses(FOLDER):
        assert code.count(f'"{clause.id}"') >= 2, f"{clause.id} is owned, and no event names it"
