"""`battlesim bench`: speed and memory as ratios measured in one run. Read `figures`.

One floor is a bare SimPy loop: one timeout and thirty `random()` an activation. It is measured before and after every figure, on
the same machine in the same minute, so that a ratio holds where the machine is slow or busy. Caches are warm, events are
made and hashed, nothing is written.
"""

from __future__ import annotations

import argparse
import random
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from math import inf
from pathlib import Path
from typing import TYPE_CHECKING, Any

import simpy

from battlesim.cli import bench_field, bench_memory, bench_runs
from battlesim.cli.bench_field import activations_of
from battlesim.cli.common import add_json, print_json, some
from battlesim.cli.progress import reporting

if TYPE_CHECKING:
    from battlesim.engine.battle import Battle
    from battlesim.rules.forces import Scenario

Figure = dict[str, Any]
PLATOONS = {
    "orderdice": "tobacco-factory",
    "squadhex": "tobacco-factory-hex",
    "armorclass": "tobacco-armour",
    "regiment": "tobacco-factory-regiments",
}
"""A scenario of platoon size, ten to twelve units a side, for each rulebook: the same factory under all four."""
WARM, COUNTED = 20, 30
"""Games to warm the caches with, and games that count, on a platoon scenario."""


def floor(activations: int = 20_000) -> float:
    """Seconds an activation of the bare loop takes."""

    def loop(env: simpy.Environment) -> Iterator[simpy.Event]:
        draw = random.random
        for _ in range(activations):
            yield env.timeout(1)
            for _ in range(30):
                draw()

    env = simpy.Environment()
    env.process(loop(env))  # type: ignore[arg-type]
    begun = time.perf_counter()
    env.run()
    return (time.perf_counter() - begun) / activations


def per_activation(scenario: Any, agent: str, games: int, first: int = 1000) -> tuple[float, float]:
    """Seconds an activation takes in whole games of an agent against itself, and the floor measured beside it (the mean of
    before and after)."""
    from battlesim.engine.game import play

    before = floor()
    spent = 0.0
    activations = 0
    for seed in range(first, first + games):
        begun = time.perf_counter()
        game = play(scenario, (agent, agent), seed=seed)
        spent += time.perf_counter() - begun
        activations += activations_of(game.log)
    return spent / activations, (before + floor()) / 2


def warm(scenario: Any, agent: str, games: int) -> None:
    """Fill the tables."""
    from battlesim.engine.game import play

    for seed in range(games):
        play(scenario, (agent, agent), seed=seed)


def open_field(nodes: int) -> Any:
    """A bare field of about so many nodes, and twelve units a side in its middle: for what the size of a map costs."""
    from battlesim.scenario.load import load_scenario

    side = max(10, round(nodes**0.5))
    size = side * 3
    middle = size // 2
    south = f"[{middle - 15}, {middle - 15}, {middle + 15}, {middle - 6}]"
    north = f"[{middle - 15}, {middle + 6}, {middle + 15}, {middle + 15}]"
    forces = "".join(
        f"  - {{side: {name}, type: {kind}, count: {count}, zone: {zone}}}\n"
        for name, zone in (("South", "south"), ("North", "north"))
        for kind, count in (("small_rifle_section", 8), ("mmg_team", 2), ("officer", 2))
    )
    ground = f"name: field-{side}\nunit: inch\nsize: [{size}, {size}]\nground: {{kind: lattice, pitch: 3}}\n"
    text = (
        f"name: field-{side}\nruleset: orderdice\nmap: field-{side}-map.yaml\nturns: 6\nsides:\n"
        f"  - {{name: South, zones: {{south: {{rect: {south}}}}}}}\n"
        f"  - {{name: North, zones: {{north: {{rect: {north}}}}}}}\n"
        f"forces:\n{forces}objectives:\n"
        f"  - {{kind: hold, name: the middle, places: [g{side // 2}.{side // 2}], points: 1}}\n"
    )
    with tempfile.TemporaryDirectory() as folder:
        Path(folder, f"field-{side}-map.yaml").write_text(ground, encoding="utf-8")
        file = Path(folder, f"field-{side}.yaml")
        file.write_text(text, encoding="utf-8")
        return load_scenario(file)


