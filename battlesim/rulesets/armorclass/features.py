"""What each answer promises (contract: `Features`), question by question, from a view alone.

Estimates come from `quick_look.py` and `appraisal.py`; nothing here decides a rule. Read `features`; each question has a function
of its own, `value_` and its name.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from msgspec.structs import replace

from battlesim.board.board import Board
from battlesim.core.answers import Answer, Confirm, MoveTo, Order, Pass, Pick, TargetUnit, all_numbered
from battlesim.core.items import Ask
from battlesim.core.memo import owned_memo
from battlesim.core.state import Unit
from battlesim.core.view import View
from battlesim.rules.contract import Features, best_of
from battlesim.rules.view_cache import ViewCache
from battlesim.rulesets.armorclass import (
    deployment,
    fire,
    ground,
    indirect,
    move,
    quick_look,
    shoot,
    targets,
    turn,
    works,
)
from battlesim.rulesets.armorclass.appraisal import USUAL, Appraisal
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
    battle_state,
    type_of,
    unit_state,
)

NOTHING = Features()
BY_HAND = (Breach, Demolish)
MOST_PLACES = 14
"""Places looked at closely when a move is weighed against other orders."""
MOST_UNITS = 12
FRUITLESS = 1.5
"""What it costs, in points, to fire where nobody is known to be: the turn, and often the firer's own hiding place."""
OPENED = 6.0
"""What a breach into an objective is worth, in points."""


def _ignoring(record: UnitState) -> UnitState:
    return replace(record, acted=False, fired=-1, moved=0)


def _same_extra(before: BattleState, now: BattleState) -> bool:
    return replace(before, to_act=now.to_act) == now


_POSITIONS = ViewCache(Appraisal, _ignoring, _same_extra)


def features(view: View, board: Board, ask: Ask, answers: Sequence[Answer]) -> list[Features]:
    """One record an answer, in their order."""
    work = _WORK.get(type(ask))
    if work is None:
        return [NOTHING for _ in answers]
    return _POSITIONS.ask(view, board, lambda position: work(position, ask, answers))


# ---- whose turn, which unit, which order


def value_initiative(s: Appraisal, ask: turn.Initiative, answers: Sequence[Answer]) -> list[Features]:
    """To begin is good where somebody has been found, or is known to aim back."""
    return [Features(ready=1.0 if isinstance(a, Confirm) and a.yes else 0.0) for a in answers]


