"""Assaults, morale, movement (AC-HOUSE-ASSAULT, AC-HOUSE-MORALE, AC-HOUSE-MOVE)."""

from __future__ import annotations

from fractions import Fraction

import pytest

from battlesim.core.answers import MoveTo, Order, Pass, TargetUnit
from battlesim.core.events import Rolled
from battlesim.core.geometry import INCH
from battlesim.rulesets.armorclass import flames, ground, morale
from battlesim.rulesets.armorclass.assault import Melee, clash
from battlesim.rulesets.armorclass.data import TYPES
from battlesim.rulesets.armorclass.expected_close import Fighters, assault_on
from battlesim.rulesets.armorclass.facts import Fought
from battlesim.rulesets.armorclass.facts import Tested as NerveTested
from battlesim.rulesets.armorclass.model import Fire
from battlesim.rulesets.armorclass.move import WhereTo
from battlesim.rulesets.armorclass.turn import WhichOrder
from battlesim.search.odds import outcomes
from tests.rulesets.armorclass.kit import Table, house, unit
from tests.rulesets.armorclass.kit import ground as field

# ---- assaults


@pytest.mark.clause("AC-HOUSE-ASSAULT")
def test_a_round_in_pairs() -> None:
    assert clash([5, 5], [4, 6], 0, 0, 2, 2) == (1, 1)
    assert clash([5], [5], 0, 0, 1, 1) == (0, 0)  # ties nothing
    assert clash([5], [5], 1, 0, 1, 1) == (0, 1)
    assert clash([5], [7], 0, 0, 3, 1) == (0, 0)  # two surplus soldiers add 1 each
    assert clash([5, 5], [5, 5], 0, 0, 3, 2) == (0, 1)  # one adds to the first pair
    assert clash([5], [6], 0, 0, 1, 4) == (1, 0)
    assert clash([5, 5], [6, 6], 0, 0, 5, 2) == (0, 1)  # three: two for the first pair, one for the second
    assert clash([6, 6], [5, 5], 0, 0, 2, 5) == (1, 0)
    assert clash([7], [5], 0, 0, 1, 4) == (1, 0)  # the three add to the defenders as well
    # those who are fewer lose nothing by it
    assert clash([9], [5], 0, 0, 1, 4) == (0, 1)
    assert clash([5], [9], 0, 0, 4, 1) == (1, 0)


@pytest.mark.clause("AC-HOUSE-ASSAULT")
def test_who_wins_goes_in() -> None:
    table = Table(
        house(),
        unit("assault_team", "g8.4", models=2),
        unit("militia", "house.1:0", side=1, models=1, detected=True),
        dice=[5, 6],
    )
    table.do(WhereTo(0, "move", side=0))
    table.say(TargetUnit(1))
    assert not table.unit(1).alive
    assert table.unit(0).place == table.place("house.1:0")
    assert table.happened()[:2] == ["assault", "takes"]
    table.done()


@pytest.mark.clause("AC-HOUSE-ASSAULT")
@pytest.mark.parametrize("gone", [0, 1])
def test_a_round_with_somebody_who_is_gone_is_none(gone: int) -> None:
    """Whoever falls before it comes to blows fights nobody, and no room is taken of him."""
    table = Table(field(), unit("militia", "g1.1"), unit("militia", "g2.1", side=1, detected=True))
    table.r.lose(table.unit(gone), 4, "penetrated")
    table.do(Melee(0, table.place("g2.1"), 1))
    assert not table.events(Fought)
    assert table.happened() == []
    table.done()


@pytest.mark.clause("AC-HOUSE-FIRE", "AC-FIRE-4", "AC-HOUSE-ASSAULT")
def test_who_wins_a_burning_room_burns() -> None:
    """On entry, as anybody who goes there: factor 5 against class 4 on 5; and again when the turn ends."""
    table = Table(
        house(),
        unit("assault_team", "g8.4", models=2),
        unit("militia", "house.1:0", side=1, models=1, detected=True),
        dice=[5, 6, [4, 5], 5],
        options={"fires": True},
    )
    table.r.set_extra(fires=(Fire(0, ((table.place("house.1:0"), 1),)),))
    table.do(WhereTo(0, "move", side=0))
    table.say(TargetUnit(1))
    assert (table.unit(0).place, table.unit(0).models) == (table.place("house.1:0"), 1)
    flames.burn_all(table.r)
    assert not table.unit(0).alive
    burns = [(e.turn, e.actor, e.object, e.attempt) for e in table.events(Rolled) if e.purpose == "burns"]
    assert len(set(burns)) == len(burns) == 2, "no die of the one is a die of the other"
    table.done()


