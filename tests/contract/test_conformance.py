"""The laws of the house on every shipped scenario, whichever ruleset it plays: one suite for all of them.

The toy rulebook has its own copy of the sharper tests in `tests/engine/test_laws.py`; here real battles must keep the laws.
"""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest

from battlesim import Scenario, find_ruleset, first_state, play
from battlesim.core.apply import apply
from battlesim.core.codec import dump_state, key, position
from battlesim.core.dice import KeyedDice
from battlesim.core.errors import RuleError
from battlesim.core.events import Rolled, TurnEnded
from battlesim.core.state import fallen_of, standing_at
from battlesim.engine.agent import Chance
from battlesim.engine.battle import Battle
from battlesim.engine.record import event_lines, parse_record
from battlesim.engine.replay import replay
from battlesim.engine.verify import verify
from tests import shipped


@pytest.fixture(params=[*shipped.marked(shipped.SHIPPED), shipped.FIFTH])
def scenario(request: pytest.FixtureRequest) -> Scenario:
    return shipped.load(request.param)


def battle_of(scenario: Scenario, seed: int) -> Battle:
    ruleset = find_ruleset(scenario.ruleset)
    return Battle(ruleset, scenario.board, first_state(scenario, seed), KeyedDice(seed))


def chance_for(battle: Battle, chance: Chance) -> Any:
    assert battle.question is not None
    chance.at(battle.question.number)
    return chance.choice(battle.question.answers)


def test_a_battle_saved_and_loaded_after_every_question_goes_on_alike(scenario: Scenario) -> None:
    through, resumed, chance = battle_of(scenario, 1), battle_of(scenario, 1), Chance(1)
    ruleset, codec = through.ruleset, through.ruleset.codec
    log = event_lines(resumed.log)
    while through.question is not None:
        said = chance_for(through, chance)
        saved = resumed.save()
        resumed = Battle(ruleset, scenario.board, codec.load(saved), KeyedDice(1))
        assert resumed.save() == saved
        assert resumed.question == through.question
        through.answer(said)
        resumed.answer(said)
        log += event_lines(resumed.log)
    assert log == event_lines(through.log)
    assert dump_state(resumed.state) == dump_state(through.state)


def test_forks_leave_the_original_untouched(scenario: Scenario) -> None:
    battle, chance = battle_of(scenario, 2), Chance(2)
    kept = []
    while battle.question is not None:
        number = battle.question.number
        if number % 9 == 0:
            before = key(battle.state)
            copy = battle.state.clone()
            for said in battle.question.answers[:: max(1, len(battle.question.answers) // 3)]:
                branch = battle.fork()
                for _ in range(12):
                    if branch.question is None:
                        break
                    branch.answer(said)
                    if branch.question is not None:
                        said = chance_for(branch, chance)
            assert key(battle.state) == before
            kept.append((copy, before))
        battle.answer(chance_for(battle, chance))
    assert all(key(copy) == before for copy, before in kept)


@pytest.mark.parametrize("seed", [0, 1, pytest.param(2, marks=pytest.mark.slow)])
def test_a_battle_keeps_the_laws(scenario: Scenario, seed: int) -> None:
    """A question lists the same answers whenever it is asked, every legal kind is one the ruleset knows, nothing is broken, no
    dice key occurs twice, causes come first, events alone make the state, a replay without rules meets every quiet point."""
    battle, chance = battle_of(scenario, seed), Chance(seed)
    ruleset, board = battle.ruleset, scenario.board
    state = first_state(scenario, seed)
    done = 0
    while battle.question is not None:
        question = battle.question
        answers = question.answers
        assert len(set(answers)) == len(answers) > 1
        assert len(answers) <= 500
        assert {type(answer) for answer in answers} <= set(ruleset.answers)
        assert tuple(ruleset.legal(battle.state, board, question.ask)) == answers
        safe = ruleset.safe_answer(battle.state, board, question.ask, answers)
        assert safe in answers
        battle.answer(chance_for(battle, chance))
        assert ruleset.faults(battle.state, board) == []
        for number, event in enumerate(battle.log[done:], done):
            assert event.cause < number == state.events
            if isinstance(event, TurnEnded):
                assert event.position == position(state)
            apply(state, event)
        done = len(battle.log)
        assert state.at == battle.state.at == standing_at(state.units)
        assert state.down == battle.state.down == fallen_of(state.structures)
    assert position(state) == position(battle.state)
    rolled = Counter(
        (e.turn, e.actor, e.purpose, e.object, e.attempt) for e in battle.log if isinstance(e, Rolled)
    )
    assert [name for name, times in rolled.items() if times > 1] == []


@pytest.mark.parametrize(
    "agents", [pytest.param(("random", "random"), marks=pytest.mark.slow), ("rush", "random")]
)
def test_a_record_stands_and_replays(scenario: Scenario, agents: tuple[str, str]) -> None:
    game = play(scenario, agents, seed=4)
    assert game.faults == ()
    record = parse_record(game.record(), "x")
    verdict = verify(record, scenario=scenario)
    assert verdict.same, str(verdict)
    verdict = verify(record, agents=True, scenario=scenario)
    assert verdict.same, str(verdict)
    assert position(list(replay(record))[-1]) == position(game.state)


def test_an_imagined_state_can_be_played_on(scenario: Scenario) -> None:
    battle, chance = battle_of(scenario, 3), Chance(3)
    tried = 0
    while battle.question is not None:
        if battle.question.number % 25 == 0:
            view = battle.view(battle.question.side)
            imagined = battle.ruleset.imagine(view, scenario.board, KeyedDice(9))
            other = Battle(battle.ruleset, scenario.board, imagined, KeyedDice(9))
            assert other.question is not None
            assert other.question.ask == view.ask
            assert set(other.question.answers) == set(battle.question.answers)
            try:
                for _ in range(20):
                    if other.question is None:
                        break
                    other.answer(chance_for(other, chance))
            except RuleError as error:  # pragma: no cover - tells where
                pytest.fail(f"question {battle.question.number}: {error}")
            tried += 1
        battle.answer(chance_for(battle, chance))
    assert tried


def test_a_view_gives_nothing_away_and_nothing_out_of_hand(scenario: Scenario) -> None:
    """Whoever is shown a view can change nothing by it, and of an enemy's move sees no more than has been walked."""
    battle, chance = battle_of(scenario, 3), Chance(3)
    while battle.question is not None and battle.question.number < 150:
        side, before = battle.question.side, dump_state(battle.state)
        view = battle.view(side)
        for item in view.stack:
            if hasattr(item, "path") and hasattr(item, "at") and battle.state.units[item.unit].side != side:
                assert len(item.path) <= item.at + 1
        for structure in view.structures.values():
            with pytest.raises(TypeError):
                structure.own["meddled"] = True  # type: ignore[index]
        view.units.clear()
        assert dump_state(battle.state) == before
        battle.answer(chance_for(battle, chance))
