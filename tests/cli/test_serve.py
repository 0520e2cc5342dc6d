"""`battlesim serve`: what it refuses, what it shows of a run, and that it reads nothing else."""

from __future__ import annotations

import http.client
import json
import os
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from threading import Thread
from typing import Any

import pytest
from msgspec.structs import replace

from battlesim.cli.loopback import Loopback, Page
from battlesim.cli.main import main
from battlesim.cli.serve import LATEST, WatchedRun, _interval, _result
from battlesim.jobs.folder import RunFolder
from battlesim.jobs.store import StoredRow
from tests.tournament.runs import SMALL, battlesim
from tests.viewer.browser import PATIENCE, chromium_browser

ROOT = Path(__file__).parents[2]
HELLO = {"": lambda: Page("text/plain", b"hello"), "bad": lambda: Page("x", (Path("/nowhere")).read_bytes())}


@contextmanager
def running(pages: Any) -> Iterator[Loopback]:
    with Loopback(pages) as server:
        thread = Thread(target=server.run)
        thread.start()
        yield server
        server.stop()
        thread.join()


@pytest.fixture(scope="module")
def site() -> Iterator[Loopback]:
    with running(HELLO) as server:
        yield server


def ask(
    site: Loopback, path: str, headers: dict[str, str] | None = None, method: str = "GET"
) -> tuple[int, bytes, dict[str, str]]:
    with closing(http.client.HTTPConnection("127.0.0.1", site.port, timeout=600)) as connection:
        connection.request(method, path, headers=headers or {})
        answer = connection.getresponse()
        return answer.status, answer.read(), dict(answer.getheaders())


# ---- refusals


def test_who_has_the_address_is_answered(site: Loopback) -> None:
    status, body, headers = ask(site, f"/{site.token}/")
    assert (status, body) == (200, b"hello")
    assert headers["Content-Security-Policy"] == "default-src 'none'; frame-ancestors 'none'"
    assert (headers["Cache-Control"], headers["X-Content-Type-Options"]) == ("no-store", "nosniff")
    assert (headers["Referrer-Policy"], headers["X-Frame-Options"]) == ("no-referrer", "DENY")
    assert headers["Cross-Origin-Resource-Policy"] == "same-origin"
    assert "Python" not in headers["Server"]
    assert site.address == f"http://127.0.0.1:{site.port}/{site.token}/"
    assert ask(site, f"/{site.token}/", method="HEAD")[:2] == (200, b"")
    assert ask(site, f"/{site.token}/", {"Host": f"localhost:{site.port}"})[0] == 200


def test_it_listens_on_the_loopback_interface_only(site: Loopback) -> None:
    assert site._server.server_address[0] == "127.0.0.1"
    others = {str(info[4][0]) for info in socket.getaddrinfo(socket.gethostname(), None, socket.AF_INET)}
    for address in others - {"127.0.0.1"}:
        if not address.startswith("127."):
            with pytest.raises(OSError):
                socket.create_connection((address, site.port), timeout=2).close()


@pytest.mark.parametrize("token", ["", "x", "TOKEN x", "TOKEN"])
def test_without_the_token_there_is_nothing(site: Loopback, token: str) -> None:
    wrong = site.token[:-1] + ("a" if site.token[-1] != "a" else "b") if token == "TOKEN" else token
    wrong = wrong.replace("TOKEN ", site.token)
    assert wrong != site.token
    status, body, _ = ask(site, f"/{wrong}/")
    assert status == 404
    assert b"hello" not in body
    assert site.token.encode() not in body


def test_tokens_cannot_be_guessed_and_differ() -> None:
    tokens = set()
    for _ in range(8):
        with Loopback(HELLO) as server:
            tokens.add(server.token)
    assert len(tokens) == 8
    assert min(map(len, tokens)) >= 32


@pytest.mark.parametrize(
    "host", ["evil.example", "evil.example:PORT", "127.0.0.1", "127.0.0.1:1", "", "[::1]:PORT"]
)
def test_another_host_is_refused(site: Loopback, host: str) -> None:
    """A name of somebody else that leads to this machine."""
    status, body, _ = ask(site, f"/{site.token}/", {"Host": host.replace("PORT", str(site.port))})
    assert status == 421
    assert b"hello" not in body


