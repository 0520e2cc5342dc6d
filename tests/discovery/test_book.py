"""Books of tactics: played from a file, kept in figures, written as pages; and the book that ships."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from msgspec.structs import replace

from battlesim import InputError
from battlesim.cli.main import main
from battlesim.discovery import book_file
from battlesim.discovery.book_file import (
    BookFile,
    PageEntry,
    figures_of,
    old_pages,
    pictures_of,
    play_book,
    read_book,
    write_pages,
)
from battlesim.discovery.book_pages import Elsewhere, Page, anchor, index_page, same_building
from battlesim.discovery.cards import VERDICTS, Book
from battlesim.discovery.intervention import costs, gains, judged
from battlesim.discovery.tactic import parse_tactic
from battlesim.discovery.telling import command, effect_words, finding, markdown, result_words
from battlesim.engine.source import code

pytestmark = pytest.mark.slow
SHIPPED = Path(__file__).parents[2] / "docs/tactics/book.toml"
SMALL = """
title = "A small book"
about = "What a player that never shoots could learn."

[[page]]
name = "fire"
title = "Shoot or not?"
why = "It is said that shooting helps."
scenarios = ["skirmish"]
elsewhere = ["stairwell"]
tactics = ["always at:any"]
base = "tactician,base=greedy,tactics=never at:any; never go:charge"
confirmed = 12
answered = 0
moved = 6
"""


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The file of a small book that was played."""
    file = tmp_path_factory.mktemp("book") / "small.toml"
    file.write_text(SMALL, encoding="utf-8")
    out = str(file.parent / "runs")
    assert main(["tactics", "--book", str(file), "--out", out, "--workers", "1", "--quiet"]) == 0
    return file


def figures(file: Path) -> Book:
    """The figures of its first page."""
    found = figures_of(file.parent, read_book(file).page[0])
    assert found is not None
    return found


# ---- a book


def test_a_page_says_why_it_was_tried_and_what_came_of_it(played: Path) -> None:
    page, book = (played.parent / "fire.md").read_text(encoding="utf-8"), figures(played)
    assert page.startswith("# Shoot or not?\n\nIt is said that shooting helps.\n\n- **")
    assert f"## How it was found\n\n```sh\n{command(book.asked)}\n" in page
    assert book.cards
    for card in book.cards:
        assert f"## {card.number}. {card.words}" in page
        assert gains(card.effect)  # a player that may not shoot otherwise is beaten by one that does
        assert "better than the base player's own judgement" in page
        assert finding(card.found.tactic, card.effect, "the base player") in page


def test_the_index_lists_what_is_confirmed_and_what_became_of_it_elsewhere(played: Path) -> None:
    index, book = (played.parent / "README.md").read_text(encoding="utf-8"), figures(played)
    number = len(book.cards)
    assert index.startswith("# A small book\n\nWhat a player that never shoots could learn.\n")
    assert number == 1
    assert "1 tactic confirmed under 1 rulebook, of 1 that were tried" in index
    assert index.count("](fire.md#1-") == 1
    assert "## What the base player could learn" in index
    assert f"**{100 * book.cards[0].effect.kept.value:+.0f}%" in index
    assert "## Elsewhere" in index
    (moved,) = book.cards[0].transfer
    assert moved.scenario == "stairwell"
    counts = " | ".join("1" if verdict == moved.verdict else "0" for verdict in VERDICTS)
    assert f"| all | 1 | {counts} | " in index
    assert f"| [Shoot or not?](fire.md) | {number} | 1 | skirmish, stairwell |" in index


def test_a_tactic_of_two_pages_is_told_once_by_the_one_with_more_seeds(played: Path) -> None:
    book = figures(played)
    (card,) = book.cards
    more = replace(card, effect=replace(card.effect, seeds=99))
    again = Page("again", "Again", replace(book, cards=(more,)))
    for pages in ([Page("fire", "Fire", book), again], [again, Page("fire", "Fire", book)]):
        index = index_page("Two", "", pages)
        assert "1 tactic confirmed under 1 rulebook, of 1 that were tried" in index
        assert "](again.md#1-" in index
        assert "](fire.md#1-" not in index
        assert "| all | 1 | " in index


