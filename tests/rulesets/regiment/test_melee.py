"""Several units in one close combat: what players expect of it, held to the rules (RG-HOUSE-RESULT)."""

from __future__ import annotations

from collections.abc import Callable
from math import sqrt

import pytest
from msgspec.structs import replace

from battlesim.core.answers import Answer, Confirm, TargetUnit
from battlesim.core.items import Ask, Step
from battlesim.core.state import Unit
from battlesim.evaluation.parameters import weights_of
from battlesim.rules.contract import Features, weigh
from battlesim.rulesets.regiment import (
    casualties,
    charge,
    estimates,
    expected_close,
    expected_melee,
    fight,
    rout,
)
from battlesim.rulesets.regiment.appraisal import Appraisal
from battlesim.rulesets.regiment.combat_worth import all_of
from battlesim.rulesets.regiment.contenders import JUDGE
from battlesim.rulesets.regiment.expected import Toll
from battlesim.rulesets.regiment.expected_melee import charging
from battlesim.rulesets.regiment.judgement import USUAL
from battlesim.rulesets.regiment.model import FIGHT, FLANK, FRONT, REAR, unit_state
from battlesim.rulesets.regiment.observation import observe
from battlesim.rulesets.regiment.ruleset import RULESET
from battlesim.search.odds import WeightedState, outcomes
from tests.expectations import sampled
from tests.rulesets.regiment.grounds import EAST, FIELD, HOUSE, NORTH, ROW, WEST, row
from tests.rulesets.regiment.kit import Table, appraisal, unit
from tests.rulesets.regiment.situations import clash, measures, policy

ROOMS = row("{}", "{}", "{}")
ROLLED = 250


def rolled(table: Table, work: Step) -> list[WeightedState]:
    """ROLLED results of some work, as dice make them."""
    return sampled(table.state, table.board, RULESET, work, answer=policy, samples=ROLLED)


def between_two() -> Table:
    """Swordsmen have broken in between two garrisons."""
    return Table(
        ROOMS,
        unit("swordsmen", at="row.r2:0", foes={1: FRONT, 2: FRONT}, charged=True),
        unit("spearmen", at="row.r1:0", side=1, foes={0: FRONT}),
        unit("swordsmen", at="row.r3:0", side=1, foes={0: FRONT}),
    )


def in_the_flank() -> Table:
    """Halberdiers have come into the flank of swordsmen who fight spearmen."""
    return Table(
        FIELD,
        unit("swordsmen", at="g7.6", facing=EAST, foes={1: FRONT, 2: FLANK}),
        unit("spearmen", at="g8.6", facing=WEST, side=1, foes={0: FRONT}),
        unit("halberdiers", at="g7.5", facing=NORTH, side=1, foes={0: FRONT}, charged=True),
    )


def of_two_kinds() -> Table:
    """Knights have come to the help of spearmen against ogres."""
    return Table(
        FIELD,
        unit("ogres", at="g7.6", facing=EAST, foes={1: FRONT, 2: FRONT}),
        unit("spearmen", at="g8.6", facing=WEST, side=1, foes={0: FRONT}),
        unit("knights", at="g8.7", facing=WEST, side=1, foes={0: FRONT}, charged=True),
    )


def around_one() -> Table:
    """A giant has enemies before and behind him, and strikes at the first alone."""
    return Table(
        FIELD,
        unit("giant", at="g7.6", facing=EAST, foes={1: FRONT, 2: REAR}),
        unit("levy", at="g8.6", facing=WEST, side=1, models=8, foes={0: FRONT}),
        unit("levy", at="g6.6", facing=EAST, side=1, models=8, foes={0: FRONT}),
    )


@pytest.mark.clause("RG-HOUSE-RESULT")
@pytest.mark.parametrize("made", [between_two, in_the_flank, of_two_kinds, around_one])
def test_who_gives_way_before_several(made: Callable[[], Table]) -> None:
    """Who breaks or falls, as often as the rules have it: each of them within a tenth, and what the dice may miss."""
    table = made()
    one, *others = table.state.units.values()
    found = appraisal(table).melee(one, others)
    endings = rolled(table, fight.Fight((0, 1, 2)))
    for number, expected in enumerate((found.loses, *found.wins)):
        known = measures(table, -1)
        seen = [known[f"gone {number}"](e.state) + known[f"flees {number}"](e.state) for e in endings]
        mean = sum(seen) / len(seen)
        assert abs(mean - expected) < 0.1 + 3 * sqrt(0.25 / len(seen)), (number, expected, mean)


