"""What each answer promises (contract: `Features`), question by question, from a view alone.

Estimates come from `estimates.py` and `situation.py`; nothing here decides a rule. Read `features`; each question has a function
of its own, named after it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from msgspec.structs import replace

from battlesim.board.board import Board
from battlesim.core.answers import Answer, At, Face, Go, Order, Pick, Say, Use
from battlesim.core.items import Ask
from battlesim.core.state import Unit
from battlesim.core.view import View
from battlesim.rules.contract import SENSIBLE, Features, mix, weigh
from battlesim.rulesets.orderdice import (
    ambush,
    assault,
    estimates,
    fire,
    ground,
    morale,
    move,
    react,
    shoot,
    turn,
)
from battlesim.rulesets.orderdice.model import (
    ADVANCE,
    AMBUSH,
    DOWN,
    FIRE,
    RALLY,
    RUN,
    own,
)
from battlesim.rulesets.orderdice.situation import Situation

NOTHING = Features()


def _near(view: View, board: Board) -> Situation:
    """The situation of a view. The questions of one activation share it as long as nothing has changed that it counts: of all
    units only an order of the side's own. So it says the same whether it was kept or not."""
    last = _LAST.get("situation")
    if last is not None:
        situation, units, structures = last
        if (
            situation.board is board
            and situation.side == view.side
            and situation.state.turn == view.turn
            and structures == view.structures
            and _alike(units, view.units, view.side)
        ):
            situation.state.units = view.units
            return situation
    situation = Situation(view, board)
    _LAST["situation"] = (situation, view.units, view.structures)
    return situation


def _alike(before: dict[int, Unit], now: dict[int, Unit], side: int) -> bool:
    """Whether units differ in nothing but orders of one side."""
    if len(before) != len(now):
        return False
    for old, new in zip(before.values(), now.values(), strict=True):
        if old is new:
            continue
        if old.side != side or old.place != new.place or old.models != new.models or old.id != new.id:
            return False
        if replace(own(old), order="", moved=False) != replace(own(new), order="", moved=False):
            return False
    return True


# One entry: what was prepared for the last view asked about. A cache of a pure function, never a rule.
_LAST: dict[str, tuple[Situation, dict[int, Unit], dict[int, Any]]] = {}


def features(view: View, board: Board, ask: Ask, answers: Sequence[Answer]) -> list[Features]:
    """One record an answer, in their order."""
    work = _WORK.get(type(ask))
    if work is None:
        return [NOTHING for _ in answers]
    return work(_near(view, board), ask, answers)


def which_unit(s: Situation, ask: turn.WhichUnit, answers: Sequence[Answer]) -> list[Features]:
    """Units that can hurt, and units in danger, act first."""
    made: list[Features] = []
    for answer in answers:
        assert isinstance(answer, Pick)
        unit = s.state.units[answer.unit]
        if unit.place < 0:
            made.append(Features(ready=1.0))
            continue
        here = s.at(unit, unit.place, shoots=True, moved=False)
        made.append(Features(dealt=here.dealt, ready=0.3 * here.exposure + 0.02 * here.progress))
    return made


def which_order(s: Situation, ask: turn.WhichOrder, answers: Sequence[Answer]) -> list[Features]:
    """Each order by the best of what it leads to, shared with going Down where a pinned unit may fail its test."""
    unit = s.state.units[ask.unit]
    if unit.place < 0:
        return [Features(progress=1.0 if a == Order(ADVANCE) else 0.0) for a in answers]
    down = down_here(s, unit)
    mine = own(unit)
    bonus = morale.officer_bonus(s.state, s.board, unit) if mine.pins else 0
    passes = estimates.obeys(mine.quality, mine.pins, bonus)
    made: list[Features] = []
    for answer in answers:
        assert isinstance(answer, Order)
        obeyed = _order(s, unit, answer.name, down)
        share = estimates.obeys(mine.quality, 0, bonus) if answer.name == RALLY and mine.pins else passes
        made.append(obeyed if share >= 1.0 or answer.name == DOWN else mix(obeyed, share, down))
    return made


def down_here(s: Situation, unit: Unit) -> Features:
    """Lying down where one is."""
    here = s.at(unit, unit.place, shoots=False, moved=False)
    return replace(here, exposure=0.5 * here.exposure)


