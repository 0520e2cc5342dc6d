"""The book of a study in words: lines for the terminal, and a page in Markdown. Read `finding`, then `lines`.

`cards_page.py` makes the HTML page from the same words.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import pairwise
from shlex import quote

from battlesim.batch.blame import blame_lines
from battlesim.discovery.card_plans import where_words
from battlesim.discovery.cards import ABSENT, HOLDS, LIKELY, Book, Card, Moved, counter_cycles
from battlesim.discovery.intervention import RATE, Effect, Figure, costs, gains
from battlesim.discovery.study_asked import Asked, Candidate
from battlesim.discovery.tactic import Tactic
from battlesim.viewer.report_words import plural

DIGITS = 8
"""The number of digits of a digest that are shown."""


def percent(figure: Figure) -> str:
    """A difference of chances in per cent, with its interval.

    >>> percent(Figure(0.125, 0.05, 0.2))
    '+12% (+5 to +20)'
    """
    if figure.low is None or figure.high is None:
        return f"{100 * figure.value:+.0f}%"
    # A mean of few seeds has an interval that may exceed the possible range.
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
    """What the study did, step by step, and how much it examined."""
    asked = book.asked
    found = [f"{book.games} games of {asked.base} and others in {', '.join(asked.scenarios)}"]
    if book.broken:
        found[0] += f"; {book.broken} broke off or were forfeited, and count for nothing"
    if book.missing:
        found.insert(0, book.missing)
    found += blame_lines(book.blame)
    if asked.elsewhere and "transfer" in book.done:
        found[0] += f"; also {', '.join(asked.elsewhere)}, where nothing was looked for"
    if asked.tactics and "confirmation" not in book.done:
        # Nothing is counted as tried before the confirmation is over.
        found.append(
            f"{plural(len(asked.tactics), 'tactic')} asked for; what they do is told when the confirmation is over"
        )
    elif asked.tactics:
        found.append(f"{plural(book.tried, 'tactic')} asked for, tried always and never in fresh games")
    elif "trials" in book.done:
        found.append(f"{book.looked} patterns looked at, {book.tried} of them tried: always and never")
        if "confirmation" not in book.done and not book.missing:
            found.append("none of these did well enough to be tried again, so none is confirmed")
    elif "mining" in book.done and not book.missing:
        found.append("no pattern differed in enough pairs of games to be looked at, so nothing was tried")
    if "confirmation" in book.done:
        if not asked.tactics:
            found.append(f"{book.again} of these tried again under other dice, for they did well")
        rate = f"; of these at most {RATE:.0%} are false finds, on average"
        found.append(f"{len(book.cards)} confirmed{rate}" if book.cards else "none confirmed")
    if book.program:
        found.append(f"dice of seed {asked.seed}, program {book.program[:DIGITS]}")
    return found


def command(asked: Asked) -> str:
    """The command that makes a study, with its unusual settings.

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
    """What differs between games with the tactic and with its opposite: counts, and the share of games in which a clause
    applies."""
    found = [f"{one.what}: {number(one.figure)} a game" for one in card.why]
    if card.clauses:
        shares = [f"{one.clause} {one.share:.0%} ({one.without:.0%})" for one in card.clauses]
        found.append(
            f"share of games in which a clause applied (in brackets: with the opposite): {', '.join(shares)}"
        )
    return found


def finding(tactic: Tactic, effect: Effect, base: str) -> str:
    """The result of a confirmed tactic, in wins per hundred games: of always and of never doing its act."""
    kept, opposite = _change(effect.kept, effect.q_kept), _change(effect.opposite, effect.q_opposite)
    always, never = (kept, opposite) if tactic.rule == "always" else (opposite, kept)
    learn = f" {base[0].upper()}{base[1:]} could learn that." if gains(effect) else ""
    return f"Always: {always}. Never: {never}. Both compared with how {base} plays.{learn}"


def _change(figure: Figure, q: float) -> str:
    """What a change of play does to the base player's games."""
    if (figure.low or 0.0) <= 0 <= (figure.high or 0.0):
        return "no difference that could be measured"
    word = "gains" if figure.value > 0 else "costs"
    wins = plural(round(100 * abs(figure.value)), "win")
    return f"{'' if q <= RATE else 'perhaps '}{word} {wins} in 100 games"


