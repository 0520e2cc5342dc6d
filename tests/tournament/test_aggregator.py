"""Counting: the order in which games end changes nothing, and a test stops at the same pair whoever finishes first."""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Any

import msgspec
import pytest

from battlesim.batch.games import failed
from battlesim.batch.rows import GameRow, clause_ids, clauses_of, row_of
from battlesim.cli.bench_runs import made_up
from battlesim.jobs.job import JobFailure
from battlesim.jobs.store import StoredRow
from battlesim.tournament.aggregator import Aggregator
from battlesim.tournament.config import parse_config
from battlesim.tournament.resolve import TournamentPlan, resolve
from battlesim.tournament.summary import _sides, _sprt, summarise
from battlesim.tournament.table import lines


def plan(**change: Any) -> TournamentPlan:
    value = {"agents": ["greedy", "rush"], "scenarios": ["stairwell", "skirmish"], "games": 12, "control": 4}
    return TournamentPlan(resolve(parse_config({**value, **change})))


PLAN = plan()
MATCH = plan(format="match", games=400, stop={"elo0": 0, "elo1": 80})


def rows(made: TournamentPlan) -> list[bytes]:
    return [made_up(made.game(unit, leg)) for unit in made.encounters() for leg in range(unit.games)]


def judged(made: TournamentPlan, given: list[bytes]) -> Aggregator:
    aggregator = Aggregator(made)
    for row in given:
        aggregator.take(row, 0.01)
    return aggregator


def told(aggregator: Aggregator) -> dict[str, Any]:
    return summarise(aggregator, "r", [])


def stored(given: list[bytes]) -> Iterator[StoredRow]:
    for number, row in sorted((row_of(row).number, row) for row in given):
        yield StoredRow(number, row, 0.01, 1)


def test_a_sequential_test_is_told_as_of_its_last_whole_round() -> None:
    """After 18 rounds and the first scenario of the next, the ratio is beyond its bound; with the second scenario it is not."""
    first = [4, 4, 0, 4, 2, 4, 4, 2, 2, 4, 4, 2, 2, 4, 2, 2, 4, 4, 4]
    second = [0, 4, 4, 4, 2, 0, 0, 4, 2, 2, 2, 2, 4, 4, 0, 2, 0, 4, 0]
    points = dict(zip(MATCH.entries, (first, second), strict=True))
    aggregator = Aggregator(MATCH)
    decisions = []
    for unit in MATCH.encounters():
        if unit.games == 2 and unit.round < len(first):
            for leg in (0, 1):
                row = row_of(made_up(MATCH.game(unit, leg)))
                wins = leg < points[unit.scenario][unit.round] / 2
                winner = next(side for side, agent in row.agents.items() if (agent == "greedy") == wins)
                aggregator.take(changed(msgspec.json.encode(row), winner=winner, verdict="decided"), 0.01)
            if unit.round == len(first) - 1:
                test = _sprt(aggregator)
                assert test is not None
                assert aggregator.sprt is not None
                decisions.append(aggregator.sprt.judge_strata(aggregator.pentanomials).decision)
                assert (test["decision"], test["pairs"]) == (None, 36 if len(decisions) == 1 else 38)
    assert decisions == ["H1", None]


@pytest.mark.slow
@pytest.mark.parametrize("made", [PLAN, MATCH])
def test_the_order_of_arrival_changes_nothing(made: TournamentPlan) -> None:
    given = rows(made)
    straight = told(judged(made, given))
    read = Aggregator(made)
    read.read(stored(given))
    assert told(read) == straight
    for seed in range(3):
        random.Random(seed).shuffle(given)
        assert told(judged(made, given)) == straight


