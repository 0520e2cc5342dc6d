"""The tournaments' page: its file is sound, every setting and verdict is named."""

from __future__ import annotations

import re
from pathlib import Path

from pydantic import BaseModel

from battlesim.batch.export import COLUMNS
from battlesim.tournament.aggregator import VERDICTS
from battlesim.tournament.config import Bounds, Keep, Sequential, TournamentConfig, Trust, read_config

PAGE = (Path(__file__).parents[2] / "docs" / "tournaments.md").read_text(encoding="utf-8")


def test_the_file_of_the_page_is_sound(tmp_path: Path) -> None:
    found = re.search(r"```toml\n(.*?)```", PAGE, re.DOTALL)
    assert found is not None
    file = tmp_path / "t.toml"
    file.write_text(found[1])
    asked, _ = read_config(file)
    assert asked.games == 100


def test_every_setting_is_named_with_its_usual_value() -> None:
    parts: dict[str, type[BaseModel]] = {"stop": Sequential, "limits": Bounds, "trust": Trust, "keep": Keep}
    rows = [line for line in PAGE.splitlines() if line.startswith("| `")]
    for prefix, kind in [("", TournamentConfig), *((f"{name}.", kind) for name, kind in parts.items())]:
        for name, field in kind.model_fields.items():
            if name in parts:
                continue
            row = next((row for row in rows if f"`{prefix}{name}`" in row.split("|")[1]), None)
            assert row is not None, f"{prefix}{name} is not on the page"
            usual = row.rstrip("| ").rpartition("|")[2].strip(" `")
            value = field.default
            if isinstance(value, int | float) and not isinstance(value, bool):
                assert f"{value:g}" in re.split(r",\s*", usual), f"{prefix}{name}: {value} is not {usual!r}"
            elif isinstance(value, str) and value:
                assert usual == value


def test_every_verdict_is_named() -> None:
    assert re.findall(
        r"^\| `(\w+)` \|", PAGE.partition("## How games end")[2].partition("## A run")[0], re.MULTILINE
    ) == list(VERDICTS)


def test_the_table_of_a_runs_folder_says_which_config_there_is() -> None:
    (row,) = (line for line in PAGE.splitlines() if line.startswith("| `config.toml`"))
    assert "a copy of your file, `config.toml`; a run begun by flags has `config.json` alone" in row


def test_every_column_of_the_table_of_games_is_explained() -> None:
    part = PAGE.partition("## The table of games")[2].partition("Three things")[0]
    columns = [row.split("|")[1] for row in part.splitlines() if row.startswith("| `")]
    assert re.findall(r"`(\w+)`", " ".join(columns)) == [name for name, _ in COLUMNS]
