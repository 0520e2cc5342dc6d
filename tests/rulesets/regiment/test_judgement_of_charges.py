"""What players of regiments make of charges: which are feared, what walls and facing change, and what flight costs."""

from __future__ import annotations

from math import sqrt
from typing import Any

import pytest

from battlesim.core.answers import MoveTo, Order, Pass, TargetUnit
from battlesim.core.dice import KeyedDice
from battlesim.core.items import Ask, Step
from battlesim.evaluation.parameters import judgement_with
from battlesim.rules.contract import Features
from battlesim.rules.resolution import Resolution
from battlesim.rules.scenario import Objective
from battlesim.rulesets.regiment import charge, move, run_down
from battlesim.rulesets.regiment.judgement import USUAL, Judgement
from battlesim.rulesets.regiment.model import CHARGED, FRONT, MOVE, REAR
from battlesim.rulesets.regiment.ruleset import RULESET
from tests.rulesets.regiment.grounds import EAST, FIELD, HOUSE, HUT, NORTH, ROW, SOUTH, WEST
from tests.rulesets.regiment.kit import Table, appraisal, best, held, unit, value


def test_sound_walls_shelter_and_unstable_ones_do_not() -> None:
    """A garrison has less to fear from the same charge, and sound walls are worth something by themselves."""
    threats, shelter = [], []
    for board, at in ((HOUSE, "house.1:0"), (HUT, "house.1:0"), (FIELD, "g4.4")):
        table = Table(board, unit("levy", at=at), unit("swordsmen", at="g4.0", side=1, facing=NORTH))
        s = appraisal(table, judgement_with(Judgement, {"walls": 0.1}))
        threats.append(s.threat(table.unit(0), table.place(at)))
        shelter.append(s.shelter(table.unit(0), table.place(at)))
    assert threats[0] < threats[2]
    assert shelter[0] > 0 == shelter[2]


@pytest.mark.clause("RG-HOUSE-MOVE")
def test_only_a_charge_that_can_come_is_feared() -> None:
    """Who faces away or has a house between charges nobody next turn."""

    def threat(at: str, facing: int) -> float:
        table = Table(HOUSE, unit("levy", at="g3.4"), unit("knights", at=at, side=1, facing=facing))
        return appraisal(table).threat(table.unit(0), table.place("g3.4"))

    assert threat("g0.4", EAST) > 0
    assert threat("g0.4", WEST) == 0 == threat("g6.4", WEST)


def test_what_is_held_counts_less_where_a_charge_would_break_the_holder() -> None:
    def share(kind: str, facing: int, driven: float) -> float:
        foe = unit("guard", at="g1.5", side=1, facing=facing)
        table = Table(HOUSE, unit(kind, at="house.1:0"), foe, objectives=held())
        s = appraisal(table, judgement_with(Judgement, {"driven": driven}))
        return s.held_points(table.unit(0), table.place("house.1:0"))

    assert share("captain", EAST, 0.5) < share("guard", EAST, 0.5) < share("captain", WEST, 0.5)
    assert share("captain", EAST, 0.0) == share("captain", WEST, 0.5)


def feared_facing(*foes: dict[str, Any]) -> dict[int, float]:
    """What a unit of spearmen has to fear by its facing."""
    table = Table(FIELD, unit("spearmen", at="g4.4"), *foes)
    s = appraisal(table)
    return {facing: s.value_of_facing(table.unit(0), facing).risk for facing in range(8)}


@pytest.mark.clause("RG-HOUSE-RESULT")
def test_a_charge_costs_more_in_the_flank_and_most_in_the_rear() -> None:
    """What it costs is what the charge promises from that arc, less part of what the charger would lose."""
    knights = unit("knights", at="g8.4", side=1, facing=WEST)
    risk = feared_facing(knights)
    assert risk[EAST] < risk[NORTH] == risk[SOUTH] < risk[WEST]
    table = Table(FIELD, unit("spearmen", at="g4.4"), knights)
    s, foe, mine = appraisal(table), table.unit(1), table.unit(0)
    dealt, taken = s.value_of_clash(foe, mine, s.clash(foe, foe.place, mine, mine.place, REAR, True), True)
    assert risk[WEST] == pytest.approx(USUAL.flank * (dealt - USUAL.repaid * taken))