def dealt_in(table: Table, *units: int) -> list[float]:
    """The mean of the wounds that each unit deals in a round among some: exact, by the rules."""
    found = outcomes(table.state, table.board, RULESET, fight.Fight(units), answer=policy, most=200_000)
    return [sum(float(e.chance) * unit_state(e.state.units[n]).dealt for e in found) for n in units]


def expected_to_deal(table: Table, one: int, other: int) -> list[float]:
    """The same as players expect it of two units in contact."""
    state, board = table.state, table.board
    ours, theirs = (estimates.fighter(state, board, table.unit(n)) for n in (one, other))
    found = expected_close.fight(*expected_melee.pair(state, board, ours, theirs))
    return [found.theirs.wounds, found.ours.wounds]


@pytest.mark.slow
@pytest.mark.clause("RG-HOUSE-FIGHT")
def test_a_charge_is_felt_by_those_it_was_made_at() -> None:
    """The chariot touches levies that it did not charge: they take no impact hits, and strike as their initiative says."""
    for charges in ((2,), (0, 2)):
        table = Table(
            FIELD,
            unit("levy", at="g7.6", facing=EAST, models=2, foes={1: FRONT}),
            unit(
                "chariot",
                at="g8.6",
                facing=WEST,
                side=1,
                foes={0: FRONT, 2: FRONT},
                charged=True,
                charges=charges,
            ),
            unit("levy", at="g7.7", facing=EAST, models=5, foes={1: FRONT}),
        )
        assert expected_to_deal(table, 0, 1) == pytest.approx(dealt_in(table, 0, 1), abs=0.01)


@pytest.mark.slow
@pytest.mark.clause("RG-HOUSE-FORM")
def test_two_enemies_share_one_front() -> None:
    """Each of them meets half of the front, and no more models strike there than stand there."""
    table = Table(
        FIELD,
        unit("spearmen", at="g7.6", facing=EAST, models=4, foes={1: FRONT, 2: FRONT}),
        unit("levy", at="g8.6", facing=WEST, side=1, models=4, foes={0: FRONT}),
        unit("levy", at="g8.7", facing=WEST, side=1, models=4, foes={0: FRONT}),
    )
    mine, *theirs = dealt_in(table, 0, 1, 2)
    one, other = expected_to_deal(table, 0, 1), expected_to_deal(table, 0, 2)
    assert one[0] + other[0] == pytest.approx(mine, abs=0.02)
    assert [one[1], other[1]] == pytest.approx(theirs, abs=0.02)


@pytest.mark.clause("RG-HOUSE-FORM")
def test_the_fallen_of_the_last_round_do_not_count_in_the_next() -> None:
    """Five fell in the round before; those behind them have stepped up, and strike."""
    found = []
    for fell in (0, 5):
        table = Table(
            HOUSE,
            unit("swordsmen", at="g3.4", facing=EAST, models=15, foes={1: FRONT}, fell=fell),
            unit("spearmen", at="house.1:0", side=1, models=15, foes={0: FRONT}, fell=fell),
            phase=FIGHT,
        )
        found.append(appraisal(table).melee(table.unit(0), [table.unit(1)]))
    fresh, after_losses = found
    assert fresh.others[0].wounds > 0.5
    assert after_losses == fresh


@pytest.mark.clause("RG-HOUSE-RESULT")
def test_a_charge_into_a_flank_still_tells_after_it() -> None:
    """Who stands in an enemy's flank has the point for it in every round."""
    table = in_the_flank()
    ours, theirs = (estimates.fighter(table.state, table.board, table.unit(n)) for n in (0, 2))
    mine, other = expected_melee.pair(table.state, table.board, ours, theirs)
    assert (mine.points, other.points) == (ours.standard, theirs.standard + 1)
    mine, other = expected_melee.pair(table.state, table.board, theirs, ours)
    assert (mine.points, other.points) == (theirs.standard + 1, ours.standard)


