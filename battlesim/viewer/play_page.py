"""The page on which a person plays a side: one HTML file with the map, whose script requests the rest. Read `play_page`.

The map is drawn as on the replay page. The file contains only what both players know: map, zones, objectives.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from html import escape

from battlesim.board.board import Board
from battlesim.board.drawmarks import ZoneMark, draw_flags, outline_goals
from battlesim.board.svg import Canvas
from battlesim.engine.brief import Brief
from battlesim.viewer.effects import HEADS, patterns
from battlesim.viewer.inline import filled, part, policy, script_json
from battlesim.viewer.key import flags_of, goal_says, key_of, letter_of
from battlesim.viewer.plan import MARGIN, plan_of
from battlesim.viewer.spots import Spots
from battlesim.viewer.standing import Goal
from battlesim.viewer.symbols import COLOURS, SYMBOLS, unit_mark
from battlesim.viewer.wording import find_wording, printable

STYLES = ("watch.css", "play.css")
SCRIPTS = ("play_known.js", "watch_board.js", "watch_names.js", "play.js")
"""The parts of style and script, in their order."""


def play_page(board: Board, brief: Brief, side: int, goals: Sequence[Goal]) -> str:
    """The page of one side of a battle. `goals`: the objectives that the side knows of."""
    zones = [
        ZoneMark(COLOURS[number], zone.spaces, f"{brief.sides[number]} may set up: {zone.name}")
        for number in (0, 1)
        for zone in brief.zones[number]
    ]
    wording = find_wording(brief.ruleset)
    symbols, walls = wording.symbols, set(wording.walls.values())
    upstairs = [space.id for space in board.spaces if space.kind == "floor" and space.floor]
    plan = plan_of(board, upstairs, range(len(board.sections)), zones)
    style, script = "\n".join(map(part, STYLES)), "\n".join(map(part, SCRIPTS))
    flags = flags_of(board, goals)
    below, above = (Canvas(board.size, plan.scale, MARGIN) for _ in range(2))
    outline_goals(below, board, flags)
    draw_flags(above, board, flags)
    credit = ", ".join(text for text in (board.attribution, board.license) if text)
    parts = {
        "policy": policy(style, script, "connect-src 'self'"),
        "title": escape(printable(brief.title or board.title)),
        "brief": escape(printable(" ".join(brief.text.split()))),
        "side": escape(printable(brief.sides[side])),
        "style": style,
        "script": script,
        "score": _score(brief, side),
        "viewbox": f"0 0 {plan.size[0]} {plan.size[1]}",
        "ground": f'<g id="sheet-ground">{plan.parts[0]}</g>' + "".join(plan.parts[1:]),
        "heads": HEADS,
        "patterns": patterns() + _mark_patterns({"unit", *symbols.values()}),
        "outlines": "".join(below.parts),
        "flags": "".join(above.parts),
        "floorless": "" if plan.panels else " disabled",
        "goals": _goals(brief, goals),
        "key": key_of(board, brief.ruleset, brief.sides, symbols, bool(board.sections), walls, bool(zones)),
        "footer": f"Map: {escape(printable(credit))}." if credit else "",
        "data": script_json(
            {
                "map": {
                    "scale": plan.scale,
                    "left": MARGIN[0],
                    "above": MARGIN[1],
                    "height": board.size[1],
                    "wide": Spots(board).most,
                },
                "size": plan.size,
                "ground": plan.ground,
                "panels": [[p.floor, *p.box, *p.shift] for p in plan.panels],
                "flags": [n for n, goal in enumerate(goals) if goal.places or goal.sections],
                "sides": [printable(name) for name in brief.sides],
                "side": side,
                "turns": brief.turns,
            }
        ),
    }
    return filled("play.html", parts)


def _score(brief: Brief, side: int) -> str:
    rows = [
        f'<div class="side s{number}"><span class="swatch" aria-hidden="true"></span><b>{escape(printable(name))}</b>'
        f'<span class="player">{"you" if number == side else "the enemy"}</span>'
        f'<output id="points{number}" aria-label="points of {escape(printable(name))}">0</output></div>'
        for number, name in enumerate(brief.sides)
    ]
    return f'{rows[0]}<div class="clock" id="clock">Turn 1</div>{rows[1]}'


def _mark_patterns(symbols: Collection[str]) -> str:
    """A mark of every kind for both sides, which the script copies for each visible unit."""
    return "".join(
        f'<g id="pattern-{word}-{side}-{symbol}">{unit_mark(side, symbol, "", "", 0, 1, hollow=hollow)}</g>'
        for side in (0, 1)
        for symbol in SYMBOLS
        if symbol in symbols
        for word, hollow in (("solid", False), ("hollow", True))
    )


def _goals(brief: Brief, goals: Sequence[Goal]) -> str:
    rows = [
        f'<li><b class="letter">{letter_of(number) if goal.places or goal.sections else "–"}</b> '
        f'{escape(goal_says(goal, brief.sides))} <span class="holder" id="holder{number}"></span></li>'
        for number, goal in enumerate(goals)
    ]
    listed = (
        f'<ul class="goals">{"".join(rows)}</ul>' if rows else "<p>No objectives are known at the start.</p>"
    )
    return listed + '<ul class="goals" id="found"></ul>'