@pytest.mark.clause("RG-HOUSE-MOVE")
@pytest.mark.parametrize(
    "foe",
    [
        unit("knights", at="g8.4", side=1, facing=EAST),
        unit("swordsmen", at="g9.4", side=1, facing=WEST),
        unit("knights", at="g8.4", side=1, facing=WEST, fleeing=True),
    ],
    ids=["it faces away", "it is too far", "it flees"],
)
def test_no_flank_is_guarded_against_who_cannot_charge(foe: dict[str, Any]) -> None:
    assert set(feared_facing(foe).values()) == {0.0}


@pytest.mark.clause("RG-HOUSE-TRAITS")
def test_no_charge_is_feared_from_behind_another_unit() -> None:
    knights, between = unit("knights", at="g8.4", side=1, facing=WEST), unit("levy", at="g6.4", facing=EAST)
    assert feared_facing(knights)[WEST] > 0
    assert set(feared_facing(knights, between).values()) == {0.0}


@pytest.mark.clause("RG-HOUSE-FORM")
def test_of_two_chargers_only_one_can_be_faced() -> None:
    """A place between two chargers is worse than one where both can be faced, however the unit turns there."""

    def threat(*places: tuple[str, int]) -> float:
        foes = [unit("knights", at=at, side=1, facing=facing) for at, facing in places]
        table = Table(FIELD, unit("levy", at="g4.4"), *foes)
        return appraisal(table).threat(table.unit(0), table.place("g4.4"))

    before, behind = ("g8.4", WEST), ("g0.4", EAST)
    assert threat(before) == pytest.approx(threat(behind))
    assert threat(before, behind) > threat(before, ("g8.5", WEST)) > threat(before)


@pytest.mark.clause("RG-HOUSE-MOVE")
def test_who_runs_shows_its_back_to_whom_it_runs_from_and_charges_only_ahead() -> None:
    """After a run a unit faces along its path; an advance leaves it free to turn."""
    table = Table(
        FIELD, unit("knights", at="g6.4"), unit("knights", at="g10.4", side=1, facing=WEST), phase=MOVE
    )
    away, near = MoveTo(table.place("g4.4")), MoveTo(table.place("g7.4"))
    assert move.facing_after_run(table.state, FIELD, table.unit(0), away.place) == WEST

    def promised(order: str, answer: MoveTo) -> Features:
        return value(table, move.WhereTo(0, order, side=0), answer)

    assert promised(move.RUN, away).exposure > promised(move.ADVANCE, away).exposure
    assert promised(move.RUN, away).ready == 0 < promised(move.ADVANCE, away).ready
    assert promised(move.RUN, near).exposure == promised(move.ADVANCE, near).exposure
    assert promised(move.RUN, near).ready == promised(move.ADVANCE, near).ready > 0


def test_a_strong_unit_does_not_flee_from_a_weak_charge_nor_a_garrison_from_any() -> None:
    for at in ("g4.4", "g4.6"):
        table = Table(
            FIELD, unit("guard", at=at, facing=SOUTH), unit("levy", at="g4.2", side=1, facing=NORTH)
        )
        assert best(table, charge.React(0, 1, side=0)) != Order("flee")


def test_horse_does_not_charge_sound_walls_that_it_cannot_break() -> None:
    table = Table(HOUSE, unit("light_horse", at="g1.4", facing=0), unit("guard", at="house.1:0", side=1))
    assert TargetUnit(1) in table.ruleset.legal(table.state, HOUSE, charge.ChargeWhom(0, side=0))
    assert best(table, charge.ChargeWhom(0, side=0)) == Pass()


@pytest.mark.clause("RG-ATT-5")
def test_who_besieges_a_house_counts_the_fight_that_it_would_leave() -> None:
    """It may move away, and gives up what it would deal, and take."""
    table = Table(
        HOUSE,
        unit("guard", at="g6.4", facing=WEST, foes={1: FRONT}),
        unit("levy", at="house.1:0", side=1, foes={0: FRONT}),
        phase=MOVE,
        objectives=held(),
    )
    stays, goes = (value(table, move.WhichOrder(0, side=0), Order(name)) for name in ("hold", "advance"))
    assert stays.dealt > 0 < stays.taken
    assert goes.dealt == 0
    assert value(table, move.WhereTo(0, "advance", side=0), Pass()).dealt == stays.dealt
    assert value(table, charge.ChargeWhom(0, side=0), Pass()).dealt == stays.dealt


