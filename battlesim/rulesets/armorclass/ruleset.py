"""The armour-class ruleset as one record: chapters in rulebook order. Read `turn.py` first."""

from __future__ import annotations

from battlesim.core.answers import Order, Pass
from battlesim.rules.contract import Chapter, Ruleset
from battlesim.rulesets.armorclass import (
    assault,
    blaze,
    check,
    damage,
    deploy,
    engineer,
    features,
    flames,
    hide,
    indirect,
    morale,
    move,
    observation,
    setup,
    shoot,
    turn,
    victory,
    works,
    wounds,
)
from battlesim.rulesets.armorclass.data import FOLDER
from battlesim.rulesets.armorclass.model import ANSWERS, STAND, Extra, Own

CHAPTERS: tuple[Chapter, ...] = (
    works.CHAPTER,
    deploy.CHAPTER,
    turn.CHAPTER,
    hide.CHAPTER,
    move.CHAPTER,
    shoot.CHAPTER,
    indirect.CHAPTER,
    wounds.CHAPTER,
    damage.CHAPTER,
    engineer.CHAPTER,
    blaze.CHAPTER,
    flames.CHAPTER,
    assault.CHAPTER,
    morale.CHAPTER,
    victory.CHAPTER,
)

RULESET = Ruleset(
    name="armorclass",
    title="Armour classes: fortifications, penetration and fire",
    version="1",
    folder=FOLDER,
    chapters=CHAPTERS,
    own=Own,
    extra=Extra,
    check=check.check,
    setup=setup.setup,
    safe=(Pass(), Order(STAND)),
    observe=observation.observe,
    imagine=observation.imagine,
    features=features.features,
    faults=observation.faults,
    standing=victory.standing,
    reach=victory.reach,
    sight=hide.SIGHT,
    turns=8,
    answers=ANSWERS,
)
