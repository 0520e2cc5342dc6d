"""Reach is kept from battle to battle: what is kept must be what a search from scratch finds."""

from __future__ import annotations

import random

import pytest

from battlesim import first_state
from battlesim.board.board import Board
from battlesim.core.state import Structure
from battlesim.rulesets.armorclass import ground
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
            changes = ground._changes(state)
            search = ground._search(board, place, limit, foot, shut - {place}, changes)
            assert list(kept.cost.items()) == list(search.cost.items())
            assert all(
                ground.path_to(kept, place, goal) == ground.path_to(search, place, goal) for goal in kept.cost
            )
            free = ground._search(board, place, limit, foot, frozenset(), changes)
            shorter += len(free.cost) > len(kept.cost)
    assert shorter > 50
