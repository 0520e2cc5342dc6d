"""Loading maps by name or path. Read `load_map` first.

A map is named by its shipped name (`stairwell`) or by the path of its file. The shipped maps are those of the checkout, or else
of the installed package. Boards are kept while in use; the last ones built are kept in any case.
"""

from __future__ import annotations

import copyreg
from collections import deque
from collections.abc import Callable
from hashlib import sha256
from pathlib import Path
from weakref import WeakValueDictionary

from battlesim.board.board import Board
from battlesim.board.build import build_board
from battlesim.board.findings import Findings
from battlesim.board.mapfile import MapFile, canonical_bytes, decode_canonical
from battlesim.board.model import SightRules
from battlesim.board.yamlfile import parse_yaml, read_bytes, with_lines
from battlesim.core.errors import Fault, InputError, did_you_mean_or_path

_PACKAGE = Path(__file__).resolve().parent.parent
_KEPT = 64
"""Boards that are kept although unused."""
_boards: WeakValueDictionary[str, Board] = WeakValueDictionary()
"""By the digest of their map's content."""
_by_bytes: WeakValueDictionary[str, Board] = WeakValueDictionary()
"""By the digest of the file's bytes, so that the same file is not parsed again."""
_latest: deque[Board] = deque(maxlen=_KEPT)


def maps_folder() -> Path:
    """The folder of the shipped maps."""
    own = _PACKAGE.parent / "maps"
    return (
        own
        if own.is_dir() and (_PACKAGE.parent / "pyproject.toml").is_file()
        else _PACKAGE / "_data" / "maps"
    )


def shipped_maps() -> tuple[str, ...]:
    """The names of the shipped maps, sorted."""
    return tuple(sorted(path.stem for path in maps_folder().glob("*.yaml") if _is_map(path)))


def _is_map(path: Path) -> bool:
    return any(line.startswith("ground:") for line in path.read_text(encoding="utf-8").splitlines())


def map_path(name_or_path: str | Path) -> Path:
    """The file of a map: a path where it looks like one (a separator or .yaml), else that of a shipped name.

    Raises InputError for a name that no shipped map has. A path is not checked here.
    """
    text = str(name_or_path)
    if isinstance(name_or_path, Path) or "/" in text or "\\" in text or text.endswith((".yaml", ".yml")):
        return Path(text)
    names = shipped_maps()
    if text not in names and Path(text).exists():
        return Path(text)
    if text not in names:
        if (maps_folder() / "scenarios" / f"{text}.yaml").is_file():
            what = f"{text!r} is a scenario, not a map"
            raise InputError(
                Fault(what, f"'battlesim scenarios {text}' names its map; 'battlesim play {text}' plays it")
            )
        raise InputError(Fault(f"there is no map {text!r}", did_you_mean_or_path(text, names)))
    return maps_folder() / f"{text}.yaml"


def load_map(name_or_path: str | Path) -> Board:
    """The board of a map, by shipped name or path: the same object for the same content.

    >>> load_map("stairwell").unit
    'inch'

    Raises InputError with every fault of the file. Warnings are left to `check.check_map`.
    """
    path = map_path(name_or_path)
    data = read_bytes(path, "map")
    key = sha256(data).hexdigest()
    board = _by_bytes.get(key)
    if board is None:
        found = Findings()
        built = build_board(parse_yaml(data, MapFile, str(path), "map"), found)
        if built is None:
            errors = [item for item in found.items if item[1].level == "error"]
            raise InputError(with_lines(errors, data, str(path)))
        board = _by_bytes[key] = _boards.setdefault(built.digest, built)
        _latest.append(board)
    return board


def decode_map(source: bytes, name: str = "") -> Board:
    """The board of a map's canonical bytes (`Board.source`): the same object for the same map. `name`: the file that they came
    from, for messages. Raises InputError if they are damaged."""
    board = _boards.get(sha256(source).hexdigest())
    if board is None:
        mapfile = decode_canonical(source, MapFile, name, "map")
        if canonical_bytes(mapfile) != source:
            raise InputError(Fault("the map in it was altered", "take the map's own file", name))
        found = Findings()
        board = build_board(mapfile, found)
        if board is None:
            raise InputError(
                [Fault(f"the map: {f.what}", f.remedy, name) for _, f in found.items if f.level == "error"]
            )
        _boards[board.digest] = board
        _latest.append(board)
    return board


def _unpickled(source: bytes, rules: SightRules) -> Board:
    return decode_map(source).under(rules)


def _pickled(board: Board) -> tuple[Callable[[bytes, SightRules], Board], tuple[bytes, SightRules]]:
    """A board is pickled as its map's content and its rules of sight; when unpickled it is one of the process's own boards."""
    return _unpickled, (board.source, board.sight_rules)


copyreg.pickle(Board, _pickled)  # not in the class, which cannot import this module


def loaded_boards() -> tuple[Board, ...]:
    """Every board that is kept or in use, in the order in which their maps were loaded."""
    return tuple(sibling for board in _boards.values() for sibling in board.siblings())
