"""The armour-class ruleset as one record: chapters in rulebook order. Read `turn.py` first."""

from __future__ import annotations

from battlesim.core.answers import Order, Pass
from battlesim.rules.contract import Ruleset, chapters_of
from battlesim.rules.victory import goals_in_reach
from battlesim.rulesets.armorclass import (
    assault,
    blaze,
    casualties,
    check,
    concealment,
    contenders,
    damage,
    deployment,
    engineer,
    flames,
    glance,
    indirect,
    morale,
    move,
    observation,
    quick_look,
    set_up,
    shoot,
    turn,
    victory,
    works,
)
from battlesim.rulesets.armorclass.data import FOLDER, QUALITIES, TYPES
from battlesim.rulesets.armorclass.incidents import INCIDENTS
from battlesim.rulesets.armorclass.judgement import Judgement
from battlesim.rulesets.armorclass.model import ANSWERS, STAND, BattleState, UnitState
from battlesim.rulesets.armorclass.options import OptionsSpec
from battlesim.rulesets.armorclass.tactical import TACTICAL

RULESET = Ruleset(
    name="armorclass",
    title="Armour classes: fortifications, penetration and fire",
    version="1",
    folder=FOLDER,
    chapters=chapters_of(
        works,
        deployment,
        turn,
        concealment,
        move,
        shoot,
        indirect,
        casualties,
        damage,
        engineer,
        blaze,
        flames,
        assault,
        morale,
        victory,
    ),
    own=UnitState,
    extra=BattleState,
    section=works.KEPT,
    check=check.check,
    setup=set_up.setup,
    safe=(Pass(), Order(STAND)),
    observe=observation.observe,
    imagine=observation.imagine,
    features=contenders.JUDGE.features,
    scores=contenders.JUDGE.scores,
    glance=glance.glance,
    aimed=2,
    judgement=Judgement,
    worth=quick_look.worth,
    faults=observation.faults,
    standing=victory.standing,
    reach=goals_in_reach,
    sight=concealment.SIGHT,
    turns=8,
    answers=ANSWERS,
    incidents=INCIDENTS,
    tactical=TACTICAL,
    types=tuple(TYPES),
    qualities=tuple(QUALITIES),
    options=OptionsSpec,
)
