"""Pictures on disk: SVG, or PNG where the name says so. Read `write_picture`."""

from __future__ import annotations

from pathlib import Path

from battlesim.core.errors import Fault, InputError

PICTURES = (".svg", ".png", ".jpg", ".jpeg", ".gif", ".webp", ".bmp", ".tif", ".tiff", ".pdf", ".eps", ".ps")
"""Suffixes of picture files; the first two can be written."""


def is_picture(path: str) -> bool:
    """Whether a name is that of a picture file."""
    return Path(path).suffix.lower() in PICTURES


def check_picture(path: str, option: str) -> None:
    """Raise InputError where a file is named as a picture of a kind that is not written, or that needs what is not installed."""
    kind = Path(path).suffix.lower()
    if kind in PICTURES[2:]:
        better = Path(path).with_suffix(".svg")
        told = f"{option} {path}: pictures are SVG or PNG, not {kind[1:].upper()}"
        raise InputError(Fault(told, f"name it {better}"))
    if kind == ".png":
        _renderer(f"{option} {path}")


def write_picture(path: str, svg: str, option: str) -> None:
    """Write a picture: PNG, at twice the size, where the name ends in `.png`, else SVG. Raises InputError where it cannot be."""
    from battlesim.core.files import write_file

    if Path(path).suffix.lower() != ".png":
        write_file(path, svg.encode(), "the picture")
        return
    render = _renderer(f"{option} {path}")
    write_file(path, render(svg_string=svg, zoom=2, sans_serif_family="DejaVu Sans"), "the picture")


def _renderer(what: str):  # type: ignore[no-untyped-def]
    """The function that makes PNG of SVG."""
    try:
        from resvg_py import svg_to_bytes
    except ImportError:
        told = f"{what}: PNG needs the package resvg-py, which is not installed"
        remedy = "install the extra: pip install 'battlesim-arena[pictures]'; or name it .svg"
        raise InputError(Fault(told, remedy)) from None
    return svg_to_bytes
