"""The book of a study as text: lines for the terminal, and pages in Markdown and HTML. Read `lines`.

A page is one file without scripts or requests.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from html import escape
from itertools import pairwise
from shlex import quote

from battlesim.discovery.acts import act_words
from battlesim.discovery.card_plans import CardPlan, plans_of, where_words
from battlesim.discovery.cards import ABSENT, Book, Card, Moved, counter_cycles
from battlesim.discovery.intervention import RATE, Effect, Figure, costs, gains
from battlesim.discovery.study_asked import Asked, Candidate
from battlesim.viewer.report_words import plural

FEW_CLAUSE_LETTERS = 110


def percent(figure: Figure) -> str:
    """A difference of chances in per cent, with its interval.

    >>> percent(Figure(0.125, 0.05, 0.2))
    '+12% (+5 to +20)'
    """
    if figure.low is None or figure.high is None:
        return f"{100 * figure.value:+.0f}%"
    # A mean of few seeds has an interval that may go beyond what is possible.
    low, high = max(figure.low, -1.0), min(figure.high, 1.0)
    return f"{100 * figure.value:+.0f}% ({100 * low:+.0f} to {100 * high:+.0f})"


def number(figure: Figure) -> str:
    """A difference with its interval, with two digits after the point."""
    if figure.low is None or figure.high is None:
        return f"{figure.value:+.2f}"
    return f"{figure.value:+.2f} ({figure.low:+.2f} to {figure.high:+.2f})"


def chance(p: float) -> str:
    """A p-value.

    >>> chance(0.00001)
    'below 0.001'
    """
    return "below 0.001" if p < 0.001 else f"{p:.3f}"


def steps(book: Book) -> list[str]:
    """What the study did, step by step, and how much was looked at."""
    asked = book.asked
    found = [f"{book.games} games of {asked.base} and others in {', '.join(asked.scenarios)}"]
    if book.broken:
        found[0] += f"; {book.broken} broke off and count for nothing"
    if asked.elsewhere and "transfer" in book.done:
        found[0] += f"; also {', '.join(asked.elsewhere)}, where nothing was looked for"
    if asked.tactics:
        found.append(f"{plural(book.tried, 'tactic')} asked for, tried always and never in fresh games")
    elif "trials" in book.done:
        found.append(f"{book.looked} patterns looked at, {book.tried} of them tried: always and never")
    if "confirmation" in book.done:
        if not asked.tactics:
            found.append(f"{book.again} of these tried again under other dice, for they did well")
        found.append(f"{len(book.cards)} confirmed; of these at most {RATE:.0%} are false finds in the mean")
    return found


def command(asked: Asked) -> str:
    """The command that makes a study, with what is not as usual.

    >>> command(Asked(("stairwell",), ("never order:run",), confirmed=14))
    'battlesim tactics stairwell --tactic "never order:run" --confirmed 14'
    """
    words = ["battlesim tactics", *map(quote, asked.scenarios)]
    words += [f'--tactic "{text}"' for text in asked.tactics]
    words += [f"--elsewhere {quote(name)}" for name in asked.elsewhere]
    usual = Asked(())
    for name in Asked.__struct_fields__:
        value = getattr(asked, name)
        if name not in ("scenarios", "tactics", "elsewhere") and value != getattr(usual, name):
            words.append(f"--{name} {quote(str(value))}")
    return " ".join(words)


def why_words(card: Card) -> list[str]:
    """What differs between games with the tactic and without it."""
    found = [f"{one.what}: {number(one.figure)} a game" for one in card.why]
    for bears in card.clauses:
        text = bears.text if len(bears.text) <= FEW_CLAUSE_LETTERS else bears.text[:FEW_CLAUSE_LETTERS] + "…"
        found.append(
            f"{bears.clause} bears on {bears.share:.0%} of games instead of {bears.without:.0%}: {text}"
        )
    return found


def effect_words(effect: Effect, base: str) -> list[str]:
    """The effect of a tactic in a few lines."""
    return [
        f"always instead of never: {percent(effect.score)} chance to win, {number(effect.margin)} of the points in reach; "
        f"p {chance(effect.p)}, q {chance(effect.q)}; {effect.seeds} seeds, {effect.games} pairs of games",
        f"always instead of as {base} plays: {percent(effect.always)}{_beats(effect)}; "
        f"never instead of that: {percent(effect.never)}",
        f"it bears in {effect.dosed:.0%} of the pairs, at {effect.bore:.1f} questions a game, and changes what is said at "
        f"{effect.changed:.1f}",
    ]


def _beats(effect: Effect) -> str:
    """What is said of a tactic that is seen to be better, or worse, than the base player's own judgement."""
    if not (gains(effect) or costs(effect)):
        return ""
    return f" (q {chance(effect.q_always)}: {'better' if gains(effect) else 'worse'} than its own judgement)"


