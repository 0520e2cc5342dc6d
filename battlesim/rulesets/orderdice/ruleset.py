"""The order-dice ruleset as one record: chapters in rulebook order. Read `turn.py` first."""

from __future__ import annotations

from battlesim.core.answers import Confirm, Order, Pass
from battlesim.rules.contract import Ruleset, chapters_of
from battlesim.rules.victory import goals_in_reach
from battlesim.rulesets.orderdice import (
    ambush,
    assault,
    blunder,
    bunkers,
    check,
    collapse,
    estimates,
    features,
    flame,
    ground,
    guns,
    he,
    indirect,
    morale,
    move,
    observation,
    openings,
    react,
    reserves,
    set_up,
    shoot,
    strikes,
    support,
    tankfight,
    tanks,
    transports,
    turn,
    vehicles,
    victory,
)
from battlesim.rulesets.orderdice.data import FOLDER
from battlesim.rulesets.orderdice.incidents import INCIDENTS
from battlesim.rulesets.orderdice.judgement import Judgement
from battlesim.rulesets.orderdice.model import DOWN, BattleState, UnitState
from battlesim.rulesets.orderdice.tactical import TACTICAL

RULESET = Ruleset(
    name="orderdice",
    title="Order dice: platoon combat in built-up areas",
    version="1",
    folder=FOLDER,
    chapters=chapters_of(
        set_up,
        openings,
        reserves,
        turn,
        morale,
        blunder,
        move,
        shoot,
        he,
        indirect,
        flame,
        collapse,
        bunkers,
        react,
        ambush,
        assault,
        vehicles,
        tankfight,
        tanks,
        transports,
        guns,
        support,
        strikes,
        victory,
    ),
    own=UnitState,
    extra=BattleState,
    check=check.check,
    setup=set_up.setup,
    safe=(Pass(), Confirm(False), Order(DOWN)),
    observe=observation.observe,
    imagine=observation.imagine,
    features=features.features,
    worth=estimates.worth,
    faults=observation.faults,
    standing=victory.standing,
    reach=goals_in_reach,
    sight=ground.SIGHT,
    judgement=Judgement,
    incidents=INCIDENTS,
    tactical=TACTICAL,
)
