"""Fuzzing: cases from choices, sound by construction; laws that fail on planted faults; steering, shrinking, repeating."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from random import Random
from typing import Annotated

import msgspec
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from msgspec import Meta
from msgspec.structs import replace

from battlesim.board.board import Board
from battlesim.cli.main import main
from battlesim.core.dice import Key, KeyedDice, derive_seed
from battlesim.core.errors import InputError
from battlesim.engine.battle import Battle
from battlesim.jobs.job import Job, JobFailure, JobOutput, JobResult
from battlesim.rules.scenario import Scenario
from battlesim.rulesets.armorclass.model import Fire
from battlesim.rulesets.finder import RULESETS, find_ruleset
from battlesim.scenario.load import first_state, load_scenario
from battlesim.stress import fuzz
from battlesim.stress.fuzz_checks import CasePlayed
from battlesim.stress.fuzz_choices import Choices, mutated, shrunk
from battlesim.stress.fuzz_dice import unfair_dice
from battlesim.stress.fuzz_keep import Keeper, failure_paths, session_so_far
from battlesim.stress.fuzz_laws import BrokenLaw, demand, numbers_of
from battlesim.stress.fuzz_maps import mirrored_differences, random_map, turned, turned_differences
from battlesim.stress.fuzz_mirror import differences_in_mirror, random_pairs
from battlesim.stress.fuzz_scenarios import (
    Vocabulary,
    random_scenario,
    renamed,
    reordered,
    values_within,
    vocabulary_of,
)
from battlesim.stress.fuzz_strategies import battles, checked_cases, maps, scenarios
from tests.fifth.install import installed
from tests.measure_fuzz import FAULTS, ROOT, Planted, fuzzed

SLOW = pytest.mark.slow


@pytest.fixture(scope="module")
def words() -> dict[str, Vocabulary]:
    return {name: vocabulary_of(name) for name in RULESETS}


# ---- choices


@given(st.lists(st.integers(0, 255), max_size=30), st.integers(0, 1 << 30))
def test_the_same_choices_make_the_same_case(given_: list[int], seed: int) -> None:
    first = Choices(given_, seed)
    drawn = [first.below(n) for n in range(1, 60)]
    again = Choices(first.made)
    assert [again.below(n) for n in range(1, 60)] == drawn
    assert all(0 <= value < n for n, value in enumerate(drawn, 1))
    past = Choices(first.made[:10])
    assert [past.below(n) for n in range(1, 60)][10:] == [0] * 49


def test_a_case_near_another_keeps_its_beginning_or_most_of_it() -> None:
    old = list(range(1, 41))
    for seed in range(50):
        new, _ = mutated(old, Random(seed))
        shared = sum(a == b for a, b in zip(old, new, strict=False))
        assert shared == len(new) or shared >= 37


def test_a_failure_is_made_as_small_as_it_can_be() -> None:
    """It fails where two numbers above 100 stand anywhere: two of them are left, as low as halving makes them."""

    def fails(choices: list[int]) -> list[int] | None:
        return choices if sum(one > 100 for one in choices) >= 2 else None

    start = [Random(3).randrange(256) for _ in range(60)]
    best = shrunk(start, fails)
    assert len(best) == 2
    assert all(100 < one <= 202 for one in best)


# ---- maps and scenarios


@pytest.mark.parametrize("unit", ["inch", "hex"])
def test_random_maps_are_sound_and_various(unit: str) -> None:
    boards = [random_map(Choices((), seed), unit) for seed in range(40)]
    assert len({board.digest for board in boards}) > 20
    assert sum(bool(board.sections) for board in boards) > 15
    assert any(len(section.adjoining[0]) for board in boards for section in board.sections)
    assert len({section.top for board in boards for section in board.sections}) >= 3


@given(maps())
@settings(max_examples=15, deadline=None, suppress_health_check=list(HealthCheck))
def test_a_map_turned_round_is_the_same_map(board: Board) -> None:
    assert turned_differences(board) == ""
    assert mirrored_differences(board) == ""
    assert len(turned(board).ways) == len(board.ways)


def test_a_map_that_is_not_the_same_turned_round_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    board = random_map(Choices((), 2))
    other = random_map(Choices((), 5))
    assert turned_differences(board) == ""
    monkeypatch.setattr("battlesim.stress.fuzz_maps.turned", lambda board: other)
    assert turned_differences(board) != ""


@pytest.mark.slow
@pytest.mark.parametrize("ruleset", RULESETS)
def test_random_scenarios_are_sound_under_every_rulebook(ruleset: str, words: dict[str, Vocabulary]) -> None:
    types = set()
    for seed in range(40):
        scenario = random_scenario(Choices((), seed), words[ruleset])
        found = find_ruleset(ruleset)
        assert [fault for fault in found.check(scenario, scenario.board) if fault.level == "error"] == []
        state = first_state(scenario, seed)
        assert found.faults(state, scenario.board) == [] or state.stack == ()
        types |= {force.type for force in scenario.forces}
    assert len(types) > len(words[ruleset].types) // 2


@pytest.mark.slow
@pytest.mark.parametrize("ruleset", RULESETS)
def test_some_cases_are_shipped_scenarios_with_changes(ruleset: str, words: dict[str, Vocabulary]) -> None:
    """Their units are those of the file, some of them left out; which, and of what scenario, differs."""
    own = {one.name: one for one in words[ruleset].shipped}
    assert len(own) >= 4
    bare = replace(words[ruleset], shipped=())
    seen, left_out = set(), set()
    for seed in range(100):
        found = random_scenario(Choices((7,), seed), words[ruleset])
        shipped = own[found.name]
        names = {force.name for force in found.forces}
        assert 2 <= len(names) <= len(shipped.forces)
        assert names <= {force.name for force in shipped.forces}
        assert {force.side for force in found.forces} == {0, 1}
        seen.add(found.name)
        left_out.add(len(shipped.forces) - len(names))
        assert random_scenario(Choices((), seed), bare).name == "fuzz"
    assert seen == set(own)
    assert len(left_out) > 3


@pytest.mark.parametrize(
    ("meta", "values"),
    [
        (Meta(ge=2, le=10), [2, 3, 10]),
        (Meta(ge=4, le=4), [4, 4, 4]),
        (Meta(ge=3), [3, 4, 8]),
        (Meta(le=0), [-5, -4, 0]),
        (Meta(), [1, 2, 6]),
    ],
)
def test_options_are_varied_within_their_bounds(meta: Meta, values: list[int]) -> None:
    assert values_within(Annotated[int, meta]) == values


def test_other_names_and_another_order_are_the_same_scenario(words: dict[str, Vocabulary]) -> None:
    scenario = random_scenario(Choices((), 4), words["orderdice"])
    other = renamed(scenario)
    assert {side.name for side in other.sides}.isdisjoint({side.name for side in scenario.sides})
    assert [force.type for force in other.forces] == [force.type for force in scenario.forces]
    assert len({force.name for force in other.forces}) == len(scenario.forces)
    back = reordered(scenario)
    assert [force.name for force in back.forces] == [force.name for force in scenario.forces][::-1]


# ---- laws


@pytest.mark.slow
@pytest.mark.parametrize("ruleset", RULESETS)
def test_all_laws_hold_in_random_battles(ruleset: str, words: dict[str, Vocabulary]) -> None:
    found = fuzz.fuzz_ruleset(fuzz.SessionAsked(ruleset, seed=11, cases=15), words[ruleset])
    assert found.failures == ()
    assert found.ended == found.cases - found.void == 15
    assert found.questions > 200


def test_a_broken_law_says_which_and_what() -> None:
    with pytest.raises(BrokenLaw, match="no two are one: 3 and 3") as raised:
        demand(False, "no two are one", "{} and {}", 3, 3)
    assert raised.value.law == "no two are one"
    demand(True, "nothing is told")


def test_every_planted_fault_is_a_change_of_one_place() -> None:
    assert len(FAULTS) == len({fault.name for fault in FAULTS}) == 20
    for fault in FAULTS:
        text = (ROOT / "battlesim" / fault.file).read_text(encoding="utf-8")
        assert text.count(fault.old) == 1, fault.name
        compile(text.replace(fault.old, fault.new), fault.file, "exec")


@pytest.mark.parametrize(
    ("name", "law"),
    [
        ("the dead stay on the board", "the dead are off the board"),
        ("an order is offered twice", "no answer is listed twice"),
        pytest.param(
            "a saved battle forgets its turn", "a battle is loaded as it was saved", marks=pytest.mark.slow
        ),
    ],
)
def test_planted_faults_are_found(name: str, law: str) -> None:
    (fault,) = (one for one in FAULTS if one.name == name)
    (failure,) = fuzzed(fault, tries=20)["failures"]
    assert failure["law"] == law
    assert len(failure["choices"]) < failure["first"]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "law"),
    [
        # Units share hexes, so the copy has to find the hex maps that ship.
        ("of two units on a place one is forgotten", "`at` says where units are"),
        ("a unit loses more models than it has", "nobody loses models that it does not have"),
    ],
)
def test_planted_faults_of_positions_are_found(name: str, law: str) -> None:
    (fault,) = (one for one in FAULTS if one.name == name)
    (failure,) = fuzzed(fault)["failures"]
    assert failure["law"] == law


@pytest.mark.slow
def test_the_program_as_it_is_has_none_of_them() -> None:
    sound = Planted("nothing", "orderdice", "core/apply.py", "place=-1", "place=-1")
    assert fuzzed(sound, 12)["failures"] == []


# ---- chance


class Leaning:
    """Dice that take one byte too many for a face, as a careless hash would."""

    def __init__(self) -> None:
        self._fair = KeyedDice(3)

    def faces(self, key: Key, n: int, sides: int) -> tuple[int, ...]:
        wide = self._fair.faces(key, n, 128)
        return tuple((face - 1) % sides + 1 for face in wide)

    def ranking(self, turn: int, side: int, purpose: str, n: int) -> Sequence[tuple[int, int]]:
        return self._fair.ranking(turn, side, purpose, n)


@pytest.mark.slow
def test_dice_are_fair_and_dice_that_lean_by_a_hair_are_found_out() -> None:
    assert [unfair_dice(KeyedDice(seed)) for seed in (1, 2)] == ["", ""]
    assert "dice of 3 sides" in unfair_dice(Leaning())


@pytest.mark.slow
def test_a_session_looks_at_the_dice_first(
    words: dict[str, Vocabulary], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    leaning = KeyedDice(derive_seed(5, "fairness")).faces((0, 6, "fairness", -1, 0), 60, 6)

    def unfair(dice: KeyedDice) -> str:
        same = dice.faces((0, 6, "fairness", -1, 0), 60, 6) == leaning
        return "sixes are rare" if same else ""

    monkeypatch.setattr(fuzz, "unfair_dice", unfair)
    asked = fuzz.SessionAsked("squadhex", seed=5, cases=3)
    found = fuzz.fuzz_ruleset(asked, words["squadhex"], Keeper(tmp_path), stop_at=1)
    assert [(one.law, one.what, one.case) for one in found.failures] == [(fuzz.FAIR, "sixes are rare", 0)]
    assert "  found before the first case" in fuzz.lines([found])
    (path,) = failure_paths(tmp_path, found)
    with pytest.raises(BrokenLaw, match="sixes are rare"):  # with the dice of its own seed
        fuzz.repeat(fuzz.read_failure(path))
    monkeypatch.undo()
    fuzz.repeat(fuzz.read_failure(path))


@pytest.mark.slow
@pytest.mark.parametrize(
    "ruleset",
    ["orderdice", pytest.param("armorclass", marks=SLOW), pytest.param("regiment", marks=SLOW)],
)
def test_battles_in_a_mirror_go_as_the_battles_themselves(ruleset: str, words: dict[str, Vocabulary]) -> None:
    """At a level of 1 in 1,000; seeds are fixed, so it passes always or never."""
    pairs = random_pairs(words[ruleset], 6, 1)
    assert len(pairs) == 6
    assert differences_in_mirror(pairs, 40).p > 0.001
    # Images of other scenarios are found out.
    wrong = [(one, pairs[number - 1][1]) for number, (one, _) in enumerate(pairs)]
    assert differences_in_mirror(wrong, 20).p < 0.001


def test_two_things_with_one_number_are_a_broken_law() -> None:
    state = first_state(load_scenario("firebreak"), 1)
    fires = (Fire(3, ((0, 1),)), Fire(3, ((1, 1),)))
    state.extra = replace(state.extra, fires=fires)
    numbers = dict(numbers_of(state))
    assert numbers["fires"] == [3, 3]
    assert len(set(numbers["agenda"])) == len(numbers["agenda"])


# ---- sessions


@pytest.mark.slow
def test_a_session_is_repeatable(words: dict[str, Vocabulary]) -> None:
    asked = fuzz.SessionAsked("squadhex", seed=3, cases=6)
    one, two = (fuzz.fuzz_ruleset(asked, words["squadhex"]) for _ in range(2))
    assert (one.uses, one.questions, one.events) == (two.uses, two.questions, two.events)


def test_steering_leads_to_clauses_that_were_used() -> None:
    """Where a rare clause has a case, half of the cases are taken from near it."""
    kept = {"rare": [[7] * 30]}
    random = Random(1)
    begun = [fuzz._next(random, kept, ["rare"], fuzz.Counter()) for _ in range(200)]
    near = [given for given, _ in begun if given and 7 in given]
    assert 60 < len(near) < 140
    assert all(fuzz._next(random, kept, [], fuzz.Counter())[0] == () for _ in range(20))


@pytest.mark.slow
def test_a_failure_is_shrunk_kept_and_repeated(
    words: dict[str, Vocabulary],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """A rulebook that is said to be broken as soon as two units stand inside."""
    ruleset = find_ruleset("orderdice")

    def faults(state: object, board: Board) -> list[str]:
        inside = [u for u in state.units.values() if u.place >= 0 and board.spaces[u.place].kind == "floor"]  # type: ignore[attr-defined]
        return ["two are inside"] if len(inside) >= 2 else []

    monkeypatch.setattr("battlesim.stress.fuzz_checks.find_ruleset", lambda name: Faulty(ruleset, faults))
    seen: list[fuzz.Session] = []
    keeper = Keeper(tmp_path)

    def progress(session: fuzz.Session) -> None:
        seen.append(session)
        keeper(session)

    asked = fuzz.SessionAsked("orderdice", cases=80)
    found = fuzz.fuzz_ruleset(asked, words["orderdice"], progress, stop_at=1)
    (failure,) = found.failures
    (first,) = seen[-2].failures  # told as it was found, before it was made smaller
    assert (first.law, len(first.choices)) == (failure.law, failure.first)
    assert seen[-1].failures == found.failures
    assert (failure.law, failure.what) == ("no invariant is broken", "['two are inside']")
    assert len(failure.choices) < failure.first
    (path,) = failure_paths(tmp_path, found)
    assert fuzz.read_failure(path) == failure
    assert main(["fuzz", "--repeat", str(path)]) == 1
    assert "two are inside" in capsys.readouterr().out
    assert main(["fuzz", "--repeat", str(path), "--json"]) == 1
    told = json.loads(capsys.readouterr().out)
    assert (told["law"], told["fails"]) == ("no invariant is broken", True)
    assert "two are inside" in told["what"]
    monkeypatch.undo()
    assert main(["fuzz", "--repeat", str(path)]) == 0
    assert "it does not fail any more" in capsys.readouterr().out
    assert main(["fuzz", "--repeat", str(path), "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["fails"] is False
    other = tmp_path / "other.json"
    other.write_text(path.read_text().replace('"orderdice"', '"chess"', 1))
    assert main(["fuzz", "--repeat", str(other)]) == 2
    assert "unknown ruleset 'chess'" in capsys.readouterr().err


class Faulty:
    """A rulebook with another check of its invariants."""

    def __init__(self, ruleset: object, faults: object) -> None:
        self._ruleset, self.faults = ruleset, faults

    def __getattr__(self, name: str) -> object:
        return getattr(self._ruleset, name)


def one_session(**changed: object) -> fuzz.Session:
    failure = fuzz.Failure("squadhex", "a law", "what", (1, 2, 3), 3, 1, 1.0)
    session = fuzz.Session("squadhex", 1, 1, 0, 1, 9, 9, 1.0, {}, (failure,))
    return replace(session, **changed)


def test_clauses_that_were_used_too_rarely_are_named() -> None:
    found = one_session(uses={"SH-ATTACK-1": 11, "SH-ATTACK-2": 1})
    missing = [clause for clause, _, _ in fuzz.unreached(found)]
    assert "SH-ATTACK-1" not in missing
    assert "SH-ATTACK-2" in missing


def test_a_failure_is_written_when_it_is_found_and_again_when_it_is_smaller(tmp_path: Path) -> None:
    now = [0.0]
    state = tmp_path / "state"
    keep = Keeper(tmp_path, state, lambda: now[0])
    assert session_so_far(state) is None
    none_yet, found = one_session(failures=()), one_session(cases=2)
    keep(none_yet)
    assert session_so_far(state) == none_yet
    keep(replace(none_yet, cases=2))  # too early to be written
    assert session_so_far(state) == none_yet
    keep(found)  # a failure is never too early
    (path,) = failure_paths(tmp_path, found)
    assert fuzz.read_failure(path) == found.failures[0]
    assert session_so_far(state) == found
    smaller = replace(found, failures=(replace(found.failures[0], choices=(1,)),))
    keep(smaller)
    assert fuzz.read_failure(path).choices == (1,)
    now[0] = 1.5
    keep(replace(smaller, cases=3))
    assert session_so_far(state) == replace(smaller, cases=3)


def test_growth_of_memory_is_measured_after_all_is_loaded() -> None:
    assert fuzz.growth([10.0, 60.0] + [100.0] * 14) == 0.0
    assert fuzz.growth([100.0 + n for n in range(16)]) == pytest.approx(8.0)
    assert fuzz.growth([1.0]) == 0.0


# ---- strategies for rulebooks of one's own


@pytest.mark.slow
@given(battles("squadhex"))
@settings(max_examples=10, deadline=None, suppress_health_check=list(HealthCheck))
def test_battles_can_be_drawn(battle: Battle) -> None:
    assert battle.over or battle.question is not None


@given(scenarios("regiment"))
@settings(max_examples=10, deadline=None, suppress_health_check=list(HealthCheck))
def test_scenarios_can_be_drawn(scenario: Scenario) -> None:
    assert {force.side for force in scenario.forces} == {0, 1}


@pytest.mark.slow
def test_a_rulebook_of_ones_own_is_fuzzed_as_those_that_ship() -> None:
    with installed():
        words = vocabulary_of("alleys")
        assert set(words.types) >= {"lads", "boys", "bruisers"}
        found = fuzz.fuzz_ruleset(fuzz.SessionAsked("alleys", cases=25), words)
        assert found.failures == ()
        assert found.ended == 25

        @given(checked_cases("alleys", words))
        @settings(max_examples=8, deadline=None, suppress_health_check=list(HealthCheck))
        def laws(played: CasePlayed) -> None:
            assert played.scenario is not None

        laws()


# ---- the command


def test_one_is_told_as_one() -> None:
    clause = fuzz.book_clauses("squadhex")[0]
    failure = fuzz.Failure("squadhex", "a law", "what", (), 0, 0, 1.0)
    one = fuzz.Session("squadhex", 1, 1, 0, 1, 9, 9, 1.0, {clause: 1}, (failure,))
    told = "\n".join(fuzz.lines([one]))
    assert told.startswith("squadhex: 1 case in ")
    assert f"    {clause}, 1 time: " in told
    assert "0 times: " in told
    assert "\n1 failure\n" in told


def test_a_session_that_breaks_off_loses_nothing_of_the_others(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    whole = one_session()

    class Broken:
        def __init__(self, *more: object) -> None: ...

        def run(self, jobs: Iterable[Job]) -> Iterator[list[JobResult]]:
            first, second = jobs
            Keeper(Path(first.spec.folder), Path(first.spec.state))(one_session(ruleset="regiment", cases=7))
            yield [JobResult(first.number, JobFailure("death", -1, "its process ended"), 1.0, 1)]
            yield [JobResult(second.number, JobOutput(msgspec.json.encode(whole)), 1.0, 1)]

        def close(self) -> None: ...

    monkeypatch.setattr("battlesim.jobs.executor.LocalExecutor", Broken)
    words = ["fuzz", "regiment", "squadhex", "--cases", "1", "--workers", "2", "--quiet"]
    assert main([*words, "--out", str(tmp_path / "found")]) == 2
    told = capsys.readouterr()
    assert "squadhex: 1 case in " in told.out
    assert "regiment: 7 cases in " in told.out  # what it had kept
    assert "the session of regiment broke off: its process ended; see what they do" in told.err
    assert (tmp_path / "found" / "fuzz.json").is_file()


@pytest.mark.parametrize("workers", [1, 2])
def test_a_command_that_is_stopped_tells_what_it_has_tried_and_found(
    workers: int, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    so_far = one_session(cases=7)

    def session(asked: fuzz.SessionAsked, progress: fuzz.Progress) -> fuzz.Session:
        progress(so_far)
        raise KeyboardInterrupt

    class Stopped:
        def __init__(self, *more: object) -> None: ...

        def run(self, jobs: Iterable[Job]) -> Iterator[list[JobResult]]:
            first, _ = jobs
            Keeper(Path(first.spec.folder), Path(first.spec.state))(so_far)
            yield []
            raise KeyboardInterrupt

        def close(self) -> None: ...

    monkeypatch.setattr(fuzz, "fuzz_ruleset", session)
    monkeypatch.setattr("battlesim.jobs.executor.LocalExecutor", Stopped)
    words = ["fuzz", "squadhex", "regiment", "--workers", str(workers), "--quiet"]
    out = tmp_path / "found"
    assert main([*words, "--out", str(out)]) == 130
    told = capsys.readouterr()
    assert told.out.startswith("squadhex: 7 cases in ")
    assert "\n1 failure\n" in told.out
    assert f"battlesim fuzz --repeat {out / 'squadhex-1.json'}\n" in told.out
    assert told.err == "battlesim: stopped; what it found so far is told above\n"
    assert sorted(path.name for path in out.iterdir()) == ["fuzz.json", "squadhex-1.json"]
    assert main([*words, "--out", str(out), "--json"]) == 130
    assert json.loads(capsys.readouterr().out)["sessions"][0]["cases"] == 7


def test_no_folder_is_left_where_nothing_failed(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    def session(asked: fuzz.SessionAsked, progress: fuzz.Progress) -> fuzz.Session:
        raise KeyboardInterrupt

    monkeypatch.setattr(fuzz, "fuzz_ruleset", session)
    words = ["fuzz", "squadhex", "--workers", "1", "--quiet", "--out"]
    assert main([*words, str(tmp_path / "a/b")]) == 130
    assert capsys.readouterr().err == "battlesim: stopped before its first case\n"
    (tmp_path / "mine").mkdir()
    assert main([*words, str(tmp_path / "mine")]) == 130
    assert [path.name for path in tmp_path.iterdir()] == ["mine"]


@pytest.mark.slow
def test_the_command_tells_what_was_played_and_what_was_not_reached(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert main(["fuzz", "squadhex", "--cases", "4", "--workers", "1", "--quiet"]) == 0
    told = capsys.readouterr().out
    assert told.startswith("squadhex: 4 cases in ")
    assert "of 22 clauses of the book were used 10 times or more" in told
    assert told.endswith("no failure\n")


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["fuzz", "chess"], "unknown ruleset 'chess'"),
        (["fuzz", "--cases", "3", "--minutes", "1"], "--cases and --minutes exclude one another"),
        (["fuzz", "--minutes", "-1"], "--minutes -1 is not a length of time; give more than 0"),
        (["fuzz", "--repeat", "nowhere.json"], "the file cannot be read"),
        (["fuzz", "--out", __file__], "the folder of failures cannot be written to; give one that can"),
        (["fuzz", "--out", f"{__file__}/below"], "the folder of failures cannot be written to"),
    ],
)
def test_bad_words_are_told(words: list[str], told: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(words) == 2
    assert told in capsys.readouterr().err


@pytest.mark.slow
def test_a_scenario_that_cannot_be_made_is_a_void_case() -> None:
    words = Vocabulary("orderdice", ("no_such_unit",))
    with pytest.raises(InputError):
        random_scenario(Choices((), 1), words)
    found = fuzz.fuzz_ruleset(fuzz.SessionAsked("orderdice", cases=2), words)
    assert (found.void, found.failures) == (2, ())
