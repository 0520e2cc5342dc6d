"""What agents thought, in a player's words: what an act is expected to do, what it costs, what came second and why.

Words for features are in the table `[term]` of `story.toml`. Read `told_thought`.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from textwrap import wrap
from typing import Any

from battlesim.core.answers import Answer, Face, Pass, format_answer
from battlesim.core.items import Ask
from battlesim.search.reasons import (
    ExpectedAct,
    Loss,
    Reason,
    Thought,
    differences,
    is_cost,
    is_pick,
    main_parts,
)
from battlesim.viewer.context import Names
from battlesim.viewer.questions import Phrases
from battlesim.viewer.wording import Wording, agree, printable

MARGIN = " " * 6
WIDTH = 110
MOST = 3
"""The most units, sections or features in one sentence."""
HOLD = "hold fire"
"""The words for not firing."""
STAY = "stay"
"""The word for not moving."""
STILL = ("fire", HOLD, "stand")
"""The first words of acts without a move. Whether the unit then stays or goes is told apart."""


def told_thought(thought: Thought, names: Names, wording: Wording, headed: bool) -> Iterator[str]:
    """The lines of one thought. An answer that only continues an act as ordered has none; the order of a unit that was just
    chosen has its reasons. `headed`: the choice of that unit was reported directly before, so neither the question nor the unit
    is repeated."""
    if not thought.acts:
        return
    ask, best, act = thought.ask, thought.rows[0], thought.acts[0]
    if is_pick(ask) and not act.losses and all(isinstance(said, Pass) for _, said in act.steps[1:]):
        return  # it only waits to be next
    said: list[str] = []
    headed = headed and thought.foreseen
    if not headed:
        asked = Phrases(names, wording).question(type(ask).__name__, _fields(ask))
        said = [f"{_capital(asked)} {_capital(_act(act, names, wording))}."]
    if not thought.foreseen:
        aimed = (
            type(act.steps[-1][1]).__name__ == "TargetUnit" and type(act.steps[-1][0]).__name__ == "AtWhom"
        )
        said += told_expected(act, _actor(ask, best.answer), names, wording, aimed)
    if best.chance or not is_pick(ask):
        said += _judged(best, wording, "For this act" if headed else "For it")
    yield from _wrapped(said, "  " * headed)
    if len(thought.rows) > 1:
        yield from _wrapped(_passed_over(thought, names, wording, headed), "  ")


def _wrapped(sentences: Sequence[str], more: str = "") -> list[str]:
    indent = MARGIN + more
    text = printable(" ".join(sentences))
    return wrap(text, WIDTH, initial_indent=indent, subsequent_indent=indent + "  ")


def _fields(value: Any) -> dict[str, Any]:
    return {name: getattr(value, name) for name in value.__struct_fields__}


def _actor(ask: Ask, answer: Answer) -> int:
    """The unit that a question is about, or that has just been chosen to act; -1 for none."""
    return int(getattr(ask, "unit", -1)) if hasattr(ask, "unit") else int(getattr(answer, "unit", -1))


def _act(act: ExpectedAct, names: Names, wording: Wording) -> str:
    """An act with its unit: "Rifles 2: advance, go to the yard, fire at the gun"."""
    (ask, answer), *rest = act.steps
    # Turning is part of moving, and not mentioned unless the question is about it or it is all that the unit does.
    steps = [(ask, answer), *([(a, b) for a, b in rest if not isinstance(b, Face)] or rest)]
    phrases = Phrases(names, wording)
    words = [phrases.act(type(a).__name__, _fields(a), format_answer(b)) for a, b in steps]
    actor = _actor(ask, answer)
    # The question names the unit, unless it asks for it.
    if actor < 0 or not is_pick(ask):
        return _joined(words)
    return f"{names.unit(actor)}: {_joined(words[1:])}" if words[1:] else names.unit(actor)


def _joined(words: Sequence[str]) -> str:
    """Steps as one phrase: `advance and fire`, `go to the yard`, `fire at the gun` are "advance to the yard and fire at the gun",
    and `fire`, `fire at the gun` is "fire at the gun"; `fire`, `hold fire`, `go to the yard` are "hold fire, then go to the
    yard"; `advance`, `stay` are "advance in place". Where one part of a unit holds its fire and the next does not, the fire is
    told; what is said twice is told once."""
    told: list[str] = []
    for word in words:
        last = told[-1] if told else ""
        if word == last:
            continue
        if word == HOLD and last.endswith(" and fire"):
            told[-1:] = [last.removesuffix(" and fire"), word]
        elif word == HOLD and last in ("fire", HOLD):
            told[-1] = word
        elif last and word.startswith("go to ") and (last.startswith("fire") or last == HOLD):
            told.append(f"then {word}")
        elif last and (word.startswith("go to ") or (word == STAY and not last.startswith(STILL))):
            verb, and_, rest = last.partition(" and ")
            told[-1] = f"{verb}{' in place' if word == STAY else word[2:]}{and_}{rest}"
        elif last == HOLD and word.startswith("fire at "):
            told[-1] = word
        elif last == word.partition(" ")[0] or last.endswith(f" and {word.partition(' ')[0]}"):
            told[-1] = last + word[len(word.partition(" ")[0]) :]
        elif last.startswith("fire at ") and word.startswith("fire at "):
            if word[8:] not in last:  # parts of a unit may fire at the same target
                told[-1] = last + "," + word[7:]
        else:
            told.append(word)
    return ", ".join(told)


def told_expected(
    act: ExpectedAct, actor: int, names: Names, wording: Wording, aimed: bool = False
) -> list[str]:
    """What an act is expected to do to men and buildings. `aimed`: it fires, so report
    also that it did no harm in any sample."""
    unit = names.find_unit(actor)
    side = unit.side if unit else -1
    mine = [loss for loss in act.losses if (known := names.find_unit(loss.unit)) and known.side == side]
    theirs = [loss for loss in act.losses if loss not in mine]
    found = [_loss(loss, names, wording) for loss in theirs[:MOST]]
    found += [f"{names.named('section', n)} to fall ({share:.0%})" for n, share in act.falls[:MOST]]
    found += [f"{names.named('section', n)} to catch fire ({share:.0%})" for n, share in act.fires[:MOST]]
    cost = [_loss(loss, names, wording, risked=True) for loss in mine[:MOST]]
    if not found and aimed:
        found = ["hardly any loss of the enemy in the act"]  # none in so few samples is not none
    told = [f"Expects {'; '.join(found)}."] if found else []
    return told + ([f"Risks that {'; '.join(cost)}."] if cost else [])


def _loss(loss: Loss, names: Names, wording: Wording, risked: bool = False) -> str:
    """The expected losses of a unit: "Rifles 2 to lose 1.4 of 6 men (lost in 12%)", "the gun to be lost (30%)". `risked`: as in
    "Rifles 2 lose 1.4 of 6 men", "the gun is lost"."""
    name = names.unit(loss.unit)
    be, lose = (agree(name, "is"), agree(name, "loses")) if risked else ("to be", "to lose")
    if loss.models <= 1 or round(loss.lost, 1) >= loss.models:
        return f"{name} {be} lost ({loss.out:.0%})"
    out = f" (lost in {loss.out:.0%})" if loss.out >= 0.005 else ""
    lost = f"{loss.lost:.1f}" if loss.lost >= 0.05 else "hardly one"
    return f"{name} {lose} {lost} of {loss.models} {wording.terms.get('models', 'men')}{out}"


def _judged(best: Reason, wording: Wording, opening: str) -> list[str]:
    """The reasons for and against an answer, those for it behind the words of `opening`; for a thinker, how often it wins."""
    if best.chance:
        if not best.samples:
            return []
        greedy = ", which greedy would do" if best.usual else ""
        return [f"Wins {best.score:.0f}% of the battles it imagines ({best.samples}){greedy}."]
    rows = main_parts(best)
    gains = _points([row for row in rows if row[1] > 0], wording)
    costs = _points([row for row in rows if row[1] < 0], wording)
    told = [f"{opening}: {gains}."] if gains else []
    return told + ([f"Against it: {costs}."] if costs else [])


def _points(rows: Sequence[tuple[str, float]], wording: Wording) -> str:
    """Features with their points: "harm done 40, objectives held 12", "own losses 5 less" where fewer are expected than
    otherwise."""
    return ", ".join(
        f"{wording.terms.get(name, name)} {_number(abs(part))}{' less' if (part < 0) != is_cost(name) else ''}"
        for name, part in rows[:MOST]
    )


def _differ(rows: Sequence[tuple[str, float]], wording: Wording) -> str:
    """How features differ: "harm done 28 less, own losses 5 more"."""
    return ", ".join(
        f"{wording.terms.get(name, name)} {_number(abs(part))} {'less' if (part < 0) != is_cost(name) else 'more'}"
        for name, part in rows[:MOST]
    )


def _number(points: float) -> str:
    return f"{points:.0f}" if abs(points) >= 9.5 else f"{points:.1f}"


def _passed_over(thought: Thought, names: Names, wording: Wording, headed: bool) -> list[str]:
    """The second-best act, and why it was not chosen. Where a unit was chosen first (`headed`), another unit and another act of
    the chosen one are told below each other, so each says which it is."""
    (best, second), act = thought.rows[:2], thought.acts[1]
    what = _act(act, names, wording)
    gap = best.score - second.score
    if best.chance:
        usual = ", as greedy would" if second.usual else ""
        if gap >= 0.5:
            behind = f"{gap:.0f} less"
        else:
            behind = f"{-gap:.0f} more, but not surely" if gap <= -0.5 else "as often"
        told = [f"Second: {what}{usual}. Wins {second.score:.0f}%, {behind}."]
        return told + told_expected(act, _actor(thought.ask, second.answer), names, wording)
    if gap < 0.05:
        return [f"As good: {what}."]
    if is_pick(thought.ask):
        return [f"Another unit: {what}. It gains {_number(gap)} less by going now."]
    rows = differences(best, second)
    worse = _differ([row for row in rows if row[1] < 0], wording)
    better = _differ([row for row in rows if row[1] > 0], wording)
    why = f": {worse}" if worse else ""
    though = f"; though {better}" if better else ""
    return [f"{'Another act' if headed else 'Second'}: {what}. It is worth {_number(gap)} less{why}{though}."]


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]
