"""Features of answers under any ruleset, by a given judgement. Read `features` and `judgement`."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct

from battlesim.board.board import Board
from battlesim.core.answers import Answer
from battlesim.core.items import Ask
from battlesim.core.view import View
from battlesim.evaluation.parameters import Parameter, Weights, judgement_with, parameters_of
from battlesim.rules.contract import Features
from battlesim.rulesets.finder import find_ruleset


def features(
    view: View, board: Board, ask: Ask, answers: Sequence[Answer], judgement: Struct | None = None
) -> list[Features]:
    """The features of each answer, in their order, from what the view's side may know. `judgement`: parameters for the
    estimates, as the function `judgement` makes them; by default the rulebook's own."""
    ruleset = find_ruleset(view.ruleset)
    if judgement is None or ruleset.judgement is None:
        return ruleset.features(view, board, ask, answers)
    return ruleset.features(view, board, ask, answers, judgement)


def judgement(ruleset: str, **settings: float) -> Struct:
    """The judgement of a rulebook with some of its parameters set, as `judgement(view.ruleset, exposure=0.8)`. Raises
    InputError for an unknown rulebook or parameter, or a value out of range."""
    return judgement_with(find_ruleset(ruleset).judgement or Weights, settings)


def parameters(ruleset: str) -> tuple[Parameter, ...]:
    """The parameters of judgement that a rulebook declares: name, meaning, range, default."""
    return parameters_of(find_ruleset(ruleset).judgement or Weights)
