"""What a unit can fire at, and with which of its weapons (AC-HOUSE-HIT, AC-HOUSE-INDIRECT)."""

from __future__ import annotations

import pytest

from battlesim import first_state
from battlesim.core.answers import Pass, TargetUnit
from battlesim.core.dice import KeyedDice
from battlesim.engine.agent import Chance
from battlesim.engine.battle import Battle
from battlesim.rulesets.armorclass import targets
from battlesim.rulesets.armorclass.data import WEAPONS
from battlesim.rulesets.armorclass.model import Fieldwork, Search
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
    assert table.legal == [Pass(), TargetUnit(1)]


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


@pytest.mark.clause("AC-EXPL-1")
def test_the_twelve_nearest_places_may_be_searched() -> None:
    """Fourteen foxholes in a row, all in range and sight: the two farthest are left out."""
    table = Table(ground(), unit("marksmen", "g0.1"))
    row = [table.place(f"g{column}.1") for column in range(1, 15)]
    table.r.set_extra(fieldworks=tuple(Fieldwork("foxhole", place, 4) for place in row))
    assert targets.targets(table.state, table.board, table.unit(0)) == [
        Search(place, -1) for place in row[:12]
    ]


@pytest.mark.clause("AC-HOUSE-RESERVE")
def test_who_is_not_on_the_board_has_nothing_to_fire_at() -> None:
    table = Table(ground(), unit("marksmen"), unit("militia", "g19.8", side=1, detected=True))
    assert targets.targets(table.state, table.board, table.unit(0)) == []
    assert not targets.has_target(table.state, table.board, table.unit(0))
