"""What somebody's code leaves behind in a worker: threads, child processes, memory, changed modules. Read `Leftovers`.

Code of two agents runs in one process, so what one leaves there can end or change the other's game. It is looked for whenever a
call returns, so that it is known whose it is: an agent that left something running answers for the process until the game ends;
when memory runs out, it is charged to whom holds it; children are ended with the game, and a worker in which threads go on
or modules were changed is replaced before anybody else plays in it.

What is found: threads of Python's own, child processes and their children, memory by the process's account; of modules the names,
classes, functions' code and tables of one level of `battlesim` and of agents' files. What hides from that (threads of
foreign code, values changed deep inside) is found only by what it does.
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
"""Modules that all games of a worker share."""
PAGE = os.sysconf("SC_PAGE_SIZE") if hasattr(os, "sysconf") else 4096
LARGE = 0.5
"""So large a share of a worker's memory makes its holder answer for the lack of it, even while somebody else's code runs."""


class Leftovers:
    """Looks after one job: call it with an actor before that actor's code runs, and with -1 after it, as `Watch` says."""

    def __init__(self, modules: LoadedModules) -> None:
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
            os._exit(0)  # a copy of this worker that an agent made has no business here
        if actor >= 0:
            self._modules.learn()
            self._before = self._bytes()
        elif self._actor >= 0:
            self.held[self._actor] = self.held.get(self._actor, 0) + self._bytes() - self._before
            self._settings.restore()
            now = running()
            if not now <= self._known:
                self.left.add(self._actor)
                self._known |= now
        self._actor = actor

    @property
    def answers(self) -> int:
        """The one actor that left something running; -1 where none did, or more than one."""
        return next(iter(self.left)) if len(self.left) == 1 else -1

    def holder(self, most: int) -> int:
        """Memory ran out: the actor who answers for it other than the one whose code runs; -1: none. That is one who holds more
        than half of the `most` bytes a worker may have."""
        for actor, size in self.held.items():
            if actor != self._actor and size > LARGE * most:
                return actor
        return -1

    def end(self) -> bool:
        """The job is over: end what it left running. True where the worker cannot be used again."""
        if self._statm >= 0:
            os.close(self._statm)
            self._statm = -1
        end_children()
        changed = self._settings.are_changed()
        return changed or not running() <= self._begun or self._modules.are_changed()

    def _bytes(self) -> int:
        """What the process holds of its own memory; 0 where the platform does not say."""
        if self._statm < 0:
            return 0
        with suppress(OSError, ValueError, IndexError):
            return int(os.pread(self._statm, 200, 0).split()[5]) * PAGE
        return 0


def running() -> frozenset[tuple[str, int]]:
    """The threads of Python's own and the child processes there are."""
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
    """Settings of the whole process that an agent can change: timers, limits and traces of the interpreter, handlers of signals,
    the working folder, the environment."""

    def __init__(self) -> None:
        self._recursion = sys.getrecursionlimit()
        self._traces = sys.gettrace(), sys.getprofile()
        self._slow = self._now()

    def restore(self) -> None:
        """Undo, after every call, what would act while somebody else's code runs."""
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
        """Whether the rest is another than it was: looked at once a job, since the worker is replaced then."""
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
    """Make this process the parent of whatever its children leave behind, so that it can be found (Linux)."""
    if sys.platform == "linux":
        with suppress(Exception):
            import ctypes

            ctypes.CDLL(None).prctl(36, 1, 0, 0, 0)  # PR_SET_CHILD_SUBREAPER


def has_children() -> bool:
    """Whether this process has children, running or not yet waited for."""
    if not hasattr(os, "waitid"):
        return False
    try:
        os.waitid(os.P_ALL, 0, os.WEXITED | os.WNOHANG | os.WNOWAIT)
    except ChildProcessError:
        return False
    return True


def end_children() -> None:
    """End every child process, its own children first found, and wait a while for them."""
    for _ in range(200):  # what is ended may have started others meanwhile
        if not has_children():
            return
        for process in list(_descendants(os.getpid())):
            with suppress(OSError):
                os.kill(process, signal.SIGKILL)
        reap()
        time.sleep(0.005)


def reap() -> None:
    """Take leave of children that have ended."""
    with suppress(ChildProcessError):
        while os.waitpid(-1, os.WNOHANG)[0]:
            pass


def _descendants(process: int) -> Iterator[int]:
    """The processes below one, by the parents that /proc names."""
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
    """What the shared modules of this process held before anybody's code ran."""

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
        """Take note of modules that are new; those known keep what they held when they came."""
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
        """Whether a module that is known no longer holds what it did; see `_holds` for what may come on top."""
        try:
            return (
                any(sys.modules.get(name) is not module for name, module in self._modules.items())
                or any(now != then and not _holds(now, then) for now, then in self._spaces)
                or any(now != then and not _holds(now, then, False) for now, then in self._tables)
                or [function.__code__ for function in self._functions] != self._codes
                or [function.__defaults__ for function in self._functions] != self._defaults
            )
        except Exception:  # something that cannot be compared stands where something of ours stood
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
    """Whether everything is still there. `strict`: nothing came on top that changes what is there: to a class nothing at all,
    to a module no name of Python's own (other names come by importing submodules or on first use)."""
    if not isinstance(now, Mapping):
        return False
    if any(now.get(key, _holds) is not value and now[key] != value for key, value in then.items()):
        return False
    more = now.keys() - then.keys()
    if not strict or not more:
        return True
    return isinstance(now, dict) and not any(hasattr(builtins, name) for name in more - {"__builtins__"})
