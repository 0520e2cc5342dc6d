"""Reading the YAML files of battlesim: maps, scenarios and exams. Read `read_bytes` and `parse_yaml`.

A bad file raises one `InputError` with all its faults: file, line, place, the value received and what would be accepted. YAML
is read by the rules of version 1.2, so that `no`, `010` and `12:30` stay text. A key given twice, an alias of a list or table,
and a tag that would change what a value is are refused, since they make a file hard to understand.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from pathlib import Path
from typing import Annotated, Any, TypeVar

import yaml
from pydantic import BaseModel, ConfigDict, Field, ValidationError
from pydantic_core import PydanticCustomError

from battlesim.board.yaml_words import syntax_fault
from battlesim.board.yamlfaults import Loc, fault_of, line_of, node_at, place_of, shown, worth_reporting
from battlesim.core.errors import Fault, InputError, did_you_mean_file
from battlesim.core.kinds import kind_of

MAX_BYTES = 16_000_000
"""The largest file that is read."""
MAX_DEPTH = 40
"""The deepest nesting that is read; no file of battlesim needs more than ten."""

MOST_FAULTS = 100
"""The most faults of one file that are reported."""

M = TypeVar("M", bound=BaseModel)


class FileModel(BaseModel):
    """Base of every mapping in a file. Unknown keys are faults; the values cannot be changed."""

    model_config = ConfigDict(extra="forbid", frozen=True)


Name = Annotated[
    str,
    Field(
        pattern=r"^[^\W_][\w\-']*$",
        max_length=40,
        description="letters, digits, '-', '_' and ', beginning with a letter or digit",
    ),
]
"""A name in a file, without the characters that separate names (`.`, `:` and blanks)."""

Title = Annotated[str, Field(max_length=400, pattern=r"^[^\x00-\x1f\x7f]*$")]
"""One line of text for people; shown as text wherever it appears, never as markup."""


def refuse(what: str, remedy: str = "") -> PydanticCustomError:
    """The error that a validator raises for a bad value; the user sees both texts as they are."""
    return PydanticCustomError("refused", "{what}", {"what": what, "remedy": remedy})


def _a(kind: str) -> str:
    """A word with its article: a map, an exam."""
    return f"{'an' if kind[0] in 'aeiou' else 'a'} {kind}"


def read_bytes(path: str | Path, kind: str = "map") -> bytes:
    """The bytes of a file of at most MAX_BYTES; raises InputError where it cannot be read. `kind` is what messages call the
    file."""
    name = str(path)
    file = Path(path)
    try:
        if file.is_dir():
            if fault := kind_of(file):
                raise InputError(fault)
            raise InputError(Fault(f"this is a folder, not {_a(kind)} file", "name the file itself", name))
        if file.exists() and not file.is_file():
            raise InputError(Fault(f"this is not a regular {kind} file", "name a file of text", name))
        with file.open("rb") as stream:
            data = stream.read(MAX_BYTES + 1)
        if file.suffix not in (".yaml", ".yml") and file.is_file() and (fault := kind_of(file)):
            raise InputError(fault)
    except FileNotFoundError:
        raise InputError(_no_such_file(file, kind)) from None
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
        raise InputError(
            Fault(f"the {kind} file cannot be read: {reason}", "name a readable file", name)
        ) from None
    if len(data) > MAX_BYTES:
        raise InputError(
            Fault(f"the {kind} file is larger than {MAX_BYTES:,} bytes", "split it or draw less detail", name)
        )
    return data


def parse_yaml(
    data: bytes, model: type[M], name: str, kind: str = "map", context: dict[str, Any] | None = None
) -> M:
    """The checked `model` in the bytes of a file called `name`. `kind` is what messages call the file; `context`: of the model's
    validators. Raises InputError with every fault found, in file order: not UTF-8, empty, not YAML, and each key or value that
    does not fit."""
    root = _compose(data, name, kind)
    faults: list[Fault] = []
    values = _Plain(name, faults).value(root, (), 0)
    if isinstance(values, dict) and (other := _other_kind(values.keys(), kind)):
        raise InputError(Fault(*other, name))
    try:
        if not isinstance(values, dict):
            remedy = "begin with 'key: value' lines"
            raise InputError(
                [*faults, Fault(f"{_a(kind)} file is a table of keys", remedy, name, line_of(root))][:1]
            )
        built = model.model_validate(values, context=context)
    except ValidationError as error:
        refused = {fault.place for fault in faults}  # a placeholder stands there, whose faults do not count
        items = worth_reporting(error.errors(include_url=False)[: 4 * MOST_FAULTS], root)
        later = [fault_of(item, model, root, name) for item in items]
        faults += [fault for fault in later if fault.place not in refused]
    except RecursionError:  # pragma: no cover - MAX_DEPTH answers first
        faults.append(Fault("nested too deeply", f"at most {MAX_DEPTH} levels", name))
    if faults:
        raise InputError(first_of(sorted(faults, key=lambda fault: fault.line), name))
    return built


def _other_kind(keys: Collection[str], kind: str) -> tuple[str, str] | None:
    """(what, remedy) where a file is clearly a map instead of a scenario, or the other way round."""
    if kind == "map" and {"ruleset", "forces"} <= set(keys) and "ground" not in keys:
        return (
            "this is a scenario, not a map",
            "check it with 'battlesim scenarios FILE', play it with 'battlesim play FILE'",
        )
    if kind == "scenario" and "ground" in keys and not {"ruleset", "forces", "map"} & set(keys):
        return (
            "this is a map, not a scenario",
            "check it with 'battlesim map check FILE'; a scenario names it as 'map: FILE'",
        )
    return None


def first_of(faults: list[Fault], name: str) -> list[Fault]:
    """The first MOST_FAULTS of them, and how many were left out."""
    if len(faults) <= MOST_FAULTS:
        return faults
    rest = faults[MOST_FAULTS:]
    level = "error" if any(fault.level == "error" for fault in rest) else "warning"
    return [
        *faults[:MOST_FAULTS],
        Fault(f"and {len(rest)} more faults", "correct these first", name, level=level),
    ]


def with_lines(faults: Sequence[tuple[Loc, Fault]], data: bytes, name: str) -> list[Fault]:
    """Faults found by later checks, with file, line and place filled in from where their values stand, in order of lines. `data`:
    the file's bytes, which have been read without a fault before."""
    root = _compose(data, name, "map") if faults else None
    placed = [
        Fault(fault.what, fault.remedy, name, line_of(node_at(root, loc)[0]), place_of(loc), fault.level)
        for loc, fault in faults
    ]
    return first_of(sorted(placed, key=lambda fault: fault.line), name)


