"""The results of control games as lines for a terminal: whether each scenario is fair, and what decided it. Read `fair_lines`."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from battlesim.tournament.multiple_testing import ALPHA
from battlesim.tournament.words import Rows, percent, table
from battlesim.viewer.report_words import bias_ratio, more_games, plural
from battlesim.viewer.wording import agree

DRAWN = 0.5
"""If more of an agent's games than this are drawn, that is told."""
SETTLED = ("fair", "unknown", "unmeasured")
"""Kinds of verdicts that call no scenario unfair."""


def fair_lines(summary: Mapping[str, Any]) -> Iterator[str]:
    """For each scenario the verdict in words, then what decided its games, for each agent."""
    courses = summary["courses"]
    for side in summary["sides"]:
        yield ""
        yield f"{side['scenario']}: {_verdict(side)}"
        for arm in side["agents"]:
            yield f"  {_arm(arm, side)}"
            if arm["games"] and arm["draws"] > DRAWN * arm["games"]:
                yield "    most games are drawn: the points below show what each side scores"
        if side["kind"] in ("unknown", "unmeasured"):
            yield f"  About {more_games([side], 'games of each agent')}; --games N plays so many."
        for course in courses:
            if course["scenario"] == side["scenario"]:
                yield from _course(course, side["sides"], alone=len(side["agents"]) == 1)
    if any(side["kind"] not in SETTLED for side in summary["sides"]):
        yield ""
        yield "`battlesim balance` finds the smallest change that makes a scenario fair, `battlesim stress` what decides it"


def _verdict(side: Mapping[str, Any]) -> str:
    whose, bound = side["favoured"], bias_ratio(side["bound"])
    wins = f"{whose} {agree(whose or '', 'wins')}"
    several = sum(arm["games"] > 0 for arm in side["agents"]) > 1
    if side["kind"] == "favours":
        return f"not fair: {wins} more often{', whichever agent plays' if several else ''}"
    if side["kind"] == "out of bounds":
        return f"not fair: {wins} nearly always, whoever plays"
    if side["kind"] == "depends":
        return "not fair: which side is better depends on the agent"
    if side["kind"] == "agent":
        # The rounded p of several agents may be 0; the verdict of the summary was made from the exact ones.
        agent = side["verdict"].removeprefix(f"favours {whose} for ")
        return f"not fair: {wins} more often where {agent} plays both sides"
    if side["kind"] == "between":
        return f"not fair: {wins} more often between different agents"
    if side["kind"] == "fair":
        return f"fair: a bias above {bound} is ruled out{' for every agent' if several else ''}"
    if side["kind"] == "unmeasured":
        return "not measured: no game has a result"
    return f"not settled: no bias was shown, but one of {bias_ratio(side['unseen'])} could have gone unseen"


def _arm(arm: Mapping[str, Any], side: Mapping[str, Any]) -> str:
    first, second = side["sides"]
    if not arm["games"]:
        return f"{arm['agent']} against itself: no game has a result"
    won, lost = arm["wins"]
    shown = "" if arm["p"] >= ALPHA else f"; favours {first if arm['share'] > 0.5 else second}"
    return (
        f"{arm['agent']} against itself: {first} took {percent(arm['share'])} of {arm['games']} games "
        f"({won} won, {arm['draws']} drawn, {lost} lost), 95% interval {arm['low']:.0%} to {arm['high']:.0%}{shown}"
    )


def _course(course: Mapping[str, Any], sides: Sequence[str], alone: bool) -> Iterator[str]:
    """What decided the games of one agent."""
    who = "" if alone else f" ({course['agent']})"
    if course["points"]:
        rows: Rows = [[f"points{who}", "side", "points a game", "games with points", "won of these"]]
        for row in course["points"]:
            rows.append(
                [
                    row["objective"],
                    row["side"],
                    f"{row['points']:.2f} ±{1.96 * row['error']:.2f}",
                    percent(row["scored"]),
                    percent(row["won"]),
                ]
            )
        yield from _indented(rows, (0, 1))
    if course["losses"]:
        rows = [
            [f"losses a game{who}", *(f"{side}, {what}" for side in sides for what in ("units", "models"))]
        ]
        for kind in sorted({row["type"] for row in course["losses"]}):
            line = [kind]
            for side in sides:
                row = next((r for r in course["losses"] if (r["side"], r["type"]) == (side, kind)), None)
                line += ["-", "-"] if row is None else [_of(row, "units"), _of(row, "models")]
            rows.append(line)
        yield from _indented(rows, (0,))
    yield ""
    for row in course["lead"]:
        if row["won"]:
            yield f"  {'' if alone else course['agent'] + ': '}{_lead(row)}"


def _of(row: Mapping[str, Any], what: str) -> str:
    return f"{row[f'{what}_lost']:.1f} of {row[what]:g}"


def _lead(row: Mapping[str, Any]) -> str:
    """When a side took the lead for good."""
    parts = [
        f"{games / row['won']:.0%} from {'the start' if turn == 0 else f'turn {turn}'}"
        for turn, games in row["turns"]
    ]
    if row["not_ahead"]:
        parts.append(f"{row['not_ahead'] / row['won']:.0%} never on points")
    return f"{row['side']} won {plural(row['won'], 'game')} and led for good: {', '.join(parts)}"


def _indented(rows: Rows, left: Sequence[int]) -> Iterator[str]:
    yield ""
    for line in table(rows, left=left):
        yield f"  {line}"
