"""Quick estimates of engine shots wherever the engine stands: for judging many places (see `expected_engines.py`)."""

from __future__ import annotations

from battlesim.core.memo import memo
from battlesim.rulesets.regiment.data import TYPES
from battlesim.rulesets.regiment.expected import hit_tells

HITS = {"cannon": 0.6, "stone": 0.35}
"""A rough chance that a shot hits the building it is aimed at."""


@memo(bound=8_192)
def engine_wounds(way: str, target: str, models: int, ranks: int, inside: bool) -> float:
    """A rough number of wounds from one engine shot; `ranks`: of the target; `inside`: it is in a building."""
    foe = TYPES[target]
    if way == "cannon":
        chance = 0.8 if inside else 0.5
        hits = min(models, 2 if inside else ranks)
        return chance * hits * hit_tells(10, target) * min(2, foe.w)
    if way == "bolt":
        return 0.4 * (min(models, 2.2) if foe.w == 1 else 0.8)
    if way == "stone":
        under = 5 if inside else max(1, 9 * 80 // foe.base)
        return 0.4 * min(models, under) * hit_tells(4, target)
    under = 8 if inside else max(1, 8 * 80 // foe.base)
    chance = 0.6 if way == "flame" else 1.0
    return chance * min(models, under) * hit_tells(5 if way == "flame" else 4, target)
