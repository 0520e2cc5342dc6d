"""The board of replay pages in a real browser: units, names, flags, openings, fire and floors, and what one side sees."""

from __future__ import annotations

import pytest

from battlesim import play
from battlesim.engine.origin import board_of
from battlesim.engine.record import parse_record, read_record
from battlesim.viewer.film import film_of
from battlesim.viewer.insight import insight_of
from battlesim.viewer.page import watch_page
from tests.shipped import load
from tests.viewer.browser import Open, Opened
from tests.viewer.test_page import NAMES, data_of, page, page_of, record_of
from tests.viewer.test_page_browser import GOLDEN, at, insight_page

pytestmark = pytest.mark.slow


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
