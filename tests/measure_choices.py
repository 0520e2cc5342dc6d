"""What leaving greedy's choice gains: the chance to win that players add at one decision, as a Markdown table.

    python -m tests.measure_choices                          # planner on four scenarios: some fifteen minutes on two cores
    python -m tests.measure_choices --agent planner --agent planner,turns=1 --scenario drones --games 40
    python -m tests.measure_choices --prior 0.05,0.02,0.15,0.2 --prior 0.12,0.04,0.15,0.5    # which prior gains more

Greedy plays against itself. At some questions of each game, drawn by its seed, greedy's four best answers are each played on to
the end many times with greedy on both sides, from the true position and under the same dice: that is what the answers are worth.
Then the measured players, who know no more than their view, say what they would answer. The gain is the chance to win of their
answer less that of greedy's; those who answer as greedy does gain nothing. The samples that players imagine have other dice than
those that judge them, so a lucky choice gains nothing on the mean. It is far less noisy than games that are won or lost, and a
player that takes n decisions a game can hope for some n times as much.

"best known": the answer that half of the playouts show to be best (`best_candidate`), judged by the other half. It says what is
there to gain, for a player who takes one other answer of the four and plays on as greedy does.

`--prior DIFFER,HEAD_START,TRUST,DOUBT` (may be repeated; no player is measured then) has a row for each prior and number of
samples: so many of half of the playouts, drawn anew several times, choose by that prior, and the other half judges. A last line a
scenario says how greedy's next answers truly differ from its first: on the mean, and as a standard deviation free of the
playouts' noise.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from math import sqrt
from multiprocessing import get_context
from random import Random
from statistics import fmean, stdev
from time import process_time
from typing import Any, NamedTuple

from tqdm import tqdm

from battlesim import (
    Battle,
    Budget,
    KeyedDice,
    Prior,
    View,
    best_by_features,
    best_candidate,
    derive_seed,
    feature_scores,
    find_agent,
    find_ruleset,
    first_state,
    load_scenario,
    plan_of,
    play_on,
    shortfalls,
)
from battlesim.core.answers import Answer
from battlesim.engine.agent import Chance
from battlesim.engine.battle import Question
from battlesim.engine.brief import brief_of, start_agent
from battlesim.rules.scenario import Scenario
from battlesim.search.playouts import Candidate
from tests.measure_budget import SCENARIOS

WIDTH = 4
"""Greedy's best answers that are played on."""
END = 10**12
"""A time after every battle."""
BEST = "best known"
FEW = (6, 12, 24)
"""Samples that a prior is tried with."""
DRAWS = 16
"""How often they are drawn."""


class Tried(NamedTuple):
    """A prior that is tried; `trust` as the players take it."""

    differ: float
    head_start: float
    trust: float
    doubt: float


class Choice(NamedTuple):
    """What a player's answer gained, whether it was another than greedy's (a share, if over several draws), and the processor's
    seconds that it took."""

    player: str
    gain: float
    other: float
    seconds: float


class Job(NamedTuple):
    """A game: the scenario, its seed, how many questions of it are looked at, how often each answer is played on, and by whom;
    and the priors that are tried."""

    scenario: str
    seed: int
    questions: int
    playouts: int
    agents: tuple[str, ...]
    priors: tuple[Tried, ...] = ()


def game(scenario: Scenario, seed: int) -> Iterator[tuple[int, Battle, Question, View]]:
    """Greedy against itself: the battle at each of its questions, and what the side that is asked sees."""
    ruleset = find_ruleset(scenario.ruleset)
    battle = Battle(
        ruleset, scenario.board, first_state(scenario, seed), KeyedDice(derive_seed(seed, "dice"))
    )
    number = 0
    while (question := battle.question) is not None:
        view = ruleset.observe(battle.state, battle.board, question.side, ())
        yield number, battle, question, view
        battle.answer(best_by_features(view, battle.board, view.ask, question.answers))
        number += 1


