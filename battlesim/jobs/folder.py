"""Run folders: what a run was asked to do, where it ran, its results, records and report. Read `RunFolder`.

    config.toml or config.json   what the user asked for; an exact copy if it came from a file
    resolved.json                the same with every name resolved, every digest and every default
    environment.json             where it ran: versions and platform, one entry for each session
    results.sqlite               one row for each game (`store.py`)
    records/                     records of chosen games
    summary.json, report.html    the results, written when a session ends

A folder is made completely or not at all. Only one driver at a time plays a run: it holds a lock, which ends with its process.
"""

from __future__ import annotations

import json
import re
import sqlite3
import tempfile
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, TypeVar
from unicodedata import normalize

import msgspec

from battlesim.core.errors import Fault, InputError, did_you_mean
from battlesim.core.files import write_file
from battlesim.core.kinds import kind_of
from battlesim.jobs.store import Store

STORE, RESOLVED, ENVIRONMENT, SUMMARY, REPORT = (
    "results.sqlite",
    "resolved.json",
    "environment.json",
    "summary.json",
    "report.html",
)
"""The files in a run's folder, as listed above."""
LOCK = "driver.lock"
"""The file that a process keeps locked while it plays in the folder."""
LOOK_SECONDS = 0.5
"""How long a driver waits for the lock, which `is_driven` holds for a moment, too."""
_RESTORE = "restore it or begin a new run"
_NO_RUN = "give the folder of a run; `battlesim runs` lists them"


Kept = TypeVar("Kept")


class RunFolder:
    """The folder of one run. Raises InputError if `path` is not one."""

    def __init__(self, path: Path) -> None:
        self.path = path
        if not path.is_dir() and (fault := kind_of(path)):
            raise InputError(fault)
        if not path.is_dir():
            raise InputError(Fault("there is no such run", _NO_RUN, str(path)))
        needed = {name: (path / name).is_file() for name in (RESOLVED, STORE)} | {
            "records": (path / "records").is_dir()
        }
        if not all(needed.values()):
            what, remedy = "this is not a run's folder", _NO_RUN
            # A run that was copied in part says what is missing.
            if any(needed.values()):
                lost = " and no ".join(name for name, is_there in needed.items() if not is_there)
                what, remedy = (
                    f"{what}: it has no {lost}",
                    "copy the whole folder of the run, or begin a new one",
                )
            raise InputError(Fault(what, remedy, str(path)))

    def __repr__(self) -> str:
        return f"RunFolder({str(self.path)!r})"

    @classmethod
    def create(cls, path: Path, resolved: Mapping[str, Any], asked: bytes, suffix: str) -> RunFolder:
        """A new run in the folder `path`. `resolved`: the content of `resolved.json`. `asked`: that of the config file; `suffix`:
        the end of its name, ".toml" or ".json". Raises InputError if the folder exists or cannot be made."""
        if path.exists():
            raise InputError(Fault("the folder exists", "give another --out, or --resume it", str(path)))
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            with tempfile.TemporaryDirectory(prefix=".new-", dir=path.parent) as scratch:
                made = Path(scratch, "run")
                (made / "records").mkdir(parents=True)
                (made / f"config{suffix}").write_bytes(asked)
                write_json(made / RESOLVED, resolved)
                write_json(made / ENVIRONMENT, [])
                Store.create(made / STORE).close()
                made.rename(path)
        except OSError as error:
            what = f"the run's folder cannot be made: {error.strerror or error}"
            raise InputError(Fault(what, "give a folder that is writable: --out FOLDER", str(path))) from None
        return cls(path)

    def store(self, read_only: bool = False) -> Store:
        """The run's store, opened anew; the caller closes it. Raises InputError if it cannot be read."""
        return Store(self.path / STORE, read_only)

    @property
    def records(self) -> Path:
        """The folder of records."""
        return self.path / "records"

    def resolved(self) -> dict[str, Any]:
        """The content of `resolved.json`. Raises InputError if it is damaged, as the next two do for their files."""
        found: dict[str, Any] = _read(self.path / RESOLVED, dict)
        return found

    def environment(self) -> list[dict[str, Any]]:
        """The content of `environment.json`: one entry for each session."""
        found: list[dict[str, Any]] = _read(self.path / ENVIRONMENT, list)
        if not all(map(_is_session, found)):
            raise InputError(Fault("the run's file is damaged", _RESTORE, str(self.path / ENVIRONMENT)))
        return found

    def summary(self) -> dict[str, Any]:
        """The last summary that was written; {} if there is none."""
        if not (self.path / SUMMARY).is_file():
            return {}
        found: dict[str, Any] = _read(self.path / SUMMARY, dict)
        return found

    def kept(self, name: str, kind: type[Kept], what: str, command: str) -> Kept:
        """What a command keeps in its runs: the value in the JSON file `name`. Raises InputError, which says that the run is not
        `what` and which command begins one, if the run has no such file; also if the file is damaged."""
        file = self.path / name
        try:
            return msgspec.json.decode(file.read_bytes(), type=kind)
        except FileNotFoundError:
            remedy = f"name a run that `{command}` began"
            raise InputError(Fault(f"this run is not {what}", remedy, str(self.path))) from None
        except (OSError, msgspec.DecodeError) as error:
            raise InputError(Fault(f"it cannot be read: {error}", _RESTORE, str(file))) from None

    def asked(self) -> Path:
        """The path of the config file. Raises InputError if it is lost."""
        for suffix in (".toml", ".json"):
            if (found := self.path / f"config{suffix}").is_file():
                return found
        raise InputError(Fault("the run has lost its config file", _NO_RUN, str(self.path)))

    def is_driven(self) -> bool:
        """Whether a driver plays the run now. A driver that was killed does not count."""
        return is_held(self.path)

    @contextmanager
    def locked(self) -> Iterator[None]:
        """Hold the run's lock, so that nobody else plays it meanwhile. Raises InputError if somebody does."""
        with hold(self.path):
            yield


