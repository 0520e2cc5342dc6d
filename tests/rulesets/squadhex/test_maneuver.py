"""Moves that cannot win are passed over, and the answer is the same as if all were judged."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from battlesim import load_scenario
from battlesim.cli.bench import halfway
from battlesim.core.state import Unit
from battlesim.evaluation.parameters import weights_of
from battlesim.rules.contract import Features, best_of, weigh
from battlesim.rulesets.squadhex import maneuver, move
from battlesim.rulesets.squadhex.appraisal import Appraisal
from battlesim.rulesets.squadhex.judgement import Judgement
from battlesim.rulesets.squadhex.model import ADVANCE, ADVANCE_FIRE

JUDGEMENTS = (
    Judgement(),
    Judgement(prospect=0.5),
    Judgement(exposure=0.0, taken=3.0),
    Judgement(dealt=4.0, progress=0.0),
)


def every_move(s: Appraisal, unit: Unit, action: str) -> Features:
    """The best move by judging every place that scores high on objectives."""
    places, ahead = move.reach(s.state, s.board, unit, action), s.prospects

    def score(place: int) -> float:
        return s.weights.progress * ahead.progress(unit, place) + s.weights.hold * ahead.hold(unit, place)

    drawn = sorted(((score(place), -place) for place in places), reverse=True)[: maneuver.CLOSELY]
    return best_of([maneuver.value_of_move(s, unit, -place, action) for _, place in drawn], s.weights)


def every_action(s: Appraisal, unit: Unit) -> float:
    """The best action of a unit's own by judging every move."""
    here = weigh(s.value_of_place(unit, unit.place), s.weights)
    acts = [
        every_move(s, unit, ADVANCE),
        every_move(s, unit, ADVANCE_FIRE),
        *maneuver.assaults(s, unit),
    ]
    return max([s.best_shot(unit, unit.place, False), *(weigh(act, s.weights) - here for act in acts)])


def positions(name: str, judgement: Judgement) -> Iterator[tuple[Appraisal, list[Unit]]]:
    """Positions of a battle at several times, with the units of the side that judges."""
    for questions in (0, 60, 120):
        battle = halfway(load_scenario(name), questions)
        for side in (0, 1):
            view = battle.view(side)
            s = Appraisal(view, battle.board, judgement, weights_of(judgement))
            yield s, [unit for unit in battle.state.living(side) if unit.place >= 0]


@pytest.mark.parametrize("judgement", JUDGEMENTS)
@pytest.mark.parametrize("name", ["tobacco-factory-hex", "breakthrough", "silo"])
def test_what_is_passed_over_could_not_have_won(name: str, judgement: Judgement) -> None:
    judged = 0
    for s, units in positions(name, judgement):
        for unit in units:
            for action in (ADVANCE, ADVANCE_FIRE):
                assert maneuver.best_move(s, unit, action) == every_move(s, unit, action)
            assert maneuver.own_action(s, unit.id) == every_action(s, unit)
            judged += 1
    assert judged
