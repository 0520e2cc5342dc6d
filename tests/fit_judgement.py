"""Which way each parameter of judgement should go, by what answers are truly worth.

    python -m tests.fit_judgement armorclass                  # on scenarios for tuning only: some twenty minutes on two cores
    python -m tests.fit_judgement regiment --games 200 --questions 6 --playouts 8 --turns 2

Greedy plays against itself. At some questions of each game, drawn by its seed, greedy's best answers are played on for a few
turns with greedy on both sides, from the true position and under the same dice; the value of the position that follows says what
they are worth. Each answer's score is also taken with every parameter a little larger. Linear fits within questions then say

- what a thousand points of each feature are worth, in chance to win: under right weights all are worth the same;
- what the points that a parameter moves are worth beyond what the score says already: above 0 asks for a larger one.

There is far less noise in it than in games that are won or lost (`tests.tune_judgement`), but the worth is greedy's own: what
pays only for a player who goes on otherwise is not seen. Where a few questions hold most of what a parameter moves, its error is
told too small. So let games decide what is kept.

The last table has the questions by class: how often greedy's first answer is best as far as half of the playouts show, and what
the best known would gain, judged by the other half.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path
from random import Random
from statistics import fmean
from typing import Any

import msgspec
import numpy as np
from tqdm import tqdm

from battlesim import (
    Battle,
    Budget,
    Features,
    KeyedDice,
    View,
    best_by_features,
    derive_seed,
    find_ruleset,
    load_scenario,
    parameters,
    play_on,
    position_value,
    weigh,
    weights_of,
)
from battlesim.core.answers import Answer
from battlesim.engine.battle import Question
from tests.measure_choices import game

HERE = Path(__file__).parent / "tuning"
WIDTH = 4
"""Greedy's best answers that are played on."""
STEP = 1.25
"""The factor on a parameter."""
TURN = 1_000
"""On the battle's clock."""
GAP = 100.0
"""Answers that score more than this below the first are left out: a large number only means "never"."""
SHOWN = 0.3
"""Points that a parameter's step must move an answer by, to count as shown."""
FEWEST = 20
"""Questions that must show anything of a parameter."""

Array = np.ndarray[Any, np.dtype[np.float64]]


class Job(msgspec.Struct, frozen=True):
    """A game: the scenario, its seed, how many questions of it are looked at, how often each answer is played on, for how many
    turns."""

    scenario: str
    seed: int
    questions: int
    playouts: int
    turns: int


class Judged(msgspec.Struct, frozen=True):
    """A question: its class, greedy's best answers in words, their scores, what each parameter a step larger adds to each score,
    and the worth of each answer in each playout."""

    scenario: str
    seed: int
    number: int
    ask: str
    answers: list[str]
    scores: list[float]
    changes: dict[str, list[float]]
    worths: list[list[float]]


def scores_of(battle: Battle, view: View, answers: Sequence[Answer], judgement: Any) -> list[float]:
    """The score of each answer under a judgement."""
    weights = weights_of(judgement)
    found = battle.ruleset.features(view, battle.board, view.ask, answers, judgement)
    return [weigh(one, weights) for one in found]


def worth_of(battle: Battle, answer: Answer, seed: int, job: Job) -> list[float]:
    """The value, after some turns, of the position that each playout of an answer comes to, for the side that is asked."""
    question = battle.question
    assert question is not None
    found = []
    for n in range(job.playouts):
        fork = battle.fork(KeyedDice(derive_seed(seed, "judge", n)))
        fork.answer(answer)
        play_on(fork, best_by_features, battle.state.now + job.turns * TURN, Budget())
        found.append(position_value(fork.state, fork.board, fork.ruleset, question.side))
    return found


