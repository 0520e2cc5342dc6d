"""The examples in docstrings: each `>>>` line of the package is run, and gives what it shows."""

from __future__ import annotations

import doctest
from importlib import import_module
from pathlib import Path

import pytest

PACKAGE = Path(__file__).parents[2] / "battlesim"
NOT_RUN = {
    "battlesim.cli.loopback.Loopback": "its address differs each time",
    "battlesim.viewer.causes.Causes.explain": "needs a record",
    "battlesim.viewer.questions.Phrases": "needs the phrases of a record",
}
"""Examples that cannot be run, with the reason."""


def examples() -> dict[str, doctest.DocTest]:
    """All examples of the package, by the name of what they explain."""
    finder = doctest.DocTestFinder(exclude_empty=True)
    found: dict[str, doctest.DocTest] = {}
    for file in sorted(PACKAGE.rglob("*.py")):
        if ">>> " in file.read_text(encoding="utf-8"):
            path = file.relative_to(PACKAGE.parent).with_suffix("")
            module = import_module(".".join(path.parts).removesuffix(".__init__"))
            found |= {test.name: test for test in finder.find(module) if test.examples}
    return found


EXAMPLES = examples()


@pytest.mark.parametrize("name", EXAMPLES)
def test_the_example_gives_what_it_shows(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    if name in NOT_RUN:
        pytest.skip(NOT_RUN[name])
    results = doctest.DocTestRunner(optionflags=doctest.ELLIPSIS).run(EXAMPLES[name])
    assert results.failed == 0, capsys.readouterr().out


def test_every_example_that_is_not_run_is_there() -> None:
    assert NOT_RUN.keys() <= EXAMPLES.keys()
