"""What `battlesim runs RUN OTHER` prints: how the results of the games changed that two runs have in common. Read `show`."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from battlesim.cli.common import print_json
from battlesim.cli.running import plan_in
from battlesim.core.errors import Fault, InputError

if TYPE_CHECKING:
    from battlesim.jobs.folder import RunFolder
    from battlesim.tournament.paired_runs import Compared, RunsCompared

HEAD = ["games", "changed", "before", "after", "difference", "95% interval", "Elo", "95% interval"]
"""The last columns of both tables."""
KINDS = ("tournament", "list")
"""The kinds of runs that can be compared."""


def show(runs: Sequence[RunFolder], kinds: Sequence[str], as_json: bool) -> int:
    """Print the comparison of two runs; return the exit code. `kinds`: those of the runs. Raises InputError if they cannot be
    compared."""
    import msgspec

    from battlesim.tournament.paired_runs import compare_runs

    for run, kind in zip(runs, kinds, strict=True):
        if kind not in KINDS:
            what = f"this is a run of kind {kind}; only tournaments and lists of games are compared"
            raise InputError(Fault(what, f"battlesim runs {run.path} shows it by itself", str(run.path)))
    found = compare_runs(runs, [plan_in(run) for run in runs])
    if as_json:
        names = {"before": runs[0].path.name, "after": runs[1].path.name}
        print_json({**names, **msgspec.to_builtins(found)})
        return 0
    for line in _lines(found, *(run.path.name for run in runs)):
        print(line)
    return 0


def _lines(found: RunsCompared, before: str, after: str) -> Iterator[str]:
    from battlesim.tournament.words import table

    one, two, both = found.games
    yield f"before: {before}, {one} games; after: {after}, {two} games"
    yield f"{both} games are in both, with the same scenario, seed and agents; only these are compared"
    if found.differs:
        yield f"not alike in the two runs: {', '.join(found.differs)}"
    else:
        yield "program, agents, scenarios and limits are alike in the two runs"
    if found.stopped:
        yield "a sequential test could stop one of these runs early; this exaggerates its share"
    if found.agents:
        rows = [[row.agent, row.scenario or "all", *_cells(row)] for row in found.agents]
        yield ""
        yield from table([["agent", "on", *HEAD], *rows], left=(0, 1))
    if found.sides:
        rows = [[row.agent, row.scenario, row.side, *_cells(row)] for row in found.sides]
        yield ""
        yield from table([["against itself", "on", "first side", *HEAD], *rows], left=(0, 1, 2))
    yield "Shares of the points. Each interval misses the true difference one time in twenty. Changed: games with another result."


def _cells(row: Compared) -> list[str]:
    share, ratio = row.interval, row.elo
    return [
        str(row.games),
        str(row.changed),
        f"{row.before:.1%}",
        f"{row.after:.1%}",
        f"{row.difference:+.1%}",
        "-" if share is None else f"{share.low:+.1%} to {share.high:+.1%}",
        "-" if ratio is None else f"{ratio.value:+.0f}",
        "-" if ratio is None else f"{ratio.low:+.0f} to {ratio.high:+.0f}",
    ]
