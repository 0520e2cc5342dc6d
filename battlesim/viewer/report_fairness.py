"""Were the maps fair? The report's answer, from the verdicts in the summary. Read `fairness`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from battlesim.viewer.report_words import KeyFinding, Summary, bias_ratio, more_games, names, number, plural

SHOWN = ("favours", "depends", "agent", "between", "out of bounds")
"""Kinds of verdict that report a bias; the others are fair, unknown and unmeasured."""


def fairness(summary: Summary) -> KeyFinding:
    """The report's finding about the sides. A scenario is called fair only if a bias above the bound is ruled out for every
    agent."""
    asked = "Were the maps fair?"
    every = [side for side in summary.get("sides") or () if side.get("kind")]
    unfair = [side for side in every if side["kind"] in SHOWN]
    fair = [side for side in every if side["kind"] == "fair"]
    unknown = [side for side in every if side["kind"] == "unknown"]
    unmeasured = [side for side in every if side["kind"] == "unmeasured"]
    if len(unmeasured) == len(every):
        return KeyFinding(asked, "That was not measured: there were no control games.", tone="care")
    details = [found for side in unfair for found in _about(side)]
    if len(details) > 6:
        details = [*details[:6], "The table of sides below has the rest."]
    bound = bias_ratio(max(number(side.get("bound")) or 0.6 for side in every))
    if fair and len(fair) < len(every):
        which = names([str(side.get("scenario")) for side in fair])
        details.append(f"A bias above {bound} is ruled out for every agent on {which}.")
    if unknown:
        details += _open(unknown, others=bool(unfair or fair))
    if unmeasured:
        details.append(f"{plural(len(unmeasured), 'scenario')} had no control games.")
    if unfair:
        said = _named(unfair, len(every))
        return KeyFinding(asked, said, tuple(details), "care")
    if unknown or unmeasured:
        most = max((number(side.get("unseen")) or 1.0 for side in unknown), default=1.0)
        said = "Not settled: no bias was shown"
        said += (
            f", but one of {bias_ratio(most)} could have gone unseen."
            if unknown
            else " on those that were measured."
        )
        return KeyFinding(asked, said, tuple(details), "care")
    where = str(fair[0].get("scenario")) if len(fair) == 1 else f"all {len(fair)} scenarios"
    return KeyFinding(
        asked, f"Yes: a bias above {bound} is ruled out for every agent on {where}.", tuple(details), "good"
    )


def _named(unfair: Sequence[Mapping[str, Any]], every: int) -> str:
    """The scenarios with a bias, the largest first."""
    found = sorted(unfair, key=lambda side: -abs((_share(side) or 0.5) - 0.5))
    told = names([f"{side.get('scenario')} {_favours(side)}" for side in found])
    return f"{'No' if len(unfair) == every else 'Not all'}: {told}."


def _favours(side: Mapping[str, Any]) -> str:
    """A verdict in words, such as `favours South 64:36`."""
    kind, share = side["kind"], _share(side)
    if kind == "depends":
        return "favours one side or the other, depending on the agent"
    if kind == "out of bounds" and share is not None:
        whose = (side.get("sides") or ("the first side", "the second side"))[0 if share >= 0.5 else 1]
        return f"favours {whose} {_shown(share)}, whoever plays"
    if kind == "favours" and share is not None:
        return f"{side.get('verdict')} {_shown(share)}"
    return str(side.get("verdict"))


def _about(side: Mapping[str, Any]) -> list[str]:
    """The figures behind a verdict on one scenario."""
    of = f"On {side.get('scenario')}"
    if side["kind"] in ("depends", "agent"):
        arms = [arm for arm in side.get("agents") or () if number(arm.get("share")) is not None]
        arms.sort(key=lambda arm: -round(abs((number(arm.get("share")) or 0.0) - 0.5), 6))
        told = names([_arm(arm, side) for arm in arms])
        return [f"{of} an agent that meets itself wins: {told}."]
    if side["kind"] == "between":
        return [
            f"{of} the games of different agents show it; the control games, an agent against itself, do not."
        ]
    control = side.get("control") or {}
    low, high = number(control.get("low")), number(control.get("high"))
    if low is None or high is None:
        return []
    share = _share(side) or 0.5
    ends = (low, high) if share >= 0.5 else (1 - high, 1 - low)
    whose = (side.get("sides") or ("the first side", "the second side"))[0 if share >= 0.5 else 1]
    return [
        f"{of} {whose} took {100 * max(share, 1 - share):.1f}% of {plural(control.get('games'), 'control game')} "
        f"[{100 * ends[0]:.0f}%, {100 * ends[1]:.0f}%]; no difference between agents was shown."
        if side["kind"] == "favours"
        else f"{of} {whose} took {100 * max(share, 1 - share):.1f}% of {plural(control.get('games'), 'control game')} "
        f"[{100 * ends[0]:.0f}%, {100 * ends[1]:.0f}%]."
    ]


def _arm(arm: Mapping[str, Any], side: Mapping[str, Any]) -> str:
    share = number(arm.get("share")) or 0.0
    sides = side.get("sides") or ("the first side", "the second side")
    whose = sides[0] if share >= 0.5 else sides[1]
    return f"{arm.get('agent')} {100 * max(share, 1 - share):.0f}% as {whose} ({plural(arm.get('games'), 'game')})"


def _open(unknown: Sequence[Mapping[str, Any]], others: bool) -> list[str]:
    """The bias that too few control games leave possible, and how many would tell more."""
    most = max(number(side.get("unseen")) or 1.0 for side in unknown)
    which = names([str(side.get("scenario")) for side in unknown])
    found = []
    if others or len(unknown) > 1:
        found.append(f"Not settled on {which}: a bias of {bias_ratio(most)} could have gone unseen.")
    found.append(
        f"About {more_games(unknown, 'control games of each agent on each scenario')}; "
        "the command battlesim fair SCENARIO --agent NAME plays them."
    )
    return found


def _share(side: Mapping[str, Any]) -> float | None:
    return number((side.get("control") or {}).get("share"))


def _shown(share: float) -> str:
    """An observed share as a ratio."""
    first = round(100 * max(share, 1 - share))
    return f"{first}:{100 - first}"
