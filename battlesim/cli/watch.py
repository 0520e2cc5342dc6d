"""`battlesim watch`: a record as a replay page, or a scenario played and told on the terminal."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING, Any

from battlesim.cli.common import add_json, check_path, print_json
from battlesim.cli.extras import check_extra
from battlesim.cli.live import add_live, is_scenario, watch_live

if TYPE_CHECKING:
    from battlesim.board.board import Board
    from battlesim.engine.record import Record
    from battlesim.viewer.insight import Insight

RUNS = Path("runs")
"""Where runs are looked for by name."""


def add(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "record",
        metavar="RECORD|SCENARIO",
        help="a record, as play --record writes it; a scenario is played, and told here as it goes",
    )
    parser.add_argument("--out", metavar="FILE.html", help="the page (the record's name with .html)")
    parser.add_argument(
        "--explain",
        action="store_true",
        help="ask the agents again, and show at each question what they thought (takes as long as the game did); a person "
        "who played is not explained",
    )
    parser.add_argument(
        "--asked",
        action="append",
        default=[],
        metavar="FILE",
        help="show what `whatif RECORD --json FILE` found: turning points on the timeline, what answers were worth at their "
        "question; may be given several times",
    )
    parser.add_argument(
        "--plain",
        action="store_true",
        help="from the events alone: without chances to win and views of the sides, for which the rules are needed",
    )
    parser.add_argument("--map", metavar="MAP", help="the map, for an old record that does not hold it")
    parser.add_argument("--scenario", metavar="SCENARIO", help="the scenario, where an old record lacks it")
    add_live(parser)
    add_json(parser)


def run(args: argparse.Namespace) -> int:
    from battlesim.core.errors import Fault, InputError
    from battlesim.engine.record_file import page_beside

    if args.plain and args.explain:
        what = "--plain leaves the rules alone; --explain needs them to ask the agents again"
        raise InputError(Fault(what, "give one or the other"))
    found = Path(args.record)
    run = found.is_dir() or (not found.exists() and (RUNS / args.record).is_dir())
    if not run:
        check_path(args.record, "record, run or scenario")
    if not run and is_scenario(args.record):
        return watch_live(args)
    for word, name in (("--agent", "agent"), ("--seed", "seed"), ("--record", "keep"), ("--step", "step")):
        if getattr(args, name):
            what = f"{word} is for a scenario that is played; what was played is shown as it was"
            raise InputError(Fault(what, "leave it out", args.record))
    if run:
        return _run_pages(args)
    row = _write_page(args.record, args.out or page_beside(args.record), args)
    if args.json:
        print_json(row)
    else:
        _tell(row)
    return 0


def _tell(row: dict[str, Any]) -> None:
    print(f"{row['page']}: {row['bytes'] / 1e6:.1f} MB; open it in a browser")
    if row["note"]:
        print(f"note: {row['note']}")


def _run_pages(args: argparse.Namespace) -> int:
    """A page beside each record of a run, and the run's report again, which links to them."""
    from battlesim.cli.targets import check_page
    from battlesim.core.errors import Fault, InputError
    from battlesim.engine.record_file import page_beside
    from battlesim.jobs.folder import find_run

    try:
        folder = find_run(args.record, RUNS)
    except InputError:
        _refuse_search(args.record)
        raise
    for word, given in (("--out names one page", args.out), ("--asked is about one record", args.asked)):
        if given:
            raise InputError(Fault(f"{word}; a run has a page for each record", "leave it out"))
    records = sorted([*folder.path.glob("records/*.jsonl"), *folder.path.glob("records/*.jsonl.gz")])
    if not records:
        remedy = 'play it with `keep = { records = "notable" }`'
        if folder.resolved().get("kind", "tournament") != "tournament":
            remedy = f"tournaments keep some; battlesim runs {args.record} shows what came of this run"
        raise InputError(Fault("the run has no records", remedy, str(folder.path)))
    summary = folder.summary()
    is_reported = "standings" in summary and (folder.path / "report.html").is_file()
    if is_reported:
        check_extra("tournament")
    for record in records:
        check_page(page_beside(str(record)))
    rows = []
    for record in records:
        rows.append(_write_page(str(record), page_beside(str(record)), args))
        if not args.json:
            _tell(rows[-1])
    if is_reported:
        from battlesim.viewer.report import write_report

        write_report(summary, folder.path / "report.html")
        if not args.json:
            print(f"{folder.path / 'report.html'} links to them")
    if args.json:
        print_json(rows)
    return 0


