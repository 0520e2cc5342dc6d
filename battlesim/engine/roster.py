"""Agents by name. Read `find_agent`.

An agent is named by its shipped name (`greedy`), a file (`mine.py`, `mine.py:Class`), a module (`package.module:Class`) or an
entry point of the group `battlesim.agents`; `card:RUN/N` is a card of a run of tactics. Parameters follow after commas,
`greedy,exposure=0.8,hold=3`, and go to the agent's class as keyword arguments. An agent file names its agent `AGENT` (a class, or
a function that makes one), or holds a single class with `choose`. Names are found by `agent_sources.py`.

An agent that reads files says so, so that its digest covers them: `file_parameters` of its class lists the parameters that name a
file, `agent_parameters` those that name another agent ("+" for the commas of its own parameters).
"""

from __future__ import annotations

import inspect
import types
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from hashlib import blake2b
from pathlib import Path
from typing import Any

from msgspec.structs import replace

from battlesim.core.errors import BattlesimError, Fault, InputError, did_you_mean
from battlesim.engine.agent import Agent
from battlesim.engine.agent_sources import REMEDY, digest_of, find_source
from battlesim.engine.card_agents import agent_of_card, folder_of_card

FILES, PLAYERS = "file_parameters", "agent_parameters"
"""Attributes of an agent's class (or of the function that makes it): the names of its parameters that hold the path of a file
it reads, and of those that hold the name of another agent."""

CALLED = {"start": ("board", "side", "chance"), "choose": ("view", "ask", "answers")}
"""What the referee gives to each method of an agent, in order."""


@dataclass(frozen=True)
class Entrant:
    """An agent that can play. `name`: as in records, with its parameters as written, without the folder of its file. `digest`: of
    its source file and of the files that its parameters name. `make`: builds a new one for each battle. `reads`: the files that
    its parameters name, which each new one may read again."""

    name: str
    digest: str
    make: Callable[[], Agent]
    reads: tuple[str, ...] = ()


def find_agent(name: str) -> Entrant:
    """The agent of a name, with its parameters.

    >>> find_agent("greedy,exposure=0.8").name
    'greedy,exposure=0.8'

    Raises InputError if there is none, its source does not load, or it does not take the parameters. The agent is made once to
    check that it can be made.
    """
    name = agent_named(name)
    base, _, words = name.partition(",")
    source = find_source(base)
    check_text(source.name)  # not of parameters, which may be paths that no record holds
    params = _parameters(name, words, source.maker)
    shown = source.name + ("," + words if words else "")

    def make() -> Agent:
        agent: Agent = source.maker(**params)
        return agent

    _made_once(name, make, source.file)
    digest, reads = _covered(source.maker, params, source.digest, source.file)
    return Entrant(shown, digest, make, reads)


def check_text(name: str) -> None:
    """Raises InputError for a name that is not UTF-8, such as a file's name in another encoding: a record cannot hold it."""
    try:
        name.encode()
    except UnicodeEncodeError:
        what = f"the agent's name {name!r} is not UTF-8 text"
        raise InputError(Fault(what, "rename the file, for example with letters of ASCII only")) from None


def agent_keywords(name: str) -> tuple[str, dict[str, inspect.Parameter]]:
    """What the constructor of an agent says of itself, and its keywords. Raises InputError if there is no such agent."""
    maker = find_source(agent_named(name).partition(",")[0]).maker
    try:
        return inspect.getdoc(maker) or "", dict(inspect.signature(maker).parameters)
    except (TypeError, ValueError):
        return inspect.getdoc(maker) or "", {}


def _made_once(name: str, make: Callable[[], Any], where: str) -> None:
    """Make an agent once. Raises InputError if that fails."""
    try:
        agent = make()
    except InputError as error:  # refused on purpose; a fault of a file names that
        raise InputError([_by(name, fault) for fault in error.faults]) from None
    except BattlesimError:
        raise
    except BaseException as error:
        if isinstance(error, KeyboardInterrupt):
            raise
        what = f"agent {name!r} cannot be made: {type(error).__name__}: {error}"
        if isinstance(error, ValueError) and str(error):  # it may be said on purpose
            what = f"agent {name!r} cannot be made: {error}"
        raise InputError(Fault(what, "correct its constructor or its parameters", where)) from None
    if missing := [
        repr(method) for method in ("start", "choose") if not callable(getattr(agent, method, None))
    ]:
        raise InputError(Fault(f"agent {name!r} has no {' and no '.join(missing)}", REMEDY, where))
    for method, taken in CALLED.items():
        _check_call(name, getattr(agent, method), method, taken, where)


