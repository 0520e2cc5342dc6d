"""How many planted faults fuzzing finds, and how fast: `python -m tests.measure_fuzz [NAME...] [--write]`.

Each fault is one change of the text of the program, made in a copy of the package, which then fuzzes itself until something is
found or it has played enough cases. Seconds are those of the processor, so that they do not depend on what else runs. `--write`
puts the table in docs/fuzz.md. Some five minutes on one quiet core. A fault is planted under a rulebook in which it changes
something: regiment, say, never asks for more models than a unit has.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any, NamedTuple

ROOT = Path(__file__).parents[1]
PAGE = ROOT / "docs" / "fuzz.md"
BEGIN, END = "<!-- faults: python -m tests.measure_fuzz --write -->", "<!-- end of faults -->"
CASES = 100
"""A fault is looked for in so many cases."""
SEED = 7


class Planted(NamedTuple):
    """A fault: its name, the rulebook that is fuzzed, the file, and the text that is replaced, which stands there once."""

    name: str
    ruleset: str
    file: str
    old: str
    new: str


FAULTS = (
    Planted(
        "the dead stay on the board",
        "orderdice",
        "core/apply.py",
        "models=0, alive=False, place=-1",
        "models=0, alive=False",
    ),
    Planted(
        "of two units on a place one is forgotten",
        "squadhex",
        "core/apply.py",
        "tuple(sorted((*here, unit.id))) if here else (unit.id,)",
        "(unit.id,)",
    ),
    Planted(
        "a fork shares the position",
        "armorclass",
        "engine/battle.py",
        "fork._r = its = Resolution(r.state.clone(),",
        "fork._r = its = Resolution(r.state,",
    ),
    Planted(
        "an illegal answer raises another error",
        "regiment",
        "engine/battle.py",
        "        except ValueError:\n            shown",
        "        except ZeroDivisionError:\n            shown",
    ),
    Planted(
        "a saved battle forgets its turn", "orderdice", "core/codec.py", 'turn=fields["turn"],', "turn=1,"
    ),
    Planted(
        "a loaded agenda forgets its priorities",
        "armorclass",
        "core/codec.py",
        "Entry(e.time, e.priority, e.serial, convert(e.step, self.items))",
        "Entry(e.time, 0, e.serial, convert(e.step, self.items))",
    ),
    Planted(
        "a unit loses more models than it has",
        "squadhex",
        "rules/resolution.py",
        "lost = min(models, unit.models)",
        "lost = models",
    ),
    Planted(
        "the attempt is left out of the dice's key",
        "orderdice",
        "rules/resolution.py",
        "self.dice.faces((turn, actor, purpose, obj, attempt), n, sides)",
        "self.dice.faces((turn, actor, purpose, obj, 0), n, sides)",
    ),
    Planted(
        "a point is given without an event",
        "orderdice",
        "rules/victory.py",
        "        self.score(r)\n        points = r.state.points\n",
        "        self.score(r)\n        r.state.points = points = (r.state.points[0] + 1, r.state.points[1])\n",
    ),
    Planted(
        "who is in a falling house stays in it",
        "orderdice",
        "rulesets/orderdice/collapse.py",
        "        casualties.destroy(r, unit.id, how, clauses)\n    r.emit(StructureSet(section, True",
        "        pass\n    r.emit(StructureSet(section, True",
    ),
    Planted(
        "an order is offered twice",
        "orderdice",
        "rulesets/orderdice/turn.py",
        "    names.append(DOWN)\n",
        "    names += [DOWN, DOWN]\n",
    ),
    Planted(
        "a unit may act twice in a round",
        "squadhex",
        "rulesets/squadhex/turn.py",
        "in state.living(ask.side) if can_act(unit)",
        "in state.living(ask.side) if unit.place >= 0 and not unit.own.disrupted",
    ),
    Planted(
        "units are listed by name",
        "orderdice",
        "rulesets/orderdice/turn.py",
        "all_numbered(Pick, list(waiting(state, ask.side)))",
        "all_numbered(Pick, sorted(waiting(state, ask.side), key=lambda n: state.units[n].name))",
    ),
    Planted(
        "two fires have one number",
        "armorclass",
        "rulesets/armorclass/blaze.py",
        "begun=known.begun + 1)",
        "begun=known.begun)",
    ),
    Planted(
        "a view hands out the battle's own units",
        "regiment",
        "rules/views.py",
        "units=units if hidden else units.copy(),",
        "units=units,",
    ),
    Planted(
        "an order is obeyed on one less",
        "orderdice",
        "rulesets/orderdice/turn.py",
        "(rolled <= goal or rolled == 2)",
        "(rolled < goal or rolled == 2)",
    ),
    Planted(
        "low faces come more often", "squadhex", "core/dice.py", "usable = 256 - 256 % sides", "usable = 256"
    ),
    Planted(
        "windows lean to one end of their wall",
        "regiment",
        "board/openings.py",
        "rest = total * (2 * i + 1) // (2 * count)",
        "rest = total * (4 * i + 1) // (4 * count)",
    ),
    Planted(
        "a certain outcome is worth not a number",
        "orderdice",
        "rules/contract.py",
        "    rest = 1.0 - share\n",
        '    rest = 1.0 - share if share < 1.0 else float("nan")\n',
    ),
    Planted(
        "units are set up where there is no room",
        "regiment",
        "rules/deployment.py",
        "if self._joins(number, place, self.standing.get(place, ())) and self._suits(number, place):",
        "if self._suits(number, place):",
    ),
)

RUN = """
import json, sys, time
from msgspec import to_builtins
from battlesim.stress.fuzz import SessionAsked, fuzz_ruleset
asked = SessionAsked(sys.argv[1], int(sys.argv[2]), int(sys.argv[3]))
found = fuzz_ruleset(asked, stop_at=1, tries=int(sys.argv[4]), clock=time.process_time)
print(json.dumps(to_builtins(found)))
"""


def planted(fault: Planted, folder: Path) -> Path:
    """A copy of the package in a folder with a fault in it."""
    shutil.copytree(
        ROOT / "battlesim", folder / "battlesim", ignore=shutil.ignore_patterns("__pycache__", "_data")
    )
    # With pyproject.toml it is a checkout, so that the maps and scenarios beside it are those that ship.
    for name in ("maps", "agents", "pyproject.toml"):
        os.symlink(ROOT / name, folder / name)
    file = folder / "battlesim" / fault.file
    text = file.read_text(encoding="utf-8")
    assert text.count(fault.old) == 1, f"{fault.name}: {fault.old!r} stands {text.count(fault.old)} times"
    file.write_text(text.replace(fault.old, fault.new), encoding="utf-8")
    return folder


def fuzzed(fault: Planted, cases: int = CASES, seed: int = SEED, tries: int = 0) -> dict[str, Any]:
    """The session of a package with a fault: it ends with the first failure, or after so many cases. `tries`: smaller cases that
    are tried."""
    with tempfile.TemporaryDirectory() as name:
        folder = planted(fault, Path(name))
        words = [sys.executable, "-c", RUN, fault.ruleset, str(seed), str(cases), str(tries)]
        environment = {**os.environ, "PYTHONPATH": str(folder), "PYTHONDONTWRITEBYTECODE": "1"}
        done = subprocess.run(words, cwd=folder, env=environment, capture_output=True, text=True, check=False)
    if done.returncode:
        # So broken that no session begins: that is no find of fuzzing.
        last = done.stderr.strip().rsplit("\n", 1)[-1]
        return {"cases": 0, "failures": [], "broken": last[:80]}
    found: dict[str, Any] = json.loads(done.stdout)
    return found


def row(fault: Planted, found: dict[str, Any]) -> str:
    failures = found["failures"]
    if "broken" in found:
        return f"| {fault.name} | {fault.ruleset} | not counted: no session begins ({found['broken']}) | | |"
    if not failures:
        return f"| {fault.name} | {fault.ruleset} | not found in {found['cases']} cases | | |"
    one = failures[0]
    law = one["law"].replace("|", "/")
    return f"| {fault.name} | {fault.ruleset} | {law} | {one['case']} | {one['seconds']:.1f} |"


def main() -> None:
    parser = argparse.ArgumentParser(description="Measure how many planted faults fuzzing finds.")
    parser.add_argument("names", nargs="*", metavar="NAME", help="words of the faults' names (all)")
    parser.add_argument("--cases", type=int, default=CASES)
    parser.add_argument("--write", action="store_true", help="put the table in docs/fuzz.md")
    args = parser.parse_args()
    if args.write and args.names:
        parser.error("--write puts the whole table in docs/fuzz.md: name no faults with it")
    rows = [
        "| planted fault | rulebook | broken law | case | seconds |",
        "| --- | --- | --- | --: | --: |",
    ]
    found = 0
    chosen = [one for one in FAULTS if not args.names or any(name in one.name for name in args.names)]
    if not chosen:
        parser.error(f"no planted fault is called so; known: {'; '.join(one.name for one in FAULTS)}")
    print("\n".join(rows), flush=True)
    for fault in chosen:
        session = fuzzed(fault, args.cases)
        found += bool(session["failures"])
        rows.append(row(fault, session))
        print(rows[-1], flush=True)
    rows += ["", f"{found} of {len(chosen)} were found within {args.cases} cases each."]
    print(rows[-1])
    if args.write:
        text = PAGE.read_text(encoding="utf-8")
        table = "\n".join([BEGIN, *rows, END])
        PAGE.write_text(re.sub(f"{BEGIN}.*?{END}", lambda _: table, text, flags=re.DOTALL), encoding="utf-8")


if __name__ == "__main__":
    main()
