"""The page of a search: its map, its rows, and that it opens without asking for anything."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest
from msgspec.structs import replace

from battlesim.discovery.page import PAGE, PICTURE, grids, picture, render, write_page
from battlesim.discovery.run import Discovery, candidates
from battlesim.discovery.search import Search
from battlesim.discovery.search_cases import Played, Wanted
from battlesim.discovery.search_judge import Jury, judge
from battlesim.discovery.settings import DiscoverySettings
from battlesim.discovery.words import bin_words, lines
from tests.discovery.made_up import SPACE, MadeUp
from tests.viewer.browser import Opened, chromium_browser


class Deep(MadeUp):
    """A third axis: the patience."""

    def _case(self, wanted: Wanted, number: int) -> Played:
        made = super()._case(wanted, number)
        patience = SPACE.genes[1].scaled(wanted.genome.values[1])
        return Played(made.score, (*made.behaviour, patience), made.scenario, made.opponent)


@cache
def sample(axes: int, scenario: str = "stairwell") -> tuple[DiscoverySettings, Discovery]:
    field = (MadeUp if axes == 2 else Deep)(1, 0.6)
    search = Search(SPACE, field, axes, 3000, bins=3)
    elites = candidates(search.run())
    judged = judge(SPACE, field, elites, {"doctrine": SPACE.usual}, Jury())
    asked = DiscoverySettings(
        scenarios=(scenario,),
        axes=("inside", "movement", "fire")[:axes],
        bins=3,
        confirm_on=(scenario, "silo"),
    )
    counts = (search.played, *judged.games)
    return asked, Discovery(
        "orderdice", "Red", 3, judged.elites, judged.written, tuple(search.progress), counts
    )


def test_every_elite_has_one_cell_that_leads_to_its_row() -> None:
    for axes in (2, 3):
        asked, found = sample(axes)
        page = render(asked, found, "a run")
        numbers = [str(number) for number in range(1, len(found.elites) + 1)]
        assert re.findall(r'<tr id="elite-(\d+)">', page) == numbers
        assert sorted(set(re.findall(r'href="#elite-(\d+)"', page)), key=int) == numbers
        placed = [c.number for grid in grids(asked, found) for _, row in grid.rows for c in row if c]
        assert sorted(placed) == list(range(1, len(found.elites) + 1))
        for one in found.elites:
            assert one.agent in page.replace("<wbr>", "")


def test_a_cell_stands_where_its_behaviour_is() -> None:
    asked, found = sample(3)
    made = {grid.title: grid for grid in grids(asked, found)}
    for number, one in enumerate(found.elites, 1):
        grid = made[f"fire {bin_words(one.cell[2], 3)}"]
        label, row = grid.rows[2 - one.cell[0]]
        cell = row[one.cell[1]]
        assert cell is not None
        assert cell.number == number
        assert label == bin_words(one.cell[0], 3)
        assert f"{100 * one.value.value:.0f}" == cell.score


def test_the_picture_is_sound_and_the_same_each_time(tmp_path: Path) -> None:
    asked, found = sample(2)
    write_page(asked, found, tmp_path)
    tree = ElementTree.parse(tmp_path / PICTURE)
    links = [e.get("href") for e in tree.iter() if e.tag.endswith("}a")]
    assert sorted(links) == sorted(f"{PAGE}#elite-{n}" for n in range(1, len(found.elites) + 1))
    before = [(tmp_path / name).read_bytes() for name in (PAGE, PICTURE)]
    write_page(asked, found, tmp_path)
    assert [(tmp_path / name).read_bytes() for name in (PAGE, PICTURE)] == before


def test_names_are_text(tmp_path: Path) -> None:
    asked, found = sample(2, "<script>alert(1)</script>/x.yaml")
    write_page(asked, found, tmp_path)
    assert "<script>alert" not in (tmp_path / PAGE).read_text() + (tmp_path / PICTURE).read_text()


def test_words_and_page_claim_no_more_than_was_confirmed() -> None:
    asked, found = sample(2)
    best = next(one for one in found.elites if one.confirmed is not None)
    assert best.duel is not None
    told = "\n".join(lines(asked, found))
    page = render(asked, found, "a run")
    better = any(one.duel is not None and one.duel.low > 0.5 for one in found.elites)
    assert ("beats doctrine, the best written by hand in the selection" in page) == better
    assert f"{best.confirmed.value:.0%} [{best.confirmed.low:.0%}" in told  # type: ignore[union-attr]


def test_an_elite_that_behaved_otherwise_in_the_selection_is_marked() -> None:
    asked, found = sample(2)
    count = len(found.elites)
    assert found.held == (count, count)
    assert "elsewhere in the" not in "\n".join([*lines(asked, found), render(asked, found, "a run")])
    first = found.elites[0]
    there = tuple((0.5 if at != 1 else 0.9) for at in first.cell)
    moved = replace(found, elites=(replace(first, behaviour=there), *found.elites[1:]))
    assert moved.held == (count - 1, count)
    cell = ", ".join(
        f"{axis} {bin_words(2 if at == 1 else 1, 3)}" for axis, at in zip(asked.axes, first.cell, strict=True)
    )
    told = "\n".join(lines(asked, moved))
    assert f"elsewhere in the selection: cell {cell}" in told
    assert (
        f"{count - 1} of the {count} elites measured in the selection behaved there as their cell says"
        in told
    )
    page = render(asked, moved, "a run")
    assert page.count(f"<b>elsewhere in the selection: cell {cell}.</b>") == 1
    assert page.count("</a>*") == picture(asked, moved).count("*</text>") == 1


def test_opponents_of_the_confirmation_that_the_training_met_are_named() -> None:
    asked, found = sample(2)
    told, page = "\n".join(lines(asked, found)), render(asked, found, "a run")
    for words in ("met in the training, too: greedy)", "dice touched once by this search, seed 1; another"):
        assert words in told
        assert words in page
    other = asked.model_copy(update={"against": ("rush", "doctrine")})
    assert "met in the training, too: rush; doctrine)" in "\n".join(lines(other, found))
    assert "QD score of the selection" in told
    assert "QD score of the selection" in page
    assert "QD score of the training" in page


def test_a_scenario_that_players_were_chosen_by_is_not_told_as_one_that_the_search_did_not_see() -> None:
    asked, found = sample(2)
    cases = {
        (): "See the rows of silo,",
        ("silo",): "trained on or chosen by",
        ("district",): "See the rows of silo,",
    }
    for select_on, said in cases.items():
        other = asked.model_copy(update={"select_on": select_on})
        assert said in render(other, found, "a run")
        told = "how it does elsewhere is not known" in "\n".join(lines(other, found))
        assert told is (select_on == ("silo",))


def test_a_lone_confirmation_below_even_is_explained_and_cards_are_named() -> None:
    asked, found = sample(2)
    said = "only the best of them was played again"
    assert said not in render(asked, found, "a run")
    elites = [
        replace(one, value=one.value._replace(value=0.4), confirmed=one.confirmed if n == first else None)
        for first in [next(n for n, one in enumerate(found.elites) if one.confirmed is not None)]
        for n, one in enumerate(found.elites)
    ]
    lost = replace(found, elites=tuple(elites))
    page = render(asked, lost, "a run")
    assert said in page
    assert said in "\n".join(lines(asked, lost))
    assert "<code>card:RUN/1</code>" in page


def test_games_that_broke_off_are_counted() -> None:
    asked, found = sample(2)
    broken = replace(found, broken=3)
    assert "broke off" not in "\n".join([*lines(asked, found), render(asked, found, "a run")])
    assert "3 games broke off: a pair with one is even" in "\n".join(lines(asked, broken))
    assert "3 games broke off</span>" in render(asked, broken, "a run")


def test_a_command_has_a_line_of_its_own_and_breaks_between_parameters_only() -> None:
    asked, found = sample(2)
    page = render(asked, found, "a run")
    told = re.findall(r'<tr class="more"><td></td><td class="t long" colspan="6">.*?<code>(.*?)</code>', page)
    assert len(told) == len(found.elites)
    for words in told:
        assert not re.search(r"[,+](?!<wbr>)", words)
        assert not re.search(r"(?<![,+])<wbr>", words)
    style = re.search(r"<style>(.*?)</style>", page, re.S)
    assert style is not None
    assert ".more td.long { max-width: none; overflow-wrap: break-word; }" in style[1]


@pytest.mark.slow
@pytest.mark.parametrize("axes", [2, 3])
def test_it_opens_in_a_browser_without_a_complaint(tmp_path: Path, axes: int) -> None:
    asked, found = sample(axes)
    write_page(asked, found, tmp_path)
    with chromium_browser() as chromium:
        opened: Any = Opened(chromium, tmp_path / PAGE)
        page = opened.page
        page.click("table.heat td a >> nth=0")
        assert re.search(r"#elite-\d+$", page.url)
        page.click("#elites thead button >> nth=1")
        rows = page.locator("#elites tbody tr").evaluate_all(
            "rows => rows.map(row => row.id || row.className)"
        )
        assert rows[1::2] == ["more"] * len(found.elites)
        scores = page.locator("#elites tbody td b:only-child").all_inner_texts()
        assert scores[0] == max(scores, key=lambda score: int(score.rstrip("%")))
        wide = page.evaluate("document.documentElement.scrollWidth <= document.documentElement.clientWidth")
        assert wide
        opened.close()
