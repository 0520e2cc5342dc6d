"""Turning points and alternatives on the replay page: their panes, and the marks on the timeline. Read `turning_pane`.

Turning points come from the estimate, orders and dice together, or from a file of `whatif --turning-points`, which separates the
two (`asked.py`).
"""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from typing import Any

from battlesim.engine.header import Header
from battlesim.viewer.asked import Asked, AskedQuestion, SameDice, ToldAct, by_order, points
from battlesim.viewer.chains import Chains
from battlesim.viewer.film import Film
from battlesim.viewer.insight import Insight, turning_points
from battlesim.viewer.wording import agree, printable

CLOSE = 4.0
"""Marks nearer than this many per cent of the timeline are in different rows."""
ROWS = 3
"""The most rows of marks."""


def turning_pane(film: Film, header: Header, chains: Chains, insight: Insight | None, asked: Asked) -> str:
    """The content of the pane of turning points; empty if there are none."""
    if asked.swings is not None:
        return _asked_points(film, header, asked)
    found = turning_points(insight.chances) if insight is not None else []
    one = escape(printable(header.sides[0]))
    rows = []
    for point in found:
        inside = [m for m in film.moments if m.event <= point.event]
        if not inside:
            continue
        told = chains.causes.index.act_text(inside[-1].root)
        if inside[-1] is film.moments[-1] and inside[-1].sentences:
            told = inside[-1].sentences[-1].text  # how it ended
        worse = "down" if point.after < point.before else "up"
        rows.append(
            f'<li><a href="#event={inside[-1].event}" class="{worse}"><b>Turn {inside[-1].turn}</b> {one} '
            f"{point.before:.0%} → {point.after:.0%}: {escape(printable(told))}</a></li>"
        )
    if not rows:
        return ""
    hint = (
        "What moved the estimated chance to win most, from one order to the next, orders and dice together. "
        "<code>battlesim whatif RECORD --turning-points --json FILE</code> tells them apart by playing on, and "
        "<code>battlesim watch RECORD --asked FILE</code> shows them here."
    )
    return f'<p class="soft">{hint}</p><ol class="turning">{"".join(rows)}</ol>'


def _asked_points(film: Film, header: Header, asked: Asked) -> str:
    swings = asked.swings
    assert swings is not None
    one, two = (escape(printable(side)) for side in header.sides)
    agents = [escape(printable(agent.name)) for agent in header.agents]
    by = sorted({escape(printable(name)) for name in swings.reference})
    sums = [
        ("at the first question", f"{100 * swings.start.value:.0f} ± {100 * swings.start.error:.0f}"),
        (f"orders of {one} ({agents[0]})", points(swings.skill[0])),
        (f"orders of {two} ({agents[1]})", points(swings.skill[1])),
        ("dice", points(swings.luck)),
        ("the result", f"{100 * swings.result:.0f}"),
    ]
    table = "".join(f'<tr><th scope="row">{what}</th><td class="n">{says}</td></tr>' for what, says in sums)
    rows = [_act_row(film, act, number, one, two) for number, act in enumerate(asked.acts, 1)]
    acts = f'<ol class="turning">{"".join(rows)}</ol>' if rows else "<p>No order moved it.</p>"
    return (
        f'<p class="soft">The chance of {one} to win, in per cent, where {" and ".join(by)} play on from each position: '
        f"{swings.games} games each. The parts add up to the result; ± is the standard error. An order counts by how much better "
        f'or worse it was than what {" and ".join(by)} would have ordered.</p><table class="sums"><tbody>{table}</tbody></table>'
        f"<h2>What moved it most</h2>{acts}"
    )


def _act_row(film: Film, act: ToldAct, number: int, one: str, two: str) -> str:
    parts = [
        f"orders of {side} {points(effect)}"
        for side, effect in zip((one, two), act.order, strict=True)
        if effect.value or effect.error
    ]
    parts.append(f"dice {points(act.dice)}")
    worse = "down" if act.then < act.before else "up"
    better = "".join(
        f'<p class="better">Better: {escape(printable(row.asked))} <b>{escape(printable(row.words))}</b> '
        f"(+{100 * row.gain:.0f} ± {100 * row.error:.0f} for its side)</p>"
        for row in act.better
    )
    return (
        f'<li><a href="#event={_event_of(film, act)}" class="{worse}"><b>{number}. Turn {act.turn}</b> {one} '
        f"{act.before:.0%} → {act.then:.0%}: {escape(printable(act.text))}</a>"
        f'<p class="soft">{", ".join(parts)}</p>{better}</li>'
    )


def _event_of(film: Film, act: ToldAct) -> int:
    """The first event of an act that is seen or told."""
    return film.moments[_moment_of(film, act.act)].event if film.moments else act.act


