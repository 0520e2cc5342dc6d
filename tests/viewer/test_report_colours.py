"""The colours of the report can be read, on light ground and on dark."""

from __future__ import annotations

import re
from itertools import pairwise
from pathlib import Path

import pytest

import battlesim


def palettes() -> dict[str, dict[str, str]]:
    css = (Path(battlesim.__file__).parent / "viewer" / "report.css").read_text(encoding="utf-8")
    light, dark = (
        dict(re.findall(r"--([\w-]+): (#\w{6});", part)) for part in re.findall(r":root \{(.*?)\}", css, re.S)
    )
    assert light.keys() == dark.keys()
    return {"light": light, "dark": dark}


def luminance(colour: str) -> float:
    parts = [int(colour[n : n + 2], 16) / 255 for n in (1, 3, 5)]
    red, green, blue = (
        part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts
    )
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one: str, two: str) -> float:
    low, high = sorted((luminance(one), luminance(two)))
    return (high + 0.05) / (low + 0.05)


@pytest.mark.parametrize("mode", ["light", "dark"])
def test_colours_can_be_read(mode: str) -> None:
    colours = palettes()[mode]
    for ground in ("bg", "card", "faint"):
        for ink in ("ink", "soft", "blue", "care", "good"):
            assert contrast(colours[ink], colours[ground]) >= 4.5, (ink, ground)
    for shade in range(11):
        assert contrast(colours[f"m{shade}"], colours[f"m{shade}-ink"]) >= 4.5, shade
    for line in ("blue", "orange", "teal", "plum", "k0", "k4", "k5"):
        assert contrast(colours[line], colours["card"]) >= 3, line
    for before, after in pairwise(f"k{kind}" for kind in range(6)):
        assert contrast(colours[before], colours[after]) >= 1.25, (before, after)  # side by side in one bar
    steps = [luminance(colours[f"m{shade}"]) for shade in range(11)]
    halves = (steps[:6], steps[:4:-1])
    for half in halves:  # from either end to the middle lightness goes one way: readable without colour
        assert half == sorted(half) or half == sorted(half, reverse=True)