def _order(s: Situation, unit: Unit, order: str, down: Features) -> Features:
    if order == FIRE:
        return fire_here(s, unit)
    if order == ADVANCE:
        return best_of([move_to(s, unit, place, ADVANCE) for place in _options(s, unit, ADVANCE)])
    if order == RUN:
        found = [move_to(s, unit, place, RUN) for place in _options(s, unit, RUN)]
        if ground.on_foot(unit):
            foes = s.state.units
            found += [charge(s, unit, foes[t]) for t in assault.targets(s.state, s.board, unit)]
        return best_of(found)
    if order == AMBUSH:
        here = s.at(unit, unit.place, shoots=False, moved=False)
        return replace(here, ready=_could_deal(s, unit))
    if order == RALLY:
        here = s.at(unit, unit.place, shoots=False, moved=False)
        lost = min(own(unit).pins, 1 + 3.5)
        return replace(here, nerve=lost * 2 * estimates.PIN_WORTH * estimates.worth(unit))
    return down


def _options(s: Situation, unit: Unit, order: str) -> list[int]:
    return [unit.place, *move.destinations(s.state, s.board, unit, order)]


def fire_here(s: Situation, unit: Unit) -> Features:
    """The best target from each wall, exactly."""
    here = s.at(unit, unit.place, shoots=False, moved=False)
    dealt = 0.0
    for wall in fire.walls_of(s.board, unit):
        dealt += max(
            (estimates.loss(s.state, s.board, unit, foe, False, wall) for foe in s.foes), default=0.0
        )
    return replace(here, dealt=dealt)


def _could_deal(s: Situation, unit: Unit) -> float:
    """What waiting for a target may be worth: half of what it could do to the nearest enemies, seen or not."""
    best = 0.0
    for foe in s.foes:
        band = s.board.distance(unit.place, foe.place) // estimates.BAND
        best = max(best, s.chance(unit, foe, band, False))
    return 0.35 * best


def move_to(s: Situation, unit: Unit, place: int, order: str) -> Features:
    """Ending a move in a place: an Advance shoots from there, a Run does not."""
    return s.at(unit, place, shoots=order == ADVANCE, moved=True)


def charge(s: Situation, unit: Unit, foe: Unit) -> Features:
    """An assault: odds of close quarters, reaction fire on the way, and what is won by standing there."""
    here = s.at(unit, unit.place, shoots=False, moved=True)
    route = assault.charge(s.state, s.board, unit, foe)
    if route is None:
        return here
    inside = ground.inside(s.board, foe)
    both = inside or bool(route.obstacle) or own(foe).order == AMBUSH
    taken = 0.0
    if assault.may_react(s.state, s.board, unit, foe, route):
        taken = 0.7 * estimates.loss(s.state, s.board, foe, unit, False)
    win, lose = estimates.assault_odds(unit, foe, both)
    there = s.at(unit, foe.place, shoots=False, moved=True)
    after = mix(there, win, here)
    losses = 0.3 * win * estimates.worth(unit) * min(1.0, foe.models / max(unit.models, 1))
    return replace(
        after,
        dealt=win * estimates.worth(foe) + lose * 0.4 * estimates.worth(foe),
        taken=taken + losses,
        risk=lose * estimates.worth(unit),
    )


def best_of(found: list[Features]) -> Features:
    """The best of several under sensible weights."""
    return max(found, key=lambda f: weigh(f, SENSIBLE), default=NOTHING)


def where_to(s: Situation, ask: move.WhereTo, answers: Sequence[Answer]) -> list[Features]:
    unit = s.state.units[ask.unit]
    if unit.place < 0:
        unit_at = s.state.units.get(own(unit).aboard)
        unit = replace(unit, place=unit_at.place) if unit_at is not None else unit
    made: list[Features] = []
    for answer in answers:
        if isinstance(answer, Go):
            made.append(move_to(s, unit, answer.place, ask.order))
        elif isinstance(answer, At):
            other = s.state.units[answer.unit]
            made.append(charge(s, unit, other) if other.side != unit.side else NOTHING)
        elif unit.place >= 0:
            made.append(move_to(s, unit, unit.place, ask.order))
        else:
            made.append(NOTHING)
    return made


def at_whom(s: Situation, ask: shoot.AtWhom, answers: Sequence[Answer]) -> list[Features]:
    unit = s.state.units[ask.unit]
    made: list[Features] = []
    for answer in answers:
        if isinstance(answer, At):
            foe = s.state.units[answer.unit]
            dealt = estimates.loss(s.state, s.board, unit, foe, ask.moved, ask.wall, ask.used)
            made.append(Features(dealt=dealt + 0.01))
        else:
            made.append(NOTHING)
    return made


def go_down(s: Situation, ask: react.GoDown, answers: Sequence[Answer]) -> list[Features]:
    """Halve the blow, and give up the turn's action."""
    unit, foe = s.state.units[ask.unit], s.state.units[ask.enemy]
    blow = estimates.loss(s.state, s.board, foe, unit, False)
    here = s.at(unit, unit.place, shoots=True, moved=False)
    action = 0.5 * here.dealt + 0.06 * estimates.worth(unit)
    lying = estimates.loss(s.state, s.board, foe, replace(unit, own=replace(own(unit), order=DOWN)), False)
    return [
        Features(taken=lying, exposure=0.25 * here.exposure)
        if answer == Say(True)
        else Features(taken=blow, exposure=0.5 * here.exposure, ready=action)
        for answer in answers
    ]


