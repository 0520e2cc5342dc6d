"""Routes that no enemy stands on are kept from battle to battle: what is kept must be what a search finds."""

from __future__ import annotations

import random

import pytest
from msgspec.structs import replace

from battlesim import first_state, load_scenario
from battlesim.core.state import Structure, fallen_of, standing_at
from battlesim.rulesets.squadhex import move
from battlesim.rulesets.squadhex.ground import neighbours
from battlesim.rulesets.squadhex.model import ADVANCE, ADVANCE_FIRE, type_of


@pytest.mark.clause("SH-HOUSE-MOVE", "SH-HOUSE-STACK")
def test_what_is_kept_is_what_a_search_finds() -> None:
    scenario = load_scenario("tobacco-factory-hex")
    board, chance = scenario.board, random.Random(1)
    ground = [space.id for space in board.spaces if space.kind == "ground"]
    barred = 0
    for _ in range(40):
        state = first_state(scenario, 1)
        for section in chance.sample(board.sections, 3):
            state.structures[section.id] = Structure(section.id, fallen=True)
        for number, unit in state.units.items():
            state.units[number] = replace(unit, place=chance.choice(ground))
        state.at, state.down = standing_at(state.units), fallen_of(state.structures)
        for unit in state.units.values():
            action = chance.choice((ADVANCE, ADVANCE_FIRE))
            foes = frozenset(foe.place for foe in state.units.values() if foe.side != unit.side)
            made, vehicle = neighbours(state, board), type_of(unit).vehicle
            limit = move.points(unit, action)
            advance = action == ADVANCE
            search = move._ways(made, unit.place, limit, vehicle, advance, foes) if limit else {}
            assert move.routes(state, board, unit, action) == search
            barred += not foes.isdisjoint(move._ways(made, unit.place, limit, vehicle, advance, frozenset()))
    assert barred > 50
