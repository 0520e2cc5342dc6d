"""The features of moves: assaults, and places where a unit may end. Read `better_move`, then `ended`."""

from __future__ import annotations

from collections.abc import Sequence
from math import inf
from operator import neg

from msgspec.structs import replace

from battlesim.core.answers import Answer, MoveTo, Pass, TargetUnit
from battlesim.core.memo import owned_memo
from battlesim.core.state import Unit
from battlesim.core.sums import summed
from battlesim.evaluation.parameters import RATHER
from battlesim.rules.contract import Features, best_of, mix, weigh
from battlesim.rulesets.armorclass import estimates_close, ground, move
from battlesim.rulesets.armorclass.appraisal import Appraisal
from battlesim.rulesets.armorclass.model import FIRE, MOVE, RUN, type_of

MOST_PLACES = 10
"""Places judged in detail when a move is compared with other orders."""
ROUNDING = 1e-6
"""Values that differ by less than this may be equal."""


@owned_memo(bound=2_000)
def best_move(s: Appraisal, number: int, order: str, fired: bool) -> Features:
    """The best of a unit's moves under an order: assaults, and places where it may end."""
    return better_move(s, number, order, fired, -inf) or Features()


def better_move(s: Appraisal, number: int, order: str, fired: bool, wanted: float) -> Features | None:
    """`best_move`, or None if it weighs no more than `wanted`. Places are judged in order of nearness to objectives. The search
    stops once nearness and the best possible shot cannot beat the best move found, since enemy fire only lowers the worth of a
    place. Places where the least exposure already costs too much are skipped."""
    unit, weights = s.state.units[number], s.weights
    goes, fights = ways(s, number, order == RUN)
    # Staying in place belongs to the order to stand still, except for a unit that fires and may then move.
    stays = [] if goes and order != FIRE else [Pass()]
    found = [end_of(s, unit, order, answer, fired) for answer in (*stays, *fights)]
    best: Features | None = best_of(found, weights) if found else None
    most = weigh(best, weights) if best else -inf
    if most <= wanted:
        best, most = None, wanted
    shot = weights.dealt * s.most_shot(unit) if order == MOVE else 0.0
    for near, goal in goes:
        if near + shot <= most:
            break
        least = 0.0 if s.leaving(unit, goal) else s.least_exposure(unit, goal, fired)
        lacking = most + weights.exposure * least - near - ROUNDING
        there = ended(s, unit, order, goal, fired, lacking) if lacking <= shot else None
        if there is None:
            continue
        value = weigh(there, weights)
        if value > most:
            best, most = there, value
    return best


