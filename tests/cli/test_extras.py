"""What is said where the packages of an extra are missing."""

from __future__ import annotations

import re
import sys
import tomllib
from pathlib import Path

import pytest

from battlesim.cli.extras import EXTRAS, check_extra, told_missing
from battlesim.cli.main import main
from battlesim.stress.config import Factor, StressConfig
from battlesim.stress.plan import begin, resolve_stress

ROOT = Path(__file__).parents[2]

IMPORTED = {"scikit-learn": "sklearn", "resvg-py": "resvg_py"}
"""Packages that are imported by another name than that of the distribution."""


def refused(capsys: pytest.CaptureFixture[str], *words: str) -> str:
    """The one message of a command that ends with code 2."""
    assert main(words) == 2
    said = capsys.readouterr()
    assert said.out == ""
    assert said.err.count("\n") == 1, "one message"
    return said.err


def test_the_packages_are_those_of_the_extras() -> None:
    extras = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["optional-dependencies"]
    for extra, packages in EXTRAS.items():
        names = {re.split(r"[<>=]", package)[0] for package in extras[extra]}
        named = {IMPORTED.get(name, name) for name in names if not name.startswith("battlesim-arena")}
        assert set(packages) - {"dask"} == named, extra  # dask comes with distributed
        check_extra(extra)


@pytest.mark.parametrize(
    ("words", "package", "extra"),
    [
        (["whatif", "RECORD", "--at", "8"], "pebble", "tournament"),
        (["whatif", "RECORD", "--turning-points"], "pebble", "tournament"),
        (["export", "STRESS", "--to", "games.csv"], "pebble", "tournament"),
        (["bench", "--quick"], "scipy", "tournament"),
        (["runs"], "jinja2", "tournament"),
        (["serve", "STRESS"], "numpy", "tournament"),
        (["runs", "STRESS"], "sklearn", "stress"),
        (["merge", "STRESS", "--out", "whole"], "SALib", "stress"),
        (["fair", "stairwell"], "numpy", "tournament"),
        (["discover", "stairwell", "--emitters", "cma"], "ribs", "discovery"),
        (["discover", "stairwell", "--emitters", "mutation,cma-mae"], "numpy", "discovery"),
        (["discover", "stairwell", "--aim", "win"], "pebble", "discovery"),
        (["discover", "stairwell"], "pebble", "tournament"),
        (["discover", "CMA"], "numpy", "discovery"),
        (["discover", "--resume", "SEARCH"], "numpy", "discovery"),
        (["discover", "--resume", "SEARCH"], "ribs", "discovery"),
        (["discover", "nowhere.toml"], "numpy", "tournament"),
        (["tactics", "stairwell", "--cluster", "tcp://127.0.0.1:1"], "distributed", "cluster"),
        (
            ["stress", "stairwell", "--vary=turns=3,4", "--cluster=tcp://127.0.0.1:1"],
            "distributed",
            "cluster",
        ),
        (["atlas", "stairwell", "--cluster", "tcp://127.0.0.1:1"], "distributed", "cluster"),
    ],
)
def test_what_is_missing_is_told_before_anything_is_done(
    words: list[str],
    package: str,
    extra: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    if "RECORD" in words:
        assert main(["play", "stairwell", "--agent=random", "--record=g.jsonl", "--quiet"]) == 0
    Path("cma.toml").write_text('scenarios = ["stairwell"]\nemitters = ["cma"]\n')
    if "SEARCH" in words:
        Path("search").mkdir()
        Path("search/discover-asked.json").write_text('{"scenarios": ["stairwell"], "emitters": ["cma"]}')
    if "STRESS" in words:
        factors = (Factor(path="turns", levels=(3, 4)),)
        asked = StressConfig(name="s", scenario="stairwell", factors=factors, games=1)
        begin(Path("part"), *resolve_stress(asked), b"{}", ".json")
    before = sorted(tmp_path.rglob("*"))
    capsys.readouterr()
    for name in [package, "ribs.emitters.opt"] if package == "ribs" else [package]:
        monkeypatch.setitem(sys.modules, name, None)  # as where it is not installed
    monkeypatch.delitem(sys.modules, "battlesim.jobs.cluster", raising=False)
    there = {"RECORD": "g.jsonl", "STRESS": "part", "CMA": "cma.toml", "SEARCH": "search"}
    told = refused(capsys, *(there.get(word, word) for word in words))
    assert told.startswith(f"battlesim: the package {package!r} is missing; pip install")
    assert f"'battlesim-arena[{extra}]'" in told
    assert sorted(tmp_path.rglob("*")) == before, "nothing is written"


def test_a_package_that_no_check_looked_for_is_told_too(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def without_jinja(*_: object) -> int:
        raise ModuleNotFoundError("No module named 'jinja2'", name="jinja2")

    monkeypatch.setattr("battlesim.cli.maps.run", without_jinja)
    monkeypatch.setitem(sys.modules, "jinja2", None)
    assert "'battlesim-arena[tournament]'" in refused(capsys, "maps")


def test_other_imports_that_fail_are_no_missing_extra() -> None:
    assert told_missing(ImportError("cannot import name", name="numpy")) is None, "numpy is there"
    assert told_missing(ModuleNotFoundError("no module", name="nonesuch")) is None
    assert told_missing(ImportError("no name")) is None
