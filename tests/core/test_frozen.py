"""FrozenDict: named values that nobody can change."""

from __future__ import annotations

import copy
import pickle
from collections.abc import Callable
from typing import Any

import msgspec
import pytest

from battlesim.core.events import ExtraSet, StructureSet, UnitSet
from battlesim.core.frozen import FrozenDict, frozen
from battlesim.core.state import Structure

FIELDS = frozen({"made": [[0, 1], [1, 2]], "closed": True, "more": {"b": [1], "a": {}}})
CHANGES: tuple[Callable[[Any], object], ...] = (
    lambda fields: fields.__setitem__("closed", False),
    lambda fields: fields.__delitem__("closed"),
    lambda fields: fields.update(closed=False),
    lambda fields: fields.pop("closed"),
    lambda fields: fields.popitem(),
    lambda fields: fields.setdefault("new", 1),
    lambda fields: fields.clear(),
    lambda fields: fields.__ior__({"closed": False}),
    lambda fields: fields["more"].update(b=2),
    lambda fields: setattr(fields, "closed", False),
)


@pytest.mark.parametrize("change", CHANGES)
def test_nothing_in_it_can_be_changed(change: Callable[[Any], object]) -> None:
    before = repr(FIELDS)
    with pytest.raises((TypeError, AttributeError)):
        change(FIELDS)
    assert repr(FIELDS) == before


def test_it_is_equal_to_a_dict_and_written_as_one() -> None:
    plain = {"made": ((0, 1), (1, 2)), "closed": True, "more": {"b": (1,), "a": {}}}
    assert plain == FIELDS
    assert frozen(plain) == FIELDS
    assert msgspec.json.encode(FIELDS) == msgspec.json.encode(plain)
    assert eval(repr(FIELDS), {"FrozenDict": FrozenDict}) == FIELDS


def test_equal_ones_have_one_hash_whatever_their_order() -> None:
    one, other = frozen({"a": 1, "b": [2]}), frozen({"b": [2], "a": 1})
    assert one == other
    assert hash(one) == hash(other)


@pytest.mark.parametrize(
    "double", [copy.copy, copy.deepcopy, lambda value: pickle.loads(pickle.dumps(value))]
)
def test_copies_are_as_firm(double: Callable[[Any], Any]) -> None:
    twin = double(FIELDS)
    assert twin == FIELDS
    assert type(twin) is FrozenDict
    assert type(twin["more"]) is FrozenDict


@pytest.mark.parametrize(
    ("record", "name"),
    [
        (Structure(3, own={"made": [[0, 1]]}), "own"),
        (StructureSet(3, False, False, {"made": [[0, 1]]}), "own"),
        (UnitSet(3, {"made": [[0, 1]]}), "own"),
        (ExtraSet({"made": [[0, 1]]}), "extra"),
    ],
)
def test_records_freeze_what_they_are_given(record: Any, name: str) -> None:
    read = msgspec.json.decode(msgspec.json.encode(record), type=type(record))
    for made in (record, read, msgspec.structs.replace(record)):
        assert type(getattr(made, name)) is FrozenDict
        assert getattr(made, name)["made"] == ((0, 1),)
    assert read == record
    assert hash(read) == hash(record)
