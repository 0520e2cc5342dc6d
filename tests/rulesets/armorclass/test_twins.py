"""Pairs of battles that differ only in what a side may not know: its views are the same, byte for byte (AC-HOUSE-DETECT).

A pair is a function of a flag; both of its tables are played on by the same dice, and then side 0 (or the side named) looks.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from msgspec.structs import replace

from battlesim.core.answers import MoveTo, Order, Pass, Pick, TargetUnit
from battlesim.core.items import TURN
from battlesim.core.state import Structure
from battlesim.engine.battle import Battle
from battlesim.rules.activation import Alternate
from battlesim.rulesets.armorclass import blaze, damage, flames
from battlesim.rulesets.armorclass.concealment import Detect
from battlesim.rulesets.armorclass.deployment import Arrive, ArriveAt
from battlesim.rulesets.armorclass.model import Breach, Fieldwork, Fire, Lob, Search, Through
from battlesim.rulesets.armorclass.move import WhereTo
from battlesim.rulesets.armorclass.ruleset import RULESET
from battlesim.rulesets.armorclass.shoot import AtWhom
from battlesim.rulesets.armorclass.turn import EndTurn, Next, WhichUnit
from tests.rulesets.armorclass.kit import NORTH, SOUTH, Table, ground, house, unit

TWO_HOUSES = """
buildings:
  - name: pill
    rect: [12, 12, 18, 18]
    own: {armour: {type: pillbox}}
    openings: [{kind: slit, side: south, at: 0.5}, {kind: door, side: north, at: 0.5}]
  - name: shop
    rect: [27, 12, 33, 18]
    own: {armour: {wall: stucco}}
    openings: [{kind: window, side: south, at: 0.5}, {kind: door, side: north, at: 0.5}]
"""
Pair = Callable[[bool], Table]


def fired_from(kind: str, at: str) -> Table:
    """Two marksmen's lasers, wherever they are, go home once on a team in the open."""
    table = Table(
        ground(TWO_HOUSES),
        unit("militia", "g7.1", detected=True),
        unit(kind, at, side=1),
        dice=[[1, 10], 10],
    )
    table.do(AtWhom(1, side=1))
    table.say(TargetUnit(0))
    return table


def shelter(other: bool) -> Table:
    return fired_from("marksmen", "pill.1:0" if other else "shop.1:0")


def mount(other: bool) -> Table:
    return fired_from("laser_turret" if other else "marksmen", "g12.1")


def bystander(other: bool) -> Table:
    """A hammerhead of one inch on a team of four, with or without somebody unseen at its side."""
    more = [unit("militia", "g4.1", side=1)] if other else []
    table = Table(
        ground(),
        unit("hunter_team", "g1.1", models=1),
        unit("militia", "g4.1", side=1, detected=True),
        *more,
        dice=[1],
    )
    table.do(AtWhom(0, side=0))
    table.say(TargetUnit(1))
    return table


def behind_the_wall(other: bool) -> Table:
    more = [unit("militia", "house.1:0", side=1)] if other else []
    table = Table(
        house(),
        unit("powered_team", "g9.2", models=1),
        unit("militia", "house.1:0", side=1, detected=True),
        *more,
        dice=[9, 5],
    )
    table.do(AtWhom(0, side=0))
    table.say(Through(1, SOUTH))
    return table


def searched(other: bool) -> Table:
    more = [unit("militia", "house.1:0", side=1)] if other else []
    dice: list[Any] = [[1, 1, 1], [10, 10, 10], *([[1, 10, 10], 2] if other else []), [10, 10]]
    table = Table(house(), unit("gun_team", "g9.1"), *more, dice=dice)
    table.do(AtWhom(0, side=0))
    table.say(Search(table.place("house.1:0"), SOUTH))
    return table


