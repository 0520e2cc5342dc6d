"""Gangs in alleys as one record. Read `turn.py` first."""

from __future__ import annotations

from battlesim.rules.contract import Ruleset, chapters_of
from battlesim.rules.victory import goals_in_reach

from . import ending, fight, setup, sight, turn
from .model import FOLDER, BattleState, UnitState

RULESET = Ruleset(
    name="alleys",
    title="Gangs in alleys: stones and nerve",
    version="3",
    folder=FOLDER,
    chapters=chapters_of(setup, turn, fight, ending),
    own=UnitState,
    extra=BattleState,
    check=setup.check,
    setup=setup.setup,
    observe=sight.observe,
    imagine=sight.imagine,
    features=sight.features,
    faults=sight.faults,
    standing=ending.ENDING.standing,
    reach=goals_in_reach,
)
