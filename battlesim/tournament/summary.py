"""What a tournament came to, as plain data: the terminal's table, `--json` and the report all read this. Read `summarise`.

What makes a rating untrustworthy withholds it, with the reason: a scenario whose control arm is out of bounds is left out of
the standings over several, an agent that mostly breaks down is not rated, and where too many of the rest's games ended
degenerate nobody is.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from battlesim.rules.registry import read_clauses
from battlesim.rulesets.finder import find_ruleset
from battlesim.tournament import differs
from battlesim.tournament.aggregator import VERDICTS, Aggregator
from battlesim.tournament.course import told
from battlesim.tournament.effects import normalised, pairing, share_at
from battlesim.tournament.looks import holm
from battlesim.tournament.matrix import cycles, maximin, mix_doubt, win_matrix
from battlesim.tournament.ratings import Difference, Ratings, fit
from battlesim.tournament.shares import Interval, pair_interval, parted
from battlesim.tournament.sides import SideBias, judge_sides
from battlesim.tournament.standings import rounded, scopes
from battlesim.tournament.tally import Results, Tally

FORMAT = 3


def summarise(
    judge: Aggregator,
    run: str,
    sessions: Sequence[Mapping[str, Any]],
    records: Sequence[Mapping[str, Any]] = (),
    warnings: Sequence[str] = (),
) -> dict[str, Any]:
    """Everything a run came to. `sessions`: where it ran, as the run's folder keeps it; `records`: the games kept;
    `warnings`: what was odd, in words."""
    plan = judge.plan
    resolved, asked = plan.resolved, plan.asked
    sides = _sides(judge)
    out = {row["scenario"] for row in sides if row["kind"] == "out of bounds"}
    found = scopes(judge, out)
    overall = found[0][1]
    fair = [name for name in judge.grounds if name not in out] or list(judge.grounds)
    state = (
        "decided"
        if judge.stopped is not None
        else "finished"
        if judge.played >= plan.games
        else "interrupted"
    )
    return {
        "format": FORMAT,
        "name": asked.name,
        "run": run,
        "state": state,
        "games": {"planned": plan.games, "played": judge.played, "counted": judge.counted},
        "part": list(resolved.part),
        "seed": asked.seed,
        "started": sessions[0]["started"] if sessions else None,
        "seconds": round(sum(session["seconds"] for session in sessions), 1),
        "config": resolved.asked,
        "identity": resolved.identity,
        "environment": dict(sessions[-1]) if sessions else {},
        "sessions": [dict(session) for session in sessions],
        "agents": [{"name": agent.name, "digest": agent.digest} for agent in resolved.agents],
        "scenarios": [
            {
                "name": field.source.name,
                "ruleset": field.ruleset,
                "version": field.version,
                "map": field.map,
                "digest": field.source.digest,
                "sides": list(field.sides),
                "turns": field.turns,
                "units": list(field.units),
            }
            for field in resolved.scenarios
        ],
        "standings": [standing for standing, _ in found],
        "superiority": _superiority(judge, overall, fair),
        "scale": {
            str(elo): rounded(share_at(elo, overall.sides if overall is not None else ()), 4)
            for elo in (100, 200)
        },
        "pairing": _saved(judge),
        "differs": _differs(judge, found, fair),
        "matrix": _matrix(judge, overall, fair),
        "pairings": [_pairing(judge, key) for key, _ in judge.tally.pairings()],
        "sides": sides,
        "sprt": _sprt(judge),
        "verdicts": _verdicts(judge),
        "defect": judge.defect,
        "blame": [
            {"agent": name, "forfeit": b.forfeit, "crash": b.crash, "faults": b.faults, "what": b.what}
            for name, b in sorted(judge.blame.items())
        ],
        "lengths": [
            {
                "scenario": name,
                "turns": sorted([turns, games] for turns, games in ground.turns.items()),
                "median": _median(ground.turns),
                "seconds": round(ground.seconds / ground.games, 4) if ground.games else None,
            }
            for name, ground in judge.grounds.items()
        ],
        "terminations": [
            {"scenario": name, "words": dict(sorted(ground.words.items()))}
            for name, ground in judge.grounds.items()
        ],
        "progress": [
            _progress(judge, games, tally.restricted(scenarios=fair)) for games, tally in judge.progress
        ],
        "courses": [
            told(scenario, agent, plan.fields[scenario].sides, found)
            for (scenario, agent), found in sorted(judge.courses.items())
        ],
        "clauses": [_clauses(ruleset, used) for ruleset, used in sorted(judge.clauses.items())],
        "records": [dict(record) for record in records],
        "warnings": list(warnings),
    }


def _differs(
    judge: Aggregator, found: Sequence[tuple[Mapping[str, Any], Ratings | None]], fair: Sequence[str]
) -> dict[str, Any] | None:
    """What differs between the first two agents of the field from scenario to scenario."""
    standing, overall = found[0]
    first = [row["agent"] for row in standing["rows"]][:2]
    if overall is None or len(first) < 2:
        return None
    rulesets: dict[str, list[str]] = {}
    for name in fair:
        rulesets.setdefault(judge.plan.fields[name].ruleset, []).append(name)
    return differs.told(judge.tally, first[0], first[1], overall.consistency.p, rulesets)


def _superiority(judge: Aggregator, overall: Ratings | None, fair: Sequence[str]) -> list[dict[str, Any]]:
    """The differences between agents. `p`: that of no difference, corrected for the number of comparisons."""
    rows = [_leading(row) for row in (overall.differences if overall is not None else ())]
    p_values = [
        1.0 if row.superiority is None else 2 * min(row.superiority, 1 - row.superiority) for row in rows
    ]
    found = []
    for row, p in zip(rows, holm(p_values), strict=True):
        nelo = normalised([judge.tally.pentanomial(row.a, row.b, scenario) for scenario in fair])
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


def _saved(judge: Aggregator) -> dict[str, Any] | None:
    """What playing in pairs has saved."""
    found = pairing(judge.tally)
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


def _sides(judge: Aggregator) -> list[dict[str, Any]]:
    """What is known of the sides of each scenario, with the verdict in words and what it rests on."""
    trust = judge.plan.asked.trust
    agents = [agent.name for agent in judge.plan.resolved.agents]
    found = judge_sides(judge.tally, list(judge.grounds), agents, trust.fair, trust.bias)
    return [_side(judge, row, agents) for row in found]


def _side(judge: Aggregator, row: SideBias, agents: Sequence[str]) -> dict[str, Any]:
    ground, names = judge.grounds[row.scenario], judge.plan.fields[row.scenario].sides
    here = judge.tally.restricted(scenarios=[row.scenario])
    model = next(iter(fit(here, agents, differences=False).sides), None) if here.scenarios else None
    return {
        "scenario": row.scenario,
        "sides": list(names),
        "kind": row.kind,
        "verdict": _side_verdict(row, names, judge.plan.asked.trust.fair),
        "favoured": names[row.side] if row.side >= 0 else None,
        "p": rounded(row.p, 4),
        "tests": {name: rounded(p, 6) for name, p in row.tests.items()},
        "unseen": rounded(row.unseen, 4),
        "bound": judge.plan.asked.trust.fair,
        "needed": row.needed,
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
        "all": {"games": sum(ground.wins) + ground.draws, "wins": list(ground.wins), "draws": ground.draws},
        "elo": rounded(model.elo) if model else None,
        "low": rounded(model.low) if model else None,
        "high": rounded(model.high) if model else None,
    }


def _side_verdict(row: SideBias, names: Sequence[str], bound: float) -> str:
    """The verdict in a few words."""
    whose = names[row.side] if row.side >= 0 else ""
    return {
        "favours": f"favours {whose}",
        "depends": "depends on the agent",
        "agent": f"favours {whose} for {row.agent}",
        "between": f"favours {whose} between agents",
        "out of bounds": "out of bounds",
        "fair": f"no bias above {parted(bound)}",
        "unknown": f"too few games: {parted(row.unseen)} could go unseen",
        "unmeasured": "no control games",
    }[row.kind]


def _control(results: Results, found: Interval | None) -> dict[str, Any]:
    """Control games: what the first side is worth."""
    return {
        "games": results.games,
        "wins": [results.wins, results.losses],
        "draws": results.draws,
        "share": rounded(results.share, 4),
        "low": rounded(found.low, 4) if found else None,
        "high": rounded(found.high, 4) if found else None,
    }


def _pairing(judge: Aggregator, key: tuple[str, str, str]) -> dict[str, Any]:
    scenario, a, b = key
    results = judge.tally.results(a, b, scenario)
    pentanomial = judge.tally.pentanomial(a, b, scenario)
    found = pair_interval(pentanomial)
    straight, turned = judge.margin_sums.get(key), judge.margin_sums.get((scenario, b, a))
    margin = straight.in_points() if straight else turned.in_points() if turned else None
    if margin is not None and straight is None:
        margin = Interval(-margin.value, -margin.high, -margin.low)
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
        "margin": rounded(margin.value, 2) if margin else None,
        "margin_low": rounded(margin.low, 2) if margin else None,
        "margin_high": rounded(margin.high, 2) if margin else None,
    }


def _verdicts(judge: Aggregator) -> list[dict[str, Any]]:
    rows = []
    for scenario in judge.grounds:
        total: Counter[str] = Counter()
        for key, verdicts in judge.verdicts.items():
            if key[0] == scenario:
                total.update(verdicts)
        rows.append(
            {"scenario": scenario, "games": sum(total.values()), **{word: total[word] for word in VERDICTS}}
        )
    return rows


def _matrix(judge: Aggregator, overall: Ratings | None, fair: Sequence[str]) -> dict[str, Any]:
    """The win matrix on the scenarios that the standings count, and what follows from it."""
    agents = [agent.name for agent in judge.plan.resolved.agents]
    found = win_matrix(judge.tally.restricted(scenarios=fair), agents)
    mix = maximin(found)
    doubt = (
        mix_doubt(judge.tally.restricted(scenarios=fair, agents=agents), found)
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


def _sprt(judge: Aggregator) -> dict[str, Any] | None:
    if judge.sprt is None:
        return None
    sprt, pentanomial = judge.sprt, list(judge.pentanomial)
    verdict = sprt.judge_strata(judge.pentanomials)
    agents = judge.plan.resolved.agents
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
        "pairs": judge.pairs,
        "pentanomial": pentanomial,
        "path": [[pairs, rounded(llr, 3)] for pairs, llr in judge.path],
    }


def _progress(judge: Aggregator, games: int, tally: Tally) -> dict[str, Any]:
    agents = [agent.name for agent in judge.plan.resolved.agents]
    found = (
        fit(tally, agents, judge.plan.asked.baseline or None, differences=False) if len(agents) > 1 else None
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
