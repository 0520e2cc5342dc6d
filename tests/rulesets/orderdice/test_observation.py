"""What a side may know, imagined states, and invariants (OD-HOUSE-RESERVE)."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest
from msgspec import json
from msgspec.structs import replace

from battlesim.core.answers import MoveTo, Order, TargetUnit
from battlesim.core.codec import dump_state
from battlesim.core.dice import KeyedDice, derive_seed
from battlesim.core.events import Answered, Asked, Cancelled, Event, ExtraSet, Placed, Taken, TurnEnded
from battlesim.core.items import TURN, Entry
from battlesim.core.state import State, Structure, fallen_of
from battlesim.core.view import View, uncaused
from battlesim.engine.agent import Chance
from battlesim.engine.battle import Battle
from battlesim.rules.activation import Bag
from battlesim.rules.scenario import Objective, Scenario
from battlesim.rulesets.orderdice.ambush import Interrupt
from battlesim.rulesets.orderdice.facts_vehicles import GotOut
from battlesim.rulesets.orderdice.model import BattleState
from battlesim.rulesets.orderdice.observation import faults, imagine, observe
from battlesim.rulesets.orderdice.reserves import Arrive, ArriveAt
from battlesim.rulesets.orderdice.ruleset import RULESET
from battlesim.rulesets.orderdice.turn import TurnStart, WhichOrder, WhichUnit
from battlesim.scenario import first_state
from tests.rulesets.orderdice.grounds import plain
from tests.rulesets.orderdice.kit import Table, unit
from tests.scenario.making import errors, make

FORCES = """
forces:
  - {{side: Red, type: rifle_section, name: Rifles, at: g3.1}}
  - {{side: Red, type: assault_section, at: "house.west:0"}}
  - {{side: Red, type: truck, name: {name}, reserve: {{turn: 2, edge: {edge}}}}}
  - {{side: Red, type: {cargo}, aboard: {name}}}
  - {{side: Blue, type: rifle_section, at: g9.1}}
  - {{side: Blue, type: rifle_section, at: "house.east:0"}}
objectives:
  - {{kind: survive, units: [{name}]}}
  - {{kind: hold, buildings: [house], points: 3}}
