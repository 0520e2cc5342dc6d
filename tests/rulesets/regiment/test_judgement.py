"""What players of regiments make of a position: garrisons hold, what is held and shot counts. Charges and flight:
`test_judgement_of_charges.py`."""

from __future__ import annotations

from math import inf

import pytest

from battlesim.core.answers import MoveTo, Order, Pass, TargetUnit
from battlesim.evaluation.parameters import judgement_with, parameters_of, weights_of
from battlesim.rules.contract import Features, weigh
from battlesim.rules.scenario import Objective
from battlesim.rulesets.regiment import charge, contenders, fire, move
from battlesim.rulesets.regiment.contenders import JUDGE
from battlesim.rulesets.regiment.expected import Toll
from battlesim.rulesets.regiment.judgement import USUAL, Judgement
from battlesim.rulesets.regiment.model import FRONT, MOVE, MOVED, RAN, SHOOT
from battlesim.rulesets.regiment.observation import observe
from tests.rulesets.regiment.grounds import EAST, FIELD, HOUSE, NORTH, ROW, SOUTH, WEST, house
from tests.rulesets.regiment.kit import Table, appraisal, best, held, unit, value

BROOK = "terrain:\n  - {kind: water, line: [[10.5, 0], [10.5, 36]], width: 2}"
BRIDGED = BROOK.replace("[10.5, 36]", "[10.5, 27]")


# A garrison does not walk out of the objective that it holds, nor of one that only the enemy scores.
@pytest.mark.parametrize("foe", ["swordsmen", "zealots", "knights"])
@pytest.mark.parametrize(
    "side", [pytest.param(-1, id="either scores"), pytest.param(1, id="the enemy scores")]
)
def test_a_garrison_stays_on_its_objective(foe: str, side: int) -> None:
    table = Table(
        HOUSE,
        unit("spearmen", at="house.1:0"),
        unit(foe, at="g4.0", side=1, facing=NORTH),
        phase=MOVE,
        objectives=held(side=side),
    )
    assert best(table, move.WhichOrder(0, side=0)) == Order("hold")


def test_who_stands_on_an_objective_is_no_farther_from_it_than_who_stands_before_it() -> None:
    table = Table(HOUSE, unit("spearmen", at="g3.4"), unit("levy", at="g12.9", side=1), objectives=held())
    s = appraisal(table)
    inside, before = table.place("house.1:0"), table.place("g3.4")
    assert s.progress(table.unit(0), inside) > s.progress(table.unit(0), before)


def test_a_lone_character_goes_to_hold_nothing_that_a_charge_would_take() -> None:
    """Its unit cannot enter the house. Enemies that face the house would charge it there; those that face away cannot."""

    def leaves(facing: int, judgement: Judgement = USUAL) -> bool:
        table = Table(
            HOUSE,
            unit("knights", at="g6.5", facing=EAST),
            unit("captain", at="g6.5", joined=0),
            unit("swordsmen", at="g1.5", side=1, facing=facing),
            turn=4,
            turns=6,
            phase=MOVE,
            objectives=held(),
        )
        return best(table, move.WhichOrder(1, side=0), judgement) == Order("advance")

    assert leaves(WEST)
    assert not leaves(EAST)
    assert leaves(EAST, judgement_with(Judgement, {"driven": 0.0}))


def test_who_would_lose_as_things_stand_has_little_more_to_lose_in_the_last_turn() -> None:
    """The enemy holds the house. In the last turn one's own losses count less against an attack; before, and where nobody is
    ahead, they count in full."""

    def attack(turn: int, points: int, behind: float = USUAL.behind) -> Features:
        table = Table(
            HOUSE,
            unit("levy", at="g3.4", facing=EAST),
            unit("swordsmen", at="house.1:0", side=1),
            unit("archers", at="g3.9", side=1, facing=SOUTH),
            turn=turn,
            turns=6,
            objectives=held(points),
        )
        view = observe(table.state, table.board, 0, ())
        judgement = judgement_with(Judgement, {"behind": behind})
        return JUDGE.features(view, table.board, charge.ChargeWhom(0, side=0), [TargetUnit(1)], judgement)[0]

    usual, last = attack(6, 150, 1.0), attack(6, 150)
    assert usual.taken > 0 < usual.exposure
    assert last.taken == pytest.approx(USUAL.behind * usual.taken)
    assert last.exposure == pytest.approx(USUAL.behind * usual.exposure)
    assert last.dealt == usual.dealt
    for turn, points in ((5, 150), (6, 0)):
        assert attack(turn, points) == attack(turn, points, 1.0)


