"""`battlesim whatif RECORD --turning-points`: which orders and dice decided a battle. Read `find_turning_points`."""

from __future__ import annotations

import argparse
import os
from collections.abc import Iterator, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

from battlesim.cli.common import by_side, players, plus_minus, table
from battlesim.cli.progress import counting

if TYPE_CHECKING:
    from battlesim.cli.whatif_parts import Ask
    from battlesim.engine.record import Record
    from battlesim.search.turning_points import Act, Swings
    from battlesim.viewer.told import ToldRecord

ALTERNATIVES = 3
"""How many answers besides the one played are tried by default."""
GAMES = 40
"""Games with fresh dice for each answer."""
GAMES_A_POSITION = 24
"""Games with fresh dice for each position, to find turning points."""
HORIZON = 2
"""Turns of them that are played."""
ACTS = 8
"""The most turning points that are shown."""


def find_turning_points(record: Record, told: ToldRecord, args: argparse.Namespace) -> tuple[Any, list[str]]:
    """The results, as `--json` writes them, and as lines for the terminal."""
    from msgspec import to_builtins

    from battlesim.cli.whatif_parts import Ask, Workers
    from battlesim.search.continuation import Continuation
    from battlesim.search.turning_points import turning_points

    one, two = by_side(args.agent, record.header.sides, ("greedy", "greedy"))
    entrants = (one, two)
    going = Continuation(record, entrants, args.scenario)
    games, horizon = args.games or GAMES_A_POSITION, HORIZON if args.horizon is None else args.horizon
    ask = Ask(record, entrants, args.scenario)
    done, bar = counting(len(going.answers), "question")
    divide = None
    if (count := workers(args)) > 1:
        team = Workers(ask, count, done)
        divide = partial(team.divide_spans, games=games, seed=args.seed, horizon=horizon)
    with bar:
        swings = turning_points(going, games, args.seed, done, horizon, divide)
    shown = swings.turning_points(ACTS)
    better = _better(ask, shown, told, args) if args.better else {}
    found = {
        "record": record.path,
        "record_hash": record.digest,
        "estimator": "playouts and position value" if swings.horizon else "playouts",
        **to_builtins(swings),
        "turning_points": [
            {**to_builtins(act), "text": told.act_text(act.act), "better": better.get(act.act, [])}
            for act in shown
        ],
    }
    return found, list(_swing_lines(swings, shown, told, better if args.better else None))


def questions_of(act: Act) -> str:
    """Which answers were given in an act: `answered: question 5`, `answered: questions 5 to 9`."""
    first, last = act.questions[0], act.questions[-1]
    return f"answered: question {first}" if first == last else f"answered: questions {first} to {last}"


def workers(args: argparse.Namespace) -> int:
    """The number of worker processes."""
    return args.workers or os.cpu_count() or 1


def _better(
    ask: Ask, acts: Sequence[Act], told: ToldRecord, args: argparse.Namespace
) -> dict[int, list[dict[str, Any]]]:
    """Answers that would have been better, by act."""
    from msgspec import to_builtins

    from battlesim.cli.whatif_parts import Workers

    act_of = {number: act.act for act in acts for number in act.questions}
    done, bar = counting(len(act_of), "question")
    with bar:
        team = Workers(ask, workers(args), done)
        answers = team.better(list(act_of), args.games or GAMES, ALTERNATIVES, args.seed + 1)
    found: dict[int, list[dict[str, Any]]] = {}
    for number, act in act_of.items():
        one = answers[number]
        if one is not None:
            words = told.answer_words(number, one.answer)
            row = {**to_builtins(one), "asked": told.question(number).question, "words": words}
            found.setdefault(act, []).append(row)
    return found


def _swing_lines(
    swings: Swings,
    shown: Sequence[Act],
    told: ToldRecord,
    better: dict[int, list[dict[str, Any]]] | None,
) -> Iterator[str]:
    """The chances of a battle and its turning points as lines of text. `better`: as `_better` finds them, None if not asked."""
    yield from _chance_lines(swings)
    if shown:
        yield ""
        yield "Turning points"
    for act in shown:
        yield from _act_lines(act, swings, told, (better or {}).get(act.act, ()))
    yield from _closing_lines(shown, told, better is not None)


def _chance_lines(swings: Swings) -> Iterator[str]:
    """What the chances are of, and what the orders of each side and the dice changed in all."""
    from battlesim.viewer.wording import printable

    first, second = swings.sides
    yield printable(f"The chance of {first} to win, where {players(swings.sides, swings.reference)} play on")
    spans = {
        0: "played to the end",
        1: "played to the end of the turn",
        2: "played to the end of the next turn",
    }
    played = spans.get(swings.horizon, f"played for {swings.horizon} turns")
    if swings.horizon:
        played += ", then valued by the position"
    yield f"({swings.games} games with fresh dice for each position, the same for all, {played};"
    yield "± is the standard error, in points of 100)"
    yield printable(f"Plus is good for {first}, minus for {second}, whoever gave the orders.")
    yield ""
    rows = [
        ("at the first question", f"{swings.start.value:.0%} ± {100 * swings.start.error:.0f}"),
        (
            f"orders of {first} ({swings.agents[0]})",
            plus_minus(swings.skill[0].value, swings.skill[0].error),
        ),
        (
            f"orders of {second} ({swings.agents[1]})",
            plus_minus(swings.skill[1].value, swings.skill[1].error),
        ),
        ("dice", plus_minus(swings.luck.value, swings.luck.error)),
        ("the result", f"{swings.result:.0%}"),
    ]
    yield from map(printable, table(rows, 4))
    yield ""
    yield "Orders count by how much better or worse they were than what those players would have ordered."


def _act_lines(act: Act, swings: Swings, told: ToldRecord, better: Sequence[dict[str, Any]]) -> Iterator[str]:
    """One turning point: what it changed, what was done, and answers that would have been better."""
    from battlesim.viewer.wording import printable

    parts = [
        f"orders of {side} {plus_minus(effect.value, effect.error)}"
        for side, effect in zip(swings.sides, act.order, strict=True)
        if effect.value or effect.error
    ]
    parts.append(f"dice {plus_minus(act.dice.value, act.dice.error)}")
    yield ""
    yield printable(
        f"turn {act.turn}, {swings.sides[0]} {act.before:.0%} to {act.then:.0%} ({', '.join(parts)})"
    )
    yield printable(f"  {told.act_text(act.act)}")
    yield f"  {questions_of(act)}"
    for row in better:
        gain = plus_minus(row["gain"], row["error"])
        yield printable(f"  Better at question {row['question']}: {row['asked']} {row['words']} ({gain})")


def _closing_lines(shown: Sequence[Act], told: ToldRecord, asked: bool) -> Iterator[str]:
    """What to call next, and, if better answers were asked for, which ones count."""
    from battlesim.viewer.wording import printable

    if shown:
        at = shown[0].questions[-1]
        yield ""
        yield printable(
            f"`battlesim whatif {told.record.path}` lists all questions with their numbers, `--at {at}` tries other answers"
        )
        yield f"to question {at}."
    if asked:
        yield ""
        ahead = f"the {ALTERNATIVES} others that promise most, where one is ahead by two standard errors"
        yield f"Better answers are those of {ahead}; plus is good for the side that answers."
