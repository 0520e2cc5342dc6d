"""The referee: whatever an agent does, the battle ends, the fault is noted, and the record stays correct."""

from __future__ import annotations

import re
import signal
from collections.abc import Sequence
from pathlib import Path

import msgspec
import pytest

from battlesim import Answer, Ask, Battle, Board, Chance, View, find_ruleset, first_state, play
from battlesim.core.codec import dump_state
from battlesim.core.dice import KeyedDice
from battlesim.core.errors import InputError
from battlesim.engine.battle import Question
from battlesim.engine.game import Game
from battlesim.engine.header import Limits
from battlesim.engine.record import parse_record
from battlesim.engine.referee import Referee
from battlesim.engine.roster import enter
from battlesim.engine.saved import Leave, read_saved
from battlesim.engine.verify import verify
from battlesim.rules.scenario import Scenario

BAD = Path(__file__).parents[1] / "bad_agents"


def against(scenario: Scenario, name: str, limits: Limits | None = None, seed: int = 4) -> Game:
    """A game of a bad agent on side 0 against random."""
    return play(scenario, (str(BAD / f"{name}.py"), "random"), seed, limits)


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("raises", "raised ValueError: no idea what <object object> is (raises.py:13)"),
        ("exits", "raised SystemExit: 0 (exits.py:13)"),
        ("illegal", "answered TargetUnit(unit=999), which is not legal"),
        ("nonsense", "answered 'pass', which is not legal"),
        ("liar", "answered Same(), which is not legal"),
    ],
)
def test_a_bad_agent_loses_its_questions_then_the_battle(
    toy_scenario: Scenario, name: str, words: str
) -> None:
    game = against(toy_scenario, name)
    assert game.outcome.termination == "forfeit"
    assert game.winner == "blue"
    assert len(game.faults) == 10
    assert {fault.side for fault in game.faults} == {0}
    assert words in game.faults[0].what
    answers = [e for e in parse_record(game.record(), "x").events if type(e).__name__ == "Answered"]
    noted = [e for e in answers if e.by == "referee"]  # type: ignore[attr-defined]
    assert [e.note for e in noted] == [fault.what for fault in game.faults]  # type: ignore[attr-defined]
    assert game.record_hash == against(toy_scenario, name).record_hash


@pytest.mark.parametrize("name", ["raises", "nonsense", "no_start", "liar"])
@pytest.mark.parametrize("again", [False, True])
def test_a_battle_with_a_bad_agent_can_be_verified(toy_scenario: Scenario, name: str, again: bool) -> None:
    record = parse_record(against(toy_scenario, name).record(), str(BAD / "x.jsonl"))
    verdict = verify(record, again, toy_scenario)
    assert verdict.same, str(verdict)


def test_an_agent_that_cannot_start_is_noted_in_the_header(toy_scenario: Scenario) -> None:
    game = against(toy_scenario, "no_start")
    assert game.header.agents[0].fault == "could not start: raised RuntimeError: no fuel (no_start.py:10)"
    assert game.faults[0].number == -1
    assert len(game.faults) == 10


def test_a_battle_that_neither_agent_could_start_is_a_draw(toy_scenario: Scenario) -> None:
    bad = str(BAD / "no_start.py")
    game = play(toy_scenario, (bad, bad), 4, Limits(faults=1))
    assert (game.outcome.winner, game.outcome.termination) == (None, "forfeit")
    record = parse_record(game.record(), str(BAD / "x.jsonl"))
    for again in (False, True):
        verdict = verify(record, again, toy_scenario)
        assert verdict.same, str(verdict)


def test_faults_below_the_limit_only_cost_the_question(toy_scenario: Scenario) -> None:
    game = against(toy_scenario, "raises", Limits(faults=10_000))
    assert game.outcome.termination in ("length", "destroyed")
    assert len(game.faults) > 10


