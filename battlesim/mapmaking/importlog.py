"""What an import took, mended, assumed and left out, thing by thing, so that nothing goes in silence.

`importer.import_map` returns a `ImportReport`; `format_report` makes it lines for people. Read `ImportReport` first.
"""

from __future__ import annotations

from collections.abc import Iterable

from msgspec import Struct

from battlesim.core.errors import Fault

ACTIONS = ("taken", "repaired", "simplified", "assumed", "left out")
"""What can have happened to a thing of the source."""


class ImportNote(Struct, frozen=True):
    """One thing of the source, or `count` alike: what happened to it and why. `id` names it in its file, where one is
    meant; `what` is house, court, road, path, square, park, woods, tree, rough, water, wall, hedge, fence and so on.
    """

    action: str
    what: str
    why: str = ""
    id: str = ""
    name: str = ""
    count: int = 1


class ImportReport(Struct, frozen=True):
    """What became of a file of footprints. `size` in hundredths, `turn` in hundredths of a degree clockwise; `counts`
    by name (houses, sections, spaces, ...) in a fixed order; `faults`: what `check_map` says of the written map.
    """

    name: str
    out: str
    size: tuple[int, int]
    turn: int
    counts: dict[str, int]
    notes: tuple[ImportNote, ...] = ()
    faults: tuple[Fault, ...] = ()
    attribution: str = ""
    license: str = ""

    def total(self, action: str, what: str = "") -> int:
        """How many things an action was taken with, of one kind or of all."""
        return sum(n.count for n in self.notes if n.action == action and what in ("", n.what))


class ImportLog:
    """Notes gathered while a map is made."""

    def __init__(self) -> None:
        self.notes: list[ImportNote] = []

    def add(
        self, action: str, what: str, why: str = "", id: str = "", name: str = "", count: int = 1
    ) -> None:
        """Notes one thing; a count of 0 is no note."""
        if count:
            self.notes.append(ImportNote(action, what, why, id, name, count))

    def sorted(self) -> tuple[ImportNote, ...]:
        """The notes by action, kind and reason; things of one reason in the order they came."""
        return tuple(sorted(self.notes, key=lambda n: (ACTIONS.index(n.action), n.what, n.why)))


def format_report(report: ImportReport, every: bool = False) -> str:
    """The report as lines: counts, then each action with its reasons; `every`: each thing by name, not three of them."""
    width, height = report.size[0] / 100, report.size[1] / 100
    turned = f", turned {report.turn / 100:g} degrees" if report.turn else ""
    lines = [f"{report.name}: {width:g} x {height:g} inches{turned}, written to {report.out}"]
    lines.append("  " + ", ".join(f"{count:,} {name}" for name, count in report.counts.items()))
    for action in ACTIONS:
        groups: dict[tuple[str, str], list[ImportNote]] = {}
        for note in report.notes:
            if note.action == action:
                groups.setdefault((note.what, note.why), []).append(note)
        if groups:
            lines.append(f"{action}:")
        for (what, why), notes in groups.items():
            total = sum(note.count for note in notes)
            head = f"  {total:,} {what}" + (f": {why}" if why else "")
            lines.append(head + _examples(notes, every))
    if report.faults:
        lines.append("the check of the map says:")
        lines += [f"  {fault.level}: {fault}" for fault in report.faults]
    return "\n".join(lines)


def _examples(notes: Iterable[ImportNote], every: bool) -> str:
    named = [f"{note.id} {note.name}".strip() for note in notes if note.id]
    if not named:
        return ""
    shown = named if every else named[:3]
    more = f", and {len(named) - len(shown)} more" if len(named) > len(shown) else ""
    return f" ({', '.join(shown)}{more})"
