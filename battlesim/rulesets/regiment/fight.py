"""Close combat: who strikes when, and how (RG-HOUSE-FIGHT, RG-ATT-2..4, RG-HOUSE-TRAITS). Read `fight`, then `strike_tier`.

The result is in `result.py`.
"""

from __future__ import annotations

from collections.abc import Sequence

from battlesim.board.board import Board
from battlesim.core.answers import Answer, TargetUnit, numbered
from battlesim.core.items import Ask, Item, Step
from battlesim.core.state import State, Unit
from battlesim.rules.contract import Chapter
from battlesim.rules.resolution import Clauses, Resolution
from battlesim.rulesets.regiment import casualties, facts, form, ground, result
from battlesim.rulesets.regiment.facts import Struck
from battlesim.rulesets.regiment.model import FRONT, attempt, company, leads, type_of, unit_state
from battlesim.rulesets.regiment.tables import close_need


class Fight(Step, frozen=True):
    """A close combat of these units. They may be in contact with others that have already fought this phase: a pursuer that just
    broke in waits for the next."""

    units: tuple[int, ...]


class AgainstWhom(Ask, frozen=True):
    """Which enemy is the garrison's character in contact with (RG-ATT-4)? `among`: those in this fight, where its unit touches
    others, too (none: all that it touches)."""

    unit: int
    among: tuple[int, ...] = ()


class Round(Step, frozen=True):
    """A round of blows among these units."""

    units: tuple[int, ...]


class Impact(Step, frozen=True):
    """The hits of a charge."""

    unit: int
    target: int


class Tier(Step, frozen=True):
    """All that strike at the same time: (unit, enemy) pairs. `first`: because of a charge. `units`: those in this fight (none:
    all in contact). `joined`: its characters, as (character, the unit it was with as the round began). `rest`: later
    tiers. `spent`: what has struck before in the round, as (unit, enemy, arc of the unit, models)."""

    pairs: tuple[tuple[int, int], ...]
    first: bool
    units: tuple[int, ...] = ()
    joined: tuple[tuple[int, int], ...] = ()
    rest: tuple[tuple[bool, tuple[tuple[int, int], ...]], ...] = ()
    spent: tuple[tuple[int, int, int, int], ...] = ()


class Strike(Step, frozen=True):
    """Blows of a unit or character at an enemy. `host`, `place`: the unit it is with, or itself, and where that stood when the
    blows were counted, since a fighter that falls at the same time strikes from there. `mark`: the enemy's character that it
    struck at then, if any, who may outlive his unit (-1: none)."""

    unit: int
    target: int
    blows: int
    first: bool
    host: int
    place: int
    mark: int = -1


def fight(r: Resolution, step: Fight) -> None:
    """Characters of garrisons choose their enemy; then come the blows, in order, and the result."""
    units = tuple(n for n in step.units if leads(r.state.units[n]) and unit_state(r.state.units[n]).foes)
    asks: list[Item] = []
    for number in units:
        one = r.state.units[number]
        foes = ground.foes_of(one)
        if len(foes) < 2 or ground.outdoors(r.board, one.place):
            continue
        chars = [*([one.id] if type_of(one).character else []), *(c.id for c in _fighters(r.state, one)[1:])]
        # Who does not fight in this combat cannot be chosen.
        now = tuple(foe for foe in foes if foe in units)
        if len(now) > 1:
            among = now if len(now) < len(foes) else ()
            asks += [AgainstWhom(char, among, side=one.side) for char in chars]
        elif now:
            for char in chars:
                _turn_against(r, char, now[0])
    r.then(*asks, Round(units))


def _fighters(state: State, unit: Unit) -> list[Unit]:
    """A unit and the characters with it."""
    return [unit, *company(state, unit)]


def legal_against_whom(state: State, board: Board, ask: AgainstWhom) -> Sequence[Answer]:
    """The enemies of its unit that fight now, by id."""
    foes = ask.among or ground.foes_of(host_of(state, state.units[ask.unit]))
    return [numbered(TargetUnit, foe) for foe in foes]


def resolve_against_whom(r: Resolution, ask: AgainstWhom, said: TargetUnit) -> None:
    """The character keeps its enemy until asked again."""
    _turn_against(r, ask.unit, said.unit)


def _turn_against(r: Resolution, number: int, foe: int) -> None:
    """A garrison's character is in contact with an enemy from now on."""
    clauses: Clauses = ("RG-ATT-4",)
    if unit_state(r.state.units[number]).against != foe:
        before = r.cause
        r.because(facts.Against(unit=number, other=foe, clauses=clauses))
        r.set(number, clauses, against=foe)
        r.cause = before  # the fight is not an effect of this


# ---- who strikes when ------------------------------------------------------------------------------------------------


def host_of(state: State, unit: Unit) -> Unit:
    """The unit a character is with; for any other unit itself."""
    joined = unit_state(unit).joined
    return state.units[joined] if joined >= 0 else unit