def _check_call(
    name: str, function: Callable[..., Any], method: str, taken: tuple[str, ...], where: str
) -> None:
    """Raises InputError if a method of an agent cannot be called with what the referee gives it."""
    try:
        signature = inspect.signature(function)
    except (TypeError, ValueError):  # compiled code may not say what it takes
        return
    # `start` gets a brief only if it has a parameter of that name.
    brief = {"brief": None} if method == "start" and "brief" in signature.parameters else {}
    try:
        signature.bind(*taken, **brief)
    except TypeError as error:
        what = f"{method!r} of agent {name!r} cannot be called with {', '.join(taken)}: {error}"
        raise InputError(Fault(what, f"write def {method}(self, {', '.join(taken)})", where)) from None


def _by(name: str, fault: Fault) -> Fault:
    """A fault that an agent's constructor found, with the agent's name."""
    if fault.file or fault.place or fault.what.startswith("agent "):
        return fault
    return replace(fault, what=f"agent {name!r}: {fault.what}")


def enter(given: object) -> Entrant:
    """An agent given by name, or by a class or function that makes one; then it plays under the name of that class, with the
    digest of its source file ("" if it has none). Raises InputError if it makes no agent."""
    if isinstance(given, Entrant):
        return given
    if isinstance(given, str):
        return find_agent(given)
    if not callable(given):
        what = f"{given!r:.60} is not an agent"
        raise InputError(Fault(what, "give an agent's name, its file, or a class with 'start' and 'choose'"))
    name = getattr(given, "__qualname__", type(given).__name__)
    _made_once(name, given, name)
    try:
        file = inspect.getsourcefile(given)
    except (TypeError, OSError):  # OSError: a class typed at a prompt or in a notebook
        file = None
    own = digest_of(Path(file)) if file and Path(file).is_file() else ""
    digest, reads = _covered(given, {}, own, file or name)
    return Entrant(name, digest, given, reads)


# ---- files in names --------------------------------------------------------------------------------------------------


def agent_named(name: str, folder: Path | None = None) -> str:
    """The name of an agent; for a card that of its player. `folder`: where a run is looked for first, and what file paths are
    relative to. Files that a card's player reads are looked for there, then near its run. Raises InputError if there is no such
    card or file."""
    agent = agent_of_card(name, folder)
    if agent == name:
        return name
    run = folder_of_card(name, folder).absolute()
    here = folder if folder is not None else Path()
    # A study is asked for where `runs` is, as a rule; files may also be moved along with the run.
    places = (run, run.parent, run.parent.parent)

    def find(path: str) -> str:
        if (here / path).is_file():
            return path
        for place in places:
            if (place / path).is_file():
                return str(place / path)
        what = f"the player of {name} needs the file {path!r}, which is neither here nor beside the run"
        remedy = "put it beside the run, or use the card in the folder where the run was begun"
        raise InputError(Fault(what, remedy, str(folder_of_card(name, folder))))

    return with_files(agent, find)


def with_files(name: str, find: Callable[[str], str]) -> str:
    """The name of an agent with other paths of files: its own, those that its parameters name, and those of the players that
    these name. `find`: gives the new path for each. A path that cannot stand in a name stays as it is. Raises InputError if the
    agent's parameters are not known because it cannot be found."""
    return _with_files(name, find, ",")


def _with_files(name: str, find: Callable[[str], str], signs: str) -> str:
    def found(path: str) -> str:
        other = find(path)
        return path if any(sign in other for sign in signs) else other

    base, comma, words = name.partition(",")
    path, colon, attribute = base.rpartition(":")
    if not (colon and path.endswith(".py")):
        path, colon, attribute = base, "", ""
    if path.endswith(".py"):
        base = f"{found(path)}{colon}{attribute}"
    if not comma:
        return base
    maker = find_source(base).maker
    files, players = _listed(maker, FILES, base), _listed(maker, PLAYERS, base)

    def word_of(word: str) -> str:
        key, _, text = word.partition("=")
        if text and key in files:
            return f"{key}={found(text)}"
        if text and key in players:
            inner = _with_files(text.replace("+", ","), find, ",+")
            return f"{key}={inner.replace(',', '+')}"
        return word

    return f"{base},{','.join(map(word_of, words.split(',')))}"