def _base(book: Book) -> str:
    """The base player, by its name where that is short."""
    return "the base player" if "," in book.asked.base else book.asked.base


def _rest(book: Book) -> str:
    """The heading of what is not confirmed."""
    return "Tried and not confirmed" if book.asked.tactics else "Tried again and not confirmed"


def counter_words(card: Card) -> str:
    """The best response to a card."""
    if card.counter is None:
        return "no response was tried"
    one = card.counter
    gain = f"{percent(one.effect.score)} more than the base player; q {chance(one.effect.q)}"
    return f"{one.player}: {gain}" if one.seen else f"none found; the best tried was {one.player}: {gain}"


def cycle_words(book: Book) -> str:
    """Whether the counters of a book go round, as rock, paper and scissors do; "" where that was not looked for: without
    responses, or without two tactics of one scenario."""
    scenarios = [card.scenario for card in book.cards]
    if not {"responses", "transfer"} <= set(book.done) or len(set(scenarios)) == len(scenarios):
        return ""
    found = counter_cycles(book.cards)
    told = [", ".join(f"{b} counters {a}" for a, b in pairwise((*one, one[0]))) for one in found]
    if told:
        return f"Cycles: {'; '.join(told)}."
    if not any(card.counter is not None and card.counter.seen for card in book.cards):
        return "Cycles: none, since no counter is confirmed."
    return "Cycles: none; no tactics here counter one another in a circle."


def moved_words(one: Moved) -> str:
    """A card in another scenario."""
    if one.effect is None or one.verdict == ABSENT:
        return f"{one.scenario} ({one.ruleset}): {ABSENT}"
    return f"{one.scenario} ({one.ruleset}): {one.verdict}, {percent(one.effect.score)}"


def side_words(card: Card) -> str:
    """The effect by side."""
    return ", ".join(
        f"{name} {100 * value:+.0f}%"
        for name, value in zip(card.sides, card.effect.sides, strict=True)
        if value is not None
    )


def lines(book: Book, folder: str) -> list[str]:
    """The book for the terminal."""
    found = list(steps(book))
    for card in book.cards:
        found += ["", f"{card.number}. {card.words}", f"   {card.tactic}   ({card.scenario}, {card.ruleset})"]
        told = [*effect_words(card.effect, _base(book)), f"by side: {side_words(card)}"]
        told += [f"why: {words}" for words in why_words(card)]
        told += [where_words(card)] if card.spots else []
        if "transfer" in book.done:
            told.append(f"counter: {counter_words(card)}")
            told += [f"elsewhere: {moved_words(one)}" for one in card.transfer]
        if card.game is not None:
            told.append(f"watch: battlesim watch {quote(f'{folder}/{card.game.record}')}")
        told.append(f"as an agent: card:{folder}/{card.number}")
        told.append(f"again: {card.repeat}")
        found += [f"   {words}" for words in told]
    if cycle_words(book):
        found += ["", cycle_words(book)]
    if book.rest:
        found += ["", f"{_rest(book)}:"]
        found += [f"   {rest_words(one)}" for one in book.rest]
    return found


def rest_words(one: Candidate) -> str:
    """A tactic that was not confirmed."""
    return f"{one.tactic} ({one.scenario}): {result_words(one.confirmed)}"


