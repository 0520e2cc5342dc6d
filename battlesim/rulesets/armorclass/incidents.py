"""The kinds of incident of this rulebook's facts."""

from __future__ import annotations

from battlesim.rules.incidents import Incident, Incidents
from battlesim.rulesets.armorclass import facts, facts_buildings, facts_fire
from battlesim.rulesets.armorclass.model import unit_state

INCIDENTS = Incidents(
    of={
        facts_fire.Volley: lambda fact: Incident("shot", fact.unit, fact.target, fact.place),
        facts.Assault: lambda fact: Incident("assault", fact.unit, fact.other, fact.place),
        facts_buildings.Breached: lambda fact: Incident("breach", fact.unit, -1, fact.place, fact.section),
        facts_buildings.Dent: lambda fact: Incident("act", fact.unit),
        facts_buildings.CutsIn: lambda fact: Incident("act", fact.unit),
        facts_buildings.WallHolds: lambda fact: Incident("act", fact.unit),
        facts_fire.ChargePierces: lambda fact: Incident("act", fact.unit),
        facts_fire.ChargeHeld: lambda fact: Incident("act", fact.unit),
        facts_buildings.CatchesFire: lambda fact: Incident("fire", -1, -1, fact.place),
        facts_buildings.FireSpreads: lambda fact: Incident("fire", -1, -1, fact.place),
    },
    hindered=lambda unit, turn: unit_state(unit).suppressed >= turn or unit_state(unit).immobile,
)
