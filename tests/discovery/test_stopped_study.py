"""A study that was stopped says so, and how to go on, before all else."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from msgspec.structs import replace

from battlesim.batch.lists import plan_of
from battlesim.cli.main import main
from battlesim.discovery.book_file import PageEntry
from battlesim.discovery.cards import cards_of
from battlesim.discovery.study import advance, asked_of, begin_study, unplayed
from battlesim.discovery.study_asked import Asked
from tests.discovery.test_study import Inline, StopError

ASKED = Asked(("stairwell",), ("never order:wait",), "random", confirmed=12, answered=0, moved=6)


@pytest.mark.slow
def test_a_study_that_was_stopped_says_how_far_it_came_and_how_to_go_on(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    run = begin_study(tmp_path / "study", ASKED)
    with pytest.raises(StopError):
        advance(run, lambda plan: Inline(13))
    assert main(["tactics", str(run.path)]) == 0
    said = capsys.readouterr().out.splitlines()[0]
    whole = plan_of(run).games
    step = f"13 of {whole} games of the confirmation, step 1 of 2, ({1300 // whole}%) are there"
    assert said.startswith(f"not whole: {step}")
    assert said.endswith(f"Go on: battlesim tactics --resume {run.path}")
    assert said in (run.path / "tactics.html").read_text()
    assert said in (run.path / "tactics.md").read_text().splitlines()[2]
    assert json.loads((run.path / "cards.json").read_text())["missing"] == said
    assert main(["runs", str(run.path)]) == 0
    assert capsys.readouterr().out.splitlines()[0] == said
    advance(run, lambda plan: Inline())
    assert unplayed(run) == ""
    assert cards_of(run, records=False).missing == ""
    assert main(["tactics", str(run.path)]) == 0
    assert "not whole" not in capsys.readouterr().out


@pytest.mark.slow
def test_a_step_that_was_not_begun_is_missing_where_there_is_something_to_play(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from battlesim.discovery import study

    run = begin_study(tmp_path / "study", ASKED)
    advance(run, lambda plan: Inline())
    (one,) = study.retried(run)
    elsewhere = Asked(("stairwell", "skirmish"), ASKED.tactics, "random", confirmed=12, answered=0, moved=6)
    monkeypatch.setattr(study, "confirmed", lambda run: [one])
    monkeypatch.setattr(study, "asked_of", lambda run: elsewhere)
    said = r"not whole: 0 of [1-9]\d games of the transfer, step 2 of 2, \(0%\) are there"
    assert re.match(said, unplayed(run))


def test_a_study_of_a_card_plays_the_player_that_it_was_at_the_beginning(tmp_path: Path) -> None:
    """Its run may change between two phases, or be deleted."""
    player = "tactician,base=random,tactics=never order:hold"
    cards = tmp_path / "cards.json"
    cards.write_text(json.dumps({"cards": [{"number": 1, "agent": player}]}))
    asked = replace(ASKED, base=f"card:{tmp_path}/1")
    page = PageEntry(name="one", title="One", why="Why?", scenarios=("stairwell",), base=asked.base)
    assert page.asked.base == player
    run = begin_study(tmp_path / "study", asked)
    cards.unlink()
    assert asked_of(run).base == player
    plan = plan_of(run)
    names = {agent.load for n in range(plan.games) for agent in plan.game(n).agents}
    ways = (
        f"tactician,base=random,tactics={way} order:wait; never order:hold" for way in ("never", "always")
    )
    assert names == {player, *ways}
