"""What the command line lists and draws: scenarios, agents, maps, rulebooks."""

from __future__ import annotations

import importlib
import json
import re
import sys
from pathlib import Path
from typing import Any

import pytest

from battlesim.rulesets.finder import RULESETS
from battlesim.search.outlook import parameters
from tests.cli.test_cli import refused

ROOT = Path(__file__).parents[2]


def test_scenarios(run: Any) -> None:
    rows = json.loads(run("scenarios", "--json"))
    stairwell = next(row for row in rows if row["name"] == "stairwell")
    assert stairwell["ruleset"] == "orderdice"
    assert stairwell["sides"] == ["Red", "Blue"]
    assert stairwell["units"] == {"Red": 5, "Blue": 5}
    assert stairwell["turns"] == 6
    assert "stairwell" in run("scenarios")
    assert "the western stairwell: hold, 2 points (either side)" in run("scenarios", "stairwell")
    assert json.loads(run("scenarios", "stairwell", "--json"))["objectives"]
    assert "sawmill kept" in run("scenarios", "firebreak")
    assert "heavy tank (comes on in turn 5)" in run("scenarios", "village").replace("\n    ", " ")


def test_a_briefing_says_what_each_objective_is_about(run: Any) -> None:
    said = run("scenarios", "breakthrough")
    assert "to the ferry: exit, 3 points (Column)\n    by the east edge, each of its units\n" in said
    assert "(Rear-guard)\n    each of: lead tank, second tank, armoured car, assault gun\n" in said
    assert "destroy, 4 points (Column)\n    all of: school.north\n" in said
    goals = {
        goal["name"]: goal for goal in json.loads(run("scenarios", "breakthrough", "--json"))["objectives"]
    }
    assert goals["to the ferry"]["edge"] == "east"
    assert goals["the road gun"]["units"] == ["road gun"]
    assert goals["the gymnasium of the school"]["sections"] == ["school.north"]
    assert goals["the school"].keys() == {"name", "kind", "points", "side"}


def test_agents_maps_and_rules(run: Any) -> None:
    assert {"random", "rush"} <= {row["name"] for row in json.loads(run("agents", "--json"))}
    assert "random" in run("agents")
    assert "stairwell" in {row["name"] for row in json.loads(run("maps", "--json"))}
    assert "stairwell" in run("maps")
    rows = json.loads(run("rules", "orderdice", "--json"))
    fields = ["id", "source", "text", "module", "tests", "uses", "players", "share", "scenario", "forbids"]
    assert list(rows[0]) == fields
    assert len(rows) >= 96
    assert sum(row["players"] > 0 for row in rows) > 80
    assert all((row["players"] > 0) == bool(row["scenario"]) == (row["share"] > 0) for row in rows)
    assert "by players other than random" in run("rules", "orderdice")
    assert "OD-SCEN-1" in run("rules", "orderdice")


def test_the_parameters_of_an_agent_are_listed(run: Any, tmp_path: Path) -> None:
    told = run("agents", "planner")
    assert re.search(r"^  width +4 unless given$", told, re.MULTILINE)
    assert "\n- `width`: how many answers are compared, those with the highest scores.\n" in told
    assert re.search(r"^  file +must be given$", run("agents", "script"), re.MULTILINE)
    assert "It takes no parameters." in run("agents", "random")
    one = run("agents", "greedy", "--rules", "orderdice")
    assert re.search(r"^  exposure +[\d.]+ +0 to 10 +\S+", one, re.MULTILINE)
    assert "under squadhex" not in one
    assert "has no effect" in one
    row = json.loads(run("agents", "doctrine", "--json"))
    assert [one["name"] for one in row["parameters"]] == ["character", "strength"]
    assert set(row["judgement"]) == set(RULESETS)
    named = {one.name for one in parameters("squadhex")}
    assert {one["name"] for one in row["judgement"]["squadhex"]} == named
    file = tmp_path / "odd.py"
    odd = "class Odd:\n    def __init__(self, a=float('inf'), b=object(), **more): ...\n"
    odd += "    def start(self): ...\n    def choose(self): ..."
    file.write_text(odd)
    told = run("agents", str(file))
    assert "of type object unless given" in told
    assert "It takes further keywords." in told
    defaults = [one["default"] for one in json.loads(run("agents", str(file), "--json"))["parameters"]]
    assert defaults == ["inf", "of type object"]
    run("agents", "planner", "--rules", "squadhex", code=2)
    run("agents", "greedy", "--rules", "squads", code=2)
    run("agents", "gredy", code=2)
    run("agents", "--rules", "squadhex", code=2)