@owned_memo(bound=2_000)
def ways(s: Appraisal, number: int, run: bool) -> tuple[list[tuple[float, int]], list[Answer]]:
    """The places nearest to objectives and some of the others, with that worth, the best first; and the enemies to assault."""
    unit, weights = s.state.units[number], s.weights
    if not move.can_move(unit):
        return [], []
    places, foes = move.ways_within(s.state, s.board, unit, run, *reach_of(s, number, run))
    drawn = sorted(zip(map(neg, s.drawn(unit, places, weights)), places, strict=True))
    if len(drawn) > MOST_PLACES:
        drawn = [*drawn[:6], *drawn[6 :: max(1, (len(drawn) - 6) // 4)]]
    return [(-value, place) for value, place in drawn], [TargetUnit(foe) for foe in foes]


def end_of(s: Appraisal, unit: Unit, order: str, answer: Answer, fired: bool) -> Features:
    """The worth of one move: an assault, or its end in a place. Under the order to move and fire it includes fire from there."""
    if isinstance(answer, TargetUnit):
        return charge(s, unit, s.state.units[answer.unit], fired)
    found = ended(s, unit, order, answer.place if isinstance(answer, MoveTo) else unit.place, fired)
    assert found is not None
    return found


def ended(
    s: Appraisal, unit: Unit, order: str, goal: int, fired: bool, wanted: float = 0.0
) -> Features | None:
    """The worth of ending a move in a place. Under the order to move and fire it includes fire from there, and is None if the
    best shot from there is worth less than `wanted`. A unit that leaves the board there neither fires nor is fired at."""
    moves = goal != unit.place and (s.burning or order == MOVE)
    reach = reach_of(s, unit.id, order == RUN)[0] if moves else None
    shot, leaves = 0.0, s.leaving(unit, goal)
    if leaves:
        gone = Features(progress=s.progress(unit, goal), hold=leaves)
        entered = reach.fires(unit.place, goal, s.burning) if reach and s.burning else 0
        return through_fire(s, unit, gone, entered, -1)
    if order == MOVE:
        far = reach is not None and 2 * reach.cost[goal] > ground.pace(type_of(unit))
        shot = s.best_shot(unit, goal, far=far)
        if s.weights.dealt * shot < wanted:
            return None
    there = s.value_of_place(unit, goal, fired)
    if shot:
        shoots = replace(s.value_of_place(unit, goal, True), dealt=shot)
        if weigh(shoots, s.weights) > weigh(there, s.weights):
            there = shoots
    if s.burning:
        there = through_fire(s, unit, there, reach.fires(unit.place, goal, s.burning) if reach else 0, goal)
    if goal != unit.place:  # a unit with nothing to gain stays
        there = replace(there, waste=there.waste + RATHER)
    return there


@owned_memo(bound=500)
def reach_of(s: Appraisal, number: int, run: bool) -> tuple[ground.Ways, list[Unit]]:
    """The ways a unit can go, and the enemies known to its side."""
    return move.ways_round(s.state, s.board, s.state.units[number], run, s.posted, s.burning), s.foes


def through_fire(s: Appraisal, unit: Unit, there: Features, entered: int, goal: int) -> Features:
    """The worth of a place after a path through `entered` burning spaces. Fire attacks on the way, and at the end of each turn
    that the unit stays in it. Nearness to objectives counts only by the chance to survive this turn, and holding them by the
    chance to survive all turns that the place still burns. A unit that ends where fire will spread next will be driven out."""
    ends = s.burns_yet(goal)
    times, lost = entered + (ends > 0), 0.0
    if times:
        toll = estimates_close.burnt(s.board, unit, times)
        lost = s.value_of_toll(unit, toll)
        stays = estimates_close.burnt(s.board, unit, entered + ends) if ends > 1 else toll
        there = replace(
            there, progress=(1.0 - toll.gone) * there.progress, hold=(1.0 - stays.gone) * there.hold
        )
    if goal in s.doomed:
        lost += s.judgement.driven_out * s.worth(unit) * s.importance(unit)
    return replace(there, taken=there.taken + lost) if lost else there


def charge(s: Appraisal, unit: Unit, foe: Unit, fired: bool) -> Features:
    """An assault on all enemies known to be in a space: the odds of its rounds, and the worth of standing there afterwards."""
    foes = [other for other in s.foes if other.place == foe.place]
    found = estimates_close.assault_on(unit, foes)
    here = s.value_of_place(unit, unit.place, fired)
    leaves = s.leaving(unit, foe.place)  # the winner enters the space, and so leaves the board
    there = (
        Features(progress=s.progress(unit, foe.place), hold=leaves)
        if leaves
        else s.value_of_place(unit, foe.place, fired)
    )
    if s.burning:
        there = through_fire(s, unit, there, int(foe.place in s.burning), -1 if leaves else foe.place)
    after = mix(there, found.wins, here)
    return replace(
        after,
        dealt=summed(s.value_of_toll(other, toll) for other, toll in found.theirs),
        taken=after.taken + s.value_of_toll(unit, found.mine),
        risk=s.judgement.lost_team * found.mine.gone * s.worth(unit),
    )


def top_ends(
    s: Appraisal, unit: Unit, order: str, places: Sequence[int], fired: bool, most: float
) -> list[float]:
    """What ending a move in each of some places weighs; -inf for those that weigh less than `most` or than another."""
    weights, values = s.weights, [-inf] * len(places)
    shot = weights.dealt * s.most_shot(unit) if order == MOVE else 0.0
    nearest = sorted(zip(map(neg, s.drawn(unit, places, weights)), range(len(places)), strict=True))
    for far, number in nearest:
        if shot - far < most - ROUNDING:
            break
        goal = places[number]
        least = 0.0 if s.leaving(unit, goal) else s.least_exposure(unit, goal, fired)
        lacking = most + weights.exposure * least + far - ROUNDING
        there = ended(s, unit, order, goal, fired, lacking) if lacking <= shot else None
        if there is not None:
            value = values[number] = weigh(there, weights)
            most = max(most, value)
    return values
