"""Imagined states: the enemies that a side has not found stand somewhere, as many as there are (AC-HOUSE-DETECT)."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from battlesim import Sightings, play
from battlesim.core.answers import MoveTo
from battlesim.core.codec import position
from battlesim.core.dice import KeyedDice
from battlesim.core.state import State, Structure
from battlesim.core.view import View
from battlesim.engine.battle import Battle, Question
from battlesim.rules.hidden import Known
from battlesim.rules.scenario import Objective
from battlesim.rulesets.armorclass.data import TYPES
from battlesim.rulesets.armorclass.ground import pace
from battlesim.rulesets.armorclass.line_of_sight import LineOfSight
from battlesim.rulesets.armorclass.model import Fire, able, unit_state
from battlesim.rulesets.armorclass.move import WhereTo
from battlesim.rulesets.armorclass.observation import faults, imagine
from battlesim.rulesets.armorclass.turn import Next
from tests.rulesets.armorclass.kit import Table, ground, house, unit
from tests.shipped import load


def seen(table: Table) -> View:
    """What side 0 knows, with the battle going on."""
    table.r.schedule(10, Next(), 10)
    return table.view(0)


def hidden(state: State, view: View) -> list[int]:
    return [n for n in state.units if n not in view.units]


@pytest.mark.clause("AC-HOUSE-DETECT")
def test_the_unseen_are_as_many_as_there_are_and_stand_where_nobody_sees_them() -> None:
    """Four enemies, one of them known: three more of its kind, in order of number, each indoors or out of sight."""
    table = Table(
        house(),
        unit("militia", "g9.1"),
        *(unit("marksmen", f"g{n}.9", side=1, detected=n == 8) for n in (7, 8, 9, 10)),
    )
    view = seen(table)
    assert (view.forces, list(view.units)) == ((1, 4), [0, 2])
    for seed in range(20):
        state = imagine(view, table.board, KeyedDice(seed))
        assert faults(state, table.board) == []
        assert list(state.units) == [0, 1, 2, 3, 4]
        look = LineOfSight(state, table.board)
        for number in hidden(state, view):
            foe = state.units[number]
            assert (foe.side, foe.kind, foe.models, foe.own.detected) == (1, "marksmen", 2, False)
            assert foe.place >= 0
            space = table.board.spaces[foe.place]
            assert space.kind == "floor" or not look.sees(view.units[0].place, foe.place)


@pytest.mark.clause("AC-HOUSE-VICTORY")
def test_one_who_was_seen_to_leave_the_board_is_not_imagined_on_it() -> None:
    """Nor is one who had not been found: that one may still be anywhere, for all that the side knows."""
    goals = (Objective("exit", "out", 2, 1, edge="w"),)
    for found in (True, False):
        table = Table(
            ground(),
            unit("militia", "g9.1"),
            *(unit("militia", f"g{n}.5", side=1, detected=found) for n in (1, 5)),
            objectives=goals,
        )
        table.do(WhereTo(1, "move", side=1))
        table.say(MoveTo(table.place("g0.5")))
        assert table.unit(1).own.left
        view = seen(table)
        assert (1 in view.units) is found
        for seed in range(6):
            made = imagine(view, table.board, KeyedDice(seed)).units[1]
            assert made.own.left is found
            assert made.place < 0 or not found


@pytest.mark.clause("AC-HOUSE-DETECT")
def test_other_dice_imagine_otherwise_and_the_same_alike() -> None:
    table = Table(house(), unit("militia", "g9.1"), *[unit("militia", "g9.9", side=1)] * 2)
    view, places = seen(table), set()
    for seed in range(10):
        state = imagine(view, table.board, KeyedDice(seed))
        assert position(state) == position(imagine(view, table.board, KeyedDice(seed)))
        places.add(tuple(state.units[n].place for n in (1, 2)))
    assert len(places) > 5


@pytest.mark.clause("AC-HOUSE-DETECT", "AC-HOUSE-MOVE", "AC-DEST-3")
@pytest.mark.parametrize("kind", ["militia", "tank", "turret", "strongpoint"])
def test_each_kind_is_imagined_where_it_can_be(kind: str) -> None:
    """Of a kind known among the enemies. A fallen house, fires and places that are held are not hidden in; a battery without a
    strongpoint is imagined as a reserve that never comes."""
    board = ground(size=(12, 12))
    table = Table(
        house(flat=True) if kind == "turret" else board,
        unit("militia", "g1.1"),
        unit(kind, "g3.3", side=1, detected=True),
        unit(kind, "g2.3", side=1),
    )
    view = seen(table)
    for seed in range(8):
        state = imagine(view, table.board, KeyedDice(seed))
        assert faults(state, table.board) == []
        foe = state.units[2]
        assert foe.kind == kind
        assert foe.place not in (view.units[0].place, view.units[1].place)
        if kind == "strongpoint":
            assert (foe.place, foe.own.arrives) == (-1, 9)


@pytest.mark.clause("AC-HOUSE-DETECT", "AC-DEST-3", "AC-FIRE-4")
def test_nobody_is_imagined_in_ruins_or_fires() -> None:
    """All of the open is in sight; of the house only the ground floor is left, and that burns: it is no place to be."""
    units = (unit("militia", "g9.1"), unit("militia", "g9.9", side=1))
    standing = [Structure(0, own={"gone": 1})]
    table = Table(house(), *units, structures=standing)
    burning = Table(house(), *units, structures=standing, options={"fires": True})
    burning.r.set_extra(fires=(Fire(0, ((burning.place("house.1:0"), 1),)),))
    views = (seen(table), seen(burning))
    for seed in range(30):
        for at, view, allowed in zip((table, burning), views, (True, False), strict=True):
            state = imagine(view, at.board, KeyedDice(seed))
            assert faults(state, at.board) == []
            space = at.board.spaces[state.units[1].place]
            assert space.kind == "ground" or (allowed and space.floor == 0)


@pytest.mark.clause("AC-HOUSE-DETECT")
def test_the_unmet_are_of_the_types_left_on_the_enemys_list() -> None:
    """Of a list of four two are known, one by sight and one from before: the other two are what is left of the list."""
    table = Table(
        house(),
        unit("militia", "g9.1"),
        *(unit("marksmen", f"g{n}.9", side=1, detected=n == 7) for n in (7, 8, 9, 10)),
    )
    view = seen(table)
    last = replace(table.state.units[2], kind="gun_team", models=1)
    known = Known({2: last}, {2: 1}, ("gun_team", "marksmen", "rifle_team", "tank"))
    orders = set()
    for seed in range(20):
        state = imagine(view, table.board, KeyedDice(seed), known)
        assert faults(state, table.board) == []
        assert (state.units[2].kind, state.units[2].models) == ("gun_team", 1)
        orders.add((state.units[3].kind, state.units[4].kind))
    assert orders == {("rifle_team", "tank"), ("tank", "rifle_team")}


@pytest.mark.clause("AC-HOUSE-DETECT")
@pytest.mark.parametrize("turn", [1, 2])
def test_the_unmet_have_come_no_farther_than_they_can(turn: int) -> None:
    """In the first turn those who have not acted are where they may have set up; a turn later within one move of it."""
    table = Table(house(), unit("militia", "g9.1"), *[unit("militia", "g9.9", side=1)] * 2)
    view = replace(seen(table), turn=turn, now=(turn - 1) * 1000)
    apart = tuple((0, 500, 1300)[space.id % 3] for space in table.board.spaces)
    assert 500 < pace(TYPES["militia"]) < 1300
    places = set()
    for seed in range(30):
        state = imagine(view, table.board, KeyedDice(seed), Known(types=("militia",) * 2, apart=apart))
        places |= {apart[state.units[n].place] for n in (1, 2)}
    assert places == ({0} if turn == 1 else {0, 500})


@pytest.mark.clause("AC-HOUSE-DETECT", "AC-HOUSE-MOVE")
@pytest.mark.parametrize("kind", ["turret", "strongpoint", "tank"])
def test_one_that_cannot_move_is_still_where_it_was_seen(kind: str) -> None:
    """A mount, or a tank without its tracks: in the side's sight or out of it, also when other units have to be placed."""
    at = "house.1:0" if kind == "strongpoint" else "g3.9"
    table = Table(
        house("type: strongpoint" if kind == "strongpoint" else ""),
        unit("militia", "g9.1"),
        *(unit("militia", "g9.9", side=1) for _ in range(2)),
        unit(kind, at, side=1),
    )
    view = seen(table)
    last = replace(
        table.state.units[3], own=replace(unit_state(table.state.units[3]), immobile=kind == "tank")
    )
    known = Known({3: last}, {3: 1}, ("militia", "militia", kind))
    for seed in range(12):
        state = imagine(replace(view, turn=3), table.board, KeyedDice(seed), known)
        assert faults(state, table.board) == []
        assert state.units[3].place == table.place(at)
    held = replace(view, units={0: replace(view.units[0], place=table.place(at))})
    assert imagine(held, table.board, KeyedDice(1), known).units[3].place < 0


