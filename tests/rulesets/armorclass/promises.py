"""What players of armour classes are promised at a question, and what they make of a position."""

from __future__ import annotations

from battlesim.core.answers import Answer
from battlesim.evaluation.parameters import weights_of
from battlesim.rules.contract import Features
from battlesim.rulesets.armorclass import observation
from battlesim.rulesets.armorclass.appraisal import Appraisal
from battlesim.rulesets.armorclass.contenders import JUDGE
from battlesim.rulesets.armorclass.judgement import USUAL
from tests.rulesets.armorclass.kit import Table


def promised(table: Table) -> dict[Answer, Features]:
    """The features of each answer to the question that is asked."""
    assert table.ask is not None
    view = observation.observe(table.state, table.board, table.ask.side, ())
    return dict(zip(table.legal, JUDGE.features(view, table.board, table.ask, table.legal), strict=True))


def appraisal(table: Table) -> Appraisal:
    """The first side's position."""
    return Appraisal(
        observation.observe(table.state, table.board, 0, ()), table.board, USUAL, weights_of(USUAL)
    )