def shelled(other: bool) -> Table:
    """A shell on a covered weapon pit with or without somebody in it."""
    more = [unit("militia", "g9.1", side=1)] if other else []
    table = Table(
        ground(),
        unit("mortar_team", "g1.1", models=1),
        *more,
        dice=[4, 7, *([[2, 2, 2, 2]] if other else [])],
    )
    table.r.set_extra(fieldworks=(Fieldwork("emplacement", table.place("g9.1"), 8, 6),))
    table.do(AtWhom(0, side=0))
    table.say(Lob(table.place("g9.1")))
    return table


def shelled_their_own(other: bool) -> Table:
    """As side 0 hears of it: an enemy shell goes astray, and may meet a team of the enemy's that nobody has found."""
    table = Table(
        ground(),
        unit("militia", "g9.4", detected=True),
        unit("mortar_team", "g1.4", side=1, models=1, detected=True),
        unit("militia", "g11.4" if other else "g19.9", side=1),
        dice=[5, 1, 6, *([[2, 2, 2, 2]] if other else [])],
    )
    table.do(AtWhom(1, side=1))
    table.say(Lob(table.place("g9.4")))
    return table


def lobbed_from(other: bool) -> Table:
    """A mortar nobody has found, here or there, suppressed or not."""
    table = Table(
        ground(),
        unit("militia", "g9.4", detected=True),
        unit("mortar_team", "g1.9" if other else "g3.1", side=1, models=1, suppressed=int(other)),
        dice=[2, [2, 2, 1, 1]],
    )
    table.do(AtWhom(1, side=1))
    table.say(Lob(table.place("g9.4")))
    return table


def breached(other: bool, **options: Any) -> Table:
    """Two tools at work on a wall, of engineers or of a vehicle of theirs; nobody has seen who it is."""
    table = Table(
        house(),
        unit("militia", "g1.1"),
        unit("engineering_vehicle" if other else "engineers", "g9.6", side=1),
        dice=[9, 10, 9, 10],
        options=options or None,
    )
    table.do(AtWhom(1, side=1))
    table.say(Breach(table.place("house.1:0"), NORTH))
    return table


def breached_by_points(other: bool) -> Table:
    return breached(other, damage="1")


def brought_down(other: bool) -> Table:
    return breached(other, damage="1", points=2)


def spotted(other: bool) -> Table:
    """Found by somebody unseen, before a wall or behind it."""
    table = Table(
        ground("terrain:\n  - {kind: wall, line: [[24, 5.5], [33, 5.5]], height: 1}"),
        unit("militia", "g9.1"),
        unit("militia", "g9.4" if other else "g9.0", side=1),
        dice=[1],
    )
    table.do(Detect(1))
    assert table.unit(0).own.detected
    return table


def moved(other: bool) -> Table:
    table = Table(
        house(), unit("militia", "g9.1"), unit("militia", "g9.7", side=1), unit("militia", "g1.9", side=1)
    )
    table.do(WhereTo(1, "move", side=1))
    table.say(MoveTo(table.place("g9.6")) if other else Pass())
    return table


def burnt_and_tested(other: bool) -> Table:
    """A turn's end in a burning house, with or without somebody in it who burns and loses his nerve."""
    table = Table(
        house(material="wood"),
        unit("militia", "g1.1"),
        unit("militia", "house.1:0" if other else "g19.9", side=1),
        unit("militia", "g18.9", side=1),
        dice=[[2, 2, 1, 1], 10] if other else [],
        options={"fires": True},
    )
    table.r.set_extra(fires=(Fire(0, ((table.place("house.1:0"), 1),)),))
    table.do(EndTurn())
    return table


def collapsed(other: bool) -> Table:
    table = Table(
        house(),
        unit("militia", "g1.1"),
        unit("militia", "house.1:0" if other else "g19.9", side=1),
        dice=[[8, 8, 1, 1]] if other else [],
        structures=[Structure(0, own={"lost": 12})],
        options={"damage": "2"},
    )
    damage.destroy_floor(table.r, 0, 0, ("AC-DEST-3",))
    return table


def plants(other: bool) -> Table:
    """Fire in the woods goes on, whoever is in them."""
    table = Table(
        ground("terrain:\n  - {kind: woods, rect: [24, 9, 42, 21]}"),
        unit("militia", "g1.1"),
        unit("militia", "g10.4" if other else "g19.9", side=1),
        dice=[[2, 2, 1, 1]] if other else [],
        options={"fires": True},
    )
    blaze.start(table.r, table.place("g10.4"), ())
    flames.burn_all(table.r)
    return table