def promised(table: Table, ask: Ask, answer: Answer) -> Features:
    view = observe(table.state, table.board, ask.side, ())
    return JUDGE.features(view, table.board, ask, [answer])[0]


@pytest.mark.clause("RG-HOUSE-ROOMS")
def test_to_break_in_between_two_is_not_to_fight_them_one_by_one() -> None:
    """They fight together, and who has another to fight follows nobody."""

    def gain(*kinds: str) -> Features:
        garrisons = [unit(kind, at=f"row.r{1 + 2 * n}:0", side=1) for n, kind in enumerate(kinds)]
        table = Table(ROOMS, unit("swordsmen", at="g7.3", facing=NORTH), *garrisons)
        return promised(table, rout.FollowIn(0, ROOMS.space("row.r2:0"), side=0), Confirm(True))

    one, other, both = gain("spearmen"), gain("swordsmen"), gain("spearmen", "swordsmen")
    assert both.dealt < 0.7 * (one.dealt + other.dealt)
    assert both.taken > max(one.taken, other.taken)


@pytest.mark.clause("RG-HOUSE-ROOMS")
def test_who_breaks_in_does_not_shoot() -> None:
    table = Table(
        ROW, unit("archers", at="g4.3"), unit("guard", at="row.r2:0", side=1), unit("levy", at="g4.9", side=1)
    )
    there = table.place("row.r1:0")
    met = promised(table, rout.FollowIn(0, there, side=0), Confirm(True))
    fought = appraisal(table).melee(*charging(table.unit(0), there, [table.unit(1)]))
    _, dealt = appraisal(table).value_of_melee(table.unit(0), [table.unit(1)], fought)
    assert met.dealt == pytest.approx(sum(dealt))


@pytest.mark.clause("RG-HOUSE-RESULT")
def test_help_for_a_friend_counts_what_it_changes() -> None:
    """In the flank of an enemy that a friend holds a charge does more than alone, and spares the friend; a
    giant, who brings no ranks himself, has the more of it."""

    def gain(friend: str, models: int = 0) -> Features:
        friends = [unit(friend, at="g8.6", facing=WEST, models=models, foes={0: FRONT})] if friend else []
        foes = {1: FRONT} if friend else {}
        helper = unit("halberdiers", at="g7.3", facing=NORTH)
        enemy = unit("swordsmen", at="g7.6", facing=EAST, side=1, foes=foes)
        table = Table(FIELD, enemy, *friends, helper)
        number = len(table.state.units) - 1
        return promised(table, charge.ChargeWhom(number, side=0), TargetUnit(0))

    alone, with_friend, with_giant = gain(""), gain("spearmen"), gain("giant")
    assert with_friend.taken < alone.taken
    assert with_friend.dealt + alone.taken - with_friend.taken > alone.dealt
    assert with_giant.dealt > with_friend.dealt


@pytest.mark.slow
@pytest.mark.clause("RG-HOUSE-FIGHT")
def test_after_impact_hits_the_blows_fall_on_the_character_who_is_left() -> None:
    """The chariot's hits take two levies nearly always, and its blows the captain."""
    case = clash(
        "",
        unit("chariot", at="g8.9", facing=6),
        unit("levy", at="g8.7", side=1, models=2, facing=2),
        unit("captain", at="g8.7", side=1, joined=1),
    )
    assert case is not None
    assert case.expected()["gone 2"] == pytest.approx(case.exact().means["gone 2"], abs=0.05)


@pytest.mark.clause("RG-HOUSE-RESULT")
@pytest.mark.parametrize("made", [between_two, in_the_flank, of_two_kinds, around_one])
def test_a_melee_goes_on_while_any_enemy_is_left(made: Callable[[], Table]) -> None:
    """As often as the rules have it, within a tenth, and what the dice may miss."""
    table = made()
    one, *others = table.state.units.values()
    found = appraisal(table).melee(one, others)
    endings = rolled(table, fight.Fight((0, 1, 2)))
    seen = []
    for ending in endings:
        left = [u for u in ending.state.units.values() if u.alive and not unit_state(u).fleeing]
        seen.append(len({unit.side for unit in left}) == 2)
    mean = sum(seen) / len(seen)
    expected = 1.0 - found.loses - all_of(found.wins)
    assert abs(mean - expected) < 0.1 + 3 * sqrt(0.25 / len(seen)), (expected, mean)


