"""Pictures of battles: every unit in the list, its fire and its losses, objectives and zones, on any rulebook."""

from __future__ import annotations

from functools import cache
from xml.etree import ElementTree

import pytest

from battlesim import play
from battlesim.board.load import load_map
from battlesim.cli.replay import setting_of
from battlesim.core.events import ModelsLost, TurnEnded
from battlesim.engine.record import Record, parse_record
from battlesim.viewer.picture import draw_scene
from battlesim.viewer.scene import scene_of
from tests.shipped import load

SVG = "{http://www.w3.org/2000/svg}"


@cache
def record(name: str) -> Record:
    return parse_record(play(load(name), ("greedy", "rush"), seed=5).record(), "x")


def drawn(name: str, turn: int | None, known: bool = True) -> ElementTree.Element:
    kept = record(name)
    board = load_map(kept.header.map.name)
    scene = scene_of(kept, turn)
    return ElementTree.fromstring(
        draw_scene(board, kept.header, scene, setting=setting_of(load(name)) if known else None)
    )


def texts(root: ElementTree.Element) -> list[str]:
    return [text.text or "" for text in root.iter(SVG + "text")]


@pytest.mark.parametrize("name", ["skirmish", "square", "outpost", "watch-house"])
@pytest.mark.parametrize("turn", [1, 2, None])
def test_everybody_is_in_the_picture(name: str, turn: int | None) -> None:
    scene, root = scene_of(record(name), turn), drawn(name, turn)
    shown = texts(root)
    for unit in scene.state.units.values():
        assert any(line.startswith(unit.name) for line in shown), unit.name
    marks = [g for g in root.iter(SVG + "g") if g.get("class") == "mark"]
    standing = sum(unit.alive and unit.place >= 0 for unit in scene.state.units.values())
    assert len(marks) == standing + sum(place >= 0 for place in scene.fell.values())
    assert len({tuple(g.itertext()) for g in marks}) == len(marks)
    for goal in load(name).objectives:
        assert any(line.startswith(goal.name) for line in shown)
    assert sum(p.get("class") == "zone" for p in root.iter(SVG + "path")) == sum(
        len(side.zones) for side in load(name).sides
    )
    lines = [line for line in root.iter(SVG + "polyline") if line.get("class") == "arrow"]
    assert len(lines) == len(scene.shots)


def test_a_scene_has_the_fire_and_the_losses_of_its_turn() -> None:
    kept = record("skirmish")
    turn, lost, shots = 1, {1: 0, 2: 0}, {1: 0, 2: 0}
    for event in kept.events:
        turn += isinstance(event, TurnEnded)
        if turn in lost:
            lost[turn] += event.lost if isinstance(event, ModelsLost) else 0
            shots[turn] += getattr(event, "name", "") == "Shot"
    for turn in (1, 2):
        scene = scene_of(kept, turn)
        assert sum(scene.lost.values()) == lost[turn]
        assert bool(scene.shots) == bool(shots[turn])
        assert scene.turn == turn
    assert sum(lost.values()) > 0
    assert sum(shots.values()) > 0


def test_the_last_scene_is_of_the_turn_that_was_played_last() -> None:
    kept = record("skirmish")
    last = max(event.turn for event in kept.events if isinstance(event, TurnEnded))
    end, scene = scene_of(kept), scene_of(kept, last)
    assert end.lost == scene.lost
    assert end.shots == scene.shots


def test_without_its_scenario_a_picture_says_what_is_missing() -> None:
    root = drawn("skirmish", 2, known=False)
    assert any("--scenario" in text for text in texts(root))
    assert not [p for p in root.iter(SVG + "path") if p.get("class") == "zone"]
