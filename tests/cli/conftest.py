"""What tests of the command line share."""

from __future__ import annotations

from typing import Any

import pytest

from battlesim.cli.main import main


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str]) -> Any:
    """Runs a command, which must end with `code`; returns what it printed."""

    def call(*words: str, code: int = 0) -> str:
        assert main(words) == code
        return capsys.readouterr().out

    return call
