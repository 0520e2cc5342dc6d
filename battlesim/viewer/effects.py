"""Short-lived elements of a drawing, on pictures and on the page: fire, moves, losses, fires, openings. Read `shot`.

The page uses these elements as patterns: it copies one and moves it. Widths of lines are in units of `--px`, which the page sets
to the width of a pixel; a picture has its own.
"""

from __future__ import annotations

from battlesim.board.svg import text_of
from battlesim.viewer.symbols import COLOURS

HEADS = "".join(
    f'<marker id="head{side}" viewBox="0 0 10 10" refX="9" refY="5" markerWidth="4.5" markerHeight="4.5" orient="auto">'
    f'<path d="M0 0L10 5L0 10Z" fill="{colour}"/></marker>'
    for side, colour in enumerate(COLOURS)
)
"""Heads of arrows; in the `defs` of a drawing."""


def shot(side: int, hit: bool, path: str) -> str:
    """A line of fire: dashed if it missed."""
    dash = "" if hit else ' stroke-dasharray="7 5"'
    return (
        f'<path class="shot{" hit" if hit else ""}" d="{path}" fill="none" stroke="{COLOURS[side]}" stroke-width="2.4"'
        f'{dash} marker-end="url(#head{side})"/>'
    )


def move(side: int, path: str) -> str:
    """The path of a unit's move."""
    return (
        f'<path class="move" d="{path}" fill="none" stroke="{COLOURS[side]}" stroke-width="3" stroke-dasharray="0.1 7" '
        f'stroke-linecap="round" stroke-linejoin="round" opacity="0.8"/>'
    )


def wall(breach: bool, path: str) -> str:
    """An opening that was made in a wall; a breach is also a way in."""
    fill, wide = ("#e8590c", 12) if breach else ("#ffd43b", 9)
    return (
        f'<g class="wall"><path d="{path}" fill="none" stroke="#1b1a17" stroke-width="{wide}"/>'
        f'<path d="{path}" fill="none" stroke="{fill}" stroke-width="{wide - 4}"/></g>'
    )


def lost(side: int, text: str, transform: str) -> str:
    """How many models a unit has just lost, above its mark."""
    return (
        f'<g class="lost" transform="{transform}"><rect x="-30" y="-74" width="60" height="34" rx="8" fill="#fff6d6" '
        f'stroke="{COLOURS[side]}" stroke-width="3"/><text x="0" y="-47" font-size="29" font-weight="bold" '
        f'font-family="system-ui, sans-serif" fill="{COLOURS[side]}" text-anchor="middle">{text_of(text)}</text></g>'
    )


def fell(side: int, title: str, transform: str) -> str:
    """Where a unit was destroyed."""
    return (
        f'<g class="fell" transform="{transform}"><title>{text_of(title)}</title><path d="M-22-22L22 22M22-22L-22 22" '
        f'fill="none" stroke="#fff" stroke-width="15" stroke-linecap="round"/><path d="M-22-22L22 22M22-22L-22 22" fill="none" '
        f'stroke="{COLOURS[side]}" stroke-width="8" stroke-linecap="round"/></g>'
    )


def flames(transform: str) -> str:
    """Burning ground, with its smoke."""
    return (
        f'<g class="flames" transform="{transform}"><path d="M-20-60C-34-48-8-42-22-26C-40-10-4-4-12 0H16C30-14 6-22 18-38C28-52 '
        f'4-54 12-70C-2-72-8-66-20-60Z" fill="#57534d" opacity="0.45"/>'
        f'<path d="M-26 30L-20 2L-8 12L0-22L14 10L22 0L26 30Z" fill="#e4572e"/><path d="M-12 30L0 2L12 30Z" fill="#f6bd3b"/></g>'
    )


def patterns() -> str:
    """One of each, for the page to copy."""
    found = []
    for side in (0, 1):
        found += [
            f'<g id="pattern-shot-{side}-{int(hit)}">{shot(side, hit, "M0 0")}</g>' for hit in (False, True)
        ]
        found.append(f'<g id="pattern-move-{side}">{move(side, "M0 0")}</g>')
        found.append(f'<g id="pattern-lost-{side}">{lost(side, "", "translate(0 0)")}</g>')
        found.append(f'<g id="pattern-fell-{side}">{fell(side, "", "translate(0 0)")}</g>')
    found += [f'<g id="pattern-wall-{int(breach)}">{wall(breach, "M0 0")}</g>' for breach in (False, True)]
    return "".join([*found, f'<g id="pattern-flames">{flames("translate(0 0)")}</g>'])