def worth_of(battle: Battle, answer: Answer, seed: int, playouts: int) -> Candidate:
    """An answer to the question that waits, with how each playout ended for the side that is asked."""
    question = battle.question
    assert question is not None
    found = Candidate(plan_of(question.ask, answer), [])
    for n in range(playouts):
        fork = battle.fork(KeyedDice(derive_seed(seed, "judge", n)))
        fork.answer(answer)
        play_on(fork, best_by_features, END, Budget())
        assert fork.outcome is not None
        winner = fork.outcome.winner
        found.values.append(0.5 if winner is None else float(winner == question.side))
    return found


def best_known(judged: list[Candidate], half: int) -> Iterator[Choice]:
    """What is taken by one half of the playouts, judged by the other, and the other way round."""
    for first, second in ((slice(0, half), slice(half, None)), (slice(half, None), slice(0, half))):
        shown = [Candidate(one.plan, one.values[first]) for one in judged]
        best = best_candidate(shown, Prior())
        taken = next(n for n, one in enumerate(shown) if one is best)
        gain = fmean(judged[taken].values[second]) - fmean(judged[0].values[second])
        yield Choice(BEST, gain, taken > 0, 0.0)


def by_prior(judged: list[Candidate], short: list[float], tried: Tried, samples: int, dice: Random) -> Choice:
    """What a prior takes by a few samples of one half of the playouts, judged by the other half; a mean over draws."""
    prior = Prior(tried.differ, tried.head_start, tried.doubt)
    every = range(len(judged[0].values))
    gains, others = [], 0
    for _ in range(DRAWS):
        drawn = dice.sample(every, len(every))
        mine, judges = drawn[:samples], drawn[len(drawn) // 2 :]
        shown = [
            Candidate(one.plan, [one.values[n] for n in mine], tried.trust * less)
            for one, less in zip(judged, short, strict=True)
        ]
        best = best_candidate(shown, prior)
        taken = next(n for n, one in enumerate(shown) if one is best)
        gains.append(fmean(judged[taken].values[n] - judged[0].values[n] for n in judges))
        others += taken > 0
    return Choice(f"{samples} samples, {','.join(map(str, tried))}", fmean(gains), others / DRAWS, 0.0)


def differences(judged: list[Candidate]) -> Iterator[tuple[float, float]]:
    """How much better each answer is than greedy's first, by either half of the playouts."""
    half = len(judged[0].values) // 2
    for one in judged[1:]:
        lead = [a - b for a, b in zip(one.values, judged[0].values, strict=True)]
        yield fmean(lead[:half]), fmean(lead[half:])


def choices(job: Job) -> tuple[list[Choice], list[tuple[float, float]]]:
    """What all players, or priors, chose at the questions of one game; and how the answers differ."""
    scenario = load_scenario(job.scenario)
    numbers = [number for number, _, question, _ in game(scenario, job.seed) if len(question.answers) > 1]
    wanted = set(Random(job.seed).sample(numbers, min(job.questions, len(numbers))))
    players: dict[tuple[str, int], Any] = {}
    found: list[Choice] = []
    apart: list[tuple[float, float]] = []
    for number, battle, question, view in game(scenario, job.seed):
        for name in job.agents:
            player = players.get((name, question.side)) or _started(name, scenario, view, job.seed)
            players[name, question.side] = player
            if hasattr(player, "sightings"):
                player.sightings.note(view)
        if number not in wanted:
            continue
        seed = derive_seed(job.seed, "question", number)
        scores = feature_scores(view, battle.board, view.ask, question.answers)
        order = sorted(range(len(scores)), key=lambda n: -scores[n])
        judged = [worth_of(battle, question.answers[n], seed, job.playouts) for n in order[:WIDTH]]
        found += best_known(judged, job.playouts // 2)
        apart += differences(judged)
        short = shortfalls(view, scores)
        for tried in job.priors:
            for samples in FEW:
                less, dice = [short[n] for n in order[:WIDTH]], Random(seed)
                found.append(by_prior(judged, less, tried, samples, dice))
        for name in job.agents:
            begun = process_time()
            said = players[name, question.side].choose(view, view.ask, question.answers)
            spent = process_time() - begun
            one = next((one for one in judged if one.answer == said), None)
            one = one or worth_of(battle, said, seed, job.playouts)
            found.append(Choice(name, one.mean - judged[0].mean, said != judged[0].answer, spent))
    return found, apart


def _started(name: str, scenario: Scenario, view: View, seed: int) -> Any:
    agent = find_agent(name).make()
    chance = Chance(derive_seed(seed, "agent", view.side))
    start_agent(agent, scenario.board, view.side, chance, brief_of(view, scenario, 0.0, Budget()))
    return agent


def row(name: str, games: list[list[Choice]]) -> str:
    """Cells of a table: decisions, how many were other than greedy's, the gain with its error over games, milliseconds."""
    of = [[one for one in found if one.player == name] for found in games]
    means = [fmean(one.gain for one in found) for found in of if found]
    every = [one for found in of for one in found]
    error = stdev(means) / sqrt(len(means)) if len(means) > 1 else 0.0
    seconds = fmean(one.seconds for one in every)
    spent = f"{1000 * seconds:.0f}" if seconds else "-"
    return f"{len(every)} | {fmean(one.other for one in every):.0%} | {100 * fmean(means):+.2f}% | {100 * error:.2f}% | {spent}"


def told_apart(apart: list[tuple[float, float]]) -> str:
    """How answers differ from the first: the mean, and the standard deviation by the covariance of the two halves."""
    one, two = [a for a, _ in apart], [b for _, b in apart]
    mean = (fmean(one) + fmean(two)) / 2
    spread = fmean((a - fmean(one)) * (b - fmean(two)) for a, b in apart)
    words = f"{len(apart)} answers differ from the first by {100 * mean:+.1f}% on the mean"
    return f"{words}, deviation {100 * sqrt(max(0.0, spread)):.1f}%"


def prior(text: str) -> Tried:
    """`--prior`'s four numbers."""
    try:
        return Tried(*map(float, text.split(",")))
    except (TypeError, ValueError):
        raise argparse.ArgumentTypeError(f"'{text}': give four numbers, 0.05,0.02,0.15,0.2") from None


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--agent", action="append", help="who is measured (may be repeated; planner)")
    parser.add_argument(
        "--prior", action="append", type=prior, default=[], help="DIFFER,HEAD_START,TRUST,DOUBT"
    )
    parser.add_argument("--scenario", action="append", help="only this one (may be repeated)")
    parser.add_argument("--games", type=int, default=40, help="on each scenario (40)")
    parser.add_argument("--questions", type=int, default=4, help="that are looked at in each game (4)")
    parser.add_argument("--playouts", type=int, default=60, help="of each answer (60)")
    parser.add_argument("--seed", type=int, default=8000, help="of the first game (8000)")
    parser.add_argument("--workers", type=int, default=2)
    args = parser.parse_args()
    agents = tuple(args.agent or (() if args.prior else ("planner",)))
    if args.playouts < 2:
        parser.error("give --playouts of 2 or more: one half of them chooses, the other judges")
    if args.playouts < 2 * max(FEW) and args.prior:
        parser.error(
            f"--prior draws up to {max(FEW)} of half of the playouts: give --playouts {2 * max(FEW)} or more"
        )
    rows = (BEST, *agents, *(f"{n} samples, {','.join(map(str, one))}" for one in args.prior for n in FEW))
    print("| scenario | player | decisions | other | gain | error | ms a decision |")
    print("| --- | --- | --: | --: | --: | --: | --: |")
    with ProcessPoolExecutor(args.workers, mp_context=get_context("spawn")) as pool:
        for scenario in args.scenario or SCENARIOS:
            jobs = [
                Job(scenario, args.seed + n, args.questions, args.playouts, agents, tuple(args.prior))
                for n in range(args.games)
            ]
            played = list(tqdm(pool.map(choices, jobs), total=len(jobs), desc=scenario, disable=None))
            games = [found for found, _ in played]
            for name in rows:
                print(f"| {scenario} | {name} | {row(name, games)} |", flush=True)
            if args.prior:
                print(
                    f"{scenario}: {told_apart([pair for _, apart in played for pair in apart])}", flush=True
                )
    return 0


if __name__ == "__main__":
    sys.exit(main())
