"""The results of a tournament as plain data, for the table on the terminal, `--json` and the report. Read `summarise`.

A rating that cannot be trusted is withheld, with the reason. A scenario on which one side nearly always wins is left out of
standings over several scenarios. An agent that fails in too many games is not rated. No agent is rated if too many of the other
games ended stalled, forfeited or crashed.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from msgspec.structs import asdict

from battlesim.rules.registry import read_clauses
from battlesim.rulesets.finder import find_ruleset
from battlesim.tournament import subgroups
from battlesim.tournament.aggregator import VERDICTS, Aggregator
from battlesim.tournament.course import course_summary
from battlesim.tournament.effects import normalised, pairing, share_at
from battlesim.tournament.matrix import cycles, maximin, mix_uncertainty, win_matrix
from battlesim.tournament.multiple_testing import holm
from battlesim.tournament.ratings import Difference, Ratings, fit
from battlesim.tournament.shares import Interval, pair_interval
from battlesim.tournament.sides import SideBias, judge_sides
from battlesim.tournament.standings import rounded, scopes
from battlesim.tournament.tally import Results, Tally
from battlesim.viewer.report_words import bias_ratio

FORMAT = 3
"""Version of the summary."""


def summarise(
    aggregator: Aggregator,
    run: str,
    sessions: Sequence[Mapping[str, Any]],
    records: Sequence[Mapping[str, Any]] = (),
    warnings: Sequence[str] = (),
) -> dict[str, Any]:
    """All results of a run. `sessions`: the content of its `environment.json`. `records`: its kept records, as `finish` lists
    them. `warnings`: in words."""
    plan = aggregator.plan
    resolved, asked = plan.resolved, plan.asked
    sides = _sides(aggregator)
    out = {row["scenario"] for row in sides if row["kind"] == "out of bounds"}
    found = scopes(aggregator, out)
    overall = found[0][1]
    fair = [name for name in aggregator.scenario_stats if name not in out] or list(aggregator.scenario_stats)
    return {
        "format": FORMAT,
        "name": asked.name,
        "run": run,
        "state": _state(aggregator),
        "games": {"planned": plan.games, "played": aggregator.played, "counted": aggregator.counted},
        "part": list(resolved.part),
        "seed": asked.seed,
        "started": sessions[0]["started"] if sessions else None,
        "seconds": round(sum(session["seconds"] for session in sessions), 1),
        "config": resolved.asked,
        "identity": resolved.identity,
        "environment": dict(sessions[-1]) if sessions else {},
        "sessions": [dict(session) for session in sessions],
        "agents": [{"name": agent.name, "digest": agent.digest} for agent in resolved.agents],
        "scenarios": _scenarios(aggregator),
        "standings": [standing for standing, _ in found],
        "superiority": _superiority(aggregator, overall, fair),
        "scale": {
            str(elo): rounded(share_at(elo, overall.sides if overall is not None else ()), 4)
            for elo in (100, 200)
        },
        "pairing": _saved(aggregator),
        "differs": _differs(aggregator, found, fair),
        "matrix": _matrix(aggregator, overall, fair),
        "pairings": [_pairing(aggregator, key) for key, _ in aggregator.tally.pairings()],
        "sides": sides,
        "sprt": _sprt(aggregator),
        "verdicts": _verdicts(aggregator),
        "defect": aggregator.defect,
        "blame": [asdict(one) for one in aggregator.agent_faults.found()],
        "lengths": _lengths(aggregator),
        "terminations": [
            {"scenario": name, "words": dict(sorted(stats.words.items()))}
            for name, stats in aggregator.scenario_stats.items()
        ],
        "progress": [
            _progress(aggregator, games, tally.restricted(scenarios=fair))
            for games, tally in aggregator.progress
        ],
        "courses": [
            course_summary(scenario, agent, plan.entries[scenario].sides, found)
            for (scenario, agent), found in sorted(aggregator.courses.items())
        ],
        "clauses": [_clauses(ruleset, used) for ruleset, used in sorted(aggregator.clauses.items())],
        "records": [dict(record) for record in records],
        "warnings": list(warnings),
    }


def _state(aggregator: Aggregator) -> str:
    """How the run ended."""
    if aggregator.stopped is not None:
        return "decided"
    return "finished" if aggregator.played >= aggregator.plan.games else "interrupted"


def _scenarios(aggregator: Aggregator) -> list[dict[str, Any]]:
    return [
        {
            "name": entry.source.name,
            "ruleset": entry.ruleset,
            "version": entry.version,
            "map": entry.map,
            "digest": entry.source.digest,
            "sides": list(entry.sides),
            "turns": entry.turns,
            "units": list(entry.units),
        }
        for entry in aggregator.plan.resolved.scenarios
    ]


def _lengths(aggregator: Aggregator) -> list[dict[str, Any]]:
    """How many turns the games of each scenario had, and how long one took."""
    return [
        {
            "scenario": name,
            "turns": sorted([turns, games] for turns, games in stats.turns.items()),
            "median": _median(stats.turns),
            "seconds": round(stats.seconds / stats.games, 4) if stats.games else None,
        }
        for name, stats in aggregator.scenario_stats.items()
    ]


def _differs(
    aggregator: Aggregator, found: Sequence[tuple[Mapping[str, Any], Ratings | None]], fair: Sequence[str]
) -> dict[str, Any] | None:
    """The comparison of the first two agents by scenario or rulebook."""
    standing, overall = found[0]
    first = [row["agent"] for row in standing["rows"]][:2]
    if overall is None or len(first) < 2:
        return None
    rulesets: dict[str, list[str]] = {}
    for name in fair:
        rulesets.setdefault(aggregator.plan.entries[name].ruleset, []).append(name)
    return subgroups.subgroup_summary(aggregator.tally, first[0], first[1], overall.consistency.p, rulesets)


def _superiority(
    aggregator: Aggregator, overall: Ratings | None, fair: Sequence[str]
) -> list[dict[str, Any]]:
    """The differences between agents. `p`: of no difference, corrected for the number of comparisons."""
    rows = [_leading(row) for row in (overall.differences if overall is not None else ())]
    p_values = [
        1.0 if row.superiority is None else 2 * min(row.superiority, 1 - row.superiority) for row in rows
    ]
    found = []
    for row, p in zip(rows, holm(p_values), strict=True):
        nelo = normalised([aggregator.tally.pentanomial(row.a, row.b, scenario) for scenario in fair])
        found.append(
            {
                "a": row.a,
                "b": row.b,
                "elo": rounded(row.elo),
                "low": rounded(row.low),
                "high": rounded(row.high),
                "bound": row.kind if row.kind.startswith("at ") else "",
                "p": None if row.superiority is None else rounded(p, 6),
                "nelo": rounded(nelo.value) if nelo else None,
                "nelo_low": rounded(nelo.low) if nelo else None,
                "nelo_high": rounded(nelo.high) if nelo else None,
            }
        )
    return found


def _saved(aggregator: Aggregator) -> dict[str, Any] | None:
    """How many games the common dice of pairs have saved."""
    found = pairing(aggregator.tally)
    if found is None:
        return None
    return {
        "pairs": found.pairs,
        "correlation": rounded(found.correlation, 4),
        "low": rounded(found.low, 4),
        "high": rounded(found.high, 4),
        "saved": rounded(found.saved, 4),
    }


def _leading(row: Difference) -> Difference:
    """A difference from the better agent's point of view."""
    return row.turned() if (row.elo or 0) < 0 else row


