"""Every bad scenario gets its messages: all of them, and no others."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from battlesim.core.errors import InputError
from battlesim.scenario import check_scenario, load_scenario

FOLDER = Path(__file__).parent.parent / "bad_files" / "scenarios"
FILES = sorted(FOLDER.glob("*.yaml"))


def expected(path: Path) -> list[str]:
    lines = path.read_text(encoding="utf-8").splitlines()
    return [line.removeprefix("# expect: ") for line in lines if line.startswith("# expect: ")]


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_bad_scenario(path: Path) -> None:
    wanted = expected(path)
    assert wanted
    errors = [str(fault) for fault in check_scenario(path) if fault.level == "error"]
    for fragment in wanted:
        assert any(fragment in error for error in errors), (fragment, errors)
    assert len(errors) == len(wanted), errors
    if path.stem != "broken-map":  # whose faults are those of the map, in its own file
        assert all(error.startswith(str(path)) for error in errors)
    with pytest.raises(InputError) as raised:
        load_scenario(path)
    assert [str(fault) for fault in raised.value.faults] == errors


def test_there_are_many() -> None:
    assert len(FILES) >= 25


def test_missing_files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(InputError, match="there is no scenario 'stairwel'; did you mean 'stairwell'"):
        load_scenario("stairwel")
    with pytest.raises(InputError, match="there is no such scenario file"):
        load_scenario(tmp_path / "nothing.yaml")
    assert "this is a folder, not a scenario file" in str(check_scenario(tmp_path)[0])
    (tmp_path / "mine").mkdir()
    monkeypatch.chdir(tmp_path)
    with pytest.raises(InputError, match="mine: this is a folder, not a scenario file"):
        load_scenario("mine")
    (tmp_path / "empty.yaml").write_text("")
    assert "the scenario file is empty" in str(check_scenario(tmp_path / "empty.yaml")[0])


def test_a_map_beside_the_file_is_named_by_its_file(tmp_path: Path) -> None:
    scenario = tmp_path / "ford.yaml"
    text = (FOLDER / "unknown-types.yaml").read_text(encoding="utf-8")
    scenario.write_text(re.sub("(?m)^map: .*$", "map: mill", text), encoding="utf-8")
    (tmp_path / "mill.yaml").write_text("name: mill\n", encoding="utf-8")
    with pytest.raises(
        InputError, match=r"there is no map 'mill'; for the file beside this one, write `map: mill.yaml`"
    ):
        load_scenario(scenario)
