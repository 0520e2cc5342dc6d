"""What an actor's code leaves behind in a worker: threads, child processes, memory, changed modules. Read `Leftovers`.

The code of two agents runs in one process, so what one leaves there can end or change the other's game. A check after each call
finds whose it is. An agent that left something running is responsible for the process until the game ends. When memory runs out,
the agent that holds it is blamed; one that holds much of it and leaves next to none is blamed at once, since code without memory
may end the whole process. Children are ended with the game, and a worker in which threads go on or modules were changed
is replaced before another game is played in it.

The checks cover Python threads, child processes and their children, the memory of the process, and, in modules of `battlesim` and
agents' files, names, classes, functions' code and tables of one level. What they miss (threads of foreign code, values changed
deep inside) is found only by its effects.
"""

from __future__ import annotations

import builtins
import os
import signal
import sys
import time
from collections.abc import Iterator, Mapping
from contextlib import suppress
from types import FunctionType, ModuleType
from typing import Any

OURS = ("battlesim", "battlesim_agents")
"""Packages whose modules all games of a worker share."""
PAGE = os.sysconf("SC_PAGE_SIZE") if hasattr(os, "sysconf") else 4096
"""Bytes of one page of memory."""
LARGE = 0.5
"""An actor that holds more than this share of a worker's memory is responsible when it runs out, even while other code runs."""
NEXT_TO_NONE = 1 / 16
"""An actor that holds a large share must leave the others more than this share of a worker's memory."""


class Leftovers:
    """Finds what actors leave behind in one job. Call it with an actor before that actor's code runs, and with -1 after it; it
    then raises MemoryError where the actor has filled the memory. `most`: bytes that the process may have; 0 for no limit."""

    def __init__(self, modules: LoadedModules, most: int = 0) -> None:
        self.most = most
        self.left: set[int] = set()
        """Actors that left a thread or a child process running."""
        self.held: dict[int, int] = {}
        """Bytes by which the process grew during each actor's calls."""
        self._modules = modules
        self._process = os.getpid()
        self._settings = ProcessSettings()
        self._begun = running()
        self._known = self._begun
        self._statm = _open("/proc/self/statm")
        self._actor = -1
        self._before = 0

    def __call__(self, actor: int) -> None:
        if os.getpid() != self._process:
            os._exit(0)  # this is a fork of the worker, made by an agent
        if actor >= 0:
            self._modules.learn()
            self._before = self._bytes()
        elif self._actor >= 0:
            in_all = self._bytes()
            held = self.held[self._actor] = self.held.get(self._actor, 0) + in_all - self._before
            if self.most and held > LARGE * self.most and self.most - in_all < NEXT_TO_NONE * self.most:
                raise MemoryError
            self._settings.restore()
            now = running()
            if not now <= self._known:
                self.left.add(self._actor)
                self._known |= now
        self._actor = actor

    @property
    def responsible(self) -> int:
        """The actor that left a thread or process running; -1 if none did, or several."""
        return next(iter(self.left)) if len(self.left) == 1 else -1

    def holder(self) -> int:
        """When memory has run out: another actor than the one whose code runs that holds more than half of what the process may
        have; -1 if there is none."""
        for actor, size in self.held.items():
            if actor != self._actor and size > LARGE * self.most:
                return actor
        return -1

    def end(self) -> bool:
        """End the child processes that the job has left running. True where the worker cannot be used again: threads go on, or
        settings or modules have changed."""
        if self._statm >= 0:
            os.close(self._statm)
            self._statm = -1
        end_children()
        changed = self._settings.are_changed()
        return changed or not running() <= self._begun or self._modules.are_changed()

    def _bytes(self) -> int:
        """Memory that the process holds, in bytes; 0 if the platform does not say."""
        if self._statm < 0:
            return 0
        with suppress(OSError, ValueError, IndexError):
            return int(os.pread(self._statm, 200, 0).split()[5]) * PAGE
        return 0


def running() -> frozenset[tuple[str, int]]:
    """The Python threads and child processes that run now, as ("thread", its number) and ("process", its id)."""
    found = [("thread", number) for number in sys._current_frames()]
    if has_children():
        reap()
        found += [("process", number) for number in _descendants(os.getpid())]
    return frozenset(found)


def _open(path: str) -> int:
    with suppress(OSError):
        return os.open(path, os.O_RDONLY | getattr(os, "O_CLOEXEC", 0))
    return -1


# ---- settings of the process -------------------------------------------------------------------------------------------


class ProcessSettings:
    """Settings of the process that an agent can change: timers, recursion limit, trace functions, signal handlers, working folder
    and environment variables."""

    def __init__(self) -> None:
        self._recursion = sys.getrecursionlimit()
        self._traces = sys.gettrace(), sys.getprofile()
        self._slow = self._now()

    def restore(self) -> None:
        """After an actor's call, undo the changes that would affect other code at once."""
        if hasattr(signal, "setitimer"):
            for timer in (signal.ITIMER_REAL, signal.ITIMER_VIRTUAL, signal.ITIMER_PROF):
                if signal.getitimer(timer) != (0.0, 0.0):
                    signal.setitimer(timer, 0)
        if sys.getrecursionlimit() != self._recursion:
            sys.setrecursionlimit(self._recursion)
        if (sys.gettrace(), sys.getprofile()) != self._traces:
            sys.settrace(self._traces[0])
            sys.setprofile(self._traces[1])

    def are_changed(self) -> bool:
        """Whether another setting has changed. Asked once a job, since the worker is then replaced."""
        return self._now() != self._slow

    def _now(self) -> tuple[object, ...]:
        handlers = [signal.getsignal(number) for number in sorted(signal.valid_signals())]
        try:
            folder = os.getcwd()
        except OSError:
            folder = ""
        return handlers, folder, dict(os.environ)


