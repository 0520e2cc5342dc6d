"""Pictures: well-formed, the same bytes each time, and names never markup."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from xml.etree import ElementTree

import pytest

from battlesim.board.draw import count_floors, draw_building, draw_map
from battlesim.board.drawmargin import PanelLine
from battlesim.board.drawmarks import Flag, PointMark, ZoneMark, draw_flags, draw_zones
from battlesim.board.load import load_map, maps_folder, shipped_maps
from battlesim.board.svg import Canvas
from tests.board.written import build

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


@pytest.mark.parametrize("name", shipped_maps())
def test_a_building_is_drawn_alone(name: str) -> None:
    board = load_map(name)
    for building, sections in list(board.buildings.items())[:12]:
        top = max(board.sections[section].top for section in sections)
        for floor in range(top + 1):
            picture = draw_building(board, building, floor, caption="</text><script>")
            root = ElementTree.fromstring(picture)
            width, height = float(root.get("width", "0")), float(root.get("height", "0"))
            for element in root.iter(SVG + "polygon"):
                for point in element.get("points", "").split():
                    x, y = map(float, point.split(","))
                    assert 0 <= x <= width
                    assert 0 <= y <= height
            texts = [element.text for element in root.iter(SVG + "text")]
            assert texts.count("</text><script>") == 1
            # The caption names the building: its name would lie across it.
            assert len(sections) == 1 or building not in texts


def test_names_are_text(tmp_path: Path) -> None:
    file = tmp_path / "map.yaml"
    file.write_text(
        "name: evil\ntitle: '<script>alert(1)</script> & \"more\"'\nattribution: <b>me</b>\nsize: [30, 24]\n"
        "ground: {kind: lattice}\n"
    )
    picture = draw_map(
        load_map(file),
        marks=[
            PointMark(300, 300, "</text><script>", 'red"/><script>'),
            PointMark(600, 600, "\x00\x1b", "blue"),
        ],
        caption="<i>",
    )
    assert "<script" not in picture
    assert "<b>" not in picture
    assert "url(http" not in picture
    texts = [element.text for element in ElementTree.fromstring(picture).iter(SVG + "text")]
    assert '<script>alert(1)</script> & "more"' in texts
    assert "</text><script>" in texts
    assert "??" in texts


@pytest.mark.parametrize("shape", ["disc", "square", "diamond", "triangle"])
def test_marks_and_events(shape: str) -> None:
    board = load_map("village")
    plain = draw_map(board)
    marked = draw_map(
        board,
        marks=[PointMark(450, 450, "Lee", "#a03020", shape)],
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


@pytest.mark.slow
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


def marks_of(picture: str) -> list[ElementTree.Element]:
    root = ElementTree.fromstring(picture)
    return [group for group in root.iter(SVG + "g") if group.get("class") == "mark"]


def circles(picture: str) -> list[tuple[float, float, float]]:
    found = [circle for group in marks_of(picture) for circle in group.iter(SVG + "circle")]
    return [(float(c.get("cx", 0)), float(c.get("cy", 0)), float(c.get("r", 0))) for c in found]


@pytest.mark.parametrize("name", ["square", "village", "helsinki-quarter"])
@pytest.mark.parametrize("together", [1, 2, 4, 6])
def test_units_hide_neither_one_another_nor_their_spaces(name: str, together: int) -> None:
    """Units on one space and on the spaces next to it stand apart; of a hex more is seen than hidden."""
    board = load_map(name)
    ground = [space for space in board.spaces if space.kind == "ground"]
    middle = ground[len(ground) // 2]
    near = sorted(ground, key=lambda space: board.distance(space.id, middle.id))[:7]
    found = circles(draw_map(board, marks=[PointMark(s.x, s.y, "12") for s in near for _ in range(together)]))
    assert len(found) == 7 * together
    for n, (x, y, r) in enumerate(found):
        for other_x, other_y, other_r in found[n + 1 :]:
            assert (x - other_x) ** 2 + (y - other_y) ** 2 >= (r + other_r - 1) ** 2
    if board.unit == "hex":
        hidden = sum(3.15 * r * r for _, _, r in found) / 7
        assert hidden < 0.5 * 0.866 * 56 * 56


def test_trees_of_a_hex_map_stay_by_their_hex() -> None:
    root = ElementTree.fromstring(draw_map(load_map("square")))
    assert max(float(c.get("r", 0)) for c in root.iter(SVG + "circle")) < 56 / 4


def ticks(picture: str) -> dict[str, tuple[float, float]]:
    """Numbers below and left of the sheet, with where they stand."""
    root = ElementTree.fromstring(picture)
    bottom = int(root.get("height", 0)) - 96  # of the sheet
    return {
        f"{axis}{text.text}": (float(text.get("x", 0)), float(text.get("y", 0)))
        for text in root.iter(SVG + "text")
        for axis in ["y" if float(text.get("x", 0)) < 40 else "x" if float(text.get("y", 0)) > bottom else ""]
        if axis
        and (text.text or "").isdigit()
        and text.get("font-size") == "9"
        and text.get("text-anchor") == "middle"
    }


def test_axes_count_in_the_unit_of_the_files() -> None:
    """A map in inches is 20 pixels to the inch, 40 pixels in; node g7.1 of the village lies at 22.5 inches."""
    found = ticks(draw_map(load_map("village")))
    assert found["x24"][0] - found["x0"][0] == 24 * 20
    assert round(found["y0"][1] - found["y24"][1]) == 24 * 20
    assert found["x72"][0] == 40 + 72 * 20
    board = load_map("square")
    found = ticks(draw_map(board))
    for column in (0, 3, 10):
        assert abs(found[f"x{column}"][0] - (40 + board.spaces[board.space(f"g{column}.1")].x * 0.56)) < 0.2


def test_flags_and_zones() -> None:
    board = load_map("village")
    canvas = Canvas(board.size, 20, (40, 40, 40, 40))
    draw_zones(canvas, board, [ZoneMark("#b3321f", (0, 1, 2), "South may set up")])
    draw_flags(
        canvas,
        board,
        [Flag("A", (board.section("inn.bar"),), title="the inn <1>"), Flag("B", (), (300, 300), "a hill")],
    )
    root = ElementTree.fromstring(canvas.render("x"))
    titles = [title.text for title in root.iter(SVG + "title")]
    assert {"the inn <1>", "a hill", "South may set up"} <= set(titles)
    assert sum(group.get("class") == "flag" for group in root.iter(SVG + "g")) == 2
    (zone,) = [path for path in root.iter(SVG + "path") if path.get("class") == "zone"]
    assert zone.get("d", "").count("M") == 3


def test_the_panel_stands_beside_the_map() -> None:
    board = load_map("village")
    picture = draw_map(
        board,
        panel=[
            PanelLine("South", heading=True),
            PanelLine("x" * 80, "1", "#b3321f"),
            PanelLine("gone", "2", "red", faded=True),
        ],
    )
    root = ElementTree.fromstring(picture)
    texts = [text.text or "" for text in root.iter(SVG + "text")]
    assert "South" in texts
    assert max(map(len, (text for text in texts if text.startswith("xx")))) < 60
    assert int(root.get("width", 0)) > int(ElementTree.fromstring(draw_map(board)).get("width", 0)) + 200


def test_the_key_names_what_is_on_the_map() -> None:
    root = ElementTree.fromstring(draw_map(load_map("village")))
    texts = {text.text for text in root.iter(SVG + "text")}
    assert {
        "road",
        "rough",
        "woods",
        "water",
        "hedge",
        "fence",
        "wood",
        "brick",
        "stone",
        "door",
        "window",
    } <= texts
    assert "concrete" not in texts


def test_the_key_names_hills_and_their_height() -> None:
    texts = _texts(draw_map(load_map("monastery")))
    assert "hill (+ its height)" in texts
    assert "+2" in texts  # on the hill itself
    assert "hill (+ its height)" not in _texts(draw_map(load_map("stairwell")))


def test_the_key_tells_deep_water_from_shallow(tmp_path: Path) -> None:
    water = (
        "terrain: [{kind: water, rect: [0, 0, 9, 9]%s}, {kind: water, rect: [12, 0, 18, 9], deep: true}]\n"
    )
    told = "deep water: nobody crosses it"
    both = _texts(draw_map(build(tmp_path, water % "")))
    deep = _texts(draw_map(build(tmp_path, water % ", deep: true")))
    assert ("water" in both, told in both, "water" in deep, told in deep) == (True, True, False, True)
    assert told not in _texts(draw_map(load_map("village")))


def test_stairs_are_drawn_on_each_floor_that_they_join() -> None:
    """The house of the stairwell has two sections of three floors and a roof."""
    board = load_map("stairwell")
    # The steps, and an arrow for each way that they lead: up, both, both, down.
    assert [_stairs(draw_map(board, floor)) for floor in range(4)] == [[2, 2], [3, 3], [3, 3], [2, 2]]
    assert _stairs(draw_building(board, "house", 1)) == [3, 3]
    assert "stairs, with arrows up and down" in _texts(draw_map(board))


def test_no_stairs_are_drawn_where_none_lead(tmp_path: Path) -> None:
    text = (maps_folder() / "stairwell.yaml").read_text(encoding="utf-8")
    file = tmp_path / "cut.yaml"
    file.write_text(text.replace("flat_roof: true", "flat_roof: true\n        stairs: [1]"), encoding="utf-8")
    board = load_map(file)
    assert [_stairs(draw_map(board, floor)) for floor in range(4)] == [[], [2, 2], [2, 2], []]
    file.write_text(text.replace("flat_roof: true", "flat_roof: true\n        stairs: []"), encoding="utf-8")
    assert "stairs, with arrows up and down" not in _texts(draw_map(load_map(file)))


def _texts(picture: str) -> set[str | None]:
    return {text.text for text in ElementTree.fromstring(picture).iter(SVG + "text")}


def _stairs(picture: str) -> list[int]:
    """How many outlines each of the drawn stairs has."""
    groups = ElementTree.fromstring(picture).iter(SVG + "g")
    return [len(group.findall(SVG + "polygon")) for group in groups if group.get("class") == "stairs"]
