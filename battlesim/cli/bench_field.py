"""Battles of any size for `battlesim bench`: a front with a street of houses, as long as the units require. Read `front`.

The forces of each rulebook have the same density at every size, so that the surroundings of an activation are the same and only
the number of units differs. `figures` plays 1,000 units a side, each battle in a process of its own.
"""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from battlesim.cli.bench_memory import most_memory
from battlesim.core.events import Asked, Event, Taken

Figure = dict[str, Any]

ROWS, DEPTH, PITCH = 28, 10, 3
"""Rows of nodes from one map edge to the other, of each side's zone, and inches between nodes."""
ABREAST = {"squadhex": 10}
"""Units of a side for each column of nodes, 5 by default: a side is on half of the nodes of its zone; on hexes, two to a hex."""
FORCES: dict[str, tuple[tuple[str, int], ...]] = {
    "orderdice": (("small_rifle_section", 14), ("mmg_team", 3), ("officer", 2), ("medium_tank", 1)),
    "squadhex": (("rifle_squad", 14), ("machine_gun_team", 3), ("officer_squad", 2), ("medium_tank", 1)),
    "armorclass": (("rifle_team", 14), ("gun_team", 3), ("hunter_team", 2), ("assault_team", 1)),
    "regiment": (("spearmen", 10), ("swordsmen", 4), ("archers", 4), ("light_horse", 2)),
}
"""For each rulebook, types of unit and their number in every twenty."""
SIDES = (("South", 0), ("North", ROWS - DEPTH))


def front(ruleset: str, units: int, turns: int = 2) -> Any:
    """A scenario with `units` units a side, a multiple of twenty: two lines of ten rows of nodes, and between them eight rows
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


# ---- figures ---------------------------------------------------------------------------------------------------------

LARGE, SMALL = 1000, 40
"""Units a side of the large battles, and of the small ones whose records theirs are compared with."""
_PLAYER = """
import json, sys
from battlesim.cli.bench_field import play_front
print(json.dumps(play_front(sys.argv[1], int(sys.argv[2]), sys.argv[3])))
"""


def figures(quick: bool = False) -> Iterator[Figure]:
    """For each rulebook, a turn of 1,000 units a side: the cost of an activation, the memory of the process, and how many times
    larger the record of an activation is than with 40 units a side. `quick`: 200 a side, `random` alone."""
    units = LARGE // 5 if quick else LARGE
    for ruleset in FORCES:
        small = _fresh(ruleset, SMALL, "random")
        for agent in ("random",) if quick else ("random", "greedy"):
            large = _fresh(ruleset, units, agent)
            name = f"{ruleset}, {units:,} a side, {agent}"
            yield {"name": name, "value": round(large["us"], 0), "unit": "us each activation"}
            yield {"name": f"{name}: memory", "value": round(large["MB"], 1), "unit": "MB", "most": 500.0}
            if agent == "random":
                more = round(large["bytes"] / small["bytes"], 2)
                name = f"{ruleset}, record an activation, {units:,} over {SMALL} a side"
                yield {"name": name, "value": more, "unit": "times", "most": 1.1}


def _fresh(ruleset: str, units: int, agent: str) -> dict[str, float]:
    words = [sys.executable, "-c", _PLAYER, ruleset, str(units), agent]
    found: dict[str, float] = json.loads(
        subprocess.run(words, capture_output=True, text=True, check=True).stdout
    )
    return found


def activations_of(log: Sequence[Event]) -> int:
    """Activations of a battle: entries of the agenda that led to a question, under any name in the rulebook."""
    count = 0
    waiting = False
    for event in log:
        if isinstance(event, Taken):
            waiting = True
        elif waiting and isinstance(event, Asked):
            count += 1
            waiting = False
    return count


def play_front(ruleset: str, units: int, agent: str, turns: int = 1) -> dict[str, float]:
    """Play one turn of a front: microseconds (of processor time) and record bytes an activation, and the peak memory of this
    process in megabytes."""
    import time

    from battlesim.engine.game import play
    from battlesim.engine.record import event_lines

    scenario = front(ruleset, units, turns)
    begun = time.process_time()
    game = play(scenario, (agent, agent), seed=1)
    spent = time.process_time() - begun
    count = activations_of(game.log)
    return {
        "us": spent * 1e6 / count,
        "bytes": sum(len(line) + 1 for line in event_lines(game.log)) / count,
        "MB": most_memory(),
        "activations": count,
    }
