"""A league in words and as a page. Read `league_lines`, then `league_page`."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path

from jinja2 import Environment

from battlesim.core.files import write_file
from battlesim.discovery.league import League, Response
from battlesim.discovery.page import PAGE, Answer
from battlesim.discovery.search_judge import Share
from battlesim.discovery.settings import DiscoverySettings
from battlesim.discovery.words import broken_words, play_command, share
from battlesim.viewer.report_charts import forest
from battlesim.viewer.report_frame import frame, templates


def league_lines(asked: DiscoverySettings, found: League) -> Iterator[str]:
    """The results of a league, line by line."""
    yield f"A league of {len(found.members)} on {', '.join(asked.scenarios)}, {found.games:,} games"
    yield from broken_words(found.broken)
    yield ""
    for number, name in enumerate(found.members, 1):
        yield f"{number:3}. {name}{'' if number <= found.founders else '   (a response)'}"
    yield ""
    yield "Share of the row member against the column member, in percent:"
    yield "     " + "".join(f"{number:5}" for number in range(1, len(found.members) + 1))
    for number, row in enumerate(found.shares, 1):
        yield f"{number:3}. " + "".join(
            "    -" if cell is None else f"{100 * cell.value:5.0f}" for cell in row
        )
    yield ""
    for number, response in enumerate(found.responses, 1):
        scored = f"{share(response.share)}; " if response.agent else ""
        yield f"Response {number}, to {mix_words(found, response.mix)}: {scored}{exploited(response)}"
    yield ""
    yield f"The mix that no member gains on: {mix_words(found, found.mix)}"
    yield f"Cycles: {cycle_words(found)}"
    joined = found.members[found.founders :]
    if joined:
        yield ""
        yield f"To play the last response: {play_command(asked, found.side, joined[-1])}"


def exploited(response: Response) -> str:
    """What a response shows about its mix."""
    above = response.share.value - 0.5
    if response.share.low > 0.5:
        return f"the mix is exploitable by {above:.0%} [{response.share.low - 0.5:.0%}, {response.share.high - 0.5:.0%}]"
    if above > 0:
        return "no exploitability is shown"
    if not response.agent:
        return "nothing that was found stood the selection: the league ends"
    return "nothing was found that is better than even: the league ends"


def mix_words(found: League, mix: tuple[tuple[str, float], ...]) -> str:
    """Members by their numbers with their weights: `60% of 1, 40% of 3`."""
    return ", ".join(f"{weight:.0%} of {found.members.index(name) + 1}" for name, weight in mix)


def cycle_words(found: League) -> str:
    """Cycles by the numbers of their members."""
    if not found.cycles:
        return "None: there are no three of which each is shown to beat the next"
    told = [
        " beats ".join(str(found.members.index(name) + 1) for name in (*one, one[0])) for one in found.cycles
    ]
    return "; ".join(told)


def write_league_page(asked: DiscoverySettings, found: League, folder: Path) -> None:
    """Write the page of a league into a folder, whole or not at all. Raises InputError if it cannot be written."""
    write_file(folder / PAGE, league_page(asked, found, folder.name).encode("utf-8", "replace"), "the page")


def league_page(asked: DiscoverySettings, found: League, name: str) -> str:
    """The page; the same figures give the same text."""
    shares = [r.share if r.agent else None for r in found.responses]
    rows = [{"value": one.value, "low": one.low, "high": one.high} if one else {} for one in shares]
    return (
        _templates()
        .get_template("league.html.j2")
        .render(
            **frame(),
            name=name,
            asked=asked,
            found=found,
            answers=_answers(found),
            rows=[(number, cells(row)) for number, row in enumerate(found.shares, 1)],
            weights=dict(found.mix),
            plays=lambda agent: play_command(asked, found.side, agent),
            bars=forest(rows, ("value", "low", "high"), 0.5, (0.0, 1.0)),
            mix=lambda mix: mix_words(found, mix),
            exploited=exploited,
            cycle=cycle_words(found),
        )
    )


def cells(row: tuple[Share | None, ...]) -> list[tuple[str, str, int]]:
    """A row of the matrix: share, interval and shade (0 to 10, -1 where a member would meet itself)."""
    return [
        ("", "", -1)
        if cell is None
        else (
            f"{100 * cell.value:.0f}",
            f"{100 * cell.low:.0f}–{100 * cell.high:.0f}",
            min(max(round(10 * cell.value), 0), 10),
        )
        for cell in row
    ]


def _answers(found: League) -> list[Answer]:
    last = found.responses[-1] if found.responses else None
    if last is None:
        told = "Nothing was searched for."
    elif last.share.low > 0.5:
        told = f"Yes: the last response takes {share(last.share)} of the games against the mix of those before it."
    else:
        told = "No way to exploit the last mix was shown."
    return [
        Answer("Can the best mix be exploited?", told, () if last is None else (exploited(last),)),
        Answer("Who is in the best mix?", mix_words(found, found.mix)),
        Answer("Are there cycles?", cycle_words(found)),
        Answer(
            "How many joined?", f"{len(found.members) - found.founders} beside {found.founders} founders."
        ),
    ]


@lru_cache
def _templates() -> Environment:
    return templates(Path(__file__).resolve().parent)
