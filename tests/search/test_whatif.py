"""A record played on from its questions: same dice, fresh dice, and what orders and dice moved."""

from __future__ import annotations

from collections.abc import Sequence
from math import fsum
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from battlesim import play
from battlesim.core.answers import Answer, format_answer
from battlesim.core.errors import IllegalAnswer, InputError
from battlesim.core.events import Answered, Rolled
from battlesim.engine.record import Record, parse_record, read_record
from battlesim.engine.roster import Entrant
from battlesim.rules.scenario import Scenario
from battlesim.search.continuation import Continuation, WatchedDice, value_of
from battlesim.search.turning_points import Effect, Swings, turning_points
from battlesim.search.whatif import better_answer, candidates, mean_and_error, what_if

GOLDEN = Path(__file__).parents[1] / "golden" / "records"
ONE_A_RULEBOOK = ("length-won", "squadhex-length", "armorclass-length", "regiment-length")


class Mixed:
    """Takes one answer after another, by the number of the question: it fights, and has no chance of its own."""

    def start(self, board: Any, side: int, chance: Any) -> None:
        pass

    def choose(self, view: Any, ask: Any, answers: Sequence[Answer]) -> Answer:
        return answers[view.number * 7 % len(answers)]


MIXED = Entrant("mixed", "", Mixed)
BOTH = (MIXED, MIXED)


@pytest.fixture
def toy(toy_scenario: Scenario) -> Record:
    return parse_record(play(toy_scenario, (Mixed, Mixed), seed=6).record(), "toy.jsonl")


# ---- back to a question


@pytest.mark.parametrize("name", ONE_A_RULEBOOK)
def test_every_question_is_met_again_and_the_battles_own_dice_end_it_as_recorded(name: str) -> None:
    record = read_record(GOLDEN / f"{name}.jsonl")
    going = Continuation(record, ("greedy", "greedy"))
    asked = [sum(battle.state.questions) for battle in going.battles()]
    assert asked == list(range(len(going.answers)))
    last = going.play_on(going.at(asked[-1]), None, going.recorded(asked[-1]))
    assert (last.points, last.termination) == (record.outcome.points, record.outcome.termination)
    assert last.value == value_of(record.outcome)


def test_the_recorded_agents_play_the_record_to_its_end_under_its_own_dice(
    toy: Record, toy_scenario: Scenario
) -> None:
    going = Continuation(toy, BOTH, toy_scenario)
    battle = going.at(3)
    before = battle.save()
    on = going.play_on(battle)
    assert on.points == toy.outcome.points
    assert list(on.answers) == [said.answer for said in going.answers[3:]]
    assert battle.save() == before  # the battle stays where it was


def test_dice_are_seen_where_they_are_thrown(toy: Record, toy_scenario: Scenario) -> None:
    """Between two questions dice were thrown exactly where the record has dice there, or a bag was drawn from."""
    going = Continuation(toy, BOTH, toy_scenario)
    seen = []
    for battle in going.battles():
        assert isinstance(battle.dice, WatchedDice)
        seen.append(battle.dice.thrown)
    events = list(toy.events)
    said = [n for n, event in enumerate(events) if isinstance(event, Answered)]
    for one, two, thrown in zip(said, said[1:], seen[1:], strict=False):
        if any(isinstance(event, Rolled) for event in events[one:two]):
            assert thrown
    assert not all(seen[1:])


def test_a_horizon_ends_a_game_with_the_value_of_the_position() -> None:
    going = Continuation(read_record(GOLDEN / "length-won.jsonl"), ("greedy", "greedy"))
    battle = going.at(0)
    short, whole = going.play_on(battle, 1, horizon=1), going.play_on(battle, 1)
    assert 0 < short.value < 1
    assert short.termination == ""
    assert whole.termination
    assert whole.answers[: len(short.answers)] == short.answers
    assert len(short.answers) < len(whole.answers)
    assert going.play_on(battle, 1, horizon=99) == whole


def test_fresh_dice_follow_from_the_seed_alone(toy: Record, toy_scenario: Scenario) -> None:
    going = Continuation(toy, BOTH, toy_scenario)
    battle = going.at(2)
    assert going.play_on(battle, 1) == going.play_on(battle, 1)
    assert len({going.play_on(battle, seed) for seed in range(12)}) > 1


