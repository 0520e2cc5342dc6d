"""Scenario files: found, read, resolved, hashed, set up."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from battlesim.board.load import decode_map, load_map, maps_folder
from battlesim.core.codec import dump_state, position
from battlesim.core.errors import InputError
from battlesim.core.geometry import in_polygon
from battlesim.rulesets.finder import find_ruleset
from battlesim.scenario import first_state, load_scenario, shipped_scenarios
from battlesim.scenario.file import scenario_schema_text
from battlesim.scenario.load import decode_scenario, scenarios_folder
from battlesim.scenario.zones import holds_polygon, spaces_in
from tests.scenario.making import HALVES, errors, make, warnings

SHIPPED = shipped_scenarios()


def square(west: int, south: int, east: int, north: int) -> tuple[tuple[int, int], ...]:
    return ((west, south), (east, south), (east, north), (west, north))


@pytest.mark.parametrize("name", SHIPPED)
def test_shipped_scenarios_load_and_begin_without_a_fault(name: str) -> None:
    scenario = load_scenario(name)
    assert scenario.name == name
    assert scenario.warnings == ()
    state = first_state(scenario, 1)
    assert find_ruleset(scenario.ruleset).faults(state, scenario.board) == []
    assert [unit.name for unit in state.units.values()] == [force.name for force in scenario.forces]
    loaded = find_ruleset(scenario.ruleset).codec.load(dump_state(state))
    assert dump_state(loaded) == dump_state(state)


def test_there_are_scenarios() -> None:
    assert {"skirmish", "stairwell"} <= set(SHIPPED)


def test_the_published_schema_is_fresh() -> None:
    path = maps_folder() / "schema" / "scenario.schema.json"
    assert path.read_text(encoding="utf-8") == scenario_schema_text()


def test_shipped_scenarios_fit_the_schema() -> None:
    import yaml
    from jsonschema import Draft202012Validator

    validator = Draft202012Validator(json.loads(scenario_schema_text()))
    for name in SHIPPED:
        text = (maps_folder() / "scenarios" / f"{name}.yaml").read_text(encoding="utf-8")
        assert list(validator.iter_errors(yaml.safe_load(text))) == []
        assert text.startswith("# yaml-language-server: $schema=../schema/scenario.schema.json\n")


FORCES = """
forces:
  - {side: Red, type: officer, at: g3.1}
  - {side: Red, type: small_rifle_section, zone: west, count: 2}
  - {side: Red, type: small_rifle_section, zone: west}
  - {side: Red, type: assault_section, name: Tiger, zone: west, count: 2}
  - {side: Blue, type: officer, zone: east, quality: veteran, models: 1, officer: 3, facing: north}
objectives:
  - {kind: survive, units: [Tiger]}
  - {kind: destroy, units: [Tiger 2, Red officer], name: two of them}
  - {kind: hold, places: [g3.1], buildings: [house.west], points: 4}
  - {kind: exit, side: Blue, edge: west}
  - {kind: destroy, side: Blue, buildings: [house]}
