"""Finding exams by name or path, reading and checking them, and playing up to their question. Read `load_exam` first."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from battlesim.board.findings import Findings
from battlesim.board.load import load_map, maps_folder
from battlesim.board.yamlfaults import Loc
from battlesim.board.yamlfile import parse_yaml, read_bytes, with_lines
from battlesim.core.codec import dump_state
from battlesim.core.dice import KeyedDice, derive_seed
from battlesim.core.errors import Fault, InputError, did_you_mean, did_you_mean_or_path
from battlesim.core.state import State
from battlesim.engine.battle import Battle
from battlesim.exams.file import ExamFile, ExamSpec, PassSpec
from battlesim.exams.words import fits, in_words
from battlesim.rules.contract import Ruleset
from battlesim.rules.registry import read_clauses
from battlesim.rules.scenario import Scenario
from battlesim.rulesets.finder import find_ruleset
from battlesim.scenario.file import ScenarioFile
from battlesim.scenario.load import first_state, settle

_UNIT_FIELDS = ("models", "facing")
_SECTION_FIELDS = ("fallen", "burning")


class Exam(Struct, frozen=True):
    """An exam at its question. `side`: the one examined. `start`: the state there, with the question on top of its stack.
    `window`: how long answers count (activation, turn or battle). `passes`: what must be true at its end. `right`, `wrong`: lines
    of answers in words, the wrong ones by what tempts to them. `worth`: wins or points."""

    name: str
    title: str
    why: str
    clauses: tuple[str, ...]
    scenario: Scenario
    side: int
    start: State
    window: str
    passes: PassSpec
    right: tuple[str, ...]
    wrong: dict[str, tuple[str, ...]]
    worth: str
    path: str = ""

    @property
    def ruleset(self) -> str:
        """The name of its rulebook."""
        return self.scenario.ruleset

    def battle(self, seed: int) -> Battle:
        """A battle at the question; the past is the exam's, future dice come from this seed."""
        dice = KeyedDice(derive_seed(seed, "exam", self.name))
        return Battle(find_ruleset(self.ruleset), self.scenario.board, self.start.clone(), dice)


def exams_folder() -> Path:
    """The folder of the shipped exams, in that of the shipped maps."""
    return maps_folder() / "exams"


def shipped_exams() -> dict[str, tuple[str, ...]]:
    """The names of the shipped exams by rulebook, both sorted."""
    found: dict[str, list[str]] = {}
    for path in sorted(exams_folder().glob("*/*.yaml")):
        if path.parent.name != "maps":
            found.setdefault(path.parent.name, []).append(path.stem)
    return {ruleset: tuple(names) for ruleset, names in found.items()}


def exam_paths(name: str) -> list[Path]:
    """The files that a word means: one exam by its name or path, or all exams of a rulebook. Raises InputError if it means
    none."""
    if "/" in name or "\\" in name or name.endswith((".yaml", ".yml")):
        return [Path(name)]
    shipped = shipped_exams()
    for ruleset, names in shipped.items():
        if name == ruleset:
            return [exams_folder() / ruleset / f"{one}.yaml" for one in names]
        if name in names:
            return [exams_folder() / ruleset / f"{name}.yaml"]
    known = [*shipped, *(one for names in shipped.values() for one in names)]
    raise InputError(Fault(f"there is no exam {name!r}", did_you_mean_or_path(name, known)))


def _exam_path(name: str) -> Path:
    """The file of one exam. Raises InputError for the name of a rulebook, which means all its exams."""
    if name in shipped_exams():
        remedy = f"name one of its exams, such as {shipped_exams()[name][0]}"
        raise InputError(Fault(f"{name!r} is a rulebook, not an exam", remedy))
    return exam_paths(name)[0]


def load_exam(name_or_path: str | Path) -> Exam:
    """One exam by shipped name or path, checked and played up to its question. Raises InputError with every fault of the file."""
    path = name_or_path if isinstance(name_or_path, Path) else _exam_path(name_or_path)
    data = read_bytes(path, "exam")
    file = parse_yaml(data, ExamFile, str(path), "exam")
    found = Findings()
    try:
        ruleset, board = find_ruleset(file.ruleset), load_map(_map_name(file.map, path))
    except InputError as error:
        raise InputError([replace(fault, file=fault.file or str(path)) for fault in error.faults]) from None
    given = file.model_fields_set - {"exam"}
    said = {name: getattr(file, name) for name in ScenarioFile.model_fields}
    scenario = settle(ScenarioFile.model_construct(given, **said), ruleset, board, found)
    spec = file.exam
    side = next((n for n, info in enumerate(scenario.sides) if info.name == spec.side), -1)
    if side < 0:
        known = [info.name for info in scenario.sides]
        found.error(("exam", "side"), f"there is no side {spec.side!r}", did_you_mean(spec.side, known))
    names = [force.name for force in scenario.forces]
    for key in ("at", "away"):
        for name in getattr(spec.passes, key):
            if name not in names:
                what = f"there is no unit {name!r}"
                found.error(("exam", "passes", key, name), what, did_you_mean(name, names))
    # An exam names only clauses that its rulebook has.
    known = [clause.id for clause in read_clauses(ruleset.folder)] if spec.clauses else []
    for number, clause in enumerate(spec.clauses):
        if clause not in known:
            what = f"{ruleset.name} has no clause {clause!r}"
            remedy = f"{did_you_mean(clause, known)} `battlesim rules {ruleset.name}` lists them"
            found.error(("exam", "clauses", number), what, remedy)
    if not found.fatal:
        start = _led(scenario, ruleset, spec, side, found)
    if found.fatal:
        errors = [item for item in found.items if item[1].level == "error"]
        raise InputError(with_lines(errors, data, str(path)))
    return Exam(
        name=file.name,
        title=file.title or file.name,
        why=spec.why,
        clauses=spec.clauses,
        scenario=replace(scenario, path=str(path)),
        side=side,
        start=start,
        window=spec.window,
        passes=spec.passes,
        right=spec.right,
        wrong=dict(spec.wrong),
        worth=spec.worth,
        path=str(path),
    )


