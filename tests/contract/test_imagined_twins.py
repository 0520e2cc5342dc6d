"""Battles that differ only in what is hidden from a side give it the same imagined states from the same dice."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from battlesim import Battle, KeyedDice, dump_state, find_ruleset, first_state
from battlesim.core.state import State, Unit, standing_at
from battlesim.core.view import unseen
from battlesim.engine.agent import Chance
from tests.shipped import load

BETWEEN = 5
"""A state is looked at every so many questions."""


def disguised(unit: Unit, kind: str, place: int) -> Unit:
    """A hidden unit as another: of other type and strength, and somewhere else if it is on the board."""
    return replace(unit, name="Nobody", kind=kind, models=1, place=place if unit.place >= 0 else -1, facing=3)


def twin_of(state: State, hidden: list[int], places: int, kind: str) -> State:
    """The position with other units hidden in it. Reserves also come at other times."""
    twin = state.clone()
    free = [place for place in range(places) if place not in state.at]
    for n, number in enumerate(hidden):
        twin.units[number] = disguised(twin.units[number], kind, free[(7 * n + 5) % len(free)])
    twin.at = standing_at(twin.units)
    twin.agenda = tuple(
        replace(entry, time=entry.time + 1_000) if getattr(entry.step, "unit", -1) in hidden else entry
        for entry in twin.agenda
    )
    return twin


@pytest.mark.parametrize(
    ("name", "side"), [("outpost", 0), ("outpost", 1), ("bastion", 0), ("bastion", 1), ("village", 0)]
)
def test_imagined_states_tell_nothing_of_the_hidden(name: str, side: int) -> None:
    scenario = load(name)
    ruleset, board = find_ruleset(scenario.ruleset), scenario.board
    battle, chance = Battle(ruleset, board, first_state(scenario, 5), KeyedDice(5)), Chance(5)
    compared = 0
    while (question := battle.question) is not None:
        if question.side == side and question.number % BETWEEN == 0:
            view = battle.view(side)
            hidden = [n for n in unseen(view) if battle.state.units[n].alive]
            if hidden:
                kind = battle.state.units[hidden[-1]].kind
                twin = twin_of(battle.state, hidden, len(board.spaces), kind)
                other = ruleset.observe(twin, board, side, view.news)
                one, two = (
                    dump_state(ruleset.imagine(seen, board.under(ruleset.sight), KeyedDice(9)))
                    for seen in (view, other)
                )
                assert one == two
                compared += 1
        chance.at(question.number)
        battle.answer(chance.choice(question.answers))
    assert compared
