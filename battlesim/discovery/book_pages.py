"""The index of a book of tactics: what is confirmed, and what predicts that it holds elsewhere. Read `index_page`."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

from battlesim.core.errors import InputError
from battlesim.core.sums import summed
from battlesim.discovery.cards import ABSENT, HOLDS, VERDICTS, Book, Card, Moved
from battlesim.discovery.intervention import costs, gains, opposite_costs
from battlesim.discovery.study_asked import Candidate
from battlesim.discovery.tactic import Tactic
from battlesim.discovery.telling import DIGITS, percent, rest_words
from battlesim.rulesets.finder import find_ruleset
from battlesim.scenario.load import load_scenario
from battlesim.viewer.report_words import plural


class Page(NamedTuple):
    """A page of a book: its name, without ".md", its title and its figures."""

    name: str
    title: str
    book: Book


class Elsewhere(NamedTuple):
    """A tactic of a card, played in another scenario."""

    card: Card
    moved: Moved


def index_page(title: str, about: str, pages: Sequence[Page]) -> str:
    """The index of a book in Markdown: the confirmed tactics by kind of find, their results elsewhere, and the pages. A tactic
    that several pages tried in a scenario is listed once, from the page with the most seeds."""
    every = [(page, card) for page in pages for card in page.book.cards]
    surest: dict[tuple[str, str], tuple[Page, Card]] = {}
    for page, card in sorted(every, key=lambda row: row[1].effect.seeds):
        surest[card.tactic, card.scenario] = page, card
    cards = list(surest.values())
    parts = [f"# {title}", ""]
    if about.strip():
        parts += [about.strip(), ""]
    rulesets = {card.ruleset for _, card in cards}
    tried = {(str(_asked_way(one)), one.scenario) for page in pages for one in _tried(page)}
    parts += [
        f"{plural(len(cards), 'tactic')} confirmed under {plural(len(rulesets), 'rulebook')}, of {len(tried)} that were "
        "tried: to keep to it is better than to do the opposite. The tables say what always and never doing something changes "
        "in the chance to win, compared with how the base player plays by its own judgement. That player wins 50 of 100 games "
        "against itself, so -50% is every game. Both sides are averaged: where one alone has the choice, its own change is "
        "twice the figure. **Bold** is what chance hardly explains (q at most 0.05). By side is always against never.",
        "",
    ]
    left = cards
    for heading, fits in FOUND.items():
        here = [row for row in left if fits(row[1])]
        left = [row for row in left if row not in here]
        parts += _table(heading, here)
    rest = [(page, one) for page in pages for one in page.book.rest]
    if rest:
        parts += ["## Tried and not confirmed", ""]
        parts += [f"- {rest_words(one)} ([{page.title}]({page.name}.md))" for page, one in rest] + [""]
    parts += _elsewhere([Elsewhere(card, moved) for _, card in cards for moved in card.transfer], cards)
    parts += [
        "## Pages",
        "",
        "| page | confirmed | tried | scenarios | program |",
        "| --- | --: | --: | --- | --- |",
    ]
    parts += [
        f"| [{page.title}]({page.name}.md) | {len(page.book.cards)} | {page.book.again} | "
        f"{', '.join(_played_on(page.book))} | {page.book.program[:DIGITS]} |"
        for page in pages
    ]
    return "\n".join([*parts, ""])


FOUND: dict[str, Callable[[Card], bool]] = {
    "What the base player could learn": lambda card: gains(card.effect),
    "What must not be given up": lambda card: (
        card.found.tactic.rule == "always" and opposite_costs(card.effect)
    ),
    "What must not be overdone": lambda card: opposite_costs(card.effect),
    "Better than its opposite": lambda card: True,
}
"""Kinds of finds; a card is listed under the first that fits."""


def _tried(page: Page) -> list[Candidate]:
    """The candidates of a page's last test."""
    return [*(card.found for card in page.book.cards), *page.book.rest]


def _asked_way(one: Candidate) -> Tactic:
    """A tactic as it was tested, before it was turned into its opposite."""
    return one.tactic.opposite if one.turned else one.tactic


def _played_on(book: Book) -> tuple[str, ...]:
    """The scenarios that were played."""
    return book.asked.places if "transfer" in book.done else book.asked.scenarios