@pytest.mark.clause("AC-HOUSE-ASSAULT")
def test_who_is_left_in_the_room_is_fought_afresh() -> None:
    """Two teams hold it. The first falls in the second round; the second is met in a first round of its own, and nobody is in
    before it has fallen too. In one round both sides may lose."""
    table = Table(
        house(),
        unit("assault_team", "g8.4", models=3),
        unit("militia", "house.1:0", side=1, models=1, detected=True),
        unit("militia", "house.1:0", side=1, models=2),
        dice=[5, 10, 5, 1, [10, 1], [1, 10], [9], [9]],
    )
    table.do(WhereTo(0, "move", side=0))
    table.say(TargetUnit(1))
    assert [(f.target, f.round, f.lost, f.inflicted) for f in table.events(Fought)] == [
        (1, 1, 1, 0),
        (1, 2, 0, 1),
        (2, 1, 1, 1),
        (2, 2, 0, 1),
    ]
    assert (table.unit(0).models, table.where(0)) == (1, "house.1:0")
    assert [table.unit(n).alive for n in (1, 2)] == [False, False]
    assert (table.unit(0).own.lost, "thrown back" in table.happened()) == (2, False)
    table.done()


@pytest.mark.clause("AC-HOUSE-ASSAULT")
def test_an_assault_in_which_all_assaulters_fall_moves_nobody() -> None:
    table = Table(
        field(),
        unit("militia", "g1.1", models=1),
        unit("militia", "g2.1", side=1, models=1, detected=True),
        dice=[1, 5],
    )
    table.do(WhereTo(0, "move", side=0))
    table.say(TargetUnit(1))
    assert [table.unit(n).alive for n in (0, 1)] == [False, True]
    assert not {"takes", "thrown back"} & set(table.happened())
    table.done()


@pytest.mark.clause("AC-HOUSE-ASSAULT")
def test_after_three_rounds_the_assaulters_withdraw() -> None:
    table = Table(
        field(),
        unit("militia", "g1.1", models=1),
        unit("militia", "g2.1", side=1, models=1, detected=True),
        dice=[5, 5] * 3,
    )
    table.do(WhereTo(0, "move", side=0))
    table.say(TargetUnit(1))
    assert [f.round for f in table.events(Fought)] == [1, 2, 3]
    assert table.unit(0).place == table.place("g1.1")
    assert "thrown back" in table.happened()
    table.done()


@pytest.mark.clause("AC-HOUSE-ASSAULT")
def test_who_falls_in_the_third_round_is_not_thrown_back() -> None:
    """One against two: one pair, and the second defender adds 1."""
    table = Table(
        field(),
        unit("militia", "g1.1", models=1),
        unit("militia", "g2.1", side=1, models=2, detected=True),
        dice=[6, 5, 6, 5, 5, 5],
    )
    table.do(WhereTo(0, "move", side=0))
    table.say(TargetUnit(1))
    assert [(f.round, f.lost) for f in table.events(Fought)] == [(1, 0), (2, 0), (3, 1)]
    assert "thrown back" not in table.happened()
    table.done()


@pytest.mark.clause("AC-HOUSE-ASSAULT", "AC-HOUSE-DETECT")
def test_running_into_hidden_men_is_an_assault() -> None:
    table = Table(
        field(), unit("militia", "g1.1", models=1), unit("militia", "g2.1", side=1, models=1), dice=[10, 1]
    )
    table.do(WhereTo(0, "move", side=0))
    table.say(MoveTo(table.place("g2.1")))
    assert not table.unit(1).alive
    assert table.unit(0).place == table.place("g2.1")
    assert "runs into" in table.happened()


@pytest.mark.clause("AC-HOUSE-ASSAULT")
def test_not_at_the_double_not_suppressed_not_in_vehicles_not_against_machines() -> None:
    foes = [unit("militia", "g2.1", side=1, detected=True), unit("turret", "g1.2", side=1, detected=True)]
    for kind, order, own, can in (
        ("militia", "move", {}, True),
        ("militia", "run", {}, False),
        ("militia", "move", {"suppressed": 1}, False),
        ("wardrone", "fire", {}, True),
        ("tank", "move", {}, False),
    ):
        table = Table(field(), unit(kind, "g1.1", **own), *foes)
        table.do(WhereTo(0, order, side=0))
        legal = table.legal if table.ask else [Pass()]
        assert (TargetUnit(1) in legal) is can
        assert TargetUnit(2) not in legal


