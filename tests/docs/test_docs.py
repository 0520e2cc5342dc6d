"""What the pages tell: examples run, commands parse, links lead somewhere, lists are whole.

Code blocks are taken from the pages themselves: ```python and ```yaml are run in page order, every `battlesim` line of a
```sh block is parsed as the command line would.
"""

from __future__ import annotations

import re
import shlex
import subprocess
import sys
import tomllib
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any, get_args

import pytest
from pydantic import BaseModel

from battlesim import load_scenario, play, shipped_maps, shipped_scenarios, with_changes
from battlesim.board.check import check_map
from battlesim.board.hexgrid import hex_centre
from battlesim.board.load import load_map
from battlesim.board.mapfile import Connection, MapFile
from battlesim.cli.main import VERBS, parser
from battlesim.engine.battle import Battle, Question
from battlesim.engine.header import Header
from battlesim.engine.record import parse_record
from battlesim.scenario import check_scenario
from battlesim.scenario.file import BuildingState, ForceSpec, ObjectiveSpec, ScenarioFile
from battlesim.scenario.load import first_state
from battlesim.viewer.story import tell_record

ROOT = Path(__file__).parents[2]
PAGES = sorted([ROOT / "README.md", *(ROOT / "docs").glob("*.md"), *(ROOT / "maps").glob("*.md")])
PAGES += sorted([*(ROOT / "battlesim/rulesets").glob("*/README.md"), *(ROOT / "docs/tactics").glob("*.md")])


def text_of(path: str | Path) -> str:
    return (ROOT / path).read_text(encoding="utf-8")


def blocks(path: str | Path, language: str) -> list[str]:
    """The fenced blocks of a language on a page, in order."""
    return re.findall(rf"^```{language}\n(.*?)^```$", text_of(path), re.MULTILINE | re.DOTALL)


def part(path: str | Path, heading: str) -> str:
    """What stands under a heading, up to the next of the same level."""
    found = re.search(rf"^## {heading}\n(.*?)(?=^## |\Z)", text_of(path), re.MULTILINE | re.DOTALL)
    assert found, f"{path} has no heading {heading!r}"
    return found[1]


# ---- links and commands ------------------------------------------------------------------------------------------------


def anchors(path: Path) -> list[str]:
    """The anchors that the headings of a page make."""
    prose = re.sub(r"^```.*?^```$", "", path.read_text(encoding="utf-8"), flags=re.MULTILINE | re.DOTALL)
    heads = re.findall(r"^#+ (.*)$", prose, re.MULTILINE)
    return [re.sub(r"[^\w\- ]", "", head).strip().lower().replace(" ", "-") for head in heads]


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.relative_to(ROOT).as_posix())
def test_every_relative_link_leads_somewhere(page: Path) -> None:
    prose = re.sub(r"^```.*?^```$", "", page.read_text(encoding="utf-8"), flags=re.MULTILINE | re.DOTALL)
    targets = re.findall(r"\]\(<?([^)>\s]+)>?(?: \"[^\"]*\")?\)", prose) + re.findall(
        r"(?:src|href)=\"([^\"]+)\"", prose
    )
    for target in targets:
        if re.match(r"[a-z]+:", target):
            continue
        name, _, anchor = target.partition("#")
        file = (page.parent / name).resolve() if name else page
        assert file.exists(), f"{page.name} links to {target}, which is not there"
        if anchor and file.suffix == ".md":
            assert anchor in anchors(file), f"{page.name} links to {target}: no such heading"


def commands() -> Iterator[Any]:
    for page in PAGES:
        for block in blocks(page, "sh"):
            for line in block.replace("\\\n", " ").splitlines():
                words = shlex.split(line, comments=True)
                starts = [n for n, word in enumerate(words) if word.rpartition("/")[2] == "battlesim"]
                if starts and starts[0] in (0, 2):  # by itself, or after `python -m`
                    yield pytest.param(words[starts[0] + 1 :], id=f"{page.stem}: {' '.join(words)[:70]}")