def _moment_of(film: Film, event: int) -> int:
    """The number of the first moment from an event on."""
    return next((n for n, m in enumerate(film.moments) if m.event >= event), len(film.moments) - 1)


def turning_marks(film: Film, header: Header, asked: Asked) -> str:
    """Turning points as numbered links over the timeline; empty if none were requested. The mark of an order is round, that of
    dice square; its colour is that of the side that gained."""
    if not asked.acts or not film.moments:
        return ""
    marks, lasts = [], [-2 * CLOSE] * ROWS
    for number, act in enumerate(asked.acts, 1):
        share = 100 * _moment_of(film, act.act) / max(1, len(film.moments) - 1)
        row = next((n for n in range(ROWS) if share - lasts[n] >= CLOSE), ROWS - 1)
        lasts[row] = share
        order, side = by_order(act), 0 if act.then >= act.before else 1
        says = (
            f"Turning point {number}, turn {act.turn}, {'an order' if order else 'dice'}: {header.sides[0]} "
            f"{act.before:.0%} to {act.then:.0%}"
        )
        shape = '<circle r="8"/>' if order else '<rect x="-8" y="-8" width="16" height="16" rx="2"/>'
        marks.append(
            f'<svg x="{share:.2f}%" y="{10 + 19 * row}" overflow="visible"><a href="#event={_event_of(film, act)}" '
            f'class="swing s{side}" aria-label="{escape(printable(says))}"><title>{escape(printable(says))}</title>{shape}'
            f'<text y="4">{number}</text></a></svg>'
        )
    high = 20 + 19 * max(n for n in range(ROWS) if lasts[n] >= 0)
    return (
        f'<div class="swings"><span class="label">Turning points</span><svg height="{high}" role="group" '
        f'aria-label="Turning points">{"".join(marks)}</svg></div>'
    )


# ---- what would have been


def what_if_pane(asked: Asked, chains: Chains) -> str:
    """The questions that were asked again, with the values of their answers; empty if there are none."""
    found = []
    for number in sorted(asked.questions):
        one = asked.questions[number]
        side, said = escape(printable(one.side)), escape(printable(one.asked))
        rows = "".join(
            f"<tr>{''.join(f'<td>{escape(cell)}</td>' for cell in row)}</tr>"
            for row in _rows(one, chains.record.header.sides)
        )
        heads = "".join(f'<th scope="col">{escape(head)}</th>' for head in _heads(one))
        players = escape(printable(" against ".join(one.agents)))
        found.append(
            f'<h2><a href="#event={_told_at(one, chains)}">Turn {one.turn}, {side}: {said}</a></h2>'
            f'<div class="wide" tabindex="0" role="region" aria-label="What the answers to question {number} were worth">'
            f'<table class="worth"><thead><tr>{heads}</tr></thead><tbody>{rows}</tbody></table></div>'
            f'<p class="soft">{players} played on: {one.games} games with fresh dice, the same for each answer. '
            "Intervals hold the true chance in 95 of 100 cases.</p>"
        )
    return "".join(found)


def what_if_data(asked: Asked, sides: Sequence[str]) -> dict[int, list[Any]]:
    """By question, the heads and rows of its table, for the page's script."""
    return {number: [_heads(one), _rows(one, sides)] for number, one in asked.questions.items()}


def _told_at(asked: AskedQuestion, chains: Chains) -> int:
    """The first event with a sentence that the answer led to; else the answer itself."""
    root = chains.causes.index.roots[asked.event]
    after = [s.event for _, s, _ in chains.told if s.root == root and s.event >= asked.event]
    return after[0] if after else asked.event


def _heads(asked: AskedQuestion) -> Sequence[str]:
    side = printable(asked.side)
    return ("answer", f"{side} {agree(side, 'wins')}", "difference", "with the battle’s own dice")


def _rows(asked: AskedQuestion, sides: Sequence[str]) -> list[list[str]]:
    rows = []
    for row in asked.answers:
        better = "as played"
        if not row.played:
            error = f" ± {100 * row.better_error:.0f}" if row.better_error is not None else ""
            better = f"{100 * row.better:+.0f}{error}"
        result, score = _result(row.same_dice, sides.index(asked.side) if asked.side in sides else 0)
        chance = f"{row.chance:.0%} ({row.low:.0%} to {row.high:.0%})"
        rows.append([printable(row.words), chance, better, f"{result}, {score}"])
    return rows


def _result(found: SameDice, side: int) -> tuple[str, str]:
    """A result for a side, and its score: the winner's points first, who need not have more."""
    points = found.points
    if found.value == 0.5:
        return "a draw", f"{max(points)} to {min(points)}"
    winner = side if found.value == 1.0 else 1 - side
    return "won" if winner == side else "lost", f"{points[winner]} to {points[1 - winner]}"
