"""A book of tactics as a file: the studies that it is made of, a page each. Read `BookFile`, then `play_book`.

# book.toml
title = "The book of tactics"
about = "What holds in the shipped scenarios."

[[page]]
name = "stairwell"                       # stairwell.md, with its figures in stairwell.json
title = "Floor by floor"
why = "Who goes first through a door?"
scenarios = ["stairwell"]
tactics = ["always go:goal"]             # none: they are mined
confirmed = 40                           # this and all other numbers as `battlesim tactics` takes them

The figures of a page are kept beside it. A page whose figures answer its entry is not played again, only rewritten, whatever
program played them (`old_pages`). To have it played again, remove its figures.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import msgspec
from msgspec import Struct
from pydantic import Field as Setting

from battlesim.batch.settings import Contradiction, Settings, parse_settings
from battlesim.core.errors import Fault, InputError
from battlesim.core.files import write_file
from battlesim.core.toml import line_of, read_toml
from battlesim.discovery.book_pages import Page, index_page
from battlesim.discovery.card_plans import plans_of
from battlesim.discovery.cards import FORMAT, Book, Card, cards_of, write_cards
from battlesim.discovery.study import Players, Shown, advance, asked_of, begin_study
from battlesim.discovery.study_asked import Asked, check
from battlesim.discovery.telling import markdown
from battlesim.engine.roster import agent_named
from battlesim.engine.source import code
from battlesim.jobs.folder import RunFolder

INDEX = "README.md"
COUNTS = ("seed", "pairs", "candidates", "buildings", "tried", "keep", "confirmed", "answered", "moved")


class PageEntry(Settings):
    """A page: its study, as `study_asked.Asked` takes it, and the text above it."""

    name: str = Setting(pattern=r"^[a-z0-9][a-z0-9-]*$", max_length=60)
    title: str = Setting(min_length=1)
    why: str = Setting(min_length=1)
    scenarios: tuple[str, ...] = Setting(min_length=1)
    tactics: tuple[str, ...] = ()
    elsewhere: tuple[str, ...] = ()
    base: str = "greedy"
    seed: int | None = None
    pairs: int | None = None
    candidates: int | None = None
    buildings: int | None = None
    tried: int | None = None
    keep: int | None = None
    confirmed: int | None = None
    answered: int | None = None
    moved: int | None = None

    @property
    def asked(self) -> Asked:
        """The settings of its study. A base player that is a card is the card's player. Raises InputError if there is none."""
        counts: dict[str, Any] = {name: getattr(self, name) for name in COUNTS}
        given = {name: value for name, value in counts.items() if value is not None}
        return Asked(self.scenarios, self.tactics, agent_named(self.base), elsewhere=self.elsewhere, **given)


class BookFile(Settings):
    """A book: title, introduction (Markdown) and pages."""

    title: str = Setting(min_length=1)
    about: str = ""
    page: tuple[PageEntry, ...] = Setting(min_length=1)


def read_book(file: Path) -> BookFile:
    """The book of a TOML file. Raises InputError with every fault of its first invalid page, or of the file."""
    value, text = read_toml(file, "the book's file")
    book = parse_settings(BookFile, value, _contradictions, str(file), text)
    for number, entry in enumerate(book.page):
        try:
            check(entry.asked)
        except InputError as error:
            remedy = f"correct the page {entry.name!r}"
            line = line_of(text, ("page", number))
            whats = [f"{one.place} = {one.what}" if one.place else one.what for one in error.faults]
            faults = [
                Fault(f"{what} ({one.remedy})", remedy, str(file), line)
                for what, one in zip(whats, error.faults, strict=True)
            ]
            raise InputError(faults) from None
    return book


def _contradictions(book: BookFile) -> Iterator[Contradiction]:
    names = [entry.name for entry in book.page]
    for name in dict.fromkeys(names):
        if names.count(name) > 1 or f"{name}.md" == INDEX.lower():
            yield "page", f"the name {name!r} is taken", "give each page a name of its own"


