"""The results of a search for balance or for a frontier, as text and as a picture."""

from __future__ import annotations

from collections.abc import Iterable
from html import escape
from math import isfinite
from typing import Any

from battlesim.batch.blame import blame_lines
from battlesim.stress.change import Balance, Proposal
from battlesim.stress.curves import level_words
from battlesim.stress.frontier import Crossing, FrontierFound
from battlesim.viewer.report_charts import Axis, at, ticks

WORDS = {
    "turns": "turns played",
    "decided": "battles decided before the last turn",
    "lead_changes": "changes of the lead",
    "lost0": "losses of the first side",
    "lost1": "losses of the second side",
    "inside": "unit-turns inside buildings",
}


def balance_lines(found: Balance, side: str) -> Iterable[str]:
    """The text of a search for balance."""
    yield from blame_lines(found.blame)
    yield f"{side} took {_share(found.share, found.low, found.high)} of the games as it is"
    if found.is_fair:
        yield f"that is within {found.margin:.0%} of {found.target:.0%}: nothing needs to be changed"
    for number, proposal in enumerate(found.proposals, 1):
        yield ""
        yield f"{number}. {changes_words(proposal)}"
        share = _share(proposal.share, proposal.low, proposal.high)
        size = f"size of the change {proposal.cost:.3g} (--cost says what counts as large)"
        yield f"   {share} over {proposal.games} fresh games; {size}"
        also = [
            f"{WORDS[d.response]} {d.before:.2f} -> {d.after:.2f}"
            for d in proposal.differences
            if isfinite(d.low) and (d.low > 0 or d.high < 0)
        ]
        yield f"   also changed: {'; '.join(also)}" if also else "   nothing else is told from unchanged"
    if not found.proposals and not found.is_fair:
        # Where the games ran out before a factor was tried, more games may find what these did not.
        more = "" if all(looks for _, looks in found.alone) else "more --games, "
        yield f"no change was found that comes near enough; give {more}more to --tune, or a wider --margin"
    if found.refused:
        yield ""
        yield "looked close, but not on fresh dice:"
        for proposal in found.refused:
            yield f"   {changes_words(proposal)}: {_share(proposal.share, proposal.low, proposal.high)}"
    if not found.is_fair:
        yield ""
        yield "each factor alone, as far as it was looked at:"
        for name, looks in found.alone:
            told = ", ".join(
                f"{level_words(level)}: {share:.0%} in {games} games" for level, share, games in looks
            )
            yield f"   {name}: {told or 'none of its levels was played'}"
    if found.unsound:
        yield f"not sound, and left out: {', '.join(found.unsound)}"
    yield f"{found.games} games in all, those on fresh dice included"


def _share(share: float, low: float, high: float) -> str:
    return f"{share:.0%} [{100 * low:z.0f}, {100 * high:z.0f}]"


def changes_words(proposal: Proposal) -> str:
    """A proposal in words."""
    return " and ".join(
        f"{name}: {level_words(level)} instead of {'what it is now' if usual is None else level_words(usual)}"
        for name, usual, level in proposal.changes
    )


def frontier_lines(found: FrontierFound, side: str) -> Iterable[str]:
    """The text of a frontier."""
    yield from blame_lines(found.blame)
    yield f"where the share of {side} is {found.target:.0%}, along {found.factors[0]}:"
    for crossing in found.crossings:
        head = f"{found.factors[1]} {level_words(crossing.level)}: " if len(found.factors) == 2 else ""
        yield f"  {head}{crossing_words(crossing)}"
    if isfinite(found.misfit) and found.misfit < 0.05:
        yield f"the shares do not follow a simple curve (p {found.misfit:.3f}): trust what was seen more than the line"
    yield "seen:"
    for seen in found.seen:
        levels = ", ".join(
            f"{name} {level_words(level)}" for name, level in zip(found.factors, seen.levels, strict=True)
        )
        yield f"  {levels}: {seen.share:.0%} in {seen.games} games"
    yield f"{found.games} games"


def crossing_words(crossing: Crossing) -> str:
    """A crossing in words."""
    if crossing.value is None:
        where = {
            "below": "below what was played",
            "above": "above what was played",
            "unplayed": "not known: no level there is valid, or all games broke off",
            "bent": "at no single place: the share rises and falls, see what was seen",
        }
        return where.get(crossing.beyond, "nowhere in what was played")
    return f"{crossing.value:.2f} [{crossing.low:.2f}, {crossing.high:.2f}]"


# ---- a picture

WIDE, HIGH, LEFT, RIGHT, TOP, BOTTOM = 640, 360, 64, 620, 40, 310
LETTER, LONGEST = 7.5, 22
"""The width of a letter, and the most letters of a label: the first one ends at the edge of the picture."""
STYLE = (
    "text{font:13px system-ui,sans-serif;fill:#55606b}.m{text-anchor:middle}.e{text-anchor:end}"
    ".g{stroke:#dcd8ce}.b{fill:#1c5f96;opacity:.16}.l{fill:none;stroke:#1c5f96;stroke-width:2.5}"
    ".z{stroke:#a84c06;stroke-dasharray:6 4}.d{fill:#1c5f96}.t{font-weight:600;fill:#1b2229}"
)