@pytest.mark.parametrize(
    "headers",
    [
        {"Origin": "https://evil.example"},
        {"Origin": "null"},
        {"Origin": "http://127.0.0.1:1"},
        {"Origin": "https://127.0.0.1:PORT"},
        {"Sec-Fetch-Site": "cross-site"},
        {"Sec-Fetch-Site": "same-site"},
    ],
)
def test_another_origin_is_refused(site: Loopback, headers: dict[str, str]) -> None:
    given = {name: value.replace("PORT", str(site.port)) for name, value in headers.items()}
    status, body, _ = ask(site, f"/{site.token}/", given)
    assert status == 403
    assert b"hello" not in body
    own = {"Origin": f"http://127.0.0.1:{site.port}", "Sec-Fetch-Site": "same-origin"}
    assert ask(site, f"/{site.token}/", own)[0] == 200


@pytest.mark.parametrize("method", ["POST", "PUT", "DELETE", "OPTIONS", "TRACE", "CONNECT", "PATCH"])
def test_nothing_but_reading_is_done(site: Loopback, method: str) -> None:
    status, body, _ = ask(site, f"/{site.token}/", method=method)
    assert status >= 400
    assert b"hello" not in body


@pytest.mark.parametrize(
    "path",
    [
        "x",
        "../",
        "..%2f..%2fetc/passwd",
        "../../../../etc/passwd",
        "//",
        "/etc/passwd",
        "serve.py",
        "%00",
        "results.sqlite",
    ],
)
def test_nothing_but_its_pages_is_there(site: Loopback, path: str) -> None:
    assert ask(site, f"/{site.token}/{path}")[0] == 404


def test_a_page_that_cannot_be_made_is_no_crash(site: Loopback) -> None:
    status, body, _ = ask(site, f"/{site.token}/bad")
    assert status == 503
    assert b"nowhere" not in body
    assert ask(site, f"/{site.token}/")[0] == 200


# ---- a run


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("served") / "small"
    battlesim("tournament", *SMALL, "--out", str(path), "--workers", "2", "--quiet")
    return path


def half(run: Path, target: Path, games: int) -> Path:
    """A copy of a run with its first games only."""
    whole = RunFolder(run)
    config = whole.asked()
    made = RunFolder.create(target, whole.resolved(), config.read_bytes(), config.suffix)
    with closing(whole.store(read_only=True)) as store, closing(made.store()) as kept:
        kept.add(list(store.rows())[:games])
    return target


@pytest.mark.slow
def test_it_shows_progress_standings_and_the_latest_games(run: Path) -> None:
    state = WatchedRun(RunFolder(run)).state()
    assert state["status"] == f"{state['planned']} of {state['planned']} games, finished"
    assert [row[1] for row in state["standings"]] == ["rush", "random"]
    assert len(state["games"]) == min(LATEST, state["planned"])
    first = state["games"][0]
    assert first[1] == "stairwell"
    assert {"rush", "random"} >= {word.split(" ")[0] for word in first[2].split(" : ")}
    assert state["report"]


@pytest.mark.slow
def test_a_rating_with_one_limit_has_no_value(run: Path, tmp_path: Path) -> None:
    """It comes from the prior alone."""
    folder = RunFolder(half(run, tmp_path / "half", 0))
    with closing(RunFolder(run).store(read_only=True)) as store, closing(folder.store()) as target:
        for stored in store.rows():
            row = json.loads(stored.row)
            sides = {name: side for side, name in row["agents"].items()}
            row["winner"] = sides["rush"] if len(sides) == 2 else None
            target.add([StoredRow(stored.number, json.dumps(row).encode(), stored.seconds, stored.tries)])
    for row in WatchedRun(folder).state()["standings"]:
        assert row[2] == ""
        assert row[3].endswith(" or more" if row[1] == "rush" else " or less")