def _sides(aggregator: Aggregator) -> list[dict[str, Any]]:
    """The sides of each scenario: the verdict in words, and the figures behind it."""
    trust = aggregator.plan.asked.trust
    agents = [agent.name for agent in aggregator.plan.resolved.agents]
    tally = aggregator.side_tally
    found = judge_sides(tally, list(aggregator.scenario_stats), agents, trust.fair, trust.bias)
    return [_side(aggregator, tally, row, agents) for row in found]


def _side(aggregator: Aggregator, tally: Tally, row: SideBias, agents: Sequence[str]) -> dict[str, Any]:
    stats, names = aggregator.scenario_stats[row.scenario], aggregator.plan.entries[row.scenario].sides
    here = tally.restricted(scenarios=[row.scenario])
    model = next(iter(fit(here, agents, differences=False).sides), None) if here.scenarios else None
    return {
        "scenario": row.scenario,
        "sides": list(names),
        "kind": row.kind,
        "verdict": _side_verdict(row, names, aggregator.plan.asked.trust.fair),
        "favoured": names[row.side] if row.side >= 0 else None,
        "p": rounded(row.p, 4),
        "tests": {name: rounded(p, 6) for name, p in row.tests.items()},
        "unseen": rounded(row.unseen, 4),
        "bound": aggregator.plan.asked.trust.fair,
        "needed": row.needed,
        "needed_to": row.needed_to,
        "control": _control(row.control, row.pooled),
        "agents": [
            {
                "agent": arm.agent,
                **_control(arm.results, arm.interval),
                "p": rounded(arm.p, 4),
                "unseen": rounded(arm.unseen, 4),
            }
            for arm in row.arms
        ],
        "all": {"games": sum(stats.wins) + stats.draws, "wins": list(stats.wins), "draws": stats.draws},
        "elo": rounded(model.elo) if model else None,
        "low": rounded(model.low) if model else None,
        "high": rounded(model.high) if model else None,
        "elo_bound": model.kind if model and model.kind.startswith("at ") else "",
    }


