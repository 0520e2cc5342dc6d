"""Exams: every shipped one is sound, good lines pass and bad ones fail, faults are told, and the verb says who passes."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from battlesim.cli.main import main
from battlesim.core.answers import Face, MoveTo, TargetUnit
from battlesim.core.errors import InputError
from battlesim.engine.roster import find_agent
from battlesim.exams.grades import grade
from battlesim.exams.load import exam_paths, exams_folder, load_exam, shipped_exams
from battlesim.exams.sitting import Scripted, sit
from battlesim.exams.words import fits, in_words
from battlesim.rules.registry import read_clauses
from battlesim.rulesets.finder import RULESETS, find_ruleset
from tests.check_exams import PAGE, check, faults_of
from tests.docs.test_docs import blocks
from tests.tournament.runs import battlesim

PATHS = [path for ruleset in shipped_exams() for path in exam_paths(ruleset)]
KEEP = exams_folder() / "orderdice" / "keep-the-house.yaml"
every_exam = pytest.mark.parametrize("path", PATHS, ids=lambda path: path.stem)


def test_there_are_eight_and_more_for_each_rulebook() -> None:
    assert set(shipped_exams()) == set(RULESETS)
    assert all(len(names) >= 8 for names in shipped_exams().values())
    assert len({path.stem for path in PATHS}) == len(PATHS)


@every_exam
def test_an_exam_is_called_as_its_file_and_names_clauses_of_its_rulebook(path: Path) -> None:
    exam = load_exam(path)
    assert exam.name == path.stem
    assert exam.ruleset == path.parent.name
    known = {clause.id for clause in read_clauses(find_ruleset(exam.ruleset).folder)}
    assert exam.clauses
    assert set(exam.clauses) <= known


@every_exam
def test_right_and_wrong_lines_begin_with_different_answers_that_are_legal(path: Path) -> None:
    exam = load_exam(path)
    battle = exam.battle(0)
    assert battle.question is not None
    assert battle.question.side == exam.side
    legal = [in_words(answer, battle.state, battle.board) for answer in battle.question.answers]
    for line in (exam.right, *exam.wrong.values()):
        assert any(fits(text, line[0]) for text in legal), (line, legal)
        assert line == exam.right or line != exam.right


@every_exam
def test_the_good_line_passes_and_the_bad_ones_fail(path: Path) -> None:
    exam = load_exam(path)
    assert faults_of(exam, exam.right, True, "greedy") == []
    for line in exam.wrong.values():
        assert faults_of(exam, line, False, "greedy") == []


@pytest.mark.parametrize(
    ("name", "line"),
    [
        ("armorclass/do-not-storm-the-guard", ("order run", "go g9.4")),
        ("armorclass/do-not-storm-the-guard", ("order run", "go g10.5")),
        ("armorclass/keep-the-store", ("order move", "go g6.6")),
        ("orderdice/do-not-charge-the-fresh-section", ("order run", "go g9.1")),
        ("orderdice/bring-up-the-flame", ("order advance", "go g3.3", "at section")),
    ],
)
def test_an_answer_that_is_as_good_as_the_good_line_passes(name: str, line: tuple[str, ...]) -> None:
    """Played on 240 times, each came to as much as the good line, or to more."""
    assert faults_of(load_exam(exams_folder() / f"{name}.yaml"), line, True, "greedy") == []


@pytest.mark.slow
def test_the_check_tells_a_wrong_answer_that_is_called_right(tmp_path: Path) -> None:
    text = KEEP.read_text().replace("../maps/", f"{KEEP.parents[1]}/maps/")
    file = tmp_path / "turned.yaml"
    file.write_text(
        text.replace("right: [order fire, at officer]", "right: [order run, at officer]").replace(
            "charges out: [order run, at officer]", "stays: [order fire, at officer]"
        )
    )
    found = check(load_exam(file), 12, "greedy")
    turned = next(one for one in found if one.wrong == "stays")
    assert turned.difference < 0
    assert not turned.sound
    assert any("the right line fails" in fault for fault in turned.faults)


# ---- sitting


def test_planted_players_pass_and_fail_every_try() -> None:
    exam = load_exam("do-not-leave-the-crossing")
    greedy = find_agent("greedy")

    class Good:
        def __new__(cls) -> Scripted:  # type: ignore[misc]
            return Scripted(exam, exam.right, greedy.make())

    class Bad:
        def __new__(cls) -> Scripted:  # type: ignore[misc]
            return Scripted(exam, exam.wrong["pursues"], greedy.make())

    from battlesim.engine.roster import Entrant

    good = grade(exam, Entrant("good", "", Good), greedy, tries=4)
    bad = grade(exam, Entrant("bad", "", Bad), greedy, tries=4)
    assert (good.word, good.share) == ("pass", 1.0)
    assert (bad.word, bad.share) == ("-", 0.0)
    assert bad.tries[0].missed == "never said say no"
    assert bad.tries[0].said == ("say yes",)


def test_tries_repeat_and_differ_by_seed() -> None:
    exam, player, enemy = load_exam("keep-the-house"), find_agent("random"), find_agent("greedy")
    tries = [sit(exam, player, enemy, seed) for seed in range(8)]
    assert tries == [sit(exam, player, enemy, seed) for seed in range(8)]
    assert len({one.said for one in tries}) > 1
    assert 0 < sum(one.passed for one in tries) < 8


def test_an_agent_that_is_broken_fails_with_its_faults() -> None:
    class Broken:
        def start(self, board: object, side: int, chance: object) -> None: ...

        def choose(self, view: object, ask: object, answers: object) -> object:
            raise ZeroDivisionError

    from battlesim.engine.roster import Entrant

    exam = load_exam("bring-the-house-down")
    one = sit(exam, Entrant("broken", "", Broken), find_agent("greedy"))  # type: ignore[arg-type]
    assert not one.passed
    assert one.faults == len(one.said) == 1
    assert one.missed.startswith("lost a question: ")
    assert "ZeroDivisionError" in one.missed


def test_who_only_crashes_passes_nothing(capsys: pytest.CaptureFixture[str]) -> None:
    """The safe answer that stands in would pass here."""
    words = [
        "exam",
        "tests/bad_agents/raises.py",
        "greedy",
        "--on",
        "leave-the-burning-barn",
        "--on",
        "ambush-the-door",
    ]
    words += ["--on", "stand-and-shoot", "--on", "do-not-leave-the-crossing", "--tries", "1"]
    assert main(words) == 0
    told = capsys.readouterr().out.splitlines()
    assert all(line.split()[1] == "-" for line in told[1:-2] if not line.startswith(("all", *RULESETS)))
    assert told[-3].split()[-2] == "0.0"
    assert re.fullmatch(r"questions lost \(a try with one is failed\): raises.py \d+", told[-1])
    assert main([*words, "--why"]) == 0
    assert "raises.py: say" in (out := capsys.readouterr().out)
    assert "lost a question: raised ValueError" in out


@pytest.mark.slow
def test_the_number_of_workers_changes_no_result(capsys: pytest.CaptureFixture[str]) -> None:
    words = [
        "exam",
        "random",
        "tests/bad_agents/raises.py",
        "--on",
        "ambush-the-door",
        "--tries",
        "3",
        "--json",
    ]
    words += ["--on", "keep-the-house"]
    assert main(words) == 0
    told = capsys.readouterr().out
    assert main([*words, "--workers", "2"]) == 0
    assert capsys.readouterr().out == told


@pytest.mark.slow
def test_an_agent_that_ends_its_worker_is_told(capsys: pytest.CaptureFixture[str]) -> None:
    bad = "tests/bad_agents/dies.py"
    words = ["exam", bad, "--on", "ambush-the-door", "--tries", "1", "--workers", "2"]
    assert main(words) == 2
    told = capsys.readouterr().err
    assert told.startswith(f"battlesim: {bad!r} against 'greedy' at ")
    assert told.count("\n") == 1
    assert "ended its process with code" in told


@pytest.mark.parametrize(("window", "questions"), [("activation", 1), ("turn", 2), ("battle", 4)])
def test_the_window_says_how_long_answers_are_looked_at(tmp_path: Path, window: str, questions: int) -> None:
    """Two marksmen upstairs of an empty yard: each is asked once a turn, and lies down."""
    file = tmp_path / "window.yaml"
    file.write_text(f"""
