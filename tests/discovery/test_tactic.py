"""Tactics as text, and the player that keeps to them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from battlesim import InputError, find_agent, play
from battlesim.core.answers import Order
from battlesim.discovery.acts import CHOICES, SIMPLE, acts_of, question_name
from battlesim.discovery.situations import FEATURES, situation_of, unit_asked
from battlesim.discovery.tactic import Tactic, left_by, parse_tactic, parse_tactics
from battlesim.engine.record import parse_record
from battlesim.engine.roster import Entrant
from battlesim.engine.verify import verify
from tests.discovery.test_situations import SMALL, Noting
from tests.shipped import load

ACTS = [f"{question}:{choice}" for question, choices in CHOICES.items() for choice in choices]
NAMES = st.lists(st.sampled_from(list(FEATURES)), unique=True).map(
    lambda names: [n for n in FEATURES if n in names]
)
WHEN = NAMES.flatmap(
    lambda names: st.tuples(*(st.tuples(st.just(n), st.sampled_from(list(FEATURES[n]))) for n in names))
)
TACTICS = st.builds(Tactic, st.sampled_from(("always", "never")), st.sampled_from(ACTS), WHEN)


@given(TACTICS)
def test_a_tactic_is_read_as_it_is_written(tactic: Tactic) -> None:
    assert parse_tactic(str(tactic)) == tactic
    assert tactic.opposite.opposite == tactic != tactic.opposite
    assert tactic.words()[0].isupper()
    assert tactic.words().endswith(".")


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "there is no tactic"),
        ("go:upstairs", "not a tactic"),
        ("always go:upstairs when", "not a tactic"),
        ("always go:upstairs if role=foot", "not a tactic"),
        ("always fly", "names no question"),
        ("always goes:upstairs", "did you mean 'go'"),
        ("always go:upstair", "did you mean 'upstairs'"),
        ("always go:upstairs when rol=foot", "did you mean 'role'"),
        ("always go:upstairs when role=foots", "did you mean 'foot'"),
        ("always go:upstairs when role=foot role=crew", "twice"),
    ],
)
def test_a_text_that_is_no_tactic_has_one_message(text: str, words: str) -> None:
    with pytest.raises(InputError) as caught:
        parse_tactics(text, "book.txt")
    assert len(caught.value.faults) == 1
    assert words in str(caught.value)
    assert "book.txt" in str(caught.value)


def test_no_choice_is_worded_as_a_denial() -> None:
    """A tactic may forbid any choice, and "never does not charge" is no sentence to read."""
    said = {words for choices in (*CHOICES.values(), SIMPLE) for words in choices.values()}
    assert [words for words in sorted(said) if " not" in words] == []
    assert parse_tactic("never charge:nothing").words() == "A unit never holds back from charging."


def test_tactics_stand_on_lines_or_between_semicolons() -> None:
    text = "# mine\nalways order:fire; never go:outside\n\nalways order:rally when state=hindered\n"
    assert [str(tactic) for tactic in parse_tactics(text)] == [
        "always order:fire",
        "never go:outside",
        "always order:rally when state=hindered",
    ]


@pytest.mark.parametrize("ruleset", SMALL)
@pytest.mark.parametrize("rule", ["always", "never"])
def test_a_player_keeps_to_its_tactic_whenever_that_leaves_an_answer(ruleset: str, rule: str) -> None:
    """The player's own answers are read again: each is of the kind that its tactic asks for, or none or all of them were."""
    tactic = parse_tactic(f"{rule} order:run when state=fresh")
    noting = Noting()
    noting.player = find_agent(f"tactician,tactics={tactic}").make()
    game = play(load(SMALL[ruleset]), (Entrant("one", "", lambda: noting), find_agent("greedy")), 5)
    assert not game.faults
    bound = 0
    for view, board, ask, answers, said in noting.seen:
        unit = unit_asked(view, ask)
        if (
            unit is None
            or question_name(type(ask)) != "order"
            or not tactic.fits(situation_of(view, board, unit))
        ):
            continue
        acts = dict(zip(answers, acts_of(view, board, ask, answers), strict=True))
        fitting = [answer for answer in answers if ("order:run" in acts[answer]) == (rule == "always")]
        assert left_by([tactic], view, board, ask, answers) == (fitting or list(answers))
        if fitting:
            bound += 1
            assert said in fitting
            assert isinstance(said, Order)
    player: Any = noting.player
    assert bound > 0
    assert player.offered > 0
    assert player.changed <= player.offered
    assert player.changed > 0 or rule == "never"  # greedy may have no wish to run


