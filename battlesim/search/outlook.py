"""Features of answers under any ruleset and a given judgement. Read `features`, `top_scores` and `judgement`."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from msgspec import Struct

from battlesim.board.board import Board
from battlesim.core.answers import Answer
from battlesim.core.errors import Fault, InputError, did_you_mean
from battlesim.core.items import Ask
from battlesim.core.view import View
from battlesim.evaluation.parameters import Parameter, Weights, judgement_with, parameters_of, weights_of
from battlesim.rules.contract import Features, weigh
from battlesim.rulesets.finder import RULESETS, find_ruleset


def features(
    view: View, board: Board, ask: Ask, answers: Sequence[Answer], judgement: Struct | None = None
) -> list[Features]:
    """The features of each answer, in their order, from what the view's side may know. `judgement`: parameters for the
    estimates, as the function `judgement` makes them; by default the rulebook's own. Raises InputError for a judgement of
    another rulebook."""
    ruleset = find_ruleset(view.ruleset)
    return ruleset.features(view, board, ask, answers, *_given(view.ruleset, ruleset.judgement, judgement))


def top_scores(
    view: View, board: Board, ask: Ask, answers: Sequence[Answer], judgement: Struct | None = None
) -> list[float]:
    """The score of each answer that may be the best: what its `features` weigh under the judgement's own weights. Others may be
    -inf, as a rulebook need not judge in full what a bound rules out; the highest score and those equal to it are always right.
    For players that only want the best answer. `judgement`: as for `features`; raises InputError as it does."""
    ruleset = find_ruleset(view.ruleset)
    given = _given(view.ruleset, ruleset.judgement, judgement)
    if ruleset.scores is not None:
        return ruleset.scores(view, board, ask, answers, *given)
    weights = weights_of(judgement or (ruleset.judgement or Weights)())
    return [weigh(found, weights) for found in ruleset.features(view, board, ask, answers, *given)]


def _given(ruleset: str, fitting: type[Struct] | None, judgement: Struct | None) -> tuple[Struct, ...]:
    """The judgement to hand to a rulebook's estimates: none where none was given, or where the rulebook has none of its own."""
    if judgement is None or fitting is None:
        return ()
    if not isinstance(judgement, fitting):
        what = f"{judgement!r:.60} is not a judgement of {ruleset}"
        raise InputError(Fault(what, f"make one: judgement({ruleset!r}, exposure=0.8)"))
    return (judgement,)


def judgement(ruleset: str, **settings: float) -> Struct:
    """The judgement of a rulebook with some of its parameters set, as `judgement(view.ruleset, exposure=0.8)`. Raises
    InputError for an unknown rulebook or parameter, or a value out of range."""
    return judgement_with(find_ruleset(ruleset).judgement or Weights, settings)


def parameters(ruleset: str) -> tuple[Parameter, ...]:
    """The parameters of judgement that a rulebook declares: name, meaning, range, default."""
    return parameters_of(find_ruleset(ruleset).judgement or Weights)


def check_settings(settings: Mapping[str, float], others: Iterable[str] = ()) -> None:
    """Refuse parameters of judgement that no shipped rulebook has, and values out of range. `others`: the agent's other
    parameters, which may have been meant. Raises InputError."""
    known = {ruleset: {one.name for one in parameters(ruleset)} for ruleset in RULESETS}
    for name in settings:
        if not any(name in names for names in known.values()):
            every = dict.fromkeys(one.name for ruleset in RULESETS for one in parameters(ruleset))
            raise InputError(Fault(f"no parameter {name!r}", did_you_mean(name, [*others, *every])))
    for ruleset, names in known.items():
        judgement(ruleset, **{name: settings[name] for name in settings if name in names})
