"""What is written is read: states, events, answers and records of positions met in random play, and of made-up ones."""

from __future__ import annotations

from functools import lru_cache

import msgspec
import pytest
from hypothesis import Phase, given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from battlesim import find_ruleset, first_state, play
from battlesim.core.answers import format_answer, parse_answer
from battlesim.core.codec import dump_state, key, plain_state, position
from battlesim.core.dice import KeyedDice
from battlesim.core.items import Entry
from battlesim.core.state import Outcome, State, Structure, Unit, standing_at
from battlesim.engine.agent import Chance
from battlesim.engine.battle import Battle
from battlesim.engine.game import Game
from battlesim.engine.record import PlainFact, decode_event, event_lines, parse_record, record_bytes
from battlesim.engine.replay import replay
from battlesim.rules.activation import Bag
from battlesim.rules.scenario import Objective
from battlesim.rulesets.orderdice.model import ORDERS, BattleState, UnitState
from battlesim.rulesets.orderdice.ruleset import RULESET
from battlesim.rulesets.orderdice.turn import Draw, Obey, WhichUnit
from tests import toy
from tests.shipped import FIFTH, SMALL, load

played = settings(
    max_examples=25, deadline=None, derandomize=True, phases=(Phase.generate,)
)  # a battle's seed and length say enough, and shrinking them is slow
made = settings(max_examples=60, deadline=None, derandomize=True)


def played_on(name: str, seed: int, questions: int) -> Battle:
    """A battle at random play's so-manieth question, or at its end."""
    if name == "toy":
        battle = toy.battle(seed)
    else:
        scenario = load(name)
        ruleset = find_ruleset(scenario.ruleset)
        battle = Battle(ruleset, scenario.board, first_state(scenario, seed), KeyedDice(seed))
    chance = Chance(seed)
    while battle.question is not None and battle.question.number < questions:
        chance.at(battle.question.number)
        battle.answer(chance.choice(battle.question.answers))
    return battle


positions = st.builds(
    played_on, st.sampled_from(("toy", *SMALL, FIFTH)), st.integers(0, 10**6), st.integers(0, 250)
)


# ---- positions of play -------------------------------------------------------------------------------------------------


@pytest.mark.slow
@given(positions)
@played
def test_a_state_of_play_is_loaded_as_it_was_saved(battle: Battle) -> None:
    state, codec = battle.state, battle.ruleset.codec
    saved = dump_state(state)
    loaded = codec.load(saved)
    assert loaded == state
    assert (dump_state(loaded), key(loaded), position(loaded)) == (saved, key(state), position(state))
    assert list(loaded.units) == list(state.units)
    assert [type(item) for item in loaded.stack] == [type(item) for item in state.stack]
    assert [type(entry.step) for entry in loaded.agenda] == [type(entry.step) for entry in state.agenda]
    again = Battle(battle.ruleset, battle.board, loaded, battle.dice) if battle.question else None
    assert (again.question if again else None) == battle.question


@pytest.mark.slow
@given(positions)
@played
def test_a_plain_state_is_the_same_position(battle: Battle) -> None:
    plain = plain_state(msgspec.json.decode(dump_state(battle.state)))
    assert position(plain) == position(battle.state)
    assert dump_state(plain) == dump_state(battle.state)
    assert plain.at == battle.state.at
    assert dump_state(battle.ruleset.codec.load(dump_state(plain))) == dump_state(battle.state)


@pytest.mark.slow
@given(positions)
@played
def test_events_are_read_as_they_were_written(battle: Battle) -> None:
    for event, line in zip(battle.log, event_lines(battle.log), strict=True):
        read = decode_event(line)
        assert (read.clauses, read.cause) == (event.clauses, event.cause)
        if isinstance(read, PlainFact):
            assert read.name == type(event).__struct_config__.tag
            assert read.fields.items() <= msgspec.to_builtins(event).items()
        else:
            assert type(read) is type(event)
            # what is the ruleset's own stays plain, whose keys are written in alphabetical order
            assert msgspec.json.decode(event_lines([read])[0]) == msgspec.json.decode(line)


@given(positions)
@played
def test_every_legal_answer_has_a_text_that_means_it(battle: Battle) -> None:
    answers = battle.question.answers if battle.question else ()
    texts = [format_answer(answer) for answer in answers]
    assert len(set(texts)) == len(texts)
    assert tuple(parse_answer(text, battle.ruleset.answers) for text in texts) == answers


# ---- records -----------------------------------------------------------------------------------------------------------


@lru_cache
def game_of(name: str) -> Game:
    return play(name, ("random", "random"), 9)