"""


def test_names_and_numbers_of_units() -> None:
    scenario = make(FORCES, zones=HALVES)
    assert errors(scenario) == []
    assert [force.name for force in scenario.forces] == [
        "Red officer",
        "Red small rifle section 1",
        "Red small rifle section 2",
        "Red small rifle section 3",
        "Tiger 1",
        "Tiger 2",
        "Blue officer",
    ]
    blue = scenario.forces[6]
    assert (blue.side, blue.quality, blue.models, blue.officer, blue.facing) == (1, "veteran", 1, 3, 2)


def test_objectives_are_resolved() -> None:
    scenario = make(FORCES, zones=HALVES)
    board = scenario.board
    survive, destroy, hold, leave, blow_up = scenario.objectives
    assert (survive.side, survive.units) == (0, (4, 5))
    assert (destroy.side, destroy.units, destroy.name) == (1, (5, 0), "two of them")
    west = board.sections[board.section("house.west")]
    assert hold.places == tuple(sorted((board.space("g3.1"), *west.spaces, west.ruin)))
    assert (hold.side, hold.points) == (-1, 4)
    assert (leave.side, leave.edge, leave.units) == (1, "w", ())
    assert blow_up.sections == board.buildings["house"]


@pytest.mark.clause("OD-ENTER-6")
def test_a_floor_lies_in_a_zone_only_with_its_whole_section() -> None:
    board = load_map("stairwell")
    west, east = board.section("house.west"), board.section("house.east")
    outline = square(0, 0, 2000, 2400)  # a hundredth short of an inch: the eastern stairwell ends at 21
    found = spaces_in(board, outline, (), ())
    assert set(board.sections[west].spaces) <= set(found)
    assert not set(board.sections[east].spaces) & set(found)
    # its wall on the zone's edge is still inside
    assert set(board.sections[east].spaces) <= set(spaces_in(board, square(0, 0, 2100, 2400), (), ()))
    assert all(board.spaces[place].kind != "ruin" for place in found)


@pytest.mark.parametrize(
    "outline",
    [
        ((101, 0), (300, 300), (0, 102)),  # the wall to the south-west has its midpoint at 50.5, 51
        ((0, 0), (301, 100), (100, 301)),
        ((0, 0), (400, 0), (201, 201), (400, 400), (0, 400)),
    ],
)
def test_an_outline_with_slanted_walls_lies_in_itself(outline: tuple[tuple[int, int], ...]) -> None:
    assert holds_polygon(outline, outline)


def test_a_notch_in_a_zone_is_outside_it() -> None:
    notched = ((0, 0), (30, 0), (30, 30), (20, 30), (20, 10), (10, 10), (10, 30), (0, 30))
    assert not holds_polygon(notched, square(5, 5, 25, 25))
    assert holds_polygon(notched, square(0, 0, 30, 10))
    assert not holds_polygon(notched, square(0, 0, 30, 11))
    assert not holds_polygon(notched, square(10, 10, 20, 30))


@settings(max_examples=60, deadline=None)
@given(
    st.tuples(*[st.integers(0, 40)] * 2),
    st.tuples(*[st.integers(1, 20)] * 2),
    st.tuples(*[st.integers(0, 40)] * 2),
    st.tuples(*[st.integers(1, 40)] * 2),
)
def test_one_rectangle_in_another(
    a: tuple[int, ...], da: tuple[int, ...], b: tuple[int, ...], db: tuple[int, ...]
) -> None:
    inner = square(a[0], a[1], a[0] + da[0], a[1] + da[1])
    outer = square(b[0], b[1], b[0] + db[0], b[1] + db[1])
    assert holds_polygon(outer, inner) == all(in_polygon(p, outer) for p in inner)


def test_the_digest_says_what_file_and_map_say(tmp_path: Path) -> None:
    source = maps_folder() / "scenarios" / "stairwell.yaml"
    text = source.read_text(encoding="utf-8").replace("../stairwell.yaml", "stairwell")
    other = tmp_path / "copy.yaml"
    other.write_text("# the same, by another road\n" + text.replace("turns: 6\n", ""), encoding="utf-8")
    assert load_scenario(other).digest == load_scenario("stairwell").digest
    other.write_text(text.replace("turns: 6", "turns: 7"), encoding="utf-8")
    assert load_scenario(other).digest != load_scenario("stairwell").digest
    other.write_text(text.replace("map: stairwell", "map: open-ground"), encoding="utf-8")
    with pytest.raises(InputError, match=r"has no place 'house\.west:0'"):
        load_scenario(other)


def test_a_shipped_scenario_that_was_copied_is_told_how_to_name_its_map(tmp_path: Path) -> None:
    copied = tmp_path / "mine.yaml"
    copied.write_bytes((scenarios_folder() / "skirmish.yaml").read_bytes())
    with pytest.raises(InputError, match="write `map: open-ground` for the shipped map"):
        load_scenario(copied)
    copied.write_text(copied.read_text().replace("map: ../open-ground.yaml", "map: open-ground"))
    assert load_scenario(copied).board.name == "open-ground"


def test_a_map_by_its_path_from_the_scenario(tmp_path: Path) -> None:
    (tmp_path / "maps").mkdir()
    text = (maps_folder() / "stairwell.yaml").read_text(encoding="utf-8")
    (tmp_path / "maps" / "mine.yaml").write_text(text, encoding="utf-8")
    words = (maps_folder() / "scenarios" / "stairwell.yaml").read_text(encoding="utf-8")
    path = tmp_path / "s.yaml"
    path.write_text(words.replace("../stairwell.yaml", "maps/mine.yaml"), encoding="utf-8")
    scenario = load_scenario(path)
    assert scenario.board is load_map("stairwell").under(find_ruleset(scenario.ruleset).sight)
    assert load_scenario(str(path)).path == str(path)


def test_the_variation_seed_fills_the_zones() -> None:
    scenario = make(FORCES, zones=HALVES)
    hashes = [position(first_state(scenario, seed)) for seed in range(8)]
    assert hashes == [position(first_state(scenario, seed)) for seed in range(8)]
    assert len(set(hashes)) == 8


def test_a_faulty_force_leaves_the_numbers_of_the_others_alone() -> None:
    scenario = make(
        """
        forces:
          - {side: Red, type: officer, at: nowhere}
          - {side: Blue, type: officer, name: B, at: g9.1, opening: east}
        objectives: [{kind: survive, units: [B]}]
        """
    )
    assert scenario.forces[0].place == -1
    assert scenario.objectives[0].units == (1,)
    assert [error.split(":")[0] for error in errors(scenario)] == ["forces[0].at", "forces[1].opening"]


@pytest.mark.parametrize("name", shipped_scenarios())
def test_a_scenario_is_read_back_from_what_records_hold(name: str) -> None:
    scenario = load_scenario(name)
    board = decode_map(scenario.board.source)
    again = decode_scenario(scenario.source, board)
    assert board.under(find_ruleset(scenario.ruleset).sight) is scenario.board
    assert replace(again, path=scenario.path, warnings=scenario.warnings) == scenario
    assert dump_state(first_state(again, 3)) == dump_state(first_state(scenario, 3))


@pytest.mark.parametrize("seed", ["1", 1.5, True, 2**64])
def test_a_first_state_has_a_seed_of_64_bits(seed: Any) -> None:
    with pytest.raises(InputError, match="is not usable; give a whole number of 64 bits"):
        first_state(load_scenario("stairwell"), seed)


@pytest.mark.parametrize(
    ("ruleset", "map", "house", "troops"),
    [
        ("orderdice", "stairwell", "house", "rifle_section"),
        ("squadhex", "square", "pharmacy", "rifle_squad"),
        ("armorclass", "outpost", "guardhouse", "rifle_team"),
        ("regiment", "watch-house", "watch-house", "swordsmen"),
    ],
)
def test_a_place_to_hold_that_is_closed_gets_a_warning(
    ruleset: str, map: str, house: str, troops: str
) -> None:
    places = [space.name for space in load_map(map).spaces if space.kind == "ground"]

    def told(closed: str, hold: str) -> list[str]:
        scenario = make(
            f"""
            forces:
              - {{side: Red, type: {troops}, at: "{places[0]}"}}
              - {{side: Blue, type: {troops}, at: "{places[-1]}"}}
            buildings: {{{house}: {{closed: {closed}}}}}
            objectives: [{{kind: hold, name: it, {hold}, points: 1}}]
            """,
            map,
            ruleset=ruleset,
        )
        assert not errors(scenario)
        return [f"{fault.place}: {fault.what}" for fault in warnings(scenario) if "closed" in fault.what]

    building = f"buildings: [{house}]"
    assert told("true", building) == [
        "objectives[0]: nobody can hold this place while it stands: all of it is closed"
    ]
    assert told("false", building) == []
    assert told("true", f'{building}, places: ["{places[1]}"]') == []