name: window
ruleset: orderdice
map: stairwell
turns: 2
sides: [{{name: Red}}, {{name: Blue}}]
forces:
  - {{side: Red, type: officer, name: one, at: g0.7}}
  - {{side: Red, type: officer, name: two, at: g1.7}}
  - {{side: Blue, type: officer, name: other, at: g9.0}}
exam:
  side: Red
  why: It is only about how often one is asked.
  seed: 1
  window: {window}
  passes: {{said: [order down]}}
  right: [order down]
  wrong: {{runs: [order run]}}
""")

    class Down:
        """Lies down, and keeps no die for the next turn."""

        def start(self, board: object, side: int, chance: object) -> None: ...

        def choose(self, view: object, ask: object, answers: list[object]) -> object:
            from battlesim.core.answers import Confirm, Order

            return next((a for a in answers if a in (Order("down"), Confirm(False))), answers[0])

    from battlesim.engine.roster import Entrant

    entrant = Entrant("down", "", Down)  # type: ignore[arg-type]
    said = sit(load_exam(file), entrant, entrant).said
    assert said.count("order down") == questions


# ---- words


def test_answers_are_written_with_names() -> None:
    exam = load_exam("keep-the-house")
    battle = exam.battle(0)
    place = battle.board.space("house.west:0")
    officer = next(unit.id for unit in battle.state.units.values() if unit.name == "officer")
    assert in_words(MoveTo(place), battle.state, battle.board) == "go house.west:0"
    assert in_words(TargetUnit(officer), battle.state, battle.board) == "at officer"
    assert in_words(Face(2), battle.state, battle.board) == "face north"
    assert fits("go house.west:0", "go house.*")
    assert not fits("go house.west:0", "go House.*")
    assert fits("at [guard]", "at [guard]")


# ---- faults of files


@pytest.mark.parametrize(
    ("old", "new", "says"),
    [
        ("  side: Red\n  why", "  side: Green\n  why", "no side 'Green'"),
        ("passes: {at: {guard:", "passes: {at: {gard:", "no unit 'gard'"),
        ('passes: {at: {guard: ["house.*"]}}', "passes: {}", "nothing is asked for"),
        ("  passes:", "  units: {gard: {pins: 1}}\n  passes:", "no unit 'gard'"),
        ("  passes:", "  units: {guard: {pinns: 1}}\n  passes:", "no 'pinns'"),
        ("  passes:", "  units: {guard: {pins: many}}\n  passes:", "does not fit"),
        ("  passes:", "  sections: {house.north: {fallen: true}}\n  passes:", "no section 'house.north'"),
        ("  passes:", "  units: {guard: {models: -3}}\n  passes:", "an impossible position: unit 0"),
        ("  passes:", '  lead: ["Red: order dance"]\n  passes:', "'Red: order dance' is not an answer"),
        ("  passes:", "  asks: WhereTo\n  passes:", "comes to the question WhichOrder, not WhereTo"),
        ("  passes:", "  wrong_key: 1\n  passes:", "wrong_key"),
        ("map: ../maps/yard.yaml", "map: nowhere", "nowhere"),
        ("type: officer", "type: oficer", "oficer"),
        ("  clauses: [", "  clauses: [OD-NOPE-9, ", "orderdice has no clause 'OD-NOPE-9'"),
    ],
)
def test_a_fault_names_file_and_value(tmp_path: Path, old: str, new: str, says: str) -> None:
    text = KEEP.read_text()
    assert old in text
    file = tmp_path / "bad.yaml"
    file.write_text(text.replace(old, new).replace("../maps/", f"{KEEP.parents[1]}/maps/"))
    with pytest.raises(InputError) as caught:
        load_exam(file)
    assert says in str(caught.value)
    assert "bad.yaml" in str(caught.value)


# ---- the verb


def test_the_table_has_a_row_an_exam_and_totals() -> None:
    said = battlesim(
        "exam", "greedy", "random", "--on", "orderdice", "--on", "pin-the-runners", "--tries", "2"
    ).stdout
    lines = said.splitlines()
    assert lines[0].split() == ["greedy", "random"]
    of_order_dice = sum(path.parent.name == "orderdice" for path in PATHS)
    assert sum(bool(re.match(r"\S+ +(pass|-|1/2) ", line)) for line in lines) == of_order_dice + 1
    totals = [line for line in lines if " of " in line]
    assert [line.partition(":")[0] for line in totals] == ["orderdice", "squadhex", "all"]
    assert lines[-1] == "pass: in every try (2); -: in none; a total adds up the shares passed"


def test_json_says_what_was_answered() -> None:
    words = ("exam", "rush", "--on", "do-not-leave-the-crossing", "--tries", "2", "--json")
    (row,) = json.loads(battlesim(*words).stdout)
    assert json.loads(battlesim("exam", "rush", *words[1:]).stdout) == [row], "an agent named twice sits once"
    assert row["exam"] == "do-not-leave-the-crossing"
    assert row["clauses"] == ["RG-HOUSE-RESULT", "RG-HOUSE-VICTORY"]
    found = row["agents"]["rush"]
    assert found["tries"] == 2
    assert len(found["said"]) == len(found["missed"]) == 2
    assert found["passed"] == found["missed"].count("")


def test_why_tells_the_failed_answers() -> None:
    said = battlesim("exam", "random", "--on", "drive-through-the-hut", "--tries", "3", "--why").stdout
    assert "The hut rolls two dice" in said
    assert "  random: order " in said


def test_the_list_needs_no_agent() -> None:
    said = battlesim("exam").stdout
    assert len(said.splitlines()) == len(PATHS)
    assert "keep-the-house" in said
    assert len(json.loads(battlesim("exam", "--json").stdout)) == len(PATHS)


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (("nobody",), "there is no agent 'nobody'"),
        (("greedy", "--on", "keep-the-hous"), "did you mean 'keep-the-house'"),
        (("greedy", "--enemy", "nobody"), "there is no agent 'nobody'"),
        (("greedy", "--on", "nowhere.yaml"), "nowhere.yaml"),
        (("human",), "by `battlesim play` only; name an agent that plays by itself, such as greedy"),
    ],
)
def test_bad_input_gets_one_message(words: tuple[str, ...], says: str) -> None:
    told = battlesim("exam", *words, code=2)
    assert says in told.stderr
    assert "Traceback" not in told.stderr


def test_a_folder_is_told_as_no_exam(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="this is a folder, not an exam file"):
        load_exam(tmp_path)


def test_a_rulebook_is_told_as_no_single_exam() -> None:
    with pytest.raises(
        InputError, match="'orderdice' is a rulebook, not an exam; name one of its exams, such as"
    ):
        load_exam("orderdice")


def test_a_card_is_called_as_it_was_given(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    agent = "tactician,base=doctrine+character=assault,tactics=always order:run; never order:down"
    (tmp_path / "cards.json").write_text(json.dumps({"cards": [{"number": 1, "agent": agent}]}))
    card = f"card:{tmp_path}/1"
    assert main(["exam", card, "random", "--on", "keep-the-house", "--tries", "1"]) == 0
    assert capsys.readouterr().out.splitlines()[0].split() == [card, "random"]


# ---- the page


def test_the_page_has_every_exam_and_a_difference_beyond_doubt() -> None:
    text = PAGE.read_text(encoding="utf-8")
    rows = re.findall(
        r"^\| `([\w-]+)` \| (.*?) \| (?:wins|points) \|.*\| ([+-][\d.]+) ± ([\d.]+) \|$", text, re.M
    )
    listed = {(path.stem, wrong) for path in PATHS for wrong in load_exam(path).wrong}
    assert {(name, wrong) for name, wrong, _, _ in rows} == listed
    assert all(float(difference) > 2 * float(error) for _, _, difference, error in rows)


@pytest.mark.slow
def test_the_example_of_the_page_is_an_exam(tmp_path: Path) -> None:
    (block,) = blocks("docs/exams.md", "yaml")
    file = tmp_path / "bridge.yaml"
    file.write_text(block)
    assert all(found.sound for found in check(load_exam(file), 12, "greedy"))
