"""A rulebook that measures in inches refuses a map in hexes, and the other way round: each says what would do."""

from __future__ import annotations

from pathlib import Path

import pytest

from battlesim import load_scenario
from battlesim.core.errors import InputError
from tests.shipped import SHIPPED, load


@pytest.mark.parametrize("name", ["skirmish", "outpost", "watch-house", "square"])
def test_the_map_must_measure_as_the_rulebook_does(name: str, tmp_path: Path) -> None:
    assert name in SHIPPED
    scenario = load(name)
    other = "square" if scenario.board.unit == "inch" else "village"
    sides = "".join(f"  - {{name: {side}, zones: {{all: {{rect: [0, 0, 9, 9]}}}}}}\n" for side in ("A", "B"))
    kind = scenario.forces[0].type
    forces = "".join(f"  - {{side: {side}, type: {kind}, zone: all}}\n" for side in ("A", "B"))
    file = tmp_path / "wrong.yaml"
    file.write_text(
        f"name: wrong\nruleset: {scenario.ruleset}\nmap: {other}\nturns: 4\nsides:\n{sides}forces:\n{forces}"
        "objectives: []\n",
        encoding="utf-8",
    )
    with pytest.raises(InputError) as raised:
        load_scenario(file)
    wanted = "give a map in inches" if scenario.board.unit == "inch" else "give one with unit hex"
    assert wanted in str(raised.value)