def effect_words(effect: Effect, base: str) -> list[str]:
    """The effect of a tactic in a few lines."""
    return [
        f"kept to, compared with how {base} plays: {percent(effect.kept)}{_beats(effect, base)}",
        f"its opposite, compared with that: {percent(effect.opposite)}",
        f"kept to, compared with its opposite: {percent(effect.score)} chance to win, {number(effect.margin)} of the points in "
        f"reach; p {chance(effect.p)}, q {chance(effect.q)}; {effect.seeds} seeds, {effect.games} pairs of games",
        dose_words(effect),
    ]


def dose_words(effect: Effect) -> str:
    """How many questions a tactic applied to, and how often that mattered."""
    return (
        f"it applied in {effect.dosed:.0%} of the pairs, to {effect.bore:.1f} decisions a game; it changed the answer in "
        f"{effect.changed:.1f} of them, its opposite in {effect.opposite_changed:.1f}"
    )


def _beats(effect: Effect, base: str) -> str:
    """The words for a tactic that is seen, or seems, to be better or worse than the base player's own judgement."""
    low, high = effect.kept.low or 0.0, effect.kept.high or 0.0
    if low <= 0 <= high:
        return ""
    word = "better" if effect.kept.value > 0 else "worse"
    surely = "" if gains(effect) or costs(effect) else "perhaps "
    return f" (q {chance(effect.q_kept)}: {surely}{word} than {base}'s own judgement)"


def base_words(book: Book) -> str:
    """The base player, by its name if that is short."""
    return "the base player" if "," in book.asked.base else book.asked.base


def repeat_words(asked: Asked) -> str:
    """What the command of a card repeats, and how to ask for fresh games."""
    return f"plays the very games of the confirmation again; for fresh ones give another seed than --seed {asked.seed}"


def rest_heading(book: Book) -> str:
    """The heading of the tactics that are not confirmed."""
    return "Tried and not confirmed" if book.asked.tactics else "Tried again and not confirmed"


def counter_words(card: Card, asked: Asked) -> str:
    """The best response to a card, and how thorough the search for it was."""
    if card.counter is None:
        return "all games of its responses broke off" if asked.answered else "no response was tried"
    one = card.counter
    score, q = percent(one.effect.score), f"q {chance(one.effect.q)}"
    if one.seen:
        return f"{one.player}: {score} for whoever plays it, compared with the base player, {q}"
    found = f"none found: each response was played under {plural(asked.answered, 'seed')}"
    if (one.effect.score.high or 0.0) < 0:
        told = f"the best of them, {one.player}, still does worse against it than the base player"
        return f"{found}; {told}: {score} for whoever plays it, {q} when it was played again"
    told = f"the most promising, {one.player}, came to {score} for whoever plays it, compared with the base player"
    return f"{found}; {told}, {q} when it was played again"


def cycle_words(book: Book) -> str:
    """Whether the counters of a book form cycles, like rock, paper and scissors; "" if that was not examined: without responses,
    without two tactics of one scenario, or if no counter is confirmed."""
    scenarios = [card.scenario for card in book.cards]
    if not {"responses", "transfer"} <= set(book.done) or len(set(scenarios)) == len(scenarios):
        return ""
    found = counter_cycles(book.cards)
    told = [", ".join(f"{b} counters {a}" for a, b in pairwise((*one, one[0]))) for one in found]
    if told:
        return f"Cycles: {'; '.join(told)}."
    if not any(card.counter is not None and card.counter.seen for card in book.cards):
        return ""
    return "Cycles: none; no tactics here counter one another in a circle."


def moved_words(one: Moved) -> str:
    """A card in another scenario."""
    if one.effect is None or one.verdict == ABSENT:
        return f"{one.scenario} ({one.ruleset}): {ABSENT}"
    return f"{one.scenario} ({one.ruleset}): {one.verdict}, {percent(one.effect.score)}, q {chance(one.effect.q)}"


def side_words(card: Card) -> str:
    """The effect by side."""
    return ", ".join(
        f"{name} {percent(figure)}"
        for name, figure in zip(card.sides, card.effect.sides, strict=True)
        if figure is not None
    )