@pytest.mark.parametrize("words", list(commands()))
def test_every_command_shown_is_one(words: list[str]) -> None:
    for stop in ("&&", "|", ";", ">"):
        words = words[: words.index(stop)] if stop in words else words
    verb = next((word for word in words if not word.startswith("-")), None)
    if verb is None:
        assert words in (["--help"], ["--version"])
        return
    assert verb in [name for name, _ in VERBS]
    if "--help" not in words:
        args = parser(verb).parse_args(words)  # exits, and so fails, where it is not understood
        assert args.verb == verb


def test_commands_are_found() -> None:
    assert len(list(commands())) > 15


# ---- the agent's page --------------------------------------------------------------------------------------------------


def test_the_agent_of_the_page_plays_whole_games(tmp_path: Path) -> None:
    first, second, _ = blocks("docs/agents.md", "python")
    file = tmp_path / "careful.py"
    file.write_text(first, encoding="utf-8")
    names: dict[str, Any] = {}
    exec(second, names)
    seen: list[tuple[int, int]] = []

    def listener(battle: Battle, question: Question) -> None:
        if type(question.ask).__name__ == "WhichOrder" and len(seen) < 3:
            before = battle.save()
            seen.append(names["outlook"](battle.view(question.side), battle.board, question.answers[0], 5))
            assert battle.save() == before

    game = play("stairwell", (f"{file},care=0.8", "greedy"), seed=1, listener=listener)
    assert not game.faults
    assert len(seen) == 3
    assert game.header.agents[0].name == "careful.py,care=0.8"
    for scenario in ("skirmish", "square", "drones", "border-keep"):  # one of each rulebook
        assert not play(scenario, ("random", str(file)), seed=2).faults
    again = play("stairwell", (f"{file}:Careful,care=0.8", "greedy"), seed=1)
    assert [e.answer for e in again.log if hasattr(e, "answer")] == [
        e.answer for e in game.log if hasattr(e, "answer")
    ]


@pytest.mark.slow
def test_the_agent_of_the_page_that_looks_ahead_plays_without_fault(tmp_path: Path) -> None:
    file = tmp_path / "ahead.py"
    file.write_text(blocks("docs/agents.md", "python")[2].replace("samples=8", "samples=2"), encoding="utf-8")
    short = with_changes(load_scenario("stairwell"), {"turns": 1})
    game = play(short, (str(file), "greedy"), seed=1)
    assert not game.faults
    assert game.imagined[0] > 0


def test_the_code_about_steps_learning_and_odds_runs(capsys: pytest.CaptureFixture[str]) -> None:
    steps, learning, odds = blocks("docs/learning.md", "python")
    names: dict[str, Any] = {}
    exec(steps, names)
    assert names["battle"].over
    fewer = learning.replace("range(150)", "range(2)").replace("range(1000, 1010)", "range(1000, 1001)")
    exec(fewer, names)
    assert any(names["weights"])
    assert capsys.readouterr().out.count(" of 20 against ") == 2
    exec(odds, names)
    shown = capsys.readouterr().out
    assert "order fire: " in shown
    assert shown.count("enemy models lost") == len(names["battle"].question.answers)


def test_the_agents_page_names_every_field_of_view_and_features() -> None:
    from battlesim import Features, View

    page = text_of("docs/agents.md")
    for name in (*View.__struct_fields__, *Features.__struct_fields__):
        assert re.search(rf"`(view\.)?{name}`", page), name


# ---- the scenario's page -----------------------------------------------------------------------------------------------


@pytest.mark.slow
def test_the_scenario_of_the_page_is_sound_and_played(tmp_path: Path) -> None:
    (block,) = blocks("docs/scenarios.md", "yaml")
    file = tmp_path / "raid.yaml"
    file.write_text(block, encoding="utf-8")
    assert check_scenario(file) == ()
    scenario = load_scenario(file)
    assert {goal.kind for goal in scenario.objectives} == {"hold", "destroy", "survive", "exit"}
    for agents in (("random", "random"), ("greedy", "greedy")):
        game = play(scenario, agents, seed=4)
        assert not game.faults
        assert game.outcome.termination in ("length", "exit", "annihilation")


