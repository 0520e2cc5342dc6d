"""The clock of a battle: SimPy's, over the agenda."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest
import simpy

from battlesim.core.items import Entry, Step
from battlesim.engine import clock
from battlesim.engine.clock import Clock


class Work(Step, frozen=True):
    pass


def test_the_clock_stands_at_each_entry_when_it_is_handed_over() -> None:
    met = []
    made = Clock(100, lambda entry: met.append((made.env.now, entry)))
    entries = [Entry(time, 0, serial, Work()) for serial, time in enumerate((100, 250, 250, 1000))]
    for entry in entries:
        made.move_to(entry)
    assert met == [(entry.time, entry) for entry in entries]


def test_what_is_past_is_due_at_once() -> None:
    met = []
    made = Clock(500, lambda entry: met.append(made.env.now))
    made.move_to(Entry(200, 0, 0, Work()))
    assert met == [500]


def test_an_interrupt_while_an_entry_is_handed_over_is_not_lost() -> None:
    def interrupted(entry: Entry) -> None:
        raise KeyboardInterrupt

    made = Clock(0, interrupted)
    with pytest.raises(KeyboardInterrupt):
        made.move_to(Entry(100, 0, 0, Work()))


def test_the_clock_uses_what_simpy_offers_its_users() -> None:
    """No class of SimPy's is extended, and no private name of another object is read or written."""
    tree = ast.parse(Path(clock.__file__).read_text(encoding="utf-8"))
    for node in ast.walk(tree):
        if isinstance(node, ast.ClassDef):
            assert not node.bases
        if isinstance(node, ast.Attribute) and node.attr.startswith("_"):
            assert ast.unparse(node.value) == "self"
    assert not issubclass(Clock, simpy.Environment)
