"""A grid of buckets that finds the shapes near a place."""

from __future__ import annotations

from collections.abc import Iterable

Box = tuple[int, int, int, int]
"""West, south, east, north in hundredths."""


class Grid:
    """Finds shapes whose bounding boxes meet a box. A shape's number is the place of its box in `boxes`. `cell`: width of a
    bucket in hundredths.

    >>> Grid([(0, 0, 100, 100), (500, 0, 600, 100)]).near((100, 0, 300, 50))
    [0]
    """

    def __init__(self, boxes: Iterable[Box], cell: int = 600) -> None:
        self.boxes: list[Box] = list(boxes)
        self.cell = cell
        self._buckets: dict[tuple[int, int], list[int]] = {}
        for number, box in enumerate(self.boxes):
            for key in self._keys(box):
                self._buckets.setdefault(key, []).append(number)

    def _keys(self, box: Box) -> list[tuple[int, int]]:
        west, south, east, north = (edge // self.cell for edge in box)
        return [(x, y) for x in range(west, east + 1) for y in range(south, north + 1)]

    def near(self, box: Box) -> list[int]:
        """The numbers of all shapes whose boxes meet `box`, each once, ascending. Boxes that only touch meet, too."""
        west, south, east, north = box
        cell, buckets, boxes = self.cell, self._buckets, self.boxes
        found: list[int] = []
        for x in range(west // cell, east // cell + 1):
            for y in range(south // cell, north // cell + 1):
                for number in buckets.get((x, y), ()):
                    w, s, e, n = boxes[number]
                    if w <= east and e >= west and s <= north and n >= south:
                        found.append(number)
        return sorted(dict.fromkeys(found)) if len(found) > 1 else found