def keys(*models: type[BaseModel]) -> list[str]:
    return [name for model in models for name in model.model_fields]


def test_the_scenarios_page_names_every_key() -> None:
    page = text_of("docs/scenarios.md")
    goals = get_args(get_args(ObjectiveSpec)[0])
    for name in dict.fromkeys(keys(ScenarioFile, ForceSpec, *goals)):
        assert re.search(rf"`{name}`|`\{{?{name}:", page), name


def test_the_conditions_of_buildings_can_be_copied_from_the_page(tmp_path: Path) -> None:
    (row,) = re.findall(r"^\| `buildings` \|.*\{.*$", text_of("docs/scenarios.md"), re.MULTILINE)
    (block,) = blocks("docs/scenarios.md", "yaml")
    conditions = re.findall(r"`(farm: [^`]*)`", row)
    assert len(conditions) == len(keys(BuildingState))
    for condition in conditions:
        file = tmp_path / "raid.yaml"
        file.write_text(f"{block}\nbuildings:\n  {condition}\n", encoding="utf-8")
        faults = [str(fault) for fault in check_scenario(file)]
        # The page's own units stand in the farm, which is the place to hold: that they may not, and that nobody can hold it
        # while it is closed, are the only faults.
        assert faults
        assert all("forces[" in fault or "nobody can hold this place" in fault for fault in faults), faults


# ---- games by the list ------------------------------------------------------------------------------------------------


