"""The report of an import: everything that it used, repaired, simplified, assumed and left out.

`importer.import_map` returns an `ImportReport`; `format_report` makes lines of text from it. Read `ImportReport` first.
"""

from __future__ import annotations

from collections.abc import Iterable

from msgspec import Struct

from battlesim.core.errors import Fault

ACTIONS = ("taken", "repaired", "simplified", "assumed", "left out")
"""What can happen to a thing of the source."""


class ImportNote(Struct, frozen=True):
    """What happened to one thing of the source, or to `count` of the same kind, and why. `id`: its name in the file, for a single
    one. `what`: house, court, road, path, square, park, woods, tree, rough, water, wall, hedge, fence and so on.
    """

    action: str
    what: str
    why: str = ""
    id: str = ""
    name: str = ""
    count: int = 1


class ImportReport(Struct, frozen=True):
    """The result of an import. `size`: in hundredths. `turn`: in hundredths of a degree clockwise. `counts`: by name (houses,
    sections, spaces, ...) in a fixed order. `faults`: those that `check_map` finds in the written map.
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
        """How many things of a kind, or of all kinds, an action applied to."""
        return sum(n.count for n in self.notes if n.action == action and what in ("", n.what))


class ImportLog:
    """Notes gathered while a map is made."""

    def __init__(self) -> None:
        self.notes: list[ImportNote] = []

    def add(
        self, action: str, what: str, why: str = "", id: str = "", name: str = "", count: int = 1
    ) -> None:
        """Note one thing; a count of 0 is not noted."""
        if count:
            self.notes.append(ImportNote(action, what, why, id, name, count))

    def sorted(self) -> tuple[ImportNote, ...]:
        """The notes by action, kind and reason; those with the same reason in their original order."""
        return tuple(sorted(self.notes, key=lambda n: (ACTIONS.index(n.action), n.what, n.why)))


def format_report(report: ImportReport, every: bool = False) -> str:
    """The report as lines: counts, then each action with its reasons. `every`: name all things, not only the first three."""
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