def reserves(other: bool) -> Table:
    """With reserves to come or none: what is due bears the same numbers."""
    table = Table(ground(), unit("militia", "g1.1"), unit("militia", "", side=1, arrives=3))
    for _ in range(2 if other else 0):
        table.r.schedule(2 * TURN, Arrive(1, "w", ()))
    table.r.schedule(10, Next())
    table.r.schedule(2 * TURN, Arrive(0, "w", ()))
    return table


def came_on(other: bool) -> Table:
    """A reserve that finds no room is to try again; another has no such trouble."""
    table = Table(
        ground(),
        unit("militia", "g1.1"),
        unit("militia", "", side=1, arrives=1),
        *(unit("militia", "g0.0", side=1) for _ in range(2)),
    )
    if other:
        table.do(ArriveAt(1, "", (table.place("g0.0"),), side=1))
    table.r.schedule(10, Next())
    return table


PAIRS: tuple[Pair, ...] = (
    shelter,
    mount,
    bystander,
    behind_the_wall,
    searched,
    shelled,
    shelled_their_own,
    lobbed_from,
    breached,
    breached_by_points,
    brought_down,
    spotted,
    moved,
    burnt_and_tested,
    collapsed,
    plants,
    reserves,
    came_on,
)


@pytest.mark.clause("AC-HOUSE-DETECT", "AC-CONC-1", "AC-EXPL-1", "AC-HOUSE-RESERVE")
@pytest.mark.parametrize("pair", PAIRS, ids=lambda pair: pair.__name__)
def test_twins_look_alike(pair: Pair) -> None:
    one, other = pair(False), pair(True)
    one.dice.done()
    other.dice.done()
    assert repr(one.state.units) != repr(other.state.units) or one.state.agenda != other.state.agenda
    for event, twin in zip(one.view(0).news, other.view(0).news, strict=True):
        assert repr(event) == repr(twin)
    seen = [replace(table.view(0), forces=(0, 0)) for table in (one, other)]  # how many there are is open
    assert repr(seen[0]).encode() == repr(seen[1]).encode()


@pytest.mark.clause("AC-HOUSE-DETECT")
def test_what_the_hidden_are_asked_is_not_counted() -> None:
    """Somebody nobody has found stays where he is, asked what to fire at alone, or where to go as well; then side 0 is asked."""
    given = []
    for order, answers in (("stand", 1), ("fire", 2)):
        table = Table(
            house(),
            *(unit("militia", at) for at in ("g1.1", "g2.1")),
            *(unit("militia", at, side=1) for at in ("g9.9", "g10.9")),
            dice=[10] * 8,
        )
        table.r.schedule(10, Next(), 10)
        table.r.set_extra(to_act=Alternate(1))
        battle = Battle(RULESET, table.board, table.state, table.dice)
        for said in (Pick(2), Order(order), *[Pass()] * answers):
            assert battle.question is not None
            assert battle.question.side == 1
            battle.answer(said)
        question = battle.question
        assert question is not None
        assert isinstance(question.ask, WhichUnit)
        view = battle.view(0)
        given.append(repr((view, view.news, view.ask, question.answers)).encode())
    assert given[0] == given[1]


@pytest.mark.clause("AC-HOUSE-DETECT")
def test_news_are_not_empty_for_all_that() -> None:
    """Fire out of nowhere, its losses, and a breach that somebody makes are heard."""
    heard = {pair.__name__: [type(e).__name__ for e in pair(True).view(0).news] for pair in PAIRS}
    assert {"Volley", "ModelsLost"} <= set(heard["shelter"])
    assert {"Dent", "StructureSet"} <= set(heard["breached"])
    assert {"Volley", "ModelsLost"} <= set(heard["bystander"])
    assert "Detected" in heard["spotted"]
    assert "Scheduled" in heard["reserves"]
