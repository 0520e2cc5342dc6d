"""Common parts of all pages about runs: style, script, security policy, and the environment of their templates. Read `templates`.

A page contains its style and its script, makes no requests, and has a content security policy that names both by their hashes and
forbids all else. Names from files are text everywhere: the templates escape everything.
"""

from __future__ import annotations

import hashlib
from base64 import b64encode
from functools import lru_cache
from pathlib import Path
from typing import Any

from jinja2 import ChainableUndefined, Environment, FileSystemLoader

from battlesim.viewer import report_words as words
from battlesim.viewer.report_words import number

_HERE = Path(__file__).resolve().parent


def templates(*folders: Path) -> Environment:
    """An environment that finds templates in some folders, then in the viewer's own (`report_parts.html.j2`)."""
    made = Environment(
        loader=FileSystemLoader([*folders, _HERE]),
        autoescape=True,
        undefined=ChainableUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        finalize=_known,
    )
    made.filters.update(
        fixed=words.fixed,
        signed=words.signed,
        share=words.percent,
        chance=words.chance,
        duration=words.duration,
        moment=words.moment,
        plural=words.plural,
        key=_key,
        short=_short,
    )
    made.globals.update(span=words.span)
    return made


def frame() -> dict[str, Any]:
    """`style`, `script` and `policy`, as every page's template needs them."""
    return {"style": _text("report.css"), "script": _text("report.js"), "policy": _policy()}


def _known(value: Any) -> Any:
    """A value as the template shows it: a dash for null and for NaN."""
    unknown = value is None or (isinstance(value, float) and number(value) is None)
    return words.MISSING if unknown else value


@lru_cache
def _text(name: str) -> str:
    return (_HERE / name).read_text(encoding="utf-8").strip()


@lru_cache
def _policy() -> str:
    """The content security policy: only this page's own style and script, by their hashes."""
    style, script = (
        b64encode(hashlib.sha256(_text(name).encode()).digest()).decode()
        for name in ("report.css", "report.js")
    )
    return (
        f"default-src 'none'; style-src 'sha256-{style}'; script-src 'sha256-{script}'; "
        "base-uri 'none'; form-action 'none'"
    )


def _key(value: object) -> str:
    """The value that a cell is sorted by; empty if it is not a number."""
    found = number(value)
    return "" if found is None else f"{found:.6g}"


def _short(text: object, most: int = 16) -> str:
    """A long name shortened in the middle, since variants of one agent differ at the end."""
    said = str(text)
    return said if len(said) <= most else f"{said[: most // 2]}…{said[most // 2 + 1 - most :]}"
