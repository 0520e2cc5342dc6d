"""The folder of a search, listed and shown, whatever program played it."""

from __future__ import annotations

import json
import shlex
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import msgspec
import pytest

from battlesim.batch.begun import BEGUN, begun_with, check_begun
from battlesim.batch.games import FUNCTION
from battlesim.cli.main import main
from battlesim.core.errors import InputError
from battlesim.discovery.run import Quest, expected_games, expected_in, space_to_search
from battlesim.discovery.search_folder import ASKED, FOUND, games_in
from battlesim.discovery.settings import DiscoverySettings, written_by_hand
from battlesim.discovery.words import lines
from battlesim.engine.card_agents import agent_of_card
from battlesim.jobs.executor import LocalExecutor
from battlesim.jobs.folder import hold
from tests.discovery.test_discovery_page import sample

ROOT = Path(__file__).parents[2]
RUN = "runs/discover-stairwell"


@pytest.fixture(autouse=True)
def _here(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.chdir(tmp_path)


def kept(finished: bool = True, folder: str = RUN) -> Path:
    """The folder of a search, as far as it tells: without games, played by no program of now."""
    asked, found = sample(2)
    path = Path(folder)
    path.mkdir(parents=True)
    said = asked.model_dump(mode="json")
    (path / ASKED).write_text(json.dumps(said))
    if finished:
        (path / FOUND).write_bytes(msgspec.json.encode({"asked": said, "found": found}))
    return path


def told(capsys: pytest.CaptureFixture[str], *words: str, code: int = 0) -> str:
    assert main(list(words)) == code
    caught = capsys.readouterr()
    assert "Traceback" not in caught.err
    return caught.err if code else caught.out


def test_a_finished_search_is_shown_by_every_way_that_leads_to_it(
    capsys: pytest.CaptureFixture[str],
) -> None:
    asked, found = sample(2)
    path = kept()
    shown = told(capsys, "discover", RUN)
    assert "\n".join(lines(asked, found)) in shown
    assert f"card:{RUN}/1" in shown
    for words in (
        ("discover", "discover-stairwell"),
        ("runs", "discover-stairwell"),
        ("runs", RUN),
        ("discover", "--resume", RUN),
    ):
        assert told(capsys, *words) == shown
    assert json.loads(told(capsys, "discover", RUN, "--json")) == json.loads((path / FOUND).read_text())
    assert (path / "discover.html").is_file()
    assert not (path / "rounds").exists()


def test_a_search_that_is_not_over_tells_how_far_it_is(capsys: pytest.CaptureFixture[str]) -> None:
    path = kept(finished=False)
    shown = told(capsys, "discover", RUN)
    assert "0 of about 6,000 games (search 4,000, selection 800, confirmation 1,200)" in shown
    assert f"battlesim discover --resume {RUN}" in shown
    assert json.loads(told(capsys, "discover", RUN, "--json"))["state"] == "interrupted"
    with hold(path):
        assert "it is played now" in told(capsys, "discover", RUN)
    assert games_in(path) == 0


def test_a_search_never_tells_fewer_games_in_all_than_it_has_begun(tmp_path: Path) -> None:
    """Its last generation is played whole; then it is known how many elites there are, and how many are confirmed."""

    def begun(*games: int, judged: bool = False) -> str:
        for number, count in enumerate(games, 1):
            run = tmp_path / ("judged/rounds" if judged else "rounds") / f"{number:04d}"
            run.mkdir(parents=True)
            (run / "records").mkdir()
            (run / "results.sqlite").touch()
            (run / "resolved.json").write_text(json.dumps({"games": [{}] * count}))
        return expected_in(tmp_path, asked).of()

    asked = DiscoverySettings(scenarios=("stairwell",), games=600, select=10, confirm=10)
    assert begun() == "of about 1,200 games (search 600, selection 480, confirmation 120)"
    assert begun(304, 416) == "of about 1,320 games (search 720, selection 480, confirmation 120)"
    assert begun(260, judged=True) == "of about 1,100 games (search 720, selection 260, confirmation 120)"
    shutil.rmtree(tmp_path / "judged")
    assert begun(260, 40, judged=True) == "of about 1,020 games (search 720, selection 260, confirmation 40)"


def test_a_part_of_a_search_tells_its_own_games(tmp_path: Path) -> None:
    asked = DiscoverySettings(scenarios=("stairwell",), games=601, select=10, confirm=10)
    assert expected_in(tmp_path / "part-2-of-2", asked)[:3] == (301, 240, 60)


def test_what_is_announced_says_how_it_divides() -> None:
    asked = DiscoverySettings(scenarios=("stairwell",), games=1000)
    expected = expected_games(asked)
    assert expected.games == 1000 + expected.selection + expected.confirmation
    assert expected.words() == f"search 1,000, selection {expected.selection:,}, confirmation 1,200"
    assert expected_games(asked, elites=4).selection < expected.selection


@pytest.mark.parametrize("settings", [{}, {"begin": "doctrine,exposure=2"}, {"aim": "win"}])
def test_the_first_generation_is_announced_however_few_games_are_asked_for(
    settings: dict[str, Any], tmp_path: Path
) -> None:
    asked = DiscoverySettings(scenarios=("stairwell",), games=1, **settings)
    space, ruleset = space_to_search(asked)
    first = tuple(written_by_hand(space, ruleset).values()) if asked.begin == "doctrine" else ()
    quest = Quest(
        asked, asked.grounds, tmp_path, LocalExecutor(FUNCTION, 1), lambda *told: None, space, first
    )
    assert expected_games(asked).search == quest.search.least > 1


def test_searches_are_listed_with_kind_and_state(capsys: pytest.CaptureFixture[str]) -> None:
    kept()
    kept(finished=False, folder="runs/other")
    kept(finished=False, folder="runs/shared/part-2-of-4")
    rows = [line.split() for line in told(capsys, "runs").splitlines()]
    assert rows[0] == ["run", "games", "state", "kind", "agents", "scenarios", "started"]
    assert [[row[0], *row[2:4]] for row in rows[1:]] == [
        ["discover-stairwell", "finished", "discover"],
        ["other", "interrupted", "discover"],
        ["shared/part-2-of-4", "interrupted", "discover"],
    ]
    assert "played in parts; give one of" in told(capsys, "runs", "shared", code=2)
    listed = told(capsys, "runs", "runs/shared").splitlines()  # as wherever a search in parts lies
    assert [line.split()[0] for line in listed[1:]] == ["part-2-of-4"]


def test_commands_that_cannot_take_a_search_name_the_one_that_does(
    capsys: pytest.CaptureFixture[str],
) -> None:
    kept()
    assert "battlesim discover runs/discover-stairwell --json" in told(capsys, "export", RUN, code=2)
    assert "battlesim discover runs/discover-stairwell" in told(capsys, "tactics", RUN, code=2)
    assert "battlesim discover --resume runs/discover-stairwell" in told(
        capsys, "tactics", "--resume", RUN, code=2
    )
    assert "name a record in runs/discover-stairwell/records" in told(capsys, "watch", RUN, code=2)
    assert "battlesim discover runs/discover-stairwell" in told(capsys, "serve", RUN, code=2)
    merged = told(capsys, "merge", RUN, "--out", "runs/whole", code=2)
    assert "this is a search for ways of fighting, not a part of a run" in merged
    assert not Path("runs/whole").exists()
    resumed = told(capsys, "tournament", "--resume", RUN, code=2)
    assert "battlesim discover --resume runs/discover-stairwell" in resumed
    assert "one search is shown at a time" in told(capsys, "discover", RUN, "stairwell", code=2)
    assert "there is no such search or scenario" in told(capsys, "discover", "runs/nowhere", code=2)
    assert "a search is shown as it is" in told(capsys, "discover", RUN, "--games", "9", code=2)
    Path("runs/none").mkdir()
    for words in (("discover", "runs/none"), ("discover", "--resume", "runs/none")):
        assert "this is not a search for ways of fighting" in told(capsys, *words, code=2)


@pytest.mark.parametrize("broken", ["{", "[]", '{"bins": 3}', '{"scenarios": ["stairwell"], "bins": 0}'])
def test_a_damaged_file_is_told_as_damaged(capsys: pytest.CaptureFixture[str], broken: str) -> None:
    path = kept(finished=False)
    (path / ASKED).write_text(broken)
    for words in (("discover", RUN), ("discover", "--resume", RUN)):
        said = told(capsys, *words, code=2)
        assert "discover-asked.json: the file of what the search was asked for is damaged: " in said
    assert f"damaged: battlesim runs {RUN} says what is wrong" in told(capsys, "runs")
    kept(folder="runs/two")
    Path("runs/two", FOUND).write_text(broken)
    assert "the file of what was found is damaged" in told(capsys, "discover", "two", code=2)


def test_the_remedy_for_damaged_cards_mends_them(capsys: pytest.CaptureFixture[str]) -> None:
    path = kept()
    (path / "cards.json").write_text("{")
    with pytest.raises(InputError, match="the cards cannot be read") as caught:
        agent_of_card(f"card:{RUN}/1")
    command = str(caught.value).rpartition("battlesim ")[2]
    told(capsys, *shlex.split(command))
    assert agent_of_card(f"card:{RUN}/1") == sample(2)[1].elites[0].agent


def test_figures_of_another_shape_are_told(capsys: pytest.CaptureFixture[str]) -> None:
    path = kept()
    figures = json.loads((path / FOUND).read_text())
    figures["found"]["elites"] = 3
    (path / FOUND).write_text(json.dumps(figures))
    assert "this version does not read what was found" in told(capsys, "discover", RUN, code=2)


def test_what_a_search_was_begun_with_is_compared_one_by_one(tmp_path: Path) -> None:
    (tmp_path / "mine.py").write_text(
        "class Mine:\n    def start(self, *_): ...\n    def choose(self, v, a, s): return s[0]\n"
    )
    asked = {"games": 40, "seed": 1}
    agents = ("greedy", str(tmp_path / "mine.py"))
    check_begun(tmp_path, begun_with(asked, agents, ("stairwell",)), tmp_path / ASKED)
    check_begun(tmp_path, begun_with(asked, agents, ("stairwell",)), tmp_path / ASKED)
    kept_then = json.loads((tmp_path / BEGUN).read_text())
    for one in (kept_then, kept_then["scenarios"][0], kept_then["agents"][1]):
        one["digest"] = "another"
    (tmp_path / BEGUN).write_text(json.dumps(kept_then))
    with pytest.raises(InputError) as caught:
        check_begun(tmp_path, begun_with({**asked, "seed": 2}, agents, ("stairwell",)), tmp_path / ASKED)
    said = str(caught.value)
    assert "seed: the search was begun with seed = 1, now it is 2" in said
    assert "(another), this is" in said
    assert "mine.py' is no longer what the run was begun with" in said
    assert "the scenario 'stairwell' is no longer what the run was begun with" in said


WITHOUT = """
import importlib, pkgutil, sys
for name in ("sklearn", "SALib", "pydoe", "ribs", "hypothesis"):
    sys.modules[name] = None  # as where they are not installed
import battlesim.discovery
for module in pkgutil.iter_modules(battlesim.discovery.__path__):
    importlib.import_module("battlesim.discovery." + module.name)
from battlesim.cli.discover import show
from battlesim.discovery.cards_page import page
"""


@pytest.mark.slow
def test_searches_and_studies_need_the_extra_tournament_alone() -> None:
    subprocess.run([sys.executable, "-c", WITHOUT], check=True)
    for page, said in (
        ("docs/discover.md", "pip install 'battlesim-arena[tournament]'"),
        ("docs/tactics.md", "It needs the extra `tournament`."),
        (
            "README.md",
            "`tactics`, `discover`, `bench` and the answers of `whatif` need no more than `tournament`",
        ),
    ):
        assert said in (ROOT / page).read_text()
    missing = (
        "import sys; sys.modules['scipy'] = None; from battlesim.cli.main import main; main(sys.argv[1:])"
    )
    for verb in ("discover", "tactics"):
        done = subprocess.run(
            [sys.executable, "-c", missing, verb, "stairwell"], capture_output=True, text=True, check=False
        )
        assert "pip install 'battlesim-arena[tournament]'" in done.stderr
