"""What sets bunkers, pillboxes and every other reinforced shelter apart from buildings (OD-BUNK).

Fire passes through slits only (`lets_fire_through`; `line_of_sight.py` asks), people through doors only (`lets_people_through`;
the board makes no other ways into a bunker, so entering, leaving and assault all keep to it). Cover is -4 (`COVER`; `fire.py`
asks). Shells, strikes and barrages pin whoever is inside and hurt nobody, but bring the whole bunker down by `HITS` hits of
one attack (`he.suffer`, `collapse.brings_down`). No fire catches (`structures.can_burn`), and no tank rams one (OD-BUNK-4,
`tanks.py`). For all else a bunker is a building like others (OD-BUNK-6).
"""

from __future__ import annotations

from battlesim.board.model import Opening, Section
from battlesim.rules.contract import Chapter

COVER = 4
"""What the cover of a bunker takes from the roll to hit (OD-BUNK-2)."""
HITS = 12
"""Hits of one attack that bring a bunker down, and everybody in it (OD-BUNK-3, OD-BUNK-5)."""


def is_bunker(section: Section) -> bool:
    """Whether a section is a reinforced shelter of any kind."""
    return section.kind == "bunker"


def lets_fire_through(section: Section, opening: Opening) -> bool:
    """Whether fire goes out and in by an opening: any opening of a building, slits alone in a bunker (OD-BUNK-1)."""
    return not is_bunker(section) or opening.kind == "slit"


def lets_people_through(section: Section, opening: Opening) -> bool:
    """Whether people go in and out by an opening: never by a slit, and by doors alone in a bunker (OD-BUNK-1, OD-BUNK-6)."""
    return opening.kind == "door" if is_bunker(section) else opening.kind != "slit"


CHAPTER = Chapter(
    owns=("OD-BUNK-1", "OD-BUNK-2", "OD-BUNK-3", "OD-BUNK-5", "OD-BUNK-6"),
)
