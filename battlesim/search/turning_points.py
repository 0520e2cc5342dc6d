"""Luck and skill: how each order of a battle and the dice after it changed the chance to win. Read `turning_points`.

The value of a position is the chance of the first side to win it (a draw counts half) if two given agents, the *reference*, play
on from there under fresh dice. It is estimated as the mean over many such games. They may be played for some turns only
(`horizon`) and then valued by the position (`position_value`): much faster, but only as accurate as that. At every question three
values are compared:

- `before`: of the position, with the reference to answer the question;
- `after`: of the same position once the recorded answer is given;
- `then`: of the position at the next question, after the dice that were really thrown in between; the result, 1, 0.5 or 0, if
  the battle is over. If the answer was the fault by which its side forfeits, `after` is the result, too.

`after - before` is what the answer was worth compared with the reference's answer: skill. `then - after` is what the dice
contributed: luck. The next question's `before` is this question's `then`, so skill and luck of all questions sum exactly
to the result less the value at the first question, whatever the errors of the estimates are.

Game n of every estimate has the same fresh dice. If the reference gives the recorded answer, or no dice fall, two values come
from the same game and their difference is exactly 0; the standard errors are those of the paired differences.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import groupby, pairwise

from msgspec import Struct
from msgspec.structs import replace

from battlesim.core.dice import derive_seed
from battlesim.core.errors import Fault, InputError
from battlesim.core.events import Answered
from battlesim.core.items import TURN
from battlesim.core.sums import summed
from battlesim.engine.battle import Battle
from battlesim.engine.record import Record
from battlesim.search.continuation import Continuation, PlayedOn, WatchedDice, value_of
from battlesim.search.whatif import mean_and_error


class Effect(Struct, frozen=True):
    """How much a value changed, in chances to win of the first side, with its standard error."""

    value: float
    error: float


class Moved(Struct, frozen=True):
    """What one answer and the dice after it changed.

    `event`: the number of the answer's event; `act`: of the event that began its act. `order`: what the answer was worth (skill),
    `dice`: what the dice after it contributed (luck). `before`, `after`, `then`: as in the module's docstring.
    """

    question: int
    event: int
    act: int
    turn: int
    side: int
    answer: str
    before: float
    after: float
    then: float
    order: Effect
    dice: Effect


class Act(Struct, frozen=True):
    """The answers of one act together, such as an activation. `act`: the number of the event that began it. `before`, `then`: the
    value before its first answer, and after the dice of its last. `order`: what the answers of each side were worth. `dice`: what
    the dice contributed."""

    act: int
    turn: int
    questions: tuple[int, ...]
    before: float
    then: float
    order: tuple[Effect, Effect]
    dice: Effect

    @property
    def moved(self) -> float:
        """How much the act changed the first side's chance to win, from -1 to 1."""
        return self.then - self.before


class Swings(Struct, frozen=True):
    """What changed the chance to win of the first side from `start`, its value at the first question, to `result`.

    `skill`: what the answers of each side contributed; `luck`: what all dice contributed. `start`, both skills and luck sum to
    `result`. `games`: how many games each value is the mean of; `horizon`: how many turns of them were played, 0 for all.
    `reference`: the agents that played on, by side. `seed`: of the fresh dice.
    """

    sides: tuple[str, str]
    agents: tuple[str, str]
    reference: tuple[str, str]
    games: int
    horizon: int
    seed: int
    start: Effect
    result: float
    skill: tuple[Effect, Effect]
    luck: Effect
    moves: tuple[Moved, ...]
    acts: tuple[Act, ...]

    def turning_points(self, most: int) -> list[Act]:
        """The acts that changed the chance to win most, in the order of the battle."""
        found = sorted(self.acts, key=lambda act: -abs(act.moved))[:most]
        return sorted((act for act in found if act.moved), key=lambda act: act.act)


class Estimate(Struct, frozen=True):
    """A value with the games it is the mean of: their results, and the answers given in them from the question on."""

    values: tuple[float, ...]
    answers: tuple[tuple[str, ...], ...]


class QuestionValues(Struct, frozen=True):
    """The values at one question: before it was answered, and after."""

    question: int
    turn: int
    before: Estimate
    after: Estimate


