"""Pictures on disk: SVG, or PNG if the name says so. Read `write_picture`."""

from __future__ import annotations

from pathlib import Path
from zlib import crc32

from battlesim.cli.targets import MADE, PNG, check_drawing
from battlesim.core.errors import Fault, InputError
from battlesim.core.files import is_stream

WRITTEN = (".svg", ".png")
"""Suffixes of the picture files that can be written."""
PICTURES = (*WRITTEN, ".jpg", ".jpeg", ".gif", ".webp", ".bmp", ".tif", ".tiff", ".pdf", ".eps", ".ps")
"""Suffixes of picture files."""


def is_picture(path: str) -> bool:
    """Whether a name is that of a picture file."""
    return Path(path).suffix.lower() in PICTURES


def check_picture(path: str, option: str) -> None:
    """Raise InputError if a file's name has no suffix of a picture that can be written, needs a package that is not installed, or
    is that of a file that battlesim did not draw. A pipe or device gets SVG, whatever its name."""
    kind = Path(path).suffix.lower()
    if kind not in WRITTEN and not is_stream(path):
        better = Path(path).with_suffix(".svg") if Path(path).name else "picture.svg"
        other = f"not {kind[1:].upper()}" if kind in PICTURES else "told apart by the end of the name"
        raise InputError(Fault(f"{option} {path}: pictures are SVG or PNG, {other}", f"name it {better}"))
    if kind == ".png":
        _renderer(f"{option} {path}")
    check_drawing(path)


def write_picture(path: str, svg: str, option: str) -> None:
    """Write a picture: PNG, at twice the size, if the name ends in `.png`, else SVG. Raises InputError if it cannot be
    written."""
    from battlesim.core.files import write_file

    if Path(path).suffix.lower() != ".png":
        write_file(path, svg.encode(), "the picture")
        return
    render = _renderer(f"{option} {path}")
    write_file(path, _signed(render(svg_string=svg, zoom=2, sans_serif_family="DejaVu Sans")), "the picture")


def _signed(png: bytes) -> bytes:
    """A PNG that says what made it, in a chunk of text behind its first one."""
    first = len(PNG) + 25  # the first chunk always has 13 bytes, and 12 about them
    said = b"tEXt" + MADE
    chunk = len(MADE).to_bytes(4, "big") + said + crc32(said).to_bytes(4, "big")
    return png[:first] + chunk + png[first:]


def _renderer(what: str):  # type: ignore[no-untyped-def]
    """The function that makes PNG of SVG."""
    try:
        from resvg_py import svg_to_bytes
    except ImportError:
        told = f"{what}: PNG needs the package resvg-py, which is not installed"
        remedy = "install the extra: pip install 'battlesim-arena[pictures]'; or name it .svg"
        raise InputError(Fault(told, remedy)) from None
    return svg_to_bytes
