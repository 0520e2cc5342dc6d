"""A command that is stopped says once what is kept and how to go on, and its workers say nothing."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from battlesim.__main__ import run
from battlesim.cli import maps
from battlesim.cli.main import main
from battlesim.cli.stopping import Ended, kept, resumable
from battlesim.jobs.interrupts import held_back, ignore

posix = pytest.mark.skipif(os.name != "posix", reason="sends POSIX signals")


@pytest.mark.parametrize(
    "words",
    [["compare", "greedy", "rush"], ["fair", "skirmish"], ["tournament", "--agents", "rush", "greedy"]],
)
def test_the_command_that_was_stopped_is_the_one_that_goes_on(
    words: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """It names itself, and takes the flag that it names."""
    from battlesim.cli import running

    def stop(*_: object) -> int:
        raise KeyboardInterrupt

    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(running, "_play", stop)
    scenarios = ["--scenarios", "skirmish"] if words[0] == "tournament" else []
    assert main([*words, *scenarios, "--games", "2", "--workers", "1", "--out", "run"]) == 130
    on = f"Go on with: battlesim {words[0]} --resume run"
    assert on in capsys.readouterr().err
    assert main([words[0], "--resume", "run"]) == 130
    assert on in capsys.readouterr().err


def stopped_by(error: BaseException, monkeypatch: pytest.MonkeyPatch, *words: str) -> int:
    """The exit code of a command in which an error occurs. `words`: of the blocks around it, the outer first."""

    def run(*_: object) -> int:
        def inside(rest: tuple[str, ...]) -> int:
            if not rest:
                raise error
            with kept(rest[0]):
                return inside(rest[1:])

        return inside(words)

    monkeypatch.setattr(maps, "run", run)
    return main(["maps"])


def test_the_innermost_block_says_what_is_kept(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    words = resumable("stress", Path("my runs/one"))
    assert stopped_by(KeyboardInterrupt(), monkeypatch, "outer", words) == 130
    told = "stopped; what was played is kept. Go on with: battlesim stress --resume 'my runs/one'"
    assert capsys.readouterr().err == f"battlesim: {told}\n"


def test_an_import_that_was_interrupted_is_an_interrupt(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Libraries in C raise ImportError then."""
    error = ImportError("initialization failed")
    error.__cause__ = KeyboardInterrupt()
    assert stopped_by(error, monkeypatch, "kept") == 130
    assert stopped_by(error, monkeypatch) == 130
    assert capsys.readouterr().err == "battlesim: kept\nbattlesim: interrupted\n"
    with pytest.raises(ImportError, match="another one"):
        stopped_by(ImportError("another one"), monkeypatch, "kept")


@posix
def test_the_signal_to_end_is_heeded(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def run(*_: object) -> int:
        with kept("all is kept"):
            signal.raise_signal(signal.SIGTERM)
        return 0

    before = signal.getsignal(signal.SIGTERM)
    monkeypatch.setattr(maps, "run", run)
    assert main(["maps"]) == 143
    assert capsys.readouterr().err == "battlesim: all is kept\n"
    assert signal.getsignal(signal.SIGTERM) is before
    assert stopped_by(Ended(), monkeypatch) == 143
    assert capsys.readouterr().err == "battlesim: ended by a signal\n"


def test_an_interrupt_while_the_command_is_imported_is_told(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def interrupted(_: str) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("battlesim.cli.main.import_module", interrupted)
    assert main(["maps"]) == 130
    assert capsys.readouterr().err == "battlesim: interrupted\n"


@posix
def test_what_starts_while_interrupts_are_held_back_is_not_interrupted() -> None:
    """A worker needs a part of a second until it can ignore them itself."""
    words = "import signal; print(signal.SIGINT in signal.pthread_sigmask(signal.SIG_BLOCK, []))"
    command = [sys.executable, "-c", words]
    with pytest.raises(KeyboardInterrupt), held_back():  # noqa: PT012
        signal.raise_signal(signal.SIGINT)  # comes at the end of the block
        said = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    assert said == "True\n"
    assert subprocess.run(command, capture_output=True, text=True, check=True).stdout == "False\n"


@posix
def test_a_worker_lets_what_it_starts_be_interrupted() -> None:
    before = signal.getsignal(signal.SIGINT)
    signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        ignore()
        assert signal.getsignal(signal.SIGINT) is signal.SIG_IGN
        assert signal.SIGINT not in signal.pthread_sigmask(signal.SIG_BLOCK, [])
    finally:
        signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGINT})
        signal.signal(signal.SIGINT, before)


@posix
def test_workers_are_started_with_interrupts_held_back(monkeypatch: pytest.MonkeyPatch) -> None:
    from battlesim.jobs import executor

    held: list[bool] = []

    class Pool:
        def __init__(self, **_: object) -> None: ...

        @property
        def active(self) -> bool:
            held.append(signal.SIGINT in signal.pthread_sigmask(signal.SIG_BLOCK, []))
            return True

    monkeypatch.setattr(executor, "ProcessPool", Pool)
    executor.LocalExecutor("tests.jobs.work:do", 1)._started()
    assert held == [True]


def test_an_interrupt_while_the_command_line_is_loaded_ends_in_one_line(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    class Interrupted:
        def __getattr__(self, name: str) -> object:
            raise KeyboardInterrupt

    monkeypatch.setitem(sys.modules, "battlesim.cli.main", Interrupted())  # type: ignore[arg-type]
    assert run() == 130
    assert capsys.readouterr().err == "battlesim: interrupted\n"
