"""What each answer promises (contract: `Features`), question by question, from a view alone.

Estimates come from `estimates.py` and `situation.py`; nothing here decides a rule. Read `features`; each question has a function
of its own, named after it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from msgspec.structs import replace

from battlesim.board.board import Board
from battlesim.core.answers import Answer, At, AtPlace, Go, Order, Pick
from battlesim.core.items import Ask
from battlesim.core.state import Unit
from battlesim.core.view import View
from battlesim.rules.contract import Features, best_of, mix
from battlesim.rules.view_cache import ViewCache
from battlesim.rulesets.orderdice import (
    aim,
    assault,
    contact,
    estimates,
    ground,
    morale,
    move,
    replies,
    shoot,
    support,
    tankfight,
    tanks,
    transports,
    turn,
)
from battlesim.rulesets.orderdice.model import (
    ADVANCE,
    AMBUSH,
    DOWN,
    FIRE,
    RALLY,
    RUN,
    Extra,
    Own,
    own,
    type_of,
)
from battlesim.rulesets.orderdice.replies import NOTHING, could_deal
from battlesim.rulesets.orderdice.situation import Situation

MOST_UNITS = 16
"""Units looked at when one of many is to act."""
DEAR = 3.5
"""How much more it counts to lose in an assault what an objective names than to win as much: it is not gambled with."""
MOST_RUNS = 14
"""Places looked at closely when a Run is weighed against other orders."""


def _ignoring(record: Own) -> Own:
    return replace(record, order="", moved=False)


def _same_extra(before: Extra, now: Extra) -> bool:
    return before.objectives == now.objectives and before.turns == now.turns


_POSITIONS = ViewCache(Situation, _ignoring, _same_extra)


def features(view: View, board: Board, ask: Ask, answers: Sequence[Answer]) -> list[Features]:
    """One record an answer, in their order."""
    work = _WORK.get(type(ask))
    if work is None:
        return [NOTHING for _ in answers]
    return _POSITIONS.ask(view, board, lambda position: work(position, ask, answers))


def which_unit(s: Situation, ask: turn.WhichUnit, answers: Sequence[Answer]) -> list[Features]:
    """Units that can hurt, and units in danger, act first. Of very many units only some, taken evenly, are looked at: all of them
    act sooner or later, and the others promise nothing now."""
    made: list[Features] = []
    many = len(answers)
    looked_at = (
        set(range(many)) if many <= MOST_UNITS else {i * many // MOST_UNITS for i in range(MOST_UNITS)}
    )
    for number, answer in enumerate(answers):
        assert isinstance(answer, Pick)
        if number not in looked_at:
            made.append(NOTHING)
            continue
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
        # to stay and shoot is what Fire is for
        places = move.destinations(s.state, s.board, unit, ADVANCE) or [unit.place]
        return best_of([move_to(s, unit, place, ADVANCE) for place in places])
    if order == RUN:
        found = [move_to(s, unit, place, RUN) for place in _nearest_goals(s, unit)]
        foes = s.state.units
        if ground.on_foot(unit):
            found += [charge(s, unit, foes[t]) for t in contact.targets(s.state, s.board, unit)]
        elif type_of(unit).vehicle:
            found += [charge(s, unit, foes[t]) for t in tankfight.targets(s.state, s.board, unit)]
            found += [drive_in(s, unit, place) for place in tanks.targets(s.state, s.board, unit)]
        return best_of(found)
    if order == AMBUSH:
        here = s.at(unit, unit.place, shoots=False, moved=False)
        return replace(here, ready=could_deal(s, unit))
    if order == RALLY:
        here = s.at(unit, unit.place, shoots=False, moved=False)
        lost = min(own(unit).pins, 1 + 3.5)
        return replace(here, nerve=lost * 2 * estimates.PIN_WORTH * estimates.worth(unit))
    return down


def _nearest_goals(s: Situation, unit: Unit) -> list[int]:
    """Of the places a Run can end in, those that bring most, MOST_RUNS of them: what fire they lie under is looked at next."""
    places = [unit.place, *move.destinations(s.state, s.board, unit, RUN)]
    if len(places) <= MOST_RUNS:
        return places
    drawn = sorted((-s.progress(unit, place) - s.hold(unit, place), place) for place in places)
    return [place for _, place in drawn[:MOST_RUNS]]


def fire_here(s: Situation, unit: Unit) -> Features:
    """The best target from each wall, exactly, or the best strike."""
    here = s.at(unit, unit.place, shoots=False, moved=False)
    dealt = 0.0
    best: dict[int, float] = {}
    for foe in s.foes:
        for wall in aim.walls_bearing(s.state, s.board, unit, foe, False):
            best[wall] = max(best.get(wall, 0.0), s.loss(unit, foe, False, wall))
    dealt = sum(best.values())
    if type_of(unit).strike and not own(unit).called:
        ask = support.CallStrike(unit.id, side=unit.side)
        found = replies.strike(s, ask, list(support.calls(s.state, s.board, unit)))
        dealt = max([dealt, *(f.dealt for f in found)])
    return replace(here, dealt=dealt)


def move_to(s: Situation, unit: Unit, place: int, order: str) -> Features:
    """Ending a move in a place: an Advance shoots from there, a Run does not."""
    return s.at(unit, place, shoots=order == ADVANCE, moved=True)


def charge(s: Situation, unit: Unit, foe: Unit) -> Features:
    """An assault, a ram or driving over: odds of the clash, reaction fire on the way, what is won by standing there."""
    here = s.at(unit, unit.place, shoots=False, moved=True)
    if type_of(unit).vehicle or type_of(foe).vehicle:
        return replace(here, **_armour_clash(unit, foe))
    route = contact.charge(s.state, s.board, unit, foe)
    if route is None:
        return here
    inside = ground.inside(s.board, foe)
    both = inside or bool(route.obstacle) or own(foe).order == AMBUSH
    taken = 0.0
    if assault.may_react(s.state, s.board, unit, foe, route):
        taken = 0.7 * s.loss(foe, unit, False)
    win, lose, gone = estimates.assault_odds(unit, foe, both)
    there = s.at(unit, foe.place, shoots=False, moved=True)
    after = mix(there, win, here)
    losses = 0.3 * win * estimates.worth(unit) * min(1.0, foe.models / max(unit.models, 1))
    return replace(
        after,
        dealt=(win + gone + lose * estimates.blows(unit, foe)) * estimates.worth(foe) * s.stake(foe),
        taken=taken + losses,
        risk=(lose + gone) * estimates.worth(unit) * (1.0 + DEAR * (s.stake(unit) - 1.0)),
    )


def _armour_clash(unit: Unit, foe: Unit) -> dict[str, float]:
    """What is dealt and risked where a vehicle is on either side (OD-HOUSE-TANKFIGHT, OD-HOUSE-RAM)."""
    ours, theirs = type_of(unit), type_of(foe)
    if not ours.vehicle:
        hits = unit.models * estimates.at_least(tankfight.needed(foe))
        chance = hits * estimates.knocked_out(theirs.armour, tankfight.penetration(unit), 0)
        return {"dealt": min(0.9, chance) * estimates.worth(foe), "risk": 0.1 * estimates.worth(unit)}
    if theirs.vehicle:
        ahead = ours.armour - theirs.armour
        win = min(0.9, max(0.1, 0.5 + 0.15 * ahead))
        return {"dealt": 0.6 * win * estimates.worth(foe), "risk": 0.6 * (1 - win) * estimates.worth(unit)}
    stands = estimates.obeys(own(foe).quality, max(own(foe).pins, 1), 0)
    return {"dealt": (1 - stands) * estimates.worth(foe), "risk": 0.05 * estimates.worth(unit)}


def drive_in(s: Situation, unit: Unit, place: int) -> Features:
    """A tank into a house: whoever is inside is lost if it falls."""
    section = s.board.sections[s.board.spaces[place].section]
    here = s.at(unit, unit.place, shoots=False, moved=True)
    inside = [s.state.units[u] for floor in section.spaces for u in s.state.at.get(floor, ())]
    gained = sum(estimates.worth(u) if u.side != s.side else -estimates.worth(u) for u in inside)
    falls = 0.95 if section.kind == "shed" else 0.9 if section.material == tanks.WOOD else 0.7
    return replace(here, dealt=falls * gained, risk=(1 - falls) * 0.5 * estimates.worth(unit), waste=5.0)


def where_to(s: Situation, ask: move.WhereTo, answers: Sequence[Answer]) -> list[Features]:
    """Every place as `move_to`, every enemy as `charge`; a passenger is measured from its transport."""
    unit = transports.standing(s.state, s.state.units[ask.unit])
    made: list[Features] = []
    for answer in answers:
        if isinstance(answer, Go):
            made.append(move_to(s, unit, answer.place, ask.order))
        elif isinstance(answer, At):
            other = s.state.units[answer.unit]
            made.append(charge(s, unit, other) if other.side != unit.side else NOTHING)
        elif isinstance(answer, AtPlace):
            made.append(drive_in(s, unit, answer.place))
        elif own(unit).aboard >= 0:
            made.append(NOTHING)
        else:
            made.append(move_to(s, unit, unit.place, ask.order))
    return made


def at_whom(s: Situation, ask: shoot.AtWhom, answers: Sequence[Answer]) -> list[Features]:
    """Targets exactly; an empty building for what its fall is worth."""
    unit = s.state.units[ask.unit]
    made: list[Features] = []
    for answer in answers:
        if isinstance(answer, At):
            foe = s.state.units[answer.unit]
            dealt = s.loss(unit, foe, ask.moved, ask.wall, ask.used)
            made.append(Features(dealt=dealt + 0.01))
        elif isinstance(answer, AtPlace):
            made.append(Features(dealt=0.2 * s.doomed(s.board.spaces[answer.place].section), waste=0.5))
        else:
            made.append(NOTHING)
    return made


_WORK: dict[type[Ask], Callable[[Situation, Any, Sequence[Answer]], list[Features]]] = {
    turn.WhichUnit: which_unit,
    turn.WhichOrder: which_order,
    move.WhereTo: where_to,
    shoot.AtWhom: at_whom,
    **replies.REPLIES,
}