# --- from bytes to nodes ------------------------------------------------------------------------------------------


class _Loader(getattr(yaml, "CSafeLoader", yaml.SafeLoader)):  # type: ignore[misc]
    """The fast safe loader with the scalars of YAML 1.2. It only makes nodes; `_Plain` turns them into values."""

    yaml_implicit_resolvers: dict[str, list[tuple[str, re.Pattern[str]]]] = {}  # noqa: RUF012


_BOOL = re.compile(r"^(?:true|True|TRUE|false|False|FALSE)$")
_INT = re.compile(r"^[-+]?(?:0|[1-9][0-9]*)$")
_ODD = re.compile(r"^[-+]?\.(?:inf|nan)$", re.IGNORECASE)  # Python writes them without the point
_NULL = re.compile(r"^(?:~|null|Null|NULL|)$")
_TAG = "tag:yaml.org,2002:"
_Loader.add_implicit_resolver(_TAG + "bool", _BOOL, list("tTfF"))
_Loader.add_implicit_resolver(_TAG + "int", _INT, list("-+0123456789"))
_Loader.add_implicit_resolver(
    _TAG + "float",
    re.compile(
        r"^[-+]?(?:(?:0|[1-9][0-9]*)(?:\.[0-9]*)?|\.[0-9]+)(?:[eE][-+]?[0-9]+)?$"
        r"|^[-+]?\.(?:inf|Inf|INF)$|^\.(?:nan|NaN|NAN)$"
    ),
    list("-+0123456789."),
)
_Loader.add_implicit_resolver(_TAG + "null", _NULL, ["~", "n", "N", ""])


def _compose(data: bytes, name: str, kind: str) -> yaml.Node:
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data[: error.start].count(b"\n") + 1
        received = f"byte 0x{data[error.start]:02x} is not UTF-8 text"
        raise InputError(Fault(received, "save the file as UTF-8", name, line)) from None
    if not text.strip():
        raise InputError(Fault(f"the {kind} file is empty", f"write {_a(kind)} into it", name))
    # The parser recurses on the C stack, so a file that is nested too deeply must not reach it.
    if (deep := _too_deep(text)) is not None:
        raise InputError(Fault("nested too deeply", f"at most {MAX_DEPTH} levels", name, deep))
    loader = _Loader(text)
    try:
        node: yaml.Node | None = loader.get_single_node()
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        line, begins = (one.line + 1 if one else 0 for one in (mark, error.context_mark))
        what, remedy = syntax_fault(str(error.problem or error.context), line, begins)
        raise InputError(Fault(what, remedy, name, line)) from None
    except yaml.YAMLError as error:
        what = f"not YAML: {str(error).splitlines()[0]}"
        raise InputError(Fault(what, "use printable text only", name)) from None
    finally:
        loader.dispose()
    if node is None:
        raise InputError(Fault(f"the {kind} file is empty", f"write {_a(kind)} into it", name))
    return node


