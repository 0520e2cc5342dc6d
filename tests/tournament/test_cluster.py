"""On a cluster: a real Dask scheduler and two workers on the loopback address, one of which dies in the middle."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.tournament.runs import (
    BAD,
    ROOT,
    SMALL,
    battlesim,
    digest_of,
    rows_of,
    started,
    undisturbed,
    wait_for_rows,
)

pytestmark = [pytest.mark.slow, pytest.mark.skipif(os.name != "posix", reason="kills processes")]
MORE = (*SMALL[:5], "--games", "80", "--control", "20")


class Cluster:
    """A scheduler and its workers, each a process; `kill` one of the workers, nanny and all."""

    def __init__(self, folder: Path) -> None:
        self.file = folder / "scheduler.json"
        self.log = (folder / "log").open("wb")
        self.scheduler = self._start(
            "scheduler", "--host", "127.0.0.1", "--port", "0", "--no-dashboard", "--no-show"
        )
        for _ in range(9_000):
            if self.file.exists() and self.file.read_text().strip().endswith("}"):
                break
            time.sleep(0.1)
        self.workers = [self._start("worker", "--nthreads", "1", "--no-dashboard") for _ in range(2)]

    def _start(self, what: str, *flags: str) -> subprocess.Popen[bytes]:
        words = [sys.executable, "-m", "dask", what, "--scheduler-file", str(self.file), *flags]
        env = {**os.environ, "PYTHONPATH": str(ROOT)}
        return subprocess.Popen(words, env=env, stdout=self.log, stderr=self.log, start_new_session=True)

    @property
    def address(self) -> str:
        import json

        return str(json.loads(self.file.read_text())["address"])

    def ready(self) -> None:
        from distributed import Client

        with Client(self.address, timeout=900, set_as_default=False) as client:
            client.wait_for_workers(2, timeout=900)

    def kill(self, which: int) -> None:
        os.killpg(self.workers[which].pid, signal.SIGKILL)
        self.workers[which].wait()

    def close(self) -> None:
        for process in [*self.workers, self.scheduler]:
            if process.poll() is None:
                os.killpg(process.pid, signal.SIGKILL)
            process.wait()
        self.log.close()


@pytest.fixture
def cluster(tmp_path: Path) -> Iterator[Cluster]:
    made = Cluster(tmp_path)
    try:
        made.ready()
        yield made
    finally:
        made.close()


def test_a_cluster_that_loses_a_worker_plays_the_same_games(cluster: Cluster, tmp_path: Path) -> None:
    expected = undisturbed(tmp_path / "local", *MORE)
    path = tmp_path / "r"
    process = started("tournament", *MORE, "--out", str(path), "--quiet", "--cluster", cluster.address)
    wait_for_rows(path, 10, process)
    there = rows_of(path)
    cluster.kill(0)
    assert process.wait(timeout=900) == 0
    assert 10 <= there < rows_of(path), "the worker died in the middle"
    assert digest_of(path) == expected


def test_a_scheduler_that_is_gone_is_told_and_the_run_resumed(cluster: Cluster, tmp_path: Path) -> None:
    expected = undisturbed(tmp_path / "local", *MORE)
    path = tmp_path / "r"
    told = tmp_path / "told"
    words = ("tournament", *MORE, "--out", str(path), "--quiet", "--cluster", cluster.address)
    with told.open("wb") as errors:
        process = started(*words, errors=errors)
        wait_for_rows(path, 10, process)
        os.killpg(cluster.scheduler.pid, signal.SIGKILL)
        code = process.wait(timeout=900)
        assert code == 2, told.read_text()
    said = told.read_text()
    assert f"the scheduler at '{cluster.address}' is gone" in said
    assert "resume the run" in said
    assert "Traceback" not in said
    battlesim("tournament", "--resume", str(path), "--quiet", "--workers", "2")
    assert digest_of(path) == expected


def test_an_agent_that_dies_costs_the_cluster_no_worker(cluster: Cluster, tmp_path: Path) -> None:
    import json

    config = tmp_path / "t.toml"
    config.write_text(
        f"agents = ['random', '{BAD}/dies.py']\nscenarios = ['stairwell']\ngames = 4\ncontrol = 2\n"
    )
    words = ("tournament", str(config), "--out", str(tmp_path / "r"), "--json", "--cluster", cluster.address)
    summary = json.loads(battlesim(*words).stdout)
    assert summary["games"]["played"] == 8
    assert summary["blame"][0]["crash"] == 6
    assert all(worker.poll() is None for worker in cluster.workers)


def test_no_cluster_is_told(tmp_path: Path) -> None:
    error = battlesim(
        "tournament", *SMALL, "--out", str(tmp_path / "r"), "--cluster", "tcp://127.0.0.1:1", code=2
    ).stderr
    assert "no Dask scheduler answers at 'tcp://127.0.0.1:1'" in error
    assert "Traceback" not in error
