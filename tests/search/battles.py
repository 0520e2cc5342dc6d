"""Battles to play on, and the simplest policy."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from battlesim import Battle, KeyedDice, find_ruleset, first_state
from battlesim.core.answers import Answer
from tests.shipped import load


def battle_of(name: str, seed: int = 5) -> Battle:
    """A shipped scenario at its first question."""
    scenario = load(name)
    ruleset = find_ruleset(scenario.ruleset)
    return Battle(ruleset, scenario.board, first_state(scenario, seed), KeyedDice(seed))


def first(view: Any, board: Any, ask: Any, answers: Sequence[Answer]) -> Answer:
    """A policy: the first answer that is legal."""
    return answers[0]
