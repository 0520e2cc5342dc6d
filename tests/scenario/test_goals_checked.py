"""A place that nobody can hold is told beforehand: closed, in water, or a floor on which the rulebook lets nobody stand."""

from __future__ import annotations

from pathlib import Path

import pytest

from battlesim.scenario import check_scenario

MAP = """\
name: pond
size: [30, 24]
ground: {kind: lattice, pitch: 3}
terrain:
  - {kind: water, rect: [0, 18, 9, 24]}
buildings:
  - {name: house, rect: [12, 9, 18, 15], floors: 3, openings: [{kind: door, side: south}]}
  - {name: shed, rect: [21, 9, 27, 15], closed: true}
"""
SCENARIO = """\
name: made
ruleset: {ruleset}
map: pond.yaml
sides: [{{name: Red}}, {{name: Blue}}]
forces:
  - {{side: Red, type: {type}, at: g0.0}}
  - {{side: Blue, type: {type}, at: g9.0}}
objectives:
  - {{kind: hold, {goal}}}
"""
TYPES = {"orderdice": "rifle_section", "armorclass": "rifle_team", "regiment": "spearmen"}
NOBODY = "nobody can hold this place: no unit can stand there"
SHUT = "nobody can hold this place while it stands: all of it is closed"


def told(tmp_path: Path, ruleset: str, goal: str, map_text: str = MAP) -> list[str]:
    (tmp_path / "pond.yaml").write_text(map_text, encoding="utf-8")
    file = tmp_path / "made.yaml"
    file.write_text(SCENARIO.format(ruleset=ruleset, type=TYPES[ruleset], goal=goal), encoding="utf-8")
    faults = check_scenario(file)
    assert {fault.level for fault in faults} <= {"warning"}
    return [fault.what for fault in faults]


@pytest.mark.parametrize("ruleset", TYPES)
def test_a_place_that_nobody_can_hold_is_told(tmp_path: Path, ruleset: str) -> None:
    assert told(tmp_path, ruleset, "places: [g0.7, g1.7]") == [NOBODY]
    assert told(tmp_path, ruleset, "places: [g0.7, g4.7]") == []
    assert told(tmp_path, ruleset, "buildings: [shed]") == [SHUT]
    assert told(tmp_path, ruleset, "buildings: [shed], places: [g0.7]") == [SHUT]
    assert told(tmp_path, ruleset, "buildings: [house]") == []


def test_regiments_hold_rooms(tmp_path: Path) -> None:
    """No floor of the house is more than 6 inches up, so its ground floor is its only room."""
    upstairs = 'places: ["house.1:1"]'
    assert told(tmp_path, "orderdice", upstairs) == []
    assert told(tmp_path, "regiment", upstairs) == [NOBODY]
    assert told(tmp_path, "regiment", 'places: ["house.1:0"]') == []


@pytest.mark.parametrize("ruleset", ["orderdice", "armorclass"])
def test_an_edge_in_water_is_told(tmp_path: Path, ruleset: str) -> None:
    """The pond reaches over the whole northern edge, and over part of the western one."""
    wide = MAP.replace("[0, 18, 9, 24]", "[0, 18, 30, 24]")
    leave = "places: [g1.1]}\n  - {kind: exit, side: Red, edge: "
    assert told(tmp_path, ruleset, leave + "west", wide) == []
    assert told(tmp_path, ruleset, leave + "north", wide) == [
        "nobody can leave by this edge: no unit can stand there"
    ]
