"""Pictures of battles: every unit on the map and in the list, its fire and its losses, objectives and zones, on any rulebook."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from xml.etree import ElementTree

import pytest

from battlesim import play
from battlesim.board.draw import count_floors, draw_map
from battlesim.board.drawmarks import GOLD
from battlesim.board.load import load_map, shipped_maps
from battlesim.cli.replay import setting_of
from battlesim.core.events import ModelsLost, TurnEnded
from battlesim.engine.origin import board_of
from battlesim.engine.record import Record, parse_record
from battlesim.viewer.film import Film, film_of
from battlesim.viewer.picture import draw_board, draw_picture, shown_at
from battlesim.viewer.symbols import COLOURS, CONTESTED
from tests.shipped import load
from tests.viewer.test_page import HOSTILE, poisoned

SVG = "{http://www.w3.org/2000/svg}"


@cache
def made(name: str) -> tuple[Record, Film]:
    record = parse_record(play(load(name), ("greedy", "rush"), seed=5).record(), "x")
    return record, film_of(record, board_of(record))


def drawn(name: str, turn: int | None, known: bool = True, floor: int | None = None) -> ElementTree.Element:
    record, film = made(name)
    setting = setting_of(load(name)) if known else None
    return ElementTree.fromstring(
        draw_picture(board_of(record), record.header, film, turn, floor, setting=setting)
    )


def texts(root: ElementTree.Element) -> list[str]:
    return [text.text or "" for text in root.iter(SVG + "text")]


def groups(root: ElementTree.Element, name: str) -> list[ElementTree.Element]:
    return [g for g in root.iter(SVG + "g") if name in (g.get("class") or "").split()]


@pytest.mark.parametrize("name", ["skirmish", "square", "outpost", "watch-house"])
@pytest.mark.parametrize("turn", [0, 1, 2, None])
def test_everybody_is_in_the_picture(name: str, turn: int | None) -> None:
    record, film = made(name)
    root, values = drawn(name, turn), shown_at(film, turn).values
    shown = texts(root)
    for unit in film.full:
        called = shown_name(record, unit)
        assert any(line.startswith(called) for line in shown), called
    standing = [values[f"u{n}"] for n in film.full if values[f"m{n}"] and values[f"u{n}"]]
    upstairs = sum(spot[5] > 0 for spot in standing)
    assert len(groups(root, "unit")) == len(standing) + upstairs
    fallen = [n for n in film.full if not values[f"m{n}"] and values[f"u{n}"]]
    assert len(groups(root, "fell")) == len(fallen)
    for goal in load(name).objectives:
        assert any(line.startswith(goal.name) for line in shown)
    assert sum(p.get("class") == "zone" for p in root.iter(SVG + "path")) == sum(
        len(side.zones) for side in load(name).sides
    )


def shown_name(record: Record, unit: int) -> str:
    import json

    name: str = json.loads(bytes(record.header.start))["units"][unit]["name"]
    return name


@pytest.mark.parametrize("name", ["skirmish", "square"])
def test_a_picture_has_the_fire_and_the_losses_of_its_turn(name: str) -> None:
    record, film = made(name)
    turn, lost, shots = 1, {1: 0, 2: 0}, {1: 0, 2: 0}
    for event in record.events:
        turn += isinstance(event, TurnEnded)
        if turn in lost:
            lost[turn] += event.lost if isinstance(event, ModelsLost) else 0
            shots[turn] += getattr(event, "name", "") in ("Shot", "Attacked")
    for number in (1, 2):
        shown = shown_at(film, number)
        assert shown.turn == number
        assert sum(e["lost"] for e in shown.effects if e["kind"] in ("lost", "fell")) == lost[number]
        lines = [p for p in drawn(name, number).iter(SVG + "path") if "shot" in (p.get("class") or "")]
        assert bool(lines) == bool(shots[number])
        assert len(lines) <= shots[number]
    assert sum(lost.values()) > 0
    assert sum(shots.values()) > 0


def test_the_last_picture_is_of_the_turn_that_was_played_last() -> None:
    record, film = made("skirmish")
    last = max(event.turn for event in record.events if isinstance(event, TurnEnded))
    end, scene = shown_at(film), shown_at(film, last)
    assert end.effects[: len(scene.effects)] == scene.effects
    assert shown_at(film, 99) == end


def test_before_the_battle_nothing_has_passed() -> None:
    _, film = made("skirmish")
    start = shown_at(film, 0)
    assert start.values == film.start
    assert start.effects == ()


def test_names_hide_neither_marks_nor_other_names() -> None:
    for name in ("skirmish", "square", "watch-house"):
        root = drawn(name, 2)
        boxes = []
        for text in root.iter(SVG + "text"):
            if text.get("class") == "name":
                size, wide = float(text.get("font-size", 0)), len(text.text or "")
                x, y = float(text.get("x", 0)), float(text.get("y", 0))
                boxes.append((x - wide * size * 0.28, y - size, x + wide * size * 0.28, y))
        assert boxes
        for n, a in enumerate(boxes):
            for b in boxes[n + 1 :]:
                assert a[0] >= b[2] - 2 or a[2] <= b[0] + 2 or a[1] >= b[3] - 2 or a[3] <= b[1] + 2


def test_without_its_scenario_a_picture_has_no_zones() -> None:
    root = drawn("skirmish", 2, known=False)
    assert not [p for p in root.iter(SVG + "path") if p.get("class") == "zone"]
    assert any("the farm" in text for text in texts(root))


def test_floors_beside_the_ground_can_be_left_out() -> None:
    _, film = made("square")
    turn = next(
        t
        for t in range(1, 7)
        if any(v and k[0] == "u" and v[5] > 0 for k, v in shown_at(film, t).values.items())
    )
    both, none = drawn("square", turn), drawn("square", turn, floor=0)
    assert len(groups(both, "panel")) >= 1
    assert groups(none, "panel") == []
    assert int(both.get("width", 0)) > int(none.get("width", 0))
    assert len(groups(both, "unit")) > len(groups(none, "unit"))


@pytest.mark.parametrize("name", shipped_maps())
def test_a_map_is_drawn_with_all_its_floors(name: str) -> None:
    board = load_map(name)
    root = ElementTree.fromstring(draw_board(board))
    titles = [text.text or "" for text in root.iter(SVG + "text") if text.get("class") == "title"]
    floors = {(s.building, floor) for s in board.sections for floor in range(1, len(s.spaces))}
    assert sorted(titles) == sorted(f"{building}, floor {floor}" for building, floor in floors)
    assert max((floor for _, floor in floors), default=0) == count_floors(board) - 1
    assert "nan" not in ElementTree.tostring(root, encoding="unicode")


@pytest.mark.parametrize(("width", "height"), [(10, 10), (14, 12), (24, 60)])
def test_the_texts_around_a_small_map_fit(width: int, height: int, tmp_path: Path) -> None:
    """They were cut off at the right, and the compass stood on the line below the title."""
    file = tmp_path / "yard.yaml"
    file.write_text(f"name: yard\nsize: [{width}, {height}]\nground: {{kind: lattice, pitch: 3}}\n")
    board = load_map(file)
    for root in map(ElementTree.fromstring, (draw_board(board), draw_map(board))):
        paths = [path.get("d", "") for path in root.iter(SVG + "path")]
        (compass,) = [float(line[1:].split()[0]) for line in paths if "l7 -30l7 30" in line]
        for text in root.iter(SVG + "text"):
            end = float(text.get("x", "0")) + len(text.text or "") * float(text.get("font-size", "0")) * 0.5
            if text.get("text-anchor") != "middle":
                assert end <= float(root.get("width", "0")), text.text
            if text.get("font-style") == "italic":
                assert end <= compass


def test_hostile_names_stay_text() -> None:
    record = poisoned("skirmish")
    board = board_of(record)
    root = ElementTree.fromstring(draw_picture(board, record.header, film_of(record, board)))
    assert not list(root.iter(SVG + "img"))
    assert not list(root.iter(SVG + "script"))
    assert any(text.startswith("South 1st section " + HOSTILE[:8]) for text in texts(root))


@pytest.mark.parametrize("name", ["stairwell", "silo"])
def test_a_flag_has_the_colour_of_who_is_there(name: str) -> None:
    _, film = made(name)
    colours = {-1: GOLD, 0: COLOURS[0], 1: COLOURS[1], 2: CONTESTED}
    values = shown_at(film, None).values
    wanted = [
        colours[values.get(f"g{n}", -1)] for n, goal in enumerate(film.goals) if goal.places or goal.sections
    ]
    flags = groups(drawn(name, None), "flag")
    assert [flag.find(f"{SVG}path").get("fill") for flag in flags] == wanted  # type: ignore[union-attr]
    assert set(wanted) - {GOLD}
