"""`play --explain` in a player's words: what an act is expected to do, what it costs, what was second and why not."""

from __future__ import annotations

from collections.abc import Sequence
from types import SimpleNamespace
from typing import Any

import pytest

from battlesim import Reason, play
from battlesim.core.answers import Answer, MoveTo, Order, Pass, Pick, TargetUnit, format_answer
from battlesim.core.items import Ask
from battlesim.rulesets.orderdice.shoot import AtWhom
from battlesim.rulesets.orderdice.turn import WhichOrder, WhichUnit
from battlesim.search.reasons import ExpectedAct, Loss, Thought
from battlesim.viewer.context import Names
from battlesim.viewer.questions import Phrases
from battlesim.viewer.reasons import _joined, told_thought
from battlesim.viewer.wording import find_wording
from tests.shipped import load

SMALL = (
    "stairwell",
    "square",
    "drones",
    "watch-house",
    "tobacco-factory",
    "tobacco-armour",
    "village-regiments",
)


@pytest.fixture(scope="module")
def names() -> Names:
    """Red has the units 0 to 4, Blue 5 to 9."""
    game = play("stairwell", ("rush", "rush"), seed=1)
    return Names(game.header, game.state)


def told(thought: Thought, names: Names) -> str:
    lines = list(told_thought(thought, names, find_wording("orderdice"), headed=True))
    assert all(len(line) <= 110 for line in lines)
    return " ".join(line.strip() for line in lines)


def at_whom(unit: int) -> AtWhom:
    """The question at whom a unit fires, its other fields as in play."""
    found: list[AtWhom] = []

    def look(battle: Any, question: Any) -> None:
        if isinstance(question.ask, AtWhom) and not found:
            found.append(question.ask)

    play("stairwell", ("greedy", "greedy"), seed=3, listener=look)
    from msgspec.structs import replace

    return replace(found[0], unit=unit)


def act(
    *steps: tuple[Ask, Answer], losses: Sequence[Loss] = (), falls: Any = (), fires: Any = ()
) -> ExpectedAct:
    return ExpectedAct(tuple(steps), tuple(losses), tuple(falls), tuple(fires))


def test_an_act_is_told_whole_with_what_it_does_and_what_it_risks(names: Names) -> None:
    order, aim = WhichOrder(unit=1, side=0), at_whom(1)
    best = Reason(Order("fire"), 30.0, parts={"dealt": 40.0, "exposure": -10.0})
    thought = Thought(
        order,
        (best,),
        (
            act(
                (order, best.answer),
                (aim, TargetUnit(5)),
                losses=(Loss(5, 6, 1.44, 0.125), Loss(1, 4, 0.2, 0.0)),
                falls=((1, 0.25),),
            ),
        ),
    )
    assert told(thought, names) == (
        "Which order does Red first floor get? Fire at Blue ground floor. Expects Blue ground floor to lose 1.4 of 6 men "
        "(lost in 12%); "
        "house.east to fall (25%). Risks that Red first floor loses 0.2 of 4 men. For it: harm done 40. "
        "Against it: enemy fire to come 10."
    )


def test_a_cost_that_is_spared_and_a_gain_that_is_lost_are_told_as_less(names: Names) -> None:
    """To charge may cost less than to await the enemy's charge: "own losses 22" in favour of an act would say the opposite."""
    order = WhichOrder(unit=5, side=1)
    best = Reason(Order("run"), 30.0, parts={"dealt": 40.0, "taken": 22.0, "progress": -10.0})
    assert told(Thought(order, (best,), (act((order, best.answer)),)), names).endswith(
        "For it: harm done 40, own losses 22 less. Against it: nearness to objectives 10 less."
    )


def test_what_was_second_is_told_by_what_differs(names: Names) -> None:
    order = WhichOrder(unit=5, side=1)
    best = Reason(Order("ambush"), 21.0, parts={"ready": 12.0, "exposure": -3.0, "hold": 12.0})
    second = Reason(Order("fire"), 18.0, parts={"dealt": 20.0, "exposure": -14.0, "hold": 12.0})
    thought = Thought(order, (best, second), (act((order, best.answer)), act((order, second.answer))))
    assert told(thought, names).endswith(
        "Second: fire. It is worth 3.0 less: what it can do later 12 less, enemy fire to come 11 more; "
        "though harm done 20 more."
    )


def test_equals_are_called_as_good(names: Names) -> None:
    order = WhichOrder(unit=5, side=1)
    rows = (Reason(Order("run"), 5.0), Reason(Order("down"), 5.0))
    thought = Thought(order, rows, (act((order, rows[0].answer)), act((order, rows[1].answer))))
    assert told(thought, names).endswith("As good: go down.")