def _side_verdict(row: SideBias, names: Sequence[str], bound: float) -> str:
    """The verdict in a few words."""
    whose = names[row.side] if row.side >= 0 else ""
    # The bias is one that a single agent may have: all games together limit it more.
    among = " for an agent" if len(row.arms) > 1 else ""
    return {
        "favours": f"favours {whose}",
        "depends": "depends on the agent",
        "agent": f"favours {whose} for {row.agent}",
        "between": f"favours {whose} between agents",
        "out of bounds": "out of bounds",
        "fair": f"no bias above {bias_ratio(bound)}",
        "unknown": f"too few games: {bias_ratio(row.unseen)} could go unseen{among}",
        "unmeasured": "no control games",
    }[row.kind]


def _control(results: Results, found: Interval | None) -> dict[str, Any]:
    """Results of control games, from the first side's point of view."""
    return {
        "games": results.games,
        "wins": [results.wins, results.losses],
        "draws": results.draws,
        "share": rounded(results.share, 4),
        "low": rounded(found.low, 4) if found else None,
        "high": rounded(found.high, 4) if found else None,
    }


def _pairing(aggregator: Aggregator, key: tuple[str, str, str]) -> dict[str, Any]:
    scenario, a, b = key
    results = aggregator.tally.results(a, b, scenario)
    pentanomial = aggregator.tally.pentanomial(a, b, scenario)
    found = pair_interval(pentanomial)
    straight, turned = aggregator.margin_sums.get(key), aggregator.margin_sums.get((scenario, b, a))
    sums = straight if straight is not None else turned
    margin, limits = (sums.in_points(straight is not None) if sums is not None else None) or (None, None)
    nelo = normalised([pentanomial])
    return {
        "scenario": scenario,
        "a": a,
        "b": b,
        "pairs": sum(pentanomial),
        "pentanomial": list(pentanomial),
        "wins": results.wins,
        "draws": results.draws,
        "losses": results.losses,
        "score": rounded(results.share, 4),
        "low": rounded(found.low, 4) if found else None,
        "high": rounded(found.high, 4) if found else None,
        "nelo": rounded(nelo.value) if nelo else None,
        "margin": rounded(margin, 2),
        "margin_low": rounded(limits.low, 2) if limits else None,
        "margin_high": rounded(limits.high, 2) if limits else None,
    }


