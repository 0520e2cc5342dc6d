"""Every bad map gets its messages: all of them, and no others."""

from __future__ import annotations

from pathlib import Path

import pytest

from battlesim.board.check import check_map
from battlesim.board.load import load_map
from battlesim.core.errors import InputError

FOLDER = Path(__file__).parent.parent / "bad_files" / "maps"
NO_COMMENTS = {"empty.yaml": ["empty.yaml: the map file is empty; write a map into it"]}


def expected(path: Path) -> list[str]:
    if path.name in NO_COMMENTS:
        return NO_COMMENTS[path.name]
    lines = path.read_bytes().decode("latin-1").splitlines()
    return [line.removeprefix("# expect: ") for line in lines if line.startswith("# expect: ")]


@pytest.mark.parametrize("path", sorted(FOLDER.glob("*.yaml")), ids=lambda path: path.stem)
def test_bad_map(path: Path) -> None:
    wanted = expected(path)
    assert wanted
    errors = [str(fault) for fault in check_map(path) if fault.level == "error"]
    for fragment in wanted:
        assert any(fragment in error for error in errors), (fragment, errors)
    if path.stem not in {
        "bomb",
        "alias",
        "tag",
        "deep",
        "deep-enough",
    }:  # what is refused there leaves other keys wanting
        assert len(errors) == len(wanted), errors
    assert all(error.startswith(str(path)) for error in errors)
    with pytest.raises(InputError) as raised:
        load_map(path)
    assert [str(fault) for fault in raised.value.faults] == errors


def test_there_are_many() -> None:
    assert len(list(FOLDER.glob("*.yaml"))) >= 35


def test_missing_files(tmp_path: Path) -> None:
    (tmp_path / "factory.yaml").write_text("")
    assert "did you mean 'factory.yaml'?" in str(check_map(tmp_path / "factoy.yaml")[0])
    assert "there is no such map file" in str(check_map(tmp_path / "zzz.yaml")[0])
    assert "there is no folder" in str(check_map(tmp_path / "nowhere" / "a.yaml")[0])
    assert "this is a folder" in str(check_map(tmp_path)[0])
    with pytest.raises(InputError, match="there is no map 'stairwel'; did you mean 'stairwell'"):
        load_map("stairwel")
