"""What answers promise: a player that looks one question ahead keeps out of fires, and does not go on shooting at empty rooms."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product
from typing import Any

import pytest

from battlesim import Ask, Board, Chance, View, play
from battlesim.core.answers import Answer, MoveTo, Order, Pass
from battlesim.evaluation.parameters import weights_of
from battlesim.rules.contract import SENSIBLE, Features, weigh
from battlesim.rules.scenario import Objective
from battlesim.rulesets.armorclass import blaze, estimates_close, features_move
from battlesim.rulesets.armorclass.appraisal import Appraisal
from battlesim.rulesets.armorclass.contenders import JUDGE
from battlesim.rulesets.armorclass.deployment import ArriveAt
from battlesim.rulesets.armorclass.judgement import USUAL
from battlesim.rulesets.armorclass.model import FIRE, MOVE, RUN, STAND, Fire, Options, Search
from battlesim.rulesets.armorclass.move import WhereTo
from battlesim.rulesets.armorclass.shoot import AtWhom
from battlesim.rulesets.armorclass.turn import WhichOrder
from tests.rulesets.armorclass.kit import SOUTH, Table, ground, house, unit
from tests.rulesets.armorclass.promises import appraisal, promised


def best(found: dict[Answer, Features]) -> Answer:
    return max(found, key=lambda answer: weigh(found[answer], SENSIBLE))


def at_house(
    kind: str = "rifle_team",
    turn: int = 1,
    alight: tuple[str, ...] = (),
    damage: str = "guidelines",
    **more: Any,
) -> Table:
    """A team before a wooden house that is an objective; floors `alight` since the first turn."""
    board = house(material="wood")
    places = tuple(board.space(f"house.1:{floor}") for floor in range(2))
    table = Table(
        board,
        unit(kind, "g8.4"),
        options={"fires": True, "damage": damage},
        turns=8,
        objectives=(Objective("hold", "the house", 3, places=places),),
        **more,
    )
    fires = tuple(Fire(n, ((board.space(name), 1),)) for n, name in enumerate(alight))
    table.r.set_extra(fires=fires)
    table.state.turn = turn
    return table


def burns(table: Table, times: int) -> float:
    """What so many attacks by fire are worth to whoever burns."""
    toll = estimates_close.burnt(table.board, table.unit(0), times)
    return appraisal(table).value_of_toll(table.unit(0), toll)


def test_an_objective_is_entered_but_not_while_it_burns() -> None:
    hall = "house.1:0"
    for alight in ((), (hall,)):
        table = at_house(alight=alight)
        table.do(WhereTo(0, "run", side=0))
        found = promised(table)
        inside = MoveTo(table.place(hall))
        assert (best(found) == inside) is not bool(alight)
        assert bool(found[inside].taken) is bool(alight)
        assert bool(found[inside].hold) is not bool(alight)


@pytest.mark.clause("AC-FIRE-4", "AC-HOUSE-RESERVE")
def test_a_reserve_does_not_choose_to_come_on_in_a_fire() -> None:
    """Fire attacks as it comes on, and once more when the turn ends."""
    board = ground()
    table = Table(board, unit("militia", "", arrives=1), options={"fires": True})
    places = [board.space(name) for name in ("g9.4", "g10.4")]
    table.r.set_extra(fires=(Fire(0, ((places[0], 1),)),))
    ask, answers = ArriveAt(0, "", tuple(places), side=0), [MoveTo(place) for place in places]
    hot, cool = JUDGE.features(table.view(0), board, ask, answers)
    assert hot.taken == pytest.approx(burns(table, 2))
    assert cool.taken == 0.0


def test_who_stays_in_a_fire_is_burnt_and_who_passes_through_twice() -> None:
    table = at_house(alight=("house.1:0",))
    table.r.move(table.unit(0), (table.unit(0).place, table.place("house.1:0")))
    table.do(WhereTo(0, "run", side=0))
    found = promised(table)
    once, twice = burns(table, 1), burns(table, 2)
    assert 0 < once < twice
    assert found[Pass()].taken == once
    assert found[MoveTo(table.place("g8.4"))].taken == 0


@pytest.mark.parametrize(("turn", "flees"), [(1, True), (8, False)])
def test_nobody_climbs_the_stairs_of_a_burning_house(turn: int, flees: bool) -> None:
    """The way down leads through the fire, and the floor comes down with it; but no fire comes after the last turn."""
    table = at_house(alight=("house.1:0",), turn=turn)
    table.r.move(table.unit(0), (table.unit(0).place, table.place("house.1:0")))
    table.do(WhereTo(0, "run", side=0))
    found, upstairs = promised(table), MoveTo(table.place("house.1:1"))
    driven_out = USUAL.driven_out * appraisal(table).worth(table.unit(0))
    assert found[upstairs].taken == pytest.approx(driven_out if flees else 0.0)
    assert found[MoveTo(table.place("g8.4"))].taken == 0


def test_who_stands_where_fire_comes_next_counts_it() -> None:
    """Plants beside a burning house burn next; those that are farther away do not."""
    board = ground("terrain:\n  - {kind: woods, rect: [0, 0, 60, 24]}")
    table = Table(board, unit("rifle_team", "g10.3"), options={"fires": True}, turns=8)
    table.r.set_extra(fires=(Fire(0, ((table.place("g10.4"), 1),)),))
    assert blaze.next_taken(table.state, table.board, table.state.extra.fires[0], 2) == [table.place("g10.3")]
    table.do(WhereTo(0, "run", side=0))
    found = promised(table)
    driven_out = USUAL.driven_out * appraisal(table).worth(table.unit(0))
    assert found[Pass()].taken == pytest.approx(driven_out)
    assert found[MoveTo(table.place("g10.2"))].taken == 0


@pytest.mark.parametrize(
    ("alight", "damage", "left"),
    [("house.1:0", "guidelines", []), ("house.1:1", "guidelines", [0]), ("house.1:0", "ignored", [0, 1])],
)
def test_floors_that_burn_out_before_the_end_are_no_objectives(
    alight: str, damage: str, left: list[int]
) -> None:
    """A floor falls with what is above it (AC-DEST-1); where damage is ignored it stands (AC-DEST-4)."""
    table = at_house(alight=(alight,), damage=damage)
    values = appraisal(table).values
    assert [table.board.spaces[p].floor for value in values for p in value.places] == left


def test_what_burns_beyond_the_last_turn_is_held_all_the_same() -> None:
    table = at_house(alight=("house.1:0",), turn=8)
    known = table.state.extra
    table.r.set_extra(fires=(Fire(0, ((known.objectives[0].places[0], 6),)),))
    assert len(appraisal(table).values[0].places) == 2


@pytest.mark.clause("AC-FIRE-4", "AC-HOUSE-VICTORY")
def test_what_burns_is_held_only_by_who_lives_to_the_end() -> None:
    """Fire attacks on entry and at the end of this turn and the two that follow; who draws near has to live through this one."""
    found = []
    for caught in ((), (6,)):
        table = at_house(turn=6)
        hall = table.place("house.1:0")
        table.r.set_extra(fires=tuple(Fire(0, ((hall, turn),)) for turn in caught))
        table.do(WhereTo(0, "run", side=0))
        found.append(promised(table)[MoveTo(hall)])
    safe, hot = found
    lives = [1.0 - estimates_close.burnt(table.board, table.unit(0), times).gone for times in (2, 4)]
    assert 0.0 < lives[1] < lives[0] < 1.0
    assert hot.progress == pytest.approx(lives[0] * safe.progress)
    assert hot.hold == pytest.approx(lives[1] * safe.hold)


@pytest.mark.clause("AC-FIRE-4", "AC-HOUSE-ASSAULT")
def test_who_storms_a_burning_room_burns_as_it_goes_in() -> None:
    """Only the winner goes in; it is attacked as it enters and at the turn's end."""
    taken = []
    for alight in ((), ("house.1:0",)):
        board = house(material="wood")
        foe = unit("rifle_team", "house.1:0", side=1, detected=True)
        table = Table(board, unit("rifle_team", "g8.4"), foe, options={"fires": True}, turns=8)
        table.r.set_extra(fires=tuple(Fire(0, ((board.space(name), 1),)) for name in alight))
        stormed = features_move.charge(appraisal(table), table.unit(0), table.unit(1), False)
        taken.append(stormed.taken)
        wins = estimates_close.assault_on(table.unit(0), [table.unit(1)]).wins
    assert taken[1] - taken[0] == pytest.approx(wins * burns(table, 2))


