"""A run folder from before games by the list had a room of their own is read as ever. `old_run` is one, kept byte for byte."""

from __future__ import annotations

import csv
import shutil
from pathlib import Path

import pytest

from battlesim.core.errors import InputError
from battlesim.jobs.folder import RunFolder
from battlesim.tournament.driver import aggregate, plan_of
from tests.tournament.runs import battlesim, digest_of

KEPT = Path(__file__).parent / "old_run"


@pytest.fixture
def old(tmp_path: Path) -> Path:
    shutil.copytree(KEPT, tmp_path / "old")
    return tmp_path / "old"


def test_its_rows_and_standings_are_read(old: Path) -> None:
    aggregator = aggregate(RunFolder(old))
    assert (aggregator.played, aggregator.counted, aggregator.pairs) == (8, 8, 2)
    assert aggregator.tally.results("rush", "random").wins == 4
    told = battlesim("runs", str(old)).stdout
    assert "8 of 8 games, finished" in told
    assert [
        line.split()[:2] for line in battlesim("runs", "--folder", str(old.parent)).stdout.splitlines()[1:]
    ] == [["old", "8/8"]]


def test_its_games_are_exported(old: Path) -> None:
    rows = csv_rows(old)
    assert [row["number"] for row in rows] == [str(number) for number in range(8)]
    assert {row["scenario"] for row in rows} == {"stairwell"}


def test_it_is_merged_and_its_record_told(old: Path) -> None:
    assert "8 games were new" in battlesim("merge", str(old), "--out", str(old.parent / "m")).stdout
    assert digest_of(old.parent / "m") == digest_of(old)
    (record,) = (old / "records").iterdir()
    assert "Red yard" in battlesim("replay", str(record)).stdout


def test_its_seeds_and_salt_are_as_they_were(old: Path) -> None:
    plan = plan_of(RunFolder(old))
    with pytest.raises(InputError, match="a run needs one version for all its games"):
        plan.check()
    asked = {spec.number: (spec.seed, spec.agents[0].name, spec.leg) for spec in plan.specs()}
    rows = csv_rows(old)
    assert asked == {int(r["number"]): (int(r["seed"]), r["agent0"], int(r["leg"])) for r in rows}


def csv_rows(old: Path) -> list[dict[str, str]]:
    battlesim("export", str(old), "--to", str(old / "games.csv"))
    with (old / "games.csv").open() as file:
        return list(csv.DictReader(file))
