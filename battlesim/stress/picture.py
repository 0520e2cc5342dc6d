"""The effects on the share as a separate picture, for other pages than the run's. Read `picture`."""

from __future__ import annotations

from html import escape
from math import isfinite

from battlesim.stress.analysis import StressFound, effect_words
from battlesim.stress.plan import Design
from battlesim.viewer.report_charts import Axis, at

PICTURE = "stress.svg"
WIDE, ROW, LEFT, RIGHT, TOP = 760, 24, 330, 620, 56
STYLE = (
    "text{font:13px system-ui,sans-serif;fill:#55606b}.m{text-anchor:middle}.e{text-anchor:end}"
    ".g{stroke:#dcd8ce}.z{stroke:#55606b}.l{fill:none;stroke:#1c5f96;stroke-width:2}.d{fill:#1c5f96}"
    ".n .l{stroke:#a1acb7}.n .d{fill:#a1acb7}.t{font-weight:600;fill:#1b2229}"
)
MOST = 24


def picture(design: Design, found: StressFound) -> str:
    """An SVG: each effect on the first side's share with its interval, grey if it is not significant. Effects that are not known,
    since games are missing, are left out; so are intervals of too few games."""
    effects = next((r.effects for r in found.responses if r.response == "share"), ())
    known = [effect for effect in effects if isfinite(effect.change)]
    shown = [effect for effect in known if not effect.other or effect.is_shown][:MOST]
    ends = [abs(end) for effect in shown for end in (effect.low, effect.high, effect.change) if isfinite(end)]
    most = max(0.1, *ends) if ends else 0.1
    x = Axis(-most, most, LEFT, RIGHT)
    high = TOP + ROW * len(shown) + 34
    title = f"{design.scenario}: what changes the share of {design.sides[0]}"
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDE} {high}" role="img" aria-label="{escape(title, True)}">',
        f'<style>{STYLE}</style><rect width="{WIDE}" height="{high}" fill="#fff"/>',
        f'<text class="t" x="12" y="24">{escape(title)}</text>',
        f'<text x="12" y="42">games in a hundred, with 95% intervals; {found.games:,} games</text>',
    ]
    bottom = TOP + ROW * len(shown)
    for value in (-most, -most / 2, 0.0, most / 2, most):
        kind = "g" if value else "z"
        parts.append(f'<path class="{kind}" d="M{x.at(value)} {TOP}V{bottom}"/>')
        parts.append(f'<text class="m" x="{x.at(value)}" y="{bottom + 20}">{100 * value:+.0f}</text>')
    for number, effect in enumerate(shown):
        y = TOP + ROW * number + ROW // 2
        low, upper = (end if isfinite(end) else effect.change for end in (effect.low, effect.high))
        interval = f" [{100 * low:+.0f}, {100 * upper:+.0f}]" if isfinite(effect.low) else ""
        said = f"{100 * effect.change:+.0f}{interval}"
        parts.append(
            f'<g class="{"" if effect.is_shown else "n"}"><text class="e" x="{LEFT - 12}" y="{y}" dy="4">'
            f"{escape(_short(effect_words(effect)))}</text>"
            f'<path class="l" d="M{x.at(low)} {y}H{x.at(upper)}"/><circle class="d" cx="{x.at(effect.change)}" cy="{y}" r="4"/>'
            f'<text x="{at(RIGHT + 14)}" y="{y}" dy="4">{said}</text></g>'
        )
    return "".join([*parts, "</svg>\n"])


def _short(words: str) -> str:
    return words if len(words) <= 46 else f"{words[:45]}…"