def _verdicts(aggregator: Aggregator) -> list[dict[str, Any]]:
    rows = []
    for scenario in aggregator.scenario_stats:
        total: Counter[str] = Counter()
        for key, verdicts in aggregator.verdicts.items():
            if key[0] == scenario:
                total.update(verdicts)
        rows.append(
            {"scenario": scenario, "games": sum(total.values()), **{word: total[word] for word in VERDICTS}}
        )
    return rows


def _matrix(aggregator: Aggregator, overall: Ratings | None, fair: Sequence[str]) -> dict[str, Any]:
    """The win matrix on the scenarios that the standings count, and what follows from it."""
    agents = [agent.name for agent in aggregator.plan.resolved.agents]
    found = win_matrix(aggregator.tally.restricted(scenarios=fair), agents)
    mix = maximin(found)
    doubt = (
        mix_uncertainty(aggregator.tally.restricted(scenarios=fair, agents=agents), found)
        if mix.weights and len(agents) > 2
        else None
    )
    return {
        "agents": agents,
        "score": [[None if cell is None else rounded(cell.value, 4) for cell in row] for row in found.cells],
        "games": [[2 * pairs for pairs in row] for row in found.pairs],
        "mix": [
            {
                "agent": name,
                "weight": rounded(weight, 4),
                "low": rounded(doubt.low[place], 4) if doubt else None,
                "high": rounded(doubt.high[place], 4) if doubt else None,
            }
            for place, (name, weight) in enumerate(zip(agents, mix.weights or (), strict=bool(mix.weights)))
        ],
        "value": rounded(doubt.value, 4) if doubt else None,
        "unsafe": doubt.unsafe if doubt else None,
        "cycles": [list(cycle) for cycle in cycles(found)],
        "fit_p": rounded(overall.transitivity.p, 4) if overall is not None else None,
        "consistency_p": rounded(overall.consistency.p, 4) if overall is not None else None,
    }


def _sprt(aggregator: Aggregator) -> dict[str, Any] | None:
    if aggregator.sprt is None:
        return None
    sprt, pentanomial = aggregator.sprt, [sum(counts) for counts in zip(*aggregator.tested, strict=True)]
    verdict = sprt.judge_strata(aggregator.tested)
    agents = aggregator.plan.resolved.agents
    return {
        "a": agents[0].name,
        "b": agents[1].name,
        "elo0": sprt.elo0,
        "elo1": sprt.elo1,
        "alpha": sprt.alpha,
        "beta": sprt.beta,
        "llr": rounded(verdict.llr, 3),
        "lower": rounded(verdict.lower, 3),
        "upper": rounded(verdict.upper, 3),
        "decision": verdict.decision,
        "pairs": sum(pentanomial),
        "pentanomial": pentanomial,
        "path": [[pairs, rounded(llr, 3)] for pairs, llr in aggregator.path],
    }


def _progress(aggregator: Aggregator, games: int, tally: Tally) -> dict[str, Any]:
    agents = [agent.name for agent in aggregator.plan.resolved.agents]
    found = (
        fit(tally, agents, aggregator.plan.schedule.baseline or None, differences=False)
        if len(agents) > 1
        else None
    )
    rows = [] if found is None else found.ratings
    return {
        "games": games,
        "ratings": [
            {"agent": row.agent, "elo": rounded(row.elo), "low": rounded(row.low), "high": rounded(row.high)}
            for row in rows
        ],
    }


def _clauses(ruleset: str, used: Counter[int]) -> dict[str, Any]:
    return {
        "ruleset": ruleset,
        "games": used[-1],
        "clauses": [
            {"id": clause.id, "title": clause.text, "games": used[number]}
            for number, clause in enumerate(read_clauses(find_ruleset(ruleset).folder))
        ],
    }


def _median(counts: Mapping[int, int]) -> int | None:
    half = (sum(counts.values()) + 1) // 2
    for value in sorted(counts):
        half -= counts[value]
        if half <= 0:
            return value
    return None