def test_a_record_that_the_rules_do_not_make_any_more_is_refused(toy: Record, toy_scenario: Scenario) -> None:
    number = next(n for n, event in enumerate(toy.events) if n > 20 and isinstance(event, Rolled))
    lines = list(toy.lines)
    lines[number] = lines[number].replace(b'"faces":[', b'"faces":[6,')
    going = Continuation(replace(toy, lines=tuple(lines)), BOTH, toy_scenario)
    with pytest.raises(
        InputError, match=rf"toy.jsonl:{number + 2}: the rules of this version .* event {number};"
    ):
        list(going.battles())
    with pytest.raises(InputError, match="there is no question 999; questions are numbered from 0 to"):
        going.at(999)


# ---- one question


def test_all_answers_meet_the_same_dice(toy: Record, toy_scenario: Scenario) -> None:
    going = Continuation(toy, BOTH, toy_scenario)
    answers = candidates(going.at(2), going.recorded(2), 2)
    assert answers[0] == going.recorded(2)
    assert len(set(answers)) == len(answers) > 1
    counted: list[int] = []
    options = what_if(going, 2, [answers[0], answers[0], answers[1]], 4, 5, lambda: counted.append(1))
    assert len(counted) == 3 * 5
    assert options[0].fresh == options[1].fresh
    assert options[0].played
    assert not options[2].played
    assert options[0].same.points == toy.outcome.points
    assert options[2].answer == format_answer(answers[1])
    assert options[0].values(0) == [1 - value for value in options[0].values(1)]
    assert options[0].margins(0) == [-margin for margin in options[0].margins(1)]
    again = what_if(going, 2, [answers[0]], 4, 6)
    assert again[0].same == options[0].same
    assert again[0].fresh != options[0].fresh


def test_a_question_that_is_not_there_is_refused(toy: Record, toy_scenario: Scenario) -> None:
    going = Continuation(toy, BOTH, toy_scenario)
    count = len(going.answers)
    for number in (-1, count):
        with pytest.raises(
            InputError, match=f"no question {number}; questions are numbered from 0 to {count - 1}"
        ):
            what_if(going, number, [], 2)
    without = Continuation(replace(toy, events=()), BOTH, toy_scenario)
    with pytest.raises(InputError, match="no question 0; it has no questions at all"):
        without.at(0)


def test_an_answer_that_is_not_legal_is_refused(toy: Record, toy_scenario: Scenario) -> None:
    going = Continuation(toy, BOTH, toy_scenario)
    foreign = next(
        going.recorded(n)
        for n in range(1, 20)
        if going.recorded(n) not in (going.at(0).question or 0).answers  # type: ignore[union-attr]
    )
    with pytest.raises(IllegalAnswer):
        what_if(going, 0, [foreign], 1)


class Surrenders(Mixed):
    """Takes the last answer: in the toy that is to do nothing."""

    def choose(self, view: Any, ask: Any, answers: Sequence[Answer]) -> Answer:
        return answers[-1]


def test_a_better_answer_is_found_only_where_one_is_surely_better(
    toy_scenario: Scenario, monkeypatch: pytest.MonkeyPatch
) -> None:
    record = parse_record(play(toy_scenario, (Mixed, Mixed), seed=6).record(), "toy.jsonl")
    going = Continuation(record, BOTH, toy_scenario)
    recorded = going.recorded(0)
    good = next(answer for answer in candidates(going.at(0), recorded, 9) if answer != recorded)
    side = going.answers[0].side
    won = {recorded: 0.25, good: 0.75}  # what play comes to; every fourth game goes the other way

    def play_on(battle: Any, seed: int | None = None, first: Any = None) -> Any:
        play_on.n += 1  # type: ignore[attr-defined]
        value = won.get(first, 0.0)
        value = value if play_on.n % 4 else 0.5  # type: ignore[attr-defined]
        return replace(done, value=value if side == 0 else 1 - value)

    done = going.play_on(going.at(0))
    play_on.n = 0  # type: ignore[attr-defined]
    monkeypatch.setattr(going, "play_on", play_on)
    found = better_answer(going, 0, 16, 9)
    assert found is not None
    assert found.answer == format_answer(good)
    assert 0.3 < found.gain <= 0.5
    assert 0 <= found.error < 0.1
    won[good] = 0.25
    assert better_answer(going, 0, 16, 9) is None


def test_the_error_of_a_mean() -> None:
    assert mean_and_error([0.0, 1.0]) == (0.5, 0.5)
    assert mean_and_error([1.0, 1.0, 1.0]) == (1.0, 0.0)
    assert mean_and_error([1.0])[1] == float("inf")


# ---- luck and skill


