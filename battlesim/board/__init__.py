"""Maps and what they are made into: see `board.Board`, `load.load_map`."""

from battlesim.board.board import Board
from battlesim.board.layout import WALL
from battlesim.board.load import load_map, shipped_maps
from battlesim.board.model import Area, Obstacle, Opening, Section, Side, SightLine, Space, Way

__all__ = [
    "load_map",
    "shipped_maps",
    "Board",
    "Space",
    "Way",
    "Section",
    "Side",
    "Opening",
    "Area",
    "Obstacle",
    "SightLine",
    "WALL",
]