def _facts(book: Book, card: Card) -> list[str]:
    """What is known of a card, line by line."""
    told = [
        *effect_words(card.effect, base_words(book)),
        f"by side, compared with its opposite: {side_words(card)}",
    ]
    if card.found.turned:
        told.append("asked for was the opposite, which did harm")
    if "transfer" in book.done:
        told += [f"elsewhere: {moved_words(one)}" for one in card.transfer]
        told.append(f"counter: {counter_words(card, book.asked)}")
    told += [f"what differs from its opposite: {words}" for words in why_words(card)]
    return [*told, where_words(card)] if card.spots else told


def lines(book: Book, folder: str) -> list[str]:
    """The book for the terminal."""
    found = list(steps(book))
    for card in book.cards:
        found += ["", f"{card.number}. {card.words}", f"   {card.tactic}   ({card.scenario}, {card.ruleset})"]
        told = [finding(card.found.tactic, card.effect, base_words(book)), *_facts(book, card)]
        if card.game is not None:
            told.append(f"watch: battlesim watch {quote(f'{folder}/{card.game.record}')}")
        told.append(f"as an agent: card:{folder}/{card.number}")
        told.append(f"again: {card.repeat}")
        told.append(f"   ({repeat_words(book.asked)})")
        found += [f"   {words}" for words in told]
    if cycle_words(book):
        found += ["", cycle_words(book)]
    if book.rest:
        found += ["", f"{rest_heading(book)}:"]
        found += [f"   {rest_words(one)}" for one in book.rest]
    return found


def rest_words(one: Candidate) -> str:
    """A tactic that was not confirmed."""
    return f"{one.tactic.words()} `{one.tactic}` ({one.scenario}): {result_words(one.confirmed)}"


def result_words(effect: Effect | None) -> str:
    """The result of trying a tactic; doing nothing and never applying are not the same."""
    if effect is None:
        return "no whole game"
    if effect.dosed == 0:
        return f"never came up in {effect.games} pairs of games"
    return f"{percent(effect.score)} compared with its opposite, q {chance(effect.q)}; {dose_words(effect)}"


def markdown(
    book: Book, title: str, why: str = "", pictures: Mapping[int, Sequence[tuple[str, str]]] | None = None
) -> str:
    """The book as a page in Markdown. `why`: what the page is about, shown below its title. `pictures`: of cards by their number,
    each with its caption and its file."""
    base = base_words(book)
    parts = [f"# {title}", "", *([why, ""] if why else [])]
    if book.missing:
        parts += [f"**{book.missing}**", ""]
    parts += [
        f"- **{card.words}** {finding(card.found.tactic, card.effect, base)}{_held(card)}"
        for card in book.cards
    ]
    parts += [f"- {one.tactic.words()} Not confirmed." for one in book.rest]
    parts.append("")
    for card in book.cards:
        parts += [f"## {card.number}. {card.words}", ""]
        parts += [f"`{card.tactic}` in {card.scenario} ({card.ruleset})", ""]
        parts += [finding(card.found.tactic, card.effect, base), ""]
        parts += [f"- {words}" for words in _facts(book, card)]
        shown = [f"# {repeat_words(book.asked)}", card.repeat] + ([card.game.command] if card.game else [])
        shots = [f"![{caption}]({file})" for caption, file in (pictures or {}).get(card.number, ())]
        parts += ["", *([" ".join(shots), ""] if shots else []), "```sh", *shown, "```", ""]
    if cycle_words(book):
        parts += [cycle_words(book), ""]
    if book.rest:
        parts += [f"## {rest_heading(book)}", "", *[f"- {rest_words(one)}" for one in book.rest], ""]
    parts += ["## How it was found", "", "```sh", command(book.asked), "```", ""]
    parts += [*[f"- {words}" for words in steps(book)], ""]
    return "\n".join(parts)


def _held(card: Card) -> str:
    """In how many other scenarios a card holds, in words; "" if it was played in none."""
    played = [one for one in card.transfer if one.verdict != ABSENT]
    if not card.transfer:
        return ""
    holds, maybe = (sum(one.verdict == verdict for one in played) for verdict in (HOLDS, LIKELY))
    absent = len(card.transfer) - len(played)
    never = f"; it never comes up in {absent}" if absent else ""
    also = f", and perhaps in {maybe} more" if maybe else ""
    word = card.found.tactic.rule.capitalize()
    where = plural(len(played), "other scenario")
    return f' "{word}" holds in {holds} of {where} where it comes up{also}{never}.'