@pytest.mark.slow
def test_the_code_about_changed_scenarios_and_lists_runs(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    names: dict[str, Any] = {}
    for block in blocks("docs/scenarios.md", "python"):
        exec(block, names)
    assert names["game"].scenario.turns == 4
    assert (tmp_path / "shorter.jsonl.gz").is_file()
    (block,) = blocks("docs/tournaments.md", "python")
    names = {"__name__": "__main__"}
    exec(block, names)
    assert len(list(names["rows_of"](names["run"], names["plan"]))) == 10
    assert sum(names["won"].values()) > 0


@pytest.mark.slow
def test_the_code_about_lists_runs_as_a_file_too(tmp_path: Path) -> None:
    """Its worker processes read the file of the main program again."""
    (block,) = blocks("docs/tournaments.md", "python")
    file = tmp_path / "veterans.py"
    file.write_text(block, encoding="utf-8")
    done = subprocess.run(
        [sys.executable, str(file)], cwd=tmp_path, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    assert "veterans" in done.stdout


# ---- the records' page -------------------------------------------------------------------------------------------------


def test_the_code_of_the_records_page_runs(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    names: dict[str, Any] = {}
    for block in blocks("docs/records.md", "python"):
        exec(block, names)
    assert names["verdict"].same
    assert "the record is correct" in capsys.readouterr().out
    assert names["luck"].state.units.keys() == names["fork"].state.units.keys()


def test_the_records_page_names_every_field_of_the_header_and_every_event() -> None:
    from battlesim.core.events import CHANGES, CORE_FACTS

    page = text_of("docs/records.md")
    for name in (*Header.__struct_fields__, *(kind.__name__ for kind in (*CORE_FACTS, *CHANGES))):
        assert f"`{name}`" in page, name


# ---- the page on statistics, and short programs ---------------------------------------------------------------------------


def test_the_statistics_page_repeats_what_the_readme_shows() -> None:
    shown = re.search(r"the two games of a pair correlate by -(\d\.\d+)$", text_of("README.md"), re.MULTILINE)
    assert shown, "README.md shows no correlation"
    assert f"one of which loses nearly always, it is −{shown[1]} " in text_of("docs/statistics.md")


def test_the_code_of_the_statistics_page_runs(capsys: pytest.CaptureFixture[str]) -> None:
    names: dict[str, Any] = {}
    (block,) = blocks("docs/statistics.md", "python")
    exec(block, names)
    assert names["found"].difference("ann", "bob").kind == "measured"
    assert "SprtStatus(" in capsys.readouterr().out


@pytest.mark.parametrize("page", ["README.md", "docs/watch.md", "docs/stress.md"])
def test_a_short_program_of_a_page_runs(page: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    names: dict[str, Any] = {}
    (block,) = blocks(page, "python")
    exec(block.replace("range(20)", "range(1)"), names)
    if "first_loss" in names:  # a response: the number of an event
        assert names["first_loss"](play("stairwell", seed=1)) > 0


# ---- maps --------------------------------------------------------------------------------------------------------------


def test_the_map_of_the_page_is_sound(tmp_path: Path) -> None:
    (block,) = blocks("docs/maps.md", "yaml")
    file = tmp_path / "corner.yaml"
    file.write_text(block, encoding="utf-8")
    assert [str(fault) for fault in check_map(file)] == []
    names = {space.name for space in load_map(file).spaces}
    assert {"g0.0", "g9.7", "house.west:2", "house.east:0", "toolshed.1:0"} <= names


def test_the_maps_page_names_every_key() -> None:
    page = text_of("docs/maps.md")
    for name in keys(MapFile):
        assert re.search(rf"^\| .*`{name}`.* \|", page, re.MULTILINE), name
    for name in keys(Connection):
        assert re.search(rf"`[^`]*\b{name}\b[^`]*`", part("docs/maps.md", "The format")), name
    x, y = hex_centre(1, 0)
    assert f"`g1.0` is at ({x / 100:g}, {y / 100:g})" in page


def test_the_maps_page_lists_what_ships() -> None:
    page = text_of("maps/README.md")
    for name in (*shipped_maps(), *(f"scenarios/{name}" for name in shipped_scenarios())):
        assert f"]({name}.yaml)" in page, name
    counts = re.findall(r"\]\(scenarios/([\w-]+)\.yaml\):[^;|]*?(\d+)\D* (?:against|besiege) (\d+)", page)
    assert len(counts) > 20
    for name, one, two in counts:
        units = Counter(unit.side for unit in first_state(load_scenario(name), 1).units.values())
        assert (name, units[0], units[1]) == (name, int(one), int(two))


def test_the_wheel_carries_maps_agents_and_the_licence_of_the_data() -> None:
    project = tomllib.loads(text_of("pyproject.toml"))
    wheel = project["tool"]["hatch"]["build"]["targets"]["wheel"]
    assert wheel["force-include"] == {
        "maps": "battlesim/_data/maps",
        "agents": "battlesim/_data/agents",
    }
    assert not wheel.get("exclude")
    assert "maps/LICENSE-ODbL.md" in project["project"]["license-files"]
    data = [name for name in shipped_maps() if "ODbL 1.0" in text_of(f"maps/{name}.yaml")]
    assert data
    licence = text_of("maps/LICENSE-ODbL.md")
    assert all(f"{name}.yaml" in licence for name in data)


def test_the_story_of_the_page_is_what_the_command_prints() -> None:
    page = text_of("README.md")
    found = re.search(
        r"\(`battlesim play ([\w-]+) --seed (\d+)`\):\n\n```\n(.*?)^```$", page, re.MULTILINE | re.DOTALL
    )
    assert found, "README.md shows no story"
    game = play(found[1], ("greedy", "greedy"), seed=int(found[2]))
    assert found[3] in "\n".join(tell_record(parse_record(game.record(), "README.md")))


# ---- how it is built -----------------------------------------------------------------------------------------------------


def test_every_file_that_the_page_on_the_code_names_is_there() -> None:
    page = text_of("docs/architecture.md")
    named = re.findall(r"`([\w./*]+/(?:[\w.*]+\.\w+)?)`", page)
    named += re.findall(r"`([\w/]+\.(?:py|toml))`", page)
    homes = ("", "battlesim", "battlesim/rulesets/orderdice", "battlesim/rules", "tests")
    gone = [name for name in named if not any(list(ROOT.joinpath(home).glob(name)) for home in homes)]
    assert len(named) > 40
    assert gone == []


def test_every_room_is_on_the_page_on_the_code() -> None:
    rooms = {path.parent.name for path in (ROOT / "battlesim").glob("*/__init__.py")}
    listed = set(re.findall(r"^\| `(\w+)/` \|", part("docs/architecture.md", "Rooms"), re.MULTILINE))
    assert listed == rooms
