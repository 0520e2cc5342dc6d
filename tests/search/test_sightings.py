"""Enemies that went out of sight are remembered: what they were, and about where."""

from __future__ import annotations

import pytest

from battlesim import Battle, KeyedDice, View, dump_state, find_ruleset, first_state
from battlesim.engine.agent import Chance
from battlesim.search.sightings import Sightings
from tests.shipped import load


def lost_from_sight(name: str) -> tuple[Battle, View, Sightings]:
    """A battle at a question of a side that has lost a living enemy from its sight, and what that side has seen."""
    scenario = load(name)
    ruleset = find_ruleset(scenario.ruleset)
    for seed in range(20):
        battle = Battle(ruleset, scenario.board, first_state(scenario, seed), KeyedDice(seed))
        chance, known = Chance(seed), (Sightings(), Sightings())
        while (question := battle.question) is not None:
            view = battle.view(question.side)
            known[question.side].note(view)
            if known[question.side].lost(view):
                return battle, view, known[question.side]
            chance.at(question.number)
            battle.answer(chance.choice(question.answers))
    raise AssertionError("nobody is ever lost from sight")


@pytest.mark.parametrize("name", ["outpost", "drones", "village-armour"])
def test_one_who_was_seen_is_imagined_as_it_was(name: str) -> None:
    battle, view, known = lost_from_sight(name)
    for seed in range(5):
        state = known.imagine(view, battle.board, KeyedDice(seed))
        assert not battle.ruleset.faults(state, battle.board)
        for number, last in known.lost(view).items():
            made = state.units[number]
            assert (made.kind, made.name, made.models) == (last.kind, last.name, last.models)
            assert not made.own.detected
            if made.place >= 0:
                far = sorted(battle.board.distance(last.place, space.id) for space in battle.board.spaces)
                assert battle.board.distance(last.place, made.place) <= far[len(far) // 2]
        seen_again = battle.ruleset.observe(state, battle.board, view.side, ())
        assert seen_again.units == view.units


def test_memory_is_saved_and_loaded() -> None:
    battle, view, known = lost_from_sight("outpost")
    other = Sightings()
    other.load(known.save())
    assert other.seen == known.seen
    assert other.since == known.since != {}
    dice = KeyedDice(3)
    one, two = (dump_state(s.imagine(view, battle.board, dice)) for s in (known, other))
    assert one == two
    empty = Sightings()
    empty.load(Sightings().save())
    assert empty.seen == {}


def test_the_dead_and_the_unknown_are_not_looked_for() -> None:
    battle, view, known = lost_from_sight("outpost")
    assert not Sightings().lost(view)
    for number in known.lost(view):
        known.seen[number] = type(known.seen[number])(number, 1 - view.side, "x", "x", -1, 0, False)
    assert not known.lost(view)
    assert dump_state(known.imagine(view, battle.board, KeyedDice(1))) == dump_state(
        battle.ruleset.imagine(view, battle.board, KeyedDice(1))
    )
