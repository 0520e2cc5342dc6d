"""The rulebooks, one package each. `battlesim.rulesets.finder.find_ruleset(name)` finds one."""
