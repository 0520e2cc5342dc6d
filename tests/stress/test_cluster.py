"""A stress test on a cluster: a real Dask scheduler and two workers on the loopback address give this machine's rows."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from battlesim.cli.main import main
from tests.tournament.runs import digest_of
from tests.tournament.test_cluster import Cluster

pytestmark = [pytest.mark.slow, pytest.mark.skipif(os.name != "posix", reason="ends processes by group")]
ASKED = [
    "stress",
    "stairwell",
    "--vary",
    "turns=2,3",
    "--agents",
    "rush",
    "random",
    "--games",
    "6",
    "--quiet",
]


@pytest.fixture
def cluster(tmp_path: Path) -> Iterator[Cluster]:
    made = Cluster(tmp_path)
    try:
        made.ready()
        yield made
    finally:
        made.close()


def test_a_cluster_plays_the_same_stress_test(
    cluster: Cluster, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main([*ASKED, "--out", str(tmp_path / "far"), "--cluster", cluster.address]) == 0
    assert "stairwell: 2 points, 12 games" in capsys.readouterr().out
    assert main([*ASKED, "--out", str(tmp_path / "near"), "--workers", "1"]) == 0
    assert digest_of(tmp_path / "far") == digest_of(tmp_path / "near")
    assert (tmp_path / "far" / "stress.html").exists()
