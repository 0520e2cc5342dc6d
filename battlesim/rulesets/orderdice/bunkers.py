"""How bunkers, pillboxes and all other reinforced shelters differ from buildings (OD-BUNK).

Fire passes through slits only (`lets_fire_through`, used by `line_of_sight.py`), people through doors only
(`lets_people_through`; the board has no other ways into a bunker, so entering, leaving and assault all follow this). Cover is -4
(`COVER`, used by `fire.py`). Shells, strikes and barrages pin units inside without losses, but `HITS` hits of one attack bring
the whole bunker down (`he.suffer`, `collapse.brings_down`). It never burns (`structures.can_burn`), and no tank rams it
(OD-BUNK-4, `tanks.py`). In all else a bunker is like other buildings (OD-BUNK-6).
"""

from __future__ import annotations

from battlesim.board.model import Opening, Section
from battlesim.rules.contract import Chapter

COVER = 4
"""The modifier of a bunker's cover to the roll to hit (OD-BUNK-2)."""
HITS = 12
"""Hits of one attack that bring a bunker down with all units in it (OD-BUNK-3, OD-BUNK-5)."""


def is_bunker(section: Section) -> bool:
    """Whether a section is a reinforced shelter of any kind."""
    return section.kind == "bunker"


def lets_fire_through(section: Section, opening: Opening) -> bool:
    """Whether fire passes an opening: any opening of a building, only slits of a bunker (OD-BUNK-1)."""
    return not is_bunker(section) or opening.kind == "slit"


def lets_people_through(section: Section, opening: Opening) -> bool:
    """Whether people pass an opening: never a slit, and only doors of a bunker (OD-BUNK-1, OD-BUNK-6)."""
    return opening.kind == "door" if is_bunker(section) else opening.kind != "slit"


CHAPTER = Chapter(
    owns=("OD-BUNK-1", "OD-BUNK-2", "OD-BUNK-3", "OD-BUNK-5", "OD-BUNK-6"),
)
