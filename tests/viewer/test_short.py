"""The battle in short, at the head of the replay page's story: who won, what was lost, what fell and why, what turned it."""

from __future__ import annotations

import html
import re
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from battlesim.core.events import StructureSet
from battlesim.engine.origin import board_of
from battlesim.engine.record import Record, read_record
from battlesim.search.continuation import Continuation
from battlesim.search.turning_points import Effect, turning_points
from battlesim.viewer.asked import Asked
from battlesim.viewer.chains import Chains
from battlesim.viewer.film import film_of
from battlesim.viewer.insight import Insight, insight_of
from battlesim.viewer.short import in_short
from tests.viewer.test_page import HOSTILE, NAMES, page_of, poisoned, record_of

GOLDEN = Path(__file__).parents[1] / "golden" / "records"


@cache
def fells() -> Record:
    return read_record(GOLDEN / "barrage-fells.jsonl")


def short(record: Record, insight: Insight | None = None, asked: Asked | None = None) -> str:
    film = film_of(record, board_of(record))
    return in_short(record, film, Chains(record, film), insight, asked or Asked())


def words(text: str) -> str:
    return html.unescape(re.sub("<[^>]+>", " ", text))


@pytest.mark.parametrize("name", NAMES)
def test_it_says_who_won_and_what_was_lost(name: str) -> None:
    record = record_of(name)
    said = words(short(record))
    winner = record.outcome.winner
    assert (f"{record.header.sides[winner]} won" if winner is not None else "A draw") in said
    film = film_of(record, board_of(record))
    values: dict[str, Any] = dict(film.start)
    for moment in film.moments:
        values.update(moment.changes)
    lost = [0, 0]
    for unit, side in enumerate(Chains(record, film).sides):
        lost[side] += film.start[f"m{unit}"] - values[f"m{unit}"]
    for side, name_of in enumerate(record.header.sides):
        assert f"{name_of} lost {lost[side]} of " in said


def test_it_says_why_a_building_fell_and_links_to_it() -> None:
    text = short(fells())
    assert "tower collapses into rubble because the barrage called by Red observer comes down" in words(text)
    assert "which order" not in text
    event = next(int(n) for n, said in re.findall(r'#event=(\d+)">([^<]+)<', text) if "collapses" in said)
    near = [n for n, one in enumerate(fells().events) if isinstance(one, StructureSet) and one.fallen]
    assert abs(event - near[0]) < 10


def test_without_a_fall_none_is_told() -> None:
    assert "because" not in words(short(read_record(GOLDEN / "no-extra-turn.jsonl")))


def test_it_names_what_turned_it_from_the_estimate() -> None:
    said = words(short(fells(), insight_of(fells())))
    assert "What turned it most, turn 3 (the chance of Blue from 81% to 7%):" in said
    assert (
        "orders and dice together; battlesim whatif RECORD --turning-points finds which order lost"
        in " ".join(said.split())
    )
    assert "What turned it" not in words(short(fells()))


def test_it_names_the_order_that_lost_it_where_orders_and_dice_were_told_apart() -> None:
    swings = turning_points(Continuation(fells(), ("greedy", "greedy")), 2)
    worst = replace(swings.acts[1], order=(Effect(0.0, 0.0), Effect(0.3, 0.05)))
    calm = [replace(act, order=(Effect(0.0, 0.0), Effect(0.0, 0.0))) for act in swings.acts]
    said = words(short(fells(), None, Asked(replace(swings, acts=(calm[0], worst, *calm[2:])))))
    assert f"The order that cost Blue most (-30 ± 5 points of its chance to win), turn {worst.turn}:" in said
    nothing = short(fells(), None, Asked(replace(swings, acts=())))  # a file that holds no orders
    assert nothing == short(fells())
    said = words(short(fells(), None, Asked(replace(swings, acts=tuple(calm)))))
    assert "No order of Blue stands out" in said


def test_it_stands_on_the_page_and_names_stay_text() -> None:
    assert 'aria-label="In short"' in page_of(record_of("skirmish"))
    text = page_of(poisoned("skirmish"))
    inside = re.search(r'<section class="short".*?</section>', text, re.DOTALL)
    assert inside is not None
    assert "<img" not in inside[0]
    assert HOSTILE in html.unescape(inside[0])
