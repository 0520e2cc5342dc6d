"""Invariants of any battle (rules/invariants.py): each says what is broken, and nothing of what is whole."""

from __future__ import annotations

import pytest
from msgspec import Struct

from battlesim.board.load import load_map
from battlesim.core.items import Entry, Step
from battlesim.core.state import Outcome, State, Structure, Unit, standing_at
from battlesim.rules.invariants import (
    common_faults,
    crowd_faults,
    mixed_faults,
    ruin_faults,
    whereabouts_faults,
)

BOARD = load_map("village")
FLOOR = next(space for space in BOARD.spaces if space.kind == "floor")
RUIN = BOARD.sections[FLOOR.section].ruin


class Own(Struct, frozen=True):
    full: int = 5


class Wait(Step, frozen=True):
    pass


OVER = Outcome(None, (0, 0), "length")


def unit(number: int, place: int = 0, side: int = 0, models: int = 5, alive: bool = True) -> Unit:
    return Unit(number, side, f"u{number}", "any", place, models, alive, own=Own())


def state(*units: Unit, **more: object) -> State:
    by_id = {one.id: one for one in units}
    fields = {"outcome": OVER, "at": standing_at(by_id)} | more
    return State(by_id, fields.pop("structures", {}), None, **fields)  # type: ignore[arg-type]


def told(found: State) -> list[str]:
    return common_faults(found, BOARD, lambda state, board, unit: [])


def test_all_is_well() -> None:
    assert told(state(unit(0), unit(1, place=-1, models=0, alive=False))) == []


@pytest.mark.parametrize(
    ("broken", "what"),
    [
        (state(unit(0, models=6)), "unit 0 (u0): 6 of 5 models"),
        (state(unit(0, models=0)), "unit 0 (u0): 0 of 5 models"),
        (state(unit(0, alive=False, models=0)), "unit 0 (u0): dead, yet on the board or with models"),
        (state(unit(0), at={3: (0,)}), "`at` does not agree with the units' places"),
        (state(unit(0), alive=((), (0,))), "`alive` does not agree with the living units"),
        (
            state(structures={1: Structure(1, fallen=True)}, down=frozenset({2})),
            "`down` does not agree with the fallen sections",
        ),
        (
            state(agenda=(Entry(9, 0, 0, Wait()), Entry(3, 0, 1, Wait())), serial=2),
            "the agenda is not in order",
        ),
        (
            state(agenda=(Entry(3, 0, 5, Wait()),), serial=5),
            "an entry of the agenda has the number of another",
        ),
        (
            state(agenda=(Entry(3, 0, 0, Wait()),), serial=1, now=4),
            "the agenda holds an entry whose time is past",
        ),
        (state(outcome=None), "nothing is left to do, and the battle has no outcome"),
    ],
)
def test_what_is_broken_is_told(broken: State, what: str) -> None:
    (fault,) = told(broken)
    assert fault.startswith(what)


def test_a_unit_is_in_one_place() -> None:
    assert whereabouts_faults(unit(0), left=False) == []
    assert whereabouts_faults(unit(0, place=-1), left=False, aboard=True) == []
    assert whereabouts_faults(unit(0), left=True) == ["it is on the board and left"]
    assert whereabouts_faults(unit(0, place=-1), left=False) == ["it is nowhere"]


def test_ruins_that_stand_and_buildings_that_have_fallen() -> None:
    fallen = {FLOOR.section: Structure(FLOOR.section, fallen=True)}
    inside, outside = unit(0, FLOOR.id), unit(1, RUIN)
    whole = state(inside, outside)
    assert ruin_faults(whole, BOARD, inside) == []
    assert ruin_faults(whole, BOARD, outside) == [f"in the ruin {BOARD.spaces[RUIN].name}, which stands"]
    down = state(inside, outside, structures=fallen)
    assert ruin_faults(down, BOARD, inside) == [f"in {FLOOR.name}, which has fallen"]
    assert ruin_faults(down, BOARD, outside) == []
    down.stack = (Wait(),)  # it may be on its way out
    assert ruin_faults(down, BOARD, inside) == []


def test_crowds_and_mixed_company() -> None:
    name = BOARD.spaces[0].name
    three = state(unit(0), unit(1), unit(2, side=1))
    assert crowd_faults(three, BOARD, 3) == []
    assert crowd_faults(three, BOARD, 2) == [f"3 units on {name}"]
    assert mixed_faults(three, BOARD) == [f"friend and foe on {name}"]
    assert mixed_faults(three, BOARD, but=BOARD.spaces[0].kind) == []
    assert mixed_faults(state(unit(0), unit(1)), BOARD) == []
