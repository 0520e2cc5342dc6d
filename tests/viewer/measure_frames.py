"""How smoothly a replay page plays in a real browser.

    python -m tests.viewer.measure_frames                       # the largest shipped battle, speeds 1, 4 and 16
    python -m tests.viewer.measure_frames village --speed 4     # another scenario, one speed
    python -m tests.viewer.measure_frames battle.jsonl.gz       # a record

It plays the battle (greedy against rush, a minute or two for the largest), makes its page with chances and views, opens it in a
headless Chromium (`/usr/bin/chromium`, the package playwright), and lets it play from four places of the battle. A frame's time
is that between two frames as the page sees them. The computing time is that of the page's main thread alone, and does not depend
on what else the machine does. Read `measure`.
"""

from __future__ import annotations

import argparse
import json
import statistics
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

from battlesim import play
from battlesim.engine.origin import board_of
from battlesim.engine.record import Record, parse_record, read_record
from battlesim.viewer.insight import insight_of
from battlesim.viewer.page import watch_page
from tests.viewer.browser import Opened, chromium_browser

PLACES = (0.1, 0.35, 0.6, 0.85)
"""Where in the battle the page is played from, as a share of its moments."""
SECONDS = 5.0
"""So long it is played from each."""


class Frames(NamedTuple):
    """Frames of a page that plays, in milliseconds: the time between one and the next, sorted, and the computing time of its main
    thread a frame."""

    times: Sequence[float]
    computing: float

    @property
    def median(self) -> float:
        return statistics.median(self.times)

    def share_within(self, milliseconds: float) -> float:
        """The share of frames that came in time."""
        return sum(time <= milliseconds for time in self.times) / len(self.times)


def frames_of(seen: Opened, seconds: float) -> Frames:
    """The frames of a page that is at rest now and is let play for some seconds, once it has begun. It must not end meanwhile."""
    seen.page.keyboard.press(" ")
    seen.page.wait_for_timeout(1000)
    times, spent = computed(
        seen,
        """(long) => new Promise(done => { const begun = performance.now(), times = []; let old = begun;
            const each = () => { const now = performance.now(); times.push(now - old); old = now;
                if (now - begun < long && playing) requestAnimationFrame(each); else done(times); };
            requestAnimationFrame(each); })""",
        1000 * seconds,
    )
    assert seen.page.evaluate("playing"), "it came to the end"
    seen.page.evaluate("stop()")
    return Frames(sorted(times), spent / len(times))


def computed(seen: Opened, script: str, argument: object = None) -> tuple[Any, float]:
    """What a script in a page comes to, and the milliseconds that the page's main thread computes meanwhile."""
    metrics = seen.context.new_cdp_session(seen.page)
    metrics.send("Performance.enable", {"timeDomain": "threadTicks"})

    def spent() -> float:
        rows = metrics.send("Performance.getMetrics")["metrics"]
        return float(next(row["value"] for row in rows if row["name"] == "TaskDuration"))

    begun = spent()
    found = seen.page.evaluate(script, argument)
    milliseconds = 1000 * (spent() - begun)
    metrics.detach()
    return found, milliseconds


def measure(seen: Opened, speed: str, seconds: float = SECONDS) -> Frames:
    """The frames of a page at a speed, from all places of its battle."""
    seen.page.locator("#speed").select_option(speed)
    seen.page.locator("#speed").blur()
    found = []
    for place in PLACES:
        seen.page.evaluate(f"show(Math.floor({place} * last))")
        found.append(frames_of(seen, seconds))
    times = sorted(time for frames in found for time in frames.times)
    return Frames(times, statistics.mean(frames.computing for frames in found))


def _record(name: str) -> Record:
    if Path(name).exists():
        return read_record(name)
    return parse_record(play(name, ("greedy", "rush"), seed=5).record(), name)


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("what", nargs="?", default="helsinki-quarter", metavar="SCENARIO|RECORD")
    parser.add_argument("--speed", action="append", metavar="N", help="a speed of the page (1, 4, 16)")
    parser.add_argument("--seconds", type=float, default=SECONDS, help="at each of four places (5)")
    args = parser.parse_args()
    record = _record(args.what)
    text = watch_page(record, board_of(record), None, insight_of(record))
    units = [unit["side"] for unit in json.loads(bytes(record.header.start))["units"]]
    told = " against ".join(f"{units.count(n)} of {side}" for n, side in enumerate(record.header.sides))
    print(f"{record.header.scenario.name}: {told}; the page has {len(text.encode()) / 1e6:.1f} MB")
    with chromium_browser() as chromium, tempfile.TemporaryDirectory() as folder:
        file = Path(folder, "page.html")
        file.write_text(text, encoding="utf-8")
        seen = Opened(chromium, file)
        for speed in args.speed or ("1", "4", "16"):
            found = measure(seen, speed, args.seconds)
            print(
                f"speed {speed}: a frame every {found.median:.1f} ms (median of {len(found.times)}), "
                f"{found.share_within(1000 / 30):.0%} within 1/30 s; {found.computing:.1f} ms of computing a frame",
                flush=True,
            )
        seen.close()


if __name__ == "__main__":
    main()
