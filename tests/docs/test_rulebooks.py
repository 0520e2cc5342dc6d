"""Each rulebook's page says what its package holds: chapters with their clauses, questions, units, fields."""

from __future__ import annotations

import ast
import re
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

from battlesim import find_ruleset
from battlesim.rules.contract import Ruleset
from battlesim.rules.registry import read_clauses
from battlesim.rulesets.finder import RULESETS

pytestmark = pytest.mark.parametrize("name", RULESETS)


def module(name: str, part: str) -> Any:
    return import_module(f"battlesim.rulesets.{name}.{part}")


def page(ruleset: Ruleset) -> str:
    return (ruleset.folder / "README.md").read_text(encoding="utf-8")


def sources(ruleset: Ruleset) -> list[Path]:
    return sorted(ruleset.folder.glob("*.py"))


def prefix(ruleset: Ruleset) -> str:
    """What the clauses of a rulebook begin with, `OD`."""
    (found,) = {clause.id.split("-")[0] for clause in read_clauses(ruleset.folder)}
    return found


def expanded(text: str, letters: str) -> list[str]:
    """The clauses that a list such as `OD-HE-1..3, OD-SCEN-1` names."""
    found: list[str] = []
    for stem, first, last in re.findall(rf"\b({letters}-[A-Z]+-)(?:(?=[A-Z])|(\d+)(?:\.\.(\d+))?)", text):
        if first:
            found += [f"{stem}{n}" for n in range(int(first), int(last or first) + 1)]
    return found + re.findall(rf"\b{letters}-HOUSE-[A-Z]+\b", text)


def test_each_chapter_is_listed_with_the_clauses_it_owns(name: str) -> None:
    ruleset = find_ruleset(name)
    text, letters, clauses = page(ruleset), prefix(ruleset), read_clauses(ruleset.folder)
    rows = re.findall(rf"^\| [^|]+ \| `(\w+)\.py`[^|]*\| ({letters}-[^|]+) \|$", text, re.M)
    told = {chapter: sorted(expanded(owned, letters)) for chapter, owned in rows}
    owned = {}
    for path in sources(ruleset):
        chapter = getattr(module(name, path.stem), "CHAPTER", None)
        if chapter is not None and chapter.owns:
            owned[path.stem] = sorted(chapter.owns)
    assert told == owned
    assert sorted(c for row in told.values() for c in row) == sorted(c.id for c in clauses)
    book, house = (sum(c.source == source for c in clauses) for source in ("book", "house"))
    flat = " ".join(text.split())
    assert f"lists {len(clauses)} clauses. The {book} of" in flat
    assert f"The {house} of source `house`" in flat


def test_every_module_question_unit_and_field_is_named(name: str) -> None:
    ruleset = find_ruleset(name)
    text, model = page(ruleset), module(name, "model")
    for path in sources(ruleset):
        assert path.stem == "__init__" or f"`{path.name}`" in text, path.name
    asks = [ask.__name__ for chapter in ruleset.chapters for ask in chapter.asks]
    types = module(name, "data").TYPES
    for word in (*asks, *types, *model.UnitState.__struct_fields__, *model.BattleState.__struct_fields__):
        assert f"`{word}`" in text, word


def test_only_clauses_that_exist_are_named(name: str) -> None:
    ruleset = find_ruleset(name)
    known = {clause.id for clause in read_clauses(ruleset.folder)}
    for text in (page(ruleset), *(path.read_text(encoding="utf-8") for path in sources(ruleset))):
        assert [c for c in expanded(text, prefix(ruleset)) if c not in known] == []


def test_every_clause_is_named_by_an_event_or_only_forbids(name: str) -> None:
    """A string of the package, lists of what a chapter owns or forbids aside, names each clause that can be seen at work."""
    ruleset = find_ruleset(name)
    named: set[str] = set()
    for path in sources(ruleset):
        tree = ast.parse(path.read_text(encoding="utf-8"))
        listed = {
            id(constant)
            for word in ast.walk(tree)
            if isinstance(word, ast.keyword) and word.arg in ("owns", "forbids")
            for constant in ast.walk(word.value)
        }
        named |= {
            node.value
            for node in ast.walk(tree)
            if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in listed
        }
    silent = sorted(clause.id for clause in read_clauses(ruleset.folder) if clause.id not in named)
    assert sorted(c for chapter in ruleset.chapters for c in chapter.forbids) == silent
    part = re.search(r"^## Clauses that only forbid\n(.*?)(?=^## |\Z)", page(ruleset), re.M | re.S)
    assert sorted(expanded(part[1], prefix(ruleset)) if part else []) == silent
