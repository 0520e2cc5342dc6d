"""Which facts of squads and hexes count as incidents, and of what kind."""

from __future__ import annotations

from battlesim.rules.incidents import Incident, Incidents
from battlesim.rulesets.squadhex import facts
from battlesim.rulesets.squadhex.model import OPPORTUNITY, unit_state

INCIDENTS = Incidents(
    of={
        facts.Acts: lambda fact: Incident("wait", fact.unit) if fact.action == OPPORTUNITY else None,
        facts.Attacked: lambda fact: Incident("shot", fact.unit, fact.target),
        facts.BuildingAttacked: lambda fact: Incident("shot", fact.unit, -1, -1, fact.section),
        facts.Supports: lambda fact: Incident("shot", fact.unit),
        facts.Bombards: lambda fact: Incident("act", fact.unit),
        facts.Opportunity: lambda fact: Incident("reaction", fact.unit, fact.other),
        facts.Assaults: lambda fact: Incident("assault", fact.unit, fact.other),
        facts.NotRecovered: lambda fact: Incident("act", fact.unit),
        facts.Recovered: lambda fact: Incident("act", fact.unit),
    },
    hindered=lambda unit, turn: unit_state(unit).pinned or unit_state(unit).disrupted,
)
