"""`--dry-run` of the commands that play runs: what would be played, and about how long it takes. Read `dry_run`."""

from __future__ import annotations

import argparse
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from battlesim.cli.common import print_json, some
from battlesim.cli.progress import duration, reporting

if TYPE_CHECKING:
    from battlesim.jobs.executor import Executor
    from battlesim.tournament.resolve import TournamentPlan


def dry_run(args: argparse.Namespace, plan: TournamentPlan, executor: Executor) -> int:
    """Print what would be played, and about how long it takes, estimated from short trials. `executor`: of trials; it is
    closed."""
    from battlesim.batch import trials

    schedule = plan.schedule
    try:
        with reporting(lambda: "trying each agent on each scenario", args.quiet):
            tried = trials.run_trials(plan.trials(), executor)
    finally:
        executor.close()
    taken = trials.estimate(tried)
    seconds = _by_scenario(plan, taken)
    share = plan.games / max(1, schedule.games)
    whole = sum(seconds.values()) * share / executor.workers
    each = schedule.games // max(1, len(schedule.scenarios))
    told: dict[str, Any] = {
        "agents": list(schedule.agents),
        "pairings": [list(pairing) for pairing in schedule.pairings],
        "scenarios": {name: round(time / max(1, each), 4) for name, time in seconds.items()},
        "seconds_a_game": {
            agent: {name: round(taken.get((name, agent), 0.0), 4) for name in schedule.scenarios}
            for agent in schedule.agents
        },
        "games": plan.games,
        "pairs": schedule.pairs * len(schedule.pairings) * len(schedule.scenarios),
        "control_games": schedule.control * len(schedule.agents) * len(schedule.scenarios),
        "workers": executor.workers,
        "seconds": round(whole, 1),
        "games_tried": len(tried),
    }
    stop = plan.asked.stop
    if stop is not None:
        from battlesim.tournament.sprt import Sprt

        sprt = Sprt(stop.elo0, stop.elo1, stop.alpha, stop.beta)
        middle = (stop.elo0 + stop.elo1) / 2
        most = schedule.pairs * len(schedule.scenarios)
        told["expected_pairs"] = {
            f"{elo:g}": min(most, round(sprt.outlook(elo).pairs)) for elo in (stop.elo0, middle, stop.elo1)
        }
        told["seconds"] = round(whole * max(told["expected_pairs"].values()) / most, 1)
    if args.json:
        print_json(told)
    else:
        _print_estimate(told, plan, executor.workers)
    return 0


def _print_estimate(told: Mapping[str, Any], plan: TournamentPlan, workers: int) -> None:
    """Print in words what `dry_run` found."""
    from battlesim.batch import trials

    schedule = plan.schedule
    print(
        f"{some(len(schedule.agents), 'agent')}, {some(len(schedule.pairings), 'pairing')}, "
        f"{some(len(schedule.scenarios), 'scenario')}"
    )
    at_most = "at most " if plan.asked.stop is not None else ""
    print(
        f"{at_most}{told['pairs']:,} pairs of games and {told['control_games']:,} control games: {plan.games:,} games"
    )
    for name, time in told["scenarios"].items():
        print(f"  {name}: {time:.2f} s a game")
    for agent, times in told["seconds_a_game"].items():
        print(f"  {agent} against itself: {min(times.values()):.2f} to {max(times.values()):.2f} s a game")
    print(f"about {duration(told['seconds'])} with {some(workers, 'worker')}")
    print(
        f"{some(told['games_tried'], 'trial')} of {trials.SECONDS:g} seconds at most told this; the agents' files were run, "
        "and nothing was kept"
    )
    for elo, pairs in told.get("expected_pairs", {}).items():
        print(f"  the test is expected to stop after some {pairs} pairs where the difference is {elo} Elo")


def _by_scenario(plan: TournamentPlan, taken: Any) -> dict[str, float]:
    """The total seconds of all games of a whole tournament on each scenario."""
    schedule = plan.schedule
    return {
        name: 2
        * schedule.pairs
        * sum((taken.get((name, a), 0.0) + taken.get((name, b), 0.0)) / 2 for a, b in schedule.pairings)
        + schedule.control * sum(taken.get((name, agent), 0.0) for agent in schedule.agents)
        for name in schedule.scenarios
    }
