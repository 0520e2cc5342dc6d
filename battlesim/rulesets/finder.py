"""Rulesets by name."""

from __future__ import annotations

from importlib import import_module

from battlesim.core.errors import Fault, InputError, did_you_mean
from battlesim.rules.contract import Ruleset

RULESETS: tuple[str, ...] = ("orderdice", "squadhex", "armorclass", "regiment")
"""The rulesets that ship; each is a package of this one with a `ruleset` module."""


def find_ruleset(name: str) -> Ruleset:
    """The ruleset of that name. Raises InputError with the known names where there is none."""
    if name not in RULESETS:
        raise InputError(Fault(f"unknown ruleset {name!r}", did_you_mean(name, RULESETS)))
    ruleset: Ruleset = import_module(f"battlesim.rulesets.{name}.ruleset").RULESET
    return ruleset
