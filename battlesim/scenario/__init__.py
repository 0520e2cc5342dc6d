"""Scenario files: read, checked, set up. See `load.load_scenario`."""

from battlesim.rules.scenario import Force, Objective, Override, Scenario, SideInfo, Zone
from battlesim.scenario.changes import with_changes
from battlesim.scenario.file import scenario_schema
from battlesim.scenario.load import (
    check_scenario,
    first_state,
    load_scenario,
    scenarios_folder,
    shipped_scenarios,
)

__all__ = [
    "load_scenario",
    "check_scenario",
    "first_state",
    "with_changes",
    "shipped_scenarios",
    "scenarios_folder",
    "scenario_schema",
    "Scenario",
    "SideInfo",
    "Zone",
    "Force",
    "Objective",
    "Override",
]