def test_a_thinker_says_how_often_it_wins(names: Names) -> None:
    order = WhichOrder(unit=5, side=1)
    rows = (
        Reason(Order("run"), 61.2, chance=True, samples=8),
        Reason(Order("down"), 55.0, chance=True, samples=8, usual=True),
    )
    thought = Thought(order, rows, (act((order, rows[0].answer)), act((order, rows[1].answer))))
    assert told(thought, names) == (
        "Which order does Blue ground floor get? Run. Wins 61% of the battles it imagines (8). "
        "Second: go down, as greedy would. Wins 55%, 6 less."
    )


def test_a_shot_that_did_no_harm_in_any_sample_is_not_said_to_be_harmless(names: Names) -> None:
    aim = at_whom(1)
    best = Reason(TargetUnit(5), 3.0, parts={"dealt": 3.0})
    assert "Expects hardly any loss of the enemy in the act." in told(
        Thought(aim, (best,), (act((aim, best.answer)),)), names
    )


def test_steps_are_joined_as_one_would_say_them(names: Names) -> None:
    pick, order, aim = WhichUnit(side=0), WhichOrder(unit=1, side=0), at_whom(1)
    steps = ((pick, Pick(1)), (order, Order("advance")), (aim, MoveTo(0)), (aim, TargetUnit(5)))
    place = names.named("place", 0)
    best = Reason(Pick(1), 1.0)
    assert told(Thought(pick, (best,), (act(*steps),)), names).startswith(
        f"Which unit gets the order die? Red first floor: advance to {place}, fire at Blue ground floor."
    )


def test_of_what_was_foreseen_nothing_is_said_but_why_that_order(names: Names) -> None:
    order = WhichOrder(unit=5, side=1)
    rows = (Reason(Order("run"), 5.0, parts={"hold": 5.0}), Reason(Order("down"), 1.0))
    acts = (act((order, rows[0].answer)), act((order, rows[1].answer)))
    assert told(Thought(order, rows, (), foreseen=True), names) == ""
    found = told(Thought(order, rows, acts, foreseen=True, after_pick=True), names)
    assert found.startswith("For this act: objectives held 5.0. Another act: ")


def test_what_was_not_told_before_has_its_question(names: Names) -> None:
    """A choice of which nothing was said, or after which something else was told."""
    order = WhichOrder(unit=5, side=1)
    rows = (Reason(Order("run"), 5.0, parts={"hold": 5.0}), Reason(Order("down"), 1.0))
    acts = (act((order, rows[0].answer)), act((order, rows[1].answer)))
    thought = Thought(order, rows, acts, foreseen=True, after_pick=True)
    lines = list(told_thought(thought, names, find_wording("orderdice"), headed=False))
    assert lines[0] == "      Which order does Blue ground floor get? Run. For it: objectives held 5.0."


@pytest.mark.parametrize(
    ("steps", "words"),
    [
        (("fire", "hold fire", "stay"), "hold fire, stay"),
        (("fire", "hold fire", "go to g12.7"), "hold fire, then go to g12.7"),
        (("move", "go to g1.2", "hold fire"), "move to g1.2, hold fire"),
        (("fire", "fire at the gun", "go to g1.2"), "fire at the gun, then go to g1.2"),
        (("stand", "hold fire"), "stand, hold fire"),
        (("advance and fire", "hold fire", "go to g1.2"), "advance, hold fire, then go to g1.2"),
        (("fire", "hold fire", "hold fire"), "hold fire"),
        (("fire", "hold fire", "fire at the gun"), "fire at the gun"),
        (("advance", "stay"), "advance in place"),
        (("advance and fire", "stay", "fire at the gun"), "advance in place and fire at the gun"),
        (("stay up", "stay up"), "stay up"),
    ],
)
def test_who_holds_fire_is_not_said_to_fire(steps: tuple[str, ...], words: str) -> None:
    assert _joined(steps) == words


@pytest.mark.parametrize("name", SMALL)
def test_every_answer_of_a_rulebook_is_an_act_in_words(name: str) -> None:
    scenario = load(name)
    wording = find_wording(scenario.ruleset)
    known = [space.name for space in scenario.board.spaces]
    header: Any = SimpleNamespace(
        places=known, sections=[s.name for s in scenario.board.sections], sides=("one", "two")
    )
    seen: set[str] = set()

    def look(battle: Any, question: Any) -> None:
        phrases = Phrases(Names(header, battle.state), wording)
        ask = question.ask
        fields = {field: getattr(ask, field) for field in ask.__struct_fields__}
        for answer in question.answers:
            text = format_answer(answer)
            words = phrases.act(type(ask).__name__, fields, text)
            seen.add(f"{type(ask).__name__} {text.split()[0]}")
            assert words
            assert not {"?", "{", "}", "nowhere", "_"} & set(words.split()), (text, words)
            # Numbers of units and places are not for readers, and "yes" is no act.
            if not isinstance(answer, Order | Pass):
                assert words not in (text, "yes", "no"), (text, type(ask))

    for agents in (("random", "greedy"), ("greedy", "random")):
        play(scenario, agents, seed=1, listener=look)
    assert len(seen) > 5
