"""A reserve that can never come on is a fault, for want of a place as much as for want of time."""

from __future__ import annotations

from pathlib import Path

import pytest

from battlesim.scenario import check_scenario

LAKE = """\
name: lake
size: [30, 30]
ground: {kind: lattice, pitch: 3}
terrain:
  - {kind: water, rect: [0, 24, 30, 30]}
  - {kind: woods, rect: [24, 0, 30, 24]}
buildings:
  - {name: house, rect: [6, 6, 12, 12], openings: [{kind: door, side: south}]}
"""
SCENARIO = """\
name: late
ruleset: {ruleset}
map: lake.yaml
sides:
  - {{name: Red, zones: {{house: {{buildings: [house]}}, farm: {{buildings: [house], places: [g0.0]}}}}}}
  - {{name: Blue}}
forces:
  - {{side: Blue, type: {type}, at: g5.5}}
  - {{side: Red, type: {type}, at: g0.5}}
  - {{side: Red, type: {type}, reserve: {{turn: 2, {where}}}}}
"""
NO_EDGE = "reserve.edge: no place on that edge of the map lets it come on; name another edge, or a zone"
NO_GROUND = "reserve.zone: no place of zone 'house' lets it come on: it comes on outdoors, where it can stand"


def messages(tmp_path: Path, ruleset: str, kind: str, where: str) -> list[str]:
    (tmp_path / "lake.yaml").write_text(LAKE, encoding="utf-8")
    file = tmp_path / "late.yaml"
    file.write_text(SCENARIO.format(ruleset=ruleset, type=kind, where=where), encoding="utf-8")
    return [str(fault) for fault in check_scenario(file) if "reserve" in fault.place]


@pytest.mark.parametrize(("ruleset", "kind"), [("orderdice", "rifle_section"), ("armorclass", "rifle_team")])
def test_a_reserve_needs_a_place_to_come_on_at(tmp_path: Path, ruleset: str, kind: str) -> None:
    for where in ("edge: east", "edge: south", "zone: farm"):
        assert messages(tmp_path, ruleset, kind, where) == []
    (nowhere,) = messages(tmp_path, ruleset, kind, "edge: north")  # all water
    assert nowhere.startswith(f"{tmp_path / 'late.yaml'}:10: forces[2].{NO_EDGE}")
    (indoors,) = messages(tmp_path, ruleset, kind, "zone: house")
    assert indoors.startswith(f"{tmp_path / 'late.yaml'}:10: forces[2].{NO_GROUND}")


def test_a_lorry_does_not_come_on_through_the_woods(tmp_path: Path) -> None:
    (fault,) = messages(tmp_path, "orderdice", "truck", "edge: east")
    assert NO_EDGE in fault
    assert messages(tmp_path, "orderdice", "truck", "edge: west") == []
