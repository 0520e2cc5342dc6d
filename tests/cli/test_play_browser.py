"""The page of a person who plays, in a real browser: whole games by clicking and by keys, a phone, dark, readers, two pages."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest

from battlesim.cli.loopback import Page
from battlesim.cli.page_player import POLICY, WAITING
from tests.cli.talking import Noting, Talk, pattern, table
from tests.cli.test_human import SMALL
from tests.cli.test_serve import running
from tests.viewer.browser import PATIENCE, chromium_browser

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def chromium() -> Iterator[Any]:
    with chromium_browser() as browser:
        yield browser


@contextmanager
def opened(chromium: Any, talk: Talk, complaints: str = "", **options: Any) -> Iterator[Any]:
    """The page in a browser; at the end it may have asked for nothing but its own, and complained of nothing but `complaints`."""
    said: list[str] = []
    asked: set[str] = set()
    context = chromium.new_context(**{"viewport": {"width": 1280, "height": 900}, **options})
    context.set_default_timeout(PATIENCE)
    page = context.new_page()
    page.on("console", lambda message: said.append(message.text))
    page.on("pageerror", lambda error: said.append(str(error)))
    page.on("request", lambda request: asked.add(request.url))
    address = f"http://127.0.0.1:{talk.port}/{talk.token}/"
    page.goto(address)
    page.locator("#question").wait_for(state="attached")  # before it begins, there is a page that says so
    until(page, "state.phase !== 'waiting'")
    yield page
    context.close()
    assert [text for text in said if not complaints or complaints not in text] == []
    parts = ("", "version.json", "state.json", "answer", "odds", "leave")
    assert asked <= {address + part for part in parts}


def until(page: Any, what: str) -> None:
    """Wait for what is true of the page; its policy forbids the tool's own way."""
    end = time.monotonic() + PATIENCE / 1000
    while not page.evaluate(what):
        assert time.monotonic() < end, what
        page.wait_for_timeout(20)


def answered(page: Any, act: Any) -> None:
    """Do what gives an answer, and wait for what comes of it."""
    number = page.evaluate("state.question.number")
    act()
    until(page, f"state.phase !== 'waiting' && (!state.question || state.question.number !== {number})")


def by_list(page: Any, number: int) -> None:
    labels = page.locator("#answers label")
    labels.nth(number % labels.count()).click()
    answered(page, page.get_by_role("button", name="Give this answer").click)


def by_map(page: Any, number: int) -> bool:
    """Give an answer by two clicks on its mark; whether there is a mark that can be clicked."""
    marks = page.locator("#choices .choice")
    if not marks.count():
        return False
    box = marks.nth(number % marks.count()).locator("circle, rect").first.bounding_box()
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    view = page.locator("#view").bounding_box()
    if not (view["x"] < x < view["x"] + view["width"] and view["y"] < y < view["y"] + view["height"]):
        return False
    page.mouse.click(x, y)
    chosen = page.evaluate("chosen()")
    if chosen < 0 or len(page.evaluate(_UNDER, [x, y])) != 1:
        return False  # several answers share the place: clicks go through them
    answered(page, lambda: page.mouse.click(x, y))
    return True


_UNDER = """([x, y]) => [...new Set(document.elementsFromPoint(x, y).map((e) => e.closest(".choice")).filter(Boolean)
    .flatMap((mark) => mark.dataset.numbers.split(",")))]"""


def test_the_page_before_the_first_question_complains_of_nothing(chromium: Any) -> None:
    """It is seen where the first question takes its time. A browser asks for an icon that it misses, and then for itself
    again."""
    said: list[str] = []
    with running({"": lambda: Page("text/html; charset=utf-8", WAITING, POLICY)}) as site:
        context = chromium.new_context()
        context.set_default_timeout(PATIENCE)
        page = context.new_page()
        page.on("console", lambda message: said.append(message.text))
        page.goto(site.address)
        with page.expect_navigation():
            pass
        assert "begins in a moment" in page.inner_text("p")
        context.close()
    assert said == []


@pytest.mark.parametrize("book", SMALL)
def test_a_whole_game_is_played_by_clicking(book: str, chromium: Any) -> None:
    with table(SMALL[book]) as (talk, _, games), opened(chromium, talk) as page:
        clicks = 0
        for number in pattern():
            if page.evaluate("state.phase") != "asked":
                break
            drawn = page.evaluate("[...document.querySelectorAll('#units .unit:not([display])')].length")
            assert drawn > 0
            if by_map(page, number):
                clicks += 1
            else:
                by_list(page, number)
        assert clicks > 5
        assert page.evaluate("state.phase") == "over"
        assert page.locator("#question").inner_text() == "The battle is over."
        assert page.locator("#clock").inner_text() == "The end"
        assert page.locator("#story li").count() > 20
        assert page.locator("#choices > *").count() == 0
        points = [page.locator(f"#points{side}").inner_text() for side in (0, 1)]
    (game,) = games
    assert not game.faults
    assert points == [str(one) for one in game.outcome.points]


