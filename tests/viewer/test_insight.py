"""Insight into a battle: chances to win and what each side heard and knew, as the rules have it."""

from __future__ import annotations

import json
from collections import deque
from functools import cache
from itertools import pairwise
from typing import Any
from unittest.mock import patch

import msgspec
import pytest

from battlesim import play
from battlesim.core.apply import apply
from battlesim.core.codec import plain_state
from battlesim.core.errors import Fault, InputError
from battlesim.core.events import Placed, UnitSet
from battlesim.engine.origin import board_of
from battlesim.engine.record import Record, parse_record
from battlesim.search.continuation import Continuation
from battlesim.viewer.film import film_of
from battlesim.viewer.insight import BOTH, SWING, Insight, insight_of, turning_points
from battlesim.viewer.live import known_start
from battlesim.viewer.standing import Standing
from battlesim.viewer.wording import find_wording
from tests.shipped import load

NAMES = ("skirmish", "square", "outpost", "watch-house")


@cache
def made(name: str) -> tuple[Record, Insight]:
    record = parse_record(play(load(name), ("greedy", "rush"), seed=5).record(), "x")
    return record, insight_of(record)


@pytest.mark.parametrize("name", NAMES)
def test_chances_begin_open_and_end_with_the_result(name: str) -> None:
    record, insight = made(name)
    assert not insight.note
    events = [event for event, _ in insight.chances]
    assert events[0] == -1
    assert events == sorted(set(events))
    assert 0.2 < insight.chances[0][1] < 0.8
    assert all(0.0 <= chance <= 1.0 for _, chance in insight.chances)
    winner = record.outcome.winner
    assert insight.chances[-1][1] == (0.5 if winner is None else 1.0 - winner)


@pytest.mark.parametrize("name", ["skirmish", "square", "watch-house"])
def test_where_nothing_is_hidden_both_sides_heard_all(name: str) -> None:
    _, insight = made(name)
    assert insight.known == ()
    assert insight.told == ({}, {})


def test_where_units_hide_a_side_knows_what_it_found() -> None:
    record, insight = made("outpost")
    film = film_of(record, board_of(record))
    true = {s.event: s.text for moment in film.moments for s in moment.sentences}
    masks = dict.fromkeys(film.full, BOTH)
    masks.update({unit: mask for event, unit, mask in insight.known if event < 0})
    assert set(masks.values()) == {1, 2}, "all begin hidden"
    for event, unit, mask in insight.known:
        if (
            event >= 0
        ):  # what is said is news, and follows from an event that sets the unit's record, or moves it out of sight
            assert mask != masks[unit]
            assert isinstance(record.events[event], UnitSet | Placed)
            assert record.events[event].unit == unit
        masks[unit] = mask
    for side in (0, 1):
        mine, theirs = record.header.sides[side], record.header.sides[1 - side]
        unheard = [text for event, text in true.items() if event not in insight.told[side]]
        assert unheard
        assert all(theirs in text for text in unheard), "only what the enemy did is not heard"
        said = [s.text for told in insight.told[side].values() for s in told]
        assert any("omebody unseen" in text for text in said)
        assert not any("obody" in text or "-1" in text for text in said)
        assert mine in " ".join(said)


def test_nobody_sees_where_a_unit_goes_that_hides_again_with_its_move() -> None:
    """A view leaves such a move out, once the unit is hidden. So the page may neither tell it nor draw it."""
    record, insight = made("outpost")
    heard: tuple[set[Any], set[Any]] = (set(), set())
    ends = [0, 0]  # by side: where its news end
    for battle in Continuation(record, ("greedy", "greedy")).battles():
        assert battle.question is not None
        side = battle.question.side
        heard[side].update((e.unit, e.path) for e in battle.view(side).news if isinstance(e, Placed))
        ends[side] = len(battle.log)
    hid = 0
    masks = {unit: mask for event, unit, mask in insight.known if event < 0}
    for number, event in enumerate(record.events):
        before = dict(masks)
        masks.update({unit: mask for at, unit, mask in insight.known if at == number})
        for side in (0, 1) if isinstance(event, Placed) else ():
            if number < ends[side] and (event.unit, event.path) not in heard[side]:
                assert number not in insight.told[side]
                assert not masks[event.unit] >> side & 1
                hid += before[event.unit] >> side & 1
    assert hid


def test_a_side_knows_what_its_view_shows() -> None:
    """Holders of objectives and marks: a unit that a side has not found holds nothing for it and takes no room."""
    record = parse_record(play(load("firebreak"), ("greedy", "greedy"), seed=18).record(), "x")
    board, insight = board_of(record), insight_of(record)
    film = film_of(record, board, insight.known)
    battle = deque(Continuation(record, ("greedy", "greedy")).battles(), maxlen=1).pop()
    state = battle.ruleset.codec.typed(json.loads(bytes(record.header.start)))
    wording, values, otherwise = find_wording(record.header.ruleset.name), dict(film.start), set()
    moments = {moment.event: moment for moment in film.moments}
    for number, event in enumerate(battle.log[:-1]):
        apply(state, event)
        if number not in moments:
            continue
        values.update(moments[number].changes)
        for side in (0, 1):
            view = battle.ruleset.observe(state, board, side, ())
            seen = plain_state(msgspec.json.decode(known_start(view)))
            for key, value in Standing(seen, board, wording, film.goals).everything().items():
                if key[0] == "g" or (key[0] == "u" and seen.units[int(key[1:])].alive):
                    own = values.get(f"{side}{key}")
                    assert (values[key] if own is None else own) == value
                    otherwise |= {key[0]} if own is not None else set()
    assert otherwise == {"g", "u"}


def test_lines_of_fire_end_where_the_side_sees_the_marks() -> None:
    """A unit that hides shares a space with the target; the side sees the target alone, in the middle of it."""
    record = parse_record(play(load("drones"), ("greedy", "greedy"), seed=2).record(), "x")
    film = film_of(record, board_of(record), insight_of(record).known)
    values, ends = dict(film.start), 0
    for moment in film.moments:
        for effect in moment.effects:
            for side in {"0", "1"} & effect.keys():
                spots = [spot for key, spot in values.items() if key.startswith(f"{side}u") and spot]
                marks = [[x + east, y + north, floor] for x, y, east, north, _, floor in spots]
                assert all(end in marks for end in effect[side].values())
                ends += len(effect[side])
        values.update(moment.changes)
    assert ends


def test_turning_points_are_the_largest_swings_in_order() -> None:
    chances = [(-1, 0.5), (4, 0.51), (9, 0.8), (12, 0.75), (20, 0.3), (30, 0.39), (31, 0.39)]
    found = turning_points(chances, most=2)
    assert [(p.event, p.before, p.after) for p in found] == [(9, 0.51, 0.8), (20, 0.75, 0.3)]
    assert [p.event for p in turning_points(chances)] == [9, 20, 30]
    assert turning_points([(-1, 0.5), (3, 0.5 + SWING / 2)]) == []
    for name in NAMES:
        points = turning_points(made(name)[1].chances)
        assert all(a.event < b.event for a, b in pairwise(points))


def test_a_record_that_the_rules_play_otherwise_gets_a_note() -> None:
    record, _ = made("skirmish")
    with patch("battlesim.viewer.insight.Continuation", side_effect=InputError(Fault("it differs", "none"))):
        insight = insight_of(record)
    assert "it differs" in insight.note
    assert insight.chances == ()
