"""Pages in one file: their parts beside this module, and the policy that lets them run only their own script. Read `filled`."""

from __future__ import annotations

import hashlib
import json
import re
from base64 import b64encode
from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path
from typing import Any

_HERE = Path(__file__).resolve().parent


@lru_cache
def part(name: str) -> str:
    """The text of a file beside this module."""
    return (_HERE / name).read_text(encoding="utf-8").strip()


def filled(name: str, parts: Mapping[str, str]) -> str:
    """A page from its file, each `{{slot}}` filled with its part. Parts are HTML or escaped text."""
    return re.sub(r"\{\{([\w-]+)\}\}", lambda slot: parts[slot[1]], part(name))


def policy(style: str, script: str, *more: str) -> str:
    """A content security policy: the page uses only its own style and script, named by their hashes. `more`: what else it may
    do."""
    kinds = {"style-src": style, "script-src": script}
    allowed = [f"{kind} 'sha256-{_hash(text)}'" for kind, text in kinds.items()]
    return "; ".join(["default-src 'none'", *allowed, *more, "base-uri 'none'", "form-action 'none'"])


def _hash(text: str) -> str:
    return b64encode(hashlib.sha256(text.encode()).digest()).decode()


def script_json(value: Any) -> str:
    """JSON that cannot end the element that it stands in."""
    text = json.dumps(value, ensure_ascii=True, separators=(",", ":"))
    return text.replace("<", "\\u003c").replace(">", "\\u003e").replace("&", "\\u0026")
