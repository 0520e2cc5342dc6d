"""Replay pages in a real browser: every control, all four rulebooks, a phone, dark, paper, readers, hostile names, speed."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from battlesim import play
from battlesim.engine.origin import board_of
from battlesim.engine.record import parse_record, read_record
from battlesim.viewer.film import film_of
from battlesim.viewer.insight import insight_of
from battlesim.viewer.page import watch_page
from tests.pace import slowness
from tests.shipped import load
from tests.viewer.browser import PATIENCE, Opened, chromium_browser
from tests.viewer.measure_frames import computed, frames_of
from tests.viewer.test_page import HOSTILE, NAMES, data_of, page, page_of, poisoned, record_of

pytestmark = pytest.mark.slow
GOLDEN = Path(__file__).parents[1] / "golden" / "records"
Open = Callable[..., Opened]


@pytest.fixture(scope="module")
def chromium() -> Iterator[Any]:
    with chromium_browser() as browser:
        yield browser


@pytest.fixture
def opened(chromium: Any, tmp_path: Path) -> Iterator[Open]:
    """Opens a page; at the end none may have complained, nor asked for anything but itself."""
    pages: list[Opened] = []

    def openly(text: str, anchor: str = "", **options: Any) -> Opened:
        file = tmp_path / f"{len(pages)}.html"
        file.write_text(text, encoding="utf-8")
        pages.append(Opened(chromium, file, anchor, **options))
        return pages[-1]

    yield openly
    for each in pages:
        each.close()


def at(seen: Opened) -> int:
    return int(seen.page.locator("#scrub").input_value())


@cache
def insight_page(name: str) -> str:
    record = record_of(name)
    return watch_page(record, board_of(record), None, insight_of(record))


def count(name: str) -> int:
    return len(data_of(page(name))["moments"])


def shown_models(seen: Opened) -> dict[int, int]:
    """The strength on the mark of every unit that is drawn."""
    found: dict[str, str] = seen.page.evaluate(
        """Object.fromEntries([...document.querySelectorAll('#units .unit')].filter(u => !u.hasAttribute('display'))
        .map(u => [u.id.slice(1), u.querySelector('.models').textContent]))"""
    )
    return {int(unit): int(models) for unit, models in found.items()}


@pytest.mark.parametrize("name", NAMES)
def test_at_every_moment_the_board_shows_the_film(opened: Open, name: str) -> None:
    record = record_of(name)
    film = film_of(record, board_of(record, None))
    seen = opened(page(name))
    values = dict(film.start)
    for number, moment in enumerate(film.moments, 1):
        values.update(moment.changes)
        if number % 13 and number != len(film.moments):
            continue
        seen.page.evaluate(f"show({number})")
        wanted = {unit: values[f"m{unit}"] for unit in film.full if values[f"m{unit}"] and values[f"u{unit}"]}
        assert shown_models(seen) == wanted
        assert [seen.page.locator(f"#points{side}").inner_text() for side in (0, 1)] == [
            str(points) for points in values["p"]
        ]
    seen.page.evaluate("show(0)")  # back again, over all of it
    start = {unit: film.full[unit] for unit in film.full if film.start[f"u{unit}"]}
    assert shown_models(seen) == start


def test_buttons_and_keys_step_by_event_order_and_turn(opened: Open) -> None:
    seen = opened(page("skirmish"))
    keys, rows = seen.page.keyboard, data_of(page("skirmish"))["moments"]
    orders = [n for n, row in enumerate(rows) if n == 0 or row[1] != rows[n - 1][1]]
    turns = [n for n, row in enumerate(rows) if n == 0 or row[2] != rows[n - 1][2]]
    assert at(seen) == 0
    for button, key, wanted in (
        ("One event on", "ArrowRight", 1),
        ("One order on", "Shift+ArrowRight", orders[1]),
        ("One turn on", "PageDown", turns[1]),
    ):
        seen.page.get_by_role("button", name=button).click()
        assert at(seen) == wanted
        keys.press("Home")
        assert at(seen) == 0
        keys.press(key)
        assert at(seen) == wanted
        keys.press("Home")
    keys.press("End")
    assert at(seen) == len(rows)
    for button, key, wanted in (
        ("One event back", "ArrowLeft", len(rows) - 1),
        ("One order back", "Shift+ArrowLeft", orders[-1]),
        ("One turn back", "PageUp", turns[-1]),
    ):
        seen.page.get_by_role("button", name=button).click()
        assert at(seen) == wanted
        keys.press("End")
        keys.press(key)
        assert at(seen) == wanted
        keys.press("End")


def test_it_plays_to_the_end_and_pauses(opened: Open) -> None:
    from playwright.sync_api import expect

    seen = opened(page("skirmish"))
    play = seen.page.locator("#play")
    seen.page.get_by_label("Speed").select_option("16")
    play.click()
    expect(play).to_have_text("Pause")
    expect(seen.page.locator("#now")).to_have_attribute("aria-live", "off")
    play.click()
    expect(play).to_have_text("Play")
    stopped = at(seen)
    seen.page.locator("#view").focus()
    seen.page.keyboard.press("Space")
    expect(play).to_have_text("Play")  # the end
    assert stopped < at(seen) == count("skirmish")
    assert seen.page.locator("#clock").inner_text() == "The end"


def settled(data: dict[str, list[list[int]]], moment: int) -> int:
    """How many moments have passed once all is there that one brings about: those of its order up to the next that is told or
    seen."""
    rows, telling = data["moments"], {line[1] for line in data["told"]}
    after = moment + 1
    while (
        after < len(rows)
        and rows[after][1] == rows[moment][1]
        and not rows[after][4]
        and after not in telling
    ):
        after += 1
    return after


def test_a_link_opens_a_moment_and_every_line_is_one(opened: Open) -> None:
    from playwright.sync_api import expect

    data = data_of(page("square"))
    told = data["told"]
    event, moment = told[40][:2]
    seen = opened(page("square"), f"#event={event}")
    assert at(seen) == settled(data, moment)
    line = seen.page.locator("#story a").nth(60)
    line.click()
    assert at(seen) == settled(data, told[60][1])
    assert seen.page.url.endswith(f"#event={told[60][0]}")
    expect(seen.page.locator("#now")).to_have_text(seen.page.locator("#story li.now a").inner_text())
    expect(seen.page.locator("#why .asked")).to_have_text(line.inner_text())
    seen.page.evaluate(f"location.hash = '#event={event}'")
    expect(seen.page.locator("#scrub")).to_have_js_property("value", str(settled(data, moment)))
    seen.page.evaluate("location.hash = '#event=999999999'")
    expect(seen.page.locator("#scrub")).to_have_js_property("value", str(count("square")))


def test_why_names_dice_rules_and_orders(opened: Open) -> None:
    seen = opened(page("skirmish"))
    lost = seen.page.locator("#story a", has_text="loses").first
    lost.click()
    why = seen.page.locator("#why")
    assert why.locator(".because li").count() >= 2
    assert "legal answers" in why.inner_text()
    assert why.locator("dt").count() >= 1
    fired = seen.page.locator("#story a", has_text="fires at").first
    fired.click()
    assert why.locator(".die").count() > 0
    why.locator(".because a").first.click()
    assert seen.page.locator("#why .asked").inner_text() != fired.inner_text()


def test_scrubbing_and_the_timeline_move_through_the_battle(opened: Open) -> None:
    seen = opened(page("outpost"))
    seen.page.locator("#scrub").fill("50")
    assert at(seen) == 50
    assert "translateX(0px)" not in seen.page.locator("#cursor").get_attribute("style")
    box = seen.page.locator(".strip svg").first.bounding_box()
    seen.page.mouse.click(box["x"] + box["width"] / 2, box["y"] + 5)
    assert abs(at(seen) - count("outpost") / 2) < 3


def test_zoom_by_button_key_wheel_and_drag(opened: Open) -> None:
    seen = opened(page("skirmish"))

    def box() -> list[float]:
        return [float(n) for n in seen.page.locator("#marks").get_attribute("viewBox").split()]

    first = box()
    seen.page.get_by_role("button", name="Zoom in").click()
    assert box()[2] < first[2]
    seen.page.get_by_role("button", name="Show the whole map").click()
    assert box() == first
    seen.page.locator("#view").focus()
    seen.page.keyboard.press("+")
    seen.page.keyboard.press("+")
    near = box()
    assert near[2] < first[2] / 2
    view = seen.page.locator("#view").bounding_box()
    x, y = view["x"] + view["width"] / 2, view["y"] + view["height"] / 2
    seen.page.mouse.move(x, y)
    seen.page.mouse.down()
    seen.page.mouse.move(x + 60, y + 30)
    seen.page.mouse.up()
    assert box()[0] < near[0]
    seen.page.mouse.wheel(0, 300)
    seen.page.wait_for_timeout(100)
    assert box()[2] > near[2]
    seen.page.keyboard.press("0")
    assert box() == first
    assert seen.page.locator("#ground").get_attribute("viewBox") == seen.page.locator("#marks").get_attribute(
        "viewBox"
    )


def test_units_upstairs_are_drawn_on_their_floor_and_in_a_stack(opened: Open) -> None:
    seen = opened(page("square"))
    film = film_of(record_of("square"), board_of(record_of("square"), None))
    assert film.upstairs
    number = next(
        n
        for n, moment in enumerate(film.moments, 1)
        for key, value in moment.changes.items()
        if key[0] == "u" and value and value[5] > 0
    )
    seen.page.evaluate(f"show({number})")
    hollow = seen.page.locator("#units .unit[id^=h]:not([display])")
    assert hollow.count() >= 1
    twin = seen.page.locator("#u" + hollow.first.get_attribute("id")[1:])
    assert twin.get_attribute("display") is None
    beside = twin.get_attribute("transform")
    seen.page.get_by_label("Floors").select_option("stack")
    assert hollow.count() == 0
    assert twin.get_attribute("transform") != beside
    seen.page.get_by_label("up to").select_option("0")
    assert hollow.count() >= 1
    assert seen.page.locator("#ground .panel:not([display])").count() == 0
    seen.page.get_by_label("Floors").select_option("none")
    assert hollow.count() >= 1


def test_forces_and_key_are_a_tab_away(opened: Open) -> None:
    seen = opened(page("watch-house"))
    tabs = seen.page.get_by_role("tab")
    tabs.nth(1).click()
    assert seen.page.locator("#pane-forces").is_visible()
    assert not seen.page.locator("#pane-story").is_visible()
    seen.page.keyboard.press("ArrowRight")
    assert seen.page.locator("#pane-key").is_visible()
    assert "cavalry" in seen.page.locator("#pane-key").inner_text()
    tabs.nth(1).click()
    seen.page.locator(".unit-link").first.click()
    assert "zoomed" in seen.page.locator("#view").get_attribute("class")
    assert seen.page.locator("#u0.found").count() == 1


def test_names_and_zones_are_switched(opened: Open) -> None:
    seen = opened(page("skirmish"), viewport={"width": 1600, "height": 1200})
    assert seen.page.locator("#marks .called").count() >= 5
    seen.page.get_by_label("names").uncheck()
    assert seen.page.locator("#marks .called").count() == 0
    zone = seen.page.locator("#ground .zone").first
    assert zone.evaluate("e => getComputedStyle(e).display") == "none"
    seen.page.get_by_label("set-up zones").check()
    assert zone.evaluate("e => getComputedStyle(e).display") == "inline"


def test_names_stay_on_their_part_of_the_board(opened: Open) -> None:
    """Beside the map those of units upstairs, on it the others; none is cut off."""
    seen = opened(page("village"), viewport={"width": 1400, "height": 900})
    assert "room" in str(seen.page.locator("label", has=seen.page.locator("#names")).get_attribute("title"))
    places = seen.page.evaluate("""(() => {
        const edge = (left, right) => [left, right];
        const view = document.getElementById("view").getBoundingClientRect();
        const map = document.getElementById("sheet-ground").getBoundingClientRect();
        return [edge(view.left, view.right), edge(map.left, map.right),
            [...document.querySelectorAll("#marks .called")].map(unit => {
                const name = unit.querySelector(".name").getBoundingClientRect();
                const mark = unit.querySelector(".frame").getBoundingClientRect();
                return [edge(mark.left, mark.right), edge(name.left, name.right)];
            })];
    })()""")
    view, ground, named = places
    assert any(mark[0] > ground[1] for mark, _ in named)
    for mark, name in named:
        assert view[0] <= name[0] < name[1] <= view[1]
        assert name[0] >= ground[1] - 2 if mark[0] > ground[1] else name[1] <= ground[1] + 2


@pytest.mark.parametrize("wide", [1300, 800])
@pytest.mark.parametrize("name", ["stairwell", "square", "skirmish", "village"])
def test_names_stand_on_no_other_words(opened: Open, name: str, wide: int) -> None:
    """Not on those of the map, on its flags, or on one another."""
    seen = opened(page(name), viewport={"width": wide, "height": 1200})
    overlapping = seen.page.evaluate("""(() => {
        const boxes = (what) => [...document.querySelectorAll(what)].map(e => [e.textContent, e.getBoundingClientRect()]);
        const names = boxes("#marks .called .name"), signs = boxes("#ground text, #flags .flag path");
        const over = (a, b) => a.left < b.right - 1 && b.left < a.right - 1 && a.top < b.bottom - 1 && b.top < a.bottom - 1;
        return names.flatMap(([name, a], n) => [...signs, ...names.slice(n + 1)].filter(([, b]) => b.width && over(a, b))
            .map(([other]) => [name, other]));
    })()""")
    assert overlapping == []


@pytest.mark.parametrize("wide", [1300, 800])
def test_flags_fly_over_no_mark_and_no_other_flag(opened: Open, wide: int) -> None:
    """At the start and after the battle, and with the floors stacked."""
    seen = opened(page("square"), viewport={"width": wide, "height": 1200})
    for key in ("Home", "End"):
        seen.page.keyboard.press(key)
        for floors in ("stack", "beside"):
            seen.page.select_option("#floors", floors)
            overlapping = seen.page.evaluate("""(() => {
                const boxes = (what) => [...document.querySelectorAll(what)].map(e => e.getBoundingClientRect());
                const flags = boxes("#flags .flag text"), marks = boxes("#marks .frame").filter(box => box.width);
                const over = (a, b) =>
                    a.left < b.right - 1 && b.left < a.right - 1 && a.top < b.bottom - 1 && b.top < a.bottom - 1;
                return flags.flatMap((a, n) => [...marks, ...flags.slice(n + 1)].filter(b => over(a, b)).map(b => [a, b]));
            })()""")
            assert overlapping == [], (key, floors)


@pytest.mark.parametrize("name", ["village", "skirmish"])
def test_a_phone_has_no_blank_bands_around_the_map(opened: Open, name: str) -> None:
    seen = opened(page(name), viewport={"width": 420, "height": 900})
    view, ground = (
        seen.page.locator(place).evaluate("node => node.getBoundingClientRect().height")
        for place in ("#view", "#sheet-ground")
    )
    assert view - ground < 80  # the buttons stand below it


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_a_phone_shows_all_of_it(opened: Open, name: str, scheme: str) -> None:
    seen = opened(page(name), viewport={"width": 360, "height": 740}, color_scheme=scheme)
    assert seen.page.evaluate("document.documentElement.scrollWidth") <= 360
    seen.page.get_by_role("button", name="One turn on").click()
    for place in ("#view", "#play", "#scrub", "#story"):
        assert seen.page.locator(place).is_visible()


@pytest.mark.parametrize("name", NAMES)
def test_paper_gets_map_story_and_forces_in_light(opened: Open, name: str) -> None:
    seen = opened(page(name), color_scheme="dark")
    seen.page.keyboard.press("End")
    assert len(seen.page.pdf(format="A4")) > 30_000
    seen.page.emulate_media(media="print")
    panes = seen.page.locator('[role="tabpanel"]').evaluate_all(
        "all => all.map(one => [one.scrollHeight, one.clientHeight])"
    )
    assert all(inside <= height + 1 for inside, height in panes), "panes lie over one another"
    for pane in ("#pane-story", "#pane-forces", "#pane-key", "#view"):
        assert seen.page.locator(pane).is_visible()
    assert not seen.page.locator("#play").is_visible()
    assert seen.page.evaluate("getComputedStyle(document.body).color") == "rgb(0, 0, 0)"


@pytest.mark.parametrize("name", NAMES)
def test_hostile_names_run_nothing(opened: Open, name: str) -> None:
    seen = opened(page_of(poisoned(name)))
    for key in ("End", "PageUp", "Shift+ArrowLeft", "ArrowLeft"):
        seen.page.keyboard.press(key)
    for line in seen.page.locator("#story a").all()[:40:5]:
        line.click()
    assert seen.page.locator("img").count() == 0
    assert seen.page.locator("script").count() == 2
    assert HOSTILE in seen.page.locator("h1").inner_text()
    assert seen.page.title().startswith("</script>")


def test_policy_stops_what_is_put_in_later(chromium: Any, tmp_path: Path) -> None:
    file = tmp_path / "page.html"
    file.write_text(
        page("skirmish").replace("</main>", "<script>document.title = 'ran'</script></main>"),
        encoding="utf-8",
    )
    context = chromium.new_context()
    context.set_default_timeout(PATIENCE)
    tab = context.new_page()
    tab.goto(file.as_uri())
    assert tab.title() != "ran"
    context.close()


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_a_reader_finds_no_barrier(opened: Open, name: str, scheme: str) -> None:
    from axe_playwright_python.sync_playwright import Axe

    seen = opened(insight_page(name), color_scheme=scheme)
    seen.page.keyboard.press("PageDown")
    for tab in seen.page.get_by_role("tab").all():
        tab.click()
        # axe-core is put in by the tool, past the policy.
        found = Axe().run(seen.page)
        assert found.violations_count == 0, found.generate_report()


def test_a_hundred_units_a_side_in_a_town_stay_smooth(opened: Open) -> None:
    """While the largest shipped battle plays, what a frame computes leaves room for thirty of them a second, and to jump to
    the end takes two seconds at most, on a machine of usual speed."""
    text = insight_page("helsinki-quarter")
    assert len(text.encode()) < 5_000_000
    seen = opened(text)
    for speed, share in (("1", 0.5), ("4", 0.4), ("16", 0.2)):
        seen.page.locator("#speed").select_option(speed)
        seen.page.locator("#speed").blur()
        seen.page.evaluate(f"show(Math.floor({share} * last))")
        assert frames_of(seen, 3).computing < 1000 / 30 * slowness()
    _, jump = computed(seen, "show(last)")
    assert jump < 2000 * slowness()


def drawn_walls(seen: Opened) -> list[str]:
    """The openings and breaches that are drawn, each as the path of its inner line."""
    found: list[str] = seen.page.evaluate(
        "[...document.querySelectorAll('#walls .wall')].map(wall => wall.lastElementChild.getAttribute('d'))"
    )
    return found


def test_openings_are_drawn_as_they_are_made_and_gone_before(opened: Open) -> None:
    """Of a record in which men in a tower knock a hole in the wall of each floor: on the board, upstairs, back again, and in the
    key with the sign that is drawn."""
    text = page_of(read_record(GOLDEN / "annihilation.jsonl"))
    seen = opened(text)
    rows = data_of(text)["moments"]
    made = [number for number, row in enumerate(rows, 1) if "o0" in row[3]]  # type: ignore[operator,index]
    assert len(made) == 2
    seen.page.evaluate(f"show({made[0] - 1})")
    assert drawn_walls(seen) == []
    seen.page.keyboard.press("ArrowRight")
    first = drawn_walls(seen)
    assert len(first) == 1
    seen.page.locator("#scrub").fill(str(made[1]))
    both = drawn_walls(seen)
    assert both[:1] == first
    assert len(both) == 2
    seen.page.get_by_label("Floors").select_option("none")
    assert drawn_walls(seen) == first
    seen.page.get_by_label("Floors").select_option("stack")
    assert len(drawn_walls(seen)) == 2
    seen.page.locator("#scrub").fill(str(made[0]))
    assert len(drawn_walls(seen)) == 1
    seen.page.keyboard.press("Home")
    assert drawn_walls(seen) == []
    seen.page.get_by_role("tab", name="Key").click()
    sign = seen.page.locator("#pane-key li", has_text="an opening that was made in the battle")
    drawn = seen.page.locator("#pattern-wall-0 path").evaluate_all(
        "all => all.map(p => p.getAttribute('stroke'))"
    )
    assert sign.locator("path").evaluate_all("all => all.map(p => p.getAttribute('stroke'))") == drawn


def test_only_texts_that_differ_are_set(opened: Open) -> None:
    """What is set anew is laid out anew: a step that changes neither turn nor points leaves the head of the page alone."""
    seen = opened(page("skirmish"))
    rows = data_of(page("skirmish"))["moments"]
    quiet = next(
        n
        for n in range(2, len(rows))
        if rows[n - 1][2] == rows[n][2] and "p" not in rows[n][3]  # type: ignore[operator]
    )
    seen.page.evaluate(f"show({quiet})")
    changed = seen.page.evaluate(
        f"""() => new Promise(done => {{ const seen = [];
            const watch = new MutationObserver((all) => seen.push(...all));
            watch.observe(document.querySelector("header"), {{ subtree: true, childList: true, characterData: true }});
            show({quiet + 1}); setTimeout(() => done(seen.length), 50); }})"""
    )
    assert changed == 0


def test_a_side_sees_what_it_knew(opened: Open) -> None:
    """Armour classes: enemies that were not found are not shown, nor is what they did; a shot out of nowhere is told as such."""
    from playwright.sync_api import expect

    seen = opened(insight_page("outpost"))
    record = record_of("outpost")
    insight = insight_of(record)
    hidden = {unit for event, unit, mask in insight.known if event < 0 and mask == 1}
    assert hidden
    everything = set(shown_models(seen))
    assert hidden <= everything
    seen.page.get_by_label("See").select_option("1")
    assert set(shown_models(seen)) == everything - hidden
    unheard = next(n for n, row in enumerate(data_of(insight_page("outpost"))["told"]) if row[2] == 1)
    expect(seen.page.locator(f"#t{unheard}")).to_be_hidden()
    assert not seen.page.locator(".strip").first.is_visible()
    seen.page.get_by_label("See").select_option("-1")
    assert set(shown_models(seen)) == everything
    expect(seen.page.locator(f"#t{unheard}")).to_be_visible()
    seen.page.locator(f"#t{unheard} a").click()
    for who in ("1", "-1"):
        seen.page.get_by_label("See").select_option(who)
        assert seen.page.locator("[aria-current]").count() == 1, "one line stands for now"


def test_a_side_sees_no_holder_and_no_dice_that_it_does_not_know(opened: Open) -> None:
    """An enemy that a side has not found holds no objective for it, and the dice of one that it only heard tell no distance."""
    record = parse_record(play(load("firebreak"), ("greedy", "greedy"), seed=18).record(), "x")
    text = watch_page(record, board_of(record), None, insight_of(record))
    seen, data = opened(text), data_of(text)
    flag = "document.querySelectorAll('#flags .flag')[%d].querySelector('path').getAttribute('fill')"
    moment, goal = next(
        (number, int(key[2:]))
        for number, row in enumerate(data["moments"], 1)
        for key, value in row[3].items()
        if key.startswith("1g") and value == -1
    )
    seen.page.evaluate(f"show({moment})")
    at_flag = flag % data["flags"].index(goal)
    held = seen.page.evaluate(at_flag)
    seen.page.get_by_label("See").select_option("1")
    assert seen.page.evaluate(at_flag) != held
    assert seen.page.locator(f"#holder{goal}").text_content() == "nobody is there"
    line = next(
        int(n) for n, said in data["altered"].items() if said[1] and data["shown"][int(n)] and not said[1][1]
    )
    seen.page.locator(f"#t{line} a").click()
    assert seen.page.locator(f"#t{line} small").text_content() == ""
    assert seen.page.locator("#why .die").count() == 0
    seen.page.get_by_label("See").select_option("-1")
    seen.page.locator(f"#t{line} a").click()
    assert seen.page.locator(f"#t{line} small").text_content() == f"[{data['shown'][line]}]"
    assert seen.page.locator("#why .die").count()


def test_turning_points_lead_to_their_moment(opened: Open) -> None:
    seen = opened(insight_page("skirmish"))
    seen.page.get_by_role("tab", name="Turning points").click()
    first = seen.page.locator("#pane-turning a").first
    event = int(first.get_attribute("href").partition("=")[2])
    first.click()
    data = data_of(insight_page("skirmish"))
    moment = next(n for n, row in enumerate(data["moments"]) if row[0] == event)
    assert at(seen) == settled(data, moment)


def test_fire_upstairs_burns_on_its_floor(opened: Open) -> None:
    """On the drawing of its floor beside the map, on the map where only the ground is shown; so does the cross of a unit."""
    games = (play(load("tobacco-armour"), ("greedy", "greedy"), seed=seed).record() for seed in range(17, 40))
    found = ((game, data_of(page_of(parse_record(game, "x")))) for game in games)
    record, number = next(
        (game, at)
        for game, data in found
        for at, row in enumerate(data["moments"], 1)
        if any(spot[2] for spot in row[3].get("f") or ()) and data["panels"]
    )
    text = page_of(parse_record(record, "x"))
    seen, data = opened(text), data_of(text)
    seen.page.evaluate(f"show({number})")
    flames = data["moments"][number - 1][3]["f"]

    def beside() -> int:
        """How many flames stand to the right of the map."""
        moved = "[...document.querySelectorAll('#fires .flames')].map(f => f.transform.baseVal.getItem(0).matrix.e)"
        return sum(x > data["ground"][0] for x in seen.page.evaluate(moved))

    drawn = [
        any(
            floor == spot[2] and w <= spot[0] <= e and s <= spot[1] <= n
            for floor, w, s, e, n, *_ in data["panels"]
        )
        for spot in flames
    ]
    assert any(drawn)
    assert beside() == sum(drawn)
    seen.page.get_by_label("Floors").select_option("none")
    assert beside() == 0
    assert seen.page.locator("#fires .flames").count() == len(flames)


def test_a_floor_that_is_destroyed_is_not_drawn(opened: Open) -> None:
    """The floor below it still stands, and before that moment all of it did."""
    games = (play(load("firebreak"), ("greedy", "greedy"), seed=seed).record() for seed in range(18, 60))
    found = (page_of(parse_record(game, "x")) for game in games if b'"gone":1' in game)
    text = next(text for text in found if any(panel[0] == 1 for panel in data_of(text)["panels"]))
    seen, data = opened(text), data_of(text)
    number, section = next(
        (at, key[1:])
        for at, row in enumerate(data["moments"], 1)
        for key, value in row[3].items()
        if key[0] == "t" and value == 1
    )
    upper, lower = f"#ground .panel .whole.x{section}", f"#sheet-ground .whole.x{section}"
    count = "s => [...document.querySelectorAll(s)].filter(e => !e.hasAttribute('display')).length"
    for moment, stands in ((number - 1, True), (number, False), (number - 1, True)):
        seen.page.evaluate(f"show({moment})")
        assert bool(seen.page.evaluate(count, upper)) == stands
        assert seen.page.evaluate(count, lower)


def test_a_line_shows_what_it_tells(opened: Open) -> None:
    """A line of a breach shows the breach, one of a fire the flames, although the record has them as the next event."""
    games = (play(load("tobacco-armour"), ("greedy", "greedy"), seed=seed).record() for seed in range(1, 30))
    record = next(
        parse_record(game, "x") for game in games if b'"breaches":[[' in game and b"catches fire" in game
    )
    text = page_of(record)
    seen = opened(text)
    seen.page.evaluate("show(0)")
    seen.page.locator("#story a", has_text="is breached").first.click()
    assert len(drawn_walls(seen)) == 1
    again = opened(text, "#" + seen.page.url.partition("#")[2])
    assert at(again) == at(seen)
    assert len(drawn_walls(again)) == 1
    seen.page.keyboard.press("Home")
    fire = seen.page.locator("#story a", has_text="Fire breaks out").first
    fire.click()
    assert seen.page.locator("#fires .flames").count() == 1


def test_a_click_on_a_unit_or_a_house_asks_what_happened_to_it(opened: Open) -> None:
    text = page_of(read_record(GOLDEN / "squadhex-collapse.jsonl"))
    seen, data = opened(text), data_of(text)
    moments, why = data["moments"], seen.page.locator("#why")
    at_first = why.inner_text()

    def order_asked_of() -> list[Any]:
        """The moments of the order that the panel now tells of."""
        event = int(str(seen.page.locator("#why .asked a").get_attribute("href"))[7:])
        told = next(line[1] for line in data["told"] if line[0] == event)
        return [moment for moment in moments if moment[1] == moments[told][1]]

    fall, key = next((m, key) for m in moments for key, value in m[3].items() if key[0] == "s" and value == 2)
    seen.page.evaluate("show(last)")
    house = seen.page.locator(f"#ground .ruin.x{key[1:]}").first.bounding_box()
    assert house is not None
    over_marks = (
        "document.querySelectorAll('#units .unit').forEach((unit) => (unit.style.pointerEvents = '%s'))"
    )
    seen.page.evaluate(over_marks % "none")
    seen.page.mouse.click(house["x"] + house["width"] / 2, house["y"] + house["height"] / 2)
    assert fall in order_asked_of()
    seen.page.evaluate(over_marks % "")
    mark = seen.page.locator("#units .unit:not([display])").first
    unit = int(str(mark.get_attribute("id"))[1:])
    mark.click(force=True)
    assert any(
        any(effect["unit"] == unit for effect in moment[4])
        or any(f"{key}{unit}" in moment[3] for key in "umb")
        for moment in order_asked_of()
    )
    seen.page.keyboard.press("Home")
    assert why.inner_text() == at_first


def test_without_script_the_story_and_the_map_stand(opened: Open) -> None:
    seen = opened(page("skirmish"), java_script_enabled=False)
    assert seen.page.locator("#story a").count() == len(data_of(page("skirmish"))["told"])
    assert seen.page.locator("#ground polygon").count() > 10
