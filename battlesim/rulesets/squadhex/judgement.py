"""How players under the squad-and-hex rules weigh options: every parameter of their judgement, with its meaning, range and
default.

Defaults were tuned by play; they were judged on other scenarios and seeds. Values of acts are in points of unit worth. Read
`Judgement`."""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta, Struct


def _meta(description: str, low: float, high: float, found: float | None = None) -> Meta:
    """The meaning and range of a parameter, and the value that a search found for it (`battlesim discover
    docs/discover/squadhex.toml`). The found values win 61% against the usual ones on two scenarios that were not used in
    training."""
    return Meta(description=description, ge=low, le=high, extra=None if found is None else {"found": found})


class Judgement(Struct, frozen=True):
    """Parameters of judgement under the squad-and-hex rules."""

    # Weights of the features of an answer (`Features`); these rules do not use `nerve` and `risk`.
    dealt: Annotated[float, _meta("weight of the enemy's expected losses", 0, 10, 1.497)] = 1.4
    taken: Annotated[float, _meta("weight of one's own expected losses in the act", 0, 10, 2.212)] = 1.5
    exposure: Annotated[float, _meta("weight of the enemy's fire to come", 0, 10, 1.318)] = 0.5
    progress: Annotated[float, _meta("weight of nearness to objectives", 0, 10, 0.836)] = 1.7
    hold: Annotated[float, _meta("weight of objectives stood on", 0, 10, 1.818)] = 2.0
    ready: Annotated[float, _meta("weight of being able to act or react later", 0, 10, 0.7611)] = 1.0
    waste: Annotated[float, _meta("weight of what is spent for nothing", 0, 10, 2.751)] = 1.0
    # Objectives.
    point: Annotated[float, _meta("worth of one point of an objective", 0, 300, 22.35)] = 30.0
    early: Annotated[float, _meta("share of an objective's worth in the first round", 0, 5, 0.5219)] = 0.7
    late: Annotated[float, _meta("what the last round adds to that share", 0, 10, 1.281)] = 0.6
    rounds: Annotated[
        float, _meta("share of an objective that is scored by round, for each round left", 0, 2, 0.9417)
    ] = 0.4
    denied: Annotated[float, _meta("share of a point for an objective only the enemy scores", 0, 2, 0.84)] = (
        0.6
    )
    held: Annotated[
        float, _meta("share of its worth that an objective keeps once it is held", 0, 1, 0.5236)
    ] = 0.3
    guarded: Annotated[
        float, _meta("the same where an enemy could get there before the end, but not soon", 0, 1, 0.6416)
    ] = 0.3
    soon: Annotated[
        float,
        _meta("an objective keeps its whole worth if an enemy could get there in so many rounds", 0, 20),
    ] = 2.0
    exit: Annotated[float, _meta("share of a point for nearness to the edge to leave by", 0, 5, 1.52)] = 1.0
    leaving: Annotated[float, _meta("share of a point for leaving", 0, 10, 2.26)] = 2.0
    hunt: Annotated[float, _meta("share of a point for nearness to an enemy it names", 0, 5, 0.7086)] = 0.5
    raze: Annotated[float, _meta("share of a point for nearness to a building it names", 0, 5, 0.464)] = 0.4
    razed: Annotated[float, _meta("share of a point for the fall of a building it names", 0, 10, 0.06935)] = (
        1.5
    )
    alone: Annotated[float, _meta("share of an objective for being on it alone", 0, 5, 1.646)] = 0.6
    shared: Annotated[float, _meta("share of an objective for being on it with friends", 0, 5, 0.0543)] = 0.05
    crowded: Annotated[
        float, _meta("share of its draw that an objective keeps for a second unit", 0, 1, 0.2532)
    ] = 0.3
    crews: Annotated[
        float,
        _meta("share of the draw of objectives that a crewed weapon feels", 0, 3, 1),
    ] = 0.3
    vehicles: Annotated[float, _meta("share of the draw of objectives that a vehicle feels", 0, 3, 1)] = 0.5
    contested: Annotated[
        float, _meta("share of an objective for the loss of the enemies on it", 0, 5, 0.3893)
    ] = 0.3
    # Fire.
    aim_share: Annotated[
        float, _meta("share of an enemy's fire that comes at one and the same unit", 0, 3, 0.1853)
    ] = 0.5
    acted: Annotated[float, _meta("share of that from an enemy that has acted this round", 0, 3, 0.9619)] = (
        0.6
    )
    shaken: Annotated[float, _meta("share of that from a disrupted enemy", 0, 3, 0.2892)] = 0.2
    most_taken: Annotated[float, _meta("share of its figures that fire to come takes at most", 0, 1)] = 0.8
    # Suppression.
    tempo: Annotated[float, _meta("what an action next round counts, to one in this", 0, 1, 0.4488)] = 0.7
    idle: Annotated[float, _meta("share of a unit that all its actions are worth", 0, 1, 0.954)] = 0.95
    pin: Annotated[float, _meta("share of an action that being pinned costs", 0, 1, 0.3335)] = 0.5
    routed: Annotated[float, _meta("share of a unit that falling back in a rout costs", 0, 1, 0.04916)] = 0.2
    watch: Annotated[float, _meta("what opportunity fire in hand counts, to an action", 0, 3, 1.929)] = 1.4
    spent: Annotated[float, _meta("share of its worth that a unit without actions keeps", 0, 1, 0.8785)] = 1.0
    # Waiting and helping.
    waited: Annotated[
        float, _meta("share of an enemy's loss, were it to move, that waiting is worth", 0, 3, 0.06189)
    ] = 0.6
    prospect: Annotated[
        float, _meta("share of its best shot next round that a place is worth", 0, 3, 0.2175)
    ] = 0.0
    later: Annotated[float, _meta("share of that for which fire at a first mover is held", 0, 3, 0.8186)] = (
        0.5
    )
    lent: Annotated[float, _meta("share of its own best action that a supporter gives up", 0, 3, 0.7501)] = (
        0.5
    )
    # Buildings and close combat.
    weakened: Annotated[float, _meta("share of its fall that a weakened building is worth", 0, 2, 0.557)] = (
        0.5
    )
    walls: Annotated[float, _meta("share of a unit that losing its walls costs it", 0, 1, 0.2751)] = 0.1
    fall_risk: Annotated[
        float, _meta("share of the enemy's chance to fell a building to be feared", 0, 3, 0.3315)
    ] = 1.0
    driven: Annotated[
        float, _meta("share of a unit that being driven out by assault costs it", 0, 1, 0.06764)
    ] = 0.25
    # Whose turn it is.
    urgency: Annotated[float, _meta("share of its exposure for which a unit acts first", 0, 3, 0.01834)] = 0.3
    eager: Annotated[
        float, _meta("share of its nearness to objectives for which a unit acts first", 0, 3)
    ] = 0.02


USUAL = Judgement()
