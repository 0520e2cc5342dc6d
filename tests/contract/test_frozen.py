"""Law 1: what clones, forks, logs and views share is frozen, to its last field."""

from __future__ import annotations

import types
from collections.abc import Iterator
from typing import Any, Literal, Union, get_args, get_origin, get_type_hints

import msgspec
import pytest

from battlesim import find_ruleset
from battlesim.cli.bench import halfway
from battlesim.core.events import CHANGES, CORE_FACTS, Event, Fact
from battlesim.core.items import Entry
from battlesim.core.state import Outcome, Structure, Unit
from battlesim.rules.contract import Ruleset
from battlesim.rulesets.finder import RULESETS
from battlesim.scenario.load import load_scenario

PLAIN = (int, str, bool, float, bytes, type(None))
HELD = {
    (Unit, "own"): "the ruleset's own record, walked as such",
    (Structure, "own"): "made a FrozenDict as it is built: see test_core",
    **{(kind, "own"): "made a FrozenDict as it is built" for kind in CHANGES},
    **{(kind, "extra"): "made a FrozenDict as it is built" for kind in CHANGES},
    (CORE_FACTS[1], "ask"): "an ask, walked as an item of its ruleset",
}
"""Fields whose annotation does not say by itself that what they hold is frozen."""


def faults_of(kind: Any, where: str, seen: set[Any]) -> Iterator[str]:
    """What of a type is not frozen, in words."""
    origin = get_origin(kind)
    if origin in (Union, types.UnionType, tuple, frozenset):
        for part in get_args(kind):
            if part is not Ellipsis:
                yield from faults_of(part, where, seen)
    elif origin is Literal:
        for value in get_args(kind):
            yield from faults_of(type(value), where, seen)
    elif origin is not None or not isinstance(kind, type):
        yield f"{where} is {kind}"
    elif issubclass(kind, PLAIN):
        return
    elif not issubclass(kind, msgspec.Struct):
        yield f"{where} is a {kind.__name__}"
    elif kind not in seen:
        seen.add(kind)
        if not kind.__struct_config__.frozen:
            yield f"{where}: {kind.__name__} is not frozen"
        hints = get_type_hints(kind)
        for name in kind.__struct_fields__:
            if (kind, name) not in HELD:
                yield from faults_of(hints[name], f"{kind.__name__}.{name}", seen)
        for heir in kind.__subclasses__():
            yield from faults_of(heir, heir.__name__, seen)


def facts_of(ruleset: Ruleset) -> list[type]:
    """The facts that a ruleset's modules declare."""
    found, todo = [], [Fact]
    while todo:
        kind = todo.pop()
        todo += kind.__subclasses__()
        if f".{ruleset.name}." in kind.__module__:
            found.append(kind)
    return found


@pytest.mark.parametrize("name", RULESETS)
def test_no_record_of_a_battle_holds_anything_that_can_be_changed(name: str) -> None:
    ruleset = find_ruleset(name)
    codec = ruleset.codec
    kinds = (Unit, Structure, Outcome, Entry, *CHANGES, *CORE_FACTS, *facts_of(ruleset))
    kinds += (codec.own, codec.extra, *get_args(codec.items))
    seen: set[Any] = set()
    assert [fault for kind in kinds for fault in faults_of(kind, kind.__name__, seen)] == []
    assert len(seen) > 40


@pytest.mark.parametrize("name", ["heavy-armour", "silo", "firebreak", "border-keep"])
def test_what_a_battle_holds_can_be_hashed(name: str) -> None:
    """What can be hashed to its last field holds no dict, list or set."""
    battle = halfway(load_scenario(name), 10_000)
    state = battle.state
    shared: list[Event | Unit | Structure] = [*battle.log, *state.units.values(), *state.structures.values()]
    for thing in (*shared, state.extra, *state.agenda):
        assert isinstance(hash(thing), int), thing
    assert len(state.structures) > 0
