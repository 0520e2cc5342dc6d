"""The replay page: one HTML file with a whole battle in it. Read `watch_page`.

The page contains its style, script and data, makes no requests, and has a content security policy that names style and script by
their hashes. Names from files are escaped here, and the script shows them as text only.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from html import escape
from typing import Any

from battlesim.board.board import Board
from battlesim.board.drawmarks import Flag, draw_flags, outline_goals
from battlesim.board.svg import Canvas
from battlesim.engine.header import Header
from battlesim.engine.record import Record
from battlesim.viewer.asked import Asked
from battlesim.viewer.chains import Chains
from battlesim.viewer.effects import HEADS, patterns
from battlesim.viewer.film import Film, film_of
from battlesim.viewer.inline import filled, part, policy, script_json
from battlesim.viewer.insight import Insight
from battlesim.viewer.key import flags_of, forces_table, key_of, short_name
from battlesim.viewer.picture import ScenarioMarks, zone_marks
from battlesim.viewer.plan import MARGIN, Plan, plan_of
from battlesim.viewer.short import in_short
from battlesim.viewer.spots import Spots
from battlesim.viewer.symbols import symbol_of, unit_mark
from battlesim.viewer.timeline import HIGH, WIDE, timeline, turn_starts
from battlesim.viewer.turning import turning_marks, turning_pane, what_if_data, what_if_pane
from battlesim.viewer.wording import find_wording, printable

SCRIPTS = ("watch_film.js", "watch_board.js", "watch_names.js", "watch_story.js", "watch.js")
"""The parts of the script, in their order."""


def watch_page(
    record: Record,
    board: Board,
    setting: ScenarioMarks | None = None,
    insight: Insight | None = None,
    asked: Asked | None = None,
) -> str:
    """The page of a record, which must be one that `replay` accepts, on its own board. `setting`: set-up zones are also drawn.
    `insight`: chance to win, sides' views and thoughts; the rest does not need it. `asked`: turning points and alternatives, as
    `read_asked` reads them. The same input gives the same page."""
    asked = asked or Asked()
    film = film_of(record, board, insight.known if insight is not None else ())
    header = record.header
    zones = zone_marks(header, setting)
    plan = plan_of(board, film.upstairs, film.changing, zones)
    chains = Chains(record, film, insight)
    style, script = part("watch.css"), "\n".join(map(part, SCRIPTS))
    title = _title(header)
    panes = {
        "turning": turning_pane(film, header, chains, insight, asked),
        "whatif": what_if_pane(asked, chains),
    }
    parts = {
        "policy": policy(style, script),
        "title": escape(title),
        "style": style,
        "script": script,
        "facts": _facts(record, board),
        "score": _score(header),
        "viewbox": f"0 0 {plan.size[0]} {plan.size[1]}",
        "ground": f'<g id="sheet-ground">{plan.parts[0]}</g>' + "".join(plan.parts[1:]),
        "heads": HEADS,
        "patterns": patterns(),
        "goals": _drawn(board, plan, film, outline_goals),
        "flags": _drawn(board, plan, film, draw_flags),
        "marks": _marks(header, film),
        "views": _views(header, insight),
        "floorless": "" if plan.panels else " disabled",
        "moments": str(len(film.moments)),
        "strips": _strips(film, record, chains.sides, insight, asked),
        "swings": turning_marks(film, header, asked),
        "turns": _turns(film),
        "more-tabs": "".join(_tab(name) for name, pane in panes.items() if pane),
        "more-panes": "".join(_pane(name, pane) for name, pane in panes.items() if pane),
        "short": in_short(record, film, chains, insight, asked),
        "story": "\n".join(_story(chains)),
        "forces": forces_table(header, film, chains.units),
        "key": key_of(
            board,
            header.ruleset.name,
            header.sides,
            {row["kind"] for row in chains.units},
            bool(film.changing),
            _made_in_walls(film),
            bool(zones),
        ),
        "footer": _footer(record, board, insight),
        "data": script_json(
            {**_data(board, plan, film, chains, insight), "worth": what_if_data(asked, header.sides)}
        ),
    }
    return filled("watch.html", parts)


# ---- the head of the page


def _scenario(header: Header) -> Mapping[str, Any]:
    said = header.scenario.said
    found = json.loads(said) if said else {}
    return found if isinstance(found, dict) else {}


def _title(header: Header) -> str:
    return printable(str(_scenario(header).get("title") or header.scenario.name))


def _facts(record: Record, board: Board) -> str:
    header = record.header
    facts = [
        f"rulebook {header.ruleset.name}",
        f"scenario {header.scenario.name}",
        f"map {board.title}",
        f"seed {header.seeds.battle}",
    ]
    return " · ".join(escape(printable(fact)) for fact in facts)


def _score(header: Header) -> str:
    sides = [
        f'<div class="side s{side}"><span class="swatch" aria-hidden="true"></span><b>{escape(printable(name))}</b>'
        f'<span class="player">{escape(printable(header.agents[side].name))}</span>'
        f'<output id="points{side}" aria-label="points of {escape(printable(name))}">0</output></div>'
        for side, name in enumerate(header.sides)
    ]
    return f'{sides[0]}<div class="clock" id="clock">Turn 1</div>{sides[1]}'


def _made_in_walls(film: Film) -> set[str]:
    """The kinds of openings that were made in the battle."""
    changes = [film.start, *(moment.changes for moment in film.moments)]
    made = [one for values in changes for key, found in values.items() if key[0] == "o" for one in found]
    return {"breach" if one[5] else "hole" for one in made}


def _views(header: Header, insight: Insight | None) -> str:
    sides = [
        f'<option value="{side}">what {escape(printable(name))} knew</option>'
        for side, name in enumerate(header.sides)
    ]
    return "".join(['<option value="-1" selected>everything</option>', *(sides if insight else [])])


def _footer(record: Record, board: Board, insight: Insight | None) -> str:
    lines = [
        f"Record {record.digest}, battlesim {record.header.code.version}.",
        "Keys: space plays, left and right step (with Shift by order), Page Up and Page Down by turn, Home and End, plus, minus "
        "and 0 zoom.",
    ]
    lines += [insight.note] if insight is not None and insight.note else []
    credit = ", ".join(part for part in (board.attribution, board.license) if part)
    lines += [f"Map: {credit}."] if credit else []
    return "".join(f"<p>{escape(printable(line))}</p>" for line in lines)


# ---- the board


def _drawn(
    board: Board, plan: Plan, film: Film, draw: Callable[[Canvas, Board, Sequence[Flag]], None]
) -> str:
    """What `draw` draws for the objectives."""
    canvas = Canvas(board.size, plan.scale, MARGIN)
    draw(canvas, board, flags_of(board, film.goals))
    return "".join(canvas.parts)


def _marks(header: Header, film: Film) -> str:
    """A mark for each unit, and a hollow one for when it is upstairs; the script places them."""
    symbols = find_wording(header.ruleset.name).symbols
    found = []
    for row in json.loads(bytes(header.start))["units"]:
        number, side = row["id"], row["side"]
        kind = printable(row["kind"].replace("_", " "))
        title = f"{printable(row['name'])}, {kind}, {header.sides[side]}"
        short = short_name(printable(row["name"]), header.sides[side])
        symbol = symbol_of(symbols, row["kind"])
        for hollow in (False, True):
            word = "h" if hollow else "u"
            found.append(
                unit_mark(
                    side,
                    symbol,
                    title,
                    short,
                    row["models"],
                    film.full[number],
                    attributes=f' id="{word}{number}" display="none"',
                    hollow=hollow,
                )
            )
    return "".join(found)


# ---- the timeline


def _strips(film: Film, record: Record, sides: Sequence[int], insight: Insight | None, asked: Asked) -> str:
    chances, found_by = (insight.chances if insight is not None else ()), "estimate"
    if asked.swings is not None:
        chances, found_by = tuple(asked.chances(record)), "played on"
    found = []
    for strip in timeline(film, record.header.sides, sides, chances, found_by):
        title = escape(printable(strip.title))
        says = escape(printable(strip.says))
        found.append(
            f'<div class="strip"><span class="label">{title}</span><svg viewBox="0 0 {WIDE} {HIGH}" preserveAspectRatio="none" '
            f'role="img" aria-label="{title}; at the end {says}">{strip.svg}</svg></div>'
        )
    return "\n".join(found)


def _turns(film: Film) -> str:
    """The starts of turns along the rail; an SVG, since the policy forbids styles in elements."""
    count = max(1, len(film.moments))
    marks = "".join(
        f'<svg class="tick" x="{100 * at / count:.2f}%" overflow="visible"><path d="M0 0V6"/>'
        f'<text x="3" y="13">{turn}</text></svg>'
        for turn, at in turn_starts(film)
    )
    return f'<svg class="ticks" height="16" aria-hidden="true">{marks}</svg>'


_TABS = {"turning": "Turning points", "whatif": "What if"}


def _tab(name: str) -> str:
    return (
        f'<button type="button" role="tab" id="tab-{name}" aria-controls="pane-{name}" aria-selected="false" tabindex="-1">'
        f"{_TABS[name]}</button>"
    )


def _pane(name: str, inside: str) -> str:
    return f'<div id="pane-{name}" role="tabpanel" aria-labelledby="tab-{name}" tabindex="0" hidden>{inside}</div>'


# ---- the story


def _story(chains: Chains) -> list[str]:
    lines: list[str] = []
    turn, root = 0, -2
    for node in chains.told:
        told = node.sentence
        if told.turn != turn:
            turn = told.turn
            lines.append(f'<li class="turn"><h2>Turn {turn}</h2></li>')
        first = " first" if told.root != root else ""
        root = told.root
        dice = f" <small>[{escape(told.shown)}]</small>" if told.shown else ""
        lines.append(
            f'<li id="t{node.number}" class="d{min(told.depth, 4)}{first}"><a href="#event={told.event}">'
            f"{escape(told.text)}</a>{dice}</li>"
        )
    return lines


def _data(board: Board, plan: Plan, film: Film, chains: Chains, insight: Insight | None) -> dict[str, Any]:
    """The data for the script; `watch_film.js` explains them."""
    known: dict[int, dict[str, int]] = {}
    wide = Spots(board).most
    start = dict(film.start)
    for event, unit, mask in insight.known if insight is not None else ():
        if event < 0:
            start[f"h{unit}"] = mask
        else:
            known.setdefault(event, {})[f"h{unit}"] = mask
    moments = []
    late: dict[str, int] = {}
    waiting = sorted(known)
    for moment in film.moments:
        while waiting and waiting[0] <= moment.event:
            late.update(known[waiting.pop(0)])
        row = [
            moment.event,
            moment.root,
            moment.turn,
            {**moment.changes, **late},
            moment.effects,
        ]
        late = {}
        moments.append(row)
    return {
        "map": {
            "scale": plan.scale,
            "left": MARGIN[0],
            "above": MARGIN[1],
            "height": board.size[1],
            "wide": wide,
        },
        "size": plan.size,
        "ground": plan.ground,
        "panels": [[p.floor, *p.box, *p.shift] for p in plan.panels],
        "flags": [n for n, goal in enumerate(film.goals) if goal.places or goal.sections],
        "start": start,
        "moments": moments,
        **chains.data(),
    }
