"""What a side did, as numbers from 0 to 1 and as a cell."""

import pytest

from battlesim.batch.measures import SideMeasures
from battlesim.core.errors import InputError
from battlesim.discovery.behaviour import AXES, behaviour_of, cell_of, check_axes


def test_a_behaviour_is_shares_of_what_was_done() -> None:
    did = SideMeasures(unit_turns=10, inside=4, above=1, moved=5, shots=6, shots_at=3, assaults=2, breaches=9)
    names = ("movement", "inside", "height", "fire", "walls", "assault", "breach")
    assert behaviour_of(names, did) == (0.5, 0.4, 0.1, 0.6, 0.5, 0.5, 1.0)
    assert behaviour_of(names, SideMeasures()) == (0.0,) * 7
    assert set(names) == set(AXES)


def test_the_ends_of_an_axis_are_in_its_first_and_last_bin() -> None:
    assert cell_of((0.0, 0.999, 1.0), 6) == (0, 5, 5)


@pytest.mark.parametrize("names", [["inside"], ["inside", "inside"], ["inside", "courage"]])
def test_axes_that_are_none_are_refused(names: list[str]) -> None:
    with pytest.raises(InputError):
        check_axes(names)
