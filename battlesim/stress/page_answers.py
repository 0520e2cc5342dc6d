"""The first answers on the page of a stress test, in words: what decides, what favours a side, who wins. Read `answers`."""

from __future__ import annotations

from math import isfinite

from msgspec import Struct

from battlesim.stress.analysis import ResponseFound, StressFound, effect_words
from battlesim.stress.designs import MORRIS_LEVELS
from battlesim.stress.effects import strongest
from battlesim.stress.plan import Design
from battlesim.viewer.report_words import names

STEP = MORRIS_LEVELS / (2 * (MORRIS_LEVELS - 1))
"""The share of a factor's range that a step of a walk covers."""


class Answer(Struct, frozen=True):
    """A question that the page answers first. `tone`: "care" if it needs attention."""

    question: str
    answer: str
    details: tuple[str, ...] = ()
    tone: str = ""


def answers(design: Design, found: StressFound) -> list[Answer]:
    """The questions that a designer asks first, with answers."""
    share = next((response for response in found.responses if response.response == "share"), None)
    if share is None or not found.games:
        return [Answer("What decides it?", "No game has been played yet.")]
    if design.design == "morris":
        told = [_by_morris(found), _where(design, found), _fair(design, share)]
    else:
        told = [_decides(design, share), _where(design, found), _fair(design, share), _unseen(share)]
    return [answer for answer in told if answer is not None]


def _decides(design: Design, share: ResponseFound) -> Answer:
    shown = strongest(share.effects)
    if not shown and is_unknown(share):
        return Answer("What decides it?", "Too few games are there to tell.")
    if not shown:
        return Answer(
            "What decides it?", "Nothing that these games could show: every effect on the share may be luck."
        )
    side = design.sides[0]
    best = next((effect for effect in shown if not effect.other), shown[0])
    said = f"Most of all {effect_words(best)}: {side} won {_points(best.change)}."
    others = tuple(
        f"{effect_words(effect)}: {_points(effect.change, bool(effect.other))} "
        f"{span_of(effect.low, effect.high, True, True)}"
        for effect in shown[:6]
        if effect is not best
    )
    return Answer("What decides it?", said, others)


def _by_morris(found: StressFound) -> Answer:
    walks = [index for index in found.sensitivity if index.response == "share" and index.mu_star is not None]
    walks.sort(key=lambda index: -(index.mu_star or 0.0))
    if not walks:
        return Answer(
            "What decides it?", "Not known: games are missing, or none came out otherwise than the rest."
        )
    # mu* is scaled to the whole range: for one step, limit it to the possible.
    details = tuple(
        f"{index.factor}: {100 * STEP * (index.mu_star or 0.0):.0f} games in a hundred, give or take "
        f"{100 * STEP * (index.mu_star_error or 0.0):.0f}, by a step of two thirds of its range"
        for index in walks
    )
    luck = "Luck alone moves the share, too: factors with about the least of these may do nothing."
    return Answer("What decides it?", f"Most of all {walks[0].factor}, by Morris’ mu*.", (*details[:6], luck))


def _points(change: float, together: bool = False) -> str:
    games = abs(100 * change)
    than = " than the two would add up to" if together else ""
    return f"{games:.0f} games in a hundred {'more' if change > 0 else 'fewer'}{than}"


def _where(design: Design, found: StressFound) -> Answer | None:
    if len(found.boxes) < 2:
        return None
    side, best, worst = design.sides[0], found.boxes[0], found.boxes[-1]
    return Answer(
        "Which combinations favour each side?",
        f"{side} did best {_at(best.words)}: {best.mean:.0%} {percent_span(best.low, best.high)}, "
        f"{best.space:.0%} of the space.",
        (
            f"And worst {_at(worst.words)}: {worst.mean:.0%} {percent_span(worst.low, worst.high)}, {worst.space:.0%}.",
        ),
    )


def _at(words: str) -> str:
    return words if words.startswith(("with ", "without ")) else f"with {words}"


def _fair(design: Design, share: ResponseFound) -> Answer:
    said = f"{design.sides[0]} took {share.mean:.0%} of the games over all points {percent_span(share.low, share.high)}."
    details = []
    if isfinite(share.points_part):
        details.append(
            f"Of the variance of a game the factors make {share.points_part:.0%}, the common dice {share.dice_part:.0%}."
        )
    return Answer("Who wins?", said.replace(" .", "."), tuple(details))


def _unseen(share: ResponseFound) -> Answer | None:
    quiet = [effect for effect in share.effects if not effect.is_shown and not effect.other]
    # An interval that excludes zero is no sign of no difference; it is in the table.
    known = [effect for effect in quiet if effect.unseen > 0 and effect.low <= 0 <= effect.high]
    if not known:
        return None
    largest = max(effect.unseen for effect in known)
    shown = list(dict.fromkeys(effect_words(effect) for effect in known))
    return Answer(
        "What could these games not show?" if largest == float("inf") else "What made no difference?",
        f"No effect was shown for {names(shown)}.",
        (
            f"Changes of {100 * largest:.0f} games in a hundred or more would probably have been seen, smaller ones not."
            if isfinite(largest)
            else "These games are too few to see any change in one of them.",
        ),
    )


# ---- numbers in words


def is_unknown(response: ResponseFound) -> bool:
    """Whether no effect on a response has an interval."""
    return not any(isfinite(effect.low) for effect in response.effects)


def amount(value: float | None, is_share: bool, sign: bool = False) -> str:
    """A value or a change of a response: shares, or differences of two, in percent, all others unchanged."""
    if value is None or not isfinite(value):
        return "–"
    plus = "+" if sign and value > 0 else ""
    text = f"{100 * value:.1f}%" if is_share else f"{value:.3g}"
    return f"{plus}{text}".replace("-", "\u2212")


def span_of(low: float, high: float, is_share: bool, sign: bool = False) -> str:
    """An interval of a response in brackets; empty if it is not known."""
    if not (isfinite(low) and isfinite(high)):
        return ""
    return f"[{amount(low, is_share, sign)}, {amount(high, is_share, sign)}]"


def percent_span(low: float, high: float) -> str:
    """An interval of shares in whole percent; empty if it is not known."""
    return f"[{100 * low:z.0f}, {100 * high:z.0f}]" if isfinite(low) and isfinite(high) else ""
