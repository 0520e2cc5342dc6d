"""Numbers that no command can use are refused in one message, with exit code 2."""

from __future__ import annotations

from pathlib import Path

import pytest

from battlesim import play
from tests.cli.test_refusals import refused

NINES = "9" * 5000
"""More digits than Python turns into a number."""


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["stress", "stairwell", "--dry-run", "--vary", f"turns=4,{NINES}"], "does not fit"),
        (["stress", "stairwell", "--dry-run", "--vary", f"turns=4..{NINES}"], "needs two levels or a range"),
        (["stress", "stairwell", "--dry-run", "--vary", f"objectives[{NINES}].points=1,2"], "is no path"),
        (["discover", "stairwell", "--out", "none", "--part", f"1/{NINES}"], "is not a part"),
    ],
)
def test_a_number_of_thousands_of_digits_is_refused(
    words: list[str], told: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert told in refused(words, capsys)


def test_an_event_of_thousands_of_digits_is_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    record = tmp_path / "b.jsonl"
    play("stairwell", ("random", "random")).save(record)
    assert "there is no event" in refused(["why", str(record), NINES], capsys)
