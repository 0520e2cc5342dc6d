"""The laws of the house, proved on the toy rulebook: state is a value, one apply, keyed dice, steps as data."""

from __future__ import annotations

import hashlib
import json
import os
import subprocess
import sys
from collections import Counter
from pathlib import Path

import msgspec
import pytest
from msgspec.structs import replace

from battlesim.core.apply import apply
from battlesim.core.codec import dump_state, key, position
from battlesim.core.dice import KeyedDice
from battlesim.core.errors import InputError
from battlesim.core.events import CHANGES, Event, Rolled, Taken, TurnEnded
from battlesim.core.items import Entry
from battlesim.core.state import living_of, standing_at
from battlesim.engine.agent import Chance
from battlesim.engine.battle import Battle
from battlesim.engine.record import event_lines
from tests import toy

SEEDS = range(1, 9)


def play_on(battle: Battle, seed: int) -> list[bytes]:
    """Play a battle to its end by chance; its events as bytes."""
    chance = Chance(seed)
    while battle.question is not None:
        chance.at(battle.question.number)
        battle.answer(chance.choice(battle.question.answers))
    return event_lines(battle.log)


def test_the_toy_uses_every_change_and_ends_in_each_way() -> None:
    kinds: Counter[type[Event]] = Counter()
    ends: Counter[str] = Counter()
    for seed in range(60):
        battle = toy.battle(seed)
        play_on(battle, seed)
        kinds.update(type(event) for event in battle.log)
        assert battle.outcome is not None
        ends[battle.outcome.termination] += 1
    assert all(kinds[change] for change in CHANGES)
    assert set(ends) == {"length", "destroyed"}


@pytest.mark.parametrize("seed", SEEDS)
def test_save_load_and_go_on_after_every_question(seed: int) -> None:
    through, resumed = toy.battle(seed), toy.battle(seed)
    chance, log = Chance(seed), list(resumed.log)
    while through.question is not None:
        said = chance.choice(through.question.answers)
        saved = resumed.save()
        resumed = Battle(toy.TOY, toy.BOARD, toy.TOY.codec.load(saved), KeyedDice(seed))
        assert resumed.save() == saved
        assert resumed.question == through.question
        through.answer(said)
        resumed.answer(said)
        log += resumed.log
    assert event_lines(log) == event_lines(through.log)
    assert dump_state(resumed.state) == dump_state(through.state)


@pytest.mark.parametrize("seed", SEEDS)
def test_old_copies_keep_their_key(seed: int) -> None:
    battle = toy.battle(seed)
    chance = Chance(seed)
    kept = []
    while battle.question is not None:
        copy = battle.state.clone()
        kept.append((copy, key(copy), dict(copy.at)))
        battle.answer(chance.choice(battle.question.answers))
    assert all(key(copy) == before and copy.at == at for copy, before, at in kept)


@pytest.mark.parametrize(
    "seed", [pytest.param(seed, marks=pytest.mark.slow) if seed > 4 else seed for seed in SEEDS]
)
def test_a_fork_at_any_question_leaves_the_original_untouched_and_goes_on_alike(seed: int) -> None:
    battle, whole = toy.battle(seed), toy.battle(seed)
    expected = play_on(whole, seed)
    chance = Chance(seed)
    while battle.question is not None:
        before = battle.save()
        for said in battle.question.answers[:3]:
            branch = battle.fork()
            branch.answer(said)
            play_on(branch, seed + 1)
        alike = battle.fork()
        tail = play_on(alike, seed)
        assert battle.save() == before
        assert tail == expected[len(expected) - len(tail) :]
        chance.at(battle.question.number)
        battle.answer(chance.choice(battle.question.answers))


def test_a_fork_under_fresh_dice_keeps_its_past_and_rolls_anew() -> None:
    battle = toy.battle(3)
    chance = Chance(3)
    while battle.state.turn < 4 and battle.question is not None:
        battle.answer(chance.choice(battle.question.answers))
    before = battle.save()
    tails = {tuple(play_on(battle.fresh(seed), 1)) for seed in range(10, 15)}
    assert battle.save() == before
    assert len(tails) == 5
    assert tuple(play_on(battle.fork(), 1)) not in tails


@pytest.mark.parametrize("seed", SEEDS)
def test_branches_that_differ_in_one_answer_meet_the_same_faces_elsewhere(seed: int) -> None:
    battle = toy.battle(seed)
    assert battle.question is not None
    rolls: dict[tuple[object, ...], tuple[int, ...]] = {}
    for said in battle.question.answers:
        branch = battle.fork()
        branch.answer(said)
        play_on(branch, seed)
        for e in branch.log:
            if isinstance(e, Rolled):
                name = (e.turn, e.actor, e.purpose, e.object, e.attempt)
                first = rolls.setdefault(name, e.faces)
                shared = min(len(first), len(e.faces))  # a branch may roll fewer dice under a key
                assert first[:shared] == e.faces[:shared]


@pytest.mark.parametrize("seed", SEEDS)
def test_no_dice_key_occurs_twice(seed: int) -> None:
    battle = toy.battle(seed)
    play_on(battle, seed)
    keys = Counter(
        (e.turn, e.actor, e.purpose, e.object, e.attempt) for e in battle.log if isinstance(e, Rolled)
    )
    assert keys
    assert max(keys.values()) == 1


