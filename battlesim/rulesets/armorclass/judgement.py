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
    taken: Annotated[float, _meta("weight of the losses that the act itself is expected to cost", 0, 10)] = (
        1.0
    )
    exposure: Annotated[float, _meta("weight of the enemy's fire to come", 0, 10)] = 0.5
    progress: Annotated[float, _meta("weight of nearness to objectives", 0, 10)] = 2.0
    hold: Annotated[float, _meta("weight of standing on objectives", 0, 10)] = 2.0
    ready: Annotated[float, _meta("weight of being able to act later", 0, 10)] = 1.0
    risk: Annotated[float, _meta("weight of what else is at stake in an act that may fail", 0, 10)] = 1.0
    waste: Annotated[float, _meta("weight of what is spent for nothing", 0, 10)] = 1.0
    # Objectives.
    point: Annotated[
        float, _meta("worth of one point of an objective, halfway through the battle", 0, 300)
    ] = 5.0
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
    mounted: Annotated[
        float, _meta("factor on the pull of an objective in a building, for machines", 0, 1)
    ] = 0.4
    named: Annotated[float, _meta("worth of one point for a unit or building that is named", 0, 300)] = 10.0
    # Fire.
    aim_share: Annotated[float, _meta("share of an enemy's fire that one unit has to expect", 0, 3)] = 0.35
    acted: Annotated[float, _meta("factor on that for an enemy that has acted this turn", 0, 3)] = 0.5
    shaken: Annotated[float, _meta("share of a unit's worth that being suppressed costs", 0, 1)] = 0.15
    lurking: Annotated[
        float, _meta("share of a unit's worth that hidden enemies may take where it is easily found", 0, 1)
    ] = 0.1
    searched: Annotated[
        float, _meta("chance that a unit nobody can find is fired at all the same, on suspicion", 0, 1)
    ] = 0.06
    fruitless: Annotated[float, _meta("points that firing where nobody may be costs", 0, 50)] = 1.5
    # Where enemies that nobody has found may hide, in the first turn; less likely with each turn.
    hides: Annotated[float, _meta("chance that an enemy hides on a floor", 0, 1)] = 0.02
    hides_on_objective: Annotated[float, _meta("chance that one hides on an objective", 0, 1)] = 0.12
    hides_in_works: Annotated[float, _meta("chance that one hides in a fortification", 0, 1)] = 0.3
    # Buildings.
    opened: Annotated[
        float, _meta("worth of a way through a wall, as a share of what the building holds for us", 0, 3)
    ] = 0.3
    worn: Annotated[
        float,
        _meta(
            "worth of wearing a building down, as a share of its fall's worth, with the whole battle to come",
            0,
            3,
        ),
    ] = 1.0
    driven_out: Annotated[
        float, _meta("share of a unit's worth that fire in its house costs besides its burns", 0, 1)
    ] = 0.25
    spoilt: Annotated[
        float, _meta("share of an objective's worth that is lost where nobody can hold it any more", 0, 5)
    ] = 0.4
    # Whose turn it is.
    urgency: Annotated[float, _meta("share of its exposure that counts for a unit to act first", 0, 3)] = 2.0
    eager: Annotated[
        float, _meta("share of its nearness to objectives that counts for a unit to act first", 0, 3)
    ] = 0.01
    # Assaults.
    lost_team: Annotated[
        float, _meta("how much more the loss of a whole team in an assault counts", 0, 3)
    ] = 0.3


USUAL = Judgement()
