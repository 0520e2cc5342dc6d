"""What tests of fuzzing share."""

from __future__ import annotations

import pytest

from battlesim.rulesets.finder import RULESETS
from battlesim.stress.fuzz_scenarios import Vocabulary, vocabulary_of


@pytest.fixture(scope="module")
def words() -> dict[str, Vocabulary]:
    """The vocabulary of every shipped rulebook."""
    return {name: vocabulary_of(name) for name in RULESETS}
