"""The small parts of an SVG text: numbers, escaping, elements. Names of files are text here, never markup."""

from __future__ import annotations

import re
from collections.abc import Sequence
from html import escape

from battlesim.core.geometry import Point

FONT = "font-family=\"Georgia, 'DejaVu Serif', serif\""
"""The last words of the first line of each picture, by which battlesim knows its own."""
_COLOUR = re.compile(r"^(?:#[0-9a-fA-F]{3,8}|[a-zA-Z]{1,30})$")
_UNPRINTABLE = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f\ud800-\udfff\ufffe\uffff]")


class Canvas:
    """Elements drawn in order, in hundredths of the map's unit, north up, at `scale` pixels a unit. `size`: width and height of
    the map in hundredths; `width` and `height` are those of the picture in pixels. A `style` is attributes of the element, which
    must not come from a file.

    >>> canvas = Canvas((600, 300), 20, (10, 10, 10, 10))
    >>> canvas.width, canvas.height, canvas.x(300)
    (140, 80, '70')
    """

    def __init__(self, size: Point, scale: int, margin: tuple[int, int, int, int]) -> None:
        """`margin`: pixels on the left, above, on the right, below."""
        self.size, self.scale, self.margin = size, scale, margin
        self.width = margin[0] + size[0] * scale // 100 + margin[2]
        self.height = margin[1] + size[1] * scale // 100 + margin[3]
        self.parts: list[str] = []

    def x(self, x: int) -> str:
        """A map x as pixels, as text with a decimal at most."""
        return _number(self.margin[0] * 100 + x * self.scale)

    def y(self, y: int) -> str:
        """A map y as pixels: north is up."""
        return _number(self.margin[1] * 100 + (self.size[1] - y) * self.scale)

    def length(self, length: int) -> str:
        """A map length as pixels."""
        return _number(length * self.scale)

    def points(self, points: Sequence[Point]) -> str:
        """Points as SVG wants them."""
        return " ".join(f"{self.x(x)},{self.y(y)}" for x, y in points)

    def polygon(self, points: Sequence[Point], style: str) -> None:
        """A filled outline."""
        self.parts.append(f'<polygon points="{self.points(points)}" {style}/>')

    def line(self, points: Sequence[Point], style: str) -> None:
        """An open line."""
        self.parts.append(f'<polyline points="{self.points(points)}" fill="none" {style}/>')

    def circle(self, p: Point, radius: int, style: str) -> None:
        """A circle with its radius in hundredths."""
        self.parts.append(
            f'<circle cx="{self.x(p[0])}" cy="{self.y(p[1])}" r="{self.length(radius)}" {style}/>'
        )

    def text(self, p: Point, text: str, style: str) -> None:
        """Text at a point of the map."""
        self.parts.append(f'<text x="{self.x(p[0])}" y="{self.y(p[1])}" {style}>{text_of(text)}</text>')

    def label(self, x: int, y: int, text: str, style: str) -> None:
        """Text at a pixel."""
        self.parts.append(f'<text x="{x}" y="{y}" {style}>{text_of(text)}</text>')

    def raw(self, element: str) -> None:
        """An element as it is. Nothing in it may come from a file."""
        self.parts.append(element)

    def render(self, title: str) -> str:
        """The text of the whole SVG file."""
        head = (
            f'<svg xmlns="http://www.w3.org/2000/svg" width="{self.width}" height="{self.height}" '
            f'viewBox="0 0 {self.width} {self.height}" {FONT}>'
        )
        return "\n".join([head, f"<title>{text_of(title)}</title>", *self.parts, "</svg>", ""])


def text_of(text: str) -> str:
    """Text that cannot be taken for markup. Characters that XML does not have become question marks.

    >>> text_of('<b>"a" & b')
    '&lt;b&gt;&quot;a&quot; &amp; b'
    """
    return escape(_UNPRINTABLE.sub("?", text), quote=True)


def colour_of(colour: str) -> str:
    """A colour word or #hex as it is; anything else is black."""
    return colour if _COLOUR.match(colour) else "black"


def _number(hundredths: int) -> str:
    """A whole number of hundredths as a decimal with as few digits as it needs."""
    tenths = (hundredths + 5) // 10
    whole, rest = divmod(tenths, 10)
    return f"{whole}.{rest}" if rest else str(whole)