Span = tuple[int, int]
"""A range of questions: the first, and the end (exclusive)."""
Divide = Callable[[Sequence[Span]], Iterable[Sequence[QuestionValues]]]
"""(spans) -> the values at the questions of each span, in any order. It hands each span to a worker: `cli/whatif_parts.py` uses
processes."""


def turning_points(
    continuation: Continuation,
    games: int,
    seed: int = 0,
    done: Callable[[], None] = lambda: None,
    horizon: int = 0,
    divide: Divide | None = None,
) -> Swings:
    """The effect of every answer of a record and of the dice after it, each value the mean of `games` games played on by the
    continuation's agents, the reference. `done` is called after each question. `horizon`: how many turns are played, including
    the present one; 0 for all. `divide`: distributes the work; the result does not depend on it. Raises InputError if the record
    does not fit the present rules, or has no questions."""
    if divide is None:
        found = list(
            question_values(continuation, (0, len(continuation.answers)), games, seed, horizon, done)
        )
    else:
        found = [one for part in divide(spans_of(continuation, horizon)) for one in part]
        found.sort(key=lambda one: one.question)
    if not found:
        raise InputError(Fault("the record has no questions", "name another one", continuation.record.path))
    return _swings(continuation, seed, horizon, value_of(continuation.record.outcome), found)


def spans_of(continuation: Continuation, horizon: int = 0) -> list[Span]:
    """The questions of a record in spans whose values can be computed separately: dice fall or a turn begins before each."""
    begins = [number for number, _, fresh in _questions(continuation, horizon) if fresh]
    return list(pairwise([*begins, len(continuation.answers)]))


def question_values(
    continuation: Continuation,
    span: Span,
    games: int,
    seed: int = 0,
    horizon: int = 0,
    done: Callable[[], None] = lambda: None,
) -> Iterator[QuestionValues]:
    """The values at the questions of a span of `spans_of`, or of several consecutive ones."""
    seeds = [derive_seed(seed, "what if", game) for game in range(games)]
    after: Estimate | None = None
    for number, battle, fresh in _questions(continuation, horizon):
        if number >= span[1]:
            return
        if number < span[0]:
            continue
        if fresh or after is None:
            before = _estimate([continuation.play_on(battle, one, None, horizon) for one in seeds])
        else:
            before = after  # nothing has happened since the answer before
        after = _answered(continuation, battle, number, before, seeds, horizon)
        yield QuestionValues(number, battle.state.turn, before, after)
        done()


def _questions(continuation: Continuation, horizon: int) -> Iterator[tuple[int, Battle, bool]]:
    """Each question's number and battle, and whether dice fell or, with a horizon, a turn began since the previous one."""
    turn = -1  # by the clock: games with a horizon end at the end of a turn. Without one, all questions count as one turn.
    for number, battle in enumerate(continuation.battles()):
        assert isinstance(battle.dice, WatchedDice)
        last, turn = turn, battle.state.now // TURN if horizon else 0
        yield number, battle, last != turn or battle.dice.thrown


def _estimate(games: Sequence[PlayedOn]) -> Estimate:
    return Estimate(tuple(game.value for game in games), tuple(game.answers for game in games))


def _answered(
    continuation: Continuation,
    battle: Battle,
    number: int,
    before: Estimate,
    seeds: Sequence[int],
    horizon: int,
) -> Estimate:
    """The value after the recorded answer. Games of the previous value in which the reference gave that answer are reused."""
    recorded = continuation.recorded(number)
    text = continuation.answers[number].answer
    values: list[float] = []
    answers: list[tuple[str, ...]] = []
    for seed, value, given in zip(seeds, before.values, before.answers, strict=True):
        if given[0] != text:
            game = continuation.play_on(battle, seed, recorded, horizon)
            value, given = game.value, game.answers
        values.append(value)
        answers.append(given[1:])
    return Estimate(tuple(values), tuple(answers))


