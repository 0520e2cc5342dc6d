"""The quick questions of aiming agree with the volleys they stand for, in positions of real play."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace

from battlesim import Battle, Question, play
from battlesim.core import memo
from battlesim.core.memo_compare import StaleMemo
from battlesim.rulesets.orderdice import fire, targets
from tests.rulesets.orderdice.grounds import plain
from tests.rulesets.orderdice.kit import Table
from tests.rulesets.orderdice.kit import unit as placed


@pytest.mark.parametrize("scenario", ["skirmish", "stairwell", "tobacco-factory", "village"])
def test_walls_that_bear_are_those_of_a_volley(scenario: str) -> None:
    asked = 0

    def compare(battle: Battle, question: Question) -> None:
        nonlocal asked
        if question.number % 23:
            return
        state, board = battle.state, battle.board
        units = [unit for unit in state.units.values() if unit.place >= 0]
        for unit in units:
            for target in units:
                if unit.side == target.side:
                    continue
                for moved in (False, True):
                    found = list(targets.walls_bearing(state, board, unit, target, moved))
                    assert found == [
                        wall
                        for wall in fire.walls_of(board, unit)
                        if fire.volley(state, board, unit, target, moved, wall)
                    ]
                    asked += 1

    play(scenario, ("random", "random"), seed=3, listener=compare)
    assert asked > 50


def test_a_volley_that_was_asked_for_before_minds_what_has_changed() -> None:
    table = Table(plain(), placed("officer", at="g0.0"), placed("rifle_section", at="g3.0", side=1))
    state, board, shooter, target = table.state, table.board, table.unit(0), table.unit(1)
    first = fire.volley(state, board, shooter, target, False)
    first.clear()  # the caller's own
    before = fire.volley(state, board, shooter, target, False)
    assert before
    shaken = replace(shooter, own=replace(shooter.own, pins=1))
    low = replace(target, own=replace(target.own, order="down"))
    for changed, more in (
        ((shaken, target), 1),
        ((shooter, low), 2),
        ((shooter, replace(target, models=1)), 1),
    ):
        after = fire.volley(state, board, *changed, False)
        assert [group.need for group in after] == [group.need + more for group in before]


def test_a_rule_that_reads_one_more_fact_is_found_out(monkeypatch: pytest.MonkeyPatch) -> None:
    """Pinned targets are easier to hit, say: whoever writes that meets the inputs of a volley that is kept."""
    monkeypatch.setattr(memo, "COMPARES", True)
    table = Table(plain(), placed("officer", at="g0.0"), placed("rifle_section", at="g3.0", side=1))
    state, board, shooter, target = table.state, table.board, table.unit(0), table.unit(1)
    kept: Any = fire._volley
    monkeypatch.setattr(fire, "_volley", memo.owned_memo(bound=8)(kept.__wrapped__))
    pinned = replace(target, own=replace(target.own, pins=2))
    needs = fire._needs

    def by_the_record(*args: Any) -> tuple[int, int]:
        cover, need = needs(*args)
        return cover, need - bool(args[2].pins)

    monkeypatch.setattr(fire, "_needs", by_the_record)
    with pytest.raises(AttributeError, match="pins"):
        fire.volley(state, board, shooter, pinned, False)

    def by_the_back_door(*args: Any) -> tuple[int, int]:
        cover, need = needs(*args)
        return cover, need - bool(looked_at.own.pins)

    monkeypatch.setattr(fire, "_needs", by_the_back_door)
    looked_at = target
    assert fire.volley(state, board, shooter, target, False)
    looked_at = pinned
    with pytest.raises(StaleMemo, match=r"fire\._volley"):
        fire.volley(state, board, shooter, pinned, False)
