"""The shipped maps and the schema that editors use."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path

import jsonschema
import pytest
import yaml

from battlesim.board.board import Board
from battlesim.board.build import build_board
from battlesim.board.check import check_map
from battlesim.board.findings import Findings
from battlesim.board.load import load_map, map_path, maps_folder, shipped_maps
from battlesim.board.mapfile import MapFile, canonical_bytes, map_schema, map_schema_text
from battlesim.board.shapes import extents
from battlesim.board.yamlfile import parse_yaml, read_bytes

HAND_MADE = ("bunker-line", "open-ground", "stairwell", "tobacco-factory", "village")


def map_file(name: str) -> MapFile:
    """The content of a shipped map's file."""
    return parse_yaml(read_bytes(map_path(name)), MapFile, name)


def test_schema_is_fresh() -> None:
    """`python -m battlesim.board.mapfile > maps/schema/map.schema.json` makes it again."""
    assert (maps_folder() / "schema" / "map.schema.json").read_text() == map_schema_text()


def test_shipped_maps_are_found() -> None:
    assert set(HAND_MADE) <= set(shipped_maps())
    assert map_path("stairwell") == maps_folder() / "stairwell.yaml"
    assert map_path("some/where.yaml") == Path("some/where.yaml")


@pytest.mark.parametrize("name", shipped_maps())
def test_shipped_map_is_in_order(name: str) -> None:
    path = map_path(name)
    text = path.read_text()
    assert text.splitlines()[0] == "# yaml-language-server: $schema=schema/map.schema.json"
    assert [str(fault) for fault in check_map(path)] == []
    jsonschema.Draft202012Validator(map_schema()).validate(yaml.safe_load(text))
    board = load_map(name)
    assert board.name == name
    assert all(extents(section.polygon)[0] <= 800 for section in board.sections)


def test_schema_refuses_what_the_models_refuse() -> None:
    validator = jsonschema.Draft202012Validator(map_schema())
    good = yaml.safe_load(map_path("stairwell").read_text())
    validator.validate(good)
    for change in ({"sise": [1, 2]}, {"size": [0, 2]}, {"ground": {"kind": "square"}}, {"storey": "high"}):
        assert not validator.is_valid({**good, **change}), change
    assert json.loads(map_schema_text())["$schema"].endswith("2020-12/schema")


def test_digest_is_of_what_the_file_says(tmp_path: Path) -> None:
    text = map_path("stairwell").read_text()
    reworded = "# another comment\n" + text.replace("size: [30, 24]", "size:\n  - 30.0\n  - 24.00")
    (tmp_path / "a.yaml").write_text(reworded)
    assert load_map(tmp_path / "a.yaml") is load_map("stairwell")
    (tmp_path / "b.yaml").write_text(text.replace("rect: [9, 9, 15, 15]", "rect: [9, 9.01, 15, 15]"))
    assert load_map(tmp_path / "b.yaml").digest != load_map("stairwell").digest
    built = build_board(map_file("stairwell"), Findings())
    assert built is not None
    assert built is not load_map("stairwell")
    assert built.digest == load_map("stairwell").digest


def test_canonical_bytes_leave_out_what_is_default() -> None:
    short = "name: a\nsize: [9, 9]\nground: {kind: lattice}\n"
    long = short + "storey: 3\nterrain: []\nunit: inch\n"
    one, two = (parse_yaml(text.encode(), MapFile, "a") for text in (short, long))
    assert canonical_bytes(one) == canonical_bytes(two)
    assert json.loads(canonical_bytes(one))["size"] == [900, 900]


def test_lengths_are_whole_hundredths() -> None:
    mapfile = map_file("village")
    assert mapfile.size == (7200, 4800)
    assert mapfile.buildings[0].storey == 400
    assert mapfile.buildings[0].sections[1].corners[0] == (2900, 3250)


def test_open_ground_is_fair() -> None:
    """Turned half round about its middle, the board is the same."""
    board = load_map("open-ground")
    width, height = board.size
    at = {(space.kind, space.x, space.y, space.floor): space.id for space in board.spaces}
    turned = [at[space.kind, width - space.x, height - space.y, space.floor] for space in board.spaces]
    for space in board.spaces:
        other = board.spaces[turned[space.id]]
        assert (space.z, space.terrain) == (other.z, other.terrain)

    def ways(board: Board, turn: bool) -> Counter[tuple[object, ...]]:
        found: Counter[tuple[object, ...]] = Counter()
        for way in board.ways:
            ends = (turned[way.a], turned[way.b]) if turn else (way.a, way.b)
            found[min(ends), max(ends), way.kind, way.length, way.obstacle, way.rough] += 1
        return found

    plain, round_ = ways(board, False), ways(board, True)
    assert plain == round_


def test_what_the_maps_promise() -> None:
    factory = load_map("tobacco-factory")
    assert len(factory.buildings["factory"]) == 9
    assert {section.top + 1 for section in factory.sections if section.building == "factory"} == {2, 3, 4}
    assert any(section.flat_roof for section in factory.sections)
    village = load_map("village")
    assert len(village.buildings) >= 8
    assert {section.material for section in village.sections} == {"wood", "brick", "stone"}
    assert any(way.road for way in village.ways)
    assert any(way.water for way in village.ways)
    bunkers = load_map("bunker-line")
    assert sum(section.kind == "bunker" for section in bunkers.sections) == 5
    for section in bunkers.sections:
        if section.kind == "bunker":
            kinds = {bunkers.openings[number].kind for number in section.openings[0]}
            assert "slit" in kinds
            assert kinds <= {"slit", "door"}