def test_it_is_played_by_keys_alone(chromium: Any) -> None:
    with table("stairwell") as (talk, _, games), opened(chromium, talk) as page:
        keys = page.keyboard
        for _ in range(40):
            if page.locator("#answers input").first.evaluate("e => e === document.activeElement"):
                break
            keys.press("Tab")
        keys.press("Enter")
        assert page.locator("#note").inner_text() == "Choose an answer first."
        keys.press("2")
        assert page.evaluate("chosen()") == 1
        keys.press("ArrowUp")
        assert page.evaluate("chosen()") == 0
        keys.press("o")
        until(page, "document.querySelector('#told-odds b')")
        while page.evaluate("state.phase") == "asked":
            keys.press("1")
            answered(page, lambda: keys.press("Enter"))
            if page.evaluate("state.phase") == "asked":
                assert page.evaluate("document.activeElement.closest('#answers') !== null")
    assert len(games) == 1


def test_two_pages_play_the_same_game(chromium: Any) -> None:
    with (
        table("stairwell") as (talk, _, _),
        opened(chromium, talk) as one,
        opened(chromium, talk, "409") as two,
    ):
        by_list(one, 0)
        number = one.evaluate("state.question.number")
        until(two, f"state.question && state.question.number === {number}")
        assert "from another page" in two.locator("#note").inner_text()
        two.evaluate("clearTimeout(0); look = () => {}")
        stale = {"question": number, "answer": two.evaluate("state.question.answers[0].form")}
        by_list(one, 0)
        told = two.evaluate("(body) => send('answer', body)", stale)
        assert "no longer asked" in told["error"]
        until(two, "!busy")
        two.evaluate("(said) => take(said)", told)
        assert two.evaluate("state.question.number") == one.evaluate("state.question.number")
        assert "no longer asked" in two.locator("#note").inner_text()


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("book", SMALL)
def test_a_reader_finds_no_barrier(book: str, scheme: str, chromium: Any) -> None:
    from axe_playwright_python.sync_playwright import Axe

    with table(SMALL[book]) as (talk, _, _), opened(chromium, talk, color_scheme=scheme) as page:
        for number in (0, 1, 0):
            by_list(page, number)
        page.evaluate("choose(0)")
        page.get_by_role("button", name="Most promising").click()
        until(page, "document.querySelector('#told-odds b')")
        for tab in page.get_by_role("tab").all():
            tab.click()
            found = Axe().run(page)
            assert found.violations_count == 0, found.generate_report()


def test_on_a_phone_nothing_is_wider_than_the_screen_and_a_finger_plays(chromium: Any) -> None:
    phone = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True}
    with table("outpost") as (talk, _, _), opened(chromium, talk, **phone) as page:
        assert page.evaluate("document.documentElement.scrollWidth") <= 390
        number = page.evaluate("state.question.number")
        page.locator("#answers label").first.tap()
        page.get_by_role("button", name="Give this answer").tap()
        until(page, f"state.question && state.question.number !== {number}")
        assert page.evaluate("document.documentElement.scrollWidth") <= 390


def test_an_answer_upstairs_is_marked_on_its_house_where_only_the_ground_is_drawn(chromium: Any) -> None:
    with (
        table("stairwell") as (talk, _, _),
        opened(chromium, talk, viewport={"width": 390, "height": 844}) as page,
    ):
        seen = 0
        for _ in range(12):
            if page.evaluate("answers().some((answer) => answer.at && answer.at[2] > 0)"):
                seen += 1
                outside = page.evaluate(
                    """(() => {
                      const walls = [...document.querySelectorAll('#ground .whole')].map((part) => part.getBoundingClientRect());
                      const one = new Set();
                      for (const mark of document.querySelectorAll('#choices .choice')) {
                        const at = answers()[Number(mark.dataset.numbers.split(',')[0])].at;
                        if (!at || at[2] < 1 || one.has(at.slice(0, 2).join())) continue;
                        one.add(at.slice(0, 2).join()); // the first of those that lie over one another
                        const box = mark.getBoundingClientRect(), x = box.x + box.width / 2, y = box.y + box.height / 2;
                        if (!walls.some((w) => x > w.left && x < w.right && y > w.top && y < w.bottom)) return answers()[0].says;
                      }
                      return "";
                    })()"""
                )
                assert outside == ""
            by_list(
                page,
                page.evaluate(
                    "Math.max(0, answers().findIndex((answer) => /^run|floor [23]$/.test(answer.says)))"
                ),
            )
        assert seen


def test_leaving_is_told_and_the_end_of_the_program_too(chromium: Any) -> None:
    with table("stairwell") as (talk, player, _), opened(chromium, talk) as page:
        page.get_by_role("button", name="Save and leave").click()
        until(page, "state.phase === 'left'")
        assert page.locator("#question").inner_text() == "You have left the game."
        assert page.locator("#give").is_disabled()
        assert isinstance(player, Noting)


def test_names_are_text(chromium: Any) -> None:
    """A scenario of a stranger, with markup for names, is inert."""
    from msgspec.structs import replace

    from tests.shipped import load

    hostile = "</script><img src=x onerror=alert(1)>{{title}}"
    scenario = load("stairwell")
    forces = tuple(replace(force, name=f"{force.name} {hostile}") for force in scenario.forces)
    with (
        table(replace(scenario, forces=forces, title=hostile)) as (talk, _, _),
        opened(chromium, talk) as page,
    ):
        by_list(page, 0)
        assert page.locator("img").count() == 0
        assert page.locator("h1").inner_text() == hostile
        assert hostile in page.locator("#answers").inner_text() + page.locator("#question").inner_text()
