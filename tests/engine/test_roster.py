"""Agents by name: found, made with parameters, or refused with one message."""

from __future__ import annotations

import json
import subprocess
import sys
import types
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from battlesim import play, verify
from battlesim.core.answers import Answer
from battlesim.core.errors import InputError
from battlesim.engine import agent_sources
from battlesim.engine.agent_sources import shipped_agents
from battlesim.engine.origin import entrant_of
from battlesim.engine.record import parse_record, read_record
from battlesim.engine.roster import enter, find_agent

TWO = """
class One:
    def __init__(self, depth: int = 1, bold: bool = False, name: str = "x", share: float = 0.5) -> None:
        self.args = (depth, bold, name, share)
    def start(self, board, side, chance): ...
    def choose(self, view, ask, answers): return answers[0]
class Two(One): ...
"""


def test_shipped_agents_by_name() -> None:
    assert "random" in shipped_agents()
    found = find_agent("random")
    assert found.name == "random"
    assert len(found.digest) == 32
    assert found.make() is not found.make()
    assert type(found.make()).__module__ == "battlesim_agents.random_"


def test_files_classes_and_parameters(tmp_path: Path) -> None:
    file = tmp_path / "mine.py"
    file.write_text(TWO)
    found = find_agent(f"{file}:One,depth=3,bold=true,name=abc,share=0.25")
    agent: Any = found.make()
    assert agent.args == (3, True, "abc", 0.25)
    assert (
        found.name == "mine.py:One,depth=3,bold=true,name=abc,share=0.25"
    )  # no folders: records are the same anywhere
    file.write_text(TWO + "AGENT = Two\n")
    other = find_agent(str(file))
    assert type(other.make()).__name__ == "Two"
    assert other.digest != found.digest


def test_modules_and_entry_points(monkeypatch: pytest.MonkeyPatch) -> None:
    assert find_agent("tests.bad_agents.illegal:Agent").name == "tests.bad_agents.illegal:Agent"
    monkeypatch.setattr(agent_sources, "entry_points", lambda: {"bought": "tests.bad_agents.illegal:Agent"})
    found = find_agent("bought")
    assert found.name == "bought"
    assert type(found.make()).__module__ == "tests.bad_agents.illegal"


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("randon", r"there is no agent 'randon'; did you mean 'random'\?"),
        ("", "there is no agent ''"),
        ("../random", "there is no agent '../random'"),
        ("nowhere.py", r"nowhere\.py: there is no such agent file"),
        ("no.such.module:Agent", "cannot be imported: ModuleNotFoundError"),
        ("tests.bad_agents.illegal:Agant", r"there is no 'Agant' in it; did you mean 'Agent'\?"),
        ("random,depth=3", "agent 'random,depth=3' has no parameter 'depth'; it takes none"),
        ("random,deep", "'deep' in agent 'random,deep' is not a parameter; write NAME,key=value"),
        ("battlesim:play", "cannot be made"),
        (
            "script",
            r"^agent 'script' cannot be made without its parameter 'file'; give file=\.\.\., as in script,file=",
        ),
        (
            "tactician",
            r"^agent 'tactician' cannot be made without its parameter 'tactics'; give tactics=\.\.\.",
        ),
        ("greedy,expsure=1", r"^agent 'greedy,expsure=1': no parameter 'expsure'; did you mean 'exposure'\?"),
        ("doctrine,strenght=2", r"^agent .*: no parameter 'strenght'; did you mean 'strength'"),
        ("doctrine,charakter=assault", r"^agent .*: no parameter 'charakter'; did you mean 'character'"),
        (
            "planner,playout=slow",
            "^agent 'planner,playout=slow': no playout 'slow'; give one of greedy, quick$",
        ),
        ("battlesim:Limits", "has no 'start' and no 'choose'; offer one class"),
    ],
)
def test_unknown_agents_are_refused(name: str, message: str) -> None:
    with pytest.raises(InputError, match=message):
        find_agent(name)