def _refuse_search(name: str) -> None:
    """Raises InputError if this is a search for ways of fighting."""
    from battlesim.cli.running import search_named
    from battlesim.core.errors import Fault, InputError

    if (search := search_named(name, RUNS)) is not None:
        remedy = (
            f"name a record in {search / 'records'}; once it is finished, pages are in {search / 'watch'}"
        )
        raise InputError(
            Fault("this is a search for ways of fighting, not a run of games", remedy, str(search))
        )


def _write_page(path: str, out: str, args: argparse.Namespace) -> dict[str, Any]:
    """Make the page of one record; returns what was made."""
    from msgspec.structs import replace

    from battlesim.cli.replay import fought_scenario, setting_of
    from battlesim.cli.targets import check_page
    from battlesim.core.errors import Fault, InputError
    from battlesim.core.files import is_same_file, write_file
    from battlesim.engine.agent_sources import HUMAN
    from battlesim.engine.origin import board_of
    from battlesim.engine.record import read_record
    from battlesim.engine.replay import check
    from battlesim.viewer.asked import read_asked
    from battlesim.viewer.insight import insight_of
    from battlesim.viewer.page import watch_page

    record = read_record(path)
    inputs = {
        path: "the record",
        args.map: "the map",
        args.scenario: "the scenario",
        **dict.fromkeys(args.asked, "a file of --asked"),
    }
    for file, what in inputs.items():
        if file and is_same_file(out, file):
            raise InputError(Fault(f"the page would replace {what}", "give it a name of its own: --out", out))
    check_page(out)
    check(record)
    asked = read_asked(args.asked, record)
    board = board_of(record, args.map)
    scenario = fought_scenario(record, args.scenario)
    setting = setting_of(scenario) if scenario is not None else None
    insight: Insight | None = None
    if not args.plain:
        insight = insight_of(record, args.scenario)
    if args.explain and insight is not None:
        people = [
            side
            for side, player in zip(record.header.sides, record.header.agents, strict=True)
            if player.name == HUMAN
        ]
        note = " ".join(
            [insight.note, *(f"A person played {side}, who is not explained." for side in people)]
        )
        insight = replace(insight, thoughts=_thoughts(record, args.scenario, board), note=note.strip())
    page = watch_page(record, board, setting, insight, asked).encode("utf-8", "replace")
    write_file(out, page, "the page")
    note = insight.note if insight is not None else ""
    return {"page": out, "bytes": len(page), "events": len(record.events), "note": note}


def _thoughts(record: Record, scenario: str | None, board: Board) -> dict[int, tuple[str, ...]]:
    """What the agents thought, by the event of their answer: they are asked again under the rules, and must give the same
    answers. A person's recorded answers are repeated, without thoughts."""
    from battlesim.cli.explain import Explanations, thought_lines
    from battlesim.core.apply import apply
    from battlesim.core.errors import Fault, InputError
    from battlesim.core.events import Answered
    from battlesim.engine.agent_sources import HUMAN
    from battlesim.engine.origin import entrant_of, person_of
    from battlesim.engine.replay import initial_state
    from battlesim.engine.verify import verify
    from battlesim.viewer.context import Names
    from battlesim.viewer.wording import find_wording

    said = Explanations("words")
    players = record.header.agents
    entrants = said.entrants(
        [
            person_of(record, side) if players[side].name == HUMAN else entrant_of(record, side)
            for side in (0, 1)
        ]
    )
    # Explaining must not use up an agent's time.
    verdict = verify(record, agents=True, scenario=scenario, entrants=entrants, clock=False)
    if not verdict.same:
        what = f"the agents, asked again, do not play as recorded (the {verdict.what} differs)"
        remedy = "leave out --explain; `battlesim verify RECORD --agents` says more"
        raise InputError(Fault(what, remedy, record.path))
    state = initial_state(record.header)
    names = Names(record.header, state)
    names.board = board  # so that walls and openings are named by direction
    wording = find_wording(record.header.ruleset.name)
    found, answered = dict[int, tuple[str, ...]](), [0, 0]
    for number, event in enumerate(record.events):
        if isinstance(event, Answered):
            thought = said.thoughts.get((event.side, answered[event.side]), [])
            if isinstance(thought, list):
                lines = thought
            else:  # each belongs to its own event, so it includes its question
                lines = thought_lines(thought, names, wording, headed=False)
            if lines:
                found[number] = tuple(lines)
            answered[event.side] += 1
        apply(state, event)
    return found