@pytest.mark.parametrize(("turn", "side", "more"), [(5, 1, True), (6, 0, True), (6, 1, False)])
def test_no_round_is_to_come_when_the_battle_is_over(turn: int, side: int, more: bool) -> None:
    """The round of the last side's last turn counts once; before that, what may come counts, too."""
    table = Table(
        FIELD,
        unit("guard", at="g4.6", facing=EAST, side=side),
        unit("swordsmen", at="g6.6", facing=WEST, side=1 - side),
        turn=turn,
        turns=6,
        side=side,
    )
    ask, once = charge.ChargeWhom(0, side=side), replace(USUAL, goes_on=0.0)
    view = observe(table.state, table.board, side, ())
    usual, short = (JUDGE.features(view, table.board, ask, [TargetUnit(1)], j)[0] for j in (USUAL, once))
    assert (usual.dealt > short.dealt) == more


def test_a_charge_that_fire_stops_does_not_go_on() -> None:
    """A fight that never begins ends as well."""
    table = Table(
        FIELD,
        unit("levy", at="g4.6", facing=EAST, models=4),
        unit("handgunners", at="g7.6", facing=WEST, side=1),
    )
    found = charge.route(table.state, table.board, table.unit(0), table.unit(1))
    assert found is not None
    met = estimates.charge(table.state, table.board, table.unit(0), table.unit(1), *found[1:])
    fought = estimates.charge(
        table.state, table.board, table.unit(0), table.unit(1), *found[1:], reacts=False
    )
    assert met.wins < fought.wins
    assert met.loses > fought.loses


@pytest.mark.clause("RG-ATT-4")
@pytest.mark.parametrize(
    ("one", "other", "host", "who", "captain"),
    [("ogres", "levy", "swordsmen", "general", False), ("swordsmen", "levy", "spearmen", "general", True)],
)
def test_a_character_is_turned_where_the_round_is_best(
    one: str, other: str, host: str, who: str, captain: bool
) -> None:
    """What each choice comes to by the rules, and what players expect, put the same choice first. The ogres did not just charge,
    and cannot be broken; a captain is worth meeting."""

    def fought(against: int) -> Table:
        return Table(
            HOUSE,
            unit(one, at="g3.4", facing=EAST, foes={2: FRONT}),
            unit(other, at="g6.4", facing=WEST, foes={2: FRONT}),
            unit(host, at="house.1:0", side=1, foes={0: FRONT, 1: FRONT}),
            unit(who, at="house.1:0", side=1, joined=2, against=against),
            *([unit("captain", at="g3.4", joined=0)] if captain else []),
            phase=FIGHT,
        )

    table = fought(-1)
    view = observe(table.state, table.board, 1, ())
    weights = weights_of(USUAL)
    ask = fight.AgainstWhom(3, side=1)
    found = JUDGE.features(view, table.board, ask, [TargetUnit(0), TargetUnit(1)])
    first, second = (weigh(each, weights) for each in found)
    judge = Appraisal(view, table.board, USUAL)

    def worth(before: Unit, now: Unit) -> float:
        left = casualties.wounds_left(now) if now.alive else 0
        flees = float(now.alive and unit_state(now).fleeing)
        toll = Toll(casualties.wounds_left(before) - left, float(not now.alive), flees)
        lost = judge.value_of_toll(before, toll, True)
        return USUAL.dealt * lost if before.side == 0 else -USUAL.taken * lost

    means = []
    for against in (0, 1):
        begun = fought(against)
        endings = rolled(begun, fight.Round((0, 1, 2)))
        total = sum(worth(u, e.state.units[n]) for e in endings for n, u in begun.state.units.items())
        means.append(total / len(endings))
    assert (first > second) == (means[0] > means[1])