@contextmanager
def hold(folder: Path) -> Iterator[None]:
    """Hold the lock of a folder, so that nobody else plays in it meanwhile. Raises InputError if somebody does."""
    lock = folder / LOCK
    db: sqlite3.Connection | None = None
    try:
        db = sqlite3.connect(lock, timeout=LOOK_SECONDS, isolation_level=None)
        db.execute("PRAGMA journal_mode = MEMORY")
        db.execute("BEGIN EXCLUSIVE")
    except sqlite3.Error as error:
        if db is not None:
            db.close()
        if "locked" in str(error):
            what = "another process is playing this run"
            raise InputError(
                Fault(what, "wait for it or stop it; only one may play a run", str(folder))
            ) from None
        what = f"the run cannot be locked: {error}"
        raise InputError(Fault(what, "make the run's folder writable", str(lock))) from None
    try:
        yield
    finally:
        with suppress(sqlite3.Error):
            db.execute("ROLLBACK")
        db.close()


def is_held(folder: Path) -> bool:
    """Whether a living process holds the lock of a folder. False for a folder without a lock."""
    lock = folder / LOCK
    if not lock.is_file():
        return False
    try:
        db = sqlite3.connect(f"{lock.resolve().as_uri()}?mode=ro", uri=True, timeout=0, isolation_level=None)
    except sqlite3.Error:
        return False
    try:
        db.execute("SELECT * FROM sqlite_master").fetchall()
    except sqlite3.Error as error:
        return "locked" in str(error)
    finally:
        db.close()
    return False


def _is_session(one: Any) -> bool:
    return (
        isinstance(one, dict)
        and isinstance(one.get("started"), str)
        and all(
            isinstance(one.get(key, 0), int | float) and 0 <= one.get(key, 0) < float("inf")
            for key in ("seconds", "games")
        )
        and "seconds" in one
    )


def runs_in(folder: Path) -> list[RunFolder]:
    """The runs in a folder, by name; all else in it is skipped, also what this user may not look into."""
    found = []
    if folder.is_dir():
        for path in sorted(folder.iterdir()):
            with suppress(InputError, PermissionError):
                found.append(RunFolder(path))
    return found


def find_run(
    name: str, folder: Path, also: Callable[[Path], Iterable[Path]] = lambda folder: ()
) -> RunFolder:
    """A run by its path, or by its name inside `folder`. `also`: gives folders, in one, whose names may be meant as well. Raises
    InputError, with similar names, if there is none."""
    path = Path(name)
    if not path.exists():
        if not (folder / name).is_dir():
            near = path.parent if len(path.parts) > 1 else folder
            known = {*(run.path for run in runs_in(near)), *also(near)}
            meant = did_you_mean(path.name, sorted(one.name for one in known))
            remedy = f"{meant} {_NO_RUN}" if meant.endswith("?") else _NO_RUN
            raise InputError(Fault("there is no such run", remedy, str(path)))
        path = folder / name
    return RunFolder(path)


def free_name(folder: Path, name: str) -> Path:
    """A path for a new run of that name, which does not exist yet: the name, or the name with -2, -3 and so on. All but letters
    and digits of any script, points, dashes and underscores becomes a dash."""
    safe = re.sub(r"[^\w.-]+", "-", normalize("NFC", name)).strip("-.")[:60] or "run"
    path = folder / safe
    count = 1
    while path.exists():
        count += 1
        path = folder / f"{safe}-{count}"
    return path


def write_json(path: Path, value: Any) -> None:
    """Write JSON, whole or not at all. Raises InputError if that fails."""
    write_file(path, (json.dumps(value, ensure_ascii=False, indent=1) + "\n").encode())


def _read(path: Path, kind: type) -> Any:
    try:
        value = json.loads(path.read_bytes())
    except (OSError, ValueError) as error:
        raise InputError(Fault(f"the run's file cannot be read: {error}", _RESTORE, str(path))) from None
    if not isinstance(value, kind):
        raise InputError(Fault(f"the run's file holds {value!r:.40}", _RESTORE, str(path)))
    return value
