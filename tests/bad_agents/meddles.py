"""Plays at random and changes everything it is shown, as far as that can be changed."""

from __future__ import annotations

from contextlib import suppress
from typing import Any

from battlesim.core.answers import TargetUnit


class Agent:
    def start(self, board: Any, side: int, chance: Any) -> None:
        self.chance = chance

    def choose(self, view: Any, ask: Any, answers: Any) -> Any:
        said = answers[self.chance.below(len(answers))]
        for structure in view.structures.values():
            with suppress(TypeError):
                structure.own["shells"] = 1_000
        for event in view.news:
            for name in ("own", "extra"):
                fields = getattr(event, name, None)
                if isinstance(fields, dict):
                    with suppress(TypeError):
                        fields.update(pins=99, models=0, acted=True)
        view.units.clear()
        view.structures.clear()
        view.points = (100, 100)
        if isinstance(answers, list):
            answers[:] = [TargetUnit(0)]
        return said