@pytest.mark.clause("RG-HOUSE-SHOOT")
def test_who_faces_several_targets_counts_the_best_shot_alone() -> None:
    targets = [unit("guard", at=at, side=1, facing=WEST) for at in ("g6.4", "g6.5", "g6.6")]
    table = Table(FIELD, unit("archers", at="g2.5", facing=EAST, models=10), *targets)
    s = appraisal(table)
    one = table.unit(0)
    assert s.value_of_facing(one, EAST).dealt == pytest.approx(s.best_shot(one, one.place, False))


@pytest.mark.clause("RG-HOUSE-SHOOT")
def test_who_turns_before_it_shoots_counts_the_shot_of_this_turn_as_harm_done() -> None:
    """Who ran shoots next turn at the earliest; who advanced shoots now, though worse than who stood."""

    def turned(facing: int, moved: str) -> Features:
        archers = unit("archers", at="g2.5", facing=EAST, models=10, moved=moved)
        table = Table(FIELD, archers, unit("guard", at="g6.5", side=1, facing=EAST))
        s = appraisal(table, judgement_with(Judgement, {"faced": 0.0}))
        return s.value_of_facing(table.unit(0), facing)

    stood, advanced, ran = (turned(EAST, moved) for moved in ("", MOVED, RAN))
    assert stood.dealt > advanced.dealt > 0 == ran.dealt == turned(WEST, "").dealt
    assert ran.ready > 0


@pytest.mark.parametrize("kept", [False, True])
def test_a_garrison_does_not_leave_an_objective_to_nobody_for_a_charge_to_come(kept: bool) -> None:
    """The charge next turn counts in full only where a friend stays on the objective that the unit leaves."""
    places = (ROW.space("row.r1:0"), ROW.space("row.r2:0"))
    garrisons = [unit("swordsmen", at="row.r1:0"), unit("levy", at="g4.0", side=1, facing=NORTH)]
    garrisons += [unit("spearmen", at="row.r2:0")] if kept else []
    goal = (Objective("hold", "the row", 100, places=places),)
    table = Table(ROW, *garrisons, phase=MOVE, objectives=goal)
    s, one = appraisal(table), table.unit(0)
    away = [
        place
        for place in move.destinations(table.state, ROW, one, "advance")
        if ROW.spaces[place].kind == "ground"
    ]
    before = max(away, key=lambda place: s.charge_prospect(one, place))
    share = 1.0 if kept else USUAL.sally
    whole = USUAL.prospect * s.charge_prospect(one, before)
    assert whole > 0
    assert s.value_of_place(one, before, True, False).ready == pytest.approx(share * whole)


@pytest.mark.clause("RG-HOUSE-SHOOT")
def test_a_shot_now_does_not_take_away_the_shot_of_the_next_turn() -> None:
    table = Table(FIELD, unit("archers", at="g2.5"), unit("guard", at="g6.5", side=1, facing=EAST))
    s, one = appraisal(table), table.unit(0)
    shoots, waits = (s.value_of_place(one, one.place, False, shoots) for shoots in (True, False))
    assert shoots.ready == waits.ready > 0
    assert shoots.dealt > 0 == waits.dealt


