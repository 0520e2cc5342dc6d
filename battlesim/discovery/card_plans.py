"""Where a tactic applied, on floor plans of the buildings where it applied most. Read `plans_of`.

A plan is an SVG text. Its marks are as the atlas draws them; a number is the count of questions on that floor.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from battlesim.board.board import Board
from battlesim.board.draw import draw_building
from battlesim.board.drawmarks import PointMark
from battlesim.board.model import Space
from battlesim.core.errors import InputError
from battlesim.discovery.card_facts import Spot
from battlesim.discovery.cards import Card
from battlesim.scenario.load import load_scenario
from battlesim.viewer.report_words import plural

COLOUR = "#6b3fa0"
PLANS = 3
"""The most floors that are drawn."""
TOLD = 4
"""The most floors that are named in words."""


class CardPlan(NamedTuple):
    """A floor of a building as a picture. `caption`: what it shows."""

    caption: str
    svg: str


def plans_of(card: Card) -> list[CardPlan]:
    """The floors on which a card's tactic applied: first those of the building where it did so most often, then others if there
    is room. None if the card has no count, or its scenario no longer exists."""
    if not card.spots:
        return []
    try:
        board = load_scenario(card.scenario).board
    except InputError:
        return []
    return drawn(board, card.spots)


def drawn(board: Board, spots: Sequence[Spot]) -> list[CardPlan]:
    """The same for a board, building by building, from the ground up. Names that are not on the board are left out: the map may
    have changed since."""
    places = {space.name: space for space in board.spaces if space.kind == "floor"}
    found: dict[str, dict[int, list[tuple[Space, int]]]] = {}
    for spot in spots:
        if spot.place in places:
            space = places[spot.place]
            floors = found.setdefault(board.sections[space.section].building, {})
            floors.setdefault(space.floor, []).append((space, spot.times))
    plans: list[CardPlan] = []
    for building in sorted(found, key=lambda name: -sum(map(_times, found[name].values()))):
        floors = found[building]
        kept = sorted(floors, key=lambda floor: -_times(floors[floor]))[: PLANS - len(plans)]
        plans += [_plan(board, building, floor, floors[floor]) for floor in sorted(kept)]
    return plans


def _times(here: Sequence[tuple[Space, int]]) -> int:
    return sum(times for _, times in here)


def _plan(board: Board, building: str, floor: int, here: Sequence[tuple[Space, int]]) -> CardPlan:
    caption = f"{building}, {_floor(floor)}"
    marks = [
        PointMark(
            space.x,
            space.y,
            str(times),
            COLOUR,
            title=f"{space.name}: applied at {plural(times, 'question')}",
        )
        for space, times in here
    ]
    return CardPlan(caption, draw_building(board, building, floor, marks, caption=caption))


def _floor(floor: int) -> str:
    return "ground floor" if floor == 0 else f"floor {floor}"


def where_words(card: Card) -> str:
    """Where a tactic applied most, in words; "" if the card has no count."""
    if not card.spots:
        return ""
    told = ", ".join(
        f"{place_words(spot.place)} ({plural(spot.times, 'time')})" for spot in card.spots[:TOLD]
    )
    rest = len(card.spots) - TOLD
    more = f", and {plural(rest, 'other floor')}" if rest > 0 else ""
    who = "keeps to it" if card.tactic.startswith("always") else "does the opposite"
    return f"where, for a side that {who}, in {plural(card.effect.games, 'game')}: {told}{more}"


def place_words(place: str) -> str:
    """A floor of a section in words; ".1" is the name of the only section of a building, as a rule.

    >>> place_words("house.west:1"), place_words("school.1:0")
    ('house.west, floor 1', 'school, ground floor')
    """
    section, _, floor = place.rpartition(":")
    return f"{section.removesuffix('.1')}, {_floor(int(floor))}"
