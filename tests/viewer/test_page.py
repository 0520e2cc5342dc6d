"""Replay pages as text: self-contained, safe, the same for the same record. `test_page_browser*.py` open them."""

from __future__ import annotations

import base64
import hashlib
import json
import re
from functools import cache
from html.parser import HTMLParser

import pytest

from battlesim import play
from battlesim.cli.replay import setting_of
from battlesim.engine.origin import board_of, scenario_of
from battlesim.engine.record import Record, parse_record
from battlesim.viewer.key import short_name
from battlesim.viewer.page import watch_page
from tests.shipped import load

NAMES = ("skirmish", "square", "outpost", "watch-house")
HOSTILE = "</script><img src=x onerror=alert(1)><!-- & \"q\" 'p' {{title}}"


@cache
def record_of(name: str) -> Record:
    return parse_record(play(load(name), ("greedy", "rush"), seed=5).record(), "x")


def page_of(record: Record) -> str:
    return watch_page(record, board_of(record, None), setting_of(scenario_of(record, None)))


@cache
def page(name: str) -> str:
    return page_of(record_of(name))


def poisoned(name: str) -> Record:
    """A record whose names are markup: of units, sides, objectives, scenario and agents."""
    data = play(load(name), ("greedy", "rush"), seed=5).record()
    head, *events, _ = data.split(b"\n")[:-1]
    header = json.loads(head)
    for unit in header["start"]["units"]:
        unit["name"] = f"{unit['name']} {HOSTILE}"
    for goal in header["start"]["extra"]["objectives"]:
        goal["name"] = HOSTILE
    header["sides"] = [f"{side} {HOSTILE}" for side in header["sides"]]
    header["scenario"]["name"] = HOSTILE
    header["scenario"]["says"]["title"] = HOSTILE
    for agent in header["agents"]:
        agent["name"] = HOSTILE
    return _written([json.dumps(header, separators=(",", ":")).encode(), *events])


def _written(lines: list[bytes]) -> Record:
    ended = json.loads(lines[-1])
    body = b"".join(line + b"\n" for line in lines)
    digest = hashlib.blake2b(body, digest_size=16).hexdigest()
    end = {"end": {"outcome": ended["outcome"], "digest": digest}}
    return parse_record(body + json.dumps(end, separators=(",", ":")).encode() + b"\n", "x")


class Elements(HTMLParser):
    def __init__(self, text: str) -> None:
        super().__init__()
        self.found: list[tuple[str, dict[str, str | None]]] = []
        self.text: list[str] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found.append((tag, dict(attrs)))

    def handle_data(self, data: str) -> None:
        self.text.append(data)


@pytest.mark.parametrize("name", NAMES)
def test_a_page_asks_for_nothing(name: str) -> None:
    elements = Elements(page(name))
    for tag, attributes in elements.found:
        assert tag not in ("link", "img", "iframe", "object", "embed", "image", "foreignobject")
        for attribute, value in attributes.items():
            assert not attribute.startswith("on")
            assert attribute not in ("src", "style")
            if attribute in ("href", "xlink:href"):
                assert str(value).startswith("#")
    assert "url(http" not in page(name)


@pytest.mark.parametrize("name", NAMES)
def test_the_policy_names_style_and_script_by_their_hash(name: str) -> None:
    text = page(name)
    policy = re.search(r'Content-Security-Policy" content="([^"]+)"', text)
    assert policy is not None
    assert policy[1].startswith("default-src 'none'; ")
    for kind, pattern in (("style-src", r"<style>(.*?)</style>"), ("script-src", r"<script>(.*?)</script>")):
        inside = re.search(pattern, text, re.DOTALL)
        assert inside is not None
        digest = base64.b64encode(hashlib.sha256(inside[1].encode()).digest()).decode()
        assert f"{kind} 'sha256-{digest}'" in policy[1]
    assert "unsafe" not in policy[1]


@pytest.mark.parametrize("name", NAMES)
def test_every_unit_sentence_and_objective_is_on_the_page(name: str) -> None:
    record, elements = record_of(name), Elements(page(name))
    header = json.loads(bytes(record.header.start))
    ids = {attributes.get("id") for _, attributes in elements.found}
    for unit in header["units"]:
        assert {f"u{unit['id']}", f"h{unit['id']}", f"row{unit['id']}"} <= ids
        assert unit["name"] in elements.text
    for goal in header["extra"]["objectives"]:
        assert any(text.startswith(goal["name"]) for text in map(str.strip, elements.text))
    data = data_of(page(name))
    assert {f"t{number}" for number in range(len(data["told"]))} <= ids
    assert [row[0] for row in data["moments"]] == sorted({row[0] for row in data["moments"]})


def data_of(text: str) -> dict[str, list[list[int]]]:
    inside = re.search(r'<script type="application/json" id="data">(.*?)</script>', text, re.DOTALL)
    assert inside is not None
    data: dict[str, list[list[int]]] = json.loads(inside[1])
    return data


@pytest.mark.parametrize("name", NAMES)
def test_what_led_to_a_line_comes_before_it(name: str) -> None:
    data = data_of(page(name))
    questions = [row[0] for row in data["questions"]]
    led = 0
    for line, (event, _, _, rules, _, up) in enumerate(data["told"]):  # type: ignore[misc]
        if up != -1:
            led += 1
            assert up < line if up >= 0 else questions[-2 - up] < event
        assert all(data["clauses"][rule][1] for rule in rules)
    assert led > len(data["told"]) / 3


def test_same_record_same_page() -> None:
    assert page_of(record_of("skirmish")) == page("skirmish")


@pytest.mark.parametrize("name", NAMES)
def test_hostile_names_stay_text(name: str) -> None:
    text = page_of(poisoned(name))
    assert "<img" not in text
    assert text.count("<script") == page(name).count("<script") == 2
    assert text.count("<!--") == 0
    elements = Elements(text)
    assert any(HOSTILE in said for said in elements.text)
    assert not [tag for tag, _ in elements.found if tag == "img"]


def test_short_names_leave_out_the_side() -> None:
    assert short_name("South machine gun", "South") == "machine gun"
    assert short_name("red spears", "Red") == "spears"
    assert short_name("Captain Rolf", "Red") == "Captain Rolf"
    assert short_name("Red", "Red") == "Red"