@pytest.mark.clause("RG-HOUSE-FLEE")
def test_flight_off_the_table_is_counted() -> None:
    """Who is charged near its edge loses more by flight than in the middle."""
    lost = []
    for spot in (4, 10):
        table = Table(
            FIELD,
            unit("levy", at=f"g7.{10 - spot}", facing=NORTH),
            unit("swordsmen", at=f"g7.{13 - spot}", side=1, facing=SOUTH),
        )
        lost.append(value(table, charge.React(0, 1, side=0), Order("flee")).taken)
    assert lost[1] > 1.1 * lost[0]


@pytest.mark.clause("RG-HOUSE-FLEE")
def test_who_flees_from_one_charge_may_be_run_down_by_another() -> None:
    """Horse that may still charge where the flight ends makes it worse; horse that faces away, or has charged, does not."""

    def lost(facing: int, **own: int) -> float:
        table = Table(
            FIELD,
            unit("levy", at="g7.5", facing=SOUTH),
            unit("swordsmen", at="g7.3", side=1, facing=NORTH),
            unit("knights", at="g10.5", side=1, facing=facing, **own),
        )
        return value(table, charge.React(0, 1, side=0), Order("flee")).taken

    assert lost(WEST) > 1.1 * lost(EAST)
    assert lost(WEST, moved=CHARGED) == lost(EAST)


@pytest.mark.clause("RG-HOUSE-FLEE")
@pytest.mark.parametrize("spot", ["g10.6", "g10.7", "g10.9", "g4.8"])
def test_flight_from_two_chargers_ends_as_often_as_the_rules_have_it(spot: str) -> None:
    """The first charges, and the second wherever it still may; within a fiftieth, and what the dice may miss."""

    def begun() -> Table:
        return Table(
            FIELD,
            unit("levy", at="g7.5", facing=SOUTH),
            unit("swordsmen", at="g7.3", side=1, facing=NORTH),
            unit("knights", at=spot, side=1, facing=WEST if spot.startswith("g10") else EAST),
        )

    samples, gone = 200, 0
    for seed in range(samples):
        table = begun()
        r = Resolution(table.state, table.board, KeyedDice(seed))
        for number in (1, 2):
            ask = charge.ChargeWhom(number, side=1)
            if TargetUnit(0) not in RULESET.legal(r.state, r.board, ask):
                continue
            RULESET.answer(r, ask, TargetUnit(0))
            while r.state.stack:
                top = r.state.stack[-1]
                r.state.stack = r.state.stack[:-1]
                if isinstance(top, Ask):
                    legal = RULESET.legal(r.state, r.board, top)
                    RULESET.answer(r, top, Order("flee") if Order("flee") in legal else legal[0])
                elif isinstance(top, Step):
                    RULESET.step(r, top)
        gone += not r.state.units[0].alive
    table = begun()
    expected = run_down.lost(table.state, table.board, table.unit(0), table.unit(1))
    assert abs(gone / samples - expected) < 0.02 + 3 * sqrt(0.25 / samples), (gone / samples, expected)


@pytest.mark.clause("RG-HOUSE-ROOMS")
def test_who_attacks_next_door_leaves_nothing_but_may_lose_all() -> None:
    """It stays in its room while it fights: what it holds is lost if it breaks."""

    def risk(foe: str) -> float:
        goal = Objective("hold", "the room", 100, places=(ROW.space("row.r1:0"),))
        garrisons = unit("spearmen", at="row.r1:0"), unit(foe, at="row.r2:0", side=1)
        return value(
            Table(ROW, *garrisons, objectives=(goal,)), charge.ChargeWhom(0, side=0), TargetUnit(1)
        ).risk

    assert 0 < risk("levy") < risk("guard") < 100