def result_words(effect: Effect | None) -> str:
    """What trying a tactic came to; that it did nothing and that it never bore are not the same."""
    if effect is None:
        return "no whole game"
    if effect.dosed == 0:
        return f"never came up in {effect.games} pairs of games"
    return percent(effect.score)


def markdown(
    book: Book, title: str, why: str = "", pictures: Mapping[int, Sequence[tuple[str, str]]] | None = None
) -> str:
    """The book as a page in Markdown. `why`: what the page is about, told below its title. `pictures`: of cards by their number,
    each with its caption and its file."""
    parts = [
        f"# {title}",
        "",
        *([why, ""] if why else []),
        "```sh",
        command(book.asked),
        "```",
        "",
        *[f"- {words}" for words in steps(book)],
        "",
    ]
    for card in book.cards:
        parts += [f"## {card.number}. {card.words}", ""]
        parts += [f"`{card.tactic}` in {card.scenario} ({card.ruleset})", ""]
        parts += [f"- {words}" for words in effect_words(card.effect, _base(book))]
        parts.append(f"- by side: {side_words(card)}")
        parts += [f"- why: {words}" for words in why_words(card)]
        parts += [f"- {where_words(card)}"] if card.spots else []
        if "transfer" in book.done:
            parts.append(f"- counter: {counter_words(card)}")
            parts += [f"- elsewhere: {moved_words(one)}" for one in card.transfer]
        shown = [card.repeat] + ([card.game.command] if card.game else [])
        shots = [f"![{caption}]({file})" for caption, file in (pictures or {}).get(card.number, ())]
        parts += ["", *([" ".join(shots), ""] if shots else []), "```sh", *shown, "```", ""]
    if cycle_words(book):
        parts += [cycle_words(book), ""]
    if book.rest:
        parts += [f"## {_rest(book)}", "", *[f"- {rest_words(one)}" for one in book.rest], ""]
    return "\n".join(parts)


STYLE = """
body { font-family: Georgia, 'DejaVu Serif', serif; max-width: 62rem; margin: 2rem auto; padding: 0 1rem; color: #23201a;
  background: #fbf9f2; line-height: 1.45; }
article { border-top: 2px solid #d8d2c2; margin-top: 2rem; padding-top: 0.5rem; }
h2 { font-size: 1.2rem; } code, pre { font-size: 0.85rem; background: #f1ecdd; padding: 0.1rem 0.3rem; }
pre { padding: 0.6rem; white-space: pre-wrap; overflow-wrap: anywhere; }
dt { font-weight: bold; margin-top: 0.5rem; } dd { margin-left: 1rem; }
table { border-collapse: collapse; font-size: 0.9rem; width: 100%; }
th, td { text-align: left; padding: 0.25rem 0.6rem; border-bottom: 1px solid #d8d2c2; vertical-align: top; }
.wide { overflow-x: auto; } svg { display: block; max-width: 100%; }
.plans { display: flex; flex-wrap: wrap; gap: 0.8rem; align-items: flex-start; }
"""
POLICY = "default-src 'none'; style-src 'unsafe-inline'"
WIDTH, EDGE = 600, 20


def bar(figure: Figure, label: str) -> str:
    """An effect on the chance to win as a picture: a line from -100% to +100% with the interval and the value."""

    def at(value: float) -> float:
        return round(EDGE + (WIDTH - 2 * EDGE) * (min(max(value, -1.0), 1.0) + 1) / 2, 1)

    low = figure.value if figure.low is None else figure.low
    high = figure.value if figure.high is None else figure.high
    return (
        f'<svg viewBox="0 0 {WIDTH} 34" role="img" aria-label="{escape(label)}" width="{WIDTH}">'
        f'<line x1="{EDGE}" y1="14" x2="{WIDTH - EDGE}" y2="14" stroke="#d8d2c2"/>'
        f'<line x1="{at(0)}" y1="6" x2="{at(0)}" y2="22" stroke="#6b6558"/>'
        f'<line x1="{at(low)}" y1="14" x2="{at(high)}" y2="14" stroke="#6b3fa0" stroke-width="5"/>'
        f'<circle cx="{at(figure.value)}" cy="14" r="6" fill="#6b3fa0"/>'
        + "".join(
            f'<text x="{at(tick)}" y="32" font-size="10" text-anchor="middle" fill="#6b6558">{_tick(tick)}</text>'
            for tick in (-1.0, -0.5, 0.0, 0.5, 1.0)
        )
        + "</svg>"
    )