def test_a_page_says_which_program_played_it(
    played: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    assert old_pages(played) == []
    assert f"program {code().digest[:8]}" in (played.parent / "fire.md").read_text(encoding="utf-8")
    now = code()
    monkeypatch.setattr("battlesim.discovery.book_file.code", lambda: replace(now, digest="0" * 32))
    assert main(["tactics", "--book", str(played), "--quiet"]) == 0
    assert "played by another version of the program: fire" in capsys.readouterr().out


def test_what_is_there_is_not_played_again(played: Path, capsys: pytest.CaptureFixture[str]) -> None:
    before = (played.parent / "fire.json").read_bytes()
    played.write_text(SMALL.replace("Shoot or not?", "Hold fire?"), encoding="utf-8")
    out = str(played.parent / "nowhere")
    assert main(["tactics", "--book", str(played), "--out", out, "--quiet"]) == 0
    assert "every page is there" in capsys.readouterr().out
    assert not Path(out).exists()
    assert (played.parent / "fire.json").read_bytes() == before
    assert (played.parent / "fire.md").read_text(encoding="utf-8").startswith("# Hold fire?\n")
    played.write_text(SMALL, encoding="utf-8")


def test_a_page_that_asks_for_something_else_is_played_in_a_run_of_its_own(
    played: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    entry = read_book(played).page[0].model_copy(update={"confirmed": 13})
    assert figures_of(played.parent, entry) is None
    file = tmp_path / "other.toml"
    file.write_text(SMALL.replace("confirmed = 12", "confirmed = 13"), encoding="utf-8")
    monkeypatch.setattr(book_file, "advance", lambda *_: pytest.fail("it is not played"))
    with pytest.raises(InputError, match="asked for something else"):
        play_book(
            file,
            played.parent / "runs",
            lambda plan: pytest.fail("nothing is played"),
            lambda page: lambda *_: None,
            print,
        )


@pytest.mark.parametrize(
    ("old", "new", "told"),
    [
        ("title = ", "titel = ", "titel"),
        ("always at:any", "always at:nobody", "names no choice"),
        ('"skirmish"', '"nowhere"', "nowhere"),
        ('"stairwell"', '"skirmish"', "named twice"),
        ("confirmed = 12", "confirmed = 2", "confirmed = 2 will not do"),
        ('name = "fire"', 'name = "../fire"', "use small letters, digits and '-'"),
        ('name = "fire"', 'name = "readme"', "is taken"),
        ("[[page]]", "[[page", "not TOML"),
    ],
)
def test_a_bad_book_has_one_message_and_leaves_nothing(
    old: str, new: str, told: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "bad.toml"
    file.write_text(SMALL.replace(old, new, 1), encoding="utf-8")
    assert main(["tactics", "--book", str(file), "--out", str(tmp_path / "runs"), "--quiet"]) == 2
    assert told in capsys.readouterr().err
    assert [path.name for path in tmp_path.iterdir()] == ["bad.toml"]


def test_a_book_is_not_mixed_with_a_study(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "book.toml"
    for words in (["stairwell"], ["--seed", "2"], ["--json"], ["--resume", "x"]):
        assert main(["tactics", *words, "--book", str(file)]) == 2
        assert "--book plays what its file asks for" in capsys.readouterr().err


def test_damaged_figures_are_told(played: Path, tmp_path: Path) -> None:
    (tmp_path / "fire.json").write_bytes(b"{")
    entry = read_book(played).page[0]
    with pytest.raises(InputError, match="figures of the page cannot be read"):
        figures_of(tmp_path, entry)
    (tmp_path / "fire.json").write_bytes(b'{"format": 1, "asked": {}}')
    with pytest.raises(InputError, match="are of format 1, this program reads 2"):
        figures_of(tmp_path, entry)


# ---- what is better than the base player's own judgement


def test_only_what_survives_the_correction_beats_the_base_player(played: Path) -> None:
    effect = figures(played).cards[0].effect
    assert effect.p_kept < 0.01 < effect.p_opposite  # not to shoot is what the base player does anyway
    assert not gains(replace(effect, q_kept=0.06))
    assert not gains(replace(effect, kept=replace(effect.kept, low=-0.01)))
    assert "perhaps better" in " ".join(effect_words(replace(effect, q_kept=0.06), "greedy"))
    unsure = replace(effect, kept=replace(effect.kept, low=-0.01))
    assert "own judgement" not in " ".join(effect_words(unsure, "greedy"))
    worse = replace(effect, kept=replace(effect.kept, value=-0.3, low=-0.4, high=-0.2))
    assert costs(worse)
    assert not gains(worse)
    assert not costs(replace(worse, q_kept=0.06))
    assert "worse than greedy's own judgement" in " ".join(effect_words(worse, "greedy"))
    none = replace(effect, p_kept=1.0, p_opposite=0.0)
    alone, *_ = judged([replace(effect, p_kept=0.02), *[none] * 9])
    assert alone is not None
    assert alone.q_kept == pytest.approx(
        0.2
    )  # ten tactics; that their opposites do harm makes none of them likelier


def test_what_never_came_up_is_not_told_as_without_effect(played: Path) -> None:
    effect = figures(played).cards[0].effect
    assert result_words(None) == "no whole game"
    assert "%" in result_words(effect)
    assert result_words(replace(effect, dosed=0.0)) == f"never came up in {effect.games} pairs of games"


# ---- features of other scenarios


@pytest.mark.parametrize(
    ("here", "there", "same"),
    [
        ("tobacco-factory", "tobacco-factory-hex", True),
        ("tobacco-factory", "tobacco-armour", True),
        ("stairwell", "drones", True),
        ("stairwell", "skirmish", False),
        ("stairwell", "a-scenario-that-is-gone", None),
    ],
)
def test_one_building_is_known_under_every_rulebook(
    played: Path, here: str, there: str, same: bool | None
) -> None:
    card = figures(played).cards[0]
    assert card.transfer
    moved = replace(card.transfer[0], scenario=there)
    assert same_building(Elsewhere(replace(card, scenario=here), moved)) is same


# ---- the book that ships


@pytest.fixture(scope="module")
def shipped() -> BookFile:
    return read_book(SHIPPED)


def pages(book: BookFile) -> list[tuple[PageEntry, Book]]:
    """The pages that are played, each with its figures."""
    return [(entry, found) for entry in book.page if (found := figures_of(SHIPPED.parent, entry)) is not None]


def test_every_page_of_the_shipped_book_is_played_and_as_its_figures_say(shipped: BookFile) -> None:
    known = pages(shipped)
    assert [entry.name for entry, _ in known] == [entry.name for entry in shipped.page]
    for entry, found in known:
        assert [str(parse_tactic(text)) for text in entry.tactics] == list(entry.tactics)
        text = (SHIPPED.parent / f"{entry.name}.md").read_text(encoding="utf-8")
        pictures = pictures_of(entry.name, found)
        assert text == markdown(found, entry.title, entry.why, pictures)
        assert all((SHIPPED.parent / file).is_file() for rows in pictures.values() for _, file in rows)
        for card in found.cards:
            assert text.count(f"\n## {card.number}. {card.words}\n") == 1
    files = {path.stem for path in SHIPPED.parent.glob("*.json")}
    assert files == {entry.name for entry in shipped.page}, "figures of no page"


def test_the_index_of_the_shipped_book_counts_its_pages(shipped: BookFile) -> None:
    known = [Page(entry.name, entry.title, found) for entry, found in pages(shipped)]
    index = (SHIPPED.parent / "README.md").read_text(encoding="utf-8")
    assert index == index_page(shipped.title, shipped.about, known)
    links: dict[str, list[str]] = {}  # of each tactic in a scenario, to the pages that tell of it
    for page in known:
        text = (SHIPPED.parent / f"{page.name}.md").read_text(encoding="utf-8")
        for head, tactic in re.findall(r"^## (\d+\. .*)\n\n(`.*)$", text, re.MULTILINE):
            links.setdefault(tactic, []).append(f"({page.name}.md#{anchor(head)})")
    for tactic, some in links.items():
        assert sum(link in index for link in some) == 1, tactic
    assert f"\n{len(links)} tactics confirmed" in index


def test_pages_are_written_again_as_they_stand(shipped: BookFile, tmp_path: Path) -> None:
    for path in SHIPPED.parent.glob("*.json"):
        (tmp_path / path.name).write_bytes(path.read_bytes())
    write_pages(shipped, tmp_path)
    written = [*tmp_path.glob("*.md"), *tmp_path.glob("*.svg")]
    assert {path.name for path in written if path.suffix == ".svg"} == {
        path.name for path in SHIPPED.parent.glob("*.svg")
    }
    for path in written:
        assert path.read_bytes() == (SHIPPED.parent / path.name).read_bytes()