def strikes_first(board: Board, host: Unit, foe: Unit) -> bool:
    """Whether a charge lets a unit strike before all others: only at those it charged, and not at entrenched enemies
    (RG-HOUSE-FIGHT, RG-ATT-2)."""
    return foe.id in unit_state(host).charges and not ground.entrenched(board, foe, host.place)


def order_of_blows(
    state: State, board: Board, units: tuple[int, ...]
) -> list[tuple[bool, tuple[tuple[int, int], ...]]]:
    """The (unit, enemy) pairs that strike, by tier: chargers, then by initiative; (first, pairs)."""
    found: dict[tuple[int, int], list[tuple[int, int]]] = {}
    for number in units:
        host = state.units[number]
        lone = type_of(host).character and not ground.outdoors(board, host.place)
        foes = [foe for foe in ground.foes_of(host) if foe in units]
        for foe in foes:
            first = strikes_first(board, host, state.units[foe])
            for one in _fighters(state, host):
                if (one.id != host.id or lone) and foe != form.enemy_of(board, one, host, foes):
                    continue
                key = (0, 0) if first else (1, -type_of(one).i)
                found.setdefault(key, []).append((one.id, foe))
    return [(key[0] == 0, tuple(sorted(found[key]))) for key in sorted(found)]


def fight_round(r: Resolution, step: Round) -> None:
    """Impact hits come first, then blows by tier, then the result. Losses of the round are counted from here."""
    state, board = r.state, r.board
    units = tuple(n for n in step.units if state.units[n].alive)
    for number in units:
        for one in _fighters(state, state.units[number]):
            if unit_state(one).fell or unit_state(one).dealt:
                r.set(one.id, fell=0, dealt=0)
    work: list[Item] = []
    for number in units:
        unit = state.units[number]
        if type_of(unit).impact:
            charges = unit_state(unit).charges
            work += [Impact(number, foe) for foe in ground.foes_of(unit) if foe in units and foe in charges]
    joined = tuple((one.id, n) for n in units for one in company(state, state.units[n]))
    tiers = order_of_blows(state, board, units)
    if tiers:
        work.append(Tier(tiers[0][1], tiers[0][0], units, joined, tuple(tiers[1:])))
    # A character may take the room for a unit of his that falls as it empties it (RG-HOUSE-ROOMS).
    rooms = tuple(
        (one.id, unit.place)
        for unit in (state.units[n] for n in units)
        if not ground.outdoors(board, unit.place)
        for foe in ground.foes_of(unit)
        if foe in units  # one that broke in next door has gone far enough
        for one in _fighters(state, state.units[foe])
    )
    everybody = sorted((*units, *(one for one, _ in joined)))
    r.then(*work, result.Score(tuple(everybody), rooms))


def impact(r: Resolution, step: Impact) -> None:
    """D6 hits at S (RG-HOUSE-TRAITS); a garrison ignores them (RG-ATT-2)."""
    unit, foe = r.state.units[step.unit], r.state.units[step.target]
    if not unit.alive or not foe.alive:
        return
    clauses: Clauses = ("RG-HOUSE-TRAITS",)
    if not ground.outdoors(r.board, foe.place):
        r.emit(facts.NoImpact(unit=unit.id, other=foe.id, clauses=(*clauses, "RG-ATT-2")))
        return
    hit = r.roll(1, 6, "impact", unit.id, foe.id, attempt(r.state))[0]
    wounds = casualties.unsaved(r, hit, type_of(unit).s, foe, "impact", unit.id)
    _deal(r, unit, foe, hit, hit, wounds, True, clauses)


def blows_of(
    state: State,
    board: Board,
    unit: Unit,
    foe: Unit,
    units: tuple[int, ...] = (),
    spent: Sequence[tuple[int, int]] = (),
) -> int:
    """Blows of a unit, or of a character, at an enemy: its models that strike times their attacks, with one more in frenzy.
    `units`: those in this fight; `spent`: see `form.strikers`."""
    kind = type_of(unit)
    attacks = kind.a + kind.frenzy
    if unit_state(unit).joined >= 0:
        return attacks
    return form.strikers(state, board, unit, units, spent).get(foe.id, 0) * attacks


