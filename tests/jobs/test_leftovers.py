"""What an agent changes in shared modules is found; what play itself does to them is not taken for that."""

from __future__ import annotations

import signal
import sys
import types
from collections.abc import Callable, Iterable, Iterator
from typing import Any

import pytest

from battlesim import play, shipped_scenarios
from battlesim.jobs import leftovers as leftovers_module
from battlesim.jobs.leftovers import Leftovers, LoadedModules

SOURCE = """
from dataclasses import dataclass, field
LIMIT = 4
TABLE = {"a": 1}
def roll(n=1): return n
class Die:
    def faces(self): return 6
@dataclass(frozen=True)
class Kit:
    asks: dict = field(default_factory=lambda: {"who": 1})
KIT = Kit()
"""


@pytest.fixture(autouse=True)
def _spare_our_children(monkeypatch: pytest.MonkeyPatch) -> None:
    """This process is no worker: what it has started belongs to other tests."""
    monkeypatch.setattr(leftovers_module, "end_children", lambda: None)


@pytest.fixture
def module() -> Iterator[Any]:
    made = types.ModuleType("somewhere_else")
    sys.modules["somewhere_else"] = made
    exec(SOURCE, vars(made))
    yield made
    del sys.modules["somewhere_else"]


def setting(name: str, value: object) -> Callable[[Any], None]:
    return lambda module: setattr(module, name, value)


CHANGES: dict[str, Callable[[Any], None]] = {
    "a constant": setting("LIMIT", 5),
    "a function": setting("roll", lambda n=1: 6),
    "a name that shadows a builtin": setting("len", lambda thing: 0),
    "a method": lambda module: setattr(module.Die, "faces", lambda self: 7),
    "an attribute of a class": lambda module: setattr(module.Die, "loaded", True),
    "an entry of a table": lambda module: module.TABLE.update(a=2),
    "an entry gone": lambda module: module.TABLE.clear(),
    "a table of a record": lambda module: module.KIT.asks.update(who=2),
    "the code of a function": lambda module: setattr(module.roll, "__code__", (lambda n=1: 6).__code__),
    "a default": lambda module: setattr(module.roll, "__defaults__", (6,)),
    "the module itself": lambda module: sys.modules.update(somewhere_else=types.ModuleType("somewhere_else")),
}


@pytest.mark.parametrize("what", CHANGES)
def test_a_change_is_found(module: Any, what: str) -> None:
    modules = LoadedModules(("somewhere_else",))
    modules.learn()
    assert not modules.are_changed()
    CHANGES[what](module)
    modules.learn()
    assert modules.are_changed()


def test_what_is_imported_or_looked_up_is_no_change(module: Any) -> None:
    modules = LoadedModules(("somewhere_else",))
    modules.learn()
    module.more = types.ModuleType("somewhere_else.more")
    module.TABLE["b"] = 2
    assert not modules.are_changed()


QUICK = ("stairwell", "outpost", "village-armour", "watch-house")
"""One short scenario of each rulebook."""


def unchanged_by(names: Iterable[str]) -> None:
    """One worker's process plays them all, and nothing in it looks changed."""
    modules = LoadedModules()
    for number, name in enumerate(names):
        leftovers = Leftovers(modules)
        play(name, ("random", "rush"), seed=number, watch=leftovers)
        assert not leftovers.left, name
        assert not leftovers.end(), f"a worker would be replaced after every game of {name}"


@pytest.mark.slow
def test_no_game_of_ours_looks_like_a_change() -> None:
    unchanged_by(QUICK)


@pytest.mark.slow
def test_no_game_of_any_scenario_looks_like_a_change() -> None:
    unchanged_by(name for name in shipped_scenarios() if not name.startswith("helsinki"))


def test_who_lacks_memory_is_not_who_holds_a_little_of_it() -> None:
    leftovers = Leftovers(LoadedModules(), 1024)
    leftovers.held = {0: 350, 1: 10}
    leftovers(1)
    assert leftovers.holder() == -1, "the one whose code runs asked for too much"
    leftovers.held[0] = 600
    assert leftovers.holder() == 0


@pytest.mark.parametrize(
    ("before", "after", "filled"),
    [(100, 960, False), (100, 961, True), (600, 961, False), (449, 961, False), (448, 961, True)],
)
def test_who_fills_the_memory_is_told_at_once(
    before: int, after: int, filled: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Of 1,024 bytes, more than half are held by one actor and less than a sixteenth is left."""
    leftovers, sizes = Leftovers(LoadedModules(), 1024), iter((before, after))
    monkeypatch.setattr(leftovers, "_bytes", lambda: next(sizes))
    leftovers(0)
    if filled:
        with pytest.raises(MemoryError):
            leftovers(-1)
    else:
        leftovers(-1)


@pytest.mark.skipif(not hasattr(signal, "setitimer"), reason="timers of POSIX")
def test_settings_of_the_process_do_not_outlive_a_call() -> None:
    leftovers, limit = Leftovers(LoadedModules()), sys.getrecursionlimit()
    leftovers(0)
    signal.setitimer(signal.ITIMER_REAL, 60)
    sys.setrecursionlimit(limit + 7)
    leftovers(-1)
    assert signal.getitimer(signal.ITIMER_REAL) == (0.0, 0.0)
    assert sys.getrecursionlimit() == limit
    leftovers(0)
    before = signal.signal(signal.SIGUSR1, lambda number, frame: None)
    leftovers(-1)
    assert leftovers.end(), "a worker with another's handler plays no further game"
    signal.signal(signal.SIGUSR1, before)