@pytest.mark.slow
@given(
    st.sampled_from(("stairwell", "skirmish")),
    st.lists(st.text(max_size=40), min_size=4, max_size=4),
    st.integers(-(2**63), 2**63 - 1),
)
@made
def test_a_record_says_what_it_was_told_whatever_the_names(name: str, words: list[str], seed: int) -> None:
    game = game_of(name)
    one, two = game.header.agents
    header = replace(
        game.header,
        agents=(replace(one, name=words[0], fault=words[1]), two),
        sides=(words[2], words[3]),
        seeds=replace(game.header.seeds, battle=seed),
    )
    data = record_bytes(header, game.log, game.outcome)
    assert data.count(b"\n") == len(game.log) + 2  # nothing in a name ends a line
    record = parse_record(data, "x")
    assert (record.header, record.outcome) == (header, game.outcome)
    assert list(record.lines) == event_lines(game.log)
    assert position(list(replay(record))[-1]) == position(game.state)


# ---- made-up states ----------------------------------------------------------------------------------------------------

small = st.integers(-1, 40)
numbers = st.integers(-(2**63), 2**63 - 1)
tuples = st.lists(st.integers(0, 30), max_size=4).map(tuple)
owns = st.builds(
    UnitState,
    quality=st.integers(0, 2),
    order=st.sampled_from(("", *ORDERS)),
    pins=st.integers(0, 12),
    opening=small,
    aboard=small,
    moved=st.booleans(),
    spent=tuples,
    aim=st.tuples(small, small, small, small),
    left=st.booleans(),
)
objectives = st.builds(
    Objective,
    kind=st.sampled_from(("hold", "destroy", "survive", "exit")),
    name=st.text(max_size=20),
    points=st.integers(0, 9),
    side=st.integers(-1, 1),
    places=tuples,
    units=tuples,
)
extras = st.builds(
    BattleState,
    bag=st.builds(Bag, st.tuples(tuples, tuples)),
    objectives=st.lists(objectives, max_size=2).map(tuple),
    losses=st.tuples(numbers, numbers),
)
plain = st.recursive(
    st.none() | st.booleans() | numbers | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3),
    max_leaves=6,
)
items = st.one_of(
    st.builds(Obey, unit=small, cause=small), st.builds(WhichUnit, side=st.integers(0, 1), cause=small)
)


@st.composite
def states(draw: st.DrawFn) -> State:
    """A state under the order-dice rules that need never occur."""
    units: dict[int, Unit] = {}
    for number in range(draw(st.integers(0, 4))):
        place = draw(small)
        alive = draw(st.booleans())
        units[number] = Unit(
            number,
            draw(st.integers(0, 1)),
            draw(st.text(max_size=20)),
            draw(st.text(max_size=20)),
            place if alive else -1,
            draw(st.integers(0, 99)),
            alive,
            draw(st.integers(0, 7)),
            draw(owns),
        )
    structures = {
        number: Structure(
            number,
            draw(st.booleans()),
            draw(st.booleans()),
            draw(st.dictionaries(st.text(max_size=8), plain, max_size=2)),
        )
        for number in draw(st.lists(st.integers(0, 9), max_size=3, unique=True))
    }
    return State(
        units=units,
        structures=structures,
        extra=draw(extras),
        stack=tuple(draw(st.lists(items, max_size=3))),
        agenda=tuple(Entry(time, 0, time, Draw()) for time in draw(tuples)),
        turn=draw(numbers),
        now=draw(numbers),
        points=draw(st.tuples(numbers, numbers)),
        outcome=draw(
            st.none() | st.builds(Outcome, st.none() | st.integers(0, 1), st.just((1, 2)), st.text())
        ),
        at=standing_at(units),
    )


@pytest.mark.slow
@given(states())
@made
def test_any_state_is_loaded_as_it_was_saved(state: State) -> None:
    loaded = RULESET.codec.load(dump_state(state))
    assert loaded == state
    assert dump_state(loaded) == dump_state(state)
    assert dump_state(plain_state(msgspec.json.decode(dump_state(state)))) == dump_state(state)


@pytest.mark.slow
@given(states(), states())
@made
def test_states_have_one_key_when_they_are_one(one: State, other: State) -> None:
    """Structures are a dict whose order never matters; all else does."""
    assert (key(one) == key(other)) == (one == other)
    turned = one.clone()
    turned.structures = dict(reversed(one.structures.items()))
    assert key(turned) == key(one)
    copy = one.clone()
    assert (copy, key(copy)) == (one, key(one))
