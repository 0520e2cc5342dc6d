"""Which candidates are given up before every sample is played, and which are not."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest

from battlesim.engine.budget import Budget
from battlesim.search import playouts
from battlesim.search.playouts import Prior, best_by_features, compare
from tests.search.battles import battle_of, first


def end(value: float) -> tuple[float, playouts.End]:
    """A battle that was worth so much and ended in a way of its own."""
    return value, (0, (0, 0), ((round(10_000 * value), 1),))


def samples_of(
    told: Sequence[Sequence[float]],
    monkeypatch: pytest.MonkeyPatch,
    prior: Prior | None = None,
    behind: Sequence[float] = (),
) -> list[int]:
    """How many samples each of some answers had where their samples come to what is told."""
    battle = battle_of("square")
    assert battle.question is not None
    answers = battle.question.answers[: len(told)]
    columns = {answer: iter(column) for answer, column in zip(answers, told, strict=True)}
    monkeypatch.setattr(playouts, "_played", lambda first, plan, *rest: end(next(columns[plan[0].answer])))
    found = compare(
        battle.view(battle.question.side),
        battle.board,
        answers,
        first,
        lambda *_: 0.0,
        7,
        samples=len(told[0]),
        until=10,
        budget=Budget(),
        prior=prior,
        behind=behind,
    )
    return [len(one.values) for one in found]


WAVE = [0.5, 0.3] * 8
"""What the first answer comes to, in sixteen samples."""


def test_what_is_hardly_better_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    """Of three others one is worse by far, one neither better nor worse, one a little better each time."""
    worse, even, better = ([value + lead for value in WAVE] for lead in (-0.4, 0.0001, 0.07))
    told = [WAVE, worse, even, better]
    assert samples_of(told, monkeypatch) == [16, 16, 16, 16], "without a prior all are played to the end"
    found = samples_of(told, monkeypatch, Prior())
    assert found[0] == max(found)
    assert found[1] < found[3]
    assert found[1] <= 4
    assert 4 < found[2] < 16


def test_where_one_is_surely_better_no_more_is_played(monkeypatch: pytest.MonkeyPatch) -> None:
    assert max(samples_of([WAVE, [value + 0.4 for value in WAVE]], monkeypatch, Prior())) < 8


def test_what_is_far_behind_is_not_given_up_unheard(monkeypatch: pytest.MonkeyPatch) -> None:
    """One that wins every sample which the usual answer loses is taken, whatever was believed of it."""
    found = samples_of([[0.0] * 16, [1.0] * 16], monkeypatch, Prior(), (0.0, 0.075))
    assert found[1] > 1


def test_what_is_taken_to_be_far_behind_is_given_up_sooner(monkeypatch: pytest.MonkeyPatch) -> None:
    told = [WAVE, [value + (-1) ** n * 0.2 for n, value in enumerate(WAVE)]]
    near, far = (samples_of(told, monkeypatch, Prior(), (0.0, behind))[1] for behind in (0.0, 0.06))
    assert far < near


def test_the_usual_answer_is_played_on_as_long_as_any_other() -> None:
    """Were it given up after a bad start, what beats it would rest on that start alone."""
    battle = battle_of("square")
    assert battle.question is not None
    calls = iter(range(10_000))

    def value(*_: Any) -> float:
        """In the first four samples the first of four is the worst by far; then all are alike but for noise."""
        n = next(calls)
        return (0.1, 0.8, 0.9, 0.7)[n % 4] + n % 5 / 1000 if n < 16 else 0.5 + n % 3 / 100

    found = compare(
        battle.view(battle.question.side),
        battle.board,
        battle.question.answers[:4],
        first,
        value,
        7,
        samples=8,
        until=10,
        budget=Budget(),
        halve=4,
    )
    assert [len(one.values) for one in found] == [8, 4, 8, 4]


def test_an_answer_that_changes_nothing_is_not_played_on() -> None:
    """One that ended as the first did four times is dropped; one that ends otherwise goes on, though it is worth the same."""
    battle = battle_of("square")
    assert battle.question is not None
    answers = battle.question.answers
    found = compare(
        battle.view(battle.question.side),
        battle.board,
        [answers[0], answers[0], answers[-1]],
        best_by_features,
        lambda state, board, ruleset, side: 0.5,
        7,
        samples=8,
        until=1_000,
        budget=Budget(),
    )
    assert [len(one.values) for one in found] == [8, 4, 8]


def test_the_worse_half_is_left_behind() -> None:
    battle = battle_of("square")
    assert battle.question is not None
    calls = iter(range(10_000))
    found = compare(
        battle.view(battle.question.side),
        battle.board,
        battle.question.answers[:4],
        first,
        lambda state, board, ruleset, side: 0.5 + 0.001 * (next(calls) * 7 % 11),
        7,
        samples=8,
        until=10,
        budget=Budget(),
        halve=4,
    )
    assert sorted(len(one.values) for one in found) == [4, 4, 8, 8]
