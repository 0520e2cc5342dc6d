"""The page of a study: its cards in one HTML file without scripts or requests. Read `page`.

The words are those of `telling.py`.
"""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

from battlesim.discovery.card_plans import CardPlan, plans_of, where_words
from battlesim.discovery.cards import Book, Card
from battlesim.discovery.intervention import FEWEST, Figure
from battlesim.discovery.telling import (
    base_words,
    command,
    counter_words,
    cycle_words,
    effect_words,
    finding,
    moved_words,
    percent,
    repeat_words,
    rest_heading,
    result_words,
    side_words,
    steps,
    why_words,
)

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
MEANINGS = (
    ("RUN", "the path of this page's folder; card:RUN/1 names card 1 wherever a command takes an agent"),
    (
        "+12% (+2 to +23)",
        "a difference in the chance to win, a draw counted as a half, with its 95% interval",
    ),
    (
        "its opposite",
        "the player always does what the tactic says never to do, or never does what it says always to do",
    ),
    ("p", "how often luck alone would give at least such a difference, if the tactic did nothing"),
    (
        "q",
        "p, corrected for the number of tactics that were tried; with fewer than "
        f"{FEWEST} seeds whose games ended differently, p counts as 1",
    ),
    ("seed", "one set of dice; its games are played from both sides"),
    (
        "88% (52%)",
        "after a clause of the rulebook: it applied in 88% of the games with the tactic, and in 52% of those with its opposite",
    ),
)
POLICY = "default-src 'none'; style-src 'unsafe-inline'"
WIDTH, LEFT, RIGHT = 600, 100, 20


def bars(rows: Sequence[tuple[str, Figure]], label: str) -> str:
    """A picture of effects on the chance to win: the name of each, and a line from -100% to +100% with interval and value."""

    def at(value: float) -> float:
        return round(LEFT + (WIDTH - LEFT - RIGHT) * (min(max(value, -1.0), 1.0) + 1) / 2, 1)

    down = 20 * len(rows)
    parts = [
        f'<svg viewBox="0 0 {WIDTH} {down + 14}" role="img" aria-label="{escape(label)}" width="{WIDTH}">',
        f'<line x1="{at(0)}" y1="2" x2="{at(0)}" y2="{down}" stroke="#6b6558"/>',
    ]
    for place, (name, figure) in enumerate(rows):
        y = 20 * place + 10
        low = figure.value if figure.low is None else figure.low
        high = figure.value if figure.high is None else figure.high
        parts += [
            f'<text x="0" y="{y + 4}" font-size="12" fill="#23201a">{escape(name)}</text>',
            f'<line x1="{at(-1)}" y1="{y}" x2="{at(1)}" y2="{y}" stroke="#d8d2c2"/>',
            f'<line x1="{at(low)}" y1="{y}" x2="{at(high)}" y2="{y}" stroke="#6b3fa0" stroke-width="5"/>',
            f'<circle cx="{at(figure.value)}" cy="{y}" r="6" fill="#6b3fa0"/>',
        ]
    parts += [
        f'<text x="{at(tick)}" y="{down + 12}" font-size="10" text-anchor="middle" fill="#6b6558">{_tick(tick)}</text>'
        for tick in (-1.0, -0.5, 0.0, 0.5, 1.0)
    ]
    return "".join([*parts, "</svg>"])


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
        for card in book.cards:
            found = escape(finding(card.found.tactic, card.effect, base_words(book)))
            parts.append(f'<li><a href="#card-{card.number}">{escape(card.words)}</a> {found}</li>')
        parts += ["</ol>"]
    for card in book.cards:
        parts += _article(book, card)
    if cycle_words(book):
        parts.append(f"<p>{escape(cycle_words(book))}</p>")
    if book.rest:
        parts += [
            f"<h2>{rest_heading(book)}</h2><div class=wide><table><thead><tr><th>tactic</th><th>scenario</th>"
            "<th>what was seen</th></tr></thead><tbody>"
        ]
        for one in book.rest:
            told = result_words(one.confirmed)
            parts.append(
                f"<tr><td>{escape(one.tactic.words())}</td><td>{escape(one.scenario)}</td><td>{told}</td></tr>"
            )
        parts.append("</tbody></table></div>")
    if book.cards or book.rest:
        parts += [
            "<h2>How to read this page</h2><dl>",
            *(f"<dt>{escape(what)}</dt><dd>{escape(said)}</dd>" for what, said in MEANINGS),
            "</dl>",
        ]
    return "\n".join([*parts, "</main></body></html>", ""])


def _inline(plan: CardPlan) -> str:
    """A floor plan inside a page, with a description."""
    return plan.svg.replace("<svg ", f'<svg role="img" aria-label="{escape(plan.caption)}" ', 1)


def _article(book: Book, card: Card) -> list[str]:
    when, effect, base = escape(card.tactic), card.effect, base_words(book)
    always, never = effect.kept, effect.opposite
    if card.found.tactic.rule == "never":
        always, never = never, always
    parts = [
        f'<article id="card-{card.number}"><h2>{card.number}. {escape(card.words)}</h2>',
        f"<p><code>{when}</code> in {escape(card.scenario)} ({escape(card.ruleset)})</p>",
        f"<p>{escape(finding(card.found.tactic, effect, base))}</p>",
        bars(
            (("always", always), ("never", never)),
            f"compared with how {base} plays: always {percent(always)}, never {percent(never)}",
        ),
        "<dl><dt>What it does</dt>",
        *[f"<dd>{escape(words)}</dd>" for words in effect_words(effect, base)],
        f"<dd>by side, compared with its opposite: {escape(side_words(card))}</dd>",
        *(["<dd>asked for was the opposite, which did harm</dd>"] if card.found.turned else []),
        "<dt>What differs from its opposite</dt>",
        *[f"<dd>{escape(words)}</dd>" for words in why_words(card)],
    ]
    if not (card.why or card.clauses):
        parts.append("<dd>nothing that was counted differs surely</dd>")
    if card.spots:
        plans = [_inline(plan) for plan in plans_of(card)]
        parts.append(f"<dt>Where</dt><dd>{escape(where_words(card))}</dd>")
        parts += ['<dd class="plans">', *plans, "</dd>"] if plans else []
    if "transfer" in book.done:
        parts.append(f"<dt>What beats it</dt><dd>{escape(counter_words(card, book.asked))}</dd>")
        parts += ["<dt>Elsewhere</dt>"] if card.transfer else []
        parts += [f"<dd>{escape(moved_words(one))}</dd>" for one in card.transfer]
    parts.append("</dl>")
    if card.game is not None:
        told = f"The game in the middle of all in which it applied; {card.game.side} kept to it."
        watch = f"battlesim watch RUN/{card.game.record}"
        parts.append(f"<p>{escape(told)}</p><pre>{escape(card.game.command)}\n{escape(watch)}</pre>")
    again = f"Again (this {repeat_words(book.asked)}):"
    return [*parts, f"<p>{escape(again)}</p><pre>{escape(card.repeat)}</pre></article>"]