def test_a_stone_is_not_thrown_where_it_is_likelier_to_hit_friends() -> None:
    table = Table(
        FIELD,
        unit("stone_thrower", at="g1.6", facing=0),
        unit("levy", at="g9.6", side=1, models=2),
        unit("guard", at="g9.7"),
        unit("guard", at="g9.5"),
        phase=SHOOT,
    )
    assert best(table, fire.AtWhom(0, side=0)) == Pass()
    alone = Table(
        FIELD, unit("stone_thrower", at="g1.6", facing=0), unit("levy", at="g9.6", side=1), phase=SHOOT
    )
    assert best(alone, fire.AtWhom(0, side=0)) == TargetUnit(1)


@pytest.mark.parametrize(("kind", "at"), [("archers", "g8.8"), ("swordsmen", "house.1:0")])
@pytest.mark.parametrize("order", ["advance", "run"])
def test_a_place_that_is_left_out_could_not_have_been_the_best(kind: str, at: str, order: str) -> None:
    """Players that want only the best place look at others only while they may be it. A charge next turn starts outdoors, also
    that of a unit which is still in a house."""
    table = Table(
        HOUSE,
        unit(kind, at=at, facing=WEST),
        unit("knights", at="g1.8", side=1, facing=0),
        unit("levy", at="g2.2", side=1, facing=0),
        phase=MOVE,
        objectives=held(100),
    )
    ask = move.WhereTo(0, order, side=0)
    legal = table.ruleset.legal(table.state, HOUSE, ask)
    view = observe(table.state, HOUSE, 0, ())
    scored = contenders.JUDGE.scores(view, HOUSE, ask, legal)
    full = [weigh(f, weights_of(USUAL)) for f in JUDGE.features(view, HOUSE, ask, legal)]
    assert isinstance(legal[0], Pass)
    assert all(isinstance(answer, MoveTo) for answer in legal[1:])
    assert all(score in (one, -inf) for score, one in zip(scored, full, strict=True))
    assert scored.index(max(scored)) == full.index(max(full))
    assert -inf in scored
    s, mover = appraisal(table), table.state.units[0]
    for answer, one in zip(legal[1:], full[1:], strict=True):
        assert isinstance(answer, MoveTo)
        acts = s.value_of_acts(mover, answer.place, order == "advance")
        assert one <= s.value_of_standing(mover, answer.place) + acts + 1e-9
        assert acts <= s.most_by_act(mover, order == "advance") + 1e-9


def test_every_parameter_is_declared_with_its_meaning_and_range() -> None:
    names = [one.name for one in parameters_of(Judgement)]
    assert len(names) > 25
    assert len(set(names)) == len(names)


def test_an_objective_that_only_the_enemy_scores_is_contested_too() -> None:
    """To be on it keeps him from his points: a share (`denied`) of what one's own would count, in all that it bears on."""
    inside, before = HOUSE.space("house.1:0"), HOUSE.space("g3.4")

    def worth(side: int, denied: float = USUAL.denied) -> list[float]:
        goal = Objective("hold", "the house", 150, side=side, places=(inside,))
        table = Table(
            HOUSE,
            unit("spearmen", at="g3.4"),
            unit("levy", at="house.1:0", side=1),
            phase=MOVE,
            objectives=(goal,),
        )
        s = appraisal(table, judgement_with(Judgement, {"denied": denied, "hunt": 0.0}))
        one = table.unit(0)
        return [s.held_points(one, inside), s.progress(one, before), s.at_stake(table.unit(1))]

    ours, theirs = worth(0), worth(1)
    assert min(ours) > 0
    assert ours == worth(-1)
    assert theirs == pytest.approx([USUAL.denied * value for value in ours])
    assert worth(1, denied=0.0) == [0, 0, 0]


@pytest.mark.clause("RG-ATT-5")
def test_who_attacks_a_house_from_outside_may_be_shot_at() -> None:
    table = Table(
        HOUSE,
        unit("archers", at="g8.8", facing=SOUTH),
        unit("spearmen", at="house.1:0", foes={2: FRONT}),
        unit("levy", at="g6.4", side=1, facing=WEST, foes={1: FRONT}),
        phase=MOVE,
    )
    assert appraisal(table).best_shot(table.unit(0), table.unit(0).place, False) > 0


