"""What happens in a battle, in terms that all rulebooks share: shots, assaults, breaches etc., extracted from its events.

A rulebook gives a table, `Incidents`: for each type of fact that is an incident, how to read it. Events shared by all rulebooks
(a section falls or is set on fire) are changes of the core and need no entry. `battlesim.batch.measures` counts incidents.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal, NamedTuple

from battlesim.core.events import Event
from battlesim.core.state import Unit

Kind = Literal["shot", "assault", "breach", "fire", "wait", "reaction", "act"]
"""The kinds of incidents; `Incident` explains them."""


class Incident(NamedTuple):
    """One thing that a unit did. `unit`: the actor (-1: not known); `target`: the enemy unit it was aimed at, or -1; `place` and
    `section`: the space or section it was aimed at, or -1.

    The kinds:

    - `shot`: it fired, threw or called down something.
    - `assault`: it attacked an enemy hand to hand, or a building that an enemy holds.
    - `breach`: it opened a wall.
    - `fire`: something at a place was set on fire (sections that burn are counted without this).
    - `wait`: it was told to wait for an enemy to come into its sights.
    - `reaction`: it waited, and an enemy came: it fires.
    - `act`: any other thing that shows it was not idle.
    """

    kind: Kind
    unit: int = -1
    target: int = -1
    place: int = -1
    section: int = -1


def _never(unit: Unit, turn: int) -> bool:
    return False


@dataclass(frozen=True)
class Incidents:
    """How the events of a rulebook are read.

    `of`: for each type of fact, the incident that one is, or None.
    `hindered(unit, turn)`: whether a unit could not act freely in a turn (pinned, suppressed, in flight ...), so that doing
    nothing is not idleness.
    """

    of: Mapping[type[Event], Callable[[Any], Incident | None]] = field(default_factory=dict)
    hindered: Callable[[Unit, int], bool] = _never
