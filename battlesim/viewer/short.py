"""A battle in short, for readers who have not seen it: its purpose, the winner, the losses, what fell and why, and what turned
it. Read `in_short`.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from html import escape
from typing import Any

from battlesim.core.events import StructureSet
from battlesim.engine.record import Record
from battlesim.viewer.asked import Asked, points
from battlesim.viewer.chains import Chains
from battlesim.viewer.film import Film
from battlesim.viewer.insight import Insight, turning_points
from battlesim.viewer.wording import count, printable

FALLEN = 4
"""The most sections that are described; the rest are counted."""
MIXED = (
    "This is an estimate, orders and dice together; <code>battlesim whatif RECORD --turning-points</code> "
    "finds which order lost the battle."
)
"""Shown if no turning points were requested."""
SURE = 2.0
"""An order is named if its cost is more than this many standard errors."""


def in_short(record: Record, film: Film, chains: Chains, insight: Insight | None, asked: Asked) -> str:
    """The battle in short, as HTML."""
    rows = [_result(record, film), *_losses(record, film), *_fallen(record, chains)]
    turned = _turned(record, film, chains, insight, asked)
    rows += [turned] if turned else []
    brief = _briefing(record)
    about = f'<p class="soft">{escape(brief)}</p>' if brief else ""
    listed = "".join(f"<li>{row}</li>" for row in rows)
    return f'<section class="short" aria-label="In short"><h2>In short</h2>{about}<ul>{listed}</ul></section>'


def _briefing(record: Record) -> str:
    """What the scenario tells both players, if the record holds it."""
    said = record.header.scenario.said
    found: Any = json.loads(said) if said else {}
    text = found.get("briefing", "") if isinstance(found, Mapping) else ""
    return printable(" ".join(str(text).split()))


def _result(record: Record, film: Film) -> str:
    """The end of the battle: the story's last sentence."""
    last = [told for moment in film.moments for told in moment.sentences][-1:]
    outcome, sides = record.outcome, record.header.sides
    one, two = outcome.points
    won = "A draw" if outcome.winner is None else f"{sides[outcome.winner]} won"
    score = f"{sides[0]} {one}, {sides[1]} {two}"
    head = escape(printable(f"{won} ({score})."))
    return f"<b>{head}</b>" + (f" {_link(last[0].event, last[0].text)}" if last else "")


def _losses(record: Record, film: Film) -> Iterator[str]:
    """What each side lost, in models and units."""
    values = dict(film.start)
    for moment in film.moments:
        values.update(moment.changes)
    rows = json.loads(bytes(record.header.start))["units"]
    for side, name in enumerate(record.header.sides):
        mine = [row["id"] for row in rows if row["side"] == side]
        began = sum(film.start[f"m{unit}"] for unit in mine)
        left = sum(values[f"m{unit}"] for unit in mine)
        gone = sum(values[f"m{unit}"] == 0 for unit in mine)
        told = f"{name} lost {began - left} of {began} men or steps, and {gone} of {count(len(mine), 'unit units')}."
        yield escape(printable(told))


def _fallen(record: Record, chains: Chains) -> Iterator[str]:
    """Each section that fell, and why."""
    standing = set(range(len(record.header.sections)))
    fell = []
    for number, event in enumerate(record.events):
        if isinstance(event, StructureSet) and event.fallen and event.section in standing:
            standing.discard(event.section)
            fell.append(number)
    for number in fell[:FALLEN]:
        told = chains.told_of(number)
        if told >= 0:
            yield _link(told, chains.causes.explain(str(told)).summary)
    if len(fell) > FALLEN:
        more = len(fell) - FALLEN
        yield f"{more} more section{'s' if more > 1 else ''} fell."


def _turned(record: Record, film: Film, chains: Chains, insight: Insight | None, asked: Asked) -> str:
    """The order that cost the loser most; if no turning points were requested, what moved the estimate most against it."""
    sides, winner = record.header.sides, record.outcome.winner
    loser = 1 - winner if winner is not None else -1
    if asked.swings is not None and asked.swings.acts and loser >= 0:
        # Values are chances of the first side: an order of the second costs it what the first gains.
        worst = max(asked.swings.acts, key=lambda act: _cost(act.order[loser].value, loser))
        effect = worst.order[loser]
        if _cost(effect.value, loser) > SURE * effect.error:
            told, event = chains.causes.index.act_told(worst.act)
            loss = points(type(effect)(-_cost(effect.value, loser), effect.error))
            head = escape(
                printable(
                    f"The order that cost {sides[loser]} most ({loss} points of its chance to win), turn {worst.turn}: "
                )
            )
            return head + _link(chains.told_at(event), told)
        return escape(
            printable(
                f"No order of {sides[loser]} stands out as the one that lost it; the dice weighed more."
            )
        )
    found = turning_points(insight.chances) if insight is not None else []
    ended = film.moments[-1].event if film.moments else -1  # the last change is the result itself
    against = [p for p in found if p.event < ended and (loser < 0 or _cost(p.after - p.before, loser) > 0)]
    if not against:
        return ""
    most = max(against, key=lambda point: abs(point.after - point.before))
    inside = [moment for moment in film.moments if moment.event <= most.event]
    if not inside:
        return ""
    side = max(loser, 0)
    before, after = (most.before, most.after) if side == 0 else (1 - most.before, 1 - most.after)
    head = f"What turned it most, turn {inside[-1].turn} (the chance of {sides[side]} from {before:.0%} to {after:.0%}): "
    told, event = chains.causes.index.act_told(inside[-1].root)
    return f'{escape(printable(head))}{_link(event, told)} <span class="soft">{MIXED}</span>'


def _cost(value: float, side: int) -> float:
    """The cost to a side of a change of the first side's chance."""
    return -value if side == 0 else value


def _link(event: int, text: str) -> str:
    return f'<a href="#event={event}">{escape(printable(text))}</a>'