def test_a_sequential_test_stops_at_its_pair_and_counts_no_more() -> None:
    aggregator = judged(MATCH, rows(MATCH))
    assert aggregator.stopped is not None
    assert aggregator.played == MATCH.games > aggregator.counted
    summary = told(aggregator)
    assert summary["state"] == "decided"
    assert summary["sprt"]["decision"] == "H1"
    assert summary["sprt"]["pairs"] == aggregator.stopped == sum(summary["sprt"]["pentanomial"])
    counted = rows(MATCH)[: aggregator.counted]
    fewer = judged(MATCH, counted)
    assert fewer.stopped == aggregator.stopped
    assert fewer.tally == aggregator.tally
    assert aggregator.stopped % len(aggregator.scenario_stats) == 0, "at the end of a round of all scenarios"
    asked = [pairs for pairs, _ in aggregator.path]
    assert asked[:3] == [2, 4, 6]
    assert judged(MATCH, counted[:-4]).stopped is None, "not before its last round"


def test_a_gap_is_passed_over_but_not_by_a_sequential_test() -> None:
    given = rows(PLAN)
    aggregator = Aggregator(PLAN)
    aggregator.read(stored(given[:4] + given[5:]))
    assert aggregator.counted == PLAN.games - 2, "the other half of a pair counts for nothing"
    strict = Aggregator(MATCH)
    strict.read(stored(rows(MATCH)[:4] + rows(MATCH)[5:]))
    assert strict.counted == 4
    assert strict.stopped is None


def changed(row: bytes, **change: Any) -> bytes:
    return msgspec.json.encode(msgspec.structs.replace(row_of(row), **change), order="deterministic")


def test_pairs_are_counted_from_the_first_agents_side() -> None:
    made = plan(scenarios=["stairwell"], games=6, control=0)
    one, two = made.entries["stairwell"].sides
    winners = [one, one, two, None, one, two]  # greedy wins and loses; loses and draws; wins both
    given = [changed(row, winner=winner) for row, winner in zip(rows(made), winners, strict=True)]
    aggregator = judged(made, given)
    assert aggregator.tally.pentanomial("greedy", "rush") == (0, 1, 1, 0, 1)
    results = aggregator.tally.results("greedy", "rush")
    assert (results.wins, results.draws, results.losses) == (3, 1, 2)
    assert aggregator.scenario_stats["stairwell"].wins == [3, 2]


def test_margins_are_the_agents_not_the_sides() -> None:
    made = plan(scenarios=["stairwell"], games=4, control=0)
    one, two = made.entries["stairwell"].sides
    given = [changed(row, points={one: 7, two: 2}, reach={one: 10, two: 4}) for row in rows(made)]
    aggregator = judged(made, given)
    key = ("stairwell", "greedy", "rush")
    assert aggregator.margins[key] == {5: [2, 0], -5: [2, 1]}
    assert aggregator.margin_sums[key].in_points(first=True) == (0, None), "each pair gives back what it took"
    row = told(aggregator)["standings"][0]["rows"][0]
    assert (row["margin"], row["margin_low"], row["margin_high"]) == (0, -0.98, 0.98)
    pairing = told(aggregator)["pairings"][0]
    assert (pairing["margin"], pairing["margin_low"], pairing["margin_high"]) == (0, None, None)
    assert dict(aggregator.medians()) == {key: 1}


@pytest.mark.parametrize("verdict", ["decided", "forfeit"])
def test_an_agent_that_fails_on_one_side_says_nothing_of_the_sides(verdict: str) -> None:
    """`rush` wins all its games, but on the second side it loses every fifth: by its failure, or since the side is worse."""
    made = plan(scenarios=["stairwell"], games=80, control=0)
    one, two = made.entries["stairwell"].sides
    given = []
    for number, row in enumerate(rows(made)):
        lost = number % 10 == 0
        as_side = row_of(row).agents[one] == "rush"
        winner = one if as_side or lost else two
        given.append(changed(row, winner=winner, verdict=verdict if lost else "decided"))
    aggregator = judged(made, given)
    assert aggregator.tally.pair_count == 40
    (side,) = _sides(aggregator)
    assert side["kind"] == ("between" if verdict == "decided" else "unmeasured")


