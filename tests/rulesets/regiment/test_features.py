"""What answers promise in the regiment rules: houses that were won are taken."""

from __future__ import annotations

import pytest

from battlesim.core.answers import Confirm
from battlesim.rules.contract import Features
from battlesim.rules.scenario import Objective
from battlesim.rulesets.regiment.contenders import JUDGE
from battlesim.rulesets.regiment.rout import FollowIn
from battlesim.rulesets.regiment.ruleset import RULESET
from tests.rulesets.regiment.grounds import HOUSE, NORTH
from tests.rulesets.regiment.kit import Table, unit


def following(prey: bool, worth: int) -> list[Features]:
    """What it promises to follow into the house, an objective of some worth, and to stay outside; `prey`: its garrison is still
    in it, and breaks."""
    goal = Objective("hold", "the house", worth, places=(HOUSE.space("house.1:0"),))
    table = Table(
        HOUSE,
        unit("swordsmen", at="g4.3", facing=NORTH),
        unit("levy", at="house.1:0" if prey else "g12.9", side=1, models=10),
        objectives=(goal,) if worth else (),
    )
    ask = FollowIn(0, HOUSE.space("house.1:0"), 1 if prey else -1, side=0)
    view = RULESET.observe(table.state, HOUSE, 0, ())
    return JUDGE.features(view, HOUSE, ask, [Confirm(True), Confirm(False)])


@pytest.mark.clause("RG-RES-4")
@pytest.mark.parametrize("worth", [100, 300])
def test_following_in_promises_the_objective_whether_or_not_the_garrison_is_still_in_it(worth: int) -> None:
    """Who breaks makes room: he is no friend whom one joins."""
    held, empty = following(True, worth), following(False, worth)
    assert held[0].hold == empty[0].hold > 0
    assert held[0].hold > held[1].hold
    assert held[0].nerve == empty[0].nerve  # the shelter of the walls
    assert held[0].dealt > 0  # and he is lost


@pytest.mark.clause("RG-RES-4")
def test_without_an_objective_it_promises_the_prey() -> None:
    held, empty = following(True, 0), following(False, 0)
    assert held[0].hold == empty[0].hold
    assert held[0].dealt > empty[0].dealt
