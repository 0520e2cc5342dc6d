"""`battlesim bench`: speed and memory as ratios measured in one run. Read `figures`.

The unit, a floor, is a bare SimPy loop: one timeout and thirty `random()` an activation. Games and the loop are measured
alternately in short blocks, the best of many (`costs`), so that a ratio holds even if the machine is slow or busy. Caches are
warm, events are made and hashed, nothing is written.
"""

from __future__ import annotations

import argparse
import random
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from math import inf
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import simpy

from battlesim.cli import bench_field, bench_memory, bench_runs
from battlesim.cli.bench_field import activations_of
from battlesim.cli.common import add_json, print_json, some
from battlesim.cli.extras import check_extra
from battlesim.cli.progress import reporting

if TYPE_CHECKING:
    from battlesim.engine.battle import Battle
    from battlesim.rules.scenario import Scenario

Figure = dict[str, Any]
PLATOONS = {
    "orderdice": "tobacco-factory",
    "squadhex": "tobacco-factory-hex",
    "armorclass": "tobacco-armour",
    "regiment": "tobacco-factory-regiments",
}
"""A scenario of platoon size, ten to twelve units a side, for each rulebook: the same factory under all four."""
FLOOR_BLOCK = 2_000
"""Activations of the bare loop between two games."""
RANDOM_GAMES, RANDOM_ROUNDS = 6, 30
GREEDY_GAMES, GREEDY_ROUNDS = 3, 16
"""Games on a platoon scenario, and how often each is played; a quarter as often with `--quick`."""


def floor(activations: int = 20_000, clock: Callable[[], float] = time.process_time) -> float:
    """Seconds an activation of the bare loop takes."""

    def loop(env: simpy.Environment) -> Iterator[simpy.Event]:
        draw = random.random
        for _ in range(activations):
            yield env.timeout(1)
            for _ in range(30):
                draw()

    env = simpy.Environment()
    env.process(loop(env))  # type: ignore[arg-type]
    begun = clock()
    env.run()
    return (clock() - begun) / activations


class Workload(NamedTuple):
    """Games to be measured: a scenario, the agent that plays both sides, the seeds of the games."""

    scenario: Any
    agent: str
    seeds: Sequence[int]


def costs(
    works: Sequence[Workload], rounds: int, clock: Callable[[], float] = time.process_time
) -> list[float]:
    """Seconds an activation of each work takes; the last number is the floor's.

    Blocks are short (one game, or some milliseconds of the bare loop) and alternate, every game `rounds` times; the best block of
    each game, and of the loop, counts. Other work of the machine lengthens some blocks of either, and so is left out of both;
    only the process's own time is counted.
    """
    from battlesim.engine.game import play

    best = [[inf] * len(work.seeds) for work in works]
    count = [[0] * len(work.seeds) for work in works]
    base = inf
    for _ in range(rounds):
        for which, work in enumerate(works):
            for number, seed in enumerate(work.seeds):
                base = min(base, floor(FLOOR_BLOCK, clock))
                begun = clock()
                game = play(work.scenario, (work.agent, work.agent), seed=seed)
                best[which][number] = min(best[which][number], clock() - begun)
                count[which][number] = activations_of(game.log)
    spent = [sum(one) / sum(activations) for one, activations in zip(best, count, strict=True)]
    return [*spent, base]


def open_field(nodes: int) -> Any:
    """A bare field of about `nodes` nodes, with twelve units a side in its middle: to measure the cost of the size of a map."""
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


def ratio(name: str, scenario: Any, agent: str, games: int, rounds: int, most: float) -> Figure:
    """The cost of an activation, in floors."""
    cost, base = costs([Workload(scenario, agent, range(1000, 1000 + games))], rounds)
    return {
        "name": name,
        "value": round(cost * 1e6, 1),
        "unit": "us an activation",
        "floors": round(cost / base, 1),
        "most": most,
    }


def beside_random(name: str, scenario: Any, agent: str, games: int, rounds: int, most: float) -> Figure:
    """How many times more an activation costs with an agent than with `random`, played in turns."""
    works = [Workload(scenario, one, range(1000, 1000 + games)) for one in ("random", agent)]
    cost, more, _ = costs(works, rounds)
    return {"name": name, "value": round(more / cost, 2), "unit": "times", "most": most}


def growth(name: str, small: Any, large: Any, games: tuple[int, int], rounds: int, most: float) -> Figure:
    """How many times more an activation costs on `large` than on `small`, played in turns."""
    works = [
        Workload(scenario, "random", range(2000, 2000 + few))
        for scenario, few in zip((small, large), games, strict=True)
    ]
    cost, more, _ = costs(works, rounds)
    return {"name": name, "value": round(more / cost, 2), "unit": "times", "most": most}


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
    """How many times as long as a clone of its state a fork of a battle takes: blocks of both alternate, and the best of each
    counts, so that other work of the machine is left out."""
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
    """The cost of a fork compared with a clone, in each rulebook."""
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

    often = (RANDOM_ROUNDS // 4, GREEDY_ROUNDS // 4) if quick else (RANDOM_ROUNDS, GREEDY_ROUNDS)
    yield {"name": "one floor", "value": round(floor() * 1e6, 2), "unit": "us an activation"}
    for ruleset, name in PLATOONS.items():
        platoon = load_scenario(name)
        yield ratio(f"{ruleset}, {name}, random", platoon, "random", RANDOM_GAMES, often[0], 40.0)
        yield ratio(f"{ruleset}, {name}, greedy", platoon, "greedy", GREEDY_GAMES, often[1], 300.0)
        against = f"{ruleset}, {name}, quick against random"
        yield beside_random(against, platoon, "quick", GREEDY_GAMES, often[1], 2.0)
    fields = open_field(100), open_field(2000)
    name = "from a 100-node to a 2,000-node map"
    yield growth(name, *fields, (RANDOM_GAMES, RANDOM_GAMES), often[0], 1.5)
    if not quick:
        small, large = load_scenario("helsinki-platoons"), load_scenario("helsinki-quarter")
        yield growth("from 12 to 100 units a side on one map", small, large, (RANDOM_GAMES, 1), 4, 3.5)
        play(large, ("greedy", "greedy"), seed=0)  # to fill its tables
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
    check_extra("tournament")  # for the figures of runs, which come last
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
