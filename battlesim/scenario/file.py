"""The format of a scenario file, key by key. Read `ScenarioFile` first.

Coordinates are those of the map file. The JSON Schema for editors is made from these models (`scenario_schema`), so every field
has a description. Names are resolved in `resolve.py`, with the map and the ruleset.
"""

from __future__ import annotations

import json
from typing import Annotated, Any, Literal

from pydantic import Field, model_validator

from battlesim.board.mapfile import Count, Flag, Outline, Rect
from battlesim.board.yamlfile import FileModel, Name, Title, refuse
from battlesim.core.geometry import Point

FacingName = Literal["east", "north-east", "north", "north-west", "west", "south-west", "south", "south-east"]
EdgeName = Literal["north", "east", "south", "west"]
Word = Annotated[
    str,
    Field(min_length=1, max_length=80, pattern=r"^[^\x00-\x1f\x7f]+$", description="one line of text"),
]
"""A name given elsewhere: a place, building, section, side, unit or type; shown as text, never as markup."""
MapName = Annotated[str, Field(min_length=1, max_length=1000, pattern=r"^[^\x00-\x1f\x7f]+$")]
Words = Annotated[tuple[Word, ...], Field(min_length=1, max_length=500)]
Briefing = Annotated[str, Field(max_length=4000, pattern=r"^[^\x00-\x09\x0b-\x1f\x7f]*$")]
Turn = Annotated[int, Field(strict=True, ge=1, le=100)]
Points = Annotated[int, Field(strict=True, ge=1, le=1000)]
MAX_UNITS = 100_000
"""A file with more units is refused before it fills the memory: it has a mistake in a `count`."""
UnitCount = Annotated[int, Field(strict=True, ge=1, le=MAX_UNITS)]


def _one_of(model: FileModel, what: str, *names: str) -> None:
    """Refuse a table that has none of the keys, or more than one."""
    given = [name for name in names if getattr(model, name) is not None]
    if len(given) > 1:
        raise refuse(f"{' and '.join(given)} exclude one another", "keep one of them")
    if not given:
        raise refuse(what, f"give one of {', '.join(names)}")


class ZoneSpec(FileModel):
    """Where a side may set up: an outline, places or buildings, or several of these together.

    A floor lies in an outline only where its whole section does.
    """

    rect: Rect | None = Field(None, description="[west, south, east, north]")
    polygon: Outline | None = Field(None, description="corners in order")
    places: Words | None = Field(None, description="names of places: outdoor nodes, or floors")
    buildings: Words | None = Field(None, description="buildings or sections, with all their floors")

    @model_validator(mode="after")
    def _upright(self) -> ZoneSpec:
        if self.rect and not (self.rect[0] < self.rect[2] and self.rect[1] < self.rect[3]):
            received = [number / 100 for number in self.rect]
            raise refuse(f"rect {received} is inside out", "give [west, south, east, north]")
        if self.rect and self.polygon:
            raise refuse("both polygon and rect are given", "keep one of the two")
        if not (self.rect or self.polygon or self.places or self.buildings):
            raise refuse("the zone is empty", "give rect, polygon, places or buildings")
        return self

    @property
    def corners(self) -> tuple[Point, ...]:
        """The outline, or () if the zone has none."""
        if self.rect:
            west, south, east, north = self.rect
            return ((west, south), (east, south), (east, north), (west, north))
        return self.polygon or ()


class SideSpec(FileModel):
    """One of the two sides."""

    name: Name
    zones: Annotated[
        dict[Name, ZoneSpec], Field(max_length=50, description="where it may set up; none: anywhere")
    ] = Field(default_factory=dict)


class ReserveSpec(FileModel):
    """A unit that comes on later."""

    turn: Annotated[int, Field(strict=True, ge=2, le=100, description="the turn it comes on in")]
    edge: EdgeName | None = Field(None, description="of the map, where it comes on")
    zone: Name | None = Field(None, description="of its side, instead of an edge")

    @model_validator(mode="after")
    def _somewhere(self) -> ReserveSpec:
        _one_of(self, "the reserve has no way on", "edge", "zone")
        return self


class ForceSpec(FileModel):
    """One unit, or `count` units alike. It begins at a place, in a zone, in reserve, or aboard another unit."""

    side: Word
    type: Word
    name: Word | None = Field(None, description="its own; with count, a number is added")
    quality: Word | None = Field(None, description="as the ruleset calls it; the usual unless stated")
    models: Count | None = Field(None, description="the full strength of its type unless stated")
    officer: Annotated[int, Field(strict=True, ge=0, le=10, description="rank bonus")] | None = None
    count: UnitCount = 1
    at: Word | None = Field(None, description="a place by name")
    zone: Word | None = Field(None, description="somewhere in this zone of its side, by the variation seed")
    reserve: ReserveSpec | None = None
    aboard: Word | None = Field(None, description="the name of the unit that carries it")
    opening: FacingName | Annotated[int, Field(strict=True, ge=0, le=500)] | None = Field(
        None,
        description="of its floor, for a gun or fixed weapon inside: the side it faces, or its number from 0",
    )
    facing: FacingName | None = Field(None, description="towards the enemy unless stated")

    @model_validator(mode="after")
    def _placed(self) -> ForceSpec:
        _one_of(self, "the unit begins nowhere", "at", "zone", "reserve", "aboard")
        if self.opening is not None and self.at is None:
            raise refuse("an opening goes with a place", "give at: the floor it opens from")
        if self.at is not None and self.count > 1:
            raise refuse(f"{self.count} units cannot begin at one place", "leave count out, or give a zone")
        return self


