"""Reach is kept from battle to battle: what is kept must be what a search from scratch finds."""

from __future__ import annotations

import random
from heapq import heappop, heappush

import pytest

from battlesim import first_state
from battlesim.board.board import Board
from battlesim.core.state import State, Structure
from battlesim.rulesets.armorclass import distances, ground, works
from battlesim.rulesets.armorclass.model import type_of
from tests.shipped import load


def _changes(board: Board, chance: random.Random, breached: bool) -> dict[int, Structure]:
    """Some sections have lost points, floors, or everything, some are closed, some have breaches."""
    found = {}
    for section in chance.sample(board.sections, len(board.sections)):
        what = chance.choice(("stands", "dented", "gone", "fallen", "closed", "breached"))
        if what == "dented":
            found[section.id] = Structure(section.id, own={"lost": 1})
        elif what == "gone":
            found[section.id] = Structure(section.id, own={"gone": section.top})
        elif what == "fallen":
            found[section.id] = Structure(section.id, fallen=True, own={"gone": 0})
        elif what == "closed":
            found[section.id] = Structure(section.id, own={"closed": True})
        elif what == "breached" and breached:
            side = chance.randrange(len(section.sides))
            found[section.id] = Structure(section.id, own={"breaches": [[0, side]]})
    return found


@pytest.mark.slow
@pytest.mark.clause("AC-HOUSE-MOVE", "AC-TYPE-3", "AC-TYPE-5", "AC-DEST-3")
@pytest.mark.parametrize("name", ["tobacco-armour", "bastion"])
def test_what_is_kept_is_what_a_search_finds(name: str) -> None:
    scenario = load(name)
    board, chance = scenario.board, random.Random(name)
    places = [space.id for space in board.spaces if space.kind != "ruin"]
    shorter = 0
    for number in range(60):
        state = first_state(scenario, 1)
        state.structures.update(_changes(board, chance, breached=number % 3 == 0))
        for unit in state.units.values():
            foot = type_of(unit).foot
            place = chance.choice(places if foot else [p for p in places if board.spaces[p].kind == "ground"])
            unit = type(unit)(unit.id, unit.side, unit.name, unit.kind, place, unit.models, own=unit.own)
            limit = ground.pace(type_of(unit), run=chance.random() < 0.5)
            shut = frozenset(chance.sample(places, 40))
            kept = ground.reach(state, board, unit, limit, shut)
            changes = ground.changes_of(state)
            search = ground._search(board, place, limit, foot, shut - {place}, changes)
            assert list(kept.cost.items()) == list(search.cost.items())
            assert all(
                ground.path_to(kept, place, goal) == ground.path_to(search, place, goal) for goal in kept.cost
            )
            free = ground._search(board, place, limit, foot, frozenset(), changes)
            shorter += len(free.cost) > len(kept.cost)
    assert shorter > 50


def _plain_field(state: State, board: Board, goals: tuple[int, ...], foot: bool) -> list[int]:
    """How far every space is from the nearest goal, by a search from scratch."""
    changes = ground.changes_of(state)
    gone, more = {change.section: change.gone for change in changes}, ground.breach_exits(board, changes)
    lengths = dict.fromkeys(goals, 0)
    heap = [(0, goal) for goal in goals]
    while heap:
        spent, here = heappop(heap)
        if spent > lengths[here]:
            continue
        for way in (*ground.exits_of(board)[here], *more.get(here, ())):
            total = spent + way.cost
            left = works.is_left(board, way.to, gone.get(board.spaces[way.to].section, -1))
            if left and (foot or way.kind == "ground") and total < lengths.get(way.to, total + 1):
                lengths[way.to] = total
                heappush(heap, (total, way.to))
    return [lengths.get(space.id, -1) for space in board.spaces]


@pytest.mark.parametrize("name", ["tobacco-armour", "bastion"])
def test_distances_are_those_of_a_search_whatever_has_changed(name: str) -> None:
    scenario = load(name)
    board, chance = scenario.board, random.Random(name)
    places = [space.id for space in board.spaces if space.kind != "ruin"]
    as_before = 0
    for number in range(60):
        state = first_state(scenario, 1)
        changed = _changes(board, chance, breached=number % 2 == 0)
        some = chance.sample(sorted(changed), chance.randrange(min(4, len(changed)) + 1))
        state.structures.update({section: changed[section] for section in some})
        goals = tuple(chance.sample(places, chance.randrange(1, 4)))
        for foot in (True, False):
            found = distances.distance_field(board, goals, foot, ground.changes_of(state))
            assert found == _plain_field(state, board, goals, foot)
            as_before += found == distances.distance_field(
                board, goals, foot, ground.changes_of(first_state(scenario, 1))
            )
    assert 60 < as_before < 120
