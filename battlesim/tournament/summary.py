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
from battlesim.tournament.judge import VERDICTS, Judge
from battlesim.tournament.matrix import cycles, maximin, win_matrix
from battlesim.tournament.ratings import Difference, Ratings, fit
from battlesim.tournament.shares import interval, pair_interval
from battlesim.tournament.standings import rounded, scopes
from battlesim.tournament.tally import Tally

FORMAT = 1
WIDE = 0.4
"""A control arm whose interval is wider has seen too few games to say anything."""


def summarise(
    judge: Judge,
    run: str,
    sessions: Sequence[Mapping[str, Any]],
    records: Sequence[Mapping[str, Any]] = (),
    warnings: Sequence[str] = (),
) -> dict[str, Any]:
    """Everything a run came to. `sessions`: where it ran, as the run's folder keeps it; `records`: the games kept;
    `warnings`: what was odd, in words."""
    plan = judge.plan
    resolved, asked = plan.resolved, plan.asked
    sides = [_sides(judge, field.source.name) for field in resolved.scenarios]
    out = {row["scenario"] for row in sides if row["verdict"] == "out of bounds"}
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
        "superiority": [
            {
                "a": row.a,
                "b": row.b,
                "elo": rounded(row.elo),
                "low": rounded(row.low),
                "high": rounded(row.high),
                "bound": row.kind if row.kind.startswith("at ") else "",
                "likelihood": rounded(row.superiority, 4),
            }
            for row in map(_leading, overall.differences if overall is not None else ())
        ],
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
        "clauses": [_clauses(ruleset, used) for ruleset, used in sorted(judge.clauses.items())],
        "records": [dict(record) for record in records],
        "warnings": list(warnings),
    }


def _leading(row: Difference) -> Difference:
    """A difference from the better agent's point of view."""
    return row.turned() if (row.elo or 0) < 0 else row


def _sides(judge: Judge, scenario: str) -> dict[str, Any]:
    field, ground = judge.plan.fields[scenario], judge.grounds[scenario]
    control = judge.tally.control_results(scenario)
    found = interval(control.wins, control.draws, control.losses)
    most = judge.plan.asked.trust.bias
    names = field.sides
    if found is None:
        verdict = "no control games"
    elif found.low > most or found.high < 1 - most:
        verdict = "out of bounds"
    elif found.low > 0.5 or found.high < 0.5:
        verdict = f"favours {names[0 if found.low > 0.5 else 1]}"
    elif found.high - found.low > WIDE:
        verdict = "too few games"
    else:
        verdict = "no bias seen"
    agents = [agent.name for agent in judge.plan.resolved.agents]
    here = judge.tally.restricted(scenarios=[scenario])
    model = next(iter(fit(here, agents, differences=False).sides), None) if here.scenarios else None
    if model is not None and verdict in ("no bias seen", "too few games", "no control games"):
        # The pairs say something of the sides, too: what an agent scores on the one more than on the other.
        if model.low is not None and model.low > 0:
            verdict = f"games suggest {names[0]}"
        elif model.high is not None and model.high < 0:
            verdict = f"games suggest {names[1]}"
    return {
        "scenario": scenario,
        "sides": list(names),
        "control": {
            "games": control.games,
            "wins": [control.wins, control.losses],
            "draws": control.draws,
            "share": rounded(control.share, 4),
            "low": rounded(found.low, 4) if found else None,
            "high": rounded(found.high, 4) if found else None,
        },
        "agents": [_arm(judge, scenario, agent) for agent in agents],
        "all": {"games": sum(ground.wins) + ground.draws, "wins": list(ground.wins), "draws": ground.draws},
        "elo": rounded(model.elo) if model else None,
        "low": rounded(model.low) if model else None,
        "high": rounded(model.high) if model else None,
        "verdict": verdict,
    }


def _arm(judge: Judge, scenario: str, agent: str) -> dict[str, Any]:
    """One agent's control games: what the first side is worth to it."""
    arm = judge.tally.control_results(scenario, agent)
    found = interval(arm.wins, arm.draws, arm.losses)
    return {
        "agent": agent,
        "games": arm.games,
        "wins": [arm.wins, arm.losses],
        "draws": arm.draws,
        "share": rounded(arm.share, 4),
        "low": rounded(found.low, 4) if found else None,
        "high": rounded(found.high, 4) if found else None,
    }


def _pairing(judge: Judge, key: tuple[str, str, str]) -> dict[str, Any]:
    scenario, a, b = key
    results = judge.tally.results(a, b, scenario)
    pentanomial = judge.tally.pentanomial(a, b, scenario)
    found = pair_interval(pentanomial)
    margin = judge.mean_margin(key)
    if margin is None and (other := judge.mean_margin((scenario, b, a))) is not None:
        margin = -other
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
        "margin": rounded(margin, 2),
    }


def _verdicts(judge: Judge) -> list[dict[str, Any]]:
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


def _matrix(judge: Judge, overall: Ratings | None, fair: Sequence[str]) -> dict[str, Any]:
    """The win matrix on the scenarios that the standings count, and what follows from it."""
    agents = [agent.name for agent in judge.plan.resolved.agents]
    found = win_matrix(judge.tally.restricted(scenarios=fair), agents)
    mix = maximin(found)
    return {
        "agents": agents,
        "score": [[None if cell is None else rounded(cell.value, 4) for cell in row] for row in found.cells],
        "games": [[2 * pairs for pairs in row] for row in found.pairs],
        "mix": [
            {"agent": name, "weight": rounded(weight, 4)}
            for name, weight in zip(agents, mix.weights or (), strict=bool(mix.weights))
        ],
        "value": rounded(mix.value, 4),
        "cycles": [list(cycle) for cycle in cycles(found)],
        "fit_p": rounded(overall.transitivity.p, 4) if overall is not None else None,
        "consistency_p": rounded(overall.consistency.p, 4) if overall is not None else None,
    }


def _sprt(judge: Judge) -> dict[str, Any] | None:
    if judge.sprt is None:
        return None
    sprt, pentanomial = judge.sprt, list(judge.pentanomial)
    verdict = sprt.judge(pentanomial)
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


def _progress(judge: Judge, games: int, tally: Tally) -> dict[str, Any]:
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
