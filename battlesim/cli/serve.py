"""`battlesim serve`: a page on this machine that shows a run in progress."""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections.abc import Mapping
from contextlib import closing, suppress
from pathlib import Path
from threading import Lock
from typing import TYPE_CHECKING, Any

from battlesim.cli.common import ENDS, add_json, port, print_json
from battlesim.cli.extras import check_extra
from battlesim.cli.loopback import Loopback, Page
from battlesim.cli.running import RUNS, plan_in, search_named
from battlesim.cli.runs import ended_as

if TYPE_CHECKING:
    from battlesim.batch.rows import GameRow
    from battlesim.jobs.folder import RunFolder

LATEST = 20
"""The games that are listed."""
PAUSE = 20.0
"""At most one second in this many is spent on computing the standings."""
REPORT_POLICY = "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; img-src data:; frame-ancestors 'none'"


def add(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("which", metavar="RUN", help="a run's folder, or its name inside --folder")
    parser.add_argument("--folder", default=str(RUNS), metavar="FOLDER", help="where the runs are (runs)")
    parser.add_argument("--port", type=port, default=0, metavar="N", help="the port (any that is free)")
    add_json(parser)


def run(args: argparse.Namespace) -> int:
    check_extra("tournament")
    from battlesim.core.errors import Fault, InputError
    from battlesim.jobs.folder import find_run

    if (search := search_named(args.which, Path(args.folder))) is not None:
        remedy = f"battlesim discover {search} tells how far it is"
        raise InputError(
            Fault("a search for ways of fighting has no page while it is played", remedy, str(search))
        )
    folder = find_run(args.which, Path(args.folder))
    watched = WatchedRun(folder)
    try:
        server = Loopback(watched.pages(), args.port)
    except OSError as error:
        what = f"--port {args.port}: {error.strerror}"
        raise InputError(Fault(what, "give another one, or leave it out")) from None
    with server:
        if args.json:
            print_json({"address": server.address, "run": str(folder.path)})
        else:
            print(f"{server.address}\nOnly this machine can open it. Ctrl-C ends it.")
        sys.stdout.flush()
        try:
            server.run()
        except KeyboardInterrupt:
            return 0
    return 0


class WatchedRun:
    """A run under watch, perhaps while another process plays it. Nothing is written, and only the run is read."""

    def __init__(self, folder: RunFolder) -> None:
        self.folder = folder
        self.plan = plan_in(folder)
        self._lock = Lock()
        self._seen: dict[int, GameRow] = {}  # the latest games, the newest last
        self._known: set[int] = set()
        self._begun: tuple[float, int] | None = None  # when the first look was, and how many games there were
        self._standings: tuple[list[list[str]], str] = ([], "")
        self._counted = -1
        self._next = 0.0

    def pages(self) -> dict[str, Any]:
        """What the server offers."""
        return {
            "": self.page,
            "games.json": self.games_page,
            "state.json": self.state_page,
            "report.html": self.report,
        }

    def page(self) -> Page:
        """The page itself, which then asks for the state again and again."""
        from secrets import token_urlsafe

        nonce = token_urlsafe(16)
        text = Path(__file__).with_name("serve.html").read_text(encoding="utf-8").replace("@NONCE@", nonce)
        policy = (
            f"default-src 'none'; script-src 'nonce-{nonce}'; style-src 'unsafe-inline'; connect-src 'self'; "
            "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
        )
        return Page("text/html; charset=utf-8", text.encode(), policy)

    def report(self) -> Page:
        """The report that the last session wrote."""
        return Page("text/html; charset=utf-8", self._report_file().read_bytes(), REPORT_POLICY)

    def _report_file(self) -> Path:
        """The report's file. Raises FileNotFoundError for a link, which could lead out of the run."""
        from battlesim.jobs.folder import REPORT

        file = self.folder.path / REPORT
        if file.is_symlink():
            raise FileNotFoundError(file)
        return file

    def _has_report(self) -> bool:
        try:
            return self._report_file().is_file()
        except FileNotFoundError:
            return False

    def state_page(self) -> Page:
        """The state of the run with its standings, as JSON."""
        return Page("application/json", json.dumps(self.state()).encode())

    def games_page(self) -> Page:
        """The state of the run without standings, as JSON."""
        return Page("application/json", json.dumps(self.state(ranked=False)).encode())

    def state(self, ranked: bool = True) -> dict[str, Any]:
        """The run now, in words and figures. `ranked`: with standings, which take some seconds at first."""
        from battlesim.core.errors import InputError
        from battlesim.tournament.resolve import TournamentPlan

        with self._lock:
            played = self._look()
            planned = self.plan.games
            standings, note = self._standings
            if ranked and isinstance(self.plan, TournamentPlan):
                standings, note = self._ranking(played)
            driven = self.folder.is_driven()
            over = played >= planned
            state = "finished" if over else "being played" if driven else "not being played now"
            if not driven and isinstance(self.plan, TournamentPlan) and self.plan.asked.stop is not None:
                with suppress(InputError):  # a damaged summary
                    state = ended_as(self.folder, played) or state  # the test may have ended it before
            name = self.folder.path.name
            return {
                "name": name,
                "title": f"{played}/{planned} · {name}",
                "status": f"{played:,} of {planned:,} games, {state}",
                "rate": self._rate(played, planned) if driven and not over else "",
                "played": played,
                "planned": planned,
                "standings": standings,
                "note": note,
                "games": [_game(row) for row in reversed(self._seen.values())],
                "report": self._has_report(),
            }

    def _look(self) -> int:
        """Read the games that are new; returns how many there are."""
        with closing(self.folder.store(read_only=True)) as store:
            if len(store) != len(self._known):
                new = [row for row in store.rows() if row.number not in self._known]
                self._known.update(row.number for row in new)
                for stored in new[-LATEST:]:
                    self._seen[stored.number] = self.plan.row(stored.row)
                for number in list(self._seen)[:-LATEST]:
                    del self._seen[number]
        return len(self._known)

    def _rate(self, played: int, planned: int) -> str:
        from battlesim.cli.progress import duration

        now = time.monotonic()
        if self._begun is None:
            self._begun = (now, played)
        since, before = self._begun
        if played <= before or now - since < 1:
            return ""
        speed = (played - before) / (now - since)
        return f"{speed:.1f} games a second, about {duration((planned - played) / speed)} left"

    def _ranking(self, played: int) -> tuple[list[list[str]], str]:
        """The standings, computed anew if there are new games and enough time has passed."""
        from battlesim.tournament.driver import aggregate
        from battlesim.tournament.summary import summarise

        now = time.monotonic()
        if played == self._counted or now < self._next:
            return self._standings
        begun = time.process_time()
        overall = summarise(aggregate(self.folder), self.folder.path.name, ())["standings"][0]
        rows = [
            [
                str(row["rank"] or ""),
                row["agent"],
                "" if row["bound"] else _elo(row["elo"]),  # of a limit alone the value comes from the prior
                _interval(row),
                *(str(row[key]) for key in ("games", "wins", "draws", "losses")),
            ]
            for row in overall["rows"]
        ]
        notes = [overall["withheld"], *overall["notes"]]
        self._standings = (rows, " ".join(note for note in notes if note))
        self._counted = played
        self._next = now + PAUSE * (time.process_time() - begun)
        return self._standings


def _elo(value: float | None) -> str:
    return "" if value is None else f"{value:+.0f}"


def _interval(row: Mapping[str, Any]) -> str:
    """An interval, which may have one end only."""
    low, high = _elo(row["low"]), _elo(row["high"])
    if row["elo"] is None or not (low or high):
        return ""
    return f"{low} to {high}" if low and high else f"{low} or more" if low else f"{high} or less"


def _game(row: GameRow) -> list[str]:
    """A game as a row of the page."""
    one, two = row.sides
    players = f"{row.agents[one]} ({one}) : {row.agents[two]} ({two})"
    turns = "" if row.turns is None else str(row.turns)
    return [str(row.number), row.scenario, players, _result(row), turns]


def _result(row: GameRow) -> str:
    """The winner, by how much it won, and how the game ended. The winner's points come first, as in the story."""
    from battlesim.viewer.wording import agree

    one, two = row.sides
    how = ENDS.get(row.verdict) or ENDS.get(row.termination) or row.termination
    if row.winner is not None:
        said = f"{row.winner} {agree(row.winner, 'wins')}"
        first, second = row.winner, two if row.winner == one else one
    else:
        said = "no result" if row.points is None else "a draw"
        first, second = sorted((one, two), key=lambda side: -(row.points or {}).get(side, 0))
    score = f", {row.points[first]} to {row.points[second]}" if row.points else ""
    return f"{said}{score} ({how})"
