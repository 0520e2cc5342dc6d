"""Reading the tags of OpenStreetMap: what they say about a house or a piece of ground, in the words of the map format.

These are functions of tags only, without geometry. If a tag is missing or makes no sense, the result says so, and `importer.py`
uses a default. Read `house_of` and `ground_of` first.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import NamedTuple
from unicodedata import combining, normalize

Tags = Mapping[str, str]

_NUMBER = re.compile(
    r"^\s*([0-9]+(?:[.,][0-9]+)?)\s*(m|metres?|meters?|ft|feet|')?\s*(?:[;-].*)?$", re.IGNORECASE
)
_NO_HOUSE = {
    "no": "it is tagged as no building",
    "roof": "a roof without walls",
    "canopy": "a roof without walls",
    "carport": "a roof without walls",
    "entrance": "an entrance, no house",
    "underpass_entrance": "an entrance, no house",
    "ship": "a ship",
    "boat": "a boat",
    "bridge": "a bridge",
    "construction": "not built yet",
    "ruins": "a ruin",
    "collapsed": "a ruin",
}
_SHEDS = (
    "shed",
    "garage",
    "garages",
    "hut",
    "kiosk",
    "cabin",
    "greenhouse",
    "glasshouse",
    "service",
    "toilets",
)
_STONE = (
    "cathedral",
    "chapel",
    "church",
    "civic",
    "government",
    "monastery",
    "museum",
    "palace",
    "public",
    "synagogue",
    "mosque",
    "temple",
    "tower",
    "train_station",
    "university",
)
_CONCRETE = (
    "commercial",
    "hospital",
    "hotel",
    "industrial",
    "office",
    "parking",
    "retail",
    "supermarket",
    "warehouse",
)
_MATERIALS = {
    "brick": "brick",
    "bricks": "brick",
    "concrete": "concrete",
    "reinforced_concrete": "concrete",
    "glass": "concrete",
    "metal": "concrete",
    "steel": "concrete",
    "stone": "stone",
    "granite": "stone",
    "limestone": "stone",
    "sandstone": "stone",
    "marble": "stone",
    "wood": "wood",
    "timber_framing": "wood",
    "log": "wood",
}


class HouseTags(NamedTuple):
    """What tags say about a house; "" and 0 if they say nothing. `odd`: tags that could not be read."""

    kind: str
    material: str
    floors: int
    roof: str
    odd: tuple[str, ...] = ()


def not_a_house(tags: Tags) -> str:
    """Why a footprint tagged `building` is not a house; "" if it is one."""
    if tags["building"] in _NO_HOUSE:
        return _NO_HOUSE[tags["building"]]
    if tags.get("location") == "underground" or tags.get("layer", "").startswith("-"):
        return "it lies underground"
    if any(tags.get(key) == "yes" for key in ("demolished", "abandoned:building", "razed")):
        return "it is gone"
    return ""


def house_of(tags: Tags, storey_metres: float) -> HouseTags:
    """Kind, material, floors and roof of a house; floors from `building:levels`, else from `height`.

    Half floors count as whole ones.
    """
    odd = []
    floors = 0
    for key, unit in (
        ("building:levels", 1.0),
        ("height", storey_metres),
        ("building:height", storey_metres),
    ):
        if key not in tags or floors:
            continue
        number = read_number(tags[key])
        if number is None or not 0 < number / unit <= 200:
            odd.append(f"{key}={tags[key][:40]}")
        else:
            floors = max(1, int(number / unit + 0.5))
    material = _MATERIALS.get(tags.get("building:material", "").lower(), "")
    use = tags["building"] if tags["building"] != "yes" else ""
    if not material and (use in _STONE or any(tags.get(k) for k in ("historic",))):
        material = "stone"
    if not material and use in _CONCRETE:
        material = "concrete"
    return HouseTags(
        "shed" if use in _SHEDS else "house", material, floors, tags.get("roof:shape", ""), tuple(odd)
    )


def read_number(text: str) -> float | None:
    """The first number of a tag's value, with feet converted to metres; None if there is none."""
    match = _NUMBER.match(text)
    if match is None:
        return None
    value = float(match[1].replace(",", "."))
    return value * 0.3048 if match[2] and match[2].lower() in ("ft", "feet", "'") else value


# --- names --------------------------------------------------------------------------------------------------------


def house_name(tags: Tags) -> str:
    """A name for a house that a map file takes: its own, or its address; "" if it has neither."""
    for text in (tags.get("name", ""), f"{tags.get('addr:street', '')} {tags.get('addr:housenumber', '')}"):
        name = as_name(text)
        if name and (text == tags.get("name") or tags.get("addr:street")):
            return name
    return ""


def as_name(text: str) -> str:
    """Text as a name of the map format: lower case, words joined by hyphens, without accents, at most 32 characters."""
    plain = "".join(c for c in normalize("NFKD", text.lower()) if not combining(c))
    words = re.sub(r"[^\w']+|_+", "-", plain.strip())
    name = re.sub(r"^[\W_]+", "", words)[:32]
    return re.sub(r"[-']+$", "", name)


# --- ground -------------------------------------------------------------------------------------------------------