def test_what_is_there_but_no_agent_is_named_for_what_it_is(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("mine").mkdir()
    Path("raid.yaml").write_text("name: raid\nruleset: orderdice\n")
    Path("notes.txt").write_text("notes\n")
    for name, message in (
        ("raid.yaml", "raid.yaml: this is a scenario, not an agent; battlesim play raid.yaml plays it"),
        ("mine", "mine: this is a folder, not an agent"),
        ("notes.txt", "notes.txt: this is not an agent: its name does not end in .py"),
    ):
        with pytest.raises(InputError, match=message):
            find_agent(name)


REFUSING = "class A:\n    def choose(self): ...\n    def start(self): ...\n    def __init__(self): "


@pytest.mark.parametrize(
    ("source", "message"),
    [
        ("class X(:\n", r"mine\.py:1: the agent's file is not valid Python"),
        ("x = 1\n", "it holds no agent"),
        (TWO, "it holds several agents: One, Two; name one, as in mine.py:One"),
        ("import sys\nsys.exit(3)\n", r"mine\.py:2: the agent's module cannot be imported: SystemExit: 3"),
        ("AGENT = 3\n", "its agent is 3, of type int"),
        ("class A:\n    def choose(self): ...\n    def __init__(self): 1/0\n", "ZeroDivisionError"),
        ("class A:\n    def choose(self): ...\n", "has no 'start'; offer"),
        (
            REFUSING + "raise ValueError('no care')",
            r"mine\.py: agent .* cannot be made: no care; correct its constructor",
        ),
        (
            REFUSING + "raise ValueError",
            r"mine\.py: agent .* cannot be made: ValueError: ; correct its constructor",
        ),
    ],
)
def test_agent_files_that_do_not_load_are_refused(tmp_path: Path, source: str, message: str) -> None:
    file = tmp_path / "mine.py"
    file.write_text(source)
    with pytest.raises(InputError, match=message):
        find_agent(str(file))


@pytest.mark.parametrize(
    ("start", "choose", "message"),
    [
        (
            "self",
            "self, view, ask, answers",
            r"'start' of agent .* cannot be called with board, side, chance: too many",
        ),
        (
            "self, board, side, chance, more",
            "self, view, ask, answers",
            "'start' of .*: missing a required argument: 'more'",
        ),
        (
            "self, board, side, chance, /, brief, more",
            "self, *args",
            "'start' of .*: missing a required argument: 'more'",
        ),
        (
            "self, *args",
            "self, view",
            r"'choose' of .* with view, ask, answers: .*; write def choose\(self, view, ask, answers\)",
        ),
    ],
)
def test_methods_that_the_referee_cannot_call_are_refused(
    tmp_path: Path, start: str, choose: str, message: str
) -> None:
    file = tmp_path / "mine.py"
    file.write_text(f"class A:\n    def start({start}): ...\n    def choose({choose}): ...\n")
    with pytest.raises(InputError, match=message):
        find_agent(str(file))


@pytest.mark.parametrize(
    "start", ["self, b, s, c, *, brief", "self, board, side, chance, brief=None", "self, *args, **more"]
)
def test_methods_that_the_referee_can_call_are_taken(tmp_path: Path, start: str) -> None:
    file = tmp_path / "mine.py"
    file.write_text(
        f"class A:\n    def start({start}): ...\n    def choose(self, view, ask, answers, x=1): ...\n"
    )
    assert find_agent(str(file)).name == "mine.py"


READER = """
from pathlib import Path

class Reader:
    file_parameters = ("table", "other")
    agent_parameters = ("base",)
    def __init__(self, table: str, other: str = "", base: str = "greedy", size: int = 1) -> None:
        self.table = Path(table).read_text()
    def start(self, board, side, chance): ...
    def choose(self, view, ask, answers): return answers[0]
"""


def test_a_digest_covers_the_files_that_an_agent_reads(tmp_path: Path) -> None:
    """Those that its class says its parameters name, and those of the players that these name."""
    file, table, orders = (tmp_path / name for name in ("mine.py", "table.txt", "orders.txt"))
    file.write_text(READER)
    table.write_text("1 2 3\n")
    orders.write_text("otherwise: first\n")

    def digests() -> list[str]:
        reader = f"{file},table={table}"
        names = [
            reader,
            f"{reader},base=script+file={orders}",
            f"script,file={orders}",
            f"tactician,tactics=always order:move,base=script+file={orders}",
            f"tactician,tactics=always order:move,base={reader.replace(',', '+')}",
        ]
        return [find_agent(name).digest for name in names]

    first = digests()
    assert len(set(first)) == len(first)
    assert digests() == first
    table.write_text("1 2 4\n")
    changed = digests()
    assert [a == b for a, b in zip(first, changed, strict=True)] == [False, False, True, True, False]
    table.write_text("1 2 3\r\n")  # kinds of line ends do not count, as in a source file
    assert digests() == first
    orders.write_text("otherwise: random\n")
    assert [a == b for a, b in zip(first, digests(), strict=True)] == [True, False, False, False, True]
    assert find_agent("greedy").digest == find_agent("greedy,hold=3").digest


@pytest.mark.parametrize(
    ("declared", "message"),
    [
        ('"table"', r"mine\.py: its file_parameters are 'table', of type str; give a tuple"),
        ('("tabel",)', r"its file_parameters name 'tabel', which is none .*; did you mean 'table'\?"),
    ],
)
def test_a_wrong_word_about_what_is_read_is_refused(tmp_path: Path, declared: str, message: str) -> None:
    file = tmp_path / "mine.py"
    file.write_text(READER.replace('("table", "other")', declared))
    with pytest.raises(InputError, match=message):
        find_agent(f"{file},table={file}")


def test_edited_orders_are_told_as_another_agent(tmp_path: Path) -> None:
    orders = tmp_path / "orders.txt"
    orders.write_text("otherwise: first\n")
    game = play("stairwell", (f"script,file={orders}", "rush"), seed=2)
    record = parse_record(game.record(), "r")
    assert verify(record, agents=True).same
    orders.write_text("otherwise: random\n")
    found = verify(record, agents=True)
    assert (found.same, found.what) == (False, "agent")
    assert game.header.agents[0].digest in found.recorded
    assert find_agent(f"script,file={orders}").digest in found.rebuilt


def test_files_in_names_are_found_beside_the_record(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """An agent's own, that of its orders, and those of its base player; another working folder changes nothing."""
    (tmp_path / "w").mkdir()
    monkeypatch.chdir(tmp_path / "w")
    Path("orders.txt").write_text("otherwise: first\n")
    Path("mine.py").write_text(TWO)
    names = ("script,file=orders.txt", "tactician,base=mine.py:One+depth=2,tactics=always order:run")
    game = play("stairwell", names, seed=2)
    game.save("r.jsonl")
    monkeypatch.chdir(tmp_path)
    record = read_record(Path("w/r.jsonl"))
    assert verify(record, agents=True).same
    entrants = [entrant_of(record, side) for side in (0, 1)]
    assert tuple(entrant.name for entrant in entrants) == names
    outside = play("stairwell", ("script,file=w/orders.txt", "rush"), seed=2)
    outside.save("w/o.jsonl")
    monkeypatch.chdir(tmp_path.parent)
    assert verify(read_record(tmp_path / "w" / "o.jsonl"), agents=True).same, "by its name alone"


def test_files_of_a_card_are_found_about_its_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    run, file = tmp_path / "runs" / "town", tmp_path / "w" / "mine.py"
    run.mkdir(parents=True)
    agent = "tactician,base=w/mine.py:One+depth=2,tactics=always order:run"
    (run / "cards.json").write_text(json.dumps({"cards": [{"number": 1, "agent": agent}]}))
    (tmp_path / "elsewhere").mkdir()
    monkeypatch.chdir(tmp_path / "elsewhere")
    with pytest.raises(
        InputError, match=r"the player of card:\.\./runs/town/1 needs the file 'w/mine\.py', which is neither"
    ):
        find_agent("card:../runs/town/1")
    file.parent.mkdir()
    file.write_text(TWO)
    from_here = find_agent("card:../runs/town/1")
    monkeypatch.chdir(tmp_path)
    assert find_agent("card:town/1").digest == from_here.digest
    assert find_agent("card:town/1").name == agent


def test_a_parameter_that_is_nearly_right_is_suggested(tmp_path: Path) -> None:
    file = tmp_path / "mine.py"
    file.write_text(TWO)
    with pytest.raises(InputError, match=r"no parameter 'dpeth'; did you mean 'depth'\?"):
        find_agent(f"{file}:One,dpeth=2")
    with pytest.raises(InputError, match="the parameter 'depth' twice"):
        find_agent(f"{file}:One,depth=2,depth=2")


class FirstAnswer:
    """Always says the first thing that is legal."""

    def start(self, board: object, side: int, chance: object) -> None: ...

    def choose(self, view: object, ask: object, answers: Sequence[Answer]) -> Answer:
        return answers[0]


class NoAgent:
    """Cannot play."""


def test_a_class_is_entered_as_it_is() -> None:
    game = play("stairwell", (FirstAnswer, "rush"), seed=2)
    one, two = game.header.agents
    assert (one.name, two.name) == ("FirstAnswer", "rush")
    assert one.digest
    record = parse_record(game.record(), "x")
    assert verify(record, agents=True, entrants=(enter(FirstAnswer), None)).same
    assert play("stairwell", (FirstAnswer, FirstAnswer), seed=2).row()["agents"] == {
        "Red": "FirstAnswer",
        "Blue": "FirstAnswer",
    }


@pytest.mark.parametrize("given", [NoAgent, 7, FirstAnswer()])
def test_what_makes_no_agent_is_refused(given: Any) -> None:
    with pytest.raises(InputError, match="start"):
        play("stairwell", (given, "rush"), seed=2)


def test_no_agents_file_hides_a_module_of_python() -> None:
    """Whoever starts Python in the folder of agents has it at the head of the path."""
    hidden = {file.stem for file in agent_sources.agents_folder().glob("*.py")} & set(sys.stdlib_module_names)
    assert hidden == set()
    code = "import random; print(random.SystemRandom.__name__)"
    words = [sys.executable, "-c", code]
    done = subprocess.run(
        words, cwd=agent_sources.agents_folder(), capture_output=True, text=True, check=False
    )
    assert (done.stdout, done.stderr) == ("SystemRandom\n", "")
    assert find_agent("random").name == "random"


def test_a_card_with_a_number_that_no_run_has_is_refused() -> None:
    with pytest.raises(InputError, match="names no card"):
        find_agent("card:town/" + "1" * 5_000)


def test_a_class_typed_at_a_prompt_plays(monkeypatch: pytest.MonkeyPatch) -> None:
    """Python raises OSError, not TypeError, for the source of a class typed at a prompt or in a notebook."""
    monkeypatch.setitem(sys.modules, "__main__", types.ModuleType("__main__"))
    typed = type("Typed", (FirstAnswer,), {"__module__": "__main__"})
    found = enter(typed)
    assert (found.name, found.digest) == ("Typed", "")


def test_a_name_that_no_record_could_hold_is_refused(tmp_path: Path) -> None:
    """A name in another encoding, as Python shows its bytes."""
    file = tmp_path / "b\udcffd.py"
    try:
        file.write_text(TWO)
    except (OSError, UnicodeError):
        pytest.skip("this file system takes names in UTF-8 only")
    with pytest.raises(
        InputError, match=r"the agent's name 'b\\udcffd.py:One' is not UTF-8 text; rename the file"
    ):
        find_agent(f"{file}:One")
    orders = tmp_path / "\udcfd.txt"
    orders.write_text("otherwise: first\n")
    with pytest.raises(InputError, match="is not UTF-8 text"):
        play("stairwell", (f"script,file={orders}", "rush"))
    inside = tmp_path / "\udcff"  # what a record holds of it is its name alone
    inside.mkdir()
    (inside / "two.py").write_text(TWO)
    assert find_agent(f"{inside / 'two.py'}:One").name == "two.py:One"