def test_a_late_agent_is_stopped_though_it_swallows_errors(toy_scenario: Scenario) -> None:
    game = against(toy_scenario, "slow", Limits(seconds=0.05, faults=2))
    assert game.outcome.termination == "forfeit"
    assert [fault.what for fault in game.faults] == ["was late", "was late"]
    assert "clock" in verify(parse_record(game.record(), "x"), scenario=toy_scenario).notes[0]


@pytest.mark.skipif(not hasattr(signal, "setitimer"), reason="no alarm")
def test_a_limit_that_is_over_at_once_ends_with_its_question(toy_scenario: Scenario) -> None:
    before = signal.getsignal(signal.SIGALRM)
    for _ in range(20):
        game = play(toy_scenario, ("random", "random"), 4, Limits(seconds=1e-9, faults=4))
        assert game.outcome.termination == "forfeit"
        assert signal.getitimer(signal.ITIMER_REAL) == (0, 0)
        assert signal.getsignal(signal.SIGALRM) is before


@pytest.mark.skipif(not hasattr(signal, "setitimer"), reason="no alarm")
def test_a_limit_leaves_the_callers_own_timer_running(toy_scenario: Scenario) -> None:
    """As one that ends a program which hangs, or the limit of an agent that plays limited battles while it thinks."""
    signal.setitimer(signal.ITIMER_REAL, 600, 7)
    try:
        play(toy_scenario, ("random", "random"), 4, Limits(seconds=60))
        left, again = signal.getitimer(signal.ITIMER_REAL)
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
    assert 0 < left <= 600
    assert round(again) == 7


def test_without_a_limit_nobody_is_late(toy_scenario: Scenario) -> None:
    game = play(toy_scenario, ("random", "random"), 4, Limits(seconds=60))
    assert game.faults == ()


def test_an_agent_that_changes_what_it_is_shown_changes_nothing(toy_scenario: Scenario) -> None:
    for seed in range(6):
        fair, foul = (
            play(toy_scenario, ("random", "random"), seed),
            against(toy_scenario, "meddles", seed=seed),
        )
        assert foul.faults == ()
        one, two = parse_record(fair.record(), "x"), parse_record(foul.record(), "x")
        assert one.lines == two.lines


def test_both_sides_can_be_bad(toy_scenario: Scenario) -> None:
    bad = str(BAD / "raises.py")
    game = play(toy_scenario, (bad, bad), 1)
    assert game.outcome.termination == "forfeit"
    assert verify(parse_record(game.record(), str(BAD / "x")), True, toy_scenario).same


class Draws:
    """Notes what it draws as it starts and at its questions."""

    def __init__(self) -> None:
        self.drawn: list[int] = []

    def start(self, board: Board, side: int, chance: Chance) -> None:
        self.chance, self.drawn = chance, [chance.bits()]

    def choose(self, view: View, ask: Ask, answers: Sequence[Answer]) -> Answer:
        self.drawn.append(self.chance.bits())
        return answers[0]


def test_what_an_agent_draws_as_it_starts_does_not_come_again(toy_scenario: Scenario) -> None:
    ruleset, board = find_ruleset(toy_scenario.ruleset), toy_scenario.board
    drawn = []
    for _ in range(2):
        agents = Draws(), Draws()
        Referee(Battle(ruleset, board, first_state(toy_scenario, 1), KeyedDice(1)), agents, (1, 2)).play_out()
        drawn.append([agent.drawn for agent in agents])
    assert drawn[0] == drawn[1]
    numbers = [number for agent in drawn[0] for number in agent]
    assert len(numbers) > 10
    assert len(set(numbers)) == len(numbers)


class Counting:
    """Answers by how often it was asked: what it remembers decides."""

    def __init__(self) -> None:
        self.asked = 0

    def start(self, board: Board, side: int, chance: Chance) -> None:
        self.asked = 0

    def choose(self, view: View, ask: Ask, answers: Sequence[Answer]) -> Answer:
        self.asked += 1
        return answers[self.asked * 7 % len(answers)]

    def save(self) -> bytes:
        return b"%d" % self.asked

    def load(self, memory: bytes) -> None:
        self.asked = int(memory)


