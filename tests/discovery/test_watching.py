"""Rows of the games of a study."""

from __future__ import annotations

from pathlib import Path

import msgspec

from battlesim.batch.lists import GameList, GameRequest, resolve_games
from battlesim.discovery.contrasts import Contrast
from battlesim.discovery.intervention import effect_of
from battlesim.discovery.watching import FORMAT, WatchedRow, play_watched

FALLS_SILENT = """
class Agent:
    def start(self, board, side, chance):
        pass

    def choose(self, view, ask, answers):
        raise RuntimeError("no more")
"""


def row_of(agent: str) -> WatchedRow:
    """The row of a game of an agent against greedy."""
    listed = GameList(resolve_games("one", [GameRequest("stairwell", (agent, "greedy"), 3, records="none")]))
    (spec,) = listed.specs()
    return msgspec.json.decode(play_watched(spec, lambda actor: None).row, type=WatchedRow)


def test_a_game_that_a_player_forfeited_says_nothing_about_a_tactic(tmp_path: Path) -> None:
    file = tmp_path / "silent.py"
    file.write_text(FALLS_SILENT, encoding="utf-8")
    forfeited, whole = row_of(str(file)), WatchedRow(FORMAT, 0, 0.5, 0.0)
    assert "no more" in forfeited.failed
    assert [one.forfeit for one in forfeited.blame] == [1]
    assert effect_of({0: whole, 1: forfeited}, [Contrast(0, "stairwell", 0, 3, 0, 1)]) is None
    effect = effect_of({0: whole, 1: whole}, [Contrast(0, "stairwell", 0, 3, 0, 1)])
    assert effect is not None
    assert effect.score.value == 0.0
