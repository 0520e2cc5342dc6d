"""What a map says in vain: places that nobody can reach, connections without a floor, openings with no room.

What only a closed section leads to counts as out of reach.
"""

from __future__ import annotations

from pathlib import Path

from battlesim.board.check import check_map
from tests.board.written import HEAD

TOWER = """\
buildings:
  - name: a
    sections:
      - {name: hall, rect: [3, 3, 9, 9], floors: 2, openings: [{kind: door, side: south}]}
      - name: tower
        rect: [9, 3, 15, 9]
        floors: 4
        flat_roof: true
        stairs: %s
        openings: [{kind: window, side: all, floors: all}]
"""


def warnings(tmp_path: Path, text: str) -> list[str]:
    file = tmp_path / "map.yaml"
    file.write_text(HEAD + text)
    faults = check_map(file)
    assert all(fault.level == "warning" for fault in faults)
    return [fault.what for fault in faults]


def test_floors_without_stairs_are_told(tmp_path: Path) -> None:
    told = "nobody can reach {} of section 'a.tower': no stairs and no neighbour lead there"
    assert warnings(tmp_path, TOWER % "[0, 1, 2, 3]") == []
    assert warnings(tmp_path, TOWER % "[1, 2, 3]") == []  # its first floor is reached from the hall's
    assert warnings(tmp_path, TOWER % "[0, 1, 2]") == [told.format("floor 4")]
    assert warnings(tmp_path, TOWER % "[0, 3]") == [told.format("floors 2, 3, 4")]


def test_a_yard_behind_a_closed_section_cannot_be_reached(tmp_path: Path) -> None:
    """The only way into the yard is through the gatehouse, which has a door on both sides."""
    yard = """\
buildings:
  - name: a
    sections:
      - {name: west, rect: [3, 3, 6, 15], openings: [{kind: door, side: west}]}
      - {name: north, rect: [6, 12, 18, 15], openings: [{kind: door, side: north}]}
      - {name: east, rect: [15, 3, 18, 12], openings: [{kind: door, side: east}]}
      - {name: south, rect: [6, 3, 15, 6], closed: %s, openings: [{kind: door, side: all}]}
"""
    size = ["section 'a.west' is 12 long, more than 8", "section 'a.north' is 12 long, more than 8"]
    size += ["section 'a.east' is 9 long, more than 8", "section 'a.south' is 9 long, more than 8"]
    told = (
        "6 ground node(s) cannot be reached from the rest: g2.2, g3.2, g4.2, g2.3, g3.3 and 1 more; left out"
    )
    assert warnings(tmp_path, yard % "false") == size
    assert [what for what in warnings(tmp_path, yard % "true") if what not in size] == [told]


def test_a_connection_that_connects_nothing_is_told(tmp_path: Path) -> None:
    """A house on a hill has no floor at the height of the ground floor below it."""
    text = """\
terrain: [{kind: hill, rect: [12, 0, 30, 24], height: 6}]
buildings:
  - {name: low, rect: [6, 9, 12, 15], openings: [{kind: door, side: south}]}
  - {name: high, rect: [12, 9, 18, 15], openings: [{kind: door, side: south}]}
connections: [{between: [low.1, high.1]%s}]
"""
    told = "sections 'low.1' and 'high.1' have no floor at the same height: nothing is connected"
    assert warnings(tmp_path, text % "") == [told]
    assert warnings(tmp_path, text % ", floors: [0]") == []


def test_a_general_opening_gives_way_on_every_wall(tmp_path: Path) -> None:
    """The windows would stand where the doors do. They are left out, also where some walls border on a neighbour."""
    text = """\
buildings:
  - name: a
    openings: [{kind: door, side: all}, {kind: window, side: all}]
    sections:
      - {name: west, rect: [3, 3, 9, 9]}
      - {name: east, rect: [9, 3, 15, 9]}
"""
    assert warnings(tmp_path, text) == []
