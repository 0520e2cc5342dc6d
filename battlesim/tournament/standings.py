"""Standings overall, by ruleset and by scenario, with withheld ratings and the reasons. Read `scopes`."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from battlesim.tournament.aggregator import DEGENERATE, Aggregator
from battlesim.tournament.margins import mean_margin
from battlesim.tournament.ratings import Rating, Ratings, fit
from battlesim.tournament.subgroups import without_limits
from battlesim.tournament.tally import Tally


def scopes(aggregator: Aggregator, out: set[str]) -> list[tuple[dict[str, Any], Ratings | None]]:
    """Standings overall, by ruleset and by scenario, each with the fit it came from."""
    fields = aggregator.plan.resolved.scenarios
    rulesets = sorted({entry.ruleset for entry in fields})
    asked: list[tuple[str, str, list[str]]] = [("overall", "", [entry.source.name for entry in fields])]
    if len(rulesets) > 1:
        asked += [
            ("ruleset", name, [f.source.name for f in fields if f.ruleset == name]) for name in rulesets
        ]
    if len(fields) > 1:
        asked += [("scenario", entry.source.name, [entry.source.name]) for entry in fields]
    fits = [_fit(aggregator, scope, names, out) for scope, _, names in asked]
    if len(rulesets) > 1 and fits[0].ratings is not None:
        books = [fit.ratings for fit in fits[1 : 1 + len(rulesets)] if fit.ratings is not None]
        same = [book for book in books if {row.agent for row in book.ratings} >= set(fits[0].sound)]
        fits[0].ratings = without_limits(fits[0].ratings, same)
    return [
        (_standing(aggregator, scope, of, fit), fit.ratings)
        for (scope, of, _), fit in zip(asked, fits, strict=True)
    ]


@dataclass
class _Fit:
    """The ratings of one scope. `used`: its scenarios that count; `sound`: the agents that are rated; `withheld`: why there are
    no ratings, "" if there are."""

    used: list[str]
    sound: list[str]
    notes: list[str]
    withheld: str
    ratings: Ratings | None


def _fit(aggregator: Aggregator, scope: str, names: list[str], out: set[str]) -> _Fit:
    trust = aggregator.plan.asked.trust
    agents = [agent.name for agent in aggregator.plan.resolved.agents]
    fair = [name for name in names if name not in out]
    notes = []
    if out & set(names) and fair:
        left = ", ".join(sorted(out & set(names)))
        notes.append(f"left out, since one side wins there whichever agent plays: {left}")
    used = fair or names
    tally = aggregator.tally.restricted(scenarios=used)
    broken = _broken(aggregator, used, agents, trust.degenerate)
    sound = [agent for agent in agents if agent not in broken]
    notes += [
        f"{agent} is not rated: it failed in {bad} of its {games} games"
        for agent, (bad, games) in broken.items()
    ]
    bad, games, words = _degenerate(aggregator, used, sound)
    withheld = ""
    if not fair:
        withheld = "out of bounds: one side wins, whichever agent plays"
    elif games and bad / games > trust.degenerate:
        withheld = f"{bad} of {games} games had no normal end ({words}), more than {trust.degenerate:.0%}"
    elif len(sound) < 2:
        withheld = "no two agents are left to compare" if len(agents) > 1 else "one agent alone has no rating"
    found = None
    if not withheld:
        base = aggregator.plan.schedule.baseline
        found = fit(tally, sound, base if base in sound else None, differences=scope != "scenario")
        withheld = found.reason
        if withheld:
            found = None
    return _Fit(used, sound, notes, withheld, found)


def _standing(aggregator: Aggregator, scope: str, of: str, fitted: _Fit) -> dict[str, Any]:
    agents = [agent.name for agent in aggregator.plan.resolved.agents]
    found, used = fitted.ratings, fitted.used
    tally = aggregator.tally.restricted(scenarios=used)
    rows = []
    ratings = {row.agent: row for row in found.ratings} if found is not None else {}
    order = [row.agent for row in found.standings()] if found is not None else []
    order += sorted((a for a in agents if a not in order), key=lambda a: (-(tally.share(a) or 0.0), a))
    for rank, agent in enumerate(order, 1):
        rows.append(_row(aggregator, tally, rank, agent, ratings.get(agent), used))
    notes = fitted.notes + [f"{row.agent}: {row.reason}" for row in ratings.values() if row.reason]
    return {
        "scope": scope,
        "of": of,
        "withheld": fitted.withheld,
        "reference": list(found.reference) if found is not None else [],
        "notes": notes,
        "rows": rows,
    }


def _row(
    aggregator: Aggregator,
    tally: Tally,
    rank: int,
    agent: str,
    rating: Rating | None,
    scenarios: Sequence[str],
) -> dict[str, Any]:
    results = tally.results(agent)
    margin = mean_margin(
        (margins, agent == a)
        for (scenario, a, b), margins in aggregator.margin_sums.items()
        if scenario in scenarios and agent in (a, b)
    )
    rated = rating is not None and rating.elo is not None
    return {
        "rank": rank if rated else None,
        "agent": agent,
        "elo": rounded(rating.elo) if rating is not None else None,
        "low": rounded(rating.low) if rating is not None else None,
        "high": rounded(rating.high) if rating is not None else None,
        "bound": rating.kind if rating is not None and rating.kind.startswith("at ") else "",
        "games": results.games,
        "wins": results.wins,
        "draws": results.draws,
        "losses": results.losses,
        "score": rounded(results.share, 4),
        "margin": rounded(margin.value, 4) if margin else None,
        "margin_low": rounded(margin.low, 4) if margin else None,
        "margin_high": rounded(margin.high, 4) if margin else None,
    }


def _broken(
    aggregator: Aggregator, scenarios: Sequence[str], agents: Sequence[str], most: float
) -> dict[str, tuple[int, int]]:
    """Agents that failed in too many of their games: agent -> (games failed, games played)."""
    if len(agents) < 2:
        return {}
    played: Counter[str] = Counter()
    for (scenario, a, b), verdicts in aggregator.verdicts.items():
        if scenario in scenarios:
            for agent in {a, b}:
                played[agent] += sum(verdicts.values())
    found = {}
    for agent in agents:
        failed = sum(
            n
            for (scenario, name), n in aggregator.failures.items()
            if name == agent and scenario in scenarios
        )
        if played[agent] and failed / played[agent] > most:
            found[agent] = (failed, played[agent])
    return found


def _degenerate(
    aggregator: Aggregator, scenarios: Sequence[str], agents: Sequence[str]
) -> tuple[int, int, str]:
    """(degenerate games, all games, the former in words) of some agents against one another."""
    total: Counter[str] = Counter()
    for (scenario, a, b), verdicts in aggregator.verdicts.items():
        if scenario in scenarios and a != b and a in agents and b in agents:
            total.update(verdicts)
    words = ", ".join(f"{total[word]} {word}" for word in DEGENERATE if total[word])
    return sum(total[word] for word in DEGENERATE), sum(total.values()), words


def rounded(value: float | None, digits: int = 1) -> float | None:
    """A rounded number for the summary; None stays None."""
    return None if value is None else round(float(value), digits)
