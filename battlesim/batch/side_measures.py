"""What one side did in a game, in numbers. Read `SideMeasures`."""

from __future__ import annotations

from msgspec import Struct


class SideMeasures(Struct, omit_defaults=True):
    """What one side did in a game. Unit-turns: `unit_turns`; of these `inside` a building, `above` its ground floor, and `moved`
    at least once in that turn. Incidents as in `Measures`, by its own units: `shots`, of these `shots_at` buildings and those
    inside, and `shots_walls` at a building itself; `assaults`; `breaches`; `waits`; `early`: shots and assaults in the first half
    of the battle's turns. `orders`: how often it gave each order, by the names that all rulebooks share
    (`battlesim.rules.tactical`).

    Positions at the ends of turns: `spread`, the sum over its unit-turns of the distance from the middle of the side, and `gap`,
    of that to the nearest enemy on the board, in thousandths of the map's diagonal; `floors`: floors of buildings that it stood
    on, each once; `reserve`: unit-turns of living units that have not come on yet."""

    unit_turns: int = 0
    inside: int = 0
    above: int = 0
    moved: int = 0
    shots: int = 0
    shots_at: int = 0
    assaults: int = 0
    breaches: int = 0
    waits: int = 0
    shots_walls: int = 0
    early: int = 0
    spread: int = 0
    gap: int = 0
    floors: int = 0
    reserve: int = 0
    orders: dict[str, int] = {}