def interrupt(s: Situation, ask: ambush.Interrupt, answers: Sequence[Answer]) -> list[Features]:
    unit, foe = s.state.units[ask.unit], s.state.units[ask.enemy]
    dealt = estimates.loss(s.state, s.board, unit, foe, False)
    waits = 0.5 * _could_deal(s, unit)
    return [Features(dealt=dealt) if a == Say(True) else Features(ready=waits) for a in answers]


def react_fire(s: Situation, ask: assault.ReactFire, answers: Sequence[Answer]) -> list[Features]:
    """Fire at a charger: there may be no later."""
    unit, foe = s.state.units[ask.unit], s.state.units[ask.enemy]
    dealt = estimates.loss(s.state, s.board, unit, foe, False)
    return [Features(dealt=dealt + 0.1) if a == Say(True) else NOTHING for a in answers]


def keep_order(s: Situation, ask: turn.KeepOrder, answers: Sequence[Answer]) -> list[Features]:
    """Keep an Ambush where nothing can be shot at yet; get up unless the fire is too hot."""
    unit = s.state.units[ask.unit]
    if unit.place < 0:
        return [NOTHING for _ in answers]
    here = s.at(unit, unit.place, shoots=True, moved=False)
    if own(unit).order == AMBUSH:
        keep, leave = 0.4 * _could_deal(s, unit), here.dealt + 0.1 * here.progress
    else:
        keep, leave = 0.2 * here.exposure, 0.5 * here.dealt + 0.05 * estimates.worth(unit)
    return [Features(ready=keep) if a == Say(True) else Features(ready=leave) for a in answers]


def take_place(s: Situation, ask: assault.TakePlace, answers: Sequence[Answer]) -> list[Features]:
    unit = s.state.units[ask.unit]
    there = s.at(unit, ask.place, shoots=False, moved=True)
    here = s.at(unit, unit.place, shoots=False, moved=True)
    return [there if a == Say(True) else here for a in answers]


def regroup(s: Situation, ask: assault.Regroup, answers: Sequence[Answer]) -> list[Features]:
    unit = s.state.units[ask.unit]
    return [
        s.at(unit, a.place if isinstance(a, Go) else unit.place, shoots=False, moved=True) for a in answers
    ]


def by_place(s: Situation, ask: Any, answers: Sequence[Answer]) -> list[Features]:
    """Questions that only ask where to be put."""
    unit = s.state.units[ask.unit]
    return [s.at(unit, a.place, False, False) if isinstance(a, Go) else NOTHING for a in answers]


def by_opening(s: Situation, ask: Any, answers: Sequence[Answer]) -> list[Features]:
    """Openings to deploy at, by how many enemies and how much ground towards them they look on."""
    unit = s.state.units[ask.unit]
    made: list[Features] = []
    for answer in answers:
        if not isinstance(answer, Use):
            made.append(NOTHING)
            continue
        views = 0.0
        for foe in s.foes:
            for line in s.board.sight.clear_lines(unit.place, foe.place, s.fallen):
                if line.from_opening == answer.opening:
                    views += s.chance(unit, foe, line.distance // estimates.BAND, False)
                    break
        made.append(Features(ready=views))
    return made


def by_facing(s: Situation, ask: Any, answers: Sequence[Answer]) -> list[Features]:
    """Face what can be hurt, and what hurts most."""
    unit = s.state.units[ask.unit]
    made: list[Features] = []
    here = s.board.spaces[unit.place].point if unit.place >= 0 else (0, 0)
    from battlesim.core.geometry import in_arc

    for answer in answers:
        value = 0.0
        if isinstance(answer, Face) and unit.place >= 0:
            for foe in s.foes:
                if not in_arc(here, answer.facing, s.board.spaces[foe.place].point):
                    continue
                band = s.board.distance(unit.place, foe.place) // estimates.BAND
                value += (
                    0.2 * s.chance(unit, foe, band, False) + s.threat(foe, unit, band, 0) + 0.01 / (1 + band)
                )
        made.append(Features(ready=value))
    return made


_WORK: dict[type[Ask], Callable[[Situation, Any, Sequence[Answer]], list[Features]]] = {
    turn.WhichUnit: which_unit,
    turn.WhichOrder: which_order,
    turn.KeepOrder: keep_order,
    move.WhereTo: where_to,
    shoot.AtWhom: at_whom,
    react.GoDown: go_down,
    ambush.Interrupt: interrupt,
    assault.ReactFire: react_fire,
    assault.TakePlace: take_place,
    assault.Regroup: regroup,
}
