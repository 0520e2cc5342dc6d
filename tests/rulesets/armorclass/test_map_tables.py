"""The `armour` tables of a map: a wrong one is a fault, whichever section has it and whatever else the scenario asks."""

from __future__ import annotations

from pathlib import Path

from battlesim.scenario import check_scenario

MAP = """\
name: two
size: [30, 24]
ground: {kind: lattice, pitch: 3}
buildings:
  - {name: sound, rect: [3, 3, 9, 9], openings: [{kind: door, side: south}]}
  - {name: odd, rect: [15, 3, 21, 9], openings: [{kind: door, side: south}], own: {armour: {%s}}}
  - {name: odder, rect: [15, 12, 21, 18], openings: [{kind: door, side: south}], own: {armour: {%s}}}
"""
SCENARIO = """\
name: made
ruleset: armorclass
map: two.yaml
sides: [{name: Red}, {name: Blue}]
forces:
  - {side: Red, type: rifle_team, at: "odd.1:0"}
  - {side: Blue, type: rifle_team, at: "odder.1:0"}
"""


def faults(tmp_path: Path, odd: str, odder: str = "") -> list[str]:
    (tmp_path / "two.yaml").write_text(MAP % (odd, odder), encoding="utf-8")
    (tmp_path / "made.yaml").write_text(SCENARIO, encoding="utf-8")
    return [fault.what for fault in check_scenario(tmp_path / "made.yaml")]


def test_an_unknown_type_after_a_sound_section_is_told(tmp_path: Path) -> None:
    types = [
        "section 'odd.1': own.armour.type 'castle' is unknown",
        "section 'odder.1': own.armour.type 'keep' is unknown",
        "section 'odder.1': own.armour.wall 'mud' is unknown",
    ]
    assert faults(tmp_path, "type: castle", "type: keep, wall: mud") == types


def test_structure_points_have_bounds(tmp_path: Path) -> None:
    assert faults(tmp_path, "points: 1", "points: 1000") == []
    assert faults(tmp_path, "points: -3", "points: 1001") == [
        "section 'odd.1': own.armour.points is -3",
        "section 'odder.1': own.armour.points is 1001",
    ]
