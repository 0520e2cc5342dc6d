"""Which agent is better? The report's finding; if one number over all would mislead, it says so first. Read `who`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from battlesim.viewer.report_words import (
    KeyFinding,
    Summary,
    chance,
    difference,
    fixed,
    names,
    number,
    overall,
    percent,
    plural,
    ranked,
    sentence,
    signed,
    span,
)

FIT = 0.01
"""Below this p-value the ratings' model is said not to describe the field."""
LUCK = 0.05
"""Above this p-value, which counts every pair of agents, a lead may be luck, even if its own interval is above zero."""
ASKED = "Who is better?"


def who(summary: Summary) -> KeyFinding:
    """The best agent, by how much, and whether the games show it at all."""
    standing = overall(summary)
    rows = ranked(standing)
    counted = number((summary.get("games") or {}).get("counted"))
    if not rows or counted == 0:
        return KeyFinding(ASKED, "Nothing can be said yet: no game was counted.", tone="care")
    if standing.get("withheld"):
        best = max(rows, key=lambda row: number(row.get("score")) or 0.0)
        shared = (
            f"{best.get('agent')} has the highest share of the points, {_scored(best)}; that is not a rating."
        )
        said = f"No rating is given: {sentence(standing['withheld'])}"
        return KeyFinding(ASKED, said, (shared,) if len(rows) > 1 else (), "care")
    if len(rows) == 1:
        return KeyFinding(
            ASKED, f"{rows[0].get('agent')} played alone, so there is nobody to compare it with."
        )
    rows = [row for row in rows if number(row.get("elo")) is not None]
    if len(rows) < 2:
        whose = f"Only {rows[0].get('agent')} has a rating" if rows else "Nobody has a rating"
        return KeyFinding(ASKED, f"{whose}, so there is nobody to compare it with.", tone="care")
    differs = summary.get("differs") or {}
    cycle = _cycle(summary)
    if cycle:
        return KeyFinding(ASKED, cycle, (*_where(differs), *_pooled(summary, rows)), "care")
    if differs.get("shown"):
        said, tone = _depends(differs, len(rows))
        return KeyFinding(ASKED, said, (*_where(differs), *_pooled(summary, rows), *_misfit(summary)), tone)
    return _plain(summary, rows)


def _plain(summary: Summary, rows: Sequence[Mapping[str, Any]]) -> KeyFinding:
    """The finding if strength was not shown to depend on the scenario and no cycle (a beats b beats c beats a) was found."""
    leader, second = rows[0], rows[1]
    gap = difference(summary, str(leader.get("agent")), str(second.get("agent")))
    details = [f"{leader.get('agent')} scored {_scored(leader)}.", *_misfit(summary)]
    if gap is None or number(gap.get("elo")) is None:
        said = f"{leader.get('agent')} has the highest rating, {signed(leader.get('elo'))} Elo"
        said += f" {span(leader.get('low'), leader.get('high'))}".rstrip()
        said += f"; its lead over {second.get('agent')} was not measured."
        return KeyFinding(ASKED, said, tuple(details), "care")
    if number(gap.get("p")) is not None:
        details.insert(1, _luck(gap, len(rows)))
    test = summary.get("sprt") or {}
    if test.get("decision"):
        far = "high" if test["decision"] == "H1" else "low"
        details.insert(
            0,
            f"The run stopped when its test was decided, so the size of the difference is likely too {far}.",
        )
    close = _close(summary, rows)
    if not close:
        by = _by(gap, leader, second)
        if len(rows) == 2:
            said = f"{leader.get('agent')} is better than {second.get('agent')} by {by}."
        else:
            said = f"{leader.get('agent')} is the best of {len(rows)} agents, ahead of {second.get('agent')} by {by}."
        return KeyFinding(ASKED, said, tuple(details), "good")
    if len(rows) == 2:
        said = f"{leader.get('agent')} and {second.get('agent')} cannot be told apart: "
        said += f"{leader.get('agent')} is ahead by {_elo(gap)}."
    else:
        said = f"{leader.get('agent')} leads, but cannot be told apart from {names(close)}: "
        said += f"it is ahead of {second.get('agent')} by {_elo(gap)}."
    return KeyFinding(ASKED, said, tuple(details), "care")


def _close(summary: Summary, rows: Sequence[Mapping[str, Any]]) -> list[str]:
    """The agents that were not shown to be worse than the leader, by the interval of the difference or by its p."""
    leader = str(rows[0].get("agent"))
    return [
        str(row.get("agent"))
        for row in rows[1:]
        if (found := difference(summary, leader, str(row.get("agent")))) is None
        or (number(found.get("low")) or 0.0) <= 0
        or (number(found.get("p")) or 0.0) > LUCK
    ]


def _by(gap: Mapping[str, Any], leader: Mapping[str, Any], second: Mapping[str, Any]) -> str:
    ends = (gap.get("bound"), leader.get("bound"))
    one_sided = "at least" in ends or second.get("bound") == "at most" or number(gap.get("high")) is None
    return f"at least {fixed(gap.get('low'))} Elo" if one_sided else _elo(gap)


