"""The report in a real browser: opened from its file, sorted, switched, narrow, dark and on paper. It asks for nothing."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from battlesim.viewer.report import write_report
from tests.viewer.browser import PATIENCE, Opened
from tests.viewer.summary_sample import EMPTY, sample
from tests.viewer.test_report import HOSTILE, poisoned

pytestmark = pytest.mark.slow


class OpenedReport(Opened):
    """The report of a summary in the browser."""

    def __init__(self, chromium: Any, folder: Path, summary: Any, **options: Any) -> None:
        file = folder / "report.html"
        write_report(summary, file)
        super().__init__(chromium, file, **options)

    def column(self, table: str, number: int) -> list[str]:
        found: list[str] = self.page.locator(
            f"{table} tbody tr:visible > :nth-child({number})"
        ).all_inner_texts()
        return found


@pytest.fixture
def opened(chromium: Any, tmp_path: Path) -> Iterator[Any]:
    """Opens a summary; at the end no page may have complained, nor asked for anything but itself."""
    pages: list[OpenedReport] = []

    def openly(summary: Any, **options: Any) -> OpenedReport:
        folder = tmp_path / str(len(pages))
        folder.mkdir()
        pages.append(OpenedReport(chromium, folder, summary, **options))
        return pages[-1]

    yield openly
    for page in pages:
        page.close()


def test_table_sorts_by_click_and_by_key(opened: Any) -> None:
    from playwright.sync_api import expect

    seen = opened(sample())
    table = "#pairings table"
    head = seen.page.locator(f"{table} thead th").nth(3)  # the score
    button = head.get_by_role("button")
    button.click()
    expect(head).to_have_attribute("aria-sort", "descending")
    scores = [float(text.rstrip("%")) for text in seen.column(table, 4)]
    assert len(scores) == 30
    assert scores == sorted(scores, reverse=True)
    button.press("Enter")
    expect(head).to_have_attribute("aria-sort", "ascending")
    assert [float(text.rstrip("%")) for text in seen.column(table, 4)] == sorted(scores)
    names = seen.page.locator(f"{table} thead th").first
    names.get_by_role("button").press("Space")
    expect(names).to_have_attribute("aria-sort", "ascending")
    assert head.get_attribute("aria-sort") is None
    places = seen.column(table, 1)
    assert places == sorted(places)


def test_negative_and_unknown_numbers_sort_as_numbers(opened: Any) -> None:
    summary = sample()
    summary["standings"][0]["rows"][1].update(margin=None, margin_low=None, margin_high=None)
    seen = opened(summary)
    head = seen.page.locator(".scope:visible thead th").last
    head.get_by_role("button").click()
    down = seen.column(".scope:visible table", 11)
    head.get_by_role("button").click()
    up = seen.column(".scope:visible table", 11)
    assert down[-1] == up[-1] == "–"
    assert down[:-1] == up[:-1][::-1]
    seen.page.locator(".scope:visible thead th").nth(2).get_by_role("button").click()
    elo = [int(text.replace("−", "-")) for text in seen.column(".scope:visible table", 3) if text != "–"]
    assert min(elo) < 0 < max(elo)
    assert elo in (sorted(elo), sorted(elo, reverse=True))


def test_standings_switch_by_scope(opened: Any) -> None:
    from playwright.sync_api import expect

    seen = opened(sample())
    shown = seen.page.locator(".scope:visible")
    expect(shown).to_have_count(1)
    expect(shown.locator("h3")).to_have_text("All games")
    seen.page.get_by_label("Standings of").select_option(label="stairwell")
    expect(shown).to_have_count(1)
    expect(shown.locator("h3")).to_contain_text("stairwell")
    seen.page.get_by_label("Standings of").select_option(label="bridge")
    expect(shown.locator(".notice")).to_contain_text("stalled")


def test_pairings_are_filtered(opened: Any) -> None:
    seen = opened(sample())
    seen.page.locator("#pairings").get_by_label("Agent").select_option("rush")
    seen.page.locator("#pairings").get_by_label("Scenario").select_option("stairwell")
    rows = seen.page.locator("#pairings tbody tr:visible")
    assert rows.count() == 3
    assert all("rush" in text and "stairwell" in text for text in rows.all_inner_texts())
    assert seen.page.get_by_role("status").inner_text() == "3 of 30 rows"


def test_everything_stands_there_without_script(opened: Any) -> None:
    seen = opened(sample(), java_script_enabled=False)
    assert seen.page.locator(".scope").count() == seen.page.locator(".scope:visible").count() == 10
    assert seen.page.locator("button").count() == 0


@pytest.mark.parametrize("width", [320, 360, 768])
@pytest.mark.parametrize(
    "make", [lambda: sample(10, 6, 20), lambda: sample(2, 1), lambda: EMPTY, lambda: poisoned(sample())]
)
def test_no_width_makes_the_page_scroll_sideways(opened: Any, make: Any, width: int) -> None:
    seen = opened(make(), viewport={"width": width, "height": 740})
    for fold in seen.page.locator("summary").all():
        fold.click()
    assert seen.page.evaluate("document.documentElement.scrollWidth") <= width
    wide = seen.page.evaluate("""[...document.querySelectorAll('main *, header *')].filter(node => {
        if (node.closest('.scroll, pre, svg')) return false;
        return node.getBoundingClientRect().right > innerWidth + 1;
    }).map(node => node.outerHTML.slice(0, 120))""")
    assert wide == []


def test_long_verdicts_leave_the_table_of_sides_within_its_card(opened: Any) -> None:
    summary = sample()
    for row in summary["sides"]:
        row["verdict"] = "too few games: 100:0 could go unseen"
    seen = opened(summary, viewport={"width": 1200, "height": 900})
    table = seen.page.locator("#sides .scroll").first
    assert table.evaluate("node => node.scrollWidth <= node.clientWidth")
    seen.page.set_viewport_size({"width": 420, "height": 900})
    assert table.evaluate("node => getComputedStyle(node).overflowX") == "auto"
    # Where there is more to the right, the edge is shaded.
    assert "local, local, scroll, scroll" in table.evaluate(
        "node => getComputedStyle(node).backgroundAttachment"
    )


def test_dark_and_light_follow_the_reader(opened: Any) -> None:
    found = []
    for scheme in ("light", "dark"):
        seen = opened(sample(), color_scheme=scheme)
        found.append(
            seen.page.evaluate(
                "['backgroundColor', 'color'].map(name => getComputedStyle(document.body)[name])"
            )
        )
    assert found == [["rgb(247, 245, 240)", "rgb(27, 34, 41)"], ["rgb(18, 22, 26)", "rgb(230, 233, 236)"]]


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_paper_gets_every_standing_in_light(opened: Any, scheme: str) -> None:
    seen = opened(sample(), color_scheme=scheme)
    assert len(seen.page.pdf(format="A4")) > 30_000
    seen.page.emulate_media(media="print")
    assert seen.page.locator(".scope:visible").count() == 10
    assert seen.page.evaluate("getComputedStyle(document.body).color") == "rgb(27, 34, 41)"


def test_hostile_names_run_nothing(opened: Any) -> None:
    seen = opened(poisoned(sample()))
    assert seen.page.locator("img").count() == 0
    assert seen.page.locator("script").count() == 1
    assert HOSTILE in seen.page.locator("h1").inner_text()
    seen.page.locator("#pairings thead button").first.click()
    seen.page.get_by_label("Standings of").select_option(index=2)
    assert seen.page.locator("img").count() == 0


def test_policy_stops_what_is_put_in_later(chromium: Any, tmp_path: Path) -> None:
    """The policy holds: a script slipped into the file would not run."""
    file = tmp_path / "report.html"
    write_report(sample(2, 1), file)
    changed = file.read_text(encoding="utf-8").replace(
        "</main>", "<script>document.title = 'ran'</script></main>"
    )
    file.write_text(changed, encoding="utf-8")
    context = chromium.new_context()
    context.set_default_timeout(PATIENCE)
    page = context.new_page()
    page.goto(file.as_uri())
    assert page.title() == "first · battlesim tournament"
    context.close()