def test_the_longer_nobody_fires_from_a_house_the_less_it_is_searched() -> None:
    found = []
    for turn in (1, 4):
        table = at_house(turn=turn)
        table.r.set_extra(options=Options())  # with fires it would be a pity about the house
        table.r.move(table.unit(0), (table.unit(0).place, table.place("g9.1")))
        table.do(AtWhom(0, side=0))
        search = Search(table.place("house.1:0"), SOUTH)
        assert search in table.legal
        found.append(promised(table)[search])
    assert found[0].dealt > found[1].dealt >= 0
    assert found[1].waste > found[0].waste > 0


def test_what_burns_already_is_not_set_on_fire_for_points() -> None:
    keep = Objective("keep", "theirs", 2, side=1, sections=(0,))
    search = Search(house(material="wood").space("house.1:0"), SOUTH)
    gains = []
    for alight in ((), ("house.1:0",)):
        table = at_house(alight=alight)
        table.r.set_extra(objectives=(keep,))
        table.r.move(table.unit(0), (table.unit(0).place, table.place("g9.1")))
        table.do(AtWhom(0, side=0))
        gains.append(promised(table)[search].dealt)
    assert gains[0] > gains[1] + 5


class EveryPlace:
    """A player that stays or moves by lot, and looks at every place that a unit's best move may be found in."""

    def __init__(self, looked: list[tuple[int, bool]]) -> None:
        self.looked = looked

    def start(self, board: Board, side: int, chance: Chance) -> None:
        self.board, self.chance = board, chance

    def choose(self, view: View, ask: Ask, answers: Sequence[Answer]) -> Answer:
        if isinstance(ask, WhichOrder):
            position, unit = Appraisal(view, self.board, USUAL, weights_of(USUAL)), view.units[ask.unit]
            for order, fired in product((FIRE, MOVE, RUN), (False, True)):
                goes, fights = features_move.ways(position, unit.id, order == RUN)
                stays = [] if goes and order != FIRE else [Pass()]
                moves = [*stays, *fights, *(MoveTo(place) for _, place in goes)]
                every = [features_move.end_of(position, unit, order, one, fired) for one in moves]
                found = features_move.best_move(position, unit.id, order, fired)
                best = max(every, key=lambda one: weigh(one, position.weights))
                self.looked.append((len(goes), found == best))
        return self.chance.choice(answers)