@pytest.mark.parametrize(
    ("low", "high", "shown"),
    [(5.2, None, "+5 or more"), (None, -5.2, "-5 or less"), (-3, 4, "-3 to +4"), (None, None, "")],
)
def test_an_interval_with_one_end_says_so(low: float | None, high: float | None, shown: str) -> None:
    assert _interval({"elo": 9.0, "low": low, "high": high}) == shown


def test_results_are_told_as_the_story_tells_them(run: Path) -> None:
    row = WatchedRun(RunFolder(run)).plan.row(next(RunFolder(run).store(read_only=True).rows()).row)
    row = replace(row, sides=("South", "North"), points={"South": 0, "North": 6})
    for winner, verdict, termination, told in (
        ("North", "length", "length", "North wins, 6 to 0 (after the last turn)"),
        ("South", "decided", "annihilation", "South wins, 0 to 6 (the enemy is destroyed)"),
        (None, "length", "length", "a draw, 6 to 0 (after the last turn)"),
    ):
        assert _result(replace(row, winner=winner, verdict=verdict, termination=termination)) == told
    broken = replace(row, winner=None, points=None, verdict="fault", termination="fault")
    assert _result(broken) == "no result (battlesim broke off)"


@pytest.mark.slow
def test_the_first_answer_does_not_wait_for_standings(run: Path) -> None:
    watched = WatchedRun(RunFolder(run))
    first = watched.state(ranked=False)
    assert first["games"]
    assert not first["standings"]
    assert watched.state()["standings"]
    assert watched.state(ranked=False)["standings"]


def test_new_games_come_to_the_top(run: Path, tmp_path: Path) -> None:
    path = half(run, tmp_path / "half", 3)
    watched = WatchedRun(RunFolder(path))
    before = watched.state()
    assert before["status"].endswith(f"3 of {before['planned']} games, not being played now")
    assert not before["report"]
    rows = list(RunFolder(run).store(read_only=True).rows())
    new = [rows[7], rows[5]]
    with closing(RunFolder(path).store()) as store:
        store.add([StoredRow(row.number, row.row, row.seconds, row.tries) for row in new])
    after = watched.state()
    assert after["played"] == 5
    assert {int(game[0]) for game in after["games"][:2]} == {row.number for row in new}


def test_a_match_that_its_test_has_ended_is_told_as_decided(run: Path, tmp_path: Path) -> None:
    folder = RunFolder(half(run, tmp_path / "half", 3))
    resolved = folder.resolved()
    resolved["asked"] |= {"format": "match", "stop": {"elo0": 0, "elo1": 20}}
    (folder.path / "resolved.json").write_text(json.dumps(resolved))
    assert WatchedRun(folder).state(ranked=False)["status"].endswith(" games, not being played now")
    (folder.path / "summary.json").write_text('{"games": {"played": 3}, "state": "decided"}')
    assert WatchedRun(folder).state(ranked=False)["status"].endswith(" games, decided")
    for other in ('{"games": {"played": 2}, "state": "decided"}', "[damaged"):
        (folder.path / "summary.json").write_text(other)
        assert WatchedRun(folder).state(ranked=False)["status"].endswith(" games, not being played now")


@pytest.mark.slow
def test_a_run_that_is_being_played_is_told_as_such(run: Path, tmp_path: Path) -> None:
    folder = RunFolder(half(run, tmp_path / "half", 4))
    with folder.locked():
        assert "being played" in WatchedRun(folder).state()["status"]
        assert "not being played" not in WatchedRun(folder).state()["status"]


@pytest.mark.slow
def test_it_writes_nothing(run: Path) -> None:
    before = {p: (p.stat().st_mtime_ns, p.stat().st_size) for p in run.iterdir() if "-shm" not in p.name}
    watched = WatchedRun(RunFolder(run))
    for _ in range(2):
        watched.state()
        watched.page()
        watched.report()
    after = {p: (p.stat().st_mtime_ns, p.stat().st_size) for p in run.iterdir() if "-shm" not in p.name}
    assert after == before


