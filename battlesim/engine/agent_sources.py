"""Where agents come from: files, modules, entry points and the shipped agents, each found by its name. Read `find_source`.

Files are loaded by path as modules of the made-up package `battlesim_agents`.
"""

from __future__ import annotations

import importlib
import inspect
import sys
import types
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from hashlib import blake2b
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from typing import Any

import msgspec

from battlesim.core.errors import Fault, InputError, did_you_mean, did_you_mean_file
from battlesim.core.kinds import kind_of
from battlesim.core.plugins import AGENTS, offers

_PACKAGE = Path(__file__).resolve().parent.parent
_SYNTHETIC = "battlesim_agents"
_FILE = "file_"
"""Begins the names of modules, in that package, of agent files that do not ship."""
HUMAN = "human"
"""The name under which a person plays (`battlesim.cli.human`)."""
REMEDY = "offer one class with 'start' and 'choose', or name it AGENT"


def agents_folder() -> Path:
    """The folder of the shipped agents: `agents/` of a checkout, else the one inside the package."""
    root = _PACKAGE.parent
    own = root / "agents"
    # Beside an installed package a folder of that name belongs to another project.
    if own.is_dir() and (root / "pyproject.toml").is_file():
        return own
    return _PACKAGE / "_data" / "agents"


def shipped_agents() -> tuple[str, ...]:
    """The names of the shipped agents, sorted."""
    files = agents_folder().glob("*.py")
    return tuple(sorted(p.stem.removesuffix("_") for p in files if not p.stem.startswith("_")))


def is_loaded(module: str) -> bool:
    """Whether a module of this name is an agent's file that was loaded by its path; those of shipped agents are, too."""
    return module.startswith(f"{_SYNTHETIC}.")


def is_shipped(module: str) -> bool:
    """Whether a module of this name is the file of a shipped agent."""
    return is_loaded(module) and not module.startswith(f"{_SYNTHETIC}.{_FILE}")


def shipped_file(name: str) -> Path:
    """The file of a shipped agent. Where Python has a module of the agent's name, an underscore follows: otherwise the file would
    hide that module from programs started in its folder."""
    return agents_folder() / (f"{name}_.py" if name in sys.stdlib_module_names else f"{name}.py")


def entry_points() -> dict[str, str]:
    """Agents that other installed packages offer: name -> module:Class."""
    return {name: offered[0].value for name, offered in offers(AGENTS).items()}


@dataclass(frozen=True)
class AgentSource:
    """The meaning of a name: `name` as in records, its `file` or module with the `digest`, and `maker`, which makes the agent."""

    name: str
    file: str
    digest: str
    maker: Callable[..., Any]


def find_source(base: str) -> AgentSource:
    """The source of an agent's name without parameters. Raises InputError if there is none, or it does not load."""
    path, colon, attribute = base.rpartition(":")
    if colon and path.endswith(".py"):
        return _from_file(Path(path), attribute)
    if base.endswith(".py"):
        return _from_file(Path(base), "")
    if colon:
        return _from_module(path, attribute)
    if base in shipped_agents():
        return _shipped(base)
    others = entry_points()
    if base in others:
        module, _, attribute = others[base].partition(":")
        found = _from_module(module, attribute)
        return AgentSource(base, found.file, found.digest, found.maker)
    if base == HUMAN:
        what = f"{HUMAN!r} is a person, who can be asked by `battlesim play` only"
        raise InputError(Fault(what, "name an agent that plays by itself, such as greedy"))
    if base and Path(base).exists():
        raise InputError(_not_an_agent(Path(base)))
    known = sorted({*shipped_agents(), *others})
    what = f"there is no agent {base!r}"
    close = did_you_mean(base, known)
    joint = "" if close.endswith("?") else ";"
    raise InputError(Fault(what, f"{close}{joint} or give file.py, file.py:Class or module:Class"))


def _not_an_agent(path: Path) -> Fault:
    """What a folder or file is that was named as an agent, but is none."""
    if fault := kind_of(path, "agent"):
        return msgspec.structs.replace(fault, what=f"{fault.what}, not an agent")
    if path.is_dir():
        return Fault(
            "this is a folder, not an agent", "name the agent's file in it, FOLDER/file.py", str(path)
        )
    return Fault("this is not an agent: its name does not end in .py", "name a Python file", str(path))