def strike_tier(r: Resolution, step: Tier) -> None:
    """All in a tier strike at the same time: all blows are counted before the first is rolled."""
    state = r.state
    units = (*step.units, *(one for one, _ in step.joined)) if step.units else ()
    work: list[Item] = []
    struck = list(step.spent)
    for number, enemy in step.pairs:
        unit = state.units[number]
        target = enemy if state.units[enemy].alive else heir_of(state, step, unit, enemy)
        if not unit.alive or target < 0:
            continue
        foe = state.units[target]
        spent = [
            (arc, n) for one, other, arc, n in step.spent if one == number and not state.units[other].alive
        ]
        blows = blows_of(state, r.board, unit, foe, units, spent)
        if blows:
            if unit_state(unit).joined < 0:
                arc = dict(unit_state(unit).foes).get(target, FRONT)
                struck.append((number, target, arc, blows // (type_of(unit).a + type_of(unit).frenzy)))
            host = host_of(state, unit)
            mark = struck_unit(state, r.board, unit, foe, host.id).id
            mark = mark if mark != target else -1
            work.append(Strike(number, target, blows, step.first, host.id, host.place, mark))
    if step.rest:
        (first, pairs), *rest = step.rest
        work.append(Tier(pairs, first, step.units, step.joined, tuple(rest), tuple(struck)))
    r.then(*work)


def heir_of(state: State, step: Tier, unit: Unit, fallen: int) -> int:
    """The character that stands before a unit in the place of an enemy that fell earlier in the round; -1 if there is none."""
    foes = ground.foes_of(host_of(state, unit))
    return next((one for one, host in step.joined if host == fallen and one in foes), -1)


def struck_unit(state: State, board: Board, unit: Unit, foe: Unit, host: int) -> Unit:
    """The target of a unit's blows: for a character an enemy character if there is one, otherwise the unit itself. `host`: the
    unit that the striker is with, or itself."""
    if type_of(unit).character:
        several = len(unit_state(foe).foes) > 1 and not ground.outdoors(board, foe.place)
        for char in company(state, foe):
            if not several or unit_state(char).against in (-1, host):
                return char
    return foe


def blow_need(
    r: Resolution, unit: Unit, foe: Unit, mark: Unit, charged: bool, place: int
) -> tuple[int, Clauses]:
    """The roll a blow from a place needs, and its clauses: one worse if the unit `charged` this enemy this round, and it
    is entrenched (RG-HOUSE-FIGHT)."""
    goal = close_need(type_of(unit).ws, type_of(mark).ws)
    clauses: Clauses = ("RG-HOUSE-FIGHT",)
    if charged and ground.entrenched(r.board, foe, place):
        goal += 1
        clauses += _entrenched(r.board, foe)
    return goal, clauses


def _entrenched(board: Board, foe: Unit) -> Clauses:
    return ("RG-HOUSE-TERRAIN",) if ground.outdoors(board, foe.place) else ("RG-ATT-2",)


def strike(r: Resolution, step: Strike) -> None:
    """To hit, to wound, to save."""
    unit, foe = r.state.units[step.unit], r.state.units[step.target]
    if foe.alive:
        target = struck_unit(r.state, r.board, unit, foe, step.host)
    elif step.mark >= 0 and r.state.units[step.mark].alive:
        # A character whose unit fell at the same time is still struck at.
        target = foe = r.state.units[step.mark]
    else:
        return
    # The enemy's heir counts as charged, too, if the unit has fallen.
    charges = unit_state(r.state.units[step.host]).charges
    charged = step.target in charges or host_of(r.state, foe).id in charges
    goal, clauses = blow_need(r, unit, foe, target, charged, step.place)
    inside, facing = not ground.outdoors(r.board, step.place), not ground.outdoors(r.board, foe.place)
    if inside or facing:
        clauses += ("RG-ATT-3",)
    if inside and facing:
        clauses += ("RG-HOUSE-ROOMS",)
    if step.host != unit.id:
        clauses += ("RG-HOUSE-AURA",)
    if type_of(unit).frenzy:
        clauses += ("RG-HOUSE-TRAITS",)
    hit = casualties.hits(r, step.blows, goal, "blow", unit.id, target.id)
    wounds = casualties.unsaved(r, hit, type_of(unit).s, target, "blow", unit.id)
    _deal(r, unit, target, step.blows, hit, wounds, step.first, clauses)


def _deal(
    r: Resolution, unit: Unit, foe: Unit, blows: int, hit: int, wounds: int, first: bool, clauses: Clauses
) -> None:
    """The enemy takes the wounds, and they count for the result; wounds beyond its last model do not count."""
    wounds = min(wounds, casualties.wounds_left(foe))
    r.because(Struck(unit.id, foe.id, blows, hit, wounds, first, clauses=clauses))
    if not wounds:
        return
    r.set(
        unit.id, dealt=unit_state(r.state.units[unit.id]).dealt + wounds
    )  # wounds by a fighter that falls at the same time also count
    if wounds >= casualties.wounds_left(foe):
        casualties.capture_standards(r, foe, unit, alone=True)
    casualties.take_wounds(r, foe, wounds, "close combat", clauses, melee=True)


CHAPTER = Chapter(
    owns=("RG-ATT-2", "RG-ATT-3", "RG-ATT-4", "RG-HOUSE-FIGHT", "RG-HOUSE-TRAITS"),
    asks={AgainstWhom: (legal_against_whom, resolve_against_whom)},
    steps={Fight: fight, Round: fight_round, Impact: impact, Tier: strike_tier, Strike: strike},
)
