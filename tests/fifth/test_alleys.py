"""A rulebook from outside: it plays, is told, verified, checked and rated by every verb, as those that ship are."""

from __future__ import annotations

import ast
import json
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from battlesim import load_scenario, play
from battlesim.batch import inputs
from battlesim.cli.main import VERBS, main
from battlesim.core.errors import InputError
from battlesim.core.events import ModelsLost
from battlesim.discovery import search
from battlesim.engine.header import Version
from battlesim.engine.record import PlainFact, read_record
from battlesim.engine.source import code, ruleset_code
from battlesim.engine.verify import verify
from battlesim.rules.registry import read_clauses
from battlesim.rulesets.finder import find_ruleset
from battlesim.scenario import check_scenario
from battlesim.viewer.wording import find_wording
from tests.fifth.install import install, installed

SCENARIO = "alleys:well"


@pytest.fixture(autouse=True)
def alleys(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[Path]:
    """The package is installed, in processes that are started too; what is written goes into a folder of its own."""
    monkeypatch.chdir(tmp_path)
    with installed() as folder:
        monkeypatch.setenv("PYTHONPATH", str(folder), prepend=os.pathsep)
        yield folder


def ran(capsys: pytest.CaptureFixture[str], *words: str, code: int = 0) -> str:
    """What a verb prints."""
    assert main(list(words)) == code, capsys.readouterr().err
    return capsys.readouterr().out


# ---- every verb


def test_no_verb_is_left_out() -> None:
    """A verb that is new has to be tried here, or named as one that no rulebook has a part in."""
    source = Path(__file__).read_text(encoding="utf-8")
    words = re.findall(r'"([a-z]+)"', source)
    apart = {
        "agents": "players",
        "exam": "positions that ship",
        "maps": "the maps that ship",
        "bench": "scenarios that ship",
        "serve": "runs, of whatever rulebook",
    }
    assert {verb for verb, _ in VERBS if verb not in words or verb in apart} == set(apart)


@pytest.mark.slow
def test_it_is_played_told_recorded_replayed_and_verified(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = str(tmp_path / "well.jsonl")
    told = ran(capsys, "play", SCENARIO, "--seed", "3", "--record", file)
    for words in ("pick up stones", "men down", "nerve of", "The last turn is over"):
        assert words in told
    replayed = ran(capsys, "replay", file)
    assert replayed.splitlines()[5:] == told.splitlines()[5 : len(replayed.splitlines())]
    assert "the record is correct" in ran(capsys, "verify", file)
    assert "the record is correct" in ran(capsys, "verify", "--agents", file)
    row = json.loads(ran(capsys, "play", SCENARIO, "--seed", "3", "--json"))
    assert (row["ruleset"], row["scenario"]) == ("alleys", "well")
    lost = next(n for n, e in enumerate(read_record(file).events) if isinstance(e, ModelsLost))
    why = ran(capsys, "why", file, str(lost), "--clauses")
    assert re.search(r"In turn \d .* because .* at .*: \d m[ae]n down\.", " ".join(why.split()))
    page = tmp_path / "well.html"
    assert "open it in a browser" in ran(capsys, "watch", file, "--out", str(page))
    assert "picks up stones" in page.read_text() or "pick up stones" in page.read_text()
    assert "men down" in ran(capsys, "watch", SCENARIO, "--seed", "3")
    swings = json.loads(ran(capsys, "whatif", file, "--turning-points", "--games", "1", "--json"))
    parts = [swings["start"], *swings["skill"], swings["luck"]]
    assert sum(part["value"] for part in parts) == pytest.approx(swings["result"])
    assert "picks up stones" in why or "pick up stones" in why
    assert row["record_hash"] == read_record(file).digest


@pytest.mark.slow
def test_its_agents_answers_are_explained(capsys: pytest.CaptureFixture[str]) -> None:
    told = ran(capsys, "play", SCENARIO, "--seed", "4", "--explain=terms")
    assert "WhatNow?" in told
    assert re.search(r"pick \d \(\w+\)  (dealt|progress) [+-]\d", told)
    told = ran(capsys, "play", SCENARIO, "--seed", "4", "--explain")
    assert re.search(r"(?s)What now: \w+\? .*Expects .*For it: ", told)


def test_it_is_listed_and_briefed_and_its_clauses_are_printed(capsys: pytest.CaptureFixture[str]) -> None:
    assert "alleys:well" in ran(capsys, "scenarios")
    assert "alleys:well" in [row["name"] for row in json.loads(ran(capsys, "scenarios", "--json"))]
    assert "1 bruisers: Carters" in ran(capsys, "scenarios", SCENARIO)
    (row,) = [row for row in json.loads(ran(capsys, "rules", "--json")) if row["name"] == "alleys"]
    assert (row["version"], row["clauses"], row["source"]) == ("3", 6, "battlesim-alleys 0.3")
    printed = ran(capsys, "rules", "alleys")
    assert "AL-NERVE-1  [book]" in printed
    assert printed.endswith("6 clauses\n")
    assert len(json.loads(ran(capsys, "rules", "alleys", "--json"))) == 6


def test_its_map_is_checked_and_drawn(
    alleys: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = str(alleys / "alleys" / "maps" / "well.yaml")
    assert "0 errors, 0 warnings" in ran(capsys, "map", "check", file)
    ran(capsys, "map", "draw", file, "--out", str(tmp_path / "drawn"))
    assert list((tmp_path / "drawn").glob("*.svg"))


@pytest.mark.slow
def test_agents_are_rated_on_it_by_two_workers(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = str(tmp_path / "runs" / "well")
    words = ("--agents", "greedy", "random", "--scenarios", SCENARIO, "--games", "4", "--control", "2")
    asked = ("tournament", *words, "--workers", "2", "--quiet", "--out", out)
    assert "8 of 8 games, finished" in ran(capsys, *asked)
    assert "8 of 8 games" in ran(capsys, "tournament", "--resume", out, "--quiet")
    assert "well" in ran(capsys, "runs", out)
    assert "the nerve" not in ran(capsys, "export", out)
    rows = (Path(out) / "games.csv").read_text().splitlines()
    assert len(rows) == 9
    assert all(",alleys," in row for row in rows[1:])
    report = (Path(out) / "report.html").read_text(encoding="utf-8")
    assert "AL-THROW-1" in report


@pytest.mark.slow
def test_parts_of_a_tournament_on_it_are_put_together(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    words = (
        "--agents",
        "greedy",
        "random",
        "--scenarios",
        SCENARIO,
        "--games",
        "2",
        "--control",
        "2",
        "--quiet",
    )
    for part in ("1/2", "2/2"):
        ran(capsys, "tournament", *words, "--part", part, "--out", f"part{part[0]}", "--workers", "1")
    ran(capsys, "merge", "part1", "part2", "--out", "whole")
    assert "6" in ran(capsys, "runs", "whole")


@pytest.mark.slow
def test_it_is_found_fair_or_not_and_agents_are_compared_on_it(capsys: pytest.CaptureFixture[str]) -> None:
    assert "Mill-Street" in ran(capsys, "fair", SCENARIO, "--quiet")
    told = ran(capsys, "compare", "greedy", "random", "--scenarios", SCENARIO, "--games", "40", "--quiet")
    assert "greedy" in told


@pytest.mark.slow
def test_it_is_varied(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "well.toml"
    file.write_text(f'''scenario = "{SCENARIO}"\ngames = 2\n[[factors]]\npath = "turns"\nlevels = [2, 3]\n''')
    out = ran(capsys, "stress", str(file), "--out", str(tmp_path / "run"), "--workers", "1", "--quiet")
    assert "2 points, 4 games" in out


@pytest.mark.slow
def test_it_is_taken_apart_and_its_upsets_are_found(capsys: pytest.CaptureFixture[str]) -> None:
    told = ran(capsys, "atlas", SCENARIO, "--games", "2", "--kind", "door", "--workers", "1", "--quiet")
    assert "games" in told
    few = ("--battles", "6", "--repeats", "2", "--ways", "1", "--effort", "10", "--workers", "1", "--quiet")
    assert "%" in ran(capsys, "upset", SCENARIO, *few)


@pytest.mark.slow
def test_it_is_balanced_as_far_as_a_few_games_tell(capsys: pytest.CaptureFixture[str]) -> None:
    few = ("--games", "60", "--confirm", "20", "--margin", "0.2", "--workers", "1", "--quiet", "--json")
    found = json.loads(ran(capsys, "balance", SCENARIO, "--tune", "turns=2..3", *few))
    assert 0.0 <= found["found"]["share"] <= 1.0
    assert found["found"]["games"] >= 20


@pytest.mark.slow
def test_ways_of_fighting_are_searched_for(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(search, "GENERATION", 2)
    monkeypatch.setattr(search, "FIRST", 2)
    few = ("--games", "2", "--select", "2", "--confirm", "2", "--best", "1", "--workers", "1", "--quiet")
    found = json.loads(ran(capsys, "discover", SCENARIO, *few, "--json"))["found"]
    assert found["ruleset"] == "alleys"
    assert found["elites"]


@pytest.mark.slow
def test_a_tactic_is_tried_under_it(capsys: pytest.CaptureFixture[str]) -> None:
    few = ("--confirmed", "12", "--answered", "1", "--workers", "1", "--quiet")
    told = ran(capsys, "tactics", SCENARIO, "--tactic", "never what-now:any", *few)
    assert "1 tactic asked for" in told
    assert main(["tactics", SCENARIO, "--tactic", "never go:inside", *few]) == 2
    assert "alleys has no go:inside" in capsys.readouterr().err


@pytest.mark.slow
def test_random_battles_under_it_break_nothing(capsys: pytest.CaptureFixture[str]) -> None:
    assert "alleys" in ran(capsys, "fuzz", "alleys", "--cases", "2", "--workers", "1", "--quiet")


@pytest.mark.slow
def test_what_would_be_played_is_said(capsys: pytest.CaptureFixture[str]) -> None:
    assert "games" in ran(capsys, "fair", SCENARIO, "--dry-run")
    assert "games" in ran(capsys, "compare", "greedy", "random", "--scenarios", SCENARIO, "--dry-run")


# ---- which rulebook it was


def changed(folder: Path, file: str, old: str, new: str) -> Path:
    """Another installation of the package, one of its files changed."""
    folder.mkdir()
    install(folder)
    path = folder / "alleys" / file
    text = path.read_text(encoding="utf-8")
    assert old in text
    path.write_text(text.replace(old, new, 1), encoding="utf-8")
    return folder


def command(site: Path | None, *words: str) -> subprocess.CompletedProcess[str]:
    """A verb in a process of its own that finds the package in a folder, or nowhere."""
    root = str(Path(__file__).parents[2])
    env = {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, (str(site or ""), root)))}
    return subprocess.run(
        [sys.executable, "-m", "battlesim", *words], env=env, capture_output=True, text=True, check=False
    )


@pytest.mark.slow
def test_a_record_says_which_rulebook_it_was_played_by(tmp_path: Path) -> None:
    file = tmp_path / "well.jsonl"
    play(SCENARIO, ("random", "random"), seed=5).save(file)
    header = read_record(file).header
    assert (header.ruleset.name, header.ruleset.version) == ("alleys", "3")
    assert len(header.ruleset.digest) == 32
    assert verify(read_record(file)).notes == ()

    reworded = changed(tmp_path / "reworded", "turn.py", '"""The turn:', '"""A turn:')
    same = command(reworded, "verify", str(file))
    assert same.returncode == 0
    assert "the record is correct" in same.stdout
    assert f"recorded by ruleset alleys with source files {header.ruleset.digest}, these are" in same.stderr

    newer = changed(tmp_path / "newer", "ruleset.py", 'version="3"', 'version="4"')
    other = command(newer, "verify", str(file))
    assert other.returncode == 1
    assert "the ruleset differs" in other.stdout
    assert '"version":"4"' in other.stdout

    harder = changed(tmp_path / "harder", "fight.py", "HITS, HITS_INSIDE = 4, 5", "HITS, HITS_INSIDE = 5, 5")
    rules = command(harder, "verify", str(file))
    assert rules.returncode == 1
    assert re.search(r"event \d+ differs", rules.stdout)


@pytest.mark.slow
def test_without_the_package_a_record_is_still_told_and_what_is_missing_is_said(tmp_path: Path) -> None:
    file = tmp_path / "well.jsonl"
    play(SCENARIO, ("random", "random"), seed=5).save(file)
    told = command(None, "replay", str(file))
    assert told.returncode == 0, told.stderr
    assert "Turn 1" in told.stdout
    missing = command(None, "verify", str(file))
    assert missing.returncode == 2
    assert "unknown ruleset 'alleys'; known: armorclass, orderdice, regiment, squadhex" in missing.stderr


def test_a_run_is_not_gone_on_with_by_another_rulebook(monkeypatch: pytest.MonkeyPatch) -> None:
    """Neither by the driver, which reads its inputs anew, nor by a worker."""
    pin, _ = inputs.pin_scenario(SCENARIO)
    assert pin.rules == ruleset_code("alleys").digest
    assert inputs.pin_scenario("stairwell")[0].rules == ""  # a ruleset that ships is part of the program
    this = code()
    inputs.check_inputs(this.version, this.digest, (), (pin,))
    assert inputs.pinned_scenario(pin).name == "well"
    inputs.pinned_scenario.cache_clear()
    monkeypatch.setattr(inputs, "ruleset_code", lambda name: Version(name, "3", "other files"))
    says = (
        "the ruleset 'alleys' is no longer what the run was begun with; install the version it was begun with"
    )
    with pytest.raises(InputError, match=says):
        inputs.check_inputs(this.version, this.digest, (), (pin,))
    with pytest.raises(InputError, match=says):
        inputs.pinned_scenario(pin)


# ---- its rules


def test_every_event_of_its_battles_has_a_sentence(tmp_path: Path) -> None:
    wording = find_wording("alleys")
    facts: dict[str, None] = {}
    for seed in range(6):
        file = tmp_path / f"{seed}.jsonl"
        play(SCENARIO, ("random", "random"), seed=seed).save(file)
        facts |= {e.name: None for e in read_record(file).events if isinstance(e, PlainFact)}
    assert sorted(facts) == ["Acts", "Left", "Nerve", "Threw"]
    assert [name for name in facts if name not in wording.say] == []


def test_its_clauses_are_owned_and_used() -> None:
    ruleset = find_ruleset("alleys")
    clauses = [clause.id for clause in read_clauses(ruleset.folder)]
    assert sorted(clauses) == sorted(clause for chapter in ruleset.chapters for clause in chapter.owns)
    used: set[str] = set()
    for seed in range(6):
        used |= play(SCENARIO, ("random", "random"), seed=seed).used()
    assert sorted(set(clauses) - used) == ["AL-HOUSE-GANGS"]
    page = (ruleset.folder / "README.md").read_text(encoding="utf-8")
    assert [clause for clause in clauses if clause not in page] == []


def test_its_sources_import_no_ruleset_that_ships() -> None:
    for path in find_ruleset("alleys").folder.glob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.ImportFrom) and node.module is not None:
                assert not node.module.startswith("battlesim.rulesets"), path.name


def test_nobody_is_scared_who_is_hardened(tmp_path: Path, alleys: Path) -> None:
    text = (alleys / "alleys" / "scenarios" / "well.yaml").read_text(encoding="utf-8")
    text = text.replace("../maps/well.yaml", str(alleys / "alleys" / "maps" / "well.yaml"))
    (tmp_path / "hard.yaml").write_text(text + "options: {hardened: true}\n", encoding="utf-8")
    hard = load_scenario(tmp_path / "hard.yaml")
    for seed in range(3):
        assert "AL-NERVE-1" not in play(hard, ("random", "random"), seed=seed).used()
        assert "AL-NERVE-1" in play(SCENARIO, ("random", "random"), seed=seed).used()


@pytest.mark.parametrize(
    ("old", "new", "says"),
    [
        (
            "type: bruisers, name: Carters",
            "type: brusers, name: Carters",
            "alleys has no unit type 'brusers'; did you mean",
        ),
        ("at: g2.4", "at: g2.4, models: 9", "9 men are too many for the bruisers; give 1 to 5"),
        ("at: g2.4", "at: g9.1", "'g9.1' is in no zone of side 'Mill-Street'"),
        ("at: g2.4", 'at: "cellar.1:0"', "'cellar.1:0' is closed; place it elsewhere"),
        ("at: g2.4", "at: g2.4, quality: old", "gangs are what they are; leave it out"),
        ("turns: 8", "turns: 8\nextra_turn: true", "alleys has no extra turn; leave it out"),
        (
            "turns: 8",
            "turns: 8\noptions: {hardend: true}",
            "alleys has no option 'hardend'; did you mean 'hardened'?",
        ),
        ("turns: 8", "turns: 8\noptions: {hardened: 3}", "hardened is 3; give true or false"),
        ("name: Tars, zone: east", "name: Tars, zone: east, count: 300", "zone 'east' has no room for"),
    ],
)
def test_a_wrong_scenario_is_answered_with_its_line(
    alleys: Path, tmp_path: Path, old: str, new: str, says: str
) -> None:
    text = (alleys / "alleys" / "scenarios" / "well.yaml").read_text(encoding="utf-8")
    assert old in text
    text = text.replace("../maps/well.yaml", str(alleys / "alleys" / "maps" / "well.yaml")).replace(old, new)
    file = tmp_path / "wrong.yaml"
    file.write_text(text, encoding="utf-8")
    faults = [str(fault) for fault in check_scenario(file)]
    assert any(re.match(rf"{re.escape(str(file))}:\d+: .*{re.escape(says)}", fault) for fault in faults), (
        faults
    )


def test_names_of_scenarios_that_are_not_there_are_answered() -> None:
    with pytest.raises(InputError, match="there is no scenario 'alleys:wel'; did you mean 'alleys:well'"):
        load_scenario("alleys:wel")
    with pytest.raises(InputError, match="unknown ruleset 'alley'; did you mean 'alleys'"):
        load_scenario("alley:well")
