"""Scenarios changed in memory: checked as a file is, with a digest of their own, played and read back as any other."""

from __future__ import annotations

from typing import Any, cast

import pytest

from battlesim import play
from battlesim.core.errors import InputError
from battlesim.scenario.changes import Place, with_changes, with_map_changes
from battlesim.scenario.load import decode_scenario, load_scenario, shipped_scenarios


def test_what_is_changed_is_changed_and_nothing_else() -> None:
    usual = load_scenario("stairwell")
    changed = with_changes(usual, {"turns": 3, "forces[0].quality": "veteran"})
    assert (changed.turns, changed.forces[0].quality) == (3, "veteran")
    assert changed.forces[1:] == usual.forces[1:]
    assert changed.board is usual.board
    assert changed.digest != usual.digest
    assert (changed.path, changed.name) == ("", usual.name)
    assert usual.turns == 6


@pytest.mark.parametrize("name", shipped_scenarios())
def test_no_change_is_the_same_scenario(name: str) -> None:
    usual = load_scenario(name)
    assert with_changes(usual, {}).digest == usual.digest
    assert with_changes(usual, {"turns": usual.turns}).source == usual.source


def test_a_change_taken_back_is_the_same_scenario() -> None:
    usual = load_scenario("stairwell")
    changed = with_changes(usual, {"forces[2].officer": 3, "title": "x"})
    assert (
        with_changes(changed, {("forces", 2, "officer"): None, "title": usual.title}).digest == usual.digest
    )
    assert with_changes(usual, {"margin": None, "options.nothing": None}).margin == 1


def test_units_and_objectives_can_go() -> None:
    usual = load_scenario("stairwell")
    changed = with_changes(usual, {"objectives[3]": None, "objectives[2]": None})
    assert changed.objectives == usual.objectives[:2]


def test_what_records_hold_is_read_back() -> None:
    changed = with_changes(
        load_scenario("stairwell"), {"turns": 2, "sides[0].name": "Ruby", "forces": red_and_blue()}
    )
    again = decode_scenario(changed.source, changed.board)
    assert again.digest == changed.digest
    one, two = (play(scenario, ("random", "random"), 3) for scenario in (changed, again))
    assert one.record() == two.record()
    assert one.row()["sides"] == ["Ruby", "Blue"]


def red_and_blue() -> list[dict[str, Any]]:
    at = (("Ruby", "house.west:0"), ("Blue", "house.east:0"))
    names = (("Ruby", "officer", "Red officer"), ("Blue", "officer", "Blue officer"))
    units = [{"side": side, "type": "rifle_section", "at": place} for side, place in at]
    nodes = ("g1.4", "g8.3")
    return units + [
        {"side": side, "type": kind, "name": name, "at": node}
        for (side, kind, name), node in zip(names, nodes, strict=True)
    ]


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"turns": 0}, r"the scenario 'stairwell', changed: turns: "),
        ({"turms": 4}, r"unknown key 'turms'; did you mean 'turns'"),
        ({"forces[99].quality": "veteran"}, r"there is no 'forces\[99\]' to change"),
        ({"turns.x": 4}, r"there is no 'turns.x' to change"),
        ({"forces[0].quality": "brilliant"}, r"forces\[0\].*brilliant"),
        ({"forces[0].at": "nowhere"}, r"has no place 'nowhere'"),
        ({"ruleset": "chess"}, r"unknown ruleset 'chess'"),
        ({"": 3}, r"'' is not a place"),
        ({"turns": object()}, r"a change is not plain data"),
    ],
)
def test_a_change_that_makes_no_sense_is_told(changes: dict[Place, Any], words: str) -> None:
    with pytest.raises(InputError, match=words):
        with_changes(load_scenario("stairwell"), changes)


def test_a_place_that_a_map_does_not_have_is_told_of_the_map() -> None:
    usual = load_scenario("stairwell")
    with pytest.raises(InputError, match=r"no 'buildings\[9\]' to change; see what the map's file has"):
        with_map_changes(usual, {"buildings[9].floors": 2})
    with pytest.raises(
        InputError, match=r"'' is not a place; give one such as storey or buildings\[0\]\.floors"
    ):
        with_map_changes(usual, {"": 2})


def test_every_fault_of_the_changes_is_told() -> None:
    with pytest.raises(InputError) as error:
        with_changes(load_scenario("stairwell"), {"turns": 0, "margin": -1})
    assert len(error.value.faults) == 2
    assert all(fault.line == 0 for fault in error.value.faults)


def test_a_name_is_no_loaded_scenario() -> None:
    with pytest.raises(InputError, match="'stairwell' is not a loaded scenario; load it first"):
        with_changes(cast(Any, "stairwell"), {"turns": 4})
