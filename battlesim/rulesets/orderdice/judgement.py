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
    taken: Annotated[float, _meta("weight of one's own expected losses in the act", 0, 10)] = 1.0
    exposure: Annotated[float, _meta("weight of the enemy's fire to come", 0, 10)] = 0.5
    progress: Annotated[float, _meta("weight of nearness to objectives", 0, 10)] = 2.0
    hold: Annotated[float, _meta("weight of objectives stood on", 0, 10)] = 2.0
    nerve: Annotated[float, _meta("weight of pins shaken off", 0, 10)] = 1.0
    ready: Annotated[float, _meta("weight of being able to act or react later", 0, 10)] = 1.0
    risk: Annotated[float, _meta("weight of what the act itself may lose", 0, 10)] = 1.0
    waste: Annotated[float, _meta("weight of what is spent for nothing", 0, 10)] = 1.0
    # Objectives.
    point: Annotated[
        float, _meta("worth of one point of an objective, halfway through the battle", 0, 300)
    ] = 30.0
    early: Annotated[float, _meta("share of an objective's worth in the first turn", 0, 5)] = 0.5
    late: Annotated[float, _meta("what the last turn adds to that share", 0, 10)] = 2.0
    denied: Annotated[float, _meta("share of a point for an objective only the enemy scores", 0, 2)] = 0.8
    exit: Annotated[float, _meta("share of a point for leaving the board for it", 0, 10)] = 2.0
    hunt: Annotated[float, _meta("share of a point for nearness to an enemy it names", 0, 5)] = 1.0
    raze: Annotated[float, _meta("share of a point for nearness to a building it names", 0, 5)] = 0.5
    alone: Annotated[float, _meta("share of an objective for being on it alone", 0, 5)] = 0.5
    shared: Annotated[float, _meta("share of an objective for being on it with friends", 0, 5)] = 0.05
    crowded: Annotated[float, _meta("share of its draw that an objective keeps for a second unit", 0, 1)] = (
        0.3
    )
    contested: Annotated[float, _meta("share of an objective for the loss of the enemies on it", 0, 5)] = 0.5
    # Fire.
    pin: Annotated[float, _meta("share of a unit that one pin costs it", 0, 1)] = 0.05
    aim_share: Annotated[
        float, _meta("share of an enemy's fire that comes at one and the same unit", 0, 3)
    ] = 0.6
    acted: Annotated[float, _meta("share of that from an enemy that has acted this turn", 0, 3)] = 0.45
    wait: Annotated[float, _meta("share of its best shot that waiting in Ambush is worth", 0, 3)] = 0.2
    prospect: Annotated[float, _meta("share of its best shot next turn that a place is worth", 0, 3)] = 0.0
    strike: Annotated[
        float, _meta("share of a strike that is left when it comes, a turn or more later", 0, 3)
    ] = 0.6
    lie_down: Annotated[
        float, _meta("share of a unit that going Down under fire costs it, its action given up", 0, 10)
    ] = 0.3
    more_fire: Annotated[
        float, _meta("share of the fire to come that counts when a unit may go Down under fire", 0, 3)
    ] = 0.5
    hold_fire: Annotated[
        float, _meta("share of what waiting is worth for which fire at a passer-by is held", 0, 3)
    ] = 0.5
    facing: Annotated[float, _meta("share of its best fire at an enemy for facing it", 0, 3)] = 0.2
    # Assaults.
    named: Annotated[
        float, _meta("how much more it counts to lose in an assault what an objective names", 0, 20)
    ] = 3.5
    forfeit: Annotated[
        float, _meta("share of its nearness to objectives that a unit forfeits with a lost assault", 0, 1)
    ] = 0.5
    storm: Annotated[float, _meta("share of what an enemy near enough may gain by storming a unit", 0, 3)] = (
        0.2
    )
    last_chance: Annotated[float, _meta("points for which fire at a charger is preferred to none", 0, 50)] = (
        0.1
    )
    # Houses.
    ram: Annotated[float, _meta("points that it costs besides to drive into a house", 0, 100)] = 5.0
    hole: Annotated[
        float, _meta("share of the enemies that a new opening must look towards to be wanted", 0, 1)
    ] = 0.5
    driven_out: Annotated[float, _meta("share of a unit that being burnt out of a house costs it", 0, 1)] = (
        0.25
    )
    # Reactions.
    action: Annotated[float, _meta("share of its best shot that going down gives up", 0, 3)] = 0.9
    later: Annotated[float, _meta("share of a unit that its action is worth besides", 0, 1)] = 0.1
    # Which unit acts, and orders that are kept.
    urgency: Annotated[float, _meta("share of its exposure for which a unit acts first", 0, 3)] = 0.3
    eager: Annotated[
        float, _meta("share of its nearness to objectives for which a unit acts first", 0, 3)
    ] = 0.02
    keep: Annotated[float, _meta("share of what waiting is worth for keeping an Ambush", 0, 3)] = 0.4
    leave: Annotated[float, _meta("share of its nearness to objectives for giving one up", 0, 3)] = 0.1
    get_up: Annotated[float, _meta("points for which a unit that is Down gets up", 0, 50)] = 1.0


USUAL = Judgement()