def test_a_pair_with_a_forfeit_has_no_margin() -> None:
    """Its points are those at which the agent gave out."""
    made = plan(scenarios=["stairwell"], games=4, control=0)
    one, two = made.entries["stairwell"].sides
    given = [changed(row, points={one: 7, two: 2}, reach={one: 10, two: 4}) for row in rows(made)]
    given[2] = changed(
        given[2], points={one: 0, two: 0}, winner=two, verdict="forfeit", termination="forfeit"
    )
    aggregator = judged(made, given)
    assert aggregator.tally.pair_count == 2
    assert aggregator.margin_sums["stairwell", "greedy", "rush"].pairs == 1


def test_a_game_that_broke_off_is_the_agents_loss_or_nobodys() -> None:
    made = plan(scenarios=["stairwell"], games=2, control=1)
    games = [made.game(unit, leg) for unit in made.encounters() for leg in range(unit.games)]
    hung = GameRow(
        **msgspec.structs.asdict(row_of(failed(games[0], JobFailure("time", 1, "took long, last in x.py:3"))))
    )
    assert hung.verdict == hung.termination == "crash"
    assert hung.winner == made.entries["stairwell"].sides[0]
    assert hung.faults == [{"side": made.entries["stairwell"].sides[1], "question": -1, "what": "took long"}]
    ours = row_of(failed(games[0], JobFailure("fault", 1, "it cannot be")))
    assert (ours.verdict, ours.winner) == ("fault", None)
    assert ours.faults == [{"side": "", "question": -1, "what": "it cannot be"}], "nobody's"
    unknown = row_of(failed(games[0], JobFailure("death", -1, "died")))
    assert (unknown.verdict, unknown.winner) == ("fault", None)
    aggregator = judged(made, [failed(games[0], JobFailure("fault", 1, "x")), *rows(made)[1:]])
    assert aggregator.tally.pair_count == 0, "half a pair is none"
    assert told(aggregator)["verdicts"][0]["fault"] == 1
    assert told(aggregator)["blame"] == []
    assert "a defect of battlesim, please report it: x" in "\n".join(lines(told(aggregator)))


def test_ratings_are_withheld_where_games_were_degenerate() -> None:
    made = plan(scenarios=["stairwell"], games=20, control=0)
    given = [changed(row, verdict="stalled") if n % 3 == 0 else row for n, row in enumerate(rows(made))]
    summary = told(judged(made, given))
    (overall,) = summary["standings"]
    assert overall["withheld"] == "7 of 20 games had no normal end (7 stalled), more than 20%"
    assert [row["elo"] for row in overall["rows"]] == [None, None]
    assert "ratings withheld: 7 of 20 games" in "\n".join(lines(summary))


def test_a_scenario_out_of_bounds_is_left_out() -> None:
    made = plan(games=20, control=40)
    side = made.entries["stairwell"].sides[0]
    given = [
        changed(row, winner=side)
        if row_of(row).scenario == "stairwell" and len(set(row_of(row).agents.values())) == 1
        else row
        for row in rows(made)
    ]
    summary = told(judged(made, given))
    by = {(row["scope"], row["of"]): row for row in summary["standings"]}
    assert by["scenario", "stairwell"]["withheld"].startswith("out of bounds")
    assert by["overall", ""]["notes"] == [
        "left out, since one side wins there whichever agent plays: stairwell"
    ]
    assert by["overall", ""]["rows"][0]["games"] == 20
    assert {row["scenario"]: row["verdict"] for row in summary["sides"]}["stairwell"] == "out of bounds"


def test_clauses_come_back_from_their_digits() -> None:
    ids = clause_ids("orderdice")
    assert clauses_of("orderdice", f"{1 | 1 << 5 | 1 << len(ids) - 1:x}") == [ids[0], ids[5], ids[-1]]
    assert clauses_of("orderdice", "") == []


@pytest.mark.parametrize("made", [PLAN, MATCH, plan(agents=["rush"], format="round-robin")])
def test_every_summary_can_be_told(made: TournamentPlan) -> None:
    for some in ([], rows(made)[:1], rows(made)):
        text = "\n".join(lines(told(judged(made, some))))
        assert "None" not in text
        assert "nan" not in text