@pytest.mark.clause("AC-HOUSE-DETECT", "AC-HOUSE-MOVE")
def test_one_that_went_out_of_sight_has_come_no_farther_than_it_can() -> None:
    """It stays while the clock says that no enemy has acted since; later it is within one run of where it was."""
    table = Table(house(), unit("militia", "g9.1"), unit("militia", "g9.7", side=1))
    last, view = table.state.units[1], seen(table)
    known = Known({1: last}, {1: 1}, ("militia",))
    for now, stayed in ((0, True), (2, False)):
        away = set()
        for seed in range(20):
            place = imagine(replace(view, now=now), table.board, KeyedDice(seed), known).units[1].place
            away.add(table.board.distance(last.place, place))
        assert max(away) <= pace(TYPES["militia"], run=True)
        assert (away == {0}) is stayed


@pytest.mark.clause("AC-HOUSE-MORALE")
@pytest.mark.parametrize("turn", [1, 2])
def test_losses_of_an_earlier_turn_are_not_tested_for_again(turn: int) -> None:
    """A team was seen to lose a soldier in turn 1, and then not any more."""
    table = Table(house(), unit("militia", "g9.1"), unit("militia", "g9.7", side=1, models=3, lost=1))
    view = replace(seen(table), turn=turn)
    known = Known({1: table.state.units[1]}, {1: 1}, ("militia",))
    made = imagine(view, table.board, KeyedDice(1), known).units[1]
    assert (made.models, made.own.lost) == (3, 1 if turn == 1 else 0)


