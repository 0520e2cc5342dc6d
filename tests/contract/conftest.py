"""What every contract test has: the rulebook that comes in a package of its own, beside those that ship."""

from __future__ import annotations

import os
from collections.abc import Iterator

import pytest

from tests.fifth.install import installed


@pytest.fixture(autouse=True, scope="module")
def fifth() -> Iterator[None]:
    """`alleys:well` can be played, in processes that a test starts too."""
    with installed() as folder, pytest.MonkeyPatch.context() as patch:
        patch.setenv("PYTHONPATH", str(folder), prepend=os.pathsep)
        yield