def _map_name(name: str, path: Path) -> str | Path:
    is_path = "/" in name or "\\" in name or name.endswith((".yaml", ".yml"))
    return path.parent / name if is_path else name


def _led(scenario: Scenario, ruleset: Ruleset, spec: ExamSpec, side: int, found: Findings) -> State:
    """The state at the question: set up, changed as the file says, then played on with the answers of the lead."""
    first = _changed(first_state(scenario, spec.seed), scenario, ruleset, spec, found)
    battle = Battle(ruleset, scenario.board, first, KeyedDice(derive_seed(spec.seed, "dice")))
    sides = [info.name for info in scenario.sides]
    for number, pattern in enumerate(spec.lead):
        question = battle.question
        words = [in_words(a, battle.state, battle.board) for a in question.answers] if question else []
        if question is not None:
            words = [f"{sides[question.side]}: {text}" for text in words]
        chosen = [n for n, text in enumerate(words) if fits(text, pattern)]
        if not chosen or question is None:
            asked = type(question.ask).__name__ if question else "the end"
            shown = ", ".join(repr(text) for text in words[:12]) or "nothing"
            what = f"{pattern!r} is not an answer at this point of the lead ({asked})"
            found.error(("exam", "lead", number), what, f"legal: {shown}")
            return battle.state
        battle.answer(question.answers[chosen[0]])
    if battle.question is None:
        found.error(("exam", "lead"), "the battle is over before the exam begins", "leave answers out")
    elif spec.asks and type(battle.question.ask).__name__ != spec.asks:
        what = f"the lead comes to the question {type(battle.question.ask).__name__}, not {spec.asks}"
        found.error(("exam", "asks"), what, "lead on, or take another seed")
    elif battle.question.side != side:
        asked = scenario.sides[battle.question.side].name
        what = f"after the lead {type(battle.question.ask).__name__} is put to {asked!r}"
        found.error(
            ("exam", "lead"), what, "lead on to a question of the examined side, or take another seed"
        )
    return battle.state


def _changed(state: State, scenario: Scenario, ruleset: Ruleset, spec: ExamSpec, found: Findings) -> State:
    """A first state with the exam's changes of units and sections."""
    if not spec.units and not spec.sections:
        return state
    plain: dict[str, Any] = msgspec.json.decode(dump_state(state))
    units = {unit["name"]: unit for unit in plain["units"]}
    own = [field.name for field in msgspec.structs.fields(ruleset.own)]
    for name, settings in spec.units.items():
        if name not in units:
            found.error(("exam", "units", name), f"there is no unit {name!r}", did_you_mean(name, units))
            continue
        for key, value in settings.items():
            place: Loc = ("exam", "units", name, key)
            if key in _UNIT_FIELDS:
                units[name][key] = value
            elif key in own:
                units[name]["own"][key] = value
            else:
                found.error(place, f"a unit has no {key!r}", did_you_mean(key, (*_UNIT_FIELDS, *own)))
    sections = {section.name: section.id for section in scenario.board.sections}
    for name, settings in spec.sections.items():
        if name not in sections:
            remedy = did_you_mean(name, sections)
            found.error(("exam", "sections", name), f"there is no section {name!r}", remedy)
            continue
        rows = [row for row in plain["structures"] if row["section"] == sections[name]]
        row: dict[str, Any] = rows[0] if rows else {"section": sections[name], "own": {}}
        if not rows:
            plain["structures"].append(row)
        for key, value in settings.items():
            place = ("exam", "sections", name, key)
            if key in _SECTION_FIELDS:
                row[key] = value
            elif key not in ruleset.section:
                remedy = did_you_mean(key, (*_SECTION_FIELDS, *ruleset.section))
                found.error(place, f"a section has no {key!r}", remedy)
            else:
                row["own"][key] = _fitting(value, ruleset.section[key], place, found)
    if found.fatal:
        return state
    remedy = "give values as the rulebook's page lists them"
    try:
        changed = ruleset.codec.typed(plain)
    except msgspec.ValidationError as error:
        found.error(("exam",), f"a change does not fit: {error}", remedy)
        return state
    # The rules rely on their invariants: they would play on from an impossible position, but wrongly.
    if broken := ruleset.faults(changed, scenario.board):
        changes = {f"unit {units[name]['id']} ({name}): ": ("units", name) for name in spec.units}
        changes |= {f"section {sections[name]}: ": ("sections", name) for name in spec.sections}
        for said in broken:
            place = next((at for start, at in changes.items() if said.startswith(start)), ())
            found.error(("exam", *place), f"the changes make an impossible position: {said}", remedy)
        return state
    return changed


def _fitting(value: Any, kind: Any, place: Loc, found: Findings) -> Any:
    """A value that the rulebook keeps of a section, if it is of the right type; else a fault."""
    try:
        return msgspec.convert(value, kind)
    except msgspec.ValidationError as error:
        found.error(place, f"{value!r} does not fit: {error}", "give a value as the rulebook keeps it")
        return value