def judged(battle: Battle, question: Question, view: View, number: int, job: Job) -> Judged:
    """One question of a game."""
    kind = battle.ruleset.judgement
    usual = kind()
    scores = scores_of(battle, view, question.answers, usual)
    order = sorted(range(len(scores)), key=lambda n: -scores[n])[:WIDTH]
    changes = {}
    for one in parameters(battle.ruleset.name):
        larger = msgspec.structs.replace(usual, **{one.name: min(one.high, one.default * STEP)})
        other = scores_of(battle, view, question.answers, larger) if larger != usual else scores
        changes[one.name] = [other[n] - scores[n] for n in order]
    seed = derive_seed(job.seed, "question", number)
    return Judged(
        scenario=Path(job.scenario).stem,
        seed=job.seed,
        number=number,
        ask=type(question.ask).__name__,
        answers=[repr(question.answers[n]) for n in order],
        scores=[scores[n] for n in order],
        changes=changes,
        worths=[worth_of(battle, question.answers[n], seed, job) for n in order],
    )


def questions_of(job: Job) -> list[Judged]:
    """The questions of one game that are looked at."""
    scenario = load_scenario(job.scenario)
    numbers = [number for number, _, question, _ in game(scenario, job.seed) if len(question.answers) > 1]
    wanted = set(Random(job.seed).sample(numbers, min(job.questions, len(numbers))))
    return [
        judged(battle, question, view, number, job)
        for number, battle, question, view in game(scenario, job.seed)
        if number in wanted
    ]


def table(found: Sequence[Judged], names: Sequence[str], gap: float) -> tuple[list[Array], list[Array]]:
    """By question: the score and the changes by some parameters of each answer, and the worths, less the question's means.
    Answers that score more than `gap` below the first are left out, and so are questions that have one answer left."""
    rows, worths = [], []
    for one in found:
        kept = [n for n, score in enumerate(one.scores) if one.scores[0] - score <= gap]
        if len(kept) > 1:
            moved = [np.clip([one.changes[name][n] for n in kept], -gap, gap) for name in names]
            row = np.array([[one.scores[n] for n in kept], *moved]).T
            worth = np.array([fmean(one.worths[n]) for n in kept])
            rows.append(row - row.mean(axis=0))
            worths.append(worth - worth.mean())
    return rows, worths


def fit(rows: Sequence[Array], worths: Sequence[Array]) -> tuple[Array, Array]:
    """The slopes of worths on the columns of rows, and their standard errors. Questions differ in how much is at stake, so the
    errors are those of questions, each as one draw."""
    x, y = np.concatenate(rows), np.concatenate(worths)
    inverse = np.linalg.pinv(x.T @ x)
    slopes: Array = inverse @ x.T @ y
    left = [row.T @ (worth - row @ slopes) for row, worth in zip(rows, worths, strict=True)]
    middle = sum((np.outer(one, one) for one in left), np.zeros_like(inverse))
    return slopes, np.sqrt(np.diag(inverse @ middle @ inverse))


def of_features(found: Sequence[Judged], gap: float) -> list[str]:
    """Lines of the table of features: what a thousand points of each, weighed, are worth beside the others."""
    names = [name for name in Features.__struct_fields__ if name in found[0].changes]
    rows, worths = table(found, names, gap)
    rows = [row[:, 1:] / (STEP - 1.0) for row in rows]
    spread = np.concatenate(rows).std(axis=0)
    used = [n for n, size in enumerate(spread) if size > 1e-9]
    slopes, errors = fit([row[:, used] for row in rows], worths)
    return [
        f"| {names[n]} | {spread[n]:.1f} | {1000 * slope:+.2f} | {1000 * error:.2f} |"
        for n, slope, error in zip(used, slopes, errors, strict=True)
    ]


def of_parameters(found: Sequence[Judged], gap: float) -> list[tuple[str, int, float, float]]:
    """For each parameter that some question shows anything of: in how many it matters, and what a thousand of the points that it
    moves are worth beyond what the score says already, with the standard error. Each has a fit of its own."""
    names = sorted(found[0].changes)
    rows, worths = table(found, names, gap)
    lines = []
    for n, name in enumerate(names, 1):
        shown = sum(bool(np.abs(row[:, n]).max() > SHOWN) for row in rows)
        if shown >= FEWEST:
            (_, slope), (_, error) = fit([row[:, [0, n]] for row in rows], worths)
            lines.append((name, shown, 1000 * float(slope), 1000 * float(error)))
    return lines


