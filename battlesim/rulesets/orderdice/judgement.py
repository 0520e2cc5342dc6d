"""How order-dice players judge: every parameter of their judgement, with its meaning, its range and its default.

Defaults were tuned by play on scenarios and seeds other than those of the evaluation (`docs/figures.md`). Values of acts are in
points of unit worth. Read `Judgement`."""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta, Struct


def _meta(description: str, low: float, high: float) -> Meta:
    return Meta(description=description, ge=low, le=high)


class Judgement(Struct, frozen=True):
    """Parameters of judgement under the order-dice rules."""

    # The weights of the features of an answer (`Features`).
    dealt: Annotated[float, _meta("weight of the enemy's expected losses", 0, 10)] = 1.4
    taken: Annotated[float, _meta("weight of the losses that the act itself is expected to cost", 0, 10)] = (
        1.0
    )
    exposure: Annotated[float, _meta("weight of the enemy's fire to come", 0, 10)] = 0.5
    progress: Annotated[float, _meta("weight of nearness to objectives", 0, 10)] = 2.0
    hold: Annotated[float, _meta("weight of standing on objectives", 0, 10)] = 2.0
    nerve: Annotated[float, _meta("weight of pins shaken off", 0, 10)] = 1.0
    ready: Annotated[float, _meta("weight of being able to act or react later", 0, 10)] = 1.0
    risk: Annotated[float, _meta("weight of what else is at stake in an act that may fail", 0, 10)] = 1.0
    waste: Annotated[float, _meta("weight of what is spent for nothing", 0, 10)] = 1.0
    # Objectives.
    point: Annotated[
        float, _meta("worth of one point of an objective, halfway through the battle", 0, 300)
    ] = 30.0
    early: Annotated[float, _meta("factor on an objective's worth in the first turn", 0, 5)] = 0.5
    late: Annotated[float, _meta("what is added to that factor by the last turn", 0, 10)] = 2.0
    denied: Annotated[float, _meta("factor on points that only the enemy can score", 0, 2)] = 0.8
    exit: Annotated[float, _meta("factor on points for leaving the board", 0, 10)] = 2.0
    hunt: Annotated[float, _meta("factor on points for nearness to an enemy that is named", 0, 5)] = 1.0
    raze: Annotated[float, _meta("factor on points for nearness to a building that is named", 0, 5)] = 0.5
    alone: Annotated[float, _meta("factor on an objective's worth for standing on it alone", 0, 5)] = 0.5
    shared: Annotated[
        float, _meta("factor on an objective's worth for standing on it with friends", 0, 5)
    ] = 0.05
    crowded: Annotated[
        float, _meta("factor on an objective's pull where a friend is already on it", 0, 1)
    ] = 0.3
    contested: Annotated[
        float, _meta("factor on an objective's worth for destroying the enemies on it", 0, 5)
    ] = 0.5
    # Fire.
    pin: Annotated[float, _meta("share of a unit's worth that one pin costs", 0, 1)] = 0.05
    aim_share: Annotated[float, _meta("share of an enemy's fire that one unit has to expect", 0, 3)] = 0.6
    acted: Annotated[float, _meta("factor on that for an enemy that has acted this turn", 0, 3)] = 0.45
    wait: Annotated[
        float,
        _meta("worth of waiting in Ambush, as a share of the unit's fire at every enemy still to act", 0, 3),
    ] = 0.12
    wait_again: Annotated[float, _meta("factor on that fire for an enemy that has acted this turn", 0, 3)] = (
        0.135
    )
    wait_most: Annotated[
        float, _meta("the most that waiting in Ambush is worth, as a share of the unit's best shot", 0, 3)
    ] = 0.3
    prospect: Annotated[
        float, _meta("worth of a place for the shot it allows next turn, as a share of that shot", 0, 3)
    ] = 0.0
    strike: Annotated[
        float, _meta("share of a strike's worth that counts, as it comes a turn or more later", 0, 3)
    ] = 0.6
    lie_down: Annotated[
        float,
        _meta("share of a unit's worth that going Down under fire costs, as it gives up its action", 0, 10),
    ] = 0.3
    more_fire: Annotated[
        float, _meta("share of the enemy's fire to come that counts when a unit may go Down", 0, 3)
    ] = 0.5
    hold_fire: Annotated[
        float, _meta("share of what waiting is worth that a shot at a passing enemy must beat", 0, 3)
    ] = 0.5
    facing: Annotated[float, _meta("worth of facing an enemy, as a share of the best fire at it", 0, 3)] = 0.2
    # Assaults.
    named: Annotated[
        float, _meta("how much more the loss of a unit that is named counts in an assault", 0, 20)
    ] = 3.5
    forfeit: Annotated[
        float, _meta("share of its nearness to objectives that a unit loses with a lost assault", 0, 1)
    ] = 0.5
    storm: Annotated[
        float, _meta("share of what an enemy nearby may gain by storming a unit that counts", 0, 3)
    ] = 0.2
    last_chance: Annotated[
        float, _meta("points for which fire at a charging enemy is preferred to none", 0, 50)
    ] = 0.1
    # Houses.
    vacant: Annotated[
        float, _meta("points that firing at a house costs where nobody is known to be", 0, 50)
    ] = 0.5
    ram: Annotated[float, _meta("points that driving into a house costs besides the damage", 0, 100)] = 5.0
    hole: Annotated[
        float, _meta("share of the enemies that a new opening must look towards to be worth making", 0, 1)
    ] = 0.5
    driven_out: Annotated[
        float, _meta("share of a unit's worth that being burnt out of a house costs", 0, 1)
    ] = 0.25
    # Reactions.
    action: Annotated[float, _meta("share of its best shot that a unit gives up by going Down", 0, 3)] = 0.9
    later: Annotated[
        float, _meta("share of a unit's worth that giving up its action costs besides", 0, 1)
    ] = 0.1
    # Which unit acts, and orders that are kept.
    urgency: Annotated[float, _meta("share of its exposure that counts for a unit to act first", 0, 3)] = 0.3
    eager: Annotated[
        float, _meta("share of its nearness to objectives that counts for a unit to act first", 0, 3)
    ] = 0.02
    keep: Annotated[
        float, _meta("share of what waiting is worth that counts for keeping an Ambush", 0, 3)
    ] = 0.4
    leave: Annotated[
        float, _meta("share of its nearness to objectives that counts for giving up an Ambush", 0, 3)
    ] = 0.1
    get_up: Annotated[float, _meta("points for which a unit that is Down gets up", 0, 50)] = 1.0


USUAL = Judgement()
