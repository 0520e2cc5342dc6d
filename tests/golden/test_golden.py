"""Golden records: a finished battle for each way a battle can end, played again to the byte.

Where a rule was changed on purpose: `python -m tests.golden.make`, and look at what moved.
"""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from battlesim.core.codec import position
from battlesim.engine.record import Record, read_record
from battlesim.engine.replay import replay
from battlesim.engine.source import code
from battlesim.engine.verify import verify
from battlesim.rules import victory
from battlesim.viewer.story import tell_record
from tests.golden.made import CASES, RECORDS, of_record, path_of, scenario_of, without_code

AGAIN = "python -m tests.golden.make, where a rule was changed on purpose"


@pytest.fixture(params=CASES)
def name(request: pytest.FixtureRequest) -> str:
    return str(request.param)


def record(name: str) -> Record:
    return read_record(path_of(name))


def test_there_is_a_record_for_each_way_to_end_and_no_other() -> None:
    assert sorted(path.stem for path in RECORDS.iterdir()) == sorted(CASES)
    ends = {(record(name).outcome.termination, record(name).outcome.winner is None) for name in CASES}
    words = {victory.LENGTH, "massacre", victory.ANNIHILATION, victory.EXIT, "forfeit"}
    assert ends == {*((word, False) for word in words), (victory.LENGTH, True), (victory.ANNIHILATION, True)}
    assert all(path.stat().st_size < 50_000 for path in RECORDS.iterdir())


def test_it_ends_as_its_name_says(name: str) -> None:
    assert CASES[name].ends(of_record(record(name)))


def test_played_again_it_is_the_same_bytes(name: str) -> None:
    old = record(name)
    game = CASES[name].play(old.header.seeds.battle)
    assert without_code(game.record()) == without_code(path_of(name).read_bytes()), AGAIN
    assert position(game.state) == position(list(replay(old))[-1])


def test_it_stands_under_the_rules(name: str) -> None:
    old, case = record(name), CASES[name]
    scenario = scenario_of(case.scenario)
    for agents in (False, True):
        verdict = verify(old, agents, scenario, case.agents)
        assert verdict.same, f"{verdict}; {AGAIN}"
        assert bool(verdict.notes) == (old.header.code != code())


def test_its_story_can_be_told(name: str) -> None:
    assert len(list(tell_record(record(name)))) > 3


SCRIPT = """
import sys
from battlesim.engine.record import read_record
from battlesim.engine.replay import replay
for path in sys.argv[1:]:
    *_, last = replay(read_record(path))
    print(last.outcome.termination, last.outcome.winner, *last.outcome.points)
print([name for name in sys.modules if name.startswith(("battlesim.rule", "battlesim.board", "battlesim.scenario"))])
"""


def test_they_replay_without_rules_board_or_dice() -> None:
    paths = [str(path_of(name)) for name in CASES]
    root = Path(__file__).parents[2]
    ran = subprocess.run([sys.executable, "-c", SCRIPT, *paths], cwd=root, capture_output=True, check=True)
    *told, loaded = ran.stdout.decode().splitlines()
    outcomes = [record(name).outcome for name in CASES]
    assert told == [f"{o.termination} {o.winner} {o.points[0]} {o.points[1]}" for o in outcomes]
    assert loaded == "[]"
