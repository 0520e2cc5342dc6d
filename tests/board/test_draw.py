"""Pictures: well-formed, the same bytes each time, and names never markup."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from xml.etree import ElementTree

import pytest

from battlesim.board.draw import Arrow, Mark, count_floors, draw_map
from battlesim.board.load import load_map, shipped_maps

SVG = "{http://www.w3.org/2000/svg}"


@pytest.mark.parametrize("name", shipped_maps())
def test_every_floor_is_well_formed(name: str) -> None:
    board = load_map(name)
    for floor in range(count_floors(board)):
        root = ElementTree.fromstring(draw_map(board, floor))
        assert root.tag == SVG + "svg"
        texts = [element.text for element in root.iter(SVG + "text")]
        assert board.title in texts
        assert "nan" not in draw_map(board, floor)


def test_names_are_text(tmp_path: Path) -> None:
    file = tmp_path / "map.yaml"
    file.write_text(
        "name: evil\ntitle: '<script>alert(1)</script> & \"more\"'\nattribution: <b>me</b>\nsize: [30, 24]\n"
        "ground: {kind: lattice}\n"
    )
    picture = draw_map(
        load_map(file),
        marks=[Mark(300, 300, "</text><script>", 'red"/><script>'), Mark(600, 600, "\x00\x1b", "blue")],
        arrows=[Arrow(0, 0, 300, 300, "url(http://x)")],
        caption="<i>",
    )
    assert "<script" not in picture
    assert "<b>" not in picture
    assert "url(http" not in picture
    texts = [element.text for element in ElementTree.fromstring(picture).iter(SVG + "text")]
    assert '<script>alert(1)</script> & "more"' in texts
    assert "</text><script>" in texts
    assert "??" in texts


@pytest.mark.parametrize("shape", ["disc", "square", "diamond", "triangle", "cross"])
def test_marks_and_events(shape: str) -> None:
    board = load_map("village")
    plain = draw_map(board)
    marked = draw_map(
        board,
        marks=[(450, 450, "Lee", "#a03020", shape)],
        arrows=[Arrow(450, 450, 900, 900, "#a03020", dashed=True)],
        fallen=[board.section("inn.bar")],
        burning=[board.section("farm.1")],
    )
    ElementTree.fromstring(marked)
    assert ">Lee</text>" in marked
    assert "#a03020" in marked
    assert "#e4572e" in marked
    assert "#e4572e" not in plain


def test_openings_are_drawn_on_their_own_floor() -> None:
    board = load_map("stairwell")
    window = 'stroke="#8fd0ee"'
    counts = [draw_map(board, floor).count(window) for floor in range(4)]
    assert counts == [6, 12, 12, 0]


def test_same_bytes_under_any_hash_seed() -> None:
    code = (
        "import hashlib; from battlesim.board.load import load_map; from battlesim.board.draw import draw_map;"
        "b = load_map('village'); print(hashlib.sha256(repr((draw_map(b), b.spaces, b.ways, b.openings,"
        " b.sections, b.digest)).encode()).hexdigest())"
    )
    digests = [
        subprocess.run(
            [sys.executable, "-c", code],
            env={"PYTHONHASHSEED": seed, "PATH": ""},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for seed in ("1", "2")
    ]
    assert digests[0] == digests[1]