def test_a_link_out_of_the_run_is_not_followed(run: Path, tmp_path: Path) -> None:
    path = half(run, tmp_path / "half", 2)
    secret = tmp_path / "secret.html"
    secret.write_text("secret")
    (path / "report.html").symlink_to(secret)
    watched = WatchedRun(RunFolder(path))
    assert not watched.state()["report"]
    with pytest.raises(FileNotFoundError):
        watched.report()
    with running(watched.pages()) as site:
        assert ask(site, f"/{site.token}/report.html")[0] == 503
        for name in ("secret.html", "results.sqlite", "resolved.json", "records/", "environment.json"):
            assert ask(site, f"/{site.token}/{name}")[0] == 404


@pytest.mark.slow
def test_the_command_says_its_address_and_ends_by_ctrl_c(run: Path) -> None:
    process = subprocess.Popen(
        [sys.executable, "-m", "battlesim", "serve", str(run), "--json"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        cwd=ROOT,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
    )
    assert process.stdout is not None
    told = json.loads(process.stdout.readline())
    assert told["address"].startswith("http://127.0.0.1:")
    port, token = told["address"].split(":")[2].split("/")[:2]
    with closing(http.client.HTTPConnection("127.0.0.1", int(port), timeout=600)) as connection:
        connection.request("GET", f"/{token}/state.json")
        assert json.loads(connection.getresponse().read())["name"] == "small"
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=600)
    assert process.returncode == 0
    assert "Traceback" not in err
    assert out == ""


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (("nowhere",), "there is no such run"),
        ((str(ROOT),), "not a run's folder"),
        (("RUN", "--port", "70000"), "'70000' is not a port"),
        (("RUN", "--port", "TAKEN"), "give another one"),
    ],
)
def test_what_cannot_be_served_is_said(
    words: tuple[str, ...], told: str, run: Path, site: Loopback, capsys: pytest.CaptureFixture[str]
) -> None:
    given = [{"RUN": str(run), "TAKEN": str(site.port)}.get(word, word) for word in words]
    try:
        code = main(["serve", *given])
    except SystemExit as stop:
        code = int(str(stop.code))
    assert code == 2
    assert told in capsys.readouterr().err


# ---- the page in a browser


@pytest.mark.slow
def test_the_page_follows_the_run_and_names_are_text(run: Path, tmp_path: Path) -> None:
    from axe_playwright_python.sync_playwright import Axe

    evil = "<img src=x onerror=alert(1)>"
    watched = WatchedRun(RunFolder(half(run, tmp_path / "half", 4)))
    state = watched.state()

    def told() -> Page:
        found = {**state, "name": f"run {evil}", "standings": [["1", evil, *state["standings"][0][2:]]]}
        return Page("application/json", json.dumps(found).encode())

    said: list[str] = []
    asked: list[str] = []
    with chromium_browser() as chromium, running({**watched.pages(), "state.json": told}) as site:
        context = chromium.new_context(bypass_csp=False)
        context.set_default_timeout(PATIENCE)
        page = context.new_page()
        page.on("console", lambda message: said.append(message.text))
        page.on("pageerror", lambda error: said.append(str(error)))
        page.on("dialog", lambda dialog: (said.append(dialog.message), dialog.dismiss()))
        page.on("request", lambda request: asked.append(request.url))
        page.goto(site.address)
        # The first answer has the run's own name; the second is the one that is told here.
        page.locator("h1", has_text=evil).wait_for()
        assert page.locator("#standings td").nth(1).inner_text() == evil
        assert page.locator("img").count() == 0
        assert page.locator("#games tr").count() == 4
        state["played"], state["status"] = 5, "5 games now"
        page.get_by_text("5 games now").wait_for()
        page.set_viewport_size({"width": 360, "height": 700})
        assert page.evaluate("document.documentElement.scrollWidth") <= 360
        assert all(url.startswith(site.address) for url in asked)
        context.close()
        loud = chromium.new_context(bypass_csp=True)
        loud.set_default_timeout(PATIENCE)
        page = loud.new_page()
        page.goto(site.address)
        page.locator("#standings tr").first.wait_for()
        found = Axe().run(page)
        assert found.violations_count == 0, found.generate_report()
        loud.close()
    assert said == []
