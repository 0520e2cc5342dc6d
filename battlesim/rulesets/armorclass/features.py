"""The features of each answer (contract: `Features`), question by question, from a view and a judgement alone.

Estimates come from `estimates.py` and `appraisal.py`; nothing here decides a rule. Read `features`. Each question has its own
function, `value_` and its name.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from math import inf
from operator import neg
from typing import Any

from msgspec.structs import replace

from battlesim.board.board import Board
from battlesim.core.answers import Answer, Confirm, MoveTo, Order, Pass, Pick, TargetUnit
from battlesim.core.items import Ask
from battlesim.core.memo import memo, owned_memo
from battlesim.core.state import Unit
from battlesim.core.view import View
from battlesim.evaluation.parameters import RATHER, weights_of
from battlesim.rules.contract import Features, best_of, mix, weigh
from battlesim.rules.view_cache import ViewCache
from battlesim.rulesets.armorclass import (
    deployment,
    estimates,
    estimates_close,
    ground,
    move,
    shoot,
    targets,
    turn,
)
from battlesim.rulesets.armorclass.appraisal import Appraisal
from battlesim.rulesets.armorclass.judgement import USUAL, Judgement
from battlesim.rulesets.armorclass.model import (
    FIRE,
    MOVE,
    RUN,
    STAND,
    BattleState,
    Breach,
    Demolish,
    Into,
    IntoHole,
    Lob,
    Search,
    Through,
    UnitState,
    type_of,
    unit_state,
)

NOTHING = Features()
BY_HAND = (Breach, Demolish)
QUIET = (Pass, *BY_HAND)
"""Answers that do not reveal the unit."""
ON_SUSPICION = (Search, Into, IntoHole, Lob)
STEADIED = (TargetUnit, Into, IntoHole)
"""Fire that is better if the unit stands still."""
MOST_PLACES = 10
"""Places judged in detail when a move is compared with other orders."""
MOST_SUSPECTS = 2
"""Places judged in detail for fire on suspicion."""
ROUNDING = 1e-6
"""Values that differ by less than this may be equal."""
MOST_UNITS = 12
"""Units judged in detail when one of many is chosen to act."""


def _ignoring(record: UnitState) -> UnitState:
    return replace(record, acted=False, fired=-1, moved=0)


def _same_extra(before: BattleState, now: BattleState) -> bool:
    return replace(before, to_act=now.to_act) == now


@memo(bound=8)
def _positions(judgement: Judgement) -> ViewCache[Appraisal]:
    """The positions judged with one judgement."""
    weights = weights_of(judgement)

    def appraisal(view: View, board: Board) -> Appraisal:
        return Appraisal(view, board, judgement, weights)

    return ViewCache(appraisal, _ignoring, _same_extra)


def features(
    view: View, board: Board, ask: Ask, answers: Sequence[Answer], judgement: Judgement = USUAL
) -> list[Features]:
    """One record for each answer, in their order, under a judgement."""
    work = _WORK.get(type(ask))
    if work is None:
        return [NOTHING for _ in answers]
    return _positions(judgement).ask(view, board, lambda position: work(position, ask, answers))


# ---- whose turn, which unit, which order


def value_initiative(s: Appraisal, ask: turn.Initiative, answers: Sequence[Answer]) -> list[Features]:
    """To begin is good: the side that fires first may not be fired at."""
    return [Features(ready=1.0 if isinstance(a, Confirm) and a.yes else 0.0) for a in answers]


def value_which_unit(s: Appraisal, ask: turn.WhichUnit, answers: Sequence[Answer]) -> list[Features]:
    """Units with a good shot and units in danger act first, then those nearest to objectives. Of more than MOST_UNITS units only
    an even sample is judged, since all of them act sooner or later. The others get features of zero."""
    step = max(1, len(answers) // MOST_UNITS)
    made: list[Features] = []
    for number, answer in enumerate(answers):
        assert isinstance(answer, Pick)
        if number % step:
            made.append(NOTHING)
            continue
        unit = s.state.units[answer.unit]
        shot = s.best_shot(unit, unit.place, stationary=True)
        here = s.value_of_place(unit, unit.place, unit_state(unit).fired >= 0)
        made.append(
            Features(
                dealt=shot,
                progress=s.judgement.eager * here.progress,
                ready=s.judgement.urgency * here.exposure,
            )
        )
    return made


def value_which_order(s: Appraisal, ask: turn.WhichOrder, answers: Sequence[Answer]) -> list[Features]:
    """Each order by the best answer that it leads to."""
    unit = s.state.units[ask.unit]
    shots: list[Answer] = [Pass(), *targets.targets(s.state, s.board, unit)]
    made: list[Features] = []
    for answer in answers:
        assert isinstance(answer, Order)
        if answer.name == STAND:
            made.append(best_of(fire_at(s, unit, shots, True), s.weights))
        elif answer.name == FIRE:  # the other orders allow a move without a shot
            made.append(best_of(fire_at(s, unit, shots[1:], False), s.weights))
        else:
            fired = unit_state(unit).fired >= 0
            made.append(_best_move(s, unit.id, answer.name, fired, charges=True))
    return made


@owned_memo(bound=2_000)
def _best_move(s: Appraisal, number: int, order: str, fired: bool, charges: bool) -> Features:
    """The best of a unit's moves under an order: assaults, and places where it may end. Places are judged in order of nearness
    to objectives. The search stops once nearness and the best possible shot cannot beat the best move found, since enemy fire
    only lowers the worth of a place. Places where the least exposure already costs too much are skipped."""
    unit, weights = s.state.units[number], s.weights
    goes, fights = _ways(s, number, order == RUN)
    # Staying in place belongs to the order to stand still, except for a unit that fires and may then move.
    stays = [] if goes and order != FIRE else [Pass()]
    found = _moves(s, unit, order, [*stays, *(fights if charges else ())], fired)
    best = best_of(found, s.weights)
    most = weigh(best, weights) if found else -inf
    shot = weights.dealt * s.most_shot(unit) if order == MOVE else 0.0
    for near, goal in goes:
        if near + shot <= most:
            break
        least = 0.0 if s.leaving(unit, goal) else s.least_exposure(unit, goal, fired)
        lacking = most + weights.exposure * least - near - ROUNDING
        ended = _ended(s, unit, order, goal, fired, lacking) if lacking <= shot else None
        if ended is None:
            continue
        value = weigh(ended, weights)
        if value > most:
            best, most = ended, value
    return best


@owned_memo(bound=2_000)
def _ways(s: Appraisal, number: int, run: bool) -> tuple[list[tuple[float, int]], list[Answer]]:
    """The places nearest to objectives and some of the others, with that worth, the best first; and the enemies to assault."""
    unit, weights = s.state.units[number], s.weights
    if not move.can_move(unit):
        return [], []
    places, foes = move.ways_within(s.state, s.board, unit, run, *_reach(s, number, run))
    drawn = sorted(zip(map(neg, s.drawn(unit, places, weights)), places, strict=True))
    if len(drawn) > MOST_PLACES:
        drawn = [*drawn[:6], *drawn[6 :: max(1, (len(drawn) - 6) // 4)]]
    return [(-value, place) for value, place in drawn], [TargetUnit(foe) for foe in foes]


def value_where_to(s: Appraisal, ask: move.WhereTo, answers: Sequence[Answer]) -> list[Features]:
    """Every place by the worth of being there; every enemy by the odds of the assault."""
    unit = s.state.units[ask.unit]
    return _moves(s, unit, ask.order, answers, unit_state(unit).fired >= 0)


def _moves(s: Appraisal, unit: Unit, order: str, answers: Sequence[Answer], fired: bool) -> list[Features]:
    """`value_where_to`, given whether the unit has fired since its last activation."""
    return [_move(s, unit, order, answer, fired) for answer in answers]


def _move(s: Appraisal, unit: Unit, order: str, answer: Answer, fired: bool) -> Features:
    """The worth of one move: an assault, or its end in a place. Under the order to move and fire it includes fire from there."""
    if isinstance(answer, TargetUnit):
        return charge(s, unit, s.state.units[answer.unit], fired)
    ended = _ended(s, unit, order, answer.place if isinstance(answer, MoveTo) else unit.place, fired)
    assert ended is not None
    return ended


def _ended(
    s: Appraisal, unit: Unit, order: str, goal: int, fired: bool, wanted: float = 0.0
) -> Features | None:
    """The worth of ending a move in a place. Under the order to move and fire it includes fire from there, and is None if the
    best shot from there is worth less than `wanted`. A unit that leaves the board there neither fires nor is fired at."""
    moves = goal != unit.place and (s.burning or order == MOVE)
    reach = _reach(s, unit.id, order == RUN)[0] if moves else None
    shot, leaves = 0.0, s.leaving(unit, goal)
    if leaves:
        gone = Features(progress=s.progress(unit, goal), hold=leaves)
        entered = reach.fires(unit.place, goal, s.burning) if reach and s.burning else 0
        return _through_fire(s, unit, gone, entered, -1)
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
        there = _through_fire(s, unit, there, reach.fires(unit.place, goal, s.burning) if reach else 0, goal)
    if goal != unit.place:  # a unit with nothing to gain stays
        there = replace(there, waste=there.waste + RATHER)
    return there


@owned_memo(bound=500)
def _reach(s: Appraisal, number: int, run: bool) -> tuple[ground.Ways, list[Unit]]:
    """The ways a unit can go, and the enemies known to its side."""
    return move.reach_of(s.state, s.board, s.state.units[number], run)


def _through_fire(s: Appraisal, unit: Unit, there: Features, entered: int, goal: int) -> Features:
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
        there = _through_fire(s, unit, there, int(foe.place in s.burning), -1 if leaves else foe.place)
    after = mix(there, found.wins, here)
    return replace(
        after,
        dealt=sum(s.value_of_toll(other, toll) for other, toll in found.theirs),
        taken=after.taken + s.value_of_toll(unit, found.mine),
        risk=s.judgement.lost_team * found.mine.gone * s.worth(unit),
    )


# ---- fire


def value_at_whom(s: Appraisal, ask: shoot.AtWhom, answers: Sequence[Answer]) -> list[Features]:
    """Every target by the expected loss of the enemy, less the cost of being revealed by firing."""
    return fire_at(s, s.state.units[ask.unit], answers, ask.standing)


def fire_at(s: Appraisal, unit: Unit, answers: Sequence[Answer], standing: bool) -> list[Features]:
    """`value_at_whom` for any list of targets."""
    mine = unit_state(unit)
    return [*_fire_at(s, unit.id, mine.moved, mine.fired >= 0, standing, tuple(answers))]


@owned_memo(bound=500)
def _fire_at(
    s: Appraisal, number: int, moved: int, fired: bool, standing: bool, answers: tuple[Answer, ...]
) -> list[Features]:
    """`fire_at` of a unit by its number. `moved`: how far it has moved this turn; `fired`: it has fired since its last
    activation."""
    unit = s.state.units[number]
    if unit_state(unit).moved != moved:
        unit = replace(unit, own=replace(unit_state(unit), moved=moved))
    if standing or moved:
        quiet = s.value_of_place(unit, unit.place, fired)
        loud = s.value_of_place(unit, unit.place, True)
        if s.burning:
            quiet, loud = (_through_fire(s, unit, found, 0, unit.place) for found in (quiet, loud))
    else:  # it can still move, so its final place counts
        loud = quiet = _best_move(s, number, FIRE, True, charges=True)
        if not fired and any(type(answer) in QUIET for answer in answers):
            quiet = _best_move(s, number, FIRE, False, charges=True)
    places = [answer.place for answer in answers if type(answer) in ON_SUSPICION]  # type: ignore[attr-defined]
    suspects = _suspects(s, tuple(dict.fromkeys(places)))
    unlikely = replace(loud, waste=loud.waste + s.judgement.fruitless)
    made: list[Features] = []
    alike: dict[Hashable, Features] = {}
    for answer in answers:
        kind = type(answer)
        if kind is Pass:
            made.append(quiet)
            continue
        if kind in ON_SUSPICION and not suspects.get(answer.place, True):  # type: ignore[attr-defined]
            made.append(unlikely)
            continue
        like = _alike(s, answer)
        found = alike.get(like)
        if found is None:
            steady = standing and not moved and kind in STEADIED
            gained, waste, opens = _gain(s, number, moved, answer, steady)
            base = quiet if kind in BY_HAND else loud
            if opens and not standing and not moved:
                base = _through_breach(s, unit, answer, opens, base)
            idle = RATHER if gained <= 0.0 else 0.0  # a unit with nothing to gain does nothing
            found = alike[like] = replace(base, dealt=base.dealt + gained, waste=base.waste + waste + idle)
        made.append(found)
    return made


def _alike(s: Appraisal, answer: Answer) -> Hashable:
    """A key that is equal for shots with equal features: at walls of one class, or openings of one kind, of the same place."""
    if isinstance(answer, Search):
        return answer.place, targets.wall_of(s.state, s.board, answer.place, answer.side)
    if isinstance(answer, Through):
        place = s.state.units[answer.unit].place
        return -1, answer.unit, targets.wall_of(s.state, s.board, place, answer.side)
    if isinstance(answer, Into | IntoHole):
        return answer.place, targets.kind_of(s.state, s.board, answer)
    return answer


@owned_memo(bound=500)
def _suspects(s: Appraisal, places: tuple[int, ...]) -> dict[int, bool]:
    """The places with no known enemy among targets of fire on suspicion, and whether each is judged in detail: the
    MOST_SUSPECTS best ones, if fire there may pay for itself."""
    found = {place: promised for place in places if (promised := s.promise[place]) is not None}
    best = sorted(found, key=found.__getitem__, reverse=True)[:MOST_SUSPECTS]
    return {place: place in best and promised > 0 for place, promised in found.items()}


@owned_memo(bound=5_000)
def _gain(s: Appraisal, number: int, moved: int, answer: Answer, steady: bool) -> tuple[float, float, float]:
    """(points expected from a shot or work by hand, points wasted, the chance that tools open a breach). `moved`: how far the
    unit has moved; `steady`: it stands still."""
    unit = s.state.units[number]
    if unit_state(unit).moved != moved:
        unit = replace(unit, own=replace(unit_state(unit), moved=moved))
    waste, ghost = 0.0, None
    if isinstance(answer, ON_SUSPICION) and answer.place not in s.posted:
        waste = (1.0 - s.hidden(answer.place)) * s.judgement.fruitless
        ghost = s.suspect(answer.place)
    outcome = estimates.outcome_of(s.look, unit, answer, steady, ghost)
    side = answer.side if isinstance(answer, Breach | Search | Through) else -1
    opens = outcome.breaches if isinstance(answer, Breach) else 0.0
    return s.value_of_outcome(outcome, side), waste, opens


def _through_breach(s: Appraisal, unit: Unit, answer: Answer, opens: float, otherwise: Features) -> Features:
    """The worth of a breach to a team that can still move: it may go in at once if there is room."""
    assert isinstance(answer, Breach)
    state = s.state
    if not ground.has_room(state, answer.place, unit.side, unit.id):
        return otherwise
    inside = s.value_of_place(unit, answer.place, True)
    return mix(best_of((inside, otherwise), s.weights), opens, otherwise)


# ---- reserves


def value_arrive_at(s: Appraisal, ask: deployment.ArriveAt, answers: Sequence[Answer]) -> list[Features]:
    """Where a reserve is nearest to objectives, and not in a fire."""
    unit = s.state.units[ask.unit]
    made: list[Features] = []
    for answer in answers:
        if isinstance(answer, MoveTo):
            there = s.value_of_place(unit, answer.place, False)
            made.append(_through_fire(s, unit, there, answer.place in s.burning, answer.place))
        else:
            made.append(NOTHING)
    return made


_WORK: dict[type[Ask], Callable[[Appraisal, Any, Sequence[Answer]], list[Features]]] = {
    turn.Initiative: value_initiative,
    turn.WhichUnit: value_which_unit,
    turn.WhichOrder: value_which_order,
    move.WhereTo: value_where_to,
    shoot.AtWhom: value_at_whom,
    deployment.ArriveAt: value_arrive_at,
}
