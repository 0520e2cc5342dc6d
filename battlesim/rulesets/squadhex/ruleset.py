"""The squad-and-hex ruleset as one record: chapters in rulebook order. Read `turn.py` first."""

from __future__ import annotations

from battlesim.core.answers import Confirm, Order, Pass
from battlesim.rules.contract import Ruleset, chapters_of
from battlesim.rulesets.squadhex import (
    area,
    assault,
    attack,
    buildings,
    casualties,
    check,
    collapse,
    concentrate,
    contenders,
    declare,
    estimates,
    fire,
    glance,
    ground,
    morale,
    move,
    observation,
    react,
    set_up,
    turn,
    victory,
)
from battlesim.rulesets.squadhex.data import FOLDER, TYPES
from battlesim.rulesets.squadhex.incidents import INCIDENTS
from battlesim.rulesets.squadhex.judgement import Judgement
from battlesim.rulesets.squadhex.model import HOLD, OPPORTUNITY, BattleState, UnitState
from battlesim.rulesets.squadhex.tactical import TACTICAL

RULESET = Ruleset(
    name="squadhex",
    title="Squads and hexes: firepower dice and destructible buildings",
    version="1",
    folder=FOLDER,
    chapters=chapters_of(
        set_up,
        turn,
        ground,
        move,
        fire,
        attack,
        casualties,
        morale,
        concentrate,
        declare,
        react,
        buildings,
        area,
        collapse,
        assault,
        victory,
    ),
    own=UnitState,
    extra=BattleState,
    section={"closed": bool, "weakened": bool},
    check=check.check,
    setup=set_up.setup,
    safe=(Pass(), Confirm(False), Order(HOLD), Order(OPPORTUNITY)),
    observe=observation.observe,
    imagine=observation.imagine,
    features=contenders.JUDGE.features,
    scores=contenders.JUDGE.scores,
    glance=glance.glance,
    worth=estimates.worth,
    judgement=Judgement,
    faults=observation.faults,
    standing=victory.standing,
    reach=victory.reach,
    turns=BattleState().turns,
    incidents=INCIDENTS,
    tactical=TACTICAL,
    types=tuple(TYPES),
    options=set_up.Options,
)
