"""The index of a book of tactics: what is confirmed, and what foretells that it holds elsewhere. Read `index_page`."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

from battlesim.discovery.cards import ABSENT, HARMS, HOLDS, UNSEEN, Book, Card, Moved
from battlesim.discovery.intervention import costs, gains
from battlesim.discovery.telling import percent
from battlesim.rulesets.finder import find_ruleset
from battlesim.scenario.load import load_scenario
from battlesim.viewer.report_words import plural

VERDICTS = (HOLDS, UNSEEN, HARMS, ABSENT)


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
    """The index of a book in Markdown: the confirmed tactics of each rulebook, what became of them elsewhere, and the pages."""
    cards = [(page, card) for page in pages for card in page.book.cards]
    parts = [f"# {title}", ""]
    if about.strip():
        parts += [about.strip(), ""]
    rulesets = list(dict.fromkeys(card.ruleset for _, card in cards))
    better, worse = (sum(judged(card.effect) for _, card in cards) for judged in (gains, costs))
    tried = sum(page.book.again for page in pages)
    known = len(
        {(card.tactic, card.scenario) for _, card in cards}
    )  # one may be tried again on a page of its own
    parts += [
        f"{plural(known, 'tactic')} confirmed under {plural(len(rulesets), 'rulebook')}, of {tried} that were tried for it: "
        f"always is better than never. {better} of them beat the base player's own judgement (**bold**). {worse} "
        f"{'is' if worse == 1 else 'are'} worse than it (*slanted*): there neither rule holds always.",
        "",
    ]
    for ruleset in sorted(rulesets):
        parts += _table(ruleset, [row for row in cards if row[1].ruleset == ruleset])
    parts += _elsewhere([Elsewhere(card, moved) for _, card in cards for moved in card.transfer])
    parts += ["## Pages", "", "| page | confirmed | tried | scenarios |", "| --- | --: | --: | --- |"]
    parts += [
        f"| [{page.title}]({page.name}.md) | {len(page.book.cards)} | {page.book.again} | "
        f"{', '.join(page.book.asked.places)} |"
        for page in pages
    ]
    return "\n".join([*parts, ""])


def _table(ruleset: str, rows: Sequence[tuple[Page, Card]]) -> Iterator[str]:
    """The confirmed tactics of a rulebook, the largest effect first."""
    yield from (f"## {find_ruleset(ruleset).title.partition(':')[0]}", "")
    yield "| tactic | scenario | instead of never | instead of the base player's way | best response |"
    yield "| --- | --- | --- | --- | --- |"
    for page, card in sorted(rows, key=lambda row: -row[1].effect.score.value):
        link = f"[{card.words}]({page.name}.md#{anchor(f'{card.number}. {card.words}')})"
        always = percent(card.effect.always)
        mark = "**" if gains(card.effect) else "*" if costs(card.effect) else ""
        counter = card.counter
        told = "not tried" if counter is None else "none found"
        if counter is not None and counter.seen:
            told = f"`{counter.player}` {percent(counter.effect.score)}"
        yield (f"| {link} | {card.scenario} | {percent(card.effect.score)} | {mark}{always}{mark} | {told} |")
    yield ""


def anchor(heading: str) -> str:
    """What a heading of Markdown is linked by.

    >>> anchor("1. A unit never lies down.")
    '1-a-unit-never-lies-down'
    """
    return re.sub(r"[^\w\- ]", "", heading).strip().lower().replace(" ", "-")


# ---- elsewhere


def _elsewhere(found: Sequence[Elsewhere]) -> Iterator[str]:
    """How often tactics hold elsewhere, by what the other scenario has in common with that in which they were confirmed."""
    if not found:
        return
    groups: dict[str, Callable[[Elsewhere], bool]] = {
        "all": lambda one: True,
        "the same rulebook, another building": lambda one: _same_rules(one) and not same_building(one),
        "the same rulebook and building": lambda one: _same_rules(one) and same_building(one),
        "another rulebook, the same building": lambda one: not _same_rules(one) and same_building(one),
        "another rulebook and building": lambda one: not _same_rules(one) and not same_building(one),
        "bears at half as many questions as at home, or more": lambda one: _bears(one) >= 0.5,
        "bears at fewer": lambda one: _bears(one) < 0.5,
        "at home 30% or more": lambda one: one.card.effect.score.value >= 0.3,
        "at home less": lambda one: one.card.effect.score.value < 0.3,
        "at home both sides gain": lambda one: _evenly(one.card),
        "at home one side alone gains": lambda one: not _evenly(one.card),
    }
    yield from ("## Elsewhere", "")
    yield "Confirmed tactics were played in other scenarios, too. What foretells that it holds there?"
    yield ""
    yield f"| | tried | {' | '.join(VERDICTS)} | mean effect |"
    yield f"| --- | --: |{' --: |' * len(VERDICTS)} --: |"
    for name, fits in groups.items():
        here = [one for one in found if fits(one)]
        if not here:
            continue
        counts = [sum(one.moved.verdict == verdict for one in here) for verdict in VERDICTS]
        effects = [one.moved.effect.score.value for one in here if one.moved.effect is not None]
        mean = f"{100 * sum(effects) / len(effects):+.0f}%" if effects else "-"
        yield f"| {name} | {len(here)} | {' | '.join(map(str, counts))} | {mean} |"
    yield ""


def same_building(one: Elsewhere) -> bool:
    """Whether both maps have the same sections by name, drawn on whatever grid."""
    here, there = (load_scenario(name).board for name in (one.card.scenario, one.moved.scenario))
    return {section.name for section in here.sections} == {section.name for section in there.sections}


def _same_rules(one: Elsewhere) -> bool:
    return one.card.ruleset == one.moved.ruleset


def _bears(one: Elsewhere) -> float:
    """At how many questions a tactic bears elsewhere, as a share of those at home."""
    home = one.card.effect.bore
    return 0.0 if one.moved.effect is None or not home else one.moved.effect.bore / home


def _evenly(card: Card) -> bool:
    """Whether both sides gain by a tactic, each half of the mean at least."""
    return all(value is not None and value >= card.effect.score.value / 2 for value in card.effect.sides)