def _luck(gap: Mapping[str, Any], agents: int) -> str:
    """The p-value in words: how surprising the lead would be between equals. It is not the chance of being better."""
    p = number(gap.get("p"))
    looks = ", all pairs of agents taken together" if agents > 2 else ""
    return f"Were they equal, a lead as large as this would come by luck with p {chance(p)}{looks}."


# ---- what one number would hide


def _cycle(summary: Summary) -> str:
    """The answer if some agents beat one another in a cycle; empty if none do."""
    cycles = (summary.get("matrix") or {}).get("cycles") or ()
    if not cycles:
        return ""
    cycle = " beats ".join([*cycles[0], cycles[0][0]])
    rest = len(cycles) - 1
    more = f", and there {'is' if rest == 1 else 'are'} {plural(rest, 'more such cycle')}" if rest else ""
    return f"That depends on the opponent: {cycle}{more}. Read the win matrix before the ranks."


def _misfit(summary: Summary) -> list[str]:
    """A warning if one number for each agent does not describe the field."""
    fit = number((summary.get("matrix") or {}).get("fit_p"))
    if fit is None or fit >= FIT:
        return []
    return [f"One rating per agent does not describe these results (p {chance(fit)}): read the win matrix."]


def _depends(differs: Mapping[str, Any], agents: int) -> tuple[str, str]:
    """The answer if strength depends on the scenario, and its tone."""
    a, b, by = str(differs.get("a")), str(differs.get("b")), str(differs.get("by"))
    parts = list(differs.get("parts") or ())
    ahead = [str(part.get("of")) for part in parts if part.get("leader") == a]
    behind = [str(part.get("of")) for part in parts if part.get("leader") == b]
    open_ = [str(part.get("of")) for part in parts if not part.get("leader")]
    under = "under" if by == "rulebook" else "on"
    of = f" (the first two of {agents})" if agents > 2 else ""
    rest = f"; {under} {names(open_)} the games do not tell" if open_ else ""
    if ahead and behind:
        said = f"That depends on the {by}: {a} is better than {b} {under} {names(ahead)}, and {b} {under} {names(behind)}"
        return f"{said}{rest}{of}.", "care"
    if ahead or behind:
        one, two, where = (a, b, ahead) if ahead else (b, a, behind)
        if not open_:
            said = (
                f"{one} is better than {two} {under} every {by}{of}, but by how much depends on the scenario."
            )
            return said, "good" if one == a else "care"
        return (
            f"That depends on the scenario: {one} is better than {two} {under} {names(where)}{rest}{of}.",
            "care",
        )
    said = f"That depends on the scenario, and no single one tells {a} and {b} apart{of}."
    return said, "care"


def _where(differs: Mapping[str, Any]) -> list[str]:
    """The two scenarios whose shares differ most, and the p-value of the difference."""
    parts = [part for part in differs.get("parts") or () if number(part.get("share")) is not None]
    if not differs.get("shown") or len(parts) < 2:
        return []
    parts.sort(key=lambda part: -(number(part.get("share")) or 0.0))
    most, least = parts[0], parts[-1]
    told = " to ".join(
        f"{percent(part.get('share'), 0)} [{percent(part.get('low'), 0)}, {percent(part.get('high'), 0)}] on {part.get('of')}"
        for part in (most, least)
    )
    a, b, p = differs.get("a"), differs.get("b"), chance(differs.get("p"))
    return [
        f"Of the points of its games with {b}, {a} took from {told} (p of no difference between scenarios {p})."
    ]


def _pooled(summary: Summary, rows: Sequence[Mapping[str, Any]]) -> list[str]:
    """The rating over all scenarios, which holds for this mix of scenarios and opponents only."""
    leader, second = rows[0], rows[1]
    gap = difference(summary, str(leader.get("agent")), str(second.get("agent")))
    if gap is None or number(gap.get("elo")) is None:
        return []
    by = _elo(gap) if not gap.get("bound") else f"at least {fixed(gap.get('low'))} Elo"
    return [
        f"Over all taken together {leader.get('agent')} is ahead of {second.get('agent')} by {by}: a mean over this mix of "
        "scenarios and opponents, and of no other."
    ]


# ---- small words


def _elo(gap: Mapping[str, Any]) -> str:
    if gap.get("bound"):
        return (
            f"at least {fixed(gap.get('low'))} Elo"
            if gap.get("low") is not None
            else "an unknown number of Elo"
        )
    return f"{fixed(gap.get('elo'))} Elo {span(gap.get('low'), gap.get('high'))}".rstrip()


def _scored(row: Mapping[str, Any]) -> str:
    of = f"{percent(row.get('score'))} of {plural(row.get('games'), 'game')}"
    wins, draws, losses = (fixed(row.get(field)) for field in ("wins", "draws", "losses"))
    return f"{of} ({wins} won, {draws} drawn, {losses} lost)"