# ---- child processes -------------------------------------------------------------------------------------------------


def adopt_orphans() -> None:
    """Make this process the parent of its orphaned grandchildren, so that they can be found (Linux)."""
    if sys.platform == "linux":
        with suppress(Exception):
            import ctypes

            ctypes.CDLL(None).prctl(36, 1, 0, 0, 0)  # PR_SET_CHILD_SUBREAPER


def has_children() -> bool:
    """Whether this process has child processes, running or not yet waited for."""
    if not hasattr(os, "waitid"):
        return False
    try:
        os.waitid(os.P_ALL, 0, os.WEXITED | os.WNOHANG | os.WNOWAIT)
    except ChildProcessError:
        return False
    return True


def end_children() -> None:
    """End all child processes and their descendants, and wait up to a second for them."""
    for _ in range(200):  # a process may start others before it ends
        if not has_children():
            return
        for process in list(_descendants(os.getpid())):
            with suppress(OSError):
                os.kill(process, signal.SIGKILL)
        reap()
        time.sleep(0.005)


def reap() -> None:
    """Wait for child processes that have ended."""
    with suppress(ChildProcessError):
        while os.waitpid(-1, os.WNOHANG)[0]:
            pass


def _descendants(process: int) -> Iterator[int]:
    """All descendants of a process, found in /proc."""
    parents: dict[int, list[int]] = {}
    for name in os.listdir("/proc") if os.path.isdir("/proc") else ():
        if name.isdigit():
            with suppress(OSError, ValueError, IndexError):
                with open(f"/proc/{name}/stat", encoding="utf-8", errors="replace") as file:
                    parent = int(file.read().rpartition(")")[2].split()[1])
                parents.setdefault(parent, []).append(int(name))
    todo = [process]
    while todo:
        below = parents.get(todo.pop(), [])
        yield from below
        todo += below


# ---- modules ---------------------------------------------------------------------------------------------------------


class LoadedModules:
    """What the shared modules of this process held before any agent's code ran. `names`: the packages they belong to."""

    def __init__(self, names: tuple[str, ...] = OURS) -> None:
        self._names = names
        self._count = -1
        self._modules: dict[str, ModuleType] = {}
        self._spaces: list[
            tuple[Mapping[str, Any], dict[str, Any]]
        ] = []  # of modules, classes and records, and copies
        self._tables: list[tuple[Any, Any]] = []  # dicts, lists and sets they name, and copies
        self._functions: list[FunctionType] = []
        self._codes: list[Any] = []
        self._defaults: list[Any] = []

    def learn(self) -> None:
        """Note the content of modules that are new."""
        if len(sys.modules) == self._count:
            return
        self._count = len(sys.modules)
        for name, module in list(sys.modules.items()):
            if name not in self._modules and name.partition(".")[0] in self._names and module is not None:
                self._modules[name] = module
                self._note(vars(module), module.__name__)
        new = self._functions[len(self._codes) :]
        self._codes += [function.__code__ for function in new]
        self._defaults += [function.__defaults__ for function in new]

    def are_changed(self) -> bool:
        """Whether a known module has changed; `_holds` says which additions are allowed."""
        try:
            return (
                any(sys.modules.get(name) is not module for name, module in self._modules.items())
                or any(now != then and not _holds(now, then) for now, then in self._spaces)
                or any(now != then and not _holds(now, then, False) for now, then in self._tables)
                or [function.__code__ for function in self._functions] != self._codes
                or [function.__defaults__ for function in self._functions] != self._defaults
            )
        except Exception:  # a value was replaced by one that cannot be compared
            return True

    def _note(self, space: Mapping[str, Any], owner: str) -> None:
        self._spaces.append((space, dict(space)))
        for value in list(space.values()):
            if isinstance(value, FunctionType):
                self._functions.append(value)
            elif isinstance(value, dict | list | set):
                self._tables.append((value, value.copy()))
            elif isinstance(value, type):
                if value.__module__ == owner and "." not in value.__qualname__:
                    self._note(vars(value), "")
            elif hasattr(type(value), "__dataclass_fields__") and hasattr(value, "__dict__"):
                for item in list(vars(value).values()):
                    if isinstance(item, dict | list):
                        self._tables.append((item, item.copy()))


def _holds(now: Any, then: Any, strict: bool = True) -> bool:
    """Whether everything in `then` is still in `now`. `strict`: and nothing was added that matters: nothing at all in a class, no
    name of a builtin in a module (other names are added by importing submodules or on first use)."""
    if not isinstance(now, Mapping):
        return False
    if any(now.get(key, _holds) is not value and now[key] != value for key, value in then.items()):
        return False
    more = now.keys() - then.keys()
    if not strict or not more:
        return True
    return isinstance(now, dict) and not any(hasattr(builtins, name) for name in more - {"__builtins__"})
