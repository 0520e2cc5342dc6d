"""The regiment ruleset as one record: chapters in rulebook order. Read `turn.py` first."""

from __future__ import annotations

from battlesim.core.answers import Confirm, Order, Pass
from battlesim.rules.contract import Ruleset, chapters_of
from battlesim.rulesets.regiment import (
    charge,
    check,
    contenders,
    engines,
    enter,
    estimates,
    fight,
    fire,
    glance,
    ground,
    morale,
    move,
    observation,
    result,
    rooms,
    rout,
    set_up,
    turn,
    victory,
)
from battlesim.rulesets.regiment.data import FOLDER, TYPES
from battlesim.rulesets.regiment.incidents import INCIDENTS
from battlesim.rulesets.regiment.judgement import Judgement
from battlesim.rulesets.regiment.model import BattleState, UnitState
from battlesim.rulesets.regiment.move import HOLD
from battlesim.rulesets.regiment.tactical import TACTICAL

RULESET = Ruleset(
    name="regiment",
    title="Regiments: garrisons, sieges and rank-and-file battle",
    version="1",
    folder=FOLDER,
    chapters=chapters_of(
        set_up, rooms, turn, charge, move, enter, morale, fire, engines, fight, result, rout, victory
    ),
    own=UnitState,
    extra=BattleState,
    section={"closed": bool, "unstable": tuple[int, ...]},
    check=check.check,
    setup=set_up.setup,
    safe=(Pass(), Confirm(False), Order(HOLD)),
    observe=observation.observe,
    imagine=observation.imagine,
    features=contenders.JUDGE.features,
    scores=contenders.JUDGE.scores,
    glance=glance.glance,
    judgement=Judgement,
    worth=estimates.worth_left,
    faults=observation.faults,
    standing=victory.standing,
    reach=victory.reach,
    sight=ground.SIGHT,
    incidents=INCIDENTS,
    tactical=TACTICAL,
    types=tuple(TYPES),
    options=set_up.Options,
)