@pytest.mark.parametrize("remembers", [True, False])
def test_agents_that_remember_go_on_where_a_battle_was_left(toy_scenario: Scenario, remembers: bool) -> None:
    ruleset, board = find_ruleset(toy_scenario.ruleset), toy_scenario.board
    left: list[tuple[bytes, tuple[bytes | None, bytes | None]]] = []

    def leave(battle: Battle, question: Question) -> None:
        if question.number == 9:
            left.append((battle.save(), whole.save()))

    first = Battle(ruleset, board, first_state(toy_scenario, 1), KeyedDice(1))
    whole = Referee(first, (Counting(), Counting()), (1, 2), listener=leave)
    whole.play_out()
    ((saved, memories),) = left
    again = Battle(ruleset, board, ruleset.codec.load(saved), KeyedDice(1))
    rest = Referee(again, (Counting(), Counting()), (1, 2), memories=memories if remembers else (None, None))
    rest.play_out()
    assert (dump_state(again.state) == dump_state(first.state)) is remembers


@pytest.mark.parametrize(
    ("limits", "says"),
    [
        (Limits(seconds=-1), "the limit seconds=-1 will not do; give a number from 0 to 86,400"),
        (Limits(seconds=float("nan")), "the limit seconds=nan will not do"),
        (Limits(seconds=float("inf")), "the limit seconds=inf will not do"),
        (Limits(seconds="2"), "the limit seconds='2' will not do"),  # type: ignore[arg-type]
        (Limits(faults=0), "the limit faults=0 will not do; give a whole number from 1 to 1,000,000"),
        (Limits(faults=2.5), "the limit faults=2.5 will not do"),  # type: ignore[arg-type]
        (Limits(questions=0), "the limit questions=0 will not do"),
        (Limits(milliseconds=True), "the limit milliseconds=True will not do"),
        ({"seconds": 1}, "{'seconds': 1} is not a Limits object; give Limits(...)"),
    ],
)
def test_limits_that_a_record_could_not_hold_are_refused(
    toy_scenario: Scenario, limits: Limits, says: str
) -> None:
    with pytest.raises(InputError, match=re.escape(says)):
        play(toy_scenario, ("random", "random"), 4, limits)


@pytest.mark.parametrize(
    ("name", "least", "most"),
    [("seconds", 0, 86_400), ("faults", 1, 10**6), ("questions", 1, 10**9), ("milliseconds", 1, 86_400_000)],
)
def test_a_record_is_read_with_the_limits_that_a_battle_accepts(name: str, least: int, most: int) -> None:
    for value in (least, most):
        limits = msgspec.convert({name: value}, Limits)
        limits.check()
        assert getattr(limits, name) == value
    for value in (least - 1, most + 1):
        with pytest.raises(msgspec.ValidationError):
            msgspec.convert({name: value}, Limits)
        with pytest.raises(InputError):
            Limits(**{name: value}).check()


def test_every_fault_of_limits_is_told(toy_scenario: Scenario) -> None:
    with pytest.raises(InputError) as told:
        play(toy_scenario, ("random", "random"), 4, Limits(seconds=-1, faults=0))
    assert len(told.value.faults) == 2


@pytest.mark.parametrize("seed", [2**63, -(2**63) - 1])
def test_the_message_about_a_seed_names_its_range(toy_scenario: Scenario, seed: int) -> None:
    with pytest.raises(InputError, match=r"give a whole number from -2\*\*63 to 2\*\*63 - 1"):
        play(toy_scenario, ("random", "random"), seed)


class Leaves:
    """A person who leaves at the first question."""

    def start(self, board: Board, side: int, chance: Chance) -> None:
        pass

    def choose(self, view: View, ask: Ask, answers: Sequence[Answer]) -> Answer:
        raise Leave

    def save(self) -> bytes:
        return b"mine"