def frontier_picture(found: FrontierFound, side: str) -> str:
    """The frontier as an SVG: with one factor, the shares seen with the crossing and its band; with two, the line over the second
    factor, with its band."""
    body = _two(found) if len(found.factors) == 2 else _one(found)
    title = f"Where the share of {side} is {found.target:.0%}"
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDE} {HIGH}" role="img" aria-label="{escape(title, True)}">'
        f'<style>{STYLE}</style><rect width="{WIDE}" height="{HIGH}" fill="#fff"/>'
        f'<text class="t" x="{LEFT}" y="22">{escape(title)}</text>{"".join(body)}</svg>\n'
    )


def _frame(
    x: Axis, across: Iterable[tuple[str, str]], up: Iterable[tuple[str, str]], names: tuple[str, str]
) -> list[str]:
    parts = []
    for place, label in up:
        parts.append(
            f'<path class="g" d="M{LEFT} {place}H{RIGHT}"/><text class="e" x="{LEFT - 8}" y="{place}" dy="4">{label}</text>'
        )
    parts += [
        f'<text class="m" x="{place}" y="{BOTTOM + 20}">{escape(label)}</text>' for place, label in across
    ]
    parts.append(f'<text class="m" x="{at((x.start + x.end) / 2)}" y="{HIGH - 8}">{escape(names[0])}</text>')
    parts.append(f'<text x="{LEFT - 56}" y="{TOP - 6}">{escape(names[1])}</text>' if names[1] else "")
    return parts


def _one(found: FrontierFound) -> list[str]:
    levels = [float(seen.levels[0]) for seen in found.seen]
    x, y = Axis(min(levels), max(levels), LEFT + 12, RIGHT - 12), Axis(0.0, 1.0, BOTTOM, TOP)
    parts = _frame(
        x,
        [(tick.at, tick.label) for tick in ticks(x)],
        [(y.at(share), f"{share:.0%}") for share in (0, 0.25, 0.5, 0.75, 1)],
        (found.factors[0], ""),
    )
    crossing = found.crossings[0]
    if crossing.value is not None and crossing.low is not None and crossing.high is not None:
        wide = x.place(crossing.high) - x.place(crossing.low)
        parts.append(
            f'<rect class="b" x="{x.at(crossing.low)}" y="{TOP}" width="{at(max(wide, 1))}" height="{BOTTOM - TOP}"/>'
        )
        parts.append(f'<path class="l" d="M{x.at(crossing.value)} {TOP}V{BOTTOM}"/>')
    parts.append(f'<path class="z" d="M{LEFT} {y.at(found.target)}H{RIGHT}"/>')
    for seen, level in zip(found.seen, levels, strict=True):
        size = 2 + min(8.0, seen.games**0.5 / 2)
        said = f"{level_words(seen.levels[0])}: {seen.share:.0%} in {seen.games} games"
        parts.append(
            f'<circle class="d" cx="{x.at(level)}" cy="{y.at(seen.share)}" r="{at(size)}"><title>{said}</title></circle>'
        )
    return parts


def _cut(label: str, labels: int) -> str:
    """A label cut to the room that it has among so many side by side."""
    most = int(min(LONGEST, (RIGHT - LEFT - 60) / max(1, labels - 1) / LETTER))
    return label if len(label) <= most else label[: most - 1] + "…"


def _two(found: FrontierFound) -> list[str]:
    levels = [float(seen.levels[0]) for seen in found.seen]
    rows: list[Any] = [crossing.level for crossing in found.crossings]
    x, y = (
        Axis(0.0, float(max(1, len(rows) - 1)), LEFT + 30, RIGHT - 30),
        Axis(min(levels), max(levels), BOTTOM, TOP),
    )
    parts = _frame(
        x,
        [(x.at(float(place)), _cut(level_words(row), len(rows))) for place, row in enumerate(rows)],
        [(tick.at, tick.label) for tick in ticks(y)],
        (found.factors[1], found.factors[0]),
    )
    known = [
        (float(place), c.value, c.low, c.high)
        for place, c in enumerate(found.crossings)
        if c.value is not None and c.low is not None and c.high is not None
    ]
    if known:
        upper = [f"{x.at(place)} {y.at(high)}" for place, _, _, high in known]
        lower = [f"{x.at(place)} {y.at(low)}" for place, _, low, _ in reversed(known)]
        parts.append(f'<path class="b" d="M{"L".join([*upper, *lower])}z"/>')
        parts.append(
            f'<path class="l" d="M{"L".join(f"{x.at(place)} {y.at(value)}" for place, value, _, _ in known)}"/>'
        )
        for place, value, low, high in known:
            parts.append(f'<path class="l" d="M{x.at(place)} {y.at(low)}V{y.at(high)}"/>')
            said = f"{level_words(rows[int(place)])}: {value:.2f} [{low:.2f}, {high:.2f}]"
            parts.append(
                f'<circle class="d" cx="{x.at(place)}" cy="{y.at(value)}" r="4"><title>{escape(said)}</title></circle>'
            )
    return parts