class _Form(Struct):
    """What a file of figures says about itself."""

    format: int


def figures_of(folder: Path, entry: PageEntry) -> Book | None:
    """The figures of a page, kept beside it; None if there are none, or they answer a different entry."""
    file = folder / f"{entry.name}.json"
    try:
        data = file.read_bytes()
        form = msgspec.json.decode(data, type=_Form).format
        if form != FORMAT:
            what = f"the figures of the page are of format {form}, this program reads {FORMAT}"
            raise InputError(Fault(what, "remove the file to have the page played anew", str(file)))
        book = msgspec.json.decode(data, type=Book)
    except FileNotFoundError:
        return None
    except (OSError, msgspec.DecodeError) as error:
        what = f"the figures of the page cannot be read: {error}"
        raise InputError(
            Fault(what, "restore them, or remove the file to have it played", str(file))
        ) from None
    return book if book.asked == entry.asked else None


def old_pages(file: Path) -> list[str]:
    """The pages of a book whose figures another program than this one played."""
    this = code().digest
    found = ((entry, figures_of(file.parent, entry)) for entry in read_book(file).page)
    return [entry.name for entry, book in found if book is not None and book.program != this]


def play_book(
    file: Path, runs: Path, players: Players, shown: Callable[[str], Shown], told: Callable[[str], None]
) -> list[str]:
    """Play what the pages of a book lack, each in a folder of `runs`, and write the pages and their index beside the file. A page
    is written as soon as it is played. `shown(name)`: gets the progress of that page; `told`: called for each page that is done.
    Returns the names of the pages that were played."""
    book, played = read_book(file), []
    folder = file.parent
    for entry in book.page:
        if figures_of(folder, entry) is None:
            run = _run_of(runs / entry.name, entry)
            advance(run, players, shown(entry.name))
            found = cards_of(run)
            write_cards(run, found)
            data = msgspec.json.format(msgspec.json.encode(found), indent=1) + b"\n"
            write_file(folder / f"{entry.name}.json", data, "the figures")
            played.append(entry.name)
            told(entry.name)
        write_pages(book, folder)
    return played


def write_pages(book: BookFile, folder: Path) -> None:
    """Write every page that has figures, and the index of all of them."""
    known = [(entry, found) for entry in book.page if (found := figures_of(folder, entry)) is not None]
    for entry, found in known:
        _write_pictures(folder, entry.name, found)
        page = markdown(found, entry.title, entry.why, pictures_of(entry.name, found))
        write_file(folder / f"{entry.name}.md", page.encode(), "the page")
    pages = [Page(entry.name, entry.title, found) for entry, found in known]
    write_file(folder / INDEX, index_page(book.title, book.about, pages).encode(), "the index")


def pictures_of(name: str, book: Book) -> dict[int, list[tuple[str, str]]]:
    """The floor plans of the page `name`, by card: caption and file of each."""
    return {
        card.number: [(plan.caption, _picture(name, card, number)) for number, plan in enumerate(plans, 1)]
        for card in book.cards
        if (plans := plans_of(card))
    }


def _write_pictures(folder: Path, name: str, book: Book) -> None:
    """Write the floor plans of a page's cards beside it."""
    for card in book.cards:
        for number, plan in enumerate(plans_of(card), 1):
            write_file(folder / _picture(name, card, number), plan.svg.encode(), "the plan")


def _picture(name: str, card: Card, number: int) -> str:
    """The file of a floor plan."""
    return f"{name}-{card.number}-{number}.svg"


def _run_of(path: Path, entry: PageEntry) -> RunFolder:
    """The run of a page: the one that was begun, or a new one. Raises InputError if a different study was begun there."""
    if not path.exists():
        path.parent.mkdir(parents=True, exist_ok=True)
        return begin_study(path, entry.asked)
    run = RunFolder(path)
    if asked_of(run) != entry.asked:
        what = f"this run was asked for something else than the page {entry.name!r} is"
        raise InputError(Fault(what, "remove the run, or give another --out", str(path)))
    return run