@lru_cache
def _shipped(name: str) -> AgentSource:
    if _SYNTHETIC not in sys.modules:
        package = types.ModuleType(_SYNTHETIC, "Agent files, loaded by path.")
        package.__path__ = [str(agents_folder())]
        sys.modules[_SYNTHETIC] = package
    file = shipped_file(name)
    module = _guarded(file, lambda: importlib.import_module(f"{_SYNTHETIC}.{file.stem}"))
    return AgentSource(name, str(file), digest_of(file), _maker(module, "", str(file)))


def _from_file(path: Path, attribute: str) -> AgentSource:
    if not path.is_file():
        near = [p.name for p in sorted(path.parent.glob("*.py"))] if path.parent.is_dir() else []
        raise InputError(
            Fault(
                "there is no such agent file",
                did_you_mean_file(path.name, near) or "name an existing one",
                str(path),
            )
        )
    digest = digest_of(path)
    shown = path.name + (f":{attribute}" if attribute else "")
    return AgentSource(
        shown, str(path), digest, _maker(_module_at(path.resolve(), digest), attribute, str(path))
    )


@lru_cache
def _module_at(path: Path, digest: str) -> types.ModuleType:
    name = f"{_SYNTHETIC}.{_FILE}{path.stem}_{digest[:12]}"

    def load() -> types.ModuleType:
        spec = spec_from_file_location(name, path)
        if spec is None or spec.loader is None:
            raise ImportError("not a Python file")
        module = module_from_spec(spec)
        sys.modules[name] = module  # dataclasses look their module up
        try:
            spec.loader.exec_module(module)
        except BaseException:
            del sys.modules[name]
            raise
        return module

    return _guarded(path, load)


def _from_module(name: str, attribute: str) -> AgentSource:
    module = _guarded(name, lambda: importlib.import_module(name))
    file = getattr(module, "__file__", None)
    digest = digest_of(Path(file)) if file else ""
    return AgentSource(f"{name}:{attribute}", name, digest, _maker(module, attribute, name))


def _guarded(where: Path | str, load: Callable[[], types.ModuleType]) -> types.ModuleType:
    try:
        return load()
    except KeyboardInterrupt:
        raise
    except SyntaxError as error:
        what = f"the agent's file is not valid Python: {error.msg}"
        raise InputError(Fault(what, "correct the file", str(where), error.lineno or 0)) from None
    except BaseException as error:  # a module may raise anything, SystemExit too
        what = f"the agent's module cannot be imported: {type(error).__name__}: {error}"
        remedy = "correct it, install what it needs, or name a file: folder/file.py:Class"
        raise InputError(Fault(what, remedy, str(where), _line_in(error, where))) from None


def _line_in(error: BaseException, where: Path | str) -> int:
    """The last line of the agent's own file in the error's traceback; 0 if there is none."""
    line, trace = 0, error.__traceback__
    while trace is not None:
        if trace.tb_frame.f_code.co_filename == str(where):
            line = trace.tb_lineno
        trace = trace.tb_next
    return line


def _maker(module: types.ModuleType, attribute: str, where: str) -> Callable[..., Any]:
    own = [
        value
        for value in vars(module).values()
        if inspect.isclass(value) and value.__module__ == module.__name__ and hasattr(value, "choose")
    ]
    names = [kind.__name__ for kind in own]
    if attribute:
        if not hasattr(module, attribute):
            what = f"there is no {attribute!r} in it"
            raise InputError(Fault(what, did_you_mean(attribute, names), where))
        maker = getattr(module, attribute)
    elif hasattr(module, "AGENT"):
        maker = module.AGENT
    elif len(own) == 1:
        maker = own[0]
    elif own:
        what = f"it holds several agents: {', '.join(names)}"
        raise InputError(Fault(what, f"name one, as in {Path(where).name}:{names[0]}", where))
    else:
        raise InputError(Fault("it holds no agent", REMEDY, where))
    if not callable(maker):
        what = f"its agent is {maker!r:.60}, of type {type(maker).__name__}"
        raise InputError(Fault(what, "give a class, or a function that makes an agent", where))
    found: Callable[..., Any] = maker
    return found


def digest_of(file: Path) -> str:
    """The digest of a file, the same with either line ends."""
    return blake2b(file.read_bytes().replace(b"\r\n", b"\n"), digest_size=16).hexdigest()