def test_a_tactic_that_never_comes_up_changes_nothing() -> None:
    quiet = "tactician,tactics=always order:barrage; never follow-in:yes"
    one, two = play("stairwell", (quiet, "greedy"), seed=4), play("stairwell", ("greedy", "greedy"), seed=4)
    assert one.log == two.log


def test_the_base_player_can_be_any_and_has_its_parameters() -> None:
    agent: Any = find_agent(
        "tactician,base=doctrine+character=assault+strength=2,tactics=never order:wait"
    ).make()
    assert (agent.base.character, agent.base.strength) == ("assault", 2)
    for base in ("random", "rush", "doctrine+character=defence"):
        game = play("stairwell", (f"tactician,base={base},tactics=never order:wait", "greedy"), seed=4)
        assert not game.faults


def test_its_games_are_verified_with_its_name_alone() -> None:
    name = "tactician,tactics=always go:upstairs when where=ground; never order:run"
    record = parse_record(play("watch-house", (name, "greedy"), seed=4).record(), "x")
    assert verify(record, True, load("watch-house")).same


def test_it_explains_what_it_does_and_marks_what_it_may_not() -> None:
    noting = Noting()
    agent: Any = find_agent("tactician,tactics=never order:fire; never order:run; never order:wait").make()
    noting.player = agent
    play("stairwell", (Entrant("one", "", lambda: noting), find_agent("greedy")), seed=5)
    marked = 0
    for view, board, ask, answers, _ in noting.seen:
        left = left_by(agent.tactics, view, board, ask, answers)
        rows = agent.explain(view, ask, answers)
        assert sorted(map(repr, (row.answer for row in rows))) == sorted(map(repr, answers))
        assert rows[0].answer in left
        for row in rows:
            assert row.text.startswith("against the tactics") == (row.answer not in left)
            marked += row.answer not in left
    assert marked


@pytest.mark.parametrize("ruleset", SMALL)
def test_a_tactic_may_say_what_follows_an_order(ruleset: str) -> None:
    """A unit never runs twice in a row, told from the player's own answers."""
    noting = Noting()
    agent: Any = find_agent("tactician,tactics=never order:run when last=run").make()
    noting.player = agent
    play(load(SMALL[ruleset]), (Entrant("one", "", lambda: noting), find_agent("greedy")), 5)
    last: dict[int, str] = {}
    ran = bound = 0
    for view, board, ask, answers, said in noting.seen:
        unit = unit_asked(view, ask)
        if unit is None or question_name(type(ask)) != "order":
            continue
        (act,) = acts_of(view, board, ask, [said])[0]
        offered = frozenset.union(*acts_of(view, board, ask, answers))
        if last.get(unit.id) == "order:run" and offered - {"order:run"}:
            bound += 1
            assert act != "order:run"
        last[unit.id] = act
        ran += act == "order:run"
    assert ran
    assert bound
    other: Any = find_agent("tactician,tactics=never order:run when last=run").make()
    other.load(agent.save())
    for number, act in last.items():
        assert other.history.last(number) == agent.history.last(number)
        assert (other.history.last(number) == "run") == (act == "order:run")


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("tactician", "tactics"),
        ("tactician,tactics=always", "not a tactic"),
        ("tactician,base=nobody,tactics=never order:fire", "nobody"),
        ("tactician,base=tactician,tactics=never order:fire", "base of another"),
        ("card:7", "names no card"),
        ("card:nowhere/7", "no cards"),
    ],
)
def test_a_player_that_cannot_be_made_has_one_message(name: str, words: str) -> None:
    with pytest.raises(InputError) as caught:
        find_agent(name)
    assert len(caught.value.faults) == 1
    assert words in str(caught.value)


def test_a_card_of_a_run_is_the_player_that_it_names(tmp_path: Path) -> None:
    agent = "tactician,tactics=never order:run"
    (tmp_path / "cards.json").write_text(json.dumps({"cards": [{"number": 7, "agent": agent}]}))
    assert find_agent(f"card:{tmp_path}/7").name == agent
    with pytest.raises(InputError, match="the run has 7"):
        find_agent(f"card:{tmp_path}/8")
    (tmp_path / "cards.json").write_text("[]")
    with pytest.raises(InputError, match="cannot be read"):
        find_agent(f"card:{tmp_path}/7")