class SavesNothing(Leaves):
    def save(self) -> bytes:
        raise ValueError("no\nroom")


class SavesText(Leaves):
    def save(self) -> bytes:
        return "text"  # type: ignore[return-value]


class Wraps(Leaves):
    """Looks what it lacks up in a table, without saying so by AttributeError."""

    def __getattribute__(self, name: str) -> object:
        if name == "save":
            raise KeyError(name)
        return super().__getattribute__(name)


@pytest.mark.parametrize(
    ("other", "why"),
    [
        (Wraps, "raised KeyError: 'save'"),
        (SavesNothing, "raised ValueError: no room"),
        (SavesText, "returned 'text', which is not bytes"),
    ],
)
def test_a_game_is_left_whole_where_an_agent_cannot_save(
    toy_scenario: Scenario, other: type[Leaves], why: str, tmp_path: Path
) -> None:
    """The game is saved all the same, without what that agent remembers."""
    with pytest.raises(Leave) as left:
        play(toy_scenario, (Leaves, other), seed=4)
    game = left.value.game
    assert game is not None
    game.save(tmp_path / "s")
    assert read_saved(tmp_path / "s").memories == (b"mine", None)
    none, said = left.value.forgotten
    assert none == ""
    assert said.startswith(why)


class Tensor:
    """Neither compares nor shows, as arrays of some packages."""

    def __eq__(self, other: object) -> bool:
        raise RuntimeError("ambiguous")

    __hash__ = None  # type: ignore[assignment]


class Unshown:
    def __repr__(self) -> str:
        raise RuntimeError("too large")


class Odd(Leaves):
    """Answers with a field that is not a number. `field`: makes it."""

    field: type = Tensor

    def choose(self, view: View, ask: Ask, answers: Sequence[Answer]) -> Answer:
        fields = next(a.__struct_fields__ for a in answers if a.__struct_fields__)
        kind = next(type(a) for a in answers if a.__struct_fields__)
        return kind(*(self.field() for _ in fields))


class OddUnshown(Odd):
    field = Unshown


@pytest.mark.parametrize("odd", [Odd, OddUnshown])
def test_an_answer_with_an_odd_field_only_loses_the_question(toy_scenario: Scenario, odd: type[Odd]) -> None:
    game = play(toy_scenario, (odd, "random"), seed=4, limits=Limits(faults=1))
    assert game.outcome.termination == "forfeit"
    assert game.faults[0].what.endswith("which is not legal")


class Once(Leaves):
    """Can be made once only, as one that holds a lock. `made`: how many there are."""

    made = 0

    def __init__(self) -> None:
        Once.made += 1
        if Once.made > 1:
            raise OSError("locked")


def test_an_agent_that_cannot_be_made_again_loses(
    toy_scenario: Scenario, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Once, "made", 0)
    game = play(toy_scenario, (Once, "random"), seed=4)
    assert (game.outcome.winner, game.outcome.termination) == (1, "forfeit")
    assert game.header.agents[0].fault.startswith("could not start: raised OSError: locked")
    monkeypatch.setattr(Once, "made", 0)
    record = parse_record(game.record(), "x")
    assert verify(record, agents=True, scenario=toy_scenario, entrants=(enter(Once), None)).same


def test_memories_of_a_saved_game_cannot_be_altered_unnoticed(toy_scenario: Scenario, tmp_path: Path) -> None:
    with pytest.raises(Leave) as left:
        play(toy_scenario, (Leaves, "random"), seed=4)
    assert left.value.game is not None
    file = tmp_path / "s"
    left.value.game.save(file)
    written = file.read_bytes()
    assert written.count(b'"bWluZQ=="') == 1
    file.write_bytes(written.replace(b'"bWluZQ=="', b'"bWluZA=="'))
    with pytest.raises(InputError, match="the saved game was altered"):
        read_saved(file)
    file.write_bytes(written.replace(b'"bWluZQ=="', b"null"))
    with pytest.raises(InputError, match="the saved game was altered"):
        read_saved(file)