def check_sums(swings: Swings) -> None:
    """What telescopes: the answers and dice of the battle, of each act, and their totals."""
    parts = [swings.start.value, swings.skill[0].value, swings.skill[1].value, swings.luck.value]
    assert fsum(parts) == pytest.approx(swings.result, abs=1e-9)
    assert fsum(m.order.value + m.dice.value for m in swings.moves) == pytest.approx(
        swings.result - swings.start.value, abs=1e-9
    )
    for one, two in zip(swings.moves, swings.moves[1:], strict=False):
        assert one.then == two.before
    assert swings.moves[0].before == swings.start.value
    assert swings.moves[-1].then == swings.result
    for move in swings.moves:
        assert move.after - move.before == pytest.approx(move.order.value, abs=1e-9)
        assert move.then - move.after == pytest.approx(move.dice.value, abs=1e-9)
    for act in swings.acts:
        whole = act.order[0].value + act.order[1].value + act.dice.value
        assert whole == pytest.approx(act.moved, abs=1e-9)
    assert [n for act in swings.acts for n in act.questions] == [m.question for m in swings.moves]
    for side in (0, 1):
        mine = fsum(move.order.value for move in swings.moves if move.side == side)
        assert mine == pytest.approx(swings.skill[side].value, abs=1e-9)


@pytest.mark.parametrize("name", ONE_A_RULEBOOK)
@pytest.mark.parametrize("horizon", [0, 1])
def test_luck_and_skill_add_up_to_the_result_in_every_rulebook(name: str, horizon: int) -> None:
    record = read_record(GOLDEN / f"{name}.jsonl")
    swings = turning_points(Continuation(record, ("greedy", "greedy")), 2, horizon=horizon)
    check_sums(swings)
    assert swings.horizon == horizon
    halves = {0.0, 0.25, 0.5, 0.75, 1.0}
    whole = all(move.before in halves for move in swings.moves)
    assert whole or horizon  # games that are played to the end are won, drawn or lost
    assert swings.result == value_of(record.outcome)
    assert len(swings.moves) == sum(isinstance(event, Answered) for event in record.events)
    assert swings.reference == ("greedy", "greedy")


@pytest.mark.parametrize("name", ["forfeit", "squadhex-forfeit", "armorclass-forfeit", "regiment-forfeit"])
def test_a_forfeit_is_the_doing_of_the_side_that_forfeits(name: str) -> None:
    record = read_record(GOLDEN / f"{name}.jsonl")
    swings = turning_points(Continuation(record, ("greedy", "greedy")), 2, horizon=1)
    check_sums(swings)
    last = swings.moves[-1]
    assert (last.after, last.dice) == (swings.result, Effect(0.0, 0.0))
    assert last.side == 1 - record.outcome.winner


@pytest.mark.slow
def test_they_add_up_whoever_plays_on(toy: Record, toy_scenario: Scenario) -> None:
    going = Continuation(toy, (MIXED, Entrant("last", "", Surrenders)), toy_scenario)
    swings = turning_points(going, 5, seed=3)
    check_sums(swings)
    assert swings.skill[0] == Effect(0.0, 0.0)  # it plays as the record did
    assert any(move.order.value for move in swings.moves)
    assert any(move.dice.value for move in swings.moves)


@pytest.mark.slow
def test_an_agent_that_answers_as_the_record_has_no_skill_over_itself(
    toy: Record, toy_scenario: Scenario
) -> None:
    asked: list[int] = []
    swings = turning_points(Continuation(toy, BOTH, toy_scenario), 6, done=lambda: asked.append(1))
    check_sums(swings)
    assert swings.skill == (Effect(0.0, 0.0), Effect(0.0, 0.0))
    assert len(asked) == len(swings.moves)


@pytest.mark.slow
def test_the_turning_points_are_the_acts_that_moved_most_in_the_order_of_the_battle(
    toy: Record, toy_scenario: Scenario
) -> None:
    swings = turning_points(Continuation(toy, BOTH, toy_scenario), 6)
    found = swings.turning_points(3)
    assert 0 < len(found) <= 3
    assert [act.act for act in found] == sorted(act.act for act in found)
    least = min(abs(act.moved) for act in found)
    assert all(abs(act.moved) <= least for act in swings.acts if act not in found)


@pytest.mark.slow
def test_luck_has_no_side(toy_scenario: Scenario) -> None:
    """Over many battles the dice favour nobody: what is called luck is not skill in disguise."""
    luck = []
    for seed in range(12):
        record = parse_record(play(toy_scenario, (Mixed, Surrenders), seed=seed).record(), "toy.jsonl")
        luck.append(turning_points(Continuation(record, BOTH, toy_scenario), 2, seed).luck.value)
    mean, error = mean_and_error(luck)
    assert len(set(luck)) > 3
    assert abs(mean) < 3 * error