# ---- what an agent reads ---------------------------------------------------------------------------------------------


def _covered(
    maker: Callable[..., Any], params: Mapping[str, Any], own: str, where: str
) -> tuple[str, tuple[str, ...]]:
    """The digest of an agent with parameters, and the files that these name. It is the digest of its source file, `own`, where
    they name none."""
    parts: list[str] = []
    reads: list[str] = []
    for key, text in _named(maker, params, FILES, where):
        file = Path(text)
        parts.append(f"{key} {digest_of(file) if file.is_file() else 'no file'}")
        reads.append(text)
    for key, text in _named(maker, params, PLAYERS, where):
        other = find_agent(text.replace("+", ","))
        parts.append(f"{key} {other.digest}")
        reads += other.reads
    if not parts:
        return own, ()
    return blake2b("\n".join([own, *parts]).encode(), digest_size=16).hexdigest(), tuple(reads)


def _listed(maker: Callable[..., Any], attribute: str, where: str) -> tuple[str, ...]:
    """The names of parameters that an attribute of an agent lists. Raises InputError if it lists something else."""
    listed = getattr(maker, attribute, ())
    if not isinstance(listed, tuple) or not all(isinstance(key, str) for key in listed):
        what = f"its {attribute} are {listed!r:.60}, of type {type(listed).__name__}"
        raise InputError(Fault(what, f'give a tuple of names of parameters: {attribute} = ("file",)', where))
    return listed


def _named(
    maker: Callable[..., Any], params: Mapping[str, Any], attribute: str, where: str
) -> list[tuple[str, str]]:
    """The parameters that an attribute of an agent lists, each with its value as text; one that is not given has its default, and
    is left out where that is no text."""
    listed = _listed(maker, attribute, where)
    if not listed:
        return []
    known = inspect.signature(maker).parameters
    found = []
    for key in listed:
        if key not in known and not _takes_any(known):
            what = f"its {attribute} name {key!r}, which is none of its parameters"
            raise InputError(Fault(what, did_you_mean(key, known), where))
        value = params.get(key, known[key].default if key in known else None)
        if key in params or isinstance(value, str):
            found.append((key, str(value)))
    return found


# ---- parameters ------------------------------------------------------------------------------------------------------


_OPEN = (inspect.Parameter.VAR_POSITIONAL, inspect.Parameter.VAR_KEYWORD)


def _parameters(name: str, words: str, maker: Callable[..., Any]) -> dict[str, Any]:
    try:
        known = inspect.signature(maker).parameters
    except (TypeError, ValueError):
        known = types.MappingProxyType({})
    any_key = _takes_any(known)
    params: dict[str, Any] = {}
    for word in words.split(",") if words else ():
        key, equals, text = word.partition("=")
        if not equals or not key.isidentifier():
            what = f"{word!r} in agent {name!r} is not a parameter"
            raise InputError(Fault(what, "write NAME,key=value,key=value"))
        if key in params:
            raise InputError(Fault(f"agent {name!r} has the parameter {key!r} twice", "keep one of them"))
        if key not in known and not any_key:
            remedy = did_you_mean(key, known) if known else "it takes none"
            raise InputError(Fault(f"agent {name!r} has no parameter {key!r}", remedy))
        params[key] = _value(text)
    for key, one in known.items():
        if key not in params and one.default is one.empty and one.kind not in _OPEN:
            what = f"agent {name!r} cannot be made without its parameter {key!r}"
            raise InputError(Fault(what, f"give {key}=..., as in {name},{key}=..."))
    return params


def _takes_any(known: Mapping[str, inspect.Parameter]) -> bool:
    return any(one.kind is inspect.Parameter.VAR_KEYWORD for one in known.values())


def _value(text: str) -> bool | int | float | str:
    if text in ("true", "false"):
        return text == "true"
    for kind in (int, float):
        try:
            return kind(text)
        except ValueError:
            continue
    return text
