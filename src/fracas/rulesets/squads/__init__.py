"""The squads ruleset: teams that fight by a declared strategy. README.md is the rule book."""
