"""What is asked for: TOML and flags, every fault with its place, line and remedy."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from battlesim.batch.games import ALWAYS
from battlesim.core.errors import InputError
from battlesim.tournament.config import parse_config, read_config
from battlesim.tournament.resolve import TournamentPlan, resolve

GOOD: dict[str, Any] = {"agents": ["greedy", "rush"], "scenarios": ["stairwell"]}


def test_defaults() -> None:
    asked = parse_config(GOOD)
    assert (asked.format, asked.games, asked.control, asked.seed, asked.stop) == (
        "round-robin",
        100,
        None,
        1,
        None,
    )
    assert asked.limits.game_seconds == 600
    assert asked.keep.records == "notable"


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"games": 0}, r"games: 0 is not valid; input should be greater than or equal to 2"),
        ({"games": 7}, r"games: 7 games do not make whole pairs; give 8"),
        ({"gamez": 8}, r"gamez: there is no setting 'gamez'; did you mean 'games'"),
        ({"agents": []}, r"agents: \[\] is not valid"),
        ({"agents": ["rush", "rush"]}, r"agents: 'rush' is named twice; name each once"),
        (
            {"format": "swiss"},
            r"format: 'swiss' is unknown; known: 'round-robin', 'gauntlet', 'ladder', 'match' or 'control'",
        ),
        ({"format": "match", "agents": ["a", "b", "c"]}, r"a match has two agents, not 3"),
        ({"stop": {}}, r"stop: a sequential test compares two agents, and this is a round-robin"),
        ({"format": "match", "stop": {"elo0": 9, "elo1": 3}}, r"stop.elo1: elo0 9 is not below elo1 3"),
        (
            {"format": "match", "stop": {"alpha": 0.7}},
            r"stop.alpha: 0.7 is not valid; input should be less than 0.5",
        ),
        (
            {"format": "match", "stop": {"aplha": 0.1}},
            r"stop.aplha: there is no setting 'aplha'; did you mean 'alpha'",
        ),
        ({"baseline": "rush"}, r"baseline: a round-robin has no baseline"),
        ({"format": "gauntlet", "baseline": "russh"}, r"'russh' is none of the agents; did you mean 'rush'"),
        ({"format": "gauntlet", "agents": ["rush"]}, r"a gauntlet needs an agent to meet the baseline"),
        ({"format": "ladder", "agents": ["rush"]}, r"a ladder needs two rungs"),
        ({"agents": ["rush"], "control": 0}, r"one agent and no control games leave nothing to play"),
        ({"limits": {"megabytes": -1}}, r"limits.megabytes: -1 is not valid"),
        (
            {"limits": {"megabytes": 8}},
            r"limits.megabytes: 8 MB are too few for a worker; give 128 or more, or 0",
        ),
        ({"seed": "x"}, r"seed: 'x' is not valid; give a whole number"),
    ],
)
def test_bad_settings_are_answered(change: dict[str, Any], words: str) -> None:
    with pytest.raises(InputError, match=words):
        parse_config({**GOOD, **change})


def test_a_files_faults_have_lines(tmp_path: Path) -> None:
    file = tmp_path / "t.toml"
    file.write_text('agents = ["greedy"]\nscenarios = ["x"]\ngames = 3\n[limits]\n\nfaults = 0\n')
    with pytest.raises(InputError) as error:
        read_config(file)
    assert f"{file}:6: limits.faults: 0 is not valid" in str(error.value)
    file.write_text("agents = [\n'a'\nb")
    with pytest.raises(InputError, match=r"t.toml:\d: the tournament's file is not TOML"):
        read_config(file)
    with pytest.raises(InputError, match="cannot be read"):
        read_config(tmp_path / "none.toml")


def test_a_file_reads_as_written(tmp_path: Path) -> None:
    file = tmp_path / "t.toml"
    file.write_text(
        'agents = ["greedy", "rush"]\nscenarios = ["stairwell"]\nformat = "match"\n[stop]\nelo1 = 30\n'
    )
    asked, data = read_config(file)
    assert data == file.read_bytes()
    assert asked.stop is not None
    assert (asked.format, asked.stop.elo0, asked.stop.elo1) == ("match", 0.0, 30.0)


# ---- resolving -------------------------------------------------------------------------------------------------------


def test_every_name_is_found_or_told_at_once() -> None:
    asked = parse_config(
        {"agents": ["greedy", "nobody", "rush,bold=3"], "scenarios": ["stairwell", "nowhere"]}
    )
    with pytest.raises(InputError) as error:
        resolve(asked)
    text = str(error.value)
    assert "there is no agent 'nobody'" in text
    assert "agent 'rush,bold=3' has no parameter 'bold'" in text
    assert "there is no scenario 'nowhere'" in text


def test_files_count_from_the_files_folder(tmp_path: Path) -> None:
    (tmp_path / "mine.py").write_text((Path(__file__).parents[1] / "bad_agents" / "illegal.py").read_text())
    asked = parse_config({"agents": ["greedy", "mine.py"], "scenarios": ["stairwell"]})
    found = resolve(asked, tmp_path)
    assert [agent.name for agent in found.agents] == ["greedy", "mine.py"]
    assert found.agents[1].load == str(tmp_path / "mine.py")
    with pytest.raises(InputError, match="no such agent file"):
        resolve(asked, tmp_path / "elsewhere")


def test_two_agents_of_one_name_are_refused(tmp_path: Path) -> None:
    for folder in ("a", "b"):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "mine.py").write_text(
            (Path(__file__).parents[1] / "bad_agents" / "illegal.py").read_text()
        )
    asked = parse_config({"agents": ["a/mine.py", "b/mine.py"], "scenarios": ["stairwell"]})
    with pytest.raises(InputError, match=r"two agents are called 'mine.py'"):
        resolve(asked, tmp_path)


def test_the_identity_is_of_what_bears_on_results() -> None:
    base = resolve(parse_config(GOOD)).identity
    same = [{"name": "other"}, {"keep": {"records": "all"}}, {"trust": {"bias": 0.9}}]
    other = [
        {"games": 98},
        {"seed": 2},
        {"control": 3},
        {"agents": ["rush", "greedy"]},
        {"limits": {"faults": 3}},
    ]
    assert all(resolve(parse_config({**GOOD, **change})).identity == base for change in same)
    assert (
        len({resolve(parse_config({**GOOD, **change})).identity for change in other} | {base})
        == len(other) + 1
    )


def test_a_sequential_test_cannot_be_parted() -> None:
    asked = parse_config({**GOOD, "format": "match", "stop": {}})
    with pytest.raises(InputError, match="a sequential test needs all pairs in order"):
        resolve(asked, part=(1, 2))
    with pytest.raises(InputError, match="there is no part 3 of 2"):
        resolve(parse_config(GOOD), part=(3, 2))


# ---- the schedule ----------------------------------------------------------------------------------------------------


def plan(part: tuple[int, int] = (1, 1), **change: Any) -> TournamentPlan:
    value = {
        "agents": ["greedy", "rush", "random"],
        "scenarios": ["stairwell", "skirmish"],
        "games": 10,
        **change,
    }
    return TournamentPlan(resolve(parse_config(value), part=part))


def sampled(part: tuple[int, int], sample: int) -> set[int]:
    """The numbers of the games of a run whose records it keeps."""
    keep = {"records": "sample", "sample": sample}
    two = plan(part, agents=["greedy", "rush"], games=400, control=0, keep=keep)
    return {spec.number for spec in two.specs() if spec.record == ALWAYS}


def test_a_sample_of_records_is_of_all_that_is_played() -> None:
    two = plan(agents=["greedy", "rush"], games=400, control=0)
    found = [spec for spec in two.specs() if spec.number in sampled((1, 1), 20)]
    assert len(found) == pytest.approx(20, abs=4)
    kinds = {(spec.scenario.name, spec.leg) for spec in found}
    assert kinds == {(spec.scenario.name, spec.leg) for spec in two.specs()}


@pytest.mark.parametrize("of", [2, 3, 4])
def test_parts_keep_the_records_that_the_whole_run_would(of: int) -> None:
    parts = [sampled((part, of), 80) for part in range(1, of + 1)]
    assert set.union(*parts) == sampled((1, 1), 80)
    assert all(len(part) == pytest.approx(80 / of, abs=6) for part in parts)


@pytest.mark.parametrize("part", [(1, 1), (3, 4)])
def test_a_sample_larger_than_the_run_is_all_of_it(part: tuple[int, int]) -> None:
    few = plan(part, games=10, keep={"records": "sample", "sample": 1000})
    assert all(spec.record == ALWAYS for spec in few.specs())


def test_every_pairing_meets_on_every_scenario_and_everybody_himself() -> None:
    units = list(plan().encounters())
    count: dict[tuple[str, str, str], int] = {}
    for unit in units:
        key = (unit.scenario, unit.a, unit.b)
        count[key] = count.get(key, 0) + unit.games
    pairs = {
        (s, a, b)
        for s in ("stairwell", "skirmish")
        for a, b in (("greedy", "rush"), ("greedy", "random"), ("rush", "random"))
    }
    controls = {(s, a, a) for s in ("stairwell", "skirmish") for a in ("greedy", "rush", "random")}
    assert count == {**dict.fromkeys(pairs, 10), **dict.fromkeys(controls, 5)}
    numbers = [unit.first + leg for unit in units for leg in range(unit.games)]
    assert numbers == list(range(plan().games)), "numbered without gaps, in order"
    assert len({unit.seed for unit in units}) == len(units)


def test_sides_swap_and_seeds_do_not() -> None:
    made = plan()
    unit = next(made.encounters())
    first, second = made.game(unit, 0), made.game(unit, 1)
    assert [agent.name for agent in first.agents] == ["greedy", "rush"]
    assert [agent.name for agent in second.agents] == ["rush", "greedy"]
    assert first.seed == second.seed


def test_seeds_are_the_pairs_own() -> None:
    """Neither the company nor the order nor the part changes what dice a pair has."""

    def seeds(made: TournamentPlan) -> dict[tuple[str, frozenset[str], int], int]:
        return {
            (unit.scenario, frozenset((unit.a, unit.b)), unit.round): unit.seed for unit in made.encounters()
        }

    all_three = seeds(plan())
    two = seeds(plan(agents=["random", "greedy"], games=6))
    assert two.items() <= all_three.items()
    parts = {**seeds(plan(part=(1, 2))), **seeds(plan(part=(2, 2)))}
    assert parts == all_three
    assert not set(seeds(plan(seed=2)).values()) & set(all_three.values())


def test_a_gauntlet_meets_its_baseline() -> None:
    made = plan(format="gauntlet", baseline="rush")
    assert {(unit.a, unit.b) for unit in made.encounters() if unit.games == 2} == {
        ("greedy", "rush"),
        ("random", "rush"),
    }


def test_on_a_ladder_each_meets_the_next() -> None:
    made = plan(format="ladder", agents=["random", "rush", "greedy", "planner"])
    assert {(unit.a, unit.b) for unit in made.encounters() if unit.games == 2} == {
        ("random", "rush"),
        ("rush", "greedy"),
        ("greedy", "planner"),
    }


def test_controls_are_spread_over_the_rounds() -> None:
    rounds = list(plan(control=2, scenarios=["stairwell"], agents=["greedy", "rush"]).encounters())
    places = [place for place, unit in enumerate(rounds) if unit.games == 1]
    assert len(places) == 4
    assert places[0] < len(rounds) / 2 < places[-1]


def test_one_agent_alone_plays_its_control_games() -> None:
    made = plan(agents=["rush"], scenarios=["stairwell"])
    assert [unit.games for unit in made.encounters()] == [1] * 5
    assert made.games == 5