"""


def scenario(name: str = "Bus", cargo: str = "rifle_section", edge: str = "west") -> Scenario:
    made = make(FORCES.format(name=name, cargo=cargo, edge=edge))
    assert errors(made) == []
    return made


def battle(made: Scenario, seed: int = 3) -> Battle:
    return Battle(RULESET, made.board, first_state(made, seed), KeyedDice(derive_seed(seed, "dice")))


def play(game: Battle, seed: int = 0) -> Iterator[Battle]:
    """The game at every question of a random game."""
    chance = Chance(seed)
    while (question := game.question) is not None:
        yield game
        chance.at(question.number)
        game.answer(chance.choice(question.answers))


def encoded(view: View) -> bytes:
    """Everything a view tells, news included."""
    return json.encode((replace(view, news=()), tuple(view.news)))


# ---- views -----------------------------------------------------------------------------------------------------------


@pytest.mark.clause("OD-HOUSE-RESERVE")
def test_an_enemy_does_not_see_reserves_in_any_way() -> None:
    """Two battles that differ in a hidden reserve alone look the same to the other side, until it comes on."""
    one, two = battle(scenario()), battle(scenario("Van", "bazooka_team", "north"))
    views = 0
    for game, other in zip(play(one), play(two), strict=False):
        if game.state.turn > 1 or other.state.turn > 1:
            break
        assert game.question == other.question
        assert encoded(game.view(1)) == encoded(other.view(1))
        assert encoded(game.view(0)) != encoded(other.view(0))
        assert sorted(game.view(1).units) == [0, 1, 4, 5]
        assert sorted(game.view(0).units) == [0, 1, 2, 3, 4, 5]
        assert [goal.kind for goal in game.view(1).extra.objectives] == ["hold"]
        assert [goal.kind for goal in game.view(0).extra.objectives] == ["survive", "hold"]
        assert not any(isinstance(entry.step, Arrive) for entry in game.view(1).agenda)
        assert any(isinstance(entry.step, Arrive) for entry in game.view(0).agenda)
        views += 1
    assert views > 8


@pytest.mark.clause("OD-HOUSE-RESERVE")
def test_a_reserve_is_seen_once_it_has_come_on() -> None:
    game = battle(scenario())
    asked = False
    for at in play(game):
        assert at.question is not None
        ask = at.question.ask
        if isinstance(ask, ArriveAt):
            asked = True
            assert ask.side == 0
            assert at.view(0).ask == uncaused(ask)
            assert 2 not in at.view(1).units
            assert not any(isinstance(item, ArriveAt) for item in at.view(1).stack)
        elif asked:
            assert {2, 3} <= set(at.view(1).units)
            news = at.view(1).news
            if at.question.side == 1:
                assert any(isinstance(event, Placed) and event.unit == 2 for event in news)
                return
    raise AssertionError("the reserve never came on, or its enemy never heard of it")


@pytest.mark.clause("OD-HOUSE-RESERVE")
def test_how_many_reserves_are_to_come_is_not_counted_anywhere() -> None:
    """Two, or none at all: what else is on the agenda bears the same numbers, and so does what is put on it later. Open is only
    how many units there are in all, as in an army list."""
    views, forces = [], []
    for reserves in (0, 2):
        table = Table(
            "stairwell",
            unit("officer", at="g1.1"),
            unit("officer", at="g9.0", side=1),
            *[unit("officer", side=1, arrives=3)] * reserves,
        )
        for number in range(2, 2 + reserves):
            table.r.schedule(2 * TURN, Arrive(number, (), "west", ()))
        table.r.schedule(3 * TURN, TurnStart())
        view = observe(table.state, table.board, 0, tuple(table.r.log))
        forces.append(view.forces)
        views.append(encoded(replace(view, forces=(0, 0))))
    assert views[0] == views[1]
    assert forces == [(1, 1), (1, 3)]


@pytest.mark.clause("OD-HOUSE-REACT", "OD-HOUSE-TRANSPORT")
def test_where_an_enemy_s_move_is_to_end_is_not_known_before() -> None:
    """Runs that begin alike, the first two of them to where the lurker first sees them, or to a truck: it is asked before they go
    on, and what it sees of them does not differ. Nor does it see that the second has come to an end already."""
    board, views = plain(), []
    for goal in ("g13.2", "g12.2", "g11.2", "g12.3", "truck"):
        table = Table(
            board,
            unit("officer", at="g1.2"),
            unit("officer", at="g35.2", side=1, order="ambush"),
            unit("truck", at="g13.2" if goal == "truck" else "g13.4", order="fire"),
        )
        table.do(WhichOrder(0, side=0))
        table.say(Order("run"))
        table.say(TargetUnit(2) if goal == "truck" else MoveTo(table.place(goal)))
        assert isinstance(table.ask, Interrupt)
        if goal == "truck":
            table.state.units[2] = replace(table.unit(2), place=table.place("g13.4"))
        assert table.board.spaces[table.unit(0).place].name == "g11.2"
        views.append(encoded(observe(table.state, table.board, 1, tuple(table.r.log))))
    assert len(dict.fromkeys(views)) == 1


@pytest.mark.clause("OD-HOUSE-REACT", "OD-HOUSE-TRANSPORT")
def test_where_an_enemy_s_passengers_run_is_not_known_as_they_get_out() -> None:
    """The lurker is asked on their way to one space or the other; it has heard no more than that they got out of the truck."""
    board, views = plain(), []
    for goal in ("g13.2", "g12.2", "g12.3"):
        table = Table(
            board,
            unit("truck", at="g1.2", order="fire"),
            unit("officer", aboard=0),
            unit("officer", at="g35.2", side=1, order="ambush"),
        )
        table.do(WhichOrder(1, side=0))
        table.say(Order("run"), MoveTo(table.place(goal)))
        assert isinstance(table.ask, Interrupt)
        assert table.where(1) == "g11.2"
        assert [table.board.spaces[out.place].name for out in table.events(GotOut)] == ["g1.2"]
        views.append(encoded(observe(table.state, table.board, 1, tuple(table.r.log))))
    assert len(dict.fromkeys(views)) == 1


def test_the_bag_is_seen_as_counts_only() -> None:
    bag = Bag(((3, 7), (0, 2, 9)))
    table = Table("stairwell", unit("officer", at="g1.1"), unit("officer", at="g9.0", side=1))
    table.r.set_extra(bag=bag)
    view = observe(table.state, table.board, 0, tuple(table.r.log))
    seen = Bag(((0, 1), (0, 1, 2)))
    assert view.extra.bag == seen
    assert view.news == (ExtraSet({"bag": seen}),)
    assert table.state.extra.bag == bag
    table.r.change_list("bag", "dice", 1, removed=(2,))
    view = observe(table.state, table.board, 0, tuple(table.r.log))
    assert view.extra.bag == Bag(((0, 1), (0, 1)))
    assert view.news == (ExtraSet({"bag": seen}),)  # the number of the die that left is nobody's business
    assert table.state.extra.bag == Bag(((3, 7), (0, 9)))


def test_news_are_what_happened_without_what_is_private() -> None:
    table = Table("stairwell", unit("officer", at="g1.1"), unit("officer", at="g9.0", side=1))
    news: tuple[Event, ...] = (
        Asked(0, WhichUnit(side=0), 2),
        Answered(1, "pick 1"),
        Taken(4, 100),
        Cancelled(5),
        TurnEnded(1, "a hash of everything"),
        Placed(1, 3, 0),
    )
    assert observe(table.state, table.board, 1, news).news == (
        Answered(1, "pick 1"),
        TurnEnded(1, ""),
        Placed(1, 3, 0),
    )


def test_a_view_is_a_copy() -> None:
    game = battle(scenario())
    before = dump_state(game.state)
    view = game.view(1)
    view.units.clear()
    view.structures[0] = Structure(0, fallen=True)
    assert dump_state(game.state) == before


# ---- imagined states -------------------------------------------------------------------------------------------------


def test_an_imagined_state_can_be_saved_and_played_to_the_end() -> None:
    made = scenario()
    game = battle(made)
    tried = 0
    for at in play(game):
        assert at.question is not None
        if at.question.number % 9:
            continue
        for side in (0, 1):
            dice = KeyedDice(77)
            state = imagine(at.view(side), made.board, dice)
            assert faults(state, made.board) == []
            assert dump_state(RULESET.codec.load(dump_state(state))) == dump_state(state)
            if side == at.question.side:
                dream = Battle(RULESET, made.board, state, dice)
                assert dream.question is not None
                assert dream.question.answers == at.question.answers
                for _ in play(dream, seed=tried):
                    assert faults(dream.state, made.board) == []
                assert dream.over
                tried += 1
    assert tried > 3


# ---- invariants ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("seed", range(4))
def test_random_battles_break_no_invariant(seed: int) -> None:
    made = scenario()
    game = battle(made, seed)
    for at in play(game, seed):
        assert faults(at.state, made.board) == []
    assert faults(game.state, made.board) == []
    assert game.over


def healthy() -> Table:
    table = Table(
        "village",
        unit("rifle_section", at="mill.1:1", order="fire"),
        unit("light_at_gun", at="smithy.1:0", emplaced=True),
        unit("truck", at="g5.0", side=1),
        unit("officer", aboard=2, side=1),
        unit("officer", arrives=3, side=1),
    )
    table.state.agenda = (Entry(TURN, 0, 0, Arrive(4, (), "w", ())),)
    table.state.serial = 1
    return table


def set_unit(number: int, **fields: Any) -> Callable[[State, Table], None]:
    def change(state: State, table: Table) -> None:
        own = {key: fields.pop(key) for key in list(fields) if key in state.units[0].own.__struct_fields__}
        place = fields.get("place")
        if isinstance(place, str):
            fields["place"] = table.place(place)
        old = state.units[number]
        new = replace(old, own=replace(old.own, **own), **fields)
        state.units[number] = new
        for at in (old.place, new.place):
            here = [u.id for u in state.units.values() if u.alive and u.place == at]
            if at >= 0 and here:
                state.at[at] = tuple(sorted(here))
            elif at in state.at:
                del state.at[at]

    return change


def structure(name: str, **fields: Any) -> Callable[[State, Table], None]:
    def change(state: State, table: Table) -> None:
        section = table.board.section(name)
        state.structures[section] = Structure(section, **fields)
        state.down = fallen_of(state.structures)

    return change


def bag(*dice: tuple[int, ...]) -> Callable[[State, Table], None]:
    def change(state: State, table: Table) -> None:
        state.extra = replace(state.extra, bag=Bag((dice[0], dice[1])))

    return change


def test_a_healthy_state_has_no_faults() -> None:
    table = healthy()
    assert faults(table.state, table.board) == []


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (set_unit(0, place="smithy.1:0"), "2 units on smithy.1:0"),
        (set_unit(2, place="mill.1:1"), "friend and foe on mill.1:1"),
        (set_unit(2, place="mill.1:2"), "a vehicle in mill.1:2"),
        (set_unit(0, place="mill.1:ruin"), "in the ruin mill.1:ruin, which stands"),
        (structure("mill.1", fallen=True), "in mill.1:1, which has fallen"),
        (structure("mill.1", burning=True), "in mill.1:1, which burns"),
        (structure("mill.1", own={"closed": True}), "in mill.1:1, which is closed"),
        (set_unit(1, emplaced=False), "a gun that got into smithy.1:0"),
        (set_unit(1, place="g1.0"), "emplaced, yet on g1.0"),
        (set_unit(0, pins=9), "alive with 9 pins"),
        (set_unit(0, models=11), "11 of 10 models"),
        (set_unit(0, models=0), "0 of 10 models"),
        (set_unit(0, alive=False), "dead, yet on the board"),
        (set_unit(0, order="charge"), "order 'charge'"),
        (set_unit(3, aboard=0), "aboard 0, which carries nobody"),
        (set_unit(3, models=13, full=13), "one of 13 men in a transport for 12"),
        (set_unit(4, arrives=0), "it is nowhere"),
        (set_unit(0, left=True), "on the board and left"),
        (bag((0, 1), (0, 1)), "side 0: 1 units wait for a die, 2 are in the bag"),
        (lambda state, table: state.at.clear(), "`at` does not agree"),
        (lambda state, table: setattr(state, "now", 5 * TURN), "an entry whose time is past"),
        (lambda state, table: setattr(state, "serial", 0), "not yet given"),
        (lambda state, table: setattr(state, "agenda", ()), "nothing is left to do"),
    ],
)
def test_broken_invariants_are_found(change: Callable[[State, Table], None], words: str) -> None:
    table = healthy()
    change(table.state, table)
    found = faults(table.state, table.board)
    assert any(words in fault for fault in found), found


def test_the_die_just_drawn_is_counted_when_its_unit_is_asked_for() -> None:
    table = healthy()
    table.state.stack = (WhichUnit(side=1),)
    bag((0,), (0,))(table.state, table)
    assert faults(table.state, table.board) == []
    bag((0,), (0, 1))(table.state, table)
    assert faults(table.state, table.board) == ["side 1: 2 units wait for a die, 2 are in the bag"]


def test_goals_of_the_view_keep_what_is_known() -> None:
    table = healthy()
    table.state.extra = replace(
        table.state.extra,
        objectives=(
            Objective("destroy", "both", 1, 0, units=(2, 4)),
            Objective("destroy", "the late one", 1, 0, units=(4,)),
            Objective("hold", "a place", 1),
        ),
    )
    known: BattleState = observe(table.state, table.board, 0, ()).extra
    assert [(goal.name, goal.units) for goal in known.objectives] == [("both", (2,)), ("a place", ())]
    assert observe(table.state, table.board, 1, ()).extra.objectives == table.state.extra.objectives
