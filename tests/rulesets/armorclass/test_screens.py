"""Defence screens and force fields: a strongpoint's battery stands behind its own (AC-TYPE-6, AC-HOUSE-STRUCT)."""

from __future__ import annotations

from typing import Any

import pytest

from battlesim.board.board import Board
from battlesim.core.answers import TargetUnit
from battlesim.core.events import Rolled
from battlesim.rulesets.armorclass import casualties, targets, works
from battlesim.rulesets.armorclass.contenders import JUDGE
from battlesim.rulesets.armorclass.facts_fire import Hit
from battlesim.rulesets.armorclass.model import Demolish
from battlesim.rulesets.armorclass.shoot import AtWhom
from tests.rulesets.armorclass.kit import Table, ground, house, unit


def bastion(screen: bool) -> Board:
    return house("type: strongpoint, screen: true" if screen else "type: strongpoint")


@pytest.mark.clause("AC-HOUSE-STRUCT", "AC-TYPE-6")
@pytest.mark.parametrize(("screen", "need"), [(False, 6), (True, 8)])
@pytest.mark.parametrize("more", [-1, 0])
def test_a_screen_adds_two_to_the_battery_behind_it(screen: bool, need: int, more: int) -> None:
    """A factor of 11 goes through class 11 on 6, through 13 on 8."""
    table = Table(
        bastion(screen),
        unit("piercer_team", "g1.1"),
        unit("strongpoint", "house.1:0", side=1),
        dice=[need + more, *([10] if more == 0 else [])],
    )
    casualties.strike(table.r, 0, 1, 11, 1, 0)
    assert bool(table.events(Hit)) is (more == 0)
    (rolled,) = [e for e in table.events(Rolled) if e.purpose == "armour"]
    assert rolled.need == need
    assert ("AC-HOUSE-STRUCT" in rolled.clauses) is screen
    table.done()


@pytest.mark.clause("AC-HOUSE-STRUCT")
@pytest.mark.parametrize(
    ("kind", "at", "armour"),
    [
        ("strongpoint", "house.1:0", 13),
        ("militia", "house.1:0", 1),  # soldiers at the embrasures wear what they wear
        ("strongpoint", "g1.1", 11),
        ("strongpoint", "", 11),
        ("turret", "house.1:2", 8),
    ],
)
def test_only_the_battery_is_part_of_the_work(kind: str, at: str, armour: int) -> None:
    board = house("type: strongpoint, screen: true", flat=True)
    table = Table(board, unit(kind, at))
    assert works.armour_of(board, table.unit(0)) == armour


@pytest.mark.clause("AC-HOUSE-STRUCT", "AC-HOUSE-PEN")
@pytest.mark.parametrize(("screen", "offered"), [(False, True), (True, False)])
def test_what_cannot_go_through_a_screen_is_not_used_on_it(screen: bool, offered: bool) -> None:
    """A light cannon (7) goes through 11 on a 10, through 13 never; nor does a demolition charge (8)."""
    foe = unit("strongpoint", "house.1:0", side=1, detected=True)
    for kind, at, answer in (
        ("engineering_vehicle", "g9.1", TargetUnit(1)),
        ("engineers", "g9.3", Demolish(1)),
    ):
        table = Table(bastion(screen), unit(kind, at), foe)
        assert (answer in targets.targets(table.state, table.board, table.unit(0))) is offered


@pytest.mark.clause("AC-HOUSE-STRUCT")
def test_agents_expect_less_of_fire_at_a_screen() -> None:
    found: list[Any] = []
    for screen in (False, True):
        table = Table(
            bastion(screen),
            unit("piercer_team", "g9.1", models=1),
            unit("strongpoint", "house.1:0", side=1, detected=True),
        )
        (promise,) = JUDGE.features(table.view(0), table.board, AtWhom(0, True, side=0), [TargetUnit(1)])
        found.append(promise.dealt)
    assert 0.0 < found[1] < found[0]  # through on 6 to 10, or on 8 to 10


def test_on_open_ground_there_is_no_screen() -> None:
    board = ground(
        "buildings:\n  - {name: far, closed: true, rect: [0, 0, 3, 3], own: {armour: {screen: true}}}"
    )
    table = Table(board, unit("strongpoint", "g9.1"))
    assert works.armour_of(board, table.unit(0)) == 11
