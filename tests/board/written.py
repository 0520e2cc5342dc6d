"""Boards of maps that a test writes out."""

from __future__ import annotations

from pathlib import Path

from battlesim.board.board import Board
from battlesim.board.load import load_map

HEAD = "name: test\nsize: [30, 24]\nground: {kind: lattice, pitch: 3}\n"


def build(tmp_path: Path, text: str, head: str = HEAD) -> Board:
    """The board of a map file with this text after its head."""
    file = tmp_path / "map.yaml"
    file.write_text(head + text)
    return load_map(file)


def ways_of(board: Board, kind: str) -> list[tuple[str, str]]:
    """The ends of the ways of a kind, by name."""
    return [(board.spaces[way.a].name, board.spaces[way.b].name) for way in board.ways if way.kind == kind]
