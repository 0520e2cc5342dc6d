"""Law 7: what an agent is handed are values. Nothing that can be reached from them leads to what its side may not know.

The walk follows fields, items, attributes, closures, defaults and bound objects of all an agent gets: the board, its chance, a
view, a question and its answers. It stops at modules, classes and the globals of functions, which belong to the process: what
play within one process cannot prevent is said in docs/agents.md.
"""

from __future__ import annotations

import types
from collections.abc import Iterator
from typing import Any

import msgspec
import pytest

from battlesim import Battle, find_ruleset, first_state, load_scenario, play
from battlesim.core.dice import KeyedDice, derive_seed
from battlesim.core.events import Event
from battlesim.core.frozen import FrozenDict
from battlesim.core.state import State, Unit
from battlesim.core.view import View
from battlesim.engine.agent import Chance
from battlesim.engine.clock import Clock
from battlesim.engine.game import seeds_of
from battlesim.engine.header import Header
from battlesim.engine.record import Recorder
from battlesim.engine.referee import Referee
from battlesim.rules.resolution import Resolution
from tests.shipped import FIFTH

SCENARIOS = ("stairwell", "ridge-in-rain", "breakthrough", "border-keep", "helsinki-platoons", FIFTH)
"""At least one of each rulebook, with reserves and hidden units among them."""
NEVER = (Battle, Resolution, State, Clock, KeyedDice, Referee, Recorder, Header)
PLAIN = (int, float, str, bytes, bool, type(None), type, types.ModuleType, types.BuiltinFunctionType)


def parts(thing: Any) -> Iterator[Any]:
    """What one object leads to."""
    if isinstance(thing, dict):
        yield from thing.keys()
        yield from thing.values()
    elif isinstance(thing, list | tuple | set | frozenset | types.MappingProxyType):
        yield from thing
    elif isinstance(thing, types.MethodType):
        yield thing.__self__
        yield thing.__func__
    elif isinstance(thing, types.FunctionType):
        yield from thing.__defaults__ or ()
        yield from (thing.__kwdefaults__ or {}).values()
        for cell in thing.__closure__ or ():
            yield cell.cell_contents
        yield getattr(thing, "__wrapped__", None)
    elif isinstance(thing, types.GeneratorType):
        yield from thing.gi_frame.f_locals.values() if thing.gi_frame else ()
    else:
        for kind in type(thing).__mro__:
            slots = vars(kind).get("__slots__", ())
            for name in (slots,) if isinstance(slots, str) else slots:
                yield getattr(thing, name, None)
        for name in getattr(type(thing), "__struct_fields__", ()):
            yield getattr(thing, name)
        yield from getattr(thing, "__dict__", {}).values()


def reachable(*roots: Any) -> dict[int, Any]:
    """Everything that can be reached, by identity."""
    found: dict[int, Any] = {}
    todo = list(roots)
    while todo:
        thing = todo.pop()
        if id(thing) not in found:
            found[id(thing)] = thing
            if not isinstance(thing, PLAIN):
                todo.extend(parts(thing))
    return found


def is_mutable(thing: Any) -> bool:
    if isinstance(thing, msgspec.Struct):
        return not type(thing).__struct_config__.frozen
    if type(thing) is FrozenDict:
        return False
    return isinstance(thing, dict | list | set | bytearray)


@pytest.mark.slow
@pytest.mark.parametrize("name", SCENARIOS)
def test_nothing_an_agent_is_handed_leads_to_what_its_side_may_not_know(name: str) -> None:
    scenario = load_scenario(name)
    seeds = seeds_of(98_765_432_109)
    ruleset = find_ruleset(scenario.ruleset)
    battle = Battle(ruleset, scenario.board, first_state(scenario, seeds.battle), KeyedDice(seeds.dice))
    seen = 0
    while battle.question is not None and seen < 120:
        side = battle.question.side
        view = battle.view(side)
        handed = reachable(view, view.ask, battle.question.answers)
        units = {id(unit) for unit in view.units.values()}
        news = {id(event) for event in view.news}
        own = reachable(battle.state, battle.log, battle.dice)
        for key, thing in handed.items():
            assert not isinstance(thing, NEVER), f"{type(thing).__name__} can be reached"
            assert not isinstance(thing, Unit) or key in units, f"{thing} can be reached"
            assert not isinstance(thing, Event) or key in news, f"{thing} can be reached"
            assert not is_mutable(thing) or key not in own, f"the battle's own {thing!r} can be changed"
            assert not isinstance(thing, int) or thing not in (seeds.battle, seeds.dice, seeds.variation)
            assert not isinstance(thing, types.FunctionType | types.MethodType | types.GeneratorType)
        battle.answer(battle.question.answers[(seen * 7) % len(battle.question.answers)])
        seen += 1
    assert seen > 50


@pytest.mark.slow
@pytest.mark.parametrize("name", SCENARIOS)
def test_the_board_that_all_battles_share_keeps_nothing_of_a_battle(name: str) -> None:
    scenario = load_scenario(name)
    play(scenario, ("greedy", "random"), seed=5)
    for thing in reachable(scenario.board).values():
        assert not isinstance(thing, (*NEVER, Unit, Event, View)), f"{thing!r} can be reached"


def test_a_chance_leads_to_its_own_seed_and_to_no_other() -> None:
    seeds = seeds_of(98_765_432_109)
    chance = Chance(seeds.agents[0])
    chance.choice((1, 2, 3))
    keys = {
        seed.to_bytes(8, "little", signed=seed < 0): word
        for word, seed in (("battle", seeds.battle), ("dice", seeds.dice), ("other", seeds.agents[1]))
    }
    for thing in reachable(chance).values():
        assert thing not in (seeds.battle, seeds.dice, seeds.variation, seeds.agents[1])
        assert not isinstance(thing, bytes) or thing not in keys
    # Every seed is derived one way: a guess of the dice's from the agent's has the whole 63 bits to go through.
    assert seeds.dice != derive_seed(seeds.agents[0], "dice")