class _Objective(FileModel):
    name: Title = Field("", description="what it is called; made from the rest unless stated")
    points: Points = 1
    side: Word | None = Field(None, description="who can score it; whoever meets it unless stated")


class Hold(_Objective):
    """At the end: a living unit there, and no enemy."""

    kind: Literal["hold"]
    places: Words | None = None
    buildings: Words | None = Field(None, description="buildings or sections, with all their floors")

    @model_validator(mode="after")
    def _somewhere(self) -> Hold:
        if not (self.places or self.buildings):
            raise refuse("nothing is named to hold", "give places or buildings")
        return self


class Destroy(_Objective):
    """Buildings that all lie in rubble at the end; or units, points for each one lost."""

    kind: Literal["destroy"]
    buildings: Words | None = Field(None, description="buildings or sections")
    units: Words | None = Field(None, description="names of units, or of groups of them")

    @model_validator(mode="after")
    def _something(self) -> Destroy:
        _one_of(self, "nothing is named to destroy", "buildings", "units")
        return self


class Survive(_Objective):
    """Units of one side, points for each one alive at the end."""

    kind: Literal["survive"]
    units: Words


class Exit(_Objective):
    """Break through: points for each unit of a side that leaves by an edge of the map."""

    kind: Literal["exit"]
    side: Word
    edge: EdgeName
    units: Words | None = Field(None, description="only these; all of the side unless stated")


ObjectiveSpec = Annotated[Hold | Destroy | Survive | Exit, Field(discriminator="kind")]


class BuildingState(FileModel):
    """What the scenario adds to a building or section."""

    closed: Flag = Field(False, description="nobody may enter")
    burning: Flag = Field(False, description="on fire from the start")


def _no_default(schema: dict[str, Any]) -> None:
    """The length of a battle differs by ruleset: `load.py` fills it in."""
    schema.pop("default", None)


class ScenarioFile(FileModel):
    """A scenario: a map, a ruleset, two sides with their forces, what they fight for and how long."""

    name: Name
    title: Title = ""
    briefing: Briefing = Field("", description="what a player should know, in a few sentences")
    ruleset: Word
    map: MapName = Field(description="a map file by its path from this file, or a shipped map by name")
    turns: Turn = Field(
        6, description="unless stated, as many as the ruleset says", json_schema_extra=_no_default
    )
    extra_turn: Flag = Field(False, description="one more turn by the die, where the ruleset has one")
    margin: Points = Field(1, description="points a side must be ahead to win")
    sides: Annotated[tuple[SideSpec, SideSpec], Field(description="the two sides")]
    forces: Annotated[tuple[ForceSpec, ...], Field(min_length=1, max_length=MAX_UNITS)]
    objectives: Annotated[tuple[ObjectiveSpec, ...], Field(max_length=100)] = ()
    buildings: Annotated[dict[Word, BuildingState], Field(max_length=500)] = Field(
        default_factory=dict, description="closed or burning buildings or sections, by name"
    )
    options: dict[str, Any] = Field(default_factory=dict, description="the ruleset's own table")


def canonical_bytes(file: ScenarioFile) -> bytes:
    """The content of a scenario file, without the path of its map, as bytes that do not depend on how the file is written.
    Lengths are whole hundredths."""
    said = file.model_dump(mode="json", exclude_defaults=True, exclude={"map"})
    return json.dumps(_in_order(said), separators=(",", ":")).encode()


def _in_order(value: Any, key: str = "") -> Any:
    """A plain value with the keys of its tables sorted. Zones keep their given order: units are set up zone by zone."""
    if isinstance(value, dict):
        names = value if key == "zones" else sorted(value)
        return {name: _in_order(value[name], name) for name in names}
    return [_in_order(item) for item in value] if isinstance(value, list) else value


def scenario_schema() -> dict[str, Any]:
    """The JSON Schema (2020-12) of scenario files, for editors."""
    schema = ScenarioFile.model_json_schema()
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        **schema,
        "title": "battlesim scenario",
    }


def scenario_schema_text() -> str:
    """The text of `maps/schema/scenario.schema.json`."""
    return json.dumps(scenario_schema(), indent=1) + "\n"
