"""What the pages of a study say of a tactic, told by shipped figures."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from msgspec.structs import replace

from battlesim.discovery.book_file import figures_of, read_book
from battlesim.discovery.cards import Book, Counter
from battlesim.discovery.cards_page import page
from battlesim.discovery.intervention import Figure
from battlesim.discovery.telling import counter_words, lines, markdown, steps

SHIPPED = Path(__file__).parents[2] / "docs/tactics/book.toml"


@pytest.fixture(scope="module")
def book() -> Book:
    """A shipped page with tactics of both kinds."""
    for entry in read_book(SHIPPED).page:
        found = figures_of(SHIPPED.parent, entry)
        if found is not None and {card.found.tactic.rule for card in found.cards} == {"always", "never"}:
            return found
    raise AssertionError("no page has tactics of both kinds")


def test_a_list_gives_each_tactic_in_the_sense_of_its_card(book: Book) -> None:
    html, text = page(book, "some"), markdown(book, "Some")
    for card in book.cards:
        assert f'<li><a href="#card-{card.number}">{card.words}</a> ' in html
        assert f"- **{card.words}** Always: " in text
        assert card.found.tactic.rule in card.words
    assert len(re.findall("<li><a href=", html)) == len(book.cards)


def test_a_card_says_that_its_command_repeats_the_very_games(book: Book) -> None:
    seeded = replace(book, asked=replace(book.asked, seed=7))
    said = "plays the very games of the confirmation again; for fresh ones give another seed than --seed 7"
    for text in (page(seeded, "some"), markdown(seeded, "Some"), "\n".join(lines(seeded, "runs/some"))):
        assert text.count(said) == len(book.cards)


def test_the_page_leads_to_the_records_and_explains_its_figures(book: Book) -> None:
    html = page(book, "some")
    for card in book.cards:
        assert card.game is None or f"\nbattlesim watch RUN/{card.game.record}</pre>" in html
    assert "card:RUN/1 names card 1" in html
    for term in ("p", "q", "seed", "its opposite"):
        assert f"<dt>{term}</dt>" in html


def test_a_study_cut_before_its_confirmation_names_the_tactics_that_were_asked_for(book: Book) -> None:
    asked = replace(book.asked, tactics=("never go:inside", "always go-down:no"))
    said = "2 tactics asked for; what they do is told when the confirmation is over"
    assert said in steps(replace(book, asked=asked, done=(), tried=0))


@pytest.mark.parametrize(
    ("done", "missing", "said"),
    [
        (("mining", "trials"), "", "none of these did well enough to be tried again, so none is confirmed"),
        (
            ("mining",),
            "",
            "no pattern differed in enough pairs of games to be looked at, so nothing was tried",
        ),
        (("mining", "trials"), "not whole", ""),
        (("mining",), "not whole", ""),
    ],
)
def test_a_study_that_ends_early_says_what_it_came_to(
    book: Book, done: tuple[str, ...], missing: str, said: str
) -> None:
    asked = replace(book.asked, tactics=())
    told = steps(replace(book, asked=asked, done=done, missing=missing, cards=(), rest=(), again=0))
    ends = [words for words in told if words.startswith(("none", "no pattern"))]
    assert ends == ([said] if said else [])


@pytest.mark.parametrize(
    ("figure", "seen", "said"),
    [
        (
            Figure(-0.12, -0.2, -0.04),
            False,
            "the best of them, rush, still does worse against it than the base player: -12% (-20 to -4) for whoever plays it, q",
        ),
        (
            Figure(-0.06, -0.25, 0.12),
            False,
            "the most promising, rush, came to -6% (-25 to +12) for whoever plays it, compared with the base player, q",
        ),
        (
            Figure(0.3, 0.2, 0.4),
            True,
            "rush: +30% (+20 to +40) for whoever plays it, compared with the base player, q",
        ),
    ],
)
def test_what_a_response_comes_to_says_for_whom(book: Book, figure: Figure, seen: bool, said: str) -> None:
    card = next(card for card in book.cards if card.counter is not None)
    assert card.counter is not None
    effect = replace(card.counter.effect, score=figure)
    told = counter_words(replace(card, counter=Counter("rush", effect, seen)), book.asked)
    assert said in told
    assert ("none found" in told) is not seen


def test_a_counter_without_a_game_is_not_told_as_untried(book: Book) -> None:
    card = replace(book.cards[0], counter=None)
    assert counter_words(card, replace(book.asked, answered=0)) == "no response was tried"
    assert counter_words(card, replace(book.asked, answered=4)) == "all games of its responses broke off"
