"""The mark of a unit, the same on pictures and on the page: its side, kind, strength and state. Read `unit_mark`.

A mark is drawn about (0, 0), 100 wide and 66 high, and placed by a transform. The sides differ in shape as well as in colour: the
first side has boxes, the second has boxes with pointed ends. Parts that change have classes, which the page fills in.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from battlesim.board.svg import text_of

COLOURS = ("#b3321f", "#1f4fb3")
"""Of side 0 and side 1: red and blue that colour-blind readers can distinguish; on grey paper the shapes differ."""
CONTESTED = "#6b6b6b"
"""Of an objective with both sides on it."""
GOOD, BAD = "#1c6b3c", "#7a1f6e"
"""Of badges that are good or bad for the unit."""
WIDE, HIGH = 100, 66
"""The size of a mark in its own units."""
BADGES = 3
"""The most badges on a mark."""

_SHAPES = ("M-50-33H50V33H-50Z", "M-34-33H34L50 0L34 33H-34L-50 0Z")
_LINES: dict[str, tuple[str, str]] = {
    # name: (what it stands for, its path about (0, 0), 36 wide)
    "infantry": ("infantry", "M-18-14L18 14M18-14L-18 14"),
    "leader": ("leader", "M0-18L5-6L18-5L8 3L12 16L0 9L-12 16L-8 3L-18-5L-5-6Z"),
    "machine_gun": ("machine gun or the like", "M0 16V-16M-8-7L0-16L8-7M-12 16H12M-7 9H7"),
    "sniper": ("marksman", "M0-17V-6M0 6V17M-17 0H-6M6 0H17M-11 0A11 11 0 1 0 11 0A11 11 0 1 0-11 0"),
    "anti_tank": ("against armour", "M-16 15L0-15L16 15"),
    "mortar": ("mortar", "M0 4V-17M-7-9L0-17L7-9M-7 11A7 7 0 1 0 7 11A7 7 0 1 0-7 11"),
    "gun": ("gun", "M-8 0A8 8 0 1 0 8 0A8 8 0 1 0-8 0M-18-15V15M18-15V15"),
    "observer": ("observer", "M-16 14L0-15L16 14Z"),
    "engineer": ("engineers", "M-17 13V-9H17V13M0-9V13"),
    "wheels": (
        "wheeled or light vehicle",
        "M-18-10H18V5H-18ZM-14 12A3 3 0 1 0-8 12A3 3 0 1 0-14 12M8 12A3 3 0 1 0 14 12A3 3 0 1 0 8 12",
    ),
    "tank": ("tank", "M-8-11H8A11 11 0 0 1 8 11H-8A11 11 0 0 1-8-11"),
    "drone": ("drone", "M-17-12V12L0 0L17 12V-12L0 0Z"),
    "fort": ("strongpoint or turret", "M-16 15V-13H-9V-6H-3V-13H3V-6H9V-13H16V15Z"),
    "spear": ("spearmen or the like", "M-14 16L12-12M12-12L3-10M12-12L10-3M-2-16L-2-16"),
    "archer": ("archers or the like", "M-8-17C14-12 14 12-8 17ZM-17 0H16M10-6L16 0L10 6"),
    "cavalry": ("cavalry", "M-18 14L18-14"),
    "monster": ("monster", "M-17 8L-17-6L-9 2L-5-15L0 0L5-15L9 2L17-6L17 8C8 18-8 18-17 8Z"),
    "unit": ("unit", "M-5 0A5 5 0 1 0 5 0A5 5 0 1 0-5 0"),
}
SYMBOLS = {name: says for name, (says, _) in _LINES.items()}
"""Every symbol with its meaning, in the order of keys."""


class Badge(NamedTuple):
    """A small sign on a mark. `says` explains it; `good`: whether it is good for the unit."""

    sign: str
    says: str
    good: bool


# ---- one mark


def symbol_of(symbols: Mapping[str, str], kind: str) -> str:
    """The symbol of a kind of unit; `unit` if its rulebook names none."""
    name = symbols.get(kind, "unit")
    return name if name in _LINES else "unit"


def badges_of(table: Iterable[Mapping[str, str]], own: Any, turn: int) -> tuple[Badge, ...]:
    """The signs for a unit's record in its rulebook, the most important first; see `story.toml`."""
    found: list[Badge] = []
    for row in table:
        value = own.get(row["field"]) if isinstance(own, Mapping) else getattr(own, row["field"], None)
        when = row["when"]
        number = value if isinstance(value, int) and not isinstance(value, bool) else 0
        shown = {
            "yes": bool(value),
            "no": value is False,
            "number": number > 0,
            "this turn": number > 0 and number >= turn,
        }.get(when, value == when)
        if shown:
            said = [row[part].replace("#", str(number)) for part in ("sign", "says")]
            found.append(Badge(said[0], said[1], row.get("tone") == "good"))
    return tuple(found[:BADGES])


