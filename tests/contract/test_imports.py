"""No circle of files: nothing that a file imports leads back to it.

Every import statement counts, wherever it stands: at the top, inside a function, under `TYPE_CHECKING`; so do modules imported by
a name put together at run time (`import_module(f"battlesim.cli.{name}")` counts as all of `battlesim.cli`). That a package's
`__init__` runs before its files is no import of theirs and does not count.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Collection, Iterator
from pathlib import Path

import networkx
import pytest

ROOT = Path(__file__).resolve().parents[2]


def modules_of(folder: Path) -> dict[str, Path]:
    """The modules of a package by their dotted names."""
    found = {}
    for path in sorted(folder.rglob("*.py")):
        parts = path.relative_to(folder.parent).with_suffix("").parts
        found[".".join(parts[:-1] if parts[-1] == "__init__" else parts)] = path
    return found


def imports_of(module: str, path: Path, modules: Collection[str]) -> Iterator[str]:
    """The modules among `modules` that a module imports."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names if alias.name in modules)
        elif isinstance(node, ast.ImportFrom):
            base = _base(node, module, path)
            for alias in node.names:
                # `from package import name`: a module of the package, else something that its `__init__` defines
                full = f"{base}.{alias.name}"
                yield from [name for name in (full, base) if name in modules][:1]
        elif isinstance(node, ast.Call) and node.args and _is_import_module(node.func):
            pattern = _pattern(node.args[0])
            yield from (name for name in modules if re.fullmatch(pattern, name))


def _base(node: ast.ImportFrom, module: str, path: Path) -> str:
    """The module that a `from` statement names, relative ones by where they stand."""
    if not node.level:
        return node.module or ""
    package = module.split(".") if path.name == "__init__.py" else module.split(".")[:-1]
    above = package[: len(package) + 1 - node.level]
    return ".".join([*above, *([node.module] if node.module else [])])


def _is_import_module(called: ast.expr) -> bool:
    name = called.attr if isinstance(called, ast.Attribute) else getattr(called, "id", "")
    return name in ("import_module", "__import__")


def _pattern(name: ast.expr) -> str:
    """A pattern for what is given to `import_module`: a part only known at run time stands for one step of the name. Where not
    even the folder is known it matches nothing: `battlesim/__init__.py` names what it fetches under `TYPE_CHECKING`, too."""
    if isinstance(name, ast.Constant):
        return re.escape(str(name.value))
    if isinstance(name, ast.JoinedStr):
        parts = [re.escape(str(v.value)) if isinstance(v, ast.Constant) else r"\w+" for v in name.values]
        return "".join(parts) if parts[0].count(".") > 1 else ""
    return ""


def import_graph(folder: Path) -> networkx.DiGraph[str]:
    """Which module of a package imports which other of it."""
    modules = modules_of(folder)
    graph: networkx.DiGraph[str] = networkx.DiGraph()
    graph.add_nodes_from(modules)
    for module, path in modules.items():
        others = imports_of(module, path, modules)
        graph.add_edges_from((module, other) for other in others if other != module)
    return graph


def circles(folder: Path) -> list[list[str]]:
    """Groups of modules that import one another, directly or through others."""
    graph = import_graph(folder)
    return sorted(sorted(group) for group in networkx.strongly_connected_components(graph) if len(group) > 1)


@pytest.mark.slow
@pytest.mark.parametrize("package", ["battlesim", "tests", "agents"])
def test_no_files_import_one_another(package: str) -> None:
    assert circles(ROOT / package) == []


PLANTED = {
    "at the top": "from house.low import two",
    "a name of it": "from house.low.two import NAME",
    "the module": "import house.low.two",
    "relative": "from .low import two",
    "in a function": "def late():\n    from house.low import two\n",
    "for types only": "from typing import TYPE_CHECKING\nif TYPE_CHECKING:\n    from house.low.two import NAME\n",
    "by name": "from importlib import import_module\nimport_module('house.low.two')",
    "by part of a name": "import importlib\nimportlib.import_module(f'house.low.{x}')",
}


@pytest.mark.parametrize("how", PLANTED)
def test_a_planted_circle_is_found(how: str, tmp_path: Path) -> None:
    """Of two modules that import one another through a third, however the first does it."""
    low = tmp_path / "house" / "low"
    low.mkdir(parents=True)
    (low.parent / "__init__.py").write_text("")
    (low / "__init__.py").write_text("")
    (low / "two.py").write_text("from house import three\nNAME = 2\n")
    (low.parent / "three.py").write_text("from house.one import *\n")
    (low.parent / "one.py").write_text("")
    assert circles(low.parent) == []
    (low.parent / "one.py").write_text(PLANTED[how])
    assert circles(low.parent) == [["house.low.two", "house.one", "house.three"]]