@pytest.mark.slow
@pytest.mark.parametrize("name", ["tobacco-armour", "bastion"])
def test_places_are_passed_over_only_where_no_better_move_ends(name: str) -> None:
    looked: list[tuple[int, bool]] = []
    game = play(name, (lambda: EveryPlace(looked), lambda: EveryPlace(looked)), seed=3)
    assert not game.faults
    assert len(looked) > 200
    assert sum(places for places, _ in looked) > 5 * len(looked)
    assert all(found for _, found in looked)


# ---- the way off the board


def at_the_edge(*more: dict[str, Any], units: tuple[int, ...] = ()) -> Table:
    """A team on the eastern edge, an enemy that sees it, and a way out by that edge."""
    enemy = unit("rifle_team", "g15.4", side=1, detected=True)
    goal = Objective("exit", "out", 3, side=0, units=units, edge="e")
    return Table(
        ground(), unit("rifle_team", "g19.4", detected=True), enemy, *more, turns=6, objectives=(goal,)
    )


def test_only_a_move_leads_off_the_board() -> None:
    """Who stands on its edge holds nothing by it, and has to move once more to leave."""
    table = at_the_edge()
    s, one, other = appraisal(table), table.unit(0), table.board.space("g19.5")
    assert s.leaving(one, one.place) == s.hold(one, one.place) == s.hold(one, other) == 0
    table.do(WhichOrder(0, side=0))
    found = promised(table)
    assert best(found) != Order(STAND)
    assert found[best(found)].hold == s.leaving(one, other) > 0


def test_nobody_is_in_the_way_of_who_leaves() -> None:
    """Friends on the edge, for whom the objective is not even meant, make leaving and the way there worth no less."""
    worth = []
    for friends in ((), ("g19.0", "g19.1")):
        table = at_the_edge(*[unit("rifle_team", at) for at in friends], units=(0,))
        s, one, goal = appraisal(table), table.unit(0), table.board.space("g19.5")
        worth.append((s.leaving(one, goal), s.progress(one, goal)))
    assert worth[0] == worth[1] > (0, 0)


def test_who_has_left_neither_fires_nor_is_fired_at() -> None:
    table = at_the_edge()
    s, one, goal = appraisal(table), table.unit(0), table.board.space("g19.5")
    assert s.best_shot(one, goal, far=False) > 0
    assert s.value_of_place(one, goal, False).exposure > 0
    table.do(WhereTo(0, MOVE, side=0))
    leaves = promised(table)[MoveTo(goal)]
    assert (leaves.dealt, leaves.exposure) == (0, 0)


def test_who_storms_the_edge_leaves_by_it() -> None:
    """The winner of an assault goes in, and so off the board."""
    table = at_the_edge(unit("militia", "g19.5", side=1, models=1, detected=True))
    s = appraisal(table)
    assert features_move.charge(s, table.unit(0), table.unit(2), False).hold > 0.5 * s.leaving(
        table.unit(0), table.place("g19.5")
    )


def test_the_edge_is_no_place_that_enemies_hide_in_or_hold() -> None:
    table = at_the_edge(unit("rifle_team", "g19.0", side=1, detected=True))
    s = appraisal(table)
    assert s.importance(table.unit(2)) == 1
    assert s.hidden(table.board.space("g19.5")) == s.hidden(table.board.space("g12.5"))


def test_who_may_still_leave_counts_more() -> None:
    """As much of the points as there is time to get to the edge, and none for who has none left or cannot move."""

    def importance(at: str = "g16.4", turn: int = 3, points: int = 3, **own: Any) -> float:
        enemy = unit("tank", at, side=1, detected=True, **own)
        goal = Objective("exit", "out", points, side=1, edge="e")
        table = Table(ground(), unit("rifle_team", "g2.4"), enemy, turns=6, objectives=(goal,))
        table.state.turn = turn
        return appraisal(table).importance(table.unit(1))

    assert importance(points=3) > importance(points=1) > 1
    assert importance(at="g18.4") > importance(at="g14.4") > 1
    assert importance(at="g2.4", turn=6) == importance(immobile=True) == importance(turn=6, acted=True) == 1