@pytest.mark.clause("AC-HOUSE-ASSAULT")
@pytest.mark.parametrize(
    ("models", "foes", "kind", "foe"),
    [(1, 1, "militia", "militia"), (1, 1, "assault_team", "militia"), (2, 1, "militia", "rifle_team")],
)
def test_odds_are_those_of_the_rules(models: int, foes: int, kind: str, foe: str) -> None:
    """The closed form that agents use against all outcomes of the rules' own code."""
    table = Table(field(), unit(kind, "g1.1", models=models), unit(foe, "g2.1", side=1, models=foes))
    from battlesim.rulesets.armorclass.ruleset import RULESET

    found = outcomes(table.state, table.board, RULESET, Melee(0, table.place("g2.1"), 1))
    win = sum((e.chance for e in found if not e.state.units[1].alive), Fraction(0))
    gone = sum((e.chance for e in found if not e.state.units[0].alive), Fraction(0))
    ours, theirs = Fighters(models, TYPES[kind].melee), Fighters(foes, TYPES[foe].melee)
    odds = assault_on(ours, (theirs,))
    assert odds.wins == pytest.approx(float(win))
    assert odds.gone == pytest.approx(float(gone))


# ---- morale


@pytest.mark.clause("AC-HOUSE-MORALE")
@pytest.mark.parametrize(("face", "what", "suppressed"), [(6, "holds", 0), (7, "suppressed", 2)])
def test_who_lost_soldiers_tests_at_the_turns_end(face: int, what: str, suppressed: int) -> None:
    table = Table(
        field(), unit("militia", "g1.1", models=3, lost=1), unit("militia", "g9.1", models=4), dice=[face]
    )
    morale.test_all(table.r)
    assert [t.what for t in table.events(NerveTested)] == [what]
    assert table.unit(0).own.suppressed == suppressed
    table.done()


@pytest.mark.clause("AC-HOUSE-MORALE")
def test_below_half_it_withdraws_to_the_nearest_cover_away_from_the_enemy() -> None:
    board = field("terrain:\n  - {kind: woods, rect: [0, 3, 6, 6]}\n  - {kind: woods, rect: [15, 3, 18, 6]}")
    table = Table(
        board,
        unit("militia", "g3.1", models=1, lost=1, detected=True),
        unit("militia", "g9.1", side=1, detected=True),
        dice=[7],
    )
    morale.test_all(table.r)
    assert table.board.spaces[table.unit(0).place].name == "g1.1"  # not g5.1, which lies nearer to the enemy
    assert table.unit(0).own.suppressed == 0


@pytest.mark.clause("AC-HOUSE-AIM", "AC-HOUSE-MORALE")
def test_a_withdrawal_without_a_way_is_suppression_and_automata_do_not_test() -> None:
    table = Table(
        field(),
        unit("militia", "g3.1", models=1, lost=1),
        unit("automated_strongpoint", "g5.1", lost=1),
        unit("gun_drone", "g7.1", lost=1),
        unit("strongpoint", "g9.1", lost=1),
        dice=[10, 9],
    )
    morale.test_all(table.r)
    assert [(t.unit, t.what) for t in table.events(NerveTested)] == [(0, "suppressed"), (3, "suppressed")]
    table.done()


@pytest.mark.clause("AC-HOUSE-MORALE")
def test_the_suppressed_do_not_advance() -> None:
    table = Table(
        field(), unit("militia", "g3.1", suppressed=1), unit("militia", "g12.1", side=1, detected=True)
    )
    table.do(WhereTo(0, "move", side=0))
    columns = {
        int(table.board.spaces[a.place].name[1:].split(".")[0]) for a in table.legal if isinstance(a, MoveTo)
    }
    assert columns == {1, 2, 3}
    table.state.turn = 2
    later = Table(
        field(), unit("militia", "g3.1", suppressed=0), unit("militia", "g12.1", side=1, detected=True)
    )
    later.do(WhereTo(0, "move", side=0))
    assert MoveTo(later.place("g5.1")) in later.legal


# ---- movement


@pytest.mark.clause("AC-HOUSE-MOVE")
@pytest.mark.parametrize(
    ("kind", "inches"), [("militia", 6), ("wardrone", 8), ("tank", 12), ("turret", 0), ("strongpoint", 0)]
)
def test_how_far(kind: str, inches: int) -> None:
    assert ground.pace(TYPES[kind]) == inches * INCH
    assert ground.pace(TYPES[kind], run=True) == 2 * inches * INCH


@pytest.mark.clause("AC-HOUSE-MOVE")
def test_rough_ground_counts_double_and_openings_cost() -> None:
    board = house(more="terrain:\n  - {kind: rough, rect: [0, 0, 6, 6]}")
    table = Table(
        board, unit("militia", "g8.4"), unit("militia", "g0.0"), unit("militia", "g9.3"), unit("tank", "g8.3")
    )
    reach = {
        n: ground.reach(table.state, board, table.unit(n), 12 * INCH, frozenset()).cost for n in range(4)
    }
    hall, upper = board.space("house.1:0"), board.space("house.1:1")
    door = next(
        w
        for w in board.ways
        if w.kind == "door" and board.openings[w.opening].kind == "door" and w.a == board.space("g8.4")
    )
    window = next(
        w
        for w in board.ways
        if w.kind == "door" and board.openings[w.opening].kind == "window" and w.a == board.space("g9.3")
    )
    assert reach[0][hall] == door.length
    assert reach[0][upper] == door.length + 3 * INCH
    assert reach[2][hall] == window.length + 2 * INCH
    assert reach[1][board.space("g1.0")] == 2 * 3 * INCH
    assert hall not in reach[3]


