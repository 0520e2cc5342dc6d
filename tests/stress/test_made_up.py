"""The rates that the docs promise, on fewer runs than the docs' own, and the time of a large analysis."""

from __future__ import annotations

import time

import pytest

from battlesim.stress.analysis import analyse_values
from battlesim.stress.page import render
from battlesim.stress.responses import RESPONSES
from tests.pace import slowness
from tests.stress.made_up import large, rates


@pytest.mark.slow
def test_false_and_true_effects_are_shown_as_often_as_promised() -> None:
    for design, planted, false, shown, held in rates(60):
        assert false <= 0.15, f"{design}, {planted}: of 5% at most"
        assert held >= 0.75, f"{design}, {planted}: 95% are aimed at, 87% reached with 4 games a point"
        if planted == "20%" and design.startswith("factorial"):
            assert shown >= 0.4, "of 63%"


@pytest.mark.slow
def test_a_large_run_is_analysed_in_a_fraction_of_the_time_promised() -> None:
    design, won = large()
    begun = time.process_time()
    found = analyse_values(design, {"share": won, "margin": won}, RESPONSES, won.size)
    assert len(render(design, found, "large")) > 10_000
    assert time.process_time() - begun < 15 * slowness(), "30 s are promised for all responses"
    best = found.boxes[0]
    assert "wood" in best.words
    assert "flamethrower" in best.words
