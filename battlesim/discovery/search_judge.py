"""The value of a search's elites, measured on cases that the search has not seen. Read `judge`.

1. *Selection*: every elite plays the same fresh cases, and so do the ways of fighting written by hand. Values are given with
their intervals, and corrected because the best of many look too good.
2. *Gates*: an elite is marked and kept out if it is above even only thanks to one opponent, one scenario, games that stalled,
games in which agents lost questions, or not counting games that broke off as lost; if it is no better than the player that the
search began from; or if it was written by hand.
3. *Confirmation*, used once by a search: the best that pass play cases that chose nothing, and duels with the best way of
fighting written by hand. So does the player that the search began from, if others must do better. All claims come from these
alone.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

from msgspec import Struct
from msgspec.structs import replace
from scipy import stats

from battlesim.core.sums import summed
from battlesim.discovery.archive import shrunk, value_of
from battlesim.discovery.behaviour import Behaviour, Cell, cell_of
from battlesim.discovery.genome import Genome, SearchSpace
from battlesim.discovery.search_cases import Counted, Field, Played, Wanted
from battlesim.stress.intervals import Estimate

SELECTION = 40
"""Selection cases of each elite."""
CONFIRMATION = 100
"""Confirmation cases, and duels, of each elite that is confirmed."""
BEST = 3
"""How many are confirmed."""
SHORTLIST = 100
"""The most elites that are measured again: the best by the training."""
NO_BETTER = "no better than the player that the search began from"
"""Why an elite is kept out that the search might as well not have made."""


class Share(NamedTuple):
    """A score from 0 to 1 with its 95% interval."""

    value: float
    low: float
    high: float


class Candidate(NamedTuple):
    """A way of fighting that a search proposes. `trained`: its value on training cases, `behaviour`: in them; None if it did not
    play itself. `is_begin`: the search began from it, and the others must do better."""

    cell: Cell
    genome: Genome
    trained: Estimate | None = None
    behaviour: Behaviour = ()
    is_begin: bool = False


class OnScenario(Struct, frozen=True):
    """The confirmation on one scenario: against the pool and in the duel, each with its own interval."""

    scenario: str
    confirmed: Share
    duel: Share | None = None


class Found(Struct, frozen=True):
    """An elite at the end. `cell`: of its behaviour in the training; `behaviour`: in the selection. `value`: its score on
    selection cases; `corrected`: shrunk towards the mean of all elites. `gates`: why it is kept out, empty if it is not.
    `confirmed`: its score on confirmation cases; `duel`: against the best way of fighting written by hand; these intervals hold
    for all confirmed elites together; None if it was not among them. `middle`: its median selection case, by score and then by
    points; -1 if it has none. `is_begin`: it is the player that the search began from. `gain`: its score on confirmation cases
    less that of this player, from -1 to 1, with an interval that holds together with the others."""

    cell: Cell
    behaviour: Behaviour
    agent: str
    value: Share
    corrected: float
    gates: tuple[str, ...] = ()
    confirmed: Share | None = None
    duel: Share | None = None
    where: tuple[OnScenario, ...] = ()
    middle: int = -1
    is_begin: bool = False
    gain: Share | None = None

    def moved(self, bins: int) -> Cell | None:
        """The cell of its behaviour in the selection, if it is not the cell that the training gave it."""
        if self.middle < 0 or len(self.cell) != len(self.behaviour):
            return None
        there = cell_of(self.behaviour, bins)
        return None if there == self.cell else there


class Judged(Struct, frozen=True):
    """The results of a search's elites. `elites`: best corrected value first. `written`: ways of fighting written by hand, with
    their scores on the same selection cases, best first. `games`: of selection and confirmation; `broken`: those of them that
    broke off."""

    elites: tuple[Found, ...]
    written: tuple[tuple[str, Share], ...]
    games: tuple[int, int]
    broken: int = 0


class Jury(Struct, frozen=True):
    """How many cases: of the selection for each elite, of the confirmation (and of duels) for each of the `best`. `is_response`:
    the elites must beat a given mix of opponents, even if only through one of them."""

    select: int = SELECTION
    confirm: int = CONFIRMATION
    best: int = BEST
    is_response: bool = False


def judge(
    space: SearchSpace,
    field: Field,
    elites: Sequence[Candidate],
    written: Mapping[str, Genome],
    jury: Jury,
    told: Callable[[str, int], None] = lambda what, games: None,
) -> Judged:
    """Measure elites again, keep out those that fail a gate, and confirm the best. `written`: names of agents, and their
    genomes."""
    counted = Counted(field)
    told("measuring the elites anew", 0)
    shortlist = sorted(elites, key=_promise)[:SHORTLIST]
    players = [*(one.genome for one in shortlist), *written.values()]
    played = counted.play([Wanted(genome, "selection", 0, jury.select) for genome in players])
    values = {one.cell: _value(cases) for one, cases in zip(shortlist, played, strict=False)}
    corrected = shrunk(values)
    names = {genome: name for name, genome in written.items()}
    begin = next((values[one.cell].value for one in shortlist if one.is_begin), None)
    judged = [
        (_found(space, one, cases, corrected[one.cell], names.get(one.genome, ""), jury, begin), one.genome)
        for one, cases in zip(shortlist, played, strict=False)
    ]
    judged.sort(key=lambda pair: (-pair[0].corrected, -pair[0].value.value, pair[0].cell))
    by_hand = [
        (name, _share(_value(cases))) for name, cases in zip(written, played[len(shortlist) :], strict=True)
    ]
    by_hand.sort(key=lambda pair: (-pair[1].value, pair[0]))
    selection = counted.played
    told("confirming the best", selection)
    passed = [pair for pair in judged if not pair[0].gates]
    # Losers need no confirmation; only if all lose, the best of them is confirmed.
    chosen = [pair for pair in passed if pair[0].value.value > 0.5][: jury.best] or passed[:1]
    # What a search gained is seen beside the player that it began from.
    begun = [pair for pair in judged if pair[0].is_begin and chosen and not jury.is_response]
    chosen = list(dict.fromkeys([*chosen, *begun]))
    rival = by_hand[0][0] if by_hand else ""
    asked = [Wanted(genome, "confirmation", 0, jury.confirm) for _, genome in chosen]
    if rival:
        asked += [Wanted(genome, "duel", 0, jury.confirm, rival) for _, genome in chosen]
    cases = counted.play(asked)
    duels: list[list[Played] | None] = [*cases[len(chosen) :]] if rival else [None] * len(chosen)
    base = next((mine for pair, mine in zip(chosen, cases, strict=False) if pair in begun), None)
    together = len(asked) + (len(chosen) - 1 if base else 0)
    confirmed = {
        found.cell: _confirmed(found, mine, duel, base, together)
        for (found, _), mine, duel in zip(chosen, cases, duels, strict=False)
    }
    known = [confirmed.get(found.cell, found) for found, _ in judged]
    return Judged(
        (*known, *_unmeasured(space, [one for one in elites if one.cell not in values])),
        tuple(by_hand),
        (selection, counted.played - selection),
        counted.broken,
    )


def gates_of(cases: Sequence[Played], is_response: bool = False) -> tuple[str, ...]:
    """Why a score above even does not count, in words. A response may win by one opponent or scenario alone."""
    found: list[str] = []
    if _mean([case.score for case in cases]) <= 0.5:
        return ()
    # A case of which a game broke off is even; here it is lost.
    if _mean([0.0 if case.broke else case.score for case in cases]) <= 0.5:
        found.append("too many games broke off")
    if _mean([case.score - case.stalls for case in cases]) <= 0.5:
        found.append("wins by games that stall")
    if _mean([case.score - case.faults for case in cases]) <= 0.5:
        found.append("wins by lost questions")
    if is_response:
        return tuple(found)
    for what, names in (
        ("opponent", [case.opponent for case in cases]),
        ("scenario", [case.scenario for case in cases]),
    ):
        for name in dict.fromkeys(names):
            others = [case.score for case, its in zip(cases, names, strict=True) if its != name]
            if others and _mean(others) <= 0.5:
                found.append(f"not above even without the {what} {name}")
    return tuple(found)


def _promise(one: Candidate) -> tuple[float, Cell]:
    """Sorts candidates by their training value, the best first; those that did not play themselves come first."""
    return (-1.0 if one.trained is None else one.trained.error - one.trained.value, one.cell)


def _found(
    space: SearchSpace,
    one: Candidate,
    cases: Sequence[Played],
    corrected: Estimate,
    name: str,
    jury: Jury,
    begin: float | None,
) -> Found:
    """A measured elite. `name`: if it was written by hand; `begin`: the score of the player that the search began from."""
    behaviour = tuple(
        summed(axis) / len(cases) for axis in zip(*(case.behaviour for case in cases), strict=True)
    )
    gates = gates_of(cases, jury.is_response)
    if name:
        gates = (f"written by hand: {name}", *gates)
    value = _share(_value(cases))
    # Both met the same cases.
    if begin is not None and not one.is_begin and value.value <= begin:
        gates = (NO_BETTER, *gates)
    whole = (n for n, case in enumerate(cases) if not case.broke)
    by_result = sorted(whole, key=lambda n: (cases[n].score, cases[n].lead, n))
    middle = by_result[len(by_result) // 2] if by_result else -1
    return Found(
        one.cell,
        behaviour,
        space.text(one.genome),
        value,
        corrected.value,
        gates,
        middle=middle,
        is_begin=one.is_begin,
    )


def _unmeasured(space: SearchSpace, rest: Sequence[Candidate]) -> list[Found]:
    """Elites that were not measured again, with their training values."""
    trained = {one.cell: one.trained for one in rest if one.trained is not None}
    corrected = shrunk(trained)
    gate = (f"not measured anew: not among the {SHORTLIST} best of the training",)
    found = [
        Found(
            one.cell,
            one.behaviour,
            space.text(one.genome),
            _share(trained[one.cell]),
            corrected[one.cell].value,
            gate,
        )
        for one in rest
        if one.cell in trained
    ]
    return sorted(found, key=lambda one: (-one.corrected, one.cell))


def _confirmed(
    found: Found,
    cases: Sequence[Played],
    duel: Sequence[Played] | None,
    base: Sequence[Played] | None,
    together: int,
) -> Found:
    """An elite with its confirmation. `base`: the same cases, played by the player that the search began from."""
    scenarios = list(dict.fromkeys(case.scenario for case in cases))
    where = tuple(
        OnScenario(
            name,
            _share(_value([case for case in cases if case.scenario == name])),
            None if duel is None else _share(_value([case for case in duel if case.scenario == name])),
        )
        for name in scenarios
    )
    return replace(
        found,
        confirmed=_share(_value(cases), together),
        duel=None if duel is None else _share(_value(duel), together),
        gain=None if base is None or found.is_begin else _gain(cases, base, together),
        where=where if len(where) > 1 else (),
    )


def _mean(scores: Sequence[float]) -> float:
    return summed(scores) / len(scores)


def _gain(cases: Sequence[Played], base: Sequence[Played], together: int) -> Share:
    """How much better one player did than another on the same cases."""
    # A gain from -1 to 1 is measured as a score from 0 to 1.
    halves = [0.5 + (one.score - other.score) / 2 for one, other in zip(cases, base, strict=True)]
    value, low, high = _share(
        value_of(len(halves), summed(halves), summed(half * half for half in halves)), together
    )
    return Share(2 * value - 1, 2 * low - 1, 2 * high - 1)


def _value(cases: Sequence[Played]) -> Estimate:
    scores = [case.score for case in cases]
    return value_of(len(scores), summed(scores), summed(score * score for score in scores))


def _share(value: Estimate, together: int = 1) -> Share:
    """The score with its 95% interval within 0 to 1, wide enough for `together` values at once."""
    wide = float(stats.t.ppf(1 - 0.025 / max(1, together), value.free)) * value.error
    return Share(value.value, max(0.0, value.value - wide), min(1.0, value.value + wide))