def unit_mark(
    side: int,
    symbol: str,
    title: str,
    name: str,
    models: int,
    full: int,
    badges: Sequence[Badge] = (),
    *,
    attributes: str = "",
    hollow: bool = False,
    names: bool = True,
) -> str:
    """The SVG of a mark: frame, symbol, how many models are left, a bar for that as a share of `full`, badges, name.

    `attributes`: of the group, made by us. `hollow`: the unit is on a different floor from the one drawn.
    """
    side = 1 if side == 1 else 0
    colour = COLOURS[side]
    fill, ink = ("#fff", colour) if hollow else (colour, "#fff")
    dash = ' stroke-dasharray="9 5"' if hollow else ""
    edge = colour if hollow else "#fff"
    path = _LINES[symbol][1]
    solid = ink if symbol == "leader" else "none"
    share = max(0, min(WIDE - 24, (WIDE - 24) * models // max(1, full)))
    signs = "".join(_badge(n, badges[n] if n < len(badges) else None) for n in range(BADGES))
    called = (
        f'<text class="name" x="0" y="60" font-size="25" fill="#1b1a17" stroke="#fbf9f2" stroke-width="6" '
        f'paint-order="stroke" stroke-linejoin="round" text-anchor="middle">{text_of(name)}</text>'
    )
    return (
        f'<g class="unit s{side}" font-family="system-ui, \'DejaVu Sans\', sans-serif"{attributes}>'
        f"<title>{text_of(title)}</title>"
        f'<path class="frame" d="{_SHAPES[side]}" fill="{fill}" stroke="{edge}" stroke-width="4"{dash}/>'
        f'<path class="symbol" d="{path}" transform="translate(-24 -6) scale(0.9)" fill="{solid}" stroke="{ink}" '
        f'stroke-width="5" stroke-linejoin="round" stroke-linecap="round"/>'
        f'<text class="models" x="19" y="9" font-size="38" font-weight="bold" fill="{ink}" text-anchor="middle">{models}</text>'
        f'<path d="M-38 22H38" stroke="{ink}" stroke-opacity="0.35" stroke-width="7"/>'
        f'<rect class="bar" x="-38" y="18.5" width="{share}" height="7" fill="{ink}"/>'
        f"{signs}{called if names else ''}</g>"
    )


def symbol_svg(symbol: str, colour: str) -> str:
    """A symbol alone, for a key: an inline SVG."""
    solid = colour if symbol == "leader" else "none"
    return (
        f'<svg viewBox="-22 -20 44 40" width="26" height="24" aria-hidden="true"><path d="{_LINES[symbol][1]}" fill="{solid}" '
        f'stroke="{colour}" stroke-width="4" stroke-linejoin="round" stroke-linecap="round"/></svg>'
    )


def _badge(number: int, badge: Badge | None) -> str:
    x, hidden = 46 - 26 * number, "" if badge else ' display="none"'
    fill = GOOD if badge and badge.good else BAD
    return (
        f'<g class="badge b{number}"{hidden}><circle cx="{x}" cy="-35" r="15" fill="{fill}" stroke="#fff" stroke-width="3"/>'
        f'<text x="{x}" y="-27" font-size="23" font-weight="bold" fill="#fff" text-anchor="middle">'
        f"{text_of(badge.sign) if badge else ''}</text></g>"
    )
