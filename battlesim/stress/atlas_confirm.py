"""The places that matter most, played again with fresh dice. Read `begin_confirming`, then `fresh_of`.

Of a hundred changes, those with the largest effects are partly large by luck, so the effects of the first places are overstated.
So the first change of each of them is played again with seeds that the atlas has not used. These games choose nothing, so no
selection biases them. They are a run of their own in the folder of the atlas.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

import msgspec
from msgspec.structs import replace

from battlesim.batch.lists import GameList, plan_of, rows_of
from battlesim.core.files import write_file
from battlesim.jobs.folder import RunFolder
from battlesim.stress.atlas import (
    DESIGN,
    SEEN,
    TOP,
    AtlasDesign,
    AtlasFound,
    ChangeFound,
    analyse,
    design_of,
)
from battlesim.stress.atlas_places import Change

FOLDER = "confirmed"
"""The run of the fresh games, in the folder of the atlas."""
Fresh = Mapping[Change, ChangeFound]
"""What changes do on fresh dice."""
NONE: Fresh = MappingProxyType({})
"""Nothing was played again."""


def begin_confirming(run: RunFolder, design: AtlasDesign, found: AtlasFound, plan: GameList) -> RunFolder:
    """The run of the fresh games, with nothing played yet: `design.confirm` games of the unchanged scenario and of the first
    change of each of the first places. If it was begun already, that run."""
    path = run.path / FOLDER
    if (path / DESIGN).exists():
        return RunFolder(path)
    changes = [one.first.change for one in found.places[:TOP]]
    seed = design.seed + design.games
    again = replace(design, changes=tuple(changes), games=design.confirm, seed=seed, confirm=0, untried=())
    numbers = (0, *(design.changes.index(change) + 1 for change in changes))
    games = [
        replace(plan.resolved.games[number * design.games], seed=seed + n, round=n)
        for number in numbers
        for n in range(design.confirm)
    ]
    resolved = replace(plan.resolved, games=tuple(games), name=f"{plan.resolved.name}-{FOLDER}")
    asked = {"kind": "atlas", "scenario": design.scenario, "games": design.confirm, "seed": seed}
    if path.exists():  # it was stopped before the next line
        begun = RunFolder(path)
    else:
        begun = RunFolder.create(path, msgspec.to_builtins(resolved), msgspec.json.encode(asked), ".json")
    write_file(begun.path / DESIGN, msgspec.json.encode(again), "the design")
    return begun


def fresh_of(run: RunFolder) -> Fresh:
    """The results of an atlas's fresh games so far, by change; empty if there are none."""
    path = run.path / FOLDER
    if not (path / DESIGN).exists():
        return NONE
    again = RunFolder(path)
    found = analyse(design_of(again), rows_of(again, plan_of(again)))
    return {one.change: one for place in found.places for one in place.changes}


def is_confirmed(first: ChangeFound, fresh: ChangeFound) -> bool:
    """Whether fresh dice show an effect in the same direction, corrected for all changes that were played again: on wins or
    points, whichever showed it at first; on either if neither did."""
    pairs = [(first.wins, fresh.wins), (first.points, fresh.points)]
    seen = [pair for pair in pairs if pair[0].q < SEEN] or pairs
    return any(two.q < SEEN and one.change * two.change > 0 for one, two in seen)


def figures(design: AtlasDesign, found: AtlasFound, fresh: Fresh) -> Any:
    """Every figure as plain data. Unknown values are null. `confirmed`: changes that were played again, as first seen and on
    fresh dice."""
    rows = [
        {
            "change": one.first.change,
            "fresh": fresh[one.first.change],
            "confirmed": is_confirmed(one.first, fresh[one.first.change]),
        }
        for one in found.places
        if one.first.change in fresh
    ]
    plain = msgspec.json.decode(msgspec.json.encode({"design": design, "found": found, "confirmed": rows}))
    plain["design"].pop("map")
    return plain
