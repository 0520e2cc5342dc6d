"""What a drawing shows, in words: the objectives, the forces, and the key of its signs. Read `key_of`."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from html import escape
from typing import Any

from battlesim.board.board import Board
from battlesim.board.drawmargin import key_items
from battlesim.board.drawmarks import GOLD, Flag
from battlesim.board.svg import colour_of, text_of
from battlesim.engine.header import Header
from battlesim.viewer.effects import wall
from battlesim.viewer.film import Film
from battlesim.viewer.standing import Goal
from battlesim.viewer.symbols import BAD, COLOURS, GOOD, SYMBOLS, symbol_of, symbol_svg, unit_mark
from battlesim.viewer.wording import Wording, find_wording, printable

EDGES = {"n": "north", "e": "east", "s": "south", "w": "west"}
_Row = tuple[str, str]
"""A row of the key: a picture, and what it stands for."""


def letter_of(number: int) -> str:
    """The letter of an objective: A, B, ... Z, AA."""
    return chr(ord("A") + number % 26) * (number // 26 + 1)


def short_name(name: str, side: str) -> str:
    """A unit's name without that of its side in front, which the mark shows by colour and shape."""
    first, _, rest = name.partition(" ")
    return rest if rest and first.lower() == side.lower() else name


def flags_of(board: Board, goals: Sequence[Goal], colours: Sequence[str] = ()) -> list[Flag]:
    """The flags of the objectives that lie somewhere, in their order. `colours`: of each objective, gold if none are given."""
    found = []
    for number, goal in enumerate(goals):
        if not (goal.places or goal.sections):
            continue
        title, colour = f"{goal.name}, {goal.points}", colours[number] if colours else GOLD
        spaces = [board.spaces[place] for place in goal.places]
        sections = goal.sections or tuple(sorted({s.section for s in spaces if s.section >= 0}))
        if sections:
            found.append(Flag(letter_of(number), sections, title=title, colour=colour))
        else:
            middle = (sum(s.x for s in spaces) // len(spaces), sum(s.y for s in spaces) // len(spaces))
            found.append(Flag(letter_of(number), (), middle, title, colour))
    return found


def goal_says(goal: Goal, sides: Sequence[str]) -> str:
    """An objective in words: `the farm: 3 points`."""
    points = f"{goal.points} point{'s' if goal.points != 1 else ''}"
    who = f", for {sides[goal.side]}" if goal.side >= 0 else ""
    edge = f" {EDGES[goal.edge]}" if goal.edge in EDGES else ""
    what = "" if goal.kind == "hold" else f" ({goal.kind}{edge})"
    return printable(f"{goal.name}{what}: {points}{who}")


def goals_list(header: Header, film: Film) -> str:
    """The objectives, each with its holder, which the script fills in."""
    rows = [
        f'<li><b class="letter">{letter_of(number) if goal.places or goal.sections else "–"}</b> '
        f"{escape(goal_says(goal, header.sides))} "
        f'<span class="holder" id="holder{number}"></span></li>'
        for number, goal in enumerate(film.goals)
    ]
    return f'<h2>Objectives</h2><ul class="goals">{"".join(rows)}</ul>' if rows else ""


def forces_table(header: Header, film: Film, units: Sequence[Mapping[str, Any]]) -> str:
    """The objectives, and both sides' units with their strength; the script keeps the figures up to date."""
    symbols = find_wording(header.ruleset.name).symbols
    parts = [goals_list(header, film)]
    for side, name in enumerate(header.sides):
        rows = []
        for row in units:
            if row["side"] != side:
                continue
            number, kind = row["id"], row["kind"]
            symbol = symbol_svg(symbol_of(symbols, kind), "currentColor")
            said = escape(printable(kind.replace("_", " ")))
            rows.append(
                f'<tr id="row{number}"><td class="s{side}">{symbol}</td><th scope="row"><button type="button" class="unit-link" '
                f'data-unit="{number}">{escape(printable(row["name"]))}</button> <small>{said}</small></th>'
                f'<td class="n"><span class="left">{row["models"]}</span> of {film.full[number]}</td><td class="state"></td></tr>'
            )
        heads = '<tr><th><span class="hide">symbol</span></th><th>unit</th><th>left</th><th>state</th></tr>'
        parts.append(
            f'<h2 class="s{side}">{escape(printable(name))}</h2><table class="forces"><thead>{heads}</thead>'
            f"<tbody>{''.join(rows)}</tbody></table>"
        )
    return "".join(parts)


def key_of(
    board: Board,
    ruleset: str,
    sides: Sequence[str],
    kinds: Collection[str],
    changing: bool,
    walls: Collection[str],
    zones: bool,
) -> str:
    """The key of everything that a page can draw. `kinds`: of units. `changing`: sections may fall or burn. `walls`: the kinds of
    openings made in them (hole, breach)."""
    wording = find_wording(ruleset)
    used = {symbol_of(wording.symbols, kind) for kind in kinds}
    groups: list[tuple[str, list[_Row]]] = [
        ("Units", _marks(sides)),
        (
            "Kinds",
            [(symbol_svg(name, "currentColor"), says) for name, says in SYMBOLS.items() if name in used],
        ),
        ("State", _badges(wording)),
        ("Signs", _signs(changing, walls, zones)),
        ("Map", [(_box(fill, line), name) for name, fill, line in key_items(board)]),
    ]
    return "".join(
        f'<h2>{title}</h2><ul class="key">'
        + "".join(f"<li>{picture}<span>{escape(printable(says))}</span></li>" for picture, says in rows)
        + "</ul>"
        for title, rows in groups
        if rows
    )


def _marks(sides: Sequence[str]) -> list[_Row]:
    """The marks of units."""
    says = "what it is, how many are left, and how much of it that is"
    rows = [(_svg(_sample(side)), f"a unit of {sides[side]}: {says}") for side in (0, 1)]
    hollow = "the same unit upstairs, seen from above; its floor is drawn beside the map"
    return [*rows, (_svg(_sample(0, hollow=True)), hollow)]


def _badges(wording: Wording) -> list[_Row]:
    """The badges on marks."""
    return [
        (
            _badge(row.get("sign", ""), row.get("tone") == "good"),
            row.get("says", "").replace(" (#)", ", so many times"),
        )
        for row in wording.badges
    ]


def _signs(changing: bool, walls: Collection[str], zones: bool) -> list[_Row]:
    """What is drawn between and over the units; see `key_of` for the parameters."""
    cross = '<path d="M-8-8L8 8M8-8L-8 8" stroke="#b3321f" stroke-width="4"/>'
    flag = '<path d="M-10 8V-9H9L5-4L9 1H-8" fill="#b8860b" stroke="#3a352c"/>'
    rows = [
        (_line(COLOURS[0], ""), "fire that hit"),
        (_line(COLOURS[0], "6 4"), "fire that missed"),
        (_line(COLOURS[0], "0.1 5"), "the way a unit came"),
        (_plain(cross), "here a unit was destroyed"),
        (_plain(flag), "an objective; the flag takes the colour of who holds it"),
    ]
    if changing:
        rows.append((_plain('<path d="M-8 9L-3-9L0-2L4-9L9 9Z" fill="#e4572e"/>'), "on fire"))
        ruin = '<rect x="-11" y="-8" width="22" height="16" fill="#cfc8bd" stroke="#857b6c" stroke-dasharray="5 3"/>'
        rows.append((_plain(ruin), "fallen: a ruin"))
    made = {
        "hole": "an opening that was made in the battle",
        "breach": "a breach: a way in that was made in the battle",
    }
    rows += [
        (_plain(wall(kind == "breach", "M-10 0H10")), says) for kind, says in made.items() if kind in walls
    ]
    if zones:
        zone = f'<rect x="-11" y="-8" width="22" height="16" fill="{COLOURS[1]}" opacity="0.25"/>'
        rows.append((_plain(zone), "where a side may set up"))
    return rows


def _sample(side: int, hollow: bool = False) -> str:
    return unit_mark(side, "infantry", "", "", 7, 10, hollow=hollow, names=False)


def _svg(mark: str) -> str:
    return f'<svg viewBox="-54 -38 108 76" width="46" height="32" aria-hidden="true">{mark}</svg>'


def _plain(inside: str) -> str:
    return (
        f'<svg viewBox="-14 -12 28 24" width="28" height="24" aria-hidden="true" fill="none">{inside}</svg>'
    )


def _line(colour: str, dash: str) -> str:
    dashed = f' stroke-dasharray="{dash}"' if dash else ""
    return _plain(f'<path d="M-12 0H12" stroke="{colour}" stroke-width="3" stroke-linecap="round"{dashed}/>')


def _box(fill: str, line: str) -> str:
    edge = "#857b6c" if line == "none" else line
    return _plain(
        f'<rect x="-11" y="-8" width="22" height="16" fill="{colour_of(fill)}" stroke="{colour_of(edge)}" stroke-width="2"/>'
    )


def _badge(sign: str, good: bool) -> str:
    return _plain(
        f'<circle r="10" fill="{GOOD if good else BAD}"/><text y="5" font-size="14" font-weight="bold" fill="#fff" '
        f'text-anchor="middle">{text_of("1" if sign == "#" else sign)}</text>'
    )