def test_an_agent_says_how_it_is_used(run: Any) -> None:
    characters = importlib.import_module("battlesim_agents.doctrine").CHARACTERS
    told = run("agents", "doctrine", "--rules", "orderdice").partition("`strength`")[0]
    assert all(name in told for name in (*characters, "discovered", "usual"))
    told = run("agents", "script").splitlines()
    assert "    turn 1 unit Red yard WhichOrder: order advance" in told
    assert any("docs/agents.md" in line for line in told)
    told = run("agents", "tactician")
    assert "\n    tactician,tactics=always go:upstairs when role=foot where=ground\n" in told
    assert "docs/tactics.md" in told
    assert not any(word in told for word in ("offered", "changed", "bore_at", "battlesim."))


def test_a_card_says_first_what_it_is(run: Any, tmp_path: Path) -> None:
    cards = [
        {"number": 1, "agent": "tactician,base=greedy,tactics=always go:upstairs", "words": "Always up."},
        {
            "number": 2,
            "agent": "tactician,base=doctrine+exposure=0.25,tactics=never order:run; never order:down",
        },
        {"number": 3, "agent": "doctrine,character=assault,exposure=0.25"},
    ]
    (tmp_path / "cards.json").write_text(json.dumps({"cards": cards}))
    told = run("agents", f"card:{tmp_path}/1").splitlines()
    assert told[0] == f"card:{tmp_path}/1: Always up."
    assert re.match(r"  always go:upstairs: A unit .*\.$", told[1])
    assert told[2:4] == ["  all else as greedy", ""]
    told = run("agents", f"card:{tmp_path}/2").splitlines()
    assert [line.partition(":")[0] for line in told[1:3]] == ["  never order", "  never order"]
    assert told[3] == "  all else as doctrine, with"
    assert re.match(r"    exposure +0\.25 +usually ", told[4])
    told = run("agents", f"card:{tmp_path}/3").splitlines()
    assert told[2].split() == ["character", "assault"]
    row = json.loads(run("agents", f"card:{tmp_path}/3", "--json"))
    assert row["card"]["values"] == {"character": "assault", "exposure": "0.25"}


def test_map_check_and_draw(run: Any, tmp_path: Path) -> None:
    assert json.loads(run("map", "check", "stairwell", "--json"))["faults"] == []
    made = json.loads(run("map", "draw", "stairwell", "--out", str(tmp_path / "svg"), "--json"))["drawings"]
    assert made
    assert all(Path(name).read_text(encoding="utf-8").startswith("<svg") for name in made)
    broken = tmp_path / "broken.yaml"
    broken.write_text("name: broken\nsize: [1, 2]\n")
    out = json.loads(run("map", "check", str(broken), "--json", code=2))
    assert {fault["level"] for fault in out["faults"]} == {"error"}


@pytest.mark.slow
def test_a_picture_is_svg_png_or_nothing(run: Any, tmp_path: Path) -> None:
    """What is written is what the name says; no SVG into a file that is named as another kind of picture."""
    pytest.importorskip("resvg_py")
    record = tmp_path / "game.jsonl"
    run("play", "stairwell", "--seed", "3", "--record", str(record), "--quiet")
    for words in (["replay", str(record), "--picture"], ["map", "draw", "stairwell", "--out"]):
        wrong = tmp_path / "end.jpg"
        run(*words, str(wrong), code=2)
        assert not wrong.exists()
        pixels = tmp_path / "end.png"
        run(*words, str(pixels))
        assert pixels.read_bytes().startswith(b"\x89PNG\r\n")
        pixels.unlink()
    for name in ("end.foo", "end", "end.svg.txt"):
        run("replay", str(record), "--picture", str(tmp_path / name), code=2)
        assert not (tmp_path / name).exists()
    made = tmp_path / "end.svg"
    run("replay", str(record), "--picture", str(made), "--turn", "2")
    assert "Objectives" in made.read_text(encoding="utf-8")
    run("scenarios", "stairwell", "--picture", str(made), "--seed", "3")
    assert "at the start" in made.read_text(encoding="utf-8")
    run("map", "draw", "stairwell", "--out", str(made))
    assert ", floor 2</text>" in made.read_text(encoding="utf-8")
    other = str(ROOT / "maps" / "scenarios" / "skirmish.yaml")
    run("replay", str(record), "--picture", str(tmp_path / "x.svg"), "--scenario", other, code=2)
    assert not (tmp_path / "x.svg").exists()


def test_without_its_package_no_png(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The message names the package and the extra."""
    monkeypatch.setitem(sys.modules, "resvg_py", None)
    told = refused(capsys, "scenarios", "stairwell", "--picture", "end.png")
    assert "resvg-py" in told
    assert "battlesim-arena[pictures]" in told
    assert not Path("end.png").exists()