def _table(heading: str, rows: Sequence[tuple[Page, Card]]) -> Iterator[str]:
    """Confirmed tactics, those with the costliest opposite first."""
    if not rows:
        return
    yield from (f"## {heading}", "")
    yield "| what a unit does | rulebook, scenario | always | never | by side | best response |"
    yield "| --- | --- | --- | --- | --- | --- |"
    for page, card in sorted(rows, key=lambda row: row[1].effect.opposite.value):
        tactic, effect, counter = card.found.tactic, card.effect, card.counter
        link = f"[{tactic.deed}]({page.name}.md#{anchor(f'{card.number}. {card.words}')})"
        kept = _marked(percent(effect.kept), gains(effect) or costs(effect))
        opposite = _marked(percent(effect.opposite), opposite_costs(effect))
        always, never = (kept, opposite) if tactic.rule == "always" else (opposite, kept)
        told = "not looked for" if counter is None else "none found"
        if counter is not None and counter.seen:
            told = f"`{counter.player}` {percent(counter.effect.score)}"
        sign = 1 if tactic.rule == "always" else -1
        sides = ", ".join(
            f"{name} {100 * sign * one.value:+.0f}%"
            for name, one in zip(card.sides, effect.sides, strict=True)
            if one is not None
        )
        rules = find_ruleset(card.ruleset).title.partition(":")[0]
        yield f"| {link} | {rules}, {card.scenario} | {always} | {never} | {sides} | {told} |"
    yield ""


def _marked(words: str, seen: bool) -> str:
    return f"**{words}**" if seen else words


def anchor(heading: str) -> str:
    """The link anchor of a Markdown heading.

    >>> anchor("1. A unit never lies down.")
    '1-a-unit-never-lies-down'
    """
    return re.sub(r"[^\w\- ]", "", heading).strip().lower().replace(" ", "-")


# ---- elsewhere


def _elsewhere(found: Sequence[Elsewhere], cards: Sequence[tuple[Page, Card]]) -> Iterator[str]:
    """How often tactics hold elsewhere, by what the other scenario shares with the one in which they were confirmed. If a
    separate page confirmed a tactic there, that result counts."""
    if not found:
        return
    at_home = {(card.tactic, card.scenario) for _, card in cards}

    def verdict(one: Elsewhere) -> str:
        return HOLDS if (one.card.tactic, one.moved.scenario) in at_home else one.moved.verdict

    once = {(one.card.tactic, one.moved.scenario): one for one in found}
    groups: dict[str, Callable[[Elsewhere], bool]] = {
        "all": lambda one: True,
        "the same rulebook, another building": lambda one: _same_rules(one) and same_building(one) is False,
        "the same rulebook and building": lambda one: _same_rules(one) and same_building(one) is True,
        "another rulebook, the same building": lambda one: (
            not _same_rules(one) and same_building(one) is True
        ),
        "another rulebook and building": lambda one: not _same_rules(one) and same_building(one) is False,
        "applies at half as many questions as at home, or more": lambda one: _bears(one) >= 0.5,
        "applies at fewer": lambda one: _bears(one) < 0.5,
        "at home 30% or more": lambda one: one.card.effect.score.value >= 0.3,
        "at home less": lambda one: one.card.effect.score.value < 0.3,
        "at home both sides gain": lambda one: _evenly(one.card),
        "at home one side alone gains": lambda one: not _evenly(one.card),
    }
    yield from ("## Elsewhere", "")
    yield (
        "Confirmed tactics were played in other scenarios, too; each is counted once in each. What predicts that one "
        "holds there? Where a page of its own confirmed it there, that is what counts. The mean effect is of those that "
        "come up, compared with their opposite."
    )
    yield ""
    yield f"| | tried | {' | '.join(VERDICTS)} | mean effect |"
    yield f"| --- | --: |{' --: |' * len(VERDICTS)} --: |"
    for name, fits in groups.items():
        here = [one for one in once.values() if fits(one)]
        if not here:
            continue
        counts = [sum(verdict(one) == word for one in here) for word in VERDICTS]
        effects = [
            one.moved.effect.score.value
            for one in here
            if one.moved.effect is not None and one.moved.verdict != ABSENT
        ]
        mean = f"{100 * summed(effects) / len(effects):+.0f}%" if effects else "-"
        yield f"| {name} | {len(here)} | {' | '.join(map(str, counts))} | {mean} |"
    yield ""


def same_building(one: Elsewhere) -> bool | None:
    """Whether both maps have sections of the same names, on any grid; None if a scenario of an old page is no longer there."""
    try:
        here, there = (load_scenario(name).board for name in (one.card.scenario, one.moved.scenario))
    except InputError:
        return None
    return {section.name for section in here.sections} == {section.name for section in there.sections}


def _same_rules(one: Elsewhere) -> bool:
    return one.card.ruleset == one.moved.ruleset


def _bears(one: Elsewhere) -> float:
    """The number of questions that a tactic applies to elsewhere, as a share of those in its own scenario."""
    home = one.card.effect.bore
    return 0.0 if one.moved.effect is None or not home else one.moved.effect.bore / home


def _evenly(card: Card) -> bool:
    """Whether both sides gain by a tactic, each at least half the mean."""
    return all(one is not None and one.value >= card.effect.score.value / 2 for one in card.effect.sides)
