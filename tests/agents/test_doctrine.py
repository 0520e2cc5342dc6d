"""Doctrine: greedy with a character."""

from __future__ import annotations

import importlib
from typing import Any

import pytest

from battlesim import RULESETS, InputError, find_agent, parameters, play
from battlesim.batch.measures import measure
from battlesim.engine.record import parse_record
from battlesim.engine.verify import verify
from tests.measure_characters import CHARACTERS
from tests.shipped import load

SMALL = ("stairwell", "square", "outpost", "watch-house")
"""One scenario a rulebook."""


def characters() -> dict[str, dict[str, float]]:
    find_agent("doctrine")
    found: dict[str, dict[str, float]] = importlib.import_module("battlesim_agents.doctrine").CHARACTERS
    return found


@pytest.mark.parametrize("name", SMALL)
def test_the_usual_character_is_greedy(name: str) -> None:
    assert play(name, ("doctrine", "rush"), seed=3).log == play(name, ("greedy", "rush"), seed=3).log


def test_the_table_of_measures_has_every_character() -> None:
    assert set(CHARACTERS) == {"usual", *characters()}


@pytest.mark.parametrize("character", CHARACTERS[1:])
@pytest.mark.parametrize("name", SMALL)
def test_a_character_plays_by_the_rules_and_the_same_again(name: str, character: str) -> None:
    game = play(name, (f"doctrine,character={character},strength=2", "random"), seed=3)
    assert not game.faults
    assert verify(parse_record(game.record(), "x"), True, load(name)).same


@pytest.mark.parametrize("character", CHARACTERS[1:])
def test_a_character_turns_something_in_every_rulebook_within_its_range(character: str) -> None:
    agent: Any = find_agent(f"doctrine,character={character},strength=5").make()
    for ruleset in RULESETS:
        declared = {one.name: one for one in parameters(ruleset)}
        found = agent.settings_for(ruleset)
        assert any(found[name] != declared[name].default for name in found)
        assert all(declared[name].low <= found[name] <= declared[name].high for name in found)


def test_what_is_given_by_name_overrides_the_character() -> None:
    agent: Any = find_agent("doctrine,character=assault,exposure=0.9").make()
    assert agent.settings_for("orderdice")["exposure"] == 0.9
    assert agent.settings_for("orderdice")["progress"] == 4.0


def test_no_strength_is_the_usual() -> None:
    agent: Any = find_agent("doctrine,character=assault,strength=0").make()
    declared = {one.name: one.default for one in parameters("orderdice")}
    found = agent.settings_for("orderdice")
    assert found
    assert all(declared[name] == value for name, value in found.items())


@pytest.mark.slow
def test_defenders_lie_in_wait_and_assaulters_do_not() -> None:
    waits = {}
    for character in ("assault", "defence"):
        agent = f"doctrine,character={character}"
        waits[character] = sum(
            measure(play("stairwell", (agent, agent), seed=seed)).waits for seed in range(6)
        )
    assert waits["defence"] > 1.5 * waits["assault"] > 0


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ("character=brave", "no character 'brave'"),
        ("strength=9", "strength=9 will not do; give a number from 0 to 5"),
        ("strength=abc", "strength=abc will not do; give a number from 0 to 5"),
        ("expsure=1", "no parameter 'expsure'; did you mean 'exposure'"),
        (
            "character=assault,exposure=99",
            "^agent 'doctrine,character=assault,exposure=99': exposure=99 is out of range",
        ),
        ("exposure=abc", "exposure='abc' is out of range"),
    ],
)
def test_what_it_does_not_take_is_told(words: str, said: str) -> None:
    with pytest.raises(InputError, match=said):
        find_agent(f"doctrine,{words}")


def test_what_was_discovered_is_played_as_it_was_found_and_as_usual_elsewhere() -> None:
    found = {
        rules: {one.name: one.found for one in parameters(rules) if one.found is not None}
        for rules in RULESETS
    }
    assert any(found.values())
    for ruleset in RULESETS:
        made: Any = find_agent("doctrine,character=discovered").make()
        assert made.settings_for(ruleset) == found[ruleset]
        assert all(one.found is None or one.low <= one.found <= one.high for one in parameters(ruleset))
        usual: Any = find_agent("doctrine,character=discovered,strength=0").make()
        defaults = {one.name: one.default for one in parameters(ruleset)}
        assert all(value == defaults[name] for name, value in usual.settings_for(ruleset).items())
        if name := next(iter(found[ruleset]), ""):
            set_by_hand: Any = find_agent(f"doctrine,character=discovered,{name}=0.5").make()
            assert set_by_hand.settings_for(ruleset)[name] == 0.5


def test_what_was_discovered_plays_by_the_rules_and_the_same_again() -> None:
    game = play("square", ("doctrine,character=discovered", "greedy"), seed=3)
    assert not game.faults
    assert verify(parse_record(game.record(), "x"), True, load("square")).same