@pytest.mark.parametrize("seed", SEEDS)
def test_events_alone_make_the_state(seed: int) -> None:
    battle = toy.battle(seed)
    state = toy.setup(toy.scenario(), toy.BOARD, KeyedDice(seed))
    play_on(battle, seed)
    for number, event in enumerate(battle.log):
        assert state.events == number
        if isinstance(event, TurnEnded):
            assert event.position == position(state)
        apply(state, event)
        assert state.at == standing_at(state.units)
        assert state.alive == living_of(state.units)
    assert dump_state(state) == dump_state(battle.state)


@pytest.mark.parametrize("seed", SEEDS)
def test_every_cause_is_an_earlier_event_and_leads_to_the_clock(seed: int) -> None:
    battle = toy.battle(seed)
    play_on(battle, seed)
    for number, event in enumerate(battle.log):
        assert event.cause < number
        at, seen = number, 0
        while battle.log[at].cause >= 0:
            at, seen = battle.log[at].cause, seen + 1
        assert isinstance(battle.log[at], Taken), (number, event)


def test_time_never_runs_back_and_the_agenda_is_kept_in_order() -> None:
    battle = toy.battle(2)
    chance, now = Chance(2), 0
    while battle.question is not None:
        battle.answer(chance.choice(battle.question.answers))
        state = battle.state
        assert state.now >= now
        now = state.now
        ranks = [entry.rank for entry in state.agenda]
        assert ranks == sorted(ranks)
        assert all(entry.time >= now for entry in state.agenda)


def test_what_is_due_is_put_on_the_stack_and_nothing_else_happens() -> None:
    battle = toy.battle(2)
    battle.state.stack, battle.state.agenda = (), (entry := Entry(500, 5, 1, toy.Begin(1)),)
    before = battle.state.clone()
    battle._hand(entry)
    assert [type(event) for event in battle.log[before.events :]] == [Taken]
    assert battle.state.stack == (*before.stack, replace(entry.step, cause=before.events))
    assert battle.state.agenda == before.agenda[1:]
    assert battle.state.units == before.units
    assert battle.state.extra == before.extra


def test_work_is_done_in_the_order_in_which_it_is_written() -> None:
    """Of one call and of several, each before what lay on the stack."""
    battle = toy.battle(2)
    r, below = battle._r, battle.state.stack
    r.depth = len(below)
    r.then(toy.Panic(unit=1), toy.Panic(unit=2))
    r.then(None)
    r.then(toy.Panic(unit=3))
    r.then(toy.Panic(unit=4), None, toy.Panic(unit=5))
    assert r.state.stack[: len(below)] == below
    assert [item.unit for item in reversed(r.state.stack[len(below) :])] == [1, 2, 3, 4, 5]  # type: ignore[attr-defined]


def test_a_step_on_the_agenda_is_written_without_a_cause() -> None:
    """As records have always had it, under the name `due`."""
    assert msgspec.json.encode(Entry(500, 5, 3, toy.Begin(2))) == (
        b'{"time":500,"priority":5,"serial":3,"due":{"type":"Begin","turn":2}}'
    )


def test_what_a_side_cannot_know_is_not_in_its_view() -> None:
    battle = toy.battle(5)
    chance, shells = Chance(5), 0
    while battle.question is not None:
        side = battle.question.side
        view = battle.view(side)
        enemies = [unit for unit in view.units.values() if unit.side != side]
        assert enemies
        assert all(unit.own is None for unit in enemies)
        shells += any(isinstance(e.step, toy.Shell) and e.step.side != side for e in battle.state.agenda)
        assert not any(isinstance(e.step, toy.Shell) and e.step.side != side for e in view.agenda)
        battle.answer(chance.choice(battle.question.answers))
    assert shells, "no shell of the enemy was ever in the air"


@pytest.mark.parametrize("side", [-1, 2])
def test_there_is_no_view_of_a_side_that_is_not_there(side: int) -> None:
    with pytest.raises(InputError, match=f"there is no side {side}; give 0 or 1"):
        toy.battle(5).view(side)


SCRIPT = """
import hashlib
from tests import toy
from battlesim import play
with toy.installed():
    print(hashlib.sha256(play(toy.scenario(), ("random", "random"), 11).record()).hexdigest())
"""


@pytest.mark.slow
def test_same_bytes_in_other_processes_and_under_any_hash_seed(toy_scenario: object) -> None:
    from battlesim import play

    root = Path(__file__).parents[2]
    here = hashlib.sha256(play(toy_scenario, ("random", "random"), 11).record()).hexdigest()  # type: ignore[arg-type]
    for hash_seed in ("0", "1", "4711"):
        env = {**os.environ, "PYTHONHASHSEED": hash_seed, "PYTHONPATH": str(root)}
        made = subprocess.run(
            [sys.executable, "-c", SCRIPT], env=env, cwd=root, capture_output=True, check=True
        )
        assert made.stdout.decode().strip() == here


def test_a_saved_state_is_plain_json() -> None:
    battle = toy.battle(1)
    fields = json.loads(battle.save())
    assert "at" not in fields
    assert list(fields) == sorted(fields)
