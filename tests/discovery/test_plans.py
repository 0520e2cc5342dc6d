"""Plans stay sound however they are drawn, changed and crossed; a planted one is found; a player keeps to its plan."""

from __future__ import annotations

import json
from html import unescape
from pathlib import Path
from random import Random
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from battlesim.cli.main import main
from battlesim.core.errors import InputError
from battlesim.discovery import search
from battlesim.discovery.contrasts import plan_of
from battlesim.discovery.genome import Genome, SearchSpace
from battlesim.discovery.plans import Plan, changed, crossed, drawn, sound
from battlesim.discovery.run import space_to_search
from battlesim.discovery.search_cma import genome_at, scaled_values
from battlesim.discovery.settings import DiscoverySettings
from battlesim.discovery.tactic import parse_tactic, parse_tactics
from battlesim.engine.roster import find_agent
from tests.discovery.made_up import SPACE as MADE_UP
from tests.discovery.made_up import Planted, atoms, planted

ATOMS = atoms()
SPACE = SearchSpace.of("orderdice").with_plans(ATOMS, 3)
randoms = st.integers(0, 2**32).map(Random)


def is_sound(plan: Plan, most: int) -> bool:
    acts = {(one.act, value) for one in ATOMS for value in one.when}
    return (
        len(plan) <= most
        and len({(one.act, one.when) for one in plan}) == len(plan)
        and all(len(one.when) <= 2 and {(one.act, value) for value in one.when} <= acts for one in plan)
        and all(parse_tactic(str(one)) == one for one in plan)
    )


@pytest.mark.slow
@given(randoms, st.integers(1, 4))
def test_plans_stay_sound(random: Random, most: int) -> None:
    one, other = drawn(ATOMS, random, most), drawn(ATOMS, random, most)
    for _ in range(12):
        one = changed(one, ATOMS, random, most)
        other = changed(other, ATOMS, random, most)
        both = crossed(one, other, random, most)
        assert all(is_sound(plan, most) for plan in (one, other, both))
        assert set(both) <= {*one, *other}


def test_each_kind_of_change_comes_about() -> None:
    plan = parse_tactics("never go:outside when where=upper; always at:inside")
    seen = {changed(plan, ATOMS, Random(number), 3) for number in range(300)}
    assert plan[:1] in seen
    assert plan[1:] in seen
    assert (plan[0].opposite, plan[1]) in seen
    assert any(len(one) == 3 for one in seen)
    narrower = {one[0].when for one in seen if one[1:] == plan[1:] and len(one[0].when) == 2}
    assert narrower
    assert all(("where", "upper") in when for when in narrower)


def test_contradictions_and_repetitions_are_left_out() -> None:
    tactics = parse_tactics("always at:any; never at:any; always at:any; never go:back; always go:goal")
    assert sound(tactics, 2) == parse_tactics("always at:any; never go:back")


@given(randoms)
def test_the_text_of_a_planner_is_read_back_and_is_an_agent(random: Random) -> None:
    genome = SPACE.mutate(SPACE.mutate(SPACE.sample(random), random), random)
    text = SPACE.text(genome)
    assert SPACE.parse(text) == genome
    assert plan_of(text) == genome.plan
    find_agent(text)


def test_stopped_and_gone_on_with_it_finds_the_same_plans() -> None:
    def made(**more: Any) -> search.Search:
        field, space = Planted(3, 0.3), MADE_UP.with_plans(ATOMS, 2)
        return search.Search(space, field, 2, 3000, seed=3, bins=4, **more)

    whole, begun = made(), made()
    whole.run()
    for _ in range(4):
        begun.generation()
    again = made(saved=msgspec.msgpack.decode(msgspec.msgpack.encode(begun.save()), type=search.Saved))
    again.run()
    assert again.progress == whole.progress
    plans = {one.genome.plan for one in whole.archive.elites.values()}
    assert {one.genome.plan for one in again.archive.elites.values()} == plans
    assert any(plans)


def test_without_rules_nobody_gets_a_plan() -> None:
    space = SearchSpace.of("orderdice").with_plans(ATOMS, 0)
    made = [space.mutate(space.sample(Random(n)), Random(n)) for n in range(40)]
    assert not any(genome.plan for genome in made)


def test_a_cloud_of_numbers_keeps_the_plan_that_it_began_with() -> None:
    plan = parse_tactics("never go:back")
    begun = Genome(SPACE.usual.values, plan)
    assert genome_at(SPACE, scaled_values(SPACE, begun), plan).plan == plan


@pytest.mark.parametrize("tactics", ["", "never go", "always fly:high", "never go:back when where=moon"])
def test_a_plan_that_is_none_is_refused(tactics: str) -> None:
    with pytest.raises(InputError):
        SPACE.parse(
            f"tactician,base=doctrine,tactics={tactics}" if tactics else "tactician,base=greedy,tactics=x"
        )


@pytest.mark.slow
def test_a_planted_tactic_is_found_among_a_thousand() -> None:
    near, _ = planted(10, 0.3, games=20_000)
    assert near >= 7


@pytest.mark.slow
def test_what_the_scenarios_offer_is_what_plans_are_made_of() -> None:
    asked = DiscoverySettings(scenarios=("drones",), rules=2)
    space, _ = space_to_search(asked)
    assert space.rules == 2
    assert any(one.act == "go:inside" for one in space.atoms)
    assert all(parse_tactic(str(one)) == one for one in space.atoms), "each can be said"
    assert not any(one.question == "react" for one in space.atoms), "nobody charges a regiment here"
    assert space_to_search(asked)[0].atoms == space.atoms, "the same each time"
    assert space_to_search(asked.model_copy(update={"aim": "win"}))[0].atoms == ()


@pytest.mark.slow
def test_a_search_with_plans_is_the_same_with_any_number_of_workers_and_tells_them(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(search, "GENERATION", 4)
    monkeypatch.setattr(search, "FIRST", 2)
    monkeypatch.chdir(tmp_path)
    words = ["discover", "drones", "--games", "120", "--select", "2", "--confirm", "2", "--best", "1"]
    words += ["--against", "rush", "--quiet", "--rules", "3", "--json"]
    found = []
    for workers in ("1", "2"):
        assert main([*words, "--workers", workers, "--out", f"with-{workers}"]) == 0
        found.append(json.loads(capsys.readouterr().out))
    assert found[0] == found[1]
    planned = [one["agent"] for one in found[0]["found"]["elites"] if one["agent"].startswith("tactician")]
    assert planned
    page = unescape(Path("with-1/discover.html").read_text())
    assert all(rule.words() in page for agent in planned for rule in plan_of(agent))
