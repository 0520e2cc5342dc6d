"""The kinds of incident of this rulebook's facts."""

from __future__ import annotations

from battlesim.rules.incidents import Incident, Incidents
from battlesim.rulesets.orderdice import facts, facts_fire, facts_vehicles
from battlesim.rulesets.orderdice.model import AMBUSH, DOWN, RALLY, unit_state


def _ordered(fact: facts.Ordered) -> Incident | None:
    if fact.why == "ambush":
        return Incident("reaction", fact.unit)
    if fact.order == AMBUSH:
        return Incident("wait", fact.unit)
    return Incident("act", fact.unit) if fact.order == RALLY else None


INCIDENTS = Incidents(
    of={
        facts.Ordered: _ordered,
        facts_fire.Shot: lambda fact: Incident("shot", fact.unit, fact.target),
        facts_fire.Shelled: lambda fact: Incident("shot", fact.unit, fact.target, fact.place),
        facts_fire.CallsAir: lambda fact: Incident("shot", fact.unit, fact.other, fact.place, fact.section),
        facts_fire.CallsBarrage: lambda fact: Incident("shot", fact.unit, -1, fact.place, fact.section),
        facts.Assault: lambda fact: Incident("assault", fact.unit, fact.other, fact.place),
        facts_vehicles.TankAssault: lambda fact: Incident("assault", fact.unit, fact.other, fact.place),
        facts_vehicles.DrivesAt: lambda fact: Incident("assault", fact.unit, fact.other, fact.place),
        facts_vehicles.Rams: lambda fact: Incident("assault", fact.unit, fact.other, fact.place),
        facts_vehicles.DrivesInto: lambda fact: Incident("assault", fact.unit, -1, -1, fact.section),
        facts.Rallied: lambda fact: Incident("act", fact.unit),
    },
    hindered=lambda unit, turn: unit_state(unit).pins > 0 or unit_state(unit).order == DOWN,
)