@pytest.mark.clause("RG-HOUSE-VICTORY")
@pytest.mark.parametrize("turn", [5, 6])
def test_who_flees_as_the_battle_ends_is_lost_and_has_no_more_to_lose(turn: int) -> None:
    """In the last turn flight costs a unit all it is worth, unless its side has its own turn before it; before that, a share.
    To run down who flees is worth the rest, and its standard."""
    last = turn == 6
    table = Table(
        FIELD,
        unit("knights", at="g3.6", facing=0),
        unit("levy", at="g5.6", side=1, fleeing=True),
        unit("spearmen", at="g8.3", side=1),
        turn=turn,
        side=1,
        turns=6,
    )
    s, steady, fled = appraisal(table), table.unit(2), table.unit(1)
    assert (s.value_of_toll(steady, Toll(flees=1.0)) == s.worth_left(steady)) == last
    assert (s.worth_left(fled) == 0) == last
    run_down = value(table, charge.ChargeWhom(0, side=0), TargetUnit(1))
    assert (run_down.dealt == 0) == last
    before = Table(FIELD, unit("knights", at="g3.6"), unit("spearmen", at="g8.3", side=1), turn=turn, turns=6)
    s = appraisal(before)  # the enemy's own turn is to come, and he may rally as it begins
    assert s.value_of_toll(before.unit(1), Toll(flees=1.0)) < s.worth_left(before.unit(1))


@pytest.mark.parametrize("terrain", [BROOK, BRIDGED], ids=["brook", "bridged"])
def test_nearness_to_an_objective_counts_by_the_way_that_leads_there(terrain: str) -> None:
    """Who stands on the bank opposite the house is farther from it than who stands where the brook can be crossed."""
    table = Table(
        house(terrain=terrain),
        unit("spearmen", at="g2.4"),
        unit("levy", at="g12.9", side=1),
        objectives=held(),
    )
    s = appraisal(table)
    bank, crossing = (s.progress(table.unit(0), table.place(at)) for at in ("g2.4", "g3.9"))
    assert (crossing > bank) == (terrain == BRIDGED)


def test_horse_is_drawn_to_where_the_ruin_of_a_house_would_lie() -> None:
    places = (HOUSE.space("house.1:0"), *(s.id for s in HOUSE.spaces if s.kind == "ruin"))
    goal = (Objective("hold", "the house", 150, places=places),)
    table = Table(HOUSE, unit("knights", at="g0.0"), unit("levy", at="g12.9", side=1), objectives=goal)
    s = appraisal(table)
    far, near = (s.progress(table.unit(0), table.place(at)) for at in ("g0.0", "g3.3"))
    assert near > far > 0


def test_next_door_is_not_there_yet() -> None:
    goal = (Objective("hold", "the second room", 150, places=(ROW.space("row.r2:0"),)),)
    table = Table(
        ROW,
        unit("spearmen", at="row.r1:0"),
        unit("levy", at="g12.9", side=1),
        objectives=goal,
        turns=1,
        phase=MOVE,
    )
    s = appraisal(table)
    beside, there = (s.progress(table.unit(0), table.place(at)) for at in ("row.r1:0", "row.r2:0"))
    assert beside == 0 < there


def test_who_has_nothing_to_gain_rather_stays() -> None:
    """Nobody to fight and nothing to hold: one place is as good as the other."""
    table = Table(FIELD, unit("spearmen", at="g4.4"), phase=MOVE)
    for ask, stays, goes in (
        (move.WhichOrder(0, side=0), Order("hold"), Order("advance")),
        (move.WhereTo(0, "advance", side=0), Pass(), MoveTo(table.place("g4.5"))),
    ):
        stay, go = (weigh(value(table, ask, answer), weights_of(USUAL)) for answer in (stays, goes))
        assert stay > go
