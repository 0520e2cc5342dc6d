"""Writing the text of an imported map: compact, and always the same for the same map. Read `map_text` first."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

_PLAIN = re.compile(r"^[a-z][a-z\-]*[a-z]$")
_WORDS = ("true", "false", "null", "yes", "no", "on", "off")
_UNPRINTABLE = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028\u2029\ufeff\ud800-\udfff\ufffe\uffff]+")


SCHEMA = Path("schema", "map.schema.json")
"""Where the schema lies, seen from the folder of a map, as in the folder of shipped maps."""


def map_text(
    values: Mapping[str, Any], comments: Mapping[str, str], head: Sequence[str] = (), schema: bool = False
) -> str:
    """The YAML text of a map: `values` as a map file has them, but lengths as whole hundredths under the keys that are
    lengths. `comments`: by name of a building, the comment above it; `head`: lines of comment at the top. `schema`: whether the
    first line names the schema for editors (`SCHEMA`).
    """
    lines = [f"# yaml-language-server: $schema={SCHEMA.as_posix()}"] if schema else []
    lines += [f"# {_line_of(text)}" for text in head]
    for key, value in values.items():
        if value == []:
            continue
        if key == "terrain":
            lines += ["", "terrain:"]
            lines += [f"  - {_flow(feature)}" for feature in value]
        elif key == "connections":
            lines += ["", "connections:"]
            lines += [f"  - {_flow(connection)}" for connection in value]
        elif key == "buildings":
            lines += ["", "buildings:"]
            for building in value:
                lines += _building(building, comments.get(building["name"], ""))
        else:
            lines.append(f"{key}: {_flow(value, key)}")
    return "\n".join(lines) + "\n"


def _building(building: Mapping[str, Any], comment: str) -> list[str]:
    lines = [f"  # {_line_of(comment)}"] if comment else []
    lead = "  - "
    for key, value in building.items():
        if key == "sections":
            lines.append(f"{lead}sections:")
            lines += [f"      - {_flow(section)}" for section in value]
        else:
            lines.append(f"{lead}{key}: {_flow(value, key)}")
        lead = "    "
    return lines


_LENGTHS = ("size", "polygon", "rect", "line", "width", "height", "storey", "pitch", "at", "every", "near")


def _flow(value: Any, key: str = "") -> str:
    """A value on one line."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int):
        return _length(value) if key in _LENGTHS else str(value)
    if isinstance(value, str):
        return _text(value)
    if isinstance(value, Mapping):
        return "{" + ", ".join(f"{k}: {_flow(v, k)}" for k, v in value.items()) + "}"
    return "[" + ", ".join(_flow(item, key) for item in value) + "]"


def _length(hundredths: int) -> str:
    """Hundredths as a decimal with as few digits as it needs."""
    sign = "-" if hundredths < 0 else ""
    units, rest = divmod(abs(hundredths), 100)
    return f"{sign}{units}" + (f".{rest:02d}".rstrip("0") if rest else "")


def _text(text: str) -> str:
    if _PLAIN.match(text) and text not in _WORDS:
        return text
    clean = _line_of(text).replace("\\", "\\\\").replace('"', '\\"')
    return f'"{clean}"'


def _line_of(text: str) -> str:
    """Text on one line, without characters that YAML does not print."""
    return _UNPRINTABLE.sub(" ", text).strip()
