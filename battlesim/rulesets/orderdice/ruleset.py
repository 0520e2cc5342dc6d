"""The order-dice ruleset as one record: chapters in rulebook order. Read `turn.py` first."""

from __future__ import annotations

from battlesim.core.answers import Order, Pass, Say
from battlesim.rules.contract import Chapter, Ruleset
from battlesim.rulesets.orderdice import (
    ambush,
    assault,
    blunder,
    bunkers,
    check,
    collapse,
    deploy,
    features,
    flame,
    ground,
    guns,
    he,
    indirect,
    morale,
    move,
    observation,
    react,
    setup,
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
from battlesim.rulesets.orderdice.judgement import Judgement
from battlesim.rulesets.orderdice.model import DOWN, Extra, Own

CHAPTERS: tuple[Chapter, ...] = (
    setup.CHAPTER,
    deploy.CHAPTER,
    turn.CHAPTER,
    morale.CHAPTER,
    blunder.CHAPTER,
    move.CHAPTER,
    shoot.CHAPTER,
    he.CHAPTER,
    indirect.CHAPTER,
    flame.CHAPTER,
    collapse.CHAPTER,
    bunkers.CHAPTER,
    react.CHAPTER,
    ambush.CHAPTER,
    assault.CHAPTER,
    vehicles.CHAPTER,
    tankfight.CHAPTER,
    tanks.CHAPTER,
    transports.CHAPTER,
    guns.CHAPTER,
    support.CHAPTER,
    strikes.CHAPTER,
    victory.CHAPTER,
)

RULESET = Ruleset(
    name="orderdice",
    title="Order dice: platoon combat in built-up areas",
    version="1",
    folder=FOLDER,
    chapters=CHAPTERS,
    own=Own,
    extra=Extra,
    check=check.check,
    setup=setup.setup,
    safe=(Pass(), Say(False), Order(DOWN)),
    observe=observation.observe,
    imagine=observation.imagine,
    features=features.features,
    faults=observation.faults,
    standing=victory.standing,
    reach=victory.reach,
    sight=ground.SIGHT,
    judgement=Judgement,
)
