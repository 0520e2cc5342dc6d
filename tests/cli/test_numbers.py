"""Numbers that no command can use are refused in one message, with exit code 2."""

from __future__ import annotations

from pathlib import Path

import pytest

from battlesim import play
from battlesim.cli.main import main
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


@pytest.mark.parametrize(
    "words",
    [
        ["tournament", "--agents", "random", "--scenarios", "stairwell"],
        ["whatif", "none.jsonl", "--turning-points"],
        ["stress", "stairwell", "--vary", "turns=4,6"],
        ["upset", "stairwell"],
    ],
)
def test_more_processes_than_a_machine_can_hold_are_refused(
    words: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as ended:
        main([*words, "--workers", "99999"])
    assert ended.value.code == 2
    told = capsys.readouterr().err
    assert "--workers: '99999' is more than this machine can use, at most " in told
    assert told.count("\n") == 1
