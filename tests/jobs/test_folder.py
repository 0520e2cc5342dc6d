"""Run folders appear whole, have one driver, and are found by name."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from battlesim.core.errors import InputError
from battlesim.jobs.folder import RunFolder, find_run, free_name, runs_in


def made(path: Path) -> RunFolder:
    return RunFolder.create(path, {"a": 1}, b"x = 1\n", ".toml")


def test_a_run_is_whole(tmp_path: Path) -> None:
    run = made(tmp_path / "runs" / "one")
    assert run.resolved() == {"a": 1}
    assert run.environment() == []
    assert run.asked().read_bytes() == b"x = 1\n"
    assert len(run.store()) == 0
    assert sorted(p.name for p in (tmp_path / "runs").iterdir()) == ["one"], "no scraps beside it"
    with pytest.raises(InputError, match="the folder exists; give another --out, or --resume it"):
        made(run.path)


def test_a_folder_that_cannot_be_made_is_told(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(InputError, match="the run's folder cannot be made"):
        made(tmp_path / "file" / "run")


def test_one_driver_at_a_time(tmp_path: Path) -> None:
    run = made(tmp_path / "one")
    script = (
        "import sys; from pathlib import Path; from battlesim.jobs.folder import RunFolder\n"
        "with RunFolder(Path(sys.argv[1])).locked():\n    print('mine', flush=True); sys.stdin.read()\n"
    )
    other = subprocess.Popen(
        [sys.executable, "-c", script, str(run.path)], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    )
    assert other.stdout is not None
    assert other.stdout.readline() == b"mine\n"
    with pytest.raises(InputError, match="another process is playing this run"), run.locked():
        pass
    other.kill()
    other.wait()
    other.communicate()
    with run.locked():
        pass  # the lock died with its holder


def test_runs_are_found(tmp_path: Path) -> None:
    made(tmp_path / "b")
    made(tmp_path / "a")
    (tmp_path / "none").mkdir()
    assert [run.path.name for run in runs_in(tmp_path)] == ["a", "b"]
    assert runs_in(tmp_path / "nowhere") == []
    assert find_run("a", tmp_path).path == tmp_path / "a"
    assert find_run(str(tmp_path / "a"), Path("elsewhere")).path == tmp_path / "a"
    for name, words in (("none", "this is not a run's folder"), ("nowhere", "there is no such run")):
        with pytest.raises(InputError, match=words):
            find_run(name, tmp_path)


def test_a_run_that_was_copied_in_part_says_what_is_missing(tmp_path: Path) -> None:
    made(tmp_path / "run")
    (tmp_path / "run" / "results.sqlite").unlink()
    with pytest.raises(InputError, match=r"it has no results\.sqlite; copy the whole folder"):
        find_run("run", tmp_path)


def test_a_misspelt_run_is_told_what_was_meant(tmp_path: Path) -> None:
    made(tmp_path / "tournament")
    for name, folder in (("tournamnet", tmp_path), (str(tmp_path / "tournamnet"), Path("elsewhere"))):
        with pytest.raises(
            InputError, match="no such run; did you mean 'tournament'\\? give the folder of a run"
        ):
            find_run(name, folder)
    with pytest.raises(InputError, match="no such run; give the folder of a run"):
        find_run("nothing-like-it", tmp_path)
    with pytest.raises(InputError, match="did you mean 'upset-skirmish'"):
        find_run("upset-skirmis", tmp_path, lambda folder: [folder / "upset-skirmish"])


def test_names_are_free_and_harmless(tmp_path: Path) -> None:
    assert free_name(tmp_path, "first try").name == "first-try"
    assert free_name(tmp_path, "../../etc").parent == tmp_path
    assert free_name(tmp_path, "///").name == "run"
    assert free_name(tmp_path, "Törvs/Überfall").name == "Törvs-Überfall"
    assert free_name(tmp_path, "To\N{COMBINING DIAERESIS}rvs 町").name == "Törvs-町"
    made(tmp_path / "a")
    assert free_name(tmp_path, "a").name == "a-2"


def test_a_damaged_file_is_named(tmp_path: Path) -> None:
    run = made(tmp_path / "one")
    (run.path / "resolved.json").write_text("{")
    with pytest.raises(InputError, match=r"resolved.json: the run's file cannot be read"):
        run.resolved()
