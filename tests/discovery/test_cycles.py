"""Tactics that counter one another in a circle are told as such."""

from __future__ import annotations

from pathlib import Path

import pytest
from msgspec.structs import replace

from battlesim.discovery.book_file import figures_of, read_book
from battlesim.discovery.cards import Book, Card, counter_cycles
from battlesim.discovery.cards_page import page
from battlesim.discovery.telling import cycle_words, lines, markdown

SHIPPED = Path(__file__).parents[2] / "docs/tactics/book.toml"


@pytest.fixture(scope="module")
def book() -> Book:
    """A shipped page with at least four cards of one scenario."""
    for entry in read_book(SHIPPED).page:
        found = figures_of(SHIPPED.parent, entry)
        if found is not None and len([c for c in found.cards if c.scenario == found.cards[0].scenario]) >= 4:
            return replace(found, done=(*found.done, "responses", "transfer"))
    raise AssertionError("no page has four cards of one scenario")


def countered(book: Book, answers: dict[int, int], seen: bool = True) -> list[Card]:
    """The first four cards, numbered from 1, each with the counter that `answers` says; without one where it says none."""
    scenario = book.cards[0].scenario
    cards = [replace(c, number=n + 1) for n, c in enumerate(c for c in book.cards if c.scenario == scenario)][
        :4
    ]
    given = next(card.counter for card in book.cards if card.counter is not None)
    return [
        replace(
            card,
            counter=replace(given, player=cards[answers[card.number] - 1].agent, seen=seen)
            if card.number in answers
            else None,
        )
        for card in cards
    ]


@pytest.mark.parametrize(
    ("answers", "cycles"),
    [
        ({1: 2, 2: 3, 3: 1}, [(1, 2, 3)]),
        ({4: 3, 3: 2, 2: 4}, [(2, 4, 3)]),
        ({1: 2, 2: 1, 3: 4, 4: 3}, [(1, 2), (3, 4)]),
        ({1: 2, 2: 3, 3: 2}, [(2, 3)]),
        ({1: 2, 2: 3, 3: 4}, []),
        ({}, []),
    ],
)
def test_counters_that_go_round_are_found(
    book: Book, answers: dict[int, int], cycles: list[tuple[int, ...]]
) -> None:
    assert counter_cycles(countered(book, answers)) == cycles


def test_only_confirmed_counters_in_the_same_scenario_count(book: Book) -> None:
    round_about = {1: 2, 2: 3, 3: 1}
    assert not counter_cycles(countered(book, round_about, seen=False))
    one, *others = countered(book, round_about)
    assert not counter_cycles([replace(one, scenario="elsewhere"), *others])


def test_cycles_are_told_on_every_page(book: Book) -> None:
    cards = countered(book, {1: 2, 2: 3, 3: 1})
    made = replace(book, cards=tuple(cards), rest=())
    told = "Cycles: 2 counters 1, 3 counters 2, 1 counters 3."
    assert cycle_words(made) == told
    assert told in lines(made, "runs/some")
    assert told in markdown(made, "Some")
    assert told in page(made, "some")
    none = replace(made, cards=tuple(countered(book, {1: 2, 2: 3})))
    assert "Cycles: none; no tactics here counter one another in a circle." in markdown(none, "Some")
    unseen = replace(made, cards=tuple(countered(book, {1: 2, 2: 1}, seen=False)))
    assert "Cycles" not in markdown(unseen, "Some")  # no counter is confirmed


def test_cycles_are_told_only_where_they_were_looked_for(book: Book) -> None:
    made = replace(book, cards=tuple(countered(book, {1: 2, 2: 3, 3: 1})))
    assert not cycle_words(replace(made, done=("confirmation", "transfer")))
    assert not cycle_words(replace(made, cards=made.cards[:1]))
    assert "Cycles" not in markdown(replace(made, cards=made.cards[:1]), "Some")
