"""Which facts of the regiments count as incidents, and of what kind."""

from __future__ import annotations

from battlesim.rules.incidents import Incident, Incidents
from battlesim.rulesets.regiment import facts, facts_fire
from battlesim.rulesets.regiment.model import unit_state

INCIDENTS = Incidents(
    of={
        facts_fire.Shot: lambda fact: Incident("shot", fact.unit, fact.target),
        facts_fire.Fires: lambda fact: Incident("shot", fact.unit, fact.other),
        facts_fire.Bolt: lambda fact: Incident("shot", fact.unit, fact.other),
        facts_fire.Breathes: lambda fact: Incident("shot", fact.unit, fact.other),
        facts.Charged: lambda fact: Incident("assault", fact.unit, fact.target),
        facts.BreaksIn: lambda fact: Incident("act", fact.unit),
        facts.Struck: lambda fact: Incident("act", fact.unit),
        facts.Reacted: lambda fact: (
            Incident("reaction", fact.unit, fact.other) if fact.how == "stand" else None
        ),
    },
    hindered=lambda unit, turn: unit_state(unit).fleeing or bool(unit_state(unit).foes),
)