def _swings(
    continuation: Continuation,
    seed: int,
    horizon: int,
    result: float,
    found: Sequence[QuestionValues],
) -> Swings:
    """The effects of a whole battle, from the values at all of its questions."""
    record = continuation.record
    games = len(found[0].before.values)
    found = _forfeited(continuation, found, Estimate((result,) * games, ()))
    # The value before the next question is the value after the dice of this one; the last one is the result.
    thens = [values.before.values for values in found[1:]] + [(result,) * games]
    orders = [_differences(values.before.values, values.after.values) for values in found]
    dice = [_differences(values.after.values, then) for values, then in zip(found, thens, strict=True)]
    moves = _moves(continuation, found, thens, orders, dice)
    sides = [move.side for move in moves]
    one, two = (
        _effect(_sum([o for o, by in zip(orders, sides, strict=True) if by == s], games)) for s in (0, 1)
    )
    header = record.header
    return Swings(
        sides=header.sides,
        agents=(header.agents[0].name, header.agents[1].name),
        reference=(continuation.entrants[0].name, continuation.entrants[1].name),
        games=games,
        horizon=horizon,
        seed=seed,
        start=_effect(found[0].before.values),
        result=result,
        skill=(one, two),
        luck=_effect(_sum(dice, games)),
        moves=tuple(moves),
        acts=tuple(_acts(moves, orders, dice)),
    )


def _forfeited(
    continuation: Continuation, found: Sequence[QuestionValues], end: Estimate
) -> Sequence[QuestionValues]:
    """The values with `end` after the last answer, if its side forfeited by it: no die had a part in that."""
    outcome = continuation.record.outcome
    if outcome.termination != "forfeit" or continuation.answers[-1].side == outcome.winner:
        return found
    return [*found[:-1], replace(found[-1], after=end)]


def _moves(
    continuation: Continuation,
    found: Sequence[QuestionValues],
    thens: Sequence[Sequence[float]],
    orders: Sequence[Sequence[float]],
    dice: Sequence[Sequence[float]],
) -> list[Moved]:
    """What each answer and the dice after it changed. `thens`, `orders`, `dice`: by question, then by game."""
    record = continuation.record
    events = [n for n, event in enumerate(record.events) if isinstance(event, Answered)]
    roots = _roots(record)
    moves: list[Moved] = []
    for number, values in enumerate(found):
        said = continuation.answers[number]
        moves.append(
            Moved(
                question=number,
                event=events[number],
                act=roots[events[number]],
                turn=values.turn,
                side=said.side,
                answer=said.answer,
                before=_mean(values.before.values),
                after=_mean(values.after.values),
                then=_mean(thens[number]),
                order=_effect(orders[number]),
                dice=_effect(dice[number]),
            )
        )
    return moves


def _acts(
    moves: Sequence[Moved], orders: Sequence[Sequence[float]], dice: Sequence[Sequence[float]]
) -> Iterator[Act]:
    games = len(orders[0])
    for act, found in groupby(moves, key=lambda move: move.act):
        group = list(found)
        numbers = tuple(move.question for move in group)
        skill = [_sum([orders[m.question] for m in group if m.side == side], games) for side in (0, 1)]
        yield Act(
            act=act,
            turn=group[0].turn,
            questions=numbers,
            before=group[0].before,
            then=group[-1].then,
            order=(_effect(skill[0]), _effect(skill[1])),
            dice=_effect(_sum([dice[n] for n in numbers], games)),
        )


def _roots(record: Record) -> list[int]:
    """The first event in the chain of causes of each event."""
    roots: list[int] = []
    for number, event in enumerate(record.events):
        roots.append(roots[event.cause] if event.cause >= 0 else number)
    return roots


def _differences(one: Sequence[float], other: Sequence[float]) -> tuple[float, ...]:
    """How much the values of `other` exceed those of `one`, game by game."""
    return tuple(b - a for a, b in zip(one, other, strict=True))


def _sum(rows: Sequence[Sequence[float]], games: int) -> tuple[float, ...]:
    """Sums by game; zeros if there are no rows."""
    return tuple(map(summed, zip(*rows, strict=True))) if rows else (0.0,) * games


def _mean(values: Sequence[float]) -> float:
    return summed(values) / len(values)


def _effect(values: Sequence[float]) -> Effect:
    """The mean of paired differences with its standard error; an error of 1 for a single game, which gives none."""
    mean, error = mean_and_error(values)
    return Effect(mean, min(error, 1.0))