def _tick(value: float) -> str:
    return f"{100 * value:+.0f}%" if value else "0"


def page(book: Book, name: str) -> str:
    """The book as an HTML page."""
    title = f"Tactics: {name}"
    parts = [
        "<!doctype html>",
        f'<html lang="en"><head><meta charset="utf-8"><title>{escape(title)}</title>',
        '<meta name="viewport" content="width=device-width, initial-scale=1">',
        f'<meta http-equiv="Content-Security-Policy" content="{POLICY}"><style>{STYLE}</style></head><body><main>',
        f"<h1>{escape(title)}</h1><ul>",
        *[f"<li>{escape(words)}</li>" for words in steps(book)],
        f"</ul><pre>{escape(command(book.asked))}</pre>",
    ]
    if len(book.cards) > 1:
        parts += ["<ol>"]
        parts += [
            f'<li><a href="#card-{card.number}">{escape(card.words)}</a> {escape(percent(card.effect.score))}</li>'
            for card in book.cards
        ]
        parts += ["</ol>"]
    for card in book.cards:
        parts += _article(book, card)
    if cycle_words(book):
        parts.append(f"<p>{escape(cycle_words(book))}</p>")
    if book.rest:
        parts += [
            f"<h2>{_rest(book)}</h2><div class=wide><table><thead><tr><th>tactic</th><th>scenario</th>"
            "<th>always instead of never</th></tr></thead><tbody>"
        ]
        for one in book.rest:
            told = result_words(one.confirmed)
            parts.append(
                f"<tr><td>{escape(one.tactic.words())}</td><td>{escape(one.scenario)}</td><td>{told}</td></tr>"
            )
        parts.append("</tbody></table></div>")
    return "\n".join([*parts, "</main></body></html>", ""])


def _inline(plan: CardPlan) -> str:
    """A floor plan inside a page, with a description."""
    return plan.svg.replace("<svg ", f'<svg role="img" aria-label="{escape(plan.caption)}" ', 1)


def _article(book: Book, card: Card) -> list[str]:
    when = escape(card.tactic)
    parts = [
        f'<article id="card-{card.number}"><h2>{card.number}. {escape(card.words)}</h2>',
        f"<p><code>{when}</code> in {escape(card.scenario)} ({escape(card.ruleset)})</p>",
        bar(
            card.effect.score,
            f"{percent(card.effect.score)} chance to win: {act_words(card.found.tactic.act)}",
        ),
        "<dl><dt>What it does</dt>",
        *[f"<dd>{escape(words)}</dd>" for words in effect_words(card.effect, _base(book))],
        f"<dd>by side: {escape(side_words(card))}</dd><dt>Why</dt>",
        *[f"<dd>{escape(words)}</dd>" for words in why_words(card)],
    ]
    if not (card.why or card.clauses):
        parts.append("<dd>nothing that was counted differs surely</dd>")
    if card.spots:
        plans = [_inline(plan) for plan in plans_of(card)]
        parts.append(f"<dt>Where</dt><dd>{escape(where_words(card))}</dd>")
        parts += ['<dd class="plans">', *plans, "</dd>"] if plans else []
    if "transfer" in book.done:
        parts.append(f"<dt>What beats it</dt><dd>{escape(counter_words(card))}</dd>")
        parts += ["<dt>Elsewhere</dt>"] if card.transfer else []
        parts += [f"<dd>{escape(moved_words(one))}</dd>" for one in card.transfer]
    parts.append("</dl>")
    if card.game is not None:
        told = f"The game in the middle of all in which it bore; {card.game.side} keeps to it."
        parts.append(f"<p>{escape(told)}</p><pre>{escape(card.game.command)}</pre>")
    return [*parts, f"<p>Again:</p><pre>{escape(card.repeat)}</pre></article>"]
