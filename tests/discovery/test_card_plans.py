"""Floor plans on cards: where a tactic bore is counted by floor and drawn on the building; cards without a count have none."""

from __future__ import annotations

from pathlib import Path
from xml.etree import ElementTree

import msgspec
import pytest
from msgspec.structs import replace

from battlesim import find_agent, play
from battlesim.discovery.card_facts import Spot, spots_of
from battlesim.discovery.card_plans import drawn, plans_of, where_words
from battlesim.discovery.cards import Book, Card
from battlesim.discovery.cards_page import page
from battlesim.discovery.contrasts import Contrast
from battlesim.discovery.tactic import parse_tactic
from battlesim.discovery.telling import lines, markdown
from battlesim.discovery.watching import FORMAT, WatchedRow
from battlesim.engine.roster import Entrant
from tests.shipped import load

BOOK = Path(__file__).parents[2] / "docs/tactics"
SVG = "{http://www.w3.org/2000/svg}"


@pytest.fixture(scope="module")
def old() -> Book:
    """Figures whose cards have no count of floors."""
    book = msgspec.json.decode((BOOK / "stairwell.json").read_bytes(), type=Book)
    return replace(book, cards=tuple(replace(card, spots=()) for card in book.cards))


def counted(book: Book, *spots: Spot) -> Card:
    return replace(book.cards[0], spots=spots)


def row(number: int, **bore: int) -> WatchedRow:
    counts = {name.replace("_", "."): count for name, count in bore.items()}
    return WatchedRow(FORMAT, number, 0.5, 0.0, bore_at=(counts, {"house.west:1": 99}))


def test_floors_are_counted_in_the_games_of_whoever_always_does_it() -> None:
    board = load("stairwell").board
    ground = next(space.name for space in board.spaces if space.kind == "ground")
    always = replace(row(0), bore_at=({"house.west:0": 3, "house.east:1": 5, ground: 7, "gone:0": 2}, {}))
    again = replace(row(1), bore_at=({"house.west:0": 4}, {"house.west:1": 99}))
    rows = {0: always, 1: again, 2: replace(always, number=2, failed="it broke off")}
    pairs = [Contrast(0, "stairwell", 0, 1, 0, 1), Contrast(0, "stairwell", 0, 2, 2, 1)]
    tactic = parse_tactic("always go:upstairs")
    assert spots_of(rows, pairs, tactic, board) == (Spot("house.east:1", 5), Spot("house.west:0", 3))
    assert spots_of(rows, pairs, tactic.opposite, board) == (Spot("house.west:0", 8),)


def test_a_tactician_counts_where_its_tactics_bear() -> None:
    made = find_agent("tactician,tactics=always go:inside").make()
    scenario = load("stairwell")
    play(scenario, (Entrant("one", "", lambda: made), find_agent("greedy")), 5)
    assert made.offered == sum(made.bore_at.values()) > 0
    assert {scenario.board.spaces[place].kind for place in made.bore_at} == {"floor"}


@pytest.mark.parametrize(
    ("tactics", "bears", "changes"),
    [
        ("always order:fly; never order:wait", False, False),  # the first never comes up
        ("always at:any; never at:any", True, True),  # the base player holds its fire
        ("never at:any; never at:any", True, False),
    ],
)
def test_tactics_of_the_base_player_are_no_dose(tactics: str, bears: bool, changes: bool) -> None:
    """A study adds its tactic before those that its base player already keeps to."""
    made = find_agent(f"tactician,tactics={tactics}").make()
    play(load("square"), (Entrant("one", "", lambda: made), find_agent("greedy")), 5)
    assert made.offered >= made.first_offered >= made.first_changed
    assert (made.offered > 0, made.first_offered > 0, made.first_changed > 0) == (True, bears, changes)
    assert sum(made.bore_at.values()) == made.first_offered


@pytest.mark.parametrize(
    ("tactic", "about"),
    [
        ("always at:building", True),
        ("never go:upstairs", True),
        ("always go:drive when role=vehicle", True),
        ("always order:wait when enemy=inside", True),
        ("always order:run when where=upper", True),
        ("always order:run when building=burning", True),
        ("always made-opening:any", True),
        ("never order:fire", False),
        ("always at:nearest when where=outdoors building=none", False),
    ],
)
def test_what_is_about_buildings(tactic: str, about: bool) -> None:
    assert parse_tactic(tactic).about_buildings is about


def test_a_building_is_drawn_floor_by_floor() -> None:
    board = load("stairwell").board
    plans = drawn(board, [Spot("house.west:1", 12), Spot("house.east:0", 3), Spot("gone:0", 99)])
    assert [plan.caption for plan in plans] == ["house, ground floor", "house, floor 1"]
    for plan, count in zip(plans, ("3", "12"), strict=True):
        root = ElementTree.fromstring(plan.svg)
        texts = [element.text for element in root.iter(SVG + "text")]
        assert {count, plan.caption} <= set(texts)
        assert len(plan.svg) < 20_000
    assert drawn(board, [Spot("gone:0", 99)]) == []


def test_other_buildings_are_drawn_where_there_is_room() -> None:
    board = load("heavy-armour").board
    spots = [Spot("school.1:0", 9), Spot("mill.1:0", 8), Spot("school.1:1", 1), Spot("inn.bar:1", 7)]
    assert [plan.caption for plan in drawn(board, spots)] == [
        "school, ground floor",
        "school, floor 1",
        "mill, ground floor",
    ]


def test_a_card_shows_its_plans(old: Book) -> None:
    card = counted(old, Spot("house.west:1", 12), Spot("house.east:0", 1))
    book = replace(old, cards=(card,))
    assert len(plans_of(card)) == 2
    assert "house.west, floor 1 (12 times), house.east, ground floor (1 time)" in where_words(card)
    shown = page(book, "stairwell")
    assert shown.count('<svg role="img" aria-label="house, ') == 2
    assert where_words(card) in "\n".join(lines(book, "runs/x"))
    pictures = {card.number: [("house, floor 1", "a-1-1.svg")]}
    assert "![house, floor 1](a-1-1.svg)" in markdown(book, "A page", "", pictures)


def test_names_on_cards_are_text(old: Book) -> None:
    card = counted(old, Spot("<script>:0", 12))
    assert plans_of(card) == []
    assert "<script>" not in page(replace(old, cards=(card,)), "stairwell")


def test_an_older_card_has_no_plan_and_is_told(old: Book) -> None:
    assert all(card.spots == () and plans_of(card) == [] for card in old.cards)
    assert where_words(old.cards[0]) == ""
    assert "where" not in [words.split(",")[0].strip() for words in lines(old, "runs/x")]
    assert 'class="plans"' not in page(old, "stairwell")
    assert plans_of(replace(counted(old, Spot("house.west:1", 1)), scenario="no-such-scenario")) == []