@pytest.mark.slow
@pytest.mark.clause("AC-HOUSE-TURN")
def test_as_many_have_acted_as_the_clock_says() -> None:
    """In every imagined state as many enemies have acted this turn as in the true one, and those seen to act are among them."""
    scenario = load("outpost")
    sides = (Sightings(), Sightings())
    found: list[int] = []

    def look(battle: Battle, question: Question) -> None:
        view = battle.view(question.side)
        sides[question.side].note(view)
        hidden = [n for n, u in battle.state.units.items() if n not in view.units and u.alive]
        if not hidden or question.number % 3:
            return
        state = sides[question.side].imagine(view, scenario.board, KeyedDice(question.number))
        true, made = (
            sum(unit_state(s.units[n]).acted for n in hidden if s.units[n].place >= 0)
            for s in (battle.state, state)
        )
        assert made == true
        found.append(true)

    play(scenario, ("random", "greedy"), seed=4, listener=look)
    assert len(found) > 10
    assert len(set(found)) > 2


@pytest.mark.parametrize("name", ["outpost", "drones", "firebreak"])
def test_battles_play_on_from_what_is_imagined(name: str) -> None:
    """The imagined state holds all units, breaks no invariant, shows its side the same, and is fought on to its end."""
    scenario = load(name)
    tried = 0

    def look(battle: Battle, question: Question) -> None:
        nonlocal tried
        if question.number % 60 != 7:
            return
        tried += 1
        side = question.side
        view = battle.view(side)
        state = imagine(view, scenario.board, KeyedDice(tried))
        assert faults(state, scenario.board) == []
        assert len(state.units) == len(battle.state.units)
        assert any(able(u) for u in state.units.values() if u.side != side)
        again = battle.ruleset.observe(state, scenario.board, side, ())
        assert (again.units, again.extra, again.agenda) == (view.units, view.extra, view.agenda)
        assert again.forces == view.forces
        dream = Battle(battle.ruleset, scenario.board, state, KeyedDice(tried))
        assert dream.question is not None
        assert set(dream.question.answers) == set(question.answers)
        for step in range(3000):
            if dream.question is None:
                break
            dream.answer(dream.question.answers[step % len(dream.question.answers)])
            if step % 25 == 0:
                assert faults(dream.state, scenario.board) == []
        assert dream.question is None

    play(scenario, ("random", "greedy"), seed=4, listener=look)
    assert tried