@pytest.mark.clause("AC-HOUSE-MOVE")
def test_a_space_holds_two_friendly_units() -> None:
    table = Table(
        field(),
        unit("militia", "g1.1"),
        unit("militia", "g2.1"),
        unit("militia", "g3.1"),
        unit("militia", "g3.1"),
    )
    table.do(WhereTo(0, "move", side=0))
    assert MoveTo(table.place("g2.1")) in table.legal
    assert MoveTo(table.place("g3.1")) not in table.legal


@pytest.mark.clause("AC-TYPE-3", "AC-TYPE-5", "AC-HOUSE-MOVE")
def test_tunnels_join_what_no_door_does() -> None:
    """On the bastion's map the shelter has no way in from above: tunnels lead to two pillboxes and to an entrance of its own."""
    table = Table("bastion", unit("militia", "west-box.1:0"), unit("militia", "g10.13"), unit("tank", "g5.8"))
    board = table.board
    found = ground.reach(table.state, board, table.unit(0), 20 * INCH, frozenset())
    assert board.space("shelter.1:0") in found.cost
    path = ground.path_to(found, table.unit(0).place, board.space("shelter.1:0"))
    assert [board.spaces[p].name for p in path] == ["west-box.1:0", "shelter.1:0"]
    beside = ground.reach(table.state, board, table.unit(1), 6 * INCH, frozenset())
    assert board.space("shelter.1:0") not in beside.cost
    table.r.move(table.unit(0), (board.space("bunker-door.1:0"),))
    table.do(WhereTo(0, "run", side=0))
    table.say(MoveTo(board.space("shelter.1:0")))
    assert {"AC-TYPE-3", "AC-HOUSE-MOVE"} <= table.clauses()


@pytest.mark.clause("AC-HOUSE-TURN", "AC-HOUSE-MOVE")
def test_orders() -> None:
    table = Table(
        field(),
        unit("militia", "g1.1"),
        unit("militia", "g4.1", side=1, detected=True),
        unit("turret", "g9.9"),
    )
    table.do(WhichOrder(0, side=0))
    assert table.legal == [Order("stand"), Order("fire"), Order("move"), Order("run")]
    fixed = Table(field(), unit("turret", "g9.9"), unit("militia", "g4.1", side=1))
    fixed.do(WhichOrder(0, side=0))  # it can only stand, and has nothing to fire at
    assert fixed.ask is None


@pytest.mark.clause("AC-HOUSE-ASSAULT", "AC-HOUSE-TURN")
def test_who_has_only_an_enemy_to_go_to_may_assault_him() -> None:
    """Upstairs, with the enemy at the foot of the only stairs, there is nowhere to go, but somebody to fight."""
    table = Table(
        house(), unit("rifle_team", "house.1:1"), unit("militia", "house.1:0", side=1, detected=True)
    )
    table.do(WhichOrder(0, side=0))
    assert table.legal == [Order("stand"), Order("move")]  # nobody assaults at a run
    table.say(Order("move"))
    assert table.legal == [Pass(), TargetUnit(1)]
    held = unit("rifle_team", "house.1:1", suppressed=1)
    shaken = Table(house(), held, unit("militia", "house.1:0", side=1, detected=True))
    shaken.do(WhichOrder(0, side=0))  # the suppressed do not assault
    assert shaken.ask is None


@pytest.mark.clause("AC-HOUSE-HIT", "AC-HOUSE-MOVE", "AC-HOUSE-DETECT")
@pytest.mark.parametrize(("foe", "moved"), [("", 2), ("g3.1", 1), ("g4.1", 1), ("g5.1", 2)])
def test_who_is_stopped_early_has_moved_so_far_only(foe: str, moved: int) -> None:
    """A car sets out on a whole move of twelve inches. Stopped by a hidden enemy after three or six it has not moved more than
    half."""
    others = [unit("scout_car", foe, side=1)] if foe else []
    table = Table(
        field(), unit("scout_car", "g1.1"), *others, unit("militia", "g19.9", side=1), dice=[10] * 3
    )
    table.do(WhereTo(0, "move", side=0))
    table.say(MoveTo(table.place("g5.1")))
    assert table.unit(0).own.moved == moved
