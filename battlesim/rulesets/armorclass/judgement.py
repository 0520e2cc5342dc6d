"""How players judge under armour classes: every parameter of their judgement, with its meaning, its range and its default.

Values of acts are in points of unit worth. Read `Judgement`."""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta, Struct


def _meta(description: str, low: float, high: float) -> Meta:
    return Meta(description=description, ge=low, le=high)


class Judgement(Struct, frozen=True):
    """Parameters of judgement under armour classes."""

    # The weights of the features of an answer (`Features`); `nerve` is not used here.
    dealt: Annotated[float, _meta("weight of the enemy's expected losses", 0, 10)] = 1.4
    taken: Annotated[float, _meta("weight of one's own expected losses in the act", 0, 10)] = 1.0
    exposure: Annotated[float, _meta("weight of the enemy's fire to come", 0, 10)] = 0.5
    progress: Annotated[float, _meta("weight of nearness to objectives", 0, 10)] = 2.0
    hold: Annotated[float, _meta("weight of objectives stood on", 0, 10)] = 2.0
    ready: Annotated[float, _meta("weight of being able to act later", 0, 10)] = 1.0
    risk: Annotated[float, _meta("weight of what the act itself may lose", 0, 10)] = 1.0
    waste: Annotated[float, _meta("weight of what is spent for nothing", 0, 10)] = 1.0
    # Objectives.
    point: Annotated[
        float, _meta("worth of one point of an objective, halfway through the battle", 0, 300)
    ] = 5.0
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
    mounted: Annotated[
        float, _meta("share of its draw that an objective in a building has for machines", 0, 1)
    ] = 0.4
    named: Annotated[float, _meta("worth of one point for a unit or building that is named", 0, 300)] = 10.0
    # Fire.
    aim_share: Annotated[
        float, _meta("share of an enemy's fire that comes at one and the same unit", 0, 3)
    ] = 0.35
    acted: Annotated[float, _meta("share of that from an enemy that has acted this turn", 0, 3)] = 0.5
    shaken: Annotated[float, _meta("share of a unit that being suppressed costs it", 0, 1)] = 0.15
    lurking: Annotated[
        float, _meta("share of a unit that enemies nobody has found may take where it is easily found", 0, 1)
    ] = 0.1
    searched: Annotated[
        float, _meta("chance that a unit nobody can find is fired at all the same, on suspicion", 0, 1)
    ] = 0.06
    fruitless: Annotated[float, _meta("points that it costs to fire where nobody may be", 0, 50)] = 1.5
    # Where enemies that nobody has found may hide, in the first turn; less likely with each turn.
    hides: Annotated[float, _meta("chance that an enemy hides on a floor", 0, 1)] = 0.02
    hides_on_objective: Annotated[float, _meta("chance that one hides on an objective", 0, 1)] = 0.12
    hides_in_works: Annotated[float, _meta("chance that one hides in a fortification", 0, 1)] = 0.3
    # Buildings.
    opened: Annotated[
        float, _meta("share of what a building holds for us that a way through its wall is worth", 0, 3)
    ] = 0.3
    worn: Annotated[
        float, _meta("share of what a building's fall is worth, for the share of its points taken", 0, 3)
    ] = 0.5
    driven_out: Annotated[
        float, _meta("share of a unit that fire in its house costs it besides its burns", 0, 1)
    ] = 0.25
    spoilt: Annotated[
        float, _meta("share of an objective that is lost where nobody can hold it any more", 0, 5)
    ] = 0.4
    # Whose turn it is.
    urgency: Annotated[float, _meta("share of its exposure for which a unit acts first", 0, 3)] = 2.0
    eager: Annotated[
        float, _meta("share of its nearness to objectives for which a unit acts first", 0, 3)
    ] = 0.01
    # Assaults.
    lost_team: Annotated[float, _meta("how much more it costs to lose a whole team in an assault", 0, 3)] = (
        0.3
    )


USUAL = Judgement()
