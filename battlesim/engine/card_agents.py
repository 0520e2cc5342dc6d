"""Cards of a run as agents: `card:RUN/7` is the player of card 7 of the run in the folder RUN. Read `agent_of_card`.

A run that finds tactics keeps `cards.json` in its folder: its field `cards` is a list, each with its `number` and the `agent`
that plays it, a name as `find_agent` takes it. Records hold that name, so that they can be verified without the run.
"""

from __future__ import annotations

import json
from pathlib import Path
from shlex import quote
from typing import NamedTuple

from battlesim.core.errors import Fault, InputError

PREFIX = "card:"
CARDS = "cards.json"
RUNS = Path("runs")
"""Where a run given by its name alone is looked for."""


def agent_of_card(name: str, folder: Path | None = None) -> str:
    """The name of the agent that `card:RUN/N` stands for; any other name unchanged. `folder`: where a run is looked for first.
    Raises InputError if there is no such card."""
    return card_named(name, folder).agent if name.startswith(PREFIX) else name


DIGITS = 9
"""Of the number of a card, at most."""


class CardAgent(NamedTuple):
    """A card: the agent that plays it, and its text in words, if it has one."""

    agent: str
    words: str


def card_named(name: str, folder: Path | None = None) -> CardAgent:
    """The card `card:RUN/N`. `folder`: where a run is looked for first. Raises InputError if there is no such card."""
    number = name.rpartition("/")[2]
    file = folder_of_card(name, folder) / CARDS
    try:
        cards = json.loads(file.read_bytes())["cards"]
        found = {
            int(card["number"]): CardAgent(str(card["agent"]), str(card.get("words", ""))) for card in cards
        }
    except (FileNotFoundError, NotADirectoryError):
        what = "there are no cards of tactics"
        raise InputError(
            Fault(
                what,
                "give the folder of a finished run of `battlesim tactics` or `battlesim discover`",
                str(file),
            )
        ) from None
    except (OSError, ValueError, KeyError, TypeError, AttributeError) as error:
        what = f"the cards cannot be read: {type(error).__name__}: {error}"
        remedy = f"show the run again, which writes them anew: battlesim runs {quote(str(file.parent))}"
        raise InputError(Fault(what, remedy, str(file))) from None
    if int(number) not in found:
        told = ", ".join(map(str, sorted(found))) or "none"
        raise InputError(Fault(f"there is no card {number}", f"the run has {told}", str(file)))
    return found[int(number)]


def folder_of_card(name: str, folder: Path | None = None) -> Path:
    """The folder of the run of a card, looked for first in `folder`; it need not be there. Raises InputError if the name is no
    card's."""
    run, slash, number = name.removeprefix(PREFIX).rpartition("/")
    if not (slash and run and number.isdecimal() and len(number) <= DIGITS):
        raise InputError(Fault(f"{name!r} names no card", "give card:RUN/N, such as card:runs/tactics/1"))
    places = [*([folder / run] if folder is not None else []), Path(run), RUNS / run]
    return next((place for place in places if place.is_dir()), Path(run))
