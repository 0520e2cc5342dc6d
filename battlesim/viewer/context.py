"""The values that sentences about an event can use: its fields, values derived from them, and names. Read `Context.show`.

The forms of slots (`count`, `agree` ...) are explained at the head of `viewer/story.toml`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from battlesim.core.events import Rolled
from battlesim.core.geometry import FACING_NAMES
from battlesim.core.state import State, Unit
from battlesim.engine.header import Header
from battlesim.viewer.symbols import symbol_of
from battlesim.viewer.wording import Wording, agree, count, goal, is_plural, length, possessive, some, word

if TYPE_CHECKING:
    from battlesim.board.board import Board

NOTHING: Mapping[str, Any] = {}


class Names:
    """The names of one battle's places, sections, sides and units. `board`: if given, walls and openings are named by the
    direction they face."""

    def __init__(self, header: Header, state: State, nobody: str = "nobody") -> None:
        """`nobody`: the name of an unknown unit. The state is that at the start: `full` is how many models units began with."""
        self.header, self.state, self.nobody = header, state, nobody
        self.board: Board | None = None
        self.full = {number: unit.models for number, unit in state.units.items()}
        self._sections = _called(header.sections)

    def unit(self, number: Any) -> str:
        """The name of a unit, or that of an unknown one."""
        unit = self.find_unit(number)
        return unit.name if unit else self.nobody

    def find_unit(self, number: Any) -> Unit | None:
        """The unit with a number; None if no unit has it."""
        return self.state.units.get(number) if isinstance(number, int) else None

    def place(self, name: str) -> str:
        """A space in words: `house:1` is "house, floor 1"."""
        section, _, floor = name.rpartition(":")
        if section not in self._sections:
            return name
        section = self._sections[section]
        if floor == "ruin":
            return f"the ruins of {section}"
        return f"{section}, {'ground floor' if floor == '0' else f'floor {floor}'}"

    def section(self, name: str) -> str:
        """A section in words: `house.1` is "house" if the building has no other section."""
        return self._sections.get(name, name)

    def wall(self, place: int, side: int) -> str:
        """One side of a floor: "the wall facing north"; by its number without a board. -1 is a bank of earth."""
        if side < 0:
            return "the bank"
        if self.board is None or place < 0:
            return f"wall {side + 1}"
        sides = self.board.sections[self.board.spaces[place].section].sides
        facing = sides[side].facing
        number = "" if sum(one.facing == facing for one in sides) == 1 else f" {side + 1}"
        return f"{'the ' * (not number)}wall{number} facing {FACING_NAMES[facing]}"

    def opening(self, place: int, number: int) -> str:
        """An opening of a floor: "the window facing north"; if a wall has several, "window 2 facing north". Numbers below -1 are
        openings made in a blank wall."""
        if number < 0:
            return f"the opening made in {self.wall(place, -2 - number)}"
        if self.board is None:
            return f"opening {number}"
        board = self.board
        here = board.openings[number]
        section = board.sections[here.section]
        alike = [
            other
            for other in section.openings[here.floor]
            if section.sides[board.openings[other].side].facing == section.sides[here.side].facing
            and board.openings[other].kind == here.kind
        ]
        which = f"the {here.kind}" if len(alike) == 1 else f"{here.kind} {alike.index(number) + 1}"
        return f"{which} facing {FACING_NAMES[section.sides[here.side].facing]}"

    def named(self, kind: str, value: Any) -> str:
        """The name of a numbered thing; `kind` as in `[story.names]`, "" for a plain value."""
        header = self.header
        if kind == "unit":
            return self.unit(value)
        if kind == "units":
            return _listed([self.unit(number) for number in value or ()])
        if kind == "place":
            known = isinstance(value, int) and 0 <= value < len(header.places)
            return self.place(header.places[value]) if known else "nowhere"
        names = {"section": header.sections, "side": header.sides}.get(kind)
        if names is not None:
            known = isinstance(value, int) and 0 <= value < len(names)
            name = names[value] if known else "nothing"
            return self.section(name) if kind == "section" else name
        return "?" if value is None else str(value)


class Context:
    """The fields of one event, with values derived from the state before it. `dice`: those rolled for it."""

    def __init__(
        self,
        names: Names,
        wording: Wording,
        fields: Mapping[str, Any],
        missing: Mapping[str, Any] = NOTHING,
        dice: Sequence[Rolled] = (),
    ) -> None:
        self._names, self._wording, self._dice = names, wording, dice
        self.all = {**missing, **fields, **_derived(names, {**missing, **fields})}

    def show(self, name: str, form: str) -> str:
        """A slot as text."""
        value = self.all.get(name)
        number = value if isinstance(value, int) else 0
        word_, _, rest = form.partition(" ")
        yes, _, no = rest.partition("|")
        match word_:
            case "count":
                return count(number, rest)
            case "agree":
                return self._agree(name, value, rest)
            case "end":
                return self._end(value)
            case "length":
                return length(number)
            case "if":
                return yes if value else no
            case "one":
                return yes if number == 1 else no
            case "choice":
                return rest.split("|")[number]
            case "some":
                return some(number, rest)
            case "none":
                return rest if number == 0 else ""
            case "known":
                return "" if value is None else rest.replace("#", self.show(name, ""))
            case "word":
                return word(value, self._wording.words)
            case "of":
                return possessive(self.show(name, ""))
            case "in":
                return self._where(value)
            case "inside":
                unit = self._names.find_unit(value)
                place = -1 if unit is None else unit.place
                return f" {self._where(place)}{rest}" if self._is_indoors(place) else ""
            case "goal":
                return goal(number, self._dice, int(rest or 0))
            case "side":
                unit = self._names.find_unit(value)
                return self._names.header.sides[unit.side] if unit else "nobody"
        return self._names.named(self._wording.names.get(name, ""), value)

    def _agree(self, name: str, value: Any, form: str) -> str:
        several = isinstance(value, (list, tuple))
        return agree(
            len(value) > 1 or is_plural(self.show(name, "")) if several else self.show(name, ""), form
        )

    def _end(self, value: Any) -> str:
        """How a unit dies: machines are destroyed, one person alone is killed, a group is wiped out."""
        unit = self._names.find_unit(value)
        if unit is None:
            return "is lost"
        machines = self._wording.machines
        if unit.kind in machines or symbol_of(self._wording.symbols, unit.kind) in machines:
            how = "destroyed"
        # A unit whose first strength is unknown counts as it is now.
        elif self._names.full.get(unit.id, unit.models) == 1:
            how = "killed"
        else:
            how = "wiped out"
        return f"{agree(unit.name, 'is')} {how}"

    def _is_indoors(self, place: Any) -> bool:
        places = self._names.header.places
        return isinstance(place, int) and 0 <= place < len(places) and ":" in places[place]

    def _where(self, place: Any) -> str:
        return f"{'in' if self._is_indoors(place) else 'at'} {self._names.named('place', place)}"


def _listed(names: Sequence[str]) -> str:
    """`a`, `a and b`, `a, b and c`."""
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}" if names else "nobody"


def _called(sections: Sequence[str]) -> dict[str, str]:
    """Sections in words: by the name of the building if it has only one."""
    buildings = Counter(name.rpartition(".")[0] for name in sections)
    called: dict[str, str] = {}
    for name in sections:
        building = name.rpartition(".")[0]
        called[name] = building if building and buildings[building] == 1 else name
    return called


def _derived(names: Names, fields: Mapping[str, Any]) -> dict[str, Any]:
    """Values that sentences can use besides an event's own fields; see the head of `story.toml`."""
    derived: dict[str, Any] = {}
    header = names.header
    derived["side_one"], derived["side_two"] = header.sides
    unit = names.find_unit(fields.get("unit", -1))
    if unit is not None:
        derived["from"], derived["men"] = unit.place, unit.models
        if "place" in fields:
            to = fields["place"]
            derived["moves"] = (
                "stays" if to == unit.place else "on" if unit.place < 0 else "off" if to < 0 else "moves"
            )
    if "what" in fields:
        number = fields.get("number", 0)  # left out if it is 0
        derived["sign"] = "+" if number > 0 else "-" if number < 0 else "0"
        if unit is not None:
            derived["ranks"] = "one" if unit.models <= number else "several"
    if "units" in fields or ("points" in fields and "other" in fields):
        derived.update(_fight(names, fields))
    if "fallen" in fields:
        before = names.state.structures.get(fields["section"])
        was_fallen, was_burning = (before.fallen, before.burning) if before else (False, False)
        if fields["fallen"] and not was_fallen:
            derived["becomes"] = "fallen"
        elif fields["burning"] != was_burning:
            derived["becomes"] = "burning" if fields["burning"] else "out"
    outcome = fields.get("outcome")
    if isinstance(outcome, dict):
        winner, points = outcome["winner"], outcome["points"]
        derived["result"] = "draw" if winner is None else "won"
        derived["winner"] = "nobody" if winner is None else header.sides[winner]
        derived["beaten"] = "nobody" if winner is None else header.sides[1 - winner]
        derived["score"] = (
            f"{max(points)} to {min(points)}"
            if winner is None or points[winner] == max(points)
            else (f"{points[winner]} to {points[1 - winner]}")
        )
        derived["termination"] = outcome["termination"]
    return derived


def _fight(names: Names, fields: Mapping[str, Any]) -> dict[str, Any]:
    """The units on each side of a combat that is scored, and whether their points are equal."""
    found = [names.find_unit(n) for n in fields.get("units", ()) or (fields.get("unit"), fields.get("other"))]
    sides: tuple[list[int], list[int]] = ([], [])
    for unit in found:
        if unit is not None:
            sides[unit.side].append(unit.id)
    points = fields.get("points", (0, 1))
    even = isinstance(points, (list, tuple)) and len(set(points)) == 1
    return {"ours": sides[0], "theirs": sides[1], "even": even}
