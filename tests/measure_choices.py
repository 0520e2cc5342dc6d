"""What leaving greedy's choice gains: the chance to win that players add at one decision, as a Markdown table.

    python -m tests.measure_choices                          # planner on four scenarios: some fifteen minutes on two cores
    python -m tests.measure_choices --agent planner --agent planner,turns=1 --scenario drones --games 40

Greedy plays against itself. At some questions of each game, drawn by its seed, greedy's four best answers are each played on to
the end many times with greedy on both sides, from the true position and under the same dice: that is what the answers are worth.
Then the measured players, who know no more than their view, say what they would answer. The gain is the chance to win of their
answer less that of greedy's; those who answer as greedy does gain nothing. The samples that players imagine have other dice than
those that judge them, so a lucky choice gains nothing on the mean. It is far less noisy than games that are won or lost, and a
player that takes n decisions a game can hope for some n times as much.

"best known": the answer that half of the playouts show to be best (`best_candidate`), judged by the other half. It says what is
there to gain, for a player who takes one other answer of the four and plays on as greedy does.
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


class Choice(NamedTuple):
    """What a player's answer gained, whether it was another than greedy's, and the processor's seconds that it took."""

    player: str
    gain: float
    other: bool
    seconds: float


class Job(NamedTuple):
    """A game: the scenario, its seed, how many questions of it are looked at, how often each answer is played on, and by whom."""

    scenario: str
    seed: int
    questions: int
    playouts: int
    agents: tuple[str, ...]


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


def choices(job: Job) -> list[Choice]:
    """What all players chose at the questions of one game."""
    scenario = load_scenario(job.scenario)
    numbers = [number for number, _, question, _ in game(scenario, job.seed) if len(question.answers) > 1]
    wanted = set(Random(job.seed).sample(numbers, min(job.questions, len(numbers))))
    players: dict[tuple[str, int], Any] = {}
    found: list[Choice] = []
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
        for name in job.agents:
            begun = process_time()
            said = players[name, question.side].choose(view, view.ask, question.answers)
            spent = process_time() - begun
            one = next((one for one in judged if one.answer == said), None)
            one = one or worth_of(battle, said, seed, job.playouts)
            found.append(Choice(name, one.mean - judged[0].mean, said != judged[0].answer, spent))
    return found


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
    spent = "-" if name == BEST else f"{1000 * fmean(one.seconds for one in every):.0f}"
    return f"{len(every)} | {fmean(one.other for one in every):.0%} | {100 * fmean(means):+.2f}% | {100 * error:.2f}% | {spent}"


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--agent", action="append", help="who is measured (may be repeated; planner)")
    parser.add_argument("--scenario", action="append", help="only this one (may be repeated)")
    parser.add_argument("--games", type=int, default=40, help="on each scenario (40)")
    parser.add_argument("--questions", type=int, default=4, help="that are looked at in each game (4)")
    parser.add_argument("--playouts", type=int, default=60, help="of each answer (60)")
    parser.add_argument("--seed", type=int, default=8000, help="of the first game (8000)")
    parser.add_argument("--workers", type=int, default=2)
    args = parser.parse_args()
    agents = tuple(args.agent or ("planner",))
    print("| scenario | player | decisions | other | gain | error | ms a decision |")
    print("| --- | --- | --: | --: | --: | --: | --: |")
    with ProcessPoolExecutor(args.workers, mp_context=get_context("spawn")) as pool:
        for scenario in args.scenario or SCENARIOS:
            jobs = [
                Job(scenario, args.seed + n, args.questions, args.playouts, agents) for n in range(args.games)
            ]
            games = list(tqdm(pool.map(choices, jobs), total=len(jobs), desc=scenario, disable=None))
            for name in (BEST, *agents):
                print(f"| {scenario} | {name} | {row(name, games)} |", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