def _too_deep(text: str) -> int | None:
    """The first line indented, or nested in brackets or dashes, far deeper than any file needs."""
    depth = 0
    for number, line in enumerate(text.splitlines(), 1):
        opened = line.count("[") + line.count("{")
        depth = max(0, depth + opened - line.count("]") - line.count("}"))
        indent = len(line) - len(line.lstrip(" -?"))
        if depth > 200 or opened > 5000 or indent > 400:
            return number
    return None


def _no_such_file(file: Path, kind: str) -> Fault:
    remedy = f"name an existing {kind} file"
    try:
        near = [entry.name for entry in sorted(file.parent.iterdir()) if entry.suffix in {".yaml", ".yml"}]
    except PermissionError:
        near = []  # the folder is there, but what is in it may not be listed
    except OSError:
        return Fault(f"there is no folder {str(file.parent)!r}", remedy, str(file))
    return Fault(f"there is no such {kind} file", did_you_mean_file(file.name, near) or remedy, str(file))


# --- from nodes to values -----------------------------------------------------------------------------------------


class _Plain:
    """Turns nodes into plain values, and notes a fault for what YAML allows and battlesim does not."""

    def __init__(self, name: str, faults: list[Fault]) -> None:
        self.name = name
        self.faults = faults
        self.seen: dict[int, yaml.Node] = {}  # holds the nodes, so that no id is used again

    def value(self, node: yaml.Node, loc: Loc, depth: int) -> Any:
        if isinstance(node, yaml.ScalarNode):
            return self._scalar(node, loc)
        if id(node) in self.seen:
            self._alias(node, loc)
            return None
        self.seen[id(node)] = node
        if depth > MAX_DEPTH:
            self._fault(node, loc, "nested too deeply", f"at most {MAX_DEPTH} levels")
            return None
        if node.tag not in (_TAG + "seq", _TAG + "map"):
            self._fault(node, loc, f"the tag {node.tag!r} is not read", "remove it")
            return None
        if isinstance(node, yaml.SequenceNode):
            return [self.value(item, (*loc, i), depth + 1) for i, item in enumerate(node.value)]
        return self._mapping(node, loc, depth)

    def _mapping(self, node: yaml.Node, loc: Loc, depth: int) -> dict[str, Any]:
        values: dict[str, Any] = {}
        lines: dict[str, int] = {}
        for key_node, value_node in node.value:
            if not isinstance(key_node, yaml.ScalarNode):
                self._fault(key_node, loc, "a key is a list or table", "keys are words")
                continue
            key = key_node.value
            if key in values:
                what = f"the key {key!r} is given twice (first on line {lines[key]})"
                self._fault(key_node, (*loc, key), what, "keep one of the two")
                continue
            lines[key] = line_of(key_node)
            if id(value_node) in self.seen:
                self._alias(key_node, (*loc, key))  # the line of what is repeated would be that of the first
                values[key] = None
                continue
            values[key] = self.value(value_node, (*loc, key), depth + 1)
        return values

    def _scalar(self, node: yaml.ScalarNode, loc: Loc) -> Any:
        tag, text = node.tag, node.value
        if tag == _TAG + "str":
            return text
        if tag == _TAG + "int" or tag == _TAG + "float":
            if len(text) > 30:
                self._fault(node, loc, f"the number {shown(text)} is too long", "use an ordinary number")
                return 0
            try:
                return (
                    int(text)
                    if _INT.match(text)
                    else float(text.replace(".", "") if _ODD.match(text) else text)
                )
            except ValueError:  # a text with an explicit number tag
                self._fault(node, loc, f"{shown(text)} is not a number", "give a number")
                return 0
        # An explicit tag gives its type to any text, so that `!!bool yes` comes here, too.
        if tag == _TAG + "bool":
            if not _BOOL.match(text):
                self._fault(node, loc, f"{shown(text)} is neither true nor false", "write true or false")
            return text.lower() == "true"
        if tag == _TAG + "null":
            if not _NULL.match(text):
                self._fault(node, loc, f"{shown(text)} is not null", "remove the tag")
            return None
        self._fault(node, loc, f"the tag {tag!r} is not read", "remove it")
        return None

    def _alias(self, node: yaml.Node, loc: Loc) -> None:
        self._fault(node, loc, "an alias (*name) repeats another part of the file", "write it out")

    def _fault(self, node: yaml.Node, loc: Loc, what: str, remedy: str) -> None:
        self.faults.append(Fault(what, remedy, self.name, line_of(node), place_of(loc)))
