"""The kinds of incident of this rulebook's facts."""

from __future__ import annotations

from battlesim.rules.incidents import Incident, Incidents
from battlesim.rulesets.armorclass import facts
from battlesim.rulesets.armorclass.model import unit_state

INCIDENTS = Incidents(
    of={
        facts.Volley: lambda fact: Incident("shot", fact.unit, fact.target, fact.place),
        facts.Assault: lambda fact: Incident("assault", fact.unit, fact.other, fact.place),
        facts.Breached: lambda fact: Incident("breach", fact.unit, -1, fact.place, fact.section),
        facts.Dent: lambda fact: Incident("act", fact.unit),
        facts.WallHolds: lambda fact: Incident("act", fact.unit),
        facts.ChargePierces: lambda fact: Incident("act", fact.unit),
        facts.ChargeHeld: lambda fact: Incident("act", fact.unit),
        facts.CatchesFire: lambda fact: Incident("fire", -1, -1, fact.place),
        facts.FireSpreads: lambda fact: Incident("fire", -1, -1, fact.place),
    },
    hindered=lambda unit, turn: unit_state(unit).suppressed >= turn or unit_state(unit).immobile,
)