def value_which_unit(s: Appraisal, ask: turn.WhichUnit, answers: Sequence[Answer]) -> list[Features]:
    """Units that can hurt act first, then those nearest to what counts."""
    many = len(answers)
    step = max(1, many // MOST_UNITS)
    made: list[Features] = []
    for number, answer in enumerate(answers):
        assert isinstance(answer, Pick)
        if number % step:
            made.append(NOTHING)
            continue
        unit = s.state.units[answer.unit]
        shot = s.best_shot(unit, unit.place, stationary=True)
        made.append(Features(dealt=shot, progress=0.01 * s.progress(unit, unit.place)))
    return made


def value_which_order(s: Appraisal, ask: turn.WhichOrder, answers: Sequence[Answer]) -> list[Features]:
    """Each order by the best of what it leads to."""
    unit = s.state.units[ask.unit]
    shots: list[Answer] = [Pass(), *targets.targets(s.state, s.board, unit)]
    made: list[Features] = []
    for answer in answers:
        assert isinstance(answer, Order)
        made.append(_order(s, unit, answer.name, shots))
    return made


def _order(s: Appraisal, unit: Unit, order: str, targets: Sequence[Answer]) -> Features:
    if order == STAND:
        return best_of(fire_at(s, unit, targets, True))
    if order == FIRE:
        shots = fire_at(s, unit, targets, False)
        dealt = max((f.dealt for f in shots), default=0.0)
        gone = best_of(_moves(s, unit, order, charges=dealt > 0))
        return replace(gone, dealt=gone.dealt + dealt)
    return best_of(_moves(s, unit, order))


def _moves(s: Appraisal, unit: Unit, order: str, charges: bool = True) -> list[Features]:
    """The places a move can end in that bring most, looked at closely, and charges."""
    ask = move.WhereTo(unit.id, order, side=unit.side)
    goes, fights = _ways(s, unit.id, order == RUN)
    return value_where_to(s, ask, ([*goes, *fights] if charges else goes) or [Pass()])


@owned_memo(bound=2_000)
def _ways(s: Appraisal, number: int, run: bool) -> tuple[list[Answer], list[Answer]]:
    """The places that bring a unit most and some of the others; charges."""
    unit = s.state.units[number]
    places, foes = move.ways(s.state, s.board, unit, run)
    if len(places) > MOST_PLACES:
        near = s.pull(unit).near
        drawn = sorted([(-near(place) - s.hold(unit, place), place) for place in places])
        step = max(1, (len(places) - 8) // 6)
        places = [place for _, place in (*drawn[:8], *drawn[8::step])]
    return all_numbered(MoveTo, places), [TargetUnit(foe) for foe in foes]


def value_where_to(s: Appraisal, ask: move.WhereTo, answers: Sequence[Answer]) -> list[Features]:
    """Every place by what it is worth to be there; every enemy by the odds of the assault."""
    unit = s.state.units[ask.unit]
    shoots = ask.order == MOVE
    made: list[Features] = []
    found, _ = move.reach_of(s.state, s.board, unit, ask.order == RUN)
    half = ground.pace(type_of(unit)) // 2
    for answer in answers:
        if isinstance(answer, MoveTo):
            far = found.cost[answer.place] > half
            there = s.at(unit, answer.place, fires=shoots, far=far)
            if s.burning:
                there = _through_fire(s, unit, there, found.path(unit.place, answer.place))
            made.append(there)
        elif isinstance(answer, TargetUnit):
            made.append(charge(s, unit, s.state.units[answer.unit]))
        else:
            stays = s.at(unit, unit.place, fires=shoots)
            made.append(_through_fire(s, unit, stays, (unit.place,)) if s.burning else stays)
    return made


def _through_fire(s: Appraisal, unit: Unit, there: Features, path: tuple[int, ...]) -> Features:
    """What a path costs that ends in a place: fire attacks on the way, and once more at the turn's end whoever stays in it."""
    times = sum(place in s.burning for place in path[1:]) + (path[-1] in s.burning)
    return replace(there, taken=there.taken + s.stake(unit) * quick_look.burnt(unit, times))


def charge(s: Appraisal, unit: Unit, foe: Unit) -> Features:
    """An assault: the odds of its rounds, and what is won by standing there."""
    here = s.at(unit, unit.place, fires=False)
    win, gone, lost, killed = quick_look.assault_odds(
        unit.models, foe.models, type_of(unit).melee, type_of(foe).melee
    )
    there = s.at(unit, foe.place, fires=False)
    each = type_of(unit).worth / max(unit_state(unit).full, 1)
    theirs = type_of(foe).worth / max(unit_state(foe).full, 1)
    return Features(
        dealt=(killed * theirs) * s.stake(foe),
        taken=lost * each * s.stake(unit),
        exposure=win * there.exposure + (1 - win) * here.exposure,
        progress=win * there.progress + (1 - win) * here.progress,
        hold=win * (there.hold + s.hold(unit, foe.place)) + (1 - win) * here.hold,
        risk=0.3 * gone * quick_look.worth(unit),
    )


# ---- fire


def value_at_whom(s: Appraisal, ask: shoot.AtWhom, answers: Sequence[Answer]) -> list[Features]:
    """Every target by what it may cost the enemy, less what firing gives away."""
    return fire_at(s, s.state.units[ask.unit], answers, ask.standing)


def fire_at(s: Appraisal, unit: Unit, answers: Sequence[Answer], standing: bool) -> list[Features]:
    """The same for any list of targets."""
    return [*_fire_at(s, unit.id, unit_state(unit).moved, standing, tuple(answers))]


@owned_memo(bound=500)
def _fire_at(
    s: Appraisal, number: int, moved: int, standing: bool, answers: tuple[Answer, ...]
) -> list[Features]:
    """`fire_at` of a unit by its number; `moved`: how far it has moved this turn."""
    unit = s.state.units[number]
    if unit_state(unit).moved != moved:
        unit = replace(unit, own=replace(unit_state(unit), moved=moved))
    quiet = s.at(unit, unit.place, fires=False)
    loud = s.at(unit, unit.place, fires=True, stationary=standing)
    loud = replace(loud, dealt=0.0)
    if s.burning and standing:  # who moves yet may leave the fire
        quiet, loud = (_through_fire(s, unit, found, (unit.place,)) for found in (quiet, loud))
    made: list[Features] = []
    for answer in answers:
        if isinstance(answer, Pass):
            made.append(quiet)
        elif type(answer) in BY_HAND:
            dealt, ready = _by_hand(s, unit, answer)
            made.append(replace(quiet, dealt=dealt, ready=ready))
        else:
            dealt, waste = _shot(s, unit, answer, standing)
            made.append(replace(loud, dealt=dealt, waste=waste))
    return made


def _shot(s: Appraisal, unit: Unit, answer: Answer, standing: bool) -> tuple[float, float]:
    """(points expected of a shot, points it wastes). Walls alike and openings alike of one place promise the same."""
    if isinstance(answer, Search):
        wall = targets.wall_of(s.state, s.board, answer.place, answer.side)
        return _searched(s, unit.id, answer.place, wall)
    if isinstance(answer, TargetUnit):
        foe = s.state.units[answer.unit]
        line = targets.aim(s.look, unit, foe)
        steady, far = shoot.stationary(unit, standing), unit_state(unit).moved == 2
        return s.loss(unit, foe, line.distance if line else 0, steady, far) + 0.01, 0.0
    if isinstance(answer, Through):
        return _through(s, unit.id, answer.unit, answer.side), 0.0
    if isinstance(answer, Into | IntoHole):  # who stands aims better
        kind = targets.kind_of(s.state, s.board, answer)
        return _into(s, unit.id, answer.place, kind, shoot.stationary(unit, standing))
    if isinstance(answer, Lob):
        return _lobbed(s, unit.id, answer.place), 0.2
    return 0.0, 0.0


@owned_memo(bound=5_000)
def _searched(s: Appraisal, number: int, place: int, wall: int) -> tuple[float, float]:
    """(points expected of a unit's search through a wall of some class, points it wastes)."""
    unit, room = s.state.units[number], shoot.room_of(s.board, place)
    distance = s.board.sight.min_distance(unit.place, place)
    shooter, shaky = s.measure(unit).shooter, fire.is_suppressed(s.state, unit)
    loss = quick_look.behind_wall(shooter, USUAL, distance, wall, room, False, shaky)
    hope = s.prior(place)
    return hope * loss + _razed(s, unit, place), (1 - hope) * FRUITLESS


@owned_memo(bound=5_000)
def _through(s: Appraisal, number: int, against: int, side: int) -> float:
    """Points expected of a unit's shot through a wall at an enemy known to be behind it."""
    unit, foe = s.state.units[number], s.state.units[against]
    room = shoot.room_of(s.board, foe.place)
    wall = targets.wall_of(s.state, s.board, foe.place, side)
    distance = s.board.sight.min_distance(unit.place, foe.place)
    shooter, shaky = s.measure(unit).shooter, fire.is_suppressed(s.state, unit)
    loss = quick_look.behind_wall(shooter, s.measure(foe).target, distance, wall, room, True, shaky)
    return s.stake(foe) * loss + _razed(s, unit, foe.place)


@owned_memo(bound=5_000)
def _into(s: Appraisal, number: int, place: int, kind: str, steady: bool) -> tuple[float, float]:
    """(points expected of a unit's shot into an opening of some kind, points it wastes)."""
    unit, room, size = s.state.units[number], shoot.room_of(s.board, place), fire.SIZES[kind]
    distance = s.board.sight.min_distance(unit.place, place)
    shooter, shaky = s.measure(unit).shooter, fire.is_suppressed(s.state, unit)
    total = 0.0
    for foe in _known_at(s, place):
        loss = quick_look.into(shooter, s.measure(foe).target, distance, size, steady, shaky, room)
        total += s.stake(foe) * loss
    hidden = s.prior(place) * quick_look.into(shooter, USUAL, distance, size, steady, shaky, room)
    return total + hidden, 0.2 if total else FRUITLESS


def _known_at(s: Appraisal, place: int) -> list[Unit]:
    return [foe for foe in s.foes if foe.place == place]


@owned_memo(bound=5_000)
def _lobbed(s: Appraisal, number: int, place: int) -> float:
    """Points expected of a unit's indirect fire at a place."""
    state, board, unit = s.state, s.board, s.state.units[number]
    room = shoot.room_of(board, place)
    distance = board.distance(unit.place, place)
    shooter = s.measure(unit).shooter
    work = works.fieldwork(state, place)
    total = 0.0
    for met, roof in indirect.met_from_above(state, board, place):
        for foe in _known_at(s, met):
            over = 0 if work is not None and not works.shelters(state, work, foe) else roof
            loss = quick_look.lobbed(shooter, s.measure(foe).target, distance, over, room)
            total += s.stake(foe) * loss
        total += s.prior(met) * quick_look.lobbed(shooter, USUAL, distance, roof, room)
    radius = max((g.weapon.radius for g in fire.groups_of(unit) if g.weapon.indirect), default=0)
    for mine in s.mine:
        if board.distance(mine.place, place) <= max(radius, 300):
            total -= 0.5 * quick_look.lobbed(shooter, s.measure(mine).target, distance, 0, room)
    return total + 0.4 * _razed(s, unit, place)


def _razed(s: Appraisal, unit: Unit, place: int) -> float:
    """What damage to a structure is worth under a point variant: by how much of what is left of it a volley takes."""
    space = s.board.spaces[place]
    options = battle_state(s.state).options
    variant = options.variant
    if space.kind != "floor" or not (variant or options.fires):
        return 0.0
    value = s.doomed(space.section)
    if not value:
        return 0.0
    if not variant:  # where it catches fire it is gone in four turns
        if place in s.burning or not works.make_of(s.board, space.section).burns:
            return 0.0
        shooter, shaky = s.measure(unit).shooter, fire.is_suppressed(s.state, unit)
        distance = s.board.sight.min_distance(unit.place, place)
        return value * quick_look.catches(shooter, distance, options.weather, shaky)
    left: int = works.points_of(s.state, s.board, space.section) - works.record(s.state, space.section).get(
        "lost", 0
    )
    wall = works.make_of(s.board, space.section).wall
    share = quick_look.points_taken(s.measure(unit).shooter, wall, variant) / max(left, 1)
    return value * min(1.0, share * share)


def _by_hand(s: Appraisal, unit: Unit, answer: Answer) -> tuple[float, float]:
    """(points expected of a demolition charge, worth of work on a wall)."""
    if isinstance(answer, Demolish):
        foe = s.state.units[answer.unit]
        return s.stake(foe) * quick_look.charge_loss(unit, foe, works.armour_of(s.board, foe)), 0.0
    assert isinstance(answer, Breach)
    section = s.board.spaces[answer.place].section
    floors = s.board.sections[section].spaces
    wanted = any(place in goal.places for goal in s.goals for place in floors)
    held = any(s.look.sees(unit.place, p) for p in floors)
    return 0.0, OPENED * (0.5 if held else 1.0) if wanted else 0.1


def value_arrive_at(s: Appraisal, ask: deployment.ArriveAt, answers: Sequence[Answer]) -> list[Features]:
    """Where a reserve is nearest to what counts, and not in a fire."""
    unit = s.state.units[ask.unit]
    made: list[Features] = []
    for answer in answers:
        if isinstance(answer, MoveTo):
            there = s.at(unit, answer.place, fires=False)
            path = (unit.place, answer.place)
            made.append(_through_fire(s, unit, there, path) if s.burning else there)
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
