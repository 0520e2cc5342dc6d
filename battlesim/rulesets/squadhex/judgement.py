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
    taken: Annotated[
        float, _meta("weight of the losses that the act itself is expected to cost", 0, 10, 2.212)
    ] = 1.5
    exposure: Annotated[float, _meta("weight of the enemy's fire to come", 0, 10, 1.318)] = 0.5
    progress: Annotated[float, _meta("weight of nearness to objectives", 0, 10, 0.836)] = 1.7
    hold: Annotated[float, _meta("weight of standing on objectives", 0, 10, 1.818)] = 2.0
    ready: Annotated[float, _meta("weight of being able to act or react later", 0, 10, 0.7611)] = 1.0
    waste: Annotated[float, _meta("weight of what is spent for nothing", 0, 10, 2.751)] = 1.0
    # Objectives.
    point: Annotated[float, _meta("worth of one point of an objective", 0, 300, 22.35)] = 30.0
    early: Annotated[float, _meta("factor on an objective's worth in the first round", 0, 5, 0.5219)] = 0.7
    late: Annotated[float, _meta("what is added to that factor by the last round", 0, 10, 1.281)] = 0.6
    rounds: Annotated[
        float, _meta("factor on points that are scored every round, for each round left", 0, 2, 0.9417)
    ] = 0.4
    denied: Annotated[float, _meta("factor on points that only the enemy can score", 0, 2, 0.84)] = 0.6
    held: Annotated[
        float,
        _meta("factor on the worth of an objective of ours that no enemy can reach any more", 0, 1, 0.5236),
    ] = 0.3
    guarded: Annotated[
        float,
        _meta(
            "factor on the worth of an objective of ours that an enemy could reach, but not soon",
            0,
            1,
            0.6416,
        ),
    ] = 0.3
    soon: Annotated[
        float,
        _meta(
            "rounds within which an enemy must be able to reach an objective of ours for it to keep its whole worth",
            0,
            20,
        ),
    ] = 2.0
    exit: Annotated[float, _meta("factor on points for nearness to the edge to leave by", 0, 5, 1.52)] = 1.0
    leaving: Annotated[float, _meta("factor on points for leaving the board", 0, 10, 2.26)] = 2.0
    hunt: Annotated[float, _meta("factor on points for nearness to an enemy that is named", 0, 5, 0.7086)] = (
        0.5
    )
    raze: Annotated[
        float, _meta("factor on points for nearness to a building that is named", 0, 5, 0.464)
    ] = 0.4
    razed: Annotated[
        float, _meta("factor on points for the fall of a building that is named", 0, 10, 0.06935)
    ] = 1.5
    alone: Annotated[float, _meta("factor on an objective's worth for standing on it alone", 0, 5, 1.646)] = (
        0.6
    )
    shared: Annotated[
        float, _meta("factor on an objective's worth for standing on it with friends", 0, 5, 0.0543)
    ] = 0.05
    crowded: Annotated[
        float, _meta("factor on an objective's pull where a friend is already on it", 0, 1, 0.2532)
    ] = 0.3
    crews: Annotated[
        float,
        _meta("factor on the pull of objectives on a crewed weapon", 0, 3, 1),
    ] = 0.05
    vehicles: Annotated[float, _meta("factor on the pull of objectives on a vehicle", 0, 3, 1)] = 0.5
    leaders: Annotated[float, _meta("factor on the pull of objectives on an officer's squad", 0, 3, 1)] = 0.5
    contested: Annotated[
        float, _meta("factor on an objective's worth for destroying the enemies on it", 0, 5, 0.3893)
    ] = 0.3
    # Fire.
    aim_share: Annotated[
        float, _meta("share of an enemy's fire that one unit has to expect", 0, 3, 0.1853)
    ] = 0.5
    acted: Annotated[float, _meta("factor on that for an enemy that has acted this round", 0, 3, 0.9619)] = (
        0.6
    )
    shaken: Annotated[float, _meta("factor on that for a disrupted enemy", 0, 3, 0.2892)] = 0.2
    most_taken: Annotated[
        float, _meta("largest share of its figures that a unit fears to lose to fire", 0, 1)
    ] = 0.8
    # Suppression.
    tempo: Annotated[
        float, _meta("worth of an action next round, as a share of one in this round", 0, 1, 0.4488)
    ] = 0.7
    idle: Annotated[float, _meta("share of a unit's worth that all its actions make up", 0, 1, 0.954)] = 0.95
    pin: Annotated[float, _meta("share of an action's worth that being pinned costs", 0, 1, 0.3335)] = 0.5
    routed: Annotated[
        float, _meta("share of a unit's worth that falling back in a rout costs", 0, 1, 0.04916)
    ] = 0.2
    watch: Annotated[
        float, _meta("worth of opportunity fire in hand, as a share of an action", 0, 3, 1.929)
    ] = 1.4
    spent: Annotated[float, _meta("share of its worth that a unit without actions keeps", 0, 1, 0.8785)] = 1.0
    # Waiting and helping.
    waited: Annotated[
        float, _meta("worth of waiting, as a share of what an enemy would lose if it moved", 0, 3, 0.06189)
    ] = 0.6
    prospect: Annotated[
        float,
        _meta("worth of a place for the shot it allows next round, as a share of that shot", 0, 3, 0.2175),
    ] = 0.0
    later: Annotated[
        float,
        _meta(
            "share of what waiting is worth that a shot at the first enemy to move must beat", 0, 3, 0.8186
        ),
    ] = 0.5
    lent: Annotated[
        float, _meta("share of its own best action that counts as given up by a supporter", 0, 3, 0.7501)
    ] = 0.5
    # Buildings and close combat.
    weakened: Annotated[
        float, _meta("worth of weakening a building, as a share of what its fall is worth", 0, 2, 0.557)
    ] = 0.5
    walls: Annotated[
        float, _meta("share of a unit's worth that the loss of its walls costs", 0, 1, 0.2751)
    ] = 0.1
    fall_risk: Annotated[
        float, _meta("factor on the enemy's chance to fell a building with the unit in it", 0, 3, 0.3315)
    ] = 1.0
    driven: Annotated[
        float, _meta("share of a unit's worth that being driven out by assault costs", 0, 1, 0.06764)
    ] = 0.25
    # Whose turn it is.
    urgency: Annotated[
        float, _meta("share of its exposure that counts for a unit to act first", 0, 3, 0.01834)
    ] = 0.3
    eager: Annotated[
        float, _meta("share of its nearness to objectives that counts for a unit to act first", 0, 3)
    ] = 0.02


USUAL = Judgement()
