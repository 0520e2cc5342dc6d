"""What a unit can fire at, and with which of its weapons (AC-HOUSE-HIT, AC-HOUSE-INDIRECT)."""

from __future__ import annotations

import pytest

from battlesim import first_state
from battlesim.core.answers import At, Pass
from battlesim.core.dice import KeyedDice
from battlesim.engine.agent import Chance
from battlesim.engine.battle import Battle
from battlesim.rulesets.armorclass import targets
from battlesim.rulesets.armorclass.data import WEAPONS
from battlesim.rulesets.armorclass.ruleset import RULESET
from battlesim.rulesets.armorclass.shoot import AtWhom
from tests.rulesets.armorclass.kit import Table, ground, unit
from tests.shipped import load


@pytest.mark.clause("AC-HOUSE-HIT")
@pytest.mark.parametrize(("firer", "other"), [("g0.0", "g3.0"), ("g3.0", "g0.0")])
def test_one_fires_from_any_space_at_any_other(firer: str, other: str) -> None:
    table = Table(ground(), unit("marksmen", firer), unit("militia", other, side=1, detected=True))
    assert 0 in (table.unit(0).place, table.unit(1).place)
    table.do(AtWhom(0, side=0))
    assert table.legal == [Pass(), At(1)]


@pytest.mark.clause("AC-HOUSE-HIT", "AC-HOUSE-INDIRECT")
@pytest.mark.parametrize(
    ("kind", "weapons"),
    [("hunter_team", ["hammerhead_launcher", "bolt_carbine"]), ("mortar_team", ["bolt_carbine"])],
)
@pytest.mark.parametrize("beyond", [False, True])
def test_of_a_volley_those_weapons_fire_that_reach_so_far_and_fire_directly(
    kind: str, weapons: list[str], beyond: bool
) -> None:
    """Up to their range and no further. Mortars are never fired over open sights."""
    reach = WEAPONS["bolt_carbine"].range
    shooter = Table(ground(), unit(kind, "g0.1")).unit(0)
    found = [g.weapon.name for g in targets.direct_groups(shooter, reach + beyond)]
    assert found == [name for name in weapons if not beyond or name != "bolt_carbine"]
    areas = [g.weapon.name for g in targets.area_groups(shooter, reach)]
    assert areas == [name for name in weapons if WEAPONS[name].radius]


@pytest.mark.clause("AC-HOUSE-TURN")
@pytest.mark.parametrize("name", ["outpost", "bastion"])
def test_an_order_to_fire_is_offered_where_there_is_something_to_fire_at(name: str) -> None:
    """What is asked in haste is what the whole list says, of every unit at some questions of a random battle."""
    scenario = load(name)
    battle = Battle(RULESET, scenario.board, first_state(scenario, 1), KeyedDice(1))
    chance, found = Chance(1), set()
    while battle.question is not None:
        if battle.question.number % 12 == 0:
            for one in battle.state.units.values():
                if one.alive:
                    listed = bool(targets.targets(battle.state, scenario.board, one))
                    found.add(listed)
                    assert targets.has_target(battle.state, scenario.board, one) is listed
        chance.at(battle.question.number)
        battle.answer(chance.choice(battle.question.answers))
    assert found == {True, False}
