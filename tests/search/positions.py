"""Positions whose odds are asked for, and what an independent dice library says of the same clauses."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from functools import lru_cache
from typing import Any

from icepool import Die, d6

from battlesim.board.board import Board
from battlesim.core.items import Item
from battlesim.core.state import State
from battlesim.rulesets.orderdice.ruleset import RULESET
from battlesim.search.odds import WeightedState, outcomes
from tests.rulesets.orderdice.grounds import house, plain
from tests.rulesets.orderdice.kit import Table, unit

PLAIN, HOUSE = plain(), house()


def works(board: Board, *units: dict[str, Any]) -> Callable[..., list[WeightedState]]:
    """A position, as a function of the work to be done in it and of keywords of `outcomes`."""
    table = Table(board, *units)

    def work(*items: Item, **more: Any) -> list[WeightedState]:
        found = outcomes(table.state, table.board, RULESET, *items, **more)
        assert sum(ending.chance for ending in found) == 1
        assert all(ending.chance > 0 for ending in found)
        return found

    return work


def acted(kind: str, at: str, side: int = 1, order: str = "fire", **more: Any) -> dict[str, Any]:
    """A unit that has had its order, and so is asked nothing when shot at."""
    return unit(kind, at=at, side=side, order=order, **more)


def crew(at: str, men: int, side: int = 0) -> dict[str, Any]:
    """Men with nothing to fight with but themselves: one attack each."""
    return acted("heavy_mortar_team", at, side, models=men)


def shares(die: Any) -> dict[Any, Fraction]:
    """A die of the library as plain fractions."""
    return {value: Fraction(die.quantity(value), die.denominator()) for value in die}


def successes(dice: int, need: int) -> Any:
    """How many of so many dice show `need` or more."""
    return dice @ d6.map(lambda face: int(face >= need)) if dice else Die([0])


def fails(morale: int) -> Fraction:
    """The chance to fail a morale test; 2 always passes."""
    return shares((2 @ d6) > max(morale, 2)).get(True, Fraction(0))


def falls(state: State) -> bool:
    return any(structure.fallen for structure in state.structures.values())


def lost(number: int, full: int) -> Callable[[State], int]:
    return lambda state: full - state.units[number].models


@lru_cache(maxsize=1024)
def assault(men: int, foes: int, both: bool, round: int = 1) -> tuple[Fraction, Fraction]:
    """The chances of assaulters and of their target to be the only ones left, straight from the clause."""
    mine = theirs = Fraction(0)
    for killed, share in shares(successes(men, 4).map(lambda n: min(n, foes))).items():
        strikers = foes if both else foes - killed
        for lost, part in shares(successes(strikers, 4).map(lambda n: min(n, men))).items():
            weight = share * part
            if men == lost or foes == killed:
                mine += weight * (men > lost)
                theirs += weight * (foes > killed)
            elif killed != lost:
                mine += weight * (killed > lost)
                theirs += weight * (killed < lost)
            elif round == 6:
                theirs += weight
            else:
                ours, others = assault(men - lost, foes - killed, True, round + 1)
                mine += weight * ours
                theirs += weight * others
    return mine, theirs