_ROADS = {  # usual width in metres
    "motorway": 15.0,
    "trunk": 15.0,
    "primary": 14.0,
    "secondary": 12.0,
    "tertiary": 10.0,
    "unclassified": 8.0,
    "residential": 8.0,
    "living_street": 7.0,
    "pedestrian": 7.0,
    "road": 8.0,
    "busway": 7.0,
    "service": 5.0,
    "track": 4.0,
}
_BARRIERS = {
    "wall": "wall",
    "city_wall": "wall",
    "retaining_wall": "wall",
    "hedge": "hedge",
    "fence": "fence",
    "guard_rail": "fence",
    "railing": "fence",
    "handrail": "fence",
}
_PARKS = {
    "landuse": ("grass", "village_green", "recreation_ground", "meadow", "cemetery", "flowerbed"),
    "leisure": ("park", "garden", "playground", "pitch", "common"),
    "natural": ("grassland", "heath"),
}
_WOODS = {"natural": ("wood",), "landuse": ("forest", "orchard")}
_ROUGH = {
    "natural": ("scrub", "scree", "bare_rock", "shingle", "wetland", "rock"),
    "landuse": ("construction", "brownfield", "quarry", "landfill", "railway"),
}
_WATER = {"natural": ("water",), "landuse": ("basin", "pond", "reservoir"), "waterway": ("riverbank", "dock")}
_STREAMS = {"river": 15.0, "canal": 10.0, "stream": 3.0, "ditch": 2.0, "drain": 2.0}
"""The width in metres of waterways without a tag for it."""


class GroundTags(NamedTuple):
    """A piece of ground: `kind` of the map format (and `tree`, `park`, `square`, `gate`, `street`: see `ground_of`),
    its width in metres if it is a line, and why it is left out if it is.
    """

    kind: str
    width: float = 0.0
    why_not: str = ""
    deep: bool = False
    tunnel: bool = False


def ground_of(tags: Tags, form: str) -> GroundTags | None:
    """What a shape other than a house is: None if a map does not show it and no reader would expect it.

    `park` is open ground, `square` paved, `tree` a row or a single one, `gate` a gap in a barrier, `passage` a way
    through a house.
    """
    if form == "point":
        if tags.get("natural") == "tree":
            return GroundTags("tree")
        if tags.get("barrier") in ("gate", "lift_gate", "entrance", "swing_gate"):
            return GroundTags("gate")
        return GroundTags("entrance") if tags.get("entrance", "no") not in ("no", "emergency") else None
    below = tags.get("location") == "underground" or tags.get("layer", "").startswith("-")
    if form == "line":
        return _line(tags, below)
    return _area(tags, below)


def _line(tags: Tags, below: bool) -> GroundTags | None:
    if tags.get("natural") == "tree_row":
        return GroundTags("tree")
    if "barrier" in tags:
        kind = _BARRIERS.get(tags["barrier"], "")
        if not kind:
            return GroundTags("barrier", why_not=f"{_word(tags['barrier'])}: stops nobody")
        return GroundTags(kind, why_not="it lies underground" if below else "")
    if tags.get("waterway") in _STREAMS:
        covered = below or tags.get("tunnel", "no") != "no"
        width = read_number(tags.get("width", "")) or _STREAMS[tags["waterway"]]
        return GroundTags("water", width, "it runs underground" if covered else "", deep=width >= 8)
    way = tags.get("highway", "")
    if tags.get("tunnel") == "building_passage":
        return GroundTags("passage")
    base = way.removesuffix("_link")
    if base in _ROADS:
        if below or tags.get("tunnel", "no") != "no" or tags.get("indoor") == "yes":
            return GroundTags("road", why_not="it runs underground or indoors")
        lanes = read_number(tags.get("lanes", ""))
        width = read_number(tags.get("width", "")) or (
            max(_ROADS[base], lanes * 3.2) if lanes else _ROADS[base]
        )
        return GroundTags("road", min(width, 60.0))
    if way:
        return GroundTags("path", why_not=f"{_word(way)}: not a road")
    return None


def _area(tags: Tags, below: bool) -> GroundTags | None:
    hidden = "it lies underground" if below else ""
    if _among(tags, _WATER) or "water" in tags:
        shallow = tags.get("landuse") in ("basin", "pond") or tags.get("water") in ("fountain", "basin")
        return GroundTags("water", why_not=hidden, deep=not shallow and tags.get("intermittent") != "yes")
    if _among(tags, _WOODS):
        return GroundTags("woods", why_not=hidden)
    if _among(tags, _ROUGH):
        return GroundTags("rough", why_not=hidden)
    if _among(tags, _PARKS):
        return GroundTags("park", why_not=hidden)
    if tags.get("barrier") == "hedge" and tags.get("area") == "yes":
        return GroundTags("rough", why_not=hidden)
    paved = tags.get("highway") in ("pedestrian", "service", "footway") and tags.get("area") == "yes"
    if paved or tags.get("place") == "square":
        return GroundTags("square", why_not=hidden)
    return None


def _among(tags: Tags, table: Mapping[str, tuple[str, ...]]) -> bool:
    return any(tags.get(key) in values for key, values in table.items())


def _word(value: str) -> str:
    return value.replace("_", " ")[:30]