def classes(found: Sequence[Judged]) -> list[str]:
    """Lines of the table of questions by class."""
    lines = []
    for ask in sorted({one.ask for one in found}):
        of = [one for one in found if one.ask == ask]
        gains, same = [], []
        for one in of:
            half = len(one.worths[0]) // 2
            for first, second in ((slice(0, half), slice(half, None)), (slice(half, None), slice(0, half))):
                best = max(range(len(one.worths)), key=lambda n: fmean(one.worths[n][first]))
                gains.append(fmean(one.worths[best][second]) - fmean(one.worths[0][second]))
                same.append(best == 0)
        lines.append(f"| {ask} | {len(of)} | {fmean(same):.0%} | {100 * fmean(gains):+.2f}% |")
    return lines


def kept(file: Path) -> list[Judged]:
    """The questions of a file."""
    return [msgspec.json.decode(line, type=Judged) for line in file.read_bytes().splitlines()]


def played(args: argparse.Namespace) -> list[Judged]:
    """The questions of games that are played now."""
    scenarios = args.scenario or [str(path) for path in sorted(HERE.glob(f"{args.ruleset}-*.yaml"))]
    jobs = [
        Job(scenarios[n % len(scenarios)], args.seed + n, args.questions, args.playouts, args.turns)
        for n in range(args.games)
    ]
    found: list[Judged] = []
    with ProcessPoolExecutor(args.workers, mp_context=get_context("spawn")) as pool:
        for some in tqdm(pool.map(questions_of, jobs), total=len(jobs), disable=None):
            found += some
            if args.keep:
                with args.keep.open("ab") as file:
                    file.writelines(msgspec.json.encode(one) + b"\n" for one in some)
    return found


def main(words: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("ruleset")
    parser.add_argument("--scenario", action="append", help="these instead (may be repeated)")
    parser.add_argument("--games", type=int, default=120, help="in all (120)")
    parser.add_argument("--questions", type=int, default=6, help="that are looked at in each game (6)")
    parser.add_argument("--playouts", type=int, default=6, help="of each answer (6)")
    parser.add_argument("--turns", type=int, default=2, help="that they last (2)")
    parser.add_argument("--seed", type=int, default=20_000, help="of the first game (20000)")
    parser.add_argument(
        "--gap", type=float, default=GAP, help=f"most that an answer may score below ({GAP:g})"
    )
    parser.add_argument("--read", type=Path, help="only this file, which --keep has written")
    parser.add_argument("--keep", type=Path, help="a file for the questions, one JSON object a line")
    parser.add_argument("--workers", type=int, default=2)
    args = parser.parse_args(words)
    if args.playouts < 2:
        parser.error("give --playouts of 2 or more: one half of them chooses, the other judges")
    find_ruleset(args.ruleset)
    found = kept(args.read) if args.read else played(args)
    print("| feature | spread | worth of 1000 points | error |\n| --- | --: | --: | --: |")
    print("\n".join(of_features(found, args.gap)))
    print("\n| parameter | shown in | worth of 1000 points beyond the score | error | in errors |")
    print("| --- | --: | --: | --: | --: |")
    for name, shown, slope, error in sorted(
        of_parameters(found, args.gap), key=lambda row: -abs(row[2] / row[3])
    ):
        print(f"| {name} | {shown} | {slope:+.2f} | {error:.2f} | {slope / error:+.1f} |")
    print("\n| question | seen | first is best | best known gains |\n| --- | --: | --: | --: |")
    print("\n".join(classes(found)))
    return 0


if __name__ == "__main__":
    sys.exit(main())
