"""Sessions of fuzzing and the command: steering, failures made smaller, kept and repeated, what is told."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from pathlib import Path
from random import Random

import msgspec
import pytest
from msgspec.structs import replace

from battlesim.board.board import Board
from battlesim.cli.main import main
from battlesim.core.errors import InputError
from battlesim.jobs.job import Job, JobFailure, JobOutput, JobResult
from battlesim.rulesets.finder import find_ruleset
from battlesim.stress import fuzz
from battlesim.stress.fuzz_choices import Choices
from battlesim.stress.fuzz_keep import Keeper, failure_paths, session_so_far
from battlesim.stress.fuzz_scenarios import Vocabulary, random_scenario

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
