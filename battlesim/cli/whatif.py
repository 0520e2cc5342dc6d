"""`battlesim whatif`: the results of other answers, and which orders and dice decided a battle."""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

from battlesim.cli.common import (
    at_least_one,
    by_side,
    players,
    plus_minus,
    print_json,
    processes,
    seed,
    table,
    whole_number,
)
from battlesim.cli.extras import check_extra
from battlesim.cli.progress import counting
from battlesim.cli.turning_points import (
    ALTERNATIVES,
    GAMES,
    GAMES_A_POSITION,
    HORIZON,
    find_turning_points,
    workers,
)

if TYPE_CHECKING:
    from battlesim.core.answers import Answer
    from battlesim.engine.battle import Battle
    from battlesim.engine.record import Record
    from battlesim.search.continuation import Continuation
    from battlesim.search.whatif import Option
    from battlesim.viewer.told import ToldRecord


def add(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("record", metavar="RECORD", help="a record, as play --record writes it")
    parser.add_argument(
        "--at",
        type=whole_number,
        metavar="QUESTION",
        help="the number of a question; without it, list the questions",
    )
    parser.add_argument(
        "--answer",
        action="append",
        default=[],
        metavar="TEXT",
        help="another answer, as the record writes it (order fire) or in words (the three others that promise most)",
    )
    parser.add_argument(
        "--turning-points",
        action="store_true",
        help="find what moved the chance to win most, orders and dice told apart",
    )
    parser.add_argument(
        "--better", action="store_true", help="look for better answers at the turning points, too"
    )
    parser.add_argument(
        "--agent",
        action="append",
        default=[],
        metavar="SIDE=NAME",
        help="who plays on (as in the record; for turning points greedy)",
    )
    parser.add_argument(
        "--games",
        type=at_least_one,
        metavar="N",
        help=f"games with fresh dice for each answer ({GAMES}), or for each position of the battle ({GAMES_A_POSITION})",
    )
    parser.add_argument(
        "--horizon",
        type=_turns,
        metavar="TURNS",
        help=f"for turning points, play on to the end of so many turns and value the position there ({HORIZON}); 0: to the end",
    )
    parser.add_argument(
        "--workers",
        type=processes,
        metavar="N",
        help="processes on this machine (its cores); the result is the same whatever their number",
    )
    parser.add_argument("--seed", type=seed, default=0, metavar="N", help="the seed of the fresh dice (0)")
    parser.add_argument("--scenario", metavar="FILE", help="the scenario, for an old record without it")
    parser.add_argument(
        "--json",
        nargs="?",
        const="",
        metavar="FILE",
        help="print JSON and nothing else, or write it to FILE",
    )


def _turns(text: str) -> int:
    if not text.isdecimal() or len(text) > 3:
        raise argparse.ArgumentTypeError(f"{text!r} is not a number of turns from 0 to 999")
    return int(text)


def run(args: argparse.Namespace) -> int:
    from battlesim.cli.targets import check_answer
    from battlesim.core.errors import Fault, InputError
    from battlesim.core.files import is_same_file
    from battlesim.engine.origin import check_ruleset
    from battlesim.engine.record import read_record
    from battlesim.engine.replay import check
    from battlesim.viewer.told import ToldRecord

    record = read_record(args.record)
    if args.turning_points and (args.at is not None or args.answer):
        what = "--turning-points looks at every question; --at and --answer are about one"
        raise InputError(Fault(what, "give one or the other"))
    if args.answer and args.at is None:
        raise InputError(
            Fault(
                "--answer: no question is named", "add --at QUESTION; without both, the questions are listed"
            )
        )
    if args.horizon is not None and not args.turning_points:
        raise InputError(Fault("--horizon is for turning points", "add --turning-points, or leave it out"))
    if args.better and not args.turning_points:
        raise InputError(Fault("--better looks at the turning points", "add --turning-points"))
    for file, what in ((args.record, "the record"), (args.scenario, "the scenario")):
        if args.json and file and is_same_file(args.json, file):
            raise InputError(Fault(f"the JSON would replace {what}", "give it a name of its own", args.json))
    if args.turning_points or args.at is not None:
        check_extra("tournament")
    if args.json:
        check_answer(args.json)
    check(record)
    check_ruleset(record)
    told = ToldRecord(record)
    if args.turning_points:
        found, lines = find_turning_points(record, told, args)
    elif args.at is not None:
        found, lines = _what_if(record, told, args)
    else:
        found, lines = _questions(record, told)
    if args.json == "":
        print_json(found)
        return 0
    if args.json:
        _write(args.json, found)
    for line in lines:
        print(line)
    return 0


def _write(path: str, found: Any) -> None:
    import json

    from battlesim.engine.record_file import write_bytes

    write_bytes(path, (json.dumps(found, ensure_ascii=False) + "\n").encode())


# ---- the questions


def _questions(record: Record, told: ToldRecord) -> tuple[Any, list[str]]:
    from msgspec import to_builtins

    from battlesim.viewer.wording import printable

    rows = [told.question(number) for number in range(len(told.questions))]
    turns = [told.turns[event] for event in told.questions]
    found = {
        "record": record.path,
        "questions": [{"turn": turn, **to_builtins(said)} for turn, said in zip(turns, rows, strict=True)],
    }
    lines = table(
        [
            (
                said.number,
                f"turn {turn}",
                printable(f"{record.header.sides[said.side]}: {said.question} {said.words}"),
            )
            for turn, said in zip(turns, rows, strict=True)
        ]
    )
    return found, lines


# ---- one question


def _what_if(record: Record, told: ToldRecord, args: argparse.Namespace) -> tuple[Any, list[str]]:
    from battlesim.cli.whatif_parts import Ask, Workers
    from battlesim.search.continuation import Continuation
    from battlesim.search.whatif import candidates, what_if

    one, two = by_side(args.agent, record.header.sides, (None, None))
    entrants = (one, two)
    going = Continuation(record, entrants, args.scenario)
    told.question(args.at)  # raises if there is none
    battle = going.at(args.at)
    told.names.board = battle.board  # so that walls and openings are named by direction
    recorded = going.recorded(args.at)
    if args.answer:
        answers = [recorded]
        for text in args.answer:
            one = _answer(battle, told, args.at, text)
            if one not in answers:
                answers.append(one)
    else:
        answers = candidates(battle, recorded, ALTERNATIVES)
    games = args.games or GAMES
    done, bar = counting(len(answers) * (games + 1), "game")
    divide = None
    if (count := workers(args)) > 1:
        team = Workers(Ask(record, entrants, args.scenario), count, done)
        divide = partial(team.divide_pieces, question=args.at, seed=args.seed)
    with bar:
        options = what_if(going, args.at, answers, games, args.seed, done, divide)
    rows = [_row(option, options[0], told, args.at) for option in options]
    said = told.question(args.at)
    found = {
        "record": record.path,
        "record_hash": record.digest,
        "question": args.at,
        "event": told.questions[args.at],
        "turn": told.turns[told.questions[args.at]],
        "side": record.header.sides[said.side],
        "asked": said.question,
        "agents": [entrant.name for entrant in going.entrants],
        "games": games,
        "seed": args.seed,
        "answers": rows,
    }
    return found, list(_lines(found, record, going))


def _answer(battle: Battle, told: ToldRecord, number: int, text: str) -> Answer:
    """The legal answer that a text form, or its words, name."""
    from battlesim.core.answers import format_answer
    from battlesim.core.errors import Fault, InputError, did_you_mean

    assert battle.question is not None
    wanted = " ".join(text.split()).casefold()
    known: dict[str, Answer] = {format_answer(answer): answer for answer in battle.question.answers}
    words = [told.answer_words(number, form) for form in known]
    for name, answer in zip(words, battle.question.answers, strict=True):
        if words.count(name) == 1:  # else only its text form is unique
            known.setdefault(name, answer)
    for name, answer in known.items():
        if name.casefold() == wanted:
            return answer
    what = f"question {number} has no answer {text!r}"
    raise InputError(Fault(what, did_you_mean(text, known), told.record.path))


def _row(option: Option, played: Option, told: ToldRecord, number: int) -> dict[str, Any]:
    """One answer in figures, as the side that was asked sees them."""
    from battlesim.search.whatif import mean_and_error
    from battlesim.tournament.shares import interval

    side = told.question(number).side
    values, base = option.values(side), played.values(side)
    share = interval(values.count(1.0), values.count(0.5), values.count(0.0))
    assert share is not None
    better, error = mean_and_error([a - b for a, b in zip(values, base, strict=True)])
    margin, spread = mean_and_error(option.margins(side))
    same = option.same
    return {
        "answer": option.answer,
        "words": told.answer_words(number, option.answer),
        "played": option.played,
        "chance": share.value,
        "low": share.low,
        "high": share.high,
        "margin": margin,
        "margin_error": spread if len(values) > 1 else None,
        "better": better,
        "better_error": error if len(values) > 1 else None,
        "results": values,
        "same_dice": {
            "value": same.value if side == 0 else 1.0 - same.value,
            "points": list(same.points),
            "termination": same.termination,
        },
    }


def _lines(found: dict[str, Any], record: Record, going: Continuation) -> Iterator[str]:
    from battlesim.engine.agent_sources import HUMAN
    from battlesim.viewer.wording import agree, printable

    sides = record.header.sides
    yield printable(f"Question {found['question']}, turn {found['turn']}, {found['side']}: {found['asked']}")
    yield printable(
        f"{players(sides, found['agents'])} play on: {found['games']} games with fresh dice, the same for each answer."
    )
    yield ""
    rows: list[tuple[str, ...]] = [
        (
            "answer",
            f"{found['side']} {agree(found['side'], 'wins')}",
            "points",
            "difference",
            "with the battle's own dice",
        )
    ]
    for row in found["answers"]:
        name = f"{row['words']} ({row['answer']})"
        better = "as played" if row["played"] else plus_minus(row["better"], row["better_error"])
        rows.append(
            (
                printable(name),
                f"{row['chance']:.0%} ({row['low']:.0%} to {row['high']:.0%})",
                f"{row['margin']:+.1f}",
                better,
                printable(_result(row, sides, found["side"])),
            )
        )
    yield from table(rows)
    yield ""
    yield "Intervals hold the true chance in 95 of 100 cases; differences are given with their standard error."
    yield printable(f"Points are those of {found['side']} less the enemy's.")
    for side, player in enumerate(record.header.agents):
        if player.name == HUMAN:
            agent = found["agents"][side]
            yield printable(f"A person played {sides[side]}; here {agent} plays on for them, also as played.")
            yield printable(f"With the person's own answers it ended: {_ended(record)}.")


def _ended(record: Record) -> str:
    """The battle's own result."""
    from battlesim.viewer.wording import agree

    winner, points = record.outcome.winner, record.outcome.points
    if winner is None:
        return f"a draw, {max(points)} to {min(points)}"
    name = record.header.sides[winner]
    return f"{name} {agree(name, 'wins')}, {points[winner]} to {points[1 - winner]}"


def _result(row: dict[str, Any], sides: Sequence[str], asked: str) -> str:
    """How the battle ends after an answer with its own dice, with the winner's points first."""
    from battlesim.viewer.wording import agree

    same = row["same_dice"]
    points = same["points"]
    if same["value"] == 0.5:
        return f"a draw, {max(points)} to {min(points)}"
    side = sides.index(asked)
    winner = side if same["value"] == 1.0 else 1 - side
    return f"{sides[winner]} {agree(sides[winner], 'wins')}, {points[winner]} to {points[1 - winner]}"
