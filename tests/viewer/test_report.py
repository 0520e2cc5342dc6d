"""The report page: its answers are the summary's, names stay text, gaps are told, the same summary gives the same bytes."""

from __future__ import annotations

import base64
import copy
import hashlib
import json
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest

import battlesim
from battlesim.core.errors import InputError
from battlesim.viewer.report import render, write_report
from battlesim.viewer.report_answers import answers
from tests.pace import calls
from tests.viewer.summary_sample import EMPTY, sample

HOSTILE = "</script><img src=x onerror=alert(1)>\"'&{{ 7*7 }}"
VOID = {"meta", "br", "img", "link", "input", "hr"}
PHRASING = {"p", "h1", "h2", "h3", "span", "dt", "button", "summary", "figcaption"}
BLOCKS = {"p", "div", "table", "section", "ul", "dl", "h2", "h3", "figure", "pre"}
INSIDE = {
    "tr": {"thead", "tbody", "tfoot"},
    "td": {"tr"},
    "th": {"tr"},
    "li": {"ul"},
    "dt": {"div"},
    "dd": {"div"},
    "thead": {"table"},
    "tbody": {"table"},
    "tfoot": {"table"},
    "figcaption": {"figure"},
    "summary": {"details"},
    "rect": {"svg"},
    "path": {"svg", "g"},
    "text": {"svg"},
}


