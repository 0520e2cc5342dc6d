"""Battles of any size for `battlesim bench`: a front with a street of houses, as long as there are units. Read `front`.

The forces of each rulebook stand as densely at every size, so that what one activation meets is the same and only the number
of units differs.
"""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import Any

ROWS, DEPTH, PITCH = 28, 10, 3
"""Rows of nodes from one map edge to the other, of each side's zone, and inches between nodes."""
ABREAST = {"squadhex": 10}
"""Units of a side to a column of nodes, 5 unless stated: a side stands on half of the nodes of its zone, on hexes two to
a hex."""
FORCES: dict[str, tuple[tuple[str, int], ...]] = {
    "orderdice": (("small_rifle_section", 14), ("mmg_team", 3), ("officer", 2), ("medium_tank", 1)),
    "squadhex": (("rifle_squad", 14), ("machine_gun_team", 3), ("officer_squad", 2), ("medium_tank", 1)),
    "armorclass": (("rifle_team", 14), ("gun_team", 3), ("hunter_team", 2), ("assault_team", 1)),
    "regiment": (("spearmen", 10), ("swordsmen", 4), ("archers", 4), ("light_horse", 2)),
}
"""For each rulebook, types of unit and how many of every twenty they are."""
SIDES = (("South", 0), ("North", ROWS - DEPTH))


def front(ruleset: str, units: int, turns: int = 2) -> Any:
    """A scenario with so many units a side, a multiple of twenty: two lines of ten rows of nodes, and between them eight rows
    with a house of two floors for every ten columns. A side that holds more houses wins."""
    from battlesim.scenario.load import load_scenario

    name = f"front-{ruleset}-{units}"
    with tempfile.TemporaryDirectory() as folder:
        Path(folder, f"{name}-map.yaml").write_text(_map(ruleset, units, f"{name}-map"), encoding="utf-8")
        file = Path(folder, f"{name}.yaml")
        file.write_text(_scenario(ruleset, units, turns, name), encoding="utf-8")
        return load_scenario(file)


def _columns(ruleset: str, units: int) -> int:
    return max(10, units // ABREAST.get(ruleset, 5))


def _map(ruleset: str, units: int, name: str) -> str:
    columns = _columns(ruleset, units)
    if ruleset == "squadhex":
        size, ground = f"[{columns}, {ROWS}]", "unit: hex\nground: {kind: hex}"
    else:
        size = f"[{columns * PITCH}, {ROWS * PITCH}]"
        ground = f"unit: inch\nground: {{kind: lattice, pitch: {PITCH}}}"
    houses = "".join(f"  - {_house(ruleset, column)}\n" for column in range(4, columns - 2, 10))
    return f"name: {name}\nsize: {size}\n{ground}\nbuildings:\n{houses}"


def _house(ruleset: str, column: int) -> str:
    """A house of stone in the middle row, two nodes wide or one hex."""
    name, middle = f"house-{column}", ROWS // 2
    windows = "{kind: window, floors: all, side: all, count: 1}"
    if ruleset == "squadhex":
        sections = f"[{{name: whole, hex: [{column}, {middle}], floors: 2}}]"
        return f"{{name: {name}, material: stone, openings: [{windows}], sections: {sections}}}"
    west, south = column * PITCH, (middle - 1) * PITCH
    rect = f"[{west}, {south}, {west + 2 * PITCH}, {south + 2 * PITCH}]"
    door = "{kind: door, side: all, count: 1}"
    return f"{{name: {name}, material: stone, rect: {rect}, floors: 2, openings: [{door}, {windows}]}}"


def _scenario(ruleset: str, units: int, turns: int, name: str) -> str:
    columns, step = _columns(ruleset, units), 1 if ruleset == "squadhex" else PITCH
    west, east = -step, (columns + 1) * step
    sides = "".join(
        f"  - {{name: {side}, zones: {{line: {{rect: [{west}, {row * step}, {east}, {(row + DEPTH) * step}]}}}}}}\n"
        for side, row in SIDES
    )
    forces = "".join(
        f"  - {{side: {side}, type: {kind}, count: {units * share // 20}, zone: line}}\n"
        for side, _ in SIDES
        for kind, share in FORCES[ruleset]
    )
    goals = "".join(
        f"  - {{kind: hold, buildings: [house-{column}]}}\n" for column in range(4, columns - 2, 10)
    )
    return (
        f"name: {name}\nruleset: {ruleset}\nmap: {name}-map.yaml\nturns: {turns}\nsides:\n{sides}"
        f"forces:\n{forces}objectives:\n{goals}"
    )
