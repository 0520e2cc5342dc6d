"""How players of regiments weigh options: every parameter of their judgement, with its meaning, its range and its default.

Defaults were tuned by play; they were judged on other scenarios and seeds. Values of acts are in points: a lost unit scores its
worth, an objective its points. Read `Judgement`."""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta, Struct


def _meta(description: str, low: float, high: float) -> Meta:
    return Meta(description=description, ge=low, le=high)


class Judgement(Struct, frozen=True):
    """Parameters of judgement under the regiment rules."""

    # Weights of the features of an answer (`Features`).
    dealt: Annotated[float, _meta("weight of the enemy's expected losses", 0, 20)] = 2.8
    taken: Annotated[float, _meta("weight of the losses that the act itself is expected to cost", 0, 20)] = (
        2.3
    )
    exposure: Annotated[float, _meta("weight of what the enemy could do in its turn", 0, 10)] = 0.45
    progress: Annotated[
        float, _meta("weight of nearness to objectives and to enemies worth a charge", 0, 10)
    ] = 3.6
    hold: Annotated[float, _meta("weight of standing on objectives", 0, 10)] = 3.2
    nerve: Annotated[float, _meta("weight of steadiness: sound walls, a character's place", 0, 10)] = 0.5
    ready: Annotated[float, _meta("weight of being able to act later", 0, 10)] = 1.0
    risk: Annotated[float, _meta("weight of what else is at stake in an act that may fail", 0, 10)] = 1.0
    waste: Annotated[float, _meta("weight of what is spent for nothing", 0, 10)] = 1.0
    # Losses.
    whole: Annotated[float, _meta("share of a unit's worth that is lost only with the whole unit", 0, 1)] = (
        0.5
    )
    flight: Annotated[float, _meta("share of what is left of a unit that its flight costs", 0, 1)] = 0.45
    last_flight: Annotated[float, _meta("the same where no turn is left to rally in", 0, 1)] = 1.0
    behind: Annotated[
        float,
        _meta(
            "share of a side's own losses that counts in its last turn, while it would lose as things stand",
            0,
            1,
        ),
    ] = 0.5
    shaken: Annotated[float, _meta("share of a garrison's worth that unstable walls cost", 0, 1)] = 0.1
    walls: Annotated[float, _meta("share of a unit's worth that sound walls around it add", 0, 1)] = 0.05
    # Objectives.
    early: Annotated[
        float, _meta("factor on an objective's points for standing on it in the first turn", 0, 5)
    ] = 0.3
    late: Annotated[float, _meta("what is added to that factor by the last turn", 0, 5)] = 0.6
    denied: Annotated[float, _meta("factor on points that only the enemy can score", 0, 2)] = 0.8
    shared: Annotated[float, _meta("factor on an objective's points for a second unit on it", 0, 1)] = 0.1
    contested: Annotated[
        float, _meta("factor on an objective's points for driving the enemy off it", 0, 5)
    ] = 1.0
    draw: Annotated[
        float, _meta("factor on an objective's points for its pull on units that could hold it", 0, 5)
    ] = 0.35
    taken_by: Annotated[float, _meta("factor on that pull where a friend is on the objective", 0, 1)] = 0.35
    nearer: Annotated[float, _meta("factor on that pull where a friend is nearer", 0, 1)] = 0.6
    driven: Annotated[
        float, _meta("share of what is held that counts as lost where a charge would break the holder", 0, 1)
    ] = 0.5
    # Close combat.
    goes_on: Annotated[
        float, _meta("how much the later rounds of a fight count where nobody breaks", 0, 3)
    ] = 0.6
    hunt: Annotated[
        float, _meta("share of what a fight promises that pulls a unit towards the enemy", 0, 3)
    ] = 0.3
    wary: Annotated[
        float, _meta("how much one's own losses count against a fight that is looked for", 0, 5)
    ] = 0.6
    prospect: Annotated[
        float, _meta("worth of a place for the charge it allows next turn, as a share of that charge", 0, 3)
    ] = 0.8
    sally: Annotated[
        float,
        _meta("share of that charge which counts where a unit leaves an objective to nobody for it", 0, 1),
    ] = 0.3
    evicts: Annotated[
        float,
        _meta(
            "share of what driving an enemy off its objectives is worth that a charge next turn adds", 0, 3
        ),
    ] = 0.3
    facing: Annotated[float, _meta("how much facing enemies that can be fought counts", 0, 3)] = 0.4
    flank: Annotated[
        float, _meta("share of the charge to be feared that counts where a unit chooses its facing", 0, 3)
    ] = 1.0
    faced: Annotated[float, _meta("points for facing any enemy that is near", 0, 50)] = 2.0
    prize: Annotated[
        float, _meta("share of what driving an enemy off its objectives is worth that adds to its pull", 0, 3)
    ] = 0.4
    even: Annotated[
        float, _meta("losses that a fight must deal to be looked for, as a share of one's own", 0, 3)
    ] = 0.7
    feared: Annotated[
        float, _meta("share of the enemy's other fire and charges that counts against a charge", 0, 3)
    ] = 0.5
    fled: Annotated[float, _meta("points that fleeing from a charge costs besides", 0, 100)] = 5.0
    # What the enemy could do.
    aim_share: Annotated[float, _meta("share of an enemy's fire that one unit has to expect", 0, 1)] = 0.3
    charge_share: Annotated[float, _meta("share of the worst charge to be feared that counts", 0, 1)] = 0.3
    others: Annotated[float, _meta("share of the other charges that counts besides", 0, 1)] = 0.3
    repaid: Annotated[
        float, _meta("how much the charger's own losses count against a charge that is feared", 0, 3)
    ] = 0.7
    # Other acts.
    foremost: Annotated[
        float, _meta("points that each inch nearer to the enemy counts for moving first", 0, 10)
    ] = 0.1
    pursuit: Annotated[float, _meta("share of what is held that counts as given up by a pursuit", 0, 5)] = 0.6
    leave: Annotated[float, _meta("share of what is held that counts as given up by a charge", 0, 2)] = 0.3
    joined: Annotated[float, _meta("points for which a character stays with its unit", 0, 200)] = 24.0
    joins: Annotated[float, _meta("points for which a character joins a unit", 0, 200)] = 12.0
    amid: Annotated[
        float,
        _meta(
            "share of its exposure that counts where a character joins a unit or a pursuer enters a house",
            0,
            3,
        ),
    ] = 0.3
    reformed: Annotated[float, _meta("share of its shot that counts when a unit forms up anew", 0, 1)] = 0.6
    deploy: Annotated[float, _meta("points for forming up wide where nothing can be shot at yet", 0, 100)] = (
        8.0
    )


USUAL = Judgement()