def ratio(name: str, scenario: Any, agent: str, games: int, most: float, warm_games: int = WARM) -> Figure:
    """Floors an activation costs, the median of three runs."""
    warm(scenario, agent, warm_games)
    runs = [per_activation(scenario, agent, max(1, games // 3), 1000 + 100 * i) for i in range(3)]
    floors = statistics.median(cost / base for cost, base in runs)
    micro = statistics.median(cost for cost, _ in runs) * 1e6
    return {
        "name": name,
        "value": round(micro, 1),
        "unit": "us an activation",
        "floors": round(floors, 1),
        "most": most,
    }


def growth(name: str, small: Any, large: Any, games: tuple[int, int], most: float) -> Figure:
    """How many times more an activation costs on `large` than on `small`, each in its floors, played in turns."""
    warm(small, "random", WARM)
    warm(large, "random", WARM)
    ratios = []
    for i in range(3):
        cost, base = per_activation(small, "random", games[0], 2000 + 100 * i)
        more, base2 = per_activation(large, "random", games[1], 2000 + 100 * i)
        ratios.append((more / base2) / (cost / base))
    return {"name": name, "value": round(statistics.median(ratios), 2), "unit": "times", "most": most}


def clone_cost() -> Figure:
    """Microseconds to clone a state of 24 units."""
    from battlesim.scenario.load import first_state, load_scenario

    scenario = load_scenario("tobacco-factory")
    state = first_state(scenario, 1)
    loops = 20_000
    base = floor()
    runs = []
    for _ in range(5):
        begun = time.perf_counter()
        for _ in range(loops):
            state.clone()
        runs.append((time.perf_counter() - begun) / loops)
    cost = statistics.median(runs)
    return {
        "name": f"clone of a state of {len(state.units)} units",
        "value": round(cost * 1e6, 2),
        "unit": "us",
        "floors": round(cost / base, 2),
        "most": 2.0,
    }


def clones_a_fork(battle: Battle, blocks: int = 60, loops: int = 400) -> float:
    """How many times as long as a clone of its state a fork of a battle takes: blocks of both by turns, and of each the best,
    so that nothing else that the machine does is counted."""
    kinds: tuple[Callable[[], object], ...] = (battle.state.clone, battle.fork)
    best = [inf, inf]
    for _ in range(blocks):
        for number, made in enumerate(kinds):
            begun = time.perf_counter()
            for _ in range(loops):
                made()
            best[number] = min(best[number], time.perf_counter() - begun)
    return best[1] / best[0]


def halfway(scenario: Scenario, questions: int = 150) -> Battle:
    """A battle of a scenario at its middle or so, as `random` would play it."""
    from battlesim.core.dice import KeyedDice
    from battlesim.engine.battle import Battle
    from battlesim.rulesets.finder import find_ruleset
    from battlesim.scenario.load import first_state

    battle = Battle(find_ruleset(scenario.ruleset), scenario.board, first_state(scenario, 1), KeyedDice(1))
    draw = random.Random(1)
    for _ in range(questions):
        if battle.question is not None:
            battle.answer(draw.choice(battle.question.answers))
    return battle


def fork_costs() -> Iterator[Figure]:
    """What a fork costs beside a clone, in each rulebook."""
    from battlesim.scenario.load import load_scenario

    for ruleset, name in PLATOONS.items():
        value = clones_a_fork(halfway(load_scenario(name)))
        yield {
            "name": f"fork of a battle, {ruleset}",
            "value": round(value, 1),
            "unit": "clones",
            "most": 5.0,
        }


_FIRST_QUESTION = """
import resource, sys, time
begun = time.perf_counter()
from battlesim import Battle, find_ruleset, first_state, load_scenario
from battlesim.core.dice import KeyedDice
scenario = load_scenario(sys.argv[1])
battle = Battle(find_ruleset(scenario.ruleset), scenario.board, first_state(scenario, 1), KeyedDice(1))
assert battle.question is not None
print(time.perf_counter() - begun)
from battlesim import play
if len(sys.argv) > 2:
    play(scenario, (sys.argv[2], sys.argv[2]), seed=1)
try:  # what this program has used at most; getrusage counts in what the process was forked from
    status = open("/proc/self/status").read()
    print(int(status.split("VmHWM:")[1].split()[0]) / 1024)
except OSError:
    print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024)
"""


def cold_start() -> list[Figure]:
    """A fresh process: seconds to the first question on the largest map, and its memory after a whole game of `greedy`."""
    runs = [_fresh("helsinki-quarter") for _ in range(3)]
    memory = _fresh("helsinki-quarter", "greedy")[1]
    return [
        {
            "name": "first question on the Helsinki quarter, cold",
            "value": round(statistics.median(run[0] for run in runs), 2),
            "unit": "s",
            "most": 2.0,
        },
        {"name": "memory of a battle there", "value": round(memory, 1), "unit": "MB", "most": 150.0},
    ]


def _fresh(*args: str) -> tuple[float, float]:
    done = subprocess.run(
        [sys.executable, "-c", _FIRST_QUESTION, *args], capture_output=True, text=True, check=True
    )
    seconds, memory = done.stdout.split()
    return float(seconds), float(memory)


def help_time() -> Figure:
    """Seconds that `battlesim --help` takes, against a bare Python start."""

    def run(*command: str) -> float:
        begun = time.perf_counter()
        subprocess.run([sys.executable, *command], capture_output=True, check=True)
        return time.perf_counter() - begun

    pairs = [(run("-m", "battlesim", "--help"), run("-c", "pass")) for _ in range(7)]
    return {
        "name": "battlesim --help",
        "value": round(statistics.median(p[0] for p in pairs), 3),
        "unit": "s",
        "python_starts": round(statistics.median(p[0] / p[1] for p in pairs), 1),
        "most": 0.25,
    }


def figures(quick: bool = False) -> Iterator[Figure]:
    """Every figure, one by one. `quick` plays fewer games and leaves out the largest battle."""
    from battlesim.engine.game import play
    from battlesim.scenario.load import load_scenario

    few = COUNTED // 5 if quick else COUNTED
    yield {"name": "one floor", "value": round(floor() * 1e6, 2), "unit": "us an activation"}
    for ruleset, name in PLATOONS.items():
        platoon = load_scenario(name)
        yield ratio(f"{ruleset}, {name}, random", platoon, "random", few, 40.0)
        games, warmed = max(3, few // 3), 3 if quick else WARM
        yield ratio(f"{ruleset}, {name}, greedy", platoon, "greedy", games, 300.0, warmed)
    yield growth("from a 100-node to a 2,000-node map", open_field(100), open_field(2000), (few, few), 1.5)
    if not quick:
        small, large = load_scenario("helsinki-platoons"), load_scenario("helsinki-quarter")
        yield growth("from 12 to 100 units a side on one map", small, large, (15, 2), 3.5)
        warm(large, "greedy", 1)
        runs = []
        for seed in range(3):
            begun = time.perf_counter()
            play(large, ("greedy", "greedy"), seed=100 + seed)
            runs.append(time.perf_counter() - begun)
        median = statistics.median(runs)
        yield {
            "name": "100 a side, greedy, one game",
            "value": round(median, 1),
            "unit": "s",
            "most": 15.0,
        }
        yield from cold_start()
    yield from bench_field.figures(quick)
    yield clone_cost()
    yield from fork_costs()
    yield help_time()
    yield from bench_runs.figures(quick)
    if not quick:
        yield from bench_memory.figures()


def add(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--quick", action="store_true", help="fewer games, without the largest battle")
    add_json(parser)


def run(args: argparse.Namespace) -> int:
    found: list[Figure] = []
    try:
        with reporting(
            lambda: f"bench: {some(len(found), 'figure')} so far, the next is being measured", always=True
        ):
            _measure(args, found)
    except KeyboardInterrupt:
        if args.json:
            print_json({figure["name"]: figure for figure in found})
        raise
    if args.json:
        print_json({figure["name"]: figure for figure in found})
    return 0


def _measure(args: argparse.Namespace, found: list[Figure]) -> None:
    for figure in figures(args.quick):
        found.append(figure)
        if args.json:
            continue
        held = figure.get("floors", figure["value"]) if "activation" in figure["unit"] else figure["value"]
        verdict = ""
        if (most := figure.get("most")) is not None:
            verdict = f"  (at most {most:g}: {'yes' if held <= most else 'NO'})"
        elif (least := figure.get("least")) is not None:
            verdict = f"  (at least {least:g}: {'yes' if held >= least else 'NO'})"
        floors = f"  {figure['floors']:g} floors" if "floors" in figure else ""
        print(f"{figure['name']:<52} {figure['value']:>9g} {figure['unit']}{floors}{verdict}", flush=True)