class Page(HTMLParser):
    """Reads a page strictly: tags must nest, and stand where HTML lets them."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.stack: list[str] = []
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.words: list[str] = []
        self.rows: list[int] = []
        self.widths: list[list[int]] = []
        self.feed(text)
        self.close()
        assert not self.stack

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        found = dict(attrs)
        assert len(found) == len(attrs), (tag, attrs)
        assert tag not in INSIDE or self.stack[-1] in INSIDE[tag], (tag, self.stack)
        assert not (tag in BLOCKS and PHRASING & set(self.stack)), (tag, self.stack)
        self.tags.append((tag, found))
        if tag == "table":
            self.widths.append([])
        if tag == "tr":
            self.widths[-1].append(0)
        if tag in ("td", "th"):
            self.widths[-1][-1] += 1
        if tag not in VOID:
            self.stack.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.handle_starttag(tag, attrs)
        self.handle_endtag(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.stack.pop() == tag, (tag, self.stack)

    def handle_data(self, data: str) -> None:
        if self.stack and self.stack[-1] not in ("script", "style"):
            self.words.append(data)

    @property
    def text(self) -> str:
        return re.sub(r"\s+", " ", " ".join(self.words))


SAMPLES = {
    "field": lambda: sample(),
    "duel": lambda: sample(2, 1, 200, "decided"),
    "cut": lambda: sample(3, 3, 20, "interrupted"),
    "many": lambda: sample(10, 9, 20, "running"),
    "empty": lambda: copy.deepcopy(EMPTY),
}


@pytest.fixture(params=list(SAMPLES))
def summary(request: pytest.FixtureRequest) -> dict[str, Any]:
    return SAMPLES[request.param]()


def checked(summary: Any) -> Page:
    """A page that reads as HTML, with tables as wide as their heads, and no number that is none."""
    page = Page(render(summary))
    for rows in page.widths:
        assert len(set(rows)) <= 1, rows
    ids = [attrs["id"] for _, attrs in page.tags if "id" in attrs]
    assert len(ids) == len(set(ids))
    links = [attrs["href"] or "" for _, attrs in page.tags if "href" in attrs]
    assert {link[1:] for link in links if link.startswith("#")} <= set(ids)
    for wrong in ("None", "nan", "Undefined", "inf "):
        assert not re.search(rf"\b{wrong}\b", page.text), wrong
    return page


# ---- the page as a page ----------------------------------------------------------------------------------------------


def test_page_nests_and_shows_what_the_summary_has(summary: dict[str, Any]) -> None:
    page = checked(summary)
    for row in (*summary["agents"], *summary["scenarios"]):
        assert row["name"] in page.text
    for answer in answers(summary):
        assert answer.question in page.text
        assert answer.answer in page.text


@pytest.mark.slow
def test_same_summary_gives_the_same_bytes_in_any_process(tmp_path: Path) -> None:
    summary = sample()
    here = render(summary)
    assert render(json.loads(json.dumps(summary))) == here
    code = (
        "import hashlib; from battlesim.viewer.report import render; from tests.viewer.summary_sample import sample; "
        "print(hashlib.sha256(render(sample()).encode()).hexdigest())"
    )
    root = Path(battlesim.__file__).parent.parent
    env = {**os.environ, "PYTHONHASHSEED": "7", "PYTHONPATH": str(root)}
    said = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, env=env, check=True, cwd=root
    )
    assert said.stdout.strip() == hashlib.sha256(here.encode()).hexdigest()


def test_rendering_leaves_the_summary_as_it_was(summary: dict[str, Any]) -> None:
    before = copy.deepcopy(summary)
    render(summary)
    assert summary == before


def test_policy_names_the_very_style_and_script_and_nothing_asks_for_more(summary: dict[str, Any]) -> None:
    text = render(summary)
    page = Page(text)
    policy = next(
        a["content"] or "" for t, a in page.tags if a.get("http-equiv") == "Content-Security-Policy"
    )
    assert policy.startswith("default-src 'none';")
    assert "unsafe" not in policy
    for tag in ("style", "script"):
        (inside,) = re.findall(rf"<{tag}>(.*?)</{tag}>", text, re.S)
        digest = base64.b64encode(hashlib.sha256(inside.encode()).digest()).decode()
        assert f"{tag}-src 'sha256-{digest}'" in policy
        assert "url(" not in inside
        assert "@import" not in inside
    for tag, attrs in page.tags:
        assert not {"src", "style", "srcset", "action"} & set(attrs), (tag, attrs)
        assert not any(name.startswith("on") for name in attrs)
        assert tag not in ("img", "link", "iframe", "object", "base", "form")
        link = attrs.get("href") or ""
        assert ":" not in link
        assert not link.startswith("/")


@pytest.mark.slow
def test_large_run_stays_small_and_fast() -> None:
    summary = sample(10, 25)
    assert len(render(summary).encode()) < 600_000
    assert calls(lambda: render(summary)) < 400_000  # a third of a second when nothing else runs


# ---- names are text --------------------------------------------------------------------------------------------------


def poisoned(value: Any, key: str = "") -> Any:
    """Every text of a summary made hostile, save those that the shape fixes."""
    if isinstance(value, dict):
        return {
            (HOSTILE + k if key in ("words", "environment", "config") else k): poisoned(v, k)
            for k, v in value.items()
        }
    if isinstance(value, list):
        return [poisoned(one, key) for one in value]
    fixed = ("state", "scope", "bound", "decision", "verdict", "withheld")
    return (
        HOSTILE + value
        if isinstance(value, str) and (key not in fixed or (value and key == "withheld"))
        else value
    )


def test_hostile_names_stay_text_everywhere(summary: dict[str, Any]) -> None:
    plain, hostile = checked(summary), checked(poisoned(summary))
    counts = [
        [tag for tag, _ in page.tags if tag in ("script", "style", "table", "tr", "svg")]
        for page in (plain, hostile)
    ]
    assert counts[0] == counts[1]
    assert all(tag != "img" for tag, _ in hostile.tags)
    assert HOSTILE in hostile.text.replace("\n", " ")
    assert "49" not in re.findall(r"\{\{ (.*?) \}\}", hostile.text)
    for _, attrs in hostile.tags:
        assert "onerror" not in attrs


@pytest.mark.parametrize(
    ("file", "link"),
    [
        ("records/000123-1.jsonl.gz", "records/000123-1.jsonl.gz"),
        ("records/a b#c?d.jsonl", "records/a%20b%23c%3Fd.jsonl"),
        ("javascript:alert(1)", "javascript%3Aalert%281%29"),
        ("records/größe.jsonl", "records/gr%C3%B6%C3%9Fe.jsonl"),
        ("../../etc/passwd", ""),
        ("/etc/passwd", ""),
        ("\\\\host\\share", ""),
        ("//host/x", ""),
        ("", ""),
        (None, ""),
    ],
)
def test_links_lead_to_files_beside_the_page_only(file: str | None, link: str) -> None:
    summary = {
        **EMPTY,
        "records": [{"file": file, "what": "w", "scenario": "s", "agents": [], "outcome": "o"}],
    }
    found = [
        a["href"] for t, a in Page(render(summary)).tags if t == "a" and not (a["href"] or "").startswith("#")
    ]
    assert found == ([link] if link else [])


def test_text_no_file_can_hold_is_replaced(tmp_path: Path) -> None:
    write_report({**EMPTY, "name": "half \ud800 pair"}, tmp_path / "report.html")
    assert "half ? pair" in (tmp_path / "report.html").read_text(encoding="utf-8")


# ---- gaps ------------------------------------------------------------------------------------------------------------


def gaps(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[tuple[Any, ...], Any]]:
    """Every place of a summary with what may be there instead: a list empty, a number null, the test null."""
    if isinstance(value, dict):
        if path == ("sprt",):
            yield path, None
        for key, inner in value.items():
            yield from gaps(inner, (*path, key))
    elif isinstance(value, list):
        if path:
            yield path, []
        for index in sorted({0, len(value) - 1}) if value else ():
            yield from gaps(value[index], (*path, index))
    elif isinstance(value, int | float) and not isinstance(value, bool):
        yield path, None
        yield path, float("nan")


@pytest.mark.slow
@pytest.mark.parametrize("name", ["cut", "duel"])
def test_every_empty_list_and_null_number_is_told(name: str) -> None:
    whole = SAMPLES[name]()
    seen = set()
    for path, instead in gaps({key: value for key, value in whole.items() if key != "config"}):
        kind = (tuple("*" if isinstance(step, int) else step for step in path), str(instead))
        if kind in seen:
            continue
        seen.add(kind)
        summary = copy.deepcopy(whole)
        inside: Any = summary
        for step in path[:-1]:
            inside = inside[step]
        inside[path[-1]] = instead
        try:
            checked(summary)
        except Exception as error:
            raise AssertionError(f"{path} = {instead}: {error}") from error
    assert len(seen) > 100


def test_every_null_at_once() -> None:
    def hollow(value: Any) -> Any:
        if isinstance(value, dict):
            return {key: hollow(inner) for key, inner in value.items()}
        if isinstance(value, list):
            return [hollow(inner) for inner in value]
        return None if isinstance(value, int | float) else value

    for name in SAMPLES:
        checked(hollow(SAMPLES[name]()))
    checked({})


@pytest.mark.parametrize(("high", "luck"), [(-0.02, False), (0.31, True)])
def test_games_saved_by_common_dice_may_be_luck(high: float, luck: bool) -> None:
    """The two games of a pair may not correlate at all: then nothing shows that games were saved."""
    row = {"pairs": 40, "correlation": -0.17, "low": -0.58, "high": high, "saved": 0.17}
    text = " ".join(render(sample() | {"pairing": row}).split())
    assert "the common dice saved about 17% of the games" in text
    assert ("of the games, which may be luck." in text) is luck


def test_scope_that_repeats_the_overall_one_is_shown_once() -> None:
    one = sample(3, 1)
    assert [standing["scope"] for standing in one["standings"]] == ["overall", "ruleset", "scenario"]
    assert render(one).count('class="scope"') == 1
    assert render(sample(3, 3)).count('class="scope"') == 1 + 3 + 3


def test_match_of_two_shows_no_zoo() -> None:
    text = render(sample(2, 1, 200, "decided"))
    assert 'class="heat"' not in text
    assert "Differences" not in text
    assert "The match" in text
    assert text.count('class="line l0"') == 2  # the test's path, and one of two mirrored ratings
    assert 'class="line l1"' not in text


def test_a_run_of_control_games_alone_has_no_empty_columns() -> None:
    one = sample(2, 2)
    assert "Between agents" in render(one)
    for row in one["sides"]:
        row["all"] = {"games": 0, "wins": [0, 0], "draws": 0}
    text = checked(one).text
    assert "Between agents" not in text
    assert "Rating over time" not in text
    assert "Only control games were played" in text


# ---- the file --------------------------------------------------------------------------------------------------------


def test_file_is_there_whole_or_not_at_all(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    target = tmp_path / "report.html"
    write_report(sample(2, 1), target)
    before = target.read_bytes()
    assert before == render(sample(2, 1)).encode()
    assert [path.name for path in tmp_path.iterdir()] == ["report.html"]

    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "replace", full)
    with pytest.raises(InputError, match="the report cannot be written: No space left on device"):
        write_report(sample(3, 1), target)
    assert target.read_bytes() == before
    assert [path.name for path in tmp_path.iterdir()] == ["report.html"]


def test_folder_that_is_not_there_is_one_message(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="name a file in a folder that exists"):
        write_report(EMPTY, tmp_path / "nowhere" / "report.html")
